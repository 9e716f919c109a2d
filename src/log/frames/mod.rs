//! The frames of a compressed log: where each starts and ends, by the headers of its blocks.
//!
//! ```text
//! walk one frame ─ complete, in step ───────────────────────────► Frame
//!       │        ─ complete, out of step ── decodes ────────────► Frame
//!       │                                └─ good frame inside ──► Foreign up to it
//!       │        ─ file ends inside ─────── good frame inside ──► Foreign up to it
//!       │                                └─ none ───────────────► Torn
//!       └──────── no frame ── next frame that walks and decodes ► Foreign up to it, or to the end
//! ```
//!
//! A frame is *in step* when another frame, the end of the file, or fewer than 4 bytes follow it. A
//! frame that is not may have a damaged block header, which makes it end anywhere: only then the
//! walk decodes, to find out whether its length can be believed. A complete frame in step whose
//! content is bad is given out as a frame: whoever decodes it finds the damage.

mod head;
mod resync;
pub(in crate::log) mod walk;
pub(in crate::log) mod window;

use std::io;

use super::decode::WHOLE_LIMIT;
use super::source::Source;
use resync::Resync;
pub(in crate::log) use resync::next_marker;
use walk::{Walked, walk_frame};
use window::Window;

/// First four bytes of a zstd frame.
pub const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Most content that a block can hold, in bytes.
pub const BLOCK_LIMIT: u64 = 128 << 10;

/// Bytes of a skippable frame before what is skipped: its magic and its length.
const SKIPPABLE_HEAD: usize = 8;

/// Fewer bytes than this after the last frame are the start of one that was cut.
const SHORTEST_START: u64 = 4;

/// What makes a frame unfit to decode, known from its headers alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flaw {
    /// Nothing.
    #[default]
    None,
    /// Bits 3 and 4 of the descriptor must be 0 and are not.
    ReservedBits,
    /// A block states more content than a block of this frame can hold.
    OversizeBlock,
    /// It needs a dictionary.
    Dictionary,
}

/// A complete frame, by its headers: nothing of its content is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Where it starts in the file.
    pub offset: u64,
    /// How many bytes of the file it takes.
    pub len: u64,
    /// Number of its blocks.
    pub blocks: u32,
    /// Upper bound of its content in bytes: the sizes of raw and repeating blocks, the most that
    /// compressed ones can hold, and never more than the size that the frame states.
    pub max_decoded: u64,
    /// The size of its content that the frame states, in bytes. A claim: a decoder checks it.
    pub content_size: Option<u64>,
    /// The stretch of content that its decoder must keep, in bytes. A claim as well.
    pub window: u64,
    /// Whether a checksum follows its content.
    pub has_checksum: bool,
    /// What makes it unfit to decode.
    pub flaw: Flaw,
}

impl Frame {
    /// Offset in the file of the first byte behind it.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.len)
    }

    /// Whether it can be decoded in one call with little memory: bound by 2 MiB of content and
    /// twice that in the file.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.max_decoded <= WHOLE_LIMIT && self.len <= 2 * WHOLE_LIMIT
    }
}

/// The complete frame that takes `len` bytes at `offset`, if there is one.
pub(crate) fn frame_at(source: &dyn Source, offset: u64, len: u64) -> io::Result<Option<Frame>> {
    let mut window = Window::new(source, offset.saturating_add(len));
    if window.peek(offset, MAGIC.len())? != MAGIC {
        return Ok(None);
    }
    Ok(match walk_frame(&mut window, offset)? {
        Walked::Frame(frame) if frame.len == len => Some(frame),
        Walked::Frame(_) | Walked::Torn { .. } | Walked::Broken => None,
    })
}

/// One stretch of a compressed log. The parts of a file follow each other without gap or overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A complete frame.
    Frame(Frame),
    /// A frame of the kind that decoders step over.
    Skippable {
        /// Where it starts in the file.
        offset: u64,
        /// How many bytes it takes, its head included.
        len: u64,
    },
    /// Bytes that are no frame.
    Foreign {
        /// Where they start in the file.
        offset: u64,
        /// How many they are.
        len: u64,
    },
    /// A frame that the end of the file cuts, or 1 to 3 bytes after the last one.
    Torn {
        /// Where it starts in the file.
        offset: u64,
        /// How many bytes of it are there.
        len: u64,
    },
}

impl Part {
    /// Where it starts in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match self {
            Self::Frame(frame) => frame.offset,
            Self::Skippable { offset, .. } | Self::Foreign { offset, .. } | Self::Torn { offset, .. } => *offset,
        }
    }

    /// How many bytes of the file it takes; never 0.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Frame(frame) => frame.len,
            Self::Skippable { len, .. } | Self::Foreign { len, .. } | Self::Torn { len, .. } => *len,
        }
    }

    /// Offset in the file of the first byte behind it.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.offset().saturating_add(self.size())
    }
}

