//! Facts in print: for programs, for people, for bug reports.
//!
//! Depends on `triage::facts` and what lies left of it; it judges nothing and reads no file. The screen draws the same
//! facts, so the two cannot differ.

pub mod events;
pub mod exit;
pub mod json;
mod lenient;
pub mod stored;
mod strict;
pub mod text;
