//! The verdict: what is the matter with this log, in one or two lines (docs/SCREENS section 22).

use super::parted::PartedLine;
use crate::session::row::EventRef;

/// The verdict, ready to be fitted into any width.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Rows 3 and 4 of the main screen, from 80 columns; the second only where there is advice.
    pub lines: Vec<PartedLine>,
    /// The same in two rows for 40 to 79 columns.
    pub small: Vec<PartedLine>,
    /// The same in two rows for 20 to 39 columns.
    pub tiny: Vec<PartedLine>,
    /// The event it is about.
    pub target: Option<EventRef>,
    /// As plain text with its seqs, for copying.
    pub text: Vec<String>,
}
