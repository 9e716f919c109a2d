//! Following a log that grows: whether it is on, how long the file has been quiet, what came below the screen.
//!
//! The core has no clock: how long the file has been quiet is told by [`Message::Watched`].
//!
//! [`Message::Watched`]: super::message::Message::Watched

use crate::session::index::Index;
use crate::session::row::{RowIx, Seq};

/// Milliseconds without growth after which a log is judged as one that nobody writes any more.
pub const STILL_MS: u64 = 10_000;

/// Whether the screen follows a growing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Following {
    /// The file is not watched.
    #[default]
    Off,
    /// The cursor stands at the end and goes with it.
    AtEnd,
    /// The file is watched; the cursor stays where it is.
    Paused,
}

/// Events below the screen that came while the view was paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Below {
    /// Events.
    pub events: u64,
    /// Lines they stand in.
    pub lines: u64,
    /// Seqs of the first and the last of them, where they have one.
    pub seqs: Option<(Seq, Seq)>,
}

/// What is known of a file that is followed.
#[derive(Debug, Clone, Default)]
pub struct Follow {
    /// Whether it is followed.
    pub state: Following,
    /// Milliseconds since the file last grew, as told last; `None`: nothing was told.
    pub quiet_ms: Option<u64>,
    /// Of its relatives the same, while one of them grows.
    pub(crate) kin_quiet_ms: Option<u64>,
    /// What changed in place while the user looked elsewhere: row 4 until the next key.
    pub news: Option<String>,
    /// What came below the screen while the view is paused.
    pub below: Option<Below>,
    /// Rows that were there when the view was paused, or on screen since.
    pub(crate) seen: u32,
}

impl Follow {
    /// Whether the file is followed, paused or not.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.state != Following::Off
    }

    /// Milliseconds since a file that still grows last grew, or one of its relatives: what waits for a child is not
    /// still. `None` for one that is not followed or has been quiet for [`STILL_MS`].
    #[must_use]
    pub fn growing(&self) -> Option<u64> {
        let quiet = self.quiet_ms.into_iter().chain(self.kin_quiet_ms).min();
        quiet.filter(|quiet| self.is_on() && *quiet < STILL_MS)
    }
}

impl Below {
    /// What stands from a row on; `None` where nothing does. Costs the rows counted.
    pub(crate) fn of(index: &Index, from: RowIx) -> Option<Below> {
        let mut below = Below { events: 0, lines: 0, seqs: None };
        for (_, row) in index.rows.iter_from(from) {
            below.events += u64::from(row.members);
            below.lines += 1;
            if let (Some(first), Some(last)) = (row.seq(), row.last_seq()) {
                below.seqs = Some((below.seqs.map_or(first, |(from, _)| from), last));
            }
        }
        (below.lines > 0).then_some(below)
    }
}
