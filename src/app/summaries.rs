//! One-line texts of rows, kept while they are likely to be drawn again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::message::SummaryKey;
use crate::triage::what::What;

/// Texts kept: some fifty screens.
pub const MOST: usize = 4096;

/// Texts by row, bounded by count; the ones not asked for longest go first.
#[derive(Debug, Clone, Default)]
pub struct Summaries {
    texts: HashMap<SummaryKey, (u64, Arc<What>)>,
    clock: u64,
    /// Texts of an earlier reading: shown until they are made again.
    aged: HashSet<SummaryKey>,
}

impl Summaries {
    /// The text of a row, if it is here.
    #[must_use]
    pub fn get(&self, key: &SummaryKey) -> Option<&Arc<What>> {
        self.texts.get(key).map(|(_, what)| what)
    }

    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.texts.clear();
        self.aged.clear();
    }

    /// The log grew: every text may have become another one, and is shown until that is made.
    pub(crate) fn age(&mut self) {
        self.aged = self.texts.keys().copied().collect();
    }

    /// Whether the text of a row is here and of this reading.
    pub(crate) fn is_fresh(&self, key: &SummaryKey) -> bool {
        self.texts.contains_key(key) && !self.aged.contains(key)
    }

    /// Shows the text of a row that stood for less in another reading, until its own is made.
    pub(crate) fn lend(&mut self, from: &SummaryKey, to: SummaryKey) {
        if let (false, Some(text)) = (self.texts.contains_key(&to), self.texts.get(from).cloned()) {
            self.texts.insert(to, text);
            self.aged.insert(to);
        }
    }

    /// Marks texts as used; those never used again go first.
    pub(crate) fn touch<'a>(&mut self, keys: impl Iterator<Item = &'a SummaryKey>) {
        self.clock += 1;
        for key in keys {
            if let Some((used, _)) = self.texts.get_mut(key) {
                *used = self.clock;
            }
        }
    }

    pub(crate) fn insert(&mut self, key: SummaryKey, what: What) {
        self.aged.remove(&key);
        self.texts.insert(key, (self.clock, Arc::new(what)));
        if self.texts.len() > MOST {
            self.shrink();
        }
    }

    /// Drops the older half: one pass now and then instead of one text each time.
    fn shrink(&mut self) {
        let mut ages: Vec<u64> = self.texts.values().map(|(used, _)| *used).collect();
        ages.sort_unstable();
        let middle = ages.get(ages.len() / 2).copied().unwrap_or_default();
        self.texts.retain(|_, (used, _)| *used > middle || *used == self.clock);
        if self.texts.len() > MOST {
            self.clear();
        }
    }
}
