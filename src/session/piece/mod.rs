//! One job of the index: a run of frames, or a stretch of a plain log, read into rows and meanings.
//!
//! A worker owns a [`PieceReader`]; a [`Piece`] is what it hands to the builder. Rows and blocks of a piece count from
//! 0; the builder moves them to their place. Nothing of a frame is believed before its checksum held: a frame that
//! fails leaves no row behind.

use std::ops::Range;

use super::container::FrameDamage;
use super::row::{BlockId, Row};
use crate::log::frames::{Frame, Part};
use crate::log::lines::{LineLimit, has_room};
use crate::log::reader::BlockAddress;
use crate::record::event::Event;
use crate::record::extract::BadLine;
use crate::record::header::Header;

pub use reader::{PieceReader, frame_damaged, frame_ended, stretches};

mod reader;
mod writer;

/// What the line of a row means.
#[allow(clippy::large_enum_variant, reason = "nearly every line is an event, and a box a line would cost more")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// An event or a packed row.
    Event(Event),
    /// No event, and why.
    Bad(BadLine),
    /// The data ends before the line does: it is no event, whatever it holds.
    Unterminated,
}

/// Something between lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A frame whose content cannot be had.
    Damaged(FrameDamage),
    /// Bytes that are no frame: offset and length.
    Foreign(u64, u64),
    /// A skippable frame: offset and length.
    Skippable(u64, u64),
}

/// The header line, where the piece begins the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The header.
    pub header: Header,
    /// Where its line lies: block, offset, length.
    pub at: (BlockId, u32, u32),
}

/// A line begun and not ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Carry {
    /// Its bytes so far, at most as many as [`LineLimit::DEFAULT`] allows.
    pub bytes: Vec<u8>,
    /// Bytes of it that were dropped, being over the limit.
    pub dropped: u64,
    /// Block in which it begins, counted from the first block of the piece that takes it up.
    pub block: BlockId,
    /// Offset there.
    pub at: u32,
}

impl Carry {
    /// Length of the line so far, what was dropped included.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64 + self.dropped
    }

    /// Whether no line is begun.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A copy of what is there, for a text in which the line may go on.
    #[must_use]
    pub fn begun(&self) -> (Vec<u8>, u64) {
        (self.bytes.clone(), self.dropped)
    }

    /// Takes more of the line, as far as the limit allows: frames of a few bytes can hold any number of them.
    fn extend(&mut self, more: &[u8], limit: LineLimit) {
        let room = limit.0.saturating_sub(self.bytes.len());
        let (kept, over) = more.split_at(room.min(more.len()));
        if self.dropped == 0 && has_room(&mut self.bytes, kept.len()) {
            self.bytes.extend_from_slice(kept);
            self.dropped = over.len() as u64;
        } else {
            self.dropped += more.len() as u64;
        }
    }
}

/// What a job yields.
#[derive(Debug, Default)]
pub struct Piece {
    /// One row a line.
    pub rows: Vec<Row>,
    /// What each row means.
    pub meanings: Vec<Meaning>,
    /// The blocks of the rows.
    pub blocks: Vec<BlockAddress>,
    /// Frame number of each block.
    pub frame_of: Vec<u32>,
    /// Notes, each with the number of rows before it.
    pub notes: Vec<(usize, Note)>,
    /// The header, in the piece that begins the log.
    pub head: Option<Head>,
    /// The text begins with a byte order mark.
    pub byte_order_mark: bool,
    /// Complete frames, damaged ones included.
    pub frames: u64,
    /// Decoded bytes.
    pub decoded: u64,
    /// Longest line, bytes without its end.
    pub longest: u64,
    /// Lines that end with CR LF.
    pub crlf: u64,
    /// Lines that lie in more than one frame.
    pub split: u64,
    /// Whether the first frame was exactly one line, in the piece that begins a zstd log.
    pub header_frame_exact: bool,
    /// The line that the piece leaves unfinished; empty bytes for none.
    pub carry: Carry,
    /// Offset in the file after the last byte read.
    pub end: u64,
    /// Of a stretch of a huge frame: offset in the frame's text after it.
    pub text_end: u64,
}

/// What a worker is asked to read.
#[derive(Debug)]
pub enum Job {
    /// Parts of a zstd log, in file order; the number is that of the first frame among them.
    Frames(Vec<Part>, u64),
    /// The last lines of one frame, of about so many bytes of text: all of it is decoded, and nothing else is read.
    FrameEnd(Frame, u64),
    /// The lines that begin in a stretch of a plain log; the last of them may end after it.
    Plain(Range<u64>),
    /// An unfinished frame: offset and length.
    Torn(u64, u64),
}

/// A frame too large for a job: it is read stretch by stretch.
#[derive(Debug, Clone, Copy)]
pub struct Huge {
    /// The frame.
    pub frame: Frame,
    /// Its number, the header frame being 0.
    pub number: u64,
    /// Where the line begins that an earlier frame left unfinished: block, counted from the first block of the frame,
    /// and offset.
    pub begun: (BlockId, u32),
}

/// Whether the decoded text of huge frames stays in memory, compressed anew in small blocks.
///
/// A viewer needs that, since a frame can only be decoded from its start; a report reads each byte once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Blocks of huge frames are kept.
    HugeFrames,
    /// Nothing is kept.
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_many_frames_is_held_up_to_the_limit_and_counted_whole() {
        let mut carry = Carry::default();
        for (more, held, len) in [("ab", "ab", 2), ("cde", "abcd", 5), ("f", "abcd", 6), ("", "abcd", 6)] {
            carry.extend(more.as_bytes(), LineLimit(4));
            assert_eq!((carry.bytes.as_slice(), carry.len()), (held.as_bytes(), len), "after {more:?}");
        }
    }
}
