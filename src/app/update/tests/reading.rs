//! What comes from the reader: texts, a log that grew, the whole after the tail.

use super::*;

#[test]
fn the_detail_follows_and_its_tab_stays() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    assert_eq!(bench.model.detail.tabs.len(), 5);
    assert!(bench.model.detail.doc.is_some() && bench.model.detail.head.is_some());
    bench.keys("L");
    let tab = bench.model.detail.tab_id();
    bench.keys("7G");
    assert_eq!(bench.model.detail.tab_id(), tab, "the next call opens with the same tab");
    bench.keys("gg");
    assert_eq!(bench.model.detail.tab, 0, "a turn has no such tab");
    bench.keys("7Gr");
    assert_eq!(bench.model.detail.tab, 4);
    bench.keys("r");
    assert_eq!(bench.model.detail.tab, 0);
    bench.keys("pw4<Tab>jjG<Home>$0<PgDn>l h");
    let rows = bench.model.detail.rows.len();
    assert!(bench.model.detail.cursor < rows);
}

#[test]
fn texts_are_asked_for_once_and_only_for_rows_on_screen() {
    let mut bench = Bench::open(&healthy(200), 140, 45);
    let asked = bench.texts;
    assert!(asked <= 40, "{asked}");
    bench.keys("kkkkjjjj");
    assert_eq!(bench.texts, asked);
    bench.keys("gg");
    assert!(bench.texts <= 2 * asked, "{}", bench.texts);
    for row in bench.model.timeline_rows() {
        if let RowKind::Event(event) = row.kind {
            assert!(event.what.is_some());
        }
    }
}

#[test]
fn a_log_that_grew_keeps_cursor_and_place_on_screen() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    bench.keys("6G");
    let screen = bench.model.timeline.cursor() - bench.model.timeline.top();
    bench.read(&grown());
    assert_eq!(bench.seq(), Some(6));
    assert_eq!(bench.model.timeline.cursor() - bench.model.timeline.top(), screen);
    let open = bench.model.open.as_ref().expect("a log is open");
    assert!(open.verdict.text[0].contains("NOTHING OPEN"), "{:?}", open.verdict.text);
}

#[test]
fn the_whole_replaces_the_tail_under_the_cursor() {
    let mut whole = session(&healthy(4));
    let mut bench = Bench::empty(140, 45);
    let mut tail = session(&healthy(4));
    // A tail knows neither its line numbers nor what came before.
    tail.extent = Extent::Tail;
    let mut rows = crate::session::index::Rows::default();
    for row in whole.index.rows.iter().skip(20) {
        rows.push(row);
    }
    tail.index.rows = rows;
    tail.index.lines_before = None;
    tail.facts = session("").facts;
    tail.facts.format.known = true;
    whole.extent = Extent::Whole;
    bench.send(Message::Opened { epoch: Epoch(0), session: Arc::new(tail) });
    bench
        .send(Message::Progressed { epoch: Epoch(0), progress: Progress { done: 1, total: 2, ..Progress::default() } });
    bench.keys("kk");
    let seq = bench.seq();
    assert!(seq.is_some());
    assert_eq!(bench.keys("gg2j").said(), "");
    let seq_now = bench.seq();
    bench.send(Message::Opened { epoch: Epoch(0), session: Arc::new(whole) });
    assert_eq!(bench.seq(), seq_now);
    assert!(bench.model.progress.is_none());
}

#[test]
fn stale_answers_are_dropped() {
    let mut bench = Bench::open(&healthy(2), 140, 45);
    bench.keys("<C-r>");
    assert_eq!(bench.left.pop(), Some(Effect::Reload { epoch: Epoch(1) }));
    let before = bench.model.open.as_ref().map(|open| open.session.index.rows.len());
    bench.send(Message::Opened { epoch: Epoch(0), session: Arc::new(session(&healthy(5))) });
    assert_eq!(bench.model.open.as_ref().map(|open| open.session.index.rows.len()), before);
    bench.send(Message::Refused { epoch: Epoch(0), odd: odd() });
    assert!(bench.model.odd.is_none());
    bench.send(Message::Refused { epoch: Epoch(1), odd: odd() });
    assert!(bench.model.odd.is_some() && bench.model.open.is_none());
    bench.keys("jjkG/?tyTi:u");
    bench.read(&healthy(1));
    assert!(bench.model.odd.is_none() && bench.model.open.is_some());
}
