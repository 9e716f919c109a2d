//! Jumps: to an event, to a kind of thing, to the other half, back and forward, to marks.

use super::{act, citing, family, family_view, lists};
use crate::app::action::{Action, Stop};
use crate::app::effect::Effect;
use crate::app::family::{Spot, name_of};
use crate::app::goto;
use crate::app::input::Asked;
use crate::app::jumps::Identity;
use crate::app::model::{Model, Pane, Wait};
use crate::app::search::Way;
use crate::app::timeline::Item;
use crate::app::timeline::place::{event_of, row_of};
use crate::record::kinds::Kind;
use crate::session::row::{EventRef, RowIx, Seq};
use crate::text::role::Role;
use crate::text::sanitize::{display, one_line};
use crate::triage::facts::Call;
use crate::triage::ladder::closes;
use crate::triage::pass;
use crate::triage::session::Extent;

/// A line as an event.
pub(super) fn whole(row: RowIx) -> EventRef {
    EventRef { row, member: 0 }
}

/// The event at the cursor: of a rule the line below it, of a ghost the last line.
pub(crate) fn here(model: &Model) -> Option<EventRef> {
    let open = model.open.as_ref()?;
    let last = (open.session.index.rows.len() as u32).checked_sub(1)?;
    let item = model.timeline.current()?;
    Some(event_of(item).unwrap_or_else(|| whole(row_of(item, &open.rules).min(RowIx(last)))))
}

fn identity(model: &Model) -> Option<Spot> {
    let open = model.open.as_ref()?;
    let place = Identity::of(&open.session.index, here(model)?);
    Some(Spot { member: model.family.focused, place })
}

/// Leaves the page for where a jump leads; one that follows the cursor stays and tells of the new place.
pub(super) fn leave_page(model: &mut Model) {
    if !lists::follows(model) {
        model.page = None;
    }
}

/// Goes to an event, remembers where the jump started, and leaves a page. Says so where a filter hides it.
pub(super) fn go(model: &mut Model, event: EventRef) {
    if let Some(from) = identity(model) {
        model.jumps.leave(from);
    }
    show(model, event);
}

/// Goes to an event without remembering.
pub(super) fn show(model: &mut Model, event: EventRef) {
    leave_page(model);
    model.family.view = None;
    if matches!(model.focus, Pane::Header) {
        model.focus = Pane::Timeline;
    }
    let Some(open) = &model.open else { return };
    let Some(found) = model.timeline.locate(event, &open.rules) else { return };
    let seq = Identity::of(&open.session.index, event).seq().map_or_else(|| "-".to_owned(), |Seq(seq)| seq.to_string());
    put(model, found.at);
    if !found.exact {
        model.say(Role::Warn, "message.hidden_by_filter", &[("seq", &seq)]);
    }
    link_calls(model);
}

/// Puts the cursor on an item; one off the screen comes to its middle.
pub(super) fn put(model: &mut Model, at: usize) {
    let timeline = &mut model.timeline;
    let height = usize::from(timeline.height.max(1));
    let off = at < timeline.top || at >= timeline.top + height;
    timeline.cursor = at.min(timeline.items.len().saturating_sub(1));
    if off {
        timeline.show_at(height / 2);
    } else {
        timeline.reveal();
    }
}

/// The calls pane follows the timeline.
pub(super) fn link_calls(model: &mut Model) {
    let Some(event) = here(model) else { return };
    let Some(open) = &model.open else { return };
    model.calls.link(&open.tree, event.row);
}

/// The timeline follows the calls pane.
pub(super) fn link_timeline(model: &mut Model) {
    let Some(open) = &model.open else { return };
    let Some(row) = model.calls.visible.get(model.calls.cursor) else { return };
    let Some(found) = open.tree.get(row.at) else { return };
    let Some(found) = model.timeline.locate(whole(found.row), &open.rules) else { return };
    put(model, found.at);
}

/// Whether only the end of the log was read so far.
pub(super) fn is_tail(model: &Model) -> bool {
    model.open.as_ref().is_some_and(|open| open.session.extent == Extent::Tail)
}

