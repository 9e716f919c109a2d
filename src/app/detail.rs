//! The detail of what is selected.

use std::sync::Arc;

use super::message::Ticket;
use crate::session::row::EventRef;
use crate::triage::detail::{Form, RawLine, Subject, TabId};
use crate::triage::doc::{Doc, DocLine};

/// The detail pane.
#[derive(Debug, Clone, Default)]
pub struct Detail {
    /// What it is about; `None` while nothing is selected.
    pub subject: Option<Subject>,
    /// Its tabs, in order.
    pub tabs: Vec<TabId>,
    /// Place in `tabs` of the tab shown.
    pub tab: usize,
    /// Form of the tab.
    pub form: Form,
    /// Long lines wrap.
    pub wrap: bool,
    /// The line that stands on top of every tab.
    pub head: Option<DocLine>,
    /// Its text; `None` while it is fetched.
    pub doc: Option<Arc<Doc>>,
    /// The text as rows of the pane's width: what to draw. Rows of one line follow each other.
    pub rows: Vec<DetailRow>,
    /// First row on screen.
    pub top: usize,
    /// Row with the cursor.
    pub cursor: usize,
    /// Columns scrolled sideways; 0 when wrapping.
    pub sideways: usize,
    pub(crate) ticket: Option<Ticket>,
    pub(crate) lines: Vec<RawLine>,
    pub(crate) about: Option<EventRef>,
}

/// A row of the pane: a piece of a line of the doc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailRow {
    /// Which line of the doc.
    pub line: usize,
    /// Bytes of the line's joined left text that stand here.
    pub range: std::ops::Range<usize>,
    /// Blanks before it.
    pub indent: u16,
    /// The first row of its line: the right part stands here.
    pub first: bool,
}
