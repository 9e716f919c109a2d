//! The map: one column that stands for all rows of the timeline, with the worst thing of each stretch.

use crate::session::row::{Flags, RowIx};
use crate::triage::facts::CallState;
use crate::triage::session::Session;

/// The worst thing of a stretch of rows, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Worst {
    /// Saved from a torn frame.
    Torn,
    /// A call that was not started.
    NotStarted,
    /// Something failed.
    Failed,
    /// A break of the sequence, damage.
    Break,
    /// A call with an unknown outcome.
    Unknown,
}

/// One cell of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MapCell {
    /// The worst thing here, if anything is.
    pub worst: Option<Worst>,
    /// Some of these rows are on screen; told only where not all rows are.
    pub in_view: bool,
}

/// Lines that have something to show in the map, in file order, several of one line side by side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks(Vec<(RowIx, Worst)>);

impl Marks {
    /// Reads them off the facts and the marks of the rows: one pass.
    pub(crate) fn of(session: &Session) -> Marks {
        let mut marks = Vec::new();
        for (at, row) in session.index.rows.iter().enumerate() {
            let at = RowIx(at as u32);
            if row.flags.has(Flags::ERROR) {
                marks.push((at, Worst::Failed));
            }
            if row.flags.has(Flags::BREAK) || row.flags.has(Flags::AFTER_DAMAGE) || row.flags.has(Flags::BAD) {
                marks.push((at, Worst::Break));
            }
            if row.flags.has(Flags::TORN) {
                marks.push((at, Worst::Torn));
            }
        }
        for call in &session.facts.calls {
            let (rows, worst) = match call.state {
                CallState::Completed => continue,
                CallState::Failed => ([call.call_row, call.result_row], Worst::Failed),
                CallState::NotStarted => ([call.message_row, None], Worst::NotStarted),
                CallState::OutcomeUnknown => ([call.call_row, None], Worst::Unknown),
            };
            marks.extend(rows.into_iter().flatten().map(|row| (row, worst)));
        }
        marks.sort_unstable();
        Marks(marks)
    }

    /// The worst thing from one line up to another, that one left out.
    pub(crate) fn worst(&self, from: RowIx, to: RowIx) -> Option<Worst> {
        let first = self.0.partition_point(|(row, _)| *row < from);
        self.0[first..].iter().take_while(|(row, _)| *row < to).map(|(_, worst)| *worst).max()
    }
}
