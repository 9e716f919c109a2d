//! A huge frame: one thread decodes it and cuts its text, the workers read the stretches, and what they find is taken
//! in while the decoder goes on.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel};
use std::time::Duration;

use super::super::piece::{Huge, Piece, PieceReader, frame_damaged, frame_ended, stretches};
use super::crew::{Crew, Given, HandedIn, Work};
use super::{Builder, Listener, Tell};
use crate::log::decode::{Decoder, FrameFault};
use crate::log::frames::Frame;
use crate::log::source::Source;
use crate::log::stretch::{Rest, Stretch, StretchKind};

/// Time between two questions whether the reading goes on, where nothing is to be told.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(50);

/// How a reading, or that of a huge frame, ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It came to its end, or was stopped where it can go on.
    Done,
    /// It was stopped inside a huge frame.
    Stopped,
    /// Lines were taken in that are not to be believed: all is to be read again.
    Again,
}

/// What became of a huge frame's content.
pub(super) struct Decoded {
    /// How many stretches were handed out.
    stretches: u64,
    /// Bytes decoded, and what ends no line.
    end: Result<(u64, Rest), FrameFault>,
}

/// How the content of a huge frame is decoded.
struct Decoding {
    source: Arc<dyn Source>,
    frame: Frame,
    /// The line that an earlier frame began.
    begun: (Vec<u8>, u64),
    /// All of it is decoded before the first stretch is handed out, to see whether its checksum holds.
    is_checked_first: bool,
}

