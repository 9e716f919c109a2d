//! Real logs under the pages of proofs: what is open, who was asked, what the file is made of. Read where they lie, as in
//! [`super::corpus`].

use std::path::{Path, PathBuf};

use crate::corpus::folder;
use crate::support::stage::Stage;

/// A screen of a log of the corpus after these keys; `None` where there is no corpus.
fn screen(path: &Path, keys: &str, (columns, rows): (u16, u16)) -> Option<String> {
    let Ok(bytes) = std::fs::read(path) else {
        eprintln!("skipped: no log at {} (set TRAJVIEW_CORPUS)", path.display());
        return None;
    };
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("session.jsonl");
    let mut stage = Stage::open(bytes, name, columns, rows);
    stage.press(keys);
    Some(stage.text())
}

fn session(id: &str) -> PathBuf {
    let project = folder().join("sessions/--home-dev-shop-api--");
    project.join(format!("session-0a11c0de-0000-4000-8000-{id:0>12}/session.jsonl.zstd"))
}

fn holds(text: &str, all: &[&str]) {
    for words in all {
        assert!(text.contains(words), "{words:?} in\n{text}");
    }
}

#[test]
fn the_ledger_tells_an_answer_from_a_policy_and_from_nobody() {
    let Some(text) = screen(&session("5"), "A", (140, 45)) else { return };
    holds(
        &text,
        &["5 questions", "1 policy", "policy, not asked", "nobody there", "= policy ask -> never", "waited 2ms"],
    );
    holds(&text, &["1 without a question", "No person is that fast", "allowed-once after 1ms"]);
    let Some(text) = screen(&session("5"), "Afapproval:none<Enter>", (80, 24)) else { return };
    holds(&text, &["1 of 6", "call_0028_0", "nothing was asked"]);
    let Some(text) = screen(&session("6"), "Ac", (80, 24)) else { return };
    holds(&text, &["the longest wait first", "cancelled after 60ms", "1 cancelled 1 nobody there"]);
}

#[test]
fn the_ladder_tells_what_became_of_each_call_on_resume() {
    let crash = folder().join("crash");
    let Some(text) = screen(&crash.join("tool-killed.jsonl"), "U", (140, 45)) else { return };
    holds(&text, &["5 open things", "CALLS 3", "would write tool/result TOOL_NOT_STARTED", "turn/end interrupted"]);
    for log in ["tool-resumed.jsonl", "tool-resumed.jsonl.zstd"] {
        let Some(text) = screen(&crash.join(log), "U", (140, 45)) else { return };
        holds(
            &text,
            &["0 open things", "3 closed by recovery", "TOOL_OUTCOME_UNKNOWN at 89", "TOOL_NOT_STARTED at 91"],
        );
    }
    // The record of the recovery is a line of its own, and Enter goes there.
    let Some(text) = screen(&crash.join("tool-resumed.jsonl"), "Uj<Enter>", (140, 45)) else { return };
    holds(&text, &["TOOL_OUTCOME_UNKNOWN"]);
    assert!(!text.contains("UNPAIRED"), "the page is left\n{text}");
    let Some(text) = screen(&crash.join("stream-killed.jsonl.zstd"), "U", (80, 24)) else { return };
    holds(&text, &["STEPS 1", "TURNS 1"]);
}

#[test]
fn interrupts_retries_and_compactions_leave_nothing_open_that_is_not() {
    for (id, expected) in
        [("8", "0 open things"), ("9", "0 open things"), ("18", "open thing"), ("19", "0 open things")]
    {
        let Some(text) = screen(&session(id), "U", (140, 45)) else { return };
        holds(&text, &[expected, "May have run twice"]);
    }
}

#[test]
fn the_container_of_a_real_log_is_whole() {
    let Some(text) = screen(&session("23"), "C", (100, 30)) else { return };
    holds(&text, &["653 good frames", "one cell = 8 pieces", "largest: frame 2, 10,955 bytes", "whole: seq 0 to 5440"]);
    assert!(!text.contains("BAD LINES") && !text.contains("lost"), "{text}");
}

#[test]
fn a_bug_report_of_hostile_text_has_no_control_character() {
    let Some(text) = screen(&session("11"), "ub", (140, 45)) else { return };
    holds(&text, &["Everything was decoded", "(please fill in"]);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c)), "{text}");
}
