//! Programs of the user in the real viewer's terminal: editor, pager, a command; the screen is there again after each.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::Signal;

use crate::support::pty::{Session, Start, is_taken};
use crate::support::{OPEN_CALL, SmallLog};

/// A folder for scripts, what they note, and the viewer's temporary files.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().expect("a folder"));
        fs::create_dir(desk.temporary()).expect("a folder");
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn temporary(&self) -> PathBuf {
        self.path("tmp")
    }

    /// Writes a script; the command line that runs it.
    fn script(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("a script");
        format!("sh '{}'", path.display())
    }

    fn noted(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the script ran")
    }

    /// Starts the viewer on the small log, with these programs of the user.
    fn viewer(&self, log: &SmallLog, programs: &[(&str, &str)]) -> Session {
        let mut start = Start::viewer().arg(log.path());
        for name in ["VISUAL", "EDITOR", "PAGER"] {
            start = start.env(name, "");
        }
        start = start.env("SHELL", "/bin/sh").env("TMPDIR", &self.temporary().display().to_string());
        for (name, value) in programs {
            start = start.env(name, value);
        }
        let session = start.run();
        session.wait_for("OUTCOME UNKNOWN");
        session.wait_until("the alternate screen", is_taken);
        session
    }

    fn assert_nothing_left(&self) {
        let left = fs::read_dir(self.temporary()).expect("the folder").count();
        assert_eq!(left, 0, "temporary files are left");
    }
}

/// Waits until another program has the terminal.
fn is_given(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen() && !screen.bracketed_paste() && !screen.hide_cursor()
}

fn is_back(session: &Session) {
    session.wait_until("the viewer's screen", is_taken);
    session.wait_for(OPEN_CALL);
}

fn quit(mut session: Session) {
    session.type_keys("Q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

/// An editor that notes the file and its modes, says so, and waits for a line.
fn editor(desk: &Desk) -> String {
    let note = |name: &str| desk.path(name).display().to_string();
    let text = format!(
        "cat \"$1\" > '{}'\nstat -c '%a %n' \"$1\" \"$(dirname \"$1\")\" > '{}'\necho EDITING\nread -r line\n",
        note("copy"),
        note("modes")
    );
    desk.script("editor.sh", &text)
}

#[test]
fn the_editor_gets_the_value_in_a_private_file_that_is_gone_afterwards() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    let mut session = desk.viewer(&log, &[("VISUAL", &editor(&desk)), ("EDITOR", "/no/such/editor")]);
    session.type_keys("e");
    session.wait_for("EDITING");
    session.wait_until("the editor's screen", is_given);
    session.type_keys("\r");
    is_back(&session);
    session.wait_for("back from the editor");
    assert!(desk.noted("copy").contains("\"command\""), "{}", desk.noted("copy"));
    if cfg!(target_os = "linux") {
        let modes: Vec<String> =
            desk.noted("modes").lines().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect();
        assert_eq!(modes, ["600", "700"]);
    }
    desk.assert_nothing_left();
    quit(session);
}

#[test]
fn ctrl_c_is_the_editors_and_does_not_end_the_viewer() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    let mut session = desk.viewer(&log, &[("EDITOR", &editor(&desk))]);
    session.type_keys("e");
    session.wait_for("EDITING");
    session.type_keys("\u{3}");
    is_back(&session);
    session.wait_for("ended by signal 2");
    desk.assert_nothing_left();
    quit(session);
}

#[test]
fn a_signal_ends_viewer_and_editor_and_leaves_no_file() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    for (signal, expected) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let mut session = desk.viewer(&log, &[("EDITOR", &editor(&desk))]);
        session.type_keys("e");
        session.wait_for("EDITING");
        session.signal(signal);
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, expected, "{left:?}");
        left.assert_restored();
        desk.assert_nothing_left();
    }
}

#[test]
fn a_missing_editor_and_a_failing_one_are_told_in_a_line() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    let mut session = desk.viewer(&log, &[("EDITOR", "/no/such/editor -x")]);
    session.type_keys("e");
    session.wait_for("/no/such/editor: no such command");
    is_back(&session);
    quit(session);
    let failing = desk.script("failing.sh", "exit 7\n");
    let mut session = desk.viewer(&log, &[("EDITOR", &failing)]);
    session.type_keys("e");
    session.wait_for("ended with status 7");
    is_back(&session);
    desk.assert_nothing_left();
    quit(session);
}

#[test]
fn an_empty_command_is_the_pager() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    let pager = desk.script("pager.sh", "echo PAGING\ncat\nread -r line < /dev/tty\n");
    let mut session = desk.viewer(&log, &[("PAGER", &pager)]);
    session.type_keys("|");
    session.wait_for("pipe to:");
    session.type_keys("\r");
    session.wait_for("PAGING");
    session.wait_for("\"command\"");
    session.wait_until("the pager's screen", is_given);
    session.type_keys("\r");
    is_back(&session);
    quit(session);
}

#[test]
fn a_command_gets_the_value_and_what_it_prints_can_be_read() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    let mut session = desk.viewer(&log, &[]);
    session.type_keys("|tr a-z A-Z; exit 3\r");
    session.wait_for("\"COMMAND\"");
    session.wait_for("ended with status 3] any key goes back");
    session.wait_until("the shell's screen", is_given);
    session.type_keys(" ");
    is_back(&session);
    session.wait_for("ended with status 3");
    // One that reads nothing, and one that nobody has.
    session.type_keys("|true\r");
    session.wait_for("true: done] any key");
    session.type_keys(" ");
    is_back(&session);
    session.type_keys("|no-such-command-here\r");
    session.wait_for("no such command] any key");
    session.type_keys(" ");
    is_back(&session);
    quit(session);
}

#[test]
fn ctrl_c_in_a_command_comes_back() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    let mut session = desk.viewer(&log, &[]);
    session.type_keys("|echo RUNNING; exec sleep 600\r");
    session.wait_for("RUNNING");
    session.wait_until("the shell's screen", is_given);
    session.type_keys("\u{3}");
    session.wait_for("ended by signal 2] any key");
    session.type_keys("\u{3}");
    is_back(&session);
    quit(session);
}

#[test]
fn a_line_that_is_left_runs_nothing() {
    let (log, desk) = (SmallLog::write(), Desk::new());
    let mut session = desk.viewer(&log, &[]);
    let trace = desk.path("trace");
    session.type_keys(&format!("|touch {}\u{3}", trace.display()));
    session.wait_without("pipe to:");
    quit(session);
    assert!(!Path::new(&trace).exists());
}
