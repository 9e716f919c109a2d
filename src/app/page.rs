//! Pages in the place of the panes: header and state (`i`), the ten-minute pass (`T`), the unpaired ladder (`U`), the
//! silent model (`R`), time (`W`), changed files (`D`), originals (`O`), prompt and tools (`P`).

mod approvals;
mod bug;
mod container;
mod drafted;
mod ladder;
mod sheet;
mod six_steps;
mod state;
mod texts;

use super::model::Model;
use super::parted::PartedLine;
use super::update::here;
use crate::session::row::RowIx;
use crate::triage::doc::{Doc, DocLine};
use crate::triage::pass::citation::Cited;

pub(crate) use self::bug::Switches;
use self::container::Strip;
pub(crate) use self::texts::{LIMIT_BYTES, PageTexts};

/// Which page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageKind {
    /// Header and state as of the selected seq.
    State,
    /// The ten-minute pass.
    SixSteps,
    /// The unpaired ladder.
    Ladder,
    /// The silent model: attempts, retries, tokens.
    Silent,
    /// Where the time went.
    Time,
    /// Changed files.
    Changes,
    /// Originals: what was rewritten, never sent, uploaded.
    Originals,
    /// Prompt and tools of the requests.
    Request,
    /// The approval ledger.
    Approvals,
    /// Sequence and container.
    Container,
    /// The bug report.
    Bug,
}

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
    /// Rows whose stored text it quotes or would quote, with the line of `doc` that does; by line.
    pub(crate) needs: Vec<(usize, RowIx)>,
}

/// Makes a page of the log that is open; `None` while there is none.
pub(crate) fn make(kind: PageKind, model: &Model) -> Option<Page> {
    let open = model.open.as_ref()?;
    let sheet = sheet::Sheet::new(open, model);
    Some(match kind {
        PageKind::State => state::state(open, here(model), &model.settings, model.screen.0),
        PageKind::SixSteps => six_steps::six_steps(sheet),
        PageKind::Ladder => ladder::page(sheet),
        PageKind::Silent => drafted::silent(open, model),
        PageKind::Time => drafted::time(open, model),
        PageKind::Changes => drafted::changes(open, model),
        PageKind::Originals => drafted::originals(open, model),
        PageKind::Request => drafted::request(open, model),
        PageKind::Approvals => approvals::page(sheet, model.page_part),
        PageKind::Container => container::page(sheet),
        PageKind::Bug => {
            let cited = model.bug_about.unwrap_or(Cited::Event(here(model).unwrap_or_default()));
            bug::page(sheet, cited, model.bug)
        }
    })
}

/// The foot of the page that is shown, and the rows whose text it wants.
pub(crate) fn foot(model: &Model) -> (Vec<DocLine>, Vec<RowIx>) {
    let (Some(open), Some(page)) = (&model.open, &model.page) else { return Default::default() };
    let target = page.doc.lines.get(page.cursor).and_then(|line| line.target);
    let mut sheet = sheet::Sheet::new(open, model);
    match (page.kind, target) {
        (PageKind::Approvals, Some(target)) if page.foot_rows > 0 => approvals::foot(&mut sheet, target),
        (PageKind::Container, _) if page.foot_rows > 0 => container::foot(&mut sheet, page),
        (
            PageKind::Approvals
            | PageKind::Container
            | PageKind::State
            | PageKind::SixSteps
            | PageKind::Ladder
            | PageKind::Silent
            | PageKind::Time
            | PageKind::Changes
            | PageKind::Originals
            | PageKind::Request
            | PageKind::Bug,
            _,
        ) => {}
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
        let below = match self.kind {
            PageKind::State
            | PageKind::Silent
            | PageKind::Time
            | PageKind::Changes
            | PageKind::Originals
            | PageKind::Request
            | PageKind::Bug => self.cursor + 1,
            PageKind::SixSteps | PageKind::Ladder | PageKind::Approvals | PageKind::Container => {
                self.next_target(true).unwrap_or(lines)
            }
        };
        let below = below.min(self.cursor + MOST_BELOW).min(lines);
        let last_top = lines.saturating_sub(height);
        self.top = self.top.min(last_top).max(below.saturating_sub(height)).min(self.cursor);
        self.top = self.top.max((self.cursor + 1).saturating_sub(height));
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

    /// Rows whose text is missing on the screen or a page above or below it.
    pub(crate) fn needs_near(&self, height: u16) -> impl Iterator<Item = RowIx> + '_ {
        let height = usize::from(height.max(1));
        let near = self.top.saturating_sub(height)..self.top.saturating_add(2 * height);
        let from = self.needs.partition_point(|(line, _)| *line < near.start);
        self.needs[from..].iter().take_while(move |(line, _)| near.contains(line)).map(|(_, row)| *row)
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
