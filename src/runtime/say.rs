//! Words to standard output and error.

use std::io::{self, Write};

use crate::text::sanitize;

/// Says one complaint on standard error, with the program's name before it.
///
/// The text is made printable line by line; an error of the write itself is swallowed, since nobody is left to hear.
pub(crate) fn complain(text: &str) {
    let mut out = io::stderr().lock();
    let mut name = "trajview: ";
    for line in text.lines() {
        let _ = writeln!(out, "{name}{}", sanitize::display(line.as_bytes()));
        name = "";
    }
}

/// What became of a write to standard output.
///
/// A reader that goes away (`| head`) ends the program quietly: that is no failure of ours.
pub(crate) fn written(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
