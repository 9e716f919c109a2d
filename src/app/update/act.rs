//! Actions → what they change.

use super::{
    copying, detail, family, family_view, filter, filter_line, finding, follow, handing, jump, lists, moves, opening,
    panes, sessions,
};
use crate::app::action::Action;
use crate::app::effect::{Effect, Program};
use crate::app::family::HOME;
use crate::app::input::{Asked, Input};
use crate::app::message::Epoch;
use crate::app::model::Model;
use crate::app::page::{Addable, Given};
use crate::app::search::Way;
use crate::text::role::Role;

/// Carries out an action; `count` is the number typed before it.
pub(super) fn act(model: &mut Model, action: Action, count: Option<u64>, effects: &mut Vec<Effect>) {
    if model.overlay.is_none() && sessions::act(model, action, count, effects) {
        return;
    }
    if lists::is_for_panes(model, action) {
        return model.say(Role::Normal, "message.not_on_page", &[]);
    }
    let known = moves::act(model, action, count)
        || jump::act(model, action, count, effects)
        || panes::act(model, action, count, effects)
        || detail::act(model, action, effects)
        || find(model, action, count, effects)
        || show(model, action, effects)
        || hand_out(model, action, effects);
    debug_assert!(known, "{action:?} means nothing");
}

/// Searching and filtering. `false`: it is something else.
fn find(model: &mut Model, action: Action, count: Option<u64>, effects: &mut Vec<Effect>) -> bool {
    let n = count.unwrap_or(1);
    match action {
        Action::Search => ask(model, Asked::Search),
        Action::NextMatch => finding::step(model, Way::Forward, n),
        Action::PreviousMatch => finding::step(model, Way::Backward, n),
        Action::SearchId => finding::search_id(model, effects),
        Action::Filter => filter_line::open(model),
        Action::Narrow => ask(model, Asked::Narrow),
        Action::CycleDepth => filter::cycle_depth(model),
        Action::CycleView => filter::cycle_view(model),
        Action::ClearFilter => filter::clear(model),
        Action::PickTypes => lists::open_types(model),
        Action::Tick | Action::TickAll | Action::TickNone | Action::TickInvert | Action::TickGroup(_) => {
            lists::tick(model, action);
        }
        Action::ToggleFollow => family::at_home(model, |model| follow::toggle(model, effects)),
        _ => return false,
    }
    true
}

/// What is shown: pages, lists, the program itself. `false`: it is something else.
fn show(model: &mut Model, action: Action, effects: &mut Vec<Effect>) -> bool {
    match action {
        Action::Show(kind) => lists::show(model, kind),
        Action::ShowFamily => family_view::show(model),
        Action::ShowSessions => sessions::show(model, effects),
        Action::NextPart => lists::next_part(model),
        Action::SortNext => lists::sort_page(model),
        // A key of the session list, which was done above where it is shown.
        Action::ToggleOthers => {}
        Action::Help => lists::open_help(model),
        Action::Close | Action::Escape => leave(model, action, effects),
        Action::Interrupt => interrupt(model, effects),
        Action::Quit => quit(model, effects),
        Action::Reload => reload(model, effects),
        Action::ToggleMouse => toggle_mouse(model, effects),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Redraw => effects.push(Effect::Redraw),
        _ => return false,
    }
    true
}

/// Copies, reports, programs of the user. `false`: it is something else.
fn hand_out(model: &mut Model, action: Action, effects: &mut Vec<Effect>) -> bool {
    match action {
        Action::Copy => copying::open(model),
        Action::CopyPage => copying::page(model, effects),
        Action::CopyThis(what) => copying::copy(model, what, effects),
        Action::ToggleArguments => copying::toggle_in_bug(model, Addable::Arguments),
        Action::ToggleResult => copying::toggle_in_bug(model, Addable::Result),
        Action::AddReplaced => copying::add_to_bug(model, Given::WithoutSecrets),
        Action::AddRecorded => copying::add_to_bug(model, Given::AsRecorded),
        Action::WriteReport | Action::EditReport => copying::hand_out(model, action, effects),
        Action::Edit => handing::hand(model, Program::Editor, effects),
        Action::Pipe => handing::ask(model),
        _ => return false,
    }
    true
}

/// One level back; `q` leaves the program where nothing is left to close, Esc does not.
fn leave(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if close(model, effects) {
        return;
    }
    if action == Action::Close {
        quit(model, effects);
    } else {
        model.say(Role::Normal, "message.q_quits", &[]);
    }
}

fn toggle_mouse(model: &mut Model, effects: &mut Vec<Effect>) {
    model.mouse = !model.mouse;
    effects.push(Effect::Mouse { taken: model.mouse });
    model.say(Role::Normal, if model.mouse { "message.mouse_on" } else { "message.mouse_off" }, &[]);
}

pub(super) fn ask(model: &mut Model, asked: Asked) {
    if model.open.is_none() && asked != Asked::Narrow {
        return;
    }
    let history = model.typed.get(&asked).cloned().unwrap_or_default();
    if asked == Asked::Search {
        finding::open(model);
    }
    model.input = Some(Input::new(asked, history));
}

/// One level back: overlay, page, zoom, search, filter. `false`: nothing is left to close but the program.
fn close(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    if model.overlay.is_some() {
        lists::close(model);
    } else if copying::leave_out(model) {
        // Nothing is added to the bug report.
    } else if model.page.is_some() {
        model.page = None;
    } else if model.family.view.is_some() {
        family_view::close(model);
    } else if model.zoom != crate::app::model::Zoom::Normal || panes::is_inside_detail(model) {
        panes::leave_detail(model);
    } else if model.search.is_some() {
        finding::stop(model, effects);
        model.search = None;
    } else if model.selection != crate::app::selection::Selection::All {
        filter::clear(model);
    } else if family::back(model) {
        // Back from a relative.
    } else if model.is_from_list {
        sessions::back(model);
    } else {
        return false;
    }
    true
}

/// Stops a search that runs, else the reading of the log, else leaves.
fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    if finding::stop(model, effects) || filter::stop_sifting(model) {
        return;
    }
    if !model.reading && model.progress.is_none() {
        return quit(model, effects);
    }
    opening::stopped(model, effects);
    effects.push(Effect::StopReading { epoch: model.home_epoch() });
}

pub(super) fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    model.leaving = true;
    effects.push(Effect::Quit);
}

/// Reads the file again.
pub(super) fn reload(model: &mut Model, effects: &mut Vec<Effect>) {
    let epoch = begin_reading(model, effects);
    model.say(Role::Normal, "message.read_again", &[]);
    effects.push(Effect::Reload { epoch });
}

/// The next reading begins: what was asked about the one before is not answered any more.
pub(super) fn begin_reading(model: &mut Model, effects: &mut Vec<Effect>) -> Epoch {
    family::focus(model, HOME);
    model.epoch = Epoch(model.epoch.0.wrapping_add(1));
    model.reading = true;
    finding::stop(model, effects);
    model.asked_for.clear();
    model.stale = model.tickets;
    model.epoch
}
