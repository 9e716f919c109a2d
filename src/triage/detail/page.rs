//! What a tab is made from, and the page it becomes.

use std::sync::Arc;

use super::subject::{Subject, TabId};
use super::{approvals, arguments, changes, fields, header, message, record, result, stream};
use crate::session::index::Index;
use crate::session::row::{EventRef, RowIx, Seq};
use crate::text::locale::Words;
use crate::text::number::size;
use crate::text::role::{Role, Span};
use crate::text::sanitize::{Limits, Piece, PieceKind, lines};
use crate::text::time::Zone;
use crate::text::width::pad_end;
use crate::triage::doc::{Doc, DocLine, Overflow};
use crate::triage::peek::Peek;
use crate::triage::session::Session;

/// Bytes of a value that are shown unless a person asks for all of it.
pub const LIMIT: usize = 64 << 10;

/// Columns after which a line of a value is cut.
const LINE_COLUMNS: usize = 4096;

/// A stored line, or the start of one.
#[derive(Debug, Clone)]
pub struct RawLine {
    /// Its row.
    pub row: RowIx,
    /// The bytes at hand, from the line's first on.
    pub bytes: Arc<[u8]>,
    /// Bytes of the whole line; more than `bytes` has when it is cut.
    pub total: u64,
}

/// How a tab shows its value; `p` goes to the next of [`forms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// As stored.
    #[default]
    Raw,
    /// Keys and values, texts with their line breaks.
    Pretty,
    /// Every level on lines of its own, values as stored.
    Tree,
    /// A change, old above the other.
    Unified,
    /// A change, old beside the other.
    SideBySide,
}

/// The forms of a tab, the first is shown first; never empty.
#[must_use]
pub fn forms(tab: TabId) -> &'static [Form] {
    match tab {
        TabId::Arguments | TabId::Record => &[Form::Raw, Form::Pretty, Form::Tree],
        TabId::Fields => &[Form::Pretty, Form::Tree],
        TabId::Changes => &[Form::Unified, Form::SideBySide],
        TabId::Result
        | TabId::Approvals
        | TabId::Text
        | TabId::Stream
        | TabId::Usage
        | TabId::Prompt
        | TabId::Tools
        | TabId::Change => &[Form::Raw],
    }
}

/// Everything a tab is made from.
#[derive(Debug, Clone, Copy)]
pub struct Detail<'a> {
    /// The log.
    pub session: &'a Session,
    /// The words.
    pub words: &'a Words,
    /// The zone of clock times.
    pub zone: &'a Zone,
    /// The lines that [`super::needs`] names, as far as they are fetched, in any order.
    pub lines: &'a [RawLine],
    /// Bytes of a value that are shown: [`LIMIT`], or `usize::MAX` when all was asked for.
    pub limit: usize,
    /// How the value is shown; a form that the tab does not have is its first.
    pub form: Form,
    /// Changed words of a diff stand in braces: where no colour tells them.
    pub braces: bool,
}

impl<'a> Detail<'a> {
    /// A tab of a subject.
    ///
    /// A line that is not fetched yet is said to be; nothing fails.
    #[must_use]
    pub fn doc(&self, subject: Subject, tab: TabId) -> Doc {
        let form =
            if forms(tab).contains(&self.form) { self.form } else { forms(tab).first().copied().unwrap_or_default() };
        let detail = Detail { form, ..*self };
        let mut page = Page { detail: &detail, doc: Doc::default() };
        if let (Subject::Call(call), TabId::Arguments | TabId::Result) = (subject, tab) {
            super::twice::fill(&mut page, call);
        }
        match tab {
            TabId::Arguments => arguments::fill(&mut page, subject),
            TabId::Result => result::fill(&mut page, subject),
            TabId::Changes => changes::fill(&mut page, subject),
            TabId::Approvals => approvals::fill(&mut page, subject),
            TabId::Record => record::fill(&mut page, subject),
            TabId::Text => message::fill(&mut page, subject),
            TabId::Stream => stream::fill_stream(&mut page, subject),
            TabId::Usage => stream::fill_usage(&mut page, subject),
            TabId::Prompt => header::fill_prompt(&mut page, subject),
            TabId::Tools => header::fill_tools(&mut page, subject),
            TabId::Change => header::fill_change(&mut page, subject),
            TabId::Fields => fields::fill(&mut page, subject),
        }
        page.doc
    }

    /// When the pieces of an answer came, as a strip; nothing where too little is known.
    pub(in crate::triage) fn strip(&self, subject: Subject) -> Vec<DocLine> {
        let mut page = Page { detail: self, doc: Doc::default() };
        super::strip::alone(&mut page, subject);
        page.doc.lines
    }

