//! Records that no harness writes: known types with any values in their fields, in any order.

use serde_json::{Map, Value, json};

use crate::support::agree::contract;
use crate::support::reading::{NAME, print_all, read, report};
use crate::support::writer::{Dice, frame};

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

fn pick<'a>(dice: &mut Dice, all: &[&'a str]) -> &'a str {
    all[dice.below(all.len())]
}

fn number(dice: &mut Dice) -> Value {
    let numbers = [0, 1, 2, 3, -1, 7, 1 << 53, -(1 << 53), i64::MAX, i64::MIN, i64::MIN + 1];
    match dice.below(14) {
        0 => json!(u64::MAX),
        1 => json!(1e300),
        2 => json!(-0.0),
        at => json!(numbers[at - 3]),
    }
}

fn text(dice: &mut Dice) -> Value {
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
    json!(pick(dice, &texts))
}

fn value(dice: &mut Dice, depth: u32) -> Value {
    match dice.below(if depth > 3 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => json!(dice.below(2) == 0),
        2 => number(dice),
        3 | 4 => text(dice),
        5 => (0..dice.below(4)).map(|_| value(dice, depth + 1)).collect(),
        _ => object(dice, depth + 1),
    }
}

fn object(dice: &mut Dice, depth: u32) -> Value {
    let mut map = Map::new();
    for _ in 0..dice.below(9) {
        // Numbers and texts stand where they belong more often than not, so that records get past the first check.
        let key = pick(dice, &KEYS);
        let value = match key {
            "turn" | "step" | "retry" | "delayMs" | "index" if dice.below(5) > 0 => json!(dice.below(3)),
            "callId" | "id" | "toolCallId" | "rootCallId" | "retryId" | "commandId" if dice.below(5) > 0 => text(dice),
            _ => value(dice, depth + 1),
        };
        map.insert(key.to_owned(), value);
    }
    Value::Object(map)
}

fn line(dice: &mut Dice, seq: i64) -> String {
    let kind = pick(dice, &TYPES);
    let mut record = json!({ "type": kind, "data": object(dice, 0) });
    let (seq_key, time_key) = if kind.ends_with("-chunks") { ("seq0", "time0") } else { ("seq", "time") };
    record[seq_key] = if dice.below(8) > 0 { json!(seq) } else { number(dice) };
    record[time_key] = if dice.below(8) > 0 { json!(1_790_000_000_000 + seq) } else { number(dice) };
    for key in ["surfaceOp", "sourceEventSeqs", "ignorable"] {
        if dice.below(6) == 0 {
            record[key] = value(dice, 2);
        }
    }
    if dice.below(3) == 0 {
        record["surfaceOp"] = json!("append");
    }
    format!("{record}\n")
}

fn header(dice: &mut Dice) -> String {
    let mut header = json!({
        "type": "session", "version": dice.below(7), "id": text(dice), "createdAt": number(dice),
        "delegationDepth": dice.below(3), "seedLength": number(dice), "isSeeded": dice.below(2) == 0,
    });
    for key in ["seedLength", "isSeeded", "version", "delegationDepth"] {
        if dice.below(3) == 0 {
            header.as_object_mut().and_then(|header| header.remove(key));
        }
    }
    format!("{header}\n")
}

#[test]
fn records_with_any_values_are_judged_without_a_panic() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let mut lines = vec![header(&mut dice)];
        lines.extend((0..40).map(|seq| line(&mut dice, seq)));
        let plain = print_all(&read(lines.concat().as_bytes(), NAME));
        let wrong = contract(&plain);
        assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
        let frames: Vec<u8> = lines.iter().flat_map(|line| frame(line.as_bytes())).collect();
        let zstd = report(&read(&frames, NAME));
        for key in ["calls", "approvals", "events", "usage", "turns", "open_pairs", "stopped", "header"] {
            assert_eq!(plain[key], zstd[key], "seed {seed}: {key}");
        }
    }
}
