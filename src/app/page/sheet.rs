//! A page while it is written: lines with places to go, each broken to the width of the screen at the end.

use std::ops::Range;

use super::{Page, PageKind, Quote};
use crate::app::detail::{Folds, lay_out};
use crate::app::message::Epoch;
use crate::app::model::{Model, Open};
use crate::app::parted::{Part, PartedLine};
use crate::session::row::{EventRef, RowIx};
use crate::store::lineage::MemberIx;
use crate::text::locale::Words;
use crate::text::role::{Role, Span, columns_of};
use crate::text::sanitize::display;
use crate::text::time::Zone;
use crate::text::width::{prefixed_id, wrap};
use crate::triage::doc::{Doc, DocLine, Overflow};
use crate::triage::facts::{Call, Facts};
use crate::triage::pass::arguments::told;
use crate::triage::session::Session;

/// Columns below which a column of text is too narrow to read.
const LEAST_ROOM: usize = 10;

/// A page while it is written.
pub(crate) struct Sheet<'a> {
    pub(crate) session: &'a Session,
    pub(crate) facts: &'a Facts,
    pub(crate) words: &'a Words,
    pub(crate) zone: &'a Zone,
    /// Columns of the screen.
    pub(crate) width: u16,
    /// The file grows: what is not there may still come.
    pub(crate) growing: bool,
    pub(crate) doc: Doc,
    pub(crate) model: &'a Model,
    needs: Vec<(usize, Quote)>,
    /// Lines that lead into a relative of the session.
    elsewhere: Vec<(usize, MemberIx)>,
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
            growing: model.follow.growing().is_some(),
            doc: Doc::default(),
            model,
            needs: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, line: DocLine) {
        self.doc.lines.push(line);
    }

    /// The stored text of a row, whole or its first kilobytes, for the line that is written next; `None` while it is
    /// not here: it is fetched once the line comes near the screen, and the page is made again.
    pub(crate) fn text(&mut self, row: RowIx) -> Option<&'a [u8]> {
        self.text_of((self.model.epoch, row))
    }

    /// The same of any reading.
    pub(crate) fn text_of(&mut self, quote: Quote) -> Option<&'a [u8]> {
        let text = self.model.page_texts.get(quote);
        if text.is_none() {
            self.needs.push((self.doc.lines.len(), quote));
        }
        text.filter(|text| !text.is_empty())
    }

    /// Adds a text in rows of its own, all indented by that many columns.
    pub(crate) fn block(&mut self, indent: usize, text: &str, role: Role) {
        let room = usize::from(self.width).saturating_sub(2 + indent).max(LEAST_ROOM);
        let blanks = " ".repeat(indent);
        for range in wrap(text, room) {
            let piece = text.get(range).unwrap_or_default();
            self.push(DocLine { overflow: Overflow::Cut, ..DocLine::of(format!("{blanks}{piece}"), role) });
        }
    }

    /// Whether its lines take more rows than the screen has for them.
    pub(crate) fn is_long(&self) -> bool {
        fold(&self.doc, self.width).0.lines.len() > usize::from(self.model.areas.page_body().height)
    }

    /// Puts spans in the place of the blanks that a line begins with, and lets it lead somewhere.
    pub(crate) fn lead(&mut self, at: usize, spans: Vec<Span>, target: Option<EventRef>) {
        let Some(line) = self.doc.lines.get_mut(at) else { return };
        let taken = columns_of(&spans);
        for span in &mut line.spans {
            span.text = span.text.get(taken..).unwrap_or_default().to_owned();
        }
        line.spans.splice(0..0, spans);
        line.target = target;
    }

    /// Lets a line lead to an event of a relative of the session.
    pub(crate) fn lead_to(&mut self, at: usize, member: MemberIx, event: EventRef) {
        if let Some(line) = self.doc.lines.get_mut(at) {
            line.target = Some(event);
            self.elsewhere.push((at, member));
        }
    }

    /// What a call is about, in one line, once its text is here.
    pub(crate) fn about_call(&mut self, call: &Call) -> Option<String> {
        self.about_call_of(self.model.epoch, call)
    }

    /// The same of any reading.
    pub(crate) fn about_call_of(&mut self, epoch: Epoch, call: &Call) -> Option<String> {
        let line = self.text_of((epoch, call.call_row.or(call.message_row)?))?;
        told(line, call, self.words).map(|told| told.first_line).filter(|line| !line.is_empty())
    }

    /// Its lines as they are, and the stored lines whose text is missing.
    pub(crate) fn into_lines(self) -> (Vec<DocLine>, Vec<Quote>) {
        (self.doc.lines, self.needs.into_iter().map(|(_, quote)| quote).collect())
    }

    /// The page, each line broken to the width, with the cursor on a line.
    pub(crate) fn finish(self, kind: PageKind, title: PartedLine, cursor: usize) -> Page {
        let (doc, starts) = fold(&self.doc, self.width);
        let place = |line: usize| starts.get(line).copied().unwrap_or(doc.lines.len());
        let needs = self.needs.iter().map(|(line, quote)| (place(*line), *quote)).collect();
        let elsewhere = self.elsewhere.iter().map(|(line, member)| (place(*line), *member)).collect();
        let cursor = place(cursor).min(doc.lines.len().saturating_sub(1));
        Page {
            kind,
            title,
            doc,
            cursor,
            top: 0,
            foot_rows: 0,
            strip: None,
            foot: Vec::new(),
            rows: (0, 0),
            needs,
            elsewhere,
        }
    }
}

/// A title row: the name of the page, the session, what is said of it; how to go back at the right.
pub(crate) fn title(sheet: &Sheet<'_>, name: &str, said: Vec<String>) -> PartedLine {
    let words = sheet.words;
    let id = sheet.facts.header.as_ref().and_then(|header| header.id.as_ref());
    let id = id.map(|id| prefixed_id(&display(id.as_bytes()))).unwrap_or_default();
    let mut left = vec![Part::fixed(words.get(name), Role::Strong)];
    if !id.is_empty() {
        left.push(Part::droppable(id, Role::Dim, 8).gap(3));
    }
    let said = said.into_iter().enumerate();
    left.extend(said.map(|(at, text)| Part::droppable(text, Role::Normal, (1 + at.min(5)) as u8).gap(3)));
    PartedLine { left, right: vec![Part::fixed(words.get("page_header.back"), Role::Dim)] }
}

/// The text with each line broken to the width of the page, and the row that each line begins at. The first piece of a
/// line leads where the line led.
fn fold(doc: &Doc, width: u16) -> (Doc, Vec<usize>) {
    // One blank at each side.
    let rows = lay_out(doc, width.saturating_sub(2).max(2), true, &Folds::default());
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
