//! Searches all sessions of a store, one log after the other: each is read, looked through and let go.
//!
//! One thread. What is found goes to the list at once, then as often as a screen can change; a newer search, or none,
//! ends the pass inside a log.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::inbox::{Gone, Outbox};
use super::lines::SessionLines;
use super::texts::Texts;
use crate::app::list::hits::{MOST_QUOTED, Passages, Seen, look_through};
use crate::app::message::{Epoch, Message, Ticket};
use crate::log::{Content, sniff};
use crate::query::Needle;
use crate::session::piece::Keep;
use crate::store::{SessionIx, Store};
use crate::triage::open::Log;

/// Longest time between two answers.
const BETWEEN_ANSWERS: Duration = Duration::from_millis(80);

/// Rows looked at between two looks at the desk.
const SLICE: u32 = 256;

/// What to look for, and where.
pub(crate) struct Wanted {
    /// Which search.
    pub(crate) ticket: Ticket,
    /// The store.
    pub(crate) store: Arc<Store>,
    /// What to look for.
    pub(crate) needle: Arc<Needle>,
    /// The sessions, in order.
    pub(crate) order: Vec<SessionIx>,
}

/// Tells the seeker.
pub(crate) struct Seeker {
    desk: Desk<Option<Wanted>>,
}

impl Seeker {
    /// Starts the thread.
    pub(crate) fn start(outbox: Outbox) -> io::Result<Seeker> {
        let desk = Desk::new();
        let seeker = Seeker { desk: desk.clone() };
        thread::Builder::new().name("seeker".to_owned()).spawn(move || {
            super::panic::provoke("seeker");
            while let Some((wanted, posted)) = desk.next(Option::take) {
                if Pass::new(&wanted, &outbox).run(&|| desk.posted() != posted) == Err(Gone) {
                    return;
                }
            }
        })?;
        Ok(seeker)
    }

    /// Begins a search; one that runs or waits ends.
    pub(crate) fn search(&self, wanted: Wanted) {
        self.desk.post(|waiting| *waiting = Some(wanted));
    }

    /// Ends the search that runs or waits.
    pub(crate) fn stop(&self) {
        self.desk.post(|waiting| *waiting = None);
    }

    /// Sends the thread home.
    pub(crate) fn close(&self) {
        self.desk.close();
    }
}

/// One search.
struct Pass<'a> {
    wanted: &'a Wanted,
    outbox: &'a Outbox,
    found: Vec<Passages>,
    quoted: usize,
    looked_at: usize,
    unreadable: usize,
    answered: Option<Instant>,
}

impl<'a> Pass<'a> {
    fn new(wanted: &'a Wanted, outbox: &'a Outbox) -> Pass<'a> {
        Pass { wanted, outbox, found: Vec::new(), quoted: 0, looked_at: 0, unreadable: 0, answered: None }
    }

    /// Looks until everything is looked at or enough is found, or `is_over` says that nobody wants to know any more.
    fn run(mut self, is_over: &dyn Fn() -> bool) -> Result<(), Gone> {
        for at in &self.wanted.order {
            if is_over() {
                return Ok(());
            }
            let looked = self.look_into(*at, is_over);
            if is_over() {
                return Ok(());
            }
            self.unreadable += usize::from(looked.is_err());
            self.looked_at += 1;
            if self.quoted >= MOST_QUOTED {
                break;
            }
            self.answer_when_due()?;
        }
        self.answer(true)
    }

    /// Looks through one session; an `Err` tells that its log cannot be read.
    fn look_into(&mut self, at: SessionIx, is_over: &dyn Fn() -> bool) -> io::Result<()> {
        let Some(session) = self.wanted.store.get(at) else { return Ok(()) };
        let path = &session.current().path;
        let source = self.wanted.store.open(path)?;
        let content = sniff(source.as_ref())?;
        if content == Content::Empty {
            return Ok(());
        }
        let encoding = content.encoding().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
        let mut log = Log::new(Arc::clone(&source), encoding, path, Keep::HugeFrames);
        log.read(1, &mut |_| if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })?;
        if is_over() {
            return Ok(());
        }
        let session = log.into_session()?;
        let mut texts = Texts::of(source);
        let mut lines = SessionLines::new(&mut texts, Epoch::default(), &session);
        let needle = Arc::clone(&self.wanted.needle);
        let mut rows = 0_u32;
        // What ends it is asked for again by whoever called.
        let _ = look_through(&needle, &session, &mut lines, &mut |seen| {
            rows = rows.wrapping_add(1);
            self.take(at, seen);
            let is_late = rows.is_multiple_of(SLICE) && is_over();
            if is_late || self.quoted >= MOST_QUOTED || self.answer_when_due().is_err() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        Ok(())
    }

    fn take(&mut self, at: SessionIx, seen: Seen) {
        if matches!(seen, Seen::Nothing) {
            return;
        }
        if self.found.last().is_none_or(|last| last.at != at) {
            self.found.push(Passages { at, hits: Vec::new(), further: 0 });
        }
        let Some(passages) = self.found.last_mut() else { return };
        match seen {
            Seen::Hit(hit) => {
                passages.hits.push(hit);
                self.quoted += 1;
            }
            Seen::Further => passages.further += 1,
            Seen::Nothing => {}
        }
    }

    /// Answers with the first match, and then now and again.
    fn answer_when_due(&mut self) -> Result<(), Gone> {
        let is_due = match self.answered {
            Some(answered) => answered.elapsed() >= BETWEEN_ANSWERS,
            None => !self.found.is_empty() || self.looked_at > 0,
        };
        if is_due { self.answer(false) } else { Ok(()) }
    }

    fn answer(&mut self, done: bool) -> Result<(), Gone> {
        self.answered = Some(Instant::now());
        self.outbox.send(Message::FoundInSessions {
            ticket: self.wanted.ticket,
            found: std::mem::take(&mut self.found),
            looked_at: self.looked_at,
            unreadable: self.unreadable,
            done,
        })
    }
}

#[cfg(test)]
mod tests;
