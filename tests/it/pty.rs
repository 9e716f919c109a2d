//! The real binary in a terminal: it starts, moves, filters, jumps, resizes, and always gives the terminal back.

use std::path::PathBuf;

use rustix::process::Signal;

use crate::support::kin;
use crate::support::pty::{Session, Start, is_taken};
use crate::support::stored::StoreFolder;
use crate::support::writer::Script;
use crate::support::{OPEN_CALL, SmallLog};

/// Starts the viewer on the small log and waits until the verdict is there.
fn started(log: &SmallLog) -> Session {
    let session = Start::viewer().arg(log.path()).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_until("the alternate screen", is_taken);
    session
}

fn quit(mut session: Session) {
    session.type_keys("Q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

#[test]
fn the_verdict_is_there_before_a_key_is_pressed() {
    let log = SmallLog::write();
    let session = started(&log);
    session.wait_for("/srv/demo-app");
    session.wait_for(OPEN_CALL);
    quit(session);
}

#[test]
fn q_leaves_and_restores_the_terminal() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

#[test]
fn moving_to_the_top_shows_the_first_rows() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("gg");
    session.wait_for("Do part 1.");
    session.type_keys("G");
    session.wait_without("Do part 1.");
    session.type_keys("u");
    session.wait_for(OPEN_CALL);
    quit(session);
}

#[test]
fn a_type_can_be_filtered_out() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("gg");
    session.wait_for("Do part 1.");
    session.type_keys("t");
    session.wait_for("[x]");
    // None ticked, then the picker is kept: no row of the log is left.
    session.type_keys("n\r");
    session.wait_without("Do part 1.");
    quit(session);
}

#[test]
fn a_filter_narrows_while_it_is_typed_and_texts_decide() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("ftype:tool/call tu");
    session.wait_for("31 of 245 (finished part)");
    session.type_keys("rn:3");
    session.wait_for("1 of 245 ");
    // The arguments of one call; a prompt and a call.
    session.type_keys("\x15arg~\"make part-7\" or \"Do part 9.\"\r");
    session.wait_for("Do part 9.");
    session.wait_for("make part-7");
    session.wait_without("Do part 8.");
    quit(session);
}

#[test]
fn a_filter_of_the_command_line_is_in_force() {
    let log = SmallLog::write();
    let session = Start::viewer().arg("--filter").arg("type:user/message").arg(log.path()).run();
    session.wait_for("Do part 31.");
    session.wait_for("Do part 30.");
    session.wait_until("the alternate screen", is_taken);
    quit(session);
}

#[test]
fn a_smaller_terminal_is_drawn_anew() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.resize(18, 4);
    session.wait_for("too small");
    session.resize(120, 40);
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_for(OPEN_CALL);
    quit(session);
}

#[test]
fn signals_end_it_with_the_status_that_a_shell_expects() {
    let log = SmallLog::write();
    for (signal, expected) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let mut session = started(&log);
        session.signal(signal);
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, expected, "{signal:?}: {left:?}");
        left.assert_restored();
    }
}

#[test]
fn a_panic_on_any_thread_is_reported_on_a_restored_terminal() {
    if !cfg!(debug_assertions) {
        return; // Nothing provokes a panic in a release build.
    }
    let log = SmallLog::write();
    for thread in ["main", "loader", "fetcher", "kin", "searcher", "sifter", "lister", "input"] {
        let mut session = Start::viewer().arg(log.path()).env("TRAJVIEW_TEST_PANIC", thread).size(120, 40).run();
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, 101, "{thread}: {left:?}");
        assert!(left.text.contains("was told to panic"), "{thread}: {left:?}");
        left.assert_restored();
    }
}

