//! The rows of an index, packed: what a row says beside the first row of its chunk takes few bytes.
//!
//! Rows live in shared chunks: a snapshot of a growing index costs one pointer per `CHUNK` rows.

use std::sync::Arc;

use super::row::{BlockId, Flags, Row, RowIx, TypeId};
use crate::record::kinds::Kind;

/// Rows in a shared chunk: small enough that the open chunk is cheap to copy for a snapshot.
const CHUNK: usize = 4096;

/// Rows in shared chunks.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    full: Vec<Chunk>,
    open: Vec<Row>,
}

/// A chunk that is full.
#[derive(Debug, Clone)]
enum Chunk {
    /// Rows that say little beside the base.
    Packed(Base, Arc<[Packed]>),
    /// A row of it does not fit: all are held as they are.
    Whole(Arc<[Row]>),
}

/// What the packed rows of a chunk are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Base {
    seq: i64,
    time: i64,
    block: u32,
}

/// A row of a chunk, in bytes: numbers from the base, those of a line below 16 MiB, members and characters below 65,536.
#[derive(Debug, Clone, Copy)]
struct Packed {
    seq: [u8; 4],
    time: [u8; 4],
    block: [u8; 2],
    at: [u8; 3],
    len: [u8; 3],
    members: [u8; 2],
    chars: [u8; 2],
    type_id: [u8; 2],
    flags: [u8; 2],
    kind: Kind,
}

/// Stands for a missing seq or time.
const MISSING: i32 = i32::MIN;

/// A number of four bytes from a base; `None` where it is too far.
fn beside(number: Option<i64>, base: i64) -> Option<[u8; 4]> {
    let Some(number) = number else { return Some(MISSING.to_le_bytes()) };
    let apart = i32::try_from(number.checked_sub(base)?).ok()?;
    (apart != MISSING).then_some(apart.to_le_bytes())
}

fn from_base(bytes: [u8; 4], base: i64) -> Option<i64> {
    let apart = i32::from_le_bytes(bytes);
    (apart != MISSING).then_some(base.wrapping_add(i64::from(apart)))
}

fn three(number: u32) -> Option<[u8; 3]> {
    let [a, b, c, 0] = number.to_le_bytes() else { return None };
    Some([a, b, c])
}

fn of_three([a, b, c]: [u8; 3]) -> u32 {
    u32::from_le_bytes([a, b, c, 0])
}

fn two(number: u32) -> Option<[u8; 2]> {
    u16::try_from(number).ok().map(u16::to_le_bytes)
}

fn of_two(bytes: [u8; 2]) -> u32 {
    u32::from(u16::from_le_bytes(bytes))
}

impl Packed {
    fn new(row: Row, base: Base) -> Option<Packed> {
        Some(Packed {
            seq: beside(row.seq().map(|seq| seq.0), base.seq)?,
            time: beside(row.time().map(|time| time.0), base.time)?,
            block: two(row.block.0.checked_sub(base.block)?)?,
            at: three(row.at)?,
            len: three(row.len)?,
            members: two(row.members)?,
            chars: two(row.chars)?,
            type_id: row.type_id.0.to_le_bytes(),
            flags: row.flags.bits().to_le_bytes(),
            kind: row.kind,
        })
    }

    fn row(self, base: Base) -> Row {
        let block = BlockId(base.block + of_two(self.block));
        let mut row = Row::new(block, of_three(self.at), of_three(self.len), self.kind);
        row.stamp(from_base(self.seq, base.seq), from_base(self.time, base.time));
        row.members = of_two(self.members);
        row.chars = of_two(self.chars);
        row.type_id = TypeId(u16::from_le_bytes(self.type_id));
        row.flags = Flags::of_bits(u16::from_le_bytes(self.flags));
        row
    }
}

impl Base {
    /// What the rows of a chunk are counted from: the first seq and time, and the first block.
    fn of(rows: &[Row]) -> Base {
        Base {
            seq: rows.iter().find_map(|row| row.seq()).map_or(0, |seq| seq.0),
            time: rows.iter().find_map(|row| row.time()).map_or(0, |time| time.0),
            block: rows.iter().map(|row| row.block.0).min().unwrap_or(0),
        }
    }
}

impl Chunk {
    fn new(rows: &[Row]) -> Chunk {
        let base = Base::of(rows);
        let mut packed = Vec::with_capacity(rows.len());
        for row in rows {
            match Packed::new(*row, base) {
                Some(row) => packed.push(row),
                None => return Chunk::Whole(rows.into()),
            }
        }
        Chunk::Packed(base, packed.into())
    }

    fn get(&self, at: usize) -> Option<Row> {
        match self {
            Chunk::Packed(base, rows) => rows.get(at).map(|row| row.row(*base)),
            Chunk::Whole(rows) => rows.get(at).copied(),
        }
    }

