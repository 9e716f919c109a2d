//! Real logs, read where they lie and never copied in: `$TRAJVIEW_CORPUS`, else `../shared/corpus` beside the checkout.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::agree::{contract, differs, list};
use crate::support::reading::{print_all, read};

pub fn folder() -> PathBuf {
    match std::env::var_os("TRAJVIEW_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    }
}

/// Files with recorded truth below a folder, sorted.
fn truths(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            truths(&path, found);
        } else if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("expected.json")) {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn real_logs_agree_with_their_recorded_truth() {
    let folder = folder();
    let mut files = Vec::new();
    truths(&folder, &mut files);
    if files.is_empty() {
        eprintln!("skipped: no corpus at {} (set TRAJVIEW_CORPUS)", folder.display());
        return;
    }
    // Half of the files a thread: two cores are what the suite counts on.
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|half| {
                let files = &files;
                scope.spawn(move || files.iter().skip(half).step_by(2).flat_map(|file| check(file)).collect::<Vec<_>>())
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no log panics the reader")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(file: &Path) -> Vec<String> {
    let want: Value = serde_json::from_slice(&fs::read(file).expect("the truth")).expect("the truth is JSON");
    let Some(named) = want["file"].as_str().filter(|_| !want["eventTypes"].is_null()) else { return Vec::new() };
    let name = Path::new(named).file_name().expect("a file name");
    let bytes = fs::read(file.with_file_name(name)).expect("the log");
    let got = print_all(&read(&bytes, &name.to_string_lossy()));
    let mut wrong = contract(&got);
    if want["compression"].is_null() {
        migrated(&want, &got, &mut wrong);
    } else {
        recorded(&want, &got, &mut wrong);
    }
    wrong.into_iter().map(|line| format!("{}: {line}", file.display())).collect()
}

/// Compares two values under a name.
fn same(name: &str, want: impl Into<Value>, got: impl Into<Value>, wrong: &mut Vec<String>) {
    let (want, got) = (want.into(), got.into());
    if want != got {
        wrong.push(format!("{name}: want {want}, got {got}"));
    }
}

fn count(items: &[Value], holds: impl Fn(&Value) -> bool) -> usize {
    items.iter().filter(|item| holds(item)).count()
}

/// How often each value stands under a key, as an object.
fn tally<'a>(values: impl Iterator<Item = &'a Value>) -> Value {
    let mut out = json!({});
    for value in values.filter_map(Value::as_str) {
        let n = out[value].as_u64().unwrap_or(0);
        out[value] = json!(n + 1);
    }
    out
}

/// Truth that the decoder and the repair code of the harness computed.
fn recorded(want: &Value, got: &Value, wrong: &mut Vec<String>) {
    container(want, got, wrong);
    counts(want, got, wrong);
    recovery(want, got, wrong);
    usage(want, got, wrong);
}

fn container(want: &Value, got: &Value, wrong: &mut Vec<String>) {
    let is_zstd = matches!(want["compression"].as_str(), Some("zstd" | "zstandard"));
    same("encoding", if is_zstd { "zstd" } else { "plain" }, got["encoding"].clone(), wrong);
    for (name, key) in
        [("events", "events"), ("packed_rows", "packedRows"), ("event_types", "eventTypes"), ("header", "header")]
    {
        same(name, want[key].clone(), got[name].clone(), wrong);
    }
    same("seq.last", want["maxSeq"].clone(), got["seq"]["last"].clone(), wrong);
    same("seq.status", "contiguous", got["seq"]["status"].clone(), wrong);
    let torn = got["torn_tail"]["bytes"].as_u64().unwrap_or(0);
    same("torn_tail.bytes", want["tornTailBytes"].clone(), torn, wrong);
    if want["tornTailBytes"] == 0 {
        same("lines", want["physicalLines"].clone(), got["lines"].clone(), wrong);
        same("decoded_bytes", want["decodedBytes"].clone(), got["decoded_bytes"].clone(), wrong);
    }
    if is_zstd && !want["zstdFrames"].is_null() {
        same("complete_frames", want["zstdFrames"].clone(), got["complete_frames"].clone(), wrong);
    }
}

fn counts(want: &Value, got: &Value, wrong: &mut Vec<String>) {
    same("calls", want["toolCallBlocks"].clone(), list(got, "calls").len(), wrong);
    let approvals = list(got, "approvals");
    let asked = count(approvals, |approval| !approval["asked_seq"].is_null());
    same("approvals asked", want["approvalsAsked"].clone(), asked, wrong);
    let outcomes = tally(approvals.iter().map(|approval| &approval["outcome"]));
    same("approval outcomes", want["approvalOutcomes"].clone(), outcomes, wrong);
    let commands = list(got, "commands");
    same("commands", list(want, "commands").len(), commands.len(), wrong);
    let done = count(commands, |command| !command["done_seq"].is_null());
    same("commands done", want["commandDone"].clone(), done, wrong);
    let retry = |retry: &Value| json!([retry["turn"], retry["step"], retry["retry"], retry["code"]]);
    let wanted: Vec<Value> = list(want, "llmRetries").iter().map(retry).collect();
    let found: Vec<Value> = list(got, "retries").iter().map(retry).collect();
    same("retries", wanted, found, wrong);
    let turns = list(got, "turns");
    same("turns", want["turns"].clone(), turns.len(), wrong);
    let ends = tally(turns.iter().map(|turn| &turn["state"]).filter(|state| *state != "open"));
    same("turn ends", want["turnEnds"].clone(), ends, wrong);
    let nested = list(got, "sub_calls");
    let started = count(nested, |sub| !sub["start_seq"].is_null());
    let settled = count(nested, |sub| !sub["settle_seq"].is_null());
    same("sub_calls started", want["nestedCalls"]["started"].clone(), started, wrong);
    same("sub_calls settled", want["nestedCalls"]["settled"].clone(), settled, wrong);
}

fn class(want: &Value) -> &'static str {
    match want.as_str() {
        Some("TOOL_OUTCOME_UNKNOWN") => "outcome_unknown",
        Some("TOOL_NOT_STARTED") => "not_started",
        _ => "?",
    }
}

