//! Every log of a store read whole: what a report tells.
//!
//! One log after the other, each with all cores; of each only its brief is kept.

use std::io;
use std::ops::ControlFlow;

use super::brief::{Brief, Health, OpenCall};
use super::census::{Census, Oddity};
use super::lineage::furthest_down;
use super::stored::{Generation, SessionIx, Store, StoredSession};
use crate::triage::facts::LoaderResult;
use crate::triage::session::Session;

/// A store with all of its logs read.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The store.
    pub store: Store,
    /// What the current log of each session tells, in the order of the store. All are there.
    pub briefs: Vec<Option<Brief>>,
    /// What is true of them together.
    pub census: Census,
    /// The generations of each session, in the order of [`StoredSession::generations`].
    pub generations: Vec<Vec<Counted>>,
}

/// What is told of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The version that it was read as; by its name, where it cannot be read.
    pub version: i64,
    /// Its events, or why it cannot be read.
    pub events: Result<u64, String>,
}

/// What the harness would do with a session where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreLoader {
    /// `None` for an unknown version and for a log that cannot be read.
    pub result: Option<LoaderResult>,
    /// Why it would not load it as it is; empty when it loads.
    pub why: String,
    /// Events it would keep.
    pub kept_events: u64,
}

/// A session with everything that descends from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descent {
    /// The session above all others.
    pub root: SessionIx,
    /// The root and its descendants, parents before children.
    pub sessions: Vec<SessionIx>,
    /// The open call furthest down, of several the one that was called last, and its session.
    pub deepest_open: Option<(SessionIx, OpenCall)>,
}

/// Reads every log of a store. `each` gets the current log of each session with its facts; `progress` hears of bytes
/// read and to be read.
pub fn survey(
    store: Store,
    threads: usize,
    each: &mut dyn FnMut(SessionIx, &Session),
    progress: &mut dyn FnMut(u64, u64),
) -> Survey {
    let total = store.sessions.iter().flat_map(|session| &session.generations).filter_map(|log| log.size).sum();
    let mut done = 0;
    let (mut briefs, mut generations) = (Vec::new(), Vec::new());
    for at in store.places() {
        let mut counted = Vec::new();
        for (place, log) in store[at].generations.iter().enumerate() {
            let read = store.read(log, threads, &mut |read| {
                progress(done + read.done, total);
                ControlFlow::Continue(())
            });
            done += log.size.unwrap_or(0);
            counted.push(Counted::of(log, &read));
            if place == 0 {
                if let Ok(session) = &read {
                    each(at, session);
                }
                briefs.push(Some(store.whole(log, &read)));
            }
        }
        generations.push(counted);
    }
    let census = Census::of(&store, &briefs);
    Survey { store, briefs, census, generations }
}

/// Reads the generations of one session; that of which the facts are there already is not read again.
#[must_use]
pub fn count_generations(store: &Store, session: &StoredSession, known: &Session, threads: usize) -> Vec<Counted> {
    let count = |log: &Generation| {
        if log.path == known.path {
            return Counted { version: known.facts.format.version, events: Ok(known.facts.container.events) };
        }
        Counted::of(log, &store.read(log, threads, &mut |_| ControlFlow::Continue(())))
    };
    session.generations.iter().map(count).collect()
}

impl Counted {
    /// What is told of a generation after it was read whole.
    #[must_use]
    pub fn of(log: &Generation, read: &io::Result<Session>) -> Counted {
        match read {
            Ok(session) => {
                Counted { version: session.facts.format.version, events: Ok(session.facts.container.events) }
            }
            Err(error) => Counted { version: log.version, events: Err(error.to_string()) },
        }
    }
}

impl Survey {
    /// What the current log of a session tells.
    #[must_use]
    pub fn brief(&self, at: SessionIx) -> Option<&Brief> {
        self.briefs.get(at.at()).and_then(Option::as_ref)
    }

    /// The worst thing of a session, where it lies and by itself; `None` where its log is not known.
    #[must_use]
    pub fn health(&self, at: SessionIx) -> Option<Health> {
        self.census.health(at, self.brief(at))
    }

    /// What the harness would do with a session where it lies: with the log alone, then with its folder and id.
    #[must_use]
    pub fn loader(&self, at: SessionIx) -> StoreLoader {
        let whole = self.brief(at).and_then(|brief| brief.whole.as_ref());
        let alone = match whole {
            Some(whole) => {
                StoreLoader { result: whole.loader, why: whole.loader_why.clone(), kept_events: whole.kept_events }
            }
            None => StoreLoader { result: None, why: "cannot be read".to_owned(), kept_events: 0 },
        };
        let by_place = self.census.get(at).and_then(|kin| kin.oddities.iter().find_map(Oddity::refusal));
        match by_place {
            Some(why) if alone.result != Some(LoaderResult::Refuses) => {
                StoreLoader { result: Some(LoaderResult::Refuses), why: why.to_owned(), kept_events: 0 }
            }
            Some(_) | None => alone,
        }
    }

    /// One entry for each session above others, in the order of the store.
    #[must_use]
    pub fn lineages(&self) -> Vec<Descent> {
        let has_children = |root: &SessionIx| self.census.get(*root).is_some_and(|kin| !kin.children.is_empty());
        self.census.roots().filter(has_children).map(|root| self.descent(root)).collect()
    }

    fn descent(&self, root: SessionIx) -> Descent {
        let family = self.census.family(root);
        let open = family.iter().filter_map(|(at, level)| {
            let call = self.brief(*at)?.whole.as_ref()?.own_open.as_ref()?;
            Some((*level, call.time, (*at, call)))
        });
        let deepest_open = furthest_down(open).map(|(at, call)| (at, call.clone()));
        Descent { root, sessions: family.into_iter().map(|(at, _)| at).collect(), deepest_open }
    }
}