/// Does it once the whole log was read; says so, or that nobody reads it.
pub(super) fn wait(model: &mut Model, what: Wait) {
    if model.reading {
        model.wait = Some(what);
        model.say(Role::Accent, "message.waits_for_index", &[]);
    } else {
        model.say(Role::Warn, "progress.not_read", &[]);
    }
}

fn named(model: &Model, call: &Call, key: &str) -> String {
    let (tool, id) = (display(call.name.as_bytes()), display(call.call_id.as_bytes()));
    let seq = call.call_seq.or(call.message_seq).get().map_or_else(|| "?".to_owned(), |seq| seq.to_string());
    model.words().say(key, &[("tool", &tool), ("id", &id), ("seq", &seq)])
}

/// Says something in the last line.
pub(super) fn note(model: &mut Model, text: String, role: Role) {
    model.notice = Some(crate::app::model::Notice { text, role });
}

/// Jumps. `false`: it is something else.
pub(super) fn act(model: &mut Model, action: Action, count: Option<u64>, effects: &mut Vec<Effect>) -> bool {
    let n = count.unwrap_or(1);
    match action {
        Action::LastUnpaired => last_unpaired(model),
        Action::NextStop(stop) => to_stop(model, stop, Way::Forward, n),
        Action::PreviousStop(stop) => to_stop(model, stop, Way::Backward, n),
        Action::RepeatStop => repeat(model, false, n),
        Action::RepeatStopBack => repeat(model, true, n),
        Action::OtherHalf => other_half(model, effects),
        Action::Cited => citing::cites(model, effects),
        Action::Citing => citing::cited_by(model),
        Action::Back => through(model, Way::Backward, n),
        Action::Forward => through(model, Way::Forward, n),
        // These two wait for their letter.
        Action::SetMark => model.pending.prefix = Some('m'),
        Action::GoToMark => model.pending.prefix = Some('\''),
        Action::GoTo => act::ask(model, Asked::GoTo),
        _ => return false,
    }
    true
}

/// `u`: the last unpaired call; else the worst call that recovery closed in its last turn; else the last failed one is named.
pub(super) fn last_unpaired(model: &mut Model) {
    if family_view::has_keys(model) && family_view::last_unpaired(model) {
        return;
    }
    let Some(open) = &model.open else { return };
    let session = open.session.clone();
    let facts = &session.facts;
    let call = |at: Option<usize>| facts.calls.get(at?);
    if let Some(found) = call(facts.last_unpaired) {
        if let Some(row) = found.call_row.or(found.message_row) {
            go(model, whole(row));
        }
        let text = named(model, found, "message.last_unpaired");
        note(model, text, Role::Normal);
    } else if family::to_deepest_open(model) {
        let open = model.family.lineage.as_ref().and_then(|lineage| lineage.deepest_open);
        let found = open.zip(model.open.clone());
        let found = found.as_ref().and_then(|(at, open)| open.session.facts.calls.get(at.call));
        if let (Some(found), Some(member)) = (found, model.family.focused_member()) {
            let (call, child) = (named(model, found, "message.last_unpaired"), name_of(member));
            let text = model.words().say("family.in_child", &[("call", &call), ("child", &child)]);
            note(model, text, Role::Normal);
        }
    } else if let Some(found) = call(pass::worst_recovered(facts)) {
        if let Some(row) = found.call_row.or(found.message_row) {
            go(model, whole(row));
        }
        let text = named(model, found, "message.unpaired_recovered");
        note(model, text, Role::Normal);
    } else if session.extent == Extent::Tail {
        wait(model, Wait::Unpaired);
    } else if let Some(found) = call(facts.last_failed) {
        let text = named(model, found, "message.nothing_unpaired_failed");
        note(model, text, Role::Normal);
    } else {
        model.say(Role::Normal, "message.nothing_unpaired", &[]);
    }
}

/// Key of the name of a kind of thing.
pub(super) fn thing(stop: Stop) -> &'static str {
    match stop {
        Stop::Unpaired => "thing.unpaired",
        Stop::Error => "thing.error",
        Stop::Approval => "thing.approval",
        Stop::Retry => "thing.retry",
        Stop::Turn => "thing.turn",
        Stop::Call => "thing.call",
        Stop::Break => "thing.break",
        Stop::Stall => "thing.stall",
    }
}

