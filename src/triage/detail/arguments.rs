//! Arguments under the glass: the text byte for byte, whether it is JSON, what it hides, whether its copies agree.

use std::borrow::Cow;
use std::sync::Arc;

use super::page::{Form, Page, Style, at_row, seq_text};
use super::stream::{self, StreamedArguments};
use super::subject::Subject;
use super::{diff, fault, hidden, value};
use crate::record::json::{JsonError, Shape, Value, prefix};
use crate::session::row::{EventRef, Row};
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::columns;
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::facts::{Call, CallState};
use crate::triage::peek::Peek;
use crate::triage::what::{Blocks, Known, first_line, known};

/// Bytes up to which a text is checked for being JSON although only its start is shown.
const MOST_CHECKED: usize = 1 << 20;

/// Columns of a line under which a caret is put; a longer one is shown around the place.
const CARET_COLUMNS: usize = 72;

/// One copy of the arguments.
struct Copy<'a> {
    text: Cow<'a, [u8]>,
    /// Bytes of the whole text.
    total: u64,
    /// `text` is all of it.
    whole: bool,
}

pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    match subject {
        Subject::Call(at) => match page.detail.session.facts.calls.get(at) {
            Some(call) => of_call(page, call),
            None => page.words("detail.nothing_selected", &[]),
        },
        Subject::SubCall(at) => of_sub_call(page, at),
        _ => page.words("detail.nothing_selected", &[]),
    }
}

fn of_call(page: &mut Page<'_>, call: &Call) {
    let most = page.detail.limit.max(MOST_CHECKED);
    let at_call = call.call_row.and_then(|row| page.detail.data(row)).and_then(|data| data.get("arguments"));
    let at_call = at_call.and_then(|text| copy_of(text, most));
    let at_message = call.message_row.and_then(|row| page.detail.data(row));
    let at_message =
        at_message.and_then(|data| message_block(data, call.block)).and_then(|block| block.get("arguments"));
    let at_message = at_message.and_then(|text| copy_of(text, most));
    let (seq, row) = match call.call_row {
        Some(row) => (call.call_seq, Some(row)),
        None => (call.message_seq, call.message_row),
    };
    // Without a `tool/call` the message has the only copy.
    let main = if call.call_row.is_some() { at_call.as_ref() } else { at_message.as_ref() };
    let Some(main) = main else { return page.loading() };
    let streamed = stream::arguments_of(page, call, most);
    let streamed = streamed.filter(|streamed| streamed.text.len() < most);
    // The pieces are compared with what the message kept of them.
    let odd = at_message
        .as_ref()
        .filter(|message| message.whole)
        .is_some_and(|message| streamed.as_ref().is_some_and(|streamed| streamed.text != *message.text));
    about(page, call.name.as_bytes(), main);
    let known = streamed.is_some();
    let error = raw_title(page, main, seq.get(), at_row(row), &agreement(page, call, known, odd));
    body(page, main, error.as_ref());
    if let (Some(streamed), Some(message), true) = (&streamed, &at_message, odd) {
        pieces(page, call, streamed, message);
    }
    if call.arguments_differ
        && let (Some(message), Some(call_copy)) = (&at_message, &at_call)
    {
        copies(page, call, message, call_copy);
    }
    if call.approvals().is_empty() {
        page.blank();
        let text = page.say("approval.none_asked_short", &[]);
        page.line(text, Role::Dim);
    }
}

