//! Where each pane stands: plain numbers, so that paging, mouse and drawing agree.
//!
//! `update` works them out after every message; the screen draws into them and decides nothing about size itself.

use super::model::{Pane, Zoom};

/// A rectangle of cells; empty when width or height is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Area {
    /// First column, from 0.
    pub x: u16,
    /// First row, from 0.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Area {
    /// Whether it has no cell.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Whether a cell lies in it.
    #[must_use]
    pub fn holds(self, column: u16, row: u16) -> bool {
        let inside = |at: u16, from: u16, len: u16| at >= from && at - from < len;
        inside(column, self.x, self.width) && inside(row, self.y, self.height)
    }

    /// What is left below its first `rows` rows.
    #[must_use]
    pub fn below(self, rows: u16) -> Area {
        let taken = rows.min(self.height);
        Area { y: self.y + taken, height: self.height - taken, ..self }
    }

    /// Its first `rows` rows.
    #[must_use]
    pub fn top(self, rows: u16) -> Area {
        Area { height: rows.min(self.height), ..self }
    }
}

/// How much fits: which of the drawings of docs/SCREENS.md section 27 applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Size {
    /// Below 20×5: two words.
    TooSmall,
    /// 20 to 39 columns: one pane without a title row.
    Tiny,
    /// 40 to 79 columns: one pane.
    Small,
    /// 80 to 119 columns: all panes, no time column in a narrow timeline.
    #[default]
    Normal,
    /// 120 columns and more.
    Wide,
}

/// Where everything stands. Panes that are not shown are empty areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// Which layout.
    pub size: Size,
    /// Header rows (2, 1 or none).
    pub header: Area,
    /// Verdict rows (1 or 2).
    pub verdict: Area,
    /// Timeline with its title row.
    pub timeline: Area,
    /// Column between timeline and calls; 1 wide, or empty.
    pub divider: Area,
    /// Calls with their title row.
    pub calls: Area,
    /// Detail with its title row.
    pub detail: Area,
    /// Title rows of the panes: 1 each, 0 on tiny screens.
    pub title_rows: u16,
    /// Row above the rows of the timeline that tells how far the reading is; empty while none runs.
    pub progress: Area,
    /// Row below them that tells what came while the view is paused; empty while nothing did.
    pub news: Area,
    /// A page or a list that stands in the place of the panes; with its title and rule rows. Empty while none is open.
    pub page: Area,
    /// Rows above the input line with what may be completed, a rule row first; empty where there is none.
    pub offers: Area,
    /// Input line, where one is open (in the place of the last row).
    pub input: Area,
    /// The last row: where you are, keys, messages.
    pub status: Area,
}

impl Areas {
    /// Rows of the timeline without its title and what stands above and below them.
    #[must_use]
    pub fn timeline_body(&self) -> Area {
        let body = self.timeline.below(self.title_rows + self.progress.height);
        body.top(body.height.saturating_sub(self.news.height))
    }

    /// Rows of the calls pane without its title.
    #[must_use]
    pub fn calls_body(&self) -> Area {
        self.calls.below(self.title_rows)
    }

    /// Rows of the detail pane without its title.
    #[must_use]
    pub fn detail_body(&self) -> Area {
        self.detail.below(self.title_rows)
    }

    /// Rows of the session list without its title row and the names of its columns, which go where rows are dear.
    #[must_use]
    pub fn list_body(&self) -> Area {
        let heading = u16::from(self.size != Size::Tiny && self.page.height >= 8);
        self.page.below(1 + heading)
    }

    /// Rows of a page without its title row and the rule below it.
    #[must_use]
    pub fn page_body(&self) -> Area {
        self.page.below(2)
    }
}

/// The share of a pane in percent, or what the size of the terminal suggests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Share(Option<u8>);

/// The smallest and the largest share.
const LEAST_SHARE: u8 = 20;
const MOST_SHARE: u8 = 80;

impl Share {
    /// A share from 20 to 80; `None` for another.
    #[must_use]
    pub fn percent(percent: i64) -> Option<Share> {
        u8::try_from(percent)
            .ok()
            .filter(|percent| (LEAST_SHARE..=MOST_SHARE).contains(percent))
            .map(|at| Share(Some(at)))
    }

    /// The share of `part` cells of `whole`, moved by some percent.
    #[must_use]
    pub fn of(part: u16, whole: u16, by: i8) -> Share {
        let nearest = (u32::from(part) * 200 / u32::from(whole.max(1))).div_ceil(2);
        let percent = i64::from(nearest) + i64::from(by);
        Share(Some(percent.clamp(i64::from(LEAST_SHARE), i64::from(MOST_SHARE)) as u8))
    }

