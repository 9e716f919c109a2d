//! The part of an event that is particular to its type, all but messages and streams.

use super::messages::{self, failure_box, is};
use super::{FAILURE_BYTES, integer, place, streamed, wire, wire_or_empty};
use crate::record::admission::Admission;
use crate::record::event::{Body, EndReason, Failure, Fingerprint, HeaderPrints, Hints, PairEnd, PairKind, Place};
use crate::record::json::{Hasher, Text, Value};
use crate::record::kinds::Kind;
use crate::text::wire::WireText;

/// Reads `data` as the type asks.
pub(super) fn of(kind: Kind, data: Option<Value<'_>>, hints: &mut Hints, notes: &mut Admission) -> Body {
    let data = data.unwrap_or_default();
    match kind {
        Kind::AssistantChunk => {
            hints.add(Hints::CHUNKS);
            let [turn, step, chunk] = data.pick(["turn", "step", "chunk"]);
            Body::Chunk { place: place(turn, step), streamed: Box::new(streamed::of_chunk(chunk)) }
        }
        Kind::AssistantMessage => messages::assistant(data, hints, notes),
        Kind::AssistantAttempt => messages::attempt(data, hints, notes),
        Kind::ToolCall => messages::call(data),
        Kind::ToolResult => messages::result(data, hints, notes),
        Kind::UserMessage | Kind::SteeringMessage => messages::user(data, notes),
        Kind::SystemMessage => {
            hints.add(Hints::SYSTEM_MESSAGE);
            Body::SystemMessage(place_of(data))
        }
        Kind::DeveloperMessage => messages::developer(data),
        Kind::TurnStart => Body::TurnStart { turn: data.integer("turn") },
        Kind::TurnEnd => turn_end(data),
        Kind::StepStart => Body::StepStart(place_of(data)),
        Kind::StepEnd => Body::StepEnd(place_of(data)),
        Kind::ToolCodeDispatchStart | Kind::ToolPtcDispatchStart => sub_call(data),
        Kind::ToolCodeDispatch | Kind::ToolPtcDispatch => sub_result(data),
        Kind::RequestHeader => request_header(data),
        Kind::RequestContext => {
            let [model, window] = data.pick(["model", "contextWindow"]);
            Body::Context { model: wire(model), window: integer(window) }
        }
        Kind::LlmRetry => retry(data),
        Kind::LlmRetryStarted => {
            let [id, turn, step, retry] = data.pick(["retryId", "turn", "step", "retry"]);
            Body::RetryStarted { id: wire_or_empty(id), place: place(turn, step), retry: integer(retry) }
        }
        _ => of_session(kind, data),
    }
}

/// Types outside turns and steps.
fn of_session(kind: Kind, data: Value<'_>) -> Body {
    match kind {
        Kind::ApprovalAsked => {
            let [id, tool, call, reason] = data.pick(["id", "toolName", "callId", "reason"]);
            let reason = reason.and_then(Value::as_text).map(|text| text.to_wire_upto(FAILURE_BYTES));
            Body::Asked { id: wire_or_empty(id), tool: wire(tool), call: wire(call), reason }
        }
        Kind::ApprovalDecided => {
            let [id, outcome] = data.pick(["id", "outcome"]);
            Body::Decided { id: wire_or_empty(id), outcome: wire(outcome) }
        }
        Kind::ApprovalPolicy => Body::Policy(wire(data.get("policy"))),
        Kind::SandboxMode => Body::Sandbox(wire(data.get("mode"))),
        Kind::PermissionPreset => Body::Preset(wire(data.get("preset"))),
        Kind::PlanMode => Body::Plan(data.get("active").and_then(Value::as_bool)),
        Kind::AgentPresetSelected => Body::AgentPreset(wire(data.get("agentPreset"))),
        Kind::SessionTitle => {
            let [title, source] = data.pick(["title", "source"]);
            Body::Title { title: wire(title), source: wire(source.and_then(|source| source.get("kind"))) }
        }
        Kind::TodoWrite => {
            let items = data.get("todos").into_iter().flat_map(Value::items);
            let (mut all, mut done) = (0u32, 0u32);
            for item in items {
                all = all.saturating_add(1);
                done += u32::from(is(item.get("status"), "completed"));
            }
            Body::Todo { items: all, done }
        }
        Kind::SessionEndSeed => Body::EndSeed { inherited: data.get("inherited").is_some_and(Value::is_true) },
        Kind::AgentInboxSpliced => inbox(data),
        Kind::CommandRun => {
            let [id, name] = data.pick(["commandId", "name"]);
            Body::CommandRun { id: wire_or_empty(id), name: wire(name) }
        }
        Kind::CommandDone => {
            let [id, kind] = data.pick(["commandId", "kind"]);
            Body::CommandDone { id: wire_or_empty(id), kind: wire(kind) }
        }
        Kind::SubagentDescriptor => {
            let [label, mode] = data.pick(["label", "mode"]);
            Body::Descriptor { label: wire(label), mode: wire(mode) }
        }
        Kind::SubagentCatalog => {
            let [child, label] = data.pick(["childId", "label"]);
            Body::Catalog { child: wire_or_empty(child), label: wire(label) }
        }
        _ => pair(kind, data).unwrap_or(Body::Other),
    }
}

fn place_of(data: Value<'_>) -> Place {
    let [turn, step] = data.pick(["turn", "step"]);
    place(turn, step)
}

