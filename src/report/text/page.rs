//! The shape of the page: numbered questions, answers, proofs, sections.

use std::io::{self, Write};

use crate::log::sniff::Encoding;
use crate::text::locale::Words;
use crate::text::sanitize::one_line;
use crate::text::time::Zone;
use crate::text::width::pad_end;
use crate::triage::facts::Facts;
use crate::triage::session::Session;

/// Columns of a question: the longest of ours and a blank.
const QUESTION: usize = 21;

/// Columns before an answer's further lines: number, question, mark.
const INDENT: usize = 3 + QUESTION + 3;

/// Entries of a list before the rest is only counted: a report is read, not searched. The JSON form has all.
pub(super) const MOST_LISTED: usize = 20;

/// Most columns of a path.
const MOST_PATH: usize = 1_000;

/// How an answer stands: the mark column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Fine.
    Fine,
    /// Unknown.
    Unknown,
    /// Wrong.
    Wrong,
    /// Not started.
    NotStarted,
    /// Look here.
    Look,
}

impl Mark {
    fn glyph(self) -> char {
        match self {
            Mark::Fine => '✓',
            Mark::Unknown => '?',
            Mark::Wrong => '✗',
            Mark::NotStarted => '◦',
            Mark::Look => '!',
        }
    }
}

/// The page while it is written.
pub(super) struct Page<'a> {
    pub(super) session: &'a Session,
    pub(super) facts: &'a Facts,
    pub(super) words: &'a Words,
    pub(super) zone: &'a Zone,
    out: &'a mut dyn Write,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub(super) fn new(session: &'a Session, words: &'a Words, zone: &'a Zone, out: &'a mut dyn Write) -> Page<'a> {
        Page { session, facts: &session.facts, words, zone, out }
    }

    /// A line from the left edge.
    pub(super) fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", text.trim_end())
    }

    /// An empty line.
    pub(super) fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// A question of the pass with its answer.
    pub(super) fn answer(&mut self, step: usize, mark: Mark, text: &str) -> io::Result<()> {
        let question = pad_end(self.words.get(&format!("pass.step_{step}")), QUESTION);
        let line = format!("{step}  {question}{}  {text}", mark.glyph());
        self.line(&line)
    }

    /// A further line of an answer.
    pub(super) fn proof(&mut self, text: &str) -> io::Result<()> {
        let line = format!("{}{text}", " ".repeat(INDENT));
        self.line(&line)
    }

    /// Further lines of an answer, one an item, as many as are listed; then how many more there are.
    pub(super) fn proofs<T>(&mut self, items: &[T], say: impl Fn(&Self, &T) -> String) -> io::Result<()> {
        for item in items.iter().take(MOST_LISTED) {
            let text = say(self, item);
            self.proof(&text)?;
        }
        self.more(items.len())
    }

    /// A section below the questions: its name and number, then a line for each of the last items, since a broken
    /// session is read from its end. Nothing for none.
    pub(super) fn section<T>(&mut self, key: &str, items: &[T], say: impl Fn(&Self, &T) -> String) -> io::Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        let title = format!("{} ({})", self.words.get(key), self.words.number(items.len() as u64));
        self.line(&title)?;
        let before = items.len().saturating_sub(MOST_LISTED);
        if before > 0 {
            let text = self.words.count("report_text.before", before as u64);
            self.proof(&text)?;
        }
        self.proofs(&items[before..], say)?;
        self.blank()
    }

    fn more(&mut self, all: usize) -> io::Result<()> {
        if all <= MOST_LISTED {
            return Ok(());
        }
        let text = self.words.count("report_text.more", (all - MOST_LISTED) as u64);
        self.proof(&text)
    }

    /// The path of the log, printable.
    pub(super) fn path(&self) -> String {
        one_line(self.session.path.as_os_str().as_encoded_bytes(), MOST_PATH)
    }

    /// The encoding in words.
    pub(super) fn encoding(&self) -> &'a str {
        self.words.get(match self.facts.container.encoding {
            Encoding::Zstd => "header.zstd",
            Encoding::Plain => "header.plain",
        })
    }
}
