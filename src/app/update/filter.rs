//! Which rows are shown: view, depth, types; building the timeline anew with the cursor kept.

use crate::app::action::TypeGroup;
use crate::app::model::Model;
use crate::app::selection::{Chosen, Filter, Selection, View};
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
    model.selection.filter(&open.session.index, depth(model))
}

/// Builds the timeline anew. The cursor stays on its event, else on the nearest before it, and on its row of the screen.
pub(super) fn rebuild(model: &mut Model) {
    let filter = filter(model);
    let ghosts = model.follow.growing().is_none();
    let Some(open) = &model.open else { return };
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
    // One session is open, and all its rows have its depth: a choice would show all or nothing.
    let own = depth(model).unwrap_or(0);
    model.say(Role::Normal, "depth.only_one", &[("depth", &own.to_string())]);
}

/// Shows everything.
pub(super) fn clear(model: &mut Model) {
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
