//! Whatever the lines: no panic, nothing kept that was not there, and a copy judges as the original would have.

use super::build::Log;
use crate::record::extract;
use crate::triage::facts::LoaderResult;
use proptest::prelude::*;

/// Lines of every kind that the rules follow, with numbers that may or may not fit.
fn line() -> impl Strategy<Value = String> {
    let number = prop_oneof![8 => 0_i64..4, 1 => Just(-1), 1 => Just(9_007_199_254_740_991)];
    let message = r#""message":{"id":"m","role":"assistant","source":{"kind":"model","provider":"p","model":"m"},"content":[{"type":"tool-call","id":"c","name":"n","arguments":""}]}"#;
    let result =
        r#""message":{"id":"m","role":"tool","source":{"kind":"tool","callId":"c"},"toolCallId":"c","content":[]}"#;
    (0_usize..20, number.clone(), number.clone(), number).prop_map(move |(which, a, b, c)| {
        let data = match which {
            0 | 1 => format!(r#""type":"turn/start","data":{{"turn":{a}}}"#),
            2 => format!(r#""type":"turn/end","data":{{"turn":{a},"reason":{{"kind":"completed"}}}}"#),
            3 | 4 => format!(r#""type":"step/start","data":{{"turn":{a},"step":{b}}}"#),
            5 => format!(r#""type":"step/end","data":{{"turn":{a},"step":{b}}}"#),
            6 => format!(r#""type":"assistant/message","surfaceOp":"append","data":{{"turn":{a},"step":{b},"stream":[],{message}}}"#),
            7 => format!(r#""type":"tool/call","data":{{"turn":{a},"step":{b},"callId":"c","name":"n","arguments":""}}"#),
            8 => format!(r#""type":"tool/result","surfaceOp":"append","data":{{"turn":{a},"step":{b},{result}}}"#),
            9 => format!(
                r#""type":"user/message","surfaceOp":{{"op":"replace","start":{a},"end":{b},"startSeq":{a},"endSeq":{b}}},"sourceEventSeqs":[[{a},{b}],{c}],"data":{{"id":"m","role":"user","source":{{"kind":"user"}},"content":[]}}"#
            ),
            10 => r#""type":"user/message","surfaceOp":"append","data":{"id":"m","role":"user","source":{"kind":"user"},"content":[]}"#.to_owned(),
            11 => format!(r#""type":"compaction/start","data":{{"compactionId":"k","turn":{a}}}"#),
            12 => format!(
                r#""type":"compaction/summary","data":{{"compactionId":"k","shadowedRange":{{"start":{a},"end":{b}}},"shadowedSeqs":[{a},{b}]}}"#
            ),
            13 => r#""type":"compaction/end","data":{"compactionId":"k","turn":1}"#.to_owned(),
            14 => format!(r#""type":"llm/retry","data":{{"retryId":"r","turn":{a},"step":{b},"provider":"p","retry":{c}}}"#),
            15 => format!(r#""type":"llm/retry-started","data":{{"retryId":"r","turn":{a},"step":{b},"retry":{c}}}"#),
            16 => format!(r#""type":"session/title","data":{{"messageSeqs":[{a},{b}],"source":{{"kind":"fallback"}}}}"#),
            17 => format!(r#""type":"session/end-seed","data":{{"inherited":{}}}"#, a == 0),
            18 => format!(
                r#""type":"session-log-deepseek/delivery-accepted","data":{{"sessionId":"s","throughSeq":{a},"sessionFormatVersion":4}}"#
            ),
            _ => format!(r#""type":"request/header","data":{{"header":{{"config":{{"provider":"p","model":"m"}}}},"reason":"initial","n":{c}}}"#),
        };
        format!("{{{data}}}")
    })
}

fn log(version: i64, lines: &[String]) -> Log {
    lines.iter().fold(Log::new(version), |log, line| match extract::event(line.as_bytes()) {
        Ok(event) => log.add(event),
        Err(_) => log.bad(),
    })
}

proptest! {
    #[test]
    fn any_list_of_lines_is_judged(version in 0_i64..=5, lines in prop::collection::vec(line(), 0..40)) {
        let (loader, ghosts) = log(version, &lines).judge();
        prop_assert!(loader.kept_events <= lines.len() as u64);
        if loader.result == Some(LoaderResult::Refuses) {
            prop_assert!(loader.kept_events == 0 && ghosts.is_empty() && !loader.why.is_empty());
        } else {
            prop_assert_eq!(loader.kept_events, lines.len() as u64);
        }
        for (ghost, seq) in ghosts.iter().zip(loader.kept_events..) {
            prop_assert_eq!(ghost.seq.unsigned_abs(), seq);
        }
    }

    #[test]
    fn a_copy_judges_as_the_original(version in 0_i64..=5, lines in prop::collection::vec(line(), 0..40), at in 0_usize..40) {
        let whole = log(version, &lines).judge();
        let at = at.min(lines.len());
        let before = log(version, &lines[..at]);
        let half = before.judge();
        let copy = before.clone();
        let longer = lines[at..].iter().fold(before, |log, line| match extract::event(line.as_bytes()) {
            Ok(event) => log.add(event),
            Err(_) => log.bad(),
        });
        prop_assert_eq!(longer.judge(), whole);
        prop_assert_eq!(copy.judge(), half);
    }
}
