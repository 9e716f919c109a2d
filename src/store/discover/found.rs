//! What the folders of a root are: sessions, projects, or what lies around them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::super::directory::{Directory, Entry, EntryKind};
use super::super::layout::LogName;
use super::super::other::{OtherFile, OtherKind, Place};
use super::super::stored::{Generation, Problem, Project, ProjectIx, RootKind, StoredSession};
use super::walk::{Folder, log_of};
use crate::log::Encoding;

/// The folder of an export that the descendants lie in.
const SUBAGENTS: &[u8] = b"subagents";

/// What was found in the folders of a root.
pub(super) struct Found<'d> {
    directory: &'d dyn Directory,
    pub(super) kind: RootKind,
    pub(super) projects: Vec<Project>,
    /// Place of a project by its path.
    places: HashMap<PathBuf, ProjectIx>,
    pub(super) sessions: Vec<StoredSession>,
    pub(super) other_files: Vec<OtherFile>,
    pub(super) problems: Vec<Problem>,
}

/// Which folders are sessions, told from the root downwards.
#[derive(Default)]
struct Roles<'f> {
    /// Sessions that are no descendants in an export.
    tops: HashSet<&'f Path>,
    /// Descendants in an export: `subagents/<id>/session.jsonl` beside a log.
    children: HashSet<&'f Path>,
    /// Folders of sessions and all that is in them.
    inside: HashSet<&'f Path>,
    /// Folders that sessions lie in, directly or further down.
    above: HashSet<&'f Path>,
    /// Folders that sessions lie in directly, and those that are named so.
    projects: HashSet<&'f Path>,
}

