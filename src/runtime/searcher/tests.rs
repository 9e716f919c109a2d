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
    read(bytes)
}

fn read(bytes: Vec<u8>) -> (Arc<Session>, Sources) {
    let source: Arc<dyn Source> = Arc::new(MemorySource::new(bytes));
    let mut log = Log::new(Arc::clone(&source), Encoding::Zstd, Path::new("session.jsonl.zstd"), Keep::Nothing);
    log.read(1, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let sources = Sources::default();
    sources.set(Epoch(1), source);
    (Arc::new(log.into_session().unwrap()), sources)
}

fn wanted(session: &Arc<Session>, needle: &str, from: u32) -> Wanted {
    let question = Question { epoch: Epoch(1), ticket: Ticket(7), session: Arc::clone(session) };
    let target = Target::Needle(Arc::new(Needle::parse(needle).unwrap()), None);
    Wanted { question, target, from: RowIx(from) }
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

/// A zstd log with these lines, a frame each.
fn framed(lines: &[String]) -> (Arc<Session>, Sources) {
    let mut bytes = zstd::encode_all(&b"{\"type\":\"session\",\"version\":0,\"delegationDepth\":0}\n"[..], 1).unwrap();
    for line in lines {
        bytes.extend(zstd::encode_all(format!("{line}\n").as_bytes(), 1).unwrap());
    }
    read(bytes)
}

fn delta(seq: usize, text: &str) -> String {
    let chunk = format!(r#"{{"type":"text-delta","index":0,"text":"{text}"}}"#);
    format!(r#"{{"type":"assistant/chunk","seq":{seq},"time":1,"data":{{"turn":1,"step":1,"chunk":{chunk}}}}}"#)
}

#[test]
fn what_streamed_over_several_frames_is_found_where_it_begins() {
    let mut lines: Vec<String> = ["so ", "he", "llo w", "or", "ld ", "and he", "llo"]
        .iter()
        .enumerate()
        .map(|(seq, text)| delta(seq, text))
        .collect();
    lines.push(r#"{"type":"session/title","seq":7,"time":1,"data":{"title":"hello"}}"#.to_owned());
    let (session, sources) = framed(&lines);
    for from in 0..8 {
        for (needle, expected) in [("hello", vec![1, 5, 7]), ("hello world", vec![1]), ("/o w/", vec![2])] {
            let (mut rows, seen, done) = found(&wanted(&session, needle, from), sources.clone(), || false);
            rows.sort_unstable();
            assert_eq!((rows, seen, done), (expected, 8, true), "{needle} from {from}");
        }
    }
}

#[test]
fn a_filter_asks_only_for_rows_that_their_text_decides() {
    let (session, sources) = log(&[3, 4, 5]);
    let query = crate::query::Query::parse("seq:2..6 (\"word 3\" or seq:2)").unwrap();
    let query = Prepared::of(&query, &session, &crate::text::time::Zone::utc());
    let question = Question { epoch: Epoch(1), ticket: Ticket(7), session: Arc::clone(&session) };
    let wanted = Wanted { question, target: Target::Query(query), from: RowIx(9) };
    let (inbox, outbox) = Inbox::open();
    Pass::new(&wanted, &outbox).run(&mut Texts::new(sources, 1 << 20), || false).unwrap();
    let mut told = Vec::new();
    while let Some(message) = inbox.next_waiting() {
        let Message::Sifted { rows, looked_at, done, .. } = message else { unreachable!("{message:?}") };
        told.push((rows, looked_at, done));
    }
    // Row 2 is selected without its text, rows 3 to 6 need it.
    assert_eq!(told, [(vec![RowIx(3)], 4, false), (vec![], 4, true)]);
}
