//! What every event may carry beside its type: signs of the version, its place on the surface, what it cites.

/// Signs of the format version, for a log whose header is gone (docs/FORMAT.md section 3). A set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Hints(u8);

impl Hints {
    /// An `assistant/chunk` or a packed row: version 0 or 1.
    pub const CHUNKS: Self = Self(1);
    /// A stream in a message or attempt: version 2 or later.
    pub const STREAM: Self = Self(2);
    /// A `system/message`: version 3 or later.
    pub const SYSTEM_MESSAGE: Self = Self(4);
    /// A result in the role `tool`: version 4 or later.
    pub const ROLE_TOOL: Self = Self(8);

    /// Adds signs.
    pub const fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// All signs of `other` are there.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The lowest version that the highest sign allows; `None` without a sign.
    #[must_use]
    pub const fn guess(self) -> Option<i64> {
        if self.has(Self::ROLE_TOOL) {
            Some(4)
        } else if self.has(Self::SYSTEM_MESSAGE) {
            Some(3)
        } else if self.has(Self::STREAM) {
            Some(2)
        } else if self.has(Self::CHUNKS) {
            Some(0)
        } else {
            None
        }
    }
}

/// `surfaceOp` of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    /// No `surfaceOp`: log-only.
    #[default]
    None,
    /// `"append"`.
    Append,
    /// A replacement of the nodes from `start` to `end` (`startSeq`, `endSeq` from version 3).
    Replace {
        /// Seq of the first shadowed node; `None` where it is no integer.
        start: Option<i64>,
        /// Seq of the last shadowed node.
        end: Option<i64>,
    },
    /// Anything else.
    Odd,
}

/// `sourceEventSeqs`, reduced to what pairing and the loader ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cites {
    /// The key is there.
    pub present: bool,
    /// First cited seq, of a range its first.
    pub first: Option<i64>,
    /// How many seqs are cited, ranges expanded, saturating.
    pub count: u32,
    /// Highest cited seq.
    pub highest: Option<i64>,
    /// An element is neither an integer nor a pair of integers, or the value is no array.
    pub malformed: bool,
}
