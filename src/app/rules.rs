//! Rule lines of the timeline: what is true of a place, in words (docs/SCREENS.md section 5). Worked out once per reading.

use super::map::Worst;
use super::timeline::RuleView;
use crate::record::header::Header;
use crate::session::row::{Flags, Row, RowIx};
use crate::text::locale::Words;
use crate::text::number::{duration, range};
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::prefixed_id;
use crate::triage::facts::{Break, BreakCause, Facts, LoaderResult, StrayResult};
use crate::triage::session::{Extent, Session};

/// The end of the file: no row has this number.
pub(crate) const END: RowIx = RowIx(u32::MAX);

/// Breaks that get lines of their own; a log with more (a hostile one) keeps the marks of its rows.
pub(crate) const MOST_RULES: usize = 10_000;

/// Where a rule stands at its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// Above the row.
    Above,
    /// Below the row.
    Below,
}

/// A rule: one line or a few that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    /// Its row; [`END`] below the last one.
    pub(crate) at: RowIx,
    /// Above or below it.
    pub(crate) side: Side,
    /// A jump to breaks and damage stops here.
    pub(crate) is_damage: bool,
    /// Shown under a filter too.
    pub(crate) always: bool,
    /// Its lines.
    pub(crate) lines: Vec<RuleView>,
}

impl Rule {
    fn damage(at: RowIx, text: String, role: Role) -> Rule {
        Rule { at, side: Side::Above, is_damage: true, always: true, lines: vec![ruled(text, None, role)] }
    }

    /// What the map shows for it: nothing for a rule that tells of no damage.
    pub(crate) fn worst(&self) -> Option<Worst> {
        let role = self.lines.first().and_then(|line| line.spans.first()).map(|span| span.role);
        self.is_damage.then_some(if role == Some(Role::Warn) { Worst::Torn } else { Worst::Break })
    }
}

fn ruled(text: String, short: Option<String>, role: Role) -> RuleView {
    let span = |text| vec![Span::new(text, role)];
    RuleView { spans: span(text), short: short.map(span), ruled: true }
}

fn note(text: String, role: Role) -> RuleView {
    RuleView { spans: vec![Span::new(text, role)], short: None, ruled: false }
}

/// All rules of a log, in the order of their places. Of one that grows the end is not told: it is not the end.
pub(crate) fn rules(session: &Session, words: &Words, growing: bool) -> Vec<Rule> {
    let facts = &session.facts;
    let mut rules = Vec::new();
    no_header(session, words, &mut rules);
    damage(session, words, growing, &mut rules);
    for found in facts.sequence.breaks.iter().take(MOST_RULES) {
        rules.push(broken(session, found, words));
    }
    fork_cut(session, words, &mut rules);
    strays(facts, words, &mut rules);
    if !growing {
        rules.push(end(facts, words));
    }
    rules.retain(|rule| !rule.lines.is_empty());
    // Stable: damage stands above the break that it causes.
    rules.sort_by_key(|rule| (rule.at, rule.side));
    rules
}

fn no_header(session: &Session, words: &Words, rules: &mut Vec<Rule>) {
    if session.facts.header.is_none() && session.extent == Extent::Whole && !session.index.rows.is_empty() {
        rules.push(Rule::damage(RowIx(0), words.get("rule.no_header").to_owned(), Role::Bad));
    }
}

