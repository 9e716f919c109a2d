//! Bytes of a log → units: characters, lone surrogates, and bytes that are no text.
//!
//! The bytes are generalized UTF-8: a lone surrogate stands as the three bytes that UTF-8 would give it.
//! Every byte belongs to exactly one unit, so positions can be worked out from lengths.

/// What stands at one place of a log's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A character.
    Char(char),
    /// Half of a UTF-16 pair without its other half, `0xD800..=0xDFFF`.
    Surrogate(u16),
    /// One to three bytes that are not UTF-8: a maximal subpart, as the WHATWG decoder groups them.
    Bad,
}

/// The unit at `at` and its length in bytes, 1 to 4. `None` at or past the end.
pub(crate) fn unit_at(bytes: &[u8], at: usize) -> Option<(Unit, usize)> {
    let rest = bytes.get(at..)?;
    let &first = rest.first()?;
    if first < 0x80 {
        return Some((Unit::Char(char::from(first)), 1));
    }
    // The second byte has its own bounds: no over-long forms, nothing past U+10FFFF.
    let (length, low, high) = match first {
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xE1..=0xEF => (3, 0x80, 0xBF),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => return Some((Unit::Bad, 1)),
    };
    let mut value = u32::from(first) & (0x7F >> length);
    for index in 1..length {
        let (low, high) = if index == 1 { (low, high) } else { (0x80, 0xBF) };
        match rest.get(index) {
            Some(&byte) if (low..=high).contains(&byte) => {
                value = value << 6 | u32::from(byte & 0x3F);
            }
            // `ED A0` alone is two bad bytes to a strict decoder, since ED never leads to A0 there.
            _ if first == 0xED && index == 2 && rest[1] >= 0xA0 => return Some((Unit::Bad, 1)),
            _ => return Some((Unit::Bad, index)),
        }
    }
    match char::from_u32(value) {
        Some(c) => Some((Unit::Char(c), length)),
        None => Some((Unit::Surrogate(value as u16), length)),
    }
}

/// The units of a text with the byte position of each.
#[derive(Debug, Clone)]
pub(crate) struct Units<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Units<'a> {
    /// Starts at the first byte.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }
}

impl Iterator for Units<'_> {
    /// Byte position, unit, length in bytes.
    type Item = (usize, Unit, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let (unit, length) = unit_at(self.bytes, at)?;
        self.at += length;
        Some((at, unit, length))
    }
}

/// The unit that ends just before `end`, with the position where it starts. `None` at the start.
///
/// Looks back at most four bytes; bytes that are no text come one at a time.
pub(crate) fn unit_before(bytes: &[u8], end: usize) -> Option<(usize, Unit)> {
    let last = end.checked_sub(1)?;
    let floor = end.saturating_sub(4);
    let mut start = last;
    while start > floor && bytes.get(start).is_some_and(|byte| byte & 0xC0 == 0x80) {
        start -= 1;
    }
    match unit_at(bytes, start) {
        Some((unit, length)) if start + length == end => Some((start, unit)),
        _ => Some((last, Unit::Bad)),
    }
}

/// The longest prefix of at most `max` bytes that splits no character.
pub(crate) fn prefix(bytes: &[u8], max: usize) -> &[u8] {
    if bytes.len() <= max {
        return bytes;
    }
    let mut end = max;
    while end > 0 && max - end < 3 && bytes[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    // A run of bare continuation bytes has no character to protect.
    if bytes[end] & 0xC0 == 0x80 {
        end = max;
    }
    &bytes[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn units(bytes: &[u8]) -> Vec<Unit> {
        Units::new(bytes).map(|(_, unit, _)| unit).collect()
    }

    #[test]
    fn surrogates_and_bad_bytes_are_told_apart() {
        assert_eq!(units(b"\xED\xA0\xBD"), [Unit::Surrogate(0xD83D)]);
        assert_eq!(units(b"\xED\xBF\xBF"), [Unit::Surrogate(0xDFFF)]);
        assert_eq!(units(b"\xED\xA0"), [Unit::Bad, Unit::Bad]);
        assert_eq!(units(b"\xE2\x82"), [Unit::Bad]);
        assert_eq!(units(b"\xC0\x80"), [Unit::Bad, Unit::Bad]);
        assert_eq!(units(b"\xF4\x90\x80\x80"), [Unit::Bad; 4]);
        assert_eq!(units("é👩".as_bytes()), [Unit::Char('é'), Unit::Char('👩')]);
    }

    #[test]
    fn a_prefix_splits_no_character() {
        assert_eq!(prefix("aé".as_bytes(), 2), b"a");
        assert_eq!(prefix("a👩".as_bytes(), 4), b"a");
        assert_eq!(prefix("a👩".as_bytes(), 5), "a👩".as_bytes());
        assert_eq!(prefix(b"\x80\x80\x80\x80\x80\x80", 5).len(), 5);
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_decoder(bytes: Vec<u8>) {
            let mut own = String::new();
            for unit in units(&bytes) {
                match unit {
                    Unit::Char(c) => own.push(c),
                    // Three single bytes to a strict decoder.
                    Unit::Surrogate(_) => own.push_str("\u{FFFD}\u{FFFD}\u{FFFD}"),
                    Unit::Bad => own.push('\u{FFFD}'),
                }
            }
            prop_assert_eq!(own, String::from_utf8_lossy(&bytes).into_owned());
        }

        #[test]
        fn backwards_finds_the_same_characters(text: String) {
            let mut end = text.len();
            let mut back = Vec::new();
            while let Some((start, unit)) = unit_before(text.as_bytes(), end) {
                back.push(unit);
                end = start;
            }
            back.reverse();
            prop_assert_eq!(back, units(text.as_bytes()));
        }
    }
}
