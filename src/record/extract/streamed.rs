//! Sums over stream chunks: of one event, one packed row, one embedded stream (docs/FORMAT.md sections 4.2 to 4.5).

use foldhash::HashMap;

use super::messages::failure_box;
use super::{integer, wire};
use crate::record::event::{Finish, MOST_STALLS, STALL_MS, Streamed, StreamedCall, Usage};
use crate::record::json::{Hasher, Text, Value};
use crate::record::kinds::Kind;
use crate::record::packed::PackedRow;

/// Sums of a packed row.
pub(super) fn of_row(row: &PackedRow<'_>) -> Streamed {
    let mut streamed =
        Streamed { pieces: u32::try_from(row.members).unwrap_or(u32::MAX), gaps: row.apart, ..Streamed::default() };
    match row.kind {
        Kind::TextChunks => streamed.text_chars = row.chars,
        Kind::ReasoningChunks => streamed.reasoning_chars = row.chars,
        _ => {
            streamed.calls = vec![StreamedCall {
                index: row.index,
                id: row.id.map(Text::to_wire),
                name: row.name.map(Text::to_wire),
                arguments: None,
            }];
        }
    }
    streamed
}

/// Sums of one chunk.
pub(super) fn of_chunk(chunk: Option<Value<'_>>) -> Streamed {
    // The argument pieces of one delta say nothing of the whole; only a block end does.
    let mut sums = Sums::new(Deltas::Ignored);
    if let Some(chunk) = chunk {
        sums.chunk(chunk);
    }
    sums.finish()
}

/// Sums of an embedded stream; all of its pieces are at hand.
pub(super) fn of_stream(stream: Value<'_>) -> Streamed {
    let mut sums = Sums::new(Deltas::Joined);
    for record in stream.items() {
        sums.record(record);
    }
    sums.finish()
}

/// What the deltas of a call are taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deltas {
    Ignored,
    Joined,
}

struct Sums {
    streamed: Streamed,
    taken: Deltas,
    /// For each of `streamed.calls`, its deltas so far; nothing where they are ignored.
    deltas: Vec<Hasher>,
    /// Places of the calls by block index, once there are two: nearly every chunk has one at most.
    places: HashMap<i64, usize>,
}

impl Sums {
    fn new(taken: Deltas) -> Sums {
        Sums { streamed: Streamed::default(), taken, deltas: Vec::new(), places: HashMap::default() }
    }

    fn record(&mut self, record: Value<'_>) {
        let [tag, chunk, index, id, name, texts, arguments, time, time0, dt] =
            record.pick(["type", "chunk", "index", "id", "name", "texts", "args", "time", "time0", "dt"]);
        let before = self.streamed.pieces;
        let Some(tag) = tag.and_then(Value::as_text) else {
            return;
        };
        match Kind::from_name(&tag.decode_upto(super::NAME_BYTES)) {
            Kind::TextChunks => {
                let chars = self.texts(texts);
                add(&mut self.streamed.text_chars, chars);
            }
            Kind::ReasoningChunks => {
                let chars = self.texts(texts);
                add(&mut self.streamed.reasoning_chars, chars);
            }
            Kind::ToolCallChunks => {
                let place = self.call(integer(index));
                self.name_call(place, id, name);
                for delta in arguments.into_iter().flat_map(Value::items) {
                    add(&mut self.streamed.pieces, 1);
                    self.delta(place, Some(delta));
                }
            }
            _ => {
                if let Some(chunk) = chunk {
                    self.chunk(chunk);
                }
            }
        }
        self.times(before, integer(time.or(time0)), dt);
    }

    /// When the pieces of a record came, of which the first has this number. A record may name more gaps than it has
    /// pieces.
    fn times(&mut self, first: u32, time: Option<i64>, gaps: Option<Value<'_>>) {
        let Some(mut time) = time else { return };
        let mut gaps = gaps.into_iter().flat_map(Value::integers);
        for piece in first..self.streamed.pieces {
            self.at(time, piece);
            let Some(gap) = gaps.next() else { return };
            time = time.saturating_add(gap.unwrap_or_default());
        }
    }

    /// A piece came.
    fn at(&mut self, time: i64, piece: u32) {
        let streamed = &mut self.streamed;
        if let Some((_, last)) = streamed.span {
            let gap = time.saturating_sub(last);
            streamed.gaps.add(gap, piece);
            if gap >= STALL_MS && streamed.stalls.len() < MOST_STALLS {
                streamed.stalls.push((piece, gap));
            }
        }
        streamed.span = Some((streamed.span.map_or(time, |(first, _)| first), time));
    }

