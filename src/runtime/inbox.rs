//! The one inbox of the loop, and the alarms that must get through when it is full.
//!
//! Workers and the input thread wait when the inbox is full: a slow terminal slows them down instead of filling the
//! memory. Signals and panics cannot wait; they are noted in [`Alarms`], and the inbox is only rung.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::app::message::Message;

/// Messages that wait, at most. A burst of keys fits; pieces of workers are larger than what they cost to apply.
const CAPACITY: usize = 256;

/// What the loop receives.
#[derive(Debug)]
enum Incoming {
    /// Something for the model.
    Message(Message),
    /// Look at the alarms.
    Ring,
}

/// The loop has gone; whoever sends may stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone;

/// Things that cannot wait for room in the inbox.
#[derive(Debug, Default)]
pub(crate) struct Alarms {
    stop: AtomicI32,
    suspend: AtomicBool,
    continued: AtomicBool,
    resized: AtomicBool,
    panic: Mutex<Option<String>>,
}

impl Alarms {
    /// The signal that asks the program to end, if one came; it stays.
    pub(crate) fn stop(&self) -> Option<i32> {
        match self.stop.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal),
        }
    }

    /// Whether a suspension was asked for since the last call.
    pub(crate) fn take_suspend(&self) -> bool {
        self.suspend.swap(false, Ordering::SeqCst)
    }

    /// Whether the program was continued since the last call.
    pub(crate) fn take_continued(&self) -> bool {
        self.continued.swap(false, Ordering::SeqCst)
    }

    /// Whether the terminal changed its size since the last call.
    pub(crate) fn take_resized(&self) -> bool {
        self.resized.swap(false, Ordering::SeqCst)
    }

    /// What the first worker that died said, once.
    pub(crate) fn take_panic(&self) -> Option<String> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The sending side: one for every thread that has something to say.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    sender: SyncSender<Incoming>,
    alarms: Arc<Alarms>,
}

impl Outbox {
    /// Sends a message; waits while the inbox is full.
    pub(crate) fn send(&self, message: Message) -> Result<(), Gone> {
        self.sender.send(Incoming::Message(message)).map_err(|_| Gone)
    }

    /// Notes a signal that asks the program to end; `true` if it is the first.
    pub(crate) fn ask_to_stop(&self, signal: i32) -> bool {
        let first = self.alarms.stop.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        self.ring();
        first
    }

    /// Notes a wish to be suspended.
    #[cfg(unix)]
    pub(crate) fn ask_to_suspend(&self) {
        self.alarms.suspend.store(true, Ordering::SeqCst);
        self.ring();
    }

    /// Notes that the program goes on after having been stopped.
    #[cfg(unix)]
    pub(crate) fn note_continued(&self) {
        self.alarms.continued.store(true, Ordering::SeqCst);
        self.ring();
    }

    /// Notes that the terminal has another size.
    #[cfg(unix)]
    pub(crate) fn note_resized(&self) {
        self.alarms.resized.store(true, Ordering::SeqCst);
        self.ring();
    }

    /// Notes the death of a worker. Only the first is kept: what follows it is its consequence.
    pub(crate) fn note_panic(&self, report: String) {
        self.alarms.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(report);
        self.ring();
    }

    /// Wakes the loop. A full inbox needs no ringing: the loop is about to look.
    fn ring(&self) {
        let _ = self.sender.try_send(Incoming::Ring);
    }
}

/// The receiving side.
#[derive(Debug)]
pub(crate) struct Inbox {
    receiver: Receiver<Incoming>,
    alarms: Arc<Alarms>,
}

/// What waiting ended with.
#[derive(Debug)]
pub(crate) enum Waited {
    /// A message.
    Message(Message),
    /// The alarms are to be looked at, or the time is over.
    Nothing,
    /// Every sender has gone.
    Closed,
}

impl Inbox {
    /// An inbox and its first sender.
    pub(crate) fn open() -> (Inbox, Outbox) {
        let (sender, receiver) = sync_channel(CAPACITY);
        let alarms = Arc::new(Alarms::default());
        (Inbox { receiver, alarms: Arc::clone(&alarms) }, Outbox { sender, alarms })
    }

    /// The alarms.
    pub(crate) fn alarms(&self) -> &Alarms {
        &self.alarms
    }

    /// Waits for the next message, at most as long as said; without a limit, as long as it takes.
    pub(crate) fn wait(&self, limit: Option<Duration>) -> Waited {
        let received = match limit {
            Some(limit) => self.receiver.recv_timeout(limit),
            None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(Incoming::Message(message)) => Waited::Message(message),
            Ok(Incoming::Ring) | Err(RecvTimeoutError::Timeout) => Waited::Nothing,
            Err(RecvTimeoutError::Disconnected) => Waited::Closed,
        }
    }

    /// The next message that is there already. Rings on the way are dropped: look at the alarms afterwards.
    pub(crate) fn next_waiting(&self) -> Option<Message> {
        loop {
            match self.receiver.try_recv() {
                Ok(Incoming::Message(message)) => return Some(message),
                Ok(Incoming::Ring) => {}
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(what: usize) -> Message {
        Message::Failed { what: what.to_string() }
    }

    #[test]
    fn alarms_get_through_a_full_inbox() {
        let (inbox, outbox) = Inbox::open();
        for at in 0..CAPACITY {
            outbox.send(failed(at)).unwrap();
        }
        assert!(outbox.ask_to_stop(15));
        assert!(!outbox.ask_to_stop(1));
        outbox.note_panic("first".to_owned());
        outbox.note_panic("second".to_owned());
        assert!(matches!(inbox.wait(None), Waited::Message(_)));
        assert_eq!(inbox.alarms().stop(), Some(15));
        assert_eq!(inbox.alarms().take_panic().as_deref(), Some("first"));
    }

    #[cfg(unix)]
    #[test]
    fn a_ring_wakes_an_empty_inbox() {
        let (inbox, outbox) = Inbox::open();
        outbox.note_resized();
        assert!(matches!(inbox.wait(None), Waited::Nothing));
        assert!(inbox.alarms().take_resized());
        assert!(!inbox.alarms().take_resized());
    }

    #[test]
    fn senders_learn_that_the_loop_has_gone() {
        let (inbox, outbox) = Inbox::open();
        drop(inbox);
        assert_eq!(outbox.send(failed(0)), Err(Gone));
    }
}
