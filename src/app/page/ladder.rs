//! The unpaired ladder (docs/SCREENS.md section 6): everything open by kind, and what may have run twice.

use super::sheet::{Sheet, title};
use super::{Page, PageKind};
use crate::app::parted::Part;
use crate::session::row::{EventRef, RowIx};
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::width::{fit, pad_start};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::ladder::{Kind, OnResume, Rung, ladder};
use crate::triage::pass::page::MOST_LISTED;
use crate::triage::pass::rungs::{RungWords, kind_key, rung, twice, twice_sides};
use crate::triage::session::Extent;
use crate::triage::what::Mark;

/// Things of one kind that are shown; a broken session is read from its end.
const MOST: usize = 200;

/// Columns of sign and name, of the state, of a seq, of an age.
const WHAT: usize = 25;
const STATE: usize = 26;
const SEQ: usize = 8;
const AGE: usize = 8;

/// Columns of the figures: evidence stands beside them on a wide screen, else below.
const FIGURES: usize = WHAT + STATE + SEQ + SEQ + AGE + 2;

/// Columns of a screen below which the name is cut, so that the state is whole; and what is left for it.
const NARROW: u16 = 70;
const WHAT_NARROW: usize = 18;

/// Columns of a screen from which evidence stands beside the figures.
const WIDE: u16 = 120;

