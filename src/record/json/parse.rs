//! The one pass that checks a text. Without recursion: a bit a level says whether it is an array.

use super::error::{Expected, Fault, JsonError, Open};
use super::scan::{skip_space, string_stop};
use super::value::Value;
use std::ops::Range;

/// Someone who wants to know what the pass comes by. Depth 1 is inside the outermost container.
pub(super) trait Watch {
    /// A container opened at `at`; it is now `depth` deep.
    fn opened(&mut self, depth: usize, at: usize, is_array: bool);
    /// A key of the object at `depth`, without its quotes.
    fn key(&mut self, depth: usize, key: Range<usize>);
    /// A value starts at `at`, inside the container at `depth` (0: it is the whole).
    fn starts(&mut self, depth: usize, at: usize);
    /// A value inside the container at `depth` ends before `end`.
    fn ends(&mut self, depth: usize, end: usize);
}

/// Nobody.
struct Unwatched;

impl Watch for Unwatched {
    fn opened(&mut self, _: usize, _: usize, _: bool) {}
    fn key(&mut self, _: usize, _: Range<usize>) {}
    fn starts(&mut self, _: usize, _: usize) {}
    fn ends(&mut self, _: usize, _: usize) {}
}

/// Depth of the containers in which plain items are passed by without telling a [`Watch`] of each.
const QUIET_DEPTH: usize = 2;

/// The containers around a place, a bit each: the last 64 in a word, those further out in a list.
#[derive(Default)]
struct Nest {
    depth: usize,
    word: u64,
    outer: Vec<u64>,
}

impl Nest {
    #[inline]
    fn push(&mut self, is_array: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.word);
        }
        self.word = self.word << 1 | u64::from(is_array);
        self.depth += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.word >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.word = self.outer.pop().unwrap_or_default();
        }
    }

    #[inline]
    const fn in_array(&self) -> bool {
        self.word & 1 == 1
    }
}

/// Where and why the pass stopped, and how deep.
pub(super) struct Stop {
    pub(super) offset: usize,
    pub(super) fault: Fault,
    depth: usize,
}

/// Checks `text`; on success the bounds of the value without the white space around it.
pub(super) fn check<W: Watch>(text: &[u8], watch: &mut W) -> Result<Range<usize>, Stop> {
    let mut nest = Nest::default();
    let stop = |offset: usize, fault: Fault, nest: &Nest| Stop { offset, fault, depth: nest.depth };
    let start = skip_space(text, 0);
    let mut at = start;
    if start == text.len() {
        return Err(stop(start, Fault::NoValue, &nest));
    }
    'value: loop {
        watch.starts(nest.depth, at);
        match text.get(at) {
            Some(b'"') => at = string(text, at).map_err(|(at, fault)| stop(at, fault, &nest))?,
            Some(&open @ (b'{' | b'[')) => {
                let is_array = open == b'[';
                nest.push(is_array);
                watch.opened(nest.depth, at, is_array);
                at = skip_space(text, at + 1);
                match text.get(at) {
                    Some(b']') if is_array => {}
                    Some(b'}') if !is_array => {}
                    None => {
                        let expected = if is_array { Expected::ValueOrEnd } else { Expected::KeyOrEnd };
                        return Err(stop(at, Fault::Ends(expected), &nest));
                    }
                    Some(_) if is_array => continue 'value,
                    Some(_) => {
                        at = key(text, at, Expected::KeyOrEnd, nest.depth, watch)
                            .map_err(|(at, fault)| stop(at, fault, &nest))?;
                        continue 'value;
                    }
                }
                nest.pop();
                at += 1;
            }
            _ => at = scalar(text, at, &nest).map_err(|(at, fault)| stop(at, fault, &nest))?,
        }
        loop {
            watch.ends(nest.depth, at);
            if nest.depth == 0 {
                break 'value;
            }
            let end = at;
            at = skip_space(text, at);
            let in_array = nest.in_array();
            match text.get(at) {
                Some(b',') => {
                    at = skip_space(text, at + 1);
                    if !in_array {
                        at = key(text, at, Expected::Key, nest.depth, watch)
                            .map_err(|(at, fault)| stop(at, fault, &nest))?;
                    } else if text.get(at) == Some(&b']') {
                        return Err(stop(at, Fault::TrailingComma, &nest));
                    } else if nest.depth >= QUIET_DEPTH {
                        at = plain_items(text, at);
                    }
                    continue 'value;
                }
                Some(b']') if in_array => {}
                Some(b'}') if !in_array => {}
                other => {
                    return Err(stop(at, after_value(text, end, other.copied(), in_array), &nest));
                }
            }
            nest.pop();
            at += 1;
        }
    }
    let after = skip_space(text, at);
    if after == text.len() { Ok(start..at) } else { Err(stop(after, Fault::AfterValue, &nest)) }
}

