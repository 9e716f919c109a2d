//! All that is known about one log: what the screen shows and the report prints, in one place, so that the two
//! cannot differ. The names and meanings are those of docs/REPORT.md; positions in the index stand beside the seqs.

use crate::record::event::{Failure, Usage};
use crate::record::header::Header;
pub use crate::session::container::{BadLineAt, Container, FrameDamage, TornTail};
use crate::session::row::{RowIx, Seq};
use crate::text::wire::WireText;

/// Everything known about one log.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Bytes, frames, lines, damage.
    pub container: Container,
    /// Which version the log is read as.
    pub format: Format,
    /// The header, if there is one.
    pub header: Option<Header>,
    /// What is wrong with the header, one text a problem.
    pub header_problems: Vec<String>,
    /// Events by type, members of packed rows as `assistant/chunk`; most frequent first, then by name.
    pub event_types: Vec<(WireText, u64)>,
    /// The sequence.
    pub sequence: Sequence,
    /// Events of types outside the catalogue.
    pub unknown_types: Vec<UnknownType>,
    /// Turns in the order of their first record.
    pub turns: Vec<Turn>,
    /// Steps in the order of their first record.
    pub steps: Vec<Step>,
    /// Requested calls in the order of the messages.
    pub calls: Vec<Call>,
    /// Places in `calls`: those in state not started or outcome unknown that no result settles.
    pub unpaired: Vec<usize>,
    /// Place in `calls` of the last call without a result.
    pub last_unpaired: Option<usize>,
    /// Place in `calls` of the last call that a recovery record closed.
    pub last_recovered: Option<usize>,
    /// Place in `calls` of the last call whose real result carries the error flag.
    pub last_failed: Option<usize>,
    /// Results without a call, or second ones.
    pub results_without_call: Vec<StrayResult>,
    /// Calls made from inside a program.
    pub sub_calls: Vec<SubCall>,
    /// Slash commands.
    pub commands: Vec<Command>,
    /// Approvals in the order of the first record of each.
    pub approvals: Vec<Approval>,
    /// Retries of model requests.
    pub retries: Vec<Retry>,
    /// Other pairs that were opened and not closed: kind and count, kinds in a fixed order.
    pub open_pairs: Vec<(&'static str, u64)>,
    /// Token counts.
    pub usage: UsageFacts,
    /// Changes of the state in force (policy, sandbox, preset, plan, model, tools, title), in file order.
    pub switches: Vec<Switch>,
    /// What the harness would do with this file alone.
    pub loader: Loader,
    /// The records a resume would append, in order; empty on refusal.
    pub resume: Vec<Ghost>,
    /// Why the log ends where it ends.
    pub stopped: Stopped,
    /// Number of leading events that a fork copied from its parent, and where own events begin.
    pub inherited: Inherited,
    /// Messages that could not be built into a call, streamed calls that no message holds.
    pub dropped_calls: Vec<DroppedCall>,
    /// Title in force at the end.
    pub title: Option<WireText>,
    /// Time of the first and of the last event.
    pub first_time: Option<i64>,
    /// Time of the last event.
    pub last_time: Option<i64>,
}

/// Which version the log is read as, and how that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The version.
    pub version: i64,
    /// Where it came from.
    pub source: FormatSource,
    /// Whether this program knows the version.
    pub known: bool,
    /// The version in the file name, where the name has the canonical form.
    pub file_name_version: Option<i64>,
}

/// Where the version came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatSource {
    /// `header.version`.
    Header,
    /// The file name.
    FileName,
    /// Guessed from what the lines hold.
    Guessed,
}

/// Whether the seqs are dense.
#[derive(Debug, Clone, Default)]
pub struct Sequence {
    /// Seq of the first event.
    pub first: Option<i64>,
    /// Seq of the last event in the file.
    pub last: Option<i64>,
    /// Places where the next number is not the one expected.
    pub breaks: Vec<Break>,
    /// Numbers that occur more than once, ascending.
    pub repeated: Vec<i64>,
}

