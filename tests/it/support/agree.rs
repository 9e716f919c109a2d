//! Holds a report against recorded truth and against docs/REPORT.md itself.

use serde_json::{Map, Value};

/// Every key of one log, with the keys inside it (docs/REPORT.md).
const KEYS: &[(&str, &str)] = &[
    ("schema", ""),
    ("program", "name version"),
    ("path", ""),
    ("file_bytes", ""),
    ("encoding", ""),
    ("format", "version source"),
    ("known_format", ""),
    ("complete_frames", ""),
    ("decoded_bytes", ""),
    ("lines", ""),
    ("packed_rows", ""),
    ("events", ""),
    ("event_types", ""),
    ("torn_tail", ""),
    ("damaged_frames", ""),
    ("foreign_bytes", ""),
    ("skippable_frames", ""),
    ("byte_order_mark", ""),
    ("bad_lines", ""),
    ("lines_not_utf8", ""),
    ("crlf_lines", ""),
    ("split_lines", ""),
    ("long_line_bytes", ""),
    ("header", ""),
    ("header_problems", ""),
    ("seq", "status first last breaks repeated"),
    ("unknown_types", ""),
    ("turns", ""),
    ("calls", ""),
    ("unpaired_calls", ""),
    ("last_unpaired_call", ""),
    ("last_recovered_call", ""),
    ("last_failed_call", ""),
    ("results_without_call", ""),
    ("sub_calls", ""),
    ("commands", ""),
    ("approvals", ""),
    ("retries", ""),
    ("open_pairs", ""),
    ("open_things", ""),
    ("break_proofs", ""),
    ("dropped_lines", ""),
    ("pieces", ""),
    ("approval_waited_ms", ""),
    ("approval_switches", ""),
    ("state_changes", ""),
    ("ran_without_question", ""),
    ("may_have_run_twice", ""),
    ("usage", "requests_in_file requests_own in_file own inherited_events"),
    ("attempts", ""),
    ("stalls", ""),
    ("stream_only_calls", ""),
    ("usage_by_turn", ""),
    ("usage_by_step", ""),
    ("time", "sum_ms retry_ms approval_ms tool_ms model_ms idle_ms unaccounted_ms steps_back back_ms turns steps"),
    ("rewrites", ""),
    ("prompts", ""),
    ("uploads", ""),
    ("changed_files", ""),
    ("changes_unseen", ""),
    ("request_headers", ""),
    ("tool_changes", ""),
    ("loader", "result why kept_events"),
    ("resume", ""),
    ("stopped", "cause torn seq since_ms text"),
    ("title", ""),
    ("first_time", ""),
    ("last_time", ""),
];

const CALL: &str = "callId name turn step message_seq call_seq result_seq state basis";

/// What docs/REPORT.md asks of the report of any log, whatever the log holds: one text for each thing wrong.
pub fn contract(got: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let has = |value: &Value, key: &str| value.as_object().is_some_and(|map| map.contains_key(key));
    for (key, inner) in KEYS {
        if !has(got, key) {
            wrong.push(format!("no key {key}"));
        }
        wrong.extend(inner.split_whitespace().filter(|k| !has(&got[*key], k)).map(|k| format!("no key {key}.{k}")));
    }
    let known: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
    let others = got.as_object().into_iter().flat_map(Map::keys).filter(|key| !known.contains(&key.as_str()));
    wrong.extend(others.map(|key| format!("key {key} is not in docs/REPORT.md")));
    for call in list(got, "calls") {
        wrong.extend(CALL.split_whitespace().filter(|key| !has(call, key)).map(|key| format!("a call without {key}")));
        for (key, allowed) in [
            ("state", "completed|failed|not_started|outcome_unknown"),
            ("basis", "result|recorded|inferred|result after recovery"),
        ] {
            if !call[key].as_str().is_some_and(|word| allowed.split('|').any(|one| one == word)) {
                wrong.push(format!("a call with {key} {}", call[key]));
            }
        }
    }
    let words = ["loads", "loads_torn_tail", "loads_without_tail", "refuses"];
    let loader = &got["loader"]["result"];
    if !loader.is_null() && !loader.as_str().is_some_and(|word| words.contains(&word)) {
        wrong.push(format!("loader {loader}"));
    }
    let typed: u64 = got["event_types"].as_object().into_iter().flat_map(Map::values).filter_map(Value::as_u64).sum();
    let untyped = list(got, "unknown_types").iter().filter(|event| event["type"].is_null()).count() as u64;
    let events = got["events"].as_u64().unwrap_or(u64::MAX);
    if typed > events || typed + untyped < events {
        wrong.push(format!("{events} events, types add up to {typed}, {untyped} without one"));
    }
    wrong.extend(times(got));
    wrong
}

/// The parts of the time add up, and to the time on the clock.
fn times(got: &Value) -> Option<String> {
    let time = &got["time"];
    let ms = |key: &str| time[key].as_i64().unwrap_or_default();
    let parts = ["retry_ms", "approval_ms", "tool_ms", "model_ms", "idle_ms", "unaccounted_ms"];
    let sum = parts.into_iter().fold(0, |sum: i64, key| sum.saturating_add(ms(key)));
    let wall =
        got["last_time"].as_i64().zip(got["first_time"].as_i64()).map(|(last, first)| last.saturating_sub(first));
    // Sums that were cut off say nothing.
    let is_exact = ms("sum_ms") < i64::MAX && ms("back_ms") < i64::MAX;
    let is_wrong =
        sum != ms("sum_ms") || wall.is_some_and(|wall| is_exact && wall != sum.saturating_sub(ms("back_ms")));
    is_wrong.then(|| format!("time: parts {sum}, clock {wall:?}, told {time}"))
}

/// A list of the report; empty where there is none.
pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Every key of `want` must be in `got` with the same value; lists compare item by item.
pub fn differs(want: &Value, got: &Value, at: &str, out: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for (key, value) in want {
                match got.get(key) {
                    Some(found) => differs(value, found, &format!("{at}.{key}"), out),
                    None if value.is_null() => {}
                    None => out.push(format!("{at}.{key}: missing, want {value}")),
                }
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (place, (want, got)) in want.iter().zip(got).enumerate() {
                differs(want, got, &format!("{at}[{place}]"), out);
            }
        }
        (want, got) if want == got => {}
        (want, got) => out.push(format!("{at}: want {want}, got {got}")),
    }
}
