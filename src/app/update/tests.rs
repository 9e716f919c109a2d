use super::*;
use crate::app::bench::{Bench, session};
use crate::app::calls::Node;
use crate::app::key::{Key, KeyCode, MouseEvent, MouseKind};
use crate::app::message::{Epoch, OddFile, OddKind, Progress, SummaryKey, Ticket};
use crate::app::model::{Pane, Zoom};
use crate::app::overlay::Overlay;
use crate::app::page::PageKind;
use crate::app::selection::Selection;
use crate::app::timeline::{Item, RowKind};
use crate::session::row::{EventRef, RowIx};
use crate::triage::session::Extent;
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::Arc;

mod citing;
mod family;
mod filter_line;
mod follow;
mod log;
mod memory;
mod searching;
mod state_page;

use log::{broken, grown, healthy, open_call};

#[test]
fn the_cursor_starts_at_what_the_verdict_is_about() {
    let bench = Bench::open(&open_call(), 140, 45);
    let open = bench.model.open.as_ref().expect("a log is open");
    assert_eq!(bench.seq(), Some(12));
    assert!(open.verdict.text[0].contains("OUTCOME UNKNOWN"), "{:?}", open.verdict.text);
    assert!(open.verdict.text[0].contains("call_b"), "{:?}", open.verdict.text);
    // The calls pane stands on the same call.
    let row = &bench.model.call_rows()[bench.model.calls.cursor() - bench.model.calls.top()];
    assert!(row.cursor && matches!(row.node, Node::Call(_)) && row.id == "call_b", "{row:?}");
    // A healthy log starts at its end.
    assert_eq!(Bench::open(&healthy(3), 140, 45).seq(), Some(3 * 11 - 1));
}

#[test]
fn keys_lead_where_the_table_says() {
    // Healthy turns of 11 events: turn, step, user, chunks 3-5, message, call, result, step end, turn end.
    let table = [
        ("gg", 0),
        ("ggj", 1),
        ("gg2j", 2),
        ("ggjjk", 1),
        ("ggG", 32),
        ("88G", 32),
        ("14G", 14),
        ("gg3]t", 22),
        ("G[t", 22),
        ("G2[t", 11),
        ("gg]c", 7),
        ("gg]c;", 18),
        ("gg]c;,", 7),
        ("gg]co", 8),
        ("gg]coo", 7),
        ("7G%", 8),
        ("gg7G<C-o>", 0),
        ("gg7G<lt>>", 7),
        ("gg7G''", 0),
        ("gg4jma20G'a", 6),
        (":t2<Enter>", 11),
        (":t2.1<Enter>", 12),
        (":L10<Enter>", 9),
        (":call_2<Enter>", 29),
        (":16/1<Enter>", 14),
        ("ggJJ", 2),
        ("gg3jJ", 6),
        ("gg3jl", 3),
        ("gg3jlj", 3),
        ("gg3jlll", 3),
        ("ggzRG", 32),
    ];
    for (keys, seq) in table {
        let mut bench = Bench::open(&healthy(3), 140, 45);
        bench.keys(keys);
        assert_eq!(bench.seq(), Some(seq), "{keys}");
    }
}

#[test]
fn runs_unfold_into_lines_and_lines_into_members() {
    let mut bench = Bench::open(&healthy(1), 140, 45);
    bench.keys("gg3j");
    assert!(matches!(bench.model.timeline.current(), Some(Item::Run { .. })));
    let len = bench.model.timeline.len();
    bench.keys(" ");
    assert_eq!(bench.model.timeline.len(), len + 2);
    bench.keys("lj");
    assert!(matches!(bench.model.timeline.current(), Some(Item::Inner(_))), "{:?}", bench.model.timeline.current());
    bench.keys("k");
    // The packed row stands for two events.
    bench.keys("l");
    assert_eq!(bench.model.timeline.len(), len + 4);
    bench.keys("l");
    assert_eq!(
        (bench.model.timeline.current(), bench.seq()),
        (Some(Item::Member { row: RowIx(3), member: 0 }), Some(3))
    );
    bench.keys("jj");
    assert_eq!(bench.seq(), Some(5));
    bench.keys("kh");
    assert_eq!(bench.model.timeline.current(), Some(Item::Inner(RowIx(3))));
    bench.keys("hh");
    assert!(matches!(bench.model.timeline.current(), Some(Item::Run { .. })));
    bench.keys("h");
    assert_eq!(bench.model.timeline.len(), len);
    bench.keys("zrzr");
    assert_eq!(bench.model.timeline.len(), len + 4);
    bench.keys("zM");
    assert_eq!(bench.model.timeline.len(), len);
}

