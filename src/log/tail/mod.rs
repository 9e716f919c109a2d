//! The end of a log first: where to start reading so that the last records are seen at once.
//!
//! ```text
//! last `budget` bytes:  …payload MAGIC?payload │ MAGIC frame │ MAGIC frame │ … │ end
//!                                ▲ walks to nowhere  ▲ walks to the end: proposed
//! ```
//!
//! The marker of a frame may stand in a payload too. It is believed when the frames that follow it
//! come out exactly at the end of the file and the first of them decodes. The caller decodes the
//! others, and the walk from the start of the file confirms the whole.

use std::io;

use memchr::memchr;

use super::decode::Decoder;
use super::frames::walk::{Walked, walk_frame};
use super::frames::window::Window;
use super::frames::{Frame, FrameWalk, MAGIC, Part, in_step, next_marker, skippable_end};
use super::source::{Source, read_exact_at};

/// The last parts of a compressed log, up to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// Parts in file order, never empty. The first is a frame, unless the tail is the whole log or
    /// nothing but an unfinished frame.
    pub parts: Vec<Part>,
}

impl Tail {
    /// Where the tail starts in the file; 0 if it is the whole log.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.parts.first().map_or(0, Part::offset)
    }
}

/// Finds the parts of a compressed log that lie in its last `budget` bytes.
///
/// Takes time and memory by the budget and not by the file: reads the budget about twice, and
/// decodes one frame. `None` if no frame starts there, as in a log whose last frame is larger than the
/// budget, and for an empty file. `size` stands for the end of the file.
pub fn find_tail(source: &dyn Source, size: u64, budget: u64) -> io::Result<Option<Tail>> {
    let start = size.saturating_sub(budget);
    if start == 0 {
        let parts = walk_from(source, 0, size)?;
        return Ok((!parts.is_empty()).then_some(Tail { parts }));
    }
    let mut search = Search {
        source,
        window: Window::new(source, size),
        decoder: Decoder::new()?,
        effort: budget.saturating_mul(EFFORT),
    };
    Ok(search.parts_from(start)?.map(|parts| Tail { parts }))
}

/// Bytes that may be walked for each byte of the budget before the search gives up. In a file that
/// was not made to mislead, wrong markers are rare and lead a few bytes far.
const EFFORT: u64 = 64;

/// Content decoded to prove the first frame, at most, in bytes. A larger frame is believed by its
/// place in the chain.
const PROOF: u64 = 16 << 20;

struct Search<'s> {
    source: &'s dyn Source,
    window: Window<'s>,
    decoder: Decoder,
    effort: u64,
}

/// Where the chain of frames from a marker leads.
enum Chain {
    /// To the end of the file, over one complete frame at least.
    Frames,
    /// The end of the file cuts the first frame already.
    TornOnly,
    /// Nowhere.
    Broken,
}

