//! Looking into a stored line that may be cut off at its end.
//!
//! A row of a list and a tab of the detail pane are made from a line's first kilobytes: a line of 129 MiB is never
//! fetched whole to show one row of it. [`Peek`] reads what is there: fields before the cut are whole, the one the cut
//! falls into is there as far as it goes, and what follows is missing.

use std::borrow::Cow;

use crate::record::json::{Shape, Text, Value, prefix};

/// Items and fields looked at in a container; a hostile one has millions.
pub(crate) const MOST_PARTS: usize = 10_000;

/// A value of a line, whole or cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peek<'a> {
    /// It is all there.
    Whole(Value<'a>),
    /// It starts here and the bytes end inside it.
    Cut(&'a [u8]),
}

impl<'a> Peek<'a> {
    /// The value of a line. `None` only for bytes that begin no value.
    ///
    /// Time grows with the bytes; nothing is copied.
    pub(crate) fn line(line: &'a [u8]) -> Option<Peek<'a>> {
        match Value::parse(line) {
            Ok(value) => Some(Peek::Whole(value)),
            Err(_) => matches!(line.trim_ascii_start().first(), Some(b'{' | b'[' | b'"')).then_some(Peek::Cut(line)),
        }
    }

    /// The bytes as stored, as far as they are there.
    pub(crate) fn raw(self) -> &'a [u8] {
        match self {
            Peek::Whole(value) => value.raw(),
            Peek::Cut(raw) => raw,
        }
    }

    /// Whether the value is all there.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Peek::Whole(_))
    }

    /// What kind of value it is.
    pub(crate) fn shape(self) -> Option<Shape> {
        match self {
            Peek::Whole(value) => Some(value.shape()),
            Peek::Cut(raw) => match raw.trim_ascii_start().first() {
                Some(b'{') => Some(Shape::Object),
                Some(b'[') => Some(Shape::Array),
                Some(b'"') => Some(Shape::String),
                Some(b'-' | b'0'..=b'9') => Some(Shape::Number),
                _ => None,
            },
        }
    }

    /// The value of a key; the last one where it is repeated.
    pub(crate) fn get(self, key: &str) -> Option<Peek<'a>> {
        match self {
            Peek::Whole(value) => value.get(key).map(Peek::Whole),
            Peek::Cut(_) => self.fields().into_iter().rev().find(|(name, _)| name.is(key)).map(|(_, value)| value),
        }
    }

    /// Like [`Peek::get`], key by key down.
    pub(crate) fn path(self, keys: &[&str]) -> Option<Peek<'a>> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The fields of an object, the first [`MOST_PARTS`]; none of anything else.
    pub(crate) fn fields(self) -> Vec<(Text<'a>, Peek<'a>)> {
        match self {
            Peek::Whole(value) => {
                value.fields().take(MOST_PARTS).map(|(key, value)| (key, Peek::Whole(value))).collect()
            }
            Peek::Cut(raw) => {
                let parts = prefix(raw).fields.into_iter();
                parts.filter_map(|part| Some((part.key?, part_of(part.value, part.raw)?))).collect()
            }
        }
    }

    /// The items of an array, the first [`MOST_PARTS`]; none of anything else.
    pub(crate) fn items(self) -> Vec<Peek<'a>> {
        match self {
            Peek::Whole(value) => value.items().take(MOST_PARTS).map(Peek::Whole).collect(),
            Peek::Cut(raw) if raw.trim_ascii_start().first() == Some(&b'[') => {
                let parts = prefix(raw).fields.into_iter();
                parts.filter_map(|part| part_of(part.value, part.raw)).collect()
            }
            Peek::Cut(_) => Vec::new(),
        }
    }

    /// How many items an array has, however many they are.
    pub(crate) fn count(self) -> u64 {
        match self {
            Peek::Whole(value) => value.items().count() as u64,
            Peek::Cut(_) => self.items().len() as u64,
        }
    }

    /// The item of an array at a place, from 0. Walks there.
    pub(crate) fn nth(self, at: usize) -> Option<Peek<'a>> {
        match self {
            Peek::Whole(value) => value.items().nth(at).map(Peek::Whole),
            Peek::Cut(_) => self.items().into_iter().nth(at),
        }
    }

    /// The decoded text of a string, at most `max` bytes of it.
    pub(crate) fn text(self, max: usize) -> Option<Cow<'a, [u8]>> {
        match self {
            Peek::Whole(value) => value.as_text().map(|text| text.decode_upto(max)),
            Peek::Cut(raw) => cut_text(raw.trim_ascii_start(), max).map(Cow::Owned),
        }
    }

    /// The decoded text of a key's string, at most `max` bytes of it.
    pub(crate) fn text_of(self, key: &str, max: usize) -> Option<Cow<'a, [u8]>> {
        self.get(key)?.text(max)
    }

    /// The integer of a key.
    pub(crate) fn integer(self, key: &str) -> Option<i64> {
        match self.get(key)? {
            Peek::Whole(value) => value.as_i64(),
            Peek::Cut(_) => None,
        }
    }

    /// A number as a double.
    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Peek::Whole(value) => value.as_f64(),
            Peek::Cut(_) => None,
        }
    }

    /// Whether the key's string is `text`.
    pub(crate) fn says(self, key: &str, text: &str) -> bool {
        matches!(self.get(key), Some(Peek::Whole(value)) if value.as_text().is_some_and(|found| found.is(text)))
    }

    /// Whether the key is `true`.
    pub(crate) fn is_true(self, key: &str) -> bool {
        matches!(self.get(key), Some(Peek::Whole(value)) if value.is_true())
    }

    /// A one-line form for values that are not text: the string's text, or the bytes as stored.
    pub(crate) fn plain(self, max: usize) -> Cow<'a, [u8]> {
        self.text(max).unwrap_or_else(|| {
            let raw = self.raw();
            Cow::Borrowed(raw.get(..max.min(raw.len())).unwrap_or_default())
        })
    }
}

