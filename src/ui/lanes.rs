//! The family side by side: up to four lanes, tied where one log proves the order of another.

use super::canvas::Canvas;
use super::{glyphs, mark_glyph};
use crate::app::area::Area;
use crate::app::family::{Cell, Tie};
use crate::app::model::Model;
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end};

/// Lanes on the screen at once.
const MOST_LANES: usize = 4;

/// Draws the lanes into the body of the timeline.
pub(super) fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let Some(view) = &model.family.view else { return };
    let grid = &view.grid;
    let body = model.areas.timeline;
    let shown = grid.lanes.len().min(MOST_LANES);
    if shown == 0 || body.height < 3 {
        return;
    }
    let here = model.lane_here();
    let first = view.first_lane.min(grid.lanes.len() - shown);
    let width = body.width / shown as u16;
    let area = |nth: usize| Area { x: body.x + nth as u16 * width, width: width - u16::from(nth + 1 < shown), ..body };
    let rows = body.below(1).top(body.height.saturating_sub(2));
    let top = view.top_line(rows.height);
    for nth in 0..shown {
        let lane = first + nth;
        head(canvas, model, area(nth), lane, here.map(|(lane, _)| lane) == Some(lane));
        if nth + 1 < shown {
            canvas.separator(Area { x: area(nth).x + area(nth).width, width: 1, ..body.top(body.height - 1) });
        }
        let Some((_, cells)) = grid.lanes.get(lane) else { continue };
        let lane_rows = Area { x: area(nth).x, width: area(nth).width, ..rows };
        for (at, cell) in cells.iter().enumerate() {
            let Some(row) = cell.line.checked_sub(top).filter(|row| *row < usize::from(rows.height)) else { continue };
            let is_here = here == Some((lane, at));
            let tie = grid.ties.iter().find(|tie| tie.line == cell.line && (tie.parent == lane || tie.child == lane));
            self::cell(canvas, lane_rows, row as u16, cell, (lane, tie), is_here);
            if let Some(next) = cells.get(at + 1) {
                for line in cell.line + 1..next.line {
                    if let Some(row) = line.checked_sub(top).filter(|row| *row < usize::from(rows.height)) {
                        canvas.span(lane_rows, row as u16, 4, ":", Role::Dim);
                    }
                }
            }
        }
    }
    for tie in grid.ties.iter().filter(|tie| tie.line >= top && tie.line - top < usize::from(rows.height)) {
        let between = (tie.parent.min(tie.child) + 1).max(first)..tie.parent.max(tie.child).min(first + shown);
        for lane in between {
            let lane_rows = Area { x: area(lane - first).x, width: area(lane - first).width, ..rows };
            let busy = grid.lanes.get(lane).is_some_and(|(_, cells)| cells.iter().any(|cell| cell.line == tie.line));
            if !busy {
                canvas.fill(lane_rows, (tie.line - top) as u16, glyphs::RULE, Role::Dim);
            }
        }
    }
    let note = canvas.look.words.get("family.lanes_note").to_owned();
    canvas.span(body, body.height - 1, 1, &cut_end(&note, usize::from(body.width).saturating_sub(2)), Role::Dim);
}

/// `╌[1 b0940cab "Broken child"]╌╌╌`
fn head(canvas: &mut Canvas<'_>, model: &Model, area: Area, lane: usize, is_here: bool) {
    let Some(name) = model.lane_name(lane) else { return };
    let name = cut_end(&name, usize::from(area.width).saturating_sub(5));
    canvas.title(area.top(1), &name, is_here, &[]);
}

fn cell(canvas: &mut Canvas<'_>, area: Area, at: u16, cell: &Cell, tied: (usize, Option<&Tie>), is_here: bool) {
    let (lane, tie) = tied;
    let is_child = tie.is_some_and(|tie| tie.child == lane);
    if is_child {
        let lead = if tie.is_some_and(|tie| tie.starts) { "╌>" } else { "╌╌" };
        let lead: String = lead.chars().map(|char| if char == '╌' { glyphs::RULE } else { char }).collect();
        canvas.span(area, at, 0, &lead, Role::Dim);
    } else if cell.surface {
        canvas.span(area, at, 2, &glyphs::SURFACE.to_string(), Role::Surface);
    }
    let mark = mark_glyph(cell.mark).map_or(String::new(), |glyph| format!("{glyph} "));
    let base = if cell.first == cell.last { Role::Normal } else { Role::Dim };
    let spans = [
        Span::new(format!("{} ", cell.seqs), base),
        Span::new(mark, cell.mark.role()),
        Span::new(cell.text.clone(), base),
    ];
    let wide: usize = spans.iter().map(|span| columns(&span.text)).sum();
    canvas.spans(area, at, 3, &spans);
    if let Some(tie) = tie.filter(|tie| tie.parent == lane) {
        let key = if tie.starts { "family.starts" } else { "family.from" };
        let word = canvas.look.words.get(key).to_owned();
        let from = (4 + wide).min(usize::from(area.width));
        let rule = glyphs::RULE.to_string();
        let left = usize::from(area.width).saturating_sub(from + columns(&word) + 4);
        canvas.span(area, at, from, &format!("{rule} {word} {rule}{}", rule.repeat(left)), Role::Dim);
    }
    if is_here {
        canvas.span(area, at, 0, &glyphs::CURSOR.to_string(), Role::Accent);
        canvas.mark_row(area, at, true);
    }
}
