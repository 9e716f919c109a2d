//! Untrusted bytes → printable text.
//!
//! What leaves this module is safe for a terminal and has the width that [`super::width::columns`] says. It never
//! holds a control character, a bidi control, anything invisible, anything unassigned: each stands as a *mark* where
//! it was (`\u001b`, `[U+200D]`, `\ud83d`, `[0xFF]`), so nothing joins or turns round. Private use code points are
//! marked too. U+FFFD as recorded stays. Emoji of several code points thereby show one after the other.
//!
//! - A combining mark stays on the character before it, at most eight of them; the others, and one without
//!   a character before it, are marked.
//! - Right-to-left text keeps its stored order and gets no isolates (those are bidi controls too). A terminal that
//!   reorders does so itself; whole columns of other text are never moved, since panes are drawn cell by cell.
//! - Blanks that are not U+0020 stay as they are in one-line forms and are marked in [`lines`], as are letters that
//!   look like Latin ones inside a Latin word.

use std::fmt::Write;

use super::decode::{Unit, Units, prefix};
pub use super::hidden::{HiddenChar, Spelling, hidden_characters};
use super::hidden::{is_unusual_blank, looks_latin};
use super::judge::{Judge, MAX_STACKED, Verdict};
use super::width::{CUT, columns, cut_anyway, cut_end};
use super::wire::push_escape;

/// Columns between two tab stops.
pub const TAB_STOP: usize = 4;

/// Stands for a line break in a one-line form.
pub const NEWLINE: char = '↵';

/// Bytes of a name that are shown at most: what a path of a system can have. A log may hold any number, and a name is
/// measured in each draw.
const MOST_DISPLAYED: usize = 4 << 10;

/// Bytes that one column of printable text can come from: a character and its stacked marks, four bytes each.
const BYTES_PER_COLUMN: usize = 4 * (1 + MAX_STACKED as usize);

/// Whether a piece is the log's own text or stands for something that cannot be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// Text as the log holds it (tabs as blanks).
    Plain,
    /// The name of something hidden, or [`CUT`].
    Mark,
}

/// A stretch of printable text of one kind; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Printable text.
    pub text: String,
    /// What it is.
    pub kind: PieceKind,
}

/// How much of a text [`lines`] reads and gives. `usize::MAX` in any of them is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes read from the start.
    pub max_bytes: usize,
    /// Lines given.
    pub max_lines: usize,
    /// Columns of one line; a longer one ends with [`CUT`].
    pub max_columns_per_line: usize,
}

impl Default for Limits {
    /// The first 64 KiB, in lines of at most 4,096 columns: what the detail pane shows before it is asked for more.
    fn default() -> Self {
        Self { max_bytes: 64 << 10, max_lines: usize::MAX, max_columns_per_line: 4096 }
    }
}

/// Text in lines, for the detail pane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// One entry a line, each a list of pieces; a blank line has none. A final newline makes no further line.
    pub lines: Vec<Vec<Piece>>,
    /// Whether bytes follow that are not in `lines`. A line cut at its own end does not count.
    pub cut: bool,
    /// Bytes that were read: the rest of the text starts here.
    pub read: usize,
}

/// The text on one line, cut to `max_columns`: for rows of lists.
///
/// A line break (also CRLF) becomes [`NEWLINE`], a tab one blank; runs of blanks are kept. When something is cut, the
/// result ends with `⋯` and is exactly `max_columns` wide. Reads only as much as the columns need: the cost does not
/// grow with the length of the text.
#[must_use]
pub fn one_line(bytes: &[u8], max_columns: usize) -> String {
    if let Some(line) = plain_ascii(bytes, max_columns) {
        return line;
    }
    let budget = max_columns.saturating_add(2).saturating_mul(BYTES_PER_COLUMN);
    let read = prefix(bytes, budget);
    let mut line = OneLine::default();
    // Measuring is repeated at each doubling, so all of it together costs no more than twice the last.
    let mut measure_at = max_columns.saturating_add(1);
    for (at, unit, length) in Units::new(read) {
        line.add(read, at, unit, length);
        if line.text.len() >= measure_at {
            if columns(&line.text) > max_columns {
                return cut_end(&line.text, max_columns);
            }
            measure_at = line.text.len().saturating_mul(2);
        }
    }
    if read.len() < bytes.len() { cut_anyway(&line.text, max_columns) } else { cut_end(&line.text, max_columns) }
}

/// A name made printable as [`display`] does; an empty one is shown as `""`, since nothing cannot be seen.
#[must_use]
pub fn display_name(name: &[u8]) -> String {
    if name.is_empty() { "\"\"".to_owned() } else { display(name) }
}

/// The text on one line, as [`one_line`] without a number of columns: for ids, names and other short texts. Of one that
/// is not short the first 4 KiB are read, and [`CUT`] stands for the rest.
#[must_use]
pub fn display(bytes: &[u8]) -> String {
    let read = prefix(bytes, MOST_DISPLAYED);
    let mut line = OneLine::default();
    for (at, unit, length) in Units::new(read) {
        line.add(read, at, unit, length);
    }
    if read.len() < bytes.len() {
        line.text.push_str(CUT);
    }
    line.text
}

/// The common case: as many bytes as the row has columns are printable ASCII.
fn plain_ascii(bytes: &[u8], max_columns: usize) -> Option<String> {
    let looked_at = &bytes[..bytes.len().min(max_columns.saturating_add(1))];
    if !looked_at.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return None;
    }
    let text = std::str::from_utf8(looked_at).ok()?;
    Some(cut_end(text, max_columns))
}

#[derive(Default)]
struct OneLine {
    text: String,
    judge: Judge,
}

