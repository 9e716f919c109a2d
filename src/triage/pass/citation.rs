//! What goes into a bug report: one line that names the thing, three that prove it, the command that leads back.
//!
//! Neither arguments nor results, prompts, paths or file names are in a citation or in evidence: they may hold secrets.
//! [`place`] holds the path, since it is for the reader's own machine.

use super::said::{basis, call_seq, class, clean, harness, number, number_or_none, shown, shown_or, source};
use crate::session::index::Index;
use crate::session::row::{EventRef, Seq};
use crate::text::locale::Words;
use crate::text::sanitize::display;
use crate::triage::facts::{Basis, Call, CallState, Facts};
use crate::triage::session::Session;

/// What is cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cited {
    /// A call, by its place in `Facts::calls`.
    Call(usize),
    /// Any event.
    Event(EventRef),
}

impl Cited {
    /// The call where there is one, else the event.
    #[must_use]
    pub fn of(call: Option<usize>, event: EventRef) -> Cited {
        call.map_or(Cited::Event(event), Cited::Call)
    }
}

/// The citation: session id, format version and its source, call id, tool name, seq, class with its basis, what the
/// harness would do, our version. One line without a line end. A call or event that is not there is cited as none.
#[must_use]
pub fn citation(session: &Session, cited: Cited, words: &Words) -> String {
    let facts = &session.facts;
    let id = facts.header.as_ref().and_then(|header| header.id.as_ref());
    let session_id = shown_or(id, words.get("cite.no_session"));
    let (version, harness) = (facts.format.version.to_string(), harness(facts, words));
    let mut values = vec![
        ("session", session_id.as_str()),
        ("version", &version),
        ("source", source(facts.format.source, words)),
        ("harness", &harness),
        ("program", env!("CARGO_PKG_NAME")),
        ("own", env!("CARGO_PKG_VERSION")),
    ];
    let Some(call) = the_call(facts, cited) else {
        let (name, seq, _) = the_event(session, cited);
        values.extend([("type", name.as_str()), ("seq", &seq)]);
        return words.say("cite.event", &values);
    };
    let (id, tool) = (shown(&call.call_id), shown(&call.name));
    let row = call.call_row.or(call.message_row);
    let seq = row.and_then(|row| nth_seq(&session.index, EventRef { row, member: 0 }));
    let (seq, class) = (seq.unwrap_or_else(|| number(call_seq(call))), class(call, words));
    values.extend([("id", id.as_str()), ("tool", &tool), ("seq", &seq), ("class", &class)]);
    values.push(("basis", basis(call.basis, words)));
    words.say("cite.call", &values)
}

/// The seq of an event as it is typed to come back: `6`, or `6/2` for the second event with it. `None` where it has none.
#[must_use]
pub fn nth_seq(index: &Index, event: EventRef) -> Option<String> {
    let row = index.rows.get(event.row)?;
    let member = if row.members > 1 { event.member } else { 0 };
    let seq = Seq(row.seq()?.0.saturating_add(i64::from(member)));
    let found = if index.steps_back.is_empty() { Vec::new() } else { index.find(seq) };
    let nth = found.iter().position(|other| other.row == event.row).unwrap_or(0);
    Some(if nth == 0 { seq.0.to_string() } else { format!("{}/{}", seq.0, nth + 1) })
}

/// The evidence: three lines, each with a line end: the verdict, the seqs it rests on, session and state of the log.
#[must_use]
pub fn evidence(session: &Session, cited: Cited, words: &Words) -> String {
    let facts = &session.facts;
    let (first, second) = if let Some(call) = the_call(facts, cited) {
        (verdict(call, words), proof(facts, call, words))
    } else {
        let (name, seq, line) = the_event(session, cited);
        let event = words.say("cite.event_line", &[("type", &name), ("seq", &seq), ("line", &line)]);
        (event, words.say("cite.event_stopped", &[("text", &clean(&facts.stopped.text.say(words)))]))
    };
    let id = facts.header.as_ref().and_then(|header| header.id.as_ref());
    let session_id = shown_or(id, words.get("cite.no_session"));
    format!("{first}\n{second}\n{session_id}  {}\n", state_of_log(facts, words))
}

