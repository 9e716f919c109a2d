//! Which call, sub-call, approval or command a row belongs to: built once a session, asked for every row drawn.

use crate::session::row::RowIx;
use crate::triage::facts::Facts;

/// Which of a call's records a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallPart {
    /// `tool/call`, or the start of a sub-call.
    Start,
    /// The result that decides.
    Result,
    /// The recovery record that a real result came after.
    Recovery,
    /// A result that rewrote what the model sees.
    Replaced,
}

/// What a row belongs to; the numbers are places in the lists of [`Facts`]. 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// A call.
    Call(u32, CallPart),
    /// A sub-call.
    SubCall(u32, CallPart),
    /// A result without a call, or a second one.
    Stray(u32),
    /// The question of an approval.
    Asked(u32),
    /// The decision of an approval.
    Decided(u32),
    /// `command/run`.
    Run(u32),
    /// `command/done`.
    Done(u32),
}

/// Rows that belong to calls, approvals and commands, ascending.
#[derive(Debug, Clone, Default)]
pub struct CallRows(Vec<(RowIx, Link)>);

impl CallRows {
    /// Collects them; time and memory grow with the calls, approvals and commands of the log.
    #[must_use]
    pub fn new(facts: &Facts) -> CallRows {
        let mut rows = Vec::with_capacity(links(facts).count());
        rows.extend(links(facts));
        rows.sort_unstable();
        CallRows(rows)
    }

    /// What a row belongs to, if it is a record of such a thing. Logarithmic.
    #[must_use]
    pub fn of(&self, row: RowIx) -> Option<Link> {
        let at = self.0.partition_point(|(found, _)| *found < row);
        self.0.get(at).filter(|(found, _)| *found == row).map(|(_, link)| *link)
    }
}

/// Every row that belongs to something, in no order.
fn links(facts: &Facts) -> impl Iterator<Item = (RowIx, Link)> + '_ {
    let each = |count: usize| 0..u32::try_from(count).unwrap_or(u32::MAX);
    let calls = each(facts.calls.len()).zip(&facts.calls).flat_map(|(at, call)| {
        let records = [
            (call.call_row, CallPart::Start),
            (call.result_row, CallPart::Result),
            (call.recovery().map(|recovery| recovery.row), CallPart::Recovery),
        ];
        let replaced = call.replaced_rows().iter().map(|row| (Some(*row), CallPart::Replaced));
        records.into_iter().chain(replaced).map(move |(row, part)| (row, Link::Call(at, part)))
    });
    let sub_calls = each(facts.sub_calls.len()).zip(&facts.sub_calls).flat_map(|(at, call)| {
        let (start, end) = (Link::SubCall(at, CallPart::Start), Link::SubCall(at, CallPart::Result));
        [(call.start_row, start), (call.settle_row, end)]
    });
    let stray = &facts.results_without_call;
    let stray = each(stray.len()).zip(stray).map(|(at, stray)| (Some(stray.row), Link::Stray(at)));
    let approvals = each(facts.approvals.len())
        .zip(&facts.approvals)
        .flat_map(|(at, approval)| [(approval.asked_row, Link::Asked(at)), (approval.decided_row, Link::Decided(at))]);
    let commands = each(facts.commands.len())
        .zip(&facts.commands)
        .flat_map(|(at, command)| [(command.run_row, Link::Run(at)), (command.done_row, Link::Done(at))]);
    let all = calls.chain(sub_calls).chain(stray).chain(approvals).chain(commands);
    all.filter_map(|(row, link)| row.map(|row| (row, link)))
}
