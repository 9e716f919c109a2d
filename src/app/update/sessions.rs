//! The session list: opening it, what comes for it, moving in it, opening a log from it and coming back.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::{act, ask, finding, hits, jump};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::input::{Asked, Input};
use crate::app::key::{MouseEvent, MouseKind};
use crate::app::list::{self, Below, Line, List, Looking, Others, Stock};
use crate::app::message::{Found, Ticket};
use crate::app::model::{Model, Open, Settings};
use crate::query::Needle;
use crate::store::{Brief, Counted, SessionIx};
use crate::text::role::Role;

/// The list comes on the screen, or leaves it.
pub(super) fn show(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(list) = &mut model.list {
        if list.is_shown {
            leave(model, effects);
            return;
        }
        (list.is_shown, list.below) = (true, Below::Log);
        list.asked.clear();
        return;
    }
    // Standard input lies in no folder.
    let is_placeless = |open: &Open| open.session.path.parent().is_none_or(|folder| folder.as_os_str().is_empty());
    if !model.settings.can_follow && model.open.as_ref().is_some_and(is_placeless) {
        return model.say(Role::Warn, "list.no_folder", &[]);
    }
    let ticket = model.ticket();
    model.list = Some(List::looking(ticket, Below::Log, String::new()));
    effects.push(Effect::ListSessions { ticket });
}

/// Back from a log that was opened from the list.
pub(super) fn back(model: &mut Model) {
    let Some(list) = &mut model.list else { return };
    (list.is_shown, list.below) = (true, Below::Nothing);
    list.asked.clear();
}

/// The list leaves the screen; `false`: nothing stands below it.
fn leave(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(list) = &mut model.list else { return false };
    if list.below == Below::Nothing {
        return false;
    }
    list.is_shown = false;
    effects.push(Effect::StopTelling);
    true
}

/// Folders are being listed.
pub(super) fn looked(model: &mut Model, ticket: Ticket, place: String, folders: u64) {
    if let Some(list) = model.list.as_mut().filter(|list| list.ticket == ticket) {
        (list.place, list.looking) = (place, Looking::At(folders));
    }
}

/// What the store holds was found. What was read of logs that did not change stays.
pub(super) fn listed(model: &mut Model, ticket: Ticket, found: Result<Found, String>, effects: &mut Vec<Effect>) {
    let words = model.settings.words.clone();
    let Some(list) = model.list.as_mut().filter(|list| list.ticket == ticket) else { return };
    let found = match found {
        Ok(found) => found,
        Err(why) => {
            list.looking = Looking::Failed(why);
            return;
        }
    };
    let mut stock = Stock::new(found.store, found.now, found.can_follow);
    let before = list.stock.take();
    let folder = |stock: &Stock, at: SessionIx| stock.store.get(at).map(|session| session.folder.clone());
    let held = before.as_ref().zip(list.session()).and_then(|(before, at)| folder(before, at));
    if let Some(before) = &before {
        stock.remember(before);
        let was_folded = |at: &SessionIx| list.folded.iter().any(|old| folder(before, *old) == folder(&stock, *at));
        list.folded = stock.store.places().filter(was_folded).collect();
    } else {
        list.others = list::others_at_first(stock.store.other_files.len());
    }
    let place = held.and_then(|held| stock.store.places().find(|at| folder(&stock, *at).as_ref() == Some(&held)));
    (list.place, list.looking, list.stock) = (found.place, Looking::Done, Some(stock));
    list.lines.clear();
    list.asked.clear();
    list.rebuild(&words);
    if place.or(found.here).is_some_and(|at| list.go_to_session(at)) {
        list.is_moved = true;
    } else {
        list.go(0);
    }
    hits::again(model, effects);
}

/// What logs say came in.
pub(super) fn told(
    model: &mut Model,
    ticket: Ticket,
    briefs: Vec<(SessionIx, Brief)>,
    older: Vec<(SessionIx, usize, Counted)>,
    effects: &mut Vec<Effect>,
) {
    // Whatever listing it belongs to: the worker waits for it.
    effects.push(Effect::TellOn);
    let words = model.settings.words.clone();
    let Some(list) = model.list.as_mut().filter(|list| list.ticket == ticket) else { return };
    let Some(stock) = &mut list.stock else { return };
    stock.take(briefs, older);
    list.rebuild(&words);
}

