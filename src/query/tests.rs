//! The language: what parses, what does not and where, what is selected.

use std::borrow::Cow;

use proptest::prelude::*;

use super::ast::{Expr, Query};
use super::completion::{Typed, Vocabulary, complete, typed};
use super::predicate::Prepared;
use super::selection::{Lines, Sifter, Sought};
use super::words::{Key, WORDS, query_markdown};
use crate::session::row::{Row, RowIx};
use crate::text::locale::Words;
use crate::text::time::Zone;
use crate::triage::bench::{Written, of_lines};
use crate::triage::session::Session;

/// Lines of a log in memory.
struct Held(Vec<Vec<u8>>);

impl Lines for Held {
    fn line(&mut self, ix: RowIx) -> Option<Cow<'_, [u8]>> {
        self.0.get(ix.as_usize()).map(Cow::from)
    }
}

/// Seqs, or rows where there is none, of what a query selects.
fn selected(log: &(Session, Vec<Vec<u8>>), query: &str) -> Vec<i64> {
    let query = Query::parse(query).unwrap_or_else(|fault| panic!("{query}: {fault}"));
    let (session, lines) = log;
    let prepared = Prepared::of(&query, session, &Zone::utc());
    let (mut lines, mut sifter) = (Held(lines.clone()), Sifter::default());
    let rows = (0..session.index.rows.len() as u32).map(RowIx);
    let kept = rows.filter(|ix| sifter.keeps(Sought::Query(&prepared), session, *ix, &mut lines));
    kept.map(|ix| session.index.rows.get(ix).and_then(Row::seq).map_or(i64::from(ix.0), |seq| seq.0)).collect()
}

fn written(log: &Written) -> (Session, Vec<Vec<u8>>) {
    let text = log.text();
    crate::triage::bench::plain(text.as_bytes())
}

#[test]
fn queries_are_read_and_written_again() {
    for (typed, canonical) in [
        ("", ""),
        ("  type:tool/*  ", "type:tool/*"),
        ("type:\"a b\" tool:bash", "type:\"a b\" tool:bash"),
        ("a and b", "text~\"a\" text~\"b\""),
        ("a or b c", "text~\"a\" or text~\"b\" text~\"c\""),
        ("(a or b) c", "(text~\"a\" or text~\"b\") text~\"c\""),
        ("!is:hidden not state:failed", "!is:hidden !state:failed"),
        ("!(is:error or turn:3)", "!(is:error or turn:3)"),
        ("not(a)", "!text~\"a\""),
        ("!!a", "!!text~\"a\""),
        ("seq:100.. seq:..5 seq:33..86 seq:7..7", "seq:100.. seq:..5 seq:33..86 seq:7"),
        ("depth:>0 depth:<=2 depth:>=1 depth:<1 depth:0", "depth:1.. depth:..2 depth:1.. depth:..0 depth:0"),
        ("waited:>30s took:1m30s..2h took:<=1.5s", "waited:30001ms.. took:90000ms..7200000ms took:..1500ms"),
        ("after:16:05 after:16:05:30.25", "after:16:05:00.000 after:16:05:30.250"),
        ("after:2026-11-30 after:2026-11-30T16:05", "after:2026-11-30T00:00:00.000 after:2026-11-30T16:05:00.000"),
        ("arg~\"rm -rf\" text~retry", "arg~\"rm -rf\" text~\"retry\""),
        ("/time(d )?out/ arg~/a b/", "text~/time(d )?out/ arg~/a b/"),
        ("/srv/app a/b 5", "text~\"/srv/app\" text~\"a/b\" text~\"5\""),
        ("\"or\" \"say \\\"x\\\"\"", "text~\"or\" text~\"say \\\"x\\\"\""),
        ("approval:none", "approval:none"),
    ] {
        let query = Query::parse(typed).unwrap_or_else(|fault| panic!("{typed}: {fault}"));
        assert_eq!(query.to_string(), canonical, "{typed}");
        assert_eq!(Query::parse(canonical).expect("canonical").root(), query.root(), "{typed}");
    }
}

