//! Columns: measuring, cutting, padding and wrapping printable text, and the short forms of ids and paths.
//!
//! Everything here takes *printable* text: what [`super::sanitize`] returned, or our own words. Columns are
//! counted one grapheme after the other, as ratatui fills its buffer. (ratatui's `Span::width` and `Line::width`
//! measure the whole string at once and give less for Arabic lam-alef and a few others: do not align by them.)

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Stands where text was cut off; one column wide in every terminal.
pub const CUT: &str = "⋯";

/// Columns that a printable text takes.
///
/// Never more than three a code point. Linear in the length; ASCII costs one look at each byte.
#[must_use]
pub fn columns(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(grapheme_columns).sum()
}

/// Columns of one grapheme, as `ratatui::buffer::CellWidth` counts them.
pub(crate) fn grapheme_columns(grapheme: &str) -> usize {
    if grapheme.len() == 1 {
        return 1;
    }
    // ratatui adds one for each half-width sound mark, since terminals draw them in a cell of their own.
    let sound_marks = grapheme.chars().filter(|c| matches!(c, '\u{FF9E}' | '\u{FF9F}')).count();
    grapheme.width() + sound_marks
}

/// The text cut at its end to at most `max` columns, with [`CUT`] last when something was cut.
///
/// A cut text is exactly `max` columns wide: a wide character that would be halved becomes `⋯` and a blank. Text
/// that fits comes back as it is; `max` 0 gives an empty text.
#[must_use]
pub fn cut_end(text: &str, max: usize) -> String {
    if columns(text) <= max { text.to_owned() } else { cut_anyway(text, max) }
}

/// As [`cut_end`] for a text of which more is known to follow: [`CUT`] is last even if the text would fit.
pub(crate) fn cut_anyway(text: &str, max: usize) -> String {
    let Some(room) = max.checked_sub(1) else {
        return String::new();
    };
    let (head, used) = head(text, room);
    let mut out = String::with_capacity(head.len() + CUT.len() + 1);
    out.push_str(head);
    out.push_str(CUT);
    // Only a halved wide character leaves a gap; a short text (more follows) keeps its length.
    if head.len() < text.len() {
        push_blanks(&mut out, room - used);
    }
    out
}

/// The longest start of `text` that fits in `max` columns, and its columns.
fn head(text: &str, max: usize) -> (&str, usize) {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        let wide = grapheme_columns(grapheme);
        if used + wide > max {
            return (&text[..at], used);
        }
        used += wide;
    }
    (text, used)
}

/// The longest end of `text` that fits in `max` columns.
fn tail(text: &str, max: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme_columns(grapheme);
        if used > max {
            return &text[at + grapheme.len()..];
        }
    }
    text
}

/// The text cut in its middle: `head` columns, [`CUT`], `tail` columns (`0a11c0de⋯0012`).
///
/// A text of at most `head + 1 + tail` columns comes back as it is. A wide character at the cut makes the result
/// shorter, never longer.
#[must_use]
pub fn cut_middle(text: &str, head_columns: usize, tail_columns: usize) -> String {
    let most = head_columns.saturating_add(tail_columns).saturating_add(1);
    if columns(text) <= most {
        return text.to_owned();
    }
    let (start, _) = head(text, head_columns);
    format!("{start}{CUT}{}", tail(text, tail_columns))
}

/// The text with blanks after it up to `width` columns; a wider text comes back as it is.
#[must_use]
pub fn pad_end(text: &str, width: usize) -> String {
    let mut out = text.to_owned();
    push_blanks(&mut out, width.saturating_sub(columns(text)));
    out
}

/// The text with blanks before it up to `width` columns; a wider text comes back as it is.
#[must_use]
pub fn pad_start(text: &str, width: usize) -> String {
    let mut out = String::new();
    push_blanks(&mut out, width.saturating_sub(columns(text)));
    out.push_str(text);
    out
}

/// The text in exactly `width` columns: cut at its end or filled with blanks.
#[must_use]
pub fn fit(text: &str, width: usize) -> String {
    pad_end(&cut_end(text, width), width)
}

fn push_blanks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// Wraps at blanks into lines of at most `width` columns; a word that is too long is broken between graphemes.
///
/// Byte ranges of `text`, in order; blanks at a break belong to no range. An empty text gives one empty line. Two
/// columns are the least: a narrower `width` counts as two, since a wide character fits in nothing less.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<Range<usize>> {
    let width = width.max(2);
    let mut wrapper = Wrapper { width, lines: Vec::new(), line: 0..0, used: 0, gap: 0 };
    for (at, run) in blank_runs(text) {
        if run.starts_with(' ') {
            wrapper.blanks(at, run);
        } else {
            wrapper.word(at, run);
        }
    }
    wrapper.finish()
}

