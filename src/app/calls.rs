//! The calls pane: turns, steps, calls and what belongs to them, as a tree.

use crate::session::row::{EventRef, RowIx};
use crate::triage::what::Mark;
use crate::text::role::{Role, Span};

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
}

/// A row of the tree that is visible, ready to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRow {
    /// Which node.
    pub node: Node,
    /// Levels below the turns; draw two columns of indent for each.
    pub level: u8,
    /// Open, folded, or a leaf.
    pub fold: Fold,
    /// State; `None` draws a blank.
    pub mark: Option<Mark>,
    /// What it is: `turn 1`, `bash`, `approval`, `=` rows without the sign.
    pub name: String,
    /// Role of the name.
    pub role: Role,
    /// Call id or further words.
    pub id: String,
    /// State word or duration, right-aligned; with a leading `< ` where it is an upper bound.
    pub state: Span,
    /// The seq or seqs that prove it, without brackets.
    pub proof: String,
    /// Where its row is in the timeline.
    pub target: Option<EventRef>,
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

/// The calls pane.
#[derive(Debug, Clone, Default)]
pub struct Calls {
    /// Visible rows; cheap to scroll, built again when something folds.
    pub rows: Vec<CallRow>,
    /// Row with the cursor (or the link, while another pane has the focus).
    pub cursor: usize,
    /// First row on screen.
    pub top: usize,
    /// Title words at the right: `4 calls: 1 done 1 ? 2 ◦`, long and short.
    pub title: [String; 2],
    pub(crate) height: u16,
    pub(crate) anchor: Option<RowIx>,
}
