use super::*;
use crate::record::event::{Arguments, Failure, Finish, PairEnd, PairKind, RecoveryId, Request, Streamed, Usage};
use crate::record::json::Hasher;

/// Lines of every shape that is read apart, of all versions.
const LINES: &[&str] = &[
    r#"{"type":"turn/start","seq":0,"time":5,"data":{"turn":1}}"#,
    r#"{"type":"turn/end","seq":0,"time":5,"data":{"turn":1,"reason":{"kind":"aborted","reason":{"kind":"user"}}}}"#,
    r#"{"type":"turn/end","seq":0,"time":5,"data":{"turn":2,"reason":{"kind":"error","error":{"message":"no","code":"AUTH","status":401}}}}"#,
    r#"{"type":"turn/end","seq":0,"time":5,"data":{"turn":2,"reason":{"kind":"error","step":1,"message":"no","code":"AUTH"}}}"#,
    r#"{"type":"turn/end","seq":0,"time":5,"data":{"turn":2,"reason":{"kind":"error","step":1,"failure":{"message":"no","code":"X"}}}}"#,
    r#"{"type":"step/end","seq":0,"time":5,"data":{"turn":1,"step":2}}"#,
    r#"{"type":"user/message","seq":1,"time":5,"data":{"id":"m","role":"user","content":[{"type":"image"},{"type":"text","text":"h\u00e9"}],"source":{"kind":"user-question-reply","callId":"c"}},"surfaceOp":"append"}"#,
    r#"{"type":"user/message","seq":1,"time":5,"data":{"content":[{"type":"text","text":"old"}],"source":{"kind":"coordinator","senderSessionId":"s"}},"surfaceOp":{"op":"replace","start":1,"end":2}}"#,
    r#"{"type":"steering/message","seq":1,"time":5,"data":{"turn":1,"message":{"content":[{"type":"text","text":"go"}],"source":{"kind":"user"}}}}"#,
    r#"{"type":"assistant/chunk","seq":1,"time":5,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"a\u00e9\ud83d\ude00"}}}"#,
    r#"{"type":"assistant/chunk","seq":1,"time":5,"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":3,"id":"c","name":"bash","argumentsDelta":"{"}}}"#,
    r#"{"type":"assistant/chunk","seq":1,"time":5,"data":{"turn":1,"step":1,"chunk":{"type":"block-end","index":3,"block":{"type":"tool-call","id":"c","name":"bash","arguments":"{}"}}}}"#,
    r#"{"type":"assistant/chunk","seq":1,"time":5,"data":{"turn":1,"step":1,"chunk":{"type":"usage","usage":{"inputTokens":5,"outputTokens":2.0,"cacheReadTokens":-1,"reasoningTokens":1}}}}"#,
    r#"{"type":"assistant/chunk","seq":1,"time":5,"data":{"turn":1,"step":1,"chunk":{"type":"finish","reason":{"kind":"error","failure":{"message":"m","code":"SERVER","status":503}}}}}"#,
    r#"{"type":"reasoning-chunks","seq0":3,"time0":9,"data":{"turn":1,"step":1,"index":0,"dt":[1,-3],"texts":["a","b","cd"]}}"#,
    r#"{"type":"tool-call-chunks","seq0":3,"time0":9,"data":{"turn":1,"step":1,"index":2,"id":"c","name":"n","dt":[],"args":["{}"]}}"#,
    r#"{"type":"assistant/message","seq":4,"time":9,"data":{"turn":1,"step":1,"message":{"id":"m","role":"assistant","content":[{"type":"text","text":"ab"},{"type":"tool-call","id":"c","name":"bash","arguments":"{\"a\":1}"},{"type":"tool-call","id":"","name":"","arguments":""}],"source":{"kind":"model","provider":"p","model":"m"}},"usage":{"inputTokens":1,"outputTokens":2}},"sourceEventSeqs":[1,[2,5],9]}"#,
    r#"{"type":"assistant/message","seq":4,"time":9,"data":{"turn":1,"step":1,"interrupted":true,"message":{"content":[]},"stream":[{"type":"tool-call-chunks","time0":1,"index":1,"dt":[1],"id":"c","name":"n","args":["{\"a\"",":1}"]},{"type":"text-chunks","time0":1,"index":0,"dt":[],"texts":["xyz"]},{"type":"chunk","time":5,"chunk":{"type":"usage","usage":{"inputTokens":3}}}]}}"#,
    r#"{"type":"assistant/attempt","seq":4,"time":9,"data":{"turn":1,"step":1,"stream":[]}}"#,
    r#"{"type":"system/message","seq":4,"time":9,"data":{"turn":1,"step":1,"message":{"role":"system","content":[]}}}"#,
    r#"{"type":"developer/message","seq":4,"time":9,"data":{"turn":1,"step":1,"headerSeq":2,"message":{"role":"developer","content":[{"type":"tool-addition","toolName":"a"},{"type":"tool-removal","toolName":"b"}]}}}"#,
    r#"{"type":"tool/call","seq":4,"time":9,"data":{"turn":1,"step":1,"callId":"c","name":"bash","arguments":"{\"a\":1}"}}"#,
    r#"{"type":"tool/result","seq":9,"time":9,"data":{"turn":1,"step":1,"message":{"id":"interrupted-tool-result-c-9","role":"user","source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","toolCallId":"c","isError":true,"content":[]}]},"error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"}},"surfaceOp":"append"}"#,
    r#"{"type":"tool/result","seq":9,"time":9,"data":{"turn":1,"step":1,"message":{"id":"forked-tool-result-c-12","role":"tool","source":{"kind":"tool","callId":"c"},"toolCallId":"c","isError":true,"content":[]}},"surfaceOp":{"op":"replace","startSeq":3,"endSeq":4}}"#,
    r#"{"type":"tool/result","seq":9,"time":9,"data":{"turn":1,"step":1,"callId":"c","content":[],"isError":true}}"#,
    r#"{"type":"tool/code-dispatch-start","seq":9,"time":9,"data":{"rootCallId":"r","parentCallId":"p","subCallId":"p:code:1","name":"bash","arguments":{"a":1}}}"#,
    r#"{"type":"tool/ptc-dispatch","seq":9,"time":9,"data":{"rootCallId":"r","parentCallId":"p","subCallId":"p:ptc:1","name":"bash","arguments":{},"isError":true,"content":[],"error":{"name":"E","code":"C"}}}"#,
    r#"{"type":"request/header","seq":9,"time":9,"data":{"header":{"config":{"provider":"p","model":"m"},"system":"s","tools":[{"name":"a"},{"name":"b"}]},"reason":"initial"}}"#,
    r#"{"type":"request/context","seq":9,"time":9,"data":{"provider":"p","model":"m","contextWindow":1000000}}"#,
    r#"{"type":"llm/retry","seq":9,"time":9,"data":{"retryId":"r","turn":1,"step":1,"retry":2,"maxRetries":5,"delayMs":500.4,"failure":{"message":"m","code":"RATE_LIMIT","status":429}}}"#,
    r#"{"type":"hook/invoked","seq":9,"time":9,"data":{"turn":1,"point":"PreToolUse","dialect":"codex","handlerId":"h"}}"#,
    r#"{"type":"tool-workflow/agent-end","seq":9,"time":9,"data":{"runId":"r","seq":3,"outcome":"failed"}}"#,
    r#"{"type":"team/message/queued","seq":9,"time":9,"data":{"message":{"id":"m"}}}"#,
    r#"{"type":"compact/start","seq":9,"time":9,"data":{}}"#,
    r#"{"type":"agent/inbox/spliced","seq":9,"time":9,"data":{"target":"next-turn","start":0,"removedCount":1,"inserted":[{},{}],"outcome":"canceled"}}"#,
    r#"{"type":"session/end-seed","seq":9,"time":9,"data":{"inherited":true}}"#,
    r#"{"type":"acme/check\u0070oint","seq":9,"time":9,"ignorable":true,"data":{"x":[1,{"y":"z"}]}}"#,
];

