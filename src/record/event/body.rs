//! The part of an event that is particular to its type.

use super::{
    Arguments, Changes, EndReason, Failure, HeaderPrints, PairEnd, PairKind, Place, RecoveryId, Request, Streamed,
    Usage,
};
use crate::text::wire::WireText;

/// The part of an event that is particular to its type. Texts are decoded, not cut, unless said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// `turn/start`.
    TurnStart {
        /// Turn number.
        turn: Option<i64>,
    },
    /// `turn/end`.
    TurnEnd {
        /// Turn number.
        turn: Option<i64>,
        /// Why it ended.
        reason: EndReason,
    },
    /// `step/start`.
    StepStart(Place),
    /// `step/end`.
    StepEnd(Place),
    /// `user/message`, `steering/message`.
    UserMessage {
        /// `source.kind`.
        source: Option<WireText>,
        /// `source.callId` or `source.senderSessionId`.
        from: Option<WireText>,
        /// The first 400 bytes of the first text block.
        text: WireText,
    },
    /// `assistant/chunk` or a packed row.
    Chunk {
        /// Where.
        place: Place,
        /// What.
        streamed: Box<Streamed>,
    },
    /// `assistant/message`.
    Message {
        /// Where.
        place: Place,
        /// Tool calls asked for, in order.
        requests: Vec<Request>,
        /// `data.usage`.
        usage: Option<Box<Usage>>,
        /// `interrupted: true`.
        interrupted: bool,
        /// The embedded stream, from version 2.
        stream: Option<Box<Streamed>>,
        /// Characters of its text blocks.
        text_chars: u32,
    },
    /// `assistant/attempt`.
    Attempt {
        /// Where.
        place: Place,
        /// Its stream.
        stream: Box<Streamed>,
    },
    /// `system/message`.
    SystemMessage(Place),
    /// `developer/message`.
    DeveloperMessage {
        /// Where.
        place: Place,
        /// Tools added.
        added: Vec<WireText>,
        /// Tools removed.
        removed: Vec<WireText>,
        /// Seq of the header that defines the added tools.
        header_seq: Option<i64>,
    },
    /// `tool/call`.
    Call {
        /// Where.
        place: Place,
        /// Call id, may be empty.
        id: WireText,
        /// Tool name, may be empty.
        name: WireText,
        /// The raw argument text.
        arguments: Arguments,
        /// The file that a tool which writes files is asked to write.
        path: Option<Box<WireText>>,
    },
    /// `tool/result`.
    Result {
        /// Where.
        place: Place,
        /// Call id: `message.source.callId`, else `toolCallId`, else that of the result block, else `data.callId`.
        id: Option<WireText>,
        /// The error flag, of the message, the block or (oldest logs) the data.
        is_error: bool,
        /// `data.error`.
        failure: Option<Box<Failure>>,
        /// Whether the message id is one that recovery gives.
        recovery: RecoveryId,
        /// Files that it says it changed.
        changes: Option<Box<Changes>>,
    },
    /// `tool/code-dispatch-start`, `tool/ptc-dispatch-start`.
    SubCall {
        /// The call above: a call or a sub-call.
        parent: WireText,
        /// The top-level call.
        root: WireText,
        /// Its own id.
        id: WireText,
        /// Tool name.
        name: WireText,
    },
    /// `tool/code-dispatch`, `tool/ptc-dispatch`.
    SubResult {
        /// The call above.
        parent: WireText,
        /// The top-level call.
        root: WireText,
        /// Id of the sub-call.
        id: WireText,
        /// Tool name.
        name: WireText,
        /// The error flag.
        is_error: bool,
        /// `error`, where recorded.
        failure: Option<Box<Failure>>,
    },
    /// `approval/asked`.
    Asked {
        /// Approval id.
        id: WireText,
        /// Tool name.
        tool: Option<WireText>,
        /// Call or sub-call.
        call: Option<WireText>,
        /// Why it is asked, cut as the message of a failure is.
        reason: Option<WireText>,
    },
    /// `approval/decided`.
    Decided {
        /// Approval id.
        id: WireText,
        /// Outcome.
        outcome: Option<WireText>,
    },
    /// `approval/policy`: the policy.
    Policy(Option<WireText>),
    /// `sandbox/mode`: the mode.
    Sandbox(Option<WireText>),
    /// `permission/preset`: the preset.
    Preset(Option<WireText>),
    /// `plan/mode`: active or not.
    Plan(Option<bool>),
    /// `agent-preset/selected`: the preset.
    AgentPreset(Option<WireText>),
    /// `request/header`.
    RequestHeader {
        /// `header.config.provider`.
        provider: Option<WireText>,
        /// `header.config.model`.
        model: Option<WireText>,
        /// Names of `header.tools`.
        tools: Vec<WireText>,
        /// `reason`.
        reason: Option<WireText>,
        /// `header.system` is there.
        has_system: bool,
        /// Size and hash of the prompt, of the config and of the tools, each as written.
        prints: Box<HeaderPrints>,
    },
    /// `request/context`.
    Context {
        /// Model.
        model: Option<WireText>,
        /// Context window, tokens.
        window: Option<i64>,
    },
    /// `todo/write`.
    Todo {
        /// Items.
        items: u32,
        /// How many of them are completed.
        done: u32,
    },
    /// `session/title`.
    Title {
        /// The title.
        title: Option<WireText>,
        /// `source.kind`.
        source: Option<WireText>,
    },
    /// `llm/retry`.
    Retry {
        /// Chain id.
        id: WireText,
        /// Where.
        place: Place,
        /// Number of the retry, from 1.
        retry: Option<i64>,
        /// Highest retry number, where recorded.
        max: Option<i64>,
        /// Wait asked for, milliseconds.
        delay_ms: Option<i64>,
        /// What failed.
        failure: Box<Failure>,
    },
    /// `llm/retry-started`.
    RetryStarted {
        /// Chain id.
        id: WireText,
        /// Where.
        place: Place,
        /// Number of the retry.
        retry: Option<i64>,
    },
    /// `command/run`.
    CommandRun {
        /// Command id.
        id: WireText,
        /// Name without the slash.
        name: Option<WireText>,
    },
    /// `command/done`.
    CommandDone {
        /// Command id.
        id: WireText,
        /// `success` or `error`.
        kind: Option<WireText>,
    },
    /// One end of a pair of another kind.
    Pair {
        /// Which pair.
        pair: PairKind,
        /// Which end.
        end: PairEnd,
        /// Key of the pair, parts joined by a NUL.
        key: WireText,
    },
    /// `session/end-seed`.
    EndSeed {
        /// `inherited: true`.
        inherited: bool,
    },
    /// `agent/inbox/spliced`.
    Inbox {
        /// `next-turn` or `next-step`.
        target: Option<WireText>,
        /// First place touched.
        start: Option<i64>,
        /// How many were removed.
        removed: i64,
        /// How many were put in.
        inserted: u32,
        /// `outcome: "canceled"`.
        cancelled: bool,
    },
    /// `subagent/descriptor`.
    Descriptor {
        /// `label`.
        label: Option<WireText>,
        /// `mode`.
        mode: Option<WireText>,
    },
    /// `subagent/catalog`: a child as its parent records it.
    Catalog {
        /// Child session id.
        child: WireText,
        /// `label`.
        label: Option<WireText>,
    },
    /// Anything that no judgement needs.
    Other,
}
