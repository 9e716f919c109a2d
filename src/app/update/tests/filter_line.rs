//! The filter line: what it shows while it is typed, what it keeps, what it gives back.

use super::log::{healthy, open_call};
use super::*;
use crate::app::filtering::InForce;
use crate::app::input::Asked;
use crate::app::model::Settings;

/// Events shown, and how much of the line is in force.
fn shown(bench: &Bench) -> (u64, Option<InForce>) {
    (bench.model.timeline.events().shown, bench.model.filtering.as_ref().map(|filtering| filtering.in_force))
}

/// What is wrong with the line.
fn problem(bench: &Bench) -> &str {
    bench.model.input.as_ref().and_then(|input| input.problem.as_deref()).unwrap_or_default()
}

#[test]
fn rows_narrow_while_it_is_typed_and_unfinished_words_do_not_count() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    let all = bench.model.timeline.events().all;
    // Three turns of eleven events.
    for (typed, expected) in [
        ("f", (all, InForce::Whole)),
        ("ty", (all, InForce::Part)),
        ("pe:tool/", (all, InForce::Part)),
        ("call", (3, InForce::Whole)),
        (" tu", (3, InForce::Part)),
        ("rn:2", (1, InForce::Whole)),
        ("x", (1, InForce::Before(20))),
    ] {
        bench.keys(typed);
        assert_eq!(shown(&bench), (expected.0, Some(expected.1)), "{typed}");
    }
    assert_eq!(problem(&bench), "column 21: a number is expected: 3 1..2 100.. >0");
    bench.keys("<Enter>");
    assert!(bench.model.input.is_some(), "a line that is wrong stays open");
    bench.keys("<C-w>3<Enter>");
    assert_eq!((shown(&bench), bench.model.input.is_none()), ((1, None), true));
    assert_eq!(bench.seq(), Some(29), "the call of turn 3");
    bench.keys("x");
    assert_eq!(bench.model.timeline.events().shown, all);
}

#[test]
fn undo_brings_back_what_was_in_force() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("ftype:tool/*<Enter>");
    assert_eq!(shown(&bench), (6, None));
    bench.keys("f turn:1");
    assert_eq!(shown(&bench).0, 2);
    bench.keys("<Esc>");
    assert_eq!(shown(&bench), (6, None));
    let query = bench.model.selection.query().map(|query| query.text().to_owned());
    assert_eq!(query.as_deref(), Some("type:tool/*"));
    // Emptied and kept: everything.
    bench.keys("f<C-u><Enter>");
    assert_eq!(bench.model.selection, Selection::All);
}

#[test]
fn texts_decide_where_rows_do_not() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("fGo<Enter>");
    assert_eq!(shown(&bench).0, 3, "the three prompts");
    assert!(bench.model.sieve.as_ref().is_some_and(|sieve| sieve.done));
    // Streamed as "He" and "llo".
    bench.keys("f<C-u>Hello turn:2<Enter>");
    assert_eq!((shown(&bench).0, bench.seq()), (2, Some(14)));
    bench.keys("f<C-u>\"nothing says this\"<Enter>");
    assert_eq!((shown(&bench).0, bench.said()), (0, "the filter hides every row: x clears it"));
}

#[test]
fn it_joins_types_and_visibility() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("fturn:1<Enter>");
    let turn = shown(&bench).0;
    bench.keys("v");
    let chat = shown(&bench).0;
    assert!(0 < chat && chat < turn, "{chat} of {turn}");
    bench.keys("tn<Esc>");
    assert_eq!(shown(&bench).0, chat);
    bench.keys("qqq");
    assert_eq!((&bench.model.selection, bench.model.leaving), (&Selection::All, true));
}

#[test]
fn tab_completes_and_the_list_is_chosen_from() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    let text = |bench: &Bench| bench.model.input.as_ref().map(|input| input.text().to_owned()).unwrap_or_default();
    bench.keys("fto<Tab>");
    assert_eq!(text(&bench), "tool:");
    bench.keys("<Tab>");
    assert_eq!(text(&bench), "tool:bash ");
    bench.keys("st<Down><Tab>");
    assert_eq!(text(&bench), "tool:bash step:", "keys in the order of the table");
    bench.keys("<C-w><C-w>");
    bench.keys("<C-u>state:<Down><Down><Down><Down><Down><Tab>");
    assert_eq!(text(&bench), "state:outcome_unknown ");
    assert_eq!(shown(&bench).1, Some(InForce::Whole));
    // What was typed before is recalled in an empty line.
    bench.keys("<Enter>f<C-u><Up>");
    assert_eq!(text(&bench), "state:outcome_unknown ");
    bench.keys("<Down>");
    assert_eq!(text(&bench), "");
}

#[test]
fn the_cursor_stays_on_its_event_or_the_nearest_before_it() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("18Gftype:tool/call");
    assert_eq!(bench.seq(), Some(18));
    bench.keys("<C-u>type:turn/start");
    assert_eq!(bench.seq(), Some(11));
    bench.keys("<Esc>");
    assert_eq!(bench.seq(), Some(18));
}

#[test]
fn a_filter_of_the_command_line_is_in_force_from_the_start() {
    let settings = Settings { filter: Some("type:tool/call".to_owned()), ..Settings::default() };
    let mut bench = Bench::with(settings, 140, 45);
    bench.read(&healthy(3));
    assert_eq!((shown(&bench).0, bench.seq()), (3, Some(29)));
    bench.keys("f");
    assert_eq!(
        bench.model.input.as_ref().map(|input| (input.asked, input.text())),
        Some((Asked::Filter, "type:tool/call"))
    );
}

#[test]
fn another_reading_is_filtered_anew() {
    let mut bench = Bench::open(&healthy(2), 140, 45);
    bench.keys("fGo or type:tool/call<Enter>");
    assert_eq!(shown(&bench).0, 4);
    bench.read(&healthy(3));
    assert_eq!(shown(&bench).0, 6);
}

#[test]
fn ctrl_c_stops_looking_at_texts() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    // The key that needs the text is the last one: nobody answers it.
    bench.keys("fG");
    let mut effects = update(&mut bench.model, Message::Pressed(Key::char('o')));
    assert!(matches!(effects.as_slice(), [.., Effect::Sift { .. }]), "{effects:?}");
    effects = update(&mut bench.model, Message::Pressed(Key::plain(KeyCode::Enter)));
    effects.extend(update(&mut bench.model, Message::Pressed(Key::ctrl('c'))));
    assert!(effects.contains(&Effect::StopSift) && !bench.model.leaving, "{effects:?}");
}
