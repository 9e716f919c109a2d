//! Sums over the pieces of a stream.

use super::{Failure, Fingerprint, Usage};
use crate::text::wire::WireText;

/// What a finish chunk says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Finish {
    /// `reason.kind`, such as `stop`.
    pub kind: Option<WireText>,
    /// `reason.failure` of `error` and `aborted`.
    pub failure: Option<Box<Failure>>,
}

/// Sums over stream chunks: of one chunk event, one packed row, or one embedded stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Streamed {
    /// Chunks, members of packed records counted one by one.
    pub pieces: u32,
    /// Characters (Unicode scalar values) of text deltas.
    pub text_chars: u32,
    /// Characters of reasoning deltas.
    pub reasoning_chars: u32,
    /// Distinct tool-call blocks begun, by block index, as far as this piece tells.
    pub calls: Vec<StreamedCall>,
    /// The last usage chunk; rare, so that the others are small.
    pub usage: Option<Box<Usage>>,
    /// The last finish chunk.
    pub finish: Option<Box<Finish>>,
    /// How far apart its pieces came; of one chunk there is nothing to tell.
    pub gaps: Gaps,
    /// Long gaps inside an embedded stream: the piece after each, from 0, and its milliseconds. At most [`MOST_STALLS`].
    pub stalls: Vec<(u32, i64)>,
    /// Times of the first and the last piece of an embedded stream.
    pub span: Option<(i64, i64)>,
}

/// A gap of so many milliseconds between two pieces may be a stall.
pub const STALL_MS: i64 = 1_000;

/// Long gaps kept of one stream: a log with more of them says nothing else.
pub const MOST_STALLS: usize = 100;

/// Gaps between pieces that follow each other, in milliseconds. A step back of the clock is no gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gaps {
    /// The longest.
    pub longest: i64,
    /// The piece that came after it, from 0.
    pub after: u32,
    /// How many there are of each size: 0ms, 1ms, 2 to 3ms, and so on, each twice as long; the last holds all longer ones.
    pub sizes: [u32; 12],
}

impl Gaps {
    /// Adds the gap before a piece.
    #[inline]
    pub fn add(&mut self, ms: i64, piece: u32) {
        let ms = ms.max(0);
        if ms > self.longest {
            (self.longest, self.after) = (ms, piece);
        }
        let size = (64 - ms.leading_zeros() as usize).min(self.sizes.len() - 1);
        if let Some(count) = self.sizes.get_mut(size) {
            *count = count.saturating_add(1);
        }
    }

    /// The middle gap, rounded up to the end of its size; 0 without gaps.
    #[must_use]
    pub fn middle(&self) -> i64 {
        let all: u64 = self.sizes.iter().map(|count| u64::from(*count)).sum();
        let mut seen = 0;
        for (size, count) in self.sizes.iter().enumerate() {
            seen += u64::from(*count);
            if seen * 2 >= all.max(1) {
                return (1 << size) - 1;
            }
        }
        0
    }

    /// From how many milliseconds on a gap is a stall: 1s, or 20 times the middle gap where that is more.
    #[must_use]
    pub fn limit(&self) -> i64 {
        STALL_MS.max(self.middle().saturating_mul(20))
    }

    /// Adds the counts of the gaps of a later stretch.
    pub fn join(&mut self, later: &Gaps) {
        for (sum, count) in self.sizes.iter_mut().zip(later.sizes) {
            *sum = sum.saturating_add(count);
        }
    }
}

/// A tool-call block as a stream shows it; it need not be in any message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamedCall {
    /// Block index.
    pub index: i64,
    /// Call id, once a delta or the block end named it.
    pub id: Option<WireText>,
    /// Tool name, once named.
    pub name: Option<WireText>,
    /// Arguments: of the block end where there is one, else `None`. In an embedded stream, where all pieces are at
    /// hand, the concatenated deltas.
    pub arguments: Option<Fingerprint>,
}