    /// The fetched line of a row.
    pub(super) fn raw(&self, row: RowIx) -> Option<&'a RawLine> {
        self.lines.iter().find(|line| line.row == row)
    }

    /// The value of a row's line.
    pub(super) fn event(&self, row: RowIx) -> Option<Peek<'a>> {
        Peek::line(&self.raw(row)?.bytes)
    }

    /// `data` of a row's line.
    pub(super) fn data(&self, row: RowIx) -> Option<Peek<'a>> {
        self.event(row)?.get("data")
    }

    /// The index of the log.
    pub(super) fn index(&self) -> &'a Index {
        &self.session.index
    }
}

/// A tab under way.
pub(super) struct Page<'d> {
    pub(super) detail: &'d Detail<'d>,
    pub(super) doc: Doc,
}

impl Page<'_> {
    pub(super) fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.detail.words.say(key, values)
    }

    pub(super) fn push(&mut self, line: DocLine) {
        self.doc.lines.push(line);
    }

    pub(super) fn line(&mut self, text: impl Into<String>, role: Role) {
        self.push(DocLine::of(text, role));
    }

    /// A line of our own words.
    pub(super) fn words(&mut self, key: &str, values: &[(&str, &str)]) {
        let text = self.say(key, values);
        self.line(text, Role::Normal);
    }

    pub(super) fn blank(&mut self) {
        if self.doc.lines.last().is_some_and(|line| !line.spans.is_empty()) {
            self.push(DocLine::blank());
        }
    }

    /// A title with something at the right end.
    pub(super) fn title(&mut self, text: String, right: Vec<Span>, target: Option<EventRef>) {
        let line = DocLine { right, target, ..DocLine::of(text, Role::Dim) };
        self.push(line);
    }

    /// A name in a column, and what it is.
    pub(super) fn field(&mut self, name: &str, width: usize, value: Vec<Span>, target: Option<EventRef>) {
        let mut spans = vec![Span::plain(format!("  {}  ", pad_end(name, width)))];
        spans.extend(value);
        let indent = u16::try_from(width + 4).unwrap_or(4).min(30);
        self.push(DocLine { spans, target, indent, ..DocLine::default() });
    }

    /// That a line is not fetched yet.
    pub(super) fn loading(&mut self) {
        let text = self.say("detail.loading", &[]);
        self.line(text, Role::Dim);
    }

    /// Text of a log in lines of its own, with a number before each where it has several and `numbered` says so.
    ///
    /// `total` is the length of the whole text; what the lines leave out is said and noted.
    pub(super) fn block(&mut self, bytes: &[u8], total: u64, style: Style) {
        let shown = bytes.get(..bytes.len().min(self.detail.limit)).unwrap_or_default();
        let limits = Limits { max_bytes: self.detail.limit, max_lines: usize::MAX, max_columns_per_line: LINE_COLUMNS };
        let text = lines(shown, limits);
        let numbered = style.numbered && text.lines.len() > 1;
        for (at, pieces) in text.lines.into_iter().enumerate() {
            let mut spans = Vec::with_capacity(pieces.len() + 1);
            if numbered {
                spans.push(Span::new(format!("{:>4}  ", at + 1), Role::Dim));
            } else if style.indent > 0 {
                spans.push(Span::plain(" ".repeat(usize::from(style.indent))));
            }
            spans.extend(pieces.into_iter().map(|piece| span_of(piece, style.role)));
            let indent = if numbered { 6 } else { style.indent.max(2) };
            self.push(DocLine { spans, indent, overflow: Overflow::Wrap, ..DocLine::default() });
        }
        self.more(total.saturating_sub(text.read as u64));
    }

    /// That so many bytes of a value are not shown.
    pub(super) fn more(&mut self, bytes: u64) {
        if bytes > 0 {
            self.doc.left_out = self.doc.left_out.saturating_add(bytes);
            let text = format!("⋯ {}", self.say("detail.more", &[("size", &size(bytes))]));
            self.line(text, Role::Accent);
        }
    }

    /// The event that a seq means, seen from a row.
    pub(super) fn target(&self, seq: Option<i64>, near: Option<RowIx>) -> Option<EventRef> {
        self.detail.index().resolve(Seq(seq?), near.unwrap_or_default())
    }
}

/// The event of a row.
pub(super) fn at_row(row: Option<RowIx>) -> Option<EventRef> {
    row.map(|row| EventRef { row, member: 0 })
}

/// How a block of text is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Style {
    pub(super) role: Role,
    pub(super) numbered: bool,
    pub(super) indent: u16,
}

/// Marks of hidden characters stand out; the text itself has the role asked for.
pub(super) fn span_of(piece: Piece, role: Role) -> Span {
    match piece.kind {
        PieceKind::Plain => Span::new(piece.text, role),
        PieceKind::Mark => Span::new(piece.text, Role::Warn).reversed(),
    }
}

/// A seq as people type it, `?` where it is not recorded.
pub(super) fn seq_text(seq: Option<i64>) -> String {
    seq.map_or_else(|| "?".to_owned(), |seq| seq.to_string())
}
