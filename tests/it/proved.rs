//! What the pages say of real logs: the ten-minute pass, state, originals, changes, the silent model, time, prompt and
//! tools, and arguments under the glass. Read where they lie, as in [`super::corpus`].

use trajview::app::message::Message;

use crate::corpus::folder;
use crate::support::stage::Stage;

/// A log of the corpus on a roomy screen: a path below it, or the last digits of the id of a session; `None` where there
/// is no corpus.
fn open(log: &str) -> Option<Stage> {
    let path = if log.bytes().all(|byte| byte.is_ascii_digit()) {
        let project = folder().join("sessions/--home-dev-shop-api--");
        project.join(format!("session-0a11c0de-0000-4000-8000-{log:0>12}/session.jsonl.zstd"))
    } else {
        folder().join(log)
    };
    if let Ok(bytes) = std::fs::read(&path) {
        return Some(Stage::open(bytes, &path.to_string_lossy(), 140, 60));
    }
    eprintln!("skipped: no log at {} (set TRAJVIEW_CORPUS)", path.display());
    None
}

/// Opens, presses keys, and holds the screen against parts that it must have.
fn says(log: &str, keys: &str, parts: &[&str]) {
    let Some(mut stage) = open(log) else { return };
    stage.press(keys);
    let screen = stage.text();
    for part in parts {
        assert!(screen.contains(part), "{log}, keys {keys}: {part} is not in\n{screen}");
    }
}

/// The seq of the timeline's cursor after keys.
fn goes_to(log: &str, keys: &str, seq: &str) {
    let Some(mut stage) = open(log) else { return };
    stage.press(keys);
    let screen = stage.text();
    let row = screen.lines().find(|line| line.starts_with(['>', '›'])).unwrap_or_default();
    let found = row.trim_start_matches(['>', '›', ' ', '▐']).split([' ', '-']).next();
    assert_eq!(found, Some(seq), "{log}, keys {keys}: the cursor is at {row:?} in\n{screen}");
}

#[test]
fn the_pass_answers_six_questions() {
    says(
        "crash/tool-killed.jsonl",
        "T",
        &[
            "/home/dev/shop-api   preset not recorded   depth 0",
            "yes: seq 0 to 88 without a gap",
            "bash  call_0321_0  seq 88",
            "echo begin > migration.log",
            "no answer either: bash call_0321_1 (87), write call_0321_2 (87)",
            "OUTCOME UNKNOWN, inferred: called (88)",
            "◦ NOT STARTED: call_0321_1, call_0321_2. No tool/call",
            "TOOL_OUTCOME_UNKNOWN",
            "Why it stopped: bash call_0321_0 was called at seq 88",
        ],
    );
    goes_to("crash/tool-killed.jsonl", "ggT<Enter>", "88");
    says("crash/notstarted-killed.jsonl", "T", &["NOT STARTED", "may be retried"]);
    says("crash/tool-resumed.jsonl", "T", &["TOOL_OUTCOME_UNKNOWN", "step 3 of 6"]);
    says("crash/stream-killed.jsonl.zstd", "T", &["6  To report it"]);
}

#[test]
fn the_state_is_that_at_the_cursor() {
    says(
        "5",
        "134Gi",
        &["as of seq 134 (turn 1 > step 3)", "workspace-write", "never at 225", "it follows the cursor"],
    );
    says("5", "134Gi230G", &["as of seq 230", "approval     never"]);
    goes_to("5", "134Gi<Tab><Enter>", "1");
}

#[test]
fn originals_are_compared_with_what_stands_for_them() {
    says(
        "18",
        "O",
        &[
            "prune 183   shadows 1 record",
            "- log line 90: order accepted, total 1234 cents",
            "- ⋯ 284 lines",
            "+ [... tool result middle pruned ...]",
            "compaction 186   shadows 6 records",
        ],
    );
    goes_to("18", "O<Enter>", "183");
    goes_to("18", "Oj<Enter>", "42");
    says("19", "O", &["CANCELLED at 211", "put into the inbox"]);
}

#[test]
fn changes_name_calls_and_what_is_not_seen() {
    says(
        "2",
        "D",
        &[
            "src/cart.js   1 change",
            "call_0023_0  called 223  told 224",
            "no approval was asked",
            "let total = 0 // cents",
            "NOT SEEN   1 shell call",
            "to-stdout",
        ],
    );
    says("crash/tool-killed.jsonl", "D", &["no call of this session tells", "NOT SEEN   1 shell call", "echo begin"]);
    goes_to("2", "D<Enter>", "224");
}

#[test]
fn the_silent_model_tells_chains_finishes_and_tokens() {
    says(
        "9",
        "R",
        &[
            "7 attempts, 0 answers",
            "retry chain 1d774c95",
            "22 wait 485ms, kept 485ms",
            "no retry left (5 of 5)",
            "request req-58",
            "not retried: not in the list above",
            "no usage was recorded",
        ],
    );
    says("8", "R", &["EMPTY_RESPONSE", "ONLY IN THE STREAM   1 call", "call_0047_0", "2,277"]);
    goes_to("9", "Rj<Enter>", "13");
}

#[test]
fn time_adds_up_and_tells_when_the_pieces_came() {
    says("8", "W", &["waiting for a retry", "94.6%", "= wall time of the session", "5 attempts"]);
    says("3", "Wll", &["tokens a second", "first piece 56ms", "no stall", "rrrr", "c call arguments"]);
    says("9", "W", &["= wall time of the session"]);
}

#[test]
fn prompt_and_tools_are_those_of_the_header() {
    says("5", "P", &["seq 10   initial   deepseek-v4-flash   25 tools", "every declared name is a shipped tool"]);
}

#[test]
fn hidden_characters_are_marked_in_the_arguments() {
    says("11", "412G", &["! 7 MARKED", "valid JSON", "stream = message = call", "[U+200D]", "U+2028"]);
    let Some(mut stage) = open("11") else { return };
    stage.press("412G<Tab><Tab>++");
    let screen = stage.text();
    for part in ["U+1F3FD  skin tone", "U+2029", "\\u001b   ESC, written as escape"] {
        assert!(screen.contains(part), "{part} is not in\n{screen}");
    }
    assert!(!screen.contains(['\u{200d}', '\u{2028}']), "no hidden character comes through");
}

#[test]
fn a_call_of_the_stream_alone_shows_where_it_was_cut() {
    says("8", ":17<Enter><Tab><Tab>++", &["never requested", r#"{"command":"echo should-not-run","de"#, "^"]);
}

#[test]
fn six_answers_stand_on_one_small_screen() {
    let logs = [
        "5",
        "6",
        "8",
        "9",
        "11",
        "18",
        "19",
        "crash/tool-killed.jsonl",
        "crash/tool-resumed.jsonl",
        "crash/notstarted-killed.jsonl",
        "crash/stream-killed.jsonl.zstd",
        "live/live-cut-midblock.jsonl.zstd",
    ];
    for log in logs {
        let Some(mut stage) = open(log) else { return };
        stage.play(Message::Resized { columns: 80, rows: 24 });
        stage.press("T");
        let screen = stage.text();
        for step in 1..=6 {
            let starts = |row: &str| row.trim_start_matches(['>', ' ']).starts_with(&format!("{step}  "));
            assert!(screen.lines().any(starts), "{log}: answer {step} is not on\n{screen}");
        }
    }
}
