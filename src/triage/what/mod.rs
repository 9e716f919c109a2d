//! The `what` column: each line of a log in a few words (docs/SCREENS.md section 23).
//!
//! ```text
//! line, its row, facts ──Teller──► What { mark, tag, text }
//! ```
//!
//! A [`Teller`] holds what is the same for all rows of a log; the caller fetches the text of a line, whole or its first
//! kilobytes, and asks. Every text of a log is sanitised here. Costs grow with the bytes handed in and the columns
//! asked for, never with anything else.

mod approvals;
mod calls;
mod chunks;
mod commands;
mod first_line;
mod ghost;
mod line;
mod mark;
mod messages;
mod odd;
mod requests;
mod rows;
mod session;
mod teams;
mod told;
mod tools;
mod turns;

pub use calls::{CallPart, CallRows, Link};
pub(crate) use chunks::finish_words;
pub use chunks::{Run, run_rows};
pub use first_line::first_line;
pub(crate) use first_line::{Known, known};
pub(crate) use mark::is_by_policy;
pub use mark::{Mark, approval_mark, call_mark, command_mark, sub_call_mark, turn_mark};
pub(crate) use messages::{Blocks, result_content, result_message};
pub(crate) use rows::bad_line_key;
pub use rows::{Teller, What};
pub(crate) use tools::{MOST_HUNK_BYTES, diff_counts, sub_call_number};

#[cfg(test)]
mod tests;
