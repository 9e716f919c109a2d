//! The file system and the system at their worst: what is no file, what changes under the reader, what is not there; and
//! what the program asks of the system at all.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::Signal;
use trajview::log::{Encoding, MemorySource, Source};
use trajview::session::piece::Keep;
use trajview::triage::open::Log;

use crate::support::pty::{Session, Start, is_taken};
use crate::support::reading::{NAME, open, print_all};
use crate::support::stored::{Planned, StoreFolder};
use crate::support::writer::Script;
use crate::support::{OPEN_CALL, SmallLog};

fn trajview(args: &[&OsStr], envs: &[(&str, &OsStr)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
    command.env("XDG_CONFIG_HOME", "/dev/null/config").env_remove("TRAJVIEW_CONFIG").envs(envs.iter().copied());
    command.args(args).stdin(Stdio::null()).output().expect("the program starts")
}

/// Fails unless it was refused in one line with status 1.
fn refused(args: &[&OsStr], envs: &[(&str, &OsStr)]) -> String {
    let output = trajview(args, envs);
    let said = String::from_utf8(output.stderr.clone()).expect("complaints are UTF-8");
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{args:?}: {output:?}");
    assert!(said.starts_with("trajview: ") && said.lines().count() == 1, "{args:?}: {said:?}");
    said
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe can be made");
}

/// Things under a name where a log is looked for, and what is said of each.
fn things(folder: &Path) -> Vec<(PathBuf, &'static str)> {
    let at = |name: &str| folder.join(name);
    make_pipe(&at("pipe"));
    std::os::unix::net::UnixListener::bind(at("socket")).expect("a socket can be made");
    std::os::unix::fs::symlink(at("loop"), at("loop")).expect("a link can be made");
    std::os::unix::fs::symlink(at("pipe"), at("to-pipe")).expect("a link can be made");
    fs::create_dir(at("folder")).expect("a folder can be made");
    vec![
        (at("pipe"), "pipe"),
        (at("to-pipe"), "pipe"),
        (at("socket"), "socket"),
        (PathBuf::from("/dev/zero"), "device"),
        (PathBuf::from("/dev/null"), "device"),
        (at("loop"), "symbolic link"),
        (at("folder"), "folder"),
        (at("none"), "no such file"),
        (at("none/session.jsonl"), "no such file"),
    ]
}

#[test]
fn what_is_no_file_is_named_and_never_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, expected) in things(folder.path()) {
        for command in [&["report"][..], &["report", "--json"], &["events"], &[]] {
            let args: Vec<&OsStr> = command.iter().map(OsStr::new).chain([path.as_os_str()]).collect();
            let said = refused(&args, &[]);
            assert!(said.contains(expected), "{args:?}: {said}");
        }
    }
}

