//! A row of the tree in words.

use super::{Fold, Node, Tree, Visible};
use crate::app::family::Head;
use crate::app::model::Open;
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::{display, display_name};
use crate::text::wire::WireText;
use crate::triage::facts::{Approval, Basis, Call, CallState, Facts, SubCallState, Switched};
use crate::triage::session::{Extent, Session};
use crate::triage::what::{Mark, approval_mark, call_mark, command_mark, sub_call_mark, turn_mark};

/// A row of the tree, ready to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRow {
    /// Which node.
    pub node: Node,
    /// Levels below the turns; draw two columns of indent for each.
    pub level: u8,
    /// Open, folded, or a leaf.
    pub fold: Fold,
    /// The cursor (or the link, while another pane has the focus) stands here.
    pub cursor: bool,
    /// State; [`Mark::None`] draws a blank.
    pub mark: Mark,
    /// It has no result yet, and one may come: its mark is drawn in the accent role.
    pub awaited: bool,
    /// It is a switch of policy, preset or sandbox: drawn with `=`.
    pub switch: bool,
    /// What it is: `turn 1`, `bash`, `approval`.
    pub name: String,
    /// Role of the name.
    pub role: Role,
    /// Call id or further words.
    pub id: String,
    /// State word or duration, right-aligned; with a leading `< ` where it is an upper bound.
    pub state: Span,
    /// The seq or seqs that prove it, without brackets.
    pub proof: String,
    /// Where its line is in the timeline.
    pub target: EventRef,
}

impl CallRow {
    fn new(node: Node, name: String) -> CallRow {
        CallRow {
            node,
            level: 0,
            fold: Fold::Leaf,
            cursor: false,
            mark: Mark::None,
            awaited: false,
            switch: false,
            name,
            role: Role::Normal,
            id: String::new(),
            state: Span::default(),
            proof: String::new(),
            target: EventRef::default(),
        }
    }
}

/// What rows are made from.
#[derive(Clone, Copy)]
struct Teller<'a> {
    facts: &'a Facts,
    tree: &'a Tree,
    words: &'a Words,
    /// The file grows: a result may still come.
    growing: bool,
}

/// A visible row in words.
pub(crate) fn row(visible: Visible, open: &Open, words: &Words, growing: bool, child: Option<Head>) -> CallRow {
    let tree = &open.tree;
    let teller = Teller { facts: &open.session.facts, tree, words, growing };
    let found = tree.get(visible.at);
    let told = match (visible.node, child) {
        (Node::Child(_), Some(head)) => Some(teller.child(visible.node, head)),
        _ => teller.tell(visible),
    };
    CallRow {
        level: found.map_or(0, |found| found.level),
        fold: visible.fold,
        target: EventRef { row: found.map_or(RowIx(0), |found| found.row), member: 0 },
        ..told.unwrap_or_else(|| CallRow::new(visible.node, String::new()))
    }
}

