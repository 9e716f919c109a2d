//! Stand-in.
pub mod wire;
