//! Eight bytes at once, as one number: where a stretch of plain text ends, and how many characters it holds.

/// Bytes of a word.
pub(super) const WORD: usize = 8;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The word at `at`, its first byte the lowest; `None` where fewer bytes are left.
#[inline]
pub(super) fn at(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Whether a byte can end a stretch of plain text inside a string: `"`, `\` or below 0x20.
#[inline]
pub(super) const fn is_stop(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The high bit of each byte that is a stop. Exact up to the lowest one; above it there may be false ones, since subtractions borrow
/// upwards.
#[inline]
pub(super) const fn stops(word: u64) -> u64 {
    // Flipping bit 1 takes `"` (0x22) to 0x20 and keeps all controls below 0x20, while space and `!` stay above.
    let flipped = word ^ (ONES * 0x02);
    let backslash = word ^ (ONES * 0x5c);
    ((flipped.wrapping_sub(ONES * 0x21) & !flipped) | (backslash.wrapping_sub(ONES) & !backslash)) & HIGHS
}

/// Place of the first byte that [`stops`] or a mask like it marks; 8 for none.
#[inline]
pub(super) const fn first(mask: u64) -> usize {
    (mask.trailing_zeros() / 8) as usize
}

/// How many of the first `count` bytes (at most 8) do not continue a character of UTF-8 (`10xxxxxx`).
#[inline]
pub(super) const fn chars(word: u64, count: usize) -> usize {
    let continuing = word & !(word << 1) & HIGHS;
    // Text is mostly ASCII, and counting bits costs a dozen steps where the processor is not asked for its own way.
    if continuing == 0 {
        return count;
    }
    let counted = if count >= WORD { u64::MAX } else { !(u64::MAX << (count * 8)) };
    count - (((continuing & counted) >> 7).wrapping_mul(ONES) >> 56) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_word_finds_what_its_bytes_are(bytes in any::<[u8; WORD]>(), text in "[ -~é]{8}", at in 0..WORD, count in 0..=WORD) {
            let mut mixed: [u8; WORD] = *text.as_bytes().first_chunk().expect("eight bytes");
            mixed[at] = bytes[at];
            for bytes in [bytes, mixed] {
                let word = u64::from_le_bytes(bytes);
                prop_assert_eq!(first(stops(word)), bytes.iter().position(|&byte| is_stop(byte)).unwrap_or(WORD));
                let counted = bytes[..count].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
                prop_assert_eq!(chars(word, count), counted);
            }
        }
    }
}
