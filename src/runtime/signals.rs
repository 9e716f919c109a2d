//! Signals: a thread turns them into alarms of the loop, which alone touches the terminal.

use std::io;
#[cfg(unix)]
use std::{sync::mpsc, thread, time::Duration};

use super::inbox::Outbox;
#[cfg(unix)]
use super::{child, private};

/// How long the loop may take to end after a signal, and how long giving the terminal back may take without it.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(2);

/// Exit status of a program that a signal ended, as a shell reports it.
pub(crate) fn exit_status(signal: i32) -> u8 {
    u8::try_from(signal.saturating_add(128)).unwrap_or(u8::MAX)
}

/// Listens to signals from here on.
#[cfg(unix)]
pub(crate) fn listen(outbox: Outbox) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};

    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            match signal {
                // The terminal is a child's, and so are its keys. It gives the terminal back itself before it stops.
                SIGINT | SIGQUIT | SIGCONT if child::is_away() => {}
                SIGTSTP if child::is_away() => {
                    let _ = stop_here();
                }
                SIGTSTP => outbox.ask_to_suspend(),
                SIGCONT => outbox.note_continued(),
                SIGWINCH => outbox.note_resized(),
                stop => {
                    child::pass_on(stop);
                    if outbox.ask_to_stop(stop) {
                        watch_over(stop);
                    } else {
                        leave_at_once(stop);
                    }
                }
            }
        }
    })?;
    Ok(())
}

/// Systems without such signals: the terminal tells sizes and keys as events.
#[cfg(not(unix))]
pub(crate) fn listen(_outbox: Outbox) -> io::Result<()> {
    Ok(())
}

/// Sees to it that the program ends: the loop may hang in a write to a terminal that takes no bytes.
#[cfg(unix)]
fn watch_over(signal: i32) {
    // Without that thread a second signal still ends the program.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(PATIENCE);
        leave_at_once(signal);
    });
}

/// The loop does not react: gives the terminal back from here and ends.
///
/// A terminal that takes no bytes (Ctrl-S, a dead connection) blocks that too, so it gets a thread and a limit.
#[cfg(unix)]
fn leave_at_once(signal: i32) {
    let (done, wait) = mpsc::channel();
    let restoring = thread::Builder::new().spawn(move || {
        private::remove_all();
        super::terminal::restore();
        let _ = done.send(());
    });
    if restoring.is_ok() {
        let _ = wait.recv_timeout(PATIENCE);
    }
    std::process::exit(i32::from(exit_status(signal)));
}

/// Asks for the suspension of the whole process group, as the terminal does for Ctrl-Z in a line-wise mode: a script
/// that started us has to stop too, or the shell above it never gets the terminal back. The signal comes back to us.
///
/// Does nothing in a session of our own: nobody is there who could continue us.
#[cfg(unix)]
pub(crate) fn suspend_group() {
    use rustix::process::{Signal, getpid, getsid, kill_current_process_group};

    if getsid(None).is_ok_and(|leader| leader != getpid()) {
        let _ = kill_current_process_group(Signal::TSTP);
    }
}

/// Nothing is suspended on systems without job control.
#[cfg(not(unix))]
pub(crate) fn suspend_group() {}

/// Stops this process until it is continued. The terminal must be given back before.
#[cfg(unix)]
pub(crate) fn stop_here() -> io::Result<()> {
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
}

/// Nothing stops on systems without job control.
#[cfg(not(unix))]
pub(crate) fn stop_here() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_recognises_the_signal() {
        assert_eq!(exit_status(15), 143);
        assert_eq!(exit_status(1), 129);
        assert_eq!(exit_status(i32::MAX), 255);
    }
}
