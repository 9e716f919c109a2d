//! A store as its folders tell it: no log is opened for any of this.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::ops::Index;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directory::Directory;
use super::layout::{decode_session_id, is_project_folder_name};
use super::other::{OtherFile, OtherKind, file_name};
use crate::log::{Encoding, Source};
use crate::text::wire::WireText;

/// Place of a session in [`Store::sessions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionIx(pub u32);

/// Place of a project in [`Store::projects`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectIx(pub u32);

impl SessionIx {
    /// As a place in a list.
    #[must_use]
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl ProjectIx {
    /// As a place in a list.
    #[must_use]
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// What the root of a store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RootKind {
    /// A folder of projects, or one that lies further up.
    Sessions,
    /// A folder of sessions.
    Project,
    /// The folder of one session.
    Session,
    /// An export: a ZIP archive, or the folder that one was unpacked into.
    Export,
}

/// A folder of projects, a project, a session or an export, as it was found.
#[derive(Clone)]
pub struct Store {
    /// The root as it was given.
    pub root: PathBuf,
    /// What it is.
    pub kind: RootKind,
    /// Folders that hold sessions, or could: by path. One in an export.
    pub projects: Vec<Project>,
    /// Sessions by project and folder; in an export the one exported first.
    pub sessions: Vec<StoredSession>,
    /// Everything else that is a file, by path.
    pub other_files: Vec<OtherFile>,
    /// What could not be looked at, by path.
    pub problems: Vec<Problem>,
    pub(super) directory: Arc<dyn Directory>,
}

impl fmt::Debug for Store {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Store")
            .field("root", &self.root)
            .field("kind", &self.kind)
            .field("sessions", &self.sessions)
            .field("other_files", &self.other_files)
            .field("problems", &self.problems)
            .finish_non_exhaustive()
    }
}

/// A folder that sessions lie in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its path.
    pub path: PathBuf,
    /// Its name, which is a lossy form of the cwd: only a header tells the cwd.
    pub name: WireText,
    /// Whether the name has the form that the harness gives to project folders.
    pub is_canonical: bool,
}

impl Project {
    /// A project of this name.
    pub(super) fn new(path: PathBuf, name: &[u8]) -> Project {
        Project { path, name: WireText::from_bytes(name), is_canonical: is_project_folder_name(name) }
    }
}

/// A session folder with at least one log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// The project it lies in.
    pub project: ProjectIx,
    /// Its folder.
    pub folder: PathBuf,
    /// Its logs: the highest generation first; of two encodings of one generation the zstd one first. Never empty.
    pub generations: Vec<Generation>,
}

impl StoredSession {
    /// The log that the harness would read: of the highest generation.
    #[must_use]
    pub fn current(&self) -> &Generation {
        &self.generations[0]
    }

    /// Whether the highest generation is there in both encodings: which one counts cannot be told.
    #[must_use]
    pub fn has_two_encodings(&self) -> bool {
        matches!(&*self.generations, [first, second, ..] if first.version == second.version)
    }

    /// Whether a log is of the highest generation; two may be.
    #[must_use]
    pub fn is_current(&self, generation: &Generation) -> bool {
        generation.version == self.current().version
    }

    /// The name of its folder.
    #[must_use]
    pub fn folder_name(&self) -> &[u8] {
        file_name(&self.folder)
    }

    /// The id that its folder is named after; `None` where the name is none that the harness gives.
    #[must_use]
    pub fn id_by_folder(&self) -> Option<WireText> {
        decode_session_id(self.folder_name())
    }
}

/// A log in a session folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// Its path. In an export: that of the archive with the name of the entry behind it.
    pub path: PathBuf,
    /// The version that its name claims.
    pub version: i64,
    /// The encoding that its name claims; content may say otherwise.
    pub encoding: Encoding,
    /// Bytes; `None` where that could not be asked.
    pub size: Option<u64>,
    /// When it was last written to, in milliseconds since the Unix epoch.
    pub modified: Option<i64>,
}

/// What could not be looked at, or should not be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// A folder that cannot be listed, in the words of the system.
    Unlisted {
        /// The folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A link to a folder that was looked at already: listing it would list the same sessions twice.
    SeenAlready {
        /// The link.
        path: PathBuf,
        /// The folder it leads to.
        to: PathBuf,
    },
    /// A link that leads nowhere, or what vanished while the store was looked at.
    Broken {
        /// Its path.
        path: PathBuf,
    },
    /// A folder where a session is expected, without any log: the harness passes over it, since a log comes with the
    /// first event.
    NoLog {
        /// The folder.
        path: PathBuf,
    },
    /// Folders below this one were not looked at: there are too many, or they lie too deep.
    NotLookedAt {
        /// The folder.
        path: PathBuf,
    },
    /// An entry of an archive that is not what it claims, or that no file could have.
    BadEntry {
        /// Path of the archive with the name of the entry.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

impl Problem {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Problem::Unlisted { path, .. }
            | Problem::SeenAlready { path, .. }
            | Problem::Broken { path }
            | Problem::NoLog { path }
            | Problem::NotLookedAt { path }
            | Problem::BadEntry { path, .. } => path,
        }
    }
}

