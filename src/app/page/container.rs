//! Sequence and container (docs/SCREENS.md section 9): what the file is made of, where the sequence breaks and why, what the
//! harness would do, what a resume would add. The map of the pieces stands in the foot.

use super::sheet::{Sheet, title};
use super::{Page, PageKind};
use crate::session::row::{EventRef, RowIx};
use crate::text::number::range;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::{columns, fit, pad_start};
use crate::triage::breaks::proof;
use crate::triage::detail::{break_cause, break_text};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::ladder::closes;
use crate::triage::pass::made_of::{bad_line, facts, proof_lines, role, seqs, state, times};
use crate::triage::pass::whole::ghost_text;
use crate::triage::pieces::{Cell, Piece, State, cells, pieces};

/// Breaks that are shown.
const MOST_BREAKS: usize = 200;

/// Ghost rows that are shown.
const MOST_GHOSTS: usize = 200;

/// Bad pieces that are listed one by one where a cell holds several pieces.
const MOST_BAD: usize = 200;

/// Columns quoted of a line that is no event.
const MOST_QUOTED: usize = 200;

/// Columns of the names of the facts.
const NAME: usize = 11;

/// Heights of a cell, lowest first.
const HEIGHTS: [char; 8] = ['⡀', '⣀', '⣄', '⣤', '⣦', '⣶', '⣷', '⣿'];

/// Rows of the foot, its rule included.
const FOOT_ROWS: u16 = 5;

/// Columns of a screen from which a piece has both its times on its row.
const WIDE: u16 = 120;

/// The page.
pub(crate) fn page(mut sheet: Sheet<'_>) -> Page {
    let (words, session) = (sheet.words, sheet.session);
    let pieces = pieces(session);
    let title = title(&sheet, "made_of.title", Vec::new());
    for fact in facts(session, &pieces, words) {
        let at = sheet.doc.lines.len();
        sheet.block(NAME, &fact.text, fact.role);
        let target = fact.row.map(|row| EventRef { row, member: 0 });
        sheet.lead(at, vec![Span::new(fit(words.get(fact.key), NAME), Role::Dim)], target);
        let room = usize::from(sheet.width).saturating_sub(columns(&fact.figure) + 4);
        // Beside the last row of the text, else below it: a figure is never left out.
        let at = sheet.doc.lines.len() - 1;
        match sheet.doc.lines.get_mut(at) {
            Some(line) if columns(&line.text()) < room => line.right = vec![Span::new(fact.figure, Role::Dim)],
            Some(_) | None => sheet.block(NAME, &fact.figure, Role::Dim),
        }
    }
    let facts_end = sheet.doc.lines.len();
    breaks(&mut sheet);
    bad_lines(&mut sheet);
    let below = sheet.doc.lines.iter().skip(facts_end);
    let news = below.into_iter().position(|line| line.target.is_some()).map(|at| at + facts_end);
    ghosts(&mut sheet);
    let strip = list(&mut sheet, &pieces);
    let first_bad = strip.first_bad.filter(|_| news.is_none());
    let first = sheet.doc.lines.iter().position(|line| line.target.is_some());
    let cursor = news.or(first_bad).or(first).unwrap_or(0);
    let mut page = sheet.finish(PageKind::Container, title, cursor);
    page.foot_rows = if strip.cells.is_empty() { 0 } else { FOOT_ROWS };
    page.strip = Some(strip.placed(&page));
    page
}

fn breaks(sheet: &mut Sheet<'_>) {
    let (words, session) = (sheet.words, sheet.session);
    let all = &session.facts.sequence.breaks;
    if all.is_empty() {
        return;
    }
    sheet.push(DocLine::blank());
    sheet
        .push(DocLine::of(format!("{} {}", words.get("made_of.breaks"), words.number(all.len() as u64)), Role::Strong));
    for found in all.iter().take(MOST_BREAKS) {
        let at = sheet.doc.lines.len();
        sheet.block(2, &break_text(found, words), Role::Bad);
        sheet.lead(at, vec![Span::new("! ", Role::Bad)], Some(EventRef { row: found.row, member: 0 }));
        let cause = words.say("rule.cause", &[("cause", &break_cause(session, found, words))]);
        sheet.block(4, &cause, Role::Normal);
        for (text, row) in proof_lines(session, &proof(session, found), words) {
            let at = sheet.doc.lines.len();
            sheet.block(4, &text, Role::Normal);
            sheet.lead(at, Vec::new(), row.map(|row| EventRef { row, member: 0 }));
        }
    }
    more(sheet, all.len(), MOST_BREAKS);
}