fn damage(session: &Session, words: &Words, growing: bool, rules: &mut Vec<Rule>) {
    let container = &session.facts.container;
    let rows = session.index.rows.len();
    let place = |row: RowIx| if row.as_usize() < rows { row } else { END };
    for frame in container.damaged_frames.iter().take(MOST_RULES) {
        let text = words.say(
            "rule.damaged_frame",
            &[
                ("frame", &frame.frame.to_string()),
                ("offset", &frame.offset.to_string()),
                ("bytes", &words.count("count.bytes", frame.len)),
                ("why", &display(frame.why.as_bytes())),
            ],
        );
        rules.push(Rule::damage(place(frame.next_row), text, Role::Bad));
    }
    // Foreign bytes name no row: they take the rows after damage that no damaged frame explains, in order.
    let mut free = session.index.rows.iter().enumerate().filter_map(|(at, row)| {
        let at = RowIx(at as u32);
        let explained = || container.damaged_frames.iter().any(|frame| frame.next_row == at);
        (row.flags.has(Flags::AFTER_DAMAGE) && !explained()).then_some(at)
    });
    let places = container.foreign_bytes.iter().map(|at| ("rule.foreign_bytes", at));
    let skipped = container.skippable_frames.iter().map(|at| ("rule.skippable_frame", at));
    let mut stretches: Vec<_> = places.chain(skipped).take(MOST_RULES).collect();
    stretches.sort_by_key(|(_, (offset, _))| *offset);
    for (key, (offset, len)) in stretches {
        let bytes = words.count("count.bytes", *len);
        let text = words.say(key, &[("offset", &offset.to_string()), ("bytes", &bytes)]);
        let at = if container.foreign_bytes.is_empty() { END } else { free.next().unwrap_or(END) };
        rules.push(Rule::damage(at, text, Role::Bad));
    }
    if let Some(torn) = container.torn_tail.as_ref().filter(|_| !growing) {
        let key = if container.complete_frames > 0 { "rule.torn_tail" } else { "rule.torn_line" };
        let text = words.say(
            key,
            &[
                ("offset", &torn.offset.to_string()),
                ("bytes", &words.count("count.bytes", torn.bytes)),
                ("saved", &words.count("rule.saved_records", torn.complete_lines_inside)),
            ],
        );
        rules.push(Rule::damage(place(torn.first_row), text, Role::Warn));
    }
}

/// The word of a cause.
pub(crate) fn cause_key(cause: BreakCause) -> &'static str {
    match cause {
        BreakCause::LateResultAfterRecovery => "rule.cause_late_result",
        BreakCause::TwoWriters => "rule.cause_two_writers",
        BreakCause::LostFrames => "rule.cause_lost_frames",
        BreakCause::LostLines => "rule.cause_lost_lines",
        BreakCause::UnreadableLines => "rule.cause_unreadable_lines",
        BreakCause::Unknown => "rule.cause_unknown",
    }
}

fn broken(session: &Session, found: &Break, words: &Words) -> Rule {
    let facts = &session.facts;
    let (line, expected, got) = (found.line.to_string(), found.expected.to_string(), found.got.to_string());
    let mut text = words.say("rule.break", &[("line", &line), ("expected", &expected), ("got", &got)]);
    text.push(' ');
    if found.got > found.expected {
        let missing = found.got.abs_diff(found.expected);
        let last = found.got.saturating_sub(1);
        let gap = if missing == 1 {
            expected.clone()
        } else {
            words.say("rule.gap", &[("first", &expected), ("last", &last.to_string())])
        };
        text.push_str(&words.count_with("rule.break_missing", missing, &[("range", &gap)]));
    } else {
        text.push_str(&words.say("rule.break_repeats", &[("seq", &got)]));
    }
    let lines = vec![ruled(text, None, Role::Bad)];
    let mut rule = Rule { at: found.row, side: Side::Above, is_damage: true, always: true, lines };
    rule.lines.push(note(words.say("rule.cause", &[("cause", &cause(session, found, words))]), Role::Normal));
    let here = facts.loader.at == Some(found.row);
    let harness = match facts.loader.result {
        Some(LoaderResult::Refuses) if here => {
            words.say("rule.harness_refuses", &[("why", &display(facts.loader.why.as_bytes()))])
        }
        Some(LoaderResult::Refuses) => words.get("rule.harness_refuses_short").to_owned(),
        Some(LoaderResult::LoadsWithoutTail) if here => words.get("rule.harness_drops").to_owned(),
        Some(LoaderResult::Loads | LoaderResult::LoadsTornTail | LoaderResult::LoadsWithoutTail) | None => {
            return rule;
        }
    };
    rule.lines.push(note(harness, Role::Dim));
    rule
}

