//! Places by key, where keys nearly always ascend: a sorted list is half the size of a hash table, and never moved
//! into a larger one.

use foldhash::HashMap;
use std::hash::Hash;

/// The newest place of each key.
#[derive(Debug, Clone)]
pub(super) struct Ascending<K> {
    /// Keys that ascended, each once.
    sorted: Vec<(K, u32)>,
    /// Those that did not, as a damaged log has them; what is here is newer than the same key above.
    others: HashMap<K, u32>,
}

impl<K> Default for Ascending<K> {
    fn default() -> Self {
        Ascending { sorted: Vec::new(), others: HashMap::default() }
    }
}

impl<K: Copy + Ord + Hash> Ascending<K> {
    /// Sets the place of a key; an earlier one is forgotten.
    pub(super) fn insert(&mut self, key: K, at: u32) {
        match self.sorted.last_mut() {
            Some((last, place)) if *last == key => *place = at,
            Some((last, _)) if *last > key => {
                self.others.insert(key, at);
            }
            _ => self.sorted.push((key, at)),
        }
    }

    /// The place of a key.
    pub(super) fn get(&self, key: K) -> Option<u32> {
        if !self.others.is_empty()
            && let Some(at) = self.others.get(&key)
        {
            return Some(*at);
        }
        let at = self.sorted.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.sorted.get(at).map(|(_, place)| *place)
    }

    /// Whether a key has a place.
    pub(super) fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(keys in prop::collection::vec(0_i64..40, 0..80)) {
            let mut found = Ascending::default();
            let mut expected = std::collections::BTreeMap::new();
            for (at, key) in keys.into_iter().enumerate() {
                found.insert(key, at as u32);
                expected.insert(key, at as u32);
                for key in 0..40 {
                    prop_assert_eq!(found.get(key), expected.get(&key).copied());
                }
            }
        }
    }

    #[test]
    fn keys_that_ascend_take_no_hash_table() {
        let mut places = Ascending::default();
        (0..1000).for_each(|key| places.insert(key, 7));
        assert_eq!((places.sorted.len(), places.others.capacity()), (1000, 0));
        places.insert(3, 9);
        assert_eq!((places.get(3), places.get(4), places.others.len()), (Some(9), Some(7), 1));
    }
}
