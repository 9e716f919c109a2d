//! Real logs that show a retry, a compaction, a cancelled prompt, a changed file: what the report tells of them. Read where they
//! lie, as in [`super::corpus`].

use serde_json::{Value, json};

use crate::corpus::folder;
use crate::support::agree::list;
use crate::support::reading::{print_all, read};

/// The report of a session of the corpus by the last digits of its id; `None` where there is no corpus.
fn session(id: &str) -> Option<Value> {
    let project = folder().join("sessions/--home-dev-shop-api--");
    let path = project.join(format!("session-0a11c0de-0000-4000-8000-{id:0>12}/session.jsonl.zstd"));
    if let Ok(bytes) = std::fs::read(&path) {
        return Some(print_all(&read(&bytes, "session.jsonl.zstd")));
    }
    eprintln!("skipped: no log at {} (set TRAJVIEW_CORPUS)", path.display());
    None
}

fn of(items: &[Value], key: &str) -> Vec<Value> {
    items.iter().map(|item| item[key].clone()).collect()
}

#[test]
fn a_chain_of_retries_is_told_attempt_by_attempt() {
    let Some(got) = session("9") else { return };
    let attempts = list(&got, "attempts");
    assert_eq!(of(attempts, "first_seq"), [13, 24, 27, 38, 41, 52, 60].map(Value::from));
    assert_eq!(of(attempts, "first_wait_ms"), [44, 7, 6, 7, 9, 7, 4].map(Value::from));
    assert_eq!(of(attempts, "then_retry")[..5], [0, 1, 2, 3, 4].map(Value::from));
    assert!(of(attempts, "message_seq").iter().all(Value::is_null));
    assert_eq!(of(list(&got, "retries"), "kept_ms"), [485, 1018, 2153, 3947, 7733].map(Value::from));
    assert_eq!(got["time"]["retry_ms"], 15_336);
}

#[test]
fn retries_that_recover_end_in_an_answer_and_the_time_adds_up() {
    let Some(got) = session("8") else { return };
    let attempts = list(&got, "attempts");
    assert_eq!(of(attempts, "finish"), ["error", "error", "error", "error", "tool-calls", "stop"].map(Value::from));
    assert_eq!(of(list(&got, "stream_only_calls"), "callId"), [json!("call_0047_0")]);
    let time = &got["time"];
    let parts = ["retry_ms", "approval_ms", "tool_ms", "model_ms", "idle_ms", "unaccounted_ms", "sum_ms"];
    assert_eq!(parts.map(|key| time[key].clone()), [6500, 0, 47, 187, 5, 129, 6868].map(Value::from));
    assert_eq!(got["usage_by_turn"][0]["without_message"]["inputTokens"], 2277);
}

#[test]
fn the_migrated_log_tells_the_same_attempts() {
    let path = folder().join("migrated/v4/retry-ok/session.v4.jsonl");
    let (Ok(bytes), Some(before)) = (std::fs::read(path), session("8")) else { return };
    let got = print_all(&read(&bytes, "session.v4.jsonl"));
    for key in ["pieces", "text_chars", "reasoning_chars", "calls", "finish", "error_code", "streamed_ms", "usage"] {
        assert_eq!(of(list(&got, "attempts"), key), of(list(&before, "attempts"), key), "{key}");
    }
    assert_eq!(got["time"]["retry_ms"], before["time"]["retry_ms"]);
}

#[test]
fn what_was_compacted_and_pruned_is_told_with_its_replacement() {
    let Some(got) = session("18") else { return };
    let rewrites = list(&got, "rewrites");
    assert_eq!(of(rewrites, "kind"), ["prune", "compaction", "compaction", "compaction"].map(Value::from));
    assert_eq!(of(rewrites, "replacement_seq"), [json!(184), json!(187), json!(320), Value::Null]);
    assert_eq!(rewrites[1]["shadowed_seqs"], json!([7, 8, 39, 184, 159, 166]));
    assert_eq!(of(rewrites, "failed"), [false, false, false, true].map(Value::from));
}

#[test]
fn cancelled_prompts_and_cut_answers_are_told() {
    let Some(got) = session("19") else { return };
    let fates: Vec<_> = list(&got, "prompts").iter().filter(|prompt| prompt["fate"] != "taken").collect();
    assert_eq!(fates.len(), 1);
    assert_eq!(
        (&fates[0]["seq"], &fates[0]["fate"], &fates[0]["fate_seq"]),
        (&json!(168), &json!("cancelled"), &json!(211))
    );
    let finishes = of(list(&got, "attempts"), "finish");
    assert!(finishes.contains(&json!("max-tokens")) && finishes.contains(&json!("error")));
}

#[test]
fn changed_files_name_their_calls_and_questions() {
    let Some(got) = session("2") else { return };
    let files = list(&got, "changed_files");
    assert_eq!(of(files, "path"), ["src/cart.js", "src/orders.js"].map(Value::from));
    assert_eq!(files[0]["changes"][0]["callId"], "call_0023_0");
    let Some(got) = session("7") else { return };
    assert_eq!(list(&got, "request_headers").first().map(|head| head["reason"].clone()), Some(json!("initial")));
}
