//! The index of one log: one [`Row`] a line, the blocks they lie in, the types they have.

use super::intern::Types;
use super::row::{BlockId, EventRef, Row, RowIx, Seq};
pub use super::rows::Rows;
use crate::log::reader::BlockAddress;

/// Rows looked back for the last seq: rows without one come singly, in damaged logs.
const LOOK_BACK: usize = 64;

/// The index of one log.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// One row a line, without the header.
    pub rows: Rows,
    /// Where the text of the rows lies.
    pub blocks: Vec<BlockAddress>,
    /// The types.
    pub types: Types,
    /// 1 where line 1 is the header, which is no row; else 0.
    pub header_lines: u32,
    /// Where the header lies, if there is one: block, offset and length.
    pub header_at: Option<(BlockId, u32, u32)>,
    /// Row at which a new ascending stretch of seqs begins, ascending; empty while no seq ever falls back.
    pub steps_back: Vec<RowIx>,
    /// Number of frames read so far that each block lies in: the frame number of a block, counted from 0.
    pub frame_of: Vec<u32>,
    /// Lines before row 0 that are not in this index (a view of the tail alone); `None`: not known yet.
    pub lines_before: Option<u64>,
}

impl Index {
    /// Stands for the number of a frame whose predecessors were not counted, in a view of the tail.
    pub const UNKNOWN_FRAME: u32 = u32::MAX;

    /// Number of the frame that a block lies in, the header frame being 0; `None` where it is not known, and in a
    /// plain log.
    #[must_use]
    pub fn frame(&self, block: BlockId) -> Option<u32> {
        let number = self.frame_of.get(block.0 as usize).copied()?;
        let is_frame = !matches!(self.blocks.get(block.0 as usize), None | Some(BlockAddress::Plain { .. }));
        (is_frame && number != Self::UNKNOWN_FRAME).then_some(number)
    }

    /// Line of a row, counted from 1 with the header as line 1; `None` in a view of the tail whose start was not read.
    #[must_use]
    pub fn line(&self, ix: RowIx) -> Option<u64> {
        self.lines_before.map(|before| before + u64::from(ix.0) + 1 + u64::from(self.header_lines))
    }

    /// The row of a line counted from 1; `None` for the header and for lines that are not there.
    #[must_use]
    pub fn row_of_line(&self, line: u64) -> Option<RowIx> {
        let at = line.checked_sub(1 + u64::from(self.header_lines) + self.lines_before?)?;
        (at < self.rows.len() as u64).then_some(RowIx(at as u32))
    }

    /// Every event with a seq, in file order (more than one only where the sequence is broken).
    ///
    /// Binary search in each ascending stretch.
    #[must_use]
    pub fn find(&self, seq: Seq) -> Vec<EventRef> {
        let total = self.rows.len() as u32;
        let starts = std::iter::once(RowIx(0)).chain(self.steps_back.iter().copied());
        let ends = self.steps_back.iter().copied().chain(std::iter::once(RowIx(total)));
        starts.zip(ends).filter_map(|(from, to)| self.find_between(seq, from, to)).collect()
    }

    /// The event a citation means: the nearest before `near` with that seq, else the first after it.
    #[must_use]
    pub fn resolve(&self, seq: Seq, near: RowIx) -> Option<EventRef> {
        let found = self.find(seq);
        found.iter().rev().find(|event| event.row <= near).or(found.first()).copied()
    }

    /// The last row at or before which every seq of the stretch is at most `seq`, for a jump to a seq that is missing.
    #[must_use]
    pub fn nearest(&self, seq: Seq) -> Option<RowIx> {
        (0..self.rows.len() as u32)
            .rev()
            .map(RowIx)
            .find(|ix| self.rows.get(*ix).and_then(Row::seq).is_some_and(|found| found <= seq))
    }

    /// Whether the next row, with this seq, begins a stretch of its own.
    #[must_use]
    pub(super) fn seq_falls_back(&self, seq: i64) -> bool {
        let last = self.rows.iter().rev().take(LOOK_BACK).find_map(Row::last_seq);
        last.is_some_and(|Seq(last)| seq <= last)
    }

    fn find_between(&self, seq: Seq, from: RowIx, to: RowIx) -> Option<EventRef> {
        let (mut low, mut high) = (from.0, to.0);
        while low < high {
            let middle = low + (high - low) / 2;
            // Rows without a seq are rare and take the seq of the next row that has one.
            let known = (middle..high)
                .find_map(|at| self.rows.get(RowIx(at)).and_then(|row| Some((at, row.seq()?, row.last_seq()?))));
            match known {
                None => high = middle,
                Some((at, _, last)) if seq > last => low = at + 1,
                Some((_, first, _)) if seq < first => high = middle,
                Some((at, first, _)) => {
                    return Some(EventRef { row: RowIx(at), member: (seq.0 - first.0) as u32 });
                }
            }
        }
        None
    }
}
