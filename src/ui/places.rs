//! Places that an event leads to (`gd`, `gr`), where there are several.

use super::canvas::Canvas;
use super::overlay::{cursor, frame, visible};
use crate::app::area::Area;
use crate::app::overlay::Places;
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end, pad_end, pad_start};

/// Columns that type names are padded to.
const NAME: usize = 24;

/// Draws the list.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, places: &Places) {
    let closes = [Span::new(canvas.look.words.get("places.keys"), Role::Dim)];
    let body = frame(canvas, area, &[Span::new(places.title.clone(), Role::Strong)], &closes);
    let widest = |of: fn(&crate::app::overlay::PlaceLine) -> &str| {
        places.lines.iter().map(|line| columns(of(line))).max().unwrap_or(0)
    };
    let (seq, name) = (widest(|line| &line.seq), widest(|line| &line.name).min(NAME));
    for (at, place) in visible(body, places.list, places.lines.len()) {
        if let Some(line) = places.lines.get(place) {
            let spans = [
                Span::new(pad_start(&line.seq, seq), Role::Strong),
                Span::new(format!("  {}", line.time), Role::Dim),
                Span::plain(format!("  {}", pad_end(&cut_end(&line.name, name), name))),
                Span::plain(format!("  {}", line.what)),
            ];
            canvas.spans(body, at, 2, &spans);
        }
        if place == places.list.cursor {
            cursor(canvas, body, at);
        }
    }
}