#[test]
fn u_goes_to_the_last_unpaired_call_from_anywhere() {
    for keys in ["ggu", "gg<Tab><Tab>u", "Tu", "iu", "gg+u", "1<Tab>u"] {
        let mut bench = Bench::open(&open_call(), 140, 45);
        bench.keys(keys);
        assert_eq!(bench.seq(), Some(12), "{keys}");
        assert!(bench.said().contains("call_b"), "{keys}: {}", bench.said());
        assert!(bench.model.page.is_none(), "{keys}");
    }
    let mut bench = Bench::open(&healthy(1), 140, 45);
    assert_eq!(bench.keys("ggu").said(), "nothing unpaired");
    assert_eq!(bench.seq(), Some(0));
}

#[test]
fn moving_in_one_pane_moves_the_other() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("7G");
    let node = |bench: &Bench| bench.model.call_rows().into_iter().find(|row| row.cursor).map(|row| row.id);
    assert_eq!(node(&bench).as_deref(), Some("call_0"));
    bench.keys("]c");
    assert_eq!(node(&bench).as_deref(), Some("call_1"));
    bench.keys("<Tab>k");
    assert_eq!((bench.model.focus, bench.seq()), (Pane::Calls, Some(12)));
    bench.keys("k");
    assert_eq!(bench.seq(), Some(11));
    let rows = bench.model.calls.len();
    bench.keys("h");
    assert_eq!(bench.model.calls.len(), rows - 2);
    bench.keys("zM");
    assert_eq!(bench.model.calls.len(), 3);
    bench.keys("zR");
    assert_eq!(bench.model.calls.len(), 9);
}

#[test]
fn many_completed_turns_fold_together_around_the_current_one() {
    let mut bench = Bench::open(&healthy(20), 140, 45);
    bench.keys("gg8]t");
    let names: Vec<String> = bench.model.call_rows().into_iter().map(|row| row.name).collect();
    assert_eq!(names, ["turns 1-8", "turn 9", "step 1", "bash", "turn 10", "turns 11-20"]);
    bench.keys("<Tab>ggl");
    assert_eq!(bench.model.calls.len(), 8 * 3 + 3 + 2, "eight turns open, the current one, two folded rows");
}

#[test]
fn panes_are_chosen_by_number_and_zoomed() {
    let mut bench = Bench::open(&healthy(1), 140, 45);
    for (keys, pane) in [
        ("<Tab>", Pane::Calls),
        ("<Tab>", Pane::Detail),
        ("<Tab>", Pane::Header),
        ("2<Tab>", Pane::Timeline),
        ("<S-Tab>", Pane::Header),
        ("9<Tab>", Pane::Header),
        ("4<Tab>", Pane::Detail),
    ] {
        bench.keys(keys);
        assert_eq!(bench.model.focus, pane, "{keys}");
    }
    bench.keys("++");
    assert_eq!(bench.model.zoom, Zoom::Whole);
    assert!(bench.model.areas.timeline.is_empty() && bench.model.areas.detail.height > 30);
    bench.keys("q");
    assert_eq!(bench.model.zoom, Zoom::Normal);
    // On small screens Tab goes from pane to pane; Enter leads into the detail and q out of it.
    let mut bench = Bench::open(&healthy(1), 40, 12);
    bench.keys("<Enter>");
    assert!(bench.model.areas.timeline.is_empty() && !bench.model.areas.detail.is_empty());
    bench.keys("q");
    assert_eq!((bench.model.focus, bench.left.len()), (Pane::Timeline, 0));
}

#[test]
fn q_goes_one_level_out_each_time() {
    let mut bench = Bench::open(&healthy(2), 140, 45);
    bench.keys("v/turn<Enter>T?");
    assert!(matches!(bench.model.overlay, Some(Overlay::Help(_))));
    bench.keys("q");
    assert!(bench.model.overlay.is_none() && bench.model.page.is_some());
    bench.keys("q");
    assert!(bench.model.page.is_none() && bench.model.search.is_some());
    bench.keys("<Esc>");
    assert!(bench.model.search.is_none() && bench.model.selection != Selection::All);
    bench.keys("q");
    assert_eq!((&bench.model.selection, bench.model.leaving), (&Selection::All, false));
    bench.keys("q");
    assert_eq!(bench.left, [Effect::Quit]);
    bench.keys("jjj");
    assert_eq!(bench.left, [Effect::Quit], "nothing happens after leaving");
}

