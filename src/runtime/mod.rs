//! Threads, channels, the terminal: everything that happens outside the pure core.
//!
//! ```text
//! input, signals ─┐                 ┌─▶ ui::draw ─▶ terminal
//! loader, watch ──┼─▶ inbox ─▶ loop ┤
//! fetcher ────────┤           update└─▶ effects ─▶ loader, fetcher, searcher, clipboard
//! searcher, lister ┘
//! ```
//!
//! Only the loop touches the model and the terminal; the one exception is giving the terminal back ([`terminal`]).
//! Workers stop when the loop has gone. Nothing here is judged: what is known comes from `triage`.

mod background;
mod child;
pub(crate) mod clipboard;
mod desk;
mod desktop;
mod effects;
mod events;
mod fetcher;
pub(crate) mod files;
mod handover;
mod inbox;
mod input;
mod kin;
pub(crate) mod lines;
mod lister;
mod loader;
pub(crate) mod memory;
pub(crate) mod panic;
mod private;
mod programs;
pub(crate) mod say;
mod searcher;
mod seeker;
mod signals;
pub(crate) mod terminal;
mod texts;
mod viewer;
mod watch;

pub(crate) use texts::Texts;
pub(crate) use viewer::{Ended, Subject, Viewer, view};
