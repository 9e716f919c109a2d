//! Looking through rows: what a query selects, what a search finds, with the text of lines where it is needed.

use std::borrow::Cow;

use super::joined::{Joined, Made, run_around};
use super::needle::Needle;
use super::predicate::{Ask, Prepared, Scope};
use super::quote::quote;
use super::strings::{Strings, unescaped};
use crate::record::json::Value;
use crate::record::kinds::Kind;
use crate::session::index::Index;
use crate::session::row::{Row, RowIx};
use crate::triage::session::Session;

/// Brings the text of lines, without line ends.
pub trait Lines {
    /// The text of a row; `None` where it cannot be read.
    fn line(&mut self, ix: RowIx) -> Option<Cow<'_, [u8]>>;
}

/// A set of rows: a bit each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowSet {
    bits: Vec<u64>,
}

impl RowSet {
    /// Whether a row is in it.
    #[must_use]
    pub fn has(&self, ix: RowIx) -> bool {
        self.bits.get(ix.as_usize() / 64).is_some_and(|word| word & (1 << (ix.0 % 64)) != 0)
    }

    /// Puts a row in.
    pub fn insert(&mut self, ix: RowIx) {
        let at = ix.as_usize() / 64;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        self.bits[at] |= 1 << (ix.0 % 64);
    }

    /// How many rows are in it.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether no row is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub enum Sought<'a> {
    /// What a query selects.
    Query(&'a Prepared),
    /// Rows whose stored or decoded text holds a needle; of a match over several deltas the row where it begins.
    Needle(&'a Needle),
}

/// Looks at rows, in any order, for one thing sought; neighbours are cheapest one after the other.
#[derive(Debug, Default)]
pub struct Sifter {
    joined: Option<Joined>,
    /// Of `joined`: the rows where a match of the needle begins.
    begins: Vec<RowIx>,
}

impl Sifter {
    /// Whether a row is what is sought.
    pub fn keeps(&mut self, sought: Sought<'_>, session: &Session, ix: RowIx, lines: &mut dyn Lines) -> bool {
        let Some(row) = session.index.rows.get(ix) else { return false };
        match sought {
            Sought::Query(query) => query.keeps(ix, &row, &mut self.text(session, ix, &row, lines)),
            Sought::Needle(needle) => self.finds(needle, session, ix, &row, lines),
        }
    }

    /// The text around the first match in a row that was found for a needle, printable and on one line: as it was
    /// decoded where the match stands in a text, else as it is stored.
    pub fn quote(&mut self, needle: &Needle, session: &Session, ix: RowIx, lines: &mut dyn Lines) -> Option<String> {
        let row = session.index.rows.get(ix)?;
        if row.is_chunk() {
            let joined = self.joined.as_ref().filter(|joined| joined.is_of(ix));
            if let Some(quoted) = joined.and_then(|joined| joined.quote(needle, ix)) {
                return Some(quoted);
            }
        }
        let line = lines.line(ix)?;
        let within = |text: &[u8]| needle.places(text).next().map(|place| quote(text, &place));
        let in_stream = || stream(ix, &line).filter(|_| has_stream(row.kind))?.quote(needle, ix);
        let quoted = Strings::of(&line).find_map(|text| within(&text)).or_else(in_stream).or_else(|| within(&line));
        // A pattern may match where nothing stands.
        quoted.or_else(|| Some(quote(&line, &(0..0))))
    }

    /// Whether a member of a row is what a query selects.
    pub fn keeps_member(
        &mut self,
        query: &Prepared,
        session: &Session,
        (ix, member): (RowIx, u32),
        lines: &mut dyn Lines,
    ) -> bool {
        let Some(row) = session.index.rows.get(ix) else { return false };
        query.keeps_member(ix, &row, member, &mut self.text(session, ix, &row, lines))
    }

    fn text<'a>(&'a mut self, session: &'a Session, ix: RowIx, row: &'a Row, lines: &'a mut dyn Lines) -> RowText<'a> {
        RowText { sifter: self, index: &session.index, ix, row, lines, told: Vec::new() }
    }

    fn finds(&mut self, needle: &Needle, session: &Session, ix: RowIx, row: &Row, lines: &mut dyn Lines) -> bool {
        if row.is_chunk() {
            if !self.joined.as_ref().is_some_and(|joined| joined.is_of(ix)) {
                self.join_run(&session.index, ix, lines);
                self.begins = self.joined.as_ref().map(|joined| joined.begins(needle)).unwrap_or_default();
            }
            if self.begins.binary_search(&ix).is_ok() {
                return true;
            }
        }
        let Some(line) = lines.line(ix) else { return false };
        // A text without escapes stands in a string as it stands in the line; a pattern may ask where the string begins.
        let may = needle.is_pattern() || memchr::memchr(b'\\', &line).is_some();
        needle.is_in(&line)
            || (may && Strings::of(&line).any(|text| in_string(needle, &text)))
            || (has_stream(row.kind) && stream(ix, &line).is_some_and(|joined| !joined.begins(needle).is_empty()))
    }

    fn join_run(&mut self, index: &Index, ix: RowIx, lines: &mut dyn Lines) {
        let mut joined = Joined::new(run_around(index, ix));
        for at in joined.rows() {
            if let Some(line) = lines.line(RowIx(at)) {
                joined.push_line(RowIx(at), &line);
            }
        }
        self.joined = Some(joined);
    }
}

fn has_stream(kind: Kind) -> bool {
    matches!(kind, Kind::AssistantMessage | Kind::AssistantAttempt)
}

/// The stream inside a line, where there is one.
fn stream(ix: RowIx, line: &[u8]) -> Option<Joined> {
    memchr::memmem::find(line, b"\"stream\"")?;
    let mut joined = Joined::new(ix.0..ix.0.saturating_add(1));
    joined.push_stream(ix, line);
    Some(joined)
}

/// The text of a row, asked for when it is needed.
struct RowText<'a> {
    sifter: &'a mut Sifter,
    index: &'a Index,
    ix: RowIx,
    row: &'a Row,
    lines: &'a mut dyn Lines,
    /// Answers given.
    told: Vec<((usize, Scope), bool)>,
}

impl Ask for RowText<'_> {
    fn holds(&mut self, id: usize, needle: &Needle, scope: Scope) -> bool {
        if let Some((_, told)) = self.told.iter().find(|(asked, _)| *asked == (id, scope)) {
            return *told;
        }
        let holds = match scope {
            Scope::Any => self.anywhere(needle),
            Scope::Arguments(block) => self.arguments(needle, block),
        };
        self.told.push(((id, scope), holds));
        holds
    }
}

