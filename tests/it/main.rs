//! Tests of the whole program, in one binary.

mod arbitrary;
mod cases;
mod choices;
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
#[cfg(unix)]
mod follow;
mod holds;
mod itself;
#[cfg(unix)]
mod kept;
mod languages;
mod layers;
mod lineage;
mod list;
mod listing;
mod looks;
mod mouse;
#[cfg(unix)]
mod outside;
mod pages;
mod proofs;
mod properties;
mod proved;
#[cfg(unix)]
mod pty;
#[cfg(unix)]
mod pty_programs;
mod readme;
mod rows;
mod sample;
mod screens;
mod searches;
mod store;
mod stored_report;
#[cfg(unix)]
mod storms;
mod support;
#[cfg(unix)]
mod whitelist;
mod words;
