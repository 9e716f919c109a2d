//! One line being told: its value and what is known around it.

use super::calls::CallRows;
use super::line::MOST_BYTES;
use crate::session::row::{Row, RowIx};
use crate::text::locale::Words;
use crate::text::sanitize::one_line;
use crate::text::width::short_id;
use crate::triage::peek::Peek;
use crate::triage::session::Session;

/// Columns that a name, a code or an id takes at most.
const MOST_NAME: usize = 200;

/// A line with everything that its words may depend on.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) session: &'a Session,
    pub(super) calls: &'a CallRows,
    pub(super) words: &'a Words,
    pub(super) ix: RowIx,
    pub(super) row: &'a Row,
    /// The whole line.
    pub(super) event: Peek<'a>,
    /// Its `data`; nothing can be found in it where there is none.
    pub(super) data: Peek<'a>,
}

impl<'a> Told<'a> {
    /// Words of section `what`.
    pub(super) fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.words.say(&format!("what.{key}"), values)
    }

    /// A count in words of section `what`, with further holes.
    pub(super) fn say_count(&self, key: &str, n: u64, values: &[(&str, &str)]) -> String {
        self.words.count_with(&format!("what.{key}"), n, values)
    }

    /// A count of things, in words of section `count`.
    pub(super) fn count(&self, key: &str, n: u64) -> String {
        self.words.count(&format!("count.{key}"), n)
    }

    /// The string of a key of `data`, printable; empty where there is none.
    pub(super) fn name(&self, key: &str) -> String {
        name(self.data, key)
    }

    /// An id of `data`, cut in its middle; empty where there is none.
    pub(super) fn id(&self, key: &str) -> String {
        short_id(&self.name(key))
    }

    /// The bytes of a string of `data`; `None` where there is none.
    pub(super) fn prose(&self, key: &str) -> Option<std::borrow::Cow<'a, [u8]>> {
        self.data.text_of(key, MOST_BYTES)
    }

    /// A number of `data` as plain digits, `?` where it is missing.
    pub(super) fn plain_number(&self, key: &str) -> String {
        plain_number(self.data, key)
    }
}

/// The string of a key, printable; a value that is no string as it is stored; empty where there is none.
pub(super) fn name(value: Peek<'_>, key: &str) -> String {
    value.get(key).map_or_else(String::new, |found| one_line(&found.plain(MOST_BYTES), MOST_NAME))
}

/// The name of a tool; an empty one as `""`.
pub(super) fn tool_name(value: Peek<'_>) -> String {
    let name = name(value, "name");
    if name.is_empty() { "\"\"".to_owned() } else { name }
}

/// An integer as plain digits; what else stands there as stored; `?` where it is missing.
pub(super) fn plain_number(value: Peek<'_>, key: &str) -> String {
    match value.get(key) {
        None => "?".to_owned(),
        Some(found) => match value.integer(key) {
            Some(number) => number.to_string(),
            None => one_line(&found.plain(MOST_BYTES), MOST_NAME),
        },
    }
}
