//! The verdict: what is the matter with this log, in one or two lines (docs/SCREENS.md section 22).
//!
//! One news, the first that is true; a second fact stands at the right; advice and proof in the second line.

pub(crate) mod family;
mod news;
mod second;

use super::parted::{Part, PartedLine};
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::{columns, cut_end, short_call_id};
use crate::text::wire::WireText;
use crate::triage::facts::Facts;
use crate::triage::session::{Extent, Session};

/// Columns below which cut words say nothing.
const LEAST_WORDS: usize = 16;

/// Columns by which words are cut at a time.
const CUT_STEP: usize = 2;

/// The verdict, ready to be fitted into any width.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Rows 3 and 4 of the main screen, from 80 columns; the second only where there is advice.
    pub lines: Vec<PartedLine>,
    /// The same in two rows for 40 to 79 columns.
    pub small: Vec<PartedLine>,
    /// The same in two rows for 20 to 39 columns.
    pub tiny: Vec<PartedLine>,
    /// The event it is about.
    pub target: Option<EventRef>,
    /// As plain text with its seqs, for copying.
    pub text: Vec<String>,
}

/// The news before it is set in lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct News {
    /// State sign.
    pub(crate) glyph: char,
    pub(crate) role: Role,
    /// The class in capitals, and a shorter form for narrow screens.
    pub(crate) class: String,
    pub(crate) class_short: String,
    /// Drawn reversed: something is open.
    pub(crate) loud: bool,
    /// Tool or command, and id.
    pub(crate) tool: String,
    pub(crate) id: String,
    pub(crate) seq: Option<i64>,
    /// Start of the id of the session that the seq is of, where that is not the opened one.
    pub(crate) of: Option<String>,
    /// What follows in words, least important last.
    pub(crate) words: Vec<String>,
    /// The second fact: long and short forms.
    pub(crate) second: Option<[String; 2]>,
    /// What to do, and a short form for narrow screens.
    pub(crate) advice: Option<[String; 2]>,
    pub(crate) proof: String,
    /// Keys that help, by their words.
    pub(crate) keys: Vec<&'static str>,
    pub(crate) row: Option<RowIx>,
}

impl News {
    /// Its seq as it can be typed after `:`.
    fn seq_text(&self) -> Option<String> {
        let seq = self.seq?;
        Some(self.of.as_ref().map_or_else(|| seq.to_string(), |of| format!("{of}/{seq}")))
    }
}

/// What the judgement reads.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) session: &'a Session,
    pub(crate) facts: &'a Facts,
    pub(crate) words: &'a Words,
    /// Milliseconds since the file last grew, while it counts as growing: nothing in it is over yet.
    pub(crate) growing: Option<u64>,
}

impl Case<'_> {
    /// Whether the end was cut off; the end of a file that grows is only unfinished.
    pub(crate) fn is_torn(self) -> bool {
        self.facts.stopped.torn && self.growing.is_none()
    }

    /// Whether only the end was read: what is not in it is not known.
    pub(crate) fn is_tail(self) -> bool {
        self.session.extent == Extent::Tail
    }

    /// The last line of the file, for "no result up to line n".
    pub(crate) fn last_line(self) -> String {
        let torn = self.facts.container.torn_tail.map_or(0, |torn| torn.complete_lines_inside);
        self.facts.container.lines.saturating_add(torn).to_string()
    }
}

/// Text of the log, printable; nothing where it is missing.
pub(crate) fn shown(text: Option<&WireText>) -> String {
    text.map(|text| display(text.as_bytes())).unwrap_or_default()
}

/// A seq as a text; `?` where none is recorded.
pub(crate) fn seq_text(seq: Option<i64>) -> String {
    seq.map_or_else(|| "?".to_owned(), |seq| seq.to_string())
}

impl Verdict {
    /// Judges a log.
    pub(crate) fn of(session: &Session, words: &Words, growing: Option<u64>) -> Verdict {
        let case = Case { session, facts: &session.facts, words, growing };
        let mut news = news::news(case);
        second::fill(case, &mut news);
        Verdict::set(case, &news)
    }

    /// Sets news in lines.
    fn set(case: Case<'_>, news: &News) -> Verdict {
        let mut text = vec![plain(&wide(case, news))];
        let advice = advice_line(case, news);
        text.extend(advice.as_ref().map(plain));
        Verdict {
            lines: std::iter::once(wide(case, news)).chain(advice).collect(),
            small: small(case, news),
            tiny: tiny(case, news),
            target: news.row.map(|row| EventRef { row, member: 0 }),
            text,
        }
    }
}

/// All of a line in its longest forms, parts two blanks apart.
fn plain(line: &PartedLine) -> String {
    let forms = line.left.iter().chain(&line.right).filter_map(|part| part.forms.first());
    let texts = forms.map(|form| form.iter().map(|span| span.text.as_str()).collect::<String>());
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("  ")
}

fn class_part(news: &News, class: &str) -> Part {
    let span = Span::new(class, news.role);
    let class = if news.loud { span.reversed() } else { span };
    let sign = Span::new(format!("{} ", news.glyph), news.role);
    Part { forms: vec![vec![sign, class]], weight: 0, gap: 0 }
}

fn id_part(news: &News, weight: u8) -> Part {
    let mut forms = vec![news.id.clone()];
    let short = short_call_id(&news.id);
    if short != news.id {
        forms.push(short);
    }
    forms.push(String::new());
    Part::shrinking(&forms, Role::Strong, weight).gap(1)
}

