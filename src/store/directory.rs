//! Where folders come from: the disk, an archive, a test. The counterpart of [`Source`] for names.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use crate::log::{FileIdentity, FileSource, Source};

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A pipe, socket or device: never opened.
    Special,
    /// A link that leads nowhere, or an entry that vanished while the folder was read.
    Broken,
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name, without its folder.
    pub name: OsString,
    /// What stands there, links followed.
    pub kind: EntryKind,
    /// Whether it is a link.
    pub is_link: bool,
}

/// Size and age of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Bytes.
    pub size: u64,
    /// When it was last written to, in milliseconds since the Unix epoch; `None` where that is not known.
    pub modified: Option<i64>,
}

/// Folders and files that can be listed and read. Several threads may use one at once.
pub trait Directory: Send + Sync {
    /// The names in a folder, sorted by their bytes. An entry that vanishes meanwhile is [`EntryKind::Broken`].
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>>;

    /// What tells a folder from every other, whatever path leads there.
    fn identity(&self, folder: &Path) -> io::Result<FileIdentity>;

    /// Size and age of a file.
    fn stat(&self, file: &Path) -> io::Result<Stat>;

    /// The bytes of a file.
    fn open(&self, file: &Path) -> io::Result<Arc<dyn Source>>;

    /// What is wrong with the bytes of a file that was opened: an entry of an archive that fails its checksum.
    fn flaw(&self, _file: &Path) -> Option<String> {
        None
    }

    /// Whether it is an archive: what lies in it was put there to be given away.
    fn is_archive(&self) -> bool {
        false
    }

    /// The path with its own name and those above it, where the given one ends in `.` or `..` or is relative.
    fn full_path(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
}

/// The folders of this computer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Directory for Disk {
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (kind, is_link) = match entry.file_type() {
                Ok(kind) if kind.is_symlink() => (kind_behind(&entry.path()), true),
                Ok(kind) => (kind_of(kind), false),
                Err(_) => (EntryKind::Broken, false),
            };
            entries.push(Entry { name: entry.file_name(), kind, is_link });
        }
        entries.sort_by(|a, b| a.name.as_encoded_bytes().cmp(b.name.as_encoded_bytes()));
        Ok(entries)
    }

    fn identity(&self, folder: &Path) -> io::Result<FileIdentity> {
        FileIdentity::of_path(folder)
    }

    fn stat(&self, file: &Path) -> io::Result<Stat> {
        let metadata = fs::metadata(file)?;
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|since| i64::try_from(since.as_millis()).ok());
        Ok(Stat { size: metadata.len(), modified })
    }

    fn open(&self, file: &Path) -> io::Result<Arc<dyn Source>> {
        Ok(Arc::new(FileSource::open(file)?))
    }

    fn full_path(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}

/// What a link leads to.
fn kind_behind(link: &Path) -> EntryKind {
    fs::metadata(link).map_or(EntryKind::Broken, |metadata| kind_of(metadata.file_type()))
}

fn kind_of(kind: fs::FileType) -> EntryKind {
    if kind.is_file() {
        EntryKind::File
    } else if kind.is_dir() {
        EntryKind::Folder
    } else {
        EntryKind::Special
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_named_by_what_stands_there() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), b"12345").unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        let names = |entries: Vec<Entry>| -> Vec<(String, EntryKind, bool)> {
            let plain = |entry: Entry| (entry.name.to_string_lossy().into_owned(), entry.kind, entry.is_link);
            entries.into_iter().map(plain).collect()
        };
        let expected = [("a".to_owned(), EntryKind::Folder, false), ("b".to_owned(), EntryKind::File, false)];
        assert_eq!(names(Disk.entries(folder.path()).unwrap()), expected);
        assert_eq!(Disk.stat(&folder.path().join("b")).unwrap().size, 5);
        assert!(Disk.stat(&folder.path().join("c")).is_err());
        assert!(Disk.entries(&folder.path().join("b")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_tell_what_they_lead_to() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        symlink(folder.path(), folder.path().join("loop")).unwrap();
        symlink("nowhere", folder.path().join("nothing")).unwrap();
        let entries = Disk.entries(folder.path()).unwrap();
        let kinds: Vec<_> = entries.iter().map(|entry| (entry.kind, entry.is_link)).collect();
        assert_eq!(kinds, [(EntryKind::Folder, true), (EntryKind::Broken, true)]);
        let identity = |path: &Path| Disk.identity(path).unwrap();
        assert_eq!(identity(folder.path()), identity(&folder.path().join("loop")));
    }
}
