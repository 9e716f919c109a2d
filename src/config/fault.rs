//! What is wrong with the settings, and where.

use std::path::PathBuf;

use crate::text::locale::Words;
use crate::text::sanitize;

/// Why a file of settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Its line, counted from 1; `None` where the fault is in no line.
    pub(crate) line: Option<usize>,
    /// Key of the sentence.
    what: &'static str,
    values: Vec<(&'static str, String)>,
    /// A name that may have been meant.
    meant: Option<String>,
}

impl Fault {
    /// A fault in a line.
    pub(crate) fn new(line: usize, what: &'static str, values: Vec<(&'static str, String)>) -> Fault {
        Fault { line: Some(line), what, values, meant: None }
    }

    /// The same with the one of some names that may have been meant.
    pub(crate) fn or_meant<'n>(self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Fault {
        Fault { meant: nearest(name, names), ..self }
    }

    /// The fault in one printable line without the file.
    pub(crate) fn say(&self, words: &Words) -> String {
        let values: Vec<(&str, String)> = self
            .values
            .iter()
            .map(|(name, value)| (*name, sanitize::one_line(value.as_bytes(), MOST_QUOTED)))
            .collect();
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let what = words.say(self.what, &values);
        match &self.meant {
            Some(meant) => words.say("cli.did_you_mean", &[("what", &what), ("suggested", meant)]),
            None => what,
        }
    }
}

/// Columns of what is quoted from a file of settings.
const MOST_QUOTED: usize = 60;

/// Why the settings are not used.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// The file cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// It is read, and wrong.
    Wrong(PathBuf, Fault),
}

impl Unusable {
    /// One printable line: the file, the line, what is wrong.
    pub(crate) fn say(&self, words: &Words) -> String {
        let shown = |path: &PathBuf| sanitize::display(path.as_os_str().as_encoded_bytes());
        match self {
            Unusable::Unreadable(path, error) => {
                let what = sanitize::display(error.to_string().as_bytes());
                words.say("cli.complaint", &[("path", &shown(path)), ("what", &what)])
            }
            Unusable::Wrong(path, fault) => {
                let place = match fault.line {
                    Some(line) => format!("{}:{line}", shown(path)),
                    None => shown(path),
                };
                words.say("cli.complaint", &[("path", &place), ("what", &fault.say(words))])
            }
        }
    }
}

/// The name that differs least from another, if few of its letters do.
fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    // A name of a file may be as long as the file; none of ours is.
    if name.len() > 40 {
        return None;
    }
    let by_distance = names.into_iter().map(|known| (distance(name, known), known));
    let (distance, known) = by_distance.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + name.chars().count() / 4).then(|| known.to_owned())
}

/// Letters to change, add, leave out, or swap with the next between two names.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (at, char) in one.iter().enumerate() {
        let mut row = vec![at + 1];
        for (column, known) in other.iter().enumerate() {
            let changed = last[column] + usize::from(char != known);
            let mut fewest = changed.min(last[column + 1] + 1).min(row[column] + 1);
            if at > 0 && column > 0 && *char == other[column - 1] && one[at - 1] == *known {
                fewest = fewest.min(before[column - 1] + 1);
            }
            row.push(fewest);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_meant() {
        let names = ["theme", "color", "time", "zone"];
        for (name, meant) in [
            ("them", Some("theme")),
            ("colour", Some("color")),
            ("tiem", Some("time")),
            ("zon", Some("zone")),
            ("xyz", None),
        ] {
            assert_eq!(nearest(name, names).as_deref(), meant, "{name}");
        }
        assert_eq!(nearest(&"t".repeat(1000), names), None);
    }
}
