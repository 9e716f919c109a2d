//! Tests of the whole program, in one binary.

mod cases;
mod command_line;
mod corpus;
mod every_byte;
#[cfg(unix)]
mod pty;
mod properties;
mod rows;
mod sample;
mod screens;
mod support;
