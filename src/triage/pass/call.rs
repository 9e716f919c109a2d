//! Questions 3 to 6: the last call without an answer, whether it ran, its tool, and how to report it.

use super::arguments::{self, Told};
use super::citation::{Cited, citation};
use super::page::{MOST_LISTED, Mark, Page};
use super::rungs::twice;
use super::said::{advice_key, call_seq, class, number, number_or_none, shown, shown_or};
use super::{Lines, recovered_beside, worst_recovered};
use crate::session::row::{EventRef, RowIx, Seq};
use crate::triage::advice::advice;
use crate::triage::facts::{Basis, Call, CallState, Facts, StopCause, SubCallState, ToolOrigin, Twice, TwiceWhy};
use crate::triage::what::{self, call_mark, is_by_policy};

/// Why a call is the one in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chosen {
    Unpaired,
    Recovered,
    Late,
    Failed,
}

/// The call in question: the last unpaired one, else the worst that recovery closed in its last turn, also where a real result came
/// after it, else the last that failed.
fn chosen(facts: &Facts) -> Option<(usize, &Call, Chosen)> {
    let unpaired = facts.last_unpaired.map(|at| (at, Chosen::Unpaired));
    let recovered = worst_recovered(facts).map(|at| (at, Chosen::Recovered));
    let failed = facts.last_failed.map(|at| (at, Chosen::Failed));
    let late = facts.calls.iter().rposition(|call| call.basis == Basis::ResultAfterRecovery);
    let late = late.map(|at| (at, Chosen::Late));
    let (at, why) = unpaired.or(recovered).or(late).or(failed)?;
    facts.calls.get(at).map(|call| (at, call, why))
}

/// Answers the four questions.
pub(super) fn last_call(page: &mut Page<'_>, lines: &mut Lines<'_>) {
    let facts = page.facts;
    let Some((at, call, why)) = chosen(facts) else { return no_call(page) };
    let row = call.call_row.or(call.message_row);
    let told = row.and_then(lines).and_then(|line| arguments::told(&line, call, page.words));
    which(page, call, why, told.as_ref());
    page.blank();
    did_it_run(page, call);
    ran_twice(page, Some(at));
    page.blank();
    its_tool(page, call, told.as_ref());
    page.blank();
    page.answer(6, mark_of(call.state), &citation(page.session, Cited::Call(at), page.words));
    page.leads(row);
    page.blank();
}

fn no_call(page: &mut Page<'_>) {
    let (words, facts) = (page.words, page.facts);
    if !facts.format.known {
        for step in 3..=5 {
            page.answer(step, Mark::Look, words.get("pass.harness_unknown"));
            page.blank();
        }
        return cite_the_log(page);
    }
    let is_lost = facts.container.is_damaged() || !facts.sequence.is_whole() || !facts.results_without_call.is_empty();
    let (mark, key) = match (facts.calls.is_empty(), is_lost) {
        (true, false) => (Mark::Fine, "pass.no_calls"),
        (true, true) => (Mark::Look, "report_text.no_calls_here"),
        (false, false) => (Mark::Fine, "pass.all_answered"),
        (false, true) => (Mark::Look, "pass.all_answered_here"),
    };
    page.answer(3, mark, words.get(key));
    ran_twice(page, None);
    stray_results(page);
    open_without_call(page);
    page.blank();
    let key = if is_lost { "pass.nothing_to_ask_here" } else { "pass.nothing_to_ask" };
    page.answer(4, mark, words.get(key));
    page.blank();
    let (mark, text) = match unexpected_tools(page, None) {
        texts if texts.is_empty() => (mark, words.get("report_text.no_tool").to_owned()),
        texts => (Mark::Look, texts.join("; ")),
    };
    page.answer(5, mark, &text);
    page.blank();
    cite_the_log(page);
}

/// Without a call in question the record is cited that the harness stumbles over, else the first break, else the last.
fn cite_the_log(page: &mut Page<'_>) {
    let (session, facts) = (page.session, page.facts);
    let last = RowIx((session.index.rows.len() as u32).saturating_sub(1));
    let first_break = facts.sequence.breaks.first().map(|found| found.row);
    let row = facts.loader.at.or(first_break).unwrap_or(last);
    let text = citation(session, Cited::Event(EventRef { row, member: 0 }), page.words);
    page.answer(6, Mark::Fine, &text);
    page.leads(Some(row));
    page.blank();
}

fn stray_results(page: &mut Page<'_>) {
    match page.facts.results_without_call.len() as u64 {
        0 => {}
        n => page.proof(&page.words.count("report_text.stray", n)),
    }
}

