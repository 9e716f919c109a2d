//! Looks for relatives of the log that was opened, in the store or export that it lies in, and reads them.
//!
//! ```text
//! store ─▶ first lines of all logs ─▶ census: descendants (and parent) ─▶ each read whole ─▶ lineage ─▶ KinFound
//! ```
//!
//! One thread, behind everything else: a store of thousands of sessions costs a look at each header. A log that did not
//! change since it was read is not read again. The newest question replaces one that waits and ends one that runs. A
//! family that is followed is looked at again: what grew is read anew, and a child that appeared is told.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::desk::{Desk, Next};
use super::inbox::{Gone, Outbox};
use super::lister::now;
use super::texts::Sources;
use crate::app::family::{Kin, Relative};
use crate::app::follow::STILL_MS;
use crate::app::message::{Epoch, Message};
use crate::log::Source;
use crate::session::lines::LineReader;
use crate::session::piece::Keep;
use crate::store::lineage::{Lineage, MOST_LINE};
use crate::store::{
    Brief, Census, Directory, Disk, Generation, Parent, RootKind, SessionIx, Store, discover, is_project_folder_name,
    log_name,
};
use crate::text::locale::Words;
use crate::triage::open::Log;
use crate::triage::session::Session;

/// Relatives that are read, at most: each holds its index in memory.
const MOST_RELATIVES: usize = 400;

/// Text of blocks that is kept for each log while it is linked.
const CACHE_BYTES: usize = 1 << 20;

/// Time between two looks at a family that is followed.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// Looks wait this many times as long as the last one took: a large family leaves the cores to others.
const REST: u32 = 4;

/// Folder of an export that the sessions of children lie in.
const SUBAGENTS: &str = "subagents";

/// What is to be looked for.
struct Wanted {
    epoch: Epoch,
    up: u32,
    session: Arc<Session>,
    /// The store that it was taken from, where that is known.
    home: Option<Arc<Store>>,
}

/// Orders that wait.
#[derive(Default)]
struct Orders {
    find: Option<Wanted>,
    follow: Option<bool>,
}

enum Order {
    Find(Wanted),
    Follow(bool),
}

impl Orders {
    fn next(&mut self) -> Option<Order> {
        self.follow.take().map(Order::Follow).or_else(|| self.find.take().map(Order::Find))
    }
}

/// Asks for relatives.
pub(crate) struct KinFinder {
    desk: Desk<Orders>,
}

impl KinFinder {
    /// Starts the thread; it waits for the first question.
    pub(crate) fn start(outbox: Outbox, sources: Sources, words: Arc<Words>) -> io::Result<KinFinder> {
        let desk = Desk::new();
        let finder = KinFinder { desk: desk.clone() };
        let mut worker = Worker {
            desk,
            outbox,
            sources,
            words,
            heads: HashMap::new(),
            known: HashMap::new(),
            count: 0,
            asked: None,
            told: None,
            follows: false,
            cost: Duration::ZERO,
        };
        thread::Builder::new().name("kin".to_owned()).spawn(move || {
            super::panic::provoke("kin");
            // Nobody listens any more: nothing is left to tell.
            let _: Result<(), Gone> = worker.run();
        })?;
        Ok(finder)
    }

    /// Looks for the relatives of a log as it was read, and for so many generations above it. `home` is the store that
    /// the log was taken from; without one it is told by where the log lies.
    pub(crate) fn find(&self, epoch: Epoch, session: Arc<Session>, up: u32, home: Option<Arc<Store>>) {
        self.desk.post(|orders| orders.find = Some(Wanted { epoch, up, session, home }));
    }

    /// Looks again and again at the relatives that were asked for last, or no more.
    pub(crate) fn follow(&self, on: bool) {
        self.desk.post(|orders| orders.follow = Some(on));
    }

    /// Sends the thread home.
    pub(crate) fn close(&self) {
        self.desk.close();
    }
}

