//! The line on top of every tab: what is selected and its verdict.

use super::damage::Damage;
use super::page::{Detail, seq_text};
use super::subject::Subject;
use crate::session::row::{EventRef, RowIx};
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::{display, display_name};
use crate::text::width::{columns, cut_end, short_call_id};
use crate::triage::doc::DocLine;
use crate::triage::facts::{Basis, Call, CallState, SubCall};
use crate::triage::what::{Mark, Run, call_mark, sub_call_mark};

/// A part of the head line, and how much it matters: what has the highest number goes first when the row is narrow.
struct Part {
    span: Span,
    cost: u8,
}

impl Part {
    fn new(text: String, role: Role, cost: u8) -> Part {
        Part { span: Span::new(text, role), cost }
    }
}

impl Detail<'_> {
    /// The verdict line on top of every tab, in at most `columns` columns, and the state glyph before it.
    ///
    /// The state is never left out; the least important parts go first.
    #[must_use]
    pub fn head(&self, subject: Subject, columns: usize) -> (Mark, DocLine) {
        let facts = &self.session.facts;
        match subject {
            Subject::Call(at) => match facts.calls.get(at) {
                Some(call) => (call_mark(call), fitted(self.call_parts(call), columns)),
                None => (Mark::None, DocLine::blank()),
            },
            Subject::SubCall(at) => match facts.sub_calls.get(at) {
                Some(call) => (sub_call_mark(call), fitted(self.sub_call_parts(call), columns)),
                None => (Mark::None, DocLine::blank()),
            },
            Subject::Message(row)
            | Subject::Header(row)
            | Subject::Run(Run { first: row, .. })
            | Subject::Event(EventRef { row, .. }) => (Mark::None, self.event_head(row, columns)),
            Subject::Ghost(_) => (Mark::None, DocLine::of(self.words.say("record.ghost", &[]), Role::Warn)),
            Subject::Damage(damage) => {
                let role = if damage == Damage::TornTail { Role::Warn } else { Role::Bad };
                (Mark::Look, DocLine::of(cut_end(&self.damage(damage), columns), role))
            }
            Subject::LogHeader => (Mark::None, DocLine::of(self.words.say("pane.header", &[]), Role::Strong)),
        }
    }

    fn call_parts(&self, call: &Call) -> Vec<Part> {
        let mut parts = vec![
            Part::new(display_name(call.name.as_bytes()), Role::Strong, 0),
            Part::new(short_call_id(&display(call.call_id.as_bytes())), Role::Normal, 1),
        ];
        if let (Some(turn), Some(step)) = (call.turn.get(), call.step.get()) {
            let place = self.words.say("detail.place", &[("turn", &turn.to_string()), ("step", &step.to_string())]);
            parts.push(Part::new(place, Role::Dim, 6));
        }
        parts.push(Part::new(self.state(call), call_mark(call).role(), 0));
        let seq = |key: &str, seq: i64| self.words.say(key, &[("seq", &seq.to_string())]);
        if let Some(at) = call.message_seq.get() {
            parts.push(Part::new(seq("detail.asked", at), Role::Normal, 5));
        }
        if let Some(at) = call.call_seq.get() {
            parts.push(Part::new(seq("detail.called", at), Role::Normal, 3));
        }
        match call.result_seq.get() {
            Some(at) => parts.push(Part::new(seq("detail.result_at", at), Role::Normal, 2)),
            None => parts.push(Part::new(self.words.say("detail.result_none", &[]), Role::Normal, 7)),
        }
        if let (Some(start), Some(end)) = (call.call_time.get(), call.result_time.get()) {
            let took = duration(end.saturating_sub(start));
            parts.push(Part::new(self.words.say("detail.at_most", &[("time", &took)]), Role::Normal, 4));
        }
        if call.approvals().is_empty() {
            parts.push(Part::new(self.words.say("detail.no_approval_asked", &[]), Role::Dim, 8));
        }
        parts
    }

    /// The state in capitals, with what it rests on.
    fn state(&self, call: &Call) -> String {
        let say = |key: &str| self.words.say(key, &[]);
        let inferred = |state: &str| format!("{}, {}", say(state), say("detail.inferred"));
        match (call.state, call.basis) {
            (CallState::OutcomeUnknown, Basis::Recorded) => say("state.outcome_unknown_recorded").to_uppercase(),
            (CallState::NotStarted, Basis::Recorded) => say("state.not_started_recorded").to_uppercase(),
            (CallState::OutcomeUnknown, _) => inferred("state.outcome_unknown"),
            (CallState::NotStarted, _) => inferred("state.not_started"),
            (CallState::Completed, Basis::ResultAfterRecovery) => say("state.completed_after_recovery").to_uppercase(),
            (CallState::Failed, Basis::ResultAfterRecovery) => say("state.failed_after_recovery").to_uppercase(),
            (CallState::Completed, _) => say("state.completed").to_uppercase(),
            (CallState::Failed, _) => match &call.error_code {
                Some(_) if call_mark(call) == Mark::Cancelled => say("state.not_run").to_uppercase(),
                Some(code) => {
                    let code = display(code.as_bytes());
                    format!("{} {code}", say("state.failed").to_uppercase())
                }
                None => format!("{} ({})", say("state.failed").to_uppercase(), say("result.no_code")),
            },
        }
    }

    fn sub_call_parts(&self, call: &SubCall) -> Vec<Part> {
        let id = crate::triage::what::sub_call_number(&display(call.id.as_bytes()), &display(call.root.as_bytes()));
        let state = match sub_call_mark(call) {
            Mark::Completed => "state.completed",
            Mark::Failed => "state.failed",
            _ => "state.outcome_unknown",
        };
        let mut parts = vec![
            Part::new(display_name(call.name.as_bytes()), Role::Strong, 0),
            Part::new(id, Role::Normal, 1),
            Part::new(short_call_id(&display(call.root.as_bytes())), Role::Dim, 4),
            Part::new(self.words.say(state, &[]).to_uppercase(), sub_call_mark(call).role(), 0),
        ];
        let seqs = [("detail.called", call.start_seq), ("detail.result_at", call.settle_seq)];
        for (key, seq) in seqs {
            if let Some(seq) = seq {
                parts.push(Part::new(self.words.say(key, &[("seq", &seq.to_string())]), Role::Normal, 3));
            }
        }
        if let (Some(start), Some(end)) = (call.start_time, call.settle_time) {
            parts.push(Part::new(duration(end.saturating_sub(start)), Role::Normal, 5));
        }
        parts
    }

    /// Type, seq and time of any other event.
    fn event_head(&self, ix: RowIx, columns: usize) -> DocLine {
        let Some(row) = self.index().rows.get(ix) else { return DocLine::blank() };
        let name = display(self.index().types.name(row.type_id).as_bytes());
        let seq = seq_text(row.seq().map(|seq| seq.0));
        let mut parts = vec![
            Part::new(name, Role::Strong, 0),
            Part::new(self.words.say("detail.seq", &[("seq", &seq)]), Role::Normal, 1),
        ];
        if let Some(time) = row.time() {
            parts.push(Part::new(self.zone.date_clock(time.0), Role::Dim, 2));
        }
        fitted(parts, columns)
    }
}

/// The parts that fit, three blanks between two; the least important ones are left out first.
fn fitted(mut parts: Vec<Part>, max: usize) -> DocLine {
    let wide = |parts: &[Part]| {
        let texts: usize = parts.iter().map(|part| columns(&part.span.text)).sum();
        texts + parts.len().saturating_sub(1) * 3
    };
    while wide(&parts) > max {
        let Some(at) = (0..parts.len()).max_by_key(|at| parts.get(*at).map_or(0, |part| part.cost)) else { break };
        if parts.get(at).is_none_or(|part| part.cost == 0) {
            break;
        }
        parts.remove(at);
    }
    let mut spans = Vec::with_capacity(parts.len() * 2);
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::plain(if at == 1 { "  " } else { "   " }));
        }
        spans.push(part.span);
    }
    DocLine { spans, ..DocLine::default() }
}
