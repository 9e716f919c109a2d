//! Everything that was opened and not closed, of every kind, also inside turns that are over: with what it rests on, what
//! may be done about it, and what a resume made or would make of it (docs/FORMAT.md sections 7.2 and 8).

use super::advice::{Advice, advice};
use super::facts::{Basis, Call, CallState, Facts, Fate, Ghost, GhostKind, LoaderResult, SubCallState};
use super::session::{Extent, Session};
use crate::record::event::PairKind;
use crate::session::row::{Row, RowIx};
use crate::text::wire::WireText;

/// What is open, in the order of the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A call without a result of its own.
    Call,
    /// A question that nobody decided.
    Approval,
    /// A slash command that never ended.
    Command,
    /// A call from inside a program that never settled.
    SubCall,
    /// A hook without a result.
    Hook,
    /// A retry that never started.
    Retry,
    /// A compaction that never ended.
    Compaction,
    /// A workflow run that never ended.
    WorkflowRun,
    /// An agent of a workflow that never ended.
    WorkflowAgent,
    /// A message to a teammate that was never delivered.
    TeamMessage,
    /// A prompt in the inbox that was never sent.
    Prompt,
    /// A step without an end.
    Step,
    /// A turn without an end.
    Turn,
}

impl Kind {
    /// All kinds, in the order of the ladder.
    pub const ALL: [Kind; 13] = [
        Kind::Call,
        Kind::Approval,
        Kind::Command,
        Kind::SubCall,
        Kind::Hook,
        Kind::Retry,
        Kind::Compaction,
        Kind::WorkflowRun,
        Kind::WorkflowAgent,
        Kind::TeamMessage,
        Kind::Prompt,
        Kind::Step,
        Kind::Turn,
    ];

    /// Its name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Call => "call",
            Kind::Approval => "approval",
            Kind::Command => "command",
            Kind::SubCall => "sub-call",
            Kind::Hook => "hook",
            Kind::Retry => "retry",
            Kind::Compaction => "compaction",
            Kind::WorkflowRun => "workflow run",
            Kind::WorkflowAgent => "workflow agent",
            Kind::TeamMessage => "team message",
            Kind::Prompt => "queued prompt",
            Kind::Step => "step",
            Kind::Turn => "turn",
        }
    }

    fn of(pair: PairKind) -> Kind {
        match pair {
            PairKind::Hook => Kind::Hook,
            PairKind::Compaction => Kind::Compaction,
            PairKind::WorkflowRun => Kind::WorkflowRun,
            PairKind::WorkflowAgent => Kind::WorkflowAgent,
            PairKind::TeamMessage => Kind::TeamMessage,
        }
    }
}

/// Which record went past something that was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closer {
    /// The end of its step.
    StepEnd,
    /// The end of its turn.
    TurnEnd,
    /// The start of the next turn.
    TurnStart,
}

impl Closer {
    /// The type of the record.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Closer::StepEnd => "step/end",
            Closer::TurnEnd => "turn/end",
            Closer::TurnStart => "turn/start",
        }
    }
}

/// A record by its place and seq.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// Its seq, where it has one.
    pub seq: Option<i64>,
    /// Its row.
    pub row: RowIx,
}

/// What a resume made or would make of something open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnResume {
    /// A recovery closed it with this record.
    Closed(At),
    /// A resume would close it: place in `Facts::resume`.
    WouldClose(usize),
    /// The log was taken up again here, and nothing closed it: it is dead.
    WentPast(At),
    /// A resume would add nothing for it.
    Nothing,
    /// The harness refuses the log, so nothing resumes it.
    Refused,
    /// Not judged: of the log too little was read, or its format is not known.
    NotJudged,
}

/// One thing that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rung {
    /// What it is.
    pub kind: Kind,
    /// Place in the list of `Facts` that has its kind; of a pair of another kind the place in `Facts::opened`.
    pub at: usize,
    /// Name of the tool or command; of others what tells it apart.
    pub name: WireText,
    /// Its id; empty where it has none.
    pub id: WireText,
    /// Turn and step, where it has them.
    pub place: (Option<i64>, Option<i64>),
    /// State of a call; `None`: open.
    pub state: Option<CallState>,
    /// What the state rests on.
    pub basis: Basis,
    /// Seq of what asked for it: the message of a call.
    pub asked: Option<i64>,
    /// Seq of the record that opened it; `None` for a call that never started.
    pub opened: Option<i64>,
    /// The row to go to.
    pub row: RowIx,
    /// Milliseconds from that row to the last event of the log; negative where the clock stepped back.
    pub age_ms: Option<i64>,
    /// The record that went past it.
    pub closer: Option<(Closer, At)>,
    /// What a resume made or would make of it.
    pub resume: OnResume,
    /// What may be done; calls only.
    pub advice: Option<Advice>,
}

