//! The approval ledger: each question with what decided it, the switches of the rules between them, and what ran without
//! any question (docs/FORMAT.md section 7.3).

use foldhash::HashSet;

use super::facts::{Approval, Call, Facts, SubCall, Switch, Switched};
use super::tools::runs_or_writes;
use super::what::{Mark, call_mark, is_by_policy};
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// An answer faster than this many milliseconds is called faster than a person can answer.
pub const FASTER_THAN_A_PERSON: i64 = 150;

/// How a question was decided, as far as the log tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecidedBy {
    /// Something answered; the log does not record who.
    Answer,
    /// The policy `never` rejected it: nobody was asked.
    Policy,
    /// The call was cancelled while the question waited.
    Cancelled,
    /// Nothing was there that could answer.
    NobodyThere,
    /// No decision was recorded.
    NeverDecided,
    /// A decision without an outcome, or with one that is not known.
    NotKnown,
}

impl DecidedBy {
    /// All of them, in the order in which they are counted.
    pub const ALL: [DecidedBy; 6] = [
        DecidedBy::Answer,
        DecidedBy::Policy,
        DecidedBy::Cancelled,
        DecidedBy::NobodyThere,
        DecidedBy::NeverDecided,
        DecidedBy::NotKnown,
    ];

    /// Its name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DecidedBy::Answer => "an answer",
            DecidedBy::Policy => "policy",
            DecidedBy::Cancelled => "cancelled",
            DecidedBy::NobodyThere => "nobody there",
            DecidedBy::NeverDecided => "never decided",
            DecidedBy::NotKnown => "not known",
        }
    }
}

/// How a question was decided.
#[must_use]
pub fn decided_by(approval: &Approval) -> DecidedBy {
    match approval.outcome.as_ref().map(WireText::as_bytes) {
        None if approval.decided_row.is_none() => DecidedBy::NeverDecided,
        Some(b"rejected") if is_by_policy(approval) => DecidedBy::Policy,
        Some(b"allowed-once" | b"rejected") => DecidedBy::Answer,
        Some(b"cancelled") => DecidedBy::Cancelled,
        Some(b"unavailable") => DecidedBy::NobodyThere,
        None | Some(_) => DecidedBy::NotKnown,
    }
}

/// A row of the ledger, in the order of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Place in `Facts::approvals`.
    Question(usize),
    /// Place in `Facts::switches`: policy, preset or sandbox.
    Switch(usize),
}

/// What ran without any question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unasked {
    /// Place in `Facts::calls`.
    Call(usize),
    /// Place in `Facts::sub_calls`.
    SubCall(usize),
}

/// The ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Questions and switches.
    pub entries: Vec<Entry>,
    /// Calls and sub-calls that ran a shell or wrote files and about which nothing was asked, in the order of the log.
    pub unasked: Vec<Unasked>,
    /// Milliseconds waited in all; a clock that stepped back adds nothing.
    pub waited_ms: i64,
    /// The longest wait of an answer; `None` without one.
    pub slowest_answer_ms: Option<i64>,
}

/// Whether a call may have run a shell or written files, and no question is on record for it.
#[must_use]
pub fn ran_unasked(call: &Call) -> bool {
    let ran = call.call_row.is_some() && call_mark(call) != Mark::Cancelled;
    ran && call.approvals().is_empty() && runs_or_writes(call.name.as_bytes())
}

/// Whether a change of the state is one of the rules that a question is decided by.
#[must_use]
pub fn is_rule(switch: &Switch) -> bool {
    match switch.what {
        Switched::Policy | Switched::Preset | Switched::Sandbox => true,
        Switched::Plan
        | Switched::AgentPreset
        | Switched::Model
        | Switched::Window
        | Switched::Tools
        | Switched::Todo
        | Switched::Title => false,
    }
}

/// Makes the ledger of a log.
#[must_use]
pub fn ledger(facts: &Facts) -> Ledger {
    let first = |approval: &Approval| approval.asked_row.or(approval.decided_row).unwrap_or_default();
    let questions = facts.approvals.iter().enumerate().map(|(at, one)| (first(one), Entry::Question(at)));
    let switches = facts.switches.iter().enumerate().filter(|(_, switch)| is_rule(switch));
    let mut rows: Vec<(RowIx, Entry)> =
        questions.chain(switches.map(|(at, switch)| (switch.row, Entry::Switch(at)))).collect();
    rows.sort_by_key(|(row, _)| *row);
    let waits = facts.approvals.iter().filter_map(|approval| approval.waited_ms);
    let answers = facts.approvals.iter().filter(|approval| decided_by(approval) == DecidedBy::Answer);
    Ledger {
        entries: rows.into_iter().map(|(_, entry)| entry).collect(),
        unasked: unasked(facts),
        waited_ms: waits.fold(0, |sum, ms| sum.saturating_add(ms.max(0))),
        slowest_answer_ms: answers.filter_map(|approval| approval.waited_ms).max(),
    }
}

