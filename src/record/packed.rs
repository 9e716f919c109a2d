//! Packed rows: one stored line for a run of stream chunks (docs/FORMAT.md section 4.2).
//!
//! [`PackedRow`] is exact: it exists only for rows that the harness would expand. Of any other the raw record is shown.

use super::event::Gaps;
use super::json::{Items, Spans, Text, TextRun, Value};
use super::kinds::Kind;
use crate::text::wire::WireText;
use std::fmt;

/// Largest magnitude of a `seq` or time, 2^53 - 1.
const SAFE: i64 = (1 << 53) - 1;

/// A row that stands for at least one `assistant/chunk` event.
#[derive(Debug, Clone, Copy)]
pub struct PackedRow<'a> {
    /// Which of the three.
    pub kind: Kind,
    /// Seq of the first member; the others follow without a gap.
    pub seq0: i64,
    /// Time of the first member, milliseconds since the Unix epoch.
    pub time0: i64,
    /// Time of the last member.
    pub last_time: i64,
    /// Turn of all members.
    pub turn: i64,
    /// Step of all members.
    pub step: i64,
    /// Block index of all members.
    pub index: i64,
    /// Call id of a row of tool-call deltas.
    pub id: Option<Text<'a>>,
    /// Tool name, where the row has one.
    pub name: Option<Text<'a>>,
    /// Members, at least 1.
    pub members: usize,
    /// Characters of all texts together, saturating.
    pub chars: u32,
    /// How far apart the members are.
    pub apart: Gaps,
    gaps: Value<'a>,
    texts: Value<'a>,
}

/// One member of a row: an `assistant/chunk` event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its seq.
    pub seq: i64,
    /// Its time, milliseconds since the Unix epoch; may be before that of the member before it.
    pub time: i64,
    /// Its delta: text, reasoning text or a piece of arguments.
    pub text: Text<'a>,
}

/// Why a line with the tag of a packed row is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowFault {
    /// A key that such a row does not have.
    UnknownKey(WireText),
    /// A required key is not there.
    Missing(&'static str),
    /// A key has a value of another type.
    Invalid(&'static str),
    /// There are no members.
    NoMembers,
    /// The time gaps are not one fewer than the members.
    Arity {
        /// Members.
        members: usize,
        /// Time gaps.
        gaps: usize,
    },
    /// A seq or a time of a member is beyond ±(2^53 - 1).
    OutOfRange,
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey(key) => write!(f, "unknown key \"{}\"", key.to_report()),
            Self::Missing(key) => write!(f, "{key} missing"),
            Self::Invalid(key) => write!(f, "{key} invalid"),
            Self::NoMembers => f.write_str("no members"),
            Self::Arity { members, gaps } => write!(f, "{members} members and {gaps} time gaps"),
            Self::OutOfRange => f.write_str("a seq or time out of range"),
        }
    }
}

/// Key of the texts in a row of that kind.
const fn texts_key(kind: Kind) -> &'static str {
    if matches!(kind, Kind::ToolCallChunks) { "args" } else { "texts" }
}

/// The top-level fields of a row.
#[derive(Default)]
struct Top<'a> {
    tag: Option<Value<'a>>,
    seq0: Option<Value<'a>>,
    time0: Option<Value<'a>>,
    data: Option<Value<'a>>,
    unknown: Option<Text<'a>>,
}

impl<'a> Top<'a> {
    fn take(&mut self, key: Text<'a>, value: Value<'a>) {
        match &*key.decode() {
            b"type" => self.tag = Some(value),
            b"seq0" => self.seq0 = Some(value),
            b"time0" => self.time0 = Some(value),
            b"data" => self.data = Some(value),
            _ => self.unknown = self.unknown.or(Some(key)),
        }
    }
}

impl<'a> PackedRow<'a> {
    /// Reads a row, exactly as the harness does.
    pub fn parse(value: Value<'a>) -> Result<Self, RowFault> {
        let mut top = Top::default();
        value.fields().for_each(|(key, value)| top.take(key, value));
        Self::of_top(&top)
    }

    /// Reads a row from a line that is checked already.
    pub fn of_spans(spans: &'a Spans<'a>) -> Result<Self, RowFault> {
        let mut top = Top::default();
        spans.each(|key, value| top.take(key, value));
        Self::of_top(&top)
    }

