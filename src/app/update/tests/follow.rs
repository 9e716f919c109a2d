//! Messages → what the core asks for and shows, for a log that grows or is large.

use super::log::{broken, grown, healthy, open_call};
use super::*;
use crate::app::effect::Effect;
use crate::app::follow::{Following, STILL_MS};
use crate::app::message::Change;
use crate::text::role::Role;
use crate::triage::facts::LoaderResult;

/// A log that is followed, and was written to a moment ago.
fn followed(text: &str, columns: u16, rows: u16) -> Bench {
    let mut bench = Bench::empty(columns, rows);
    bench.model.follow.state = Following::AtEnd;
    watched(&mut bench, 300);
    bench.read(text);
    bench
}

fn watched(bench: &mut Bench, quiet_ms: u64) {
    bench.send(Message::Watched { epoch: bench.model.epoch, quiet_ms });
}

fn verdict(bench: &Bench) -> String {
    bench.model.open.as_ref().map(|open| open.verdict.text.join(" | ")).unwrap_or_default()
}

fn texts(bench: &Bench) -> Vec<String> {
    let rows = bench.model.timeline_rows().into_iter();
    rows.map(|row| match row.kind {
        RowKind::Event(event) => event.type_name,
        RowKind::Rule(rule) => rule.spans.into_iter().map(|span| span.text).collect(),
    })
    .collect()
}

#[test]
fn in_a_growing_log_an_open_call_has_no_result_yet() {
    let mut bench = followed(&open_call(), 140, 45);
    assert!(verdict(&bench).contains("NO RESULT YET  bash  call_b"), "{}", verdict(&bench));
    assert!(!verdict(&bench).contains("retr"), "{}", verdict(&bench));
    // The end is not the end: nothing is told of what a resume would add.
    assert_eq!(texts(&bench).last().map(String::as_str), Some("tool/call"));
    let states: Vec<_> = bench.model.call_rows().into_iter().map(|row| (row.id, row.state)).collect();
    let state = |id: &str| states.iter().find(|(found, _)| found == id).map(|(_, state)| state.clone());
    assert_eq!(state("call_b").map(|state| (state.text, state.role)), Some(("no result yet".to_owned(), Role::Accent)));
    assert_eq!(state("call_c").map(|state| state.text), Some("no result yet".to_owned()));
    // Ten quiet seconds turn it back, and the view stays at the end.
    watched(&mut bench, STILL_MS - 1);
    assert!(verdict(&bench).contains("NO RESULT YET"));
    watched(&mut bench, STILL_MS);
    assert!(verdict(&bench).contains("OUTCOME UNKNOWN"), "{}", verdict(&bench));
    assert!(texts(&bench).iter().any(|text| text.contains("NOT in the file")), "{:?}", texts(&bench));
    assert_eq!(bench.model.follow.state, Following::AtEnd);
    watched(&mut bench, 0);
    assert!(verdict(&bench).contains("NO RESULT YET"));
}

#[test]
fn at_the_end_the_view_follows_and_a_result_is_told_until_the_next_key() {
    let mut bench = followed(&open_call(), 140, 45);
    assert_eq!(bench.seq(), Some(12));
    bench.read(&grown());
    assert_eq!(bench.model.timeline.cursor() + 1, bench.model.timeline.len());
    let news = bench.model.follow.news.clone().unwrap_or_default();
    assert!(news.contains("got its result meanwhile: completed") && news.contains("1 more did."), "{news}");
    assert!(bench.model.areas.verdict.height == 2);
    bench.keys("i");
    assert_eq!(bench.model.follow.news, None);
}

