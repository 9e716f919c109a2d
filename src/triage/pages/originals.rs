//! Originals: what was put in the place of what, which prompts were never sent, what was uploaded.

use super::draft::Draft;
use crate::record::kinds::Kind;
use crate::session::row::{EventRef, Row, RowIx};
use crate::text::number::{duration, size};
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::triage::detail::LIMIT;
use crate::triage::detail::diff::folded;
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::facts::{Fate, Prompt, Rewrite, RewriteKind};
use crate::triage::pass::said::{number, shown, shown_or};
use crate::triage::peek::Peek;
use crate::triage::what::Blocks;

/// Rewrites that are listed.
const MOST_LISTED: usize = 1_000;

/// Shadowed records that are listed of one rewrite.
const MOST_SHADOWED: usize = 200;

/// Shadowed records whose text is compared with the one in their place.
const MOST_JOINED: usize = 64;

/// Lines of a comparison that are drawn.
const MOST_COMPARED: usize = 60;

/// Columns of a quoted text.
const QUOTE: usize = 300;

pub(super) fn fill(draft: &mut Draft<'_, '_>) {
    rewrites(draft, MOST_LISTED);
    prompts(draft);
    uploads(draft);
}

/// The parts of which there is something to tell.
pub(super) fn brief(draft: &mut Draft<'_, '_>, most: usize) {
    let facts = draft.facts;
    if !facts.rewrites.is_empty() {
        rewrites(draft, most);
    }
    if facts.prompts.iter().any(|prompt| !matches!(prompt.fate, Fate::Taken { .. })) {
        prompts(draft);
    }
    if !facts.uploads.is_empty() {
        uploads(draft);
        draft.blank();
    }
}

fn rewrites(draft: &mut Draft<'_, '_>, most: usize) {
    let facts = draft.facts;
    let count = draft.words.count("count.rewrites", facts.rewrites.len() as u64);
    let text = draft.say("originals.rewrites", &[("count", &count)]);
    draft.line(text, Role::Strong, None);
    if facts.rewrites.is_empty() {
        draft.words("originals.no_rewrites", Role::Dim);
    }
    for rewrite in facts.rewrites.iter().take(most) {
        one(draft, rewrite);
    }
    draft.more(facts.rewrites.len().saturating_sub(most));
    draft.blank();
}

