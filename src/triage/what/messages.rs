//! Messages and their content blocks.

use std::borrow::Cow;

use super::line::{Line, MOST_BYTES};
use super::mark::Mark;
use super::told::{Told, name, tool_name};
use crate::text::number::size;
use crate::text::role::Role;
use crate::text::sanitize::one_line;
use crate::triage::peek::Peek;

/// What the content of a message holds, each sort by itself.
#[derive(Debug, Default)]
pub(crate) struct Blocks<'a> {
    /// Text blocks, a newline between two; cut at the limit asked for.
    pub(crate) text: Vec<u8>,
    /// Reasoning blocks, as the text.
    pub(crate) reasoning: Vec<u8>,
    /// Tool-call blocks.
    pub(crate) calls: Vec<Peek<'a>>,
    /// Images.
    pub(crate) images: Vec<Peek<'a>>,
    /// Files.
    pub(crate) files: Vec<Peek<'a>>,
    /// Names of tools added, and of tools removed.
    pub(crate) added: Vec<Cow<'a, [u8]>>,
    /// Names of tools removed.
    pub(crate) removed: Vec<Cow<'a, [u8]>>,
    /// Blocks of any other type, as stored.
    pub(crate) others: Vec<Peek<'a>>,
}

impl<'a> Blocks<'a> {
    /// Sorts the blocks of a content array; at most `max` bytes of text and of reasoning.
    pub(crate) fn of(content: Peek<'a>, max: usize) -> Blocks<'a> {
        let mut blocks = Blocks::default();
        // Pre-identity logs may hold a plain string.
        if let Some(text) = content.text(max) {
            blocks.text = text.into_owned();
        }
        for block in content.items() {
            let kind = block.text_of("type", 64).unwrap_or_default();
            match &*kind {
                b"text" => append(&mut blocks.text, block, max),
                b"reasoning" => append(&mut blocks.reasoning, block, max),
                b"tool-call" => blocks.calls.push(block),
                b"image" => blocks.images.push(block),
                b"file" => blocks.files.push(block),
                b"tool-addition" => blocks.added.extend(block.text_of("toolName", MOST_BYTES)),
                b"tool-removal" => blocks.removed.extend(block.text_of("toolName", MOST_BYTES)),
                _ => blocks.others.push(block),
            }
        }
        blocks
    }
}

fn append(out: &mut Vec<u8>, block: Peek<'_>, max: usize) {
    let room = max.saturating_sub(out.len());
    if let Some(text) = block.text_of("text", room) {
        if !out.is_empty() && room > 0 {
            out.push(b'\n');
        }
        out.extend_from_slice(&text);
    }
}

/// The content of the message in an event's `data`.
fn content(told: &Told<'_>) -> Option<Vec<u8>> {
    let message = told.data.get("message").unwrap_or(told.data);
    Some(Blocks::of(message.get("content")?, MOST_BYTES).text)
}

/// The object that holds `toolCallId`, `content` and `isError` of a result: the wrapper block before version 4, the
/// message from then on, the data of the oldest logs.
pub(crate) fn result_message(data: Peek<'_>) -> Peek<'_> {
    let Some(message) = data.get("message") else { return data };
    let first = message.get("content").and_then(|content| content.items().into_iter().next());
    match first {
        Some(block) if block.says("type", "tool-result") => block,
        _ => message,
    }
}

/// The content blocks of a result.
pub(crate) fn result_content(data: Peek<'_>) -> Option<Peek<'_>> {
    result_message(data).get("content")
}

/// A plugin's name without the scope of its package: `@deepseek-ai/dsh-system-prompt` is `dsh-system-prompt`.
fn plugin_name(name: &str) -> &str {
    match name.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
        Some((_, short)) if !short.is_empty() => short,
        _ => name,
    }
}

/// Where a message that no person wrote came from: producer and form.
fn source_words(source: Peek<'_>) -> String {
    let kind = name(source, "kind");
    let plugin = name(source, "plugin");
    let producer = if kind == "plugin" && !plugin.is_empty() { plugin } else { kind };
    let sender = name(source, "senderName");
    let form = name(source, "form");
    let parts = [plugin_name(&producer), &sender, &form];
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

pub(super) fn user(told: &Told<'_>, line: &mut Line) -> Mark {
    let source = told.data.get("source");
    let is_person = source.is_none_or(|source| source.says("kind", "user"));
    if let Some(source) = source.filter(|_| !is_person) {
        line.add(&source_words(source)).add(":");
    }
    let blocks = told.data.get("content").map(|content| Blocks::of(content, MOST_BYTES)).unwrap_or_default();
    let images = blocks.images.len() as u64;
    let files = blocks.files.len() as u64;
    let mut counted = Vec::new();
    if images > 0 {
        counted.push(told.count("images", images));
    }
    if files > 0 {
        counted.push(told.count("files", files));
    }
    line.part(&counted.join(", "));
    if !blocks.text.is_empty() || counted.is_empty() {
        line.quote(if counted.is_empty() { " " } else { "  " }, &blocks.text);
    }
    Mark::None
}

pub(super) fn steering(told: &Told<'_>, line: &mut Line) -> Mark {
    line.quote("", &content(told).unwrap_or_default());
    Mark::None
}

pub(super) fn assistant(told: &Told<'_>, line: &mut Line) -> Mark {
    let message = told.data.get("message").unwrap_or(told.data);
    let blocks = message.get("content").map(|content| Blocks::of(content, MOST_BYTES)).unwrap_or_default();
    if told.data.is_true("interrupted") {
        line.push(&told.say("interrupted", &[]), Role::Warn);
    }
    if !blocks.calls.is_empty() {
        let names = blocks.calls.iter().take(50).map(|call| tool_name(*call));
        let names: Vec<String> = names.collect();
        let counted = told.count("calls", blocks.calls.len() as u64);
        line.apart(&format!("{counted}: {}", names.join(", ")));
    }
    if !blocks.text.is_empty() {
        line.quote("  ", &blocks.text);
    }
    if line.is_empty() {
        if blocks.reasoning.is_empty() {
            line.add(&told.say("no_text", &[]));
        } else {
            line.add(&told.say("reasoning_only", &[])).quote(" ", &blocks.reasoning);
        }
    }
    Mark::None
}

pub(super) fn system(told: &Told<'_>, line: &mut Line) -> Mark {
    let message = told.data.get("message").unwrap_or(told.data);
    let bytes = message.get("content").map_or(0, text_bytes);
    if bytes == 0 {
        line.add(&told.say("no_prompt", &[]));
    } else {
        line.add(&told.say("prompt_size", &[("size", &size(bytes))]));
    }
    Mark::None
}

/// Bytes of all text blocks of a content array, as far as they are there.
pub(super) fn text_bytes(content: Peek<'_>) -> u64 {
    content.items().into_iter().filter_map(|block| block.get("text")).map(text_length).sum()
}

/// Bytes of a decoded string, as far as it is there.
pub(super) fn text_length(text: Peek<'_>) -> u64 {
    match text {
        Peek::Whole(value) => value.as_text().map_or(0, |text| text.fingerprint().bytes),
        Peek::Cut(raw) => raw.len() as u64,
    }
}

pub(super) fn developer(told: &Told<'_>, line: &mut Line) -> Mark {
    let message = told.data.get("message").unwrap_or(told.data);
    let blocks = message.get("content").map(|content| Blocks::of(content, MOST_BYTES)).unwrap_or_default();
    let mut changes = Vec::new();
    for (sign, tools) in [("+", &blocks.added), ("-", &blocks.removed)] {
        if !tools.is_empty() {
            let names: Vec<String> = tools.iter().take(50).map(|tool| one_line(tool, 200)).collect();
            changes.push(format!("{sign} {}", names.join(", ")));
        }
    }
    let changes = changes.join("  ");
    match told.data.integer("headerSeq") {
        Some(seq) => line.add(&told.say("tools_changed", &[("changes", &changes), ("seq", &seq.to_string())])),
        None => line.add(&changes),
    };
    if !blocks.text.is_empty() {
        line.quote("  ", &blocks.text);
    }
    Mark::None
}
