//! Facts → tree, once per reading. A node knows its level and where its subtree ends; the rest follows from the order.

use super::Node;
use crate::session::row::RowIx;
use crate::triage::facts::{CallState, Facts};

/// A node with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeNode {
    pub(crate) node: Node,
    /// 0 turns, 1 steps and what stands between them, 2 calls and retries, 3 approvals and sub-calls.
    pub(crate) level: u8,
    /// Place after its subtree.
    pub(crate) after: u32,
    /// The line it stands for.
    pub(crate) row: RowIx,
    /// A completed turn whose calls all completed.
    pub(crate) quiet: bool,
    /// Calls before it in the tree.
    pub(crate) calls: u32,
}

impl TreeNode {
    /// Whether it is a turn.
    pub(crate) fn is_turn(&self) -> bool {
        matches!(self.node, Node::Turn(_))
    }
}

/// The tree, in reading order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<TreeNode>,
    /// Places of the turns.
    turns: Vec<u32>,
    /// Lines and the node that each belongs to, sorted.
    rows: Vec<(RowIx, u32)>,
    /// Calls in it.
    calls: u32,
}

/// A node before it has a place: where it is sorted in.
struct Entry {
    /// The line that decides where among the turns and steps it stands.
    home: RowIx,
    /// Turn, step, anything below, in the order of one line.
    level: u8,
    /// Order below a call: its place in `calls`, then its own line.
    under: (u32, u8, RowIx),
    node: Node,
    row: RowIx,
}

impl Tree {
    pub(crate) fn of(facts: &Facts) -> Tree {
        Tree::with_children(facts, &[])
    }

    /// With child sessions below the calls that started them, those without a call at the end: their members, and
    /// places in `Facts::calls`.
    pub(crate) fn with_children(facts: &Facts, children: &[(u32, Option<usize>)]) -> Tree {
        let mut entries = entries(facts);
        entries.extend(children.iter().map(|(member, call)| child(facts, *member, *call)));
        // In place, since a long log has many: the node decides last, as a stable sort would.
        entries.sort_unstable_by_key(|entry| (entry.home, entry.level.min(2), entry.under, entry.node));
        let mut tree = Tree::default();
        for entry in entries {
            tree.push(facts, &entry);
        }
        tree.close(facts);
        tree
    }

    fn push(&mut self, facts: &Facts, entry: &Entry) {
        let at = self.nodes.len().min(u32::MAX as usize) as u32;
        let before = self.turns.last().copied();
        let mut level = entry.level;
        match entry.node {
            Node::Turn(_) => self.turns.push(at),
            Node::Switch(_) | Node::Command(_) => {
                // Inside an open turn it stands among the steps, else between the turns.
                let turn = before.and_then(|turn| self.nodes.get(turn as usize));
                let inside = turn.is_some_and(|turn| match turn.node {
                    Node::Turn(turn) => {
                        let end = facts.turns.get(turn as usize).and_then(|turn| turn.end_row);
                        end.is_none_or(|end| entry.row <= end)
                    }
                    _ => false,
                });
                level = u8::from(inside);
            }
            _ => {}
        }
        // A node never stands more than one level below the one before it.
        let above = self.nodes.last().map_or(0, |last| last.level + 1);
        level = level.min(above);
        // The line of a child is that of its call.
        if !matches!(entry.node, Node::Child(_)) {
            let rows = others(facts, entry.node).into_iter().flatten().chain([entry.row]);
            self.rows.extend(rows.map(|row| (row, at)));
        }
        let (node, row, calls) = (entry.node, entry.row, self.calls);
        self.calls += u32::from(matches!(node, Node::Call(_)));
        self.nodes.push(TreeNode { node, level, after: at + 1, row, quiet: false, calls });
    }

