//! Prompt and tools: every request header with what it changed, where each name came from, and the header in force.

use foldhash::HashMap;

use super::draft::Draft;
use crate::session::row::RowIx;
use crate::text::number::size;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::wire::WireText;
use crate::triage::detail::{Subject, TabId};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::facts::{HeadPart, RequestHead, ToolOrigin};
use crate::triage::is_stock;
use crate::triage::pass::said::{number, shown, shown_or};

/// Headers that are listed.
const MOST_HEADERS: usize = 500;

/// Names that are listed of one header.
const MOST_NAMES: usize = 100;

/// Lines of a change or a prompt that are drawn; all of them are in the detail that Enter leads to.
const MOST_LINES: usize = 400;

pub(super) fn fill(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    if facts.headers.is_empty() {
        return draft.words("request_page.none", Role::Normal);
    }
    let count = draft.words.count("count.headers", facts.headers.len() as u64);
    let text = draft.say("request_page.headers", &[("count", &count)]);
    draft.line(text, Role::Strong, None);
    for head in facts.headers.iter().take(MOST_HEADERS) {
        one(draft, head);
    }
    draft.more(facts.headers.len().saturating_sub(MOST_HEADERS));
    changes(draft);
    draft.blank();
    names(draft);
    in_force(draft);
}

/// Messages that added or removed tools between headers.
fn changes(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    for change in facts.tool_changes.iter().take(MOST_HEADERS) {
        let list = |sign: char, names: &[WireText]| {
            names.iter().take(MOST_NAMES).map(|name| format!("{sign} {}", shown(name))).collect::<Vec<_>>().join("  ")
        };
        let (added, removed) = (list('+', &change.added), list('-', &change.removed));
        let names = [added, removed].join("  ");
        let values = [("seq", &*number(change.seq)), ("names", names.trim())];
        let text = draft.say("request_page.tool_change", &values);
        draft.line(format!("  {text}"), Role::Accent, Some(change.row));
    }
    draft.more(facts.tool_changes.len().saturating_sub(MOST_HEADERS));
}

/// Names outside the shipped tools; nothing where all are shipped.
pub(super) fn brief(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    let is_odd = |head: &RequestHead| head.added.iter().any(|name| !is_stock(name.as_bytes()));
    let is_undeclared = facts.calls.iter().any(|call| call.tool_origin == Some(ToolOrigin::Undeclared));
    if is_undeclared || facts.headers.iter().any(is_odd) {
        names(draft);
    }
}

fn one(draft: &mut Draft<'_, '_>, head: &RequestHead) {
    let words = draft.words;
    let missing = words.get("missing.column");
    let tools = words.count("count.tools", u64::from(head.tools));
    let mut parts = vec![draft.say(
        "request_page.head",
        &[
            ("seq", &number(head.seq)),
            ("reason", &shown_or(head.reason.as_ref(), missing)),
            ("model", &shown_or(head.model.as_ref(), missing)),
            ("tools", &tools),
        ],
    )];
    parts.extend(head.prompt.map(|prompt| draft.say("request_page.prompt", &[("size", &size(prompt.bytes))])));
    draft.line(format!("  {}", parts.join("   ")), Role::Accent, Some(head.row));
    let part = |part: &HeadPart| match part {
        HeadPart::Config => words.get("request_page.config_changed"),
        HeadPart::Prompt => words.get("request_page.prompt_changed"),
        HeadPart::Tools => words.get("request_page.tools_changed"),
    };
    let changed: Vec<&str> = head.changed.iter().map(part).collect();
    if changed.is_empty() && !head.is_first {
        draft.line(format!("      {}", words.get("request.same")), Role::Dim, None);
    } else if !changed.is_empty() {
        draft.line(format!("      {}", changed.join(", ")), Role::Warn, Some(head.row));
        embed(draft, Subject::Header(head.row), TabId::Change, 6);
    }
}

