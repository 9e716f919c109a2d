//! Stream chunks: single ones, packed rows and their members, embedded streams, and runs of them folded.

use std::collections::BTreeSet;

use super::line::{Line, MOST_BYTES};
use super::mark::Mark;
use super::messages::text_length;
use super::rows::What;
use super::told::name;
use super::turns::code_words;
use crate::session::row::{Flags, Row, RowIx};
use crate::text::locale::Words;
use crate::text::width::short_call_id;
use crate::triage::peek::Peek;
use crate::triage::session::Session;

/// Lines of a run that are looked at for its calls; a run has that many only where one call's arguments are very long.
const MOST_LOOKED_AT: usize = 256;

/// A chunk run folded into one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Its first row.
    pub first: RowIx,
    /// Its last row.
    pub last: RowIx,
}

impl Run {
    /// Its rows.
    fn rows(self, session: &Session) -> impl Iterator<Item = (RowIx, Row)> {
        session.index.rows.iter_from(self.first).take_while(move |(ix, _)| *ix <= self.last)
    }
}

/// The rows of a run whose text is needed to tell it: those that carry calls and the finish, at most some hundreds.
#[must_use]
pub fn run_rows(run: Run, session: &Session) -> Vec<RowIx> {
    let mut calls: Vec<RowIx> = Vec::new();
    let mut finish = None;
    for (ix, row) in run.rows(session) {
        if row.flags.has(Flags::FINISH) {
            finish = Some(ix);
        } else if row.flags.has(Flags::TOOL_CALL) && calls.len() < MOST_LOOKED_AT {
            calls.push(ix);
        }
    }
    calls.extend(finish);
    calls
}

/// The words of a folded run; `lines` holds the text of the rows that [`run_rows`] names, as far as it is fetched.
pub(super) fn run(run: Run, lines: &[(RowIx, &[u8])], session: &Session, words: &Words, max: usize) -> What {
    let (mut text, mut reasoning, mut events, mut rows) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut finishes = false;
    for (_, row) in run.rows(session) {
        rows += 1;
        events += u64::from(row.members);
        finishes |= row.flags.has(Flags::FINISH);
        if row.flags.has(Flags::REASONING) {
            reasoning += u64::from(row.chars);
        } else if row.flags.has(Flags::TEXT) {
            text += u64::from(row.chars);
        }
    }
    let mut calls = BTreeSet::new();
    let mut finish = None;
    for (ix, bytes) in lines.iter().filter(|(ix, _)| (run.first..=run.last).contains(ix)) {
        let Some(row) = session.index.rows.get(*ix) else { continue };
        let Some(data) = Peek::line(bytes).and_then(|line| line.get("data")) else { continue };
        let chunk = data.get("chunk").unwrap_or(data);
        if row.flags.has(Flags::FINISH) {
            finish = chunk.get("reason");
        } else if row.flags.has(Flags::TOOL_CALL) {
            calls.insert(chunk.integer("index"));
        }
    }
    let mut line = Line::new(max);
    let mut sums = Vec::new();
    if reasoning > 0 {
        sums.push(words.count("what.chars_of_reasoning", reasoning));
    }
    if text > 0 {
        sums.push(words.count("what.chars_of_text", text));
    }
    if !calls.is_empty() {
        sums.push(words.count("count.calls", calls.len() as u64));
    }
    if sums.is_empty() {
        sums.push(words.say("what.no_text", &[]));
    }
    line.add(&sums.join(", "));
    let finish = finish.map(finish_words).or(finishes.then(String::new));
    line.after("; ", &finish_phrase(finish, words));
    let (events, rows) = (words.count("count.events", events), words.count("count.lines", rows));
    line.part(&words.say("what.run_size", &[("events", &events), ("lines", &rows)]));
    What { mark: Mark::None, tag: None, text: line.finish() }
}

