//! Reads a log into an index, with all cores, and tells a listener what each line means, in file order.
//!
//! ```text
//! walk of block headers ─▶ jobs ─▶ workers (decode, cut, read) ─▶ pieces ─▶ in order: index rows, listener
//!               └─▶ huge frame ─▶ one thread decodes, cuts ─▶ stretches ─▶ workers (read) ─▶ pieces ─▶ …
//! ```
//!
//! Frames are independent, so are the lines of a plain log; only the order of judging is not. Few pieces are on their
//! way at a time: memory is bounded by the size of a job, not by that of the log.
//!
//! Nothing of a frame is believed before its checksum held. The rows of a small frame wait for that; those of a huge
//! one are taken in as they come, and if its end then tells that they were not to be believed, everything is read once
//! more, the frame known to be bad and each other huge frame checked before it is read: a damaged huge frame is rare,
//! and costs three times its reading at most.
//!
//! The end of a growing log is provisional: an unfinished frame or line is read into a copy for each snapshot
//! ([`Builder::snapshot`]) and read again when there is more of it.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use self::crew::Crew;
use self::huge::Outcome;
use self::jobs::{Jobs, Next};
use self::reading::finish;
use super::index::Index;
use super::piece::{Carry, Job, Keep, Meaning, Note, Piece, PieceReader};
use super::row::{Row, RowIx};
use crate::log::decode::{Decoder, FrameFault};
use crate::log::frames::{FrameWalk, Part};
use crate::log::sniff::Encoding;
use crate::log::source::Source;
use crate::record::header::Header;

pub use self::reading::Reading;

mod crew;
mod huge;
mod jobs;
mod reading;
#[cfg(test)]
mod tests;

/// Logs below this many bytes are read by the calling thread alone.
const ONE_THREAD: u64 = 256 << 10;

/// Hears what each line means, in file order.
pub trait Listener: Clone {
    /// The header, before any line.
    fn header(&mut self, header: &Header);
    /// A line. It may set marks of the row.
    fn line(&mut self, at: RowIx, line: u64, row: &mut Row, meaning: &Meaning);
    /// Something between lines; `next` is the row that will follow it.
    fn note(&mut self, next: RowIx, note: &Note);
}

/// How far a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes of the file read.
    pub done: u64,
    /// Bytes of the file.
    pub total: u64,
    /// Frames read; 0 for a plain log.
    pub frames: u64,
    /// Lines read, the header included.
    pub lines: u64,
    /// Events read.
    pub events: u64,
}

/// Hears of progress, and may stop the reading.
type Tell<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Reads a log that may grow.
pub struct Builder<L> {
    source: Arc<dyn Source>,
    keep: Keep,
    reading: Reading<L>,
    /// The listener before it heard anything.
    unheard: L,
    /// Offset in the file up to which everything is final.
    offset: u64,
    /// Bytes after the offset that were read of a huge frame, as far as can be told.
    inside: u64,
    /// The line that the last complete frame left unfinished.
    carry: Carry,
    /// Offset and length of the unfinished frame or line at the end.
    torn: Option<(u64, u64)>,
    /// Nothing of the log was read so far.
    at_start: bool,
    /// Huge frames whose content cannot be had, by their offsets. Where there is one, each other is checked first.
    bad: BTreeMap<u64, FrameFault>,
}

impl<L: Listener> Builder<L> {
    /// A builder at the start of a source.
    #[must_use]
    pub fn new(source: Arc<dyn Source>, encoding: Encoding, keep: Keep, listener: L) -> Builder<L> {
        let unheard = listener.clone();
        let reading = Reading::new(encoding, listener);
        Builder {
            source,
            keep,
            reading,
            unheard,
            offset: 0,
            inside: 0,
            carry: Carry::default(),
            torn: None,
            at_start: true,
            bad: BTreeMap::new(),
        }
    }

