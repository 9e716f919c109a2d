//! `trajview events`, `--filter` and `report --fail-on` as a shell sees them.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::corpus;
use crate::support::{OPEN_CALL, SmallLog};

fn trajview(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
    command.args(args).stdin(Stdio::null()).output().expect("the program starts")
}

fn text(output: &Output) -> String {
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("the output is UTF-8")
}

/// Seqs of the events that a filter selects.
fn seqs(path: &Path, filter: &str) -> Vec<i64> {
    let output = trajview(&["events", "--utc", "--json", "--filter", filter, &path.to_string_lossy()]);
    let events = text(&output);
    let event = |line: &str| serde_json::from_str::<Value>(line).expect("an event a line");
    events.lines().map(|line| event(line)["seq"].as_i64().expect("a seq")).collect()
}

#[test]
fn a_filter_selects_the_same_events_in_real_logs() {
    let folder = corpus::folder();
    let shop = "sessions/--home-dev-shop-api--/";
    let table: [(&str, &str, &[i64]); 33] = [
        ("crash/tool-killed.jsonl", "tool:write", &[87]),
        ("crash/tool-killed.jsonl", "state:not_started", &[87]),
        ("crash/tool-killed.jsonl", "is:unpaired", &[87, 88]),
        ("crash/tool-killed.jsonl", "arg~\"sleep 30\" type:tool/*", &[88]),
        ("crash/tool-killed.jsonl", "step:2 is:surface", &[87]),
        ("crash/tool-killed.jsonl", "after:16:27:40.012", &[87, 88]),
        ("crash/tool-killed.jsonl", "\"Running the migration now\"", &[34, 35, 36, 37, 38, 81, 87]),
        ("crash/tool-killed.jsonl", "seq:34..36 or seq:88..", &[34, 35, 36, 88]),
        ("crash/tool-resumed.jsonl.zstd", "code:tool_not_started", &[87, 90, 91]),
        ("@session-0a11c0de-0000-4000-8000-000000000005", "approval:rejected type:approval/*", &[135, 136, 269, 270]),
        ("@session-0a11c0de-0000-4000-8000-000000000005", "approval:none type:tool/call", &[39]),
        ("@session-0a11c0de-0000-4000-8000-000000000005", "waited:>=1ms type:approval/asked", &[96, 205]),
        ("@session-0a11c0de-0000-4000-8000-000000000005", "is:error", &[137, 203, 271]),
        ("@session-0a11c0de-0000-4000-8000-000000000005", "turn:2 type:tool/call", &[268]),
        ("@session-0a11c0de-0000-4000-8000-000000000002", "state:failed type:tool/result", &[139, 141, 143, 147, 149]),
        ("@session-0a11c0de-0000-4000-8000-000000000002", "took:>10ms tool:bash type:tool/result", &[145, 149]),
        ("@session-0a11c0de-0000-4000-8000-000000000008", "code:*", &[14, 16, 39, 40, 42, 43, 46, 47]),
        ("@42194a58-6fe1-427b-9f7f-f654213069fd", "is:inherited type:turn/*", &[4, 139, 141, 170]),
        ("@42194a58-6fe1-427b-9f7f-f654213069fd", "!is:inherited type:turn/*", &[175, 200]),
        ("@f66da056-28d6-40bf-bd62-7105a70224be", "depth:>1 type:turn/*", &[3, 49]),
        (
            "@session-0a11c0de-0000-4000-8000-000000000002",
            "call:call_0022_* type:tool/call",
            &[138, 140, 142, 144, 146, 148],
        ),
        ("@session-0a11c0de-0000-4000-8000-000000000002", "tool:no_such_tool type:tool/*", &[140, 141]),
        ("@session-0a11c0de-0000-4000-8000-000000000002", "arg~/file_path.*cart\\.js/ type:tool/call", &[56, 146, 223]),
        (
            "@session-0a11c0de-0000-4000-8000-000000000002",
            "!tool:read !tool:bash type:tool/call step:1..2",
            &[60, 62, 140, 146],
        ),
        ("@session-0a11c0de-0000-4000-8000-000000000019", "type:turn/end code:*", &[252]),
        ("@session-0a11c0de-0000-4000-8000-000000000019", "text~\"guard said stop\"", &[218]),
        ("@session-0a11c0de-0000-4000-8000-000000000019", "(turn:3 or turn:5) type:turn/*", &[169, 218, 239, 252]),
        (
            "@session-0a11c0de-0000-4000-8000-000000000018",
            "type:*/summary or type:command/*",
            &[186, 317, 319, 322, 456, 459],
        ),
        ("@session-0a11c0de-0000-4000-8000-000000000018", "is:surface turn:2", &[166, 177, 179, 184, 187, 247]),
        ("@session-0a11c0de-0000-4000-8000-000000000011", "/x{5000}/", &[444]),
        ("@session-0a11c0de-0000-4000-8000-000000000011", "text~\"echo \\\"$(printf\" type:tool/call", &[443]),
        ("@session-0a11c0de-0000-4000-8000-000000000008", "code:RATE_LIMIT type:llm/*", &[42, 43]),
        (
            "@session-0a11c0de-0000-4000-8000-000000000008",
            "not type:assistant/* seq:9..46",
            &[9, 10, 11, 12, 14, 15, 16, 39, 40, 42, 43, 46],
        ),
    ];
    if !folder.join("crash").is_dir() {
        eprintln!("skipped: no corpus at {} (set TRAJVIEW_CORPUS)", folder.display());
        return;
    }
    for (log, filter, expected) in table {
        let path = match log.strip_prefix('@') {
            Some(session) => folder.join(shop).join(session),
            None => folder.join(log),
        };
        assert_eq!(seqs(&path, filter), expected, "{log}: {filter}");
    }
}

