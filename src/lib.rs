//! trajview: a viewer for the session logs of the `DeepSeek` Harness.
//!
//! ```text
//! text, log, record → session → triage → store → query → report, app → ui → runtime → config, cli, main
//! ```
//!
//! A module uses what stands to its left. `report` and `app` do not know each other: both read `triage::facts`.

pub mod app;
pub mod cli;
pub mod config;
pub mod log;
pub mod query;
pub mod record;
pub mod report;
mod runtime;
pub mod session;
pub mod store;
pub mod text;
pub mod triage;
pub mod ui;
