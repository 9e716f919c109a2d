//! One log as it was read: the index and the facts, together and unchanging.

use std::path::PathBuf;

use super::facts::Facts;
use crate::session::index::Index;

/// How much of the log a [`Session`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The last frames alone; what depends on the rest is not read yet.
    Tail,
    /// Everything there was when it was read.
    Whole,
}

/// A log as it was read. Immutable: a later reading is another `Session`.
#[derive(Debug, Clone)]
pub struct Session {
    /// The path as given, or a name such as `standard input`.
    pub path: PathBuf,
    /// How much of it is here.
    pub extent: Extent,
    /// One row a line.
    pub index: Index,
    /// What is known.
    pub facts: Facts,
}
