//! Calls, results and sub-calls.

use std::borrow::Cow;

use similar::{ChangeTag, TextDiff};

use super::calls::{CallPart, Link};
use super::first_line::{first_line, first_line_of};
use super::line::{Line, MOST_BYTES};
use super::mark::{Mark, call_mark, state_mark, sub_call_mark};
use super::messages::{Blocks, result_content, result_message};
use super::told::{Told, name, tool_name};
use crate::session::row::{Flags, RowIx};
use crate::text::number::{duration, size};
use crate::text::role::Role;
use crate::text::sanitize::{display_name, one_line};
use crate::text::width::{columns, cut_end, short_call_id, short_path};
use crate::triage::facts::Call;
use crate::triage::peek::Peek;

/// Columns of a path before the figures of a change.
const PATH_COLUMNS: usize = 60;

/// Bytes of a hunk that is decoded for counting.
pub(crate) const MOST_HUNK_BYTES: usize = 1 << 20;

/// Lines of both sides of a hunk up to which they are compared for counting: the cost grows with the square.
const MOST_LINES: usize = 2_000;

fn call_of<'a>(told: &Told<'a>) -> Option<(&'a Call, CallPart)> {
    match told.calls.of(told.ix)? {
        Link::Call(at, part) => Some((told.session.facts.calls.get(at as usize)?, part)),
        _ => None,
    }
}

pub(super) fn call(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&tool_name(told.data)).part(&short_call_id(&told.name("callId")));
    let arguments = told.data.get("arguments");
    let whole = arguments.is_some_and(|text| text.is_whole() && text.raw().len() <= MOST_BYTES);
    let text = arguments.and_then(|text| text.text(MOST_BYTES)).unwrap_or_default();
    let name = told.data.text_of("name", 300).unwrap_or_default();
    line.apart(&first_line(&name, &text, whole, told.words, line.max()));
    call_of(told).map_or(Mark::None, |(call, _)| call_mark(call))
}

pub(super) fn result(told: &Told<'_>, line: &mut Line) -> Mark {
    let known = call_of(told);
    if let Some((call, _)) = known {
        line.part(&display_name(call.name.as_bytes()));
    }
    line.part(&short_call_id(&result_call_id(told.data)));
    let code = told.data.get("error").map_or_else(String::new, |error| name(error, "code"));
    line.apart(&code);
    let summary = if code.is_empty() { by_meta(told) } else { None };
    let summary = summary.unwrap_or_else(|| by_content(told));
    // That it is a rewrite is never cut off: the text before it is.
    let rewrite = replaces(told);
    let room = line.room().saturating_sub(columns(&rewrite) + 4);
    let summary = if rewrite.is_empty() { summary } else { cut_end(&summary, room) };
    line.apart(&summary);
    if let Some((call, CallPart::Result)) = known {
        took(told, call, line);
    }
    line.apart_in(&rewrite, Role::Accent);
    match known {
        Some((call, CallPart::Recovery)) => {
            call.recovery().map(|recovery| recovery.state).map_or(Mark::Look, state_mark)
        }
        Some((call, _)) => call_mark(call),
        None => Mark::Look,
    }
}

/// `REPLACES 88` of a result that takes the place of others; empty of any other.
fn replaces(told: &Told<'_>) -> String {
    if !told.row.flags.has(Flags::REPLACES) {
        return String::new();
    }
    let operation = told.event.get("surfaceOp");
    let start = operation.and_then(|op| op.integer("start").or_else(|| op.integer("startSeq")));
    let seq = start.map_or_else(|| "?".to_owned(), |seq| seq.to_string());
    told.say("replaces", &[("seq", &seq)])
}

/// How long a call took, where the gap to the row before does not say it already.
fn took(told: &Told<'_>, call: &Call, line: &mut Line) {
    let directly_after = call.call_row.is_some_and(|row| RowIx(row.0.saturating_add(1)) == told.ix);
    if let (Some(start), Some(end), false) = (call.call_time.get(), call.result_time.get(), directly_after) {
        line.figure(", ", &duration(end.saturating_sub(start)));
    }
}

