//! What a character does to a terminal: drawn as it is, hidden behind a mark, or stacked on the one before.
//!
//! The Unicode tables are those of `regex-syntax`, read once into sorted ranges; own tables would go stale.

use std::sync::LazyLock;

use regex_syntax::hir::{Class as HirClass, HirKind};
use unicode_width::UnicodeWidthChar;

/// How a character is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// C0, DEL or C1: drawn as an escape, since a terminal would act on it.
    Control,
    /// No width, no fixed meaning or no assigned one: drawn as its code point.
    Hidden,
    /// A mark that stacks on the character before it.
    Combining,
    /// A vowel or final of a Hangul syllable: joins the Hangul letter before it.
    HangulTail,
    /// Drawn as it is, one or two columns wide.
    Plain,
}

/// Hidden: formats (bidi controls, joiners, tags), unassigned, private use, line and paragraph separator, everything
/// that Unicode says to ignore (variation selectors, fillers), and skin tones, which change the emoji before them.
const HIDDEN_PATTERN: &str =
    concat!(r"[\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}", r"\x{1F3FB}-\x{1F3FF}]");

/// Combining: all marks, and what else extends a grapheme (the two half-width Katakana sound marks).
const COMBINING_PATTERN: &str = r"[\p{M}\p{Grapheme_Extend}]";

static HIDDEN: LazyLock<Vec<(char, char)>> = LazyLock::new(|| ranges(HIDDEN_PATTERN));
static COMBINING: LazyLock<Vec<(char, char)>> = LazyLock::new(|| ranges(COMBINING_PATTERN));
static UNASSIGNED: LazyLock<Vec<(char, char)>> = LazyLock::new(|| ranges(r"\p{Cn}"));

/// The class of a character.
pub(crate) fn class(c: char) -> Class {
    match c {
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => return Class::Control,
        // Besides ASCII, Han and Hangul syllables: the bulk of wide text, free of surprises.
        ' '..='~' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => return Class::Plain,
        _ => {}
    }
    if within(&HIDDEN, c) {
        return Class::Hidden;
    }
    if within(&COMBINING, c) {
        return Class::Combining;
    }
    match c.width() {
        Some(1 | 2) => Class::Plain,
        Some(0) if is_hangul_tail(c) => Class::HangulTail,
        // Letters that are put before others without a width of their own, and the one that is three wide.
        _ => Class::Hidden,
    }
}

/// Whether no character stands at this code point in the tables at hand (noncharacters included).
pub(crate) fn is_unassigned(c: char) -> bool {
    within(&UNASSIGNED, c)
}

/// Whether a [`Class::HangulTail`] joins the character directly before it: the syllable rules of Unicode (GB6 to GB8).
pub(crate) fn joins_hangul(before: char, tail: char) -> bool {
    let vowel_follows = matches!(before, '\u{1100}'..='\u{115E}' | '\u{A960}'..='\u{A97C}');
    let open = matches!(before, '\u{1161}'..='\u{11A7}' | '\u{D7B0}'..='\u{D7C6}') || is_open_syllable(before);
    let closed = matches!(before, '\u{11A8}'..='\u{11FF}' | '\u{D7CB}'..='\u{D7FB}')
        || (matches!(before, '\u{AC00}'..='\u{D7A3}') && !is_open_syllable(before));
    if matches!(tail, '\u{1161}'..='\u{11A7}' | '\u{D7B0}'..='\u{D7C6}') {
        vowel_follows || open
    } else {
        open || closed
    }
}

/// A precomposed syllable without a final: every 28th of its block.
fn is_open_syllable(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}') && (u32::from(c) - 0xAC00).is_multiple_of(28)
}

fn is_hangul_tail(c: char) -> bool {
    matches!(c, '\u{1161}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7C6}' | '\u{D7CB}'..='\u{D7FB}')
}

fn within(ranges: &[(char, char)], c: char) -> bool {
    ranges
        .binary_search_by(|&(low, high)| {
            if high < c {
                std::cmp::Ordering::Less
            } else if low > c {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

fn ranges(pattern: &str) -> Vec<(char, char)> {
    let hir = regex_syntax::Parser::new().parse(pattern);
    match hir.as_ref().map(regex_syntax::hir::Hir::kind) {
        Ok(HirKind::Class(HirClass::Unicode(class))) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        // The patterns are constants and a test parses them; should one fail, everything it asks about is hidden.
        _ => vec![('\u{80}', char::MAX)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_there() {
        for pattern in [HIDDEN_PATTERN, COMBINING_PATTERN, r"\p{Cn}"] {
            assert!(ranges(pattern).len() > 5, "{pattern}");
        }
    }

    #[test]
    fn classes_of_known_characters() {
        let table: &[(Class, &str)] = &[
            (Class::Control, "\0\u{1b}\u{7f}\u{80}\u{9b}\n\t"),
            (
                Class::Hidden,
                "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\
                 \u{202a}\u{202e}\u{2060}\u{2064}\u{2066}\u{2069}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{fffb}\
                 \u{378}\u{e000}\u{fffe}\u{ffff}\u{1f3fb}\u{1f3ff}\u{e0001}\u{e007f}\u{e01ef}\u{10ffff}\u{600}",
            ),
            (Class::Combining, "\u{301}\u{20e3}\u{5b0}\u{93f}\u{ff9e}"),
            (Class::HangulTail, "\u{1161}\u{11ff}\u{d7b0}"),
            (Class::Plain, "a ~é合ガ한ᄀ👩💻🇩ﾶ\u{fffd}\u{a0}\u{3000}⋯↵▐ש\u{627}"),
        ];
        for (expected, characters) in table {
            for c in characters.chars() {
                assert_eq!(class(c), *expected, "U+{:04X}", u32::from(c));
            }
        }
    }

    #[test]
    fn what_is_plain_has_a_width_and_is_no_control() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            if class(c) == Class::Plain {
                assert!(matches!(c.width(), Some(1 | 2)), "U+{:04X}", u32::from(c));
                assert!(!c.is_control());
            }
        }
    }
}
