//! Sessions made of lines, for tests of this layer.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::detail::RawLine;
use super::open::Log;
use super::session::Session;
use crate::log::sniff::Encoding;
use crate::log::source::MemorySource;
use crate::session::piece::Keep;
use crate::session::row::RowIx;

/// A plain header of version 0.
pub(crate) const HEADER: &str = r#"{"type":"session","version":0,"id":"session-00000000-0000-4000-8000-000000000001","createdAt":1790000000000,"cwd":"/srv/demo-app","delegationDepth":0}"#;

/// A session of a plain log, and its lines without the header: line `n` is row `n`.
pub(crate) fn plain(text: &[u8]) -> (Session, Vec<Vec<u8>>) {
    read(text.to_vec(), Encoding::Plain, "session.jsonl", text)
}

/// Reads a log; `decoded` is its text.
pub(crate) fn read(bytes: Vec<u8>, encoding: Encoding, name: &str, decoded: &[u8]) -> (Session, Vec<Vec<u8>>) {
    let source = Arc::new(MemorySource::new(bytes));
    let mut log = Log::new(source, encoding, Path::new(name), Keep::Nothing);
    log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    let session = log.into_session().expect("memory can be read");
    let skip = session.index.header_lines as usize;
    let mut lines: Vec<Vec<u8>> = decoded.split(|byte| *byte == b'\n').skip(skip).map(<[u8]>::to_vec).collect();
    lines.truncate(session.index.rows.len());
    (session, lines)
}

/// A session of these lines under [`HEADER`].
pub(crate) fn of_lines(lines: &[&str]) -> (Session, Vec<Vec<u8>>) {
    let text = format!("{HEADER}\n{}\n", lines.join("\n"));
    plain(text.as_bytes())
}

/// All lines, as the detail pane gets them.
pub(crate) fn raw_lines(lines: &[Vec<u8>]) -> Vec<RawLine> {
    let raw = |(at, line): (usize, &Vec<u8>)| RawLine {
        row: RowIx(at as u32),
        bytes: line.as_slice().into(),
        total: line.len() as u64,
    };
    lines.iter().enumerate().map(raw).collect()
}
