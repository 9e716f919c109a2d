//! Commands, compaction and retries.

use super::calls::Link;
use super::line::Line;
use super::mark::{Mark, command_mark};
use super::odd;
use super::told::Told;
use super::turns::code_words;
use crate::record::kinds::Kind;
use crate::session::row::RowIx;
use crate::text::number::duration;
use crate::text::width::short_call_id;
use crate::triage::peek::Peek;

fn mark_of(told: &Told<'_>) -> Mark {
    match told.calls.of(told.ix) {
        Some(Link::Run(at) | Link::Done(at)) => {
            told.session.facts.commands.get(at as usize).map_or(Mark::None, command_mark)
        }
        _ => Mark::None,
    }
}

pub(super) fn run(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&format!("/{}", told.name("name")));
    if let Some(args) = told.prose("args") {
        line.log(" ", args.trim_ascii_start());
    }
    mark_of(told)
}

pub(super) fn done(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("kind"));
    if let Some(text) = told.prose("text") {
        line.quote(" ", &text);
    }
    if let Some(seq) = told.data.integer("sourceEventSeq") {
        line.figure("  ", &told.say("effect_at", &[("seq", &seq.to_string())]));
    }
    mark_of(told)
}

pub(super) fn compaction_start(told: &Told<'_>, line: &mut Line) -> Mark {
    let command = short_call_id(&told.name("sourceCommandId"));
    let turn = told.data.integer("turn").map(|turn| turn.to_string());
    match (turn, command.is_empty()) {
        (None, true) => line.add(&told.say("compaction_by_hand", &[])),
        (None, false) => line.add(&told.say("compaction_manual", &[("command", &command)])),
        (Some(turn), true) => line.add(&told.say("compaction_turn", &[("turn", &turn)])),
        (Some(turn), false) => line.add(&told.say("compaction_turn_from", &[("turn", &turn), ("command", &command)])),
    };
    Mark::None
}

fn shadowed(told: &Told<'_>) -> u64 {
    told.data.get("shadowedSeqs").map_or(0, Peek::count)
}

fn tokens(told: &Told<'_>) -> String {
    let tokens = told.data.integer("shadowedTokenCount").and_then(|count| u64::try_from(count).ok());
    tokens.map_or_else(|| told.words.get("missing.words").to_owned(), |count| told.count("tokens", count))
}

pub(super) fn compaction_summary(told: &Told<'_>, line: &mut Line) -> Mark {
    line.add(&told.say_count("shadows_messages", shadowed(told), &[("tokens", &tokens(told))]));
    line.after("; ", &told.name("model"));
    Mark::None
}

pub(super) fn compaction_end(told: &Told<'_>, line: &mut Line) -> Mark {
    if told.data.get("error").is_some() {
        let text = told.name("error");
        line.add(&told.say("compaction_error", &[("why", &text)]));
        Mark::Failed
    } else {
        line.add(&told.say("compaction_done", &[]));
        Mark::None
    }
}

/// What was shortened is told by the row that replaces it: the one after.
pub(super) fn compaction_prune(told: &Told<'_>, line: &mut Line) -> Mark {
    let after = told.session.index.rows.get(RowIx(told.ix.0.saturating_add(1)));
    let key = match after.map(|row| row.kind) {
        Some(Kind::ToolResult) => "shadows_results",
        _ => "shadows_messages",
    };
    line.add(&told.say_count(key, shadowed(told), &[("tokens", &tokens(told))]));
    Mark::None
}

/// Types that only the oldest builds wrote.
pub(super) fn retired(told: &Told<'_>, line: &mut Line) -> Mark {
    line.add(&told.say("retired", &[]));
    odd::raw(told, line);
    Mark::None
}

pub(super) fn retry(told: &Told<'_>, line: &mut Line) -> Mark {
    let number = told.plain_number("retry");
    // Fractions of a millisecond are recorded; the cast saturates.
    let delay = told.data.get("delayMs").and_then(Peek::number).map(|ms| ms.round() as i64);
    let time = delay.map_or_else(|| "?".to_owned(), duration);
    let why = told.data.get("failure").map_or_else(String::new, code_words);
    let values = [("n", number.as_str()), ("time", &time), ("why", &why)];
    match told.data.integer("maxRetries") {
        Some(max) => {
            let max = max.to_string();
            line.add(&told.say("retry", &[values[0], values[1], values[2], ("max", &max)]));
        }
        None => {
            line.add(&told.say("retry_unbounded", &values));
        }
    }
    Mark::None
}

pub(super) fn retry_started(told: &Told<'_>, line: &mut Line) -> Mark {
    let attempt = told.data.integer("retry").map_or_else(|| "?".to_owned(), |n| n.saturating_add(1).to_string());
    line.add(&told.say("attempt_starts", &[("n", &attempt)]));
    Mark::None
}
