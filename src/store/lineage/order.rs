//! What the logs prove about the order of events of two sessions. Inside one session the order is that of the file.

use std::sync::Arc;

use super::evidence::{Known, Naming};
use super::{Kinship, Link, Member, MemberIx, Place};
use crate::session::row::RowIx;
use crate::triage::facts::{Basis, Facts};
use crate::triage::session::Session;

/// What proves an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Proof {
    /// A call stands before the first own event of the child that it started.
    Started,
    /// The end of a child stands before the result that tells what came of it.
    Result,
    /// The end of a child stands before the record that tells of it: a message, or the end of a workflow's member.
    Told,
    /// What a fork copied stands before its first own event.
    Copied,
}

/// One event stands before another one, of another session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Order {
    /// The earlier one.
    pub before: Place,
    /// The later one.
    pub after: Place,
    /// Why that is so.
    pub proof: Proof,
}

/// Adds what is proven between a session and its children.
pub(super) fn prove(
    sessions: &[Arc<Session>],
    members: &[Member],
    parent: MemberIx,
    known: &Known,
    orders: &mut Vec<Order>,
) {
    let calls = &sessions[parent.as_usize()].facts.calls;
    for child in &members[parent.as_usize()].children {
        let member = &members[child.as_usize()];
        let session = &sessions[child.as_usize()];
        let first = Some(member.first_own).filter(|row| row.as_usize() < session.index.rows.len());
        let first = first.map(|row| Place { member: *child, row });
        let of_parent = |row| Place { member: parent, row };
        let mut prove = |before: Option<Place>, after: Option<Place>, proof| {
            if let (Some(before), Some(after)) = (before, after) {
                orders.push(Order { before, after, proof });
            }
        };
        if let (Kinship::Fork, Link::Fork { at }) = (member.kinship, member.link) {
            prove(at.map(of_parent), first, Proof::Copied);
            continue;
        }
        let call = member.link.call().and_then(|at| Some((at, calls.get(at)?)));
        prove(call.and_then(|(_, call)| call.call_row).map(of_parent), first, Proof::Started);
        let end = end_of(&session.facts, member.first_own).map(|row| Place { member: *child, row });
        let told =
            |how: Naming| known.named.iter().find(|named| named.how == how && Some(&named.child) == member.id.as_ref());
        let told = told(Naming::AgentEnd).or_else(|| told(Naming::Settled));
        if let Some(told) = told {
            prove(end, Some(of_parent(told.row)), Proof::Told);
        } else if let Some((at, call)) = call {
            let says = known.calls.iter().find(|says| says.call == at);
            // A result that only says that something was started does not tell of its end.
            let tells = call.basis == Basis::Result && says.is_some_and(|says| !says.only_started);
            let many = known.children.len() > 1 && is_shared(members, parent, at);
            let result = call.result_row.filter(|_| tells && !many).map(of_parent);
            prove(end, result, Proof::Result);
        }
    }
}

/// Whether a call started several children.
fn is_shared(members: &[Member], parent: MemberIx, call: usize) -> bool {
    let children = members[parent.as_usize()].children.iter();
    children.filter(|child| members[child.as_usize()].link.call() == Some(call)).count() > 1
}

/// Where the first turn of its own ended: later turns of a child that goes on stand behind the result.
fn end_of(facts: &Facts, first_own: RowIx) -> Option<RowIx> {
    let own = facts.turns.iter().filter(|turn| turn.start_row >= first_own);
    own.min_by_key(|turn| turn.start_row)?.end_row
}