/// What was read of a file.
struct Seen<T> {
    directory: Arc<dyn Directory>,
    /// Size and time of the last change when it was read.
    state: (u64, Option<i64>),
    is: T,
}

impl<T> Seen<T> {
    /// Whether it is the file as it stands there by now. Two archives are two, whatever they are named.
    fn is_same(&self, directory: &Arc<dyn Directory>, state: (u64, Option<i64>)) -> bool {
        let is_archive = self.directory.is_archive() || directory.is_archive();
        (!is_archive || Arc::ptr_eq(&self.directory, directory)) && self.state == state
    }
}

struct Worker {
    desk: Desk<Orders>,
    outbox: Outbox,
    sources: Sources,
    words: Arc<Words>,
    /// First lines that were read.
    heads: HashMap<PathBuf, Seen<Brief>>,
    /// Relatives that were read.
    known: HashMap<PathBuf, Seen<(Epoch, Arc<Session>)>>,
    /// Readings so far.
    count: u32,
    /// The last question, while it is not answered and while its answer is followed.
    asked: Option<Wanted>,
    /// What the last answer rested on; `None`: the last question was not answered.
    told: Option<Vec<State>>,
    /// The family is looked at again and again.
    follows: bool,
    /// How long the last look took.
    cost: Duration,
}

/// A relative as it was told: its path, size and time of the last change, and whether it grows.
type State = (PathBuf, (u64, Option<i64>), bool);

impl Worker {
    fn run(&mut self) -> Result<(), Gone> {
        loop {
            // An export is as it was opened.
            let grows = |wanted: &Wanted| wanted.home.as_ref().is_none_or(|home| !home.directory().is_archive());
            let looks = self.follows && self.asked.as_ref().is_some_and(grows);
            let limit = looks.then(|| BETWEEN_LOOKS.max(self.cost * REST));
            let next = self.desk.next_within(limit, Orders::next);
            let posted = self.desk.posted();
            match next {
                Next::Work(Order::Find(wanted)) => (self.asked, self.told) = (Some(wanted), None),
                Next::Work(Order::Follow(on)) => self.follows = on,
                Next::Late => {}
                Next::Closed => return Ok(()),
            }
            self.answer(posted)?;
        }
    }

    /// Answers the last question, where the answer is another one than before.
    fn answer(&mut self, posted: u64) -> Result<(), Gone> {
        let Some(wanted) = self.asked.take() else { return Ok(()) };
        let began = Instant::now();
        // Something newer is wanted by now, or the store is gone: nothing is said about this one.
        if let Ok(Some(kin)) = self.find(&wanted, posted) {
            self.outbox.send(Message::KinFound { epoch: wanted.epoch, kin: Box::new(kin) })?;
        }
        self.cost = began.elapsed();
        // Of a log that is not followed no second reading is held.
        self.asked = Some(wanted).filter(|_| self.follows || self.is_over(posted));
        Ok(())
    }

    fn is_over(&self, posted: u64) -> bool {
        self.desk.posted() != posted
    }

    /// Finds, reads and links; `None` where the question was replaced, and where nothing is different from what was told.
    fn find(&mut self, wanted: &Wanted, posted: u64) -> io::Result<Option<Kin>> {
        let Some(store) = self.store_of(wanted, posted)? else {
            return Ok(self.is_news(Vec::new()).then(|| self.link(wanted, &[], 0, false)));
        };
        let path = store.directory().full_path(&wanted.session.path);
        let Some(heads) = self.heads(&store, posted) else { return Ok(None) };
        let Some(places) = places(&store, &Census::of(&store, &heads), &path, wanted.up) else {
            return Ok(self.is_news(Vec::new()).then(|| self.link(wanted, &[], 0, true)));
        };
        let states = places.iter().map(|at| self.state_of(store[*at].current())).collect();
        if !self.is_news(states) {
            return Ok(None);
        }
        let mut relatives = Vec::new();
        let mut unread = places.len().saturating_sub(MOST_RELATIVES) as u64;
        for place in places.iter().take(MOST_RELATIVES) {
            let current = store[*place].current();
            match self.read(&store, current, posted) {
                Ok(Some((epoch, session))) => relatives.push((epoch, session, self.quiet_ms(current.modified))),
                Ok(None) => {
                    self.told = None;
                    return Ok(None);
                }
                Err(_) => unread += 1,
            }
        }
        Ok(Some(self.link(wanted, &relatives, unread, true)))
    }

