//! The ten-minute pass: what the six questions are answered with, the same for the page and the report.

pub(crate) mod arguments;
pub(crate) mod asked;
pub(crate) mod bug;
mod call;
pub mod citation;
mod head;
pub(crate) mod made_of;
pub(crate) mod page;
pub(crate) mod rungs;
pub(crate) mod said;
pub(crate) mod secrets;
pub(crate) mod whole;

use self::page::Page;
use super::facts::{Basis, Call, CallState, Facts};
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::number::duration;

/// Gives the stored text of a row, whole or its first kilobytes; `None` where it cannot be had.
pub type Lines<'a> = dyn FnMut(RowIx) -> Option<Vec<u8>> + 'a;

/// Answers the six questions, a blank line after each.
pub(crate) fn six_questions(page: &mut Page<'_>, lines: &mut Lines<'_>) {
    head::what_is_this(page);
    whole::is_it_whole(page);
    call::last_call(page, lines);
}

/// Why the log stops, in one sentence.
pub(crate) fn stopped(facts: &Facts, words: &Words) -> String {
    let text = said::clean(&facts.stopped.text.say(words));
    match facts.stopped.since_ms {
        Some(ms) if ms != 0 => {
            format!("{text}; {}", words.say("report_text.since", &[("time", &duration(ms))]))
        }
        _ => text,
    }
}

/// The call that recovery closed and that comes first: one whose outcome is unknown before one that never started, of
/// the last turn that recovery closed a call in; the last of its sort. Place in `Facts::calls`.
#[must_use]
pub fn worst_recovered(facts: &Facts) -> Option<usize> {
    let last = facts.last_recovered?;
    let turn = facts.calls.get(last)?.turn;
    let is_unknown =
        |call: &Call| call.basis == Basis::Recorded && call.turn == turn && call.state == CallState::OutcomeUnknown;
    facts.calls.iter().rposition(is_unknown).or(Some(last))
}

/// The other calls of the turn of this one that recovery closed, in the order of the log.
#[must_use]
pub fn recovered_beside<'a>(facts: &'a Facts, call: &Call) -> Vec<&'a Call> {
    let recovered = facts.calls.iter().filter(|other| other.basis == Basis::Recorded && other.turn == call.turn);
    recovered.filter(|other| !std::ptr::eq(*other, call)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::bench::Written;

    #[test]
    fn an_unknown_outcome_comes_before_a_call_that_never_started() {
        let asked = Written::new().turn(1).step(1, 1).asks(1, 1, &["a", "b", "c"]).call(1, 1, "a");
        let closed =
            asked.recovered(1, 1, "a", "TOOL_OUTCOME_UNKNOWN", "").recovered(1, 1, "b", "TOOL_NOT_STARTED", "");
        let facts = closed.recovered(1, 1, "c", "TOOL_NOT_STARTED", "").facts();
        let worst = worst_recovered(&facts);
        let id = |call: &Call| String::from_utf8_lossy(call.call_id.as_bytes()).into_owned();
        assert_eq!(worst.map(|at| id(&facts.calls[at])).as_deref(), Some("a"));
        let others = worst.map(|at| recovered_beside(&facts, &facts.calls[at])).unwrap_or_default();
        assert_eq!(others.into_iter().map(id).collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(worst_recovered(&Written::new().turn(1).facts()), None);
    }
}
