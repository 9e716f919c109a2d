//! Jumps back and forward, marks, and the identity of an event across readings of the file.

use std::collections::BTreeMap;

use crate::session::index::Index;
use crate::session::row::{EventRef, Row, RowIx, Seq};

/// Jumps kept.
const MOST_JUMPS: usize = 200;

/// An event by what stays the same when the file is read again: its seq and the how-many-eth with it, else its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// Seq, where it has one.
    pub seq: Option<Seq>,
    /// 0 for the first event with that seq, counted from the end in a view of the tail alone.
    pub occurrence: u32,
    /// Line counted from 1.
    pub line: Option<u64>,
    /// Place in the session it was taken from.
    pub event: EventRef,
}

/// Jumps and marks.
#[derive(Debug, Clone, Default)]
pub struct Jumps {
    pub(crate) back: Vec<Identity>,
    pub(crate) forward: Vec<Identity>,
    pub(crate) marks: BTreeMap<char, Identity>,
    pub(crate) before: Option<Identity>,
}