#[test]
fn a_thread_that_runs_out_of_memory_ends_the_program_on_a_restored_terminal() {
    if !cfg!(debug_assertions) {
        return; // Nothing provokes it in a release build.
    }
    let log = SmallLog::write();
    for thread in ["main", "loader", "fetcher", "kin", "sifter", "lister", "input"] {
        let mut session = Start::viewer().arg(log.path()).env("TRAJVIEW_TEST_EXHAUST", thread).size(120, 40).run();
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, 1, "{thread}: {left:?}");
        assert!(left.text.contains("memory ran out"), "{thread}: {left:?}");
        left.assert_restored();
    }
}

/// Runs the viewer as a job of a shell that writes its process id to a file, does `then` when it stops, and waits for a
/// line before it lets it go on. `None` where there is no shell with job control in scripts.
fn as_a_job(log: &SmallLog, then: &str) -> Option<(Session, PathBuf)> {
    std::process::Command::new("bash").arg("--version").output().ok()?;
    let job = "sh -c 'echo $$ >\"$2\"; exec \"$0\" \"$1\"' \"$0\" \"$1\" \"$2\"";
    let script = format!("set -m; {job}; {then}; echo it-stopped; read -r line; fg >/dev/null; echo ended-with-$?");
    let id = log.folder().join("id");
    let start = Start::program("bash").arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_trajview"));
    let session = start.arg(log.path()).arg(&id).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_until("the viewer's screen", is_taken);
    Some((session, id))
}

/// Lets a stopped viewer go on: its screen is there again, and keys reach it.
fn goes_on(mut session: Session) {
    session.type_keys("\r");
    session.wait_until("the viewer's screen", is_taken);
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_without("it-stopped");
    session.type_keys("gg");
    session.wait_for("Do part 1.");
    session.type_keys("Q");
    session.wait_for("ended-with-0");
    let (_, left) = session.wait_for_exit();
    left.assert_restored();
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_comes_back() {
    let log = SmallLog::write();
    let Some((mut session, _)) = as_a_job(&log, "true") else { return };
    session.type_keys("\u{1a}");
    session.wait_for("it-stopped");
    session.wait_until("the shell's screen", |screen| !is_taken(screen) && !screen.hide_cursor());
    goes_on(session);
}

#[test]
fn a_stop_that_cannot_be_caught_is_made_good_when_it_goes_on() {
    let log = SmallLog::write();
    // What `reset` does: nobody gave the terminal back.
    let Some((session, id)) = as_a_job(&log, "stty sane; printf '\\033c'") else { return };
    let id = std::fs::read_to_string(id).expect("the shell wrote it").trim().parse().expect("a number");
    let viewer = rustix::process::Pid::from_raw(id).expect("a process");
    rustix::process::kill_process(viewer, Signal::STOP).expect("it runs");
    session.wait_for("it-stopped");
    session.wait_until("the shell's screen", |screen| !is_taken(screen));
    goes_on(session);
}

#[test]
fn a_selection_that_is_cut_by_the_next_program_ends_quietly() {
    let log = SmallLog::write();
    let text = std::fs::read_to_string(log.path()).expect("the log");
    let (header, events) = text.split_once('\n').expect("a header");
    // More than a pipe holds.
    std::fs::write(log.path(), [header, "\n", &events.repeat(40)].concat()).expect("the log can be written");
    for form in ["--utc", "--json", "--raw"] {
        let script = "{ \"$0\" events \"$2\" \"$1\"; echo status-$? >&2; } | head -n 1; echo all-said";
        let start = Start::program("sh").arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_trajview"));
        let mut session = start.arg(log.path()).arg(form).run();
        let (_, left) = session.wait_for_exit();
        for expected in ["turn/start", "status-0", "all-said"] {
            assert!(left.text.contains(expected), "{form}: {expected}: {left:?}");
        }
        assert!(!left.text.contains("trajview:") && !left.text.contains("step/start"), "{form}: {left:?}");
        left.assert_restored();
    }
}

#[test]
fn a_log_comes_through_a_pipe_and_keys_through_the_terminal() {
    let log = SmallLog::write();
    let mut session = Start::program("sh")
        .arg("-c")
        .arg("cat \"$1\" | \"$0\" -")
        .arg(env!("CARGO_BIN_EXE_trajview"))
        .arg(log.path())
        .run();
    session.wait_for("OUTCOME UNKNOWN");
    session.type_keys("Q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

#[test]
fn the_mouse_is_left_alone_when_told_so() {
    let log = SmallLog::write();
    let with = started(&log);
    with.wait_until("mouse reports", |screen| screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None);
    quit(with);
    let without = Start::viewer().arg("--no-mouse").arg(log.path()).run();
    without.wait_for("OUTCOME UNKNOWN");
    without.wait_until("no mouse reports", |screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None);
    quit(without);
}

#[test]
fn a_session_folder_stands_for_its_log() {
    let log = SmallLog::write();
    let session = Start::viewer().arg(log.folder()).run();
    session.wait_for(OPEN_CALL);
    quit(session);
}

#[test]
fn copying_goes_to_the_clipboard_of_the_terminal() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("y");
    session.wait_for("COPY");
    session.type_keys("i");
    // OSC 52 with the call id in base64.
    session.wait_for_bytes(b"\x1b]52;c;Y2FsbF9vcGVuXzE=\x07");
    quit(session);
}

#[test]
fn a_click_selects_a_row() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("gg");
    session.wait_for("Do part 1.");
    let row = session.row_with("Do part 1.").expect("it was waited for") + 1;
    session.type_keys(&format!("\x1b[<0;20;{row}M\x1b[<0;20;{row}m"));
    session.wait_for("user/message  seq 2");
    quit(session);
}

#[test]
fn a_mouse_or_cursor_report_of_place_0_ends_nothing() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("\x1b[<0;0;0M\x1b[<0;0;0m\x1b[<64;0;5M\x1b[0;0R");
    session.type_keys("gg");
    session.wait_for("Do part 1.");
    quit(session);
}