/// The id of the call that a result belongs to, printable.
pub(super) fn result_call_id(data: Peek<'_>) -> String {
    let by_source = data.path(&["message", "source", "callId"]);
    let by_wrapper = || result_message(data).get("toolCallId");
    let by_data = || data.get("callId");
    let found = by_source.or_else(by_wrapper).or_else(by_data);
    found.map_or_else(String::new, |id| one_line(&id.plain(MOST_BYTES), 200))
}

/// A result in figures, as its `meta` has them; recognised by shape.
fn by_meta(told: &Told<'_>) -> Option<String> {
    let meta = told.data.get("meta")?;
    let items = |key: &str| meta.get(key).filter(|value| value.raw().first() == Some(&b'[')).map(Peek::items);
    if let Some(diffs) = items("diffs") {
        return if diffs.is_empty() { created(told, meta) } else { changed(told, &diffs) };
    }
    let total = || meta.integer("total").and_then(|total| u64::try_from(total).ok());
    if meta.says("shape", "matches") {
        let files = items("files")?;
        let in_files: usize = files.iter().filter_map(|file| file.get("matches")).map(|list| list.items().len()).sum();
        let matches = told.count("matches", total().unwrap_or(in_files as u64));
        let files = told.count("files", files.len() as u64);
        return Some(told.say("matches_in_files", &[("matches", &matches), ("files", &files)]));
    }
    if meta.says("shape", "paths") {
        return Some(
            told.count("paths", total().unwrap_or_else(|| items("paths").map_or(0, |list| list.len() as u64))),
        );
    }
    if let Some(lines) = items("lines") {
        return Some(told.say_count("read_lines", lines.len() as u64, &[]));
    }
    if let Some(sources) = items("sources") {
        return Some(told.say_count("sources", sources.len() as u64, &[]));
    }
    None
}

/// `path +n -m` of a change; `n files +n -m` of several.
fn changed(told: &Told<'_>, diffs: &[Peek<'_>]) -> Option<String> {
    let first = diffs.first()?.text_of("path", MOST_BYTES)?;
    let mut counts = Some((0, 0));
    let mut paths = vec![first.clone()];
    for diff in diffs {
        let path = diff.text_of("path", MOST_BYTES)?;
        let text = |key: &str| diff.text_of(key, usize::MAX).unwrap_or_default();
        let small = diff.is_whole() && diff.raw().len() <= MOST_HUNK_BYTES;
        let here = small.then(|| diff_counts(&text("oldText"), &text("newText"))).flatten();
        counts = counts.zip(here).map(|((a, r), (added, removed))| (a + added, r + removed));
        if paths.len() < 100 && !paths.contains(&path) {
            paths.push(path);
        }
    }
    let what = match paths.as_slice() {
        [one] => short_path(&one_line(one, 300), PATH_COLUMNS),
        several => told.count("files", several.len() as u64),
    };
    Some(counts.map_or_else(|| what.clone(), |(added, removed)| format!("{what} +{added} -{removed}")))
}

/// Lines added and removed between two texts; `None` for texts too long to compare for a row of a list.
pub(crate) fn diff_counts(old: &[u8], new: &[u8]) -> Option<(u64, u64)> {
    let lines = memchr::memchr_iter(b'\n', old).count() + memchr::memchr_iter(b'\n', new).count();
    if lines > MOST_LINES {
        return None;
    }
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (old, new) = (ended(&old), ended(&new));
    let diff = TextDiff::from_lines(old.as_ref(), new.as_ref());
    let mut counts = (0, 0);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => counts.0 += 1,
            ChangeTag::Delete => counts.1 += 1,
            ChangeTag::Equal => {}
        }
    }
    Some(counts)
}

