//! Search over the text of the lines: what is looked for, and what was found.

use std::sync::Arc;

use super::message::Ticket;
use super::rules::Rule;
use super::timeline::Item;
use super::timeline::place::row_of;
pub use crate::query::Needle;
use crate::session::row::EventRef;

/// Hits kept; a search that finds more stops.
pub const MOST_HITS: usize = 100_000;

/// A search and its hits.
#[derive(Debug, Clone)]
pub struct Search {
    /// What is looked for.
    pub needle: Arc<Needle>,
    /// The question; hits of another are dropped.
    pub ticket: Ticket,
    /// Events that hold it, in file order.
    pub hits: Vec<EventRef>,
    /// Lines looked at.
    pub looked_at: u64,
    /// Nothing more will come.
    pub done: bool,
    /// A jump waits for the first hit, forwards or backwards.
    pub(crate) wanted: Option<Way>,
}

impl Search {
    /// The number, from 1, of the match that an item of the timeline holds, its first; else of the last before it, or 0.
    pub(crate) fn nth(&self, item: Item, rules: &[Rule]) -> usize {
        let (from, to) = match item {
            Item::Run { first, last } => (first, Some(last)),
            Item::Row(row) | Item::Inner(row) | Item::Member { row, .. } => (row, Some(row)),
            Item::Rule { .. } | Item::Ghost(_) => (row_of(item, rules), None),
        };
        let member = if let Item::Member { member, .. } = item { member } else { 0 };
        let before = self.hits.partition_point(|hit| (hit.row, hit.member) < (from, member));
        let holds = self.hits.get(before).is_some_and(|hit| to.is_some_and(|to| hit.row <= to));
        before + usize::from(holds)
    }
}

/// Direction of a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Towards the end.
    Forward,
    /// Towards the start.
    Backward,
}
