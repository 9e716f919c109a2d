//! The pages of proofs: filter and order of the ledger, what each line leads to.

use super::*;
use crate::app::effect::{Effect, Program, TextKind};
use crate::app::page::{Page, PageKind};
use crate::triage::bench::Written;

/// Three questions, the last one never decided, and a call about which nothing was asked. Seqs: turn 0, step 1, message 2,
/// calls 3 to 6, policy 7, questions 8 to 12.
fn asked() -> Written {
    let ids = ["a", "b", "c", "d"];
    let log = Written::new().turn(1).step(1, 1).asks(1, 1, &ids);
    let log = ids.iter().fold(log, |log, id| log.call(1, 1, id)).event("approval/policy", r#""policy":"ask""#);
    let ask = |log: Written, id: &str, tool: &str, why: &str| {
        let data = format!(r#""id":"q{id}","toolName":"{tool}","callId":"{id}","reason":"{why}""#);
        log.event("approval/asked", &data)
    };
    let log = ask(log, "a", "bash", "needs \\u202eroot").event("approval/decided", r#""id":"qa","outcome":"rejected""#);
    let log = ask(log, "b", "bash", "the second").event("todo/write", "");
    let log = log.event("approval/decided", r#""id":"qb","outcome":"allowed-once""#);
    ask(log, "c", "bash", "the third")
}

fn page(bench: &Bench) -> String {
    bench.model.page.as_ref().map(Page::text).unwrap_or_default()
}

fn at_cursor(bench: &Bench) -> String {
    let page = bench.model.page.as_ref().expect("a page is open");
    page.doc.lines[page.cursor].text()
}

/// Seqs of the rows with a seq at the left, in order.
fn seqs(bench: &Bench) -> Vec<i64> {
    page(bench).lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
}

#[test]
fn the_ledger_is_narrowed_while_typing_and_comes_back() {
    let mut bench = Bench::open(asked().text(), 140, 45);
    bench.keys("A");
    assert_eq!(seqs(&bench), [7, 8, 10, 13, 6]);
    assert!(at_cursor(&bench).contains("never decided"), "the open question is the news: {}", at_cursor(&bench));
    let shown = bench.model.timeline.events().shown;
    for (typed, rows) in [
        ("approval:rejected", vec![7, 8]),
        ("approval:open", vec![7, 13]),
        ("approval:none", vec![6]),
        ("waited:>1s", vec![7, 10]),
        ("text~second", vec![7, 10]),
        ("not tool:bash", vec![]),
    ] {
        bench.keys(&format!("f{typed}"));
        assert_eq!(seqs(&bench), rows, "{typed}\n{}", page(&bench));
        bench.keys("<Esc>");
        assert_eq!(seqs(&bench).len(), 5, "{typed}: Esc brings all back");
    }
    bench.keys("fapproval:rejected<Enter>");
    assert!(page(&bench).contains("filter: approval:rejected   1 of 4"), "{}", page(&bench));
    assert_eq!(bench.model.timeline.events().shown, shown, "the timeline keeps its rows");
    bench.keys("x");
    assert_eq!(seqs(&bench).len(), 5);
    // A wrong filter changes nothing and says why.
    bench.keys("fwaited:>never<Enter>");
    assert!(bench.model.input.as_ref().is_some_and(|input| input.problem.is_some()));
    bench.keys("<Esc>");
    bench.keys("q");
    bench.keys("f");
    assert!(bench.model.page.is_none() && bench.model.input.is_some(), "elsewhere it is the filter of the timeline");
}

#[test]
fn the_ledger_is_sorted_and_leads_to_the_question_at_the_cursor() {
    let mut bench = Bench::open(asked().text(), 80, 24);
    bench.keys("Ac");
    assert_eq!(seqs(&bench), [10, 8, 13, 6], "the longest wait first, without switches: {}", page(&bench));
    bench.keys("c");
    assert_eq!(seqs(&bench), [13, 10, 8, 6], "by outcome, none first");
    // Left and opened again, it is as in the log.
    bench.keys("AA");
    assert_eq!(seqs(&bench), [7, 8, 10, 13, 6]);
    let mut places = Vec::new();
    for n in 0..5 {
        bench.keys("gg");
        bench.keys(&"j".repeat(n + 1));
        bench.keys("<Enter>");
        places.extend(bench.seq());
        bench.keys("A");
    }
    assert_eq!(places, [7, 8, 10, 13, 6], "each row leads to its seq");
}

#[test]
fn bad_lines_stand_one_by_one_and_lead_there() {
    let log = Written::new().turn(1).step(1, 1).raw("not \u{1b}[31mJSON").raw("[]").event("todo/write", "");
    let mut bench = Bench::open(log.text(), 140, 45);
    bench.keys("C");
    let text = page(&bench);
    assert!(text.contains("BAD LINES 2") && !text.contains('\u{1b}'), "{text}");
    for (n, line) in [(0, "LINE 4: not JSON"), (1, "LINE 5: not an object")] {
        let place = bench.model.page.as_ref().and_then(|page| {
            page.doc.lines.iter().find(|text| text.text().contains(line)).and_then(|line| line.target)
        });
        assert_eq!(place.map(|event| event.row), Some(RowIx(2 + n)), "{line}: {text}");
    }
    // Of the whole the first damage is one key away: sequence, container, harness lead to their records.
    bench.keys("ggj<Enter>");
    assert_eq!(bench.model.current_event().map(|event| event.row), Some(RowIx(2)), "{text}");
    let mut sound = Bench::open(Written::new().turn(1).turn_end(1, "completed").text(), 80, 24);
    sound.keys("C");
    assert!(!page(&sound).contains("BAD LINES"), "{}", page(&sound));
}

/// A call whose arguments hold a secret, and its result. Seqs: turn 0, step 1, message 2, call 3, result 4.
fn secretive(arguments: &str) -> String {
    let data = format!(r#""turn":1,"step":1,"callId":"a","name":"bash","arguments":{arguments}"#);
    let log = Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]).event("tool/call", &data);
    let inner = r#"[{"type":"text","text":"export TOKEN=ghp_0123456789abcdef"}]"#;
    let content = format!(r#"[{{"type":"tool-result","toolCallId":"a","content":{inner}}}]"#);
    let message = format!(r#"{{"role":"user","source":{{"kind":"tool","callId":"a"}},"content":{content}}}"#);
    log.event("tool/result", &format!(r#""turn":1,"step":1,"message":{message}"#)).text().to_owned()
}

#[test]
fn the_bug_report_asks_before_it_adds_and_leaves_secrets_out_unless_told() {
    let secret = "abcdefgh12345678";
    let log = secretive(r#""{\"command\":\"curl -H 'Authorization: Bearer abcdefgh12345678'\"}""#);
    let value = |bench: &Bench| {
        let value = bench.model.page.as_ref().and_then(|page| page.doc.value.clone()).expect("a report");
        String::from_utf8(value.to_vec()).expect("a report is text")
    };
    let mut bench = Bench::open(&log, 80, 24);
    bench.keys("3Gb");
    assert!(page(&bench).contains("valid JSON, left out") && !value(&bench).contains("curl"), "{}", page(&bench));
    bench.keys("a");
    let asked = page(&bench);
    assert!(asked.contains("Add the arguments? 1 part looks like a secret"), "{asked}");
    assert!(!asked.contains(secret) && !value(&bench).contains("curl"), "nothing is in it before the answer: {asked}");
    for (keys, inside, outside) in [
        // Esc and `q` leave it out and stay on the page; so does asking twice.
        ("<Esc>", "left out", "curl"),
        ("aq", "left out", "curl"),
        ("aa", "left out", "curl"),
        ("ar", "Bearer [secret left out]", secret),
        ("a", "left out", "curl"),
        ("aA", secret, "[secret left out]"),
        ("tr", "TOKEN=[secret left out]", "0123456789abcdef"),
    ] {
        bench.keys(keys);
        let text = value(&bench);
        assert!(text.contains(inside) && !text.contains(outside), "{keys}: {text}");
    }
    let text = page(&bench);
    assert!(text.contains("in the report as recorded") && text.contains("was replaced"), "{text}");
    assert!(!value(&bench).contains("looks like a secret"), "what is said about the report is not in it");
    // What is piped is the report as it stands, without what is said about it.
    bench.keys("|cat<Enter>");
    let expected = Effect::HandOver {
        to: Program::Command("cat".to_owned()),
        bytes: value(&bench).into_bytes().into(),
        kind: TextKind::Markdown,
    };
    assert_eq!(bench.left.last(), Some(&expected));
    // Of the next report nothing is added.
    bench.keys("qb");
    assert!(!value(&bench).contains("curl"), "{}", value(&bench));
}

#[test]
fn a_bug_report_adds_only_what_there_is_and_the_keys_of_the_question_are_its_own() {
    let mut bench = Bench::open(&secretive(r#""{\"a\":\u0000 not JSON""#), 80, 24);
    bench.keys("3Gba");
    assert!(page(&bench).contains("NOT JSON"), "{}", page(&bench));
    assert!(page(&bench).contains("Nothing in it has the shape of a secret"), "{}", page(&bench));
    bench.keys("A");
    assert!(page(&bench).contains("<NUL>") || page(&bench).contains("not JSON"), "{}", page(&bench));
    bench.keys("A");
    assert_eq!(bench.model.page.as_ref().map(|page| page.kind), Some(PageKind::Approvals), "nothing is asked any more");
    let mut bench = Bench::open(Written::new().turn(1).text(), 80, 24);
    for key in ["b", "a", "t"] {
        bench.keys(key);
    }
    assert!(bench.said().contains("about no call"), "{}", bench.said());
}

#[test]
fn a_key_that_changes_panes_alone_says_so_on_a_page() {
    for kind in ["i", "T", "U", "R", "W", "D", "O", "P", "A", "C"] {
        let mut bench = Bench::open(asked().text(), 100, 24);
        bench.keys(kind);
        let before = bench.model.page.clone();
        for key in ["w", "p", "r", "H", "L", "+", "_", "za", "zM", "zR", "zz"] {
            bench.keys(key);
            assert!(bench.said().contains("nothing on this page"), "{kind} {key}: {:?}", bench.said());
            assert_eq!(bench.model.page, before, "{kind} {key}");
        }
        for (key, works) in [("v", kind == "A"), ("c", kind == "A"), ("l", kind == "C" || kind == "W")] {
            bench.keys(key);
            assert_eq!(bench.said().is_empty(), works, "{kind} {key}: {:?}", bench.said());
        }
    }
    // In an overlay over a page the same keys are the overlay's.
    let mut bench = Bench::open(asked().text(), 100, 24);
    bench.keys("T?");
    assert!(bench.keys("+").said().contains('+'), "{}", bench.said());
}
