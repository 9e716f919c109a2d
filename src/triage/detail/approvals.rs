//! What was asked before a call ran: asked, decided, in force, told to the model, the call.

use super::hidden;
use super::page::{Page, at_row, seq_text, span_of};
use super::subject::Subject;
use crate::session::row::RowIx;
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::{Limits, display, lines, one_line};
use crate::text::width::{columns, pad_end};
use crate::triage::doc::DocLine;
use crate::triage::facts::{Approval, Call, Switch, Switched};
use crate::triage::ledger::FASTER_THAN_A_PERSON;
use crate::triage::peek::Peek;
use crate::triage::what::{Blocks, Known, approval_mark, first_line, known, result_content};

/// Questions of one call that are shown.
const MOST: usize = 20;

pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    let call = match subject {
        Subject::Call(at) => page.detail.session.facts.calls.get(at),
        _ => None,
    };
    let Some(call) = call else { return page.words("approval.none_asked", &[]) };
    if call.approvals().is_empty() {
        return page.words("approval.none_asked", &[]);
    }
    let width = ["asked", "decided", "in_force", "the_call"]
        .into_iter()
        .map(|key| columns(page.detail.words.get(&format!("approval.{key}"))))
        .max()
        .unwrap_or(0);
    let approvals = call.approvals().iter().take(MOST).filter_map(|at| page.detail.session.facts.approvals.get(*at));
    for approval in approvals {
        asked(page, approval, width);
        decided(page, approval, width);
        in_force(page, approval, width);
        page.blank();
    }
    told(page, call);
    the_call(page, call, width);
}

fn label(page: &Page<'_>, key: &str, width: usize) -> Span {
    Span::new(format!("{}  ", pad_end(page.detail.words.get(&format!("approval.{key}")), width)), Role::Dim)
}

fn time_of(page: &Page<'_>, row: Option<RowIx>) -> String {
    let time = row.and_then(|row| page.detail.index().rows.get(row)).and_then(crate::session::row::Row::time);
    time.map_or_else(|| "-".to_owned(), |time| page.detail.zone.clock(time.0))
}

fn seq_at(page: &Page<'_>, seq: Option<i64>) -> String {
    page.say("approval.seq", &[("seq", &seq_text(seq))])
}

fn asked(page: &mut Page<'_>, approval: &Approval, width: usize) {
    let Some(row) = approval.asked_row else { return };
    let reason = page.detail.data(row).and_then(|data| data.text_of("reason", 4_000));
    let mut parts = vec![format!("{}  {}", seq_at(page, approval.asked_seq), time_of(page, Some(row)))];
    parts.extend(approval.tool.as_ref().map(|tool| display(tool.as_bytes())));
    if approval.by_position {
        parts.push(page.say("approval.without_call", &[]));
    }
    let mut spans = vec![label(page, "asked", width), Span::plain(parts.join("   "))];
    if let Some(reason) = &reason {
        // Its marks stand out as those of arguments do: what is asked may hide what is done.
        spans.push(Span::plain("   \""));
        let marked = lines(reason, Limits::default()).lines;
        for (at, pieces) in marked.into_iter().enumerate() {
            spans.extend((at > 0).then(|| Span::new("↵", Role::Dim)));
            spans.extend(pieces.into_iter().map(|piece| span_of(piece, Role::Normal)));
        }
        spans.push(Span::plain("\""));
    }
    page.push(DocLine { spans, target: at_row(Some(row)), indent: 2, ..DocLine::default() });
    if let Some(reason) = reason.filter(|reason| hidden::count(reason) > 0) {
        hidden::table(page, &reason);
        page.blank();
    }
}

