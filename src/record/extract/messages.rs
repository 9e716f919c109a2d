//! Bodies of messages, calls and results, every version's shapes (docs/FORMAT.md section 5).

use super::admission::{self, MessageParts};
use super::changes;
use super::streamed::{of_stream, usage};
use super::{FAILURE_BYTES, MESSAGE_BYTES, integer, place, wire, wire_or_empty};
use crate::record::admission::{Admission, Oddity};
use crate::record::event::{Arguments, Body, Failure, Hints, RecoveryId, Request};
use crate::record::json::{Hasher, Text, Value};
use crate::text::sanitize::hidden_characters;
use crate::text::wire::WireText;
use std::borrow::Cow;

/// `user/message` (its data is the message) and `steering/message` (in `message`, or like the other).
pub(super) fn user(data: Value<'_>, notes: &mut Admission) -> Body {
    let [message, id, role, content, source] = data.pick(["message", "id", "role", "content", "source"]);
    let [inner_id, inner_role, inner_content, inner_source] =
        message.map_or([None; 4], |message| message.pick(["id", "role", "content", "source"]));
    let is_old = id.or(role).or(message).is_none() && content.is_some() && source.is_some();
    let (id, role, source) = (id.or(inner_id), role.or(inner_role), source.or(inner_source));
    let parts = MessageParts { id, role, source, content: content.or(inner_content) };
    let tag = admission::message(notes, &parts);
    notes.oddities.add_if(is_old, Oddity::OldMessage);
    admission::blocks(&mut notes.oddities, parts.content);
    notes.links = admission::checkpoint(source, tag);
    let [kind, call, sender] = source.map_or([None; 3], |source| source.pick(["kind", "callId", "senderSessionId"]));
    Body::UserMessage {
        source: wire(kind),
        from: wire(call).or_else(|| wire(sender)),
        text: content.or(inner_content).map_or_else(WireText::default, first_text),
    }
}

/// The first text block of a content, cut. Content that is a string is a text itself.
fn first_text(content: Value<'_>) -> WireText {
    if let Some(text) = content.as_text() {
        return text.to_wire_upto(MESSAGE_BYTES);
    }
    let text = content.items().find_map(|block| {
        let [tag, text] = block.pick(["type", "text"]);
        if is(tag, "text") { text.and_then(Value::as_text) } else { None }
    });
    text.map_or_else(WireText::default, |text| text.to_wire_upto(MESSAGE_BYTES))
}

/// `assistant/message`.
pub(super) fn assistant(data: Value<'_>, hints: &mut Hints, notes: &mut Admission) -> Body {
    let [turn, step, message, content, tokens, interrupted, stream, provenance] =
        data.pick(["turn", "step", "message", "content", "usage", "interrupted", "stream", "provenance"]);
    if stream.is_some() {
        hints.add(Hints::STREAM);
    }
    let [id, role, source, inner_content] =
        message.map_or([None; 4], |message| message.pick(["id", "role", "source", "content"]));
    let is_old = message.is_none() && content.is_some() && provenance.is_some();
    let content = inner_content.or(content);
    let source = source.or(provenance);
    let tag = admission::message(notes, &MessageParts { id, role, source, content });
    notes.oddities.add_if(is_old, Oddity::OldMessage);
    notes.oddities.add_if(!(is_old || is(tag, "model")) || !admission::has_route(source), Oddity::NoModel);
    notes.oddities.add_if(!stream.is_some_and(Value::is_array), Oddity::NoStream);
    let mut requests = Vec::new();
    let mut text_chars = 0u32;
    for block in content.into_iter().flat_map(Value::items) {
        let [tag, text, id, name, arguments] = block.pick(["type", "text", "id", "name", "arguments"]);
        admission::block(&mut notes.oddities, tag);
        if is(tag, "text") {
            text_chars = text_chars.saturating_add(text.and_then(Value::as_text).map_or(0, Text::chars));
        } else if is(tag, "tool-call") {
            requests.push(Request { id: wire_or_empty(id), name: wire_or_empty(name), arguments: judged(arguments) });
        }
    }
    Body::Message {
        place: place(turn, step),
        requests,
        usage: tokens.and_then(usage).map(Box::new),
        interrupted: interrupted.is_some_and(Value::is_true),
        stream: stream.filter(|stream| stream.is_array()).map(|stream| Box::new(of_stream(stream))),
        text_chars,
    }
}

