//! Help (`?`): keys of the focused pane first, then the marks, then everything. Two columns from 100 columns on.

use super::canvas::Canvas;
use super::overlay::{cursor, frame};
use crate::app::area::Area;
use crate::app::overlay::{Help, HelpLine};
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end, pad_end};

/// Columns from which the list flows into two columns.
const LEAST_FOR_TWO: u16 = 100;

/// Columns that keys are padded to, so that what they do lines up.
const KEYS: usize = 24;

/// Draws the list.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, help: &Help, pane: &str) {
    let words = &canvas.look.words;
    let mut left = vec![Span::new(words.say("help.title", &[("pane", pane)]), Role::Strong)];
    if !help.narrowed.is_empty() {
        left.push(Span::new(format!("   /{}", help.narrowed), Role::Accent));
    }
    let narrow = [Span::new(words.get("help.narrow"), Role::Dim)];
    let body = frame(canvas, area, &left, &narrow);
    let top = help.list.top.min(help.lines.len());
    for (column, lines) in columns_of(body).into_iter().zip(help.lines[top..].chunks(usize::from(body.height.max(1)))) {
        for (at, line) in (0..body.height).zip(lines) {
            help_line(canvas, column, at, line);
            let place = top + usize::from(at) + if column.x > body.x { usize::from(body.height) } else { 0 };
            if place == help.list.cursor {
                cursor(canvas, column, at);
            }
        }
    }
}

/// One column, or two with a blank between them.
fn columns_of(body: Area) -> Vec<Area> {
    if body.width < LEAST_FOR_TWO {
        return vec![body];
    }
    let half = body.width / 2;
    vec![Area { width: half - 1, ..body }, Area { x: body.x + half, width: body.width - half, ..body }]
}

fn help_line(canvas: &mut Canvas<'_>, area: Area, at: u16, line: &HelpLine) {
    let room = usize::from(area.width).saturating_sub(2);
    match line {
        HelpLine::Group(name) => {
            canvas.span(area, at, 1, &cut_end(name, room), Role::Strong);
        }
        HelpLine::Marks(text) => {
            canvas.span(area, at, 3, &cut_end(text, room.saturating_sub(2)), Role::Normal);
        }
        HelpLine::Binding { keys, help, .. } => {
            let keys = if columns(keys) > KEYS { format!("{keys} ") } else { pad_end(keys, KEYS + 1) };
            let spans = [Span::new(keys, Role::Accent), Span::plain(help.clone())];
            canvas.spans(Area { width: area.width.saturating_sub(1), ..area }, at, 3, &spans);
        }
    }
}
