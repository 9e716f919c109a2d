//! Searches the text of all lines, nearest to the cursor first, in slices.
//!
//! Blocks are the unit: those around the cursor come first, then one ahead, one behind, and so on outwards. Hits are
//! sent as they are found; a newer search, or none, ends the pass between two blocks, or inside a large one.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::fetcher::Question;
use super::inbox::{Gone, Outbox};
use super::texts::{Sources, Texts};
use crate::app::message::Message;
use crate::app::search::{MOST_HITS, Needle};
use crate::app::selection::Filter;
use crate::session::row::{EventRef, Flags, RowIx};
use crate::triage::session::Session;

/// Text that is kept between searches: the surroundings of the cursor, for a needle that is being typed.
const CACHE_BYTES: usize = 8 << 20;

/// Longest time between two answers: hits and the count of lines go on the screen smoothly.
const BETWEEN_ANSWERS: Duration = Duration::from_millis(40);

/// Rows looked at between two looks at the desk, at most.
const SLICE: u32 = 512;

/// A search.
#[derive(Clone)]
pub(crate) struct Wanted {
    /// Of which log.
    pub(crate) question: Question,
    /// What to look for.
    pub(crate) needle: Arc<Needle>,
    /// Where the cursor stands.
    pub(crate) from: RowIx,
    /// Which rows count; `None`: all.
    pub(crate) filter: Option<Arc<Filter>>,
}

/// Tells the searcher.
#[derive(Clone)]
pub(crate) struct Searcher {
    desk: Desk<Option<Wanted>>,
}

impl Searcher {
    /// Starts the worker.
    pub(crate) fn start(outbox: Outbox, sources: Sources) -> io::Result<Searcher> {
        let desk = Desk::new();
        let searcher = Searcher { desk: desk.clone() };
        let mut texts = Texts::new(sources, CACHE_BYTES);
        thread::Builder::new().name("searcher".to_owned()).spawn(move || {
            super::panic::provoke("searcher");
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

/// Rows of one block, `from` to `to` without `to`. No two stretches share a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    from: RowIx,
    to: RowIx,
}

/// One search over one log.
struct Pass<'a> {
    wanted: &'a Wanted,
    outbox: &'a Outbox,
    hits: Vec<EventRef>,
    found: usize,
    looked_at: u64,
    answered: Instant,
}

impl<'a> Pass<'a> {
    fn new(wanted: &'a Wanted, outbox: &'a Outbox) -> Pass<'a> {
        Pass { wanted, outbox, hits: Vec::new(), found: 0, looked_at: 0, answered: Instant::now() }
    }

    /// Searches until everything is looked at, or `is_over` says that nobody wants to know any more.
    fn run(mut self, texts: &mut Texts, is_over: impl Fn() -> bool) -> Result<(), Gone> {
        let session = Arc::clone(&self.wanted.question.session);
        for stretch in Outward::new(&session, self.wanted.from) {
            if self.look(texts, &session, stretch, &is_over)?.is_none() {
                return Ok(());
            }
            if self.found >= MOST_HITS {
                break;
            }
        }
        self.answer(true)
    }

    /// Looks at the rows of a block; `None` when the search is over.
    fn look(
        &mut self,
        texts: &mut Texts,
        session: &Session,
        stretch: Stretch,
        is_over: &impl Fn() -> bool,
    ) -> Result<Option<()>, Gone> {
        let rows = session.index.rows.iter_from(stretch.from).take_while(|(ix, _)| *ix < stretch.to);
        // A filter that keeps nothing of a block saves reading it.
        let filter = self.wanted.filter.as_deref();
        let wanted = rows.filter(|(_, row)| filter.is_none_or(|filter| filter.keeps(row)));
        let mut block = None;
        for (at, (ix, row)) in wanted.enumerate() {
            if (at as u32).is_multiple_of(SLICE) && is_over() {
                return Ok(None);
            }
            let epoch = self.wanted.question.epoch;
            let is_in = if row.flags.has(Flags::SPLIT) {
                let line = texts.line(epoch, session, ix, usize::MAX);
                line.is_ok_and(|line| self.wanted.needle.is_in(line.as_bytes()))
            } else {
                // Text that cannot be read holds nothing; that it cannot is told where the row is shown.
                let text = block.get_or_insert_with(|| texts.whole_block(epoch, session, row.block).ok());
                let start = row.at as usize;
                let line = text.as_deref().and_then(|text| text.get(start..start.saturating_add(row.len as usize)));
                line.is_some_and(|line| self.wanted.needle.is_in(line))
            };
            if is_in {
                self.found += 1;
                self.hits.push(EventRef { row: ix, member: 0 });
                if self.found >= MOST_HITS {
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
        let hits = std::mem::take(&mut self.hits);
        self.outbox.send(Message::Found { epoch, ticket, hits, looked_at: self.looked_at, done })
    }
}

/// The blocks of a log from a row outwards: its own, then by turns the next one ahead and the next one behind.
struct Outward<'a> {
    session: &'a Session,
    /// Everything from `begins` up to `ends` has been given.
    begins: RowIx,
    ends: RowIx,
    /// Stretches given so far; the first is the cursor's own block.
    turn: u32,
}

impl<'a> Outward<'a> {
    fn new(session: &'a Session, from: RowIx) -> Outward<'a> {
        let last = (session.index.rows.len() as u32).saturating_sub(1);
        let from = RowIx(from.0.min(last));
        // Begins empty, at the first row of the block that holds the cursor, and ahead.
        let begins = RowIx(block_start(session, from));
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
            self.ends = RowIx(block_end(self.session, from));
            Some(Stretch { from, to: self.ends })
        } else if can_behind {
            let to = self.begins;
            self.begins = RowIx(block_start(self.session, RowIx(to.0 - 1)));
            Some(Stretch { from: self.begins, to })
        } else {
            None
        }
    }
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
