//! The approval ledger (docs/SCREENS.md section 7): one row a question, the switches of the rules between them, and what
//! ran without any question; below, the whole of the question at the cursor.

pub(super) mod foot;
mod narrow;

use self::narrow::Narrowed;
use super::sheet::{Sheet, title};
use super::{Page, PageKind, Part};
use crate::app::parted;
use crate::session::row::EventRef;
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::width::{fit, pad_start, short_call_id};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::facts::Approval;
use crate::triage::ledger::{Entry, Ledger, Unasked, ledger};
use crate::triage::pass::asked::{by, by_short, counts, outcome, reason, switched, too_fast, unasked, waited};
use crate::triage::pass::said::{number, shown_or};
use crate::triage::what::approval_mark;

/// Rows of each list that are shown; a session is read from its end.
const MOST: usize = 1_000;

/// Columns of a screen from which decision, tool and reason have columns of their own.
const WIDE: u16 = 120;

/// Rows of the foot, its rule included.
const FOOT_ROWS: u16 = 8;

/// A wait from which it is marked, milliseconds.
const LONG_WAIT: i64 = 30_000;

/// Switches between two questions that are shown: the last ones are those in force.
const MOST_SWITCHES: usize = 6;

/// The page.
pub(crate) fn page(mut sheet: Sheet<'_>) -> Page {
    let (words, facts, part) = (sheet.words, sheet.facts, sheet.model.page_part);
    let book = ledger(facts);
    let mut title = title(&sheet, "ledger.title", Vec::new());
    title.left.push(parted::Part::shrinking(&heading(&sheet, &book), Role::Normal, 3).gap(3));
    if !facts.approvals.is_empty() {
        let time = duration(book.waited_ms);
        let forms = ["ledger.waited", "ledger.waited_short"].map(|key| words.say(key, &[("time", &time)]));
        title.right.insert(0, parted::Part::shrinking(&forms, Role::Normal, 2));
    }
    let (narrowed, all) = narrow::narrowed(&mut sheet, &book);
    let rows = (narrowed.len(), all);
    narrow::told(&mut sheet, rows);
    let mut news = None;
    if part != Part::Second {
        news = questions(&mut sheet, &narrowed);
    }
    if part == Part::All {
        sheet.push(DocLine::blank());
    }
    if part != Part::First {
        without_question(&mut sheet, &narrowed);
    }
    if let Some(text) = too_fast(&book, words).filter(|_| part != Part::Second) {
        sheet.push(DocLine::blank());
        sheet.push(DocLine::of(text, Role::Warn));
    }
    let first = sheet.doc.lines.iter().position(|line| line.target.is_some());
    let mut page = sheet.finish(PageKind::Approvals, title, news.or(first).unwrap_or(0));
    page.foot_rows = if rows.1 > 0 { FOOT_ROWS } else { 0 };
    page.rows = rows;
    page
}

/// How many questions, by what decided them, and how many calls without one: for wide and for narrow screens.
fn heading(sheet: &Sheet<'_>, book: &Ledger) -> [String; 2] {
    let words = sheet.words;
    let n = sheet.facts.approvals.len() as u64;
    let counts = counts(sheet.facts, words);
    let unasked = words.say("ledger.n_unasked", &[("n", &words.number(book.unasked.len() as u64))]);
    let long = [words.count("count.questions", n)].into_iter().chain(counts.iter().cloned()).chain([unasked]);
    let long: Vec<String> = long.collect();
    [long.join("   "), format!("{}: {}", words.number(n), counts.join(" "))]
}

