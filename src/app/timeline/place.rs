//! Moving in the timeline: where an event stands, what stands at the cursor, which rows are on screen.

use super::{Item, Timeline};
use crate::app::rules::{END, Rule};
use crate::session::row::{EventRef, RowIx};

/// Where an event stands in the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Located {
    /// Which item.
    pub(crate) at: usize,
    /// The item stands for the event; else it is the nearest before it, or the first.
    pub(crate) exact: bool,
}

/// The line an item stands at; [`END`] below the last line.
pub(crate) fn row_of(item: Item, rules: &[Rule]) -> RowIx {
    match item {
        Item::Row(row) | Item::Inner(row) | Item::Member { row, .. } | Item::Run { first: row, .. } => row,
        Item::Rule { rule, .. } => rules.get(rule as usize).map_or(END, |rule| rule.at),
        Item::Ghost(_) => END,
    }
}

/// The event an item stands for: of a run its first; nothing for rules and ghosts.
pub(crate) fn event_of(item: Item) -> Option<EventRef> {
    match item {
        Item::Row(row) | Item::Inner(row) | Item::Run { first: row, .. } => Some(EventRef { row, member: 0 }),
        Item::Member { row, member } => Some(EventRef { row, member }),
        Item::Rule { .. } | Item::Ghost(_) => None,
    }
}

impl Timeline {
    /// Where an event stands; `None` only in an empty timeline. Binary search, then a walk over the members of one line.
    pub(crate) fn locate(&self, event: EventRef, rules: &[Rule]) -> Option<Located> {
        if self.items.is_empty() {
            return None;
        }
        let after = self.items.partition_point(|item| row_of(item, rules) <= event.row);
        for (at, item) in self.items.range(0..after).enumerate().rev() {
            match item {
                Item::Rule { .. } | Item::Ghost(_) => {}
                Item::Member { row, member } if row == event.row => {
                    if member <= event.member {
                        return Some(Located { at, exact: member == event.member });
                    }
                }
                Item::Row(row) | Item::Inner(row) | Item::Member { row, .. } => {
                    return Some(Located { at, exact: row == event.row });
                }
                Item::Run { last, .. } => return Some(Located { at, exact: event.row <= last }),
            }
        }
        Some(Located { at: 0, exact: false })
    }

    /// Where an item stands, if it stands anywhere.
    pub(crate) fn position(&self, item: Item, rules: &[Rule]) -> Option<usize> {
        let row = row_of(item, rules);
        let from = self.items.partition_point(|other| row_of(other, rules) < row);
        let same_row = self.items.range(from..self.items.len()).take_while(|other| row_of(*other, rules) == row);
        same_row.enumerate().find(|(_, other)| *other == item).map(|(at, _)| from + at)
    }

    /// The first line of the rule at a row, for jumps to breaks.
    pub(crate) fn locate_rule(&self, row: RowIx, rules: &[Rule]) -> Option<usize> {
        let from = self.items.partition_point(|item| row_of(item, rules) < row);
        let here = self.items.range(from..self.items.len()).take_while(|item| row_of(*item, rules) == row);
        let is_damage = |item: &Item| match item {
            Item::Rule { rule, line: 0 } => rules.get(*rule as usize).is_some_and(|rule| rule.is_damage),
            _ => false,
        };
        here.enumerate().find(|(_, item)| is_damage(item)).map(|(at, _)| from + at)
    }

    /// Puts the cursor on an item and scrolls as little as needed.
    pub(crate) fn set_cursor(&mut self, at: usize) {
        self.cursor = at.min(self.items.len().saturating_sub(1));
        self.reveal();
    }

    /// Scrolls as little as needed to show the cursor, without blank rows at the end where rows could stand.
    pub(crate) fn reveal(&mut self) {
        let height = usize::from(self.height.max(1));
        let last_top = self.items.len().saturating_sub(height);
        self.top = self.top.min(last_top).min(self.cursor).max((self.cursor + 1).saturating_sub(height));
    }

    /// Puts the row with the cursor on this row of the screen, as far as the ends allow.
    pub(crate) fn show_at(&mut self, screen_row: usize) {
        let last_top = self.items.len().saturating_sub(usize::from(self.height.max(1)));
        self.top = self.cursor.saturating_sub(screen_row).min(last_top);
        self.reveal();
    }
}

/// Level of an item for "next on this level": rows, lines of a run, members.
pub(crate) fn level(item: Item) -> u8 {
    match item {
        Item::Row(_) | Item::Run { .. } | Item::Rule { .. } | Item::Ghost(_) => 0,
        Item::Inner(_) => 1,
        Item::Member { .. } => 2,
    }
}
