//! Text to lines: cuts pushed pieces at `\n` and carries the unfinished rest.

use memchr::{memchr, memchr_iter};

/// Longest line that is handed out whole, in bytes without its end.
///
/// The bytes of a longer line beyond the limit are counted and dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineLimit(pub usize);

impl LineLimit {
    /// 1 GiB: lines of 129 MiB are met, and one that needs more than this cannot be shown anyway.
    pub const DEFAULT: Self = Self(1 << 30);
}

impl Default for LineLimit {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnd {
    /// With `\n`.
    Lf,
    /// With `\r\n`.
    CrLf,
    /// With the end of the text.
    None,
}

impl LineEnd {
    /// The bytes of the end.
    #[must_use]
    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::None => b"",
        }
    }
}

impl Line<'_> {
    /// Bytes that the line takes in the text, its end included.
    #[must_use]
    pub fn with_end(&self) -> u64 {
        self.len + self.end.as_bytes().len() as u64
    }
}

/// One line, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The bytes, without `\n` or `\r\n`; the first of them only, if the line is over-long.
    pub bytes: &'a [u8],
    /// Offset of its first byte in the text, counted from where the splitter began.
    pub offset: u64,
    /// Length of the whole line in bytes, without its end.
    pub len: u64,
    /// What it ends with.
    pub end: LineEnd,
    /// The line is longer than the limit: `bytes` holds its start.
    pub over_long: bool,
}

/// Splits streamed text into lines, whatever the pieces it comes in.
///
/// A line that lies whole inside one piece is handed out borrowed from it. Only the unfinished rest
/// is copied, once.
#[derive(Debug, Default)]
pub struct LineSplitter {
    rest: Vec<u8>,
    /// Offset of the first byte of the rest.
    offset: u64,
    /// Bytes of the unfinished line that were dropped, being over the limit.
    dropped: u64,
    /// The last byte dropped is `\r`.
    dropped_cr: bool,
    limit: LineLimit,
}

/// Memory of the rest that is kept from one line to the next, in bytes.
const KEPT: usize = 1 << 20;

/// Room that a long line is given at once where memory is short, in bytes: less would mean to copy it often.
const STEP: usize = 16 << 20;

impl LineSplitter {
    /// A splitter at offset 0 with the default limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A splitter that cuts lines longer than `limit`.
    #[must_use]
    pub fn with_limit(limit: LineLimit) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Takes a piece of text and hands out each line that it completes.
    pub fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(Line<'_>)) {
        let mut from = 0;
        if self.unfinished() > 0 {
            let Some(at) = memchr(b'\n', bytes) else {
                self.carry(bytes);
                return;
            };
            self.carry(&bytes[..at]);
            self.hand_out_rest(true, each);
            self.offset += 1;
            from = at + 1;
        }
        let first = from;
        for at in memchr_iter(b'\n', &bytes[first..]) {
            let text = &bytes[from..first + at];
            from = first + at + 1;
            if text.len() > self.limit.0 {
                self.carry(text);
                self.hand_out_rest(true, each);
                self.offset += 1;
            } else {
                each(whole(text, self.offset, true));
                self.offset += text.len() as u64 + 1;
            }
        }
        self.carry(&bytes[from..]);
    }

    /// Hands out the unfinished line, if there is one, and leaves the splitter at its end.
    pub fn finish(&mut self, each: &mut dyn FnMut(Line<'_>)) {
        if self.unfinished() > 0 {
            self.hand_out_rest(false, each);
        }
    }

    /// The unfinished line, at most as much of it as the limit allows; empty after a `\n`.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        &self.rest
    }

    /// The unfinished line without a copy; the splitter must be restarted before it goes on.
    #[must_use]
    pub fn take_rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rest)
    }

    /// Bytes of the unfinished line that were dropped, being over the limit.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Length of the unfinished line in bytes, what is over the limit included.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.rest.len() as u64 + self.dropped
    }

    /// Offset in the text of the first byte of the unfinished line.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Forgets the unfinished line and counts on from `offset`.
    pub fn restart(&mut self, offset: u64) {
        self.clear();
        self.offset = offset;
    }

    fn carry(&mut self, bytes: &[u8]) {
        let room = self.limit.0.saturating_sub(self.rest.len());
        let (kept, over) = bytes.split_at(room.min(bytes.len()));
        // Without memory for it the line is cut, like one over the limit. What is cut stays cut.
        if self.dropped == 0 && has_room(&mut self.rest, kept.len()) {
            self.rest.extend_from_slice(kept);
            self.drop_bytes(over);
        } else {
            self.drop_bytes(bytes);
        }
    }

    fn drop_bytes(&mut self, bytes: &[u8]) {
        if let Some(last) = bytes.last() {
            self.dropped += bytes.len() as u64;
            self.dropped_cr = *last == b'\r';
        }
    }

    /// Hands out the rest as a line; the offset then stands behind its text, before any `\n`.
    fn hand_out_rest(&mut self, terminated: bool, each: &mut dyn FnMut(Line<'_>)) {
        let mut line = whole(&self.rest, self.offset, terminated);
        let length = self.unfinished();
        if self.dropped > 0 {
            let cr = terminated && self.dropped_cr;
            line.bytes = &self.rest;
            line.len = length - u64::from(cr);
            line.over_long = true;
            if terminated {
                line.end = if cr { LineEnd::CrLf } else { LineEnd::Lf };
            }
        }
        each(line);
        self.offset += length;
        self.clear();
    }

    fn clear(&mut self) {
        self.rest.clear();
        self.dropped = 0;
        self.dropped_cr = false;
        if self.rest.capacity() > KEPT {
            self.rest = Vec::new();
        }
    }
}

/// Makes room for more bytes of a line, if there is memory for them. Twice the room is asked for, as a vector does; where
/// that is not to be had, little more than is needed.
pub(crate) fn has_room(line: &mut Vec<u8>, more: usize) -> bool {
    line.try_reserve(more).is_ok() || line.try_reserve_exact(more.max(STEP)).is_ok()
}

fn whole(bytes: &[u8], offset: u64, terminated: bool) -> Line<'_> {
    let (bytes, end) = match (terminated, bytes) {
        (true, [text @ .., b'\r']) => (text, LineEnd::CrLf),
        (true, text) => (text, LineEnd::Lf),
        (false, text) => (text, LineEnd::None),
    };
    Line { bytes, offset, len: bytes.len() as u64, end, over_long: false }
}

#[cfg(test)]
mod tests;