    /// Fills in where the subtrees end, and which turns are quiet.
    fn close(&mut self, facts: &Facts) {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..=self.nodes.len() {
            let level = self.nodes.get(at).map_or(0, |node| node.level);
            while let Some(top) =
                open.last().copied().filter(|top| self.nodes[*top].level >= level || at == self.nodes.len())
            {
                self.nodes[top].after = at as u32;
                open.pop();
            }
            open.push(at);
        }
        for at in self.turns.clone() {
            let after = self.nodes[at as usize].after as usize;
            let loud = |node: &TreeNode| match node.node {
                Node::Call(call) => {
                    facts.calls.get(call as usize).is_some_and(|call| call.state != CallState::Completed)
                }
                Node::Retry(_) | Node::Stray(_) | Node::Dropped(_) => true,
                _ => false,
            };
            let completed = match self.nodes[at as usize].node {
                Node::Turn(turn) => {
                    let end = facts.turns.get(turn as usize).and_then(|turn| turn.end.as_ref());
                    end.is_some_and(|end| *end == "completed")
                }
                _ => false,
            };
            let quiet = completed && !self.nodes[at as usize..after].iter().any(loud);
            self.nodes[at as usize].quiet = quiet;
        }
        self.rows.sort_unstable();
        // A long log has as many nodes as calls: what growing left over would stay held.
        self.nodes.shrink_to_fit();
        self.rows.shrink_to_fit();
    }

    /// The node at a place.
    pub(crate) fn get(&self, at: u32) -> Option<&TreeNode> {
        self.nodes.get(at as usize)
    }

    /// Places of the turns.
    pub(crate) fn turns(&self) -> &[u32] {
        &self.turns
    }

    /// Calls from one place up to another, that one left out. Constant time.
    pub(crate) fn calls_between(&self, from: u32, to: u32) -> u64 {
        let before = |at: u32| self.get(at).map_or(self.calls, |node| node.calls);
        u64::from(before(to).saturating_sub(before(from)))
    }

    /// The node that a line belongs to: its own, else the step or turn it lies in; `None` before the first.
    pub(crate) fn of_row(&self, row: RowIx) -> Option<u32> {
        let after = self.rows.partition_point(|(found, _)| *found <= row);
        let (found, at) = *self.rows.get(after.checked_sub(1)?)?;
        if found == row {
            // Several nodes of one line: the first one in the tree is the one that the line is about.
            let first = self.rows.partition_point(|(found, _)| *found < row);
            let same = self.rows.get(first..after)?.iter();
            return same
                .map(|(_, at)| *at)
                .max_by_key(|at| self.get(*at).map(|node| (node.level, std::cmp::Reverse(*at))));
        }
        // Not a line of its own: the step or turn around the nearest before it.
        (0..=at).rev().find(|at| self.get(*at).is_some_and(|node| node.level < 2))
    }

    /// The turn before a place.
    pub(crate) fn turn_before(&self, at: u32) -> Option<u32> {
        let after = self.turns.partition_point(|turn| *turn < at);
        self.turns.get(after.checked_sub(1)?).copied()
    }

    /// The turn around a node.
    pub(crate) fn turn_of(&self, at: u32) -> Option<u32> {
        let after = self.turns.partition_point(|turn| *turn <= at);
        self.turns.get(after.checked_sub(1)?).copied()
    }
}

fn entries(facts: &Facts) -> Vec<Entry> {
    let mut out = Vec::with_capacity(facts.turns.len() + facts.steps.len() + facts.calls.len() + facts.approvals.len());
    for (at, turn) in facts.turns.iter().enumerate() {
        out.push(entry(Node::Turn(at as u32), 0, turn.start_row));
    }
    for (at, step) in facts.steps.iter().enumerate() {
        out.push(entry(Node::Step(at as u32), 1, step.start_row));
    }
    for (at, call) in facts.calls.iter().enumerate() {
        let Some(home) = call.message_row.or(call.call_row).or(call.result_row) else { continue };
        let row = call.call_row.unwrap_or(home);
        out.push(Entry { home, under: (at as u32, 0, row), ..entry(Node::Call(at as u32), 2, row) });
    }
    below_calls(facts, &mut out);
    for (at, retry) in facts.retries.iter().enumerate() {
        out.push(entry(Node::Retry(at as u32), 2, retry.row));
    }
    for (at, switch) in facts.switches.iter().enumerate() {
        // What is set before the first turn is the start, not a switch.
        if facts.turns.first().is_some_and(|turn| switch.row > turn.start_row) && is_told(facts, at) {
            out.push(entry(Node::Switch(at as u32), 1, switch.row));
        }
    }
    for (at, command) in facts.commands.iter().enumerate() {
        let Some(row) = command.run_row.or(command.done_row) else { continue };
        out.push(entry(Node::Command(at as u32), 1, row));
    }
    for (at, stray) in facts.results_without_call.iter().enumerate() {
        out.push(entry(Node::Stray(at as u32), 2, stray.row));
    }
    for (at, dropped) in facts.dropped_calls.iter().enumerate() {
        out.push(entry(Node::Dropped(at as u32), 2, dropped.row));
    }
    out
}

