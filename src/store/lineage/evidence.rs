//! What the logs say about who started whom: arguments and results of calls, records that name a child, labels and
//! first prompts of children. Only here lines are read.

use std::sync::Arc;

use foldhash::HashMap;

use super::{Lines, Member, MemberIx};
use crate::record::json::{Spans, Text, Value};
use crate::record::kinds::Kind;
use crate::session::row::RowIx;
use crate::text::wire::WireText;
use crate::triage::facts::{Basis, Call};
use crate::triage::is_stock;
use crate::triage::session::Session;

/// Calls of one parent whose lines are read: a session that delegates more often is linked as far as this.
const MOST_CALLS: usize = 20_000;

/// Records of one parent that are read for ids of children.
const MOST_RECORDS: usize = 20_000;

/// Own lines of a child among which its first prompt is looked for.
const MOST_LINES_BEFORE_PROMPT: usize = 2_000;

/// Tools of the shipped harness that can start a session, itself or by what it runs. A tool that is not shipped may
/// always be one.
const STARTERS: [&str; 8] =
    ["cordis_run", "ralph", "run_code", "skill", "spawn_teammate", "subagent", "subagent_fork", "workflow"];

/// What a call says of the child that it starts.
#[derive(Debug, Clone, Default)]
pub(super) struct CallSays {
    /// Place in `Facts::calls`.
    pub(super) call: usize,
    /// `arguments.description`.
    pub(super) description: Option<Vec<u8>>,
    /// `arguments.prompt`.
    pub(super) prompt: Option<Vec<u8>>,
    /// Text of the result, stored form: ids in it are looked for.
    pub(super) result: Vec<u8>,
    /// The result says that something was started, and not what came of it.
    pub(super) only_started: bool,
}

/// Which record names a child by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Catalog,
    AgentStart,
    TeamMember,
    /// `tool-workflow/agent-end` of the same run and number.
    AgentEnd,
    /// A message that tells that the child has settled.
    Settled,
}

/// A record of the parent that names a child.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) child: WireText,
    pub(super) row: RowIx,
    pub(super) how: Naming,
    pub(super) label: Option<WireText>,
}

/// What a child says of itself.
#[derive(Debug, Clone, Default)]
pub(super) struct ChildSays {
    pub(super) label: Option<WireText>,
    /// Stored text of its first message from a user.
    pub(super) prompt: Option<Vec<u8>>,
}

/// All that is known for linking the children of one session.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) calls: Vec<CallSays>,
    pub(super) named: Vec<Named>,
    /// In the order of the children.
    pub(super) children: Vec<ChildSays>,
}

/// Reads what linking needs; gives the children their labels.
pub(super) fn gather(
    sessions: &[Arc<Session>],
    members: &mut [Member],
    parent: MemberIx,
    lines: &mut Lines<'_>,
) -> Known {
    let session = &sessions[parent.as_usize()];
    let first_own = members[parent.as_usize()].first_own;
    let mut known = Known { named: named(session, parent, first_own, lines), ..Known::default() };
    let calls = session.facts.calls.iter().enumerate().filter(|(_, call)| !call.inherited && may_start(call));
    known.calls = calls.take(MOST_CALLS).map(|(at, call)| call_says(at, call, parent, lines)).collect();
    for child in members[parent.as_usize()].children.clone() {
        let member = &mut members[child.as_usize()];
        let mut says = child_says(&sessions[child.as_usize()], child, member.first_own, lines);
        if says.label.is_none() {
            let name =
                known.named.iter().find(|named| Some(&named.child) == member.id.as_ref() && named.label.is_some());
            says.label = name.and_then(|named| named.label.clone());
        }
        member.label.clone_from(&says.label);
        known.children.push(says);
    }
    known
}

/// Whether the tool of a call can start a session.
pub(super) fn may_start(call: &Call) -> bool {
    let name = call.name.as_bytes();
    !is_stock(name) || STARTERS.iter().any(|starter| starter.as_bytes() == name)
}

fn call_says(at: usize, call: &Call, parent: MemberIx, lines: &mut Lines<'_>) -> CallSays {
    let mut says = CallSays { call: at, ..CallSays::default() };
    let stored = call.call_row.and_then(|row| lines(parent, row));
    let mut arguments = stored.as_deref().and_then(arguments_of_call);
    if arguments.is_none() {
        let message = call.message_row.and_then(|row| lines(parent, row));
        arguments = message.as_deref().and_then(|line| arguments_of_block(line, call.block));
    }
    if let Some(arguments) = arguments {
        says.read_arguments(&arguments);
    }
    let settled = matches!(call.basis, Basis::Result | Basis::ResultAfterRecovery);
    if let Some(line) = call.result_row.filter(|_| settled).and_then(|row| lines(parent, row)) {
        says.read_result(&line);
    }
    says
}

