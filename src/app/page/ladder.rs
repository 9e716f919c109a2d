//! The unpaired ladder (docs/SCREENS.md section 6): everything open by kind, and what may have run twice.

use super::sheet::{Sheet, title};
use super::{Page, PageKind};
use crate::app::family::{name_of, rule_key};
use crate::app::parted::Part;
use crate::session::row::{EventRef, RowIx};
use crate::store::lineage::{Kinship, Member, MemberIx, Parent};
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::{fit, pad_start};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::facts::Basis;
use crate::triage::ladder::{Kind, OnResume, Rung, ladder};
use crate::triage::pass::page::MOST_LISTED;
use crate::triage::pass::rungs::{RungWords, kind_key, rung, twice, twice_sides};
use crate::triage::peek::Peek;
use crate::triage::session::{Extent, Session};
use crate::triage::what::{Blocks, Mark};

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

/// Bytes of a prompt that are read, and columns that are shown.
const PROMPT_BYTES: usize = 4_000;
const PROMPT: usize = 200;

/// Columns of a depth, where relatives are on the page.
const DEPTH: usize = 2;

/// One open thing, and the session that it is in.
struct Open<'a> {
    rung: Rung,
    session: &'a Session,
    /// The relative that it is in; `None`: the session that is shown.
    relative: Option<(MemberIx, &'a Member)>,
    /// How deep its session lies; `None` where no relative is on the page.
    depth: Option<i64>,
}

/// The page.
pub(crate) fn page(mut sheet: Sheet<'_>) -> Page {
    let (words, facts) = (sheet.words, sheet.facts);
    let kin = relatives(&sheet);
    let all = everything(&sheet, &kin);
    let closed = all.iter().filter(|open| matches!(open.rung.resume, OnResume::Closed(_))).count() as u64;
    let mut said = vec![words.count("ladder.open_things", all.len() as u64 - closed)];
    if !kin.is_empty() {
        said.insert(0, words.count("ladder.and_children", kin.len() as u64));
    }
    if closed > 0 {
        said.push(words.count("ladder.closed_by_recovery", closed));
    }
    let mut title = title(&sheet, "ladder.title", said);
    title.right.insert(0, Part::droppable(words.get("ladder.hint"), Role::Dim, 9));
    if !all.is_empty() {
        heads(&mut sheet, !kin.is_empty());
    }
    let deepest = sheet.model.family.lineage.as_ref().and_then(|lineage| lineage.deepest_open);
    let deepest = deepest.filter(|deepest| kin.iter().any(|(member, _)| *member == deepest.member));
    let mut news = None;
    for kind in Kind::ALL {
        let of_kind: Vec<&Open<'_>> = all.iter().filter(|open| open.rung.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let count = words.number(of_kind.len() as u64);
        sheet.push(DocLine::of(format!("{} {count}", words.get(kind_key(kind)).to_uppercase()), Role::Strong));
        let before = of_kind.len().saturating_sub(MOST);
        if before > 0 {
            sheet.push(DocLine::of(format!("  {}", words.count("report_text.before", before as u64)), Role::Dim));
        }
        for open in of_kind.into_iter().skip(before) {
            let is_news = match deepest {
                Some(deepest) => open.relative.is_some_and(|(member, _)| member == deepest.member),
                None => Some(open.rung.at) == facts.last_unpaired,
            };
            if kind == Kind::Call && is_news && (deepest.is_none() || Some(open.rung.at) == deepest.map(|at| at.call)) {
                news = Some(sheet.doc.lines.len());
            }
            one(&mut sheet, open, &kin);
        }
    }
    ends(&mut sheet, &all);
    let first = sheet.doc.lines.iter().position(|line| line.target.is_some());
    sheet.finish(PageKind::Ladder, title, news.or(first).unwrap_or(0))
}

/// The sessions below the one that is shown, the deepest first: what is open there is the news, and not what waits for it.
fn relatives<'a>(sheet: &Sheet<'a>) -> Vec<(MemberIx, &'a Member)> {
    let family = &sheet.model.family;
    let Some(lineage) = &family.lineage else { return Vec::new() };
    let mut below = Vec::new();
    let mut open = vec![family.focused];
    while let Some(member) = open.pop() {
        let children = lineage.get(member).map(|member| member.children.as_slice()).unwrap_or_default();
        let is_child = |child: &&MemberIx| {
            lineage.get(**child).is_some_and(|child| matches!(child.kinship, Kinship::Child | Kinship::ForkedChild))
                && !below.contains(*child)
        };
        let children: Vec<MemberIx> = children.iter().filter(is_child).copied().collect();
        below.extend(&children);
        open.extend(children);
    }
    let mut below: Vec<(MemberIx, &Member)> =
        below.into_iter().filter_map(|member| Some((member, lineage.get(member)?))).collect();
    below.sort_by_key(|(at, member)| (std::cmp::Reverse(member.level), *at));
    below
}