/// Kind of a finish, with code and status of its failure.
pub(crate) fn finish_words(reason: Peek<'_>) -> String {
    let kind = name(reason, "kind");
    match reason.get("failure").map(code_words).filter(|why| !why.is_empty()) {
        Some(why) => format!("{kind}: {why}"),
        None => kind,
    }
}

/// `finish tool-calls`, or that there is none.
fn finish_phrase(finish: Option<String>, words: &Words) -> String {
    match finish {
        Some(reason) => words.say("what.finish", &[("reason", &reason)]).trim_end().to_owned(),
        None => words.get("what.no_finish").to_owned(),
    }
}

/// One chunk; gives its type.
pub(super) fn chunk(chunk: Peek<'_>, words: &Words, line: &mut Line) -> String {
    let kind = name(chunk, "type");
    let block = |line: &mut Line, key: &str, kind: String| {
        let index = super::told::plain_number(chunk, "index");
        line.add(&words.say(key, &[("index", &index), ("kind", &kind)]));
    };
    match kind.as_str() {
        "block-start" => block(line, "what.block_start", name(chunk, "blockType")),
        "block-end" => {
            let kind = chunk.get("block").map_or_else(String::new, |block| name(block, "type"));
            block(line, "what.block_end", kind);
        }
        "text-delta" | "reasoning-delta" => {
            line.quote("", &chunk.text_of("text", MOST_BYTES).unwrap_or_default());
        }
        "tool-call-delta" => {
            line.part(&name(chunk, "name")).part(&short_call_id(&name(chunk, "id")));
            line.quote("  ", &chunk.text_of("argumentsDelta", MOST_BYTES).unwrap_or_default());
        }
        "usage" => {
            if let Some(usage) = chunk.get("usage") {
                line.add(&usage_words(usage, words));
            }
        }
        "finish" => {
            line.add(&chunk.get("reason").map(finish_words).unwrap_or_default());
        }
        _ => {
            let raw = chunk.raw();
            line.log("  ", raw.get(..raw.len().min(MOST_BYTES)).unwrap_or_default());
        }
    }
    kind
}

/// `in 8,789 out 120 cached 1,536`; what the cache gave only where it gave something.
fn usage_words(usage: Peek<'_>, words: &Words) -> String {
    let count = |key: &str| usage.integer(key).and_then(|count| u64::try_from(count).ok());
    let shown = |key: &str| count(key).map_or_else(|| "?".to_owned(), |n| words.number(n));
    let (input, output) = (shown("inputTokens"), shown("outputTokens"));
    match count("cacheReadTokens").filter(|n| *n > 0) {
        Some(n) => words.say("what.usage", &[("input", &input), ("output", &output), ("cached", &words.number(n))]),
        None => words.say("what.usage_uncached", &[("input", &input), ("output", &output)]),
    }
}

/// A packed row as a whole, of the log or of an embedded stream: its deltas, tool and call, bytes, and text.
pub(super) fn packed(data: Peek<'_>, words: &Words, line: &mut Line) {
    let args = data.get("args");
    let list = args.or_else(|| data.get("texts")).unwrap_or(Peek::Cut(b""));
    let deltas = words.count("count.deltas", list.count());
    let bytes: u64 = match list {
        Peek::Whole(value) => value.items().map(|piece| text_length(Peek::Whole(piece))).sum(),
        Peek::Cut(_) => list.items().into_iter().map(text_length).sum(),
    };
    let bytes = words.count("count.bytes", bytes);
    let (tool, id) = (name(data, "name"), short_call_id(&name(data, "id")));
    let key = if tool.is_empty() && id.is_empty() { "what.packed" } else { "what.packed_call" };
    line.add(&words.say(key, &[("deltas", &deltas), ("bytes", &bytes), ("tool", &tool), ("id", &id)]));
    if args.is_none() {
        let mut text = Vec::new();
        for piece in list.items() {
            if text.len() >= MOST_BYTES {
                break;
            }
            text.extend_from_slice(&piece.text(MOST_BYTES).unwrap_or_default());
        }
        line.quote("  ", &text);
    }
}

