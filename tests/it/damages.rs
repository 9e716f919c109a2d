//! Every kind of damage, made by code: it is named, located, and reading goes on after it.

use serde_json::{Value, json};

use crate::support::agree::contract;
use crate::support::reading::{NAME, print_all, read};
use crate::support::writer::{Script, broken_frame, frame, frame_without_checksum, skippable_frame};

/// A turn of two steps with text.
fn two_steps() -> Script {
    let mut script = Script::new(0);
    script.turn();
    for _ in 0..2 {
        script.step();
        script.user("Go on.");
        script.say("Done.");
        script.end_step();
    }
    script.end_turn("completed");
    script
}

fn facts(bytes: &[u8]) -> Value {
    let got = print_all(&read(bytes, NAME));
    assert_eq!(contract(&got), Vec::<String>::new());
    got
}

#[test]
fn damage_between_frames_is_located_and_nothing_else_is_lost() {
    let script = two_steps();
    let [head, rest @ ..] = &script.frames(4)[..] else { panic!("a header frame and others") };
    let at = head.len() + rest[0].len();
    let broken = broken_frame(b"{\"type\":\"sandbox/mode\",\"seq\":1,\"time\":1,\"data\":{}}\n");
    let with = |part: &[u8]| facts(&[head, &rest[0], part, &rest[1..].concat()].concat());
    let table: [(&[u8], &str, Value); 3] = [
        (&broken, "damaged_frames", json!([{ "frame": 2, "offset": at, "bytes": broken.len() }])),
        (b"no frame", "foreign_bytes", json!([{ "offset": at, "bytes": 8 }])),
        (&skippable_frame(b"abc"), "skippable_frames", json!([{ "offset": at, "bytes": 11 }])),
    ];
    for (part, key, wanted) in table {
        let mut got = with(part);
        for frame in got["damaged_frames"].as_array_mut().into_iter().flatten() {
            assert_eq!(frame["why"].as_str(), Some("checksum does not match"));
            frame.as_object_mut().map(|frame| frame.remove("why"));
        }
        assert_eq!(got[key], wanted, "{key}");
        assert_eq!(got["events"], 10, "{key}");
        assert_eq!(got["seq"]["status"], "contiguous", "{key}");
        assert_eq!(got["loader"]["result"], "refuses", "{key}");
    }
}

#[test]
fn a_frame_without_checksum_is_read() {
    let script = two_steps();
    let bytes: Vec<u8> = script.lines().iter().flat_map(|line| frame_without_checksum(line.as_bytes())).collect();
    let got = facts(&bytes);
    assert_eq!((&got["events"], &got["damaged_frames"]), (&json!(10), &json!([])));
}

#[test]
fn a_log_in_one_frame_is_read_and_the_harness_refuses_it() {
    let got = facts(&frame(&two_steps().plain()));
    assert_eq!((&got["complete_frames"], &got["events"]), (&json!(1), &json!(10)));
    assert_eq!(got["header"]["cwd"], "/srv/demo-app");
    assert_eq!(got["loader"]["result"], "refuses");
}

#[test]
fn odd_lines_of_a_plain_log_are_named_with_their_numbers() {
    let lines = two_steps().lines().to_vec();
    let odd = ["\n", "not json\n", "[1]\n", "{\"type\":\"text-chunks\",\"seq0\":4,\"time0\":1,\"data\":{}}\n"];
    let text = ["\u{feff}", &lines[..5].concat(), &odd.concat(), &lines[5..].concat(), "{\"unfinished"].concat();
    let got = facts(text.as_bytes());
    assert_eq!(got["byte_order_mark"], true);
    let why = |line: u64, why: &str| json!({ "line": line, "why": why });
    let wanted = [
        why(6, "blank"),
        why(7, "not JSON"),
        why(8, "not an object"),
        why(9, "malformed packed row"),
        why(16, "no newline at end of data"),
    ];
    assert_eq!(got["bad_lines"], json!(wanted));
    assert_eq!(got["torn_tail"]["offset"], text.len() - 12);
    assert_eq!((&got["events"], &got["seq"]["status"]), (&json!(10), &json!("contiguous")));
}

