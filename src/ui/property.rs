//! Any state of the model, drawn at any size, stays inside its rectangle and never panics.

use proptest::prelude::*;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use super::glyphs::{Frame, Glyphs};
use super::stage::Stage;
use super::theme::{BuiltIn, Palette, Theme};
use super::{Look, draw};
use crate::app::key::{Key, KeyCode, MouseEvent, MouseKind};
use crate::app::message::{Message, OddFile, OddKind, Progress};

/// Keys that lead somewhere, and some that do not.
const KEYS: &str = "jkhlJKgGzZtuoiyTnNfvdxwprcHL?/:;,]eub[ a+_08%*qm'<>\u{e9}";

fn keys() -> impl Strategy<Value = Message> {
    let known = prop::sample::select(KEYS.chars().collect::<Vec<char>>()).prop_map(Key::char);
    let control = prop::sample::select(vec!['d', 'u', 'f', 'b', 'o', 'l', 'r', 'w']).prop_map(Key::ctrl);
    let named = prop::sample::select(vec![KeyCode::Enter, KeyCode::Tab, KeyCode::Esc, KeyCode::Down, KeyCode::End])
        .prop_map(Key::plain);
    prop_oneof![6 => known, 1 => control, 2 => named].prop_map(Message::Pressed)
}

fn messages() -> impl Strategy<Value = Message> {
    let size = (1_u16..=200, 1_u16..=60).prop_map(|(columns, rows)| Message::Resized { columns, rows });
    let kinds = vec![MouseKind::Pressed, MouseKind::PressedTwice, MouseKind::Dragged, MouseKind::WheelDown];
    let mouse = (prop::sample::select(kinds), 0_u16..200, 0_u16..60)
        .prop_map(|(kind, column, row)| Message::Moused(MouseEvent { kind, column, row }));
    let text = "\\PC{0,20}".prop_map(Message::Pasted);
    prop_oneof![20 => keys(), 2 => size, 2 => mouse, 1 => text]
}

/// Draws into the middle of a larger buffer and looks at the cells around.
fn drawn_inside(stage: &Stage, look: &Look, width: u16, height: u16) {
    let screen = Rect::new(2, 1, width, height);
    let whole = Rect::new(0, 0, width + 5, height + 3);
    let outside = Cell::new("#");
    let mut buffer = Buffer::filled(whole, outside.clone());
    let cursor = draw(&stage.model, look, screen, &mut buffer);
    for y in whole.top()..whole.bottom() {
        for x in whole.left()..whole.right() {
            if !screen.contains((x, y).into()) {
                assert_eq!(buffer[(x, y)], outside, "({x}, {y}) at {width}x{height}");
            }
        }
    }
    assert!(cursor.is_none_or(|place| screen.contains(place.into())), "{cursor:?} at {width}x{height}");
}

fn looks() -> [Look; 2] {
    let plain =
        Look { theme: Theme::built_in(BuiltIn::Light, Palette::None), glyphs: Glyphs::ascii(), ..Look::default() };
    let solid = Look {
        theme: Theme::built_in(BuiltIn::Ansi16, Palette::Sixteen),
        glyphs: Glyphs::unicode().framed(Frame::Solid),
        ..Look::default()
    };
    [plain, solid]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_state_at_any_size_stays_inside(
        messages in prop::collection::vec(messages(), 0..40),
        columns in 1_u16..=200,
        rows in 1_u16..=60,
    ) {
        let mut stage = Stage::new(columns, rows);
        let looks = looks();
        for message in messages {
            stage.play(message);
            let (columns, rows) = stage.model.screen;
            drawn_inside(&stage, &stage.look, columns, rows);
        }
        for look in &looks {
            let (columns, rows) = stage.model.screen;
            drawn_inside(&stage, look, columns, rows);
        }
        // The terminal may have changed its size before the core hears of it.
        drawn_inside(&stage, &stage.look, columns, rows);
    }
}

#[test]
fn every_size_of_the_main_screen_stays_inside() {
    let mut stage = Stage::new(80, 24);
    for columns in (1..=200).step_by(7) {
        for rows in (1..=60).step_by(3) {
            stage.play(Message::Resized { columns, rows });
            drawn_inside(&stage, &stage.look, columns, rows);
        }
    }
}

#[test]
fn odd_files_and_the_wait_for_the_first_rows_stay_inside() {
    for kind in [OddKind::Empty, OddKind::NotALog { first_line: Some("# 试\u{301}".repeat(90)) }, OddKind::Folder] {
        let mut stage = Stage::new(80, 24);
        stage.model.open = None;
        stage.model.progress = Some(Progress { done: 3, total: 2, ..Progress::default() });
        for (columns, rows) in [(80, 24), (40, 12), (20, 5), (1, 1), (200, 60)] {
            stage.play(Message::Resized { columns, rows });
            drawn_inside(&stage, &stage.look, columns, rows);
        }
        stage.model.odd = Some(OddFile { path: "/购/物".repeat(60), bytes: Some(u64::MAX), kind });
        for (columns, rows) in [(80, 24), (40, 12), (20, 5), (1, 1), (200, 60)] {
            stage.play(Message::Resized { columns, rows });
            drawn_inside(&stage, &stage.look, columns, rows);
        }
    }
}