fn recovery(want: &Value, got: &Value, wrong: &mut Vec<String>) {
    let unpaired = list(want, "unpairedAtEndOfFile");
    let wanted: Vec<Value> =
        unpaired.iter().map(|call| json!([call["callId"], class(&call["class"]), call["toolCallSeq"]])).collect();
    let ids = list(got, "unpaired_calls");
    let found = list(got, "calls").iter().filter(|call| call["basis"] == "inferred" && ids.contains(&call["callId"]));
    let found: Vec<Value> = found.map(|call| json!([call["callId"], call["state"], call["call_seq"]])).collect();
    same("unpaired", wanted, found, wrong);
    let resume = list(got, "resume");
    same("resume", want["repairEventsUpstreamWouldAppend"].clone(), resume.len(), wrong);
    let wanted: Vec<Value> = unpaired.iter().map(|call| json!([call["callId"], call["class"]])).collect();
    let results = resume.iter().filter(|record| record["type"] == "tool/result");
    let found: Vec<Value> = results.map(|record| json!([record["callId"], record["code"]])).collect();
    same("resume, results", wanted, found, wrong);
    if want["repairEventsUpstreamWouldAppend"] != 0 {
        same("resume, last", "turn/end", resume.last().map_or(Value::Null, |record| record["type"].clone()), wrong);
    }
    let closed =
        count(list(got, "calls"), |call| matches!(call["basis"].as_str(), Some("recorded" | "result after recovery")));
    same("calls closed by recovery", list(want, "repairedResultsInFile").len(), closed, wrong);
    let harness = &want["harnessBackend"];
    if !harness["loads"].is_null() {
        same("loader", harness["loads"].clone(), got["loader"]["result"] != "refuses", wrong);
    }
    if let Some(after) = harness["eventsAfterRepairInMemory"].as_u64() {
        let added = want["repairEventsUpstreamWouldAppend"].as_u64().unwrap_or(0);
        same("loader.kept_events", after - added, got["loader"]["kept_events"].clone(), wrong);
    }
}

fn usage(want: &Value, got: &Value, wrong: &mut Vec<String>) {
    let usage = &got["usage"];
    let inherited = want["seedLength"].as_u64().unwrap_or(0);
    same("usage.inherited_events", inherited, usage["inherited_events"].clone(), wrong);
    let chunks = want["chunkTypes"]["usage"].as_u64().unwrap_or(0);
    same("usage.requests_in_file", chunks, usage["requests_in_file"].clone(), wrong);
    let said = &want["usageOnAssistantMessages"];
    // Where an attempt failed after it had reported its usage, the sums differ.
    if said["messages"] == chunks {
        for key in ["inputTokens", "outputTokens", "cacheReadTokens"] {
            same(key, said[key].clone(), usage["in_file"][key].clone(), wrong);
        }
    }
}

/// Migrated logs of version 1 and later: counts that the published codec found.
fn migrated(want: &Value, got: &Value, wrong: &mut Vec<String>) {
    let wanted = json!({
        "events": want["events"], "seq": { "status": "contiguous", "last": want["maxSeq"] }, "lines": want["physicalLines"],
        "format": { "version": want["formatVersion"] }, "event_types": want["eventTypes"], "header": want["header"],
    });
    differs(&wanted, got, "facts", wrong);
    let calls = list(got, "calls");
    let ends: Vec<Value> =
        list(got, "turns").iter().map(|turn| turn["state"].clone()).filter(|state| *state != "open").collect();
    let found = [
        ("toolCallBlocks", json!(calls.len())),
        ("durableToolCalls", json!(count(calls, |call| !call["call_seq"].is_null()))),
        ("approvalsAsked", json!(list(got, "approvals").len())),
        ("llmRetries", json!(list(got, "retries").len())),
        ("turnEnds", json!(ends)),
        ("inheritedEventCount", got["usage"]["inherited_events"].clone()),
    ];
    for (key, found) in found {
        if !want[key].is_null() {
            same(key, want[key].clone(), found, wrong);
        }
    }
}
