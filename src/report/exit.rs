//! The exit status of `trajview report` (docs/REPORT.md).

use crate::store::{Brief, NoHeader, Problem, Survey};
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

/// As [`status`], for a store: the worst of its sessions, of which `worst` is that of the logs by themselves, and of
/// what the harness would refuse for where they lie.
#[must_use]
pub fn store_status(survey: &Survey, worst: u8) -> u8 {
    let is_refused = |at| !matches!(survey.loader(at).result, None | Some(LoaderResult::Loads));
    let is_unread = |brief: &Option<Brief>| {
        brief.as_ref().is_none_or(|brief| brief.flaw.is_some() || matches!(brief.head, Err(NoHeader::Unreadable(_))))
    };
    let is_hidden = |problem: &Problem| match problem {
        Problem::Unlisted { .. } | Problem::NotLookedAt { .. } | Problem::BadEntry { .. } => true,
        Problem::SeenAlready { .. } | Problem::Broken { .. } | Problem::NoLog { .. } => false,
    };
    let is_wrong = survey.store.places().any(is_refused)
        || survey.briefs.iter().any(is_unread)
        || survey.store.problems.iter().any(is_hidden);
    if is_wrong { WRONG } else { worst }
}
