//! What stands below the six questions: approvals, what else is open, failures, tokens, why the log stops.

use crate::record::event::Usage;
use crate::triage::facts::{CallState, Turn};
use crate::triage::ladder::ladder;
use crate::triage::ledger::{is_rule, ledger};
use crate::triage::pass::asked::{question_line, switched, too_fast, unasked};
use crate::triage::pass::page::Page;
use crate::triage::pass::rungs::{rung_line, twice};
use crate::triage::pass::said::{number, shown, shown_or};
use crate::triage::pass::stopped;

/// Every section that has something to tell.
pub(super) fn all(page: &mut Page<'_>) {
    let facts = page.facts;
    if !facts.format.known {
        return;
    }
    page.section("report_text.approvals", &facts.approvals, |page, approval| question_line(approval, page.words));
    approvals_besides(page);
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
        let (seq, tool) = (number(call.result_seq.get()), shown(&call.name));
        let values = [("seq", seq.as_str()), ("tool", &tool), ("id", &shown(&call.call_id)), ("code", &code)];
        page.words.say("report_text.failed_call", &values)
    });
    let ended: Vec<_> = facts.turns.iter().filter(|turn| !is_completed(turn)).collect();
    page.section("report_text.turns", &ended, |page, turn| turn_state(page, turn));
    usage(page);
}

/// The switches of the rules that questions are decided by, and what ran without a question.
fn approvals_besides(page: &mut Page<'_>) {
    let book = ledger(page.facts);
    let switches = page.facts.switches.iter().enumerate().filter(|(_, switch)| is_rule(switch));
    let switches: Vec<(usize, Option<i64>)> = switches.map(|(at, switch)| (at, switch.seq)).collect();
    page.section("ledger.report_switches", &switches, |page, (at, seq)| {
        format!("{}  {}", number(*seq), switched(page.facts, *at, page.words))
    });
    page.section("ledger.report_unasked", &book.unasked, |page, found| {
        let Some(said) = unasked(*found, page.session) else { return String::new() };
        let values = [("seq", said.seq.as_str()), ("tool", &said.tool), ("id", &said.id)];
        page.words.say("ledger.report_unasked_line", &values)
    });
    if let Some(text) = too_fast(&book, page.words) {
        page.line(&text);
        page.blank();
    }
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
