//! What is wrong in a file that a person has written for this program (settings, a theme), and where.

use super::locale::Words;
use super::sanitize;

/// A place in a file, as editors count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Counted from 1.
    pub line: usize,
    /// Characters from the start of the line, counted from 1.
    pub column: usize,
}

impl Place {
    /// Where a text ends that stands before the place. Bytes that are no UTF-8 count as characters.
    #[must_use]
    pub fn after(before: &[u8]) -> Place {
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        Place { line: 1 + memchr::memchr_iter(b'\n', before).count(), column }
    }
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// Key of the sentence.
    what: &'static str,
    values: Vec<(&'static str, String)>,
    /// A name that may have been meant.
    meant: Option<String>,
}

impl Fault {
    /// A fault at a place.
    pub(crate) fn new(place: Place, what: &'static str, values: Vec<(&'static str, String)>) -> Fault {
        Fault { place, what, values, meant: None }
    }

    /// The same with the one of some names that may have been meant.
    pub(crate) fn or_meant<'n>(self, name: &str, names: impl IntoIterator<Item = &'n str>) -> Fault {
        Fault { meant: nearest(name, names), ..self }
    }

    /// The fault in one printable line without the file.
    #[must_use]
    pub fn say(&self, words: &Words) -> String {
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

/// Columns of what is quoted from a file.
const MOST_QUOTED: usize = 240;

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
    fn places_are_counted_as_editors_do() {
        for (before, line, column) in [("", 1, 1), ("abc", 1, 4), ("a\nb", 2, 2), ("a\n", 2, 1), ("\né文", 2, 3)] {
            assert_eq!(Place::after(before.as_bytes()), Place { line, column }, "{before:?}");
        }
    }

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
