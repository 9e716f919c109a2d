//! Turns, steps and seeds.

use super::line::Line;
use super::mark::{Mark, end_mark};
use super::told::{Told, name};
use crate::text::role::Role;
use crate::triage::peek::Peek;

pub(super) fn turn_start(told: &Told<'_>, line: &mut Line) -> Mark {
    line.add(&told.say("turn", &[("n", &told.plain_number("turn"))]));
    if let Some(trigger) = told.data.get("trigger") {
        line.part(&format!("({})", name(trigger, "kind")));
    }
    Mark::None
}

pub(super) fn turn_end(told: &Told<'_>, line: &mut Line) -> Mark {
    let reason = told.data.get("reason");
    let kind = reason.map_or_else(String::new, |reason| name(reason, "kind"));
    line.add(&told.say("turn", &[("n", &told.plain_number("turn"))]));
    line.part(if kind.is_empty() { "?" } else { &kind });
    let Some(reason) = reason else { return Mark::None };
    match kind.as_str() {
        "error" => {
            // The oldest logs hold code and message beside the kind, or under `failure`.
            let failure = reason.get("error").or_else(|| reason.get("failure")).unwrap_or(reason);
            failure_words(line, ": ", failure);
        }
        "aborted" => {
            if let Some(by) = reason.get("reason") {
                line.part(&told.say("by", &[("who", &name(by, "kind"))]));
                line.after(": ", &name(by, "reason"));
            }
        }
        _ => {}
    }
    end_mark(kind.as_bytes())
}

/// Code, status and message of a failure, as far as they are recorded.
pub(super) fn failure_words(line: &mut Line, separator: &str, failure: Peek<'_>) {
    let mut separator = separator;
    for key in ["code", "status", "message"] {
        let text = name(failure, key);
        if !text.is_empty() {
            line.after(separator, &text);
            separator = " ";
        }
    }
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