    /// Counts the texts as pieces; their characters.
    fn texts(&mut self, texts: Option<Value<'_>>) -> u32 {
        let mut chars = 0;
        for text in texts.into_iter().flat_map(Value::items) {
            add(&mut self.streamed.pieces, 1);
            add(&mut chars, text.as_text().map_or(0, Text::chars));
        }
        chars
    }

    fn chunk(&mut self, chunk: Value<'_>) {
        add(&mut self.streamed.pieces, 1);
        let [tag, index, text] = chunk.pick(["type", "index", "text"]);
        let Some(tag) = tag.and_then(Value::as_text) else {
            return;
        };
        let chars = || text.and_then(Value::as_text).map_or(0, Text::chars);
        match &*tag.decode_upto(super::NAME_BYTES) {
            b"text-delta" => add(&mut self.streamed.text_chars, chars()),
            b"reasoning-delta" => add(&mut self.streamed.reasoning_chars, chars()),
            b"tool-call-delta" => {
                let [id, name, delta] = chunk.pick(["id", "name", "argumentsDelta"]);
                let place = self.call(integer(index));
                self.name_call(place, id, name);
                self.delta(place, delta);
            }
            b"block-start" if chunk.text("blockType").is_some_and(|text| text.is("tool-call")) => {
                self.call(integer(index));
            }
            b"block-end" => self.block_end(integer(index), chunk.get("block")),
            b"usage" => self.streamed.usage = chunk.get("usage").and_then(usage).map(Box::new),
            b"finish" => self.streamed.finish = chunk.get("reason").map(finish).map(Box::new),
            _ => {}
        }
    }

    /// A block end replaces what the deltas of its index said.
    fn block_end(&mut self, index: Option<i64>, block: Option<Value<'_>>) {
        let Some(block) = block else { return };
        let [tag, id, name, arguments] = block.pick(["type", "id", "name", "arguments"]);
        if !tag.and_then(Value::as_text).is_some_and(|tag| tag.is("tool-call")) {
            return;
        }
        let place = self.call(index);
        self.name_call(place, id, name);
        if let Some(call) = self.streamed.calls.get_mut(place) {
            call.arguments = arguments.and_then(Value::as_text).map(Text::fingerprint);
        }
    }

    /// Place of the call at a block index; begins it where it is the first of its index.
    fn call(&mut self, index: Option<i64>) -> usize {
        let index = index.unwrap_or_default();
        let next = self.streamed.calls.len();
        match self.streamed.calls.last() {
            Some(last) if last.index == index => return next - 1,
            Some(last) => {
                if next == 1 {
                    self.places.insert(last.index, 0);
                }
                if let Some(place) = self.places.get(&index) {
                    return *place;
                }
                self.places.insert(index, next);
            }
            None => self.streamed.calls.reserve_exact(1),
        }
        self.streamed.calls.push(StreamedCall { index, ..StreamedCall::default() });
        if self.taken == Deltas::Joined {
            self.deltas.push(Hasher::default());
        }
        next
    }

    fn name_call(&mut self, place: usize, id: Option<Value<'_>>, name: Option<Value<'_>>) {
        if let Some(call) = self.streamed.calls.get_mut(place) {
            if let Some(id) = wire(id) {
                call.id = Some(id);
            }
            if let Some(name) = wire(name) {
                call.name = Some(name);
            }
        }
    }

    fn delta(&mut self, place: usize, delta: Option<Value<'_>>) {
        if let (Some(hasher), Some(text)) = (self.deltas.get_mut(place), delta.and_then(Value::as_text)) {
            hasher.push(text);
        }
    }

    fn finish(mut self) -> Streamed {
        for (call, hasher) in self.streamed.calls.iter_mut().zip(&self.deltas) {
            call.arguments = call.arguments.or(Some(hasher.finish()));
        }
        self.streamed
    }
}

fn add(sum: &mut u32, count: u32) {
    *sum = sum.saturating_add(count);
}

/// Token counts; `None` where the value is no object. A count that is missing, negative or no integer is 0.
pub(super) fn usage(value: Value<'_>) -> Option<Usage> {
    if !value.is_object() {
        return None;
    }
    let counts = value.pick(["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"]);
    let [input, output, cache_read, cache_write, reasoning] =
        counts.map(|count| integer(count).and_then(|count| u64::try_from(count).ok()).unwrap_or_default());
    Some(Usage { input, output, cache_read, cache_write, reasoning })
}

fn finish(reason: Value<'_>) -> Finish {
    let [kind, failure] = reason.pick(["kind", "failure"]);
    Finish { kind: wire(kind), failure: failure.and_then(failure_box) }
}
