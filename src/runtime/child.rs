//! A program of the user that has the terminal for a while, and the signals of that time.
//!
//! ```text
//! Ctrl-C, Ctrl-\  the terminal sends them to both of us: they are the child's affair
//! Ctrl-Z          both of us stop, and the shell has the terminal; `fg` goes on where it was
//! TERM, HUP       to us: passed on, so that the child ends and we can
//! ```

use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// How often a wait for a key looks whether a signal ends it.
const LOOK_UP: Duration = Duration::from_millis(250);

/// The terminal is somebody else's.
static AWAY: AtomicBool = AtomicBool::new(false);

/// A signal that ends the program came meanwhile.
static ENDING: AtomicBool = AtomicBool::new(false);

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself, with this status; 0 is well.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

/// The time in which the terminal is somebody else's; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Away;

impl Away {
    /// It begins.
    pub(crate) fn begin() -> Away {
        AWAY.store(true, Ordering::SeqCst);
        Away
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        AWAY.store(false, Ordering::SeqCst);
    }
}

/// Whether the terminal is somebody else's.
pub(crate) fn is_away() -> bool {
    AWAY.load(Ordering::SeqCst)
}

/// Tells the child of a signal that ends us.
pub(crate) fn pass_on(signal: i32) {
    ENDING.store(true, Ordering::SeqCst);
    #[cfg(unix)]
    running::tell(signal);
    #[cfg(not(unix))]
    let _ = signal;
}

/// Runs a command and waits for it; with `input` on its standard input, else with the terminal there.
pub(crate) fn run(command: &mut Command, input: Option<&[u8]>) -> io::Result<End> {
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::inherit() });
    let mut child = command.spawn()?;
    #[cfg(unix)]
    let _running = running::Running::begin(&child, ENDING.load(Ordering::SeqCst));
    if let (Some(input), Some(mut pipe)) = (input, child.stdin.take()) {
        // A child need not read all of it: `head`, a pager that is left.
        let written = pipe.write_all(input);
        drop(pipe);
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            let _ = wait(&mut child);
            return Err(error);
        }
    }
    wait(&mut child).map(end)
}

/// Waits for its end; from then on no signal is sent to its number, which is another's once it is reaped.
fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    running::until_ended(child);
    child.wait()
}

fn end(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Signal(signal);
    }
    End::Status(status.code().unwrap_or(1))
}

/// Says something below what the child printed, and waits for any key, since the screen covers it afterwards.
pub(crate) fn pause(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    // Before a key is asked for: Ctrl-c is a key from then on, and no signal that ends us.
    enable_raw_mode()?;
    let waited = write!(out, "{text} ").and_then(|()| out.flush()).and_then(|()| wait_for_key());
    disable_raw_mode()?;
    writeln!(out)?;
    waited
}

fn wait_for_key() -> io::Result<()> {
    while !ENDING.load(Ordering::SeqCst) {
        if event::poll(LOOK_UP)?
            && let Event::Key(key) = event::read()?
            && key.kind == KeyEventKind::Press
        {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(unix)]
mod running {
    //! The child that runs, for the thread of the signals.

    use std::process::Child;
    use std::sync::{Mutex, PoisonError};

    use rustix::io::Errno;
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

    static CHILD: Mutex<Option<Pid>> = Mutex::new(None);

    fn lock() -> std::sync::MutexGuard<'static, Option<Pid>> {
        CHILD.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(child: &Child) -> Option<Pid> {
        i32::try_from(child.id()).ok().and_then(Pid::from_raw)
    }

    /// While this lives the child gets the signals that end us.
    pub(super) struct Running;

    impl Running {
        pub(super) fn begin(child: &Child, ending: bool) -> Running {
            *lock() = number(child);
            if ending {
                tell(Signal::TERM.as_raw());
            }
            Running
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            *lock() = None;
        }
    }

    pub(super) fn tell(signal: i32) {
        let child = lock();
        if let (Some(child), Some(signal)) = (*child, Signal::from_named_raw(signal)) {
            let _ = kill_process(child, signal);
        }
    }

    /// Waits without reaping.
    pub(super) fn until_ended(child: &Child) {
        let Some(pid) = number(child) else { return };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(pid), options).is_err_and(|error| error == Errno::INTR) {}
        *lock() = None;
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn sh(line: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(line);
        command
    }

    #[test]
    fn it_is_told_how_a_child_ended() {
        assert_eq!(run(&mut sh("exit 3"), Some(b"")).unwrap(), End::Status(3));
        assert_eq!(run(&mut sh("kill -9 $$"), Some(b"")).unwrap(), End::Signal(9));
        assert!(run(&mut Command::new("/no/such/program"), None).is_err());
    }

    #[test]
    fn a_child_need_not_read_what_it_is_given() {
        let much = vec![b'x'; 1 << 20];
        assert_eq!(run(&mut sh("exit 0"), Some(&much)).unwrap(), End::Status(0));
        assert_eq!(run(&mut sh("test $(wc -c) = 1048576"), Some(&much)).unwrap(), End::Status(0));
    }
}
