//! Input lines: where to go (`:`), what to search (`/`), narrowing a list. The one place that knows `tui_textarea`.

use tui_textarea::TextArea;

/// What an input line asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asked {
    /// Where to go.
    GoTo,
    /// What to search.
    Search,
    /// How to narrow the list of the open overlay.
    Narrow,
}

/// An input line that has the keys.
#[derive(Debug, Clone)]
pub struct Input {
    /// What it asks.
    pub asked: Asked,
    /// The line, for drawing: one line, the cursor inside it.
    pub area: TextArea<'static>,
    /// What is wrong with the text so far, in words; drawn at the right in `bad`.
    pub problem: Option<String>,
    pub(crate) history: Vec<String>,
    pub(crate) at: Option<usize>,
}
