//! Logs that no harness writes, chosen by bytes: sound events in any order, between records of known types with any
//! values in their fields.

use serde_json::{Map, Value, json};

use crate::support::writer::Script;

/// Lines of a log at most: what goes wrong goes wrong with few, and each log is judged several times.
const MOST_LINES: usize = 120;

/// The lines of a log.
pub fn log(bytes: &[u8]) -> Vec<String> {
    let mut choices = Choices(bytes);
    let version = choices.below(8) as i64;
    let mut script = if version < 5 { Script::new(version) } else { Script::without_header(0) };
    if version >= 5 {
        script.raw(&header(&mut choices));
    }
    while !choices.0.is_empty() && script.lines().len() < MOST_LINES {
        add(&mut choices, &mut script);
    }
    script.lines().to_vec()
}

/// Adds one event or a few that belong together.
fn add(choices: &mut Choices, script: &mut Script) {
    let id = pick(choices, &["call_1", "call_2", "call_3", ""]);
    match choices.below(24) {
        0 => script.turn(),
        1 => script.step(),
        2 => script.end_step(),
        3 => script.end_turn(pick(choices, &["completed", "interrupted", "error", "aborted"])),
        4 => script.fail("AUTHENTICATION"),
        5 => script.user("Go on."),
        6 => script.ask(&[(id, "bash", "{}")]),
        7 => script.ask(&[(id, "bash", "{\"command\":"), ("call_2", "read", "{}"), ("call_2", "write", "")]),
        8 => script.call(id, pick(choices, &["bash", "read", ""]), "{}"),
        9 => script.result(id, "text", [None, Some("TIMEOUT"), Some("TOOL_NOT_STARTED")][choices.below(3)]),
        10 => script.recover(id, choices.below(2) == 0),
        11 => script.sub_call(id, choices.below(3) as u32, (choices.below(2) == 0).then_some("text")),
        12 => script.approval(id, [None, Some("allowed-once"), Some("rejected")][choices.below(3)]),
        13 => script.command("plan", choices.below(2) == 0),
        14 => script.retry("RATE_LIMITED"),
        15 => script.stream(&["a", "", "\u{1b}b"]),
        16 => script.usage(9, 3),
        17 => script.declare(&["bash", "read"]),
        18 => script.jump_to([0, 3, -1, 1 << 53][choices.below(4)]),
        19 => script.wait([-900, 5_000, 1 << 50][choices.below(3)]),
        20 => script.chunk(value(choices, 0)),
        _ => {
            let seq = script.lines().len() as i64;
            script.raw(&line(choices, seq));
        }
    }
}

/// Bytes that decide; when they are used up, each choice is the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    /// A number below `sides`, which is 1 to 256.
    fn below(&mut self, sides: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % sides
    }
}

/// Types that judgements look at, and some that nobody knows.
const TYPES: [&str; 40] = [
    "turn/start",
    "turn/end",
    "step/start",
    "step/end",
    "user/message",
    "assistant/message",
    "assistant/chunk",
    "assistant/attempt",
    "tool/call",
    "tool/result",
    "tool/code-dispatch-start",
    "tool/code-dispatch",
    "tool/ptc-dispatch-start",
    "tool/ptc-dispatch",
    "request/header",
    "request/context",
    "session/end-seed",
    "session/title",
    "approval/asked",
    "approval/decided",
    "approval/policy",
    "sandbox/mode",
    "plan/mode",
    "permission/preset",
    "hook/invoked",
    "hook/result",
    "command/run",
    "command/done",
    "compaction/start",
    "compaction/end",
    "compaction/summary",
    "llm/retry",
    "llm/retry-started",
    "developer/message",
    "text-chunks",
    "tool-call-chunks",
    "reasoning-chunks",
    "system/message",
    "acme/other",
    "",
];

