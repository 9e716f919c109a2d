//! A line to its words: which function tells which type.

use super::calls::CallRows;
use super::line::{Line, MOST_BYTES};
use super::told::Told;
use super::{Mark, Run};
use super::{approvals, chunks, commands, ghost, messages, odd, requests, session, teams, tools, turns};
use crate::record::kinds::Kind;
use crate::session::row::{Flags, RowIx};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::triage::facts::Ghost;
use crate::triage::peek::Peek;
use crate::triage::session::Session;

/// A row of the timeline in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct What {
    /// The state before it.
    pub mark: Mark,
    /// Of a stream chunk: its own name (`block-start`, `tool-call-chunks`), which stands in the type column of an opened
    /// run, or before the text where the type column says `assistant/chunk`.
    pub tag: Option<String>,
    /// The words, printable, cut to the columns asked for.
    pub text: Vec<Span>,
}

impl What {
    /// The words as one text, without the mark and the tag.
    #[must_use]
    pub fn plain(&self) -> String {
        self.text.iter().map(|span| span.text.as_str()).collect()
    }
}

/// Tells the rows of one session.
#[derive(Debug, Clone, Copy)]
pub struct Teller<'a> {
    session: &'a Session,
    calls: &'a CallRows,
    words: &'a Words,
}