#[test]
fn a_move_up_pauses_and_what_comes_below_is_counted() {
    let mut bench = followed(&healthy(20), 100, 24);
    bench.keys("gg");
    assert_eq!((bench.model.follow.state, bench.said()), (Following::Paused, "paused; F or G goes on"));
    assert_eq!((bench.model.follow.below, bench.seq()), (None, Some(0)));
    bench.read(&healthy(22));
    let below = bench.model.follow.below.expect("two turns came");
    assert_eq!((below.events, below.lines, below.seqs.map(|(from, to)| (from.0, to.0))), (22, 20, Some((220, 241))));
    assert_eq!((bench.seq(), bench.model.timeline.top()), (Some(0), 0));
    assert!(!bench.model.areas.news.is_empty());
    // What comes on the screen is seen.
    bench.keys("230G");
    assert!(bench.model.follow.below.is_none_or(|below| below.events < 22));
    assert_eq!(bench.model.follow.state, Following::Paused);
    for end in ["G", "F"] {
        bench.keys("gg").keys(end);
        assert_eq!((bench.model.follow.state, bench.seq()), (Following::AtEnd, Some(241)), "{end}");
        assert_eq!(bench.model.follow.below, None);
    }
    assert!(bench.left.iter().all(|effect| !matches!(effect, Effect::Follow { .. })));
    bench.keys("F");
    assert_eq!(bench.model.follow.state, Following::Off);
    bench.keys("F");
    let follows: Vec<_> = bench.left.iter().filter(|effect| matches!(effect, Effect::Follow { .. })).collect();
    assert_eq!(follows, [&Effect::Follow { on: false }, &Effect::Follow { on: true }]);
}

#[test]
fn a_log_that_grows_keeps_its_texts_and_its_detail_on_screen() {
    let mut bench = followed(&healthy(20), 100, 24);
    bench.keys("7G");
    let before: Vec<_> = bench.model.timeline_rows().into_iter().map(|row| row.kind).collect();
    let doc = bench.model.detail.doc.clone();
    assert!(doc.is_some());
    // Nobody answers: what is there must stay.
    let session = Arc::new(session(&healthy(21)));
    let epoch = bench.model.epoch;
    crate::app::update::update(&mut bench.model, Message::Opened { epoch, session });
    let after: Vec<_> = bench.model.timeline_rows().into_iter().map(|row| row.kind).collect();
    assert_eq!(before[..5], after[..5]);
    assert!(bench.model.detail.doc.is_some());
}

#[test]
fn a_file_that_became_another_one_is_read_again_with_the_cursor_kept() {
    for (change, newer) in
        [(Change::Replaced, false), (Change::Cut, false), (Change::Succeeded("session.v2.jsonl".to_owned()), true)]
    {
        let mut bench = followed(&healthy(3), 140, 45);
        bench.keys("14G");
        let before = bench.model.epoch;
        bench.send(Message::Changed { epoch: before, change: change.clone() });
        let epoch = bench.model.epoch;
        assert_ne!(epoch, before);
        let wanted = if newer { Effect::OpenNewer { epoch } } else { Effect::Reload { epoch } };
        assert!(bench.left.contains(&wanted), "{:?}", bench.left);
        assert!(bench.said().contains("the cursor stays by its seq"), "{}", bench.said());
        // What the reading before still sends is dropped.
        bench.send(Message::Changed { epoch: before, change });
        assert_eq!(bench.model.epoch, epoch);
        bench.read(&healthy(2));
        assert_eq!(bench.seq(), Some(14));
        // Nothing happened "meanwhile" in a file that is another one.
        assert_eq!(bench.model.follow.news, None);
    }
    // Of a shorter file the nearest before it.
    let mut bench = followed(&healthy(3), 140, 45);
    bench.keys("30G");
    bench.send(Message::Changed { epoch: bench.model.epoch, change: Change::Cut });
    bench.read(&healthy(2));
    assert_eq!(bench.seq(), Some(21));
    bench.send(Message::Changed { epoch: bench.model.epoch, change: Change::Gone });
    assert!(bench.said().contains("gone"));
    assert_eq!(bench.seq(), Some(21));
}

#[test]
fn an_empty_file_is_followed_by_itself_and_a_pipe_never_is() {
    let mut bench = Bench::empty(80, 24);
    let odd = OddFile { path: "x".to_owned(), bytes: Some(0), kind: OddKind::Empty };
    bench.send(Message::Refused { epoch: Epoch::default(), odd: odd.clone() });
    assert_eq!(bench.left, [Effect::Follow { on: true }]);
    bench.read(&open_call());
    assert!(bench.model.odd.is_none() && bench.model.follow.is_on());
    let mut bench = Bench::empty(80, 24);
    bench.model.settings.can_follow = false;
    bench.send(Message::Refused { epoch: Epoch::default(), odd });
    bench.read(&open_call());
    bench.keys("F");
    assert!(!bench.model.follow.is_on() && bench.said().contains("standard input"));
    assert!(bench.left.is_empty());
}

/// The session of a log as its tail alone would be.
fn tail(text: &str) -> Arc<crate::triage::session::Session> {
    let mut tail = session(text);
    tail.extent = Extent::Tail;
    tail.facts.loader.result = None;
    tail.facts.last_failed = None;
    tail.facts.last_recovered = None;
    Arc::new(tail)
}

