//! The exit status of `trajview report` (docs/REPORT.md).

use crate::triage::facts::{CallState, Facts, LoaderResult};

/// Read, and nothing is wrong.
pub const FINE: u8 = 0;
/// Could not be done.
pub const CANNOT: u8 = 1;
/// Wrong usage.
pub const USAGE: u8 = 2;
/// Read, and something is wrong in the log.
pub const WRONG: u8 = 3;

/// [`FINE`] or [`WRONG`]. Failed calls alone are daily life.
#[must_use]
pub fn status(facts: &Facts) -> u8 {
    let container = &facts.container;
    let is_open = |state: CallState| matches!(state, CallState::NotStarted | CallState::OutcomeUnknown);
    let is_wrong = container.file_bytes == 0
        || facts.header.is_none()
        || !facts.header_problems.is_empty()
        || container.is_damaged()
        || !container.bad_lines.is_empty()
        || container.torn_tail.is_some()
        || !facts.sequence.is_whole()
        || !matches!(facts.loader.result, None | Some(LoaderResult::Loads))
        || facts.calls.iter().any(|call| is_open(call.state))
        || facts.approvals.iter().any(|approval| approval.outcome.is_none())
        || facts.commands.iter().any(|command| command.done_row.is_none());
    if is_wrong { WRONG } else { FINE }
}
