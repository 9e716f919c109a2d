//! The line scan of docs/FORMAT.md section 2.5: which events the harness takes, and where it stops.

use super::shape;
use crate::record::event::Event;
use crate::record::kinds::Kind;
use crate::session::row::RowIx;

/// Highest seq that the harness can count to: integers end at 2^53 - 1.
const MAX_SEQ: i64 = (1 << 53) - 1;

/// First format version without packed rows.
const UNPACKED_SINCE: i64 = 2;

/// What stops the scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The line is no event.
    Unreadable,
    /// The line is an event, but not one of this version: a packed row.
    Misplaced,
    /// The keys beside `data` are not those of an event.
    NoEnvelope,
    /// The number is not the one expected; `None`: no integer.
    Break {
        /// The one expected.
        expected: i64,
        /// The one found.
        got: Option<i64>,
    },
}

/// Where the scan stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Issue {
    /// The row.
    pub(super) at: RowIx,
    /// Why.
    pub(super) cause: Cause,
}

impl Issue {
    /// The words of the report. Event lines count from 1, without the header.
    pub(super) fn text(&self) -> String {
        let line = u64::from(self.at.0) + 1;
        match self.cause {
            Cause::Unreadable => format!("event line {line} does not parse"),
            Cause::Misplaced => format!("event line {line} is a packed row, which this version does not have"),
            Cause::NoEnvelope => format!("event line {line} has an invalid envelope"),
            Cause::Break { expected, got: Some(got) } => {
                format!("sequence break at event line {line}: expected {expected}, got {got}")
            }
            Cause::Break { expected, got: None } => {
                format!("sequence break at event line {line}: expected {expected}, got no number")
            }
        }
    }
}

/// The scan so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Scan {
    /// Events taken: also the seq expected next.
    pub(super) kept: i64,
    /// What stopped it.
    pub(super) issue: Option<Issue>,
    /// The row of the first `turn/end` at or after the issue: with one of these the log is refused, whatever its encoding.
    pub(super) closed: Option<RowIx>,
}

impl Scan {
    /// Takes the next event line; `true`: it is one of the kept.
    pub(super) fn event(&mut self, at: RowIx, event: &Event, version: i64) -> bool {
        if self.issue.is_none() {
            let cause = self.objection(event, version);
            let Some(cause) = cause else {
                self.kept += i64::from(event.members.max(1));
                return true;
            };
            self.issue = Some(Issue { at, cause });
        }
        if event.kind == Kind::TurnEnd && self.closed.is_none() {
            self.closed = Some(at);
        }
        false
    }

    fn objection(&self, event: &Event, version: i64) -> Option<Cause> {
        if event.kind.is_packed() && version >= UNPACKED_SINCE {
            return Some(Cause::Misplaced);
        }
        // Earlier versions look at the envelope when the scan is over.
        if version >= UNPACKED_SINCE && shape::is_no_envelope(event) {
            return Some(Cause::NoEnvelope);
        }
        let fits = event.seq == Some(self.kept) && self.kept <= MAX_SEQ - i64::from(event.members);
        (!fits).then_some(Cause::Break { expected: self.kept, got: event.seq })
    }

    /// Takes a line that is no event.
    pub(super) fn bad_line(&mut self, at: RowIx) {
        if self.issue.is_none() {
            self.issue = Some(Issue { at, cause: Cause::Unreadable });
        }
    }
}
