//! Search: started, found, walked through.

use std::sync::Arc;

use super::{filter, jump};
use crate::app::effect::Effect;
use crate::app::input::Asked;
use crate::app::input::remember;
use crate::app::message::Ticket;
use crate::app::model::{Model, Notice, Pane};
use crate::app::search::{MOST_HITS, Needle, Search, Way};
use crate::app::timeline::Item;
use crate::session::row::{EventRef, RowIx};
use crate::text::role::Role;
use crate::text::sanitize::one_line;
use crate::text::wire::WireText;

/// Opens the search line; what was searched before comes back where it is left.
pub(super) fn open(model: &mut Model) {
    model.searched = model.search.as_ref().map(|search| Arc::clone(&search.needle));
}

/// The text of the search line changed: it is looked for at once, and counted, without a jump. Gives what is wrong with
/// it.
pub(super) fn typing(model: &mut Model, typed: &str, effects: &mut Vec<Effect>) -> Option<String> {
    if is_running(model, typed) {
        return None;
    }
    if typed.is_empty() {
        stop(model, effects);
        model.search = None;
        return None;
    }
    match Needle::parse(typed) {
        Ok(needle) => {
            start(model, Arc::new(needle), None, effects);
            None
        }
        Err(why) => Some(bad_pattern(model, &why)),
    }
}

pub(super) fn bad_pattern(model: &Model, why: &str) -> String {
    model.words().say("message.bad_pattern", &[("why", &one_line(why.as_bytes(), 120))])
}

/// Whether this is what is searched.
fn is_running(model: &Model, typed: &str) -> bool {
    model.search.as_ref().is_some_and(|search| search.needle.text() == typed)
}

/// The search line was left: what was searched before is searched again.
pub(super) fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    let before = model.searched.take();
    match (&model.search, before) {
        (Some(search), Some(before)) if search.needle == before => {}
        (_, Some(before)) => start(model, before, None, effects),
        (_, None) => {
            stop(model, effects);
            model.search = None;
        }
    }
}

/// Starts a search for what was typed; an empty text repeats the last one.
pub(super) fn search(model: &mut Model, typed: &str, effects: &mut Vec<Effect>) {
    let before = model.searched.take();
    if typed.is_empty() {
        if let (None, Some(before)) = (&model.search, before) {
            start(model, before, Some(Way::Forward), effects);
            return;
        }
        return step(model, Way::Forward, 1);
    }
    if is_running(model, typed) {
        return step(model, Way::Forward, 1);
    }
    match Needle::parse(typed) {
        Ok(needle) if model.focus == Pane::Detail => {
            start(model, Arc::new(needle), None, effects);
            step(model, Way::Forward, 1);
        }
        Ok(needle) => start(model, Arc::new(needle), Some(Way::Forward), effects),
        Err(why) => model.notice = Some(Notice { text: bad_pattern(model, &why), role: Role::Bad }),
    }
}

/// Searches for the id at the cursor.
pub(super) fn search_id(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(id) = id_here(model) else { return model.say(Role::Normal, "message.nothing_to_copy", &[]) };
    remember(model.typed.entry(Asked::Search).or_default(), &id);
    search(model, &id, effects);
}

/// The id of the call, approval, sub-call or command at the cursor; as UTF-8, since it is searched as typed.
pub(super) fn id_here(model: &Model) -> Option<String> {
    let row = jump::here(model)?.row;
    let facts = &model.open.as_ref()?.session.facts;
    let at = |rows: &[Option<RowIx>]| rows.contains(&Some(row));
    let calls = facts.calls.iter().rev();
    let mut calls =
        calls.filter(|call| at(&[call.call_row, call.result_row, call.recovery().map(|recovery| recovery.row)]));
    let id = calls.next().map(|call| &call.call_id);
    let id = id.or_else(|| {
        let found = facts.approvals.iter().find(|approval| at(&[approval.asked_row, approval.decided_row]))?;
        Some(&found.id)
    });
    let id = id.or_else(|| Some(&facts.sub_calls.iter().find(|call| at(&[call.start_row, call.settle_row]))?.id));
    let id = id.or_else(|| Some(&facts.commands.iter().find(|command| at(&[command.run_row, command.done_row]))?.id));
    let id = id.or_else(|| Some(&facts.results_without_call.iter().find(|stray| stray.row == row)?.call_id));
    id.filter(|id| !id.is_empty()).map(WireText::to_report)
}

/// Has something searched as soon as the log is there.
pub(super) fn hold(model: &mut Model, needle: Arc<Needle>) {
    let ticket = model.ticket();
    model.search = Some(Search { needle, ticket, hits: Vec::new(), looked_at: 0, done: false, wanted: None });
}

pub(super) fn start(model: &mut Model, needle: Arc<Needle>, wanted: Option<Way>, effects: &mut Vec<Effect>) {
    let Some(from) = jump::here(model) else { return };
    let ticket = model.ticket();
    let filter = filter::filter(model).map(Arc::new);
    let (hits, looked_at, done) = (Vec::new(), 0, false);
    model.search = Some(Search { needle: Arc::clone(&needle), ticket, hits, looked_at, done, wanted });
    effects.push(Effect::Search { epoch: model.epoch, ticket, needle, from: from.row, filter });
}

/// The same search over another reading of the log.
pub(super) fn again(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(search) = model.search.take() {
        start(model, search.needle, search.wanted, effects);
    }
}

