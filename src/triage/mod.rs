//! Judging: one fold over the events of a log, and the facts it ends in.
//!
//! [`judge::Judge`] hears every line once and hands it to the folds; [`facts::Facts`] is what they know in the end,
//! the same for the screen and the report. Each fold follows one question: `sequence` (is it whole), `pairing` (calls
//! and results), `asking` (approvals, state in force), `spans` (turns, steps), `pairs` (all other pairs), `tools`
//! (where a name came from), `usage` (tokens), `loader` (what the harness would do), `stopped` (why it ends).

pub mod advice;
mod ascending;
mod asking;
mod attempts;
#[cfg(test)]
pub(crate) mod bench;
pub mod breaks;
pub mod clock;
pub mod detail;
pub mod doc;
pub mod edits;
pub mod facts;
pub mod judge;
pub mod ladder;
mod last_calls;
pub mod ledger;
pub mod loader;
pub mod open;
pub mod pages;
mod pairing;
mod pairs;
pub mod pass;
mod paths;
pub(crate) mod peek;
pub mod pieces;
mod rewrites;
mod sequence;
pub mod session;
mod spans;
mod stopped;
pub mod tokens;
mod tools;
mod twice;
mod usage;
mod waiting;
pub mod what;

pub use tools::{is_stock, runs_or_writes};
