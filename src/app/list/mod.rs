//! The session list (`s`): what a store holds, as rows that are sorted, filtered and opened.
//!
//! ```text
//! Listed ─▶ Stock: store, briefs, census ─▶ order: rows ─▶ view: texts ─▶ ui::list
//! Told   ─▶ more briefs ────┘                 ▲ sort, filter, folds
//! ```
//!
//! Of a log nothing but its brief is kept. The cursor stands on a session, a generation, another file or a problem, and
//! stays there while rows move: what is known of sessions comes bit by bit.

mod head;
pub mod hits;
mod order;
mod stock;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::message::Ticket;
use super::overlay::ListState;
use crate::store::{Parent, ProjectIx, SessionIx, Store, said};
use crate::text::locale::Words;
use crate::text::width::columns;

pub(crate) use self::head::{heading, how_many, place, title};
pub(crate) use self::hits::Hits;
pub(crate) use self::stock::Stock;
pub(crate) use self::view::{Cells, Fold, RowKind, RowView, missing_parent};

/// Other files up to which they are listed without being asked for.
const FEW_OTHERS: usize = 8;

/// What stands below the list: where leaving it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// The log that is open.
    Log,
    /// Nothing: leaving it ends the program.
    Nothing,
}

/// How far the looking for sessions is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looking {
    /// Folders are being listed, so many up to now.
    At(u64),
    /// The root cannot be listed, in the words of the system, printable.
    Failed(String),
    /// All was found.
    Done,
}

/// What the sessions are sorted by; families stay together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// The newest record of a family, the newest first.
    #[default]
    LastRecord,
    /// Projects, in each the newest record first.
    Project,
    /// The worst state of a family first.
    State,
    /// Titles.
    Title,
    /// The most events first.
    Events,
}

impl Sort {
    fn next(self) -> Sort {
        match self {
            Sort::LastRecord => Sort::Project,
            Sort::Project => Sort::State,
            Sort::State => Sort::Title,
            Sort::Title => Sort::Events,
            Sort::Events => Sort::LastRecord,
        }
    }

    /// Its name in the title row.
    fn name(self, words: &Words) -> &str {
        words.get(match self {
            Sort::LastRecord => "list.sort_last_record",
            Sort::Project => "list.sort_project",
            Sort::State => "list.sort_state",
            Sort::Title => "list.sort_title",
            Sort::Events => "list.sort_events",
        })
    }
}

/// Whether other files are listed or only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    Counted,
    Listed,
}

/// Whether so many other files are listed without being asked for.
pub(crate) fn others_at_first(files: usize) -> Others {
    if files <= FEW_OTHERS { Others::Listed } else { Others::Counted }
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Line {
    /// Why there is nothing, and where it was looked: paragraph by number.
    Empty(usize),
    /// It is an export, and what that means.
    Export,
    /// The project of the sessions below.
    Project(ProjectIx),
    /// A session, so many levels below a root.
    Session { at: SessionIx, level: u16 },
    /// A generation of the session above.
    Generation { at: SessionIx, nth: usize },
    /// Something odd about the session above.
    Oddity { at: SessionIx, nth: usize },
    /// What could not be looked at: a heading, then one row each.
    Problems,
    /// One of them.
    Problem(usize),
    /// The other files: how many, of what kind.
    Others,
    /// One of them.
    Other(usize),
    /// Nothing: it parts what stands above from what stands below.
    Blank,
}

impl Line {
    /// Whether the cursor can stand on it.
    pub(crate) fn takes_cursor(self) -> bool {
        match self {
            Line::Session { .. } | Line::Generation { .. } | Line::Problem(_) | Line::Other(_) => true,
            Line::Empty(_)
            | Line::Export
            | Line::Project(_)
            | Line::Oddity { .. }
            | Line::Problems
            | Line::Others
            | Line::Blank => false,
        }
    }
}

/// The session list.
#[derive(Debug, Clone)]
pub struct List {
    /// It is on the screen; else it waits below the log that was opened from it.
    pub is_shown: bool,
    /// What stands below it.
    pub below: Below,
    /// Where it looks, printable; empty until that is known.
    pub place: String,
    /// How far the looking is.
    pub looking: Looking,
    /// What the sessions are sorted by.
    pub sort: Sort,
    /// What the list is narrowed by, as typed; empty for all.
    pub filter: String,
    /// Sessions whose log was not read whole.
    pub unread: usize,
    /// The cursor was moved: it stays on its session; before that it stays at the top.
    pub(crate) is_moved: bool,
    /// The filling in was stopped.
    pub(crate) is_stopped: bool,
    /// Which listing answers belong to.
    pub(crate) ticket: Ticket,
    pub(crate) stock: Option<Stock>,
    pub(crate) others: Others,
    pub(crate) folded: BTreeSet<SessionIx>,
    pub(crate) lines: Vec<Line>,
    /// Sessions among the lines.
    pub(crate) shown: usize,
    /// Cursor and first line on the screen, as places in `lines`.
    pub(crate) state: ListState,
    /// Rows of the body.
    pub(crate) height: u16,
    /// Sessions on the screen that were asked for first.
    pub(crate) asked: Vec<SessionIx>,
    /// The filter before the one that is being typed.
    pub(crate) filter_before: String,
    /// A search of all sessions, which stands in the place of the rows.
    pub(crate) hits: Option<Hits>,
}

/// What the columns of rows need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Widest {
    /// Columns of the widest id.
    pub(crate) id: usize,
    /// Columns of the longest word about what is odd; 0 where nothing is.
    pub(crate) badge: usize,
    /// Rows say their project.
    pub(crate) has_projects: bool,
    /// Some are forks.
    pub(crate) has_forks: bool,
}

