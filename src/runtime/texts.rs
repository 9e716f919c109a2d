//! Text of lines, read on demand: blocks by position, with a cache bounded in bytes.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::app::message::Epoch;
use crate::log::Source;
use crate::session::lines::{LineReader, Text};
use crate::session::row::{BlockId, RowIx};
use crate::store::Directory;
use crate::triage::session::Session;

/// Readings whose source is remembered: the one shown and the one that will replace it.
const MOST_SOURCES: usize = 2;

/// Logs that are held open with their text: of a family that many are on the screen at once.
const MOST_READERS: usize = 4;

/// Where the bytes of each reading come from. Cheap to clone: all clones are one.
#[derive(Clone, Default)]
pub(crate) struct Sources(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// Of the log that was opened.
    own: Vec<(Epoch, Arc<dyn Source>)>,
    /// Of its relatives: opened when something of them is wanted, so that a large family needs few open files.
    kin: Vec<(Epoch, Arc<dyn Directory>, PathBuf)>,
}

impl Sources {
    /// Remembers the source of a reading; the oldest is forgotten.
    pub(crate) fn set(&self, epoch: Epoch, source: Arc<dyn Source>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.own.retain(|(other, _)| *other != epoch);
        known.own.push((epoch, source));
        let surplus = known.own.len().saturating_sub(MOST_SOURCES);
        known.own.drain(..surplus);
    }

    /// Remembers where a relative is read from; what was known of the same file is forgotten.
    pub(crate) fn add(&self, epoch: Epoch, directory: Arc<dyn Directory>, path: PathBuf) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.kin.retain(|(_, _, other)| *other != path);
        known.kin.push((epoch, directory, path));
    }

    /// The bytes of a reading; `None` where they are not to be had any more.
    pub(crate) fn of(&self, epoch: Epoch) -> Option<Arc<dyn Source>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = known.own.iter().find(|(other, _)| *other == epoch) {
            return Some(Arc::clone(source));
        }
        let (_, directory, path) = known.kin.iter().find(|(other, ..)| *other == epoch)?;
        let (directory, path) = (Arc::clone(directory), path.clone());
        drop(known);
        directory.open(&path).ok()
    }
}

/// Reads text of lines for one worker.
pub(crate) struct Texts {
    sources: Sources,
    cache_bytes: usize,
    /// The one used last stands first.
    readers: Vec<(Epoch, LineReader)>,
}

impl Texts {
    /// A reader of text whose cache takes about that many bytes.
    pub(crate) fn new(sources: Sources, cache_bytes: usize) -> Texts {
        Texts { sources, cache_bytes, readers: Vec::new() }
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
        if let Some(at) = self.readers.iter().position(|(known, _)| *known == epoch) {
            self.readers[..=at].rotate_right(1);
        } else {
            // Of the opened log an older reading is not asked about again.
            self.readers.retain(|(known, _)| known.is_of_kin() || epoch.is_of_kin());
            self.readers.truncate(MOST_READERS - 1);
            let cache = if epoch.is_of_kin() { self.cache_bytes / MOST_READERS } else { self.cache_bytes };
            let source = self.sources.of(epoch).ok_or_else(gone)?;
            self.readers.insert(0, (epoch, LineReader::new(source, cache)));
        }
        self.readers.first_mut().map(|(_, reader)| reader).ok_or_else(gone)
    }
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the reading of the log is not there any more")
}

#[cfg(test)]
mod tests;
