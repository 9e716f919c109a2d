//! A search of all sessions of a store: what was found, session by session, and how far it is.
//!
//! It stands in the place of the list until it is left. What comes in is added at the end, so that no row moves.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::stock::Stock;
use crate::app::message::Ticket;
use crate::app::overlay::ListState;
use crate::app::parted::{Part, PartedLine};
use crate::query::Needle;
use crate::query::selection::{Lines, Sifter, Sought};
use crate::session::row::{EventRef, RowIx};
use crate::store::{SessionIx, said};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::sanitize::{display, one_line};
use crate::triage::pass::citation::nth_seq;
use crate::triage::session::Session;

/// Matches of one session that are quoted; further ones are counted.
const MOST_OF_SESSION: u64 = 200;

/// Matches that are quoted in all: nobody reads more, and the search ends.
pub(crate) const MOST_QUOTED: usize = 10_000;

/// Columns of the needle in the title row.
const NEEDLE: usize = 40;

/// Columns of a type of an event.
const KIND: usize = 40;

/// A match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Where it is: what `:` takes, a seq, or the line of what has none.
    pub place: String,
    /// The type of the event, printable.
    pub kind: String,
    /// The text around it, printable.
    pub quote: String,
}

/// What was found in a session, or more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passages {
    /// The session.
    pub at: SessionIx,
    /// Matches in file order.
    pub hits: Vec<Hit>,
    /// Matches that are counted and not quoted.
    pub further: u64,
}

/// What a row of a session was found to be.
#[derive(Debug)]
pub enum Seen {
    /// It holds nothing.
    Nothing,
    /// It holds a match.
    Hit(Hit),
    /// It holds a match beyond those that are quoted.
    Further,
}

/// Looks through a session for a needle, in file order, as a search in the log itself does. `each` hears of every row
/// and may end it.
pub fn look_through(
    needle: &Needle,
    session: &Session,
    lines: &mut dyn Lines,
    each: &mut dyn FnMut(Seen) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut sifter = Sifter::default();
    let mut found = 0;
    for (ix, _) in session.index.rows.iter_from(RowIx(0)) {
        let is_hit = sifter.keeps(Sought::Needle(needle), session, ix, lines);
        found += u64::from(is_hit);
        let is_quoted = is_hit && found <= MOST_OF_SESSION;
        let quote = if is_quoted { sifter.quote(needle, session, ix, lines) } else { None };
        each(match quote {
            Some(quote) => Seen::Hit(hit(session, ix, quote)),
            None if is_hit => Seen::Further,
            None => Seen::Nothing,
        })?;
    }
    ControlFlow::Continue(())
}

fn hit(session: &Session, ix: RowIx, quote: String) -> Hit {
    let index = &session.index;
    let line = || index.line(ix).map_or_else(String::new, |line| format!("L{line}"));
    let place = nth_seq(index, EventRef { row: ix, member: 0 }).unwrap_or_else(line);
    let kind = index.rows.get(ix).map(|row| one_line(index.types.name(row.type_id).as_bytes(), KIND));
    Hit { place, kind: kind.unwrap_or_default(), quote }
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// It goes on.
    Running,
    /// The reader stopped it.
    Stopped,
    /// It found more than is shown.
    Full,
    /// It looked at all sessions.
    End,
}

/// A row of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HitLine {
    /// A session, by its place among those with a match.
    Session(usize),
    /// A match in it.
    Hit(usize, usize),
    /// How many further ones it has.
    Further(usize),
}

/// A search of all sessions.
#[derive(Debug, Clone)]
pub struct Hits {
    /// What is looked for.
    pub(crate) needle: Arc<Needle>,
    /// Which search answers belong to.
    pub(crate) ticket: Ticket,
    pub(crate) found: Vec<Passages>,
    pub(crate) lines: Vec<HitLine>,
    /// Cursor and first line on the screen.
    pub(crate) state: ListState,
    /// Rows of the body.
    pub(crate) height: u16,
    /// Sessions looked at, and those whose log cannot be read.
    pub(crate) looked_at: usize,
    pub(crate) unreadable: usize,
    pub(crate) reached: Reached,
}

