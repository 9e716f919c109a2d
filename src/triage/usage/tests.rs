use crate::triage::bench::{HEADER, Written};
use crate::triage::facts::UsageFacts;

const V2: &str = r#"{"type":"session","version":2,"id":"s","createdAt":1,"isSeeded":true,"delegationDepth":0}"#;

fn chunk(log: Written, step: i64, chunk: &str) -> Written {
    log.event("assistant/chunk", &format!(r#""turn":1,"step":{step},"chunk":{chunk}"#))
}

fn tokens(log: Written, step: i64, input: u64) -> Written {
    chunk(log, step, &format!(r#"{{"type":"usage","usage":{{"inputTokens":{input},"outputTokens":1}}}}"#))
}

fn finish(log: Written, step: i64) -> Written {
    chunk(log, step, r#"{"type":"finish","reason":{"kind":"stop"}}"#)
}

fn message(log: Written, step: i64, input: u64) -> Written {
    let rest = format!(r#""message":{{"content":[]}},"usage":{{"inputTokens":{input},"outputTokens":1}}"#);
    log.event("assistant/message", &format!(r#""turn":1,"step":{step},{rest}"#))
}

/// Requests and input tokens of the file, and of the own part.
fn sums(usage: &UsageFacts) -> [u64; 4] {
    [usage.requests_in_file, usage.in_file.input, usage.requests_own, usage.own.input]
}

#[test]
fn an_attempt_counts_once() {
    let open = || Written::new().turn(1).step(1, 1);
    let retry = |log: Written, kind: &str| {
        let failure = r#""failure":{"code":"RATE_LIMIT"}"#;
        log.event(kind, &format!(r#""retryId":"r","retry":1,"turn":1,"step":1,{failure}"#))
    };
    let table = [
        ("nothing", open(), [0, 0]),
        ("the chunk and not the message", message(finish(tokens(open(), 1, 5), 1), 1, 7), [1, 5]),
        ("the message, where there is no chunk", message(open(), 1, 7), [1, 7]),
        ("the last chunk", message(tokens(tokens(open(), 1, 5), 1, 6), 1, 7), [1, 6]),
        ("a chunk after the finish", message(tokens(finish(open(), 1), 1, 5), 1, 7), [1, 5]),
        ("one that is still open", tokens(open(), 1, 5), [1, 5]),
        ("one cut off by a retry", message(tokens(retry(tokens(open(), 1, 5), "llm/retry"), 1, 6), 1, 7), [2, 11]),
        (
            "one that began again after its finish",
            tokens(chunk(finish(tokens(open(), 1, 5), 1), 1, r#"{"type":"text-delta","index":0,"text":"a"}"#), 1, 6),
            [2, 11],
        ),
        ("chunks of another step are not the message's", message(tokens(open(), 1, 5), 2, 7), [2, 12]),
        ("a message without usage reports none", open().asks(1, 1, &[]), [0, 0]),
        ("a count that is no exact integer is none", message(message(open(), 1, u64::MAX >> 1), 1, 3), [2, 3]),
    ];
    for (name, log, [requests, input]) in table {
        let usage = log.facts().usage;
        assert_eq!(sums(&usage), [requests, input, requests, input], "{name}");
    }
}

#[test]
fn failed_attempts_count_by_themselves() {
    let stream = r#""stream":[{"type":"chunk","chunk":{"type":"usage","usage":{"inputTokens":5}}}]"#;
    let attempt = format!(r#""turn":1,"step":1,{stream}"#);
    let log = Written::under(V2).turn(1).step(1, 1).event("assistant/attempt", &attempt);
    assert_eq!(sums(&message(log, 1, 7).facts().usage)[..2], [2, 12]);
}

#[test]
fn what_a_fork_copied_is_not_its_own() {
    let seeded = |seed: u64| HEADER.replace("\"createdAt\"", &format!("\"seedLength\":{seed},\"createdAt\""));
    let two = |header: &str| message(message(Written::under(header).turn(1).step(1, 1), 1, 5), 1, 7);
    let marked = |header: &str| {
        message(message(Written::under(header), 1, 5).event("session/end-seed", r#""inherited":true"#), 1, 7)
    };
    let resumed = message(message(Written::under(V2), 1, 5).event("session/end-seed", ""), 1, 7);
    let v4 = V2.replace("\"createdAt\"", "\"seedLength\":1,\"createdAt\"");
    let table = [
        ("nothing is copied", two(HEADER), [2, 12, 2, 12], 0),
        ("an empty seed", two(&seeded(0)), [2, 12, 2, 12], 0),
        ("up to the second message", two(&seeded(3)), [2, 12, 1, 7], 3),
        ("everything there is", two(&seeded(4)), [2, 12, 0, 0], 4),
        ("more than there is", two(&seeded(99)), [2, 12, 0, 0], 4),
        ("up to the marker", marked(V2), [2, 12, 1, 7], 1),
        ("the marker of a resume is no cut", resumed, [2, 12, 2, 12], 0),
        ("the marker of a later version is none in version 0", marked(HEADER), [2, 12, 2, 12], 0),
        ("a seed length of another version is none", marked(&v4), [2, 12, 1, 7], 1),
    ];
    for (name, log, expected, inherited) in table {
        let facts = log.facts();
        assert_eq!((sums(&facts.usage), facts.inherited.events), (expected, inherited), "{name}");
    }
}

#[test]
fn a_call_that_only_a_stream_holds_is_named() {
    let block = |id: &str| {
        let block = format!(r#"{{"type":"tool-call","id":"{id}","name":"bash","arguments":"[]"}}"#);
        format!(r#"{{"type":"block-end","index":0,"block":{block}}}"#)
    };
    let streamed = |id: &str| chunk(Written::new().turn(1).step(1, 1), 1, &block(id));
    let lost = streamed("b").asks(1, 1, &["a"]).facts();
    assert_eq!(lost.dropped_calls.iter().map(|call| call.call_id.clone()).collect::<Vec<_>>(), [Some("b".into())]);
    assert_eq!(lost.calls[0].stream_differs, None);
    let kept = streamed("a").asks(1, 1, &["a"]).facts();
    assert!(kept.dropped_calls.is_empty());
    assert_eq!(kept.calls[0].stream_differs, Some(true), "[] was streamed, {{}} stands in the message");
}
