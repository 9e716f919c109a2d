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

#[cfg(test)]
mod tests {
    use crate::triage::bench::Written;

    /// Call ids of the last unpaired, the last recovered and the last failed call.
    fn last(log: &Written) -> [Option<String>; 3] {
        let facts = log.facts();
        [facts.last_unpaired, facts.last_recovered, facts.last_failed]
            .map(|at| Some(String::from_utf8_lossy(facts.calls[at?].call_id.as_bytes()).into_owned()))
    }

    #[test]
    fn the_last_call_of_each_sort_is_found() {
        let open = || Written::new().turn(1).step(1, 1);
        let error = |log: Written, id: &str| log.result(1, 1, id, r#","isError":true"#, "");
        let three = || open().asks(1, 1, &["a", "b", "c"]);
        let table = [
            ("none", open(), [None, None, None]),
            ("asked for only", three(), [Some("c"), None, None]),
            ("one that started goes first", three().call(1, 1, "a").call(1, 1, "b"), [Some("b"), None, None]),
            (
                "of the latest turn, started or not",
                three().call(1, 1, "a").turn_end(1, "error").turn(2).step(2, 1).asks(2, 1, &["d"]),
                [Some("d"), None, None],
            ),
            (
                "a closed one is recovered and not unpaired",
                open().asks(1, 1, &["a"]).call(1, 1, "a").recovered(1, 1, "a", "TOOL_OUTCOME_UNKNOWN", ""),
                [None, Some("a"), None],
            ),
            ("failed", error(open().asks(1, 1, &["a"]).call(1, 1, "a"), "a"), [None, None, Some("a")]),
        ];
        for (name, log, expected) in table {
            assert_eq!(last(&log), expected.map(|id| id.map(str::to_owned)), "{name}");
        }
    }
}
