//! Why a path is not shown: what it is instead, by name.

use std::io;
use std::path::{Path, PathBuf};

use crate::store::{RootKind, WhyEmpty, said};
use crate::text::locale::Words;
use crate::text::sanitize;

/// Why a path is no log that could be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The path, not yet printable.
    path: PathBuf,
    /// What it is instead.
    why: Why,
}

/// What something is that is no log.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// Nothing stands there.
    Missing,
    /// It may not be read.
    Denied,
    /// The system's words.
    Unreadable(String),
    /// Standard input is the terminal.
    Terminal,
    /// A ZIP archive whose list of entries cannot be read.
    Zip(String),
    /// An `SQLite` database.
    Sqlite,
    /// gzip data.
    Gzip,
    /// Something else with a name.
    Other(String),
    /// A named pipe.
    #[cfg_attr(not(unix), allow(dead_code, reason = "no path leads to one there"))]
    Fifo,
    /// A socket.
    #[cfg_attr(not(unix), allow(dead_code, reason = "no path leads to one there"))]
    Socket,
    /// A device.
    #[cfg_attr(not(unix), allow(dead_code, reason = "no path leads to one there"))]
    Device,
    /// A folder or an archive without a session in it.
    NoSession {
        /// What it is.
        kind: RootKind,
        /// What is in it.
        why: WhyEmpty,
        /// How many files that are no logs of sessions.
        files: usize,
    },
    /// The sessions folder, which nobody has made so far.
    NoStore,
    /// Nothing was named, and where the home folder is is not known.
    NoHome,
    /// The lock of a writer.
    Lock,
    /// Neither a path nor the id of a session.
    NoSuchId {
        /// Where ids were looked up.
        root: PathBuf,
    },
    /// The beginning of several ids, or an id that is stored twice.
    Ambiguous {
        /// Where ids were looked up.
        root: PathBuf,
        /// Folders of the first sessions that it fits.
        named: Vec<PathBuf>,
        /// How many it fits.
        count: usize,
    },
    /// Text, or text in zstd frames, that is no log.
    NotALog {
        /// What its first line is.
        flaw: Flaw,
        /// Number of that line, from 1.
        line: u32,
        /// The line, printable and cut.
        text: String,
    },
}

/// What a line is that is no line of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// No JSON.
    NotJson,
    /// JSON, but no object.
    NoObject,
    /// An object that does not name its type.
    NoType,
}

impl Refusal {
    /// A refusal.
    pub(crate) fn new(path: &Path, why: Why) -> Refusal {
        Refusal { path: path.to_owned(), why }
    }

    /// A refusal in the words of the system.
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Refusal {
        let why = match error.kind() {
            io::ErrorKind::NotFound => Why::Missing,
            io::ErrorKind::PermissionDenied => Why::Denied,
            _ => Why::Unreadable(error.to_string()),
        };
        Refusal::new(path, why)
    }

    /// One printable line: the path and what it is.
    pub(crate) fn say(&self, words: &Words) -> String {
        words.say("cli.complaint", &[("path", &shown(&self.path)), ("what", &self.what(words))])
    }

    fn what(&self, words: &Words) -> String {
        let key = match &self.why {
            Why::Missing => "cli.missing",
            Why::Denied => "cli.denied",
            Why::Unreadable(why) => return sanitize::display(why.as_bytes()),
            Why::Terminal => "cli.terminal",
            Why::Zip(why) => return words.say("cli.zip", &[("why", &sanitize::display(why.as_bytes()))]),
            Why::Sqlite => "cli.sqlite",
            Why::Gzip => "cli.gzip",
            Why::Other(kind) => return words.say("cli.other", &[("kind", kind)]),
            Why::Fifo => "cli.fifo",
            Why::Socket => "cli.socket",
            Why::Device => "cli.device",
            Why::Lock => "cli.lock",
            Why::NoStore => "cli.no_store",
            Why::NoHome => "cli.no_home",
            Why::NoSession { kind, why, files } => {
                let key = if *kind == RootKind::Export { "cli.zip_no_session" } else { "cli.folder" };
                return words.say(key, &[("why", &said::why_empty(*why, *files, words))]);
            }
            Why::NoSuchId { root } => return words.say("cli.no_such_id", &[("root", &shown(root))]),
            Why::Ambiguous { root, named, count } => return ambiguous(root, named, *count, words),
            Why::NotALog { flaw, line, text } => {
                let key = match flaw {
                    Flaw::NotJson => "cli.not_json",
                    Flaw::NoObject => "cli.no_object",
                    Flaw::NoType => "cli.no_type",
                };
                let why = words.say(key, &[("line", &line.to_string()), ("text", text)]);
                return words.say("cli.not_a_log", &[("why", &why)]);
            }
        };
        words.get(key).to_owned()
    }
}

/// The sessions that an id or its beginning fits, the first ones by name.
fn ambiguous(root: &Path, named: &[PathBuf], count: usize, words: &Words) -> String {
    let folder = |path: &PathBuf| shown(path.strip_prefix(root).unwrap_or(path));
    let mut parts: Vec<String> = named.iter().map(folder).collect();
    if count > named.len() {
        parts.push(words.count("report_text.more", (count - named.len()) as u64));
    }
    words.say(
        "cli.ambiguous",
        &[("sessions", &words.count("store.sessions", count as u64)), ("names", &parts.join(", "))],
    )
}

fn shown(path: &Path) -> String {
    sanitize::display(path.as_os_str().as_encoded_bytes())
}
