//! Settings: what the command line and the environment say together.
//!
//! The one place besides `cli` and `runtime` that looks at the environment.

pub(crate) mod settings;

pub(crate) use settings::Settings;
