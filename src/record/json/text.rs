//! The text of a string, still escaped.

use super::scan::string_stop;
use super::word::{self, WORD};
use crate::record::event::Fingerprint;
use crate::text::wire::WireText;
use std::borrow::Cow;

/// The text between the quotes of a string that is known to be well formed, escapes as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Text<'a> {
    escaped: &'a [u8],
}

/// A stretch of a text.
#[derive(Clone, Copy)]
enum Part<'a> {
    /// Bytes that stand for themselves.
    Plain(&'a [u8]),
    /// One escape, a pair of surrogates included: up to four bytes.
    Escaped([u8; 4], usize),
}

impl<'a> Text<'a> {
    /// Takes bytes that a check has passed.
    #[inline]
    pub(super) const fn trusted(escaped: &'a [u8]) -> Self {
        Self { escaped }
    }

    /// The bytes as written.
    #[must_use]
    #[inline]
    pub const fn escaped(self) -> &'a [u8] {
        self.escaped
    }

    /// Nothing in it is escaped.
    #[must_use]
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        string_stop(self.escaped, 0) == self.escaped.len()
    }

    /// No text.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.escaped.is_empty()
    }

    /// The text itself, in WTF-8: a pair of surrogate escapes is one character of four bytes, a lone one three bytes. Bytes that are
    /// not UTF-8 stay as they are. Borrowed where nothing is escaped.
    #[must_use]
    pub fn decode(self) -> Cow<'a, [u8]> {
        self.decode_upto(usize::MAX)
    }

    /// The longest start of the text, in whole characters, of at most `max` bytes.
    #[must_use]
    #[inline]
    pub fn decode_upto(self, max: usize) -> Cow<'a, [u8]> {
        if self.escaped.len() <= max && self.is_plain() {
            return Cow::Borrowed(self.escaped);
        }
        self.decode_escaped(max)
    }

    fn decode_escaped(self, max: usize) -> Cow<'a, [u8]> {
        let mut parts = self.parts();
        let first = match parts.next() {
            None => return Cow::Borrowed(&[]),
            Some(Part::Plain(plain)) if plain.len() == self.escaped.len() || plain.len() > max => {
                return Cow::Borrowed(cut(plain, max));
            }
            Some(first) => first,
        };
        // The decoded text is never longer than the escaped one.
        let mut out = Vec::with_capacity(self.escaped.len().min(max));
        for part in std::iter::once(first).chain(parts) {
            let room = max - out.len();
            match part {
                Part::Plain(plain) => {
                    let piece = cut(plain, room);
                    out.extend_from_slice(piece);
                    if piece.len() < plain.len() {
                        break;
                    }
                }
                Part::Escaped(bytes, count) if count <= room => {
                    out.extend_from_slice(bytes.get(..count).unwrap_or_default());
                }
                Part::Escaped(..) => break,
            }
        }
        Cow::Owned(out)
    }

    /// Whether the text is `other`, however it is escaped.
    #[must_use]
    #[inline]
    pub fn is(self, other: &str) -> bool {
        if self.escaped == other.as_bytes() {
            return !other.contains('\\');
        }
        // An escape is longer than what it stands for.
        self.escaped.len() > other.len() && self.is_escaped(other.as_bytes())
    }

    fn is_escaped(self, other: &[u8]) -> bool {
        // Four bytes more than needed: a start in whole characters is then longer than `other` where the text is.
        memchr::memchr(b'\\', self.escaped).is_some() && *self.decode_upto(other.len() + 4) == *other
    }

    /// The text, owned.
    #[must_use]
    pub fn to_wire(self) -> WireText {
        WireText::from_bytes(self.decode().into_owned())
    }

    /// The longest start of the text of at most `max` bytes, owned.
    #[must_use]
    pub fn to_wire_upto(self, max: usize) -> WireText {
        WireText::from_bytes(self.decode_upto(max).into_owned())
    }

    /// Characters of the text: Unicode scalar values, and one for each lone surrogate. Bytes that are not UTF-8 count when they could
    /// begin a character. Saturates.
    #[must_use]
    #[inline]
    pub fn chars(self) -> u32 {
        let mut count = 0usize;
        for part in self.parts() {
            count += match part {
                Part::Plain(plain) => count_chars(plain),
                Part::Escaped(..) => 1,
            };
        }
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Length and hash of the decoded text, without taking memory for it.
    #[must_use]
    pub fn fingerprint(self) -> Fingerprint {
        let mut hasher = Hasher::default();
        hasher.push(self);
        hasher.finish()
    }

    #[inline]
    fn parts(self) -> Parts<'a> {
        Parts { rest: self.escaped }
    }
}

/// Walks the parts of a text.
struct Parts<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    #[inline]
    fn next(&mut self) -> Option<Part<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        // Quotes and controls do not occur in a checked text, so the next stop is a backslash or the end.
        let stop = string_stop(self.rest, 0);
        if stop > 0 {
            let (plain, rest) = self.rest.split_at_checked(stop)?;
            self.rest = rest;
            return Some(Part::Plain(plain));
        }
        let (bytes, count, used) = escape(self.rest);
        self.rest = self.rest.get(used..).unwrap_or_default();
        Some(Part::Escaped(bytes, count))
    }
}

