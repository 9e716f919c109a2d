//! The calls pane: turns, steps, calls and what belongs to them, as a tree.

mod row;
mod tree;

use std::collections::BTreeMap;

pub use self::row::CallRow;
pub(crate) use self::row::{row, title};
pub(crate) use self::tree::{Tree, TreeNode};
use crate::session::row::RowIx;

/// A node of the tree, by its place in the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// Completed turns folded together; places in `Facts::turns`, both included.
    Turns {
        /// First.
        first: u32,
        /// Last.
        last: u32,
    },
    /// A turn: place in `Facts::turns`.
    Turn(u32),
    /// A step: place in `Facts::steps`.
    Step(u32),
    /// A call: place in `Facts::calls`.
    Call(u32),
    /// An approval: place in `Facts::approvals`.
    Approval(u32),
    /// A sub-call: place in `Facts::sub_calls`.
    SubCall(u32),
    /// A retry: place in `Facts::retries`.
    Retry(u32),
    /// A switch: place in `Facts::switches`.
    Switch(u32),
    /// A command: place in `Facts::commands`.
    Command(u32),
    /// A result without a call: place in `Facts::results_without_call`.
    Stray(u32),
    /// A call that exists only in a stream: place in `Facts::dropped_calls`.
    Dropped(u32),
    /// A child session that a call started, or a fork: its member of the lineage.
    Child(u32),
}

/// Whether something is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Fold {
    /// Nothing to open.
    #[default]
    Leaf,
    /// Folded.
    Folded,
    /// Open.
    Open,
}

/// A visible row of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visible {
    pub(crate) node: Node,
    /// Place in the tree; of turns folded together that of the first.
    pub(crate) at: u32,
    pub(crate) fold: Fold,
}

/// Turns from which on completed ones are folded together.
const MANY_TURNS: usize = 8;

/// Rows that are seen below a row the pane was led to, where it has them.
const ROWS_BELOW: usize = 3;

/// Level below which nothing opens: turns 0, steps 1, calls 2, approvals and sub-calls 3.
pub(crate) const DEEPEST: u8 = 3;

/// The calls pane.
#[derive(Debug, Clone, Default)]
pub struct Calls {
    pub(crate) visible: Vec<Visible>,
    /// Row with the cursor (or the link, while another pane has the focus).
    pub(crate) cursor: usize,
    /// First row on screen.
    pub(crate) top: usize,
    /// Rows on screen.
    pub(crate) height: u16,
    /// Levels that are open; `None`: all, but of many turns the current one only.
    pub(crate) levels: Option<u8>,
    /// Nodes that the user opened or folded.
    pub(crate) flips: BTreeMap<Node, bool>,
    /// The turn that the cursor is in: place in the tree.
    pub(crate) current: Option<u32>,
    /// Words at the right of the title, long and short.
    pub title: [String; 2],
}

