//! From the magic of a frame to its end, block header by block header.

use std::io;

use super::head::{Head, LONGEST_HEAD};
use super::window::Window;
use super::{Flaw, Frame};

const BLOCK_HEAD: usize = 3;
const CHECKSUM: u64 = 4;

/// What one walk found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::log) enum Walked {
    /// It came to the end of a frame.
    Frame(Frame),
    /// The file ends first. What lies before `open` is the head of the frame and complete blocks.
    Torn { open: u64 },
    /// A block of the reserved type: where it ends is not known.
    Broken,
}

/// Walks the frame whose magic stands at `at`.
pub(in crate::log) fn walk_frame(window: &mut Window<'_>, at: u64) -> io::Result<Walked> {
    let Some(head) = Head::parse(window.peek(at, LONGEST_HEAD)?) else {
        return Ok(Walked::Torn { open: at });
    };
    let mut end = at + head.len;
    let mut blocks: u32 = 0;
    let mut max_decoded: u64 = 0;
    let mut oversize = false;
    loop {
        let header = window.peek(end, BLOCK_HEAD)?;
        let &[low, middle, high] = header else {
            return Ok(Walked::Torn { open: end });
        };
        let header = u32::from_le_bytes([low, middle, high, 0]);
        let size = u64::from(header >> 3);
        let (payload, decoded) = match (header >> 1) & 3 {
            0 => (size, size),
            1 => (1, size),
            2 => (size, head.block_limit()),
            _ => return Ok(Walked::Broken),
        };
        let next = end + BLOCK_HEAD as u64 + payload;
        if next > window.end() {
            return Ok(Walked::Torn { open: end });
        }
        oversize |= size > head.block_limit();
        max_decoded = max_decoded.saturating_add(decoded);
        blocks = blocks.saturating_add(1);
        end = next;
        if header & 1 == 1 {
            break;
        }
    }
    let open = end;
    if head.has_checksum {
        end += CHECKSUM;
    }
    if end > window.end() {
        return Ok(Walked::Torn { open });
    }
    let flaw = match () {
        () if head.reserved_bits => Flaw::ReservedBits,
        () if head.dictionary => Flaw::Dictionary,
        () if oversize => Flaw::OversizeBlock,
        () => Flaw::None,
    };
    Ok(Walked::Frame(Frame {
        offset: at,
        len: end - at,
        blocks,
        max_decoded: head.content_size.map_or(max_decoded, |size| max_decoded.min(size)),
        content_size: head.content_size,
        window: head.window,
        has_checksum: head.has_checksum,
        flaw,
    }))
}
