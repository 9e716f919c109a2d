//! The catalogue of event types (docs/FORMAT.md section 6): every type of the versions 0 to 5, the retired ones, and packed rows.

/// Picker groups: types that one ticks together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Turns and steps.
    Turns,
    /// Messages of the conversation.
    Messages,
    /// Tool calls, results and sub-calls.
    Tools,
    /// Approvals, policies, sandbox, presets, plan mode and hooks.
    Approvals,
    /// What goes to the model and comes from it: requests, chunks, attempts, retries.
    Model,
    /// Life of the session: seeds, inbox, titles, feedback, lists, goals, schedules.
    Session,
    /// Commands and compaction.
    Commands,
    /// Subagents, teams and workflows.
    Agents,
    /// Types outside the catalogue.
    Other,
}

/// Whether an event of a type can stand on the surface, the conversation that the model sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Surface,
    LogOnly,
}

/// What the catalogue says of a type.
struct Entry {
    name: &'static str,
    since: i64,
    /// Last version that has it; `i64::MAX` while it lives.
    until: i64,
    side: Side,
    group: Group,
}

const LIVES: i64 = i64::MAX;

macro_rules! catalogue {
    ($($(#[$doc:meta])* $variant:ident $name:literal $since:literal..=$until:expr, $side:ident, $group:ident;)+) => {
        /// The type of a line.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* #[doc = concat!("`", $name, "`.")] $variant,)+
            /// Any other type, and a line that names none.
            Unknown,
        }

        impl Kind {
            /// Every type of the catalogue, packed rows included, [`Kind::Unknown`] last.
            pub const ALL: &[Kind] = &[$(Kind::$variant,)+ Kind::Unknown];

            /// The type of that name, packed rows by their tag; [`Kind::Unknown`] for any other name.
            #[must_use]
            pub fn from_name(name: &[u8]) -> Self {
                $(if name == $name.as_bytes() { return Self::$variant; })+
                Self::Unknown
            }

            const fn entry(self) -> Entry {
                match self {
                    $(Self::$variant => Entry {
                        name: $name, since: $since, until: $until, side: Side::$side, group: Group::$group,
                    },)+
                    Self::Unknown => Entry {
                        name: "", since: LIVES, until: LIVES, side: Side::LogOnly, group: Group::Other,
                    },
                }
            }
        }
    };
}

// The most frequent types stand first: names are compared in this order.
catalogue! {
    AssistantChunk "assistant/chunk" 0..=1, LogOnly, Model;
    /// A packed row of tool-call deltas,
    ToolCallChunks "tool-call-chunks" 0..=1, LogOnly, Model;
    /// A packed row of reasoning deltas,
    ReasoningChunks "reasoning-chunks" 0..=1, LogOnly, Model;
    /// A packed row of text deltas,
    TextChunks "text-chunks" 0..=1, LogOnly, Model;
    ToolCall "tool/call" 0..=LIVES, LogOnly, Tools;
    ToolResult "tool/result" 0..=LIVES, Surface, Tools;
    AssistantMessage "assistant/message" 0..=LIVES, Surface, Messages;
    StepStart "step/start" 0..=LIVES, LogOnly, Turns;
    StepEnd "step/end" 0..=LIVES, LogOnly, Turns;
    AgentInboxSpliced "agent/inbox/spliced" 0..=LIVES, LogOnly, Session;
    TurnStart "turn/start" 0..=LIVES, LogOnly, Turns;
    TurnEnd "turn/end" 0..=LIVES, LogOnly, Turns;
    UserMessage "user/message" 0..=LIVES, Surface, Messages;
    RequestContext "request/context" 0..=LIVES, LogOnly, Model;
    RequestHeader "request/header" 0..=LIVES, LogOnly, Model;
    ToolCodeDispatchStart "tool/code-dispatch-start" 0..=2, LogOnly, Tools;
    ToolCodeDispatch "tool/code-dispatch" 0..=2, LogOnly, Tools;
    ToolPtcDispatchStart "tool/ptc-dispatch-start" 3..=LIVES, LogOnly, Tools;
    ToolPtcDispatch "tool/ptc-dispatch" 3..=LIVES, LogOnly, Tools;
    AssistantAttempt "assistant/attempt" 2..=LIVES, LogOnly, Model;
    SystemMessage "system/message" 3..=LIVES, Surface, Messages;
    DeveloperMessage "developer/message" 4..=LIVES, Surface, Messages;
    /// Retired:
    SteeringMessage "steering/message" 0..=0, Surface, Messages;
    /// Retired:
    RequestHeaderDelta "request/header-delta" 0..=0, LogOnly, Model;
    ModelSelection "model/selection" 0..=LIVES, LogOnly, Model;
    AgentPresetSelected "agent-preset/selected" 0..=LIVES, LogOnly, Session;
    /// Retired:
    ModeSet "mode/set" 0..=0, LogOnly, Session;
    SessionEndSeed "session/end-seed" 0..=LIVES, LogOnly, Session;
    SessionTitle "session/title" 0..=LIVES, LogOnly, Session;
    SessionTitleLlmRequest "session/title-llm-request" 0..=LIVES, LogOnly, Model;
    DeliveryAccepted "session-log-deepseek/delivery-accepted" 0..=LIVES, LogOnly, Session;
    FeedbackRecord "feedback/record" 0..=LIVES, LogOnly, Session;
    FeedbackMessagePut "feedback/message-put" 2..=LIVES, LogOnly, Session;
    FeedbackMessageDelete "feedback/message-delete" 2..=LIVES, LogOnly, Session;
    TodoWrite "todo/write" 0..=LIVES, LogOnly, Session;
    DeliverablesPresented "deliverables/presented" 3..=LIVES, LogOnly, Session;
    WorkspaceChanges "workspace/changes" 3..=LIVES, LogOnly, Session;
    ImageOffload "image/offload" 3..=LIVES, LogOnly, Model;
    ApprovalAsked "approval/asked" 0..=LIVES, LogOnly, Approvals;
    ApprovalDecided "approval/decided" 0..=LIVES, LogOnly, Approvals;
    ApprovalPolicy "approval/policy" 0..=LIVES, LogOnly, Approvals;
    SandboxMode "sandbox/mode" 0..=LIVES, LogOnly, Approvals;
    PermissionPreset "permission/preset" 0..=LIVES, LogOnly, Approvals;
    PlanMode "plan/mode" 0..=LIVES, LogOnly, Approvals;
    HookInvoked "hook/invoked" 0..=LIVES, LogOnly, Approvals;
    HookResult "hook/result" 0..=LIVES, LogOnly, Approvals;
    CommandRun "command/run" 0..=LIVES, LogOnly, Commands;
    CommandDone "command/done" 0..=LIVES, LogOnly, Commands;
    CompactionStart "compaction/start" 0..=LIVES, LogOnly, Commands;
    CompactionSummary "compaction/summary" 0..=LIVES, LogOnly, Commands;
    CompactionEnd "compaction/end" 0..=LIVES, LogOnly, Commands;
    CompactionPrune "compaction/prune" 0..=LIVES, LogOnly, Commands;
    /// Retired:
    CompactStart "compact/start" 0..=0, LogOnly, Commands;
    /// Retired:
    CompactSummary "compact/summary" 0..=0, LogOnly, Commands;
    /// Retired:
    CompactEnd "compact/end" 0..=0, LogOnly, Commands;
    /// Retired:
    CompactPrune "compact/prune" 0..=0, LogOnly, Commands;
    LlmRetry "llm/retry" 0..=LIVES, LogOnly, Model;
    LlmRetryStarted "llm/retry-started" 0..=LIVES, LogOnly, Model;
    SubagentDescriptor "subagent/descriptor" 0..=LIVES, LogOnly, Agents;
    SubagentModelSelectionPolicy "subagent/model-selection-policy" 0..=LIVES, LogOnly, Agents;
    SubagentCatalog "subagent/catalog" 3..=LIVES, LogOnly, Agents;
    TeamMember "team/member" 0..=LIVES, LogOnly, Agents;
    TeamTask "team/task" 0..=LIVES, LogOnly, Agents;
    TeamMessageQueued "team/message/queued" 0..=LIVES, LogOnly, Agents;
    TeamMessageDelivered "team/message/delivered" 0..=LIVES, LogOnly, Agents;
    WorkflowRunStart "tool-workflow/run-start" 0..=LIVES, LogOnly, Agents;
    WorkflowAgentStart "tool-workflow/agent-start" 0..=LIVES, LogOnly, Agents;
    WorkflowAgentEnd "tool-workflow/agent-end" 0..=LIVES, LogOnly, Agents;
    WorkflowRunEnd "tool-workflow/run-end" 0..=LIVES, LogOnly, Agents;
    GoalChange "goal/change" 0..=LIVES, LogOnly, Session;
    ScheduleChange "schedule/change" 0..=LIVES, LogOnly, Session;
    WebSearchLlmRequest "web/deepseek-search-llm-request" 0..=LIVES, LogOnly, Model;
}

impl Kind {
    /// The name as the log spells it, of a packed row its tag; empty for [`Kind::Unknown`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The type of the events that a line of this kind stands for: `assistant/chunk` for packed rows, else the name.
    #[must_use]
    pub const fn event_type(self) -> &'static str {
        if self.is_packed() { Self::AssistantChunk.name() } else { self.name() }
    }

    /// A packed row.
    #[must_use]
    pub const fn is_packed(self) -> bool {
        matches!(self, Self::TextChunks | Self::ReasoningChunks | Self::ToolCallChunks)
    }

    /// Stands for stream chunks: an `assistant/chunk` or a packed row.
    #[must_use]
    pub const fn is_chunk(self) -> bool {
        self.is_packed() || matches!(self, Self::AssistantChunk)
    }

    /// Whether events of this type can stand on the surface, what the model sees.
    #[must_use]
    pub const fn is_surface(self) -> bool {
        matches!(self.entry().side, Side::Surface)
    }

    /// Whether a build that writes format `version` knows the type. Types that entered in the life of a version count from its start.
    #[must_use]
    pub const fn known_in(self, version: i64) -> bool {
        let entry = self.entry();
        entry.since <= version && version <= entry.until && !matches!(self, Self::Unknown)
    }

    /// First and last format version of the type, `None` for the last while it lives; `None` for [`Kind::Unknown`].
    #[must_use]
    pub const fn versions(self) -> Option<(i64, Option<i64>)> {
        let entry = self.entry();
        match (self, entry.until) {
            (Self::Unknown, _) => None,
            (_, LIVES) => Some((entry.since, None)),
            (_, until) => Some((entry.since, Some(until))),
        }
    }

    /// Its group in the type picker.
    #[must_use]
    pub const fn group(self) -> Group {
        self.entry().group
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_kind() {
        for &kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name().as_bytes()), kind);
        }
        assert_eq!(Kind::from_name(b"tool/calls"), Kind::Unknown);
        assert_eq!(Kind::from_name(b"\xff"), Kind::Unknown);
    }

    #[test]
    fn counts_by_version_match_the_format() {
        // Format versions 4 and 5 know 59 types, late version 3 knows 58 (docs/FORMAT.md section 15).
        let count = |version| Kind::ALL.iter().filter(|kind| !kind.is_packed() && kind.known_in(version)).count();
        assert_eq!(count(5), 59);
        assert_eq!(count(4), 59);
        assert_eq!(count(3), 58);
        assert_eq!(count(2), 53);
        assert_eq!(count(1), 51);
        // The retired types of the oldest builds are known to version 0.
        assert_eq!(count(0), 51 + 7);
        assert_eq!(count(-1), 0);
    }

    #[test]
    fn packed_rows_stand_for_chunks() {
        assert_eq!(Kind::TextChunks.event_type(), "assistant/chunk");
        assert_eq!(Kind::TextChunks.name(), "text-chunks");
        assert!(Kind::ToolCallChunks.is_chunk() && !Kind::ToolCallChunks.is_surface());
        assert!(!Kind::ReasoningChunks.known_in(2));
    }

    #[test]
    fn surface_types_are_the_five_and_a_retired_one() {
        let names: Vec<_> = Kind::ALL.iter().filter(|kind| kind.is_surface()).map(|kind| kind.name()).collect();
        assert_eq!(
            names,
            [
                "tool/result",
                "assistant/message",
                "user/message",
                "system/message",
                "developer/message",
                "steering/message"
            ]
        );
    }
}
