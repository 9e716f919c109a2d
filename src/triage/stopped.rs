//! Why the log ends where it ends: one answer by the fixed order of docs/REPORT.md, key `stopped`.

use super::facts::{Approval, Basis, CallState, Command, Facts, StopCause, Stopped, SubCall, SubCallState, Turn};
use crate::session::row::RowIx;
use crate::text::sanitize;
use crate::text::wire::WireText;

/// What the facts alone do not tell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ending {
    /// What the open attempt has streamed: characters of text, of reasoning, and pieces.
    pub(super) streaming: Option<(u64, u64, u64)>,
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
    text: String,
}

/// Judges why the log stops. `facts` is complete but for this; `time_of` gives the time of a row.
pub(super) fn judge(facts: &Facts, ending: Ending, time_of: &dyn Fn(RowIx) -> Option<i64>) -> Stopped {
    let since = facts.turns.iter().map(|turn| turn.start_row).max();
    let found = open_approval(facts, since)
        .or_else(|| innermost_open(facts, since))
        .or_else(|| waiting_for_retry(facts, since))
        .or_else(|| no_answer(facts, ending, since))
        .or_else(|| last_turn(facts))
        .unwrap_or_else(nothing_yet);
    let time = found.time.or_else(|| found.row.and_then(time_of));
    let mut text = found.text;
    if ending.torn {
        text.push_str("; the tail is torn or damaged: the answer may be what was cut off");
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
    let tool = approval.tool.as_ref().map_or_else(String::new, |tool| format!(" for {}", shown(tool)));
    Some(Found {
        cause: StopCause::OpenApproval,
        seq: approval.asked_seq,
        row: approval.asked_row,
        time: None,
        subject: Some(at),
        text: format!("an approval{tool} was asked at seq {} and never decided", seq(approval.asked_seq)),
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
        let text = format!("{who} was called at seq {} and has no result", seq(call.call_seq));
        (call.call_seq, call.call_row, call.call_time, text)
    } else {
        let text = format!("{who} was asked for at seq {} and never started", seq(call.message_seq));
        (call.message_seq, call.message_row, None, text)
    };
    Some(Found { cause: StopCause::OpenCall, seq: from, row, time, subject: Some(at), text })
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
        text: format!("{who} began inside a program at seq {} and never settled", seq(sub.start_seq)),
    })
}

fn open_command(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let is_open = |command: &Command| command.done_row.is_none() && within(since, command.run_row);
    let at = facts.commands.iter().rposition(is_open)?;
    let command = &facts.commands[at];
    let name = command.name.as_ref().map_or_else(|| "a command".to_owned(), |name| format!("/{}", shown(name)));
    Some(Found {
        cause: StopCause::OpenCommand,
        seq: command.run_seq,
        row: command.run_row,
        time: None,
        subject: Some(at),
        text: format!("{name} was run at seq {} and never ended", seq(command.run_seq)),
    })
}

fn waiting_for_retry(facts: &Facts, since: Option<RowIx>) -> Option<Found> {
    let at = facts.retries.len().checked_sub(1)?;
    let retry = &facts.retries[at];
    let is_last = retry.started_row.is_none() && within(since, Some(retry.row));
    if !is_last || !turn_is_open(facts) || step_ended_after(facts, retry.row) {
        return None;
    }
    let code = retry.failure.code.as_ref().map_or_else(String::new, |code| format!(" after {}", shown(code)));
    let delay = retry.delay_ms.map_or_else(String::new, |ms| format!(" of {ms} ms"));
    Some(Found {
        cause: StopCause::WaitingForRetry,
        seq: retry.seq,
        row: Some(retry.row),
        time: None,
        subject: Some(at),
        text: format!("a wait{delay} before the next attempt{code} began at seq {} and never ended", seq(retry.seq)),
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
    let streamed = match ending.streaming {
        Some((text, reasoning, pieces)) if pieces > 0 => {
            format!("; {text} characters of text and {reasoning} of reasoning had streamed")
        }
        _ => "; nothing had streamed".to_owned(),
    };
    Some(Found {
        cause: StopCause::NoAnswer,
        seq: step.start_seq,
        row: Some(step.start_row),
        time: step.start_time,
        subject: None,
        text: format!("step {}.{} has no answer from the model{streamed}", step.turn, step.step),
    })
}

fn last_turn(facts: &Facts) -> Option<Found> {
    let turn = latest_turn(facts)?;
    let Some(end) = &turn.end else {
        let step = facts.steps.iter().filter(|step| step.turn == turn.turn).max_by_key(|step| step.start_row);
        let last = step.and_then(|step| Some((step.end_row?, step.end_seq)));
        let (row, seq) = last.unwrap_or((turn.start_row, turn.start_seq));
        return Some(Found {
            cause: StopCause::BetweenSteps,
            seq,
            row: Some(row),
            time: None,
            subject: None,
            text: format!("turn {} is open and its last step waits for nothing", turn.turn),
        });
    };
    let code = turn.failure.as_ref().and_then(|failure| failure.code.as_ref());
    let code = code.map_or_else(String::new, |code| format!(" {}", shown(code)));
    Some(Found {
        cause: StopCause::TurnEnded,
        seq: turn.end_seq,
        row: turn.end_row,
        time: turn.end_time,
        subject: None,
        text: format!("turn {} ended: {}{code}", turn.turn, shown(end)),
    })
}

fn nothing_yet() -> Found {
    Found {
        cause: StopCause::NothingYet,
        seq: None,
        row: None,
        time: None,
        subject: None,
        text: "no turn has begun".to_owned(),
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
    let Found { cause, seq, row, text, subject, .. } = nothing_yet();
    Stopped { cause, torn: false, seq, row, since_ms: None, text, subject }
}

#[cfg(test)]
mod tests;