    fn state_of(&self, log: &Generation) -> State {
        (log.path.clone(), (log.size.unwrap_or(0), log.modified), self.quiet_ms(log.modified).is_some())
    }

    /// Milliseconds since a file last grew, while it is followed and counts as growing.
    fn quiet_ms(&self, modified: Option<i64>) -> Option<u64> {
        let quiet = u64::try_from(now().saturating_sub(modified?)).unwrap_or(0);
        (self.follows && quiet < STILL_MS).then_some(quiet)
    }

    /// Whether relatives stand otherwise than was told; they are told then.
    fn is_news(&mut self, states: Vec<State>) -> bool {
        let is_news = self.told.as_ref() != Some(&states);
        self.told = Some(states);
        is_news
    }

    /// The store that a log lies in. An export is as it was opened; a folder is looked at again, since sessions come
    /// and go.
    fn store_of(&self, wanted: &Wanted, posted: u64) -> io::Result<Option<Arc<Store>>> {
        if let Some(home) = wanted.home.as_ref().filter(|home| home.directory().is_archive()) {
            return Ok(Some(Arc::clone(home)));
        }
        let path = Disk.full_path(&wanted.session.path);
        // The folder of one session tells nothing of others.
        let home = wanted.home.as_ref().filter(|home| home.kind != RootKind::Session);
        let named = || home.map(|home| Disk.full_path(&home.root));
        let Some(root) = root_of(&path).map(Path::to_owned).or_else(named) else { return Ok(None) };
        let mut each = |_| if self.is_over(posted) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        discover(Arc::new(Disk), &root, &mut each).map(|store| Some(Arc::new(store)))
    }

    /// What the first line of each log of a store tells; `None` where the question was replaced.
    fn heads(&mut self, store: &Store, posted: u64) -> Option<Vec<Option<Brief>>> {
        let directory = store.directory();
        let mut before = std::mem::take(&mut self.heads);
        let mut all = Vec::with_capacity(store.sessions.len());
        for session in &store.sessions {
            if self.is_over(posted) {
                // What is known by now need not be read again.
                before.extend(std::mem::take(&mut self.heads));
                self.heads = before;
                return None;
            }
            let log = session.current();
            let state = (log.size.unwrap_or(0), log.modified);
            let known = before.remove(&log.path).filter(|known| known.is_same(directory, state));
            let known = known.unwrap_or_else(|| Seen { directory: Arc::clone(directory), state, is: store.head(log) });
            all.push(Some(known.is.clone()));
            self.heads.insert(log.path.clone(), known);
        }
        Some(all)
    }

