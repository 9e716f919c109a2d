//! What may be completed in the filter line: a rule, the offers with their counts, the keys that choose.

use super::canvas::Canvas;
use super::glyphs;
use super::overlay::{cursor, visible};
use crate::app::area::Area;
use crate::app::filtering::Filtering;
use crate::app::overlay::ListState;
use crate::query::completion::Note;
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::{columns, cut_end, pad_end};

/// Columns that offers are padded to, so that what is said of them lines up.
const LEAST: usize = 24;

/// Draws the offers into their rows.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, filtering: &Filtering) {
    if area.height < 3 {
        return;
    }
    canvas.blank(area);
    canvas.fill(area, 0, glyphs::RULE, Role::Dim);
    let words = &canvas.look.words;
    let offers = &filtering.completion.offers;
    let body = area.below(1).top(area.height - 2);
    let key = if offers.is_empty() { "input.no_offers" } else { "input.offers" };
    let (keys, about) = (Span::new(words.get(key), Role::Dim), Span::new(words.get("input.offers_about"), Role::Dim));
    let fits = columns(&keys.text) + columns(&about.text) + 4 <= usize::from(area.width);
    canvas.ends(area.below(area.height - 1), 0, &[keys], if fits { std::slice::from_ref(&about) } else { &[] });
    // The chosen one stays in sight.
    let top = (filtering.list.cursor + 1).saturating_sub(usize::from(body.height));
    let list = ListState { top, ..filtering.list };
    let shown: Vec<(u16, usize)> = visible(body, list, offers.len()).collect();
    let texts: Vec<String> =
        shown.iter().filter_map(|(_, place)| Some(display(offers.get(*place)?.text.as_bytes()))).collect();
    let widest = texts.iter().map(|text| columns(text)).max().unwrap_or(0);
    let width = widest.max(LEAST).min(usize::from(body.width / 2));
    for ((at, place), text) in shown.into_iter().zip(texts) {
        let chosen = place == list.cursor;
        let note = offers.get(place).map(|offer| said(offer.note, words)).unwrap_or_default();
        let spans = [
            Span::new(pad_end(&cut_end(&text, width), width), if chosen { Role::Normal } else { Role::Dim }),
            Span::new(format!("  {note}"), Role::Dim),
        ];
        canvas.spans(body, at, 3, &spans);
        if chosen {
            cursor(canvas, body, at);
        }
    }
}

fn said(note: Note, words: &Words) -> String {
    match note {
        Note::Key(key) => words.get(key).to_owned(),
        Note::Events(n) => words.count("count.events", n),
        Note::Calls(n) => words.count("count.calls", n),
        Note::Questions(n) => words.count("count.questions", n),
        Note::Times(n) => words.count("count.times", n),
        Note::None => String::new(),
    }
}
