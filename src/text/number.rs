//! Numbers as the screens write them: counts, sizes, durations, shares.
//!
//! Nothing here is ever cut: a number that does not fit is left out with its unit. A seq, a line, a frame and an
//! offset are typed back by people and therefore written as plain digits, without these functions.

/// One second in milliseconds.
const SECOND: u64 = 1_000;
/// One minute in seconds.
const MINUTE: u64 = 60;
/// One hour in seconds.
const HOUR: u64 = 60 * MINUTE;
/// One day in seconds.
const DAY: u64 = 24 * HOUR;

/// A count with its digits grouped in threes by commas: `5,441`.
#[must_use]
pub fn grouped(number: u64) -> String {
    grouped_by(number, ",")
}

/// A count with its digits grouped in threes by the separator of a language; an empty one groups nothing.
pub(crate) fn grouped_by(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push_str(separator);
        }
        out.push(digit);
    }
    out
}

/// A size: bytes below 1,000 (`803 B`), then KiB, MiB, GiB with one digit (`4.0 KiB`, `20.5 MiB`).
///
/// A unit ends at 999.9; past GiB the number is grouped (`16,384.0 GiB`).
#[must_use]
pub fn size(bytes: u64) -> String {
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let units = [("KiB", 10_u32), ("MiB", 20), ("GiB", 30)];
    for (index, (unit, shift)) in units.into_iter().enumerate() {
        let tenths = ((u128::from(bytes) * 10 + (1 << shift) / 2) >> shift) as u64;
        if tenths < 10_000 || index + 1 == units.len() {
            return format!("{}.{} {unit}", grouped(tenths / 10), tenths % 10);
        }
    }
    String::new()
}

/// A duration in milliseconds, in three figures: `43ms`, `1.59s`, `15.3s`, `1m05s`, `2h03m`, `3d04h`.
///
/// Rounded to the nearest of what is shown; a negative one has a `-` before it.
#[must_use]
pub fn duration(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    format!("{sign}{}", unsigned_duration(ms.unsigned_abs()))
}

fn unsigned_duration(ms: u64) -> String {
    if ms < SECOND {
        return format!("{ms}ms");
    }
    let hundredths = ms.saturating_add(5) / 10;
    if hundredths < 1_000 {
        return format!("{}.{:02}s", hundredths / 100, hundredths % 100);
    }
    let tenths = ms.saturating_add(50) / 100;
    if tenths < 600 {
        return format!("{}.{}s", tenths / 10, tenths % 10);
    }
    let seconds = ms.saturating_add(500) / SECOND;
    if seconds < HOUR {
        return format!("{}m{:02}s", seconds / MINUTE, seconds % MINUTE);
    }
    let minutes = ms.saturating_add(30 * SECOND) / (MINUTE * SECOND);
    if minutes < DAY / MINUTE {
        return format!("{}h{:02}m", minutes / 60, minutes % 60);
    }
    let hours = ms.saturating_add(HOUR * SECOND / 2) / (HOUR * SECOND);
    format!("{}d{:02}h", hours / 24, hours % 24)
}

/// A gap to the record before: `+145ms`; `-1h00m` when the clock stepped back.
#[must_use]
pub fn gap(ms: i64) -> String {
    if ms < 0 { duration(ms) } else { format!("+{}", duration(ms)) }
}

/// Time since the first record: `0:00.519`, from 10 minutes `12:03.4`, from an hour `1:02:03`. Cut, not rounded.
#[must_use]
pub fn from_start(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    let ms = ms.unsigned_abs();
    let (seconds, rest) = (ms / SECOND, ms % SECOND);
    let (minutes, second) = (seconds / MINUTE, seconds % MINUTE);
    if minutes < 10 {
        format!("{sign}{minutes}:{second:02}.{rest:03}")
    } else if minutes < 60 {
        format!("{sign}{minutes}:{second:02}.{}", rest / 100)
    } else {
        format!("{sign}{}:{:02}:{second:02}", minutes / 60, minutes % 60)
    }
}

/// A share with one digit: `94.6%`; `-` of nothing.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let whole = u128::from(whole);
    let tenths = (u128::from(part) * 1_000 + whole / 2) / whole;
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// Things a second, whole: `816`; `None` when no time went by.
#[must_use]
pub fn rate(count: u64, ms: i64) -> Option<String> {
    let ms = u128::try_from(ms).ok().filter(|&ms| ms > 0)?;
    let rate = (u128::from(count) * u128::from(SECOND) + ms / 2) / ms;
    Some(grouped(u64::try_from(rate).unwrap_or(u64::MAX)))
}

/// A range of seqs, lines or frames: `33-86`, or one number when both are the same.
#[must_use]
pub fn range(first: u64, last: u64) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_and_sizes() {
        for (number, expected) in [(0, "0"), (999, "999"), (5_441, "5,441"), (1_303_345, "1,303,345")] {
            assert_eq!(grouped(number), expected);
        }
        let table = [
            (0, "0 B"),
            (803, "803 B"),
            (999, "999 B"),
            (1_000, "1.0 KiB"),
            (4_096, "4.0 KiB"),
            (1_023_897, "999.9 KiB"),
            (1_023_950, "1.0 MiB"),
            (21_495_808, "20.5 MiB"),
            (u64::MAX, "17,179,869,184.0 GiB"),
        ];
        for (bytes, expected) in table {
            assert_eq!(size(bytes), expected);
        }
    }

    #[test]
    fn durations_have_three_figures() {
        let table = [
            (0, "0ms"),
            (43, "43ms"),
            (999, "999ms"),
            (1_000, "1.00s"),
            (1_590, "1.59s"),
            (9_994, "9.99s"),
            (9_995, "10.0s"),
            (15_300, "15.3s"),
            (59_949, "59.9s"),
            (59_950, "1m00s"),
            (65_000, "1m05s"),
            (3_599_600, "1h00m"),
            (7_380_000, "2h03m"),
            (86_400_000, "1d00h"),
            (273_600_000, "3d04h"),
            (-3_600_000, "-1h00m"),
        ];
        for (ms, expected) in table {
            assert_eq!(duration(ms), expected, "{ms}");
        }
        assert_eq!(gap(145), "+145ms");
        assert_eq!(gap(0), "+0ms");
        assert_eq!(gap(-3_600_000), "-1h00m");
    }

    #[test]
    fn time_from_the_start() {
        for (ms, expected) in [(519, "0:00.519"), (723_400, "12:03.4"), (3_723_000, "1:02:03"), (-1_500, "-0:01.500")] {
            assert_eq!(from_start(ms), expected);
        }
    }

    #[test]
    fn shares_and_rates() {
        assert_eq!(percent(946, 1_000), "94.6%");
        assert_eq!(percent(1, 1), "100.0%");
        assert_eq!(percent(0, 0), "-");
        assert_eq!(rate(1_229, 1_507).as_deref(), Some("816"));
        assert_eq!(rate(1, 0), None);
        assert_eq!(range(33, 86), "33-86");
        assert_eq!(range(33, 33), "33");
    }

    proptest! {
        #[test]
        fn no_number_panics(a: i64, b: u64, c: u64) {
            let _ = (duration(a), gap(a), from_start(a), size(b), grouped(b), percent(b, c), rate(b, a));
        }
    }
}
