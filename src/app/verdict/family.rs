//! The verdict of a family: the open call of the child that died is the news, and not the parent that waits for it.

use super::{Case, Verdict, news, second, seq_text};
use crate::app::family::{HOME, name_of, tag_of};
use crate::app::model::Open;
use crate::session::row::{EventRef, RowIx};
use crate::store::lineage::{self, Lineage, Link, Member, MemberIx, Parent, Standing};
use crate::text::locale::Words;
use crate::text::sanitize::display;
use crate::text::width::short_call_id;
use crate::triage::facts::{Basis, Call, CallState};

impl Verdict {
    /// Judges a family; `None` where the opened log says all there is to say, or a log is not here.
    pub(crate) fn of_family<'a>(
        lineage: &Lineage,
        open_of: impl Fn(MemberIx) -> Option<&'a Open>,
        words: &Words,
    ) -> Option<Verdict> {
        if lineage.members.len() < 2 {
            return None;
        }
        let teller = Teller { lineage, open_of: &open_of, words };
        match lineage.news {
            lineage::News::Own => teller.own(),
            lineage::News::OpenBelow(member) | lineage::News::FailedBelow(member) => teller.below(member),
        }
    }
}

struct Teller<'t, 'a> {
    lineage: &'t Lineage,
    open_of: &'t dyn Fn(MemberIx) -> Option<&'a Open>,
    words: &'t Words,
}

impl<'a> Teller<'_, 'a> {
    fn case<'c>(&'c self, open: &'c Open) -> Case<'c> {
        Case { session: &open.session, facts: &open.session.facts, words: self.words, growing: None }
    }

    /// The opened log has the say, and the others are named where they are well.
    fn own(&self) -> Option<Verdict> {
        let open = (self.open_of)(HOME)?;
        let case = self.case(open);
        let mut told = news::news(case);
        let quiet = self.lineage.get(HOME)?.standing >= Standing::TurnError;
        if self.lineage.deepest_open.is_some() || !quiet {
            return None;
        }
        second::fill(case, &mut told);
        told.second = Some(self.nothing_open());
        Some(Verdict::set(case, &told))
    }

    /// A session below it has the say.
    fn below(&self, at: MemberIx) -> Option<Verdict> {
        let open = (self.open_of)(at)?;
        let member = self.lineage.get(at)?;
        let case = self.case(open);
        let mut told = news::news(case);
        if member.standing == Standing::TurnError {
            let class = self.words.get("family.child_failed").to_owned();
            (told.class_short, told.class) = (class.clone(), class);
        } else {
            second::fill(case, &mut told);
        }
        told.of = Some(tag_of(self.lineage, member));
        let depth = member.shown_depth().to_string();
        let name = self.words.say("family.child_at_depth", &[("child", &name_of(member)), ("depth", &depth)]);
        told.words.insert(0, name);
        let advice = self.of_parent(member);
        told.advice = match (advice, told.advice.take()) {
            (Some([_, short]), Some([own, own_short])) if member.standing.is_open() => {
                told.proof = short;
                Some([own, own_short])
            }
            (Some(parent), _) => Some(parent),
            (None, own) => own,
        };
        told.keys = vec!["family.child_key"];
        if told.second.is_none() && self.lineage.deepest_open.is_none() {
            told.second = Some(self.nothing_open());
        }
        let mut verdict = Verdict::set(case, &told);
        verdict.target = self.way_down(at).map(|row| EventRef { row, member: 0 });
        Some(verdict)
    }

    fn nothing_open(&self) -> [String; 2] {
        let n = self.words.number(self.lineage.members.len() as u64);
        [self.words.say("family.nothing_open", &[("n", &n)]), self.words.get("family.nothing_open_short").to_owned()]
    }

    /// The call of the parent that started a member.
    fn call_of(&self, member: &Member) -> Option<&'a Call> {
        let Parent::Here(parent) = member.parent else { return None };
        (self.open_of)(parent)?.session.facts.calls.get(member.link.call()?)
    }

    /// What became of the call that started the member: long, and as a proof.
    fn of_parent(&self, member: &Member) -> Option<[String; 2]> {
        let call = self.call_of(member)?;
        let id = short_call_id(&display(call.call_id.as_bytes()));
        let (seq, result) = (seq_text(call.call_seq.get()), seq_text(call.result_seq.get()));
        let key = match (call.state, call.basis) {
            (CallState::OutcomeUnknown | CallState::NotStarted, Basis::Recorded) => "family.parent_recorded",
            (CallState::OutcomeUnknown | CallState::NotStarted, _) => "family.parent_waits",
            (CallState::Failed, _) => "family.parent_failed",
            (CallState::Completed, _) => "family.parent_completed",
        };
        let text = self.words.say(key, &[("id", &id), ("seq", &seq), ("result", &result)]);
        Some([text.clone(), text])
    }

    /// The line of the opened log from which the way leads down to a member.
    fn way_down(&self, at: MemberIx) -> Option<RowIx> {
        let mut at = at;
        loop {
            let member = self.lineage.get(at)?;
            let Parent::Here(parent) = member.parent else { return None };
            if parent == HOME {
                let calls = &(self.open_of)(HOME)?.session.facts.calls;
                return match member.link {
                    Link::Call { call, .. } => calls.get(call).and_then(|call| call.call_row),
                    Link::Named { row, .. } => Some(row),
                    Link::Fork { at } => at,
                    Link::None | Link::Unlinked(_) => None,
                };
            }
            at = parent;
        }
    }
}
