//! Pane 3: turns, steps, calls and what belongs to them.
//!
//! ```text
//! >  ▾ ✗ bash   call_0031_0       < 25ms  (134)
//! │  │ │ name   id                state   the seq that proves it
//! │  │ └ state
//! │  └ folded or open; two columns of indent a level
//! └ cursor
//! ```
//!
//! When the pane is narrow, it loses first the proof, then the duration, then the middle of the id, then the state
//! word: the sign before the name says it still.

use super::canvas::Canvas;
use super::glyphs;
use super::mark_glyph;
use crate::app::area::Area;
use crate::app::calls::{CallRow, Fold, Node};
use crate::app::model::{Model, Pane};
use crate::text::role::{Role, Span};
use crate::text::width::{columns, cut_end, cut_middle, pad_end, pad_start};
use crate::triage::what::Mark;

/// Columns of a pane from which proofs have a column of their own.
const LEAST_FOR_PROOF: u16 = 44;

/// Columns of a pane below which a call that cannot be opened stands one level closer.
const LEAST_FOR_FOLD: u16 = 40;

/// Columns that names are padded to at most, so that ids line up.
const MOST_NAME: usize = 12;

/// Columns of a call id cut in its middle: 12, the cut, 4.
const SHORT_ID: usize = 17;

/// Columns of a call id that still tells calls of one step apart.
const LEAST_ID: usize = 9;

/// Draws the pane.
pub(crate) fn draw(canvas: &mut Canvas<'_>, model: &Model, rows: &[CallRow]) {
    let body = model.areas.calls_body();
    let focused = model.focus == Pane::Calls;
    let pane = Drawing::new(body, rows);
    for (at, row) in (0..body.height).zip(rows) {
        pane.row(canvas, at, row);
        if row.cursor {
            let sign = if focused { glyphs::CURSOR } else { glyphs::LINKED };
            canvas.span(body, at, 0, &sign.to_string(), Role::Accent);
            canvas.mark_row(body, at, focused);
        }
    }
}

struct Drawing {
    body: Area,
    /// Columns of the names of calls on screen.
    names: usize,
    /// Columns of the states on screen; 0: they stand at the right end.
    states: usize,
    /// Columns of the proofs on screen, brackets included; 0: not shown.
    proofs: usize,
}

impl Drawing {
    fn new(body: Area, rows: &[CallRow]) -> Drawing {
        let calls = || rows.iter().filter(|row| is_call(row));
        let names = calls().map(|row| columns(&row.name)).max().unwrap_or(0).min(MOST_NAME);
        let proofs = if body.width >= LEAST_FOR_PROOF {
            rows.iter().map(|row| columns(&proof(row))).max().unwrap_or(0)
        } else {
            0
        };
        let states = if proofs > 0 { rows.iter().map(|row| columns(&row.state.text)).max().unwrap_or(0) } else { 0 };
        Drawing { body, names, states, proofs }
    }

    fn row(&self, canvas: &mut Canvas<'_>, at: u16, row: &CallRow) {
        let width = usize::from(self.body.width);
        let (lead, from) = self.lead(row);
        for (place, span) in lead {
            canvas.spans(self.body, at, place, &[span]);
        }
        let name = if is_call(row) { pad_end(&row.name, self.names) } else { row.name.clone() };
        let right = self.right(row);
        let room = width.saturating_sub(from + 1);
        let right = pick(&right, room, needs(row, columns(&name)));
        let taken = if right.text.is_empty() { 0 } else { columns(&right.text) + 2 };
        let left = Self::left(&name, row, room.saturating_sub(taken));
        canvas.spans(Area { width: (from + room.saturating_sub(taken)) as u16, ..self.body }, at, from, &left);
        let right_at = width.saturating_sub(1 + columns(&right.text));
        canvas.spans(self.body, at, right_at, &[right]);
    }