/// The n-th next or previous thing of a kind; as far as there are things.
fn to_stop(model: &mut Model, stop: Stop, way: Way, count: u64) {
    model.last_stop = Some((stop, way));
    if family_view::has_keys(model) {
        return (0..count.clamp(1, 10_000)).for_each(|_| family_view::to_stop(model, stop, way));
    }
    let (Some(event), Some(open)) = (here(model), &model.open) else { return };
    let places = open.stops.places(stop);
    let on_rule = matches!(model.timeline.current(), Some(Item::Rule { .. }));
    let on_first_line = matches!(model.timeline.current(), Some(Item::Rule { line: 0, .. }));
    let at_end = matches!(model.timeline.current(), Some(Item::Ghost(_)));
    let row = match model.timeline.current() {
        Some(item @ Item::Rule { .. }) => row_of(item, &open.rules),
        Some(Item::Run { last, .. }) if way == Way::Forward => last,
        _ if at_end => crate::app::rules::END,
        _ => event.row,
    };
    let steps = usize::try_from(count.max(1)).unwrap_or(usize::MAX);
    let found = match way {
        Way::Forward => {
            let first = places.partition_point(|place| *place <= row);
            // From a rule line the event below it is still ahead.
            let first =
                if on_rule && stop != Stop::Break { places.partition_point(|place| *place < row) } else { first };
            let last = places.len().checked_sub(1).filter(|last| *last >= first);
            last.map(|last| places[first.saturating_add(steps - 1).min(last)])
        }
        Way::Backward => {
            let before = places.partition_point(|place| *place < row);
            // A break stands above its line and its notes: from these it is behind.
            let own = stop == Stop::Break && !on_first_line && places.get(before) == Some(&row);
            let before = before + usize::from(own);
            before.checked_sub(steps).or(before.checked_sub(1).map(|_| 0)).map(|at| places[at])
        }
    };
    let Some(place) = found else {
        let key = if way == Way::Forward { "message.no_more" } else { "message.no_before" };
        let what = model.words().get(thing(stop)).to_owned();
        return model.say(Role::Normal, key, &[("what", &what)]);
    };
    let rule = (stop == Stop::Break).then(|| model.timeline.locate_rule(place, &open.rules)).flatten();
    let Some(at) = rule else { return go(model, whole(place)) };
    if let Some(from) = identity(model) {
        model.jumps.leave(from);
    }
    leave_page(model);
    put(model, at);
    link_calls(model);
}

/// The last of these jumps again, or the other way.
fn repeat(model: &mut Model, turned: bool, count: u64) {
    let Some((stop, way)) = model.last_stop else { return };
    let other = if way == Way::Forward { Way::Backward } else { Way::Forward };
    to_stop(model, stop, if turned { other } else { way }, count);
    model.last_stop = Some((stop, way));
}

/// The other half of the pair at the cursor; of a call that started a child the child, of a child its parent's call.
/// Of a record that a resume would add it is the record that it would close.
fn other_half(model: &mut Model, effects: &mut Vec<Effect>) {
    if family_view::has_keys(model) {
        return family_view::other_half(model);
    }
    if let (Some(Item::Ghost(at)), Some(open)) = (model.timeline.current(), &model.open) {
        let facts = &open.session.facts;
        let closed = facts.resume.get(at as usize).and_then(|ghost| closes(facts, ghost));
        return match closed {
            Some(at) => go(model, whole(at.row)),
            None => model.say(Role::Normal, "message.no_other_half", &[]),
        };
    }
    if family::to_child(model) {
        return;
    }
    let (Some(event), Some(open)) = (here(model), &model.open) else { return };
    let kind = open.session.index.rows.get(event.row).map(|row| row.kind);
    // The turn of a child is what its parent asked for.
    if matches!(kind, Some(Kind::TurnStart | Kind::TurnEnd)) && family::to_parent(model) {
        return;
    }
    let Some(open) = &model.open else { return };
    if let Some(row) = open.stops.other_half(event.row) {
        go(model, whole(row));
        return;
    }
    let facts = &open.session.facts;
    let is_call = |call: &Call| call.call_row == Some(event.row) || call.result_row == Some(event.row);
    let half = facts.calls.iter().any(is_call)
        || facts.approvals.iter().any(|approval| approval.asked_row == Some(event.row))
        || facts.commands.iter().any(|command| command.run_row == Some(event.row))
        || facts.results_without_call.iter().any(|stray| stray.row == event.row);
    if !half && family::up(model, effects) {
        return;
    }
    let key = if half { "message.other_half_missing" } else { "message.no_other_half" };
    model.say(Role::Normal, key, &[]);
}

