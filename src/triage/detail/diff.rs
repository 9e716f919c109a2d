//! Two texts as a diff with word marks.

use similar::{ChangeTag, DiffOp, TextDiff};

use super::page::{Page, span_of};
use crate::text::locale::Words;
use crate::text::role::{Role, Span, cut_spans};
use crate::text::sanitize::{Limits, lines};
use crate::text::width::columns;
use crate::triage::doc::{DocLine, Overflow};

/// Lines of both sides that are compared; the cost grows with their product.
const MOST_LINES: usize = 4_000;

/// Bytes of a replaced stretch in which changed words are marked.
const MOST_MARKED: usize = 8 << 10;

/// Columns of each side of a diff drawn side by side.
const SIDE_COLUMNS: usize = 48;

/// Lines that are kept at both ends of a stretch that is folded.
const KEPT: usize = 3;

/// A line of a diff before it is drawn.
struct Changed {
    tag: ChangeTag,
    /// Pieces of text, changed words marked.
    pieces: Vec<(bool, String)>,
}

/// The lines of a diff; `None` for texts too long to compare.
fn changed(old: &[u8], new: &[u8]) -> Option<Vec<Changed>> {
    let count = memchr::memchr_iter(b'\n', old).count() + memchr::memchr_iter(b'\n', new).count();
    if count > MOST_LINES {
        return None;
    }
    // Marks of bad bytes come back when the pieces are drawn: U+FFFD stands for them here.
    let (old, new) = (ended(old), ended(new));
    let diff = TextDiff::from_lines(old.as_str(), new.as_str());
    let mut out = Vec::new();
    for op in diff.ops() {
        // Word marks of long stretches cost much and help nobody.
        let is_replaced = matches!(op, DiffOp::Replace { .. });
        let bytes: usize = if is_replaced { diff.iter_changes(op).map(|change| change.value().len()).sum() } else { 0 };
        if is_replaced && bytes <= MOST_MARKED {
            for change in diff.iter_inline_changes(op) {
                let pieces = change.iter_strings_lossy().map(|(marked, text)| (marked, text.into_owned())).collect();
                out.push(Changed { tag: change.tag(), pieces });
            }
        } else {
            for change in diff.iter_changes(op) {
                out.push(Changed { tag: change.tag(), pieces: vec![(false, change.value().to_string())] });
            }
        }
    }
    Some(out)
}

fn ended(text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(text).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Adds a diff with one side above the other: `-` and `+` before the lines, without colours `{-` `-}` and `{+` `+}`
/// around words.
pub(super) fn unified(page: &mut Page<'_>, old: &[u8], new: &[u8]) {
    let Some(lines) = changed(old, new) else { return whole(page, old, new) };
    for line in lines {
        page.push(one(&line, page.detail.braces));
    }
}

fn one(line: &Changed, braces: bool) -> DocLine {
    let (sign, role) = look(line.tag);
    let mut spans = vec![Span::new(format!(" {sign} "), role)];
    spans.extend(drawn(line, role, braces));
    DocLine { spans, indent: 3, overflow: Overflow::Wrap, ..DocLine::default() }
}

/// The lines of a diff in which long stretches of one kind are folded to their first and last lines; at most `most`.
/// `None` for texts too long to compare.
pub(in crate::triage) fn folded(
    old: &[u8],
    new: &[u8],
    words: &Words,
    braces: bool,
    most: usize,
) -> Option<Vec<DocLine>> {
    let lines = changed(old, new)?;
    let mut out = Vec::new();
    for stretch in lines.chunk_by(|one, next| one.tag == next.tag) {
        let fold = |from: usize, to: usize| {
            let (sign, role) = look(stretch.first().map_or(ChangeTag::Equal, |line| line.tag));
            let count = words.count("count.lines", (to - from) as u64);
            DocLine { indent: 3, ..DocLine::of(format!(" {sign} ⋯ {count}"), role) }
        };
        let ends = if stretch.len() > 2 * KEPT + 1 { KEPT } else { stretch.len() };
        let (first, rest) = stretch.split_at(ends);
        out.extend(first.iter().map(|line| one(line, braces)));
        if let Some(last) = rest.len().checked_sub(KEPT).filter(|_| !rest.is_empty()) {
            out.push(fold(ends, ends + last));
            out.extend(rest.iter().skip(last).map(|line| one(line, braces)));
        }
    }
    if out.len() > most {
        let more = words.count("report_text.more", (out.len() - most) as u64);
        out.truncate(most);
        out.push(DocLine::of(format!("   {more}"), Role::Dim));
    }
    Some(out)
}

/// Adds a diff with both sides on one row.
pub(super) fn side_by_side(page: &mut Page<'_>, old: &[u8], new: &[u8]) {
    let Some(lines) = changed(old, new) else { return whole(page, old, new) };
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for line in &lines {
        let (_, role) = look(line.tag);
        let text = drawn(line, role, page.detail.braces);
        match line.tag {
            ChangeTag::Delete => gone.push(text),
            ChangeTag::Insert => come.push(text),
            ChangeTag::Equal => {
                pairs(page, &mut gone, &mut come);
                row(page, (" ", text.clone(), role), (" ", text, role));
            }
        }
    }
    pairs(page, &mut gone, &mut come);
}

fn pairs(page: &mut Page<'_>, gone: &mut Vec<Vec<Span>>, come: &mut Vec<Vec<Span>>) {
    let count = gone.len().max(come.len());
    let (mut gone, mut come) = (gone.drain(..), come.drain(..));
    for _ in 0..count {
        let left = gone.next().map_or((" ", Vec::new(), Role::Normal), |text| ("-", text, Role::Bad));
        let right = come.next().map_or((" ", Vec::new(), Role::Normal), |text| ("+", text, Role::Ok));
        row(page, left, right);
    }
}

/// One row: sign and text of each half, both halves equally wide.
fn row(page: &mut Page<'_>, left: (&str, Vec<Span>, Role), right: (&str, Vec<Span>, Role)) {
    let mut spans = vec![Span::new(format!(" {} ", left.0), left.2)];
    let shown = cut_spans(left.1, SIDE_COLUMNS);
    let used: usize = shown.iter().map(|span| columns(&span.text)).sum();
    spans.extend(shown);
    spans.push(Span::plain(" ".repeat(SIDE_COLUMNS.saturating_sub(used) + 2)));
    spans.push(Span::new(format!("{} ", right.0), right.2));
    spans.extend(cut_spans(right.1, SIDE_COLUMNS));
    page.push(DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() });
}

