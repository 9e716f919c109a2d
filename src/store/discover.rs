//! Finding what a root holds: folders are listed, logs are told by their names and sizes, nothing is opened.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::archive::Archive;
use super::directory::{Directory, Entry, EntryKind};
use super::layout::{LogName, is_project_folder_name, log_name};
use super::other::{OtherFile, OtherKind, Place, file_name};
use super::stored::{Generation, Problem, Project, ProjectIx, RootKind, Store, StoredSession};
use crate::log::{Encoding, FileIdentity, Source};

/// Folders looked at, at most: a home folder given by mistake ends within seconds.
const MOST_FOLDERS: usize = 500_000;

/// How deep folders are looked at, the root being 0. A session lies at 2 at most below a root that is one.
const DEEPEST: usize = 12;

/// The folder of an export that the descendants lie in.
const SUBAGENTS: &[u8] = b"subagents";

/// Looks at everything below a root. `Err` only where the root itself cannot be listed.
///
/// The root may be a sessions root, a project, a session or a folder above: sessions are taken from the level at which
/// they lie. `each` hears how many folders were looked at, and may end the search; what was found by then is kept, and
/// the rest is a [`Problem::NotLookedAt`]. The cost is one listing a folder and one look at the size of a log.
pub fn discover(
    directory: Arc<dyn Directory>,
    root: &Path,
    each: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> io::Result<Store> {
    let mut walk = Walk { directory: directory.as_ref(), folders: Vec::new(), problems: Vec::new() };
    walk.run(root, each)?;
    let Walk { folders, problems, .. } = walk;
    let level = level_of_sessions(&folders);
    let kind = kind_of(directory.as_ref(), &folders, level);
    let mut found =
        Found { directory: directory.as_ref(), level: level.unwrap_or(2), ..Found::new(directory.as_ref()) };
    for folder in folders {
        found.take(folder, kind);
    }
    let Found { projects, mut sessions, mut other_files, problems: more, .. } = found;
    let mut problems = [problems, more].concat();
    let (projects, places) = sorted(&projects);
    for session in &mut sessions {
        session.project = places[session.project.at()];
    }
    sessions.sort_by(|a, b| (a.project, &a.folder).cmp(&(b.project, &b.folder)));
    other_files.sort_by(|a, b| a.path.cmp(&b.path));
    problems.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(Store { root: root.to_owned(), kind, projects, sessions, other_files, problems, directory })
}

/// Looks into an export ZIP. `Err` where it has no directory of its entries, or one that cannot be made out.
pub fn open_archive(source: Arc<dyn Source>, path: &Path) -> io::Result<Store> {
    let archive = Archive::open(source, path)?;
    let problems = archive.problems().to_vec();
    let mut store = discover(Arc::new(archive), path, &mut |_| ControlFlow::Continue(()))?;
    store.problems.extend(problems);
    store.problems.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(store)
}

/// What a root is, by how deep sessions lie below it.
fn kind_of(directory: &dyn Directory, folders: &[Folder], level: Option<usize>) -> RootKind {
    let children = folders.iter().any(|folder| level.is_some_and(|level| folder.is_exported_child(level)));
    // An export that was packed again with the folder around it.
    let is_alone = || folders.iter().filter(|folder| Some(folder.depth) == level && folder.holds_log()).count() == 1;
    match level {
        Some(0) if children || directory.is_archive() => RootKind::Export,
        Some(1) if children || (directory.is_archive() && is_alone()) => RootKind::Export,
        None if directory.is_archive() => RootKind::Export,
        Some(0) => RootKind::Session,
        Some(1) => RootKind::Project,
        // Without any session the name tells what it was to be.
        None if folders.first().is_some_and(Folder::is_project) => RootKind::Project,
        Some(_) | None => RootKind::Sessions,
    }
}

/// Projects by path, and where each of them went.
fn sorted(projects: &[Project]) -> (Vec<Project>, Vec<ProjectIx>) {
    let mut order: Vec<usize> = (0..projects.len()).collect();
    order.sort_by(|a, b| projects[*a].path.cmp(&projects[*b].path));
    let mut places = vec![ProjectIx(0); projects.len()];
    for (place, from) in order.iter().enumerate() {
        places[*from] = ProjectIx(place as u32);
    }
    (order.into_iter().map(|from| projects[from].clone()).collect(), places)
}

/// A folder that was listed.
struct Folder {
    path: PathBuf,
    /// Its own name, also where the path ends in `.` or `..`.
    name: Vec<u8>,
    /// Name of the folder above.
    above: Vec<u8>,
    depth: usize,
    entries: Vec<Entry>,
}

impl Folder {
    fn is_project(&self) -> bool {
        is_project_folder_name(&self.name)
    }

    fn holds_log(&self) -> bool {
        self.entries.iter().any(|entry| entry.kind == EntryKind::File && log_of(entry).is_some())
    }

    fn holds_folders(&self) -> bool {
        self.entries.iter().any(|entry| entry.kind == EntryKind::Folder)
    }

    /// A descendant in an export: `subagents/<id>/session.jsonl`, beside a log at this level.
    fn is_exported_child(&self, level: usize) -> bool {
        self.depth == level + 2 && self.above == SUBAGENTS && self.holds_log()
    }
}

fn log_of(entry: &Entry) -> Option<LogName> {
    log_name(entry.name.as_encoded_bytes())
}

/// How deep below the root the session folders lie; `None` without any.
///
/// A stray log further up must not turn whole projects into clutter: where logs lie below a folder that is named as a
/// project is, that is where sessions are.
fn level_of_sessions(folders: &[Folder]) -> Option<usize> {
    let logs = || folders.iter().filter(|folder| folder.holds_log());
    let in_project = logs().filter(|folder| folder.depth > 0 && is_project_folder_name(&folder.above));
    if let Some(depth) = in_project.map(|folder| folder.depth).min() {
        return Some(depth);
    }
    // A project folder with a log of the flat layout in it and other folders is no session.
    let is_session = |folder: &&Folder| !(folder.is_project() && folder.holds_folders());
    logs().filter(is_session).map(|folder| folder.depth).min()
}

/// The listing of everything, level by level.
struct Walk<'d> {
    directory: &'d dyn Directory,
    folders: Vec<Folder>,
    problems: Vec<Problem>,
}

