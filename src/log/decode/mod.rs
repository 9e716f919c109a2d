//! Content of frames: one zstd context, reused for every frame that a thread decodes.
//!
//! Small frames are decoded in one call into a reused buffer, others in pieces with constant memory,
//! so that a frame of a few kilobytes that holds a gigabyte costs time and no memory.
//!
//! The window of a frame, the stretch of text that its decoder must keep, is a claim of the file
//! too: up to [`WINDOW_LIMIT`] it is granted; beyond that only when the whole content is known to
//! be no larger than the limit, so that it is decoded in one call without a window.

use std::fmt;
use std::io;
use std::ops::ControlFlow;

use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective, is_error_kind};

use super::frames::{Flaw, Frame};
use super::source::{Source, read_exact_at};

/// Largest window granted, in bytes (128 MiB, what other decoders grant by default).
pub const WINDOW_LIMIT: u64 = 1 << WINDOW_LOG;
const WINDOW_LOG: u32 = 27;

/// Largest bound of a frame that [`Decoder::frame_into`] decodes in one call, in bytes.
pub const WHOLE_LIMIT: u64 = 2 << 20;

/// Compressed bytes read at once: as much as a block can take and a bit.
const INPUT: usize = 256 << 10;

/// Largest piece handed out by the streaming calls, in bytes: the most that a block can hold.
pub const PIECE: usize = 128 << 10;

/// Why the content of a complete frame cannot be had.
#[derive(Debug)]
pub enum FrameFault {
    /// The content decodes, and its checksum is not the recorded one.
    Checksum,
    /// The content does not decode; the words say how far it came, in the decoder's own terms.
    Corrupt(String),
    /// The frame asks for a dictionary, which logs do not use.
    Dictionary,
    /// The frame asks for more memory than is granted: so many bytes.
    TooLarge(u64),
    /// The file could not be read, or is shorter than it was.
    Io(io::Error),
}

impl fmt::Display for FrameFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checksum => out.write_str("checksum does not match"),
            Self::Corrupt(why) => write!(out, "does not decode: {why}"),
            Self::Dictionary => out.write_str("does not decode: needs a dictionary"),
            Self::TooLarge(bytes) => write!(out, "needs {bytes} bytes of memory to decode"),
            Self::Io(error) => write!(out, "cannot be read: {error}"),
        }
    }
}

impl std::error::Error for FrameFault {}

impl Clone for FrameFault {
    fn clone(&self) -> Self {
        match self {
            Self::Checksum => Self::Checksum,
            Self::Corrupt(why) => Self::Corrupt(why.clone()),
            Self::Dictionary => Self::Dictionary,
            Self::TooLarge(bytes) => Self::TooLarge(*bytes),
            Self::Io(error) => Self::Io(io::Error::new(error.kind(), error.to_string())),
        }
    }
}

impl From<io::Error> for FrameFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl FrameFault {
    fn from_code(code: usize) -> Self {
        if is_error_kind(code, ZSTD_ErrorCode::ZSTD_error_checksum_wrong) {
            return Self::Checksum;
        }
        Self::Corrupt(zstd::zstd_safe::get_error_name(code).to_lowercase())
    }

    fn shorter() -> Self {
        Self::Io(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is shorter than it was"))
    }
}

/// Takes the place of a frame in a run and its content, and says whether to go on.
pub type EachFrame<'a> = dyn FnMut(usize, Result<&[u8], FrameFault>) -> ControlFlow<()> + 'a;

/// Decodes frames, one after the other. One for each thread: it holds about 0.6 MiB, and the window
/// of the largest frame that it streamed.
pub struct Decoder {
    context: DCtx<'static>,
    /// Compressed bytes as read.
    input: Vec<u8>,
    /// Content of one small frame.
    output: Vec<u8>,
    /// Content in streaming: empty or [`PIECE`] bytes long.
    piece: Vec<u8>,
}

impl fmt::Debug for Decoder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Decoder").finish_non_exhaustive()
    }
}

impl Decoder {
    /// A decoder with its context; fails only when there is no memory for it.
    pub fn new() -> io::Result<Self> {
        let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        context
            .set_parameter(DParameter::WindowLogMax(WINDOW_LOG))
            .map_err(|code| io::Error::other(zstd::zstd_safe::get_error_name(code)))?;
        Ok(Self { context, input: Vec::new(), output: Vec::new(), piece: Vec::new() })
    }

