//! The input line in the place of the last row: its label, what was typed, what is wrong with it.

use super::canvas::Canvas;
use super::row::{skip_columns, spans_width};
use crate::app::area::Area;
use crate::app::filtering::{Filtering, InForce};
use crate::app::input::{Asked, Input};
use crate::app::list::{List, how_many};
use crate::app::model::Model;
use crate::app::theming::{self, Typed};
use crate::text::locale::Words;
use crate::text::number::percent;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::{columns, cut_end};

/// Draws the line and gives the place of the terminal's cursor.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, input: &Input, model: &Model) -> Option<(u16, u16)> {
    if area.is_empty() {
        return None;
    }
    let words = &canvas.look.words;
    let width = usize::from(area.width);
    let (label, note) = label_and_note(input, model, words, width);
    let start = 1 + columns(&label.text);
    let note_columns = note.as_ref().map_or(0, |note| columns(&note.text));
    let room = width.saturating_sub(start + 1 + if note_columns > 0 { note_columns + 2 } else { 0 }).max(1);
    canvas.spans(area, 0, 1, &[label]);
    let wrong = model.filtering.as_ref().filter(|_| input.problem.is_some());
    let wrong = wrong.and_then(|filtering| match filtering.in_force {
        InForce::Before(char) => Some(char),
        InForce::Whole | InForce::Part => None,
    });
    let place = typed(canvas, area, (start, room), input, wrong);
    if let Some(note) = note {
        let at = width.saturating_sub(1 + note_columns);
        canvas.spans(Area { width: area.width.saturating_sub(1), ..area }, 0, at, &[note]);
    }
    place
}

/// What stands before and behind the text in a row of some columns.
fn label_and_note(input: &Input, model: &Model, words: &Words, width: usize) -> (Span, Option<Span>) {
    let label = words.get(match input.asked {
        Asked::Narrow if narrowed_list(model).is_some() => "input.filter",
        Asked::GoTo => "input.command",
        Asked::Filter => "input.filter",
        Asked::Pipe => "input.pipe",
        Asked::SearchSessions => "input.search_sessions",
        Asked::Search | Asked::Narrow => "input.search",
    });
    let room = width.saturating_sub(1 + columns(label) + 3);
    (Span::new(label, Role::Strong), note(input, model, words, room))
}

/// The column of a row of some columns behind which no text of the user stands.
pub(crate) fn note_start(input: &Input, model: &Model, words: &Words, width: usize) -> usize {
    let (_, note) = label_and_note(input, model, words, width);
    width.saturating_sub(1 + note.map_or(0, |note| columns(&note.text)))
}

/// The session list, where it is what the line narrows.
fn narrowed_list(model: &Model) -> Option<&List> {
    model.shown_list().filter(|_| model.overlay.is_none())
}

/// What stands at the right of the text, in the first form that leaves the text its place; a problem is told all the
/// same, cut to half of the row where the text needs the rest.
fn note(input: &Input, model: &Model, words: &Words, room: usize) -> Option<Span> {
    let typed = columns(&display(input.text().as_bytes()));
    // What is typed next finds a place too.
    let left = room.saturating_sub(typed + 1);
    if let Some(problem) = &input.problem {
        return Some(Span::new(cut_end(problem, left.max(room / 2)), Role::Bad));
    }
    let keys = words.get("input.keep_undo");
    let forms = match input.asked {
        Asked::GoTo if input.text().is_empty() => vec![words.get("input.places").to_owned()],
        Asked::Filter => {
            let (long, short) = shown(model, words);
            vec![format!("{long}   {keys}"), long, short]
        }
        Asked::Search => match &model.search {
            Some(search) if !input.text().is_empty() => {
                let matches = words.count("count.matches", search.hits.len() as u64);
                let far = if search.done { matches } else { words.say("input.so_far", &[("count", &matches)]) };
                vec![format!("{far}   {keys}"), far]
            }
            Some(_) | None => vec![keys.to_owned()],
        },
        Asked::Narrow => match narrowed_list(model) {
            Some(list) => vec![format!("{}   {keys}", how_many(list, words)), how_many(list, words)],
            None => vec![keys.to_owned()],
        },
        Asked::SearchSessions => vec![words.get("input.search_undo").to_owned()],
        Asked::Pipe => vec![words.get("input.pipe_about").to_owned()],
        Asked::GoTo => match theming::typed(input.text()) {
            Typed::Theme(_) => {
                let known = model.settings.themes.listed();
                vec![words.say("input.themes", &[("known", &known)]), known]
            }
            Typed::Else => vec![keys.to_owned()],
        },
    };
    let half = room.saturating_add(5) / 2;
    let is_led = matches!(input.asked, Asked::Filter | Asked::Search | Asked::GoTo);
    let fits = |form: &String| columns(form) <= left && (is_led || columns(form) <= half);
    let form = forms.into_iter().find(fits)?;
    Some(Span::new(form, Role::Dim))
}

/// How many events the finished part of the filter selects, long and short.
fn shown(model: &Model, words: &Words) -> (String, String) {
    let of_page = model.page.as_ref().filter(|_| model.filtering.as_ref().is_some_and(Filtering::is_of_page));
    if let Some((shown, all)) = of_page.map(|page| page.rows) {
        let text = words.say("input.shown", &[("shown", &words.number(shown)), ("all", &words.number(all))]);
        return (text.clone(), text);
    }
    let events = model.events();
    let (shown, all) = (words.number(events.shown), words.number(events.all));
    let counts = [("shown", &*shown), ("all", &*all)];
    let long = if let Some((looked_at, lines)) = model.sifting() {
        words.say("input.sifting", &[counts[0], counts[1], ("percent", &percent(looked_at, lines.max(1)))])
    } else {
        let part = model.filtering.as_ref().is_some_and(|filtering| filtering.in_force == InForce::Part);
        words.say(if part { "input.finished_part" } else { "input.shown" }, &counts)
    };
    (long, words.say("input.shown", &counts))
}

/// What was typed, scrolled so that the cursor is in sight.
fn typed(
    canvas: &mut Canvas<'_>,
    area: Area,
    (start, room): (usize, usize),
    input: &Input,
    wrong: Option<usize>,
) -> Option<(u16, u16)> {
    let cursor = input.area.cursor();
    let line = input.area.lines().first().map(String::as_str).unwrap_or_default();
    let at = line.char_indices().nth(cursor.1).map_or(line.len(), |(at, _)| at);
    let before = columns(&display(&line.as_bytes()[..at]));
    let skip = (before + 1).saturating_sub(room);
    let good = wrong.and_then(|char| line.char_indices().nth(char)).map_or(line.len(), |(at, _)| at);
    let (good, bad) = line.split_at(good);
    let spans = [Span::new(display(good.as_bytes()), Role::Accent), Span::new(display(bad.as_bytes()), Role::Bad)];
    let shown = skip_columns(&spans, skip);
    let end = start + room.min(spans_width(&shown));
    canvas.spans(Area { width: end.min(usize::from(area.width)) as u16, ..area }, 0, start, &shown);
    canvas.place(area, 0, start + before - skip)
}
