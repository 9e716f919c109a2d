//! The detail pane: what is selected, in full (docs/SCREENS.md sections 1 to 4, 23 and 27).
//!
//! ```text
//! Subject ──tabs──► TabId ──needs──► rows to fetch ──► RawLines ──Detail::doc──► Doc
//! ```
//!
//! A [`Doc`](super::doc::Doc) is worked out from facts and raw lines, without a width. Every text of a log is sanitised;
//! of a value only the first `limit` bytes are looked at, however long it is.

mod approvals;
mod arguments;
mod changes;
mod damage;
pub(super) mod diff;
mod fault;
mod fields;
mod head;
mod header;
mod hidden;
mod markdown;
mod message;
mod needs;
mod page;
mod record;
mod result;
mod stream;
mod strip;
mod subject;
mod twice;
mod value;

pub use damage::Damage;
pub(crate) use damage::{break_cause, break_harness, break_text, cause_key, frame_text, torn_text};
pub use needs::needs;
pub use page::{Detail, Form, LIMIT, RawLine, forms};
pub(crate) use record::{cited, citing};
pub use subject::{Subject, TabId, subject_of, tabs};

#[cfg(test)]
mod tests;
