//! A page while it is written: lines with places to go, each broken to the width of the screen at the end.

use std::ops::Range;

use super::{Page, PageKind, PageTexts};
use crate::app::detail::lay_out;
use crate::app::model::{Model, Open};
use crate::app::parted::PartedLine;
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::role::Span;
use crate::text::time::Zone;
use crate::triage::doc::{Doc, DocLine};
use crate::triage::facts::Facts;
use crate::triage::session::Session;

/// A page while it is written.
pub(crate) struct Sheet<'a> {
    pub(crate) session: &'a Session,
    pub(crate) facts: &'a Facts,
    pub(crate) words: &'a Words,
    pub(crate) zone: &'a Zone,
    /// Columns of the screen.
    pub(crate) width: u16,
    pub(crate) doc: Doc,
    texts: &'a PageTexts,
    needs: Vec<(usize, RowIx)>,
}

impl<'a> Sheet<'a> {
    /// An empty page about the log that is open.
    pub(crate) fn new(open: &'a Open, model: &'a Model) -> Sheet<'a> {
        Sheet {
            session: &open.session,
            facts: &open.session.facts,
            words: &model.settings.words,
            zone: &model.settings.zone,
            width: model.screen.0,
            doc: Doc::default(),
            texts: &model.page_texts,
            needs: Vec::new(),
        }
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, line: DocLine) {
        self.doc.lines.push(line);
    }

    /// The stored text of a row, whole or its first kilobytes, for the line that is written next; `None` while it is
    /// not here: it is fetched once the line comes near the screen, and the page is made again.
    pub(crate) fn text(&mut self, row: RowIx) -> Option<&'a [u8]> {
        let text = self.texts.get(row);
        if text.is_none() {
            self.needs.push((self.doc.lines.len(), row));
        }
        text.filter(|text| !text.is_empty())
    }

    /// The page, each line broken to the width, with the cursor on a line.
    pub(crate) fn finish(self, kind: PageKind, title: PartedLine, cursor: usize) -> Page {
        let (doc, starts) = fold(&self.doc, self.width);
        let place = |line: usize| starts.get(line).copied().unwrap_or(doc.lines.len());
        let needs = self.needs.iter().map(|(line, row)| (place(*line), *row)).collect();
        let cursor = place(cursor).min(doc.lines.len().saturating_sub(1));
        Page { kind, title, doc, cursor, top: 0, needs }
    }
}

/// The text with each line broken to the width of the page, and the row that each line begins at. The first piece of a
/// line leads where the line led.
fn fold(doc: &Doc, width: u16) -> (Doc, Vec<usize>) {
    // One blank at each side.
    let rows = lay_out(doc, width.saturating_sub(2).max(2), true);
    let mut starts = Vec::with_capacity(doc.lines.len());
    for (at, row) in rows.iter().enumerate() {
        if row.first && starts.len() <= row.line {
            starts.resize(row.line + 1, at);
        }
    }
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
    let lines = pieces.collect();
    (Doc { lines, value: doc.value.clone(), left_out: doc.left_out }, starts)
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
