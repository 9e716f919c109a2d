//! Settings: what the command line and the environment say together.
//!
//! Besides `cli` and `runtime` the one place that looks at the environment.

pub(crate) mod language;
pub(crate) mod settings;
