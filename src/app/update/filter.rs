//! Which rows are shown: view, depth, types; building the timeline anew with the cursor kept.

use std::sync::Arc;

use crate::app::action::TypeGroup;
use crate::app::effect::Effect;
use crate::app::message::{Epoch, Ticket};
use crate::app::model::Model;
use crate::app::selection::{Chosen, Filter, Selection, View};
use crate::app::sieve::Sieve;
use crate::app::timeline::build::Plan;
use crate::app::timeline::place::{event_of, row_of};
use crate::record::kinds::{Group, Kind};
use crate::session::row::{EventRef, RowIx};
use crate::text::role::Role;

/// The delegation depth of the session that is open.
pub(super) fn depth(model: &Model) -> Option<i64> {
    let open = model.open.as_ref()?;
    open.session.facts.header.as_ref()?.delegation_depth
}

/// The filter in force, ready for the rows; `None`: every row is shown.
pub(super) fn filter(model: &Model) -> Option<Filter> {
    let open = model.open.as_ref()?;
    let kept = model.sieve.as_ref().map(|sieve| &sieve.rows);
    model.selection.filter(&open.session.index, depth(model), kept)
}

/// Sets the query in force to work on the log that is open, where that is not done.
fn renew_sieve(model: &mut Model) {
    let wanted = model.open.as_ref().map(|open| &open.session).zip(model.selection.query());
    let Some((session, query)) = wanted else {
        model.sieve = None;
        return;
    };
    if !model.sieve.as_ref().is_some_and(|sieve| sieve.is_of(query, session)) {
        model.sieve = Some(Sieve::of(Arc::clone(query), Arc::clone(session), &model.settings.zone));
    }
}

/// Asks for what texts decide: of the log in the panes first, of the others while the family is shown. Has it stopped
/// where it is not wanted any more.
pub(super) fn ask_sieve(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(epoch) = unsifted(model) else {
        if std::mem::take(&mut model.is_sifting) {
            // Looked at again it is asked for anew.
            model.sieves_mut().for_each(|sieve| sieve.ticket = None);
            effects.push(Effect::StopSift);
        }
        return;
    };
    if sieve_of(model, epoch).is_none_or(|sieve| sieve.ticket.is_some()) {
        return;
    }
    let from = super::jump::here(model).filter(|_| epoch == model.epoch).map_or(RowIx(0), |event| event.row);
    let ticket = model.ticket();
    model.is_sifting = true;
    // One is looked at: what another one was asked is not answered any more.
    model.sieves_mut().for_each(|sieve| sieve.ticket = None);
    if let Some(sieve) = sieve_of(model, epoch) {
        sieve.ticket = Some(ticket);
        effects.push(Effect::Sift { epoch, ticket, query: Arc::clone(&sieve.prepared), from });
    }
}

/// The reading whose texts the filter has to look at next.
fn unsifted(model: &Model) -> Option<Epoch> {
    let is_open = |sieve: Option<&Sieve>| sieve.is_some_and(|sieve| !sieve.done);
    if is_open(model.sieve.as_ref()) {
        return Some(model.epoch);
    }
    let others = model.family.members.iter().filter(|_| model.family.view.is_some());
    others.filter(|shelf| is_open(shelf.sieve.as_ref())).map(|shelf| shelf.epoch).next()
}

/// The filter at work on a reading.
fn sieve_of(model: &mut Model, epoch: Epoch) -> Option<&mut Sieve> {
    if epoch == model.epoch {
        return model.sieve.as_mut();
    }
    model.family.by_epoch(epoch)?.sieve.as_mut()
}

/// Rows were found to be selected. `state`: lines looked at, and whether nothing more will come.
pub(super) fn sifted(
    model: &mut Model,
    (epoch, ticket): (Epoch, Ticket),
    rows: Vec<RowIx>,
    state: (u64, bool),
    effects: &mut Vec<Effect>,
) {
    let sieve = sieve_of(model, epoch).filter(|sieve| sieve.ticket == Some(ticket) && !sieve.done);
    let Some(sieve) = sieve else { return };
    (sieve.looked_at, sieve.done) = state;
    let is_news = !rows.is_empty();
    sieve.take(rows);
    model.is_sifting &= !state.1;
    if is_news {
        match model.family.by_epoch(epoch).filter(|_| epoch != model.epoch) {
            Some(shelf) => shelf.built = None,
            None => rebuild(model),
        }
        if model.family.view.is_some() {
            super::family_view::rebuild(model);
        }
        super::jump::link_calls(model);
    }
    if state.1 && epoch == model.epoch {
        // It was searched in the rows known so far.
        super::finding::again(model, effects);
    }
}

