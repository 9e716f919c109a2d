//! Where the time went: of the session, a turn, a step (docs/SCREENS.md section 11).

use super::draft::{Cell, Draft, seqs};
use crate::record::kinds::Kind;
use crate::session::row::{Row, RowIx};
use crate::text::number::{duration, percent, rate};
use crate::text::role::{Role, Span};
use crate::triage::clock::{Part, Spent, TimeTable};
use crate::triage::detail::{Subject, TabId};
use crate::triage::facts::{Attempt, Step};
use crate::triage::pass::said::number;
use crate::triage::what::Run;

/// Of what the time is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Of the whole log.
    #[default]
    Session,
    /// Of a turn: its place in `Facts::turns`.
    Turn(usize),
    /// Of a step: its place in `Facts::steps`.
    Step(usize),
}

/// Turns or steps that are listed.
const MOST_LISTED: usize = 5_000;

/// Stalls that are listed of one step.
const MOST_STALLS: usize = 200;

/// Columns of the turn or step.
const PLACE: usize = 8;

/// Columns of each of the five durations.
const MS: usize = 8;

/// Columns of the first wait.
const FIRST: usize = 11;

pub(super) fn fill(draft: &mut Draft<'_, '_>, scope: Scope) {
    let table = TimeTable::of(draft.session);
    let facts = draft.facts;
    let (spent, wall) = match scope {
        Scope::Session => (Some(table.session), span(facts.first_time, facts.last_time)),
        Scope::Turn(at) => {
            let wall = facts.turns.get(at).and_then(|turn| span(turn.start_time, turn.end_time));
            (table.turns.get(at).copied(), wall)
        }
        Scope::Step(at) => {
            let wall = facts.steps.get(at).and_then(|step| span(step.start_time.get(), step.end_time.get()));
            (table.steps.get(at).copied(), wall)
        }
    };
    let Some(spent) = spent else { return draft.words("time.nothing", Role::Normal) };
    bars(draft, &spent);
    sum(draft, &spent, wall, scope);
    backs(draft, &spent, &table, scope);
    draft.blank();
    draft.words("time.note", Role::Dim);
    draft.blank();
    match scope {
        Scope::Session if facts.turns.len() > 1 => turns(draft, &table),
        Scope::Session => steps(draft, &table, None),
        Scope::Turn(at) => steps(draft, &table, facts.turns.get(at).map(|turn| turn.turn)),
        Scope::Step(at) => {
            if let Some(step) = facts.steps.get(at) {
                attempts(draft, step);
            }
        }
    }
}

/// The parts of the session; nothing for a log in which no time went by.
pub(super) fn brief(draft: &mut Draft<'_, '_>) {
    let table = TimeTable::of(draft.session);
    if table.session.sum() == 0 && table.session.steps_back == 0 {
        return;
    }
    draft.words("time_page.title", Role::Strong);
    bars(draft, &table.session);
    sum(draft, &table.session, span(draft.facts.first_time, draft.facts.last_time), Scope::Session);
    backs(draft, &table.session, &table, Scope::Session);
    draft.blank();
}

fn span(first: Option<i64>, last: Option<i64>) -> Option<i64> {
    first.zip(last).map(|(first, last)| last.saturating_sub(first))
}

/// A line for each part, the longest first, with its share and a bar.
fn bars(draft: &mut Draft<'_, '_>, spent: &Spent) {
    let whole = spent.sum().unsigned_abs();
    let room = draft.width.saturating_sub(46).clamp(4, 60);
    for (part, ms) in spent.sorted() {
        let (name, share) = (draft.words.get(part.key()).to_owned(), percent(ms.unsigned_abs(), whole));
        let role = match part {
            Part::Retry | Part::Approval if ms > 0 => Role::Warn,
            _ => Role::Normal,
        };
        let cells = [
            Cell::left(format!("  {name}"), 25, role),
            Cell::right(duration(ms), 8, role),
            Cell::right(share, 7, role),
            Cell::left(format!(" {}", bar(ms.unsigned_abs(), whole, room)), room + 1, Role::Dim),
        ];
        draft.row(&cells, None);
    }
}

/// A bar exact to half a cell; anything above nothing shows at least a dot.
fn bar(part: u64, whole: u64, room: usize) -> String {
    if part == 0 || whole == 0 {
        return String::new();
    }
    let halves = (u128::from(part) * room as u128 * 2 / u128::from(whole)) as usize;
    match (halves / 2, halves % 2) {
        (0, 0) => "⡀".to_owned(),
        (full, 0) => "⣿".repeat(full),
        (full, _) => format!("{}⡇", "⣿".repeat(full)),
    }
}

