//! What must hold of any log: framing, threads and the way it grew do not change what is known of it.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::Value;
use trajview::log::source::Source;

use crate::support::agree::list;
use crate::support::reading::{Growing, NAME, open, print_all, read, read_with, report, report_bytes};
use crate::support::writer::{Dice, Script, VERSIONS, broken_frame, frame, frame_without_checksum, skippable_frame};

/// Keys that tell of frames and bytes of the file, not of what the lines say.
const OF_THE_CONTAINER: [&str; 7] =
    ["file_bytes", "encoding", "complete_frames", "split_lines", "torn_tail", "pieces", "dropped_lines"];

/// The facts without those of the container. What the harness would do depends on the framing too.
fn facts(mut report: Value) -> Value {
    if let Some(map) = report.as_object_mut() {
        for key in OF_THE_CONTAINER.iter().chain(&["loader", "resume"]) {
            map.remove(*key);
        }
        // What a resume makes of something open depends on whether the harness loads the file.
        for thing in map.get_mut("open_things").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(thing) = thing.as_object_mut() {
                thing.retain(|key, _| !key.starts_with("resume"));
            }
        }
    }
    report
}

#[test]
fn the_tour_is_read_as_what_it_is_in_every_version() {
    for version in VERSIONS {
        let script = Script::tour(version);
        let got = print_all(&read(&script.zstd(), &script.name()));
        assert_eq!(got["format"]["version"], version);
        assert_eq!(got["seq"]["status"], "contiguous", "v{version}");
        assert_eq!(got["header_problems"], Value::Array(Vec::new()), "v{version}");
        let states: Vec<_> = list(&got, "calls").iter().map(|call| (&call["callId"], &call["state"])).collect();
        let wanted = ["completed", "failed", "outcome_unknown", "completed", "outcome_unknown", "not_started"];
        assert!(states.iter().map(|(_, state)| *state).eq(wanted), "v{version}: {states:?}");
        assert_eq!(got["calls"][2]["basis"], "recorded", "v{version}");
        assert_eq!(got["last_unpaired_call"]["callId"], "call_1", "v{version}");
        assert_eq!(got["calls"][5]["tool_origin"], "undeclared", "v{version}");
        assert_eq!(got["calls"][1]["tool_origin"], "added", "v{version}");
        assert_eq!(got["usage"]["requests_in_file"], 2, "v{version}");
        assert_eq!(got["usage"]["in_file"]["inputTokens"], 90, "v{version}");
        assert_eq!(got["approvals"][0]["waited_ms"], 1_600, "v{version}");
        assert_eq!(got["stopped"]["cause"], "open approval", "v{version}");
        assert_eq!(list(&got, "sub_calls").len(), 2, "v{version}");
        assert_eq!(list(&got, "unknown_types").len(), 1, "v{version}");
        assert_eq!(got["loader"]["result"], "loads", "v{version}: {}", got["loader"]);
    }
}

#[test]
fn any_framing_of_the_same_lines_gives_the_same_facts() {
    for version in VERSIONS {
        let script = Script::tour(version);
        let text = script.plain();
        let wanted = facts(report(&read(&script.zstd(), NAME)));
        for seed in 0..40 {
            let mut dice = Dice::new(seed);
            let mut bytes = Vec::new();
            let mut at = 0;
            while at < text.len() {
                // Cuts lie anywhere, also inside lines and characters; an empty frame now and then.
                let end = (at + dice.below(400)).min(text.len());
                let part = &text[at..end];
                bytes.extend(if dice.below(3) == 0 { frame_without_checksum(part) } else { frame(part) });
                at = end;
            }
            assert_eq!(facts(report(&read(&bytes, NAME))), wanted, "v{version}, seed {seed}");
        }
    }
}

#[test]
fn a_plain_log_and_a_compressed_one_of_the_same_lines_agree() {
    for version in VERSIONS {
        let script = Script::tour(version);
        let (plain, zstd) = (read(&script.plain(), NAME), read(&script.zstd(), NAME));
        assert_eq!(facts(report(&plain)), facts(report(&zstd)), "v{version}");
        let with_crlf = facts(report(&read(&script.crlf(), NAME)));
        for key in ["calls", "turns", "events", "event_types", "lines", "seq", "approvals", "usage", "stopped"] {
            assert_eq!(with_crlf[key], facts(report(&plain))[key], "v{version} {key}");
        }
        assert_eq!(with_crlf["crlf_lines"], script.lines().len() as u64, "v{version}");
    }
}

/// A log large enough that several threads share it, with damage of every kind in its middle.
fn large(seed: u64) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    let mut script = Script::new(0);
    for turn in 0..700 {
        script.turn();
        script.step();
        script.user("Go on.");
        let id = format!("call_{turn}");
        let arguments = format!("{{\"command\":\"make part-{turn}\"}}");
        script.stream(&["I ", "make ", "a ", "part"]);
        script.ask(&[(&id, "bash", &arguments)]);
        script.call(&id, "bash", &arguments);
        let noise: String = (0..200).map(|_| char::from(b'a' + dice.below(26) as u8)).collect();
        if dice.below(9) > 0 {
            script.result(&id, &noise, (dice.below(5) == 0).then_some("TIMEOUT"));
        }
        script.end_step();
        script.end_turn("completed");
    }
    let mut bytes = Vec::new();
    for (number, part) in script.frames(6).into_iter().enumerate() {
        match dice.below(60) {
            0 if number > 0 => bytes.extend(broken_frame(b"{\"type\":\"lost\"}\n")),
            1 if number > 0 => bytes.extend(skippable_frame(b"between")),
            2 if number > 0 => bytes.extend(b"these are no frame"),
            3 if number > 0 => {
                bytes.extend(frame(b"{\"type\":\"acme/split\",\"ignora"));
                bytes.extend(frame(b"ble\":true}\n"));
            }
            _ => {}
        }
        bytes.extend(part);
    }
    bytes.truncate(bytes.len() - 11);
    bytes
}

