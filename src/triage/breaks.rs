//! What proves the cause of a break, and what follows from it.

use super::facts::{Break, LoaderResult};
use super::session::Session;
use crate::session::row::{RowIx, Seq};

/// Results that are named for a break; the rest is counted.
const MOST: usize = 20;

/// What proves the cause of a break, and what follows from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    /// The record before the break.
    pub before: Option<RowIx>,
    /// The earlier record that has the number found here.
    pub earlier: Option<RowIx>,
    /// Places in `Container::damaged_frames` of those that lie at the break.
    pub damaged_frames: Vec<usize>,
    /// The first lines between the record before and the break that are no event, counted from 1.
    pub bad_lines: Vec<u64>,
    /// The first and the last of all of them.
    pub bad_range: Option<(u64, u64)>,
    /// How many they are.
    pub bad_count: u64,
    /// Places in `Facts::results_without_call` of results after the break and before the next one.
    pub orphans: Vec<usize>,
}

/// Gathers the proof of a break.
#[must_use]
pub fn proof(session: &Session, found: &Break) -> Proof {
    let (facts, index) = (&session.facts, &session.index);
    let before = found.before;
    let again = found.got.filter(|got| *got < found.expected);
    let earlier = again.map(|got| index.find(Seq(got))).unwrap_or_default();
    let earlier = earlier.into_iter().map(|event| event.row).rfind(|row| *row < found.row);
    // All three lists are in the order of the log.
    let after = |row: RowIx| before.is_some_and(|before| row <= before);
    let damaged = &facts.container.damaged_frames;
    let from = damaged.partition_point(|frame| after(frame.next_row));
    let damaged = (from..damaged.len()).take_while(|at| damaged[*at].next_row <= found.row);
    let bad = &facts.container.bad_lines;
    let bad = &bad[bad.partition_point(|bad| after(bad.row))..];
    let bad = &bad[..bad.partition_point(|bad| bad.row <= found.row)];
    let breaks = &facts.sequence.breaks;
    let next = breaks.get(breaks.partition_point(|other| other.row <= found.row)).map(|next| next.row);
    let strays = &facts.results_without_call;
    let from = strays.partition_point(|stray| stray.row < found.row);
    let strays = (from..strays.len()).take_while(|at| next.is_none_or(|next| strays[*at].row < next));
    Proof {
        before,
        earlier,
        damaged_frames: damaged.take(MOST).collect(),
        bad_lines: bad.iter().map(|bad| bad.line).take(MOST).collect(),
        bad_range: bad.first().zip(bad.last()).map(|(first, last)| (first.line, last.line)),
        bad_count: bad.len() as u64,
        orphans: strays.take(MOST).collect(),
    }
}

/// First and last line, counted from 1, that the harness would drop on its next write; `None` where it keeps every whole
/// line, and where it refuses the log: then it writes nothing.
#[must_use]
pub fn dropped_lines(session: &Session) -> Option<(u64, u64)> {
    let loader = &session.facts.loader;
    let is_cut = match loader.result {
        Some(LoaderResult::LoadsWithoutTail) => true,
        // Whole records of a torn frame are kept; of a plain log the unfinished line is cut.
        Some(LoaderResult::LoadsTornTail) => session.facts.container.complete_frames == 0,
        Some(LoaderResult::Loads | LoaderResult::Refuses) | None => false,
    };
    let first = session.index.line(loader.at.filter(|_| is_cut)?)?;
    let last = (session.index.rows.len() as u32).checked_sub(1)?;
    let last = session.index.line(RowIx(last))?;
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::bench::Written;
    use crate::triage::facts::BreakCause;

    fn open() -> Written {
        Written::new().turn(1).step(1, 1).asks_whole(1, 1, &["a"])
    }

    #[test]
    fn a_break_names_its_neighbours_and_what_follows() {
        let lost = open().at(9).result(1, 1, "x", "", "");
        let (session, _) = lost.session();
        let found = proof(&session, &session.facts.sequence.breaks[0]);
        assert_eq!((found.before, found.earlier), (Some(RowIx(2)), None));
        assert_eq!(found.orphans, [0]);

        let again = open().call(1, 1, "a").at(2).event("todo/write", "");
        let (session, _) = again.session();
        let found = proof(&session, &session.facts.sequence.breaks[0]);
        assert_eq!(session.facts.sequence.breaks[0].cause, BreakCause::TwoWriters);
        assert_eq!((found.before, found.earlier), (Some(RowIx(3)), Some(RowIx(2))));

        let bad = open().raw("not JSON").at(4).call(1, 1, "a");
        let (session, _) = bad.session();
        let found = proof(&session, &session.facts.sequence.breaks[0]);
        assert_eq!((found.bad_lines, found.before), (vec![5], Some(RowIx(2))));

        let mut many = open();
        for _ in 0..200 {
            many = many.raw("");
        }
        let (session, _) = many.at(4).call(1, 1, "a").session();
        let found = proof(&session, &session.facts.sequence.breaks[0]);
        assert_eq!((found.before, found.bad_range, found.bad_count), (Some(RowIx(2)), Some((5, 204)), 200));
        assert_eq!(found.bad_lines, (5..25).collect::<Vec<_>>());

        let first = Written::new().at(7).turn(1);
        let (session, _) = first.session();
        assert_eq!(proof(&session, &session.facts.sequence.breaks[0]), Proof::default());
    }

    #[test]
    fn lines_that_the_harness_would_drop_are_told() {
        let whole = open().call(1, 1, "a");
        let gap = open().at(9).call(1, 1, "a").event("todo/write", "");
        let closed = open().at(9).call(1, 1, "a").turn_end(1, "completed");
        for (log, expected) in [(whole, None), (gap, Some((5, 6))), (closed, None)] {
            let (session, _) = log.session();
            assert_eq!(dropped_lines(&session), expected, "{:?}", session.facts.loader);
        }
    }
}
