//! What was read of a log, and how pieces are put into it, in file order.

use std::io;
use std::sync::Arc;

use super::super::container::{BadLineAt, Container, FrameDamage, TornTail};
use super::super::index::Index;
use super::super::piece::{Carry, Job, Keep, Meaning, Note, Piece, PieceReader};
use super::super::row::{Flags, Row, RowIx};
use super::Listener;
use crate::log::sniff::Encoding;
use crate::log::source::Source;
use crate::record::extract::BadLine;
use crate::record::header::Header;
use crate::record::kinds::Kind;

/// What was read of a log.
#[derive(Debug, Clone)]
pub struct Reading<L> {
    /// The index.
    pub index: Index,
    /// Counts and damage.
    pub container: Container,
    /// The header.
    pub header: Option<Header>,
    /// The listener, having heard every line.
    pub listener: L,
}

impl<L: Listener> Reading<L> {
    /// Nothing of a log.
    pub(super) fn new(encoding: Encoding, listener: L) -> Reading<L> {
        let index = Index { lines_before: Some(0), ..Index::default() };
        Reading { index, container: Container::new(encoding), header: None, listener }
    }

    /// Takes a piece in. `is_torn`: it comes from an unfinished frame, whose lines and bytes are counted apart.
    pub(super) fn absorb(&mut self, piece: Piece, is_torn: bool, at_start: &mut bool) -> Carry {
        if self.container.complete_frames == 0 && !is_torn {
            self.container.header_frame_exact = piece.header_frame_exact;
        }
        self.container.byte_order_mark |= piece.byte_order_mark;
        // The first line is the header's, however much comes before its end.
        *at_start &= piece.head.is_none() && piece.rows.is_empty();
        let base = self.index.blocks.len() as u32;
        self.index.blocks.extend(piece.blocks);
        let frames = self.container.complete_frames.min(u64::from(u32::MAX)) as u32;
        let frame_of = piece.frame_of.into_iter().map(|frame| if is_torn { frames } else { frame });
        self.index.frame_of.extend(frame_of);
        if let Some(head) = piece.head {
            let (block, at, len) = head.at;
            self.index.header_lines = 1;
            self.index.header_at = Some((block.moved(base), at, len));
            if simdutf8::basic::from_utf8(&head.header.raw).is_err() {
                self.container.lines_not_utf8.push(1);
            }
            self.listener.header(&head.header);
            self.header = Some(head.header);
            self.container.lines += u64::from(!is_torn);
        }
        self.container.complete_frames += piece.frames;
        self.container.decoded_bytes += piece.decoded;
        self.container.long_line_bytes = self.container.long_line_bytes.max(piece.longest);
        self.container.crlf_lines += piece.crlf;
        self.container.split_lines += piece.split;
        let mut notes = piece.notes.into_iter().peekable();
        for (at, (mut row, meaning)) in piece.rows.into_iter().zip(&piece.meanings).enumerate() {
            while let Some((_, note)) = notes.next_if(|(before, _)| *before <= at) {
                self.note(note);
                row.flags.set(Flags::AFTER_DAMAGE);
            }
            row.block = row.block.moved(base);
            self.container.lines += u64::from(!is_torn);
            self.push(row, meaning);
        }
        for (_, note) in notes {
            self.note(note);
        }
        let mut carry = piece.carry;
        carry.block = carry.block.moved(base).moved_back(self.index.blocks.len() as u32);
        carry
    }

    fn push(&mut self, mut row: Row, meaning: &Meaning) {
        let at = RowIx(self.index.rows.len() as u32);
        let line = self.index.lines_before.unwrap_or(0) + u64::from(at.0) + 1 + u64::from(self.index.header_lines);
        if row.flags.has(Flags::NOT_UTF8) {
            self.container.lines_not_utf8.push(line);
        }
        match meaning {
            Meaning::Event(event) => {
                row.type_id = match event.kind {
                    Kind::Unknown => self.index.types.of_name(event.unknown_type.as_deref()),
                    kind => self.index.types.of_kind(kind),
                };
                self.index.types.count(row.type_id, u64::from(event.members));
                self.container.events += u64::from(event.members);
                self.container.packed_rows += u64::from(event.kind.is_packed());
                if event.seq.is_some_and(|seq| self.index.seq_falls_back(seq)) {
                    self.index.steps_back.push(at);
                }
            }
            Meaning::Bad(bad) => {
                self.container.packed_rows += u64::from(matches!(bad, BadLine::MalformedPackedRow(_)));
                self.bad(at, line, why(bad), bad.to_string());
            }
            Meaning::Unterminated => self.bad(at, line, "no newline at end of data", String::new()),
        }
        self.listener.line(at, line, &mut row, meaning);
        self.index.rows.push(row);
    }

