//! Finding the next frame where the walk has lost its step.
//!
//! The marker bytes may stand anywhere in a payload, so a marker only proposes: what counts is a
//! frame that walks to its end and decodes.

use std::io;
use std::ops::ControlFlow;

use memchr::memmem;

use super::walk::{Walked, walk_frame};
use super::window::Window;
use super::{Frame, MAGIC, in_step, is_skippable, skippable_end};
use crate::log::decode::{Decoder, FrameFault};
use crate::log::source::Source;

/// Work that one walk may take, in bytes read, looked at and decoded: this much, and [`PER_BYTE`] for
/// each byte of the file. A walk over a log takes a small part of it, however damaged the log is.
///
/// Without a bound a file made for the purpose, each of whose markers walks and decodes almost to
/// the end, takes time that grows with the square of its size. Past the bound no search is made: what
/// the block headers say is believed, and what is no frame is foreign up to the end.
const ALLOWANCE: u64 = 256 << 20;
const PER_BYTE: u64 = 32;

/// Bytes searched for a marker at a time.
const STRETCH: usize = 64 << 10;

/// Searches for frames, and keeps account of what that costs.
pub(super) struct Resync<'s> {
    source: &'s dyn Source,
    /// Made when the first frame must be decoded: most walks need none.
    decoder: Option<Decoder>,
    allowance: u64,
    /// Bytes decoded.
    spent: u64,
}

/// What stands behind a marker.
enum Candidate {
    /// A frame that decodes.
    Good(Frame),
    /// A frame that the end of the file cuts, its complete blocks decoding.
    Torn,
    /// A skippable frame that a frame or the end of the file follows.
    Skippable,
    /// No frame.
    None,
}

impl<'s> Resync<'s> {
    /// For a walk over `bytes` bytes.
    pub(super) fn new(source: &'s dyn Source, bytes: u64) -> Self {
        Self { source, decoder: None, allowance: ALLOWANCE.saturating_add(bytes.saturating_mul(PER_BYTE)), spent: 0 }
    }

    /// Another allowance, so that a test comes to its end.
    #[cfg(test)]
    pub(super) fn set_allowance(&mut self, bytes: u64) {
        self.allowance = bytes;
    }