/// `assistant/attempt`.
pub(super) fn attempt(data: Value<'_>, hints: &mut Hints, notes: &mut Admission) -> Body {
    hints.add(Hints::STREAM);
    let [turn, step, stream] = data.pick(["turn", "step", "stream"]);
    notes.oddities.add_if(!stream.is_some_and(Value::is_array), Oddity::NoStream);
    Body::Attempt { place: place(turn, step), stream: Box::new(stream.map(of_stream).unwrap_or_default()) }
}

/// `developer/message`.
pub(super) fn developer(data: Value<'_>) -> Body {
    let [turn, step, message, header] = data.pick(["turn", "step", "message", "headerSeq"]);
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for block in message.and_then(|message| message.get("content")).into_iter().flat_map(Value::items) {
        let [tag, name] = block.pick(["type", "toolName"]);
        if is(tag, "tool-addition") {
            added.push(wire_or_empty(name));
        } else if is(tag, "tool-removal") {
            removed.push(wire_or_empty(name));
        }
    }
    Body::DeveloperMessage { place: place(turn, step), added, removed, header_seq: integer(header) }
}

/// `tool/call`.
pub(super) fn call(data: Value<'_>) -> Body {
    let [turn, step, id, name, arguments] = data.pick(["turn", "step", "callId", "name", "arguments"]);
    Body::Call {
        place: place(turn, step),
        id: wire_or_empty(id),
        name: wire_or_empty(name),
        arguments: judged(arguments),
        path: changes::written_path(name, arguments),
    }
}

/// Bytes of an argument text that is judged: the text of a longer one takes no memory.
const MOST_JUDGED: usize = 8 << 20;

/// The raw argument text; arguments that are no string count as they are written.
fn judged(arguments: Option<Value<'_>>) -> Arguments {
    let Some(value) = arguments else { return Arguments::default() };
    let text = match value.as_text() {
        Some(text) if text.escaped().len() > MOST_JUDGED => {
            return Arguments { print: text.fingerprint(), ..Arguments::default() };
        }
        Some(text) => text.decode(),
        None => Cow::Borrowed(value.raw()),
    };
    let mut hasher = Hasher::default();
    hasher.push_bytes(&text);
    Arguments {
        print: hasher.finish(),
        not_json: !text.is_empty() && Value::parse(&text).is_err(),
        hidden: may_hide(&text) && !hidden_characters(&text).is_empty(),
    }
}

/// Whether a text has an escape, or anything but letters of the scripts that are most written: those hide nothing, and
/// to look closely at each of them would take longer than all the rest.
fn may_hide(text: &[u8]) -> bool {
    let Ok(chars) = simdutf8::basic::from_utf8(text) else { return true };
    // Without leaving early, so that many are compared at a time.
    let is_plain = text.chunks(256).all(|chunk| chunk.iter().fold(true, |plain, byte| plain & is_plain_ascii(*byte)));
    (!is_plain && !chars.chars().all(is_plain_char)) || memchr::memmem::find(text, b"\\u").is_some()
}

fn is_plain_ascii(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n')
}

