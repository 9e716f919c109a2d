//! Which calls the reader asks for first.

use super::facts::{Basis, CallState, Facts};

impl Facts {
    /// Takes back what a view of the tail alone cannot know: a result may have its call, a loader its reason to refuse
    /// and a finished call its failure in the part that was not read.
    pub(super) fn forget_what_the_start_decides(&mut self) {
        self.results_without_call.clear();
        self.loader.result = None;
        self.loader.why = String::new();
        self.loader.kept_events = 0;
        self.last_recovered = None;
        self.last_failed = None;
    }

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
