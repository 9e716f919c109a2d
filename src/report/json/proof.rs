//! What is open of every kind, and what may have run twice.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{List, Text, basis, call_state};
use crate::session::row::RowIx;
use crate::triage::advice::Advice;
use crate::triage::breaks::{Proof, dropped_lines, proof as proof_of};
use crate::triage::facts::{Facts, GhostKind, Switch, Switched, Twice, TwiceWhy};
use crate::triage::ladder::{OnResume, Rung, ladder};
use crate::triage::ledger::{Unasked, is_rule, ledger};
use crate::triage::pieces::{Piece, pieces};
use crate::triage::session::Session;

/// Breaks whose proof is written: gathering one costs a search.
const MOST_PROOFS: usize = 1_000;

/// Writes what the file is made of, and what proves the causes of breaks.
pub(super) fn made_of<M: SerializeMap>(map: &mut M, session: &Session) -> Result<(), M::Error> {
    let breaks = session.facts.sequence.breaks.iter().take(MOST_PROOFS);
    let proofs: Vec<(u64, Proof, &Session)> =
        breaks.map(|found| (found.line, proof_of(session, found), session)).collect();
    map.serialize_entry("break_proofs", &List(&proofs, |entry| ProofEntry(entry.0, &entry.1, entry.2)))?;
    map.serialize_entry("dropped_lines", &dropped_lines(session))?;
    map.serialize_entry("pieces", &List(&pieces(session), PieceEntry))
}

entry!(ProofEntry(u64, &'a Proof, &'a Session) => |this, map| {
    let (proof, session) = (this.1, this.2);
    let facts = &session.facts;
    let line = |row: Option<RowIx>| row.and_then(|row| session.index.line(row));
    map.serialize_entry("line", &this.0)?;
    map.serialize_entry("before_line", &line(proof.before))?;
    map.serialize_entry("earlier_line", &line(proof.earlier))?;
    let damaged = proof.damaged_frames.iter().filter_map(|at| facts.container.damaged_frames.get(*at));
    map.serialize_entry("damaged_frames", &damaged.map(|frame| frame.frame).collect::<Vec<_>>())?;
    map.serialize_entry("bad_lines", &proof.bad_lines)?;
    let results = proof.orphans.iter().filter_map(|at| facts.results_without_call.get(*at));
    map.serialize_entry("results_without_call", &results.map(|stray| stray.result_seq).collect::<Vec<_>>())?;
});

entry!(PieceEntry(&'a Piece) => |this, map| {
    let piece = this.0;
    map.serialize_entry("state", piece.state.name())?;
    map.serialize_entry("frame", &piece.frame)?;
    map.serialize_entry("offset", &piece.offset)?;
    map.serialize_entry("bytes", &piece.bytes)?;
    map.serialize_entry("lines", &piece.lines)?;
    map.serialize_entry("seqs", &piece.seqs)?;
    map.serialize_entry("times", &piece.times)?;
    if piece.lost.is_some() {
        map.serialize_entry("lost_seqs", &piece.lost)?;
    }
});

/// Writes the keys of approvals besides `approvals`.
pub(super) fn approvals<M: SerializeMap>(map: &mut M, facts: &Facts) -> Result<(), M::Error> {
    let book = ledger(facts);
    map.serialize_entry("approval_waited_ms", &book.waited_ms)?;
    let switches: Vec<&Switch> = facts.switches.iter().filter(|switch| is_rule(switch)).collect();
    map.serialize_entry("approval_switches", &List(&switches, |switch| SwitchEntry(switch)))?;
    map.serialize_entry("state_changes", &List(&facts.switches, SwitchEntry))?;
    let unasked: Vec<(Unasked, &Facts)> = book.unasked.into_iter().map(|found| (found, facts)).collect();
    map.serialize_entry("ran_without_question", &List(&unasked, |entry| UnaskedEntry(entry.0, entry.1)))
}

entry!(SwitchEntry(&'a Switch) => |this, map| {
    map.serialize_entry("what", match this.0.what {
        Switched::Sandbox => "sandbox",
        Switched::Policy => "policy",
        Switched::Preset => "preset",
        Switched::Plan => "plan",
        Switched::AgentPreset => "agent preset",
        Switched::Model => "model",
        Switched::Window => "window",
        Switched::Tools => "tools",
        Switched::Todo => "todo",
        Switched::Title => "title",
    })?;
    map.serialize_entry("value", &Text(&this.0.value))?;
    map.serialize_entry("seq", &this.0.seq)?;
});

