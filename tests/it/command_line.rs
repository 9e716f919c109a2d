//! The command line as a shell sees it: exit status, standard output, standard error.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::support::writer::{Script, broken_frame};
use crate::support::{OPEN_CALL, SmallLog};

fn trajview<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
    // Settings of whoever runs the tests are left out.
    command.env("XDG_CONFIG_HOME", "/dev/null/config").env_remove("TRAJVIEW_CONFIG");
    command.args(args).stdin(Stdio::null()).output().expect("the program starts")
}

fn complaint(output: &Output) -> String {
    assert!(output.stdout.is_empty(), "{output:?}");
    let said = String::from_utf8(output.stderr.clone()).expect("complaints are UTF-8");
    assert!(said.starts_with("trajview: ") && said.ends_with('\n'), "{said:?}");
    assert_eq!(said.lines().count(), 1, "{said:?}");
    assert!(!said.trim_end().chars().any(char::is_control), "{said:?}");
    said
}

#[test]
fn wrong_usage_is_status_2_and_one_line() {
    for args in [&["--nonsense"][..], &["a", "b"], &["report"], &["a", "report", "b"], &["--theme", "pink", "a"]] {
        let output = trajview(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        complaint(&output);
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    for (arg, expected) in [("--help", "Usage"), ("--version", env!("CARGO_PKG_VERSION"))] {
        let output = trajview([arg]);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains(expected));
        assert!(output.stderr.is_empty());
    }
}

#[test]
fn what_is_no_log_is_named_with_status_1() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a small file can be written");
        path
    };
    for (path, expected) in [
        (folder.path().join("none"), "no such file"),
        (folder.path().to_owned(), "this is a folder"),
        (at("a.zip", b"PK\x03\x04and so on"), "this is a ZIP archive whose list of entries cannot be read"),
        (at("session.lock", b""), "this is the lock of a writer"),
        (at("a.md", b"# A\x1b[31m heading\n"), "line 1 is not JSON"),
    ] {
        for args in [vec![path.as_os_str()], vec![OsStr::new("report"), OsStr::new("--json"), path.as_os_str()]] {
            let output = trajview(&args);
            assert_eq!(output.status.code(), Some(1), "{args:?}");
            assert!(complaint(&output).contains(expected), "{args:?}: {output:?}");
        }
    }
}

