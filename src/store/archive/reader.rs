//! A source read from front to back with jumps, as the reader of archives wants it.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use crate::log::Source;

/// Bytes read at once: the reader of archives asks for a few at a time.
const BUFFER: usize = 16 << 10;

/// A place in a source. A copy has a place of its own.
#[derive(Clone)]
pub(super) struct Reader {
    source: Arc<dyn Source>,
    size: u64,
    at: u64,
    buffer: Vec<u8>,
    /// Where in the source the buffer begins.
    from: u64,
}

impl Reader {
    /// A reader at the start.
    pub(super) fn new(source: Arc<dyn Source>) -> io::Result<Reader> {
        let size = source.size()?;
        Ok(Reader { source, size, at: 0, buffer: Vec::new(), from: 0 })
    }

    /// The part of the buffer that lies ahead.
    fn ahead(&self) -> &[u8] {
        let skipped = self.at.checked_sub(self.from).and_then(|skipped| usize::try_from(skipped).ok());
        skipped.and_then(|skipped| self.buffer.get(skipped..)).unwrap_or_default()
    }
}

impl Read for Reader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.ahead().is_empty() {
            if buf.len() >= BUFFER {
                let count = self.source.read_at(self.at, buf)?;
                self.at += count as u64;
                return Ok(count);
            }
            self.buffer.resize(BUFFER, 0);
            self.from = self.at;
            let read = self.source.read_at(self.at, &mut self.buffer);
            self.buffer.truncate(*read.as_ref().unwrap_or(&0));
            read?;
        }
        let ahead = self.ahead();
        let count = ahead.len().min(buf.len());
        buf[..count].copy_from_slice(&ahead[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::MemorySource;

    #[test]
    fn it_reads_and_jumps_like_a_file() {
        let bytes: Vec<u8> = (0..50_000_u32).map(|n| (n % 251) as u8).collect();
        let mut reader = Reader::new(Arc::new(MemorySource::new(bytes.clone()))).unwrap();
        let mut file = io::Cursor::new(&bytes);
        for (to, len) in [
            (SeekFrom::Start(7), 9),
            (SeekFrom::Current(20_000), 40),
            (SeekFrom::Current(-100), 30),
            (SeekFrom::End(-3), 10),
            (SeekFrom::Start(60_000), 4),
            (SeekFrom::Start(100), 30_000),
        ] {
            assert_eq!(reader.seek(to).unwrap(), file.seek(to).unwrap());
            let (mut a, mut b) = (Vec::new(), Vec::new());
            reader.by_ref().take(len).read_to_end(&mut a).unwrap();
            file.by_ref().take(len).read_to_end(&mut b).unwrap();
            assert!(a == b, "{to:?}");
        }
        assert!(reader.seek(SeekFrom::Current(-100_000)).is_err());
    }
}
