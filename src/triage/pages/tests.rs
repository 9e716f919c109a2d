use std::sync::LazyLock;

use super::{Draft, Scope};
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::time::Zone;
use crate::text::width::columns;
use crate::triage::bench::Written;
use crate::triage::doc::DocLine;

static WORDS: LazyLock<Words> = LazyLock::new(Words::english);

/// Lines of a page of a log, with all its stored text at hand.
fn lines(log: &Written, width: usize, fill: impl Fn(&mut Draft<'_, '_>)) -> Vec<DocLine> {
    let (session, stored) = log.session();
    let zone = Zone::utc();
    let mut texts = |row: RowIx| stored.get(row.as_usize()).cloned();
    let mut draft = Draft::new(&session, &WORDS, &zone, width, &mut texts);
    fill(&mut draft);
    assert!(draft.needs.iter().all(|(line, _)| *line <= draft.lines.len()));
    draft.lines
}

fn texts(log: &Written, fill: impl Fn(&mut Draft<'_, '_>)) -> String {
    lines(log, 120, fill).iter().map(|line| line.text().trim_end().to_owned() + "\n").collect()
}

/// Seqs of the rows that the lines with this text lead to.
fn leads(log: &Written, fill: impl Fn(&mut Draft<'_, '_>), text: &str) -> Vec<Option<u32>> {
    let found = lines(log, 120, fill);
    let found = found.iter().filter(|line| line.text().contains(text));
    found.map(|line| line.target.map(|target| target.row.0)).collect()
}