/// Fits the list into its rows.
pub(super) fn fit(model: &mut Model) {
    let height = model.areas.list_body().height;
    if let Some(list) = model.list.as_mut().filter(|list| list.is_shown && height > 0) {
        list.height = height;
        list.reveal();
    }
    hits::fit(model);
}

/// Asks what logs say, those on the screen first: anew where rows came on the screen of which more can be learned.
pub(super) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(list) = model.list.as_mut().filter(|list| list.is_shown && !list.is_stopped) else { return };
    let Some(stock) = list.stock.as_ref().filter(|_| list.unread > 0) else { return };
    let session = |line: &Line| match line {
        Line::Session { at, .. } => Some(*at),
        _ => None,
    };
    let on_screen = list.on_screen().iter().filter_map(session);
    let first: Vec<SessionIx> = on_screen.filter(|at| stock.is_unread(*at)).collect();
    let is_asked = !list.asked.is_empty() && first.iter().all(|at| list.asked.contains(at));
    if is_asked {
        return;
    }
    let in_rows = list.lines.iter().filter_map(session);
    let mut seen = vec![false; stock.store.sessions.len()];
    let all = first.iter().copied().chain(in_rows).chain(stock.store.places());
    let whole: Vec<SessionIx> =
        all.filter(|at| stock.is_unread(*at) && !std::mem::replace(&mut seen[at.at()], true)).collect();
    let quick = whole.iter().copied().filter(|at| stock.brief(*at).is_none()).collect();
    let ticket = list.ticket;
    // Something is remembered where nothing on the screen is missing, too: what is off it was asked for as well.
    list.asked = if first.is_empty() { whole.clone() } else { first };
    effects.push(Effect::TellSessions { ticket, quick, whole });
}

/// Does in the list what a key means there; `false`: the list is not on the screen, or the key means the same there.
pub(super) fn act(model: &mut Model, action: Action, count: Option<u64>, effects: &mut Vec<Effect>) -> bool {
    if model.shown_list().is_none() {
        return false;
    }
    if hits::act(model, action, count, effects) {
        return true;
    }
    let words = model.settings.words.clone();
    let Some(list) = &mut model.list else { return false };
    list.is_moved |= moves(action);
    match action {
        Action::Down | Action::Up => {
            let n = isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX);
            list.step(if action == Action::Down { n } else { -n });
        }
        Action::HalfPageDown
        | Action::HalfPageUp
        | Action::PageDown
        | Action::PageUp
        | Action::First
        | Action::Last => {
            let (at, len) = (list.state.cursor, list.lines.len());
            let to = super::moves::target(action, count, at, len, list.height);
            list.go(to);
        }
        Action::NextSibling => sibling(list, true),
        Action::PreviousSibling => sibling(list, false),
        Action::Left => to_parent(model),
        Action::Right => to_child(model),
        Action::ToggleFold => toggle_fold(model),
        Action::FoldAll | Action::UnfoldAll => fold_all(list, action == Action::FoldAll, &words),
        Action::SortNext => list.sort_next(&words),
        Action::ToggleOthers => toggle_others(model),
        Action::Narrow => ask_filter(model),
        Action::Search => hits::ask(model),
        Action::ClearFilter => {
            let key = if list.filter.is_empty() { "message.nothing_to_clear" } else { "message.filter_cleared" };
            list.narrow("", &words);
            model.say(Role::Normal, key, &[]);
        }
        Action::Enter => open(model, effects),
        Action::Reload => again(model, effects),
        Action::ShowSessions => drop(leave(model, effects)),
        Action::Close | Action::Escape => return close(model, action, effects),
        Action::Interrupt => interrupt(model, effects),
        Action::Quit | Action::Suspend | Action::Redraw | Action::Help | Action::ToggleMouse => return false,
        _ => model.say(Role::Normal, "list.no_such_key", &[]),
    }
    true
}

/// Whether the reader chooses a row by it, which then keeps the cursor.
fn moves(action: Action) -> bool {
    !matches!(
        action,
        Action::SortNext | Action::Help | Action::Redraw | Action::Suspend | Action::ToggleMouse | Action::Reload
    )
}

/// One level back: the filter, the list. `false`: the program is what is left.
fn close(model: &mut Model, action: Action, effects: &mut Vec<Effect>) -> bool {
    let words = model.settings.words.clone();
    if let Some(list) = model.list.as_mut().filter(|list| !list.filter.is_empty()) {
        list.narrow("", &words);
    } else if !leave(model, effects) {
        match action {
            Action::Escape => model.say(Role::Normal, "message.q_quits", &[]),
            _ => act::quit(model, effects),
        }
    }
    true
}

