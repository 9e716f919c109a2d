//! What is known of a store: what was found, what its logs say, and what is true of them together.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::store::{Brief, Census, Counted, Generation, Health, Parent, ProjectIx, Reach, SessionIx, Store};
use crate::text::sanitize::{display_name, one_line};
use crate::text::width::{columns, cut_middle};
use crate::text::wire::WireText;

/// Characters of the end of an id that are shown, until ids that differ look different.
const TAILS: [usize; 3] = [4, 8, 12];

/// Columns of an id that no cut makes different from another.
const LONGEST_ID: usize = 44;

/// What is known of a store.
#[derive(Debug, Clone)]
pub(crate) struct Stock {
    pub(crate) store: Arc<Store>,
    /// What the current log of each session says, so far as it was read.
    pub(crate) briefs: Vec<Option<Brief>>,
    /// What older generations hold, by session and place among its generations.
    pub(crate) older: BTreeMap<(SessionIx, usize), Counted>,
    pub(crate) census: Census,
    /// Projects that hold a session.
    pub(crate) projects: usize,
    /// Ids as they are shown.
    ids: Vec<String>,
    /// Columns of the widest of them.
    pub(crate) id_columns: usize,
    /// When it was listed, in milliseconds since the Unix epoch.
    pub(crate) now: i64,
    /// Its logs are files, which may grow.
    pub(crate) can_follow: bool,
}

/// How many sessions of each sort there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sorts {
    pub(crate) top: u64,
    pub(crate) children: u64,
    pub(crate) forks: u64,
    pub(crate) empty: u64,
    /// Of so many no header is there, or it is not read.
    pub(crate) unknown: u64,
}

impl Stock {
    /// A store of which no log was read.
    pub(crate) fn new(store: Arc<Store>, now: i64, can_follow: bool) -> Stock {
        let briefs = vec![None; store.sessions.len()];
        let census = Census::of(&store, &briefs);
        let ids = ids(&store, &census);
        let projects: BTreeSet<ProjectIx> = store.sessions.iter().map(|session| session.project).collect();
        let projects = projects.len();
        Stock {
            store,
            briefs,
            older: BTreeMap::new(),
            census,
            projects,
            id_columns: widest(&ids),
            ids,
            now,
            can_follow,
        }
    }

    /// Takes over what was read of logs that are as they were.
    pub(crate) fn remember(&mut self, before: &Stock) {
        let known: HashMap<&Path, SessionIx> =
            before.store.places().map(|at| (before.store[at].current().path.as_path(), at)).collect();
        for at in self.store.places() {
            let log = self.store[at].current();
            let Some(old) = known.get(log.path.as_path()) else { continue };
            if is_same(log, before.store[*old].current()) {
                self.briefs[at.at()].clone_from(&before.briefs[old.at()]);
            }
        }
        self.judge();
    }

    /// Takes in what logs say.
    pub(crate) fn take(&mut self, briefs: Vec<(SessionIx, Brief)>, older: Vec<(SessionIx, usize, Counted)>) {
        let mut is_news = false;
        for (at, brief) in briefs {
            let Some(place) = self.briefs.get_mut(at.at()) else { continue };
            // Who belongs to whom follows from headers; of a generation beside others, whether it is refused counts too.
            let has_others = self.store.get(at).is_some_and(|session| session.generations.len() > 1);
            is_news |= has_others || place.as_ref().is_none_or(|before| before.head != brief.head);
            *place = Some(brief);
        }
        self.older.extend(older.into_iter().map(|(at, nth, counted)| ((at, nth), counted)));
        if is_news {
            self.judge();
        }
    }

    fn judge(&mut self) {
        self.census = Census::of(&self.store, &self.briefs);
        self.ids = ids(&self.store, &self.census);
        self.id_columns = widest(&self.ids);
    }

    pub(crate) fn brief(&self, at: SessionIx) -> Option<&Brief> {
        self.briefs.get(at.at()).and_then(Option::as_ref)
    }

    /// The id of a session as it is shown: `s-0a11c0de⋯0012`; the folder's name where no id is known.
    pub(crate) fn id(&self, at: SessionIx) -> &str {
        self.ids.get(at.at()).map_or("", String::as_str)
    }

    /// The session above.
    pub(crate) fn parent(&self, at: SessionIx) -> Option<SessionIx> {
        match self.census.get(at)?.parent {
            Parent::Present(parent) => Some(parent),
            Parent::Unknown | Parent::None | Parent::Missing(_) | Parent::Loop(_) => None,
        }
    }

    /// Whether more can be learned of a session.
    pub(crate) fn is_unread(&self, at: SessionIx) -> bool {
        let older = self.store.get(at).map_or(0, |session| session.generations.len()).saturating_sub(1);
        self.brief(at).is_none_or(is_partial) || (1..=older).any(|nth| !self.older.contains_key(&(at, nth)))
    }

