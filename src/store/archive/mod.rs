//! An export ZIP as folders: read in place, nothing is unpacked to the disk (docs/FORMAT.md section 1.8).
//!
//! ```text
//! Source ── central directory ──▶ names ──▶ a tree of folders: Directory, so that `discover` finds sessions in it
//!    └───── entry, inflated ──▶ PackedSource (bounded) ──▶ a log like any other
//! ```
//!
//! Names of entries are only names: no path of the disk is made of one. A name that no file could have is a problem
//! with its reason. Sizes that an entry states are held against what it inflates to; what came before an error is read
//! and the error is told beside it.

mod names;
mod reader;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use zip::ZipArchive;
use zip::result::ZipError;

use self::names::{Name, name_of};
use self::reader::Reader;
use super::directory::{Directory, Entry, EntryKind, Stat};
use super::stored::Problem;
use crate::log::{FileIdentity, PackedSource, Source};

/// Text of one entry, at most: twenty times the largest log met, as from a pipe.
const MOST_TEXT: u64 = 2 << 30;

/// Packed text of entries that is kept for the next opening, in bytes: a list opens each log twice.
const KEEP: usize = 32 << 20;

/// An archive whose central directory was read.
pub(super) struct Archive {
    zip: ZipArchive<Reader>,
    /// Path of the archive, the root of the tree.
    root: PathBuf,
    folders: HashMap<PathBuf, BTreeMap<OsString, Vec<EntryKind>>>,
    files: HashMap<PathBuf, usize>,
    problems: Vec<Problem>,
    opened: Mutex<Opened>,
}

/// Entries opened last, and what was wrong with the text of those opened at all.
#[derive(Default)]
struct Opened {
    recent: VecDeque<(usize, Arc<PackedSource>)>,
    flaws: HashMap<usize, String>,
}

impl Archive {
    /// Reads the central directory. `Err` where there is none, or it cannot be made out.
    pub(super) fn open(source: Arc<dyn Source>, path: &Path) -> io::Result<Archive> {
        let mut zip = ZipArchive::new(Reader::new(source)?).map_err(told)?;
        let mut archive = Archive {
            root: path.to_owned(),
            folders: HashMap::from([(path.to_owned(), BTreeMap::new())]),
            files: HashMap::new(),
            problems: Vec::new(),
            opened: Mutex::default(),
            zip: zip.clone(),
        };
        for at in 0..zip.len() {
            archive.take(at)?;
        }
        if zip.has_duplicate_names() {
            archive.problem(b"", "some names come twice: of each the last entry is read".to_owned());
        }
        // Entries that share bytes multiply the text of a small file without end.
        let overlap = zip.has_overlapping_entries().unwrap_or(true);
        if overlap {
            archive.problem(b"", "entries overlap: none is read".to_owned());
            archive.files.values_mut().for_each(|at| *at = usize::MAX);
        }
        // Another program may go by the entries themselves and find others than this one does by the list.
        if !overlap
            && !zip.has_duplicate_names()
            && let Err(why) = zip.validate_header_consistency()
        {
            archive.problem(b"", format!("the list of entries and the entries differ: {}", told(why)));
        }
        Ok(archive)
    }

    /// What is wrong with names and entries.
    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn problem(&mut self, name: &[u8], why: String) {
        self.problems.push(Problem::BadEntry { path: self.path_of(name), why });
    }

    /// The path that names an entry in messages; it may look like anything and is never opened.
    fn path_of(&self, name: &[u8]) -> PathBuf {
        let mut path = self.root.clone().into_os_string();
        if !name.is_empty() {
            path.push("/");
            path.push(names::os_text(name));
        }
        PathBuf::from(path)
    }

    /// Puts an entry into the tree.
    fn take(&mut self, at: usize) -> io::Result<()> {
        let entry = self.zip.by_index_data(at).map_err(told)?;
        let raw = entry.name().map_or_else(|_| entry.name_raw().to_vec(), |name| name.as_bytes().to_vec());
        let (is_folder, is_link) = (entry.is_dir(), entry.is_symlink());
        match name_of(&raw, is_folder) {
            Name::Good(parts) => {
                let kind = match (is_folder, is_link) {
                    (true, _) => EntryKind::Folder,
                    (false, true) => EntryKind::Special,
                    (false, false) => EntryKind::File,
                };
                self.place(&parts, kind, at);
            }
            Name::Bad(why) => self.problem(&raw, why.to_owned()),
        }
        Ok(())
    }

    fn place(&mut self, parts: &[OsString], kind: EntryKind, at: usize) {
        let mut path = self.root.clone();
        for (depth, part) in parts.iter().enumerate() {
            let is_last = depth + 1 == parts.len();
            let kind = if is_last { kind } else { EntryKind::Folder };
            let kinds = self.folders.entry(path.clone()).or_default().entry(part.clone()).or_default();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            path.push(part);
            if kind == EntryKind::Folder {
                self.folders.entry(path.clone()).or_default();
            }
        }
        if kind != EntryKind::Folder {
            self.files.insert(path, at);
        }
    }

    fn index_of(&self, file: &Path) -> io::Result<usize> {
        match self.files.get(file) {
            Some(at) if *at < self.zip.len() => Ok(*at),
            Some(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "entries of the archive overlap")),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn inflate(&self, at: usize) -> io::Result<(PackedSource, Option<io::Error>)> {
        let mut zip = self.zip.clone();
        let entry = zip.by_index(at).map_err(told)?;
        PackedSource::read_from(entry, MOST_TEXT)
    }
}

impl Directory for Archive {
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let names = self.folders.get(folder).ok_or(io::ErrorKind::NotFound)?;
        let each = names.iter().flat_map(|(name, kinds)| kinds.iter().map(move |kind| (name, *kind)));
        Ok(each.map(|(name, kind)| Entry { name: name.clone(), kind, is_link: false }).collect())
    }

    fn identity(&self, _: &Path) -> io::Result<FileIdentity> {
        // A tree made of names has no links.
        Err(io::ErrorKind::Unsupported.into())
    }

    fn stat(&self, file: &Path) -> io::Result<Stat> {
        let entry = self.zip.by_index_data(self.index_of(file)?).map_err(told)?;
        Ok(Stat { size: entry.size(), modified: None })
    }

    fn open(&self, file: &Path) -> io::Result<Arc<dyn Source>> {
        let at = self.index_of(file)?;
        let lock = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = lock().recent.iter().find(|(place, _)| *place == at) {
            return Ok(Arc::<PackedSource>::clone(source));
        }
        let (source, error) = self.inflate(at)?;
        let mut opened = lock();
        match error {
            // Nothing came: there is nothing to be shown beside the reason.
            Some(error) if source.size()? == 0 => return Err(error),
            Some(error) => drop(opened.flaws.insert(at, error.to_string())),
            None => {}
        }
        let source = Arc::new(source);
        opened.recent.push_back((at, Arc::clone(&source)));
        while opened.recent.len() > 1 && opened.recent.iter().map(|(_, source)| source.held()).sum::<usize>() > KEEP {
            opened.recent.pop_front();
        }
        Ok(source)
    }

    fn flaw(&self, file: &Path) -> Option<String> {
        let at = self.index_of(file).ok()?;
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).flaws.get(&at).cloned()
    }

    fn is_archive(&self) -> bool {
        true
    }
}

/// What the reader of archives says, as an error of reading.
fn told(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}