fn one(draft: &mut Draft<'_, '_>, rewrite: &Rewrite) {
    let Some((row, seq)) = rewrite.at() else { return };
    let key = match rewrite.kind {
        RewriteKind::Compaction => "originals.compaction",
        RewriteKind::Prune => "originals.prune",
        RewriteKind::Other => "originals.replacement",
    };
    let mut parts = vec![draft.say(key, &[("seq", &number(seq))])];
    if rewrite.count > 0 {
        let records = draft.words.count("count.records", rewrite.count);
        parts.push(draft.say("originals.shadows", &[("records", &records)]));
    } else if let Some((from, to)) = rewrite.range {
        parts.push(draft.say("originals.shadows_range", &[("from", &from.to_string()), ("to", &to.to_string())]));
    }
    if let Some(command) = &rewrite.command {
        parts.push(draft.say("originals.by_command", &[("id", &shown(command))]));
    }
    let took = rewrite.start_row.zip(rewrite.end_row).and_then(|(from, to)| {
        let time = |row| draft.index_row(row).and_then(Row::time).map(|time| time.0);
        Some(time(to)?.saturating_sub(time(from)?)).filter(|ms| *ms >= 0)
    });
    parts.extend(took.map(|ms| draft.say("originals.took", &[("time", &duration(ms))])));
    if rewrite.inherited {
        parts.push(draft.words.get("originals.inherited").to_owned());
    }
    draft.line(format!("  {}", parts.join("   ")), Role::Accent, Some(row));
    if rewrite.failed {
        let why = rewrite.end_row.and_then(|row| error(draft, row)).unwrap_or_default();
        let text = draft.say("originals.failed", &[("seq", &number(rewrite.end_seq)), ("why", &why)]);
        draft.line(format!("    ✗ {text}"), Role::Bad, rewrite.end_row);
    } else if rewrite.kind == RewriteKind::Compaction && rewrite.end_row.is_none() {
        let text = draft.words.get("originals.never_ended").to_owned();
        draft.line(format!("    ? {text}"), Role::Unknown, rewrite.start_row);
    }
    for seq in rewrite.shadowed.iter().take(MOST_SHADOWED) {
        let found = draft.resolve(*seq, row);
        let text = found.map_or_else(|| draft.words.get("originals.not_here").to_owned(), |row| quote(draft, row));
        let size = found.and_then(|row| draft.index_row(row)).map(|row| size(u64::from(row.len))).unwrap_or_default();
        let line = DocLine::of(format!("    - {seq}  {size}  {text}"), Role::Dim);
        let target = found.map(|row| EventRef { row, member: 0 });
        draft.push(DocLine { target, overflow: Overflow::Cut, ..line });
    }
    let listed = rewrite.shadowed.len().min(MOST_SHADOWED) as u64;
    draft.more(usize::try_from(rewrite.count.saturating_sub(listed)).unwrap_or(0));
    match rewrite.replacement_row {
        Some(found) => {
            let text = quote(draft, found);
            let size = draft.index_row(found).map(|row| size(u64::from(row.len))).unwrap_or_default();
            let seq = number(rewrite.replacement_seq);
            let line = DocLine::of(format!("    + {seq}  {size}  {text}"), Role::Ok);
            let target = Some(EventRef { row: found, member: 0 });
            draft.push(DocLine { target, overflow: Overflow::Cut, ..line });
            if rewrite.count == rewrite.shadowed.len() as u64 && rewrite.shadowed.len() <= MOST_JOINED {
                let originals: Vec<RowIx> =
                    rewrite.shadowed.iter().filter_map(|seq| draft.resolve(*seq, row)).collect();
                compared(draft, &originals, found);
            } else {
                let text = draft.words.get("originals.too_long").to_owned();
                draft.line(format!("      {text}"), Role::Dim, None);
            }
        }
        None if rewrite.row.is_some() => {
            let text = draft.words.get("originals.no_replacement").to_owned();
            draft.line(format!("    ! {text}"), Role::Warn, rewrite.row);
        }
        None => {}
    }
}

/// Records, one after the other, against the one in their place, line by line.
fn compared(draft: &mut Draft<'_, '_>, originals: &[RowIx], replacement: RowIx) {
    let texts: Vec<Option<(Vec<u8>, bool)>> = originals.iter().map(|row| whole_text(draft, *row)).collect();
    let Some((new, is_new_whole)) = whole_text(draft, replacement) else { return };
    let (mut old, mut is_old_whole) = (Vec::new(), true);
    for text in texts {
        let Some((text, is_whole)) = text else { return };
        is_old_whole &= is_whole;
        if originals.len() == 1 {
            old = text;
            continue;
        }
        // Lines without text are alike everywhere: they would be taken for what both sides share.
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            old.extend_from_slice(line);
            old.push(b'\n');
        }
    }
    if originals.is_empty() {
        return;
    }
    if old == new {
        let text = draft.words.get("originals.same_text").to_owned();
        return draft.line(format!("      {text}"), Role::Dim, None);
    }
    let Some(lines) = folded(&old, &new, draft.words, draft.braces, MOST_COMPARED) else {
        let text = draft.words.get("originals.too_long").to_owned();
        return draft.line(format!("      {text}"), Role::Dim, None);
    };
    for mut line in lines {
        line.spans.insert(0, Span::plain("      "));
        line.indent += 6;
        draft.push(line);
    }
    if !(is_old_whole && is_new_whole) {
        let text = draft.words.get("originals.starts_compared").to_owned();
        draft.line(format!("      {text}"), Role::Dim, None);
    }
}

/// The text of a message, and whether it is all of it.
fn whole_text(draft: &mut Draft<'_, '_>, row: RowIx) -> Option<(Vec<u8>, bool)> {
    let line = draft.text(row)?;
    let whole = draft.index_row(row).is_none_or(|row| line.len() as u64 >= u64::from(row.len));
    let data = Peek::line(&line)?.get("data")?;
    Some((Blocks::of(content(data)?, LIMIT).text, whole))
}

