//! Reads a log as the program does, from memory.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use serde_json::Value;
use trajview::log::sniff::{Encoding, sniff};
use trajview::log::source::{MemorySource, Source};
use trajview::report::{json, text};
use trajview::session::piece::Keep;
use trajview::text::locale::Words;
use trajview::text::time::Zone;
use trajview::triage::open::Log;
use trajview::triage::pass::citation;
use trajview::triage::session::Session;

/// Name under which logs are read whose name does not matter.
pub const NAME: &str = "session.jsonl";

/// The English words, read once.
static WORDS: LazyLock<Words> = LazyLock::new(Words::english);

/// Reads a log with one thread.
pub fn read(bytes: &[u8], name: &str) -> Session {
    read_with(bytes, name, 1)
}

/// Reads a log with so many threads.
pub fn read_with(bytes: &[u8], name: &str, threads: usize) -> Session {
    let source: Arc<dyn Source> = Arc::new(MemorySource::new(bytes.to_vec()));
    let mut log = open(&source, name);
    log.read(threads, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    log.into_session().expect("memory can be read")
}

/// A log of which nothing is read.
pub fn open(source: &Arc<dyn Source>, name: &str) -> Log {
    let content = sniff(source.as_ref()).expect("memory can be read");
    let encoding = content.encoding().unwrap_or_else(|| Encoding::of_name(Path::new(name)));
    Log::new(Arc::clone(source), encoding, Path::new(name), Keep::Nothing)
}

/// The JSON report.
pub fn report(session: &Session) -> Value {
    serde_json::from_slice(&report_bytes(session)).expect("the report is JSON")
}

/// The JSON report as it is printed.
pub fn report_bytes(session: &Session) -> Vec<u8> {
    let mut out = Vec::new();
    json::write(session, &mut out).expect("memory can be written");
    out
}

/// The report for people, in UTC.
pub fn page(session: &Session) -> String {
    let mut out = Vec::new();
    text::write(session, &WORDS, &Zone::utc(), &mut out).expect("memory can be written");
    String::from_utf8(out).expect("the page is UTF-8")
}

/// Everything that is printed of a log, so that a test meets every printer.
pub fn print_all(session: &Session) -> Value {
    let text = page(session);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "a control character is printed");
    for at in 0..session.facts.calls.len().min(3) {
        let cited = citation::Cited::Call(at);
        let line = citation::citation(session, cited, &WORDS);
        assert!(!line.chars().any(char::is_control), "a citation is one printable line");
        assert_eq!(citation::evidence(session, cited, &WORDS).lines().count(), 3);
    }
    report(session)
}

/// A source in memory that seems to grow.
#[derive(Debug)]
pub struct Growing {
    bytes: Vec<u8>,
    shown: AtomicU64,
}

impl Growing {
    /// All the bytes it will have; none of them is there so far.
    pub fn new(bytes: Vec<u8>) -> Growing {
        Growing { bytes, shown: AtomicU64::new(0) }
    }

    /// From here on it has so many bytes.
    pub fn grow_to(&self, size: usize) {
        self.shown.store(size.min(self.bytes.len()) as u64, Ordering::SeqCst);
    }
}

impl Source for Growing {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.shown.load(Ordering::SeqCst))
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> std::io::Result<usize> {
        let shown = &self.bytes[..self.shown.load(Ordering::SeqCst) as usize];
        let rest = shown.get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(buf.len());
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
