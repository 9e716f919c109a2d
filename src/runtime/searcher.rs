//! Looks through the text of all lines, nearest to the cursor first, in slices: for a search, and for a filter that
//! depends on text.
//!
//! Blocks are the unit, and what streamed in one run of chunk lines stays together: those around the cursor come first,
//! then one ahead, one behind, and so on outwards. Hits are sent as they are found; a newer question, or none, ends the
//! pass between two blocks, or inside a large one.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::fetcher::Question;
use super::inbox::{Gone, Outbox};
use super::lines::SessionLines;
use super::texts::{Sources, Texts};
use crate::app::message::Message;
use crate::app::search::{MOST_HITS, Needle};
use crate::app::selection::Filter;
use crate::query::Prepared;
use crate::query::joined::run_around;
use crate::query::predicate::Verdict;
use crate::query::selection::{Sifter, Sought};
use crate::session::row::{EventRef, Row, RowIx};
use crate::triage::session::Session;

/// Text that is kept between questions: the surroundings of the cursor, for a needle that is being typed.
const CACHE_BYTES: usize = 8 << 20;

/// Longest time between two answers: hits and the count of lines go on the screen smoothly.
const BETWEEN_ANSWERS: Duration = Duration::from_millis(40);

/// Rows looked at between two looks at the desk, at most.
const SLICE: u32 = 512;

/// What to look for.
#[derive(Clone)]
pub(crate) enum Target {
    /// A needle, in the rows that the filter keeps; `None`: in all.
    Needle(Arc<Needle>, Option<Arc<Filter>>),
    /// Rows that a query selects by their text.
    Query(Arc<Prepared>),
}

impl Target {
    /// Whether the text of a row has to be looked at.
    fn wants(&self, ix: RowIx, row: &Row) -> bool {
        match self {
            Target::Needle(_, filter) => filter.as_ref().is_none_or(|filter| filter.keeps(ix, row)),
            Target::Query(query) => query.judge(ix, row) == Verdict::Text,
        }
    }

    fn sought(&self) -> Sought<'_> {
        match self {
            Target::Needle(needle, _) => Sought::Needle(needle),
            Target::Query(query) => Sought::Query(query),
        }
    }

    /// Hits after which it ends: the screen shows no more matches, but it shows all rows of a filter.
    fn most(&self) -> usize {
        match self {
            Target::Needle(..) => MOST_HITS,
            Target::Query(_) => usize::MAX,
        }
    }
}

/// A question.
#[derive(Clone)]
pub(crate) struct Wanted {
    /// Of which log.
    pub(crate) question: Question,
    /// What to look for.
    pub(crate) target: Target,
    /// Where the cursor stands.
    pub(crate) from: RowIx,
}

/// Tells the searcher.
#[derive(Clone)]
pub(crate) struct Searcher {
    desk: Desk<Option<Wanted>>,
}

impl Searcher {
    /// Starts a worker of this name.
    pub(crate) fn start(name: &'static str, outbox: Outbox, sources: Sources) -> io::Result<Searcher> {
        let desk = Desk::new();
        let searcher = Searcher { desk: desk.clone() };
        let mut texts = Texts::new(sources, CACHE_BYTES);
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            super::panic::provoke(name);
            while let Some((wanted, posted)) = desk.next(Option::take) {
                let pass = Pass::new(&wanted, &outbox);
                if pass.run(&mut texts, || desk.posted() != posted) == Err(Gone) {
                    return;
                }
            }
        })?;
        Ok(searcher)
    }

    /// Begins a search; one that runs or waits ends.
    pub(crate) fn search(&self, wanted: Wanted) {
        self.desk.post(|waiting| *waiting = Some(wanted));
    }

    /// Ends the search that runs or waits.
    pub(crate) fn stop(&self) {
        self.desk.post(|waiting| *waiting = None);
    }

    /// Sends the worker home.
    pub(crate) fn close(&self) {
        self.desk.close();
    }
}

/// Rows of a block, `from` to `to` without `to`; where chunk lines run on, of several. No two stretches share a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    from: RowIx,
    to: RowIx,
}

/// One question about one log.
struct Pass<'a> {
    wanted: &'a Wanted,
    outbox: &'a Outbox,
    hits: Vec<RowIx>,
    found: usize,
    looked_at: u64,
    answered: Instant,
    sifter: Sifter,
}

