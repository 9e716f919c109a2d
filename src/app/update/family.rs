//! The family: relatives come, another member is focused, calls lead to children and back.

use std::sync::Arc;

use super::{family_view, filter, follow, jump, lists, opening};
use crate::app::calls;
use crate::app::calls::Tree;
use crate::app::effect::Effect;
use crate::app::family::{HOME, Kin, Relative, Shelf, Spot, name_of, rule_key};
use crate::app::jumps::Identity;
use crate::app::message::Epoch;
use crate::app::model::{Model, Open};
use crate::app::verdict::Verdict;
use crate::session::row::{EventRef, RowIx};
use crate::store::lineage::{Lineage, Link, MemberIx, Parent, Place, Proof, Rule, Standing};
use crate::text::role::Role;
use crate::text::sanitize::{display, one_line};
use crate::text::width::short_id;

/// Visits that are remembered.
const MOST_VISITS: usize = 200;

/// Shows another member in the panes. `false`: its log is not here.
pub(super) fn focus(model: &mut Model, to: MemberIx) -> bool {
    let from = model.family.focused;
    if from == to {
        return true;
    }
    if model.family.members.get(to.as_usize()).is_none_or(|shelf| shelf.open.is_none()) {
        return false;
    }
    let mut next = std::mem::take(&mut model.family.members[to.as_usize()]);
    let heights = (model.timeline.height, model.calls.height);
    let is_first = next.calls.visible.is_empty();
    let old = Shelf {
        epoch: std::mem::replace(&mut model.epoch, next.epoch),
        shown: std::mem::replace(&mut model.shown, next.shown),
        open: std::mem::replace(&mut model.open, next.open.take()),
        timeline: std::mem::replace(&mut model.timeline, next.timeline),
        calls: std::mem::replace(&mut model.calls, next.calls),
        summaries: std::mem::replace(&mut model.summaries, next.summaries),
        follow: std::mem::replace(&mut model.follow, next.follow),
        sieve: std::mem::replace(&mut model.sieve, next.sieve),
        built: Some(model.selection.clone()),
    };
    model.family.members[from.as_usize()] = old;
    model.family.members[to.as_usize()].epoch = model.epoch;
    model.family.focused = to;
    model.family.moved = true;
    (model.timeline.height, model.calls.height) = heights;
    if is_first && let Some(open) = &model.open {
        model.calls.title = calls::title(&open.session, &model.settings.words, false);
        model.calls.build(&open.tree);
    }
    // What a query selects is worked out for the focused member.
    if next.built.as_ref() != Some(&model.selection) || model.selection.query().is_some() {
        filter::rebuild(model);
    }
    model.asked_for.clear();
    model.about = None;
    model.detail.subject = None;
    model.detail.ticket = None;
    model.detail.is_stale = false;
    model.detail.lines.clear();
    if model.page.is_some() {
        lists::stale(model);
    }
    true
}

/// Does something to the opened log, whoever is focused.
pub(super) fn at_home(model: &mut Model, change: impl FnOnce(&mut Model)) {
    let focused = model.family.focused;
    if !focus(model, HOME) {
        return;
    }
    change(model);
    // The relatives may have gone with an older reading.
    if model.family.members.len() > focused.as_usize() {
        focus(model, focused);
    }
}

/// The opened log is another one: its relatives have to be looked for again.
pub(super) fn forget(model: &mut Model) {
    let up = model.family.up;
    model.family = crate::app::family::Family { up, ..Default::default() };
    model.jumps.keep(|member| (member == HOME).then_some(HOME));
}

/// Has relatives looked for, once the opened log was read and when its calls changed.
pub(super) fn look_for(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(open) = &model.open else { return };
    let facts = &open.session.facts;
    let calls = Some((facts.calls.len(), facts.unpaired.len()));
    if !model.settings.finds_kin || model.family.looked_for == calls {
        return;
    }
    model.family.looked_for = calls;
    effects.push(Effect::FindKin { epoch: model.epoch, up: model.family.up });
}

