//! Screens of what no log of `tests/cases` shows: logs of the tests' own writer under the pages, at two sizes.

use std::fmt::Write;

use serde_json::{Value, json};
use trajview::text::locale::Language;

use super::lineage::stage_in;
use super::screens::keep;
use super::support::kin::Fate;
use super::support::stage::Stage;
use super::support::writer::Script;

/// Columns and rows that have room for everything, and the usual ones.
const SIZES: [(u16, u16); 2] = [(140, 45), (80, 24)];

/// Compares a log under keys, at both sizes, with the file `NAME.snap`.
fn compare(name: &str, log: &Script, keys: &[&str]) {
    let mut screens = String::new();
    for keys in keys {
        for (columns, rows) in SIZES {
            let mut stage = Stage::open(log.plain(), "session.jsonl", columns, rows);
            stage.press(keys);
            writeln!(screens, "== {columns}x{rows}   keys: {keys}\n{}", stage.text()).expect("a string takes all");
        }
    }
    keep(name, &screens);
}

fn begun() -> Script {
    let mut script = Script::new(0);
    script.turn();
    script.step();
    script
}

#[test]
fn originals_rewritten() {
    let mut script = begun();
    script.user("Read the ledger.\n\nThen sum it up.");
    let read = r#"{"path":"ledger.csv"}"#;
    script.ask(&[("call_r", "read", read)]);
    script.call("call_r", "read", read);
    let rows = |to: u32| (0..to).map(|n| format!("row {n}: 12.00\n")).collect::<Vec<_>>().concat();
    script.result("call_r", &rows(40), None);
    let message = |id: &str, text: &str, source: Value| {
        let content = json!([{ "type": "text", "text": text }]);
        json!({ "id": id, "role": "user", "content": content, "source": source })
    };
    let pruned = json!([{ "type": "tool-result", "toolCallId": "call_r",
        "content": [{ "type": "text", "text": format!("{}[...]\nrow 39: 12.00\n", rows(3)) }] }]);
    script.add("compaction/prune", json!({ "shadowedRange": { "start": 5, "end": 5 }, "shadowedSeqs": [5] }));
    let shorter =
        json!({ "id": "r2", "role": "user", "source": { "kind": "tool", "callId": "call_r" }, "content": pruned });
    let keys = json!({ "surfaceOp": { "op": "replace", "start": 5, "end": 5 }, "sourceEventSeqs": [5] });
    script.event("tool/result", json!({ "turn": 1, "step": 1, "message": shorter }), &keys);
    script.add("compaction/start", json!({ "compactionId": "k", "turn": 1 }));
    let shadowed = json!({ "compactionId": "k", "shadowedRange": { "start": 2, "end": 7 }, "shadowedSeqs": [2, 3, 7] });
    script.add("compaction/summary", shadowed);
    let summary = message("s", "Read the ledger.\nIt has 40 rows of 12.00.", json!({ "kind": "compaction" }));
    script.event("user/message", summary, &json!({ "surfaceOp": { "op": "replace", "start": 2, "end": 7 } }));
    script.add("compaction/end", json!({ "compactionId": "k" }));
    let prompt = |text: &str| json!({ "role": "user", "content": [{ "type": "text", "text": text }] });
    let put = |start: u32, text: &str| json!({ "target": "next-turn", "start": start, "inserted": [prompt(text)] });
    script.add("agent/inbox/spliced", put(0, "Stop that."));
    script.add("agent/inbox/spliced", put(1, "And mail it\u{1b}[2J."));
    let cancelled =
        json!({ "target": "next-turn", "start": 0, "removedCount": 1, "inserted": [], "outcome": "canceled" });
    script.add("agent/inbox/spliced", cancelled);
    script.add("session-log-deepseek/delivery-accepted", json!({ "throughSeq": 9, "sessionFormatVersion": 3 }));
    compare("originals_rewritten", &script, &["O", "OG"]);
}