entry!(UnaskedEntry(Unasked, &'a Facts) => |this, map| {
    let call = match this.0 {
        Unasked::Call(at) => this.1.calls.get(at).map(|call| (&*call.name, &call.call_id, call.call_seq.get(), false)),
        Unasked::SubCall(at) => this.1.sub_calls.get(at).map(|sub| (&sub.name, &sub.id, sub.start_seq, true)),
    };
    if let Some((name, id, seq, is_sub_call)) = call {
        map.serialize_entry("name", &Text(name))?;
        map.serialize_entry("callId", &Text(id))?;
        map.serialize_entry("seq", &seq)?;
        map.serialize_entry("is_sub_call", &is_sub_call)?;
    }
});

/// Writes the keys.
pub(super) fn proof<M: SerializeMap>(map: &mut M, session: &Session) -> Result<(), M::Error> {
    let facts = &session.facts;
    let rungs = ladder(session);
    let rungs: Vec<(&Rung, &Facts)> = rungs.iter().map(|rung| (rung, facts)).collect();
    map.serialize_entry("open_things", &List(&rungs, |entry| RungEntry(entry.0, entry.1)))?;
    let twice: Vec<(&Twice, &Facts)> = facts.twice.iter().map(|twice| (twice, facts)).collect();
    map.serialize_entry("may_have_run_twice", &List(&twice, |entry| TwiceEntry(entry.0, entry.1)))
}

entry!(RungEntry(&'a Rung, &'a Facts) => |this, map| {
    let (rung, facts) = (this.0, this.1);
    map.serialize_entry("kind", rung.kind.name())?;
    map.serialize_entry("name", &Text(&rung.name))?;
    map.serialize_entry("id", &Text(&rung.id))?;
    map.serialize_entry("turn", &rung.place.0)?;
    map.serialize_entry("step", &rung.place.1)?;
    map.serialize_entry("state", rung.state.map_or("open", call_state))?;
    map.serialize_entry("basis", basis(rung.basis))?;
    map.serialize_entry("asked_seq", &rung.asked)?;
    map.serialize_entry("opened_seq", &rung.opened)?;
    map.serialize_entry("age_ms", &rung.age_ms)?;
    map.serialize_entry("passed_by", &rung.closer.map(|(closer, _)| closer.name()))?;
    map.serialize_entry("passed_by_seq", &rung.closer.and_then(|(_, at)| at.seq))?;
    let (resume, seq) = match rung.resume {
        OnResume::Closed(at) => ("closed", at.seq),
        OnResume::WouldClose(_) => ("would close", None),
        OnResume::WentPast(at) => ("went past", at.seq),
        OnResume::Nothing => ("nothing", None),
        OnResume::Refused => ("refused", None),
        OnResume::NotJudged => ("not judged", None),
    };
    map.serialize_entry("resume", resume)?;
    map.serialize_entry("resume_seq", &seq)?;
    if let OnResume::WouldClose(at) = rung.resume {
        let record = match facts.resume.get(at).map(|ghost| &ghost.kind) {
            Some(GhostKind::Result { .. }) => Some("tool/result"),
            Some(GhostKind::StepEnd { .. }) => Some("step/end"),
            Some(GhostKind::TurnEnd { .. }) => Some("turn/end"),
            None => None,
        };
        map.serialize_entry("resume_record", &record)?;
    }
    map.serialize_entry("advice", &rung.advice.map(|advice| match advice {
        Advice::MayBeRetried => "may be retried",
        Advice::OnlyReads => "only reads, may be retried",
        Advice::ReadTheChildFirst => "read the child's log first",
        Advice::LookOutside => "look at the outside state first",
    }))?;
});

entry!(TwiceEntry(&'a Twice, &'a Facts) => |this, map| {
    let (twice, facts) = (this.0, this.1);
    let call = facts.calls.get(twice.call);
    map.serialize_entry("why", match twice.why {
        TwiceWhy::CalledAgain => "called again",
        TwiceWhy::ResultAfterRecovery => "result after recovery",
        TwiceWhy::TwoResults => "two results",
    })?;
    map.serialize_entry("callId", &call.map(|call| Text(&call.call_id)))?;
    map.serialize_entry("name", &call.map(|call| Text(&call.name)))?;
    map.serialize_entry("seqs", &twice.seqs)?;
    let again = twice.again.and_then(|at| facts.calls.get(at));
    map.serialize_entry("again_callId", &again.map(|call| Text(&call.call_id)))?;
});
