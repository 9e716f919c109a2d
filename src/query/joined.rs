//! What streamed in several deltas, put together: the text of a block is looked at as one.

use std::ops::Range;

use crate::record::json::Value;
use crate::record::packed::PackedRow;
use crate::session::index::Index;
use crate::session::row::{Flags, RowIx};

use super::needle::Needle;
use super::quote::quote;

/// Chunk lines that are put together, at most; a longer run is looked at in parts.
const MOST_ROWS: u32 = 20_000;

/// Bytes of text of a run that are put together; what streams after it is looked at by itself.
const MOST_BYTES: usize = 8 << 20;

/// What a block is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    /// Text or reasoning.
    Text,
    /// Arguments of a call.
    Arguments,
}

/// A block of a stream.
#[derive(Debug)]
struct Block {
    made: Made,
    index: i64,
    text: Vec<u8>,
    /// Where each delta begins, and the row it came in.
    pieces: Vec<(usize, RowIx)>,
}

/// The blocks of a run of chunk lines, or of the stream inside one line.
#[derive(Debug)]
pub(crate) struct Joined {
    rows: Range<u32>,
    blocks: Vec<Block>,
    bytes: usize,
    /// By needle and kind of block: rows that hold a part of a match, sorted.
    found: Vec<(Needle, Option<Made>, Vec<RowIx>)>,
}

impl Joined {
    /// An empty one that stands for these rows.
    pub(super) fn new(rows: Range<u32>) -> Joined {
        Joined { rows, blocks: Vec::new(), bytes: 0, found: Vec::new() }
    }

    /// Whether it stands for a row.
    pub(super) fn is_of(&self, row: RowIx) -> bool {
        self.rows.contains(&row.0)
    }

    /// The rows it stands for.
    pub(super) fn rows(&self) -> Range<u32> {
        self.rows.clone()
    }

    /// Adds a chunk line: a packed row or a single chunk; anything else adds nothing.
    pub(super) fn push_line(&mut self, row: RowIx, line: &[u8]) {
        let Ok(value) = Value::parse(line) else { return };
        if let Ok(packed) = PackedRow::parse(value) {
            let made = if packed.id.is_some() { Made::Arguments } else { Made::Text };
            for member in packed.members() {
                self.push(made, packed.index, row, &member.text.decode());
            }
        } else if let Some(chunk) = value.path(&["data", "chunk"]) {
            self.push_chunk(row, chunk);
        }
    }

    /// Adds the stream that a message or an attempt holds.
    pub(super) fn push_stream(&mut self, row: RowIx, line: &[u8]) {
        let Ok(value) = Value::parse(line) else { return };
        let Some(stream) = value.path(&["data", "stream"]) else { return };
        for record in stream.items() {
            let index = record.integer("index").unwrap_or_default();
            for (key, made) in [("texts", Made::Text), ("args", Made::Arguments)] {
                for delta in record.get(key).into_iter().flat_map(Value::items) {
                    if let Some(text) = delta.as_text() {
                        self.push(made, index, row, &text.decode());
                    }
                }
            }
            if let Some(chunk) = record.get("chunk") {
                self.push_chunk(row, chunk);
            }
        }
    }

    fn push_chunk(&mut self, row: RowIx, chunk: Value<'_>) {
        let index = chunk.integer("index").unwrap_or_default();
        for (key, made) in [("text", Made::Text), ("argumentsDelta", Made::Arguments)] {
            if let Some(text) = chunk.text(key) {
                self.push(made, index, row, &text.decode());
            }
        }
    }

    fn push(&mut self, made: Made, index: i64, row: RowIx, text: &[u8]) {
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > MOST_BYTES || text.is_empty() {
            return;
        }
        let same = |block: &Block| block.made == made && block.index == index;
        let at = self.blocks.iter().rposition(same).unwrap_or_else(|| {
            self.blocks.push(Block { made, index, text: Vec::new(), pieces: Vec::new() });
            self.blocks.len() - 1
        });
        let block = &mut self.blocks[at];
        block.pieces.push((block.text.len(), row));
        block.text.extend_from_slice(text);
    }

    /// Whether a match lies in a row, wholly or in part. `made`: in which blocks; `None`: in all.
    pub(super) fn holds(&mut self, needle: &Needle, made: Option<Made>, row: RowIx) -> bool {
        let known = |(known, kind, _): &&(Needle, Option<Made>, Vec<RowIx>)| known == needle && *kind == made;
        if let Some((_, _, rows)) = self.found.iter().find(known) {
            return rows.binary_search(&row).is_ok();
        }
        let blocks = self.blocks.iter().filter(|block| made.is_none_or(|made| made == block.made));
        let mut rows: Vec<RowIx> =
            blocks.flat_map(|block| needle.places(&block.text).flat_map(|place| rows_of(block, &place))).collect();
        rows.sort_unstable();
        rows.dedup();
        let holds = rows.binary_search(&row).is_ok();
        self.found.push((needle.clone(), made, rows));
        holds
    }

    /// The text around the first match that begins in a row.
    pub(super) fn quote(&self, needle: &Needle, row: RowIx) -> Option<String> {
        self.blocks.iter().find_map(|block| {
            let mut places = needle.places(&block.text);
            let place = places.find(|place| rows_of(block, place).next() == Some(row))?;
            Some(quote(&block.text, &place))
        })
    }

    /// The rows in which a match begins.
    pub(super) fn begins(&self, needle: &Needle) -> Vec<RowIx> {
        let places = |block: &Block| {
            let rows = needle.places(&block.text).filter_map(|place| rows_of(block, &place).next());
            rows.collect::<Vec<RowIx>>()
        };
        let mut rows: Vec<RowIx> = self.blocks.iter().flat_map(places).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// The rows that a stretch of a block came in.
fn rows_of<'a>(block: &'a Block, place: &Range<usize>) -> impl Iterator<Item = RowIx> + use<'a> {
    let from = block.pieces.partition_point(|(start, _)| *start <= place.start).saturating_sub(1);
    let end = place.end;
    block.pieces[from..].iter().take_while(move |(start, _)| *start < end).map(|(_, row)| *row)
}

/// The run of chunk lines that a row belongs to. Runs are cut at multiples of [`MOST_ROWS`], so that the rows of one
/// agree on where it begins and ends. A row that is no chunk is a run by itself.
pub(crate) fn run_around(index: &Index, ix: RowIx) -> Range<u32> {
    let row = |at: u32| index.rows.get(RowIx(at)).filter(|row| row.is_chunk());
    let begins = |at: u32| {
        let goes_on = at > 0 && row(at - 1).is_some_and(|before| !before.flags.has(Flags::FINISH));
        at.is_multiple_of(MOST_ROWS) || !goes_on || row(at).is_none()
    };
    let mut from = ix.0;
    while !begins(from) {
        from -= 1;
    }
    let mut to = ix.0.saturating_add(1);
    while row(to).is_some() && !begins(to) {
        to += 1;
    }
    from..to
}