/// Steps over items of an array that are strings without escapes or natural numbers of one or two digits, each with a comma and the
/// next item close behind: a packed row is hundreds of them. The start of the first item that is none.
#[inline]
fn plain_items(text: &[u8], mut at: usize) -> usize {
    while let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        at = match bytes {
            [b'0'..=b'9', b',', b'"' | b'0'..=b'9', _] => at + 2,
            [b'1'..=b'9', b'0'..=b'9', b',', b'"' | b'0'..=b'9'] => at + 3,
            [b'"', ..] => {
                let end = string_stop(text, at + 1);
                match text.get(end..).and_then(|rest| rest.first_chunk::<3>()) {
                    Some([b'"', b',', b'"' | b'0'..=b'9']) => end + 2,
                    _ => return at,
                }
            }
            _ => return at,
        };
    }
    at
}

fn after_value(text: &[u8], end: usize, found: Option<u8>, in_array: bool) -> Fault {
    let expected = if in_array { Expected::CommaOrBracket } else { Expected::CommaOrBrace };
    let glued = end.checked_sub(1).and_then(|last| text.get(last)).is_some_and(u8::is_ascii_digit)
        && end < text.len()
        && text.get(end).copied() == found;
    match found {
        None => Fault::Ends(expected),
        // `01`, `1x`: the number reads on where JSON ends it.
        Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'+' | b'-') if glued => Fault::Number,
        Some(byte) => Fault::Unexpected { byte, expected },
    }
}

/// Reads a key and its colon; the start of the value after it.
#[inline]
fn key<W: Watch>(
    text: &[u8],
    at: usize,
    expected: Expected,
    depth: usize,
    watch: &mut W,
) -> Result<usize, (usize, Fault)> {
    match text.get(at) {
        Some(b'"') => {}
        None => return Err((at, Fault::Ends(expected))),
        Some(b'}') if expected == Expected::Key => return Err((at, Fault::TrailingComma)),
        Some(&byte) => return Err((at, Fault::Unexpected { byte, expected })),
    }
    let end = string(text, at)?;
    watch.key(depth, at + 1..end - 1);
    let colon = skip_space(text, end);
    match text.get(colon) {
        Some(b':') => Ok(skip_space(text, colon + 1)),
        None => Err((colon, Fault::Ends(Expected::Colon))),
        Some(&byte) => Err((colon, Fault::Unexpected { byte, expected: Expected::Colon })),
    }
}

/// Reads a string whose opening quote is at `open`; the index after its closing quote.
#[inline]
fn string(text: &[u8], open: usize) -> Result<usize, (usize, Fault)> {
    let stop = string_stop(text, open + 1);
    // Nearly all strings are keys and words without escapes.
    if text.get(stop) == Some(&b'"') { Ok(stop + 1) } else { odd_string(text, open, stop) }
}

/// Like [`string`], from the first byte on that is not plain.
fn odd_string(text: &[u8], open: usize, stop: usize) -> Result<usize, (usize, Fault)> {
    let mut at = stop;
    loop {
        match text.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = escape(text, open, at)?,
            Some(&byte) => return Err((at, Fault::Control { byte })),
            None => return Err((at, Fault::EndsInString { open })),
        }
        at = string_stop(text, at);
    }
}

#[inline]
fn escape(text: &[u8], open: usize, at: usize) -> Result<usize, (usize, Fault)> {
    match text.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            for place in at + 2..at + 6 {
                match text.get(place) {
                    Some(byte) if byte.is_ascii_hexdigit() => {}
                    Some(_) => return Err((place, Fault::UnicodeEscape)),
                    None => return Err((place, Fault::EndsInString { open })),
                }
            }
            Ok(at + 6)
        }
        Some(&byte) => Err((at + 1, Fault::Escape { byte })),
        None => Err((at + 1, Fault::EndsInString { open })),
    }
}