/// Why the sequence breaks, with the frames that show it.
pub(crate) fn cause(session: &Session, found: &Break, words: &Words) -> String {
    let word = words.get(cause_key(found.cause));
    let index = &session.index;
    let here = index.rows.get(found.row);
    let frame = here.and_then(|row| index.frame(row.block));
    let got = found.got.to_string();
    let damaged = session.facts.container.damaged_frames.iter().rev().find(|frame| frame.next_row == found.row);
    if let (Some(lost), Some(frame)) = (damaged, frame) {
        let values = [("cause", word), ("lost", &lost.frame.to_string()), ("frame", &frame.to_string()), ("got", &got)];
        return words.say("rule.cause_damaged_frame", &values);
    }
    let before = found.row.0.checked_sub(1).and_then(|at| index.rows.get(RowIx(at)));
    let (Some(here), Some(frame), Some(before)) = (here, frame, before) else { return word.to_owned() };
    let (Some(ended), Some(last)) = (index.frame(before.block), before.last_seq()) else { return word.to_owned() };
    if ended == frame {
        return word.to_owned();
    }
    let name = display(index.types.name(before.type_id).as_bytes());
    let later = before.time().zip(here.time()).and_then(|(before, here)| here.0.checked_sub(before.0));
    let key = if last.0 == found.got { "rule.cause_frames_again" } else { "rule.cause_frames" };
    let (ended, last, frame) = (ended.to_string(), last.0.to_string(), frame.to_string());
    let name = name.rsplit('/').next().unwrap_or_default();
    let places = [("ended", ended.as_str()), ("last", &last), ("type", name), ("frame", &frame), ("got", &got)];
    let places = words.say(key, &places);
    match later.filter(|later| *later >= 0) {
        Some(later) => {
            let values = [("cause", word), ("places", &places), ("time", &duration(later))];
            words.say("rule.cause_places_later", &values)
        }
        None => words.say("rule.cause_places", &[("cause", word), ("places", &places)]),
    }
}

fn fork_cut(session: &Session, words: &Words, rules: &mut Vec<Rule>) {
    let inherited = session.facts.inherited;
    let Some(cut) = inherited.cut_row else { return };
    let rows = &session.index.rows;
    let first = session.facts.sequence.first.unwrap_or(0);
    let before = cut.0.checked_sub(1).and_then(|at| rows.get(RowIx(at))).and_then(Row::last_seq);
    let last = before.map_or(first, |seq| seq.0);
    let copied = range(first.unsigned_abs(), last.unsigned_abs());
    let header = session.facts.header.as_ref();
    let length = header.and_then(|header| header.seed_length).map_or(inherited.events.to_string(), |n| n.to_string());
    let parent = header.and_then(|header: &Header| header.parent_session.as_ref());
    let short = words.say("rule.fork_cut_parentless", &[("range", &copied), ("length", &length)]);
    let text = parent.map_or_else(
        || short.clone(),
        |parent| {
            let parent = prefixed_id(&display(parent.as_bytes()));
            words.say("rule.fork_cut", &[("range", &copied), ("parent", &parent), ("length", &length)])
        },
    );
    let at = if cut.as_usize() < rows.len() { cut } else { END };
    let lines = vec![ruled(text, Some(short), Role::Accent)];
    rules.push(Rule { at, side: Side::Above, is_damage: false, always: true, lines });
}

fn strays(facts: &Facts, words: &Words, rules: &mut Vec<Rule>) {
    for stray in facts.results_without_call.iter().filter(|stray| stray.second_for.is_none()).take(MOST_RULES) {
        let line = note(lost_call(facts, stray, words), Role::Warn);
        rules.push(Rule { at: stray.row, side: Side::Below, is_damage: false, always: false, lines: vec![line] });
    }
}

/// Where the call of a result went, as far as the file shows it.
fn lost_call(facts: &Facts, stray: &StrayResult, words: &Words) -> String {
    // In the sequence its call stood before it.
    let damaged = facts.container.damaged_frames.iter().rev().find(|frame| frame.next_row <= stray.row);
    match damaged {
        Some(frame) => words.say("rule.call_lost", &[("frame", &frame.frame.to_string())]),
        None => words.get("rule.call_missing").to_owned(),
    }
}

/// The rule between the last row and the records that a resume would add; without lines where there are none.
fn end(facts: &Facts, words: &Words) -> Rule {
    let n = facts.resume.len();
    let count = words.number(n as u64);
    let line = facts.container.lines.to_string();
    let key = if n == 1 { "rule.end_of_file_one" } else { "rule.end_of_file" };
    let text = words.say(key, &[("line", &line), ("n", &count)]);
    let short = words.say("rule.end_of_file_short", &[("n", &count)]);
    let lines = if n == 0 { Vec::new() } else { vec![ruled(text, Some(short), Role::Warn)] };
    Rule { at: END, side: Side::Above, is_damage: false, always: false, lines }
}
