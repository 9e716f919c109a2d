//! The line as stored: where it lies, what it cites, and its bytes.

use std::sync::Arc;

use super::page::{Form, Page, Style, at_row, seq_text};
use super::subject::Subject;
use super::value;
use crate::log::reader::BlockAddress;
use crate::session::row::{EventRef, Flags, Row, RowIx};
use crate::text::role::{Role, Span};
use crate::triage::doc::DocLine;
use crate::triage::facts::Facts;
use crate::triage::peek::Peek;

/// Citations shown one by one.
const MOST_CITED: usize = 50;

pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    let facts = &page.detail.session.facts;
    let of_call =
        |rows: [Option<RowIx>; 2]| rows.into_iter().flatten().map(|row| EventRef { row, member: 0 }).collect();
    let events: Vec<EventRef> = match subject {
        Subject::Call(at) => facts
            .calls
            .get(at)
            .map_or_else(Vec::new, |call| of_call([call.call_row.or(call.message_row), call.result_row])),
        Subject::SubCall(at) => {
            facts.sub_calls.get(at).map_or_else(Vec::new, |call| of_call([call.start_row, call.settle_row]))
        }
        Subject::Message(row) | Subject::Header(row) => vec![EventRef { row, member: 0 }],
        Subject::Run(run) => vec![EventRef { row: run.first, member: 0 }],
        Subject::Event(event) => vec![event],
        Subject::Ghost(_) => return page.words("record.ghost", &[]),
        Subject::Damage(damage) => return super::damage::fill(page, damage),
        Subject::LogHeader => return header(page),
    };
    for event in events {
        page.blank();
        one(page, event);
    }
}

fn header(page: &mut Page<'_>) {
    let Some(header) = &page.detail.session.facts.header else { return page.words("rule.no_header", &[]) };
    let raw = Arc::<[u8]>::from(&*header.raw);
    let bytes = page.detail.words.count("count.bytes", raw.len() as u64);
    let text = page.say("record.place", &[("line", "1"), ("bytes", &bytes)]);
    page.title(text, Vec::new(), None);
    stored(page, &raw, raw.len() as u64);
    page.doc.value = Some(raw);
}

fn one(page: &mut Page<'_>, event: EventRef) {
    let Some(row) = page.detail.index().rows.get(event.row).copied() else { return };
    let Some(raw) = page.detail.raw(event.row) else { return page.loading() };
    place(page, event.row, &row, raw.total);
    notes(page, event, &row);
    if let Some(value) = Peek::line(&raw.bytes) {
        cites(page, event.row, value);
    }
    cited_by(page, event.row);
    stored(page, &raw.bytes, raw.total);
    if raw.bytes.len() as u64 == raw.total {
        page.doc.value.get_or_insert_with(|| Arc::clone(&raw.bytes));
    }
}

fn stored(page: &mut Page<'_>, bytes: &[u8], total: u64) {
    let value = Peek::line(bytes).filter(|value| value.is_whole());
    match (page.detail.form, value) {
        (form @ (Form::Pretty | Form::Tree), Some(value)) => value::pretty(page, value, form),
        _ => page.block(bytes, total, Style::default()),
    }
}

/// Line, frame, offset and length.
fn place(page: &mut Page<'_>, ix: RowIx, row: &Row, total: u64) {
    let index = page.detail.index();
    let line = index.line(ix).map_or_else(|| "?".to_owned(), |line| line.to_string());
    let bytes = page.detail.words.count("count.bytes", total);
    let at = row.block.0 as usize;
    let frame = index.frame_of.get(at).map(ToString::to_string);
    let text = match (index.blocks.get(at), frame) {
        (Some(BlockAddress::Plain { offset, .. }), _) => {
            let offset = (offset + u64::from(row.at)).to_string();
            page.say("record.place_plain", &[("line", &line), ("offset", &offset), ("bytes", &bytes)])
        }
        (Some(BlockAddress::Frame { offset, .. } | BlockAddress::Torn { offset, .. }), Some(frame)) => {
            let offset = offset.to_string();
            let values = [("line", line.as_str()), ("frame", &frame), ("offset", &offset), ("bytes", &bytes)];
            page.say("record.place_frame", &values)
        }
        (Some(BlockAddress::Frame { .. } | BlockAddress::Torn { .. } | BlockAddress::Kept(_)) | None, _) => {
            page.say("record.place", &[("line", &line), ("bytes", &bytes)])
        }
    };
    let seq = page.say("detail.seq", &[("seq", &seq_text(row.seq().map(|seq| seq.0)))]);
    page.title(text, vec![Span::plain(seq)], at_row(Some(ix)));
}

