//! Jobs to pieces: decodes, and hands the text to the writer.

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::super::row::Flags;
use super::writer::{BLOCK, Mark, PieceWriter, PlainStretch};
use super::{Carry, Huge, Job, Keep, Note, Piece};
use crate::log::decode::{Decoder, FrameFault};
use crate::log::frames::{Frame, Part};
use crate::log::lines::LineSplitter;
use crate::log::reader::BlockAddress;
use crate::log::source::{Source, read_exact_at};
use crate::log::stretch::{EachStretch, Rest, Stretch, StretchCutter};

/// Bytes read at once of a plain log, at least: the line that begins in a short job may have any length.
const LEAST_READ: usize = 16 << 10;

/// Reads jobs, one after the other. One a thread.
pub struct PieceReader {
    source: Arc<dyn Source>,
    decoder: Decoder,
    keep: Keep,
    writer: PieceWriter,
}

impl PieceReader {
    /// A reader on a source.
    pub fn new(source: Arc<dyn Source>, keep: Keep) -> io::Result<PieceReader> {
        Ok(PieceReader { source, decoder: Decoder::new()?, keep, writer: PieceWriter::default() })
    }

    /// Reads a job. `carry` is the line that the piece before left unfinished, `starts_log` whether the first line of
    /// the job is the first of the log.
    pub fn read(&mut self, job: &Job, carry: Carry, starts_log: bool) -> io::Result<Piece> {
        let piece = Piece { carry, header_frame_exact: true, ..Piece::default() };
        self.writer.begin(piece, starts_log);
        match job {
            Job::Frames(parts, first) => self.frames(parts, *first, starts_log),
            Job::FrameEnd(frame, bytes) => self.frame_end(frame, *bytes),
            Job::Plain(range) => self.plain(range.clone())?,
            Job::Torn(offset, len) => self.torn(*offset, *len)?,
        }
        Ok(std::mem::take(&mut self.writer.piece))
    }

    fn frames(&mut self, parts: &[Part], first: u64, starts_log: bool) {
        let mut number = first;
        let mut at = 0;
        while at < parts.len() {
            let small = parts[at..].iter().map_while(|part| match part {
                Part::Frame(frame) if frame.is_small() => Some(*frame),
                _ => None,
            });
            let run: Vec<Frame> = small.collect();
            if run.is_empty() {
                self.part(&parts[at], number, starts_log && at == 0);
                number += u64::from(matches!(parts[at], Part::Frame(_)));
                at += 1;
            } else {
                self.small_frames(&run, number, starts_log && at == 0);
                number += run.len() as u64;
                at += run.len();
            }
        }
    }

    fn small_frames(&mut self, frames: &[Frame], first: u64, starts_log: bool) {
        let writer = &mut self.writer;
        self.decoder.frames_into(self.source.as_ref(), frames, &mut |at, content| {
            let number = first + at as u64;
            match content {
                Ok(text) => writer.small_frame(&frames[at], number, text, starts_log && at == 0),
                Err(fault) => writer.damaged(&frames[at], number, &fault),
            }
            ControlFlow::Continue(())
        });
    }

    fn part(&mut self, part: &Part, number: u64, is_first: bool) {
        match part {
            Part::Frame(frame) => self.large_frame(frame, number, is_first),
            Part::Skippable { offset, len } => {
                self.writer.piece.end = offset + len;
                self.writer.note(Note::Skippable(*offset, *len));
            }
            Part::Foreign { offset, len } => {
                self.writer.give_up_carry();
                self.writer.piece.end = offset + len;
                self.writer.note(Note::Foreign(*offset, *len));
            }
            // The walk ends at a torn frame; the builder reads it by a job of its own.
            Part::Torn { .. } => {}
        }
    }

