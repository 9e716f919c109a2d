//! The listing of everything below a root, level by level, links last.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::super::directory::{Directory, Entry, EntryKind};
use super::super::layout::{LogName, is_project_folder_name, log_name};
use super::super::other::file_name;
use super::super::stored::Problem;
use crate::log::FileIdentity;

/// Folders looked at, at most: a home folder given by mistake ends within seconds.
const MOST_FOLDERS: usize = 500_000;

/// How deep folders are looked at, the root being 0. A session lies at 2 at most below a root that is one.
const DEEPEST: usize = 12;

/// A folder that was listed.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// Its own name, also where the path ends in `.` or `..`.
    pub(super) name: Vec<u8>,
    /// Name of the folder above.
    pub(super) above: Vec<u8>,
    pub(super) depth: usize,
    pub(super) entries: Vec<Entry>,
}

impl Folder {
    /// Whether it is named as a project folder is.
    pub(super) fn is_project(&self) -> bool {
        is_project_folder_name(&self.name)
    }

    /// Whether the folder above is named as a project folder is.
    pub(super) fn is_in_project(&self) -> bool {
        is_project_folder_name(&self.above)
    }

    /// Whether a log by its canonical name is directly in it.
    pub(super) fn holds_log(&self) -> bool {
        self.entries.iter().any(|entry| entry.kind == EntryKind::File && log_of(entry).is_some())
    }

    pub(super) fn holds_folders(&self) -> bool {
        self.entries.iter().any(|entry| entry.kind == EntryKind::Folder)
    }
}

/// What a name tells of a log.
pub(super) fn log_of(entry: &Entry) -> Option<LogName> {
    log_name(entry.name.as_encoded_bytes())
}

/// The listing of everything, level by level.
pub(super) struct Walk<'d> {
    pub(super) directory: &'d dyn Directory,
    /// Folders listed, each after the one above it; the root first.
    pub(super) folders: Vec<Folder>,
    pub(super) problems: Vec<Problem>,
}

impl Walk<'_> {
    /// Lists the root and all that is below it.
    pub(super) fn run(&mut self, root: &Path, each: &mut dyn FnMut(usize) -> ControlFlow<()>) -> io::Result<()> {
        let full = self.directory.full_path(root);
        let entries = self.directory.entries(root)?;
        let above = full.parent().map(file_name).unwrap_or_default().to_vec();
        let first = Folder { path: root.to_owned(), name: file_name(&full).to_vec(), above, depth: 0, entries };
        // Links come last: where a folder is there as itself too, it is listed under its own name.
        let (mut real, mut linked) = (VecDeque::new(), VecDeque::new());
        queue(&first, &mut real, &mut linked);
        self.folders.push(first);
        let mut seen: Option<HashMap<FileIdentity, PathBuf>> = None;
        while let Some((path, depth, is_link)) = real
            .pop_front()
            .map(|(path, depth)| (path, depth, false))
            .or_else(|| linked.pop_front().map(|(path, depth)| (path, depth, true)))
        {
            if is_link && seen.is_none() {
                seen = Some(self.identities());
            }
            if let Some(seen) = &mut seen
                && self.is_seen(seen, &path)
            {
                continue;
            }
            let over = self.folders.len() >= MOST_FOLDERS || depth > DEEPEST;
            if over || each(self.folders.len()).is_break() {
                self.problems.push(Problem::NotLookedAt { path });
                // One is enough to say it: a list of all that is not there helps nobody.
                if depth > DEEPEST {
                    continue;
                }
                return Ok(());
            }
            self.list(path, depth, &mut real, &mut linked);
        }
        Ok(())
    }

    fn list(
        &mut self,
        path: PathBuf,
        depth: usize,
        real: &mut VecDeque<(PathBuf, usize)>,
        linked: &mut VecDeque<(PathBuf, usize)>,
    ) {
        match self.directory.entries(&path) {
            Ok(entries) => {
                let above = match depth {
                    1 => self.folders[0].name.clone(),
                    _ => path.parent().map(file_name).unwrap_or_default().to_vec(),
                };
                let folder = Folder { name: file_name(&path).to_vec(), path, above, depth, entries };
                queue(&folder, real, linked);
                self.folders.push(folder);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.problems.push(Problem::Broken { path }),
            Err(error) => self.problems.push(Problem::Unlisted { path, why: error.to_string() }),
        }
    }

    /// Who the folders listed so far are; worked out only where a link leads to one.
    fn identities(&self) -> HashMap<FileIdentity, PathBuf> {
        let identity = |folder: &Folder| Some((self.directory.identity(&folder.path).ok()?, folder.path.clone()));
        self.folders.iter().filter_map(identity).collect()
    }

    /// Whether a folder was listed under another path; remembers it otherwise.
    fn is_seen(&mut self, seen: &mut HashMap<FileIdentity, PathBuf>, path: &Path) -> bool {
        let Ok(identity) = self.directory.identity(path) else { return false };
        if let Some(to) = seen.get(&identity) {
            self.problems.push(Problem::SeenAlready { path: path.to_owned(), to: to.clone() });
            return true;
        }
        seen.insert(identity, path.to_owned());
        false
    }
}

fn queue(folder: &Folder, real: &mut VecDeque<(PathBuf, usize)>, linked: &mut VecDeque<(PathBuf, usize)>) {
    for entry in folder.entries.iter().filter(|entry| entry.kind == EntryKind::Folder) {
        let next = (folder.path.join(&entry.name), folder.depth + 1);
        if entry.is_link { linked.push_back(next) } else { real.push_back(next) }
    }
}
