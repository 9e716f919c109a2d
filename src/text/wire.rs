//! Text as a log holds it, and the form it takes in a report.
//!
//! JSON text of the harness can hold what a Rust `String` cannot: half of a surrogate pair (`"\ud83d"`), and bytes
//! that are not UTF-8. Both are kept, so that two different ids never become one.

use std::fmt;

use super::decode::{Unit, Units};

/// Text as a log holds it: the bytes of a decoded JSON string in generalized UTF-8.
///
/// A lone surrogate escape such as `\ud83d` is the three bytes `ED A0 BD`; bytes that are not UTF-8 stay as they
/// are. Compares and sorts by bytes. Never drawn as it is: see [`crate::text::sanitize`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct WireText(Box<[u8]>);

impl WireText {
    /// Takes the bytes as they are; nothing is checked or changed.
    pub fn from_bytes(bytes: impl Into<Box<[u8]>>) -> Self {
        Self(bytes.into())
    }

    /// The bytes, as given.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether there is no byte at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text for JSON output and other files: see [`report_string`].
    #[must_use]
    pub fn to_report(&self) -> String {
        report_string(&self.0)
    }
}

impl fmt::Debug for WireText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WireText({:?})", self.to_report())
    }
}

impl From<&str> for WireText {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl From<String> for WireText {
    fn from(text: String) -> Self {
        Self(text.into_bytes().into())
    }
}

impl PartialEq<str> for WireText {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other.as_bytes()
    }
}

impl PartialEq<&str> for WireText {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == *other.as_bytes()
    }
}

impl PartialEq<[u8]> for WireText {
    fn eq(&self, other: &[u8]) -> bool {
        *self.0 == *other
    }
}

/// Bytes of a log as valid UTF-8 for a report: only what cannot be UTF-8 changes.
///
/// A lone surrogate becomes the six characters of its escape (`\ud83d`, lower case); other bytes that are not UTF-8
/// become U+FFFD, one for each maximal subpart, as the WHATWG decoder and `String::from_utf8_lossy` do. Control
/// characters stay: whoever writes JSON escapes them. Not for a terminal.
#[must_use]
pub fn report_string(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(bytes.len());
    for (_, unit, _) in Units::new(bytes) {
        match unit {
            Unit::Char(c) => out.push(c),
            Unit::Surrogate(half) => push_escape(&mut out, u32::from(half)),
            Unit::Bad => out.push('\u{FFFD}'),
        }
    }
    out
}

/// Adds the six characters `\u001b` for a UTF-16 unit.
pub(crate) fn push_escape(out: &mut String, unit: u32) {
    use std::fmt::Write;
    // Writing to a String cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_is_not_utf8_changes_in_a_report() {
        let table: [(&[u8], &str); 6] = [
            (b"plain", "plain"),
            (b"a\xED\xA0\xBDb", "a\\ud83db"),
            (b"a\xFFb\xE2\x82c", "a\u{FFFD}b\u{FFFD}c"),
            (b"\x1b[0m\n\0", "\x1b[0m\n\0"),
            ("👩 é".as_bytes(), "👩 é"),
            (b"", ""),
        ];
        for (bytes, expected) in table {
            assert_eq!(WireText::from_bytes(bytes).to_report(), expected);
        }
    }

    #[test]
    fn two_halves_stay_two_ids() {
        let a = WireText::from_bytes(*b"\xED\xA0\xBD");
        let b = WireText::from_bytes(*b"\xED\xA0\xBE");
        assert_ne!(a, b);
        assert_eq!(WireText::from("call_1"), "call_1");
        assert_eq!(format!("{a:?}"), "WireText(\"\\\\ud83d\")");
    }

    proptest! {
        #[test]
        fn text_is_untouched(text: String) {
            prop_assert_eq!(WireText::from(text.as_str()).to_report(), text);
        }
    }
}
