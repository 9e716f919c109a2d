//! What a file is, by its content and not by its name.

use std::fmt;
use std::io;
use std::path::Path;

use memchr::{memchr, memmem};

use super::frames::{FrameWalk, MAGIC, Part};
use super::source::{Source, read_exact_at};

/// Bytes looked at, at most: a log whose start is destroyed has its next frame, or its next line,
/// within them.
const LOOK_AHEAD: usize = 1 << 20;

/// Bytes by whose look text is told from something else.
const SAMPLE: usize = 4 << 10;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Nothing at all.
    Empty,
    /// zstd frames, perhaps behind bytes that are none.
    Zstd,
    /// Text, perhaps behind bytes that are none.
    Plain,
    /// A ZIP archive.
    Zip,
    /// An `SQLite` database.
    Sqlite,
    /// gzip data.
    Gzip,
    /// Something else.
    Other(Kind),
}

/// What a file that is no log holds, as far as its first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text of two bytes a character, by its byte order mark.
    Utf16,
    /// Data packed by xz, bzip2 or lz4.
    Packed,
    /// A tar archive.
    Tar,
    /// A PDF document.
    Pdf,
    /// A picture.
    Image,
    /// A program or library.
    Program,
    /// Bytes of no known kind.
    Binary,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Utf16 => "UTF-16 text",
            Self::Packed => "compressed data of another kind",
            Self::Tar => "a tar archive",
            Self::Pdf => "a PDF document",
            Self::Image => "a picture",
            Self::Program => "a program",
            Self::Binary => "binary data",
        })
    }
}

/// How a log is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// zstd frames.
    Zstd,
    /// Text as it is.
    Plain,
}

impl Encoding {
    /// The encoding that a file name claims. For empty files, whose content tells nothing.
    #[must_use]
    pub fn of_name(path: &Path) -> Self {
        let packed =
            path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zstd") || end.eq_ignore_ascii_case("zst"));
        if packed { Self::Zstd } else { Self::Plain }
    }

    /// The word for it in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Plain => "plain",
        }
    }
}

impl Content {
    /// How a log with this content is stored; `None` for an empty file and for what is no log.
    #[must_use]
    pub fn encoding(self) -> Option<Encoding> {
        match self {
            Self::Zstd => Some(Encoding::Zstd),
            Self::Plain => Some(Encoding::Plain),
            Self::Empty | Self::Zip | Self::Sqlite | Self::Gzip | Self::Other(_) => None,
        }
    }
}

/// Tells what a source holds, reading at most 1 MiB of it (a frame found there is decoded whole).
///
/// A log whose first bytes are destroyed is still told by the frame, or the line that looks like
/// JSON, that follows them.
pub fn sniff(source: &dyn Source) -> io::Result<Content> {
    let mut head = vec![0; SAMPLE];
    let filled = read_exact_at(source, 0, &mut head)?;
    head.truncate(filled);
    let first = sniff_head(&head);
    match first {
        Content::Plain if json_like(&head, b"{") => return Ok(first),
        // Bytes that are no text may stand in the middle of a line.
        Content::Other(Kind::Binary) if json_like(&head, b"{\"") => return Ok(Content::Plain),
        Content::Plain | Content::Other(Kind::Binary) => {}
        Content::Empty | Content::Zstd | Content::Zip | Content::Sqlite | Content::Gzip | Content::Other(_) => {
            return Ok(first);
        }
    }
    let size = source.size()?.min(LOOK_AHEAD as u64) as usize;
    let mut ahead = vec![0; size];
    let filled = read_exact_at(source, 0, &mut ahead)?;
    ahead.truncate(filled);
    if frame_ahead(source, &ahead, first == Content::Plain)? {
        return Ok(Content::Zstd);
    }
    if line_ahead(&ahead) {
        return Ok(Content::Plain);
    }
    Ok(first)
}

/// Tells what the first bytes of a file look like; a few hundred are enough.
#[must_use]
pub fn sniff_head(head: &[u8]) -> Content {
    const KNOWN: &[(usize, &[u8], Content)] = &[
        (0, &MAGIC, Content::Zstd),
        (0, b"PK\x03\x04", Content::Zip),
        (0, b"PK\x05\x06", Content::Zip),
        (0, b"SQLite format 3\0", Content::Sqlite),
        (0, b"\x1F\x8B\x08", Content::Gzip),
        (0, b"\xFF\xFE", Content::Other(Kind::Utf16)),
        (0, b"\xFE\xFF", Content::Other(Kind::Utf16)),
        (0, b"\xFD7zXZ\0", Content::Other(Kind::Packed)),
        (0, b"BZh", Content::Other(Kind::Packed)),
        (0, b"\x04\x22\x4D\x18", Content::Other(Kind::Packed)),
        (257, b"ustar", Content::Other(Kind::Tar)),
        (0, b"%PDF-", Content::Other(Kind::Pdf)),
        (0, b"\x89PNG\r\n", Content::Other(Kind::Image)),
        (0, b"\xFF\xD8\xFF", Content::Other(Kind::Image)),
        (0, b"GIF8", Content::Other(Kind::Image)),
        (0, b"\x7FELF", Content::Other(Kind::Program)),
        (0, b"MZ\x90\0", Content::Other(Kind::Program)),
        (0, b"\xCF\xFA\xED\xFE", Content::Other(Kind::Program)),
    ];
    if head.is_empty() {
        return Content::Empty;
    }
    for (at, magic, content) in KNOWN {
        if head.get(*at..).is_some_and(|rest| rest.starts_with(magic)) {
            return *content;
        }
    }
    let skippable = matches!(head, [first, 0x2A, 0x4D, 0x18, ..] if first & 0xF0 == 0x50);
    // A log cut within its first four bytes.
    let start_of_one = head.len() < MAGIC.len() && MAGIC.starts_with(head);
    if skippable || start_of_one {
        Content::Zstd
    } else if text_like(head) {
        Content::Plain
    } else {
        Content::Other(Kind::Binary)
    }
}

