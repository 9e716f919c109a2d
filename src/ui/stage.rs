//! A stage for tests: the core plays on it, its questions are answered from memory, and what it shows is drawn.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, draw, rows_of};
use crate::app::effect::Effect;
use crate::app::key::Key;
use crate::app::message::{Epoch, Message, SummaryKey};
use crate::app::model::{Model, Settings};
use crate::app::update::update;
use crate::log::sniff::Encoding;
use crate::log::source::MemorySource;
use crate::session::piece::Keep;
use crate::session::row::RowIx;
use crate::triage::detail::RawLine;
use crate::triage::open::Log;
use crate::triage::session::Session;
use crate::triage::what::{CallRows, Run, Teller, What, run_rows};

/// Columns that texts of rows are made for.
const COLUMNS: usize = 200;

/// Answers in a row, before the core must have stopped asking.
const MOST_ANSWERS: usize = 100;

/// A log with one call of every sort, an approval, hostile text, a repeated seq and an unknown type.
pub(crate) fn sample_log() -> Vec<u8> {
    let mut log = Sample::default();
    log.raw(r#"{"type":"session","version":0,"id":"session-00000000-0000-4000-8000-000000000001","createdAt":1790000000000,"cwd":"/srv/демо/购物车-app","delegationDepth":0}"#);
    log.event("approval/policy", r#"{"policy":"ask"}"#, false);
    log.event("turn/start", r#"{"turn":1}"#, false);
    log.event("step/start", r#"{"turn":1,"step":1}"#, false);
    let text = "测试通过 42 件 \u{1b}[31mred \u{202e}abc ש\u{5dc} 👨\u{200d}👩\u{200d}👧 e\u{301}\u{301}";
    log.message(text);
    log.call("call_a1", "read", r#"{\"path\":\"a.txt\"}"#);
    log.result("call_a1", "alpha\\nbeta", false);
    log.event("step/end", r#"{"turn":1,"step":1}"#, false);
    log.event("step/start", r#"{"turn":1,"step":2}"#, false);
    log.call(
        "call_a2_with_a_very_long_identifier_0001",
        "mcp__tracker__create_issue",
        r#"{\"title\":\"broken\",\"labels\":["#,
    );
    log.event(
        "approval/asked",
        r#"{"id":"apr-1","toolName":"bash","callId":"call_a2_with_a_very_long_identifier_0001"}"#,
        false,
    );
    log.event("approval/decided", r#"{"id":"apr-1","outcome":"rejected"}"#, false);
    log.result("call_a2_with_a_very_long_identifier_0001", "Error: \\u001b[32mnot allowed", true);
    log.event("acme/metrics", r#"{"n":1}"#, false);
    log.seq -= 1;
    log.event("step/end", r#"{"turn":1,"step":2}"#, false);
    log.raw("{\"type\":");
    log.event("step/start", r#"{"turn":1,"step":3}"#, false);
    log.call("call_a3", "bash", r#"{\"command\":\"rm -r build\"}"#);
    log.text.into_bytes()
}

#[derive(Default)]
struct Sample {
    text: String,
    seq: i64,
}

impl Sample {
    fn raw(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn event(&mut self, kind: &str, data: &str, surface: bool) {
        let time = 1_790_000_000_000 + 100 * self.seq;
        let surface = if surface { r#","surfaceOp":"append""# } else { "" };
        let seq = self.seq;
        self.raw(&format!(r#"{{"type":"{kind}","seq":{seq},"time":{time},"data":{data}{surface}}}"#));
        self.seq += 1;
    }

    fn message(&mut self, text: &str) {
        let text = text.replace('\u{1b}', "\\u001b");
        let data = format!(
            r#"{{"id":"msg-1","role":"user","content":[{{"type":"text","text":"{text}"}}],"source":{{"kind":"user"}}}}"#
        );
        self.event("user/message", &data, true);
    }

    fn call(&mut self, id: &str, name: &str, arguments: &str) {
        let block = format!(r#"{{"type":"tool-call","id":"{id}","name":"{name}","arguments":"{arguments}"}}"#);
        let message = format!(
            r#"{{"id":"msg-{id}","role":"assistant","content":[{block}],"source":{{"kind":"model","provider":"demo","model":"demo-1"}}}}"#
        );
        self.event("assistant/message", &format!(r#"{{"turn":1,"step":1,"message":{message}}}"#), true);
        let call = format!(r#"{{"turn":1,"step":1,"callId":"{id}","name":"{name}","arguments":"{arguments}"}}"#);
        self.event("tool/call", &call, false);
    }

    fn result(&mut self, id: &str, text: &str, is_error: bool) {
        let content = format!(
            r#"[{{"type":"tool-result","toolCallId":"{id}","content":[{{"type":"text","text":"{text}"}}],"isError":{is_error}}}]"#
        );
        let message = format!(
            r#"{{"id":"res-{id}","role":"user","source":{{"kind":"tool","callId":"{id}"}},"content":{content}}}"#
        );
        self.event("tool/result", &format!(r#"{{"turn":1,"step":1,"message":{message}}}"#), true);
    }
}

/// A log as it is read from memory.
pub(crate) fn read(bytes: &[u8]) -> Arc<Session> {
    let source = Arc::new(MemorySource::new(bytes.to_vec()));
    let mut log = Log::new(source, Encoding::Plain, Path::new("session.jsonl"), Keep::Nothing);
    log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    Arc::new(log.into_session().expect("memory can be read"))
}

/// The core with a log and a size.
pub(crate) struct Stage {
    pub(crate) model: Model,
    pub(crate) look: Look,
    session: Arc<Session>,
    lines: Vec<Vec<u8>>,
    calls: CallRows,
}

impl Stage {
    /// The sample on a screen of that size.
    pub(crate) fn new(columns: u16, rows: u16) -> Stage {
        Stage::with(&sample_log(), columns, rows)
    }

    /// A log on a screen of that size.
    pub(crate) fn with(log: &[u8], columns: u16, rows: u16) -> Stage {
        let session = read(log);
        let calls = CallRows::new(&session.facts);
        let lines = log.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let model = Model::new(Settings::default());
        let mut stage = Stage { model, look: Look::default(), session, lines, calls };
        stage.play(Message::Resized { columns, rows });
        let session = Arc::clone(&stage.session);
        stage.play(Message::Opened { epoch: Epoch::default(), session });
        stage
    }

    /// Plays a message and answers what the core asks.
    pub(crate) fn play(&mut self, message: Message) {
        let mut waiting = update(&mut self.model, message);
        for _ in 0..MOST_ANSWERS {
            let answers: Vec<Message> = waiting.drain(..).filter_map(|effect| self.answer(effect)).collect();
            if answers.is_empty() {
                return;
            }
            for answer in answers {
                waiting.extend(update(&mut self.model, answer));
            }
        }
        panic!("the core does not stop asking");
    }

    /// Presses the characters of a text.
    pub(crate) fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            self.play(Message::Pressed(Key::char(key)));
        }
    }

    fn line(&self, row: RowIx) -> &[u8] {
        self.lines.get(row.as_usize() + self.session.index.header_lines as usize).map(Vec::as_slice).unwrap_or_default()
    }

    fn answer(&self, effect: Effect) -> Option<Message> {
        match effect {
            Effect::Summarise { epoch, ticket, wants } => {
                let items = wants.into_iter().map(|key| (key, self.what(key))).collect();
                Some(Message::Summarised { epoch, ticket, items })
            }
            Effect::Fetch { epoch, ticket, rows, .. } => {
                let lines = rows.into_iter().map(|row| {
                    let bytes = self.line(row);
                    RawLine { row, bytes: bytes.into(), total: bytes.len() as u64 }
                });
                Some(Message::FetchedLines { epoch, ticket, lines: lines.collect() })
            }
            _ => None,
        }
    }

    fn what(&self, key: SummaryKey) -> What {
        let teller = Teller::new(&self.session, &self.calls, &self.look.words);
        match key {
            SummaryKey::Row(row) => teller.row(self.line(row), row, COLUMNS),
            SummaryKey::Member(event) => teller.member(self.line(event.row), event.member, COLUMNS),
            SummaryKey::Run { first, last } => {
                let run = Run { first, last };
                let rows = run_rows(run, &self.session);
                let lines: Vec<(RowIx, &[u8])> = rows.into_iter().map(|row| (row, self.line(row))).collect();
                teller.run(run, &lines, COLUMNS)
            }
            SummaryKey::Ghost(at) => {
                let ghost = self.session.facts.resume.get(at as usize);
                ghost.map(|ghost| teller.ghost(ghost, COLUMNS)).unwrap_or_default()
            }
        }
    }

    /// What is on the screen, row by row, on a buffer of its own.
    pub(crate) fn rows(&self) -> Vec<String> {
        let (columns, rows) = self.model.screen;
        let screen = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(screen);
        draw(&self.model, &self.look, screen, &mut buffer);
        rows_of(&buffer)
    }
}