    fn held(&self) -> usize {
        match self {
            Chunk::Packed(_, rows) => size_of_val(&**rows),
            Chunk::Whole(rows) => size_of_val(&**rows),
        }
    }
}

impl Rows {
    /// Appends a row; constant time but for the packing of a chunk every `CHUNK` rows.
    pub fn push(&mut self, row: Row) {
        self.open.push(row);
        if self.open.len() == CHUNK {
            self.full.push(Chunk::new(&self.open));
            self.open.clear();
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.open.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at a position.
    #[must_use]
    pub fn get(&self, ix: RowIx) -> Option<Row> {
        let at = ix.as_usize();
        match self.full.get(at / CHUNK) {
            Some(chunk) => chunk.get(at % CHUNK),
            None => self.open.get(at - self.full.len() * CHUNK).copied(),
        }
    }

    /// Changes the last row in place.
    pub fn last_mut(&mut self) -> Option<&mut Row> {
        if self.open.is_empty() {
            let chunk = self.full.pop()?;
            self.open.extend((0..CHUNK).filter_map(|at| chunk.get(at)));
        }
        self.open.last_mut()
    }

    /// All rows in file order.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Row> {
        let full = self.full.iter().flat_map(|chunk| (0..CHUNK).filter_map(|at| chunk.get(at)));
        full.chain(self.open.iter().copied())
    }

    /// Rows from a position on, in file order.
    pub fn iter_from(&self, from: RowIx) -> impl Iterator<Item = (RowIx, Row)> {
        (from.0..self.len() as u32).map_while(|at| Some((RowIx(at), self.get(RowIx(at))?)))
    }

    /// Bytes that the full chunks take.
    #[must_use]
    pub fn held(&self) -> usize {
        self.full.iter().map(Chunk::held).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(at: u32) -> Row {
        let mut row = Row::new(BlockId(7 + at / 50), at * 300 % 1_000_000, 299, Kind::ToolCall);
        row.stamp(Some(i64::from(at) * 9 - 3), Some(1_783_950_000_000 + i64::from(at) * 1000));
        (row.members, row.chars, row.type_id) = (at % 400, at * 7 % 65_536, TypeId(3));
        row.flags.set(Flags::BREAK);
        row
    }

    fn filled(rows: &[Row]) -> Rows {
        let mut filled = Rows::default();
        for row in rows {
            filled.push(*row);
        }
        filled
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let plain: Vec<Row> = (0..10_000).map(row).collect();
        let mut odd = Vec::new();
        let mut changed = |change: &dyn Fn(&mut Row)| {
            let mut rows = plain.clone();
            change(&mut rows[5000]);
            odd.push(rows);
        };
        changed(&|row| row.stamp(None, None));
        changed(&|row| row.stamp(Some(1 << 61), Some((1 << 53) - 1)));
        changed(&|row| row.stamp(Some(-(1 << 61)), Some(-(1 << 53) + 1)));
        changed(&|row| row.len = u32::MAX);
        changed(&|row| row.at = 1 << 24);
        changed(&|row| row.block = BlockId(u32::MAX));
        changed(&|row| row.block = BlockId(0));
        changed(&|row| row.members = 65_536);
        changed(&|row| row.chars = 65_536);
        changed(&|row| row.type_id = TypeId::NONE);
        changed(&|row| row.kind = Kind::Unknown);
        for rows in odd.iter().chain([&plain]) {
            let mut filled = filled(rows);
            assert!(filled.iter().eq(rows.iter().copied()));
            assert!(filled.iter().rev().eq(rows.iter().rev().copied()));
            let from = filled.iter_from(RowIx(4090)).map(|(at, row)| (at.as_usize(), row));
            assert!(from.eq(rows.iter().copied().enumerate().skip(4090)));
            assert_eq!(filled.get(RowIx(10_000)), None);
            assert_eq!(filled.last_mut().copied(), rows.last().copied());
        }
    }

    #[test]
    fn the_last_row_of_a_full_chunk_can_be_changed() {
        let mut rows = filled(&(0..CHUNK as u32).map(row).collect::<Vec<_>>());
        rows.last_mut().unwrap().flags.set(Flags::TORN);
        assert_eq!(rows.len(), CHUNK);
        assert!(rows.iter().next_back().unwrap().flags.has(Flags::TORN));
        assert_eq!(rows.get(RowIx(3)), Some(row(3)));
    }

    #[test]
    fn a_row_takes_25_bytes_in_a_full_chunk() {
        let rows: Vec<Row> = (0..2 * CHUNK as u32).map(row).collect();
        assert_eq!(filled(&rows).held(), 25 * rows.len());
    }
}