#[test]
fn faults_name_their_column() {
    let long = "x".repeat(1001);
    let many = "a ".repeat(101);
    let deep = "!".repeat(60) + "a";
    for (typed, said) in [
        ("type:approval/* waited:>30", "column 25: a duration needs a unit: 30ms 30s 5m 2h"),
        ("type:", "column 6: a value is missing, such as type:tool/*"),
        ("tool: x", "column 6: a value is missing, such as tool:bash"),
        ("ä:x", "ok"),
        ("äö typ:x", "column 4: no key is called typ; quote it to look for the text"),
        ("http://x", "column 1: no key is called http; quote it to look for the text"),
        ("type~x", "column 5: written otherwise: type:tool/*"),
        ("arg:x", "column 4: written otherwise: arg~\"rm -rf\""),
        ("turn:x", "column 6: a number is expected: 3 1..2 100.. >0"),
        ("turn:1..x", "column 9: a number is expected: 3 1..2 100.. >0"),
        ("turn:..", "column 6: a number is expected: 3 1..2 100.. >0"),
        ("turn:5..1", "column 6: the range ends before it begins"),
        ("seq:>99999999999999999999", "column 6: the number is larger than a log can hold"),
        ("took:5s", "column 6: a duration needs a comparison: >30s <5m 1m..5m"),
        ("took:>5x", "column 7: a duration is expected: >30ms >30s <5m 1h..2h"),
        ("took:>", "column 7: a duration is expected: >30ms >30s <5m 1h..2h"),
        ("took:>9999999999999999999d", "column 7: the number is larger than a log can hold"),
        ("after:25:00", "column 7: a time is expected: 16:05 16:05:30 2026-11-30T16:05"),
        ("after:2026-02-30", "column 7: a time is expected: 16:05 16:05:30 2026-11-30T16:05"),
        ("is:odd", "column 4: no is:odd; there are unpaired error hidden surface inherited"),
        ("state:x", "column 7: no state:x; there are completed failed not_started outcome_unknown"),
        ("(a", "column 1: the bracket is not closed"),
        ("a (", "column 3: the bracket is not closed"),
        ("a ()", "column 3: nothing stands between the brackets"),
        ("a)", "column 2: no bracket is open; quote it to look for one"),
        ("a or", "column 5: something is missing at the end"),
        ("or a", "column 1: something is missing before this; quote it to look for the word"),
        ("a or or b", "column 6: something is missing before this; quote it to look for the word"),
        ("!", "column 2: something is missing at the end"),
        ("text~\"abc", "column 6: the quotation mark is not closed"),
        ("a /x(/", "column 3: the pattern cannot be read: error: unclosed group"),
        (&long, "column 1001: too long"),
        (&many, "column 201: too many terms"),
        (&deep, "column 42: brackets or negations go too deep"),
    ] {
        let found = Query::parse(typed).map_or_else(|fault| fault.to_string(), |_| "ok".to_owned());
        assert_eq!(found, said, "{typed:.40}");
    }
}

#[test]
fn hostile_patterns_are_refused() {
    for typed in ["/(a{1000}){1000}/", "/\\pL{500}{500}/", "/(((((a*)*)*)*)*){99}{99}{99}/"] {
        assert!(Query::parse(typed).is_err(), "{typed}");
    }
}

#[test]
fn every_key_is_told_and_its_examples_parse() {
    let words = Words::english();
    for word in WORDS {
        assert_eq!(Key::of_name(word.name), Some(word.key));
        assert_eq!(word.key.word().name, word.name);
        assert!(words.has(word.help), "{}", word.help);
        for example in word.examples {
            let query = Query::parse(example).unwrap_or_else(|fault| panic!("{example}: {fault}"));
            assert!(matches!(query.root(), Some(Expr::Term(term)) if term.key() == word.key), "{example}");
        }
    }
    assert!(query_markdown(&words).contains("`approval:none`"));
}

