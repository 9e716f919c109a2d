//! A checked value and the walks over it.

use super::ends::{self, Ends};
use super::error::JsonError;
use super::number;
use super::parse;
use super::scan::{next_place, skip_space, string_end};
use super::text::Text;

/// The bytes of a value that is known to be well formed, without white space around it.
///
/// Two values are equal when their bytes are.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    raw: &'a [u8],
    ends: &'a Ends,
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Value").field(&String::from_utf8_lossy(self.raw)).finish()
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Value<'_> {}

/// What kind of value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number of any size.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Default for Value<'_> {
    /// `null`.
    fn default() -> Self {
        Self::trusted(b"null")
    }
}

impl<'a> Value<'a> {
    /// Checks a whole text and gives its value. Time grows with the text, memory by one bit a level of nesting.
    ///
    /// ```
    /// use trajview::record::json::Value;
    /// let value = Value::parse(br#"{"seq":3}"#).unwrap();
    /// assert_eq!(value.get("seq").and_then(Value::as_i64), Some(3));
    /// assert_eq!(Value::parse(br#"{"seq":3"#).unwrap_err().offset, 8);
    /// ```
    pub fn parse(text: &'a [u8]) -> Result<Self, JsonError> {
        parse::parse(text)
    }

    /// Takes bytes that a check has passed.
    #[inline]
    pub(super) const fn trusted(raw: &'a [u8]) -> Self {
        Self { raw, ends: &ends::NONE }
    }

    /// Takes bytes that a check has passed, and what it noted.
    #[inline]
    pub(super) const fn noted(raw: &'a [u8], ends: &'a Ends) -> Self {
        Self { raw, ends }
    }

    /// The bytes as the log holds them.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// What kind of value it is.
    #[must_use]
    #[inline]
    pub fn shape(self) -> Shape {
        match self.raw.first() {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::Array,
            Some(b'"') => Shape::String,
            Some(b't' | b'f') => Shape::Bool,
            Some(b'-' | b'0'..=b'9') => Shape::Number,
            _ => Shape::Null,
        }
    }

    /// The text of a string.
    #[must_use]
    #[inline]
    pub fn as_text(self) -> Option<Text<'a>> {
        match self.raw {
            [b'"', text @ .., b'"'] => Some(Text::trusted(text)),
            _ => None,
        }
    }

    /// A number as an integer, where `JSON.parse` makes an integer within ±(2^53 - 1) of it: `1.0`, `1e3` and `-0` are integers too.
    #[must_use]
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        if self.shape() == Shape::Number { number::to_i64(self.raw) } else { None }
    }

    /// A number as an integer, also beyond those that `JSON.parse` keeps exact, within ±2^61: a damaged log may count
    /// there, and differences of two such numbers still fit.
    #[must_use]
    #[inline]
    pub fn as_wide_i64(self) -> Option<i64> {
        self.as_i64().or_else(|| {
            let wide = std::str::from_utf8(self.raw).ok()?.parse::<i64>().ok()?;
            (wide.unsigned_abs() <= 1 << 61).then_some(wide)
        })
    }

    /// A number as the nearest double; infinite where it is beyond all doubles.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        if self.shape() == Shape::Number { number::to_f64(self.raw) } else { None }
    }

    /// The number is a zero with a minus sign.
    #[must_use]
    pub fn is_negative_zero(self) -> bool {
        self.shape() == Shape::Number && number::is_negative_zero(self.raw)
    }

    /// `true` or `false`.
    #[must_use]
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        match self.raw {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// The value is `true`.
    #[must_use]
    #[inline]
    pub fn is_true(self) -> bool {
        self.raw == b"true"
    }

    /// The value is an object.
    #[must_use]
    #[inline]
    pub fn is_object(self) -> bool {
        self.raw.first() == Some(&b'{')
    }

    /// The value is an array.
    #[must_use]
    #[inline]
    pub fn is_array(self) -> bool {
        self.raw.first() == Some(&b'[')
    }

    /// The fields of an object in file order, repeated keys included; none of anything else.
    #[must_use]
    #[inline]
    pub fn fields(self) -> Fields<'a> {
        Fields { raw: self.raw, ends: self.ends, at: if self.is_object() { 1 } else { self.raw.len() } }
    }

    /// The items of an array; none of anything else.
    #[must_use]
    #[inline]
    pub fn items(self) -> Items<'a> {
        Items { raw: self.raw, ends: self.ends, at: if self.is_array() { 1 } else { self.raw.len() } }
    }

    /// The value of a key, escaped in the text or not; the last one where it is repeated. Walks the whole object.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        self.fields().filter(|(found, _)| found.is(key)).last().map(|(_, value)| value)
    }

    /// The values of several keys in one walk, in the order asked for; the last one of each where it is repeated.
    #[must_use]
    #[inline]
    pub fn pick<const N: usize>(self, keys: [&str; N]) -> [Option<Value<'a>>; N] {
        let mut picked = [None; N];
        for (found, value) in self.fields() {
            let slot = keys.iter().position(|key| found.escaped() == key.as_bytes());
            // Our keys hold nothing that is escaped, and files hardly ever escape it all the same.
            let slot = slot.or_else(|| if found.is_plain() { None } else { keys.iter().position(|key| found.is(key)) });
            if let Some(slot) = slot.and_then(|slot| picked.get_mut(slot)) {
                *slot = Some(value);
            }
        }
        picked
    }

    /// Like [`Value::get`], key by key down.
    #[must_use]
    pub fn path(self, keys: &[&str]) -> Option<Value<'a>> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The string of a key.
    #[must_use]
    pub fn text(self, key: &str) -> Option<Text<'a>> {
        self.get(key).and_then(Value::as_text)
    }

    /// The integer of a key.
    #[must_use]
    pub fn integer(self, key: &str) -> Option<i64> {
        self.get(key).and_then(Value::as_i64)
    }
}

/// Walks the fields of an object.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    raw: &'a [u8],
    ends: &'a Ends,
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (Text<'a>, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let open = next_place(self.raw, self.at)?;
        let close = string_end(self.raw, open + 1);
        let key = self.raw.get(open + 1..close)?;
        // After the quote comes the colon, and after that the value, with white space where it pleases.
        let colon = skip_space(self.raw, close + 1);
        let start = skip_space(self.raw, colon + 1);
        let end = self.ends.value_end(self.raw, start);
        self.at = end;
        Some((Text::trusted(key), Value::noted(self.raw.get(start..end)?, self.ends)))
    }
}

/// Walks the items of an array.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    raw: &'a [u8],
    ends: &'a Ends,
    at: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let start = next_place(self.raw, self.at)?;
        let end = self.ends.value_end(self.raw, start);
        self.at = end;
        Some(Value::noted(self.raw.get(start..end)?, self.ends))
    }
}