#[test]
fn one_thread_and_several_give_the_same_report_byte_for_byte() {
    for seed in 0..3 {
        let bytes = large(seed);
        assert!(bytes.len() > 400 << 10, "{} bytes: too small for threads", bytes.len());
        let wanted = report_bytes(&read_with(&bytes, NAME, 1));
        for threads in [2, 3, 7] {
            let got = report_bytes(&read_with(&bytes, NAME, threads));
            assert!(got == wanted, "seed {seed}, {threads} threads");
        }
        let got: Value = serde_json::from_slice(&wanted).expect("JSON");
        assert!(!got["torn_tail"].is_null() && !list(&got, "damaged_frames").is_empty());
        assert!(!list(&got, "foreign_bytes").is_empty() && !list(&got, "skippable_frames").is_empty());
        assert_ne!(got["split_lines"], 0);
    }
}

/// Lets a log grow by the sizes given and reads it at each; what is known in the end.
fn grown(bytes: &[u8], mut next: impl FnMut(usize) -> usize, look: bool) -> Vec<u8> {
    let growing = Arc::new(Growing::new(bytes.to_vec()));
    // The encoding is found when there is a first byte, as the viewer does.
    growing.grow_to(bytes.len());
    let source: Arc<dyn Source> = growing.clone();
    let mut log = open(&source, NAME);
    let mut size = 0;
    while size < bytes.len() {
        size = next(size).clamp(size + 1, bytes.len());
        growing.grow_to(size);
        log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
        if look {
            log.session().expect("memory can be read");
        }
    }
    report_bytes(&log.into_session().expect("memory can be read"))
}

#[test]
fn a_log_that_grows_byte_by_byte_ends_as_one_read_at_once() {
    for version in VERSIONS {
        let script = Script::tour(version);
        for bytes in [script.zstd(), script.plain(), script.crlf()] {
            let wanted = report_bytes(&read(&bytes, NAME));
            assert!(grown(&bytes, |size| size + 1, false) == wanted, "v{version}, {} bytes", bytes.len());
        }
    }
}

#[test]
fn every_moment_of_a_growing_log_is_the_log_cut_there() {
    let script = Script::tour(1);
    for bytes in [script.zstd(), script.plain()] {
        let growing = Arc::new(Growing::new(bytes.clone()));
        growing.grow_to(bytes.len());
        let source: Arc<dyn Source> = growing.clone();
        let mut log = open(&source, NAME);
        let mut size = 0;
        let mut dice = Dice::new(5);
        while size < bytes.len() {
            size = (size + 1 + dice.below(60)).min(bytes.len());
            growing.grow_to(size);
            log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
            let live = report(&log.session().expect("memory can be read"));
            assert_eq!(live, report(&read(&bytes[..size], NAME)), "{size} of {} bytes", bytes.len());
        }
    }
}

#[test]
fn a_damaged_log_that_grows_in_pieces_ends_as_one_read_at_once() {
    for seed in 0..4 {
        let bytes = large(seed);
        let wanted = report_bytes(&read(&bytes, NAME));
        let mut dice = Dice::new(seed + 100);
        let got = grown(&bytes, |size| size + 1 + dice.below(90_000), true);
        assert!(got == wanted, "seed {seed}");
    }
}

#[test]
fn hostile_lines_are_told_and_printed_as_plain_text() {
    let mut script = Script::with_header(
        0,
        &serde_json::json!({ "cwd": "\u{1b}]0;owned\u{7}\u{202e}/srv", "agentPreset": "\u{9b}31m" }),
    );
    script.turn();
    script.step();
    script.ask(&[("\u{1b}[2J", "bash\u{200d}\r\n", "{"), ("", "", "")]);
    script.call("\u{1b}[2J", "bash\u{200d}\r\n", "{");
    script.add("\u{1b}[31m/\u{0}", serde_json::json!({}));
    script.add(
        "session/title",
        serde_json::json!({ "title": "\u{202e}\u{1b}c", "messageSeqs": [], "source": { "kind": "user" } }),
    );
    script.approval("\u{1b}[2J", Some("\u{1b}[5m"));
    script.command("\u{1b}[1m", false);
    script.retry("\u{1b}[7m");
    script.raw("[]");
    script.raw(
        "{\"type\":\"tool/result\",\"seq\":\"\\ud83d\",\"data\":{\"turn\":1,\"step\":1,\"message\":{\"content\":[]}}}",
    );
    script.raw(&"[".repeat(3_000));
    for bytes in [script.zstd(), script.plain()] {
        print_all(&read(&bytes, "\u{1b}[31msession.jsonl"));
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_panic_the_reader(bytes: Vec<u8>, at: u16, insert in proptest::bool::ANY) {
        let mut log = Script::tour(0).zstd();
        let at = usize::from(at) % log.len();
        let end = if insert { at } else { (at + bytes.len()).min(log.len()) };
        log.splice(at..end, bytes.iter().copied());
        print_all(&read(&log, NAME));
        print_all(&read(&bytes, NAME));
    }
}
