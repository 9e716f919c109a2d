//! Reads the log: the end first, then everything; and reads on while a file that is followed grows.
//!
//! ```text
//! Target ─▶ tail ─▶ Opened(tail) ─▶ pieces ─▶ Progressed … ─▶ Opened(whole)
//!                                        followed: look ─▶ grown ─▶ Opened(whole, same epoch)
//!                                                       └▶ cut, replaced, succeeded ─▶ Changed
//! ```
//!
//! One thread. A reading that a later one overtakes, or that is stopped, ends between two pieces; what it already sent
//! is dropped by its epoch.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::desk::{Desk, Next};
use super::inbox::{Gone, Outbox};
use super::texts::Sources;
use super::watch::{Seen, Watch};
use crate::app::follow::STILL_MS;
use crate::app::message::{Change, Epoch, Message, OddFile, OddKind, Progress};
use crate::app::model::Open;
use crate::log::{FileSource, MemorySource, Source, sniff};
use crate::session::builder;
use crate::session::piece::Keep;
use crate::store::Store;
use crate::text::locale::Words;
use crate::text::sanitize;
use crate::triage::open::{self, Log};
use crate::triage::session::Session;

/// Shortest time between two words about how far the reading is.
const BETWEEN_WORDS: Duration = Duration::from_millis(100);

/// How long a reading lasts before anything is said about it: most are through by then.
const SILENT: Duration = Duration::from_millis(150);

/// Time between two looks at a file that is followed.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Looks wait this many times as long as the last growth took to read: a large log leaves the cores to others.
const REST: u32 = 4;

/// What is to be read.
#[derive(Clone)]
pub(crate) struct Opened {
    /// The path as opened, or a name.
    pub(crate) path: PathBuf,
    /// Its bytes.
    pub(crate) source: Arc<dyn Source>,
    /// Whether the path can be opened again: it is a file.
    pub(crate) is_file: bool,
    /// Threads that read.
    pub(crate) threads: usize,
}

impl Opened {
    /// No log: one is opened later.
    pub(crate) fn nothing(threads: usize) -> Opened {
        Opened { path: PathBuf::new(), source: Arc::new(MemorySource::new(Vec::new())), is_file: false, threads }
    }
}

/// Which file a reading takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// The one under the path at that moment.
    Path,
    /// The newer generation that was told of last; it is the file from then on.
    Newer,
    /// Another log, which is the file from then on.
    Other,
}

/// A log of a store.
#[derive(Clone)]
pub(crate) struct Stored {
    /// The store.
    pub(crate) store: Arc<Store>,
    /// The path that the store has it under.
    pub(crate) path: PathBuf,
}

/// Asks the loader.
pub(crate) struct Loader {
    desk: Desk<Orders>,
    marks: Arc<Marks>,
}

/// What the loader looks at between two pieces.
#[derive(Default)]
struct Marks {
    /// The reading that is wanted.
    current: AtomicU32,
    /// 1 more than the reading that is to stop; 0 while none is.
    stop: AtomicU32,
}

/// Orders that wait.
#[derive(Default)]
struct Orders {
    read: Option<(Epoch, From)>,
    /// What [`From::Other`] means.
    other: Option<Stored>,
    follow: bool,
}

enum Order {
    Read(Epoch, From, Option<Stored>),
    Follow(bool),
}

impl Orders {
    fn next(&mut self, following: bool) -> Option<Order> {
        // Following first: what is read without it has to be read once more before it can be read on.
        if self.follow != following {
            return Some(Order::Follow(self.follow));
        }
        let (epoch, from) = self.read.take()?;
        Some(Order::Read(epoch, from, self.other.take()))
    }
}

impl Loader {
    /// Starts the thread; it waits for the first order.
    pub(crate) fn start(opened: Opened, words: Arc<Words>, outbox: Outbox, sources: Sources) -> io::Result<Loader> {
        let desk = Desk::new();
        let marks = Arc::new(Marks::default());
        let loader = Loader { desk: desk.clone(), marks: Arc::clone(&marks) };
        let mut worker = Worker {
            desk,
            marks,
            opened,
            words,
            outbox,
            sources,
            following: false,
            held: None,
            newer: None,
            is_gone: false,
            quiet_ms: Cell::new(None),
        };
        thread::Builder::new().name("loader".to_owned()).spawn(move || {
            super::panic::provoke("loader");
            // Nobody listens any more: nothing is left to tell.
            let _: Result<(), Gone> = worker.run();
        })?;
        Ok(loader)
    }

