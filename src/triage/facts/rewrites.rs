//! What the model no longer sees as it was, and what it never saw: rewrites of the surface, prompts of the inbox,
//! uploads.

use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Why nodes of the surface were replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RewriteKind {
    /// A compaction: a summary stands for them.
    Compaction,
    /// A prune: a shorter form of one stands for it.
    Prune,
    /// A replacement that no compaction or prune announced, such as another system prompt.
    Other,
}

/// Nodes of the surface that were replaced, or a compaction that came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// Why.
    pub kind: RewriteKind,
    /// Id of the compaction.
    pub id: Option<WireText>,
    /// Id of the command that asked for it.
    pub command: Option<WireText>,
    /// Seq of `compaction/start`.
    pub start_seq: Option<i64>,
    /// Row of it.
    pub start_row: Option<RowIx>,
    /// Seq of the summary or prune; of another replacement none.
    pub seq: Option<i64>,
    /// Row of it.
    pub row: Option<RowIx>,
    /// Seq of `compaction/end`.
    pub end_seq: Option<i64>,
    /// Row of it.
    pub end_row: Option<RowIx>,
    /// It ended with an error.
    pub failed: bool,
    /// Seqs that are shadowed, as recorded, in surface order: the first [`MOST_SHADOWED`].
    pub shadowed: Box<[i64]>,
    /// How many are shadowed.
    pub count: u64,
    /// First and last of them on the surface.
    pub range: Option<(i64, i64)>,
    /// Seq of the message in their place.
    pub replacement_seq: Option<i64>,
    /// Row of it.
    pub replacement_row: Option<RowIx>,
    /// Within what a fork copied.
    pub inherited: bool,
}

/// Shadowed seqs that are kept of one rewrite.
pub const MOST_SHADOWED: usize = 4_096;

impl Rewrite {
    /// The record that it is cited by.
    #[must_use]
    pub fn at(&self) -> Option<(RowIx, Option<i64>)> {
        let pairs = [
            (self.row, self.seq),
            (self.start_row, self.start_seq),
            (self.replacement_row, self.replacement_seq),
            (self.end_row, self.end_seq),
        ];
        pairs.into_iter().find_map(|(row, seq)| Some((row?, seq)))
    }
}

/// What became of a prompt in the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It still waits at the end of the log: it was never sent.
    Waiting,
    /// It was taken out to be sent.
    Taken {
        /// The record that took it out.
        row: RowIx,
        /// Its seq.
        seq: Option<i64>,
    },
    /// Another one was put in its place.
    Replaced {
        /// The record that replaced it.
        row: RowIx,
        /// Its seq.
        seq: Option<i64>,
    },
    /// It was cancelled: the model never saw it.
    Cancelled {
        /// The record that cancelled it.
        row: RowIx,
        /// Its seq.
        seq: Option<i64>,
    },
}

/// A message that was put into the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Row of the record that put it in.
    pub row: RowIx,
    /// Seq of it.
    pub seq: Option<i64>,
    /// Which of the messages of that record, from 0.
    pub nth: u32,
    /// The queue: `next-turn`, `next-step`.
    pub queue: Option<WireText>,
    /// What became of it.
    pub fate: Fate,
}

/// `session-log-deepseek/delivery-accepted`: the log was uploaded up to a seq.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Row of the mark.
    pub row: RowIx,
    /// Seq of the mark.
    pub seq: Option<i64>,
    /// Up to which seq.
    pub through: Option<i64>,
    /// Format version in whose numbers `through` counts.
    pub version: Option<i64>,
}
