//! Many sessions: what is true of a lineage.

pub mod lineage;
