//! Text → [`Expr`]: by descent, with the place of whatever is wrong.
//!
//! ```text
//! any  = all ("or" all)*
//! all  = one ("and"? one)*
//! one  = ("!" | "not") one | "(" any ")" | term
//! term = key ":" value | key "~" needle | needle
//! ```

use super::ast::{Expr, Glob, Is, State, Term};
use super::fault::{Complaint, Fault};
use super::needle::Needle;
use super::value;
use super::words::Key;

/// Characters of a query at most: what an input line takes.
const MOST_CHARS: usize = 1000;

/// Terms at most.
const MOST_TERMS: usize = 100;

/// Brackets and negations inside each other at most.
const MOST_DEPTH: usize = 40;

/// Reads a query; `None`: it is empty.
pub(super) fn parse(text: &str) -> Result<Option<Expr>, Fault> {
    let mut parser = Parser { text, at: 0, terms: 0 };
    if text.chars().count() > MOST_CHARS {
        return Err(Fault { column: MOST_CHARS + 1, what: Complaint::TooLong });
    }
    parser.blanks();
    if parser.rest().is_empty() {
        return Ok(None);
    }
    let root = parser.any(0)?;
    parser.blanks();
    if parser.rest().is_empty() { Ok(Some(root)) } else { Err(parser.fault(Complaint::StrayBracket)) }
}

/// Whether a character ends a word.
pub(super) fn ends_word(char: char) -> bool {
    char.is_whitespace() || matches!(char, '(' | ')')
}