/// A store with the family of a parent that waits for a killed grandchild; the path of the parent's log.
fn family(folder: &StoreFolder) -> PathBuf {
    let scripts = kin::family(kin::Fate::Killed);
    let ids = [kin::PARENT, kin::CHILDREN[0], kin::CHILDREN[1], kin::CHILDREN[2]];
    let write = |(id, script): (&str, &Script)| {
        folder.write(&format!("--srv-demo-app--/{id}/session.jsonl.zstd"), &script.zstd())
    };
    let paths: Vec<PathBuf> = ids.into_iter().zip(&scripts).map(write).collect();
    paths[0].clone()
}

#[test]
fn two_keys_lead_from_the_open_call_of_the_parent_to_that_of_its_child() {
    let folder = StoreFolder::new();
    let mut session = Start::viewer().arg(family(&folder)).size(120, 38).run();
    // The news is the call that the killed grandchild left open.
    session.wait_for("call_wc");
    session.wait_for("depth 2");
    session.type_keys("gg");
    session.wait_for("Audit the shop.");
    session.type_keys("u");
    session.wait_for("last unpaired call: subagent call_broken");
    session.type_keys("ko");
    session.wait_for("linked by header, label and prompt");
    session.wait_for("call_count");
    session.type_keys("o");
    session.wait_for("wc -l src");
    // And back, level by level.
    session.type_keys("q");
    session.wait_for("call_count");
    session.type_keys("q");
    session.wait_for("Audit the shop.");
    quit(session);
}

/// A report of the left button, as a terminal sends it: columns and rows from 1.
fn button(code: u8, column: usize, row: usize, last: char) -> String {
    format!("\x1b[<{code};{column};{row}{last}")
}