    fn of_top(top: &Top<'a>) -> Result<Self, RowFault> {
        let &Top { tag, seq0, time0, data, unknown } = top;
        let tag = tag.and_then(Value::as_text).ok_or(RowFault::Missing("type"))?;
        let kind = Kind::from_name(&tag.decode_upto(64));
        if !kind.is_packed() {
            return Err(RowFault::Invalid("type"));
        }
        if let Some(key) = unknown {
            return Err(RowFault::UnknownKey(key.to_wire()));
        }
        Self::of_data(kind, integer(seq0, "seq0")?, integer(time0, "time0")?, data.ok_or(RowFault::Missing("data"))?)
    }

    fn of_data(kind: Kind, seq0: i64, time0: i64, data: Value<'a>) -> Result<Self, RowFault> {
        if !data.is_object() {
            return Err(RowFault::Invalid("data"));
        }
        let (mut turn, mut step, mut index, mut gaps, mut texts) = (None, None, None, None, None);
        let (mut id, mut name) = (None, None);
        let is_call = kind == Kind::ToolCallChunks;
        for (key, value) in data.fields() {
            match &*key.decode() {
                b"turn" => turn = Some(value),
                b"step" => step = Some(value),
                b"index" => index = Some(value),
                b"dt" => gaps = Some(value),
                b"texts" if !is_call => texts = Some(value),
                b"args" if is_call => texts = Some(value),
                b"id" if is_call => id = Some(value),
                b"name" if is_call => name = Some(value),
                _ => return Err(RowFault::UnknownKey(key.to_wire())),
            }
        }
        if is_call && id.is_none() {
            return Err(RowFault::Missing("id"));
        }
        let gaps = gaps.ok_or(RowFault::Missing("dt"))?;
        let texts = texts.ok_or(RowFault::Missing(texts_key(kind)))?;
        let TextRun { items: members, chars } = texts.text_run().ok_or(RowFault::Invalid(texts_key(kind)))?;
        let (gap_count, last_time, apart) = last_time(time0, gaps)?;
        if members == 0 {
            return Err(RowFault::NoMembers);
        }
        if gap_count + 1 != members {
            return Err(RowFault::Arity { members, gaps: gap_count });
        }
        // Members are bytes of a line, far below 2^53.
        if seq0 + (members as i64 - 1) > SAFE {
            return Err(RowFault::OutOfRange);
        }
        Ok(Self {
            kind,
            seq0,
            time0,
            last_time,
            turn: integer(turn, "turn")?,
            step: integer(step, "step")?,
            index: integer(index, "index")?,
            id: text(id, "id")?,
            name: text(name, "name")?,
            members,
            chars,
            apart,
            gaps,
            texts,
        })
    }

    /// The members in order.
    #[must_use]
    pub fn members(&self) -> Members<'a> {
        Members { seq: self.seq0, time: self.time0, gaps: self.gaps.items(), texts: self.texts.items() }
    }
}

fn integer(value: Option<Value<'_>>, key: &'static str) -> Result<i64, RowFault> {
    value.ok_or(RowFault::Missing(key))?.as_i64().ok_or(RowFault::Invalid(key))
}

fn text<'a>(value: Option<Value<'a>>, key: &'static str) -> Result<Option<Text<'a>>, RowFault> {
    value.map(|value| value.as_text().ok_or(RowFault::Invalid(key))).transpose()
}

/// Number of gaps, the time after all of them, and how long they are.
fn last_time(time0: i64, gaps: Value<'_>) -> Result<(usize, i64, Gaps), RowFault> {
    if !gaps.is_array() {
        return Err(RowFault::Invalid("dt"));
    }
    let (mut count, mut time, mut apart) = (0usize, time0, Gaps::default());
    for gap in gaps.integers() {
        let gap = gap.ok_or(RowFault::Invalid("dt"))?;
        // Both are safe integers, so the sum cannot overflow.
        time += gap;
        if time.abs() > SAFE {
            return Err(RowFault::OutOfRange);
        }
        count += 1;
        apart.add(gap, u32::try_from(count).unwrap_or(u32::MAX));
    }
    Ok((count, time, apart))
}

/// Walks the members of a [`PackedRow`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    seq: i64,
    time: i64,
    gaps: Items<'a>,
    texts: Items<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        let text = self.texts.next()?.as_text()?;
        let member = Member { seq: self.seq, time: self.time, text };
        self.seq = self.seq.saturating_add(1);
        self.time = self.time.saturating_add(self.gaps.next().and_then(Value::as_i64).unwrap_or_default());
        Some(member)
    }
}

#[cfg(test)]
mod tests;
