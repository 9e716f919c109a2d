//! Random access: the text of one block at a time, with a cache that is bounded in bytes.
//!
//! The index says where a block lies; what it says may be stale when the file is rewritten under
//! the reader. Then the reader gives an error or other text, and never more than it was asked for.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use foldhash::HashMap;

use super::decode::Decoder;
use super::frames::frame_at;
use super::kept::KeptBlock;
use super::source::{Source, read_exact_at};

/// Most text of one block, in bytes (1 GiB, as long as the longest line that is kept whole).
const BLOCK_LIMIT: u64 = 1 << 30;

/// Most text taken from a torn frame, in bytes.
const TORN_LIMIT: usize = 256 << 20;

/// What an entry of the cache costs besides its text, in bytes.
const ENTRY: usize = 256;

/// Where the text of a block is to be had.
///
/// Two addresses are equal when they name the same bytes; kept text is itself only.
#[derive(Debug, Clone)]
pub enum BlockAddress {
    /// Part of the content of a frame. The frame is decoded from its start up to the end of the
    /// part, at each miss of the cache.
    Frame {
        /// Where the frame starts in the file.
        offset: u64,
        /// How many bytes of the file it takes.
        len: u64,
        /// Bytes of content before the part.
        skip: u64,
        /// Length of the part in bytes.
        take: u64,
    },
    /// Bytes of a plain log.
    Plain {
        /// Where they start in the file.
        offset: u64,
        /// How many they are.
        len: u64,
    },
    /// What can be had of an unfinished frame, at most 256 MiB.
    Torn {
        /// Where the frame starts in the file.
        offset: u64,
        /// How many bytes of it are there.
        len: u64,
    },
    /// Text that is held in memory.
    Kept(Arc<KeptBlock>),
}

impl BlockAddress {
    /// What tells it from others. Kept text goes by where it is held: as long as an address lives,
    /// nothing else can be there.
    fn key(&self) -> (u8, u64, u64, u64, u64) {
        match self {
            Self::Frame { offset, len, skip, take } => (0, *offset, *len, *skip, *take),
            Self::Plain { offset, len } => (1, *offset, *len, 0, 0),
            Self::Torn { offset, len } => (2, *offset, *len, 0, 0),
            Self::Kept(kept) => (3, Arc::as_ptr(kept).addr() as u64, 0, 0, 0),
        }
    }
}

impl PartialEq for BlockAddress {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for BlockAddress {}

impl Hash for BlockAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Reads blocks of one log, keeping those used last.
pub struct BlockReader {
    source: Arc<dyn Source>,
    decoder: Option<Decoder>,
    cache: Cache,
    decoded: u64,
}

impl std::fmt::Debug for BlockReader {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("BlockReader")
            .field("cached_bytes", &self.cache.held)
            .field("decoded", &self.decoded)
            .finish_non_exhaustive()
    }
}

impl BlockReader {
    /// A reader whose cache takes about `cache_bytes` bytes at most.
    ///
    /// A block larger than that is decoded at each call and never kept: whoever shows it holds on to
    /// what it got.
    #[must_use]
    pub fn new(source: Arc<dyn Source>, cache_bytes: usize) -> Self {
        Self { source, decoder: None, cache: Cache::new(cache_bytes), decoded: 0 }
    }

    /// The text of a block.
    ///
    /// [`io::ErrorKind::InvalidData`] says that the file does not hold any more what the index found
    /// there.
    pub fn block(&mut self, address: &BlockAddress) -> io::Result<Arc<[u8]>> {
        if let Some(text) = self.cache.get(address) {
            return Ok(text);
        }
        self.decoded += 1;
        let text = self.decode(address)?;
        self.cache.insert(address, &text);
        Ok(text)
    }

    /// How many blocks were read or decoded so far, the cache having none of them.
    #[must_use]
    pub fn decoded_blocks(&self) -> u64 {
        self.decoded
    }

    /// Bytes that the cache takes at this moment.
    #[must_use]
    pub fn cached_bytes(&self) -> usize {
        self.cache.held
    }

    /// Empties the cache, for when the file has been rewritten.
    pub fn clear(&mut self) {
        self.cache = Cache::new(self.cache.limit);
    }

