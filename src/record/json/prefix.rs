//! What parses of a text up to where it stops being JSON.

use super::error::JsonError;
use super::parse::{Watch, check, explain};
use super::text::Text;
use super::value::{Shape, Value};
use std::ops::Range;

/// Fields or items kept of a prefix; a pane shows a screenful.
const KEPT: usize = 1_000;

/// The part of a text that parses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix<'a> {
    /// What the text began as; `None` where it has no beginning of a value.
    pub shape: Option<Shape>,
    /// Top-level fields of an object or items of an array, in file order, the first thousand.
    pub fields: Vec<PrefixField<'a>>,
    /// Why it stops; `None` where the whole text is JSON.
    pub error: Option<JsonError>,
}

/// One field or item of a [`Prefix`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefixField<'a> {
    /// Its key; `None` in an array.
    pub key: Option<Text<'a>>,
    /// Its bytes, up to the error where it is not closed; empty where only the key is there.
    pub raw: &'a [u8],
    /// The value, where it is whole.
    pub value: Option<Value<'a>>,
}

#[derive(Default)]
struct Found {
    shape: Option<Shape>,
    key: Option<Range<usize>>,
    start: Option<usize>,
    done: Vec<(Option<Range<usize>>, Range<usize>)>,
}

impl Watch for Found {
    fn opened(&mut self, depth: usize, _: usize, is_array: bool) {
        if depth == 1 {
            self.shape = Some(if is_array { Shape::Array } else { Shape::Object });
        }
    }

    fn key(&mut self, depth: usize, key: Range<usize>) {
        if depth == 1 {
            self.key = Some(key);
        }
    }

    fn starts(&mut self, depth: usize, at: usize) {
        if depth == 1 {
            self.start = Some(at);
        }
    }

    fn ends(&mut self, depth: usize, end: usize) {
        if depth == 1
            && let Some(start) = self.start.take()
        {
            let key = self.key.take();
            if self.done.len() < KEPT {
                self.done.push((key, start..end));
            }
        }
    }
}

/// Reads `text` as far as it is JSON. Time grows with the text; memory with the number of top-level fields, a thousand at most.
#[must_use]
pub fn prefix(text: &[u8]) -> Prefix<'_> {
    let mut found = Found::default();
    let outcome = check(text, &mut found);
    let piece = |range: Range<usize>| text.get(range).unwrap_or_default();
    let mut fields: Vec<_> = found
        .done
        .into_iter()
        .map(|(key, range)| PrefixField {
            key: key.map(|key| Text::trusted(piece(key))),
            raw: piece(range.clone()),
            value: Some(Value::trusted(piece(range))),
        })
        .collect();
    let error = outcome.err().map(|stop| explain(text, &stop));
    if let Some(error) = &error
        && fields.len() < KEPT
    {
        let raw = found.start.map(|start| piece(start..error.offset.max(start))).unwrap_or_default();
        if found.key.is_some() || !raw.is_empty() {
            fields.push(PrefixField { key: found.key.map(|key| Text::trusted(piece(key))), raw, value: None });
        }
    }
    let first = text.trim_ascii_start();
    let shape = found.shape.or_else(|| (!first.is_empty() && error.is_none()).then(|| Value::trusted(first).shape()));
    Prefix { shape, fields, error }
}