#[test]
fn a_break_of_the_sequence_has_its_cause() {
    type Break = fn(&mut Script);
    let again: Break = |script| script.jump_to(3);
    let gap: Break = |script| script.jump_to(9);
    let unreadable: Break = |script| {
        script.raw("{\"type\":");
        script.jump_to(6);
    };
    let table = [(again, "two writers"), (gap, "lost lines"), (unreadable, "unreadable lines")];
    for (damage, cause) in table {
        let mut script = Script::new(0);
        script.turn();
        script.step();
        for _ in 0..3 {
            script.user("a");
        }
        damage(&mut script);
        script.end_step();
        script.end_turn("completed");
        let plain = facts(&script.plain());
        assert_eq!(plain["seq"]["breaks"][0]["cause"], cause);
        assert_eq!(plain["seq"]["breaks"][0]["expected"], 5);
        let zstd = facts(&script.zstd());
        let in_frames = if cause == "lost lines" { "lost frames" } else { cause };
        assert_eq!(zstd["seq"]["breaks"][0]["cause"], in_frames);
    }
}

#[test]
fn a_real_result_after_recovery_settles_the_call_and_names_the_break() {
    let mut script = Script::new(0);
    script.turn();
    script.step();
    script.ask(&[("call_1", "bash", "{}")]);
    script.call("call_1", "bash", "{}");
    script.recover("call_1", true);
    script.end_step();
    script.end_turn("interrupted");
    script.jump_to(4);
    script.result("call_1", "late", None);
    script.end_step();
    script.end_turn("completed");
    let got = facts(&script.zstd());
    assert_eq!(got["seq"]["breaks"][0]["cause"], "late result after recovery");
    assert_eq!(got["seq"]["repeated"], json!([4, 5, 6]));
    assert_eq!(
        (&got["calls"][0]["state"], &got["calls"][0]["recovery_state"]),
        (&json!("completed"), &json!("outcome_unknown"))
    );
    assert_eq!(got["unpaired_calls"], json!([]));
}

#[test]
fn a_header_with_a_problem_is_shown_and_the_harness_refuses_the_log() {
    for (keys, problem) in [
        (json!({ "delegationDepth": null }), "delegationDepth missing"),
        (json!({ "delegationDepth": -1 }), "delegationDepth invalid"),
        (json!({ "createdAt": null }), "createdAt missing"),
        (json!({ "cwd": "" }), "cwd invalid"),
    ] {
        let mut script = Script::with_header(0, &keys);
        script.turn();
        let got = facts(&script.plain());
        assert_eq!(got["header_problems"], json!([problem]));
        assert_eq!((&got["events"], &got["loader"]["result"]), (&json!(1), &json!("refuses")));
    }
    let mut script = Script::without_header(1);
    script.turn();
    let got = facts(&script.zstd());
    assert_eq!(
        (&got["header"], &got["events"], &got["loader"]["result"]),
        (&Value::Null, &json!(1), &json!("refuses"))
    );
}

#[test]
fn what_a_fork_copied_is_told_apart() {
    let mut old =
        Script::with_header(1, &json!({ "seedLength": 3, "parentSession": "session-p", "delegationDepth": 1 }));
    let mut young =
        Script::with_header(3, &json!({ "isSeeded": true, "parentSession": "session-p", "delegationDepth": 1 }));
    for script in [&mut old, &mut young] {
        script.turn();
        script.step();
        script.end_step();
    }
    young.add("session/end-seed", json!({ "inherited": true }));
    for script in [&mut old, &mut young] {
        script.end_turn("completed");
        let session = read(&script.zstd(), &script.name());
        let got = print_all(&session);
        assert_eq!(got["usage"]["inherited_events"], 3);
        let page = crate::support::reading::page(&session);
        assert!(page.contains("depth 1: a delegated child of session-p"), "{page}");
        assert!(page.contains("3 events were copied from the parent session"), "{page}");
    }
}