fn read(line: &str) -> Event {
    event(line.as_bytes()).unwrap_or_else(|bad| panic!("{line}: {bad:?}"))
}

fn body(line: &str) -> Body {
    read(line).body
}

/// The line whose text holds `part`.
fn line(part: &str) -> &'static str {
    LINES.iter().find(|line| line.contains(part)).unwrap_or_else(|| panic!("no line with {part}"))
}

#[expect(clippy::unnecessary_wraps, reason = "compared with fields that may be missing")]
fn wires(text: &str) -> Option<WireText> {
    Some(WireText::from(text))
}

const HERE: Place = Place { turn: Some(1), step: Some(1) };

#[test]
fn bad_lines_speak_the_words_of_the_report() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "blank"),
        (b" \r\t", "blank"),
        (b"{\"a\":1", "not JSON"),
        (b"\xff", "not JSON"),
        (b"null", "not an object"),
        (b"[{}]", "not an object"),
        (b"\"{}\"", "not an object"),
        (br#"{"type":"text-chunks"}"#, "malformed packed row"),
    ];
    for (line, expected) in cases {
        assert_eq!(event(line).expect_err("bad").to_string(), *expected);
    }
}

#[test]
fn any_other_object_is_an_event() {
    for line in ["{}", r#"{"type":5}"#, r#"{"seq":"1","time":null,"data":[]}"#, r#"{"type":"tool/result"}"#] {
        let event = read(line);
        assert_eq!((event.seq, event.time, event.members), (None, None, 1), "{line}");
    }
    for &kind in Kind::ALL {
        if !kind.is_packed() {
            for data in ["", r#","data":null"#, r#","data":[1]"#, r#","data":{"message":5,"chunk":[],"stream":{}}"#] {
                assert_eq!(read(&format!("{{\"type\":\"{}\"{data}}}", kind.name())).kind, kind);
            }
        }
    }
}

