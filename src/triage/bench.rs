//! Sessions made of lines, for tests of this layer.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::detail::RawLine;
use super::facts::Facts;
use super::open::Log;
use super::session::Session;
use crate::log::sniff::Encoding;
use crate::log::source::MemorySource;
use crate::session::piece::Keep;
use crate::session::row::RowIx;

/// A plain header of version 0.
pub(crate) const HEADER: &str = r#"{"type":"session","version":0,"id":"session-00000000-0000-4000-8000-000000000001","createdAt":1790000000000,"cwd":"/srv/demo-app","delegationDepth":0}"#;

/// A session of a plain log, and its lines without the header: line `n` is row `n`.
pub(crate) fn plain(text: &[u8]) -> (Session, Vec<Vec<u8>>) {
    read(text.to_vec(), Encoding::Plain, "session.jsonl", text)
}

/// Reads a log; `decoded` is its text.
pub(crate) fn read(bytes: Vec<u8>, encoding: Encoding, name: &str, decoded: &[u8]) -> (Session, Vec<Vec<u8>>) {
    let source = Arc::new(MemorySource::new(bytes));
    let mut log = Log::new(source, encoding, Path::new(name), Keep::Nothing);
    log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    let session = log.into_session().expect("memory can be read");
    let skip = session.index.header_lines as usize;
    let mut lines: Vec<Vec<u8>> = decoded.split(|byte| *byte == b'\n').skip(skip).map(<[u8]>::to_vec).collect();
    lines.truncate(session.index.rows.len());
    (session, lines)
}

/// A session of these lines under [`HEADER`].
pub(crate) fn of_lines(lines: &[&str]) -> (Session, Vec<Vec<u8>>) {
    let text = format!("{HEADER}\n{}\n", lines.join("\n"));
    plain(text.as_bytes())
}

/// All lines, as the detail pane gets them.
pub(crate) fn raw_lines(lines: &[Vec<u8>]) -> Vec<RawLine> {
    let raw = |(at, line): (usize, &Vec<u8>)| RawLine {
        row: RowIx(at as u32),
        bytes: line.as_slice().into(),
        total: line.len() as u64,
    };
    lines.iter().enumerate().map(raw).collect()
}

/// A plain log written event by event, for judgements. Seqs ascend from 0 unless said; an event a second.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    text: String,
    seq: i64,
}

impl Written {
    /// A log that begins with [`HEADER`].
    pub(crate) fn new() -> Written {
        Written::under(HEADER)
    }

    /// A log that begins with another header.
    pub(crate) fn under(header: &str) -> Written {
        Written { text: format!("{header}\n"), seq: 0 }
    }

    /// The next event has this seq.
    pub(crate) fn at(self, seq: i64) -> Written {
        Written { seq, ..self }
    }

    /// A line as it is.
    pub(crate) fn raw(mut self, line: &str) -> Written {
        self.text.push_str(line);
        self.text.push('\n');
        self
    }

    /// An event with the given data.
    pub(crate) fn event(self, kind: &str, data: &str) -> Written {
        self.with(kind, data, "")
    }

    /// An event with further fields of the envelope, each led by a comma.
    pub(crate) fn with(self, kind: &str, data: &str, fields: &str) -> Written {
        let (seq, time) = (self.seq, 1_790_000_000_000 + self.seq * 1000);
        let mut written =
            self.raw(&format!(r#"{{"type":"{kind}","seq":{seq},"time":{time},"data":{{{data}}}{fields}}}"#));
        written.seq += 1;
        written
    }

    pub(crate) fn turn(self, turn: i64) -> Written {
        self.event("turn/start", &format!(r#""turn":{turn}"#))
    }

    pub(crate) fn turn_end(self, turn: i64, kind: &str) -> Written {
        self.event("turn/end", &format!(r#""turn":{turn},"reason":{{"kind":"{kind}"}}"#))
    }

    pub(crate) fn step(self, turn: i64, step: i64) -> Written {
        self.event("step/start", &format!(r#""turn":{turn},"step":{step}"#))
    }

    pub(crate) fn step_end(self, turn: i64, step: i64) -> Written {
        self.event("step/end", &format!(r#""turn":{turn},"step":{step}"#))
    }

    /// An `assistant/message` that asks for calls of `bash` with these ids.
    pub(crate) fn asks(self, turn: i64, step: i64, ids: &[&str]) -> Written {
        let block = |id: &&str| format!(r#"{{"type":"tool-call","id":"{id}","name":"bash","arguments":"{{}}"}}"#);
        let blocks: Vec<String> = ids.iter().map(block).collect();
        let message = format!(r#"{{"role":"assistant","content":[{}]}}"#, blocks.join(","));
        self.event("assistant/message", &format!(r#""turn":{turn},"step":{step},"message":{message}"#))
    }

    /// The same with all that the harness demands of a message: the log loads.
    pub(crate) fn asks_whole(self, turn: i64, step: i64, ids: &[&str]) -> Written {
        let seq = self.seq;
        let whole =
            format!(r#""id":"m{seq}","source":{{"kind":"model","provider":"p","model":"m"}},"role":"assistant""#);
        let Written { text, seq } = self.asks(turn, step, ids);
        let (before, line) = text.trim_end().rsplit_once('\n').unwrap_or_default();
        let line = line.replace(r#""role":"assistant""#, &whole);
        let line = line.strip_suffix('}').unwrap_or_default();
        Written { text: format!("{before}\n{line},\"surfaceOp\":\"append\"}}\n"), seq }
    }

    /// A `tool/call` of `bash`.
    pub(crate) fn call(self, turn: i64, step: i64, id: &str) -> Written {
        let rest = format!(r#""callId":"{id}","name":"bash","arguments":"{{}}""#);
        self.event("tool/call", &format!(r#""turn":{turn},"step":{step},{rest}"#))
    }

    /// A `tool/result` with further fields of its data (each led by a comma) and of the envelope.
    pub(crate) fn result(self, turn: i64, step: i64, id: &str, data: &str, fields: &str) -> Written {
        let content = format!(r#"[{{"type":"tool-result","toolCallId":"{id}","content":[]}}]"#);
        let message = format!(r#"{{"role":"user","source":{{"kind":"tool","callId":"{id}"}},"content":{content}}}"#);
        self.with("tool/result", &format!(r#""turn":{turn},"step":{step},"message":{message}{data}"#), fields)
    }

    /// A result that a recovery wrote.
    pub(crate) fn recovered(self, turn: i64, step: i64, id: &str, code: &str, fields: &str) -> Written {
        self.result(turn, step, id, &format!(r#","error":{{"code":"{code}"}}"#), fields)
    }

    /// The log as it is read, and its lines.
    pub(crate) fn session(&self) -> (Session, Vec<Vec<u8>>) {
        plain(self.text.as_bytes())
    }

    /// The log so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn facts(&self) -> Facts {
        plain(self.text.as_bytes()).0.facts
    }
}