fn turn_end(data: Value<'_>) -> Body {
    let [turn, reason] = data.pick(["turn", "reason"]);
    let Some(reason) = reason else {
        return Body::TurnEnd { turn: integer(turn), reason: EndReason::default() };
    };
    let [kind, inner, error, failure, code, message] =
        reason.pick(["kind", "reason", "error", "failure", "code", "message"]);
    // The oldest logs hold `failure`, or code and message beside the kind.
    let failure = error
        .and_then(failure_box)
        .or_else(|| failure.and_then(failure_box))
        .or_else(|| (code.is_some() || message.is_some()).then(|| failure_box(reason)).flatten());
    Body::TurnEnd {
        turn: integer(turn),
        reason: EndReason { kind: wire(kind), by: wire(inner.and_then(|inner| inner.get("kind"))), failure },
    }
}

fn sub_call(data: Value<'_>) -> Body {
    let [root, parent, id, name] = data.pick(["rootCallId", "parentCallId", "subCallId", "name"]);
    Body::SubCall {
        parent: wire_or_empty(parent),
        root: wire_or_empty(root),
        id: wire_or_empty(id),
        name: wire_or_empty(name),
    }
}

fn sub_result(data: Value<'_>) -> Body {
    let [root, parent, id, name, flag, error] =
        data.pick(["rootCallId", "parentCallId", "subCallId", "name", "isError", "error"]);
    Body::SubResult {
        parent: wire_or_empty(parent),
        root: wire_or_empty(root),
        id: wire_or_empty(id),
        name: wire_or_empty(name),
        is_error: flag.is_some_and(Value::is_true),
        failure: error.and_then(failure_box),
    }
}

fn request_header(data: Value<'_>) -> Body {
    let [header, reason] = data.pick(["header", "reason"]);
    let [config, tools, system] = header.map_or([None; 3], |header| header.pick(["config", "tools", "system"]));
    let [provider, model] = config.map_or([None; 2], |config| config.pick(["provider", "model"]));
    Body::RequestHeader {
        provider: wire(provider),
        model: wire(model),
        tools: tools.into_iter().flat_map(Value::items).map(|tool| wire_or_empty(tool.get("name"))).collect(),
        reason: wire(reason),
        has_system: system.is_some(),
        prints: Box::new(HeaderPrints {
            system: system.and_then(Value::as_text).map(Text::fingerprint),
            config: written(config),
            tools: written(tools),
        }),
    }
}

/// Size and hash of a value as written.
fn written(value: Option<Value<'_>>) -> Fingerprint {
    let mut hasher = Hasher::default();
    if let Some(value) = value {
        hasher.push_bytes(value.raw());
    }
    hasher.finish()
}

fn retry(data: Value<'_>) -> Body {
    let [id, turn, step, retry, max, delay, failure] =
        data.pick(["retryId", "turn", "step", "retry", "maxRetries", "delayMs", "failure"]);
    Body::Retry {
        id: wire_or_empty(id),
        place: place(turn, step),
        retry: integer(retry),
        max: integer(max),
        // A wait may be recorded with a fraction; it is shown in whole milliseconds.
        delay_ms: delay.and_then(Value::as_f64).filter(|delay| delay.is_finite()).map(|delay| delay.round() as i64),
        failure: failure.and_then(failure_box).unwrap_or_else(|| Box::new(Failure::default())),
    }
}

fn inbox(data: Value<'_>) -> Body {
    let [target, start, removed, inserted, outcome] =
        data.pick(["target", "start", "removedCount", "inserted", "outcome"]);
    Body::Inbox {
        target: wire(target),
        start: integer(start),
        removed: integer(removed).unwrap_or_default(),
        inserted: inserted.map_or(0, |inserted| u32::try_from(inserted.items().count()).unwrap_or(u32::MAX)),
        cancelled: is(outcome, "canceled"),
    }
}

/// One end of a pair that is judged only as open or closed.
fn pair(kind: Kind, data: Value<'_>) -> Option<Body> {
    let (pair, end) = match kind {
        Kind::HookInvoked => (PairKind::Hook, PairEnd::Open),
        Kind::HookResult => (PairKind::Hook, PairEnd::Close),
        Kind::CompactionStart | Kind::CompactStart => (PairKind::Compaction, PairEnd::Open),
        Kind::CompactionEnd | Kind::CompactEnd => (PairKind::Compaction, PairEnd::Close),
        Kind::WorkflowRunStart => (PairKind::WorkflowRun, PairEnd::Open),
        Kind::WorkflowRunEnd => (PairKind::WorkflowRun, PairEnd::Close),
        Kind::WorkflowAgentStart => (PairKind::WorkflowAgent, PairEnd::Open),
        Kind::WorkflowAgentEnd => (PairKind::WorkflowAgent, PairEnd::Close),
        Kind::TeamMessageQueued => (PairKind::TeamMessage, PairEnd::Open),
        Kind::TeamMessageDelivered => (PairKind::TeamMessage, PairEnd::Close),
        _ => return None,
    };
    let key = match pair {
        PairKind::Hook => key(&data.pick(["turn", "point", "handlerId"])),
        PairKind::Compaction => key(&[data.get("compactionId")]),
        PairKind::WorkflowRun => key(&[data.get("runId")]),
        PairKind::WorkflowAgent => key(&data.pick(["runId", "seq"])),
        PairKind::TeamMessage if end == PairEnd::Open => key(&[data.path(&["message", "id"])]),
        PairKind::TeamMessage => key(&[data.get("messageId")]),
    };
    Some(Body::Pair { pair, end, key })
}

/// Parts joined by a NUL; a part that is missing is empty.
fn key(parts: &[Option<Value<'_>>]) -> WireText {
    let mut joined = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            joined.push(0);
        }
        if let Some(value) = part {
            match (value.as_text(), value.as_i64()) {
                (Some(text), _) => joined.extend_from_slice(&text.decode()),
                (None, Some(number)) => joined.extend_from_slice(number.to_string().as_bytes()),
                (None, None) => {}
            }
        }
    }
    WireText::from_bytes(joined)
}