impl Decoding {
    /// Decodes and cuts. `goes_on` is asked now and then while nothing is handed out.
    fn run(
        self,
        decoder: &mut Decoder,
        goes_on: &mut dyn FnMut() -> bool,
        each: &mut dyn FnMut(Stretch) -> ControlFlow<()>,
    ) -> Decoded {
        let source = self.source.as_ref();
        let checked = if self.is_checked_first {
            decoder.stream(source, &self.frame, &mut |_| {
                if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        } else {
            Ok(())
        };
        let mut count = 0;
        let end = checked.and_then(|()| {
            stretches(decoder, source, &self.frame, self.begun, &mut |stretch| {
                count += 1;
                each(stretch)
            })
        });
        Decoded { stretches: count, end }
    }

    /// The same on a thread of its own, which hands the stretches to the workers.
    fn run_beside(
        self,
        leaves: &mut Leaves,
        first: u64,
        starts_log: bool,
        of: Huge,
        give: &SyncSender<Given>,
    ) -> Decoded {
        let mut decoder = match Decoder::new() {
            Ok(decoder) => decoder,
            Err(error) => return Decoded { stretches: 0, end: Err(error.into()) },
        };
        let leaves = RefCell::new(leaves);
        let mut number = first;
        self.run(&mut decoder, &mut || leaves.borrow_mut().are_granted(), &mut |stretch| {
            let sent = leaves.borrow_mut().send(stretch, &mut |stretch| {
                give.send((number, starts_log && number == first, Work::Stretch(of, stretch))).is_ok()
            });
            number += 1;
            sent
        })
    }
}

/// Leaves to hand out a stretch: few are on their way at a time, and of long lines one alone.
struct Leaves {
    granted: Receiver<()>,
    held: usize,
    most: usize,
}

impl Leaves {
    /// Waits until `count` leaves are held; `false` if nobody wants the stretches any more.
    fn gather(&mut self, count: usize) -> bool {
        while self.held < count {
            if self.granted.recv().is_err() {
                return false;
            }
            self.held += 1;
        }
        true
    }

    /// Whether somebody still wants the stretches.
    fn are_granted(&mut self) -> bool {
        match self.granted.try_recv() {
            Ok(()) => {
                self.held += 1;
                true
            }
            Err(TryRecvError::Empty) => true,
            Err(TryRecvError::Disconnected) => false,
        }
    }

    /// Hands out a stretch when it may be.
    fn send(&mut self, stretch: Stretch, give: &mut dyn FnMut(Stretch) -> bool) -> ControlFlow<()> {
        let is_long = stretch.kind != StretchKind::Lines;
        let before = if is_long { self.most } else { 1 };
        if !self.gather(before) {
            return ControlFlow::Break(());
        }
        self.held -= 1;
        if !give(stretch) || (is_long && !self.gather(self.most)) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl<L: Listener> Builder<L> {
    /// The huge frame that follows what was read.
    pub(super) fn huge(&self, frame: Frame, number: u64) -> Huge {
        Huge { frame, number, begun: (self.carry.block, self.carry.at) }
    }

    /// How to decode a huge frame; `None` for one that is known to be bad, which is taken in as that.
    fn decoding(&mut self, of: &Huge) -> Option<Decoding> {
        if let Some(fault) = self.bad.get(&of.frame.offset).cloned() {
            self.frame_is_bad(of, &fault);
            return None;
        }
        let is_checked_first = !self.bad.is_empty();
        Some(Decoding {
            source: Arc::clone(&self.source),
            frame: of.frame,
            begun: self.carry.begun(),
            is_checked_first,
        })
    }

    /// Reads a huge frame with this thread alone.
    pub(super) fn huge_here(
        &mut self,
        of: &Huge,
        decoder: &mut Decoder,
        reader: &mut PieceReader,
        to: u64,
        progress: &mut Tell<'_>,
    ) -> Outcome {
        let before = self.before();
        let Some(decoding) = self.decoding(of) else { return Outcome::Done };
        let mut is_stopped = false;
        let content = decoding.run(decoder, &mut || true, &mut |stretch| {
            let piece = reader.stretch(of, &stretch, self.at_start);
            drop(stretch);
            self.absorb_inside(of, piece);
            is_stopped = progress(self.progress(to)).is_break();
            if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if is_stopped { Outcome::Stopped } else { self.huge_ended(of, content, before) }
    }

    /// Reads a huge frame with all workers; none of them has anything else to do.
    pub(super) fn huge_with(
        &mut self,
        of: &Huge,
        crew: &mut Crew<'_, '_>,
        to: u64,
        progress: &mut Tell<'_>,
    ) -> io::Result<Outcome> {
        let before = self.before();
        let Some(decoding) = self.decoding(of) else { return Ok(Outcome::Done) };
        // Dropped where the reading is stopped: the decoder then ends.
        let grant = crew.decode(*of, decoding, self.at_start);
        let mut taken = 0;
        loop {
            crew.collect_within(BETWEEN_QUESTIONS)?;
            while let Some((_, _, piece)) = crew.next_piece()? {
                self.absorb_inside(of, piece);
                taken += 1;
                let _ = grant.send(());
            }
            if let Some(decoded) = crew.decoded.take_if(|it| it.end.is_err() || it.stretches == taken) {
                crew.settle();
                return Ok(self.huge_ended(of, decoded, before));
            }
            if progress(self.progress(to)).is_break() {
                return Ok(Outcome::Stopped);
            }
        }
    }

    fn before(&self) -> Before {
        Before { at_start: self.at_start, lines: self.reading.container.lines }
    }

    fn absorb_inside(&mut self, of: &Huge, piece: Piece) {
        self.inside = read_of(&of.frame, piece.text_end);
        self.absorb(piece);
    }

    fn huge_ended(&mut self, of: &Huge, decoded: Decoded, before: Before) -> Outcome {
        match decoded.end {
            Ok((bytes, rest)) => {
                let is_exact = rest.bytes.is_empty() && self.reading.container.lines == before.lines + 1;
                let mut piece = frame_ended(of, bytes, rest);
                piece.header_frame_exact = is_exact || !before.at_start;
                self.inside = 0;
                self.absorb(piece);
                Outcome::Done
            }
            Err(fault) if decoded.stretches == 0 => {
                self.frame_is_bad(of, &fault);
                Outcome::Done
            }
            Err(fault) => {
                self.bad.insert(of.frame.offset, fault);
                Outcome::Again
            }
        }
    }

    fn frame_is_bad(&mut self, of: &Huge, fault: &FrameFault) {
        let piece = frame_damaged(of, fault, std::mem::take(&mut self.carry), self.at_start);
        self.absorb(piece);
    }
}

/// What there was before a huge frame.
#[derive(Clone, Copy)]
struct Before {
    at_start: bool,
    lines: u64,
}

/// Bytes of the file that the first `text` bytes of a frame's text take, as near as can be told.
fn read_of(frame: &Frame, text: u64) -> u64 {
    let whole = frame.content_size.unwrap_or(frame.max_decoded).max(1);
    (u128::from(frame.len) * u128::from(text.min(whole)) / u128::from(whole)) as u64
}

impl Crew<'_, '_> {
    /// Starts the decoder of a huge frame. What it hands out is granted by what this gives, one for each piece that is
    /// taken in.
    fn decode(&mut self, of: Huge, decoding: Decoding, starts_log: bool) -> Sender<()> {
        let (grant, granted) = channel();
        let mut leaves = Leaves { granted, held: self.most, most: self.most };
        let (first, give, hand_in) = (self.given, self.give.clone(), self.hand_in.clone());
        self.scope.spawn(move || {
            let run = || decoding.run_beside(&mut leaves, first, starts_log, of, &give);
            let (decoded, panicked) = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(decoded) => (decoded, None),
                Err(panic) => {
                    let error = io::Error::other("the decoder of a huge frame panicked");
                    (Decoded { stretches: 0, end: Err(error.into()) }, Some(panic))
                }
            };
            // Nobody waits for it where the reading was stopped.
            let _ = hand_in.send(HandedIn::Decoded(decoded));
            if let Some(panic) = panicked {
                resume_unwind(panic);
            }
        });
        grant
    }
}

#[cfg(test)]
mod tests;
