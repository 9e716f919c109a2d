//! Types outside the catalogue, and lines that are no event.

use super::line::{Line, MOST_BYTES};
use super::mark::Mark;
use super::told::Told;
use crate::session::row::Flags;
use crate::text::role::Role;

/// Adds the data as stored.
pub(super) fn raw(told: &Told<'_>, line: &mut Line) {
    let raw = told.data.raw();
    line.log("  ", raw.get(..raw.len().min(MOST_BYTES)).unwrap_or_default());
}

/// An event of an unknown type.
pub(super) fn unknown(told: &Told<'_>, line: &mut Line) -> Mark {
    let mark = if told.row.flags.has(Flags::IGNORABLE) {
        line.push(&told.say("ignorable", &[]), Role::Dim);
        Mark::None
    } else {
        line.push(&told.say("not_ignorable", &[]), Role::Bad);
        Mark::Look
    };
    if told.data.raw().is_empty() {
        let whole = told.event.raw();
        line.log("  ", whole.get(..whole.len().min(MOST_BYTES)).unwrap_or_default());
    } else {
        raw(told, line);
    }
    mark
}
