//! Judging: one fold over the events of a log, and the facts it ends in.

pub mod doc;
pub mod facts;
mod peek;
pub mod session;
pub mod what;
