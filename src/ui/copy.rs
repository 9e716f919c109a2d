//! The copy menu (`y`): each line shows what would be copied, so that nobody pastes blind.

use super::canvas::Canvas;
use super::overlay::{cursor, frame, visible};
use crate::app::area::Area;
use crate::app::overlay::{CopyLine, CopyMenu};
use crate::text::number::size;
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end, pad_end};

/// Draws the menu.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, menu: &CopyMenu) {
    let words = &canvas.look.words;
    let title = [Span::new(words.say("copy.title", &[("what", &menu.about)]), Role::Strong)];
    let closes = [Span::new(words.get("copy.closes"), Role::Dim)];
    let body = frame(canvas, area, &title, &closes);
    let names = menu.lines.iter().map(|line| columns(&line.name)).max().unwrap_or(0).max(10);
    for (at, place) in visible(body, menu.list, menu.lines.len()) {
        if let Some(line) = menu.lines.get(place) {
            copy_line(canvas, body, at, line, names);
        }
        if place == menu.list.cursor {
            cursor(canvas, body, at);
        }
    }
}

fn copy_line(canvas: &mut Canvas<'_>, body: Area, at: u16, line: &CopyLine, names: usize) {
    let bytes = line.bytes.map(size).unwrap_or_default();
    let right = [Span::new(bytes, Role::Dim)];
    let left = [
        Span::new(format!("{}  ", line.letter), Role::Accent),
        Span::new(format!("{}   ", pad_end(&line.name, names)), Role::Strong),
    ];
    let used = 2 + super::row::spans_width(&left);
    let taken = 3 + super::row::spans_width(&right);
    let room = usize::from(body.width).saturating_sub(used + taken);
    canvas.spans(body, at, 2, &left);
    canvas.span(body, at, used, &cut_end(&line.preview, room), Role::Normal);
    canvas.spans(body, at, usize::from(body.width).saturating_sub(taken - 2), &right);
}
