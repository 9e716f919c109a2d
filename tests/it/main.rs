//! Tests of the whole program, in one binary.

mod command_line;
#[cfg(unix)]
mod follow;
mod layers;
#[cfg(unix)]
mod pty;
mod rows;
mod sample;
mod screens;
mod support;