/// Reads a number or a word.
#[inline]
fn scalar(text: &[u8], at: usize, nest: &Nest) -> Result<usize, (usize, Fault)> {
    match text.get(at) {
        Some(b'0'..=b'9' | b'-') => number(text, at),
        Some(b't') => word(text, at, b"true"),
        Some(b'f') => word(text, at, b"false"),
        Some(b'n') => word(text, at, b"null"),
        Some(byte) if byte.is_ascii_alphabetic() => Err((at, Fault::Word)),
        Some(&byte) => {
            // Directly after a bracket an array may end as well.
            let before = text.get(..at).unwrap_or_default().trim_ascii_end();
            let opened = nest.depth > 0 && nest.in_array() && before.last() == Some(&b'[');
            let expected = if opened { Expected::ValueOrEnd } else { Expected::Value };
            Err((at, Fault::Unexpected { byte, expected }))
        }
        None => Err((at, Fault::Ends(Expected::Value))),
    }
}

fn word(text: &[u8], at: usize, word: &[u8]) -> Result<usize, (usize, Fault)> {
    for (place, want) in (at..).zip(word) {
        match text.get(place) {
            Some(byte) if byte == want => {}
            Some(_) => return Err((place, Fault::Word)),
            None => return Err((place, Fault::EndsInWord)),
        }
    }
    Ok(at + word.len())
}

#[inline]
fn number(text: &[u8], from: usize) -> Result<usize, (usize, Fault)> {
    let mut at = from + usize::from(text.get(from) == Some(&b'-'));
    at = match text.get(at) {
        Some(b'0') => at + 1,
        _ => digits(text, at)?,
    };
    if text.get(at) == Some(&b'.') {
        at = digits(text, at + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = text.get(at) {
            at += 1;
        }
        at = digits(text, at)?;
    }
    Ok(at)
}

#[inline]
fn digits(text: &[u8], from: usize) -> Result<usize, (usize, Fault)> {
    let mut at = from;
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    match (at > from, text.get(at)) {
        (true, _) => Ok(at),
        (false, Some(_)) => Err((at, Fault::Number)),
        (false, None) => Err((at, Fault::EndsInNumber)),
    }
}

/// Finds what is open at a stop, by a second pass that notes only the level it stopped at: no memory, whatever the nesting.
#[derive(Default)]
struct Innermost {
    depth: usize,
    above: Option<Range<usize>>,
    open: Option<Open>,
}

impl Watch for Innermost {
    fn opened(&mut self, depth: usize, at: usize, is_array: bool) {
        if depth == self.depth {
            self.open = Some(Open { offset: at, is_array, key: self.above.clone(), last_key: None });
        } else if depth + 1 == self.depth {
            self.above = None;
        }
    }

    fn key(&mut self, depth: usize, key: Range<usize>) {
        if depth + 1 == self.depth {
            self.above = Some(key);
        } else if depth == self.depth
            && let Some(open) = &mut self.open
        {
            open.last_key = Some(key);
        }
    }

    fn starts(&mut self, _: usize, _: usize) {}

    fn ends(&mut self, _: usize, _: usize) {}
}

/// The error of a stop, with what is open around it. Costs a second pass.
#[cold]
pub(super) fn explain(text: &[u8], stop: &Stop) -> JsonError {
    let mut inside = None;
    if stop.depth > 0 {
        let mut innermost = Innermost { depth: stop.depth, ..Innermost::default() };
        // The pass stops where it stopped before, and for the same reason.
        let _ = check(text, &mut innermost);
        inside = innermost.open.map(Box::new);
    }
    JsonError { offset: stop.offset, fault: stop.fault, inside }
}

/// Checks a text and gives its value.
pub(super) fn parse(text: &[u8]) -> Result<Value<'_>, JsonError> {
    match check(text, &mut Unwatched) {
        Ok(bounds) => Ok(Value::trusted(text.get(bounds).unwrap_or_default())),
        Err(stop) => Err(explain(text, &stop)),
    }
}
