//! The made-up logs of `tests/cases`, each with its recorded truth; the two large ones are written here.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::agree::{contract, differs};
use crate::support::reading::{page, print_all, read, report};
use crate::support::writer::{Script, frame};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Names of the cases, sorted.
fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("tests/cases is there");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| folder().join(name).join("expected.json").is_file()).collect();
    names.sort();
    names
}

fn expected(name: &str) -> Value {
    let text = fs::read(folder().join(name).join("expected.json")).expect("the truth of the case");
    serde_json::from_slice(&text).expect("the truth is JSON")
}

/// What does not agree in one case.
fn check(name: &str) -> Vec<String> {
    let want = expected(name);
    let input = want["input"].as_str().expect("an input");
    let path = folder().join(name).join(input);
    let session = read(&fs::read(&path).expect("the log of the case"), input);
    let got = print_all(&session);
    let mut wrong = contract(&got);
    let mut facts = want["facts"].clone();
    let loader = facts.as_object_mut().and_then(|facts| {
        facts.remove("result_text_chars");
        facts.remove("loader")
    });
    differs(&facts, &got, "facts", &mut wrong);
    if let Some(loader) = loader {
        // What only the store around the file shows is judged with the store.
        let by_store = want.get("input_root").is_some() && loader["result"] == "refuses";
        if got["loader"]["result"] != loader["result"] && !by_store {
            wrong.push(format!("loader: want {loader}, got {}", got["loader"]));
        }
    }
    wrong.into_iter().map(|line| format!("{name}: {line}")).collect()
}

