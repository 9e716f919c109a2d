//! Text of lines, read on demand: blocks by position, with a cache bounded in bytes.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::message::Epoch;
use crate::log::Source;
use crate::log::reader::{BlockAddress, BlockReader};
use crate::session::row::{BlockId, Flags, Row, RowIx};
use crate::triage::session::Session;

/// Blocks with more text than this are not read whole to show the start of one of their lines.
const LARGE: u64 = 4 << 20;

/// Readings whose source is remembered: the one shown and the one that will replace it.
const MOST_SOURCES: usize = 2;

/// Where the bytes of each reading come from. Cheap to clone: all clones are one.
#[derive(Clone, Default)]
pub(crate) struct Sources(Arc<Mutex<Known>>);

type Known = Vec<(Epoch, Arc<dyn Source>)>;

impl Sources {
    /// Remembers the source of a reading; the oldest is forgotten.
    pub(crate) fn set(&self, epoch: Epoch, source: Arc<dyn Source>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(other, _)| *other != epoch);
        known.push((epoch, source));
        let surplus = known.len().saturating_sub(MOST_SOURCES);
        known.drain(..surplus);
    }

    fn of(&self, epoch: Epoch) -> Option<Arc<dyn Source>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(other, _)| *other == epoch).map(|(_, source)| Arc::clone(source))
    }
}

/// A stretch of text that shares its memory with the block it lies in.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    block: Arc<[u8]>,
    range: Range<usize>,
}

impl Text {
    fn within(block: Arc<[u8]>, at: usize, len: usize) -> Text {
        let start = at.min(block.len());
        let end = start.saturating_add(len).min(block.len());
        Text { block, range: start..end }
    }

    /// The bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.block[self.range.clone()]
    }

    /// A copy of the bytes.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }
}

/// Reads text of lines for one worker.
pub(crate) struct Texts {
    sources: Sources,
    cache_bytes: usize,
    reader: Option<(Epoch, BlockReader)>,
}

impl Texts {
    /// A reader of text whose cache takes about that many bytes.
    pub(crate) fn new(sources: Sources, cache_bytes: usize) -> Texts {
        Texts { sources, cache_bytes, reader: None }
    }

    /// A reader of one source, that of the first reading there is; it keeps nothing.
    pub(crate) fn of(source: Arc<dyn Source>) -> Texts {
        let sources = Sources::default();
        sources.set(Epoch::default(), source);
        Texts::new(sources, 0)
    }

    /// The text of a line without its line end, or the first `limit` bytes of it.
    pub(crate) fn line(&mut self, epoch: Epoch, session: &Session, ix: RowIx, limit: usize) -> io::Result<Text> {
        let row = session.index.rows.get(ix).ok_or_else(gone)?;
        let len = (row.len as usize).min(limit);
        let address = session.index.blocks.get(row.block.0 as usize).ok_or_else(gone)?;
        if row.flags.has(Flags::SPLIT) {
            return self.split_line(epoch, session, row, len);
        }
        match part_of_large(address, u64::from(row.at), len as u64) {
            Some(part) => self.block(epoch, &part).map(|text| Text::within(text, 0, len)),
            None => self.block(epoch, address).map(|text| Text::within(text, row.at as usize, len)),
        }
    }

    /// The text of a block, whole.
    pub(crate) fn whole_block(&mut self, epoch: Epoch, session: &Session, id: BlockId) -> io::Result<Arc<[u8]>> {
        let address = session.index.blocks.get(id.0 as usize).ok_or_else(gone)?;
        self.block(epoch, address)
    }

    /// A line that begins in one block and goes on in the next ones.
    fn split_line(&mut self, epoch: Epoch, session: &Session, row: &Row, len: usize) -> io::Result<Text> {
        let mut bytes = Vec::new();
        let mut at = row.at as usize;
        for address in session.index.blocks.iter().skip(row.block.0 as usize) {
            let text = self.block(epoch, address)?;
            let piece = text.get(at..).unwrap_or_default();
            bytes.extend_from_slice(&piece[..piece.len().min(len - bytes.len())]);
            if bytes.len() >= len {
                break;
            }
            at = 0;
        }
        Ok(Text::within(bytes.into(), 0, len))
    }

    fn block(&mut self, epoch: Epoch, address: &BlockAddress) -> io::Result<Arc<[u8]>> {
        match &mut self.reader {
            Some((known, reader)) if *known == epoch => reader.block(address),
            other => {
                let source = self.sources.of(epoch).ok_or_else(gone)?;
                let (_, reader) = other.insert((epoch, BlockReader::new(source, self.cache_bytes)));
                reader.block(address)
            }
        }
    }
}

/// The address of a line by itself where its block is large: a line of 129 MiB is shown by its start.
fn part_of_large(address: &BlockAddress, at: u64, len: u64) -> Option<BlockAddress> {
    match address {
        BlockAddress::Frame { offset, len: frame, skip, take } if *take > LARGE => {
            let take = len.min(take.checked_sub(at)?);
            Some(BlockAddress::Frame { offset: *offset, len: *frame, skip: skip.checked_add(at)?, take })
        }
        BlockAddress::Plain { offset, len: bytes } if *bytes > LARGE => {
            Some(BlockAddress::Plain { offset: offset.checked_add(at)?, len: len.min(bytes.checked_sub(at)?) })
        }
        BlockAddress::Frame { .. } | BlockAddress::Plain { .. } | BlockAddress::Torn { .. } | BlockAddress::Kept(_) => {
            None
        }
    }
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the line is not in this reading of the log")
}

#[cfg(test)]
mod tests;
