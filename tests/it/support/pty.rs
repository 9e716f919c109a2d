//! The real binary in a pseudo terminal: what it draws is read by a terminal emulator, and tests wait for text.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// How long anything may take. Generous: a loaded machine is no failure.
const DEADLINE: Duration = Duration::from_secs(20);

/// The emulated terminal and whether its program has gone.
struct Terminal {
    parser: vt100::Parser,
    /// Every byte that the program sent.
    sent: Vec<u8>,
    closed: bool,
}

/// A program that runs in a pseudo terminal. Killed when dropped.
pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    shared: Arc<(Mutex<Terminal>, Condvar)>,
}

/// What is to be started.
pub struct Start {
    command: CommandBuilder,
    columns: u16,
    rows: u16,
}

impl Start {
    /// The viewer, in a terminal of 100 columns and 30 rows.
    pub fn viewer() -> Start {
        Start::program(env!("CARGO_BIN_EXE_trajview"))
    }

    /// Another program, such as a shell that starts the viewer.
    pub fn program(name: &str) -> Start {
        let mut command = CommandBuilder::new(name);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env("TZ", "UTC");
        // Neither settings of whoever runs the tests, nor anything remembered from one test to the next.
        command.env("XDG_CONFIG_HOME", "/dev/null/config");
        command.env("XDG_STATE_HOME", "/dev/null/state");
        for name in [
            "NO_COLOR",
            "COLORTERM",
            "COLORFGBG",
            "TRAJVIEW_CONFIG",
            "TMUX",
            "STY",
            "WAYLAND_DISPLAY",
            "DISPLAY",
            "TRAJVIEW_TEST_PANIC",
            "RUST_BACKTRACE",
            "RUST_LIB_BACKTRACE",
        ] {
            command.env_remove(name);
        }
        Start { command, columns: 100, rows: 30 }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<Path>) -> Start {
        self.command.arg(arg.as_ref());
        self
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, name: &str, value: &str) -> Start {
        self.command.env(name, value);
        self
    }

    /// Sets the size of the terminal.
    pub fn size(mut self, columns: u16, rows: u16) -> Start {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// Starts it.
    pub fn run(self) -> Session {
        let size = PtySize { rows: self.rows, cols: self.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo terminal");
        let child = pair.slave.spawn_command(self.command).expect("the program starts");
        drop(pair.slave);
        let (columns, rows) = cells(self.columns, self.rows);
        let parser = vt100::Parser::new(rows, columns, 0);
        let terminal = Terminal { parser, sent: Vec::new(), closed: false };
        let shared = Arc::new((Mutex::new(terminal), Condvar::new()));
        let reader = pair.master.try_clone_reader().expect("a reader of the terminal");
        let told = Arc::clone(&shared);
        thread::spawn(move || feed(reader, &told));
        let keys = pair.master.take_writer().expect("a writer to the terminal");
        Session { child, master: pair.master, keys, shared }
    }
}

fn cells(columns: u16, rows: u16) -> (NonZeroU16, NonZeroU16) {
    let cells = |count| NonZeroU16::new(count).expect("a terminal has cells");
    (cells(columns), cells(rows))
}

/// A test that fails with the lock in hand must not hide its message behind those of other threads.
fn lock(terminal: &Mutex<Terminal>) -> MutexGuard<'_, Terminal> {
    terminal.lock().unwrap_or_else(PoisonError::into_inner)
}

fn feed(mut reader: Box<dyn Read + Send>, shared: &(Mutex<Terminal>, Condvar)) {
    let mut bytes = [0; 8192];
    loop {
        let count = reader.read(&mut bytes).unwrap_or(0);
        let mut terminal = lock(&shared.0);
        terminal.parser.process(&bytes[..count]);
        terminal.sent.extend_from_slice(&bytes[..count]);
        terminal.closed = count == 0;
        shared.1.notify_all();
        if count == 0 {
            return;
        }
    }
}

impl Session {
    /// Types; escape sequences stand for keys.
    pub fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
        self.keys.flush().expect("the terminal takes keys");
    }