/// Stops reading what logs say, else leaves.
fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(list) = &mut model.list else { return };
    if list.unread == 0 || list.is_stopped {
        return act::quit(model, effects);
    }
    list.is_stopped = true;
    effects.push(Effect::StopTelling);
    let unread = model.words().number(model.list.as_ref().map_or(0, |list| list.unread) as u64);
    model.say(Role::Warn, "list.stopped", &[("n", &unread)]);
}

/// Looks at the store again.
fn again(model: &mut Model, effects: &mut Vec<Effect>) {
    let ticket = model.ticket();
    let Some(list) = &mut model.list else { return };
    (list.ticket, list.looking, list.is_stopped) = (ticket, Looking::At(0), false);
    effects.push(Effect::ListSessions { ticket });
}

fn ask_filter(model: &mut Model) {
    let Some(list) = &mut model.list else { return };
    if list.stock.is_none() {
        return;
    }
    list.filter_before.clone_from(&list.filter);
    let history = model.typed.get(&Asked::Narrow).cloned().unwrap_or_default();
    let mut input = Input::new(Asked::Narrow, history);
    input.set(&list.filter);
    model.input = Some(input);
}

/// Narrows the list by what is typed.
pub(super) fn narrow(model: &mut Model, text: &str) {
    let words = model.settings.words.clone();
    if let Some(list) = model.list.as_mut().filter(|list| list.is_shown) {
        list.narrow(text, &words);
        let at = list.state.cursor;
        list.go(at);
    }
}

fn to_parent(model: &mut Model) {
    let Some(list) = &mut model.list else { return };
    let (Some(at), Some(stock)) = (list.session(), &list.stock) else { return };
    // From a generation to its session first.
    let parent = if matches!(list.current(), Some(Line::Generation { .. })) { Some(at) } else { stock.parent(at) };
    let missing = list::missing_parent(stock, at);
    match (parent, missing) {
        (Some(parent), _) => {
            if !list.go_to_session(parent) {
                model.say(Role::Normal, "list.parent_hidden", &[]);
            }
        }
        (None, Some(id)) => model.say(Role::Warn, "list.parent_missing", &[("id", &id)]),
        (None, None) => model.say(Role::Normal, "list.no_parent", &[]),
    }
}

fn to_child(model: &mut Model) {
    let words = model.settings.words.clone();
    let Some(list) = &mut model.list else { return };
    let Some(at) = list.session() else { return };
    if list.folded.remove(&at) {
        return list.rebuild(&words);
    }
    let child = list.stock.as_ref().and_then(|stock| stock.census.get(at)?.children.first().copied());
    if let Some(child) = child {
        list.go_to_session(child);
    }
}

fn toggle_fold(model: &mut Model) {
    let words = model.settings.words.clone();
    let Some(list) = &mut model.list else { return };
    let (Some(at), Some(stock)) = (list.session(), &list.stock) else { return };
    let has_children = |at: SessionIx| stock.census.get(at).is_some_and(|kin| !kin.children.is_empty());
    // On a session without children its family above is folded.
    let at = if has_children(at) { Some(at) } else { stock.parent(at) };
    let Some(at) = at else { return };
    if !list.folded.remove(&at) {
        list.folded.insert(at);
    }
    list.rebuild(&words);
    list.go_to_session(at);
}

fn fold_all(list: &mut List, folded: bool, words: &crate::text::locale::Words) {
    let Some(stock) = &list.stock else { return };
    let has_children = |at: &SessionIx| stock.census.get(*at).is_some_and(|kin| !kin.children.is_empty());
    list.folded = if folded { stock.store.places().filter(has_children).collect() } else { BTreeSet::new() };
    list.rebuild(words);
}

/// To the next or previous session on the same level; stops where the level above goes on.
fn sibling(list: &mut List, forward: bool) {
    let level = |at: usize| match list.lines.get(at) {
        Some(Line::Session { level, .. }) => Some(*level),
        _ => None,
    };
    let at = list.state.cursor;
    let Some(own) = level(at) else { return list.step(if forward { 1 } else { -1 }) };
    let near = |at: &usize| level(*at).is_some_and(|level| level <= own);
    let found = if forward { (at + 1..list.lines.len()).find(near) } else { (0..at).rev().find(near) };
    if let Some(found) = found.filter(|found| level(*found) == Some(own)) {
        list.go(found);
    }
}

