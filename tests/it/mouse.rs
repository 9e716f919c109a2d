//! The mouse on the screen as it is drawn: words, tabs, borders, the map.

use trajview::app::input::Asked;
use trajview::app::key::{MouseEvent, MouseKind};
use trajview::app::message::Message;
use trajview::app::model::Pane;
use trajview::ui::hit::clicked;

use super::list::{NOW, families};
use crate::support::stage::{Stage, rows_of};
use crate::support::{OPEN_CALL, SmallLog};

fn stage(columns: u16, rows: u16) -> Stage {
    Stage::open(std::fs::read(SmallLog::write().path()).expect("it was written"), "small.jsonl", columns, rows)
}

fn mouse(stage: &mut Stage, kind: MouseKind, (column, row): (u16, u16)) {
    let message = clicked(&stage.model, &stage.look, MouseEvent { kind, column, row });
    stage.play(message);
}

fn click(stage: &mut Stage, place: (u16, u16)) {
    mouse(stage, MouseKind::Pressed, place);
    mouse(stage, MouseKind::Released, place);
}

/// Where a text stands, the last of several: its second cell.
fn place_of(stage: &Stage, text: &str) -> (u16, u16) {
    let rows = rows_of(&stage.draw().0);
    let found = rows.iter().enumerate().rev().find_map(|(y, row)| Some((row.rfind(text)?, y)));
    let (at, y) = found.unwrap_or_else(|| panic!("{text:?} is not on the screen:\n{}", stage.text()));
    let column = rows[y][..at].chars().count() as u16;
    (column + 1, y as u16)
}

#[test]
fn a_click_on_a_tab_chooses_it() {
    let mut stage = stage(100, 30);
    for (tab, shown) in [("Record", "<Record>"), ("Approvals", "<Approvals>"), ("Arguments", "<Arguments>")] {
        let place = place_of(&stage, tab);
        click(&mut stage, place);
        assert!(stage.text().contains(shown), "{}", stage.text());
        assert_eq!(stage.model.focus, Pane::Detail);
    }
}

#[test]
fn a_click_on_a_hint_does_what_its_key_does() {
    let mut stage = stage(140, 45);
    let place = place_of(&stage, "y copy");
    click(&mut stage, place);
    assert!(stage.text().contains(" COPY "), "{}", stage.text());
    stage.press("q");
    let place = place_of(&stage, "? help");
    click(&mut stage, place);
    assert!(stage.text().contains(" HELP "), "{}", stage.text());
    stage.press("q");
    stage.press("]");
    let place = place_of(&stage, "u next unpaired");
    click(&mut stage, place);
    assert!(stage.model.notice.is_some() || stage.text().contains(OPEN_CALL));
}

#[test]
fn a_click_on_a_hint_of_an_overlay_presses_its_key() {
    let mut stage = stage(140, 45);
    let at = |stage: &mut Stage, words: &str| {
        let place = place_of(stage, words);
        click(stage, place);
        stage.text()
    };
    stage.press("t");
    assert!(at(&mut stage, "n none").contains("0 of 245 events"), "{}", stage.text());
    assert!(at(&mut stage, "a all").contains("245 of 245 events"), "{}", stage.text());
    assert!(at(&mut stage, "c chat only").contains("  [ ] turn/start"), "{}", stage.text());
    assert!(at(&mut stage, "? help").contains(" HELP "), "{}", stage.text());
    at(&mut stage, "/ narrow the list");
    assert!(stage.model.input.is_some(), "{}", stage.text());
    at(&mut stage, "Esc undo");
    at(&mut stage, "k scroll");
    at(&mut stage, "q closes");
    assert!(!stage.text().contains(" HELP "), "{}", stage.text());
    stage.press("y");
    // What would be copied may read like a hint.
    at(&mut stage, "COPY");
    assert!(stage.text().contains(" COPY "), "{}", stage.text());
    at(&mut stage, "Esc closes");
    assert!(!stage.text().contains(" COPY "), "{}", stage.text());
}

