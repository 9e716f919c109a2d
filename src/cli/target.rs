//! What a path on the command line means: a log, and where to begin in it; a store; or what it is instead.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::recognise::why_no_log;
use super::refusal::{Refusal, Why};
use crate::log::{Content, FileSource, MemorySource, Source, sniff};
use crate::store::{Disk, OtherKind, RootKind, Store, StoredSession, discover, open_archive};

/// Most bytes taken from standard input, which is held in memory: 2 GiB, more than twenty times the largest log met.
const MOST_FROM_A_PIPE: u64 = 2 << 30;

/// The name of standard input in reports and titles.
const STANDARD_INPUT: &str = "standard input";

/// What an argument means.
pub(crate) enum Found {
    /// A log.
    Log(Target),
    /// Several sessions, or an export.
    Store(Store),
}

/// A log to open.
#[derive(Clone)]
pub(crate) struct Target {
    /// The path as opened, or a name for standard input.
    pub(crate) path: PathBuf,
    /// Its bytes.
    pub(crate) source: Arc<dyn Source>,
    /// Whether reading the path again can give other bytes.
    pub(crate) origin: Origin,
    /// The seq named after the path, `88` or `6/2`.
    pub(crate) seq: Option<String>,
    /// The session folder that was named, with its other generations.
    pub(crate) folder: Option<Store>,
}

/// Where the bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A file, which may grow.
    File,
    /// Standard input, read to its end.
    Pipe,
    /// An entry of an archive.
    Archive,
}

/// Finds what an argument means, `PATH[:SEQ]` or `PATH:SEQ/NTH`, and looks that it can be shown. A name that is no
/// path is looked up as the id of a session in `root`, or the beginning of one.
pub(crate) fn find(argument: &Path, root: Option<&Path>) -> Result<Found, Refusal> {
    let (path, seq) = split_seq(argument);
    Ok(match open(&path, root)? {
        Found::Log(target) => Found::Log(Target { seq, ..target }),
        Found::Store(store) => Found::Store(store),
    })
}

/// As [`find`], without a seq.
pub(crate) fn open(path: &Path, root: Option<&Path>) -> Result<Found, Refusal> {
    if path == Path::new("-") {
        return from_standard_input();
    }
    if path.is_dir() {
        return folder(path);
    }
    if let Some(store) = archive(path)? {
        return Ok(Found::Store(store));
    }
    if fs::symlink_metadata(path).is_err()
        && let Some(root) = root.filter(|root| root.is_dir() && is_bare_name(path))
    {
        return by_id(path, root).map(Found::Log);
    }
    file(path).map(Found::Log)
}

/// The sessions root, when nothing was named.
pub(crate) fn open_root(root: Option<PathBuf>) -> Result<Found, Refusal> {
    let Some(root) = root else { return Err(Refusal::new(Path::new("~"), Why::NoHome)) };
    if fs::metadata(&root).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Err(Refusal::new(&root, Why::NoStore));
    }
    look_at(&root).and_then(|store| with_sessions(&root, store)).map(Found::Store)
}

fn file(path: &Path) -> Result<Target, Refusal> {
    if let Some(refusal) = special(path) {
        return Err(refusal);
    }
    let source = FileSource::open(path).map_err(|error| Refusal::unreadable(path, &error))?;
    checked(Target { path: path.to_owned(), source: Arc::new(source), origin: Origin::File, seq: None, folder: None })
}

/// The sessions of an archive; `None` for what is none.
fn archive(path: &Path) -> Result<Option<Store>, Refusal> {
    // What cannot be opened is told by whoever opens it next.
    let Ok(source) = FileSource::open(path) else { return Ok(None) };
    export(&(Arc::new(source) as Arc<dyn Source>), path)
}

fn export(source: &Arc<dyn Source>, path: &Path) -> Result<Option<Store>, Refusal> {
    if !matches!(sniff(source.as_ref()), Ok(Content::Zip)) {
        return Ok(None);
    }
    let store =
        open_archive(Arc::clone(source), path).map_err(|error| Refusal::new(path, Why::Zip(error.to_string())))?;
    with_sessions(path, store).map(Some)
}

impl Target {
    /// The session that an export was made of: the one at its root, else the first.
    pub(crate) fn of_export(store: Store) -> Result<Target, Refusal> {
        let path = store.sessions[0].current().path.clone();
        let source = store.open(&path).map_err(|error| Refusal::unreadable(&path, &error))?;
        Ok(Target { path, source, origin: Origin::Archive, seq: None, folder: Some(store) })
    }
}

fn look_at(folder: &Path) -> Result<Store, Refusal> {
    let never = &mut |_| std::ops::ControlFlow::Continue(());
    discover(Arc::new(Disk), folder, never).map_err(|error| Refusal::unreadable(folder, &error))
}

fn with_sessions(path: &Path, store: Store) -> Result<Store, Refusal> {
    match store.why_empty() {
        None => Ok(store),
        Some(why) => Err(Refusal::new(path, Why::NoSession { kind: store.kind, why, files: store.other_files.len() })),
    }
}

