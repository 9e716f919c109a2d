//! Judging: one fold over the events of a log, and the facts it ends in.

pub mod facts;
