//! Judging: one fold over the events of a log, and the facts it ends in.

pub mod doc;
pub mod facts;
pub mod session;