#[test]
fn the_mouse_reaches_wheel_border_tab_and_hint() {
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys("gg");
    session.wait_for("Do part 1.");
    // The wheel over the timeline, thirty notches down and up.
    session.type_keys(&button(65, 20, 8, 'M').repeat(30));
    session.wait_without("Do part 1.");
    session.type_keys(&button(64, 20, 8, 'M').repeat(30));
    session.wait_for("Do part 1.");
    // The detail follows to the first row: its tabs are those of that row from here on.
    session.wait_for("turn/start  seq 0");
    // A tab of the detail.
    let row = session.row_with("Record").expect("the tabs are there");
    let column = session.column_of(row, "Record").expect("it was found") + 2;
    session.type_keys(&(button(0, column, row + 1, 'M') + &button(0, column, row + 1, 'm')));
    session.wait_for("<Record>");
    // Its title row, dragged up.
    session.type_keys(&(button(0, 95, row + 1, 'M') + &button(32, 95, 12, 'M') + &button(0, 95, 12, 'm')));
    session.wait_until("the detail at the twelfth row", |screen| {
        screen.contents().lines().nth(11).is_some_and(|row| row.contains("<Record>"))
    });
    // The hint for the help.
    let row = session.row_with("? help").expect("the last row");
    let column = session.column_of(row, "? help").expect("it was found") + 1;
    session.type_keys(&(button(0, column, row + 1, 'M') + &button(0, column, row + 1, 'm')));
    session.wait_for("HELP");
    session.type_keys("q");
    // Given back, it does nothing.
    session.type_keys("M");
    session.wait_until("no mouse reports", |screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None);
    session.type_keys("M");
    session.wait_until("mouse reports", |screen| screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None);
    quit(session);
}

#[test]
fn a_program_of_the_desktop_copies_too_and_is_named() {
    let log = SmallLog::write();
    let folder = tempfile::tempdir().expect("a folder");
    let copied = folder.path().join("copied");
    let program = folder.path().join("wl-copy");
    std::fs::write(&program, format!("#!/bin/sh\ncat > '{}'\n", copied.display())).expect("a script");
    let mode = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755);
    std::fs::set_permissions(&program, mode).expect("it may be run");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let mut session =
        Start::viewer().arg(log.path()).env("PATH", &path).env("WAYLAND_DISPLAY", "fake").size(120, 40).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_until("the alternate screen", is_taken);
    session.type_keys("yi");
    session.wait_for("OSC 52 sent (no terminal confirms it); wl-copy worked");
    session.wait_for_bytes(b"\x1b]52;c;Y2FsbF9vcGVuXzE=\x07");
    assert_eq!(std::fs::read_to_string(&copied).expect("it was copied"), OPEN_CALL);
    // The command line that leads back to this row.
    session.type_keys("yp");
    session.wait_for("copied place");
    let place = std::fs::read_to_string(&copied).expect("it was copied");
    assert!(place.starts_with("trajview ") && place.contains(&log.path().display().to_string()), "{place}");
    quit(session);
}

#[test]
fn a_family_that_is_followed_grows_on_the_screen() {
    let folder = StoreFolder::new();
    let scripts = kin::family(kin::Fate::Failed);
    let whole = kin::family(kin::Fate::Killed);
    let name = |id: &str| format!("--srv-demo-app--/{id}/session.jsonl");
    let parent = folder.write(&name(kin::PARENT), &whole[0].plain());
    let [_, first, second, third] = &whole;
    folder.write(&name(kin::CHILDREN[0]), &first.plain());
    let mut session = Start::viewer().arg("--follow").arg(&parent).size(120, 38).run();
    session.wait_for("child  aa0c0001");
    // A child that appears, and one that goes on.
    folder.write(&name(kin::CHILDREN[1]), &second.plain());
    session.wait_for("child  bb0c0002");
    folder.write(&name(kin::CHILDREN[2]), &third.plain());
    session.type_keys("S");
    session.wait_for("family of 4");
    session.type_keys("zR");
    session.wait_for("wc -l src");
    folder.write(&name(kin::CHILDREN[2]), &scripts[3].plain());
    session.wait_for("Eight lines.");
    quit(session);
}
