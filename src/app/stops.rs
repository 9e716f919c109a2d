//! Where jumps stop (`]u ]e ]a ]r ]t ]c ]b`), and the other halves of pairs (`o`); worked out once per reading.

use crate::session::row::{EventRef, RowIx};

/// Sorted places, by kind.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    pub(crate) unpaired: Vec<RowIx>,
    pub(crate) errors: Vec<RowIx>,
    pub(crate) approvals: Vec<RowIx>,
    pub(crate) retries: Vec<RowIx>,
    pub(crate) turns: Vec<RowIx>,
    pub(crate) calls: Vec<RowIx>,
    pub(crate) breaks: Vec<RowIx>,
    /// Row and its other half, sorted by row.
    pub(crate) halves: Vec<(RowIx, RowIx)>,
}
