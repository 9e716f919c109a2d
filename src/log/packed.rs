//! Text that has no file to be read again from, held packed in memory: an entry of an archive.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use super::kept::{Keeper, KeptBlock};
use super::source::Source;

/// Bytes of text in a block.
const BLOCK: usize = 256 << 10;

/// Blocks kept unpacked: as many threads as read a log at once, and one for each to go on to.
const RECENT: usize = 16;

/// Bytes held packed, block by block; a read unpacks the block that it falls into. Text of logs takes a fifth of itself.
#[derive(Debug)]
pub struct PackedSource {
    blocks: Vec<KeptBlock>,
    len: u64,
    recent: Mutex<VecDeque<(usize, Arc<Vec<u8>>)>>,
}

impl PackedSource {
    /// Packs what a reader gives, at most `limit` bytes of text.
    ///
    /// What came before an error, or before the limit, is there all the same: the error stands beside it. `Err` only
    /// where there is no memory.
    pub fn read_from(mut reader: impl Read, limit: u64) -> io::Result<(PackedSource, Option<io::Error>)> {
        let mut keeper = Keeper::new()?;
        let mut packed = PackedSource { blocks: Vec::new(), len: 0, recent: Mutex::default() };
        let mut block = Vec::new();
        block.try_reserve_exact(BLOCK).map_err(|_| io::ErrorKind::OutOfMemory)?;
        loop {
            block.resize(BLOCK, 0);
            let (filled, error) = fill(&mut reader, &mut block);
            let room = usize::try_from(limit - packed.len).unwrap_or(usize::MAX);
            block.truncate(filled.min(room));
            if !block.is_empty() {
                packed.blocks.push(keeper.keep(&block)?);
                packed.len += block.len() as u64;
            }
            if filled > room {
                let error = io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {limit} bytes"));
                return Ok((packed, Some(error)));
            }
            if error.is_some() || filled < BLOCK {
                return Ok((packed, error));
            }
        }
    }

    /// Memory that it takes, in bytes, unpacked blocks left out.
    #[must_use]
    pub fn held(&self) -> usize {
        self.blocks.iter().map(KeptBlock::held).sum()
    }

    fn block(&self, at: usize) -> io::Result<Arc<Vec<u8>>> {
        let found = |recent: &VecDeque<(usize, Arc<Vec<u8>>)>| {
            recent.iter().find(|(place, _)| *place == at).map(|(_, block)| Arc::clone(block))
        };
        if let Some(block) = found(&self.recent.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(block);
        }
        let block = Arc::new(self.blocks[at].decode()?);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= RECENT {
            recent.pop_front();
        }
        recent.push_back((at, Arc::clone(&block)));
        Ok(block)
    }
}

/// Fills the buffer as far as the reader goes.
fn fill(reader: &mut impl Read, buf: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut filled = 0;
    while filled < buf.len() {
        match reader.read(&mut buf[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Some(error)),
        }
    }
    (filled, None)
}

impl Source for PackedSource {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        if offset >= self.len || buf.is_empty() {
            return Ok(0);
        }
        // Below `len`, which is a sum of blocks in memory.
        let (at, from) = (offset as usize / BLOCK, offset as usize % BLOCK);
        let block = self.block(at)?;
        let rest = block.get(from..).unwrap_or_default();
        let count = rest.len().min(buf.len());
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::read_exact_at;

    fn text(len: usize) -> Vec<u8> {
        (0..len).map(|n| (n / 7 % 60) as u8 + b' ').collect()
    }

    #[test]
    fn text_is_read_at_any_place() {
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 20 * BLOCK + 7] {
            let text = text(len);
            let (packed, error) = PackedSource::read_from(text.as_slice(), 1 << 30).unwrap();
            assert!(error.is_none());
            assert_eq!(packed.size().unwrap(), len as u64);
            assert!(packed.held() < len / 4 + 500);
            for at in [0, 5, BLOCK - 3, 2 * BLOCK, len.saturating_sub(2), len, len + 9] {
                let mut buf = vec![0; 2 * BLOCK + 9];
                let filled = read_exact_at(&packed, at as u64, &mut buf).unwrap();
                let rest = text.get(at..).unwrap_or_default();
                assert!(buf[..filled] == rest[..rest.len().min(buf.len())], "{len} from {at}");
            }
        }
    }

    #[test]
    fn what_came_before_an_error_or_the_limit_is_there() {
        struct Breaks(usize);
        impl Read for Breaks {
            fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
                if self.0 == 0 {
                    return Err(io::Error::other("broken"));
                }
                let count = self.0.min(buf.len());
                self.0 -= count;
                buf[..count].fill(b'x');
                Ok(count)
            }
        }
        let (packed, error) = PackedSource::read_from(Breaks(BLOCK + 9), 1 << 30).unwrap();
        assert_eq!((packed.size().unwrap(), error.unwrap().to_string()), (BLOCK as u64 + 9, "broken".to_owned()));
        for (limit, is_over) in [(99, true), (100, false), (101, false)] {
            let (packed, error) = PackedSource::read_from(text(100).as_slice(), limit).unwrap();
            assert_eq!((packed.size().unwrap(), error.is_some()), (limit.min(100), is_over));
        }
    }

    #[test]
    fn endless_zeroes_take_little_memory() {
        let (packed, error) = PackedSource::read_from(io::repeat(0), 256 << 20).unwrap();
        assert!(error.is_some());
        assert!(packed.held() < 1 << 20, "{} bytes", packed.held());
    }
}
