//! A search of all sessions of the list: asked for, found, walked through, opened.

use std::sync::Arc;

use super::{finding, moves, sessions};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::input::{Asked, Input};
use crate::app::key::{MouseEvent, MouseKind};
use crate::app::list::hits::{MOST_QUOTED, Passages, Reached};
use crate::app::list::{Hits, Line, List};
use crate::app::message::Ticket;
use crate::app::model::{Model, Notice};
use crate::query::Needle;
use crate::store::SessionIx;
use crate::text::role::Role;

/// Opens the search line of the list.
pub(super) fn ask(model: &mut Model) {
    if model.shown_list().is_some_and(List::has_sessions) {
        let history = model.typed.get(&Asked::SearchSessions).cloned().unwrap_or_default();
        model.input = Some(Input::new(Asked::SearchSessions, history));
    }
}

/// What is wrong with what is typed.
pub(super) fn typing(model: &Model, typed: &str) -> Option<String> {
    Needle::parse(typed).err().map(|why| finding::bad_pattern(model, &why))
}

/// Searches all sessions for what was typed; for nothing it does not.
pub(super) fn search(model: &mut Model, typed: &str, effects: &mut Vec<Effect>) {
    match Needle::parse(typed) {
        Ok(_) if typed.is_empty() => {}
        Ok(needle) => begin(model, Arc::new(needle), effects),
        Err(why) => model.notice = Some(Notice { text: finding::bad_pattern(model, &why), role: Role::Bad }),
    }
}

fn begin(model: &mut Model, needle: Arc<Needle>, effects: &mut Vec<Effect>) {
    let ticket = model.ticket();
    let Some(list) = model.list.as_mut() else { return };
    let order = order(list);
    list.hits = Some(Hits::new(Arc::clone(&needle), ticket));
    effects.push(Effect::SearchSessions { ticket, needle, order });
}

/// The sessions of the store were found anew: their places are others.
pub(super) fn again(model: &mut Model, effects: &mut Vec<Effect>) {
    let needle = model.list.as_ref().and_then(|list| list.hits.as_ref()).map(|hits| Arc::clone(&hits.needle));
    if let Some(needle) = needle {
        begin(model, needle, effects);
    }
}

/// All sessions: those on the screen, those in other rows, those that no row shows.
fn order(list: &List) -> Vec<SessionIx> {
    let Some(store) = list.store() else { return Vec::new() };
    let session = |line: &Line| match line {
        Line::Session { at, .. } => Some(*at),
        _ => None,
    };
    let rows = list.on_screen().iter().chain(&list.lines).filter_map(session);
    let mut seen = vec![false; store.sessions.len()];
    rows.chain(store.places()).filter(|at| !std::mem::replace(&mut seen[at.at()], true)).collect()
}

/// What was found came in. `state`: sessions looked at, those that cannot be read, and whether nothing more will come.
pub(super) fn found(
    model: &mut Model,
    ticket: Ticket,
    found: Vec<Passages>,
    (looked_at, unreadable, done): (usize, usize, bool),
) {
    let hits = model.list.as_mut().and_then(|list| list.hits.as_mut());
    let Some(hits) = hits.filter(|hits| hits.ticket == ticket && hits.is_running()) else { return };
    for passages in found {
        hits.take(passages);
    }
    (hits.looked_at, hits.unreadable) = (looked_at, unreadable);
    if done {
        hits.reached = if hits.quoted() >= MOST_QUOTED { Reached::Full } else { Reached::End };
    }
    hits.go(hits.state.cursor);
}

/// Ends the search; what was found stays. `false`: none runs.
pub(super) fn stop(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let hits = model.list.as_mut().and_then(|list| list.hits.as_mut());
    let Some(hits) = hits.filter(|hits| hits.is_running()) else { return false };
    hits.reached = Reached::Stopped;
    effects.push(Effect::StopSearchingSessions);
    true
}

/// Fits what was found into its rows.
pub(super) fn fit(model: &mut Model) {
    let height = model.areas.page_body().height;
    if let Some(hits) = shown(model).filter(|_| height > 0) {
        hits.height = height;
        hits.go(hits.state.cursor);
    }
}

fn shown(model: &mut Model) -> Option<&mut Hits> {
    model.list.as_mut().filter(|list| list.is_shown)?.hits.as_mut()
}

/// Does among what was found what a key means there; `false`: nothing was searched, or the key means the same there.
pub(super) fn act(model: &mut Model, action: Action, count: Option<u64>, effects: &mut Vec<Effect>) -> bool {
    let Some(hits) = shown(model) else { return false };
    match action {
        Action::Down
        | Action::Up
        | Action::HalfPageDown
        | Action::HalfPageUp
        | Action::PageDown
        | Action::PageUp
        | Action::First
        | Action::Last => hits.go(moves::target(action, count, hits.state.cursor, hits.lines.len(), hits.height)),
        Action::NextMatch => hits.go(hits.state.cursor.saturating_add(1)),
        Action::PreviousMatch => hits.go(hits.state.cursor.saturating_sub(1)),
        Action::NextSibling | Action::PreviousSibling => {
            if let Some(to) = hits.session_beside(action == Action::NextSibling) {
                hits.go(to);
            }
        }
        Action::Search => ask(model),
        Action::Enter => open(model, effects),
        Action::Interrupt => return stop(model, effects),
        Action::Close | Action::Escape => leave(model, effects),
        Action::Quit | Action::Suspend | Action::Redraw | Action::Help | Action::ToggleMouse | Action::ShowSessions => {
            return false;
        }
        _ => model.say(Role::Normal, "list.no_such_key", &[]),
    }
    true
}

/// Back to the list.
fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    stop(model, effects);
    if let Some(list) = &mut model.list {
        list.hits = None;
    }
}

/// Opens the session at the cursor at its match, with the search in force.
fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(list) = &model.list else { return };
    let found = list.hits.as_ref().and_then(|hits| Some((hits.openable()?, Arc::clone(&hits.needle))));
    let Some(((at, hit), needle)) = found else { return };
    let place = hit.place.clone();
    let path = list.store().and_then(|store| Some(store.get(at)?.current().path.clone()));
    if let Some(path) = path {
        sessions::open_at(model, path, Some((place, needle)), effects);
    }
}

/// The wheel moves the cursor, a click chooses a line, a second one opens it. `false`: nothing was searched.
pub(super) fn moused(model: &mut Model, event: MouseEvent, notch: usize, effects: &mut Vec<Effect>) -> bool {
    let body = model.areas.page_body();
    let Some(hits) = shown(model) else { return false };
    match event.kind {
        MouseKind::WheelUp => hits.go(hits.state.cursor.saturating_sub(notch)),
        MouseKind::WheelDown => hits.go(hits.state.cursor.saturating_add(notch)),
        MouseKind::Pressed | MouseKind::PressedTwice if body.holds(event.column, event.row) => {
            let at = hits.state.top + usize::from(event.row - body.y);
            let is_there = at < hits.lines.len();
            if is_there {
                hits.go(at);
            }
            if is_there && event.kind == MouseKind::PressedTwice {
                open(model, effects);
            }
        }
        MouseKind::Pressed
        | MouseKind::PressedTwice
        | MouseKind::Dragged
        | MouseKind::Released
        | MouseKind::WheelLeft
        | MouseKind::WheelRight => {}
    }
    true
}
