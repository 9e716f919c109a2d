//! The search line: counting while it is typed, leaving it, searching in the detail.

use super::log::{healthy, open_call};
use super::*;

/// What is searched, and how many matches there are.
fn searched(bench: &Bench) -> Option<(&str, usize)> {
    bench.model.search.as_ref().map(|search| (search.needle.text(), search.hits.len()))
}

#[test]
fn matches_are_counted_while_it_is_typed_and_the_cursor_waits_for_enter() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("gg/");
    for (typed, found) in [("tool/", 6), ("call", 3), ("x", 0)] {
        bench.keys(typed);
        assert_eq!((searched(&bench).map(|(_, hits)| hits), bench.seq()), (Some(found), Some(0)), "{typed}");
    }
    bench.keys("<C-u>");
    assert_eq!(searched(&bench), None);
    bench.keys("tool/call<Enter>");
    assert_eq!((searched(&bench), bench.seq()), (Some(("tool/call", 3)), Some(7)));
    // Left, the search from before comes back; an empty line goes on with it.
    bench.keys("/turn<Esc>");
    assert_eq!((searched(&bench), bench.seq()), (Some(("tool/call", 3)), Some(7)));
    bench.keys("/<Enter>");
    assert_eq!(bench.seq(), Some(18));
    bench.keys("//(/");
    let problem = bench.model.input.as_ref().and_then(|input| input.problem.clone());
    assert!(problem.is_some_and(|problem| problem.starts_with("not a pattern")));
}

#[test]
fn a_search_left_without_one_before_leaves_nothing() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    bench.keys("/tool<Esc>");
    assert_eq!((searched(&bench), bench.seq()), (None, Some(32)));
}

#[test]
fn what_streamed_in_pieces_is_found_where_it_begins() {
    let mut bench = Bench::open(&healthy(3), 140, 45);
    // "He" and "llo" are members of one packed row.
    bench.keys("gg/hello<Enter>");
    assert_eq!((searched(&bench), bench.seq()), (Some(("hello", 3)), Some(3)));
}

#[test]
fn in_the_detail_matches_of_its_text_are_walked_through() {
    let mut bench = Bench::open(&open_call(), 140, 45);
    bench.keys("r4<Tab>");
    let seq = bench.seq();
    bench.keys("/\"t<Enter>");
    let cursor = bench.model.detail.cursor;
    assert!(bench.said().starts_with("match 1 of "), "{}", bench.said());
    bench.keys("n");
    assert!(bench.said().starts_with("match 2 of "), "{}", bench.said());
    bench.keys("N");
    assert_eq!((bench.model.detail.cursor, bench.seq()), (cursor, seq), "the event stays");
    bench.keys("/nothing of that<Enter>");
    assert_eq!(bench.said(), "no match in this tab; n in the timeline goes through the events");
}
