//! The filter line while it has the keys: what it says so far, and what may be completed.

use std::sync::Arc;

use super::overlay::ListState;
use super::selection::Chosen;
use crate::query::Query;
use crate::query::completion::{Completion, Vocabulary, complete};

/// How much of the line is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InForce {
    /// All of it.
    #[default]
    Whole,
    /// The part before the word that is not finished.
    Part,
    /// It is wrong from this character on, counted from 0: the last good one is in force.
    Before(usize),
}

/// The filter line.
#[derive(Debug, Clone)]
pub struct Filtering {
    /// What may stand at the cursor.
    pub completion: Completion,
    /// Which offer is chosen.
    pub list: ListState,
    /// How much of the line is in force.
    pub in_force: InForce,
    /// What the log holds.
    pub(crate) vocabulary: Vocabulary,
    /// What was in force before, for Esc.
    pub(crate) before: Chosen,
    /// What it narrows.
    pub(crate) narrows: Narrows,
}

/// What a filter line narrows.
#[derive(Debug, Clone)]
pub(crate) enum Narrows {
    /// The timeline.
    Timeline,
    /// The page that is open; with what narrowed it before, for Esc.
    Page(Option<Arc<Query>>),
}

impl Filtering {
    pub(crate) fn new(vocabulary: Vocabulary, before: Chosen) -> Filtering {
        let (completion, list) = (Completion::default(), ListState::default());
        Filtering { completion, list, in_force: InForce::Whole, vocabulary, before, narrows: Narrows::Timeline }
    }

    /// The text before the cursor changed, or the cursor moved: `cursor` is a byte of the text.
    pub(crate) fn look(&mut self, text: &str, cursor: usize) {
        let completion = complete(text, cursor, &self.vocabulary);
        if completion != self.completion {
            self.completion = completion;
            self.list = ListState::default();
        }
    }

    /// Whether it narrows a page.
    pub(crate) fn is_of_page(&self) -> bool {
        matches!(self.narrows, Narrows::Page(_))
    }

    /// Moves the choice; it stays inside the list.
    pub(crate) fn choose(&mut self, down: bool) {
        let last = self.completion.offers.len().saturating_sub(1);
        let at = self.list.cursor;
        self.list.cursor = if down { (at + 1).min(last) } else { at.saturating_sub(1) };
    }
}
