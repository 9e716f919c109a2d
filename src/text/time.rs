//! Clock times: milliseconds since 1970 in a time zone, as the screens write them.
//!
//! Knows no clock and asks the system for its zone only in [`Zone::local`], which the command line calls once.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// The time zone in which clock times are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// UTC: reports, tests, `--utc`.
    #[must_use]
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// The zone of this machine (it reads the environment and files; UTC when none can be found).
    #[must_use]
    pub fn local() -> Self {
        Self(TimeZone::system())
    }

    /// Time of the day: `16:27:40.013`.
    ///
    /// This and the others take any number: outside of the years -9999 to 9999 the number itself is shown (`9…9ms`).
    #[must_use]
    pub fn clock(&self, ms: i64) -> String {
        self.civil(ms).map_or_else(
            || bare(ms),
            |at| format!("{:02}:{:02}:{:02}.{:03}", at.hour(), at.minute(), at.second(), at.millisecond()),
        )
    }

    /// Date and time to the second: `2026-11-30 16:27:39`.
    #[must_use]
    pub fn date_time(&self, ms: i64) -> String {
        self.civil(ms).map_or_else(
            || bare(ms),
            |at| format!("{} {:02}:{:02}:{:02}", date(at), at.hour(), at.minute(), at.second()),
        )
    }

    /// Date and time to the millisecond: `2026-11-30 16:25:26.049`.
    #[must_use]
    pub fn date_clock(&self, ms: i64) -> String {
        self.civil(ms).map_or_else(|| bare(ms), |at| format!("{} {}", date(at), self.clock(ms)))
    }

    /// Date and time to the millisecond as ISO 8601 has them, of the zone UTC alone: `2026-11-30T16:25:26.049Z`.
    #[must_use]
    pub fn iso(&self, ms: i64) -> String {
        self.civil(ms).map_or_else(|| bare(ms), |at| format!("{}T{}Z", date(at), self.clock(ms)))
    }

    /// Date without the year, and time to the minute: `11-30 16:27`.
    #[must_use]
    pub fn short_date_time(&self, ms: i64) -> String {
        self.civil(ms).map_or_else(
            || bare(ms),
            |at| format!("{:02}-{:02} {:02}:{:02}", at.month(), at.day(), at.hour(), at.minute()),
        )
    }

    /// The date: `2026-11-30`.
    #[must_use]
    pub fn date(&self, ms: i64) -> String {
        self.civil(ms).map_or_else(|| bare(ms), date)
    }

    /// Year, month and day of a time; `None` where no calendar has it.
    #[must_use]
    pub fn day(&self, ms: i64) -> Option<(i16, i8, i8)> {
        self.civil(ms).map(|at| (at.year(), at.month(), at.day()))
    }

    /// The time at that many milliseconds of a day; where the clock skips or repeats an hour, the first that fits.
    #[must_use]
    pub fn at(&self, (year, month, day): (i16, i8, i8), of_day: i64) -> Option<i64> {
        let date = Date::new(year, month, day).ok()?;
        let time = date.at(0, 0, 0, 0).checked_add(jiff::SignedDuration::from_millis(of_day)).ok()?;
        self.0.to_timestamp(time).ok().map(Timestamp::as_millisecond)
    }

    fn civil(&self, ms: i64) -> Option<DateTime> {
        Timestamp::from_millisecond(ms).ok().map(|at| self.0.to_datetime(at))
    }
}

/// Whether the calendar has this year, month and day.
#[must_use]
pub fn is_date((year, month, day): (i16, i8, i8)) -> bool {
    Date::new(year, month, day).is_ok()
}

fn date(at: DateTime) -> String {
    format!("{:04}-{:02}-{:02}", at.year(), at.month(), at.day())
}

fn bare(ms: i64) -> String {
    format!("{ms}ms")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms_of_a_time() {
        let zone = Zone::utc();
        let ms = 1_790_000_000_500;
        assert_eq!(zone.clock(ms), "14:13:20.500");
        assert_eq!(zone.date_time(ms), "2026-09-21 14:13:20");
        assert_eq!(zone.date_clock(ms), "2026-09-21 14:13:20.500");
        assert_eq!(zone.short_date_time(ms), "09-21 14:13");
        assert_eq!(zone.date(ms), "2026-09-21");
    }

    #[test]
    fn a_day_and_a_time_of_day_lead_back() {
        let ms = 1_790_000_000_500;
        let day = Zone::utc().day(ms).unwrap_or_default();
        assert_eq!(day, (2026, 9, 21));
        assert_eq!(Zone::utc().at(day, ((14 * 60 + 13) * 60 + 20) * 1000 + 500), Some(ms));
        assert!(!is_date((2026, 2, 29)) && Zone::utc().at((2026, 2, 29), 0).is_none());
    }

    #[test]
    fn a_time_that_no_calendar_has_shows_its_number() {
        assert_eq!(Zone::utc().clock(i64::MAX), "9223372036854775807ms");
        assert_eq!(Zone::utc().clock(i64::MIN), "-9223372036854775808ms");
    }

    proptest! {
        #[test]
        fn no_time_panics(ms: i64) {
            let zone = Zone::utc();
            let _ = (zone.clock(ms), zone.date_time(ms), zone.short_date_time(ms));
        }
    }
}