fn copy_of(text: Peek<'_>, most: usize) -> Option<Copy<'_>> {
    let decoded = text.text(most)?;
    let total = super::result::length(text, &decoded);
    Some(Copy { whole: text.is_whole() && total == decoded.len() as u64, total, text: decoded })
}

/// The tool-call block of a message, by its place among the tool-call blocks.
pub(super) fn message_block(data: Peek<'_>, block: u32) -> Option<Peek<'_>> {
    let message = data.get("message").unwrap_or(data);
    Blocks::of(message.get("content")?, 0).calls.into_iter().nth(block as usize)
}

/// What the call is about, in the words of its tool.
fn about(page: &mut Page<'_>, name: &[u8], copy: &Copy<'_>) {
    let Some(peek) = Peek::line(&copy.text) else { return };
    if copy.whole && !peek.is_whole() {
        return;
    }
    let mut right = Vec::new();
    let text = match known(name, peek) {
        Known::Command(command) => {
            if let Some(description) = peek.text_of("description", 2_000) {
                right.push(Span::plain(format!("\"{}\"", one_line(&description, 60))));
            }
            format!("$ {}", one_line(&command, 4_000))
        }
        Known::Raw | Known::Text(_) => return,
        _ => first_line(name, &copy.text, copy.whole, page.detail.words, 4_000),
    };
    page.push(DocLine { right, indent: 2, ..DocLine::of(text, Role::Strong) });
    page.push(DocLine::blank());
}

/// Which copies there are, and whether they say the same.
fn agreement(page: &Page<'_>, call: &Call, has_stream: bool, is_odd: bool) -> Span {
    let differ = call.arguments_differ || call.stream_differs == Some(true) || is_odd;
    let key = match (call.message_row.is_some(), call.call_row.is_some()) {
        _ if differ => return Span::new(page.say("arguments.copies_differ", &[]), Role::Bad),
        (true, true) if has_stream || call.stream_differs.is_some() => "arguments.copies_agree",
        (true, true) => "arguments.copies_agree_no_stream",
        (true, false) => "arguments.only_message",
        (false, _) => "arguments.only_call",
    };
    Span::plain(page.say(key, &[]))
}

/// The title over the raw text, with what is known of it at the right. Gives the error where it is no JSON.
fn raw_title(
    page: &mut Page<'_>,
    copy: &Copy<'_>,
    seq: Option<i64>,
    target: Option<EventRef>,
    agree: &Span,
) -> Option<JsonError> {
    let words = page.detail.words;
    let bytes = words.count("count.bytes", copy.total);
    let lines = memchr::memchr_iter(b'\n', &copy.text).count() as u64 + 1;
    let seq = seq_text(seq);
    let title = if lines > 1 {
        let lines = words.count("count.lines", lines);
        page.say("arguments.raw_lines", &[("seq", &seq), ("bytes", &bytes), ("lines", &lines)])
    } else {
        page.say("arguments.raw", &[("seq", &seq), ("bytes", &bytes)])
    };
    let (error, verdict) = verdict(page, copy);
    let mut right = vec![verdict];
    if !agree.text.is_empty() {
        right.extend([Span::plain("   "), agree.clone()]);
    }
    let marked = hidden::count(shown(page, copy));
    if marked > 0 {
        let text = page.say("arguments.marked", &[("n", &words.number(marked))]);
        right.extend([Span::plain("   "), Span::new(text, Role::Warn)]);
    }
    page.title(title, right, target);
    error
}

fn verdict(page: &Page<'_>, copy: &Copy<'_>) -> (Option<JsonError>, Span) {
    if copy.text.is_empty() {
        return (None, Span::new(page.say("arguments.empty", &[]), Role::Dim));
    }
    if !copy.whole {
        return (None, Span::new(page.say("arguments.not_checked", &[]), Role::Dim));
    }
    match Value::parse(&copy.text) {
        Ok(value) if value.shape() == Shape::Object => (None, Span::plain(page.say("arguments.valid_json", &[]))),
        Ok(_) => (None, Span::new(page.say("arguments.not_json_object", &[]), Role::Warn)),
        Err(error) => (Some(error), Span::new(page.say("arguments.not_json", &[]), Role::Bad)),
    }
}

fn shown<'c>(page: &Page<'_>, copy: &'c Copy<'_>) -> &'c [u8] {
    copy.text.get(..copy.text.len().min(page.detail.limit)).unwrap_or_default()
}

/// The text in the form asked for, and what goes with it.
fn body(page: &mut Page<'_>, copy: &Copy<'_>, error: Option<&JsonError>) {
    page.doc.value = copy.whole.then(|| Arc::from(&*copy.text));
    let peek = Peek::line(&copy.text).filter(|peek| peek.is_whole());
    if let (Form::Pretty | Form::Tree, Some(peek)) = (page.detail.form, peek) {
        value::pretty(page, peek, page.detail.form);
    } else {
        let style = Style { numbered: true, ..Style::default() };
        let before = page.doc.lines.len();
        page.block(shown(page, copy), copy.total, style);
        if let Some(error) = error {
            explain(page, copy, error, before);
        }
        // What one does not see comes before what one has just read.
        hidden::table(page, shown(page, copy));
        if let (None, Some(peek)) = (error, peek) {
            if hidden::count(shown(page, copy)) > 0 {
                page.blank();
            }
            value::short_fields(page, peek);
        }
        return;
    }
    hidden::table(page, shown(page, copy));
}

/// Arguments that only a stream has, and where they fail to be JSON: most were cut.
pub(super) fn of_stream(page: &mut Page<'_>, text: &[u8], total: u64) {
    let copy = Copy { text: Cow::Borrowed(text), total, whole: total == text.len() as u64 };
    let before = page.doc.lines.len();
    page.block(text, total, Style { numbered: true, ..Style::default() });
    if let (true, Err(error)) = (copy.whole, Value::parse(text)) {
        explain(page, &copy, &error, before);
    }
    hidden::table(page, text);
}

