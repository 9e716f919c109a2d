//! Where `:` leads: `88`, `6/2`, `L45`, `F3`, `t3`, `t3.2`, `seq 88`, `line 45`, a call id or its start, a clock.

use crate::session::row::{EventRef, RowIx, Seq};
use crate::text::time::Zone;
use crate::triage::session::Session;

/// What was typed after `:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A seq, and the how-many-eth event with it, from 1.
    Seq(i64, u32),
    /// A line, from 1.
    Line(u64),
    /// A frame, from 0.
    Frame(u32),
    /// A turn.
    Turn(i64),
    /// A step of a turn.
    Step(i64, i64),
    /// A time of the day, as typed.
    Clock(String),
    /// A call id or its start.
    CallId(String),
}

/// Reads what was typed; `None` for nothing. Anything that is no other place is the start of a call id.
pub(crate) fn parse(typed: &str) -> Option<Place> {
    let typed = typed.trim();
    let after = |letter: char| typed.strip_prefix(letter).or_else(|| typed.strip_prefix(letter.to_ascii_lowercase()));
    if typed.is_empty() {
        return None;
    }
    if let Some(place) = seq(typed) {
        return Some(place);
    }
    if let Some(line) = after('L').and_then(|line| line.parse().ok()) {
        return Some(Place::Line(line));
    }
    if let Some(frame) = after('F').and_then(|frame| frame.parse().ok()) {
        return Some(Place::Frame(frame));
    }
    if let Some(place) = after('T').and_then(turn) {
        return Some(place);
    }
    if let Some(place) = in_words(typed) {
        return Some(place);
    }
    if is_clock(typed) {
        return Some(Place::Clock(typed.to_owned()));
    }
    Some(Place::CallId(typed.to_owned()))
}

/// `33`, `6/2`.
fn seq(typed: &str) -> Option<Place> {
    let (seq, nth) = typed.split_once('/').unwrap_or((typed, "1"));
    Some(Place::Seq(seq.parse().ok()?, nth.parse().ok()?))
}

/// `seq 33`, `line 3`, `frame 3`, `turn 1`, `turn 1.2`.
fn in_words(typed: &str) -> Option<Place> {
    let (word, rest) = typed.split_once(' ')?;
    let rest = rest.trim_start();
    match word.to_ascii_lowercase().as_str() {
        "seq" => seq(rest),
        "line" => rest.parse().ok().map(Place::Line),
        "frame" => rest.parse().ok().map(Place::Frame),
        "turn" => turn(rest),
        _ => None,
    }
}

fn turn(rest: &str) -> Option<Place> {
    match rest.split_once('.') {
        Some((turn, step)) => Some(Place::Step(turn.parse().ok()?, step.parse().ok()?)),
        None => Some(Place::Turn(rest.parse().ok()?)),
    }
}

/// `16:27`, `16:27:40`, `16:27:40.013`.
fn is_clock(typed: &str) -> bool {
    let digits =
        |part: &str, most: usize| !part.is_empty() && part.len() <= most && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = typed.split(':');
    let (hours, minutes, seconds) = (parts.next(), parts.next(), parts.next());
    let seconds_fit = seconds.is_none_or(|seconds| {
        let (whole, rest) = seconds.split_once('.').unwrap_or((seconds, "0"));
        digits(whole, 2) && digits(rest, 3)
    });
    parts.next().is_none()
        && hours.is_some_and(|hours| digits(hours, 2))
        && minutes.is_some_and(|minutes| digits(minutes, 2))
        && seconds_fit
}

/// The event of a place; `None` when there is none. A seq that is missing leads to the nearest before it.
pub(crate) fn find(place: &Place, session: &Session, zone: &Zone) -> Option<EventRef> {
    let index = &session.index;
    let facts = &session.facts;
    let whole = |row: RowIx| EventRef { row, member: 0 };
    match place {
        Place::Seq(seq, nth) => {
            let found = index.find(Seq(*seq));
            found.get((*nth as usize).checked_sub(1)?).copied()
        }
        Place::Line(line) => index.row_of_line(*line).map(whole),
        Place::Frame(frame) => {
            let block = index.frame_of.iter().position(|of| of == frame)?;
            let first = index.rows.iter().position(|row| row.block.0 as usize >= block)?;
            Some(whole(RowIx(first as u32)))
        }
        Place::Turn(turn) => facts.turns.iter().find(|found| found.turn == *turn).map(|found| whole(found.start_row)),
        Place::Step(turn, step) => {
            let found = facts.steps.iter().find(|found| found.turn == *turn && found.step == *step);
            found.map(|found| whole(found.start_row))
        }
        Place::Clock(clock) => {
            let reached = |row: crate::session::row::Row| {
                row.time().is_some_and(|time| zone.clock(time.0).as_str() >= clock.as_str())
            };
            index.rows.iter().position(reached).map(|at| whole(RowIx(at as u32)))
        }
        Place::CallId(id) => {
            let rows = |at: usize| facts.calls.get(at).and_then(|call| call.call_row.or(call.message_row));
            let exact = facts.calls.iter().position(|call| call.call_id.as_bytes() == id.as_bytes());
            let start = || facts.calls.iter().position(|call| call.call_id.as_bytes().starts_with(id.as_bytes()));
            exact.or_else(start).and_then(rows).map(whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_typed() {
        for (typed, expected) in [
            ("88", Some(Place::Seq(88, 1))),
            (" 6/2 ", Some(Place::Seq(6, 2))),
            ("L45", Some(Place::Line(45))),
            ("F3", Some(Place::Frame(3))),
            ("t3", Some(Place::Turn(3))),
            ("t3.2", Some(Place::Step(3, 2))),
            ("16:27:40", Some(Place::Clock("16:27:40".into()))),
            ("16:27", Some(Place::Clock("16:27".into()))),
            ("16:2x", Some(Place::CallId("16:2x".into()))),
            ("call_03", Some(Place::CallId("call_03".into()))),
            ("seq 33", Some(Place::Seq(33, 1))),
            ("seq 6/2", Some(Place::Seq(6, 2))),
            ("line 3", Some(Place::Line(3))),
            ("Turn 1", Some(Place::Turn(1))),
            ("turn 1.2", Some(Place::Step(1, 2))),
            ("toolu_1", Some(Place::CallId("toolu_1".into()))),
            ("", None),
        ] {
            assert_eq!(parse(typed), expected, "{typed}");
        }
    }
}
