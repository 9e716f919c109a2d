//! Pages in the place of the panes: header and state (`i`), the ten-minute pass (`T`).

mod six_steps;
mod state;

use std::ops::Range;

use super::detail::lay_out;
use super::parted::PartedLine;
use crate::text::role::Span;
use crate::triage::doc::{Doc, DocLine};

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

/// The text with each line broken to the width of the page, and where a line of it went. Its first
/// piece leads where the line led.
fn fold(doc: &Doc, width: u16, line: usize) -> (Doc, usize) {
    // One blank at each side.
    let rows = lay_out(doc, width.saturating_sub(2).max(2), true);
    let place = rows.iter().position(|row| row.line == line).unwrap_or(0);
    let pieces = rows.into_iter().filter_map(|row| {
        let whole = doc.lines.get(row.line)?;
        let mut spans = slice(&whole.spans, &row.range);
        if row.indent > 0 {
            spans.insert(0, Span::plain(" ".repeat(usize::from(row.indent))));
        }
        let right = if row.first { whole.right.clone() } else { Vec::new() };
        let target = whole.target.filter(|_| row.first);
        Some(DocLine { spans, right, target, ..whole.clone() })
    });
    (Doc { lines: pieces.collect(), value: doc.value.clone(), left_out: doc.left_out }, place)
}

/// Pieces of a line between two bytes of its joined text.
fn slice(spans: &[Span], range: &Range<usize>) -> Vec<Span> {
    let mut at = 0;
    let mut out = Vec::new();
    for span in spans {
        let (start, end) = (at, at + span.text.len());
        at = end;
        let from = range.start.clamp(start, end) - start;
        let to = range.end.clamp(start, end) - start;
        if let Some(text) = span.text.get(from..to).filter(|text| !text.is_empty()) {
            out.push(Span { text: text.to_owned(), ..span.clone() });
        }
    }
    out
}
