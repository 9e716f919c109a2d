use std::cell::Cell;
use std::path::Path;

use super::*;
use crate::app::message::{Epoch, Ticket};
use crate::log::{Encoding, MemorySource, Source};
use crate::runtime::inbox::Inbox;
use crate::session::piece::Keep;
use crate::triage::open::Log;

/// A zstd log with a frame for every number of lines in `frames`; line `n`, from 0, holds `word n`.
fn log(frames: &[u32]) -> (Arc<Session>, Sources) {
    let mut bytes = zstd::encode_all(&b"{\"type\":\"session\",\"version\":0,\"delegationDepth\":0}\n"[..], 1).unwrap();
    let mut seq = 0;
    for lines in frames {
        let mut text = String::new();
        for _ in 0..*lines {
            let line = format!(
                "{{\"type\":\"session/title\",\"seq\":{seq},\"time\":1,\"data\":{{\"title\":\"word {seq}.\"}}}}"
            );
            text.push_str(&line);
            text.push('\n');
            seq += 1;
        }
        bytes.extend(zstd::encode_all(text.as_bytes(), 1).unwrap());
    }
    let source: Arc<dyn Source> = Arc::new(MemorySource::new(bytes));
    let mut log = Log::new(Arc::clone(&source), Encoding::Zstd, Path::new("session.jsonl.zstd"), Keep::Nothing);
    log.read(1, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let sources = Sources::default();
    sources.set(Epoch(1), source);
    (Arc::new(log.into_session().unwrap()), sources)
}

fn wanted(session: &Arc<Session>, needle: &str, from: u32) -> Wanted {
    let question = Question { epoch: Epoch(1), ticket: Ticket(7), session: Arc::clone(session) };
    Wanted { question, needle: Arc::new(Needle::parse(needle).unwrap()), from: RowIx(from), filter: None }
}

/// Runs a search to its end: the rows found in the order they were sent, lines looked at, whether it said that it is done.
fn found(wanted: &Wanted, sources: Sources, is_over: impl Fn() -> bool) -> (Vec<u32>, u64, bool) {
    let (inbox, outbox) = Inbox::open();
    Pass::new(wanted, &outbox).run(&mut Texts::new(sources, 1 << 20), is_over).unwrap();
    let (mut rows, mut seen, mut ended) = (Vec::new(), 0, false);
    while let Some(message) = inbox.next_waiting() {
        let Message::Found { hits, looked_at, done, ticket, .. } = message else { unreachable!("{message:?}") };
        assert_eq!(ticket, Ticket(7));
        rows.extend(hits.iter().map(|hit| hit.row.0));
        (seen, ended) = (looked_at, done);
    }
    (rows, seen, ended)
}

#[test]
fn every_row_is_looked_at_once_from_the_cursor_outwards() {
    let (session, sources) = log(&[3, 1, 4, 2]);
    for from in 0..12 {
        let (rows, seen, done) = found(&wanted(&session, "word", from), sources.clone(), || false);
        assert!(done);
        assert_eq!(seen, 10);
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..10).collect::<Vec<_>>(), "from {from}: {rows:?}");
    }
    let (rows, ..) = found(&wanted(&session, "word", 3), sources, || false);
    assert_eq!(rows, [3, 4, 5, 6, 7, 0, 1, 2, 8, 9]);
}

#[test]
fn a_search_that_nobody_waits_for_ends_between_blocks() {
    let (session, sources) = log(&[2; 50]);
    let asked = Cell::new(0);
    let over = || {
        asked.set(asked.get() + 1);
        asked.get() > 10
    };
    let (rows, _, done) = found(&wanted(&session, "word", 0), sources, over);
    assert!(!done && rows.len() < 20, "{rows:?}");
}

#[test]
fn patterns_and_smart_case_are_the_needles_business() {
    let (session, sources) = log(&[20]);
    for (needle, expected) in [("WORD 7.", vec![]), ("word 7.", vec![7]), ("/word 1?[45]\\./", vec![4, 5, 14, 15])] {
        let (mut rows, ..) = found(&wanted(&session, needle, 0), sources.clone(), || false);
        rows.sort_unstable();
        assert_eq!(rows, expected, "{needle}");
    }
}

#[test]
fn an_empty_log_is_searched_at_once() {
    let (session, sources) = log(&[]);
    assert_eq!(found(&wanted(&session, "word", 0), sources, || false), (vec![], 0, true));
}