fn more(sheet: &mut Sheet<'_>, all: usize, shown: usize) {
    if all > shown {
        let text = sheet.words.count("report_text.more", (all - shown) as u64);
        sheet.push(DocLine::of(format!("  {text}"), Role::Dim));
    }
}

/// Every line that is no event, and every event that holds bytes which are no text.
fn bad_lines(sheet: &mut Sheet<'_>) {
    let (words, session) = (sheet.words, sheet.session);
    let container = &session.facts.container;
    let all = container.bad_lines.len() + container.lines_not_utf8.len();
    if all == 0 {
        return;
    }
    sheet.push(DocLine::blank());
    let heading = format!("{} {}", words.get("made_of.bad_lines"), words.number(all as u64));
    sheet.push(DocLine::of(heading, Role::Strong));
    for bad in container.bad_lines.iter().take(MOST_BAD) {
        let text = sheet.text(bad.row).map(|line| one_line(line, MOST_QUOTED)).unwrap_or_default();
        let spans = vec![
            Span::new("! ", Role::Bad),
            Span::plain(bad_line(bad, words)),
            Span::new(format!("  {text}"), Role::Dim),
        ];
        let line = DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() };
        sheet.push(line.to(EventRef { row: bad.row, member: 0 }));
    }
    for line in container.lines_not_utf8.iter().take(MOST_BAD) {
        let text = words.say("made_of.not_utf8", &[("line", &line.to_string())]);
        let spans = vec![Span::new("! ", Role::Warn), Span::plain(text)];
        let target = session.index.row_of_line(*line).map(|row| EventRef { row, member: 0 });
        sheet.push(DocLine { spans, target, overflow: Overflow::Cut, ..DocLine::default() });
    }
    let shown = container.bad_lines.len().min(MOST_BAD) + container.lines_not_utf8.len().min(MOST_BAD);
    more(sheet, all, shown);
}

/// The records that a resume would add: they are not in the file.
fn ghosts(sheet: &mut Sheet<'_>) {
    let (words, facts) = (sheet.words, sheet.facts);
    if facts.resume.is_empty() {
        return;
    }
    sheet.push(DocLine::blank());
    sheet.push(DocLine::of(words.get("made_of.ghosts"), Role::Warn));
    for ghost in facts.resume.iter().take(MOST_GHOSTS) {
        let closed = closes(facts, ghost);
        let mut spans = vec![Span::new(format!("  {}", ghost_text(ghost, words)), Role::Dim)];
        if let Some(seq) = closed.and_then(|at| at.seq) {
            let text = words.say("record.closes_seq", &[("seq", &seq.to_string())]);
            spans.push(Span::new(format!("   {text}"), Role::Accent));
        }
        let target = closed.map(|at| EventRef { row: at.row, member: 0 });
        sheet.push(DocLine { spans, target, overflow: Overflow::Cut, ..DocLine::default() });
    }
    more(sheet, facts.resume.len(), MOST_GHOSTS);
}

/// The map of a page, with the line that stands for each cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Strip {
    /// The signs of the cells.
    pub(crate) signs: Vec<(char, Role)>,
    /// Cell of each line of the list: line before it is laid out, then of the page.
    cells: Vec<(usize, usize)>,
    first_bad: Option<usize>,
    /// The first row of each cell, or the one after it.
    starts: Vec<RowIx>,
    /// What is said above the map.
    heading: String,
}

impl Strip {
    /// With the lines of the page in the place of those that were written.
    fn placed(mut self, page: &Page) -> Strip {
        // Rows of the list are one row each, and the last lines of the page.
        let last = self.cells.last().map_or(0, |(line, _)| *line);
        let end = page.doc.lines.len().saturating_sub(1);
        for (line, _) in &mut self.cells {
            *line = end.saturating_sub(last - *line);
        }
        self
    }