/// The caret under the place, the sentence, and what parses up to there.
fn explain(page: &mut Page<'_>, copy: &Copy<'_>, error: &JsonError, first: usize) {
    let text: &[u8] = &copy.text;
    let place = fault::spot(text, error.offset);
    let before = text.get(place.line_start..error.offset).unwrap_or_default();
    let line_end =
        memchr::memchr(b'\n', text.get(error.offset..).unwrap_or_default()).map_or(text.len(), |at| error.offset + at);
    let after = text.get(error.offset..line_end).unwrap_or_default();
    let several = memchr::memchr(b'\n', text).is_some();
    let drawn = one_line(before, CARET_COLUMNS * 2);
    let caret = |blanks: usize| DocLine {
        overflow: Overflow::Cut,
        ..DocLine::of(format!("{}^", " ".repeat(blanks)), Role::Bad)
    };
    if columns(&drawn) <= CARET_COLUMNS && error.offset <= page.detail.limit {
        let at = (first + place.line).min(page.doc.lines.len());
        page.doc.lines.insert(at, caret(columns(&drawn) + if several { 6 } else { 0 }));
    } else {
        // The text around the place, so that the caret stands under it whatever wraps.
        let mut start = before.len().saturating_sub(40);
        while start < before.len() && before.get(start).is_some_and(|byte| byte & 0xC0 == 0x80) {
            start += 1;
        }
        let head = format!("⋯{}", one_line(before.get(start..).unwrap_or_default(), CARET_COLUMNS));
        let blanks = columns(&head);
        let around = format!("{head}{}", one_line(after.get(..after.len().min(120)).unwrap_or_default(), 30));
        page.push(DocLine { overflow: Overflow::Cut, ..DocLine::of(around, Role::Normal) });
        page.push(caret(blanks));
    }
    let sentence = fault::sentence(page, text, error);
    page.line(sentence, Role::Bad);
    page.push(DocLine::blank());
    let parsed = prefix(text);
    if parsed.fields.is_empty() {
        return;
    }
    let title = page.say("arguments.pretty_none", &[]);
    page.line(title, Role::Dim);
    value::short_fields(page, Peek::Cut(text));
}

/// What was streamed, and what the message made of it.
fn pieces(page: &mut Page<'_>, call: &Call, streamed: &StreamedArguments, message: &Copy<'_>) {
    page.blank();
    let seq = page.detail.index().rows.get(streamed.row).and_then(Row::seq).map(|seq| seq.0);
    let text = page.say("arguments.stream_says", &[("seq", &seq_text(seq))]);
    let right = vec![Span::new(page.say("arguments.copies_differ", &[]), Role::Bad)];
    page.title(text, right, at_row(Some(streamed.row)));
    let old = streamed.text.get(..streamed.text.len().min(page.detail.limit)).unwrap_or_default();
    diff::unified(page, old, shown(page, message));
    let text = page.say("arguments.message_kept", &[("seq", &seq_text(call.message_seq.get()))]);
    page.title(text, Vec::new(), at_row(call.message_row));
}

/// Two copies that differ, one above the other.
fn copies(page: &mut Page<'_>, call: &Call, message: &Copy<'_>, at_call: &Copy<'_>) {
    page.blank();
    let seq = seq_text(call.message_seq.get());
    let text = page.say("arguments.message_says", &[("seq", &seq)]);
    page.title(text, vec![Span::new(page.say("arguments.copies_differ", &[]), Role::Bad)], at_row(call.message_row));
    let (old, new) = (shown(page, message), shown(page, at_call));
    diff::unified(page, old, new);
    let seq = seq_text(call.call_seq.get());
    let text = page.say("arguments.call_says", &[("seq", &seq)]);
    page.title(text, Vec::new(), at_row(call.call_row));
}

/// Arguments of a sub-call are a value, not a text.
fn of_sub_call(page: &mut Page<'_>, at: usize) {
    let Some(call) = page.detail.session.facts.sub_calls.get(at) else {
        return page.words("detail.nothing_selected", &[]);
    };
    let data = call.start_row.or(call.settle_row).and_then(|row| page.detail.data(row));
    let Some(data) = data else { return page.loading() };
    let Some(arguments) = data.get("arguments") else { return page.words("arguments.empty_value", &[]) };
    let copy =
        Copy { text: Cow::Borrowed(arguments.raw()), total: arguments.raw().len() as u64, whole: arguments.is_whole() };
    about(page, call.name.as_bytes(), &copy);
    let nothing = Span::default();
    let error = raw_title(page, &copy, call.start_seq, at_row(call.start_row), &nothing);
    body(page, &copy, error.as_ref());
}

/// Whether a call has no result for a reason that its state names.
pub(super) fn no_result_key(call: &Call) -> &'static str {
    match call.state {
        CallState::NotStarted => "result.none_not_started",
        CallState::OutcomeUnknown => "result.none_unknown",
        CallState::Completed | CallState::Failed => "result.none",
    }
}