/// All open things: by kind, in the order of the log.
#[must_use]
pub fn ladder(session: &Session) -> Vec<Rung> {
    let case = Case { session, facts: &session.facts };
    let mut rungs = case.calls();
    rungs.extend(case.around_calls());
    rungs.extend(case.pairs());
    rungs.extend(case.prompts());
    rungs.extend(case.spans());
    rungs.sort_by_key(|rung| (rung.kind, rung.at));
    rungs
}

/// The open record that a closing record of a resume is for: a call, else the message that asked for it, the start of a
/// step or of a turn.
#[must_use]
pub fn closes(facts: &Facts, ghost: &Ghost) -> Option<At> {
    match &ghost.kind {
        GhostKind::Result { call_id, .. } => {
            let is_its = |call: &&Call| call.basis == Basis::Inferred && !call.orphaned && call.call_id == *call_id;
            let call = facts.calls.iter().rev().find(is_its)?;
            let row = call.call_row.or(call.message_row)?;
            Some(At { seq: call.call_seq.or(call.message_seq).get(), row })
        }
        GhostKind::StepEnd { turn, step } => {
            let is_its = |of: &&super::facts::Step| of.end_row.is_none() && (of.turn, of.step) == (*turn, *step);
            let step = facts.steps.iter().rev().find(is_its)?;
            Some(At { seq: step.start_seq.get(), row: step.start_row })
        }
        GhostKind::TurnEnd { turn } => {
            let turn = facts.turns.iter().rev().find(|of| of.end_row.is_none() && of.turn == *turn)?;
            Some(At { seq: turn.start_seq, row: turn.start_row })
        }
    }
}

struct Case<'a> {
    session: &'a Session,
    facts: &'a Facts,
}

