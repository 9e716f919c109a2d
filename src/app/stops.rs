//! Where jumps stop (`]u ]e ]a ]r ]t ]c ]b ]s`), and the other halves of pairs (`o`); worked out once per reading.

use std::collections::BTreeSet;

use super::action::Stop;
use super::rules::Rule;
use crate::session::row::{Flags, RowIx};
use crate::triage::facts::{CallState, Facts};
use crate::triage::ladder::ladder;
use crate::triage::session::Session;

/// Places that jumps stop at, sorted, by kind.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    unpaired: Vec<RowIx>,
    errors: Vec<RowIx>,
    approvals: Vec<RowIx>,
    retries: Vec<RowIx>,
    turns: Vec<RowIx>,
    calls: Vec<RowIx>,
    breaks: Vec<RowIx>,
    stalls: Vec<RowIx>,
    /// Row and its other half, sorted by row.
    halves: Vec<(RowIx, RowIx)>,
}

impl Stops {
    pub(crate) fn of(session: &Session, rules: &[Rule]) -> Stops {
        let facts = &session.facts;
        let flagged = session.index.rows.iter().enumerate().filter(|(_, row)| row.flags.has(Flags::ERROR));
        let mut errors: Vec<RowIx> = flagged.map(|(at, _)| RowIx(at as u32)).collect();
        let failed = facts.calls.iter().filter(|call| call.state == CallState::Failed);
        errors.extend(failed.filter_map(|call| call.result_row));
        Stops {
            unpaired: sorted(unpaired(session)),
            errors: sorted(errors),
            approvals: sorted(
                facts.approvals.iter().filter_map(|approval| approval.asked_row.or(approval.decided_row)),
            ),
            retries: sorted(facts.retries.iter().map(|retry| retry.row)),
            turns: sorted(facts.turns.iter().map(|turn| turn.start_row)),
            calls: sorted(facts.calls.iter().filter_map(|call| call.call_row.or(call.message_row))),
            breaks: sorted(rules.iter().filter(|rule| rule.is_damage).map(|rule| rule.at)),
            stalls: sorted(facts.stalls.iter().map(|stall| stall.row)),
            halves: halves(facts),
        }
    }

    /// The places of a kind, sorted.
    pub(crate) fn places(&self, stop: Stop) -> &[RowIx] {
        match stop {
            Stop::Unpaired => &self.unpaired,
            Stop::Error => &self.errors,
            Stop::Approval => &self.approvals,
            Stop::Retry => &self.retries,
            Stop::Turn => &self.turns,
            Stop::Call => &self.calls,
            Stop::Break => &self.breaks,
            Stop::Stall => &self.stalls,
        }
    }

    /// The other half of the pair a row belongs to; the first in file order where there are several.
    pub(crate) fn other_half(&self, row: RowIx) -> Option<RowIx> {
        let at = self.halves.partition_point(|(from, _)| *from < row);
        self.halves.get(at).filter(|(from, _)| *from == row).map(|(_, to)| *to)
    }
}

fn sorted(rows: impl IntoIterator<Item = RowIx>) -> Vec<RowIx> {
    let set: BTreeSet<RowIx> = rows.into_iter().collect();
    set.into_iter().collect()
}

/// Everything that the ladder tells of, and results without a call. Nothing where the format is not known.
fn unpaired(session: &Session) -> impl Iterator<Item = RowIx> + '_ {
    let strays = session.facts.results_without_call.iter().map(|stray| stray.row);
    let rungs = if session.facts.format.known { ladder(session) } else { Vec::new() };
    rungs.into_iter().map(|rung| rung.row).chain(strays)
}

fn halves(facts: &Facts) -> Vec<(RowIx, RowIx)> {
    let calls = facts.calls.iter().map(|call| (call.call_row.or(call.message_row), call.result_row));
    let approvals = facts.approvals.iter().map(|approval| (approval.asked_row, approval.decided_row));
    let commands = facts.commands.iter().map(|command| (command.run_row, command.done_row));
    let sub_calls = facts.sub_calls.iter().map(|call| (call.start_row, call.settle_row));
    let retries = facts.retries.iter().map(|retry| (Some(retry.row), retry.started_row));
    let steps = facts.steps.iter().map(|step| (Some(step.start_row), step.end_row));
    let turns = facts.turns.iter().map(|turn| (Some(turn.start_row), turn.end_row));
    let pairs = calls.chain(approvals).chain(commands).chain(sub_calls).chain(retries).chain(steps).chain(turns);
    let mut out: Vec<(RowIx, RowIx)> = Vec::new();
    for (one, other) in pairs.filter_map(|(one, other)| Some((one?, other?))) {
        if one != other {
            out.extend([(one, other), (other, one)]);
        }
    }
    // Stable: where a row belongs to two pairs, the kind that stands first above wins.
    out.sort_by_key(|(from, _)| *from);
    out
}
