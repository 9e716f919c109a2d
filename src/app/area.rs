//! Where each pane stands: plain numbers, so that paging, mouse and drawing agree.
//!
//! `update` works them out after every message; the screen draws into them and decides nothing about size itself.

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

/// How much fits: which of the drawings of docs/SCREENS applies.
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
    /// A page or a list that stands in the place of the panes; with its title and rule rows. Empty while none is open.
    pub page: Area,
    /// Input line, where one is open (in the place of the last row).
    pub input: Area,
    /// The last row: where you are, keys, messages.
    pub status: Area,
}

impl Areas {
    /// Rows of the timeline without its title.
    #[must_use]
    pub fn timeline_body(&self) -> Area {
        self.timeline.below(self.title_rows)
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

    /// Rows of a page without its title row and the rule below it.
    #[must_use]
    pub fn page_body(&self) -> Area {
        self.page.below(2)
    }
}
