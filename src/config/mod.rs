//! Settings: what is built in, then the file of settings, then the environment, then the command line.
//!
//! Besides `cli` and `runtime` the one place that looks at the environment.

pub(crate) mod fault;
pub(crate) mod file;
mod keys;
pub(crate) mod language;
pub(crate) mod places;
pub mod printed;
pub(crate) mod settings;
pub(crate) mod themes;