/// A column: its heading, its width, whether it stands at the right end.
struct Column(&'static str, usize, bool);

fn columns(width: u16) -> Vec<Column> {
    if width >= WIDE {
        return vec![
            Column("ledger.column_asked", 8, true),
            Column("ledger.column_decided", 9, true),
            Column("ledger.column_call", 20, false),
            Column("ledger.column_outcome", 13, false),
            Column("ledger.column_by", 17, false),
            Column("ledger.column_waited", 8, true),
            Column("ledger.column_policy", 8, false),
            Column("ledger.column_sandbox", 16, false),
            Column("ledger.column_reason", 0, false),
        ];
    }
    vec![
        Column("ledger.column_asked", 6, true),
        Column("ledger.column_call", 16, false),
        Column("ledger.column_outcome", 12, false),
        Column("ledger.column_by", 13, false),
        Column("ledger.column_waited", 7, true),
        Column("ledger.column_policy", 6, false),
        Column("ledger.column_sandbox", 0, false),
    ]
}

fn cell(text: &str, column: &Column) -> String {
    match column {
        Column(_, 0, _) => format!("  {text}"),
        Column(_, width, true) => pad_start(text, *width),
        Column(_, width, false) => format!("  {}", fit(text, *width)),
    }
}

fn questions(sheet: &mut Sheet<'_>, book: &Narrowed) -> Option<usize> {
    let (words, facts) = (sheet.words, sheet.facts);
    if facts.approvals.is_empty() {
        sheet.push(DocLine::of(words.get("ledger.none"), Role::Normal));
    }
    let columns = columns(sheet.width);
    if !book.entries.is_empty() {
        let head: String = columns.iter().map(|column| cell(words.get(column.0), column)).collect();
        sheet.push(DocLine { overflow: Overflow::Cut, ..DocLine::of(head, Role::Dim) });
    }
    let before = book.entries.len().saturating_sub(MOST);
    if before > 0 {
        sheet.push(DocLine::of(words.count("report_text.before", before as u64), Role::Dim));
    }
    let mut news = None;
    let mut switches: Vec<usize> = Vec::new();
    for entry in book.entries.iter().skip(before) {
        match entry {
            Entry::Switch(at) => switches.push(*at),
            Entry::Question(at) => {
                push_switches(sheet, &mut switches);
                let Some(approval) = facts.approvals.get(*at) else { continue };
                // The last one that is open, else the first.
                if news.is_none() || approval.decided_row.is_none() {
                    news = Some(sheet.doc.lines.len());
                }
                push_question(sheet, approval, &columns);
            }
        }
    }
    push_switches(sheet, &mut switches);
    news
}

/// Switches between two questions, each leading to its record: `225  = policy ask -> never`.
fn push_switches(sheet: &mut Sheet<'_>, switches: &mut Vec<usize>) {
    let (words, facts) = (sheet.words, sheet.facts);
    let from = switches.len().saturating_sub(MOST_SWITCHES);
    for at in switches.drain(..).skip(from) {
        let Some(switch) = facts.switches.get(at) else { continue };
        let seq = pad_start(&number(switch.seq), asked_width(sheet.width));
        let text = format!("{seq}  = {}", switched(facts, at, words));
        let line = DocLine { overflow: Overflow::Cut, ..DocLine::of(text, Role::Accent) };
        sheet.push(line.to(EventRef { row: switch.row, member: 0 }));
    }
}

/// Columns of the seqs at the left edge.
fn asked_width(width: u16) -> usize {
    columns(width).first().map_or(0, |column| column.1)
}

fn push_question(sheet: &mut Sheet<'_>, approval: &Approval, columns: &[Column]) {
    let words = sheet.words;
    let mark = approval_mark(approval);
    let column = words.get("missing.column");
    let tool = shown_or(approval.tool.as_ref(), column);
    let id = short_call_id(&shown_or(approval.call_id.as_ref(), column));
    let wide = sheet.width >= WIDE;
    let id = if wide { id } else { id.strip_prefix("call_").map_or(id.clone(), str::to_owned) };
    let sandbox = shown_or(approval.sandbox.as_ref(), column);
    let sandbox = if wide { sandbox } else { short_sandbox(&sandbox) };
    let spans = columns.iter().map(|of| {
        let (text, role) = match of.0 {
            "ledger.column_asked" => (number(approval.asked_seq), Role::Accent),
            "ledger.column_decided" if approval.decided_row.is_none() => (column.to_owned(), Role::Dim),
            "ledger.column_decided" => (number(approval.decided_seq), Role::Accent),
            "ledger.column_call" => (format!("{} {tool} {id}", mark.glyph().unwrap_or(' ')), Role::Strong),
            "ledger.column_outcome" => (outcome(approval, words), mark.role()),
            "ledger.column_by" => {
                (if wide { by(approval, words) } else { by_short(approval, words) }.to_owned(), Role::Normal)
            }
            "ledger.column_waited" => {
                let long = approval.waited_ms.is_some_and(|ms| ms >= LONG_WAIT);
                (waited(approval, words), if long { Role::Warn } else { Role::Normal })
            }
            "ledger.column_policy" => (shown_or(approval.policy.as_ref(), column), Role::Normal),
            "ledger.column_sandbox" => (sandbox.clone(), Role::Normal),
            _ => (reason(approval), Role::Normal),
        };
        Span::new(cell(&text, of), role)
    });
    let spans = spans.collect();
    let target = approval.asked_row.or(approval.decided_row).map(|row| EventRef { row, member: 0 });
    sheet.push(DocLine { spans, target, overflow: Overflow::Cut, ..DocLine::default() });
}

fn short_sandbox(mode: &str) -> String {
    match mode {
        "workspace-write" => "ws-write",
        "read-only" => "ro",
        "danger-full-access" => "full",
        other => other,
    }
    .to_owned()
}

fn without_question(sheet: &mut Sheet<'_>, book: &Narrowed) {
    let words = sheet.words;
    sheet.push(DocLine::of(words.count("ledger.unasked", book.unasked.len() as u64), Role::Strong));
    let before = book.unasked.len().saturating_sub(MOST);
    if before > 0 {
        sheet.push(DocLine::of(words.count("report_text.before", before as u64), Role::Dim));
    }
    for found in book.unasked.iter().skip(before) {
        let Some(said) = unasked(*found, sheet.session) else { continue };
        let facts = sheet.facts;
        let call = match found {
            Unasked::Call(at) => facts.calls.get(*at),
            Unasked::SubCall(_) => None,
        };
        let about = call.and_then(|call| sheet.about_call(call)).unwrap_or_default();
        let spans = vec![
            Span::new(pad_start(&said.seq, asked_width(sheet.width)), Role::Accent),
            Span::new(format!("  {} ", said.mark.glyph().unwrap_or(' ')), said.mark.role()),
            Span::new(fit(&format!("{} {}", said.tool, short_call_id(&said.id)), 21), Role::Strong),
            Span::plain(format!(" {about}")),
        ];
        sheet.push(DocLine { spans, target: Some(said.event), overflow: Overflow::Cut, ..DocLine::default() });
    }
}