/// Relatives came. What is focused stays so, where it is still there; what was worked out for a log that is the same, or
/// only grew, stays too.
pub(super) fn came(model: &mut Model, epoch: Epoch, kin: Kin) {
    if epoch != model.home_epoch() || kin.lineage.members.len() != kin.relatives.len() + 1 {
        return;
    }
    let held = identity(model);
    let was_at_end = model.family.focused != HOME && model.timeline.cursor + 1 >= model.timeline.items.len();
    let is_first = !model.family.has_relatives();
    let ids = |lineage: Option<&Lineage>, member: MemberIx| lineage?.get(member)?.id.clone();
    let before = model.family.lineage.take();
    let same = |member: MemberIx| {
        if member == HOME {
            return Some(HOME);
        }
        let id = ids(before.as_deref(), member)?;
        let found = kin.lineage.members.iter().position(|member| member.id.as_ref() == Some(&id))?;
        Some(MemberIx(found as u32))
    };
    let focused = same(model.family.focused);
    model.jumps.keep(same);
    let view = model.family.view.take().filter(|_| !kin.relatives.is_empty());
    let view = view.map(|view| family_view::of_members(view, same));
    let trail = std::mem::take(&mut model.family.trail).into_iter();
    let trail: Vec<Spot> = trail.filter_map(|spot| Some(Spot { member: same(spot.member)?, ..spot })).collect();
    focus(model, HOME);
    let mut shelves: Vec<Option<Shelf>> = (0..kin.lineage.members.len()).map(|_| None).collect();
    for (at, shelf) in (0..).map(MemberIx).zip(std::mem::take(&mut model.family.members)).skip(1) {
        if let Some(place) = same(at).and_then(|at| shelves.get_mut(at.as_usize())) {
            *place = Some(shelf);
        }
    }
    let home = Shelf { epoch: model.epoch, ..Shelf::default() };
    let relatives = kin.relatives.into_iter().zip(shelves.into_iter().skip(1));
    let relatives = relatives.map(|(relative, shelf)| shelved(relative, shelf));
    let family = &mut model.family;
    family.members = std::iter::once(home).chain(relatives).collect();
    family.lineage = Some(Arc::new(kin.lineage));
    (family.unread, family.in_store, family.trail) = (kin.unread, kin.in_store, trail);
    follow::kin_watched(model, kin.quiet_ms);
    plant(model);
    let at_own_news = model.open.as_ref().is_some_and(|open| open.verdict.target == model.current_event());
    judge(model);
    let leads = is_first && at_own_news && !model.follow.is_on();
    if let Some(target) = model.verdict().and_then(|verdict| verdict.target).filter(|_| leads) {
        jump::show(model, target);
    }
    if let (Some(focused), Some(spot)) = (focused, held)
        && focused != HOME
        && focus(model, focused)
        && let Some(event) = model.open.as_ref().and_then(|open| spot.place.find(&open.session.index))
    {
        jump::show(model, event);
        // A child whose end is looked at is followed like the log that was opened.
        if was_at_end {
            model.timeline.set_cursor(usize::MAX);
            jump::link_calls(model);
        }
    }
    if view.is_some() {
        model.family.view = view;
        family_view::rebuild(model);
    }
    if std::mem::take(&mut model.family.to_parent) {
        to_parent(model);
    }
}

/// The shelf of a relative: the one it had, where its log is the same one or only grew.
fn shelved(relative: Relative, before: Option<Shelf>) -> Shelf {
    let new = Shelf { epoch: relative.epoch, shown: relative.epoch, ..Shelf::default() };
    let mut shelf = match before {
        Some(before) if before.epoch == relative.epoch => before,
        Some(Shelf { open: Some(old), timeline, calls, .. }) => {
            let folds = opening::translate(&timeline.folds, &old.session, &relative.open.session);
            let mut shelf = Shelf { calls, ..new };
            shelf.timeline.folds = folds;
            shelf
        }
        Some(_) | None => new,
    };
    // Children may stand below its calls by now.
    shelf.calls.visible.clear();
    shelf.open = Some(relative.open);
    shelf
}

