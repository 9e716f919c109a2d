//! The bug report in Markdown: what the log proves about one call or event, and blanks for what it cannot know.
//!
//! Arguments and result text are in it only when they are given; cwd, prompts and file names never. The version of the
//! harness is never guessed from that of the format.

use super::citation::{Cited, nth_seq};
use super::said::{basis, call_seq, class, clean, harness, number, number_or_none, shown, source};
use crate::log::sniff::Encoding;
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::time::Zone;
use crate::triage::facts::{Call, Facts, FormatSource, GhostKind, LoaderResult};
use crate::triage::session::{Extent, Session};

/// Text that is added only when it was asked for; printable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Added<'a> {
    /// The arguments of the call.
    pub(crate) arguments: Option<String>,
    /// What its result says.
    pub(crate) result: Option<String>,
    /// Whether the arguments are JSON; `None` where that is not known.
    pub(crate) is_json: Option<bool>,
    /// The call that it waits for, where it started a session that has an open call itself.
    pub(crate) awaited: Option<Awaited<'a>>,
}

/// An open call of a session that the call started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Awaited<'a> {
    /// Id of that session, printable.
    pub(crate) session: String,
    /// How it is known to belong to the call, in words.
    pub(crate) rule: &'a str,
    /// The open call; its seqs count in that session.
    pub(crate) call: &'a Call,
    /// Its arguments.
    pub(crate) arguments: Option<String>,
}

/// A line of the report, and the record of the log that it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its text, printable.
    pub(crate) text: String,
    /// The record.
    pub(crate) row: Option<RowIx>,
    /// It lies in the session of [`Awaited`].
    pub(crate) is_awaited: bool,
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line { text, row: None, is_awaited: false }
    }
}

impl Line {
    fn new(text: String, row: Option<RowIx>) -> Line {
        Line { text, row, is_awaited: false }
    }
}

/// The report, one line each; times are UTC.
pub(crate) fn bug_report(session: &Session, cited: Cited, added: &Added<'_>, words: &Words) -> Vec<Line> {
    let facts = &session.facts;
    let call = match cited {
        Cited::Call(at) => facts.calls.get(at),
        Cited::Event(_) => None,
    };
    let mut lines: Vec<Line> = vec![decoded(session, words).into(), String::new().into()];
    let heading = match call {
        Some(call) => words.say("bug.heading_call", &[("tool", &shown(&call.name)), ("class", &class(call, words))]),
        // What keeps the log from being loaded is worse than how it ends.
        None if facts.loader.result == Some(LoaderResult::Refuses) => format!("## {}", harness(facts, words)),
        None => words.say("bug.heading_event", &[("text", &clean(&facts.stopped.text.say(words)))]),
    };
    let row = facts.loader.at.filter(|_| facts.loader.result == Some(LoaderResult::Refuses)).or(facts.stopped.row);
    lines.push(Line::new(heading, if call.is_some() { None } else { row }));
    let id = facts.header.as_ref().and_then(|header| header.id.as_ref());
    lines.push(match id {
        Some(id) => words.say("bug.session", &[("id", &shown(id))]).into(),
        None => words.get("bug.no_session").to_owned().into(),
    });
    lines.push(format(session, words).into());
    match call {
        Some(call) => about_call(session, call, added, &mut lines, words),
        None => about_event(session, cited, &mut lines, words),
    }
    let breaks = words.count("count.breaks", facts.sequence.breaks.len() as u64);
    let (first, last) = (number(facts.sequence.first), number(facts.sequence.last));
    let key = match (facts.sequence.first, facts.sequence.is_whole()) {
        (None, true) => "bug.sequence_none",
        (Some(_), true) => "bug.sequence_whole",
        (_, false) => "bug.sequence_broken",
    };
    let text = words.say(key, &[("first", &first), ("last", &last), ("breaks", &breaks)]);
    lines.push(Line::new(text, facts.sequence.breaks.first().map(|found| found.row)));
    let text = words.say("bug.harness", &[("harness", &harness(facts, words)), ("resume", &resume(facts, words))]);
    lines.push(Line::new(text, facts.loader.at));
    if let Some(time) = facts.last_time {
        let text = words.say("bug.last_record", &[("time", &Zone::utc().iso(time))]);
        lines.push(Line::new(text, (session.index.rows.len() as u32).checked_sub(1).map(RowIx)));
    }
    lines.push(words.get("bug.left_out").to_owned().into());
    let values = [("program", env!("CARGO_PKG_NAME")), ("own", env!("CARGO_PKG_VERSION"))];
    lines.push(words.say("bug.written_by", &values).into());
    lines.push(words.get("bug.fill_version").to_owned().into());
    lines.push(words.get("bug.fill_plugins").to_owned().into());
    let awaited = added.awaited.as_ref().and_then(|awaited| awaited.arguments.as_ref());
    let parts = [
        ("bug.arguments", added.arguments.as_ref()),
        ("bug.awaited_arguments", awaited),
        ("bug.result", added.result.as_ref()),
    ];
    for (key, text) in parts {
        if let Some(text) = text {
            lines.extend([String::new(), words.get(key).to_owned(), String::new()].map(Line::from));
            // Indented code: no text of a log can end it, as it could a fence.
            lines.extend(text.lines().map(|line| Line::from(format!("    {line}"))));
        }
    }
    lines
}

