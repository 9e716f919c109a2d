//! Calls by turn, step and id. Nearly every key has one call, which then says itself what it wants; a number for each
//! is all that is held.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use foldhash::HashMap;
use foldhash::fast::RandomState;

use super::{Outcome, has_key, place_of};
use crate::record::event::Place;
use crate::text::wire::WireText;
use crate::triage::facts::Call;

/// The calls of each key, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    by_hash: HashMap<u64, Same>,
    state: RandomState,
}

/// The calls whose keys have one hash.
#[derive(Debug, Clone)]
enum Same {
    /// One call.
    One(u32),
    /// Several, of one key as a rule.
    Several(Box<SameHash>),
}

/// Calls by their whole key, behind a pointer: few keys need it.
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
        match self.by_hash.get(&self.hash(place, id))? {
            Same::One(at) => {
                calls.get(*at as usize).is_some_and(|call| has_key(call, place, id) && fits(call)).then_some(*at)
            }
            Same::Several(keys) => keys.0.get(&(place, id.clone())).and_then(pick),
        }
    }

    /// The newest of all calls is put in.
    pub(super) fn push(&mut self, at: u32, calls: &[Call]) {
        let Some(call) = calls.get(at as usize) else { return };
        let hash = self.hash(place_of(call), &call.call_id);
        let Some(same) = self.by_hash.get_mut(&hash) else {
            self.by_hash.insert(hash, Same::One(at));
            return;
        };
        if let Same::One(first) = *same {
            *same = Same::Several(Box::default());
            same.put(first, calls);
        }
        same.put(at, calls);
    }

    /// What a call wants has changed.
    pub(super) fn changed(&mut self, at: u32, calls: &[Call]) {
        let Some(call) = calls.get(at as usize) else { return };
        let hash = self.hash(place_of(call), &call.call_id);
        if let Some(same) = self.by_hash.get_mut(&hash) {
            same.put(at, calls);
        }
    }

    fn hash(&self, place: Place, id: &WireText) -> u64 {
        self.state.hash_one((place, id))
    }
}

impl Same {
    fn put(&mut self, at: u32, calls: &[Call]) {
        if let (Same::Several(keys), Some(call)) = (self, calls.get(at as usize)) {
            let same = keys.0.entry((place_of(call), call.call_id.clone())).or_default();
            same.newest = same.newest.max(at);
            same.put(at, call);
        }
    }
}