    /// Reads on to `to`, the size of the file as it is. The callback hears of progress and may stop the reading, which
    /// then can go on with another call; one that is stopped inside a huge frame begins again.
    pub fn read(
        &mut self,
        to: u64,
        threads: usize,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> io::Result<()> {
        loop {
            match self.read_once(to, threads, progress)? {
                Outcome::Done => return Ok(()),
                Outcome::Stopped => {
                    self.start_over();
                    return Ok(());
                }
                Outcome::Again => self.start_over(),
            }
        }
    }

    fn read_once(&mut self, to: u64, threads: usize, progress: &mut Tell<'_>) -> io::Result<Outcome> {
        self.reading.container.file_bytes = to;
        self.torn = None;
        if self.reading.container.encoding == Encoding::Plain {
            self.carry = Carry::default();
        }
        let threads = if to.saturating_sub(self.offset) < ONE_THREAD { 1 } else { threads.max(1) };
        let source = Arc::clone(&self.source);
        let mut jobs: Jobs<'_> = match self.reading.container.encoding {
            Encoding::Zstd => Jobs::zstd(source.as_ref(), self.offset, to, self.reading.container.complete_frames),
            Encoding::Plain => Jobs::plain(self.offset, to),
        };
        // The first frame by itself: a huge log shows its header at once.
        jobs.first_alone = self.at_start;
        let outcome = if threads == 1 {
            self.read_here(&mut jobs, to, progress)?
        } else {
            self.read_with(threads, &mut jobs, to, progress)?
        };
        // A reading that was stopped before the end has not come to the unfinished frame.
        self.torn = self.torn.or(jobs.torn.filter(|(offset, _)| *offset == self.offset));
        Ok(outcome)
    }

    fn read_here(&mut self, jobs: &mut Jobs<'_>, to: u64, progress: &mut Tell<'_>) -> io::Result<Outcome> {
        let mut reader = PieceReader::new(Arc::clone(&self.source), self.keep)?;
        let mut decoder = None;
        while let Some(next) = jobs.next()? {
            match next {
                Next::Job(job) => {
                    let carry = std::mem::take(&mut self.carry);
                    let piece = reader.read(&job, carry, self.at_start)?;
                    self.absorb(piece);
                }
                Next::Huge(frame, number) => {
                    let decoder = match &mut decoder {
                        Some(decoder) => decoder,
                        none => none.insert(Decoder::new()?),
                    };
                    let of = self.huge(frame, number);
                    match self.huge_here(&of, decoder, &mut reader, to, progress) {
                        Outcome::Done => {}
                        outcome @ (Outcome::Stopped | Outcome::Again) => return Ok(outcome),
                    }
                }
            }
            if progress(self.progress(to)).is_break() {
                break;
            }
        }
        Ok(Outcome::Done)
    }

    fn read_with(
        &mut self,
        threads: usize,
        jobs: &mut Jobs<'_>,
        to: u64,
        progress: &mut Tell<'_>,
    ) -> io::Result<Outcome> {
        std::thread::scope(|scope| {
            let crew = Crew::start(scope, threads, &self.source, self.keep);
            self.conduct(crew, jobs, to, progress)
        })
    }

    /// Gives out jobs and takes in pieces, in order.
    fn conduct(
        &mut self,
        mut crew: Crew<'_, '_>,
        jobs: &mut Jobs<'_>,
        to: u64,
        progress: &mut Tell<'_>,
    ) -> io::Result<Outcome> {
        let mut again = None;
        // A huge frame waits until all before it is read: what its first line goes on with must be known.
        let mut huge = None;
        let mut more = true;
        loop {
            while more && huge.is_none() && crew.has_room() {
                match jobs.next()? {
                    Some(Next::Job(job)) => crew.give_job(job, self.at_start)?,
                    Some(Next::Huge(frame, number)) => huge = Some((frame, number)),
                    None => more = false,
                }
            }
            if crew.is_idle() {
                let Some((frame, number)) = huge.take() else { return Ok(Outcome::Done) };
                let of = self.huge(frame, number);
                match self.huge_with(&of, &mut crew, to, progress)? {
                    Outcome::Done => {}
                    outcome @ (Outcome::Stopped | Outcome::Again) => return Ok(outcome),
                }
            } else {
                crew.collect()?;
                while let Some((is_first, job, mut piece)) = crew.next_piece()? {
                    let goes_on = !self.carry.is_empty() || (self.at_start && !is_first);
                    if goes_on && matches!(job, Some(Job::Frames(..))) {
                        // A line goes on from the job before, or the header still has to come: rare, no writer does it.
                        // The frames are read again with what the worker could not know.
                        let reader = match &mut again {
                            Some(reader) => reader,
                            none => none.insert(PieceReader::new(Arc::clone(&self.source), self.keep)?),
                        };
                        if let Some(job) = job {
                            piece = reader.read(&job, std::mem::take(&mut self.carry), self.at_start)?;
                        }
                    }
                    self.absorb(piece);
                }
            }
            if progress(self.progress(to)).is_break() {
                return Ok(Outcome::Done);
            }
        }
    }

