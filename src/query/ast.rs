//! A query as it was understood, and its text again.

use std::fmt;

use super::fault::Fault;
use super::needle::Needle;
use super::parse;
use super::words::Key;

/// A query. [`fmt::Display`] writes it so that parsing gives the same again; [`Query::text`] is what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: String,
    root: Option<Expr>,
}

impl Query {
    /// Reads a query; an empty one selects everything.
    pub fn parse(text: &str) -> Result<Query, Fault> {
        Ok(Query { text: text.trim().to_owned(), root: parse::parse(text)? })
    }

    /// What was typed, without blanks around it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it says; `None`: everything.
    #[must_use]
    pub fn root(&self) -> Option<&Expr> {
        self.root.as_ref()
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.as_ref().map_or(Ok(()), |root| write!(f, "{root}"))
    }
}

/// Terms and how they are joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// All of them; at least two.
    All(Vec<Expr>),
    /// One of them at least; at least two.
    Any(Vec<Expr>),
    /// Not this.
    Not(Box<Expr>),
    /// A term.
    Term(Term),
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::All(parts) => join(f, parts, " ", |part| matches!(part, Expr::All(_) | Expr::Any(_))),
            Expr::Any(parts) => join(f, parts, " or ", |part| matches!(part, Expr::Any(_))),
            Expr::Not(inner) => match **inner {
                Expr::Term(_) | Expr::Not(_) => write!(f, "!{inner}"),
                Expr::All(_) | Expr::Any(_) => write!(f, "!({inner})"),
            },
            Expr::Term(term) => write!(f, "{term}"),
        }
    }
}

fn join(f: &mut fmt::Formatter<'_>, parts: &[Expr], by: &str, brackets: impl Fn(&Expr) -> bool) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        f.write_str(if at == 0 { "" } else { by })?;
        if brackets(part) {
            write!(f, "({part})")?;
        } else {
            write!(f, "{part}")?;
        }
    }
    Ok(())
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// `type:tool/*`
    Type(Glob),
    /// `tool:bash`
    Tool(Glob),
    /// `call:call_03*`
    Call(Glob),
    /// `turn:3`
    Turn(Bounds),
    /// `step:1..2`
    Step(Bounds),
    /// `seq:100..`
    Seq(Bounds),
    /// `depth:>0`
    Depth(Bounds),
    /// `is:unpaired`
    Is(Is),
    /// `state:outcome_unknown`
    State(State),
    /// `code:RATE_LIMIT`
    Code(Glob),
    /// `approval:rejected`
    Approval(Glob),
    /// `waited:>30s`, milliseconds
    Waited(Bounds),
    /// `took:>5s`, milliseconds
    Took(Bounds),
    /// `after:16:05`
    After(Moment),
    /// `arg~"rm -rf"`
    Arg(Needle),
    /// `text~retry`, and a bare word
    Text(Needle),
}

impl Term {
    /// Its key.
    #[must_use]
    pub fn key(&self) -> Key {
        match self {
            Term::Type(_) => Key::Type,
            Term::Tool(_) => Key::Tool,
            Term::Call(_) => Key::Call,
            Term::Turn(_) => Key::Turn,
            Term::Step(_) => Key::Step,
            Term::Seq(_) => Key::Seq,
            Term::Depth(_) => Key::Depth,
            Term::Is(_) => Key::Is,
            Term::State(_) => Key::State,
            Term::Code(_) => Key::Code,
            Term::Approval(_) => Key::Approval,
            Term::Waited(_) => Key::Waited,
            Term::Took(_) => Key::Took,
            Term::After(_) => Key::After,
            Term::Arg(_) => Key::Arg,
            Term::Text(_) => Key::Text,
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.key().word();
        write!(f, "{}{}", word.name, word.sign)?;
        match self {
            Term::Type(glob) | Term::Tool(glob) | Term::Call(glob) | Term::Code(glob) | Term::Approval(glob) => {
                write!(f, "{glob}")
            }
            Term::Turn(bounds) | Term::Step(bounds) | Term::Seq(bounds) | Term::Depth(bounds) => bounds.write(f, ""),
            Term::Waited(bounds) | Term::Took(bounds) => bounds.write(f, "ms"),
            Term::Is(is) => f.write_str(is.name()),
            Term::State(state) => f.write_str(state.name()),
            Term::After(moment) => write!(f, "{moment}"),
            Term::Arg(needle) | Term::Text(needle) if needle.is_pattern() => f.write_str(needle.text()),
            Term::Arg(needle) | Term::Text(needle) => quote(f, needle.text()),
        }
    }
}

/// A text in quotation marks.
fn quote(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text to compare with: `*` stands for anything unless it was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    pub(super) text: String,
    pub(super) quoted: bool,
}

impl Glob {
    /// Whether a text is meant.
    #[must_use]
    pub fn fits(&self, text: &[u8]) -> bool {
        self.fits_by(text, u8::eq)
    }