fn decided(page: &mut Page<'_>, approval: &Approval, width: usize) {
    let mut spans = vec![label(page, "decided", width)];
    let Some(outcome) = &approval.outcome else {
        let line = page.detail.session.facts.container.lines.to_string();
        spans.push(Span::new(page.say("approval.never_decided", &[("line", &line)]), Role::Unknown));
        return page.push(DocLine { spans, indent: 2, ..DocLine::default() });
    };
    spans.push(Span::plain(format!(
        "{}  {}   ",
        seq_at(page, approval.decided_seq),
        time_of(page, approval.decided_row)
    )));
    spans.push(Span::new(display(outcome.as_bytes()), approval_mark(approval).role()));
    let by_policy = crate::triage::what::is_by_policy(approval);
    let waited = match approval.waited_ms {
        _ if by_policy => page.say("approval.by_policy", &[]),
        None => String::new(),
        Some(ms) if ms < 0 => page.say("approval.clock_back", &[]),
        Some(ms) => {
            let key = match outcome.as_bytes() {
                b"unavailable" | b"cancelled" => "approval.waited",
                _ if ms < FASTER_THAN_A_PERSON => "approval.waited_fast",
                _ => "approval.waited_who",
            };
            page.say(key, &[("time", &duration(ms))])
        }
    };
    if !waited.is_empty() {
        spans.push(Span::plain(format!("        {waited}")));
    }
    page.push(DocLine { spans, target: at_row(approval.decided_row), indent: 2, ..DocLine::default() });
}

/// The state in force when the question was asked, and who set it.
fn in_force(page: &mut Page<'_>, approval: &Approval, width: usize) {
    let Some(row) = approval.asked_row.or(approval.decided_row) else { return };
    let switches = &page.detail.session.facts.switches;
    let before = switches.get(..switches.partition_point(|switch| switch.row < row)).unwrap_or_default();
    let last = |what: Switched| before.iter().rev().find(|switch| switch.what == what);
    let words = |what: Switched, key: &str, hole: &str| match last(what) {
        Some(Switch { value, seq, .. }) => {
            let value = display(value.as_bytes());
            page.say(&format!("approval.{key}"), &[(hole, &value), ("seq", &seq_text(*seq))])
        }
        None => page.say(&format!("approval.{key}_unset"), &[]),
    };
    let parts = [
        words(Switched::Policy, "policy", "policy"),
        words(Switched::Sandbox, "sandbox", "mode"),
        words(Switched::Preset, "preset", "preset"),
        words(Switched::Plan, "plan", "mode"),
    ];
    let target = at_row(last(Switched::Policy).map(|switch| switch.row));
    let spans = vec![label(page, "in_force", width), Span::plain(parts.join("   "))];
    page.push(DocLine { spans, target, indent: 2, ..DocLine::default() });
}

/// What the model was told: the start of the result.
fn told(page: &mut Page<'_>, call: &Call) {
    let Some(row) = call.result_row else { return };
    let text = page.detail.data(row).and_then(result_content).map(|content| Blocks::of(content, 4_000).text);
    let label = page.say("approval.told", &[("seq", &seq_text(call.result_seq.get()))]);
    let shown = text.map(|text| one_line(&text, 2_000)).unwrap_or_default();
    let spans = vec![Span::new(format!("{label}   "), Role::Dim), Span::plain(shown)];
    page.push(DocLine { spans, target: at_row(Some(row)), indent: 2, ..DocLine::default() });
    page.push(DocLine::blank());
}

/// What the call wanted, and which permission it asked for by itself.
fn the_call(page: &mut Page<'_>, call: &Call, width: usize) {
    let row = call.call_row.or(call.message_row);
    let data = row.and_then(|row| page.detail.data(row));
    let text = data.and_then(|data| match call.call_row {
        Some(_) => data.text_of("arguments", 8_000),
        None => super::arguments::message_block(data, call.block)?.text_of("arguments", 8_000),
    });
    let text = text.unwrap_or_default();
    let name = call.name.as_bytes();
    let peek = Peek::line(&text);
    let about = match peek.map(|peek| known(name, peek)) {
        Some(Known::Command(command)) => format!("$ {}", one_line(&command, 2_000)),
        _ => first_line(name, &text, text.len() < 8_000, page.detail.words, 2_000),
    };
    let mut spans = vec![label(page, "the_call", width), Span::plain(about)];
    if let Some(mode) = peek.and_then(|peek| peek.text_of("sandbox_permissions", 200)) {
        let words = page.say("approval.asks_for", &[("mode", &one_line(&mode, 100))]);
        spans.push(Span::plain(format!("        {words}")));
    }
    page.push(DocLine { spans, target: at_row(row), indent: 2, ..DocLine::default() });
}
