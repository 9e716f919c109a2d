//! The checks of the fuzz targets (`tests/it/holds.rs`) on a stable toolchain: the same, with bytes by chance and by
//! changes to logs, not by coverage.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::holds;
use crate::support::writer::{Dice, Script, VERSIONS};
use crate::support::zipped::{RawEntry, by_hand, exported};

#[test]
fn events_in_any_order_are_judged_without_a_panic() {
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let bytes: Vec<u8> = (0..400).map(|_| dice.below(256) as u8).collect();
        holds::events(&bytes);
    }
}

#[test]
fn a_record_of_a_stream_with_more_gaps_than_pieces_has_no_stall_behind_its_pieces() {
    let tags = ["text-chunks\",\"texts", "reasoning-chunks\",\"texts", "tool-call-chunks\",\"args", "chunk\",\"chunks"];
    for tag in tags {
        for pieces in ["[]", "[\"a\"]", "[\"a\",\"b\"]", "7"] {
            let record = format!("{{\"type\":\"{tag}\":{pieces},\"index\":0,\"time0\":9,\"dt\":[5000,5000,5000]}}");
            holds::streams(record.as_bytes());
            holds::streams(format!("{record},{record}").as_bytes());
        }
    }
}

/// Bytes by chance, or some of a text put into other places of it.
fn changed(texts: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![proptest::collection::vec(any::<u8>(), 0..6), proptest::sample::select(texts.clone())];
    let edits = proptest::collection::vec((any::<Index>(), 0usize..6, piece), 0..6);
    (proptest::sample::select(texts), edits).prop_map(|(mut text, edits)| {
        for (at, taken, put) in edits {
            let from = at.index(text.len() + 1);
            let to = (from + taken).min(text.len());
            text.splice(from..to, put);
        }
        text
    })
}

fn texts(of: &[&str]) -> Vec<Vec<u8>> {
    of.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// All lines of the tours, and two packed rows.
fn lines() -> Vec<Vec<u8>> {
    let tours = VERSIONS.flat_map(|version| Script::tour(version).lines().to_vec());
    tours.map(|line| line.trim_end().as_bytes().to_vec()).collect()
}

/// The frames of a log, whole, and some that lie.
fn framed() -> Vec<Vec<u8>> {
    let script = Script::tour(1);
    vec![script.zstd(), script.frames(3).concat(), script.frames(1)[1].clone(), script.plain()]
}

const STREAMS: [&str; 6] = [
    r#"{"type":"text-chunks","time0":1,"index":0,"dt":[3,-4],"texts":["a","","\ud83d"]}"#,
    r#",{"type":"tool-call-chunks","time0":9,"index":1,"id":"c","name":"bash","dt":[1500],"args":["{","}"]}"#,
    r#"{"type":"chunk","time":8,"chunk":{"type":"usage","usage":{"inputTokens":9,"outputTokens":-1}}}"#,
    r#",{"type":"chunk","time":5,"chunk":{"type":"finish","reason":{"kind":"error","failure":{"code":"X"}}}}"#,
    r#",{"type":"reasoning-chunks","time0":4000,"index":0,"dt":[9007199254740992],"texts":["a","b"]}"#,
    r#"{"type":"chunk","chunk":{"type":"block-end","index":1,"block":{"type":"tool-call","id":"c","arguments":"{}"}}}"#,
];

const QUERIES: [&str; 5] =
    ["type:tool/* -seq:3..9 or (is:open took:>5s)", "!tool:\"a b\" text~/x.*y/", "arg~\"a\\\"\"", "after:16:05", "((("];

const SETTINGS: [&str; 5] = [
    "theme = \"dark\"\n[panes]\ntimeline = 40\n",
    "[keys.main]\nquit = [\"q\", \"Ctrl-q\"]\n",
    "base = \"light\"\n[roles]\nbad = { fg = \"#aa0000\", bold = true }\n",
    r#"{"panes":{"timeline":30},"logs":[{"log":{"session":"s","path":"p"},"marks":[["a",{"line":3}]]}]}"#,
    "[programs]\neditor = \"vi -R\"\n",
];

fn archives() -> Vec<Vec<u8>> {
    let script = Script::tour(0);
    let log = script.plain();
    let entry = RawEntry::new(b"session.jsonl", &log);
    let mut lying = entry.clone();
    lying.size = 7;
    vec![
        exported(&[("session.jsonl", &log), ("subagents/a/session.jsonl.zstd", &script.zstd())]),
        by_hand(&[entry.clone(), lying], 0),
        by_hand(&[entry.clone(), entry], 1),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn frames_hold(bytes in changed(framed())) {
        holds::frames(&bytes);
    }

    #[test]
    fn lines_hold(bytes in changed(texts(&["\u{1}\u{3}a\r\n\r\r\n", "\u{4}\u{1}\n\nab\r", "\u{9}\u{9}no end"]))) {
        holds::lines(&bytes);
    }

    #[test]
    fn records_hold(bytes in changed(lines())) {
        holds::records(&bytes);
    }

    #[test]
    fn streams_hold(bytes in changed(texts(&STREAMS))) {
        holds::streams(&bytes);
    }

    #[test]
    fn queries_hold(bytes in changed(texts(&QUERIES))) {
        holds::query(&bytes);
    }

    #[test]
    fn printable_text_holds(bytes in changed(texts(&["a\u{1b}[31m", "\u{202e}\u{e0041}x\u{fe0f}", "\u{301}한ᄀ\t"]))) {
        holds::sanitize(&bytes);
    }

    #[test]
    fn archives_hold(bytes in changed(archives())) {
        holds::zip(&bytes);
    }

    #[test]
    fn settings_hold(bytes in changed(texts(&SETTINGS))) {
        holds::config(&bytes);
    }
}
