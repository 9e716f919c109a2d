//! The detail of what is selected.
//!
//! The cursor stands on a row; the view moves so that lines scroll from the first key on, and at the end of the text the
//! cursor walks on to the last line.

mod folds;
mod lay_out;

use std::ops::Range;
use std::sync::Arc;

use super::effect::Program;
use super::message::Ticket;
use super::search::Needle;
use crate::session::row::EventRef;
use crate::text::width::columns;
use crate::triage::detail::{Form, RawLine, Subject, TabId};
use crate::triage::doc::{Doc, DocLine};

pub(crate) use self::folds::Folds;
pub(crate) use self::lay_out::lay_out;

/// The detail pane.
#[derive(Debug, Clone, Default)]
pub struct Detail {
    /// What it is about; `None` while nothing is selected.
    pub subject: Option<Subject>,
    /// Its tabs, in order.
    pub tabs: Vec<TabId>,
    /// Place in `tabs` of the tab shown.
    pub tab: usize,
    /// Form of the tab.
    pub form: Form,
    /// Long lines do not wrap.
    pub unwrapped: bool,
    /// The line that stands on top of every tab.
    pub head: Option<DocLine>,
    /// Its text; `None` while it is fetched.
    pub doc: Option<Arc<Doc>>,
    /// The text as rows of the pane's width: what to draw. Rows of one line follow each other.
    pub rows: Vec<DetailRow>,
    /// First row on screen.
    pub top: usize,
    /// Row with the cursor.
    pub cursor: usize,
    /// Columns scrolled sideways; 0 when wrapping.
    pub sideways: usize,
    /// Columns and rows of the text on screen.
    pub(crate) size: (u16, u16),
    /// The log grew: what is shown may have become something else.
    pub(crate) is_stale: bool,
    /// Values that are folded.
    pub(crate) folds: Folds,
    /// The question that waits for its answer.
    pub(crate) ticket: Option<Ticket>,
    /// Lines that were fetched for the subject.
    pub(crate) lines: Vec<RawLine>,
    /// Most bytes fetched of each line.
    pub(crate) limit: u64,
    /// What is done with the value once all of it is here.
    pub(crate) awaited: Option<Awaited>,
    /// The match of the search that was reached last, from 0.
    pub(crate) at_match: Option<usize>,
    /// The tab that the user chose last: the next subject opens with it where it has it.
    pub(crate) wanted: Option<TabId>,
}

/// What is done with a value once all of it is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// It is given to a program.
    HandOver(Program),
    /// It is put on the clipboard under this name.
    Copy(String),
}

/// A row of the pane: a piece of a line of the doc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailRow {
    /// Which line of the doc.
    pub line: usize,
    /// Bytes of the line's joined left text that stand here.
    pub range: Range<usize>,
    /// Blanks before it.
    pub indent: u16,
    /// The first row of its line: the right part stands here.
    pub first: bool,
}

impl Detail {
    /// The tab shown.
    #[must_use]
    pub fn tab_id(&self) -> Option<TabId> {
        self.tabs.get(self.tab).copied()
    }

    /// Whether Enter on the cursor row leads anywhere.
    #[must_use]
    pub fn target(&self) -> Option<EventRef> {
        let row = self.rows.get(self.cursor)?;
        self.doc.as_ref()?.lines.get(row.line)?.target
    }

    /// Shows another text; from its start, or at the same line where it is nearly the same.
    pub(crate) fn show(&mut self, doc: Option<Arc<Doc>>, keep: bool) {
        self.doc = doc;
        if !keep {
            self.at_match = None;
            (self.cursor, self.sideways) = (0, 0);
            self.rows.clear();
        }
        self.lay_out();
    }

