//! One line → its meaning, for format versions 0 to 5.

pub mod event;
pub mod header;
pub mod json;
pub mod kinds;