/// The content of a message; a result of the earlier versions wraps its content in one block.
fn content(data: Peek<'_>) -> Option<Peek<'_>> {
    let content = data.get("message").unwrap_or(data).get("content")?;
    let first = content.items().into_iter().next().filter(|block| block.says("type", "tool-result"));
    Some(first.and_then(|block| block.get("content")).unwrap_or(content))
}

/// The error that a compaction ended with.
fn error(draft: &mut Draft<'_, '_>, row: RowIx) -> Option<String> {
    let line = draft.text(row)?;
    let data = Peek::line(&line)?.get("data")?;
    data.text_of("error", 2_000).map(|text| one_line(&text, QUOTE))
}

/// Type and first words of a message, for the line that is written next.
fn quote(draft: &mut Draft<'_, '_>, row: RowIx) -> String {
    let kind = draft.index_row(row).map_or(Kind::Unknown, |row| row.kind);
    let Some(line) = draft.text(row) else { return kind.name().to_owned() };
    let text = Peek::line(&line).and_then(|event| event.get("data")).map(|data| words_of(draft, data));
    format!("{}  {}", kind.name(), text.unwrap_or_default())
}

fn words_of(draft: &Draft<'_, '_>, data: Peek<'_>) -> String {
    let Some(content) = content(data) else { return String::new() };
    let blocks = Blocks::of(content, 4_000);
    let mut parts = Vec::new();
    if !blocks.text.is_empty() {
        parts.push(format!("\"{}\"", one_line(&blocks.text, QUOTE)));
    }
    if !blocks.calls.is_empty() {
        parts.push(draft.words.count("count.calls", blocks.calls.len() as u64));
    }
    parts.join("  ")
}

/// Prompts that the model never saw; how many were sent is said in a word.
fn prompts(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    let sent = facts.prompts.iter().filter(|prompt| matches!(prompt.fate, Fate::Taken { .. })).count();
    let count = draft.words.count("count.prompts", facts.prompts.len() as u64);
    let text = draft.say("originals.prompts", &[("count", &count), ("sent", &draft.words.number(sent as u64))]);
    draft.line(text, Role::Strong, None);
    let unsent = || facts.prompts.iter().filter(|prompt| !matches!(prompt.fate, Fate::Taken { .. }));
    if unsent().next().is_none() {
        draft.words("originals.all_sent", Role::Dim);
    }
    for prompt in unsent().take(MOST_LISTED) {
        let (key, seq, role, sign) = match prompt.fate {
            Fate::Waiting => ("originals.waiting", None, Role::Unknown, '?'),
            Fate::Replaced { seq, .. } => ("originals.replaced", seq, Role::Warn, '!'),
            Fate::Cancelled { seq, .. } | Fate::Taken { seq, .. } => ("originals.cancelled", seq, Role::Warn, '-'),
        };
        let queue = shown_or(prompt.queue.as_ref(), "-");
        let text = draft.say(key, &[("seq", &number(seq)), ("queue", &queue)]);
        let quoted = prompt_text(draft, prompt).unwrap_or_default();
        draft.line(format!("  {sign} {}  {text}  {quoted}", number(prompt.seq)), role, Some(prompt.row));
    }
    draft.more(unsent().count().saturating_sub(MOST_LISTED));
    draft.blank();
}

fn prompt_text(draft: &mut Draft<'_, '_>, prompt: &Prompt) -> Option<String> {
    let line = draft.text(prompt.row)?;
    let inserted = Peek::line(&line)?.path(&["data", "inserted"])?;
    Some(words_of(draft, inserted.nth(prompt.nth as usize)?))
}

/// Up to where the log was uploaded.
fn uploads(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    let count = draft.words.count("count.marks", facts.uploads.len() as u64);
    let text = draft.say("originals.uploads", &[("count", &count)]);
    draft.line(text, Role::Strong, None);
    if facts.uploads.is_empty() {
        draft.words("originals.no_uploads", Role::Dim);
    }
    for upload in facts.uploads.iter().take(MOST_LISTED) {
        let through = number(upload.through);
        let version = upload.version.map_or_else(|| "?".to_owned(), |version| version.to_string());
        let own = upload.version == Some(facts.format.version);
        let key = if own { "originals.upload" } else { "originals.upload_other" };
        let text = draft.say(key, &[("seq", &number(upload.seq)), ("through", &through), ("version", &version)]);
        draft.line(format!("  ! {text}"), Role::Warn, Some(upload.row));
    }
    draft.more(facts.uploads.len().saturating_sub(MOST_LISTED));
}
