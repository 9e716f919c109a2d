//! What a call changed in files, as its result says; else as its arguments asked for.

use std::borrow::Cow;

use super::arguments::message_block;
use super::diff;
use super::page::{Form, Page, Style, at_row, seq_text};
use super::subject::Subject;
use crate::session::row::RowIx;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::triage::doc::DocLine;
use crate::triage::facts::{Call, SubCall};
use crate::triage::peek::Peek;
use crate::triage::what::{MOST_HUNK_BYTES, diff_counts};

/// Hunks that are shown; a rewrite of a tree has thousands.
const MOST_HUNKS: usize = 200;

pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    let facts = &page.detail.session.facts;
    match subject {
        Subject::Call(at) if at < facts.calls.len() => of_call(page, &facts.calls[at]),
        Subject::SubCall(at) if at < facts.sub_calls.len() => of_sub_call(page, &facts.sub_calls[at]),
        _ => page.words("changes.not_a_change", &[]),
    }
}

/// The result of a sub-call tells no hunks: what it was asked for is all there is.
fn of_sub_call(page: &mut Page<'_>, call: &SubCall) {
    let row = call.start_row.or(call.settle_row);
    let Some(data) = row.and_then(|row| page.detail.data(row)) else { return page.loading() };
    from_arguments(page, (call.start_seq.or(call.settle_seq), row), data.get("arguments"), false);
}

fn of_call(page: &mut Page<'_>, call: &Call) {
    let text = arguments_text(page, call);
    let arguments = text.as_deref().and_then(Peek::line);
    let data = call.result_row.and_then(|row| page.detail.data(row));
    if call.result_row.is_some() && data.is_none() {
        return page.loading();
    }
    let diffs = data.and_then(|data| data.path(&["meta", "diffs"])).filter(|diffs| diffs.raw().first() == Some(&b'['));
    let hunks = diffs.map(Peek::items).unwrap_or_default();
    if hunks.is_empty() {
        let at = (call.call_seq.or(call.message_seq).get(), call.call_row.or(call.message_row));
        return from_arguments(page, at, arguments, diffs.is_some());
    }
    let from = page.say("changes.from_meta", &[("seq", &seq_text(call.result_seq.get()))]);
    let mut rest = hunks.as_slice();
    while let Some(first) = rest.first() {
        let path = path_of(*first);
        let same = rest.iter().take_while(|hunk| path_of(**hunk) == path).count();
        let (file, after) = rest.split_at(same);
        file_title(page, &path, file, &from, call);
        for hunk in file.iter().take(MOST_HUNKS) {
            let side = |key: &str| hunk.text_of(key, page.detail.limit).unwrap_or_default();
            draw(page, &side("oldText"), &side("newText"));
        }
        page.more_hunks(file.len());
        page.blank();
        rest = after;
    }
    if let Some(arguments) = arguments {
        asked_for(page, arguments, &hunks);
    }
}

impl Page<'_> {
    fn more_hunks(&mut self, hunks: usize) {
        if hunks > MOST_HUNKS {
            let text = format!("⋯ {}", self.detail.words.count("count.hunks", (hunks - MOST_HUNKS) as u64));
            self.line(text, Role::Accent);
        }
    }
}

fn draw(page: &mut Page<'_>, old: &[u8], new: &[u8]) {
    if page.detail.form == Form::SideBySide {
        diff::side_by_side(page, old, new);
    } else {
        diff::unified(page, old, new);
    }
}

fn path_of(hunk: Peek<'_>) -> String {
    hunk.text_of("path", 4_000).map(|path| one_line(&path, 400)).unwrap_or_default()
}