impl CallSays {
    fn read_arguments(&mut self, arguments: &[u8]) {
        let Ok(arguments) = Value::parse(arguments) else { return };
        let text = |key| arguments.text(key).map(|text: Text<'_>| text.decode().into_owned());
        self.description = text("description");
        self.prompt = text("prompt").filter(|prompt| !prompt.is_empty());
    }

    fn read_result(&mut self, line: &[u8]) {
        let Ok(spans) = Spans::parse(line) else { return };
        let message = spans.value().path(&["data", "message"]).and_then(|message| message.get("content"));
        let mut text = Vec::new();
        if let Some(content) = message {
            texts_of(content, &mut text);
        }
        self.only_started = text.starts_with(b"started ");
        self.result = text;
    }
}

/// Texts of content blocks and of the blocks inside a result block, one after the other.
fn texts_of(content: Value<'_>, out: &mut Vec<u8>) {
    if let Some(text) = content.as_text() {
        out.extend_from_slice(&text.decode());
    }
    for block in content.items() {
        if let Some(text) = block.text("text") {
            out.extend_from_slice(&text.decode());
            out.push(b'\n');
        }
        for inner in block.get("content").into_iter().flat_map(Value::items) {
            if let Some(text) = inner.text("text") {
                out.extend_from_slice(&text.decode());
                out.push(b'\n');
            }
        }
    }
}

fn arguments_of_call(line: &[u8]) -> Option<Vec<u8>> {
    let spans = Spans::parse(line).ok()?;
    let arguments = spans.value().path(&["data", "arguments"])?;
    Some(arguments.as_text()?.decode().into_owned())
}

fn arguments_of_block(line: &[u8], block: u32) -> Option<Vec<u8>> {
    let spans = Spans::parse(line).ok()?;
    let content = spans.value().path(&["data", "message", "content"])?;
    let is_call = |found: &Value<'_>| found.text("type").is_some_and(|kind| kind.is("tool-call"));
    let found = content.items().filter(is_call).nth(block as usize)?;
    Some(found.text("arguments")?.decode().into_owned())
}

/// Records after what a fork copied that name a child.
fn named(session: &Session, parent: MemberIx, first_own: RowIx, lines: &mut Lines<'_>) -> Vec<Named> {
    let mut out = Vec::new();
    // Run and number of a workflow's child → its id.
    let mut started: HashMap<(WireText, i64), WireText> = HashMap::default();
    let rows = session.index.rows.iter_from(first_own).filter(|(_, row)| names_a_child(row.kind));
    for (row, found) in rows.take(MOST_RECORDS) {
        let Some(line) = lines(parent, row) else { continue };
        let Ok(spans) = Spans::parse(&line) else { continue };
        let Some(data) = spans.value().get("data") else { continue };
        let wire = |value: Value<'_>, key: &str| value.text(key).map(Text::to_wire);
        let run = || Some((wire(data, "runId")?, data.integer("seq")?));
        let (how, child, label) = match found.kind {
            Kind::SubagentCatalog => (Naming::Catalog, wire(data, "childId"), wire(data, "label")),
            Kind::WorkflowAgentStart => {
                let child = wire(data, "childId");
                if let (Some(run), Some(child)) = (run(), &child) {
                    started.insert(run, child.clone());
                }
                (Naming::AgentStart, child, wire(data, "label"))
            }
            Kind::WorkflowAgentEnd => (Naming::AgentEnd, run().and_then(|run| started.get(&run).cloned()), None),
            Kind::TeamMember => {
                let member = data.get("member");
                let child = member.and_then(|member| wire(member, "id"));
                (Naming::TeamMember, child, member.and_then(|member| wire(member, "name")))
            }
            Kind::UserMessage => {
                // The message itself is the data in the oldest logs.
                let message = data.get("message").unwrap_or(data);
                let source = message.get("source");
                let settled =
                    source.filter(|source| source.text("kind").is_some_and(|kind| kind.is("subagent-settled")));
                (Naming::Settled, settled.and_then(|source| wire(source, "senderSessionId")), None)
            }
            _ => continue,
        };
        out.extend(child.map(|child| Named { child, row, how, label }));
    }
    out
}

/// Types of records that can name a child.
fn names_a_child(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::SubagentCatalog
            | Kind::WorkflowAgentStart
            | Kind::WorkflowAgentEnd
            | Kind::TeamMember
            | Kind::UserMessage
    )
}

fn child_says(session: &Session, child: MemberIx, first_own: RowIx, lines: &mut Lines<'_>) -> ChildSays {
    let mut says = ChildSays::default();
    let rows = session.index.rows.iter_from(first_own).take(MOST_LINES_BEFORE_PROMPT);
    for (row, found) in rows {
        let wanted = match found.kind {
            Kind::SubagentDescriptor => says.label.is_none(),
            Kind::UserMessage => says.prompt.is_none(),
            _ => false,
        };
        let Some(line) = wanted.then(|| lines(child, row)).flatten() else { continue };
        let Ok(spans) = Spans::parse(&line) else { continue };
        let Some(data) = spans.value().get("data") else { continue };
        if found.kind == Kind::SubagentDescriptor {
            says.label = data.text("label").map(Text::to_wire);
            continue;
        }
        let message = data.get("message").unwrap_or(data);
        let kind = message.get("source").and_then(|source| source.text("kind"));
        if kind.is_some_and(|kind| kind.is("user")) {
            let mut text = Vec::new();
            if let Some(content) = message.get("content") {
                texts_of(content, &mut text);
            }
            says.prompt = Some(text);
            // The descriptor stands before the first prompt, or there is none.
            break;
        }
    }
    says
}
