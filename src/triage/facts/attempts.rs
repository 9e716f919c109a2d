//! Model attempts: what was asked of the model and what came of it.

use std::sync::Arc;

use crate::record::event::{Finish, Place, Usage};
use crate::record::int::OptInt;
use crate::session::row::RowIx;

/// One attempt at an answer of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Turn number.
    pub turn: OptInt,
    /// Step number.
    pub step: OptInt,
    /// Row of its first piece; of an attempt whose stream lies in one record that record; of one without pieces the
    /// record that shows that it was made.
    pub first_row: RowIx,
    /// Row of its last piece.
    pub last_row: RowIx,
    /// Seq of the first row.
    pub first_seq: OptInt,
    /// Seq of the last member of the last row.
    pub last_seq: OptInt,
    /// Milliseconds from the last record of the request to the first piece; `None` without pieces, and where the clock
    /// stepped back in between.
    pub first_wait_ms: OptInt,
    /// Time of its first piece.
    pub first_time: OptInt,
    /// Time of its last piece.
    pub last_time: OptInt,
    /// Pieces streamed; saturates.
    pub pieces: u32,
    /// Characters of text streamed; saturates.
    pub text_chars: u32,
    /// Characters of reasoning streamed; saturates.
    pub reasoning_chars: u32,
    /// Tool-call blocks begun.
    pub calls: u32,
    /// Longest gap between two pieces, milliseconds.
    pub longest_gap_ms: i64,
    /// Tokens, of the last usage chunk.
    pub usage: Counted,
    /// Tokens that the message tells.
    pub told: ToldUsage,
    /// What its finish chunk says; `None`: there is none. Most attempts share one of a few.
    pub finish: Option<Arc<Finish>>,
    /// Row of the message that it became; `None`: none did.
    pub message_row: Option<RowIx>,
    /// Seq of that message.
    pub message_seq: OptInt,
    /// The message says that it was interrupted.
    pub interrupted: bool,
    /// Place in `Facts::retries` of the retry that its failure led to.
    pub retry: Option<u32>,
    /// Place in `Facts::retries` of the retry that it is.
    pub is_retry: Option<u32>,
    /// Within what a fork copied.
    pub inherited: bool,
}

/// Tokens of one attempt, in half the room where each count fits in 32 bits: a large log has a hundred thousand attempts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Counted {
    /// Not told.
    #[default]
    Nothing,
    /// Input, output, read from the cache, written to it, reasoning.
    Small([u32; 5]),
    /// Any.
    Large(Box<Usage>),
}

impl From<Option<Usage>> for Counted {
    fn from(usage: Option<Usage>) -> Counted {
        let Some(usage) = usage else { return Counted::Nothing };
        let Usage { input, output, cache_read, cache_write, reasoning } = usage;
        let mut small = [0; 5];
        for (count, place) in [input, output, cache_read, cache_write, reasoning].into_iter().zip(&mut small) {
            let Ok(count) = u32::try_from(count) else { return Counted::Large(Box::new(usage)) };
            *place = count;
        }
        Counted::Small(small)
    }
}

impl Counted {
    /// The tokens, if they were told.
    #[must_use]
    pub fn get(&self) -> Option<Usage> {
        match self {
            Counted::Nothing => None,
            Counted::Small(small) => {
                let [input, output, cache_read, cache_write, reasoning] = small.map(u64::from);
                Some(Usage { input, output, cache_read, cache_write, reasoning })
            }
            Counted::Large(usage) => Some(**usage),
        }
    }
}

/// Tokens that a message tells, beside those of the last usage chunk of its attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ToldUsage {
    /// None, or there is no message.
    #[default]
    Nothing,
    /// The same as the chunk.
    Same,
    /// Others, or there was no chunk.
    Other(Box<Usage>),
}

impl ToldUsage {
    /// What a message with these tokens tells beside a chunk with those.
    #[must_use]
    pub fn of(message: Option<Usage>, chunk: Option<Usage>) -> ToldUsage {
        match message {
            None => ToldUsage::Nothing,
            Some(_) if message == chunk => ToldUsage::Same,
            Some(usage) => ToldUsage::Other(Box::new(usage)),
        }
    }
}

impl Attempt {
    /// Its turn and step.
    #[must_use]
    pub fn place(&self) -> Place {
        Place { turn: self.turn.get(), step: self.step.get() }
    }

    /// The tokens that count: of the chunk, else of the message.
    #[must_use]
    pub fn tokens(&self) -> Option<Usage> {
        self.usage.get().or_else(|| self.message_usage())
    }

    /// Tokens that the message tells.
    #[must_use]
    pub fn message_usage(&self) -> Option<Usage> {
        match &self.told {
            ToldUsage::Nothing => None,
            ToldUsage::Same => self.usage.get(),
            ToldUsage::Other(usage) => Some(**usage),
        }
    }

    /// Whether usage chunk and message say different counts.
    #[must_use]
    pub fn usage_differs(&self) -> bool {
        self.usage != Counted::Nothing && matches!(self.told, ToldUsage::Other(_))
    }

    /// Milliseconds from the first to the last piece; 0 where the clock stepped back.
    #[must_use]
    pub fn streamed_ms(&self) -> Option<i64> {
        let (first, last) = self.first_time.get().zip(self.last_time.get())?;
        Some(last.saturating_sub(first).max(0))
    }
}

/// A long gap between two pieces of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// Row of the piece after the gap.
    pub row: RowIx,
    /// Which member of that row; of an embedded stream which piece.
    pub member: u32,
    /// Seq of that piece; of an embedded stream that of its record.
    pub seq: Option<i64>,
    /// Milliseconds.
    pub ms: i64,
    /// Place in `Facts::attempts`.
    pub attempt: usize,
}