/// The command that comes back to this event: `trajview PATH:88`; `None` where it has no seq. A path with blanks or signs is quoted for a shell.
#[must_use]
pub fn place(session: &Session, event: EventRef, words: &Words) -> Option<String> {
    let seq = nth_seq(&session.index, event)?;
    let path = display(session.path.as_os_str().as_encoded_bytes());
    let place = quoted(&format!("{path}:{seq}"));
    let values = [("program", env!("CARGO_PKG_NAME")), ("place", &*place)];
    Some(words.say("cite.place", &values))
}

fn the_call(facts: &Facts, cited: Cited) -> Option<&Call> {
    match cited {
        Cited::Call(at) => facts.calls.get(at),
        Cited::Event(_) => None,
    }
}

/// Type, seq and line of an event.
fn the_event(session: &Session, cited: Cited) -> (String, String, String) {
    let event = match cited {
        Cited::Event(event) => event,
        Cited::Call(_) => EventRef { row: crate::session::row::RowIx(u32::MAX), member: 0 },
    };
    let index = &session.index;
    let Some(row) = index.rows.get(event.row) else { return ("?".to_owned(), number(None), number(None)) };
    let seq = nth_seq(index, event).unwrap_or_else(|| number(None));
    let line = index.line(event.row).map_or_else(|| number(None), |line| line.to_string());
    (shown(index.types.name(row.type_id)), seq, line)
}

fn verdict(call: &Call, words: &Words) -> String {
    let (class, id, tool) = (class(call, words), shown(&call.call_id), shown(&call.name));
    let (turn, step) = (number(call.turn.get()), number(call.step.get()));
    let values = [
        ("class", class.as_str()),
        ("basis", basis(call.basis, words)),
        ("id", &id),
        ("tool", &tool),
        ("turn", &turn),
        ("step", &step),
    ];
    words.say("cite.class_line", &values)
}

fn proof(facts: &Facts, call: &Call, words: &Words) -> String {
    let key = match (call.basis, call.state) {
        (Basis::Inferred, CallState::NotStarted) => "cite.not_started_line",
        (Basis::Inferred, _) => "cite.unknown_line",
        (Basis::Recorded, _) => "cite.recorded_line",
        (Basis::Result, _) => "cite.result_line",
        (Basis::ResultAfterRecovery, _) => "cite.late_line",
    };
    let asked = number_or_none(call.message_seq.get(), words);
    let called = number_or_none(call.call_seq.get(), words);
    let (result, recovery) = (number(call.result_seq.get()), number(call.recovery().and_then(|recovery| recovery.seq)));
    let line = facts.container.lines.to_string();
    let values =
        [("asked", asked.as_str()), ("called", &called), ("result", &result), ("recovery", &recovery), ("line", &line)];
    words.say(key, &values)
}

fn state_of_log(facts: &Facts, words: &Words) -> String {
    let is_sound =
        !facts.container.is_damaged() && facts.container.torn_tail.is_none() && facts.container.bad_lines.is_empty();
    let breaks = words.count("count.breaks", facts.sequence.breaks.len() as u64);
    let (first, last) = (number(facts.sequence.first), number(facts.sequence.last));
    let harness = harness(facts, words);
    let key = match (facts.sequence.first, facts.sequence.is_whole()) {
        (None, _) => "cite.no_events",
        (Some(_), true) => "cite.sequence_whole",
        (Some(_), false) => "cite.sequence_broken",
    };
    let values = [
        ("first", first.as_str()),
        ("last", &last),
        ("breaks", &breaks),
        ("damage", words.get(if is_sound { "cite.no_damage" } else { "cite.damaged" })),
        ("harness", &harness),
        ("program", env!("CARGO_PKG_NAME")),
        ("own", env!("CARGO_PKG_VERSION")),
    ];
    words.say(key, &values)
}

/// A path as one word of a shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=@%,:~".contains(c);
    if !path.is_empty() && !path.starts_with('~') && path.chars().all(is_plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        for (path, expected) in [
            ("/srv/a-b/session.v3.jsonl.zstd", "/srv/a-b/session.v3.jsonl.zstd"),
            ("my logs/a", "'my logs/a'"),
            ("it's", "'it'\\''s'"),
            ("$(rm)", "'$(rm)'"),
            ("~/a", "'~/a'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(path), expected);
        }
    }
}