/// One member of a packed row.
pub(super) fn member(data: Peek<'_>, at: u32, words: &Words, line: &mut Line) -> &'static str {
    let piece = |key: &str| data.get(key)?.nth(at as usize)?.text(MOST_BYTES);
    if data.get("args").is_some() {
        line.quote("", &piece("args").unwrap_or_default());
        return "tool-call-delta";
    }
    match piece("texts") {
        Some(text) => line.quote("", &text),
        None => line.add(words.get("what.no_text")),
    };
    "text-delta"
}

/// The records of the stream in an `assistant/message` or `assistant/attempt`.
pub(super) fn stream(event: Peek<'_>) -> Vec<Peek<'_>> {
    event.path(&["data", "stream"]).map(Peek::items).unwrap_or_default()
}

/// One record of an embedded stream: a chunk, or a packed record.
pub(super) fn record(record: Peek<'_>, words: &Words, max: usize) -> What {
    let mut line = Line::new(max);
    let tag = if let Some(inner) = record.get("chunk") {
        chunk(inner, words, &mut line)
    } else {
        packed(record, words, &mut line);
        name(record, "type")
    };
    What { mark: Mark::None, tag: Some(tag), text: line.finish() }
}

/// Sums over an embedded stream.
#[derive(Debug, Default)]
pub(super) struct StreamSums<'a> {
    pub(super) text: u64,
    pub(super) reasoning: u64,
    pub(super) calls: BTreeSet<Option<i64>>,
    pub(super) finish: Option<Peek<'a>>,
}

/// Adds up an embedded stream as far as it is there.
pub(super) fn stream_sums<'a>(records: &[Peek<'a>]) -> StreamSums<'a> {
    let mut sums = StreamSums::default();
    for record in records {
        let chunk = record.get("chunk").unwrap_or(*record);
        let chars = || -> u64 {
            let count = |text: Peek<'_>| match text {
                Peek::Whole(value) => value.as_text().map_or(0, |text| u64::from(text.chars())),
                Peek::Cut(_) => 0,
            };
            match record.get("texts") {
                Some(texts) => texts.items().into_iter().map(count).sum(),
                None => chunk.get("text").map_or(0, count),
            }
        };
        match name(chunk, "type").as_str() {
            "text-chunks" | "text-delta" => sums.text += chars(),
            "reasoning-chunks" | "reasoning-delta" => sums.reasoning += chars(),
            "tool-call-chunks" | "tool-call-delta" => {
                sums.calls.insert(chunk.integer("index"));
            }
            "block-start" if chunk.says("blockType", "tool-call") => {
                sums.calls.insert(chunk.integer("index"));
            }
            "finish" => sums.finish = chunk.get("reason"),
            _ => {}
        }
    }
    sums
}

/// `assistant/attempt`: an attempt that produced no message.
pub(super) fn attempt(told: &super::told::Told<'_>, line: &mut Line) -> Mark {
    let sums = stream_sums(&stream(told.event));
    let cancelled = sums.finish.is_some_and(|reason| reason.says("kind", "aborted"));
    line.add(&told.say(if cancelled { "attempt_cancelled" } else { "attempt_failed" }, &[]));
    if sums.reasoning > 0 {
        line.after(", ", &told.say_count("chars_of_reasoning", sums.reasoning, &[]));
    }
    if sums.text > 0 {
        line.after(", ", &told.say_count("chars_of_text", sums.text, &[]));
    }
    if sums.text == 0 && sums.reasoning == 0 && sums.calls.is_empty() {
        line.after(", ", &told.say("no_text", &[]));
    }
    line.after("; ", &finish_phrase(sums.finish.map(finish_words), told.words));
    if !sums.calls.is_empty() {
        let calls = told.count("calls", sums.calls.len() as u64);
        line.after("; ", &told.say("attempt_dropped", &[("calls", &calls)]));
    }
    Mark::None
}
