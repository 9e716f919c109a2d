//! Everything the screen shows, in one value. Only `update` changes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::area::Areas;
use super::calls::Calls;
use super::detail::Detail;
use super::input::Input;
use super::jumps::Jumps;
use super::message::{Epoch, OddFile, Progress, SummaryKey, Ticket};
use super::overlay::Overlay;
use super::page::Page;
use super::search::Search;
use super::selection::Selection;
use super::stops::Stops;
use super::summaries::Summaries;
use super::timeline::Timeline;
use super::verdict::Verdict;
use crate::text::locale::Words;
use crate::text::role::Role;
use crate::triage::session::Session;

/// The panes, by number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Pane {
    /// 1: the header lines and the verdict; Enter opens the page of the header.
    Header,
    /// 2: the timeline.
    #[default]
    Timeline,
    /// 3: the calls.
    Calls,
    /// 4: the detail.
    Detail,
}

/// How much room the focused pane takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Zoom {
    /// The usual share.
    #[default]
    Normal,
    /// Half of the screen or more.
    Half,
    /// All of it but header, verdict and last line.
    Whole,
}

/// What the time column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeForm {
    /// Gap to the row before.
    #[default]
    Gap,
    /// Time since the first event.
    FromStart,
    /// Clock, local or UTC as the settings say.
    Clock,
}

/// What is given at the start and does not change.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// All words.
    pub words: Arc<Words>,
    /// A mouse is used at the start.
    pub mouse: bool,
    /// Where to go once the log is open: as typed after `:`.
    pub go_to: Option<String>,
}

/// A sentence in the last line, until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The sentence, printable.
    pub text: String,
    /// Its meaning.
    pub role: Role,
}

/// What was typed and waits for more: a count, a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pending {
    /// Digits typed.
    pub count: Option<u32>,
    /// A first key that needs a second: `g z ] [ m '`.
    pub prefix: Option<char>,
}

/// The log that is open, with what is worked out from it once per reading.
#[derive(Debug, Clone)]
pub struct Open {
    /// What was read.
    pub session: Arc<Session>,
    /// Places that jumps stop at, and the other halves of pairs.
    pub stops: Stops,
    /// The verdict.
    pub verdict: Verdict,
}

/// Everything the screen shows.
#[derive(Debug, Clone)]
pub struct Model {
    /// Given at the start.
    pub settings: Settings,
    /// Columns and rows of the terminal; 0 until the first message.
    pub screen: (u16, u16),
    /// Where everything stands.
    pub areas: Areas,
    /// Which reading of the file is shown or awaited.
    pub epoch: Epoch,
    /// The log, once something of it is there.
    pub open: Option<Open>,
    /// The file is no log.
    pub odd: Option<OddFile>,
    /// How far the reader is; `None` when it is through.
    pub progress: Option<Progress>,
    /// Which pane has the keys.
    pub focus: Pane,
    /// How large it is.
    pub zoom: Zoom,
    /// What the time column shows; `None`: what the width suggests.
    pub time_form: Option<TimeForm>,
    /// Which rows are shown.
    pub selection: Selection,
    /// The timeline.
    pub timeline: Timeline,
    /// The calls.
    pub calls: Calls,
    /// The detail.
    pub detail: Detail,
    /// A page in the place of the panes.
    pub page: Option<Page>,
    /// What stands over everything: help, picker, copy menu.
    pub overlay: Option<Overlay>,
    /// The input line that has the keys.
    pub input: Option<Input>,
    /// What was typed in earlier input lines, by kind.
    pub(crate) typed: BTreeMap<super::input::Asked, Vec<String>>,
    /// Count and prefix typed so far.
    pub pending: Pending,
    /// The search in force.
    pub search: Option<Search>,
    /// Jumps and marks.
    pub jumps: Jumps,
    /// A sentence in the last line.
    pub notice: Option<Notice>,
    /// One-line texts of rows that were on screen.
    pub summaries: Summaries,
    /// The mouse is taken.
    pub mouse: bool,
    /// The program is leaving; nothing is drawn any more.
    pub leaving: bool,
    pub(crate) tickets: Ticket,
    pub(crate) asked_for: Vec<SummaryKey>,
}
