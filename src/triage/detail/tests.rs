//! Tabs over small logs, and every tab over odd ones.

use std::sync::LazyLock;

use super::*;
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::time::Zone;
use crate::text::width::columns;
use crate::triage::bench::{of_lines, plain, raw_lines};
use crate::triage::doc::Doc;
use crate::triage::session::Session;
use crate::triage::what::CallRows;

const TURN: &str = r#"{"type":"turn/start","seq":0,"time":1000,"data":{"turn":1}}"#;
const STEP: &str = r#"{"type":"step/start","seq":1,"time":1000,"data":{"turn":1,"step":1}}"#;

fn message(name: &str, arguments: &str) -> String {
    format!(
        r#"{{"type":"assistant/message","seq":2,"time":1000,"data":{{"turn":1,"step":1,"message":{{"id":"m","role":"assistant","content":[{{"type":"tool-call","id":"c1","name":"{name}","arguments":{arguments}}}],"source":{{"kind":"model"}}}}}},"surfaceOp":"append"}}"#
    )
}

fn call(name: &str, arguments: &str) -> String {
    format!(
        r#"{{"type":"tool/call","seq":3,"time":1000,"data":{{"turn":1,"step":1,"callId":"c1","name":"{name}","arguments":{arguments}}}}}"#
    )
}

fn result(seq: u32, text: &str, is_error: bool, more: &str) -> String {
    format!(
        r#"{{"type":"tool/result","seq":{seq},"time":1013,"data":{{"turn":1,"step":1,"message":{{"id":"r","role":"user","source":{{"kind":"tool","callId":"c1"}},"content":[{{"type":"tool-result","toolCallId":"c1","content":[{{"type":"text","text":{text}}}],"isError":{is_error}}}]}}{more}}},"surfaceOp":"append","sourceEventSeqs":[3]}}"#
    )
}

static WORDS: LazyLock<Words> = LazyLock::new(Words::english);

fn doc_in(session: &Session, lines: &[Vec<u8>], subject: Subject, tab: TabId, form: Form, limit: usize) -> Doc {
    let zone = Zone::utc();
    let needed = needs(subject, tab, session);
    let raw: Vec<RawLine> = raw_lines(lines).into_iter().filter(|line| needed.contains(&line.row)).collect();
    Detail { session, words: &WORDS, zone: &zone, lines: &raw, limit, form, braces: true }.doc(subject, tab)
}

fn texts(doc: &Doc) -> Vec<String> {
    doc.lines.iter().map(|line| line.text().trim_end().to_owned()).collect()
}

fn tab_of(log: &[String], tab: TabId, form: Form) -> Vec<String> {
    let (session, lines) = of_lines(&log.iter().map(String::as_str).collect::<Vec<_>>());
    texts(&doc_in(&session, &lines, Subject::Call(0), tab, form, LIMIT))
}

fn log(name: &str, arguments: &str, after: &[String]) -> Vec<String> {
    let mut lines = vec![TURN.to_owned(), STEP.to_owned(), message(name, arguments), call(name, arguments)];
    lines.extend_from_slice(after);
    lines
}

