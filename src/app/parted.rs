//! A line made of parts that give way to each other: left parts from the left, right parts from the right edge.
//!
//! Each part has several forms, longest first. While the line is too wide, the least important part that still has a
//! shorter form takes it. A part of weight 0 never changes: state words, codes, `MISSING`, `REFUSES`.

use crate::text::role::{Role, Span, columns_of, cut_spans};

/// One part of a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// Its forms, longest first; an empty last form means that it may go away whole. All are printable.
    pub forms: Vec<Vec<Span>>,
    /// How soon it gives way: the highest first, 0 never.
    pub weight: u8,
    /// Blanks before it, unless it is the first shown of its side.
    pub gap: u16,
}

impl Part {
    /// A part that never changes.
    pub fn fixed(text: impl Into<String>, role: Role) -> Part {
        Part { forms: vec![vec![Span::new(text, role)]], weight: 0, gap: 2 }
    }

    /// A part that goes away whole.
    pub fn droppable(text: impl Into<String>, role: Role, weight: u8) -> Part {
        Part { forms: vec![vec![Span::new(text, role)], Vec::new()], weight, gap: 2 }
    }

    /// A part with several texts of one role, longest first; the last may be empty.
    #[must_use]
    pub fn shrinking(texts: &[String], role: Role, weight: u8) -> Part {
        let form = |text: &String| if text.is_empty() { Vec::new() } else { vec![Span::new(text.clone(), role)] };
        Part { forms: texts.iter().map(form).collect(), weight, gap: 2 }
    }

    /// The same with that many blanks before it.
    #[must_use]
    pub fn gap(mut self, gap: u16) -> Part {
        self.gap = gap;
        self
    }

    /// The same, drawn reversed.
    #[must_use]
    pub fn reversed(mut self) -> Part {
        for span in self.forms.iter_mut().flatten() {
            span.reversed = true;
        }
        self
    }
}

/// A line of parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartedLine {
    /// From the left edge.
    pub left: Vec<Part>,
    /// From the right edge, in reading order.
    pub right: Vec<Part>,
}

impl PartedLine {
    /// The pieces of the line in exactly `width` columns, blanks filled in; nothing for a width of 0.
    ///
    /// When even the shortest forms are too wide, the left side is cut at its end, and the right side only after that.
    #[must_use]
    pub fn fit(&self, width: u16) -> Vec<Span> {
        let width = usize::from(width);
        let mut chosen: Vec<usize> = vec![0; self.left.len() + self.right.len()];
        while self.needed(&chosen) > width {
            let next =
                self.parts().enumerate().filter(|(at, part)| part.weight > 0 && chosen[*at] + 1 < part.forms.len());
            match next.max_by_key(|(_, part)| part.weight) {
                Some((at, _)) => chosen[at] += 1,
                None => break,
            }
        }
        let left = side(&self.left, &chosen[..self.left.len()]);
        let right = side(&self.right, &chosen[self.left.len()..]);
        join(left, right, width)
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.left.iter().chain(&self.right)
    }

    fn needed(&self, chosen: &[usize]) -> usize {
        let (left, right) = chosen.split_at(self.left.len());
        let left = columns_of(&side(&self.left, left));
        let right = columns_of(&side(&self.right, right));
        left + right + if left > 0 && right > 0 { 2 } else { 0 }
    }
}

fn side(parts: &[Part], chosen: &[usize]) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for (part, form) in parts.iter().zip(chosen) {
        let Some(spans) = part.forms.get(*form).filter(|spans| !spans.is_empty()) else { continue };
        if !out.is_empty() && part.gap > 0 {
            out.push(Span::plain(" ".repeat(usize::from(part.gap))));
        }
        out.extend(spans.iter().cloned());
    }
    out
}

/// Left and right side in exactly `width` columns.
fn join(left: Vec<Span>, right: Vec<Span>, width: usize) -> Vec<Span> {
    let right_wide = columns_of(&right).min(width);
    let gap = usize::from(right_wide > 0 && right_wide < width);
    let mut out = cut_spans(left, width - right_wide - gap);
    let used = columns_of(&out);
    let blanks = width - right_wide - used;
    if blanks > 0 {
        out.push(Span::plain(" ".repeat(blanks)));
    }
    out.extend(cut_spans(right, right_wide));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width::columns;

    fn text(spans: &[Span]) -> String {
        spans.iter().map(|span| span.text.as_str()).collect()
    }

    fn sample() -> PartedLine {
        PartedLine {
            left: vec![
                Part::shrinking(&["/home/dev/shop-api".into(), "/home/⋯".into(), String::new()], Role::Strong, 9),
                Part::fixed("depth MISSING", Role::Bad),
                Part::droppable("format 0", Role::Normal, 3),
            ],
            right: vec![Part::droppable("session-1", Role::Dim, 5), Part::fixed("REFUSES", Role::Bad)],
        }
    }

    #[test]
    fn parts_give_way_by_weight_and_fixed_ones_stay() {
        for (width, expected) in [
            (60, "/home/dev/shop-api  depth MISSING  format 0  session-1  REFUSES"),
            (50, "/home/⋯  depth MISSING  format 0  session-1  REFUSES"),
        ] {
            let shown = text(&sample().fit(width));
            assert_eq!(columns(&shown), usize::from(width));
            let squeezed = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            let wanted = expected.split_whitespace().collect::<Vec<_>>().join(" ");
            if width == 60 {
                assert!(squeezed.starts_with("/home/⋯"), "{squeezed}");
            } else {
                assert!(squeezed.starts_with("depth MISSING") || squeezed == wanted, "{squeezed}");
            }
        }
        for width in 22..70 {
            let shown = text(&sample().fit(width));
            assert!(shown.contains("MISSING") && shown.contains("REFUSES"), "{width}: {shown}");
        }
    }

    #[test]
    fn any_width_is_kept_exactly() {
        for width in 0..90 {
            assert_eq!(columns(&text(&sample().fit(width))), usize::from(width));
        }
    }
}
