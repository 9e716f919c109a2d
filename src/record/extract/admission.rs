//! What is odd about the shape of an event, and what it refers to: see [`crate::record::admission`].

use super::messages::is;
use super::{integer, wire};
use crate::record::admission::{Admission, Compaction, Links, Oddities, Oddity, Role};
use crate::record::json::Value;
use crate::record::kinds::Kind;

/// The parts of a message that the harness looks at.
#[derive(Default)]
pub(super) struct MessageParts<'a> {
    pub(super) id: Option<Value<'a>>,
    pub(super) role: Option<Value<'a>>,
    pub(super) source: Option<Value<'a>>,
    pub(super) content: Option<Value<'a>>,
}

/// A string that is not empty.
fn is_named(value: Option<Value<'_>>) -> bool {
    value.and_then(Value::as_text).is_some_and(|text| !text.is_empty())
}

/// Notes what every message has: id, role, source, content. The kind of its source is handed back.
pub(super) fn message<'a>(admission: &mut Admission, parts: &MessageParts<'a>) -> Option<Value<'a>> {
    let odd = &mut admission.oddities;
    odd.add_if(!is_named(parts.id), Oddity::NoMessageId);
    odd.add_if(!parts.content.is_some_and(Value::is_array), Oddity::NoContent);
    admission.role = parts.role.map_or(Role::Other, role);
    let kind = parts.source.and_then(|source| source.get("kind"));
    admission.oddities.add_if(!is_named(kind), Oddity::NoSource);
    admission.oddities.add_if(is(kind, "plugin"), Oddity::PluginSource);
    kind
}

fn role(value: Value<'_>) -> Role {
    let Some(text) = value.as_text() else {
        return Role::Other;
    };
    [
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("tool", Role::Tool),
        ("system", Role::System),
        ("developer", Role::Developer),
    ]
    .into_iter()
    .find_map(|(name, role)| text.is(name).then_some(role))
    .unwrap_or_default()
}

/// Notes the type of a content block outside a developer message.
pub(super) fn block(odd: &mut Oddities, tag: Option<Value<'_>>) {
    odd.add_if(is(tag, "tool-result"), Oddity::ResultBlock);
    odd.add_if(is(tag, "tool-addition") || is(tag, "tool-removal"), Oddity::ToolChange);
}

/// Notes the types of all blocks of a content.
pub(super) fn blocks(odd: &mut Oddities, content: Option<Value<'_>>) {
    for item in content.into_iter().flat_map(Value::items) {
        block(odd, item.get("type"));
    }
}

/// Whether an object names a provider and a model.
pub(super) fn has_route(value: Option<Value<'_>>) -> bool {
    let [provider, model] = value.map_or([None; 2], |value| value.pick(["provider", "model"]));
    is_named(provider) && is_named(model)
}

/// Notes what is particular to types other than messages, calls and results.
pub(super) fn data(kind: Kind, data: Value<'_>, admission: &mut Admission) {
    match kind {
        Kind::TurnStart => admission.oddities.add_if(is_odd_start(data), Oddity::OddTurn),
        Kind::TurnEnd => admission.oddities.add_if(is_odd_end(data), Oddity::OddTurn),
        Kind::RequestHeader => request_header(data, &mut admission.oddities),
        Kind::SystemMessage => system(data, admission),
        Kind::DeveloperMessage => developer(data, admission),
        _ => admission.links = links(kind, data).map(Box::new),
    }
}

fn links(kind: Kind, data: Value<'_>) -> Option<Links> {
    Some(match kind {
        Kind::LlmRetry => {
            let [provider, key] = data.pick(["provider", "policyKey"]);
            Links::Policy { provider: wire(provider), key: wire(key) }
        }
        Kind::CompactionStart | Kind::CompactionSummary | Kind::CompactionEnd | Kind::CompactionPrune => {
            Links::Compaction(compaction(data))
        }
        Kind::SessionTitle | Kind::SessionTitleLlmRequest => Links::Titled(data.get("messageSeqs").and_then(integers)),
        Kind::CommandDone => Links::Effect(integer(Some(data.get("sourceEventSeq")?))),
        Kind::DeliveryAccepted => {
            let [session, through, version] = data.pick(["sessionId", "throughSeq", "sessionFormatVersion"]);
            let version = if version.is_none() { Some(0) } else { integer(version) };
            Links::Delivery { session: wire(session), through: integer(through), version }
        }
        _ => return None,
    })
}

fn compaction(data: Value<'_>) -> Compaction {
    let [id, command, turn, error, range, shadowed] =
        data.pick(["compactionId", "sourceCommandId", "turn", "error", "shadowedRange", "shadowedSeqs"]);
    let [start, end] = range.map_or([None; 2], |range| range.pick(["start", "end"]));
    Compaction {
        id: wire(id),
        command: wire(command),
        turn: integer(turn),
        failed: error.is_some(),
        range: integer(start).zip(integer(end)),
        shadowed: shadowed.and_then(integers).unwrap_or_default(),
    }
}

