//! The ten-minute pass (docs/SCREENS.md section 8): six questions, each with answer, proof and place, as the report
//! has them.

use super::sheet::Sheet;
use super::{Page, PageKind};
use crate::app::parted::{Part, PartedLine};
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::pad_end;
use crate::triage::doc::DocLine;
use crate::triage::facts::{Facts, StopCause};
use crate::triage::pass::page::{self, Line, LineKind, Mark};
use crate::triage::pass::{six_questions, stopped};

/// Columns of the questions.
const QUESTION: usize = 21;

/// Columns before an answer's further lines: number, question, mark.
const INDENT: usize = 3 + QUESTION + 3;

/// The same on a screen that is no wider than [`NARROW`]: under the question, so that all six stand on one screen.
const NARROW_INDENT: usize = 5;

/// Columns up to which a screen is narrow.
const NARROW: u16 = 100;

/// The page.
pub(crate) fn six_steps(mut sheet: Sheet<'_>) -> Page {
    let (words, facts) = (sheet.words, sheet.facts);
    let mut pass = page::Page::new(sheet.session, words, sheet.zone);
    pass.brief = true;
    six_questions(&mut pass, &mut |row| sheet.text(row).map(<[u8]>::to_vec));
    let is_news = |line: &Line| matches!(line.kind, LineKind::Answer(_, mark) if mark != Mark::Fine);
    let indent = if sheet.width <= NARROW { NARROW_INDENT } else { INDENT };
    for line in &pass.lines {
        sheet.push(drawn(line, words, indent));
    }
    if facts.format.known {
        let text = words.say("pass.why_stopped", &[("text", &stopped(facts, words))]);
        let role = if ended_with_error(facts) { Role::Bad } else { Role::Normal };
        sheet.push(DocLine { target: facts.stopped.row.map(at), ..DocLine::of(text, role) });
    }
    if sheet.is_long() {
        // Six answers on one screen are worth more than the air between them.
        pass.lines.retain(|line| !line.text.is_empty());
        sheet.doc.lines.retain(|line| !line.text().is_empty());
    }
    let news = pass.lines.iter().position(is_news);
    let path = display(sheet.session.path.to_string_lossy().as_bytes());
    let last: Vec<&str> = path.rsplit('/').take(2).collect();
    let short = last.into_iter().rev().collect::<Vec<_>>().join("/");
    let title = PartedLine {
        left: vec![
            Part::fixed(words.get("pass.title"), Role::Strong),
            Part::shrinking(&[path, short], Role::Normal, 8).gap(3),
        ],
        right: vec![Part::shrinking(
            &[words.get("pass.hint").to_owned(), words.get("page_header.back").to_owned()],
            Role::Dim,
            9,
        )],
    };
    // A turn that ended with an error is news where all six are answered.
    let stopped = sheet.doc.lines.len().saturating_sub(1);
    let cursor = news.or(ended_with_error(facts).then_some(stopped)).unwrap_or(0);
    sheet.finish(PageKind::SixSteps, title, cursor)
}

/// Whether the log stops at a turn that ended with an error.
fn ended_with_error(facts: &Facts) -> bool {
    let last = facts.turns.iter().max_by_key(|turn| turn.start_row);
    let end = last.and_then(|turn| turn.end.as_ref());
    facts.stopped.cause == StopCause::TurnEnded && end.is_some_and(|end| *end == "error")
}

/// The number of the question that a line begins with.
pub(super) fn step_of(line: &DocLine) -> Option<usize> {
    let (number, _) = line.spans.first()?.text.split_once("  ")?;
    number.parse().ok()
}

fn at(row: RowIx) -> EventRef {
    EventRef { row, member: 0 }
}

fn drawn(line: &Line, words: &Words, indent: usize) -> DocLine {
    let target = line.row.map(at);
    match line.kind {
        LineKind::Answer(step, mark) => {
            let role = match mark {
                Mark::Fine => Role::Ok,
                Mark::Unknown => Role::Unknown,
                Mark::Wrong => Role::Bad,
                Mark::NotStarted | Mark::Look => Role::Warn,
            };
            let question = pad_end(words.get(&format!("pass.step_{step}")), QUESTION);
            let spans = vec![
                Span::new(format!("{step}  {question}"), Role::Dim),
                Span::new(format!("{}  ", mark.glyph()), role),
                Span::new(line.text.clone(), Role::Strong),
            ];
            DocLine { spans, target, indent: indent as u16, ..DocLine::default() }
        }
        LineKind::Proof => {
            let text = format!("{}{}", " ".repeat(indent), line.text);
            DocLine { target, indent: indent as u16, ..DocLine::of(text, Role::Normal) }
        }
        LineKind::Plain => DocLine { target, ..DocLine::of(line.text.clone(), Role::Normal) },
    }
}
