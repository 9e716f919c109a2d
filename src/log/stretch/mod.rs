//! Text to stretches of whole lines: each can be read by itself, by whichever thread is free, while the
//! text that follows is still being decoded.
//!
//! ```text
//! pieces of text ─▶ StretchCutter ─▶ Joined │ Lines │ Lines │ LongLine │ Lines ─▶ Rest
//! ```

use std::ops::ControlFlow;

use memchr::{memchr, memrchr};

use super::lines::{LineLimit, has_room};

/// What a stretch of text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StretchKind {
    /// The line that was begun before the text: it comes first, by itself.
    Joined,
    /// Whole lines, at least one.
    Lines,
    /// One line as long as several stretches.
    LongLine,
}

/// Whole lines of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The lines with their line feeds. Of a line over the limit its start alone, without one.
    pub text: Vec<u8>,
    /// Offset of its first byte in the text; of a joined line that is 0.
    pub offset: u64,
    /// Bytes that it takes in the text, line feeds included; of a joined line what was there before does not count.
    pub taken: u64,
    /// Bytes of its only line that were dropped, being over the limit; the line feed does not count.
    pub dropped: u64,
    /// The last byte that was dropped is `\r`.
    pub dropped_cr: bool,
    /// What it is made of.
    pub kind: StretchKind,
}

/// What remains after the last line feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rest {
    /// Its bytes, as far as the limit allows.
    pub bytes: Vec<u8>,
    /// Bytes that were dropped.
    pub dropped: u64,
    /// Offset of its first byte in the text.
    pub offset: u64,
    /// It is the line that was begun before the text: no line feed came at all.
    pub is_joined: bool,
}

/// Sizes that a cutter goes by, in bytes.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    /// Text of a stretch, at least.
    stretch: usize,
    /// A line of this length is a stretch of its own.
    long: usize,
    limit: LineLimit,
}

/// Lines per stretch are as many as fill a block of kept text.
const SIZES: Sizes = Sizes { stretch: 256 << 10, long: 8 << 20, limit: LineLimit::DEFAULT };

/// Cuts text that comes in pieces. It holds one stretch, or one long line.
#[derive(Debug)]
pub struct StretchCutter {
    sizes: Sizes,
    /// Whole lines, then the unfinished one.
    open: Vec<u8>,
    /// Bytes of `open` that are whole lines.
    whole: usize,
    /// Offset of the first byte of `open` in the text.
    offset: u64,
    /// Bytes at the start of `open` and of what was dropped that came before the text.
    before: u64,
    dropped: u64,
    dropped_cr: bool,
}

/// Hears of each stretch, and says whether to go on.
pub type EachStretch<'a> = dyn FnMut(Stretch) -> ControlFlow<()> + 'a;

impl StretchCutter {
    /// A cutter at the start of a text. `begun` is the line that was begun before it, and how many bytes of that were
    /// dropped; empty for none.
    #[must_use]
    pub fn new(begun: Vec<u8>, dropped: u64) -> StretchCutter {
        StretchCutter::with_sizes(begun, dropped, SIZES)
    }

    fn with_sizes(begun: Vec<u8>, dropped: u64, sizes: Sizes) -> StretchCutter {
        let before = begun.len() as u64 + dropped;
        StretchCutter { sizes, open: begun, whole: 0, offset: 0, before, dropped, dropped_cr: false }
    }

    /// Takes a piece of text, much shorter than a long line, and hands out the stretches that it completes.
    pub fn push(&mut self, piece: &[u8], each: &mut EachStretch<'_>) -> ControlFlow<()> {
        let mut piece = piece;
        while self.is_alone() {
            let Some(end) = memchr(b'\n', piece) else {
                self.carry(piece);
                return ControlFlow::Continue(());
            };
            self.carry(&piece[..end]);
            piece = &piece[end + 1..];
            let kind = if self.before > 0 { StretchKind::Joined } else { StretchKind::LongLine };
            if self.dropped == 0 {
                self.open.push(b'\n');
            }
            let text = std::mem::take(&mut self.open);
            self.hand_out(text, kind, each)?;
        }
        if let Some(end) = memrchr(b'\n', piece) {
            self.whole = self.open.len() + end + 1;
        }
        self.open.extend_from_slice(piece);
        if self.whole > 0 && self.open.len() >= self.sizes.stretch {
            let mut rest = Vec::with_capacity(self.sizes.stretch + self.sizes.stretch / 2);
            rest.extend_from_slice(&self.open[self.whole..]);
            let mut text = std::mem::replace(&mut self.open, rest);
            text.truncate(self.whole);
            self.whole = 0;
            self.hand_out(text, StretchKind::Lines, each)?;
        }
        ControlFlow::Continue(())
    }

    /// The end of the text: hands out the last whole lines and gives what remains.
    pub fn finish(mut self, each: &mut EachStretch<'_>) -> (ControlFlow<()>, Rest) {
        let mut flow = ControlFlow::Continue(());
        if self.whole > 0 {
            let rest = self.open.split_off(self.whole);
            let text = std::mem::replace(&mut self.open, rest);
            flow = self.hand_out(text, StretchKind::Lines, each);
        }
        let Self { open: bytes, dropped, offset, before, .. } = self;
        (flow, Rest { bytes, dropped, offset, is_joined: before > 0 })
    }

    /// Whether the unfinished line is to be handed out by itself.
    fn is_alone(&self) -> bool {
        self.before > 0 || (self.whole == 0 && self.open.len() >= self.sizes.long)
    }

    fn carry(&mut self, bytes: &[u8]) {
        let room = self.sizes.limit.0.saturating_sub(self.open.len());
        let (kept, over) = bytes.split_at(room.min(bytes.len()));
        // Without memory for it the line is cut, like one over the limit. What is cut stays cut.
        let over = if self.dropped == 0 && has_room(&mut self.open, kept.len() + 1) {
            self.open.extend_from_slice(kept);
            over
        } else {
            bytes
        };
        if let Some(last) = over.last() {
            self.dropped += over.len() as u64;
            self.dropped_cr = *last == b'\r';
        }
    }

    fn hand_out(&mut self, text: Vec<u8>, kind: StretchKind, each: &mut EachStretch<'_>) -> ControlFlow<()> {
        let (dropped, dropped_cr) = (std::mem::take(&mut self.dropped), std::mem::take(&mut self.dropped_cr));
        let line_feed = u64::from(dropped > 0);
        let taken = text.len() as u64 + dropped + line_feed - std::mem::take(&mut self.before);
        let offset = self.offset;
        self.offset += taken;
        self.whole = 0;
        each(Stretch { text, offset, taken, dropped, dropped_cr, kind })
    }
}

#[cfg(test)]
mod tests;
