//! Turns, steps and seeds.

use super::line::Line;
use super::mark::{Mark, end_mark};
use super::told::{Told, name};
use crate::text::role::Role;
use crate::triage::peek::Peek;

pub(super) fn turn_start(told: &Told<'_>, line: &mut Line) -> Mark {
    let turn = told.plain_number("turn");
    match told.data.get("trigger") {
        Some(trigger) => line.add(&told.say("turn_trigger", &[("turn", &turn), ("trigger", &name(trigger, "kind"))])),
        None => line.add(&told.say("turn", &[("turn", &turn)])),
    };
    Mark::None
}

pub(super) fn turn_end(told: &Told<'_>, line: &mut Line) -> Mark {
    let turn = told.plain_number("turn");
    let reason = told.data.get("reason").unwrap_or(Peek::Cut(b""));
    let kind = name(reason, "kind");
    let words = match kind.as_str() {
        "error" => {
            // The oldest logs hold code and message beside the kind, or under `failure`.
            let failure = reason.get("error").or_else(|| reason.get("failure")).unwrap_or(reason);
            told.say("turn_end_error", &[("turn", &turn), ("why", &failure_words(failure))])
        }
        "aborted" => match reason.get("reason") {
            Some(by) => {
                let why = name(by, "reason");
                let who = name(by, "kind");
                let who = if why.is_empty() { who } else { format!("{who}: {why}") };
                told.say("turn_end_aborted", &[("turn", &turn), ("who", &who)])
            }
            None => told.say("turn_end", &[("turn", &turn), ("kind", &kind)]),
        },
        "" => told.say("turn_end", &[("turn", &turn), ("kind", "?")]),
        _ => told.say("turn_end", &[("turn", &turn), ("kind", &kind)]),
    };
    line.add(&words);
    end_mark(kind.as_bytes())
}

/// Code, status and message of a failure, as far as they are recorded.
pub(super) fn failure_words(failure: Peek<'_>) -> String {
    let parts = ["code", "status", "message"].map(|key| name(failure, key));
    parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Code and status of a failure; its message where it has no code.
pub(super) fn code_words(failure: Peek<'_>) -> String {
    let code = name(failure, "code");
    if code.is_empty() {
        return failure_words(failure);
    }
    let status = name(failure, "status");
    if status.is_empty() { code } else { format!("{code} {status}") }
}

pub(super) fn step(told: &Told<'_>, line: &mut Line) -> Mark {
    let (turn, step) = (told.plain_number("turn"), told.plain_number("step"));
    line.add(&told.say("step", &[("turn", &turn), ("step", &step)]));
    Mark::None
}

pub(super) fn end_seed(told: &Told<'_>, line: &mut Line) -> Mark {
    let facts = &told.session.facts;
    let length = facts.header.as_ref().and_then(|header| header.seed_length);
    let at_cut = length.is_some() && told.row.seq().map(|seq| seq.0) == length;
    if told.data.is_true("inherited") || at_cut || facts.inherited.cut_row == Some(told.ix) {
        line.push(&told.say("fork_cut", &[]), Role::Accent);
    } else {
        line.add(&told.say("resume", &[]));
    }
    Mark::None
}