    /// The cell of a line; of a line above the list the first.
    pub(crate) fn cell_of(&self, line: usize) -> Option<usize> {
        self.cells.iter().rev().find(|(at, _)| *at <= line).map(|(_, cell)| *cell)
    }

    /// The cell that a row lies in.
    fn cell_with(&self, row: RowIx) -> Option<usize> {
        self.starts.partition_point(|start| *start <= row).checked_sub(1)
    }

    /// The line of the next cell, or the one before, seen from a line.
    pub(crate) fn beside(&self, line: usize, forward: bool) -> Option<usize> {
        let here = self.cell_of(line);
        let line_of = |cell: usize| self.cells.iter().find(|(_, of)| *of == cell).map(|(line, _)| *line);
        match (here, forward) {
            (None, true) => line_of(0),
            (None, false) => None,
            (Some(cell), true) => line_of(cell + 1),
            (Some(cell), false) => line_of(cell.checked_sub(1)?),
        }
    }
}

/// Adds a row for each piece, or for each cell where one holds several, and for each bad piece in it.
fn list(sheet: &mut Sheet<'_>, pieces: &[Piece]) -> Strip {
    let words = sheet.words;
    let most = usize::from(sheet.width).saturating_sub(6);
    let cells = cells(pieces, most);
    let largest = cells.iter().map(|cell| cell.bytes).max().unwrap_or(0);
    let signs = cells.iter().map(|cell| sign(cell, largest)).collect();
    let group = cells.first().map_or(1, |cell| cell.pieces.1 - cell.pieces.0 + 1);
    let count = words.count("made_of.n_pieces", pieces.len() as u64);
    let mut heading = words.count_with("made_of.map", group as u64, &[("pieces", &count)]);
    let biggest = pieces.iter().filter(|piece| piece.frame.is_some()).max_by_key(|piece| piece.bytes);
    if let Some((piece, frame)) = biggest.and_then(|piece| Some((piece, piece.frame?))) {
        let bytes = words.count("count.bytes", piece.bytes);
        let largest = words.say("made_of.largest", &[("frame", &frame.to_string()), ("bytes", &bytes)]);
        heading = format!("{heading}   {largest}");
    }
    let mut strip = Strip { signs, cells: Vec::new(), first_bad: None, starts: Vec::new(), heading };
    if pieces.is_empty() {
        return strip;
    }
    sheet.push(DocLine::blank());
    let head = row(
        sheet,
        &[
            "made_of.column_frame",
            "made_of.column_byte",
            "made_of.column_size",
            "made_of.column_lines",
            "made_of.column_seq",
            "made_of.column_time",
            "made_of.column_state",
        ]
        .map(|key| words.get(key).to_owned()),
    );
    sheet.push(DocLine { overflow: Overflow::Cut, ..DocLine::of(format!("  {head}"), Role::Dim) });
    let mut bad = 0;
    for (at, cell) in cells.iter().enumerate() {
        let inside = pieces.get(cell.pieces.0..=cell.pieces.1).unwrap_or_default();
        strip.cells.push((sheet.doc.lines.len(), at));
        let all = merged(inside);
        let before = strip.starts.last().copied().unwrap_or_default();
        strip.starts.push(all.rows.map(|(first, _)| first).or(all.next_row).unwrap_or(before).max(before));
        push_piece(sheet, &all, inside.len(), &mut strip);
        let is_bad = |piece: &&Piece| piece.state > State::Skippable;
        for piece in inside.iter().filter(|_| inside.len() > 1).filter(is_bad) {
            bad += 1;
            if bad <= MOST_BAD {
                strip.cells.push((sheet.doc.lines.len(), at));
                push_piece(sheet, piece, 1, &mut strip);
            }
        }
    }
    strip
}

/// Several pieces as one.
fn merged(inside: &[Piece]) -> Piece {
    let mut all = inside[0].clone();
    for piece in &inside[1..] {
        all.bytes = all.bytes.saturating_add(piece.bytes);
        all.lines += piece.lines;
        all.state = all.state.max(piece.state);
        let join = |one: Option<(i64, i64)>, other: Option<(i64, i64)>| match (one, other) {
            (Some((first, _)), Some((_, last))) => Some((first, last)),
            (one, other) => one.or(other),
        };
        all.seqs = join(all.seqs, piece.seqs);
        all.times = join(all.times, piece.times);
        all.rows = all.rows.or(piece.rows);
        all.next_row = all.next_row.or(piece.next_row);
        all.lost = join(all.lost, piece.lost);
        if all.why.is_empty() {
            all.why.clone_from(&piece.why);
        }
    }
    all
}

