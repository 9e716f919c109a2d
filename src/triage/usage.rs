//! Token counts: an attempt counts once, by its last usage chunk, else by its message (docs/FORMAT.md section 9).

use foldhash::{HashMap, HashSet};

use super::facts::{DroppedCall, UsageFacts};
use crate::record::event::{Event, Fingerprint, Place, Request, Streamed, StreamedCall, Usage};
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Follows model attempts. In versions 0 and 1 an attempt is a stretch of chunks; later it is one record.
#[derive(Debug, Clone, Default)]
pub(super) struct UsageFold {
    total: UsageFacts,
    attempt: Option<Attempt>,
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

/// An attempt whose chunks come one by one.
#[derive(Debug, Clone)]
struct Attempt {
    place: Place,
    usage: Option<Usage>,
    has_finished: bool,
    calls: Vec<StreamedCall>,
    text_chars: u64,
    reasoning_chars: u64,
    pieces: u64,
    row: RowIx,
    seq: Option<i64>,
}

/// Tool-call blocks of one attempt that are kept: what a model sends in one answer is far fewer.
const MOST_CALLS: usize = 1024;

/// Comparisons of ids that cost less than a table of them.
const FEW: usize = 64;

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
        let attempt = self.attempt.get_or_insert_with(|| Attempt {
            place,
            usage: None,
            has_finished: false,
            calls: Vec::new(),
            text_chars: 0,
            reasoning_chars: 0,
            pieces: 0,
            row,
            seq: event.seq,
        });
        attempt.usage = streamed.usage.as_deref().copied().or(attempt.usage);
        attempt.has_finished |= streamed.finish.is_some();
        attempt.text_chars += u64::from(streamed.text_chars);
        attempt.reasoning_chars += u64::from(streamed.reasoning_chars);
        attempt.pieces += u64::from(streamed.pieces);
        attempt.row = row;
        attempt.seq = event.seq;
        for call in &streamed.calls {
            merge(&mut attempt.calls, call);
        }
    }

    /// An `assistant/message` ends the attempt of its step. Tells for each request whether the streamed block holds
    /// other arguments; `None` where the stream does not tell.
    pub(super) fn message(
        &mut self,
        row: RowIx,
        event: &Event,
        place: Place,
        requests: &[Request],
        usage: Option<Usage>,
        stream: Option<&Streamed>,
    ) -> Vec<Option<bool>> {
        let attempt = self.attempt.take_if(|attempt| attempt.place == place);
        self.flush();
        let streamed_usage =
            stream.and_then(|stream| stream.usage.as_deref().copied()).or(attempt.as_ref().and_then(|a| a.usage));
        self.count(streamed_usage.or(usage));
        let calls = match (stream, &attempt) {
            (Some(stream), _) => &stream.calls[..],
            (None, Some(attempt)) => &attempt.calls[..],
            (None, None) => &[],
        };
        self.drop_missing(calls, requests, place, row, event.seq);
        if requests.len() * calls.len() <= FEW {
            let streamed =
                |id: &WireText| calls.iter().filter(|call| call.id.as_ref() == Some(id)).find_map(|c| c.arguments);
            return requests.iter().map(|request| Some(streamed(&request.id)? != request.arguments)).collect();
        }
        let streamed = streamed_arguments(calls);
        let differs = |request: &Request| Some(*streamed.get(&request.id)? != request.arguments);
        requests.iter().map(differs).collect()
    }

    /// An `assistant/attempt`: chunks of an attempt without a message.
    pub(super) fn failed_attempt(&mut self, row: RowIx, event: &Event, place: Place, stream: &Streamed) {
        self.flush();
        self.count(stream.usage.as_deref().copied());
        self.drop_missing(&stream.calls, &[], place, row, event.seq);
    }

    /// A record after which further chunks belong to another attempt.
    pub(super) fn flush(&mut self) {
        if let Some(attempt) = self.attempt.take() {
            self.count(attempt.usage);
            self.drop_missing(&attempt.calls, &[], attempt.place, attempt.row, attempt.seq);
        }
    }

    /// What the open attempt has streamed so far: characters of text, of reasoning, and pieces.
    pub(super) fn streaming(&self) -> Option<(u64, u64, u64)> {
        self.attempt.as_ref().map(|attempt| (attempt.text_chars, attempt.reasoning_chars, attempt.pieces))
    }

    /// What comes is inherited, until the own part begins.
    pub(super) fn inherits(&mut self) {
        self.part = Part::Inherited;
    }

    /// Everything before this is inherited: the own part begins.
    pub(super) fn own_begins(&mut self) {
        self.flush();
        self.part = Part::Own;
        self.total.own = Usage::default();
        self.total.requests_own = 0;
    }

    /// The sums, with an attempt that is still open counted, and the calls that exist only in a stream.
    pub(super) fn finish(mut self) -> (UsageFacts, Vec<DroppedCall>) {
        if let Some(attempt) = self.attempt.take() {
            self.count(attempt.usage);
        }
        (self.total, self.dropped)
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

fn merge(calls: &mut Vec<StreamedCall>, piece: &StreamedCall) {
    if let Some(call) = calls.iter_mut().rev().find(|call| call.index == piece.index) {
        call.id = piece.id.clone().or(call.id.take());
        call.name = piece.name.clone().or(call.name.take());
        call.arguments = piece.arguments.or(call.arguments);
    } else if calls.len() < MOST_CALLS {
        calls.push(piece.clone());
    }
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

fn add(sum: &mut Usage, usage: Usage) {
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
