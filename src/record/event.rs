//! The meaning of one line, as small as judging needs it.
//!
//! An [`Event`] owns what it says: a worker reads the line, drops the text, and hands the event to whoever judges.
//! A packed row (docs/FORMAT.md section 4.2) is one `Event` with several members.

use super::admission::Admission;
use super::kinds::Kind;
use crate::text::wire::WireText;

/// What one line means: an event, or the run of events that a packed row stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its type; [`Kind::Unknown`] for every type that is not in the catalogue, and for none.
    pub kind: Kind,
    /// The type as the log spells it, only where `kind` is [`Kind::Unknown`]; `None` there: the line names no type.
    pub unknown_type: Option<Box<WireText>>,
    /// Recorded `seq` (of the first member); `None` where it is missing or no integer.
    pub seq: Option<i64>,
    /// Recorded `time` of the first member, milliseconds since the Unix epoch.
    pub time: Option<i64>,
    /// Time of the last member; equals `time` for anything but a packed row.
    pub last_time: Option<i64>,
    /// How many events the line stands for, at least 1.
    pub members: u32,
    /// `ignorable: true` is set.
    pub ignorable: bool,
    /// Its place on the surface that the model sees.
    pub surface: Surface,
    /// `sourceEventSeqs`, as far as pairing needs it.
    pub cites: Cites,
    /// What is particular to its type.
    pub body: Body,
    /// What it tells of the version it was written in.
    pub hints: Hints,
    /// What the harness looks at beyond its meaning.
    pub admission: Admission,
}

/// Signs of the format version, for a log whose header is gone (docs/FORMAT.md section 3). A set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Hints(u8);

impl Hints {
    /// An `assistant/chunk` or a packed row: version 0 or 1.
    pub const CHUNKS: Self = Self(1);
    /// A stream in a message or attempt: version 2 or later.
    pub const STREAM: Self = Self(2);
    /// A `system/message`: version 3 or later.
    pub const SYSTEM_MESSAGE: Self = Self(4);
    /// A result in the role `tool`: version 4 or later.
    pub const ROLE_TOOL: Self = Self(8);

    /// Adds signs.
    pub const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// All signs of `other` are there.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The lowest version that the highest sign allows; `None` without a sign.
    #[must_use]
    pub const fn guess(self) -> Option<i64> {
        if self.has(Self::ROLE_TOOL) {
            Some(4)
        } else if self.has(Self::SYSTEM_MESSAGE) {
            Some(3)
        } else if self.has(Self::STREAM) {
            Some(2)
        } else if self.has(Self::CHUNKS) {
            Some(0)
        } else {
            None
        }
    }
}

/// `surfaceOp` of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    /// No `surfaceOp`: log-only.
    #[default]
    None,
    /// `"append"`.
    Append,
    /// A replacement of the nodes from `start` to `end` (`startSeq`, `endSeq` from version 3).
    Replace {
        /// Seq of the first shadowed node; `None` where it is no integer.
        start: Option<i64>,
        /// Seq of the last shadowed node.
        end: Option<i64>,
    },
    /// Anything else.
    Odd,
}

/// `sourceEventSeqs`, reduced to what pairing and the loader ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cites {
    /// The key is there.
    pub present: bool,
    /// First cited seq, of a range its first.
    pub first: Option<i64>,
    /// How many seqs are cited, ranges expanded, saturating.
    pub count: u32,
    /// Highest cited seq.
    pub highest: Option<i64>,
    /// An element is neither an integer nor a pair of integers, or the value is no array.
    pub malformed: bool,
}

/// A text known by length and hash: enough to tell whether two texts are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// Bytes of the decoded text.
    pub bytes: u64,
    /// Hash of the decoded text, the same in every run of the program.
    pub hash: u64,
}

/// Turn and step of an event; `None` where missing or no integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Turn number, from 1.
    pub turn: Option<i64>,
    /// Step number inside the turn, from 1.
    pub step: Option<i64>,
}

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
    pub arguments: Fingerprint,
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

/// A file that a result says it changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileChange {
    /// Its path as written.
    pub path: WireText,
    /// Hunks.
    pub hunks: u32,
}

