//! What a search of all sessions found: a title row, a rule, sessions with their matches.

use crate::app::area::Area;
use crate::app::list::hits::HitLine;
use crate::app::list::{Hits, Stock};
use crate::text::role::{Role, Span, cut_spans};
use crate::text::width::{columns, cut_end, pad_end, pad_start};
use crate::ui::canvas::Canvas;
use crate::ui::overlay::{Places, cursor};
use crate::ui::row::{highlight, spans_width};
use crate::ui::{glyphs, odd};

/// Columns of a type at most.
const KIND: usize = 20;

/// Columns below which a quote stands by itself, without the type of its event.
const LEAST_FOR_KIND: u16 = 60;

/// Columns between a title and the id at the right edge.
const GAP: usize = 2;

/// Draws what was found.
pub(super) fn draw(canvas: &mut Canvas<'_>, area: Area, hits: &Hits, stock: &Stock) {
    canvas.blank(area);
    let words = &canvas.look.words;
    let places = Places::of(area);
    canvas.parted(places.title, 0, &hits.title(stock, words));
    canvas.fill(places.rule, 0, glyphs::RULE, Role::Dim);
    if let Some(nothing) = hits.nothing(words) {
        odd::paragraph(canvas, places.body, 0, &nothing);
    }
    let widest = hits.widest();
    for (at, (line, what)) in (0..places.body.height).zip(hits.on_screen()) {
        match what {
            HitLine::Session(nth) => heading(canvas, places.body, at, hits.heading(nth, stock, words)),
            HitLine::Hit(nth, hit) => passage(canvas, places.body, at, hits, (nth, hit), widest),
            HitLine::Further(nth) => {
                canvas.span(places.body, at, 3, &hits.further(nth, words), Role::Warn);
            }
        }
        if line == hits.state.cursor {
            cursor(canvas, places.body, at);
        }
    }
}

/// A session: what it is called, and its id at the right edge where both fit.
fn heading(canvas: &mut Canvas<'_>, body: Area, at: u16, (spans, id): (Vec<Span>, String)) {
    let room = usize::from(body.width).saturating_sub(2);
    let wanted = columns(&id);
    let fits = spans_width(&spans) + GAP + wanted <= room;
    canvas.spans(body, at, 1, &cut_spans(spans, room));
    if fits {
        canvas.span(body, at, 1 + room - wanted, &id, Role::Dim);
    }
}

/// A match: its place, the type of its event, the text around it.
fn passage(
    canvas: &mut Canvas<'_>,
    body: Area,
    at: u16,
    hits: &Hits,
    (nth, hit): (usize, usize),
    (place, kind): (usize, usize),
) {
    let Some(hit) = hits.found.get(nth).and_then(|group| group.hits.get(hit)) else { return };
    let mut spans = vec![Span::new(pad_start(&hit.place, place), Role::Strong), Span::plain("  ")];
    if body.width >= LEAST_FOR_KIND {
        let kind = kind.min(KIND);
        spans.push(Span::new(format!("{}  ", pad_end(&cut_end(&hit.kind, kind), kind)), Role::Dim));
    }
    spans.extend(highlight(&[Span::plain(hit.quote.clone())], &hits.needle.ranges(&hit.quote)));
    canvas.spans(body, at, 3, &cut_spans(spans, usize::from(body.width).saturating_sub(4)));
}
