//! A line of every type, and what is said of it.

use std::sync::LazyLock;

use super::*;
use crate::record::kinds::Kind;
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::width::columns;
use crate::triage::bench::of_lines;
use crate::triage::session::Session;

static WORDS: LazyLock<Words> = LazyLock::new(Words::english);

fn say(session: &Session, lines: &[Vec<u8>], row: u32, max: usize) -> (Mark, String) {
    let calls = CallRows::new(&session.facts);
    let teller = Teller::new(session, &calls, &WORDS);
    let what = teller.row(&lines[row as usize], RowIx(row), max);
    let text = match &what.tag {
        Some(tag) => format!("{tag} {}", what.plain()),
        None => what.plain(),
    };
    assert!(columns(&what.plain()) <= max, "{text}");
    (what.mark, text)
}

/// An event of a type with the given data, all by itself in a log.
fn alone(kind: &str, data: &str) -> (Mark, String) {
    let line = format!(r#"{{"type":"{kind}","seq":0,"time":1790000000100,"data":{data}}}"#);
    let (session, lines) = of_lines(&[&line]);
    say(&session, &lines, 0, 400)
}

/// Type, data, words: the forms of docs/SCREENS.md section 23.
const TABLE: &[(&str, &str, &str)] = &[
    ("turn/start", r#"{"turn":1}"#, "turn 1"),
    ("turn/start", r#"{"turn":1,"trigger":{"kind":"user"}}"#, "turn 1, user"),
    ("turn/end", r#"{"turn":1,"reason":{"kind":"completed"}}"#, "turn 1 completed"),
    (
        "turn/end",
        r#"{"turn":1,"reason":{"kind":"error","error":{"code":"SERVER","status":500,"message":"internal error"}}}"#,
        "turn 1 error: SERVER 500 internal error",
    ),
    ("turn/end", r#"{"turn":2,"reason":{"kind":"error","code":"AUTH","message":"old"}}"#, "turn 2 error: AUTH old"),
    ("turn/end", r#"{"turn":2,"reason":{"kind":"aborted","reason":{"kind":"user"}}}"#, "turn 2 aborted by user"),
    (
        "turn/end",
        r#"{"turn":2,"reason":{"kind":"aborted","reason":{"kind":"hook","reason":"no"}}}"#,
        "turn 2 aborted by hook: no",
    ),
    ("turn/end", r#"{"turn":2,"reason":{"kind":"aborted"}}"#, "turn 2 aborted"),
    ("turn/end", r#"{"turn":2}"#, "turn 2 ?"),
    ("step/start", r#"{"turn":1,"step":2}"#, "step 1.2"),
    ("step/end", r#"{"turn":1,"step":2}"#, "step 1.2"),
    (
        "user/message",
        r#"{"role":"user","content":[{"type":"text","text":"Run the\nmigration."}],"source":{"kind":"user"}}"#,
        "\"Run the↵migration.\"",
    ),
    (
        "user/message",
        r#"{"content":[{"type":"text","text":"Current"}],"source":{"kind":"plugin","plugin":"@deepseek-ai/dsh-system-prompt","form":"snapshot"}}"#,
        "dsh-system-prompt snapshot: \"Current\"",
    ),
    (
        "user/message",
        r#"{"content":[{"type":"image"},{"type":"image"},{"type":"file"},{"type":"text","text":"see"}],"source":{"kind":"user"}}"#,
        "2 images, 1 file  \"see\"",
    ),
    ("user/message", r#"{"content":[{"type":"text","text":"old"}]}"#, "\"old\""),
    (
        "assistant/chunk",
        r#"{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"Al"}}"#,
        "text-delta \"Al\"",
    ),
    (
        "assistant/chunk",
        r#"{"chunk":{"type":"finish","reason":{"kind":"error","failure":{"code":"TRANSPORT","message":"x"}}}}"#,
        "finish error: TRANSPORT",
    ),
    (
        "assistant/chunk",
        r#"{"chunk":{"type":"block-start","index":0,"blockType":"tool-call"}}"#,
        "block-start block 0: tool-call",
    ),
    (
        "assistant/chunk",
        r#"{"chunk":{"type":"block-end","index":0,"block":{"type":"text"}}}"#,
        "block-end block 0: text",
    ),
    (
        "assistant/chunk",
        r#"{"chunk":{"type":"usage","usage":{"inputTokens":8789,"outputTokens":120,"cacheReadTokens":1536}}}"#,
        "usage in 8,789 out 120 cached 1,536",
    ),
    (
        "assistant/message",
        r#"{"turn":1,"step":1,"interrupted":true,"message":{"role":"assistant","content":[{"type":"text","text":"Running it"},{"type":"tool-call","id":"a","name":"bash","arguments":"{}"},{"type":"tool-call","id":"b","name":"write","arguments":"{}"}]}}"#,
        "INTERRUPTED  2 calls: bash, write  \"Running it\"",
    ),
    ("assistant/message", r#"{"content":[{"type":"text","text":"First."}]}"#, "\"First.\""),
    ("assistant/message", r#"{"message":{"content":[{"type":"reasoning","text":"hm"}]}}"#, "reasoning only: \"hm\""),
    ("assistant/message", r#"{"message":{"content":[]}}"#, "no text"),
    (
        "assistant/attempt",
        r#"{"stream":[{"type":"text-chunks","time0":1,"index":0,"dt":[1],"texts":["ab","c"]},{"type":"tool-call-chunks","time0":1,"index":1,"dt":[],"id":"c","name":"bash","args":["{"]},{"type":"chunk","time":3,"chunk":{"type":"finish","reason":{"kind":"error","failure":{"code":"TRANSPORT"}}}}]}"#,
        "failed, 3 chars of text; finish error: TRANSPORT; 1 call dropped",
    ),
    ("assistant/attempt", r#"{"stream":[]}"#, "failed, no text; no finish"),
    ("system/message", r#"{"message":{"content":[{"type":"text","text":"Be brief."}]}}"#, "prompt, 9 B"),
    ("system/message", r#"{"message":{"content":[]}}"#, "no prompt"),
    (
        "developer/message",
        r#"{"message":{"content":[{"type":"tool-addition","toolName":"web_search"}]},"headerSeq":41}"#,
        "+ web_search (header 41)",
    ),
    ("developer/message", r#"{"message":{"content":[{"type":"tool-removal","toolName":"a"}]}}"#, "- a"),
    ("steering/message", r#"{"turn":1,"message":{"content":[{"type":"text","text":"also run"}]}}"#, "\"also run\""),
    ("steering/message", r#"{"turn":1,"content":[{"type":"text","text":"also run"}],"source":{}}"#, "\"also run\""),
    (
        "tool/call",
        r#"{"turn":1,"step":1,"callId":"call_0321_0","name":"bash","arguments":"{\"command\":\"echo begin\"}"}"#,
        "bash call_0321_0  echo begin",
    ),
    (
        "tool/code-dispatch-start",
        r#"{"rootCallId":"r","parentCallId":"r","subCallId":"r:code:1","name":"bash","arguments":{"n":1}}"#,
        "bash :1  {\"n\":1}",
    ),
    (
        "tool/code-dispatch",
        r#"{"rootCallId":"r","parentCallId":"r","subCallId":"r:code:1","name":"bash","arguments":{"n":1},"isError":false,"content":[{"type":"text","text":"one"}]}"#,
        "bash :1  one",
    ),
    (
        "tool/ptc-dispatch-start",
        r#"{"rootCallId":"r","subCallId":"r:ptc:2","name":"read","arguments":{"file_path":"a.js"}}"#,
        "read :2  a.js",
    ),
    (
        "tool/ptc-dispatch",
        r#"{"rootCallId":"r","subCallId":"r:ptc:2:ptc:1","name":"read","isError":true,"error":{"code":"FS_NOT_FOUND"},"content":[{"type":"text","text":"gone"}]}"#,
        "read :2:1  FS_NOT_FOUND  gone",
    ),
    (
        "request/header",
        r#"{"header":{"config":{"model":"m-1"},"system":"Be brief.","tools":[{"name":"a"},{"name":"b"}]},"reason":"initial"}"#,
        "initial: m-1, 2 tools, prompt 9 B",
    ),
    ("request/header", r#"{"header":{"config":{"model":"m-1"}},"reason":"resume"}"#, "resume: m-1, 0 tools"),
    ("request/header-delta", r#"{"a":1}"#, "retired  {\"a\":1}"),
    ("request/context", r#"{"model":"m-1","contextWindow":1000000}"#, "m-1, window 1,000,000"),
    ("request/context", r#"{"model":"m-1"}"#, "m-1"),
    ("model/selection", r#"{"provider":"p","model":"mimo","reasoningEffort":"medium"}"#, "mimo medium"),
    ("agent-preset/selected", r#"{"agentPreset":"capital"}"#, "capital"),
    ("mode/set", r#"{"mode":"plan"}"#, "plan  retired"),
    ("session/end-seed", "{}", "resume"),
    (
        "agent/inbox/spliced",
        r#"{"target":"next-turn","start":0,"inserted":[{"content":[{"type":"text","text":"Run it."}]}]}"#,
        "+1 next-turn: \"Run it.\"",
    ),
    (
        "agent/inbox/spliced",
        r#"{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}"#,
        "-1 next-turn (taken)",
    ),
    (
        "agent/inbox/spliced",
        r#"{"target":"next-turn","start":0,"removedCount":1,"inserted":[],"outcome":"canceled"}"#,
        "-1 next-turn CANCELLED",
    ),
    ("agent/inbox/spliced", r#"{"target":"next-turn","start":0,"inserted":[]}"#, "no change, next-turn"),
    ("session/title", r#"{"title":"Run","messageSeqs":[7],"source":{"kind":"fallback"}}"#, "\"Run\" (from prompt)"),
    ("session/title", r#"{"title":"Run","source":{"kind":"provider"}}"#, "\"Run\" (by model)"),
    ("session/title", r#"{"title":"Run","source":{"kind":"user"}}"#, "\"Run\" (by user)"),
    ("session/title-llm-request", r#"{"route":{"provider":"p","model":"m-1"},"maxTokens":64}"#, "m-1, 64 tokens"),
    (
        "session-log-deepseek/delivery-accepted",
        r#"{"sessionId":"s","throughSeq":412,"sessionFormatVersion":3}"#,
        "UPLOADED up to 412 (v3 numbers)",
    ),
    ("session-log-deepseek/delivery-accepted", r#"{"throughSeq":412}"#, "UPLOADED up to 412 (v0 numbers)"),
    ("feedback/record", r#"{"text":"很好 👍"}"#, "\"很好 👍\""),
    ("feedback/record", r#"{"category":"task-result","text":"x"}"#, "task-result \"x\""),
    (
        "feedback/message-put",
        r#"{"item":{"messageId":"msg-0004","rating":"negative","note":"wrong file"}}"#,
        "negative msg-0004 \"wrong file\"",
    ),
    ("feedback/message-delete", r#"{"messageId":"msg-0004"}"#, "msg-0004"),
    (
        "todo/write",
        r#"{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c","status":"pending"}]}"#,
        "3 items: 1 done, 1 doing, 1 open",
    ),
    ("todo/write", r#"{"todos":[]}"#, "no items"),
    (
        "deliverables/presented",
        r#"{"files":[{"path":"report.md"},{"path":"plot.png"}]}"#,
        "2 files: report.md, plot.png",
    ),
    ("workspace/changes", r#"{"turn":3}"#, "turn 3 (list not in the log)"),
    ("image/offload", r#"{"targets":[{"seq":3,"imageIndexes":[0,1]}]}"#, "2 images of 1 message"),
    (
        "approval/asked",
        r#"{"id":"a","toolName":"bash","callId":"call_0030_0","reason":"leaves"}"#,
        "bash call_0030_0  \"leaves\"",
    ),
    ("approval/policy", r#"{"policy":"never"}"#, "never"),
    ("sandbox/mode", r#"{"mode":"workspace-write","source":"delegation"}"#, "workspace-write (delegation)"),
    ("permission/preset", r#"{"preset":"standard"}"#, "standard"),
    ("plan/mode", r#"{"active":true}"#, "on"),
    ("plan/mode", r#"{"active":false}"#, "off"),
    (
        "hook/invoked",
        r#"{"turn":1,"point":"PreToolUse","dialect":"claude-code","matcher":"Bash","handlerId":"claude-code:PreToolUse:1"}"#,
        "PreToolUse claude-code #1 Bash",
    ),
    (
        "hook/result",
        r#"{"turn":1,"point":"PreToolUse","handlerId":"claude-code:PreToolUse:1","decision":"deny","exitCode":2,"durationMs":41.3,"stderrSummary":"no"}"#,
        "PreToolUse #1 deny exit 2 41ms  no",
    ),
    ("command/run", r#"{"commandId":"c","name":"permission","args":" read-only"}"#, "/permission read-only"),
    (
        "command/done",
        r#"{"commandId":"c","kind":"success","text":"Preset.","sourceEventSeq":7}"#,
        "success \"Preset.\"  effect at 7",
    ),
    (
        "compaction/start",
        r#"{"compactionId":"x","sourceCommandId":"cmd-d0e2e8ae-7","turn":null}"#,
        "manual, from cmd-d0e2e8ae-7",
    ),
    ("compaction/start", r#"{"compactionId":"x","turn":4}"#, "turn 4"),
    (
        "compaction/summary",
        r#"{"shadowedSeqs":[9,10,23],"shadowedTokenCount":326,"model":"m-1"}"#,
        "shadows 3 messages, 326 tokens; m-1",
    ),
    ("compaction/end", r#"{"compactionId":"x"}"#, "done"),
    ("compaction/end", r#"{"compactionId":"x","error":"model returned"}"#, "error: model returned"),
    ("compaction/prune", r#"{"shadowedSeqs":[42],"shadowedTokenCount":4685}"#, "shadows 1 message, 4,685 tokens"),
    ("compact/start", r#"{"a":1}"#, "retired  {\"a\":1}"),
    ("compact/summary", "{}", "retired  {}"),
    ("compact/end", "{}", "retired  {}"),
    ("compact/prune", "{}", "retired  {}"),
    (
        "llm/retry",
        r#"{"retryId":"r","retry":1,"maxRetries":5,"delayMs":485.4,"failure":{"code":"TRANSPORT","message":"x"}}"#,
        "retry 1 of 5 in 485ms: TRANSPORT",
    ),
    ("llm/retry", r#"{"retry":2,"delayMs":1000,"failure":{"code":"RATE","status":429}}"#, "retry 2 in 1.00s: RATE 429"),
    ("llm/retry-started", r#"{"retryId":"r","retry":1}"#, "attempt 2 starts"),
    (
        "subagent/descriptor",
        r#"{"version":2,"mode":"one-shot","provider":"spawn","label":"Build it"}"#,
        "one-shot \"Build it\"",
    ),
    ("subagent/model-selection-policy", r#"{"allowedModels":[{},{}]}"#, "2 models allowed"),
    (
        "subagent/catalog",
        r#"{"version":1,"childId":"c6d2be1d-4904-4d4a-9c9d-f321c4e0e369","mode":"unknown"}"#,
        "c6d2be1d⋯e369 unknown",
    ),
    (
        "team/member",
        r#"{"member":{"id":"1246011a-0000-4000-8000-000000000001","name":"reviewer","phase":"active"}}"#,
        "reviewer active 1246011a⋯0001",
    ),
    (
        "team/task",
        r#"{"task":{"status":"done","subject":"Write tests","ownerId":"reviewer"}}"#,
        "done \"Write tests\" reviewer",
    ),
    (
        "team/message/queued",
        r#"{"message":{"id":"m","senderName":"lead","targetId":"reviewer","content":"Look at cart.js"}}"#,
        "lead -> reviewer \"Look at cart.js\"",
    ),
    ("team/message/delivered", r#"{"messageId":"m","targetId":"reviewer"}"#, "-> reviewer m"),
    ("tool-workflow/run-start", r#"{"runId":"r","name":"two-greetings"}"#, "two-greetings"),
    ("tool-workflow/run-end", r#"{"runId":"r","stopReason":"completed"}"#, "completed"),
    (
        "tool-workflow/agent-start",
        r#"{"runId":"r","seq":1,"label":"one","childId":"c6d2be1d-4904-4d4a-9c9d-f321c4e0e369"}"#,
        "#1 \"one\" c6d2be1d⋯e369",
    ),
    ("tool-workflow/agent-end", r#"{"runId":"r","seq":1,"outcome":"completed"}"#, "#1 completed"),
    (
        "goal/change",
        r#"{"operation":"pause","goal":{"objective":"Ship 1.2","phase":"paused","maxGoalRounds":10},"roundsStarted":3}"#,
        "pause \"Ship 1.2\" round 3 of 10",
    ),
    ("goal/change", r#"{"operation":"clear","cleared":{"id":"g1","revision":2}}"#, "clear g1"),
    (
        "schedule/change",
        r#"{"operation":"create","schedule":{"id":"s","kind":"every","prompt":"check CI","everySeconds":3600}}"#,
        "create every 1h \"check CI\"",
    ),
    ("schedule/change", r#"{"operation":"dispatch","id":"s1"}"#, "dispatch s1"),
    (
        "web/deepseek-search-llm-request",
        r#"{"endpoint":"http://h/messages","body":{"model":"m-1","messages":[{"role":"user","content":[{"type":"text","text":"Perform"}]}]}}"#,
        "m-1: \"Perform\", http://h/messages",
    ),
    ("acme/checkpoint", r#"{"ref":"abc"}"#, "NOT IGNORABLE: the harness refuses the log here  {\"ref\":\"abc\"}"),
];

#[test]
fn every_type_of_the_catalogue_is_told_in_its_form() {
    for (kind, data, expected) in TABLE {
        assert_eq!(alone(kind, data).1, *expected, "{kind} {data}");
    }
    let missing: Vec<&str> = Kind::ALL
        .iter()
        .filter(|kind| !kind.is_packed() && **kind != Kind::Unknown)
        .map(|kind| kind.name())
        .filter(|name| !matches!(*name, "tool/result" | "approval/decided"))
        .filter(|name| !TABLE.iter().any(|(kind, _, _)| kind == name))
        .collect();
    assert!(missing.is_empty(), "no line told of {missing:?}");
}

#[test]
fn nothing_of_a_type_is_needed() {
    for kind in Kind::ALL.iter().filter(|kind| **kind != Kind::Unknown) {
        for data in ["{}", "[]", "null", "7", r#""text""#, r#"{"message":7,"header":[],"chunk":{},"texts":{}}"#] {
            let (_, text) = alone(kind.name(), data);
            assert!(!text.contains('\n'), "{text}");
        }
        let (session, lines) = of_lines(&[&format!(r#"{{"type":"{}","seq":0,"time":1}}"#, kind.name())]);
        let _ = say(&session, &lines, 0, 80);
    }
}

#[test]
fn every_cut_of_a_line_is_told_without_a_panic() {
    for (kind, data, expected) in TABLE {
        let line = format!(r#"{{"type":"{kind}","seq":0,"time":1790000000100,"data":{data}}}"#);
        let (session, lines) = of_lines(&[&line]);
        let calls = CallRows::new(&session.facts);
        let teller = Teller::new(&session, &calls, &WORDS);
        for end in 0..lines[0].len() {
            let _ = teller.row(&lines[0][..end], RowIx(0), 60);
        }
        for max in 0..expected.len() {
            assert!(columns(&teller.row(&lines[0], RowIx(0), max).plain()) <= max);
        }
    }
}

/// One call from message to result, with what lies between.
fn call_log(between: &[&str], result: &str) -> Vec<String> {
    let mut lines = vec![
        r#"{"type":"turn/start","seq":0,"time":1000,"data":{"turn":1}}"#.to_owned(),
        r#"{"type":"step/start","seq":1,"time":1000,"data":{"turn":1,"step":1}}"#.to_owned(),
        r#"{"type":"assistant/message","seq":2,"time":1000,"data":{"turn":1,"step":1,"message":{"id":"m","role":"assistant","content":[{"type":"tool-call","id":"c1","name":"bash","arguments":"{\"command\":\"make\"}"}],"source":{"kind":"model","provider":"p","model":"m-1"}}},"surfaceOp":"append"}"#.to_owned(),
        r#"{"type":"tool/call","seq":3,"time":1000,"data":{"turn":1,"step":1,"callId":"c1","name":"bash","arguments":"{\"command\":\"make\"}"}}"#.to_owned(),
    ];
    let after = between.iter().chain(Some(&result).filter(|result| !result.is_empty()));
    lines.extend(after.zip(4..).map(|(line, seq)| line.replace("SEQ", &seq.to_string())));
    lines
}

fn result_line(content: &str, is_error: bool, more: &str) -> String {
    format!(
        r#"{{"type":"tool/result","seq":SEQ,"time":1043,"data":{{"turn":1,"step":1,"message":{{"id":"r","role":"user","source":{{"kind":"tool","callId":"c1"}},"content":[{{"type":"tool-result","toolCallId":"c1","content":[{content}],"isError":{is_error}}}]}}{more}}},"surfaceOp":"append","sourceEventSeqs":[3]}}"#
    )
}

#[test]
fn results_say_figures_or_their_first_line() {
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let table: &[(String, bool, &str, Mark, &str)] = &[
        (text("unit\\n"), false, "", Mark::Completed, "bash c1  unit↵"),
        (text("Error: no"), true, "", Mark::Failed, "bash c1  Error: no"),
        (
            text("gone"),
            true,
            r#","error":{"name":"ToolError","code":"FS_NOT_FOUND"}"#,
            Mark::Failed,
            "bash c1  FS_NOT_FOUND  gone",
        ),
        (
            text("no"),
            true,
            r#","error":{"name":"AbortError","code":"ABORTED_BEFORE_DISPATCH"}"#,
            Mark::Cancelled,
            "bash c1  ABORTED_BEFORE_DISPATCH  no",
        ),
        (
            text("ok"),
            false,
            r#","meta":{"diffs":[{"path":"src/a.js","oldText":"a\nb","newText":"a\nc\nd"}]}"#,
            Mark::Completed,
            "bash c1  src/a.js +2 -1",
        ),
        (
            text("<path>/srv/demo-app/src/a.js</path>\\n<content>\\nCreated file\\n</content>"),
            false,
            r#","meta":{"diffs":[]}"#,
            Mark::Completed,
            "bash c1  src/a.js created",
        ),
        (
            text("x"),
            false,
            r#","meta":{"path":"a","lines":[{"number":1,"text":"x"}]}"#,
            Mark::Completed,
            "bash c1  1 line",
        ),
        (
            text("x"),
            false,
            r#","meta":{"shape":"matches","files":[{"path":"a","matches":[{},{}]},{"path":"b","matches":[{}]}],"total":3}"#,
            Mark::Completed,
            "bash c1  3 matches in 2 files",
        ),
        (text("x"), false, r#","meta":{"shape":"paths","paths":["a"],"total":1}"#, Mark::Completed, "bash c1  1 path"),
        (r#"{"type":"image","attachment":{}}"#.to_owned(), false, "", Mark::Completed, "bash c1  1 image"),
        (String::new(), false, "", Mark::Completed, "bash c1  0 B"),
    ];
    for (content, is_error, more, mark, expected) in table {
        let lines = call_log(&[], &result_line(content, *is_error, more));
        let (session, lines) = of_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(say(&session, &lines, 4, 200), (*mark, (*expected).to_owned()));
        assert_eq!(say(&session, &lines, 3, 200), (*mark, "bash c1  make".to_owned()));
    }
}

#[test]
fn a_result_that_does_not_follow_its_call_says_how_long_it_took() {
    let title = r#"{"type":"session/title","seq":SEQ,"time":1000,"data":{"title":"x"}}"#;
    let lines = call_log(&[title], &result_line(r#"{"type":"text","text":"ok"}"#, false, ""));
    let (session, lines) = of_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(say(&session, &lines, 5, 200).1, "bash c1  ok, 43ms");
    assert_eq!(say(&session, &lines, 5, 14).1, "bash c1  ok");
}

#[test]
fn a_rewrite_of_a_result_names_what_it_replaces() {
    let rewrite = result_line(r#"{"type":"text","text":"short"}"#, false, "").replace(
        r#""surfaceOp":"append","sourceEventSeqs":[3]"#,
        r#""surfaceOp":{"op":"replace","start":4,"end":4},"sourceEventSeqs":[4]"#,
    );
    let first = result_line(r#"{"type":"text","text":"long"}"#, false, "");
    let lines = call_log(&[&first], &rewrite);
    let (session, lines) = of_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(say(&session, &lines, 5, 200), (Mark::Completed, "bash c1  short  REPLACES 4".to_owned()));
    assert_eq!(say(&session, &lines, 5, 24).1, "bash c1  sh⋯  REPLACES 4");
}

#[test]
fn calls_without_a_result_and_results_without_a_call_are_marked() {
    let (session, lines) = of_lines(&call_log(&[], "").iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(say(&session, &lines, 3, 200).0, Mark::Unknown);
    assert_eq!(session.facts.loader.why, "");
    let words = Words::english();
    let calls = CallRows::new(&session.facts);
    let teller = Teller::new(&session, &calls, &words);
    let ghosts: Vec<(Mark, String)> = session
        .facts
        .resume
        .iter()
        .map(|ghost| teller.ghost(ghost, 80))
        .map(|what| (what.mark, what.plain()))
        .collect();
    assert_eq!(
        ghosts,
        [
            (Mark::Unknown, "bash c1  TOOL_OUTCOME_UNKNOWN".to_owned()),
            (Mark::None, "step 1.1".to_owned()),
            (Mark::Look, "turn 1 interrupted".to_owned()),
        ]
    );
    let stray = result_line(r#"{"type":"text","text":"42 passed"}"#, false, "").replace("SEQ", "0");
    let (session, lines) = of_lines(&[&stray]);
    assert_eq!(say(&session, &lines, 0, 200), (Mark::Look, "c1  42 passed".to_owned()));
}

#[test]
fn decisions_say_how_long_they_took_and_who_was_not_asked() {
    let asked = r#"{"type":"approval/asked","seq":SEQ,"time":1000,"data":{"id":"a","toolName":"bash","callId":"c1","reason":"x"}}"#;
    let decided = r#"{"type":"approval/decided","seq":SEQ,"time":1001,"data":{"id":"a","outcome":"rejected"}}"#;
    let never = r#"{"type":"approval/policy","seq":SEQ,"time":1000,"data":{"policy":"never"}}"#;
    let (session, lines) = of_lines(&call_log(&[asked, decided], "").iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(say(&session, &lines, 5, 200), (Mark::Failed, "rejected after 1ms  c1".to_owned()));
    let (session, lines) =
        of_lines(&call_log(&[never, asked, decided], "").iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(say(&session, &lines, 6, 200), (Mark::ByPolicy, "rejected (not asked) after 1ms  c1".to_owned()));
    let (session, lines) = of_lines(&call_log(&[asked], "").iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(say(&session, &lines, 4, 200).0, Mark::Unknown);
}

#[test]
fn a_run_adds_up_its_rows_and_asks_for_few_lines() {
    let chunk = |seq: u32, chunk: &str| {
        format!(r#"{{"type":"assistant/chunk","seq":{seq},"time":1000,"data":{{"turn":1,"step":1,"chunk":{chunk}}}}}"#)
    };
    let lines = [
        chunk(0, r#"{"type":"block-start","index":0,"blockType":"text"}"#),
        r#"{"type":"text-chunks","seq0":1,"time0":1000,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["Running"," the"," migration."]}}"#.to_owned(),
        chunk(4, r#"{"type":"block-start","index":1,"blockType":"tool-call"}"#),
        r#"{"type":"tool-call-chunks","seq0":5,"time0":1000,"data":{"turn":1,"step":1,"index":1,"dt":[1,1],"id":"call_0225_0","name":"edit","args":["","{\"a\":","1}"]}}"#.to_owned(),
        chunk(8, r#"{"type":"finish","reason":{"kind":"tool-calls"}}"#),
    ];
    let (session, lines) = of_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let run = Run { first: RowIx(0), last: RowIx(4) };
    let needed = run_rows(run, &session);
    assert_eq!(needed, [RowIx(2), RowIx(3), RowIx(4)]);
    let (words, calls) = (Words::english(), CallRows::new(&session.facts));
    let teller = Teller::new(&session, &calls, &words);
    let fetched: Vec<(RowIx, &[u8])> = needed.iter().map(|ix| (*ix, &lines[ix.as_usize()][..])).collect();
    assert_eq!(
        teller.run(run, &fetched, 200).plain(),
        "22 chars of text, 1 call; finish tool-calls (9 events, 5 lines)"
    );
    assert_eq!(say(&session, &lines, 3, 200).1, "tool-call-chunks 3 deltas, edit call_0225_0, 7 bytes");
    assert_eq!(say(&session, &lines, 1, 200).1, "text-chunks 3 deltas, 22 bytes  \"Running the migration.\"");
    let member = teller.member(&lines[1], 2, 200);
    assert_eq!((member.tag.as_deref(), member.plain().as_str()), (Some("text-delta"), "\" migration.\""));
}

#[test]
fn lines_that_are_no_event_say_why() {
    let malformed = r#"{"type":"text-chunks","seq0":3,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[5],"texts":["a","b","c"]}}"#;
    let (session, lines) = of_lines(&[malformed, "not json", "[1]", ""]);
    let told: Vec<String> = (0..3).map(|row| say(&session, &lines, row, 60).1).collect();
    assert!(told[0].starts_with("malformed packed row  {\"type\":\"text-chunks\","), "{}", told[0]);
    assert_eq!(told[1], "not JSON  not json");
    assert_eq!(told[2], "not an object  [1]");
}

#[test]
fn records_of_an_embedded_stream_are_told_one_by_one() {
    let line = br#"{"type":"assistant/message","seq":0,"time":1,"data":{"stream":[{"type":"chunk","time":1,"chunk":{"type":"block-start","index":0,"blockType":"text"}},{"type":"text-chunks","time0":1,"index":0,"dt":[1],"texts":["a","b"]},{"type":"chunk","time":3,"chunk":{"type":"finish","reason":{"kind":"stop"}}}]}}"#;
    let (session, _) = of_lines(&["{}"]);
    let (words, calls) = (Words::english(), CallRows::new(&session.facts));
    assert_eq!(Teller::stream_members(line), 3);
    let told: Vec<(String, String)> = Teller::new(&session, &calls, &words)
        .stream(line, 0, 9, 80)
        .into_iter()
        .map(|what| (what.tag.clone().unwrap_or_default(), what.plain()))
        .collect();
    assert_eq!(told[0], ("block-start".to_owned(), "block 0: text".to_owned()));
    assert_eq!(told[1], ("text-chunks".to_owned(), "2 deltas, 2 bytes  \"ab\"".to_owned()));
    assert_eq!(told[2], ("finish".to_owned(), "stop".to_owned()));
}

#[test]
fn a_row_of_very_many_members_is_counted_whole() {
    let texts = vec!["\"ab\""; 12_000].join(",");
    let gaps = vec!["0"; 11_999].join(",");
    let line = format!(
        r#"{{"type":"text-chunks","seq0":0,"time0":1,"data":{{"turn":1,"step":1,"index":0,"dt":[{gaps}],"texts":[{texts}]}}}}"#
    );
    let (session, lines) = of_lines(&[&line]);
    assert!(say(&session, &lines, 0, 40).1.starts_with("text-chunks 12,000 deltas, 24,000 bytes"));
    let calls = CallRows::new(&session.facts);
    assert_eq!(Teller::new(&session, &calls, &WORDS).member(&lines[0], 11_999, 40).plain(), "\"ab\"");
}