fn mark_of(state: CallState) -> Mark {
    match state {
        CallState::Completed => Mark::Fine,
        CallState::Failed => Mark::Wrong,
        CallState::NotStarted => Mark::NotStarted,
        CallState::OutcomeUnknown => Mark::Unknown,
    }
}

fn which(page: &mut Page<'_>, call: &Call, why: Chosen, told: Option<&Told>) {
    let words = page.words;
    let values = [
        ("tool", &*shown(&call.name)),
        ("id", &*shown(&call.call_id)),
        ("seq", &*number(call_seq(call))),
        ("turn", &*number(call.turn.get())),
        ("step", &*number(call.step.get())),
    ];
    let named = words.say("report_text.call", &values);
    match why {
        Chosen::Unpaired => page.answer(3, mark_of(call.state), &named),
        Chosen::Recovered => {
            page.answer(3, Mark::Look, &words.say("report_text.call_recovered", &[("call", &named)]));
        }
        Chosen::Late => page.answer(3, Mark::Look, &words.say("report_text.call_late", &[("call", &named)])),
        Chosen::Failed => page.answer(3, Mark::Look, &words.say("report_text.call_failed", &[("call", &named)])),
    }
    page.leads(call.call_row.or(call.message_row));
    if let Some(told) = told.filter(|told| !told.first_line.is_empty()) {
        page.proof(&told.first_line);
    }
    let (asked, called) = (number_or_none(call.message_seq.get(), words), number_or_none(call.call_seq.get(), words));
    let result = number_or_none(call.result_seq.get(), words);
    page.proof(&words.say("report_text.asked", &[("asked", &asked), ("called", &called), ("result", &result)]));
    let same = page.facts.calls.iter().filter(|other| other.call_id == call.call_id).count() as u64 - 1;
    if same > 0 {
        page.proof(&words.count("report_text.ids_shared", same));
    }
    match why {
        Chosen::Unpaired => also_unanswered(page, call),
        Chosen::Recovered => {
            let others = recovered_beside(page.facts, call);
            also(page, "pass.recovered_too", &others);
        }
        Chosen::Late | Chosen::Failed => {}
    }
    stray_results(page);
    open_without_call(page);
}

/// The other calls without an answer.
fn also_unanswered(page: &mut Page<'_>, call: &Call) {
    let facts = page.facts;
    let unpaired = facts.unpaired.iter().filter_map(|at| facts.calls.get(*at));
    let others: Vec<&Call> = unpaired.filter(|other| !std::ptr::eq(*other, call)).collect();
    also(page, "pass.no_answer_either", &others);
}

/// Other calls, each with its seq and class; nothing for none.
fn also(page: &mut Page<'_>, key: &str, others: &[&Call]) {
    if others.is_empty() {
        return;
    }
    let one = |other: &&Call| {
        let (tool, id, seq) = (shown(&other.name), shown(&other.call_id), number(call_seq(other)));
        // On a screen the next answer tells the classes.
        let class = if page.brief { String::new() } else { format!(", {}", class(other, page.words)) };
        format!("{tool} {id} ({seq}{class})")
    };
    let mut names: Vec<String> = others.iter().take(MOST_LISTED).map(one).collect();
    if others.len() > MOST_LISTED {
        names.push(page.words.count("report_text.more", (others.len() - MOST_LISTED) as u64));
    }
    page.proof(&page.words.say(key, &[("calls", &names.join(", "))]));
    page.leads(others.first().and_then(|call| call.call_row.or(call.message_row)));
}

/// What is open and no call: an approval, a command, a sub-call, or the model itself.
fn open_without_call(page: &mut Page<'_>) {
    let stopped = &page.facts.stopped;
    match stopped.cause {
        StopCause::OpenApproval
        | StopCause::OpenSubCall
        | StopCause::OpenCommand
        | StopCause::WaitingForRetry
        | StopCause::NoAnswer
        | StopCause::BetweenSteps => {
            let text = super::stopped(page.facts, page.words);
            page.proof(&text);
        }
        StopCause::OpenCall | StopCause::TurnEnded | StopCause::NothingYet => {}
    }
}

