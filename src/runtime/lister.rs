//! Finds the sessions of a store, and reads what their logs say: the first line and the end of each, then each whole.
//!
//! ```text
//! list ─▶ discover ─▶ Looked … ─▶ Listed
//! tell ─▶ quick, quick … ─▶ whole, whole … ─▶ Told, Told …
//! ```
//!
//! One thread, and of each log nothing but its brief outlives its reading. A newer order ends what runs, also in the
//! middle of a log.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::desk::Desk;
use super::inbox::{Gone, Outbox};
use crate::app::message::{Found, Message, Ticket};
use crate::log::FileSource;
use crate::store::{
    Brief, Counted, Directory, Disk, Generation, Reach, SessionIx, Store, discover, is_project_folder_name, log_name,
    open_archive,
};
use crate::text::sanitize;

/// Longest time that answers are gathered: what is on the screen fills in at once, and the rest costs few draws.
const BETWEEN_ANSWERS: Duration = Duration::from_millis(120);

/// Briefs of the first answer: a screen of them.
const FIRST_ANSWER: usize = 48;

/// Columns of a place or a reason.
const MOST_COLUMNS: usize = 1000;

/// What is wanted of the logs of a store.
pub(crate) struct Wanted {
    /// Which listing.
    pub(crate) ticket: Ticket,
    /// The store.
    pub(crate) store: Arc<Store>,
    /// Sessions of which the first line and the end are wanted, in order.
    pub(crate) quick: Vec<SessionIx>,
    /// Sessions of which everything is wanted, in order, after that.
    pub(crate) whole: Vec<SessionIx>,
}

/// Orders that wait.
#[derive(Default)]
pub(crate) struct Orders {
    list: Option<(Ticket, PathBuf)>,
    found: Option<(Ticket, Arc<Store>)>,
    tell: Option<Wanted>,
}

enum Order {
    List(Ticket, PathBuf),
    Found(Ticket, Arc<Store>),
    Tell(Wanted),
}

/// Asks the lister.
pub(crate) struct Lister {
    desk: Desk<Orders>,
    /// The last answer is in the list.
    is_taken: Arc<AtomicBool>,
}

impl Lister {
    /// Starts the thread. `given` is the store that the program was started for.
    pub(crate) fn start(outbox: Outbox, given: Option<Arc<Store>>) -> io::Result<Lister> {
        let desk = Desk::new();
        let is_taken = Arc::new(AtomicBool::new(true));
        let lister = Lister { desk: desk.clone(), is_taken: Arc::clone(&is_taken) };
        let worker = Worker { desk, outbox, given, is_taken };
        thread::Builder::new().name("lister".to_owned()).spawn(move || {
            super::panic::provoke("lister");
            // Nobody listens any more: nothing is left to tell.
            let _: Result<(), Gone> = worker.run();
        })?;
        Ok(lister)
    }

    /// Finds the sessions around a log; of the store that the program was started for, where there is one.
    pub(crate) fn list(&self, ticket: Ticket, log: PathBuf) {
        self.desk.post(|orders| (orders.list, orders.tell) = (Some((ticket, log)), None));
    }

    /// Tells of a store that was found already.
    pub(crate) fn found(&self, ticket: Ticket, store: Arc<Store>) {
        self.desk.post(|orders| orders.found = Some((ticket, store)));
    }

    /// Reads what logs say; what was wanted before is dropped.
    pub(crate) fn tell(&self, wanted: Wanted) {
        self.desk.post(|orders| orders.tell = Some(wanted));
    }

    /// The last answer is in the list.
    pub(crate) fn tell_on(&self) {
        self.is_taken.store(true, Ordering::SeqCst);
    }

    /// Reads no more logs.
    pub(crate) fn stop(&self) {
        self.desk.post(|orders| orders.tell = None);
    }

    /// Sends the thread home.
    pub(crate) fn close(&self) {
        self.desk.close();
    }
}

