//! Text of lines, read on demand.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::index::Index;
use super::row::{BlockId, Flags, Row, RowIx};
use crate::log::Source;
use crate::log::reader::{BlockAddress, BlockReader};

/// Blocks with more text than this are not read whole to show the start of one of their lines.
const LARGE: u64 = 4 << 20;

/// A stretch of text that shares its memory with the block it lies in.
#[derive(Debug, Clone)]
pub struct Text {
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
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.block[self.range.clone()]
    }

    /// A copy of the bytes.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }
}

/// Reads text of lines of one log.
pub struct LineReader {
    reader: BlockReader,
}

impl LineReader {
    /// A reader whose cache takes about that many bytes.
    #[must_use]
    pub fn new(source: Arc<dyn Source>, cache_bytes: usize) -> LineReader {
        LineReader { reader: BlockReader::new(source, cache_bytes) }
    }

    /// The text of a line without its line end, or the first `limit` bytes of it.
    pub fn line(&mut self, index: &Index, ix: RowIx, limit: usize) -> io::Result<Text> {
        let row = index.rows.get(ix).ok_or_else(gone)?;
        let len = (row.len as usize).min(limit);
        let address = index.blocks.get(row.block.0 as usize).ok_or_else(gone)?;
        if row.flags.has(Flags::SPLIT) {
            return self.split_line(index, &row, len);
        }
        match part_of_large(address, u64::from(row.at), len as u64) {
            Some(part) => self.reader.block(&part).map(|text| Text::within(text, 0, len)),
            None => self.reader.block(address).map(|text| Text::within(text, row.at as usize, len)),
        }
    }

    /// The text of a block, whole.
    pub fn whole_block(&mut self, index: &Index, id: BlockId) -> io::Result<Arc<[u8]>> {
        let address = index.blocks.get(id.0 as usize).ok_or_else(gone)?;
        self.reader.block(address)
    }

    /// A line that begins in one block and goes on in the next ones.
    fn split_line(&mut self, index: &Index, row: &Row, len: usize) -> io::Result<Text> {
        let mut bytes = Vec::new();
        let mut at = row.at as usize;
        for address in index.blocks.iter().skip(row.block.0 as usize) {
            let text = self.reader.block(address)?;
            let piece = text.get(at..).unwrap_or_default();
            bytes.extend_from_slice(&piece[..piece.len().min(len - bytes.len())]);
            if bytes.len() >= len {
                break;
            }
            at = 0;
        }
        Ok(Text::within(bytes.into(), 0, len))
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
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_large_block_has_an_address_of_its_own() {
        let frame = BlockAddress::Frame { offset: 7, len: 100, skip: 10, take: LARGE + 1 };
        let part = BlockAddress::Frame { offset: 7, len: 100, skip: 15, take: 64 };
        assert_eq!(part_of_large(&frame, 5, 64), Some(part));
        let plain = BlockAddress::Plain { offset: 7, len: LARGE + 1 };
        assert_eq!(part_of_large(&plain, LARGE, 64), Some(BlockAddress::Plain { offset: 7 + LARGE, len: 1 }));
        assert_eq!(part_of_large(&plain, LARGE + 2, 64), None);
        let small = BlockAddress::Plain { offset: 7, len: LARGE };
        assert_eq!(part_of_large(&small, 5, 64), None);
    }
}
