//! The rows of the ledger that its filter lets through, in the order that was chosen.

use std::borrow::Cow;
use std::cmp::Reverse;

use crate::app::page::Order;
use crate::app::page::sheet::Sheet;
use crate::query::predicate::Prepared;
use crate::query::selection::{Lines, Sifter, Sought};
use crate::session::row::RowIx;
use crate::text::role::Role;
use crate::triage::doc::DocLine;
use crate::triage::ledger::{Entry, Ledger, Unasked};

/// The rows that are shown.
pub(super) struct Narrowed {
    /// Questions, and the switches between them: these only while questions stand as in the log.
    pub(super) entries: Vec<Entry>,
    /// What ran without a question.
    pub(super) unasked: Vec<Unasked>,
    questions: u64,
}

impl Narrowed {
    /// How many questions and calls they are.
    pub(super) fn len(&self) -> u64 {
        self.questions + self.unasked.len() as u64
    }
}

/// Stored text as far as the page has it; what is missing is asked for.
struct Texts<'s, 'a>(&'s mut Sheet<'a>);

impl Lines for Texts<'_, '_> {
    fn line(&mut self, ix: RowIx) -> Option<Cow<'_, [u8]>> {
        self.0.text(ix).map(Cow::Borrowed)
    }
}

/// The rows that the filter lets through, in order; and how many there are without it. A row whose text decides is let
/// through once the text is here.
pub(super) fn narrowed(sheet: &mut Sheet<'_>, book: &Ledger) -> (Narrowed, u64) {
    let facts = sheet.facts;
    let query = sheet.model.page_query.as_ref();
    let query = query.map(|query| Prepared::of(query, sheet.session, sheet.zone));
    let mut keeps = |rows: [Option<RowIx>; 2]| {
        let Some(query) = &query else { return true };
        let session = sheet.session;
        let mut sifter = Sifter::default();
        let mut texts = Texts(&mut *sheet);
        rows.into_iter().flatten().any(|row| sifter.keeps(Sought::Query(query), session, row, &mut texts))
    };
    let is_question = |entry: &&Entry| matches!(entry, Entry::Question(_));
    let all = book.entries.iter().filter(is_question).count() + book.unasked.len();
    let mut entries = book.entries.clone();
    entries.retain(|entry| match entry {
        Entry::Question(at) => {
            facts.approvals.get(*at).is_some_and(|approval| keeps([approval.asked_row, approval.decided_row]))
        }
        Entry::Switch(_) => true,
    });
    let mut unasked = book.unasked.clone();
    unasked.retain(|unasked| {
        let row = match unasked {
            Unasked::Call(at) => facts.calls.get(*at).and_then(|call| call.call_row),
            Unasked::SubCall(at) => facts.sub_calls.get(*at).and_then(|sub| sub.start_row),
        };
        keeps([row, None])
    });
    let questions = entries.iter().filter(is_question).count() as u64;
    if sheet.model.page_order != Order::Log || questions == 0 && query.is_some() {
        entries.retain(|entry| matches!(entry, Entry::Question(_)));
    }
    sort(sheet, &mut entries, &mut unasked);
    (Narrowed { entries, unasked, questions }, all as u64)
}

/// Stable: rows that are alike stay as in the log.
fn sort(sheet: &Sheet<'_>, entries: &mut [Entry], unasked: &mut [Unasked]) {
    let facts = sheet.facts;
    let approval = |entry: &Entry| match entry {
        Entry::Question(at) => facts.approvals.get(*at),
        Entry::Switch(_) => None,
    };
    match sheet.model.page_order {
        Order::Log => {}
        Order::Waited => {
            entries.sort_by_key(|entry| Reverse(approval(entry).and_then(|approval| approval.waited_ms)));
        }
        Order::Outcome => entries.sort_by_key(|entry| approval(entry).and_then(|approval| approval.outcome.clone())),
        Order::Tool => {
            entries.sort_by_key(|entry| approval(entry).and_then(|approval| approval.tool.clone()));
            unasked.sort_by_key(|unasked| match unasked {
                Unasked::Call(at) => facts.calls.get(*at).map(|call| call.name.as_ref().clone()),
                Unasked::SubCall(at) => facts.sub_calls.get(*at).map(|sub| sub.name.clone()),
            });
        }
    }
}

/// Says what narrows the rows and how they are sorted, where that is not as usual.
pub(super) fn told(sheet: &mut Sheet<'_>, (shown, all): (u64, u64)) {
    let words = sheet.words;
    let mut parts = Vec::new();
    if let Some(query) = &sheet.model.page_query {
        let (shown, all) = (words.number(shown), words.number(all));
        let values = [("filter", query.text()), ("shown", &*shown), ("all", &*all)];
        parts.push(words.say("ledger.narrowed", &values));
    }
    match sheet.model.page_order {
        Order::Log => {}
        Order::Waited => parts.push(words.get("ledger.by_waiting").to_owned()),
        Order::Outcome => parts.push(words.get("ledger.by_outcome").to_owned()),
        Order::Tool => parts.push(words.get("ledger.by_tool").to_owned()),
    }
    if !parts.is_empty() {
        sheet.push(DocLine::of(parts.join("   "), Role::Accent));
    }
}
