//! Text: what a log says made printable, columns counted, and every word that this program says.
//!
//! The layer at the bottom: it depends on nothing else of the crate. Three kinds of text are kept apart.
//!
//! - **Text of a log** ([`wire::WireText`]): bytes, never trusted. It becomes a `String` only by
//!   [`sanitize`] (for a terminal) or [`wire::report_string`] (for JSON and other files).
//! - **Printable text**: what [`sanitize`] returns. Only this is measured, cut, wrapped ([`width`]) and drawn.
//! - **Our own words** ([`locale`]), numbers ([`number`]) and times ([`time`]).

pub(crate) mod class;
pub(crate) mod decode;
pub mod fault;
pub(crate) mod hidden;
pub(crate) mod judge;
pub mod locale;
pub mod number;
pub mod role;
pub mod sanitize;
pub mod time;
pub mod width;
pub mod wire;
