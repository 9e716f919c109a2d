//! The timeline: which rows stand in it, where the cursor is, what a window of it shows.

pub(crate) mod build;
mod items;
pub(crate) mod place;
pub(crate) mod window;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) use self::items::Items;
use super::calls::Fold;
use super::map::{MapCell, Worst};
use crate::session::row::{EventRef, RowIx, Seq, Timestamp};
use crate::text::role::Span;
use crate::triage::what::What;

/// A row of the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// A line of the log.
    Row(RowIx),
    /// The head of a run of chunk lines of one model attempt, both ends included.
    Run {
        /// First line.
        first: RowIx,
        /// Last line.
        last: RowIx,
    },
    /// A line inside an open run.
    Inner(RowIx),
    /// A member of an open packed row, or a record of the stream embedded in an open message.
    Member {
        /// The line.
        row: RowIx,
        /// The member, from 0.
        member: u32,
    },
    /// A line of a rule or note.
    Rule {
        /// Which rule.
        rule: u32,
        /// Which line of it, from 0.
        line: u32,
    },
    /// A record that a resume would add: place in `Facts::resume`.
    Ghost(u32),
}

/// What a rule line says, ready to draw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleView {
    /// The text, printable.
    pub spans: Vec<Span>,
    /// A shorter text for narrow timelines.
    pub short: Option<Vec<Span>>,
    /// Drawn as `╌╌ text ╌╌╌╌`; else as a note, indented three columns.
    pub ruled: bool,
}

/// An event row, ready to draw.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of its own on the row")]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventView {
    /// The event; of a run its first.
    pub event: EventRef,
    /// Seq of the first event it stands for.
    pub first_seq: Option<Seq>,
    /// Seq of the last one; equal to the first for a single event.
    pub last_seq: Option<Seq>,
    /// 1 for the first event with this seq, 2 for the second: drawn as `6/2` from 2 on.
    pub occurrence: u32,
    /// Line of the log counted from 1, where known: shown in place of a missing seq.
    pub line: Option<u64>,
    /// Milliseconds since the row before it, whatever is filtered; `None` for the first.
    pub gap_ms: Option<i64>,
    /// Milliseconds since the first event of the log.
    pub since_start_ms: Option<i64>,
    /// Recorded time.
    pub time: Option<Timestamp>,
    /// Type as the log spells it, printable.
    pub type_name: String,
    /// Levels it is indented: 0, 1 inside a run, 2 for a member of a packed row inside it.
    pub level: u8,
    /// Open, folded, or nothing to open.
    pub fold: Fold,
    /// The model saw it.
    pub surface: bool,
    /// Not in the file.
    pub ghost: bool,
    /// Saved from a torn frame.
    pub torn: bool,
    /// Copied by a fork.
    pub inherited: bool,
    /// A chunk run or a line of one: drawn dim.
    pub chunk: bool,
    /// A line that is no event.
    pub bad: bool,
    /// It holds the text that is searched.
    pub hit: bool,
    /// The one-line text with its mark; `None` while it is made.
    pub what: Option<Arc<What>>,
}

/// What a row of the window shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowKind {
    /// An event, a run, a member, a ghost.
    Event(EventView),
    /// A rule or a note.
    Rule(RuleView),
}

/// A row of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowView {
    /// Which item.
    pub item: Item,
    /// The cursor (or the link, while another pane has the focus) stands here.
    pub cursor: bool,
    /// What it shows.
    pub kind: RowKind,
    /// The cell of the map in this screen row.
    pub map: MapCell,
}

/// The deepest level: members of packed rows.
pub(crate) const MOST_LEVEL: u8 = 2;

/// How far things are unfolded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds {
    /// 0: runs folded; 1: runs open; 2: packed rows open too.
    pub(crate) level: u8,
    /// Runs, by first line, that are the other way round.
    pub(crate) runs: BTreeSet<RowIx>,
    /// Packed rows and messages that are the other way round.
    pub(crate) rows: BTreeSet<RowIx>,
}

impl Folds {
    /// Whether the run that begins at a line is open.
    pub(crate) fn is_run_open(&self, first: RowIx) -> bool {
        (self.level >= 1) != self.runs.contains(&first)
    }

    /// Whether the members of a line are shown.
    pub(crate) fn is_row_open(&self, row: RowIx) -> bool {
        (self.level >= 2) != self.rows.contains(&row)
    }

    /// Sets the level for everything.
    pub(crate) fn set(&mut self, level: u8) {
        *self = Folds { level, ..Folds::default() };
    }

    pub(crate) fn flip_run(&mut self, first: RowIx) {
        if !self.runs.remove(&first) {
            self.runs.insert(first);
        }
    }

    pub(crate) fn flip_row(&mut self, row: RowIx) {
        if !self.rows.remove(&row) {
            self.rows.insert(row);
        }
    }
}

/// The timeline.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    pub(crate) items: Items,
    /// Item with the cursor; inside `items` unless that is empty.
    pub(crate) cursor: usize,
    /// First item on screen.
    pub(crate) top: usize,
    /// Rows on screen.
    pub(crate) height: u16,
    pub(crate) folds: Folds,
    /// Where the cursor was before rows went away, and where it was put instead: it comes back unless it was moved.
    pub(crate) moved_off: Option<(Item, Item)>,
    /// Records in the streams of messages that were counted.
    pub(crate) streams: BTreeMap<RowIx, u32>,
    /// How many rows there are in all and how many of them are shown, runs counted once.
    pub(crate) rows: Counts,
    /// The same in events.
    pub(crate) events: Counts,
    /// The worst thing of each stretch of the map; empty until it is charted.
    pub(crate) chart: Vec<Option<Worst>>,
    /// Items that tell of a break or damage, and what they show in the map.
    pub(crate) ruled: Vec<(u32, Worst)>,
    /// Rows, runs counted once, before every [`build::MILE`]th item.
    pub(crate) miles: Vec<u32>,
}

/// Shown of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Shown.
    pub shown: u64,
    /// In all.
    pub all: u64,
}

impl Timeline {
    /// An empty timeline whose rows will be unfolded so far: 0, 1 or 2.
    pub(crate) fn unfolded(level: u8) -> Timeline {
        let mut timeline = Timeline::default();
        timeline.folds.set(level.min(MOST_LEVEL));
        timeline
    }

    /// How many rows it has, rules and ghosts included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The row with the cursor.
    #[must_use]
    pub fn current(&self) -> Option<Item> {
        self.items.get(self.cursor)
    }

    /// Place of the cursor among the rows, from 0.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Place of the first row on screen.
    #[must_use]
    pub fn top(&self) -> usize {
        self.top
    }

    /// Rows shown and in all, chunk runs counted once.
    #[must_use]
    pub fn rows(&self) -> Counts {
        self.rows
    }

    /// Events shown and in all.
    #[must_use]
    pub fn events(&self) -> Counts {
        self.events
    }
}
