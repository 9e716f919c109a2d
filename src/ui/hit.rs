//! What a click on words means: hints, which name a key and what it does; tabs; lines of the help.
//!
//! Only the screen knows which words stand where, so this reads what is drawn; the core is told what was meant.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::overlay::Places;
use super::{Look, detail, draw, glyphs, help, input};
use crate::app::area::Size;
use crate::app::hints::keys_named;
use crate::app::key::{MouseEvent, MouseKind};
use crate::app::keymap::Keys;
use crate::app::message::{Choice, Message};
use crate::app::model::Model;
use crate::app::overlay::Overlay;
use crate::text::width::columns;

/// Texts of the verdict and of titles of pages that name keys; what else stands there comes from the log.
const AMONG_VALUES: [&str; 10] = [
    "verdict.go_there",
    "verdict.go",
    "verdict.six_steps",
    "verdict.errors_key",
    "follow.to_the_end",
    "page_header.back",
    "hint.back",
    "hint.quit",
    "ladder.hint",
    "pass.hint",
];

/// The message of a mouse event: a press on words that stand for something becomes that, everything else stays.
#[must_use]
pub fn clicked(model: &Model, look: &Look, event: MouseEvent) -> Message {
    let twice = match event.kind {
        MouseKind::Pressed => false,
        MouseKind::PressedTwice => true,
        MouseKind::Dragged
        | MouseKind::Released
        | MouseKind::WheelUp
        | MouseKind::WheelDown
        | MouseKind::WheelLeft
        | MouseKind::WheelRight => return Message::Moused(event),
    };
    match choice(model, look, event.column, event.row) {
        Some(choice) => Message::Chosen { choice, twice },
        None => Message::Moused(event),
    }
}

fn choice(model: &Model, look: &Look, column: u16, row: u16) -> Option<Choice> {
    let areas = &model.areas;
    if may_hint(model, look, column, row) {
        return keys_at(model, look, column, row).map(Choice::Keys);
    }
    if model.input.is_some() {
        return None;
    }
    match &model.overlay {
        Some(Overlay::Help(open)) => help::line_at(areas.page, open, column, row).map(Choice::HelpLine),
        None if model.page.is_none() && areas.detail.top(areas.title_rows).holds(column, row) => {
            detail::tab_at(model, look, column).map(Choice::Tab)
        }
        Some(Overlay::Types(_) | Overlay::Copy(_) | Overlay::Places(_)) | None => None,
    }
}

/// Whether a cell lies where hints stand and nothing that a log or the person wrote.
fn may_hint(model: &Model, look: &Look, column: u16, row: u16) -> bool {
    let areas = &model.areas;
    if let Some(open) = &model.input {
        let line = if areas.input.is_empty() { areas.status } else { areas.input };
        let keys_of_offers = areas.offers.below(areas.offers.height.saturating_sub(1));
        let from = input::note_start(open, model, &look.words, usize::from(line.width));
        return keys_of_offers.holds(column, row)
            || (line.holds(column, row) && usize::from(column.saturating_sub(line.x)) >= from);
    }
    areas.status.holds(column, row)
        || (model.overlay.is_some() && Places::of(areas.page).title.holds(column, row))
        || is_among_values(model, column, row)
}

/// Whether a cell lies in the verdict or in the title of a page.
fn is_among_values(model: &Model, column: u16, row: u16) -> bool {
    let areas = &model.areas;
    let is_page = model.page.is_some() || model.shown_list().is_some();
    let place = if is_page { Places::of(areas.page).title } else { areas.verdict };
    model.overlay.is_none() && place.holds(column, row)
}

/// The keys that the words at a cell name: a hint is keys, and what they do. Of several the one at the cell, else the
/// first.
fn keys_at(model: &Model, look: &Look, column: u16, row: u16) -> Option<Keys> {
    let words = words_at(model, look, column, row);
    let text = words.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" ");
    let is_hint =
        || AMONG_VALUES.iter().flat_map(|key| look.words.get(key).split("  ")).any(|hint| hint.trim() == text);
    if is_among_values(model, column, row) && !is_hint() {
        return None;
    }
    // `groups: c chat only`
    let label = usize::from(model.overlay.is_some() && words.first().is_some_and(|(_, word)| word.ends_with(':')));
    let named = words[label..].iter().map_while(|(place, word)| Some((place, keys_named(word, model)?)));
    let named: Vec<(&Range<u16>, Keys)> = named.collect();
    // A word alone is a hint only where there is no room for what it does.
    if named.len() == words.len() && !matches!(model.areas.size, Size::Small | Size::Tiny) {
        return None;
    }
    let help = || look.words.get("hint.help").split(' ').next().and_then(|key| keys_named(key, model));
    let here = named.iter().find(|(place, _)| place.contains(&column)).or(named.first()).map(|(_, keys)| *keys);
    // A message may quote anything.
    let is_message = model.notice.is_some() && model.areas.status.holds(column, row);
    here.filter(|keys| !is_message || help() == Some(*keys))
}

/// The words around a cell, with their columns, as far as no two blanks part them.
fn words_at(model: &Model, look: &Look, column: u16, row: u16) -> Vec<(Range<u16>, String)> {
    let screen = Rect::new(0, 0, model.screen.0, model.screen.1);
    let mut buffer = Buffer::empty(screen);
    draw(model, look, screen, &mut buffer);
    let mut cells: Vec<(u16, &str)> = Vec::new();
    let mut at = 0;
    while let Some(cell) = buffer.cell((at, row)) {
        cells.push((at, cell.symbol()));
        at += (columns(cell.symbol()) as u16).max(1);
    }
    let rule = look.glyphs.shown(glyphs::RULE.encode_utf8(&mut [0; 4])).unwrap_or(glyphs::RULE).to_string();
    let blank = |at: usize| cells.get(at).is_none_or(|(_, symbol)| *symbol == " ");
    let ruled = |at: usize| cells.get(at).is_some_and(|(_, symbol)| *symbol == rule);
    // A rule parts words like a blank; where it is a hyphen, one inside a word does not.
    let parts =
        |at: usize| blank(at) || (ruled(at) && (at == 0 || [at - 1, at + 1].iter().any(|at| blank(*at) || ruled(*at))));
    let Some(here) = cells.iter().rposition(|(at, _)| *at <= column) else { return Vec::new() };
    if parts(here) && parts(here + 1) && (here == 0 || parts(here - 1)) {
        return Vec::new();
    }
    let from = (0..=here).rev().find(|at| parts(*at) && (*at == 0 || parts(*at - 1))).map_or(0, |at| at + 1);
    let mut words: Vec<(Range<u16>, String)> = Vec::new();
    let mut inside = false;
    for (at, (column, symbol)) in cells.iter().enumerate().skip(from) {
        if parts(at) {
            if parts(at + 1) {
                break;
            }
            inside = false;
            continue;
        }
        let end = column + columns(symbol) as u16;
        match words.last_mut().filter(|_| inside) {
            Some((place, word)) => {
                place.end = end;
                word.push_str(symbol);
            }
            None => words.push((*column..end, (*symbol).to_owned())),
        }
        inside = true;
    }
    words
}