#[test]
fn every_case_agrees_with_its_recorded_truth() {
    let names = names();
    assert!(names.len() >= 45, "{} cases", names.len());
    let wrong: Vec<String> = names.iter().flat_map(|name| check(name)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_growing_file_is_judged_again_when_it_has_grown() {
    let file = folder().join("45-file-still-growing/t1/session.jsonl.zstd");
    let got = report(&read(&fs::read(file).expect("the log of the case"), "session.jsonl.zstd"));
    assert_eq!(got["torn_tail"], Value::Null);
    assert_eq!(got["calls"][0]["state"], "completed");
    assert_eq!(got["turns"][0]["state"], "completed");
}

/// Case 43, made here since the file is large: one event a frame.
#[test]
fn four_thousand_frames_are_read() {
    let mut script = Script::new(0);
    script.turn();
    script.step();
    for _ in 0..4_000 {
        script.add("sandbox/mode", json!({ "mode": "read-only" }));
    }
    script.end_step();
    script.end_turn("completed");
    let bytes: Vec<u8> = script.lines().iter().flat_map(|line| frame(line.as_bytes())).collect();
    let got = report(&read(&bytes, "session.jsonl.zstd"));
    assert_eq!(got["complete_frames"], 4_005);
    assert_eq!(got["events"], 4_004);
    assert_eq!(got["seq"]["status"], "contiguous");
    assert_eq!(got["turns"][0]["state"], "completed");
}

/// Case 46 in small, made here since it takes long to read without optimisation: a file of a few kilobytes that is
/// almost all one line.
#[test]
fn a_small_file_with_a_long_line_is_read() {
    const LENGTH: usize = 6 << 20;
    let mut script = Script::new(0);
    script.turn();
    script.step();
    script.ask(&[("call_B", "bash", "{}")]);
    script.call("call_B", "bash", "{}");
    script.result("call_B", &"A".repeat(LENGTH), None);
    script.end_step();
    script.end_turn("completed");
    let bytes = script.zstd();
    assert!(bytes.len() < 16 << 10, "{} bytes", bytes.len());
    let got = report(&read(&bytes, "session.jsonl.zstd"));
    assert_eq!(got["calls"][0]["state"], "completed");
    let longest = got["long_line_bytes"].as_u64().expect("a length");
    assert!((LENGTH as u64..LENGTH as u64 + 1_000).contains(&longest));
}

/// The report for people of one case.
fn page_of(case: &str) -> String {
    let want = expected(case);
    let input = want["input"].as_str().expect("an input");
    page(&read(&fs::read(folder().join(case).join(input)).expect("the log of the case"), input))
}

#[test]
fn the_page_says_what_a_person_must_see() {
    let table: &[(&str, &[&str])] = &[
        (
            "05-checksum-mismatch-in-the-middle",
            &["DAMAGED FRAME 3 at byte 420", "15 events are missing: 4-18", "call_a1"],
        ),
        ("04-torn-tail-with-lines-inside", &["TORN TAIL at byte 570", "2 whole records saved", "cuts the torn tail"]),
        ("08-empty-file", &["EMPTY FILE"]),
        ("10-tool-not-started", &["NOT STARTED", "It never ran: may be retried.", "TOOL_NOT_STARTED, inferred"]),
        ("11-tool-outcome-unknown", &["OUTCOME UNKNOWN, inferred", "look at the outside state first", "call_u1"]),
        ("12-parallel-calls-mixed", &["call_p2", "no answer either: ", "call_p3"]),
        (
            "13-recovery-records-written",
            &["recovery closed", "OUTCOME UNKNOWN, recorded", "call_r1", "recovery closed in that turn too", "call_r2"],
        ),
        ("16-empty-call-ids", &["\"\"  \"\"", "has the same id: cite it by seq"]),
        ("17-code-call-with-sub-calls", &["call_x1:code:2", "never settled"]),
        ("18-command-without-done", &["/compact", "never done"]),
        ("19-approval-never-decided", &["never decided", "has probably not run"]),
        ("20-rejected-by-policy-not-by-a-person", &["policy never: nobody was asked"]),
        (
            "22-two-writers-same-seq",
            &["expected seq 7, got 6", "Seq 6 is in the file twice", "two writers", "break at line"],
        ),
        ("26-real-result-after-recovery", &["it may have run twice", "late result after recovery"]),
        ("27-unknown-event-types", &["acme/checkpoint", "NOT ignorable", "REFUSES"]),
        ("31-malformed-packed-row", &["BAD LINE 5: malformed packed row"]),
        ("33-usage-samples-and-retry", &["input 670, output 52", "RATE_LIMIT 429", "wait 500ms"]),
        ("34-fork-with-inherited-history", &["input 300, output 30", "input 3,300", "13 events were copied"]),
        ("37-format-4-outcome-unknown", &["format 4, from the header", "call_m2", "mcp__db__query"]),
        ("39-file-name-and-header-disagree", &["the file name says version 3"]),
        ("40-newer-format", &["format 9 is not known", "not judged"]),
    ];
    let mut wrong = Vec::new();
    for (case, texts) in table {
        let page = page_of(case);
        wrong.extend(texts.iter().filter(|text| !page.contains(**text)).map(|text| format!("{case}: {text}\n{page}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn neither_page_nor_citation_prints_a_secret_of_the_arguments() {
    use trajview::text::locale::Words;
    use trajview::triage::pass::citation::{Cited, citation, evidence};
    let path = folder().join("47-secret-in-arguments/session.jsonl.zstd");
    let bytes = fs::read(path).expect("the log of the case");
    let session = read(&bytes, "session.jsonl.zstd");
    let words = Words::english();
    let text = citation(&session, Cited::Call(0), &words) + &evidence(&session, Cited::Call(0), &words);
    assert!(text.contains("call_sec") && text.contains("TOOL_OUTCOME_UNKNOWN"));
    for secret in ["Bearer", "curl", "/srv"] {
        assert!(!text.contains(secret), "{text}");
    }
    assert!(!page(&session).contains("Bearer"));
}

/// Keys of a value and of all that is in it, but for those that a log brings along.
fn keys(value: &Value, found: &mut std::collections::BTreeSet<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        found.insert(key.clone());
        if !["header", "event_types", "open_pairs"].contains(&key.as_str()) {
            keys(value, found);
        }
    }
    value.as_array().into_iter().flatten().for_each(|item| keys(item, found));
}

#[test]
fn every_key_of_a_report_is_in_its_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/REPORT.md");
    let document = fs::read_to_string(path).expect("the document");
    let words: Vec<&str> = document.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut found = std::collections::BTreeSet::new();
    for name in names() {
        let input = expected(&name)["input"].as_str().expect("an input").to_owned();
        let bytes = fs::read(folder().join(&name).join(&input)).expect("the log of the case");
        keys(&report(&read(&bytes, &input)), &mut found);
    }
    keys(&report(&read(&Script::tour(0).zstd(), "session.jsonl.zstd")), &mut found);
    let missing: Vec<_> = found.iter().filter(|key| !words.contains(&key.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The report of the log of a case.
fn report_of(name: &str) -> Value {
    let input = expected(name)["input"].as_str().expect("an input").to_owned();
    report(&read(&fs::read(folder().join(name).join(&input)).expect("the log of the case"), &input))
}

#[test]
fn a_report_tells_the_state_as_of_a_seq_and_what_a_resume_would_close() {
    let mut switched = Script::new(0);
    switched.turn();
    for (kind, data) in [
        ("approval/policy", json!({"policy": "ask"})),
        ("approval/policy", json!({"policy": "never"})),
        ("approval/policy", json!({"policy": 7})),
        ("sandbox/mode", json!({})),
    ] {
        switched.add(kind, data);
    }
    let got = report(&read(&switched.zstd(), "session.jsonl.zstd"));
    let policies: Vec<&Value> = got["state_changes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|change| change["what"] == "policy")
        .map(|change| &change["value"])
        .collect();
    assert_eq!(policies, ["ask", "never"], "{}", got["state_changes"]);
    let closed = report_of("12-parallel-calls-mixed");
    let closed: Vec<&Value> =
        closed["resume"].as_array().into_iter().flatten().map(|record| &record["closes_seq"]).collect();
    assert_eq!(closed, [5, 3, 1, 0], "a call, a request, the step and the turn");
    assert_eq!(report_of("16-empty-call-ids")["resume"], json!([]), "what is refused is not resumed");
}
