//! Calls by turn, step and id. Nearly every key has one call, which then says itself what it wants; a number for each
//! is all that is held.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use foldhash::HashMap;
use foldhash::fast::RandomState;

use super::{Outcome, has_key};
use crate::record::event::Place;
use crate::text::wire::WireText;
use crate::triage::facts::Call;

/// The calls of each key, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    /// A short hash, and eight bytes an entry: there is one for each call.
    by_hash: HashMap<u32, Same>,
    several: Vec<SameHash>,
    state: RandomState,
}

/// The calls whose keys have one hash: one call, or with the highest bit the place in `several` of more, of one key as
/// a rule.
#[derive(Debug, Clone, Copy)]
struct Same(u32);

/// The bit that tells several calls from one: no log has that many calls, since rows are counted in 32 bits.
const SEVERAL: u32 = 1 << 31;

/// Calls by their whole key.
#[derive(Debug, Clone, Default)]
struct SameHash(BTreeMap<(Place, WireText), SameKey>);

/// The calls of one key. One step may hold a million of them: each is found without a walk over the others.
#[derive(Debug, Clone, Default)]
struct SameKey {
    newest: u32,
    /// Calls without a `tool/call`.
    unstarted: BTreeSet<u32>,
    /// Calls without a real result.
    wanting: BTreeSet<(Wants, u32)>,
}

/// In what way a call wants a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wants {
    /// It has none and never started.
    Start,
    /// It started and has none.
    Result,
    /// A recovery record closed it: a real result may still come.
    RealResult,
}

fn is_unstarted(call: &Call) -> bool {
    call.call_row.is_none()
}

fn wants(call: &Call) -> Option<Wants> {
    match Outcome::of(call) {
        Outcome::None if is_unstarted(call) => Some(Wants::Start),
        Outcome::None => Some(Wants::Result),
        Outcome::Recovered => Some(Wants::RealResult),
        Outcome::Real => None,
    }
}

impl SameKey {
    fn put(&mut self, at: u32, call: &Call) {
        self.unstarted.remove(&at);
        if is_unstarted(call) {
            self.unstarted.insert(at);
        }
        for wants in [Wants::Start, Wants::Result, Wants::RealResult] {
            self.wanting.remove(&(wants, at));
        }
        if let Some(wants) = self::wants(call) {
            self.wanting.insert((wants, at));
        }
    }

    fn oldest(&self, wants: Wants) -> Option<u32> {
        let (found, at) = self.wanting.range((wants, 0)..).next()?;
        (*found == wants).then_some(*at)
    }
}

impl Keys {
    /// The oldest call of a key without a `tool/call`.
    pub(super) fn unstarted(&self, place: Place, id: &WireText, calls: &[Call]) -> Option<u32> {
        self.find(place, id, calls, is_unstarted, |same| same.unstarted.first().copied())
    }

    /// The oldest call of a key that wants a result in that way.
    pub(super) fn oldest(&self, place: Place, id: &WireText, wants: Wants, calls: &[Call]) -> Option<u32> {
        self.find(place, id, calls, |call| self::wants(call) == Some(wants), |same| same.oldest(wants))
    }

    /// The newest call of a key.
    pub(super) fn newest(&self, place: Place, id: &WireText, calls: &[Call]) -> Option<u32> {
        self.find(place, id, calls, |_| true, |same| Some(same.newest))
    }

    fn find(
        &self,
        place: Place,
        id: &WireText,
        calls: &[Call],
        fits: impl Fn(&Call) -> bool,
        pick: impl Fn(&SameKey) -> Option<u32>,
    ) -> Option<u32> {
        let Same(at) = *self.by_hash.get(&self.hash(place, id))?;
        if at & SEVERAL == 0 {
            calls.get(at as usize).is_some_and(|call| has_key(call, place, id) && fits(call)).then_some(at)
        } else {
            self.several.get((at & !SEVERAL) as usize)?.0.get(&(place, id.clone())).and_then(pick)
        }
    }

    /// The newest of all calls is put in.
    pub(super) fn push(&mut self, at: u32, calls: &[Call]) {
        let Some(call) = calls.get(at as usize) else { return };
        let hash = self.hash(call.place(), &call.call_id);
        let Some(same) = self.by_hash.get_mut(&hash) else {
            self.by_hash.insert(hash, Same(at));
            return;
        };
        if same.0 & SEVERAL == 0 {
            let mut fresh = SameHash::default();
            fresh.put(same.0, calls);
            *same = Same(self.several.len() as u32 | SEVERAL);
            self.several.push(fresh);
        }
        self.changed(at, calls);
    }

    /// What a call wants has changed.
    pub(super) fn changed(&mut self, at: u32, calls: &[Call]) {
        let Some(call) = calls.get(at as usize) else { return };
        let hash = self.hash(call.place(), &call.call_id);
        let Some(Same(several)) = self.by_hash.get(&hash).filter(|same| same.0 & SEVERAL != 0) else { return };
        if let Some(same) = self.several.get_mut((several & !SEVERAL) as usize) {
            same.put(at, calls);
        }
    }

    fn hash(&self, place: Place, id: &WireText) -> u32 {
        self.state.hash_one((place, id)) as u32
    }
}

impl SameHash {
    fn put(&mut self, at: u32, calls: &[Call]) {
        if let Some(call) = calls.get(at as usize) {
            let same = self.0.entry((call.place(), call.call_id.clone())).or_default();
            same.newest = same.newest.max(at);
            same.put(at, call);
        }
    }
}
