//! Whether text can be a session log: its first lines are looked at, no more.
//!
//! A log starts with a JSON object of type `session`. A log whose start is lost has event lines or packed rows there,
//! so one object that names its type, within the first [`LOOK_AT`] lines, is enough.

use std::io;
use std::ops::ControlFlow;

use super::refusal::{Flaw, Why};
use crate::log::lines::LineLimit;
use crate::log::{Content, Decoder, FrameWalk, LineSplitter, Part, Source, read_exact_at};
use crate::record::json::Value;
use crate::text::sanitize;

/// Lines looked at.
const LOOK_AT: u32 = 64;

/// Bytes of text looked at, over all lines.
const MOST_BYTES: usize = 1 << 20;

/// Bytes of one line that are kept: a header fits, and a longer line is told by its start.
const MOST_OF_A_LINE: usize = 64 << 10;

/// Columns of the first line that a message quotes.
const QUOTED: usize = 60;

/// Says why the text of a source is no log; `None` for a log and for what cannot be told: nothing that decodes, an
/// empty file.
pub(crate) fn why_no_log(source: &dyn Source, content: Content) -> io::Result<Option<Why>> {
    let mut look = Look::default();
    match content {
        Content::Plain => look_at_text(source, &mut look)?,
        Content::Zstd => look_at_frames(source, &mut look)?,
        Content::Empty | Content::Zip | Content::Sqlite | Content::Gzip | Content::Other(_) => {}
    }
    Ok(look.verdict())
}

fn look_at_text(source: &dyn Source, look: &mut Look) -> io::Result<()> {
    let mut text = vec![0; MOST_BYTES];
    let filled = read_exact_at(source, 0, &mut text)?;
    let _ = look.take(&text[..filled]);
    look.end();
    Ok(())
}

fn look_at_frames(source: &dyn Source, look: &mut Look) -> io::Result<()> {
    let mut decoder = Decoder::new()?;
    let mut walk = FrameWalk::new(source, 0, source.size()?);
    while let Some(part) = walk.next_part()? {
        match part {
            // A frame that does not decode is damage, which is for the reader to tell.
            Part::Frame(frame) => {
                let _ = decoder.stream(source, &frame, &mut |piece| look.take(piece));
            }
            Part::Torn { offset, len } => decoder.torn(source, offset, len, &mut |piece| look.take(piece))?,
            Part::Skippable { .. } | Part::Foreign { .. } => {}
        }
        if look.is_over() {
            break;
        }
    }
    look.end();
    Ok(())
}

#[derive(Debug)]
struct Look {
    splitter: LineSplitter,
    bytes: usize,
    lines: u32,
    /// A line that belongs in a log was met.
    found: bool,
    /// What the first line that is not blank is.
    first: Option<Why>,
}

impl Default for Look {
    fn default() -> Look {
        let splitter = LineSplitter::with_limit(LineLimit(MOST_OF_A_LINE));
        Look { splitter, bytes: 0, lines: 0, found: false, first: None }
    }
}

impl Look {
    fn take(&mut self, piece: &[u8]) -> ControlFlow<()> {
        let piece = &piece[..piece.len().min(MOST_BYTES.saturating_sub(self.bytes))];
        self.bytes += piece.len();
        let Look { splitter, lines, found, first, .. } = self;
        splitter.push(piece, &mut |line| judge(line.bytes, line.over_long, lines, found, first));
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The unfinished line is looked at too: a log of one line may lack its line end.
    fn end(&mut self) {
        let Look { splitter, lines, found, first, bytes } = self;
        let is_cut = *bytes >= MOST_BYTES;
        splitter.finish(&mut |line| judge(line.bytes, line.over_long || is_cut, lines, found, first));
    }

    fn is_over(&self) -> bool {
        self.found || self.lines >= LOOK_AT || self.bytes >= MOST_BYTES
    }

    fn verdict(self) -> Option<Why> {
        if self.found { None } else { self.first }
    }
}

fn judge(line: &[u8], is_cut: bool, lines: &mut u32, found: &mut bool, first: &mut Option<Why>) {
    *lines += 1;
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if *found || line.trim_ascii().is_empty() {
        return;
    }
    let flaw = match Value::parse(line) {
        Ok(value) if value.is_object() && value.text("type").is_some() => {
            *found = true;
            return;
        }
        Ok(value) if value.is_object() => Flaw::NoType,
        Ok(_) => Flaw::NoObject,
        Err(_) if is_cut && line.trim_ascii_start().starts_with(b"{") => {
            *found = true;
            return;
        }
        Err(_) => Flaw::NotJson,
    };
    first.get_or_insert_with(|| Why::NotALog { flaw, line: *lines, text: sanitize::one_line(line, QUOTED) });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::MemorySource;

    fn why(text: &[u8]) -> Option<Why> {
        why_no_log(&MemorySource::new(text.to_vec()), Content::Plain).unwrap()
    }

    fn not_a_log(flaw: Flaw, line: u32, text: &str) -> Why {
        Why::NotALog { flaw, line, text: text.to_owned() }
    }

    #[test]
    fn logs_are_recognised() {
        let long = [&b"{\"type\":\"x\",\"data\":\""[..], &vec![b'a'; 2 << 20], b"\"}\n"].concat();
        for log in [
            &b"{\"type\":\"session\"}\n"[..],
            b"{\"type\":\"session\"}",
            b"\xEF\xBB\xBF{\"type\":\"session\"}\n",
            b"garbage\n\n{\"type\":\"turn/start\"}\n",
            &long,
            b"",
            b"\n\n",
        ] {
            assert_eq!(why(log), None);
        }
    }

    #[test]
    fn the_first_line_that_is_not_blank_is_named() {
        for (text, expected) in [
            (&b"\n# Notes\ntext\n"[..], not_a_log(Flaw::NotJson, 2, "# Notes")),
            (b"{\"a\":1}\n", not_a_log(Flaw::NoType, 1, "{\"a\":1}")),
            (b"[1]\n", not_a_log(Flaw::NoObject, 1, "[1]")),
            (b"\x1b[31mred", not_a_log(Flaw::NotJson, 1, "\\u001b[31mred")),
        ] {
            assert_eq!(why(text), Some(expected));
        }
    }

    #[test]
    fn text_packed_by_zstd_is_looked_into() {
        let packed = zstd::encode_all(&b"just text\n"[..], 1).unwrap();
        let why = why_no_log(&MemorySource::new(packed), Content::Zstd).unwrap();
        assert_eq!(why, Some(not_a_log(Flaw::NotJson, 1, "just text")));
    }
}
