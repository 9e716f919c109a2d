//! Approvals in words: the same for the ledger and the report.

use super::citation::nth_seq;
use super::said::{number, shown, shown_or};
use crate::session::row::EventRef;
use crate::text::locale::Words;
use crate::text::number::duration;
use crate::text::sanitize::one_line;
use crate::triage::facts::{Approval, Facts, Switch, Switched};
use crate::triage::ledger::{DecidedBy, FASTER_THAN_A_PERSON, Ledger, Unasked, decided_by};
use crate::triage::session::Session;
use crate::triage::what::{Mark, call_mark, sub_call_mark};

/// Most columns of a reason in a list.
const MOST_REASON: usize = 400;

/// Who decided, in words.
pub(crate) fn by<'a>(approval: &Approval, words: &'a Words) -> &'a str {
    words.get(match decided_by(approval) {
        DecidedBy::Answer => "ledger.by_answer",
        DecidedBy::Policy => "ledger.by_policy",
        DecidedBy::Cancelled => "ledger.by_cancel",
        DecidedBy::NobodyThere => "ledger.by_nobody",
        DecidedBy::NeverDecided => "ledger.by_none",
        DecidedBy::NotKnown => "ledger.by_unknown",
    })
}

/// Who decided, for a narrow column.
pub(crate) fn by_short<'a>(approval: &Approval, words: &'a Words) -> &'a str {
    match decided_by(approval) {
        DecidedBy::Policy => words.get("ledger.by_policy_short"),
        DecidedBy::Answer
        | DecidedBy::Cancelled
        | DecidedBy::NobodyThere
        | DecidedBy::NeverDecided
        | DecidedBy::NotKnown => by(approval, words),
    }
}

/// The outcome as recorded; a word for none.
pub(crate) fn outcome(approval: &Approval, words: &Words) -> String {
    match (&approval.outcome, approval.decided_row) {
        (Some(outcome), _) => shown(outcome),
        (None, Some(_)) => words.get("missing.words").to_owned(),
        (None, None) => words.get("state.never_decided").to_owned(),
    }
}

/// How long it waited; a word where the clock stepped back.
pub(crate) fn waited(approval: &Approval, words: &Words) -> String {
    match approval.waited_ms {
        None => words.get("missing.column").to_owned(),
        Some(ms) if ms < 0 => words.get("ladder.clock").to_owned(),
        Some(ms) => duration(ms),
    }
}

/// Why it was asked, on one line; empty where that was not recorded.
pub(crate) fn reason(approval: &Approval) -> String {
    approval.reason.as_ref().map(|reason| one_line(reason.as_bytes(), MOST_REASON)).unwrap_or_default()
}

/// Numbers of questions by what decided them: `2 allowed-once`, … without those that are 0.
pub(crate) fn counts(facts: &Facts, words: &Words) -> Vec<String> {
    let allowed = |approval: &Approval| approval.outcome.as_ref().is_some_and(|outcome| *outcome == "allowed-once");
    let of = |by: DecidedBy| facts.approvals.iter().filter(move |approval| decided_by(approval) == by);
    let answers = of(DecidedBy::Answer);
    let yes = answers.clone().filter(|approval| allowed(approval)).count();
    let counted = [
        ("ledger.n_allowed", yes),
        ("ledger.n_rejected", answers.count() - yes),
        ("ledger.n_policy", of(DecidedBy::Policy).count()),
        ("ledger.n_cancelled", of(DecidedBy::Cancelled).count()),
        ("ledger.n_nobody", of(DecidedBy::NobodyThere).count()),
        ("ledger.n_open", of(DecidedBy::NeverDecided).count()),
        ("ledger.n_unknown", of(DecidedBy::NotKnown).count()),
    ];
    let some = counted.into_iter().filter(|(_, n)| *n > 0);
    some.map(|(key, n)| words.say(key, &[("n", &words.number(n as u64))])).collect()
}

