//! The family as one list or in lanes: moving, folding, going to the session of a row.

use std::sync::Arc;

use super::{family, jump, moves};
use crate::app::action::{Action, Stop};
use crate::app::calls::Fold;
use crate::app::effect::{Effect, Wants};
use crate::app::family::{Entry, FamilyView, HOME, Shape, Spot};
use crate::app::message::SummaryKey;
use crate::app::model::{Model, Pane};
use crate::app::search::Way;
use crate::app::selection::Depths;
use crate::app::sieve::Sieve;
use crate::app::timeline::Item;
use crate::app::timeline::build::Plan;
use crate::app::timeline::place::row_of;
use crate::app::timeline::window::summary_key;
use crate::session::row::RowIx;
use crate::store::lineage::{MemberIx, News, Parent};
use crate::text::role::Role;

/// Columns from which lanes are shown.
const LEAST_FOR_LANES: u16 = 160;

/// Lanes on the screen at once.
const LANES: usize = 4;

/// Opens the family; the second time as lanes where there is room, else it closes.
pub(super) fn show(model: &mut Model) {
    match &mut model.family.view {
        Some(view) if view.shape == Shape::List && model.screen.0 >= LEAST_FOR_LANES => {
            view.shape = Shape::Lanes;
            let grid = model.grid();
            if let Some(view) = &mut model.family.view {
                view.grid = grid;
            }
            reveal_lane(model);
        }
        Some(view) if view.shape == Shape::List => {
            let columns = LEAST_FOR_LANES.to_string();
            model.say(Role::Normal, "family.lanes_need", &[("columns", &columns)]);
        }
        Some(view) => view.shape = Shape::List,
        None => open(model),
    }
}

fn open(model: &mut Model) {
    if !model.family.has_relatives() {
        let key = match &model.family.lineage {
            None if model.settings.finds_kin => "family.not_looked_for",
            Some(_) if model.family.in_store => "family.none",
            None | Some(_) => "family.no_store",
        };
        return model.say(Role::Normal, key, &[]);
    }
    let Some(lineage) = model.family.lineage.clone() else { return };
    let mut view = FamilyView { before: family::identity(model), ..FamilyView::default() };
    let focused = model.family.focused;
    let at = match lineage.news {
        News::OpenBelow(member) | News::FailedBelow(member) if focused == HOME => member,
        News::Own | News::OpenBelow(_) | News::FailedBelow(_) => focused,
    };
    let row = match model.open_of(at).and_then(|open| open.verdict.target).filter(|_| at != focused) {
        Some(target) => Some(target.row),
        None => jump::here(model).map(|event| event.row),
    };
    unfold_to(model, &mut view, at);
    (model.page, model.overlay) = (None, None);
    model.focus = Pane::Timeline;
    model.family.view = Some(view);
    rebuild(model);
    super::ask::lay_out(model);
    go(model, at, row.unwrap_or(RowIx(0)));
}

/// Opens a member's block and those around it.
fn unfold_to(model: &Model, view: &mut FamilyView, at: MemberIx) {
    let mut next = Some(at);
    while let Some(at) = next.filter(|at| view.open.insert(*at)) {
        next = parent_here(model, at);
    }
}

/// The list for other members: each is where `same` says.
pub(super) fn of_members(view: FamilyView, same: impl Fn(MemberIx) -> Option<MemberIx>) -> FamilyView {
    let held = view.current().and_then(|entry| {
        Some(match entry {
            Entry::Head(member) => Entry::Head(same(member)?),
            Entry::Row(member, item) => Entry::Row(same(member)?, item),
        })
    });
    let open = view.open.iter().filter_map(|member| same(*member)).collect();
    let before = view.before.and_then(|spot| Some(Spot { member: same(spot.member)?, ..spot }));
    // The row is looked for in what the list is made of next.
    let (entries, cursor) = match held {
        Some(held) => (vec![held], 0),
        None => (Vec::new(), view.cursor),
    };
    FamilyView { entries, cursor, open, before, ..view }
}