impl Hits {
    /// A search that begins.
    pub(crate) fn new(needle: Arc<Needle>, ticket: Ticket) -> Hits {
        Hits {
            needle,
            ticket,
            found: Vec::new(),
            lines: Vec::new(),
            state: ListState::default(),
            height: 0,
            looked_at: 0,
            unreadable: 0,
            reached: Reached::Running,
        }
    }

    /// Takes in more of what was found. A session that was found in before is the last one.
    pub(crate) fn take(&mut self, passages: Passages) {
        if self.found.last().is_none_or(|last| last.at != passages.at) {
            self.lines.push(HitLine::Session(self.found.len()));
            self.found.push(Passages { at: passages.at, hits: Vec::new(), further: 0 });
        }
        let nth = self.found.len() - 1;
        let Some(group) = self.found.last_mut() else { return };
        let first = group.hits.len();
        self.lines.extend((0..passages.hits.len()).map(|at| HitLine::Hit(nth, first + at)));
        group.hits.extend(passages.hits);
        if group.further == 0 && passages.further > 0 {
            self.lines.push(HitLine::Further(nth));
        }
        group.further += passages.further;
    }

    /// Whether it goes on.
    pub(crate) fn is_running(&self) -> bool {
        self.reached == Reached::Running
    }

    /// Matches quoted.
    pub(crate) fn quoted(&self) -> usize {
        self.found.iter().map(|group| group.hits.len()).sum()
    }

    /// All matches.
    pub(crate) fn matches(&self) -> u64 {
        self.found.iter().map(|group| group.hits.len() as u64 + group.further).sum()
    }

    /// Puts the cursor on a line and shows it.
    pub(crate) fn go(&mut self, to: usize) {
        let height = usize::from(self.height.max(1));
        let cursor = to.min(self.lines.len().saturating_sub(1));
        let last_top = self.lines.len().saturating_sub(height);
        let top = self.state.top.min(last_top).min(cursor).max((cursor + 1).saturating_sub(height));
        self.state = ListState { cursor, top };
    }

    /// The next session, or the one before.
    pub(crate) fn session_beside(&self, forward: bool) -> Option<usize> {
        let is_session = |at: &usize| matches!(self.lines.get(*at), Some(HitLine::Session(_)));
        let at = self.state.cursor;
        if forward { (at + 1..self.lines.len()).find(is_session) } else { (0..at).rev().find(is_session) }
    }

    /// What Enter opens: a session, and the match that the cursor is on; else the first.
    pub(crate) fn openable(&self) -> Option<(SessionIx, &Hit)> {
        let (nth, at) = match *self.lines.get(self.state.cursor)? {
            HitLine::Session(nth) => (nth, 0),
            HitLine::Hit(nth, at) => (nth, at),
            HitLine::Further(nth) => (nth, self.found.get(nth)?.hits.len().saturating_sub(1)),
        };
        let group = self.found.get(nth)?;
        Some((group.at, group.hits.get(at)?))
    }

