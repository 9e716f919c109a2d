//! trajview: a viewer for the session logs of the DeepSeek Harness.

pub mod app;
pub mod log;
pub mod record;
pub mod report;
pub mod session;
pub mod text;
pub mod triage;
pub mod ui;
