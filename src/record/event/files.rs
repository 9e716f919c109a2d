//! Files that a result says it changed.

use crate::text::wire::WireText;

/// A file that a result says it changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileChange {
    /// Its path as written.
    pub path: WireText,
    /// Hunks.
    pub hunks: u32,
}

/// Files that a result says it changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// `meta.operation`, such as `create`.
    pub operation: Option<WireText>,
    /// Each file once, in the order of `meta.diffs`; at most [`MOST_FILES`].
    pub files: Vec<FileChange>,
}

/// Files that are kept of one result.
pub const MOST_FILES: usize = 1_000;
