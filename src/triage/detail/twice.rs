//! What says that a call may have run twice, on top of what it is about.

use super::page::{Page, at_row};
use crate::text::role::{Role, Span};
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::pass::rungs::{twice, twice_sides};

/// Pairs of records that are told; one call has more only in a damaged log.
const MOST: usize = 5;

/// Both records of each pair that the call stands in, each leading to its place; nothing for a call that ran once.
pub(super) fn fill(page: &mut Page<'_>, call: usize) {
    let (session, words) = (page.detail.session, page.detail.words);
    let its = session.facts.twice.iter().filter(|twice| twice.call == call || twice.again == Some(call));
    let mut told = 0;
    for found in its.take(MOST) {
        let mark = Span::new("! ", Role::Warn);
        let text = words.say("ladder.may_have_run_twice", &[("why", &twice(found, session, words))]);
        page.push(DocLine { spans: vec![mark, Span::new(text, Role::Warn)], indent: 2, ..DocLine::default() });
        for (side, row) in twice_sides(found, session, words).into_iter().zip(found.rows) {
            let line = DocLine::of(format!("  {side}"), Role::Accent);
            page.push(DocLine { target: at_row(Some(row)), overflow: Overflow::Cut, ..line });
        }
        told += 1;
    }
    if told > 0 {
        page.blank();
    }
}
