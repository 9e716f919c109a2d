//! Text with meaning and places to go: what the detail pane and the pages are made of.
//!
//! A [`Doc`] is worked out from facts and raw lines, without a width: the screen wraps or cuts it.

use crate::session::row::EventRef;
use crate::text::role::{Role, Span};

/// How a line that is too wide is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overflow {
    /// It wraps when wrapping is on, else scrolls sideways.
    #[default]
    Wrap,
    /// It is cut at the end: one row whatever its length.
    Cut,
}

/// Where a line stands in a value that can be folded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Branch {
    /// How deep; lines that follow and are deeper lie below it.
    pub level: u16,
    /// The way to the value from the outermost one, printable, as `jq` takes it: `.content[0].text`.
    pub path: String,
    /// The value is told on the lines below.
    pub opens: bool,
}

/// One logical line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocLine {
    /// Its pieces, left to right.
    pub spans: Vec<Span>,
    /// Pieces that stand at the right end of the row when there is room, and are kept when there is not.
    pub right: Vec<Span>,
    /// Where Enter on this line goes.
    pub target: Option<EventRef>,
    /// What happens when it is too wide.
    pub overflow: Overflow,
    /// Columns by which its continuation rows are indented.
    pub indent: u16,
    /// Its place in a value, where it is of one.
    pub branch: Option<Branch>,
}

impl DocLine {
    /// A line of one span.
    pub fn of(text: impl Into<String>, role: Role) -> DocLine {
        DocLine { spans: vec![Span::new(text, role)], ..DocLine::default() }
    }

    /// An empty line.
    #[must_use]
    pub fn blank() -> DocLine {
        DocLine::default()
    }

    /// The same line leading to an event.
    #[must_use]
    pub fn to(mut self, target: EventRef) -> DocLine {
        self.target = Some(target);
        self
    }

    /// All its text, the right part after two blanks: for copying and searching.
    #[must_use]
    pub fn text(&self) -> String {
        let join = |spans: &[Span]| spans.iter().map(|span| span.text.as_str()).collect::<String>();
        let (left, right) = (join(&self.spans), join(&self.right));
        if right.is_empty() { left } else { format!("{left}  {right}") }
    }
}

/// A text with meaning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Doc {
    /// Its lines.
    pub lines: Vec<DocLine>,
    /// What is copied as the value: raw bytes, untouched.
    pub value: Option<std::sync::Arc<[u8]>>,
    /// Bytes of the value that the lines leave out; 0 when all is shown.
    pub left_out: u64,
}