#[test]
fn counts_and_prefixes_wait_and_can_be_dropped() {
    let mut bench = Bench::open(&healthy(2), 140, 45);
    bench.keys("gg12");
    assert_eq!(bench.model.pending.count, Some(12));
    bench.keys("<Esc>");
    assert_eq!((bench.model.pending.count, bench.model.leaving), (None, false));
    bench.keys("]");
    assert_eq!(bench.model.pending.prefix, Some(']'));
    bench.keys("<Esc>");
    assert_eq!((bench.model.pending.prefix, bench.model.leaving, bench.seq()), (None, false, Some(0)));
    assert_eq!(bench.keys("]y").said(), "] y: no such key. Nothing done.");
    assert_eq!(bench.keys("X").said(), "X: no such key");
    assert_eq!(bench.keys("j").said(), "");
    bench.keys("99999999999999999999j");
    assert_eq!(bench.seq(), Some(21));
}

#[test]
fn filters_narrow_and_keep_the_cursor() {
    let mut bench = Bench::open(&healthy(2), 140, 45);
    bench.keys("7Gv");
    assert_eq!(bench.seq(), Some(6), "the call is hidden: the nearest before it");
    assert_eq!(bench.model.timeline_title()[0], "6 of 18 rows, chat only");
    bench.keys("v");
    assert_eq!(bench.model.timeline_title()[0], "12 of 18 rows, hidden only");
    bench.keys("v");
    assert_eq!(bench.model.selection, Selection::All);
    bench.keys("t");
    // The most frequent type stands first: chunks.
    bench.keys(" <Enter>");
    assert_eq!(bench.model.timeline_title()[0], "16 of 22 events, 6 hidden by the filter");
    assert!(bench.keys("3G").said().contains("hidden by the filter"));
    bench.keys("x");
    assert_eq!(bench.model.selection, Selection::All);
    bench.keys("tn<Esc>");
    assert_eq!(bench.model.selection, Selection::All, "Esc undoes");
    bench.keys("tt<Enter>");
    assert_eq!(bench.model.timeline.events().shown, 4);
    bench.keys("xt/step<Enter>n<Enter>");
    assert_eq!(bench.model.timeline.events().shown, 22 - 4, "only the narrowed list is ticked off");
    bench.keys("x");
    assert_eq!(bench.keys("d").said(), "all rows have depth 0");
    assert_eq!(bench.model.selection, Selection::All, "one session has one depth");
    bench.keys("tn<Enter>");
    assert_eq!(bench.model.timeline.events().shown, 0);
    bench.keys("jjkkGgg]c]eu n");
    bench.keys("x");
    assert_eq!(bench.model.selection, Selection::All);
}

#[test]
fn the_cursor_comes_back_with_its_row() {
    let mut bench = Bench::open(&healthy(2), 140, 45);
    // All, chat only, hidden only, all: each takes the row away or not.
    bench.keys("7Gv");
    assert_eq!(bench.seq(), Some(6));
    bench.keys("vv");
    assert_eq!(bench.seq(), Some(7));
    // In the picker nothing is shown for a while.
    bench.keys("tn");
    assert_eq!(bench.model.timeline.events().shown, 0);
    bench.keys("t<Enter>");
    assert_eq!(bench.seq(), Some(7));
    // Whoever moves in between is where he moved to.
    bench.keys("x7Gvgg");
    let moved = bench.seq();
    bench.keys("x");
    assert_eq!(bench.seq(), moved);
}

#[test]
fn search_walks_through_hits_and_round_the_end() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("gg/tool/call<Enter>");
    assert_eq!(bench.seq(), Some(7));
    bench.keys("n");
    assert_eq!(bench.seq(), Some(18));
    bench.keys("nn");
    assert_eq!((bench.seq(), bench.said()), (Some(7), "search goes on at the start: 1 of 3"));
    bench.keys("N");
    assert_eq!(bench.seq(), Some(29));
    assert_eq!(bench.keys("/nothing of that<Enter>").said(), "no match for nothing of that");
    assert!(bench.keys("//(/<Enter>").said().starts_with("not a pattern"));
    bench.keys("gg//CALL_[12]/<Enter>");
    assert_eq!(bench.model.search.as_ref().map(|search| search.hits.len()), Some(0), "upper case letters count");
    bench.keys("gg//call_[12]\"/<Enter>");
    assert_eq!(bench.seq(), Some(17));
    bench.keys("7G*");
    assert_eq!(bench.model.search.as_ref().map(|search| search.hits.len()), Some(3));
    let rows = bench.model.timeline_rows();
    let hits = rows.iter().filter(|row| matches!(&row.kind, RowKind::Event(event) if event.hit)).count();
    assert_eq!(hits, 3);
}

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
        rows.push(*row);
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