    /// Begins a reading; one that runs stops.
    pub(crate) fn read(&self, epoch: Epoch, from: From) {
        self.marks.current.store(epoch.0, Ordering::SeqCst);
        self.desk.post(|orders| orders.read = Some((epoch, from)));
    }

    /// Begins the reading of another log; one that runs stops.
    pub(crate) fn open(&self, epoch: Epoch, stored: Stored) {
        self.marks.current.store(epoch.0, Ordering::SeqCst);
        self.desk.post(|orders| (orders.read, orders.other) = (Some((epoch, From::Other)), Some(stored)));
    }

    /// Stops a reading before its end.
    pub(crate) fn stop(&self, epoch: Epoch) {
        self.marks.stop.store(epoch.0.wrapping_add(1), Ordering::SeqCst);
    }

    /// Watches the file for growth, or stops watching.
    pub(crate) fn follow(&self, on: bool) {
        if on {
            // It may have to be read once more, and an earlier stop is not meant for that.
            self.marks.stop.store(0, Ordering::SeqCst);
        }
        self.desk.post(|orders| orders.follow = on);
    }

    /// Sends the thread home; a reading that runs stops.
    pub(crate) fn close(&self) {
        self.marks.current.store(u32::MAX, Ordering::SeqCst);
        self.desk.close();
    }
}

/// What is on the screen while a reading runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    /// Nothing of this reading: the end comes first.
    Awaited,
    /// All of it: it is read once more, so that it can be read on.
    Shown,
}

/// A log that was read to the end of its file, and can be read on.
struct Held {
    epoch: Epoch,
    /// `None` while the file is empty, and of one that was not followed when it was read.
    log: Option<Log>,
    watch: Watch,
    /// How long the last growth took to read.
    cost: Duration,
}

struct Worker {
    desk: Desk<Orders>,
    marks: Arc<Marks>,
    opened: Opened,
    words: Arc<Words>,
    outbox: Outbox,
    sources: Sources,
    following: bool,
    held: Option<Held>,
    /// The newer generation that was told of last.
    newer: Option<PathBuf>,
    /// That nothing stands under the path was told.
    is_gone: bool,
    /// How long the file had been quiet, as told last.
    quiet_ms: Cell<Option<u64>>,
}

impl Worker {
    fn run(&mut self) -> Result<(), Gone> {
        loop {
            let held = self.held.as_ref().filter(|_| self.following);
            let limit = held.map(|held| BETWEEN_LOOKS.max(held.cost * REST));
            match self.desk.next_within(limit, |orders| orders.next(self.following)) {
                Next::Work(Order::Read(epoch, _, Some(stored))) => self.read_other(epoch, stored)?,
                Next::Work(Order::Read(epoch, from, None)) => self.read(epoch, from)?,
                Next::Work(Order::Follow(on)) => self.follow(on)?,
                Next::Late => self.look()?,
                Next::Closed => return Ok(()),
            }
        }
    }

    fn follow(&mut self, on: bool) -> Result<(), Gone> {
        self.following = on;
        let Some(held) = &mut self.held else { return Ok(()) };
        let epoch = held.epoch;
        if on && held.log.is_none() && !held.watch.is_empty() {
            // What can be read on is kept only of a log that is followed: it takes as much memory again.
            return self.read_as(epoch, View::Shown);
        }
        held.watch.tell_again();
        self.look()
    }

    fn read(&mut self, epoch: Epoch, from: From) -> Result<(), Gone> {
        if let (From::Newer, Some(newer)) = (from, self.newer.take()) {
            self.opened.path = newer;
        }
        self.read_as(epoch, View::Awaited)
    }

