//! What is open, and what may have run twice, in words: the same for the page and the report.

use super::citation::nth_seq;
use super::said::{advice_key, class, number, shown};
use crate::session::row::EventRef;
use crate::text::locale::Words;
use crate::text::sanitize::display;
use crate::text::width::short_call_id;
use crate::triage::facts::{Basis, Call, CallState, Facts, GhostKind, Twice, TwiceWhy};
use crate::triage::ladder::{At, Kind, OnResume, Rung};
use crate::triage::session::Session;
use crate::triage::what::{Mark, sub_call_number};

/// One open thing in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RungWords {
    /// The sign of its state.
    pub(crate) mark: Mark,
    /// What it is: tool and id, or number.
    pub(crate) what: String,
    /// Its state.
    pub(crate) state: String,
    /// What that rests on.
    pub(crate) evidence: String,
    /// What may be done.
    pub(crate) advice: Option<String>,
    /// What a resume made or would make of it.
    pub(crate) resume: Option<String>,
}

/// Key of the name of a kind of open things.
pub(crate) fn kind_key(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "ladder.calls",
        Kind::Approval => "ladder.approvals",
        Kind::Command => "ladder.commands",
        Kind::SubCall => "ladder.sub_calls",
        Kind::Hook => "ladder.hooks",
        Kind::Retry => "ladder.retries",
        Kind::Compaction => "ladder.compactions",
        Kind::WorkflowRun => "ladder.workflow_runs",
        Kind::WorkflowAgent => "ladder.workflow_agents",
        Kind::TeamMessage => "ladder.team_messages",
        Kind::Prompt => "ladder.queued_prompts",
        Kind::Step => "ladder.steps",
        Kind::Turn => "ladder.turns",
    }
}

/// The type of the record that would have closed it.
fn missing(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "tool/result",
        Kind::Approval => "approval/decided",
        Kind::Command => "command/done",
        Kind::SubCall => "tool/ptc-dispatch",
        Kind::Hook => "hook/result",
        Kind::Retry => "llm/retry-started",
        Kind::Compaction => "compaction/end",
        Kind::WorkflowRun => "tool-workflow/run-end",
        Kind::WorkflowAgent => "tool-workflow/agent-end",
        Kind::TeamMessage => "team/message/delivered",
        Kind::Prompt => "agent/inbox/spliced",
        Kind::Step => "step/end",
        Kind::Turn => "turn/end",
    }
}

/// An open thing in words. In a file that grows nothing is inferred from what is not there.
pub(crate) fn rung(rung: &Rung, session: &Session, words: &Words, growing: bool) -> RungWords {
    let awaited = growing && rung.basis == Basis::Inferred;
    let (mark, state) = match (rung.state, rung.basis) {
        (Some(_), Basis::Inferred) if awaited => (Mark::Unknown, "state.no_result_yet"),
        (Some(CallState::NotStarted), Basis::Recorded) => (Mark::NotStarted, "state.not_started_recorded"),
        (Some(CallState::NotStarted), _) => (Mark::NotStarted, "state.not_started"),
        (Some(CallState::OutcomeUnknown), Basis::Recorded) => (Mark::Unknown, "state.outcome_unknown_recorded"),
        (Some(CallState::OutcomeUnknown), _) => (Mark::Unknown, "state.outcome_unknown"),
        (Some(CallState::Completed | CallState::Failed) | None, _) => match rung.kind {
            Kind::Approval => (Mark::Unknown, "state.never_decided"),
            Kind::Command => (Mark::Unknown, "state.command_never_done"),
            Kind::Retry => (Mark::None, "state.never_started"),
            Kind::Call
            | Kind::SubCall
            | Kind::Hook
            | Kind::Compaction
            | Kind::WorkflowRun
            | Kind::WorkflowAgent
            | Kind::TeamMessage
            | Kind::Step
            | Kind::Turn => (Mark::None, "state.open"),
            Kind::Prompt => (Mark::None, "state.never_sent"),
        },
    };
    let advice = if awaited { None } else { advice_of(rung, words) };
    RungWords {
        mark,
        what: what(rung, session, words),
        state: words.get(state).to_owned(),
        evidence: evidence(rung, session, words),
        advice,
        resume: resume(rung, &session.facts, words),
    }
}

