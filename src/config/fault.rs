//! Why the settings are not used.

use std::path::PathBuf;

use crate::text::fault::Fault;
use crate::text::locale::Words;
use crate::text::sanitize;

/// Why the settings are not used.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// The file cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// It is read, and wrong.
    Wrong(PathBuf, Fault),
}

impl Unusable {
    /// One printable line: the file, the place, what is wrong.
    pub(crate) fn say(&self, words: &Words) -> String {
        let shown = |path: &PathBuf| sanitize::display(path.as_os_str().as_encoded_bytes());
        match self {
            Unusable::Unreadable(path, error) => {
                let what = sanitize::display(error.to_string().as_bytes());
                words.say("cli.complaint", &[("path", &shown(path)), ("what", &what)])
            }
            Unusable::Wrong(path, fault) => {
                let place = format!("{}:{}:{}", shown(path), fault.place.line, fault.place.column);
                words.say("cli.complaint", &[("path", &place), ("what", &fault.say(words))])
            }
        }
    }
}
