//! Which result belongs to which call (docs/FORMAT.md sections 7.1 and 8).
//!
//! A call id is unique only inside one step, and even there it may be empty or repeated: calls and results pair by
//! turn, step and id, in order, and by the cited seq where it is recorded. A result that replaces what the model sees
//! is no second run.

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::HashSet;

use self::keys::{Keys, Wants};
use super::ascending::Ascending;
use super::facts::{Basis, Call, CallState, Recovery, StrayResult};
use crate::record::event::{Arguments, Cites, Event, Failure, Fingerprint, Place, Request, Surface};
use crate::record::int::OptInt;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

mod keys;

/// State that a recovery record claims, told by the error code of the result.
pub(super) fn recovery_state(failure: Option<&Failure>) -> Option<CallState> {
    match failure?.code.as_ref()?.as_bytes() {
        b"TOOL_NOT_STARTED" => Some(CallState::NotStarted),
        b"TOOL_OUTCOME_UNKNOWN" => Some(CallState::OutcomeUnknown),
        _ => None,
    }
}

/// What became of a call so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// No result so far.
    None,
    /// Closed by a recovery record alone.
    Recovered,
    /// A real result.
    Real,
}

/// A result as the fold takes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResultRecord<'a> {
    pub(super) place: Place,
    pub(super) id: Option<&'a WireText>,
    pub(super) is_error: bool,
    pub(super) failure: Option<&'a Failure>,
}

/// Pairs calls and results as they come.
#[derive(Debug, Clone, Default)]
pub(super) struct PairingFold {
    calls: Vec<Call>,
    /// Calls by turn, step and id.
    by_key: Keys,
    /// The latest call whose `tool/call` has that seq.
    by_seq: Ascending<i64>,
    /// The latest call that a result with that seq settled: a replacement cites the result.
    by_result: Ascending<i64>,
    /// Started calls without any result, in the order of their start.
    running: BTreeSet<u32>,
    stray: Vec<StrayResult>,
    /// Calls before this one lie in turns that are over.
    over: usize,
    /// Names that calls share.
    names: HashSet<Arc<WireText>>,
}

impl Outcome {
    fn of(call: &Call) -> Outcome {
        match (call.result_row, call.basis) {
            (None, _) => Outcome::None,
            (Some(_), Basis::Recorded) => Outcome::Recovered,
            (Some(_), Basis::Result | Basis::ResultAfterRecovery | Basis::Inferred) => Outcome::Real,
        }
    }
}

fn has_key(call: &Call, place: Place, id: &WireText) -> bool {
    call.place() == place && call.call_id == *id
}

impl PairingFold {
    /// An `assistant/message` asks for calls.
    pub(super) fn message(&mut self, row: RowIx, event: &Event, place: Place, requests: &[Request]) {
        for (block, request) in requests.iter().enumerate() {
            let mut call = blank(place, &request.id, self.shared(&request.name));
            call.message_seq = event.seq.into();
            call.message_row = Some(row);
            call.block = block as u32;
            call.takes(request.arguments);
            self.push(call);
        }
    }

    /// A `tool/call`: the call begins.
    pub(super) fn call(
        &mut self,
        row: RowIx,
        event: &Event,
        place: Place,
        id: &WireText,
        name: &WireText,
        arguments: Arguments,
    ) {
        let waiting = self.by_key.unstarted(place, id, &self.calls);
        let at = waiting.unwrap_or_else(|| {
            let call = blank(place, id, self.shared(name));
            self.push(call)
        });
        let call = &mut self.calls[at as usize];
        // Until it starts, its arguments are those of the message that asked for it.
        let is_asked = call.message_row.is_some();
        call.arguments_differ = (is_asked && call.arguments != arguments.print) || *call.name != *name;
        call.call_seq = event.seq.into();
        call.call_row = Some(row);
        call.call_time = event.time.into();
        if is_asked && call.arguments != arguments.print {
            call.aftermath_mut().requested_bytes = Some(call.arguments.bytes);
        }
        call.takes(arguments);
        if let Some(seq) = event.seq {
            self.by_seq.insert(seq, at);
        }
        if Outcome::of(call) == Outcome::None {
            call.state = CallState::OutcomeUnknown;
            self.running.insert(at);
        }
        self.by_key.changed(at, &self.calls);
    }

