//! Pages in the place of the panes: header and state (`i`), the ten-minute pass (`T`).

mod six_steps;
mod state;

use super::parted::PartedLine;
use crate::triage::doc::Doc;

pub(crate) use self::six_steps::six_steps;
pub(crate) use self::state::state;

/// Which page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageKind {
    /// Header and state as of the selected seq.
    State,
    /// The ten-minute pass.
    SixSteps,
}

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
}

impl Page {
    /// Puts the cursor on a line, as far as there are lines, and scrolls as little as needed.
    pub(crate) fn go(&mut self, line: usize, height: u16) {
        let height = usize::from(height.max(1));
        self.cursor = line.min(self.doc.lines.len().saturating_sub(1));
        let last_top = self.doc.lines.len().saturating_sub(height);
        self.top = self.top.min(last_top).min(self.cursor).max((self.cursor + 1).saturating_sub(height));
    }

    /// The next line that leads somewhere, in this direction; else the next line.
    pub(crate) fn next_target(&self, forward: bool) -> Option<usize> {
        let lines = &self.doc.lines;
        let leads = |at: &usize| lines.get(*at).is_some_and(|line| line.target.is_some());
        if forward { (self.cursor + 1..lines.len()).find(leads) } else { (0..self.cursor).rev().find(leads) }
    }
}