impl RowText<'_> {
    fn anywhere(&mut self, needle: &Needle) -> bool {
        if self.row.is_chunk() && self.in_run(needle, None) {
            return true;
        }
        let Some(line) = self.lines.line(self.ix) else { return false };
        // A text without escapes can stand in a string only where it stands in the line.
        let may = needle.is_pattern() || memchr::memchr(b'\\', &line).is_some() || needle.is_in(&line);
        (may && Strings::of(&line).any(|text| in_string(needle, &text)))
            || (has_stream(self.row.kind)
                && stream(self.ix, &line).is_some_and(|mut joined| joined.holds(needle, None, self.ix)))
    }

    fn in_run(&mut self, needle: &Needle, made: Option<Made>) -> bool {
        if !self.sifter.joined.as_ref().is_some_and(|joined| joined.is_of(self.ix)) {
            self.sifter.join_run(self.index, self.ix, self.lines);
        }
        self.sifter.joined.as_mut().is_some_and(|joined| joined.holds(needle, made, self.ix))
    }

    fn arguments(&mut self, needle: &Needle, block: Option<u32>) -> bool {
        if self.row.is_chunk() {
            return self.in_run(needle, Some(Made::Arguments));
        }
        let kind = self.row.kind;
        if !matches!(
            kind,
            Kind::ToolCall
                | Kind::AssistantMessage
                | Kind::AssistantAttempt
                | Kind::ToolCodeDispatchStart
                | Kind::ToolPtcDispatchStart
        ) {
            return false;
        }
        let Some(line) = self.lines.line(self.ix) else { return false };
        let Ok(value) = Value::parse(&line) else { return false };
        let Some(data) = value.get("data") else { return false };
        let in_value = |value: Value<'_>| match value.as_text() {
            Some(text) => in_arguments(needle, &text.decode()),
            None => in_arguments(needle, value.raw()),
        };
        match kind {
            Kind::AssistantMessage => {
                let content = data.path(&["message", "content"]).into_iter().flat_map(Value::items);
                let calls = content.filter(|part| part.text("type").is_some_and(|kind| kind.is("tool-call")));
                let mut wanted = calls.enumerate().filter(|(at, _)| block.is_none_or(|block| block as usize == *at));
                wanted.any(|(_, call)| call.get("arguments").is_some_and(in_value))
            }
            Kind::AssistantAttempt => {
                stream(self.ix, &line).is_some_and(|mut joined| joined.holds(needle, Some(Made::Arguments), self.ix))
            }
            _ => data.get("arguments").is_some_and(in_value),
        }
    }
}

/// A string of a line. One that holds JSON, as arguments do, is looked at as arguments are.
fn in_string(needle: &Needle, text: &[u8]) -> bool {
    if text.first() == Some(&b'{') { in_arguments(needle, text) } else { needle.is_in(text) }
}

/// Arguments are JSON in a text: looked at as written, and with their escapes undone.
fn in_arguments(needle: &Needle, text: &[u8]) -> bool {
    needle.is_in(text) || (memchr::memchr(b'\\', text).is_some() && needle.is_in(&unescaped(text)))
}