/// What a folder holds: a session, which stands for its highest generation, or several.
fn folder(path: &Path) -> Result<Found, Refusal> {
    let store = with_sessions(path, look_at(path)?)?;
    if store.kind != RootKind::Session {
        return Ok(Found::Store(store));
    }
    let target = current(&store.sessions[0])?;
    Ok(Found::Log(Target { folder: Some(store), ..target }))
}

/// The log of a session that the harness reads.
fn current(session: &StoredSession) -> Result<Target, Refusal> {
    file(&session.current().path)
}

/// Whether a path is one name: only that can be the id of a session.
fn is_bare_name(path: &Path) -> bool {
    let mut parts = path.components();
    matches!(parts.next(), Some(std::path::Component::Normal(_))) && parts.next().is_none()
}

/// Candidates that a message names, at most.
const MOST_NAMED: usize = 5;

/// The session of a store by its id, or by the beginning of one that no other id has.
fn by_id(path: &Path, root: &Path) -> Result<Target, Refusal> {
    let store = look_at(root)?;
    let text = path.as_os_str().as_encoded_bytes();
    let fits = store.find_id(text);
    match &*fits {
        [] => Err(Refusal::new(path, Why::NoSuchId { root: root.to_owned() })),
        [only] => current(&store[*only]),
        several => {
            let named = several.iter().take(MOST_NAMED).map(|at| store[*at].folder.clone()).collect();
            Err(Refusal::new(path, Why::Ambiguous { root: root.to_owned(), named, count: several.len() }))
        }
    }
}

fn from_standard_input() -> Result<Found, Refusal> {
    let path = PathBuf::from(STANDARD_INPUT);
    let stdin = io::stdin().lock();
    if io::IsTerminal::is_terminal(&stdin) {
        return Err(Refusal::new(&path, Why::Terminal));
    }
    let source =
        MemorySource::read_from(stdin, MOST_FROM_A_PIPE).map_err(|error| Refusal::unreadable(&path, &error))?;
    let source: Arc<dyn Source> = Arc::new(source);
    if let Some(store) = export(&source, &path)? {
        return Ok(Found::Store(store));
    }
    checked(Target { path, source, origin: Origin::Pipe, seq: None, folder: None }).map(Found::Log)
}

/// Splits a seq off, where no file of the whole name exists: a file name may hold a colon.
fn split_seq(argument: &Path) -> (PathBuf, Option<String>) {
    let whole = (argument.to_owned(), None);
    if fs::symlink_metadata(argument).is_ok() {
        return whole;
    }
    let bytes = argument.as_os_str().as_encoded_bytes();
    let Some(colon) = memchr::memrchr(b':', bytes) else { return whole };
    let Some(seq) = std::str::from_utf8(&bytes[colon + 1..]).ok().filter(|seq| is_seq(seq)).map(str::to_owned) else {
        return whole;
    };
    match prefix(argument.as_os_str(), colon) {
        path if path.as_os_str().is_empty() => whole,
        path => (path, Some(seq)),
    }
}

/// `88`, or `6/2` for the second event with seq 6.
fn is_seq(text: &str) -> bool {
    let (seq, nth) = text.split_once('/').unwrap_or((text, "1"));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u64>().is_ok();
    is_number(seq) && is_number(nth)
}

#[cfg(unix)]
fn prefix(text: &OsStr, len: usize) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(&text.as_bytes()[..len]))
}

#[cfg(not(unix))]
fn prefix(text: &OsStr, len: usize) -> PathBuf {
    text.to_str().and_then(|text| text.get(..len)).map(PathBuf::from).unwrap_or_default()
}

/// Names what is no regular file before anything opens it: opening a pipe would wait for its writer.
fn special(path: &Path) -> Option<Refusal> {
    let metadata = fs::metadata(path).ok()?;
    let why = special_kind(&metadata)?;
    Some(Refusal::new(path, why))
}

#[cfg(unix)]
fn special_kind(metadata: &fs::Metadata) -> Option<Why> {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        Some(Why::Fifo)
    } else if kind.is_socket() {
        Some(Why::Socket)
    } else if kind.is_block_device() || kind.is_char_device() {
        Some(Why::Device)
    } else {
        None
    }
}

#[cfg(not(unix))]
fn special_kind(_metadata: &fs::Metadata) -> Option<Why> {
    None
}

/// Refuses what its first bytes show to be something else.
fn checked(target: Target) -> Result<Target, Refusal> {
    let content = sniff(&*target.source).map_err(|error| Refusal::unreadable(&target.path, &error))?;
    let is_lock = OtherKind::of_path(&target.path) == OtherKind::Lock;
    let why = match content {
        // Later builds may write something into it: it is never a log.
        Content::Empty | Content::Plain | Content::Other(_) if is_lock => Some(Why::Lock),
        Content::Empty => None,
        Content::Zstd | Content::Plain => {
            why_no_log(&*target.source, content).map_err(|error| Refusal::unreadable(&target.path, &error))?
        }
        // An entry of an archive that is one itself.
        Content::Zip => Some(Why::Other("a ZIP archive".to_owned())),
        Content::Sqlite => Some(Why::Sqlite),
        Content::Gzip => Some(Why::Gzip),
        Content::Other(kind) => Some(Why::Other(kind.to_string())),
    };
    match why {
        None => Ok(target),
        Some(why) => Err(Refusal::new(&target.path, why)),
    }
}

#[cfg(test)]
mod tests;