    /// Its number; `None`: as the size suggests.
    #[must_use]
    pub fn number(self) -> Option<u8> {
        self.0
    }

    /// The cells of `whole`.
    fn cells(self, whole: u16) -> Option<u16> {
        self.0.map(|percent| (u32::from(whole) * u32::from(percent) / 100) as u16)
    }
}

/// Shares of the panes where several are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Shares {
    /// Width of the timeline; the calls have the rest.
    pub timeline: Share,
    /// Height of the detail; what lies above it has the rest.
    pub detail: Share,
}

/// What the layout depends on besides the size of the terminal.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own, and all of them together are the state")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// The verdict has a second row.
    pub(crate) advice: bool,
    /// A reading that runs is told in the timeline.
    pub(crate) progress: bool,
    /// So is what came below a paused view.
    pub(crate) news: bool,
    /// A log is open: the verdict has something to say.
    pub(crate) open: bool,
    pub(crate) focus: Pane,
    pub(crate) zoom: Zoom,
    /// Shares that the user chose.
    pub(crate) shares: Shares,
    /// A page stands in the place of everything but the last row.
    pub(crate) page: bool,
    pub(crate) input: bool,
    /// The family stands in the place of the panes.
    pub(crate) family: bool,
    /// The input line offers completions.
    pub(crate) offers: bool,
}

impl Areas {
    /// The layout of docs/SCREENS.md section 27. Order of loss when rows are few: header, advice, title, last row.
    pub(crate) fn of(wish: &Wish) -> Areas {
        let size = match wish.columns {
            _ if wish.columns < 20 || wish.rows < 5 => Size::TooSmall,
            20..=39 => Size::Tiny,
            40..=79 => Size::Small,
            80..=119 => Size::Normal,
            _ => Size::Wide,
        };
        let whole = Area { x: 0, y: 0, width: wish.columns, height: wish.rows };
        let mut areas = Areas { size, title_rows: u16::from(size != Size::Tiny), ..Areas::default() };
        if size == Size::TooSmall {
            return areas;
        }
        let status = Area { y: wish.rows - 1, height: 1, ..whole };
        (areas.status, areas.input) = if wish.input { (Area::default(), status) } else { (status, Area::default()) };
        let above = whole.top(wish.rows - 1);
        if wish.page {
            areas.page = above;
            return areas;
        }
        let (mut header, mut verdict) = match size {
            Size::Tiny | Size::TooSmall => (0, 2),
            Size::Small if !wish.open => (1, 0),
            Size::Normal | Size::Wide if !wish.open => (2, 0),
            Size::Small => (1, 2),
            Size::Normal | Size::Wide => (2, 1 + u16::from(wish.advice)),
        };
        // Two rows of a pane and its title are the least that is of use.
        let least = 2 + areas.title_rows;
        let room = |header: u16, verdict: u16| above.height.saturating_sub(header + verdict);
        while header > 0 && room(header, verdict) < least {
            header -= 1;
        }
        while verdict > 1 && room(header, verdict) < least {
            verdict -= 1;
        }
        if room(header, verdict) < least {
            areas.title_rows = 0;
        }
        areas.header = above.top(header);
        areas.verdict = above.below(header).top(verdict);
        let body = above.below(header + verdict);
        let offers = if wish.offers { offer_rows(wish.rows) } else { 0 };
        areas.offers = body.below(body.height.saturating_sub(offers));
        let body = body.top(body.height.saturating_sub(offers));
        areas.panes(wish, body);
        areas.edges(wish);
        areas
    }

    /// The rows at the edges of the timeline, where they leave it two of its own.
    fn edges(&mut self, wish: &Wish) {
        let rows = self.timeline.below(self.title_rows);
        if wish.progress && rows.height > 2 {
            self.progress = rows.top(1);
        }
        if wish.news && rows.height - self.progress.height > 2 {
            self.news = rows.below(rows.height - 1);
        }
    }

    fn panes(&mut self, wish: &Wish, body: Area) {
        if wish.family {
            self.timeline = body;
            return;
        }
        let one = matches!(self.size, Size::Tiny | Size::Small) || wish.zoom == Zoom::Whole;
        if one {
            match wish.focus {
                Pane::Header | Pane::Timeline => self.timeline = body,
                Pane::Calls => self.calls = body,
                Pane::Detail => self.detail = body,
            }
            return;
        }
        let detail = detail_rows(wish, body.height);
        let upper = body.top(body.height - detail);
        self.detail = body.below(upper.height);
        let half = wish.zoom == Zoom::Half;
        let left = match (wish.focus, self.size) {
            (Pane::Timeline, _) if half => upper.width * 3 / 4,
            (Pane::Calls, _) if half => upper.width * 2 / 5,
            _ => wish.shares.timeline.cells(upper.width).unwrap_or(match self.size {
                Size::Wide => upper.width * 2 / 3,
                Size::TooSmall | Size::Tiny | Size::Small | Size::Normal => upper.width * 3 / 5,
            }),
        };
        self.timeline = Area { width: left, ..upper };
        self.divider = Area { x: left, width: 1, ..upper };
        self.calls = Area { x: left + 1, width: upper.width - left - 1, ..upper };
    }
}

