//! The text of a message, block by block.

use super::needs::{is_attempt, run_before};
use super::page::{Form, Page, Style};
use super::result::{attachment, length};
use super::stream::{embedded_text, run_text};
use super::subject::Subject;
use super::{markdown, value};
use crate::session::row::RowIx;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::short_call_id;
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::peek::Peek;
use crate::triage::what::first_line;

/// Blocks of a message that are shown.
const MOST_BLOCKS: usize = 1_000;

pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    match subject {
        Subject::Message(row) => {
            of_message(page, row);
            super::stream::dropped_calls(page, subject);
        }
        Subject::Run(run) => {
            run_text(page, run);
            super::stream::dropped_calls(page, subject);
        }
        _ => page.words("text.none", &[]),
    }
}

fn of_message(page: &mut Page<'_>, row: RowIx) {
    let Some(data) = page.detail.data(row) else { return page.loading() };
    let message = data.get("message").unwrap_or(data);
    source(page, message);
    let Some(content) = message.get("content") else {
        // An attempt has no message: its text is what it streamed, inside of it or in the lines before it.
        let run = run_before(row, page.detail.session);
        return match (data.get("stream"), run) {
            (Some(stream), _) => embedded_text(page, stream),
            (None, Some(run)) if is_attempt(row, page.detail.session) => run_text(page, run),
            (None, _) => page.words("text.none", &[]),
        };
    };
    let blocks = content.items();
    if let Some(text) = content.text(page.detail.limit) {
        return page.block(&text, length(content, &text), Style::default());
    }
    if blocks.is_empty() {
        page.words("text.none", &[]);
    }
    for block in blocks.into_iter().take(MOST_BLOCKS) {
        one(page, block);
    }
}

/// Who or what the message came from.
fn source(page: &mut Page<'_>, message: Peek<'_>) {
    let Some(source) = message.get("source") else { return };
    let parts: Vec<String> = source
        .fields()
        .into_iter()
        .take(20)
        .filter(|(_, value)| !matches!(value.raw().first(), Some(b'{' | b'[')))
        .map(|(key, value)| format!("{} {}", one_line(&key.decode_upto(100), 40), one_line(&value.plain(400), 100)))
        .collect();
    let line = DocLine { overflow: Overflow::Cut, ..DocLine::of(parts.join("   "), Role::Dim) };
    page.push(line);
}

fn one(page: &mut Page<'_>, block: Peek<'_>) {
    let kind = block.text_of("type", 200).unwrap_or_default();
    match &*kind {
        b"text" | b"reasoning" => {
            let is_text = &*kind == b"text";
            let text = block.text_of("text", page.detail.limit).unwrap_or_default();
            let total = block.get("text").map_or(0, |found| length(found, &text));
            if !is_text {
                page.blank();
                let title = page.say("text.reasoning", &[]);
                page.line(title, Role::Dim);
            }
            let role = if is_text { Role::Normal } else { Role::Dim };
            let first = page.doc.lines.len();
            page.block(&text, total, Style { role, indent: if is_text { 0 } else { 2 }, ..Style::default() });
            if is_text && let Some(lines) = page.doc.lines.get_mut(first..) {
                markdown::style(lines);
            }
            if is_text && total == text.len() as u64 {
                page.doc.value.get_or_insert_with(|| text.into_owned().into());
            }
        }
        b"tool-call" => call(page, block),
        b"image" => attachment(page, block, "result.image_line"),
        b"file" => attachment(page, block, "result.file_line"),
        b"tool-addition" | b"tool-removal" => {
            let sign = if &*kind == b"tool-addition" { '+' } else { '-' };
            let name = block.text_of("toolName", 600).unwrap_or_default();
            page.line(format!("{sign} {}", one_line(&name, 200)), Role::Normal);
        }
        _ => value::pretty(page, block, Form::Pretty),
    }
}

fn call(page: &mut Page<'_>, block: Peek<'_>) {
    let text = |key: &str| block.text_of(key, 8_000).unwrap_or_default();
    let (name, id, arguments) = (text("name"), text("id"), text("arguments"));
    let about = first_line(&name, &arguments, arguments.len() < 8_000, page.detail.words, 400);
    let spans = vec![
        Span::new(format!("{} ", page.say("text.call", &[])), Role::Dim),
        Span::new(one_line(&name, 100), Role::Strong),
        Span::plain(format!(" {}  {about}", short_call_id(&one_line(&id, 200)))),
    ];
    page.push(DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() });
}