/// Names outside the shipped tools: which header brought each, what came with it, how often it was called.
fn names(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    draft.words("request_page.names", Role::Strong);
    let mut is_any = false;
    // How often each name was called, and first where.
    let mut called: HashMap<&WireText, (u64, Option<RowIx>)> = HashMap::default();
    for call in &facts.calls {
        let (n, first) = called.entry(&call.name).or_default();
        *n += 1;
        *first = first.or(call.call_row).or(call.message_row);
    }
    for head in facts.headers.iter().take(MOST_HEADERS) {
        let added: Vec<&WireText> = head.added.iter().filter(|name| !is_stock(name.as_bytes())).collect();
        if added.is_empty() {
            continue;
        }
        is_any = true;
        let first = if head.is_first { "request_page.from_start" } else { "request_page.from_change" };
        let count = draft.words.count("count.names", added.len() as u64);
        let text = draft.say(first, &[("seq", &number(head.seq)), ("count", &count)]);
        draft.line(format!("  {text}"), Role::Warn, Some(head.row));
        for name in added.iter().take(MOST_NAMES) {
            let (text, row) = match called.get(*name) {
                None => (draft.words.get("request_page.never_called").to_owned(), None),
                Some((n, row)) => (draft.words.count("count.calls", *n), *row),
            };
            draft.line(format!("    + {}   {text}", shown(name)), Role::Normal, row.or(Some(head.row)));
        }
        draft.more(added.len().saturating_sub(MOST_NAMES));
        let stock = head.added.iter().filter(|name| is_stock(name.as_bytes())).map(shown);
        let with: Vec<String> = stock.take(MOST_NAMES).collect();
        if !with.is_empty() {
            let text = draft.say("request_page.with_stock", &[("names", &with.join(", "))]);
            draft.line(format!("      {text}"), Role::Dim, None);
        }
    }
    let undeclared = facts.calls.iter().filter(|call| call.tool_origin == Some(ToolOrigin::Undeclared));
    for call in undeclared.take(MOST_NAMES) {
        is_any = true;
        // A call that never started was asked for all the same.
        let (key, seq) = match call.call_seq.get() {
            Some(seq) => ("request_page.undeclared", Some(seq)),
            None => ("request_page.undeclared_asked", call.message_seq.get()),
        };
        let text = draft.say(key, &[("tool", &shown(&call.name)), ("seq", &number(seq))]);
        draft.line(format!("  ✗ {text}"), Role::Bad, call.call_row.or(call.message_row));
    }
    if !is_any {
        draft.words("request_page.all_stock", Role::Ok);
    }
    draft.blank();
}

/// Tools and prompt of the header in force at the cursor.
fn in_force(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    let here = draft.here.unwrap_or(RowIx(u32::MAX));
    let after = facts.headers.partition_point(|head| head.row <= here);
    // Before the first header nothing is in force: the first one is shown.
    let Some(head) = facts.headers.get(after.saturating_sub(1)) else { return };
    let text = draft.say("request_page.in_force", &[("seq", &number(head.seq))]);
    draft.line(text, Role::Strong, Some(head.row));
    embed(draft, Subject::Header(head.row), TabId::Tools, 2);
    draft.blank();
    embed(draft, Subject::Header(head.row), TabId::Prompt, 2);
}

/// A tab of the detail as lines of the page.
fn embed(draft: &mut Draft<'_, '_>, subject: Subject, tab: TabId, indent: usize) {
    let Some(doc) = draft.detail(subject, tab) else {
        let text = one_line(draft.words.get("detail.loading").as_bytes(), 100);
        return draft.line(format!("{}{text}", " ".repeat(indent)), Role::Dim, None);
    };
    let all = doc.lines.len();
    for line in doc.lines.into_iter().take(MOST_LINES) {
        let mut spans = vec![Span::plain(" ".repeat(indent))];
        spans.extend(line.spans);
        let overflow = if line.right.is_empty() { line.overflow } else { Overflow::Cut };
        draft.push(DocLine {
            spans,
            right: line.right,
            target: line.target,
            overflow,
            indent: indent as u16 + 2,
            branch: None,
        });
    }
    draft.more(all.saturating_sub(MOST_LINES));
}