/// Stops looking at texts; what is known stays. `false`: nothing is looked at.
pub(super) fn stop_sifting(model: &mut Model) -> bool {
    let was_sifting = model.sifting().is_some();
    model.sieves_mut().for_each(|sieve| sieve.done = true);
    was_sifting
}

/// Builds the timeline anew. The cursor stays on its event, else on the nearest before it, and on its row of the screen.
pub(super) fn rebuild(model: &mut Model) {
    renew_sieve(model);
    let filter = filter(model);
    let Some(open) = &model.open else { return };
    let ghosts = model.follow.growing().is_none() && !open.is_growing;
    let current = model.timeline.current();
    let held = match (model.timeline.moved_off, current) {
        (Some((before, put)), Some(current)) if put == current => Some(before),
        // Every row went away: nothing could be moved since.
        (Some((before, _)), None) => Some(before),
        (Some(_) | None, current) => current,
    };
    let screen_row = model.timeline.cursor.saturating_sub(model.timeline.top);
    let timeline = &mut model.timeline;
    timeline.build(&Plan { session: &open.session, rules: &open.rules, filter: filter.as_ref(), ghosts });
    let last = RowIx((open.session.index.rows.len() as u32).saturating_sub(1));
    let at = held.and_then(|item| {
        // The same item where it is still there: the head of a run, and not its first line.
        timeline.position(item, &open.rules).or_else(|| {
            let below = || EventRef { row: row_of(item, &open.rules).min(last), member: 0 };
            let event = event_of(item).unwrap_or_else(below);
            timeline.locate(event, &open.rules).map(|found| found.at)
        })
    });
    timeline.cursor = at.unwrap_or(timeline.cursor).min(timeline.items.len().saturating_sub(1));
    timeline.show_at(screen_row);
    timeline.moved_off = match (held, timeline.current()) {
        (Some(before), Some(put)) if before != put => Some((before, put)),
        (Some(before), None) => Some((before, before)),
        (Some(_) | None, _) => None,
    };
}

/// Puts another selection in force.
pub(super) fn select(model: &mut Model, chosen: Chosen) {
    let selection = Selection::of(chosen);
    if selection != model.selection {
        model.selection = selection;
        rebuild(model);
        if model.family.view.is_some() {
            super::family_view::rebuild(model);
        }
        super::jump::link_calls(model);
    }
}

/// All, chat only, hidden only.
pub(super) fn cycle_view(model: &mut Model) {
    let mut chosen = model.selection.to_chosen();
    chosen.view = match chosen.view {
        View::All => View::Chat,
        View::Chat => View::Hidden,
        View::Hidden => View::All,
    };
    select(model, chosen);
}

/// Says the depth of the rows.
pub(super) fn cycle_depth(model: &mut Model) {
    if super::family_view::has_keys(model) {
        return super::family_view::cycle_depth(model);
    }
    // One session is open, and all its rows have its depth: a choice would show all or nothing.
    let own = depth(model).unwrap_or(0);
    model.say(Role::Normal, "depth.only_one", &[("depth", &own.to_string())]);
}

/// Shows everything.
pub(super) fn clear(model: &mut Model) {
    if model.page.is_some() && model.page_query.is_some() {
        model.say(Role::Normal, "message.filter_cleared", &[]);
        return super::lists::narrow_page(model, None);
    }
    let key = if model.selection == Selection::All { "message.nothing_to_clear" } else { "message.filter_cleared" };
    model.say(Role::Normal, key, &[]);
    select(model, Chosen::default());
}

/// Whether a type belongs to a group of the picker. Chat and hidden go by what the log holds.
pub(super) fn is_in(group: TypeGroup, kind: Kind, surface: bool) -> bool {
    match group {
        TypeGroup::Chat => surface,
        TypeGroup::Hidden => !surface,
        TypeGroup::Tools => kind.group() == Group::Tools,
        TypeGroup::Approvals => kind.group() == Group::Approvals,
        TypeGroup::Model => kind.group() == Group::Model || kind == Kind::AssistantMessage,
    }
}
