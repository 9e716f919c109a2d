//! Which closing records a resume would append: the fold of docs/FORMAT.md section 8.1 over the kept events.

use std::collections::BTreeMap;

use foldhash::HashMap;

use crate::record::event::{Body, Event};
use crate::text::wire::WireText;
use crate::triage::facts::{Ghost, GhostKind};

/// A call asked for in the open step that no result settles.
#[derive(Debug, Clone)]
struct Pending {
    id: WireText,
    name: WireText,
    started: bool,
}

/// What is open at the end of the events seen so far. Holds open things only.
#[derive(Debug, Clone, Default)]
pub(super) struct ResumeFold {
    turn: Option<i64>,
    step: Option<i64>,
    /// Calls in the order they were asked for; an id keeps the place of its first request.
    pending: BTreeMap<u64, Pending>,
    by_id: HashMap<WireText, u64>,
    asked: u64,
    time: Option<i64>,
}

impl ResumeFold {
    /// Takes the next kept event.
    pub(super) fn event(&mut self, event: &Event) {
        self.time = event.last_time.or(event.time);
        match &event.body {
            Body::TurnStart { turn } => {
                // A turn without a number is open all the same.
                self.turn = Some(turn.unwrap_or(0));
                self.step = None;
                self.clear();
            }
            Body::TurnEnd { .. } => {
                self.turn = None;
                self.step = None;
                self.clear();
            }
            Body::StepStart(place) => self.step = Some(place.step.unwrap_or(0)),
            Body::StepEnd(_) => {
                self.step = None;
                self.clear();
            }
            Body::Message { requests, .. } => {
                for request in requests {
                    self.ask(&request.id, &request.name);
                }
            }
            Body::Call { id, .. } => {
                if let Some(pending) = self.by_id.get(id).and_then(|at| self.pending.get_mut(at)) {
                    pending.started = true;
                }
            }
            Body::Result { id, .. } => {
                if let Some(at) = id.as_ref().and_then(|id| self.by_id.remove(id)) {
                    self.pending.remove(&at);
                }
            }
            _ => {}
        }
    }

    fn ask(&mut self, id: &WireText, name: &WireText) {
        let pending = Pending { id: id.clone(), name: name.clone(), started: false };
        let at = *self.by_id.entry(id.clone()).or_insert(self.asked);
        self.pending.insert(at, pending);
        self.asked += 1;
    }

    fn clear(&mut self) {
        self.pending.clear();
        self.by_id.clear();
    }

    /// Whether a turn is open: only then are records appended.
    pub(super) fn is_open(&self) -> bool {
        self.turn.is_some()
    }

    /// Whether a call without an id would have to be closed: the closing record would itself be refused.
    pub(super) fn waits_for_nameless(&self) -> bool {
        self.is_open() && self.by_id.contains_key(&WireText::default())
    }

    /// The records, the first with seq `next`, all with the time of the last kept event.
    pub(super) fn ghosts(&self, next: i64) -> Vec<Ghost> {
        let Some(turn) = self.turn else { return Vec::new() };
        let results = self.pending.values().map(|call| GhostKind::Result {
            call_id: call.id.clone(),
            name: call.name.clone(),
            started: call.started,
        });
        let step = self.step.map(|step| GhostKind::StepEnd { turn, step });
        results
            .chain(step)
            .chain(std::iter::once(GhostKind::TurnEnd { turn }))
            .zip(next..)
            .map(|(kind, seq)| Ghost { kind, seq, time: self.time })
            .collect()
    }
}
