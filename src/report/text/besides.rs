//! What stands below the six questions: approvals, what else is open, failures, tokens, why the log stops.

use crate::record::event::Usage;
use crate::text::number::duration;
use crate::triage::facts::{Approval, CallState, Retry, Turn};
use crate::triage::ladder::ladder;
use crate::triage::pass::page::Page;
use crate::triage::pass::rungs::{rung_line, twice};
use crate::triage::pass::said::{number, shown, shown_or};
use crate::triage::pass::stopped;
use crate::triage::what::is_by_policy;

/// Every section that has something to tell.
pub(super) fn all(page: &mut Page<'_>) {
    let facts = page.facts;
    if !facts.format.known {
        return;
    }
    page.section("report_text.approvals", &facts.approvals, approval);
    let open = ladder(page.session);
    page.section("ladder.report", &open, |page, rung| rung_line(rung, page.session, page.words));
    page.section("ladder.report_twice", &facts.twice, |page, found| twice(found, page.session, page.words));
    page.section("report_text.results", &facts.results_without_call, |page, stray| {
        let values = [("seq", &*number(stray.result_seq)), ("id", &*shown(&stray.call_id))];
        page.words.say("report_text.result", &values)
    });
    let failed: Vec<_> = facts.calls.iter().filter(|call| call.state == CallState::Failed).collect();
    page.section("report_text.failed", &failed, |page, call| {
        let code = shown_or(call.error_code.as_ref(), page.words.get("result.no_code"));
        let (seq, tool) = (number(call.result_seq), shown(&call.name));
        let values = [("seq", seq.as_str()), ("tool", &tool), ("id", &shown(&call.call_id)), ("code", &code)];
        page.words.say("report_text.failed_call", &values)
    });
    page.section("report_text.retries", &facts.retries, retry);
    page.section("report_text.dropped", &facts.dropped_calls, |page, call| {
        let missing = page.words.get("missing.column");
        let (tool, id) = (shown_or(call.name.as_ref(), missing), shown_or(call.call_id.as_ref(), missing));
        page.words.say("report_text.dropped_call", &[("seq", &number(call.seq)), ("tool", &tool), ("id", &id)])
    });
    let ended: Vec<_> = facts.turns.iter().filter(|turn| !is_completed(turn)).collect();
    page.section("report_text.turns", &ended, |page, turn| turn_state(page, turn));
    usage(page);
}

/// When, how, after how long; the policy then in force; and what the log does not record.
fn approval(page: &Page<'_>, approval: &Approval) -> String {
    let words = page.words;
    let missing = words.get("missing.column");
    let outcome = shown_or(approval.outcome.as_ref(), words.get("state.never_decided"));
    let (tool, id) = (shown_or(approval.tool.as_ref(), missing), shown_or(approval.call_id.as_ref(), missing));
    let seq = number(approval.asked_seq.or(approval.decided_seq));
    let values = [("seq", seq.as_str()), ("tool", &tool), ("id", &id), ("outcome", &outcome)];
    let mut parts = vec![words.say("report_text.approval", &values)];
    if let Some(ms) = approval.waited_ms {
        parts.push(words.say("report_text.approval_waited", &[("time", &duration(ms))]));
    }
    if is_by_policy(approval) {
        parts.push(words.get("report_text.by_policy").to_owned());
    } else if approval.decided_row.is_some() {
        parts.push(words.get("report_text.who_is_unknown").to_owned());
    }
    let not_recorded = words.get("missing.words");
    let policy = shown_or(approval.policy.as_ref(), not_recorded);
    let sandbox = shown_or(approval.sandbox.as_ref(), not_recorded);
    parts.push(words.say("report_text.approval_in_force", &[("policy", &policy), ("sandbox", &sandbox)]));
    parts.join(", ")
}

fn retry(page: &Page<'_>, retry: &Retry) -> String {
    let words = page.words;
    let status = retry.failure.status.map(|status| format!(" {status}")).unwrap_or_default();
    let code = shown_or(retry.failure.code.as_ref(), words.get("missing.column"));
    let started = match retry.started_row {
        Some(_) => words.say("report_text.retry_started", &[("seq", &number(retry.started_seq))]),
        None => words.get("report_text.retry_never").to_owned(),
    };
    let wait = retry.delay_ms.map(|ms| words.say("report_text.retry_wait", &[("time", &duration(ms))]));
    let values = [
        ("seq", &*number(retry.seq)),
        ("n", &*number(retry.retry)),
        ("code", &*format!("{code}{status}")),
        ("started", &*started),
    ];
    let text = words.say("report_text.retry", &values);
    wait.map_or(text.clone(), |wait| format!("{text}, {wait}"))
}

fn is_completed(turn: &Turn) -> bool {
    turn.end.as_ref().is_some_and(|end| *end == "completed")
}

fn turn_state(page: &Page<'_>, turn: &Turn) -> String {
    let words = page.words;
    let failure = turn.failure.as_deref();
    let code = failure.and_then(|failure| failure.code.as_ref()).map(|code| format!(" {}", shown(code)));
    let by = turn.aborted_by.as_ref().map(|by| format!(" ({})", shown(by)));
    let message = failure.and_then(|failure| failure.message.as_ref()).map(|text| format!(": {}", shown(text)));
    let state = shown_or(turn.end.as_ref(), words.get("state.open"));
    let state = [Some(state), code, by, message].into_iter().flatten().collect::<String>();
    words.say("report_text.turn", &[("turn", &turn.turn.to_string()), ("state", &state)])
}

/// Own tokens; the file's, where a fork copied some.
fn usage(page: &mut Page<'_>) {
    let (words, usage) = (page.words, page.facts.usage);
    page.line(words.get("report_text.usage"));
    let text = |requests: u64, tokens: &Usage| {
        let [input, output, read, write] =
            [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write].map(|n| words.number(n));
        let requests = words.count("count.requests", requests);
        let values =
            [("requests", &*requests), ("input", &*input), ("output", &*output), ("read", &*read), ("write", &*write)];
        words.say("report_text.usage_own", &values)
    };
    if usage.requests_in_file == 0 {
        page.proof(words.get("report_text.usage_none"));
        page.blank();
        return;
    }
    page.proof(&text(usage.requests_own, &usage.own));
    if page.facts.inherited.events > 0 {
        let in_file = text(usage.requests_in_file, &usage.in_file);
        page.proof(&words.say("report_text.usage_file", &[("usage", &in_file)]));
    }
    page.blank();
}

/// Why the log stops, as the last line.
pub(super) fn why_stopped(page: &mut Page<'_>) {
    if page.facts.format.known {
        let text = stopped(page.facts, page.words);
        let text = page.words.say("pass.why_stopped", &[("text", &text)]);
        page.line(&text);
    }
    if let Some(time) = page.facts.last_time {
        let text = page.words.say("report_text.last_event", &[("time", &page.zone.date_clock(time))]);
        page.proof(&text);
    }
}
