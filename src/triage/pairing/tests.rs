use crate::triage::bench::Written;
use crate::triage::facts::{Basis, CallState, Facts};

const APPEND: &str = r#","surfaceOp":"append""#;

/// State and basis of each call, and the number of results that belong to none.
fn paired(facts: &Facts) -> (Vec<(CallState, Basis)>, usize) {
    (facts.calls.iter().map(|call| (call.state, call.basis)).collect(), facts.results_without_call.len())
}

fn open() -> Written {
    Written::new().turn(1).step(1, 1)
}

#[test]
fn calls_and_results_pair_inside_their_step_and_in_order() {
    use Basis::{Inferred, Recorded, Result, ResultAfterRecovery};
    use CallState::{Completed, NotStarted, OutcomeUnknown};
    let asked = || open().asks(1, 1, &["a"]);
    let started = || asked().call(1, 1, "a");
    let unknown = |log: Written| log.recovered(1, 1, "a", "TOOL_OUTCOME_UNKNOWN", r#","sourceEventSeqs":[3]"#);
    let table = [
        ("asked for only", asked(), vec![(NotStarted, Inferred)], 0),
        ("started", started(), vec![(OutcomeUnknown, Inferred)], 0),
        ("settled", started().result(1, 1, "a", "", APPEND), vec![(Completed, Result)], 0),
        (
            "the same id in another step is no link",
            started().step(1, 2).result(1, 2, "a", "", APPEND),
            vec![(OutcomeUnknown, Inferred)],
            1,
        ),
        (
            "a second result belongs to nothing",
            started().result(1, 1, "a", "", APPEND).result(1, 1, "a", "", APPEND),
            vec![(Completed, Result)],
            1,
        ),
        (
            "a rewrite is no second result",
            started().result(1, 1, "a", "", APPEND).result(
                1,
                1,
                "a",
                "",
                r#","surfaceOp":{"op":"replace","start":4,"end":4},"sourceEventSeqs":[4]"#,
            ),
            vec![(Completed, Result)],
            0,
        ),
        (
            "a recovery without a citation closes the call that never started",
            open().asks(1, 1, &["a", "a"]).call(1, 1, "a").recovered(1, 1, "a", "TOOL_NOT_STARTED", APPEND),
            vec![(OutcomeUnknown, Inferred), (NotStarted, Recorded)],
            0,
        ),
        ("a recovery that cites the call", unknown(started()), vec![(OutcomeUnknown, Recorded)], 0),
        (
            "a real result after a recovery wins",
            unknown(started()).result(1, 1, "a", "", r#","sourceEventSeqs":[3]"#),
            vec![(Completed, ResultAfterRecovery)],
            0,
        ),
        ("a second recovery belongs to nothing", unknown(unknown(started())), vec![(OutcomeUnknown, Recorded)], 1),
        (
            "empty ids pair in order",
            open().asks(1, 1, &["", ""]).call(1, 1, "").call(1, 1, "").result(1, 1, "", "", APPEND),
            vec![(Completed, Result), (OutcomeUnknown, Inferred)],
            0,
        ),
        (
            "a citation goes before the order",
            open().asks(1, 1, &["a", "a"]).call(1, 1, "a").call(1, 1, "a").result(
                1,
                1,
                "a",
                "",
                r#","sourceEventSeqs":[4]"#,
            ),
            vec![(OutcomeUnknown, Inferred), (Completed, Result)],
            0,
        ),
        (
            "a citation of something else is not followed",
            started().result(1, 1, "a", "", r#","sourceEventSeqs":[0]"#),
            vec![(Completed, Result)],
            0,
        ),
        (
            "a call that no message asked for",
            open().call(1, 1, "x").result(1, 1, "x", r#","error":{"code":"TOOL_TIMEOUT"}"#, APPEND),
            vec![(Completed, Result)],
            0,
        ),
        ("a result of nothing", open().result(1, 1, "x", "", APPEND), vec![], 1),
    ];
    for (name, log, calls, stray) in table {
        assert_eq!(paired(&log.facts()), (calls, stray), "{name}");
    }
}

#[test]
fn a_rewrite_of_a_rewrite_belongs_to_the_call() {
    let replace =
        |seq: i64| format!(r#","surfaceOp":{{"op":"replace","start":{seq},"end":{seq}}},"sourceEventSeqs":[{seq}]"#);
    let twice = open().asks(1, 1, &["a", "a"]).call(1, 1, "a").call(1, 1, "a");
    let settled = twice.result(1, 1, "a", "", r#","sourceEventSeqs":[3]"#);
    let facts = settled.result(1, 1, "a", "", &replace(5)).result(1, 1, "a", "", &replace(6)).facts();
    let rewrites: Vec<usize> = facts.calls.iter().map(|call| call.replaced_rows().len()).collect();
    assert_eq!(rewrites, [2, 0]);
}

#[test]
fn what_a_step_or_turn_left_open_is_orphaned_when_it_is_over() {
    let left = || open().asks(1, 1, &["a"]);
    for (name, log, orphaned) in [
        ("open", left(), false),
        ("the step ended", left().step_end(1, 1), true),
        ("the turn ended", left().turn_end(1, "error"), true),
        ("the next turn began", left().turn(2), true),
        ("it was settled", left().call(1, 1, "a").result(1, 1, "a", "", APPEND).step_end(1, 1), false),
    ] {
        assert_eq!(log.facts().calls[0].orphaned, orphaned, "{name}");
    }
}

#[test]
fn thousands_of_calls_of_one_key_pair_each_with_its_own() {
    const CALLS: usize = 3_000;
    let mut log = open();
    for _ in 0..CALLS {
        log = log.call(1, 1, "");
    }
    for at in 0..CALLS {
        log = log.recovered(1, 1, "", "TOOL_OUTCOME_UNKNOWN", &format!(r#","sourceEventSeqs":[{}]"#, 2 + at));
    }
    for _ in 0..CALLS {
        log = log.result(1, 1, "", "", "");
    }
    let facts = log.facts();
    assert!(facts.calls.iter().all(|call| call.basis == Basis::ResultAfterRecovery));
    assert_eq!(facts.results_without_call.len(), 0);
}