/// The parts together, and whether that is the time on the clock.
fn sum(draft: &mut Draft<'_, '_>, spent: &Spent, wall: Option<i64>, scope: Scope) {
    let key = match scope {
        Scope::Session => "time.of_session",
        Scope::Turn(_) => "time.of_turn",
        Scope::Step(_) => "time.of_step",
    };
    let of = draft.words.get(key).to_owned();
    let all = spent.sum();
    let compared = match wall {
        Some(wall) if wall == all => draft.say("time.equals", &[("of", &of)]),
        Some(wall) if spent.steps_back == 0 => {
            let off = duration(wall.saturating_sub(all).saturating_abs());
            draft.say("time.differs", &[("of", &of), ("off", &off)])
        }
        Some(_) => draft.words.get("time.clock_differs").to_owned(),
        None => draft.say("time.no_end", &[("of", &of)]),
    };
    let cells = [
        Cell::left(format!("  {}", draft.words.get("time.sum")), 25, Role::Strong),
        Cell::right(duration(all), 8, Role::Strong),
        Cell::right(if all > 0 { "100.0%" } else { "-" }, 7, Role::Normal),
        Cell::left(format!(" {compared}"), draft.width.saturating_sub(43), Role::Normal),
    ];
    draft.row(&cells, None);
}

/// Where the clock stepped back.
fn backs(draft: &mut Draft<'_, '_>, spent: &Spent, table: &TimeTable, scope: Scope) {
    if spent.steps_back == 0 {
        return;
    }
    draft.blank();
    let times = draft.words.count("count.times", spent.steps_back);
    let text = draft.say("time.steps_back", &[("times", &times), ("by", &duration(spent.back_ms))]);
    draft.line(text, Role::Warn, None);
    let facts = draft.facts;
    let (from, to) = match scope {
        Scope::Session => (None, None),
        Scope::Turn(at) => facts.turns.get(at).map_or((None, None), |turn| (Some(turn.start_row), turn.end_row)),
        Scope::Step(at) => facts.steps.get(at).map_or((None, None), |step| (Some(step.start_row), step.end_row)),
    };
    let is_inside = |row: RowIx| from.is_none_or(|from| row >= from) && to.is_none_or(|to| row <= to);
    for (row, ms) in table.backs.iter().filter(|(row, _)| is_inside(*row)).take(20) {
        let seq = number(draft.index_row(*row).and_then(Row::seq).map(|seq| seq.0));
        let text = draft.say("time.step_back", &[("seq", &seq), ("by", &duration(*ms))]);
        draft.line(format!("  {text}"), Role::Normal, Some(*row));
    }
}

fn head(draft: &mut Draft<'_, '_>, first: &str) {
    let words = draft.words;
    let keys = ["time.col_wall", "time.col_model", "time.col_retry", "time.col_tool", "time.col_approval"];
    let mut cells = vec![Cell::left(format!("  {}", words.get(first)), PLACE, Role::Dim)];
    cells.extend(keys.map(|key| Cell::right(words.get(key), MS, Role::Dim)));
    cells.push(Cell::right(words.get("time.col_first"), FIRST, Role::Dim));
    cells.push(Cell::left(format!("  {}", words.get("time.col_what")), 30, Role::Dim));
    draft.row(&cells, None);
}

fn line(draft: &mut Draft<'_, '_>, (place, what): (&str, &str), spent: &Spent, first: Option<i64>, row: RowIx) {
    let part = |part: Part| {
        let ms = spent.of(part);
        if ms == 0 { "-".to_owned() } else { duration(ms) }
    };
    let mut cells = vec![
        Cell::left(format!("  {place}"), PLACE, Role::Normal),
        Cell::right(duration(spent.sum()), MS, Role::Strong),
    ];
    cells.extend([Part::Model, Part::Retry, Part::Tool, Part::Approval].map(|of| {
        let role = if matches!(of, Part::Retry | Part::Approval) { Role::Warn } else { Role::Normal };
        Cell::right(part(of), MS, role)
    }));
    cells.push(Cell::right(first.map_or_else(|| "-".to_owned(), duration), FIRST, Role::Normal));
    let left = draft.width.saturating_sub(PLACE + 1 + 5 * (MS + 1) + FIRST + 1);
    cells.push(Cell::left(format!("  {what}"), left.max(8), Role::Dim));
    draft.row(&cells, Some(row));
}

/// The first wait of a stretch of attempts that tells most: of the one that answered, else of the last.
fn first_wait<'a>(attempts: impl Iterator<Item = &'a Attempt> + Clone) -> Option<i64> {
    let answered = attempts.clone().find(|attempt| attempt.message_row.is_some() && attempt.first_wait_ms.is_some());
    answered.or(attempts.last()).and_then(|attempt| attempt.first_wait_ms.get())
}

fn turns(draft: &mut Draft<'_, '_>, table: &TimeTable) {
    head(draft, "time.col_turn");
    let facts = draft.facts;
    let mut steps = std::collections::HashMap::new();
    let mut attempts: std::collections::HashMap<i64, Vec<&Attempt>> = std::collections::HashMap::new();
    facts.steps.iter().for_each(|step| *steps.entry(step.turn).or_insert(0u64) += 1);
    for attempt in &facts.attempts {
        if let Some(turn) = attempt.turn.get() {
            attempts.entry(turn).or_default().push(attempt);
        }
    }
    for (turn, spent) in facts.turns.iter().zip(&table.turns).take(MOST_LISTED) {
        let of = attempts.get(&turn.turn).map(Vec::as_slice).unwrap_or_default();
        let count = draft.words.count("count.steps", steps.get(&turn.turn).copied().unwrap_or(0));
        let attempts = draft.words.count("count.attempts", of.len() as u64);
        let what = if draft.width < 90 { count } else { format!("{count}, {attempts}") };
        line(draft, (&turn.turn.to_string(), &what), spent, first_wait(of.iter().take(1).copied()), turn.start_row);
    }
    draft.more(facts.turns.len().saturating_sub(MOST_LISTED));
}

