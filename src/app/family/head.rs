//! A member in one line: name, size, time taken, how it ended.

use super::name_of;
use crate::app::model::Open;
use crate::store::lineage::{Kinship, Lineage, Member, MemberIx, Standing};
use crate::text::locale::Words;
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::short_call_id;
use crate::triage::facts::Facts;
use crate::triage::what::Mark;

/// What one line says of a member.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// Id and label.
    pub name: String,
    /// Its label alone, else its id.
    pub label: String,
    /// What it is: a child of a call, a fork.
    pub is: String,
    /// Events of its own, and time taken.
    pub size: String,
    /// How it ended, or what is open.
    pub ended: Span,
    /// Its state.
    pub mark: Mark,
    /// What ties it to its parent.
    pub how: String,
}

/// Tells of a member; `None` where it is not there.
pub(crate) fn head(lineage: &Lineage, at: MemberIx, open: &Open, parent: Option<&Open>, words: &Words) -> Option<Head> {
    let member = lineage.get(at)?;
    let facts = &open.session.facts;
    let mut size = vec![words.count("count.events", member.own_events)];
    let first = open.session.index.rows.get(member.first_own).and_then(crate::session::row::Row::time);
    let took = facts.last_time.zip(first).map(|(last, first)| last.saturating_sub(first.0));
    size.extend(took.map(duration));
    if member.inherited_events > 0 {
        size.push(words.say("family.inherited", &[("n", &words.number(member.inherited_events))]));
    }
    let call = member.link.call().and_then(|call| parent?.session.facts.calls.get(call));
    let id = call.map(|call| short_call_id(&display(call.call_id.as_bytes())));
    let is = match (member.kinship, id) {
        (Kinship::Fork, _) => words.get("family.fork").to_owned(),
        (Kinship::ForkedChild, Some(id)) => words.say("family.forked_child_of", &[("id", &id)]),
        (Kinship::Child, Some(id)) => words.say("family.child_of", &[("id", &id)]),
        (Kinship::Child | Kinship::ForkedChild, None) => words.get("family.child_unlinked").to_owned(),
        (Kinship::Root, _) => words.get("family.root").to_owned(),
    };
    let name = name_of(member);
    let label = member.label.as_ref().map_or_else(
        || name.clone(),
        |label| format!("\"{}\"", crate::text::sanitize::one_line(label.as_bytes(), super::LABEL)),
    );
    Some(Head {
        name,
        label,
        is,
        size: size.join(", "),
        ended: ended(member, facts, words),
        mark: mark(member.standing),
        how: words.get(super::rule_key(member.link)).to_owned(),
    })
}

/// The state of a member as a sign.
pub(crate) fn mark(standing: Standing) -> Mark {
    match standing {
        Standing::OpenApproval | Standing::Open => Mark::Unknown,
        Standing::Waits | Standing::Recovered => Mark::Look,
        Standing::Refused | Standing::TurnError => Mark::Failed,
        Standing::CallsFailed | Standing::Fine => Mark::Completed,
    }
}

/// How a member ended, in a few words.
fn ended(member: &Member, facts: &Facts, words: &Words) -> Span {
    let role = mark(member.standing).role();
    let open = facts.last_unpaired.and_then(|at| facts.calls.get(at)).filter(|call| !call.inherited);
    let turn = facts.turns.iter().max_by_key(|turn| turn.start_row);
    let text = match (member.standing, open) {
        (Standing::OpenApproval, _) => words.get("verdict.waiting_for_approval").to_owned(),
        (Standing::Open, Some(call)) => {
            let id = short_call_id(&display(call.call_id.as_bytes()));
            words.say("family.open_call", &[("tool", &display(call.name.as_bytes())), ("id", &id)])
        }
        (Standing::Refused, _) => words.get("verdict.refused").to_owned(),
        (Standing::TurnError, _) => {
            let failure = turn.and_then(|turn| turn.failure.as_deref());
            let code = failure.and_then(|failure| failure.code.as_ref()).map(|code| display(code.as_bytes()));
            let status = failure.and_then(|failure| failure.status).map(|status| status.to_string());
            let parts = [Some(words.get("family.error").to_owned()), code, status];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
        (Standing::Open | Standing::Waits | Standing::Recovered | Standing::CallsFailed | Standing::Fine, _) => {
            match turn.map(|turn| turn.end.as_ref()) {
                Some(Some(end)) => display(end.as_bytes()),
                Some(None) => words.get("state_short.open").to_owned(),
                None => words.get("family.no_turn").to_owned(),
            }
        }
    };
    Span::new(text, if role == Role::Ok { Role::Normal } else { role })
}
