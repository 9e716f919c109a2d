//! Spans by column: what sideways scrolling leaves of them.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::role::{Role, Span};
use crate::text::width::{columns, grapheme_columns};

/// Columns of spans one after the other.
pub(crate) fn spans_width(spans: &[Span]) -> usize {
    spans.iter().map(|span| columns(&span.text)).sum()
}

/// Spans without their first `skip` columns, for scrolling sideways. Half of a wide character leaves a blank.
pub(crate) fn skip_columns(spans: &[Span], skip: usize) -> Vec<Span> {
    let mut left = skip;
    let mut kept = Vec::new();
    for span in spans {
        if left == 0 {
            kept.push(span.clone());
            continue;
        }
        let mut at = 0;
        let mut halved = 0;
        for grapheme in span.text.graphemes(true) {
            if left == 0 {
                break;
            }
            let wide = grapheme_columns(grapheme);
            halved = wide.saturating_sub(left);
            left = left.saturating_sub(wide);
            at += grapheme.len();
        }
        let text = format!("{}{}", " ".repeat(halved), &span.text[at..]);
        if !text.is_empty() {
            kept.push(Span { text, ..span.clone() });
        }
    }
    kept
}

/// The part of spans that stands in a range of bytes of their joined text. A bound inside a character, which only a
/// stale range has, moves to its start.
pub(crate) fn slice(spans: &[Span], range: std::ops::Range<usize>) -> Vec<Span> {
    let mut before = 0;
    let mut kept = Vec::new();
    for span in spans {
        let length = span.text.len();
        let from = floor(&span.text, range.start.saturating_sub(before).min(length));
        let to = floor(&span.text, range.end.saturating_sub(before).min(length));
        if from < to {
            kept.push(Span { text: span.text[from..to].to_owned(), ..span.clone() });
        }
        before += length;
        if before >= range.end {
            break;
        }
    }
    kept
}

/// Spans with the given ranges of their joined text in the role of a match; ranges in order, none overlapping.
pub(crate) fn highlight(spans: &[Span], ranges: &[std::ops::Range<usize>]) -> Vec<Span> {
    let total: usize = spans.iter().map(|span| span.text.len()).sum();
    let mut out = Vec::new();
    let mut at = 0;
    for range in ranges {
        out.extend(slice(spans, at..range.start));
        out.extend(slice(spans, range.clone()).into_iter().map(|span| Span { role: Role::Match, ..span }));
        at = range.end;
    }
    out.extend(slice(spans, at..total));
    out
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(spans: &[Span]) -> String {
        spans.iter().map(|span| span.text.as_str()).collect()
    }

    #[test]
    fn sideways_scrolling_keeps_columns() {
        let spans = [Span::plain("ab合"), Span::new("cd", Role::Bad)];
        assert_eq!(text(&skip_columns(&spans, 0)), "ab合cd");
        assert_eq!(text(&skip_columns(&spans, 3)), " cd");
        assert_eq!(text(&skip_columns(&spans, 4)), "cd");
        assert_eq!(text(&skip_columns(&spans, 9)), "");
    }

    #[test]
    fn matches_are_lifted_out_across_spans() {
        let spans = [Span::plain("one t"), Span::new("wo three", Role::Dim)];
        let marked = highlight(&spans, &[4..7, 8..13]);
        assert_eq!(text(&marked), "one two three");
        let roles: Vec<(&str, Role)> = marked.iter().map(|span| (span.text.as_str(), span.role)).collect();
        let expected =
            [("one ", Role::Normal), ("t", Role::Match), ("wo", Role::Match), (" ", Role::Dim), ("three", Role::Match)];
        assert_eq!(roles, expected);
    }

    #[test]
    fn a_slice_keeps_roles_and_never_halves_a_character() {
        let spans = [Span::plain("ab合"), Span::new("cd", Role::Bad)];
        assert_eq!(text(&slice(&spans, 1..6)), "b合c");
        assert_eq!(slice(&spans, 5..7), [Span::new("cd", Role::Bad)]);
        assert_eq!(text(&slice(&spans, 0..4)), "ab");
        assert_eq!(text(&slice(&spans, 9..99)), "");
    }
}