/// Makes the list anew; the cursor stays on its row, else on the nearest above it.
pub(super) fn rebuild(model: &mut Model) {
    let members = model.family.members.len() as u32;
    for member in (0..members).map(MemberIx) {
        build(model, member);
    }
    let Some(mut view) = model.family.view.take() else { return };
    let held = view.current();
    view.entries = model.family_entries(&view);
    view.events = model.family_events(&view);
    if let Some(held) = held {
        let same = view.entries.iter().position(|entry| *entry == held);
        view.cursor = same.or_else(|| head_near(model, &view, held.member())).unwrap_or(view.cursor);
    }
    view.reveal();
    model.family.view = Some(view);
}

/// The head of a member's block; where the filter hides all of it, that of the block around it.
fn head_near(model: &Model, view: &FamilyView, member: MemberIx) -> Option<usize> {
    let mut next = Some(member);
    // Generations are no more than sessions.
    for _ in 0..model.family.members.len() {
        let at = next?;
        let head = view.entries.iter().position(|entry| *entry == Entry::Head(at));
        if head.is_some() {
            return head;
        }
        next = parent_here(model, at);
    }
    None
}

/// The parent of a member, where it is one of the family.
fn parent_here(model: &Model, member: MemberIx) -> Option<MemberIx> {
    match model.family.lineage.as_ref()?.get(member)?.parent {
        Parent::Here(parent) => Some(parent),
        Parent::None | Parent::Missing(_) | Parent::Cycle(_) => None,
    }
}

/// Builds the timeline of a member that is not focused, where the selection is another one by now.
fn build(model: &mut Model, member: MemberIx) {
    if member == model.family.focused {
        return;
    }
    let Some(shelf) = model.family.members.get_mut(member.as_usize()) else { return };
    let Some(open) = shelf.open.as_ref().filter(|_| shelf.built.as_ref() != Some(&model.selection)) else { return };
    let depth = open.session.facts.header.as_ref().and_then(|header| header.delegation_depth);
    shelf.sieve = model.selection.query().map(|query| {
        let known = shelf.sieve.take().filter(|sieve| sieve.is_of(query, &open.session));
        known.unwrap_or_else(|| Sieve::of(Arc::clone(query), Arc::clone(&open.session), &model.settings.zone))
    });
    let kept = shelf.sieve.as_ref().map(|sieve| &sieve.rows);
    let filter = model.selection.filter(&open.session.index, depth, kept);
    let ghosts = !open.is_growing;
    let plan = Plan { session: &open.session, rules: &open.rules, filter: filter.as_ref(), ghosts };
    shelf.timeline.build(&plan);
    shelf.built = Some(model.selection.clone());
}

/// Puts the cursor on a row of a member, whose block is open.
fn go(model: &mut Model, member: MemberIx, row: RowIx) {
    let rules = model.open_of(member).map(|open| open.rules.clone()).unwrap_or_default();
    let Some(view) = &model.family.view else { return };
    let stands_at = |entry: &Entry| match entry {
        Entry::Row(at, Item::Run { first, last }) if *at == member => (*first..=*last).contains(&row),
        Entry::Row(at, item) if *at == member => row_of(*item, &rules) == row && !matches!(item, Item::Rule { .. }),
        Entry::Row(..) | Entry::Head(_) => false,
    };
    let found = view.entries.iter().position(stands_at).or_else(|| head_near(model, view, member));
    let Some(view) = &mut model.family.view else { return };
    view.cursor = found.unwrap_or(0);
    let height = usize::from(view.height.max(1));
    if view.cursor < view.top || view.cursor >= view.top + height {
        view.top = view.cursor.saturating_sub(height / 2);
    }
    view.reveal();
    follow(model);
}

/// The panes follow the list: its member is focused, and the cursor stands on the same row there.
fn follow(model: &mut Model) {
    let Some(entry) = model.family.view.as_ref().and_then(FamilyView::current) else { return };
    if !family::focus(model, entry.member()) {
        return;
    }
    let Some(open) = &model.open else { return };
    let at = match entry {
        Entry::Row(_, item) => model.timeline.position(item, &open.rules),
        Entry::Head(member) => {
            let lineage = model.family.lineage.as_ref();
            let event = lineage.and_then(|lineage| family::entry(lineage, member, open));
            event.and_then(|event| model.timeline.locate(event, &open.rules)).map(|found| found.at)
        }
    };
    if let Some(at) = at {
        jump::put(model, at);
    }
    jump::link_calls(model);
}

