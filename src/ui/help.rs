//! Help (`?`): keys of the focused pane first, then the marks, then everything. Two columns from 100 columns on.

use std::ops::Range;

use super::canvas::Canvas;
use super::overlay::{Places, cursor, frame};
use crate::app::area::Area;
use crate::app::overlay::{Help, HelpLine};
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end, pad_end, wrap};

/// Columns from which the list flows into two columns.
const LEAST_FOR_TWO: u16 = 100;

/// Columns that keys are padded to at most, so that what they do lines up.
const KEYS: usize = 24;

/// Lines among which the marks stand when they belong to the top of the list.
const MOST_HEAD: usize = 16;

/// Draws the list.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, help: &Help, pane: &str) {
    let words = &canvas.look.words;
    let mut left = vec![Span::new(words.say("help.title", &[("pane", pane)]), Role::Strong)];
    if !help.narrowed.is_empty() {
        left.push(Span::new(format!("   /{}", help.narrowed), Role::Accent));
    }
    let narrow = [Span::new(words.get("help.narrow"), Role::Dim)];
    let body = frame(canvas, area, &left, &narrow);
    for (area, at, row) in laid_out(body, help) {
        help_row(canvas, area, at, help, &row);
    }
}

/// The line at a cell of the overlay.
pub(crate) fn line_at(area: Area, help: &Help, column: u16, row: u16) -> Option<usize> {
    let rows = laid_out(Places::of(area).body, help);
    let here = |(area, at, _): &&(Area, u16, HelpRow)| area.below(*at).top(1).holds(column, row);
    rows.iter().find(here).map(|(_, _, row)| row.line)
}

/// What stands on the screen: in which area, at which row of it.
fn laid_out(body: Area, help: &Help) -> Vec<(Area, u16, HelpRow)> {
    let top = help.list.top.min(help.lines.len());
    // What is told once and in long lines (the focused pane, the marks) has the whole width; the rest flows.
    let head_end = help.lines.iter().take(MOST_HEAD).rposition(|line| matches!(line, HelpLine::Marks(_)));
    let head_end = head_end.map_or(0, |at| at + 1).max(top);
    let head = rows_of(help, top..head_end, body.width);
    let skip = hidden_rows(&head, help.list.cursor, body.height);
    let mut out = Vec::new();
    out.extend((0..body.height).zip(head.into_iter().skip(skip)).map(|(at, row)| (body, at, row)));
    let rest = body.below(out.len() as u16);
    if rest.height == 0 {
        return out;
    }
    let columns = columns_of(rest);
    let rows = rows_of(help, head_end..help.lines.len(), columns[0].width);
    let room = rest.height.saturating_mul(columns.len() as u16);
    let skip = hidden_rows(&rows, help.list.cursor, room);
    let mut rows = rows.into_iter().skip(skip);
    for column in columns {
        out.extend((0..rest.height).zip(rows.by_ref()).map(|(at, row)| (column, at, row)));
    }
    out
}

/// A row of the list: which line, and for a line that wraps which bytes of it.
struct HelpRow {
    line: usize,
    range: Range<usize>,
}

/// The rows of some lines; marks wrap, everything else is one row.
fn rows_of(help: &Help, lines: Range<usize>, width: u16) -> Vec<HelpRow> {
    let room = usize::from(width).saturating_sub(4);
    let mut rows = Vec::new();
    for line in lines {
        match help.lines.get(line) {
            Some(HelpLine::Marks(text)) => {
                rows.extend(wrap(text, room).into_iter().map(|range| HelpRow { line, range }));
            }
            Some(HelpLine::Group(_) | HelpLine::Binding { .. }) => {
                rows.push(HelpRow { line, range: 0..0 });
            }
            None => {}
        }
    }
    rows
}

/// Rows to leave out at the top so that the cursor is in sight: wrapped lines take more rows than the core counts.
fn hidden_rows(rows: &[HelpRow], cursor: usize, height: u16) -> usize {
    let place = rows.iter().rposition(|row| row.line == cursor);
    place.map_or(0, |at| (at + 1).saturating_sub(usize::from(height)))
}

/// Columns of the widest keys, within reason.
fn key_columns(help: &Help) -> usize {
    let keys = help.lines.iter().map(|line| match line {
        HelpLine::Binding { keys, .. } => columns(keys),
        HelpLine::Group(_) | HelpLine::Marks(_) => 0,
    });
    keys.max().unwrap_or(0).min(KEYS)
}

fn help_row(canvas: &mut Canvas<'_>, area: Area, at: u16, help: &Help, row: &HelpRow) {
    if let Some(line) = help.lines.get(row.line) {
        help_line(canvas, area, at, line, row.range.clone(), key_columns(help));
    }
    if row.line == help.list.cursor {
        cursor(canvas, area, at);
    }
}

/// One column, or two with a blank between them.
fn columns_of(body: Area) -> Vec<Area> {
    if body.width < LEAST_FOR_TWO {
        return vec![body];
    }
    let half = body.width / 2;
    let right = Area { x: body.x + half, width: body.width - half, ..body };
    vec![Area { width: half - 1, ..body }, right]
}

fn help_line(canvas: &mut Canvas<'_>, area: Area, at: u16, line: &HelpLine, range: Range<usize>, key_columns: usize) {
    let room = usize::from(area.width).saturating_sub(2);
    match line {
        HelpLine::Group(name) => {
            canvas.span(area, at, 1, &cut_end(name, room), Role::Strong);
        }
        HelpLine::Marks(text) => {
            let text = &text[range];
            canvas.span(area, at, 3, text, Role::Normal);
        }
        HelpLine::Binding { keys, help, .. } => {
            let keys = format!("{}  ", pad_end(keys, key_columns));
            let spans = [Span::new(keys, Role::Accent), Span::plain(help.clone())];
            canvas.spans(Area { width: area.width.saturating_sub(1), ..area }, at, 3, &spans);
        }
    }
}
