//! Every field of a record, known or not.

use super::page::Page;
use super::subject::Subject;
use super::value;
use crate::record::json::Shape;
use crate::session::row::{EventRef, Flags};
use crate::text::role::{Role, Span};
use crate::text::sanitize::{display, one_line};
use crate::text::width::{columns, pad_end};
use crate::triage::doc::DocLine;
use crate::triage::facts::{Ghost, GhostKind};
use crate::triage::ladder::closes;
use crate::triage::peek::Peek;
use crate::triage::what::Teller;

pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    match subject {
        Subject::Ghost(at) => match page.detail.session.facts.resume.get(at) {
            Some(ghost) => of_ghost(page, ghost),
            None => page.words("detail.nothing_selected", &[]),
        },
        Subject::Damage(damage) => super::damage::fill(page, damage),
        Subject::LogHeader => of_header(page),
        Subject::Event(event) => of_event(page, event),
        Subject::Message(row) | Subject::Header(row) => of_event(page, EventRef { row, member: 0 }),
        Subject::Run(run) => of_event(page, EventRef { row: run.first, member: 0 }),
        Subject::Call(_) | Subject::SubCall(_) => page.words("detail.nothing_selected", &[]),
    }
}

fn of_ghost(page: &mut Page<'_>, ghost: &Ghost) {
    let mut fields: Vec<(&str, String)> = Vec::new();
    match &ghost.kind {
        GhostKind::Result { call_id, name, started } => {
            fields.push(("type", "tool/result".to_owned()));
            fields.push(("name", display(name.as_bytes())));
            fields.push(("callId", display(call_id.as_bytes())));
            let code = if *started { "TOOL_OUTCOME_UNKNOWN" } else { "TOOL_NOT_STARTED" };
            fields.push(("code", code.to_owned()));
        }
        GhostKind::StepEnd { turn, step } => {
            fields.push(("type", "step/end".to_owned()));
            fields.push(("turn", turn.to_string()));
            fields.push(("step", step.to_string()));
        }
        GhostKind::TurnEnd { turn } => {
            fields.push(("type", "turn/end".to_owned()));
            fields.push(("turn", turn.to_string()));
            fields.push(("reason", "interrupted".to_owned()));
        }
    }
    fields.push(("seq", ghost.seq.to_string()));
    if let Some(time) = ghost.time {
        fields.push(("time", page.detail.zone.date_clock(time)));
    }
    column(page, fields);
    let Some(closed) = closes(&page.detail.session.facts, ghost) else { return };
    let seq = closed.seq.map_or_else(|| "?".to_owned(), |seq| seq.to_string());
    let text = page.say("record.closes_seq", &[("seq", &seq)]);
    page.push(DocLine {
        target: Some(EventRef { row: closed.row, member: 0 }),
        ..DocLine::of(format!("  {text}"), Role::Accent)
    });
}

fn column(page: &mut Page<'_>, fields: Vec<(&str, String)>) {
    let width = fields.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
    for (name, value) in fields {
        page.field(name, width, vec![Span::plain(value)], None);
    }
}

fn of_header(page: &mut Page<'_>) {
    let facts = &page.detail.session.facts;
    let Some(header) = &facts.header else { return page.words("rule.no_header", &[]) };
    for problem in &facts.header_problems {
        page.line(one_line(problem.as_bytes(), 300), Role::Bad);
    }
    if let Some(value) = Peek::line(&header.raw) {
        value::pretty(page, value, page.detail.form);
    }
}

fn of_event(page: &mut Page<'_>, event: EventRef) {
    let Some(row) = page.detail.index().rows.get(event.row) else { return };
    let Some(raw) = page.detail.raw(event.row) else { return page.loading() };
    let value = Peek::line(&raw.bytes).filter(|value| value.shape() == Some(Shape::Object));
    let Some(value) = value.filter(|_| !row.flags.has(Flags::BAD) || raw.bytes.first() == Some(&b'{')) else {
        return page.block(&raw.bytes, raw.total, super::page::Style::default());
    };
    if row.kind.is_packed() {
        member(page, event, &raw.bytes);
    }
    envelope(page, value);
    if let Some(data) = value.get("data") {
        value::pretty_at(page, data, page.detail.form, ".data");
    }
    let rest = raw.total.saturating_sub(raw.bytes.len() as u64);
    page.more(rest);
}

/// The delta of one member, in words.
fn member(page: &mut Page<'_>, event: EventRef, line: &[u8]) {
    let calls = crate::triage::what::CallRows::default();
    let what = Teller::new(page.detail.session, &calls, page.detail.words).member(line, event.member, 4_000);
    let mut spans = vec![Span::new(format!("{}  ", what.tag.unwrap_or_default()), Role::Dim)];
    spans.extend(what.text);
    page.push(DocLine { spans, indent: 2, ..DocLine::default() });
}

/// The fields around `data`, on one line each; the time also as people read it.
fn envelope(page: &mut Page<'_>, event: Peek<'_>) {
    let fields: Vec<_> = event.fields().into_iter().filter(|(key, _)| !key.is("data")).collect();
    let names: Vec<String> = fields.iter().map(|(key, _)| one_line(&key.decode_upto(300), 60)).collect();
    let width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    for (name, (key, value)) in names.iter().zip(&fields).take(100) {
        let is_time = key.is("time") || key.is("time0");
        let time = event.integer(name).filter(|_| is_time).map(|time| page.detail.zone.date_clock(time));
        let text = [Some(value::short(*value)), time].into_iter().flatten().collect::<Vec<_>>().join("   ");
        let spans = vec![Span::new(format!("{}  ", pad_end(name, width)), Role::Dim), Span::plain(text)];
        page.push(DocLine { spans, indent: 2, ..DocLine::default() });
    }
    page.blank();
}