#[test]
fn arguments_that_are_no_json_say_where_and_why() {
    let found =
        tab_of(&log("create_issue", r#""{\"title\":\"broken\",\"labels\":[\"a\",""#, &[]), TabId::Arguments, Form::Raw);
    let expected = [
        "raw, seq 3, byte for byte, 32 bytes  NOT JSON   message = call, no stream in the log",
        r#"{"title":"broken","labels":["a","#,
        "                                ^",
        r#"line 1 column 33, byte 32: the text ends inside an array (opened at column 28, "labels")"#,
        "",
        "pretty form: none, the text is not JSON. What parses up to the error:",
        "  title   \"broken\"",
        "  labels  [\"a\", ..            not closed",
        "",
        "no approval was asked for this call",
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_caret_stands_under_the_line_of_the_error() {
    let found = tab_of(&log("x", r#""{\n  \"a\": 01,\n  \"b\": 2\n}""#, &[]), TabId::Arguments, Form::Raw);
    assert_eq!(found[2], "   2    \"a\": 01,");
    assert_eq!(found[3], "              ^");
    assert!(found.iter().any(|line| line.starts_with("line 2 column 9, byte 10:")), "{found:#?}");
}

#[test]
fn an_error_far_to_the_right_is_shown_with_what_stands_around_it() {
    let text = format!(r#""{{\"a\":\"{}\",}}""#, "x".repeat(300));
    let found = tab_of(&log("x", &text, &[]), TabId::Arguments, Form::Raw);
    let at = found.iter().position(|line| line.trim() == "^").expect("a caret");
    let column = columns(&found[at]) - 1;
    assert_eq!(found[at - 1].chars().nth(column), Some('}'), "{found:#?}");
    assert!(found[at - 1].starts_with("⋯xx"));
}

#[test]
fn a_command_stands_on_top_of_its_raw_text_and_its_fields() {
    let found = tab_of(
        &log("bash", r#""{\"command\":\"echo 1\",\"description\":\"Say one\"}""#, &[]),
        TabId::Arguments,
        Form::Raw,
    );
    let expected = [
        "$ echo 1  \"Say one\"",
        "",
        "raw, seq 3, byte for byte, 44 bytes  valid JSON   message = call, no stream in the log",
        r#"{"command":"echo 1","description":"Say one"}"#,
        "  command      \"echo 1\"",
        "  description  \"Say one\"",
    ];
    assert_eq!(found[..6], expected);
}

#[test]
fn the_pretty_form_breaks_texts_at_their_lines() {
    let found = tab_of(
        &log(
            "write",
            r#""{\"file_path\":\"a.md\",\"content\":\"one\\ntwo\\n\",\"n\":[1,2],\"o\":[{\"k\":null}]}""#,
            &[],
        ),
        TabId::Arguments,
        Form::Pretty,
    );
    let expected = [
        "  file_path  \"a.md\"",
        "  content",
        "    one",
        "    two",
        "  n          [1,2]",
        "  o",
        "    0",
        "      k  null",
    ];
    assert_eq!(found[3..11], expected);
}

#[test]
fn hidden_characters_are_marked_and_listed() {
    let text = r#""{\"file_path\":\"a\",\"content\":\"x\u200dy\\u001b[32m \u05e9\"}""#;
    let (session, lines) = of_lines(&log("write", text, &[]).iter().map(String::as_str).collect::<Vec<_>>());
    let doc = doc_in(&session, &lines, Subject::Call(0), TabId::Arguments, Form::Raw, LIMIT);
    let found = texts(&doc);
    assert!(found[2].ends_with("! 2 MARKED"), "{found:#?}");
    assert!(found[3].contains("x[U+200D]y\\u001b[32m"), "{found:#?}");
    assert!(doc.lines[3].spans.iter().any(|span| span.reversed && span.text == "[U+200D]"));
    assert!(found.iter().any(|line| line.contains("U+200D") && line.contains("zero width joiner")), "{found:#?}");
    assert!(found.iter().any(|line| line.contains("right to left")), "{found:#?}");
}

#[test]
fn copies_that_differ_are_shown_as_a_diff() {
    let lines = vec![
        TURN.to_owned(),
        STEP.to_owned(),
        message("bash", r#""{\"command\":\"echo one\"}""#),
        call("bash", r#""{\"command\":\"echo two\"}""#),
    ];
    let found = tab_of(&lines, TabId::Arguments, Form::Raw);
    assert!(found[2].contains("COPIES DIFFER"), "{found:#?}");
    assert!(found.iter().any(|line| line.starts_with(" - ") && line.contains("{-one-}")), "{found:#?}");
    assert!(found.iter().any(|line| line.starts_with(" + ") && line.contains("{+two+}")), "{found:#?}");
}

#[test]
fn a_long_value_is_cut_and_says_so() {
    let text = format!(r#""{{\"content\":\"{}\"}}""#, "x".repeat(9_000));
    let (session, lines) = of_lines(&log("x", &text, &[]).iter().map(String::as_str).collect::<Vec<_>>());
    let doc = doc_in(&session, &lines, Subject::Call(0), TabId::Arguments, Form::Raw, 1_000);
    assert_eq!(doc.left_out, 9_014 - 1_000);
    assert!(texts(&doc).iter().any(|line| line.starts_with("⋯ 7.8 KiB more")));
    // A line of which only the start was fetched is told from that start.
    let raw: Vec<RawLine> = raw_lines(&lines)
        .into_iter()
        .map(|line| RawLine { bytes: line.bytes[..line.bytes.len().min(600)].into(), ..line })
        .collect();
    let (words, zone) = (Words::english(), Zone::utc());
    let detail = Detail {
        session: &session,
        words: &words,
        zone: &zone,
        lines: &raw,
        limit: 1_000,
        form: Form::Raw,
        braces: true,
    };
    let doc = detail.doc(Subject::Call(0), TabId::Arguments);
    assert!(texts(&doc).iter().any(|line| line.starts_with("{\"content\":\"xxx")), "{:#?}", texts(&doc));
}

#[test]
fn results_show_text_error_and_meta() {
    let more = r#","error":{"name":"ToolError","code":"FS_NOT_FOUND"},"meta":{"n":1}"#;
    let found =
        tab_of(&log("bash", r#""{}""#, &[result(4, r#""a\u001b[0m\nb""#, true, more)]), TabId::Result, Form::Raw);
    let expected = [
        "result, seq 4, 7 bytes, 2 lines  isError   code FS_NOT_FOUND   error ToolError",
        "a\\u001b[0m",
        "b",
        "",
        "meta",
        "  n  1",
    ];
    assert_eq!(found, expected);
    let none = tab_of(&log("bash", r#""{}""#, &[]), TabId::Result, Form::Raw);
    assert_eq!(none, ["No result in the log: started, outcome unknown."]);
}

#[test]
fn changes_are_drawn_with_word_marks() {
    let arguments = r#""{\"file_path\":\"src/a.js\",\"old_string\":\"v1 =\",\"new_string\":\"v2 =\"}""#;
    let more = r#","meta":{"diffs":[{"path":"src/a.js","oldText":"let v1 = 0\nlet x","newText":"let v2 = 0\nlet x"}]}"#;
    let lines = log("edit", arguments, &[result(4, r#""ok""#, false, more)]);
    let found = tab_of(&lines, TabId::Changes, Form::Unified);
    let expected = [
        "src/a.js   1 hunk  +1 -1   from meta.diffs of seq 4 (no line numbers in the log)  p side by side",
        " - let {-v1-} = 0",
        " + let {+v2+} = 0",
        "   let x",
        "",
        "asked for: old_string \"v1 =\"   new_string \"v2 =\"   replace_all no  arguments and result agree",
    ];
    assert_eq!(found, expected);
    let beside = tab_of(&lines, TabId::Changes, Form::SideBySide);
    assert!(beside[1].starts_with(" - let {-v1-} = 0   ") && beside[1].contains("+ let {+v2+} = 0"), "{beside:#?}");
}

#[test]
fn a_created_file_shows_the_content_that_was_asked_for() {
    let lines = log(
        "write",
        r#""{\"file_path\":\"a.js\",\"content\":\"one\\ntwo\\n\"}""#,
        &[result(4, r#""ok""#, false, r#","meta":{"diffs":[]}"#)],
    );
    let found = tab_of(&lines, TabId::Changes, Form::Unified);
    assert!(found[0].starts_with("a.js   the content as asked for in seq 3"), "{found:#?}");
    assert_eq!(found[1..], ["   1  one", "   2  two"]);
}

#[test]
fn approvals_are_told_in_five_lines() {
    let lines = vec![
        r#"{"type":"approval/policy","seq":0,"time":1000,"data":{"policy":"ask"}}"#.to_owned(),
        r#"{"type":"sandbox/mode","seq":1,"time":1000,"data":{"mode":"read-only"}}"#.to_owned(),
        TURN.replace("\"seq\":0", "\"seq\":2"),
        STEP.replace("\"seq\":1", "\"seq\":3"),
        message("bash", r#""{\"command\":\"rm x\"}""#).replace("\"seq\":2", "\"seq\":4"),
        call("bash", r#""{\"command\":\"rm x\"}""#).replace("\"seq\":3", "\"seq\":5"),
        r#"{"type":"approval/asked","seq":6,"time":1000,"data":{"id":"a","toolName":"bash","callId":"c1","reason":"leaves"}}"#.to_owned(),
        r#"{"type":"approval/decided","seq":7,"time":1000,"data":{"id":"a","outcome":"rejected"}}"#.to_owned(),
        result(8, r#""Error: the user rejected""#, true, "").replace("[3]", "[5]"),
    ];
    let found = tab_of(&lines, TabId::Approvals, Form::Raw);
    let expected = [
        "asked     seq 6  00:00:01.000   bash   \"leaves\"",
        "decided   seq 7  00:00:01.000   rejected        waited 0ms: faster than a person can answer; the log does not say who answered",
        "in force  policy ask (seq 0)   sandbox read-only (seq 1)   preset not recorded   plan mode never set",
        "",
        "told to the model, seq 8   Error: the user rejected",
        "",
        "the call  $ rm x",
    ];
    assert_eq!(found, expected);
    let none = tab_of(&log("bash", r#""{}""#, &[]), TabId::Approvals, Form::Raw);
    assert_eq!(none, ["No approval was asked for this call."]);
}

#[test]
fn the_record_says_where_it_lies_and_what_it_cites() {
    let lines = log("bash", r#""{}""#, &[result(4, r#""ok""#, false, "")]);
    let (session, lines) = of_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let event = EventRef { row: RowIx(4), member: 0 };
    let doc = doc_in(&session, &lines, Subject::Event(event), TabId::Record, Form::Raw, LIMIT);
    let found = texts(&doc);
    assert!(found[0].starts_with("line 6, byte ") && found[0].ends_with("seq 4"), "{found:#?}");
    assert_eq!(found[1], "cites 3");
    assert_eq!(doc.lines[1].target, Some(EventRef { row: RowIx(3), member: 0 }));
    assert_eq!(doc.value.as_deref(), Some(&lines[4][..]));
    let cited = texts(&doc_in(&session, &lines, Subject::Call(0), TabId::Record, Form::Raw, LIMIT));
    assert!(cited.contains(&"cited by 4".to_owned()), "{cited:#?}");
}

#[test]
fn the_head_keeps_the_state_in_any_width() {
    let (session, _) = of_lines(&log("bash", r#""{}""#, &[]).iter().map(String::as_str).collect::<Vec<_>>());
    let (words, zone) = (Words::english(), Zone::utc());
    let detail = Detail {
        session: &session,
        words: &words,
        zone: &zone,
        lines: &[],
        limit: LIMIT,
        form: Form::Raw,
        braces: true,
    };
    let (mark, line) = detail.head(Subject::Call(0), 200);
    assert_eq!(mark, crate::triage::what::Mark::Unknown);
    assert_eq!(
        line.text(),
        "bash  c1   turn 1 > step 1   OUTCOME UNKNOWN, inferred   asked 2   called 3   result none   no approval asked"
    );
    for width in (0..140).rev() {
        let (_, line) = detail.head(Subject::Call(0), width);
        assert!(line.text().contains("OUTCOME UNKNOWN, inferred"), "{width}");
        assert!(columns(&line.text()) <= width.max(columns("bash  OUTCOME UNKNOWN, inferred")));
    }
}

#[test]
fn headers_show_prompt_tools_and_change() {
    let header = |seq: u32, system: &str, tools: &str| {
        format!(
            r#"{{"type":"request/header","seq":{seq},"time":1000,"data":{{"header":{{"config":{{"provider":"p","model":"m-{seq}"}},"system":"{system}","tools":[{tools}]}},"reason":"change"}}}}"#
        )
    };
    let log = [
        header(0, "Be brief.", r#"{"name":"bash","description":"Run"}"#),
        header(1, "Be kind.", r#"{"name":"bash","description":"Run it"},{"name":"mcp__x__y","description":"New"}"#),
    ];
    let (session, lines) = of_lines(&log.iter().map(String::as_str).collect::<Vec<_>>());
    let tab = |tab| texts(&doc_in(&session, &lines, Subject::Header(RowIx(1)), tab, Form::Raw, LIMIT));
    assert_eq!(tab(TabId::Prompt), ["prompt, seq 1, 8 B", "Be kind."]);
    let tools = tab(TabId::Tools);
    assert_eq!(tools[0], "2 tools, 1 of them added");
    assert_eq!(tools[1], "  bash       stock   Run it");
    assert_eq!(tools[2], "  mcp__x__y  added   New");
    let change = tab(TabId::Change);
    assert_eq!(change[0], "compared with the header before, seq 0");
    assert_eq!(change[1], "  model  \"m-0\" -> \"m-1\"");
    assert_eq!(change[2], " ~ bash: described otherwise");
    assert_eq!(change[3], " + mcp__x__y");
}

#[test]
fn a_message_shows_its_text_stream_and_usage() {
    let log = [
        r#"{"type":"assistant/chunk","seq":0,"time":1000,"data":{"turn":1,"step":1,"chunk":{"type":"block-start","index":0,"blockType":"text"}}}"#,
        r#"{"type":"text-chunks","seq0":1,"time0":1010,"data":{"turn":1,"step":1,"index":0,"dt":[20,5],"texts":["All"," is"," well"]}}"#,
        r#"{"type":"assistant/chunk","seq":4,"time":1040,"data":{"turn":1,"step":1,"chunk":{"type":"usage","usage":{"inputTokens":900,"outputTokens":30}}}}"#,
        r#"{"type":"assistant/chunk","seq":5,"time":1041,"data":{"turn":1,"step":1,"chunk":{"type":"finish","reason":{"kind":"stop"}}}}"#,
        r#"{"type":"assistant/message","seq":6,"time":1042,"data":{"turn":1,"step":1,"message":{"id":"m","role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"All is well"}],"source":{"kind":"model","model":"m-1"}},"usage":{"inputTokens":900,"outputTokens":30}},"surfaceOp":"append"}"#,
    ];
    let (session, lines) = of_lines(&log);
    let subject = Subject::Message(RowIx(4));
    let tab = |tab| texts(&doc_in(&session, &lines, subject, tab, Form::Raw, LIMIT));
    assert_eq!(tab(TabId::Text), ["kind model   model m-1", "", "reasoning", "  hm", "All is well"]);
    let stream = tab(TabId::Stream);
    assert!(stream.contains(&"  pieces            6".to_owned()), "{stream:#?}");
    assert!(stream.contains(&"  text              11 chars".to_owned()), "{stream:#?}");
    assert!(stream.contains(&"  finish            stop".to_owned()), "{stream:#?}");
    assert!(stream.contains(&"  longest gap       20ms".to_owned()), "{stream:#?}");
    let usage = tab(TabId::Usage);
    assert_eq!(usage[0], "from the usage chunk, seq 4");
    assert_eq!(usage[1], "  inputTokens       900");
    assert_eq!(usage[4], "from the message, seq 6");
    let run = Subject::Run(crate::triage::what::Run { first: RowIx(0), last: RowIx(3) });
    assert_eq!(texts(&doc_in(&session, &lines, run, TabId::Text, Form::Raw, LIMIT)), ["All is well"]);
}

#[test]
fn fields_show_all_that_is_stored() {
    let log = [
        r#"{"type":"acme/metrics","seq":0,"time":1790000000400,"odd":true,"data":{"n":1,"text":"a\nb"},"ignorable":true}"#,
    ];
    let (session, lines) = of_lines(&log);
    let event = Subject::Event(EventRef { row: RowIx(0), member: 0 });
    let found = texts(&doc_in(&session, &lines, event, TabId::Fields, Form::Pretty, LIMIT));
    let expected = [
        "type       \"acme/metrics\"",
        "seq        0",
        "time       1790000000400   2026-09-21 14:13:20.400",
        "odd        true",
        "ignorable  true",
        "",
        "  n     1",
        "  text",
        "    a",
        "    b",
    ];
    assert_eq!(found, expected);
}

#[test]
fn subjects_follow_the_rows() {
    let lines = log("bash", r#""{}""#, &[result(4, r#""ok""#, false, "")]);
    let (session, _) = of_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let calls = CallRows::new(&session.facts);
    let of = |row| subject_of(EventRef { row: RowIx(row), member: 0 }, &session, &calls);
    assert_eq!(of(0), Subject::Event(EventRef { row: RowIx(0), member: 0 }));
    assert_eq!(of(2), Subject::Message(RowIx(2)));
    assert_eq!(of(3), Subject::Call(0));
    assert_eq!(of(4), Subject::Call(0));
}

/// All tabs in all forms of everything in a log.
fn open_all(session: &Session, lines: &[Vec<u8>], limit: usize) {
    let calls = CallRows::new(&session.facts);
    let mut subjects = vec![Subject::LogHeader];
    subjects.extend(
        (0..lines.len()).map(|row| subject_of(EventRef { row: RowIx(row as u32), member: 0 }, session, &calls)),
    );
    subjects.extend((0..lines.len()).map(|row| Subject::Event(EventRef { row: RowIx(row as u32), member: 1 })));
    subjects.extend((0..session.facts.calls.len()).map(Subject::Call));
    subjects.extend((0..session.facts.sub_calls.len()).map(Subject::SubCall));
    subjects.extend((0..session.facts.resume.len()).map(Subject::Ghost));
    if !lines.is_empty() {
        subjects.push(Subject::Run(crate::triage::what::Run { first: RowIx(0), last: RowIx(lines.len() as u32 - 1) }));
    }
    for subject in subjects {
        for tab in tabs(subject) {
            for form in forms(*tab) {
                let doc = doc_in(session, lines, subject, *tab, *form, limit);
                for line in &doc.lines {
                    let text = line.text();
                    assert!(!text.chars().any(char::is_control), "{subject:?} {tab:?}: {text:?}");
                }
            }
        }
    }
}

#[test]
fn odd_logs_open_in_every_tab() {
    let arguments = r#""{\"command\":\"x\u001b\"""#;
    let mut log =
        log("bash", arguments, &[result(4, r#""a\u001b\tb""#, true, r#","meta":{"diffs":[{},1,{"path":7}]}"#)]);
    log.push(
        r#"{"type":"approval/asked","seq":5,"time":1,"data":{"id":"a","toolName":"bash","callId":"c1"}}"#.to_owned(),
    );
    log.push(
        r#"{"type":"text-chunks","seq0":6,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}"#
            .to_owned(),
    );
    log.push(r#"{"type":"request/header","seq":8,"time":1,"data":{"header":{"tools":[1,{}],"config":7}}}"#.to_owned());
    let (session, lines) = of_lines(&log.iter().map(String::as_str).collect::<Vec<_>>());
    open_all(&session, &lines, LIMIT);
    open_all(&session, &lines, 7);
    let text = format!("{}\n{}\n", crate::triage::bench::HEADER, log.join("\n"));
    for end in (0..text.len()).step_by(41) {
        let (session, lines) = plain(&text.as_bytes()[..end]);
        open_all(&session, &lines, 300);
    }
    for at in (0..text.len()).step_by(43) {
        let mut flipped = text.clone().into_bytes();
        flipped[at] ^= 0x41;
        let (session, lines) = plain(&flipped);
        open_all(&session, &lines, 300);
    }
}

#[test]
fn an_attempt_shows_the_text_of_the_stream_it_embeds() {
    let attempt = r#"{"type":"assistant/attempt","seq":2,"time":1000,"data":{"turn":1,"step":1,"stream":[{"type":"text-chunks","time0":900,"texts":["half ","a sen"],"dt":[5]},{"time":950,"chunk":{"type":"text-delta","text":"tence"}}]}}"#;
    let (session, lines) = of_lines(&[TURN, STEP, attempt]);
    let found = doc_in(&session, &lines, Subject::Message(RowIx(2)), TabId::Text, Form::Raw, LIMIT);
    assert_eq!(texts(&found), ["half a sentence"]);
}

#[test]
fn with_colours_changed_words_have_no_braces_and_halves_are_equal() {
    let more = r#","meta":{"diffs":[{"path":"a.js","oldText":"let v1 = 0","newText":"let v2 = 0"}]}"#;
    let log = log("edit", r#""{}""#, &[result(4, r#""ok""#, false, more)]);
    let (session, lines) = of_lines(&log.iter().map(String::as_str).collect::<Vec<_>>());
    let raw = raw_lines(&lines);
    let (words, zone) = (Words::english(), Zone::utc());
    let form = Form::SideBySide;
    let detail =
        Detail { session: &session, words: &words, zone: &zone, lines: &raw, limit: LIMIT, form, braces: false };
    let doc = detail.doc(Subject::Call(0), TabId::Changes);
    assert_eq!(doc.lines[1].text(), format!(" - {:48}  + let v2 = 0", "let v1 = 0"));
    assert!(doc.lines[1].spans.iter().any(|span| span.reversed && span.text.contains("v1")));
}

#[test]
fn a_break_has_a_page_of_its_own() {
    let (session, lines) =
        of_lines(&[TURN, STEP, r#"{"type":"step/end","seq":1,"time":1000,"data":{"turn":1,"step":1}}"#]);
    let subject = Subject::Damage(Damage::Break(0));
    let found = texts(&doc_in(&session, &lines, subject, TabId::Fields, Form::Pretty, LIMIT));
    for expected in ["line            4", "expected seq    2", "got seq         1"] {
        assert!(found.iter().any(|line| line.trim() == expected), "{expected}: {found:#?}");
    }
}

fn chunk_row(seq: u32, chunk: &str) -> String {
    format!(r#"{{"type":"assistant/chunk","seq":{seq},"time":{seq}000,"data":{{"turn":1,"step":1,"chunk":{chunk}}}}}"#)
}

/// A log whose call was streamed in these two pieces.
fn streamed(one: &str, two: &str, arguments: &str) -> Vec<String> {
    let delta = |text: &str| {
        format!(r#"{{"type":"tool-call-delta","index":0,"id":"c1","name":"bash","argumentsDelta":{text}}}"#)
    };
    let message = message("bash", arguments).replace(r#""seq":2"#, r#""seq":5"#);
    let call = call("bash", arguments).replace(r#""seq":3"#, r#""seq":6"#);
    vec![
        TURN.to_owned(),
        STEP.to_owned(),
        chunk_row(2, r#"{"type":"text-delta","index":1,"text":"x"}"#),
        chunk_row(3, &delta(one)),
        chunk_row(4, &delta(two)),
        message,
        call,
    ]
}

#[test]
fn streamed_pieces_are_compared_with_the_message() {
    let whole = r#""{\"command\":\"ls\"}""#;
    let same = tab_of(&streamed(r#""{\"command\":""#, r#""\"ls\"}""#, whole), TabId::Arguments, Form::Raw);
    assert!(same.iter().any(|line| line.ends_with("stream = message = call")), "{same:#?}");
    let other = tab_of(&streamed(r#""{\"command\":""#, r#""\"rm\"}""#, whole), TabId::Arguments, Form::Raw);
    let at = other.iter().position(|line| line.starts_with("streamed pieces from seq 3")).expect("the comparison");
    let rest: Vec<_> = other[at + 1..].iter().map(|line| line.trim()).collect();
    assert!(rest.iter().any(|line| line.starts_with('-') && line.contains("rm")), "{other:#?}");
    assert!(rest.iter().any(|line| line.starts_with('+') && line.contains("ls")), "{other:#?}");
    assert!(!other.iter().any(|line| line.ends_with("stream = message = call")));
}

#[test]
fn hidden_characters_of_a_reason_are_marked_and_named() {
    let asked = r#"{"type":"approval/asked","seq":4,"time":1001,"data":{"id":"a","toolName":"bash","callId":"c1","reason":"delete \u202etxt.exe"}}"#;
    let found = tab_of(&log("bash", r#""{}""#, &[asked.to_owned()]), TabId::Approvals, Form::Raw).join("\n");
    assert!(found.contains("[U+202E]") && found.contains("U+202E  "), "{found}");
    let plain = asked.replace("\\u202e", "");
    let found = tab_of(&log("bash", r#""{}""#, &[plain]), TabId::Approvals, Form::Raw).join("\n");
    assert!(found.contains("\"delete txt.exe\"") && !found.contains("U+"), "{found}");
}

#[test]
fn a_call_that_only_the_stream_has_is_told_with_what_came_of_it() {
    let mut lines = streamed(r#""{\"command\":\"rm""#, r#"" -r""#, r#""{}""#);
    lines.truncate(5);
    lines.push(r#"{"type":"step/end","seq":5,"time":6000,"data":{"turn":1,"step":1}}"#.to_owned());
    let (session, raw) = of_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let run = crate::triage::what::Run { first: RowIx(2), last: RowIx(4) };
    let found = texts(&doc_in(&session, &raw, Subject::Run(run), TabId::Stream, Form::Raw, LIMIT)).join("\n");
    assert!(found.contains("never requested") && found.contains(r#"{"command":"rm -r"#), "{found}");
    assert!(found.contains("longest gap 1.00s"), "{found}");
}

/// A stream that fails inside of a call: version 0 packs the pieces of its arguments.
fn cut_in_a_call(pieces: &str) -> Vec<String> {
    let start = r#"{"type":"assistant/chunk","seq":2,"time":1000,"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":0,"id":"lost","name":"bash","argumentsDelta":""}}}"#;
    let packed = format!(
        r#"{{"type":"tool-call-chunks","seq0":3,"time0":1000,"data":{{"turn":1,"step":1,"index":0,"args":[{pieces}],"dt":[1]}}}}"#
    );
    let finish = r#"{"type":"assistant/chunk","seq":5,"time":1002,"data":{"turn":1,"step":1,"chunk":{"type":"finish","reason":{"kind":"max-tokens"}}}}"#;
    let end = r#"{"type":"step/end","seq":6,"time":1003,"data":{"turn":1,"step":1}}"#;
    vec![TURN.to_owned(), STEP.to_owned(), start.to_owned(), packed, finish.to_owned(), end.to_owned()]
}

#[test]
fn a_call_that_only_the_stream_has_is_put_under_the_glass() {
    let table: [(&str, &[&str]); 3] = [
        (
            r#""{\"command\":","\"rm -rf""#,
            &["never requested", r#"{"command":"rm -rf"#, "^", "the text ends inside a string", r#"command  "rm -rf"#],
        ),
        (r#""{\"a\":","1}""#, &["never requested", r#"{"a":1}"#]),
        (r#""{\"a\":\"","\u202e\u200bx""#, &["U+202E", "U+200B", "[U+202E]"]),
    ];
    for (pieces, parts) in table {
        let log = cut_in_a_call(pieces);
        let (session, lines) = of_lines(&log.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(session.facts.dropped_calls.len(), 1, "{pieces}");
        let run = crate::triage::what::Run { first: RowIx(2), last: RowIx(4) };
        for tab in [TabId::Text, TabId::Stream] {
            let page = texts(&doc_in(&session, &lines, Subject::Run(run), tab, Form::Raw, LIMIT)).join("\n");
            for part in parts {
                assert!(page.contains(part), "{tab:?}: {part} is not in\n{page}");
            }
            assert!(!page.contains('\u{202e}'), "{page}");
        }
    }
}