/// Runs of blanks and runs of everything else, in turn, with their byte positions.
fn blank_runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let blank = rest.starts_with(' ');
        let length = rest.find(|c| (c == ' ') != blank).unwrap_or(rest.len());
        let found = (at, &rest[..length]);
        at += length;
        (length > 0).then_some(found)
    })
}

/// Lines under way: `line` is the open one, `used` its columns, `gap` the blanks after it that may be dropped.
struct Wrapper {
    width: usize,
    lines: Vec<Range<usize>>,
    line: Range<usize>,
    used: usize,
    gap: usize,
}

impl Wrapper {
    fn word(&mut self, at: usize, word: &str) {
        let wide = columns(word);
        if self.line.is_empty() {
            self.line = at..at;
            self.gap = 0;
        }
        if self.used + self.gap + wide <= self.width {
            self.line.end = at + word.len();
            self.used += self.gap + wide;
            self.gap = 0;
            return;
        }
        if self.line.is_empty() {
            self.pieces(at, word);
        } else {
            self.break_at(at);
            self.word(at, word);
        }
    }

    /// Blanks count as indentation at the start of the text, and are dropped at a break.
    fn blanks(&mut self, at: usize, blanks: &str) {
        if at == 0 && blanks.len() < self.width {
            self.line = 0..blanks.len();
            self.used = blanks.len();
        } else {
            self.gap = blanks.len();
        }
    }

    /// A word that is wider than a line, on an empty one: broken where it does not fit.
    fn pieces(&mut self, at: usize, word: &str) {
        for (offset, grapheme) in word.grapheme_indices(true) {
            let start = at + offset;
            let wide = grapheme_columns(grapheme);
            if wide > self.width {
                self.characters(start, grapheme);
            } else {
                self.piece(start, grapheme.len(), wide);
            }
        }
    }

    /// A grapheme wider than a line (a chain of Indic letters): by characters.
    fn characters(&mut self, at: usize, grapheme: &str) {
        for (offset, c) in grapheme.char_indices() {
            let end = offset + c.len_utf8();
            self.piece(at + offset, c.len_utf8(), grapheme_columns(&grapheme[offset..end]));
        }
    }

    fn piece(&mut self, at: usize, length: usize, wide: usize) {
        if self.used + wide > self.width {
            self.break_at(at);
        }
        self.line.end = at + length;
        self.used += wide;
    }

    fn break_at(&mut self, at: usize) {
        self.lines.push(self.line.clone());
        self.line = at..at;
        self.used = 0;
        self.gap = 0;
    }

    fn finish(mut self) -> Vec<Range<usize>> {
        if !self.line.is_empty() || self.lines.is_empty() {
            self.lines.push(self.line);
        }
        self.lines
    }
}

/// A session id in a column: `session-` goes first, then the middle (`0a11c0de⋯0012`).
#[must_use]
pub fn short_id(id: &str) -> String {
    cut_middle(id.strip_prefix("session-").unwrap_or(id), 8, 4)
}

/// A session id with its kind kept: `session-0a11c0de⋯0012`, or the short form for ids without the prefix.
#[must_use]
pub fn prefixed_id(id: &str) -> String {
    if id.starts_with("session-") { format!("session-{}", short_id(id)) } else { short_id(id) }
}

/// A call id in a column: 12 and 4 characters (`call_00_ffff⋯ffff`).
#[must_use]
pub fn short_call_id(id: &str) -> String {
    cut_middle(id, 12, 4)
}

/// A path in at most `max` columns: keeps the first part and the file name (`/home/⋯/cart.js`), then more of the end.
///
/// When even `⋯/name` is too wide, the name alone is cut at its end. Never shortened to `~`.
#[must_use]
pub fn short_path(path: &str, max: usize) -> String {
    if columns(path) <= max {
        return path.to_owned();
    }
    let separator = if path.contains('/') { '/' } else { '\\' };
    let first_end =
        path.char_indices().find(|&(at, c)| at > 0 && c == separator).map_or(0, |(at, _)| at + separator.len_utf8());
    let first = &path[..first_end];
    // A separator joins nothing before it, so columns of parts add up: the price is one walk, whatever the parts.
    let mut room = max.checked_sub(columns(first) + columns(CUT));
    let (mut best, mut end) = (None, path.len());
    for (at, _) in path.char_indices().rev().filter(|&(_, c)| c == separator) {
        room = room.and_then(|room| room.checked_sub(columns(&path[at..end])));
        if at < first_end || room.is_none() {
            break;
        }
        (best, end) = (Some(at), at);
    }
    if let Some(at) = best {
        return format!("{first}{CUT}{}", &path[at..]);
    }
    let name_at = path.rfind(separator).unwrap_or(0);
    let name = format!("{CUT}{}", &path[name_at..]);
    if columns(&name) <= max {
        return name;
    }
    cut_end(path[name_at..].trim_start_matches(separator), max)
}

#[cfg(test)]
mod tests;
