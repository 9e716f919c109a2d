//! Unit by unit: may it be drawn as it is, or must a mark stand for it?
//!
//! The one rule behind what `sanitize` marks and what `hidden` lists, so that the two cannot differ.

use super::class::{Class, class, joins_hangul};
use super::decode::Unit;

/// Combining marks that stay on one character; real scripts need four at most.
pub(crate) const MAX_STACKED: u8 = 8;

/// What to do with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It goes to the terminal as it is.
    Draw(char),
    /// A mark stands for it.
    Mark(Why),
}

/// Why a unit is not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// A control, or a character that is hidden by itself.
    Hidden(char),
    /// A combining mark or Hangul vowel with nothing before it to sit on.
    WithoutBase(char),
    /// A combining mark above [`MAX_STACKED`] others.
    Stacked(char),
    /// Half of a surrogate pair.
    Surrogate(u16),
    /// Bytes that are no text.
    Bad,
}

/// What was drawn just before.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Judge {
    /// The last character, if marks may sit on it.
    last: Option<char>,
    /// Marks and vowels on the last character that takes columns.
    stacked: u8,
}

impl Judge {
    /// Judges the next unit of a text. A caller that draws something else in between starts a fresh `Judge`.
    pub(crate) fn look(&mut self, unit: Unit) -> Verdict {
        let verdict = self.verdict(unit);
        match verdict {
            Verdict::Draw(c) => self.last = Some(c),
            Verdict::Mark(_) => *self = Self::default(),
        }
        verdict
    }

    fn verdict(&mut self, unit: Unit) -> Verdict {
        let c = match unit {
            Unit::Char(c) => c,
            Unit::Surrogate(half) => return Verdict::Mark(Why::Surrogate(half)),
            Unit::Bad => return Verdict::Mark(Why::Bad),
        };
        let has_base = match class(c) {
            Class::Plain => {
                self.stacked = 0;
                return Verdict::Draw(c);
            }
            Class::Control | Class::Hidden => return Verdict::Mark(Why::Hidden(c)),
            Class::Combining => self.last.is_some(),
            Class::HangulTail => self.last.is_some_and(|last| joins_hangul(last, c)),
        };
        if !has_base {
            return Verdict::Mark(Why::WithoutBase(c));
        }
        if self.stacked >= MAX_STACKED {
            return Verdict::Mark(Why::Stacked(c));
        }
        self.stacked += 1;
        Verdict::Draw(c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> String {
        let mut judge = Judge::default();
        text.chars()
            .map(|c| match judge.look(Unit::Char(c)) {
                Verdict::Draw(c) => c,
                Verdict::Mark(_) => '#',
            })
            .collect()
    }

    #[test]
    fn a_vowel_joins_only_where_a_syllable_can_go_on() {
        let table = [
            ("\u{1100}\u{1161}\u{11A8}", "\u{1100}\u{1161}\u{11A8}"),
            ("\u{AC00}\u{11A8}", "\u{AC00}\u{11A8}"),
            ("\u{AC01}\u{11A8}", "\u{AC01}\u{11A8}"),
            ("\u{AC01}\u{1161}", "\u{AC01}#"),
            ("\u{1100}\u{11A8}", "\u{1100}#"),
            ("\u{1100}\u{301}\u{1161}", "\u{1100}\u{301}#"),
            ("a\u{1161}", "a#"),
            ("\u{1161}", "#"),
        ];
        for (text, expected) in table {
            assert_eq!(drawn(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_mark_breaks_the_stack() {
        assert_eq!(drawn("e\u{301}\u{200D}\u{301}"), "e\u{301}##");
        assert_eq!(drawn(&format!("e{}", "\u{301}".repeat(9))), format!("e{}#", "\u{301}".repeat(8)));
    }
}
