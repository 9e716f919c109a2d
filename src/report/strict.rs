//! JSON that a terminal can show: what it would act on, or not draw, is written as an escape.
//!
//! JSON asks for escapes below U+0020 alone, yet a terminal acts on U+009B too, and bidi controls put the rest of a line
//! in another order. The escapes are the same text to every reader of JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::text::class::{Class, class};

/// Writes a value as JSON in one line, without a line end.
pub(super) fn to_writer<W: Write>(out: W, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Visible)).map_err(io::Error::from)
}

/// Compact, and visible.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        // Nearly all of them are; the controls below U+0020 never come here.
        if fragment.is_ascii() && !fragment.contains('\u{7f}') {
            return out.write_all(fragment.as_bytes());
        }
        let mut written = 0;
        for (at, char) in fragment.char_indices() {
            if !matches!(class(char), Class::Control | Class::Hidden) {
                continue;
            }
            out.write_all(&fragment.as_bytes()[written..at])?;
            written = at + char.len_utf8();
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        out.write_all(&fragment.as_bytes()[written..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_an_escape_and_the_same_text() {
        for (text, expected) in [
            ("plain \u{e9} \u{4e2d} \u{1f600}", "\"plain \u{e9} \u{4e2d} \u{1f600}\""),
            ("\u{1b}[31m", r#""\u001b[31m""#),
            ("a\u{7f}b", r#""a\u007fb""#),
            ("\u{9b}31m", r#""\u009b31m""#),
            ("\u{202e}cba\u{2066}", r#""\u202ecba\u2066""#),
            ("a\u{200b}\u{2028}", r#""a\u200b\u2028""#),
            ("\u{e0041}", r#""\udb40\udc41""#),
        ] {
            let mut out = Vec::new();
            to_writer(&mut out, &text).unwrap();
            assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
            assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }
        let mut out = Vec::new();
        to_writer(&mut out, &std::collections::BTreeMap::from([("\u{9b}", 1)])).unwrap();
        assert_eq!(out, br#"{"\u009b":1}"#, "keys too");
    }
}
