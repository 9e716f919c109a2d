use std::path::Path;

use super::*;
use crate::log::{Encoding, MemorySource};
use crate::session::piece::Keep;
use crate::triage::open::Log;

const HEADER: &str = "{\"type\":\"session\",\"version\":0,\"delegationDepth\":0}\n";

/// A log of the given texts: one frame each, or all of it plain.
fn opened(texts: &[&str], encoding: Encoding) -> (Session, Texts) {
    let bytes: Vec<u8> = match encoding {
        Encoding::Plain => texts.concat().into_bytes(),
        Encoding::Zstd => texts.iter().flat_map(|text| zstd::encode_all(text.as_bytes(), 1).unwrap()).collect(),
    };
    let source: Arc<dyn Source> = Arc::new(MemorySource::new(bytes));
    let mut log = Log::new(Arc::clone(&source), encoding, Path::new("log"), Keep::Nothing);
    log.read(1, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let sources = Sources::default();
    sources.set(Epoch(1), source);
    (log.into_session().unwrap(), Texts::new(sources, 1 << 20))
}

fn line(number: u32) -> String {
    format!("{{\"type\":\"turn/start\",\"seq\":{number},\"time\":1,\"data\":{{\"turn\":{number}}}}}")
}

fn read(session: &Session, texts: &mut Texts, limit: usize) -> Vec<String> {
    let rows = 0..session.index.rows.len() as u32;
    rows.map(|row| {
        let text = texts.line(Epoch(1), session, RowIx(row), limit).unwrap();
        String::from_utf8(text.as_bytes().to_vec()).unwrap()
    })
    .collect()
}

#[test]
fn lines_come_back_as_stored() {
    let lines: Vec<String> = (0..5).map(line).collect();
    let (first, second) = (lines[..2].join("\n") + "\n", lines[2..].join("\r\n") + "\r\n");
    for encoding in [Encoding::Plain, Encoding::Zstd] {
        let (session, mut texts) = opened(&[HEADER, &first, &second], encoding);
        assert_eq!(read(&session, &mut texts, usize::MAX), lines, "{encoding:?}");
        let starts: Vec<&str> = lines.iter().map(|line| &line[..10]).collect();
        assert_eq!(read(&session, &mut texts, 10), starts, "{encoding:?}");
    }
}

#[test]
fn a_line_that_lies_in_several_frames_is_put_together() {
    let lines: Vec<String> = (0..3).map(line).collect();
    let text = lines.join("\n") + "\n";
    let middle = lines[0].len() + 1 + 8;
    let frames = [HEADER, &text[..middle], &text[middle..middle + 5], &text[middle + 5..]];
    let (session, mut texts) = opened(&frames, Encoding::Zstd);
    assert_eq!(session.facts.container.split_lines, 1);
    assert_eq!(read(&session, &mut texts, usize::MAX), lines);
    assert_eq!(read(&session, &mut texts, 12), lines.iter().map(|line| &line[..12]).collect::<Vec<_>>());
}

#[test]
fn rows_that_are_not_there_are_an_error() {
    let (session, mut texts) = opened(&[HEADER], Encoding::Plain);
    assert!(texts.line(Epoch(1), &session, RowIx(9), 10).is_err());
    let (session, mut texts) = opened(&[HEADER, &(line(0) + "\n")], Encoding::Plain);
    assert!(texts.line(Epoch(2), &session, RowIx(0), 10).is_err());
}

#[test]
fn the_start_of_a_long_line_is_read_without_the_rest() {
    let long = format!("{{\"type\":\"turn/start\",\"seq\":0,\"data\":\"{}\"}}", "a".repeat(5 << 20));
    let (session, mut texts) = opened(&[HEADER, &(long.clone() + "\n" + &line(1) + "\n")], Encoding::Zstd);
    assert_eq!(read(&session, &mut texts, 30), [&long[..30], &line(1)[..30]]);
    assert_eq!(read(&session, &mut texts, usize::MAX), [long, line(1)]);
}

#[test]
fn only_the_newest_sources_are_remembered() {
    let sources = Sources::default();
    for epoch in 0..5 {
        sources.set(Epoch(epoch), Arc::new(MemorySource::new(Vec::new())));
    }
    let known: Vec<bool> = (0..5).map(|epoch| sources.of(Epoch(epoch)).is_some()).collect();
    assert_eq!(known, [false, false, false, true, true]);
}