fn what(rung: &Rung, session: &Session, words: &Words) -> String {
    let id = short_call_id(&shown(&rung.id));
    let (turn, step) = (number(rung.place.0), number(rung.place.1));
    match rung.kind {
        Kind::Call | Kind::Approval => {
            let name = shown(&rung.name);
            format!("{name} {id}")
        }
        Kind::Command => format!("/{} {id}", display(rung.name.as_bytes())),
        Kind::SubCall => {
            let root = session.facts.sub_calls.get(rung.at).map(|sub| display(sub.root.as_bytes()));
            format!("{} {}", shown(&rung.name), sub_call_number(&shown(&rung.id), &root.unwrap_or_default()))
        }
        Kind::Retry => format!("{} {id}", display(rung.name.as_bytes())),
        Kind::Hook | Kind::Compaction | Kind::WorkflowRun | Kind::WorkflowAgent | Kind::TeamMessage | Kind::Prompt => {
            shown(&rung.id)
        }
        Kind::Step => words.say("ladder.step", &[("turn", &turn), ("step", &step)]),
        Kind::Turn => words.say("status.place_turn", &[("turn", &turn)]),
    }
}

fn evidence(rung: &Rung, session: &Session, words: &Words) -> String {
    let container = &session.facts.container;
    let torn = container.torn_tail.map_or(0, |torn| torn.complete_lines_inside);
    let line = container.lines.saturating_add(torn).to_string();
    let no = words.say("ladder.no_record", &[("type", missing(rung.kind)), ("line", &line)]);
    let rests = match (rung.basis, rung.state, rung.resume) {
        (Basis::Recorded, Some(state), OnResume::Closed(at)) => {
            let class = if state == CallState::NotStarted { "TOOL_NOT_STARTED" } else { "TOOL_OUTCOME_UNKNOWN" };
            return words.say("ladder.recorded", &[("class", class), ("seq", &number(at.seq))]);
        }
        (_, Some(CallState::NotStarted), _) => words.say("ladder.never_called", &[("line", &line)]),
        _ => no,
    };
    match rung.closer {
        Some((closer, at)) => {
            let values = [("evidence", &*rests), ("type", closer.name()), ("seq", &*number(at.seq))];
            words.say("ladder.closed_over", &values)
        }
        None => rests,
    }
}

fn advice_of(rung: &Rung, words: &Words) -> Option<String> {
    match (rung.kind, rung.advice) {
        (_, Some(advice)) => Some(words.get(advice_key(advice)).to_owned()),
        (Kind::Approval, None) => Some(words.say("advice.waiting_for_approval", &[("seq", &number(rung.opened))])),
        (Kind::SubCall | Kind::Command, None) => Some(words.get("advice.unknown").to_owned()),
        (
            Kind::Call
            | Kind::Hook
            | Kind::Retry
            | Kind::Compaction
            | Kind::WorkflowRun
            | Kind::WorkflowAgent
            | Kind::TeamMessage
            | Kind::Step
            | Kind::Turn,
            None,
        ) => None,
        (Kind::Prompt, None) => Some(words.get("advice.never_sent").to_owned()),
    }
}

fn resume(rung: &Rung, facts: &Facts, words: &Words) -> Option<String> {
    Some(match rung.resume {
        OnResume::NotJudged | OnResume::Closed(_) => return None,
        OnResume::WouldClose(at) => {
            let record = match facts.resume.get(at).map(|ghost| &ghost.kind) {
                Some(GhostKind::Result { started: true, .. }) => "tool/result TOOL_OUTCOME_UNKNOWN",
                Some(GhostKind::Result { started: false, .. }) => "tool/result TOOL_NOT_STARTED",
                Some(GhostKind::StepEnd { .. }) => "step/end",
                Some(GhostKind::TurnEnd { .. }) => "turn/end interrupted",
                None => return None,
            };
            words.say("ladder.would_write", &[("record", record)])
        }
        OnResume::WentPast(At { seq, .. }) => words.say("ladder.went_past", &[("seq", &number(seq))]),
        OnResume::Nothing => words.get("ladder.would_leave").to_owned(),
        OnResume::Refused => words.get("ladder.refused").to_owned(),
    })
}