impl Search<'_> {
    /// The parts from the first marker on from which frames lead to the end.
    ///
    /// If none does, because bytes that are no frame stand at the very end, those from the first
    /// marker whose frame decodes; and else an unfinished frame alone.
    fn parts_from(&mut self, start: u64) -> io::Result<Option<Vec<Part>>> {
        let size = self.window.end();
        let mut torn = None;
        let mut at = start;
        while let Some(marker) = next_marker(&mut self.window, at, size)? {
            at = marker + 1;
            match self.chain(marker)? {
                Chain::Frames => {
                    if let Some(parts) = self.proved(marker)? {
                        return Ok(Some(parts));
                    }
                }
                Chain::TornOnly => torn = torn.or(Some(marker)),
                Chain::Broken => {}
            }
            if self.effort == 0 {
                return Ok(None);
            }
        }
        if let Some(loose) = self.loose(start)? {
            return walk_from(self.source, loose, size).map(Some);
        }
        match torn {
            Some(offset) if self.torn_decodes(offset)? => {
                let len = size - offset;
                Ok(Some(vec![Part::Torn { offset, len }]))
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The parts of a chain that is no accident: from its first good frame on, without bytes that
    /// are no frame, and with an end that decodes as far as it goes.
    fn proved(&mut self, marker: u64) -> io::Result<Option<Vec<Part>>> {
        let Some(from) = self.first_good(marker)? else {
            return Ok(None);
        };
        let parts = walk_from(self.source, from, self.window.end())?;
        let whole = !parts.iter().any(|part| matches!(part, Part::Foreign { .. }));
        let end_decodes = match parts.last() {
            Some(Part::Torn { offset, .. }) => self.torn_decodes(*offset)?,
            Some(_) | None => true,
        };
        Ok((whole && end_decodes).then_some(parts))
    }

    fn torn_decodes(&mut self, offset: u64) -> io::Result<bool> {
        let len = self.window.end() - offset;
        let short = len < MAGIC.len() as u64;
        Ok(short || self.decoder.torn_decodes(self.source, offset, len, &mut 0)?)
    }

    fn chain(&mut self, marker: u64) -> io::Result<Chain> {
        let mut at = marker;
        let mut frames = 0u64;
        loop {
            let start = self.window.peek(at, MAGIC.len())?;
            if start.len() < MAGIC.len() && frames > 0 {
                return Ok(Chain::Frames);
            }
            if start != MAGIC {
                match skippable_end(&mut self.window, at)? {
                    Some(end) if frames > 0 => {
                        at = end;
                        continue;
                    }
                    Some(_) | None => return Ok(Chain::Broken),
                }
            }
            match self.walk(at)? {
                Walked::Frame(frame) => {
                    if !in_step(&mut self.window, frame.end())? || self.effort == 0 {
                        return Ok(Chain::Broken);
                    }
                    at = frame.end();
                    frames += 1;
                }
                Walked::Torn { .. } if frames > 0 => return Ok(Chain::Frames),
                Walked::Torn { .. } => return Ok(Chain::TornOnly),
                Walked::Broken => return Ok(Chain::Broken),
            }
        }
    }

    /// The first frame of a chain whose content is good: what precedes it may be a marker in a
    /// payload that leads into the chain by chance.
    fn first_good(&mut self, marker: u64) -> io::Result<Option<u64>> {
        let mut at = marker;
        while self.window.peek(at, MAGIC.len())? == MAGIC {
            let Walked::Frame(frame) = self.walk(at)? else {
                break;
            };
            if self.good(&frame) {
                return Ok(Some(at));
            }
            at = frame.end();
        }
        Ok(None)
    }

    /// The first frame that decodes, whatever follows it.
    fn loose(&mut self, start: u64) -> io::Result<Option<u64>> {
        let size = self.window.end();
        let mut at = start;
        while let Some(marker) = next_marker(&mut self.window, at, size)? {
            at = marker + 1;
            if self.effort == 0 || self.window.peek(marker, MAGIC.len())? != MAGIC {
                continue;
            }
            if let Walked::Frame(frame) = self.walk(marker)?
                && frame.max_decoded <= PROOF
                && self.good(&frame)
            {
                return Ok(Some(marker));
            }
        }
        Ok(None)
    }

    fn walk(&mut self, at: u64) -> io::Result<Walked> {
        let walked = walk_frame(&mut self.window, at)?;
        let bytes = match &walked {
            Walked::Frame(frame) => frame.len,
            Walked::Torn { open } => open - at,
            Walked::Broken => 1 << 10,
        };
        self.effort = self.effort.saturating_sub(bytes);
        Ok(walked)
    }

    fn good(&mut self, frame: &Frame) -> bool {
        if frame.max_decoded > PROOF {
            return true;
        }
        self.effort = self.effort.saturating_sub(frame.len);
        let mut skip = |_: &[u8]| std::ops::ControlFlow::Continue(());
        self.decoder.stream(self.source, frame, &mut skip).is_ok()
    }
}

fn walk_from(source: &dyn Source, from: u64, size: u64) -> io::Result<Vec<Part>> {
    let mut walk = FrameWalk::new(source, from, size);
    let mut parts = Vec::new();
    while let Some(part) = walk.next_part()? {
        parts.push(part);
    }
    Ok(parts)
}

/// Where the first line starts that lies in the last `budget` bytes of a plain log.
///
/// 0 if the budget covers the file; `None` if no line starts there, the last one being longer.
pub fn plain_tail(source: &dyn Source, size: u64, budget: u64) -> io::Result<Option<u64>> {
    let start = size.saturating_sub(budget);
    if start == 0 {
        return Ok(Some(0));
    }
    // One byte before, so that a line that starts just there counts.
    let mut at = start - 1;
    let mut piece = vec![0; PLAIN_PIECE.min((size - at) as usize)];
    while at < size {
        let want = piece.len().min((size - at) as usize);
        let filled = read_exact_at(source, at, &mut piece[..want])?;
        if let Some(place) = memchr(b'\n', &piece[..filled]) {
            let line = at + place as u64 + 1;
            return Ok((line < size).then_some(line));
        }
        if filled < want {
            break;
        }
        at += filled as u64;
    }
    Ok(None)
}

/// Bytes of a plain log read at once.
const PLAIN_PIECE: usize = 64 << 10;

#[cfg(test)]
mod tests;