impl Teller<'_> {
    fn tell(self, visible: Visible) -> Option<CallRow> {
        match visible.node {
            Node::Turns { first, last } => self.turns(visible, first, last),
            Node::Turn(at) => self.turn(visible, at),
            Node::Step(at) => self.step(visible, at),
            Node::Call(at) => self.facts.calls.get(at as usize).map(|call| self.call(visible.node, call)),
            Node::Approval(at) => self.facts.approvals.get(at as usize).map(|found| self.approval(visible.node, found)),
            Node::SubCall(at) => self.sub_call(visible.node, at),
            Node::Retry(at) => self.retry(visible.node, at),
            Node::Switch(at) => self.switch(visible.node, at),
            Node::Command(at) => self.command(visible.node, at),
            Node::Stray(at) => {
                let stray = self.facts.results_without_call.get(at as usize)?;
                Some(CallRow {
                    mark: Mark::Look,
                    role: Role::Warn,
                    id: display(stray.call_id.as_bytes()),
                    proof: seqs(stray.result_seq, None),
                    ..CallRow::new(visible.node, self.words.get("calls.without_call").to_owned())
                })
            }
            Node::Child(_) => None,
            Node::Dropped(at) => {
                let dropped = self.facts.dropped_calls.get(at as usize)?;
                Some(CallRow {
                    mark: Mark::Cancelled,
                    role: Role::Dim,
                    id: text(dropped.call_id.as_ref()),
                    state: Span::new(self.words.get("state_short.never_requested"), Role::Dim),
                    proof: seqs(dropped.seq, None),
                    ..CallRow::new(visible.node, text(dropped.name.as_ref()))
                })
            }
        }
    }

    fn child(self, node: Node, head: Head) -> CallRow {
        CallRow {
            mark: head.mark,
            id: head.name,
            state: head.ended,
            ..CallRow::new(node, self.words.get("calls.child").to_owned())
        }
    }

    fn turns(self, visible: Visible, first: u32, last: u32) -> Option<CallRow> {
        let number = |at: u32| self.facts.turns.get(at as usize).map(|turn| turn.turn.to_string());
        let range = format!("{}-{}", number(first)?, number(last)?);
        // Turns stand in the tree in the order of the facts: as many after the first as there are between them.
        let turns = self.tree.turns();
        let at = turns.partition_point(|at| *at < visible.at) + last.saturating_sub(first) as usize;
        let after = turns.get(at).and_then(|at| self.tree.get(*at)).map_or(u32::MAX, |found| found.after);
        let calls = self.tree.calls_between(visible.at, after);
        Some(CallRow {
            id: self.words.count("count.calls", calls),
            state: Span::plain(self.words.get("state_short.completed")),
            ..CallRow::new(visible.node, self.words.say("calls.turns", &[("range", &range)]))
        })
    }

    fn calls_below(self, at: u32) -> u64 {
        let after = self.tree.get(at).map_or(at, |found| found.after);
        self.tree.calls_between(at, after)
    }

    fn turn(self, visible: Visible, at: u32) -> Option<CallRow> {
        let turn = self.facts.turns.get(at as usize)?;
        let took = took(turn.start_time, turn.end_time);
        let state = match &turn.end {
            None => Span::new(self.words.get("state_short.open"), Role::Warn),
            Some(end) if *end == "completed" => Span::plain(took.unwrap_or_else(|| display(end.as_bytes()))),
            Some(end) => Span::new(display(end.as_bytes()), turn_mark(turn).role()),
        };
        let calls = || self.words.count("count.calls", self.calls_below(visible.at));
        Some(CallRow {
            mark: turn_mark(turn),
            id: if visible.fold == Fold::Folded { calls() } else { String::new() },
            state,
            proof: seqs(turn.start_seq, turn.end_seq),
            ..CallRow::new(visible.node, self.words.say("calls.turn", &[("turn", &turn.turn.to_string())]))
        })
    }

    fn step(self, visible: Visible, at: u32) -> Option<CallRow> {
        let step = self.facts.steps.get(at as usize)?;
        let state = match took(step.start_time.get(), step.end_time.get()) {
            _ if step.end_row.is_none() => Span::new(self.words.get("state_short.open"), Role::Warn),
            took => Span::plain(took.unwrap_or_default()),
        };
        let none = self.calls_below(visible.at) == 0 && step.end_row.is_some();
        Some(CallRow {
            id: if none { self.words.get("state_short.no_calls").to_owned() } else { String::new() },
            state,
            proof: seqs(step.start_seq.get(), step.end_seq.get()),
            ..CallRow::new(visible.node, self.words.say("calls.step", &[("step", &step.step.to_string())]))
        })
    }

    fn call(self, node: Node, call: &Call) -> CallRow {
        let mark = call_mark(call);
        let awaited = self.growing && call.basis == Basis::Inferred;
        let short = |key: &str| Span::new(self.words.get(key), mark.role());
        let state = match call.state {
            _ if mark == Mark::Cancelled => short("state_short.not_run"),
            CallState::Completed | CallState::Failed => {
                let bound = took(call.call_time.get(), call.result_time.get()).map(|took| format!("< {took}"));
                Span::plain(bound.unwrap_or_else(|| self.words.get("state_short.completed").to_owned()))
            }
            CallState::NotStarted | CallState::OutcomeUnknown if awaited => {
                Span::new(self.words.get("state_short.no_result_yet"), Role::Accent)
            }
            CallState::NotStarted => short("state_short.not_started"),
            CallState::OutcomeUnknown => short("state_short.outcome_unknown"),
        };
        CallRow {
            mark: if awaited && mark == Mark::NotStarted { Mark::Unknown } else { mark },
            awaited,
            id: display(call.call_id.as_bytes()),
            state,
            proof: seqs(call.call_seq.or(call.message_seq).get(), None),
            ..CallRow::new(node, display_name(call.name.as_bytes()))
        }
    }

    fn approval(self, node: Node, approval: &Approval) -> CallRow {
        let mark = approval_mark(approval);
        let outcome = match (&approval.outcome, mark) {
            (_, Mark::ByPolicy) => self.words.get("calls.not_asked").to_owned(),
            (Some(outcome), _) => display(outcome.as_bytes()),
            (None, _) => self.words.get("state.never_decided").to_owned(),
        };
        CallRow {
            mark,
            id: outcome,
            state: Span::plain(approval.waited_ms.map(duration).unwrap_or_default()),
            proof: seqs(approval.asked_seq, approval.decided_seq),
            ..CallRow::new(node, self.words.get("calls.approval").to_owned())
        }
    }

    fn sub_call(self, node: Node, at: u32) -> Option<CallRow> {
        let call = self.facts.sub_calls.get(at as usize)?;
        let mark = sub_call_mark(call);
        let state = match call.state {
            SubCallState::Completed | SubCallState::Failed => {
                Span::plain(took(call.start_time, call.settle_time).unwrap_or_default())
            }
            SubCallState::OutcomeUnknown if self.growing => {
                Span::new(self.words.get("state_short.no_result_yet"), Role::Accent)
            }
            SubCallState::OutcomeUnknown => Span::new(self.words.get("state_short.outcome_unknown"), Role::Unknown),
        };
        Some(CallRow {
            mark,
            awaited: self.growing && call.state == SubCallState::OutcomeUnknown,
            id: display(call.id.as_bytes()),
            state,
            proof: seqs(call.start_seq, call.settle_seq),
            ..CallRow::new(node, display_name(call.name.as_bytes()))
        })
    }

    fn retry(self, node: Node, at: u32) -> Option<CallRow> {
        let retry = self.facts.retries.get(at as usize)?;
        let started = retry.started_row.is_some();
        let delay = retry.delay_ms.map(duration).unwrap_or_default();
        Some(CallRow {
            mark: if started { Mark::None } else { Mark::Unknown },
            id: text(retry.failure.code.as_ref()),
            state: if started {
                Span::plain(delay)
            } else {
                Span::new(self.words.get("state.never_started"), Role::Unknown)
            },
            proof: seqs(retry.seq, retry.started_seq),
            ..CallRow::new(node, self.words.get("calls.retry").to_owned())
        })
    }

    fn switch(self, node: Node, at: u32) -> Option<CallRow> {
        let switch = self.facts.switches.get(at as usize)?;
        let earlier = self.facts.switches.get(..at as usize)?;
        let before = earlier.iter().rev().find(|other| other.what == switch.what);
        let from = before.map_or("-".to_owned(), |before| display(before.value.as_bytes()));
        let value = display(switch.value.as_bytes());
        let name = match switch.what {
            Switched::Sandbox => "sandbox/mode",
            Switched::Policy => "approval/policy",
            Switched::Preset => "permission/preset",
            Switched::Plan => "plan/mode",
            Switched::AgentPreset => "agent-preset/selected",
            Switched::Model | Switched::Tools => "request/header",
            Switched::Window => "request/context",
            Switched::Todo => "todo/write",
            Switched::Title => "session/title",
        };
        Some(CallRow {
            switch: true,
            role: Role::Accent,
            id: self.words.say("what.from_to", &[("from", &from), ("to", &value)]),
            proof: seqs(switch.seq, None),
            ..CallRow::new(node, name.to_owned())
        })
    }

    fn command(self, node: Node, at: u32) -> Option<CallRow> {
        let command = self.facts.commands.get(at as usize)?;
        let mark = command_mark(command);
        let state = match &command.kind {
            Some(kind) => Span::new(display(kind.as_bytes()), mark.role()),
            None => Span::new(self.words.get("state.command_never_done"), Role::Unknown),
        };
        Some(CallRow {
            mark,
            id: display(command.id.as_bytes()),
            state,
            proof: seqs(command.run_seq, command.done_seq),
            ..CallRow::new(node, format!("/{}", text(command.name.as_ref())))
        })
    }
}

