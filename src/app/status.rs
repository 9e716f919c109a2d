//! The last row: where you are, and which keys help here.
