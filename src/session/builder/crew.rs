//! The workers: they read jobs and stretches of huge frames into pieces, which are taken back in order.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use super::super::piece::{Carry, Huge, Job, Keep, Piece, PieceReader};
use super::huge::Decoded;
use crate::log::source::Source;
use crate::log::stretch::Stretch;

/// What a worker reads.
pub(super) enum Work {
    Job(Job),
    Stretch(Huge, Stretch),
}

/// Work with its number and whether its first line is the first of the log.
pub(super) type Given = (u64, bool, Work);

/// What comes back.
#[allow(clippy::large_enum_variant, reason = "nearly all is pieces, and a box each would cost more")]
pub(super) enum HandedIn {
    /// The piece with that number, and its job.
    Piece(u64, Option<Job>, io::Result<Piece>),
    /// A huge frame is decoded.
    Decoded(Decoded),
}

/// Workers of one reading. They end when this is dropped.
pub(super) struct Crew<'scope, 'env> {
    pub(super) scope: &'scope Scope<'scope, 'env>,
    /// Pieces on their way at most.
    pub(super) most: usize,
    pub(super) give: SyncSender<Given>,
    pub(super) hand_in: Sender<HandedIn>,
    collect: Receiver<HandedIn>,
    /// What came before its turn.
    waiting: BTreeMap<u64, (Option<Job>, io::Result<Piece>)>,
    pub(super) given: u64,
    taken: u64,
    /// The huge frame at hand is decoded.
    pub(super) decoded: Option<Decoded>,
}

impl<'scope, 'env> Crew<'scope, 'env> {
    pub(super) fn start(
        scope: &'scope Scope<'scope, 'env>,
        threads: usize,
        source: &Arc<dyn Source>,
        keep: Keep,
    ) -> Crew<'scope, 'env> {
        let most = threads * 2;
        let (give, take) = sync_channel::<Given>(most);
        let (hand_in, collect) = channel();
        let take = Arc::new(Mutex::new(take));
        for _ in 0..threads {
            let (source, take, hand_in) = (Arc::clone(source), Arc::clone(&take), hand_in.clone());
            scope.spawn(move || work(&source, keep, &take, &hand_in));
        }
        let waiting = BTreeMap::new();
        Crew { scope, most, give, hand_in, collect, waiting, given: 0, taken: 0, decoded: None }
    }

    pub(super) fn has_room(&self) -> bool {
        self.given - self.taken < self.most as u64
    }

    /// All that was given is taken back.
    pub(super) fn is_idle(&self) -> bool {
        self.given == self.taken
    }

    pub(super) fn give_job(&mut self, job: Job, at_start: bool) -> io::Result<()> {
        let starts_log = at_start && self.given == 0;
        let given = self.give.send((self.given, starts_log, Work::Job(job)));
        self.given += 1;
        given.map_err(|_| gone())
    }

    /// All stretches of a huge frame are taken back.
    pub(super) fn settle(&mut self) {
        self.given = self.taken;
    }

    /// Waits until something comes back.
    pub(super) fn collect(&mut self) -> io::Result<()> {
        let handed_in = self.collect.recv().map_err(|_| gone())?;
        self.put_by(handed_in);
        Ok(())
    }

    /// Waits until something comes back, or for that long.
    pub(super) fn collect_within(&mut self, limit: Duration) -> io::Result<()> {
        match self.collect.recv_timeout(limit) {
            Ok(handed_in) => self.put_by(handed_in),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(gone()),
        }
        Ok(())
    }

    fn put_by(&mut self, handed_in: HandedIn) {
        match handed_in {
            HandedIn::Piece(number, job, piece) => {
                self.waiting.insert(number, (job, piece));
            }
            HandedIn::Decoded(decoded) => self.decoded = Some(decoded),
        }
    }

    /// The next piece in order, if it is there: whether it is the first of all, its job, and the piece.
    pub(super) fn next_piece(&mut self) -> io::Result<Option<(bool, Option<Job>, Piece)>> {
        let Some((job, piece)) = self.waiting.remove(&self.taken) else { return Ok(None) };
        self.taken += 1;
        Ok(Some((self.taken == 1, job, piece?)))
    }
}

fn gone() -> io::Error {
    io::Error::other("the workers of the index are gone")
}

/// The loop of a worker.
fn work(source: &Arc<dyn Source>, keep: Keep, take: &Mutex<Receiver<Given>>, hand_in: &Sender<HandedIn>) {
    let mut reader = PieceReader::new(Arc::clone(source), keep);
    loop {
        let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, starts_log, work)) = next else { return };
        let mut panicked = None;
        let piece = match &mut reader {
            Ok(reader) => catch_unwind(AssertUnwindSafe(|| read(reader, &work, starts_log))).unwrap_or_else(|panic| {
                panicked = Some(panic);
                Err(io::Error::other("a worker of the index panicked"))
            }),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        };
        let job = match work {
            Work::Job(job) => Some(job),
            Work::Stretch(..) => None,
        };
        let sent = hand_in.send(HandedIn::Piece(number, job, piece));
        // Only now: without its piece the conductor would wait for ever.
        if let Some(panic) = panicked {
            resume_unwind(panic);
        }
        if sent.is_err() {
            return;
        }
    }
}

fn read(reader: &mut PieceReader, work: &Work, starts_log: bool) -> io::Result<Piece> {
    match work {
        Work::Job(job) => reader.read(job, Carry::default(), starts_log),
        Work::Stretch(of, stretch) => Ok(reader.stretch(of, stretch, starts_log)),
    }
}
