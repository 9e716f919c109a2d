//! The sample log: as the generator makes it, and worth being looked at.

use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

#[path = "../sample/scribe.rs"]
mod scribe;
#[path = "../sample/story.rs"]
mod story;

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/sample/session.v4.jsonl.zstd")
}

/// The text of each frame. Compressed bytes may differ from one zstd to the next, what they hold may not.
fn frames(bytes: &[u8]) -> Vec<String> {
    let mut rest = bytes;
    let mut frames = Vec::new();
    while !rest.is_empty() {
        let mut text = String::new();
        let mut decoder = zstd::Decoder::with_buffer(&mut rest).expect("a decoder").single_frame();
        decoder.read_to_string(&mut text).expect("a whole frame of text");
        drop(decoder);
        frames.push(text);
    }
    frames
}

#[test]
fn the_sample_is_what_the_generator_makes() {
    let stored = std::fs::read(path()).expect("the sample is there");
    let made = story::frames();
    assert_eq!(frames(&stored), made, "run: cargo run --example make-sample");
}

#[test]
fn the_report_of_the_sample_has_something_of_everything() {
    let output = Command::new(env!("CARGO_BIN_EXE_trajview")).args(["report", "--json"]).arg(path()).output();
    let output = output.expect("the program runs");
    assert_eq!(output.status.code(), Some(3), "a call is open");
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");

    assert_eq!(report["format"]["version"], 4);
    assert_eq!(report["loader"]["result"], "loads");
    assert_eq!(report["last_unpaired_call"]["callId"], story::UNKNOWN);
    let state = |id: &str| {
        let calls = report["calls"].as_array().expect("calls are a list");
        let call = calls.iter().find(|call| call["callId"] == id).expect("the call is reported");
        call["state"].clone()
    };
    assert_eq!(state(story::UNKNOWN), "outcome_unknown");
    assert_eq!(state(story::NOT_STARTED), "not_started");
    let outcomes: Vec<&Value> =
        report["approvals"].as_array().expect("a list").iter().map(|approval| &approval["outcome"]).collect();
    assert_eq!(outcomes, ["allowed-once", "rejected", "allowed-once"]);
    for list in ["retries", "commands", "sub_calls", "turns"] {
        let items = report[list].as_array().expect("a list");
        assert!(!items.is_empty(), "the sample shows {list}");
    }
    assert_eq!(report["header"]["id"], story::SESSION);
}