impl List {
    /// A list that waits for what is found.
    pub(crate) fn looking(ticket: Ticket, below: Below, place: String) -> List {
        List {
            is_shown: true,
            below,
            place,
            looking: Looking::At(0),
            sort: Sort::default(),
            filter: String::new(),
            unread: 0,
            is_moved: false,
            is_stopped: false,
            ticket,
            stock: None,
            others: Others::Counted,
            folded: BTreeSet::new(),
            lines: Vec::new(),
            shown: 0,
            state: ListState::default(),
            height: 0,
            asked: Vec::new(),
            filter_before: String::new(),
            hits: None,
        }
    }

    /// Makes the rows anew; the cursor stays on what it is on, or goes to the nearest above that is still there.
    pub(crate) fn rebuild(&mut self, words: &Words) {
        let before = self.lines.get(self.state.cursor).copied();
        let screen_row = self.state.cursor.saturating_sub(self.state.top);
        self.lines = order::lines(self, words);
        self.shown = self.lines.iter().filter(|line| matches!(line, Line::Session { .. })).count();
        self.unread = self.stock.as_ref().map_or(0, Stock::unread);
        let place = before.filter(|_| self.is_moved).and_then(|before| self.place_of(before));
        match place {
            Some(place) => {
                self.state.cursor = place;
                self.state.top = place.saturating_sub(screen_row);
            }
            None if self.is_moved => self.go(self.state.cursor),
            None => self.go(0),
        }
        self.reveal();
    }

    /// Where the same thing stands in the rows as they are.
    fn place_of(&self, line: Line) -> Option<usize> {
        let same = |other: &Line| match (line, *other) {
            (Line::Session { at, .. }, Line::Session { at: other, .. }) => at == other,
            (line, other) => line == other,
        };
        let session = |other: &Line| match line {
            Line::Generation { at, .. } | Line::Session { at, .. } => {
                matches!(*other, Line::Session { at: other, .. } if at == other)
            }
            _ => false,
        };
        let find = |is: &dyn Fn(&Line) -> bool| self.lines.iter().position(is);
        find(&same).or_else(|| find(&session)).or_else(|| self.nearest_above(line))
    }

    /// The session above one that is folded away.
    fn nearest_above(&self, line: Line) -> Option<usize> {
        let (Line::Session { at, .. } | Line::Generation { at, .. }) = line else { return None };
        let above = self.stock.as_ref()?.parent(at)?;
        self.lines.iter().position(|other| matches!(*other, Line::Session { at, .. } if at == above))
    }

    /// Puts the cursor on a line, else on the nearest one that takes it: below first.
    pub(crate) fn go(&mut self, to: usize) {
        let to = to.min(self.lines.len().saturating_sub(1));
        let takes = |at: &usize| self.lines.get(*at).is_some_and(|line| line.takes_cursor());
        let found = (to..self.lines.len()).find(takes).or_else(|| (0..to).rev().find(takes));
        self.state.cursor = found.unwrap_or(0);
        self.reveal();
    }

    /// Moves the cursor by lines that take it.
    pub(crate) fn step(&mut self, by: isize) {
        let mut at = self.state.cursor;
        let mut left = by.unsigned_abs();
        while left > 0 {
            let takes = |at: &usize| self.lines.get(*at).is_some_and(|line| line.takes_cursor());
            let next = if by > 0 { (at + 1..self.lines.len()).find(takes) } else { (0..at).rev().find(takes) };
            let Some(next) = next else { break };
            (at, left) = (next, left - 1);
        }
        self.state.cursor = at;
        self.reveal();
    }