    /// Decodes a whole frame into `out`, which is cleared first, and checks its checksum.
    ///
    /// Only for frames whose bound is at most [`WHOLE_LIMIT`] (see [`Frame::is_small`]); others give
    /// [`FrameFault::TooLarge`] and want [`Decoder::stream`]. After a fault `out` holds nothing to
    /// be believed.
    pub fn frame_into(&mut self, source: &dyn Source, frame: &Frame, out: &mut Vec<u8>) -> Result<(), FrameFault> {
        out.clear();
        sound(frame)?;
        if !frame.is_small() {
            return Err(FrameFault::TooLarge(frame.max_decoded));
        }
        self.whole(source, frame, out)
    }

    /// Decodes a run of small frames that lie in the file one after the other, with one read for
    /// many, and hands out the content of each by its place in `frames`.
    ///
    /// The run ends early when the callback breaks. A frame that is not small, or that does not
    /// follow its predecessor without a gap, is decoded or refused by itself as in
    /// [`Decoder::frame_into`].
    pub fn frames_into(&mut self, source: &dyn Source, frames: &[Frame], each: &mut EachFrame<'_>) {
        let mut out = std::mem::take(&mut self.output);
        let mut next = 0;
        'run: while next < frames.len() {
            let (count, bytes) = batch(&frames[next..]);
            let start = frames[next].offset;
            let filled = self.fill(source, start, bytes).map_err(FrameFault::Io);
            for (place, frame) in frames.iter().enumerate().skip(next).take(count) {
                out.clear();
                let done = match &filled {
                    Err(fault) => Err(fault.clone()),
                    Ok(_) if !frame.is_small() => Err(FrameFault::TooLarge(frame.max_decoded)),
                    Ok(filled) => self.slice_into(frame, (frame.offset - start) as usize, *filled, &mut out),
                };
                if each(place, done.map(|()| &out[..])).is_break() {
                    break 'run;
                }
            }
            next += count;
        }
        self.output = out;
    }

    /// Decodes a frame of any size and hands its content out in pieces of at most [`PIECE`] bytes.
    ///
    /// The checksum is only known at the end: what was handed out is not to be believed before the
    /// call returns `Ok`. A callback that breaks ends the call with `Ok` at once, nothing checked.
    pub fn stream(
        &mut self,
        source: &dyn Source,
        frame: &Frame,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), FrameFault> {
        sound(frame)?;
        if frame.is_small() || frame.window > WINDOW_LIMIT {
            let mut out = std::mem::take(&mut self.output);
            out.clear();
            let done = self.whole(source, frame, &mut out);
            if done.is_ok() {
                let _ = out.chunks(PIECE).try_for_each(each);
            }
            if frame.is_small() {
                self.output = out;
            }
            return done;
        }
        match self.pieces(source, frame.offset, frame.len, each)? {
            End::Done | End::Stopped => Ok(()),
            End::Wanting => Err(FrameFault::Corrupt("ends too early".to_owned())),
            End::Fault(fault) => Err(fault),
        }
    }

    /// Hands out what can be had of an unfinished frame: the content of its complete blocks, in
    /// pieces of at most [`PIECE`] bytes. Nothing of it is checked by a checksum.
    ///
    /// Content that does not decode ends the call like the end of the bytes does: `Err` only tells
    /// that the file cannot be read.
    pub fn torn(
        &mut self,
        source: &dyn Source,
        offset: u64,
        len: u64,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.pieces(source, offset, len, each).map(|_| ())
    }

    /// Whether all complete blocks of an unfinished frame decode.
    pub(crate) fn torn_decodes(
        &mut self,
        source: &dyn Source,
        offset: u64,
        len: u64,
        decoded: &mut u64,
    ) -> io::Result<bool> {
        let mut count = |piece: &[u8]| {
            *decoded += piece.len() as u64;
            ControlFlow::Continue(())
        };
        let end = self.pieces(source, offset, len, &mut count)?;
        Ok(matches!(end, End::Wanting | End::Done))
    }

    /// Reads `len` bytes into the input buffer and tells how many came.
    fn fill(&mut self, source: &dyn Source, offset: u64, len: usize) -> io::Result<usize> {
        if self.input.len() < len {
            self.input.try_reserve(len - self.input.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
            self.input.resize(len, 0);
        }
        read_exact_at(source, offset, &mut self.input[..len])
    }

    /// One call for the whole frame; its bound must have been checked.
    fn whole(&mut self, source: &dyn Source, frame: &Frame, out: &mut Vec<u8>) -> Result<(), FrameFault> {
        let len = usize::try_from(frame.len).map_err(|_| FrameFault::TooLarge(frame.len))?;
        let filled = self.fill(source, frame.offset, len)?;
        let done = self.slice_into(frame, 0, filled, out);
        if self.input.len() > BATCH {
            self.input = Vec::new();
        }
        done
    }

    /// Decodes the frame that starts at `from` in the input buffer, of which `filled` bytes count.
    fn slice_into(&mut self, frame: &Frame, from: usize, filled: usize, out: &mut Vec<u8>) -> Result<(), FrameFault> {
        sound(frame)?;
        let bytes = from
            .checked_add(frame.len as usize)
            .filter(|end| *end <= filled)
            .and_then(|end| self.input.get(from..end))
            .ok_or_else(FrameFault::shorter)?;
        out.try_reserve(frame.max_decoded as usize).map_err(|_| FrameFault::TooLarge(frame.max_decoded))?;
        match self.context.decompress(out, bytes) {
            Ok(_) => Ok(()),
            Err(code) => Err(FrameFault::from_code(code)),
        }
    }

    /// The streaming loop, over a complete frame or the start of one.
    fn pieces(
        &mut self,
        source: &dyn Source,
        offset: u64,
        len: u64,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<End> {
        let mut piece = std::mem::take(&mut self.piece);
        if piece.is_empty() {
            piece = vec![0; PIECE];
        }
        let end = self.pieces_through(&mut piece, source, offset, len, each);
        self.piece = piece;
        end
    }

    fn pieces_through(
        &mut self,
        piece: &mut [u8],
        source: &dyn Source,
        offset: u64,
        len: u64,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<End> {
        // The error of a reset says that a parameter cannot be changed; none is.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        let mut at = 0;
        while at < len {
            let want = usize::try_from(len - at).unwrap_or(INPUT).min(INPUT);
            let filled = self.fill(source, offset.saturating_add(at), want)?;
            if filled == 0 {
                return Ok(End::Wanting);
            }
            at += filled as u64;
            let mut input = InBuffer::around(&self.input[..filled]);
            loop {
                let mut output = OutBuffer::around(&mut *piece);
                let step = self.context.decompress_stream(&mut output, &mut input);
                let count = output.pos();
                if count > 0 && each(&piece[..count]).is_break() {
                    return Ok(End::Stopped);
                }
                match step {
                    Ok(0) => return Ok(End::Done),
                    // A full buffer may hide more output behind it, even without more input.
                    Ok(_) if input.pos() == filled && count < piece.len() => break,
                    Ok(_) => {}
                    Err(code) => return Ok(End::Fault(FrameFault::from_code(code))),
                }
            }
        }
        Ok(End::Wanting)
    }
}

/// How a streaming loop ended.
enum End {
    /// The frame is complete and its checksum, if any, is right.
    Done,
    /// The callback had enough.
    Stopped,
    /// The bytes ended first.
    Wanting,
    /// The content does not decode.
    Fault(FrameFault),
}

/// Compressed bytes of a run of frames that are read at once.
const BATCH: usize = 512 << 10;

/// How many of the frames are read together, and how many bytes they take.
fn batch(frames: &[Frame]) -> (usize, usize) {
    let mut count = 0;
    let mut bytes: u64 = 0;
    for frame in frames {
        let follows = count == 0 || frames[count - 1].end() == frame.offset;
        let fits = bytes.saturating_add(frame.len) <= BATCH as u64;
        if !(follows && fits) {
            break;
        }
        bytes += frame.len;
        count += 1;
    }
    if count == 0 {
        // One frame larger than the batch. One that is not small is refused, so nothing is read.
        let first = frames.first().filter(|frame| frame.is_small());
        return (1, first.map_or(0, |frame| frame.len as usize));
    }
    (count, bytes as usize)
}

/// Refuses what must not reach the decoder, in the same words for both ways of decoding.
fn sound(frame: &Frame) -> Result<(), FrameFault> {
    match frame.flaw {
        Flaw::None => {}
        Flaw::ReservedBits => {
            return Err(FrameFault::Corrupt("reserved bits of its head are set".to_owned()));
        }
        Flaw::OversizeBlock => {
            return Err(FrameFault::Corrupt("a block is too large".to_owned()));
        }
        Flaw::Dictionary => return Err(FrameFault::Dictionary),
    }
    let huge = frame.max_decoded > WINDOW_LIMIT || frame.len > 2 * WINDOW_LIMIT;
    if frame.window > WINDOW_LIMIT && huge {
        return Err(FrameFault::TooLarge(frame.window));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
