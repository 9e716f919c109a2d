//! Moving and folding in whatever has the keys.

use super::{family_view, filter, jump, lists, scope};
use crate::app::action::Action;
use crate::app::calls::{DEEPEST, Fold, Node};
use crate::app::model::{Model, Pane, Wait};
use crate::app::search::Way;
use crate::app::timeline::place::level;
use crate::app::timeline::{Folds, Item, MOST_LEVEL};

/// Columns that one key scrolls sideways.
const SIDEWAYS: u64 = 8;

/// Where a motion leads in a list of `len` rows.
pub(super) fn target(action: Action, count: Option<u64>, at: usize, len: usize, height: u16) -> usize {
    let n = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX);
    let height = usize::from(height.max(1));
    let (half, page) = ((height / 2).max(1), height.saturating_sub(1).max(1));
    let last = len.saturating_sub(1);
    match action {
        Action::Up => at.saturating_sub(n),
        Action::HalfPageDown => at.saturating_add(n.saturating_mul(half)).min(last),
        Action::HalfPageUp => at.saturating_sub(n.saturating_mul(half)),
        Action::PageDown => at.saturating_add(n.saturating_mul(page)).min(last),
        Action::PageUp => at.saturating_sub(n.saturating_mul(page)),
        Action::First => 0,
        Action::Last => last,
        // Everything else that comes here moves down.
        _ => at.saturating_add(n).min(last),
    }
}

/// Moves and folds. `false`: it is something else.
pub(super) fn act(model: &mut Model, action: Action, count: Option<u64>) -> bool {
    let n = count.unwrap_or(1);
    match action {
        Action::Down
        | Action::Up
        | Action::HalfPageDown
        | Action::HalfPageUp
        | Action::PageDown
        | Action::PageUp
        | Action::First
        | Action::Last => line(model, action, count),
        Action::Left => left(model, n),
        Action::Right => right(model, n),
        Action::LineStart => model.detail.scroll_sideways(0),
        Action::LineEnd => model.detail.scroll_sideways(usize::MAX),
        Action::NextSibling => sibling(model, Way::Forward, n),
        Action::PreviousSibling => sibling(model, Way::Backward, n),
        Action::ToggleFold => toggle_fold(model),
        Action::FoldAll | Action::UnfoldAll | Action::FoldLevel | Action::UnfoldLevel => fold(model, action),
        Action::ScrollMiddle | Action::ScrollTop | Action::ScrollBottom => scroll(model, action),
        _ => return false,
    }
    true
}

/// Lines, half pages, pages, first and last.
fn line(model: &mut Model, action: Action, count: Option<u64>) {
    if model.overlay.is_some() {
        return lists::line(model, action, count);
    }
    // `88G` goes to a seq from everywhere but lists.
    if let (Action::First | Action::Last, Some(seq)) = (action, count) {
        return jump::to_seq(model, i64::try_from(seq).unwrap_or(i64::MAX));
    }
    if model.page.is_some() && !lists::follows(model) {
        return lists::line(model, action, count);
    }
    if family_view::has_keys(model) {
        return family_view::line(model, action, count);
    }
    let focus = if model.page.is_some() { Pane::Timeline } else { model.focus };
    match focus {
        Pane::Header | Pane::Timeline => {
            let timeline = &mut model.timeline;
            let to = target(action, count, timeline.cursor, timeline.items.len(), timeline.height);
            timeline.set_cursor(to);
            if action == Action::First && jump::is_tail(model) {
                jump::wait(model, Wait::First);
            }
            jump::link_calls(model);
        }
        Pane::Calls => {
            let calls = &mut model.calls;
            calls.cursor = target(action, count, calls.cursor, calls.visible.len(), calls.height);
            calls.reveal();
            jump::link_timeline(model);
        }
        Pane::Detail => {
            let detail = &mut model.detail;
            let to = target(action, count, detail.cursor, detail.rows.len(), detail.size.1);
            detail.go(to);
        }
    }
}

fn change_folds(model: &mut Model, change: impl FnOnce(&mut Folds)) {
    let before = model.timeline.folds.clone();
    change(&mut model.timeline.folds);
    if before != model.timeline.folds {
        filter::rebuild(model);
        if model.family.view.is_some() {
            family_view::rebuild(model);
        }
    }
}

/// How the item at the cursor is folded.
fn fold_here(model: &Model) -> Fold {
    let (Some(open), Some(item), Some(event)) = (&model.open, model.timeline.current(), model.current_event()) else {
        return Fold::Leaf;
    };
    open.session.index.rows.get(event.row).map_or(Fold::Leaf, |row| model.timeline.fold_of(item, &row))
}