    /// Fits the text into this size.
    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        let other = self.size.0 != width;
        self.size = (width, height);
        if other {
            self.lay_out();
        }
        self.go(self.cursor);
    }

    /// The rows in which a match begins, in order, one for each match.
    pub(crate) fn matches(&self, needle: &Needle) -> Vec<usize> {
        let lines = self.doc.as_ref().map_or(&[][..], |doc| &doc.lines);
        let mut rows = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let text: String = line.spans.iter().map(|span| span.text.as_str()).collect();
            let found = needle.ranges(&text);
            rows.extend(found.into_iter().filter_map(|range| {
                let after = self.rows.partition_point(|row| (row.line, row.range.start) <= (at, range.start));
                after.checked_sub(1).filter(|row| self.rows[*row].line == at)
            }));
        }
        rows
    }

    /// Breaks the lines into rows; the cursor stays on its line.
    pub(crate) fn lay_out(&mut self) {
        let line = self.rows.get(self.cursor).map(|row| row.line);
        let doc = self.doc.clone().unwrap_or_default();
        self.rows = lay_out(&doc, self.size.0, !self.unwrapped, &self.folds);
        // A line that is folded away leaves the cursor on the one above it that is not.
        let held = line.map(|line| {
            let at = self.rows.partition_point(|row| row.line < line);
            let is_there = self.rows.get(at).is_some_and(|row| row.line == line);
            if is_there { at } else { at.saturating_sub(1) }
        });
        self.go(held.unwrap_or(self.cursor));
        if !self.unwrapped {
            self.sideways = 0;
        }
    }

    /// Puts the cursor on a row, as far as there are rows.
    pub(crate) fn go(&mut self, row: usize) {
        self.cursor = row.min(self.rows.len().saturating_sub(1));
        self.top = self.cursor.min(self.rows.len().saturating_sub(usize::from(self.size.1.max(1))));
    }

    /// Moves the cursor by rows.
    pub(crate) fn step(&mut self, by: isize) {
        self.go(self.cursor.saturating_add_signed(by));
    }

    /// Scrolls sideways; never while lines wrap, never past the widest line.
    pub(crate) fn scroll_sideways(&mut self, to: usize) {
        let Some(doc) = self.doc.as_ref().filter(|_| self.unwrapped) else { return };
        let wide = |line: &DocLine| line.spans.iter().map(|span| columns(&span.text)).sum::<usize>();
        let widest = doc.lines.iter().map(wide).max().unwrap_or_default();
        self.sideways = to.min(widest.saturating_sub(usize::from(self.size.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::role::Role;

    fn detail(lines: &[&str], width: u16, height: u16) -> Detail {
        let lines = lines.iter().map(|line| DocLine { indent: 2, ..DocLine::of(*line, Role::Normal) }).collect();
        let mut detail = Detail::default();
        detail.resize(width, height);
        detail.show(Some(Arc::new(Doc { lines, ..Doc::default() })), false);
        detail
    }

    #[test]
    fn long_lines_wrap_with_their_indent() {
        let detail = detail(&["one two three four", "x"], 8, 4);
        let doc = detail.doc.clone().unwrap_or_default();
        let rows: Vec<_> =
            detail.rows.iter().map(|row| (&doc.lines[row.line].spans[0].text[row.range.clone()], row.indent)).collect();
        assert_eq!(rows, [("one two", 0), ("three", 2), ("four", 2), ("x", 0)]);
    }

    #[test]
    fn the_cursor_scrolls_first_and_walks_at_the_end() {
        let mut detail = detail(&["a", "b", "c", "d", "e"], 8, 3);
        let seen: Vec<_> = (0..6)
            .map(|_| {
                let seen = (detail.top, detail.cursor);
                detail.step(1);
                seen
            })
            .collect();
        assert_eq!(seen, [(0, 0), (1, 1), (2, 2), (2, 3), (2, 4), (2, 4)]);
        detail.step(-100);
        assert_eq!((detail.top, detail.cursor), (0, 0));
    }

    #[test]
    fn sideways_ends_at_the_widest_line_and_wrapping_undoes_it() {
        let mut detail = detail(&["0123456789", "x"], 4, 2);
        detail.scroll_sideways(9);
        assert_eq!(detail.sideways, 0);
        detail.unwrapped = true;
        detail.lay_out();
        detail.scroll_sideways(usize::MAX);
        assert_eq!(detail.sideways, 6);
        detail.unwrapped = false;
        detail.lay_out();
        assert_eq!(detail.sideways, 0);
    }
}