#[test]
fn breaks_are_stops_and_repeated_seqs_have_numbers() {
    let mut bench = Bench::open(&broken(), 140, 45);
    bench.keys("gg]b");
    assert!(matches!(bench.model.timeline.current(), Some(Item::Rule { line: 0, .. })));
    assert_eq!(bench.keys("]b").said(), "no further break or damage");
    bench.keys("j[b");
    assert!(matches!(bench.model.timeline.current(), Some(Item::Rule { line: 0, .. })));
    bench.keys(":4/2<Enter>");
    let row = bench.model.timeline_rows().into_iter().find(|row| row.cursor);
    let Some(RowKind::Event(event)) = row.map(|row| row.kind) else { panic!("an event has the cursor") };
    assert_eq!((event.occurrence, event.first_seq.map(|seq| seq.0)), (2, Some(4)));
    // An identity of the second one leads back to it.
    bench.keys("mxgg'x");
    assert_eq!(bench.model.current_event(), Some(event.event));
}

#[test]
fn ghosts_stand_below_the_end_and_are_no_events() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    bench.keys("G");
    assert!(matches!(bench.model.timeline.current(), Some(Item::Ghost(_))));
    assert_eq!(bench.model.current_event(), None);
    bench.keys("y<Esc>o]c[u:L3<Enter>");
    bench.keys("Gv");
    assert!(!bench.model.timeline.items.iter().any(|item| matches!(item, Item::Ghost(_))), "a filter leaves them out");
}

#[test]
fn the_copy_menu_offers_what_there_is() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    bench.keys("y");
    let Some(Overlay::Copy(menu)) = &bench.model.overlay else { panic!("the menu is open") };
    let letters: String = menu.lines.iter().map(|line| line.letter).collect();
    assert_eq!(letters, "vricpfse");
    bench.keys("i");
    assert_eq!(bench.left.pop(), Some(Effect::Copy { label: "callId".into(), bytes: b"call_b"[..].into() }));
    bench.keys("yp");
    let place = b"trajview 'logs/made up.jsonl:12'";
    assert_eq!(bench.left.pop(), Some(Effect::Copy { label: "place".into(), bytes: place[..].into() }));
    bench.keys("yv");
    let value = br#"{"command":"make b"}"#;
    assert_eq!(bench.left.pop(), Some(Effect::Copy { label: "value".into(), bytes: value[..].into() }));
    bench.keys("yj<Enter>");
    assert_eq!(bench.left.pop(), Some(Effect::CopyRecord { label: "record".into(), row: RowIx(11) }));
    bench.send(Message::Copied { label: "value".into(), bytes: 20, ways: String::new() });
    assert_eq!(bench.said(), "copied value, 20 bytes: OSC 52 sent (no terminal confirms it)");
}

#[test]
fn pages_open_at_the_news_and_lead_there() {
    let mut bench = Bench::open(&open_call(), 110, 30);
    bench.keys("ggT");
    let page = bench.model.page.as_ref().expect("a page is open");
    let text = page.doc.lines[page.cursor].text();
    assert!(text.contains("Last unanswered call") && text.contains("call_b"), "{text}");
    bench.keys("<Enter>");
    assert_eq!((bench.seq(), bench.model.page.is_none()), (Some(12), true));
    bench.keys("i");
    assert_eq!(bench.model.page.as_ref().map(|page| page.kind), Some(PageKind::State));
    bench.keys("<Tab>");
    assert_eq!(bench.seq(), Some(12), "lines of the page are gone through");
    assert_ne!(bench.model.page.as_ref().map(|page| page.cursor), Some(0));
    bench.keys("12Gkk");
    assert_eq!(bench.seq(), Some(10), "whatever moves the cursor moves the seq");
    let title = bench.model.page.as_ref().map(|page| page.title.clone()).unwrap_or_default();
    assert!(format!("{title:?}").contains("as of seq 10"), "{title:?}");
    bench.send(Message::Resized { columns: 40, rows: 12 });
    bench.keys("iT");
    assert!(bench.model.page.as_ref().is_some_and(|page| page.doc.lines.len() > 20));
}