/// The owner that a replacing message names in its source, where it is a compaction's.
pub(super) fn checkpoint(source: Option<Value<'_>>, kind: Option<Value<'_>>) -> Option<Box<Links>> {
    let source = source?;
    let is_one = is(kind, "compact-checkpoint") || (is(kind, "plugin") && is(source.get("plugin"), "compact"));
    is_one.then(|| {
        let [id, command] = source.pick(["compactionId", "sourceCommandId"]);
        Box::new(Links::Compaction(Compaction { id: wire(id), command: wire(command), ..Compaction::default() }))
    })
}

/// A list of integers; `None` for anything else.
fn integers(value: Value<'_>) -> Option<Box<[i64]>> {
    if !value.is_array() {
        return None;
    }
    value.items().map(Value::as_i64).collect()
}

/// Whether an object has all the required keys and no others than those and the optional ones.
fn has_keys(value: Value<'_>, required: &[&str], optional: &[&str]) -> bool {
    let known = value.fields().all(|(key, _)| required.iter().chain(optional).any(|name| key.is(name)));
    known && required.iter().all(|name| value.get(name).is_some())
}

fn is_positive(value: Option<Value<'_>>) -> bool {
    integer(value).is_some_and(|number| number >= 1)
}

/// The oldest builds wrote a `trigger` beside the turn; that shape must be whole.
fn is_odd_start(data: Value<'_>) -> bool {
    let [turn, trigger] = data.pick(["turn", "trigger"]);
    let Some(trigger) = trigger else { return false };
    !(is_positive(turn) && has_keys(data, &["turn", "trigger"], &[]) && is_named(trigger.get("kind")))
}

fn is_odd_end(data: Value<'_>) -> bool {
    if !data.is_object() {
        return false;
    }
    let [turn, reason] = data.pick(["turn", "reason"]);
    let Some(reason) = reason.filter(|reason| reason.is_object()) else {
        return true;
    };
    let Some(kind) = reason.get("kind").and_then(Value::as_text) else {
        return true;
    };
    if !is_positive(turn) || !has_keys(data, &["turn", "reason"], &[]) {
        return true;
    }
    match &*kind.decode_upto(16) {
        b"completed" | b"blocked" | b"max-tokens" | b"interrupted" | b"disposed" => !has_keys(reason, &["kind"], &[]),
        b"aborted" => reason.get("reason").is_none() && !has_keys(reason, &["kind"], &[]),
        b"error" => reason.get("error").is_none() && !is_old_error(reason),
        _ => false,
    }
}

/// The two shapes in which the oldest builds wrote an error.
fn is_old_error(reason: Value<'_>) -> bool {
    let [step, failure, message, code] = reason.pick(["step", "failure", "message", "code"]);
    if integer(step).is_none_or(|step| step < 0) {
        return false;
    }
    let wrapped = failure.is_some_and(|failure| {
        let [code, message] = failure.pick(["code", "message"]);
        has_keys(reason, &["kind", "step", "failure"], &[])
            && has_keys(failure, &["message", "code"], &["status", "providerRetryAfterMs", "requestId"])
            && code.and_then(Value::as_text).is_some()
            && message.and_then(Value::as_text).is_some()
    });
    let flat = has_keys(reason, &["kind", "step", "message"], &["code"])
        && message.and_then(Value::as_text).is_some()
        && code.is_none_or(|code| code.as_text().is_some());
    wrapped || flat
}

fn request_header(data: Value<'_>, odd: &mut Oddities) {
    let [header, reason] = data.pick(["header", "reason"]);
    let [config, tools] = header.map_or([None; 2], |header| header.pick(["config", "tools"]));
    odd.add_if(!has_route(config), Oddity::NoRoute);
    odd.add_if(tools.is_some_and(|tools| tools.is_array() && tools.items().next().is_none()), Oddity::EmptyTools);
    let known = ["initial", "resume", "change", "series"].into_iter().any(|known| is(reason, known));
    odd.add_if(!known, Oddity::OddReason);
}

fn system(data: Value<'_>, admission: &mut Admission) {
    let [id, role, source, content] =
        data.get("message").map_or([None; 4], |message| message.pick(["id", "role", "source", "content"]));
    message(admission, &MessageParts { id, role, source, content });
    blocks(&mut admission.oddities, content);
}

fn developer(data: Value<'_>, admission: &mut Admission) {
    let [header, wrapped] = data.pick(["headerSeq", "message"]);
    let [id, role, source, content] =
        wrapped.map_or([None; 4], |wrapped| wrapped.pick(["id", "role", "source", "content"]));
    message(admission, &MessageParts { id, role, source, content });
    let mut additions = false;
    for item in content.into_iter().flat_map(Value::items) {
        let [tag, name, tool] = item.pick(["type", "toolName", "tool"]);
        let adds = is(tag, "tool-addition");
        additions |= adds;
        let odd = (adds || is(tag, "tool-removal")) && !is_named(name) || adds && tool.is_some();
        admission.oddities.add_if(odd, Oddity::OddDeveloper);
        admission.oddities.add_if(is(tag, "tool-result"), Oddity::ResultBlock);
    }
    let fits = if additions { integer(header).is_some_and(|seq| seq >= 0) } else { header.is_none() };
    admission.oddities.add_if(!fits, Oddity::OddDeveloper);
}