/// Whether bytes look like text: no NUL, and few other control bytes.
fn text_like(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let odd =
        sample.iter().filter(|byte| **byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B)).count();
    memchr(0, sample).is_none() && odd * 16 <= sample.len()
}

/// Whether the first thing behind a byte order mark and blanks is the start of an object.
fn json_like(bytes: &[u8], start: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    text.trim_ascii_start().starts_with(start)
}

/// Whether a frame starts somewhere in the bytes looked at; one that the end of the file cuts counts
/// only where the bytes before it are no text.
fn frame_ahead(source: &dyn Source, ahead: &[u8], in_text: bool) -> io::Result<bool> {
    if memmem::find(ahead, &MAGIC).is_none() {
        return Ok(false);
    }
    let mut walk = FrameWalk::new(source, 0, source.size()?);
    let Some(Part::Foreign { .. }) = walk.next_part()? else {
        return Ok(false);
    };
    if walk.position() >= ahead.len() as u64 {
        return Ok(false);
    }
    Ok(match walk.next_part()? {
        Some(Part::Frame(_)) => true,
        Some(Part::Torn { .. }) => !in_text,
        Some(Part::Skippable { .. } | Part::Foreign { .. }) | None => false,
    })
}

/// Whether a line that looks like JSON starts somewhere in the bytes looked at.
fn line_ahead(ahead: &[u8]) -> bool {
    memmem::find(ahead, b"\n{\"").is_some() || (ahead.starts_with(b"\0") && memmem::find(ahead, b"\0{\"").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::sample;
    use crate::log::source::MemorySource;

    fn of(bytes: &[u8]) -> Content {
        sniff(&MemorySource::new(bytes.to_vec())).unwrap()
    }

    #[test]
    fn content_is_told_by_its_first_bytes() {
        let table: &[(&[u8], Content)] = &[
            (b"", Content::Empty),
            (b"\x28", Content::Zstd),
            (b"\x28\xB5\x2F", Content::Zstd),
            (b"\x28\xB5\x2F\xFD\x04", Content::Zstd),
            (b"\x5A\x2A\x4D\x18\x00\x00\x00\x00", Content::Zstd),
            (b"{\"type\":\"session\"}\n", Content::Plain),
            (b"\xEF\xBB\xBF{\"type\":\"session\"}\r\n", Content::Plain),
            (b"\n\n  {}", Content::Plain),
            (b"# a text\n", Content::Plain),
            (b"{\"torn", Content::Plain),
            (b"PK\x03\x04\x14\0\0\0", Content::Zip),
            (b"SQLite format 3\0\x10\0", Content::Sqlite),
            (b"\x1F\x8B\x08\0", Content::Gzip),
            (b"\xFF\xFE{\0", Content::Other(Kind::Utf16)),
            (b"\x7FELF\x02\x01", Content::Other(Kind::Program)),
            (b"\0\0\0\0\0\0\0\0", Content::Other(Kind::Binary)),
            (b"\x01\x02\x03\x04\x05", Content::Other(Kind::Binary)),
        ];
        for (bytes, content) in table {
            assert_eq!(of(bytes), *content, "{bytes:x?}");
        }
    }

    #[test]
    fn a_log_behind_garbage_is_found() {
        let frame = sample::frame(b"{\"type\":\"session\"}\n");
        for garbage in [vec![0; 5000], b"some words".to_vec(), vec![7; 3]] {
            assert_eq!(of(&[&garbage[..], &frame].concat()), Content::Zstd);
        }
        let zeroes = [&[0; 4096][..], b"{\"seq\":1}\n"].concat();
        assert_eq!(of(&zeroes), Content::Plain);
        let lines = [&[1; 500][..], b"\n{\"seq\":1}\n"].concat();
        assert_eq!(of(&lines), Content::Plain);
    }

    #[test]
    fn marker_bytes_in_a_text_do_not_make_it_a_compressed_log() {
        let text = [&b"words "[..], &MAGIC, b" and more words of the same kind\n"].concat();
        assert_eq!(of(&text), Content::Plain);
        let line = [&b"{\"a\":\""[..], &sample::frame(b"inner"), b"\"}\n"].concat();
        assert_eq!(of(&line), Content::Plain);
    }

    #[test]
    fn names_claim_an_encoding() {
        for (name, encoding) in [
            ("session.jsonl", Encoding::Plain),
            ("session.v3.jsonl.zstd", Encoding::Zstd),
            ("x.ZST", Encoding::Zstd),
            ("x", Encoding::Plain),
        ] {
            assert_eq!(Encoding::of_name(Path::new(name)), encoding);
        }
    }
}
