//! Keys, mouse and pasted text: a thread that reads the terminal and turns its events into the core's.
//!
//! crossterm reads standard input where that is a terminal, else the controlling terminal: a log may come through
//! standard input.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{
    self, Event, KeyCode as TermCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent as TermMouse,
    MouseEventKind,
};

use super::background::{Ear, Heard};
use super::inbox::Outbox;
use crate::app::key::{Key, KeyCode, MouseEvent, MouseKind};
use crate::app::message::Message;

/// How often the thread looks whether it shall stop. Long, since the end of the program ends it too.
const LOOK_UP: Duration = Duration::from_millis(500);

/// How often it looks whether the terminal is back.
const REST: Duration = Duration::from_millis(10);

/// Two presses at one cell within this time are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// Most bytes of a paste that are passed on: an input line holds no more.
const MOST_PASTED: usize = 64 << 10;

/// A running input thread; dropping it tells the thread to stop.
#[derive(Debug)]
pub(crate) struct Input {
    stop: Arc<AtomicBool>,
}

impl Input {
    /// Starts to read. `asked`: when the terminal was asked for its background, if it was.
    pub(crate) fn start(outbox: Outbox, asked: Option<Instant>) -> std::io::Result<Input> {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        thread::Builder::new().name("input".to_owned()).spawn(move || read(&outbox, &told, Ear::new(asked)))?;
        Ok(Input { stop })
    }
}

/// Another program has the terminal: nothing is read.
static RESTING: AtomicBool = AtomicBool::new(false);

/// The thread has seen that it rests.
static RESTS: AtomicBool = AtomicBool::new(false);

/// Leaves the terminal to another program while `during` runs. Waits until the thread has let go of it.
pub(crate) fn resting<T>(during: impl FnOnce() -> T) -> T {
    RESTS.store(false, Ordering::SeqCst);
    RESTING.store(true, Ordering::SeqCst);
    wake();
    let until = Instant::now() + LOOK_UP + DOUBLE_CLICK;
    while !RESTS.load(Ordering::SeqCst) && Instant::now() < until {
        thread::sleep(REST);
    }
    let done = during();
    RESTING.store(false, Ordering::SeqCst);
    done
}

/// Has the thread look up at once: a change of size ends its wait, and nobody minds one that is none.
#[cfg(unix)]
fn wake() {
    use rustix::process::{Signal, getpid, kill_process};

    let _ = kill_process(getpid(), Signal::WINCH);
}

/// Elsewhere it looks up in time.
#[cfg(not(unix))]
fn wake() {}