impl Walk<'_> {
    fn run(&mut self, root: &Path, each: &mut dyn FnMut(usize) -> ControlFlow<()>) -> io::Result<()> {
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

/// What the folders are, once it is known how deep sessions lie.
struct Found<'d> {
    directory: &'d dyn Directory,
    level: usize,
    projects: Vec<Project>,
    /// Place of a project by its path.
    places: HashMap<PathBuf, ProjectIx>,
    sessions: Vec<StoredSession>,
    other_files: Vec<OtherFile>,
    problems: Vec<Problem>,
}

impl<'d> Found<'d> {
    fn new(directory: &'d dyn Directory) -> Found<'d> {
        Found {
            directory,
            level: 0,
            projects: Vec::new(),
            places: HashMap::new(),
            sessions: Vec::new(),
            other_files: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn take(&mut self, folder: Folder, kind: RootKind) {
        let is_child = kind == RootKind::Export && folder.is_exported_child(self.level);
        let is_session = folder.depth == self.level || is_child;
        let place = if is_session {
            Place::Session
        } else if folder.depth + 1 == self.level {
            Place::Project
        } else {
            Place::Elsewhere
        };
        let mut generations = Vec::new();
        for entry in &folder.entries {
            let path = folder.path.join(&entry.name);
            match (entry.kind, log_of(entry)) {
                (EntryKind::File, Some(name)) if is_session => generations.push(self.generation(path, name)),
                (EntryKind::File, _) if kind == RootKind::Export => self.attachment(path, entry, place),
                (EntryKind::File, _) => self.other(path, OtherKind::of(entry.name.as_encoded_bytes(), place)),
                (EntryKind::Special, _) => self.other(path, OtherKind::Special),
                (EntryKind::Broken, _) => self.problems.push(Problem::Broken { path }),
                (EntryKind::Folder, _) => {}
            }
        }
        match place {
            Place::Project if kind != RootKind::Export => drop(self.project(&folder.path, &folder.name)),
            Place::Session if !generations.is_empty() => self.session(folder, generations),
            Place::Session => self.problems.push(Problem::NoLog { path: folder.path }),
            Place::Project | Place::Elsewhere => {}
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

    fn session(&mut self, folder: Folder, mut generations: Vec<Generation>) {
        generations.sort_by_key(|log| (std::cmp::Reverse(log.version), log.encoding == Encoding::Plain));
        // The project of a session that was given by itself is the folder above it, wherever that is.
        let above = folder.path.parent().filter(|_| folder.depth > 0).unwrap_or(Path::new("")).to_owned();
        let project = self.project(&above, &folder.above);
        self.sessions.push(StoredSession { project, folder: folder.path, generations });
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
