//! When memory runs out: the terminal is given back, a sentence is said, and the program ends with a status.
//!
//! Where memory is taken in large pieces, a failure is an error like any other. Everywhere else the standard library
//! calls `abort`, which would leave the screen taken and a core file behind. `abort` raises SIGABRT first; while its
//! handler has not returned, another thread can still act. So the handler is made to wait in a write to a pipe that is
//! full, and the thread that hears of the signal does the rest.

use std::io::{self, Write};
use std::sync::Arc;

use crate::text::locale::Words;

/// Memory that is given back first, so that what is left to do finds some.
#[cfg(unix)]
const RESERVE: usize = 1 << 20;

/// Stack of the thread: it formats one sentence.
#[cfg(unix)]
const STACK: usize = 256 << 10;

/// Exit status of a program that cannot do what it was asked for.
#[cfg(unix)]
const CANNOT: i32 = 1;

/// Watches from here on; to be called once, before other signals are listened to.
#[cfg(unix)]
pub(crate) fn watch(words: &Arc<Words>) -> io::Result<()> {
    use signal_hook::consts::SIGABRT;

    let mut signals = signal_hook::iterator::Signals::new([SIGABRT])?;
    let (reader, mut writer) = io::pipe()?;
    let sleeper = writer.try_clone()?;
    signal_hook::low_level::pipe::register(SIGABRT, sleeper)?;
    // Registering has made both ends of the writer non-blocking: it is filled, and blocks from then on.
    while writer.write(&[0; 4096]).is_ok() {}
    while writer.write(&[0]).is_ok() {}
    let flags = rustix::fs::fcntl_getfl(&writer)?;
    rustix::fs::fcntl_setfl(&writer, flags - rustix::fs::OFlags::NONBLOCK)?;
    let words = Arc::clone(words);
    let reserve = vec![1_u8; RESERVE];
    std::thread::Builder::new().name("exhausted".to_owned()).stack_size(STACK).spawn(move || {
        // A pipe that nobody could read from would end the wait.
        let _open = reader;
        if signals.forever().next().is_some() {
            drop(reserve);
            super::private::remove_all();
            super::terminal::restore();
            super::say::complain(words.get("cli.exhausted"));
            std::process::exit(CANNOT);
        }
    })?;
    Ok(())
}

/// Systems without such signals end as the standard library has it.
#[cfg(not(unix))]
pub(crate) fn watch(_words: &Arc<Words>) -> io::Result<()> {
    Ok(())
}
