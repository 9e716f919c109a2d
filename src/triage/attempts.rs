//! An attempt of the model while its pieces come, and the list of those that are over.

use std::sync::Arc;

use super::facts::{Attempt, Counted, Stall, ToldUsage};
use crate::record::event::{Event, Finish, Gaps, Place, STALL_MS, Streamed, StreamedCall, Usage};
use crate::record::int::OptInt;
use crate::session::row::RowIx;

/// Tool-call blocks of one attempt that are kept: what a model sends in one answer is far fewer.
const MOST_CALLS: usize = 1024;

/// Long gaps that are kept of one log.
const MOST_STALLS: usize = 10_000;

/// Kinds of finishes that are shared: the format has five.
const MOST_FINISHES: usize = 16;

/// An attempt under way.
#[derive(Debug, Clone)]
pub(super) struct OpenAttempt {
    pub(super) place: Place,
    pub(super) has_finished: bool,
    pub(super) calls: Vec<StreamedCall>,
    pub(super) attempt: Attempt,
    finish: Option<Box<Finish>>,
    /// Tokens, of the last usage chunk.
    pub(super) usage: Option<Usage>,
    message_usage: Option<Usage>,
    gaps: Gaps,
    stalls: Vec<Stall>,
}

impl OpenAttempt {
    /// An attempt that begins with this record.
    pub(super) fn new(row: RowIx, event: &Event, place: Place) -> OpenAttempt {
        OpenAttempt {
            place,
            has_finished: false,
            calls: Vec::new(),
            attempt: blank(row, event.seq, place),
            finish: None,
            usage: None,
            message_usage: None,
            gaps: Gaps::default(),
            stalls: Vec::new(),
        }
    }

    /// A chunk or a packed row.
    pub(super) fn add(&mut self, row: RowIx, event: &Event, streamed: &Streamed) {
        if let Some(time) = event.time {
            let gap = self.attempt.last_time.get().map_or(0, |last| time.saturating_sub(last));
            if self.attempt.last_time.is_some() {
                self.gaps.add(gap, 0);
            }
            self.stall(row, 0, event.seq, gap);
            self.attempt.first_time = self.attempt.first_time.or(time);
            self.attempt.last_time = event.last_time.unwrap_or(time).into();
        }
        self.attempt.longest_gap_ms = self.attempt.longest_gap_ms.max(self.gaps.longest).max(streamed.gaps.longest);
        if event.members > 1 {
            self.gaps.join(&streamed.gaps);
            let after = streamed.gaps.after;
            self.stall(row, after, event.seq.map(|seq| seq.saturating_add(i64::from(after))), streamed.gaps.longest);
        }
        self.count(streamed);
        self.attempt.last_row = row;
        self.attempt.last_seq = event.seq.map(|seq| seq.saturating_add(i64::from(event.members.max(1)) - 1)).into();
        for call in &streamed.calls {
            merge(&mut self.calls, call);
        }
    }

    /// A stream that lies in one record.
    pub(super) fn embedded(&mut self, row: RowIx, event: &Event, streamed: &Streamed) {
        (self.attempt.last_row, self.attempt.last_seq) = (row, event.seq.into());
        self.count(streamed);
        self.gaps = streamed.gaps;
        self.attempt.longest_gap_ms = streamed.gaps.longest;
        if let Some((first, last)) = streamed.span {
            (self.attempt.first_time, self.attempt.last_time) = (first.into(), last.into());
        }
        for (piece, ms) in &streamed.stalls {
            self.stall(row, *piece, event.seq, *ms);
        }
        self.calls.clone_from(&streamed.calls);
    }

    fn count(&mut self, streamed: &Streamed) {
        let attempt = &mut self.attempt;
        self.usage = streamed.usage.as_deref().copied().or(self.usage);
        if let Some(finish) = &streamed.finish {
            self.has_finished = true;
            self.finish = Some(finish.clone());
        }
        for (count, more) in [
            (&mut attempt.text_chars, streamed.text_chars),
            (&mut attempt.reasoning_chars, streamed.reasoning_chars),
            (&mut attempt.pieces, streamed.pieces),
        ] {
            *count = count.saturating_add(more);
        }
    }