/// What a switch changed: `policy ask -> never`, or `policy ask` where nothing was in force before.
pub(crate) fn switched(facts: &Facts, at: usize, words: &Words) -> String {
    let Some(switch) = facts.switches.get(at) else { return String::new() };
    let name = words.get(switched_key(switch));
    let before = facts.switches.get(..at).unwrap_or_default();
    let before = before.iter().rev().find(|other| other.what == switch.what);
    let to = shown(&switch.value);
    match before {
        Some(before) if before.value != switch.value => format!("{name} {} -> {to}", shown(&before.value)),
        Some(_) | None => format!("{name} {to}"),
    }
}

fn switched_key(switch: &Switch) -> &'static str {
    match switch.what {
        Switched::Sandbox => "page_header.sandbox",
        Switched::Policy => "ledger.policy",
        Switched::Preset => "page_header.preset",
        Switched::Plan => "page_header.plan",
        Switched::AgentPreset => "page_header.agent_preset",
        Switched::Model => "page_header.model",
        Switched::Window => "page_header.window",
        Switched::Tools => "page_header.tools",
        Switched::Todo => "page_header.todo",
        Switched::Title => "page_header.title_field",
    }
}

/// That answers came faster than a person can give them; `None` where one was slower, or none came.
pub(crate) fn too_fast(ledger: &Ledger, words: &Words) -> Option<String> {
    let slowest = ledger.slowest_answer_ms.filter(|ms| *ms < FASTER_THAN_A_PERSON)?;
    Some(words.say("ledger.too_fast", &[("time", &duration(slowest.max(0)))]))
}

/// What is shown of something that ran without a question.
pub(crate) struct UnaskedWords {
    pub(crate) mark: Mark,
    pub(crate) seq: String,
    pub(crate) tool: String,
    pub(crate) id: String,
    /// Where it began.
    pub(crate) event: EventRef,
}

/// Something that ran without a question, in words.
pub(crate) fn unasked(unasked: Unasked, session: &Session) -> Option<UnaskedWords> {
    let facts = &session.facts;
    let (mark, row, name, id) = match unasked {
        Unasked::Call(at) => {
            let call = facts.calls.get(at)?;
            (call_mark(call), call.call_row?, &*call.name, &call.call_id)
        }
        Unasked::SubCall(at) => {
            let sub = facts.sub_calls.get(at)?;
            (sub_call_mark(sub), sub.start_row?, &sub.name, &sub.id)
        }
    };
    let event = EventRef { row, member: 0 };
    let seq = nth_seq(&session.index, event).unwrap_or_else(|| number(None));
    Some(UnaskedWords { mark, seq, tool: shown(name), id: shown(id), event })
}

/// One question in one line, as the report has it: when, how and by what it was decided, the rules then in force, why.
pub(crate) fn question_line(approval: &Approval, words: &Words) -> String {
    let missing = words.get("missing.column");
    let (tool, id) = (shown_or(approval.tool.as_ref(), missing), shown_or(approval.call_id.as_ref(), missing));
    let (seq, outcome) = (number(approval.asked_seq.or(approval.decided_seq)), outcome(approval, words));
    let values = [("seq", seq.as_str()), ("tool", &tool), ("id", &id), ("outcome", &outcome)];
    let mut parts = vec![words.say("report_text.approval", &values)];
    if approval.waited_ms.is_some() {
        parts.push(words.say("report_text.approval_waited", &[("time", &waited(approval, words))]));
    }
    match decided_by(approval) {
        DecidedBy::Answer => parts.push(words.get("ledger.by_answer_long").to_owned()),
        DecidedBy::NeverDecided => {}
        DecidedBy::Policy | DecidedBy::Cancelled | DecidedBy::NobodyThere | DecidedBy::NotKnown => {
            parts.push(by(approval, words).to_owned());
        }
    }
    let not_recorded = words.get("missing.words");
    let policy = shown_or(approval.policy.as_ref(), not_recorded);
    let sandbox = shown_or(approval.sandbox.as_ref(), not_recorded);
    parts.push(words.say("report_text.approval_in_force", &[("policy", &policy), ("sandbox", &sandbox)]));
    let reason = reason(approval);
    if !reason.is_empty() {
        parts.push(format!("\"{reason}\""));
    }
    parts.join(", ")
}
