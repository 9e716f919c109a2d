//! Lines of a text → rows of a width.

use super::{DetailRow, Folds};
use crate::text::width::{columns, wrap};
use crate::triage::doc::{Doc, DocLine, Overflow};

/// Rows laid out; a text with more ends there.
const MOST_ROWS: usize = 200_000;

/// The rows of a text, without those below a folded value. A line that is cut, or has a right part, is one row whatever its length.
pub(crate) fn lay_out(doc: &Doc, width: u16, wrapped: bool, folds: &Folds) -> Vec<DetailRow> {
    let mut rows = Vec::with_capacity(doc.lines.len().min(MOST_ROWS));
    let mut below = None;
    for (at, line) in doc.lines.iter().enumerate() {
        if rows.len() >= MOST_ROWS {
            break;
        }
        if !folds.hides(line, &mut below) {
            rows_of(line, at, width, wrapped, &mut rows);
        }
    }
    rows
}

fn rows_of(line: &DocLine, at: usize, width: u16, wrapped: bool, out: &mut Vec<DetailRow>) {
    let text: String = line.spans.iter().map(|span| span.text.as_str()).collect();
    let whole = DetailRow { line: at, range: 0..text.len(), indent: 0, first: true };
    if !wrapped || line.overflow == Overflow::Cut || !line.right.is_empty() || columns(&text) <= usize::from(width) {
        out.push(whole);
        return;
    }
    let first = wrap(&text, usize::from(width)).into_iter().next().unwrap_or(0..text.len());
    let end = first.end;
    out.push(DetailRow { range: first, ..whole });
    let rest = text.get(end..).unwrap_or_default();
    let start = end + (rest.len() - rest.trim_start_matches(' ').len());
    let Some(tail) = text.get(start..).filter(|tail| !tail.is_empty()) else { return };
    let indent = line.indent.min(width / 2);
    for piece in wrap(tail, usize::from((width - indent).max(2))) {
        if out.len() >= MOST_ROWS {
            return;
        }
        out.push(DetailRow { line: at, range: start + piece.start..start + piece.end, indent, first: false });
    }
}