/// Stops a search that runs; `false`: none does.
pub(super) fn stop(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(search) = model.search.as_mut().filter(|search| !search.done) else { return false };
    search.done = true;
    search.wanted = None;
    effects.push(Effect::StopSearch);
    true
}

/// Hits came. `state`: lines looked at, and whether nothing more will come.
pub(super) fn found(
    model: &mut Model,
    ticket: Ticket,
    hits: Vec<EventRef>,
    state: (u64, bool),
    effects: &mut Vec<Effect>,
) {
    let rows = model.open.as_ref().map_or(0, |open| open.session.index.rows.len());
    let Some(search) = model.search.as_mut().filter(|search| search.ticket == ticket && !search.done) else { return };
    (search.looked_at, search.done) = state;
    search.hits.extend(hits.into_iter().filter(|hit| hit.row.as_usize() < rows));
    search.hits.sort_unstable();
    search.hits.dedup();
    if search.hits.len() > MOST_HITS {
        search.hits.truncate(MOST_HITS);
        search.done = true;
        effects.push(Effect::StopSearch);
    }
    let (wanted, done) = (search.wanted, search.done);
    if let Some(way) = wanted
        && (done || nearest(model, way).is_some())
    {
        if let Some(search) = &mut model.search {
            search.wanted = None;
        }
        step(model, way, 1);
    }
}

/// What the cursor row stands for: from its first to its last event.
fn span(model: &Model) -> Option<(EventRef, EventRef)> {
    let event = jump::here(model)?;
    Some(match model.timeline.current()? {
        Item::Run { first, last } => (jump::whole(first), EventRef { row: last, member: u32::MAX }),
        Item::Row(row) | Item::Inner(row) => (jump::whole(row), EventRef { row, member: u32::MAX }),
        Item::Member { .. } | Item::Rule { .. } | Item::Ghost(_) => (event, event),
    })
}

/// Place among the hits of the next one this way, without going round.
fn nearest(model: &Model, way: Way) -> Option<usize> {
    let hits = &model.search.as_ref()?.hits;
    let (from, to) = span(model)?;
    match way {
        Way::Forward => Some(hits.partition_point(|hit| *hit <= to)).filter(|at| *at < hits.len()),
        Way::Backward => hits.partition_point(|hit| *hit < from).checked_sub(1),
    }
}

/// Goes to the n-th match this way in the text of the detail; past the end it goes on at the other end.
fn step_in_detail(model: &mut Model, way: Way, n: u64) {
    let Some(needle) = model.search.as_ref().map(|search| Arc::clone(&search.needle)) else { return };
    // A match below a folded value is one all the same.
    model.detail.unfold_all();
    let rows = model.detail.matches(&needle);
    if rows.is_empty() {
        return model.say(Role::Normal, "message.no_match_in_tab", &[]);
    }
    let steps = usize::try_from(n.max(1) - 1).unwrap_or(usize::MAX) % rows.len();
    let here = model.detail.cursor;
    // A row may hold several: the one reached last is where it goes on.
    let last = model.detail.at_match.filter(|at| rows.get(*at) == Some(&here));
    let at = match (way, last) {
        (Way::Forward, Some(last)) => last + 1 + steps,
        (Way::Forward, None) => rows.partition_point(|row| *row < here) + steps,
        (Way::Backward, Some(last)) => last + rows.len() * 2 - 1 - steps,
        (Way::Backward, None) => rows.partition_point(|row| *row < here) + rows.len() * 2 - 1 - steps,
    };
    let at = at % rows.len();
    model.detail.go(rows[at]);
    model.detail.at_match = Some(at);
    model.say(Role::Normal, "message.match_in_tab", &[("n", &(at + 1).to_string()), ("all", &rows.len().to_string())]);
}

/// Goes to the n-th match this way; past the end it goes on at the other end, and says so.
pub(super) fn step(model: &mut Model, way: Way, n: u64) {
    if model.focus == Pane::Detail && model.page.is_none() && model.search.is_some() {
        return step_in_detail(model, way, n);
    }
    let Some(search) = &mut model.search else { return };
    if search.hits.is_empty() {
        if search.done {
            let text = one_line(search.needle.text().as_bytes(), 60);
            model.say(Role::Warn, "message.no_match", &[("text", &text)]);
        } else {
            search.wanted = Some(way);
        }
        return;
    }
    let (len, done) = (search.hits.len(), search.done);
    let steps = usize::try_from(n.max(1) - 1).unwrap_or(usize::MAX) % len;
    let (at, around) = match (nearest(model, way), way) {
        (Some(at), Way::Forward) => ((at + steps) % len, at + steps >= len),
        (Some(at), Way::Backward) => ((at + len - steps) % len, at < steps),
        (None, _) if !done => {
            if let Some(search) = &mut model.search {
                search.wanted = Some(way);
            }
            return;
        }
        (None, Way::Forward) => (steps, true),
        (None, Way::Backward) => (len - 1 - steps, true),
    };
    let hit = model.search.as_ref().and_then(|search| search.hits.get(at)).copied();
    if let Some(hit) = hit {
        jump::go(model, hit);
    }
    if around && model.notice.is_none() {
        let (n, all) = ((at + 1).to_string(), len.to_string());
        let key = if way == Way::Forward { "message.wrapped_end" } else { "message.wrapped_start" };
        model.say(Role::Normal, key, &[("n", &n), ("all", &all)]);
    }
}