impl Sequence {
    /// Whether every number was the one expected.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.breaks.is_empty()
    }
}

/// A place where the next number is not the one expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// Line, counted from 1 with the header.
    pub line: u64,
    /// The row that has the unexpected number.
    pub row: RowIx,
    /// Number expected.
    pub expected: i64,
    /// Number found.
    pub got: i64,
    /// Why, as far as the log shows.
    pub cause: BreakCause,
}

/// Why the sequence breaks (docs/REPORT.md, key `seq`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakCause {
    /// The numbers found again were taken by closing records of a recovery.
    LateResultAfterRecovery,
    /// Any other number that comes again.
    TwoWriters,
    /// A forward gap in a zstd log.
    LostFrames,
    /// A forward gap in a plain log.
    LostLines,
    /// The gap is exactly what bad lines would have filled.
    UnreadableLines,
    /// None of these.
    Unknown,
}

/// An event of a type outside the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownType {
    /// The type; `None` where the line names none.
    pub name: Option<WireText>,
    /// Its seq.
    pub seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
    /// Whether a reader may skip it.
    pub ignorable: bool,
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its number.
    pub turn: i64,
    /// Kind of the recorded end reason, a later end of the same turn wins; `None` while open.
    pub end: Option<WireText>,
    /// Who aborted it.
    pub aborted_by: Option<WireText>,
    /// The failure of an `error` end.
    pub failure: Option<Box<Failure>>,
    /// First row that belongs to it, and its seq.
    pub start_row: RowIx,
    /// Seq of its `turn/start`.
    pub start_seq: Option<i64>,
    /// Row of its `turn/end`.
    pub end_row: Option<RowIx>,
    /// Seq of its `turn/end`.
    pub end_seq: Option<i64>,
    /// Time of its first and last record.
    pub start_time: Option<i64>,
    /// Time of its `turn/end`.
    pub end_time: Option<i64>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Turn number.
    pub turn: i64,
    /// Step number.
    pub step: i64,
    /// First row that belongs to it.
    pub start_row: RowIx,
    /// Seq of its `step/start`.
    pub start_seq: Option<i64>,
    /// Row of its `step/end`.
    pub end_row: Option<RowIx>,
    /// Seq of its `step/end`.
    pub end_seq: Option<i64>,
    /// Time of its `step/start`.
    pub start_time: Option<i64>,
    /// Time of its `step/end`.
    pub end_time: Option<i64>,
    /// It has an `assistant/message`.
    pub has_message: bool,
}

/// State of a requested call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallState {
    /// A result without the error flag.
    Completed,
    /// A result with the error flag.
    Failed,
    /// Asked for by a message, no `tool/call`, no result: `TOOL_NOT_STARTED`.
    NotStarted,
    /// `tool/call` without a result: `TOOL_OUTCOME_UNKNOWN`.
    OutcomeUnknown,
}

/// What a call's state rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// A real result.
    Result,
    /// A result that the harness wrote when it recovered the log.
    Recorded,
    /// Worked out from what is missing.
    Inferred,
    /// A real result that came after a recovery record.
    ResultAfterRecovery,
}

/// Where a tool's name came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolOrigin {
    /// A tool of the shipped harness.
    Stock,
    /// Declared in the request header, but not stock.
    Added,
    /// Not in the header in force.
    Undeclared,
}

