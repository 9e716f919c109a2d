//! Calls, their results, and calls made from inside a program.

use std::sync::Arc;

use crate::record::event::{Arguments, Fingerprint, Place};
use crate::record::int::OptInt;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

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

/// A recovery record that a real result came after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recovery {
    /// Its seq.
    pub seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
    /// The state that it claimed.
    pub state: CallState,
}

/// What came beside the records of a call: further results, questions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Aftermath {
    /// The recovery record, where a real result came after it.
    pub recovery: Option<Recovery>,
    /// Rows of results that rewrote what the model sees (`replace`).
    pub replaced_rows: Vec<RowIx>,
    /// Places in `Facts::approvals` of the questions asked for it.
    pub approvals: Vec<usize>,
    /// Bytes of the argument text in the message, where those of the `tool/call` are others.
    pub requested_bytes: Option<u64>,
}

/// A requested call.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own, none excludes another")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Call id, may be empty.
    pub call_id: WireText,
    /// Tool name, may be empty. Calls of one tool share it.
    pub name: Arc<WireText>,
    /// Turn number.
    pub turn: OptInt,
    /// Step number.
    pub step: OptInt,
    /// Seq of the message that asked for it.
    pub message_seq: OptInt,
    /// Row of that message.
    pub message_row: Option<RowIx>,
    /// Which tool-call block of the message it is, from 0.
    pub block: u32,
    /// Seq of its `tool/call`.
    pub call_seq: OptInt,
    /// Row of it.
    pub call_row: Option<RowIx>,
    /// Time of the `tool/call`.
    pub call_time: OptInt,
    /// Seq of the result that decides.
    pub result_seq: OptInt,
    /// Row of it.
    pub result_row: Option<RowIx>,
    /// Time of it.
    pub result_time: OptInt,
    /// State.
    pub state: CallState,
    /// What it rests on.
    pub basis: Basis,
    /// `error.code` of the result.
    pub error_code: Option<WireText>,
    /// Message block and `tool/call` hold different arguments or names.
    pub arguments_differ: bool,
    /// The streamed pieces hold other arguments than the message.
    pub stream_differs: Option<bool>,
    /// The argument text of the `tool/call`, of a call that never started that of the message: by length and hash.
    pub arguments: Fingerprint,
    /// That text is no JSON.
    pub not_json: bool,
    /// It has characters that one does not see, or that look like others.
    pub hidden: bool,
    /// Where the tool's name came from; `None` where no header was recorded before it.
    pub tool_origin: Option<ToolOrigin>,
    /// Seq of the `request/header` that first declared the name.
    pub declared_seq: OptInt,
    /// A later step or turn end, or turn start, closed over it without a result.
    pub orphaned: bool,
    /// What came beside the records of the call; rare.
    pub aftermath: Option<Box<Aftermath>>,
    /// Within what a fork copied.
    pub inherited: bool,
}

impl Call {
    /// Its turn and step.
    #[must_use]
    pub fn place(&self) -> Place {
        Place { turn: self.turn.get(), step: self.step.get() }
    }

    /// The argument text in force from here on.
    pub(crate) fn takes(&mut self, arguments: Arguments) {
        self.arguments = arguments.print;
        (self.not_json, self.hidden) = (arguments.not_json, arguments.hidden);
    }

    /// Bytes of the argument text: as the message has it, else the `tool/call`.
    #[must_use]
    pub fn argument_bytes(&self) -> u64 {
        let requested = self.aftermath.as_ref().and_then(|aftermath| aftermath.requested_bytes);
        requested.unwrap_or(self.arguments.bytes)
    }

    /// The recovery record that a real result came after.
    #[must_use]
    pub fn recovery(&self) -> Option<Recovery> {
        self.aftermath.as_ref().and_then(|aftermath| aftermath.recovery)
    }

    /// Rows of results that rewrote what the model sees (`replace`).
    #[must_use]
    pub fn replaced_rows(&self) -> &[RowIx] {
        self.aftermath.as_ref().map_or(&[], |aftermath| &aftermath.replaced_rows)
    }

    /// Places in `Facts::approvals` of the questions asked for it.
    #[must_use]
    pub fn approvals(&self) -> &[usize] {
        self.aftermath.as_ref().map_or(&[], |aftermath| &aftermath.approvals)
    }

    pub(crate) fn aftermath_mut(&mut self) -> &mut Aftermath {
        self.aftermath.get_or_insert_default()
    }
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

/// Why a call may have run twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TwiceWhy {
    /// Its outcome is unknown, and a later step called the same tool with the same arguments.
    CalledAgain,
    /// A recovery record closed it, and a real result came after that.
    ResultAfterRecovery,
    /// It has two results, and neither says that it rewrites the other.
    TwoResults,
}

/// A call that may have run twice, with the two records that say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Twice {
    /// Why.
    pub why: TwiceWhy,
    /// Place in `Facts::calls` of the call.
    pub call: usize,
    /// Place in `Facts::calls` of the later call, where that is another one.
    pub again: Option<usize>,
    /// Seqs of the two records: the calls, or the results.
    pub seqs: [Option<i64>; 2],
    /// Their rows.
    pub rows: [RowIx; 2],
}