/// Keys of all kinds of records.
const KEYS: [&str; 46] = [
    "turn",
    "step",
    "callId",
    "name",
    "arguments",
    "message",
    "content",
    "type",
    "id",
    "text",
    "role",
    "source",
    "kind",
    "isError",
    "error",
    "code",
    "reason",
    "failure",
    "stream",
    "chunk",
    "usage",
    "inputTokens",
    "outputTokens",
    "index",
    "dt",
    "texts",
    "args",
    "retryId",
    "retry",
    "maxRetries",
    "delayMs",
    "outcome",
    "toolName",
    "policy",
    "mode",
    "commandId",
    "toolCallId",
    "rootCallId",
    "parentCallId",
    "subCallId",
    "header",
    "tools",
    "inherited",
    "title",
    "compactionId",
    "active",
];

fn pick<'a>(choices: &mut Choices, all: &[&'a str]) -> &'a str {
    all[choices.below(all.len())]
}

fn number(choices: &mut Choices) -> Value {
    let numbers = [0, 1, 2, 3, -1, 7, 1 << 53, -(1 << 53), i64::MAX, i64::MIN, i64::MIN + 1];
    match choices.below(14) {
        0 => json!(u64::MAX),
        1 => json!(1e300),
        2 => json!(-0.0),
        at => json!(numbers[at - 3]),
    }
}

fn text(choices: &mut Choices) -> Value {
    let texts = [
        "",
        "a",
        "call_1",
        "bash",
        "error",
        "completed",
        "interrupted",
        "tool-call",
        "tool-result",
        "text",
        "usage",
        "finish",
        "TOOL_NOT_STARTED",
        "TOOL_OUTCOME_UNKNOWN",
        "rejected",
        "never",
        "\u{1b}[31m",
        "\u{202e}x",
        "user",
    ];
    json!(pick(choices, &texts))
}

fn value(choices: &mut Choices, depth: u32) -> Value {
    match choices.below(if depth > 3 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => json!(choices.below(2) == 0),
        2 => number(choices),
        3 | 4 => text(choices),
        5 => (0..choices.below(4)).map(|_| value(choices, depth + 1)).collect(),
        _ => object(choices, depth + 1),
    }
}

fn object(choices: &mut Choices, depth: u32) -> Value {
    let mut map = Map::new();
    for _ in 0..choices.below(9) {
        // Numbers and texts stand where they belong more often than not, so that records get past the first check.
        let key = pick(choices, &KEYS);
        let value = match key {
            "turn" | "step" | "retry" | "delayMs" | "index" if choices.below(5) > 0 => json!(choices.below(3)),
            "callId" | "id" | "toolCallId" | "rootCallId" | "retryId" | "commandId" if choices.below(5) > 0 => {
                text(choices)
            }
            _ => value(choices, depth + 1),
        };
        map.insert(key.to_owned(), value);
    }
    Value::Object(map)
}

fn line(choices: &mut Choices, seq: i64) -> String {
    let kind = pick(choices, &TYPES);
    let mut record = json!({ "type": kind, "data": object(choices, 0) });
    let (seq_key, time_key) = if kind.ends_with("-chunks") { ("seq0", "time0") } else { ("seq", "time") };
    record[seq_key] = if choices.below(8) > 0 { json!(seq) } else { number(choices) };
    record[time_key] = if choices.below(8) > 0 { json!(1_790_000_000_000 + seq) } else { number(choices) };
    for key in ["surfaceOp", "sourceEventSeqs", "ignorable"] {
        if choices.below(6) == 0 {
            record[key] = value(choices, 2);
        }
    }
    if choices.below(3) == 0 {
        record["surfaceOp"] = json!("append");
    }
    record.to_string()
}

fn header(choices: &mut Choices) -> String {
    let mut header = json!({
        "type": "session", "version": choices.below(7), "id": text(choices), "createdAt": number(choices),
        "delegationDepth": choices.below(3), "seedLength": number(choices), "isSeeded": choices.below(2) == 0,
    });
    for key in ["seedLength", "isSeeded", "version", "delegationDepth"] {
        if choices.below(3) == 0 {
            header.as_object_mut().and_then(|header| header.remove(key));
        }
    }
    header.to_string()
}
