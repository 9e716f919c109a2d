//! One sound and one hostile list of events for every rule.

mod build;
mod lines;
mod properties;

use super::*;
use crate::record::event::{Body, Surface};
use crate::record::kinds::Kind;
use crate::session::container::{BadLineAt, FrameDamage, TornTail};
use crate::text::wire::WireText;
use crate::triage::facts::{GhostKind, LoaderResult};
use build::{Log, call, chunks, message, result, turn_end, turn_start, user};

fn refused(log: &Log) -> String {
    let (loader, ghosts) = log.judge();
    assert_eq!(loader.result, Some(LoaderResult::Refuses), "{loader:?}");
    assert_eq!(loader.kept_events, 0);
    assert!(ghosts.is_empty());
    loader.why
}

fn loads(log: &Log) -> Vec<Ghost> {
    let (loader, ghosts) = log.judge();
    assert_eq!((loader.result, loader.why.as_str()), (Some(LoaderResult::Loads), ""), "{loader:?}");
    ghosts
}

/// A closed turn with one call.
fn sound() -> Log {
    Log::new(0)
        .add(turn_start(1))
        .step_start(1, 1)
        .add(user("hi"))
        .add(chunks(5))
        .add(message(1, 1, &["a"]))
        .add(call(1, 1, "a"))
        .add(result(1, 1, "a"))
        .step_end(1, 1)
        .add(turn_end(1))
}

mod scan_rules {
    use super::*;

    #[test]
    fn a_sound_log_loads() {
        let (loader, ghosts) = sound().judge();
        assert_eq!(loader.result, Some(LoaderResult::Loads));
        assert_eq!(loader.kept_events, 13);
        assert!(ghosts.is_empty());
    }

    #[test]
    fn a_break_refuses_a_compressed_log() {
        let log = sound().at_seq(20, user("later"));
        assert_eq!(refused(&log), "sequence break at event line 10: expected 13, got 20");
    }

    #[test]
    fn a_break_in_the_open_end_of_a_plain_log_is_cut() {
        let log = sound().plain().at_seq(20, user("later"));
        let (loader, _) = log.judge();
        assert_eq!(loader.result, Some(LoaderResult::LoadsWithoutTail));
        assert_eq!(loader.kept_events, 13);
        assert_eq!(loader.at, Some(RowIx(9)));
    }

    #[test]
    fn an_end_of_a_turn_behind_the_break_refuses_a_plain_log() {
        let log = sound().plain().at_seq(20, user("later")).at_seq(21, turn_end(2));
        assert_eq!(refused(&log), "sequence break at event line 10: expected 13, got 20");
        // The row with the break can be that end itself.
        let log = sound().plain().at_seq(20, turn_end(2));
        assert_eq!(refused(&log), "sequence break at event line 10: expected 13, got 20");
    }

    #[test]
    fn a_bad_line_is_a_break_too() {
        let log = sound().bad();
        assert_eq!(refused(&log), "event line 10 does not parse");
        let (loader, _) = sound().plain().bad().judge();
        assert_eq!(loader.result, Some(LoaderResult::LoadsWithoutTail));
        let log = sound().plain().bad().at_seq(13, turn_end(2));
        assert_eq!(refused(&log), "event line 10 does not parse");
    }

    #[test]
    fn a_missing_number_is_a_break() {
        let mut event = user("x");
        event.seq = None;
        assert_eq!(refused(&sound().raw(&event)), "sequence break at event line 10: expected 13, got no number");
    }

    #[test]
    fn packed_rows_belong_to_the_first_two_versions() {
        assert_eq!(
            refused(&Log::new(2).add(chunks(3))),
            "event line 1 is a packed row, which this version does not have"
        );
        loads(&Log::new(1).add(chunks(3)));
    }
}

mod torn_tails {
    use super::*;