fn did_it_run(page: &mut Page<'_>, call: &Call) {
    let words = page.words;
    let (called, asked) = (number(call.call_seq.get()), number(call.message_seq.get()));
    let (result, line) = (number(call.result_seq.get()), page.facts.container.lines.to_string());
    let text = match (call.state, call.basis) {
        (CallState::Completed, _) => words.say("pass.completed", &[("seq", &result)]),
        (CallState::Failed, _) => {
            let code = call.error_code.as_ref().map_or_else(|| words.get("result.no_code").to_owned(), shown);
            words.say("pass.failed_ran", &[("seq", &result), ("why", &code)])
        }
        (CallState::OutcomeUnknown, Basis::Recorded) => words.say("pass.unknown_recorded", &[("seq", &result)]),
        (CallState::OutcomeUnknown, _) => words.say("pass.unknown_inferred", &[("called", &called), ("line", &line)]),
        (CallState::NotStarted, Basis::Recorded) => {
            let recorded = words.say("verdict.proof_recorded", &[("seq", &result)]);
            format!("{}: {recorded}", words.get("verdict.recovered_not_started"))
        }
        (CallState::NotStarted, _) => {
            let proof = words.say("verdict.proof_not_started", &[("asked", &asked), ("line", &line)]);
            format!("{}, {proof}", words.get("verdict.not_started"))
        }
    };
    page.answer(4, mark_of(call.state), &text);
    page.leads(call.result_row.or(call.call_row).or(call.message_row));
    if let Some(advice) = advice(call) {
        page.proof(words.get(advice_key(advice)));
    }
    notes(page, call);
    others_ran(page, call);
}

/// Whether the other calls without an answer ran: class by class, since one may be retried and the next may not.
fn others_ran(page: &mut Page<'_>, call: &Call) {
    let facts = page.facts;
    let unpaired = facts.unpaired.iter().filter_map(|at| facts.calls.get(*at));
    let others: Vec<&Call> = unpaired.filter(|other| !std::ptr::eq(*other, call)).collect();
    if call.result_row.is_some() || others.is_empty() {
        return;
    }
    let classes =
        [(CallState::OutcomeUnknown, "pass.others_unknown"), (CallState::NotStarted, "pass.others_not_started")];
    for (state, key) in classes {
        let of_class: Vec<&&Call> = others.iter().filter(|other| other.state == state).collect();
        let Some(first) = of_class.first() else { continue };
        let mut ids: Vec<String> = of_class.iter().take(MOST_LISTED).map(|other| shown(&other.call_id)).collect();
        if of_class.len() > MOST_LISTED {
            ids.push(page.words.count("report_text.more", (of_class.len() - MOST_LISTED) as u64));
        }
        let row = first.call_row.or(first.message_row);
        let text = page.words.say(key, &[("calls", &ids.join(", "))]);
        page.proof(&format!("{} {text}", mark_of(state).glyph()));
        page.leads(row);
    }
}

/// What else the log says about whether it ran.
fn notes(page: &mut Page<'_>, call: &Call) {
    let (words, facts) = (page.words, page.facts);
    let questions = call.approvals().iter().filter_map(|at| facts.approvals.get(*at));
    for approval in questions {
        let text = match &approval.outcome {
            None if approval.decided_row.is_none() => {
                let values = [("id", &*shown(&approval.id)), ("seq", &*number(approval.asked_seq))];
                words.say("report_text.approval_open", &values)
            }
            outcome => {
                let said = if is_by_policy(approval) { words.get("report_text.by_policy") } else { "" };
                let outcome = shown_or(outcome.as_ref(), words.get("missing.words"));
                let values = [("outcome", &*outcome), ("seq", &*number(approval.decided_seq))];
                format!("{}  {said}", words.say("report_text.approval_said", &values))
            }
        };
        page.proof(&text);
    }
    if call_mark(call) == what::Mark::Cancelled {
        page.proof(words.get("report_text.not_run"));
    }
    for sub in &facts.sub_calls {
        let is_inside = sub.call.and_then(|at| facts.calls.get(at)).is_some_and(|root| std::ptr::eq(root, call));
        if is_inside && sub.state == SubCallState::OutcomeUnknown {
            let values = [("tool", &*shown(&sub.name)), ("id", &*shown(&sub.id)), ("seq", &*number(sub.start_seq))];
            page.proof(&words.say("report_text.sub_call_open", &values));
        }
    }
    if let (Basis::ResultAfterRecovery, Some(state)) = (call.basis, call.recovery().map(|recovery| recovery.state)) {
        let state = super::said::state(state);
        let (recovery, seq) =
            (number(call.recovery().and_then(|recovery| recovery.seq)), number(call.result_seq.get()));
        let values = [("recovery", recovery.as_str()), ("seq", &seq), ("state", state)];
        page.proof(&words.say("report_text.after_recovery", &values));
        page.proof(words.get("advice.may_have_run_twice"));
    }
    if call.orphaned && call.result_row.is_none() {
        page.proof(words.get("report_text.orphaned"));
    }
}

