use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use super::*;
use crate::log::{Encoding, MemorySource, Source};
use crate::runtime::inbox::{Inbox, Waited};
use crate::session::piece::Keep;
use crate::triage::open::Log;

/// A log of `turns` turn starts, then a packed row of three members.
fn opened(turns: u32) -> (Arc<Session>, Sources) {
    let mut text = "{\"type\":\"session\",\"version\":0,\"delegationDepth\":0}\n".to_owned();
    for turn in 0..turns {
        let data = format!("{{\"turn\":{turn}}}");
        writeln!(text, "{{\"type\":\"turn/start\",\"seq\":{turn},\"time\":1,\"data\":{data}}}").unwrap();
    }
    let data = "{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[1,1],\"texts\":[\"one\",\"two\",\"three\"]}";
    writeln!(text, "{{\"type\":\"text-chunks\",\"seq0\":{turns},\"time0\":1,\"data\":{data}}}").unwrap();
    let source: Arc<dyn Source> = Arc::new(MemorySource::new(text.into_bytes()));
    let mut log = Log::new(Arc::clone(&source), Encoding::Plain, Path::new("log"), Keep::Nothing);
    log.read(1, &mut |_| ControlFlow::Continue(())).unwrap();
    let sources = Sources::default();
    sources.set(Epoch(1), source);
    (Arc::new(log.into_session().unwrap()), sources)
}

fn started(turns: u32) -> (Fetcher, Inbox, Question) {
    let (session, sources) = opened(turns);
    let (inbox, outbox) = Inbox::open();
    let fetcher = Fetcher::start(outbox, sources, Arc::new(Words::english())).unwrap();
    (fetcher, inbox, Question { epoch: Epoch(1), ticket: Ticket(1), session })
}

fn next(inbox: &Inbox) -> Message {
    match inbox.wait(Some(Duration::from_secs(20))) {
        Waited::Message(message) => message,
        other => unreachable!("no answer came: {other:?}"),
    }
}

/// All texts of the next answers, until that many have come.
fn texts(inbox: &Inbox, count: usize) -> Vec<(SummaryKey, String)> {
    let mut told = Vec::new();
    while told.len() < count {
        match next(inbox) {
            Message::Summarised { epoch: Epoch(1), items, .. } => {
                told.extend(items.into_iter().map(|(key, what)| (key, what.plain())));
            }
            other => unreachable!("not asked for: {other:?}"),
        }
    }
    told
}

#[test]
fn rows_are_told_in_the_order_asked_for() {
    let (fetcher, inbox, question) = started(100);
    let wants: Vec<SummaryKey> = (0..100).rev().map(|row| SummaryKey::Row(RowIx(row))).collect();
    fetcher.texts(question, wants.clone());
    let told = texts(&inbox, 100);
    assert_eq!(told.iter().map(|(key, _)| *key).collect::<Vec<_>>(), wants);
    assert!(told.iter().enumerate().all(|(at, (_, text))| text.contains(&(99 - at).to_string())), "{told:?}");
    fetcher.close();
}

#[test]
fn members_of_one_line_are_told_one_by_one() {
    let (fetcher, inbox, question) = started(2);
    let member = |member| SummaryKey::Member(EventRef { row: RowIx(2), member });
    fetcher.texts(question, vec![member(0), member(2), SummaryKey::Row(RowIx(0)), member(1)]);
    let told = texts(&inbox, 4);
    assert!(told[0].1.contains("one") && told[1].1.contains("three") && told[3].1.contains("two"), "{told:?}");
    fetcher.close();
}

#[test]
fn lines_come_with_their_whole_length() {
    let (fetcher, inbox, question) = started(1);
    fetcher.lines(question, Asker::Detail, vec![RowIx(1), RowIx(99), RowIx(0)], 20);
    let Message::FetchedLines { lines, .. } = next(&inbox) else { unreachable!("lines were asked for") };
    assert_eq!(lines.iter().map(|line| line.row).collect::<Vec<_>>(), [RowIx(1), RowIx(0)]);
    assert!(lines.iter().all(|line| line.bytes.len() == 20 && line.total > 20));
    assert!(matches!(next(&inbox), Message::Failed { .. }), "a row that is not there is told");
    fetcher.close();
}

#[test]
fn what_is_not_there_is_no_panic() {
    let (fetcher, inbox, question) = started(1);
    let wants = vec![
        SummaryKey::Ghost(77),
        SummaryKey::Row(RowIx(99)),
        SummaryKey::Run { first: RowIx(50), last: RowIx(2) },
        SummaryKey::Member(EventRef { row: RowIx(1), member: u32::MAX }),
        SummaryKey::Member(EventRef { row: RowIx(99), member: 0 }),
        SummaryKey::Row(RowIx(0)),
    ];
    fetcher.texts(question, wants);
    loop {
        let Message::Summarised { items, .. } = next(&inbox) else { continue };
        if items.iter().any(|(key, _)| *key == SummaryKey::Row(RowIx(0))) {
            break;
        }
    }
    fetcher.close();
}
