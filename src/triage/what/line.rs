//! Building one line of text from parts, cut to the columns there are.

use crate::text::role::{Role, Span, cut_spans};
use crate::text::sanitize::one_line;
use crate::text::width::columns;

/// Bytes of a log's text that one part is made from at most, whatever the columns.
pub(super) const MOST_BYTES: usize = 8 << 10;

/// One line under way. Everything pushed is printable already, or goes through [`one_line`] here.
#[derive(Debug)]
pub(super) struct Line {
    spans: Vec<Span>,
    used: usize,
    max: usize,
}

impl Line {
    /// An empty line of at most `max` columns.
    pub(super) fn new(max: usize) -> Line {
        Line { spans: Vec::new(), used: 0, max }
    }

    /// The columns it may have.
    pub(super) fn max(&self) -> usize {
        self.max
    }

    /// The columns that are left.
    pub(super) fn room(&self) -> usize {
        self.max.saturating_sub(self.used)
    }

    /// Whether nothing was pushed.
    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Adds printable text with a role.
    pub(super) fn push(&mut self, text: &str, role: Role) -> &mut Line {
        if text.is_empty() || self.used > self.max {
            return self;
        }
        self.used += columns(text);
        match self.spans.last_mut() {
            Some(last) if last.role == role => last.text.push_str(text),
            _ => self.spans.push(Span::new(text, role)),
        }
        self
    }

    /// Adds plain printable text.
    pub(super) fn add(&mut self, text: &str) -> &mut Line {
        self.push(text, Role::Normal)
    }

    /// Adds a part after one blank; nothing before the first part, nothing for an empty one.
    pub(super) fn part(&mut self, text: &str) -> &mut Line {
        self.after(" ", text)
    }

    /// Adds a part after two blanks: what follows is of another sort.
    pub(super) fn apart(&mut self, text: &str) -> &mut Line {
        self.after("  ", text)
    }

    /// Adds a part of a role after two blanks.
    pub(super) fn apart_in(&mut self, text: &str, role: Role) -> &mut Line {
        if !self.is_empty() && !text.is_empty() {
            self.add("  ");
        }
        self.push(text, role)
    }

    /// Adds a part after a separator, unless it is empty; the separator only after something else.
    pub(super) fn after(&mut self, separator: &str, text: &str) -> &mut Line {
        if text.is_empty() {
            return self;
        }
        if !self.is_empty() {
            self.add(separator);
        }
        self.add(text)
    }

    /// Adds a figure after a separator, or nothing when it does not fit whole: a number is never cut.
    pub(super) fn figure(&mut self, separator: &str, text: &str) -> &mut Line {
        if self.used + columns(separator) + columns(text) <= self.max {
            self.after(separator, text);
        }
        self
    }

    /// Adds text of a log in double quotes, after a separator. An empty text is `""`.
    pub(super) fn quote(&mut self, separator: &str, text: &[u8]) -> &mut Line {
        let quoted = format!("\"{}\"", self.printable(text));
        self.after(separator, &quoted)
    }

    /// Text of a log on one line, cut to what the line can show.
    pub(super) fn printable(&self, text: &[u8]) -> String {
        one_line(text, self.max.saturating_add(1))
    }

    /// Adds text of a log after a separator.
    pub(super) fn log(&mut self, separator: &str, text: &[u8]) -> &mut Line {
        let text = self.printable(text);
        self.after(separator, &text)
    }

    /// The pieces, cut to the columns there are.
    pub(super) fn finish(self) -> Vec<Span> {
        cut_spans(self.spans, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(spans: &[Span]) -> String {
        spans.iter().map(|span| span.text.as_str()).collect()
    }

    #[test]
    fn cuts_at_the_end_and_drops_figures_that_do_not_fit() {
        for (max, expected) in [(30, "edit call_1  in 43ms now"), (14, "edit call_1 no⋯"), (6, "edit ⋯")] {
            let mut line = Line::new(max);
            line.part("edit").part("call_1").figure("  ", "in 43ms").part("now");
            let expected: String = expected.chars().take(max).collect();
            let spans = line.finish();
            assert!(columns(&text(&spans)) <= max);
            if max == 30 {
                assert_eq!(text(&spans), expected);
            }
            assert!(!text(&spans).contains("4⋯"));
        }
    }

    #[test]
    fn the_mark_stands_even_where_a_piece_fits_exactly() {
        let spans = vec![Span::plain("abcd"), Span::new("ef", Role::Warn)];
        assert_eq!(text(&cut_spans(spans.clone(), 4)), "abc⋯");
        assert_eq!(text(&cut_spans(spans.clone(), 5)), "abcd⋯");
        assert_eq!(text(&cut_spans(spans.clone(), 6)), "abcdef");
        assert_eq!(text(&cut_spans(spans, 0)), "");
    }
}