/// What is odd about the line.
fn notes(page: &mut Page<'_>, event: EventRef, row: &Row) {
    if row.members > 1 {
        let (n, all) = ((u64::from(event.member) + 1).to_string(), row.members.to_string());
        let text = page.say("record.member", &[("n", &n), ("all", &all)]);
        page.line(text, Role::Dim);
    }
    let inherited = page.detail.session.facts.inherited;
    let marks = [
        (row.flags.has(Flags::TORN), "record.saved"),
        (row.flags.has(Flags::NOT_UTF8), "record.not_utf8"),
        (row.flags.has(Flags::SPLIT), "record.split"),
        (row.flags.has(Flags::UNTERMINATED), "record.unterminated"),
        (inherited.cut_row.is_some_and(|cut| event.row < cut), "record.inherited"),
    ];
    for (_, key) in marks.into_iter().filter(|(is_so, _)| *is_so) {
        let text = page.say(key, &[]);
        page.line(text, Role::Warn);
    }
}

/// One line a citation, so that Enter goes there.
fn cites(page: &mut Page<'_>, ix: RowIx, event: Peek<'_>) {
    for (key, range) in cited(event) {
        link(page, key, range, ix);
    }
}

/// A seq, or the first and the last of a range.
type Range = (i64, Option<i64>);

/// What a record names: the seqs it replaces, then those it cites, each with the key of its word; not more than
/// [`MOST_CITED`] of them.
pub(crate) fn cited(event: Peek<'_>) -> Vec<(&'static str, Range)> {
    let mut seqs: Vec<Range> = Vec::new();
    let sources = event.get("sourceEventSeqs").map(Peek::items).unwrap_or_default();
    for item in sources.into_iter().take(MOST_CITED) {
        let ends: Vec<i64> = item.items().into_iter().filter_map(integer).collect();
        match (integer(item), ends.as_slice()) {
            (Some(seq), _) => seqs.push((seq, None)),
            (None, [first, last]) => seqs.push((*first, Some(*last))),
            (None, _) => {}
        }
    }
    let mut out = Vec::new();
    if let Some(op) = event.get("surfaceOp") {
        let end = |old: &str, later: &str| op.integer(old).or_else(|| op.integer(later));
        if let Some(start) = end("start", "startSeq") {
            let last = end("end", "endSeq").filter(|last| *last != start);
            out.push(("record.replaces", (start, last)));
        }
    }
    let data = event.get("data");
    for key in ["sourceEventSeq", "headerSeq", "throughSeq"] {
        if let Some(seq) = data.and_then(|data| data.integer(key)) {
            seqs.push((seq, None));
        }
    }
    let shadowed = data.and_then(|data| data.get("shadowedSeqs")).map(Peek::items).unwrap_or_default();
    seqs.extend(shadowed.into_iter().take(MOST_CITED).filter_map(integer).map(|seq| (seq, None)));
    out.extend(seqs.into_iter().take(MOST_CITED).map(|range| ("record.cites", range)));
    out
}

fn integer(value: Peek<'_>) -> Option<i64> {
    match value {
        Peek::Whole(value) => value.as_i64(),
        Peek::Cut(_) => None,
    }
}

fn link(page: &mut Page<'_>, key: &str, (first, last): (i64, Option<i64>), near: RowIx) {
    let target = page.target(Some(first), Some(near));
    let range = last.map_or_else(|| first.to_string(), |last| format!("{first}-{last}"));
    let mut spans = vec![Span::new(format!("{} ", page.say(key, &[])), Role::Dim), Span::new(range, Role::Accent)];
    if target.is_none() {
        spans.push(Span::new(format!("  {}", page.say("record.dangling", &[])), Role::Warn));
    }
    page.push(DocLine { spans, target, ..DocLine::default() });
}

/// What the facts know to cite the row: the result of a call, the rewrites of a result.
pub(crate) fn citing(facts: &Facts, ix: RowIx) -> Vec<RowIx> {
    // Calls are in the order of their messages, so a scan is needed only here, for one row.
    let mut rows = Vec::new();
    for call in &facts.calls {
        if call.call_row == Some(ix) {
            rows.extend(call.result_row.into_iter().chain(call.recovery().map(|recovery| recovery.row)));
        }
        if call.result_row == Some(ix) {
            rows.extend(call.replaced_rows().iter().copied().take(MOST_CITED));
        }
    }
    rows
}

fn cited_by(page: &mut Page<'_>, ix: RowIx) {
    let rows = citing(&page.detail.session.facts, ix);
    for row in rows {
        let seq = page.detail.index().rows.get(row).and_then(Row::seq).map(|seq| seq.0);
        let spans = vec![
            Span::new(format!("{} ", page.say("record.cited_by", &[])), Role::Dim),
            Span::new(seq_text(seq), Role::Accent),
        ];
        page.push(DocLine { spans, target: at_row(Some(row)), ..DocLine::default() });
    }
}