fn flip(folds: &mut Folds, item: Item) {
    match item {
        Item::Run { first, .. } => folds.flip_run(first),
        Item::Inner(row) | Item::Row(row) => folds.flip_row(row),
        Item::Member { .. } | Item::Rule { .. } | Item::Ghost(_) => {}
    }
}

/// Folds, or goes to the parent; in Detail sideways.
fn left(model: &mut Model, n: u64) {
    if model.overlay.is_none() && scope::go(model, Way::Backward) {
        return;
    }
    if model.page.is_some() || model.overlay.is_some() {
        lists::beside(model, false);
        return;
    }
    if family_view::has_keys(model) {
        return family_view::beside(model, Way::Backward, n);
    }
    match model.focus {
        Pane::Header => {}
        Pane::Timeline => timeline_left(model),
        Pane::Calls => {
            let Some(open) = &model.open else { return };
            match model.calls.visible.get(model.calls.cursor).map(|row| row.fold) {
                Some(Fold::Open) => model.calls.set_open(&open.tree, false),
                _ => {
                    if let Some(parent) = model.calls.parent(&open.tree) {
                        model.calls.cursor = parent;
                        model.calls.reveal();
                        jump::link_timeline(model);
                    }
                }
            }
        }
        Pane::Detail if !model.detail.unwrapped && model.detail.fold_or_out() => {}
        Pane::Detail => sideways(model, -(n.min(1000) as isize)),
    }
}

fn timeline_left(model: &mut Model) {
    let Some(item) = model.timeline.current() else { return };
    if fold_here(model) == Fold::Open {
        change_folds(model, |folds| flip(folds, item));
        return;
    }
    let own = level(item);
    if own == 0 {
        return;
    }
    let parent = model.timeline.items.range(0..model.timeline.cursor).rposition(|other| level(other) < own);
    if let Some(parent) = parent {
        model.timeline.set_cursor(parent);
        jump::link_calls(model);
    }
}

/// Opens, or goes to the first child; in Detail sideways.
fn right(model: &mut Model, n: u64) {
    if model.overlay.is_none() && scope::go(model, Way::Forward) {
        return;
    }
    if model.page.is_some() || model.overlay.is_some() {
        lists::beside(model, true);
        return;
    }
    if family_view::has_keys(model) {
        return family_view::beside(model, Way::Forward, n);
    }
    match model.focus {
        Pane::Header => {}
        Pane::Timeline => {
            let Some(item) = model.timeline.current() else { return };
            match fold_here(model) {
                Fold::Folded => change_folds(model, |folds| flip(folds, item)),
                Fold::Open => {
                    let below = model.timeline.items.get(model.timeline.cursor + 1);
                    if below.is_some_and(|below| level(below) > level(item)) {
                        model.timeline.set_cursor(model.timeline.cursor + 1);
                        jump::link_calls(model);
                    }
                }
                Fold::Leaf => {}
            }
        }
        Pane::Calls => {
            let Some(open) = &model.open else { return };
            match model.calls.visible.get(model.calls.cursor).map(|row| row.fold) {
                Some(Fold::Folded) => model.calls.set_open(&open.tree, true),
                Some(Fold::Open) => {
                    model.calls.cursor += 1;
                    model.calls.reveal();
                    jump::link_timeline(model);
                }
                Some(Fold::Leaf) | None => {}
            }
        }
        Pane::Detail if !model.detail.unwrapped && model.detail.unfold_or_in() => {}
        Pane::Detail => sideways(model, n.min(1000) as isize),
    }
}

fn sideways(model: &mut Model, by: isize) {
    let to = model.detail.sideways.saturating_add_signed(by.saturating_mul(SIDEWAYS as isize));
    model.detail.scroll_sideways(to);
}

/// Next or previous on the same level; stops where the level above goes on.
fn sibling(model: &mut Model, way: Way, n: u64) {
    if model.overlay.is_some() {
        return;
    }
    if scope::step(model, way, n) {
        return;
    }
    if model.page.is_some() && !lists::follows(model) {
        return;
    }
    if family_view::has_keys(model) {
        return family_view::sibling(model, way);
    }
    if model.focus == Pane::Detail && model.detail.sibling(way == Way::Forward) {
        (1..n.min(10_000)).for_each(|_| {
            model.detail.sibling(way == Way::Forward);
        });
        return;
    }
    for _ in 0..n.min(10_000) {
        let in_calls = model.focus == Pane::Calls && model.page.is_none();
        let moved = if in_calls { calls_sibling(model, way) } else { timeline_sibling(model, way) };
        if !moved {
            break;
        }
    }
    if model.focus == Pane::Calls && model.page.is_none() {
        jump::link_timeline(model);
    } else {
        jump::link_calls(model);
    }
}

