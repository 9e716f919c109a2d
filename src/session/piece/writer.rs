//! Lines to rows and meanings: the part of a job that knows no decoder.

use std::sync::Arc;

use super::super::container::FrameDamage;
use super::super::row::{BlockId, Flags, Row, RowIx};
use super::{Carry, Head, Keep, Meaning, Note, Piece};
use crate::log::decode::FrameFault;
use crate::log::frames::Frame;
use crate::log::kept::{Keeper, KeptBlock};
use crate::log::lines::{Line, LineEnd, LineLimit};
use crate::log::reader::BlockAddress;
use crate::log::stretch::{Rest, Stretch, StretchKind};
use crate::record::event::{Body, Event, Surface};
use crate::record::extract;
use crate::record::header::Header;
use crate::record::kinds::Kind;

/// Text of one block of a plain log at most.
pub(super) const BLOCK: u64 = 256 << 10;

/// Collects the rows of a job.
#[derive(Debug, Default)]
pub(super) struct PieceWriter {
    /// What there is so far.
    pub(super) piece: Piece,
    /// The next line may be the header.
    pub(super) at_start: bool,
    /// Marks for every row that follows.
    pub(super) marks: Flags,
    /// Packs the blocks of huge frames; made when the first is met, since it takes 1 MiB.
    keeper: Option<Keeper>,
}

impl PieceWriter {
    /// Begins a piece. `starts_log`: its first line may be the header.
    pub(super) fn begin(&mut self, piece: Piece, starts_log: bool) {
        self.piece = piece;
        self.at_start = starts_log;
        self.marks = Flags::default();
    }

    pub(super) fn small_frame(&mut self, frame: &Frame, number: u64, text: &[u8], is_first: bool) {
        let block = self.block(
            BlockAddress::Frame { offset: frame.offset, len: frame.len, skip: 0, take: text.len() as u64 },
            number,
        );
        if is_first {
            self.piece.header_frame_exact = memchr::memchr(b'\n', text).is_some_and(|end| end + 1 == text.len());
        }
        self.piece.frames += 1;
        self.piece.decoded += text.len() as u64;
        self.piece.end = frame.offset + frame.len;
        let mut from = 0;
        if !self.piece.carry.bytes.is_empty() {
            let Some(end) = memchr::memchr(b'\n', text) else {
                self.piece.carry.extend(text, LineLimit::DEFAULT);
                return;
            };
            self.joined(&text[..end]);
            from = end + 1;
        }
        self.lines(text, block, from);
    }

    /// The lines of a block's text from a place on; the unfinished last one is carried.
    pub(super) fn lines(&mut self, text: &[u8], block: BlockId, start: usize) {
        let mut from = start;
        for end in memchr::memchr_iter(b'\n', &text[start..]) {
            let line = &text[from..start + end];
            self.terminated(line, block, from as u32);
            from = start + end + 1;
        }
        if from < text.len() {
            self.piece.carry = Carry { bytes: text[from..].to_vec(), dropped: 0, block, at: from as u32 };
        }
    }

    /// Ends the line that an earlier frame began.
    pub(super) fn joined(&mut self, rest: &[u8]) {
        let mut carry = std::mem::take(&mut self.piece.carry);
        carry.extend(rest, LineLimit::DEFAULT);
        self.piece.split += 1;
        self.marks.set(Flags::SPLIT);
        if carry.dropped == 0 {
            self.terminated(&carry.bytes, carry.block, carry.at);
        } else {
            let is_crlf = rest.ends_with(b"\r");
            self.with_end(&carry.bytes, carry.len() - u64::from(is_crlf), carry.block, carry.at, is_crlf);
        }
        self.marks = self.marks.without(Flags::SPLIT);
    }

    /// Gives up the line that an earlier frame began, since damage follows.
    pub(super) fn give_up_carry(&mut self) {
        if self.piece.carry.bytes.is_empty() {
            return;
        }
        let carry = std::mem::take(&mut self.piece.carry);
        self.marks.set(Flags::UNTERMINATED);
        self.line(&carry.bytes, carry.len(), carry.block, carry.at);
        self.marks = self.marks.without(Flags::UNTERMINATED);
    }

    pub(super) fn note(&mut self, note: Note) {
        let row_at = self.piece.rows.len();
        self.piece.notes.push((row_at, note));
    }

    pub(super) fn damaged(&mut self, frame: &Frame, number: u64, fault: &FrameFault) {
        self.give_up_carry();
        self.piece.frames += 1;
        self.piece.end = frame.offset + frame.len;
        self.note(Note::Damaged(FrameDamage {
            frame: number,
            offset: frame.offset,
            len: frame.len,
            why: fault.to_string(),
            next_row: RowIx(0),
        }));
    }