/// Puts children below the calls that started them, in the trees of all members.
fn plant(model: &mut Model) {
    let Some(lineage) = model.family.lineage.clone() else { return };
    for (at, member) in lineage.members.iter().enumerate().filter(|(_, member)| !member.children.is_empty()) {
        let call = |child: &MemberIx| (child.0, lineage.get(*child).and_then(|child| child.link.call()));
        let children: Vec<_> = member.children.iter().map(call).collect();
        let is_home = at == HOME.as_usize();
        let open = if is_home { model.open.as_mut() } else { model.family.members[at].open.as_mut() };
        if let Some(open) = open.filter(|open| open.session.facts.format.known) {
            open.tree = Tree::with_children(&open.session.facts, &children);
        }
    }
    if let Some(open) = &model.open {
        model.calls.build(&open.tree);
    }
    jump::link_calls(model);
}

/// The opened log was read again as it grew: children stand below its calls again.
pub(super) fn grown(model: &mut Model) {
    if model.family.has_relatives() {
        plant(model);
        judge(model);
    }
}

/// Works out what is to be said first.
pub(super) fn judge(model: &mut Model) {
    let Some(lineage) = model.family.lineage.clone() else { return };
    model.family.verdict = Verdict::of_family(&lineage, |member| model.open_of(member), &model.settings.words);
}

/// The cursor with its member.
pub(super) fn identity(model: &Model) -> Option<Spot> {
    let open = model.open.as_ref()?;
    let place = Identity::of(&open.session.index, jump::here(model)?);
    Some(Spot { member: model.family.focused, place })
}

/// Goes to an event of a member, and remembers where the visit began.
pub(super) fn visit(model: &mut Model, member: MemberIx, event: EventRef) {
    let from = identity(model);
    if !focus(model, member) {
        return model.say(Role::Warn, "family.not_read", &[]);
    }
    if let Some(from) = from {
        model.jumps.leave(from);
        if from.member != member {
            model.family.trail.push(from);
            if model.family.trail.len() > MOST_VISITS {
                model.family.trail.remove(0);
            }
        }
    }
    jump::show(model, event);
}

/// Back from a relative to where the visit began; `false`: the opened log is shown.
pub(super) fn back(model: &mut Model) -> bool {
    if model.family.focused == HOME {
        model.family.trail.clear();
        return false;
    }
    let spot = model.family.trail.pop().filter(|spot| spot.member != model.family.focused);
    let to = spot.map_or(HOME, |spot| spot.member);
    focus(model, to);
    let event = spot.zip(model.open.as_ref()).and_then(|(spot, open)| spot.place.find(&open.session.index));
    match event {
        Some(event) => jump::show(model, event),
        None => jump::link_calls(model),
    }
    true
}

/// Where a child is entered: at what is the matter with it, else at its first own event.
pub(super) fn entry(lineage: &Lineage, member: MemberIx, open: &Open) -> Option<EventRef> {
    let found = lineage.get(member)?;
    let target = open.verdict.target.filter(|_| found.standing <= Standing::TurnError);
    let own = target.filter(|target| target.row >= found.first_own);
    let last = open.session.index.rows.len().checked_sub(1)?;
    Some(own.unwrap_or(jump::whole(found.first_own.min(RowIx(last as u32)))))
}

/// From a call to the child that it started, from what tells of its end to that end. `false`: the line is no such one.
pub(super) fn to_child(model: &mut Model) -> bool {
    let (Some(lineage), Some(event)) = (model.family.lineage.clone(), jump::here(model)) else { return false };
    let here = Place { member: model.family.focused, row: event.row };
    let children = lineage.get(here.member).map(|member| member.children.clone()).unwrap_or_default();
    let named = |child: &MemberIx| match lineage.get(*child).map(|child| child.link) {
        Some(Link::Call { named: Some(row), rule, .. }) => row == here.row && rule != Rule::ResultText,
        Some(Link::Named { row, .. }) => row == here.row,
        _ => false,
    };
    let started = |child: &MemberIx| {
        let calls = model.open.as_ref().map(|open| &open.session.facts.calls);
        let call = lineage.get(*child).and_then(|child| calls?.get(child.link.call()?));
        call.is_some_and(|call| call.call_row == Some(here.row))
    };
    let cut = |child: &MemberIx| {
        let mut orders = lineage.orders.iter();
        orders.any(|order| order.before == here && order.after.member == *child && order.proof == Proof::Copied)
    };
    let child = children.iter().copied().find(|child| started(child) || named(child) || cut(child));
    let target = if let Some(child) = child {
        model.open_of(child).and_then(|open| Some((child, entry(&lineage, child, open)?)))
    } else {
        let told = lineage.orders.iter().find(|order| order.after == here && order.proof == Proof::Told);
        told.map(|order| (order.before.member, jump::whole(order.before.row)))
    };
    let Some((member, event)) = target else { return false };
    visit(model, member, event);
    if model.notice.is_none()
        && let Some(child) = lineage.get(member)
    {
        let values = [("child", &*name_of(child)), ("how", model.words().get(rule_key(child.link)))];
        let text = model.words().say("family.gone_to_child", &values);
        jump::note(model, text, Role::Normal);
    }
    true
}

