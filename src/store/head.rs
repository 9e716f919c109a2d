//! The first line of a log alone, at a price that does not grow with the log.

use std::io;
use std::ops::ControlFlow;

use crate::log::lines::LineLimit;
use crate::log::{Content, Decoder, FrameWalk, LineSplitter, Part, Source, read_exact_at, sniff};
use crate::record::header::Header;

/// Bytes of a first line, at most: a header has a few hundred.
const LONGEST: usize = 256 << 10;

/// Bytes of a plain log read at first: a header fits.
const FIRST_READ: usize = 4 << 10;

/// The header of a log, or why there is none.
pub type Head = Result<Header, NoHeader>;

/// Why a log has no header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoHeader {
    /// The file is empty: its writer died before the first record, or the disk was full.
    Empty,
    /// The first line is no header.
    NotAHeader,
    /// The first line cannot be had: its frame is torn or damaged, or the line is longer than any header.
    Lost,
    /// The content is something else than a log.
    NotALog(Content),
    /// The file cannot be read, in the words of the system.
    Unreadable(String),
}

/// Reads the header of a log: decodes the first frame as far as its first line goes, no more.
pub fn read_head(source: &dyn Source) -> io::Result<(Content, Head)> {
    let content = sniff(source)?;
    let line = match content {
        Content::Empty => return Ok((content, Err(NoHeader::Empty))),
        Content::Plain => plain_line(source)?,
        Content::Zstd => zstd_line(source)?,
        Content::Zip | Content::Sqlite | Content::Gzip | Content::Other(_) => {
            return Ok((content, Err(NoHeader::NotALog(content))));
        }
    };
    let head = match line {
        None => Err(NoHeader::Lost),
        Some(line) => {
            let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line);
            Header::parse(line.strip_suffix(b"\r").unwrap_or(line)).ok_or(NoHeader::NotAHeader)
        }
    };
    Ok((content, head))
}

fn plain_line(source: &dyn Source) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut want = FIRST_READ;
    while line.len() < LONGEST {
        let from = line.len();
        line.resize(from + want, 0);
        let filled = read_exact_at(source, from as u64, &mut line[from..])?;
        line.truncate(from + filled);
        if let Some(end) = memchr::memchr(b'\n', &line[from..]) {
            line.truncate(from + end);
            return Ok(Some(line));
        }
        // A log of one line may lack its line end.
        if filled < want {
            return Ok(Some(line));
        }
        want = line.len();
    }
    Ok(None)
}

fn zstd_line(source: &dyn Source) -> io::Result<Option<Vec<u8>>> {
    let mut walk = FrameWalk::new(source, 0, source.size()?);
    let mut part = walk.next_part()?;
    while matches!(part, Some(Part::Skippable { .. })) {
        part = walk.next_part()?;
    }
    let mut decoder = Decoder::new()?;
    let mut first = FirstLine::default();
    let outcome = match part {
        Some(Part::Frame(frame)) => {
            let outcome = decoder.stream(source, &frame, &mut |piece| first.take(piece));
            // Text that was decoded before a frame proved bad is not believed, as in a whole reading.
            if outcome.is_ok() { Ok(()) } else { return Ok(None) }
        }
        Some(Part::Torn { offset, len }) => decoder.torn(source, offset, len, &mut |piece| first.take(piece)),
        Some(Part::Skippable { .. } | Part::Foreign { .. }) | None => return Ok(None),
    };
    outcome.map(|()| first.line)
}

struct FirstLine {
    splitter: LineSplitter,
    line: Option<Vec<u8>>,
    seen: usize,
}

impl Default for FirstLine {
    fn default() -> FirstLine {
        FirstLine { splitter: LineSplitter::with_limit(LineLimit(LONGEST)), line: None, seen: 0 }
    }
}

impl FirstLine {
    fn take(&mut self, piece: &[u8]) -> ControlFlow<()> {
        let FirstLine { splitter, line, seen } = self;
        *seen += piece.len();
        splitter.push(piece, &mut |found| {
            if line.is_none() && !found.over_long {
                *line = Some(found.bytes.to_vec());
            }
        });
        if line.is_some() || *seen > LONGEST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{MemorySource, sample};

    const HEADER: &[u8] = br#"{"type":"session","version":0,"id":"a","createdAt":1,"delegationDepth":0}"#;

    fn head(bytes: &[u8]) -> Head {
        read_head(&MemorySource::new(bytes.to_vec())).unwrap().1
    }

    fn id(bytes: &[u8]) -> Result<String, NoHeader> {
        head(bytes).map(|header| header.id.map(|id| id.to_report()).unwrap_or_default())
    }

    #[test]
    fn the_header_is_read_and_nothing_else() {
        let line = [HEADER, b"\n"].concat();
        let more = [&line[..], &vec![b'x'; 1 << 20]].concat();
        for log in [
            line.clone(),
            HEADER.to_vec(),
            [b"\xEF\xBB\xBF", HEADER, b"\r\n"].concat(),
            more.clone(),
            sample::frame(&line),
            sample::frame(&more),
            [sample::frame(&line), b"garbage".to_vec()].concat(),
        ] {
            assert_eq!(id(&log), Ok("a".to_owned()), "{} bytes", log.len());
        }
    }

    #[test]
    fn what_is_no_header_has_a_reason() {
        let torn = sample::frame(&[&[b' '; 9][..], HEADER, b"\n"].concat());
        for (log, reason) in [
            (&b""[..], NoHeader::Empty),
            (b"{\"type\":\"turn/start\",\"seq\":0}\n", NoHeader::NotAHeader),
            (b"# text\n", NoHeader::NotAHeader),
            (b"SQLite format 3\0", NoHeader::NotALog(Content::Sqlite)),
            (&vec![b'{'; 1 << 20], NoHeader::Lost),
            (&torn[..8], NoHeader::Lost),
        ] {
            assert_eq!(id(log), Err(reason), "{} bytes", log.len());
        }
    }

    #[test]
    fn a_damaged_first_frame_has_no_header() {
        let mut frame = sample::frame(&[HEADER, b"\n"].concat());
        let last = frame.len() - 1;
        frame[last] ^= 1;
        assert_eq!(id(&frame), Err(NoHeader::Lost));
    }
}
