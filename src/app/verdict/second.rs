//! The second fact, at the right of the news.

use super::{Case, News};
use crate::text::sanitize::display;
use crate::text::width::short_call_id;
use crate::triage::facts::{Approval, Call, CallState};
use crate::triage::pass;
use crate::triage::what::{Mark, approval_mark};

/// Ids named before the rest is only counted.
const MOST_IDS: usize = 3;

/// Adds the second fact: other unpaired calls, else approvals, else figures of a quiet log.
pub(super) fn fill(case: Case<'_>, news: &mut News) {
    if news.second.is_some() || !case.facts.format.known {
        return;
    }
    news.second = also_open(case, news).or_else(|| also_recovered(case, news));
    // Counts of the tail alone say nothing about the log.
    if news.second.is_none() && !case.is_tail() {
        news.second = approvals(case).or_else(|| figures(case, news));
    }
}

fn also_open(case: Case<'_>, news: &News) -> Option<[String; 2]> {
    let about =
        |call: &&Call| call.call_row.or(call.message_row) == news.row && display(call.call_id.as_bytes()) == news.id;
    let unpaired = case.facts.unpaired.iter().filter_map(|at| case.facts.calls.get(*at));
    others(case, &unpaired.filter(|call| !about(call)).collect::<Vec<_>>())
}

/// Other calls of the turn that recovery closed, where the news is of one: each is judged by itself.
fn also_recovered(case: Case<'_>, news: &News) -> Option<[String; 2]> {
    let last = case.facts.calls.get(pass::worst_recovered(case.facts)?)?;
    if last.call_row.or(last.message_row) != news.row || display(last.call_id.as_bytes()) != news.id {
        return None;
    }
    others(case, &pass::recovered_beside(case.facts, last))
}

/// How many other calls have an unknown outcome, or did not start.
fn others(case: Case<'_>, others: &[&Call]) -> Option<[String; 2]> {
    let of = |state: CallState| others.iter().filter(|call| call.state == state).collect::<Vec<_>>();
    let (unknown, waiting) = (of(CallState::OutcomeUnknown), of(CallState::NotStarted));
    let (calls, long, short) = if case.growing.is_some() {
        (others.iter().collect(), "verdict.also_no_result", "verdict.also_no_result_narrow")
    } else if unknown.is_empty() {
        (waiting, "verdict.also_not_started", "verdict.also_not_started_narrow")
    } else {
        (unknown, "verdict.also_unknown", "verdict.also_unknown_narrow")
    };
    if calls.is_empty() {
        return None;
    }
    let n = case.words.number(calls.len() as u64);
    let ids: Vec<String> =
        calls.iter().take(MOST_IDS).map(|call| short_call_id(&display(call.call_id.as_bytes()))).collect();
    let more = if calls.len() > MOST_IDS { ", ⋯" } else { "" };
    let ids = format!("{}{more}", ids.join(", "));
    Some([case.words.say(long, &[("n", &n), ("ids", &ids)]), case.words.say(short, &[("n", &n)])])
}

/// `5 approvals: 2 allowed  1 rejected  1 policy  1 nobody there`
fn approvals(case: Case<'_>) -> Option<[String; 2]> {
    let approvals = &case.facts.approvals;
    if approvals.is_empty() {
        return None;
    }
    let count = |test: &dyn Fn(&Approval) -> bool| approvals.iter().filter(|approval| test(approval)).count();
    let marked = |mark: Mark| count(&|approval| approval_mark(approval) == mark);
    let kinds = [
        ("verdict.allowed", marked(Mark::Completed)),
        ("verdict.rejected", marked(Mark::Failed)),
        ("verdict.by_policy", marked(Mark::ByPolicy)),
        ("verdict.nobody", marked(Mark::Look)),
        ("verdict.cancelled", marked(Mark::Cancelled)),
        ("verdict.undecided", marked(Mark::Unknown)),
    ];
    let parts: Vec<String> = kinds
        .into_iter()
        .filter(|(_, n)| *n > 0)
        .map(|(key, n)| case.words.say(key, &[("n", &case.words.number(n as u64))]))
        .collect();
    let count = case.words.count("count.approvals", approvals.len() as u64);
    Some([format!("{count}: {}", parts.join("  ")), count])
}

fn figures(case: Case<'_>, news: &News) -> Option<[String; 2]> {
    if news.loud || case.facts.container.events == 0 || news.row.is_some() {
        return None;
    }
    let failed = case.facts.calls.iter().filter(|call| call.state == CallState::Failed).count();
    let number = |n: usize| case.words.number(n as u64);
    let words = [
        ("failed", &*number(failed)),
        ("open", &*number(case.facts.unpaired.len())),
        ("approvals", &*number(case.facts.approvals.len())),
        ("retries", &*number(case.facts.retries.len())),
    ];
    Some([case.words.say("verdict.figures", &words), String::new()])
}
