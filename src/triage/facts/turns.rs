//! Turns and steps.

use crate::record::event::Failure;
use crate::record::int::OptInt;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its number.
    pub turn: i64,
    /// Kind of the recorded end reason, a later end of the same turn wins; `None` while open.
    pub end: Option<WireText>,
    /// Who aborted it.
    pub aborted_by: Option<WireText>,
    /// The failure of an `error` end.
    pub failure: Option<Box<Failure>>,
    /// First row that belongs to it, and its seq.
    pub start_row: RowIx,
    /// Seq of its `turn/start`.
    pub start_seq: Option<i64>,
    /// Row of its `turn/end`.
    pub end_row: Option<RowIx>,
    /// Seq of its `turn/end`.
    pub end_seq: Option<i64>,
    /// Time of its first and last record.
    pub start_time: Option<i64>,
    /// Time of its `turn/end`.
    pub end_time: Option<i64>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Turn number.
    pub turn: i64,
    /// Step number.
    pub step: i64,
    /// First row that belongs to it.
    pub start_row: RowIx,
    /// Seq of its `step/start`.
    pub start_seq: OptInt,
    /// Row of its `step/end`.
    pub end_row: Option<RowIx>,
    /// Seq of its `step/end`.
    pub end_seq: OptInt,
    /// Time of its `step/start`.
    pub start_time: OptInt,
    /// Time of its `step/end`.
    pub end_time: OptInt,
    /// It has an `assistant/message`.
    pub has_message: bool,
}
