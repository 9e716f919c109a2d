//! Members side by side: two rows stand on one line only where the logs prove their order.
//!
//! What proves something has a line of its own; what stands between is one line a run. Lines are given by the longest
//! chain of proofs above them, never by clocks.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::model::{Model, Open};
use crate::session::row::{Row, RowIx};
use crate::store::lineage::{Lineage, MemberIx, Place, Proof};
use crate::text::sanitize::display;
use crate::text::width::short_call_id;
use crate::triage::facts::Facts;
use crate::triage::what::{Mark, call_mark, turn_mark};

/// Types named of a run of rows that proves nothing.
const MOST_NAMED: usize = 3;

/// Rows of a run that are looked at for their types.
const MOST_LOOKED_AT: usize = 64;

/// Rounds of pushing lines down: orders that contradict each other end here.
const MOST_ROUNDS: usize = 1_000;

/// A stretch of rows of one member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// First row.
    pub first: RowIx,
    /// Last row; the first where it proves something.
    pub last: RowIx,
    /// Seqs: `67`, `6-43`.
    pub seqs: String,
    /// State of a call or a turn.
    pub mark: Mark,
    /// What it is.
    pub text: String,
    /// The model saw it.
    pub surface: bool,
    /// Line of the grid.
    pub line: usize,
}

/// What ties two cells on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tie {
    /// Line of the grid.
    pub line: usize,
    /// Lane of the parent, in reading order.
    pub parent: usize,
    /// Lane of the child.
    pub child: usize,
    /// The child starts here; else the parent is told of its end.
    pub starts: bool,
}

/// Lanes of a family.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    /// In reading order: the member and its cells from top to bottom.
    pub lanes: Vec<(MemberIx, Vec<Cell>)>,
    /// Ties by line.
    pub ties: Vec<Tie>,
    /// Lines in all.
    pub lines: usize,
}

impl Grid {
    /// The cell of a lane that holds a row.
    pub(crate) fn cell_of(&self, lane: usize, row: RowIx) -> Option<usize> {
        let (_, cells) = self.lanes.get(lane)?;
        cells.iter().rposition(|cell| cell.first <= row)
    }
}

impl Model {
    /// Works out the lanes.
    pub(crate) fn grid(&self) -> Grid {
        let Some(lineage) = self.family.lineage.clone() else { return Grid::default() };
        let lanes = lineage.reading.iter().filter_map(|at| Some((*at, self.cells(&lineage, *at, self.open_of(*at)?))));
        let mut grid = Grid { lanes: lanes.collect(), ..Grid::default() };
        settle(&mut grid, &lineage);
        grid
    }

    fn cells(&self, lineage: &Lineage, at: MemberIx, open: &Open) -> Vec<Cell> {
        let facts = &open.session.facts;
        let mut alone: BTreeSet<RowIx> = BTreeSet::new();
        let places = lineage.orders.iter().flat_map(|order| [order.before, order.after]);
        alone.extend(places.filter(|place| place.member == at).map(|place| place.row));
        let children = lineage.get(at).map(|member| member.children.clone()).unwrap_or_default();
        let calls = children.iter().filter_map(|child| facts.calls.get(lineage.get(*child)?.link.call()?));
        alone.extend(calls.flat_map(|call| [call.call_row, call.result_row]).flatten());
        let unpaired = facts.unpaired.iter().filter_map(|at| facts.calls.get(*at));
        alone.extend(unpaired.filter_map(|call| call.call_row.or(call.message_row)));
        alone.extend(facts.turns.iter().filter_map(|turn| turn.end_row));
        let first = lineage.get(at).map_or(RowIx(0), |member| member.first_own);
        let rows = open.session.index.rows.len() as u32;
        let mut out = Vec::new();
        let mut from = first.0;
        for row in alone.into_iter().filter(|row| *row >= first && row.0 < rows) {
            if from < row.0 {
                out.push(self.run(open, RowIx(from), RowIx(row.0 - 1)));
            }
            out.push(single(open, facts, row, self));
            from = row.0 + 1;
        }
        if from < rows {
            out.push(self.run(open, RowIx(from), RowIx(rows - 1)));
        }
        out
    }

    /// Rows that prove nothing.
    fn run(&self, open: &Open, first: RowIx, last: RowIx) -> Cell {
        let mut names: Vec<String> = Vec::new();
        let rows = open.session.index.rows.iter_from(first).take_while(|(at, _)| *at <= last);
        for (_, row) in rows.take(MOST_LOOKED_AT) {
            let name = type_of(open, &row);
            let name = name.rsplit('/').next().unwrap_or_default().to_owned();
            if !name.is_empty() && names.len() < MOST_NAMED && !names.contains(&name) {
                names.push(name);
            }
        }
        let n = u64::from(last.0 - first.0 + 1);
        let text = format!("{}: {}", self.words().count("count.lines", n), names.join(", "));
        Cell { first, last, seqs: seqs(open, first, last), mark: Mark::None, text, surface: false, line: 0 }
    }
}

