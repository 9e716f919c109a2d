//! The page of the state follows the cursor, whatever moves it.

use super::Bench;
use super::log::open_call;
use crate::app::page::PageKind;

/// Kind of the page that is shown, and its title.
fn shown(bench: &Bench) -> (Option<PageKind>, String) {
    let page = bench.model.page.as_ref();
    (page.map(|page| page.kind), page.map(|page| format!("{:?}", page.title)).unwrap_or_default())
}

#[test]
fn every_motion_of_the_cursor_moves_the_state() {
    let mut bench = Bench::open(&open_call(), 140, 30);
    bench.keys("ggi");
    for (keys, seq) in [
        ("j", 1),
        ("3j", 6),
        ("k", 3),
        ("7G", 7),
        ("12G", 12),
        ("<C-o>", 7),
        ("gg", 0),
        ("]a", 8),
        ("K", 7),
        ("J", 8),
        (":6<Enter>", 6),
    ] {
        bench.keys(keys);
        let (kind, title) = shown(&bench);
        assert_eq!((bench.seq(), kind), (Some(seq), Some(PageKind::State)), "{keys}");
        assert!(title.contains(&format!("as of seq {seq}")), "{keys}: {title}");
    }
}

#[test]
fn enter_on_a_state_goes_to_what_set_it() {
    let mut bench = Bench::open(&open_call(), 140, 30);
    bench.keys("12Gi<Tab>");
    let page = bench.model.page.as_ref().expect("a page is open");
    let target = page.doc.lines[page.cursor].target.expect("Tab stops at lines that lead somewhere");
    bench.keys("<Enter>");
    assert!(bench.model.page.is_none());
    assert_eq!(bench.model.current_event().map(|event| event.row), Some(target.row));
}

#[test]
fn the_state_stands_beside_the_header_where_there_is_room() {
    for (columns, beside) in [(140, true), (110, true), (80, false), (40, false)] {
        let mut bench = Bench::open(&open_call(), columns, 30);
        bench.keys("12Gi");
        let page = bench.model.page.as_ref().expect("a page is open");
        let lines: Vec<String> = page.doc.lines.iter().map(crate::triage::doc::DocLine::text).collect();
        let both = lines.iter().any(|line| line.contains("header, line 1") && line.contains("state here"));
        assert_eq!(both, beside, "{columns} columns: {lines:#?}");
        assert!(lines.iter().any(|line| line.contains("sandbox")), "{columns} columns");
        // Tab goes through all of it, to the last line and back to the first.
        bench.keys(&"<Tab>".repeat(40));
        let page = bench.model.page.as_ref().expect("a page is open");
        assert_eq!(page.cursor, page.doc.lines.len() - 1);
        bench.keys(&"<S-Tab>".repeat(40));
        assert_eq!(bench.model.page.as_ref().map(|page| page.cursor), Some(0));
    }
}