fn part_of<'a>(value: Option<Value<'a>>, raw: &'a [u8]) -> Option<Peek<'a>> {
    match value {
        Some(value) => Some(Peek::Whole(value)),
        None => (!raw.is_empty()).then_some(Peek::Cut(raw)),
    }
}

/// The text of a string whose end is missing: at most `max` bytes.
fn cut_text(raw: &[u8], max: usize) -> Option<Vec<u8>> {
    if raw.first() != Some(&b'"') {
        return None;
    }
    // An escape is at most six times as long as what it stands for; a pair of them makes four bytes of twelve.
    let most = max.saturating_mul(6).saturating_add(12).min(raw.len());
    let mut closed = raw.get(..most).unwrap_or_default().to_vec();
    // The end may lie inside an escape or a pair of them: at most twelve bytes are given up.
    for _ in 0..12 {
        closed.push(b'"');
        if let Ok(value) = Value::parse(&closed) {
            return Some(value.as_text()?.decode_upto(max).into_owned());
        }
        closed.pop();
        closed.pop();
    }
    Some(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_line_and_every_cut_of_it_agree_as_far_as_they_go() {
        let line =
            br#"{"type":"x","data":{"turn":3,"name":"b\u00e9t\ud83d\udc4d","list":[1,"two",{"a":true}],"end":"z"}}"#;
        let whole = Peek::line(line).expect("an object").get("data").expect("data");
        assert_eq!(whole.integer("turn"), Some(3));
        assert_eq!(whole.text_of("name", 99).as_deref(), Some("bét👍".as_bytes()));
        assert_eq!(whole.get("list").map(|list| list.items().len()), Some(3));
        let name = "bét👍".as_bytes();
        for end in 1..line.len() {
            let Some(cut) = Peek::line(&line[..end]) else { continue };
            let Some(data) = cut.get("data") else { continue };
            assert!(matches!(data.integer("turn"), None | Some(3)));
            if let Some(text) = data.text_of("name", 99) {
                // A cut pair of surrogates may show its first half.
                let stable = text.len().min(4);
                assert_eq!(text[..stable], name[..stable], "cut at {end}");
            }
        }
        let cut = Peek::line(&line[..line.len() - 12]).and_then(|cut| cut.path(&["data", "list"])).expect("the list");
        assert_eq!(cut.items().len(), 3);
    }

    #[test]
    fn no_bytes_panic() {
        for line in [&b""[..], b"\"", b"{", b"[", b"nul", b"{\"a\"", b"{\"a\":", b"[1,", b"\"\\u00", b"\xff"] {
            let Some(peek) = Peek::line(line) else { continue };
            let _ = (peek.fields(), peek.items(), peek.text(10), peek.get("a"), peek.shape(), peek.plain(4));
        }
    }
}
