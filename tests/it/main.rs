//! Tests of the whole program, in one binary.

mod arbitrary;
mod cases;
mod command_line;
mod corpus;
mod costs;
mod damages;
mod docs;
mod events;
mod every_byte;
mod export;
#[cfg(unix)]
mod flow;
mod follow;
mod languages;
mod layers;
mod lineage;
mod list;
mod listing;
mod proofs;
mod properties;
#[cfg(unix)]
mod pty;
mod readme;
mod rows;
mod sample;
mod screens;
mod store;
mod stored_report;
mod support;
mod words;
