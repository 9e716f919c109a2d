//! Spans into cells: the only place that writes text into the buffer.
//!
//! Cells are filled grapheme by grapheme, so that columns are those of [`crate::text::width`]; nothing is written
//! outside the buffer whatever the rectangle says.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use super::Look;
use super::glyphs;
use super::row::spans_width;
use crate::app::area::Area;
use crate::app::parted::PartedLine;
use crate::text::role::{Role, Span, cut_spans};
use crate::text::width::grapheme_columns;

/// Columns below which the last column is too dear to stay free.
const LEAST_FOR_MARGINS: u16 = 40;

/// Columns of a row of parts: a blank stands at each side where there is room.
pub(crate) fn inner_width(area: Area) -> u16 {
    area.width.saturating_sub(if area.width < LEAST_FOR_MARGINS { 1 } else { 2 })
}

/// A buffer with the looks to fill it.
pub(crate) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    /// Theme, signs, words, time zone.
    pub(crate) look: &'a Look,
    /// The part of the buffer that is drawn; places are counted from its corner.
    screen: Rect,
}

impl<'a> Canvas<'a> {
    /// Draws into `screen`, as far as the buffer reaches.
    pub(crate) fn new(buffer: &'a mut Buffer, look: &'a Look, screen: Rect) -> Canvas<'a> {
        let screen = screen.intersection(buffer.area);
        Canvas { buffer, look, screen }
    }

    /// Blanks everything in the style of plain text.
    pub(crate) fn clear(&mut self) {
        let style = self.look.theme.style(Role::Normal);
        for y in self.screen.top()..self.screen.bottom() {
            for x in self.screen.left()..self.screen.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
        }
    }

    /// The cells of a row of an area that lie on the screen: column, row, columns.
    fn cells(&self, area: Area, at: u16) -> Option<(u16, u16, u16)> {
        let x = self.screen.x.checked_add(area.x)?;
        let y = self.screen.y.checked_add(area.y)?.checked_add(at)?;
        let inside = at < area.height && x < self.screen.right() && y < self.screen.bottom();
        inside.then(|| (x, y, area.width.min(self.screen.right() - x)))
    }

    /// Writes spans into row `at` of an area from column `from` on; what does not fit is cut with `⋯`.
    ///
    /// Gives the columns used.
    pub(crate) fn spans(&mut self, area: Area, at: u16, from: usize, spans: &[Span]) -> usize {
        let Some((x, y, width)) = self.cells(area, at) else {
            return 0;
        };
        let Some(room) = usize::from(width).checked_sub(from) else {
            return 0;
        };
        let mut used = 0;
        for span in &cut_spans(spans.to_vec(), room) {
            // A cell keeps the colour it had where a style names none: text over a rule would stay dim.
            let style = Style::reset().patch(self.look.theme.style_of(span));
            used += self.graphemes(x + (from + used) as u16, y, room - used, &span.text, style);
        }
        used
    }

    /// Writes one span; see [`Canvas::spans`].
    pub(crate) fn span(&mut self, area: Area, at: u16, from: usize, text: &str, role: Role) -> usize {
        self.spans(area, at, from, &[Span::new(text, role)])
    }

    fn graphemes(&mut self, x: u16, y: u16, room: usize, text: &str, style: Style) -> usize {
        let mut used = 0;
        for grapheme in text.graphemes(true) {
            debug_assert!(is_printable(grapheme), "text was not sanitised: {text:?}");
            let wide = grapheme_columns(grapheme);
            if used + wide > room {
                break;
            }
            let mut own = [0_u8; 4];
            let shown = match self.look.glyphs.shown(grapheme) {
                Some(sign) => &*sign.encode_utf8(&mut own),
                None => grapheme,
            };
            // It refuses control characters, which `set_symbol` would pass on.
            self.buffer.set_stringn(x + used as u16, y, shown, wide, style);
            used += wide;
        }
        used
    }

    /// Writes a parted line into row `at` of an area, one blank free at both ends; on tiny screens at the left alone.
    pub(crate) fn parted(&mut self, area: Area, at: u16, line: &PartedLine) {
        let spans = line.fit(inner_width(area));
        self.spans(area, at, 1, &spans);
    }

    /// Blanks an area in the style of plain text.
    pub(crate) fn blank(&mut self, area: Area) {
        let style = self.look.theme.style(Role::Normal);
        for at in 0..area.height {
            let Some((x, y, width)) = self.cells(area, at) else {
                return;
            };
            for column in x..x + width {
                if let Some(cell) = self.buffer.cell_mut((column, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
        }
    }

    /// Writes spans at both ends of row `at` of an area, one blank free outside: the right ones stay, the left ones are
    /// cut.
    pub(crate) fn ends(&mut self, area: Area, at: u16, left: &[Span], right: &[Span]) {
        let room = usize::from(area.width).saturating_sub(2);
        let right = cut_spans(right.to_vec(), room);
        let taken = spans_width(&right);
        let left_room = if taken > 0 { room.saturating_sub(taken + 1) } else { room };
        self.spans(area, at, 1, &cut_spans(left.to_vec(), left_room));
        self.spans(area, at, usize::from(area.width).saturating_sub(1 + taken), &right);
    }

    /// Fills row `at` of an area with a sign.
    pub(crate) fn fill(&mut self, area: Area, at: u16, sign: char, role: Role) {
        let text = sign.to_string().repeat(usize::from(area.width));
        self.span(area, at, 0, &text, role);
    }

    /// The column between two panes.
    pub(crate) fn separator(&mut self, area: Area) {
        for at in 0..area.height {
            self.fill(area, at, glyphs::SEPARATOR, Role::Dim);
        }
    }

    /// A title row: a rule with a label at the left, in brackets when the pane is focused, and a note at the right.
    pub(crate) fn title(&mut self, area: Area, label: &str, focused: bool, note: &[Span]) {
        let (open, close) = if focused { ("[", "]") } else { (" ", " ") };
        let role = if focused { Role::Strong } else { Role::Dim };
        let label = [Span::new(open, role), Span::new(label, role), Span::new(close, role)];
        self.title_of(area, &label, note);
    }

    /// As [`Canvas::title`] with a label of several spans, blanks or brackets included.
    pub(crate) fn title_of(&mut self, area: Area, label: &[Span], note: &[Span]) {
        self.fill(area, 0, glyphs::RULE, Role::Dim);
        let width = usize::from(area.width);
        let used = self.spans(Area { width: area.width.saturating_sub(1), ..area }, 0, 1, label);
        let taken = spans_width(note) + 2;
        // A note that would touch the label says less than the rule does.
        if !note.is_empty() && 1 + used + taken + 2 <= width {
            let mut padded = vec![Span::plain(" ")];
            padded.extend_from_slice(note);
            padded.push(Span::plain(" "));
            self.spans(area, 0, width - taken - 1, &padded);
        }
    }

    /// Lays a style over row `at` of an area: the background of the selected row, the line under a linked one.
    pub(crate) fn over(&mut self, area: Area, at: u16, style: Style) {
        if let Some((x, y, width)) = self.cells(area, at) {
            self.buffer.set_style(Rect { x, y, width, height: 1 }, style);
        }
    }

    /// Marks row `at` as the selected one of the focused pane, or as the linked one of another pane.
    pub(crate) fn mark_row(&mut self, area: Area, at: u16, focused: bool) {
        let style = if focused {
            self.look.theme.style(Role::Selection)
        } else {
            Style::new().add_modifier(Modifier::UNDERLINED)
        };
        self.over(area, at, style);
    }

    /// A cell as a place on the terminal, for the cursor of an input line; `None` outside the screen.
    pub(crate) fn place(&self, area: Area, at: u16, from: usize) -> Option<(u16, u16)> {
        let (x, y, width) = self.cells(area, at)?;
        (from < usize::from(width)).then(|| (x + from as u16, y))
    }
}

/// Whether a grapheme may go to a terminal. `text::sanitize` makes sure of it; this watches that nothing goes past it.
fn is_printable(grapheme: &str) -> bool {
    grapheme.chars().all(|c| {
        !c.is_control()
            && !matches!(c, '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: u16, y: u16, width: u16, height: u16) -> Area {
        Area { x, y, width, height }
    }

    fn drawn(width: u16, height: u16, draw: impl FnOnce(&mut Canvas<'_>)) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        let look = Look::default();
        draw(&mut Canvas::new(&mut buffer, &look, area));
        super::super::rows_of(&buffer)
    }

    #[test]
    fn titles_have_brackets_when_focused() {
        let area = at(0, 0, 40, 1);
        let note = [Span::new("23 rows", Role::Dim)];
        let focused = drawn(40, 1, |canvas| {
            canvas.title(area, "2 Timeline", true, &note);
        });
        assert_eq!(focused[0], "╌[2 Timeline]╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 23 rows ╌");
        let other = drawn(40, 1, |canvas| canvas.title(area, "3 Calls", false, &note));
        assert_eq!(other[0], "╌ 3 Calls ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 23 rows ╌");
        let narrow = drawn(18, 1, |canvas| {
            canvas.title(at(0, 0, 18, 1), "2 Timeline", true, &note);
        });
        assert_eq!(narrow[0], "╌[2 Timeline]╌╌╌╌╌");
    }

    #[test]
    fn text_over_a_rule_has_its_own_look() {
        let area = Rect::new(0, 0, 20, 1);
        let mut buffer = Buffer::empty(area);
        let look = Look::default();
        Canvas::new(&mut buffer, &look, area).title(at(0, 0, 20, 1), "2 Timeline", true, &[]);
        assert_ne!(buffer[(2, 0)].fg, buffer[(19, 0)].fg);
        assert_eq!(buffer[(2, 0)].modifier, Modifier::BOLD);
    }

    #[test]
    fn nothing_is_written_outside() {
        let rows = drawn(5, 2, |canvas| {
            canvas.span(at(3, 1, 60, 9), 0, 0, "abcdef", Role::Normal);
            canvas.span(at(9, 9, 60, 9), 0, 0, "abcdef", Role::Normal);
            canvas.span(at(0, 0, 60, 9), 1, 90, "abcdef", Role::Normal);
            canvas.span(at(u16::MAX, u16::MAX, 60, 9), 1, 0, "abcdef", Role::Normal);
            canvas.span(at(0, 0, 4, 1), 0, 0, "合计合计", Role::Normal);
        });
        assert_eq!(rows, ["合⋯  ", "   a⋯"]);
    }
}
