//! Text of lines, read on demand: blocks by position, with a cache bounded in bytes.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::message::Epoch;
use crate::log::Source;
use crate::session::lines::{LineReader, Text};
use crate::session::row::{BlockId, RowIx};
use crate::triage::session::Session;

/// Readings whose source is remembered: the one shown and the one that will replace it.
const MOST_SOURCES: usize = 2;

/// Where the bytes of each reading come from. Cheap to clone: all clones are one.
#[derive(Clone, Default)]
pub(crate) struct Sources(Arc<Mutex<Known>>);

type Known = Vec<(Epoch, Arc<dyn Source>)>;

impl Sources {
    /// Remembers the source of a reading; the oldest is forgotten.
    pub(crate) fn set(&self, epoch: Epoch, source: Arc<dyn Source>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(other, _)| *other != epoch);
        known.push((epoch, source));
        let surplus = known.len().saturating_sub(MOST_SOURCES);
        known.drain(..surplus);
    }

    fn of(&self, epoch: Epoch) -> Option<Arc<dyn Source>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(other, _)| *other == epoch).map(|(_, source)| Arc::clone(source))
    }
}

/// Reads text of lines for one worker.
pub(crate) struct Texts {
    sources: Sources,
    cache_bytes: usize,
    reader: Option<(Epoch, LineReader)>,
}

impl Texts {
    /// A reader of text whose cache takes about that many bytes.
    pub(crate) fn new(sources: Sources, cache_bytes: usize) -> Texts {
        Texts { sources, cache_bytes, reader: None }
    }

    /// A reader of one source, that of the first reading there is; it keeps nothing.
    pub(crate) fn of(source: Arc<dyn Source>) -> Texts {
        let sources = Sources::default();
        sources.set(Epoch::default(), source);
        Texts::new(sources, 0)
    }

    /// The text of a line without its line end, or the first `limit` bytes of it.
    pub(crate) fn line(&mut self, epoch: Epoch, session: &Session, ix: RowIx, limit: usize) -> io::Result<Text> {
        self.reader(epoch)?.line(&session.index, ix, limit)
    }

    /// The text of a block, whole.
    pub(crate) fn whole_block(&mut self, epoch: Epoch, session: &Session, id: BlockId) -> io::Result<Arc<[u8]>> {
        self.reader(epoch)?.whole_block(&session.index, id)
    }

    fn reader(&mut self, epoch: Epoch) -> io::Result<&mut LineReader> {
        let known = self.reader.take().filter(|(known, _)| *known == epoch);
        let known = match known {
            Some(known) => known,
            None => (epoch, LineReader::new(self.sources.of(epoch).ok_or_else(gone)?, self.cache_bytes)),
        };
        Ok(&mut self.reader.insert(known).1)
    }
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the reading of the log is not there any more")
}

#[cfg(test)]
mod tests;