    /// A stretch of a huge frame: one block. `begun` is where the line lies that an earlier frame began.
    pub(super) fn stretch(&mut self, frame: &Frame, number: u64, stretch: &Stretch, begun: (BlockId, u32), keep: Keep) {
        let address = part(frame, stretch.offset, stretch.taken);
        match stretch.kind {
            StretchKind::Lines => {
                let kept = if keep == Keep::HugeFrames { self.pack(&stretch.text) } else { None };
                let block = self.block(kept.map_or(address, |kept| BlockAddress::Kept(Arc::new(kept))), number);
                self.lines(&stretch.text, block, 0);
            }
            StretchKind::LongLine => {
                let block = self.block(address, number);
                self.only_line(stretch, block, 0);
            }
            StretchKind::Joined => {
                self.piece.split += 1;
                self.marks.set(Flags::SPLIT);
                self.only_line(stretch, begun.0, begun.1);
                self.marks = self.marks.without(Flags::SPLIT);
                // The line goes on from the block before: what it has in this frame is a block all the same.
                self.block(address, number);
            }
        }
    }

    fn only_line(&mut self, stretch: &Stretch, block: BlockId, at: u32) {
        if stretch.dropped == 0 {
            let text = stretch.text.strip_suffix(b"\n").unwrap_or(&stretch.text);
            self.terminated(text, block, at);
        } else {
            let len = stretch.text.len() as u64 + stretch.dropped - u64::from(stretch.dropped_cr);
            self.with_end(&stretch.text, len, block, at, stretch.dropped_cr);
        }
    }

    /// The end of a huge frame: `decoded` bytes of text, of which `rest` ends no line. `begun` is where the line lies
    /// that an earlier frame began.
    pub(super) fn frame_ended(&mut self, frame: &Frame, number: u64, decoded: u64, rest: Rest, begun: (BlockId, u32)) {
        self.piece.frames += 1;
        self.piece.decoded += decoded;
        self.piece.end = frame.end();
        let Rest { bytes, dropped, offset, is_joined } = rest;
        if bytes.is_empty() {
            return;
        }
        let address = part(frame, offset, decoded - offset);
        let block = self.block(address, number);
        let (block, at) = if is_joined { begun } else { (block, 0) };
        self.piece.carry = Carry { bytes, dropped, block, at };
    }

    /// Packs the text of a block; `None` without memory for it: the block is then decoded from its frame.
    fn pack(&mut self, text: &[u8]) -> Option<KeptBlock> {
        if self.keeper.is_none() {
            self.keeper = Keeper::new().ok();
        }
        self.keeper.as_mut()?.keep(text).ok()
    }

    pub(super) fn plain_line(&mut self, stretch: &mut PlainStretch, line: &Line<'_>) {
        let bytes = line.with_end();
        if stretch.len > 0 && stretch.len + bytes > BLOCK {
            self.end_plain(stretch);
        }
        if stretch.len == 0 {
            stretch.start = line.offset;
        }
        let block = BlockId(self.piece.blocks.len() as u32);
        self.ended(line, block, stretch.len as u32);
        self.piece.decoded += bytes;
        self.piece.end = line.offset + bytes;
        stretch.len += bytes;
    }

    pub(super) fn end_plain(&mut self, stretch: &mut PlainStretch) {
        if stretch.len > 0 {
            self.block(BlockAddress::Plain { offset: stretch.start, len: stretch.len }, 0);
            stretch.len = 0;
        }
    }

    pub(super) fn block(&mut self, address: BlockAddress, frame: u64) -> BlockId {
        self.piece.blocks.push(address);
        self.piece.frame_of.push(frame.min(u64::from(u32::MAX)) as u32);
        BlockId(self.piece.blocks.len() as u32 - 1)
    }

    /// A line as it lies between two line feeds.
    pub(super) fn terminated(&mut self, text: &[u8], block: BlockId, at: u32) {
        let (text, is_crlf) = match text {
            [text @ .., b'\r'] => (text, true),
            text => (text, false),
        };
        self.with_end(text, text.len() as u64, block, at, is_crlf);
    }

    /// A line that a splitter cut.
    pub(super) fn ended(&mut self, line: &Line<'_>, block: BlockId, at: u32) {
        self.with_end(line.bytes, line.len, block, at, line.end == LineEnd::CrLf);
    }

    pub(super) fn with_end(&mut self, text: &[u8], len: u64, block: BlockId, at: u32, is_crlf: bool) {
        if is_crlf {
            self.piece.crlf += 1;
            self.marks.set(Flags::CRLF);
        }
        self.line(text, len, block, at);
        if is_crlf {
            self.marks = self.marks.without(Flags::CRLF);
        }
    }