    #[test]
    fn lines_of_a_torn_frame_follow_the_cut() {
        let log = sound().torn().add(turn_start(2));
        let (loader, ghosts) = log.judge();
        assert_eq!(loader.result, Some(LoaderResult::LoadsTornTail));
        assert_eq!(loader.why, "incomplete tail is cut");
        assert_eq!(loader.kept_events, 14);
        assert_eq!(ghosts.len(), 1);
        // A break inside the torn frame cuts it there.
        let (loader, _) = sound().torn().at_seq(20, turn_start(2)).judge();
        assert_eq!((loader.result, loader.kept_events), (Some(LoaderResult::LoadsTornTail), 13));
    }

    #[test]
    fn a_break_and_an_end_of_a_turn_in_a_torn_frame_refuse() {
        let log = sound().torn().at_seq(20, turn_start(2)).at_seq(21, turn_end(2));
        assert_eq!(refused(&log), "sequence break at event line 10: expected 13, got 20");
    }

    #[test]
    fn an_unfinished_last_line_of_a_plain_log_is_cut() {
        let mut log = sound().plain();
        log.container.torn_tail =
            Some(TornTail { offset: 900, bytes: 5, complete_lines_inside: 0, leftover_bytes: 5, first_row: RowIx(9) });
        let (loader, _) = log.judge();
        assert_eq!((loader.result, loader.kept_events), (Some(LoaderResult::LoadsTornTail), 13));
    }

    #[test]
    fn frames_that_end_inside_a_line_refuse() {
        let mut log = sound();
        log.container.bad_lines =
            vec![BadLineAt { line: 11, row: RowIx(9), why: "no newline at end of data", detail: String::new() }];
        assert_eq!(refused(&log), "the last complete frame ends inside a line");
    }
}

mod bytes_and_header {
    use super::*;

    fn with(change: impl FnOnce(&mut Log)) -> Log {
        let mut log = sound();
        change(&mut log);
        log
    }

    #[test]
    fn damage_refuses() {
        let damage =
            |frame, next_row| FrameDamage { frame, offset: 0, len: 1, why: String::new(), next_row: RowIx(next_row) };
        let table: [(&str, Log); 7] = [
            (
                "a complete frame fails its checksum or does not decode",
                with(|log| log.container.damaged_frames.push(damage(3, 4))),
            ),
            (
                "a complete frame fails its checksum or does not decode",
                with(|log| log.container.damaged_frames.push(damage(0, 0))),
            ),
            ("bytes that are no frame", with(|log| log.container.foreign_bytes.push((5, 9)))),
            ("a skippable frame", with(|log| log.container.skippable_frames.push((5, 9)))),
            ("no complete header frame", with(|log| log.container.complete_frames = 0)),
            ("first frame is not exactly the header line", with(|log| log.container.header_frame_exact = false)),
            ("the header line begins with a byte order mark", with(|log| log.container.byte_order_mark = true)),
        ];
        for (why, log) in table {
            assert_eq!(refused(&log), why);
        }
    }

    #[test]
    fn what_lies_first_in_the_file_is_named() {
        let damage = FrameDamage { frame: 9, offset: 0, len: 1, why: String::new(), next_row: RowIx(10) };
        let mut log = sound().at_seq(20, user("later"));
        log.container.damaged_frames.push(damage);
        assert_eq!(refused(&log), "sequence break at event line 10: expected 13, got 20");
    }