fn everything<'a>(sheet: &Sheet<'a>, kin: &[(MemberIx, &'a Member)]) -> Vec<Open<'a>> {
    let family = &sheet.model.family;
    let mut all = Vec::new();
    let own = family.focused_member().map(Member::shown_depth).filter(|_| !kin.is_empty());
    let here = std::iter::once((sheet.session, None, own));
    let below = kin.iter().filter_map(|(at, member)| {
        let session = &*sheet.model.open_of(*at)?.session;
        Some((session, Some((*at, *member)), Some(member.shown_depth())))
    });
    for (session, relative, depth) in below.chain(here).filter(|(session, ..)| session.facts.format.known) {
        // What a fork copied stands in its parent.
        let first = relative.map_or(RowIx(0), |(_, member)| member.first_own);
        let rungs = ladder(session).into_iter().filter(|rung| rung.row >= first);
        all.extend(rungs.map(|rung| Open { rung, session, relative, depth }));
    }
    all
}

fn heads(sheet: &mut Sheet<'_>, with_depth: bool) {
    let words = sheet.words;
    let mut head = String::new();
    if with_depth {
        head.push_str(&fit(words.get("ladder.column_depth"), DEPTH));
    }
    head.push_str(&fit(&format!("  {}", words.get("ladder.column_what")), what_width(sheet, with_depth)));
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

/// Columns of sign and name: a depth is taken from them.
fn what_width(sheet: &Sheet<'_>, with_depth: bool) -> usize {
    let whole = if sheet.width < NARROW { WHAT_NARROW + 2 } else { WHAT };
    whole - if with_depth { DEPTH } else { 0 }
}

/// A line below the figures of a thing: its text, and the record that it rests on.
type Further = (String, Role, Option<(Option<MemberIx>, RowIx)>);

/// One thing: its figures, then evidence, arguments, advice, what a resume makes of it, each leading to its record.
fn one(sheet: &mut Sheet<'_>, of: &Open<'_>, kin: &[(MemberIx, &Member)]) {
    let said = rung(&of.rung, of.session, sheet.words, sheet.growing && of.relative.is_none());
    let figures = figures(sheet, of, &said);
    let member = of.relative.map(|(member, _)| member);
    let mut further = further(sheet, of, said, kin);
    let at = sheet.doc.lines.len();
    let wide = sheet.width >= WIDE;
    let beside = further.iter().position(|(_, _, target)| target.is_none()).filter(|_| wide);
    let event = EventRef { row: of.rung.row, member: 0 };
    match beside.map(|at| further.remove(at)) {
        Some((text, role, _)) => {
            sheet.block(FIGURES, &text, role);
            // Its first row has the figures before it.
            sheet.lead(at, figures, Some(event));
        }
        None => {
            sheet.push(DocLine { spans: figures, target: Some(event), overflow: Overflow::Cut, ..DocLine::default() });
        }
    }
    if let Some(member) = member {
        sheet.lead_to(at, member, event);
    }
    let indent = if wide { FIGURES } else { 4 };
    for (text, role, target) in further {
        let at = sheet.doc.lines.len();
        sheet.block(indent, &text, role);
        match target {
            Some((Some(member), row)) => sheet.lead_to(at, member, EventRef { row, member: 0 }),
            Some((None, row)) => sheet.lead(at, Vec::new(), Some(EventRef { row, member: 0 })),
            None => {}
        }
    }
}

fn further(sheet: &mut Sheet<'_>, of: &Open<'_>, said: RungWords, kin: &[(MemberIx, &Member)]) -> Vec<Further> {
    let words = sheet.words;
    let member = of.relative.map(|(member, _)| member);
    let to = |row: Option<RowIx>| row.map(|row| (member, row));
    let (closed, past) = match of.rung.resume {
        OnResume::Closed(at) => (Some(at.row), None),
        OnResume::WentPast(at) => (None, Some(at.row)),
        OnResume::WouldClose(_) | OnResume::Nothing | OnResume::Refused | OnResume::NotJudged => (None, None),
    };
    let rests_on = closed.or(of.rung.closer.map(|(_, at)| at.row));
    let mut out: Vec<Further> = Vec::new();
    if let Some((_, member)) = of.relative.filter(|_| of.rung.kind == Kind::Call) {
        out.push((words.say("ladder.in_child", &[("child", &name_of(member))]), Role::Accent, None));
    }
    out.push((said.evidence, Role::Normal, to(rests_on)));
    if let Some((child, text)) = awaited(sheet, of, kin) {
        out.push((text, Role::Normal, Some(child)));
    }
    let about = about(sheet, of);
    out.extend(about.map(|text| (text, Role::Normal, None)));
    out.extend(said.advice.map(|text| (text, Role::Strong, None)));
    out.extend(said.resume.map(|text| (text, Role::Dim, to(past))));
    out
}

/// The child that a call waits for: it has something open itself. With the first record there that is open.
fn awaited(
    sheet: &Sheet<'_>,
    of: &Open<'_>,
    kin: &[(MemberIx, &Member)],
) -> Option<((Option<MemberIx>, RowIx), String)> {
    if of.rung.kind != Kind::Call || of.rung.basis != Basis::Inferred {
        return None;
    }
    let parent = of.relative.map_or(sheet.model.family.focused, |(member, _)| member);
    let child = kin.iter().find(|(_, member)| {
        matches!(member.parent, Parent::Here(at) if at == parent)
            && member.link.call() == Some(of.rung.at)
            && member.standing.is_open()
    });
    let (at, member) = child?;
    let facts = &sheet.model.open_of(*at)?.session.facts;
    let row =
        facts.last_unpaired.and_then(|at| facts.calls.get(at)).and_then(|call| call.call_row.or(call.message_row));
    let rule = sheet.words.get(rule_key(member.link));
    let text = sheet.words.say("ladder.waits_for", &[("child", &name_of(member)), ("rule", rule)]);
    Some(((Some(*at), row.unwrap_or(member.first_own)), text))
}

fn figures(sheet: &Sheet<'_>, open: &Open<'_>, said: &RungWords) -> Vec<Span> {
    let of = &open.rung;
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
    let depth = open.depth.map(|depth| Span::new(fit(&depth.to_string(), DEPTH), Role::Dim));
    let what = what_width(sheet, open.depth.is_some()) - 2;
    let mut spans: Vec<Span> = depth.into_iter().collect();
    spans.extend([
        Span::new(format!("{} ", said.mark.glyph().unwrap_or(' ')), role),
        Span::new(fit(&said.what, what), Role::Strong),
        Span::new(fit(&said.state, STATE), role),
        seq(asked),
        seq(opened),
        Span::plain(pad_start(&age, AGE)),
    ]);
    spans
}

/// What a call is about, or a prompt says, once its text is here.
fn about(sheet: &mut Sheet<'_>, open: &Open<'_>) -> Option<String> {
    let (of, facts) = (&open.rung, &open.session.facts);
    let epoch = sheet.model.epoch_of(open.relative.map(|(member, _)| member))?;
    match of.kind {
        Kind::Call => sheet.about_call_of(epoch, facts.calls.get(of.at)?),
        Kind::Prompt => {
            let nth = facts.prompts.get(of.at)?.nth;
            let inserted = Peek::line(sheet.text_of((epoch, of.row))?)?.path(&["data", "inserted"])?;
            let message = inserted.nth(nth as usize)?;
            let content = message.get("message").unwrap_or(message).get("content")?;
            Some(format!("\"{}\"", one_line(&Blocks::of(content, PROMPT_BYTES).text, PROMPT)))
        }
        Kind::Approval
        | Kind::Command
        | Kind::SubCall
        | Kind::Hook
        | Kind::Retry
        | Kind::Compaction
        | Kind::WorkflowRun
        | Kind::WorkflowAgent
        | Kind::TeamMessage
        | Kind::Step
        | Kind::Turn => None,
    }
}

fn ends(sheet: &mut Sheet<'_>, all: &[Open<'_>]) {
    let (words, facts) = (sheet.words, sheet.facts);
    if !facts.format.known {
        return sheet.push(DocLine::of(words.get("ladder.not_judged"), Role::Warn));
    }
    if !all.is_empty() {
        sheet.push(DocLine::blank());
    }
    if sheet.session.extent == Extent::Tail {
        sheet.push(DocLine::of(words.get("ladder.not_read"), Role::Warn));
    }
    let empty = Kind::ALL.iter().filter(|kind| all.iter().all(|open| open.rung.kind != **kind));
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
    if !all.is_empty() {
        sheet.push(DocLine::blank());
        let is_alone = all.iter().all(|open| open.relative.is_none());
        let key = if is_alone { "ladder.age_note" } else { "ladder.age_note_family" };
        sheet.push(DocLine::of(words.get(key), Role::Dim));
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
