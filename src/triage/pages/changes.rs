//! Changed files: by file, each change with the call that made it, whether it was approved, and its hunks.

use super::draft::{Cell, Draft};
use crate::session::row::RowIx;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::short_call_id;
use crate::text::wire::WireText;
use crate::triage::detail::{Subject, TabId};
use crate::triage::doc::{Doc, DocLine, Overflow};
use crate::triage::edits::{self, ChangedFile, Unseen, unseen};
use crate::triage::facts::{Call, CallState, Edit, SubCall};
use crate::triage::pass::arguments::told;
use crate::triage::pass::said::{number, shown};
use crate::triage::peek::Peek;
use crate::triage::tools::runs_shell;
use crate::triage::what::{first_line, is_by_policy, sub_call_mark};

/// Files that are listed.
const MOST_FILES: usize = 1_000;

/// Changes of one file that are drawn.
const MOST_EDITS: usize = 200;

/// Calls that may have written files unseen, listed.
const MOST_UNSEEN: usize = 1_000;

/// Lines of one change that are drawn; all of them are in the detail that Enter leads to.
const MOST_LINES: usize = 60;

pub(super) fn fill(draft: &mut Draft<'_, '_>) {
    let files = edits::by_file(draft.facts);
    let (n, all) = (files.len() as u64, draft.facts.edits.len() as u64);
    let (counted, changes) = (draft.words.count("count.files", n), draft.words.count("count.changes", all));
    if files.is_empty() {
        draft.words("changed.none", Role::Normal);
    } else {
        let text = draft.say("changed.summary", &[("files", &counted), ("changes", &changes)]);
        draft.line(text, Role::Normal, None);
        draft.words("changed.note", Role::Dim);
    }
    draft.blank();
    for file in files.iter().take(MOST_FILES) {
        one(draft, file, Hunks::Drawn);
        draft.blank();
    }
    draft.more(files.len().saturating_sub(MOST_FILES));
    not_seen(draft, MOST_UNSEEN);
}

/// What may have written files unseen: how many calls, then each.
fn not_seen(draft: &mut Draft<'_, '_>, most: usize) {
    let all = unseen(draft.facts);
    if all.is_empty() {
        draft.words("changed.none_unseen", Role::Dim);
    } else {
        let counted = |key: &str, is: fn(&Unseen<'_>) -> bool| {
            let n = all.iter().filter(|one| is(one)).count();
            (n > 0).then(|| draft.words.count(key, n as u64))
        };
        let counts = [
            counted("count.shell_calls", |one| matches!(one, Unseen::Shell(_))),
            counted("count.sub_calls", |one| matches!(one, Unseen::SubCall(_))),
            counted("count.added_calls", |one| matches!(one, Unseen::Added(_))),
        ];
        let calls = counts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let text = draft.say("changed.unseen", &[("calls", &calls)]);
        draft.line(text, Role::Warn, None);
    }
    for one in all.iter().take(most) {
        match one {
            Unseen::Shell(call) | Unseen::Added(call) => {
                let about = about(draft, call);
                let (sign, role) = sign(call.state);
                let place = (&call.call_id, &*call.name, call.call_seq.get());
                unseen_row(draft, (sign, role), place, about, one.row());
            }
            Unseen::SubCall(sub) => sub_call(draft, sub),
        }
    }
    draft.more(all.len().saturating_sub(most));
    draft.words("changed.others", Role::Dim);
}

