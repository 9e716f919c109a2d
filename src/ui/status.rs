//! The last row: where the user is at the left, the keys that help here at the right, most useful first. After a prefix
//! key it lists what may follow; a message stands there until the next key.

use super::{Look, header};
use crate::app::action::Action;
use crate::app::area::Size;
use crate::app::hints::{bound, hints};
use crate::app::keymap::{Binding, Context, Keymap, Keys};
use crate::app::list::{self, List};
use crate::app::model::{Model, Open, Pane};
use crate::app::overlay::Overlay;
use crate::app::page::{Page, PageKind};
use crate::app::parted::{Part, PartedLine};
use crate::app::selection::{Selection, filter_text};
use crate::app::timeline::Item;
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::number::percent;
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::text::width::{cut_end, cut_middle, short_call_id};
use crate::triage::pass::citation::nth_seq;
use crate::triage::session::Extent;
use crate::triage::what::{CallPart, Link};

/// The weight of the first hint: those after it give way before it.
const FIRST_HINT: u8 = 20;

/// Columns of a filter, so that some keys find room beside it.
const SHORT_FILTER: usize = 30;

/// Columns of the path to a value that stay at its start.
const PATH_START: usize = 16;

/// And at its end, where it says the most.
const PATH_END: usize = 30;

/// What the last row says.
pub(crate) fn line(model: &Model, look: &Look) -> PartedLine {
    let words = &look.words;
    if let Some(prefix) = model.pending.prefix {
        let mut line = following(prefix, &model.settings.keymap, words);
        if model.settings.keymap.after(prefix).any(|binding| binding.action == Action::GoToMark) {
            line.left.extend(marks(model, words));
        }
        return line;
    }
    if let Some(notice) = &model.notice {
        return PartedLine {
            left: vec![Part::shrinking(std::slice::from_ref(&notice.text), notice.role, 0)],
            right: vec![Part::droppable(help(model), Role::Dim, 1)],
        };
    }
    let mut line = match (&model.overlay, &model.page) {
        (Some(Overlay::Help(_)), _) => ends(words, "help.all_shown", "help.bottom"),
        (Some(Overlay::Types(_)), _) => ends(words, "picker.groups", "hint.help"),
        (Some(Overlay::Places(_)), _) => ends(words, "places.hint", "hint.help"),
        (Some(Overlay::Copy(_)), _) => ends(words, "copy.hint", "copy.ways"),
        (None, _) if model.shown_list().is_some() => on_list(model, words),
        (None, Some(page)) => on_page(page.kind, model, words),
        (None, None) => on_main(model, words),
    };
    if let Some(count) = model.pending.count {
        line.left.insert(0, Part::fixed(count.to_string(), Role::Accent));
    }
    line
}

fn ends(words: &Words, left: &str, right: &str) -> PartedLine {
    PartedLine {
        left: vec![Part::droppable(words.get(left), Role::Dim, 2)],
        right: vec![Part::droppable(words.get(right), Role::Dim, 1)],
    }
}

fn on_page(kind: PageKind, model: &Model, words: &Words) -> PartedLine {
    let mut line = PartedLine::default();
    let follows = kind.traits().follows;
    if let (true, Some(seq)) = (follows, cursor_seq(model)) {
        line.left.push(Part::fixed(words.say("status.seq", &[("seq", &seq)]), Role::Normal));
    }
    if let Some(step) = model.page.as_ref().and_then(Page::step) {
        let text = words.say("status.step_of", &[("n", &words.number(step as u64)), ("all", "6")]);
        line.left.push(Part::droppable(text, Role::Dim, 40));
    } else if let Some((n, all)) = model.page.as_ref().map(Page::targets).filter(|(_, all)| *all > 0 && !follows) {
        let (n, all) = (words.number(n as u64), words.number(all as u64));
        line.left.push(Part::droppable(words.say("status.place_of", &[("n", &n), ("all", &all)]), Role::Dim, 40));
    }
    with_hints(&mut line, kind.context(model), model);
    line
}

fn on_list(model: &Model, words: &Words) -> PartedLine {
    if let Some((hits, stock)) = model.shown_list().and_then(List::searched) {
        let mut line = PartedLine { left: hits.place(stock, words), right: Vec::new() };
        with_hints(&mut line, Context::Hits, model);
        return line;
    }
    let place = model.shown_list().map(|list| list::place(list, words));
    let mut line = PartedLine { left: place.unwrap_or_default(), right: Vec::new() };
    with_hints(&mut line, Context::List, model);
    line
}

