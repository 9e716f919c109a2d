//! Turns and steps: where they begin, how they end.

use super::ascending::Ascending;
use super::facts::{Step, Turn};
use crate::record::event::{EndReason, Event, Place};
use crate::record::int::OptInt;
use crate::session::row::RowIx;

/// Follows turns and steps.
#[derive(Debug, Clone, Default)]
pub(super) struct SpanFold {
    turns: Vec<Turn>,
    turn_at: Ascending<i64>,
    steps: Vec<Step>,
    step_at: Ascending<(i64, i64)>,
    /// Turns and steps opened and not closed, counted where they are opened.
    open_turns: u64,
    open_steps: u64,
}

impl SpanFold {
    /// `turn/start`.
    pub(super) fn turn_start(&mut self, row: RowIx, event: &Event, turn: Option<i64>) {
        let Some(turn) = turn else { return };
        if self.turn_at.contains(turn) {
            return;
        }
        self.open_turns += 1;
        let fresh = Turn { start_seq: event.seq, start_time: event.time, ..blank_turn(turn, row) };
        self.push_turn(fresh);
    }

    /// `turn/end`: a later end of the same turn wins.
    pub(super) fn turn_end(&mut self, row: RowIx, event: &Event, turn: Option<i64>, reason: &EndReason) {
        let Some(number) = turn else { return };
        let at = match self.turn_at.get(number) {
            Some(at) => {
                self.open_turns -= u64::from(self.turns[at as usize].end_row.is_none());
                at as usize
            }
            None => self.push_turn(blank_turn(number, row)),
        };
        let turn = &mut self.turns[at];
        turn.end = reason.kind.clone().or_else(|| Some("unknown".into()));
        turn.aborted_by.clone_from(&reason.by);
        turn.failure.clone_from(&reason.failure);
        turn.end_row = Some(row);
        turn.end_seq = event.seq;
        turn.end_time = event.time;
    }

    /// `step/start`.
    pub(super) fn step_start(&mut self, row: RowIx, event: &Event, place: Place) {
        let Some((turn, step)) = place.turn.zip(place.step) else { return };
        if self.step_at.contains((turn, step)) {
            return;
        }
        self.open_steps += 1;
        self.step_at.insert((turn, step), self.steps.len() as u32);
        self.steps.push(Step {
            turn,
            step,
            start_row: row,
            start_seq: event.seq.into(),
            end_row: None,
            end_seq: OptInt::NONE,
            start_time: event.time.into(),
            end_time: OptInt::NONE,
            has_message: false,
        });
    }

    /// `step/end`.
    pub(super) fn step_end(&mut self, row: RowIx, event: &Event, place: Place) {
        let Some(step) = self.step_mut(place) else { return };
        let was_open = step.end_row.is_none();
        step.end_row = Some(row);
        step.end_seq = event.seq.into();
        step.end_time = event.time.into();
        self.open_steps -= u64::from(was_open);
    }

    /// The step got its message.
    pub(super) fn message(&mut self, place: Place) {
        if let Some(step) = self.step_mut(place) {
            step.has_message = true;
        }
    }

    /// Turns, steps, and how many of each are open.
    pub(super) fn finish(mut self) -> (Vec<Turn>, Vec<Step>, u64, u64) {
        self.turns.shrink_to_fit();
        self.steps.shrink_to_fit();
        (self.turns, self.steps, self.open_turns, self.open_steps)
    }

    fn step_mut(&mut self, place: Place) -> Option<&mut Step> {
        let key = place.turn.zip(place.step)?;
        let at = self.step_at.get(key)?;
        self.steps.get_mut(at as usize)
    }

    fn push_turn(&mut self, turn: Turn) -> usize {
        self.turn_at.insert(turn.turn, self.turns.len() as u32);
        self.turns.push(turn);
        self.turns.len() - 1
    }
}

fn blank_turn(turn: i64, row: RowIx) -> Turn {
    Turn {
        turn,
        end: None,
        aborted_by: None,
        failure: None,
        start_row: row,
        start_seq: None,
        end_row: None,
        end_seq: None,
        start_time: None,
        end_time: None,
    }
}

#[cfg(test)]
mod tests {
    use crate::triage::bench::Written;

    #[test]
    fn a_later_end_of_a_turn_wins_and_each_turn_is_there_once() {
        let table = [
            ("open", Written::new().turn(1), vec![(1, None)], 1),
            ("ended", Written::new().turn(1).turn_end(1, "completed"), vec![(1, Some("completed"))], 0),
            (
                "ended twice",
                Written::new().turn(1).turn_end(1, "interrupted").turn_end(1, "completed"),
                vec![(1, Some("completed"))],
                0,
            ),
            ("begun twice", Written::new().turn(1).turn(1).turn_end(1, "completed"), vec![(1, Some("completed"))], 0),
            ("ended without a start", Written::new().turn_end(7, "error"), vec![(7, Some("error"))], 0),
            ("begun after its end", Written::new().turn_end(1, "error").turn(1), vec![(1, Some("error"))], 0),
            (
                "begun without a seq",
                Written::new().raw(r#"{"type":"turn/start","data":{"turn":1}}"#).turn_end(1, "error"),
                vec![(1, Some("error"))],
                0,
            ),
            ("without a number", Written::new().event("turn/start", ""), vec![], 0),
        ];
        for (name, log, turns, open) in table {
            let facts = log.facts();
            let found = facts.turns.iter().map(|turn| (turn.turn, turn.end.clone()));
            let expected = turns.into_iter().map(|(turn, end)| (turn, end.map(Into::into)));
            assert!(found.eq(expected), "{name}: {:?}", facts.turns);
            assert_eq!(facts.open_pairs.iter().map(|(_, count)| count).sum::<u64>(), open, "{name}");
        }
    }

    #[test]
    fn steps_are_told_apart_by_turn() {
        let log = Written::new().turn(1).step(1, 1).asks(1, 1, &[]).step_end(1, 1).turn_end(1, "completed");
        let facts = log.turn(2).step(2, 1).step_end(9, 9).facts();
        let found: Vec<_> = facts.steps.iter().map(|step| (step.turn, step.has_message, step.end_seq.get())).collect();
        assert_eq!(found, [(1, true, Some(3)), (2, false, None)]);
    }
}
