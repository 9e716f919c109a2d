use super::*;
use crate::triage::bench::{Written, plain};

fn rungs(log: &Written) -> Vec<Rung> {
    ladder(&plain(log.text().as_bytes()).0)
}

/// Kind and opening seq of everything open.
fn found(log: &Written) -> Vec<(&'static str, Option<i64>)> {
    rungs(log).iter().map(|rung| (rung.kind.name(), rung.opened)).collect()
}

fn open() -> Written {
    Written::new().turn(1).step(1, 1)
}

fn pair(log: Written, kind: &str, data: &str) -> Written {
    log.event(kind, data)
}

#[test]
fn every_kind_that_opens_is_found_until_it_closes() {
    let sub = r#""parentCallId":"a","rootCallId":"a","subCallId":"a:code:1","name":"read""#;
    let hook = r#""turn":1,"point":"PreToolUse","handlerId":"h""#;
    let failure = r#""retryId":"r","retry":1,"turn":1,"step":1,"failure":{"code":"TRANSPORT"}"#;
    let table: [(&str, [(&str, &str); 2]); 7] = [
        ("approval", [("approval/asked", r#""id":"q""#), ("approval/decided", r#""id":"q","outcome":"rejected""#)]),
        ("command", [("command/run", r#""commandId":"k""#), ("command/done", r#""commandId":"k","kind":"success""#)]),
        ("sub-call", [("tool/code-dispatch-start", sub), ("tool/code-dispatch", sub)]),
        ("hook", [("hook/invoked", hook), ("hook/result", hook)]),
        ("retry", [("llm/retry", failure), ("llm/retry-started", failure)]),
        (
            "compaction",
            [
                ("compaction/start", r#""compactionId":"c""#),
                ("compaction/end", r#""compactionId":"c","outcome":"done""#),
            ],
        ),
        ("workflow run", [("tool-workflow/run-start", r#""runId":"w""#), ("tool-workflow/run-end", r#""runId":"w""#)]),
    ];
    for (kind, [opens, closes]) in table {
        let log = pair(open(), opens.0, opens.1);
        assert_eq!(found(&log)[0], (kind, Some(2)), "{kind}");
        let closed = found(&pair(log.clone(), closes.0, closes.1));
        assert_eq!(closed, [("step", Some(1)), ("turn", Some(0))], "{kind}");
        // Opened twice and closed once under one key: hooks and the like are closed newest first, others oldest first.
        let twice = found(&pair(pair(log, opens.0, opens.1), closes.0, closes.1));
        assert_eq!((twice[0].0, twice.len()), (kind, 3), "{kind}");
    }
}

#[test]
fn a_call_tells_class_basis_advice_and_its_closing_record() {
    let log = open().asks_whole(1, 1, &["a", "b"]).call(1, 1, "a");
    let rungs = rungs(&log);
    let calls: Vec<_> = rungs.iter().filter(|rung| rung.kind == Kind::Call).collect();
    assert_eq!((calls[0].state, calls[0].basis), (Some(CallState::OutcomeUnknown), Basis::Inferred));
    assert_eq!((calls[0].asked, calls[0].opened, calls[0].age_ms), (Some(2), Some(3), Some(0)));
    assert_eq!((calls[0].advice, calls[0].resume), (Some(Advice::LookOutside), OnResume::WouldClose(0)));
    assert_eq!((calls[1].opened, calls[1].age_ms), (None, Some(1000)), "from the message that asked for it");
    assert_eq!((calls[1].advice, calls[1].resume), (Some(Advice::MayBeRetried), OnResume::WouldClose(1)));
    let spans: Vec<_> = rungs.iter().skip(2).map(|rung| (rung.kind, rung.resume)).collect();
    assert_eq!(spans, [(Kind::Step, OnResume::WouldClose(2)), (Kind::Turn, OnResume::WouldClose(3))]);
}

#[test]
fn what_a_recovery_closed_says_where() {
    let log = open().asks_whole(1, 1, &["a"]).call(1, 1, "a").recovered(1, 1, "a", "TOOL_OUTCOME_UNKNOWN", "");
    let log = log.step_end(1, 1).turn_end(1, "interrupted").event("session/end-seed", "");
    let rungs = rungs(&log);
    assert_eq!(rungs.len(), 1);
    assert_eq!((rungs[0].basis, rungs[0].state), (Basis::Recorded, Some(CallState::OutcomeUnknown)));
    assert!(matches!(rungs[0].resume, OnResume::Closed(At { seq: Some(4), .. })), "{:?}", rungs[0].resume);
    assert_eq!(rungs[0].closer, None);
}

#[test]
fn what_lies_in_a_turn_that_is_over_says_what_went_past_it() {
    let killed = || open().asks_whole(1, 1, &["a"]).call(1, 1, "a");
    let closer = |log: &Written| {
        let rungs = rungs(log);
        let call = rungs.iter().find(|rung| rung.kind == Kind::Call).cloned();
        call.map(|call| (call.closer.map(|(closer, at)| (closer, at.seq)), call.resume))
    };
    let table = [
        (killed(), None, OnResume::WouldClose(0)),
        (killed().step_end(1, 1), Some((Closer::StepEnd, Some(4))), OnResume::Nothing),
        (killed().turn_end(1, "completed"), Some((Closer::TurnEnd, Some(4))), OnResume::Nothing),
        (killed().turn(2), Some((Closer::TurnStart, Some(4))), OnResume::Nothing),
    ];
    for (log, expected, resume) in table {
        assert_eq!(closer(&log), Some((expected, resume)));
    }
    let resumed = closer(&killed().turn_end(1, "completed").event("session/end-seed", ""));
    let resume = resumed.map(|(_, resume)| resume);
    assert!(matches!(resume, Some(OnResume::WentPast(At { seq: Some(5), .. }))), "{resume:?}");
}

#[test]
fn each_closing_record_of_a_resume_is_for_a_record_that_is_open() {
    let closed = |log: &Written| {
        let facts = plain(log.text().as_bytes()).0.facts;
        facts.resume.iter().map(|ghost| closes(&facts, ghost).and_then(|at| at.seq)).collect::<Vec<_>>()
    };
    // Call `a` was called at 3, `b` only asked for at 2; then the step and the turn.
    let killed = open().asks_whole(1, 1, &["a", "b"]).call(1, 1, "a");
    assert_eq!(closed(&killed), [Some(3), Some(2), Some(1), Some(0)]);
    // An id that was used before, and answered: the last one is meant.
    let result = r#""id":"r","role":"user","source":{"kind":"tool","callId":"a"},"content":[{"type":"tool-result","toolCallId":"a","content":[]}]"#;
    let again = open().asks_whole(1, 1, &["a"]).call(1, 1, "a");
    let data = format!(r#""turn":1,"step":1,"message":{{{result}}}"#);
    let again = again.with("tool/result", &data, r#","surfaceOp":"append","sourceEventSeqs":[3]"#).step_end(1, 1);
    let again = again.step(1, 2).asks_whole(1, 2, &["a"]).call(1, 2, "a");
    assert_eq!(closed(&again), [Some(8), Some(6), Some(0)]);
    assert!(closed(&open().step_end(1, 1).turn_end(1, "completed")).is_empty());
    // A turn without a number is open all the same, and no record tells which one it is.
    let nameless = Written::new().event("turn/start", "");
    assert!(closed(&nameless).iter().all(|seq| matches!(seq, None | Some(0))), "{:?}", closed(&nameless));
}

#[test]
fn a_refused_log_is_not_resumed_and_an_unknown_format_not_judged() {
    let gap = open().asks_whole(1, 1, &["a"]).at(9).call(1, 1, "a").turn_end(1, "error").turn(2);
    assert!(rungs(&gap).iter().all(|rung| rung.resume == OnResume::Refused));
    let header = r#"{"type":"session","version":99,"id":"s","createdAt":1,"delegationDepth":0}"#;
    let unknown = Written::under(header).turn(1).step(1, 1).asks_whole(1, 1, &["a"]).call(1, 1, "a");
    assert!(rungs(&unknown).iter().all(|rung| rung.resume == OnResume::NotJudged));
}

#[test]
fn an_age_is_told_as_recorded_when_the_clock_stepped_back() {
    let log = open().asks_whole(1, 1, &["a"]).call(1, 1, "a");
    let log = log.raw(r#"{"type":"todo/write","seq":4,"time":1790000000000,"data":{}}"#);
    assert_eq!(rungs(&log)[0].age_ms, Some(-3000));
}

#[test]
fn a_prompt_waits_over_turns_and_resumes_until_it_leaves_its_queue() {
    let put = |log: Written, start: u32, rest: &str| {
        pair(log, "agent/inbox/spliced", &format!(r#""target":"next-turn","start":{start},{rest}"#))
    };
    let two = r#""inserted":[{"role":"user","content":"one"},{"role":"user","content":"two"}]"#;
    let waits = put(open(), 0, two);
    let later = waits.clone().turn_end(1, "completed").event("session/end-seed", "").turn(2).turn_end(2, "completed");
    for (name, log, expected) in [
        ("both wait", waits.clone(), 2),
        ("a later turn went by and did not take them", later, 2),
        ("one was cancelled", put(waits.clone(), 1, r#""removedCount":1,"inserted":[],"outcome":"canceled""#), 1),
        ("both were taken", put(waits.clone(), 0, r#""removedCount":2,"inserted":[]"#), 0),
        ("a splice out of range takes what is there", put(waits, 1, r#""removedCount":9,"inserted":[]"#), 1),
        ("nothing was put in", put(open(), 0, r#""inserted":"no list""#), 0),
    ] {
        let prompts: Vec<Rung> = rungs(&log).into_iter().filter(|rung| rung.kind == Kind::Prompt).collect();
        assert_eq!(prompts.len(), expected, "{name}");
        let went_past = |rung: &Rung| matches!(rung.resume, OnResume::WentPast(_)) || rung.closer.is_some();
        assert!(!prompts.iter().any(went_past), "{name}: it is still in the queue");
    }
}
