//! Reads the log: the end first, then everything, one thread for each reading.
//!
//! A reading that a later one overtakes stops between two pieces; what it already sent is dropped by its epoch.
