//! State glyphs as meanings: the screen gives each its sign and colour (docs/SCREENS.md sections 21 and 22).

use crate::text::role::Role;
use crate::triage::facts::{Approval, Call, CallState, Command, SubCall, SubCallState, Turn};

/// The state that stands before a row's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mark {
    /// Nothing: a blank.
    #[default]
    None,
    /// Completed, allowed, fine.
    Completed,
    /// Failed, rejected.
    Failed,
    /// Outcome unknown, never decided, never done.
    Unknown,
    /// Not started.
    NotStarted,
    /// Cancelled, aborted before dispatch.
    Cancelled,
    /// Rejected by policy: nobody was asked.
    ByPolicy,
    /// Look here.
    Look,
}

impl Mark {
    /// Its sign; `None`: a blank.
    #[must_use]
    pub fn glyph(self) -> Option<char> {
        match self {
            Mark::None => None,
            Mark::Completed => Some('✓'),
            Mark::Failed => Some('✗'),
            Mark::Unknown => Some('?'),
            Mark::NotStarted => Some('◦'),
            Mark::Cancelled => Some('-'),
            Mark::ByPolicy => Some('⊘'),
            Mark::Look => Some('!'),
        }
    }

    /// The role its glyph is drawn in.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Mark::None => Role::Normal,
            Mark::Completed => Role::Ok,
            Mark::Failed => Role::Bad,
            Mark::Unknown => Role::Unknown,
            Mark::NotStarted | Mark::ByPolicy | Mark::Look => Role::Warn,
            Mark::Cancelled => Role::Dim,
        }
    }
}

/// The code of a call that was cancelled before its tool ran.
pub(crate) const ABORTED_BEFORE_DISPATCH: &str = "ABORTED_BEFORE_DISPATCH";

/// The mark of a call.
#[must_use]
pub fn call_mark(call: &Call) -> Mark {
    let aborted = call.error_code.as_ref().is_some_and(|code| *code == ABORTED_BEFORE_DISPATCH);
    match call.state {
        CallState::Failed if aborted => Mark::Cancelled,
        state => state_mark(state),
    }
}

/// The mark of a state.
pub(super) fn state_mark(state: CallState) -> Mark {
    match state {
        CallState::Completed => Mark::Completed,
        CallState::Failed => Mark::Failed,
        CallState::NotStarted => Mark::NotStarted,
        CallState::OutcomeUnknown => Mark::Unknown,
    }
}

/// The mark of a sub-call.
#[must_use]
pub fn sub_call_mark(call: &SubCall) -> Mark {
    match call.state {
        SubCallState::Completed => Mark::Completed,
        SubCallState::Failed => Mark::Failed,
        SubCallState::OutcomeUnknown => Mark::Unknown,
    }
}

/// Whether a rejection came from the policy `never`: nobody was asked.
pub(crate) fn is_by_policy(approval: &Approval) -> bool {
    approval.policy.as_ref().is_some_and(|policy| *policy == "never")
        && approval.outcome.as_ref().is_some_and(|outcome| *outcome == "rejected")
}

/// The mark of an approval.
#[must_use]
pub fn approval_mark(approval: &Approval) -> Mark {
    match approval.outcome.as_ref().map(crate::text::wire::WireText::as_bytes) {
        None => Mark::Unknown,
        Some(b"allowed-once") => Mark::Completed,
        Some(b"rejected") if is_by_policy(approval) => Mark::ByPolicy,
        Some(b"rejected") => Mark::Failed,
        Some(b"cancelled") => Mark::Cancelled,
        Some(_) => Mark::Look,
    }
}

/// The mark of a slash command.
#[must_use]
pub fn command_mark(command: &Command) -> Mark {
    match command.kind.as_ref().map(crate::text::wire::WireText::as_bytes) {
        None if command.done_row.is_none() => Mark::Unknown,
        Some(b"success") => Mark::Completed,
        Some(b"error") => Mark::Failed,
        _ => Mark::None,
    }
}

/// The mark of a turn's end; an open turn has none.
#[must_use]
pub fn turn_mark(turn: &Turn) -> Mark {
    turn.end.as_ref().map_or(Mark::None, |end| end_mark(end.as_bytes()))
}

/// The mark of a turn's end by its kind.
pub(super) fn end_mark(kind: &[u8]) -> Mark {
    match kind {
        b"error" => Mark::Failed,
        b"aborted" | b"disposed" => Mark::Cancelled,
        b"interrupted" | b"max-tokens" | b"blocked" => Mark::Look,
        _ => Mark::None,
    }
}
