//! Why the log ends where it ends: one answer by the fixed order of docs/REPORT.md, key `stopped`.

use super::facts::{Approval, Basis, CallState, Command, Facts, StopCause, Stopped, SubCall, SubCallState, Turn};
use crate::session::row::RowIx;
use crate::text::locale::Sentence;
use crate::text::sanitize;
use crate::text::wire::WireText;

/// What the facts alone do not tell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ending {
    /// What the open attempt has streamed: characters of text, of reasoning, and pieces.
    pub(super) streaming: Option<(u32, u32, u32)>,
    /// The tail is torn, or damage is the last thing in the file.
    pub(super) torn: bool,
    /// Time of the last event.
    pub(super) last_time: Option<i64>,
}

/// A thing found open.
struct Found {
    cause: StopCause,
    seq: Option<i64>,
    row: Option<RowIx>,
    time: Option<i64>,
    subject: Option<usize>,
    text: Sentence,
}

/// Judges why the log stops. `facts` is complete but for this; `time_of` gives the time of a row.
pub(super) fn judge(facts: &Facts, ending: Ending, time_of: &dyn Fn(RowIx) -> Option<i64>) -> Stopped {
    let since = facts.turns.iter().map(|turn| turn.start_row).max();
    let found = open_approval(facts, since)
        .or_else(|| innermost_open(facts, since))
        .or_else(|| waiting_for_retry(facts, since))
        .or_else(|| no_answer(facts, ending, since))
        .or_else(|| last_turn(facts))
        .unwrap_or_else(|| nothing_yet(facts.container.is_damaged()));
    let time = found.time.or_else(|| found.row.and_then(time_of));
    let mut text = found.text;
    if ending.torn {
        text = text.then("stopped_text.torn", []);
    }
    Stopped {
        cause: found.cause,
        torn: ending.torn,
        seq: found.seq,
        row: found.row,
        since_ms: ending.last_time.zip(time).map(|(last, then)| last.saturating_sub(then)),
        text,
        subject: found.subject,
    }
}

fn within(since: Option<RowIx>, row: Option<RowIx>) -> bool {
    row.is_some_and(|row| since.is_none_or(|since| row >= since))
}

fn open_approval(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let open = |approval: &Approval| approval.outcome.is_none() && approval.decided_row.is_none();
    let at = facts.approvals.iter().rposition(|approval| open(approval) && within(since, approval.asked_row))?;
    let approval = &facts.approvals[at];
    let at_seq = ("seq", seq(approval.asked_seq));
    let text = match &approval.tool {
        Some(tool) => Sentence::new("stopped_text.approval_of", [("tool", shown(tool)), at_seq]),
        None => Sentence::new("stopped_text.approval", [at_seq]),
    };
    Some(Found {
        cause: StopCause::OpenApproval,
        seq: approval.asked_seq,
        row: approval.asked_row,
        time: None,
        subject: Some(at),
        text,
    })
}

/// The innermost thing open: the one with the highest seq.
fn innermost_open(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let found = [open_call(facts, since), open_sub_call(facts, since), open_command(facts, since)];
    found.into_iter().flatten().max_by_key(|found| (found.seq, found.row))
}

/// The call that started last; if none did, the one asked for last.
fn open_call(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let is_open = |at: &usize| facts.calls[*at].basis == Basis::Inferred;
    let unpaired = || facts.unpaired.iter().copied().filter(is_open);
    let started = unpaired()
        .filter(|at| facts.calls[*at].state == CallState::OutcomeUnknown && within(since, facts.calls[*at].call_row))
        .max_by_key(|at| (facts.calls[*at].call_seq, facts.calls[*at].call_row));
    let asked = || unpaired().rev().find(|at| within(since, facts.calls[*at].message_row));
    let at = started.or_else(asked)?;
    let call = &facts.calls[at];
    let who = named(&call.name, &call.call_id);
    let (from, row, time, text) = if started.is_some() {
        let text = Sentence::new("stopped_text.called", [("who", who), ("seq", seq(call.call_seq.get()))]);
        (call.call_seq, call.call_row, call.call_time.get(), text)
    } else {
        let text = Sentence::new("stopped_text.not_started", [("who", who), ("seq", seq(call.message_seq.get()))]);
        (call.message_seq, call.message_row, None, text)
    };
    Some(Found { cause: StopCause::OpenCall, seq: from.get(), row, time, subject: Some(at), text })
}

fn open_sub_call(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let is_open = |sub: &SubCall| sub.state == SubCallState::OutcomeUnknown && within(since, sub.start_row);
    let at = facts.sub_calls.iter().rposition(is_open)?;
    let sub = &facts.sub_calls[at];
    let who = named(&sub.name, &sub.id);
    Some(Found {
        cause: StopCause::OpenSubCall,
        seq: sub.start_seq,
        row: sub.start_row,
        time: sub.start_time,
        subject: Some(at),
        text: Sentence::new("stopped_text.sub_call", [("who", who), ("seq", seq(sub.start_seq))]),
    })
}

fn open_command(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let is_open = |command: &Command| command.done_row.is_none() && within(since, command.run_row);
    let at = facts.commands.iter().rposition(is_open)?;
    let command = &facts.commands[at];
    let at_seq = ("seq", seq(command.run_seq));
    let text = match &command.name {
        Some(name) => Sentence::new("stopped_text.command", [("name", format!("/{}", shown(name))), at_seq]),
        None => Sentence::new("stopped_text.command_unnamed", [at_seq]),
    };
    Some(Found {
        cause: StopCause::OpenCommand,
        seq: command.run_seq,
        row: command.run_row,
        time: None,
        subject: Some(at),
        text,
    })
}

