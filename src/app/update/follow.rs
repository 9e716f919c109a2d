//! Following a log that grows: on, paused, off; what changed meanwhile; a file that became another one.

use super::{act, filter, jump};
use crate::app::calls;
use crate::app::effect::Effect;
use crate::app::follow::{Below, Following};
use crate::app::message::Change;
use crate::app::model::{Model, Open};
use crate::session::row::RowIx;
use crate::text::number::duration;
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::text::width::short_call_id;
use crate::triage::facts::{Call, CallState, Facts};
use crate::triage::session::Extent;

/// On and to the end; from the end off.
pub(super) fn toggle(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.settings.can_follow {
        return model.say(Role::Warn, "follow.cannot", &[]);
    }
    if model.follow.state == Following::AtEnd {
        off(model, effects);
        return model.say(Role::Normal, "message.follow_off", &[]);
    }
    if model.follow.state == Following::Off {
        effects.push(Effect::Follow { on: true });
    }
    model.follow.state = Following::AtEnd;
    to_end(model);
    model.say(Role::Accent, "message.follow_on", &[]);
    let tail = model.open.as_ref().is_some_and(|open| open.session.extent == Extent::Tail);
    if tail && !model.reading {
        // Its reading was stopped: only what was read to the end can be read on.
        act::reload(model, effects);
    }
}

/// The file is not watched any more.
pub(super) fn off(model: &mut Model, effects: &mut Vec<Effect>) {
    model.follow.state = Following::Off;
    (model.follow.quiet_ms, model.follow.kin_quiet_ms) = (None, None);
    model.follow.below = None;
    effects.push(Effect::Follow { on: false });
    judge_again(model);
}

/// To the last row.
pub(super) fn to_end(model: &mut Model) {
    jump::leave_page(model);
    model.timeline.set_cursor(usize::MAX);
    jump::link_calls(model);
}

/// The file has been quiet for so long.
pub(super) fn watched(model: &mut Model, quiet_ms: u64) {
    if !model.follow.is_on() {
        return;
    }
    let before = model.follow.growing().is_some();
    model.follow.quiet_ms = Some(quiet_ms);
    if before == model.follow.growing().is_some() {
        if let (Some(open), Some(growing)) = (&mut model.open, model.follow.growing()) {
            open.judge(&model.settings.words, Some(growing));
        }
    } else {
        judge_again(model);
    }
}

/// A relative grew so long ago, or none grows.
pub(super) fn kin_watched(model: &mut Model, quiet_ms: Option<u64>) {
    let before = model.follow.growing().is_some();
    model.follow.kin_quiet_ms = quiet_ms;
    if before != model.follow.growing().is_some() {
        judge_again(model);
    }
}

/// Whether the file grows is judged otherwise: verdict, rules and the rows at the end follow.
fn judge_again(model: &mut Model) {
    let growing = model.follow.growing();
    let Some(open) = &mut model.open else { return };
    let session = open.session.clone();
    *open = Open::of(session, &model.settings.words, growing);
    model.calls.title = calls::title(&open.session, &model.settings.words, growing.is_some());
    filter::rebuild(model);
    if model.follow.state == Following::AtEnd {
        to_end(model);
    }
}

/// The file became another one: it is read again, and the cursor stays by its seq.
pub(super) fn changed(model: &mut Model, change: &Change, effects: &mut Vec<Effect>) {
    if *change == Change::Gone {
        return model.say(Role::Warn, "follow.gone", &[]);
    }
    let epoch = act::begin_reading(model, effects);
    model.follow.quiet_ms = None;
    match change {
        Change::Replaced => model.say(Role::Warn, "follow.replaced", &[]),
        Change::Cut => model.say(Role::Warn, "follow.cut", &[]),
        Change::Succeeded(name) => model.say(Role::Warn, "follow.succeeded", &[("name", name)]),
        Change::Gone => {}
    }
    effects.push(match change {
        Change::Succeeded(_) => Effect::OpenNewer { epoch },
        Change::Replaced | Change::Cut | Change::Gone => Effect::Reload { epoch },
    });
}

/// What holds after every message: at the end the view follows, anywhere else it is paused.
pub(super) fn settle(model: &mut Model) {
    let Some(open) = model.open.as_ref().filter(|_| model.follow.is_on()) else {
        model.follow.below = None;
        return;
    };
    let rows = open.session.index.rows.len() as u32;
    let timeline = &model.timeline;
    if timeline.cursor + 1 >= timeline.items.len() {
        (model.follow.state, model.follow.seen, model.follow.below) = (Following::AtEnd, rows, None);
        return;
    }
    let pauses = model.follow.state == Following::AtEnd;
    model.follow.state = Following::Paused;
    let on_screen = timeline.on_screen().rev().find_map(|item| match item {
        crate::app::timeline::Item::Run { last, .. } => Some(last),
        item => crate::app::timeline::place::event_of(item).map(|event| event.row),
    });
    let seen = on_screen.map_or(0, |row| row.0.saturating_add(1)).max(model.follow.seen).min(rows);
    if seen != model.follow.seen || model.follow.below.map_or(0, |below| below.lines) != u64::from(rows - seen) {
        model.follow.seen = seen;
        model.follow.below = Below::of(&open.session.index, RowIx(seen));
    }
    if pauses && model.notice.is_none() {
        model.say(Role::Accent, "message.follow_paused", &[]);
    }
}

/// What became of calls that were open before the log grew: `call_0358_0 got its result meanwhile: completed, 1.59s
/// (seq 212).` The last of them, and how many more.
pub(super) fn news(model: &Model, before: &Facts, after: &Facts) -> Option<String> {
    let words = model.words();
    let open = before.unpaired.iter().filter_map(|at| before.calls.get(*at).map(|call| (*at, call)));
    let answered: Vec<&Call> = open
        .filter_map(|(at, call)| same_call(after, at, call))
        .filter(|call| matches!(call.state, CallState::Completed | CallState::Failed))
        .collect();
    let call = answered.last()?;
    let id = short_call_id(&display(call.call_id.as_bytes()));
    let state = match (call.state, &call.error_code) {
        (CallState::Failed, Some(code)) => words.say("state.failed_code", &[("code", &display(code.as_bytes()))]),
        (CallState::Failed, None) => words.get("state.failed").to_owned(),
        _ => words.get("state.completed").to_owned(),
    };
    let took = call.call_time.get().zip(call.result_time.get()).map(|(from, to)| duration(to.saturating_sub(from)));
    let state = took.map_or_else(|| state.clone(), |took| format!("{state}, {took}"));
    let seq = call.result_seq.get().map_or_else(|| "?".to_owned(), |seq| seq.to_string());
    let said = words.say("follow.got_result", &[("id", &id), ("state", &state), ("seq", &seq)]);
    Some(match answered.len() - 1 {
        0 => said,
        more => format!("{said} {}", words.say("follow.more_results", &[("n", &words.number(more as u64))])),
    })
}

/// The same call after the log grew: calls keep their places; where one does not, it is looked for.
fn same_call<'a>(after: &'a Facts, at: usize, call: &Call) -> Option<&'a Call> {
    let is_same = |other: &&Call| {
        other.call_id == call.call_id && other.message_row == call.message_row && other.block == call.block
    };
    after.calls.get(at).filter(is_same).or_else(|| after.calls.iter().rev().find(is_same))
}
