//! Which call of the parent started a child, by the rules of docs/FORMAT.md section 7.5 in their order.

use std::sync::Arc;

use super::evidence::{CallSays, ChildSays, Known, Named, Naming};
use super::{Kinship, Member, MemberIx};
use crate::session::row::RowIx;
use crate::text::wire::WireText;
use crate::triage::facts::Call;
use crate::triage::session::Session;

/// What tied a child to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `subagent/catalog` of the parent names the child.
    Catalog,
    /// The text of the result names the child.
    ResultText,
    /// `tool-workflow/agent-start` of the parent names the child.
    AgentStart,
    /// `team/member` of the parent names the child.
    TeamMember,
    /// The label is the description of the call, and the first message holds its prompt.
    LabelAndPrompt,
    /// The same of several calls, and the child was created while one of them was open.
    LabelPromptAndTime,
    /// The child was created while this call, and no other that could start one, was open.
    Time,
}

/// Why no call is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unlinked {
    /// No call of the parent fits.
    NothingFits,
    /// More than one call fits, or one call fits several children.
    SeveralFit,
}

/// What ties a session to its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Link {
    /// It has no parent here.
    None,
    /// Started by this call.
    Call {
        /// Place in `Facts::calls` of the parent.
        call: usize,
        /// How that is known.
        rule: Rule,
        /// The line of the parent that names the child, where one does.
        named: Option<RowIx>,
    },
    /// The parent names it, and by which call it was started is not known.
    Named {
        /// How it is named.
        rule: Rule,
        /// The line of the parent.
        row: RowIx,
    },
    /// A person cut it off here.
    Fork {
        /// The last line of the parent that was copied; `None` where nothing was, or the parent does not hold it.
        at: Option<RowIx>,
    },
    /// Its header names the parent, and nothing else ties it.
    Unlinked(Unlinked),
}

impl Link {
    /// Place in `Facts::calls` of the parent of the call that started it.
    #[must_use]
    pub fn call(self) -> Option<usize> {
        match self {
            Link::Call { call, .. } => Some(call),
            Link::None | Link::Named { .. } | Link::Fork { .. } | Link::Unlinked(_) => None,
        }
    }

    /// The rule that tied it.
    #[must_use]
    pub fn rule(self) -> Option<Rule> {
        match self {
            Link::Call { rule, .. } | Link::Named { rule, .. } => Some(rule),
            Link::None | Link::Fork { .. } | Link::Unlinked(_) => None,
        }
    }
}

/// Ties the children of one session to its calls.
pub(super) fn link_children(sessions: &[Arc<Session>], members: &mut [Member], parent: MemberIx, known: &Known) {
    let children = members[parent.as_usize()].children.clone();
    let calls = &sessions[parent.as_usize()].facts.calls;
    let mut linker = Linker { calls, known, taken: vec![false; known.calls.len()] };
    let mut open: Vec<Candidate<'_>> = Vec::new();
    for (child, says) in children.iter().zip(&known.children) {
        let session = &sessions[child.as_usize()];
        let member = &mut members[child.as_usize()];
        if member.kinship == Kinship::Fork {
            member.link = fork(&sessions[parent.as_usize()], session);
            continue;
        }
        let created = session.facts.header.as_ref().and_then(|header| header.created_at);
        member.link = linker.explicit(member, says).unwrap_or(Link::Unlinked(Unlinked::NothingFits));
        if member.link.call().is_none() {
            open.push(Candidate { child: *child, says, created });
        }
    }
    let labelled = linker.by_label(&open);
    // What label and prompt decide is out of the question for time, also where they fit several.
    open.retain(|child| labelled.iter().all(|(other, _)| *other != child.child));
    let timed = linker.by_time(&open);
    for (child, link) in labelled.into_iter().chain(timed) {
        let named = match members[child.as_usize()].link {
            Link::Named { row, .. } => Some(row),
            Link::None | Link::Call { .. } | Link::Fork { .. } | Link::Unlinked(_) => None,
        };
        members[child.as_usize()].link = match (link, named) {
            (Link::Call { call, rule, .. }, named) => Link::Call { call, rule, named },
            // A record that names it says more than calls that might fit.
            (Link::None | Link::Named { .. } | Link::Fork { .. } | Link::Unlinked(_), Some(_)) => continue,
            (link, None) => link,
        };
    }
}

