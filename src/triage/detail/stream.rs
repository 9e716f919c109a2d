//! How a message was streamed, and what it cost.

use super::needs::run_before;
use super::page::{Page, Style, at_row, seq_text};
use super::subject::Subject;
use crate::record::json::Shape;
use crate::record::kinds::Kind;
use crate::session::row::{Flags, Row, RowIx};
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::short_call_id;
use crate::triage::peek::Peek;
use crate::triage::what::{Run, finish_words};

/// Columns of the names in the tables of this tab.
const NAMES: usize = 16;

/// Bytes of the arguments of a call that no message holds.
const MOST_START: usize = 4_000;

/// A call as the pieces show it.
#[derive(Debug, Default)]
struct Call {
    index: Option<i64>,
    name: String,
    id: String,
    pieces: u64,
    bytes: u64,
    /// The start of its arguments.
    start: Vec<u8>,
}

/// What the pieces of one attempt add up to, as far as their lines are at hand.
#[derive(Debug, Default)]
struct Sums {
    pieces: u64,
    text: u64,
    reasoning: u64,
    calls: Vec<Call>,
    finish: Option<String>,
    usage: Vec<(Option<RowIx>, String)>,
    first: Option<i64>,
    last: Option<i64>,
    longest: i64,
}

impl Sums {
    fn at(&mut self, time: i64) {
        if let Some(last) = self.last {
            self.longest = self.longest.max(time.saturating_sub(last));
        }
        self.first.get_or_insert(time);
        self.last = Some(time);
    }

    /// One record: a chunk, or a packed run of them.
    fn add(&mut self, record: Peek<'_>, time: Option<i64>, from: Option<RowIx>) {
        let kind = record.text_of("type", 100).unwrap_or_default();
        let pieces = record.get("texts").or_else(|| record.get("args")).map(Peek::items);
        if let Some(time) = time {
            self.at(time);
            let mut now = time;
            for gap in record.get("dt").map(Peek::items).unwrap_or_default() {
                now = now.saturating_add(integer(gap).unwrap_or(0));
                self.at(now);
            }
        }
        let text = || record.get("text").or_else(|| record.get("argumentsDelta"));
        let list = pieces.unwrap_or_else(|| text().into_iter().collect());
        self.pieces += (list.len() as u64).max(1);
        match &*kind {
            b"text-chunks" | b"text-delta" => self.text += list.iter().map(|piece| chars(*piece)).sum::<u64>(),
            b"reasoning-chunks" | b"reasoning-delta" => {
                self.reasoning += list.iter().map(|piece| chars(*piece)).sum::<u64>();
            }
            b"tool-call-chunks" | b"tool-call-delta" => self.call(record, &list),
            b"finish" => self.finish = record.get("reason").map(finish_words),
            b"usage" => {
                let raw = record.get("usage").map(|usage| usage.raw().to_vec()).unwrap_or_default();
                self.usage.push((from, String::from_utf8_lossy(&raw).into_owned()));
            }
            _ => {}
        }
    }

    fn call(&mut self, record: Peek<'_>, pieces: &[Peek<'_>]) {
        let index = record.integer("index");
        let at = self.calls.iter().position(|call| call.index == index).unwrap_or_else(|| {
            self.calls.push(Call { index, ..Call::default() });
            self.calls.len() - 1
        });
        let Some(call) = self.calls.get_mut(at) else { return };
        for (slot, key) in [(&mut call.name, "name"), (&mut call.id, "id")] {
            if let Some(text) = record.text_of(key, 600).filter(|text| !text.is_empty()) {
                *slot = one_line(&text, 200);
            }
        }
        call.pieces += pieces.len() as u64;
        for piece in pieces {
            let room = MOST_START.saturating_sub(call.start.len());
            call.start.extend_from_slice(&piece.text(room).unwrap_or_default());
        }
        call.bytes += pieces.iter().map(|piece| super::result::length(*piece, &[])).sum::<u64>();
    }
}

fn integer(value: Peek<'_>) -> Option<i64> {
    match value {
        Peek::Whole(value) => value.as_i64(),
        Peek::Cut(_) => None,
    }
}

