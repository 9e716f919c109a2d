//! What the tests of the whole program share.

use std::path::PathBuf;

use serde_json::{Value, json};

pub mod agree;
pub mod kin;
#[cfg(unix)]
pub mod pty;
pub mod reading;
pub mod shelf;
pub mod source;
pub mod stage;
pub mod stored;
pub mod strict;
pub mod writer;
pub mod zipped;

/// A folder with a log of two turns: one whole, one that ends in a call without a result. Removed when dropped.
pub struct SmallLog {
    folder: tempfile::TempDir,
}

impl SmallLog {
    /// Its events; seqs from 0.
    pub const EVENTS: u32 = WHOLE_TURNS * 8 + 5;

    /// Writes the log.
    pub fn write() -> SmallLog {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("session.jsonl"), lines()).expect("a small file can be written");
        SmallLog { folder }
    }

    /// The log itself.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("session.jsonl")
    }

    /// The folder it lies in.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

/// Id of the call without a result.
pub const OPEN_CALL: &str = "call_open_1";

/// Turns that complete before the one that does not; more rows than any screen of the tests.
const WHOLE_TURNS: u32 = 30;

fn lines() -> String {
    let mut log = Lines(vec![json!({
        "type": "session", "version": 0, "id": "session-00000000-0000-4000-8000-000000000077",
        "createdAt": 1_790_000_000_000_i64, "cwd": "/srv/demo-app", "delegationDepth": 0,
    })]);
    for turn in 1..=WHOLE_TURNS {
        let call = format!("call_done_{turn}");
        log.begin(turn);
        log.ask(turn, &call);
        let text = json!([{ "type": "text", "text": "fine" }]);
        let content = json!([{ "type": "tool-result", "toolCallId": call, "content": text, "isError": false }]);
        let source = json!({ "kind": "tool", "callId": call });
        let message = json!({ "id": format!("r-{turn}"), "role": "user", "content": content, "source": source });
        log.surface("tool/result", json!({ "turn": turn, "step": 1, "message": message }));
        log.add("step/end", json!({ "turn": turn, "step": 1 }));
        log.add("turn/end", json!({ "turn": turn, "reason": { "kind": "completed" } }));
    }
    log.begin(WHOLE_TURNS + 1);
    log.ask(WHOLE_TURNS + 1, OPEN_CALL);
    log.0.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
}

struct Lines(Vec<Value>);

impl Lines {
    fn add(&mut self, kind: &str, data: Value) {
        let seq = self.0.len() as i64 - 1;
        let mut line = json!({ "type": kind, "seq": seq, "time": 1_790_000_000_100 + 100 * seq });
        line["data"] = data;
        self.0.push(line);
    }

    fn surface(&mut self, kind: &str, data: Value) {
        self.add(kind, data);
        if let Some(line) = self.0.last_mut() {
            line["surfaceOp"] = json!("append");
        }
    }

    fn begin(&mut self, turn: u32) {
        self.add("turn/start", json!({ "turn": turn }));
        self.add("step/start", json!({ "turn": turn, "step": 1 }));
        let content = json!([{ "type": "text", "text": format!("Do part {turn}.") }]);
        let source = json!({ "kind": "user" });
        self.surface(
            "user/message",
            json!({ "id": format!("u-{turn}"), "role": "user", "content": content, "source": source }),
        );
    }

    fn ask(&mut self, turn: u32, call: &str) {
        let arguments = format!("{{\"command\":\"make part-{turn}\"}}");
        let content = json!([{ "type": "tool-call", "id": call, "name": "bash", "arguments": arguments }]);
        let source = json!({ "kind": "model", "provider": "demo-provider", "model": "demo-model-1" });
        let message = json!({ "id": format!("a-{turn}"), "role": "assistant", "content": content, "source": source });
        self.surface("assistant/message", json!({ "turn": turn, "step": 1, "message": message }));
        let call = json!({ "turn": turn, "step": 1, "callId": call, "name": "bash", "arguments": arguments });
        self.add("tool/call", call);
    }
}
