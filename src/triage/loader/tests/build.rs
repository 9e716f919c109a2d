//! Lists of events made by hand.

use crate::log::sniff::Encoding;
use crate::record::admission::{Admission, Role};
use crate::record::event::{
    Arguments, Body, Cites, EndReason, Event, Hints, Place, RecoveryId, Request, Streamed, Surface,
};
use crate::record::extract::BadLine;
use crate::record::header::Header;
use crate::record::kinds::Kind;
use crate::session::container::{Container, TornTail};
use crate::session::row::RowIx;
use crate::text::wire::WireText;
use crate::triage::facts::{Format, FormatSource, Ghost, Loader};
use crate::triage::loader::{End, LoaderFold};

/// A log in the making. Seqs and times are given in order unless said.
#[derive(Clone)]
pub(super) struct Log {
    fold: LoaderFold,
    rows: u32,
    seq: i64,
    pub(super) header: Option<Header>,
    pub(super) format: Format,
    pub(super) container: Container,
    torn_from: Option<RowIx>,
}

impl Log {
    pub(super) fn new(version: i64) -> Self {
        let mut container = Container::new(Encoding::Zstd);
        container.complete_frames = 2;
        container.lines = 10;
        let mut log = Self {
            fold: LoaderFold::new(Some(version)),
            rows: 0,
            seq: 0,
            header: None,
            format: Format { version, source: FormatSource::Header, known: true, file_name_version: None },
            container,
            torn_from: None,
        };
        let seeded = if version >= 2 { r#","isSeeded":false"# } else { "" };
        log.set_header(&format!(
            r#"{{"type":"session","version":{version},"id":"s","createdAt":1{seeded},"delegationDepth":0}}"#
        ));
        log
    }

    pub(super) fn set_header(&mut self, line: &str) {
        self.header = Header::parse(line.as_bytes());
    }

    pub(super) fn plain(mut self) -> Self {
        self.container.encoding = Encoding::Plain;
        self.container.complete_frames = 0;
        self
    }

    /// What follows was saved from a torn frame.
    pub(super) fn torn(mut self) -> Self {
        let first_row = RowIx(self.rows);
        self.torn_from = Some(first_row);
        self.container.torn_tail =
            Some(TornTail { offset: 1, bytes: 1, complete_lines_inside: 1, leftover_bytes: 0, first_row });
        self
    }

    /// Adds an event with the next seq.
    pub(super) fn add(self, event: Event) -> Self {
        let seq = self.seq;
        self.at_seq(seq, event)
    }

    pub(super) fn at_seq(mut self, seq: i64, mut event: Event) -> Self {
        event.seq = Some(seq);
        event.time = Some(1000 + seq);
        event.last_time = Some(1000 + seq + i64::from(event.members) - 1);
        self.seq = seq + i64::from(event.members);
        self.raw(&event)
    }

    /// Adds an event as it is.
    pub(super) fn raw(mut self, event: &Event) -> Self {
        self.fold.event(RowIx(self.rows), event);
        self.rows += 1;
        self
    }

    pub(super) fn bad(mut self) -> Self {
        self.fold.bad_line(RowIx(self.rows), &BadLine::Blank);
        self.rows += 1;
        self
    }

    pub(super) fn step_start(self, turn: i64, step: i64) -> Self {
        self.add(event(Kind::StepStart, Body::StepStart(place(turn, step))))
    }

    pub(super) fn step_end(self, turn: i64, step: i64) -> Self {
        self.add(event(Kind::StepEnd, Body::StepEnd(place(turn, step))))
    }

    pub(super) fn judge(&self) -> (Loader, Vec<Ghost>) {
        self.fold.finish(&End {
            header: self.header.as_ref(),
            format: self.format,
            encoding: self.container.encoding,
            container: &self.container,
            torn_rows_from: self.torn_from,
        })
    }
}

pub(super) fn place(turn: i64, step: i64) -> Place {
    Place { turn: Some(turn), step: Some(step) }
}

pub(super) fn event(kind: Kind, body: Body) -> Event {
    Event {
        kind,
        unknown_type: None,
        seq: None,
        time: Some(0),
        last_time: Some(0),
        members: 1,
        ignorable: false,
        surface: if kind.is_surface() { Surface::Append } else { Surface::None },
        cites: Cites::default(),
        body,
        hints: Hints::default(),
        admission: Admission { role: role_of(kind), ..Admission::default() },
    }
}

/// The role of a sound message of the versions before 4.
fn role_of(kind: Kind) -> Role {
    match kind {
        Kind::UserMessage | Kind::ToolResult => Role::User,
        Kind::AssistantMessage => Role::Assistant,
        Kind::SystemMessage => Role::System,
        Kind::DeveloperMessage => Role::Developer,
        _ => Role::Other,
    }
}

pub(super) fn citing(mut event: Event, cited: &[i64]) -> Event {
    event.cites = Cites {
        present: true,
        first: cited.first().copied(),
        count: u32::try_from(cited.len()).unwrap(),
        highest: cited.iter().max().copied(),
        malformed: false,
    };
    let mut ranges: Vec<_> = cited.iter().map(|seq| (*seq, *seq)).collect();
    ranges.sort_unstable();
    event.admission.cited = Some(ranges.into());
    event
}

pub(super) fn turn_start(turn: i64) -> Event {
    event(Kind::TurnStart, Body::TurnStart { turn: Some(turn) })
}

pub(super) fn turn_end(turn: i64) -> Event {
    let reason = EndReason { kind: Some(WireText::from("completed")), ..EndReason::default() };
    event(Kind::TurnEnd, Body::TurnEnd { turn: Some(turn), reason })
}

pub(super) fn user(text: &str) -> Event {
    let source = Some(WireText::from("user"));
    event(Kind::UserMessage, Body::UserMessage { source, from: None, text: WireText::from(text) })
}

/// A packed row.
pub(super) fn chunks(members: u32) -> Event {
    let body = Body::Chunk { place: place(1, 1), streamed: Box::new(Streamed::default()) };
    Event { members, ..event(Kind::TextChunks, body) }
}

/// A message that asks for calls.
pub(super) fn message(turn: i64, step: i64, ids: &[&str]) -> Event {
    let request =
        |id: &&str| Request { id: WireText::from(*id), name: WireText::from("bash"), arguments: Arguments::default() };
    event(
        Kind::AssistantMessage,
        Body::Message {
            place: place(turn, step),
            requests: ids.iter().map(request).collect(),
            usage: None,
            interrupted: false,
            stream: None,
            text_chars: 0,
        },
    )
}

pub(super) fn call(turn: i64, step: i64, id: &str) -> Event {
    event(
        Kind::ToolCall,
        Body::Call {
            place: place(turn, step),
            id: WireText::from(id),
            name: WireText::from("bash"),
            arguments: Arguments::default(),
            path: None,
        },
    )
}

pub(super) fn result(turn: i64, step: i64, id: &str) -> Event {
    event(
        Kind::ToolResult,
        Body::Result {
            place: place(turn, step),
            id: Some(WireText::from(id)),
            is_error: false,
            failure: None,
            recovery: RecoveryId::None,
            changes: None,
        },
    )
}