    /// A `tool/result`.
    pub(super) fn result(&mut self, row: RowIx, event: &Event, result: ResultRecord<'_>) {
        let empty = WireText::default();
        let id = result.id.unwrap_or(&empty);
        if let Surface::Replace { start, .. } = event.surface {
            self.replaced(row, event, start, result.place, id);
            return;
        }
        let recovered = recovery_state(result.failure);
        if let Some(at) = self.settled_by(event.cites, result.place, id, recovered.is_some()) {
            self.settle(at, row, event, result, recovered);
        } else {
            let second_for = self.newest_of(result.place, id);
            self.stray.push(StrayResult { call_id: id.clone(), result_seq: event.seq, row, second_for });
        }
    }

    /// The call that a result settles: the cited one, else the oldest of its key that still wants one.
    fn settled_by(&self, cites: Cites, place: Place, id: &WireText, is_recovery: bool) -> Option<u32> {
        let named = cites.first.and_then(|seq| self.by_seq.get(seq));
        if let Some(at) = named.filter(|at| self.calls[*at as usize].call_id == *id) {
            let wants = match Outcome::of(&self.calls[at as usize]) {
                Outcome::None => true,
                Outcome::Recovered => !is_recovery,
                Outcome::Real => false,
            };
            return Some(at).filter(|_| wants);
        }
        // A recovery without a citation closes a call that never started.
        let order: &[Wants] = match (is_recovery, cites.present) {
            (true, false) => &[Wants::Start, Wants::Result],
            (true, true) => &[Wants::Result, Wants::Start],
            (false, _) => &[Wants::Result, Wants::Start, Wants::RealResult],
        };
        order.iter().find_map(|wants| self.by_key.oldest(place, id, *wants, &self.calls))
    }

    fn settle(&mut self, at: u32, row: RowIx, event: &Event, result: ResultRecord<'_>, recovered: Option<CallState>) {
        let call = &mut self.calls[at as usize];
        let before = Outcome::of(call);
        if let (Outcome::Recovered, Some(row)) = (before, call.result_row) {
            call.aftermath_mut().recovery = Some(Recovery { seq: call.result_seq.get(), row, state: call.state });
        }
        call.result_seq = event.seq.into();
        call.result_row = Some(row);
        call.result_time = event.time.into();
        call.error_code = result.failure.and_then(|failure| failure.code.clone());
        (call.state, call.basis) = match (recovered, before) {
            (Some(state), _) => (state, Basis::Recorded),
            (None, Outcome::Recovered) => (real(result.is_error), Basis::ResultAfterRecovery),
            (None, Outcome::None | Outcome::Real) => (real(result.is_error), Basis::Result),
        };
        self.running.remove(&at);
        self.by_key.changed(at, &self.calls);
        if let Some(seq) = event.seq {
            self.by_result.insert(seq, at);
        }
    }

    /// A rewrite of what the model sees: it cites the result, or names its place on the surface. A later rewrite may
    /// name this one.
    fn replaced(&mut self, row: RowIx, event: &Event, start: Option<i64>, place: Place, id: &WireText) {
        let is_its = |at: &u32| self.calls[*at as usize].call_id == *id;
        let result = |seq: i64| self.by_result.get(seq).filter(is_its);
        let named = [event.cites.first, start].into_iter().flatten().find_map(result);
        let Some(at) = named.or_else(|| self.newest_of(place, id).map(|at| at as u32)) else { return };
        self.calls[at as usize].aftermath_mut().replaced_rows.push(row);
        if let Some(seq) = event.seq {
            self.by_result.insert(seq, at);
        }
    }

