//! Moving: lines, folds, panes, stops, the mouse.

use super::*;
use crate::app::keymap::BINDINGS;
use crate::triage::bench::Written;

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
        // The page of the state follows, as it does with every jump.
        let page = bench.model.page.as_ref().map(|page| page.kind);
        assert_eq!(page, keys.contains('i').then_some(PageKind::State), "{keys}");
    }
    // Where there is nothing to go to, no page is left.
    for (keys, page) in [("ggu", None), ("ggiu", Some(PageKind::State)), ("ggTu", Some(PageKind::SixSteps))] {
        let mut bench = Bench::open(&healthy(1), 140, 45);
        assert_eq!(bench.keys(keys).said(), "nothing unpaired", "{keys}");
        assert_eq!((bench.seq(), bench.model.page.as_ref().map(|page| page.kind)), (Some(0), page), "{keys}");
    }
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

#[test]
fn every_key_of_the_table_means_something_wherever_it_is_pressed() {
    let family = || super::family_filter::generations();
    for binding in BINDINGS {
        for shown in ["", "S", "S?", "T", "?", "t", "y"] {
            let mut bench = family();
            bench.keys(shown);
            // An action that nobody knows is an assertion in the dispatch.
            act::act(&mut bench.model, binding.action, Some(2), &mut Vec::new());
        }
    }
}

#[test]
fn unpaired_things_of_every_kind_are_stopped_at() {
    let data = [
        ("agent/inbox/spliced", r#""target":"next-turn","start":0,"inserted":[{"role":"user","content":"one"}]"#),
        ("hook/invoked", r#""turn":1,"point":"PreToolUse","handlerId":"h""#),
        ("compaction/start", r#""compactionId":"c""#),
        ("llm/retry", r#""retryId":"r","retry":1,"turn":1,"step":1,"failure":{"code":"TRANSPORT"}"#),
        ("approval/asked", r#""id":"q""#),
        ("command/run", r#""commandId":"k""#),
        ("tool-workflow/run-start", r#""runId":"w""#),
    ];
    // Turn 0, step 1, then one open thing after another, with a row between them that is none.
    let open = data
        .iter()
        .fold(Written::new().turn(1).step(1, 1), |log, (kind, data)| log.event(kind, data).event("todo/write", ""));
    let stops = |log: &str, key: &str| {
        let mut bench = Bench::open(log, 140, 45);
        bench.keys(if key == "]u" { "gg" } else { "G" });
        let mut seqs = Vec::new();
        loop {
            bench.keys(key);
            if bench.said().starts_with("no ") {
                return seqs;
            }
            seqs.push(bench.seq().unwrap_or(-1));
        }
    };
    assert_eq!(stops(open.text(), "]u"), [1, 2, 4, 6, 8, 10, 12, 14], "the step, then each of them");
    assert_eq!(stops(open.text(), "[u"), [14, 12, 10, 8, 6, 4, 2, 1, 0], "and back to the turn");
    assert!(stops(&healthy(3), "]u").is_empty(), "nothing is open");
}

#[test]
fn a_record_that_a_resume_would_add_leads_to_the_one_it_would_close() {
    // Turn 0, step 1, message 2, call 3; a resume would add a result, the ends of step and turn.
    let log = Written::new().turn(1).step(1, 1).asks_whole(1, 1, &["a"]).call(1, 1, "a");
    for (row, seq) in [(2, 3), (1, 1), (0, 0)] {
        let mut bench = Bench::open(log.text(), 140, 45);
        bench.keys("G");
        bench.keys(&"k".repeat(row));
        assert!(matches!(bench.model.timeline.current(), Some(Item::Ghost(_))), "{:?}", bench.model.timeline.current());
        bench.keys("o");
        assert_eq!(bench.seq(), Some(seq), "the other half of ghost {row} from the end");
        // From the page of the container, and from the fields of the ghost, Enter does the same.
        bench.keys("C");
        bench.keys(&"j".repeat(2 - row));
        bench.keys("<Enter>");
        assert_eq!((bench.seq(), bench.model.page.is_some()), (Some(seq), false));
        bench.keys("G");
        bench.keys(&"k".repeat(row));
        bench.keys("<Enter>G<Enter>");
        assert_eq!(bench.seq(), Some(seq), "from its fields");
    }
}
