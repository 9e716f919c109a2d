//! Stored text that a page quotes from: fetched when it is on the screen, kept while the page is open.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::message::{Epoch, Ticket};
use crate::session::row::RowIx;

/// Bytes fetched of a line: a page quotes the start of an argument or a result.
pub(crate) const LIMIT_BYTES: u64 = 64 << 10;

/// Lines kept; what is off the screen can be fetched again.
const MOST_KEPT: usize = 512;

/// Lines in one question.
const MOST_ASKED: usize = 64;

/// A stored line that a page quotes from: of which reading, since a relative of the session may be quoted too.
pub(crate) type Quote = (Epoch, RowIx);

/// Stored lines, each whole or its first [`LIMIT_BYTES`].
#[derive(Debug, Clone, Default)]
pub(crate) struct PageTexts {
    lines: BTreeMap<Quote, Arc<[u8]>>,
    /// The question that waits for its answer, its reading and its rows.
    waiting: Option<(Ticket, Epoch, Vec<RowIx>)>,
}

impl PageTexts {
    /// The stored text of a row, once it is here.
    pub(crate) fn get(&self, quote: Quote) -> Option<&[u8]> {
        self.lines.get(&quote).map(|line| &**line)
    }

    /// The rows that have to be asked for, in order, all of one reading; none while a question waits for its answer.
    pub(crate) fn missing(&self, wanted: impl Iterator<Item = Quote>) -> Option<(Epoch, Vec<RowIx>)> {
        if self.waiting.is_some() {
            return None;
        }
        let missing: Vec<Quote> = wanted.filter(|quote| !self.lines.contains_key(quote)).take(MOST_ASKED).collect();
        let (epoch, _) = *missing.first()?;
        let of_one = missing.into_iter().filter(|(of, _)| *of == epoch);
        let mut rows: Vec<RowIx> = of_one.map(|(_, row)| row).collect();
        rows.sort_unstable();
        rows.dedup();
        Some((epoch, rows))
    }

    /// These rows of a reading were asked for.
    pub(crate) fn asked(&mut self, ticket: Ticket, epoch: Epoch, rows: Vec<RowIx>) {
        self.waiting = Some((ticket, epoch, rows));
    }

    /// An answer came; `false`: it is none to the question that waits. A row that could not be read is not asked for again.
    pub(crate) fn answered(&mut self, ticket: Ticket, lines: impl Iterator<Item = (RowIx, Arc<[u8]>)>) -> bool {
        let Some((_, epoch, rows)) = self.waiting.take_if(|(asked, ..)| *asked == ticket) else { return false };
        if self.lines.len() + rows.len() > MOST_KEPT {
            self.lines.clear();
        }
        self.lines.extend(rows.into_iter().map(|row| ((epoch, row), Arc::default())));
        self.lines.extend(lines.map(|(row, line)| ((epoch, row), line)));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(row: u32, text: &str) -> (RowIx, Arc<[u8]>) {
        (RowIx(row), text.as_bytes().into())
    }

    #[test]
    fn a_row_is_asked_for_once_and_one_question_at_a_time() {
        let mut texts = PageTexts::default();
        let (home, child) = (Epoch(0), Epoch::of_kin(1));
        let wanted = [(home, RowIx(3)), (child, RowIx(3)), (home, RowIx(1)), (home, RowIx(3))];
        assert_eq!(texts.missing(wanted.into_iter()), Some((home, vec![RowIx(1), RowIx(3)])));
        texts.asked(Ticket(7), home, vec![RowIx(1), RowIx(3)]);
        assert_eq!(texts.missing(wanted.into_iter()), None);
        assert!(!texts.answered(Ticket(6), std::iter::once(line(1, "late"))), "of another question");
        assert!(texts.answered(Ticket(7), std::iter::once(line(1, "one"))));
        assert_eq!((texts.get((home, RowIx(1))), texts.get((home, RowIx(3)))), (Some(&b"one"[..]), Some(&b""[..])));
        assert_eq!(
            texts.missing(wanted.into_iter()),
            Some((child, vec![RowIx(3)])),
            "what cannot be read is not asked for again, and a row of another log is another row"
        );
        texts.asked(Ticket(8), child, vec![RowIx(3)]);
        assert!(texts.answered(Ticket(8), std::iter::once(line(3, "of the child"))));
        assert_eq!(
            (texts.get((child, RowIx(3))), texts.get((home, RowIx(3)))),
            (Some(&b"of the child"[..]), Some(&b""[..]))
        );
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut texts = PageTexts::default();
        for at in 0..2 * MOST_KEPT as u32 {
            texts.asked(Ticket(at), Epoch(0), vec![RowIx(at)]);
            assert!(texts.answered(Ticket(at), std::iter::once(line(at, "x"))));
        }
        assert!(texts.lines.len() <= MOST_KEPT);
    }
}