#[test]
fn the_envelope_is_read_in_any_order_and_the_last_of_a_key_counts() {
    let event = read(r#"{"data":{},"time":1,"seq":8,"type":"x","s\u0065q":2,"time":3,"ignorable":true}"#);
    assert_eq!((event.seq, event.time, event.last_time), (Some(2), Some(3), Some(3)));
    assert!(event.ignorable);
    assert_eq!(event.unknown_type.as_deref(), Some(&WireText::from("x")));
    let event = read(line("acme/check"));
    assert_eq!(event.unknown_type.as_deref(), Some(&WireText::from("acme/checkpoint")));
    assert_eq!(read("{}").unknown_type, None);
}

#[test]
fn surfaces_and_citations_of_every_version() {
    assert_eq!(read(line("user-question-reply")).surface, Surface::Append);
    assert_eq!(read(line("coordinator")).surface, Surface::Replace { start: Some(1), end: Some(2) });
    assert_eq!(read(line("startSeq")).surface, Surface::Replace { start: Some(3), end: Some(4) });
    assert_eq!(read(r#"{"type":"x","surfaceOp":null}"#).surface, Surface::Odd);
    let cites = |list: &str| read(&format!("{{\"type\":\"x\",\"sourceEventSeqs\":{list}}}")).cites;
    let plain = Cites { present: true, first: Some(1), count: 6, highest: Some(9), malformed: false };
    assert_eq!(read(line("[2,5]")).cites, plain);
    assert_eq!(cites("[]"), Cites { present: true, ..Cites::default() });
    assert!(["{}", "[\"1\"]", "[[1]]", "[[2,1]]", "[[1,2,3]]", "[1.5]"].iter().all(|list| cites(list).malformed));
    assert_eq!(cites("[[0,9007199254740991],[0,9007199254740991]]").count, u32::MAX);
}

#[test]
fn turn_ends_of_every_age() {
    let Body::TurnEnd { turn, reason } = body(line("aborted")) else { panic!("a turn end") };
    assert_eq!((turn, reason.kind, reason.by), (Some(1), wires("aborted"), wires("user")));
    for (part, code, status) in [
        ("\"status\":401}}}}", "AUTH", Some(401)),
        ("\"step\":1,\"message\"", "AUTH", None),
        ("\"code\":\"X\"", "X", None),
    ] {
        let Body::TurnEnd { reason, .. } = body(line(part)) else { panic!("a turn end") };
        let failure = reason.failure.expect("a failure");
        assert_eq!((failure.code, failure.status, failure.message), (wires(code), status, wires("no")));
    }
}

#[test]
fn messages_of_people_and_of_the_harness() {
    let message =
        |source, from, text: &str| Body::UserMessage { source: wires(source), from, text: WireText::from(text) };
    assert_eq!(body(line("user-question-reply")), message("user-question-reply", wires("c"), "hé"));
    assert_eq!(body(line("coordinator")), message("coordinator", wires("s"), "old"));
    assert_eq!(body(line("steering")), message("user", None, "go"));
}

#[test]
fn chunks_one_by_one() {
    let chunk = |part| match body(line(part)) {
        Body::Chunk { place: HERE, streamed } => *streamed,
        other => panic!("{other:?}"),
    };
    assert_eq!(chunk("text-delta"), Streamed { pieces: 1, text_chars: 3, ..Streamed::default() });
    let call = |part| {
        let streamed = chunk(part);
        assert_eq!((streamed.pieces, streamed.calls.len()), (1, 1));
        streamed.calls.into_iter().next().expect("a call")
    };
    let delta = call("tool-call-delta");
    assert_eq!((delta.index, delta.id, delta.name, delta.arguments), (3, wires("c"), wires("bash"), None));
    let end = call("block-end");
    assert_eq!(end.arguments.map(|print| print.bytes), Some(2));
    let usage = Usage { input: 5, output: 2, reasoning: 1, ..Usage::default() };
    assert_eq!(chunk("\"type\":\"usage\",\"usage\":{\"inputTokens\":5").usage.as_deref(), Some(&usage));
    let failure = Failure { code: wires("SERVER"), status: Some(503), message: wires("m"), name: None };
    let finish = Finish { kind: wires("error"), failure: Some(Box::new(failure)) };
    assert_eq!(chunk("finish").finish, Some(Box::new(finish)));
}

#[test]
fn packed_rows_stand_for_their_members() {
    let event = read(line("reasoning-chunks"));
    assert_eq!((event.seq, event.time, event.last_time, event.members), (Some(3), Some(9), Some(7), 3));
    let Body::Chunk { streamed, .. } = event.body else { panic!("chunks") };
    assert_eq!((streamed.pieces, streamed.reasoning_chars, streamed.text_chars), (3, 4, 0));
    let Body::Chunk { streamed, .. } = body(
        r#"{"type":"tool-call-chunks","seq0":3,"time0":9,"data":{"turn":1,"step":1,"index":2,"id":"c","dt":[],"args":["{}"]}}"#,
    ) else {
        panic!("chunks")
    };
    assert_eq!(streamed.calls.first().map(|call| (call.index, call.name.clone())), Some((2, None)));
}

#[test]
fn a_stream_and_its_message_and_its_call_have_the_same_arguments() {
    let Body::Message { requests, usage, text_chars, stream, .. } = body(line("[2,5]")) else { panic!("a message") };
    assert_eq!((text_chars, stream, usage.map(|usage| usage.output)), (2, None, Some(2)));
    let Body::Call { arguments, .. } = body(line("tool/call")) else { panic!("a call") };
    let request = Request { id: WireText::from("c"), name: WireText::from("bash"), arguments };
    assert_eq!(
        requests,
        [
            request,
            Request {
                arguments: Arguments { print: Hasher::default().finish(), ..Arguments::default() },
                ..Request::default()
            }
        ]
    );
    let Body::Message { stream, interrupted, .. } = body(line("\"xyz\"")) else { panic!("a message") };
    let stream = stream.expect("a stream");
    assert!(interrupted);
    assert_eq!((stream.pieces, stream.text_chars, stream.usage.map(|usage| usage.input)), (4, 3, Some(3)));
    assert_eq!(stream.calls.first().and_then(|call| call.arguments), Some(arguments.print));
}

#[test]
fn results_of_every_version() {
    for (part, recovery) in [
        ("interrupted-tool-result", RecoveryId::Interrupted),
        ("forked-tool-result", RecoveryId::Forked),
        ("\"callId\":\"c\",\"content\"", RecoveryId::None),
    ] {
        let Body::Result { place, id, is_error, recovery: found, .. } = body(line(part)) else { panic!("a result") };
        assert_eq!((place, id, is_error, found), (HERE, wires("c"), true, recovery), "{part}");
    }
    let result = |id: &str| {
        let line = format!(
            r#"{{"type":"tool/result","data":{{"message":{{"id":"{id}","source":{{"callId":"c-1"}},"content":[]}}}}}}"#
        );
        match body(&line) {
            Body::Result { recovery, .. } => recovery,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(result("interrupted-tool-result-c-1-7"), RecoveryId::Interrupted);
    for id in ["interrupted-tool-result-c-1", "interrupted-tool-result-c-2-7", "interrupted-tool-result-c-1-7a", "x"] {
        assert_eq!(result(id), RecoveryId::None, "{id}");
    }
}

#[test]
fn pairs_have_keys_that_both_ends_share() {
    let pair = |pair, end, key: &str| Body::Pair { pair, end, key: WireText::from(key) };
    assert_eq!(body(line("hook/invoked")), pair(PairKind::Hook, PairEnd::Open, "1\0PreToolUse\0h"));
    assert_eq!(body(line("agent-end")), pair(PairKind::WorkflowAgent, PairEnd::Close, "r\x003"));
    assert_eq!(body(line("queued")), pair(PairKind::TeamMessage, PairEnd::Open, "m"));
    assert_eq!(body(line("compact/start")), pair(PairKind::Compaction, PairEnd::Open, ""));
    let delivered = r#"{"type":"team/message/delivered","data":{"messageId":"m"}}"#;
    assert_eq!(body(delivered), pair(PairKind::TeamMessage, PairEnd::Close, "m"));
}

#[test]
fn the_rest_says_what_its_type_says() {
    let Body::DeveloperMessage { added, removed, header_seq, .. } = body(line("tool-addition")) else { panic!() };
    assert_eq!((added, removed, header_seq), (vec![WireText::from("a")], vec![WireText::from("b")], Some(2)));
    let Body::SubResult { parent, id, is_error, failure, .. } = body(line("ptc-dispatch")) else { panic!() };
    assert_eq!((parent, id, is_error), (WireText::from("p"), WireText::from("p:ptc:1"), true));
    assert_eq!(failure.expect("an error").code, wires("C"));
    let Body::RequestHeader { tools, has_system, model, .. } = body(line("request/header")) else { panic!() };
    assert_eq!((tools.len(), has_system, model), (2, true, wires("m")));
    let Body::Retry { delay_ms, max, failure, .. } = body(line("llm/retry")) else { panic!() };
    assert_eq!((delay_ms, max, failure.status), (Some(500), Some(5), Some(429)));
    let Body::Inbox { removed, inserted, cancelled, .. } = body(line("inbox")) else { panic!() };
    assert_eq!((removed, inserted, cancelled), (1, 2, true));
    assert_eq!(body(line("end-seed")), Body::EndSeed { inherited: true });
}

#[test]
fn hints_lead_to_a_version() {
    let guess = |part| read(line(part)).hints.guess();
    assert_eq!(guess("text-delta"), Some(0));
    assert_eq!(guess("reasoning-chunks"), Some(0));
    assert_eq!(guess("\"xyz\""), Some(2));
    assert_eq!(guess("system/message"), Some(3));
    assert_eq!(guess("\"role\":\"tool\""), Some(4));
    assert_eq!(guess("turn/start"), None);
}

#[test]
fn long_texts_are_cut_and_ids_are_not() {
    let long = "é".repeat(3_000);
    let Body::UserMessage { text, .. } =
        body(&format!(r#"{{"type":"user/message","data":{{"content":[{{"type":"text","text":"{long}"}}]}}}}"#))
    else {
        panic!()
    };
    assert_eq!(text.as_bytes().len(), 400);
    let Body::Call { id, arguments, .. } =
        body(&format!(r#"{{"type":"tool/call","data":{{"callId":"{long}","arguments":"{long}"}}}}"#))
    else {
        panic!()
    };
    assert_eq!((id.as_bytes().len(), arguments.print.bytes), (6_000, 6_000));
}

#[test]
fn many_calls_in_one_stream_cost_no_more_than_their_number() {
    let records: Vec<String> = (0..100_000)
        .map(|n| format!(r#"{{"type":"chunk","chunk":{{"type":"tool-call-delta","index":{n},"id":"c"}}}}"#))
        .collect();
    let line = format!(r#"{{"type":"assistant/attempt","data":{{"stream":[{}]}}}}"#, records.join(","));
    let Body::Attempt { stream, .. } = body(&line) else { panic!() };
    assert_eq!((stream.pieces, stream.calls.len()), (100_000, 100_000));
}

#[test]
fn lines_cut_or_flipped_anywhere_never_panic() {
    for line in LINES {
        let bytes = line.as_bytes();
        read(line);
        for at in 0..bytes.len() {
            let cut = event(&bytes[..at]);
            assert!(matches!(cut, Err(BadLine::Blank | BadLine::NotJson(_))), "{line} cut at {at}");
            if let Err(BadLine::NotJson(error)) = cut {
                assert_eq!(error.offset, at);
            }
            for flip in [0x01, 0x02, 0x20, 0x80, 0xff] {
                let mut flipped = bytes.to_vec();
                flipped[at] ^= flip;
                let _ = event(&flipped);
                let _ = crate::record::header::Header::parse(&flipped);
            }
        }
    }
}

#[test]
fn arguments_are_judged_as_they_are_read() {
    let long = format!(r#"\"{}"#, "x".repeat(9 << 20));
    for (arguments, not_json, hidden) in [
        (r"{}", false, false),
        ("", false, false),
        (r#"{\"command\":\"ls\\n\",\n \"n\":1}"#, false, false),
        (r#"{\"command\":\"ls"#, true, false),
        ("\\\"\u{4e2d}\u{6587}\\\"", false, false),
        ("\\\"ls\u{202e}\\\"", false, true),
        (r#"\"ls\\u202e\""#, false, true),
        (r#"\"ls\\u0041\""#, false, false),
        (r#"\"p\u0430ypal\""#, false, true),
        (r#"\"ls\u001b\""#, true, true),
        (&long, false, false),
    ] {
        let data = format!(r#"{{"turn":1,"step":1,"callId":"c","name":"bash","arguments":"{arguments}"}}"#);
        let line = format!(r#"{{"type":"tool/call","seq":1,"time":1,"data":{data}}}"#);
        let Body::Call { arguments: told, .. } = body(&line) else { panic!("a call") };
        let shown = &arguments[..arguments.len().min(40)];
        assert_eq!((told.not_json, told.hidden), (not_json, hidden), "{shown}");
    }
}

#[test]
fn letters_that_are_not_looked_at_hide_nothing() {
    use super::messages::is_plain_char;
    let plain: String = ('\0'..=char::MAX).filter(|char| is_plain_char(*char)).collect();
    assert!(plain.chars().count() > 32_000);
    assert_eq!(crate::text::sanitize::hidden_characters(plain.as_bytes()), []);
}
