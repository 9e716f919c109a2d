//! The command line: what was asked for, on which log, and the exit status.
//!
//! Everything that reaches standard output or error as text passes `text::sanitize` first: a file name is as
//! untrusted as what a log holds. Exit status: 0 fine, 1 cannot do it, 2 wrong usage, 3 read but something is wrong.

pub(crate) mod args;
pub(crate) mod home;
pub(crate) mod progress;
pub(crate) mod recognise;
pub(crate) mod refusal;
pub(crate) mod run;
pub(crate) mod target;

pub use run::run;