    /// The same; capital letters of ASCII count as small ones.
    #[must_use]
    pub fn fits_any_case(&self, text: &[u8]) -> bool {
        self.fits_by(text, u8::eq_ignore_ascii_case)
    }

    /// As written, without quotation marks.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Time grows with the product of both lengths at worst; nothing nests.
    fn fits_by(&self, text: &[u8], same: impl Fn(&u8, &u8) -> bool) -> bool {
        let pattern = self.text.as_bytes();
        let (mut at, mut here) = (0, 0);
        // Where to go on when what follows the last star does not fit: one character further.
        let mut retry: Option<(usize, usize)> = None;
        while here < text.len() {
            if !self.quoted && pattern.get(at) == Some(&b'*') {
                at += 1;
                retry = Some((at, here));
            } else if pattern.get(at).is_some_and(|byte| same(byte, &text[here])) {
                at += 1;
                here += 1;
            } else if let Some((star, from)) = retry {
                (at, here) = (star, from + 1);
                retry = Some((star, from + 1));
            } else {
                return false;
            }
        }
        pattern[at.min(pattern.len())..].iter().all(|byte| !self.quoted && *byte == b'*')
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.quoted { quote(f, &self.text) } else { f.write_str(&self.text) }
    }
}

/// A range of numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The least; `None`: no limit.
    pub from: Option<i64>,
    /// The greatest; `None`: no limit.
    pub to: Option<i64>,
}

impl Bounds {
    /// Whether a number lies within.
    #[must_use]
    pub fn hold(self, number: i64) -> bool {
        self.from.is_none_or(|from| from <= number) && self.to.is_none_or(|to| number <= to)
    }

    fn write(self, f: &mut fmt::Formatter<'_>, unit: &str) -> fmt::Result {
        if let (Some(from), true, true) = (self.from, self.from == self.to, unit.is_empty()) {
            return write!(f, "{from}");
        }
        self.from.map_or(Ok(()), |from| write!(f, "{from}{unit}"))?;
        f.write_str("..")?;
        self.to.map_or(Ok(()), |to| write!(f, "{to}{unit}"))
    }
}

/// What `is:` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Is {
    /// Belongs to something that was opened and not closed, or closes what was never opened.
    Unpaired,
    /// Something went wrong in this event.
    Error,
    /// Not on the surface: the chat hides it.
    Hidden,
    /// On the surface: the model saw it.
    Surface,
    /// Copied by a fork.
    Inherited,
}

impl Is {
    /// All of them.
    pub const ALL: [Is; 5] = [Is::Unpaired, Is::Error, Is::Hidden, Is::Surface, Is::Inherited];

    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Is::Unpaired => "unpaired",
            Is::Error => "error",
            Is::Hidden => "hidden",
            Is::Surface => "surface",
            Is::Inherited => "inherited",
        }
    }
}

/// State of a call, as `state:` writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// A result without the error flag.
    Completed,
    /// A result with it.
    Failed,
    /// Asked for and never started.
    NotStarted,
    /// Started, no result.
    OutcomeUnknown,
}

impl State {
    /// All of them.
    pub const ALL: [State; 4] = [State::Completed, State::Failed, State::NotStarted, State::OutcomeUnknown];

    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            State::Completed => "completed",
            State::Failed => "failed",
            State::NotStarted => "not_started",
            State::OutcomeUnknown => "outcome_unknown",
        }
    }
}

/// A point in time as it is written: in the zone of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Year, month, day; `None`: the first such time of day within the log.
    pub date: Option<(i16, i8, i8)>,
    /// Milliseconds of the day.
    pub of_day: i64,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((year, month, day)) = self.date {
            write!(f, "{year:04}-{month:02}-{day:02}T")?;
        }
        let (seconds, ms) = (self.of_day / 1000, self.of_day % 1000);
        write!(f, "{:02}:{:02}:{:02}.{ms:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}
