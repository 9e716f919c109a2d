//! Where a worker finds its work: what waits can be replaced by something newer, and posting never blocks the loop.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What waiting for work ended with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<T> {
    /// A piece of work.
    Work(T),
    /// The time is over.
    Late,
    /// The desk is closed.
    Closed,
}

/// Work that waits, a bell, and how often something was posted. Cheap to clone: all clones are one desk.
#[derive(Debug)]
pub(crate) struct Desk<W> {
    shared: Arc<Shared<W>>,
}

#[derive(Debug)]
struct Shared<W> {
    waiting: Mutex<Waiting<W>>,
    bell: Condvar,
    posted: AtomicU64,
}

#[derive(Debug)]
struct Waiting<W> {
    work: W,
    closed: bool,
}

impl<W> Clone for Desk<W> {
    fn clone(&self) -> Desk<W> {
        Desk { shared: Arc::clone(&self.shared) }
    }
}

impl<W: Default> Desk<W> {
    /// An empty desk.
    pub(crate) fn new() -> Desk<W> {
        let waiting = Mutex::new(Waiting { work: W::default(), closed: false });
        Desk { shared: Arc::new(Shared { waiting, bell: Condvar::new(), posted: AtomicU64::new(0) }) }
    }
}

impl<W> Desk<W> {
    /// Changes what waits: adds work, replaces or drops some. Never waits for a worker.
    pub(crate) fn post(&self, change: impl FnOnce(&mut W)) {
        let mut waiting = self.lock();
        change(&mut waiting.work);
        self.shared.posted.fetch_add(1, Ordering::Relaxed);
        drop(waiting);
        self.shared.bell.notify_all();
    }

    /// Takes the next piece of work, waiting for it, and the number of posts so far; `None` once the desk is closed.
    pub(crate) fn next<T>(&self, mut take: impl FnMut(&mut W) -> Option<T>) -> Option<(T, u64)> {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(work) = take(&mut waiting.work) {
                return Some((work, self.posted()));
            }
            waiting = self.shared.bell.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the next piece of work, waiting for it at most as long as said; without a limit, as long as it takes.
    pub(crate) fn next_within<T>(&self, limit: Option<Duration>, mut take: impl FnMut(&mut W) -> Option<T>) -> Next<T> {
        let end = limit.map(|limit| Instant::now() + limit);
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return Next::Closed;
            }
            if let Some(work) = take(&mut waiting.work) {
                return Next::Work(work);
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            waiting = match left {
                Some(left) if left.is_zero() => return Next::Late,
                Some(left) => self.shared.bell.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.shared.bell.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// A number that changes with every post and with the closing: a worker that sees it change looks up.
    pub(crate) fn posted(&self) -> u64 {
        self.shared.posted.load(Ordering::Relaxed)
    }

    /// Sends the worker home.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.shared.posted.fetch_add(1, Ordering::Relaxed);
        self.shared.bell.notify_all();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting<W>> {
        self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_replaces_what_waits() {
        let desk = Desk::<Option<u32>>::new();
        let before = desk.posted();
        desk.post(|work| *work = Some(1));
        desk.post(|work| *work = Some(2));
        assert_ne!(desk.posted(), before);
        assert_eq!(desk.next(Option::take), Some((2, 2)));
    }

    #[test]
    fn waiting_ends_when_the_time_is_over() {
        let desk = Desk::<Option<u32>>::new();
        assert_eq!(desk.next_within(Some(Duration::from_millis(1)), Option::take), Next::Late);
        desk.post(|work| *work = Some(1));
        assert_eq!(desk.next_within(None, Option::take), Next::Work(1));
        desk.close();
        assert_eq!(desk.next_within(None, Option::take), Next::Closed);
    }

    #[test]
    fn a_closed_desk_sends_its_worker_home() {
        let desk = Desk::<Option<u32>>::new();
        let worker = std::thread::spawn({
            let desk = desk.clone();
            move || desk.next(Option::take)
        });
        desk.close();
        assert_eq!(worker.join().unwrap(), None);
    }
}