    pub(super) fn line(&mut self, text: &[u8], len: u64, block: BlockId, at: u32) {
        self.piece.longest = self.piece.longest.max(len);
        let mut text = text;
        if std::mem::take(&mut self.at_start) {
            if let Some(rest) = text.strip_prefix(b"\xef\xbb\xbf") {
                self.piece.byte_order_mark = true;
                text = rest;
            }
            if let Some(header) = Header::parse(text) {
                let len = len.min(u64::from(u32::MAX)) as u32;
                self.piece.head = Some(Head { header, at: (block, at, len) });
                return;
            }
        }
        self.read_line(text, len, block, at);
    }

    /// Row and meaning of one line. `len` is the whole length; `text` is shorter where the line is over the limit.
    fn read_line(&mut self, text: &[u8], len: u64, block: BlockId, at: u32) {
        let len = len.min(u64::from(u32::MAX)) as u32;
        let mut row = Row::new(block, at, len, Kind::Unknown);
        row.flags = self.marks;
        if simdutf8::basic::from_utf8(text).is_err() {
            row.flags.set(Flags::NOT_UTF8);
        }
        // An event is large: it is put where it stays before it is looked at.
        self.piece.meanings.push(match extract::event(text) {
            Ok(event) => Meaning::Event(event),
            Err(bad) => Meaning::Bad(bad),
        });
        match self.piece.meanings.last() {
            Some(Meaning::Event(event)) => describe(&mut row, event),
            _ => row.flags.set(Flags::BAD),
        }
        self.piece.rows.push(row);
    }
}

/// Fills a row from its event.
fn describe(row: &mut Row, event: &Event) {
    row.kind = event.kind;
    row.stamp(event.seq, event.time);
    row.members = event.members;
    if event.ignorable {
        row.flags.set(Flags::IGNORABLE);
    }
    match event.surface {
        Surface::None | Surface::Odd => {}
        Surface::Append => row.flags.set(Flags::SURFACE),
        Surface::Replace { .. } => {
            row.flags.set(Flags::SURFACE);
            row.flags.set(Flags::REPLACES);
        }
    }
    match &event.body {
        Body::Chunk { streamed, .. } => {
            row.chars = streamed.text_chars.saturating_add(streamed.reasoning_chars);
            for (present, flag) in [
                (streamed.text_chars > 0, Flags::TEXT),
                (streamed.reasoning_chars > 0, Flags::REASONING),
                (!streamed.calls.is_empty(), Flags::TOOL_CALL),
                (streamed.finish.is_some(), Flags::FINISH),
            ] {
                if present {
                    row.flags.set(flag);
                }
            }
            if streamed.finish.as_ref().is_some_and(|finish| finish.failure.is_some()) {
                row.flags.set(Flags::ERROR);
            }
        }
        Body::Result { is_error: true, .. }
        | Body::SubResult { is_error: true, .. }
        | Body::Attempt { .. }
        | Body::Retry { .. } => {
            row.flags.set(Flags::ERROR);
        }
        Body::TurnEnd { reason, .. } if reason.failure.is_some() => row.flags.set(Flags::ERROR),
        Body::CommandDone { kind: Some(kind), .. } if kind.as_bytes() == b"error" => row.flags.set(Flags::ERROR),
        _ => {}
    }
}

/// The open block of a plain log.
#[derive(Debug, Default)]
pub(super) struct PlainStretch {
    pub(super) start: u64,
    pub(super) len: u64,
}

/// The address of a part of a frame's text.
fn part(frame: &Frame, skip: u64, take: u64) -> BlockAddress {
    BlockAddress::Frame { offset: frame.offset, len: frame.len, skip, take }
}

/// Where a piece stood before a frame, to forget what a bad frame put in.
pub(super) struct Mark {
    rows: usize,
    blocks: usize,
    longest: u64,
    crlf: u64,
    split: u64,
    had_head: bool,
}

impl Mark {
    pub(super) fn of(piece: &Piece) -> Mark {
        Mark {
            rows: piece.rows.len(),
            blocks: piece.blocks.len(),
            longest: piece.longest,
            crlf: piece.crlf,
            split: piece.split,
            had_head: piece.head.is_some(),
        }
    }

    pub(super) fn restore(self, piece: &mut Piece) {
        piece.rows.truncate(self.rows);
        piece.meanings.truncate(self.rows);
        piece.blocks.truncate(self.blocks);
        piece.frame_of.truncate(self.blocks);
        piece.longest = self.longest;
        piece.crlf = self.crlf;
        piece.split = self.split;
        if !self.had_head {
            piece.head = None;
        }
    }
}
