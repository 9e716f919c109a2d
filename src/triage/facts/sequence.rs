//! What is said of the log as a whole: its version, its numbers, its types, what a fork copied.

use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Which version the log is read as, and how that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The version.
    pub version: i64,
    /// Where it came from.
    pub source: FormatSource,
    /// Whether this program knows the version.
    pub known: bool,
    /// The version in the file name, where the name has the canonical form.
    pub file_name_version: Option<i64>,
}

/// Where the version came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatSource {
    /// `header.version`.
    Header,
    /// The file name.
    FileName,
    /// Guessed from what the lines hold.
    Guessed,
}

/// Whether the seqs are dense.
#[derive(Debug, Clone, Default)]
pub struct Sequence {
    /// Seq of the first event.
    pub first: Option<i64>,
    /// Seq of the last event in the file.
    pub last: Option<i64>,
    /// Places where the next number is not the one expected.
    pub breaks: Vec<Break>,
    /// Numbers that occur more than once, ascending.
    pub repeated: Vec<i64>,
}

impl Sequence {
    /// Whether every number was the one expected.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.breaks.is_empty()
    }
}

/// A place where the next number is not the one expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// Line, counted from 1 with the header.
    pub line: u64,
    /// The row that has the unexpected number.
    pub row: RowIx,
    /// The last row before it that has a number.
    pub before: Option<RowIx>,
    /// Number expected.
    pub expected: i64,
    /// Number found; `None` where the record has none, or none that is an integer.
    pub got: Option<i64>,
    /// Why, as far as the log shows.
    pub cause: BreakCause,
}

impl Break {
    /// The number found as a text; `?` where there is none.
    #[must_use]
    pub fn got_text(&self) -> String {
        self.got.map_or_else(|| "?".to_owned(), |got| got.to_string())
    }
}

/// Why the sequence breaks (docs/REPORT.md, key `seq`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakCause {
    /// The numbers found again were taken by closing records of a recovery.
    LateResultAfterRecovery,
    /// Any other number that comes again.
    TwoWriters,
    /// A forward gap in a zstd log.
    LostFrames,
    /// A forward gap in a plain log.
    LostLines,
    /// The gap is exactly what bad lines would have filled.
    UnreadableLines,
    /// None of these.
    Unknown,
}

/// An event of a type outside the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownType {
    /// The type; `None` where the line names none.
    pub name: Option<WireText>,
    /// Its seq.
    pub seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
    /// Whether a reader may skip it.
    pub ignorable: bool,
}

/// What a fork copied from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inherited {
    /// Number of leading events copied.
    pub events: u64,
    /// First own row; `None` when nothing is inherited.
    pub cut_row: Option<RowIx>,
}