    /// The lines on the screen, with their places.
    pub(crate) fn on_screen(&self) -> impl Iterator<Item = (usize, HitLine)> + '_ {
        let top = self.state.top.min(self.lines.len());
        self.lines.iter().copied().enumerate().skip(top).take(usize::from(self.height))
    }

    /// Columns of the longest place and of the longest type.
    pub(crate) fn widest(&self) -> (usize, usize) {
        let on_screen = self.on_screen().filter_map(|(_, line)| match line {
            HitLine::Hit(nth, at) => self.found.get(nth)?.hits.get(at),
            HitLine::Session(_) | HitLine::Further(_) => None,
        });
        on_screen.fold((0, 0), |(place, kind), hit| {
            (place.max(hit.place.len()), kind.max(crate::text::width::columns(&hit.kind)))
        })
    }

    /// The title row: what is looked for, how much was found, how far the search is.
    pub(crate) fn title(&self, stock: &Stock, words: &Words) -> PartedLine {
        let needle = one_line(self.needle.text().as_bytes(), NEEDLE);
        let (matches, sessions) = (self.matches(), self.found.len() as u64);
        let found = words.say(
            "hits.found",
            &[
                ("matches", &words.count("count.matches", matches)),
                ("sessions", &words.count("list.sessions", sessions)),
            ],
        );
        let found = if matches == 0 { words.count("count.matches", 0) } else { found };
        let mut left = vec![
            Part::fixed(words.get("hits.title"), Role::Strong),
            Part::shrinking(&[needle], Role::Accent, 0),
            Part::shrinking(&[found, words.count("count.matches", matches)], Role::Normal, 4).gap(3),
            self.progress(stock.store.sessions.len(), words).gap(3),
        ];
        if self.unreadable > 0 {
            let text = words.count("hits.unreadable", self.unreadable as u64);
            left.push(Part::droppable(text, Role::Warn, 5).gap(3));
        }
        PartedLine { left, right: vec![Part::droppable(words.get("hint.back"), Role::Dim, 6)] }
    }

    fn progress(&self, all: usize, words: &Words) -> Part {
        let number = |n: usize| words.number(n as u64);
        let (done, left) = (number(self.looked_at), number(all.saturating_sub(self.looked_at)));
        let of = [("n", &*done), ("all", &*number(all))];
        let (long, short, role) = match self.reached {
            Reached::Running => (words.say("hits.searching", &of), words.say("list.nth_of", &of), Role::Accent),
            Reached::Stopped => {
                (words.say("hits.stopped", &[("n", &left)]), words.get("hits.stopped_short").to_owned(), Role::Warn)
            }
            Reached::Full => {
                let most = number(self.quoted());
                (
                    words.say("hits.full", &[("most", &most), ("n", &left)]),
                    words.get("hits.stopped_short").to_owned(),
                    Role::Warn,
                )
            }
            Reached::End => (words.count("hits.all", all as u64), String::new(), Role::Dim),
        };
        Part::shrinking(&[long, short], role, 3)
    }

    /// Where the cursor is, for the last row: the session, and which match of how many.
    pub(crate) fn place(&self, stock: &Stock, words: &Words) -> Vec<Part> {
        let Some((at, _)) = self.openable() else { return Vec::new() };
        let before = self.lines.iter().take(self.state.cursor + 1);
        let on_heading = matches!(self.lines.get(self.state.cursor), Some(HitLine::Session(_)));
        // A heading stands for the first match below it.
        let nth = before.filter(|line| matches!(line, HitLine::Hit(..))).count() + usize::from(on_heading);
        let values = [("n", &*words.number(nth as u64)), ("all", &*words.number(self.quoted() as u64))];
        vec![
            Part::shrinking(&[stock.id(at).to_owned(), String::new()], Role::Normal, 24),
            Part::droppable(words.say("list.nth_of", &values), Role::Dim, 22).gap(3),
        ]
    }

    /// What a session with matches is called: mark, title and id.
    pub(crate) fn heading(&self, nth: usize, stock: &Stock, words: &Words) -> (Vec<Span>, String) {
        let Some(group) = self.found.get(nth) else { return Default::default() };
        let mark = stock.health(group.at).map(|health| (health.glyph(), super::view::role(health)));
        let (mark, role) = mark.unwrap_or((' ', Role::Dim));
        let title = stock.brief(group.at).map(|brief| said::title(brief, words));
        let title = title.unwrap_or_else(|| words.get("list.not_read_yet").to_owned());
        let matches = words.count("count.matches", group.hits.len() as u64 + group.further);
        let spans = vec![
            Span::new(mark.to_string(), role),
            Span::new(format!(" {title}"), Role::Strong),
            Span::new(format!("   {matches}"), Role::Normal),
        ];
        (spans, stock.id(group.at).to_owned())
    }

    /// How many further matches a session has, in words.
    pub(crate) fn further(&self, nth: usize, words: &Words) -> String {
        self.found.get(nth).map_or_else(String::new, |group| words.count("hits.further", group.further))
    }

    /// What is said where nothing was found.
    pub(crate) fn nothing(&self, words: &Words) -> Option<String> {
        let is_over = self.found.is_empty() && self.reached != Reached::Running;
        is_over.then(|| words.say("hits.nothing", &[("text", &display(self.needle.text().as_bytes()))]))
    }
}
