//! Question 2: is it whole, and what would the harness do with it?

use super::made_of::proof_lines;
use super::page::{Mark, Page};
use super::said::{clean, number, shown, shown_or};
use crate::log::sniff::Encoding;
use crate::text::locale::Words;
use crate::text::number::range;
use crate::triage::breaks::proof;
use crate::triage::detail::cause_key;
use crate::triage::facts::{BadLineAt, Break, Facts, Ghost, GhostKind, LoaderResult, UnknownType};

/// Every break with its cause, every damage with its place, what the harness would do and what a resume would add.
pub(super) fn is_it_whole(page: &mut Page<'_>) {
    answer(page);
    page.proofs_at(&page.facts.sequence.breaks, |found| Some(found.row), broken);
    break_proofs(page);
    damage(page);
    lines(page);
    page.proofs(&page.facts.unknown_types, unknown);
    harness(page);
    page.blank();
}

/// What proves the first breaks, and what follows from them.
fn break_proofs(page: &mut Page<'_>) {
    let (session, words) = (page.session, page.words);
    for found in session.facts.sequence.breaks.iter().take(MOST_PROVEN) {
        for (text, row) in proof_lines(session, &proof(session, found), words) {
            page.proof(&words.say("made_of.at_line", &[("line", &found.line.to_string()), ("text", &text)]));
            page.leads(row);
        }
    }
}

/// Breaks whose proof is told: the first explains the others most often.
const MOST_PROVEN: usize = 3;

fn answer(page: &mut Page<'_>) {
    let (words, facts) = (page.words, page.facts);
    if facts.container.file_bytes == 0 {
        page.answer(2, Mark::Wrong, words.get("odd.empty_title"));
        page.proof(words.get("odd.empty_sense"));
        return;
    }
    let wrong = what_is_wrong(facts, words);
    let refused = facts.loader.result == Some(LoaderResult::Refuses);
    let size = size(page);
    if !wrong.is_empty() {
        let only_the_end = facts.sequence.is_whole() && !facts.container.is_damaged() && !refused;
        let mark = if only_the_end { Mark::Look } else { Mark::Wrong };
        page.answer(2, mark, &words.say("pass.not_whole", &[("why", &wrong.join(", "))]));
        let damaged = facts.container.damaged_frames.first().map(|frame| frame.next_row);
        page.leads(facts.sequence.breaks.first().map(|found| found.row).or(damaged));
        return match facts.sequence.first {
            Some(_) => page.proof(&format!("{}, {size}", span(facts, words))),
            None => page.proof(&size),
        };
    }
    let mark = match facts.loader.result {
        Some(LoaderResult::Refuses) => Mark::Wrong,
        Some(LoaderResult::LoadsTornTail | LoaderResult::LoadsWithoutTail) | None => Mark::Look,
        Some(LoaderResult::Loads) => Mark::Fine,
    };
    let text = match facts.sequence.first.zip(facts.sequence.last) {
        Some((first, last)) => {
            let values = [("first", &*first.to_string()), ("last", &*last.to_string()), ("size", &*size)];
            words.say(if refused { "pass.whole_refused" } else { "pass.whole" }, &values)
        }
        None => format!("{}, {size}", words.get("pass.whole_empty")),
    };
    page.answer(2, mark, &text);
}

fn size(page: &Page<'_>) -> String {
    let (words, container) = (page.words, &page.facts.container);
    let events = words.count("count.events", container.events);
    let lines = container.lines.saturating_sub(u64::from(page.session.index.header_lines));
    let lines = words.count("count.lines", lines);
    let frames = words.count("count.frames", container.complete_frames);
    let key = match container.encoding {
        Encoding::Zstd => "sequence.events_in_lines_frames",
        Encoding::Plain => "sequence.events_in_lines",
    };
    words.say(key, &[("events", &events), ("lines", &lines), ("frames", &frames)])
}