/// From a child to the call that started it, from a fork to where it was cut off. `false`: it has no parent.
pub(super) fn to_parent(model: &mut Model) -> bool {
    let Some(lineage) = model.family.lineage.clone() else { return false };
    let Some(member) = lineage.get(model.family.focused) else { return false };
    let Parent::Here(parent) = member.parent else { return false };
    let Some(open) = model.open_of(parent) else { return false };
    let row = match member.link {
        Link::Call { call, .. } => open.session.facts.calls.get(call).and_then(|call| call.call_row),
        Link::Named { row, .. } => Some(row),
        Link::Fork { at } => at,
        Link::None | Link::Unlinked(_) => None,
    };
    let event = row.map(jump::whole).or(open.verdict.target).unwrap_or_default();
    visit(model, parent, event);
    if row.is_none() {
        model.say(Role::Warn, "family.no_call", &[]);
    }
    true
}

/// From a line without another half to the parent: gone to where it is here, else looked for. `false`: there is none.
pub(super) fn up(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    if to_parent(model) {
        return true;
    }
    if model.family.focused != HOME && model.family.has_relatives() {
        return false;
    }
    let header = model.open.as_ref().and_then(|open| open.session.facts.header.as_ref());
    let Some(parent) = header.and_then(|header| header.parent_session.as_ref()) else { return false };
    let id = short_id(&one_line(parent.as_bytes(), 80));
    if model.family.up > 0 || !model.settings.finds_kin {
        model.say(Role::Warn, "family.parent_missing", &[("id", &id)]);
        return true;
    }
    (model.family.up, model.family.to_parent) = (1, true);
    model.say(Role::Accent, "family.parent_looked_for", &[("id", &id)]);
    effects.push(Effect::FindKin { epoch: model.epoch, up: 1 });
    true
}

/// The open call furthest down, where the opened log has none of its own. `false`: there is none elsewhere.
pub(super) fn to_deepest_open(model: &mut Model) -> bool {
    let Some(lineage) = model.family.lineage.clone() else { return false };
    let Some(open) = lineage.deepest_open.filter(|open| open.member != model.family.focused) else { return false };
    let Some(found) = model.open_of(open.member) else { return false };
    let call = found.session.facts.calls.get(open.call);
    let Some(row) = call.and_then(|call| call.call_row.or(call.message_row)) else { return false };
    visit(model, open.member, jump::whole(row));
    true
}

/// `b0940cab/14`: a seq of the member whose id begins so. `None`: it is no such place.
pub(super) fn to_member_seq(model: &mut Model, typed: &str) -> Option<()> {
    let (id, seq) = typed.trim().rsplit_once('/')?;
    let seq: i64 = seq.trim().parse().ok()?;
    let lineage = model.family.lineage.clone()?;
    let begins = |member: &crate::store::lineage::Member| {
        let own = member.id.as_ref().map(|id| display(id.as_bytes())).unwrap_or_default();
        let own = own.as_str();
        own.starts_with(id) || own.strip_prefix("session-").is_some_and(|own| own.starts_with(id)) || own.ends_with(id)
    };
    let mut found = lineage.members.iter().enumerate().filter(|(_, member)| begins(member));
    let (at, _) = found.next().filter(|_| id.len() >= 4 && found.next().is_none())?;
    let member = MemberIx(at as u32);
    let event = model.open_of(member)?.session.index.find(crate::session::row::Seq(seq)).first().copied();
    match event {
        Some(event) => visit(model, member, event),
        None => model.say(Role::Warn, "message.no_such_seq", &[("seq", &seq.to_string())]),
    }
    Some(())
}
