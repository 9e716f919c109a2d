//! One line of the log as the index holds it: where it lies and what it is, never its text.

use crate::record::kinds::Kind;

/// Position of a line in the index, from 0; the header is no row. In file order, never by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct RowIx(pub u32);

impl RowIx {
    /// The position as an index into a slice.
    #[must_use]
    pub fn as_usize(self) -> usize {
        self.0 as usize
    }
}

/// A recorded `seq`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seq(pub i64);

/// A point in time: milliseconds since the Unix epoch, as recorded; it may step back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

/// A unit of random access: a frame, a part of a huge frame, a stretch of a plain log, the torn tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The block `by` places further on. Wraps: a block before the piece that counts it lies below 0 until it is moved.
    #[must_use]
    pub fn moved(self, by: u32) -> BlockId {
        BlockId(self.0.wrapping_add(by))
    }

    /// The block `by` places before it; wraps like [`BlockId::moved`].
    #[must_use]
    pub fn moved_back(self, by: u32) -> BlockId {
        BlockId(self.0.wrapping_sub(by))
    }
}

/// An event type as the index interned it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TypeId(pub u16);

impl TypeId {
    /// The type of a line that is no event: no type of the index has this number.
    pub const NONE: TypeId = TypeId(u16::MAX);
}

/// An event: a line and the member inside it (always 0 but for packed rows).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct EventRef {
    /// The line.
    pub row: RowIx,
    /// The member of a packed row, from 0.
    pub member: u32,
}

/// Marks of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u16);

impl Flags {
    /// On the surface: the model saw it.
    pub const SURFACE: Flags = Flags(1);
    /// Replaces nodes of the surface instead of appending.
    pub const REPLACES: Flags = Flags(1 << 1);
    /// Saved from a torn frame.
    pub const TORN: Flags = Flags(1 << 2);
    /// The first row after damage or foreign bytes.
    pub const AFTER_DAMAGE: Flags = Flags(1 << 3);
    /// No event: the line does not parse, is blank, or is a malformed packed row.
    pub const BAD: Flags = Flags(1 << 4);
    /// Holds bytes that are not UTF-8.
    pub const NOT_UTF8: Flags = Flags(1 << 5);
    /// Starts in one frame and ends in a later one.
    pub const SPLIT: Flags = Flags(1 << 6);
    /// Ends with CR LF.
    pub const CRLF: Flags = Flags(1 << 7);
    /// The data ends before the line does.
    pub const UNTERMINATED: Flags = Flags(1 << 8);
    /// A chunk that carries a finish reason.
    pub const FINISH: Flags = Flags(1 << 9);
    /// `ignorable: true`.
    pub const IGNORABLE: Flags = Flags(1 << 10);
    /// Text deltas (packed or single).
    pub const TEXT: Flags = Flags(1 << 11);
    /// Reasoning deltas.
    pub const REASONING: Flags = Flags(1 << 12);
    /// Tool-call deltas or the start of a tool-call block.
    pub const TOOL_CALL: Flags = Flags(1 << 13);
    /// Something went wrong here: an error result, a turn that ended with an error, a failed attempt, a retry.
    pub const ERROR: Flags = Flags(1 << 14);
    /// The seq is not the one expected here.
    pub const BREAK: Flags = Flags(1 << 15);

    /// The marks as bits, for [`super::rows`].
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// The marks of such bits.
    pub(super) fn of_bits(bits: u16) -> Flags {
        Flags(bits)
    }

    /// Whether all marks of `other` are set.
    #[must_use]
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The marks without those of `other`.
    #[must_use]
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// Sets the marks of `other`.
    pub fn set(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// A line of the log, no text. The index holds it in fewer bytes: see [`super::rows`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    seq: i64,
    /// The low bytes: a time lies within 2^53, and a row is a word smaller without the highest one.
    time: [u8; 7],
    /// Its type, if the catalogue knows it.
    pub kind: Kind,
    /// Where its text lies.
    pub block: BlockId,
    /// Offset of its first byte in the decoded text of the block.
    pub at: u32,
    /// Bytes of the line without its line end, saturating at 4 GiB.
    pub len: u32,
    /// Events it stands for: 0 for a bad line, 1 for most, the members of a packed row.
    pub members: u32,
    /// Characters of text that a chunk line streamed (text or reasoning, as its flags say).
    pub chars: u32,
    /// Its type, interned; [`TypeId::NONE`] for a line that is no event.
    pub type_id: TypeId,
    /// Marks.
    pub flags: Flags,
}

/// Stands for a missing `seq`; no log writes it, since integers end at 2^61.
const MISSING: i64 = i64::MIN;

/// Stands for a missing time: the lowest number of seven bytes.
const NO_TIME: [u8; 7] = [0, 0, 0, 0, 0, 0, 0x80];

/// Bits of a number of eight bytes that one of seven does not have.
const SPARE: u32 = 8;

impl Row {
    /// A row at a place, of the given size; everything else is filled by the builder.
    #[must_use]
    pub fn new(block: BlockId, at: u32, len: u32, kind: Kind) -> Row {
        Row {
            seq: MISSING,
            time: NO_TIME,
            kind,
            block,
            at,
            len,
            members: 0,
            chars: 0,
            type_id: TypeId::NONE,
            flags: Flags::default(),
        }
    }

    /// Recorded seq of its first member.
    #[must_use]
    pub fn seq(self) -> Option<Seq> {
        (self.seq != MISSING).then_some(Seq(self.seq))
    }

    /// Seq of its last member.
    #[must_use]
    pub fn last_seq(self) -> Option<Seq> {
        self.seq().map(|Seq(first)| Seq(first.saturating_add(i64::from(self.members.max(1)) - 1)))
    }

    /// Recorded time of its first member.
    #[must_use]
    pub fn time(self) -> Option<Timestamp> {
        let mut bytes = [0; 8];
        bytes[1..].copy_from_slice(&self.time);
        (self.time != NO_TIME).then_some(Timestamp(i64::from_le_bytes(bytes) >> SPARE))
    }

    /// Sets seq and time.
    pub fn stamp(&mut self, seq: Option<i64>, time: Option<i64>) {
        self.seq = seq.unwrap_or(MISSING);
        let fits = time.filter(|time| time.unsigned_abs() < 1 << (63 - SPARE));
        debug_assert_eq!(fits, time, "times are integers that JSON keeps exact");
        self.time = NO_TIME;
        if let Some(time) = fits {
            self.time.copy_from_slice(&time.to_le_bytes()[..7]);
        }
    }

    /// Whether it is part of a model attempt's chunk run: a single chunk or a packed row.
    #[must_use]
    pub fn is_chunk(self) -> bool {
        self.kind.is_chunk()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_takes_40_bytes_and_keeps_its_times() {
        assert_eq!(size_of::<Row>(), 40);
        let mut row = Row::new(BlockId(0), 0, 0, Kind::Unknown);
        assert_eq!((row.seq(), row.time()), (None, None));
        let most = (1 << 53) - 1;
        for time in [0, 1, -1, 1_783_950_000_024, most, -most] {
            row.stamp(Some(time), Some(time));
            assert_eq!((row.seq(), row.time()), (Some(Seq(time)), Some(Timestamp(time))));
        }
    }
}
