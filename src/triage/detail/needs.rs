//! Which lines a tab is made from, so that the caller can fetch them.

use super::subject::{Subject, TabId};
use crate::record::kinds::Kind;
use crate::session::row::RowIx;
use crate::triage::facts::Call;
use crate::triage::session::Session;
use crate::triage::what::Run;

/// Lines of a run that are fetched at most; a run of more is told from these and from the sums of its rows.
const MOST_OF_RUN: usize = 200;

/// Approvals of one call that are shown at most, and rewrites of one result.
const MOST_OF_CALL: usize = 20;

/// Rows looked back for the chunks before a message, and for the header before a header.
const LOOK_BACK: u32 = 200_000;

/// The rows whose text a tab needs, ascending, each once; some hundreds at most.
#[must_use]
pub fn needs(subject: Subject, tab: TabId, session: &Session) -> Vec<RowIx> {
    let mut rows = match subject {
        Subject::Call(at) => session.facts.calls.get(at).map_or_else(Vec::new, |call| of_call(call, tab, session)),
        Subject::SubCall(at) => {
            let call = session.facts.sub_calls.get(at);
            call.map_or_else(Vec::new, |call| [call.start_row, call.settle_row].into_iter().flatten().collect())
        }
        Subject::Message(row) => of_message(row, tab, session),
        Subject::Run(run) => of_run(run, session),
        Subject::Header(row) => of_header(row, tab, session),
        Subject::Event(event) => vec![event.row],
        Subject::Ghost(_) | Subject::Damage(_) | Subject::LogHeader => Vec::new(),
    };
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn of_call(call: &Call, tab: TabId, session: &Session) -> Vec<RowIx> {
    let mut rows: Vec<RowIx> = Vec::new();
    match tab {
        TabId::Arguments => {
            rows.extend([call.message_row, call.call_row].into_iter().flatten());
            // The pieces that it was streamed in, to compare them.
            let run = call.message_row.and_then(|row| run_before(row, session));
            rows.extend(run.into_iter().flat_map(|run| of_run(run, session)));
        }
        TabId::Result => {
            rows.extend([call.result_row, call.recovery().map(|recovery| recovery.row)].into_iter().flatten());
            rows.extend(call.replaced_rows().iter().take(MOST_OF_CALL));
        }
        TabId::Changes => {
            rows.extend([call.call_row.or(call.message_row), call.result_row].into_iter().flatten());
        }
        TabId::Approvals => {
            let asked = call.approvals().iter().take(MOST_OF_CALL).filter_map(|at| session.facts.approvals.get(*at));
            rows.extend(asked.flat_map(|approval| [approval.asked_row, approval.decided_row]).flatten());
            rows.extend([call.call_row.or(call.message_row), call.result_row].into_iter().flatten());
        }
        _ => rows.extend([call.call_row.or(call.message_row), call.result_row].into_iter().flatten()),
    }
    rows
}

fn of_message(row: RowIx, tab: TabId, session: &Session) -> Vec<RowIx> {
    let mut rows = vec![row];
    let of_pieces = matches!(tab, TabId::Stream | TabId::Usage);
    if (of_pieces || (tab == TabId::Text && is_attempt(row, session)))
        && let Some(run) = run_before(row, session)
    {
        rows.extend(of_run(run, session));
    }
    rows
}

/// Whether a row is an attempt that produced no message.
pub(super) fn is_attempt(row: RowIx, session: &Session) -> bool {
    session.index.rows.get(row).is_some_and(|row| row.kind == Kind::AssistantAttempt)
}

/// The chunk run that ends right before a row.
pub(super) fn run_before(row: RowIx, session: &Session) -> Option<Run> {
    let is_chunk = |at: &u32| session.index.rows.get(RowIx(*at)).is_some_and(crate::session::row::Row::is_chunk);
    let last = row.0.checked_sub(1).filter(is_chunk)?;
    let first = (last.saturating_sub(LOOK_BACK)..=last).rev().take_while(is_chunk).last()?;
    Some(Run { first: RowIx(first), last: RowIx(last) })
}

/// The first rows of a run, and its last ones, where usage and finish stand.
fn of_run(run: Run, session: &Session) -> Vec<RowIx> {
    let last = run.last.0.min((session.index.rows.len() as u32).saturating_sub(1));
    let count = last.saturating_sub(run.first.0).saturating_add(1) as usize;
    let tail = MOST_OF_RUN / 10;
    let head = count.min(MOST_OF_RUN - tail) as u32;
    let from_tail = last.saturating_sub(tail as u32 - 1).max(run.first.0.saturating_add(head));
    (run.first.0..run.first.0.saturating_add(head)).chain(from_tail..=last).map(RowIx).collect()
}

fn of_header(row: RowIx, tab: TabId, session: &Session) -> Vec<RowIx> {
    let before = match tab {
        TabId::Prompt => last_before(row, Kind::SystemMessage, session),
        TabId::Change => last_before(row, Kind::RequestHeader, session),
        _ => None,
    };
    before.into_iter().chain([row]).collect()
}

/// The nearest row of a type before a row.
pub(super) fn last_before(row: RowIx, kind: Kind, session: &Session) -> Option<RowIx> {
    let lowest = row.0.saturating_sub(LOOK_BACK);
    let is_kind = |at: &RowIx| session.index.rows.get(*at).is_some_and(|row| row.kind == kind);
    (lowest..row.0).rev().map(RowIx).find(is_kind)
}