    /// A huge frame as a part of a job: its rows are held until its checksum is read. The builder reads huge frames
    /// stretch by stretch; this is for the end of a log, which is short.
    fn large_frame(&mut self, frame: &Frame, number: u64, is_first: bool) {
        let writer = &mut self.writer;
        let (before, at_start) = (Mark::of(&writer.piece), writer.at_start);
        let carried = std::mem::take(&mut writer.piece.carry);
        let begun = (carried.block, carried.at);
        let keep = self.keep;
        let outcome = stretches(&mut self.decoder, self.source.as_ref(), frame, carried.begun(), &mut |stretch| {
            writer.stretch(frame, number, &stretch, begun, keep);
            ControlFlow::Continue(())
        });
        match outcome {
            Ok((decoded, rest)) => {
                if is_first {
                    let lines = writer.piece.rows.len() + usize::from(writer.piece.head.is_some());
                    writer.piece.header_frame_exact = lines == 1 && rest.bytes.is_empty();
                }
                writer.frame_ended(frame, number, decoded, rest, begun);
            }
            Err(fault) => {
                before.restore(&mut writer.piece);
                writer.at_start = at_start;
                writer.piece.carry = carried;
                writer.damaged(frame, number, &fault);
            }
        }
    }

    /// Reads a stretch of a huge frame into a piece of its own. `starts_log`: its first line is the first of the log.
    pub fn stretch(&mut self, of: &Huge, stretch: &Stretch, starts_log: bool) -> Piece {
        self.writer.begin(Piece { header_frame_exact: true, ..Piece::default() }, starts_log);
        self.writer.stretch(&of.frame, of.number, stretch, of.begun, self.keep);
        self.writer.piece.text_end = stretch.offset + stretch.taken;
        std::mem::take(&mut self.writer.piece)
    }

    /// Keeps the last text of a frame and reads its lines; nothing where the frame does not decode.
    fn frame_end(&mut self, frame: &Frame, bytes: u64) {
        let keep = usize::try_from(bytes).unwrap_or(usize::MAX / 2);
        let (mut kept, mut total) = (Vec::new(), 0);
        let outcome = self.decoder.stream(self.source.as_ref(), frame, &mut |piece| {
            total += piece.len() as u64;
            kept.extend_from_slice(piece);
            // Twice as much is held, so that the text is moved once for many pieces.
            if kept.len() > keep * 2 {
                kept.drain(..kept.len() - keep);
            }
            ControlFlow::Continue(())
        });
        if outcome.is_err() {
            return;
        }
        let skip = total - kept.len() as u64;
        let from = if skip == 0 { Some(0) } else { memchr::memchr(b'\n', &kept).map(|end| end + 1) };
        let Some(text) = from.map(|from| &kept[from..]) else { return };
        let take = text.len() as u64;
        let address = BlockAddress::Frame { offset: frame.offset, len: frame.len, skip: total - take, take };
        let writer = &mut self.writer;
        let block = writer.block(address, 0);
        writer.piece.frames += 1;
        writer.piece.decoded += take;
        writer.piece.end = frame.offset + frame.len;
        writer.lines(text, block, 0);
    }

    fn torn(&mut self, offset: u64, len: u64) -> io::Result<()> {
        let writer = &mut self.writer;
        writer.give_up_carry();
        writer.marks.set(Flags::TORN);
        let block = writer.block(BlockAddress::Torn { offset, len }, 0);
        let mut splitter = LineSplitter::new();
        let outcome = self.decoder.torn(self.source.as_ref(), offset, len, &mut |bytes| {
            splitter.push(bytes, &mut |line| {
                let at = line.offset.min(u64::from(u32::MAX)) as u32;
                writer.ended(&line, block, at);
            });
            ControlFlow::Continue(())
        });
        let at = splitter.offset().min(u64::from(u32::MAX)) as u32;
        let dropped = splitter.dropped();
        writer.piece.carry = Carry { bytes: splitter.take_rest(), dropped, block, at };
        writer.piece.end = offset + len;
        outcome
    }