/// Where a fork was cut off: its last inherited event, in the parent.
fn fork(parent: &Session, child: &Session) -> Link {
    let facts = &child.facts;
    let last = facts.inherited.cut_row.and_then(|cut| cut.0.checked_sub(1)).map(RowIx);
    let seq = last.and_then(|row| child.index.rows.get(row)?.last_seq());
    let at = seq.and_then(|seq| parent.index.find(seq).first().map(|event| event.row));
    Link::Fork { at }
}

/// A child that no record ties to a call.
struct Candidate<'a> {
    child: MemberIx,
    says: &'a ChildSays,
    created: Option<i64>,
}

struct Linker<'a> {
    calls: &'a [Call],
    known: &'a Known,
    /// Calls that start one child and have it.
    taken: Vec<bool>,
}

impl Linker<'_> {
    fn call(&self, at: usize) -> Option<&Call> {
        self.calls.get(self.known.calls.get(at)?.call)
    }

    /// Rule 1: a record or a result names the child.
    fn explicit(&mut self, member: &Member, says: &ChildSays) -> Option<Link> {
        let id = member.id.as_ref().filter(|id| !id.is_empty())?;
        let record = |how: Naming| self.known.named.iter().find(|named| named.how == how && named.child == *id);
        let catalog = record(Naming::Catalog);
        let text = self.told_by(id.as_bytes());
        let agent = record(Naming::AgentStart);
        let team = record(Naming::TeamMember);
        let mut named = None;
        for (rule, record) in [(Rule::Catalog, catalog), (Rule::AgentStart, agent), (Rule::TeamMember, team)] {
            let Some(record) = record else { continue };
            if let Some(at) = self.around(record, says) {
                // A run of a workflow and a team start many children.
                self.taken[at] |= rule == Rule::Catalog;
                return Some(Link::Call { call: self.known.calls[at].call, rule, named: Some(record.row) });
            }
            named = named.or(Some(Link::Named { rule, row: record.row }));
            if rule == Rule::Catalog && text.is_some() {
                break;
            }
        }
        if let Some(at) = text {
            self.taken[at] = true;
            let call = &self.known.calls[at];
            return Some(Link::Call { call: call.call, rule: Rule::ResultText, named: self.call(at)?.result_row });
        }
        named
    }

    /// The call whose result names a child: the one that says that it started it, else the only one.
    fn told_by(&self, id: &[u8]) -> Option<usize> {
        let mut naming = (0..self.known.calls.len()).filter(|at| names(&self.known.calls[*at].result, id));
        let first = naming.clone().find(|at| self.known.calls[*at].only_started);
        first.or_else(|| naming.next().filter(|_| naming.next().is_none()))
    }

    /// The call that was open at a record: the only one, or the only one whose description is the label.
    fn around(&self, record: &Named, says: &ChildSays) -> Option<usize> {
        let is_open = |call: &Call| {
            call.call_row.is_some_and(|row| row < record.row) && call.result_row.is_none_or(|row| row > record.row)
        };
        let open: Vec<usize> = (0..self.known.calls.len()).filter(|at| self.call(*at).is_some_and(is_open)).collect();
        if let [only] = open[..] {
            return Some(only);
        }
        let label = record.label.as_ref().or(says.label.as_ref())?.as_bytes();
        let fits = |at: &&usize| self.known.calls[**at].description.as_deref() == Some(label);
        match open.iter().filter(fits).collect::<Vec<_>>()[..] {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Rule 2: label and prompt; of several calls the one that was open when the child was created.
    fn by_label(&mut self, open: &[Candidate<'_>]) -> Vec<(MemberIx, Link)> {
        let fits = |call: &CallSays, child: &Candidate<'_>| {
            let label = child.says.label.as_ref().map(WireText::as_bytes);
            let (Some(prompt), Some(said)) = (&call.prompt, &child.says.prompt) else { return false };
            label.is_some() && call.description.as_deref() == label && holds(said, prompt)
        };
        let fitting = |taken: &[bool], child: &Candidate<'_>| {
            let calls = self.known.calls.iter().enumerate();
            calls.filter(|(at, call)| !taken[*at] && fits(call, child)).map(|(at, _)| at).collect::<Vec<_>>()
        };
        let by_child: Vec<Vec<usize>> = open.iter().map(|child| fitting(&self.taken, child)).collect();
        let in_time: Vec<Vec<usize>> = open
            .iter()
            .zip(&by_child)
            .map(|(child, fitting)| fitting.iter().copied().filter(|at| self.is_in_time(*at, child.created)).collect())
            .collect();
        let mut out = Vec::new();
        for (at, child) in open.iter().enumerate() {
            let is_alone = |calls: &[Vec<usize>], call: usize| {
                calls.iter().enumerate().all(|(other, calls)| other == at || !calls.contains(&call))
            };
            let (found, rule) = match (&by_child[at][..], &in_time[at][..]) {
                ([], _) => continue,
                ([only], _) if is_alone(&by_child, *only) => (*only, Rule::LabelAndPrompt),
                (_, [only]) if is_alone(&in_time, *only) => (*only, Rule::LabelPromptAndTime),
                (_, _) => {
                    out.push((child.child, Link::Unlinked(Unlinked::SeveralFit)));
                    continue;
                }
            };
            self.taken[found] = true;
            out.push((child.child, Link::Call { call: self.known.calls[found].call, rule, named: None }));
        }
        out
    }

    /// Rule 3: created while one call was open, and no other child was.
    fn by_time(&self, open: &[Candidate<'_>]) -> Vec<(MemberIx, Link)> {
        let fitting = |child: &Candidate<'_>| {
            let says_other = |call: &CallSays| match (&call.description, &child.says.label) {
                (Some(description), Some(label)) => description != label.as_bytes(),
                _ => false,
            };
            let calls = self.known.calls.iter().enumerate();
            calls
                .filter(|(at, call)| !self.taken[*at] && !says_other(call) && self.is_in_time(*at, child.created))
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
        };
        let by_child: Vec<Vec<usize>> = open.iter().map(fitting).collect();
        let mut out = Vec::new();
        for (at, child) in open.iter().enumerate() {
            let others = || by_child.iter().enumerate().filter(|(other, _)| *other != at);
            let link = match by_child[at][..] {
                [] => continue,
                [only] if others().all(|(_, calls)| !calls.contains(&only)) => {
                    Link::Call { call: self.known.calls[only].call, rule: Rule::Time, named: None }
                }
                _ => Link::Unlinked(Unlinked::SeveralFit),
            };
            out.push((child.child, link));
        }
        out
    }

    /// Whether a call was open at a time, by the clocks of the two logs.
    fn is_in_time(&self, at: usize, created: Option<i64>) -> bool {
        let (Some(call), Some(created)) = (self.call(at), created) else { return false };
        call.call_time.get().is_some_and(|from| from <= created)
            && call.result_time.get().is_none_or(|to| created <= to)
    }
}

/// Whether a text holds another one.
fn holds(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

/// Whether a text holds an id that is not part of a longer word.
fn names(text: &[u8], id: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    memchr::memmem::find_iter(text, id).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !before.is_some_and(is_word) && !text.get(at + id.len()).is_some_and(is_word)
    })
}
