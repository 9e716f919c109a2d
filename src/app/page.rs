//! Pages in the place of the panes: header and state (`i`), the ten-minute pass (`T`), an odd file, a log without events.

use super::parted::PartedLine;
use crate::triage::doc::Doc;

/// Which page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageKind {
    /// Header and state as of the selected seq.
    State,
    /// The ten-minute pass.
    SixSteps,
}

/// A page: a title row, a rule row, text, the status row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Which.
    pub kind: PageKind,
    /// Its title row.
    pub title: PartedLine,
    /// Its text.
    pub doc: Doc,
    /// Line of `doc` with the cursor.
    pub cursor: usize,
    /// First line of `doc` on screen.
    pub top: usize,
}
