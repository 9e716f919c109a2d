//! What happens in the sample: an export is repaired, a push is declined, a deployment breaks off. All of it is made up.

use serde_json::{Value, json};

use super::scribe::{Block, MODEL, PROVIDER, Place, Scribe};

/// Id of the session.
pub const SESSION: &str = "session-6f1d2c58-70b4-4e39-9a6d-2b8e5c0f41a7";

/// The call that started and has no result.
pub const UNKNOWN: &str = "call_00_d41k";

/// The call that was asked for and never started.
pub const NOT_STARTED: &str = "call_01_m2vq";

const CWD: &str = "/home/mira/ledger-api";

/// The text of each frame of the sample.
pub fn frames() -> Vec<String> {
    let mut log = Scribe::begin(SESSION, CWD, "ptc");
    log.wait(180);
    log.log("permission/preset", json!({ "preset": "workspace-write" }));
    log.log("sandbox/mode", json!({ "mode": "workspace-write" }));
    log.log("approval/policy", json!({ "policy": "ask" }));
    log.flush();
    log.wait(14_200);
    repair(&mut log);
    log.wait(96_000);
    push(&mut log);
    log.wait(41_000);
    permission(&mut log);
    log.wait(18_300);
    deploy(&mut log);
    log.end()
}

fn tools() -> Value {
    let tool = |name: &str, about: &str, keys: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            keys.iter().map(|key| ((*key).to_owned(), json!({ "type": "string" }))).collect();
        json!({
            "name": name, "description": about,
            "parameters": { "type": "object", "properties": properties, "required": keys },
        })
    };
    json!([
        tool("bash", "Runs a command in a fresh shell.", &["command", "description"]),
        tool("read", "Reads a text file.", &["file_path"]),
        tool("edit", "Replaces text in a file.", &["file_path", "old_string", "new_string"]),
        tool("write", "Writes a file.", &["file_path", "content"]),
        tool("grep", "Searches files for a pattern.", &["pattern", "path"]),
        tool("todo_write", "Keeps the list of things to do.", &["todos"]),
        tool("run_code", "Runs a program that may call the other tools.", &["code"]),
        tool("mcp__ledger__schema", "Describes a table of the ledger database.", &["table"]),
    ])
}

/// What the first step of a session adds: prompt, context, title, header.
fn opening(log: &mut Scribe, at: Place, prompt: Value) {
    let system = "You are a careful coding agent. Work in /home/mira/ledger-api. Read before you edit, test before you \
                  report, and ask before anything leaves this machine.";
    let message = json!({
        "id": log.id(), "role": "system", "source": { "kind": "system-prompt" },
        "content": [{ "type": "text", "text": system }],
    });
    log.surface("system/message", json!({ "turn": at.turn, "step": at.step, "message": message }), &[]);
    let prompt = log.prompt(prompt);
    let policy = "The workspace may be written; everything else needs an approval.";
    let context = json!({
        "id": log.id(), "role": "user", "content": [{ "type": "text", "text": policy }],
        "source": { "kind": "runtime-context", "form": "snapshot",
            "sections": [{ "name": "sandbox:policy", "text": policy }] },
    });
    log.surface("user/message", context, &[]);
    let title = json!({
        "title": "The March invoice export dies", "messageSeqs": [prompt], "source": { "kind": "fallback" },
    });
    log.log("session/title", title);
    let header = json!({
        "config": { "provider": PROVIDER, "model": MODEL, "reasoningEffort": "high", "maxTokens": 65536 },
        "tools": tools(),
    });
    log.log("request/header", json!({ "header": header, "reason": "initial" }));
    log.log("request/context", json!({ "provider": PROVIDER, "model": MODEL, "contextWindow": 1_000_000 }));
    log.flush();
    log.wait(840);
}