/// What says that this call, or any where none is in question, may have run twice. A result after recovery is told with
/// the state that it settles.
fn ran_twice(page: &mut Page<'_>, call: Option<usize>) {
    let facts = page.facts;
    let is_its = |twice: &&Twice| match call {
        Some(call) => {
            let settles_it = twice.why == TwiceWhy::ResultAfterRecovery;
            !settles_it && (twice.call == call || twice.again == Some(call))
        }
        None => true,
    };
    for found in facts.twice.iter().filter(is_its).take(MOST_LISTED) {
        let why = twice(found, page.session, page.words);
        page.proof(&page.words.say("ladder.may_have_run_twice", &[("why", &why)]));
        page.leads(Some(found.rows[1]));
    }
}

fn its_tool(page: &mut Page<'_>, call: &Call, told: Option<&Told>) {
    let words = page.words;
    let seq = number(call.declared_seq.get());
    let (mark, key) = match (call.tool_origin, call.declared_seq.get()) {
        (Some(ToolOrigin::Stock), Some(_)) => (Mark::Fine, "report_text.tool_stock"),
        (Some(ToolOrigin::Stock), None) => (Mark::Fine, "report_text.tool_stock_undated"),
        (Some(ToolOrigin::Added), _) => (Mark::Look, "report_text.tool_added"),
        (Some(ToolOrigin::Undeclared), _) => (Mark::Wrong, "report_text.tool_undeclared"),
        (None, _) => (Mark::Look, "report_text.tool_unknown"),
    };
    page.answer(5, mark, &words.say(key, &[("tool", &shown(&call.name)), ("seq", &seq)]));
    page.leads(declared(page, call));
    for text in unexpected_tools(page, Some(call)) {
        page.proof(&text);
    }
    let bytes = words.count("count.bytes", call.argument_bytes());
    let arguments = match told.and_then(|told| told.is_json) {
        Some(is_json) => {
            let json = words.get(if is_json { "report_text.is_json" } else { "report_text.is_not_json" });
            words.say("report_text.arguments", &[("bytes", &bytes), ("json", json)])
        }
        None => words.say("report_text.arguments_unread", &[("bytes", &bytes)]),
    };
    let copies = match (call.arguments_differ || call.stream_differs == Some(true), call.stream_differs) {
        (true, _) => "pass.copies_differ",
        (false, Some(_)) => "pass.copies_agree",
        (false, None) => "arguments.copies_agree_no_stream",
    };
    let copies =
        if call.call_row.is_none() && call.stream_differs.is_none() { "arguments.only_message" } else { copies };
    let copies = if call.message_row.is_none() { "arguments.only_call" } else { copies };
    let asked = if call.approvals().is_empty() { words.get("pass.no_approval") } else { "" };
    let parts = [arguments.as_str(), words.get(copies), asked];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    page.proof(&parts.join("; "));
}

/// Where the tool of a call was first declared.
fn declared(page: &Page<'_>, call: &Call) -> Option<RowIx> {
    let near = call.call_row.or(call.message_row).unwrap_or_default();
    page.session.index.resolve(Seq(call.declared_seq.get()?), near).map(|event| event.row)
}

/// Names that other calls used and nobody may have meant to load: undeclared ones, then added ones.
fn unexpected_tools(page: &Page<'_>, but: Option<&Call>) -> Vec<String> {
    let origins = [
        (ToolOrigin::Undeclared, "report_text.tool_undeclared_others"),
        (ToolOrigin::Added, "report_text.tool_added_others"),
    ];
    let of = |origin: ToolOrigin| {
        let calls = page.facts.calls.iter().filter(|call| call.tool_origin == Some(origin));
        let calls = calls.filter(|call| but.is_none_or(|but| but.name != call.name));
        let names: std::collections::BTreeSet<_> = calls.map(|call| &call.name).collect();
        let mut shown: Vec<String> = names.iter().take(MOST_LISTED).map(|name| shown(name)).collect();
        if names.len() > MOST_LISTED {
            shown.push(page.words.count("report_text.more", (names.len() - MOST_LISTED) as u64));
        }
        shown.join(", ")
    };
    let all = origins.into_iter().map(|(origin, key)| (of(origin), key));
    all.filter(|(names, _)| !names.is_empty()).map(|(names, key)| page.words.say(key, &[("names", &names)])).collect()
}