/// A requested call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Call id, may be empty.
    pub call_id: WireText,
    /// Tool name, may be empty.
    pub name: WireText,
    /// Turn number.
    pub turn: Option<i64>,
    /// Step number.
    pub step: Option<i64>,
    /// Seq of the message that asked for it.
    pub message_seq: Option<i64>,
    /// Row of that message.
    pub message_row: Option<RowIx>,
    /// Which tool-call block of the message it is, from 0.
    pub block: u32,
    /// Seq of its `tool/call`.
    pub call_seq: Option<i64>,
    /// Row of it.
    pub call_row: Option<RowIx>,
    /// Time of the `tool/call`.
    pub call_time: Option<i64>,
    /// Seq of the result that decides.
    pub result_seq: Option<i64>,
    /// Row of it.
    pub result_row: Option<RowIx>,
    /// Time of it.
    pub result_time: Option<i64>,
    /// State.
    pub state: CallState,
    /// What it rests on.
    pub basis: Basis,
    /// `error.code` of the result.
    pub error_code: Option<WireText>,
    /// Seq of the recovery record, where a real result came after it.
    pub recovery_result_seq: Option<i64>,
    /// Row of it.
    pub recovery_row: Option<RowIx>,
    /// State that the recovery record claimed.
    pub recovery_state: Option<CallState>,
    /// Message block and `tool/call` hold different arguments or names.
    pub arguments_differ: bool,
    /// The streamed pieces hold other arguments than the message.
    pub stream_differs: Option<bool>,
    /// Bytes of the argument text.
    pub argument_bytes: u64,
    /// Where the tool's name came from; `None` where no header was recorded before it.
    pub tool_origin: Option<ToolOrigin>,
    /// Seq of the `request/header` that first declared the name.
    pub declared_seq: Option<i64>,
    /// A later step or turn end, or turn start, closed over it without a result.
    pub orphaned: bool,
    /// Rows of results that rewrote what the model sees (`replace`).
    pub replaced_rows: Vec<RowIx>,
    /// Places in `Facts::approvals` of the questions asked for it.
    pub approvals: Vec<usize>,
    /// Within what a fork copied.
    pub inherited: bool,
}

/// A result without a call, or a second one for a settled call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrayResult {
    /// Its call id.
    pub call_id: WireText,
    /// Its seq.
    pub result_seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
    /// Place in `calls` of the call it is a second result for.
    pub second_for: Option<usize>,
}

/// State of a sub-call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubCallState {
    /// Settled without the error flag.
    Completed,
    /// Settled with the error flag.
    Failed,
    /// Started, never settled.
    OutcomeUnknown,
}

/// A call made from inside a `run_code` program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubCall {
    /// Its id.
    pub id: WireText,
    /// The call or sub-call above.
    pub parent: WireText,
    /// The top-level call.
    pub root: WireText,
    /// Tool name.
    pub name: WireText,
    /// Seq of its start.
    pub start_seq: Option<i64>,
    /// Row of its start.
    pub start_row: Option<RowIx>,
    /// Seq of its outcome.
    pub settle_seq: Option<i64>,
    /// Row of its outcome.
    pub settle_row: Option<RowIx>,
    /// Time of its start and outcome.
    pub start_time: Option<i64>,
    /// Time of its outcome.
    pub settle_time: Option<i64>,
    /// State.
    pub state: SubCallState,
    /// Place in `calls` of the root call.
    pub call: Option<usize>,
}

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
    pub text: String,
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

/// What a fork copied from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inherited {
    /// Number of leading events copied.
    pub events: u64,
    /// First own row; `None` when nothing is inherited.
    pub cut_row: Option<RowIx>,
}

/// A tool call that exists only in a stream: cut by max-tokens or a cancel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedCall {
    /// Id, if the stream named it.
    pub call_id: Option<WireText>,
    /// Tool name, if the stream named it.
    pub name: Option<WireText>,
    /// Turn and step.
    pub turn: Option<i64>,
    /// Step number.
    pub step: Option<i64>,
    /// Row of the message or attempt without it, or of its last chunk.
    pub row: RowIx,
    /// Seq of that.
    pub seq: Option<i64>,
}

impl Facts {
    /// Seq of a row's first member as a plain number, if recorded.
    #[must_use]
    pub fn seq_text(seq: Option<Seq>) -> String {
        seq.map_or_else(|| "?".to_owned(), |Seq(seq)| seq.to_string())
    }
}
