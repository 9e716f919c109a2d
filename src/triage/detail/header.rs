//! A request header: prompt, tools, what changed.

use std::collections::BTreeMap;

use super::diff;
use super::needs::last_before;
use super::page::{Page, Style, at_row, seq_text};
use super::result::length;
use super::subject::Subject;
use super::value::short;
use crate::record::kinds::Kind;
use crate::session::row::{Row, RowIx};
use crate::text::number::size;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::{columns, pad_end};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::is_stock;
use crate::triage::peek::Peek;
use crate::triage::what::Blocks;

fn row_of(page: &mut Page<'_>, subject: Subject) -> Option<RowIx> {
    if let Subject::Header(row) = subject {
        Some(row)
    } else {
        page.words("detail.nothing_selected", &[]);
        None
    }
}

fn seq_of(page: &Page<'_>, row: RowIx) -> String {
    seq_text(page.detail.index().rows.get(row).and_then(Row::seq).map(|seq| seq.0))
}

pub(super) fn fill_prompt(page: &mut Page<'_>, subject: Subject) {
    let Some(row) = row_of(page, subject) else { return };
    let Some(data) = page.detail.data(row) else { return page.loading() };
    if let Some(system) = data.path(&["header", "system"]) {
        let text = system.text(page.detail.limit).unwrap_or_default();
        return prompt(page, row, &text, length(system, &text));
    }
    // From version 3 on the prompt is a message of its own.
    let Some(before) = last_before(row, Kind::SystemMessage, page.detail.session) else {
        return page.words("what.no_prompt", &[]);
    };
    let Some(data) = page.detail.data(before) else { return page.loading() };
    let content = data.path(&["message", "content"]);
    let text = content.map(|content| Blocks::of(content, page.detail.limit).text).unwrap_or_default();
    let total = text.len() as u64;
    prompt(page, before, &text, total);
}

fn prompt(page: &mut Page<'_>, row: RowIx, text: &[u8], total: u64) {
    let (seq, size) = (seq_of(page, row), size(total));
    let title = page.say("request.prompt", &[("seq", &seq), ("size", &size)]);
    page.title(title, Vec::new(), at_row(Some(row)));
    page.block(text, total, Style::default());
    page.doc.value = (total == text.len() as u64).then(|| text.into());
}

pub(super) fn fill_tools(page: &mut Page<'_>, subject: Subject) {
    let Some(row) = row_of(page, subject) else { return };
    let Some(data) = page.detail.data(row) else { return page.loading() };
    let tools = tools_of(data);
    let added = tools.iter().filter(|(name, _)| !is_stock(name)).count() as u64;
    let words = page.detail.words;
    let counted = words.count("count.tools", tools.len() as u64);
    let title = page.say("request.tools", &[("tools", &counted), ("added", &words.number(added))]);
    page.title(title, Vec::new(), at_row(Some(row)));
    let names: Vec<String> = tools.iter().map(|(name, _)| one_line(name, 60)).collect();
    let width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    for (shown, (name, tool)) in names.iter().zip(&tools) {
        let origin = if is_stock(name) { "request.stock" } else { "request.added" };
        let role = if is_stock(name) { Role::Dim } else { Role::Warn };
        let description = tool.text_of("description", 2_000).map(|text| one_line(&text, 300)).unwrap_or_default();
        let mut spans = vec![
            Span::new(format!("  {}  ", pad_end(shown, width)), Role::Strong),
            Span::new(pad_end(page.detail.words.get(origin), 6), role),
        ];
        if tool.is_true("deferLoading") {
            spans.push(Span::new(format!("  {}", page.say("request.deferred", &[])), Role::Warn));
        }
        spans.push(Span::plain(format!("  {description}")));
        page.push(DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() });
    }
}

fn tools_of(data: Peek<'_>) -> Vec<(Vec<u8>, Peek<'_>)> {
    let tools = data.path(&["header", "tools"]).map(Peek::items).unwrap_or_default();
    tools.into_iter().map(|tool| (tool.text_of("name", 600).unwrap_or_default().into_owned(), tool)).collect()
}

pub(super) fn fill_change(page: &mut Page<'_>, subject: Subject) {
    let Some(row) = row_of(page, subject) else { return };
    let Some(data) = page.detail.data(row) else { return page.loading() };
    let Some(before) = last_before(row, Kind::RequestHeader, page.detail.session) else {
        return page.words("request.first", &[]);
    };
    let Some(earlier) = page.detail.data(before) else { return page.loading() };
    let title = page.say("request.against", &[("seq", &seq_of(page, before))]);
    page.title(title, Vec::new(), at_row(Some(before)));
    let start = page.doc.lines.len();
    config(page, earlier, data);
    tools(page, earlier, data);
    let side = |data: Peek<'_>| {
        data.path(&["header", "system"]).and_then(|text| text.text(page.detail.limit)).unwrap_or_default().into_owned()
    };
    let (old, new) = (side(earlier), side(data));
    if old != new {
        page.words("request.prompt_changed", &[]);
        diff::unified(page, &old, &new);
    }
    if page.doc.lines.len() == start {
        page.words("request.same", &[]);
    }
}

/// Fields of `config` that differ, on one line each.
fn config(page: &mut Page<'_>, earlier: Peek<'_>, data: Peek<'_>) {
    let fields = |data: Peek<'_>| -> BTreeMap<String, String> {
        let config = data.path(&["header", "config"]).map(Peek::fields).unwrap_or_default();
        config.into_iter().map(|(key, value)| (one_line(&key.decode_upto(200), 60), short(value))).collect()
    };
    let (old, new) = (fields(earlier), fields(data));
    for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        let (was, is) = (old.get(key), new.get(key));
        if was != is {
            let value = |value: Option<&String>| value.cloned().unwrap_or_else(|| "-".to_owned());
            page.line(format!("  {key}  {} -> {}", value(was), value(is)), Role::Normal);
        }
    }
}

/// Tools that came, went, or are described otherwise.
fn tools(page: &mut Page<'_>, earlier: Peek<'_>, data: Peek<'_>) {
    let (old, new) = (tools_of(earlier), tools_of(data));
    let old: BTreeMap<&[u8], &[u8]> = old.iter().map(|(name, tool)| (name.as_slice(), tool.raw())).collect();
    let new: BTreeMap<&[u8], &[u8]> = new.iter().map(|(name, tool)| (name.as_slice(), tool.raw())).collect();
    for (name, raw) in &new {
        match old.get(name) {
            None => page.line(format!(" + {}", one_line(name, 100)), Role::Ok),
            Some(before) if before != raw => {
                let text = page.say("request.tool_changed", &[("tool", &one_line(name, 100))]);
                page.line(text, Role::Warn);
            }
            Some(_) => {}
        }
    }
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        page.line(format!(" - {}", one_line(name, 100)), Role::Bad);
    }
}
