//! Approvals, policies, sandbox, presets and hooks.

use super::calls::Link;
use super::line::Line;
use super::mark::{Mark, approval_mark, is_by_policy};
use super::told::Told;
use crate::text::number::duration;
use crate::text::width::short_call_id;

pub(super) fn asked(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("toolName")).part(&short_call_id(&told.name("callId")));
    if let Some(reason) = told.prose("reason") {
        line.quote("  ", &reason);
    }
    match told.calls.of(told.ix) {
        Some(Link::Asked(at)) => match told.session.facts.approvals.get(at as usize) {
            Some(approval) if approval.decided_row.is_none() => Mark::Unknown,
            _ => Mark::None,
        },
        _ => Mark::None,
    }
}

pub(super) fn decided(told: &Told<'_>, line: &mut Line) -> Mark {
    let outcome = told.name("outcome");
    let approval = match told.calls.of(told.ix) {
        Some(Link::Decided(at)) => told.session.facts.approvals.get(at as usize),
        _ => None,
    };
    let Some(approval) = approval else {
        line.part(&outcome);
        return Mark::None;
    };
    let outcome = if is_by_policy(approval) { told.words.get("state.rejected_by_policy").to_owned() } else { outcome };
    match approval.waited_ms {
        Some(waited) => line.add(&told.say("decided_after", &[("outcome", &outcome), ("time", &duration(waited))])),
        None => line.add(&outcome),
    };
    if let Some(call) = &approval.call_id {
        line.apart(&short_call_id(&crate::text::sanitize::display(call.as_bytes())));
    }
    approval_mark(approval)
}

/// `approval/policy`, `sandbox/mode`: the value, and where it came from.
pub(super) fn switch(told: &Told<'_>, line: &mut Line, key: &str) -> Mark {
    line.part(&told.name(key));
    let source = told.name("source");
    match source.as_str() {
        "" => {}
        "delegation" => {
            line.part(&told.say("by_delegation", &[]));
        }
        _ => {
            line.part(&format!("({source})"));
        }
    }
    Mark::None
}

pub(super) fn preset(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("preset"));
    let origin = told.name("origin");
    if !origin.is_empty() {
        line.part(&format!("({origin})"));
    }
    Mark::None
}

pub(super) fn plan(told: &Told<'_>, line: &mut Line) -> Mark {
    let active = told.data.get("active").map(super::super::peek::Peek::raw);
    match active {
        Some(b"true") => line.add(&told.say("plan_on", &[])),
        Some(b"false") => line.add(&told.say("plan_off", &[])),
        _ => line.add(&told.name("active")),
    };
    Mark::None
}

/// `#n` of a handler id `<dialect>:<point>:<n>`, else the id itself.
fn handler(told: &Told<'_>) -> String {
    let id = told.name("handlerId");
    match id.rsplit_once(':') {
        Some((_, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("#{number}")
        }
        _ => id,
    }
}

pub(super) fn hook_invoked(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("point")).part(&told.name("dialect")).part(&handler(told)).part(&told.name("matcher"));
    Mark::None
}

pub(super) fn hook_result(told: &Told<'_>, line: &mut Line) -> Mark {
    let decision = told.name("decision");
    line.part(&told.name("point")).part(&handler(told)).part(&decision);
    if let Some(code) = told.data.integer("exitCode") {
        line.figure(" ", &told.say("hook_exit", &[("code", &code.to_string())]));
    }
    if let Some(ms) = told.data.get("durationMs").and_then(super::super::peek::Peek::number) {
        // Fractions of a millisecond are recorded; the cast saturates.
        line.figure(" ", &duration(ms.round() as i64));
    }
    if let Some(text) = told.prose("stderrSummary") {
        line.log("  ", &text);
    }
    match decision.as_str() {
        "allow" | "pass" => Mark::Completed,
        "deny" | "stop" | "block" => Mark::Failed,
        _ => Mark::None,
    }
}
