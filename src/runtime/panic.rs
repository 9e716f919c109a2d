//! What happens when something panics.
//!
//! The hook acts by thread. On the main thread it gives the terminal back and prints. On a worker it must not touch
//! the terminal, since the main loop would draw over what it prints: it leaves the report to the loop, which leaves
//! cleanly and prints it afterwards.

use std::panic;
use std::sync::{Mutex, PoisonError};
use std::thread;

use color_eyre::config::{HookBuilder, Theme};

use super::inbox::Outbox;
use super::{private, say, terminal};

/// Where a worker's panic is reported while the loop runs.
static LISTENER: Mutex<Option<Outbox>> = Mutex::new(None);

/// Exit status after a panic, the one that Rust programs have.
pub(crate) const EXIT_STATUS: u8 = 101;

/// Installs color-eyre, and around its panic report the care for the terminal. To be called once, on the main thread.
pub(crate) fn install() -> color_eyre::Result<()> {
    // Without colours: a report can quote text of a log, and is made printable as a whole.
    let (panic_hook, eyre_hook) =
        HookBuilder::default().theme(Theme::new()).display_env_section(false).try_into_hooks()?;
    eyre_hook.install()?;
    let main = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        let report = panic_hook.panic_report(info).to_string();
        if thread::current().id() != main
            && let Some(outbox) = &*LISTENER.lock().unwrap_or_else(PoisonError::into_inner)
        {
            outbox.note_panic(report);
            return;
        }
        private::remove_all();
        terminal::restore();
        say::complain(&report);
    }));
    Ok(())
}

/// From here on panics of workers are reported to the loop.
pub(crate) fn report_to(outbox: Outbox) {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(outbox);
}

/// From here on panics of workers are printed: the loop has ended and the screen is given back.
pub(crate) fn report_to_nobody() {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Provokes a panic of the named thread in debug builds, or has it run out of memory, for the tests of what follows.
pub(crate) fn provoke(thread: &str) {
    #[cfg(debug_assertions)]
    {
        let is_told = |variable: &str| std::env::var_os(variable).is_some_and(|named| named == thread);
        if is_told("TRAJVIEW_TEST_PANIC") {
            std::panic::panic_any(format!("{thread} was told to panic"));
        }
        if is_told("TRAJVIEW_TEST_EXHAUST") {
            std::hint::black_box(Vec::<u8>::with_capacity(isize::MAX as usize));
        }
    }
    #[cfg(not(debug_assertions))]
    let _ = thread;
}
