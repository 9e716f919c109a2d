//! The family in one list: the rows of the timeline with two columns more, depth and session.
//!
//! ```text
//! > ▐ 34  +51ms 2   f66da056 tool/result  ✓ bash call_0064_0  …
//!               │     └ start of the id, indented by generation; empty for the root
//!               └ delegation depth
//! ```

use super::canvas::Canvas;
use super::columns::{Columns, Seqs};
use super::timeline::Drawing;
use super::{Look, glyphs, mark_glyph};
use crate::app::area::Area;
use crate::app::calls::Fold;
use crate::app::family::{FamilyKind, FamilyRow, Figures, Head};
use crate::app::model::Model;
use crate::app::parted::{Part, PartedLine};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::{columns, cut_end, prefixed_id};

/// Columns of a generation of indent.
const INDENT: usize = 2;

/// Generations that are indented: below, rows stand as far in as these.
const MOST_LEVELS: u32 = 4;

/// Columns of the tag that tells a session from the others.
const TAG: usize = 8;

/// Draws the list into the body of the timeline.
pub(super) fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let digits = model.family_figures().map_or(1, |figures| figures.last_seq.to_string().len());
    let body = model.areas.timeline_body();
    let rows = model.family_rows();
    let list = body.top(body.height.saturating_sub(1));
    let deepest = rows.iter().map(|row| row.level).max().unwrap_or(0).min(MOST_LEVELS);
    let mut columns = Columns::of(body.width, Seqs { digits, repeated: false }, model.time_form);
    columns.make_room(if columns.mark_last { 0 } else { 3 + TAG + INDENT * deepest.saturating_sub(1) as usize });
    let drawing = Drawing::plain(columns, list, true);
    for (at, row) in (0..list.height).zip(&rows) {
        match &row.kind {
            FamilyKind::Row(kind) => drawing.kind(canvas, at, kind),
            FamilyKind::Head(head, fold) => head_row(canvas, list, at, &columns, head, *fold),
        }
        origin(canvas, list, at, &columns, row);
        if row.cursor {
            canvas.span(list, at, 0, &glyphs::CURSOR.to_string(), Role::Accent);
            canvas.mark_row(list, at, true);
        }
    }
    footer(canvas, body, model, rows.iter().find(|row| row.cursor));
}

/// Depth and tag.
fn origin(canvas: &mut Canvas<'_>, area: Area, at: u16, columns: &Columns, row: &FamilyRow) {
    let is_rule = matches!(&row.kind, FamilyKind::Row(crate::app::timeline::RowKind::Rule(_)));
    if columns.mark_last || is_rule {
        return;
    }
    let from = columns.type_at() - columns.extra;
    canvas.span(area, at, from, &cut_end(&row.depth.to_string(), 2), Role::Dim);
    let indent = INDENT * row.level.min(MOST_LEVELS).saturating_sub(1) as usize;
    canvas.span(area, at, from + 2 + indent, &cut_end(&row.tag, TAG), Role::Accent);
}

/// `▾ child of call_0060_0 "Audit sources"   64 events, 198ms, completed`
fn head_row(canvas: &mut Canvas<'_>, area: Area, at: u16, columns: &Columns, head: &Head, fold: Fold) {
    let sign = if fold == Fold::Open { glyphs::OPEN } else { glyphs::FOLDED };
    let state = mark_glyph(head.mark).map_or(String::new(), |glyph| format!("{glyph} "));
    let spans = [
        Span::new(format!("{sign} "), Role::Accent),
        Span::new(state, head.mark.role()),
        Span::new(format!("{} {}   ", head.is, head.label), Role::Strong),
        Span::plain(format!("{}, ", head.size)),
        head.ended.clone(),
    ];
    let from = if columns.mark_last { columns.seq_at } else { columns.type_at() };
    canvas.spans(area, at, from, &spans);
}

/// How the session of the cursor is known to be where it is.
fn footer(canvas: &mut Canvas<'_>, body: Area, model: &Model, row: Option<&FamilyRow>) {
    let words = &canvas.look.words;
    let at = body.height.saturating_sub(1);
    let text = match row.filter(|row| !row.tag.is_empty()).zip(model.head_here()) {
        Some((row, head)) => {
            let values = [("tag", row.tag.as_str()), ("how", head.how.as_str())];
            let long = words.say("family.linked", &values);
            let fits = columns(&long) < usize::from(body.width);
            if fits { long } else { words.say("family.linked_short", &values) }
        }
        None => words.get("family.order").to_owned(),
    };
    canvas.span(body, at, 1, &cut_end(&text, usize::from(body.width).saturating_sub(1)), Role::Dim);
}

/// The first two rows while the family is shown.
pub(super) fn header(model: &Model, look: &Look) -> Option<Vec<PartedLine>> {
    model.family.view.as_ref()?;
    let figures = model.family_figures()?;
    let words = &look.words;
    let cwd = model.open.as_ref().and_then(|open| open.session.facts.header.as_ref()?.cwd.clone());
    let cwd = cwd.map(|cwd| display(cwd.as_bytes())).unwrap_or_default();
    let (low, high) = figures.depths;
    let range = if low == high { low.to_string() } else { format!("{low}-{high}") };
    let mut first = PartedLine { left: vec![Part::droppable(cwd, Role::Strong, 4)], right: Vec::new() };
    first.left.push(Part::fixed(words.say("family.depths", &[("range", &range)]), Role::Normal));
    first.right.push(of(&figures, words));
    Some(vec![first, second(&figures, words)])
}

/// `family of 7: session-0a11c0de⋯0010 and 6 children`
fn of(figures: &Figures, words: &Words) -> Part {
    let n = words.number(figures.sessions);
    let children = words.count("count.relatives", figures.sessions.saturating_sub(1));
    let id = prefixed_id(&figures.home);
    let long = words.say("family.of", &[("n", &n), ("id", &id), ("children", &children)]);
    Part::shrinking(&[long, words.say("family.of_short", &[("n", &n)])], Role::Normal, 5)
}

/// `seq whole in all 7   666 events: 495 own, 171 inherited by forks      harness: all 7 load`
fn second(figures: &Figures, words: &Words) -> PartedLine {
    let number = |n: u64| words.number(n);
    let all = number(figures.sessions);
    let mut line = PartedLine::default();
    line.left.push(if figures.whole == figures.sessions {
        Part::fixed(words.say("family.whole", &[("n", &all)]), Role::Ok)
    } else {
        let n = number(figures.sessions - figures.whole);
        Part::fixed(words.say("family.not_whole", &[("n", &n), ("all", &all)]), Role::Bad)
    });
    let events = words.count("count.events", figures.own + figures.inherited);
    let (own, inherited) = (number(figures.own), number(figures.inherited));
    let values = [("events", events.as_str()), ("own", &own), ("inherited", &inherited)];
    let key = if figures.inherited > 0 { "family.events_forks" } else { "family.events" };
    line.left.push(Part::droppable(words.say(key, &values), Role::Normal, 6));
    if figures.unread > 0 {
        line.right.push(Part::fixed(words.say("family.unread", &[("n", &number(figures.unread))]), Role::Warn));
    }
    line.right.push(if figures.load == figures.sessions {
        Part::droppable(words.say("family.harness_all", &[("n", &all)]), Role::Ok, 5)
    } else {
        let n = number(figures.sessions - figures.load);
        Part::fixed(words.say("family.harness_some", &[("n", &n), ("all", &all)]), Role::Bad)
    });
    line
}