    /// Changes the size of the terminal.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        {
            let (columns, rows) = cells(columns, rows);
            let mut terminal = lock(&self.shared.0);
            terminal.parser.set_size(rows, columns);
        }
        self.master
            .resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 })
            .expect("the terminal can be resized");
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        let id = self.child.process_id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        kill_process(id.expect("the program runs"), signal).expect("the program runs");
    }

    /// Waits until the screen is as described; the words go into the message of a test that waited in vain.
    pub fn wait_until(&self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        self.wait_for_terminal(what, |terminal| is_so(terminal.parser.screen()));
    }

    /// Waits until a text stands on the screen.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("the text {text:?}"), |screen| screen.contents().contains(text));
    }

    /// Waits until a text does not stand on the screen.
    pub fn wait_without(&self, text: &str) {
        self.wait_until(&format!("no text {text:?}"), |screen| !screen.contents().contains(text));
    }

    /// Waits until the program has sent some bytes, drawn or not.
    pub fn wait_for_bytes(&self, bytes: &[u8]) {
        let what = format!("the bytes {:?}", String::from_utf8_lossy(bytes));
        self.wait_for_terminal(&what, |terminal| terminal.sent.windows(bytes.len()).any(|window| window == bytes));
    }

    fn wait_for_terminal(&self, what: &str, is_so: impl Fn(&Terminal) -> bool) {
        let end = Instant::now() + DEADLINE;
        let mut terminal = lock(&self.shared.0);
        while !is_so(&terminal) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !terminal.closed,
                "waited in vain for {what}; the program {}; on the screen:\n{}",
                if terminal.closed { "has ended" } else { "runs" },
                terminal.parser.screen().contents(),
            );
            terminal = self.shared.1.wait_timeout(terminal, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Every byte that the program sent so far.
    pub fn sent(&self) -> Vec<u8> {
        lock(&self.shared.0).sent.clone()
    }

    /// The row of the screen that holds a text, from 0.
    pub fn row_with(&self, text: &str) -> Option<usize> {
        let terminal = lock(&self.shared.0);
        terminal.parser.screen().contents().lines().position(|row| row.contains(text))
    }

    /// The column of a row, from 0, at which a text begins.
    pub fn column_of(&self, row: usize, text: &str) -> Option<usize> {
        let terminal = lock(&self.shared.0);
        let rows = terminal.parser.screen().contents();
        let row = rows.lines().nth(row)?;
        Some(row[..row.find(text)?].chars().count())
    }

    /// Waits for the end of the program and gives its exit status and what stands on the screen it left.
    pub fn wait_for_exit(&mut self) -> (u32, Left) {
        let end = Instant::now() + DEADLINE;
        let mut terminal = lock(&self.shared.0);
        while !terminal.closed {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the program does not end:\n{}", terminal.parser.screen().contents());
            terminal = self.shared.1.wait_timeout(terminal, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let left = Left::of(terminal.parser.screen());
        drop(terminal);
        let status = self.child.wait().expect("the program has ended");
        (status.exit_code(), left)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// The terminal as a program left it.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are the switches that a terminal has")]
pub struct Left {
    /// Text of the screen.
    pub text: String,
    alternate: bool,
    hidden_cursor: bool,
    paste_marks: bool,
    mouse: bool,
}

impl Left {
    fn of(screen: &vt100::Screen) -> Left {
        Left {
            text: screen.contents(),
            alternate: screen.alternate_screen(),
            hidden_cursor: screen.hide_cursor(),
            paste_marks: screen.bracketed_paste(),
            mouse: screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
        }
    }

    /// Fails unless the terminal is as a shell wants it.
    pub fn assert_restored(&self) {
        assert!(
            !self.alternate && !self.hidden_cursor && !self.paste_marks && !self.mouse,
            "the terminal is not restored: {self:?}"
        );
    }
}

/// Fails unless a viewer has the terminal: the opposite of what [`Left::assert_restored`] asks for.
pub fn is_taken(screen: &vt100::Screen) -> bool {
    screen.alternate_screen() && screen.bracketed_paste()
}
