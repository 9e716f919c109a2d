//! Text of one block, held packed in memory.
//!
//! A frame decodes only from its start. When one frame holds a whole log, as a migrated generation
//! does, its text is packed again while it is indexed, block by block, so that a row on the screen
//! costs one block and not the frame. A fast setting is taken, since packing slows the index down;
//! log text still shrinks to a fifth.

use std::fmt;
use std::io;

use zstd::zstd_safe::{CCtx, CParameter, DCtx};

/// Text packed as one piece, in bytes: enough to pack well, little enough to unpack at once.
const PIECE: usize = 256 << 10;

/// Faster settings were tried: they save no time on log text, and keep a tenth more bytes. 1 takes as long as this one and
/// keeps a twentieth more.
const LEVEL: i32 = 2;

/// Packed text that can be had again without its file. Cheap to hold, not to make: see [`Keeper`].
#[derive(Debug)]
pub struct KeptBlock {
    /// Pieces of [`PIECE`] bytes of text each, the last one shorter.
    pieces: Vec<Box<[u8]>>,
    len: usize,
}

impl KeptBlock {
    /// Length of the text in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Memory that it takes, in bytes.
    #[must_use]
    pub fn held(&self) -> usize {
        let piece = size_of::<Box<[u8]>>();
        size_of::<Self>() + self.pieces.iter().map(|p| p.len() + piece).sum::<usize>()
    }

    /// Unpacks the text.
    pub fn decode(&self) -> io::Result<Vec<u8>> {
        let mut text = vec![0; self.len];
        self.decode_into(&mut text)?;
        Ok(text)
    }

    /// Unpacks the text into `out`, which is as long as the text.
    pub(crate) fn decode_into(&self, out: &mut [u8]) -> io::Result<()> {
        debug_assert_eq!(out.len(), self.len, "the room is as large as the text");
        let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        for (piece, room) in self.pieces.iter().zip(out.chunks_mut(PIECE)) {
            context.decompress(room, piece).map_err(zstd_error)?;
        }
        Ok(())
    }
}

/// Packs one block after the other.
pub struct Keeper {
    context: CCtx<'static>,
    packed: Vec<u8>,
}

impl fmt::Debug for Keeper {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Keeper").finish_non_exhaustive()
    }
}

impl Keeper {
    /// A packer, which takes about 1 MiB; fails only when there is no memory for it.
    pub fn new() -> io::Result<Self> {
        let mut context = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        context.set_parameter(CParameter::CompressionLevel(LEVEL)).map_err(zstd_error)?;
        Ok(Self { context, packed: Vec::with_capacity(zstd::zstd_safe::compress_bound(PIECE)) })
    }

    /// Packs `text`; about 256 KiB of it is a good size, more is split inside.
    pub fn keep(&mut self, text: &[u8]) -> io::Result<KeptBlock> {
        let mut pieces = Vec::with_capacity(text.len().div_ceil(PIECE));
        for piece in text.chunks(PIECE) {
            self.packed.clear();
            self.context.compress2(&mut self.packed, piece).map_err(zstd_error)?;
            pieces.push(Box::from(&self.packed[..]));
        }
        Ok(KeptBlock { pieces, len: text.len() })
    }
}

fn zstd_error(code: usize) -> io::Error {
    io::Error::other(zstd::zstd_safe::get_error_name(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_any_size_comes_back() {
        for len in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7] {
            let text: Vec<u8> = (0..len).map(|n| (n / 7 % 60) as u8 + b' ').collect();
            let kept = Keeper::new().unwrap().keep(&text).unwrap();
            assert_eq!(kept.len(), len);
            assert_eq!(kept.is_empty(), len == 0);
            assert!(kept.held() < len / 4 + 200);
            assert!(kept.decode().unwrap() == text);
        }
    }
}
