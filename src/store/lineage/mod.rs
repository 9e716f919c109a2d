//! What is true of a lineage: a session, its children, their children, and forks.
//!
//! ```text
//! judged sessions ──▶ tree (header.parentSession) ──▶ evidence (lines asked for) ──▶ link of each child to a call
//!                                                                 └─▶ order that the logs prove, news of the family
//! ```
//!
//! Pure: sessions come judged, lines come through a closure. No clock is compared between two logs, except where a
//! rule of linking says so and names itself.

mod evidence;
mod link;
mod news;
mod order;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

use crate::session::row::RowIx;
use crate::text::wire::WireText;
use crate::triage::session::Session;

pub use link::{Link, Rule, Unlinked};
pub use news::{News, OpenCall, Standing};
pub(super) use news::{furthest_down, own_open};
pub use order::{Order, Proof};
pub use tree::{Kinship, Parent};

/// Most bytes of a line that linking reads: longer prompts prove nothing here.
pub const MOST_LINE: usize = 1 << 20;

/// A session of a lineage: its place in the list that the lineage was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct MemberIx(pub u32);

impl MemberIx {
    /// As a place in a list.
    #[must_use]
    pub fn as_usize(self) -> usize {
        self.0 as usize
    }
}

/// An event of a lineage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Place {
    /// Which session.
    pub member: MemberIx,
    /// Which line of it.
    pub row: RowIx,
}

/// Gives the text of a line, at most [`MOST_LINE`] bytes; `None` where it cannot be read.
pub type Lines<'a> = dyn FnMut(MemberIx, RowIx) -> Option<Vec<u8>> + 'a;

/// A session of a lineage, and what ties it to the others.
#[derive(Debug, Clone)]
pub struct Member {
    /// Id of its header.
    pub id: Option<WireText>,
    /// Where its parent is.
    pub parent: Parent,
    /// What it is to its parent.
    pub kinship: Kinship,
    /// Sessions that name it as their parent, by time of creation.
    pub children: Vec<MemberIx>,
    /// Generations below the root of its tree, from 0.
    pub level: u32,
    /// `delegationDepth` of its header.
    pub depth: Option<i64>,
    /// Label of its own `subagent/descriptor`, else the one its parent gave it.
    pub label: Option<WireText>,
    /// Which call of the parent started it; of a fork where it was cut off.
    pub link: Link,
    /// How it stands by itself, without what it inherited.
    pub standing: Standing,
    /// Its first row that no fork copied; the number of rows where there is none.
    pub first_own: RowIx,
    /// Events of its own.
    pub own_events: u64,
    /// Events that a fork copied.
    pub inherited_events: u64,
}

/// What is true of a lineage.
#[derive(Debug, Clone, Default)]
pub struct Lineage {
    /// The sessions, in the order given.
    pub members: Vec<Member>,
    /// All of them in reading order: each before its children, roots as given.
    pub reading: Vec<MemberIx>,
    /// What the logs prove about the order of events of two sessions, sorted by the earlier one.
    pub orders: Vec<Order>,
    /// The call without a result that is furthest down.
    pub deepest_open: Option<OpenCall>,
    /// What comes first of all that is to be said.
    pub news: News,
}

impl Lineage {
    /// Works out a lineage of judged sessions. The first one is the session that was opened.
    ///
    /// Time grows with the sessions and with the calls of those that have children; lines are read only of these.
    #[must_use]
    pub fn of(sessions: &[Arc<Session>], lines: &mut Lines<'_>) -> Lineage {
        let mut members = tree::members(sessions);
        let reading = tree::reading_order(&members);
        let mut orders = Vec::new();
        for at in 0..members.len() {
            let parent = MemberIx(at as u32);
            if members[at].children.is_empty() {
                continue;
            }
            let known = evidence::gather(sessions, &mut members, parent, lines);
            link::link_children(sessions, &mut members, parent, &known);
            order::prove(sessions, &members, parent, &known, &mut orders);
        }
        orders.sort_by_key(|order| (order.before, order.after));
        let deepest_open = news::deepest_open(sessions, &members);
        let news = news::news(&members, deepest_open);
        Lineage { members, reading, orders, deepest_open, news }
    }

    /// A session of it.
    #[must_use]
    pub fn get(&self, member: MemberIx) -> Option<&Member> {
        self.members.get(member.as_usize())
    }

    /// The child that a call started, where one is linked; the first of several.
    #[must_use]
    pub fn child_of_call(&self, parent: MemberIx, call: usize) -> Option<MemberIx> {
        self.children_of_call(parent, call).next()
    }

    /// The children that a call started, in the order of creation.
    pub fn children_of_call(&self, parent: MemberIx, call: usize) -> impl Iterator<Item = MemberIx> + '_ {
        let children = self.get(parent).map(|member| member.children.as_slice()).unwrap_or_default();
        children
            .iter()
            .copied()
            .filter(move |child| self.get(*child).is_some_and(|child| child.link.call() == Some(call)))
    }

    /// Lowest and highest depth of its sessions; a missing depth counts as the generation.
    #[must_use]
    pub fn depths(&self) -> (i64, i64) {
        let depths = self.members.iter().map(Member::shown_depth);
        depths.fold((i64::MAX, i64::MIN), |(low, high), depth| (low.min(depth), high.max(depth)))
    }
}

impl Member {
    /// The depth of its header, else its generation.
    #[must_use]
    pub fn shown_depth(&self) -> i64 {
        self.depth.unwrap_or(i64::from(self.level))
    }
}
