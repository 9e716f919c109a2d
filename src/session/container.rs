//! What a file is made of: frames, lines, damage. Counts and places, no judgement.

use super::row::RowIx;
use crate::log::sniff::Encoding;

/// Bytes, frames and lines of one log.
#[derive(Debug, Clone)]
pub struct Container {
    /// Bytes of the file when it was read.
    pub file_bytes: u64,
    /// By content; of an empty file by its name.
    pub encoding: Encoding,
    /// Whole frames, damaged ones included; 0 for a plain log.
    pub complete_frames: u64,
    /// Bytes that complete frames (or the plain file) decode to.
    pub decoded_bytes: u64,
    /// Lines that complete frames (or the plain file) hold, header and an unfinished last one included.
    pub lines: u64,
    /// Packed rows, malformed ones included.
    pub packed_rows: u64,
    /// Events, members of packed rows counted one by one, records saved from a torn frame included.
    pub events: u64,
    /// The unfinished end.
    pub torn_tail: Option<TornTail>,
    /// Frames that fail their checksum or do not decode.
    pub damaged_frames: Vec<FrameDamage>,
    /// Stretches that are no frame: offset and length.
    pub foreign_bytes: Vec<(u64, u64)>,
    /// Skippable frames: offset and length.
    pub skippable_frames: Vec<(u64, u64)>,
    /// The text begins with a byte order mark.
    pub byte_order_mark: bool,
    /// Lines that are no event.
    pub bad_lines: Vec<BadLineAt>,
    /// Lines with bytes that are not UTF-8, counted from 1.
    pub lines_not_utf8: Vec<u64>,
    /// Length of the longest line without its end.
    pub long_line_bytes: u64,
    /// Lines that end with CR LF.
    pub crlf_lines: u64,
    /// Lines that begin in one frame and end in another.
    pub split_lines: u64,
    /// The first frame holds exactly one line with its line end. `true` for plain logs.
    pub header_frame_exact: bool,
    /// Everything of the file was decoded; `false` for a view of the tail alone.
    pub complete: bool,
}

impl Container {
    /// An empty container of the given encoding.
    #[must_use]
    pub fn new(encoding: Encoding) -> Container {
        Container {
            file_bytes: 0,
            encoding,
            complete_frames: 0,
            decoded_bytes: 0,
            lines: 0,
            packed_rows: 0,
            events: 0,
            torn_tail: None,
            damaged_frames: Vec::new(),
            foreign_bytes: Vec::new(),
            skippable_frames: Vec::new(),
            byte_order_mark: false,
            bad_lines: Vec::new(),
            lines_not_utf8: Vec::new(),
            long_line_bytes: 0,
            crlf_lines: 0,
            split_lines: 0,
            header_frame_exact: true,
            complete: true,
        }
    }

    /// Whether a byte of the file is not what a sound log has there: a damaged frame, foreign bytes, a skippable frame.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        !self.damaged_frames.is_empty() || !self.foreign_bytes.is_empty() || !self.skippable_frames.is_empty()
    }
}

/// A complete frame whose content cannot be had: its lines are lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameDamage {
    /// Number of the frame, the header frame being 0.
    pub frame: u64,
    /// Where it starts in the file.
    pub offset: u64,
    /// How many bytes of the file it takes.
    pub len: u64,
    /// Why.
    pub why: String,
    /// The row that follows it.
    pub next_row: RowIx,
}

/// The unfinished end of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TornTail {
    /// Where it starts in the file.
    pub offset: u64,
    /// Bytes from there to the end.
    pub bytes: u64,
    /// Whole lines saved from inside it.
    pub complete_lines_inside: u64,
    /// Decoded bytes after the last whole line.
    pub leftover_bytes: u64,
    /// The first row saved from it, or the row of the unfinished line of a plain log.
    pub first_row: RowIx,
}

/// A line that is no event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLineAt {
    /// Line, counted from 1 with the header as line 1.
    pub line: u64,
    /// Its row.
    pub row: RowIx,
    /// Why, in the words of docs/REPORT.md.
    pub why: &'static str,
    /// More words for people: what the reader met.
    pub detail: String,
}
