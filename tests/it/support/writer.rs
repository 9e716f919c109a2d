//! Writes logs of every version, good and damaged ones: lines by [`Script`], containers by the functions below it.

// A record is built where it is given away.
#![allow(clippy::needless_pass_by_value)]

use std::collections::HashMap;

use serde_json::{Value, json};
use zstd::zstd_safe::{CCtx, CParameter};

/// Versions that a script can be written in.
pub const VERSIONS: std::ops::RangeInclusive<i64> = 0..=4;

/// First version without chunks of their own: each attempt's stream is in one record.
const EMBEDDED_SINCE: i64 = 2;

/// First version in which a tool result is a message of the role `tool`.
const TOOL_ROLE_SINCE: i64 = 4;

/// A log while it is written: lines, with the numbers they need.
#[derive(Debug, Clone)]
pub struct Script {
    version: i64,
    lines: Vec<String>,
    seq: i64,
    time: i64,
    turn: i64,
    step: i64,
    /// Seq of the latest `tool/call` of an id.
    called: HashMap<String, i64>,
    /// Stream records of the next message, from version 2.
    stream: Vec<Value>,
}

impl Script {
    /// A log with its header.
    pub fn new(version: i64) -> Script {
        Script::with_header(version, &json!({}))
    }

    /// A log whose header has further or other keys; `null` takes a key out.
    pub fn with_header(version: i64, keys: &Value) -> Script {
        let mut header = json!({
            "type": "session", "version": version, "id": "session-00000000-0000-4000-8000-00000000007e",
            "createdAt": 1_790_000_000_000_i64, "cwd": "/srv/demo-app", "delegationDepth": 0,
        });
        if version >= EMBEDDED_SINCE {
            header["isSeeded"] = json!(false);
        }
        for (key, value) in keys.as_object().into_iter().flatten() {
            match value {
                Value::Null => drop(header.as_object_mut().and_then(|header| header.remove(key))),
                value => header[key] = value.clone(),
            }
        }
        let mut script = Script::without_header(version);
        script.raw(&header.to_string());
        script
    }

    /// A log whose first line is missing.
    pub fn without_header(version: i64) -> Script {
        Script {
            version,
            lines: Vec::new(),
            seq: 0,
            time: 1_790_000_000_000,
            turn: 0,
            step: 0,
            called: HashMap::new(),
            stream: Vec::new(),
        }
    }

    /// Adds an event; its seq comes back.
    pub fn add(&mut self, kind: &str, data: Value) -> i64 {
        self.event(kind, data, &json!({}))
    }

    /// Adds an event that the model sees.
    pub fn surface(&mut self, kind: &str, data: Value) -> i64 {
        self.event(kind, data, &json!({ "surfaceOp": "append" }))
    }

    /// Adds an event with further keys in its envelope.
    pub fn event(&mut self, kind: &str, data: Value, keys: &Value) -> i64 {
        self.time += 100;
        let mut line = json!({ "type": kind, "seq": self.seq, "time": self.time, "data": data });
        for (key, value) in keys.as_object().into_iter().flatten() {
            line[key] = value.clone();
        }
        self.raw(&line.to_string());
        self.seq += 1;
        self.seq - 1
    }

    /// Adds a line as it is, without counting it as an event.
    pub fn raw(&mut self, line: &str) {
        self.lines.push(format!("{line}\n"));
    }

    /// The next event gets this seq.
    pub fn jump_to(&mut self, seq: i64) {
        self.seq = seq;
    }

    /// Moves the clock, also back.
    pub fn wait(&mut self, ms: i64) {
        self.time += ms;
    }

    /// A turn begins.
    pub fn turn(&mut self) {
        self.turn += 1;
        self.step = 0;
        self.add("turn/start", json!({ "turn": self.turn }));
    }

    /// A step begins.
    pub fn step(&mut self) {
        self.step += 1;
        self.add("step/start", self.place(json!({})));
    }

    /// The step ends.
    pub fn end_step(&mut self) {
        self.add("step/end", self.place(json!({})));
    }

    /// The turn ends.
    pub fn end_turn(&mut self, kind: &str) {
        self.add("turn/end", json!({ "turn": self.turn, "reason": { "kind": kind } }));
    }