fn chars(text: Peek<'_>) -> u64 {
    match text {
        Peek::Whole(value) => value.as_text().map_or(0, |text| u64::from(text.chars())),
        Peek::Cut(_) => 0,
    }
}

/// The pieces of a row: of the stream it embeds, or its own.
fn add_row(sums: &mut Sums, page: &Page<'_>, ix: RowIx) {
    let Some(event) = page.detail.event(ix) else { return };
    let Some(data) = event.get("data") else { return };
    if let Some(records) = data.get("stream") {
        for record in records.items() {
            match record.get("chunk") {
                Some(chunk) => sums.add(chunk, record.integer("time"), Some(ix)),
                None => sums.add(record, record.integer("time0"), Some(ix)),
            }
        }
        return;
    }
    match data.get("chunk") {
        Some(chunk) => sums.add(chunk, event.integer("time"), Some(ix)),
        None => sums.add_packed(event, data, ix),
    }
}

impl Sums {
    /// A packed row of the log: its type stands outside of its data.
    fn add_packed(&mut self, event: Peek<'_>, data: Peek<'_>, ix: RowIx) {
        let before = (self.text, self.reasoning);
        self.add(data, event.integer("time0"), Some(ix));
        if before != (self.text, self.reasoning) {
            return;
        }
        let list = data.get("texts").map(Peek::items).unwrap_or_default();
        let count: u64 = list.iter().map(|piece| chars(*piece)).sum();
        if event.says("type", Kind::TextChunks.name()) {
            self.text += count;
        } else if event.says("type", Kind::ReasoningChunks.name()) {
            self.reasoning += count;
        } else if let Some(args) = data.get("args") {
            self.call(data, &args.items());
        }
    }
}

/// The rows that a subject's pieces lie in.
pub(super) fn rows_of(page: &Page<'_>, subject: Subject) -> (Option<RowIx>, Option<Run>) {
    match subject {
        Subject::Message(row) => (Some(row), run_before(row, page.detail.session)),
        Subject::Run(run) => (None, Some(run)),
        _ => (None, None),
    }
}

fn sums_of(page: &Page<'_>, subject: Subject) -> Sums {
    let (message, run) = rows_of(page, subject);
    let mut sums = Sums::default();
    let mut rows: Vec<RowIx> = page.detail.lines.iter().map(|line| line.row).collect();
    rows.sort_unstable();
    rows.dedup();
    for ix in rows {
        let in_run = run.is_some_and(|run| (run.first..=run.last).contains(&ix));
        if in_run || Some(ix) == message {
            add_row(&mut sums, page, ix);
        }
    }
    if let Some(run) = run {
        exact(&mut sums, page, run);
    }
    sums
}

/// Sums that the rows of a run know exactly, fetched or not.
fn exact(sums: &mut Sums, page: &Page<'_>, run: Run) {
    let rows = page.detail.index().rows.iter_from(run.first).take_while(|(ix, _)| *ix <= run.last);
    let (mut pieces, mut text, mut reasoning) = (0, 0, 0);
    for (_, row) in rows {
        pieces += u64::from(row.members);
        if row.flags.has(Flags::REASONING) {
            reasoning += u64::from(row.chars);
        } else if row.flags.has(Flags::TEXT) {
            text += u64::from(row.chars);
        }
    }
    (sums.pieces, sums.text, sums.reasoning) = (pieces, text, reasoning);
}

pub(super) fn fill_stream(page: &mut Page<'_>, subject: Subject) {
    let sums = sums_of(page, subject);
    if sums.pieces == 0 {
        return page.words("stream.none", &[]);
    }
    super::strip::fill(page, subject);
    let words = page.detail.words;
    let mut rows: Vec<(&str, String)> = vec![("stream.pieces", words.number(sums.pieces))];
    if sums.reasoning > 0 {
        rows.push(("stream.reasoning", words.count("count.chars", sums.reasoning)));
    }
    if sums.text > 0 {
        rows.push(("stream.text", words.count("count.chars", sums.text)));
    }
    let finish = sums.finish.clone().unwrap_or_else(|| words.get("what.no_finish").to_owned());
    rows.push(("stream.finish", finish));
    if let (Some(first), Some(last)) = (sums.first, sums.last) {
        rows.push(("stream.first", page.detail.zone.clock(first)));
        rows.push(("stream.last", page.detail.zone.clock(last)));
        rows.push(("stream.took", duration(last.saturating_sub(first))));
        rows.push(("stream.longest", duration(sums.longest)));
    }
    if let Some(wait) = first_wait(page, subject, sums.first) {
        rows.push(("stream.waited", duration(wait)));
    }
    for (key, value) in rows {
        let name = page.say(key, &[]);
        page.field(&name, NAMES, vec![Span::plain(value)], None);
    }
    for call in &sums.calls {
        one_call(page, subject, call);
    }
}

