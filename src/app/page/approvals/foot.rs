//! The foot of the ledger: the whole of the question at the cursor, or of what ran without one.

use crate::app::page::Page;
use crate::app::page::sheet::Sheet;
use crate::session::row::{EventRef, Row, RowIx};
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::{columns, fit};
use crate::triage::doc::DocLine;
use crate::triage::facts::{Approval, Call};
use crate::triage::pass::asked::{outcome, waited};
use crate::triage::pass::said::{class, number, shown, shown_or};
use crate::triage::peek::Peek;
use crate::triage::what::{Blocks, result_content};

/// Columns of the names at the left, at least.
const LEAST_NAME: usize = 8;

/// Bytes of a result that its first line is made of.
const RESULT_BYTES: usize = 4_000;

/// Writes it for the line with the cursor.
pub(crate) fn foot(sheet: &mut Sheet<'_>, page: &Page) {
    let Some(at) = page.target() else { return };
    let facts = sheet.facts;
    let own = |approval: &&Approval| approval.asked_row.or(approval.decided_row) == Some(at.row);
    match facts.approvals.iter().find(own) {
        Some(approval) => question(sheet, approval),
        None => unasked(sheet, at),
    }
}

/// A call about which nothing was asked.
fn unasked(sheet: &mut Sheet<'_>, at: EventRef) {
    let Some(called) = sheet.facts.calls.iter().find(|call| call.call_row == Some(at.row)) else { return };
    let time = clock(sheet, called.call_row);
    let text = sheet.words.say("ledger.called_at", &[("seq", &number(called.call_seq.get())), ("time", &time)]);
    sheet.push(DocLine::of(text, Role::Normal));
    let about = sheet.about_call(called).unwrap_or_default();
    field(sheet, "ledger.column_call", &format!("{}  {about}", shown(&called.name)));
    result(sheet, called);
}

/// When it was asked and decided, why, about what, what the model was told.
fn question(sheet: &mut Sheet<'_>, approval: &Approval) {
    let (facts, words) = (sheet.facts, sheet.words);
    let (asked, decided) = (clock(sheet, approval.asked_row), clock(sheet, approval.decided_row));
    let asked = words.say("ledger.asked_at", &[("seq", &number(approval.asked_seq)), ("time", &asked)]);
    let mut outcome = outcome(approval, words);
    if approval.waited_ms.is_some() {
        outcome = words.say("ledger.after", &[("outcome", &outcome), ("time", &waited(approval, words))]);
    }
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
    result(sheet, call);
}

fn result(sheet: &mut Sheet<'_>, call: &Call) {
    let words = sheet.words;
    if let Some(row) = call.result_row {
        let text = sheet.text(row).and_then(result_text).unwrap_or_default();
        let told = format!("{}  {}  \"{text}\"", number(call.result_seq.get()), class(call, words));
        field(sheet, "ledger.result", &told);
    }
}

fn field(sheet: &mut Sheet<'_>, key: &str, value: &str) {
    let at = sheet.doc.lines.len();
    let names = ["ledger.column_reason", "ledger.column_call", "ledger.result"];
    let room = names.iter().map(|name| columns(sheet.words.get(name)) + 1).max().unwrap_or(0).max(LEAST_NAME);
    let name = fit(sheet.words.get(key), room);
    sheet.block(room, value, Role::Normal);
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
