//! Files that calls changed, and the headers of requests.

use crate::record::event::Fingerprint;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// A file that a call changed, or set out to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Place in `Facts::calls`.
    pub call: usize,
    /// The path as the model wrote it.
    pub path: WireText,
    /// Hunks that the result tells of; 0 for a file that was created, or written with the same content.
    pub hunks: u32,
    /// `create` or `update`, where the result says so.
    pub operation: Option<WireText>,
    /// Seq of the result that tells it; of a call without one that of the call.
    pub seq: Option<i64>,
    /// Row of it.
    pub row: RowIx,
}

/// A part of a request header that can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeadPart {
    /// The model, an effort or another field of its `config`.
    Config,
    /// The system prompt, in versions that hold it here.
    Prompt,
    /// The tools: their names, descriptions, parameters or order.
    Tools,
}

/// A `request/header`, and what it changed against the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestHead {
    /// Its row.
    pub row: RowIx,
    /// Its seq.
    pub seq: Option<i64>,
    /// `reason`, such as `initial`.
    pub reason: Option<WireText>,
    /// Provider.
    pub provider: Option<WireText>,
    /// Model.
    pub model: Option<WireText>,
    /// Tools declared.
    pub tools: u32,
    /// Names that it declares and the header before did not; of the first header all that are not stock.
    pub added: Vec<WireText>,
    /// Names that the header before declared and it does not.
    pub removed: Vec<WireText>,
    /// Parts that are others than in the header before; none of the first header.
    pub changed: Vec<HeadPart>,
    /// Size and hash of the prompt.
    pub prompt: Option<Fingerprint>,
    /// It is the first one.
    pub is_first: bool,
}

/// A `developer/message` that added or removed tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolChange {
    /// Its row.
    pub row: RowIx,
    /// Its seq.
    pub seq: Option<i64>,
    /// Seq of the header that defines the added tools, where it names one.
    pub header_seq: Option<i64>,
    /// Names added.
    pub added: Vec<WireText>,
    /// Names removed.
    pub removed: Vec<WireText>,
}
