use crate::triage::bench::Written;
use crate::triage::facts::StopCause::{
    BetweenSteps, NoAnswer, NothingYet, OpenApproval, OpenCall, OpenCommand, OpenSubCall, TurnEnded, WaitingForRetry,
};

fn open() -> Written {
    Written::new().turn(1).step(1, 1)
}

fn asked() -> Written {
    open().asks(1, 1, &["a"])
}

fn started() -> Written {
    asked().call(1, 1, "a")
}

fn question(log: Written) -> Written {
    log.event("approval/asked", r#""id":"q","toolName":"bash","callId":"a""#)
}

fn inner(log: Written) -> Written {
    let ids = r#""parentCallId":"a","rootCallId":"a","subCallId":"a:code:0","name":"bash""#;
    log.event("tool/code-dispatch-start", ids)
}

fn command(log: Written) -> Written {
    log.event("command/run", r#""commandId":"k","name":"compact""#)
}

fn retry(log: Written) -> Written {
    let failure = r#""failure":{"code":"RATE_LIMIT"}"#;
    log.event("llm/retry", &format!(r#""retryId":"r","retry":1,"turn":1,"step":1,"delayMs":5,{failure}"#))
}

#[test]
fn the_first_thing_that_fits_is_the_answer() {
    let settled = |log: Written| log.result(1, 1, "a", "", "");
    let answered = || question(started()).event("approval/decided", r#""id":"q","outcome":"allowed-once""#);
    let over = || settled(started()).step_end(1, 1).turn_end(1, "completed");
    let table = [
        ("an empty log", Written::new(), NothingYet, None),
        ("a question", question(started()), OpenApproval, Some(4)),
        ("a question that was answered", answered(), OpenCall, Some(3)),
        ("a call", started(), OpenCall, Some(3)),
        ("a call asked for", asked(), OpenCall, Some(2)),
        ("a call that started goes before one that did not", started().asks(1, 1, &["b"]), OpenCall, Some(3)),
        (
            "the highest of several calls",
            open().asks(1, 1, &["a", "b"]).call(1, 1, "b").call(1, 1, "a"),
            OpenCall,
            Some(4),
        ),
        ("a call inside the call", inner(started()), OpenSubCall, Some(4)),
        ("a command", command(open()), OpenCommand, Some(2)),
        ("a command between turns", command(over()), OpenCommand, Some(7)),
        ("a wait", retry(open()), WaitingForRetry, Some(2)),
        (
            "a wait that ended",
            retry(open()).event("llm/retry-started", r#""retryId":"r","retry":1"#),
            NoAnswer,
            Some(1),
        ),
        ("a wait in a step that is over", retry(open()).step_end(1, 1), BetweenSteps, Some(3)),
        ("a step without a message", open(), NoAnswer, Some(1)),
        ("a step with all its results", settled(started()), BetweenSteps, Some(0)),
        ("a turn without a step", Written::new().turn(1), BetweenSteps, Some(0)),
        ("a turn that ended", over(), TurnEnded, Some(6)),
        (
            "a call left in an earlier turn",
            started().turn_end(1, "error").turn(2).turn_end(2, "completed"),
            TurnEnded,
            Some(6),
        ),
        ("a step left open in an earlier turn", open().turn_end(1, "error").turn(2), BetweenSteps, Some(3)),
        ("an end without a beginning", Written::new().turn_end(4, "completed"), TurnEnded, Some(0)),
    ];
    for (name, log, cause, seq) in table {
        let stopped = log.facts().stopped;
        assert_eq!((stopped.cause, stopped.seq), (cause, seq), "{name}: {}", stopped.text.for_programs());
    }
}

#[test]
fn the_time_since_runs_to_the_last_event() {
    let stopped = started().event("note/x", "").event("note/x", "").facts().stopped;
    assert_eq!(stopped.since_ms, Some(2000));
    let back = started().raw(r#"{"type":"note/x","seq":4,"time":1789999999000,"data":{}}"#).facts().stopped;
    assert_eq!(back.since_ms, Some(-4000), "a clock may step back");
}

#[test]
fn a_torn_tail_is_said_with_the_answer() {
    let stopped = open().raw(r#"{"type":"assistant/mess"#).facts().stopped;
    assert!(!stopped.torn, "a bad line is no torn tail");
    let (session, _) = crate::triage::bench::plain(format!("{}\n{{\"type\"", crate::triage::bench::HEADER).as_bytes());
    assert!(session.facts.stopped.torn);
    assert!(session.facts.stopped.text.for_programs().contains("torn"));
}