/// A call from inside a program, and for a tool that writes files what it was asked to write.
fn sub_call(draft: &mut Draft<'_, '_>, sub: &SubCall) {
    let row = sub.start_row.or(sub.settle_row);
    let line = row.and_then(|row| draft.text(row));
    let arguments = line.as_deref().and_then(Peek::line).and_then(|line| line.path(&["data", "arguments"]));
    let about = arguments.map(|text| first_line(sub.name.as_bytes(), text.raw(), text.is_whole(), draft.words, 400));
    let mark = sub_call_mark(sub);
    let sign = (mark.glyph().unwrap_or(' '), mark.role());
    let place = (&sub.id, &sub.name, sub.start_seq.or(sub.settle_seq));
    unseen_row(draft, sign, place, about.unwrap_or_default(), row);
    let at = draft.facts.sub_calls.iter().position(|other| std::ptr::eq(other, sub));
    if let (Some(at), Some(row), false) = (at, row, runs_shell(sub.name.as_bytes())) {
        let doc = draft.detail(Subject::SubCall(at), TabId::Changes);
        // Arguments that ask for no change are told by one line without a place.
        let doc = doc.filter(|doc| doc.lines.first().is_some_and(|line| line.target.is_some()));
        if let Some(doc) = doc {
            drawn(draft, doc, row);
        }
    }
}

fn unseen_row(
    draft: &mut Draft<'_, '_>,
    (sign, role): (char, Role),
    (id, tool, seq): (&WireText, &WireText, Option<i64>),
    about: String,
    row: Option<RowIx>,
) {
    let cells = [
        Cell::right(number(seq), 8, Role::Accent),
        Cell::left(format!(" {sign}"), 2, role),
        Cell::left(shown(tool), 10, Role::Normal),
        Cell::left(short_call_id(&shown(id)), 17, Role::Normal),
        Cell::left(about, draft.width.saturating_sub(42).max(8), Role::Dim),
    ];
    draft.row(&cells, row);
}

/// What a call was asked to do, in one line; nothing while its text is not here.
fn about(draft: &mut Draft<'_, '_>, call: &Call) -> String {
    let words = draft.words;
    let line = call.call_row.and_then(|row| draft.text(row));
    line.and_then(|line| told(&line, call, words)).map(|told| told.first_line).unwrap_or_default()
}

fn sign(state: CallState) -> (char, Role) {
    match state {
        CallState::Completed => ('✓', Role::Ok),
        CallState::Failed => ('✗', Role::Bad),
        CallState::NotStarted => ('◦', Role::Warn),
        CallState::OutcomeUnknown => ('?', Role::Unknown),
    }
}

/// Files and calls alone; nothing for none.
pub(super) fn brief(draft: &mut Draft<'_, '_>, most: usize) {
    let files = edits::by_file(draft.facts);
    if files.is_empty() {
        return;
    }
    draft.words("changed.title", Role::Strong);
    for file in files.iter().take(most) {
        one(draft, file, Hunks::LeftOut);
    }
    draft.more(files.len().saturating_sub(most));
    not_seen(draft, most);
    draft.blank();
}

/// Whether the hunks of a change are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hunks {
    Drawn,
    LeftOut,
}

fn one(draft: &mut Draft<'_, '_>, file: &ChangedFile<'_>, drawn: Hunks) {
    let changes = draft.words.count("count.changes", file.edits.len() as u64);
    let first = file.edits.first().map(|edit| edit.row);
    let path = one_line(file.path.as_bytes(), 400);
    let spans = vec![Span::new(path, Role::Strong), Span::new(format!("   {changes}"), Role::Dim)];
    let target = first.map(|row| crate::session::row::EventRef { row, member: 0 });
    draft.push(DocLine { spans, target, indent: 2, ..DocLine::default() });
    if !file.also.is_empty() {
        let paths: Vec<String> = file.also.iter().map(|path| one_line(path.as_bytes(), 400)).collect();
        let text = draft.say("changed.also", &[("paths", &paths.join("   "))]);
        draft.line(format!("  {text}"), Role::Dim, None);
    }
    for edit in file.edits.iter().take(MOST_EDITS) {
        change(draft, edit, drawn);
    }
    draft.more(file.edits.len().saturating_sub(MOST_EDITS));
}

