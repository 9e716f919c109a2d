//! An integer that may be missing, in eight bytes.

use std::fmt;

use serde::{Serialize, Serializer};

/// An integer that may be missing, in the eight bytes of the integer alone: the facts of a large log hold millions.
///
/// The lowest number stands for a missing one, which sorts before all others. No log holds it: integers of JSON are read up to 2^61.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptInt(i64);

impl OptInt {
    /// A missing integer.
    pub const NONE: OptInt = OptInt(i64::MIN);

    /// The integer, if there is one.
    #[must_use]
    pub fn get(self) -> Option<i64> {
        (self != OptInt::NONE).then_some(self.0)
    }

    /// Whether there is one.
    #[must_use]
    pub fn is_some(self) -> bool {
        self != OptInt::NONE
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == OptInt::NONE
    }

    /// This integer, or else the other.
    #[must_use]
    pub fn or(self, other: impl Into<OptInt>) -> OptInt {
        if self.is_some() { self } else { other.into() }
    }
}

impl Default for OptInt {
    fn default() -> OptInt {
        OptInt::NONE
    }
}

impl From<i64> for OptInt {
    fn from(number: i64) -> OptInt {
        debug_assert_ne!(number, i64::MIN, "integers of a log end at 2^61");
        OptInt(number)
    }
}

impl From<Option<i64>> for OptInt {
    fn from(number: Option<i64>) -> OptInt {
        number.map_or(OptInt::NONE, OptInt::from)
    }
}

impl From<OptInt> for Option<i64> {
    fn from(number: OptInt) -> Option<i64> {
        number.get()
    }
}

impl Serialize for OptInt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

impl PartialEq<Option<i64>> for OptInt {
    fn eq(&self, other: &Option<i64>) -> bool {
        self.get() == *other
    }
}

impl PartialEq<OptInt> for Option<i64> {
    fn eq(&self, other: &OptInt) -> bool {
        *self == other.get()
    }
}

impl fmt::Debug for OptInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_integer_takes_no_room_and_is_none() {
        assert_eq!(size_of::<OptInt>(), 8);
        assert_eq!((OptInt::NONE.get(), OptInt::default()), (None, OptInt::from(None)));
        for number in [0, 1, -1, 1 << 61, -(1 << 61), i64::MAX] {
            assert_eq!(OptInt::from(number).get(), Some(number));
            assert_eq!(OptInt::from(number), Some(number));
        }
        assert_eq!(OptInt::NONE.or(7), Some(7));
        assert_eq!(OptInt::from(3).or(Some(7)), Some(3));
        assert_eq!(format!("{:?} {:?}", OptInt::NONE, OptInt::from(3)), "None Some(3)");
    }
}
