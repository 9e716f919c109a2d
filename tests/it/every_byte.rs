//! Each small sample cut at every byte, and with every byte changed: nothing panics, and the damage is located.

use serde_json::Value;

use crate::support::agree::{contract, list};
use crate::support::reading::{print_all, read, report};
use crate::support::writer::{Script, VERSIONS};

/// Runs `check` for all numbers below `count`, on two threads.
fn each(count: usize, check: impl Fn(usize) + Sync) {
    std::thread::scope(|scope| {
        let check = &check;
        for half in 0..2 {
            scope.spawn(move || (half..count).step_by(2).for_each(check));
        }
    });
}

/// Versions whose records differ in form: packed rows, embedded streams, results as messages of the tool.
const FORMS: [i64; 3] = [0, 2, 4];

/// A short log of one version: a turn with a call that has its result, and one that has none.
fn sample(version: i64) -> Script {
    let mut script = Script::new(version);
    script.turn();
    script.step();
    script.user("Go — 好.");
    script.stream(&["a", "b", "c"]);
    script.ask(&[("call_1", "bash", "{\"command\":\"x\"}"), ("call_2", "read", "{}")]);
    script.call("call_1", "bash", "{\"command\":\"x\"}");
    script.result("call_1", "ok", None);
    script.call("call_2", "read", "{}");
    script
}

fn read_all(bytes: &[u8]) -> Value {
    let session = read(bytes, "session.jsonl.zstd");
    // The page is printed of some: it is made of the same facts.
    let chosen = bytes.iter().fold(bytes.len(), |sum, byte| sum + usize::from(*byte)) % 16 == 0;
    let got = if chosen { print_all(&session) } else { report(&session) };
    let wrong = contract(&got);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    got
}

/// Whether the report names any damage, with a place for it.
fn is_located(got: &Value) -> bool {
    !got["torn_tail"].is_null()
        || ["damaged_frames", "foreign_bytes", "skippable_frames", "bad_lines", "lines_not_utf8", "header_problems"]
            .iter()
            .any(|key| !list(got, key).is_empty())
        || got["seq"]["status"] == "broken"
        || got["header"].is_null()
        || got["byte_order_mark"] == true
}

#[test]
fn a_compressed_log_cut_at_every_byte_is_a_prefix_with_a_torn_tail() {
    for version in FORMS {
        let frames = sample(version).frames(2);
        let bytes = frames.concat();
        let ends: Vec<usize> = frames
            .iter()
            .scan(0, |end, frame| {
                *end += frame.len();
                Some(*end)
            })
            .collect();
        let whole = read_all(&bytes);
        each(bytes.len(), |cut| {
            let got = read_all(&bytes[..cut]);
            let last_end = ends.iter().copied().filter(|end| *end <= cut).max().unwrap_or(0);
            let at_end = cut == last_end;
            assert_eq!(got["torn_tail"].is_null(), at_end, "v{version} cut at {cut}: {}", got["torn_tail"]);
            if !at_end {
                assert_eq!(got["torn_tail"]["offset"], last_end as u64, "v{version} cut at {cut}");
                assert_eq!(got["torn_tail"]["bytes"], (cut - last_end) as u64, "v{version} cut at {cut}");
            }
            assert!(list(&got, "damaged_frames").is_empty() && list(&got, "foreign_bytes").is_empty());
            assert_eq!(got["seq"]["status"], "contiguous", "v{version} cut at {cut}");
            is_prefix(&got, &whole, &format!("v{version} cut at {cut}"));
        });
    }
}

