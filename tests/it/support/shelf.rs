//! A store without a disk: folders by name, logs in memory, and a count of what was asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use trajview::log::{FileIdentity, MemorySource, Source};
use trajview::store::{Directory, Entry, EntryKind, Stat};

/// What was asked of a shelf.
#[derive(Debug, Default)]
pub struct Counts {
    pub listed: AtomicU64,
    pub asked_size: AtomicU64,
    pub opened: AtomicU64,
    pub read: AtomicU64,
}

impl Counts {
    /// Folders listed, sizes asked for, files opened, bytes read, since the last time.
    pub fn take(&self) -> [u64; 4] {
        [&self.listed, &self.asked_size, &self.opened, &self.read].map(|count| count.swap(0, Ordering::Relaxed))
    }
}

/// Folders and logs in memory.
#[derive(Default)]
pub struct Shelf {
    folders: BTreeMap<PathBuf, BTreeSet<(OsString, bool)>>,
    files: BTreeMap<PathBuf, Arc<MemorySource>>,
    /// What answers with an error of this kind.
    pub broken: BTreeMap<PathBuf, io::ErrorKind>,
    pub counts: Arc<Counts>,
}

impl Shelf {
    /// Puts a file onto it, its folders too.
    pub fn put(&mut self, path: &str, log: &Arc<MemorySource>) {
        let path = PathBuf::from(path);
        let mut above = path.clone();
        let mut is_file = true;
        while let (Some(folder), Some(name)) = (above.parent().map(Path::to_owned), above.file_name()) {
            self.folders.entry(folder.clone()).or_default().insert((name.to_owned(), is_file));
            is_file = false;
            above = folder;
        }
        self.files.insert(path, Arc::clone(log));
    }

    fn is_sound(&self, path: &Path) -> io::Result<()> {
        self.broken.get(path).map_or(Ok(()), |kind| Err((*kind).into()))
    }
}

/// A log that counts what is read of it.
struct Counted(Arc<MemorySource>, Arc<Counts>);

impl Source for Counted {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read_at(offset, buf)?;
        self.1.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Directory for Shelf {
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        self.is_sound(folder)?;
        self.counts.listed.fetch_add(1, Ordering::Relaxed);
        let names = self.folders.get(folder).ok_or(io::ErrorKind::NotFound)?;
        let entry = |(name, is_file): &(OsString, bool)| Entry {
            name: name.clone(),
            kind: if *is_file { EntryKind::File } else { EntryKind::Folder },
            is_link: false,
        };
        Ok(names.iter().map(entry).collect())
    }

    fn identity(&self, _: &Path) -> io::Result<FileIdentity> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn stat(&self, file: &Path) -> io::Result<Stat> {
        self.counts.asked_size.fetch_add(1, Ordering::Relaxed);
        let log = self.files.get(file).ok_or(io::ErrorKind::NotFound)?;
        Ok(Stat { size: log.size()?, modified: Some(0) })
    }

    fn open(&self, file: &Path) -> io::Result<Arc<dyn Source>> {
        self.is_sound(file)?;
        self.counts.opened.fetch_add(1, Ordering::Relaxed);
        let log = self.files.get(file).ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(Counted(Arc::clone(log), Arc::clone(&self.counts))))
    }
}
