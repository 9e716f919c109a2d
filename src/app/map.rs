//! The map: one column that stands for all rows of the timeline, with the worst thing of each stretch.
//!
//! Where all rows are on screen each cell stands beside the row it is of.

use super::rules::MOST_RULES;
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
        let breaks = session.facts.sequence.breaks.len().max(session.facts.container.damaged_frames.len());
        // A break and damage have a line of their own, which bears the mark; not past the most lines.
        let ruled = breaks <= MOST_RULES;
        for (at, row) in session.index.rows.iter().enumerate() {
            let at = RowIx(at as u32);
            if row.flags.has(Flags::ERROR) {
                marks.push((at, Worst::Failed));
            }
            let broken = !ruled && (row.flags.has(Flags::BREAK) || row.flags.has(Flags::AFTER_DAMAGE));
            if broken || row.flags.has(Flags::BAD) {
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
        let strays = session.facts.results_without_call.iter().filter(|stray| stray.second_for.is_none());
        marks.extend(strays.map(|stray| (stray.row, Worst::Break)));
        marks.sort_unstable();
        Marks(marks)
    }

    /// The worst thing from one line up to another, that one left out.
    pub(crate) fn worst(&self, from: RowIx, to: RowIx) -> Option<Worst> {
        let first = self.0.partition_point(|(row, _)| *row < from);
        self.0[first..].iter().take_while(|(row, _)| *row < to).map(|(_, worst)| *worst).max()
    }
}
