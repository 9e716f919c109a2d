//! Pane 2: events in the order of the file.
//!
//! ```text
//! >+▐ 88-90  +145ms tool/call            ? bash call_0321_0  echo …   ?
//! │││ │  │   │      │                    │ └ what                     └ map: the worst thing of its stretch
//! │││ seqs   time   type                 └ state, or ▸ ▾ of a run
//! ││└ the model saw it
//! │└ ghost, torn, inherited
//! └ cursor
//! ```
//!
//! When the pane is narrow, columns go in this order: time, second seq of a range, end of `what`, type down to 17.

use ratatui::style::{Modifier, Style};

use super::canvas::Canvas;
use super::columns::{Columns, Seqs};
use super::row::highlight;
use super::{glyphs, mark_glyph};
use crate::app::area::Area;
use crate::app::calls::Fold;
use crate::app::map::{MapCell, Worst};
use crate::app::model::{Model, Pane, TimeForm};
use crate::app::search::Search;
use crate::app::timeline::{EventView, RowKind, RowView, RuleView};
use crate::session::intern::NO_TYPE;
use crate::session::row::Seq;
use crate::text::number::{from_start, gap};
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end, pad_start};
use crate::triage::what::Mark;

/// Draws the pane.
pub(crate) fn draw(canvas: &mut Canvas<'_>, model: &Model, rows: &[RowView], seqs: Seqs) {
    let areas = &model.areas;
    let body = areas.timeline_body();
    let focused = model.focus == Pane::Timeline;
    let columns = Columns::of(body.width, seqs, model.time_form);
    let pane =
        Drawing { columns, body, focused, search: model.search.as_ref(), growing: model.follow.growing().is_some() };
    for (at, row) in (0..body.height).zip(rows) {
        pane.row(canvas, at, row);
    }
}

/// Rows of a timeline on an area.
pub(super) struct Drawing<'a> {
    columns: Columns,
    body: Area,
    focused: bool,
    search: Option<&'a Search>,
    /// The file grows: what is open may still get its result.
    growing: bool,
}

impl Drawing<'_> {
    /// Rows without search and growth.
    pub(super) fn plain(columns: Columns, body: Area, focused: bool) -> Drawing<'static> {
        Drawing { columns, body, focused, search: None, growing: false }
    }

    /// Draws a row without cursor and map.
    pub(super) fn kind(&self, canvas: &mut Canvas<'_>, at: u16, kind: &RowKind) {
        let text = Area { width: self.columns.text_width, ..self.body };
        match kind {
            RowKind::Event(event) => self.event(canvas, text, at, event),
            RowKind::Rule(rule) => rule_row(canvas, text, at, rule),
        }
    }

    fn row(&self, canvas: &mut Canvas<'_>, at: u16, row: &RowView) {
        let text = Area { width: self.columns.text_width, ..self.body };
        self.kind(canvas, at, &row.kind);
        if row.cursor {
            let sign = if self.focused { glyphs::CURSOR } else { glyphs::LINKED };
            canvas.span(self.body, at, 0, &sign.to_string(), Role::Accent);
            canvas.mark_row(text, at, self.focused);
        }
        if self.columns.map {
            map_cell(canvas, self.body, at, row.map);
        }
    }

    fn event(&self, canvas: &mut Canvas<'_>, area: Area, at: u16, event: &EventView) {
        let base = base_role(event);
        let c = &self.columns;
        self.signs(canvas, area, at, event);
        let seq = seq_text(event, c.digits, c.range > c.digits);
        canvas.span(area, at, c.seq_at, &cut_end(&seq, c.digits + c.range), base);
        if c.time > 0 {
            let (time, role) = time_text(canvas, event, c.form);
            canvas.span(
                area,
                at,
                c.time_at(),
                &pad_start(&time, c.time),
                if role == Role::Normal { base } else { role },
            );
        }
        let indent = " ".repeat(2 * usize::from(event.level.min(4)));
        // A line that is no event has no type, whatever its row holds.
        let name = if event.bad || event.type_name == NO_TYPE {
            canvas.look.words.get("missing.no_type")
        } else {
            &event.type_name
        };
        let name = format!("{indent}{name}");
        canvas.span(area, at, c.type_at(), &cut_end(&name, c.type_width), base);
        self.what(canvas, area, at, event, columns(&name));
        if event.ghost {
            canvas.over(area, at, Style::new().add_modifier(Modifier::ITALIC));
        }
    }

    /// Columns 1 and 2: where the row comes from, and whether the model saw it. On narrow panes one column does both.
    fn signs(&self, canvas: &mut Canvas<'_>, area: Area, at: u16, event: &EventView) {
        let origin = match event {
            EventView { ghost: true, .. } => Some((glyphs::GHOST, Role::Dim)),
            EventView { torn: true, .. } => Some((glyphs::TORN, Role::Warn)),
            EventView { inherited: true, .. } => Some((glyphs::INHERITED, Role::Dim)),
            _ => None,
        };
        let surface = event.surface.then_some((glyphs::SURFACE, Role::Surface));
        let shown = if self.columns.bar { [origin, surface] } else { [origin.or(surface), None] };
        for (place, sign) in shown.iter().enumerate() {
            if let Some((sign, role)) = sign {
                let shift = usize::from(!self.columns.mark_last);
                canvas.span(area, at, shift + place, &sign.to_string(), *role);
            }
        }
    }

    /// The state and the words, after a type of so many columns.
    fn what(&self, canvas: &mut Canvas<'_>, area: Area, at: u16, event: &EventView, type_columns: usize) {
        let c = &self.columns;
        let base = base_role(event);
        let mark = event.what.as_ref().map_or(Mark::None, |what| what.mark);
        let (sign, role) = match event.fold {
            Fold::Folded => (Some(glyphs::FOLDED), Role::Accent),
            Fold::Open => (Some(glyphs::OPEN), Role::Accent),
            Fold::Leaf => match mark {
                Mark::Unknown | Mark::NotStarted if self.growing => (mark_glyph(Mark::Unknown), Role::Accent),
                mark => (mark_glyph(mark), mark.role()),
            },
        };
        let mark_at = if c.mark_last { usize::from(area.width).saturating_sub(1) } else { c.mark_at() };
        if let Some(sign) = sign {
            canvas.span(area, at, mark_at, &sign.to_string(), if event.ghost { Role::Dim } else { role });
        }
        let Some(what) = &event.what else { return };
        let from = c.what_at(type_columns);
        let room = Area { width: area.width.saturating_sub(u16::from(c.mark_last) * 2), ..area };
        let mut spans: Vec<Span> = what.text.iter().map(|span| in_base(span, base, event.ghost)).collect();
        if let Some(search) = self.search.filter(|_| event.hit) {
            let plain: String = spans.iter().map(|span| span.text.as_str()).collect();
            spans = highlight(&spans, &search.needle.ranges(&plain));
        }
        canvas.spans(room, at, from, &spans);
    }
}