fn on_main(model: &Model, words: &Words) -> PartedLine {
    if !has_rows(model) {
        let told = |hint: &str| bound(hint, Context::Main, model).unwrap_or_default();
        let quit = if model.is_from_list { "hint.back" } else { "hint.quit" };
        let right = vec![
            Part::droppable(told("hint.sessions"), Role::Dim, 2),
            Part::droppable(told(quit), Role::Dim, 1),
            Part::fixed(help(model), Role::Dim),
        ];
        return PartedLine { left: breadcrumb(model, words), right };
    }
    match model.areas.size {
        Size::TooSmall | Size::Tiny => {
            let whole = header::whole(model, words);
            PartedLine {
                left: whole.into_iter().collect(),
                right: vec![Part::fixed(short_keys(model, &["hint.next_pane", "hint.help"]), Role::Dim)],
            }
        }
        Size::Small => {
            let left =
                place(model, words).last().map(|text| Part::shrinking(std::slice::from_ref(text), Role::Normal, 0));
            let keys = short_keys(
                model,
                &["hint.last_unpaired", "hint.next_unpaired", "hint.next_pane", "hint.types", "hint.help"],
            );
            PartedLine { left: left.into_iter().collect(), right: vec![Part::fixed(keys, Role::Dim)] }
        }
        Size::Normal | Size::Wide if model.family.view.is_some() => {
            let mut left = breadcrumb(model, words);
            if let Some(head) = model.head_here() {
                left.insert(0, Part::droppable(head.name, Role::Accent, 3));
            }
            let right = hints(Context::Family, model).into_iter().enumerate();
            let right = right.map(|(at, hint)| Part::droppable(hint, Role::Dim, FIRST_HINT.saturating_add(at as u8)));
            let help = Part::fixed(help(model), Role::Dim);
            PartedLine { left, right: right.chain([help]).collect() }
        }
        Size::Normal | Size::Wide => {
            let mut line = PartedLine { left: breadcrumb(model, words), right: Vec::new() };
            if model.reading && tail_only(model) {
                line.right.push(Part::droppable(words.get("progress.keys"), Role::Dim, FIRST_HINT));
                line.right.push(Part::fixed(help(model), Role::Dim));
            } else {
                with_hints(&mut line, Context::of(model.focus), model);
            }
            line
        }
    }
}

/// Whether only the end of the log was read.
fn tail_only(model: &Model) -> bool {
    model.open.as_ref().is_some_and(|open| open.session.extent == Extent::Tail)
}

/// Whether there is anything to move among.
fn has_rows(model: &Model) -> bool {
    model.timeline.rows().all > 0
}

/// The keys of some hints without their words.
fn short_keys(model: &Model, hints: &[&str]) -> String {
    let first = |hint: &&str| Some(bound(hint, Context::of(model.focus), model)?.split(' ').next()?.to_owned());
    hints.iter().filter_map(first).collect::<Vec<String>>().join(" ")
}

/// How help is found: never left out, unless no key opens it.
fn help(model: &Model) -> String {
    bound("hint.help", Context::Main, model).unwrap_or_default()
}

/// Hints at the right: the later ones give way first, help never does.
fn with_hints(line: &mut PartedLine, context: Context, model: &Model) {
    for (at, hint) in hints(context, model).into_iter().enumerate() {
        line.right.push(Part::droppable(hint, Role::Dim, FIRST_HINT.saturating_add(at as u8)));
    }
    line.right.push(Part::fixed(help(model), Role::Dim));
}

/// `turn 1 > step 2 > call_0321_0   row 23 of 23   filter none`
fn breadcrumb(model: &Model, words: &Words) -> Vec<Part> {
    let mut parts = Vec::new();
    let place = place(model, words).join(" > ");
    if !place.is_empty() {
        parts.push(Part::shrinking(&[place], Role::Normal, 0));
    }
    if let (Pane::Detail, Some(branch)) = (model.focus, model.detail.branch()) {
        let path = cut_middle(&branch.path, PATH_START, PATH_END);
        parts.push(Part::droppable(path, Role::Accent, FIRST_HINT - 1));
    }
    if let Some(search) = &model.search {
        let rules = model.open.as_ref().map_or(&[][..], |open| &open.rules);
        let at = model.timeline.current().map_or(0, |item| search.nth(item, rules));
        let (n, all) = (at.to_string(), search.hits.len().to_string());
        let text = words.say("status.matches_of", &[("n", &n), ("all", &all)]);
        parts.push(Part::droppable(format!("/{}  {text}", search.needle.text()), Role::Accent, 15));
        if !search.done {
            let lines = model.open.as_ref().map_or(0, |open| open.session.index.rows.len() as u64);
            let done = percent(search.looked_at.min(lines), lines.max(1));
            parts.push(Part::droppable(words.say("status.searching", &[("percent", &done)]), Role::Accent, 14));
        }
    }
    if !has_rows(model) {
        return parts;
    }
    if model.focus == Pane::Timeline && !tail_only(model) {
        let (n, all) = model.row_here();
        let (n, all) = (words.number(n), words.number(all));
        parts.push(Part::droppable(words.say("status.row_of", &[("n", &n), ("all", &all)]), Role::Dim, 40).gap(3));
    }
    let filter = match &model.selection {
        Selection::All => Part::droppable(words.get("status.filter_none"), Role::Dim, 41),
        Selection::Some(chosen) => {
            let say = |filter: &str| words.say("status.filter", &[("filter", filter)]);
            let short = cut_end(&filter_text(chosen), SHORT_FILTER);
            let forms = [say(&short), say(words.get("status.filter_on"))];
            // It says why rows are missing: it outlasts the hints.
            Part::shrinking(&forms, Role::Warn, FIRST_HINT - 1)
        }
    };
    parts.push(filter.gap(3));
    if let Some((looked_at, lines)) = model.sifting() {
        let done = percent(looked_at, lines.max(1));
        parts.push(Part::droppable(words.say("status.searching", &[("percent", &done)]), Role::Accent, 14));
    }
    parts
}

