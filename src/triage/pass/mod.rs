//! The ten-minute pass: what the six questions are answered with, the same for the page and the report.

pub(crate) mod arguments;
pub(crate) mod asked;
pub(crate) mod bug;
mod call;
pub mod citation;
mod head;
pub(crate) mod made_of;
pub(crate) mod page;
pub(crate) mod rungs;
pub(crate) mod said;
pub(crate) mod secrets;
pub(crate) mod whole;

use self::page::Page;
use super::facts::{Basis, Call, CallState, Facts};
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::number::duration;

/// Gives the stored text of a row, whole or its first kilobytes; `None` where it cannot be had.
pub type Lines<'a> = dyn FnMut(RowIx) -> Option<Vec<u8>> + 'a;

/// Answers the six questions, a blank line after each.
pub(crate) fn six_questions(page: &mut Page<'_>, lines: &mut Lines<'_>) {
    head::what_is_this(page);
    whole::is_it_whole(page);
    call::last_call(page, lines);
}

/// Why the log stops, in one sentence.
pub(crate) fn stopped(facts: &Facts, words: &Words) -> String {
    let text = said::clean(&facts.stopped.text.say(words));
    match facts.stopped.since_ms {
        Some(ms) if ms != 0 => {
            format!("{text}; {}", words.say("report_text.since", &[("time", &duration(ms))]))
        }
        _ => text,
    }
}

/// The call that recovery closed and that comes first: one whose outcome is unknown before one that never started, of
/// the last turn that recovery closed a call in; the last of its sort. Place in `Facts::calls`.
#[must_use]
pub fn worst_recovered(facts: &Facts) -> Option<usize> {
    let last = facts.last_recovered?;
    let turn = facts.calls.get(last)?.turn;
    let is_unknown =
        |call: &Call| call.basis == Basis::Recorded && call.turn == turn && call.state == CallState::OutcomeUnknown;
    facts.calls.iter().rposition(is_unknown).or(Some(last))
}

/// The other calls of the turn of this one that recovery closed, in the order of the log.
#[must_use]
pub fn recovered_beside<'a>(facts: &'a Facts, call: &Call) -> Vec<&'a Call> {
    let recovered = facts.calls.iter().filter(|other| other.basis == Basis::Recorded && other.turn == call.turn);
    recovered.filter(|other| !std::ptr::eq(*other, call)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::time::Zone;
    use crate::triage::bench::Written;
    use crate::triage::pass::page::LineKind;

    #[test]
    fn an_unknown_outcome_comes_before_a_call_that_never_started() {
        let asked = Written::new().turn(1).step(1, 1).asks(1, 1, &["a", "b", "c"]).call(1, 1, "a");
        let closed =
            asked.recovered(1, 1, "a", "TOOL_OUTCOME_UNKNOWN", "").recovered(1, 1, "b", "TOOL_NOT_STARTED", "");
        let facts = closed.recovered(1, 1, "c", "TOOL_NOT_STARTED", "").facts();
        let worst = worst_recovered(&facts);
        let id = |call: &Call| String::from_utf8_lossy(call.call_id.as_bytes()).into_owned();
        assert_eq!(worst.map(|at| id(&facts.calls[at])).as_deref(), Some("a"));
        let others = worst.map(|at| recovered_beside(&facts, &facts.calls[at])).unwrap_or_default();
        assert_eq!(others.into_iter().map(id).collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(worst_recovered(&Written::new().turn(1).facts()), None);
    }

    /// Marks of the six answers, and all lines as text.
    fn pass(log: &Written) -> (String, String) {
        let (session, stored) = log.session();
        let (words, zone) = (Words::english(), Zone::utc());
        let mut page = Page::new(&session, &words, &zone);
        six_questions(&mut page, &mut |row| stored.get(row.as_usize()).cloned());
        let marks = page.lines.iter().filter_map(|line| match line.kind {
            LineKind::Answer(_, mark) => Some(mark.glyph()),
            LineKind::Proof | LineKind::Plain => None,
        });
        (marks.collect(), page.lines.iter().map(|line| line.text.clone() + "\n").collect())
    }

    #[test]
    fn each_of_six_questions_has_its_answer() {
        let asked = || Written::new().turn(1).step(1, 1).asks_whole(1, 1, &["a"]);
        let killed = || asked().call(1, 1, "a");
        let inner = r#"[{"type":"tool-result","toolCallId":"a","content":[],"isError":true}]"#;
        let source = r#""id":"r","role":"user","source":{"kind":"tool","callId":"a"}"#;
        let message = format!(r#"{{{source},"content":{inner}}}"#);
        let failed = format!(r#""turn":1,"step":1,"message":{message},"error":{{"code":"FS_GONE"}}"#);
        let table = [
            ("nothing open", Written::new().turn(1).turn_end(1, "completed"), "✓✓✓✓✓✓", "no call was ever asked for"),
            ("outcome unknown", killed(), "✓✓??!?", "OUTCOME UNKNOWN, inferred: called (3), no result up to line 5"),
            ("not started", asked(), "✓✓◦◦!◦", "NOT STARTED"),
            ("recovered", killed().recovered(1, 1, "a", "TOOL_OUTCOME_UNKNOWN", ""), "✓✗!?!?", "recovery"),
            ("failed", killed().with("tool/result", &failed, r#","surfaceOp":"append""#), "✓✓!✗!✗", "FS_GONE"),
            (
                "broken",
                Written::new().turn(1).at(9).turn_end(1, "completed"),
                "✓✗!!!✓",
                "BREAK at line 3: expected seq 1",
            ),
        ];
        for (name, log, marks, part) in table {
            let (found, text) = pass(&log);
            assert_eq!(found, marks, "{name}\n{text}");
            assert!(text.contains(part), "{name}: {part}\n{text}");
        }
    }

    #[test]
    fn hostile_logs_are_answered_in_six_printable_lines() {
        let header = r#"{"type":"session","version":99,"id":"\u001b[31m","cwd":"\u202e/x","delegationDepth":-1}"#;
        let call = r#""turn":1,"step":1,"callId":"\u001b]0;x\u0007","name":"\u200b","arguments":"\u202e{""#;
        for log in [
            Written::under("{}").event("tool/call", call),
            Written::under(header).event("tool/call", call),
            Written::under("not JSON").raw("[]").raw("7"),
            Written::new().turn(1).step(1, 1).event("tool/call", call).raw("{").event("tool/result", ""),
        ] {
            let (marks, text) = pass(&log);
            assert_eq!(marks.chars().count(), 6, "{text}");
            let hidden = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}');
            assert!(!text.contains(hidden), "{text:?}");
        }
    }
}
