//! Rules that need real lines: shapes of every version, and the relations of version 4.

use super::build::Log;
use crate::record::extract;
use crate::triage::facts::LoaderResult;

/// A log of lines without seq and time, which are given in order.
fn log(version: i64, lines: &[&str]) -> Log {
    lines.iter().fold(Log::new(version), |log, line| {
        let event = extract::event(line.as_bytes()).expect("a test writes JSON");
        log.add(event)
    })
}

fn why(version: i64, lines: &[&str]) -> String {
    let (loader, _) = log(version, lines).judge();
    match loader.result {
        Some(LoaderResult::Loads) => "loads".to_owned(),
        _ => loader.why,
    }
}

/// Each list of lines with what is said about it.
fn table(version: i64, rows: &[(&[&str], &str)]) {
    for (lines, expected) in rows {
        assert_eq!(why(version, lines), *expected, "{lines:#?}");
    }
}

const USER: &str = r#"{"type":"user/message","data":{"id":"m","role":"user","source":{"kind":"user"},"content":[]},"surfaceOp":"append"}"#;
const HEADER: &str =
    r#"{"type":"request/header","data":{"header":{"config":{"provider":"p","model":"m"}},"reason":"initial"}}"#;

#[test]
fn envelopes_of_the_first_version() {
    table(
        0,
        &[
            (&[USER], "loads"),
            (&[r#"{"type":"todo/write","data":{},"extra":1}"#], "the todo/write at seq 0 has a key that no event has"),
            (&[r#"{"type":"todo/write"}"#], "the todo/write at seq 0 has no data"),
            (
                &[r#"{"type":"todo/write","data":{},"ignorable":false}"#],
                "the todo/write at seq 0 has an invalid ignorable mark",
            ),
            (
                &[r#"{"type":"acme/x","data":{},"ignorable":true,"surfaceOp":"append"}"#],
                "the acme/x at seq 0 may not have a surfaceOp",
            ),
        ],
    );
}

#[test]
fn messages_of_the_first_version() {
    table(
        0,
        &[
            (
                &[
                    r#"{"type":"user/message","data":{"role":"user","source":{"kind":"user"},"content":[]},"surfaceOp":"append"}"#,
                ],
                "the user/message at seq 0 has a message without an id",
            ),
            (
                &[
                    r#"{"type":"user/message","data":{"id":"m","role":"tool","source":{"kind":"user"},"content":[]},"surfaceOp":"append"}"#,
                ],
                "the user/message at seq 0 has a message of another role",
            ),
            (
                &[
                    r#"{"type":"user/message","data":{"id":"m","role":"user","source":{},"content":[]},"surfaceOp":"append"}"#,
                ],
                "the user/message at seq 0 has a message without a source",
            ),
            (
                &[
                    r#"{"type":"user/message","data":{"id":"m","role":"user","source":{"kind":"user"},"content":"x"},"surfaceOp":"append"}"#,
                ],
                "the user/message at seq 0 has a message without a content list",
            ),
            // The oldest builds wrote neither id nor role.
            (
                &[r#"{"type":"user/message","data":{"source":{"kind":"user"},"content":[]},"surfaceOp":"append"}"#],
                "loads",
            ),
            (
                &[
                    r#"{"type":"assistant/message","data":{"turn":1,"step":1,"content":[],"provenance":{"provider":"p","model":"m"}},"surfaceOp":"append"}"#,
                ],
                "loads",
            ),
            (
                &[
                    r#"{"type":"tool/result","data":{"turn":1,"step":1,"callId":"c","content":[],"isError":false},"surfaceOp":"append"}"#,
                ],
                "loads",
            ),
            (
                &[
                    r#"{"type":"assistant/message","data":{"turn":1,"step":1,"message":{"id":"m","role":"assistant","content":[],"source":{"kind":"model","provider":"p"}}},"surfaceOp":"append"}"#,
                ],
                "the assistant/message at seq 0 has a source that names no provider and model",
            ),
            (
                &[
                    r#"{"type":"tool/result","data":{"turn":1,"step":1,"message":{"id":"m","role":"user","source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","toolCallId":"d","content":[]}]}},"surfaceOp":"append"}"#,
                ],
                "the tool/result at seq 0 names two different calls",
            ),
            (
                &[
                    r#"{"type":"tool/result","data":{"turn":1,"step":1,"message":{"id":"m","role":"user","source":{"kind":"tool","callId":"c"},"content":[]}},"surfaceOp":"append"}"#,
                ],
                "the tool/result at seq 0 does not hold exactly one result block",
            ),
        ],
    );
}

#[test]
fn the_oldest_messages_belong_to_the_first_version() {
    let line = r#"{"type":"user/message","data":{"source":{"kind":"user"},"content":[]},"surfaceOp":"append"}"#;
    assert_eq!(why(1, &[line]), "the user/message at seq 0 has the shape of the oldest builds");
}

#[test]
fn turns_and_headers_of_the_first_version() {
    table(
        0,
        &[
            (&[r#"{"type":"turn/end","data":{"turn":1,"reason":{"kind":"completed"}}}"#], "loads"),
            (
                &[
                    r#"{"type":"turn/end","data":{"turn":1,"reason":{"kind":"error","step":1,"message":"x","code":"Y"}}}"#,
                ],
                "loads",
            ),
            (
                &[r#"{"type":"turn/end","data":{"turn":1,"reason":{"kind":"aborted","reason":{"kind":"user"}}}}"#],
                "loads",
            ),
            (
                &[r#"{"type":"turn/end","data":{"turn":1,"reason":{"kind":"completed","more":1}}}"#],
                "the turn/end at seq 0 has a shape that was never written",
            ),
            (
                &[r#"{"type":"turn/end","data":{"turn":0,"reason":{"kind":"completed"}}}"#],
                "the turn/end at seq 0 has a shape that was never written",
            ),
            (
                &[r#"{"type":"turn/start","data":{"turn":1,"trigger":{}}}"#],
                "the turn/start at seq 0 has a shape that was never written",
            ),
            (&[HEADER], "loads"),
            (
                &[
                    r#"{"type":"request/header","data":{"header":{"config":{"provider":"p","model":""}},"reason":"initial"}}"#,
                ],
                "the request/header at seq 0 has a header without provider and model",
            ),
            (
                &[
                    r#"{"type":"request/header","data":{"header":{"config":{"provider":"p","model":"m"}},"reason":"fallback"}}"#,
                ],
                "the request/header at seq 0 has the retired reason fallback",
            ),
        ],
    );
}

#[test]
fn a_seq_is_cited_once() {
    let cite = |cites: &str| {
        format!(
            r#"{{"type":"user/message","data":{{"id":"m","role":"user","source":{{"kind":"user"}},"content":[]}},"surfaceOp":"append","sourceEventSeqs":{cites}}}"#
        )
    };
    assert_eq!(why(0, &[USER, USER, USER, &cite("[2,0]")]), "loads");
    assert_eq!(why(0, &[USER, USER, USER, &cite("[[0,2]]")]), "loads");
    for cites in ["[0,0]", "[1,0,1]", "[[0,2],1]"] {
        assert_eq!(why(0, &[USER, USER, USER, &cite(cites)]), "the user/message at seq 3 cites an event twice");
    }
}

#[test]
fn a_replacement_cites_all_it_shadows() {
    let replace = |cites: &str| {
        format!(
            r#"{{"type":"user/message","data":{{"id":"m","role":"user","source":{{"kind":"user"}},"content":[]}},"surfaceOp":{{"op":"replace","start":0,"end":2}},"sourceEventSeqs":{cites}}}"#
        )
    };
    assert_eq!(why(0, &[USER, USER, USER, &replace("[2,0,1]")]), "loads");
    assert_eq!(why(0, &[USER, USER, USER, &replace("[[0,2]]")]), "loads");
    let missing = "the replacement at seq 3 does not cite every event it shadows";
    assert_eq!(why(0, &[USER, USER, USER, &replace("[0,2]")]), missing);
}

mod version_4 {
    use super::*;

    const TURN: &str = r#"{"type":"turn/start","data":{"turn":1}}"#;
    const STEP: &str = r#"{"type":"step/start","data":{"turn":1,"step":1}}"#;
    const STEP_END: &str = r#"{"type":"step/end","data":{"turn":1,"step":1}}"#;
    const END: &str = r#"{"type":"turn/end","data":{"turn":1,"reason":{"kind":"completed"}}}"#;
    const SYSTEM: &str = r#"{"type":"system/message","data":{"turn":1,"step":1,"message":{"id":"s","role":"system","source":{"kind":"system-prompt"},"content":[]}},"surfaceOp":"append"}"#;
    const ASK: &str = r#"{"type":"assistant/message","data":{"turn":1,"step":1,"stream":[],"message":{"id":"a","role":"assistant","source":{"kind":"model","provider":"p","model":"m"},"content":[{"type":"tool-call","id":"c","name":"bash","arguments":"{}"}]}},"surfaceOp":"append"}"#;
    const CALL: &str = r#"{"type":"tool/call","data":{"turn":1,"step":1,"callId":"c","name":"bash","arguments":"{}"}}"#;
    const RESULT: &str = r#"{"type":"tool/result","data":{"turn":1,"step":1,"message":{"id":"r","role":"tool","source":{"kind":"tool","callId":"c"},"toolCallId":"c","content":[],"isError":false}},"surfaceOp":"append","sourceEventSeqs":[4]}"#;
    const REPAIR: &str = r#"{"type":"tool/result","data":{"turn":1,"step":1,"message":{"id":"interrupted-tool-result-c-4","role":"tool","source":{"kind":"tool","callId":"c"},"toolCallId":"c","content":[{"type":"text","text":"x"}],"isError":true},"error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"}},"surfaceOp":"append"}"#;

    #[test]
    fn turns_and_steps_follow_each_other() {
        table(
            4,
            &[
                (&[TURN, STEP, SYSTEM, ASK, CALL, RESULT, STEP_END, END], "loads"),
                (&[TURN, TURN], "the turn/start at seq 1 stands inside turn 1"),
                (&[r#"{"type":"turn/start","data":{"turn":2}}"#], "the turn/start at seq 0 does not open turn 1"),
                (&[END], "the turn/end at seq 0 does not close the open turn"),
                (&[TURN, STEP, END], "the turn/end at seq 2 leaves a step open"),
                (&[STEP], "the step/start at seq 0 does not open the next step of the open turn"),
                (&[TURN, STEP_END], "the step/end at seq 1 is outside its turn and step"),
                (&[HEADER], "the request/header at seq 0 is outside a turn"),
                (&[TURN, SYSTEM], "the system/message at seq 1 is outside its turn and step"),
            ],
        );
    }

    #[test]
    fn calls_are_asked_for_started_and_settled() {
        table(
            4,
            &[
                (&[TURN, STEP, ASK], "loads"),
                (&[TURN, STEP, ASK, REPAIR, STEP_END, END], "loads"),
                (&[TURN, STEP, ASK, ASK], "the assistant/message at seq 3 asks again for the open call c"),
                (&[TURN, STEP, CALL], "the tool/call at seq 2 was not asked for"),
                (&[TURN, STEP, ASK, CALL, CALL], "the tool/call at seq 4 differs from what the message asked for"),
                (&[TURN, STEP, ASK, STEP_END], "the step/end at seq 3 leaves the call c without a result"),
                (
                    &[TURN, STEP, ASK, USER, SYSTEM],
                    "the system/message at seq 4 follows a surface without a system message at its head",
                ),
                (
                    &[TURN, STEP, ASK, STEP, RESULT],
                    "the step/start at seq 3 does not open the next step of the open turn",
                ),
            ],
        );
        let cited = RESULT.replace("[4]", "[1]");
        assert_eq!(
            why(4, &[TURN, STEP, ASK, &cited]),
            "the tool/result at seq 3 has no tool/call and is not the record of a recovery"
        );
        assert_eq!(why(4, &[TURN, STEP, USER, &cited]), "the tool/result at seq 3 has no call that was asked for");
        let other = CALL.replace("{}", "{ }");
        assert_eq!(
            why(4, &[TURN, STEP, ASK, &other]),
            "the tool/call at seq 3 differs from what the message asked for"
        );
    }

    #[test]
    fn shapes_that_are_retired() {
        let cases = [
            (
                HEADER.replace(r#""config""#, r#""system":"x","config""#),
                "the request/header at seq 2 has the retired header.system",
            ),
            (
                HEADER.replace(r#""config""#, r#""tools":[],"config""#),
                "the request/header at seq 2 has an empty list of tools",
            ),
            (HEADER.replace("initial", "why"), "the request/header at seq 2 has an unknown reason"),
            (
                USER.replace(r#""kind":"user""#, r#""kind":"plugin""#),
                "the user/message at seq 2 has the retired source kind plugin",
            ),
            (
                USER.replace(r#""content":[]"#, r#""content":[{"type":"tool-result"}]"#),
                "the user/message at seq 2 holds a retired tool-result block",
            ),
            (
                USER.replace(r#""content":[]"#, r#""content":[{"type":"tool-removal","toolName":"x"}]"#),
                "the user/message at seq 2 changes tools outside a developer message",
            ),
            (USER.replace(r#","surfaceOp":"append""#, ""), "the user/message at seq 2 has no surfaceOp"),
            (ASK.replace(r#""stream":[],"#, ""), "the assistant/message at seq 2 has no stream"),
            (
                ASK.replace(r#""surfaceOp""#, r#""sourceEventSeqs":[0],"surfaceOp""#),
                "the assistant/message at seq 2 may not have sourceEventSeqs",
            ),
            (
                REPAIR.replace(r#""isError":true"#, r#""isError":false"#),
                "the tool/result at seq 2 has an error without isError",
            ),
            (
                r#"{"type":"tool/code-dispatch-start","data":{}}"#.to_owned(),
                "unknown event type tool/code-dispatch-start at seq 2 is not marked ignorable",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(why(4, &[TURN, STEP, &line]), expected, "{line}");
        }
        // What an unknown ignorable event says of surface and sources is its own.
        let opaque = r#"{"type":"acme/x","data":{},"ignorable":true,"surfaceOp":"append","sourceEventSeqs":[9]}"#;
        assert_eq!(why(4, &[opaque]), "loads");
    }

    #[test]
    fn a_retired_shape_refuses_in_a_tail_that_would_be_cut() {
        let gap = |line: &str| {
            let event = extract::event(line.as_bytes()).unwrap();
            log(4, &[TURN]).plain().at_seq(7, event).judge().0.result
        };
        assert_eq!(gap(USER), Some(LoaderResult::LoadsWithoutTail));
        assert_eq!(gap(&USER.replace(r#""kind":"user""#, r#""kind":"plugin""#)), Some(LoaderResult::Refuses));
    }

    #[test]
    fn sub_calls_stand_below_their_call() {
        let start = r#"{"type":"tool/ptc-dispatch-start","data":{"rootCallId":"c","parentCallId":"c","subCallId":"s","name":"bash"}}"#;
        let settle = r#"{"type":"tool/ptc-dispatch","data":{"rootCallId":"c","parentCallId":"c","subCallId":"s","name":"bash","isError":false,"content":[]}}"#;
        let other = settle.replace("bash", "read");
        let orphan = start.replace(r#""parentCallId":"c""#, r#""parentCallId":"x""#);
        table(
            4,
            &[
                (&[TURN, start, settle], "loads"),
                (&[start], "the tool/ptc-dispatch-start at seq 0 is outside a turn"),
                (&[TURN, start, start], "the sub-call at seq 2 repeats the id s"),
                (&[TURN, settle], "the outcome of a sub-call at seq 1 has no start of its own"),
                (&[TURN, start, &other], "the outcome of a sub-call at seq 2 differs from its start"),
                (&[TURN, start, settle, settle], "the outcome of a sub-call at seq 3 has no start of its own"),
                (&[TURN, &orphan], "the sub-call at seq 1 does not stand below its root"),
            ],
        );
    }

    #[test]
    fn retries_count_up() {
        let retry = |id: &str, n: i64, provider: &str| {
            format!(
                r#"{{"type":"llm/retry","data":{{"retryId":"{id}","turn":1,"step":1,"provider":"{provider}","policyKey":"k","retry":{n},"delayMs":1,"failure":{{}}}}}}"#
            )
        };
        let started = |n: i64| {
            format!(r#"{{"type":"llm/retry-started","data":{{"retryId":"x","turn":1,"step":1,"retry":{n}}}}}"#)
        };
        let case = |lines: &[String]| {
            let mut all = vec![TURN, STEP, HEADER];
            all.extend(lines.iter().map(String::as_str));
            why(4, &all)
        };
        assert_eq!(case(&[retry("x", 1, "p"), started(1), retry("x", 2, "p"), started(2)]), "loads");
        assert_eq!(case(&[retry("x", 2, "p")]), "the llm/retry at seq 3 is not number 1 of its chain");
        assert_eq!(
            case(&[retry("x", 1, "p"), retry("y", 2, "p")]),
            "the llm/retry at seq 4 does not keep one id a chain"
        );
        assert_eq!(
            case(&[retry("x", 1, "q")]),
            "the llm/retry at seq 3 names another provider than the request/header"
        );
        assert_eq!(case(&[started(1)]), "the llm/retry-started at seq 3 has no llm/retry");
        assert_eq!(
            case(&[retry("x", 1, "p"), started(1), started(1)]),
            "the llm/retry-started at seq 5 repeats one retry"
        );
    }

    #[test]
    fn titles_commands_marks_and_children() {
        let title = |seqs: &str, kind: &str| {
            format!(
                r#"{{"type":"session/title","data":{{"title":"t","messageSeqs":{seqs},"source":{{"kind":"{kind}"}}}}}}"#
            )
        };
        let run = r#"{"type":"command/run","data":{"commandId":"k","name":"x"}}"#;
        let done = r#"{"type":"command/done","data":{"commandId":"k","kind":"success"}}"#;
        let effect = |seq: i64| {
            format!(r#"{{"type":"command/done","data":{{"commandId":"k","kind":"success","sourceEventSeq":{seq}}}}}"#)
        };
        let child =
            r#"{"type":"subagent/catalog","data":{"version":0,"childId":"x","childCreatedAt":1,"mode":"one-shot"}}"#;
        let mark = |session: &str, through: i64| {
            format!(
                r#"{{"type":"session-log-deepseek/delivery-accepted","data":{{"sessionId":"{session}","throughSeq":{through},"sessionFormatVersion":4}}}}"#
            )
        };
        table(
            4,
            &[
                (&[USER, &title("[0]", "fallback")], "loads"),
                (&[USER, &title("[]", "user")], "loads"),
                (
                    &[USER, &title("[]", "fallback")],
                    "the session/title at seq 1 does not cite the messages of a person",
                ),
                (&[USER, &title("[0]", "user")], "the session/title at seq 1 does not cite the messages of a person"),
                (
                    &[USER, &title("[1]", "fallback")],
                    "the session/title at seq 1 does not cite the messages of a person",
                ),
                (&[run, done], "loads"),
                (&[run, run], "the command/run at seq 1 repeats the id k"),
                (&[done], "the command/done at seq 0 has no command/run"),
                (&[USER, run, &effect(0)], "loads"),
                (&[USER, run, &effect(1)], "the command/done at seq 2 cites no effect of its own"),
                (&[child, child], "the subagent/catalog at seq 1 repeats the child x"),
                (&[USER, &mark("s", 0)], "loads"),
                (&[USER, &mark("t", 0)], "the delivery mark at seq 1 names another session"),
                (&[USER, &mark("s", 1)], "the delivery mark at seq 1 counts events that are not before it"),
            ],
        );
    }

    #[test]
    fn compactions_are_closed_before_a_turn_goes_on() {
        let start = r#"{"type":"compaction/start","data":{"compactionId":"k","turn":null}}"#;
        let end = r#"{"type":"compaction/end","data":{"compactionId":"k","turn":null,"error":"x"}}"#;
        let seed = r#"{"type":"session/end-seed","data":{}}"#;
        let summary = |seqs: &str| {
            format!(
                r#"{{"type":"compaction/summary","data":{{"compactionId":"k","summary":[],"shadowedRange":{{"start":0,"end":1}},"shadowedSeqs":{seqs}}}}}"#
            )
        };
        table(
            4,
            &[
                (&[start, end, TURN], "loads"),
                (&[start, TURN], "a turn begins or ends at seq 1 inside a compaction"),
                (&[start, TURN, end], "a turn begins or ends at seq 1 inside a compaction"),
                // The process died with it open.
                (&[start, TURN, seed], "loads"),
                (&[start, start], "the compaction/start at seq 1 overlaps an open compaction"),
                (&[end], "the compaction/end at seq 0 has no compaction/start"),
                (&[TURN, start], "the compaction/start at seq 1 names another turn than the open one"),
                (&[USER, USER, start, &summary("[0,1]")], "loads"),
                (
                    &[USER, USER, start, &summary("[0]")],
                    "the compaction/summary at seq 3 does not name a stretch of the surface",
                ),
            ],
        );
    }

    #[test]
    fn the_header_says_whether_events_were_inherited() {
        let mark = r#"{"type":"session/end-seed","data":{"inherited":true}}"#;
        assert_eq!(why(4, &[mark]), "a marker ends inherited events, and the header says that there are none");
        let mut seeded = log(4, &[mark]);
        seeded
            .set_header(r#"{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":true,"delegationDepth":0}"#);
        assert_eq!(seeded.judge().0.result, Some(LoaderResult::Loads));
        let mut bare = log(4, &[USER]);
        bare.set_header(r#"{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":true,"delegationDepth":0}"#);
        assert_eq!(bare.judge().0.why, "the header says that events were inherited, and no marker ends them");
    }

    #[test]
    fn added_tools_are_defined_once() {
        let header = |tools: &str| HEADER.replace(r#""config""#, &format!(r#""tools":{tools},"config""#));
        let add = r#"{"type":"developer/message","data":{"turn":1,"step":1,"headerSeq":2,"message":{"id":"d","role":"developer","source":{"kind":"tool-registry"},"content":[{"type":"tool-addition","toolName":"x"}]}},"surfaceOp":"append"}"#;
        assert_eq!(why(4, &[TURN, STEP, &header(r#"[{"name":"x"}]"#), add]), "loads");
        let twice = header(r#"[{"name":"x"},{"name":"x"}]"#);
        assert_eq!(
            why(4, &[TURN, STEP, &twice, add]),
            "the developer/message at seq 3 adds x, which its header does not define once"
        );
        assert_eq!(why(4, &[TURN, STEP, USER, add]), "the developer/message at seq 3 names no earlier request/header");
        let bare = add.replace(r#""headerSeq":2,"#, "");
        assert_eq!(
            why(4, &[TURN, STEP, HEADER, &bare]),
            "the developer/message at seq 3 has tool changes that do not go with its headerSeq"
        );
    }

    #[test]
    fn version_3_does_not_hold_events_against_each_other() {
        assert_eq!(why(3, &[END, END]), "loads");
        assert_eq!(why(4, &[END, END]), "the turn/end at seq 0 does not close the open turn");
    }
}
