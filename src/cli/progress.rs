//! How far the reading of a large log is, while nothing else is on the terminal yet.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::text::locale::Words;
use crate::text::number;

/// Nothing is said about a reading that is through by then.
const SILENT: Duration = Duration::from_millis(500);

/// Shortest time between two words.
const BETWEEN_WORDS: Duration = Duration::from_millis(100);

/// One line on standard error, written over and wiped at the end; nothing where that is no terminal.
pub(crate) struct ProgressLine<'a> {
    words: &'a Words,
    /// When the next word is due; `None`: never.
    due: Option<Instant>,
    is_shown: bool,
}

impl<'a> ProgressLine<'a> {
    /// A line that is not shown yet.
    pub(crate) fn new(words: &'a Words) -> ProgressLine<'a> {
        let due = io::stderr().is_terminal().then(|| Instant::now() + SILENT);
        ProgressLine { words, due, is_shown: false }
    }

    /// Says how far the reading is, if it is time to.
    pub(crate) fn tell(&mut self, done: u64, total: u64) {
        let now = Instant::now();
        if self.due.is_none_or(|due| now < due) {
            return;
        }
        self.due = Some(now + BETWEEN_WORDS);
        self.is_shown = true;
        let percent = number::percent(done, total);
        // A terminal that takes no progress takes no complaint about it either.
        let _ = write!(io::stderr(), "\r{}\x1b[K", self.words.say("cli.reading", &[("percent", &percent)]));
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
