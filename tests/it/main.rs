//! Tests of the whole program, in one binary.

#[cfg(unix)]
mod pty;
mod screens;
mod support;
