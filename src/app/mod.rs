//! The pure core: a model, messages that change it, effects that the outside carries out.
//!
//! ```text
//!            Message                      Effect
//! runtime ───────────▶ update(&mut Model) ───────▶ runtime ──▶ terminal, workers ──▶ Message
//!                           Model ──▶ ui draws it, and never changes it
//! ```
//!
//! It depends on `text`, `record`, `session` and `triage`. No terminal, file, thread or clock: time, size and keys are
//! messages. `tui_textarea` is used in [`input`] alone.

pub mod action;
pub mod area;
#[cfg(test)]
pub(crate) mod bench;
pub mod calls;
pub mod detail;
pub mod effect;
pub mod family;
pub mod filtering;
pub mod follow;
pub(crate) mod goto;
pub(crate) mod hints;
pub mod input;
pub mod jumps;
pub mod key;
pub mod keymap;
pub mod list;
pub mod map;
pub mod memory;
pub mod message;
pub mod model;
pub mod overlay;
pub mod page;
pub mod parted;
pub(crate) mod rules;
pub mod search;
pub mod selection;
pub mod sieve;
pub mod stops;
pub mod summaries;
pub mod theming;
pub mod timeline;
pub mod update;
pub mod verdict;
