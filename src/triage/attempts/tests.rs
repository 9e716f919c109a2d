use crate::triage::bench::Written;
use crate::triage::facts::{Attempt, Facts};

fn chunk(log: Written, chunk: &str) -> Written {
    log.event("assistant/chunk", &format!(r#""turn":1,"step":1,"chunk":{chunk}"#))
}

fn text(log: Written) -> Written {
    chunk(log, r#"{"type":"text-delta","index":0,"text":"four"}"#)
}

fn finish(log: Written, kind: &str) -> Written {
    chunk(
        log,
        &format!(r#"{{"type":"finish","reason":{{"kind":"{kind}","failure":{{"code":"SERVER","status":500}}}}}}"#),
    )
}

fn retry(log: Written, n: i64) -> Written {
    let rest = r#""turn":1,"step":1,"failure":{"code":"SERVER"}"#;
    log.event("llm/retry", &format!(r#""retryId":"r","retry":{n},"delayMs":400,{rest}"#))
}

fn started(log: Written, n: i64) -> Written {
    log.event("llm/retry-started", &format!(r#""retryId":"r","retry":{n},"turn":1,"step":1"#))
}

/// Pieces, seqs, whether a message came, the retry it led to, the retry it is.
type Told = (u32, Option<i64>, Option<i64>, bool, Option<u32>, Option<u32>);

fn told(attempt: &Attempt) -> Told {
    let has_message = attempt.message_row.is_some();
    (attempt.pieces, attempt.first_seq.get(), attempt.last_seq.get(), has_message, attempt.retry, attempt.is_retry)
}

fn all(facts: &Facts) -> Vec<Told> {
    facts.attempts.iter().map(told).collect()
}

#[test]
fn attempts_of_one_step_are_told_apart() {
    let open = || Written::new().turn(1).step(1, 1);
    let table = [
        ("an answer", finish(text(open()), "stop").asks(1, 1, &[]), vec![(2, Some(2), Some(3), true, None, None)]),
        ("an answer without pieces", open().asks(1, 1, &[]), vec![(0, Some(2), Some(2), true, None, None)]),
        (
            "a chain of two",
            finish(text(started(retry(finish(text(open()), "error"), 1), 1)), "stop").asks(1, 1, &[]),
            vec![(2, Some(2), Some(3), false, Some(0), None), (2, Some(6), Some(7), true, None, Some(0))],
        ),
        (
            "a retry of which nothing had come",
            retry(started(retry(open(), 1), 1), 2),
            vec![(0, Some(2), Some(2), false, Some(0), None), (0, Some(4), Some(4), false, Some(1), Some(0))],
        ),
        ("a step that ended without a piece", open().step_end(1, 1), vec![(0, Some(1), Some(1), false, None, None)]),
        ("an answer that is still coming", text(open()), vec![(1, Some(2), Some(2), false, None, None)]),
        ("a step that waits", open(), vec![(0, Some(1), Some(1), false, None, None)]),
        ("no step", Written::new().turn(1), vec![]),
        ("a retry out of nowhere", retry(Written::new(), 1), vec![(0, Some(0), Some(0), false, Some(0), None)]),
        (
            "two answers of one step",
            open().asks(1, 1, &[]).asks(1, 1, &[]),
            vec![(0, Some(2), Some(2), true, None, None), (0, Some(3), Some(3), true, None, None)],
        ),
        (
            "a retry of a step that was answered",
            retry(open().asks(1, 1, &[]), 1),
            vec![(0, Some(2), Some(2), true, None, None), (0, Some(3), Some(3), false, Some(0), None)],
        ),
    ];
    for (name, log, expected) in table {
        assert_eq!(all(&log.facts()), expected, "{name}");
    }
}

#[test]
fn the_first_wait_counts_from_the_last_record_of_the_request() {
    let header = |log: Written| log.event("request/header", r#""header":{"config":{"model":"m"}},"reason":"initial""#);
    let wait = |log: Written| log.facts().attempts.first().and_then(|attempt| attempt.first_wait_ms.get());
    let open = || Written::new().turn(1).step(1, 1);
    assert_eq!(wait(text(open())), Some(1000));
    assert_eq!(wait(text(header(header(open())))), Some(1000));
    assert_eq!(wait(open().asks(1, 1, &[])), None, "nothing streamed");
    let back = r#"{"type":"assistant/chunk","seq":2,"time":5,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","text":"a"}}}"#;
    assert_eq!(wait(open().raw(back)), None, "the clock stepped back");
    let facts = text(open().raw(back)).facts();
    let attempt = &facts.attempts[0];
    assert!(attempt.longest_gap_ms > 0 && attempt.streamed_ms() > Some(0), "a jump forward counts");
    let facts = text(text(open())).raw(back).facts();
    assert_eq!(facts.attempts[0].streamed_ms(), Some(0), "a step back never counts");
}

#[test]
fn usage_that_the_message_repeats_otherwise_is_told() {
    let usage = |n: i64| format!(r#"{{"inputTokens":{n},"outputTokens":1}}"#);
    let log = |chunk_says: i64, message_says: i64| {
        let log =
            chunk(Written::new().turn(1).step(1, 1), &format!(r#"{{"type":"usage","usage":{}}}"#, usage(chunk_says)));
        let rest = format!(r#""turn":1,"step":1,"message":{{"content":[]}},"usage":{}"#, usage(message_says));
        log.event("assistant/message", &rest)
    };
    for (chunk_says, message_says, differs) in [(5, 5, false), (5, 7, true), (0, 7, true)] {
        let facts = log(chunk_says, message_says).facts();
        let attempt = &facts.attempts[0];
        assert_eq!(attempt.usage_differs(), differs, "{chunk_says} {message_says}");
        assert_eq!(attempt.tokens().map(|usage| usage.input), Some(chunk_says as u64));
    }
}

const V2: &str = r#"{"type":"session","version":2,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}"#;

fn stream(dt: &str) -> String {
    let texts: Vec<_> = (0..=dt.matches(',').count() + 1).map(|_| r#""a""#).collect();
    format!(r#"[{{"type":"text-chunks","time0":1000,"index":0,"dt":[{dt}],"texts":[{}]}}]"#, texts.join(","))
}

#[test]
fn long_gaps_are_stalls_unless_all_gaps_are_long() {
    let of = |dt: &str| {
        let data = format!(r#""turn":1,"step":1,"message":{{"content":[]}},"stream":{}"#, stream(dt));
        let facts = Written::under(V2).turn(1).step(1, 1).event("assistant/message", &data).facts();
        facts.stalls.iter().map(|stall| (stall.member, stall.ms)).collect::<Vec<_>>()
    };
    assert_eq!(of("1,1,1500,1,2000"), [(3, 1500), (5, 2000)]);
    assert_eq!(of("1,1,999,1"), []);
    assert_eq!(of("1500,1500,1500,1500"), [], "a slow model does not stall");
    assert_eq!(of("-5000,1,1,9223372036854775807"), [], "what is no safe integer is no gap");
    let many = vec!["1,2000"; 300].join(",");
    assert_eq!(of(&many).len(), 100);
}

#[test]
fn gaps_between_lines_and_inside_of_packed_rows_are_stalls() {
    let row = |seq: i64, time: i64, dt: &str| {
        let texts: Vec<_> = dt.split(',').map(|_| r#""a""#).chain([r#""a""#]).collect();
        let data = format!(r#""turn":1,"step":1,"index":0,"dt":[{dt}],"texts":[{}]"#, texts.join(","));
        format!(r#"{{"type":"text-chunks","seq0":{seq},"time0":{time},"data":{{{data}}}}}"#)
    };
    let start = 1_790_000_000_000;
    let log = Written::new().turn(1).step(1, 1);
    let log = log.raw(&row(2, start, "1,1,3000,1")).raw(&row(7, start + 9000, "0,1,1"));
    let facts = log.facts();
    let found: Vec<_> = facts.stalls.iter().map(|stall| (stall.row.0, stall.member, stall.seq, stall.ms)).collect();
    assert_eq!(found, [(2, 3, Some(5), 3000), (3, 0, Some(7), 5997)]);
    assert_eq!(facts.attempts[0].longest_gap_ms, 5997);
}
