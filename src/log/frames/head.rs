//! The header of a zstd frame.

use super::{BLOCK_LIMIT, MAGIC};

/// Most bytes that a frame header takes: magic, descriptor, window, dictionary id, content size.
pub(super) const LONGEST_HEAD: usize = 4 + 1 + 1 + 4 + 8;

/// What a frame header states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Bytes that it takes, the magic included.
    pub(super) len: u64,
    pub(super) window: u64,
    pub(super) content_size: Option<u64>,
    pub(super) has_checksum: bool,
    pub(super) reserved_bits: bool,
    pub(super) dictionary: bool,
}

impl Head {
    /// Reads the header at the start of `bytes`, which begin with the magic; `None` when they end
    /// inside it.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        debug_assert!(bytes.starts_with(&MAGIC), "the caller looks for the magic");
        let descriptor = *bytes.get(4)?;
        let single_segment = descriptor & 0x20 != 0;
        let mut at = 5;
        let mut field = |len: usize| {
            let mut value = [0; 8];
            value[..len].copy_from_slice(bytes.get(at..at + len)?);
            at += len;
            Some(u64::from_le_bytes(value))
        };
        let window = if single_segment { None } else { Some(window_size(field(1)?)) };
        let dictionary = field([0, 1, 2, 4][usize::from(descriptor & 3)])?;
        let content_size = match descriptor >> 6 {
            0 if single_segment => Some(field(1)?),
            0 => None,
            1 => Some(field(2)? + 256),
            2 => Some(field(4)?),
            _ => Some(field(8)?),
        };
        Some(Self {
            len: at as u64,
            window: window.or(content_size).unwrap_or_default(),
            content_size,
            has_checksum: descriptor & 4 != 0,
            reserved_bits: descriptor & 0x18 != 0,
            dictionary: dictionary != 0,
        })
    }

    /// Most content that one block of this frame can hold, in bytes.
    pub(super) fn block_limit(&self) -> u64 {
        self.window.min(BLOCK_LIMIT)
    }
}

/// Window size by its descriptor: a power of two from 1 KiB up, and eighths of it on top.
fn window_size(descriptor: u64) -> u64 {
    let base = 1 << (10 + (descriptor >> 3));
    base + base / 8 * (descriptor & 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(rest: &[u8]) -> Option<Head> {
        Head::parse(&[&MAGIC[..], rest].concat())
    }

    #[test]
    fn headers_state_window_size_and_checksum() {
        /// Bytes after the magic, length, window, content size, checksum.
        type Row = (&'static [u8], u64, u64, Option<u64>, bool);
        let table: &[Row] = &[
            (&[0x04, 0x58], 6, 2 << 20, None, true),
            (&[0x00, 0x00], 6, 1 << 10, None, false),
            (&[0x00, 0x01], 6, 1152, None, false),
            (&[0x20, 0x07], 6, 7, Some(7), false),
            (&[0x60, 0x00, 0x01], 7, 512, Some(512), false),
            (&[0x64, 0x6D, 0x00], 7, 365, Some(365), true),
            (&[0xA0, 1, 0, 0, 0], 9, 1, Some(1), false),
            (&[0xC0, 0x58, 1, 0, 0, 0, 0, 0, 0, 0], 14, 2 << 20, Some(1), false),
            (&[0xE0, 255, 255, 255, 255, 255, 255, 255, 255], 13, u64::MAX, Some(u64::MAX), false),
        ];
        for (bytes, len, window, content_size, has_checksum) in table {
            let head = parse(bytes).unwrap();
            let got = (head.len, head.window, head.content_size, head.has_checksum);
            assert_eq!(got, (*len, *window, *content_size, *has_checksum), "{bytes:x?}");
            assert!(!head.reserved_bits && !head.dictionary);
            for cut in 0..bytes.len() {
                assert_eq!(parse(&bytes[..cut]), None);
            }
        }
    }

    #[test]
    fn flaws_are_seen() {
        assert!(parse(&[0x08, 0]).unwrap().reserved_bits);
        assert!(parse(&[0x10, 0]).unwrap().reserved_bits);
        assert!(parse(&[0x01, 0, 9]).unwrap().dictionary);
        assert!(!parse(&[0x01, 0, 0]).unwrap().dictionary);
        assert!(parse(&[0x03, 0, 0, 0, 0, 1]).unwrap().dictionary);
    }

    #[test]
    fn the_largest_window_does_not_overflow() {
        assert_eq!(window_size(255), (1 << 41) + (1 << 41) / 8 * 7);
    }
}
