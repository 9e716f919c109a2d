//! The text report: the ten-minute pass in order, for people (docs/SCREENS.md section 8).
//!
//! Six questions with mark, answer and proof; below them what is open besides, tokens, and why the log stops. Plain
//! lines without colour; every text of the log is made printable and cut, lists are cut and say how much is missing.

mod arguments;
mod besides;
mod call;
mod head;
mod page;
mod whole;

use std::io::{self, Write};

use self::page::Page;
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::number::size;
use crate::text::time::Zone;
use crate::triage::session::Session;

/// Gives the stored text of a row, whole or its first kilobytes; `None` where it cannot be had.
pub type Lines<'a> = dyn FnMut(RowIx) -> Option<Vec<u8>> + 'a;

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
    let mut page = Page::new(session, words, zone, out);
    title(&mut page)?;
    head::what_is_this(&mut page)?;
    whole::is_it_whole(&mut page)?;
    call::last_call(&mut page, lines)?;
    besides::all(&mut page)?;
    besides::why_stopped(&mut page)
}

fn title(page: &mut Page<'_>) -> io::Result<()> {
    let path = page.path();
    let values = [("program", env!("CARGO_PKG_NAME")), ("version", env!("CARGO_PKG_VERSION")), ("path", &*path)];
    let title = page.words.say("report_text.title", &values);
    page.line(&title)?;
    let bytes = size(page.facts.container.file_bytes);
    let line = page.words.say("report_text.path_size", &[("size", &bytes), ("encoding", page.encoding())]);
    page.line(&line)?;
    page.blank()
}
