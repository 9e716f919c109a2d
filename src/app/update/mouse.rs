//! The mouse: the wheel moves what is under it, a click selects, a second one opens, a drag moves a border.

use super::{ask, detail, jump, keys, lists, panes, sessions};
use crate::app::area::{Area, Share};
use crate::app::effect::Effect;
use crate::app::key::{MouseEvent, MouseKind};
use crate::app::message::Choice;
use crate::app::model::{Grip, Model, Pane, Zoom};
use crate::app::page::PageKind;

/// Rows that one notch of the wheel moves.
const NOTCH: usize = 3;

/// Columns that one notch to the side moves.
const SIDE_NOTCH: usize = 8;

/// Something happened with the mouse.
pub(super) fn moused(model: &mut Model, event: MouseEvent, effects: &mut Vec<Effect>) {
    let is_wheel =
        matches!(event.kind, MouseKind::WheelUp | MouseKind::WheelDown | MouseKind::WheelLeft | MouseKind::WheelRight);
    // While a line is typed one may still look around.
    if !model.mouse || (model.input.is_some() && !is_wheel) {
        return;
    }
    match (event.kind, model.grip) {
        (MouseKind::Dragged, Some(grip)) => return drag(model, grip, event),
        (MouseKind::Dragged | MouseKind::Released, _) => {
            model.grip = None;
            return;
        }
        _ => model.grip = None,
    }
    model.notice = None;
    model.untouched = false;
    model.follow.news = None;
    if model.overlay.is_none() && sessions::moused(model, event, NOTCH, effects) {
        return;
    }
    if model.overlay.is_some() || model.page.is_some() {
        return in_list(model, event, effects);
    }
    let Some(pane) = pane_at(model, event) else { return };
    match event.kind {
        MouseKind::WheelUp => wheel(model, pane, false),
        MouseKind::WheelDown => wheel(model, pane, true),
        MouseKind::Pressed => press(model, pane, event),
        MouseKind::WheelLeft | MouseKind::WheelRight => sideways(model, pane, event.kind == MouseKind::WheelRight),
        MouseKind::PressedTwice if pane == Pane::Header => lists::show(model, PageKind::State),
        MouseKind::PressedTwice => {
            press(model, pane, event);
            if model.grip.is_none() {
                panes::enter(model, effects);
            }
        }
        MouseKind::Dragged | MouseKind::Released => {}
    }
}

/// Words of the screen were clicked.
pub(super) fn chosen(model: &mut Model, choice: Choice, twice: bool, effects: &mut Vec<Effect>) {
    if !model.mouse {
        return;
    }
    model.grip = None;
    if let Choice::Keys(keys) = choice {
        return keys::pressed_all(model, keys, effects);
    }
    if model.input.is_some() {
        return;
    }
    model.notice = None;
    match choice {
        Choice::Keys(_) => {}
        Choice::Tab(tab) => {
            panes::focus(model, Pane::Detail);
            detail::choose_tab(model, tab, effects);
            model.grip = Some(Grip::DetailTitle).filter(|_| can_drag(model));
        }
        Choice::HelpLine(line) => {
            // At once: the list scrolls with its cursor, and a second click would meet another line.
            if lists::choose_help(model, line) && !twice {
                lists::run_help(model, effects);
            }
        }
    }
}

/// Whether borders are where somebody could want them elsewhere: not while one pane is made larger than the others.
fn can_drag(model: &Model) -> bool {
    model.zoom == Zoom::Normal && !model.areas.divider.is_empty() && model.family.view.is_none()
}

/// What the mouse takes hold of, besides rows.
fn grip_at(model: &Model, event: MouseEvent) -> Option<Grip> {
    let areas = &model.areas;
    let body = areas.timeline_body();
    let in_map = body.holds(event.column, event.row) && event.column + 1 == body.x + body.width;
    if in_map && model.timeline.items.len() > usize::from(body.height) && model.family.view.is_none() {
        return Some(Grip::Map);
    }
    if !can_drag(model) {
        return None;
    }
    if areas.divider.holds(event.column, event.row) {
        return Some(Grip::Divider);
    }
    areas.detail.top(areas.title_rows).holds(event.column, event.row).then_some(Grip::DetailTitle)
}

/// The button is held and the mouse moves.
fn drag(model: &mut Model, grip: Grip, event: MouseEvent) {
    let areas = model.areas;
    match grip {
        Grip::Divider => {
            let (left, width) = (areas.timeline.x, areas.calls.x + areas.calls.width - areas.timeline.x);
            model.shares.timeline = Share::of(event.column.saturating_sub(left), width, 0);
        }
        Grip::DetailTitle => {
            let (top, end) = (areas.timeline.y, areas.detail.y + areas.detail.height);
            model.shares.detail = Share::of(end.saturating_sub(event.row.max(top)), end - top, 0);
        }
        Grip::Map => to_map_row(model, event.row),
    }
    ask::lay_out(model);
}

