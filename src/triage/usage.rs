//! Token counts: an attempt counts once, by its last usage chunk, else by its message (docs/FORMAT.md section 9).

use foldhash::{HashMap, HashSet};

use super::attempts::{Attempts, OpenAttempt};
use super::facts::{Attempt, DroppedCall, Stall, UsageFacts};
use crate::record::event::{Event, Fingerprint, Place, Request, Streamed, StreamedCall, Usage};
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Comparisons of ids that cost less than a table of them.
const FEW: usize = 64;

/// Follows model attempts. In versions 0 and 1 an attempt is a stretch of chunks; later it is one record.
#[derive(Debug, Clone, Default)]
pub(super) struct UsageFold {
    total: UsageFacts,
    attempt: Option<OpenAttempt>,
    attempts: Attempts,
    dropped: Vec<DroppedCall>,
    part: Part,
}

/// Whose attempts are being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    /// The session's own, as far as one can tell.
    #[default]
    Own,
    /// The parent's, copied by a fork.
    Inherited,
}

/// What a message tells beside its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageRecord<'a> {
    pub(super) requests: &'a [Request],
    pub(super) usage: Option<Usage>,
    pub(super) stream: Option<&'a Streamed>,
    pub(super) interrupted: bool,
}

/// What is known in the end.
#[derive(Debug)]
pub(super) struct UsageEnd {
    pub(super) usage: UsageFacts,
    pub(super) dropped: Vec<DroppedCall>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) stalls: Vec<Stall>,
}

impl UsageFold {
    /// A chunk or a packed row.
    pub(super) fn chunk(&mut self, row: RowIx, event: &Event, place: Place, streamed: &Streamed) {
        let goes_on = self.attempt.as_ref().is_some_and(|attempt| {
            let begins_again = attempt.has_finished && streamed.usage.is_none() && streamed.finish.is_none();
            attempt.place == place && !begins_again
        });
        if !goes_on {
            self.flush();
        }
        if self.attempt.is_none() {
            self.attempt = Some(self.attempts.begin(row, event, place, event.time));
        }
        if let Some(attempt) = &mut self.attempt {
            attempt.add(row, event, streamed);
        }
    }

    /// An `assistant/message` ends the attempt of its step. Tells for each request whether the streamed block holds
    /// other arguments; `None` where the stream does not tell.
    pub(super) fn message(
        &mut self,
        row: RowIx,
        event: &Event,
        place: Place,
        message: &MessageRecord<'_>,
    ) -> Vec<Option<bool>> {
        let MessageRecord { requests, usage, stream, interrupted } = *message;
        let streamed = self.attempt.take_if(|attempt| attempt.place == place);
        self.flush();
        let mut attempt = match (streamed, stream) {
            (Some(attempt), _) => attempt,
            (None, stream) => {
                let first = stream.and_then(|stream| stream.span).map(|(first, _)| first);
                let mut attempt = self.attempts.begin(row, event, place, first);
                if let Some(stream) = stream {
                    attempt.embedded(row, event, stream);
                }
                attempt
            }
        };
        attempt.becomes(row, event.seq, usage, interrupted);
        self.count(attempt.usage.or(usage));
        self.drop_missing(&attempt.calls, requests, place, row, event.seq);
        let differ = differences(&attempt.calls, requests);
        self.attempts.end(attempt);
        differ
    }

    /// An `assistant/attempt`: chunks of an attempt without a message.
    pub(super) fn failed_attempt(&mut self, row: RowIx, event: &Event, place: Place, stream: &Streamed) {
        self.flush();
        let mut attempt = self.attempts.begin(row, event, place, stream.span.map(|(first, _)| first));
        attempt.embedded(row, event, stream);
        self.count(stream.usage.as_deref().copied());
        self.drop_missing(&stream.calls, &[], place, row, event.seq);
        self.attempts.end(attempt);
    }

    /// The model is asked: a step begins, or a retry (its place in the list of retries).
    pub(super) fn asked(&mut self, row: RowIx, event: &Event, place: Place, retry: Option<usize>) {
        self.attempts.asked(row, event, place, retry.map(|at| at as u32));
    }

    /// A compaction is over, after which the model may be asked again.
    pub(super) fn compacted(&mut self, row: RowIx, event: &Event) {
        if self.attempt.as_ref().is_some_and(|attempt| attempt.has_finished) {
            self.flush();
        }
        self.attempts.asked_again(row, event);
    }

    /// A record of the request came.
    pub(super) fn request(&mut self, event: &Event) {
        self.attempts.request(event);
    }