/// A call as it was streamed; of one that no message holds its arguments too, under the glass: they are nowhere else.
fn one_call(page: &mut Page<'_>, subject: Subject, call: &Call) {
    let words = page.detail.words;
    let name = page.say("text.call", &[]);
    let (pieces, bytes) = (words.count("count.pieces", call.pieces), words.count("count.bytes", call.bytes));
    let text = format!("{} {}  {pieces}, {bytes}", call.name, short_call_id(&call.id));
    let mut spans = vec![Span::plain(text)];
    let is_dropped = is_dropped(page, subject, call);
    if is_dropped {
        spans.push(Span::new(format!("   {}", page.say("stream.never_requested", &[])), Role::Warn));
    }
    page.field(&name, NAMES, spans, None);
    if is_dropped && !call.start.is_empty() {
        super::arguments::of_stream(page, &call.start, call.bytes);
    }
}

/// Calls of the stream that no message holds, below the text that was streamed before them.
pub(super) fn dropped_calls(page: &mut Page<'_>, subject: Subject) {
    let (message, run) = rows_of(page, subject);
    let is_here = |row: RowIx| Some(row) == message || run.is_some_and(|run| (run.first..=run.last).contains(&row));
    if !page.detail.session.facts.dropped_calls.iter().any(|dropped| is_here(dropped.row)) {
        return;
    }
    let sums = sums_of(page, subject);
    for call in &sums.calls {
        if is_dropped(page, subject, call) {
            page.blank();
            one_call(page, subject, call);
        }
    }
}

/// Whether a call of the stream is in no message: cut by max-tokens, a failure or a cancel.
fn is_dropped(page: &Page<'_>, subject: Subject, call: &Call) -> bool {
    let (message, run) = rows_of(page, subject);
    let is_here = |row: RowIx| Some(row) == message || run.is_some_and(|run| (run.first..=run.last).contains(&row));
    let mut dropped = page.detail.session.facts.dropped_calls.iter().filter(|dropped| is_here(dropped.row));
    dropped.any(|dropped| dropped.call_id.as_ref().is_none_or(|id| one_line(id.as_bytes(), 200) == call.id))
}

/// Milliseconds from the start of the step to the first piece.
fn first_wait(page: &Page<'_>, subject: Subject, first: Option<i64>) -> Option<i64> {
    let (message, run) = rows_of(page, subject);
    let start = run.map(|run| run.first).or(message)?;
    let lowest = start.0.saturating_sub(1_000);
    let before = (lowest..start.0).rev().filter_map(|at| page.detail.index().rows.get(RowIx(at)));
    let step = before.into_iter().find(|row| matches!(row.kind, Kind::StepStart | Kind::LlmRetryStarted))?;
    Some(first?.saturating_sub(step.time()?.0))
}

/// The arguments of a call as its stream has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StreamedArguments {
    /// The pieces put together; of a stream of which not all pieces are at hand, those of its block end.
    pub(super) text: Vec<u8>,
    /// The record of the first piece.
    pub(super) row: RowIx,
}