    fn bad(&mut self, row: RowIx, line: u64, why: &'static str, detail: String) {
        self.container.bad_lines.push(BadLineAt { line, row, why, detail });
    }

    fn note(&mut self, note: Note) {
        let next = RowIx(self.index.rows.len() as u32);
        self.listener.note(next, &note);
        match note {
            Note::Damaged(damage) => {
                self.container.damaged_frames.push(FrameDamage { next_row: next, ..damage });
            }
            Note::Foreign(offset, len) => self.container.foreign_bytes.push((offset, len)),
            Note::Skippable(offset, len) => self.container.skippable_frames.push((offset, len)),
        }
    }

    /// A line without an end, at the end of the data: it is no event, whatever it holds.
    fn push_unterminated(&mut self, carry: &Carry, mark: Flags) {
        let len = carry.len().min(u64::from(u32::MAX)) as u32;
        let mut row = Row::new(carry.block.moved(self.index.blocks.len() as u32), carry.at, len, Kind::Unknown);
        for flag in [Flags::BAD, Flags::UNTERMINATED, mark] {
            row.flags.set(flag);
        }
        if simdutf8::basic::from_utf8(&carry.bytes).is_err() {
            row.flags.set(Flags::NOT_UTF8);
        }
        self.container.long_line_bytes = self.container.long_line_bytes.max(carry.len());
        self.push(row, &Meaning::Unterminated);
    }

    /// What a torn frame holds after its last whole line: shown as a row, counted as no line and no bad line.
    fn push_leftover(&mut self, rest: &Carry) {
        let len = rest.len().min(u64::from(u32::MAX)) as u32;
        let mut row = Row::new(rest.block.moved(self.index.blocks.len() as u32), rest.at, len, Kind::Unknown);
        for flag in [Flags::BAD, Flags::UNTERMINATED, Flags::TORN] {
            row.flags.set(flag);
        }
        self.index.rows.push(row);
    }
}

/// Reads the unfinished end into a reading.
pub(super) fn finish<L: Listener>(
    reading: &mut Reading<L>,
    carry: &Carry,
    torn: Option<(u64, u64)>,
    source: &Arc<dyn Source>,
    keep: Keep,
    at_start: bool,
) -> io::Result<()> {
    let next = RowIx(reading.index.rows.len() as u32);
    if !carry.is_empty() {
        reading.container.lines += 1;
        if reading.container.encoding == Encoding::Plain {
            reading.container.decoded_bytes += carry.len();
        }
        reading.push_unterminated(carry, Flags::default());
    }
    let Some((offset, bytes)) = torn else { return Ok(()) };
    let mut tail = TornTail { offset, bytes, complete_lines_inside: 0, leftover_bytes: carry.len(), first_row: next };
    if reading.container.encoding == Encoding::Zstd {
        let mut reader = PieceReader::new(Arc::clone(source), keep)?;
        let mut starts_log = at_start && carry.is_empty();
        let piece = reader.read(&Job::Torn(offset, bytes), Carry::default(), starts_log)?;
        tail.first_row = RowIx(reading.index.rows.len() as u32);
        tail.complete_lines_inside = piece.rows.len() as u64 + u64::from(piece.head.is_some());
        tail.leftover_bytes = piece.carry.len();
        if reading.container.complete_frames == 0 {
            reading.container.header_frame_exact = false;
        }
        let rest = reading.absorb(piece, true, &mut starts_log);
        if !rest.is_empty() {
            reading.push_leftover(&rest);
        }
    }
    reading.container.torn_tail = Some(tail);
    Ok(())
}

/// The words of docs/REPORT.md for a line that is no event.
fn why(bad: &BadLine) -> &'static str {
    match bad {
        BadLine::Blank => "blank",
        BadLine::NotJson(_) => "not JSON",
        BadLine::NotAnObject => "not an object",
        BadLine::MalformedPackedRow(_) => "malformed packed row",
    }
}