    /// A retry is announced: an attempt of its step failed.
    pub(super) fn failed(&mut self, row: RowIx, event: &Event, place: Place, retry: usize) {
        self.flush();
        self.attempts.failed(row, event.seq, place, retry as u32);
    }

    /// A step or a turn is over: nothing more comes of its attempts.
    pub(super) fn over(&mut self) {
        self.flush();
        self.attempts.over();
    }

    /// A record after which further chunks belong to another attempt.
    pub(super) fn flush(&mut self) {
        if let Some(open) = self.attempt.take() {
            self.count(open.usage);
            self.drop_missing(&open.calls, &[], open.place, open.attempt.last_row, open.attempt.last_seq.get());
            self.attempts.end(open);
        }
    }

    /// What the open attempt has streamed so far: characters of text, of reasoning, and pieces.
    pub(super) fn streaming(&self) -> Option<(u32, u32, u32)> {
        self.attempt.as_ref().map(|open| (open.attempt.text_chars, open.attempt.reasoning_chars, open.attempt.pieces))
    }

    /// What comes is inherited, until the own part begins.
    pub(super) fn inherits(&mut self) {
        self.part = Part::Inherited;
    }

    /// Everything before this is inherited: the own part begins.
    pub(super) fn own_begins(&mut self) {
        self.flush();
        self.part = Part::Own;
        self.attempts.own_begins();
        self.total.own = Usage::default();
        self.total.requests_own = 0;
    }

    /// The sums and the attempts, one that is still open among them, and the calls that exist only in a stream.
    pub(super) fn finish(mut self) -> UsageEnd {
        if let Some(open) = self.attempt.take() {
            self.count(open.usage);
            self.attempts.end(open);
        }
        let (attempts, stalls) = self.attempts.finish();
        UsageEnd { usage: self.total, dropped: self.dropped, attempts, stalls }
    }

    fn count(&mut self, usage: Option<Usage>) {
        let Some(usage) = usage else { return };
        self.total.requests_in_file += 1;
        add(&mut self.total.in_file, usage);
        if self.part == Part::Own {
            self.total.requests_own += 1;
            add(&mut self.total.own, usage);
        }
    }

    fn drop_missing(
        &mut self,
        calls: &[StreamedCall],
        requests: &[Request],
        place: Place,
        row: RowIx,
        seq: Option<i64>,
    ) {
        if calls.is_empty() {
            return;
        }
        let are_few = requests.len() * calls.len() <= FEW;
        let table = if are_few { &[] } else { requests };
        let asked: HashSet<&WireText> = table.iter().map(|request| &request.id).collect();
        for call in calls {
            let is_there = match &call.id {
                Some(id) if are_few => requests.iter().any(|request| request.id == *id),
                Some(id) => asked.contains(id),
                None => !requests.is_empty(),
            };
            if !is_there {
                self.dropped.push(DroppedCall {
                    call_id: call.id.clone(),
                    name: call.name.clone(),
                    turn: place.turn,
                    step: place.step,
                    row,
                    seq,
                });
            }
        }
    }
}

/// Whether the arguments of each request differ from what was streamed for it; `None` where nothing was.
fn differences(calls: &[StreamedCall], requests: &[Request]) -> Vec<Option<bool>> {
    if requests.len() * calls.len() <= FEW {
        let streamed =
            |id: &WireText| calls.iter().filter(|call| call.id.as_ref() == Some(id)).find_map(|call| call.arguments);
        return requests.iter().map(|request| Some(streamed(&request.id)? != request.arguments.print)).collect();
    }
    let streamed = streamed_arguments(calls);
    requests.iter().map(|request| Some(*streamed.get(&request.id)? != request.arguments.print)).collect()
}

/// The arguments as they were streamed, by call id; of two blocks with one id the first.
fn streamed_arguments(calls: &[StreamedCall]) -> HashMap<&WireText, Fingerprint> {
    let mut streamed = HashMap::default();
    for call in calls {
        if let Some((id, arguments)) = call.id.as_ref().zip(call.arguments) {
            streamed.entry(id).or_insert(arguments);
        }
    }
    streamed
}

/// Adds token counts, saturating.
pub(super) fn add(sum: &mut Usage, usage: Usage) {
    for (sum, part) in [
        (&mut sum.input, usage.input),
        (&mut sum.output, usage.output),
        (&mut sum.cache_read, usage.cache_read),
        (&mut sum.cache_write, usage.cache_write),
        (&mut sum.reasoning, usage.reasoning),
    ] {
        *sum = sum.saturating_add(part);
    }
}

#[cfg(test)]
mod tests;
