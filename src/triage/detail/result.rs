//! A result: its text with escapes made visible, error, pictures and files, `meta`, rewrites.

use super::arguments::no_result_key;
use super::page::{Form, Page, Style, at_row, seq_text};
use super::subject::Subject;
use super::value;
use crate::record::json::Shape;
use crate::session::row::RowIx;
use crate::text::number::size;
use crate::text::role::{Role, Span};
use crate::text::sanitize::{display, one_line};
use crate::triage::facts::{Basis, Call};
use crate::triage::peek::Peek;
use crate::triage::what::{Blocks, result_content, result_message};

pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    match subject {
        Subject::Call(at) => match page.detail.session.facts.calls.get(at) {
            Some(call) => of_call(page, call),
            None => page.words("detail.nothing_selected", &[]),
        },
        Subject::SubCall(at) => {
            let Some(call) = page.detail.session.facts.sub_calls.get(at) else {
                return page.words("detail.nothing_selected", &[]);
            };
            match call.settle_row {
                Some(row) => one(page, row, call.settle_seq),
                None => page.words("result.none_unknown", &[]),
            }
        }
        _ => page.words("detail.nothing_selected", &[]),
    }
}

fn of_call(page: &mut Page<'_>, call: &Call) {
    let Some(row) = call.result_row else {
        page.words(no_result_key(call), &[]);
        if let Some(row) = call.recovery().map(|recovery| recovery.row) {
            one(page, row, call.recovery().and_then(|recovery| recovery.seq));
        }
        return;
    };
    if call.basis == Basis::Recorded {
        let text = page.say("result.recorded", &[]);
        page.line(text, Role::Warn);
    }
    for rewrite in call.replaced_rows().iter().take(20) {
        let seq = page.detail.index().rows.get(*rewrite).and_then(crate::session::row::Row::seq).map(|seq| seq.0);
        let text = page.say("result.replaced", &[("seq", &seq_text(seq))]);
        page.title(text, Vec::new(), at_row(Some(*rewrite)));
        one(page, *rewrite, seq);
        page.blank();
    }
    one(page, row, call.result_seq.get());
    if let Some(row) = call.recovery().map(|recovery| recovery.row) {
        page.blank();
        let text = page.say("result.recorded", &[]);
        page.line(text, Role::Warn);
        one(page, row, call.recovery().and_then(|recovery| recovery.seq));
    }
}

/// One result record.
fn one(page: &mut Page<'_>, row: RowIx, seq: Option<i64>) {
    let Some(data) = page.detail.data(row) else { return page.loading() };
    let content = result_content(data).or_else(|| data.get("content"));
    let bytes = content.map_or(0, text_bytes);
    let blocks = content.map(|content| Blocks::of(content, page.detail.limit)).unwrap_or_default();
    let words = page.detail.words;
    let counted = words.count("count.bytes", bytes);
    let lines = memchr::memchr_iter(b'\n', blocks.text.trim_ascii_end()).count() as u64 + 1;
    let title = if lines > 1 {
        let lines = words.count("count.lines", lines);
        page.say("result.title_lines", &[("seq", &seq_text(seq)), ("bytes", &counted), ("lines", &lines)])
    } else {
        page.say("result.title", &[("seq", &seq_text(seq)), ("bytes", &counted)])
    };
    let right = error_words(page, data);
    page.title(title, right, at_row(Some(row)));
    if bytes == 0 {
        let text = page.say("result.empty", &[]);
        page.line(text, Role::Dim);
    } else {
        page.block(&blocks.text, bytes, Style::default());
        if bytes <= page.detail.limit as u64 {
            page.doc.value.get_or_insert_with(|| blocks.text.clone().into());
        }
    }
    for image in &blocks.images {
        attachment(page, *image, "result.image_line");
    }
    for file in &blocks.files {
        attachment(page, *file, "result.file_line");
    }
    for other in &blocks.others {
        value::pretty(page, *other, Form::Pretty);
    }
    if let Some(meta) = data.get("meta").filter(|meta| meta.shape() != Some(Shape::Null)) {
        page.blank();
        let title = page.say("result.meta", &[]);
        page.line(title, Role::Dim);
        value::pretty(page, meta, Form::Pretty);
    }
}

/// The error flag, code and name.
fn error_words(page: &Page<'_>, data: Peek<'_>) -> Vec<Span> {
    let is_error = result_message(data).is_true("isError")
        || data.get("message").is_some_and(|message| message.is_true("isError"))
        || data.is_true("isError");
    let error = data.get("error");
    let text = |key: &str| error.and_then(|error| error.get(key)).map(|found| one_line(&found.plain(600), 120));
    let mut spans = Vec::new();
    match (is_error, text("code")) {
        (true, None) => spans.push(Span::new(page.say("result.no_code", &[]), Role::Bad)),
        (true, Some(code)) => {
            spans.push(Span::new(page.say("result.is_error", &[]), Role::Bad));
            spans.push(Span::new(format!("   {}", page.say("result.code", &[("code", &code)])), Role::Bad));
        }
        (false, Some(code)) => spans.push(Span::new(page.say("result.code", &[("code", &code)]), Role::Warn)),
        (false, None) => {}
    }
    for (key, word) in [("name", "name"), ("reason", "reason")] {
        if let Some(found) = text(key) {
            spans.push(Span::plain(format!("   {}", page.say(&format!("result.{word}"), &[(word, &found)]))));
        }
    }
    spans
}

/// An image or a file on one line: name, type, size, measures, id. Nothing is opened.
pub(super) fn attachment(page: &mut Page<'_>, block: Peek<'_>, key: &str) {
    let Some(attached) = block.get("attachment") else { return value::pretty(page, block, Form::Pretty) };
    let text = |name: &str| attached.text_of(name, 600).map(|text| display(&text));
    let mut parts: Vec<String> = [text("name"), text("mediaType")].into_iter().flatten().collect();
    if let Some(bytes) = attached.integer("bytes").and_then(|bytes| u64::try_from(bytes).ok()) {
        parts.push(size(bytes));
    }
    if let (Some(width), Some(height)) = (attached.integer("width"), attached.integer("height")) {
        parts.push(format!("{width}x{height}"));
    }
    parts.extend(text("attachmentId"));
    if block.is_true("offloaded") {
        parts.push(page.say("result.offloaded", &[]));
    }
    let line = page.say(key, &[("what", &parts.join("  "))]);
    page.line(line, Role::Normal);
}

/// Bytes of all text of a content array.
fn text_bytes(content: Peek<'_>) -> u64 {
    if let Some(Shape::String) = content.shape() {
        return length(content, &[]);
    }
    let texts =
        content.items().into_iter().filter(|block| block.says("type", "text")).filter_map(|block| block.get("text"));
    texts.map(|text| length(text, &[])).sum()
}

/// Bytes of a decoded text; of a cut one at least what is at hand.
pub(super) fn length(text: Peek<'_>, decoded: &[u8]) -> u64 {
    match text {
        Peek::Whole(value) => value.as_text().map_or(value.raw().len() as u64, |text| text.fingerprint().bytes),
        Peek::Cut(raw) => (raw.len() as u64).max(decoded.len() as u64),
    }
}
