//! Is the sequence whole, and if not, what broke it (docs/REPORT.md, key `seq`).

use foldhash::HashMap;

use super::facts::{Break, BreakCause, Sequence};
use crate::log::sniff::Encoding;
use crate::record::event::{Body, Event};
use crate::session::row::RowIx;

/// A stretch of numbers without a gap, in file order.
#[derive(Debug, Clone, Copy)]
struct Run {
    first: i64,
    last: i64,
}

/// Follows the numbers of a log.
#[derive(Debug, Clone, Default)]
pub(super) struct SequenceFold {
    /// Number that the next event should have; `None` before the first event of a view whose start was not read.
    expected: Option<i64>,
    /// The last row with a number.
    before: Option<RowIx>,
    runs: Vec<Run>,
    breaks: Vec<Pending>,
    /// Numbers taken by closing records of a recovery, each with how many there were before the first that took it.
    closers: HashMap<i64, usize>,
    /// The last event closed something after a recovery: what follows it may be a closer too.
    recovering: bool,
    /// Number of the last event, if it is a `step/end`: a recovery without open calls begins with one.
    step_end: Option<i64>,
    /// Lines that are no event since the last event.
    unreadable: i64,
}

#[derive(Debug, Clone, Copy)]
struct Pending {
    found: Break,
    /// Place in `runs` of the run that begins here.
    run: usize,
    /// Closers known when it was found.
    closers: usize,
    unreadable: i64,
}

impl SequenceFold {
    /// A fold that expects the sequence to start at 0.
    pub(super) fn from_start() -> SequenceFold {
        SequenceFold { expected: Some(0), ..SequenceFold::default() }
    }

    /// Takes an event; tells whether its number is not the one expected.
    pub(super) fn event(&mut self, row: RowIx, line: u64, event: &Event) -> bool {
        let Some(seq) = event.seq else {
            return self.unnumbered(row, line, event);
        };
        let last = seq.saturating_add(i64::from(event.members) - 1);
        let is_break = self.expected.is_some_and(|expected| expected != seq);
        let before = self.before.replace(row);
        if is_break || self.runs.is_empty() {
            self.runs.push(Run { first: seq, last });
        } else if let Some(run) = self.runs.last_mut() {
            run.last = last;
        }
        if let (true, Some(expected)) = (is_break, self.expected) {
            self.breaks.push(Pending {
                found: Break { line, row, before, expected, got: Some(seq), cause: BreakCause::Unknown },
                run: self.runs.len() - 1,
                closers: self.closers.len(),
                unreadable: self.unreadable,
            });
        }
        self.note_closer(seq, event);
        self.expected = Some(last.saturating_add(1));
        self.unreadable = 0;
        is_break
    }

    /// A line that is no event stands where one could have been.
    pub(super) fn bad_line(&mut self) {
        self.unreadable += 1;
    }

    /// Remembers the numbers that a recovery took: results with a recovery code, then `step/end`, `turn/end`
    /// interrupted, and the `session/end-seed` of the process that went on.
    fn note_closer(&mut self, seq: i64, event: &Event) {
        let closes = match &event.body {
            Body::Result { failure, .. } => super::pairing::recovery_state(failure.as_deref()).is_some(),
            Body::StepEnd(_) => self.recovering,
            Body::TurnEnd { reason, .. } => reason.kind.as_ref().is_some_and(|kind| kind.as_bytes() == b"interrupted"),
            Body::EndSeed { inherited } => self.recovering && !inherited,
            _ => false,
        };
        let step_end = self.step_end.take();
        if let Body::TurnEnd { .. } = &event.body
            && closes
            && let Some(before) = step_end
        {
            self.add_closer(before);
        }
        if let Body::StepEnd(_) = &event.body {
            self.step_end = Some(seq);
        }
        if closes {
            self.add_closer(seq);
        }
        self.recovering = closes && !matches!(event.body, Body::EndSeed { .. });
    }

    /// An event without a number is a break of its own; the number expected stays what it was.
    fn unnumbered(&mut self, row: RowIx, line: u64, event: &Event) -> bool {
        self.unreadable += i64::from(event.members);
        let Some(expected) = self.expected else { return false };
        self.breaks.push(Pending {
            found: Break { line, row, before: self.before, expected, got: None, cause: BreakCause::Unknown },
            run: self.runs.len().saturating_sub(1),
            closers: self.closers.len(),
            unreadable: 0,
        });
        true
    }

    fn add_closer(&mut self, seq: i64) {
        let before = self.closers.len();
        self.closers.entry(seq).or_insert(before);
    }

    /// The sequence as found.
    pub(super) fn finish(self, encoding: Encoding) -> Sequence {
        let repeated = repeated(&self.runs);
        Sequence {
            first: self.runs.first().map(|run| run.first),
            last: self.runs.last().map(|run| run.last),
            breaks: self.breaks.iter().map(|pending| self.judge(pending, encoding, &repeated)).collect(),
            repeated,
        }
    }

    fn judge(&self, pending: &Pending, encoding: Encoding, repeated: &[i64]) -> Break {
        let expected = pending.found.expected;
        let Some(got) = pending.found.got else { return pending.found };
        let cause = if got < expected {
            let run = self.runs[pending.run];
            let again = got..=run.last.min(expected - 1);
            let was_closer = |seq| self.closers.get(&seq).is_some_and(|before| *before < pending.closers);
            let all_closers = again.clone().all(was_closer);
            if all_closers && !again.is_empty() {
                BreakCause::LateResultAfterRecovery
            } else if repeated.binary_search(&got).is_ok() {
                BreakCause::TwoWriters
            } else {
                // It falls back, and to a number that nothing had: no second writer shows.
                BreakCause::Unknown
            }
        } else if pending.unreadable > 0 && got.checked_sub(expected) == Some(pending.unreadable) {
            BreakCause::UnreadableLines
        } else {
            match encoding {
                Encoding::Zstd => BreakCause::LostFrames,
                Encoding::Plain => BreakCause::LostLines,
            }
        };
        Break { cause, ..pending.found }
    }
}

/// Numbers that lie in more than one run, ascending.
fn repeated(runs: &[Run]) -> Vec<i64> {
    let mut sorted: Vec<Run> = runs.to_vec();
    sorted.sort_unstable_by_key(|run| (run.first, run.last));
    let mut found = Vec::new();
    let mut covered: Option<i64> = None;
    let mut listed: Option<i64> = None;
    for run in sorted {
        if let Some(end) = covered {
            let from = run.first.max(listed.map_or(i64::MIN, |last| last.saturating_add(1)));
            let to = run.last.min(end);
            if from <= to {
                found.extend(from..=to);
                listed = Some(to);
            }
        }
        covered = Some(covered.map_or(run.last, |end| end.max(run.last)));
    }
    found
}

#[cfg(test)]
mod tests;
