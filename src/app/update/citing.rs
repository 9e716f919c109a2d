//! What an event cites (`gd`), what cites it (`gr`): seqs that its line names, pairs, rewrites. One place is gone to,
//! several are listed.

use super::jump;
use crate::app::effect::{Asker, Effect};
use crate::app::message::Ticket;
use crate::app::model::Model;
use crate::app::overlay::{ListState, Overlay, PlaceLine, Places};
use crate::query::joined::run_around;
use crate::session::row::{EventRef, Row, RowIx, Seq};
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::triage::detail::{RawLine, cited, citing};
use crate::triage::peek::Peek;

/// Bytes of a line that are read: what it cites may stand at its end.
const MOST_BYTES: u64 = 16 << 20;

/// Places listed at most.
const MOST_PLACES: usize = 500;

/// Asks for the line at the cursor, which says what it cites.
pub(super) fn cites(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(event) = jump::here(model) else { return };
    let (epoch, ticket, rows) = (model.epoch, model.ticket(), vec![event.row]);
    model.citing = Some((ticket, event.row));
    effects.push(Effect::Fetch { epoch, ticket, to: Asker::Citation, rows, limit_bytes: MOST_BYTES });
}

/// Lines came. `false`: they were asked for by another.
pub(super) fn fetched(model: &mut Model, ticket: Ticket, lines: &[RawLine]) -> bool {
    let Some((_, row)) = model.citing.take_if(|(own, _)| *own == ticket) else { return false };
    let Some(open) = &model.open else { return true };
    let line = lines.iter().find(|line| line.row == row).and_then(|line| Peek::line(&line.bytes));
    let seqs = line.map(cited).unwrap_or_default();
    let mut places: Vec<EventRef> = Vec::new();
    let mut is_dangling = false;
    for (_, (first, last)) in seqs {
        for seq in [Some(first), last].into_iter().flatten() {
            match open.session.index.resolve(Seq(seq), row) {
                Some(event) => places.push(event),
                None => is_dangling = true,
            }
        }
    }
    // A record that names no seq belongs to what it answers.
    let before = |row: RowIx, other: RowIx| (other < row).then_some(EventRef { row: other, member: 0 });
    if places.is_empty() {
        places.extend(open.stops.other_half(row).and_then(|other| before(row, other)));
    }
    if places.is_empty() {
        places.extend(asked_about(model, row).and_then(|other| before(row, other)));
    }
    let nothing = if is_dangling { "message.cites_what_is_not_there" } else { "message.cites_nothing" };
    arrive(model, row, places, ("places.cited", nothing));
    true
}

/// The call that a question is about, or the message that asks for a call.
fn asked_about(model: &Model, row: RowIx) -> Option<RowIx> {
    let facts = &model.open.as_ref()?.session.facts;
    let question = facts.approvals.iter().find(|approval| approval.asked_row == Some(row));
    let call = question.and_then(|question| facts.calls.get(question.call?)).and_then(|call| call.call_row);
    call.or_else(|| facts.calls.iter().find(|call| call.call_row == Some(row))?.message_row)
}

/// Goes to what cites the event at the cursor, as far as the facts know: results, rewrites, answers, questions.
pub(super) fn cited_by(model: &mut Model) {
    let (Some(event), Some(open)) = (jump::here(model), &model.open) else { return };
    let facts = &open.session.facts;
    let mut rows = citing(facts, event.row);
    rows.extend(open.stops.other_half(event.row).filter(|other| *other > event.row));
    for call in facts.calls.iter().filter(|call| call.call_row == Some(event.row)) {
        let questions = call.approvals().iter().filter_map(|at| facts.approvals.get(*at));
        rows.extend(questions.filter_map(|question| question.asked_row));
    }
    let calls = facts.calls.iter().filter(|call| call.message_row == Some(event.row));
    rows.extend(calls.filter_map(|call| call.call_row));
    let places = rows.into_iter().map(jump::whole).collect();
    arrive(model, event.row, places, ("places.citing", "message.cited_by_nothing"));
}

/// Goes to the one place, lists several, says that there is none.
fn arrive(model: &mut Model, from: RowIx, mut places: Vec<EventRef>, (title, nothing): (&'static str, &str)) {
    places.retain(|place| place.row != from);
    places.sort_unstable();
    places.dedup();
    one_a_run(model, &mut places);
    places.truncate(MOST_PLACES);
    match places.as_slice() {
        [] => model.say(Role::Normal, nothing, &[]),
        [only] => jump::go(model, *only),
        several => {
            let lines = several.iter().filter_map(|place| line(model, *place)).collect();
            let seq = model.open.as_ref().and_then(|open| open.session.index.rows.get(from)?.seq());
            let seq = seq.map_or_else(|| "-".to_owned(), |seq| seq.0.to_string());
            let title = model.words().say(title, &[("seq", &seq)]);
            model.overlay = Some(Overlay::Places(Places { title, lines, list: ListState::default() }));
        }
    }
}

/// What streamed in one run is one place: its first delta.
fn one_a_run(model: &Model, places: &mut Vec<EventRef>) {
    let Some(open) = &model.open else { return };
    let index = &open.session.index;
    let mut run = 0..0;
    places.retain(|place| {
        let is_first = !run.contains(&place.row.0);
        if is_first {
            run = run_around(index, place.row);
        }
        is_first
    });
}

fn line(model: &Model, event: EventRef) -> Option<PlaceLine> {
    let session = &model.open.as_ref()?.session;
    let row = session.index.rows.get(event.row)?;
    let first = row.seq().map(|seq| seq.0.saturating_add(i64::from(event.member)));
    let name = display(session.index.types.name(row.type_id).as_bytes());
    let what = model.summaries.get(&crate::app::message::SummaryKey::Row(event.row));
    let time = row_time(row, model);
    Some(PlaceLine {
        event,
        seq: first.map_or_else(|| "-".to_owned(), |seq| seq.to_string()),
        time,
        name,
        what: what.map(|what| what.plain()).unwrap_or_default(),
    })
}

fn row_time(row: &Row, model: &Model) -> String {
    row.time().map_or_else(String::new, |time| model.settings.zone.clock(time.0))
}

/// Goes to the place that is chosen in the list.
pub(super) fn go_to_chosen(model: &mut Model) {
    let Some(Overlay::Places(places)) = model.overlay.take() else { return };
    if let Some(line) = places.lines.get(places.list.cursor) {
        jump::go(model, line.event);
    }
}