    fn plain(&mut self, range: Range<u64>) -> io::Result<()> {
        let source = Arc::clone(&self.source);
        let writer = &mut self.writer;
        let mut buffer = vec![0; ((range.end - range.start) as usize + 1).clamp(LEAST_READ, BLOCK as usize)];
        let mut splitter = LineSplitter::new();
        splitter.restart(range.start);
        // A line belongs to the stretch in which it begins: the first one begins after the line end that lies before.
        let mut skipping = range.start > 0 && !ends_line(source.as_ref(), range.start - 1)?;
        let mut read_to = range.start;
        let mut stretch = PlainStretch::default();
        loop {
            let got = read_exact_at(source.as_ref(), read_to, &mut buffer)?;
            let mut bytes = &buffer[..got];
            if got == 0 {
                break;
            }
            let mut from = read_to;
            read_to += got as u64;
            if skipping {
                let Some(end) = memchr::memchr(b'\n', bytes) else {
                    if read_to >= range.end {
                        break;
                    }
                    continue;
                };
                skipping = false;
                bytes = &bytes[end + 1..];
                from += end as u64 + 1;
                splitter.restart(from);
            }
            let mut past = splitter.offset() >= range.end;
            if !past {
                splitter.push(bytes, &mut |line| {
                    if line.offset < range.end {
                        writer.plain_line(&mut stretch, &line);
                    } else {
                        past = true;
                    }
                });
            }
            if past || splitter.offset() >= range.end {
                break;
            }
        }
        writer.end_plain(&mut stretch);
        if splitter.offset() < range.end && splitter.unfinished() > 0 {
            let at = splitter.offset();
            let address = BlockAddress::Plain { offset: at, len: splitter.unfinished() };
            let dropped = splitter.dropped();
            let bytes = splitter.take_rest();
            writer.piece.carry = Carry { bytes, dropped, block: writer.block(address, 0), at: 0 };
        }
        Ok(())
    }
}

/// The piece after the last stretch of a huge frame: `decoded` bytes of text, of which `rest` ends no line.
#[must_use]
pub fn frame_ended(of: &Huge, decoded: u64, rest: Rest) -> Piece {
    let mut writer = PieceWriter::default();
    writer.frame_ended(&of.frame, of.number, decoded, rest, of.begun);
    writer.piece
}

/// The piece of a frame whose content cannot be had, in place of all its stretches. `carry` is the line that an earlier
/// frame began.
#[must_use]
pub fn frame_damaged(of: &Huge, fault: &FrameFault, carry: Carry, starts_log: bool) -> Piece {
    let mut writer = PieceWriter::default();
    writer.begin(Piece { carry, header_frame_exact: true, ..Piece::default() }, starts_log);
    writer.damaged(&of.frame, of.number, fault);
    writer.piece
}

/// Decodes a huge frame and cuts its text into stretches of lines. Gives the bytes decoded and what ends no line.
///
/// What was handed out is not to be believed before the call returns `Ok`. A callback that breaks ends the call with
/// `Ok` at once, nothing checked.
pub fn stretches(
    decoder: &mut Decoder,
    source: &dyn Source,
    frame: &Frame,
    begun: (Vec<u8>, u64),
    each: &mut EachStretch<'_>,
) -> Result<(u64, Rest), FrameFault> {
    let mut cutter = StretchCutter::new(begun.0, begun.1);
    let mut bytes = 0;
    decoder.stream(source, frame, &mut |piece| {
        bytes += piece.len() as u64;
        cutter.push(piece, each)
    })?;
    let (_, rest) = cutter.finish(each);
    Ok((bytes, rest))
}

/// Whether the byte at an offset is a line feed.
fn ends_line(source: &dyn Source, offset: u64) -> io::Result<bool> {
    let mut byte = [0];
    Ok(read_exact_at(source, offset, &mut byte)? == 1 && byte[0] == b'\n')
}