    /// The turn ends with an error of this code.
    pub fn fail(&mut self, code: &str) {
        self.end_step();
        let error = json!({ "message": "no access", "code": code, "status": 401 });
        self.add("turn/end", json!({ "turn": self.turn, "reason": { "kind": "error", "error": error } }));
    }

    /// A prompt.
    pub fn user(&mut self, text: &str) {
        let content = json!([{ "type": "text", "text": text }]);
        let id = format!("u-{}", self.seq);
        self.surface(
            "user/message",
            json!({ "id": id, "role": "user", "content": content, "source": { "kind": "user" } }),
        );
    }

    /// The model answers with text.
    pub fn say(&mut self, text: &str) {
        self.message(json!([{ "type": "text", "text": text }]));
    }

    /// The model asks for calls: id, tool, arguments.
    pub fn ask(&mut self, calls: &[(&str, &str, &str)]) {
        let block = |(id, name, arguments): &(&str, &str, &str)| json!({ "type": "tool-call", "id": id, "name": name, "arguments": arguments });
        self.message(calls.iter().map(block).collect());
    }

    fn message(&mut self, content: Value) {
        let source = json!({ "kind": "model", "provider": "demo-provider", "model": "demo-model-1" });
        let id = format!("a-{}", self.seq);
        let message = json!({ "id": id, "role": "assistant", "content": content, "source": source });
        let mut data = self.place(json!({ "message": message }));
        if self.version >= EMBEDDED_SINCE {
            data["stream"] = std::mem::take(&mut self.stream).into();
        }
        self.surface("assistant/message", data);
    }

    /// Text arrives in pieces: a packed row, or stream records of the next message.
    pub fn stream(&mut self, pieces: &[&str]) {
        let gaps = vec![3; pieces.len() - 1];
        self.time += 100;
        let time = self.time;
        if self.version >= EMBEDDED_SINCE {
            self.stream.push(json!({ "type": "text-chunks", "time0": time, "index": 0, "dt": gaps, "texts": pieces }));
            return;
        }
        let data = self.place(json!({ "index": 0, "dt": gaps, "texts": pieces }));
        self.raw(&json!({ "type": "text-chunks", "seq0": self.seq, "time0": time, "data": data }).to_string());
        self.seq += pieces.len() as i64;
        self.time += 3 * gaps.len() as i64;
    }

    /// One chunk.
    pub fn chunk(&mut self, chunk: Value) {
        if self.version >= EMBEDDED_SINCE {
            self.stream.push(json!({ "type": "chunk", "time": self.time, "chunk": chunk }));
        } else {
            self.add("assistant/chunk", self.place(json!({ "chunk": chunk })));
        }
    }

    /// The attempt reports its tokens.
    pub fn usage(&mut self, input: u64, output: u64) {
        let usage = json!({ "inputTokens": input, "outputTokens": output, "cacheReadTokens": 0 });
        self.chunk(json!({ "type": "usage", "usage": usage }));
    }

    /// The attempt fails, waits, and begins again.
    pub fn retry(&mut self, code: &str) {
        if self.version >= EMBEDDED_SINCE {
            let stream = std::mem::take(&mut self.stream);
            self.add("assistant/attempt", self.place(json!({ "stream": stream })));
        }
        let failure = json!({ "message": "failed", "code": code, "status": 503 });
        let id = format!("retry-{}", self.seq);
        let data = json!({
            "retryId": id, "provider": "demo-provider", "mode": "normal", "policyKey": "p",
            "retry": 1, "maxRetries": 3, "delayMs": 250, "failure": failure,
        });
        self.add("llm/retry", self.place(data));
        self.add("llm/retry-started", self.place(json!({ "retryId": id, "retry": 1 })));
    }

    /// A call starts.
    pub fn call(&mut self, id: &str, name: &str, arguments: &str) {
        let data = self.place(json!({ "callId": id, "name": name, "arguments": arguments }));
        let seq = self.add("tool/call", data);
        self.called.insert(id.to_owned(), seq);
    }

    /// A result: its text, and the code of its error.
    pub fn result(&mut self, id: &str, text: &str, code: Option<&str>) {
        let error = code.map(|code| json!({ "name": "ToolError", "code": code }));
        self.push_result(id, text, error);
    }

