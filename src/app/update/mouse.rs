//! The mouse: the wheel moves what is under it, a click selects, a second one opens.

use super::{ask, jump, lists, panes, sessions};
use crate::app::area::Area;
use crate::app::effect::Effect;
use crate::app::key::{MouseEvent, MouseKind};
use crate::app::model::{Model, Pane};

/// Rows that one notch of the wheel moves.
const NOTCH: usize = 3;

/// Something happened with the mouse.
pub(super) fn moused(model: &mut Model, event: MouseEvent, effects: &mut Vec<Effect>) {
    if model.input.is_some() || !model.mouse {
        return;
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
        MouseKind::PressedTwice => {
            press(model, pane, event);
            panes::enter(model, effects);
        }
        MouseKind::Dragged | MouseKind::Released => {}
    }
}

fn pane_at(model: &Model, event: MouseEvent) -> Option<Pane> {
    let areas = &model.areas;
    let holds = |area: Area| area.holds(event.column, event.row);
    let all = [
        (Pane::Header, areas.header),
        (Pane::Header, areas.verdict),
        (Pane::Timeline, areas.timeline),
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
    panes::focus(model, pane);
    let areas = model.areas;
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
            let in_map = event.column + 1 == body.x + body.width;
            let len = model.timeline.items.len();
            if in_map && len > usize::from(body.height) {
                jump::put(model, row * len / usize::from(body.height.max(1)));
                jump::link_calls(model);
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
        MouseKind::Pressed | MouseKind::PressedTwice | MouseKind::Dragged | MouseKind::Released => {}
    }
}
