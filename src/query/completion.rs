//! Help while a query is typed: what may follow, and which part of it is finished.

use std::collections::BTreeMap;

use super::ast::{Is, Query, State};
use super::fault::{Complaint, Fault};
use super::parse::ends_word;
use super::words::{Key, WORDS};
use crate::text::wire::WireText;
use crate::triage::facts::{Call, CallState, Facts};
use crate::triage::ledger::ran_unasked;

/// Values offered at most.
const MOST: usize = 200;

/// What a log holds, to be offered as values; most frequent first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary {
    values: Vec<(Key, Vec<(String, Note)>)>,
}

/// What is said beside an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// What a key selects: key of its words in the language file.
    Key(&'static str),
    /// That many events.
    Events(u64),
    /// That many calls.
    Calls(u64),
    /// That many questions.
    Questions(u64),
    /// That many times.
    Times(u64),
    /// Nothing.
    None,
}

/// Something that may stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The whole word.
    pub text: String,
    /// What is said beside it.
    pub note: Note,
}

/// What may stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// Byte at which the word begins.
    pub from: usize,
    /// What it may become; keys first.
    pub offers: Vec<Offer>,
}

/// What a text that is being typed says so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// All of it.
    Whole(Query),
    /// The part before the word that is not finished.
    Part(Query),
    /// It is wrong.
    Wrong(Fault),
}

impl Vocabulary {
    /// The values of a log.
    #[must_use]
    pub fn of(facts: &Facts) -> Vocabulary {
        let types = facts.event_types.iter().map(|(name, events)| (name.to_report(), Note::Events(*events)));
        let names = facts.calls.iter().map(|call| &*call.name).chain(facts.sub_calls.iter().map(|call| &call.name));
        let codes = facts.calls.iter().filter_map(|call| call.error_code.as_ref());
        let codes = codes.chain(facts.retries.iter().filter_map(|retry| retry.failure.code.as_ref()));
        let failures = facts.turns.iter().filter_map(|turn| turn.failure.as_ref()?.code.as_ref());
        let ids = facts.calls.iter().map(|call| (call.call_id.to_report(), Note::None));
        Vocabulary {
            values: vec![
                (Key::Type, types.collect()),
                (Key::Tool, counted(names, Note::Calls)),
                (Key::Code, counted(codes.chain(failures), Note::Times)),
                (Key::Call, ids.collect()),
                (Key::Approval, approvals(facts)),
                (Key::State, states(facts)),
                (Key::Is, Is::ALL.into_iter().map(|is| (is.name().to_owned(), Note::None)).collect()),
            ],
        }
    }

    fn of_key(&self, key: Key) -> &[(String, Note)] {
        self.values.iter().find(|(own, _)| *own == key).map_or(&[], |(_, values)| values)
    }
}

/// Names with how often they occur, most frequent first.
fn counted<'a>(names: impl Iterator<Item = &'a WireText>, note: fn(u64) -> Note) -> Vec<(String, Note)> {
    let mut counts: BTreeMap<&WireText, u64> = BTreeMap::new();
    for name in names.filter(|name| !name.is_empty()) {
        *counts.entry(name).or_default() += 1;
    }
    let mut counts: Vec<(&WireText, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(name, count)| (name.to_report(), note(count))).collect()
}

fn approvals(facts: &Facts) -> Vec<(String, Note)> {
    let outcomes = facts.approvals.iter().filter_map(|approval| approval.outcome.as_ref());
    let mut values = counted(outcomes, Note::Questions);
    let open = facts.approvals.iter().filter(|approval| approval.outcome.is_none()).count() as u64;
    if open > 0 {
        values.push(("open".to_owned(), Note::Questions(open)));
    }
    let unasked = |call: &&Call| ran_unasked(call);
    values.push(("none".to_owned(), Note::Calls(facts.calls.iter().filter(unasked).count() as u64)));
    values
}

fn states(facts: &Facts) -> Vec<(String, Note)> {
    let count = |state: CallState| facts.calls.iter().filter(|call| call.state == state).count() as u64;
    let of = |state: State| match state {
        State::Completed => CallState::Completed,
        State::Failed => CallState::Failed,
        State::NotStarted => CallState::NotStarted,
        State::OutcomeUnknown => CallState::OutcomeUnknown,
    };
    State::ALL.into_iter().map(|state| (state.name().to_owned(), Note::Calls(count(of(state))))).collect()
}

/// What may stand at the cursor, a byte of the text: keys, or values of the key at hand.
#[must_use]
pub fn complete(text: &str, cursor: usize, vocabulary: &Vocabulary) -> Completion {
    let before = text.get(..cursor).unwrap_or(text);
    let from = word_start(before);
    let word = &before[from..];
    let Some((name, value)) = word.split_once(':') else {
        let fits = WORDS.iter().filter(|known| known.name.starts_with(word));
        let offers =
            fits.map(|known| Offer { text: format!("{}{}", known.name, known.sign), note: Note::Key(known.help) });
        return Completion { from, offers: offers.collect() };
    };
    let values = Key::of_name(name).map_or(&[][..], |key| vocabulary.of_key(key));
    let offers = values.iter().filter_map(|(text, note)| {
        let written = written(text);
        written.starts_with(value).then(|| Offer { text: format!("{name}:{written}"), note: *note })
    });
    Completion { from, offers: offers.take(MOST).collect() }
}

/// A value as it is written: in quotation marks where it would be read otherwise.
fn written(value: &str) -> String {
    let plain = !value.is_empty() && !value.contains(|char: char| ends_word(char) || matches!(char, '"' | '*' | '\\'));
    if plain { value.to_owned() } else { format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// Where the last word of a text begins; quotation marks hold words together.
fn word_start(text: &str) -> usize {
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (at, char) in text.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '!' if at == start => start = at + 1,
            _ if ends_word(char) => start = at + char.len_utf8(),
            _ => {}
        }
    }
    start
}

/// What a text that is being typed says: a word at its end that may become another is not counted yet.
#[must_use]
pub fn typed(text: &str, vocabulary: &Vocabulary) -> Typed {
    let completion = complete(text, text.len(), vocabulary);
    let word = &text[completion.from..];
    let open = !word.is_empty() && !word.contains('*') && !completion.offers.is_empty();
    if open && completion.offers.iter().all(|offer| offer.text != word) {
        return part(text[..completion.from].to_owned());
    }
    match Query::parse(text) {
        Ok(query) => Typed::Whole(query),
        Err(fault) if fault.is_unfinished() => part(text.to_owned()),
        Err(fault) => Typed::Wrong(fault),
    }
}

/// Takes what is not finished off the end until the rest can be read.
fn part(mut text: String) -> Typed {
    loop {
        let trimmed = text.trim_end().len();
        text.truncate(trimmed);
        let fault = match Query::parse(&text) {
            Ok(query) => return Typed::Part(query),
            Err(fault) => fault,
        };
        if !fault.is_unfinished() {
            return Typed::Wrong(fault);
        }
        // Each round makes the text shorter, but for a bracket that is closed where something stands in it.
        if fault.what == Complaint::OpenBracket && !text.ends_with('(') {
            text.push(')');
            continue;
        }
        let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
        let cut = if text.ends_with(['!', '(']) { last } else { word_start(&text).min(last) };
        text.truncate(cut);
    }
}