    /// Reads a log, or takes it as it was read before; `None` where the question was replaced.
    fn read(&mut self, store: &Store, log: &Generation, posted: u64) -> io::Result<Option<(Epoch, Arc<Session>)>> {
        let path = &log.path;
        let directory = store.directory();
        let stat = directory.stat(path)?;
        let state = (stat.size, stat.modified);
        if let Some(known) = self.known.get(path).filter(|known| known.is_same(directory, state)) {
            return Ok(Some((known.is.0, Arc::clone(&known.is.1))));
        }
        let source = directory.open(path)?;
        let content = crate::log::sniff(source.as_ref())?;
        let encoding = content.encoding().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
        let mut log = Log::new(source, encoding, path, Keep::HugeFrames);
        let mut ended = false;
        log.read(1, &mut |_| {
            ended = self.is_over(posted);
            if ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if ended {
            return Ok(None);
        }
        let session = Arc::new(log.into_session()?);
        let epoch = Epoch::of_kin(self.count);
        self.count = self.count.wrapping_add(1);
        self.sources.add(epoch, Arc::clone(directory), path.to_owned());
        let known = Seen { directory: Arc::clone(directory), state, is: (epoch, Arc::clone(&session)) };
        self.known.insert(path.to_owned(), known);
        Ok(Some((epoch, session)))
    }

    /// Ties the opened log and those that were read.
    fn link(&self, wanted: &Wanted, relatives: &[Read], unread: u64, in_store: bool) -> Kin {
        let home = (wanted.epoch, Arc::clone(&wanted.session));
        let others = relatives.iter().map(|(epoch, session, _)| (*epoch, Arc::clone(session)));
        let all: Vec<(Epoch, Arc<Session>)> = std::iter::once(home).chain(others).collect();
        let sessions: Vec<Arc<Session>> = all.iter().map(|(_, session)| Arc::clone(session)).collect();
        let mut readers: HashMap<u32, Option<LineReader>> = HashMap::new();
        let lineage = Lineage::of(&sessions, &mut |member, row| {
            let (epoch, session) = all.get(member.as_usize())?;
            // One log is read after the other: what was held for the one before is let go.
            if !readers.contains_key(&member.0) {
                readers.retain(|other, _| *other == 0);
                let source: Option<Arc<dyn Source>> = self.sources.of(*epoch);
                readers.insert(member.0, source.map(|source| LineReader::new(source, CACHE_BYTES)));
            }
            let reader = readers.get_mut(&member.0)?.as_mut()?;
            reader.line(&session.index, row, MOST_LINE).ok().map(|text| text.to_vec())
        });
        let open = |(epoch, session, quiet): &Read| Relative::of(*epoch, Arc::clone(session), &self.words, *quiet);
        let quiet_ms = relatives.iter().filter_map(|(.., quiet)| *quiet).min();
        Kin { lineage, relatives: relatives.iter().map(open).collect(), unread, in_store, quiet_ms }
    }
}

/// A relative that was read, and how long it has been quiet while it grows.
type Read = (Epoch, Arc<Session>, Option<u64>);

/// The sessions root that a log lies in: three folders up, where it and its project have the names of a store; of an
/// export that was unpacked, its folder.
fn root_of(path: &Path) -> Option<&Path> {
    log_name(path.file_name()?.as_encoded_bytes())?;
    let folder = path.parent()?;
    let project = folder.parent()?;
    if project.file_name().is_some_and(|name| name == SUBAGENTS) {
        return project.parent().filter(|root| !root.as_os_str().is_empty());
    }
    if folder.join(SUBAGENTS).is_dir() {
        return Some(folder);
    }
    // Anything else may be a home folder, and is not searched through.
    let is_project = is_project_folder_name(project.file_name()?.as_encoded_bytes());
    project.parent().filter(|root| is_project && !root.as_os_str().is_empty())
}

/// Places of the relatives of the log under a path: what descends from it, or from its ancestor so many generations up,
/// the nearest generation first. `None` where it is none of the sessions.
fn places(store: &Store, census: &Census, path: &Path, up: u32) -> Option<Vec<SessionIx>> {
    let is_its = |generation: &Generation| generation.path == path;
    let home = store.places().find(|at| store[*at].generations.iter().any(is_its))?;
    let mut top = home;
    for _ in 0..up {
        let Some(Parent::Present(above) | Parent::Loop(above)) = census.get(top).map(|kin| &kin.parent) else { break };
        top = *above;
    }
    let mut family = census.family(top);
    family.sort_by_key(|(_, level)| *level);
    Some(family.into_iter().map(|(at, _)| at).filter(|at| *at != home).collect())
}