/// Walks the parts of a compressed log in file order.
///
/// Reads headers only, through one buffer of at most 256 KiB; stretches of payload beyond the buffer are
/// jumped over. Takes memory that does not depend on the file.
pub struct FrameWalk<'s> {
    window: Window<'s>,
    resync: Resync<'s>,
    at: u64,
}

impl std::fmt::Debug for FrameWalk<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("FrameWalk").field("at", &self.at).field("to", &self.window.end()).finish_non_exhaustive()
    }
}

impl<'s> FrameWalk<'s> {
    /// A walk over the bytes from `from` up to `to`, which stands for the end of the file.
    ///
    /// `from` is where a part starts: 0, or the end of a part of an earlier walk. After a torn part or
    /// foreign bytes at the end of a file that has grown, it is the start of that part.
    #[must_use]
    pub fn new(source: &'s dyn Source, from: u64, to: u64) -> Self {
        Self { window: Window::new(source, to), resync: Resync::new(source, to.saturating_sub(from)), at: from }
    }

    /// Where the next part starts.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// The next part; `None` at the end, which comes early if the file has been shortened.
    pub fn next_part(&mut self) -> io::Result<Option<Part>> {
        let part = self.part_at(self.at)?;
        if let Some(part) = &part {
            self.at = part.end();
        }
        Ok(part)
    }

    fn part_at(&mut self, at: u64) -> io::Result<Option<Part>> {
        let start = self.window.peek(at, MAGIC.len())?;
        let Ok(magic) = <[u8; 4]>::try_from(start) else {
            let len = start.len() as u64;
            debug_assert!(len < SHORTEST_START, "a short start means the end");
            return Ok((len > 0).then_some(Part::Torn { offset: at, len }));
        };
        if magic == MAGIC {
            return self.frame_at(at).map(Some);
        }
        if let Some(end) = skippable_end(&mut self.window, at)? {
            return self.skippable_at(at, end).map(Some);
        }
        self.foreign_at(at).map(Some)
    }

    fn frame_at(&mut self, at: u64) -> io::Result<Part> {
        match walk_frame(&mut self.window, at)? {
            Walked::Frame(frame) => {
                if in_step(&mut self.window, frame.end())? || self.resync.decodes(&self.window, &frame)? {
                    return Ok(Part::Frame(frame));
                }
                let inside = self.resync.frame_inside(&mut self.window, &frame)?;
                Ok(inside.map_or(Part::Frame(frame), |next| foreign(at, next)))
            }
            Walked::Torn { open } => {
                let inside = self.resync.frame_in_torn(&mut self.window, at, open)?;
                let end = self.window.end();
                Ok(inside.map_or(Part::Torn { offset: at, len: end - at }, |next| foreign(at, next)))
            }
            Walked::Broken => self.foreign_at(at),
        }
    }

    fn skippable_at(&mut self, at: u64, end: u64) -> io::Result<Part> {
        if !in_step(&mut self.window, end)? {
            let inside = self.resync.good_frame(&mut self.window, at + 1, end)?;
            if let Some(next) = inside {
                return Ok(foreign(at, next));
            }
        }
        Ok(Part::Skippable { offset: at, len: end - at })
    }

    fn foreign_at(&mut self, at: u64) -> io::Result<Part> {
        let next = self.resync.next_start(&mut self.window, at + 1)?;
        Ok(foreign(at, next.unwrap_or(self.window.end())))
    }
}

fn foreign(offset: u64, next: u64) -> Part {
    Part::Foreign { offset, len: next - offset }
}

fn is_skippable(magic: [u8; 4]) -> bool {
    magic[0] & 0xF0 == 0x50 && magic[1..] == [0x2A, 0x4D, 0x18]
}

/// Where the skippable frame at `at` ends, if there is one and it ends within the file.
pub(in crate::log) fn skippable_end(window: &mut Window<'_>, at: u64) -> io::Result<Option<u64>> {
    let Ok(head) = <[u8; 8]>::try_from(window.peek(at, SKIPPABLE_HEAD)?) else {
        return Ok(None);
    };
    let [a, b, c, d, len @ ..] = head;
    if !is_skippable([a, b, c, d]) {
        return Ok(None);
    }
    let end = at + SKIPPABLE_HEAD as u64 + u64::from(u32::from_le_bytes(len));
    Ok((end <= window.end()).then_some(end))
}

/// Whether what stands at `at` can follow a frame.
pub(in crate::log) fn in_step(window: &mut Window<'_>, at: u64) -> io::Result<bool> {
    let next = window.peek(at, MAGIC.len())?;
    Ok(<[u8; 4]>::try_from(next).map_or(true, |magic| magic == MAGIC || is_skippable(magic)))
}

#[cfg(test)]
mod tests;