fn unasked(facts: &Facts) -> Vec<Unasked> {
    let asked: HashSet<&WireText> = facts.approvals.iter().filter_map(|approval| approval.call_id.as_ref()).collect();
    let acts = |sub: &SubCall| sub.start_row.is_some() && runs_or_writes(sub.name.as_bytes());
    let calls = facts.calls.iter().enumerate().filter(|(_, call)| ran_unasked(call));
    let calls = calls.map(|(at, call)| (call.call_row, Unasked::Call(at)));
    let subs = facts.sub_calls.iter().enumerate().filter(|(_, sub)| acts(sub) && !asked.contains(&sub.id));
    let subs = subs.map(|(at, sub)| (sub.start_row, Unasked::SubCall(at)));
    let mut all: Vec<(Option<RowIx>, Unasked)> = calls.chain(subs).collect();
    all.sort_by_key(|(row, _)| *row);
    all.into_iter().map(|(_, unasked)| unasked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::bench::Written;

    fn asked(log: Written, id: &str, call: &str) -> Written {
        let data = format!(r#""id":"{id}","toolName":"bash","callId":"{call}","reason":"why \u202e not""#);
        log.event("approval/asked", &data)
    }

    fn decided(log: Written, id: &str, outcome: &str) -> Written {
        log.event("approval/decided", &format!(r#""id":"{id}"{outcome}"#))
    }

    fn started(ids: &[&str]) -> Written {
        let log = Written::new().turn(1).step(1, 1).asks(1, 1, ids);
        ids.iter().fold(log, |log, id| log.call(1, 1, id))
    }

    #[test]
    fn each_question_says_how_it_was_decided() {
        use DecidedBy::{Answer, Cancelled, NeverDecided, NobodyThere, NotKnown, Policy};
        let policy = |name: &str| started(&["a"]).event("approval/policy", &format!(r#""policy":"{name}""#));
        let table = [
            ("ask", r#","outcome":"allowed-once""#, Answer),
            ("ask", r#","outcome":"rejected""#, Answer),
            ("never", r#","outcome":"rejected""#, Policy),
            ("never", r#","outcome":"allowed-once""#, Answer),
            ("ask", r#","outcome":"cancelled""#, Cancelled),
            ("ask", r#","outcome":"unavailable""#, NobodyThere),
            ("ask", r#","outcome":"perhaps""#, NotKnown),
            ("ask", "", NotKnown),
        ];
        for (name, outcome, expected) in table {
            let facts = decided(asked(policy(name), "q", "a"), "q", outcome).facts();
            assert_eq!(decided_by(&facts.approvals[0]), expected, "{name} {outcome}");
        }
        let open = asked(policy("ask"), "q", "a").facts();
        assert_eq!(decided_by(&open.approvals[0]), NeverDecided);
        assert_eq!(open.approvals[0].reason, Some("why \u{202e} not".into()));
        let alone = decided(started(&["a"]), "q", r#","outcome":"rejected""#).facts();
        assert_eq!(decided_by(&alone.approvals[0]), Answer, "a decision without its question");
    }

    #[test]
    fn switches_stand_between_the_questions_and_waits_add_up() {
        let log = started(&["a"]).event("sandbox/mode", r#""mode":"read-only""#);
        let log = decided(asked(log, "q", "a"), "q", r#","outcome":"allowed-once""#);
        let log = log.event("approval/policy", r#""policy":"never""#).event("plan/mode", r#""active":true"#);
        let back =
            r#"{"type":"approval/decided","seq":10,"time":1790000000000,"data":{"id":"r","outcome":"rejected"}}"#;
        let facts = asked(log, "r", "a").raw(back).facts();
        let ledger = ledger(&facts);
        assert_eq!(ledger.entries, [Entry::Switch(0), Entry::Question(0), Entry::Switch(1), Entry::Question(1)]);
        assert_eq!((ledger.waited_ms, ledger.slowest_answer_ms), (1000, Some(1000)), "the clock stepped back once");
    }

    #[test]
    fn what_ran_without_a_question_is_found() {
        let aborted = r#","isError":true,"error":{"code":"ABORTED_BEFORE_DISPATCH"}"#;
        let table = [
            ("ran", started(&["a"]), 1),
            ("asked about", asked(started(&["a"]), "q", "a"), 0),
            ("only asked for by the model", Written::new().turn(1).step(1, 1).asks(1, 1, &["a"]), 0),
            ("cancelled before it ran", started(&["a"]).result(1, 1, "a", aborted, ""), 0),
            ("failed", started(&["a"]).result(1, 1, "a", r#","isError":true"#, ""), 1),
            (
                "two of one id in two steps, one asked about",
                asked(started(&["a"]).result(1, 1, "a", "", ""), "q", "a")
                    .step(1, 2)
                    .asks(1, 2, &["a"])
                    .call(1, 2, "a"),
                1,
            ),
        ];
        for (name, log, expected) in table {
            let facts = log.facts();
            assert_eq!(ledger(&facts).unasked.len(), expected, "{name}");
        }
        let sub = |name: &str| {
            let data = format!(r#""parentCallId":"p","rootCallId":"p","subCallId":"p:code:1","name":"{name}""#);
            Written::new().event("tool/code-dispatch-start", &data)
        };
        assert_eq!(ledger(&sub("bash").facts()).unasked, [Unasked::SubCall(0)]);
        assert_eq!(ledger(&asked(sub("bash"), "q", "p:code:1").facts()).unasked, []);
        assert_eq!(ledger(&sub("read").facts()).unasked, []);
    }
}