#[test]
fn a_click_on_a_hint_of_an_input_line_presses_its_key_and_what_was_typed_does_not() {
    let mut stage = stage(140, 45);
    stage.press("fEnter  Esc x");
    let place = place_of(&stage, "Enter  Esc x");
    click(&mut stage, place);
    let place = place_of(&stage, "Esc x");
    click(&mut stage, place);
    assert!(stage.model.input.is_some(), "{}", stage.text());
    let place = place_of(&stage, "Esc undo");
    click(&mut stage, place);
    assert!(stage.model.input.is_none(), "{}", stage.text());
    stage.press("ft");
    let place = place_of(&stage, "Down choose");
    click(&mut stage, place);
    let place = place_of(&stage, "Tab takes it");
    click(&mut stage, place);
    assert_eq!(stage.model.input.as_ref().map(|input| input.text().to_owned()).as_deref(), Some("tool:"));
}

#[test]
fn every_hint_of_the_last_row_and_of_the_verdict_can_be_clicked() {
    let mut stage = stage(200, 50);
    for keys in ["", "2<Tab>", "3<Tab>", "4<Tab>", "T", "qU", "qA", "qC", "qR", "qW", "qD", "qO", "qP", "qi", "qb"] {
        stage.press(keys);
        let row = rows_of(&stage.draw().0).pop().expect("a last row");
        let hints: Vec<&str> = row.trim().split("  ").map(str::trim).filter(|hint| !hint.is_empty()).collect();
        let is_hint = |hint: &&&str| {
            stage
                .model
                .settings
                .words
                .keys()
                .any(|key| key.starts_with("hint.") && stage.model.settings.words.get(key) == **hint)
        };
        let hints: Vec<&str> = hints.iter().filter(is_hint).copied().collect();
        assert!(hints.contains(&"? help"), "{keys}: {row}");
        for hint in hints {
            let (column, y) = place_of(&stage, hint);
            let event = MouseEvent { kind: MouseKind::Pressed, column, row: y };
            let message = clicked(&stage.model, &stage.look, event);
            assert!(matches!(message, Message::Chosen { .. }), "{keys}: {hint}: {message:?}");
        }
    }
    stage.press("qgg");
    let place = place_of(&stage, "u go");
    click(&mut stage, place);
    assert!(stage.text().contains(OPEN_CALL), "{}", stage.text());
    let place = place_of(&stage, "T six steps");
    click(&mut stage, place);
    assert!(stage.model.page.is_some(), "{}", stage.text());
    // The class of a call is no question for help.
    stage.press("q");
    let place = place_of(&stage, "? OUTCOME UNKNOWN");
    click(&mut stage, (place.0 - 1, place.1));
    assert!(stage.model.overlay.is_none(), "{}", stage.text());
}

#[test]
fn a_click_on_the_way_back_in_the_title_of_a_page_leaves_it() {
    let mut stage = stage(80, 24);
    for keys in ["T", "U", "A", "C", "R", "W", "D", "O", "P", "i"] {
        stage.press(keys);
        let title = stage.model.areas.page.y;
        let row = rows_of(&stage.draw().0).swap_remove(usize::from(title));
        let at = row.find("q back").unwrap_or_else(|| panic!("{keys}: no way back in {row:?}"));
        // The title itself says nothing.
        click(&mut stage, (2, title));
        assert!(stage.model.page.is_some(), "{keys}: {}", stage.text());
        click(&mut stage, (row[..at].chars().count() as u16, title));
        assert!(stage.model.page.is_none(), "{keys}: {}", stage.text());
    }
}

