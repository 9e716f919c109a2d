//! Columns of the session list for a width: which there are, and where.
//!
//! When there is less room the badge goes first, then the id, kind and version, the project, the events; mark, time,
//! depth, title and state stay. On tiny screens the mark tells the state.

use crate::app::list::Widest;

/// Columns of a date with its time.
const DATE_TIME: usize = 11;

/// Columns of an age, or of a short date.
const AGE: usize = 5;

/// Columns of a number of events.
const EVENTS: usize = 9;

/// Columns of the name of a project.
const PROJECT: usize = 18;

/// Columns of the kind and of the version.
const KIND: usize = 4;
const VERSION: usize = 3;

/// Columns that title and state have at least before other columns come.
const LEAST_TITLE: usize = 20;
const LEAST_STATE: usize = 27;

/// Columns of a screen below which time is told as an age.
const LEAST_FOR_DATES: u16 = 80;

/// Columns below which only mark and title are shown.
const LEAST_FOR_STATE: u16 = 40;

/// Where the columns of a row stand; a width of 0: not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Columns {
    pub(super) time_at: usize,
    pub(super) time: usize,
    pub(super) short_time: bool,
    pub(super) depth_at: usize,
    pub(super) depth: usize,
    pub(super) title_at: usize,
    pub(super) title: usize,
    pub(super) state_at: usize,
    pub(super) state: usize,
    pub(super) events_at: usize,
    pub(super) events: usize,
    pub(super) project_at: usize,
    pub(super) project: usize,
    pub(super) kind_at: usize,
    pub(super) kind: usize,
    pub(super) version_at: usize,
    pub(super) version: usize,
    pub(super) id_at: usize,
    pub(super) id: usize,
    pub(super) badge_at: usize,
    pub(super) badge: usize,
}

impl Columns {
    /// The columns of a width for what rows have to say.
    pub(super) fn of(width: u16, widest: Widest) -> Columns {
        let has_projects = widest.has_projects;
        let room = usize::from(width);
        if width < LEAST_FOR_STATE {
            return Columns { title_at: 3, title: room.saturating_sub(3), ..Columns::default() };
        }
        let short_time = width < LEAST_FOR_DATES;
        let time = if short_time { AGE } else { DATE_TIME };
        let mut columns = Columns { time_at: 3, time, short_time, depth: 1, ..Columns::default() };
        columns.depth_at = 3 + time + if short_time { 1 } else { 2 };
        columns.title_at = columns.depth_at + 2;
        // One blank between title and state, one at the right edge.
        let mut left = room.saturating_sub(columns.title_at + 2);
        let least = LEAST_TITLE + LEAST_STATE;
        let mut take = |wanted: usize, gap: usize| {
            let fits = left >= least + wanted + gap;
            if fits {
                left -= wanted + gap;
            }
            if fits { wanted } else { 0 }
        };
        columns.events = take(EVENTS, 0);
        columns.project = if has_projects && columns.events > 0 { take(PROJECT, 2) } else { 0 };
        let has_project = columns.project > 0 || !has_projects;
        columns.version = if columns.events > 0 && has_project {
            take(VERSION + if widest.has_forks { KIND + 1 } else { 0 }, 2)
        } else {
            0
        };
        if columns.version > 0 {
            columns.version = VERSION;
            columns.kind = if widest.has_forks { KIND } else { 0 };
            columns.id = take(widest.id, 2);
        }
        columns.badge = if columns.id > 0 && widest.badge > 0 { take(widest.badge, 2) } else { 0 };
        // Title and state share what is left; the state has words that are not to be cut.
        columns.state = if left < least { (left * 3 / 5).max(left.min(16)) } else { LEAST_STATE + (left - least) / 2 };
        columns.title = left - columns.state;
        columns.place();
        columns
    }

    /// Puts the columns one after the other.
    fn place(&mut self) {
        let mut at = self.title_at + self.title + 1;
        let mut put = |place: &mut usize, width: usize, gap: usize| {
            if width > 0 {
                *place = at + gap;
                at += gap + width;
            }
        };
        put(&mut self.state_at, self.state, 0);
        put(&mut self.events_at, self.events, 0);
        put(&mut self.project_at, self.project, 2);
        put(&mut self.kind_at, self.kind, 2);
        put(&mut self.version_at, self.version, if self.kind > 0 { 1 } else { 2 });
        put(&mut self.id_at, self.id, 2);
        put(&mut self.badge_at, self.badge, 2);
    }

    #[cfg(test)]
    fn end(&self) -> usize {
        [
            (self.title_at, self.title),
            (self.state_at, self.state),
            (self.events_at, self.events),
            (self.project_at, self.project),
            (self.kind_at, self.kind),
            (self.version_at, self.version),
            (self.id_at, self.id),
            (self.badge_at, self.badge),
        ]
        .into_iter()
        .map(|(at, width)| at + width)
        .max()
        .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the columns that may go are there.
    fn shown(width: u16, has_projects: bool) -> Vec<&'static str> {
        let columns = Columns::of(width, Widest { id: 15, badge: 19, has_projects, has_forks: true });
        let all = [
            ("state", columns.state),
            ("events", columns.events),
            ("project", columns.project),
            ("version", columns.version),
            ("id", columns.id),
            ("badge", columns.badge),
        ];
        all.into_iter().filter(|(_, width)| *width > 0).map(|(name, _)| name).collect()
    }

    #[test]
    fn columns_go_in_their_order() {
        assert_eq!(shown(140, false), ["state", "events", "version", "id", "badge"]);
        assert_eq!(shown(110, false), ["state", "events", "version", "id"]);
        assert_eq!(shown(90, false), ["state", "events", "version"]);
        assert_eq!(shown(80, false), ["state", "events"]);
        assert_eq!(shown(140, true), ["state", "events", "project", "version", "id"]);
        assert_eq!(shown(100, true), ["state", "events", "project"]);
        assert_eq!(shown(40, true), ["state"]);
        assert_eq!(shown(20, false), [""; 0]);
    }

    #[test]
    fn no_width_breaks_the_columns() {
        for width in 0..400 {
            for has_projects in [false, true] {
                for id in [0, 15, 44] {
                    let columns = Columns::of(width, Widest { id, badge: id, has_projects, has_forks: id > 0 });
                    assert!(columns.end() <= usize::from(width).max(3), "{width} {has_projects} {id} {columns:?}");
                    if width >= LEAST_FOR_STATE {
                        assert!(columns.title >= 9 && columns.state >= 15, "{width} {columns:?}");
                    }
                }
            }
        }
    }
}