fn push_piece(sheet: &mut Sheet<'_>, piece: &Piece, n: usize, strip: &mut Strip) {
    let words = sheet.words;
    let column = words.get("missing.column");
    let frame = match (piece.frame, n) {
        (Some(first), n) if n > 1 => range(first, first + n as u64 - 1),
        (Some(frame), _) => frame.to_string(),
        (None, _) => column.to_owned(),
    };
    let is_bad = piece.state > State::Skippable;
    let time = if sheet.width >= WIDE {
        times(piece, sheet.zone, words)
    } else {
        let first = piece.times.map(|(first, _)| (first, first));
        times(&Piece { times: first, between: None, ..piece.clone() }, sheet.zone, words)
    };
    let lines = match piece.lost {
        Some(_) if piece.lines == 0 => words.get("made_of.lost").to_owned(),
        Some(_) | None => words.number(piece.lines),
    };
    let cells = [
        frame,
        piece.offset.to_string(),
        words.number(piece.bytes),
        lines,
        seqs(piece, words),
        time,
        state(piece, words),
    ];
    let text = row(sheet, &cells);
    let role = role(piece.state);
    let mark = if is_bad { "! " } else { "  " };
    if is_bad && strip.first_bad.is_none() {
        strip.first_bad = Some(sheet.doc.lines.len());
    }
    let last = (sheet.session.index.rows.len() as u32).checked_sub(1).map(RowIx);
    let target =
        piece.rows.map(|(first, _)| first).or(piece.next_row).map(|row| last.map_or(row, |last| row.min(last)));
    let target = target.filter(|_| last.is_some()).map(|row| EventRef { row, member: 0 });
    let spans = vec![Span::new(mark, role), Span::new(text, role)];
    sheet.push(DocLine { spans, target, overflow: Overflow::Cut, ..DocLine::default() });
}

/// One row of the list in its columns.
fn row(sheet: &Sheet<'_>, cells: &[String; 7]) -> String {
    let time = if sheet.width >= WIDE { 29 } else { 12 };
    let [frame, byte, size, lines, seq, clock, state] = cells;
    format!(
        "{}{}{}{}  {}  {}  {state}",
        pad_start(frame, 9),
        pad_start(byte, 10),
        pad_start(size, 10),
        pad_start(lines, 7),
        fit(seq, 13),
        fit(clock, time),
    )
}

/// The sign of a cell: a letter for what is not good, else its size as a height.
fn sign(cell: &Cell, largest: u64) -> (char, Role) {
    let sign = match cell.worst {
        State::Damaged => 'X',
        State::Foreign => 'F',
        State::Torn => 'T',
        State::Skippable => 'S',
        State::Header => 'H',
        State::Good => {
            // Each step is twice the one below it: sizes of frames lie far apart.
            let halvings = largest.max(1).ilog2() - cell.bytes.clamp(1, largest.max(1)).ilog2();
            HEIGHTS[(HEIGHTS.len() - 1).saturating_sub(halvings as usize)]
        }
    };
    (sign, role(cell.worst))
}

/// The foot: the map, and below it where the cursor is.
pub(crate) fn foot(sheet: &mut Sheet<'_>, page: &Page) {
    let Some(strip) = &page.strip else { return };
    sheet.push(DocLine::of(strip.heading.clone(), Role::Strong));
    let spans = strip.signs.iter().map(|(sign, role)| Span::new(sign.to_string(), *role));
    let spans = std::iter::once(Span::plain("  ")).chain(spans).collect();
    sheet.push(DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() });
    let target = page.doc.lines.get(page.cursor).and_then(|line| line.target);
    let here = strip.cell_of(page.cursor).or_else(|| strip.cell_with(target?.row));
    let here = here.map(|cell| format!("{}^", " ".repeat(cell + 2)));
    sheet.push(DocLine::of(here.unwrap_or_default(), Role::Accent));
    let legend = sheet.words.get("made_of.legend");
    sheet.push(DocLine::of(legend, Role::Dim));
}
