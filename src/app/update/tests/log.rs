//! Small logs, written by hand.

use crate::app::message::{OddFile, OddKind};
use std::fmt::Write;

const HEADER: &str =
    r#"{"type":"session","version":0,"id":"session-1","createdAt":1000,"cwd":"/w","delegationDepth":0}"#;

/// A log under way: numbers its events.
struct Writer {
    text: String,
    seq: i64,
}

impl Writer {
    fn new() -> Writer {
        Writer { text: format!("{HEADER}\n"), seq: 0 }
    }

    fn event(&mut self, kind: &str, data: &str) {
        self.line(kind, data, "");
    }

    /// An event on the surface.
    fn seen(&mut self, kind: &str, data: &str) {
        self.line(kind, data, r#","surfaceOp":"append""#);
    }

    fn line(&mut self, kind: &str, data: &str, more: &str) {
        let (seq, time) = (self.seq, 1000 + self.seq * 10);
        let _ = writeln!(self.text, r#"{{"type":"{kind}","seq":{seq},"time":{time},"data":{{{data}}}{more}}}"#);
        self.seq += 1;
    }

    fn start(&mut self, turn: usize) {
        self.event("turn/start", &format!(r#""turn":{turn}"#));
        self.event("step/start", &format!(r#""turn":{turn},"step":1"#));
        let message = format!(
            r#""turn":{turn},"source":{{"kind":"user"}},"message":{{"id":"user-{turn}","role":"user","content":[{{"type":"text","text":"Go {turn}."}}]}}"#
        );
        self.seen("user/message", &message);
    }

    fn chunks(&mut self, turn: usize) {
        let (seq, time) = (self.seq, 1000 + self.seq * 10);
        let _ = writeln!(
            self.text,
            r#"{{"type":"text-chunks","seq0":{seq},"time0":{time},"data":{{"turn":{turn},"step":1,"index":0,"dt":[0],"texts":["He","llo"]}}}}"#
        );
        self.seq += 2;
        self.event(
            "assistant/chunk",
            &format!(r#""turn":{turn},"step":1,"chunk":{{"type":"finish","reason":{{"kind":"stop"}}}}"#),
        );
    }

    fn ask(&mut self, turn: usize, ids: &[&str]) {
        let mut blocks = String::new();
        for id in ids {
            let arguments = format!(r#"{{\"command\":\"make {}\"}}"#, &id[id.len() - 1..]);
            let _ = write!(
                blocks,
                r#"{}{{"type":"tool-call","id":"{id}","name":"bash","arguments":"{arguments}"}}"#,
                if blocks.is_empty() { "" } else { "," }
            );
        }
        self.seen("assistant/message", &format!(r#""turn":{turn},"step":1,"message":{{"id":"asked-{turn}","role":"assistant","source":{{"kind":"model","provider":"p","model":"m"}},"content":[{blocks}]}}"#));
    }

    fn call(&mut self, turn: usize, id: &str) {
        let arguments = format!(r#"{{\"command\":\"make {}\"}}"#, &id[id.len() - 1..]);
        self.event(
            "tool/call",
            &format!(r#""turn":{turn},"step":1,"callId":"{id}","name":"bash","arguments":"{arguments}""#),
        );
    }

    fn result(&mut self, turn: usize, id: &str) {
        self.seen(
            "tool/result",
            &format!(r#""turn":{turn},"step":1,"message":{{"id":"result-{id}","role":"user","source":{{"kind":"tool","callId":"{id}"}},"content":[{{"type":"tool-result","toolCallId":"{id}","content":[{{"type":"text","text":"fine"}}]}}]}}"#),
        );
    }

    fn end(&mut self, turn: usize) {
        self.event("step/end", &format!(r#""turn":{turn},"step":1"#));
        self.event("turn/end", &format!(r#""turn":{turn},"reason":{{"kind":"completed"}}"#));
    }

    fn turn(&mut self, turn: usize, id: &str) {
        self.start(turn);
        self.chunks(turn);
        self.ask(turn, &[id]);
        self.call(turn, id);
        self.result(turn, id);
        self.end(turn);
    }
}

/// Turns of 11 events in 10 lines, all completed.
pub(super) fn healthy(turns: usize) -> String {
    let mut log = Writer::new();
    for turn in 0..turns {
        log.turn(turn + 1, &format!("call_{turn}"));
    }
    log.text
}

fn two_calls() -> Writer {
    let mut log = Writer::new();
    log.start(1);
    log.chunks(1);
    log.ask(1, &["call_a", "call_b", "call_c"]);
    log.call(1, "call_a");
    log.event("approval/asked", r#""id":"ap-1","toolName":"bash","callId":"call_a","reason":"because""#);
    log.event("approval/decided", r#""id":"ap-1","outcome":"allowed-once""#);
    log.result(1, "call_a");
    log.event("session/title", r#""title":"T","source":{"kind":"prompt"}"#);
    log.call(1, "call_b");
    log
}

/// One call completed, one started without a result, one asked for and not started.
pub(super) fn open_call() -> String {
    two_calls().text
}

/// The same log later: everything is answered.
pub(super) fn grown() -> String {
    let mut log = two_calls();
    log.result(1, "call_b");
    log.call(1, "call_c");
    log.result(1, "call_c");
    log.end(1);
    log.text
}

/// A log that two writers continued: seq 4 comes twice.
pub(super) fn broken() -> String {
    let mut log = Writer::new();
    log.start(1);
    log.end(1);
    log.seq = 4;
    log.event("session/end-seed", "");
    log.start(2);
    log.end(2);
    log.text
}

/// A file that is no log.
pub(super) fn odd() -> OddFile {
    OddFile { path: "notes".into(), bytes: Some(3), kind: OddKind::NotALog { first_line: None } }
}
