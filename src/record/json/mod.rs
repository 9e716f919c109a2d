//! A reader for JSON that accepts exactly what the harness accepts, over bytes, without recursion.
//!
//! The harness decodes a line as UTF-8 (a bad byte becomes U+FFFD) and gives it to `JSON.parse`. So: bytes that are no UTF-8 are
//! characters inside strings and errors outside; escapes of lone surrogates are fine; numbers have any size; white space is space, tab,
//! line feed and carriage return; of a repeated key the last one counts; nothing follows the value. Nesting costs one bit a level.
//!
//! [`Value`] and [`Text`] borrow from the line and are still escaped: `serde_json` would lose lone surrogates, bad UTF-8, key order and
//! digits. One pass checks the text ([`Value::parse`], or [`Spans::parse`] which notes the top-level fields on its way); the walks after
//! it trust that check and only look for ends.

mod ends;
mod error;
mod number;
mod parse;
mod prefix;
mod runs;
mod scan;
mod spans;
mod text;
mod value;
mod word;

#[cfg(test)]
mod tests;

pub use error::{Expected, Fault, JsonError, Open};
pub use prefix::{Prefix, PrefixField, prefix};
pub use runs::{Integers, TextRun};
pub use spans::Spans;
pub use text::{Hasher, Text};
pub use value::{Fields, Items, Shape, Value};