/// A call that may have run twice, in one sentence with both seqs.
pub(crate) fn twice(twice: &Twice, session: &Session, words: &Words) -> String {
    let facts = &session.facts;
    let call = facts.calls.get(twice.call);
    let named = call.map(named).unwrap_or_default();
    let key = match twice.why {
        TwiceWhy::CalledAgain => "ladder.called_again",
        TwiceWhy::ResultAfterRecovery => "ladder.result_after_recovery",
        TwiceWhy::TwoResults => "ladder.two_results",
    };
    let again = twice.again.and_then(|at| facts.calls.get(at)).map(|call| shown(&call.call_id)).unwrap_or_default();
    let [one, other] = twice_seqs(twice, session);
    let sentence = words.say(key, &[("call", &named), ("one", &one), ("other", &other), ("again", &again)]);
    let only_reads = call.is_some_and(|call| crate::triage::advice::only_reads(call.name.as_bytes()));
    let advice = words.get(if only_reads { "ladder.twice_reads" } else { "ladder.twice_look" });
    format!("{sentence} {advice}")
}

/// The two records of a call that may have run twice, each in a few words.
pub(crate) fn twice_sides(twice: &Twice, session: &Session, words: &Words) -> [String; 2] {
    let facts = &session.facts;
    let call = facts.calls.get(twice.call);
    let later = twice.again.and_then(|at| facts.calls.get(at)).or(call);
    let class_of = |call: Option<&Call>| call.map(|call| class(call, words)).unwrap_or_default();
    let recovery = match call.and_then(|call| call.recovery().map(|recovery| recovery.state)) {
        Some(CallState::NotStarted) => "TOOL_NOT_STARTED",
        Some(_) | None => "TOOL_OUTCOME_UNKNOWN",
    };
    let seqs = twice_seqs(twice, session);
    let say = |at: usize, kind: &str, text: &str| {
        words.say("ladder.side", &[("seq", &seqs[at]), ("type", kind), ("text", text)])
    };
    match twice.why {
        TwiceWhy::CalledAgain => {
            let side = |at, call: Option<&Call>| {
                let id = call.map(|call| shown(&call.call_id)).unwrap_or_default();
                say(at, "tool/call", &format!("{id}  {}", class_of(call)))
            };
            [side(0, call), side(1, later)]
        }
        TwiceWhy::ResultAfterRecovery => [say(0, "tool/result", recovery), say(1, "tool/result", &class_of(call))],
        TwiceWhy::TwoResults => {
            [say(0, "tool/result", &class_of(call)), say(1, "tool/result", words.get("ladder.second_result"))]
        }
    }
}

/// The seqs of both records as they are typed to go there: a damaged log has one seq for both.
fn twice_seqs(twice: &Twice, session: &Session) -> [String; 2] {
    let place = |row| nth_seq(&session.index, EventRef { row, member: 0 }).unwrap_or_else(|| number(None));
    twice.rows.map(place)
}

fn named(call: &Call) -> String {
    format!("{} {}", shown(&call.name), shown(&call.call_id))
}

/// One open thing in one line, as the report has it.
pub(crate) fn rung_line(of: &Rung, session: &Session, words: &Words) -> String {
    let said = rung(of, session, words, false);
    let seq = number(of.opened.or(of.asked));
    let values = [
        ("seq", seq.as_str()),
        ("kind", of.kind.name()),
        ("what", &said.what),
        ("state", &said.state),
        ("evidence", &said.evidence),
    ];
    let line = words.say("ladder.report_line", &values);
    [Some(line), said.resume].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