/// Reads the escape at the start of `rest`: its bytes, how many they are, and how many bytes it is written with.
fn escape(rest: &[u8]) -> ([u8; 4], usize, usize) {
    let single = match rest.get(1) {
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'u') => {
            let unit = hex(rest, 2);
            if (0xd800..0xdc00).contains(&unit) && rest.get(6..8) == Some(b"\\u") {
                let low = hex(rest, 8);
                if (0xdc00..0xe000).contains(&low) {
                    let (bytes, count) = encode(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
                    return (bytes, count, 12);
                }
            }
            let (bytes, count) = encode(unit);
            return (bytes, count, 6);
        }
        Some(&byte) => byte,
        None => b'\\',
    };
    ([single, 0, 0, 0], 1, 2)
}

fn hex(rest: &[u8], from: usize) -> u32 {
    let digits = rest.get(from..from + 4).unwrap_or_default();
    digits.iter().fold(0, |sum, &digit| sum << 4 | char::from(digit).to_digit(16).unwrap_or_default())
}

/// A code point as UTF-8 would write it, surrogates included.
const fn encode(code: u32) -> ([u8; 4], usize) {
    const fn tail(code: u32, shift: u32) -> u8 {
        0x80 | (code >> shift & 0x3f) as u8
    }
    match code {
        0..0x80 => ([code as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xc0 | (code >> 6) as u8, tail(code, 0), 0, 0], 2),
        0x800..0x1_0000 => ([0xe0 | (code >> 12) as u8, tail(code, 6), tail(code, 0), 0], 3),
        _ => ([0xf0 | (code >> 18 & 7) as u8, tail(code, 12), tail(code, 6), tail(code, 0)], 4),
    }
}

/// The longest start of at most `max` bytes that does not end inside a character.
fn cut(plain: &[u8], max: usize) -> &[u8] {
    if plain.len() <= max {
        return plain;
    }
    let mut end = max;
    // At most three steps: longer runs of such bytes are no UTF-8, and then any place will do.
    while end > 0 && max - end < 3 && plain.get(end).is_some_and(|&byte| byte & 0xc0 == 0x80) {
        end -= 1;
    }
    plain.get(..end).unwrap_or_default()
}

fn count_chars(plain: &[u8]) -> usize {
    let (words, rest) = plain.as_chunks::<WORD>();
    let whole: usize = words.iter().map(|bytes| word::chars(u64::from_le_bytes(*bytes), WORD)).sum();
    whole + rest.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// Builds a [`Fingerprint`] from pieces: the same for the same text, however it is cut.
#[derive(Debug, Clone, Default)]
pub struct Hasher {
    state: u64,
    pending: u64,
    bytes: u64,
}

impl Hasher {
    /// Adds a text.
    pub fn push(&mut self, text: Text<'_>) {
        for part in text.parts() {
            match part {
                Part::Plain(plain) => self.push_bytes(plain),
                Part::Escaped(bytes, count) => {
                    self.push_bytes(bytes.get(..count).unwrap_or_default());
                }
            }
        }
    }

    /// Adds decoded bytes.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let held = (self.bytes % 8) as usize;
        self.bytes += bytes.len() as u64;
        let mut rest = bytes;
        if held > 0 {
            let (first, others) = rest.split_at(rest.len().min(8 - held));
            self.pending |= load(first) << (held * 8);
            if held + first.len() < 8 {
                return;
            }
            self.mix();
            rest = others;
        }
        while let Some((word, tail)) = rest.split_first_chunk::<8>() {
            self.pending = u64::from_le_bytes(*word);
            self.mix();
            rest = tail;
        }
        self.pending = load(rest);
    }

    /// Takes in the eight pending bytes.
    #[inline]
    fn mix(&mut self) {
        self.state = fold(self.state ^ self.pending, 0x9e37_79b9_7f4a_7c15) ^ self.state.rotate_left(23);
        self.pending = 0;
    }

    /// Length and hash of everything added.
    #[must_use]
    pub const fn finish(&self) -> Fingerprint {
        let last = fold(self.state ^ self.pending, 0xd6e8_feb8_6659_fd93);
        Fingerprint { bytes: self.bytes, hash: fold(last ^ self.bytes, 0xa076_1d64_78bd_642f) }
    }
}

/// Up to eight bytes as a little-endian word.
#[inline]
fn load(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Multiplies to 128 bits and folds the halves; the addition keeps 0 from staying 0.
const fn fold(word: u64, by: u64) -> u64 {
    let product = (word.wrapping_add(0x2d35_8dcc_aa6c_78a5) as u128) * (by as u128);
    (product as u64) ^ ((product >> 64) as u64)
}
