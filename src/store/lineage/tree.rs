//! Who is whose child, by `header.parentSession`: cycles are cut, missing parents are named.

use std::sync::Arc;

use foldhash::HashMap;

use super::news::Standing;
use super::{Link, Member, MemberIx};
use crate::session::row::RowIx;
use crate::text::wire::WireText;
use crate::triage::facts::Facts;
use crate::triage::session::Session;

/// Where the parent of a session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parent {
    /// The header names none.
    None,
    /// It is one of the lineage.
    Here(MemberIx),
    /// It is not among the sessions: its id.
    Missing(WireText),
    /// Its parents lead back to itself: the id that was not followed.
    Cycle(WireText),
}

/// What a session is to its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kinship {
    /// It has none.
    Root,
    /// Started by a call of it.
    Child,
    /// A copy of its beginning, which a person made.
    Fork,
    /// Started by a call, with a copy of its beginning.
    ForkedChild,
}

/// Sessions with parents, children and generations; nothing is linked.
pub(super) fn members(sessions: &[Arc<Session>]) -> Vec<Member> {
    let mut members: Vec<Member> = sessions.iter().map(|session| member(session)).collect();
    let mut places: HashMap<&WireText, MemberIx> = HashMap::default();
    let ids: Vec<Option<WireText>> = members.iter().map(|member| member.id.clone()).collect();
    for (at, id) in ids.iter().enumerate() {
        // Of two with one id the first counts.
        if let Some(id) = id {
            places.entry(id).or_insert(MemberIx(at as u32));
        }
    }
    let mut parents: Vec<Option<MemberIx>> = Vec::with_capacity(members.len());
    for (member, session) in members.iter_mut().zip(sessions) {
        let named = session.facts.header.as_ref().and_then(|header| header.parent_session.as_ref());
        let found = named.and_then(|id| places.get(id).copied());
        parents.push(found);
        member.parent = match (named, found) {
            (None, _) => Parent::None,
            (Some(_), Some(found)) => Parent::Here(found),
            (Some(id), None) => Parent::Missing(id.clone()),
        };
    }
    cut_cycles(&mut members, &mut parents, sessions);
    place(&mut members, &parents, sessions);
    members
}

fn member(session: &Session) -> Member {
    let facts = &session.facts;
    let header = facts.header.as_ref();
    let rows = RowIx(session.index.rows.len() as u32);
    let inherited = facts.inherited.events;
    let all_inherited = inherited > 0 && facts.inherited.cut_row.is_none();
    Member {
        id: header.and_then(|header| header.id.clone()),
        parent: Parent::None,
        kinship: kinship(facts),
        children: Vec::new(),
        level: 0,
        depth: header.and_then(|header| header.delegation_depth),
        label: None,
        link: Link::None,
        standing: Standing::of(facts),
        first_own: facts.inherited.cut_row.unwrap_or(if all_inherited { rows } else { RowIx(0) }),
        own_events: facts.container.events.saturating_sub(inherited),
        inherited_events: inherited,
    }
}

fn kinship(facts: &Facts) -> Kinship {
    let Some(header) = &facts.header else { return Kinship::Root };
    if header.parent_session.is_none() {
        return Kinship::Root;
    }
    let started = header.origin.as_ref().is_some_and(|origin| *origin == "subagent");
    let seeded = header.is_seeded == Some(true) || header.seed_length.is_some();
    // Where neither says what it is, a depth tells a child.
    let is_child = started || (!seeded && header.delegation_depth.is_some_and(|depth| depth > 0));
    match (is_child, seeded) {
        (true, true) => Kinship::ForkedChild,
        (true, false) => Kinship::Child,
        (false, _) => Kinship::Fork,
    }
}

/// Where parents lead back to a session, the one that stands first in the list is taken for the root.
fn cut_cycles(members: &mut [Member], parents: &mut [Option<MemberIx>], sessions: &[Arc<Session>]) {
    // 0: not seen, 1: on the way, 2: leads to a root.
    let mut seen = vec![0_u8; members.len()];
    for start in 0..members.len() {
        let mut way = Vec::new();
        let mut at = start;
        loop {
            match seen[at] {
                0 => {}
                1 => {
                    let from = way.iter().position(|member| *member == at).unwrap_or(0);
                    let root = way[from..].iter().copied().min().unwrap_or(at);
                    parents[root] = None;
                    let named = sessions[root].facts.header.as_ref().and_then(|header| header.parent_session.clone());
                    members[root].parent = Parent::Cycle(named.unwrap_or_default());
                    break;
                }
                _ => break,
            }
            seen[at] = 1;
            way.push(at);
            match parents[at] {
                Some(parent) => at = parent.as_usize(),
                None => break,
            }
        }
        for member in way {
            seen[member] = 2;
        }
    }
}

/// Fills in children, by time of creation, and generations.
fn place(members: &mut [Member], parents: &[Option<MemberIx>], sessions: &[Arc<Session>]) {
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            members[parent.as_usize()].children.push(MemberIx(at as u32));
        }
    }
    let created = |child: &MemberIx| {
        let header = sessions[child.as_usize()].facts.header.as_ref();
        (header.and_then(|header| header.created_at).unwrap_or(i64::MAX), *child)
    };
    for member in members.iter_mut() {
        member.children.sort_by_key(created);
    }
    let mut below: Vec<MemberIx> = roots(parents);
    while let Some(at) = below.pop() {
        let level = members[at.as_usize()].level.saturating_add(1);
        for child in members[at.as_usize()].children.clone() {
            members[child.as_usize()].level = level;
            below.push(child);
        }
    }
}

fn roots(parents: &[Option<MemberIx>]) -> Vec<MemberIx> {
    parents.iter().enumerate().filter(|(_, parent)| parent.is_none()).map(|(at, _)| MemberIx(at as u32)).collect()
}

/// Each session before its children.
pub(super) fn reading_order(members: &[Member]) -> Vec<MemberIx> {
    let mut out = Vec::with_capacity(members.len());
    let is_root = |member: &Member| !matches!(member.parent, Parent::Here(_));
    let mut waiting: Vec<MemberIx> = (0..members.len() as u32).rev().map(MemberIx).collect();
    waiting.retain(|at| is_root(&members[at.as_usize()]));
    while let Some(at) = waiting.pop() {
        out.push(at);
        waiting.extend(members[at.as_usize()].children.iter().rev());
    }
    out
}
