//! The type picker (`t`): event types with their counts, ticked or not.

use super::canvas::Canvas;
use super::overlay::{cursor, frame, visible};
use crate::app::area::Area;
use crate::app::overlay::{TypeLine, TypePicker};
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end, pad_end, pad_start};

/// Columns that type names are padded to, so that counts line up.
const NAME: usize = 30;

/// Draws the picker.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, picker: &TypePicker) {
    let words = &canvas.look.words;
    let counts = [("shown", words.number(picker.shown)), ("all", words.number(picker.total))];
    let counts: Vec<(&str, &str)> = counts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let count = words.say("picker.count", &counts);
    let mut left = vec![Span::new(words.get("picker.title"), Role::Strong)];
    left.push(Span::new(format!("   {}", words.get("picker.keys")), Role::Dim));
    if !picker.narrowed.is_empty() {
        left.push(Span::new(format!("   /{}", picker.narrowed), Role::Accent));
    }
    let body = frame(canvas, area, &left, &[Span::plain(count)]);
    let name = picker.lines.iter().map(|line| columns(&line.name)).max().unwrap_or(0);
    let widest = picker.lines.iter().map(|line| canvas.look.words.number(line.events).len()).max().unwrap_or(0);
    let shape = Shape { name: name.max(NAME).min(usize::from(body.width / 2)), count: widest.max(6) };
    for (at, place) in visible(body, picker.list, picker.lines.len()) {
        if let Some(line) = picker.lines.get(place) {
            type_line(canvas, body, at, line, shape);
        }
        if place == picker.list.cursor {
            cursor(canvas, body, at);
        }
    }
}

#[derive(Clone, Copy)]
struct Shape {
    name: usize,
    count: usize,
}

fn type_line(canvas: &mut Canvas<'_>, body: Area, at: u16, line: &TypeLine, shape: Shape) {
    let words = &canvas.look.words;
    let tick = if line.ticked { "[x] " } else { "[ ] " };
    let role = if line.surface { Role::Normal } else { Role::Hidden };
    let side = words.get(if line.surface { "picker.in_chat" } else { "picker.hidden" });
    let mut spans = vec![
        Span::new(tick, if line.ticked { Role::Strong } else { Role::Dim }),
        Span::new(pad_end(&cut_end(&line.name, shape.name), shape.name), role),
        Span::plain(pad_start(&words.number(line.events), shape.count)),
        Span::new(format!("  {side}"), Role::Dim),
    ];
    if !line.ticked {
        let term = format!("!type:{}", line.name);
        spans.push(Span::new(format!("   {}", words.say("picker.as_filter", &[("filter", &term)])), Role::Dim));
    }
    canvas.spans(body, at, 2, &spans);
}