impl<'f> Roles<'f> {
    /// `folders` come each after the one above it.
    fn of(folders: &'f [Folder]) -> Roles<'f> {
        let mut roles = Roles::default();
        // A log that strayed into a sessions root or a project must not make everything beside it its own.
        let in_projects = |folder: &Folder| folder.depth > 0 && folder.is_in_project() && folder.holds_log();
        let is_root_of_projects = folders.iter().any(in_projects);
        for folder in folders {
            let path = folder.path.as_path();
            let parent = path.parent().filter(|_| folder.depth > 0);
            let is_inside = parent.is_some_and(|parent| roles.inside.contains(parent));
            let of_export = parent.and_then(Path::parent).is_some_and(|export| roles.tops.contains(export));
            // In a project folder a log is one of the flat layout.
            let is_flat =
                folder.is_project() && (folder.depth > 0 || folder.holds_folders()) && !folder.is_in_project();
            let is_stray_at_root = folder.depth == 0 && is_root_of_projects;
            if folder.holds_log() && folder.above == SUBAGENTS && of_export && folder.depth > 1 {
                roles.children.insert(path);
            } else if folder.holds_log() && !is_inside && !is_flat && !is_stray_at_root {
                roles.tops.insert(path);
                roles.projects.extend(parent);
                roles.above.extend(path.ancestors().skip(1).take(folder.depth));
            }
            if is_inside || roles.tops.contains(path) {
                roles.inside.insert(path);
            } else if folder.is_project() {
                roles.projects.insert(path);
            }
        }
        roles
    }

    /// A folder in which the harness would look for a session and finds none.
    fn lacks_log(&self, folder: &Folder) -> bool {
        let path = folder.path.as_path();
        let is_in_project = path.parent().is_some_and(|parent| self.projects.contains(parent)) && folder.depth > 0;
        is_in_project
            && !self.inside.contains(path)
            && !self.above.contains(path)
            && !self.projects.contains(path)
            && !folder.holds_log()
    }
}

/// What a root is.
fn kind_of(directory: &dyn Directory, folders: &[Folder], roles: &Roles<'_>) -> RootKind {
    let Some(root) = folders.first() else { return RootKind::Sessions };
    let is_session = roles.tops.contains(root.path.as_path());
    // An export that was packed again with the folder around it has its log further down.
    let is_export = directory.is_archive() && roles.tops.len() < 2 && !folders.iter().any(Folder::is_in_project);
    if is_export || (is_session && !roles.children.is_empty()) {
        RootKind::Export
    } else if is_session {
        RootKind::Session
    } else if root.is_project() || all_directly_below(root, roles) {
        RootKind::Project
    } else {
        RootKind::Sessions
    }
}

fn all_directly_below(root: &Folder, roles: &Roles<'_>) -> bool {
    !roles.tops.is_empty() && roles.tops.iter().all(|path| path.parent() == Some(&root.path))
}

impl<'d> Found<'d> {
    /// Tells what the folders are; the root comes first, each after the one above it.
    pub(super) fn of(directory: &'d dyn Directory, folders: &[Folder]) -> Found<'d> {
        let roles = Roles::of(folders);
        let mut found = Found {
            directory,
            kind: kind_of(directory, folders, &roles),
            projects: Vec::new(),
            places: HashMap::new(),
            sessions: Vec::new(),
            other_files: Vec::new(),
            problems: Vec::new(),
        };
        for folder in folders {
            found.take(folder, &roles);
        }
        found
    }

    fn take(&mut self, folder: &Folder, roles: &Roles<'_>) {
        let path = folder.path.as_path();
        let (is_top, is_child) = (roles.tops.contains(path), roles.children.contains(path));
        let place = match () {
            () if is_top || is_child => Place::Session,
            () if roles.projects.contains(path) => Place::Project,
            () => Place::Elsewhere,
        };
        let mut generations = Vec::new();
        for entry in &folder.entries {
            let path = folder.path.join(&entry.name);
            match (entry.kind, log_of(entry)) {
                (EntryKind::File, Some(name)) if is_top || is_child => generations.push(self.generation(path, name)),
                (EntryKind::File, _) if self.kind == RootKind::Export => self.attachment(path, entry, place),
                (EntryKind::File, _) => self.other(path, OtherKind::of(entry.name.as_encoded_bytes(), place)),
                (EntryKind::Special, _) => self.other(path, OtherKind::Special),
                (EntryKind::Broken, _) => self.problems.push(Problem::Broken { path }),
                (EntryKind::Folder, _) => {}
            }
        }
        if place == Place::Project && self.kind != RootKind::Export {
            self.project(path, &folder.name);
        }
        if !generations.is_empty() {
            self.session(folder, generations, is_child);
        } else if !self.directory.is_archive() && roles.lacks_log(folder) {
            self.problems.push(Problem::NoLog { path: folder.path.clone() });
        }
    }

    fn other(&mut self, path: PathBuf, kind: OtherKind) {
        self.other_files.push(OtherFile { path, kind, size: None });
    }

    /// Of an export everything that is no log was put in to be looked at.
    fn attachment(&mut self, path: PathBuf, entry: &Entry, place: Place) {
        let kind = match OtherKind::of(entry.name.as_encoded_bytes(), place) {
            OtherKind::Unknown => OtherKind::Attachment,
            named => named,
        };
        let size = self.directory.stat(&path).ok().map(|stat| stat.size);
        self.other_files.push(OtherFile { path, kind, size });
    }

    fn generation(&self, path: PathBuf, name: LogName) -> Generation {
        let stat = self.directory.stat(&path).ok();
        Generation {
            path,
            version: name.version,
            encoding: name.encoding,
            size: stat.map(|stat| stat.size),
            modified: stat.and_then(|stat| stat.modified),
        }
    }

    fn session(&mut self, folder: &Folder, mut generations: Vec<Generation>, is_child: bool) {
        generations.sort_by_key(|log| (std::cmp::Reverse(log.version), log.encoding == Encoding::Plain));
        let project = if is_child {
            // That of the session it was exported with, which comes before it.
            let export = folder.path.parent().and_then(Path::parent);
            let top = self.sessions.iter().find(|session| Some(session.folder.as_path()) == export);
            top.map_or(ProjectIx(0), |session| session.project)
        } else {
            // The project of a session that was given by itself is the folder above it, wherever that is.
            let above = folder.path.parent().filter(|_| folder.depth > 0).unwrap_or(Path::new("")).to_owned();
            self.project(&above, &folder.above)
        };
        self.sessions.push(StoredSession { project, folder: folder.path.clone(), generations });
    }

    fn project(&mut self, path: &Path, name: &[u8]) -> ProjectIx {
        if let Some(place) = self.places.get(path) {
            return *place;
        }
        let place = ProjectIx(self.projects.len() as u32);
        self.projects.push(Project::new(path.to_owned(), name));
        self.places.insert(path.to_owned(), place);
        place
    }
}
