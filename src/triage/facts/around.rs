//! What stands around calls: commands, approvals, retries, tokens, the state in force.

use crate::record::event::{Failure, PairKind, Usage};
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// A slash command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its id.
    pub id: WireText,
    /// Its name.
    pub name: Option<WireText>,
    /// Seq of `command/run`.
    pub run_seq: Option<i64>,
    /// Row of it.
    pub run_row: Option<RowIx>,
    /// Seq of `command/done`.
    pub done_seq: Option<i64>,
    /// Row of it.
    pub done_row: Option<RowIx>,
    /// `success` or `error`.
    pub kind: Option<WireText>,
}

/// A question for a decision and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Its id.
    pub id: WireText,
    /// Tool asked about.
    pub tool: Option<WireText>,
    /// Call or sub-call id as recorded.
    pub call_id: Option<WireText>,
    /// Why it was asked, at most 2,000 bytes of it.
    pub reason: Option<WireText>,
    /// Place in `calls` of the call it belongs to.
    pub call: Option<usize>,
    /// The call was found by position, since the question names none.
    pub by_position: bool,
    /// Seq of the question.
    pub asked_seq: Option<i64>,
    /// Row of it.
    pub asked_row: Option<RowIx>,
    /// Seq of the decision.
    pub decided_seq: Option<i64>,
    /// Row of it.
    pub decided_row: Option<RowIx>,
    /// Outcome; `None`: never decided.
    pub outcome: Option<WireText>,
    /// Milliseconds from question to decision; negative when the clock stepped back.
    pub waited_ms: Option<i64>,
    /// Policy in force at the question.
    pub policy: Option<WireText>,
    /// Sandbox mode in force at the question.
    pub sandbox: Option<WireText>,
}

/// A retry of a model request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    /// Chain id.
    pub id: WireText,
    /// Number of the retry, from 1.
    pub retry: Option<i64>,
    /// Highest number, where recorded.
    pub max: Option<i64>,
    /// Turn number.
    pub turn: Option<i64>,
    /// Step number.
    pub step: Option<i64>,
    /// Seq of `llm/retry`.
    pub seq: Option<i64>,
    /// Row of it.
    pub row: RowIx,
    /// What failed.
    pub failure: Box<Failure>,
    /// Wait asked for, milliseconds.
    pub delay_ms: Option<i64>,
    /// Milliseconds from `llm/retry` to `llm/retry-started`; negative when the clock stepped back.
    pub kept_ms: Option<i64>,
    /// Seq of `llm/retry-started`.
    pub started_seq: Option<i64>,
    /// Row of it.
    pub started_row: Option<RowIx>,
}

/// Token counts of a log; an attempt counts once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsageFacts {
    /// Attempts that reported usage.
    pub requests_in_file: u64,
    /// The same without what a fork inherited.
    pub requests_own: u64,
    /// Sums over the file.
    pub in_file: Usage,
    /// Sums without what a fork inherited.
    pub own: Usage,
}

/// What a record switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Switched {
    /// Sandbox mode.
    Sandbox,
    /// Approval policy.
    Policy,
    /// Permission preset.
    Preset,
    /// Plan mode.
    Plan,
    /// Agent preset.
    AgentPreset,
    /// Model of the request header.
    Model,
    /// Context window.
    Window,
    /// Declared tools: the value is their number.
    Tools,
    /// The list of things to do: the value is how many are done and how many there are, as `1/3`.
    Todo,
    /// Title.
    Title,
}

/// A change of the state in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// What changed.
    pub what: Switched,
    /// To which value.
    pub value: WireText,
    /// Seq of the record.
    pub seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
}

/// The opening record of a pair that nothing closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPair {
    /// Which pair.
    pub kind: PairKind,
    /// Its key, parts joined by a NUL.
    pub key: WireText,
    /// Seq of the record.
    pub seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
}

/// A `session/end-seed`: somebody took the log up again, or a fork ends its copied part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumed {
    /// Seq of the record.
    pub seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
}
