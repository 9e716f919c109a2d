//! Finding ends: of strings, of white space, of values that are known to be well formed.

use super::word::{self, WORD};

/// Words of a string that is found faster by reading it than by looking up its end.
const SHORT_WORDS: usize = 4;

/// Index, at or after `from`, of the first byte that is `"`, `\` or below 0x20; the length of `text` when there is none.
#[inline]
pub(super) fn string_stop(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = word::at(text, at) {
        let stops = word::stops(word);
        if stops != 0 {
            return at + word::first(stops);
        }
        at += WORD;
    }
    short_stop(text, at)
}

fn short_stop(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().position(|&byte| word::is_stop(byte)).map_or(text.len(), |found| from + found)
}

/// The first byte at or after `at` that is no white space, by index.
#[inline]
pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = text.get(at) {
        at += 1;
    }
    at
}

/// Index of the closing quote of a well-formed string whose text starts at `from`; the length of `text` when there is none.
#[inline]
pub(super) fn string_end(text: &[u8], from: usize) -> usize {
    let at = string_stop(text, from);
    if text.get(at) == Some(&b'"') { at } else { escaped_end(text, at) }
}

/// Like [`string_end`], from a backslash on. Steps from quote to quote: one after an odd number of backslashes belongs to the text.
fn escaped_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        let quote = at + found;
        // A run of backslashes does not reach before `at`: it begins after plain text or after a quote.
        let before = text.get(at..quote).unwrap_or_default();
        if before.iter().rev().take_while(|&&byte| byte == b'\\').count().is_multiple_of(2) {
            return quote;
        }
        at = quote + 1;
    }
    text.len()
}

/// Index after the closing quote of a well-formed string whose text starts at `from`, where it is short and has no escape.
#[inline]
pub(super) fn short_string_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..SHORT_WORDS {
        let stops = word::stops(word::at(text, at)?);
        if stops != 0 {
            at += word::first(stops);
            return (text.get(at) == Some(&b'"')).then_some(at + 1);
        }
        at += WORD;
    }
    None
}

/// Index after the well-formed value that starts at `at`.
#[inline]
pub(super) fn value_end(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'"') => (string_end(text, at + 1) + 1).min(text.len()),
        Some(b'{' | b'[') => container_end(text, at),
        _ => scalar_end(text, at),
    }
}

/// Index after a number or a word.
#[inline]
pub(super) fn scalar_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        if matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r') {
            break;
        }
        at += 1;
    }
    at
}

fn container_end(text: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => at = string_end(text, at + 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Start of the next item or key of a container; `None` at its end.
#[inline]
pub(super) fn next_place(raw: &[u8], at: usize) -> Option<usize> {
    let mut at = skip_space(raw, at);
    if raw.get(at) == Some(&b',') {
        at = skip_space(raw, at + 1);
    }
    match raw.get(at) {
        None | Some(b'}' | b']') => None,
        Some(_) => Some(at),
    }
}