/// Turn 1: the export is read, measured, changed and tested.
fn repair(log: &mut Scribe) {
    let ask = "The March invoice export dies with “heap out of memory”. Please find out why and fix it.";
    let prompt = log.turn(1, ask);
    let at = Place { turn: 1, step: 1 };
    log.step(at);
    opening(log, at, prompt);
    look(log, at);
    let at = Place { turn: 1, step: 2 };
    log.step(at);
    measure(log, at);
    let at = Place { turn: 1, step: 3 };
    log.step(at);
    change(log, at);
    let at = Place { turn: 1, step: 4 };
    log.step(at);
    test(log, at);
    let at = Place { turn: 1, step: 5 };
    log.step(at);
    log.wait(700);
    let done = "The export built the whole month as one string before it sent a byte. It now streams row by row: March \
                needs 41 MiB instead of 1.9 GiB. All 14 tests pass, one of them holds the memory down.";
    log.answer(at, &[Block::Text(done)], 1_207, 9_984);
    log.step_end(at);
    log.turn_end(1);
    let mark = json!({ "sessionId": SESSION, "throughSeq": 20, "sessionFormatVersion": 4 });
    log.log("session-log-deepseek/delivery-accepted", mark);
    log.flush();
}

/// Three calls at once; the fast ones wait for the slow one before them.
fn look(log: &mut Scribe, at: Place) {
    let thinking = "An export that runs out of memory probably collects everything first. Look at the writer, at who \
                    calls it, and at how wide a row is.";
    let grep = Block::Call("call_00_p7xt", "grep", r#"{"pattern":"exportInvoices","path":"src"}"#);
    let read = Block::Call("call_01_w0sj", "read", r#"{"file_path":"src/export/csv.ts"}"#);
    let schema = Block::Call("call_02_e9bn", "mcp__ledger__schema", r#"{"table":"invoices"}"#);
    log.answer(at, &[Block::Reasoning(thinking), grep, read, schema], 2_311, 0);
    let [grep, read, schema] = [
        Block::Call("call_00_p7xt", "grep", r#"{"pattern":"exportInvoices","path":"src"}"#),
        Block::Call("call_01_w0sj", "read", r#"{"file_path":"src/export/csv.ts"}"#),
        Block::Call("call_02_e9bn", "mcp__ledger__schema", r#"{"table":"invoices"}"#),
    ];
    let started = [log.call(at, &grep), log.call(at, &read), log.call(at, &schema)];
    log.wait(212);
    let found = "src/export/csv.ts:12: export async function exportInvoices(month: string)\n\
                 src/routes/exports.ts:31:   const csv = await exportInvoices(params.month)";
    let files = json!([
        { "path": "src/export/csv.ts", "matches": [
            { "lineNumber": 12, "line": "export async function exportInvoices(month: string)" }] },
        { "path": "src/routes/exports.ts", "matches": [
            { "lineNumber": 31, "line": "  const csv = await exportInvoices(params.month)" }] },
    ]);
    let meta = json!({ "shape": "matches", "files": files, "truncated": false, "total": 2 });
    log.result(at, (&grep, started[0]), found, false, &[("meta", meta)]);
    let text: Vec<String> = BEFORE.iter().enumerate().map(|(at, line)| format!("{}: {line}", at + 12)).collect();
    let lines: Vec<Value> =
        BEFORE.iter().enumerate().map(|(at, line)| json!({ "number": at + 12, "text": line })).collect();
    let meta = json!({ "path": format!("{CWD}/src/export/csv.ts"), "offset": 12, "lines": lines, "totalLines": 19, "lang": "ts", });
    log.result(at, (&read, started[1]), &text.join("\n"), false, &[("meta", meta)]);
    let schema_text = "invoices: id uuid, number text, customer text (e.g. 株式会社ひかり), net numeric, lines jsonb";
    log.result(at, (&schema, started[2]), schema_text, false, &[]);
    log.step_end(at);
    log.wait(30);
}

const BEFORE: [&str; 8] = [
    "export async function exportInvoices(month: string) {",
    "  const rows = await db.invoices.forMonth(month)",
    "  let csv = HEADER",
    "  for (const row of rows) {",
    "    csv += toLine(row)",
    "  }",
    "  return csv",
    "}",
];

const AFTER: [&str; 6] = [
    "export async function* exportInvoices(month: string) {",
    "  yield HEADER",
    "  for await (const row of db.invoices.cursor(month)) {",
    "    yield toLine(row)",
    "  }",
    "}",
];

/// A program of the model that calls tools itself.
fn measure(log: &mut Scribe, at: Place) {
    log.wait(620);
    let arguments = json!({ "code":
        "const rows = await tools.bash({command: 'wc -l < fixtures/2026-03.csv'})\n\
         const size = await tools.bash({command: 'du -h fixtures/2026-03.csv'})\nreturn {rows, size}" })
    .to_string();
    let code = Block::Call("call_00_z5gu", "run_code", &arguments);
    let thinking = "How large is March really?";
    let both = [Block::Reasoning(thinking), Block::Call("call_00_z5gu", "run_code", &arguments)];
    log.answer(at, &both, 1_940, 2_304);
    let started = log.call(at, &code);
    for (number, command, output) in
        [(1, "wc -l < fixtures/2026-03.csv", "418220"), (2, "du -h fixtures/2026-03.csv", "96M")]
    {
        let mut part = json!({
            "rootCallId": "call_00_z5gu", "parentCallId": "call_00_z5gu",
            "subCallId": format!("call_00_z5gu:ptc:{number}"), "name": "bash",
            "arguments": { "command": command },
        });
        log.log("tool/ptc-dispatch-start", part.clone());
        log.wait(64);
        part["isError"] = json!(false);
        part["content"] = json!([{ "type": "text", "text": output }]);
        log.log("tool/ptc-dispatch", part);
    }
    log.result(at, (&code, started), r#"{"rows":"418220","size":"96M"}"#, false, &[]);
    log.step_end(at);
    log.wait(24);
}

/// An edit with its hunk, and a file that is created.
fn change(log: &mut Scribe, at: Place) {
    log.wait(540);
    let path = "src/export/csv.ts";
    let edit = json!({ "file_path": path, "old_string": BEFORE.join("\n"), "new_string": AFTER.join("\n") });
    let spec = "import { exportInvoices } from '../src/export/csv'\n\ntest('March fits into 64 MiB', async () => {\n  \
                for await (const _ of exportInvoices('2026-03')) {}\n  \
                expect(process.memoryUsage().heapUsed).toBeLessThan(64 << 20)\n})\n";
    let write = json!({ "file_path": "test/export-memory.test.ts", "content": spec });
    let (edit, write) = (edit.to_string(), write.to_string());
    let text = Block::Text("The month is joined into one string. I let it stream instead, and add a test for that.");
    let blocks = [text, Block::Call("call_00_k8ro", "edit", &edit), Block::Call("call_01_c6yd", "write", &write)];
    log.answer(at, &blocks, 1_118, 4_224);
    let [_, edit, write] = &blocks;
    let started = [log.call(at, edit), log.call(at, write)];
    log.wait(18);
    let diffs = json!([{ "path": path, "oldText": BEFORE.join("\n"), "newText": AFTER.join("\n") }]);
    log.result(at, (edit, started[0]), "src/export/csv.ts was changed", false, &[("meta", json!({ "diffs": diffs }))]);
    let meta = json!({ "diffs": [], "operation": "create" });
    log.result(at, (write, started[1]), "test/export-memory.test.ts was created", false, &[("meta", meta)]);
    log.step_end(at);
    log.wait(28);
}

/// A command that a person allows.
fn test(log: &mut Scribe, at: Place) {
    log.wait(480);
    let arguments = r#"{"command":"npm test -- export","description":"Run the export tests"}"#;
    let blocks = [Block::Call("call_00_h3aw", "bash", arguments)];
    log.answer(at, &blocks, 902, 5_888);
    let started = log.call(at, &blocks[0]);
    log.approval(&blocks[0], "the test runner writes to /tmp", 6_412, "allowed-once");
    log.wait(9_730);
    let output = "\u{1b}[32m✓\u{1b}[0m 14 passed (14)\n  export-memory.test.ts  March fits into 64 MiB  8.9 s\n";
    log.result(at, (&blocks[0], started), output, false, &[]);
    log.step_end(at);
    log.wait(22);
}

/// Turn 2: the model fails once, then a push is declined.
fn push(log: &mut Scribe) {
    let prompt = log.turn(2, "Good. Commit it and push to main.");
    let at = Place { turn: 2, step: 1 };
    log.step(at);
    log.prompt(prompt);
    log.flush();
    log.wait(910);
    let failure = json!({ "message": "the upstream closed the stream", "code": "UNAVAILABLE", "status": 503 });
    log.broken_attempt(at, "I commit the chan", &failure);
    let retry = log.id();
    log.log(
        "llm/retry",
        json!({
            "retryId": retry, "turn": 2, "step": 1, "provider": PROVIDER, "mode": "normal", "policyKey": "server-error",
            "retry": 1, "maxRetries": 5, "delayMs": 500, "failure": failure,
        }),
    );
    log.wait(500);
    log.log("llm/retry-started", json!({ "retryId": retry, "turn": 2, "step": 1, "retry": 1 }));
    log.flush();
    log.wait(760);
    let commit =
        r#"{"command":"git commit -qam 'Stream the invoice export'; git log -1 --format=%h","description":"Commit"}"#;
    let push = r#"{"command":"git push origin main","description":"Push to main"}"#;
    let blocks = [Block::Call("call_00_b1zf", "bash", commit), Block::Call("call_01_t9lc", "bash", push)];
    log.answer(at, &blocks, 640, 6_912);
    let started = log.call(at, &blocks[0]);
    log.wait(88);
    log.result(at, (&blocks[0], started), "4e1f2c9", false, &[]);
    let started = log.call(at, &blocks[1]);
    let handler = "claude-code:PreToolUse:1";
    log.log(
        "hook/invoked",
        json!({
            "turn": 2, "point": "PreToolUse", "dialect": "claude-code", "matcher": "bash", "handlerId": handler,
        }),
    );
    log.wait(41);
    log.log("hook/result", json!({
        "turn": 2, "point": "PreToolUse", "handlerId": handler, "decision": "ask", "exitCode": 0, "durationMs": 41.3,
    }));
    log.approval(&blocks[1], "git push leaves this machine", 21_850, "rejected");
    log.result(at, (&blocks[1], started), "The person declined this call.", true, &[]);
    log.step_end(at);
    let at = Place { turn: 2, step: 2 };
    log.step(at);
    log.wait(690);
    let text = "Committed as 4e1f2c9. It is not pushed: you declined that.";
    log.answer(at, &[Block::Text(text)], 388, 7_424);
    log.step_end(at);
    log.turn_end(2);
}

/// A slash command between the turns.
fn permission(log: &mut Scribe) {
    let command = log.id();
    log.log(
        "command/run",
        json!({
            "commandId": command, "name": "permission", "args": " full-access", "source": { "kind": "user" },
        }),
    );
    let effect = log.log("permission/preset", json!({ "preset": "full-access" }));
    log.log("sandbox/mode", json!({ "mode": "danger-full-access" }));
    log.log(
        "command/done",
        json!({
            "commandId": command, "kind": "success", "text": "Preset: full-access.", "sourceEventSeq": effect,
        }),
    );
    log.flush();
}

/// Turn 3, which has no end: a deployment starts, and the log stops.
fn deploy(log: &mut Scribe) {
    let prompt = log.turn(3, "Then put it on staging, and check that the March export comes through. 🚀");
    let at = Place { turn: 3, step: 1 };
    log.step(at);
    log.prompt(prompt);
    log.flush();
    log.wait(820);
    let todos = json!([
        { "content": "Deploy the commit to staging", "status": "in_progress" },
        { "content": "Fetch the March export from staging", "status": "pending" },
    ]);
    let plan = json!({ "todos": todos }).to_string();
    let thinking = "The commit is local, so staging gets a build of the working tree.";
    let blocks = [
        Block::Reasoning(thinking),
        Block::Call("call_00_y2hp", "todo_write", &plan),
        Block::Call("call_01_n8qe", "read", r#"{"file_path":"deploy/staging.yml"}"#),
    ];
    log.answer(at, &blocks, 702, 7_936);
    let started = [log.call(at, &blocks[1]), log.call(at, &blocks[2])];
    log.log("todo/write", json!({ "todos": todos }));
    log.result(at, (&blocks[1], started[0]), "2 items noted", false, &[]);
    log.result(at, (&blocks[2], started[1]), "1: app: ledger-api\n2: migrate: true\n3: replicas: 2", false, &[]);
    log.step_end(at);
    let at = Place { turn: 3, step: 2 };
    log.step(at);
    log.wait(730);
    let deploy =
        r#"{"command":"./scripts/deploy.sh staging --build 4e1f2c9 --migrate","description":"Deploy to staging"}"#;
    let check = r#"{"command":"curl -sf https://staging.ledger.example/exports/2026-03.csv | head -3","description":"Fetch the March export"}"#;
    let blocks = [
        Block::Text("Deploying 4e1f2c9 to staging, then I fetch the export."),
        Block::Call(UNKNOWN, "bash", deploy),
        Block::Call(NOT_STARTED, "bash", check),
    ];
    log.answer(at, &blocks, 611, 8_448);
    log.call(at, &blocks[1]);
    log.approval(&blocks[1], "deploy.sh leaves this machine", 3_940, "allowed-once");
}