/// Words that are cut at their end before they go away.
fn cut_part(words: &str, weight: u8) -> Part {
    let whole = columns(words);
    let widths = (LEAST_WORDS..whole).rev().step_by(CUT_STEP);
    let cut = widths.map(|width| cut_end(words, width));
    let forms: Vec<String> = std::iter::once(words.to_owned()).chain(cut).chain([String::new()]).collect();
    Part::shrinking(&forms, Role::Normal, weight)
}

fn seq_part(case: Case<'_>, news: &News) -> Option<Part> {
    let seq = news.seq_text()?;
    Some(Part::fixed(case.words.say("verdict.seq", &[("seq", &seq)]), Role::Strong))
}

/// Row 3: class, tool, id, seq, words; at the right the second fact.
fn wide(case: Case<'_>, news: &News) -> PartedLine {
    let mut line = PartedLine { left: vec![class_part(news, &news.class)], right: Vec::new() };
    if !news.tool.is_empty() {
        line.left.push(Part::fixed(news.tool.clone(), Role::Strong));
    }
    if !news.id.is_empty() {
        line.left.push(id_part(news, 3));
    }
    line.left.extend(seq_part(case, news));
    for (at, words) in news.words.iter().enumerate() {
        // The first words outlast the long form of the second fact.
        let weight = if at == 0 { 8 } else { 10 + at.min(20) as u8 };
        // Where no call is named, they say what it is all about.
        let part = if at == 0 && news.tool.is_empty() {
            cut_part(words, weight)
        } else {
            Part::droppable(words.clone(), Role::Normal, weight)
        };
        line.left.push(part.gap(3));
    }
    if case.is_tail() {
        line.right.push(Part::droppable(case.words.get("verdict.rest_not_read"), Role::Accent, 5));
    }
    if let Some([long, short]) = &news.second {
        let role = if news.loud { Role::Warn } else { Role::Normal };
        line.right.push(Part::shrinking(&[long.clone(), short.clone()], role, 9));
    }
    if case.is_torn() {
        line.right.push(Part::fixed(case.words.get("verdict.tail_torn"), Role::Warn));
    }
    line
}

/// Row 4: what to do, what it rests on, which keys help.
fn advice_line(case: Case<'_>, news: &News) -> Option<PartedLine> {
    let [advice, short] = news.advice.as_ref()?;
    let mut left = vec![Part::shrinking(&[format!("  {advice}"), format!("  {short}")], Role::Normal, 2).gap(0)];
    if !news.proof.is_empty() {
        left.push(Part::droppable(news.proof.clone(), Role::Dim, 10));
    }
    let keys = news.keys.iter().enumerate();
    let right = keys.map(|(at, key)| {
        let long = case.words.get(key).to_owned();
        match *key {
            "verdict.go_there" => {
                let forms = [long, case.words.get("verdict.go").to_owned(), String::new()];
                Part::shrinking(&forms, Role::Accent, 9)
            }
            // What a newcomer has to find is never left out.
            "verdict.six_steps" => Part::fixed(long, Role::Accent),
            _ => Part::droppable(long, Role::Accent, 6 + at.min(2) as u8),
        }
    });
    Some(PartedLine { left, right: right.collect() })
}

/// 40 to 79 columns: class, tool, seq; advice and the second fact.
fn small(case: Case<'_>, news: &News) -> Vec<PartedLine> {
    let mut first = PartedLine { left: vec![class_part(news, &news.class)], right: Vec::new() };
    if !news.tool.is_empty() {
        first.left.push(Part::fixed(news.tool.clone(), Role::Strong).gap(1));
    }
    first.right.extend(seq_part(case, news));
    let mut second = PartedLine::default();
    match (&news.advice, news.words.first()) {
        // Where no call is named, they say what it is all about.
        (Some(_), Some(words)) if news.tool.is_empty() => second.left.push(Part::fixed(words.clone(), Role::Normal)),
        (Some([_, short]), _) => second.left.push(Part::fixed(short.clone(), Role::Normal)),
        (None, Some(words)) => second.left.push(Part::fixed(words.clone(), Role::Normal)),
        (None, None) => {}
    }
    second.right.extend(second_short(case, news));
    vec![first, second]
}

/// 20 to 39 columns: sign, class in one word, tool, seq; the second fact.
fn tiny(case: Case<'_>, news: &News) -> Vec<PartedLine> {
    let mut first = PartedLine { left: vec![class_part(news, &news.class_short)], right: Vec::new() };
    if !news.tool.is_empty() {
        first.left.push(Part::fixed(news.tool.clone(), Role::Strong).gap(1));
    }
    first.right.extend(news.seq_text().map(|seq| Part::fixed(seq, Role::Strong)));
    let mut second = PartedLine::default();
    match second_short(case, news) {
        Some(part) => second.left.push(part),
        None => second.left.extend(news.words.first().map(|words| Part::fixed(words.clone(), Role::Normal))),
    }
    vec![first, second]
}

fn second_short(case: Case<'_>, news: &News) -> Option<Part> {
    if case.is_torn() {
        let short = case.words.get("sequence.torn_tail");
        return Some(Part::fixed(short, Role::Warn));
    }
    let [_, short] = news.second.as_ref()?;
    Some(Part::fixed(short.clone(), Role::Warn))
}