/// The streamed arguments of a call; `None` where its stream is not at hand, or tells nothing of them.
pub(super) fn arguments_of(
    page: &Page<'_>,
    call: &crate::triage::facts::Call,
    most: usize,
) -> Option<StreamedArguments> {
    let message = call.message_row?;
    let run = run_before(message, page.detail.session);
    let rows = run.into_iter().flat_map(|run| (run.first.0..=run.last.0).map(RowIx)).chain([message]);
    let mut blocks = Blocks::default();
    for ix in rows {
        let row = page.detail.index().rows.get(ix)?;
        if row.is_chunk() && !row.flags.has(Flags::TOOL_CALL) && page.detail.raw(ix).is_none() {
            continue;
        }
        let Some(data) = page.detail.data(ix) else {
            blocks.is_cut |= row.is_chunk();
            continue;
        };
        match (data.get("stream"), data.get("chunk")) {
            (Some(stream), _) => {
                for record in stream.items() {
                    blocks.add(record.get("chunk").unwrap_or(record), ix, most);
                }
                blocks.is_cut |= !stream.is_whole();
            }
            (None, Some(chunk)) => blocks.add(chunk, ix, most),
            (None, None) if data.get("args").is_some() => blocks.deltas(data, ix, most),
            (None, None) => {}
        }
    }
    blocks.of(call.call_id.as_bytes())
}

/// Tool-call blocks of one attempt, as their pieces come.
#[derive(Debug, Default)]
struct Blocks {
    blocks: Vec<Block>,
    is_cut: bool,
}

#[derive(Debug)]
struct Block {
    index: Option<i64>,
    id: Vec<u8>,
    pieces: Vec<u8>,
    end: Option<Vec<u8>>,
    row: RowIx,
}

/// Tool-call blocks of one attempt that are put together.
const MOST_BLOCKS: usize = 256;

impl Blocks {
    fn at(&mut self, index: Option<i64>, row: RowIx) -> Option<&mut Block> {
        let known = self.blocks.iter().position(|block| block.index == index);
        let at = known.unwrap_or(self.blocks.len());
        if at == self.blocks.len() && at < MOST_BLOCKS {
            self.blocks.push(Block { index, id: Vec::new(), pieces: Vec::new(), end: None, row });
        }
        self.blocks.get_mut(at)
    }

    fn add(&mut self, record: Peek<'_>, row: RowIx, most: usize) {
        match &*record.text_of("type", 100).unwrap_or_default() {
            b"tool-call-chunks" | b"tool-call-delta" => self.deltas(record, row, most),
            b"block-end" => {
                let Some(block) = record.get("block").filter(|block| block.says("type", "tool-call")) else { return };
                let Some(found) = self.at(record.integer("index"), row) else { return };
                found.id = block.text_of("id", 600).unwrap_or_default().into_owned();
                found.end = block.text_of("arguments", most).map(std::borrow::Cow::into_owned);
            }
            _ => {}
        }
    }

    fn deltas(&mut self, record: Peek<'_>, row: RowIx, most: usize) {
        let Some(block) = self.at(record.integer("index"), row) else { return };
        if let Some(id) = record.text_of("id", 600).filter(|id| !id.is_empty()) {
            block.id = id.into_owned();
        }
        let one = || record.get("argumentsDelta").into_iter().collect();
        for piece in record.get("args").map_or_else(one, Peek::items) {
            let room = most.saturating_sub(block.pieces.len());
            block.pieces.extend_from_slice(&piece.text(room).unwrap_or_default());
        }
    }

    /// The arguments of the block with this id; of several the first.
    fn of(self, id: &[u8]) -> Option<StreamedArguments> {
        let block = self.blocks.into_iter().find(|block| block.id == id)?;
        let text = match (self.is_cut, block.end) {
            // A block end without pieces is all there is; with pieces these are what was streamed.
            (false, Some(end)) if block.pieces.is_empty() => end,
            (false, _) => block.pieces,
            (true, end) => end?,
        };
        Some(StreamedArguments { text, row: block.row })
    }
}

pub(super) fn fill_usage(page: &mut Page<'_>, subject: Subject) {
    let sums = sums_of(page, subject);
    let mut found = false;
    if let Some((from, raw)) = sums.usage.last() {
        let seq = from.and_then(|row| page.detail.index().rows.get(row)).and_then(Row::seq).map(|seq| seq.0);
        let title = page.say("usage.from_chunk", &[("seq", &seq_text(seq))]);
        page.title(title, Vec::new(), at_row(*from));
        found |= counts(page, raw.as_bytes());
    }
    if let Subject::Message(row) = subject
        && let Some(usage) = page.detail.data(row).and_then(|data| data.get("usage"))
    {
        page.blank();
        let seq = page.detail.index().rows.get(row).and_then(Row::seq).map(|seq| seq.0);
        let title = page.say("usage.from_message", &[("seq", &seq_text(seq))]);
        page.title(title, Vec::new(), at_row(Some(row)));
        found |= counts(page, usage.raw());
    }
    if !found {
        page.words("usage.none", &[]);
    }
}