/// `src/part111.js   1 hunk  +1 -1   from meta.diffs of seq 3088`.
fn file_title(page: &mut Page<'_>, path: &str, hunks: &[Peek<'_>], from: &str, call: &Call) {
    let mut counts = Some((0, 0));
    for hunk in hunks {
        let side = |key: &str| hunk.text_of(key, usize::MAX).unwrap_or_default();
        let small = hunk.is_whole() && hunk.raw().len() <= MOST_HUNK_BYTES;
        let here = small.then(|| diff_counts(&side("oldText"), &side("newText"))).flatten();
        counts = counts.zip(here).map(|((added, removed), (a, r))| (added + a, removed + r));
    }
    let hunks = page.detail.words.count("count.hunks", hunks.len() as u64);
    let text = match counts {
        Some((added, removed)) => {
            let (added, removed) = (added.to_string(), removed.to_string());
            page.say("changes.file", &[("path", path), ("hunks", &hunks), ("added", &added), ("removed", &removed)])
        }
        None => format!("{path}   {hunks}"),
    };
    let spans = vec![Span::new(text, Role::Strong), Span::new(format!("   {from}"), Role::Dim)];
    let key = if page.detail.form == Form::SideBySide { "changes.unified" } else { "changes.side_by_side" };
    let right = vec![Span::new(page.say(key, &[]), Role::Dim)];
    page.push(DocLine { spans, right, target: at_row(call.result_row), ..DocLine::default() });
}

fn arguments_text<'a>(page: &Page<'a>, call: &Call) -> Option<Cow<'a, [u8]>> {
    let most = page.detail.limit.saturating_mul(2);
    if let Some(row) = call.call_row {
        return page.detail.data(row)?.text_of("arguments", most);
    }
    message_block(page.detail.data(call.message_row?)?, call.block)?.text_of("arguments", most)
}

/// No hunk is recorded: a created file, or a change that only the arguments tell of. With seq and row of the call.
fn from_arguments(
    page: &mut Page<'_>,
    (seq, row): (Option<i64>, Option<RowIx>),
    arguments: Option<Peek<'_>>,
    is_recorded: bool,
) {
    let Some(arguments) = arguments else { return page.words("changes.none", &[]) };
    let path = ["file_path", "path", "filePath"].iter().find_map(|key| arguments.text_of(key, 4_000));
    let limit = page.detail.limit;
    let text = |key: &str| arguments.text_of(key, limit);
    let (old, new) = match (text("old_string"), text("new_string"), text("content")) {
        (Some(old), Some(new), _) => (old, new),
        (None, None, Some(content)) if path.is_some() => (Cow::Borrowed(&b""[..]), content),
        _ => return page.words(if is_recorded { "changes.none" } else { "changes.not_a_change" }, &[]),
    };
    let seq = seq_text(seq);
    let key = if is_recorded { "changes.from_call" } else { "changes.from_arguments" };
    let path = path.map(|path| one_line(&path, 400)).unwrap_or_default();
    let spans =
        vec![Span::new(path, Role::Strong), Span::new(format!("   {}", page.say(key, &[("seq", &seq)])), Role::Dim)];
    page.push(DocLine { spans, target: at_row(row), ..DocLine::default() });
    if old.is_empty() {
        page.block(&new, new.len() as u64, Style { role: Role::Ok, numbered: true, indent: 0 });
    } else {
        draw(page, &old, &new);
    }
}

/// What the arguments asked for, and whether a hunk shows it done.
fn asked_for(page: &mut Page<'_>, arguments: Peek<'_>, hunks: &[Peek<'_>]) {
    let limit = page.detail.limit;
    let (Some(old), Some(new)) = (arguments.text_of("old_string", limit), arguments.text_of("new_string", limit))
    else {
        return;
    };
    let holds = |hunk: &Peek<'_>, key: &str, part: &[u8]| {
        let text = hunk.text_of(key, MOST_HUNK_BYTES).unwrap_or_default();
        memchr::memmem::find(&text, &line_feeds(part)).is_some()
    };
    let agree = hunks.iter().any(|hunk| holds(hunk, "oldText", &old) && holds(hunk, "newText", &new));
    let label = page.say("changes.asked_for", &[]);
    let all = if arguments.is_true("replace_all") { "yes" } else { "no" };
    let all = page.say(&format!("changes.replace_all_{all}"), &[]);
    let text =
        format!("{label}: old_string \"{}\"   new_string \"{}\"   {all}", one_line(&old, 120), one_line(&new, 120));
    let right = if agree {
        Span::plain(page.say("changes.agree", &[]))
    } else {
        Span::new(page.say("changes.differ", &[]), Role::Warn)
    };
    page.push(DocLine { right: vec![right], indent: 2, ..DocLine::of(text, Role::Normal) });
}

/// Line ends as hunks have them: diffs are made of texts with LF.
fn line_feeds(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\r', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    for (at, byte) in text.iter().enumerate() {
        if *byte != b'\r' || text.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    Cow::Owned(out)
}
