//! A line and its top-level fields in one pass.

use super::ends::{DEEPEST, Ends};
use super::error::JsonError;
use super::parse::{Watch, check, explain};
use super::text::Text;
use super::value::Value;
use std::ops::Range;

/// Top-level fields that [`Spans`] notes; records of the format have at most seven.
const NOTED: usize = 8;

/// Places of the start and the end of a field's key and value, in a text of at most 4 GiB.
#[derive(Clone, Copy, Default)]
struct Noted {
    key: (u32, u32),
    value: (u32, u32),
}

/// A checked text with the places of its first top-level fields, noted while it was checked.
pub struct Spans<'a> {
    text: &'a [u8],
    bounds: Range<usize>,
    fields: [Noted; NOTED],
    count: usize,
    /// All top-level fields are noted.
    is_whole: bool,
    ends: Ends,
}

impl Noted {
    /// `None` beyond 4 GiB.
    #[inline]
    fn of(key: &Range<usize>, value: Range<usize>) -> Option<Noted> {
        // A value ends after its key.
        let end = u32::try_from(value.end).ok()?;
        Some(Noted { key: (key.start as u32, key.end as u32), value: (value.start as u32, end) })
    }

    fn bytes(text: &[u8], (start, end): (u32, u32)) -> &[u8] {
        text.get(start as usize..end as usize).unwrap_or_default()
    }
}

struct Notes {
    fields: [Noted; NOTED],
    count: usize,
    is_whole: bool,
    /// Where the value at hand starts, by its depth.
    starts: [usize; DEEPEST + 1],
    key: Range<usize>,
    is_object: bool,
    ends: Ends,
}

impl Watch for Notes {
    #[inline]
    fn opened(&mut self, depth: usize, _: usize, is_array: bool) {
        if depth == 1 {
            self.is_object = !is_array;
        }
    }

    #[inline]
    fn key(&mut self, depth: usize, key: Range<usize>) {
        if depth == 1 {
            self.key = key;
        }
    }

    #[inline]
    fn starts(&mut self, depth: usize, at: usize) {
        if let Some(start) = self.starts.get_mut(depth) {
            *start = at;
        }
    }

    #[inline]
    fn ends(&mut self, depth: usize, end: usize) {
        let Some(&start) = self.starts.get(depth) else {
            return;
        };
        self.ends.note(start, end);
        if depth == 1 && self.is_object {
            let noted = Noted::of(&self.key, start..end);
            match (self.fields.get_mut(self.count), noted) {
                (Some(field), Some(noted)) => *field = noted,
                _ => self.is_whole = false,
            }
            self.count += 1;
        }
    }
}

impl<'a> Spans<'a> {
    /// Checks a text, as [`Value::parse`] does, and notes its top-level fields.
    pub fn parse(text: &'a [u8]) -> Result<Self, JsonError> {
        let mut notes = Notes {
            fields: Default::default(),
            count: 0,
            is_whole: true,
            starts: [0; DEEPEST + 1],
            key: 0..0,
            is_object: false,
            ends: Ends::of(text),
        };
        match check(text, &mut notes) {
            Ok(bounds) => {
                let Notes { fields, count, is_whole, ends, .. } = notes;
                Ok(Self { text, bounds, fields, count, is_whole, ends })
            }
            Err(stop) => Err(explain(text, &stop)),
        }
    }

    /// The whole value.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        Value::noted(self.text.get(self.bounds.clone()).unwrap_or_default(), &self.ends)
    }

    /// How many top-level fields there are, repeated keys counted each; 0 for anything but an object.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// No top-level field.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Calls `each` for every top-level field in file order, repeated keys included.
    #[inline]
    pub fn each<'s>(&'s self, mut each: impl FnMut(Text<'s>, Value<'s>)) {
        if !self.is_whole {
            self.value().fields().for_each(|(key, value)| each(key, value));
            return;
        }
        for field in self.fields.iter().take(self.count) {
            let (key, value) = (Noted::bytes(self.text, field.key), Noted::bytes(self.text, field.value));
            each(Text::trusted(key), Value::noted(value, &self.ends));
        }
    }
}
