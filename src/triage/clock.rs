//! Where the time went: the gap between each two records given to one part, so that the parts never overlap and add up.
//!
//! A gap belongs to the first of waiting for a retry, waiting for an approval, tool, model, idle between turns that is
//! going on; what none of them claims is unaccounted. Records are taken in file order. Where the clock stepped back
//! there is no gap: the steps are counted beside the parts.

use super::facts::{Attempt, Facts};
use super::session::Session;
use crate::record::kinds::Kind;
use crate::session::row::{Row, RowIx, Timestamp};

/// What a stretch of time was spent on, in the order in which a gap is given to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Waiting for a retry.
    Retry,
    /// Waiting for an approval.
    Approval,
    /// A tool runs; those that run side by side count once.
    Tool,
    /// The model answers, failed attempts too.
    Model,
    /// No turn is open.
    Idle,
    /// Nothing of these.
    Unaccounted,
}

impl Part {
    /// All parts, in their order.
    pub const ALL: [Part; 6] = [Part::Retry, Part::Approval, Part::Tool, Part::Model, Part::Idle, Part::Unaccounted];

    /// Key of its name in the language file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Part::Retry => "time.retry",
            Part::Approval => "time.approval",
            Part::Tool => "time.tool",
            Part::Model => "time.model",
            Part::Idle => "time.idle",
            Part::Unaccounted => "time.unaccounted",
        }
    }

    /// Its key in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Part::Retry => "retry_ms",
            Part::Approval => "approval_ms",
            Part::Tool => "tool_ms",
            Part::Model => "model_ms",
            Part::Idle => "idle_ms",
            Part::Unaccounted => "unaccounted_ms",
        }
    }
}

/// What the time of a session, a turn or a step was spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    parts: [i64; Part::ALL.len()],
    /// How often the clock stepped back.
    pub steps_back: u64,
    /// By how many milliseconds in all, saturating.
    pub back_ms: i64,
}

impl Spent {
    /// Milliseconds of a part.
    #[must_use]
    pub fn of(&self, part: Part) -> i64 {
        self.parts.get(part as usize).copied().unwrap_or_default()
    }

    /// All parts together: the time that went by between the records, saturating.
    #[must_use]
    pub fn sum(&self) -> i64 {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(*part))
    }

    /// Parts with their milliseconds, the longest first.
    #[must_use]
    pub fn sorted(&self) -> Vec<(Part, i64)> {
        let mut parts: Vec<_> = Part::ALL.into_iter().map(|part| (part, self.of(part))).collect();
        parts.sort_by_key(|(_, ms)| std::cmp::Reverse(*ms));
        parts
    }

    fn add(&mut self, part: Part, ms: i64) {
        if ms < 0 {
            self.steps_back += 1;
            self.back_ms = self.back_ms.saturating_sub(ms);
        } else if let Some(sum) = self.parts.get_mut(part as usize) {
            *sum = sum.saturating_add(ms);
        }
    }
}

/// Where the time of a log went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeTable {
    /// Of all of it.
    pub session: Spent,
    /// Of each turn, as in `Facts::turns`.
    pub turns: Vec<Spent>,
    /// Of each step, as in `Facts::steps`.
    pub steps: Vec<Spent>,
    /// Records before which the clock stepped back, and by how many milliseconds; the first `MOST_BACK`.
    pub backs: Vec<(RowIx, i64)>,
}

/// Steps back of the clock that are listed.
const MOST_BACK: usize = 100;

/// What begins or ends at a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    /// An end: before what begins at the same record.
    End(What),
    Begin(What),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Part(Part),
    Turn(u32),
    Step(u32),
}

/// What is going on at a record.
#[derive(Debug, Default)]
struct Around {
    open: [u32; Part::ALL.len()],
    turns: Vec<u32>,
    steps: Vec<u32>,
}

impl Around {
    fn cross(&mut self, edge: Edge) {
        match edge {
            Edge::Begin(What::Part(part)) => self.open[part as usize] += 1,
            Edge::End(What::Part(part)) => {
                self.open[part as usize] = self.open[part as usize].saturating_sub(1);
            }
            Edge::Begin(What::Turn(at)) => self.turns.push(at),
            Edge::End(What::Turn(at)) => self.turns.retain(|open| *open != at),
            Edge::Begin(What::Step(at)) => self.steps.push(at),
            Edge::End(What::Step(at)) => self.steps.retain(|open| *open != at),
        }
    }

    fn part(&self) -> Part {
        let going_on = |part: &Part| self.open.get(*part as usize).is_some_and(|open| *open > 0);
        let found = [Part::Retry, Part::Approval, Part::Tool, Part::Model].into_iter().find(going_on);
        found.unwrap_or(if self.turns.is_empty() { Part::Idle } else { Part::Unaccounted })
    }
}

impl TimeTable {
    /// Works it out: one walk over the rows of the index.
    #[must_use]
    pub fn of(session: &Session) -> TimeTable {
        let facts = &session.facts;
        let mut edges = edges(session);
        edges.sort_unstable();
        let mut edges = edges.into_iter().peekable();
        let mut table = TimeTable {
            turns: vec![Spent::default(); facts.turns.len()],
            steps: vec![Spent::default(); facts.steps.len()],
            ..TimeTable::default()
        };
        let mut around = Around::default();
        let mut last: Option<i64> = None;
        for (at, row) in session.index.rows.iter().enumerate() {
            let at = RowIx(at as u32);
            if let Some(Timestamp(time)) = row.time() {
                if let Some(before) = last {
                    // Between the end of one process and the start of the next nothing ran.
                    let part = if is_restart(&row) { Part::Idle } else { around.part() };
                    table.add(at, &around, part, time.saturating_sub(before));
                }
                last = Some(time);
            }
            while let Some((_, edge)) = edges.next_if(|(edge_at, _)| *edge_at <= at) {
                around.cross(edge);
            }
        }
        // The last line may stand for several events.
        if let (Some(before), Some(time)) = (last, facts.last_time) {
            let end = RowIx((session.index.rows.len() as u32).saturating_sub(1));
            let part = around.part();
            table.add(end, &around, part, time.saturating_sub(before));
        }
        table
    }