fn steps(draft: &mut Draft<'_, '_>, table: &TimeTable, turn: Option<i64>) {
    let facts = draft.facts;
    if facts.steps.is_empty() {
        return;
    }
    head(draft, "time.col_step");
    let mut attempts: std::collections::HashMap<(i64, i64), Vec<&Attempt>> = std::collections::HashMap::new();
    for attempt in &facts.attempts {
        if let Some(place) = attempt.turn.get().zip(attempt.step.get()) {
            attempts.entry(place).or_default().push(attempt);
        }
    }
    let of_turn = facts.steps.iter().zip(&table.steps).filter(|(step, _)| turn.is_none_or(|turn| step.turn == turn));
    for (step, spent) in of_turn.take(MOST_LISTED) {
        let of = attempts.get(&(step.turn, step.step)).map(Vec::as_slice).unwrap_or_default();
        let what = draft.words.count("count.attempts", of.len() as u64);
        let place = format!("{}.{}", step.turn, step.step);
        line(draft, (&place, &what), spent, first_wait(of.iter().copied()), step.start_row);
    }
}

/// The attempts of a step: when the first piece came, how fast the others, where it stood still.
fn attempts(draft: &mut Draft<'_, '_>, step: &Step) {
    let facts = draft.facts;
    let of_step = |attempt: &Attempt| (attempt.turn, attempt.step) == (Some(step.turn).into(), Some(step.step).into());
    draft.words("time.stall_rule", Role::Dim);
    draft.blank();
    for (at, attempt) in facts.attempts.iter().enumerate().filter(|(_, attempt)| of_step(attempt)) {
        let range = seqs(attempt.first_seq.get(), attempt.last_seq.get());
        let text = draft.say("time.attempt", &[("seqs", &range)]);
        draft.line(text, Role::Strong, Some(attempt.first_row));
        let first = attempt.first_wait_ms.get().map_or_else(|| "-".to_owned(), duration);
        let took = attempt.streamed_ms().unwrap_or(0);
        let pieces = draft.words.count("count.pieces", u64::from(attempt.pieces));
        let speed = rate(attempt.pieces.into(), took).map(|rate| draft.say("time.rate", &[("rate", &rate)]));
        let tokens = attempt.tokens().and_then(|usage| rate(usage.output, took));
        let tokens = tokens.map(|rate| draft.say("time.tokens_rate", &[("rate", &rate)]));
        let values = [("first", &*first), ("pieces", &*pieces), ("took", &*duration(took))];
        let parts = [Some(draft.say("time.stream", &values)), speed, tokens];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("   ");
        draft.line(format!("  {text}"), Role::Normal, Some(attempt.first_row));
        let stalls: Vec<_> = facts.stalls.iter().filter(|stall| stall.attempt == at).take(MOST_STALLS).collect();
        let longest = draft.say("time.longest", &[("time", &duration(attempt.longest_gap_ms))]);
        let count = match stalls.len() {
            0 => draft.words.get("time.no_stall").to_owned(),
            n => draft.words.count("count.stalls", n as u64),
        };
        draft.line(format!("  {longest}   {count}"), Role::Dim, None);
        strip(draft, attempt);
        for stall in stalls {
            let text = draft.say("time.stall", &[("time", &duration(stall.ms)), ("seq", &number(stall.seq))]);
            draft.line(format!("    {text}"), Role::Warn, Some(stall.row));
        }
        draft.blank();
    }
}

/// When its pieces came, as a strip.
fn strip(draft: &mut Draft<'_, '_>, attempt: &Attempt) {
    let is_record = draft.index_row(attempt.first_row).is_some_and(|row| row.kind == Kind::AssistantAttempt);
    let subject = match attempt.message_row {
        Some(row) => Subject::Message(row),
        None if is_record => Subject::Message(attempt.first_row),
        None => Subject::Run(Run { first: attempt.first_row, last: attempt.last_row }),
    };
    let lines = draft.with_detail(subject, TabId::Stream, |detail| detail.strip(subject)).unwrap_or_default();
    for mut line in lines {
        line.spans.insert(0, Span::plain("    "));
        draft.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_are_exact_to_half_a_cell_and_never_nothing() {
        for (part, whole, expected) in [
            (0, 10, ""),
            (1, 10_000, "⡀"),
            (5, 10, "⣿⣿"),
            (10, 10, "⣿⣿⣿⣿"),
            (3, 10, "⣿"),
            (4, 10, "⣿⡇"),
            (7, 0, ""),
            (u64::MAX, u64::MAX, "⣿⣿⣿⣿"),
        ] {
            assert_eq!(bar(part, whole, 4), expected, "{part} of {whole}");
        }
    }
}
