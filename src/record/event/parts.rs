//! Parts that several types share: tokens, failures, ends, requests of tools, prints of a request header, pairs.

use super::Fingerprint;
use crate::text::wire::WireText;

/// Token counts of one attempt (docs/FORMAT.md section 9); a missing count is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens sent that no cache served.
    pub input: u64,
    /// Tokens produced, reasoning included.
    pub output: u64,
    /// Tokens read from the provider's cache.
    pub cache_read: u64,
    /// Tokens written to the provider's cache.
    pub cache_write: u64,
    /// The part of `output` that was reasoning.
    pub reasoning: u64,
}

/// Why something failed: `LlmFailure` (docs/FORMAT.md section 6.9) or the error of a tool result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// Error code, such as `RATE_LIMIT`.
    pub code: Option<WireText>,
    /// Error name, such as `ToolNotStartedError`.
    pub name: Option<WireText>,
    /// HTTP status.
    pub status: Option<i64>,
    /// Message, cut to its first 2,000 bytes at a character.
    pub message: Option<WireText>,
}

/// The `reason` of a `turn/end`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndReason {
    /// `kind`, such as `completed`; `None` where missing or no string.
    pub kind: Option<WireText>,
    /// Who aborted: `reason.kind` of an `aborted` end.
    pub by: Option<WireText>,
    /// The failure of an `error` end; the oldest logs hold code and message beside the kind.
    pub failure: Option<Box<Failure>>,
}

/// A tool call that an `assistant/message` asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// Call id, may be empty.
    pub id: WireText,
    /// Tool name, may be empty.
    pub name: WireText,
    /// The raw argument text.
    pub arguments: Arguments,
}

/// The raw argument text of a call: known by length and hash, and judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Arguments {
    /// Its length and hash.
    pub print: Fingerprint,
    /// It is no JSON; never of a text beyond 8 MiB. An empty text is an empty object to the harness.
    pub not_json: bool,
    /// It has characters that one does not see, or that look like others; never of a text beyond 8 MiB.
    pub hidden: bool,
}

/// Sizes and hashes of the parts of a request header, as written: enough to tell what changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeaderPrints {
    /// `header.system`, decoded.
    pub system: Option<Fingerprint>,
    /// `header.config`.
    pub config: Fingerprint,
    /// `header.tools`.
    pub tools: Fingerprint,
}

/// Pairs that have no judgement of their own beyond open and closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PairKind {
    /// `hook/invoked` and `hook/result`, keyed by turn, point and handler.
    Hook,
    /// `compaction/start` and `compaction/end`.
    Compaction,
    /// `tool-workflow/run-start` and `run-end`.
    WorkflowRun,
    /// `tool-workflow/agent-start` and `agent-end`.
    WorkflowAgent,
    /// `team/message/queued` and `delivered`.
    TeamMessage,
}

/// Which end of a pair a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairEnd {
    /// It opens.
    Open,
    /// It closes.
    Close,
}

/// The message id of a result tells that recovery wrote it (docs/FORMAT.md section 8.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecoveryId {
    /// An ordinary id.
    #[default]
    None,
    /// `interrupted-tool-result-<callId>-<seq>`.
    Interrupted,
    /// `forked-tool-result-<callId>-<seq>` (version 4).
    Forked,
}