/// The text with a newline at its end, so that its last line is not told apart from the same line with one.
fn ended(text: &str) -> Cow<'_, str> {
    if text.is_empty() || text.ends_with('\n') { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) }
}

/// A write without hunks: a created file, or an overwrite that changed nothing.
fn created(told: &Told<'_>, meta: Peek<'_>) -> Option<String> {
    let text = Blocks::of(result_content(told.data)?, MOST_BYTES).text;
    let path = between(&text, b"<path>", b"</path>").map(|path| under_cwd(told, path));
    let path = path.map_or_else(String::new, |path| short_path(&one_line(path, 300), PATH_COLUMNS));
    let is_new = meta.says("operation", "create")
        || between(&text, b"<content>\n", b" file").is_some_and(|word| word == b"Created");
    let word = told.say(if is_new { "created" } else { "unchanged" }, &[]);
    Some(if path.is_empty() { word } else { format!("{path} {word}") })
}

fn between<'t>(text: &'t [u8], open: &[u8], close: &[u8]) -> Option<&'t [u8]> {
    let start = memchr::memmem::find(text, open)? + open.len();
    let rest = text.get(start..)?;
    rest.get(..memchr::memmem::find(rest, close)?)
}

/// A path below the session's working directory, from there on: as the model writes it.
fn under_cwd<'t>(told: &Told<'_>, path: &'t [u8]) -> &'t [u8] {
    let cwd = told.session.facts.header.as_ref().and_then(|header| header.cwd.as_ref());
    let rest = cwd.and_then(|cwd| path.strip_prefix(cwd.as_bytes()));
    rest.and_then(|rest| rest.strip_prefix(b"/")).filter(|rest| !rest.is_empty()).unwrap_or(path)
}

/// The first line of a result's content, or what stands there instead of text.
fn by_content(told: &Told<'_>) -> String {
    let content = result_content(told.data).or_else(|| told.data.get("content"));
    let Some(content) = content else { return String::new() };
    let blocks = Blocks::of(content, MOST_BYTES);
    let mut parts = Vec::new();
    if !blocks.images.is_empty() {
        parts.push(told.count("images", blocks.images.len() as u64));
    }
    if !blocks.files.is_empty() {
        parts.push(told.count("files", blocks.files.len() as u64));
    }
    if !blocks.text.is_empty() {
        parts.push(one_line(&blocks.text, 2_000));
    } else if parts.is_empty() {
        parts.push(size(0));
    }
    parts.join("  ")
}

/// `:n` of a sub-call id, `:n:m` of one below a sub-call: the numbers alone.
pub(crate) fn sub_call_number(id: &str, root: &str) -> String {
    let rest = id.strip_prefix(root).unwrap_or(id);
    let numbers: Vec<&str> =
        rest.split(':').filter(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())).collect();
    if numbers.is_empty() { format!(" {}", short_call_id(id)) } else { format!(":{}", numbers.join(":")) }
}

fn sub_call_head(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("name")).part(sub_call_number(&told.name("subCallId"), &told.name("rootCallId")).trim_start());
    match told.calls.of(told.ix) {
        Some(Link::SubCall(at, _)) => told.session.facts.sub_calls.get(at as usize).map_or(Mark::None, sub_call_mark),
        _ => Mark::None,
    }
}

pub(super) fn sub_call(told: &Told<'_>, line: &mut Line) -> Mark {
    let mark = sub_call_head(told, line);
    let name = told.data.text_of("name", 300).unwrap_or_default();
    if let Some(arguments) = told.data.get("arguments") {
        line.apart(&first_line_of(&name, arguments, told.words, line.max()));
    }
    mark
}

pub(super) fn sub_result(told: &Told<'_>, line: &mut Line) -> Mark {
    let mark = sub_call_head(told, line);
    line.apart(&told.data.get("error").map_or_else(String::new, |error| name(error, "code")));
    line.apart(&by_content(told));
    mark
}