    /// A step ended: what is open in it is forgotten by a recovery.
    pub(super) fn step_ended(&mut self, place: Place) {
        let over = self.over;
        for open in self.calls[over..].iter_mut().rev().take(LOOK_BACK) {
            if open.place() != place {
                break;
            }
            open.orphaned |= Outcome::of(open) == Outcome::None;
        }
    }

    /// A turn ended, or the next one began: what is open before it is forgotten by a recovery.
    pub(super) fn turn_over(&mut self) {
        for open in &mut self.calls[self.over..] {
            open.orphaned |= Outcome::of(open) == Outcome::None;
        }
        self.over = self.calls.len();
    }

    /// The newest started call without a result that fits: for a question that names no call.
    pub(super) fn newest_running(&self, name: Option<&WireText>) -> Option<usize> {
        let fits = |at: &&u32| name.is_none_or(|name| *self.calls[**at as usize].name == *name);
        self.running.iter().rev().take(LOOK_BACK).find(fits).map(|at| *at as usize)
    }

    /// The call with an id that a record inside it names: the newest running one, else the newest.
    pub(super) fn named(&self, id: &WireText) -> Option<usize> {
        let same = |at: &usize| self.calls[*at].call_id == *id;
        let running = self.running.iter().rev().take(LOOK_BACK).map(|at| *at as usize).find(same);
        running.or_else(|| (0..self.calls.len()).rev().take(LOOK_BACK).find(same))
    }

    /// The calls so far, for the folds that look something up.
    pub(super) fn call_at(&mut self, at: usize) -> Option<&mut Call> {
        self.calls.get_mut(at)
    }

    /// How many calls there are so far.
    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    /// The calls in the order of the messages, and the results without one.
    pub(super) fn finish(mut self) -> (Vec<Call>, Vec<StrayResult>) {
        self.calls.shrink_to_fit();
        (self.calls, self.stray)
    }

    fn newest_of(&self, place: Place, id: &WireText) -> Option<usize> {
        self.by_key.newest(place, id, &self.calls).map(|at| at as usize)
    }

    /// The name of a tool, held once for all calls of it.
    fn shared(&mut self, name: &WireText) -> Arc<WireText> {
        if let Some(name) = self.names.get(name) {
            return Arc::clone(name);
        }
        let name = Arc::new(name.clone());
        if self.names.len() < MOST_NAMES {
            self.names.insert(Arc::clone(&name));
        }
        name
    }

    fn push(&mut self, call: Call) -> u32 {
        let at = self.calls.len() as u32;
        self.calls.push(call);
        self.by_key.push(at, &self.calls);
        at
    }
}

/// Names of tools that are shared: a request header declares far fewer.
const MOST_NAMES: usize = 4096;

/// How many calls are looked through for an id, from the newest: questions stand close to their call.
const LOOK_BACK: usize = 4096;

fn real(is_error: bool) -> CallState {
    if is_error { CallState::Failed } else { CallState::Completed }
}

fn blank(place: Place, id: &WireText, name: Arc<WireText>) -> Call {
    Call {
        call_id: id.clone(),
        name,
        turn: place.turn.into(),
        step: place.step.into(),
        message_seq: OptInt::NONE,
        message_row: None,
        block: 0,
        call_seq: OptInt::NONE,
        call_row: None,
        call_time: OptInt::NONE,
        result_seq: OptInt::NONE,
        result_row: None,
        result_time: OptInt::NONE,
        state: CallState::NotStarted,
        basis: Basis::Inferred,
        error_code: None,
        arguments_differ: false,
        stream_differs: None,
        arguments: Fingerprint::default(),
        not_json: false,
        hidden: false,
        tool_origin: None,
        declared_seq: OptInt::NONE,
        orphaned: false,
        aftermath: None,
        inherited: false,
    }
}

#[cfg(test)]
mod tests;