    /// The result that a recovery writes for a call without one.
    pub fn recover(&mut self, id: &str, has_started: bool) {
        self.wait(-100);
        let (name, code) = if has_started {
            ("ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN")
        } else {
            ("ToolNotStartedError", "TOOL_NOT_STARTED")
        };
        self.push_result(id, "Interrupted.", Some(json!({ "name": name, "code": code })));
    }

    fn push_result(&mut self, id: &str, text: &str, error: Option<Value>) {
        let content = json!([{ "type": "text", "text": text }]);
        let source = json!({ "kind": "tool", "callId": id });
        let (message_id, is_error) = (format!("r-{}", self.seq), error.is_some());
        let message = if self.version >= TOOL_ROLE_SINCE {
            json!({
                "id": message_id, "role": "tool", "toolCallId": id, "content": content, "source": source,
                "isError": is_error,
            })
        } else {
            let block = json!({ "type": "tool-result", "toolCallId": id, "content": content, "isError": is_error });
            json!({ "id": message_id, "role": "user", "source": source, "content": [block] })
        };
        let mut data = self.place(json!({ "message": message }));
        if let Some(error) = error {
            data["error"] = error;
        }
        let keys = match self.called.get(id) {
            Some(seq) => json!({ "surfaceOp": "append", "sourceEventSeqs": [seq] }),
            None => json!({ "surfaceOp": "append" }),
        };
        self.event("tool/result", data, &keys);
    }

    /// A program's own call begins, and settles where a text is given.
    pub fn sub_call(&mut self, root: &str, number: u32, text: Option<&str>) {
        let dispatch = if self.version >= 3 { "tool/ptc-dispatch" } else { "tool/code-dispatch" };
        let mut data = json!({
            "rootCallId": root, "parentCallId": root, "subCallId": format!("{root}:code:{number}"), "name": "bash",
            "arguments": { "n": number },
        });
        self.add(&format!("{dispatch}-start"), data.clone());
        if let Some(text) = text {
            data["isError"] = json!(false);
            data["content"] = json!([{ "type": "text", "text": text }]);
            self.add(dispatch, data);
        }
    }

    /// A question, with its answer where there is one.
    pub fn approval(&mut self, call: &str, outcome: Option<&str>) {
        let id = format!("apr-{}", self.seq);
        self.add("approval/asked", json!({ "id": id, "toolName": "bash", "callId": call }));
        if let Some(outcome) = outcome {
            self.wait(1_500);
            self.add("approval/decided", json!({ "id": id, "outcome": outcome }));
        }
    }

    /// A slash command, done or not.
    pub fn command(&mut self, name: &str, is_done: bool) {
        let id = format!("cmd-{}", self.seq);
        self.add("command/run", json!({ "commandId": id, "name": name, "args": "", "source": { "kind": "user" } }));
        if is_done {
            self.add("command/done", json!({ "commandId": id, "kind": "success", "text": "Done." }));
        }
    }

    /// A request header that declares tools.
    pub fn declare(&mut self, tools: &[&str]) {
        let tool = |name: &&str| json!({ "name": name, "description": "A tool.", "parameters": { "type": "object" } });
        let tools: Vec<Value> = tools.iter().map(tool).collect();
        let config = json!({ "provider": "demo-provider", "model": "demo-model-1" });
        self.add("request/header", json!({ "header": { "config": config, "tools": tools }, "reason": "initial" }));
    }

    fn place(&self, mut data: Value) -> Value {
        data["turn"] = json!(self.turn);
        data["step"] = json!(self.step);
        data
    }

