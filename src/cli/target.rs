//! What a path on the command line means: a log, and where to begin in it; or what it is instead.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::recognise::why_no_log;
use super::refusal::{Refusal, Why};
use crate::log::{Content, FileSource, MemorySource, Source, sniff};

/// Most bytes taken from standard input, which is held in memory: 2 GiB, more than twenty times the largest log met.
const MOST_FROM_A_PIPE: u64 = 2 << 30;

/// The name of standard input in reports and titles.
const STANDARD_INPUT: &str = "standard input";

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
}

/// Where the bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A file, which may grow.
    File,
    /// Standard input, read to its end.
    Pipe,
}

/// Finds the log that an argument means, `PATH[:SEQ]` or `PATH:SEQ/NTH`, and looks that it can be one.
pub(crate) fn find(argument: &Path) -> Result<Target, Refusal> {
    let (path, seq) = split_seq(argument);
    open(&path).map(|target| Target { seq, ..target })
}

/// Opens the log at a path, without a seq.
pub(crate) fn open(path: &Path) -> Result<Target, Refusal> {
    if path == Path::new("-") {
        return from_standard_input();
    }
    let path = if path.is_dir() { newest_generation(path)? } else { path.to_owned() };
    if let Some(refusal) = special(&path) {
        return Err(refusal);
    }
    let source = FileSource::open(&path).map_err(|error| Refusal::unreadable(&path, &error))?;
    checked(Target { path, source: Arc::new(source), origin: Origin::File, seq: None })
}

fn from_standard_input() -> Result<Target, Refusal> {
    let path = PathBuf::from(STANDARD_INPUT);
    let stdin = io::stdin().lock();
    if io::IsTerminal::is_terminal(&stdin) {
        return Err(Refusal::new(&path, Why::Terminal));
    }
    let source =
        MemorySource::read_from(stdin, MOST_FROM_A_PIPE).map_err(|error| Refusal::unreadable(&path, &error))?;
    checked(Target { path, source: Arc::new(source), origin: Origin::Pipe, seq: None })
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

/// The log of a session folder: the highest generation, which is the one that the harness reads. Of two encodings of
/// one generation the zstd one, which is what the harness writes unless told otherwise.
fn newest_generation(folder: &Path) -> Result<PathBuf, Refusal> {
    let entries = fs::read_dir(folder).map_err(|error| Refusal::unreadable(folder, &error))?;
    let logs = entries.filter_map(Result::ok).filter_map(|entry| {
        let name = entry.file_name();
        let rank = generation(name.to_str()?)?;
        entry.path().is_file().then_some((rank, name))
    });
    match logs.max() {
        Some((_, name)) => Ok(folder.join(name)),
        None => Err(Refusal::new(folder, Why::Folder)),
    }
}

/// Generation and encoding that a canonical file name tells: `session.jsonl`, `session.vN.jsonl`, `.zstd` or not.
fn generation(name: &str) -> Option<(u64, bool)> {
    let rest = name.strip_prefix("session")?;
    let (rest, zstd) = match rest.strip_suffix(".zstd") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let middle = rest.strip_suffix(".jsonl")?;
    if middle.is_empty() {
        return Some((0, zstd));
    }
    let digits = middle.strip_prefix(".v")?;
    let canonical = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    canonical.then(|| digits.parse().ok()).flatten().map(|number| (number, zstd))
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
    let why = match content {
        Content::Empty => None,
        Content::Zstd | Content::Plain => {
            why_no_log(&*target.source, content).map_err(|error| Refusal::unreadable(&target.path, &error))?
        }
        Content::Zip => Some(Why::Zip),
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
