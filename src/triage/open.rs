//! Reading one log from its first byte to its facts.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::judge::Judge;
use super::session::{Extent, Session};
use crate::log::name;
use crate::log::sniff::Encoding;
use crate::log::source::Source;
use crate::session::builder::{Builder, Progress, Reading};
use crate::session::piece::Keep;

/// A log that is being read, and may grow.
pub struct Log {
    source: Arc<dyn Source>,
    path: PathBuf,
    builder: Builder<Judge>,
}

impl Log {
    /// A log of the given encoding, nothing of it read. The path names it, nothing is opened by it.
    #[must_use]
    pub fn new(source: Arc<dyn Source>, encoding: Encoding, path: &Path, keep: Keep) -> Log {
        let builder = Builder::new(Arc::clone(&source), encoding, keep, Judge::new());
        Log { source, path: path.to_owned(), builder }
    }

    /// Reads what there is, from where the last reading ended, with that many threads. The callback hears of progress
    /// and may stop the reading.
    pub fn read(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let size = self.source.size()?;
        self.builder.read(size, threads, progress)
    }

    /// What was read so far; the log can be read on.
    pub fn session(&mut self) -> io::Result<Session> {
        let reading = self.builder.snapshot()?;
        Ok(session_of(reading, &self.path, Extent::Whole))
    }

    /// What was read, without a copy.
    pub fn into_session(self) -> io::Result<Session> {
        let reading = self.builder.into_reading()?;
        Ok(session_of(reading, &self.path, Extent::Whole))
    }

    /// Offset in the file up to which everything read is final.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.builder.offset()
    }
}

/// Puts index and facts of a reading together.
pub(super) fn session_of(reading: Reading<Judge>, path: &Path, extent: Extent) -> Session {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let facts = reading.listener.facts(&reading, name::version_of(&name));
    Session { path: path.to_owned(), extent, index: reading.index, facts }
}
