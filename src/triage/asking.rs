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
        (id, tool, call_id, reason): (&WireText, Option<&WireText>, Option<&WireText>, Option<&WireText>),
        asked_for: AskedFor,
        state: &StateFold,
    ) -> usize {
        let at = self.approvals.len();
        self.approvals.push(Approval {
            id: id.clone(),
            tool: tool.cloned(),
            call_id: call_id.cloned(),
            reason: reason.cloned(),
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
                reason: None,
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

#[cfg(test)]
mod tests {
    use crate::triage::bench::Written;

    fn asked(log: Written, id: &str) -> Written {
        log.event("approval/asked", &format!(r#""id":"{id}","toolName":"bash""#))
    }

    fn decided(log: Written, id: &str, outcome: &str) -> Written {
        log.event("approval/decided", &format!(r#""id":"{id}","outcome":"{outcome}""#))
    }

    /// When asked, when decided, and how long that took.
    type Row = (Option<i64>, Option<i64>, Option<i64>);

    #[test]
    fn a_decision_answers_the_oldest_open_question_of_its_id() {
        let started = || Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]).call(1, 1, "a");
        let table: [(&str, Written, Vec<Row>); 5] = [
            ("asked", asked(started(), "q"), vec![(Some(4), None, None)]),
            ("answered", decided(asked(started(), "q"), "q", "rejected"), vec![(Some(4), Some(5), Some(1000))]),
            ("another id answers nothing", decided(asked(started(), "q"), "r", "rejected"),
                vec![(Some(4), None, None), (None, Some(5), None)]),
            ("asked twice under one id", decided(asked(asked(started(), "q"), "q"), "q", "rejected"),
                vec![(Some(4), Some(6), Some(2000)), (Some(5), None, None)]),
            ("the clock stepped back",
                asked(started(), "q").raw(r#"{"type":"approval/decided","seq":5,"time":1790000003000,"data":{"id":"q","outcome":"unavailable"}}"#),
                vec![(Some(4), Some(5), Some(-1000))]),
        ];
        for (name, log, expected) in table {
            let facts = log.facts();
            let found = facts.approvals.iter().map(|one| (one.asked_seq, one.decided_seq, one.waited_ms));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
        }
    }

    #[test]
    fn a_question_without_a_call_id_belongs_to_the_newest_running_call_of_its_tool() {
        let two = Written::new().turn(1).step(1, 1).asks(1, 1, &["a", "b"]).call(1, 1, "a").call(1, 1, "b");
        let facts = asked(two.clone(), "q").facts();
        assert_eq!((facts.approvals[0].call, facts.approvals[0].by_position), (Some(1), true));
        assert_eq!(facts.calls[1].approvals(), [0]);
        let settled = asked(two.clone().result(1, 1, "b", "", ""), "q").facts();
        assert_eq!(settled.approvals[0].call, Some(0), "b no longer runs");
        let other = two.event("approval/asked", r#""id":"q","toolName":"write""#).facts();
        assert_eq!((other.approvals[0].call, other.approvals[0].by_position), (None, false));
    }

    #[test]
    fn policy_and_sandbox_are_those_in_force_at_the_question() {
        let log = asked(Written::new(), "before").event("approval/policy", r#""policy":"on-request""#);
        let log = asked(log, "first").event("approval/policy", r#""policy":"never""#);
        let facts = decided(asked(log, "second"), "first", "rejected").facts();
        let policies: Vec<_> = facts.approvals.iter().map(|one| one.policy.clone()).collect();
        assert_eq!(policies, [None, Some("on-request".into()), Some("never".into())]);
    }
}
