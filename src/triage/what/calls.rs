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

/// What a row belongs to; the numbers are places in the lists of [`Facts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// A call.
    Call(usize, CallPart),
    /// A sub-call.
    SubCall(usize, CallPart),
    /// A result without a call, or a second one.
    Stray(usize),
    /// The question of an approval.
    Asked(usize),
    /// The decision of an approval.
    Decided(usize),
    /// `command/run`.
    Run(usize),
    /// `command/done`.
    Done(usize),
}

/// Rows that belong to calls, approvals and commands, ascending.
#[derive(Debug, Clone, Default)]
pub struct CallRows(Vec<(RowIx, Link)>);

impl CallRows {
    /// Collects them; time and memory grow with the calls, approvals and commands of the log.
    #[must_use]
    pub fn new(facts: &Facts) -> CallRows {
        let mut rows = Vec::new();
        let mut add = |row: Option<RowIx>, link: Link| rows.extend(row.map(|row| (row, link)));
        for (at, call) in facts.calls.iter().enumerate() {
            add(call.call_row, Link::Call(at, CallPart::Start));
            add(call.result_row, Link::Call(at, CallPart::Result));
            add(call.recovery_row, Link::Call(at, CallPart::Recovery));
            for row in &call.replaced_rows {
                add(Some(*row), Link::Call(at, CallPart::Replaced));
            }
        }
        for (at, call) in facts.sub_calls.iter().enumerate() {
            add(call.start_row, Link::SubCall(at, CallPart::Start));
            add(call.settle_row, Link::SubCall(at, CallPart::Result));
        }
        for (at, stray) in facts.results_without_call.iter().enumerate() {
            add(Some(stray.row), Link::Stray(at));
        }
        for (at, approval) in facts.approvals.iter().enumerate() {
            add(approval.asked_row, Link::Asked(at));
            add(approval.decided_row, Link::Decided(at));
        }
        for (at, command) in facts.commands.iter().enumerate() {
            add(command.run_row, Link::Run(at));
            add(command.done_row, Link::Done(at));
        }
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