    /// Reads another log. What lies on the disk by itself is opened by its path; the rest the store opens.
    fn read_other(&mut self, epoch: Epoch, stored: Stored) -> Result<(), Gone> {
        self.newer = None;
        self.opened = Opened { path: stored.path, is_file: true, ..self.opened.clone() };
        if !self.opened.path.is_file() {
            match stored.store.open(&self.opened.path) {
                Ok(source) => (self.opened.source, self.opened.is_file) = (source, false),
                Err(error) => {
                    self.held = None;
                    return self.refuse(epoch, OddKind::Unreadable(error.to_string()), None);
                }
            }
        }
        self.read_as(epoch, View::Awaited)
    }

    fn read_as(&mut self, epoch: Epoch, view: View) -> Result<(), Gone> {
        self.held = None;
        self.is_gone = false;
        self.quiet_ms.set(None);
        match self.read_whole(epoch, view) {
            Ok(held) => {
                self.held = held;
                self.look()
            }
            Err(Trouble::Gone) => Err(Gone),
            Err(Trouble::Read(error)) => self.refuse(epoch, OddKind::Unreadable(error.to_string()), None),
        }
    }

    /// Reads from the start to the end; `None` where it was stopped, overtaken, or cannot be read on.
    fn read_whole(&mut self, epoch: Epoch, view: View) -> Result<Option<Held>, Trouble> {
        let path = self.opened.path.clone();
        let mut watch = None;
        let source: Arc<dyn Source> = if self.opened.is_file {
            let file = Arc::new(FileSource::open(&path)?);
            watch = Some(Watch::new(&path, Arc::clone(&file))?);
            file
        } else {
            Arc::clone(&self.opened.source)
        };
        self.sources.set(epoch, Arc::clone(&source));
        let size = source.size()?;
        let Some(encoding) = sniff(&*source)?.encoding() else {
            let kind = if size == 0 { OddKind::Empty } else { OddKind::NotALog { first_line: None } };
            self.refuse(epoch, kind, Some(size))?;
            return Ok(held(epoch, None, watch, size)?);
        };
        if let Some(watch) = &mut watch {
            // First that it grows: what is open in it is judged by that.
            self.tell(epoch, watch)?;
        }
        if view == View::Awaited
            && let Some(tail) = open::tail(&source, encoding, &path)?
        {
            self.show(epoch, tail)?;
        }
        let mut log = Log::new(source, encoding, &path, Keep::HugeFrames);
        if !self.read_on(epoch, &mut log)? {
            return Ok(None);
        }
        let (session, log) =
            if self.following && watch.is_some() { (log.session()?, Some(log)) } else { (log.into_session()?, None) };
        let size = session.facts.container.file_bytes;
        self.show(epoch, session)?;
        Ok(held(epoch, log, watch, size)?)
    }

