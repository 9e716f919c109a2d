//! Tests of the whole program, in one binary.

mod command_line;
mod docs;
mod layers;
#[cfg(unix)]
mod pty;
mod rows;
mod sample;
mod screens;
mod support;
