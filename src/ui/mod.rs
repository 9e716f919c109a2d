//! The model drawn into a ratatui buffer. It reads the model and never changes it; it reads no file and starts nothing.
//!
//! ```text
//! Model ── areas ──▶ panes ──▶ Canvas ──▶ Buffer
//!            Look (theme, signs, words, zone) ┘
//! ```
//!
//! Places come from [`crate::app::area`], texts from `app`; here they become cells. Every text has passed
//! `text::sanitize` before it comes here.

mod calls;
pub(crate) mod canvas;
mod columns;
mod copy;
mod detail;
mod edges;
mod family;
pub mod glyphs;
mod header;
mod help;
pub mod hit;
mod input;
mod lanes;
mod list;
mod odd;
mod offers;
mod overlay;
mod page;
mod picker;
mod places;
pub(crate) mod row;
mod small;
mod status;
pub mod theme;
mod timeline;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use canvas::Canvas;
use columns::Seqs;
use glyphs::Glyphs;
use theme::Theme;

use crate::app::area::{Area, Size};
use crate::app::family::Shape;
use crate::app::follow::Following;
use crate::app::model::{Model, Pane};
use crate::app::overlay::Overlay;
use crate::app::parted::{Part, PartedLine};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::time::Zone;
use crate::triage::what::Mark;

/// What everything looks like: decided once at the start.
#[derive(Debug, Clone)]
pub struct Look {
    /// A style for each role.
    pub theme: Theme,
    /// The signs.
    pub glyphs: Glyphs,
    /// The words, shared with the model.
    pub words: Arc<Words>,
    /// Where the clock of the reader is.
    pub zone: Zone,
}

impl Default for Look {
    /// Dark, 24 bits, Unicode, English, UTC.
    fn default() -> Look {
        Look { theme: Theme::default(), glyphs: Glyphs::default(), words: Arc::default(), zone: Zone::utc() }
    }
}

/// Draws the model into `screen`, the part of the buffer that it has. Gives the place of the terminal's cursor while an
/// input line is open.
///
/// The model is drawn for the size it was told last; a buffer of another size shows what of it fits.
pub fn draw(model: &Model, look: &Look, screen: Rect, buffer: &mut Buffer) -> Option<(u16, u16)> {
    let mut canvas = Canvas::new(buffer, look, screen);
    canvas.clear();
    let areas = &model.areas;
    let whole = Area { x: 0, y: 0, width: screen.width, height: screen.height };
    if areas.size == Size::TooSmall {
        small::draw(&mut canvas, screen.width, screen.height);
        return None;
    }
    if let Some(list) = model.shown_list() {
        list::draw(&mut canvas, areas, list);
        overlays(&mut canvas, model);
        return last_row(&mut canvas, model);
    }
    if let (Some(odd), None) = (&model.odd, &model.open) {
        odd::draw(&mut canvas, Area { height: areas.status.y, ..whole }, odd, model.follow.is_on());
        return last_row(&mut canvas, model);
    }
    heading_rows(&mut canvas, model);
    if model.overlay.is_none() && model.page.is_none() {
        panes(&mut canvas, model);
    }
    if let Some(page) = &model.page {
        page::draw(&mut canvas, areas.page, page);
    }
    overlays(&mut canvas, model);
    last_row(&mut canvas, model)
}

fn overlays(canvas: &mut Canvas<'_>, model: &Model) {
    let area = model.areas.page;
    match &model.overlay {
        Some(Overlay::Help(open)) => {
            let key = match model.shown_list() {
                Some(list) if list.hits.is_some() => "hits.title",
                Some(_) => "help.session_list",
                None => pane_key(model.focus),
            };
            help::draw(canvas, area, open, canvas.look.words.get(key));
        }
        Some(Overlay::Types(open)) => picker::draw(canvas, area, open),
        Some(Overlay::Copy(open)) => copy::draw(canvas, area, open),
        Some(Overlay::Places(open)) => places::draw(canvas, area, open),
        None => {}
    }
    if let Some(filtering) = &model.filtering {
        offers::draw(canvas, model.areas.offers, filtering);
    }
}

/// Header and verdict: rows of parts that the core has made ready.
fn heading_rows(canvas: &mut Canvas<'_>, model: &Model) {
    let areas = &model.areas;
    for (at, line) in (0..areas.header.height).zip(header::lines(model, canvas.look)) {
        canvas.parted(areas.header, at, &line);
    }
    if model.focus == Pane::Header && !areas.header.is_empty() {
        canvas.span(areas.header, 0, 0, &glyphs::CURSOR.to_string(), Role::Accent);
    }
    let Some(verdict) = model.verdict() else { return };
    let lines = match areas.size {
        Size::Normal | Size::Wide => &verdict.lines,
        Size::Small => &verdict.small,
        Size::Tiny | Size::TooSmall => &verdict.tiny,
    };
    for (at, line) in (0..areas.verdict.height).zip(lines) {
        canvas.parted(areas.verdict, at, line);
    }
    if let (Some(news), 2) = (&model.follow.news, areas.verdict.height) {
        canvas.blank(areas.verdict.below(1));
        canvas.parted(areas.verdict, 1, &news_line(model, news, &canvas.look.words));
    }
}