/// Back or forward through jumps.
fn through(model: &mut Model, way: Way, count: u64) {
    for _ in 0..count.clamp(1, 500) {
        let Some(from) = identity(model) else { return };
        let to = match way {
            Way::Backward => model.jumps.back(from),
            Way::Forward => model.jumps.forward(from),
        };
        let Some(to) = to else {
            let key = if way == Way::Backward { "message.jump_oldest" } else { "message.jump_newest" };
            model.say(Role::Normal, key, &[]);
            return;
        };
        if !family::focus(model, to.member) {
            return;
        }
        let event = model.open.as_ref().and_then(|open| to.place.find(&open.session.index));
        if let Some(event) = event {
            show(model, event);
        }
    }
}

/// Sets a mark.
pub(super) fn set_mark(model: &mut Model, letter: char) {
    if let Some(place) = identity(model) {
        model.jumps.set_mark(letter, place);
        model.say(Role::Normal, "message.mark_set", &[("letter", &letter.to_string())]);
    }
}

/// Goes to a mark; `'` is the place before the last jump.
pub(super) fn to_mark(model: &mut Model, letter: char) {
    let place = if letter == '\'' { model.jumps.last() } else { model.jumps.mark(letter) };
    let event =
        place.and_then(|spot| Some((spot.member, spot.place.find(&model.open_of(spot.member)?.session.index)?)));
    if let Some((member, event)) = event {
        return family::visit(model, member, event);
    }
    let letter = one_line(letter.to_string().as_bytes(), 8);
    model.say(Role::Normal, "message.no_such_mark", &[("letter", &letter)]);
}

/// Goes to a seq; where it is missing to the nearest before it, and says so.
pub(super) fn to_seq(model: &mut Model, seq: i64) {
    let Some(open) = &model.open else { return };
    let index = &open.session.index;
    if let Some(event) = index.find(Seq(seq)).first().copied() {
        go(model, event);
        return;
    }
    let tail = open.session.extent == Extent::Tail;
    let nearest = index.nearest(Seq(seq));
    if tail && nearest.is_none() {
        return wait(model, Wait::Seq(seq));
    }
    if let Some(row) = nearest {
        go(model, whole(row));
    }
    model.say(Role::Warn, "message.no_such_seq", &[("seq", &seq.to_string())]);
}

/// Goes where the text after `:` says. `false`: there is no such place, and that was said.
pub(super) fn to_place(model: &mut Model, typed: &str) {
    if family::to_member_seq(model, typed).is_some() {
        return;
    }
    let Some(place) = goto::parse(typed) else { return };
    let Some(open) = &model.open else { return };
    match goto::find(&place, &open.session, &model.settings.zone) {
        Some(event) => go(model, event),
        None => match place {
            goto::Place::Seq(seq, 1) => to_seq(model, seq),
            _ if is_tail(model) => wait(model, Wait::Place(typed.to_owned())),
            goto::Place::Line(line) => model.say(Role::Warn, "message.no_such_line", &[("line", &line.to_string())]),
            goto::Place::Seq(..)
            | goto::Place::Frame(_)
            | goto::Place::Turn(_)
            | goto::Place::Step(..)
            | goto::Place::Clock(_)
            | goto::Place::CallId(_) => no_such_place(model, typed),
        },
    }
}

/// Says that there is no such place.
pub(super) fn no_such_place(model: &mut Model, typed: &str) {
    let text = one_line(typed.as_bytes(), 60);
    let forms = model.words().get("input.places").to_owned();
    model.say(Role::Warn, "message.no_such_place", &[("text", &text), ("forms", &forms)]);
}