impl<'a> Pass<'a> {
    fn new(wanted: &'a Wanted, outbox: &'a Outbox) -> Pass<'a> {
        let (hits, sifter) = (Vec::new(), Sifter::default());
        Pass { wanted, outbox, hits, found: 0, looked_at: 0, answered: Instant::now(), sifter }
    }

    /// Looks until everything is looked at, or `is_over` says that nobody wants to know any more.
    fn run(mut self, texts: &mut Texts, is_over: impl Fn() -> bool) -> Result<(), Gone> {
        let session = Arc::clone(&self.wanted.question.session);
        let mut lines = SessionLines::new(texts, self.wanted.question.epoch, &session);
        for stretch in Outward::new(&session, self.wanted.from) {
            if self.look(&mut lines, &session, stretch, &is_over)?.is_none() {
                return Ok(());
            }
            if self.found >= self.wanted.target.most() {
                break;
            }
        }
        self.answer(true)
    }

    /// Looks at the rows of a stretch; `None` when the question is over.
    fn look(
        &mut self,
        lines: &mut SessionLines<'_>,
        session: &Session,
        stretch: Stretch,
        is_over: &impl Fn() -> bool,
    ) -> Result<Option<()>, Gone> {
        let rows = session.index.rows.iter_from(stretch.from).take_while(|(ix, _)| *ix < stretch.to);
        // A block of which nothing is wanted is not read.
        for (at, (ix, _)) in rows.filter(|(ix, row)| self.wanted.target.wants(*ix, row)).enumerate() {
            if (at as u32).is_multiple_of(SLICE) && is_over() {
                return Ok(None);
            }
            if self.sifter.keeps(self.wanted.target.sought(), session, ix, lines) {
                self.found += 1;
                self.hits.push(ix);
                if self.found >= self.wanted.target.most() {
                    break;
                }
            }
            self.looked_at += 1;
            if self.answered.elapsed() >= BETWEEN_ANSWERS {
                self.answer(false)?;
            }
        }
        // The first hit is what a jump waits for.
        if !self.hits.is_empty() && self.found == self.hits.len() {
            self.answer(false)?;
        }
        Ok((!is_over()).then_some(()))
    }

    fn answer(&mut self, done: bool) -> Result<(), Gone> {
        self.answered = Instant::now();
        let Question { epoch, ticket, .. } = self.wanted.question;
        let (rows, looked_at) = (std::mem::take(&mut self.hits), self.looked_at);
        self.outbox.send(match &self.wanted.target {
            Target::Needle(..) => {
                let hits = rows.into_iter().map(|row| EventRef { row, member: 0 }).collect();
                Message::Found { epoch, ticket, hits, looked_at, done }
            }
            Target::Query(_) => Message::Sifted { epoch, ticket, rows, looked_at, done },
        })
    }
}

/// The stretches of a log from a row outwards: its own, then by turns the next one ahead and the next one behind.
struct Outward<'a> {
    session: &'a Session,
    /// Everything from `begins` up to `ends` has been given.
    begins: RowIx,
    ends: RowIx,
    /// Stretches given so far; the first is the cursor's own.
    turn: u32,
}

impl<'a> Outward<'a> {
    fn new(session: &'a Session, from: RowIx) -> Outward<'a> {
        let last = (session.index.rows.len() as u32).saturating_sub(1);
        let from = RowIx(from.0.min(last));
        // Begins empty, at the first row of the block that holds the cursor, and ahead.
        let begins = RowIx(start_of(session, from));
        Outward { session, begins, ends: begins, turn: 0 }
    }
}

impl Iterator for Outward<'_> {
    type Item = Stretch;

    fn next(&mut self) -> Option<Stretch> {
        let total = self.session.index.rows.len() as u32;
        let (can_ahead, can_behind) = (self.ends.0 < total, self.begins.0 > 0);
        let ahead_is_due = self.turn == 0 || !self.turn.is_multiple_of(2);
        let ahead = can_ahead && (ahead_is_due || !can_behind);
        self.turn = self.turn.saturating_add(1);
        if ahead {
            let from = self.ends;
            self.ends = RowIx(end_of(self.session, from));
            Some(Stretch { from, to: self.ends })
        } else if can_behind {
            let to = self.begins;
            self.begins = RowIx(start_of(self.session, RowIx(to.0 - 1)));
            Some(Stretch { from: self.begins, to })
        } else {
            None
        }
    }
}

/// First row of the block that a row lies in, or of the run of chunk lines that the block begins inside of.
fn start_of(session: &Session, row: RowIx) -> u32 {
    run_around(&session.index, RowIx(block_start(session, row))).start
}

/// The row behind the block that a row lies in, or behind the run of chunk lines that the block ends inside of.
fn end_of(session: &Session, row: RowIx) -> u32 {
    let end = block_end(session, row);
    run_around(&session.index, RowIx(end.saturating_sub(1))).end.max(end)
}

/// First row of the block that a row lies in.
fn block_start(session: &Session, row: RowIx) -> u32 {
    let block = |at: u32| session.index.rows.get(RowIx(at)).map(|row| row.block);
    let here = block(row.0);
    let (mut low, mut high) = (0, row.0);
    // Blocks ascend with the rows.
    while low < high {
        let middle = low + (high - low) / 2;
        if block(middle) < here { low = middle + 1 } else { high = middle }
    }
    low
}

/// The row behind the block that a row lies in.
fn block_end(session: &Session, row: RowIx) -> u32 {
    let block = |at: u32| session.index.rows.get(RowIx(at)).map(|row| row.block);
    let here = block(row.0);
    let (mut low, mut high) = (row.0.saturating_add(1), (session.index.rows.len() as u32).max(row.0.saturating_add(1)));
    while low < high {
        let middle = low + (high - low) / 2;
        if block(middle) > here { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests;