/// Whether everything was decoded: the first line, since nobody should report a bug from half a log.
fn decoded(session: &Session, words: &Words) -> String {
    let container = &session.facts.container;
    let lines = words.count("count.lines", container.lines);
    let mut bytes = words.count("count.bytes", container.file_bytes);
    if container.encoding == Encoding::Zstd {
        let all = container.complete_frames;
        let good = all.saturating_sub(container.damaged_frames.len() as u64);
        let frames = words.count_with("bug.frames", all, &[("good", &words.number(good))]);
        bytes = format!("{bytes}, {frames}");
    }
    let is_sound = !container.is_damaged() && container.torn_tail.is_none() && container.bad_lines.is_empty();
    let key = match (session.extent, container.complete && is_sound) {
        (Extent::Tail, _) => "bug.decoded_tail",
        (Extent::Whole, true) => "bug.decoded_all",
        (Extent::Whole, false) => "bug.decoded_part",
    };
    let torn = usize::from(container.torn_tail.is_some());
    let damages = container.damaged_frames.len() + container.foreign_bytes.len() + container.skippable_frames.len();
    let damages = words.count("count.damages", (damages + torn) as u64);
    let bad = words.count("count.bad_lines", container.bad_lines.len() as u64);
    words.say(key, &[("bytes", &bytes), ("lines", &lines), ("damages", &damages), ("bad", &bad)])
}

fn format(session: &Session, words: &Words) -> String {
    let (facts, container) = (&session.facts, &session.facts.container);
    let encoding = match container.encoding {
        Encoding::Zstd => "header.zstd",
        Encoding::Plain => "header.plain",
    };
    let (version, events) = (facts.format.version.to_string(), words.count("count.events", container.events));
    let (bytes, lines) =
        (words.count("count.bytes", container.file_bytes), words.count("count.lines", container.lines));
    let values = [
        ("version", version.as_str()),
        ("source", source(facts.format.source, words)),
        ("encoding", words.get(encoding)),
        ("bytes", &bytes),
        ("events", &events),
        ("lines", &lines),
    ];
    let is_guessed = facts.format.source == FormatSource::Guessed;
    words.say(if is_guessed { "bug.format_guessed" } else { "bug.format" }, &values)
}

fn about_call(session: &Session, call: &Call, added: &Added<'_>, lines: &mut Vec<Line>, words: &Words) {
    let facts = &session.facts;
    let row = call.call_row.or(call.message_row);
    let seq = row.and_then(|row| nth_seq(&session.index, EventRef { row, member: 0 }));
    let seq = seq.unwrap_or_else(|| number(call_seq(call)));
    let values = [
        ("id", &*shown(&call.call_id)),
        ("tool", &*shown(&call.name)),
        ("turn", &*number(call.turn.get())),
        ("step", &*number(call.step.get())),
        ("seq", &*seq),
    ];
    lines.push(Line::new(words.say("bug.call", &values), row));
    let last = facts.container.lines.to_string();
    let ends = match call.result_seq.get() {
        Some(seq) => words.say("bug.result_at", &[("seq", &number(Some(seq)))]),
        None => words.say("bug.no_result", &[("line", &last)]),
    };
    let values = [
        ("class", &*class(call, words)),
        ("basis", basis(call.basis, words)),
        ("asked", &*number_or_none(call.message_seq.get(), words)),
        ("called", &*number_or_none(call.call_seq.get(), words)),
        ("result", &*ends),
    ];
    lines.push(Line::new(words.say("bug.class", &values), call.result_row.or(call.message_row)));
    for twice in
        facts.twice.iter().filter(|twice| facts.calls.get(twice.call).is_some_and(|one| std::ptr::eq(one, call)))
    {
        let why = super::rungs::twice(twice, session, words);
        let text = format!("- {}", words.say("ladder.may_have_run_twice", &[("why", &why)]));
        lines.push(Line::new(text, Some(twice.rows[1])));
    }
    lines.extend(added.awaited.as_ref().map(|awaited| waits_for(awaited, words)));
    let mut bytes = words.count("count.bytes", call.argument_bytes());
    if let Some(is_json) = added.is_json {
        let json = words.get(if is_json { "report_text.is_json" } else { "report_text.is_not_json" });
        bytes = format!("{bytes}, {json}");
    }
    let key = if added.arguments.is_some() { "bug.arguments_below" } else { "bug.arguments_left_out" };
    lines.push(words.say(key, &[("bytes", &bytes)]).into());
    match call.approvals().first() {
        None => lines.push(words.get("bug.no_approval").to_owned().into()),
        Some(_) => {
            for approval in call.approvals().iter().take(5).filter_map(|at| facts.approvals.get(*at)) {
                let outcome = super::asked::outcome(approval, words);
                let by = super::asked::by(approval, words);
                let values = [("seq", &*number(approval.asked_seq)), ("outcome", &*outcome), ("by", by)];
                let row = approval.decided_row.or(approval.asked_row);
                lines.push(Line::new(words.say("bug.approval", &values), row));
            }
        }
    }
}

