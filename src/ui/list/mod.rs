//! The session list (`s`): a title row, the names of the columns, sessions as a tree, and what else lies there.

mod columns;
mod hits;

use self::columns::Columns;
use super::canvas::Canvas;
use super::overlay::cursor;
use super::row::spans_width;
use super::{glyphs, odd};
use crate::app::area::{Area, Areas};
use crate::app::list::{Cells, Fold, List, Looking, RowKind, RowView, heading, title};
use crate::text::role::{Role, Span, cut_spans};
use crate::text::width::{columns, cut_end, pad_start, short_path};

/// Columns before the path of a file.
const FILE_INDENT: u16 = 3;

/// Columns that a path has at least beside what stands there.
const LEAST_PATH: usize = 16;

/// Columns between a text and what stands at the right edge.
const GAP: usize = 3;

/// Draws the list.
pub(crate) fn draw(canvas: &mut Canvas<'_>, areas: &Areas, list: &List) {
    let look = canvas.look;
    if let Some((hits, stock)) = list.searched() {
        return hits::draw(canvas, areas.page, hits, stock);
    }
    canvas.blank(areas.page);
    canvas.parted(areas.page, 0, &title(list, &look.words));
    let body = areas.list_body();
    if let Looking::Failed(why) = &list.looking {
        let text = look.words.say("list.cannot_list", &[("why", why)]);
        let row = odd::paragraph(canvas, body, 0, &text);
        odd::paragraph(canvas, body, row, &look.words.say("list.looked_in", &[("place", &list.place)]));
        return;
    }
    let names = heading(list, &look.words);
    let columns = Columns::of(body.width, list.widest(&look.words));
    if body.y > areas.page.y + 1 && list.has_sessions() {
        session(canvas, areas.page, 1, &names, columns, Role::Dim);
    }
    for (at, row) in (0..body.height).zip(list.rows(&look.words, &look.zone)) {
        draw_row(canvas, body, at, &row, columns);
    }
}

fn draw_row(canvas: &mut Canvas<'_>, body: Area, at: u16, row: &RowView, columns: Columns) {
    match &row.kind {
        RowKind::Session(cells) => session(canvas, body, at, cells, columns, Role::Normal),
        RowKind::Text { indent, spans, right } => text(canvas, body, at, *indent, spans, right),
        RowKind::Oddity { badge, line } => {
            let badge = if columns.badge > 0 { String::new() } else { format!("{badge}   ") };
            text(canvas, body, at, 6, &[Span::new(format!("{badge}{line}"), Role::Warn)], "");
        }
        RowKind::File { path, what } => file(canvas, body, at, path, what),
    }
    if row.cursor {
        cursor(canvas, body, at);
    }
}

/// A text at the left, and what stands at the right edge where both fit.
fn text(canvas: &mut Canvas<'_>, body: Area, at: u16, indent: u16, spans: &[Span], right: &str) {
    let width = usize::from(body.width);
    let indent = usize::from(indent).min(width / 8);
    let room = width.saturating_sub(indent + 1);
    canvas.spans(body, at, indent, &cut_spans(spans.to_vec(), room));
    let wanted = columns(right);
    if wanted > 0 && spans_width(spans) + GAP + wanted <= room {
        canvas.span(body, at, width.saturating_sub(1 + wanted), right, Role::Dim);
    }
}

/// A path and what stands there: the path is cut in its middle for it, and goes before it where a name finds no room.
fn file(canvas: &mut Canvas<'_>, body: Area, at: u16, path: &str, what: &str) {
    let room = usize::from(body.width).saturating_sub(usize::from(FILE_INDENT) + 1);
    let for_path = room.saturating_sub(columns(what) + GAP);
    let for_what = room.saturating_sub(LEAST_PATH + GAP);
    let (path, what) = match (for_path, for_what) {
        (LEAST_PATH.., _) => (short_path(path, for_path), what.to_owned()),
        // A reason that is cut says more than none.
        (_, LEAST_PATH..) => (short_path(path, LEAST_PATH), cut_end(what, for_what)),
        _ => (short_path(path, room), String::new()),
    };
    text(canvas, body, at, FILE_INDENT, &[Span::plain(path)], &what);
}

fn session(canvas: &mut Canvas<'_>, body: Area, at: u16, cells: &Cells, places: Columns, role: Role) {
    let mut put = |from: usize, width: usize, text: &str, role: Role| {
        if width > 0 {
            canvas.spans(
                Area { width: (from + width).min(usize::from(body.width)) as u16, ..body },
                at,
                from,
                &[Span::new(text, role)],
            );
        }
    };
    if let Some((mark, role)) = cells.mark {
        put(1, 1, &mark.to_string(), role);
    }
    let dim = if role == Role::Normal { Role::Dim } else { role };
    put(places.time_at, places.time, &cells.time[usize::from(places.short_time)], dim);
    put(places.depth_at, places.depth, &cells.depth, role);
    let indent = usize::from(cells.level) * 2;
    let indent = indent.min(places.title / 2);
    if let Some(fold) = cells.fold {
        let sign = if fold == Fold::Open { glyphs::OPEN } else { glyphs::FOLDED };
        put(places.title_at + indent, 1, &sign.to_string(), dim);
    }
    let names_columns = role == Role::Dim;
    let (title_at, taken) = if names_columns { (0, 0) } else { (indent + 2, indent + 2) };
    put(places.title_at + title_at, places.title.saturating_sub(taken), &cells.title.text, cells.title.role);
    put(places.state_at, places.state, &cells.state.text, cells.state.role);
    let events = cut_end(&cells.events, places.events);
    put(places.events_at, places.events, &pad_start(&events, places.events), role);
    put(places.project_at, places.project, &cells.project, dim);
    put(places.kind_at, places.kind, &cells.kind, dim);
    put(places.version_at, places.version, &cells.version, dim);
    put(places.id_at, places.id, &cells.id, dim);
    put(places.badge_at, places.badge, &cells.badge, Role::Warn);
}
