//! The loop: receive, drain, update each, run effects, draw once if something changed.
//!
//! Only the newest state is drawn. An answer to a key or a new size is drawn at once; what workers send is drawn at
//! most [`SHORTEST`] apart, so that a flood of messages costs no flood of draws.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use super::effects::{Done, Hands};
use super::inbox::{Inbox, Waited};
use super::signals;
use super::terminal::{self, Screen};
use crate::app::message::Message;
use crate::app::model::Model;
use crate::app::theming::ThemeId;
use crate::app::update::update;
use crate::ui::Look;
use crate::ui::hit::clicked;
use crate::ui::theme::Wardrobe;

/// Shortest time between two draws that no key asked for: 60 a second.
const SHORTEST: Duration = Duration::from_micros(16_667);

/// Messages applied before a draw is due, at most; a worker that never stops cannot keep the screen from moving.
const MOST_AT_ONCE: usize = 512;

/// Why the loop ended.
#[derive(Debug)]
pub(crate) enum Exit {
    /// The user left.
    Quit,
    /// A signal asked for it.
    Signal(i32),
    /// A worker died; what it said.
    WorkerPanicked(String),
}

/// When the next draw is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// Nothing changed.
    Never,
    /// Something changed; it may wait its turn.
    Soon,
    /// Somebody waits for it.
    Now,
}

/// The loop with all it works on.
pub(crate) struct Loop {
    /// The state.
    pub(crate) model: Model,
    /// The terminal.
    pub(crate) screen: Screen,
    /// What arrives.
    pub(crate) inbox: Inbox,
    /// What carries out effects.
    pub(crate) hands: Hands,
    /// Colours and signs.
    pub(crate) look: Look,
    /// The theme that the look wears.
    pub(crate) worn: ThemeId,
    /// The themes that it may wear.
    pub(crate) wardrobe: Wardrobe,
}

impl Loop {
    /// Runs until somebody ends it. The terminal is given back when this value is dropped.
    pub(crate) fn run(&mut self) -> io::Result<Exit> {
        let mut drawn: Option<Instant> = None;
        let mut due = Due::Now;
        self.measure()?;
        super::panic::provoke("main");
        loop {
            // Always between receiving and waiting: the ring of an alarm may have been taken out with the messages.
            if let Some(exit) = self.look_at_alarms(&mut due)? {
                return Ok(exit);
            }
            if due == Due::Now || (due == Due::Soon && time_left(drawn).is_none()) {
                self.draw()?;
                drawn = Some(Instant::now());
                due = Due::Never;
            }
            let limit = if due == Due::Never { None } else { Some(time_left(drawn).unwrap_or_default()) };
            let mut next = match self.inbox.wait(limit) {
                Waited::Message(message) => Some(message),
                Waited::Nothing => None,
                // The signal thread holds a sender as long as the program lives.
                Waited::Closed => return Ok(Exit::Quit),
            };
            let mut applied = 0;
            while let Some(message) = next {
                due = due.max(urgency(&message));
                if let Some(exit) = self.apply(message)? {
                    return Ok(exit);
                }
                applied += 1;
                next = if applied < MOST_AT_ONCE { self.inbox.next_waiting() } else { None };
            }
        }
    }

    fn apply(&mut self, message: Message) -> io::Result<Option<Exit>> {
        let message = match message {
            Message::Moused(event) => clicked(&self.model, &self.look, event),
            other => other,
        };
        let mut messages = VecDeque::from([message]);
        while let Some(message) = messages.pop_front() {
            for effect in update(&mut self.model, message) {
                match self.hands.carry_out(effect, &self.model, &mut self.screen)? {
                    Done::Fine => {}
                    Done::Said(message) => messages.push_back(message),
                    Done::Quit => return Ok(Some(Exit::Quit)),
                    Done::Abort(why) => return Ok(Some(Exit::WorkerPanicked(why))),
                }
            }
        }
        Ok(None)
    }

    fn look_at_alarms(&mut self, due: &mut Due) -> io::Result<Option<Exit>> {
        if let Some(what) = self.inbox.alarms().take_panic() {
            let exit = self.apply(Message::WorkerPanicked { what: what.clone() })?;
            // Whatever the core makes of it: half of the program is dead.
            return Ok(Some(exit.unwrap_or(Exit::WorkerPanicked(what))));
        }
        if let Some(signal) = self.inbox.alarms().stop() {
            return Ok(Some(Exit::Signal(signal)));
        }
        if self.inbox.alarms().take_suspend() {
            terminal::restore();
            signals::stop_here()?;
            self.come_back()?;
            *due = Due::Now;
        }
        if self.inbox.alarms().take_continued() {
            // After a stop that could not be caught the shell has changed the modes of the terminal.
            self.come_back()?;
            *due = Due::Now;
        }
        if self.inbox.alarms().take_resized() {
            // Between two looks it may have been smaller and be as large as before: what stood there is lost.
            self.screen.invalidate()?;
            self.measure()?;
            *due = Due::Now;
        }
        Ok(None)
    }

    fn come_back(&mut self) -> io::Result<()> {
        self.screen.retake()?;
        self.measure()
    }

    /// Tells the model the size of the terminal.
    fn measure(&mut self) -> io::Result<()> {
        let (columns, rows) = self.screen.size()?;
        // A terminal that is about to go says 0x0; nothing an answer could ask for depends on it.
        self.apply(Message::Resized { columns, rows }).map(|_| ())
    }

    fn draw(&mut self) -> io::Result<()> {
        if self.worn != self.model.themed.now {
            self.worn = self.model.themed.now;
            self.look.theme = self.wardrobe.theme(self.worn);
        }
        let Loop { model, screen, look, .. } = self;
        screen.draw(|frame| {
            let area = frame.area();
            if let Some(cursor) = crate::ui::draw(model, look, area, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })
    }
}

/// How long to wait until a draw that can wait may come; `None`: it may come.
fn time_left(drawn: Option<Instant>) -> Option<Duration> {
    let left = SHORTEST.checked_sub(drawn?.elapsed())?;
    (!left.is_zero()).then_some(left)
}

fn urgency(message: &Message) -> Due {
    match message {
        Message::Pressed(_)
        | Message::Pasted(_)
        | Message::Moused(_)
        | Message::Chosen { .. }
        | Message::Resized { .. } => Due::Now,
        Message::BackgroundTold(_)
        | Message::Opened { .. }
        | Message::Judged { .. }
        | Message::Progressed { .. }
        | Message::Refused { .. }
        | Message::Stopped { .. }
        | Message::KinFound { .. }
        | Message::Watched { .. }
        | Message::Changed { .. }
        | Message::Summarised { .. }
        | Message::StreamsCounted { .. }
        | Message::FetchedLines { .. }
        | Message::Found { .. }
        | Message::Looked { .. }
        | Message::Listed { .. }
        | Message::Told { .. }
        | Message::FoundInSessions { .. }
        | Message::Sifted { .. }
        | Message::Copied { .. }
        | Message::Said { .. }
        | Message::Failed { .. }
        | Message::WorkerPanicked { .. } => Due::Soon,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_draw_need_not_wait() {
        assert_eq!(time_left(None), None);
    }

    #[test]
    fn a_draw_that_follows_another_waits_its_turn() {
        assert!(time_left(Some(Instant::now())).is_some_and(|left| left <= SHORTEST));
        let before = Instant::now().checked_sub(Duration::from_secs(1));
        assert_eq!(time_left(before), None);
    }
}
