//! One line → its meaning, for format versions 0 to 5.
//!
//! Depends on `text` for [`crate::text::wire::WireText`] alone. Knows no files, no threads, no other lines: what follows
//! from several lines is for the layers to the right.
//!
//! ```text
//! line ── json ──► fields ──┬── extract ──► Event    what judging needs, owned; packed rows through `packed`
//!                           ├── header ──► Header    the first line
//!                           └── Value, Text          what the panes show, borrowed from the line
//! ```

pub mod admission;
pub mod event;
pub mod extract;
pub mod header;
pub mod int;
pub mod json;
pub mod kinds;
pub mod packed;