fn waiting_for_retry(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let at = facts.retries.len().checked_sub(1)?;
    let retry = &facts.retries[at];
    let is_last = retry.started_row.is_none() && within(since, Some(retry.row));
    if !is_last || !turn_is_open(facts) || step_ended_after(facts, retry.row) {
        return None;
    }
    let at_seq = ("seq", seq(retry.seq));
    let text = match (retry.delay_ms, &retry.failure.code) {
        (Some(ms), Some(code)) => {
            Sentence::new("stopped_text.retry_of_after", [("ms", ms.to_string()), ("code", shown(code)), at_seq])
        }
        (Some(ms), None) => Sentence::new("stopped_text.retry_of", [("ms", ms.to_string()), at_seq]),
        (None, Some(code)) => Sentence::new("stopped_text.retry_after", [("code", shown(code)), at_seq]),
        (None, None) => Sentence::new("stopped_text.retry", [at_seq]),
    };
    Some(Found {
        cause: StopCause::WaitingForRetry,
        seq: retry.seq,
        row: Some(retry.row),
        time: None,
        subject: Some(at),
        text,
    })
}

fn step_ended_after(facts: &Facts, row: RowIx) -> bool {
    facts.steps.last().is_some_and(|step| step.end_row.is_some_and(|end| end > row))
}

fn turn_is_open(facts: &Facts) -> bool {
    latest_turn(facts).is_some_and(|turn| turn.end_row.is_none())
}

fn latest_turn(facts: &Facts) -> Option<&Turn> {
    facts.turns.iter().max_by_key(|turn| turn.start_row)
}

fn no_answer(facts: &Facts, ending: Ending, since: Option<RowIx>) -> Option<Found> {
    let step = facts.steps.iter().max_by_key(|step| step.start_row)?;
    if step.end_row.is_some() || step.has_message || !turn_is_open(facts) || !within(since, Some(step.start_row)) {
        return None;
    }
    let place = [("turn", step.turn.to_string()), ("step", step.step.to_string())];
    let text = Sentence::new("stopped_text.no_answer", place);
    let text = match ending.streaming {
        Some((chars, reasoning, pieces)) if pieces > 0 => {
            let sizes = [("text", chars.to_string()), ("reasoning", reasoning.to_string())];
            text.then("stopped_text.streamed", sizes)
        }
        _ => text.then("stopped_text.nothing_streamed", []),
    };
    Some(Found {
        cause: StopCause::NoAnswer,
        seq: step.start_seq.get(),
        row: Some(step.start_row),
        time: step.start_time.get(),
        subject: None,
        text,
    })
}

fn last_turn(facts: &Facts) -> Option<Found> {
    let turn = latest_turn(facts)?;
    let Some(end) = &turn.end else {
        let step = facts.steps.iter().filter(|step| step.turn == turn.turn).max_by_key(|step| step.start_row);
        let last = step.and_then(|step| Some((step.end_row?, step.end_seq.get())));
        let (row, seq) = last.unwrap_or((turn.start_row, turn.start_seq));
        return Some(Found {
            cause: StopCause::BetweenSteps,
            seq,
            row: Some(row),
            time: None,
            subject: None,
            text: Sentence::new("stopped_text.between_steps", [("turn", turn.turn.to_string())]),
        });
    };
    let code = turn.failure.as_ref().and_then(|failure| failure.code.as_ref());
    let (number, kind) = (("turn", turn.turn.to_string()), ("kind", shown(end)));
    let text = match code {
        Some(code) => Sentence::new("stopped_text.turn_ended_code", [number, kind, ("code", shown(code))]),
        None => Sentence::new("stopped_text.turn_ended", [number, kind]),
    };
    Some(Found {
        cause: StopCause::TurnEnded,
        seq: turn.end_seq,
        row: turn.end_row,
        time: turn.end_time,
        subject: None,
        text,
    })
}

/// Where something is lost, a turn may have begun in it.
fn nothing_yet(is_damaged: bool) -> Found {
    let key = if is_damaged { "stopped_text.nothing_read" } else { "stopped_text.nothing_yet" };
    Found {
        cause: StopCause::NothingYet,
        seq: None,
        row: None,
        time: None,
        subject: None,
        text: Sentence::new(key, []),
    }
}

fn seq(seq: Option<i64>) -> String {
    seq.map_or_else(|| "?".to_owned(), |seq| seq.to_string())
}

fn shown(text: &WireText) -> String {
    sanitize::one_line(text.as_bytes(), 200)
}

/// Name and id of a call; an empty one is made visible.
fn named(name: &WireText, id: &WireText) -> String {
    let quoted = |text: &WireText| if text.is_empty() { "\"\"".to_owned() } else { shown(text) };
    format!("{} {}", quoted(name), quoted(id))
}

/// Stands until the facts are complete.
pub(super) fn nothing() -> Stopped {
    let Found { cause, seq, row, text, subject, .. } = nothing_yet(false);
    Stopped { cause, torn: false, seq, row, since_ms: None, text, subject }
}

#[cfg(test)]
mod tests;
