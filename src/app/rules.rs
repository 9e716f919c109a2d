//! Rule lines of the timeline: what is true of a place, in words (docs/SCREENS.md section 5). Worked out once per reading.

use super::map::Worst;
use super::timeline::RuleView;
use crate::record::header::Header;
use crate::session::row::{Flags, Row, RowIx};
use crate::text::locale::Words;
use crate::text::number::range;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::prefixed_id;
use crate::triage::detail::{Damage, break_cause, break_harness, break_text, frame_text, torn_text};
use crate::triage::facts::{Break, Facts, StrayResult};
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
    /// What the detail says of it; nothing: what it says of the row.
    pub(crate) about: Option<Damage>,
    /// Its lines.
    pub(crate) lines: Vec<RuleView>,
}

impl Rule {
    fn damage(at: RowIx, text: String, role: Role, about: Option<Damage>) -> Rule {
        Rule { at, side: Side::Above, is_damage: true, always: true, about, lines: vec![ruled(text, None, role)] }
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
    for (at, found) in facts.sequence.breaks.iter().enumerate().take(MOST_RULES) {
        rules.push(broken(session, at, found, words));
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
        rules.push(Rule::damage(RowIx(0), words.get("rule.no_header").to_owned(), Role::Bad, None));
    }
}

fn damage(session: &Session, words: &Words, growing: bool, rules: &mut Vec<Rule>) {
    let container = &session.facts.container;
    let rows = session.index.rows.len();
    let place = |row: RowIx| if row.as_usize() < rows { row } else { END };
    for (at, frame) in container.damaged_frames.iter().enumerate().take(MOST_RULES) {
        let about = Some(Damage::Frame(at));
        rules.push(Rule::damage(place(frame.next_row), frame_text(frame, words), Role::Bad, about));
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
        rules.push(Rule::damage(at, text, Role::Bad, None));
    }
    if let Some(torn) = container.torn_tail.as_ref().filter(|_| !growing) {
        let text = torn_text(session, torn, words);
        rules.push(Rule::damage(place(torn.first_row), text, Role::Warn, Some(Damage::TornTail)));
    }
}

fn broken(session: &Session, at: usize, found: &Break, words: &Words) -> Rule {
    let text = break_text(found, words);
    let mut rule = Rule::damage(found.row, text, Role::Bad, Some(Damage::Break(at)));
    let cause = words.say("rule.cause", &[("cause", &break_cause(session, found, words))]);
    rule.lines.push(note(cause, Role::Normal));
    rule.lines.extend(break_harness(session, found, words).map(|text| note(text, Role::Dim)));
    rule
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
    rules.push(Rule { at, side: Side::Above, is_damage: false, always: true, about: None, lines });
}

fn strays(facts: &Facts, words: &Words, rules: &mut Vec<Rule>) {
    for stray in facts.results_without_call.iter().filter(|stray| stray.second_for.is_none()).take(MOST_RULES) {
        let line = note(lost_call(facts, stray, words), Role::Warn);
        rules.push(Rule {
            at: stray.row,
            side: Side::Below,
            is_damage: false,
            always: false,
            about: None,
            lines: vec![line],
        });
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
    Rule { at: END, side: Side::Above, is_damage: false, always: false, about: None, lines }
}
