//! The real binary in a terminal: what is remembered of a log, and what the terminal tells of its colours.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::pty::{Session, Start, is_taken};
use crate::support::{OPEN_CALL, SmallLog};

fn started(start: Start, log: &SmallLog) -> Session {
    let session = start.arg(log.path()).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_until("the alternate screen", is_taken);
    session
}

fn remembering(state: &Path) -> Start {
    Start::viewer().env("XDG_STATE_HOME", state.to_str().expect("a plain path"))
}

fn quit(mut session: Session) {
    session.type_keys("Q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

#[test]
fn a_log_is_opened_as_it_was_left() {
    let (log, state) = (SmallLog::write(), tempfile::tempdir().expect("a temporary folder"));
    let mut first = started(remembering(state.path()), &log);
    first.type_keys("gg");
    first.wait_for("Do part 1.");
    quit(first);
    let second = started(remembering(state.path()), &log);
    second.wait_for("as it was left, at seq 0; --clean starts anew");
    second.wait_for("Do part 1.");
    quit(second);
    // Once without: it begins at its end, with the call that has no result.
    let clean = started(remembering(state.path()).arg("--clean"), &log);
    clean.wait_for(OPEN_CALL);
    clean.wait_without("Do part 1.");
    quit(clean);
    // That was not moved in, so it is forgotten.
    let last = started(remembering(state.path()), &log);
    last.wait_without("as it was left");
    quit(last);
}

#[test]
fn what_is_remembered_is_for_the_user_alone_and_never_trusted() {
    use std::os::unix::fs::PermissionsExt;

    let (log, state) = (SmallLog::write(), tempfile::tempdir().expect("a temporary folder"));
    let path = state.path().join("trajview/state.json");
    let mut first = started(remembering(state.path()), &log);
    first.type_keys("gg");
    first.wait_for("Do part 1.");
    quit(first);
    let mode = |path: &Path| std::fs::metadata(path).expect("it was written").permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().expect("a folder"))), (0o600, 0o700));
    for hostile in ["", "{", "\u{0}\u{1b}[31m", &"[".repeat(100_000), r#"{"logs":[{"at":{"seq":-1e99}}]}"#] {
        std::fs::write(&path, hostile).expect("it can be written");
        quit(started(remembering(state.path()), &log));
    }
}

/// The colours of the letters on a screen.
fn colours(screen: &vt100::Screen) -> BTreeSet<String> {
    let (rows, columns) = screen.size();
    let cells = (0..rows.into()).flat_map(|row| (0..columns.into()).map(move |column| (row, column)));
    cells.filter_map(|(row, column)| screen.cell(row, column)).map(|cell| format!("{:?}", cell.fgcolor())).collect()
}

/// The colours that a theme has on the small log.
fn colours_of(theme: &str, log: &SmallLog) -> BTreeSet<String> {
    let session = started(Start::viewer().arg("--theme").arg(theme), log);
    session.wait_for("? help");
    let seen = std::cell::RefCell::new(BTreeSet::new());
    session.wait_until("colours", |screen| {
        *seen.borrow_mut() = colours(screen);
        seen.borrow().len() > 2
    });
    quit(session);
    seen.into_inner()
}

#[test]
fn the_background_of_the_terminal_tells_the_theme_and_is_no_key() {
    let log = SmallLog::write();
    let (dark, light) = (colours_of("dark", &log), colours_of("light", &log));
    assert_ne!(dark, light);
    let mut session = started(Start::viewer(), &log);
    session.wait_for_bytes(b"\x1b]11;?\x1b\\");
    session.wait_until("the dark theme while nothing is told", |screen| colours(screen) == dark);
    session.type_keys("\x1b]11;rgb:ffff/fdfd/f6f6\x1b\\");
    session.wait_until("the light theme", |screen| colours(screen) == light);
    session.wait_for("? help");
    // A second answer is no answer to anything, and what was chosen by hand stays.
    session.type_keys(":theme dark\r");
    session.wait_until("the dark theme", |screen| dark.is_subset(&colours(screen)));
    quit(session);
}

#[test]
fn a_theme_that_was_named_is_not_asked_for() {
    let log = SmallLog::write();
    let session = started(Start::viewer().env("COLORFGBG", "0;15"), &log);
    let light = colours_of("light", &log);
    session.wait_until("the light theme", |screen| colours(screen) == light);
    quit(session);
}
