//! What the fuzz targets call: the same checks as `tests/it/fuzzed.rs`, with what they need of the test support.
#![allow(dead_code, reason = "the support is shared with tests that need more of it")]

#[path = "../it/support/agree.rs"]
mod agree;
#[path = "../it/choices.rs"]
mod choices;
#[path = "../it/holds.rs"]
pub mod holds;
#[path = "../it/support/reading.rs"]
mod reading;
#[path = "../it/support/writer.rs"]
mod writer;

/// The paths under which the checks know it.
mod support {
    pub(crate) use crate::{agree, reading, writer};
}
