use super::*;
use crate::text::locale::Words;

fn refusal(path: &Path) -> String {
    match find(path) {
        Err(refusal) => refusal.say(&Words::english()),
        Ok(target) => unreachable!("{} is taken for a log", target.path.display()),
    }
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
    let at = |name: &str| find(&folder.path().join(name));
    assert_eq!(at("log:88").unwrap().seq.as_deref(), Some("88"));
    assert_eq!(at("log:6/2").unwrap().seq.as_deref(), Some("6/2"));
    assert_eq!(at("log").unwrap().seq, None);
    assert_eq!(at("with:7").unwrap().seq, None);
    assert_eq!(at("with:7:8").unwrap().seq.as_deref(), Some("8"));
    assert!(at("log:").is_err());
    assert!(at("log:x8").is_err());
    assert!(at("log:99999999999999999999999").is_err());
    assert!(find(Path::new(":88")).is_err());
}

#[test]
fn file_names_tell_the_generation() {
    for (name, expected) in [
        ("session.jsonl", Some((0, false))),
        ("session.jsonl.zstd", Some((0, true))),
        ("session.v12.jsonl", Some((12, false))),
        ("session.v3.jsonl.zstd", Some((3, true))),
        ("session.v0.jsonl", None),
        ("session.v02.jsonl", None),
        ("session.V2.jsonl", None),
        ("session.v.jsonl", None),
        ("session.v2.jsonl.tmp", None),
        ("session.v2.jsonl.zst", None),
        ("session.v99999999999999999999.jsonl", None),
        ("sessions.jsonl", None),
    ] {
        assert_eq!(generation(name), expected, "{name}");
    }
}

#[test]
fn a_session_folder_stands_for_its_highest_generation() {
    let folder = folder_with(&["session.jsonl.zstd", "session.v10.jsonl", "session.v9.jsonl.zstd", "session.v11.bak"]);
    assert_eq!(open(folder.path()).unwrap().path, folder.path().join("session.v10.jsonl"));
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
        (write("a.zip", b"PK\x03\x04rest of it"), "this is a ZIP archive"),
        (write("a.db", b"SQLite format 3\0rest"), "SQLite"),
        (write("a.gz", &[0x1f, 0x8b, 8, 0, 0, 0]), "this is gzip"),
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
    assert!(open(&path).is_ok());
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
