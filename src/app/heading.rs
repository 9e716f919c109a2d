//! The header rows: what this log is, and whether it is whole.
