//! The text report: the ten-minute pass in order, for people (docs/SCREENS.md section 8).
//!
//! Six questions with mark, answer and proof; below them what is open besides, tokens, and why the log stops. Plain
//! lines without colour; every text of the log is made printable and cut, lists are cut and say how much is missing.

mod besides;
pub mod store;

use std::io::{self, Write};

use crate::text::locale::Words;
use crate::text::number::size;
use crate::text::time::Zone;
use crate::text::width::pad_end;
use crate::triage::pages::{self, Draft};
use crate::triage::pass::page::{Line, LineKind, Page};
use crate::triage::pass::{Lines, six_questions};
use crate::triage::session::Session;

/// Columns of a question: the longest of ours and a blank.
const QUESTION: usize = 21;

/// Columns before an answer's further lines: number, question, mark.
const INDENT: usize = 3 + QUESTION + 3;

/// Columns of the tables below the questions.
const COLUMNS: usize = 120;

/// Writes the text report of a log from its facts alone.
pub fn write(session: &Session, words: &Words, zone: &Zone, out: &mut dyn Write) -> io::Result<()> {
    write_with(session, words, zone, &mut |_| None, out)
}

/// As [`write()`], with the first line of the arguments of the call in question, which needs the text of one row.
pub fn write_with(
    session: &Session,
    words: &Words,
    zone: &Zone,
    lines: &mut Lines<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page::new(session, words, zone);
    title(&mut page);
    six_questions(&mut page, lines);
    besides::all(&mut page);
    page.lines.iter().try_for_each(|line| writeln!(out, "{}", printed(line, words)))?;
    if session.facts.format.known {
        let mut draft = Draft::new(session, words, zone, COLUMNS, lines);
        draft.braces = true;
        pages::brief(&mut draft);
        draft.lines.iter().try_for_each(|line| writeln!(out, "{}", line.text().trim_end()))?;
    }
    let mut page = Page::new(session, words, zone);
    besides::why_stopped(&mut page);
    page.lines.iter().try_for_each(|line| writeln!(out, "{}", printed(line, words)))
}

fn printed(line: &Line, words: &Words) -> String {
    let text = &line.text;
    match line.kind {
        LineKind::Answer(step, mark) => {
            let question = pad_end(words.get(&format!("pass.step_{step}")), QUESTION);
            format!("{step}  {question}{}  {text}", mark.glyph())
        }
        LineKind::Proof => format!("{}{text}", " ".repeat(INDENT)),
        LineKind::Plain => text.clone(),
    }
}

fn title(page: &mut Page<'_>) {
    let path = page.path();
    let values = [("program", env!("CARGO_PKG_NAME")), ("version", env!("CARGO_PKG_VERSION")), ("path", &*path)];
    let title = page.words.say("report_text.title", &values);
    page.line(&title);
    let bytes = size(page.facts.container.file_bytes);
    let line = page.words.say("report_text.path_size", &[("size", &bytes), ("encoding", page.encoding())]);
    page.line(&line);
    page.blank();
}
