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
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::container::{BadLineAt, Container, TornTail};
use super::index::Index;
use super::piece::{Carry, Job, Keep, Meaning, Note, Piece, PieceReader};
use super::row::{BlockId, Flags, Row, RowIx};
use crate::log::frames::{FrameWalk, Part};
use crate::log::sniff::Encoding;
use crate::log::source::Source;
use crate::record::extract::BadLine;
use crate::record::header::Header;
use crate::record::kinds::Kind;

/// Compressed bytes of a job: large enough that handing it over costs nothing, small enough that all cores have work
/// and few decoded lines are held.
const JOB_BYTES: u64 = 128 << 10;

/// Frames of a job at most: tiny frames cost more than their bytes.
const JOB_FRAMES: usize = 512;

/// Bytes of a job of a plain log.
const PLAIN_JOB: u64 = 1 << 20;

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

/// What was read of a log.
#[derive(Debug, Clone)]
pub struct Reading<L> {
    /// The index.
    pub index: Index,
    /// Counts and damage.
    pub container: Container,
    /// The header.
    pub header: Option<Header>,
    /// The listener, having heard every line.
    pub listener: L,
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
        if self.at_start {
            // The first frame by itself: the header must be known before any line is judged.
            jobs.first_alone = true;
        }
        if threads == 1 {
            self.read_here(&mut jobs, to, progress)?;
        } else {
            self.read_with(threads, &mut jobs, to, progress)?;
        }
        self.torn = self.torn.or(jobs.torn);
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
                let goes_on = !self.carry.bytes.is_empty() || (self.at_start && absorbed > 0);
                if goes_on && matches!(job, Job::Frames(..)) {
                    // A line goes on from the job before, or the first line is still to come: rare, no writer does it.
                    // The frames are read again with the beginning of the line at hand.
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
            Encoding::Plain if !carry.bytes.is_empty() => {
                self.torn = Some((self.offset, carry.bytes.len() as u64));
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

impl<L: Listener> Reading<L> {
    /// Takes a piece in. `is_torn`: it comes from an unfinished frame, whose lines and bytes are counted apart.
    fn absorb(&mut self, piece: Piece, is_torn: bool, at_start: &mut bool) -> Carry {
        let base = self.index.blocks.len() as u32;
        self.index.blocks.extend(piece.blocks);
        let frames = self.container.complete_frames.min(u64::from(u32::MAX)) as u32;
        let frame_of = piece.frame_of.into_iter().map(|frame| if is_torn { frames } else { frame });
        self.index.frame_of.extend(frame_of);
        if self.container.complete_frames == 0 && !is_torn {
            self.container.header_frame_exact = piece.header_frame_exact;
        }
        self.container.byte_order_mark |= piece.byte_order_mark;
        // The first line is the header's, however much comes before its end.
        *at_start &= piece.head.is_none() && piece.rows.is_empty();
        if let Some(head) = piece.head {
            let (block, at, len) = head.at;
            self.index.header_lines = 1;
            self.index.header_at = Some((BlockId(base + block.0), at, len));
            if simdutf8::basic::from_utf8(&head.header.raw).is_err() {
                self.container.lines_not_utf8.push(1);
            }
            self.listener.header(&head.header);
            self.header = Some(head.header);
            self.container.lines += u64::from(!is_torn);
        }
        self.container.complete_frames += piece.frames;
        self.container.decoded_bytes += piece.decoded;
        self.container.long_line_bytes = self.container.long_line_bytes.max(piece.longest);
        self.container.crlf_lines += piece.crlf;
        self.container.split_lines += piece.split;
        let mut notes = piece.notes.into_iter().peekable();
        for (at, (mut row, meaning)) in piece.rows.into_iter().zip(piece.meanings).enumerate() {
            while let Some((_, note)) = notes.next_if(|(before, _)| *before <= at) {
                self.note(note);
                row.flags.set(Flags::AFTER_DAMAGE);
            }
            row.block.0 += base;
            self.container.lines += u64::from(!is_torn);
            self.push(row, &meaning);
        }
        for (_, note) in notes {
            self.note(note);
        }
        let mut carry = piece.carry;
        carry.block.0 += base;
        carry
    }

    fn push(&mut self, mut row: Row, meaning: &Meaning) {
        let at = RowIx(self.index.rows.len() as u32);
        let line = self.index.lines_before.unwrap_or(0) + u64::from(at.0) + 1 + u64::from(self.index.header_lines);
        if row.flags.has(Flags::NOT_UTF8) {
            self.container.lines_not_utf8.push(line);
        }
        match meaning {
            Meaning::Event(event) => {
                row.type_id = match event.kind {
                    Kind::Unknown => self.index.types.of_name(event.unknown_type.as_deref()),
                    kind => self.index.types.of_kind(kind),
                };
                self.index.types.count(row.type_id, u64::from(event.members));
                self.container.events += u64::from(event.members);
                self.container.packed_rows += u64::from(event.kind.is_packed());
                if event.seq.is_some_and(|seq| self.index.seq_falls_back(seq)) {
                    self.index.steps_back.push(at);
                }
            }
            Meaning::Bad(bad) => {
                self.container.packed_rows += u64::from(matches!(bad, BadLine::MalformedPackedRow(_)));
                self.bad(at, line, why(bad), bad.to_string());
            }
            Meaning::Unterminated => self.bad(at, line, "no newline at end of data", String::new()),
        }
        self.listener.line(at, line, &mut row, meaning);
        self.index.rows.push(row);
    }

    fn bad(&mut self, row: RowIx, line: u64, why: &'static str, detail: String) {
        self.container.bad_lines.push(BadLineAt { line, row, why, detail });
    }

    fn note(&mut self, note: Note) {
        let next = RowIx(self.index.rows.len() as u32);
        self.listener.note(next, &note);
        match note {
            Note::Damaged(damage) => {
                self.container.damaged_frames.push(super::container::FrameDamage { next_row: next, ..damage });
            }
            Note::Foreign(offset, len) => self.container.foreign_bytes.push((offset, len)),
            Note::Skippable(offset, len) => self.container.skippable_frames.push((offset, len)),
        }
    }

    /// A line without an end, at the end of the data: it is no event, whatever it holds.
    fn push_unterminated(&mut self, carry: &Carry, mark: Flags) {
        let len = carry.bytes.len().min(u32::MAX as usize) as u32;
        let mut row = Row::new(carry.block, carry.at, len, Kind::Unknown);
        for flag in [Flags::BAD, Flags::UNTERMINATED, mark] {
            row.flags.set(flag);
        }
        if simdutf8::basic::from_utf8(&carry.bytes).is_err() {
            row.flags.set(Flags::NOT_UTF8);
        }
        self.container.long_line_bytes = self.container.long_line_bytes.max(carry.bytes.len() as u64);
        self.push(row, &Meaning::Unterminated);
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
        let is_unfinished = encoding == Encoding::Plain && !carry.bytes.is_empty();
        is_unfinished.then(|| (size - carry.bytes.len() as u64, carry.bytes.len() as u64))
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

/// Reads the unfinished end into a reading.
fn finish<L: Listener>(
    reading: &mut Reading<L>,
    carry: &Carry,
    torn: Option<(u64, u64)>,
    source: &Arc<dyn Source>,
    keep: Keep,
    at_start: bool,
) -> io::Result<()> {
    let next = RowIx(reading.index.rows.len() as u32);
    if !carry.bytes.is_empty() {
        reading.container.lines += 1;
        if reading.container.encoding == Encoding::Plain {
            reading.container.decoded_bytes += carry.bytes.len() as u64;
        }
        reading.push_unterminated(carry, Flags::default());
    }
    let Some((offset, bytes)) = torn else { return Ok(()) };
    let mut tail =
        TornTail { offset, bytes, complete_lines_inside: 0, leftover_bytes: carry.bytes.len() as u64, first_row: next };
    if reading.container.encoding == Encoding::Zstd {
        let mut reader = PieceReader::new(Arc::clone(source), keep)?;
        let mut starts_log = at_start && carry.bytes.is_empty();
        let piece = reader.read(&Job::Torn(offset, bytes), Carry::default(), starts_log)?;
        tail.first_row = RowIx(reading.index.rows.len() as u32);
        tail.complete_lines_inside = piece.rows.len() as u64 + u64::from(piece.head.is_some());
        tail.leftover_bytes = piece.carry.bytes.len() as u64;
        if reading.container.complete_frames == 0 {
            reading.container.header_frame_exact = false;
        }
        let rest = reading.absorb(piece, true, &mut starts_log);
        if !rest.bytes.is_empty() {
            reading.push_leftover(&rest);
        }
    }
    reading.container.torn_tail = Some(tail);
    Ok(())
}

impl<L: Listener> Reading<L> {
    /// What a torn frame holds after its last whole line: shown as a row, counted as no line and no bad line.
    fn push_leftover(&mut self, rest: &Carry) {
        let len = rest.bytes.len().min(u32::MAX as usize) as u32;
        let mut row = Row::new(rest.block, rest.at, len, Kind::Unknown);
        for flag in [Flags::BAD, Flags::UNTERMINATED, Flags::TORN] {
            row.flags.set(flag);
        }
        self.index.rows.push(row);
    }
}

/// The words of docs/REPORT.md for a line that is no event.
fn why(bad: &BadLine) -> &'static str {
    match bad {
        BadLine::Blank => "blank",
        BadLine::NotJson(_) => "not JSON",
        BadLine::NotAnObject => "not an object",
        BadLine::MalformedPackedRow(_) => "malformed packed row",
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
        let piece = match &mut reader {
            Ok(reader) => reader.read(&job, Carry::default(), starts_log),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        if hand_in.send((number, job, piece)).is_err() {
            return;
        }
    }
}

/// Cuts what is to be read into jobs.
struct Jobs<'s> {
    walk: Option<FrameWalk<'s>>,
    /// Number of the next frame.
    frame: u64,
    plain: std::ops::Range<u64>,
    /// The next job is one part alone.
    first_alone: bool,
    /// The unfinished frame at the end.
    torn: Option<(u64, u64)>,
}

impl<'s> Jobs<'s> {
    fn zstd(source: &'s dyn Source, from: u64, to: u64, frame: u64) -> Jobs<'s> {
        let walk = Some(FrameWalk::new(source, from, to));
        Jobs { walk, frame, plain: 0..0, first_alone: false, torn: None }
    }

    fn plain(from: u64, to: u64) -> Jobs<'s> {
        Jobs { walk: None, frame: 0, plain: from..to, first_alone: false, torn: None }
    }

    fn next_job(&mut self) -> io::Result<Option<Job>> {
        let first_alone = std::mem::take(&mut self.first_alone);
        let Some(walk) = &mut self.walk else {
            if self.plain.is_empty() {
                return Ok(None);
            }
            let end = self.plain.end.min(self.plain.start + PLAIN_JOB);
            let job = Job::Plain(self.plain.start..end);
            self.plain.start = end;
            return Ok(Some(job));
        };
        let (mut parts, mut bytes, first) = (Vec::new(), 0, self.frame);
        while let Some(part) = walk.next_part()? {
            match &part {
                Part::Frame(frame) => {
                    bytes += frame.len;
                    self.frame += 1;
                }
                Part::Skippable { .. } | Part::Foreign { .. } => {}
                Part::Torn { offset, len } => {
                    self.torn = Some((*offset, *len));
                    continue;
                }
            }
            parts.push(part);
            if first_alone || bytes >= JOB_BYTES || parts.len() >= JOB_FRAMES {
                break;
            }
        }
        Ok((!parts.is_empty()).then_some(Job::Frames(parts, first)))
    }
}

#[cfg(test)]
mod tests;
