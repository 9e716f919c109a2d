//! The filter line (`f`): narrowing while it is typed, completion, keeping and undoing.

use std::sync::Arc;

use super::{filter, lists};
use crate::app::filtering::{Filtering, InForce, Narrows};
use crate::app::input::{Asked, Input};
use crate::app::key::{Key, KeyCode};
use crate::app::model::Model;
use crate::query::Query;
use crate::query::completion::{Typed, Vocabulary, typed};
use crate::text::role::Role;

/// Opens the line with the query in force.
pub(super) fn open(model: &mut Model) {
    let Some(open) = &model.open else { return };
    let before = model.selection.to_chosen();
    let mut filtering = Filtering::new(Vocabulary::of(&open.session.facts), before);
    let mut input = Input::new(Asked::Filter, model.typed.get(&Asked::Filter).cloned().unwrap_or_default());
    if model.page.as_ref().is_some_and(|page| page.kind.traits().is_ledger) {
        filtering.narrows = Narrows::Page(model.page_query.clone());
    } else {
        // The rows of the timeline are what it is about.
        model.page = None;
    }
    let query = match &filtering.narrows {
        Narrows::Page(before) => before,
        Narrows::Timeline => &filtering.before.query,
    };
    if let Some(query) = query {
        input.set(query.text());
    }
    filtering.look(input.text(), input.cursor());
    (model.input, model.filtering) = (Some(input), Some(filtering));
}

/// A key that the line takes before it is typed: Tab, and Up and Down in the list. `false`: it is for typing.
pub(super) fn takes(model: &mut Model, input: &mut Input, key: Key) -> bool {
    let Some(filtering) = &mut model.filtering else { return false };
    let offers = !filtering.completion.offers.is_empty();
    // In an empty line Up goes through what was typed before, and so it stays until something is typed.
    let in_list = offers && !input.is_recalled();
    match key.code {
        KeyCode::Tab if offers => complete(filtering, input),
        KeyCode::Down if in_list => filtering.choose(true),
        KeyCode::Up if in_list && (!input.text().is_empty() || !input.has_history()) => filtering.choose(false),
        _ => return false,
    }
    true
}

/// Puts the chosen offer in the place of the word at the cursor.
fn complete(filtering: &Filtering, input: &mut Input) {
    let completion = &filtering.completion;
    let Some(offer) = completion.offers.get(filtering.list.cursor) else { return };
    let text = input.text();
    let (before, after) = (&text[..completion.from.min(text.len())], &text[input.cursor()..]);
    // A value is finished; a key waits for its own.
    let blank = if offer.text.ends_with([':', '~']) || after.starts_with(' ') { "" } else { " " };
    let typed = format!("{before}{}{blank}", offer.text);
    let cursor = typed.chars().count();
    let whole = format!("{typed}{after}");
    input.set(&whole);
    input.go_to(cursor);
}

/// The text may have changed: what of it is finished is in force at once.
pub(super) fn edited(model: &mut Model, input: &mut Input) {
    let Some(filtering) = &mut model.filtering else { return };
    filtering.look(input.text(), input.cursor());
    let (query, in_force) = match typed(input.text(), &filtering.vocabulary) {
        Typed::Whole(query) => (Some(query), InForce::Whole),
        Typed::Part(query) => (Some(query), InForce::Part),
        Typed::Wrong(fault) => {
            input.problem = Some(fault.say(&model.settings.words));
            (None, InForce::Before(fault.column.saturating_sub(1)))
        }
    };
    filtering.in_force = in_force;
    if let Some(query) = query {
        put(model, query);
    }
}

/// Enter: all of it is in force; a line that is wrong stays open and says where.
pub(super) fn keep(model: &mut Model, mut input: Input) {
    match Query::parse(input.text()) {
        Ok(query) => {
            put(model, query);
            if model.filtering.take().is_some_and(|filtering| filtering.is_of_page()) {
                return;
            }
            let events = model.events();
            if events.shown == 0 && events.all > 0 && model.sifting().is_none() {
                model.say(Role::Warn, "message.nothing_shown", &[]);
            }
        }
        Err(fault) => {
            input.problem = Some(fault.say(&model.settings.words));
            if let Some(filtering) = &mut model.filtering {
                filtering.in_force = InForce::Before(fault.column.saturating_sub(1));
            }
            model.input = Some(input);
        }
    }
}

/// Esc: what was in force before comes back.
pub(super) fn undo(model: &mut Model) {
    match model.filtering.take() {
        Some(Filtering { narrows: Narrows::Page(before), .. }) => lists::narrow_page(model, before),
        Some(filtering) => filter::select(model, filtering.before),
        None => {}
    }
}

fn put(model: &mut Model, query: Query) {
    let query = query.root().is_some().then(|| Arc::new(query));
    if model.filtering.as_ref().is_some_and(Filtering::is_of_page) {
        return lists::narrow_page(model, query);
    }
    let mut chosen = model.selection.to_chosen();
    chosen.query = query;
    filter::select(model, chosen);
}