impl Case<'_> {
    fn calls(&self) -> Vec<Rung> {
        let without = |call: &Call| matches!(call.basis, Basis::Inferred | Basis::Recorded);
        let open = self.facts.calls.iter().enumerate().filter(|(_, call)| without(call));
        open.filter_map(|(at, call)| {
            let row = call.call_row.or(call.message_row)?;
            let closed = (call.basis == Basis::Recorded).then_some(call.result_row).flatten();
            let closed = closed.map(|row| OnResume::Closed(At { seq: call.result_seq.get(), row }));
            Some(Rung {
                name: WireText::clone(&call.name),
                id: call.call_id.clone(),
                place: (call.turn.get(), call.step.get()),
                state: Some(call.state),
                basis: call.basis,
                asked: call.message_seq.get(),
                opened: call.call_seq.get(),
                closer: if call.orphaned && closed.is_none() { self.closer(row) } else { None },
                resume: closed.unwrap_or_else(|| self.of_call(call, row)),
                advice: advice(call),
                ..self.rung(Kind::Call, at, row)
            })
        })
        .collect()
    }

    fn of_call(&self, call: &Call, row: RowIx) -> OnResume {
        let would = |kind: &GhostKind| matches!(kind, GhostKind::Result { call_id, .. } if *call_id == call.call_id);
        self.resume(row, |kind| !call.orphaned && would(kind))
    }

    fn around_calls(&self) -> Vec<Rung> {
        let facts = self.facts;
        let mut rungs = Vec::new();
        for (at, approval) in facts.approvals.iter().enumerate().filter(|(_, one)| one.decided_row.is_none()) {
            let Some(row) = approval.asked_row else { continue };
            let name = approval.tool.clone().unwrap_or_default();
            let id = approval.call_id.clone().unwrap_or_else(|| approval.id.clone());
            rungs.push(Rung { name, id, opened: approval.asked_seq, ..self.rung(Kind::Approval, at, row) });
        }
        for (at, command) in facts.commands.iter().enumerate().filter(|(_, one)| one.done_row.is_none()) {
            let Some(row) = command.run_row else { continue };
            let (name, id) = (command.name.clone().unwrap_or_default(), command.id.clone());
            rungs.push(Rung { name, id, opened: command.run_seq, ..self.rung(Kind::Command, at, row) });
        }
        let open = |state: SubCallState| state == SubCallState::OutcomeUnknown;
        for (at, sub) in facts.sub_calls.iter().enumerate().filter(|(_, sub)| open(sub.state)) {
            let Some(row) = sub.start_row else { continue };
            let (name, id) = (sub.name.clone(), sub.id.clone());
            let state = Some(CallState::OutcomeUnknown);
            rungs.push(Rung { name, id, state, opened: sub.start_seq, ..self.rung(Kind::SubCall, at, row) });
        }
        for (at, retry) in facts.retries.iter().enumerate().filter(|(_, one)| one.started_row.is_none()) {
            let name = retry.failure.code.clone().unwrap_or_default();
            let (id, place) = (retry.id.clone(), (retry.turn, retry.step));
            rungs.push(Rung { name, id, place, opened: retry.seq, ..self.rung(Kind::Retry, at, retry.row) });
        }
        rungs
    }

    fn pairs(&self) -> Vec<Rung> {
        let rung = |(at, pair): (usize, &super::facts::OpenPair)| {
            let parts: Vec<&[u8]> = pair.key.as_bytes().split(|byte| *byte == 0).collect();
            let id = WireText::from_bytes(parts.join(&b' '));
            Rung { id, opened: pair.seq, ..self.rung(Kind::of(pair.kind), at, pair.row) }
        };
        self.facts.opened.iter().enumerate().map(rung).collect()
    }

    /// Prompts that wait in the inbox. They stay there over turns, and over a resume: nothing goes past them.
    fn prompts(&self) -> impl Iterator<Item = Rung> + '_ {
        let prompts = self.facts.prompts.iter().enumerate().filter(|(_, prompt)| prompt.fate == Fate::Waiting);
        prompts.map(|(at, prompt)| {
            let resume = match self.resume(prompt.row, |_| false) {
                OnResume::WentPast(_) => OnResume::Nothing,
                other => other,
            };
            let id = prompt.queue.clone().unwrap_or_default();
            let rung = self.rung(Kind::Prompt, at, prompt.row);
            Rung { id, opened: prompt.seq, closer: None, resume, ..rung }
        })
    }

    fn spans(&self) -> Vec<Rung> {
        let facts = self.facts;
        let steps = facts.steps.iter().enumerate().filter(|(_, step)| step.end_row.is_none());
        let steps = steps.map(|(at, step)| {
            let (turn, number) = (step.turn, step.step);
            let same = |kind: &GhostKind| *kind == GhostKind::StepEnd { turn, step: number };
            Rung {
                place: (Some(turn), Some(number)),
                opened: step.start_seq.get(),
                resume: self.resume(step.start_row, same),
                ..self.rung(Kind::Step, at, step.start_row)
            }
        });
        let turns = facts.turns.iter().enumerate().filter(|(_, turn)| turn.end_row.is_none());
        let turns = turns.map(|(at, turn)| {
            let same = |kind: &GhostKind| *kind == GhostKind::TurnEnd { turn: turn.turn };
            Rung {
                place: (Some(turn.turn), None),
                opened: turn.start_seq,
                resume: self.resume(turn.start_row, same),
                ..self.rung(Kind::Turn, at, turn.start_row)
            }
        });
        steps.chain(turns).collect()
    }

    /// What all rungs have: where it is, how old, what went past it.
    fn rung(&self, kind: Kind, at: usize, row: RowIx) -> Rung {
        let time = self.session.index.rows.get(row).and_then(Row::time);
        Rung {
            kind,
            at,
            name: WireText::default(),
            id: WireText::default(),
            place: (None, None),
            state: None,
            basis: Basis::Inferred,
            asked: None,
            opened: None,
            row,
            age_ms: self.facts.last_time.zip(time).map(|(last, time)| last.saturating_sub(time.0)),
            closer: self.closer(row),
            resume: self.resume(row, |_| false),
            advice: None,
        }
    }

    /// What a resume makes of it; `is_its` knows the closing record that it would get.
    fn resume(&self, row: RowIx, is_its: impl Fn(&GhostKind) -> bool) -> OnResume {
        let facts = self.facts;
        if let Some(at) = facts.resume.iter().position(|ghost| is_its(&ghost.kind)) {
            return OnResume::WouldClose(at);
        }
        let later = facts.resumed.partition_point(|resumed| resumed.row <= row);
        match (facts.resumed.get(later), facts.loader.result) {
            (Some(resumed), _) => OnResume::WentPast(At { seq: resumed.seq, row: resumed.row }),
            (None, None) => OnResume::NotJudged,
            (None, _) if self.session.extent == Extent::Tail => OnResume::NotJudged,
            (None, Some(LoaderResult::Refuses)) => OnResume::Refused,
            (None, Some(LoaderResult::Loads | LoaderResult::LoadsTornTail | LoaderResult::LoadsWithoutTail)) => {
                OnResume::Nothing
            }
        }
    }

    /// The first end of the step or turn that a row lies in, or start of the next turn, after the row.
    fn closer(&self, row: RowIx) -> Option<(Closer, At)> {
        let facts = self.facts;
        let after = facts.steps.partition_point(|step| step.start_row < row);
        let step = after.checked_sub(1).and_then(|at| facts.steps.get(at));
        let step = step.and_then(|step| Some((Closer::StepEnd, At { seq: step.end_seq.get(), row: step.end_row? })));
        let after = facts.turns.partition_point(|turn| turn.start_row < row);
        let turn = after.checked_sub(1).and_then(|at| facts.turns.get(at));
        let turn = turn.and_then(|turn| Some((Closer::TurnEnd, At { seq: turn.end_seq, row: turn.end_row? })));
        let next = facts.turns.get(facts.turns.partition_point(|turn| turn.start_row <= row));
        let next = next.map(|turn| (Closer::TurnStart, At { seq: turn.start_seq, row: turn.start_row }));
        let all = [step, turn, next].into_iter().flatten().filter(|(_, at)| at.row > row);
        all.min_by_key(|(_, at)| at.row)
    }
}

#[cfg(test)]
mod tests;
