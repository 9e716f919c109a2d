//! Arrays of nothing but integers or strings: packed rows are hundreds of each, and are added up item by item.

use super::scan::{next_place, value_end};
use super::value::Value;
use super::word::{self, WORD};

/// What the strings of an array come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextRun {
    /// How many there are.
    pub items: usize,
    /// Their characters, counted as [`super::Text::chars`] does, saturating.
    pub chars: u32,
}

impl<'a> Value<'a> {
    /// The items of an array as integers, `None` for one that is none; nothing for anything but an array.
    #[must_use]
    #[inline]
    pub fn integers(self) -> Integers<'a> {
        Integers { raw: self.raw(), at: if self.is_array() { 1 } else { self.raw().len() } }
    }

    /// Counts the strings of an array; `None` where it is no array or holds anything else.
    #[must_use]
    pub fn text_run(self) -> Option<TextRun> {
        if !self.is_array() {
            return None;
        }
        let raw = self.raw();
        let mut run = TextRun::default();
        let mut at = 1;
        while let Some(start) = next_place(raw, at) {
            if raw.get(start) != Some(&b'"') {
                return None;
            }
            let plain = plain_chars(raw, start + 1);
            at = plain.map_or_else(|| value_end(raw, start), |(_, end)| end);
            let chars = match plain {
                Some((chars, _)) => chars,
                None => Value::trusted(raw.get(start..at)?).as_text()?.chars(),
            };
            run.items += 1;
            run.chars = run.chars.saturating_add(chars);
        }
        Some(run)
    }
}

/// Characters of a string without `\u` escapes whose text starts at `from`, and the index after its closing quote. `None` for a string that
/// has one or lies at the very end of `raw`.
#[inline]
fn plain_chars(raw: &[u8], from: usize) -> Option<(u32, usize)> {
    let (mut at, mut chars) = (from, 0);
    loop {
        let word = word::at(raw, at)?;
        let stops = word::stops(word);
        let count = word::first(stops);
        chars += word::chars(word, count);
        at += count;
        if count == WORD {
            continue;
        }
        match raw.get(at) {
            Some(b'"') => return Some((u32::try_from(chars).unwrap_or(u32::MAX), at + 1)),
            // Two escapes of the longer kind may make one character.
            Some(b'\\') if raw.get(at + 1) != Some(&b'u') => {
                chars += 1;
                at += 2;
            }
            _ => return None,
        }
    }
}

/// Walks the items of an array as integers.
#[derive(Debug, Clone)]
pub struct Integers<'a> {
    raw: &'a [u8],
    at: usize,
}

/// Digits of a number that is read in passing; with more it may be no safe integer.
const PLAIN_DIGITS: usize = 15;

impl Iterator for Integers<'_> {
    type Item = Option<i64>;

    #[inline]
    fn next(&mut self) -> Option<Option<i64>> {
        let start = next_place(self.raw, self.at)?;
        let (mut at, mut sum) = (start, 0i64);
        while let Some(digit @ b'0'..=b'9') = self.raw.get(at)
            && at - start < PLAIN_DIGITS
        {
            sum = sum * 10 + i64::from(digit - b'0');
            at += 1;
        }
        if at > start && matches!(self.raw.get(at), Some(b',' | b']')) {
            self.at = at;
            return Some(Some(sum));
        }
        let end = value_end(self.raw, start);
        self.at = end;
        Some(Value::trusted(self.raw.get(start..end)?).as_i64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str) -> Value<'_> {
        Value::parse(text.as_bytes()).expect("JSON")
    }

    #[test]
    fn integers_are_those_of_the_items() {
        let text = "[0, 12 ,-3,1.0,2.5,\"4\",[5],123456789012345,1234567890123456, 9007199254740993 ,{},null]";
        let expected: Vec<_> = value(text).items().map(Value::as_i64).collect();
        assert_eq!(value(text).integers().collect::<Vec<_>>(), expected);
        assert_eq!(value("{\"a\":1}").integers().next(), None);
        assert_eq!(value("[]").integers().next(), None);
    }

    #[test]
    fn only_arrays_of_strings_are_text_runs() {
        assert_eq!(value("[]").text_run(), Some(TextRun::default()));
        for text in ["{}", "\"a\"", "[1]", "[\"a\",1]", "[\"a\",[\"b\"]]", "null"] {
            assert_eq!(value(text).text_run(), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_text_run_counts_what_its_texts_count(texts in prop::collection::vec("[ -~é漢\u{1f600}\n]{0,20}", 0..12)) {
            let text = serde_json::to_string(&texts).expect("strings");
            let chars = texts.iter().map(|text| text.chars().count()).sum::<usize>();
            prop_assert_eq!(value(&text).text_run(), Some(TextRun { items: texts.len(), chars: chars as u32 }));
        }

        #[test]
        fn integers_agree_with_another_library(numbers in prop::collection::vec(-1_000_000_000_000_000i64..1_000_000_000_000_000, 0..12)) {
            let text = serde_json::to_string(&numbers).expect("numbers");
            let expected: Vec<_> = numbers.iter().map(|number| Some(*number)).collect();
            prop_assert_eq!(value(&text).integers().collect::<Vec<_>>(), expected);
        }
    }
}
