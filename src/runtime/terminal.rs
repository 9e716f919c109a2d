//! The terminal: taken once, given back by one routine whatever happens.
//!
//! [`restore`] may be called from any thread, at any time, any number of times: from the guard's drop, the panic
//! hook, the signal thread, before a suspension. What it undoes is remembered in one static, since a panic hook has
//! nothing else to go by.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste};
use crossterm::style::{Print, ResetColor};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;

/// Bytes of a draw kept together, so that a draw reaches the terminal in few writes. A full screen of 200x60 with
/// colours is about as large.
const DRAW_BYTES: usize = 64 << 10;

/// Whether the program holds the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mouse {
    /// Wheel and clicks come here; the terminal's own selection needs a modifier key.
    Captured,
    /// The terminal keeps it.
    Left,
}

/// What has to be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// Nothing: the terminal is the shell's.
    Nothing,
    /// Alternate screen, raw mode, paste marks, hidden cursor, perhaps the mouse.
    Screen,
}

/// Asks for presses, drags and the wheel in coordinates of any size. crossterm's own command asks for every move of
/// the mouse as well, which nothing here needs and which is a byte stream of its own over a slow line.
const ENABLE_MOUSE: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";

static HELD: Mutex<Held> = Mutex::new(Held::Nothing);

/// Whether standard output can be drawn on.
pub(crate) fn can_draw() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Gives the terminal back: ends a half-sent draw, mouse, paste marks, alternate screen, raw mode; shows the cursor.
///
/// Does nothing when the screen is not taken. Errors are swallowed: the terminal may be gone, and there is no other.
pub(crate) fn restore() {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if *held == Held::Nothing {
        return;
    }
    *held = Held::Nothing;
    let mut out = io::stdout();
    // The mouse is given back even if it was never taken: a stale record of it must not leave the shell with reports.
    let _ = execute!(
        out,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        ResetColor,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

fn take(mouse: Mouse) -> io::Result<()> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    enable_raw_mode()?;
    // From here on there is something to undo, even if a write below fails half-way.
    *held = Held::Screen;
    let mut out = io::stdout();
    queue!(out, EnterAlternateScreen, Hide, EnableBracketedPaste, Clear(ClearType::All))?;
    if mouse == Mouse::Captured {
        queue!(out, Print(ENABLE_MOUSE))?;
    }
    out.flush()
}

/// The screen, while the program has it. Dropping it gives the terminal back.
pub(crate) struct Screen {
    /// Never dropped: its drop prints, and panics where standard error is gone too, as after a hangup.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
    mouse: Mouse,
}

impl Screen {
    /// Takes the terminal.
    pub(crate) fn take(mouse: Mouse) -> io::Result<Screen> {
        let taken = take(mouse).and_then(|()| {
            let backend = CrosstermBackend::new(BufWriter::with_capacity(DRAW_BYTES, io::stdout()));
            Terminal::new(backend)
        });
        match taken {
            Ok(terminal) => Ok(Screen { terminal: ManuallyDrop::new(terminal), mouse }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Draws once, as one synchronized update where the terminal knows them.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(draw).map(|_| ());
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        drawn
    }

    /// Has the next draw send every cell, after something else wrote on the screen.
    pub(crate) fn invalidate(&mut self) -> io::Result<()> {
        let (columns, rows) = self.size()?;
        // `Terminal::clear` would ask the terminal where its cursor is, and the answer would go to the input thread.
        self.terminal.resize(Rect::new(0, 0, columns, rows))
    }

    /// Takes the mouse or leaves it to the terminal.
    pub(crate) fn set_mouse(&mut self, mouse: Mouse) -> io::Result<()> {
        self.mouse = mouse;
        match mouse {
            Mouse::Captured => execute!(self.terminal.backend_mut(), Print(ENABLE_MOUSE)),
            Mouse::Left => execute!(self.terminal.backend_mut(), DisableMouseCapture),
        }
    }

    /// Takes the terminal again after [`restore`], or after somebody else had it.
    pub(crate) fn retake(&mut self) -> io::Result<()> {
        // Where the screen still counts as taken (a stop that could not be caught), entering it a second time would
        // lose the shell's cursor, and raw mode would not be set anew.
        restore();
        take(self.mouse)?;
        self.invalidate()
    }

    /// Sends a control sequence of our own, such as a copy to the clipboard.
    pub(crate) fn send(&mut self, sequence: &[u8]) -> io::Result<()> {
        let out = self.terminal.backend_mut();
        out.write_all(sequence)?;
        Write::flush(out)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // What is still buffered belongs on the alternate screen, so it goes first.
        let _ = Write::flush(self.terminal.backend_mut());
        restore();
    }
}