fn waits_for(awaited: &Awaited<'_>, words: &Words) -> Line {
    let call = awaited.call;
    let values = [
        ("session", &*awaited.session),
        ("rule", awaited.rule),
        ("id", &*shown(&call.call_id)),
        ("tool", &*shown(&call.name)),
        ("seq", &*number(call_seq(call))),
        ("class", &*class(call, words)),
        ("basis", basis(call.basis, words)),
    ];
    let row = call.call_row.or(call.message_row);
    Line { text: words.say("bug.awaits", &values), row, is_awaited: true }
}

fn about_event(session: &Session, cited: Cited, lines: &mut Vec<Line>, words: &Words) {
    let Cited::Event(event) = cited else { return };
    let index = &session.index;
    let Some(row) = index.rows.get(event.row) else { return };
    let seq = nth_seq(index, event).unwrap_or_else(|| number(None));
    let line = index.line(event.row).map_or_else(|| number(None), |line| line.to_string());
    let known = usize::from(row.type_id.0) < index.types.len();
    let name = if known { shown(index.types.name(row.type_id)) } else { number(None) };
    let text = words.say("bug.event", &[("type", &name), ("seq", &seq), ("line", &line)]);
    lines.push(Line::new(text, Some(event.row)));
}

/// What a resume would add, record by record.
fn resume(facts: &Facts, words: &Words) -> String {
    let record = |kind: &GhostKind| match kind {
        GhostKind::Result { started: true, .. } => "tool/result (TOOL_OUTCOME_UNKNOWN)",
        GhostKind::Result { started: false, .. } => "tool/result (TOOL_NOT_STARTED)",
        GhostKind::StepEnd { .. } => "step/end",
        GhostKind::TurnEnd { .. } => "turn/end (interrupted)",
    };
    let shown: Vec<&str> = facts.resume.iter().take(8).map(|ghost| record(&ghost.kind)).collect();
    match shown.as_slice() {
        [] => words.get("bug.resume_nothing").to_owned(),
        _ => words.say("bug.resume", &[("records", &shown.join(", "))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::bench::Written;

    fn report(log: &Written, cited: Cited, added: &Added<'_>) -> String {
        let lines = bug_report(&log.session().0, cited, added, &Words::english());
        lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_report_proves_its_class_and_leaves_blanks() {
        let log = Written::new().turn(1).step(1, 1).asks_whole(1, 1, &["a"]).call(1, 1, "a");
        let text = report(&log, Cited::Call(0), &Added::default());
        assert!(text.starts_with("Everything was decoded"), "{text}");
        for part in [
            "TOOL_OUTCOME_UNKNOWN",
            "inferred",
            "session-00000000",
            "`a`",
            "tool `bash`",
            "seq 3",
            "DSH version:",
            "left out",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("/srv/demo-app"), "no path of the log");
        assert!(text.contains("asked in 2, called in 3, no result up to line 5"), "{text}");
        assert!(text.contains("- last record: 2026-09-21T14:13:23.000Z"), "{text}");
        let lines = bug_report(&log.session().0, Cited::Call(0), &Added::default(), &Words::english());
        let rests = |start: &str| lines.iter().find(|line| line.text.starts_with(start)).and_then(|line| line.row);
        assert_eq!(
            (rests("- call"), rests("- class"), rests("- last")),
            (Some(RowIx(3)), Some(RowIx(2)), Some(RowIx(3)))
        );
    }

    #[test]
    fn half_a_log_says_so_and_text_of_a_log_ends_no_block() {
        let torn = Written::new().turn(1).raw("not JSON");
        assert!(report(&torn, Cited::Event(EventRef::default()), &Added::default()).starts_with("NOT everything"));
        let added = Added { arguments: Some("```\n# x".to_owned()), ..Added::default() };
        let log = Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]);
        assert!(report(&log, Cited::Call(0), &added).ends_with("    ```\n    # x"));
    }

    #[test]
    fn a_log_that_is_refused_is_reported_for_that() {
        let broken = Written::new().turn(1).at(9).turn_end(1, "completed");
        let text = report(&broken, Cited::Event(EventRef::default()), &Added::default());
        assert!(text.contains("## harness: refuses, break at line 3: expected seq 1, got 9"), "{text}");
        let ended = Written::new().turn(1).turn_end(1, "completed");
        let text = report(&ended, Cited::Event(EventRef::default()), &Added::default());
        assert!(text.contains("## The log stops: turn 1 ended: completed"), "{text}");
    }

    #[test]
    fn what_is_not_known_is_no_name_and_no_source() {
        let mut session = Written::under("{}").session().0;
        session.facts.format.source = FormatSource::Guessed;
        let lines = bug_report(&session, Cited::Event(EventRef::default()), &Added::default(), &Words::english());
        let text = lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
        for part in ["- session: id not recorded", "- format: 0 (guessed), plain", "- sequence: no event was read"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
