//! trajview: a viewer for the session logs of the DeepSeek Harness.

pub mod log;
