//! Pages in the place of the panes: header and state (`i`), the ten-minute pass (`T`), the unpaired ladder (`U`), the
//! silent model (`R`), time (`W`), changed files (`D`), originals (`O`), prompt and tools (`P`), approvals (`A`), sequence
//! and container (`C`), the bug report (`b`). What tells them apart stands in one table, in `kinds`.

mod approvals;
mod bug;
mod container;
mod drafted;
mod kinds;
mod ladder;
mod sheet;
mod six_steps;
mod state;
mod texts;

use super::model::Model;
use super::parted::PartedLine;
use crate::session::row::EventRef;
use crate::store::lineage::MemberIx;
use crate::triage::doc::{Doc, DocLine};

pub(crate) use self::bug::{Addable, Given, Switches, called};
use self::container::Strip;
pub(crate) use self::kinds::Motion;
pub use self::kinds::PageKind;
pub(crate) use self::texts::{LIMIT_BYTES, PageTexts, Quote};

/// Rows of a page that has room for a foot.
const LEAST_FOR_FOOT: u16 = 18;

/// Which part of a page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Part {
    /// Everything.
    #[default]
    All,
    /// Its first part alone.
    First,
    /// Its second part alone.
    Second,
}

impl Part {
    /// The next one.
    pub(crate) fn next(self) -> Part {
        match self {
            Part::All => Part::Second,
            Part::Second => Part::First,
            Part::First => Part::All,
        }
    }
}

/// The order of the rows of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Order {
    /// As in the log.
    #[default]
    Log,
    /// The longest wait first.
    Waited,
    /// By what became of it.
    Outcome,
    /// By tool.
    Tool,
}

impl Order {
    /// The next one.
    pub(crate) fn next(self) -> Order {
        match self {
            Order::Log => Order::Waited,
            Order::Waited => Order::Outcome,
            Order::Outcome => Order::Tool,
            Order::Tool => Order::Log,
        }
    }
}

/// Lines below the cursor that are kept on the screen with it.
const MOST_BELOW: usize = 8;

/// A page: a title row, a rule row, text, the last row. A line of the text is one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Which.
    pub kind: PageKind,
    /// Its title row.
    pub title: PartedLine,
    /// Its text.
    pub doc: Doc,
    /// Line of `doc` with the cursor.
    pub cursor: usize,
    /// First line of `doc` on screen.
    pub top: usize,
    /// Rows of the foot, its rule included: lines about the line with the cursor, at the bottom. 0: it has none.
    pub(crate) foot_rows: u16,
    /// The map of the pieces of the file.
    pub(crate) strip: Option<Strip>,
    /// The foot.
    pub(crate) foot: Vec<DocLine>,
    /// Rows that its filter lets through, and all of them.
    pub(crate) rows: (u64, u64),
    /// Stored lines that it quotes or would quote, with the line of `doc` that does; by line.
    pub(crate) needs: Vec<(usize, Quote)>,
    /// Lines of `doc` whose target lies in a relative of the session.
    pub(crate) elsewhere: Vec<(usize, MemberIx)>,
}

/// Makes a page of the log that is open; `None` while there is none.
pub(crate) fn make(kind: PageKind, model: &Model) -> Option<Page> {
    Some((kind.traits().make)(model.open.as_ref()?, model))
}

/// The foot of the page that is shown, and the stored lines that it wants.
pub(crate) fn foot(model: &Model) -> (Vec<DocLine>, Vec<Quote>) {
    let (Some(open), Some(page)) = (&model.open, &model.page) else { return Default::default() };
    let mut sheet = sheet::Sheet::new(open, model);
    if let Some(fill) = page.kind.traits().foot.filter(|_| page.foot_rows > 0) {
        fill(&mut sheet, page);
    }
    sheet.into_lines()
}

impl Page {
    /// Puts the cursor on a line, as far as there are lines, and scrolls as little as needed to show it with what stands
    /// below it up to the next line that leads somewhere.
    pub(crate) fn go(&mut self, line: usize, height: u16) {
        let height = usize::from(self.room(height).max(1));
        let lines = self.doc.lines.len();
        self.cursor = line.min(lines.saturating_sub(1));
        let below = match self.kind.traits().motion {
            Motion::Lines | Motion::Targets => self.cursor + 1,
            Motion::Blocks => self.next_target(true).unwrap_or(lines),
        };
        let below = below.min(self.cursor + MOST_BELOW).min(lines);
        let last_top = lines.saturating_sub(height);
        self.top = self.top.min(last_top).max(below.saturating_sub(height)).min(self.cursor);
        self.top = self.top.max((self.cursor + 1).saturating_sub(height));
    }

