//! Questions for a decision, and the policy, sandbox and other state in force when they were asked.

use foldhash::HashMap;

use super::facts::{Approval, Switch, Switched};
use super::waiting::Waiting;
use crate::record::event::Event;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Follows approvals (docs/FORMAT.md section 7.3).
#[derive(Debug, Clone, Default)]
pub(super) struct ApprovalFold {
    approvals: Vec<Approval>,
    asked_at: Vec<Option<i64>>,
    /// Open questions by id.
    open: Waiting<WireText>,
}

/// The call that a question is about, as found among the calls so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedFor {
    pub(super) call: Option<usize>,
    pub(super) by_position: bool,
}

impl ApprovalFold {
    /// `approval/asked`. Gives the place of the question.
    pub(super) fn asked(
        &mut self,
        row: RowIx,
        event: &Event,
        (id, tool, call_id): (&WireText, Option<&WireText>, Option<&WireText>),
        asked_for: AskedFor,
        state: &StateFold,
    ) -> usize {
        let at = self.approvals.len();
        self.approvals.push(Approval {
            id: id.clone(),
            tool: tool.cloned(),
            call_id: call_id.cloned(),
            call: asked_for.call,
            by_position: asked_for.by_position,
            asked_seq: event.seq,
            asked_row: Some(row),
            decided_seq: None,
            decided_row: None,
            outcome: None,
            waited_ms: None,
            policy: state.value(Switched::Policy).cloned(),
            sandbox: state.value(Switched::Sandbox).cloned(),
        });
        self.asked_at.push(event.time);
        self.open.open(id.clone(), at);
        at
    }

    /// `approval/decided`: answers the oldest open question of its id; without one it is an entry of its own.
    pub(super) fn decided(&mut self, row: RowIx, event: &Event, id: &WireText, outcome: Option<&WireText>) {
        let at = self.open.close(id).unwrap_or_else(|| {
            self.approvals.push(Approval {
                id: id.clone(),
                tool: None,
                call_id: None,
                call: None,
                by_position: false,
                asked_seq: None,
                asked_row: None,
                decided_seq: None,
                decided_row: None,
                outcome: None,
                waited_ms: None,
                policy: None,
                sandbox: None,
            });
            self.asked_at.push(None);
            self.approvals.len() - 1
        });
        let waited = self.asked_at[at].zip(event.time).map(|(asked, decided)| decided.saturating_sub(asked));
        let approval = &mut self.approvals[at];
        approval.decided_seq = event.seq;
        approval.decided_row = Some(row);
        approval.outcome = outcome.cloned();
        approval.waited_ms = waited;
    }

    /// All questions in the order of the first record of each.
    pub(super) fn finish(self) -> Vec<Approval> {
        self.approvals
    }
}

/// Follows what is in force: policy, sandbox, presets, model, tools, title.
#[derive(Debug, Clone, Default)]
pub(super) struct StateFold {
    switches: Vec<Switch>,
    now: HashMap<Switched, u32>,
}

impl StateFold {
    /// A record sets a value. A record that repeats the value in force is kept only where the log writes it on a
    /// choice; model, window and tools stand in every header and are kept on change.
    pub(super) fn set(&mut self, what: Switched, value: WireText, row: RowIx, event: &Event) {
        let repeats = self.value(what) == Some(&value);
        if repeats && matches!(what, Switched::Model | Switched::Window | Switched::Tools) {
            return;
        }
        self.now.insert(what, self.switches.len() as u32);
        self.switches.push(Switch { what, value, seq: event.seq, row });
    }

    /// The value in force.
    pub(super) fn value(&self, what: Switched) -> Option<&WireText> {
        self.now.get(&what).map(|at| &self.switches[*at as usize].value)
    }

    /// All changes in file order.
    pub(super) fn finish(self) -> Vec<Switch> {
        self.switches
    }
}
