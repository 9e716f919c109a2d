//! The query language: what the filter line, `events --filter` and `report --fail-on` say, in the same words.
//!
//! ```text
//! text ──parse──▶ Query ──Prepared::of(session)──▶ one pass over rows and facts ──▶ rows
//!                                                     └─ what needs text ──▶ Sifter: line by line
//! ```
//!
//! Depends on `triage` and what lies left of it; reads no file: whoever asks brings the text of lines. A query is
//! bounded in length, terms, nesting and the size of its patterns, and no text makes it panic. docs/QUERY.md is made
//! from [`words`].

pub mod ast;
pub mod completion;
pub mod fault;
pub(crate) mod joined;
pub mod needle;
mod parse;
pub mod predicate;
mod quote;
pub mod selection;
mod strings;
mod subject;
mod value;
pub mod words;

#[cfg(test)]
mod tests;

pub use ast::Query;
pub use fault::Fault;
pub use needle::Needle;
pub use predicate::Prepared;