/// Files that a result says it changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// `meta.operation`, such as `create`.
    pub operation: Option<WireText>,
    /// Each file once, in the order of `meta.diffs`; at most [`MOST_FILES`].
    pub files: Vec<FileChange>,
}

/// Files that are kept of one result.
pub const MOST_FILES: usize = 1_000;

/// What a finish chunk says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Finish {
    /// `reason.kind`, such as `stop`.
    pub kind: Option<WireText>,
    /// `reason.failure` of `error` and `aborted`.
    pub failure: Option<Box<Failure>>,
}

/// Sums over stream chunks: of one chunk event, one packed row, or one embedded stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Streamed {
    /// Chunks, members of packed records counted one by one.
    pub pieces: u32,
    /// Characters (Unicode scalar values) of text deltas.
    pub text_chars: u32,
    /// Characters of reasoning deltas.
    pub reasoning_chars: u32,
    /// Distinct tool-call blocks begun, by block index, as far as this piece tells.
    pub calls: Vec<StreamedCall>,
    /// The last usage chunk; rare, so that the others are small.
    pub usage: Option<Box<Usage>>,
    /// The last finish chunk.
    pub finish: Option<Box<Finish>>,
    /// How far apart its pieces came; of one chunk there is nothing to tell.
    pub gaps: Gaps,
    /// Long gaps inside an embedded stream: the piece after each, from 0, and its milliseconds. At most [`MOST_STALLS`].
    pub stalls: Vec<(u32, i64)>,
    /// Times of the first and the last piece of an embedded stream.
    pub span: Option<(i64, i64)>,
}

/// A gap of so many milliseconds between two pieces may be a stall.
pub const STALL_MS: i64 = 1_000;

/// Long gaps kept of one stream: a log with more of them says nothing else.
pub const MOST_STALLS: usize = 100;

/// Gaps between pieces that follow each other, in milliseconds. A step back of the clock is no gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gaps {
    /// The longest.
    pub longest: i64,
    /// The piece that came after it, from 0.
    pub after: u32,
    /// How many there are of each size: 0ms, 1ms, 2 to 3ms, and so on, each twice as long; the last holds all longer ones.
    pub sizes: [u32; 12],
}

impl Gaps {
    /// Adds the gap before a piece.
    #[inline]
    pub fn add(&mut self, ms: i64, piece: u32) {
        let ms = ms.max(0);
        if ms > self.longest {
            (self.longest, self.after) = (ms, piece);
        }
        let size = (64 - ms.leading_zeros() as usize).min(self.sizes.len() - 1);
        if let Some(count) = self.sizes.get_mut(size) {
            *count = count.saturating_add(1);
        }
    }

    /// The middle gap, rounded up to the end of its size; 0 without gaps.
    #[must_use]
    pub fn middle(&self) -> i64 {
        let all: u64 = self.sizes.iter().map(|count| u64::from(*count)).sum();
        let mut seen = 0;
        for (size, count) in self.sizes.iter().enumerate() {
            seen += u64::from(*count);
            if seen * 2 >= all.max(1) {
                return (1 << size) - 1;
            }
        }
        0
    }

    /// From how many milliseconds on a gap is a stall: 1s, or 20 times the middle gap where that is more.
    #[must_use]
    pub fn limit(&self) -> i64 {
        STALL_MS.max(self.middle().saturating_mul(20))
    }

    /// Adds the counts of the gaps of a later stretch.
    pub fn join(&mut self, later: &Gaps) {
        for (sum, count) in self.sizes.iter_mut().zip(later.sizes) {
            *sum = sum.saturating_add(count);
        }
    }
}

/// A tool-call block as a stream shows it; it need not be in any message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamedCall {
    /// Block index.
    pub index: i64,
    /// Call id, once a delta or the block end named it.
    pub id: Option<WireText>,
    /// Tool name, once named.
    pub name: Option<WireText>,
    /// Arguments: of the block end where there is one, else `None`. In an embedded stream, where all pieces are at
    /// hand, the concatenated deltas.
    pub arguments: Option<Fingerprint>,
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
        arguments: Fingerprint,
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