fn calls() -> (Session, Vec<Vec<u8>>) {
    let log = Written::new().turn(1).step(1, 1).asks(1, 1, &["a", "b", "c"]).call(1, 1, "a");
    let log = log.event("approval/asked", r#""id":"q","toolName":"bash","callId":"a""#);
    let log = log.event("approval/decided", r#""id":"q","outcome":"rejected""#);
    let log = log
        .result(1, 1, "a", r#","isError":true,"error":{"code":"DENIED"}"#, r#","surfaceOp":"append""#)
        .call(1, 1, "b");
    written(&log.event("sandbox/mode", r#""mode":"x""#).event("strange/type", r#""note":"say \"hi\"""#))
}

#[test]
fn rows_and_facts_select() {
    let log = calls();
    for (query, seqs) in [
        ("", vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("type:tool/*", vec![3, 6, 7]),
        ("type:TOOL/*", vec![]),
        ("!type:*/*", vec![]),
        ("tool:bash", vec![2, 3, 4, 5, 6, 7]),
        ("call:a", vec![2, 3, 4, 5, 6]),
        ("call:b", vec![2, 7]),
        ("state:not_started", vec![2]),
        ("state:outcome_unknown", vec![2, 7]),
        ("state:failed call:b", vec![]),
        ("code:denied", vec![2, 3, 4, 5, 6]),
        ("approval:rejected", vec![2, 3, 4, 5, 6]),
        ("approval:none", vec![2, 7]),
        ("approval:open", vec![]),
        ("approval:*", vec![2, 3, 4, 5, 6]),
        ("waited:>999ms waited:<=1s", vec![2, 3, 4, 5, 6]),
        ("took:>2s type:tool/result", vec![6]),
        ("is:unpaired", vec![2, 7]),
        ("is:error", vec![6]),
        ("is:surface seq:3..", vec![6]),
        ("is:hidden seq:5..", vec![5, 7, 8, 9]),
        ("is:inherited", vec![]),
        ("turn:1", vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("turn:2..", vec![]),
        ("step:1", vec![1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("seq:3..4 or seq:8", vec![3, 4, 8]),
        ("depth:0 seq:0", vec![0]),
        ("depth:>0", vec![]),
        ("after:14:13:25", vec![5, 6, 7, 8, 9]),
        ("after:2026-09-21T14:13:28", vec![8, 9]),
        ("after:14:00 seq:..1", vec![0, 1]),
    ] {
        assert_eq!(selected(&log, query), seqs, "{query}");
    }
}

#[test]
fn texts_select() {
    let log = calls();
    for (query, seqs) in [
        ("strange", vec![9]),
        ("text~\"say \\\"hi\\\"\"", vec![9]),
        ("SAY", vec![]),
        ("/^say .hi.$/", vec![9]),
        ("note", vec![]),
        ("arg~{}", vec![2, 3, 7]),
        ("arg~{} call:b type:tool/call", vec![7]),
        ("!text~bash seq:2..4", vec![]),
        ("hi or is:error", vec![6, 9]),
    ] {
        assert_eq!(selected(&log, query), seqs, "{query}");
    }
}

#[test]
fn what_streamed_in_pieces_is_one_text() {
    let chunk = |seq: i64, delta: &str| {
        format!(r#"{{"type":"assistant/chunk","seq":{seq},"time":1,"data":{{"turn":1,"step":1,"chunk":{delta}}}}}"#)
    };
    let text = |seq: i64, text: &str| chunk(seq, &format!(r#"{{"type":"text-delta","index":0,"text":"{text}"}}"#));
    let args = |seq: i64, text: &str| {
        chunk(seq, &format!(r#"{{"type":"tool-call-delta","index":1,"id":"c","argumentsDelta":"{text}"}}"#))
    };
    let packed = r#"{"type":"text-chunks","seq0":4,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["or","ld no","w"]}}"#;
    let lines = [
        text(0, "hel"),
        text(1, "lo "),
        args(2, "{\\\"cmd\\\":\\\"rm "),
        text(3, "w"),
        packed.to_owned(),
        args(7, "-rf x\\\"}"),
        chunk(8, r#"{"type":"finish","reason":{"kind":"stop"}}"#),
        text(9, "other world"),
    ];
    let log = of_lines(&lines.each_ref().map(String::as_str));
    for (query, seqs) in [
        ("\"hello world\"", vec![0, 1, 3, 4]),
        ("world", vec![3, 4, 9]),
        ("arg~\"rm -rf\"", vec![2, 7]),
        ("arg~hello", vec![]),
        ("seq:5", vec![4]),
        ("!seq:4..6", vec![0, 1, 2, 3, 7, 8, 9]),
        ("!seq:4..5 seq:4..6", vec![4]),
    ] {
        assert_eq!(selected(&log, query), seqs, "{query}");
    }
}

#[test]
fn an_unfinished_word_counts_only_when_it_is_finished() {
    let log = calls();
    let vocabulary = Vocabulary::of(&log.0.facts);
    let said = |text: &str| match typed(text, &vocabulary) {
        Typed::Whole(query) => format!("whole {query}"),
        Typed::Part(query) => format!("part {query}"),
        Typed::Wrong(fault) => format!("wrong {}", fault.column),
    };
    for (text, expected) in [
        ("", "whole "),
        ("ty", "part "),
        ("type:tool/* app", "part type:tool/*"),
        ("type:tool/* approval:", "part type:tool/*"),
        ("type:tool/* approval:rej", "part type:tool/*"),
        ("type:tool/* approval:rejected", "whole type:tool/* approval:rejected"),
        ("type:tool/* !(is:err", "part type:tool/*"),
        ("(type:tool/* or ", "part type:tool/*"),
        ("is:error or", "part is:error"),
        ("is:x", "wrong 4"),
        ("waited:>30", "wrong 9"),
        ("xyz", "whole text~\"xyz\""),
        ("is:error \"two wo", "part is:error"),
    ] {
        assert_eq!(said(text), expected, "{text}");
    }
}

#[test]
fn keys_come_first_and_values_with_their_counts() {
    let log = calls();
    let vocabulary = Vocabulary::of(&log.0.facts);
    let offered = |text: &str| {
        let completion = complete(text, text.len(), &vocabulary);
        (completion.from, completion.offers.into_iter().map(|offer| offer.text).collect::<Vec<_>>())
    };
    assert_eq!(offered("t").1, ["type:", "tool:", "took:", "turn:", "text~"]);
    assert_eq!(offered("x !(approval:"), (4, vec!["approval:rejected".into(), "approval:none".into()]));
    assert_eq!(offered("state:f"), (0, vec!["state:failed".into()]));
    assert_eq!(offered("call:").1, ["call:a", "call:b", "call:c"]);
    assert_eq!(offered("nonsense:").1, Vec::<String>::new());
    assert_eq!(offered("\"a t").1, Vec::<String>::new());
}

/// Texts that look like queries.
fn query_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "(",
            ")",
            "!",
            "not ",
            " or ",
            " and ",
            " ",
            "\"",
            "/",
            "\\",
            "*",
            ":",
            "~",
            "..",
            ">",
            "<=",
            "é",
            "🦀",
            "type:",
            "seq:1",
            "depth:>0",
            "is:",
            "is:error",
            "state:failed",
            "took:>5s",
            "after:16:05",
            "arg~",
            "text~/a/",
            "abc",
            "12",
            "\u{202e}",
            "\n",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_panics_and_what_parses_is_written_again(text in query_like()) {
        let vocabulary = Vocabulary::default();
        let _ = (typed(&text, &vocabulary), complete(&text, text.len() / 2, &vocabulary));
        match Query::parse(&text) {
            Ok(query) => {
                let again = query.to_string();
                // Long ones may grow beyond what is read when they are written out.
                if again.chars().count() <= 1000 {
                    let read = Query::parse(&again).expect("it parses again");
                    prop_assert_eq!(read.root(), query.root(), "{}", again);
                }
            }
            Err(fault) => prop_assert!(fault.column <= text.chars().count() + 1),
        }
    }
}
