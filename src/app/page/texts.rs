//! Stored text that a page quotes from: fetched when it is on the screen, kept while the page is open.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::message::Ticket;
use crate::session::row::RowIx;

/// Bytes fetched of a line: a page quotes the start of an argument or a result.
pub(crate) const LIMIT_BYTES: u64 = 64 << 10;

/// Lines kept; what is off the screen can be fetched again.
const MOST_KEPT: usize = 512;

/// Lines in one question.
const MOST_ASKED: usize = 64;

/// Stored lines, each whole or its first [`LIMIT_BYTES`].
#[derive(Debug, Clone, Default)]
pub(crate) struct PageTexts {
    lines: BTreeMap<RowIx, Arc<[u8]>>,
    /// The question that waits for its answer, and its rows.
    waiting: Option<(Ticket, Vec<RowIx>)>,
}

impl PageTexts {
    /// The stored text of a row, once it is here.
    pub(crate) fn get(&self, row: RowIx) -> Option<&[u8]> {
        self.lines.get(&row).map(|line| &**line)
    }

    /// The rows that have to be asked for, in order; none while a question waits for its answer.
    pub(crate) fn missing(&self, wanted: impl Iterator<Item = RowIx>) -> Vec<RowIx> {
        if self.waiting.is_some() {
            return Vec::new();
        }
        let mut rows: Vec<RowIx> = wanted.filter(|row| !self.lines.contains_key(row)).take(MOST_ASKED).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// These rows were asked for.
    pub(crate) fn asked(&mut self, ticket: Ticket, rows: Vec<RowIx>) {
        self.waiting = Some((ticket, rows));
    }

    /// An answer came; `false`: it is none to the question that waits. A row that could not be read is not asked for again.
    pub(crate) fn answered(&mut self, ticket: Ticket, lines: impl Iterator<Item = (RowIx, Arc<[u8]>)>) -> bool {
        let Some((_, rows)) = self.waiting.take_if(|(asked, _)| *asked == ticket) else { return false };
        if self.lines.len() + rows.len() > MOST_KEPT {
            self.lines.clear();
        }
        self.lines.extend(rows.into_iter().map(|row| (row, Arc::default())));
        self.lines.extend(lines);
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
        let wanted = [RowIx(3), RowIx(1), RowIx(3)];
        assert_eq!(texts.missing(wanted.into_iter()), [RowIx(1), RowIx(3)]);
        texts.asked(Ticket(7), vec![RowIx(1), RowIx(3)]);
        assert_eq!(texts.missing(wanted.into_iter()), []);
        assert!(!texts.answered(Ticket(6), std::iter::once(line(1, "late"))), "of another question");
        assert!(texts.answered(Ticket(7), std::iter::once(line(1, "one"))));
        assert_eq!((texts.get(RowIx(1)), texts.get(RowIx(3))), (Some(&b"one"[..]), Some(&b""[..])));
        assert_eq!(texts.missing(wanted.into_iter()), [], "what cannot be read is not asked for again");
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut texts = PageTexts::default();
        for at in 0..2 * MOST_KEPT as u32 {
            texts.asked(Ticket(at), vec![RowIx(at)]);
            assert!(texts.answered(Ticket(at), std::iter::once(line(at, "x"))));
        }
        assert!(texts.lines.len() <= MOST_KEPT);
    }
}