/// The page.
pub(crate) fn page(mut sheet: Sheet<'_>) -> Page {
    let (words, facts) = (sheet.words, sheet.facts);
    let rungs = if facts.format.known { ladder(sheet.session) } else { Vec::new() };
    let closed = rungs.iter().filter(|rung| matches!(rung.resume, OnResume::Closed(_))).count() as u64;
    let mut said = vec![words.count("ladder.open_things", rungs.len() as u64 - closed)];
    if closed > 0 {
        said.push(words.count("ladder.closed_by_recovery", closed));
    }
    let mut title = title(&sheet, "ladder.title", said);
    title.right.insert(0, Part::droppable(words.get("ladder.hint"), Role::Dim, 9));
    let mut news = 0;
    if !rungs.is_empty() {
        heads(&mut sheet);
    }
    for kind in Kind::ALL {
        let of_kind: Vec<&Rung> = rungs.iter().filter(|rung| rung.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let count = words.number(of_kind.len() as u64);
        sheet.push(DocLine::of(format!("{} {count}", words.get(kind_key(kind)).to_uppercase()), Role::Strong));
        let before = of_kind.len().saturating_sub(MOST);
        if before > 0 {
            sheet.push(DocLine::of(format!("  {}", words.count("report_text.before", before as u64)), Role::Dim));
        }
        for rung in of_kind.into_iter().skip(before) {
            if kind == Kind::Call && Some(rung.at) == facts.last_unpaired {
                news = sheet.doc.lines.len();
            }
            one(&mut sheet, rung);
        }
    }
    ends(&mut sheet, &rungs);
    let first = sheet.doc.lines.iter().position(|line| line.target.is_some());
    let cursor = if news > 0 { news } else { first.unwrap_or(0) };
    sheet.finish(PageKind::Ladder, title, cursor)
}

fn heads(sheet: &mut Sheet<'_>) {
    let words = sheet.words;
    let mut head = fit(&format!("  {}", words.get("ladder.column_what")), WHAT);
    head.push_str(&fit(words.get("ladder.column_state"), STATE));
    for (key, width) in [("ladder.column_asked", SEQ), ("ladder.column_opened", SEQ), ("ladder.column_age", AGE)] {
        head.push_str(&pad_start(words.get(key), width));
    }
    if sheet.width >= WIDE {
        head.push_str("  ");
        head.push_str(words.get("ladder.column_evidence"));
    }
    sheet.push(DocLine { overflow: Overflow::Cut, ..DocLine::of(head, Role::Dim) });
}

/// One thing: its figures, then evidence, arguments, advice, what a resume makes of it.
fn one(sheet: &mut Sheet<'_>, of: &Rung) {
    let words = sheet.words;
    let said = rung(of, sheet.session, words, sheet.growing);
    let figures = figures(sheet, of, &said);
    let target = Some(EventRef { row: of.row, member: 0 });
    let about = about(sheet, of);
    let further = [
        about.map(|text| (text, Role::Normal)),
        said.advice.map(|text| (text, Role::Strong)),
        said.resume.map(|text| (text, Role::Dim)),
    ];
    let mut further: Vec<(String, Role)> = further.into_iter().flatten().collect();
    let at = sheet.doc.lines.len();
    if sheet.width >= WIDE {
        sheet.block(FIGURES, &said.evidence, Role::Normal);
        // Its first row has the figures before it.
        sheet.lead(at, figures, target);
    } else {
        sheet.push(DocLine { spans: figures, target, overflow: Overflow::Cut, ..DocLine::default() });
        further.insert(0, (said.evidence, Role::Normal));
    }
    let indent = if sheet.width >= WIDE { FIGURES } else { 4 };
    for (text, role) in further {
        sheet.block(indent, &text, role);
    }
}

fn figures(sheet: &Sheet<'_>, of: &Rung, said: &RungWords) -> Vec<Span> {
    let role = if said.mark == Mark::None { Role::Warn } else { said.mark.role() };
    let seq = |seq: Option<i64>| {
        let text = seq.map_or_else(|| sheet.words.get("missing.column").to_owned(), |seq| seq.to_string());
        Span::new(pad_start(&text, SEQ), Role::Accent)
    };
    let age = match of.age_ms {
        Some(ms) if ms < 0 => sheet.words.get("ladder.clock").to_owned(),
        Some(ms) => duration(ms),
        None => sheet.words.get("missing.column").to_owned(),
    };
    let (asked, opened) = match of.state {
        Some(_) => (of.asked, of.opened),
        None => (of.opened, None),
    };
    vec![
        Span::new(format!("{} ", said.mark.glyph().unwrap_or(' ')), role),
        Span::new(fit(&said.what, if sheet.width < NARROW { WHAT_NARROW } else { WHAT - 2 }), Role::Strong),
        Span::new(fit(&said.state, STATE), role),
        seq(asked),
        seq(opened),
        Span::plain(pad_start(&age, AGE)),
    ]
}

/// What a call is about, once its text is here.
fn about(sheet: &mut Sheet<'_>, of: &Rung) -> Option<String> {
    if of.kind != Kind::Call {
        return None;
    }
    let facts = sheet.facts;
    sheet.about_call(facts.calls.get(of.at)?)
}

fn ends(sheet: &mut Sheet<'_>, rungs: &[Rung]) {
    let (words, facts) = (sheet.words, sheet.facts);
    if !facts.format.known {
        return sheet.push(DocLine::of(words.get("ladder.not_judged"), Role::Warn));
    }
    if !rungs.is_empty() {
        sheet.push(DocLine::blank());
    }
    if sheet.session.extent == Extent::Tail {
        sheet.push(DocLine::of(words.get("ladder.not_read"), Role::Warn));
    }
    let empty = Kind::ALL.iter().filter(|kind| rungs.iter().all(|rung| rung.kind != **kind));
    let empty: Vec<&str> = empty.map(|kind| words.get(kind_key(*kind))).collect();
    if !empty.is_empty() {
        let text = words.say("ladder.none_open", &[("kinds", &empty.join(", "))]);
        sheet.push(DocLine::of(text, Role::Dim));
    }
    if facts.twice.is_empty() {
        sheet.push(DocLine::of(words.get("ladder.twice_none"), Role::Dim));
    } else {
        sheet.push(DocLine::blank());
        let count = words.number(facts.twice.len() as u64);
        sheet.push(DocLine::of(format!("{} {count}", words.get("ladder.twice")), Role::Strong));
        twice_lines(sheet);
    }
    if !rungs.is_empty() {
        sheet.push(DocLine::blank());
        sheet.push(DocLine::of(words.get("ladder.age_note"), Role::Dim));
    }
}

/// Both records of each call that may have run twice, one below the other, each leading to its place.
fn twice_lines(sheet: &mut Sheet<'_>) {
    let (words, facts, session) = (sheet.words, sheet.facts, sheet.session);
    let before = facts.twice.len().saturating_sub(MOST_LISTED * 5);
    for found in facts.twice.iter().skip(before) {
        let sentence = twice(found, session, words);
        let mut spans = vec![Span::new("! ", Role::Warn), Span::plain(sentence)];
        let call = facts.calls.get(found.call);
        if let Some(about) = call.and_then(|call| sheet.about_call(call)) {
            spans.push(Span::new(format!("  {about}"), Role::Dim));
        }
        sheet.push(DocLine { spans, indent: 2, ..DocLine::default() });
        for (text, row) in twice_sides(found, session, words).into_iter().zip(found.rows) {
            sheet.push(side(&text, row));
        }
    }
}

fn side(text: &str, row: RowIx) -> DocLine {
    let line = DocLine { overflow: Overflow::Cut, ..DocLine::of(format!("    {text}"), Role::Accent) };
    line.to(EventRef { row, member: 0 })
}
