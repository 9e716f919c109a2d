//! How each session stands, and what comes first of all that is to be said about a lineage.

use std::sync::Arc;

use super::{Kinship, Member, MemberIx};
use crate::triage::facts::{Basis, Call, CallState, Facts, LoaderResult, StopCause};
use crate::triage::session::Session;

/// How a session stands by itself, the worst first. What a fork inherited does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// An approval was asked and never decided.
    OpenApproval,
    /// A call, sub-call or command is open.
    Open,
    /// It waits for a retry, for an answer of the model, or for its next step.
    Waits,
    /// The harness refuses it.
    Refused,
    /// Recovery closed a call.
    Recovered,
    /// Its last turn ended with an error.
    TurnError,
    /// Calls failed.
    CallsFailed,
    /// None of these.
    Fine,
}

impl Standing {
    /// Judges a log.
    #[must_use]
    pub fn of(facts: &Facts) -> Standing {
        let own = |call: &Call| !call.inherited;
        let is_open = facts.unpaired.iter().any(|at| facts.calls.get(*at).is_some_and(own));
        let last = facts.turns.iter().max_by_key(|turn| turn.start_row);
        let last = last.filter(|turn| facts.inherited.cut_row.is_none_or(|cut| turn.start_row >= cut));
        match facts.stopped.cause {
            StopCause::OpenApproval => return Standing::OpenApproval,
            StopCause::OpenCall | StopCause::OpenSubCall | StopCause::OpenCommand => return Standing::Open,
            _ if is_open => return Standing::Open,
            StopCause::WaitingForRetry | StopCause::NoAnswer | StopCause::BetweenSteps => return Standing::Waits,
            StopCause::TurnEnded | StopCause::NothingYet => {}
        }
        if facts.loader.result == Some(LoaderResult::Refuses) {
            return Standing::Refused;
        }
        if facts.calls.iter().any(|call| own(call) && call.basis == Basis::Recorded) {
            return Standing::Recovered;
        }
        if last.is_some_and(|turn| turn.end.as_ref().is_some_and(|end| *end == "error")) {
            return Standing::TurnError;
        }
        if facts.calls.iter().any(|call| own(call) && call.state == CallState::Failed) {
            return Standing::CallsFailed;
        }
        Standing::Fine
    }

    /// Something is not over.
    #[must_use]
    pub fn is_open(self) -> bool {
        self <= Standing::Waits
    }
}

/// A call without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenCall {
    /// The session it is in.
    pub member: MemberIx,
    /// Place in its `Facts::calls`.
    pub call: usize,
}

/// What is to be said first about a lineage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum News {
    /// Of the session that was opened: its own verdict says it.
    #[default]
    Own,
    /// Something is open in this session below it: the parents wait for it.
    OpenBelow(MemberIx),
    /// This session below it failed, and nothing is open.
    FailedBelow(MemberIx),
}

/// Which of several open calls is the news of a lineage: the one furthest down, of several the one called last, of
/// those that of the session that stands last. Each comes with its generation and the time of its `tool/call`.
pub(in crate::store) fn furthest_down<T>(open: impl Iterator<Item = (usize, Option<i64>, T)>) -> Option<T> {
    open.enumerate().max_by_key(|(nth, (level, time, _))| (*level, *time, *nth)).map(|(_, (.., found))| found)
}

/// The call without a result that a log has to tell of: the last unpaired one, where a fork did not copy it, else the
/// last one of its own. Its place in [`Facts::calls`].
pub(in crate::store) fn own_open(facts: &Facts) -> Option<usize> {
    let own = |at: &usize| facts.calls.get(*at).is_some_and(|call| !call.inherited);
    facts.last_unpaired.filter(own).or_else(|| facts.unpaired.iter().rev().copied().find(own))
}

/// The open call furthest down.
pub(super) fn deepest_open(sessions: &[Arc<Session>], members: &[Member]) -> Option<OpenCall> {
    let open = (0..).map(MemberIx).zip(sessions).zip(members).filter_map(|((at, session), member)| {
        let call = own_open(&session.facts)?;
        let time = session.facts.calls.get(call).and_then(|call| call.call_time.get());
        Some((member.level as usize, time, OpenCall { member: at, call }))
    });
    furthest_down(open)
}

/// What comes first: something open, furthest down; then what failed; then what the opened session says.
pub(super) fn news(members: &[Member], deepest: Option<OpenCall>) -> News {
    let Some(home) = members.first() else { return News::Own };
    // Sessions that stand beside the opened one, or above it, are not its news.
    let below = |member: &&(usize, &Member)| member.1.level > home.level && member.1.kinship != Kinship::Fork;
    let all: Vec<(usize, &Member)> = members.iter().enumerate().skip(1).collect();
    let deepest_of = |wanted: &dyn Fn(Standing) -> bool| {
        let fitting = all.iter().filter(below).filter(|(_, member)| wanted(member.standing));
        fitting.max_by_key(|(at, member)| (member.level, std::cmp::Reverse(member.standing), *at)).map(|(at, _)| *at)
    };
    if let Some(open) = deepest.filter(|open| members[open.member.as_usize()].level > home.level) {
        let member = &members[open.member.as_usize()];
        if member.kinship != Kinship::Fork {
            return News::OpenBelow(open.member);
        }
    }
    if let Some(at) = deepest_of(&|standing| standing.is_open()) {
        return News::OpenBelow(MemberIx(at as u32));
    }
    if home.standing <= Standing::Recovered {
        return News::Own;
    }
    let failed = |standing| matches!(standing, Standing::Refused | Standing::Recovered | Standing::TurnError);
    match deepest_of(&failed) {
        Some(at) => News::FailedBelow(MemberIx(at as u32)),
        None => News::Own,
    }
}