#[test]
fn settings_and_themes_that_are_no_files_are_refused_or_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = SmallLog::write();
    for (path, _) in things(folder.path()).iter().filter(|(path, _)| path != Path::new("/dev/null")) {
        refused(&[OsStr::new("--config"), path.as_os_str(), OsStr::new("report"), log.path().as_os_str()], &[]);
    }
    let themes = folder.path().join("home/trajview/themes");
    fs::create_dir_all(&themes).expect("a folder");
    make_pipe(&themes.join("dusk.toml"));
    let home = folder.path().join("home");
    let output = trajview(&[OsStr::new("report"), log.path().as_os_str()], &[("XDG_CONFIG_HOME", home.as_os_str())]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

#[test]
fn a_store_shows_what_cannot_be_read_beside_what_can() {
    let store = StoreFolder::new();
    store.session(&Planned::new("session-a"));
    let closed = store.session(&Planned::new("session-b"));
    let below = closed.parent().expect("a folder").with_file_name("session-c");
    fs::create_dir(&below).expect("a folder");
    things(&below);
    let is_bound = is_held_to_modes(&closed);
    let output = trajview(&[OsStr::new("report"), OsStr::new("--json"), store.path().as_os_str()], &[]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let count = json["sessions"].as_array().map_or(0, Vec::len);
    assert!(output.status.code() == Some(3) || !is_bound, "{output:?}");
    assert!(count >= 2, "{json}");
    if is_bound {
        assert!(refused(&[OsStr::new("report"), closed.as_os_str()], &[]).contains("permission"));
    }
}

/// Takes all modes of a file away. `false`: whoever runs the tests may read it all the same.
fn is_held_to_modes(path: &Path) -> bool {
    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).expect("our own file");
    fs::File::open(path).is_err()
}

/// A log that changes, or fails, when so many reads were made of it.
struct Changing {
    before: MemorySource,
    after: Option<MemorySource>,
    reads: AtomicU64,
    at: u64,
}

impl Changing {
    fn has_changed(&self) -> bool {
        self.reads.load(Ordering::SeqCst) > self.at
    }
}

impl Source for Changing {
    fn size(&self) -> io::Result<u64> {
        match &self.after {
            Some(after) if self.has_changed() => after.size(),
            Some(_) | None => self.before.size(),
        }
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        match &self.after {
            _ if !self.has_changed() => self.before.read_at(offset, buf),
            Some(after) => after.read_at(offset, buf),
            None => Err(io::Error::other("the disk is broken")),
        }
    }
}

#[test]
fn a_log_that_shrinks_or_is_rewritten_while_it_is_read_is_read_as_damaged_at_worst() {
    let script = Script::tour(1);
    let other = Script::tour(0);
    for bytes in [script.zstd(), script.plain(), zstd::encode_all(&script.plain()[..], 1).expect("memory")] {
        let mut rewritten = bytes.clone();
        rewritten.reverse();
        for after in [Vec::new(), bytes[..bytes.len() / 2].to_vec(), rewritten, other.zstd(), other.plain()] {
            for at in 0..12 {
                let changing = Changing {
                    before: MemorySource::new(bytes.clone()),
                    after: Some(MemorySource::new(after.clone())),
                    reads: AtomicU64::new(0),
                    at,
                };
                let source: Arc<dyn Source> = Arc::new(changing);
                let mut log = open(&source, NAME);
                let read = log.read(2, &mut |_| std::ops::ControlFlow::Continue(()));
                if let (Ok(()), Ok(session)) = (read, log.into_session()) {
                    print_all(&session);
                }
            }
        }
    }
}

#[test]
fn a_read_that_fails_in_the_middle_is_an_error_in_the_words_of_the_system() {
    let bytes = Script::tour(1).zstd();
    let mut failures = 0;
    for at in 0..12 {
        let before = MemorySource::new(bytes.clone());
        let source = Arc::new(Changing { before, after: None, reads: AtomicU64::new(0), at });
        let mut log = Log::new(source, Encoding::Zstd, Path::new(NAME), Keep::Nothing);
        let read = log.read(1, &mut |_| std::ops::ControlFlow::Continue(())).and_then(|()| log.into_session());
        match read {
            Err(error) => {
                assert!(error.to_string().contains("the disk is broken"), "{error}");
                failures += 1;
            }
            Ok(session) => drop(print_all(&session)),
        }
    }
    assert!(failures > 0, "no read failed");
}

fn started(start: Start, path: &Path) -> Session {
    let session = start.arg(path).run();
    session.wait_for(OPEN_CALL);
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
fn a_log_that_vanishes_or_becomes_something_else_is_told_and_the_rest_stays() {
    type Make = fn(&Path);
    let make: [(&str, Make); 4] = [
        ("No such file", |_| ()),
        ("this is a folder", |path| fs::create_dir(path).expect("a folder")),
        ("this is a named pipe", make_pipe),
        ("not JSON", |path| fs::write(path, b"no log at all\n").expect("our own file")),
    ];
    for (told, make) in make {
        let log = SmallLog::write();
        let mut session = started(Start::viewer().arg("--follow").size(120, 40), &log.path());
        fs::remove_file(log.path()).expect("our own file");
        make(&log.path());
        session.type_keys("\x12");
        session.wait_for(told);
        session.type_keys("?");
        session.wait_for("HELP");
        quit(session);
    }
}

#[test]
fn without_a_home_or_a_folder_for_temporary_files_it_runs_and_says_what_it_cannot() {
    let log = SmallLog::write();
    let start = Start::program("sh").arg("-c").arg("unset HOME XDG_STATE_HOME XDG_CONFIG_HOME; exec \"$0\" \"$1\"");
    let start = start.arg(env!("CARGO_BIN_EXE_trajview")).env("TMPDIR", "/dev/null/none").env("EDITOR", "cat");
    let mut session = started(start, &log.path());
    session.type_keys("e");
    session.wait_for("Not a directory");
    quit(session);
}

#[test]
fn a_full_disk_for_output_is_told_with_status_1() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let log = SmallLog::write();
    let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
    command.env("XDG_CONFIG_HOME", "/dev/null/config").arg("report").arg(log.path());
    let output = command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("No space left"), "{output:?}");
}

#[test]
fn a_store_that_may_only_be_read_is_read() {
    let store = StoreFolder::new();
    let log = store.session(&Planned { log: crate::support::stored::open_call, ..Planned::new("session-a") });
    let folder = log.parent().expect("a folder").to_owned();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o400)).expect("our own file");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).expect("our own folder");
    let session = Start::viewer().arg(&folder).run();
    session.wait_for("call_open");
    quit(session);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("our own folder");
    assert_eq!(fs::read_dir(&folder).expect("our own folder").count(), 1, "nothing was written beside the log");
}