impl Calls {
    /// How many rows are visible.
    #[must_use]
    pub fn len(&self) -> usize {
        self.visible.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    /// Place of the cursor among the visible rows, from 0.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Place of the first row on screen.
    #[must_use]
    pub fn top(&self) -> usize {
        self.top
    }

    /// The rows on screen.
    pub(crate) fn on_screen(&self) -> &[Visible] {
        let end = self.top.saturating_add(usize::from(self.height)).min(self.visible.len());
        self.visible.get(self.top..end).unwrap_or_default()
    }

    /// Builds the visible rows anew; the cursor stays on its node, else on the nearest above it in the tree.
    pub(crate) fn build(&mut self, tree: &Tree) {
        let held = self.visible.get(self.cursor).map(|row| row.at);
        self.visible.clear();
        let many = self.levels.is_none() && tree.turns().len() > MANY_TURNS;
        let mut at = 0;
        while let Some(found) = tree.get(at) {
            if many && found.level == 0 && !self.stays_single(tree, found, at) {
                let (last, after) = self.together(tree, at);
                if let (Node::Turn(first), Node::Turn(last)) = (found.node, last)
                    && first != last
                {
                    self.visible.push(Visible { node: Node::Turns { first, last }, at, fold: Fold::Folded });
                    at = after;
                    continue;
                }
            }
            let fold = self.fold(tree, found, at, many);
            self.visible.push(Visible { node: found.node, at, fold });
            at = if fold == Fold::Folded { found.after } else { at + 1 };
        }
        if let Some(held) = held {
            let after = self.visible.partition_point(|row| row.at <= held);
            self.cursor = after.saturating_sub(1);
        }
        self.reveal();
    }

    /// A turn that keeps a row of its own among many.
    fn stays_single(&self, tree: &Tree, turn: &TreeNode, at: u32) -> bool {
        let current = self.current;
        let is_next = current.is_some() && tree.turn_before(at) == current;
        current == Some(at) || is_next || !turn.quiet || self.flips.get(&turn.node) == Some(&true)
    }

    /// The last of the turns that go together from this one on, and the place after it.
    fn together(&self, tree: &Tree, from: u32) -> (Node, u32) {
        let mut last = from;
        while let Some(found) = tree.get(last) {
            match tree.get(found.after) {
                Some(next) if next.level == 0 && next.is_turn() && !self.stays_single(tree, next, found.after) => {
                    last = found.after;
                }
                Some(_) | None => return (found.node, found.after),
            }
        }
        (Node::Turn(from), from)
    }

    fn fold(&self, tree: &Tree, found: &TreeNode, at: u32, many: bool) -> Fold {
        if found.after <= at + 1 || tree.get(at).is_none() {
            return Fold::Leaf;
        }
        let usual = match self.levels {
            Some(levels) => found.level < levels,
            None => !many || found.level > 0 || self.current == Some(at),
        };
        if self.flips.get(&found.node).copied().unwrap_or(usual) { Fold::Open } else { Fold::Folded }
    }

    /// Scrolls as little as needed to show the cursor.
    pub(crate) fn reveal(&mut self) {
        let height = usize::from(self.height.max(1));
        self.cursor = self.cursor.min(self.visible.len().saturating_sub(1));
        let last_top = self.visible.len().saturating_sub(height);
        self.top = self.top.min(last_top).min(self.cursor).max((self.cursor + 1).saturating_sub(height));
    }

    /// Puts the row with the cursor on this row of the screen, as far as the ends allow.
    pub(crate) fn show_at(&mut self, screen_row: usize) {
        self.top = self.cursor.saturating_sub(screen_row);
        self.reveal();
    }

    /// Puts the cursor on the node that a line of the log belongs to; among many turns its turn opens.
    pub(crate) fn link(&mut self, tree: &Tree, row: RowIx) {
        let Some(at) = tree.of_row(row) else { return };
        let turn = tree.turn_of(at);
        if self.current != turn {
            self.current = turn;
            if self.levels.is_none() && tree.turns().len() > MANY_TURNS {
                self.build(tree);
            }
        }
        let after = self.visible.partition_point(|visible| visible.at <= at);
        self.cursor = after.saturating_sub(1);
        self.reveal();
        self.reveal_around();
    }

    /// Scrolls so that some rows after the cursor are seen: its parts, and the next calls of a parallel step.
    fn reveal_around(&mut self) {
        let height = usize::from(self.height.max(1));
        let below = ROWS_BELOW.min(height / 3);
        let last = (self.cursor + below).min(self.visible.len().saturating_sub(1));
        self.top = self.top.max((last + 1).saturating_sub(height));
    }

    /// The visible row of the node above, if it is another one.
    pub(crate) fn parent(&self, tree: &Tree) -> Option<usize> {
        let here = self.visible.get(self.cursor)?;
        let level = tree.get(here.at)?.level;
        let mut above = self.visible.get(..self.cursor)?.iter();
        above.rposition(|row| tree.get(row.at).is_some_and(|found| found.level < level))
    }

    /// Opens or folds the node at the cursor.
    pub(crate) fn set_open(&mut self, tree: &Tree, open: bool) {
        let Some(here) = self.visible.get(self.cursor).copied() else { return };
        match here.node {
            Node::Turns { first, last } if open => {
                self.flips.extend((first..=last).map(|turn| (Node::Turn(turn), true)));
            }
            node => {
                self.flips.insert(node, open);
            }
        }
        if !open && self.current == Some(here.at) {
            self.flips.insert(here.node, false);
        }
        self.build(tree);
    }

    /// Sets how many levels are open.
    pub(crate) fn set_levels(&mut self, tree: &Tree, levels: u8) {
        self.levels = Some(levels.min(DEEPEST));
        self.flips.clear();
        self.build(tree);
    }
}