/// Texts too long to compare: all of the one, then all of the other.
fn whole(page: &mut Page<'_>, old: &[u8], new: &[u8]) {
    for (text, tag) in [(old, ChangeTag::Delete), (new, ChangeTag::Insert)] {
        let (sign, role) = look(tag);
        let limits = Limits { max_bytes: page.detail.limit, ..Limits::default() };
        for pieces in lines(text, limits).lines {
            let mut spans = vec![Span::new(format!(" {sign} "), role)];
            spans.extend(pieces.into_iter().map(|piece| span_of(piece, role)));
            page.push(DocLine { spans, indent: 3, overflow: Overflow::Wrap, ..DocLine::default() });
        }
    }
}

fn look(tag: ChangeTag) -> (char, Role) {
    match tag {
        ChangeTag::Delete => ('-', Role::Bad),
        ChangeTag::Insert => ('+', Role::Ok),
        ChangeTag::Equal => (' ', Role::Normal),
    }
}

/// The pieces of a line, sanitised, changed words reversed and, where `braces` says so, in braces.
fn drawn(line: &Changed, role: Role, braces: bool) -> Vec<Span> {
    let sign = match line.tag {
        ChangeTag::Delete => '-',
        ChangeTag::Insert => '+',
        ChangeTag::Equal => ' ',
    };
    let mut spans = Vec::new();
    for (marked, text) in &line.pieces {
        let text = text.strip_suffix('\n').unwrap_or(text);
        if text.is_empty() {
            continue;
        }
        let pieces = lines(text.as_bytes(), Limits::default()).lines.into_iter().flatten();
        if *marked {
            let brace = |text: String| braces.then(|| Span::new(text, role).reversed());
            spans.extend(brace(format!("{{{sign}")));
            spans.extend(pieces.map(|piece| span_of(piece, role).reversed()));
            spans.extend(brace(format!("{sign}}}")));
        } else {
            spans.extend(pieces.map(|piece| span_of(piece, role)));
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &str, new: &str, most: usize) -> Option<Vec<String>> {
        let words = Words::english();
        let lines = folded(old.as_bytes(), new.as_bytes(), &words, false, most)?;
        Some(lines.iter().map(DocLine::text).collect())
    }

    #[test]
    fn long_stretches_are_folded_and_changes_are_not() {
        let numbers = |from: u32, to: u32| (from..to).map(|n| format!("{n}\n")).collect::<Vec<_>>().concat();
        let one = told(&numbers(0, 20), &numbers(0, 20).replace("10\n", "ten\n"), 99).expect("short texts");
        let folded = ["   0", "   1", "   2", "   ⋯ 4 lines", "   7", "   8", "   9", " - 10", " + ten"];
        assert_eq!(one[..9], folded);
        let gone = told(&numbers(0, 100), "", 99).expect("short texts");
        assert_eq!(gone, [" - 0", " - 1", " - 2", " - ⋯ 94 lines", " - 97", " - 98", " - 99"]);
        assert_eq!(told(&numbers(0, 7), &numbers(0, 7), 99).map(|lines| lines.len()), Some(7), "nothing to fold");
    }

    #[test]
    fn hostile_texts_are_bounded_and_printable() {
        assert_eq!(told(&"x\n".repeat(5_000), "x\n", 99), None, "too long to compare");
        let odd: String = (0..400).map(|n| if n % 2 == 0 { "a\n".to_owned() } else { format!("{n}\n") }).collect();
        let lines = told(&odd, &odd.replace("a\n", "b\n"), 50).expect("short texts");
        assert_eq!(lines.len(), 51);
        let lines = told("\u{1b}[2Jx\n", "\u{202e}y\n", 9).expect("short texts");
        assert!(lines.iter().all(|line| !line.contains(['\u{1b}', '\u{202e}'])), "{lines:?}");
        assert_eq!(told("", "", 9), Some(vec![]));
    }
}