    /// Reads what there is, and tells how far it is; `false`: it was overtaken or stopped, and the latter was told.
    fn read_on(&self, epoch: Epoch, log: &mut Log) -> Result<bool, Trouble> {
        let mut gone = Ok(());
        let mut said = Instant::now() + SILENT;
        log.read(self.opened.threads, &mut |progress| {
            if Instant::now() >= said {
                said = Instant::now() + BETWEEN_WORDS;
                gone = self.outbox.send(Message::Progressed { epoch, progress: told(progress) });
            }
            let ends = gone.is_err() || self.is_overtaken(epoch) || self.is_stopped(epoch);
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        gone?;
        if self.is_overtaken(epoch) {
            return Ok(false);
        }
        if self.is_stopped(epoch) {
            self.outbox.send(Message::Stopped { epoch })?;
            return Ok(false);
        }
        Ok(true)
    }

    fn is_overtaken(&self, epoch: Epoch) -> bool {
        self.marks.current.load(Ordering::Relaxed) != epoch.0
    }

    fn is_stopped(&self, epoch: Epoch) -> bool {
        self.marks.stop.load(Ordering::Relaxed) == epoch.0.wrapping_add(1)
    }

    /// Looks at the file that is followed, reads on where it grew, and tells what else became of it.
    fn look(&mut self) -> Result<(), Gone> {
        if !self.following {
            return Ok(());
        }
        let Some(held) = &mut self.held else { return Ok(()) };
        let epoch = held.epoch;
        // A file that cannot be looked at may be in the middle of being replaced: the next look tells.
        let Ok(seen) = held.watch.look() else { return Ok(()) };
        let was_gone = std::mem::replace(&mut self.is_gone, seen == Seen::Gone);
        match seen {
            Seen::Same => {}
            Seen::Grown => self.grown()?,
            // A file without a byte is on its way to become another one.
            Seen::Cut | Seen::Replaced if is_empty(&self.opened.path) => return Ok(()),
            Seen::Cut => return self.changed(epoch, Change::Cut),
            Seen::Replaced => return self.changed(epoch, Change::Replaced),
            Seen::Succeeded(path) => {
                let name = path.file_name().map(|name| sanitize::display(name.as_encoded_bytes()));
                self.newer = Some(path);
                return self.changed(epoch, Change::Succeeded(name.unwrap_or_default()));
            }
            Seen::Gone if was_gone => {}
            Seen::Gone => self.outbox.send(Message::Changed { epoch, change: Change::Gone })?,
        }
        let Some(mut held) = self.held.take() else { return Ok(()) };
        let told = self.tell(epoch, &mut held.watch);
        self.held = Some(held);
        told
    }

    /// Tells how long the file has been quiet, where that is to be told.
    fn tell(&self, epoch: Epoch, watch: &mut Watch) -> Result<(), Gone> {
        match watch.quiet_to_tell().filter(|_| self.following) {
            Some(quiet_ms) => {
                self.quiet_ms.set(Some(quiet_ms));
                self.outbox.send(Message::Watched { epoch, quiet_ms })
            }
            None => Ok(()),
        }
    }

    /// Works out what follows from a reading, and hands both over.
    fn show(&self, epoch: Epoch, session: Session) -> Result<(), Gone> {
        let growing = self.quiet_ms.get().filter(|quiet| self.following && *quiet < STILL_MS);
        let open = Box::new(Open::of(Arc::new(session), &self.words, growing));
        self.outbox.send(Message::Judged { epoch, open })
    }

    /// Tells that the file is another one; it is not looked at again before it was read again.
    fn changed(&mut self, epoch: Epoch, change: Change) -> Result<(), Gone> {
        self.held = None;
        self.outbox.send(Message::Changed { epoch, change })
    }

    /// Reads the growth.
    fn grown(&mut self) -> Result<(), Gone> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        let began = Instant::now();
        let Some(log) = &mut held.log else { return self.read(held.epoch, From::Path) };
        match self.read_growth(held.epoch, log, &mut held.watch) {
            Ok(true) => {
                held.cost = began.elapsed();
                self.held = Some(held);
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(Trouble::Gone) => Err(Gone),
            Err(Trouble::Read(error)) => {
                self.held = Some(held);
                self.outbox.send(Message::Failed { what: error.to_string() })
            }
        }
    }

    fn read_growth(&self, epoch: Epoch, log: &mut Log, watch: &mut Watch) -> Result<bool, Trouble> {
        if !self.read_on(epoch, log)? {
            return Ok(false);
        }
        let session = log.session()?;
        watch.read_up_to(session.facts.container.file_bytes)?;
        self.tell(epoch, watch)?;
        self.show(epoch, session)?;
        Ok(true)
    }

    fn refuse(&self, epoch: Epoch, kind: OddKind, bytes: Option<u64>) -> Result<(), Gone> {
        let path = sanitize::display(self.opened.path.as_os_str().as_encoded_bytes());
        self.outbox.send(Message::Refused { epoch, odd: OddFile { path, bytes, kind } })
    }
}

fn held(epoch: Epoch, log: Option<Log>, watch: Option<Watch>, size: u64) -> io::Result<Option<Held>> {
    let Some(mut watch) = watch else { return Ok(None) };
    watch.remember(size)?;
    Ok(Some(Held { epoch, log, watch, cost: Duration::ZERO }))
}

fn is_empty(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0)
}

fn told(progress: builder::Progress) -> Progress {
    Progress {
        done: progress.done,
        total: progress.total,
        frames: progress.frames,
        total_frames: None,
        lines: progress.lines,
        events: progress.events,
    }
}

/// Why a reading ends before its end.
enum Trouble {
    /// The loop has gone.
    Gone,
    /// The file cannot be read.
    Read(io::Error),
}

impl std::convert::From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Read(error)
    }
}

impl std::convert::From<Gone> for Trouble {
    fn from(_: Gone) -> Trouble {
        Trouble::Gone
    }
}
