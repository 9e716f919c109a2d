//! The ten-minute pass: what the six questions are answered with, the same for the page and the report.

use super::facts::{Basis, Call, CallState, Facts};

/// The call that recovery closed and that comes first: one whose outcome is unknown before one that never started, of
/// the last turn that recovery closed a call in; the last of its sort. Place in `Facts::calls`.
#[must_use]
pub fn worst_recovered(facts: &Facts) -> Option<usize> {
    let last = facts.last_recovered?;
    let turn = facts.calls.get(last)?.turn;
    let is_unknown =
        |call: &Call| call.basis == Basis::Recorded && call.turn == turn && call.state == CallState::OutcomeUnknown;
    facts.calls.iter().rposition(is_unknown).or(Some(last))
}

/// The other calls of the turn of this one that recovery closed, in the order of the log.
#[must_use]
pub fn recovered_beside<'a>(facts: &'a Facts, call: &Call) -> Vec<&'a Call> {
    let recovered = facts.calls.iter().filter(|other| other.basis == Basis::Recorded && other.turn == call.turn);
    recovered.filter(|other| !std::ptr::eq(*other, call)).collect()
}
