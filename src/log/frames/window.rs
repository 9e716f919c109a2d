//! A buffer over a part of a source, for reading headers in file order.

use std::io;

use crate::log::source::{Source, read_exact_at};

/// Bytes read at once, at most.
const BUFFER: usize = 256 << 10;

/// Bytes of the first read: whoever wants the head of a log alone pays for little more. Each read after it is four
/// times as large.
const FIRST: usize = 4 << 10;

/// Cost of one look into the buffer, in bytes read.
const LOOK: u64 = 8;

/// Bytes of a source up to an end, through one buffer.
pub(in crate::log) struct Window<'s> {
    source: &'s dyn Source,
    end: u64,
    start: u64,
    filled: usize,
    buffer: Vec<u8>,
    /// Bytes that the next read takes.
    next: usize,
    work: u64,
}

impl<'s> Window<'s> {
    pub(in crate::log) fn new(source: &'s dyn Source, end: u64) -> Self {
        Self { source, end, start: 0, filled: 0, buffer: Vec::new(), next: FIRST, work: 0 }
    }

    /// Where the bytes end. It moves back when the source turns out to be shorter.
    pub(in crate::log) fn end(&self) -> u64 {
        self.end
    }

    /// What reading through this window has cost so far: bytes read, and a few for each look.
    pub(in crate::log) fn work(&self) -> u64 {
        self.work
    }

    /// The bytes at `at`: `want` of them, at most the size of the buffer; fewer only at the end.
    pub(in crate::log) fn peek(&mut self, at: u64, want: usize) -> io::Result<&[u8]> {
        let bytes = self.stretch(at, want)?;
        Ok(&bytes[..bytes.len().min(want)])
    }

    /// The bytes at `at`: at least `want` of them, and all that are in the buffer; fewer than
    /// `want` only at the end.
    pub(in crate::log) fn stretch(&mut self, at: u64, want: usize) -> io::Result<&[u8]> {
        self.work += LOOK;
        let want = want.min(BUFFER) as u64;
        let want = want.min(self.end.saturating_sub(at));
        let held = at >= self.start && at + want <= self.start + self.filled as u64;
        if !held {
            self.read(at, want)?;
        }
        let from = usize::try_from(at.saturating_sub(self.start)).unwrap_or(usize::MAX);
        Ok(self.buffer[..self.filled].get(from..).unwrap_or_default())
    }

    fn read(&mut self, at: u64, least: u64) -> io::Result<()> {
        // A small log takes a small buffer.
        let want = self.end.saturating_sub(at).min(least.max(self.next as u64)) as usize;
        self.next = (self.next * 4).min(BUFFER);
        if self.buffer.len() < want {
            self.buffer.resize(want, 0);
        }
        self.start = at;
        self.filled = 0;
        self.filled = read_exact_at(self.source, at, &mut self.buffer[..want])?;
        self.work += self.filled as u64;
        if self.filled < want {
            self.end = at + self.filled as u64;
        }
        Ok(())
    }
}
