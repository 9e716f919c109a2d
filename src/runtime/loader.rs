//! Reads the log: the end first, then everything, one thread for each reading.
//!
//! ```text
//! Target ─▶ tail ─▶ Opened(tail) ─▶ pieces ─▶ Progressed … ─▶ Opened(whole)
//! ```
//!
//! A reading that a later one overtakes stops between two pieces; what it already sent is dropped by its epoch.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::inbox::{Gone, Outbox};
use super::texts::Sources;
use crate::app::message::{Epoch, Message, OddFile, OddKind, Progress};
use crate::log::{FileSource, Source, sniff};
use crate::session::builder;
use crate::session::piece::Keep;
use crate::text::sanitize;
use crate::triage::open::{self, Log};

/// Shortest time between two words about how far the reading is.
const BETWEEN_WORDS: Duration = Duration::from_millis(100);

/// How long a reading lasts before anything is said about it: most are through by then.
const SILENT: Duration = Duration::from_millis(150);

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

/// Starts readings, one after the other.
pub(crate) struct Loader {
    opened: Opened,
    current: Arc<AtomicU32>,
    /// A reading waits until the one before it has ended: two would take the cores from each other.
    turn: Arc<Mutex<()>>,
    outbox: Outbox,
    sources: Sources,
}

impl Loader {
    /// A loader that has not begun.
    pub(crate) fn new(opened: Opened, outbox: Outbox, sources: Sources) -> Loader {
        Loader { opened, current: Arc::default(), turn: Arc::default(), outbox, sources }
    }

    /// Begins a reading; one that runs stops.
    pub(crate) fn read(&self, epoch: Epoch, from: From) -> io::Result<()> {
        self.current.store(epoch.0, Ordering::SeqCst);
        let reading = Reading {
            epoch,
            from,
            opened: self.opened.clone(),
            current: Arc::clone(&self.current),
            outbox: self.outbox.clone(),
            sources: self.sources.clone(),
        };
        let turn = Arc::clone(&self.turn);
        thread::Builder::new().name("loader".to_owned()).spawn(move || {
            super::panic::provoke("loader");
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody listens any more: nothing is left to tell.
            let _: Result<(), Gone> = reading.run();
        })?;
        Ok(())
    }
}

/// Which bytes a reading takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// Those that are open.
    Open,
    /// Those that stand under the path at that moment.
    Path,
}

struct Reading {
    epoch: Epoch,
    from: From,
    opened: Opened,
    current: Arc<AtomicU32>,
    outbox: Outbox,
    sources: Sources,
}

impl Reading {
    fn run(&self) -> Result<(), Gone> {
        match self.read() {
            Ok(()) => Ok(()),
            Err(Trouble::Gone) => Err(Gone),
            Err(Trouble::Read(error)) => {
                let kind = OddKind::Unreadable(error.to_string());
                self.refuse(kind, None)
            }
        }
    }

    fn read(&self) -> Result<(), Trouble> {
        let source = self.source()?;
        self.sources.set(self.epoch, Arc::clone(&source));
        let size = source.size()?;
        let Some(encoding) = sniff(&*source)?.encoding() else {
            let kind = if size == 0 { OddKind::Empty } else { OddKind::NotALog { first_line: None } };
            return Ok(self.refuse(kind, Some(size))?);
        };
        if let Some(tail) = open::tail(&source, encoding, &self.opened.path)? {
            self.outbox.send(Message::Opened { epoch: self.epoch, session: Arc::new(tail) })?;
        }
        let mut log = Log::new(source, encoding, &self.opened.path, Keep::HugeFrames);
        let mut gone = Ok(());
        let mut said = Instant::now() + SILENT;
        log.read(self.opened.threads, &mut |progress| {
            if Instant::now() >= said {
                said = Instant::now() + BETWEEN_WORDS;
                gone = self.outbox.send(Message::Progressed { epoch: self.epoch, progress: told(progress) });
            }
            if gone.is_err() || self.is_overtaken() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        gone?;
        if self.is_overtaken() {
            return Ok(());
        }
        let session = Arc::new(log.into_session()?);
        Ok(self.outbox.send(Message::Opened { epoch: self.epoch, session })?)
    }

    fn source(&self) -> io::Result<Arc<dyn Source>> {
        match self.from {
            From::Path if self.opened.is_file => Ok(Arc::new(FileSource::open(&self.opened.path)?)),
            From::Path | From::Open => Ok(Arc::clone(&self.opened.source)),
        }
    }

    fn is_overtaken(&self) -> bool {
        self.current.load(Ordering::Relaxed) != self.epoch.0
    }

    fn refuse(&self, kind: OddKind, bytes: Option<u64>) -> Result<(), Gone> {
        let path = sanitize::display(self.opened.path.as_os_str().as_encoded_bytes());
        self.outbox.send(Message::Refused { epoch: self.epoch, odd: OddFile { path, bytes, kind } })
    }
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