/// The map stands for all rows: its row leads to the rows it stands for.
fn to_map_row(model: &mut Model, row: u16) {
    let body = model.areas.timeline_body();
    let row = usize::from(row.clamp(body.y, body.y + body.height.saturating_sub(1)) - body.y);
    let len = model.timeline.items.len();
    jump::put(model, row * len / usize::from(body.height.max(1)));
    jump::link_calls(model);
}

fn sideways(model: &mut Model, pane: Pane, right: bool) {
    if pane == Pane::Detail {
        let at = model.detail.sideways;
        model.detail.scroll_sideways(if right { at.saturating_add(SIDE_NOTCH) } else { at.saturating_sub(SIDE_NOTCH) });
    }
}

fn pane_at(model: &Model, event: MouseEvent) -> Option<Pane> {
    let areas = &model.areas;
    let holds = |area: Area| area.holds(event.column, event.row);
    let all = [
        (Pane::Header, areas.header),
        (Pane::Header, areas.verdict),
        (Pane::Timeline, areas.timeline),
        (Pane::Timeline, areas.divider),
        (Pane::Calls, areas.calls),
        (Pane::Detail, areas.detail),
    ];
    all.into_iter().find(|(_, area)| holds(*area)).map(|(pane, _)| pane)
}

fn moved(at: usize, down: bool, len: usize) -> usize {
    if down { at.saturating_add(NOTCH).min(len.saturating_sub(1)) } else { at.saturating_sub(NOTCH) }
}

fn wheel(model: &mut Model, pane: Pane, down: bool) {
    match pane {
        Pane::Header => {}
        Pane::Timeline => {
            let to = moved(model.timeline.cursor, down, model.timeline.items.len());
            model.timeline.set_cursor(to);
            jump::link_calls(model);
        }
        Pane::Calls => {
            model.calls.cursor = moved(model.calls.cursor, down, model.calls.visible.len());
            model.calls.reveal();
            jump::link_timeline(model);
        }
        Pane::Detail => model.detail.step(if down { NOTCH as isize } else { -(NOTCH as isize) }),
    }
}

fn press(model: &mut Model, pane: Pane, event: MouseEvent) {
    let areas = model.areas;
    model.grip = grip_at(model, event);
    if model.grip == Some(Grip::Divider) {
        return;
    }
    panes::focus(model, pane);
    let row_in = |body: Area| event.row.checked_sub(body.y).filter(|row| *row < body.height).map(usize::from);
    match pane {
        Pane::Header => {
            let target = model.verdict().and_then(|verdict| verdict.target);
            if let (Some(target), true) = (target, areas.verdict.holds(event.column, event.row)) {
                jump::go(model, target);
            }
        }
        Pane::Timeline => {
            let body = areas.timeline_body();
            let Some(row) = row_in(body) else { return };
            let len = model.timeline.items.len();
            if model.grip == Some(Grip::Map) {
                to_map_row(model, event.row);
            } else if model.timeline.top + row < len {
                model.timeline.set_cursor(model.timeline.top + row);
                jump::link_calls(model);
            }
        }
        Pane::Calls => {
            let Some(row) = row_in(areas.calls_body()) else { return };
            if model.calls.top + row < model.calls.visible.len() {
                model.calls.cursor = model.calls.top + row;
                model.calls.reveal();
                jump::link_timeline(model);
            }
        }
        Pane::Detail => {
            let Some(row) = row_in(areas.detail_body().below(1)) else { return };
            if model.detail.top + row < model.detail.rows.len() {
                model.detail.go(model.detail.top + row);
            }
        }
    }
    ask::lay_out(model);
}

/// In a page or list: the wheel moves the cursor, a click chooses a line, a second one takes it.
fn in_list(model: &mut Model, event: MouseEvent, effects: &mut Vec<Effect>) {
    let body = model.areas.page_body();
    match event.kind {
        MouseKind::WheelUp => lists::wheel(model, false, NOTCH),
        MouseKind::WheelDown => lists::wheel(model, true, NOTCH),
        MouseKind::Pressed | MouseKind::PressedTwice if body.holds(event.column, event.row) => {
            let chosen = lists::click(model, usize::from(event.row - body.y));
            if chosen && event.kind == MouseKind::PressedTwice {
                panes::enter(model, effects);
            }
        }
        MouseKind::Pressed
        | MouseKind::PressedTwice
        | MouseKind::Dragged
        | MouseKind::Released
        | MouseKind::WheelLeft
        | MouseKind::WheelRight => {}
    }
}