    /// A log with one of everything; its last step holds a call that completed, one that started and one that did not.
    pub fn tour(version: i64) -> Script {
        let mut script = Script::new(version);
        script.add("sandbox/mode", json!({ "mode": "workspace-write" }));
        script.add("approval/policy", json!({ "policy": "ask" }));
        script.command("plan", true);
        script.turn();
        script.step();
        script.user("Say what is here — 很好 👍.");
        script.declare(&["bash", "read", "run_code", "mcp__files__list"]);
        script.stream(&["I ", "will ", "look"]);
        script.usage(40, 4);
        script.retry("RATE_LIMIT");
        script.stream(&["I ", "look ", "now"]);
        script.usage(50, 5);
        script.ask(&[("call_1", "bash", "{\"command\":\"ls\"}"), ("call_2", "mcp__files__list", "{\"path\":")]);
        script.call("call_1", "bash", "{\"command\":\"ls\"}");
        script.approval("call_1", Some("allowed-once"));
        script.result("call_1", "a\u{1b}[31mb\nc", None);
        script.call("call_2", "mcp__files__list", "{\"path\":");
        script.result("call_2", "Bad arguments.", Some("INVALID_ARGUMENTS"));
        script.end_step();
        script.step();
        script.ask(&[("call_3", "run_code", "{\"code\":\"await tools.bash()\"}")]);
        script.call("call_3", "run_code", "{\"code\":\"await tools.bash()\"}");
        script.sub_call("call_3", 1, Some("one"));
        script.sub_call("call_3", 2, None);
        script.recover("call_3", true);
        script.end_step();
        script.end_turn("interrupted");
        script.add("session/end-seed", json!({}));
        script.event("acme/note", json!({ "note": "kept" }), &json!({ "ignorable": true }));
        script.turn();
        script.step();
        script.user("Go on.");
        let asked = [("call_4", "read", "{\"file_path\":\"a\"}"), ("call_1", "bash", "{}"), ("call_5", "rm_all", "{}")];
        script.ask(&asked);
        script.call("call_4", "read", "{\"file_path\":\"a\"}");
        script.result("call_4", "text", None);
        script.call("call_1", "bash", "{}");
        script.approval("call_1", None);
        script
    }

    /// The name of a file with this log, as the harness writes it.
    pub fn name(&self) -> String {
        match self.version {
            0 => "session.jsonl.zstd".to_owned(),
            version => format!("session.v{version}.jsonl.zstd"),
        }
    }

    /// All lines, each with its line end.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The log as plain text.
    pub fn plain(&self) -> Vec<u8> {
        self.lines.concat().into_bytes()
    }

    /// The log with each line ended by CR LF.
    pub fn crlf(&self) -> Vec<u8> {
        self.lines.iter().map(|line| line.replace('\n', "\r\n")).collect::<String>().into_bytes()
    }

    /// The log as the harness compresses it: the header in a frame of its own, then a few lines a frame.
    pub fn zstd(&self) -> Vec<u8> {
        self.frames(3).concat()
    }

    /// The frames of [`Script::zstd`], with so many lines each.
    pub fn frames(&self, lines: usize) -> Vec<Vec<u8>> {
        let Some((header, rest)) = self.lines.split_first() else { return Vec::new() };
        let rest = rest.chunks(lines).map(|lines| frame(lines.concat().as_bytes()));
        std::iter::once(frame(header.as_bytes())).chain(rest).collect()
    }
}

/// A frame as the harness writes it: with checksum, without the size of its content.
pub fn frame(text: &[u8]) -> Vec<u8> {
    compressed(text, true)
}

/// A frame without checksum, as no harness writes it.
pub fn frame_without_checksum(text: &[u8]) -> Vec<u8> {
    compressed(text, false)
}

fn compressed(text: &[u8], checksum: bool) -> Vec<u8> {
    let mut context = CCtx::create();
    for parameter in [CParameter::ChecksumFlag(checksum), CParameter::ContentSizeFlag(false)] {
        context.set_parameter(parameter).expect("the parameter is known");
    }
    let mut out = Vec::with_capacity(zstd::zstd_safe::compress_bound(text.len()));
    context.compress2(&mut out, text).expect("the buffer is large enough");
    out
}

/// A frame whose last byte, of its checksum, is wrong.
pub fn broken_frame(text: &[u8]) -> Vec<u8> {
    let mut out = frame(text);
    if let Some(last) = out.last_mut() {
        *last ^= 0x55;
    }
    out
}

/// A skippable frame around bytes.
pub fn skippable_frame(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x50, 0x2A, 0x4D, 0x18];
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
    out
}

/// Numbers that look random and are the same in each run (a linear congruential generator).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Another seed gives other numbers.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `sides`, which is not 0.
    pub fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}