    /// Whether the content of a frame is good. One that is too large to be checked is believed.
    pub(super) fn decodes(&mut self, window: &Window<'_>, frame: &Frame) -> io::Result<bool> {
        let source = self.source;
        let left = self.left(window);
        let mut decoded = frame.len;
        let result = self.decoder()?.stream(source, frame, &mut |piece| {
            decoded = decoded.saturating_add(piece.len() as u64);
            if decoded > left { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.spent = self.spent.saturating_add(decoded);
        match result {
            Ok(()) => Ok(true),
            // A fault of the file system is no statement about the frame.
            Err(FrameFault::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// The first good frame inside a complete frame that is out of step and does not decode.
    pub(super) fn frame_inside(&mut self, window: &mut Window<'_>, frame: &Frame) -> io::Result<Option<u64>> {
        self.good_frame(window, frame.offset + 1, frame.end())
    }

    /// The first good frame that starts in `from..to`.
    pub(super) fn good_frame(&mut self, window: &mut Window<'_>, from: u64, to: u64) -> io::Result<Option<u64>> {
        let mut at = from;
        while let Some(marker) = self.marker(window, at, to)? {
            if let Candidate::Good(_) = self.candidate(window, marker)? {
                return Ok(Some(marker));
            }
            at = marker + 1;
        }
        Ok(None)
    }

    /// The first good frame behind the start of a frame that the end of the file cuts, if that shows
    /// that the file does not end in that frame but that one of its block headers is damaged.
    ///
    /// It must be in step, as a frame inside a payload hardly is. One inside the complete blocks,
    /// before `open`, may be payload all the same, so there it takes more: that the frames behind it
    /// lead to the end of the file, or that the complete blocks do not decode. Once it is shown, the
    /// first good frame counts, whatever follows it.
    pub(super) fn frame_in_torn(&mut self, window: &mut Window<'_>, start: u64, open: u64) -> io::Result<Option<u64>> {
        let mut blocks_decode = None;
        let mut earliest = None;
        let mut at = start + 1;
        let end = window.end();
        while let Some(marker) = self.marker(window, at, end)? {
            at = marker + 1;
            let Candidate::Good(frame) = self.candidate(window, marker)? else {
                continue;
            };
            let first = *earliest.get_or_insert(marker);
            if !in_step(window, frame.end())? {
                continue;
            }
            if marker >= open || self.leads_to_end(window, frame.end())? {
                return Ok(Some(first));
            }
            let decode = match blocks_decode {
                Some(decode) => decode,
                None => self.torn_decodes(start, window.end() - start)?,
            };
            if !decode {
                return Ok(Some(first));
            }
            blocks_decode = Some(decode);
        }
        Ok(None)
    }

    /// Whether nothing but frames in step, the last one perhaps cut, follow up to the end.
    fn leads_to_end(&mut self, window: &mut Window<'_>, from: u64) -> io::Result<bool> {
        let mut at = from;
        loop {
            let start = window.peek(at, MAGIC.len())?;
            if start.len() < MAGIC.len() {
                return Ok(true);
            }
            if start != MAGIC {
                match skippable_end(window, at)? {
                    Some(end) => at = end,
                    None => return Ok(false),
                }
                continue;
            }
            match walk_frame(window, at)? {
                Walked::Frame(frame) => at = frame.end(),
                Walked::Torn { .. } => return self.torn_decodes(at, window.end() - at),
                Walked::Broken => return Ok(false),
            }
            if self.left(window) == 0 {
                return Ok(false);
            }
        }
    }

    /// Where the next frame starts, complete and good or cut by the end of the file, or the next
    /// skippable frame that another frame or the end of the file follows.
    pub(super) fn next_start(&mut self, window: &mut Window<'_>, from: u64) -> io::Result<Option<u64>> {
        let mut at = from;
        while let Some(marker) = self.marker(window, at, window.end())? {
            match self.candidate(window, marker)? {
                Candidate::Good(_) | Candidate::Torn | Candidate::Skippable => {
                    return Ok(Some(marker));
                }
                Candidate::None => at = marker + 1,
            }
        }
        Ok(None)
    }

    fn candidate(&mut self, window: &mut Window<'_>, at: u64) -> io::Result<Candidate> {
        let magic = window.peek(at, MAGIC.len())?;
        if magic != MAGIC {
            return skippable_candidate(window, at);
        }
        Ok(match walk_frame(window, at)? {
            Walked::Frame(frame) if self.decodes(window, &frame)? => Candidate::Good(frame),
            Walked::Torn { .. } if self.torn_decodes(at, window.end() - at)? => Candidate::Torn,
            Walked::Frame(_) | Walked::Torn { .. } | Walked::Broken => Candidate::None,
        })
    }

    fn torn_decodes(&mut self, at: u64, len: u64) -> io::Result<bool> {
        let source = self.source;
        let mut bytes = 0;
        let good = self.decoder()?.torn_decodes(source, at, len, &mut bytes)?;
        self.spent = self.spent.saturating_add(bytes);
        Ok(good)
    }

    /// The next marker in `from..to`, as long as there is allowance for a search.
    fn marker(&self, window: &mut Window<'_>, from: u64, to: u64) -> io::Result<Option<u64>> {
        if self.left(window) == 0 {
            return Ok(None);
        }
        next_marker(window, from, to)
    }

    fn left(&self, window: &Window<'_>) -> u64 {
        let used = self.spent.saturating_add(window.work());
        self.allowance.saturating_sub(used)
    }

    fn decoder(&mut self) -> io::Result<&mut Decoder> {
        match &mut self.decoder {
            Some(decoder) => Ok(decoder),
            none => Ok(none.insert(Decoder::new()?)),
        }
    }
}

fn skippable_candidate(window: &mut Window<'_>, at: u64) -> io::Result<Candidate> {
    let Some(end) = skippable_end(window, at)? else {
        return Ok(Candidate::None);
    };
    let followed = end == window.end() || window.peek(end, MAGIC.len())? == MAGIC;
    Ok(if followed { Candidate::Skippable } else { Candidate::None })
}

/// The first offset in `from..to` at which the magic of a frame of either kind stands.
///
/// The magic itself may reach beyond `to`.
pub(in crate::log) fn next_marker(window: &mut Window<'_>, from: u64, to: u64) -> io::Result<Option<u64>> {
    let mut at = from;
    while at < to {
        let bytes = window.stretch(at, STRETCH)?;
        if bytes.len() < MAGIC.len() {
            break;
        }
        let frame = memmem::find(bytes, &MAGIC);
        let before = frame.map_or(bytes, |place| &bytes[..place]);
        let skippable = memmem::find_iter(before, &[0x2A, 0x4D, 0x18])
            .filter_map(|place| place.checked_sub(1))
            .find(|place| is_skippable([before[*place], 0x2A, 0x4D, 0x18]));
        if let Some(place) = skippable.or(frame) {
            let marker = at + place as u64;
            return Ok((marker < to).then_some(marker));
        }
        at += (bytes.len() - (MAGIC.len() - 1)) as u64;
    }
    Ok(None)
}