#[test]
fn private_files_are_gone_after_a_signal() {
    for signal in [Signal::TERM, Signal::HUP, Signal::ABORT] {
        let (log, temporary) = (SmallLog::write(), tempfile::tempdir().expect("a folder"));
        let start = Start::viewer().env("TMPDIR", temporary.path().to_str().expect("a plain path"));
        let mut session = started(start.env("VISUAL", "sh -c 'echo EDITING; read line'"), &log.path());
        session.type_keys("e");
        session.wait_for("EDITING");
        assert_eq!(fs::read_dir(temporary.path()).expect("the folder").count(), 1);
        session.signal(signal);
        session.type_keys("\r");
        session.wait_for_exit();
        assert_eq!(fs::read_dir(temporary.path()).expect("the folder").count(), 0, "{signal:?}");
    }
}

/// The system calls of a run, where they can be traced: one text for each line of strace.
fn traced(calls: &str, args: &[&OsStr], in_terminal: bool) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let noted = folder.path().join("calls");
    let probe = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: system calls cannot be traced here");
        return None;
    }
    let program = env!("CARGO_BIN_EXE_trajview");
    if in_terminal {
        let mut start = Start::program("strace").arg("-f").arg("-qq").arg("-e").arg(calls).arg("-o").arg(&noted);
        start = start.arg(program);
        let session = args.iter().fold(start, Start::arg).run();
        session.wait_for(OPEN_CALL);
        session.wait_until("the alternate screen", is_taken);
        quit(session);
    } else {
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-e", calls, "-o"]).arg(&noted).arg(program).args(args);
        command.env("XDG_CONFIG_HOME", "/dev/null/config").stdin(Stdio::null());
        command.output().expect("strace runs");
    }
    let text = fs::read_to_string(&noted).expect("the calls were noted");
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn logs_are_opened_to_be_read_and_never_locked_or_changed() {
    let log = SmallLog::write();
    let before = fs::metadata(log.path()).expect("the log").modified().expect("a time");
    let calls =
        "open,openat,creat,flock,fcntl,truncate,ftruncate,rename,renameat,renameat2,unlink,unlinkat,chmod,fchmod";
    let path = log.path();
    for (args, in_terminal) in
        [(vec![OsStr::new("report"), path.as_os_str()], false), (vec![OsStr::new("--follow"), path.as_os_str()], true)]
    {
        let Some(calls) = traced(calls, &args, in_terminal) else { return };
        let of_log: Vec<&String> = calls.iter().filter(|call| call.contains("session.jsonl")).collect();
        assert!(of_log.iter().any(|call| call.contains("O_RDONLY")), "{calls:?}");
        for call in &of_log {
            let is_read = call.contains("open") && call.contains("O_RDONLY") && !call.contains("O_CREAT");
            assert!(is_read && !call.contains("O_TRUNC"), "{call}");
        }
        for call in &calls {
            assert!(
                !["flock(", "F_SETLK", "F_OFD_SETLK", "F_SETLEASE"].iter().any(|lock| call.contains(lock)),
                "{call}"
            );
        }
    }
    assert_eq!(fs::metadata(log.path()).expect("the log").modified().expect("a time"), before);
}

#[test]
fn nothing_is_connected_to_and_no_process_is_started() {
    let log = SmallLog::write();
    let path = log.path();
    for (args, in_terminal) in
        [(vec![OsStr::new("report"), path.as_os_str()], false), (vec![OsStr::new("--follow"), path.as_os_str()], true)]
    {
        let calls = "execve,execveat,fork,vfork,clone,clone3,socket,connect,bind,listen,sendto,sendmsg";
        let Some(calls) = traced(calls, &args, in_terminal) else { return };
        let started = calls.iter().filter(|call| call.contains("execve")).count();
        assert_eq!(started, 1, "the program itself: {calls:?}");
        for call in &calls {
            let is_thread = call.contains("clone") && (call.contains("CLONE_THREAD") || call.contains("resumed"));
            // Signals reach their thread through a pair of sockets that have no name.
            let is_inside = call.contains("execve(") || call.contains("sendto(") || call.contains("+++");
            assert!(is_thread || is_inside, "{call}");
        }
    }
}

/// Crates that talk to a network, by their names or the beginnings of them.
const NETWORK: [&str; 24] = [
    "tokio",
    "async-std",
    "smol",
    "hyper",
    "reqwest",
    "ureq",
    "curl",
    "isahc",
    "surf",
    "attohttpc",
    "minreq",
    "socket2",
    "rustls",
    "native-tls",
    "openssl",
    "quinn",
    "h2",
    "http",
    "trust-dns",
    "hickory",
    "tungstenite",
    "tonic",
    "net2",
    "sentry",
];

#[test]
fn no_dependency_is_made_for_a_network() {
    let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).expect("it is checked in");
    let names: Vec<&str> = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).collect();
    assert!(names.len() > 50 && names.contains(&"ratatui"), "{names:?}");
    for name in names {
        let found = NETWORK.iter().find(|known| name == **known || name.starts_with(&format!("{known}-")));
        assert!(found.is_none(), "{name}");
    }
    let sources = crate::support::source::sources();
    let users: Vec<&str> =
        sources.iter().filter(|source| source.text.contains("std::net")).map(|source| source.name.as_str()).collect();
    assert!(users.is_empty(), "{users:?}");
}