fn change(draft: &mut Draft<'_, '_>, edit: &Edit, drawn: Hunks) {
    let facts = draft.facts;
    let Some(call) = facts.calls.get(edit.call) else { return };
    let id = short_call_id(&shown(&call.call_id));
    let (tool, seq, called) = (shown(&call.name), number(edit.seq), number(call.call_seq.get()));
    let (turn, step) = (number(call.turn.get()), number(call.step.get()));
    let values =
        [("tool", &*tool), ("id", &*id), ("seq", &*seq), ("called", &*called), ("turn", &*turn), ("step", &*step)];
    let text = draft.say("changed.by", &values);
    let (sign, role) = sign(call.state);
    let (approved, approved_role) = approval(draft, edit);
    let spans = vec![
        Span::new(format!("  {sign} "), role),
        Span::new(text, Role::Accent),
        Span::new(format!("   {approved}"), approved_role),
    ];
    let target = Some(crate::session::row::EventRef { row: edit.row, member: 0 });
    draft.push(DocLine { spans, target, indent: 4, ..DocLine::default() });
    if call.state == CallState::OutcomeUnknown {
        let text = draft.words.get("changed.unknown").to_owned();
        draft.line(format!("    {text}"), Role::Unknown, Some(edit.row));
    }
    if drawn == Hunks::Drawn {
        hunks(draft, edit);
    }
}

/// What was asked before the call, and what came of it.
fn approval(draft: &Draft<'_, '_>, edit: &Edit) -> (String, Role) {
    let facts = draft.facts;
    let asked = facts.calls.get(edit.call).map(Call::approvals).unwrap_or_default();
    let Some(last) = asked.last().and_then(|at| facts.approvals.get(*at)) else {
        return (draft.words.get("changed.not_asked").to_owned(), Role::Dim);
    };
    let seq = number(last.decided_seq.or(last.asked_seq));
    match &last.outcome {
        Some(outcome) => {
            let policy = if is_by_policy(last) { draft.words.get("changed.by_policy") } else { "" };
            let text = draft.say("changed.asked", &[("outcome", &shown(outcome)), ("seq", &seq)]);
            (format!("{text}{policy}"), if *outcome == "allowed-once" { Role::Ok } else { Role::Warn })
        }
        None => (draft.say("changed.undecided", &[("seq", &seq)]), Role::Unknown),
    }
}

/// The hunks of a change, as the tab of the detail draws them, those of other files left out.
fn hunks(draft: &mut Draft<'_, '_>, edit: &Edit) {
    // Edits stand in the order of their calls.
    let edits = &draft.facts.edits;
    let first = edits.get(edits.partition_point(|other| other.call < edit.call));
    if first.is_some_and(|first| !std::ptr::eq(first, edit)) {
        let text = draft.words.get("changed.with_the_first").to_owned();
        return draft.line(format!("    {text}"), Role::Dim, Some(edit.row));
    }
    let Some(doc) = draft.detail(Subject::Call(edit.call), TabId::Changes) else {
        let text = draft.words.get("detail.loading").to_owned();
        return draft.line(format!("    {text}"), Role::Dim, Some(edit.row));
    };
    drawn(draft, doc, edit.row);
}

/// The lines of a change; what they leave out is one key away.
fn drawn(draft: &mut Draft<'_, '_>, doc: Doc, row: RowIx) {
    let lines = doc.lines.len();
    for line in doc.lines.into_iter().take(MOST_LINES) {
        if line.spans.is_empty() {
            continue;
        }
        let mut spans = vec![Span::plain("    ")];
        spans.extend(line.spans);
        // The key that puts both sides on a row is one of the detail pane.
        let key = draft.words.get("changes.side_by_side");
        let right = if line.right.iter().any(|span| span.text == key) { Vec::new() } else { line.right };
        draft.push(DocLine { spans, right, overflow: Overflow::Wrap, indent: 8, ..DocLine::default() });
    }
    if lines > MOST_LINES {
        let rest = draft.words.count("count.lines", (lines - MOST_LINES) as u64);
        let text = draft.say("changed.more", &[("lines", &rest)]);
        draft.line(format!("    ⋯ {text}"), Role::Accent, Some(row));
    }
}
