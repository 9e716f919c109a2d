//! Tests of the whole program, in one binary.

#[cfg(unix)]
mod pty;
mod support;
