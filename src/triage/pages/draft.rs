//! Lines of a page while they are written.

use foldhash::HashMap;

use crate::session::row::{EventRef, Row, RowIx};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::time::Zone;
use crate::text::width::{cut_end, fit, pad_start};
use crate::triage::detail::{Detail, Form, LIMIT, RawLine, Subject, TabId, needs};
use crate::triage::doc::{Doc, DocLine, Overflow};
use crate::triage::facts::{Facts, Turn};
use crate::triage::pass::Lines;
use crate::triage::pass::said::number;
use crate::triage::session::Session;

/// One cell of a table row.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    text: String,
    width: usize,
    role: Role,
    is_right: bool,
}

impl Cell {
    /// Text from the left edge of its column; cut at its end.
    pub(super) fn left(text: impl Into<String>, width: usize, role: Role) -> Cell {
        Cell { text: text.into(), width, role, is_right: false }
    }

    /// Text at the right edge of its column; never cut.
    pub(super) fn right(text: impl Into<String>, width: usize, role: Role) -> Cell {
        Cell { text: text.into(), width, role, is_right: true }
    }
}

/// Lines of a page while they are written.
pub struct Draft<'a, 't> {
    /// The log.
    pub session: &'a Session,
    /// What is known of it.
    pub facts: &'a Facts,
    /// The words.
    pub words: &'a Words,
    /// The zone of clock times.
    pub zone: &'a Zone,
    /// Columns of a line.
    pub width: usize,
    /// The lines.
    pub lines: Vec<DocLine>,
    /// Rows whose stored text is quoted or would be, with the line that does.
    pub needs: Vec<(usize, RowIx)>,
    /// The row that the page is as of; `None`: the end.
    pub here: Option<RowIx>,
    /// Changed words of a diff stand in braces: where no colour tells them.
    pub braces: bool,
    texts: &'t mut Lines<'t>,
    turns: HashMap<i64, usize>,
}

impl<'a, 't> Draft<'a, 't> {
    /// An empty draft. `texts` gives the stored text of a row, whole or its first kilobytes, as far as it is at hand.
    pub fn new(
        session: &'a Session,
        words: &'a Words,
        zone: &'a Zone,
        width: usize,
        texts: &'t mut Lines<'t>,
    ) -> Draft<'a, 't> {
        let facts = &session.facts;
        let turns = facts.turns.iter().enumerate().map(|(at, turn)| (turn.turn, at)).collect();
        Draft {
            session,
            facts,
            words,
            zone,
            width,
            lines: Vec::new(),
            needs: Vec::new(),
            here: None,
            braces: false,
            texts,
            turns,
        }
    }

    /// The turn of a number.
    pub(super) fn turn(&self, number: Option<i64>) -> Option<&'a Turn> {
        self.turns.get(&number?).and_then(|at| self.facts.turns.get(*at))
    }

    /// That a list goes on for so many.
    pub(super) fn more(&mut self, count: usize) {
        if count > 0 {
            let text = self.words.count("report_text.more", count as u64);
            self.line(text, Role::Dim, None);
        }
    }

    pub(super) fn push(&mut self, line: DocLine) {
        self.lines.push(line);
    }

    pub(super) fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.words.say(key, values)
    }

    pub(super) fn line(&mut self, text: impl Into<String>, role: Role, target: Option<RowIx>) {
        self.push(DocLine { target: at(target), indent: 2, ..DocLine::of(text, role) });
    }

    pub(super) fn words(&mut self, key: &str, role: Role) {
        let text = self.words.get(key).to_owned();
        self.line(text, role, None);
    }

    pub(super) fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| !line.spans.is_empty()) {
            self.push(DocLine::blank());
        }
    }

    /// A row of a table; `target` is where Enter leads.
    pub(super) fn row(&mut self, cells: &[Cell], target: Option<RowIx>) {
        let mut spans: Vec<Span> = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            let is_last = at + 1 == cells.len();
            let text = match (cell.is_right, is_last) {
                (true, _) => pad_start(&cell.text, cell.width),
                (false, true) => cut_end(&cell.text, cell.width),
                (false, false) => fit(&cell.text, cell.width),
            };
            spans.push(Span::new(if is_last { text } else { format!("{text} ") }, cell.role));
        }
        self.push(DocLine { spans, target: at(target), overflow: Overflow::Cut, ..DocLine::default() });
    }

    /// The stored text of a row, for the line that is written next.
    pub(super) fn text(&mut self, row: RowIx) -> Option<Vec<u8>> {
        self.needs.push((self.lines.len(), row));
        (self.texts)(row).filter(|text| !text.is_empty())
    }

    /// A tab of the detail pane; `None` while none of its lines is at hand.
    pub(super) fn detail(&mut self, subject: Subject, tab: TabId) -> Option<Doc> {
        self.with_detail(subject, tab, |detail| detail.doc(subject, tab))
    }

    /// What is made of the lines of a tab; `None` while none of them is at hand.
    pub(super) fn with_detail<T>(
        &mut self,
        subject: Subject,
        tab: TabId,
        make: impl Fn(&Detail<'_>) -> T,
    ) -> Option<T> {
        let mut lines = Vec::new();
        for row in needs(subject, tab, self.session) {
            let Some(bytes) = self.text(row) else { continue };
            let total = self.index_row(row).map_or(0, |row| u64::from(row.len));
            lines.push(RawLine { row, total: total.max(bytes.len() as u64), bytes: bytes.into() });
        }
        if lines.is_empty() {
            return None;
        }
        let detail = Detail {
            session: self.session,
            words: self.words,
            zone: self.zone,
            lines: &lines,
            limit: LIMIT,
            form: Form::default(),
            braces: self.braces,
        };
        Some(make(&detail))
    }

    /// The row of the nearest event before `near` that has this seq.
    pub(super) fn resolve(&self, seq: i64, near: RowIx) -> Option<RowIx> {
        self.session.index.resolve(crate::session::row::Seq(seq), near).map(|event| event.row)
    }

    /// A row of the index.
    pub(super) fn index_row(&self, row: RowIx) -> Option<Row> {
        self.session.index.rows.get(row)
    }
}

fn at(row: Option<RowIx>) -> Option<EventRef> {
    row.map(|row| EventRef { row, member: 0 })
}

/// Seqs from one to another: `13-21`, or one.
pub(super) fn seqs(first: Option<i64>, last: Option<i64>) -> String {
    if first == last { number(first) } else { format!("{}-{}", number(first), number(last)) }
}
