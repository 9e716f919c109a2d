//! A log that is still being written, in the real binary: a result that arrives, a pause, a repair, another file.

use std::fs::{File, OpenOptions, rename, write};
use std::io::Write;
use std::path::Path;

use crate::support::pty::{Session, Start};
use crate::support::{OPEN_CALL, SmallLog};

/// The result of the open call.
fn result() -> String {
    let seq = SmallLog::EVENTS;
    let message = format!(
        r#"{{"id":"r-x","role":"user","source":{{"kind":"tool","callId":"{OPEN_CALL}"}},"content":[{{"type":"tool-result","toolCallId":"{OPEN_CALL}","content":[{{"type":"text","text":"made"}}],"isError":false}}]}}"#
    );
    format!(
        r#"{{"type":"tool/result","seq":{seq},"time":1790000900000,"data":{{"turn":31,"step":1,"message":{message}}},"surfaceOp":"append"}}{}"#,
        "\n"
    )
}

/// How a log is stored.
#[derive(Clone, Copy)]
enum Stored {
    Plain,
    Zstd,
}

impl Stored {
    fn pack(self, text: &[u8]) -> Vec<u8> {
        match self {
            Stored::Plain => text.to_vec(),
            Stored::Zstd => zstd::encode_all(text, 1).expect("memory can be packed"),
        }
    }

    /// The small log in a folder of its own, under this storage: header and lines apart, as a writer does.
    fn log(self, folder: &Path) -> std::path::PathBuf {
        let text = std::fs::read(SmallLog::write().path()).expect("the log was written");
        let header = text.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let path = folder.join(match self {
            Stored::Plain => "session.jsonl",
            Stored::Zstd => "session.jsonl.zstd",
        });
        write(&path, [self.pack(&text[..header]), self.pack(&text[header..])].concat()).expect("a small file");
        path
    }
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).expect("the log is there");
    file.write_all(bytes).expect("it can be written to");
}

fn following(path: &Path) -> Session {
    let session = Start::viewer().arg("--follow").arg(path).run();
    session.wait_for("NO RESULT YET");
    session.wait_for("FOLLOW");
    session
}

#[test]
fn an_open_call_gets_its_result_while_the_log_grows() {
    for stored in [Stored::Plain, Stored::Zstd] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = stored.log(folder.path());
        let mut session = following(&path);
        // Half of a frame or line is provisional, and becomes whole.
        let bytes = stored.pack(result().as_bytes());
        append(&path, &bytes[..bytes.len() / 2]);
        append(&path, &bytes[bytes.len() / 2..]);
        session.wait_for("got its result meanwhile: completed");
        session.wait_for("tool/result");
        session.wait_without("NO RESULT YET");
        session.type_keys("k");
        session.wait_without("got its result meanwhile");
        session.wait_for("FOLLOW PAUSED");
        session.type_keys("Q");
        assert_eq!(session.wait_for_exit().0, 0);
    }
}

#[test]
fn a_paused_view_counts_what_comes_below_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Stored::Plain.log(folder.path());
    let mut session = following(&path);
    session.type_keys("gg");
    session.wait_for("FOLLOW PAUSED");
    session.wait_for("Do part 1.");
    append(&path, result().as_bytes());
    session.wait_for("+1 event below");
    session.wait_for("1 NEW EVENT below");
    session.wait_for("Do part 1.");
    session.type_keys("G");
    session.wait_without("PAUSED");
    session.wait_for("tool/result");
    session.wait_without("NEW EVENT");
}

#[test]
fn an_unfinished_end_is_whole_once_it_is_written() {
    for stored in [Stored::Plain, Stored::Zstd] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = stored.log(folder.path());
        let session = following(&path);
        let bytes = stored.pack(result().as_bytes());
        append(&path, &bytes[..bytes.len() - 2]);
        session.wait_for("the file grew");
        session.wait_without("TORN");
        append(&path, &bytes[bytes.len() - 2..]);
        session.wait_for("got its result meanwhile");
    }
}

#[test]
fn a_file_that_is_cut_or_replaced_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Stored::Plain.log(folder.path());
    let size = std::fs::metadata(&path).expect("the log is there").len();
    append(&path, result().as_bytes());
    let session = Start::viewer().arg("--follow").arg(&path).run();
    // All of it was read, and not its end alone.
    session.wait_for("246 events in");
    File::options().write(true).open(&path).and_then(|file| file.set_len(size)).expect("it can be cut");
    session.wait_for("the file was cut");
    session.wait_for("NO RESULT YET");
    let other = folder.path().join("other");
    std::fs::copy(&path, &other).expect("a small file");
    append(&other, result().as_bytes());
    rename(&other, &path).expect("it can be renamed");
    session.wait_for("the file was replaced");
    session.wait_for("tool/result");
}

#[test]
fn a_newer_generation_is_opened_when_it_appears() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Stored::Plain.log(folder.path());
    let session = following(&path);
    let text = std::fs::read_to_string(&path).expect("a small file").replace("\"version\":0", "\"version\":1");
    write(folder.path().join("session.v1.jsonl"), text + &result()).expect("a small file");
    session.wait_for("session.v1.jsonl, a newer generation, appeared");
    session.wait_for("format 1");
}

#[test]
fn an_empty_file_wakes_up_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("session.jsonl");
    write(&path, b"").expect("a small file");
    let session = Start::viewer().arg(&path).run();
    session.wait_for("EMPTY FILE");
    session.wait_for("Waiting for it to grow");
    let text = std::fs::read(SmallLog::write().path()).expect("the log was written");
    append(&path, &text);
    session.wait_for(OPEN_CALL);
}

#[test]
fn follow_is_switched_by_its_key() {
    let log = SmallLog::write();
    let mut session = Start::viewer().arg(log.path()).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.type_keys("F");
    session.wait_for("NO RESULT YET");
    session.type_keys("F");
    session.wait_for("not following");
    session.wait_for("OUTCOME UNKNOWN");
}