/// Plain words take the look of their row; a ghost row is dim all over.
fn in_base(span: &Span, base: Role, ghost: bool) -> Span {
    let role = if ghost || span.role == Role::Normal { base } else { span.role };
    Span { role, ..span.clone() }
}

fn base_role(event: &EventView) -> Role {
    match event {
        EventView { ghost: true, .. } | EventView { inherited: true, .. } | EventView { chunk: true, .. } => Role::Dim,
        EventView { bad: true, .. } => Role::Warn,
        EventView { surface: true, .. } => Role::Normal,
        _ => Role::Hidden,
    }
}

/// Seqs: the first right-aligned, then what tells a range or a repeated seq; a line stands for a missing seq.
fn seq_text(event: &EventView, digits: usize, range: bool) -> String {
    let Some(Seq(first)) = event.first_seq else {
        // Half a number is no number.
        let line = event.line.map(|line| format!("L{line}")).filter(|line| line.len() <= digits);
        return line.map_or_else(String::new, |line| pad_start(&line, digits));
    };
    let first_text = pad_start(&first.to_string(), digits);
    match event.last_seq {
        _ if event.occurrence > 1 => format!("{first_text}/{}", event.occurrence),
        Some(Seq(last)) if last != first && range => format!("{first_text}-{last}"),
        _ => first_text,
    }
}

fn time_text(canvas: &Canvas<'_>, event: &EventView, form: TimeForm) -> (String, Role) {
    match form {
        TimeForm::Gap => match event.gap_ms {
            Some(ms) if ms < 0 => (gap(ms), Role::Warn),
            Some(ms) => (gap(ms), Role::Normal),
            None => (String::new(), Role::Normal),
        },
        TimeForm::FromStart => (event.since_start_ms.map(from_start).unwrap_or_default(), Role::Normal),
        TimeForm::Clock => (event.time.map(|time| canvas.look.zone.clock(time.0)).unwrap_or_default(), Role::Normal),
    }
}

/// A rule: `╌╌ text ╌╌╌╌` to the end of the row; a note: its text, indented.
fn rule_row(canvas: &mut Canvas<'_>, area: Area, at: u16, rule: &RuleView) {
    if !rule.ruled {
        canvas.spans(area, at, 3, &rule.spans);
        return;
    }
    let look = rule.spans.first().map_or(Role::Dim, |span| span.role);
    canvas.fill(area, at, glyphs::RULE, look);
    let mut spans = vec![Span::plain(" ")];
    spans.extend(rule.spans.iter().cloned());
    spans.push(Span::plain(" "));
    canvas.spans(area, at, 2, &spans);
}

fn map_cell(canvas: &mut Canvas<'_>, body: Area, at: u16, cell: MapCell) {
    let (sign, role) = match (cell.worst, cell.in_view) {
        (Some(Worst::Unknown), _) => (glyphs::UNKNOWN, Role::Unknown),
        (Some(Worst::Break), _) => (glyphs::LOOK, Role::Bad),
        (Some(Worst::Failed), _) => (glyphs::FAILED, Role::Bad),
        (Some(Worst::NotStarted), _) => (glyphs::NOT_STARTED, Role::Warn),
        (Some(Worst::Torn), _) => (glyphs::TORN, Role::Warn),
        (None, true) => (glyphs::SURFACE, Role::Dim),
        (None, false) => return,
    };
    canvas.span(body, at, usize::from(body.width).saturating_sub(1), &sign.to_string(), role);
}