fn timeline_sibling(model: &mut Model, way: Way) -> bool {
    let timeline = &model.timeline;
    let Some(own) = timeline.current().map(level) else { return false };
    let at = timeline.cursor;
    let levels = |at: usize| timeline.items.get(at).map(level);
    let found = match way {
        Way::Forward => (at + 1..timeline.items.len()).find(|at| levels(*at) <= Some(own)),
        Way::Backward => (0..at).rev().find(|at| levels(*at) <= Some(own)),
    };
    match found.filter(|found| levels(*found) == Some(own)) {
        Some(found) => {
            model.timeline.set_cursor(found);
            true
        }
        None => false,
    }
}

fn calls_sibling(model: &mut Model, way: Way) -> bool {
    let Some(open) = &model.open else { return false };
    let calls = &model.calls;
    let levels = |at: usize| calls.visible.get(at).and_then(|row| open.tree.get(row.at)).map(|found| found.level);
    let Some(own) = levels(calls.cursor) else { return false };
    let found = match way {
        Way::Forward => (calls.cursor + 1..calls.visible.len()).find(|at| levels(*at) <= Some(own)),
        Way::Backward => (0..calls.cursor).rev().find(|at| levels(*at) <= Some(own)),
    };
    match found.filter(|found| levels(*found) == Some(own)) {
        Some(found) => {
            model.calls.cursor = found;
            model.calls.reveal();
            true
        }
        None => false,
    }
}

/// Folds or unfolds what the cursor is on.
fn toggle_fold(model: &mut Model) {
    if model.page.is_some() {
        return;
    }
    if family_view::has_keys(model) && !family_view::stands_on_run(model) {
        return family_view::flip(model, None);
    }
    let focus = if family_view::has_keys(model) { Pane::Timeline } else { model.focus };
    match focus {
        Pane::Header | Pane::Timeline => {
            let Some(item) = model.timeline.current() else { return };
            if fold_here(model) == Fold::Leaf {
                // Inside something open: that is folded, and the cursor goes to it.
                let own = level(item);
                timeline_left(model);
                if let (true, Some(parent)) = (own > 0, model.timeline.current()) {
                    change_folds(model, |folds| flip(folds, parent));
                }
            } else {
                change_folds(model, |folds| flip(folds, item));
            }
        }
        Pane::Calls => {
            let Some(open) = &model.open else { return };
            let Some(row) = model.calls.visible.get(model.calls.cursor).copied() else { return };
            match row.fold {
                Fold::Leaf => {}
                Fold::Folded => model.calls.set_open(&open.tree, true),
                Fold::Open => model.calls.set_open(&open.tree, false),
            }
        }
        Pane::Detail => {
            if !model.detail.toggle_fold() {
                line(model, Action::PageDown, None);
            }
        }
    }
}

/// Folds or unfolds everything, or one level of it.
fn fold(model: &mut Model, action: Action) {
    if model.page.is_some() {
        return;
    }
    if family_view::has_keys(model) {
        return family_view::fold(model, action);
    }
    if model.focus == Pane::Detail {
        match action {
            Action::FoldAll => model.detail.set_levels(Some(0)),
            Action::UnfoldAll => model.detail.set_levels(None),
            Action::FoldLevel => model.detail.change_levels(false),
            _ => model.detail.change_levels(true),
        };
        return;
    }
    if model.focus == Pane::Calls {
        let Some(open) = &model.open else { return };
        let now = model.calls.levels.unwrap_or(DEEPEST);
        let levels = match action {
            Action::FoldAll => 0,
            Action::UnfoldAll => DEEPEST,
            Action::FoldLevel => now.saturating_sub(1),
            _ => (now + 1).min(DEEPEST),
        };
        model.calls.set_levels(&open.tree, levels);
        if let Some(Node::Turns { .. }) = model.calls.visible.get(model.calls.cursor).map(|row| row.node) {
            model.calls.reveal();
        }
        return;
    }
    let now = model.timeline.folds.level;
    let level = match action {
        Action::FoldAll => 0,
        Action::UnfoldAll => MOST_LEVEL,
        Action::FoldLevel => now.saturating_sub(1),
        _ => (now + 1).min(MOST_LEVEL),
    };
    change_folds(model, |folds| folds.set(level));
}

/// The row with the cursor to the middle, top or bottom.
fn scroll(model: &mut Model, action: Action) {
    let row = |height: u16| match action {
        Action::ScrollTop => 0,
        Action::ScrollBottom => usize::from(height.saturating_sub(1)),
        _ => usize::from(height / 2),
    };
    if let Some(view) = model.family.view.as_mut() {
        let to = row(view.height);
        return view.show_at(to);
    }
    match model.focus {
        Pane::Header | Pane::Timeline => {
            let to = row(model.timeline.height);
            model.timeline.show_at(to);
        }
        Pane::Calls => {
            let to = row(model.calls.height);
            model.calls.show_at(to);
        }
        Pane::Detail => {}
    }
}
