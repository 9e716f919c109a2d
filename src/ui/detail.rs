//! Pane 4: what is selected. Its title row holds the tabs; the head line stands on top of every tab; below it the
//! rows that the model has wrapped already. Only rows on screen are made into cells.

use std::ops::Range;

use super::Look;
use super::canvas::Canvas;
use super::glyphs;
use super::row::{highlight, skip_columns, slice, spans_width};
use crate::app::area::Area;
use crate::app::detail::DetailRow;
use crate::app::model::{Model, Pane};
use crate::text::locale::Words;
use crate::text::role::{Role, Span, cut_spans};
use crate::triage::doc::{Doc, DocLine};

/// Columns of a pane from which tabs have room around their names.
const LEAST_FOR_ROOM: u16 = 90;

/// Draws the title row with its tabs.
pub(crate) fn title(canvas: &mut Canvas<'_>, model: &Model) {
    let area = model.areas.detail.top(model.areas.title_rows);
    if area.is_empty() {
        return;
    }
    let keys = [Span::new(canvas.look.words.get("pane.tab_keys"), Role::Dim)];
    let (label, _) = label(model, &canvas.look.words);
    let note: &[Span] = if model.detail.tabs.len() > 1 { &keys } else { &[] };
    canvas.title_of(area, &label, note);
}

/// The tab whose name stands at a column of the title row.
pub(crate) fn tab_at(model: &Model, look: &Look, column: u16) -> Option<usize> {
    let (label, first) = label(model, &look.words);
    // The label begins after one cell of the rule.
    let mut end = usize::from(model.areas.detail.x) + 1 + spans_width(&label[..first]);
    // Each tab is a blank and a name.
    let tabs = label[first..].chunks(2).take(model.detail.tabs.len());
    for (at, tab) in tabs.enumerate() {
        end += spans_width(tab);
        if usize::from(column) < end {
            return (usize::from(column) >= end - spans_width(&tab[1..])).then_some(at);
        }
    }
    None
}

/// Name and tabs, and how many spans stand before the first tab; each tab is two spans.
fn label(model: &Model, words: &Words) -> (Vec<Span>, usize) {
    let area = model.areas.detail;
    let focused = model.focus == Pane::Detail;
    let roomy = area.width >= LEAST_FOR_ROOM;
    let name = words.get(if roomy { "pane.detail" } else { "pane.detail_short" }).to_owned();
    let (open, close) = if focused { ("[", "]") } else { (" ", " ") };
    let role = if focused { Role::Strong } else { Role::Dim };
    let mut label = vec![Span::new(format!("{open}{name}{close}"), role)];
    if roomy {
        label.push(Span::new(glyphs::RULE.to_string(), Role::Dim));
        label.push(Span::plain(" "));
    }
    let first = label.len();
    for (at, tab) in model.detail.tabs.iter().enumerate() {
        let text = words.get(tab.key());
        let blank = if at > 0 { " " } else { "" };
        label.push(Span::plain(blank));
        label.push(match (at == model.detail.tab, roomy) {
            (true, _) => Span::new(format!("<{text}>"), Role::Strong),
            (false, true) => Span::new(format!(" {text} "), Role::Dim),
            (false, false) => Span::new(text, Role::Dim),
        });
    }
    if !model.detail.tabs.is_empty() {
        label.push(Span::plain(" "));
    }
    (label, first)
}

/// Draws head line and text.
pub(crate) fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let body = model.areas.detail_body();
    let detail = &model.detail;
    if body.is_empty() {
        return;
    }
    let mut text = body;
    if let Some(head) = &detail.head {
        doc_line(canvas, body, 0, head);
        text = body.below(1);
    }
    let Some(doc) = &detail.doc else {
        let key = if detail.subject.is_some() { "detail.loading" } else { "detail.nothing_selected" };
        let words = canvas.look.words.get(key).to_owned();
        canvas.span(text, 0, 1, &words, Role::Dim);
        return;
    };
    let rows = detail.rows.get(detail.top.min(detail.rows.len())..).unwrap_or_default();
    let focused = model.focus == Pane::Detail;
    for (at, row) in (0..text.height).zip(rows) {
        detail_row(canvas, text, at, model, doc, row);
        if focused && detail.top + usize::from(at) == detail.cursor {
            canvas.span(text, at, 0, &glyphs::CURSOR.to_string(), Role::Accent);
            canvas.mark_row(text, at, true);
        }
    }
}

fn detail_row(canvas: &mut Canvas<'_>, area: Area, at: u16, model: &Model, doc: &Doc, row: &DetailRow) {
    let Some(line) = doc.lines.get(row.line) else {
        return;
    };
    let indent = usize::from(row.indent.min(area.width / 2));
    let room = usize::from(area.width).saturating_sub(2 + indent);
    let mut spans = marked(model, line, row);
    if model.detail.sideways > 0 {
        spans = skip_columns(&spans, model.detail.sideways);
    }
    let right = if row.first { cut_spans(line.right.clone(), room) } else { Vec::new() };
    if row.first {
        fold_sign(canvas, model, line, row.line, &mut spans);
    }
    let taken = spans_width(&right);
    let left_room = if taken > 0 { room.saturating_sub(taken + 1) } else { room };
    canvas.spans(area, at, 1 + indent, &cut_spans(spans, left_room));
    canvas.spans(area, at, usize::from(area.width).saturating_sub(1 + taken), &right);
}

/// The sign of a value that can be folded, before its key; what is folded away is counted behind it.
fn fold_sign(canvas: &Canvas<'_>, model: &Model, line: &DocLine, place: usize, spans: &mut Vec<Span>) {
    let Some(branch) = line.branch.as_ref().filter(|branch| branch.opens) else { return };
    let folded = model.detail.folded_lines(place);
    if let Some(lines) = folded {
        let lines = canvas.look.words.count("count.lines", lines as u64);
        spans.push(Span::new(format!("  {} {lines}", glyphs::CUT), Role::Dim));
    }
    let sign = if folded.is_some() { glyphs::FOLDED } else { glyphs::OPEN };
    // Keys of the first level stand behind two blanks, deeper ones behind two more for each level.
    let column = (usize::from(branch.level) * 2).saturating_sub(2);
    if model.detail.sideways == 0
        && let Some(first) = spans.first_mut()
        && first.text.get(column..).is_some_and(|rest| rest.starts_with("  "))
    {
        first.text.replace_range(column..=column, &sign.to_string());
    }
}

/// The part of a line that stands in a row, matches of the search marked.
fn marked(model: &Model, line: &DocLine, row: &DetailRow) -> Vec<Span> {
    let spans = slice(&line.spans, row.range.clone());
    let Some(search) = &model.search else {
        return spans;
    };
    // A match may go on in the next row.
    let text: String = line.spans.iter().map(|span| span.text.as_str()).collect();
    let (from, to) = (row.range.start, row.range.end);
    let clip = |found: Range<usize>| found.start.max(from).min(to) - from..found.end.max(from).min(to) - from;
    let ranges = search.needle.ranges(&text).into_iter().map(clip).filter(|range| !range.is_empty());
    highlight(&spans, &ranges.collect::<Vec<_>>())
}

/// A line of a document in one row: its right part is kept, its left part is cut.
pub(crate) fn doc_line(canvas: &mut Canvas<'_>, area: Area, at: u16, line: &DocLine) {
    canvas.ends(area, at, &line.spans, &line.right);
}
