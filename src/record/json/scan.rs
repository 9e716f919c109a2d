//! Finding ends: of strings, of white space, of values that are known to be well formed.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Bytes looked at in one step once a string has proved long; a size that compiles to vector instructions.
const BLOCK: usize = 32;

/// The high bit of each byte that is `"`, `\` or below 0x20. Exact for the lowest such byte; above it there may be false ones, since
/// the subtraction borrows upwards.
const fn stops(word: u64) -> u64 {
    // Flipping bit 1 takes `"` (0x22) to 0x20 and keeps all controls below 0x20, while space and `!` stay above.
    let quote_or_control = word ^ (ONES * 0x02);
    let backslash = word ^ (ONES * b'\\' as u64);
    ((quote_or_control.wrapping_sub(ONES * 0x21) & !quote_or_control) | (backslash.wrapping_sub(ONES) & !backslash)) & HIGHS
}

const fn is_stop(byte: u8) -> bool {
    (byte ^ 2) < 0x21 || byte == b'\\'
}

fn block_has_stop(block: &[u8; BLOCK]) -> bool {
    block.iter().fold(0u8, |found, &byte| found | u8::from((byte ^ 2) < 0x21) | u8::from(byte == b'\\')) != 0
}

/// Index, at or after `from`, of the first byte that is `"`, `\` or below 0x20; the length of `text` when there is none.
#[inline]
pub(super) fn string_stop(text: &[u8], from: usize) -> usize {
    let mut at = from;
    // Most strings of a stream are shorter than two words.
    for _ in 0..2 {
        let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            return short_stop(text, at);
        };
        let found = stops(u64::from_le_bytes(*word));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    long_stop(text, at)
}

fn long_stop(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = text.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
        if block_has_stop(block) {
            break;
        }
        at += BLOCK;
    }
    while let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let found = stops(u64::from_le_bytes(*word));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    short_stop(text, at)
}

fn short_stop(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.iter().position(|&byte| is_stop(byte)).map_or(text.len(), |found| from + found)
}

/// The first byte at or after `at` that is no white space, by index.
#[inline]
pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = text.get(at) {
        at += 1;
    }
    at
}

/// Index of the closing quote of a well-formed string whose text starts at `from`.
#[inline]
pub(super) fn string_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        at = string_stop(text, at);
        match text.get(at) {
            None | Some(b'"') => return at,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Index after the closing quote of a well-formed string whose text starts at `from`, if it is short and has no escape.
#[inline]
pub(super) fn short_string_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..4 {
        let word = text.get(at..)?.first_chunk::<8>()?;
        let found = stops(u64::from_le_bytes(*word));
        if found != 0 {
            at += (found.trailing_zeros() / 8) as usize;
            return (text.get(at) == Some(&b'"')).then_some(at + 1);
        }
        at += 8;
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