/// Closes the view: the panes show what they showed before.
pub(super) fn close(model: &mut Model) {
    let Some(view) = model.family.view.take() else { return };
    let Some(spot) = view.before else { return };
    family::focus(model, spot.member);
    let event = model.open.as_ref().and_then(|open| spot.place.find(&open.session.index));
    if let Some(event) = event {
        jump::show(model, event);
    }
}

/// Whether keys that move and fold do so in the family.
pub(super) fn has_keys(model: &Model) -> bool {
    model.family.view.is_some() && model.page.is_none() && model.overlay.is_none()
}

/// Moves by rows; in lanes by cells.
pub(super) fn line(model: &mut Model, action: Action, count: Option<u64>) {
    let Some(view) = &mut model.family.view else { return };
    if view.shape == Shape::Lanes {
        return step(model, action, count);
    }
    view.cursor = moves::target(action, count, view.cursor, view.entries.len(), view.height);
    view.reveal();
    follow(model);
}

/// Folds or opens blocks by generation.
pub(super) fn fold(model: &mut Model, action: Action) {
    let deepest = deepest_open(model);
    levels(
        model,
        match action {
            Action::FoldAll => 0,
            Action::FoldLevel => deepest.saturating_sub(1),
            Action::UnfoldLevel => deepest.saturating_add(1),
            // Everything else that comes here opens all.
            _ => u32::MAX,
        },
    );
}

/// Shows the row in the panes of its session.
pub(super) fn enter(model: &mut Model) {
    let before = model.family.view.take().and_then(|view| view.before);
    if let Some(before) = before {
        model.jumps.leave(before);
        if model.family.focused != HOME {
            model.family.trail.push(before);
        }
    }
    model.focus = Pane::Detail;
}

/// Whether the cursor stands on rows of a timeline that can be folded by themselves.
pub(super) fn stands_on_run(model: &Model) -> bool {
    let entry = model.family.view.as_ref().and_then(FamilyView::current);
    let (Some(Entry::Row(_, item)), Some(open)) = (entry, &model.open) else { return false };
    let row = open.session.index.rows.get(row_of(item, &open.rules));
    row.is_some_and(|row| model.timeline.fold_of(item, &row) != Fold::Leaf)
}

/// Opens or folds the block at the cursor: of its head, or the one that a row stands in.
pub(super) fn flip(model: &mut Model, wanted: Option<Fold>) {
    let Some(view) = &mut model.family.view else { return };
    let Some(entry) = view.current() else { return };
    let member = match entry {
        Entry::Head(member) => member,
        // From a call its child, from any other row of a child its own block.
        Entry::Row(member, _) => match view.entries.get(view.cursor + 1) {
            Some(Entry::Head(child)) if *child != member => *child,
            _ if member != HOME => member,
            _ => return,
        },
    };
    let is_open = view.open.contains(&member);
    let open = wanted.map_or(!is_open, |wanted| wanted == Fold::Open);
    if open == is_open {
        return;
    }
    if open {
        view.open.insert(member);
    } else {
        view.open.remove(&member);
    }
    rebuild(model);
    follow(model);
}

/// In lanes to another lane; in the list folds or opens.
pub(super) fn beside(model: &mut Model, way: Way, n: u64) {
    let Some(view) = &mut model.family.view else { return };
    if view.shape == Shape::List {
        return flip(model, Some(if way == Way::Forward { Fold::Open } else { Fold::Folded }));
    }
    let by = n.min(10_000) as isize;
    let by = if way == Way::Forward { by } else { -by };
    let Some(lineage) = model.family.lineage.clone() else { return };
    let last = lineage.reading.len().saturating_sub(1);
    let at = lineage.reading.iter().position(|at| *at == model.family.focused).unwrap_or(0);
    let to = at.saturating_add_signed(by).min(last);
    let Some(member) = lineage.reading.get(to).copied() else { return };
    let row = model.timeline_of(member).and_then(|timeline| {
        let open = model.open_of(member)?;
        timeline.current().map(|item| row_of(item, &open.rules))
    });
    if let Some(mut view) = model.family.view.take() {
        unfold_to(model, &mut view, member);
        model.family.view = Some(view);
    }
    rebuild(model);
    go(model, member, row.unwrap_or(RowIx(0)));
    reveal_lane(model);
}