impl<'a> Teller<'a> {
    /// `calls` is made of the session's own facts: [`CallRows::new`].
    #[must_use]
    pub fn new(session: &'a Session, calls: &'a CallRows, words: &'a Words) -> Teller<'a> {
        Teller { session, calls, words }
    }

    /// One line of the log; of a packed row its form as a whole. `line` is its text, or the first kilobytes of it.
    ///
    /// An empty `What` for a row that is not there.
    #[must_use]
    pub fn row(&self, line: &[u8], ix: RowIx, max_columns: usize) -> What {
        let Some(row) = self.session.index.rows.get(ix) else { return What::default() };
        let mut out = Line::new(max_columns);
        if row.flags.has(Flags::BAD) {
            return self.bad(line, ix, out);
        }
        if !self.session.facts.format.known {
            // What its fields mean is not known: the line as stored says all there is to say.
            out.log("", line.get(..line.len().min(MOST_BYTES)).unwrap_or_default());
            return What { mark: Mark::None, tag: None, text: out.finish() };
        }
        let event = Peek::line(line).unwrap_or(Peek::Cut(b""));
        let data = event.get("data").unwrap_or(Peek::Cut(b""));
        let told = Told { session: self.session, calls: self.calls, words: self.words, ix, row: &row, event, data };
        if row.kind.is_chunk() {
            return self.chunk(&told, out);
        }
        let mark = tell(&told, &mut out);
        What { mark, tag: None, text: out.finish() }
    }

    fn chunk(&self, told: &Told<'_>, mut out: Line) -> What {
        let tag = if told.row.kind.is_packed() {
            chunks::packed(told.data, self.words, &mut out);
            told.row.kind.name().to_owned()
        } else {
            chunks::chunk(told.data.get("chunk").unwrap_or(Peek::Cut(b"")), self.words, &mut out)
        };
        What { mark: Mark::None, tag: Some(tag), text: out.finish() }
    }

    /// A line that is no event: why, and its bytes.
    fn bad(&self, line: &[u8], ix: RowIx, mut out: Line) -> What {
        let bad = &self.session.facts.container.bad_lines;
        let why = bad.binary_search_by_key(&ix, |bad| bad.row).ok().and_then(|at| bad.get(at)).map(|bad| bad.why);
        out.push(self.words.get(bad_line_key(why)), Role::Bad);
        out.log("  ", line.get(..line.len().min(MOST_BYTES)).unwrap_or_default());
        What { mark: Mark::Look, tag: None, text: out.finish() }
    }

    /// One member of a packed row, from 0.
    #[must_use]
    pub fn member(&self, line: &[u8], member: u32, max_columns: usize) -> What {
        let mut out = Line::new(max_columns);
        let event = Peek::line(line).unwrap_or(Peek::Cut(b""));
        let data = event.get("data").unwrap_or(Peek::Cut(b""));
        let mut tag = chunks::member(data, member, self.words, &mut out);
        if event.says("type", Kind::ReasoningChunks.name()) {
            tag = "reasoning-delta";
        }
        What { mark: Mark::None, tag: Some(tag.to_owned()), text: out.finish() }
    }

    /// How many records the stream inside an `assistant/message` or `assistant/attempt` has, at most ten thousand.
    #[must_use]
    pub fn stream_members(line: &[u8]) -> u32 {
        Peek::line(line).map_or(0, |event| chunks::stream(event).len() as u32)
    }

    /// Records of that stream: `count` of them from `first` on. They have no seq of their own.
    #[must_use]
    pub fn stream(&self, line: &[u8], first: u32, count: u32, max_columns: usize) -> Vec<What> {
        let Some(event) = Peek::line(line) else { return Vec::new() };
        let records = chunks::stream(event).into_iter().skip(first as usize).take(count as usize);
        records.map(|record| chunks::record(record, self.words, max_columns)).collect()
    }

    /// A folded chunk run; `lines` holds the text of the rows that [`super::run_rows`] names, as far as it is fetched.
    #[must_use]
    pub fn run(&self, run: Run, lines: &[(RowIx, &[u8])], max_columns: usize) -> What {
        chunks::run(run, lines, self.session, self.words, max_columns)
    }

    /// A record that a resume would append.
    #[must_use]
    pub fn ghost(&self, ghost: &Ghost, max_columns: usize) -> What {
        ghost::ghost(ghost, self.words, max_columns)
    }
}

/// One function a type.
fn tell(told: &Told<'_>, line: &mut Line) -> Mark {
    match told.row.kind {
        Kind::TurnStart => turns::turn_start(told, line),
        Kind::TurnEnd => turns::turn_end(told, line),
        Kind::StepStart | Kind::StepEnd => turns::step(told, line),
        Kind::SessionEndSeed => turns::end_seed(told, line),
        Kind::UserMessage => messages::user(told, line),
        Kind::SteeringMessage => messages::steering(told, line),
        Kind::AssistantMessage => messages::assistant(told, line),
        Kind::SystemMessage => messages::system(told, line),
        Kind::DeveloperMessage => messages::developer(told, line),
        Kind::AssistantAttempt => chunks::attempt(told, line),
        // Chunks are told before; they have a tag besides their words.
        Kind::AssistantChunk | Kind::TextChunks | Kind::ReasoningChunks | Kind::ToolCallChunks => Mark::None,
        Kind::ToolCall => tools::call(told, line),
        Kind::ToolResult => tools::result(told, line),
        Kind::ToolCodeDispatchStart | Kind::ToolPtcDispatchStart => tools::sub_call(told, line),
        Kind::ToolCodeDispatch | Kind::ToolPtcDispatch => tools::sub_result(told, line),
        Kind::RequestHeader => requests::header(told, line),
        Kind::RequestContext => requests::context(told, line),
        Kind::ModelSelection => requests::selection(told, line),
        Kind::SessionTitleLlmRequest => requests::title_request(told, line),
        Kind::WebSearchLlmRequest => requests::web_search(told, line),
        kind => tell_bookkeeping(kind, told, line),
    }
}

/// Types that are neither conversation nor tools nor requests.
fn tell_bookkeeping(kind: Kind, told: &Told<'_>, line: &mut Line) -> Mark {
    match kind {
        Kind::AgentInboxSpliced => session::inbox(told, line),
        Kind::SessionTitle => session::title(told, line),
        Kind::DeliveryAccepted => session::delivery(told, line),
        Kind::FeedbackRecord => session::feedback(told, line),
        Kind::FeedbackMessagePut => session::feedback_put(told, line),
        Kind::FeedbackMessageDelete => session::feedback_delete(told, line),
        Kind::TodoWrite => session::todo(told, line),
        Kind::DeliverablesPresented => session::deliverables(told, line),
        Kind::WorkspaceChanges => session::workspace(told, line),
        Kind::ImageOffload => session::offload(told, line),
        Kind::GoalChange => session::goal(told, line),
        Kind::ScheduleChange => session::schedule(told, line),
        Kind::ApprovalAsked => approvals::asked(told, line),
        Kind::ApprovalDecided => approvals::decided(told, line),
        Kind::ApprovalPolicy => approvals::switch(told, line, "policy"),
        Kind::SandboxMode => approvals::switch(told, line, "mode"),
        Kind::PermissionPreset => approvals::preset(told, line),
        Kind::PlanMode => approvals::plan(told, line),
        Kind::HookInvoked => approvals::hook_invoked(told, line),
        Kind::HookResult => approvals::hook_result(told, line),
        Kind::AgentPresetSelected => {
            line.add(&told.name("agentPreset"));
            Mark::None
        }
        Kind::ModeSet => {
            line.add(&told.name("mode")).apart(&told.say("retired", &[]));
            Mark::None
        }
        kind => tell_work(kind, told, line),
    }
}

/// Commands, compaction, retries, agents, and what the catalogue does not know.
fn tell_work(kind: Kind, told: &Told<'_>, line: &mut Line) -> Mark {
    match kind {
        Kind::CommandRun => commands::run(told, line),
        Kind::CommandDone => commands::done(told, line),
        Kind::CompactionStart => commands::compaction_start(told, line),
        Kind::CompactionSummary => commands::compaction_summary(told, line),
        Kind::CompactionEnd => commands::compaction_end(told, line),
        Kind::CompactionPrune => commands::compaction_prune(told, line),
        Kind::RequestHeaderDelta
        | Kind::CompactStart
        | Kind::CompactSummary
        | Kind::CompactEnd
        | Kind::CompactPrune => commands::retired(told, line),
        Kind::LlmRetry => commands::retry(told, line),
        Kind::LlmRetryStarted => commands::retry_started(told, line),
        Kind::SubagentDescriptor => teams::descriptor(told, line),
        Kind::SubagentModelSelectionPolicy => teams::model_policy(told, line),
        Kind::SubagentCatalog => teams::catalog(told, line),
        Kind::TeamMember => teams::member(told, line),
        Kind::TeamTask => teams::task(told, line),
        Kind::TeamMessageQueued => teams::queued(told, line),
        Kind::TeamMessageDelivered => teams::delivered(told, line),
        Kind::WorkflowRunStart => teams::run_start(told, line),
        Kind::WorkflowRunEnd => teams::run_end(told, line),
        Kind::WorkflowAgentStart => teams::agent_start(told, line),
        Kind::WorkflowAgentEnd => teams::agent_end(told, line),
        // A test tells a line of every type of the catalogue, so that none ends here unseen.
        _ => odd::unknown(told, line),
    }
}

/// Key of the words for why a line is no event.
pub(crate) fn bad_line_key(why: Option<&str>) -> &'static str {
    match why {
        Some("blank") => "bad_line.blank",
        Some("not JSON") => "bad_line.not_json",
        Some("not an object") => "bad_line.not_an_object",
        Some("malformed packed row") => "bad_line.malformed_packed_row",
        Some("no newline at end of data") => "bad_line.no_newline",
        Some(_) | None => "what.no_event",
    }
}