    /// The signs before the name, each with its column, and where the name stands.
    fn lead(&self, row: &CallRow) -> (Vec<(usize, Span)>, usize) {
        let indent = 1 + 2 * usize::from(row.level.min(12));
        let mut signs = Vec::new();
        let fold = match row.fold {
            Fold::Folded => Some(glyphs::FOLDED),
            Fold::Open => Some(glyphs::OPEN),
            Fold::Leaf => row.switch.then_some(glyphs::SWITCH),
        };
        if let Some(sign) = fold {
            signs.push((indent, Span::new(sign.to_string(), Role::Accent)));
        }
        let close = fold.is_none() && self.body.width < LEAST_FOR_FOLD;
        let has_mark = is_call(row) || row.mark != Mark::None;
        if !has_mark {
            return (signs, indent + 2);
        }
        let mark_at = if close { indent } else { indent + 2 };
        if let Some(sign) = mark_glyph(row.mark) {
            let role = if row.awaited { Role::Accent } else { row.mark.role() };
            signs.push((mark_at, Span::new(sign.to_string(), role)));
        }
        (signs, mark_at + 2)
    }

    fn left(name: &str, row: &CallRow, room: usize) -> Vec<Span> {
        let role = if row.role == Role::Normal && is_call(row) { Role::Strong } else { row.role };
        let wide = columns(name);
        if matches!(row.node, Node::Approval(_)) && wide + 2 + columns(&row.id) > room {
            // The outcome says that it was asked; the word before it does not say the outcome.
            return vec![Span::plain(cut_end(&row.id, room))];
        }
        let mut spans = vec![Span::new(cut_end(name, room), role)];
        let left = room.saturating_sub(wide + 2);
        if left >= 4 && !row.id.is_empty() {
            let id = if is_call(row) && columns(&row.id) > left {
                cut_middle(&row.id, left.saturating_sub(5), 4)
            } else {
                cut_end(&row.id, left)
            };
            spans.push(Span::plain("  "));
            spans.push(Span::plain(id));
        }
        spans
    }

    /// What may stand at the right, widest first: state and proof, the state alone, the proof alone.
    fn right(&self, row: &CallRow) -> Vec<Span> {
        let proof = proof(row);
        let state = &row.state;
        let bare = row.proof.clone();
        let mut forms = Vec::new();
        if self.proofs > 0 {
            let both = format!("{} {}", pad_end(&state.text, self.states), pad_start(&proof, self.proofs));
            forms.push(Span { text: both, ..state.clone() });
            if !state.text.is_empty() {
                forms.push(Span { text: pad_end(&state.text, self.states + 1 + self.proofs), ..state.clone() });
            }
        }
        if !state.text.is_empty() {
            forms.push(state.clone());
        }
        if row.mark == Mark::Unknown || row.mark == Mark::NotStarted || row.switch {
            forms.push(Span { text: bare, ..state.clone() });
        }
        forms.retain(|form| !form.text.trim().is_empty());
        forms
    }
}

/// Columns that the left part may take, most first: whole, with a short id, and for a state word with hardly an id.
fn needs(row: &CallRow, name: usize) -> [usize; 3] {
    let id = columns(&row.id);
    let with = |id: usize| if id > 0 { name + 2 + id } else { name };
    let whole = with(id);
    let short = if is_call(row) { with(id.min(SHORT_ID)) } else { whole };
    let is_word = row.state.role != Role::Normal;
    [whole, short, if is_word { with(id.min(LEAST_ID)) } else { short }]
}

/// The widest form that stands beside the left part, tried with the most room for the left part first.
fn pick(forms: &[Span], room: usize, needs: [usize; 3]) -> Span {
    let fits = |left: usize| forms.iter().find(move |form| left + 2 + columns(&form.text) <= room);
    needs.into_iter().find_map(fits).cloned().unwrap_or_default()
}

/// The proof in brackets for a call, whose seq could be taken for a count; as it is for other rows.
fn proof(row: &CallRow) -> String {
    match row.node {
        Node::Call(_) if !row.proof.is_empty() => format!("({})", row.proof),
        Node::Call(_) | Node::Turns { .. } | Node::Turn(_) | Node::Step(_) => String::new(),
        Node::Approval(_)
        | Node::SubCall(_)
        | Node::Retry(_)
        | Node::Switch(_)
        | Node::Command(_)
        | Node::Stray(_)
        | Node::Dropped(_)
        | Node::Child(_) => row.proof.clone(),
    }
}

fn is_call(row: &CallRow) -> bool {
    match row.node {
        Node::Call(_) | Node::SubCall(_) | Node::Dropped(_) => true,
        Node::Turns { .. }
        | Node::Turn(_)
        | Node::Step(_)
        | Node::Approval(_)
        | Node::Retry(_)
        | Node::Switch(_)
        | Node::Command(_)
        | Node::Stray(_)
        | Node::Child(_) => false,
    }
}