fn text(text: Option<&WireText>) -> String {
    text.map(|text| display(text.as_bytes())).unwrap_or_default()
}

fn took(from: Option<i64>, to: Option<i64>) -> Option<String> {
    to?.checked_sub(from?).map(duration)
}

/// One or two seqs: `88`, `96-97`; nothing where none is recorded.
fn seqs(first: Option<i64>, last: Option<i64>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first != last => format!("{first}-{last}"),
        (Some(seq), _) | (None, Some(seq)) => seq.to_string(),
        (None, None) => String::new(),
    }
}

/// Title words at the right of the pane, long and short. A view of the tail alone does not know how many there are; in a
/// file that grows a call that was not started may start.
pub(crate) fn title(session: &Session, words: &Words, growing: bool) -> [String; 2] {
    let calls = &session.facts.calls;
    if session.extent == Extent::Tail {
        let n = words.number(calls.len() as u64);
        return [words.say("pane.calls_in_tail", &[("n", &n)]), words.get("missing.unread_column").to_owned()];
    }
    let call_mark = |call: &Call| match call_mark(call) {
        Mark::NotStarted if growing && call.basis == Basis::Inferred => Mark::Unknown,
        mark => mark,
    };
    let total = words.count("count.calls", calls.len() as u64);
    let count = |mark: Mark| calls.iter().filter(|call| call_mark(call) == mark).count();
    let all = [
        (Mark::Completed, '✓'),
        (Mark::Failed, '✗'),
        (Mark::Unknown, '?'),
        (Mark::NotStarted, '◦'),
        (Mark::Cancelled, '-'),
    ];
    let parts: Vec<(Mark, String)> = all
        .into_iter()
        .map(|(mark, glyph)| (mark, count(mark), glyph))
        .filter(|(_, count, _)| *count > 0)
        .map(|(mark, count, glyph)| (mark, format!("{count} {glyph}")))
        .collect();
    let join = |parts: &[(Mark, String)]| parts.iter().map(|(_, part)| part.as_str()).collect::<Vec<_>>().join(" ");
    match &parts[..] {
        [] => [total.clone(), total],
        [(Mark::Completed, _)] => [format!("{total} ✓"), format!("{} ✓", calls.len())],
        parts => {
            let open: Vec<_> = parts.iter().filter(|(mark, _)| *mark != Mark::Completed).cloned().collect();
            [format!("{total}: {}", join(parts)), join(&open)]
        }
    }
}