/// Rows of the completions with their rule and the line that explains them.
fn offer_rows(rows: u16) -> u16 {
    match rows {
        0..=13 => 0,
        14..=29 => 6,
        _ => 10,
    }
}

/// Rows of the detail pane, its title included.
fn detail_rows(wish: &Wish, body: u16) -> u16 {
    let usual = match wish.rows {
        // None until Enter, which zooms.
        0..=15 => 0,
        // The rows that are filtered are what one looks at.
        16..=29 if wish.offers => 0,
        16..=29 => 8,
        // The share at which the whole of a short log stands above it at 45 rows.
        rows => (u32::from(rows) * 22 / 100).max(9) as u16,
    };
    // A terminal with few rows has no room for a share.
    let usual = wish.shares.detail.cells(body).filter(|_| usual > 0).unwrap_or(usual);
    let half = match (wish.zoom, wish.focus) {
        (Zoom::Half, Pane::Detail) => body / 2,
        (Zoom::Half, Pane::Timeline | Pane::Calls) => usual.min(5),
        (Zoom::Normal, Pane::Detail) if usual == 0 => body / 2,
        (Zoom::Normal | Zoom::Half | Zoom::Whole, _) => usual,
    };
    // The panes above keep at least a title and two rows.
    half.min(body.saturating_sub(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(columns: u16, rows: u16) -> Wish {
        Wish {
            columns,
            rows,
            advice: true,
            progress: false,
            news: false,
            open: true,
            focus: Pane::Timeline,
            zoom: Zoom::Normal,
            shares: Shares::default(),
            page: false,
            input: false,
            family: false,
            offers: false,
        }
    }

    #[test]
    fn the_drawn_sizes_come_out_as_drawn() {
        let areas = Areas::of(&wish(80, 24));
        assert_eq!((areas.timeline.width, areas.calls.width), (48, 31));
        assert_eq!((areas.timeline.y, areas.detail.y, areas.detail.height), (4, 15, 8));
        let areas = Areas::of(&wish(140, 45));
        assert_eq!((areas.timeline.width, areas.calls.width), (93, 46));
        let areas = Areas::of(&wish(40, 12));
        assert_eq!((areas.header.height, areas.verdict.height, areas.timeline.height), (1, 2, 8));
        let areas = Areas::of(&wish(20, 5));
        assert_eq!((areas.verdict.height, areas.timeline_body().height, areas.title_rows), (2, 2, 0));
        assert_eq!(Areas::of(&wish(19, 5)).size, Size::TooSmall);
    }

    #[test]
    fn rows_at_the_edges_of_the_timeline_leave_it_two() {
        let edges = |columns, rows| Areas::of(&Wish { progress: true, news: true, ..wish(columns, rows) });
        let areas = edges(100, 30);
        let (body, title) = (areas.timeline_body(), areas.timeline);
        assert_eq!((areas.progress.y, body.y), (title.y + 1, title.y + 2));
        assert_eq!((areas.news.y, body.y + body.height), (title.y + title.height - 1, areas.news.y));
        let areas = edges(20, 5);
        assert_eq!((areas.progress.height, areas.news.height, areas.timeline_body().height), (0, 0, 2));
    }

    #[test]
    fn areas_never_leave_the_screen_nor_cover_each_other() {
        for columns in (0..170).step_by(3) {
            for rows in 0..60 {
                for focus in [Pane::Header, Pane::Timeline, Pane::Calls, Pane::Detail] {
                    for zoom in [Zoom::Normal, Zoom::Half, Zoom::Whole] {
                        let areas = Areas::of(&Wish { focus, zoom, ..wish(columns, rows) });
                        let all = [
                            areas.header,
                            areas.verdict,
                            areas.timeline,
                            areas.divider,
                            areas.calls,
                            areas.detail,
                            areas.status,
                        ];
                        let cells: u32 = all.iter().map(|area| u32::from(area.width) * u32::from(area.height)).sum();
                        assert!(cells <= u32::from(columns) * u32::from(rows), "{columns}x{rows} {areas:?}");
                        for area in all {
                            assert!(area.x + area.width <= columns && area.y + area.height <= rows, "{columns}x{rows}");
                        }
                    }
                }
            }
        }
    }
}
