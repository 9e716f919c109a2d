//! The events that a query selects: for people, for programs, as stored.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::lenient::Json;
use super::strict;
use crate::query::Prepared;
use crate::query::selection::{Lines, Sifter, Sought};
use crate::record::json::Value;
use crate::record::kinds::Kind;
use crate::record::packed::{Member, PackedRow};
use crate::session::row::{Flags, Row, RowIx, Seq};
use crate::text::locale::Words;
use crate::text::sanitize::display;
use crate::text::time::Zone;
use crate::text::wire::report_string;
use crate::triage::session::Session;
use crate::triage::what::{CallRows, Mark, Teller};

/// Columns of the words of a row, at most.
const MOST_COLUMNS: usize = 400;

/// Columns of a type: the longest of the usual ones.
const TYPE_COLUMNS: usize = 24;

/// Bytes of a line that its words are made from: as many as the screen takes.
const WORDS_FROM: usize = 64 << 10;

/// How events are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One row a stored line, in words.
    Text,
    /// One JSON object an event, members of packed rows each by itself.
    Json,
    /// The stored lines, byte for byte.
    Raw,
}

/// What was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Printed {
    /// Rows that were selected.
    pub rows: u64,
    /// Selected lines that are no event and therefore no JSON.
    pub left_out: u64,
}

/// What events are printed from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The log.
    pub session: &'a Session,
    /// The query, made ready for it.
    pub query: &'a Prepared,
    /// All words.
    pub words: &'a Words,
    /// The zone of clock times.
    pub zone: &'a Zone,
}

/// Prints what the query selects, in file order.
pub fn write(source: Source<'_>, form: Form, lines: &mut dyn Lines, out: &mut dyn Write) -> io::Result<Printed> {
    let Source { session, query, words, .. } = source;
    let mut sifter = Sifter::default();
    let calls = CallRows::new(&session.facts);
    let teller = Teller::new(session, &calls, words);
    let mut printed = Printed::default();
    for (ix, row) in session.index.rows.iter_from(RowIx(0)) {
        if !sifter.keeps(Sought::Query(query), session, ix, lines) {
            continue;
        }
        printed.rows += 1;
        match form {
            Form::Text => {
                let line = lines.line(ix).unwrap_or_default();
                let what = teller.row(line.get(..WORDS_FROM).unwrap_or(&line), ix, MOST_COLUMNS);
                let mark = glyph(what.mark);
                let words = format!("{}{}", what.tag.map(|tag| tag + " ").unwrap_or_default(), plain(&what.text));
                writeln!(out, "{}", format!("{} {mark} {words}", head(source, ix, &row)).trim_end())?;
            }
            Form::Raw => {
                out.write_all(&lines.line(ix).unwrap_or_default())?;
                out.write_all(b"\n")?;
            }
            Form::Json if row.members == 0 => printed.left_out += 1,
            Form::Json => json(source, (ix, &row), &mut sifter, lines, out)?,
        }
    }
    Ok(printed)
}

/// Whether a query selects any event; lines that are none do not count.
pub fn selects_any(session: &Session, query: &Prepared, lines: &mut dyn Lines) -> bool {
    let mut sifter = Sifter::default();
    let mut events = session.index.rows.iter_from(RowIx(0)).filter(|(_, row)| row.members > 0);
    events.any(|(ix, _)| sifter.keeps(Sought::Query(query), session, ix, lines))
}

fn plain(spans: &[crate::text::role::Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

/// Seqs, time and type of a row.
fn head(source: Source<'_>, ix: RowIx, row: &Row) -> String {
    let Source { session, words, zone, .. } = source;
    let width = session.facts.sequence.last.unwrap_or_default().to_string().len() * 2 + 1;
    let seqs = match (row.seq(), row.last_seq()) {
        (Some(Seq(first)), Some(Seq(last))) if last > first => format!("{first}-{last}"),
        (Some(Seq(seq)), _) => seq.to_string(),
        (None, _) => session.index.line(ix).map_or_else(String::new, |line| format!("L{line}")),
    };
    let time = row.time().map_or_else(|| words.get("missing.column").to_owned(), |time| zone.date_clock(time.0));
    let name = display(session.index.types.name(row.type_id).as_bytes());
    let torn = if row.flags.has(Flags::TORN) { '~' } else { ' ' };
    format!("{torn}{seqs:<width$}  {time:<23}  {name:<TYPE_COLUMNS$}")
}

/// The sign of a state, as on the screen.
fn glyph(mark: Mark) -> char {
    match mark {
        Mark::None => ' ',
        Mark::Completed => '✓',
        Mark::Failed => '✗',
        Mark::Unknown => '?',
        Mark::NotStarted => '◦',
        Mark::Cancelled => '-',
        Mark::ByPolicy => '⊘',
        Mark::Look => '!',
    }
}

fn json(
    source: Source<'_>,
    (ix, row): (RowIx, &Row),
    sifter: &mut Sifter,
    lines: &mut dyn Lines,
    out: &mut dyn Write,
) -> io::Result<()> {
    let line = lines.line(ix).map(Cow::into_owned).unwrap_or_default();
    let Ok(value) = Value::parse(&line) else { return Ok(()) };
    let Some(packed) = row.kind.is_packed().then(|| PackedRow::parse(value).ok()).flatten() else {
        strict::to_writer(&mut *out, &Json(value))?;
        return out.write_all(b"\n");
    };
    for (at, member) in packed.members().enumerate() {
        let place = (ix, at as u32);
        if source.query.parts_members() && !sifter.keeps_member(source.query, source.session, place, lines) {
            continue;
        }
        strict::to_writer(&mut *out, &Chunk(&packed, member))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A member of a packed row as the event that it stands for (docs/FORMAT.md section 4.2).
struct Chunk<'a>(&'a PackedRow<'a>, Member<'a>);

impl Serialize for Chunk<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("type", Kind::AssistantChunk.name())?;
        map.serialize_entry("seq", &self.1.seq)?;
        map.serialize_entry("time", &self.1.time)?;
        map.serialize_entry("data", &ChunkData(self.0, self.1))?;
        map.end()
    }
}

struct ChunkData<'a>(&'a PackedRow<'a>, Member<'a>);

impl Serialize for ChunkData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("turn", &self.0.turn)?;
        map.serialize_entry("step", &self.0.step)?;
        map.serialize_entry("chunk", &Delta(self.0, self.1))?;
        map.end()
    }
}

struct Delta<'a>(&'a PackedRow<'a>, Member<'a>);

impl Serialize for Delta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Delta(row, member) = self;
        let text = report_string(&member.text.decode());
        let mut map = serializer.serialize_map(None)?;
        let (kind, key) = match row.kind {
            Kind::ReasoningChunks => ("reasoning-delta", "text"),
            Kind::ToolCallChunks => ("tool-call-delta", "argumentsDelta"),
            _ => ("text-delta", "text"),
        };
        map.serialize_entry("type", kind)?;
        map.serialize_entry("index", &row.index)?;
        for (key, value) in [("id", row.id), ("name", row.name)] {
            if let Some(value) = value {
                map.serialize_entry(key, &report_string(&value.decode()))?;
            }
        }
        map.serialize_entry(key, &text)?;
        map.end()
    }
}