/// Every count of a usage object, unknown keys too.
fn counts(page: &mut Page<'_>, raw: &[u8]) -> bool {
    let Some(usage) = Peek::line(raw).filter(|usage| usage.shape() == Some(Shape::Object)) else { return false };
    let fields = usage.fields();
    for (key, value) in fields.iter().take(50) {
        let name = one_line(&key.decode_upto(100), 40);
        let count = integer(*value).and_then(|count| u64::try_from(count).ok());
        let shown = count.map_or_else(|| one_line(&value.plain(200), 80), |count| page.detail.words.number(count));
        page.field(&name, NAMES, vec![Span::plain(shown)], None);
    }
    !fields.is_empty()
}

/// The text of a run: its pieces put together, as far as they are fetched.
pub(super) fn run_text(page: &mut Page<'_>, run: Run) {
    let limit = page.detail.limit;
    let (mut text, mut reasoning) = (Vec::new(), Vec::new());
    let mut rows: Vec<RowIx> = page.detail.lines.iter().map(|line| line.row).collect();
    rows.sort_unstable();
    let mut missing = false;
    for ix in (run.first.0..=run.last.0).map(RowIx) {
        let Some(row) = page.detail.index().rows.get(ix) else { break };
        let carries = row.flags.has(Flags::TEXT) || row.flags.has(Flags::REASONING);
        if !carries {
            continue;
        }
        if rows.binary_search(&ix).is_err() {
            missing = true;
            continue;
        }
        let Some(data) = page.detail.data(ix) else { continue };
        let out = if row.flags.has(Flags::REASONING) { &mut reasoning } else { &mut text };
        let pieces = data.get("texts").map_or_else(|| data.path(&["chunk", "text"]).into_iter().collect(), Peek::items);
        for piece in pieces {
            let room = limit.saturating_sub(out.len());
            out.extend_from_slice(&piece.text(room).unwrap_or_default());
        }
    }
    streamed(page, &text, &reasoning);
    if missing {
        let text = page.say("stream.partly", &[]);
        page.line(text, Role::Dim);
    }
}

/// The text of a stream that a record embeds: its pieces put together.
pub(super) fn embedded_text(page: &mut Page<'_>, stream: Peek<'_>) {
    let limit = page.detail.limit;
    let (mut text, mut reasoning) = (Vec::new(), Vec::new());
    for record in stream.items() {
        let record = record.get("chunk").unwrap_or(record);
        let out = match &*record.text_of("type", 100).unwrap_or_default() {
            b"text-chunks" | b"text-delta" => &mut text,
            b"reasoning-chunks" | b"reasoning-delta" => &mut reasoning,
            _ => continue,
        };
        let pieces = record.get("texts").map_or_else(|| record.get("text").into_iter().collect(), Peek::items);
        for piece in pieces {
            let room = limit.saturating_sub(out.len());
            out.extend_from_slice(&piece.text(room).unwrap_or_default());
        }
    }
    streamed(page, &text, &reasoning);
}

/// What was streamed: the reasoning, then the text.
fn streamed(page: &mut Page<'_>, text: &[u8], reasoning: &[u8]) {
    if !reasoning.is_empty() {
        let title = page.say("text.reasoning", &[]);
        page.line(title, Role::Dim);
        page.block(reasoning, reasoning.len() as u64, Style { role: Role::Dim, indent: 2, ..Style::default() });
        page.blank();
    }
    if text.is_empty() && reasoning.is_empty() {
        page.words("text.none", &[]);
    } else if !text.is_empty() {
        page.block(text, text.len() as u64, Style::default());
        page.doc.value = Some(text.into());
    }
}
