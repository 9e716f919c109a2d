//! Records → an index one can ask.
//!
//! ```text
//! Source ──frames──▶ builder (scoped workers) ──rows──▶ Index   one small row a line, no text
//!                                   └─events──▶ triage::Judge   one judgement a log
//! Index + Facts ──▶ Session: what the screen and the report read
//! ```
//!
//! It depends on `text`, `log` and `record`; the builder takes the judge as a [`builder::Listener`], so that this
//! layer knows nothing of judging.

pub mod builder;
pub mod container;
pub mod index;
pub mod intern;
pub mod lines;
pub mod piece;
pub mod row;
pub mod rows;