/// `seq 0-29`, with where it breaks told elsewhere.
fn span(facts: &Facts, words: &Words) -> String {
    let range = format!("{}-{}", number(facts.sequence.first), number(facts.sequence.last));
    let key = if facts.sequence.is_whole() { "sequence.whole" } else { "sequence.broken" };
    words.say(key, &[("range", &range)])
}

fn what_is_wrong(facts: &Facts, words: &Words) -> Vec<String> {
    let container = &facts.container;
    let counted = [
        ("count.breaks", facts.sequence.breaks.len()),
        ("count.damaged_frames", container.damaged_frames.len()),
        ("count.foreign", container.foreign_bytes.len()),
        ("count.damages", container.skippable_frames.len()),
        ("count.bad_lines", container.bad_lines.len()),
    ];
    let counted = counted.into_iter().filter(|(_, n)| *n > 0).map(|(key, n)| words.count(key, n as u64));
    let torn = container.torn_tail.map(|_| words.get("sequence.torn_tail").to_owned());
    let no_header = facts.header.is_none().then(|| words.get("header.no_header").to_owned());
    no_header.into_iter().chain(counted).chain(torn).collect()
}

fn broken(page: &Page<'_>, found: &Break) -> String {
    let words = page.words;
    let (line, expected, got) = (found.line.to_string(), found.expected.to_string(), found.got_text());
    let text = words.say("rule.break", &[("line", &line), ("expected", &expected), ("got", &got)]);
    let cause = words.get(cause_key(found.cause));
    let missing = match (u64::try_from(found.expected), u64::try_from(found.got.unwrap_or(-1))) {
        (Ok(expected), Ok(got)) if got > expected => {
            let range = range(expected, got - 1);
            format!(" {}", words.count_with("rule.break_missing", got - expected, &[("range", &range)]))
        }
        _ => String::new(),
    };
    let repeated = repeated(page, found);
    format!("{text}{missing}{repeated} {}", words.say("rule.cause", &[("cause", cause)]))
}

/// The numbers that come again here.
fn repeated(page: &Page<'_>, found: &Break) -> String {
    let all = &page.facts.sequence.repeated;
    let Some(got) = found.got else { return String::new() };
    let from = all.partition_point(|seq| *seq < got);
    let to = all.partition_point(|seq| *seq < found.expected);
    match all.get(from..to) {
        Some([seq]) => format!(" {}", page.words.say("rule.break_repeats", &[("seq", &seq.to_string())])),
        Some([first, .., last]) => {
            format!(" {}", page.words.say("rule.break_repeats_many", &[("range", &format!("{first}-{last}"))]))
        }
        Some([]) | None => String::new(),
    }
}

fn damage(page: &mut Page<'_>) {
    let container = &page.facts.container;
    let bytes = |page: &Page<'_>, len: u64| page.words.count("count.bytes", len);
    page.proofs(&container.damaged_frames, |page, frame| {
        let (number, offset, len) = (frame.frame.to_string(), frame.offset.to_string(), bytes(page, frame.len));
        let why = clean(&frame.why);
        let values = [("frame", number.as_str()), ("offset", &offset), ("bytes", &len), ("why", &why)];
        page.words.say("rule.damaged_frame", &values)
    });
    for (key, stretches) in
        [("rule.foreign_bytes", &container.foreign_bytes), ("rule.skippable_frame", &container.skippable_frames)]
    {
        page.proofs(stretches, |page, (offset, len)| {
            page.words.say(key, &[("offset", &offset.to_string()), ("bytes", &bytes(page, *len))])
        });
    }
    let Some(torn) = container.torn_tail else { return };
    let saved = page.words.count("rule.saved_records", torn.complete_lines_inside);
    let (offset, len) = (torn.offset.to_string(), bytes(page, torn.bytes));
    let key = match container.encoding {
        Encoding::Zstd => "rule.torn_tail",
        Encoding::Plain => "rule.torn_line",
    };
    page.proof(&page.words.say(key, &[("offset", &offset), ("bytes", &len), ("saved", &saved)]));
}

