//! The input line in the place of the last row: its label, what was typed, what is wrong with it.

use super::canvas::Canvas;
use super::row::{skip_columns, spans_width};
use crate::app::area::Area;
use crate::app::input::{Asked, Input};
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::columns;

/// Draws the line and gives the place of the terminal's cursor. Of a list that is narrowed as a filter, `narrowed` says
/// how much of it is shown.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, input: &Input, narrowed: Option<&str>) -> Option<(u16, u16)> {
    if area.is_empty() {
        return None;
    }
    let words = &canvas.look.words;
    let label = words.get(match input.asked {
        Asked::Narrow if narrowed.is_some() => "input.filter",
        Asked::GoTo => "input.command",
        Asked::Search | Asked::Narrow => "input.search",
    });
    let note = match &input.problem {
        Some(problem) => Span::new(problem.clone(), Role::Bad),
        None if input.asked == Asked::GoTo && input.text().is_empty() => {
            Span::new(words.get("input.places"), Role::Dim)
        }
        None => {
            let keys = words.get("input.keep_undo");
            Span::new(narrowed.map_or_else(|| keys.to_owned(), |narrowed| format!("{narrowed}   {keys}")), Role::Dim)
        }
    };
    let label = Span::new(label, Role::Strong);
    let width = usize::from(area.width);
    let start = 1 + columns(&label.text);
    // A note that leaves less than half of the row to the text gives way; a problem is told all the same, cut.
    let note_columns = columns(&note.text).min(if input.problem.is_some() { width / 2 } else { width });
    let shows_note = start + note_columns + 2 <= width && (input.problem.is_some() || note_columns * 2 <= width);
    let room = width.saturating_sub(start + 1 + if shows_note { note_columns + 2 } else { 0 }).max(1);
    canvas.spans(area, 0, 1, &[label]);
    let place = typed(canvas, area, start, room, input);
    if shows_note {
        let at = width.saturating_sub(1 + note_columns);
        canvas.spans(Area { width: area.width.saturating_sub(1), ..area }, 0, at, &[note]);
    }
    place
}

/// What was typed, scrolled so that the cursor is in sight.
fn typed(canvas: &mut Canvas<'_>, area: Area, start: usize, room: usize, input: &Input) -> Option<(u16, u16)> {
    let cursor = input.area.cursor();
    let line = input.area.lines().first().map(String::as_str).unwrap_or_default();
    let at = line.char_indices().nth(cursor.1).map_or(line.len(), |(at, _)| at);
    let before = columns(&display(&line.as_bytes()[..at]));
    let skip = (before + 1).saturating_sub(room);
    let spans = [Span::new(display(line.as_bytes()), Role::Accent)];
    let shown = skip_columns(&spans, skip);
    let end = start + room.min(spans_width(&shown));
    canvas.spans(Area { width: end.min(usize::from(area.width)) as u16, ..area }, 0, start, &shown);
    canvas.place(area, 0, start + before - skip)
}
