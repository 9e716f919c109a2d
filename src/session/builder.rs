//! Reads a log into an index, with all cores, and tells a listener what each line means, in file order.
//!
//! ```text
//! walk of block headers ─▶ jobs ─▶ workers (decode, cut, read) ─▶ pieces ─▶ in order: index rows, listener
//! ```
//!
//! Frames are independent, so are the lines of a plain log; only the order of judging is not. Few pieces are on their
//! way at a time: memory is bounded by the size of a job, not by that of the log.
//!
//! The end of a growing log is provisional: an unfinished frame or line is read into a copy for each snapshot
//! ([`Builder::snapshot`]) and read again when there is more of it.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use self::jobs::Jobs;
use self::reading::finish;
use super::container::Container;
use super::index::Index;
use super::piece::{Carry, Job, Keep, Meaning, Note, Piece, PieceReader};
use super::row::{Row, RowIx};
use crate::log::frames::{FrameWalk, Part};
use crate::log::sniff::Encoding;
use crate::log::source::Source;
use crate::record::header::Header;

pub use self::reading::Reading;

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

/// Reads a log that may grow.
pub struct Builder<L> {
    source: Arc<dyn Source>,
    keep: Keep,
    reading: Reading<L>,
    /// Offset in the file up to which everything is final.
    offset: u64,
    /// The line that the last complete frame left unfinished.
    carry: Carry,
    /// Offset and length of the unfinished frame or line at the end.
    torn: Option<(u64, u64)>,
    /// Nothing of the log was read so far.
    at_start: bool,
}

impl<L: Listener> Builder<L> {
    /// A builder at the start of a source.
    #[must_use]
    pub fn new(source: Arc<dyn Source>, encoding: Encoding, keep: Keep, listener: L) -> Builder<L> {
        let index = Index { lines_before: Some(0), ..Index::default() };
        let reading = Reading { index, container: Container::new(encoding), header: None, listener };
        Builder { source, keep, reading, offset: 0, carry: Carry::default(), torn: None, at_start: true }
    }

    /// Reads on to `to`, the size of the file as it is. The callback hears of progress and may stop the reading, which
    /// then can go on with another call.
    pub fn read(
        &mut self,
        to: u64,
        threads: usize,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> io::Result<()> {
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
        if threads == 1 {
            self.read_here(&mut jobs, to, progress)?;
        } else {
            self.read_with(threads, &mut jobs, to, progress)?;
        }
        // A reading that was stopped before the end has not come to the unfinished frame.
        self.torn = self.torn.or(jobs.torn.filter(|(offset, _)| *offset == self.offset));
        Ok(())
    }

    fn read_here(
        &mut self,
        jobs: &mut Jobs<'_>,
        to: u64,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut reader = PieceReader::new(Arc::clone(&self.source), self.keep)?;
        while let Some(job) = jobs.next_job()? {
            let carry = std::mem::take(&mut self.carry);
            let piece = reader.read(&job, carry, self.at_start)?;
            self.absorb(piece);
            if progress(self.progress(to)).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_with(
        &mut self,
        threads: usize,
        jobs: &mut Jobs<'_>,
        to: u64,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let most = threads * 2;
        let (give, take) = sync_channel::<(u64, bool, Job)>(most);
        let (hand_in, collect) = channel();
        let take = Mutex::new(take);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (source, keep, take, hand_in) = (Arc::clone(&self.source), self.keep, &take, hand_in.clone());
                scope.spawn(move || work(&source, keep, take, &hand_in));
            }
            drop(hand_in);
            let outcome = self.conduct(most, jobs, to, &give, &collect, progress);
            // Without a giver the workers end.
            drop(give);
            outcome
        })
    }

    /// Gives out jobs and takes in pieces, in order.
    fn conduct(
        &mut self,
        most: usize,
        jobs: &mut Jobs<'_>,
        to: u64,
        give: &SyncSender<(u64, bool, Job)>,
        collect: &Receiver<(u64, Job, io::Result<Piece>)>,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut waiting = BTreeMap::new();
        let (mut given, mut absorbed) = (0, 0);
        let mut more = true;
        let mut again = None;
        loop {
            while more && (given - absorbed) < most as u64 {
                match jobs.next_job()? {
                    Some(job) => {
                        let starts_log = self.at_start && given == 0;
                        if give.send((given, starts_log, job)).is_err() {
                            return Err(io::Error::other("the workers of the index are gone"));
                        }
                        given += 1;
                    }
                    None => more = false,
                }
            }
            if absorbed == given {
                return Ok(());
            }
            let Ok((number, job, piece)) = collect.recv() else {
                return Err(io::Error::other("a worker of the index ended early"));
            };
            waiting.insert(number, (job, piece));
            while let Some((job, piece)) = waiting.remove(&absorbed) {
                let mut piece = piece?;
                let goes_on = !self.carry.is_empty() || (self.at_start && absorbed > 0);
                if goes_on && matches!(job, Job::Frames(..)) {
                    // A line goes on from the job before, or the header still has to come: rare, no writer does it.
                    // The frames are read again with what the worker could not know.
                    let reader = match &mut again {
                        Some(reader) => reader,
                        None => again.insert(PieceReader::new(Arc::clone(&self.source), self.keep)?),
                    };
                    piece = reader.read(&job, std::mem::take(&mut self.carry), self.at_start)?;
                }
                self.absorb(piece);
                absorbed += 1;
            }
            if progress(self.progress(to)).is_break() {
                return Ok(());
            }
        }
    }

    fn progress(&self, total: u64) -> Progress {
        let container = &self.reading.container;
        Progress {
            done: self.offset,
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
    let mut container = Container::new(encoding);
    container.file_bytes = size;
    container.complete = false;
    let mut reading = Reading { index: Index::default(), container, header: None, listener };
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

/// The loop of a worker.
fn work(
    source: &Arc<dyn Source>,
    keep: Keep,
    take: &Mutex<Receiver<(u64, bool, Job)>>,
    hand_in: &std::sync::mpsc::Sender<(u64, Job, io::Result<Piece>)>,
) {
    let mut reader = PieceReader::new(Arc::clone(source), keep);
    loop {
        let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, starts_log, job)) = next else { return };
        let mut panicked = None;
        let piece = match &mut reader {
            Ok(reader) => catch_unwind(AssertUnwindSafe(|| reader.read(&job, Carry::default(), starts_log)))
                .unwrap_or_else(|panic| {
                    panicked = Some(panic);
                    Err(io::Error::other("a worker of the index panicked"))
                }),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        let sent = hand_in.send((number, job, piece));
        // Only now: without its piece the conductor would wait for ever.
        if let Some(panic) = panicked {
            resume_unwind(panic);
        }
        if sent.is_err() {
            return;
        }
    }
}