    /// Scrolls as little as shows the cursor, with what is told about it below.
    pub(crate) fn reveal(&mut self) {
        let height = usize::from(self.height.max(1));
        let len = self.lines.len();
        let cursor = self.state.cursor.min(len.saturating_sub(1));
        let told = |at: &usize| matches!(self.lines.get(*at), Some(Line::Oddity { .. } | Line::Generation { .. }));
        let is_session = matches!(self.lines.get(cursor), Some(Line::Session { .. }));
        let below = if is_session { (cursor + 1..len).take_while(told).count().min(height / 2) } else { 0 };
        // The heading above the first row belongs to it.
        let first = (0..len).find(|at| self.lines[*at].takes_cursor());
        let above = if first == Some(cursor) && cursor < height { 0 } else { cursor };
        // The last row has what comes after it with it: how many other files there are is said there.
        let is_last = !(cursor + 1..len).any(|at| self.lines[at].takes_cursor());
        let end = if is_last && len - cursor <= height { len } else { cursor + below + 1 };
        let top = self.state.top.min(len.saturating_sub(height)).min(above).max(end.saturating_sub(height));
        self.state = ListState { cursor, top: top.min(cursor) };
    }

    /// The lines on the screen.
    pub(crate) fn on_screen(&self) -> &[Line] {
        let top = self.state.top.min(self.lines.len());
        let end = top.saturating_add(usize::from(self.height)).min(self.lines.len());
        &self.lines[top..end]
    }

    /// The line with the cursor, where it can stand on it.
    pub(crate) fn current(&self) -> Option<Line> {
        self.lines.get(self.state.cursor).copied().filter(|line| line.takes_cursor())
    }

    /// The session that the cursor is on, or belongs to.
    pub(crate) fn session(&self) -> Option<SessionIx> {
        match self.current()? {
            Line::Session { at, .. } | Line::Generation { at, .. } => Some(at),
            _ => None,
        }
    }

    /// What Enter opens: the log of the session, an older generation, another file.
    pub(crate) fn openable(&self) -> Option<PathBuf> {
        let stock = self.stock.as_ref()?;
        match self.current()? {
            Line::Session { at, .. } => Some(stock.store.get(at)?.current().path.clone()),
            Line::Generation { at, nth } => Some(stock.store.get(at)?.generations.get(nth)?.path.clone()),
            Line::Other(nth) => {
                Some(stock.store.other_files.get(nth).filter(|file| file.kind.may_be_log())?.path.clone())
            }
            _ => None,
        }
    }

    /// Which listing answers belong to.
    #[must_use]
    pub fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// What was found; `None` until it is.
    #[must_use]
    pub fn store(&self) -> Option<Arc<Store>> {
        self.stock.as_ref().map(|stock| Arc::clone(&stock.store))
    }

    /// What a search of all sessions found, where one was made.
    pub(crate) fn searched(&self) -> Option<(&Hits, &Stock)> {
        self.hits.as_ref().zip(self.stock.as_ref())
    }

    /// Whether there is any session.
    pub(crate) fn has_sessions(&self) -> bool {
        self.stock.as_ref().is_some_and(|stock| !stock.store.sessions.is_empty())
    }

    /// Whether there are other files.
    pub(crate) fn has_others(&self) -> bool {
        self.stock.as_ref().is_some_and(|stock| !stock.store.other_files.is_empty())
    }

    /// Whether the session with the cursor has somebody below or above it.
    pub(crate) fn has_family(&self) -> bool {
        let kin = self.session().zip(self.stock.as_ref()).and_then(|(at, stock)| stock.census.get(at));
        kin.is_some_and(|kin| !kin.children.is_empty() || matches!(kin.parent, Parent::Present(_)))
    }

    /// Whether the session with the cursor has somebody above it, there or missing.
    pub(crate) fn has_parent(&self) -> bool {
        let kin = self.session().zip(self.stock.as_ref()).and_then(|(at, stock)| stock.census.get(at));
        kin.is_some_and(|kin| matches!(kin.parent, Parent::Present(_) | Parent::Missing(_)))
    }

    /// What the columns of rows need.
    pub(crate) fn widest(&self, words: &Words) -> Widest {
        let Some(stock) = &self.stock else { return Widest::default() };
        let odd = stock.census.kin.iter().filter_map(|kin| kin.oddities.first());
        let badge = odd.map(|odd| columns(said::badge(odd, words))).max().unwrap_or(0);
        let has_forks = stock.store.places().any(|at| stock.is_fork(at));
        Widest { id: stock.id_columns, badge, has_projects: self.has_projects(), has_forks }
    }

    /// Puts the cursor on a session; `false` where it has no row.
    pub(crate) fn go_to_session(&mut self, session: SessionIx) -> bool {
        let place = self.place_of(Line::Session { at: session, level: 0 });
        if let Some(place) = place {
            self.state.cursor = place;
            self.reveal();
        }
        place.is_some()
    }

    /// Sorts by the next column.
    pub(crate) fn sort_next(&mut self, words: &Words) {
        self.sort = self.sort.next();
        self.rebuild(words);
    }

    /// Narrows the list.
    pub(crate) fn narrow(&mut self, text: &str, words: &Words) {
        text.clone_into(&mut self.filter);
        self.rebuild(words);
    }
}