/// Printable ASCII, letters of Western Europe, kana, hanzi, hangul, and the punctuation that goes with them.
pub(super) fn is_plain_char(char: char) -> bool {
    u8::try_from(char).is_ok_and(is_plain_ascii)
        || matches!(char, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{ff}')
        || matches!(char, '\u{3001}' | '\u{3002}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
        || matches!(char, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
        || matches!(char, '\u{ff01}' | '\u{ff08}' | '\u{ff09}' | '\u{ff0c}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}')
}

/// `tool/result`: the flag and the id are in the message, in its one block, or (oldest logs) in the data.
pub(super) fn result(data: Value<'_>, hints: &mut Hints, notes: &mut Admission) -> Body {
    let [turn, step, message, error, data_id, data_flag, data_content, meta] =
        data.pick(["turn", "step", "message", "error", "callId", "isError", "content", "meta"]);
    let [message_id, role, source, call_id, flag, content] =
        message.map_or([None; 6], |message| message.pick(["id", "role", "source", "toolCallId", "isError", "content"]));
    if is(role, "tool") {
        hints.add(Hints::ROLE_TOOL);
    }
    let mut items = content.into_iter().flat_map(Value::items);
    let [tag, block_id, block_flag, block_content] =
        items.next().map_or([None; 4], |block| block.pick(["type", "toolCallId", "isError", "content"]));
    let is_block = is(tag, "tool-result");
    let (block_id, block_flag) = if is_block { (block_id, block_flag) } else { (None, None) };
    let [source_kind, source_id] = source.map_or([None; 2], |source| source.pick(["kind", "callId"]));
    admission::message(notes, &MessageParts { id: message_id, role, source, content });
    let odd = &mut notes.oddities;
    let is_old = message.is_none() && data_id.is_some() && data_content.is_some() && data_flag.is_some();
    odd.add_if(is_old, Oddity::OldMessage);
    odd.add_if(!is(source_kind, "tool") && !is_old, Oddity::NoToolSource);
    odd.add_if(is_block, Oddity::ResultBlock);
    let rest = items.next();
    odd.add_if(!is_block || rest.is_some() || !block_content.is_some_and(Value::is_array), Oddity::NotOneBlock);
    for more in rest.into_iter().chain(items) {
        odd.add_if(is(more.get("type"), "tool-result"), Oddity::ResultBlock);
    }
    odd.add_if(!same_text(block_id, source_id), Oddity::OtherBlockCall);
    odd.add_if(!same_text(call_id, source_id), Oddity::OtherMessageCall);
    odd.add_if(error.is_some() && !block_flag.is_some_and(Value::is_true), Oddity::UnflaggedBlockError);
    odd.add_if(error.is_some() && !flag.is_some_and(Value::is_true), Oddity::UnflaggedMessageError);
    let id = [source_id, call_id, block_id, data_id].into_iter().flatten().find_map(Value::as_text);
    Body::Result {
        place: place(turn, step),
        recovery: recovery(message_id.and_then(Value::as_text), id),
        id: id.map(Text::to_wire),
        is_error: [flag, block_flag, data_flag].into_iter().flatten().any(Value::is_true),
        failure: error.and_then(failure_box),
        changes: meta.and_then(changes::told),
    }
}

/// Two strings with the same text.
fn same_text(one: Option<Value<'_>>, other: Option<Value<'_>>) -> bool {
    match (one.and_then(Value::as_text), other.and_then(Value::as_text)) {
        (Some(one), Some(other)) => one.escaped() == other.escaped() || one.decode() == other.decode(),
        _ => false,
    }
}

/// Whether a message id is `<prefix><call id>-<seq>`. The seq is that of the time of writing, so its value says nothing.
fn recovery(message_id: Option<Text<'_>>, call_id: Option<Text<'_>>) -> RecoveryId {
    let (Some(message_id), Some(call_id)) = (message_id, call_id) else {
        return RecoveryId::None;
    };
    for (prefix, found) in
        [("interrupted-tool-result-", RecoveryId::Interrupted), ("forked-tool-result-", RecoveryId::Forked)]
    {
        // Prefixes hold nothing that needs an escape; an escaped one is not how the harness writes it.
        if !message_id.escaped().starts_with(prefix.as_bytes()) {
            continue;
        }
        let message_id = message_id.decode();
        let rest = message_id.get(prefix.len()..).and_then(|rest| rest.strip_prefix(&*call_id.decode()));
        if let Some([b'-', digits @ ..]) = rest
            && !digits.is_empty()
            && digits.iter().all(u8::is_ascii_digit)
        {
            return found;
        }
    }
    RecoveryId::None
}

/// `LlmFailure`, or the error of a result; `None` where it is no object.
pub(super) fn failure_box(value: Value<'_>) -> Option<Box<Failure>> {
    if !value.is_object() {
        return None;
    }
    let [code, name, status, message] = value.pick(["code", "name", "status", "message"]);
    Some(Box::new(Failure {
        code: wire(code),
        name: wire(name),
        status: integer(status),
        message: message.and_then(Value::as_text).map(|text| text.to_wire_upto(FAILURE_BYTES)),
    }))
}

/// Whether a value is that string.
pub(super) fn is(value: Option<Value<'_>>, text: &str) -> bool {
    value.and_then(Value::as_text).is_some_and(|found| found.is(text))
}