/// A child session below its call.
fn child(facts: &Facts, member: u32, call: Option<usize>) -> Entry {
    let found = call.and_then(|at| Some((at, facts.calls.get(at)?)));
    let home = found.and_then(|(_, call)| call.message_row.or(call.call_row));
    if let (Some((at, call)), Some(home)) = (found, home) {
        let row = call.call_row.unwrap_or(home);
        let plain = entry(Node::Child(member), 3, row);
        return Entry { home, under: (at as u32, 2, row), ..plain };
    }
    let last = facts.turns.iter().map(|turn| turn.end_row.unwrap_or(turn.start_row)).max().unwrap_or(RowIx(0));
    let plain = entry(Node::Child(member), 0, last);
    Entry { home: RowIx(u32::MAX), under: (u32::MAX, 0, RowIx(member)), ..plain }
}

/// Switches worth a row: what a tool may do; titles, models and tools are no rule that a call ran under.
fn is_told(facts: &Facts, at: usize) -> bool {
    use crate::triage::facts::Switched;
    facts.switches.get(at).is_some_and(|switch| match switch.what {
        Switched::Sandbox | Switched::Policy | Switched::Preset | Switched::Plan | Switched::AgentPreset => true,
        Switched::Model | Switched::Window | Switched::Tools | Switched::Todo | Switched::Title => false,
    })
}

fn below_calls(facts: &Facts, out: &mut Vec<Entry>) {
    let home_of = |call: usize| {
        let call = facts.calls.get(call)?;
        call.message_row.or(call.call_row).or(call.result_row)
    };
    for (at, approval) in facts.approvals.iter().enumerate() {
        let Some(row) = approval.asked_row.or(approval.decided_row) else { continue };
        let plain = entry(Node::Approval(at as u32), 2, row);
        let home = approval.call.and_then(|call| Some((home_of(call)?, call)));
        out.push(match home {
            Some((home, call)) => Entry { home, level: 3, under: (call as u32, 1, row), ..plain },
            None => plain,
        });
    }
    for (at, call) in facts.sub_calls.iter().enumerate() {
        let Some(row) = call.start_row.or(call.settle_row) else { continue };
        let plain = entry(Node::SubCall(at as u32), 2, row);
        let home = call.call.and_then(|root| Some((home_of(root)?, root)));
        out.push(match home {
            Some((home, root)) => Entry { home, level: 3, under: (root as u32, 1, row), ..plain },
            None => plain,
        });
    }
}

fn entry(node: Node, level: u8, row: RowIx) -> Entry {
    Entry { home: row, level, under: (u32::MAX, 0, row), node, row }
}

/// The lines of a node beside the one it stands for.
fn others(facts: &Facts, node: Node) -> [Option<RowIx>; 3] {
    let one = |row: Option<RowIx>| [row, None, None];
    match node {
        Node::Turn(at) => one(facts.turns.get(at as usize).and_then(|turn| turn.end_row)),
        Node::Step(at) => one(facts.steps.get(at as usize).and_then(|step| step.end_row)),
        Node::Call(at) => facts.calls.get(at as usize).map_or([None; 3], |call| {
            // Rewritten results belong to the call too, the first of them: more would say nothing else.
            [call.result_row, call.recovery().map(|recovery| recovery.row), call.replaced_rows().first().copied()]
        }),
        Node::Approval(at) => one(facts.approvals.get(at as usize).and_then(|approval| approval.decided_row)),
        Node::SubCall(at) => one(facts.sub_calls.get(at as usize).and_then(|call| call.settle_row)),
        Node::Retry(at) => one(facts.retries.get(at as usize).and_then(|retry| retry.started_row)),
        Node::Command(at) => one(facts.commands.get(at as usize).and_then(|command| command.done_row)),
        Node::Turns { .. } | Node::Switch(_) | Node::Stray(_) | Node::Dropped(_) | Node::Child(_) => [None; 3],
    }
}
