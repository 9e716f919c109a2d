//! The approval ledger (docs/SCREENS.md section 7): one row a question, the switches of the rules between them, and what
//! ran without any question; below, the whole of the question at the cursor.

use super::sheet::{Sheet, title};
use super::{Page, PageKind, Part};
use crate::app::parted;
use crate::session::row::{EventRef, Row, RowIx};
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::{fit, pad_start, short_call_id};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::facts::Approval;
use crate::triage::ledger::{Entry, Ledger, Unasked, ledger};
use crate::triage::pass::asked::{by, by_short, counts, outcome, reason, switched, too_fast, unasked, waited};
use crate::triage::pass::said::{class, number, shown, shown_or};
use crate::triage::peek::Peek;
use crate::triage::what::{Blocks, approval_mark, result_content};

/// Rows of each list that are shown; a session is read from its end.
const MOST: usize = 1_000;

/// Columns of a screen from which decision, tool and reason have columns of their own.
const WIDE: u16 = 120;

/// Rows of the foot, its rule included.
const FOOT_ROWS: u16 = 8;

/// A wait from which it is marked, milliseconds.
const LONG_WAIT: i64 = 30_000;

/// Bytes of a result that its first line is made of.
const RESULT_BYTES: usize = 4_000;

/// The page.
pub(crate) fn page(mut sheet: Sheet<'_>, part: Part) -> Page {
    let (words, facts) = (sheet.words, sheet.facts);
    let book = ledger(facts);
    let mut title = title(&sheet, "ledger.title", Vec::new());
    title.left.push(parted::Part::shrinking(&heading(&sheet, &book), Role::Normal, 3).gap(3));
    if !facts.approvals.is_empty() {
        let waited = words.say("ledger.waited", &[("time", &duration(book.waited_ms))]);
        title.right.insert(0, parted::Part::droppable(waited, Role::Normal, 2));
    }
    let mut news = None;
    if part != Part::Second {
        news = questions(&mut sheet, &book);
    }
    if part == Part::All {
        sheet.push(DocLine::blank());
    }
    if part != Part::First {
        without_question(&mut sheet, &book);
    }
    if let Some(text) = too_fast(&book, words).filter(|_| part != Part::Second) {
        sheet.push(DocLine::blank());
        sheet.push(DocLine::of(text, Role::Warn));
    }
    let first = sheet.doc.lines.iter().position(|line| line.target.is_some());
    let has_foot = part != Part::Second && !facts.approvals.is_empty();
    let mut page = sheet.finish(PageKind::Approvals, title, news.or(first).unwrap_or(0));
    page.foot_rows = if has_foot { FOOT_ROWS } else { 0 };
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

fn questions(sheet: &mut Sheet<'_>, book: &Ledger) -> Option<usize> {
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

/// Switches between two questions, on one line: `= policy ask -> never (225)`.
fn push_switches(sheet: &mut Sheet<'_>, switches: &mut Vec<usize>) {
    let (words, facts) = (sheet.words, sheet.facts);
    let Some(first) = switches.first().and_then(|at| facts.switches.get(*at)) else { return };
    let one = |at: &usize| {
        let seq = facts.switches.get(*at).and_then(|switch| switch.seq);
        words.say("ledger.switch", &[("what", &switched(facts, *at, words)), ("seq", &number(seq))])
    };
    // The last ones are those in force.
    let from = switches.len().saturating_sub(6);
    let said: Vec<String> = switches[from..].iter().map(one).collect();
    let text = format!("{}  = {}", pad_start(&number(first.seq), 7), said.join(", "));
    let line = DocLine { indent: 11, ..DocLine::of(text, Role::Accent) };
    sheet.push(line.to(EventRef { row: first.row, member: 0 }));
    switches.clear();
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

fn without_question(sheet: &mut Sheet<'_>, book: &Ledger) {
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
            Span::new(pad_start(&said.seq, 7), Role::Accent),
            Span::new(format!("  {} ", said.mark.glyph().unwrap_or(' ')), said.mark.role()),
            Span::new(fit(&format!("{} {}", said.tool, short_call_id(&said.id)), 21), Role::Strong),
            Span::plain(format!(" {about}")),
        ];
        sheet.push(DocLine { spans, target: Some(said.event), overflow: Overflow::Cut, ..DocLine::default() });
    }
}

/// The whole of the question at the cursor: when it was asked and decided, why, about what, what the model was told.
pub(crate) fn foot(sheet: &mut Sheet<'_>, page: &Page) {
    let Some(at) = page.target() else { return };
    let facts = sheet.facts;
    let own = |approval: &&Approval| approval.asked_row.or(approval.decided_row) == Some(at.row);
    let Some(approval) = facts.approvals.iter().find(own) else { return };
    let words = sheet.words;
    let (asked, decided) = (clock(sheet, approval.asked_row), clock(sheet, approval.decided_row));
    let asked = words.say("ledger.asked_at", &[("seq", &number(approval.asked_seq)), ("time", &asked)]);
    let outcome = outcome(approval, words);
    let decided = match approval.decided_row {
        Some(_) => {
            let values = [("seq", &*number(approval.decided_seq)), ("time", &*decided), ("outcome", &*outcome)];
            words.say("ledger.decided_at", &values)
        }
        None => outcome,
    };
    sheet.push(DocLine::of(format!("{asked}   {decided}"), Role::Normal));
    let reason = approval.reason.as_ref().map(|reason| one_line(reason.as_bytes(), 2_000));
    let reason = reason.unwrap_or_else(|| words.get("missing.words").to_owned());
    field(sheet, "ledger.column_reason", &reason);
    let Some(call) = approval.call.and_then(|at| facts.calls.get(at)) else {
        return field(sheet, "ledger.column_call", words.get("ledger.no_call"));
    };
    let about = sheet.about_call(call).unwrap_or_default();
    let is_sub = approval.call_id.as_ref().is_some_and(|id| *id != call.call_id);
    let about = if is_sub { format!("{about}  ({})", shown_or(approval.call_id.as_ref(), "")) } else { about };
    field(sheet, "ledger.column_call", &format!("{}  {about}", shown(&call.name)));
    if let Some(row) = call.result_row {
        let text = sheet.text(row).and_then(result_text).unwrap_or_default();
        let told = format!("{}  {}  \"{text}\"", number(call.result_seq.get()), class(call, words));
        field(sheet, "ledger.result", &told);
    }
}

fn field(sheet: &mut Sheet<'_>, key: &str, value: &str) {
    let at = sheet.doc.lines.len();
    let name = fit(sheet.words.get(key), 8);
    sheet.block(8, value, Role::Normal);
    sheet.lead(at, vec![Span::new(name, Role::Dim)], None);
}

fn clock(sheet: &Sheet<'_>, row: Option<RowIx>) -> String {
    let time = row.and_then(|row| sheet.session.index.rows.get(row)).and_then(Row::time);
    time.map_or_else(|| sheet.words.get("missing.column").to_owned(), |time| sheet.zone.clock(time.0))
}

fn result_text(line: &[u8]) -> Option<String> {
    let content = result_content(Peek::line(line)?.get("data")?)?;
    Some(one_line(&Blocks::of(content, RESULT_BYTES).text, 400))
}