/// A place as it is shown.
pub(crate) fn place(root: &Path) -> String {
    sanitize::one_line(root.as_os_str().as_encoded_bytes(), MOST_COLUMNS)
}

struct Worker {
    desk: Desk<Orders>,
    outbox: Outbox,
    /// The store that the program was started for.
    given: Option<Arc<Store>>,
    /// The last answer is in the list. Until then more is gathered: sorting thousands of rows takes longer than reading
    /// the end of a log, and a queue of answers would keep keys waiting.
    is_taken: Arc<AtomicBool>,
}

impl Worker {
    fn run(&self) -> Result<(), Gone> {
        while let Some((order, posted)) = self.desk.next(|orders| {
            let list = orders.list.take().map(|(ticket, log)| Order::List(ticket, log));
            let found = || orders.found.take().map(|(ticket, store)| Order::Found(ticket, store));
            list.or_else(found).or_else(|| orders.tell.take().map(Order::Tell))
        }) {
            match order {
                Order::List(ticket, log) => self.list(ticket, &log, posted)?,
                Order::Found(ticket, store) => self.listed(ticket, store, None)?,
                Order::Tell(wanted) => self.tell(&wanted, posted)?,
            }
        }
        Ok(())
    }

    fn list(&self, ticket: Ticket, log: &Path, posted: u64) -> Result<(), Gone> {
        if let Some(given) = self.given.as_ref().filter(|given| given.directory().is_archive() && !given.root.is_file())
        {
            // What came through a pipe is all that there is.
            return self.listed(ticket, Arc::clone(given), Some(log));
        }
        let root = self.given.as_ref().map_or_else(|| around(log), |given| given.root.clone());
        let place = place(&root);
        self.outbox.send(Message::Looked { ticket, place: place.clone(), folders: 0 })?;
        let mut gone = Ok(());
        let mut said = Instant::now();
        let mut each = |folders| {
            if said.elapsed() >= BETWEEN_ANSWERS {
                said = Instant::now();
                gone = self.outbox.send(Message::Looked { ticket, place: place.clone(), folders: folders as u64 });
            }
            if gone.is_err() || self.desk.posted() != posted {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let found = if root.is_file() {
            FileSource::open(&root).and_then(|archive| open_archive(Arc::new(archive), &root))
        } else {
            discover(Arc::new(Disk), &root, &mut each)
        };
        gone?;
        match found {
            Ok(store) => self.listed(ticket, Arc::new(store), Some(log)),
            Err(error) => {
                let why = sanitize::one_line(error.to_string().as_bytes(), MOST_COLUMNS);
                self.outbox.send(Message::Listed { ticket, found: Err(why) })
            }
        }
    }

    fn listed(&self, ticket: Ticket, store: Arc<Store>, log: Option<&Path>) -> Result<(), Gone> {
        let here = log.and_then(|log| session_of(&store, log));
        let can_follow = !store.directory().is_archive();
        let found = Found { place: place(&store.root), here, now: now(), can_follow, store };
        self.outbox.send(Message::Listed { ticket, found: Ok(found) })
    }

    fn tell(&self, wanted: &Wanted, posted: u64) -> Result<(), Gone> {
        let store = &wanted.store;
        let mut answer = Answer::new(self, wanted.ticket);
        let mut done = vec![false; store.sessions.len()];
        for at in &wanted.quick {
            let Some(session) = store.get(*at) else { continue };
            let brief = store.quick(session.current());
            if let Some(done) = done.get_mut(at.at()) {
                *done = brief.reach == Reach::Whole;
            }
            answer.briefs.push((*at, brief));
            answer.send_when_due()?;
            if self.desk.posted() != posted {
                return answer.send();
            }
        }
        for at in &wanted.whole {
            let Some(session) = store.get(*at) else { continue };
            for (nth, log) in session.generations.iter().enumerate() {
                let is_known = nth == 0 && done.get(at.at()).copied().unwrap_or(false);
                if is_known {
                    continue;
                }
                let Some(read) = self.read(store, log, posted) else { return answer.send() };
                match nth {
                    0 => answer.briefs.push((*at, read.0)),
                    _ => answer.older.push((*at, nth, read.1)),
                }
                answer.send_when_due()?;
            }
        }
        answer.send()
    }

    /// Reads a log whole; `None` where something else is wanted meanwhile.
    fn read(&self, store: &Store, log: &Generation, posted: u64) -> Option<(Brief, Counted)> {
        let mut is_late = self.desk.posted() != posted;
        if is_late {
            return None;
        }
        let read = store.read(log, 1, &mut |_| {
            is_late = self.desk.posted() != posted;
            if is_late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if is_late {
            return None;
        }
        Some((store.whole(log, &read), Counted::of(log, &read)))
    }
}

/// Answers that are gathered.
struct Answer<'w> {
    worker: &'w Worker,
    ticket: Ticket,
    briefs: Vec<(SessionIx, Brief)>,
    older: Vec<(SessionIx, usize, Counted)>,
    sent: Option<Instant>,
    began: Instant,
}

impl Answer<'_> {
    fn new(worker: &Worker, ticket: Ticket) -> Answer<'_> {
        Answer { worker, ticket, briefs: Vec::new(), older: Vec::new(), sent: None, began: Instant::now() }
    }

    fn send_when_due(&mut self) -> Result<(), Gone> {
        let is_due = match self.sent {
            Some(sent) => sent.elapsed() >= BETWEEN_ANSWERS,
            None => self.briefs.len() >= FIRST_ANSWER || self.began.elapsed() >= BETWEEN_ANSWERS,
        };
        if is_due && self.worker.is_taken.load(Ordering::SeqCst) { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Gone> {
        let (briefs, older) = (std::mem::take(&mut self.briefs), std::mem::take(&mut self.older));
        self.sent = Some(Instant::now());
        if briefs.is_empty() && older.is_empty() {
            return Ok(());
        }
        self.worker.is_taken.store(false, Ordering::SeqCst);
        self.worker.outbox.send(Message::Told { ticket: self.ticket, briefs, older })
    }
}

/// The root of the sessions around a log: the archive that it lies in, else as far up as the layout of a store goes.
fn around(log: &Path) -> PathBuf {
    if let Some(archive) = log.ancestors().skip(1).find(|above| above.is_file()) {
        return archive.to_owned();
    }
    let full = Disk.full_path(log);
    let parent = |path: &Path| path.parent().map(Path::to_owned);
    let Some(folder) = parent(&full) else { return full };
    let is_log = full.file_name().is_some_and(|name| log_name(name.as_encoded_bytes()).is_some());
    let Some(project) = parent(&folder).filter(|_| is_log) else { return folder };
    let is_project = project.file_name().is_some_and(|name| is_project_folder_name(name.as_encoded_bytes()));
    if is_project { parent(&project).unwrap_or(project) } else { folder }
}

/// The session that a log belongs to.
fn session_of(store: &Store, log: &Path) -> Option<SessionIx> {
    let full = Disk.full_path(log);
    let is_its = |generation: &Generation| generation.path == log || generation.path == full;
    store.places().find(|at| store[*at].generations.iter().any(is_its))
}

/// Milliseconds since the Unix epoch.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_around_a_log_goes_as_far_up_as_its_layout() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        for (log, expected) in [
            ("sessions/--srv-app--/session-1/session.jsonl", "sessions"),
            ("sessions/_no-cwd/session-1/session.v3.jsonl.zstd", "sessions"),
            ("cases/01/session.jsonl", "cases/01"),
            ("sessions/--srv-app--/session-1/copy.jsonl", "sessions/--srv-app--/session-1"),
            ("log.jsonl", ""),
        ] {
            let path = root.join(log);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, b"").unwrap();
            let expected = if expected.is_empty() { root.clone() } else { root.join(expected) };
            assert_eq!(around(&path), expected, "{log}");
        }
    }
}
