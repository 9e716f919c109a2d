//! Untrusted text to printable text.
pub mod role;