    fn decode(&mut self, address: &BlockAddress) -> io::Result<Arc<[u8]>> {
        match address {
            BlockAddress::Frame { offset, len, skip, take } => self.part_of_frame(*offset, *len, *skip, *take),
            BlockAddress::Plain { offset, len } => filled(*len, |room| {
                let count = read_exact_at(&*self.source, *offset, room)?;
                if count == room.len() { Ok(()) } else { Err(changed()) }
            }),
            BlockAddress::Torn { offset, len } => self.torn(*offset, *len),
            BlockAddress::Kept(kept) => filled(kept.len() as u64, |room| kept.decode_into(room)),
        }
    }

    fn part_of_frame(&mut self, at: u64, len: u64, skip: u64, take: u64) -> io::Result<Arc<[u8]>> {
        let source = Arc::clone(&self.source);
        let frame = frame_at(&*source, at, len)?.ok_or_else(changed)?;
        let decoder = self.decoder()?;
        filled(take, |room| {
            let mut skip = skip;
            let mut done = 0;
            let result = decoder.stream(&*source, &frame, &mut |piece| {
                let passed = (piece.len() as u64).min(skip);
                skip -= passed;
                let piece = &piece[passed as usize..];
                let count = piece.len().min(room.len() - done);
                room[done..done + count].copy_from_slice(&piece[..count]);
                done += count;
                if done == room.len() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            result.map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))?;
            if done == room.len() { Ok(()) } else { Err(changed()) }
        })
    }

    fn torn(&mut self, offset: u64, len: u64) -> io::Result<Arc<[u8]>> {
        let source = Arc::clone(&self.source);
        let mut text = Vec::new();
        self.decoder()?.torn(&*source, offset, len, &mut |piece| {
            let count = piece.len().min(TORN_LIMIT - text.len());
            if text.try_reserve(count).is_err() {
                return ControlFlow::Break(());
            }
            text.extend_from_slice(&piece[..count]);
            if text.len() == TORN_LIMIT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(text.into())
    }

    fn decoder(&mut self) -> io::Result<&mut Decoder> {
        match &mut self.decoder {
            Some(decoder) => Ok(decoder),
            none => Ok(none.insert(Decoder::new()?)),
        }
    }
}

/// Text of `len` bytes, written by `fill` where it stays: a large block is never held twice.
fn filled(len: u64, fill: impl FnOnce(&mut [u8]) -> io::Result<()>) -> io::Result<Arc<[u8]>> {
    if len > BLOCK_LIMIT {
        return Err(changed());
    }
    let mut text: Arc<[u8]> = std::iter::repeat_n(0, len as usize).collect();
    let room = Arc::get_mut(&mut text).expect("nobody else holds it yet");
    fill(room)?;
    Ok(text)
}

fn changed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file has changed since it was indexed")
}

/// Blocks by address, those used last, within a bound in bytes.
struct Cache {
    limit: usize,
    held: usize,
    clock: u64,
    blocks: HashMap<BlockAddress, (Arc<[u8]>, u64)>,
    by_use: BTreeMap<u64, BlockAddress>,
}

impl Cache {
    fn new(limit: usize) -> Self {
        Self { limit, held: 0, clock: 0, blocks: HashMap::default(), by_use: BTreeMap::new() }
    }

    fn get(&mut self, address: &BlockAddress) -> Option<Arc<[u8]>> {
        let (text, used) = self.blocks.get_mut(address)?;
        self.by_use.remove(used);
        self.clock += 1;
        *used = self.clock;
        self.by_use.insert(self.clock, address.clone());
        Some(Arc::clone(text))
    }

    fn insert(&mut self, address: &BlockAddress, text: &Arc<[u8]>) {
        let cost = text.len() + ENTRY;
        if cost > self.limit {
            return;
        }
        while self.held + cost > self.limit {
            let Some((_, oldest)) = self.by_use.pop_first() else {
                break;
            };
            if let Some((text, _)) = self.blocks.remove(&oldest) {
                self.held -= text.len() + ENTRY;
            }
        }
        self.clock += 1;
        self.by_use.insert(self.clock, address.clone());
        self.blocks.insert(address.clone(), (Arc::clone(text), self.clock));
        self.held += cost;
    }
}

#[cfg(test)]
mod tests;