fn toggle_others(model: &mut Model) {
    let words = model.settings.words.clone();
    let Some(list) = &mut model.list else { return };
    if list.stock.as_ref().is_none_or(|stock| stock.store.other_files.is_empty()) {
        return model.say(Role::Normal, "list.no_others", &[]);
    }
    list.others = match list.others {
        Others::Counted => Others::Listed,
        Others::Listed => Others::Counted,
    };
    list.filter.clear();
    list.rebuild(&words);
    let first = list.lines.iter().position(|line| matches!(line, Line::Other(_)));
    match first {
        Some(first) => {
            list.go(first);
            // The heading stands above them.
            list.state.top = first.saturating_sub(1).min(list.lines.len().saturating_sub(usize::from(list.height)));
        }
        None => list.go(list.state.cursor),
    }
}

/// Opens what the cursor is on.
fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(list) = &model.list else { return };
    let Some(path) = list.openable() else {
        if matches!(list.current(), Some(Line::Other(_) | Line::Problem(_))) {
            model.say(Role::Warn, "list.cannot_open", &[]);
        }
        return;
    };
    open_at(model, path, None, effects);
}

/// Opens a log of the store: at a place, with what was searched there, where it is opened for that.
pub(super) fn open_at(
    model: &mut Model,
    path: PathBuf,
    sought: Option<(String, Arc<Needle>)>,
    effects: &mut Vec<Effect>,
) {
    let Some(list) = &mut model.list else { return };
    let is_open = model.open.as_ref().is_some_and(|open| open.session.path == path);
    if is_open && !model.reading {
        // It is there already, with its cursor where it was.
        model.is_from_list = true;
        list.is_shown = false;
        effects.push(Effect::StopTelling);
        if let Some((place, needle)) = sought {
            finding::start(model, needle, None, effects);
            jump::to_place(model, &place);
        }
        return;
    }
    let can_follow = list.stock.as_ref().is_some_and(|stock| stock.can_follow);
    super::memory::leave(model, effects);
    let epoch = act::begin_reading(model, effects);
    if model.follow.is_on() {
        effects.push(Effect::Follow { on: false });
    }
    begin_anew(model, can_follow);
    if let Some((place, needle)) = sought {
        model.settings.go_to = Some(place);
        finding::hold(model, needle);
    }
    effects.push(Effect::StopTelling);
    effects.push(Effect::OpenStored { epoch, path });
}

/// Forgets everything about the log that was open; what is the reader's and the terminal's stays.
fn begin_anew(model: &mut Model, can_follow: bool) {
    let settings = Settings { go_to: None, follow: false, can_follow, finds_kin: true, ..model.settings.clone() };
    let mut list = model.list.take();
    if let Some(list) = &mut list {
        list.is_shown = false;
    }
    *model = Model {
        screen: model.screen,
        epoch: model.epoch,
        mouse: model.mouse,
        time_form: model.time_form,
        themed: model.themed,
        memory: model.memory.take(),
        shares: model.shares,
        zoom: model.zoom,
        typed: std::mem::take(&mut model.typed),
        tickets: model.tickets,
        stale: model.tickets,
        list,
        is_from_list: true,
        ..Model::new(settings)
    };
    ask::lay_out(model);
}

/// In the list: the wheel moves the cursor, a click chooses a line, a second one opens it. `false`: it is not shown.
pub(super) fn moused(model: &mut Model, event: MouseEvent, notch: usize, effects: &mut Vec<Effect>) -> bool {
    if hits::moused(model, event, notch, effects) {
        return true;
    }
    let body = model.areas.list_body();
    let Some(list) = model.list.as_mut().filter(|list| list.is_shown) else { return false };
    list.is_moved |= !matches!(event.kind, MouseKind::Dragged | MouseKind::Released);
    match event.kind {
        MouseKind::WheelUp => list.step(-(notch as isize)),
        MouseKind::WheelDown => list.step(notch as isize),
        MouseKind::Pressed | MouseKind::PressedTwice if body.holds(event.column, event.row) => {
            let at = list.state.top + usize::from(event.row - body.y);
            let takes = list.lines.get(at).is_some_and(|line| line.takes_cursor());
            if takes {
                list.go(at);
            }
            if takes && event.kind == MouseKind::PressedTwice {
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
