//! JSON as a log holds it, written as strict JSON.
//!
//! What strict readers refuse is told all the same: a lone surrogate as the six characters of its escape, a byte that
//! is not UTF-8 as U+FFFD, a number beyond 64 bits as it was written, of repeated keys the last.

use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::record::json::{Shape, Value};
use crate::text::wire::report_string;

/// Deepest nesting that is written; what lies deeper becomes its text. A log may nest a million levels.
const DEEPEST: usize = 100;

/// A value of a log.
#[derive(Clone, Copy)]
pub(super) struct Json<'a>(pub(super) Value<'a>);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested(self.0, 0).serialize(serializer)
    }
}

struct Nested<'a>(Value<'a>, usize);

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Nested(value, depth) = *self;
        match value.shape() {
            Shape::Null => serializer.serialize_none(),
            Shape::Bool => serializer.serialize_bool(value.is_true()),
            Shape::Number => number(value, serializer),
            Shape::String => {
                let text = value.as_text().map(|text| report_string(&text.decode())).unwrap_or_default();
                serializer.serialize_str(&text)
            }
            Shape::Array | Shape::Object if depth >= DEEPEST => serializer.serialize_str(&report_string(value.raw())),
            Shape::Array => {
                let mut seq = serializer.serialize_seq(None)?;
                for item in value.items() {
                    seq.serialize_element(&Nested(item, depth + 1))?;
                }
                seq.end()
            }
            Shape::Object => {
                let mut fields: Vec<(String, Value<'_>)> = Vec::new();
                let mut places = std::collections::HashMap::new();
                for (key, value) in value.fields() {
                    let key = report_string(&key.decode());
                    if let Some(place) = places.get(&key) {
                        fields[*place] = (key, value);
                    } else {
                        places.insert(key.clone(), fields.len());
                        fields.push((key, value));
                    }
                }
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(&key, &Nested(value, depth + 1))?;
                }
                map.end()
            }
        }
    }
}

/// Integers as they are, others as the number that the harness would hold; one beyond f64 as its text.
fn number<S: Serializer>(value: Value<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = std::str::from_utf8(value.raw()).map_err(S::Error::custom)?.trim();
    if let Ok(integer) = text.parse::<i64>() {
        return serializer.serialize_i64(integer);
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => serializer.serialize_f64(float),
        _ => serializer.serialize_str(text),
    }
}
