//! Columns of the timeline for a width: which there are, and where.

use crate::app::model::TimeForm;

/// Columns of a pane below which there is no time column unless it is asked for.
const LEAST_FOR_TIME: u16 = 56;

/// Columns below which cursor, origin and surface share less room and the map goes.
const LEAST_FOR_MAP: u16 = 48;

/// Columns below which the type is not padded and the state stands at the end of the row.
const LEAST_FOR_TABLE: u16 = 40;

/// Columns from which long types are shown in full.
const WIDE: u16 = 90;

/// Columns that `what` keeps before the second seq of a range goes.
const LEAST_WHAT: usize = 14;

/// Digits of a seq shown at most; a longer one (no log has it) is cut.
const MOST_DIGITS: usize = 16;

/// What the seqs of a log need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seqs {
    /// Digits of the longest one.
    pub(crate) digits: usize,
    /// Some of them come more than once.
    pub(crate) repeated: bool,
}

/// Where the columns of a row stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    /// Columns without the map.
    pub(crate) text_width: u16,
    /// The last column is the map.
    pub(crate) map: bool,
    /// The surface bar has a column of its own; else it shares one with the origin, on tiny screens with the cursor too.
    pub(crate) bar: bool,
    /// Columns between time and type for what else is told of a row.
    pub(crate) extra: usize,
    /// First column of the seqs.
    pub(crate) seq_at: usize,
    /// Columns of the first seq.
    pub(crate) digits: usize,
    /// Columns of the second one with its hyphen; 0: not shown.
    pub(crate) range: usize,
    /// Columns of the time; 0: not shown.
    pub(crate) time: usize,
    /// What the time column shows.
    pub(crate) form: TimeForm,
    /// Columns of the type.
    pub(crate) type_width: usize,
    /// The state stands in the last column, and `what` follows the type at once.
    pub(crate) mark_last: bool,
}

impl Columns {
    /// The columns of a pane of some width; `asked` is the form of the time column that the user chose, if any.
    pub(crate) fn of(width: u16, seqs: Seqs, asked: Option<TimeForm>) -> Columns {
        let map = width >= LEAST_FOR_MAP;
        let bar = width >= LEAST_FOR_MAP;
        let mark_last = width < LEAST_FOR_TABLE;
        let digits = seqs.digits.clamp(1, MOST_DIGITS);
        let form = asked.unwrap_or_default();
        let time = match form {
            _ if mark_last || (asked.is_none() && width < LEAST_FOR_TIME) => 0,
            TimeForm::Gap => 8,
            TimeForm::FromStart => 10,
            TimeForm::Clock => 13,
        };
        let type_width = match width {
            _ if mark_last => usize::from(width / 2),
            _ if width >= WIDE => 20,
            _ => 17,
        };
        let mut columns = Columns {
            text_width: width - u16::from(map),
            map,
            bar,
            extra: 0,
            seq_at: if mark_last { 1 } else { 2 + usize::from(bar) },
            digits,
            // A seq that comes again has its number behind it (`6/2`): without that, two rows look the same.
            range: if seqs.repeated { 2 } else { 0 },
            time,
            form,
            type_width,
            mark_last,
        };
        let left = usize::from(columns.text_width).saturating_sub(columns.what_at(type_width));
        // The time goes before the second seq: what has no room for the one has none for the other.
        if time > 0 && left > LEAST_WHAT + digits {
            columns.range = (digits + 1).max(columns.range);
        }
        columns
    }

    /// Takes columns for what else is told of a row; where `what` gets too narrow, the time goes.
    pub(crate) fn make_room(&mut self, extra: usize) {
        self.extra = extra;
        let left =
            |columns: &Columns| usize::from(columns.text_width).saturating_sub(columns.what_at(columns.type_width));
        if left(self) < LEAST_WHAT {
            self.range = 0;
        }
        if left(self) < LEAST_WHAT {
            self.time = 0;
        }
    }

    /// First column of the time.
    pub(crate) fn time_at(&self) -> usize {
        self.seq_at + self.digits + self.range
    }

    /// First column of the type.
    pub(crate) fn type_at(&self) -> usize {
        self.time_at() + self.time + 1 + self.extra
    }

    /// The column of the state.
    pub(crate) fn mark_at(&self) -> usize {
        self.type_at() + self.type_width + 1
    }

    /// First column of `what`, for a type of some columns.
    pub(crate) fn what_at(&self, type_columns: usize) -> usize {
        if self.mark_last { self.type_at() + type_columns.min(self.type_width) + 1 } else { self.mark_at() + 2 }
    }

    /// Columns that `what` can have at most.
    #[cfg(test)]
    fn what_width(&self) -> usize {
        usize::from(self.text_width).saturating_sub(self.what_at(self.type_width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(digits: usize) -> Seqs {
        Seqs { digits, repeated: false }
    }

    #[test]
    fn the_drawn_widths_have_the_drawn_columns() {
        // Pane width, digits: time at, type at, state at.
        let drawn =
            [(93, 2, Some(8), 17, 38), (78, 4, Some(12), 21, 39), (88, 3, Some(10), 19, 37), (100, 1, Some(6), 15, 36)];
        for (width, digits, time, type_at, mark) in drawn {
            let columns = Columns::of(width, once(digits), None);
            assert_eq!((columns.time > 0).then(|| columns.time_at()), time, "{width}");
            assert_eq!((columns.type_at(), columns.mark_at()), (type_at, mark), "{width}");
        }
        let narrow = Columns::of(48, once(2), None);
        assert_eq!((narrow.time, narrow.range, narrow.type_at(), narrow.mark_at()), (0, 0, 6, 24));
        let single = Columns::of(40, once(2), None);
        assert_eq!((single.seq_at, single.type_at(), single.mark_at(), single.map), (2, 5, 23, false));
    }

    #[test]
    fn the_time_column_comes_back_when_asked_for() {
        assert_eq!(Columns::of(48, once(2), Some(TimeForm::Gap)).time, 8);
        assert_eq!(Columns::of(20, once(2), Some(TimeForm::Gap)).time, 0);
    }

    #[test]
    fn no_width_breaks_the_columns() {
        for width in 0..250 {
            for digits in [0, 1, 5, 19] {
                for form in [None, Some(TimeForm::Gap), Some(TimeForm::FromStart), Some(TimeForm::Clock)] {
                    let columns = Columns::of(width, Seqs { digits, repeated: digits == 5 }, form);
                    assert!(columns.what_width() <= usize::from(width));
                    assert!(columns.text_width <= width);
                }
            }
        }
    }
}
