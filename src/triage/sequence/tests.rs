use super::*;
use crate::triage::bench::{self, Written};

#[test]
fn numbers_in_two_runs_are_listed_once_and_in_order() {
    let run = |first, last| Run { first, last };
    assert_eq!(repeated(&[run(0, 6), run(6, 12)]), [6]);
    assert_eq!(repeated(&[run(0, 7), run(5, 7), run(6, 9)]), [5, 6, 7]);
    assert_eq!(repeated(&[run(0, 3), run(19, 29)]), [0_i64; 0]);
    assert_eq!(repeated(&[run(10, 20), run(0, 30), run(12, 14)]), (10..=20).collect::<Vec<_>>());
}

/// A turn with one call, open at seq 3.
fn open() -> Written {
    Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]).call(1, 1, "a")
}

/// As a recovery closes it, at 4 to 6.
fn recovered() -> Written {
    open().recovered(1, 1, "a", "TOOL_OUTCOME_UNKNOWN", "").step_end(1, 1).turn_end(1, "interrupted")
}

#[test]
fn each_break_has_its_cause() {
    use BreakCause::{LateResultAfterRecovery, LostLines, TwoWriters, Unknown, UnreadableLines};
    let late = |log: Written| log.at(4).result(1, 1, "a", "", "");
    let note = |log: Written| log.event("note/x", "");
    let table = [
        ("whole", recovered(), vec![]),
        ("the number of a closing result comes again", late(recovered()), vec![(7, Some(4), LateResultAfterRecovery)]),
        (
            "all of them come again, and more",
            note(late(recovered()).step_end(1, 1).turn_end(1, "completed")),
            vec![(7, Some(4), LateResultAfterRecovery)],
        ),
        (
            "of a recovery without open calls",
            Written::new().turn(1).step(1, 1).step_end(1, 1).turn_end(1, "interrupted").at(2).asks(1, 1, &[]),
            vec![(4, Some(2), LateResultAfterRecovery)],
        ),
        (
            "what stands before an interrupted end is no closing record by itself",
            note(note(Written::new().turn(1)).turn_end(1, "interrupted").at(1)),
            vec![(3, Some(1), TwoWriters)],
        ),
        ("an earlier number", note(recovered().at(3)), vec![(7, Some(3), TwoWriters)]),
        (
            "a number taken by a recovery that comes later",
            note(note(open()).at(4)).at(4).turn_end(1, "interrupted"),
            vec![(5, Some(4), TwoWriters), (5, Some(4), TwoWriters)],
        ),
        ("numbers left out", note(open().at(9)), vec![(4, Some(9), LostLines)]),
        ("a first number above 0", note(Written::new().at(5)), vec![(0, Some(5), LostLines)]),
        ("as many bad lines as numbers", note(open().raw("").raw("{").at(6)), vec![(4, Some(6), UnreadableLines)]),
        ("fewer bad lines than numbers", note(open().raw("{").at(6)), vec![(4, Some(6), LostLines)]),
        ("a line without a number", open().raw(r#"{"type":"note/x"}"#), vec![(4, None, Unknown)]),
        ("a number that is no integer", open().raw(r#"{"type":"note/x","seq":4.5}"#), vec![(4, None, Unknown)]),
        (
            "a number beyond those that JSON keeps exact",
            open().raw(r#"{"type":"note/x","seq":9007199254740993}"#),
            vec![(4, Some(9_007_199_254_740_993), LostLines)],
        ),
        (
            "an earlier number that nothing had",
            note(note(Written::new().at(5)).at(2)),
            vec![(0, Some(5), LostLines), (6, Some(2), Unknown)],
        ),
    ];
    for (name, log, expected) in table {
        let facts = log.facts();
        let found = facts.sequence.breaks.iter().map(|found| (found.expected, found.got, found.cause));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
    }
}

/// The largest integer that a log can hold: beyond it no number is exact.
const LIMIT: i64 = (1 << 53) - 1;

#[test]
fn numbers_at_the_ends_of_their_range_are_survived() {
    let lines: Vec<String> = [-LIMIT, LIMIT, -LIMIT, 0, 1 - LIMIT]
        .iter()
        .map(|seq| format!(r#"{{"type":"turn/end","seq":{seq},"time":{seq},"data":{{"turn":{seq},"reason":{{"kind":"interrupted"}}}}}}"#))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let header = bench::HEADER.replace("\"createdAt\"", "\"seedLength\":7,\"createdAt\"");
    let (session, _) = bench::plain(format!("{header}\n{}\n", lines.join("\n")).as_bytes());
    assert_eq!(session.facts.sequence.breaks.len(), 5);
}
