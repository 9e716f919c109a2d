//! The clipboard of the desktop, through the programs that reach it: beside OSC 52, which no terminal confirms.

use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::programs::is_there;

/// Most bytes that go to a program: far more than anyone pastes.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// How long a program may take: the screen stands still meanwhile.
const PATIENCE: Duration = Duration::from_millis(700);

/// How often it is looked whether it is through.
const LOOK_UP: Duration = Duration::from_millis(5);

/// A program that puts its standard input on the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Desktop {
    program: &'static str,
    arguments: &'static [&'static str],
}

/// What the programs need, in order of preference: a variable of the environment, where one tells that there is a
/// desktop.
const PROGRAMS: &[(Option<&str>, Desktop)] = &[
    (Some("WAYLAND_DISPLAY"), Desktop { program: "wl-copy", arguments: &[] }),
    (Some("DISPLAY"), Desktop { program: "xclip", arguments: &["-selection", "clipboard"] }),
    (Some("DISPLAY"), Desktop { program: "xsel", arguments: &["--clipboard", "--input"] }),
    (None, Desktop { program: "pbcopy", arguments: &[] }),
    (None, Desktop { program: "clip.exe", arguments: &[] }),
];

impl Desktop {
    /// The first program that is there, on a desktop that is there.
    pub(crate) fn find() -> Option<Desktop> {
        let has = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        choose(has, is_there)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        self.program
    }

    /// Puts bytes on the clipboard. `Err` says why not.
    pub(crate) fn copy(self, bytes: &[u8]) -> io::Result<()> {
        // Without the terminal: what it prints would stand on the screen, and what stays behind to serve the clipboard
        // would keep our pipes open.
        let mut child = Command::new(self.program)
            .args(self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let until = Instant::now() + PATIENCE;
        if let Some(mut pipe) = child.stdin.take() {
            let bytes = bytes.to_vec();
            // A program that reads nothing must not hold us: the thread ends when it is ended.
            thread::Builder::new().spawn(move || drop(pipe.write_all(&bytes)))?;
        }
        ended(&mut child, until)
    }
}

fn choose(has: impl Fn(&str) -> bool, is_there: impl Fn(&str) -> bool) -> Option<Desktop> {
    let fits = |needs: Option<&str>| needs.is_none_or(&has);
    let found = PROGRAMS.iter().find(|(needs, desktop)| fits(*needs) && is_there(desktop.program));
    found.map(|(_, desktop)| *desktop)
}

fn ended(child: &mut Child, until: Instant) -> io::Result<()> {
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(io::Error::other(status.to_string())),
            None if Instant::now() >= until => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(io::ErrorKind::TimedOut.into());
            }
            None => thread::sleep(LOOK_UP),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_needs_its_desktop() {
        let name = |has: &[&str], there: &[&str]| {
            choose(|name| has.contains(&name), |name| there.contains(&name)).map(Desktop::name)
        };
        assert_eq!(name(&["WAYLAND_DISPLAY", "DISPLAY"], &["xclip", "wl-copy"]), Some("wl-copy"));
        assert_eq!(name(&["DISPLAY"], &["xsel", "wl-copy"]), Some("xsel"));
        assert_eq!(name(&[], &["xclip", "wl-copy"]), None);
        assert_eq!(name(&[], &["pbcopy"]), Some("pbcopy"));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_fails_or_hangs_is_told() {
        let run = |program, arguments| Desktop { program, arguments }.copy(&vec![b'x'; 1 << 20]);
        assert!(run("sh", &["-c", "cat > /dev/null"]).is_ok());
        assert!(run("sh", &["-c", "exit 3"]).is_err());
        assert_eq!(run("sh", &["-c", "exec sleep 60"]).unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
