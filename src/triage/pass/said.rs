//! Facts as short printable texts, shared by the six questions, the text report and the citation.

use crate::text::locale::Words;
use crate::text::sanitize::one_line;
use crate::text::wire::WireText;
use crate::triage::advice::Advice;
use crate::triage::facts::{Basis, Call, CallState, Facts, FormatSource, LoaderResult};

/// Most columns of one text of a log: ids and names are far shorter, a hostile one is cut.
const MOST_COLUMNS: usize = 200;

/// A text of a log, printable on one line. An empty one is made visible as `""`.
pub(crate) fn shown(text: &WireText) -> String {
    if text.is_empty() { "\"\"".to_owned() } else { one_line(text.as_bytes(), MOST_COLUMNS) }
}

/// A text of a log that may be missing.
pub(crate) fn shown_or(text: Option<&WireText>, missing: &str) -> String {
    text.map_or_else(|| missing.to_owned(), shown)
}

/// Text that our own code made of the log, printable on one line.
pub(crate) fn clean(text: &str) -> String {
    one_line(text.as_bytes(), MOST_COLUMNS * 2)
}

/// A seq, turn or step as plain digits; `?` where none is recorded.
pub(crate) fn number(number: Option<i64>) -> String {
    number.map_or_else(|| "?".to_owned(), |number| number.to_string())
}

/// A seq as plain digits; the word for none where there is none.
pub(crate) fn number_or_none(number: Option<i64>, words: &Words) -> String {
    number.map_or_else(|| words.get("missing.none").to_owned(), |number| number.to_string())
}

/// The seq that a call is cited by: its `tool/call`, else the message that asked for it.
pub(crate) fn call_seq(call: &Call) -> Option<i64> {
    call.call_seq.or(call.message_seq).get()
}

/// The class of a call as the harness spells it, or the words of its state with the code.
pub(crate) fn class(call: &Call, words: &Words) -> String {
    match (call.state, &call.error_code) {
        (CallState::NotStarted, _) => "TOOL_NOT_STARTED".to_owned(),
        (CallState::OutcomeUnknown, _) => "TOOL_OUTCOME_UNKNOWN".to_owned(),
        (CallState::Completed, _) => words.get("state.completed").to_owned(),
        (CallState::Failed, Some(code)) => words.say("state.failed_code", &[("code", &shown(code))]),
        (CallState::Failed, None) => words.get("state.failed").to_owned(),
    }
}

/// What the class rests on, in words.
pub(crate) fn basis(basis: Basis, words: &Words) -> &str {
    words.get(match basis {
        Basis::Result => "basis.result",
        Basis::Recorded => "basis.recorded",
        Basis::Inferred => "basis.inferred",
        Basis::ResultAfterRecovery => "basis.after_recovery",
    })
}

/// Where the version came from, in words.
pub(crate) fn source(source: FormatSource, words: &Words) -> &str {
    words.get(match source {
        FormatSource::Header => "header.from_header",
        FormatSource::FileName => "header.from_file_name",
        FormatSource::Guessed => "header.guessed",
    })
}

/// What the harness would do, in a few words; where it refuses for a break, the break.
pub(crate) fn harness(facts: &Facts, words: &Words) -> String {
    let key = match facts.loader.result {
        Some(LoaderResult::Loads) => "cite.harness_loads",
        Some(LoaderResult::LoadsTornTail) => "cite.harness_torn_tail",
        Some(LoaderResult::LoadsWithoutTail) => "cite.harness_without_tail",
        Some(LoaderResult::Refuses) => {
            let found = facts.sequence.breaks.iter().find(|found| Some(found.row) == facts.loader.at);
            if let Some(found) = found {
                let (line, expected, got) = (found.line.to_string(), found.expected.to_string(), found.got_text());
                let values = [("line", &*line), ("expected", &*expected), ("got", &*got)];
                return words.say("cite.harness_refuses_break", &values);
            }
            "cite.harness_refuses"
        }
        None => "cite.harness_unknown",
    };
    words.get(key).to_owned()
}

/// The word of the report for the state of a call.
pub(crate) fn state(state: CallState) -> &'static str {
    match state {
        CallState::Completed => "completed",
        CallState::Failed => "failed",
        CallState::NotStarted => "not_started",
        CallState::OutcomeUnknown => "outcome_unknown",
    }
}

/// Key of the words of an advice.
pub(crate) fn advice_key(advice: Advice) -> &'static str {
    match advice {
        Advice::MayBeRetried => "advice.not_started",
        Advice::OnlyReads => "advice.unknown_reads",
        Advice::ReadTheChildFirst => "advice.unknown_subagent",
        Advice::LookOutside => "advice.unknown",
    }
}
