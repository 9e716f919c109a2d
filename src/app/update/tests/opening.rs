//! Pages, menus and the help: opening them, leaving them, what they offer.

use super::*;

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
    bench.send(Message::Copied { label: "value".into(), bytes: 20, ways: "OSC 52 sent; xclip worked".into() });
    assert_eq!(bench.said(), "copied value, 20 bytes: OSC 52 sent; xclip worked");
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
