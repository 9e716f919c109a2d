//! Search over the text of the lines: what is looked for, and what was found.

use std::ops::Range;
use std::sync::Arc;

use regex::bytes::{Regex as BytesRegex, RegexBuilder as BytesBuilder};
use regex::{Regex, RegexBuilder};

use super::message::Ticket;
use super::rules::Rule;
use super::timeline::Item;
use super::timeline::place::row_of;
use crate::session::row::EventRef;

/// Memory that a pattern may take once compiled, bytes: a hostile one is refused.
const PATTERN_LIMIT: usize = 1 << 20;

/// Hits kept; a search that finds more stops.
pub const MOST_HITS: usize = 100_000;

/// What is looked for: a text, or a pattern between slashes. Lower case letters match both cases as long as the text
/// has no upper case letter.
#[derive(Debug, Clone)]
pub struct Needle {
    text: String,
    shown: Regex,
    stored: BytesRegex,
}

impl PartialEq for Needle {
    fn eq(&self, other: &Needle) -> bool {
        self.text == other.text
    }
}

impl Needle {
    /// Reads what was typed: `/re/` is a pattern, anything else a text. `Err` says what is wrong with a pattern.
    pub fn parse(typed: &str) -> Result<Needle, String> {
        let pattern = typed.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|inner| !inner.is_empty());
        let source = pattern.map_or_else(|| regex::escape(typed), str::to_owned);
        let blind = !typed.chars().any(char::is_uppercase);
        let shown = RegexBuilder::new(&source).case_insensitive(blind).size_limit(PATTERN_LIMIT).build();
        let stored = BytesBuilder::new(&source).case_insensitive(blind).size_limit(PATTERN_LIMIT).build();
        match (shown, stored) {
            (Ok(shown), Ok(stored)) => Ok(Needle { text: typed.to_owned(), shown, stored }),
            (Err(why), _) | (_, Err(why)) => Err(why.to_string().lines().last().unwrap_or_default().to_owned()),
        }
    }

    /// As typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the raw bytes of a line hold it.
    #[must_use]
    pub fn is_in(&self, line: &[u8]) -> bool {
        self.stored.is_match(line)
    }

    /// Where it stands in a printable text, for marking; byte ranges in order, never empty.
    #[must_use]
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        self.shown.find_iter(text).map(|found| found.range()).filter(|range| !range.is_empty()).collect()
    }
}

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
