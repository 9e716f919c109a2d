//! Records that wait for the one that closes them, by key, the oldest first.

use std::collections::VecDeque;
use std::hash::Hash;

use foldhash::HashMap;

/// Places of open records by key. Holds open ones only; keys with more than one are met in damaged logs alone.
#[derive(Debug, Clone)]
pub(super) struct Waiting<K> {
    open: HashMap<K, VecDeque<u32>>,
}

impl<K> Default for Waiting<K> {
    fn default() -> Self {
        Waiting { open: HashMap::default() }
    }
}

impl<K: Hash + Eq> Waiting<K> {
    /// The record at a place waits.
    pub(super) fn open(&mut self, key: K, at: usize) {
        self.open.entry(key).or_default().push_back(at as u32);
    }

    /// The place of the oldest open record of a key, which waits no longer; `None` without one.
    pub(super) fn close(&mut self, key: &K) -> Option<usize> {
        let places = self.open.get_mut(key)?;
        let oldest = places.pop_front();
        if places.is_empty() {
            self.open.remove(key);
        }
        oldest.map(|at| at as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_of_a_key_closes_first_and_nothing_is_left_behind() {
        let mut waiting = Waiting::default();
        for (key, at) in [("a", 0), ("b", 1), ("a", 2)] {
            waiting.open(key, at);
        }
        let closed = ["a", "a", "a", "b", "c"].map(|key| waiting.close(&key));
        assert_eq!(closed, [Some(0), Some(2), None, Some(1), None]);
        assert!(waiting.open.is_empty());
    }
}
