//! What covers the panes: a title row, a rule, a list or a text, the status row.

use super::canvas::Canvas;
use super::glyphs;
use crate::app::area::Area;
use crate::app::overlay::ListState;
use crate::text::role::{Role, Span};

/// Rows of an overlay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    pub(crate) title: Area,
    pub(crate) rule: Area,
    pub(crate) body: Area,
}

impl Places {
    /// The rows of an area: a title, a rule, the rest.
    pub(crate) fn of(area: Area) -> Places {
        Places { title: area.top(1), rule: area.below(1).top(1), body: area.below(2) }
    }
}

/// Clears the area and draws title and rule.
pub(crate) fn frame(canvas: &mut Canvas<'_>, area: Area, left: &[Span], right: &[Span]) -> Area {
    canvas.blank(area);
    let places = Places::of(area);
    canvas.ends(places.title, 0, left, right);
    canvas.fill(places.rule, 0, glyphs::RULE, Role::Dim);
    places.body
}

/// The rows of a list that are on screen: screen row and place in the list.
pub(crate) fn visible(body: Area, list: ListState, length: usize) -> impl Iterator<Item = (u16, usize)> {
    let top = list.top.min(length);
    (0..body.height).zip(top..length)
}

/// Marks the row of the cursor.
pub(crate) fn cursor(canvas: &mut Canvas<'_>, body: Area, at: u16) {
    canvas.span(body, at, 0, &glyphs::CURSOR.to_string(), Role::Accent);
    canvas.mark_row(body, at, true);
}