fn open_tail(text: &str) -> Bench {
    let mut bench = Bench::empty(140, 45);
    bench.send(Message::Opened { epoch: Epoch::default(), session: tail(text) });
    bench
}

#[test]
fn a_tail_claims_only_what_is_certain() {
    let bench = open_tail(&open_call());
    assert!(verdict(&bench).contains("OUTCOME UNKNOWN"), "{}", verdict(&bench));
    assert!(verdict(&bench).contains("rest not read yet"));
    for text in [healthy(3), broken()] {
        let bench = open_tail(&text);
        assert!(verdict(&bench).contains("NOTHING OPEN IN THE TAIL"), "{}", verdict(&bench));
        for unknown in ["all completed", "0 failed", "0 open", "REFUSES"] {
            assert!(!verdict(&bench).contains(unknown), "{}", verdict(&bench));
        }
    }
    assert_ne!(session(&healthy(1)).facts.loader.result, None::<LoaderResult>);
}

#[test]
fn what_waits_for_the_index_is_done_when_it_is_there() {
    for (keys, seq) in [("gg", 0), ("3G", 3), (":L4<Enter>", 2)] {
        let text = healthy(6);
        // A tail of the last turns: as the whole log without its first rows.
        let from = text.match_indices('\n').nth(30).map_or(0, |(at, _)| at + 1);
        let header = text.find('\n').map_or(0, |at| at + 1);
        let mut bench = open_tail(&format!("{}{}", &text[..header], &text[from..]));
        let open = bench.model.open.as_mut().expect("the tail is open");
        Arc::make_mut(&mut open.session).index.lines_before = None;
        bench.keys(keys);
        assert!(bench.said().contains("waits"), "{keys}: {}", bench.said());
        bench.read(&text);
        assert_eq!(bench.seq(), Some(seq), "{keys}");
        // Any other key takes the wish back.
        let mut bench = open_tail(&format!("{}{}", &text[..header], &text[from..]));
        bench.keys("ggG");
        let at = bench.seq();
        bench.read(&text);
        assert_eq!(bench.seq(), at);
    }
}

#[test]
fn ctrl_c_stops_the_index_and_a_second_one_leaves() {
    let mut bench = open_tail(&open_call());
    let at = bench.seq();
    assert!(!bench.model.areas.progress.is_empty());
    bench.keys("<C-c>");
    let epoch = bench.model.epoch;
    assert_eq!(bench.left, [Effect::StopReading { epoch }]);
    assert!(bench.said().contains("stopped"), "{}", bench.said());
    assert!(bench.model.areas.progress.is_empty());
    bench.send(Message::Stopped { epoch });
    assert_eq!((bench.seq(), bench.model.open.is_some()), (at, true));
    bench.keys("gg");
    assert!(bench.said().contains("Ctrl-r"), "{}", bench.said());
    bench.keys("<C-c>");
    assert!(bench.left.contains(&Effect::Quit));
}

#[test]
fn the_cursor_keeps_its_row_of_the_screen_when_the_index_is_there() {
    let mut bench = open_tail(&healthy(30));
    bench.keys("200G");
    let on_screen = |bench: &Bench| {
        let row = bench.model.timeline.cursor() - bench.model.timeline.top();
        usize::from(bench.model.areas.timeline_body().y) + row
    };
    let (row, seq) = (on_screen(&bench), bench.seq());
    bench.read(&healthy(30));
    assert_eq!((on_screen(&bench), bench.seq()), (row, seq));
    assert!(bench.model.areas.progress.is_empty());
}

#[test]
fn a_count_of_rows_looks_at_few_of_them() {
    use crate::app::timeline::build::MILE;
    let bench = Bench::open(&healthy(700), 140, 45);
    let timeline = &bench.model.timeline;
    assert!(timeline.len() > 4 * MILE);
    for at in [0, 1, MILE - 1, MILE, MILE + 1, 3 * MILE + 7, timeline.len() - 1, timeline.len() + 5] {
        let rows = timeline.items.iter().take(at + 1);
        let expected = rows.filter(|item| matches!(item, Item::Row(_) | Item::Run { .. })).count();
        assert_eq!(timeline.rows_up_to(at), expected as u64, "{at}");
    }
    assert_eq!(timeline.chart.len(), usize::from(timeline.height));
}
