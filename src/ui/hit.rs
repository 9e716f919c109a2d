//! What a click on words means: keys that are named in the last row, tabs, lines of the help.
//!
//! Only the screen knows which words stand where, so this reads what is drawn; the core is told what was meant.

use super::{Look, detail, help, status};
use crate::app::key::{MouseEvent, MouseKind};
use crate::app::message::{Choice, Message};
use crate::app::model::Model;
use crate::app::overlay::Overlay;

/// The message of a mouse event: a press on words that stand for something becomes that, everything else stays.
#[must_use]
pub fn clicked(model: &Model, look: &Look, event: MouseEvent) -> Message {
    let twice = match event.kind {
        MouseKind::Pressed => false,
        MouseKind::PressedTwice => true,
        MouseKind::Dragged
        | MouseKind::Released
        | MouseKind::WheelUp
        | MouseKind::WheelDown
        | MouseKind::WheelLeft
        | MouseKind::WheelRight => return Message::Moused(event),
    };
    match choice(model, look, event.column, event.row) {
        Some(choice) => Message::Chosen { choice, twice },
        None => Message::Moused(event),
    }
}

fn choice(model: &Model, look: &Look, column: u16, row: u16) -> Option<Choice> {
    let areas = &model.areas;
    if model.input.is_some() {
        return None;
    }
    if areas.status.holds(column, row) {
        return status::action_at(model, look, column).map(Choice::Action);
    }
    match &model.overlay {
        Some(Overlay::Help(open)) => help::line_at(areas.page, open, column, row).map(Choice::HelpLine),
        None if model.page.is_none() && areas.detail.top(areas.title_rows).holds(column, row) => {
            detail::tab_at(model, look, column).map(Choice::Tab)
        }
        Some(Overlay::Types(_) | Overlay::Copy(_) | Overlay::Places(_)) | None => None,
    }
}