/// In lanes to another cell of the lane.
fn step(model: &mut Model, action: Action, count: Option<u64>) {
    let (Some((lane, at)), Some(view)) = (model.lane_here(), &model.family.view) else { return };
    let Some((member, cells)) = view.grid.lanes.get(lane) else { return };
    let to = moves::target(action, count, at, cells.len(), view.height);
    let Some(row) = cells.get(to).map(|cell| cell.first) else { return };
    go(model, *member, row);
    reveal_lane(model);
}

/// Scrolls so that the cell with the cursor is seen.
fn reveal_lane(model: &mut Model) {
    let here = model.lane_here();
    let (Some((lane, at)), Some(view)) = (here, &mut model.family.view) else { return };
    view.first_lane = view.first_lane.min(lane).max((lane + 1).saturating_sub(LANES));
    let row = view.grid.lanes.get(lane).and_then(|(_, cells)| cells.get(at)).map_or(0, |cell| cell.line);
    let height = usize::from(view.height.saturating_sub(1).max(1));
    view.first_line = view.first_line.min(row).max((row + 1).saturating_sub(height));
}

/// The deepest generation with an open block.
fn deepest_open(model: &Model) -> u32 {
    let (Some(view), Some(lineage)) = (&model.family.view, &model.family.lineage) else { return 0 };
    view.open.iter().filter_map(|at| lineage.get(*at)).map(|member| member.level).max().unwrap_or(0)
}

/// Opens all blocks down to a generation, and folds those below.
fn levels(model: &mut Model, deepest: u32) {
    let Some(lineage) = model.family.lineage.clone() else { return };
    let Some(view) = &mut model.family.view else { return };
    let all = lineage.members.iter().enumerate();
    view.open = all.filter(|(_, member)| member.level <= deepest).map(|(at, _)| MemberIx(at as u32)).collect();
    rebuild(model);
    follow(model);
}

/// The next or previous head.
pub(super) fn sibling(model: &mut Model, way: Way) {
    let Some(view) = &mut model.family.view else { return };
    let heads = |range: &[Entry]| range.iter().position(|entry| matches!(entry, Entry::Head(_)));
    let to = if way == Way::Forward {
        view.entries.get(view.cursor + 1..).and_then(heads).map(|at| view.cursor + 1 + at)
    } else {
        view.entries
            .get(..view.cursor)
            .and_then(|above| above.iter().rposition(|entry| matches!(entry, Entry::Head(_))))
    };
    if let Some(to) = to {
        view.cursor = to;
        view.reveal();
        follow(model);
    }
}

/// All depths, 0, those above, then each of the others by itself.
pub(super) fn cycle_depth(model: &mut Model) {
    let highest = model.family.lineage.as_ref().map_or(0, |lineage| lineage.depths().1);
    let Some(view) = &mut model.family.view else { return };
    view.depths = match view.depths {
        Depths::Any => Depths::Only(0),
        Depths::Only(0) => Depths::Above(0),
        Depths::Above(_) => Depths::Only(1),
        Depths::Only(depth) if depth < highest => Depths::Only(depth + 1),
        Depths::Only(_) => Depths::Any,
    };
    let (key, depth) = match view.depths {
        Depths::Any => ("family.depth_all", 0),
        Depths::Only(depth) => ("family.depth_only", depth),
        Depths::Above(depth) => ("family.depth_above", depth),
    };
    rebuild(model);
    follow(model);
    model.say(Role::Normal, key, &[("depth", &depth.to_string())]);
}