struct Parser<'a> {
    text: &'a str,
    /// Byte that is read next; always at a character.
    at: usize,
    terms: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn fault(&self, what: Complaint) -> Fault {
        self.fault_at(self.at, what)
    }

    fn fault_at(&self, at: usize, what: Complaint) -> Fault {
        let before = self.text.get(..at).unwrap_or(self.text);
        Fault { column: before.chars().count() + 1, what }
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Up to the end of a word.
    fn bare(&self) -> &'a str {
        let rest = self.rest();
        rest.find(ends_word).map_or(rest, |end| &rest[..end])
    }

    /// Takes a joining word that stands here by itself.
    fn takes(&mut self, word: &str) -> bool {
        let here = self.bare() == word;
        self.at += if here { word.len() } else { 0 };
        here
    }

    fn any(&mut self, depth: usize) -> Result<Expr, Fault> {
        let mut parts = vec![self.all(depth)?];
        loop {
            self.blanks();
            if !self.takes("or") {
                break;
            }
            parts.push(self.all(depth)?);
        }
        Ok(one_or(parts, Expr::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Expr, Fault> {
        let mut parts = vec![self.one(depth)?];
        loop {
            self.blanks();
            if self.takes("and") {
                parts.push(self.one(depth)?);
                continue;
            }
            if self.rest().is_empty() || self.rest().starts_with(')') || self.bare() == "or" {
                break;
            }
            parts.push(self.one(depth)?);
        }
        Ok(one_or(parts, Expr::All))
    }

    fn one(&mut self, depth: usize) -> Result<Expr, Fault> {
        self.blanks();
        if depth > MOST_DEPTH {
            return Err(self.fault(Complaint::TooDeep));
        }
        let rest = self.rest();
        if rest.is_empty() {
            return Err(self.fault(Complaint::NothingAfter));
        }
        if rest.starts_with('!') {
            self.at += 1;
            return Ok(Expr::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.takes("not") {
            return Ok(Expr::Not(Box::new(self.one(depth + 1)?)));
        }
        if matches!(self.bare(), "or" | "and") {
            return Err(self.fault(Complaint::NothingBefore));
        }
        if rest.starts_with(')') {
            return Err(self.fault(Complaint::StrayBracket));
        }
        if rest.starts_with('(') {
            return self.bracket(depth);
        }
        self.terms += 1;
        if self.terms > MOST_TERMS {
            return Err(self.fault(Complaint::TooMany));
        }
        self.term().map(Expr::Term)
    }

    fn bracket(&mut self, depth: usize) -> Result<Expr, Fault> {
        let open = self.at;
        self.at += 1;
        self.blanks();
        if self.rest().is_empty() {
            return Err(self.fault_at(open, Complaint::OpenBracket));
        }
        if self.rest().starts_with(')') {
            return Err(self.fault_at(open, Complaint::EmptyBrackets));
        }
        let inner = self.any(depth + 1)?;
        self.blanks();
        if !self.rest().starts_with(')') {
            return Err(self.fault_at(open, Complaint::OpenBracket));
        }
        self.at += 1;
        Ok(inner)
    }

    fn term(&mut self) -> Result<Term, Fault> {
        let start = self.at;
        let rest = self.rest();
        let name_end = rest.find(|char: char| !char.is_ascii_alphabetic() && char != '_').unwrap_or(rest.len());
        let sign = rest[name_end..].chars().next().filter(|sign| name_end > 0 && matches!(sign, ':' | '~'));
        let Some(sign) = sign else { return Ok(Term::Text(self.needle(Key::Text)?)) };
        let name = &rest[..name_end];
        let Some(key) = Key::of_name(name) else {
            return Err(self.fault_at(start, Complaint::UnknownKey(name.to_owned())));
        };
        let word = key.word();
        if word.sign != sign {
            return Err(self.fault_at(start + name_end, Complaint::WrongSign(word.examples[0])));
        }
        self.at += name_end + 1;
        if self.rest().is_empty() || self.rest().starts_with(ends_word) {
            return Err(self.fault(Complaint::NoValue(word.examples[0])));
        }
        self.value(key)
    }

    fn value(&mut self, key: Key) -> Result<Term, Fault> {
        let start = self.at;
        let here = |(offset, what): (usize, Complaint)| Fault {
            column: self.text.get(..start + offset).unwrap_or(self.text).chars().count() + 1,
            what,
        };
        Ok(match key {
            Key::Type => Term::Type(self.glob(key)?),
            Key::Tool => Term::Tool(self.glob(key)?),
            Key::Call => Term::Call(self.glob(key)?),
            Key::Code => Term::Code(self.glob(key)?),
            Key::Approval => Term::Approval(self.glob(key)?),
            Key::Arg => Term::Arg(self.needle(key)?),
            Key::Text => Term::Text(self.needle(key)?),
            Key::Turn | Key::Step | Key::Seq | Key::Depth => {
                let bounds = value::numbers(self.bare()).map_err(here)?;
                self.at += self.bare().len();
                match key {
                    Key::Turn => Term::Turn(bounds),
                    Key::Step => Term::Step(bounds),
                    Key::Seq => Term::Seq(bounds),
                    _ => Term::Depth(bounds),
                }
            }
            Key::Waited | Key::Took => {
                let bounds = value::durations(self.bare()).map_err(here)?;
                self.at += self.bare().len();
                if key == Key::Waited { Term::Waited(bounds) } else { Term::Took(bounds) }
            }
            Key::After => {
                let moment = value::moment(self.bare()).map_err(here)?;
                self.at += self.bare().len();
                Term::After(moment)
            }
            Key::Is => {
                let typed = self.bare();
                let found = Is::ALL.into_iter().find(|is| is.name() == typed);
                let is = found.ok_or_else(|| self.fault(Complaint::UnknownIs(typed.to_owned())))?;
                self.at += typed.len();
                Term::Is(is)
            }
            Key::State => {
                let typed = self.bare();
                let found = State::ALL.into_iter().find(|state| state.name() == typed);
                let state = found.ok_or_else(|| self.fault(Complaint::UnknownState(typed.to_owned())))?;
                self.at += typed.len();
                Term::State(state)
            }
        })
    }

    fn glob(&mut self, key: Key) -> Result<Glob, Fault> {
        if self.rest().starts_with('"') {
            return Ok(Glob { text: self.quoted(key)?, quoted: true });
        }
        let text = self.bare().to_owned();
        self.at += text.len();
        Ok(Glob { text, quoted: false })
    }

    fn needle(&mut self, key: Key) -> Result<Needle, Fault> {
        let start = self.at;
        let bad = |why| Complaint::BadPattern(why);
        if self.rest().starts_with('"') {
            let text = self.quoted(key)?;
            return Needle::plain(&text).map_err(|why| self.fault_at(start, bad(why)));
        }
        if let Some(len) = pattern_len(self.rest()) {
            let pattern = &self.rest()[1..len - 1];
            let needle = Needle::pattern(pattern).map_err(|why| self.fault_at(start, bad(why)))?;
            self.at += len;
            return Ok(needle);
        }
        let word = self.bare();
        self.at += word.len();
        Needle::plain(word).map_err(|why| self.fault_at(start, bad(why)))
    }

    /// A text in quotation marks; an empty one is no value.
    fn quoted(&mut self, key: Key) -> Result<String, Fault> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((offset, char)) = chars.next() {
            match char {
                '"' => {
                    self.at = start + offset + 1;
                    let none = Complaint::NoValue(key.word().examples[0]);
                    // What follows at once belongs to another word.
                    return if text.is_empty() { Err(self.fault_at(start, none)) } else { Ok(text) };
                }
                '\\' => match chars.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err(self.fault_at(start, Complaint::OpenQuote))
    }
}

/// Bytes of a pattern with its slashes: from a slash to the next one, which must end the word. A path is none.
fn pattern_len(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('/')?;
    let mut escaped = false;
    let close = inner.char_indices().find(|(_, char)| {
        let closes = *char == '/' && !escaped;
        escaped = *char == '\\' && !escaped;
        closes
    })?;
    let after = &inner[close.0 + 1..];
    (close.0 > 0 && (after.is_empty() || after.starts_with(ends_word))).then_some(close.0 + 2)
}

fn one_or(mut parts: Vec<Expr>, join: fn(Vec<Expr>) -> Expr) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            join(parts)
        }
        None => join(parts),
    }
}