fn chunk(log: Written, chunk: &str) -> Written {
    log.event("assistant/chunk", &format!(r#""turn":1,"step":1,"chunk":{chunk}"#))
}

fn failed(log: Written, code: &str) -> Written {
    let log = chunk(log, r#"{"type":"text-delta","index":0,"text":"It be\u001bgan "}"#);
    chunk(
        log,
        &format!(r#"{{"type":"finish","reason":{{"kind":"error","failure":{{"code":"{code}","status":503}}}}}}"#),
    )
}

fn retry(log: Written, n: i64) -> Written {
    let policy = r#""policyKey":"[\"normal\",[\"SERVER\",\"RATE_LIMIT\"]]","maxRetries":2"#;
    let rest = format!(r#""turn":1,"step":1,"delayMs":400,"failure":{{"code":"SERVER"}},{policy}"#);
    let log = log.event("llm/retry", &format!(r#""retryId":"chain-of-retries","retry":{n},{rest}"#));
    log.event("llm/retry-started", &format!(r#""retryId":"chain-of-retries","retry":{n},"turn":1,"step":1"#))
}

#[test]
fn the_silent_model_tells_a_chain_and_why_it_ends() {
    let chain = retry(failed(retry(failed(Written::new().turn(1).step(1, 1), "SERVER"), 1), "SERVER"), 2);
    let log = failed(chain, "SERVER").step_end(1, 1).turn_end(1, "error");
    let log = log.turn(2).step(2, 1).event(
        "assistant/chunk",
        r#""turn":2,"step":1,"chunk":{"type":"finish","reason":{"kind":"error","failure":{"code":"AUTH"}}}"#,
    );
    let page = texts(&log, super::silent);
    for part in [
        "retry chain chain-of, up to 2   retried: SERVER RATE_LIMIT",
        r#"10 chars "It be\u001bgan"#,
        "✗ SERVER 503",
        "4 wait 400ms, kept 1.00s",
        "no retry left (2 of 2)",
        "not retried: not in the list above",
        "turn 1 ended: error",
        "finish reasons   error 4",
        "no usage was recorded",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(!page.contains('\u{1b}'), "no escape comes through");
    assert_eq!(leads(&log, super::silent, "no retry left"), [Some(10)]);
}

#[test]
fn a_model_that_answers_is_told_in_a_line() {
    let log = Written::new().turn(1).step(1, 1).asks(1, 1, &[]).step_end(1, 1).turn_end(1, "completed");
    assert!(texts(&log, super::silent).contains("every attempt became an answer"));
    assert!(texts(&Written::new(), super::silent).contains("the model was never asked"));
}

#[test]
fn usage_that_differs_is_named_with_both_counts() {
    let usage = r#"{"type":"usage","usage":{"inputTokens":5,"outputTokens":1}}"#;
    let log = chunk(Written::new().turn(1).step(1, 1), usage);
    let rest = r#""turn":1,"step":1,"message":{"content":[]},"usage":{"inputTokens":7,"outputTokens":1}"#;
    let log = log.event("assistant/message", rest);
    let page = texts(&log, super::silent);
    assert!(page.contains("usage chunk and message differ: chunk in 5"), "{page}");
    assert!(page.contains("message 3 in 7"), "{page}");
}

#[test]
fn calls_of_the_stream_alone_have_a_row() {
    let delta = r#"{"type":"tool-call-delta","index":0,"id":"lost","name":"bash","argumentsDelta":"{"}"#;
    let log = failed(chunk(Written::new().turn(1).step(1, 1), delta), "MAX").step_end(1, 1);
    let page = texts(&log, super::silent);
    assert!(page.contains("ONLY IN THE STREAM   1 call"), "{page}");
    assert_eq!(leads(&log, super::silent, "bash  lost"), [Some(4)]);
}

#[test]
fn time_is_told_of_session_turn_and_step() {
    let log = Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]).call(1, 1, "a").result(1, 1, "a", "", "");
    let log = log.step_end(1, 1).turn_end(1, "completed").turn(2).turn_end(2, "completed");
    let session = texts(&log, |draft| super::time(draft, Scope::Session));
    assert!(session.contains("= wall time of the session"), "{session}");
    assert_eq!(session.matches("  1  ").count(), 1, "{session}");
    for (scope, part) in [
        (Scope::Turn(0), "= wall time of the turn"),
        (Scope::Step(0), "ATTEMPT   seq 2"),
        (Scope::Step(9), "nothing to tell"),
    ] {
        let page = texts(&log, |draft| super::time(draft, scope));
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let back = Written::new().turn(1).raw(r#"{"type":"step/start","seq":1,"time":5,"data":{"turn":1,"step":1}}"#);
    let page = texts(&back, |draft| super::time(draft, Scope::Session));
    assert!(page.contains("not the wall time: the clock stepped back") && page.contains("before seq 1 by"), "{page}");
    assert!(!page.contains("-20717d"), "{page}");
}

#[test]
fn originals_stand_beside_what_replaced_them() {
    let say = |log: Written, text: &str, fields: &str| {
        let content = format!(r#""content":[{{"type":"text","text":"{text}"}}]"#);
        log.with("user/message", &format!(r#""role":"user","source":{{"kind":"user"}},{content}"#), fields)
    };
    let log = say(Written::new(), "first words", r#","surfaceOp":"append""#);
    let log = log
        .event("compaction/start", r#""compactionId":"k""#)
        .event("compaction/summary", r#""compactionId":"k","shadowedRange":{"start":0,"end":0},"shadowedSeqs":[0,77]"#);
    let log = say(log, "the summary", r#","surfaceOp":{"op":"replace","start":0,"end":0}"#);
    let log = log.event("compaction/end", r#""compactionId":"k""#);
    let log = log.event("compaction/start", r#""compactionId":"l""#);
    let log = log.event("compaction/end", r#""compactionId":"l","error":"too \u202elong""#);
    let prompt = r#"{"role":"user","content":[{"type":"text","text":"stop it"}]}"#;
    let log = log.event("agent/inbox/spliced", &format!(r#""target":"next-turn","start":0,"inserted":[{prompt}]"#));
    let log = log.event("session-log-deepseek/delivery-accepted", r#""throughSeq":5,"sessionFormatVersion":3"#);
    let page = texts(&log, super::originals);
    for part in [
        "compaction 2   shadows 2 records",
        r#"user/message  "first words""#,
        "- 77    not in the log",
        r#"user/message  "the summary""#,
        "✗ ended with an error at 6: too [U+202E]long",
        r#"? 7  NEVER SENT, still waits in next-turn at the end  "stop it""#,
        "uploaded up to 5 in the numbers of version 3",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let empty = texts(&Written::new(), super::originals);
    assert!(empty.contains("nothing was compacted") && empty.contains("no upload is recorded"), "{empty}");
}

#[test]
fn a_summary_of_several_records_is_compared_with_all_of_them() {
    let say = |log: Written, text: &str, fields: &str| {
        let content = format!(r#""content":[{{"type":"text","text":"{text}"}}]"#);
        log.with("user/message", &format!(r#""role":"user","source":{{"kind":"user"}},{content}"#), fields)
    };
    let log = |many: usize| {
        let append = r#","surfaceOp":"append""#;
        let log = (0..many).fold(Written::new(), |log, n| say(log, &format!("words {n}\\n\\n\\u001bend {n}"), append));
        let seqs: Vec<String> = (0..many).map(|seq| seq.to_string()).collect();
        let (last, seqs) = (many - 1, seqs.join(","));
        let range = format!(r#""shadowedRange":{{"start":0,"end":{last}}},"shadowedSeqs":[{seqs}]"#);
        let log = log.event("compaction/summary", &format!(r#""compactionId":"k",{range}"#));
        say(log, "words 0\\n\\nin short", &format!(r#","surfaceOp":{{"op":"replace","start":0,"end":{last}}}"#))
    };
    let page = texts(&log(2), super::originals);
    // One after the other, without the lines between them that say nothing; what both sides say is said once.
    for part in ["   words 0\n", "- \\u001bend 0\n", "- words 1\n", "- \\u001bend 1\n", "+ in short\n"] {
        assert!(page.contains(part), "{part:?} is not in\n{page}");
    }
    let many = texts(&log(100), super::originals);
    assert!(many.contains("too long to compare here"), "{many}");
}

#[test]
fn what_a_sub_call_was_asked_to_write_is_shown() {
    let sub = |log: Written, id: &str, name: &str, arguments: &str| {
        let ids = format!(r#""rootCallId":"a","parentCallId":"a","subCallId":"{id}","name":"{name}""#);
        let log = log.event("tool/code-dispatch-start", &format!(r#"{ids},"arguments":{arguments}"#));
        log.event("tool/code-dispatch", &format!(r#"{ids},"arguments":{arguments},"isError":false,"content":[]"#))
    };
    let log = Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]).call(1, 1, "a");
    let log = sub(log, "s1", "edit", r#"{"file_path":"src/x.js","old_string":"one\nsame","new_string":"two\nsame"}"#);
    let log = sub(log, "s2", "write", r#"{"file_path":"src/y.js","content":"all of it"}"#);
    let log = sub(log, "s3", "bash", r#"{"command":"rm -rf build"}"#);
    let log = sub(log, "s4", "edit", r#"["no object",7]"#);
    let page = texts(&log, super::changes);
    for part in [
        "1 shell call, 4 sub-calls",
        "4  ✓ edit       s1                src/x.js",
        "- one",
        "+ two",
        "6  ✓ write      s2                src/y.js",
        "all of it",
        "8  ✓ bash       s3                rm -rf build",
        r#"s4                ["no object",7]"#,
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert_eq!(leads(&log, super::changes, "src/x.js")[0], Some(4));
}

#[test]
fn changed_files_name_call_question_and_hunks() {
    let call = r#""turn":1,"step":1,"callId":"a","name":"edit","arguments":"{\"file_path\":\"x\"}""#;
    let log = Written::new().turn(1).step(1, 1).event("tool/call", call);
    let log = log.event("approval/asked", r#""id":"p","toolName":"edit","callId":"a""#);
    let log = log.event("approval/decided", r#""id":"p","outcome":"allowed-once""#);
    let meta = r#","meta":{"diffs":[{"path":"src/x.js","oldText":"one\n","newText":"two\n"}]}"#;
    let log = log.result(1, 1, "a", meta, "");
    let page = texts(&log, super::changes);
    for part in ["src/x.js   1 change", "✓ edit  a  called 2  told 5", "allowed-once at 4", "- one", "+ two"] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let unknown = Written::new().turn(1).step(1, 1).event("tool/call", call);
    let page = texts(&unknown, super::changes);
    assert!(page.contains("it may have been written in part") && page.contains("no approval was asked"), "{page}");
    assert!(texts(&Written::new(), super::changes).contains("no call of this session"));
}

#[test]
fn a_name_nobody_meant_is_traced_to_its_header() {
    let header = |log: Written, names: &[&str]| {
        let tools: Vec<String> = names.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
        let rest = r#""config":{"provider":"p","model":"m"},"system":"Be kind.""#;
        log.event("request/header", &format!(r#""header":{{{rest},"tools":[{}]}},"reason":"change""#, tools.join(",")))
    };
    let log = header(header(Written::new(), &["bash"]), &["bash", "grep", "mcp__x__y"]);
    let blocks = r#"{"type":"tool-addition","toolName":"lsp"},{"type":"tool-removal","toolName":"bash"}"#;
    let log = log.event("developer/message", &format!(r#""message":{{"content":[{blocks}]}},"headerSeq":1"#));
    let page = texts(&log, super::request);
    for part in [
        "seq 2   developer/message   + lsp  - bash",
        "seq 1 first declares 1 name",
        "+ mcp__x__y   never called",
        "came with it: grep",
        "tools changed",
        "prompt 8 B",
        "Be kind.",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert_eq!(leads(&log, super::request, "first declares"), [Some(1)]);
    assert!(texts(&Written::new(), super::request).contains("no request header is recorded"));
}

/// Every page of a log that is wrong in every way says something and never panics, however wide the screen is.
#[test]
fn hostile_logs_make_pages() {
    let odd =
        [r"{}", "[]", "7", r#""x""#, "null", r#"{"kind":7}"#, "[[[[[[[[]]]]]]]]", r#"[{"type":"text-chunks","dt":7}]"#];
    let kinds = [
        "assistant/chunk",
        "assistant/message",
        "assistant/attempt",
        "llm/retry",
        "llm/retry-started",
        "compaction/summary",
        "compaction/prune",
        "compaction/end",
        "agent/inbox/spliced",
        "tool/call",
        "tool/result",
        "request/header",
        "session-log-deepseek/delivery-accepted",
    ];
    let keys =
        ["chunk", "message", "stream", "failure", "policyKey", "shadowedSeqs", "inserted", "meta", "header", "usage"];
    let mut log = Written::new().turn(1).step(1, 1);
    for value in odd {
        for kind in kinds {
            let fields: Vec<String> = keys.iter().map(|key| format!(r#""{key}":{value}"#)).collect();
            let data = format!(r#""turn":1,"step":1,"start":{value},{}"#, fields.join(","));
            log = log.with(kind, &data, &format!(r#","surfaceOp":{value},"sourceEventSeqs":{value}"#));
        }
    }
    let pages: [&dyn Fn(&mut Draft<'_, '_>); 7] = [
        &super::silent,
        &|draft| super::time(draft, Scope::Session),
        &|draft| super::time(draft, Scope::Step(0)),
        &super::originals,
        &super::changes,
        &super::request,
        &super::brief,
    ];
    for page in pages {
        for width in [1, 18, 78, 400] {
            let found = lines(&log, width, page);
            assert!(!found.is_empty());
            assert!(found.iter().all(|line| columns(&line.text()) < 100_000));
        }
    }
}
