//! The query of the filter at work on the open log: what rows and facts decide at once, what texts decide as it comes.

use std::sync::Arc;

use super::family::Shelf;
use super::message::Ticket;
use super::model::Model;
use crate::query::predicate::Verdict;
use crate::query::selection::RowSet;
use crate::query::{Prepared, Query};
use crate::session::row::RowIx;
use crate::text::time::Zone;
use crate::triage::session::Session;

/// A query at work on one reading of a log.
#[derive(Debug, Clone)]
pub struct Sieve {
    query: Arc<Query>,
    session: Arc<Session>,
    /// The query, made ready.
    pub(crate) prepared: Arc<Prepared>,
    /// Rows that are selected, as far as is known.
    pub(crate) rows: Arc<RowSet>,
    /// The question for what texts decide; `None`: not asked yet.
    pub(crate) ticket: Option<Ticket>,
    /// Lines whose text was looked at or needs no look.
    pub looked_at: u64,
    /// Nothing more will come.
    pub done: bool,
}

impl Sieve {
    /// Sets a query to work: one pass over the rows.
    pub(crate) fn of(query: Arc<Query>, session: Arc<Session>, zone: &Zone) -> Sieve {
        let prepared = Prepared::of(&query, &session, zone);
        let mut rows = RowSet::default();
        let mut open = false;
        for (at, row) in session.index.rows.iter().enumerate() {
            let ix = RowIx(at as u32);
            match prepared.judge(ix, &row) {
                Verdict::Yes => rows.insert(ix),
                Verdict::No => {}
                Verdict::Text => open = true,
            }
        }
        Sieve { query, session, prepared, rows: Arc::new(rows), ticket: None, looked_at: 0, done: !open }
    }

    /// Whether it is this query at work on this reading.
    pub(crate) fn is_of(&self, query: &Arc<Query>, session: &Arc<Session>) -> bool {
        Arc::ptr_eq(&self.session, session) && self.query == *query
    }

    /// Further rows are selected.
    pub(crate) fn take(&mut self, rows: Vec<RowIx>) {
        let kept = Arc::make_mut(&mut self.rows);
        let all = self.session.index.rows.len();
        rows.into_iter().filter(|row| row.as_usize() < all).for_each(|row| kept.insert(row));
    }
}

impl Model {
    /// The filter at work: on the log in the panes, then, while the family is shown, on the others.
    pub(crate) fn sieves(&self) -> impl Iterator<Item = &Sieve> {
        let others = self.family.members.iter().filter(|_| self.family.view.is_some());
        self.sieve.iter().chain(others.filter_map(|shelf| shelf.sieve.as_ref()))
    }

    /// The same, to change.
    pub(crate) fn sieves_mut(&mut self) -> impl Iterator<Item = &mut Sieve> {
        let others = self.family.members.iter_mut().filter_map(|shelf: &mut Shelf| shelf.sieve.as_mut());
        self.sieve.iter_mut().chain(others)
    }

    /// While texts are looked at for the filter: lines that are done, and all of them.
    #[must_use]
    pub fn sifting(&self) -> Option<(u64, u64)> {
        if self.sieves().all(|sieve| sieve.done) {
            return None;
        }
        let lines = |sieve: &Sieve| sieve.session.index.rows.len() as u64;
        let done = |sieve: &Sieve| if sieve.done { lines(sieve) } else { sieve.looked_at.min(lines(sieve)) };
        Some((self.sieves().map(done).sum(), self.sieves().map(lines).sum()))
    }
}
