//! What is remembered of logs that were left: where the cursor was, folds, the filter, marks; and the shares of the panes.
//!
//! It comes from a file that anybody may have written into, so every list is cut to its bound and every place is looked
//! up like one that was typed: what is not there is left out.

use serde::{Deserialize, Serialize};

use super::area::{Share, Shares};

/// Logs that are remembered; the one left longest ago goes first.
pub const MOST_LOGS: usize = 200;

/// Folds that are remembered of a log.
const MOST_FOLDS: usize = 500;

/// Types that are hidden by name.
const MOST_TYPES: usize = 200;

/// Bytes of a query, a path, an id.
const MOST_BYTES: usize = 8 << 10;

/// Everything that is remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// Shares that were chosen by keys or the mouse.
    pub panes: Panes,
    /// The logs, the one left last at the end.
    pub logs: Vec<Left>,
}

/// Shares in percent; `None`: as the size suggests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Panes {
    /// Width of the timeline.
    pub timeline: Option<u8>,
    /// Height of the detail.
    pub detail: Option<u8>,
}

/// Which log it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Which {
    /// The id of its session, printable; empty where the header names none.
    pub session: String,
    /// Its path from the root, printable.
    pub path: String,
}

/// A log as it was left.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Left {
    /// Which log.
    pub log: Which,
    /// Where the cursor was, unless it stood where the log begins.
    pub at: Option<Kept>,
    /// Levels that were unfolded.
    pub unfold: u8,
    /// Runs the other way round, by their first lines.
    pub runs: Vec<Kept>,
    /// Packed rows and messages the other way round.
    pub rows: Vec<Kept>,
    /// What was shown: `chat`, `hidden`, else everything.
    pub view: String,
    /// Types that were hidden.
    pub hidden_types: Vec<String>,
    /// The query of the filter line.
    pub query: String,
    /// Marks.
    pub marks: Vec<(char, Kept)>,
}

/// An event, by what stays the same when the log is read again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Its seq.
    pub seq: Option<i64>,
    /// Events with the same seq after it.
    pub later: u32,
    /// Its line.
    pub line: Option<u64>,
    /// Lines from the last one.
    pub from_end: u32,
}

/// The panes as they are, and the log that is open, as the next start should find them. `None` where nothing is
/// remembered, or nothing was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// Shares, where keys or the mouse changed them.
    pub panes: Option<Panes>,
    /// The log that was open.
    pub left: Option<Left>,
}

impl Left {
    /// Whether nothing of it differs from a log that is opened for the first time.
    #[must_use]
    pub fn is_plain(&self, unfold: u8) -> bool {
        *self == Left { log: self.log.clone(), unfold, ..Left::default() }
    }

    fn cut(&mut self) {
        self.runs.truncate(MOST_FOLDS);
        self.rows.truncate(MOST_FOLDS);
        self.hidden_types.truncate(MOST_TYPES);
        self.hidden_types.retain(|name| name.len() <= MOST_BYTES);
        self.marks.truncate(MOST_FOLDS);
    }

    fn is_too_long(&self) -> bool {
        [&self.log.session, &self.log.path, &self.query, &self.view].iter().any(|text| text.len() > MOST_BYTES)
    }
}

impl Memory {
    /// The same within its bounds.
    #[must_use]
    pub fn bounded(mut self) -> Memory {
        self.logs.retain(|left| !left.is_too_long());
        let surplus = self.logs.len().saturating_sub(MOST_LOGS);
        self.logs.drain(..surplus);
        self.logs.iter_mut().for_each(Left::cut);
        self
    }

    /// How a log was left.
    #[must_use]
    pub fn of(&self, log: &Which) -> Option<&Left> {
        self.logs.iter().rev().find(|left| left.log == *log)
    }

    /// Takes in how a log was left; one that was left plain is forgotten. `unfold`: levels that are unfolded at first.
    pub fn take(&mut self, left: Left, unfold: u8) {
        self.logs.retain(|other| other.log != left.log);
        if !left.is_plain(unfold) {
            self.logs.push(left);
        }
        *self = std::mem::take(self).bounded();
    }

    /// The shares of the panes: those that are set, else those that are remembered.
    #[must_use]
    pub fn shares(&self, set: Shares) -> Shares {
        let or = |set: Share, kept: Option<u8>| match (set.number(), kept) {
            (None, Some(kept)) => Share::percent(i64::from(kept)).unwrap_or(set),
            (Some(_), _) | (None, None) => set,
        };
        Shares { timeline: or(set.timeline, self.panes.timeline), detail: or(set.detail, self.panes.detail) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(path: &str) -> Left {
        let log = Which { session: "s".into(), path: path.into() };
        Left { log, at: Some(Kept { seq: Some(1), ..Kept::default() }), ..Left::default() }
    }

    #[test]
    fn the_log_left_longest_ago_goes_first() {
        let mut memory = Memory::default();
        for at in 0..=MOST_LOGS {
            memory.take(left(&at.to_string()), 0);
        }
        memory.take(left("1"), 0);
        assert_eq!(memory.logs.len(), MOST_LOGS);
        assert_eq!(memory.of(&left("0").log), None);
        assert_eq!(memory.logs.last(), Some(&left("1")));
    }

    #[test]
    fn a_log_that_was_left_plain_is_forgotten() {
        let mut memory = Memory::default();
        memory.take(left("a"), 0);
        memory.take(Left { at: None, unfold: 2, ..left("a") }, 2);
        assert_eq!(memory, Memory::default());
    }

    #[test]
    fn what_is_too_much_is_cut() {
        let long = "x".repeat(MOST_BYTES + 1);
        let logs = vec![
            Left { query: long.clone(), ..left("a") },
            Left { rows: vec![Kept::default(); MOST_FOLDS + 1], hidden_types: vec![long], ..left("b") },
        ];
        let memory = Memory { logs, ..Memory::default() }.bounded();
        assert_eq!(memory.logs.len(), 1);
        assert_eq!((memory.logs[0].rows.len(), memory.logs[0].hidden_types.len()), (MOST_FOLDS, 0));
    }

    #[test]
    fn shares_that_are_set_go_before_those_that_are_remembered() {
        let memory = Memory { panes: Panes { timeline: Some(30), detail: Some(99) }, ..Memory::default() };
        let set = Shares { timeline: Share::percent(50).unwrap(), ..Shares::default() };
        assert_eq!(memory.shares(set), set);
        assert_eq!(memory.shares(Shares::default()).timeline, Share::percent(30).unwrap());
    }
}