#[test]
fn the_help_narrows_and_runs_a_key() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    bench.keys("gg?/last unp");
    let Some(Overlay::Help(help)) = &bench.model.overlay else { panic!("the help is open") };
    assert_eq!(help.lines.len(), 2);
    bench.keys("<Enter><Enter>");
    assert_eq!((bench.seq(), bench.model.overlay.is_none()), (Some(12), true));
}

#[test]
fn the_mouse_selects_scrolls_and_opens() {
    let mut bench = Bench::open(&healthy(30), 140, 45);
    bench.keys("gg");
    let body = bench.model.areas.timeline_body();
    let mouse = |bench: &mut Bench, kind, column, row| bench.send(Message::Moused(MouseEvent { kind, column, row }));
    mouse(&mut bench, MouseKind::Pressed, 5, body.y + 2);
    assert_eq!(bench.seq(), Some(2));
    mouse(&mut bench, MouseKind::WheelDown, 5, body.y);
    assert_eq!(bench.seq(), Some(7), "three rows on: the chunks are one");
    mouse(&mut bench, MouseKind::PressedTwice, 5, body.y + 2);
    assert_eq!(bench.model.focus, Pane::Detail);
    mouse(&mut bench, MouseKind::Pressed, body.width - 1, body.y + body.height - 1);
    assert!(bench.seq() > Some(300), "the map leads to the end");
    bench.keys("gg");
    let calls = bench.model.areas.calls_body();
    mouse(&mut bench, MouseKind::Pressed, calls.x + 3, calls.y + 1);
    assert_eq!(bench.model.focus, Pane::Calls);
}

fn odd() -> OddFile {
    OddFile { path: "notes".into(), bytes: Some(3), kind: OddKind::NotALog { first_line: None } }
}

fn any_key() -> impl Strategy<Value = Key> {
    let chars: Vec<char> = "0123456789jkhlJKGgz[]mTtuioyvxdwprcHL+_?/:;,%*nN<>'qM \u{0}$aebsfR中".chars().collect();
    let codes = vec![
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Tab,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::F(1),
    ];
    prop_oneof![
        6 => prop::sample::select(chars).prop_map(Key::char),
        3 => prop::sample::select(codes).prop_map(Key::plain),
        1 => prop::sample::select("rdubfolzw".chars().collect::<Vec<_>>()).prop_map(Key::ctrl),
        1 => Just(Key::shift(KeyCode::Tab)),
    ]
}

fn any_message() -> impl Strategy<Value = Message> {
    let texts = prop::sample::select(vec![
        healthy(1),
        healthy(12),
        open_call(),
        grown(),
        broken(),
        String::new(),
        "x\n{}\n".into(),
    ]);
    let mouse = prop::sample::select(vec![
        MouseKind::Pressed,
        MouseKind::PressedTwice,
        MouseKind::Dragged,
        MouseKind::Released,
        MouseKind::WheelUp,
        MouseKind::WheelDown,
    ]);
    let hits = prop::collection::vec((0u32..200, 0u32..3), 0..5);
    prop_oneof![
        20 => any_key().prop_map(Message::Pressed),
        1 => "\\PC{0,12}".prop_map(Message::Pasted),
        2 => (mouse, 0u16..200, 0u16..70).prop_map(|(kind, column, row)| Message::Moused(MouseEvent { kind, column, row })),
        2 => (0u16..180, 0u16..60).prop_map(|(columns, rows)| Message::Resized { columns, rows }),
        2 => (0u32..3, texts, any::<bool>()).prop_map(|(epoch, text, tail)| {
            let mut session = session(&text);
            session.extent = if tail { Extent::Tail } else { Extent::Whole };
            Message::Opened { epoch: Epoch(epoch), session: Arc::new(session) }
        }),
        1 => (0u32..3).prop_map(|epoch| Message::Refused { epoch: Epoch(epoch), odd: odd() }),
        1 => (0u32..3, 0u32..40, hits, any::<bool>()).prop_map(|(epoch, ticket, hits, done)| Message::Found {
            epoch: Epoch(epoch),
            ticket: Ticket(ticket),
            hits: hits.into_iter().map(|(row, member)| EventRef { row: RowIx(row), member }).collect(),
            looked_at: 1,
            done,
        }),
        1 => (0u32..3, 0u32..40, 0u32..200, any::<bool>()).prop_map(|(epoch, ticket, row, done)| Message::Sifted {
            epoch: Epoch(epoch), ticket: Ticket(ticket), rows: vec![RowIx(row)], looked_at: 1, done,
        }),
        1 => (0u32..3, 0u32..40, 0u32..200, 0u32..50).prop_map(|(epoch, ticket, row, count)| Message::StreamsCounted {
            epoch: Epoch(epoch),
            ticket: Ticket(ticket),
            streams: vec![(RowIx(row), count)],
        }),
        1 => (0u32..3, 0u32..40, 0u32..200).prop_map(|(epoch, ticket, row)| Message::Summarised {
            epoch: Epoch(epoch),
            ticket: Ticket(ticket),
            items: vec![(SummaryKey::Row(RowIx(row)), crate::triage::what::What::default())],
        }),
        1 => (0u32..3, 0u32..40).prop_map(|(epoch, ticket)| Message::FetchedLines {
            epoch: Epoch(epoch), ticket: Ticket(ticket), lines: Vec::new(),
        }),
        1 => (0u32..3, 0u64..5).prop_map(|(epoch, done)| Message::Progressed {
            epoch: Epoch(epoch), progress: Progress { done, total: 4, ..Progress::default() },
        }),
        1 => Just(Message::Failed { what: "no".into() }),
    ]
}