#[test]
fn a_plain_log_cut_at_every_byte_is_a_prefix_with_an_unfinished_line() {
    // Of the forms between, the streams are as in the last and the results as in the first.
    for version in [FORMS[0], FORMS[2]] {
        let bytes = sample(version).plain();
        let whole = read_all(&bytes);
        each(bytes.len(), |cut| {
            if cut == 0 {
                return;
            }
            let got = read_all(&bytes[..cut]);
            let line_start = bytes[..cut].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            assert_eq!(got["torn_tail"].is_null(), line_start == cut, "v{version} cut at {cut}");
            if line_start < cut {
                assert_eq!(got["torn_tail"]["offset"], line_start as u64, "v{version} cut at {cut}");
                assert_eq!(list(&got, "bad_lines").len(), 1, "v{version} cut at {cut}");
                assert_eq!(got["bad_lines"][0]["why"], "no newline at end of data");
            }
            assert_eq!(got["decoded_bytes"], cut as u64);
            is_prefix(&got, &whole, &format!("v{version} cut at {cut}"));
        });
    }
}

/// What a cut log says is what the whole one says of its beginning.
fn is_prefix(got: &Value, whole: &Value, at: &str) {
    assert!(got["events"].as_u64() <= whole["events"].as_u64(), "{at}");
    if !got["header"].is_null() {
        assert_eq!(got["header"], whole["header"], "{at}");
    }
    let (calls, all) = (list(got, "calls"), list(whole, "calls"));
    assert!(calls.len() <= all.len(), "{at}");
    for (call, later) in calls.iter().zip(all) {
        assert_eq!(call["callId"], later["callId"], "{at}");
        for key in ["message_seq", "call_seq", "result_seq"] {
            assert!(call[key].is_null() || call[key] == later[key], "{at}: {key}");
        }
    }
}

#[test]
fn a_compressed_log_with_any_byte_changed_is_read_to_its_end_and_the_damage_located() {
    let script = sample(0);
    let bytes = script.frames(3).concat();
    let whole = read_all(&bytes);
    // One change a byte, each kind in turn, and all kinds where lengths and flags of the first frames stand.
    let (masks, heads) = ([0x01, 0x80, 0xFF], 400);
    each(heads * 2 + bytes.len(), |case| {
        let (at, kind) = if case < heads * 3 { (case / 3, case % 3) } else { (case - heads * 2, case % 3) };
        let mask = masks[kind];
        let mut damaged = bytes.clone();
        damaged[at] ^= mask;
        let got = read_all(&damaged);
        assert_eq!(got["file_bytes"], bytes.len() as u64);
        let is_harmless = got["events"] == whole["events"] && got["decoded_bytes"] == whole["decoded_bytes"];
        assert!(is_located(&got) || is_harmless, "byte {at} ^ {mask:#x}: nothing is told\n{got}");
        // A checksum stands at the end of each frame: what decodes is what was written.
        assert!(got["events"].as_u64() <= whole["events"].as_u64(), "byte {at} ^ {mask:#x}");
    });
}

#[test]
fn a_plain_log_with_any_byte_changed_is_read_to_its_end() {
    let script = sample(1);
    let bytes = script.plain();
    each(bytes.len(), |at| {
        let mask = [0x01, 0x80][at % 2];
        let mut damaged = bytes.clone();
        damaged[at] ^= mask;
        let got = read_all(&damaged);
        // Content changes, which JSON alone cannot tell; lines are there all the same, but for a changed line end.
        let lines = got["lines"].as_u64().expect("a count");
        let before = script.lines().len() as u64;
        assert!((before - 1..=before + 1).contains(&lines), "byte {at} ^ {mask:#x}: {lines} lines");
        // No byte of UTF-8 stands alone with its highest bit changed, but what was no ASCII.
        if mask == 0x80 && bytes[at].is_ascii() && bytes[at] != b'\n' {
            assert!(is_located(&got), "byte {at}");
        }
    });
}

#[test]
fn a_tour_of_every_version_cut_and_changed_here_and_there_never_panics() {
    for version in VERSIONS {
        let bytes = Script::tour(version).zstd();
        each(bytes.len() / 29, |case| {
            let at = case * 29 + version as usize;
            if at < bytes.len() {
                read_all(&bytes[..at]);
                let mut damaged = bytes.clone();
                damaged[at] = damaged[at].wrapping_add(1 + version as u8);
                read_all(&damaged);
            }
        });
    }
}