/// Why a store shows no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WhyEmpty {
    /// There is nothing at all in it.
    Nothing,
    /// Folders, and no file in them.
    FoldersOnly,
    /// Files, and none of them a log in the folder of a session.
    OtherFilesOnly,
    /// Something could not be looked at: sessions may be there.
    Unlisted,
}

impl Store {
    /// Opens a log or another file of the store.
    pub fn open(&self, path: &Path) -> io::Result<Arc<dyn Source>> {
        self.directory.open(path)
    }

    /// Where the store's files come from.
    #[must_use]
    pub fn directory(&self) -> &Arc<dyn Directory> {
        &self.directory
    }

    /// A session, if the place is one of this store.
    #[must_use]
    pub fn get(&self, at: SessionIx) -> Option<&StoredSession> {
        self.sessions.get(at.at())
    }

    /// All places of sessions, in order.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = SessionIx> + ExactSizeIterator + use<> {
        (0..self.sessions.len() as u32).map(SessionIx)
    }

    /// The project of a session.
    #[must_use]
    pub fn project_of(&self, session: &StoredSession) -> &Project {
        &self.projects[session.project.at()]
    }

    /// Sessions whose id is `text`; else those whose id begins with it, `session-` before it or not.
    ///
    /// Told by the names of folders; where none fits, by the headers of all sessions.
    #[must_use]
    pub fn find_id(&self, text: &[u8]) -> Vec<SessionIx> {
        let by_folder: Vec<_> = self.places().map(|at| (at, self[at].id_by_folder())).collect();
        let found = fitting(text, &by_folder);
        if !found.is_empty() || text.is_empty() {
            return found;
        }
        let id = |at: SessionIx| self.head(self[at].current()).header().and_then(|header| header.id.clone());
        fitting(text, &self.places().map(|at| (at, id(at))).collect::<Vec<_>>())
    }

    /// How many regular files are no log of the store.
    #[must_use]
    pub fn count_of_other_files(&self) -> usize {
        self.other_files.iter().filter(|file| file.kind != OtherKind::Special).count()
    }

    /// Other files by their name and kind, with how many there are of each, in the order of the first of each.
    #[must_use]
    pub fn other_names(&self) -> Vec<(&OtherFile, usize)> {
        let mut places: HashMap<(&[u8], OtherKind), usize> = HashMap::new();
        let mut names: Vec<(&OtherFile, usize)> = Vec::new();
        for file in &self.other_files {
            let place = *places.entry((file.name(), file.kind)).or_insert(names.len());
            match names.get_mut(place) {
                Some((_, count)) => *count += 1,
                None => names.push((file, 1)),
            }
        }
        names
    }

    /// Why no session is shown; `None` where there is one.
    #[must_use]
    pub fn why_empty(&self) -> Option<WhyEmpty> {
        if !self.sessions.is_empty() {
            return None;
        }
        let is_unlisted = |problem: &Problem| match problem {
            Problem::Unlisted { .. } | Problem::NotLookedAt { .. } | Problem::BadEntry { .. } => true,
            Problem::SeenAlready { .. } | Problem::Broken { .. } | Problem::NoLog { .. } => false,
        };
        Some(if self.problems.iter().any(is_unlisted) {
            WhyEmpty::Unlisted
        } else if !self.other_files.is_empty() {
            WhyEmpty::OtherFilesOnly
        } else if !self.projects.is_empty() {
            WhyEmpty::FoldersOnly
        } else {
            WhyEmpty::Nothing
        })
    }

    /// Whether logs of both encodings lie in it: the harness takes one encoding a root and refuses the root when it
    /// meets a file of the other.
    #[must_use]
    pub fn mixes_encodings(&self) -> bool {
        let mut logs = self.sessions.iter().flat_map(|session| &session.generations);
        let first = logs.next().map(|log| log.encoding);
        logs.any(|log| Some(log.encoding) != first)
    }
}

/// Places of the ids that are `text`, else of those that begin with it.
fn fitting(text: &[u8], ids: &[(SessionIx, Option<WireText>)]) -> Vec<SessionIx> {
    let that = |fits: &dyn Fn(&[u8]) -> bool| -> Vec<SessionIx> {
        let bare = |id: &WireText| fits(id.as_bytes().strip_prefix(b"session-").unwrap_or_default());
        let one = |(at, id): &(SessionIx, Option<WireText>)| {
            id.as_ref().filter(|id| fits(id.as_bytes()) || bare(id)).map(|_| *at)
        };
        ids.iter().filter_map(one).collect()
    };
    if text.is_empty() {
        return Vec::new();
    }
    let exact = that(&|id| id == text);
    if exact.is_empty() { that(&|id| id.starts_with(text)) } else { exact }
}

impl Index<SessionIx> for Store {
    type Output = StoredSession;

    fn index(&self, at: SessionIx) -> &StoredSession {
        &self.sessions[at.at()]
    }
}
