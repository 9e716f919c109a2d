//! What is wrong with a query, and where.

use std::fmt;

use crate::text::locale::Words;
use crate::text::sanitize::one_line;

/// Columns of what was typed that a complaint repeats.
const SHOWN: usize = 24;

/// What is wrong with a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Character at which it is wrong, counted from 1; one behind the last where something is missing at the end.
    pub column: usize,
    /// What is wrong.
    pub what: Complaint,
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Complaint {
    /// A key without a value; an example of one.
    NoValue(&'static str),
    /// A quotation that is not closed.
    OpenQuote,
    /// A bracket that is not closed.
    OpenBracket,
    /// Nothing stands behind `or`, `and`, `not` or `!`.
    NothingAfter,
    /// `or` or `and` with nothing before it.
    NothingBefore,
    /// `()`.
    EmptyBrackets,
    /// `)` without `(`.
    StrayBracket,
    /// A word before `:` or `~` that is no key.
    UnknownKey(String),
    /// The key takes the other of `:` and `~`; an example.
    WrongSign(&'static str),
    /// No number, range or comparison.
    NoNumber,
    /// A number beyond what a log can hold.
    NumberTooLarge,
    /// The range ends before it begins.
    Backwards,
    /// No duration.
    NoDuration,
    /// A duration without a unit.
    NoUnit,
    /// A duration without `>`, `<` or `..`.
    NoComparison,
    /// No time of day or date.
    NoMoment,
    /// `is:` of something unknown.
    UnknownIs(String),
    /// `state:` of something unknown.
    UnknownState(String),
    /// The pattern cannot be read: the reason.
    BadPattern(String),
    /// Brackets or negations too deep.
    TooDeep,
    /// Too many terms.
    TooMany,
    /// Too many characters.
    TooLong,
}

impl Fault {
    /// Whether typing on may mend it: something is missing at the end.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        match self.what {
            Complaint::NoValue(_) | Complaint::OpenQuote | Complaint::OpenBracket | Complaint::NothingAfter => true,
            Complaint::NothingBefore
            | Complaint::EmptyBrackets
            | Complaint::StrayBracket
            | Complaint::UnknownKey(_)
            | Complaint::WrongSign(_)
            | Complaint::NoNumber
            | Complaint::NumberTooLarge
            | Complaint::Backwards
            | Complaint::NoDuration
            | Complaint::NoUnit
            | Complaint::NoComparison
            | Complaint::NoMoment
            | Complaint::UnknownIs(_)
            | Complaint::UnknownState(_)
            | Complaint::BadPattern(_)
            | Complaint::TooDeep
            | Complaint::TooMany
            | Complaint::TooLong => false,
        }
    }

    /// One printable line: `column 25: a duration needs a unit: 30ms 30s 5m 2h`.
    #[must_use]
    pub fn say(&self, words: &Words) -> String {
        let shown = |text: &str| one_line(text.as_bytes(), SHOWN);
        let what = match &self.what {
            Complaint::NoValue(example) => words.say("query.no_value", &[("example", example)]),
            Complaint::OpenQuote => words.get("query.open_quote").to_owned(),
            Complaint::OpenBracket => words.get("query.open_bracket").to_owned(),
            Complaint::NothingAfter => words.get("query.nothing_after").to_owned(),
            Complaint::NothingBefore => words.get("query.nothing_before").to_owned(),
            Complaint::EmptyBrackets => words.get("query.empty_brackets").to_owned(),
            Complaint::StrayBracket => words.get("query.stray_bracket").to_owned(),
            Complaint::UnknownKey(key) => words.say("query.unknown_key", &[("key", &shown(key))]),
            Complaint::WrongSign(example) => words.say("query.wrong_sign", &[("example", example)]),
            Complaint::NoNumber => words.get("query.no_number").to_owned(),
            Complaint::NumberTooLarge => words.get("query.too_large").to_owned(),
            Complaint::Backwards => words.get("query.backwards").to_owned(),
            Complaint::NoDuration => words.get("query.no_duration").to_owned(),
            Complaint::NoUnit => words.get("query.no_unit").to_owned(),
            Complaint::NoComparison => words.get("query.no_comparison").to_owned(),
            Complaint::NoMoment => words.get("query.no_moment").to_owned(),
            Complaint::UnknownIs(value) => words.say("query.unknown_is", &[("value", &shown(value))]),
            Complaint::UnknownState(value) => words.say("query.unknown_state", &[("value", &shown(value))]),
            Complaint::BadPattern(why) => words.say("query.bad_pattern", &[("why", &one_line(why.as_bytes(), 80))]),
            Complaint::TooDeep => words.get("query.too_deep").to_owned(),
            Complaint::TooMany => words.get("query.too_many").to_owned(),
            Complaint::TooLong => words.get("query.too_long").to_owned(),
        };
        words.say("query.at_column", &[("column", &self.column.to_string()), ("what", &what)])
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(&Words::english()))
    }
}