#[test]
fn a_log_with_an_open_call_is_status_3() {
    let log = SmallLog::write();
    for path in [log.path(), log.folder()] {
        let output = trajview([OsStr::new("report"), OsStr::new("--json"), path.as_os_str()]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let facts: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        assert_eq!(facts["last_unpaired_call"]["callId"], OPEN_CALL);
    }
}

#[test]
fn without_a_terminal_the_report_is_printed() {
    let log = SmallLog::write();
    let shown = trajview([log.path()]);
    let reported = trajview([OsStr::new("report"), log.path().as_os_str()]);
    assert_eq!(shown.status.code(), Some(3), "{shown:?}");
    assert_eq!(shown.stdout, reported.stdout);
    assert!(!shown.stdout.is_empty() && !shown.stdout.contains(&b'\x1b'));
}

#[test]
fn standard_input_is_a_log_like_any_other() {
    let log = SmallLog::write();
    let mut child = Command::new(env!("CARGO_BIN_EXE_trajview"))
        .args(["report", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let bytes = std::fs::read(log.path()).expect("the log can be read");
    child.stdin.take().expect("a pipe").write_all(&bytes).expect("the program reads");
    let output = child.wait_with_output().expect("the program ends");
    let facts: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    assert_eq!(facts["last_unpaired_call"]["callId"], OPEN_CALL);
}

#[test]
fn a_reader_that_has_gone_ends_every_command_quietly() {
    let log = SmallLog::write();
    let path = log.path().display().to_string();
    for (args, status) in [
        (&["report", &path][..], 3),
        (&["report", "--json", &path], 3),
        (&["report", "--json", "--fail-on", "state:failed", &path], 0),
        (&["events", &path], 0),
        (&["events", "--json", &path], 0),
        (&["events", "--raw", "--filter", "type:tool/*", &path], 0),
        (&[&path], 3),
        (&["config", "--print-default"], 0),
        (&["completions", "bash"], 0),
        (&["man"], 0),
        (&["paths"], 0),
        (&["--help"], 0),
        (&["--version"], 0),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
        let output = command.args(args).stdin(Stdio::null()).stdout(writer).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.as_str()), (Some(status), ""), "{args:?}");
    }
}

/// The program with a home folder of the test's own.
fn at_home(home: &std::path::Path, dsh: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
    command.env("HOME", home).env("USERPROFILE", home).env("DSH_HOME", dsh).current_dir(home);
    command.args(args).stdin(Stdio::null()).output().expect("the program starts")
}

#[test]
fn sessions_are_found_without_a_path() {
    use crate::support::stored::{Planned, StoreFolder, open_call};
    let home = StoreFolder::new();
    let missing = at_home(home.path(), "", &[]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(complaint(&missing).contains("there is no sessions folder here"));
    for id in ["session-0a1", "session-0b2"] {
        let log = Planned { log: open_call, ..Planned::new(id) }.script(0).zstd();
        home.write(&format!(".dsh/sessions/--srv-demo-app--/{id}/session.jsonl.zstd"), &log);
    }
    for dsh in ["", "  ", "~/.dsh"] {
        let listed = at_home(home.path(), dsh, &[]);
        let page = String::from_utf8_lossy(&listed.stdout).into_owned();
        assert_eq!(listed.status.code(), Some(3), "{page}");
        assert!(page.contains("2 sessions") && page.contains("session-0b2"), "{page}");
    }
    for (id, status) in [("session-0a1", 3), ("0b", 3), ("session-0", 1), ("0c", 1)] {
        let output = at_home(home.path(), "", &["report", "--json", id]);
        assert_eq!(output.status.code(), Some(status), "{id}: {output:?}");
        if status == 1 {
            complaint(&output);
        }
    }
    for (query, status) in [("is:unpaired", 3), ("type:compaction/*", 0)] {
        let output = at_home(home.path(), "", &["report", "--json", "--fail-on", query, ".dsh/sessions"]);
        assert_eq!(output.status.code(), Some(status), "{query}: {output:?}");
    }
    let said = complaint(&at_home(home.path(), "", &["session-0"]));
    assert!(said.contains("fits 2 sessions: --srv-demo-app--/session-0a1, --srv-demo-app--/session-0b2"), "{said}");
}

#[test]
fn an_export_is_reported_as_a_store() {
    use crate::support::stored::Planned;
    use crate::support::zipped::exported;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("dsh-session-a.zip");
    std::fs::write(&path, exported(&[("session.jsonl", &Planned::new("a").script(0).plain())])).expect("written");
    let output = trajview([OsStr::new("report"), OsStr::new("--json"), path.as_os_str()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    assert_eq!((report["kind"].as_str(), report["sessions"][0]["id"].as_str()), (Some("export"), Some("a")));
    let bytes = std::fs::File::open(&path).expect("the archive can be read");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
    let piped = command.args(["report", "--json", "-"]).stdin(bytes).output().expect("the program starts");
    let piped: serde_json::Value = serde_json::from_slice(&piped.stdout).expect("the report is JSON");
    assert_eq!(piped["sessions"][0]["id"], "a");
    let none = folder.path().join("none.zip");
    std::fs::write(&none, exported(&[("notes.txt", b"x")])).expect("written");
    assert!(complaint(&trajview([none.as_os_str()])).contains("a ZIP archive without a session log"));
}

#[test]
fn what_nobody_could_read_is_not_called_fine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("session.v4.jsonl.zstd");
    std::fs::write(&path, broken_frame(b"{}\n").repeat(3)).expect("a small file can be written");
    let output = trajview([OsStr::new("report"), path.as_os_str()]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stdout).expect("a report is UTF-8");
    for expected in [
        "!  none in what can be read",
        "!  nothing is unanswered in what can be read",
        "!  no call to ask about",
        "Why it stopped: no turn has begun in what can be read",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn answered_calls_behind_a_damage_are_not_called_all() {
    let mut script = Script::tour(4);
    script.end_turn("completed");
    let mut bytes = script.zstd();
    bytes.extend(broken_frame(b"{}\n"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(script.name());
    std::fs::write(&path, bytes).expect("a small file can be written");
    let said = trajview([OsStr::new("report"), path.as_os_str()]).stdout;
    let said = String::from_utf8(said).expect("a report is UTF-8");
    assert!(!said.contains("✓  none: every call has an answer"), "{said}");
    assert!(!said.contains("✓  nothing to ask"), "{said}");
}

#[test]
fn json_on_a_terminal_moves_no_cursor() {
    let mut script = Script::new(4);
    script.turn();
    script.user("\u{9b}31m \u{7f} \u{202e}txt");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("\u{9b}2J.jsonl");
    std::fs::write(&path, script.plain()).expect("a small file can be written");
    for words in [&["report", "--json"][..], &["events", "--json"]] {
        let args = words.iter().map(OsStr::new).chain([path.as_os_str()]);
        let said = String::from_utf8(trajview(args).stdout).expect("JSON is UTF-8");
        assert!(said.contains("\\u009b"), "{said:?}");
        let bad = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!said.contains(bad), "{said:?}");
    }
}
