//! What is looked for in a text: a text, or a pattern between slashes.

use std::ops::Range;

use regex::bytes::{Regex as BytesRegex, RegexBuilder as BytesBuilder};
use regex::{Regex, RegexBuilder};

/// Memory that a pattern may take once compiled, bytes: a hostile one is refused.
const PATTERN_LIMIT: usize = 1 << 20;

/// What is looked for. Lower case letters match both cases as long as there is no upper case letter.
#[derive(Debug, Clone)]
pub struct Needle {
    typed: String,
    is_pattern: bool,
    shown: Regex,
    stored: BytesRegex,
}

impl PartialEq for Needle {
    fn eq(&self, other: &Needle) -> bool {
        (&self.typed, self.is_pattern) == (&other.typed, other.is_pattern)
    }
}

impl Eq for Needle {}

impl Needle {
    /// Reads what was typed in a search: `/re/` is a pattern, anything else a text. `Err` says what is wrong with a
    /// pattern.
    pub fn parse(typed: &str) -> Result<Needle, String> {
        match typed.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|inner| !inner.is_empty()) {
            Some(pattern) => Needle::pattern(pattern),
            None => Needle::plain(typed),
        }
    }

    /// A text as it is. `Err` where it is too long.
    pub fn plain(text: &str) -> Result<Needle, String> {
        Needle::of(text.to_owned(), text, &regex::escape(text), false)
    }

    /// A pattern, without its slashes.
    pub fn pattern(pattern: &str) -> Result<Needle, String> {
        Needle::of(format!("/{pattern}/"), pattern, pattern, true)
    }

    fn of(typed: String, cased: &str, source: &str, is_pattern: bool) -> Result<Needle, String> {
        let blind = !cased.chars().any(char::is_uppercase);
        let shown = RegexBuilder::new(source).case_insensitive(blind).size_limit(PATTERN_LIMIT).build();
        let stored = BytesBuilder::new(source).case_insensitive(blind).size_limit(PATTERN_LIMIT).build();
        match (shown, stored) {
            (Ok(shown), Ok(stored)) => Ok(Needle { typed, is_pattern, shown, stored }),
            (Err(why), _) | (_, Err(why)) => Err(why.to_string().lines().last().unwrap_or_default().to_owned()),
        }
    }

    /// As typed, of a pattern with its slashes.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.typed
    }

    /// Whether it is a pattern.
    #[must_use]
    pub fn is_pattern(&self) -> bool {
        self.is_pattern
    }

    /// Whether bytes hold it.
    #[must_use]
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        self.stored.is_match(bytes)
    }

    /// Where it stands in bytes; in order, never empty.
    pub(crate) fn places<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        self.stored.find_iter(bytes).map(|found| found.range()).filter(|range| !range.is_empty())
    }

    /// Where it stands in a printable text, for marking; byte ranges in order, never empty.
    #[must_use]
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        self.shown.find_iter(text).map(|found| found.range()).filter(|range| !range.is_empty()).collect()
    }
}