impl OneLine {
    fn add(&mut self, bytes: &[u8], at: usize, unit: Unit, length: usize) {
        match unit {
            Unit::Char('\n') => {
                self.text.push(NEWLINE);
                self.judge = Judge::default();
            }
            Unit::Char('\r') if bytes.get(at + 1) == Some(&b'\n') => {}
            Unit::Char('\t') => {
                self.text.push(' ');
                self.judge = Judge::default();
            }
            _ => match self.judge.look(unit) {
                Verdict::Draw(c) => self.text.push(c),
                Verdict::Mark(_) => push_mark(&mut self.text, unit, &bytes[at..at + length]),
            },
        }
    }
}

/// Adds the name of what cannot be drawn.
pub(crate) fn push_mark(out: &mut String, unit: Unit, bytes: &[u8]) {
    match unit {
        Unit::Char(c) if c.is_control() => push_escape(out, u32::from(c)),
        Unit::Char(c) => push_code_point(out, c),
        Unit::Surrogate(half) => push_escape(out, u32::from(half)),
        Unit::Bad => {
            for byte in bytes {
                // Writing to a String cannot fail.
                let _ = write!(out, "[0x{byte:02X}]");
            }
        }
    }
}

fn push_code_point(out: &mut String, c: char) {
    let _ = write!(out, "[U+{:04X}]", u32::from(c));
}

/// The text in lines of pieces, for the detail pane: every byte can be read back.
///
/// Lines end at `\n` and `\r\n`; any other `\r` is a mark. Tabs become blanks up to the next stop of [`TAB_STOP`].
/// Reads at most `limits.max_bytes`; memory is bounded by that (a mark takes some ten times its bytes).
#[must_use]
pub fn lines(bytes: &[u8], limits: Limits) -> Lines {
    let read = prefix(bytes, limits.max_bytes);
    let mut out = Lines::default();
    let mut line = LineBuilder::default();
    let mut open = false;
    for (at, unit, length) in Units::new(read) {
        if out.lines.len() >= limits.max_lines {
            out.cut = true;
            out.read = at;
            return out;
        }
        open = true;
        match unit {
            Unit::Char('\n') => {
                out.lines.push(line.finish(limits.max_columns_per_line));
                open = false;
            }
            Unit::Char('\r') if read.get(at + 1) == Some(&b'\n') => {}
            Unit::Char('\t') => line.tab(),
            Unit::Char(c) if is_unusual_blank(c) || looks_latin(read, at, c).is_some() => {
                line.mark_char(c);
            }
            _ => line.add(unit, &read[at..at + length]),
        }
    }
    if open {
        out.lines.push(line.finish(limits.max_columns_per_line));
    }
    out.cut = read.len() < bytes.len();
    out.read = read.len();
    out
}

/// One line under way.
#[derive(Default)]
struct LineBuilder {
    pieces: Vec<Piece>,
    /// Plain text that is not in `pieces` yet.
    plain: String,
    /// Columns of `pieces` and of the first `measured` bytes of `plain`.
    column: usize,
    measured: usize,
    judge: Judge,
}

impl LineBuilder {
    fn add(&mut self, unit: Unit, bytes: &[u8]) {
        match self.judge.look(unit) {
            Verdict::Draw(c) => self.plain.push(c),
            Verdict::Mark(_) => {
                let mut text = String::new();
                push_mark(&mut text, unit, bytes);
                self.mark(text);
            }
        }
    }

    fn mark_char(&mut self, c: char) {
        self.judge = Judge::default();
        let mut text = String::new();
        push_code_point(&mut text, c);
        self.mark(text);
    }

    fn mark(&mut self, text: String) {
        self.flush();
        self.column += text.len();
        match self.pieces.last_mut() {
            Some(last) if last.kind == PieceKind::Mark => last.text.push_str(&text),
            _ => self.pieces.push(Piece { text, kind: PieceKind::Mark }),
        }
    }

    fn tab(&mut self) {
        self.measure();
        let blanks = TAB_STOP - self.column % TAB_STOP;
        self.plain.extend(std::iter::repeat_n(' ', blanks));
        self.judge = Judge::default();
    }

    fn measure(&mut self) {
        self.column += columns(&self.plain[self.measured..]);
        self.measured = self.plain.len();
    }

    fn flush(&mut self) {
        self.measure();
        self.measured = 0;
        if !self.plain.is_empty() {
            let text = std::mem::take(&mut self.plain);
            self.pieces.push(Piece { text, kind: PieceKind::Plain });
        }
    }

    /// Gives the line, cut to `max` columns, and starts the next.
    fn finish(&mut self, max: usize) -> Vec<Piece> {
        self.flush();
        let mut pieces = std::mem::take(&mut self.pieces);
        if self.column > max {
            cut_pieces(&mut pieces, max);
        }
        *self = Self::default();
        pieces
    }
}

/// Cuts a line that is wider than `max` columns; [`CUT`] is then its last piece.
fn cut_pieces(pieces: &mut Vec<Piece>, max: usize) {
    let mut used = 0;
    for index in 0..pieces.len() {
        let wide = columns(&pieces[index].text);
        if used + wide < max {
            used += wide;
            continue;
        }
        pieces.truncate(index + 1);
        let Some(mut last) = pieces.pop() else { return };
        last.text = cut_anyway(&last.text, max - used);
        let end = last.text.rfind(CUT).unwrap_or(0);
        let tail = last.text.split_off(end);
        if !last.text.is_empty() {
            pieces.push(last);
        }
        if !tail.is_empty() {
            pieces.push(Piece { text: tail, kind: PieceKind::Mark });
        }
        return;
    }
}

#[cfg(test)]
mod tests;
