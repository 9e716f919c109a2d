use super::{Part, Spent, TimeTable};
use crate::triage::bench::{HEADER, plain};

/// Lines of `(type, time, data)`, seqs ascending.
fn table(lines: &[(&str, i64, &str)]) -> TimeTable {
    let line = |(seq, (kind, time, data)): (usize, &(&str, i64, &str))| {
        format!(r#"{{"type":"{kind}","seq":{seq},"time":{time},"data":{{{data}}}}}"#)
    };
    let lines: Vec<String> = lines.iter().enumerate().map(line).collect();
    let text = format!("{HEADER}\n{}\n", lines.join("\n"));
    TimeTable::of(&plain(text.as_bytes()).0)
}

/// Retry, approval, tool, model, idle, unaccounted.
fn parts(spent: &Spent) -> [i64; 6] {
    Part::ALL.map(|part| spent.of(part))
}

const PLACE: &str = r#""turn":1,"step":1"#;
const TURN: &str = r#""turn":1"#;
const ASKS: &str = r#""turn":1,"step":1,"message":{"content":[{"type":"tool-call","id":"a","name":"bash","arguments":"{}"},{"type":"tool-call","id":"b","name":"bash","arguments":"{}"}]}"#;
const CALL_A: &str = r#""turn":1,"step":1,"callId":"a","name":"bash","arguments":"{}""#;
const CALL_B: &str = r#""turn":1,"step":1,"callId":"b","name":"bash","arguments":"{}""#;
const DONE_A: &str = r#""turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"a"},"content":[]}"#;
const DONE_B: &str = r#""turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"b"},"content":[]}"#;
const RETRY: &str = r#""retryId":"r","retry":1,"turn":1,"step":1,"failure":{"code":"X"}"#;
const ENDED: &str = r#""turn":1,"reason":{"kind":"completed"}"#;

#[test]
fn parts_add_up_and_side_by_side_counts_once() {
    let found = table(&[
        ("sandbox/mode", 100, r#""mode":"read-only""#),
        ("turn/start", 110, TURN),
        ("step/start", 130, PLACE),
        ("assistant/message", 170, ASKS),
        ("tool/call", 171, CALL_A),
        ("tool/call", 175, CALL_B),
        ("approval/asked", 180, r#""id":"p","toolName":"bash","callId":"b""#),
        ("tool/result", 190, DONE_A),
        ("approval/decided", 280, r#""id":"p","outcome":"rejected""#),
        ("tool/result", 285, DONE_B),
        ("step/end", 286, PLACE),
        ("turn/end", 290, ENDED),
        ("feedback/record", 500, r#""text":"x""#),
    ]);
    assert_eq!(parts(&found.session), [0, 100, 14, 40, 220, 26]);
    assert_eq!(found.session.sum(), 400);
    assert_eq!(parts(&found.turns[0]), [0, 100, 14, 40, 0, 26]);
    assert_eq!(parts(&found.steps[0]), [0, 100, 14, 40, 0, 2]);
    assert!(found.backs.is_empty());
}

#[test]
fn waits_for_retries_are_no_time_of_the_model() {
    let chunk = r#""turn":1,"step":1,"chunk":{"type":"finish","reason":{"kind":"error"}}"#;
    let found = table(&[
        ("turn/start", 0, TURN),
        ("step/start", 0, PLACE),
        ("assistant/chunk", 30, chunk),
        ("llm/retry", 31, RETRY),
        ("llm/retry-started", 531, RETRY),
        ("assistant/message", 540, r#""turn":1,"step":1,"message":{"content":[]}"#),
        ("step/end", 541, PLACE),
    ]);
    assert_eq!(parts(&found.steps[0]), [500, 0, 0, 40, 0, 1]);
}

#[test]
fn what_never_ended_goes_on_to_the_end_of_its_step_at_most() {
    let found = table(&[
        ("turn/start", 0, TURN),
        ("step/start", 0, PLACE),
        ("assistant/message", 10, ASKS),
        ("tool/call", 10, CALL_A),
        ("step/end", 40, PLACE),
        ("turn/end", 41, ENDED),
        ("turn/start", 1041, r#""turn":2"#),
        ("step/start", 1042, r#""turn":2,"step":1"#),
    ]);
    assert_eq!(parts(&found.session), [0, 0, 30, 10, 1000, 2]);
    // A turn that never ended is over when the next one starts; a process that died ran nothing.
    let found = table(&[
        ("turn/start", 0, TURN),
        ("step/start", 0, PLACE),
        ("assistant/message", 10, ASKS),
        ("tool/call", 10, CALL_A),
        ("session/end-seed", 9000, ""),
        ("turn/start", 9001, r#""turn":2"#),
    ]);
    assert_eq!(parts(&found.session), [0, 0, 1, 10, 8990, 0]);
    assert_eq!(found.turns[0].sum(), 9001);
}

#[test]
fn a_clock_that_steps_back_is_counted_beside_the_parts() {
    let found = table(&[
        ("turn/start", 5_000, TURN),
        ("step/start", 5_100, PLACE),
        ("assistant/message", 1_500, ASKS),
        ("step/end", 1_600, PLACE),
    ]);
    assert_eq!(parts(&found.session), [0, 0, 0, 0, 0, 200]);
    assert_eq!((found.session.steps_back, found.session.back_ms), (1, 3_600));
    assert_eq!(found.backs.iter().map(|(row, ms)| (row.0, *ms)).collect::<Vec<_>>(), [(2, 3_600)]);
    assert_eq!((found.steps[0].steps_back, found.turns[0].steps_back), (1, 1));
}

#[test]
fn hostile_times_do_not_overflow() {
    let (least, most) = (-9_000_000_000_000_000, 9_000_000_000_000_000);
    let lines: Vec<_> = (0..4000).map(|at| ("turn/start", if at % 2 == 0 { least } else { most }, TURN)).collect();
    let found = table(&lines);
    assert_eq!(found.session.sum(), i64::MAX);
    assert_eq!(found.session.back_ms, i64::MAX);
    assert_eq!(found.backs.len(), super::MOST_BACK);
    assert_eq!(TimeTable::of(&plain(b"").0), TimeTable::default());
}
