//! Which calls the reader asks for first.

use super::facts::{Basis, CallState, Facts};

impl Facts {
    /// Fills `unpaired`, `last_unpaired`, `last_recovered` and `last_failed` from `calls`.
    pub(super) fn find_last_calls(&mut self) {
        let open = |at: &usize| self.calls[*at].basis == Basis::Inferred;
        self.unpaired = (0..self.calls.len()).filter(open).collect();
        self.last_unpaired = self.unpaired.last().map(|last| {
            let turn = self.calls[*last].turn;
            let same_turn = self.unpaired.iter().rev().take_while(|at| self.calls[**at].turn == turn);
            let started = same_turn.clone().find(|at| self.calls[**at].call_row.is_some());
            *started.unwrap_or(last)
        });
        let recorded = |call: &super::facts::Call| call.basis == Basis::Recorded;
        self.last_recovered = self.calls.iter().rposition(recorded);
        let failed = |call: &super::facts::Call| call.state == CallState::Failed;
        self.last_failed = self.calls.iter().rposition(failed);
    }
}
