//! The lines of the pass: numbered questions, answers, proofs, sections.

use crate::log::sniff::Encoding;
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::sanitize::one_line;
use crate::text::time::Zone;
use crate::triage::facts::Facts;
use crate::triage::session::Session;

/// Entries of a list before the rest is only counted: a report is read, not searched. The JSON form has all.
pub(crate) const MOST_LISTED: usize = 20;

/// Most columns of a path.
const MOST_PATH: usize = 1_000;

/// How an answer stands: the mark column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
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
    /// Its sign.
    pub(crate) fn glyph(self) -> char {
        match self {
            Mark::Fine => '✓',
            Mark::Unknown => '?',
            Mark::Wrong => '✗',
            Mark::NotStarted => '◦',
            Mark::Look => '!',
        }
    }
}

/// A line of the pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// What it is.
    pub(crate) kind: LineKind,
    /// Its text, printable, without a line end.
    pub(crate) text: String,
    /// The line of the log that it is about.
    pub(crate) row: Option<RowIx>,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// The answer to a question, from 1.
    Answer(usize, Mark),
    /// A further line of an answer or of a section.
    Proof,
    /// A line from the left edge; an empty one parts two questions.
    Plain,
}

/// The lines while they are gathered.
pub(crate) struct Page<'a> {
    pub(crate) session: &'a Session,
    pub(crate) facts: &'a Facts,
    pub(crate) words: &'a Words,
    pub(crate) zone: &'a Zone,
    pub(crate) lines: Vec<Line>,
    /// For a screen: what other pages and the rows themselves show is left out, so that the six answers stand together.
    pub(crate) brief: bool,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub(crate) fn new(session: &'a Session, words: &'a Words, zone: &'a Zone) -> Page<'a> {
        Page { session, facts: &session.facts, words, zone, lines: Vec::new(), brief: false }
    }

    fn push(&mut self, kind: LineKind, text: &str) {
        self.lines.push(Line { kind, text: text.trim_end().to_owned(), row: None });
    }

    /// A line from the left edge.
    pub(crate) fn line(&mut self, text: &str) {
        self.push(LineKind::Plain, text);
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) {
        self.line("");
    }

    /// A question of the pass with its answer.
    pub(crate) fn answer(&mut self, step: usize, mark: Mark, text: &str) {
        self.push(LineKind::Answer(step, mark), text);
    }

    /// A further line of an answer.
    pub(crate) fn proof(&mut self, text: &str) {
        self.push(LineKind::Proof, text);
    }

    /// The line of the log that the last line is about.
    pub(crate) fn leads(&mut self, row: Option<RowIx>) {
        if let Some(line) = self.lines.last_mut() {
            line.row = row;
        }
    }

    /// Further lines of an answer, one an item, as many as are listed; then how many more there are.
    pub(crate) fn proofs<T>(&mut self, items: &[T], say: impl Fn(&Self, &T) -> String) {
        self.proofs_at(items, |_| None, say);
    }

    /// As [`Page::proofs`], each with the line of the log that it is about.
    pub(crate) fn proofs_at<T>(
        &mut self,
        items: &[T],
        row: impl Fn(&T) -> Option<RowIx>,
        say: impl Fn(&Self, &T) -> String,
    ) {
        for item in items.iter().take(MOST_LISTED) {
            let text = say(self, item);
            self.proof(&text);
            self.leads(row(item));
        }
        if items.len() > MOST_LISTED {
            let text = self.words.count("report_text.more", (items.len() - MOST_LISTED) as u64);
            self.proof(&text);
        }
    }

    /// A section below the questions: its name and number, then a line for each of the last items, since a broken
    /// session is read from its end. Nothing for none.
    pub(crate) fn section<T>(&mut self, key: &str, items: &[T], say: impl Fn(&Self, &T) -> String) {
        if items.is_empty() {
            return;
        }
        let title = format!("{} ({})", self.words.get(key), self.words.number(items.len() as u64));
        self.line(&title);
        let before = items.len().saturating_sub(MOST_LISTED);
        if before > 0 {
            let text = self.words.count("report_text.before", before as u64);
            self.proof(&text);
        }
        self.proofs(&items[before..], say);
        self.blank();
    }

    /// The path of the log, printable.
    pub(crate) fn path(&self) -> String {
        one_line(self.session.path.as_os_str().as_encoded_bytes(), MOST_PATH)
    }

    /// The encoding in words.
    pub(crate) fn encoding(&self) -> &'a str {
        self.words.get(match self.facts.container.encoding {
            Encoding::Zstd => "header.zstd",
            Encoding::Plain => "header.plain",
        })
    }
}
