//! The map: one column that stands for all rows of the timeline, with the worst thing of each stretch.

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