fn cursor_row(model: &Model) -> Option<RowIx> {
    match model.timeline.current()? {
        Item::Row(row) | Item::Inner(row) | Item::Run { first: row, .. } | Item::Member { row, .. } => Some(row),
        Item::Rule { .. } | Item::Ghost(_) => None,
    }
}

/// The seq at the cursor, `6/2` for the second event with it.
fn cursor_seq(model: &Model) -> Option<String> {
    let session = &model.open.as_ref()?.session;
    let event = model.current_event().unwrap_or(EventRef { row: cursor_row(model)?, member: 0 });
    nth_seq(&session.index, event)
}

/// Turn, step, and call or seq of the row with the cursor.
fn place(model: &Model, words: &Words) -> Vec<String> {
    let (Some(open), Some(row)) = (&model.open, cursor_row(model)) else {
        return Vec::new();
    };
    let facts = &open.session.facts;
    let mut parts = Vec::new();
    let turn = last_started(&facts.turns, row, |turn| (turn.start_row, turn.end_row));
    if let Some(turn) = turn.filter(|_| facts.format.known) {
        parts.push(words.say("status.place_turn", &[("turn", &turn.turn.to_string())]));
        if let Some(step) = last_started(&facts.steps, row, |step| (step.start_row, step.end_row)) {
            parts.push(words.say("calls.step", &[("step", &step.step.to_string())]));
        }
    }
    match call_at(open, row) {
        Some(id) => parts.push(id),
        None => parts.extend(cursor_seq(model).map(|seq| words.say("status.seq", &[("seq", &seq)]))),
    }
    parts
}

/// The last thing that begins at or before a row and does not end before it.
fn last_started<T>(things: &[T], row: RowIx, rows: impl Fn(&T) -> (RowIx, Option<RowIx>)) -> Option<&T> {
    let after = things.partition_point(|thing| rows(thing).0 <= row);
    let thing = things.get(after.checked_sub(1)?)?;
    rows(thing).1.is_none_or(|end| row <= end).then_some(thing)
}

fn call_at(open: &Open, row: RowIx) -> Option<String> {
    let Some(Link::Call(call, CallPart::Start | CallPart::Result)) = open.links.of(row) else { return None };
    let call = open.session.facts.calls.get(call as usize)?;
    let id = short_call_id(&display(call.call_id.as_bytes()));
    // An empty id is there, and is seen.
    Some(if id.is_empty() { "\"\"".to_owned() } else { id })
}

/// A second key and what it does.
fn following_text(binding: &Binding, words: &Words) -> String {
    let key = match binding.keys {
        Keys::Two(_, second) => second.to_string(),
        Keys::Letter(_) | Keys::One(_) => words.get("status.any_letter").to_owned(),
    };
    format!("{key} {}", words.get(binding.help))
}

/// The marks that are set, and the place before the last jump: `a seq 88   ' seq 12 before the jump`
fn marks(model: &Model, words: &Words) -> impl Iterator<Item = Part> {
    model.jumps.lettered().zip(0_u8..).map(|((letter, spot), at)| {
        let seq = spot.place.seq().map_or_else(|| "-".to_owned(), |seq| seq.0.to_string());
        let key = if letter == '\'' { "status.before_jump" } else { "status.seq" };
        let text = format!("{} {}", display(letter.to_string().as_bytes()), words.say(key, &[("seq", &seq)]));
        Part::droppable(text, Role::Normal, FIRST_HINT.saturating_add(at))
    })
}

/// What may follow a prefix key: `]   u next unpaired  e next error  …`
fn following(prefix: char, keymap: &Keymap, words: &Words) -> PartedLine {
    let mut line = PartedLine { left: vec![Part::fixed(prefix, Role::Strong)], right: Vec::new() };
    for (at, binding) in keymap.after(prefix).enumerate() {
        // The first ones of the table stay longest.
        let weight = 1 + at.min(200) as u8;
        line.left.push(Part::droppable(following_text(binding, words), Role::Normal, weight));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_lists_what_may_follow() {
        let words = Words::english();
        let text = |line: &PartedLine| line.fit(400).iter().map(|span| span.text.clone()).collect::<String>();
        assert!(text(&following(']', &Keymap::default(), &words)).starts_with("]  u next unpaired"));
        assert!(text(&following('m', &Keymap::default(), &words)).starts_with("m  a letter set a mark"));
    }
}