    #[test]
    fn a_header_must_be_there_and_right() {
        assert_eq!(refused(&with(|log| log.header = None)), "header fields missing or invalid");
        let log = with(|log| log.set_header(r#"{"type":"session","version":0,"id":"s","createdAt":1}"#));
        assert_eq!(refused(&log), "header fields missing or invalid: delegationDepth missing");
        let log = with(|log| log.format.file_name_version = Some(3));
        assert_eq!(refused(&log), "file name and header disagree about the version");
        loads(&with(|log| log.format.file_name_version = Some(0)));
    }

    #[test]
    fn empty_files_have_no_header() {
        let mut log = Log::new(0).plain();
        log.header = None;
        log.container.lines = 0;
        assert_eq!(refused(&log), "no complete header line");
    }

    #[test]
    fn an_unknown_version_and_a_view_of_the_tail_are_not_judged() {
        let mut log = sound();
        log.format.known = false;
        assert_eq!(log.judge().0.result, None);
        let log = with(|log| log.container.complete = false);
        assert_eq!(log.judge().0.result, None);
    }
}

mod single_events {
    use super::*;

    #[test]
    fn unknown_types_must_be_ignorable() {
        let mut event = build::event(Kind::Unknown, Body::Other);
        event.unknown_type = Some(Box::new(WireText::from("acme/checkpoint")));
        assert_eq!(
            refused(&sound().add(event.clone())),
            "unknown event type acme/checkpoint at seq 13 is not marked ignorable"
        );
        event.ignorable = true;
        loads(&sound().add(event));
        let nameless = build::event(Kind::Unknown, Body::Other);
        assert_eq!(refused(&sound().add(nameless)), "the event at seq 13 names no type");
    }

    #[test]
    fn types_of_other_versions_are_unknown() {
        let attempt = build::event(Kind::AssistantAttempt, Body::Other);
        assert_eq!(
            refused(&sound().add(attempt)),
            "unknown event type assistant/attempt at seq 13 is not marked ignorable"
        );
        let compact = build::event(Kind::CompactStart, Body::Other);
        assert_eq!(
            refused(&sound().add(compact)),
            "unknown event type compact/start at seq 13 is not marked ignorable"
        );
    }

    #[test]
    fn retired_types_refuse_before_everything_else() {
        let mode = build::event(Kind::ModeSet, Body::Other);
        let log = sound().add(build::event(Kind::Unknown, Body::Other)).add(mode);
        assert_eq!(refused(&log), "the retired event type mode/set at seq 14");
    }

    #[test]
    fn a_result_names_its_call() {
        assert_eq!(refused(&Log::new(0).add(result(1, 1, ""))), "the tool/result at seq 0 names no call");
    }
}

mod the_surface {
    use super::*;

    fn replacing(event: Event, start: i64, end: i64, cited: &[i64]) -> Event {
        build::citing(Event { surface: Surface::Replace { start: Some(start), end: Some(end) }, ..event }, cited)
    }

    #[test]
    fn surface_types_stand_on_it_and_others_do_not() {
        let mut off = user("x");
        off.surface = Surface::None;
        assert_eq!(refused(&Log::new(0).add(off)), "the user/message at seq 0 has no surfaceOp");
        let mut odd = user("x");
        odd.surface = Surface::Odd;
        assert_eq!(refused(&Log::new(0).add(odd)), "the user/message at seq 0 has an invalid surfaceOp");
        let mut on = turn_start(1);
        on.surface = Surface::Append;
        assert_eq!(refused(&Log::new(0).add(on)), "the turn/start at seq 0 may not have a surfaceOp");
        let cited = build::citing(turn_start(1), &[0]);
        assert_eq!(refused(&Log::new(0).add(cited)), "the turn/start at seq 0 may not have sourceEventSeqs");
    }

    #[test]
    fn replacements_name_a_span_and_cite_it() {
        let log = || Log::new(0).add(user("a")).add(user("b")).add(user("c"));
        loads(&log().add(replacing(user("d"), 0, 1, &[0, 1])));
        let table = [
            (replacing(user("d"), 0, 7, &[0]), "the replacement at seq 3 names seq 7, which is not on the surface"),
            (replacing(user("d"), 1, 0, &[0, 1]), "the replacement at seq 3 names a span that runs backwards"),
            (replacing(user("d"), 0, 1, &[0]), "the replacement at seq 3 does not cite every event it shadows"),
            (replacing(user("d"), 1, 1, &[0]), "the replacement at seq 3 does not cite every event it shadows"),
            (
                replacing(result(1, 1, "x"), 1, 1, &[1]),
                "the tool/result at seq 3 replaces something other than one result",
            ),
        ];
        for (event, why) in table {
            assert_eq!(refused(&log().add(event)), why);
        }
        // A shadowed node is gone.
        let log = log().add(replacing(user("d"), 0, 1, &[0, 1])).add(replacing(user("e"), 1, 2, &[1, 2]));
        assert_eq!(refused(&log), "the replacement at seq 4 names seq 1, which is not on the surface");
    }

    #[test]
    fn citations_name_earlier_events() {
        loads(&Log::new(0).add(user("a")).add(build::citing(message(1, 1, &[]), &[])));
        let table = [
            (build::citing(user("b"), &[1]), "the user/message at seq 1 cites an event that is not earlier"),
            (build::citing(user("b"), &[]), "the user/message at seq 1 has empty sourceEventSeqs"),
        ];
        for (event, why) in table {
            assert_eq!(refused(&Log::new(0).add(user("a")).add(event)), why);
        }
    }
}

mod resuming {
    use super::*;

    fn kinds(ghosts: &[Ghost]) -> Vec<(i64, String)> {
        ghosts
            .iter()
            .map(|ghost| {
                let text = match &ghost.kind {
                    GhostKind::Result { call_id, started, .. } => format!("{} {started}", call_id.to_report()),
                    GhostKind::StepEnd { turn, step } => format!("step {turn} {step}"),
                    GhostKind::TurnEnd { turn } => format!("turn {turn}"),
                };
                (ghost.seq, text)
            })
            .collect()
    }

    #[test]
    fn an_open_end_is_closed_in_the_order_of_the_requests() {
        let log = Log::new(0)
            .add(turn_start(1))
            .step_start(1, 1)
            .add(message(1, 1, &["a", "b", "c"]))
            .add(call(1, 1, "b"))
            .add(call(1, 1, "a"))
            .add(result(1, 1, "a"));
        let ghosts = loads(&log);
        let expected = [(6, "b true"), (7, "c false"), (8, "step 1 1"), (9, "turn 1")];
        assert_eq!(kinds(&ghosts), expected.map(|(seq, text)| (seq, text.to_owned())));
        assert!(ghosts.iter().all(|ghost| ghost.time == Some(1005)));
    }

    #[test]
    fn a_closed_step_forgets_its_calls() {
        let log = Log::new(0).add(turn_start(1)).step_start(1, 1).add(message(1, 1, &["a"])).step_end(1, 1);
        assert_eq!(kinds(&loads(&log)), [(4, "turn 1".to_owned())]);
    }

    #[test]
    fn an_id_asked_for_again_is_not_started_and_keeps_its_place() {
        let log = Log::new(0)
            .add(turn_start(1))
            .step_start(1, 1)
            .add(message(1, 1, &["a", "b"]))
            .add(call(1, 1, "a"))
            .add(message(1, 1, &["a"]));
        let texts: Vec<_> = kinds(&loads(&log)).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["a false", "b false", "step 1 1", "turn 1"]);
    }

    #[test]
    fn a_call_that_no_message_asked_for_is_not_closed() {
        let log = Log::new(0).add(turn_start(1)).step_start(1, 1).add(call(1, 1, "a"));
        assert_eq!(kinds(&loads(&log)).len(), 2);
    }

    #[test]
    fn an_open_call_without_an_id_cannot_be_closed() {
        let log = || Log::new(0).add(turn_start(1)).step_start(1, 1).add(message(1, 1, &[""]));
        assert_eq!(refused(&log()), "a call without an id is open: its closing record would name no call");
        loads(&log().step_end(1, 1).add(turn_end(1)));
    }

    #[test]
    fn nothing_behind_the_cut_is_closed() {
        let log = sound().plain().at_seq(40, turn_start(2));
        let (loader, ghosts) = log.judge();
        assert_eq!(loader.result, Some(LoaderResult::LoadsWithoutTail));
        assert!(ghosts.is_empty());
    }
}
