//! Panes: which one has the keys, how large it is, what Enter does in it.

use super::{ask, detail, jump, lists};
use crate::app::action::Action;
use crate::app::area::{Share, Shares, Size};
use crate::app::effect::Effect;
use crate::app::model::{Model, Pane, TimeForm, Zoom};
use crate::app::overlay::Overlay;

/// The panes in the order of their numbers.
const PANES: [Pane; 4] = [Pane::Header, Pane::Timeline, Pane::Calls, Pane::Detail];

/// Panes: which, how large, and into what the cursor is on. `false`: it is something else.
pub(super) fn act(model: &mut Model, action: Action, count: Option<u64>, effects: &mut Vec<Effect>) -> bool {
    let n = count.unwrap_or(1);
    match action {
        Action::Enter => enter(model, effects),
        Action::NextPane => next(model, count),
        Action::PreviousPane => previous(model),
        Action::Larger => larger(model),
        Action::Smaller => smaller(model),
        Action::GrowPane => resize(model, true, n),
        Action::ShrinkPane => resize(model, false, n),
        Action::UsualPanes => usual(model),
        Action::CycleTime => cycle_time(model),
        _ => return false,
    }
    true
}

/// Whether the pane can be gone to: small screens have no header pane.
fn can_have_focus(model: &Model, pane: Pane) -> bool {
    pane != Pane::Header || matches!(model.areas.size, Size::Normal | Size::Wide)
}

/// Gives the keys to a pane.
pub(super) fn focus(model: &mut Model, pane: Pane) {
    if model.page.is_some() {
        return;
    }
    model.focus = pane;
}

/// The next pane; with a count that one.
fn next(model: &mut Model, count: Option<u64>) {
    if model.page.is_some() {
        return lists::to_target(model, true);
    }
    let pane = match count {
        Some(n) => usize::try_from(n).ok().and_then(|n| PANES.get(n.checked_sub(1)?).copied()),
        None => step(model, 1),
    };
    if let Some(pane) = pane.filter(|pane| can_have_focus(model, *pane)) {
        focus(model, pane);
    }
}

/// The previous pane.
fn previous(model: &mut Model) {
    if model.page.is_some() {
        return lists::to_target(model, false);
    }
    if let Some(pane) = step(model, PANES.len() - 1) {
        focus(model, pane);
    }
}

fn step(model: &Model, by: usize) -> Option<Pane> {
    let at = PANES.iter().position(|pane| *pane == model.focus)?;
    let following = (1..=PANES.len()).map(|n| PANES[(at + n * by) % PANES.len()]);
    following.into_iter().find(|pane| can_have_focus(model, *pane))
}

/// The focused pane larger.
fn larger(model: &mut Model) {
    if model.page.is_none() {
        model.zoom = match model.zoom {
            Zoom::Normal => Zoom::Half,
            Zoom::Half | Zoom::Whole => Zoom::Whole,
        };
    }
}

/// The focused pane smaller.
fn smaller(model: &mut Model) {
    if model.page.is_none() {
        model.zoom = match model.zoom {
            Zoom::Whole => Zoom::Half,
            Zoom::Half | Zoom::Normal => Zoom::Normal,
        };
    }
}

/// Percent that one key makes a pane larger or smaller.
const STEP: i8 = 5;

/// The share of the focused pane larger or smaller; of the panes above the detail the border between them moves.
fn resize(model: &mut Model, larger: bool, count: u64) {
    let areas = &model.areas;
    let step = STEP.saturating_mul(count.min(20) as i8);
    let by = if larger { step } else { -step };
    let [width, height] = [areas.timeline.width + areas.divider.width + areas.calls.width, {
        areas.timeline.height.max(areas.calls.height) + areas.detail.height
    }];
    let alone = areas.timeline.is_empty() || areas.calls.is_empty();
    match model.focus {
        Pane::Detail if !areas.detail.is_empty() && !alone => {
            model.shares.detail = Share::of(areas.detail.height, height, by);
        }
        Pane::Header | Pane::Timeline if !alone => model.shares.timeline = Share::of(areas.timeline.width, width, by),
        Pane::Calls if !alone => model.shares.timeline = Share::of(areas.timeline.width, width, -by),
        Pane::Header | Pane::Timeline | Pane::Calls | Pane::Detail => {
            model.say(crate::text::role::Role::Normal, "message.one_pane", &[]);
        }
    }
}

/// The usual shares.
fn usual(model: &mut Model) {
    model.shares = Shares::default();
    model.zoom = Zoom::Normal;
}

/// The next form of the time column; the first key shows a column that the width left out.
fn cycle_time(model: &mut Model) {
    model.time_form = Some(match model.time_form {
        None if model.areas.timeline.width < 56 => TimeForm::Gap,
        None | Some(TimeForm::Gap) => TimeForm::FromStart,
        Some(TimeForm::FromStart) => TimeForm::Clock,
        Some(TimeForm::Clock) => TimeForm::Gap,
    });
}

/// Whether the detail alone is seen, so that closing leads back to the lists.
pub(super) fn is_inside_detail(model: &Model) -> bool {
    model.focus == Pane::Detail && ask::is_alone(model, Pane::Detail)
}

/// Back to the usual sizes, and from a detail that is alone to the timeline.
pub(super) fn leave_detail(model: &mut Model) {
    if is_inside_detail(model) && model.zoom == Zoom::Normal {
        model.focus = Pane::Timeline;
    }
    model.zoom = Zoom::Normal;
}

/// Into the detail, or to what the line leads to.
pub(super) fn enter(model: &mut Model, effects: &mut Vec<Effect>) {
    match &model.overlay {
        Some(Overlay::Help(_)) => return lists::run_help(model, effects),
        Some(Overlay::Types(_)) => return lists::keep_types(model),
        Some(Overlay::Places(_)) => return super::citing::go_to_chosen(model),
        Some(Overlay::Copy(_)) => return super::copying::copy_current(model, effects),
        None => {}
    }
    if let Some(page) = &model.page {
        let (target, member) = (page.target(), page.leads_into());
        match (target, member) {
            (Some(target), Some(member)) => super::family::visit(model, member, target),
            (Some(target), None) => {
                model.page = None;
                jump::go(model, target);
            }
            (None, _) => {}
        }
        return;
    }
    if model.family.view.is_some() {
        return super::family_view::enter(model);
    }
    match model.focus {
        Pane::Header => {}
        Pane::Timeline | Pane::Calls => model.focus = Pane::Detail,
        Pane::Detail => match model.detail.target() {
            Some(target) => jump::go(model, target),
            None => {
                if !model.detail.toggle_fold() {
                    detail::more(model, effects);
                }
            }
        },
    }
}
