//! Why a text is not JSON, as a sentence with places.

use super::page::Page;
use crate::record::json::{Expected, Fault, JsonError, Open};
use crate::text::sanitize::one_line;

/// A place in a text as people count: line and column from 1, byte from 0. Columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) line: usize,
    pub(super) column: usize,
    /// Byte at which its line starts.
    pub(super) line_start: usize,
}

/// Where a byte of a text stands. Linear in the bytes before it.
pub(super) fn spot(text: &[u8], byte: usize) -> Spot {
    let before = text.get(..byte.min(text.len())).unwrap_or_default();
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let column = before.get(line_start..).unwrap_or_default().iter().filter(|byte| **byte & 0xC0 != 0x80).count() + 1;
    Spot { line, column, line_start }
}

/// `line 1 column 33, byte 32: the text ends inside an array (opened at column 28, "labels")`.
pub(super) fn sentence(page: &Page<'_>, text: &[u8], error: &JsonError) -> String {
    let place = spot(text, error.offset);
    let why = why(page, text, error);
    let (line, column, byte) = (place.line.to_string(), place.column.to_string(), error.offset.to_string());
    page.say("arguments.fails_at", &[("line", &line), ("column", &column), ("byte", &byte), ("why", &why)])
}

fn why(page: &Page<'_>, text: &[u8], error: &JsonError) -> String {
    let column = |byte: usize| spot(text, byte).column.to_string();
    match error.fault {
        Fault::NoValue => page.say("json_error.empty", &[]),
        Fault::Ends(_) => match error.inside.as_deref() {
            Some(open) => opened(page, text, open),
            None => page.say("json_error.ends_early", &[]),
        },
        Fault::EndsInString { open } => page.say("json_error.ends_in_string", &[("column", &column(open))]),
        Fault::EndsInNumber | Fault::Number => page.say("json_error.bad_number", &[]),
        Fault::EndsInWord | Fault::Word => page.say("json_error.bad_literal", &[]),
        Fault::Unexpected { expected, .. } => page.say(
            match expected {
                Expected::Value | Expected::ValueOrEnd => "json_error.expected_value",
                Expected::Key | Expected::KeyOrEnd => "json_error.expected_key",
                Expected::Colon => "json_error.expected_colon",
                Expected::CommaOrBracket => "json_error.expected_comma_array",
                Expected::CommaOrBrace => "json_error.expected_comma_object",
            },
            &[],
        ),
        Fault::TrailingComma => page.say("json_error.trailing_comma", &[]),
        Fault::Control { .. } => page.say("json_error.control_in_string", &[]),
        Fault::Escape { .. } | Fault::UnicodeEscape => page.say("json_error.bad_escape", &[]),
        Fault::AfterValue => page.say("json_error.trailing", &[]),
    }
}

fn opened(page: &Page<'_>, text: &[u8], open: &Open) -> String {
    let column = spot(text, open.offset).column.to_string();
    let key = open.key.clone().and_then(|range| text.get(range)).map(|key| one_line(key, 60));
    let word = match (open.is_array, key.is_some()) {
        (true, false) => "json_error.ends_in_array",
        (false, false) => "json_error.ends_in_object",
        (true, true) => "json_error.ends_in_array_of",
        (false, true) => "json_error.ends_in_object_of",
    };
    page.say(word, &[("column", &column), ("key", key.as_deref().unwrap_or_default())])
}
