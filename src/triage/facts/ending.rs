//! How the log ends: what the harness would do with it, and why it stops.

use crate::session::row::RowIx;
use crate::text::locale::Sentence;
use crate::text::wire::WireText;

/// What the harness would do with the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loader {
    /// `None` for an unknown version.
    pub result: Option<LoaderResult>,
    /// Why, empty when it loads.
    pub why: String,
    /// Events it would keep before closing records; 0 on refusal.
    pub kept_events: u64,
    /// Line and row of the record that makes it refuse or cut, where there is one.
    pub at: Option<RowIx>,
}

/// What the harness would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoaderResult {
    /// It loads whole.
    Loads,
    /// It loads and cuts the unfinished tail on the next write.
    LoadsTornTail,
    /// It loads and drops whole records at the end.
    LoadsWithoutTail,
    /// It refuses the whole log.
    Refuses,
}

/// A record that a resume would append; it is not in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ghost {
    /// Which record.
    pub kind: GhostKind,
    /// Seq it would get.
    pub seq: i64,
    /// Time it would get: that of the last kept event.
    pub time: Option<i64>,
}

/// Which closing record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GhostKind {
    /// A result for a call without one.
    Result {
        /// Call id.
        call_id: WireText,
        /// Tool name.
        name: WireText,
        /// True: `TOOL_OUTCOME_UNKNOWN`; false: `TOOL_NOT_STARTED`.
        started: bool,
    },
    /// `step/end`.
    StepEnd {
        /// Turn number.
        turn: i64,
        /// Step number.
        step: i64,
    },
    /// `turn/end` with the kind `interrupted`.
    TurnEnd {
        /// Turn number.
        turn: i64,
    },
}

/// Why the log ends where it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The cause.
    pub cause: StopCause,
    /// The tail is torn or damaged: the answer may be what was cut off.
    pub torn: bool,
    /// Seq of the record it rests on.
    pub seq: Option<i64>,
    /// Row of it.
    pub row: Option<RowIx>,
    /// Milliseconds from that record to the last event.
    pub since_ms: Option<i64>,
    /// One sentence.
    pub text: Sentence,
    /// Place in `calls`, `approvals`, `sub_calls` or `commands`, as the cause says.
    pub subject: Option<usize>,
}

/// The causes of docs/REPORT.md, key `stopped`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopCause {
    /// An approval was asked and never decided.
    OpenApproval,
    /// A call without a result.
    OpenCall,
    /// A sub-call that never settled.
    OpenSubCall,
    /// A command that never ended.
    OpenCommand,
    /// A retry was waiting.
    WaitingForRetry,
    /// A step is open without a message.
    NoAnswer,
    /// The turn is open and its last step waits for nothing.
    BetweenSteps,
    /// The turn ended.
    TurnEnded,
    /// There is no turn.
    NothingYet,
}
