//! Why a path is not shown: what it is instead, by name.

use std::io;
use std::path::{Path, PathBuf};

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
    /// A ZIP archive.
    Zip,
    /// An `SQLite` database.
    Sqlite,
    /// gzip data.
    Gzip,
    /// Something else with a name.
    Other(String),
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// A folder without a log in it.
    Folder,
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
        let path = sanitize::display(self.path.as_os_str().as_encoded_bytes());
        words.say("cli.complaint", &[("path", &path), ("what", &self.what(words))])
    }

    fn what(&self, words: &Words) -> String {
        let key = match &self.why {
            Why::Missing => "cli.missing",
            Why::Denied => "cli.denied",
            Why::Unreadable(why) => return sanitize::display(why.as_bytes()),
            Why::Terminal => "cli.terminal",
            Why::Zip => "cli.zip",
            Why::Sqlite => "cli.sqlite",
            Why::Gzip => "cli.gzip",
            Why::Other(kind) => return words.say("cli.other", &[("kind", kind)]),
            Why::Fifo => "cli.fifo",
            Why::Socket => "cli.socket",
            Why::Device => "cli.device",
            Why::Folder => "cli.folder",
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