#[test]
fn changes_of_sub_calls() {
    let mut script = begun();
    let code = r#"{"code":"await tools.edit()"}"#;
    script.ask(&[("call_p", "run_code", code)]);
    script.call("call_p", "run_code", code);
    let calls = [
        ("edit", json!({ "file_path": "src/cart.js", "old_string": "let total = 0", "new_string": "let cents = 0" })),
        ("write", json!({ "file_path": "notes.md", "content": "# Notes\n\nAll amounts are cents.\n" })),
        ("bash", json!({ "command": "npm test" })),
        ("edit", json!(["\u{202e}no object"])),
    ];
    for (n, (name, arguments)) in calls.into_iter().enumerate() {
        let mut data = json!({ "rootCallId": "call_p", "parentCallId": "call_p", "subCallId": format!("call_p:code:{n}"),
            "name": name, "arguments": arguments });
        script.add("tool/code-dispatch-start", data.clone());
        data["isError"] = json!(n == 3);
        data["content"] = json!([]);
        script.add("tool/code-dispatch", data);
    }
    script.result("call_p", "done", None);
    compare("changes_of_sub_calls", &script, &["D", "5GLL"]);
}

#[test]
fn unpaired_of_every_kind() {
    let mut script = begun();
    script
        .add("hook/invoked", json!({ "turn": 1, "point": "PreToolUse", "handlerId": "#1", "dialect": "claude-code" }));
    script.add("compaction/start", json!({ "compactionId": "k", "turn": 1 }));
    script.add("tool-workflow/run-start", json!({ "runId": "w", "name": "two-greetings" }));
    script.retry("RATE_LIMIT");
    script.command("compact", false);
    let make = r#"{"command":"make deploy"}"#;
    script.ask(&[("call_1", "bash", make), ("call_2", "read", r#"{"path":"a"}"#)]);
    script.call("call_1", "bash", make);
    script.approval("call_1", None);
    let prompt = json!({ "role": "user", "content": [{ "type": "text", "text": "Are you there?" }] });
    script.add("agent/inbox/spliced", json!({ "target": "next-turn", "start": 0, "inserted": [prompt] }));
    compare("unpaired_of_every_kind", &script, &["U", "T", "gg]u]u", "C"]);
}

#[test]
fn tools_that_nobody_meant() {
    let mut script = begun();
    script.declare(&["bash", "read"]);
    script.declare(&["bash", "grep", "mcp__mail__send", "mcp__mail__\u{200b}read"]);
    let mail = r#"{"to":"\u202eall"}"#;
    script.ask(&[("call_m", "mcp__mail__send", mail), ("call_x", "undeclared_tool", "{}")]);
    script.call("call_m", "mcp__mail__send", mail);
    compare("tools_that_nobody_meant", &script, &["P", "T"]);
}

#[test]
fn arguments_with_hidden_characters() {
    let mut script = begun();
    let hidden = "{\"command\":\"echo p\u{430}ypal \u{202e}gnp.exe\u{200b}\\u001b[31m\"}";
    script.ask(&[("call_h", "bash", hidden)]);
    script.call("call_h", "bash", &hidden.replace("gnp", "txt"));
    let reason = json!({ "id": "q", "toolName": "bash", "callId": "call_h", "reason": "needs \u{2066}root\u{200d}" });
    script.add("approval/asked", reason);
    compare("arguments_with_hidden_characters", &script, &["3G<Enter>++", "3GLLL", "A"]);
}

#[test]
fn a_model_that_says_nothing() {
    let mut script = begun();
    for code in ["RATE_LIMIT", "TRANSPORT"] {
        script.stream(&["I ", "will ", "look"]);
        script.usage(40, 4);
        script.retry(code);
    }
    script.stream(&["I ", "was ", "cut"]);
    script.fail("CONTENT_FILTER");
    compare("a_model_that_says_nothing", &script, &["R", "W", "T"]);
}

#[test]
fn a_family_that_waits() {
    let mut screens = String::new();
    for keys in ["U", "3Gb", "4Gba", "4Gbar"] {
        for (columns, rows) in SIZES {
            let mut stage = stage_in(Language::English, Fate::Killed, columns, rows);
            stage.press(keys);
            writeln!(screens, "== {columns}x{rows}   keys: {keys}\n{}", stage.text()).expect("a string takes all");
        }
    }
    keep("a_family_that_waits", &screens);
}
