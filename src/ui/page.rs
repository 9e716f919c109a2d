//! A page in the place of the panes: header and state (`i`), the ten-minute pass (`T`), ledgers and lists.

use super::canvas::Canvas;
use super::detail::doc_line;
use super::glyphs;
use super::overlay::{Places, cursor};
use crate::app::area::Area;
use crate::app::page::Page;
use crate::text::role::Role;

/// Draws the page.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, page: &Page) {
    canvas.blank(area);
    let places = Places::of(area);
    canvas.parted(places.title, 0, &page.title);
    canvas.fill(places.rule, 0, glyphs::RULE, Role::Dim);
    let room = page.room(places.body.height);
    let foot = places.body.below(room);
    let places = Places { body: places.body.top(room), ..places };
    if !foot.is_empty() {
        canvas.fill(foot, 0, glyphs::RULE, Role::Dim);
        for (at, line) in (1..foot.height).zip(&page.foot) {
            doc_line(canvas, foot, at, line);
        }
    }
    let lines = page.doc.lines.get(page.top.min(page.doc.lines.len())..).unwrap_or_default();
    for (at, line) in (0..places.body.height).zip(lines) {
        doc_line(canvas, places.body, at, line);
        if page.top + usize::from(at) == page.cursor {
            cursor(canvas, places.body, at);
        }
    }
}