fn lines(page: &mut Page<'_>) {
    let (words, container) = (page.words, &page.facts.container);
    page.proofs(&container.bad_lines, |page, bad| {
        page.words.say("rule.bad_line", &[("line", &bad.line.to_string()), ("why", &why_bad(bad))])
    });
    let not_utf8 = &container.lines_not_utf8;
    if !not_utf8.is_empty() {
        let mut numbers: Vec<String> = not_utf8.iter().take(MOST_LINES).map(ToString::to_string).collect();
        if not_utf8.len() > MOST_LINES {
            numbers.push("⋯".to_owned());
        }
        let values = [("lines", &*numbers.join(", "))];
        page.proof(&words.count_with("report_text.not_utf8", not_utf8.len() as u64, &values));
    }
    if container.byte_order_mark {
        page.proof(words.get("rule.byte_order_mark"));
    }
    for (key, n) in [("report_text.split", container.split_lines), ("report_text.crlf", container.crlf_lines)] {
        if n > 0 {
            page.proof(&words.count(key, n));
        }
    }
}

/// Line numbers named before the rest is only counted.
const MOST_LINES: usize = 10;

fn why_bad(bad: &BadLineAt) -> String {
    if bad.detail.is_empty() { bad.why.to_owned() } else { format!("{}: {}", bad.why, clean(&bad.detail)) }
}

fn unknown(page: &Page<'_>, event: &UnknownType) -> String {
    let words = page.words;
    let name = shown_or(event.name.as_ref(), words.get("missing.no_type"));
    let key = if event.ignorable { "report_text.is_ignorable" } else { "report_text.not_ignorable" };
    let values = [("type", name.as_str()), ("seq", &number(event.seq)), ("ignorable", words.get(key))];
    words.say("report_text.unknown_type", &values)
}

/// What the harness would do, and the records that a resume would add.
fn harness(page: &mut Page<'_>) {
    let (words, facts) = (page.words, page.facts);
    let why = clean(&facts.loader.why);
    let dropped = facts.container.events.saturating_sub(facts.loader.kept_events);
    let text = match facts.loader.result {
        Some(LoaderResult::Loads) if facts.resume.is_empty() => words.get("pass.harness_nothing").to_owned(),
        Some(LoaderResult::Loads) => words.count("pass.harness_adds", facts.resume.len() as u64),
        Some(LoaderResult::LoadsTornTail) => words.get("pass.harness_torn").to_owned(),
        Some(LoaderResult::LoadsWithoutTail) => format!("{}: {why}", words.count("pass.harness_drops", dropped)),
        Some(LoaderResult::Refuses) => words.say("pass.harness_refuses", &[("why", &why)]),
        None => words.get("pass.harness_unknown").to_owned(),
    };
    page.proof(text.trim_end_matches([':', ' ']));
    page.leads(facts.loader.at);
    if facts.resume.is_empty() || page.brief {
        return;
    }
    page.proof(words.get("report_text.adds"));
    page.proofs(&facts.resume, ghost);
}

fn ghost(page: &Page<'_>, ghost: &Ghost) -> String {
    ghost_text(ghost, page.words)
}

/// A record that a resume would add.
pub(crate) fn ghost_text(ghost: &Ghost, words: &Words) -> String {
    let seq = ghost.seq.to_string();
    let text = match &ghost.kind {
        GhostKind::Result { call_id, name, started } => {
            let code = if *started { "TOOL_OUTCOME_UNKNOWN" } else { "TOOL_NOT_STARTED" };
            let values = [("seq", seq.as_str()), ("tool", &shown(name)), ("id", &shown(call_id)), ("code", code)];
            words.say("report_text.ghost_result", &values)
        }
        GhostKind::StepEnd { turn, step } => {
            let values = [("seq", seq.as_str()), ("turn", &turn.to_string()), ("step", &step.to_string())];
            words.say("report_text.ghost_step", &values)
        }
        GhostKind::TurnEnd { turn } => {
            words.say("report_text.ghost_turn", &[("seq", &seq), ("turn", &turn.to_string())])
        }
    };
    format!("+ {text}")
}
