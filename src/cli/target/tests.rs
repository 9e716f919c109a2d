use super::*;
use crate::text::locale::Words;

fn refusal(path: &Path) -> String {
    refused(find(path, None))
}

fn refused(found: Result<Found, Refusal>) -> String {
    match found {
        Err(refusal) => refusal.say(&Words::english()),
        Ok(Found::Log(target)) => unreachable!("{} is taken for a log", target.path.display()),
        Ok(Found::Store(store)) => unreachable!("{} is taken for a store", store.root.display()),
    }
}

fn log(found: Result<Found, Refusal>) -> Result<Target, Refusal> {
    found.map(|found| match found {
        Found::Log(target) => target,
        Found::Store(store) => unreachable!("{} is taken for a store", store.root.display()),
    })
}

fn folder_with(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::write(folder.path().join(name), b"{\"type\":\"session\"}\n").unwrap();
    }
    folder
}

#[test]
fn a_seq_follows_a_path_where_no_file_has_the_whole_name() {
    let folder = folder_with(&["log", "with:7"]);
    let at = |name: &str| log(find(&folder.path().join(name), None));
    assert_eq!(at("log:88").unwrap().seq.as_deref(), Some("88"));
    assert_eq!(at("log:6/2").unwrap().seq.as_deref(), Some("6/2"));
    assert_eq!(at("log").unwrap().seq, None);
    assert_eq!(at("with:7").unwrap().seq, None);
    assert_eq!(at("with:7:8").unwrap().seq.as_deref(), Some("8"));
    assert!(at("log:").is_err());
    assert!(at("log:x8").is_err());
    assert!(at("log:99999999999999999999999").is_err());
    assert!(find(Path::new(":88"), None).is_err());
}

#[test]
fn a_session_folder_stands_for_its_highest_generation() {
    let folder = folder_with(&["session.jsonl.zstd", "session.v10.jsonl", "session.v9.jsonl.zstd", "session.v11.bak"]);
    let target = log(open(folder.path(), None)).unwrap();
    assert_eq!(target.path, folder.path().join("session.v10.jsonl"));
    assert_eq!(target.folder.map(|store| store.sessions[0].generations.len()), Some(3));
}

#[test]
fn what_is_no_log_is_named() {
    let folder = folder_with(&[]);
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    for (path, expected) in [
        (folder.path().to_owned(), "this is a folder"),
        (folder.path().join("nothing"), "no such file or folder"),
        (write("a.zip", b"PK\x03\x04rest of it"), "this is a ZIP archive whose list"),
        (write("a.db", b"SQLite format 3\0rest"), "SQLite"),
        (write("a.gz", &[0x1f, 0x8b, 8, 0, 0, 0]), "this is gzip"),
        (write("session.lock", b""), "this is the lock of a writer"),
        (write("a.md", b"# Notes\n"), "not a session log: line 1 is not JSON: \"# Notes\""),
        (write("a.json", b"{\"a\":1}\n"), "line 1 is JSON without a \"type\""),
    ] {
        let said = refusal(&path);
        assert!(said.contains(expected), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn an_empty_file_is_a_log_without_anything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, b"").unwrap();
    assert!(log(open(&path, None)).is_ok());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_named_without_waiting_for_its_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if made.is_ok_and(|status| status.success()) {
        assert!(refusal(&path).contains("this is a FIFO"));
    }
    assert!(refusal(Path::new("/dev/null")).contains("this is a device"));
}

#[test]
fn a_name_reaches_the_message_as_printable_text() {
    let said = refusal(Path::new("no\u{1b}[31m-such\n-file"));
    assert!(!said.contains(['\u{1b}', '\n']), "{said:?}");
}

#[test]
fn a_folder_with_sessions_is_a_store() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["session-0a", "0ab", "session-1"] {
        let session = folder.path().join("--srv--").join(id);
        fs::create_dir_all(&session).unwrap();
        fs::write(session.join("session.jsonl"), b"{\"type\":\"session\"}\n").unwrap();
    }
    for root in [folder.path().to_owned(), folder.path().join("--srv--")] {
        let Ok(Found::Store(store)) = open(&root, None) else { unreachable!("{}", root.display()) };
        assert_eq!(store.sessions.len(), 3);
    }
    let by = |id: &str| find(Path::new(id), Some(folder.path()));
    for (id, name, seq) in [
        ("session-1", "session-1", None),
        ("1", "session-1", None),
        ("0ab:7", "0ab", Some("7")),
        ("0a", "session-0a", None),
    ] {
        let target = log(by(id)).unwrap();
        assert_eq!(
            (target.path.ends_with(format!("{name}/session.jsonl")), target.seq.as_deref()),
            (true, seq),
            "{id}"
        );
    }
    for (id, expected) in [
        ("0", "fits 2 sessions: --srv--/0ab, --srv--/session-0a"),
        ("session", "fits 2 sessions"),
        ("2", "has an id that begins so"),
    ] {
        let said = refused(by(id));
        assert!(said.contains(expected), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert!(refused(by("--srv--/none")).contains("no such file"));
}

#[test]
fn without_a_path_the_sessions_root_is_opened() {
    let folder = folder_with(&[]);
    assert!(refused(open_root(None)).contains("the home folder is not known"));
    assert!(refused(open_root(Some(folder.path().join("none")))).contains("there is no sessions folder here"));
    assert!(refused(open_root(Some(folder.path().to_owned()))).contains("there is nothing in it"));
}