#[test]
fn events_are_rows_for_people_objects_for_programs_and_lines_as_stored() {
    let log = SmallLog::write();
    let path = log.path().to_string_lossy().into_owned();
    let filter = format!("call:{OPEN_CALL}");
    let rows = text(&trajview(&["events", "--utc", "--filter", &filter, &path]));
    assert_eq!(rows.lines().count(), 2, "{rows}");
    assert!(rows.contains("tool/call") && rows.contains(OPEN_CALL) && rows.contains("2026-09-21 14:13:44.5"), "{rows}");
    let stored = std::fs::read_to_string(log.path()).expect("the log");
    let raw = text(&trajview(&["events", "--raw", &path]));
    assert_eq!(Some(raw.as_str()), stored.split_once('\n').map(|(_, events)| events));
    let json = text(&trajview(&["events", "--json", &path]));
    assert_eq!(json.lines().count(), SmallLog::EVENTS as usize);
    // What is shown without a screen follows the filter of the screen.
    assert_eq!(text(&trajview(&["--utc", "--filter", &filter, &path])), rows);
}

#[test]
fn what_is_no_event_is_left_out_of_json_and_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("session.jsonl");
    std::fs::write(
        &path,
        "{\"type\":\"session\",\"version\":0}\n{\"type\":\"a\",\"seq\":0,\"time\":1,\"data\":{}}\nno\n",
    )
    .expect("a small file can be written");
    let output = trajview(&["events", "--json", &path.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    let said = "trajview: 1 selected line is no event and left out\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), said);
}

#[test]
fn a_report_fails_exactly_when_the_query_selects_an_event() {
    let log = SmallLog::write();
    let path = log.path().to_string_lossy().into_owned();
    for (query, status) in [
        ("state:outcome_unknown", 3),
        ("state:failed", 0),
        ("arg~\"make part-3\"", 3),
        ("\"nothing says this\"", 0),
        ("depth:>0", 0),
    ] {
        for form in [&["report"][..], &["report", "--json"]] {
            let output = trajview(&[form, &["--fail-on", query, &path]].concat());
            assert_eq!(output.status.code(), Some(status), "{query}");
            assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{query}");
        }
    }
}

#[test]
fn a_bad_query_is_one_line_with_its_column_and_status_2() {
    for args in [
        &["events", "--filter", "waited:>30", "no-such-file"][..],
        &["report", "--fail-on", "waited:>30", "no-such-file"],
        &["--filter", "waited:>30", "no-such-file"],
    ] {
        let output = trajview(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(output.stderr).expect("complaints are UTF-8");
        assert!(output.stdout.is_empty() && said.lines().count() == 1, "{said}");
        assert!(said.contains("column 9: a duration needs a unit"), "{said}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_events_quietly() {
    let log = SmallLog::write();
    let lines = std::fs::read_to_string(log.path()).expect("the log");
    let (header, events) = lines.split_once('\n').expect("a header");
    // More than a pipe holds.
    let many = [header, "\n", &events.repeat(40)].concat();
    std::fs::write(log.path(), many).expect("the log can be written");
    for form in ["--raw", "--json", "--utc"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trajview"))
            .args(["events", form])
            .arg(log.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut first = String::new();
        let mut out = BufReader::with_capacity(1, child.stdout.take().expect("a pipe"));
        out.read_line(&mut first).expect("a first line");
        drop(out);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{form}: {output:?}");
        assert!(first.contains("turn/start"), "{form}: {first}");
    }
}
