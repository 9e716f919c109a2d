//! Calls that may have run twice (docs/FORMAT.md sections 8 and 14.1): called again after an unknown outcome, settled
//! again after a recovery, or settled twice.

use foldhash::HashMap;

use super::facts::{Basis, Call, CallState, Facts, Twice, TwiceWhy};
use super::what::{Mark, call_mark};

/// All of them, in the order of the later record.
pub(super) fn twice(facts: &Facts) -> Vec<Twice> {
    let mut found = called_again(&facts.calls);
    let late = facts.calls.iter().enumerate().filter(|(_, call)| {
        // A call that was cancelled before its tool ran did not run for that result.
        call.basis == Basis::ResultAfterRecovery && call_mark(call) != Mark::Cancelled
    });
    found.extend(late.filter_map(|(at, call)| {
        let rows = [call.recovery().map(|recovery| recovery.row)?, call.result_row?];
        let seqs = [call.recovery().and_then(|recovery| recovery.seq), call.result_seq.get()];
        Some(Twice { why: TwiceWhy::ResultAfterRecovery, call: at, again: None, seqs, rows })
    }));
    found.extend(facts.results_without_call.iter().filter_map(|stray| {
        let at = stray.second_for?;
        let call = facts.calls.get(at)?;
        let rows = [call.result_row?, stray.row];
        let seqs = [call.result_seq.get(), stray.result_seq];
        Some(Twice { why: TwiceWhy::TwoResults, call: at, again: None, seqs, rows })
    }));
    found.sort_by_key(|twice| (twice.rows[1], twice.rows[0]));
    found
}

/// Whether a `tool/call` is there and nothing says that its tool never ran.
fn may_have_run(call: &Call) -> bool {
    call.call_row.is_some() && call.state != CallState::NotStarted && call_mark(call) != Mark::Cancelled
}

/// Calls of unknown outcome that a later step repeats: same tool, same arguments. Calls of one step are told apart by
/// the model that asked for all of them.
fn called_again(calls: &[Call]) -> Vec<Twice> {
    let mut unknown: HashMap<_, usize> = HashMap::default();
    let mut found = Vec::new();
    for (at, call) in calls.iter().enumerate().filter(|(_, call)| may_have_run(call)) {
        let key = (&call.name, call.arguments.hash, call.arguments.bytes);
        let earlier = unknown.get(&key).and_then(|at| Some((*at, calls.get(*at)?)));
        if let Some((first, earlier)) = earlier.filter(|(_, other)| (other.turn, other.step) != (call.turn, call.step))
        {
            found.extend(earlier.call_row.zip(call.call_row).map(|(one, other)| Twice {
                why: TwiceWhy::CalledAgain,
                call: first,
                again: Some(at),
                seqs: [earlier.call_seq.get(), call.call_seq.get()],
                rows: [one, other],
            }));
            unknown.remove(&key);
        }
        if call.state == CallState::OutcomeUnknown {
            unknown.insert(key, at);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::bench::Written;

    type Row = (TwiceWhy, [Option<i64>; 2]);

    fn found(log: &Written) -> Vec<Row> {
        log.facts().twice.iter().map(|twice| (twice.why, twice.seqs)).collect()
    }

    #[test]
    fn a_call_may_have_run_twice() {
        use TwiceWhy::{CalledAgain, ResultAfterRecovery, TwoResults};
        let killed = || Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]).call(1, 1, "a");
        let closed = |code: &str| killed().recovered(1, 1, "a", code, "").step_end(1, 1).turn_end(1, "interrupted");
        let again = |log: Written| log.turn(2).step(2, 1).asks(2, 1, &["b"]).call(2, 1, "b");
        let table: [(&str, Written, Vec<Row>); 10] = [
            ("killed, never called again", killed(), vec![]),
            (
                "called again after a recovery",
                again(closed("TOOL_OUTCOME_UNKNOWN")),
                vec![(CalledAgain, [Some(3), Some(10)])],
            ),
            (
                "called again in a turn that closed over it",
                again(killed().turn_end(1, "error")),
                vec![(CalledAgain, [Some(3), Some(8)])],
            ),
            ("it never started", again(closed("TOOL_NOT_STARTED")), vec![]),
            ("it was answered", again(killed().result(1, 1, "a", "", "").turn_end(1, "completed")), vec![]),
            (
                "asked for again, not started",
                closed("TOOL_OUTCOME_UNKNOWN").turn(2).step(2, 1).asks(2, 1, &["b"]),
                vec![],
            ),
            (
                "cancelled before it ran",
                again(closed("TOOL_OUTCOME_UNKNOWN")).result(
                    2,
                    1,
                    "b",
                    r#","isError":true,"error":{"code":"ABORTED_BEFORE_DISPATCH"}"#,
                    "",
                ),
                vec![],
            ),
            (
                "twice in one step",
                Written::new().turn(1).step(1, 1).asks(1, 1, &["a", "b"]).call(1, 1, "a").call(1, 1, "b"),
                vec![],
            ),
            (
                "a real result after the recovery record",
                closed("TOOL_OUTCOME_UNKNOWN").at(4).result(1, 1, "a", "", ""),
                vec![(ResultAfterRecovery, [Some(4), Some(4)])],
            ),
            (
                "two results",
                killed().result(1, 1, "a", "", "").result(1, 1, "a", "", ""),
                vec![(TwoResults, [Some(4), Some(5)])],
            ),
        ];
        for (name, log, expected) in table {
            assert_eq!(found(&log), expected, "{name}");
        }
    }

    #[test]
    fn a_chain_of_retries_is_a_chain_of_pairs_and_ends_with_an_answer() {
        let mut log = Written::new();
        for turn in 1..=3 {
            log = log.turn(turn).step(turn, 1).asks(turn, 1, &["a"]).call(turn, 1, "a");
        }
        log = log.result(3, 1, "a", "", "").turn(4).step(4, 1).asks(4, 1, &["a"]).call(4, 1, "a");
        let seqs: Vec<_> = found(&log).into_iter().map(|(_, seqs)| seqs).collect();
        assert_eq!(seqs, [[Some(3), Some(7)], [Some(7), Some(11)]]);
    }
}
