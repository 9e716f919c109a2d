//! Filters and the search: what is shown, where the cursor stays.

use super::*;

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