#[test]
fn the_marks_that_are_set_are_listed_and_can_be_clicked() {
    let mut stage = stage(100, 30);
    stage.press("88Gma:12<Enter>mb12Gmcgg'");
    let text = stage.text();
    let row = text.lines().last().expect("a last row");
    for expected in ["a letter go to a mark", "a seq 88", "b seq 12", "' seq 12, before the jump"] {
        assert!(row.contains(expected), "{expected}: {row}");
    }
    let place = place_of(&stage, "a seq 88");
    click(&mut stage, (place.0 - 1, place.1));
    let seq = |stage: &Stage| stage.model.current_event().map(|event| event.row.0);
    assert_eq!((seq(&stage), stage.model.pending.prefix), (Some(88), None), "{}", stage.text());
    stage.press("''");
    assert_eq!(seq(&stage), Some(0), "back to where the click came from: {}", stage.text());
}

#[test]
fn keys_without_words_on_a_small_screen_can_be_clicked() {
    let mut stage = stage(40, 12);
    let (column, row) = place_of(&stage, "Tab t");
    click(&mut stage, (column, row));
    assert_eq!(stage.model.focus, Pane::Calls, "{}", stage.text());
    let (column, row) = place_of(&stage, " ?");
    click(&mut stage, (column, row));
    assert!(stage.model.overlay.is_some(), "{}", stage.text());
}

#[test]
fn a_click_on_a_line_of_the_help_does_it() {
    let mut stage = stage(140, 45);
    stage.press("?");
    let place = place_of(&stage, "filter line");
    click(&mut stage, place);
    let asked = stage.model.input.as_ref().map(|input| input.asked);
    assert_eq!(asked, Some(Asked::Filter), "{}", stage.text());
}

#[test]
fn a_border_follows_the_mouse_and_panes_keep_room() {
    let mut stage = stage(100, 30);
    let divider = stage.model.areas.divider;
    let at = (divider.x, divider.y + 2);
    mouse(&mut stage, MouseKind::Pressed, at);
    for column in [50, 40, 30] {
        mouse(&mut stage, MouseKind::Dragged, (column, 20));
        assert_eq!(stage.model.areas.divider.x, column);
    }
    mouse(&mut stage, MouseKind::Dragged, (0, 20));
    assert_eq!(stage.model.areas.timeline.width, 20);
    mouse(&mut stage, MouseKind::Dragged, (99, 20));
    assert_eq!(stage.model.areas.calls.width, 19);
    mouse(&mut stage, MouseKind::Released, (99, 20));
    mouse(&mut stage, MouseKind::Dragged, (50, 20));
    assert_eq!(stage.model.areas.calls.width, 19, "nothing is held");
    let title = stage.model.areas.detail.y;
    mouse(&mut stage, MouseKind::Pressed, (90, title));
    mouse(&mut stage, MouseKind::Dragged, (90, 10));
    assert_eq!(stage.model.areas.detail.y, 10);
    // It stays so in a terminal of another size.
    stage.play(Message::Resized { columns: 120, rows: 60 });
    let areas = stage.model.areas;
    assert!(areas.detail.height > areas.timeline.height, "{areas:?}");
}

#[test]
fn the_map_is_dragged_like_a_scrollbar() {
    let mut stage = stage(100, 30);
    stage.press("zR");
    let body = stage.model.areas.timeline_body();
    let column = body.x + body.width - 1;
    mouse(&mut stage, MouseKind::Pressed, (column, body.y));
    assert!(stage.text().contains("Do part 1."), "{}", stage.text());
    mouse(&mut stage, MouseKind::Dragged, (column, body.y + body.height + 5));
    assert!(!stage.text().contains("Do part 1."), "{}", stage.text());
}

#[test]
fn hints_of_the_list_and_of_a_search_of_all_sessions_can_be_clicked() {
    let folder = families();
    let mut stage = Stage::of_store(folder.discover(), "/srv/sessions", NOW, 100, 30);
    let place = place_of(&stage, "/ search all");
    click(&mut stage, place);
    stage.press("call_");
    let place = place_of(&stage, "Enter search");
    click(&mut stage, place);
    let before = stage.text();
    let place = place_of(&stage, "J next session");
    click(&mut stage, place);
    assert_ne!(stage.text(), before);
    let place = place_of(&stage, "q back");
    click(&mut stage, place);
    assert!(stage.text().contains(" SESSIONS "), "{}", stage.text());
}
