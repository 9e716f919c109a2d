//! A line of the log → what judging needs of it.
//!
//! One pass checks the line and notes its top-level fields; the walk over `data` that its type asks for reads no more than that type
//! needs. Whatever is missing or of another type is `None`: a JSON object is always an event, unless it has the tag of a packed row
//! and is none.

mod admission;
mod body;
mod changes;
mod envelope;
mod messages;
mod streamed;

#[cfg(test)]
mod tests;

use super::admission::{Admission, Oddities, Oddity};
use super::event::{Body, Cites, Event, Hints, Place, Surface};
use super::json::{JsonError, Spans, Text, Value};
use super::kinds::Kind;
use super::packed::{PackedRow, RowFault};
use crate::text::wire::WireText;
use std::fmt;

/// Bytes of a message text that an event keeps.
const MESSAGE_BYTES: usize = 400;

/// Bytes of a failure's message that an event keeps.
const FAILURE_BYTES: usize = 2_000;

/// Bytes of a name that could be one of the catalogue; the longest has 38.
const NAME_BYTES: usize = 64;

/// A line that is no event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadLine {
    /// No byte, or white space alone.
    Blank,
    /// Not JSON.
    NotJson(JsonError),
    /// JSON, but no object.
    NotAnObject,
    /// An object with the tag of a packed row that does not follow its rules.
    MalformedPackedRow(RowFault),
}

impl fmt::Display for BadLine {
    /// The words of the report.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blank => "blank",
            Self::NotJson(_) => "not JSON",
            Self::NotAnObject => "not an object",
            Self::MalformedPackedRow(_) => "malformed packed row",
        })
    }
}

/// The top-level fields of a record that count.
#[derive(Default)]
struct Record<'a> {
    tag: Option<Text<'a>>,
    seq: Option<i64>,
    time: Option<i64>,
    data: Option<Value<'a>>,
    surface: Option<Value<'a>>,
    cites: Option<Value<'a>>,
    is_ignorable: bool,
    oddities: Oddities,
}

impl<'a> Record<'a> {
    fn of(spans: &'a Spans<'a>) -> Self {
        let mut record = Self::default();
        spans.each(|key, value| match &*key.decode_upto(NAME_BYTES) {
            b"type" => record.tag = value.as_text(),
            b"seq" => record.seq = value.as_wide_i64(),
            b"time" => record.time = value.as_i64(),
            b"data" => record.data = Some(value),
            b"surfaceOp" => record.surface = Some(value),
            b"sourceEventSeqs" => record.cites = Some(value),
            b"ignorable" => {
                record.is_ignorable = value.is_true();
                record.oddities.add_if(!value.is_true(), Oddity::OddIgnorable);
            }
            _ => record.oddities.add(Oddity::ExtraKey),
        });
        record
    }
}

/// Reads one line, without its line end, as an event.
///
/// Time grows with the line; memory with what the event keeps (names, ids, calls), never with its texts.
pub fn event(line: &[u8]) -> Result<Event, BadLine> {
    let spans = match Spans::parse(line) {
        Ok(spans) => spans,
        Err(_) if line.iter().all(u8::is_ascii_whitespace) => return Err(BadLine::Blank),
        Err(error) => return Err(BadLine::NotJson(error)),
    };
    if !spans.value().is_object() {
        return Err(BadLine::NotAnObject);
    }
    let record = Record::of(&spans);
    let kind = record.tag.map_or(Kind::Unknown, |tag| Kind::from_name(&tag.decode_upto(NAME_BYTES)));
    if kind.is_packed() {
        let row = PackedRow::of_spans(&spans).map_err(BadLine::MalformedPackedRow)?;
        return Ok(packed(&row));
    }
    let mut hints = Hints::default();
    let mut admission = Admission { oddities: record.oddities, ..Admission::default() };
    let body = body::of(kind, record.data, &mut hints, &mut admission);
    match record.data {
        Some(data) => admission::data(kind, data, &mut admission),
        None => admission.oddities.add(Oddity::NoData),
    }
    let surface = envelope::surface(record.surface);
    let cites = envelope::cites(record.cites, surface, &mut admission);
    Ok(Event {
        kind,
        unknown_type: match kind {
            Kind::Unknown => record.tag.map(|tag| Box::new(tag.to_wire())),
            _ => None,
        },
        seq: record.seq,
        time: record.time,
        last_time: record.time,
        members: 1,
        ignorable: record.is_ignorable,
        surface,
        cites,
        body,
        hints,
        admission,
    })
}

fn packed(row: &PackedRow<'_>) -> Event {
    Event {
        kind: row.kind,
        unknown_type: None,
        seq: Some(row.seq0),
        time: Some(row.time0),
        last_time: Some(row.last_time),
        members: u32::try_from(row.members).unwrap_or(u32::MAX),
        ignorable: false,
        surface: Surface::None,
        cites: Cites::default(),
        body: Body::Chunk {
            place: Place { turn: Some(row.turn), step: Some(row.step) },
            streamed: Box::new(streamed::of_row(row)),
        },
        hints: Hints::CHUNKS,
        admission: Admission::default(),
    }
}

/// The text of a value, owned.
fn wire(value: Option<Value<'_>>) -> Option<WireText> {
    value.and_then(Value::as_text).map(Text::to_wire)
}

/// The text of a value, owned; empty where it is missing or no string.
fn wire_or_empty(value: Option<Value<'_>>) -> WireText {
    wire(value).unwrap_or_default()
}

fn integer(value: Option<Value<'_>>) -> Option<i64> {
    value.and_then(Value::as_i64)
}

fn place(turn: Option<Value<'_>>, step: Option<Value<'_>>) -> Place {
    Place { turn: integer(turn), step: integer(step) }
}