    fn stall(&mut self, row: RowIx, member: u32, seq: Option<i64>, ms: i64) {
        if ms >= STALL_MS && self.stalls.len() < MOST_STALLS {
            self.stalls.push(Stall { row, member, seq, ms, attempt: 0 });
        }
    }

    /// The record with the pieces is also the message.
    pub(super) fn becomes(&mut self, row: RowIx, seq: Option<i64>, usage: Option<Usage>, interrupted: bool) {
        let attempt = &mut self.attempt;
        (attempt.message_row, attempt.message_seq) = (Some(row), seq.into());
        attempt.interrupted = interrupted;
        self.message_usage = usage;
    }
}

fn merge(calls: &mut Vec<StreamedCall>, piece: &StreamedCall) {
    if let Some(call) = calls.iter_mut().rev().find(|call| call.index == piece.index) {
        // Every piece repeats them.
        for (told, known) in [(&piece.id, &mut call.id), (&piece.name, &mut call.name)] {
            if told.is_some() && told != known {
                known.clone_from(told);
            }
        }
        call.arguments = piece.arguments.or(call.arguments);
    } else if calls.len() < MOST_CALLS {
        calls.push(piece.clone());
    }
}

fn blank(row: RowIx, seq: Option<i64>, place: Place) -> Attempt {
    Attempt {
        turn: place.turn.into(),
        step: place.step.into(),
        first_row: row,
        last_row: row,
        first_seq: seq.into(),
        last_seq: seq.into(),
        first_wait_ms: OptInt::NONE,
        first_time: OptInt::NONE,
        last_time: OptInt::NONE,
        pieces: 0,
        text_chars: 0,
        reasoning_chars: 0,
        calls: 0,
        longest_gap_ms: 0,
        usage: Counted::Nothing,
        told: ToldUsage::Nothing,
        finish: None,
        message_row: None,
        message_seq: OptInt::NONE,
        interrupted: false,
        retry: None,
        is_retry: None,
        inherited: false,
    }
}

/// A step or a retry that waits for the first piece.
#[derive(Debug, Clone, Copy)]
struct Asked {
    place: Place,
    row: RowIx,
    seq: Option<i64>,
    time: Option<i64>,
    /// Time of the last record that belongs to the request.
    last: Option<i64>,
    retry: Option<u32>,
    is_answered: bool,
}

/// The attempts that are over.
#[derive(Debug, Clone, Default)]
pub(super) struct Attempts {
    done: Vec<Attempt>,
    /// Reasons of finishes that attempts share: a few kinds without a failure.
    finishes: Vec<Arc<Finish>>,
    stalls: Vec<Stall>,
    asked: Option<Asked>,
}

impl Attempts {
    /// The model is asked: a step begins, or a retry.
    pub(super) fn asked(&mut self, row: RowIx, event: &Event, place: Place, retry: Option<u32>) {
        let (seq, time) = (event.seq, event.time);
        self.asked = Some(Asked { place, row, seq, time, last: time, retry, is_answered: false });
    }

    /// A compaction is over: the model is asked again in the same step, when its last attempt came to nothing.
    pub(super) fn asked_again(&mut self, row: RowIx, event: &Event) {
        let Some(asked) = self.asked.as_mut().filter(|asked| asked.is_answered) else { return };
        let is_of = |attempt: &&Attempt| attempt.place() == asked.place;
        if self.done.last().filter(is_of).is_some_and(|attempt| attempt.message_row.is_none()) {
            let (seq, time) = (event.seq, event.time);
            *asked = Asked { row, seq, time, last: time, retry: None, is_answered: false, ..*asked };
        }
    }