    /// Sessions of which more can be learned.
    pub(crate) fn unread(&self) -> usize {
        self.store.places().filter(|at| self.is_unread(*at)).count()
    }

    /// Milliseconds since the Unix epoch of the last record; while that is not known, of the last change of the file.
    pub(crate) fn time(&self, at: SessionIx) -> Option<i64> {
        let told = self.brief(at).and_then(|brief| brief.told.as_ref()?.last_time);
        told.or_else(|| {
            self.store.get(at).filter(|_| !self.is_empty(at)).and_then(|session| session.current().modified)
        })
    }

    /// Whether the log has no byte.
    pub(crate) fn is_empty(&self, at: SessionIx) -> bool {
        self.store.get(at).is_some_and(|session| session.current().size == Some(0))
    }

    /// The worst thing of a session by itself and where it lies; `None` while it is not known.
    pub(crate) fn health(&self, at: SessionIx) -> Option<Health> {
        self.census.health(at, self.brief(at))
    }

    /// Whether the session began as a copy of another one.
    pub(crate) fn is_fork(&self, at: SessionIx) -> bool {
        let Some(brief) = self.brief(at) else { return false };
        let header = brief.header();
        let by_header = header.is_some_and(|header| {
            header.is_seeded == Some(true) || header.seed_length.is_some_and(|length| length > 0)
        });
        by_header || brief.whole.as_ref().is_some_and(|whole| whole.inherited > 0)
    }

    /// How deep a session was delegated, as its header says.
    pub(crate) fn depth(&self, at: SessionIx) -> Option<i64> {
        self.brief(at)?.header()?.delegation_depth
    }

    /// Counts sessions by sort.
    pub(crate) fn sorts(&self) -> Sorts {
        let mut sorts = Sorts::default();
        for at in self.store.places() {
            let Some(header) = self.brief(at).and_then(Brief::header) else {
                if self.is_empty(at) {
                    sorts.empty += 1;
                } else {
                    sorts.unknown += 1;
                }
                continue;
            };
            let is_child = header.delegation_depth.is_some_and(|depth| depth > 0);
            match (is_child, header.parent_session.is_some()) {
                (true, _) => sorts.children += 1,
                (false, true) => sorts.forks += 1,
                (false, false) => sorts.top += 1,
            }
        }
        sorts
    }
}

/// Whether a brief rests on less than the whole log.
pub(crate) fn is_partial(brief: &Brief) -> bool {
    brief.reach != Reach::Whole && brief.content.encoding().is_some()
}

fn is_same(one: &Generation, other: &Generation) -> bool {
    one.size.is_some() && one.size == other.size && one.modified.is_some() && one.modified == other.modified
}

fn widest(ids: &[String]) -> usize {
    ids.iter().map(|id| columns(id)).max().unwrap_or(0)
}

/// Ids as short as tells them apart.
fn ids(store: &Store, census: &Census) -> Vec<String> {
    let whole: Vec<String> = store
        .places()
        .map(|at| match census.get(at).and_then(|kin| kin.id.as_ref()) {
            Some(id) => display_name(id.as_bytes()),
            None => display_name(store[at].folder_name()),
        })
        .collect();
    let mut shown: Vec<String> = whole.iter().map(|id| short(id, TAILS[0])).collect();
    for tail in [Some(TAILS[1]), Some(TAILS[2]), None] {
        let mut first: HashMap<&str, &str> = HashMap::new();
        let alike: HashSet<String> = whole
            .iter()
            .zip(&shown)
            .filter(|(id, shown)| *first.entry(shown).or_insert(id) != id.as_str())
            .map(|(_, shown)| shown.clone())
            .collect();
        if alike.is_empty() {
            break;
        }
        for (id, shown) in whole.iter().zip(&mut shown).filter(|(_, shown)| alike.contains(*shown)) {
            *shown = match tail {
                Some(tail) => short(id, tail),
                None => one_line(with_short_prefix(id).as_bytes(), LONGEST_ID),
            };
        }
    }
    shown
}

/// An id by its beginning and its end, `session-` as `s-`.
fn short(id: &str, tail: usize) -> String {
    match id.strip_prefix("session-") {
        Some(rest) => format!("s-{}", cut_middle(rest, 8, tail)),
        None => cut_middle(id, 8, tail),
    }
}

fn with_short_prefix(id: &str) -> String {
    id.strip_prefix("session-").map_or_else(|| id.to_owned(), |rest| format!("s-{rest}"))
}

/// An id that is not among those of the store, as they are shown.
pub(crate) fn foreign_id(id: &WireText) -> String {
    short(&display_name(id.as_bytes()), TAILS[0])
}
