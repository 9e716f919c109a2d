//! The strings of a stored line: those that are values, one after the other, without nesting and without a tree.
//!
//! It reads damaged lines as far as their quotation marks go.

use std::borrow::Cow;

use crate::record::json::Value;

/// Walks the string values of a line; keys of objects are passed over.
pub(super) struct Strings<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Strings<'a> {
    pub(super) fn of(line: &'a [u8]) -> Strings<'a> {
        Strings { line, at: 0 }
    }
}

impl<'a> Iterator for Strings<'a> {
    type Item = Cow<'a, [u8]>;

    fn next(&mut self) -> Option<Cow<'a, [u8]>> {
        loop {
            let open = self.at + memchr::memchr(b'"', self.line.get(self.at..)?)?;
            let start = open + 1;
            let (end, escaped) = end_of(self.line, start);
            self.at = end + 1;
            let after = self.line.get(self.at..).unwrap_or_default();
            let is_key = after.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
            if is_key {
                continue;
            }
            let text = self.line.get(start..end).unwrap_or_default();
            return Some(if escaped {
                decoded(self.line.get(open..=end).unwrap_or_default(), text)
            } else {
                text.into()
            });
        }
    }
}

/// Where a string that begins here ends, and whether it holds escapes.
fn end_of(line: &[u8], start: usize) -> (usize, bool) {
    let (mut at, mut escaped) = (start, false);
    while let Some(found) = memchr::memchr2(b'"', b'\\', line.get(at..).unwrap_or_default()) {
        at += found;
        if line[at] == b'"' {
            return (at, escaped);
        }
        escaped = true;
        at += 2;
    }
    (line.len(), escaped)
}

fn decoded<'a>(quoted: &'a [u8], text: &'a [u8]) -> Cow<'a, [u8]> {
    match Value::parse(quoted) {
        Ok(value) => value.as_text().map_or(Cow::Borrowed(text), crate::record::json::Text::decode),
        Err(_) => text.into(),
    }
}

/// A text with its escapes undone once, for JSON inside a string: `\"a\"` is `"a"`. Never fails.
pub(super) fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(text.len() + 2);
    quoted.push(b'"');
    // Whatever quotation marks stand in it by themselves would end the string.
    let mut escaped = false;
    for byte in text {
        match byte {
            b'"' if !escaped => quoted.extend(b"\\\""),
            0..=0x1f if !escaped => quoted.extend(format!("\\u{byte:04x}").bytes()),
            other => quoted.push(*other),
        }
        escaped = *byte == b'\\' && !escaped;
    }
    quoted.push(b'"');
    match Value::parse(&quoted) {
        Ok(value) => value.as_text().map_or_else(|| text.to_vec(), |text| text.decode().into_owned()),
        Err(_) => text.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_are_found_and_keys_are_not() {
        let line = br#"{"type":"a/b","data" : {"k":["x\"y", "\u0041", 3, "" ]},"z":"end"}"#;
        let found: Vec<String> = Strings::of(line).map(|text| String::from_utf8_lossy(&text).into_owned()).collect();
        assert_eq!(found, ["a/b", "x\"y", "A", "", "end"]);
    }

    #[test]
    fn escapes_are_undone_once() {
        assert_eq!(unescaped(br#"{\"cmd\":\"rm\\n\"}"#), br#"{"cmd":"rm\n"}"#);
        assert_eq!(unescaped(br#"{"cmd":"say \"x\"\n"}"#), b"{\"cmd\":\"say \"x\"\n\"}");
        assert_eq!(unescaped(b"\\q"), b"\\q");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(line: Vec<u8>) {
            prop_assert!(Strings::of(&line).count() <= line.len());
            let _ = unescaped(&line);
        }
    }
}
