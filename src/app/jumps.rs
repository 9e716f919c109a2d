//! Jumps back and forward, marks, and the identity of an event across readings of the file.

use std::collections::BTreeMap;

use super::family::Spot;
use super::memory::Kept;
use crate::session::index::Index;
use crate::session::row::{EventRef, RowIx, Seq};
use crate::store::lineage::MemberIx;

/// Jumps kept in each direction.
const MOST_JUMPS: usize = 200;

/// An event by what stays the same when the file is read again: its seq and the how-many-eth with it, else its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    seq: Option<Seq>,
    /// Events with the same seq after this one: the tail of a log knows these, and not those before.
    later: u32,
    line: Option<u64>,
    /// Lines from the last one, where nothing else tells.
    from_end: u32,
}

impl Identity {
    /// The identity of an event.
    pub(crate) fn of(index: &Index, event: EventRef) -> Identity {
        let row = index.rows.get(event.row);
        let seq = row.and_then(|row| {
            let Seq(first) = row.seq()?;
            let member = if row.members > 1 { event.member } else { 0 };
            Some(Seq(first.saturating_add(i64::from(member))))
        });
        let found = seq.filter(|_| !index.steps_back.is_empty()).map(|seq| index.find(seq)).unwrap_or_default();
        let later = found.iter().filter(|other| other.row > event.row).count() as u32;
        let from_end = (index.rows.len() as u32).saturating_sub(event.row.0);
        Identity { seq, later, line: index.line(event.row), from_end }
    }

    /// The same event in another reading; `None` when it is not there.
    pub(crate) fn find(&self, index: &Index) -> Option<EventRef> {
        let rows = index.rows.len() as u32;
        if let Some(seq) = self.seq {
            let found = index.find(seq);
            let place = found.len().checked_sub(1 + self.later as usize)?;
            return found.get(place).copied();
        }
        let by_line = self.line.and_then(|line| index.row_of_line(line));
        let row = by_line.or_else(|| rows.checked_sub(self.from_end).map(RowIx)).filter(|row| row.0 < rows)?;
        Some(EventRef { row, member: 0 })
    }

    /// The same for what is remembered over the end of the program.
    pub(crate) fn kept(&self) -> Kept {
        Kept { seq: self.seq.map(|Seq(seq)| seq), later: self.later, line: self.line, from_end: self.from_end }
    }

    /// From what was remembered; it may name anything.
    pub(crate) fn of_kept(kept: Kept) -> Identity {
        Identity { seq: kept.seq.map(Seq), later: kept.later, line: kept.line, from_end: kept.from_end }
    }

    /// Its seq, where it has one.
    pub(crate) fn seq(&self) -> Option<Seq> {
        self.seq
    }
}

/// Jumps and marks.
#[derive(Debug, Clone, Default)]
pub struct Jumps {
    back: Vec<Spot>,
    forward: Vec<Spot>,
    marks: BTreeMap<char, Spot>,
}

impl Jumps {
    /// Notes where a jump started.
    pub(crate) fn leave(&mut self, from: Spot) {
        if self.back.last() != Some(&from) {
            self.back.push(from);
        }
        if self.back.len() > MOST_JUMPS {
            self.back.remove(0);
        }
        self.forward.clear();
    }

    /// One jump back from here.
    pub(crate) fn back(&mut self, here: Spot) -> Option<Spot> {
        let to = self.back.pop()?;
        self.forward.push(here);
        Some(to)
    }

    /// One jump forward from here.
    pub(crate) fn forward(&mut self, here: Spot) -> Option<Spot> {
        let to = self.forward.pop()?;
        self.back.push(here);
        Some(to)
    }

    /// Where the last jump started.
    pub(crate) fn last(&self) -> Option<Spot> {
        self.back.last().copied()
    }

    /// Members are others by now, or gone: jumps and marks of those that are gone go with them.
    pub(crate) fn keep(&mut self, same: impl Fn(MemberIx) -> Option<MemberIx>) {
        let moved = |spot: Spot| Some(Spot { member: same(spot.member)?, ..spot });
        self.back = std::mem::take(&mut self.back).into_iter().filter_map(moved).collect();
        self.forward = std::mem::take(&mut self.forward).into_iter().filter_map(moved).collect();
        let marks = std::mem::take(&mut self.marks).into_iter();
        self.marks = marks.filter_map(|(letter, spot)| Some((letter, moved(spot)?))).collect();
    }

    pub(crate) fn set_mark(&mut self, letter: char, place: Spot) {
        self.marks.insert(letter, place);
    }

    /// Where `'` and a letter lead, with the letters: the marks, and `'` itself, the place before the last jump.
    pub(crate) fn lettered(&self) -> impl Iterator<Item = (char, Spot)> {
        let last = self.last().map(|spot| ('\'', spot));
        self.marks.iter().map(|(letter, spot)| (*letter, *spot)).chain(last)
    }

    /// The marks in a member.
    pub(crate) fn marks_of(&self, member: MemberIx) -> impl Iterator<Item = (char, Identity)> {
        let marks = self.marks.iter().filter(move |(_, spot)| spot.member == member);
        marks.map(|(letter, spot)| (*letter, spot.place))
    }

    pub(crate) fn mark(&self, letter: char) -> Option<Spot> {
        self.marks.get(&letter).copied()
    }
}