    /// Where the line with the cursor leads.
    pub(crate) fn target(&self) -> Option<EventRef> {
        self.doc.lines.get(self.cursor)?.target
    }

    /// The relative of the session that the line with the cursor leads into.
    pub(crate) fn leads_into(&self) -> Option<MemberIx> {
        self.elsewhere.iter().find(|(line, _)| *line == self.cursor).map(|(_, member)| *member)
    }

    /// Rows of the text on a page of this height: the foot takes the rest.
    pub(crate) fn room(&self, height: u16) -> u16 {
        if height >= LEAST_FOR_FOOT { height.saturating_sub(self.foot_rows) } else { height }
    }

    /// The next line that leads somewhere, in this direction; else the next line.
    pub(crate) fn next_target(&self, forward: bool) -> Option<usize> {
        let lines = &self.doc.lines;
        let leads = |at: &usize| lines.get(*at).is_some_and(|line| line.target.is_some());
        if forward { (self.cursor + 1..lines.len()).find(leads) } else { (0..self.cursor).rev().find(leads) }
    }

    /// The line of the next cell of the map, or of the one before.
    pub(crate) fn beside(&self, forward: bool) -> Option<usize> {
        self.strip.as_ref()?.beside(self.cursor, forward)
    }

    /// Which step of the pass the cursor is on; `None` on other pages.
    pub(crate) fn step(&self) -> Option<usize> {
        let to_cursor = self.doc.lines.iter().take(self.cursor + 1).filter(|_| self.kind == PageKind::SixSteps);
        to_cursor.filter_map(six_steps::step_of).next_back()
    }

    /// How many lines lead somewhere, up to the cursor and in all.
    pub(crate) fn targets(&self) -> (usize, usize) {
        let leads = |line: &&DocLine| line.target.is_some();
        let all = self.doc.lines.iter().filter(leads).count();
        (self.doc.lines.iter().take(self.cursor + 1).filter(leads).count(), all)
    }

    /// Whether any line leads somewhere.
    pub(crate) fn leads_anywhere(&self) -> bool {
        self.doc.lines.iter().any(|line| line.target.is_some())
    }

    /// The page as text: title and lines.
    pub(crate) fn text(&self) -> String {
        let title: String = self.title.fit(u16::MAX).iter().map(|span| span.text.as_str()).collect();
        let words = title.split("   ").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("   ");
        let lines = self.doc.lines.iter().map(DocLine::text);
        let mut text = String::new();
        for line in std::iter::once(words).chain(lines) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Stored lines that are missing on the screen or a page above or below it.
    pub(crate) fn needs_near(&self, height: u16) -> impl Iterator<Item = Quote> + '_ {
        let height = usize::from(height.max(1));
        let near = self.top.saturating_sub(height)..self.top.saturating_add(2 * height);
        let from = self.needs.partition_point(|(line, _)| *line < near.start);
        self.needs[from..].iter().take_while(move |(line, _)| near.contains(line)).map(|(_, quote)| *quote)
    }

    /// Takes the place of the same page made before: the cursor stays on the line that leads to where it led.
    pub(crate) fn replaces(&mut self, before: &Page) {
        let target = |page: &Page, at: usize| page.doc.lines.get(at).and_then(|line| line.target);
        let nth = |at: usize| (0..at).filter(|at| target(before, *at).is_some()).count();
        let cursor = match target(before, before.cursor) {
            Some(_) => {
                let mut leads = (0..self.doc.lines.len()).filter(|at| target(self, *at).is_some());
                leads.clone().nth(nth(before.cursor)).or_else(|| leads.next_back())
            }
            None => None,
        };
        let cursor = cursor.unwrap_or(before.cursor);
        self.top = before.top.saturating_add_signed(cursor as isize - before.cursor as isize);
        self.cursor = cursor.min(self.doc.lines.len().saturating_sub(1));
    }
}