/// What holds after every message.
fn check(model: &Model) {
    let timeline = &model.timeline;
    assert!(timeline.is_empty() || timeline.cursor() < timeline.len());
    let height = usize::from(timeline.height.max(1));
    assert!(
        timeline.is_empty() || (timeline.top() <= timeline.cursor() && timeline.cursor() < timeline.top() + height)
    );
    assert!(model.timeline_rows().len() <= height);
    assert!(model.calls.is_empty() || model.calls.cursor() < model.calls.len());
    assert!(model.call_rows().len() <= usize::from(model.calls.height.max(1)));
    assert!(model.detail.rows.is_empty() || model.detail.cursor < model.detail.rows.len());
    assert!(model.detail.top <= model.detail.cursor);
    assert!(model.detail.tabs.is_empty() || model.detail.tab < model.detail.tabs.len());
    if let Some(page) = &model.page {
        assert!(page.doc.lines.is_empty() || page.cursor < page.doc.lines.len());
    }
    if let Some(input) = &model.input {
        assert_eq!(input.area.lines().len(), 1);
    }
    let mut items = timeline.items.iter();
    let open = model.open.as_ref();
    let row = |item: &Item| open.map(|open| crate::app::timeline::place::row_of(*item, &open.rules));
    let mut before = items.next().and_then(row);
    for item in items {
        let here = row(item);
        assert!(before <= here, "rows ascend");
        before = here;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_list_of_messages_panics_and_the_cursor_stays_inside(messages in prop::collection::vec(any_message(), 1..60)) {
        let mut model = Model::new(crate::app::model::Settings::default());
        let mut name = String::new();
        for message in messages {
            let _ = write!(name, "{message:.0?}");
            name.clear();
            update(&mut model, message);
            check(&model);
        }
    }

    #[test]
    fn answered_keys_never_leave_the_cursor_outside(keys in prop::collection::vec(any_key(), 1..80), big: bool) {
        let text = if big { healthy(12) } else { open_call() };
        let mut bench = Bench::open(&text, 100, 30);
        for key in keys {
            bench.send(Message::Pressed(key));
            check(&bench.model);
        }
    }
}

#[test]
fn escape_goes_back_and_never_leaves() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    bench.keys("v/call<Enter><Esc>");
    assert_eq!((bench.model.search.is_none(), bench.model.selection == Selection::All), (true, false));
    bench.keys("<Esc>");
    assert_eq!(bench.model.selection, Selection::All);
    assert_eq!(bench.keys("<Esc>").said(), "q quits");
    assert!(!bench.model.leaving);
    bench.keys("q");
    assert!(bench.model.leaving);
}

#[test]
fn hints_are_those_that_help_here() {
    use crate::app::hints::hints;
    use crate::app::keymap::Context;
    let mut bench = Bench::open(&open_call(), 140, 45);
    let has = |bench: &Bench, text: &str| hints(Context::Timeline, &bench.model).iter().any(|hint| hint == text);
    bench.keys("gg");
    assert!(has(&bench, "]u next unpaired") && has(&bench, "y copy") && !has(&bench, "]b next break"));
    bench.keys("G");
    assert!(!has(&bench, "]u next unpaired") && has(&bench, "[u unpaired"));
    assert!(Bench::open(&healthy(2), 140, 45).keys("gg").said().is_empty());
}