/// What changed in place meanwhile, in the place of the advice.
fn news_line(model: &Model, news: &str, words: &Words) -> PartedLine {
    let mut line = PartedLine { left: vec![Part::fixed(format!("  {news}"), Role::Accent)], right: Vec::new() };
    if model.follow.state == Following::Paused {
        line.right.push(Part::droppable(words.get("follow.to_the_end"), Role::Accent, 5));
    }
    line
}

fn panes(canvas: &mut Canvas<'_>, model: &Model) {
    let areas = &model.areas;
    if let Some(view) = &model.family.view {
        if view.shape == Shape::Lanes {
            return lanes::draw(canvas, model);
        }
        title(canvas, areas.timeline.top(areas.title_rows), model, Pane::Timeline, &model.timeline_title());
        return family::draw(canvas, model);
    }
    if model.open.as_ref().is_some_and(|open| open.session.index.rows.is_empty()) {
        let top = areas.verdict.y + areas.verdict.height;
        let rest = areas.status.y.saturating_sub(top);
        odd::header_only(canvas, Area { x: 0, y: top, width: areas.verdict.width, height: rest }, model);
        return;
    }
    if !areas.timeline.is_empty() {
        let note = model.timeline_title();
        title(canvas, areas.timeline.top(areas.title_rows), model, Pane::Timeline, &note);
        timeline::draw(canvas, model, &model.timeline_rows(), seqs(model));
        edges::draw(canvas, model);
    }
    if !areas.calls.is_empty() {
        title(canvas, areas.calls.top(areas.title_rows), model, Pane::Calls, &model.calls.title);
        calls::draw(canvas, model, &model.call_rows());
    }
    canvas.separator(areas.divider);
    if !areas.detail.is_empty() {
        detail::title(canvas, model);
        detail::draw(canvas, model);
    }
}

/// What the seqs of the timeline need, ghosts included.
fn seqs(model: &Model) -> Seqs {
    let Some(open) = &model.open else {
        return Seqs { digits: 1, repeated: false };
    };
    let facts = &open.session.facts;
    let ghost = facts.resume.last().map(|ghost| ghost.seq);
    let longest = [facts.sequence.first, facts.sequence.last, ghost].into_iter().flatten();
    // A line that is no event has its number in the place of a seq.
    let bad = facts.container.bad_lines.last();
    let bad = bad.map_or(1, |bad| format!("L{}", bad.line).len());
    let digits = longest.map(|seq| seq.to_string().len()).max().unwrap_or(1);
    let digits = digits.max(bad);
    Seqs { digits, repeated: !facts.sequence.repeated.is_empty() }
}

/// The title row of a pane with its note: the long form where it fits, else the short one.
fn title(canvas: &mut Canvas<'_>, area: Area, model: &Model, pane: Pane, notes: &[String; 2]) {
    if area.is_empty() {
        return;
    }
    let label = canvas.look.words.get(pane_key(pane)).to_owned();
    let room = usize::from(area.width).saturating_sub(crate::text::width::columns(&label) + 8);
    let fits = notes.iter().find(|note| crate::text::width::columns(note) <= room);
    let note: Vec<Span> =
        fits.filter(|note| !note.is_empty()).map(|note| Span::new(note, Role::Dim)).into_iter().collect();
    canvas.title(area, &label, model.focus == pane, &note);
}

/// The last row: the input line when one is open, else where the user is and which keys help.
fn last_row(canvas: &mut Canvas<'_>, model: &Model) -> Option<(u16, u16)> {
    if let Some(open) = &model.input {
        let area = if model.areas.input.is_empty() { model.areas.status } else { model.areas.input };
        canvas.blank(area);
        return input::draw(canvas, area, open, model);
    }
    if !model.areas.status.is_empty() {
        canvas.parted(model.areas.status, 0, &status::line(model, canvas.look));
    }
    None
}

/// The sign of a state; `None` draws a blank.
fn mark_glyph(mark: Mark) -> Option<char> {
    match mark {
        Mark::None => None,
        Mark::Completed => Some(glyphs::COMPLETED),
        Mark::Failed => Some(glyphs::FAILED),
        Mark::Unknown => Some(glyphs::UNKNOWN),
        Mark::NotStarted => Some(glyphs::NOT_STARTED),
        Mark::Cancelled => Some(glyphs::CANCELLED),
        Mark::ByPolicy => Some(glyphs::REFUSED),
        Mark::Look => Some(glyphs::LOOK),
    }
}

/// The words of a pane's title.
fn pane_key(pane: Pane) -> &'static str {
    match pane {
        Pane::Header => "pane.header",
        Pane::Timeline => "pane.timeline",
        Pane::Calls => "pane.calls",
        Pane::Detail => "pane.detail",
    }
}

/// The rows of a buffer as text, each as wide as the buffer: for tests.
#[cfg(test)]
pub(crate) fn rows_of(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    (area.top()..area.bottom())
        .map(|y| {
            let mut row = String::new();
            let mut skip = 0;
            for x in area.left()..area.right() {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                let symbol = buffer[(x, y)].symbol();
                skip = crate::text::width::columns(symbol).saturating_sub(1);
                row.push_str(symbol);
            }
            row
        })
        .collect()
}

#[cfg(test)]
mod property;
#[cfg(test)]
mod stage;
#[cfg(test)]
mod tests;