    /// A record that belongs to the request came.
    pub(super) fn request(&mut self, event: &Event) {
        if let Some(asked) = self.asked.as_mut().filter(|asked| !asked.is_answered) {
            asked.last = event.time.or(asked.last);
        }
    }

    /// An attempt begins with this record: what it waited for the first piece is known.
    pub(super) fn begin(&mut self, row: RowIx, event: &Event, place: Place, first_time: Option<i64>) -> OpenAttempt {
        let mut open = OpenAttempt::new(row, event, place);
        let Some(asked) = self.asked.as_mut().filter(|asked| asked.place == place && !asked.is_answered) else {
            return open;
        };
        asked.is_answered = true;
        open.attempt.is_retry = asked.retry;
        let since = |time: Option<i64>| Some(first_time?.saturating_sub(time?)).filter(|ms| *ms >= 0);
        // A message typed while the answer came stands before its record, and is later than its first piece.
        open.attempt.first_wait_ms = since(asked.last).or_else(|| since(asked.time)).into();
        open
    }

    /// An attempt is over.
    pub(super) fn end(&mut self, open: OpenAttempt) -> usize {
        let OpenAttempt { mut attempt, calls, finish, usage, message_usage, gaps, stalls, .. } = open;
        (attempt.usage, attempt.told) = (usage.into(), ToldUsage::of(message_usage, usage));
        attempt.finish = finish.map(|finish| self.shared(*finish));
        let at = self.done.len();
        let limit = gaps.limit();
        attempt.calls = calls.len() as u32;
        let room = MOST_STALLS.saturating_sub(self.stalls.len());
        let long = stalls.into_iter().filter(|stall| stall.ms >= limit).take(room);
        self.stalls.extend(long.map(|stall| Stall { attempt: at, ..stall }));
        self.done.push(attempt);
        at
    }

    fn shared(&mut self, finish: Finish) -> Arc<Finish> {
        if let Some(same) = self.finishes.iter().find(|same| ***same == finish) {
            return Arc::clone(same);
        }
        let shared = Arc::new(finish);
        if self.finishes.len() < MOST_FINISHES && shared.failure.is_none() {
            self.finishes.push(Arc::clone(&shared));
        }
        shared
    }

    /// A step or turn ended: when nothing at all came for it, the attempt is still one.
    pub(super) fn over(&mut self) {
        let Some(asked) = self.asked.take().filter(|asked| !asked.is_answered) else { return };
        let attempt = blank(asked.row, asked.seq, asked.place);
        self.done.push(Attempt { is_retry: asked.retry, ..attempt });
    }

    /// A retry tells that an attempt failed: the last one of its step, or one of which nothing was recorded.
    pub(super) fn failed(&mut self, row: RowIx, seq: Option<i64>, place: Place, retry: u32) {
        let is_of = |attempt: &&mut Attempt| {
            attempt.place() == place && attempt.retry.is_none() && attempt.message_row.is_none()
        };
        let is_waiting = self.asked.is_some_and(|asked| asked.place == place && !asked.is_answered);
        if let Some(last) = self.done.last_mut().filter(|_| !is_waiting).filter(is_of) {
            last.retry = Some(retry);
            return;
        }
        let is_retry = self.asked.take().filter(|_| is_waiting).and_then(|asked| asked.retry);
        self.done.push(Attempt { retry: Some(retry), is_retry, ..blank(row, seq, place) });
    }

    /// Everything so far was copied by a fork.
    pub(super) fn own_begins(&mut self) {
        self.done.iter_mut().for_each(|attempt| attempt.inherited = true);
    }

    /// The attempts in the order of their ends, and the stalls in file order.
    pub(super) fn finish(mut self) -> (Vec<Attempt>, Vec<Stall>) {
        self.over();
        self.done.shrink_to_fit();
        (self.done, self.stalls)
    }
}

#[cfg(test)]
mod tests;