    /// Forgets what was read, but not which frames are bad.
    fn start_over(&mut self) {
        self.reading = Reading::new(self.reading.container.encoding, self.unheard.clone());
        (self.offset, self.inside, self.torn, self.at_start) = (0, 0, None, true);
        self.carry = Carry::default();
    }

    fn progress(&self, total: u64) -> Progress {
        let container = &self.reading.container;
        Progress {
            done: (self.offset + self.inside).min(total),
            total,
            frames: container.complete_frames,
            lines: container.lines,
            events: container.events,
        }
    }

    /// Takes a piece in.
    fn absorb(&mut self, piece: Piece) {
        self.offset = piece.end.max(self.offset);
        let carry = self.reading.absorb(piece, false, &mut self.at_start);
        match self.reading.container.encoding {
            Encoding::Zstd => self.carry = carry,
            // Only the last line of the file has no end, and only the piece in which it begins knows it: it is read
            // again when there is more of it.
            Encoding::Plain if !carry.is_empty() => {
                self.torn = Some((self.offset, carry.len()));
                self.carry = carry;
            }
            Encoding::Plain => {}
        }
    }

    /// What was read so far, the unfinished end included, leaving the builder ready to read on.
    pub fn snapshot(&mut self) -> io::Result<Reading<L>> {
        let mut reading = self.reading.clone();
        finish(&mut reading, &self.carry, self.torn, &self.source, self.keep, self.at_start)?;
        Ok(reading)
    }

    /// What was read, the unfinished end included, without a copy.
    pub fn into_reading(self) -> io::Result<Reading<L>> {
        let mut reading = self.reading;
        finish(&mut reading, &self.carry, self.torn, &self.source, self.keep, self.at_start)?;
        Ok(reading)
    }

    /// Offset in the file up to which everything is final.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

/// Reads the header and the given last parts of a log alone, as [`crate::log::tail`] found them: what lies between is
/// not looked at, and the cost does not grow with the file.
pub fn read_tail<L: Listener>(
    source: &Arc<dyn Source>,
    encoding: Encoding,
    size: u64,
    listener: L,
    last: &Job,
    torn: Option<(u64, u64)>,
) -> io::Result<Reading<L>> {
    let mut reading = Reading::new(encoding, listener);
    reading.index.lines_before = None;
    reading.container.file_bytes = size;
    reading.container.complete = false;
    let mut reader = PieceReader::new(Arc::clone(source), Keep::Nothing)?;
    let mut head = reader.read(&head_job(source.as_ref(), encoding, size)?, Carry::default(), true)?;
    // Lines that share the frame of the header are not the tail.
    head.rows.clear();
    head.meanings.clear();
    head.carry = Carry::default();
    let mut at_start = true;
    reading.absorb(head, false, &mut at_start);
    let piece = reader.read(last, Carry::default(), false)?;
    let carry = reading.absorb(piece, false, &mut at_start);
    reading.index.frame_of.fill(Index::UNKNOWN_FRAME);
    let torn = torn.or_else(|| {
        let is_unfinished = encoding == Encoding::Plain && !carry.is_empty();
        is_unfinished.then(|| (size - carry.len(), carry.len()))
    });
    finish(&mut reading, &carry, torn, source, Keep::Nothing, false)?;
    Ok(reading)
}

/// The job that reads the header alone.
fn head_job(source: &dyn Source, encoding: Encoding, size: u64) -> io::Result<Job> {
    match encoding {
        Encoding::Zstd => {
            // A huge first frame holds more than the header; decoding it would cost what the tail is to save.
            let part = FrameWalk::new(source, 0, size).next_part()?;
            let small = part.filter(|part| matches!(part, Part::Frame(frame) if frame.is_small()));
            Ok(Job::Frames(small.into_iter().collect(), 0))
        }
        Encoding::Plain => Ok(Job::Plain(0..1)),
    }
}