impl Drop for Input {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn read(outbox: &Outbox, stop: &AtomicBool, mut ear: Ear) {
    super::panic::provoke("input");
    let mut clicks = Clicks::default();
    while !stop.load(Ordering::Relaxed) {
        if RESTING.load(Ordering::SeqCst) {
            RESTS.store(true, Ordering::SeqCst);
            thread::sleep(REST);
            continue;
        }
        let event = match event::poll(ear.limit(LOOK_UP)) {
            Ok(false) => {
                if ear.late(Instant::now()).is_some_and(|key| outbox.send(Message::Pressed(key)).is_err()) {
                    return;
                }
                continue;
            }
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        if RESTING.load(Ordering::SeqCst) && matches!(event, Ok(Event::Resize(..))) {
            // What woke it; the loop, which waits for it, measures the terminal when it has it back.
            continue;
        }
        let messages = match event {
            Ok(event) => match message(event, &mut clicks) {
                Some(Message::Pressed(key)) => heard(&mut ear, key),
                other => Vec::from_iter(other),
            },
            Err(error) => {
                // Without keys nothing can be done any more; the loop ends as if the terminal had gone.
                let _ = outbox.send(Message::Failed { what: format!("the terminal cannot be read: {error}") });
                outbox.ask_to_stop(HANGUP);
                return;
            }
        };
        for message in messages {
            if outbox.send(message).is_err() {
                return;
            }
        }
    }
}

/// Takes the answer of the terminal out of the keys.
fn heard(ear: &mut Ear, key: Key) -> Vec<Message> {
    match ear.hear(key, Instant::now()) {
        Heard::Keys(keys) => keys.into_iter().map(Message::Pressed).collect(),
        Heard::Part | Heard::Answer(None) => Vec::new(),
        Heard::Answer(Some(background)) => vec![Message::BackgroundTold(background)],
    }
}

/// Number of the signal of a terminal that has gone.
const HANGUP: i32 = 1;

fn message(event: Event, clicks: &mut Clicks) -> Option<Message> {
    match event {
        Event::Key(event) => key(event).map(Message::Pressed),
        Event::Mouse(event) => mouse(event, clicks, Instant::now()).map(Message::Moused),
        Event::Paste(text) => Some(Message::Pasted(first_bytes(text, MOST_PASTED))),
        Event::Resize(columns, rows) => Some(Message::Resized { columns, rows }),
        Event::FocusGained | Event::FocusLost => None,
    }
}

fn first_bytes(mut text: String, most: usize) -> String {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// A key press as the core knows it; `None` for releases and for keys that nothing is bound to.
pub(crate) fn key(event: KeyEvent) -> Option<Key> {
    match event.kind {
        KeyEventKind::Press | KeyEventKind::Repeat => {}
        KeyEventKind::Release => return None,
    }
    let mut shift = event.modifiers.contains(KeyModifiers::SHIFT);
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let code = match event.code {
        TermCode::Char(char) => {
            let char = typed(char, shift, ctrl);
            shift = false;
            KeyCode::Char(char)
        }
        TermCode::F(number) => KeyCode::F(number),
        TermCode::Up => KeyCode::Up,
        TermCode::Down => KeyCode::Down,
        TermCode::Left => KeyCode::Left,
        TermCode::Right => KeyCode::Right,
        TermCode::Home => KeyCode::Home,
        TermCode::End => KeyCode::End,
        TermCode::PageUp => KeyCode::PageUp,
        TermCode::PageDown => KeyCode::PageDown,
        TermCode::Tab => KeyCode::Tab,
        TermCode::BackTab => {
            shift = true;
            KeyCode::Tab
        }
        TermCode::Enter => KeyCode::Enter,
        TermCode::Esc => KeyCode::Esc,
        TermCode::Backspace => KeyCode::Backspace,
        TermCode::Delete => KeyCode::Delete,
        TermCode::Insert
        | TermCode::Null
        | TermCode::CapsLock
        | TermCode::ScrollLock
        | TermCode::NumLock
        | TermCode::PrintScreen
        | TermCode::Pause
        | TermCode::Menu
        | TermCode::KeypadBegin
        | TermCode::Media(_)
        | TermCode::Modifier(_) => return None,
    };
    Some(Key { code, ctrl, alt, shift })
}

/// The character meant: terminals that report shift beside a letter are brought into line with those that do not, and
/// control keys are lower case whatever the terminal says.
fn typed(char: char, shift: bool, ctrl: bool) -> char {
    if ctrl {
        char.to_ascii_lowercase()
    } else if shift && char.is_ascii_lowercase() {
        char.to_ascii_uppercase()
    } else {
        char
    }
}

/// Remembers the last press, to tell a double click.
#[derive(Debug, Default)]
pub(crate) struct Clicks {
    last: Option<(u16, u16, Instant)>,
}

impl Clicks {
    fn press(&mut self, column: u16, row: u16, now: Instant) -> MouseKind {
        let again = self.last.is_some_and(|(last_column, last_row, at)| {
            (last_column, last_row) == (column, row) && now.saturating_duration_since(at) <= DOUBLE_CLICK
        });
        // A third press begins anew: it is no second double click.
        self.last = (!again).then_some((column, row, now));
        if again { MouseKind::PressedTwice } else { MouseKind::Pressed }
    }
}

/// A mouse event as the core knows it; `None` for what it has no use for.
pub(crate) fn mouse(event: TermMouse, clicks: &mut Clicks, now: Instant) -> Option<MouseEvent> {
    let (column, row) = (event.column, event.row);
    // A terminal that counts from 0, or names a place outside: crossterm has subtracted 1 from it.
    if column == u16::MAX || row == u16::MAX {
        return None;
    }
    let kind = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => clicks.press(column, row, now),
        MouseEventKind::Drag(MouseButton::Left) => MouseKind::Dragged,
        MouseEventKind::Up(MouseButton::Left) => MouseKind::Released,
        MouseEventKind::ScrollUp => MouseKind::WheelUp,
        MouseEventKind::ScrollDown => MouseKind::WheelDown,
        MouseEventKind::ScrollLeft => MouseKind::WheelLeft,
        MouseEventKind::ScrollRight => MouseKind::WheelRight,
        MouseEventKind::Down(MouseButton::Right | MouseButton::Middle)
        | MouseEventKind::Drag(MouseButton::Right | MouseButton::Middle)
        | MouseEventKind::Up(MouseButton::Right | MouseButton::Middle)
        | MouseEventKind::Moved => return None,
    };
    Some(MouseEvent { kind, column, row })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: TermCode, modifiers: KeyModifiers) -> Option<Key> {
        key(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn keys_of_all_terminals_look_alike() {
        let none = KeyModifiers::NONE;
        let shift = KeyModifiers::SHIFT;
        let ctrl = KeyModifiers::CONTROL;
        for (code, modifiers, expected) in [
            (TermCode::Char('g'), none, Some(Key::char('g'))),
            (TermCode::Char('G'), shift, Some(Key::char('G'))),
            (TermCode::Char('g'), shift, Some(Key::char('G'))),
            (TermCode::Char('?'), shift, Some(Key::char('?'))),
            (TermCode::Char('c'), ctrl, Some(Key::ctrl('c'))),
            (TermCode::Char('C'), ctrl | shift, Some(Key::ctrl('c'))),
            (TermCode::BackTab, shift, Some(Key::shift(KeyCode::Tab))),
            (TermCode::BackTab, none, Some(Key::shift(KeyCode::Tab))),
            (TermCode::Up, shift, Some(Key::shift(KeyCode::Up))),
            (TermCode::F(1), none, Some(Key::plain(KeyCode::F(1)))),
            (TermCode::Insert, none, None),
            (TermCode::CapsLock, none, None),
        ] {
            assert_eq!(press(code, modifiers), expected, "{code:?} {modifiers:?}");
        }
    }

    #[test]
    fn a_release_is_no_key() {
        let mut event = KeyEvent::new(TermCode::Char('q'), KeyModifiers::NONE);
        event.kind = KeyEventKind::Release;
        assert_eq!(key(event), None);
    }

    #[test]
    fn two_presses_at_one_cell_are_a_double_click() {
        let mut clicks = Clicks::default();
        let start = Instant::now();
        let mut at = |column, after_ms| clicks.press(column, 1, start + Duration::from_millis(after_ms));
        assert_eq!(at(5, 0), MouseKind::Pressed);
        assert_eq!(at(5, 100), MouseKind::PressedTwice);
        assert_eq!(at(5, 200), MouseKind::Pressed);
        assert_eq!(at(6, 250), MouseKind::Pressed);
        assert_eq!(at(6, 2000), MouseKind::Pressed);
    }

    #[test]
    fn a_mouse_at_no_place_is_no_mouse() {
        let mut clicks = Clicks::default();
        let mut at = |column, row| {
            let kind = MouseEventKind::Down(MouseButton::Left);
            mouse(TermMouse { kind, column, row, modifiers: KeyModifiers::NONE }, &mut clicks, Instant::now())
        };
        assert_eq!(at(u16::MAX, 3), None);
        assert_eq!(at(3, u16::MAX), None);
        assert_eq!(at(3, 3), Some(MouseEvent { kind: MouseKind::Pressed, column: 3, row: 3 }));
    }

    #[test]
    fn a_long_paste_is_cut_at_a_character() {
        assert_eq!(first_bytes("äöü".to_owned(), 3), "ä");
        assert_eq!(first_bytes("abc".to_owned(), 64), "abc");
    }
}