fn type_of(open: &Open, row: &Row) -> String {
    let types = &open.session.index.types;
    if usize::from(row.type_id.0) >= types.len() {
        return String::new();
    }
    display(types.name(row.type_id).as_bytes())
}

fn seqs(open: &Open, first: RowIx, last: RowIx) -> String {
    let rows = &open.session.index.rows;
    let from = rows.get(first).and_then(Row::seq).map(|seq| seq.0);
    let to = rows.get(last).and_then(Row::last_seq).map(|seq| seq.0);
    match (from, to) {
        (Some(from), Some(to)) if from != to => format!("{from}-{to}"),
        (Some(seq), _) | (None, Some(seq)) => seq.to_string(),
        (None, None) => "-".to_owned(),
    }
}

/// A row that proves something.
fn single(open: &Open, facts: &Facts, row: RowIx, model: &Model) -> Cell {
    let found = open.session.index.rows.get(row);
    let call = facts.calls.iter().find(|call| call.call_row == Some(row) || call.result_row == Some(row));
    let turn = facts.turns.iter().find(|turn| turn.end_row == Some(row));
    let (mark, text) = match (call, turn) {
        (Some(call), _) => {
            let id = short_call_id(&display(call.call_id.as_bytes()));
            let name = if call.result_row == Some(row) {
                model.words().get("family.result").to_owned()
            } else {
                display(call.name.as_bytes())
            };
            (call_mark(call), format!("{name} {id}"))
        }
        (None, Some(turn)) => {
            let end = turn.end.as_ref().map(|end| display(end.as_bytes())).unwrap_or_default();
            (turn_mark(turn), format!("turn {} {end}", turn.turn))
        }
        (None, None) => (Mark::None, found.map(|row| type_of(open, &row)).unwrap_or_default()),
    };
    let surface = found.is_some_and(|row| row.flags.has(crate::session::row::Flags::SURFACE));
    Cell { first: row, last: row, seqs: seqs(open, row, row), mark, text, surface, line: 0 }
}

/// Gives every cell its line, and finds the ties.
fn settle(grid: &mut Grid, lineage: &Lineage) {
    let order: BTreeMap<MemberIx, usize> =
        grid.lanes.iter().enumerate().map(|(at, (member, _))| (*member, at)).collect();
    let place = |grid: &Grid, place: Place| {
        let lane = *order.get(&place.member)?;
        Some((lane, grid.cell_of(lane, place.row)?))
    };
    let proofs: Vec<_> = lineage
        .orders
        .iter()
        .filter_map(|order| Some((place(grid, order.before)?, place(grid, order.after)?, order.proof)))
        .collect();
    for (_, cells) in &mut grid.lanes {
        cells.iter_mut().enumerate().for_each(|(at, cell)| cell.line = at);
    }
    for _ in 0..MOST_ROUNDS {
        let mut moved = false;
        for (before, after, _) in &proofs {
            let least = grid.lanes[before.0].1[before.1].line;
            moved |= push(&mut grid.lanes[after.0].1, after.1, least);
        }
        if !moved {
            break;
        }
    }
    // The end of a child waits for the line that tells of it.
    for (before, after, proof) in &proofs {
        let told_at = grid.lanes[after.0].1[after.1].line;
        let cells = &mut grid.lanes[before.0].1;
        if *proof != Proof::Started && before.1 + 1 == cells.len() && cells[before.1].line < told_at {
            cells[before.1].line = told_at;
        }
    }
    let line = |grid: &Grid, at: (usize, usize)| grid.lanes[at.0].1[at.1].line;
    for (before, after, proof) in &proofs {
        if line(grid, *before) == line(grid, *after) {
            let starts = matches!(proof, Proof::Started | Proof::Copied);
            let (parent, child) = if starts { (before.0, after.0) } else { (after.0, before.0) };
            grid.ties.push(Tie { line: line(grid, *before), parent, child, starts });
        }
    }
    grid.ties.sort_by_key(|tie| (tie.line, tie.parent, tie.child));
    let lines = grid.lanes.iter().flat_map(|(_, cells)| cells.iter().map(|cell| cell.line + 1));
    grid.lines = lines.max().unwrap_or(0);
}

/// Puts a cell on a line at least this far down, and those below it behind it.
fn push(cells: &mut [Cell], from: usize, least: usize) -> bool {
    let mut moved = false;
    for (least, cell) in (least..).zip(cells.iter_mut().skip(from)) {
        if cell.line >= least {
            break;
        }
        cell.line = least;
        moved = true;
    }
    moved
}