    fn add(&mut self, at: RowIx, around: &Around, part: Part, ms: i64) {
        self.session.add(part, ms);
        if ms < 0 && self.backs.len() < MOST_BACK {
            self.backs.push((at, ms.saturating_neg()));
        }
        if let Some(turn) = around.turns.last().and_then(|at| self.turns.get_mut(*at as usize)) {
            turn.add(part, ms);
        }
        if let Some(step) = around.steps.last().and_then(|at| self.steps.get_mut(*at as usize)) {
            step.add(part, ms);
        }
    }
}

fn is_restart(row: &Row) -> bool {
    row.kind == Kind::SessionEndSeed
}

/// Beginnings and ends of everything that takes time.
fn edges(session: &Session) -> Vec<(RowIx, Edge)> {
    let facts = &session.facts;
    let mut edges = Vec::new();
    let mut stretch = |what: What, from: Option<RowIx>, to: Option<RowIx>| {
        let Some(from) = from else { return };
        if to.is_none_or(|to| to > from) {
            edges.push((from, Edge::Begin(what)));
            edges.extend(to.map(|to| (to, Edge::End(what))));
        }
    };
    let until = Ends::of(facts);
    let mut starts: Vec<RowIx> = facts.turns.iter().map(|turn| turn.start_row).collect();
    starts.sort_unstable();
    for (at, turn) in facts.turns.iter().enumerate() {
        let next = starts.get(starts.partition_point(|start| *start <= turn.start_row)).copied();
        stretch(What::Turn(at as u32), Some(turn.start_row), turn.end_row.or(next));
    }
    for (at, step) in facts.steps.iter().enumerate() {
        stretch(What::Step(at as u32), Some(step.start_row), step.end_row.or(until.after(step.start_row)));
    }
    for approval in &facts.approvals {
        let asked = approval.asked_row;
        stretch(What::Part(Part::Approval), asked, approval.decided_row.or(asked.and_then(|row| until.after(row))));
    }
    for call in &facts.calls {
        let called = call.call_row;
        let closed = call.recovery().map(|recovery| recovery.row).or(call.result_row);
        stretch(What::Part(Part::Tool), called, closed.or(called.and_then(|row| until.after(row))));
    }
    for retry in &facts.retries {
        stretch(What::Part(Part::Retry), Some(retry.row), retry.started_row.or(until.after(retry.row)));
    }
    for rewrite in &facts.rewrites {
        let from = rewrite.start_row;
        stretch(What::Part(Part::Model), from, rewrite.end_row.or(from.and_then(|row| until.after(row))));
    }
    for (from, to) in asked_of_the_model(facts, &until) {
        stretch(What::Part(Part::Model), Some(from), to);
    }
    edges
}

/// Stretches in which an answer of the model was awaited: from the start of a step or a retry to its message, or to
/// what shows that it failed.
fn asked_of_the_model(facts: &Facts, until: &Ends) -> Vec<(RowIx, Option<RowIx>)> {
    let steps = facts.steps.iter().map(|step| step.start_row);
    let retries = facts.retries.iter().filter_map(|retry| retry.started_row);
    // After a compaction inside of a step the model is asked again.
    let is_inside = |row: &RowIx| {
        let after = facts.steps.partition_point(|step| step.start_row <= *row);
        let step = after.checked_sub(1).and_then(|at| facts.steps.get(at));
        step.is_some_and(|step| step.end_row.is_none_or(|end| end > *row))
    };
    let compacted = facts.rewrites.iter().filter_map(|rewrite| rewrite.end_row).filter(is_inside);
    let mut starts: Vec<RowIx> = steps.chain(retries).chain(compacted).collect();
    starts.sort_unstable();
    // An attempt that failed ends with the retry that says so, else with its last piece.
    let is_over = |attempt: &&Attempt| attempt.message_row.is_some() || attempt.retry.is_none();
    let over = facts.attempts.iter().filter(is_over);
    let over = over.map(|attempt| attempt.message_row.unwrap_or(attempt.last_row));
    let mut answers: Vec<RowIx> = over.chain(facts.retries.iter().map(|retry| retry.row)).collect();
    answers.sort_unstable();
    let end_of = |start: RowIx| {
        let at = answers.partition_point(|row| *row <= start);
        let answer = answers.get(at).copied();
        match (answer, until.after(start)) {
            (Some(answer), Some(end)) => Some(answer.min(end)),
            (answer, end) => answer.or(end),
        }
    };
    starts.into_iter().map(|start| (start, end_of(start))).collect()
}

/// Ends of steps and turns, and starts of turns, sorted: nothing that was open goes on beyond them.
struct Ends(Vec<RowIx>);

impl Ends {
    fn of(facts: &Facts) -> Ends {
        let steps = facts.steps.iter().filter_map(|step| step.end_row);
        let turns = facts.turns.iter().flat_map(|turn| [Some(turn.start_row), turn.end_row]).flatten();
        let mut ends: Vec<RowIx> = steps.chain(turns).collect();
        ends.sort_unstable();
        Ends(ends)
    }

    /// The first of them after a row.
    fn after(&self, row: RowIx) -> Option<RowIx> {
        self.0.get(self.0.partition_point(|end| *end <= row)).copied()
    }
}

#[cfg(test)]
mod tests;
