//! What an event is about: a call with one of its approvals, a sub-call, a command, a retry, a turn, a step.
//!
//! Conditions about calls hold of one of these together: a message may ask for two calls, a call may be asked about
//! twice. The tables are made once per reading of a log and query.

use crate::session::row::RowIx;
use crate::text::wire::WireText;
use crate::triage::facts::{Approval, Basis, Call, CallState, Facts, SubCallState};
use crate::triage::ledger::ran_unasked;

use super::ast::{Glob, State};

/// What is known of one thing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Subject<'a> {
    pub(super) tool: Option<&'a WireText>,
    pub(super) id: Option<&'a WireText>,
    pub(super) state: Option<State>,
    pub(super) code: Option<&'a WireText>,
    pub(super) asked: Asked<'a>,
    pub(super) waited_ms: Option<i64>,
    pub(super) took_ms: Option<i64>,
    pub(super) unpaired: bool,
    /// Which tool-call block of its message it is.
    pub(super) block: Option<u32>,
}

/// Whether somebody was asked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Asked<'a> {
    /// It is nothing that one asks about.
    #[default]
    Never,
    /// It ran a shell or wrote files, and nobody was asked.
    Not,
    /// Asked and never decided.
    Open,
    /// Decided.
    Decided(&'a WireText),
}

impl Asked<'_> {
    /// Whether it is what `approval:` says.
    pub(super) fn fits(self, glob: &Glob) -> bool {
        match self {
            Asked::Never => false,
            Asked::Not => glob.text() == "none",
            Asked::Open => glob.fits_any_case(b"open"),
            Asked::Decided(outcome) => glob.fits_any_case(outcome.as_bytes()),
        }
    }
}

/// All things of a log, and the rows that each belongs to.
#[derive(Debug, Default)]
pub(super) struct Subjects<'a> {
    pub(super) all: Vec<Subject<'a>>,
    /// Row and place in `all`, sorted.
    pub(super) rows: Vec<(RowIx, u32)>,
}

impl<'a> Subjects<'a> {
    pub(super) fn of(facts: &'a Facts) -> Subjects<'a> {
        let mut subjects = Subjects::default();
        for call in &facts.calls {
            subjects.call(call, facts);
        }
        for approval in facts.approvals.iter().filter(|approval| approval.call.is_none()) {
            let subject = Subject { tool: approval.tool.as_ref(), id: approval.call_id.as_ref(), ..Subject::default() };
            subjects.push(with_approval(subject, approval), [approval.asked_row, approval.decided_row]);
        }
        subjects.others(facts);
        subjects.rows.sort_unstable();
        subjects.rows.dedup();
        subjects
    }

    fn push(&mut self, subject: Subject<'a>, rows: impl IntoIterator<Item = Option<RowIx>>) {
        let at = self.all.len() as u32;
        self.all.push(subject);
        self.rows.extend(rows.into_iter().flatten().map(|row| (row, at)));
    }

    fn call(&mut self, call: &'a Call, facts: &'a Facts) {
        let subject = Subject {
            tool: Some(&call.name),
            id: Some(&call.call_id),
            state: Some(state(call.state)),
            code: call.error_code.as_ref(),
            asked: if ran_unasked(call) { Asked::Not } else { Asked::Never },
            waited_ms: None,
            took_ms: between(call.call_time.get(), call.result_time.get()),
            unpaired: call.basis == Basis::Inferred,
            block: Some(call.block),
        };
        let own = || {
            let rows = [call.message_row, call.call_row, call.result_row, call.recovery().map(|recovery| recovery.row)];
            rows.into_iter().chain(call.replaced_rows().iter().copied().map(Some))
        };
        let approvals = || call.approvals().iter().filter_map(|at| facts.approvals.get(*at));
        for approval in approvals() {
            let rows = own().chain([approval.asked_row, approval.decided_row]);
            self.push(with_approval(subject, approval), rows);
        }
        if approvals().next().is_none() {
            self.push(subject, own());
        }
    }

    fn others(&mut self, facts: &'a Facts) {
        for call in &facts.sub_calls {
            let state = match call.state {
                SubCallState::Completed => State::Completed,
                SubCallState::Failed => State::Failed,
                SubCallState::OutcomeUnknown => State::OutcomeUnknown,
            };
            let subject = Subject {
                tool: Some(&call.name),
                id: Some(&call.id),
                state: Some(state),
                took_ms: between(call.start_time, call.settle_time),
                unpaired: state == State::OutcomeUnknown,
                ..Subject::default()
            };
            self.push(subject, [call.start_row, call.settle_row]);
        }
        for command in &facts.commands {
            let unpaired = command.done_row.is_none() || command.run_row.is_none();
            self.push(Subject { unpaired, ..Subject::default() }, [command.run_row, command.done_row]);
        }
        for stray in &facts.results_without_call {
            let subject = Subject { id: Some(&stray.call_id), unpaired: true, ..Subject::default() };
            self.push(subject, [Some(stray.row)]);
        }
        for dropped in &facts.dropped_calls {
            let subject = Subject { tool: dropped.name.as_ref(), id: dropped.call_id.as_ref(), ..Subject::default() };
            self.push(subject, [Some(dropped.row)]);
        }
        for retry in &facts.retries {
            let unpaired = retry.started_row.is_none();
            let subject = Subject { code: retry.failure.code.as_ref(), unpaired, ..Subject::default() };
            self.push(subject, [Some(retry.row), retry.started_row]);
        }
        for turn in &facts.turns {
            let code = turn.failure.as_ref().and_then(|failure| failure.code.as_ref());
            let took_ms = between(turn.start_time, turn.end_time);
            self.push(Subject { code, took_ms, ..Subject::default() }, [Some(turn.start_row), turn.end_row]);
        }
        for step in &facts.steps {
            let took_ms = between(step.start_time.get(), step.end_time.get());
            self.push(Subject { took_ms, ..Subject::default() }, [Some(step.start_row), step.end_row]);
        }
    }
}

fn with_approval<'a>(subject: Subject<'a>, approval: &'a Approval) -> Subject<'a> {
    let asked = approval.outcome.as_ref().map_or(Asked::Open, Asked::Decided);
    let unpaired = subject.unpaired || (approval.decided_row.is_none() && approval.outcome.is_none());
    Subject { asked, waited_ms: approval.waited_ms, unpaired, ..subject }
}

fn state(state: CallState) -> State {
    match state {
        CallState::Completed => State::Completed,
        CallState::Failed => State::Failed,
        CallState::NotStarted => State::NotStarted,
        CallState::OutcomeUnknown => State::OutcomeUnknown,
    }
}

fn between(from: Option<i64>, to: Option<i64>) -> Option<i64> {
    from.zip(to).map(|(from, to)| to.saturating_sub(from))
}