/// The next or previous thing of a kind, in the order of the list; folded blocks that hold one are passed over.
pub(super) fn to_stop(model: &mut Model, stop: Stop, way: Way) {
    let Some(view) = &model.family.view else { return };
    let holds = |entry: &Entry| match *entry {
        Entry::Head(_) | Entry::Row(_, Item::Rule { .. } | Item::Ghost(_) | Item::Member { .. }) => false,
        Entry::Row(member, item) => model.open_of(member).is_some_and(|open| {
            let places = open.stops.places(stop);
            let (first, last) = match item {
                Item::Run { first, last } => (first, last),
                item => (row_of(item, &open.rules), row_of(item, &open.rules)),
            };
            let at = places.partition_point(|place| *place < first);
            places.get(at).is_some_and(|place| *place <= last)
        }),
    };
    let to = if way == Way::Forward {
        view.entries.iter().enumerate().skip(view.cursor + 1).find(|(_, entry)| holds(entry)).map(|(at, _)| at)
    } else {
        view.entries.get(..view.cursor).and_then(|above| above.iter().rposition(holds))
    };
    let Some(to) = to else {
        let what = model.words().get(jump::thing(stop)).to_owned();
        let key = if way == Way::Forward { "message.no_more" } else { "message.no_before" };
        return model.say(Role::Normal, key, &[("what", &what)]);
    };
    if let Some(view) = &mut model.family.view {
        view.cursor = to;
        view.reveal();
    }
    follow(model);
}

/// The open call furthest down; `false`: there is none in the family.
pub(super) fn last_unpaired(model: &mut Model) -> bool {
    let Some(open) = model.family.lineage.as_ref().and_then(|lineage| lineage.deepest_open) else { return false };
    let call = model.open_of(open.member).and_then(|found| found.session.facts.calls.get(open.call));
    let Some(row) = call.and_then(|call| call.call_row.or(call.message_row)) else { return false };
    if let Some(mut view) = model.family.view.take() {
        unfold_to(model, &mut view, open.member);
        model.family.view = Some(view);
    }
    rebuild(model);
    go(model, open.member, row);
    true
}

/// From a head or a row of a child to the call of its parent; from a call to its child.
pub(super) fn other_half(model: &mut Model) {
    let Some(view) = &mut model.family.view else { return };
    let below = view.entries.get(view.cursor + 1).copied();
    if let (Some(Entry::Row(member, _)), Some(Entry::Head(child))) = (view.current(), below)
        && child != member
    {
        view.cursor += 1;
        view.reveal();
        return follow(model);
    }
    let Some(member) = view.current().map(Entry::member) else { return };
    let head = view.entries.iter().position(|entry| *entry == Entry::Head(member));
    let Some(call) = head.and_then(|head| head.checked_sub(1)) else {
        return model.say(Role::Normal, "message.no_other_half", &[]);
    };
    view.cursor = call;
    view.reveal();
    follow(model);
}

/// Asks for the texts of rows on screen that are neither here nor asked for.
pub(super) fn wants(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(view) = &model.family.view else { return };
    let mut missing: Vec<Wants> = Vec::new();
    let keys: Vec<(MemberIx, SummaryKey)> = view
        .on_screen()
        .iter()
        .filter_map(|entry| match *entry {
            Entry::Row(member, item) => Some((member, summary_key(item)?)),
            Entry::Head(_) => None,
        })
        .collect();
    let mut asked = Vec::new();
    for (member, key) in keys {
        let (summaries, epoch) = if member == model.family.focused {
            (&mut model.summaries, model.epoch)
        } else {
            let Some(shelf) = model.family.members.get_mut(member.as_usize()) else { continue };
            (&mut shelf.summaries, shelf.epoch)
        };
        summaries.touch(std::iter::once(&key));
        if summaries.is_fresh(&key) {
            continue;
        }
        asked.push((member, key));
        match missing.iter_mut().find(|wants| wants.epoch == epoch) {
            Some(wants) => wants.keys.push(key),
            None => missing.push(Wants { epoch, keys: vec![key] }),
        }
    }
    if asked.is_empty() || asked.iter().all(|key| model.family.asked.contains(key)) {
        return;
    }
    model.family.asked = asked;
    let ticket = model.ticket();
    effects.push(Effect::SummariseEach { ticket, wants: missing });
}
