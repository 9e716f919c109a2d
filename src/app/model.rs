//! Everything the screen shows, in one value. Only `update` changes it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::action::Stop;
use super::area::{Areas, Shares};
use super::calls::{self, CallRow, Calls, Tree};
use super::detail::Detail;
use super::family::Family;
use super::filtering::Filtering;
use super::follow::{Follow, Following};
use super::input::Input;
use super::jumps::{Identity, Jumps};
use super::keymap::{Context, Keymap};
use super::list::{Below, List};
use super::map::{MapCell, Marks};
use super::memory::Memory;
use super::message::{Epoch, OddFile, Progress, SummaryKey, Ticket};
use super::overlay::Overlay;
use super::page::{Order, Page, PageTexts, Part, Switches};
use super::rules::{Rule, rules};
use super::search::{Needle, Search, Way};
use super::selection::{Chosen, Depths, Selection, View};
use super::sieve::Sieve;
use super::stops::Stops;
use super::summaries::Summaries;
use super::theming::{BuiltIn, ThemeId, ThemeNames, Themed};
use super::timeline::place::event_of;
use super::timeline::window::Scene;
use super::timeline::{Item, RowView, Timeline};
use super::verdict::Verdict;
use crate::query::Query;
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::role::Role;
use crate::text::time::Zone;
use crate::triage::pages::Scope;
use crate::triage::pass::citation::Cited;
use crate::triage::session::{Extent, Session};
use crate::triage::what::CallRows;

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

/// What the mouse holds while its button is down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grip {
    /// The column between timeline and calls.
    Divider,
    /// The title row of the detail.
    DetailTitle,
    /// The map at the edge of the timeline.
    Map,
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
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Debug, Clone)]
pub struct Settings {
    /// All words.
    pub words: Arc<Words>,
    /// The keys in force.
    pub keymap: Arc<Keymap>,
    /// The zone of clock times.
    pub zone: Zone,
    /// The screen has colours: what they tell needs no signs.
    pub colours: bool,
    /// A mouse is used at the start.
    pub mouse: bool,
    /// Where to go once the log is open: as typed after `:`.
    pub go_to: Option<String>,
    /// The log is a file, which may grow; standard input is read to its end.
    pub can_follow: bool,
    /// It lies in a store or an export, or may do so: relatives of it can be looked for.
    pub finds_kin: bool,
    /// It is followed from the start.
    pub follow: bool,
    /// The filter to begin with, as typed: it was read already.
    pub filter: Option<String>,
    /// The theme to begin with, and whether the background of the terminal may change it.
    pub themed: Themed,
    /// The themes that can be chosen.
    pub themes: ThemeNames,
    /// Shares of the panes to begin with.
    pub shares: Shares,
    /// What the time column shows at first; `None`: what the width suggests.
    pub time_form: Option<TimeForm>,
    /// Long lines of the detail wrap at first.
    pub wrap: bool,
    /// Levels that the timeline is unfolded at first: 0 to 2.
    pub unfold: u8,
    /// Programs that get texts.
    pub programs: Programs,
    /// How logs were left; `None`: nothing is remembered.
    pub memory: Option<Memory>,
    /// The folder that relative paths start from.
    pub folder: PathBuf,
}

/// Programs that get texts, each with its arguments; `None`: that of the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Programs {
    /// The editor.
    pub editor: Option<Vec<String>>,
    /// The pager.
    pub pager: Option<Vec<String>>,
}

impl Default for Settings {
    /// English, UTC, without colours, with a mouse.
    fn default() -> Settings {
        Settings {
            words: Arc::default(),
            keymap: Arc::default(),
            zone: Zone::utc(),
            colours: false,
            mouse: true,
            go_to: None,
            can_follow: true,
            finds_kin: true,
            follow: false,
            filter: None,
            themed: Themed::default(),
            themes: ThemeNames::default(),
            shares: Shares::default(),
            time_form: None,
            wrap: true,
            unfold: 0,
            programs: Programs::default(),
            memory: None,
            folder: PathBuf::new(),
        }
    }
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
    pub count: Option<u64>,
    /// A first key that needs a second: `g z ] [ m '`.
    pub prefix: Option<char>,
}

/// What waits until the part of the log that it needs was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wait {
    /// The first row.
    First,
    /// The last unpaired call.
    Unpaired,
    /// A seq.
    Seq(i64),
    /// A place, as typed after `:`.
    Place(String),
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
    /// It was judged as the log of a file that grows.
    pub(crate) is_growing: bool,
    pub(crate) rules: Vec<Rule>,
    pub(crate) marks: Marks,
    pub(crate) tree: Tree,
    pub(crate) links: CallRows,
}

impl Open {
    /// Works out what follows from a reading.
    /// `growing`: milliseconds since the file last grew, while it counts as growing.
    pub(crate) fn of(session: Arc<Session>, words: &Words, growing: Option<u64>) -> Open {
        let rules = rules(&session, words, growing.is_some());
        Open {
            stops: Stops::of(&session, &rules),
            verdict: Verdict::of(&session, words, growing),
            marks: Marks::of(&session),
            // Of a format that is not known nothing is judged.
            tree: if session.facts.format.known { Tree::of(&session.facts) } else { Tree::default() },
            links: CallRows::new(&session.facts),
            is_growing: growing.is_some(),
            rules,
            session,
        }
    }

    /// Judges it again: the file grows, or does not, or has been quiet for longer.
    pub(crate) fn judge(&mut self, words: &Words, growing: Option<u64>) {
        self.verdict = Verdict::of(&self.session, words, growing);
    }
}

/// Everything the screen shows.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own, none excludes another")]
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
    /// Relatives of the log that was opened.
    pub family: Family,
    /// The file is no log.
    pub odd: Option<OddFile>,
    /// How far the reader is, once that was told; `None` when it is through.
    pub progress: Option<Progress>,
    /// Which reading `open` is of; an earlier one than [`Model::epoch`] while the next is awaited.
    pub(crate) shown: Epoch,
    /// The log is being read.
    pub reading: bool,
    /// Following a file that grows.
    pub follow: Follow,
    /// Which pane has the keys.
    pub focus: Pane,
    /// How large it is.
    pub zoom: Zoom,
    /// Shares of the panes that the user chose.
    pub shares: Shares,
    /// The theme in force.
    pub themed: Themed,
    /// How logs were left; `None`: nothing is remembered.
    pub(crate) memory: Option<Memory>,
    /// Where the cursor stood when the log was opened.
    pub(crate) started: Option<Identity>,
    /// No key was pressed since the log was opened: it may be put back to how it was left.
    pub(crate) untouched: bool,
    /// What the mouse holds.
    pub(crate) grip: Option<Grip>,
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
    /// The sessions of the store, shown or waiting below a log that was opened from it.
    pub list: Option<List>,
    /// The log that is open was opened from the list: leaving it leads back there.
    pub(crate) is_from_list: bool,
    /// What stands over everything: help, picker, copy menu.
    pub overlay: Option<Overlay>,
    /// The input line that has the keys.
    pub input: Option<Input>,
    /// What the filter line shows while it has the keys.
    pub filtering: Option<Filtering>,
    /// The query of the filter at work on the open log.
    pub sieve: Option<Sieve>,
    /// Texts are being looked at for it.
    pub(crate) is_sifting: bool,
    /// What was typed in earlier input lines, by kind.
    pub(crate) typed: BTreeMap<super::input::Asked, Vec<String>>,
    /// Count and prefix typed so far.
    pub pending: Pending,
    /// The search in force.
    pub search: Option<Search>,
    /// What was searched before the search line was opened.
    pub(crate) searched: Option<Arc<Needle>>,
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
    /// The last jump to a kind of thing, for `;` and `,`.
    pub(crate) last_stop: Option<(Stop, Way)>,
    /// What the bug report is about, and what is added to it.
    pub(crate) bug_about: Option<Cited>,
    pub(crate) bug: Switches,
    /// Which part of the page is shown.
    pub(crate) page_part: Part,
    /// The order of the rows of the page.
    pub(crate) page_order: Order,
    /// What narrows the rows of the page.
    pub(crate) page_query: Option<Arc<Query>>,
    /// Stored text that the page quotes from.
    pub(crate) page_texts: PageTexts,
    /// Of what the page of time tells.
    pub(crate) time_scope: Scope,
    /// Columns and rows of the screen that the page was made for.
    pub(crate) page_screen: (u16, u16),
    /// Whose keys stand first in the help.
    pub(crate) help_of: Context,
    /// The last ticket given out.
    pub(crate) tickets: Ticket,
    /// Answers to tickets up to this one are about another reading.
    pub(crate) stale: Ticket,
    /// Texts asked for and not answered.
    pub(crate) asked_for: Vec<SummaryKey>,
    /// What the detail shows, to see that it has to change.
    pub(crate) about: Option<Item>,
    /// The question for what a record cites, and the record.
    pub(crate) citing: Option<(Ticket, RowIx)>,
    /// What waits for the index.
    pub(crate) wait: Option<Wait>,
}

impl Model {
    /// An empty model: nothing is read yet.
    #[must_use]
    pub fn new(settings: Settings) -> Model {
        let filter = settings.filter.as_deref().and_then(|text| Query::parse(text).ok());
        let query = filter.filter(|query| query.root().is_some()).map(Arc::new);
        let selection = Selection::of(Chosen { query, ..Chosen::default() });
        let state = if settings.follow && settings.can_follow { Following::AtEnd } else { Following::Off };
        let warning = settings.themes.warning(settings.themed.now).filter(|_| settings.colours);
        let notice = warning.map(|text| Notice { text: text.to_owned(), role: Role::Warn });
        Model {
            mouse: settings.mouse,
            shares: settings.shares,
            themed: settings.themed,
            memory: settings.memory.clone(),
            started: None,
            untouched: true,
            time_form: settings.time_form,
            timeline: Timeline::unfolded(settings.unfold),
            detail: Detail { unwrapped: !settings.wrap, ..Detail::default() },
            settings,
            screen: (0, 0),
            areas: Areas::default(),
            epoch: Epoch::default(),
            open: None,
            family: Family::default(),
            odd: None,
            progress: None,
            shown: Epoch::default(),
            reading: true,
            follow: Follow { state, ..Follow::default() },
            focus: Pane::default(),
            zoom: Zoom::default(),
            grip: None,
            selection,
            calls: Calls::default(),
            page: None,
            list: None,
            is_from_list: false,
            overlay: None,
            input: None,
            filtering: None,
            sieve: None,
            is_sifting: false,
            typed: BTreeMap::new(),
            pending: Pending::default(),
            search: None,
            searched: None,
            jumps: Jumps::default(),
            notice,
            summaries: Summaries::default(),
            leaving: false,
            last_stop: None,
            bug_about: None,
            bug: Switches::default(),
            page_part: Part::default(),
            page_order: Order::default(),
            page_query: None,
            page_texts: PageTexts::default(),
            time_scope: Scope::default(),
            page_screen: (0, 0),
            help_of: Context::Main,
            tickets: Ticket::default(),
            stale: Ticket::default(),
            asked_for: Vec::new(),
            about: None,
            citing: None,
            wait: None,
        }
    }

    /// A model that begins with the sessions of a store: no log is read yet. `place` is printable.
    #[must_use]
    pub fn of_store(settings: Settings, place: String) -> Model {
        let mut model = Model { reading: false, ..Model::new(settings) };
        let ticket = model.ticket();
        model.list = Some(List::looking(ticket, Below::Nothing, place));
        model
    }

    /// The list that is on the screen.
    #[must_use]
    pub fn shown_list(&self) -> Option<&List> {
        self.list.as_ref().filter(|list| list.is_shown)
    }

    /// The rows of the timeline that are on screen, at most as many as the pane is high.
    #[must_use]
    pub fn timeline_rows(&self) -> Vec<RowView> {
        self.open.as_ref().map(|open| self.timeline.window(&self.scene(open))).unwrap_or_default()
    }

    /// The cells of the map, one for each row of the pane.
    #[must_use]
    pub fn map_cells(&self) -> Vec<MapCell> {
        let rows = if self.open.is_some() { usize::from(self.timeline.height) } else { 0 };
        (0..rows).map(|row| self.timeline.map_cell(row)).collect()
    }

    /// The rows of the calls pane that are on screen.
    #[must_use]
    pub fn call_rows(&self) -> Vec<CallRow> {
        let Some(open) = &self.open else { return Vec::new() };
        let rows = self.calls.on_screen().iter().enumerate().map(|(at, visible)| CallRow {
            cursor: self.calls.top() + at == self.calls.cursor(),
            ..calls::row(*visible, open, self.words(), self.follow.growing().is_some(), self.head_of_node(visible.node))
        });
        rows.collect()
    }

    /// Words at the right of the timeline's title, long and short.
    #[must_use]
    pub fn timeline_title(&self) -> [String; 2] {
        let words = self.words();
        let number = |n: u64| words.number(n);
        let (rows, events) = (self.timeline.rows(), self.events());
        let filtered = || {
            let (shown, all) = (number(events.shown), number(events.all));
            let hidden = number(events.all.saturating_sub(events.shown));
            let values = [("shown", &*shown), ("all", &*all), ("hidden", &*hidden)];
            [words.say("pane.rows_filtered", &values), words.say("pane.rows_of", &values)]
        };
        if let Some(view) = &self.family.view {
            let is_narrowed = self.selection != Selection::All || view.depths != Depths::Any;
            let notes = ["family.title_note", "family.title_short"].map(|key| words.get(key).to_owned());
            return if is_narrowed { filtered() } else { notes };
        }
        let Some(open) = &self.open else { return Default::default() };
        if open.session.extent == Extent::Tail {
            let short = words.count("count.rows", rows.shown);
            let key = if self.reading { "pane.end_first" } else { "pane.end_only" };
            return [words.get(key).to_owned(), short];
        }
        if let (Following::Paused, Some(seq)) = (self.follow.state, self.current_seq()) {
            return [words.say("pane.paused_at", &[("seq", &seq.to_string())]), String::new()];
        }
        if !open.session.facts.format.known && self.selection == Selection::All {
            return [words.get("pane.raw_lines").to_owned(), String::new()];
        }
        let shown = [("shown", &*number(rows.shown)), ("all", &*number(rows.all))];
        let Selection::Some(chosen) = &self.selection else {
            return [words.say("pane.rows_all", &shown), words.count("count.rows", rows.shown)];
        };
        if chosen.hidden_types.is_empty() && chosen.depths == Depths::Any && chosen.query.is_none() {
            let key = if chosen.view == View::Chat { "pane.rows_chat" } else { "pane.rows_hidden" };
            return [words.say(key, &shown), words.say("pane.rows_of", &shown)];
        }
        filtered()
    }

    /// Words at the right of the calls pane's title, long and short.
    #[must_use]
    pub fn calls_title(&self) -> [String; 2] {
        self.calls.title.clone()
    }

    /// Seq of the row with the cursor; `None` where it has none.
    fn current_seq(&self) -> Option<i64> {
        let row = self.current_event()?.row;
        self.open.as_ref()?.session.index.rows.get(row)?.seq().map(|seq| seq.0)
    }

    /// The event with the cursor: of a run its first, of a rule or ghost none.
    #[must_use]
    pub fn current_event(&self) -> Option<EventRef> {
        self.timeline.current().and_then(event_of)
    }

    /// Whether colours tell what signs would have to tell without them.
    #[must_use]
    pub fn has_colours(&self) -> bool {
        self.settings.colours && self.themed.now != ThemeId::BuiltIn(BuiltIn::Mono)
    }

    pub(crate) fn words(&self) -> &Words {
        &self.settings.words
    }

    pub(crate) fn scene<'a>(&'a self, open: &'a Open) -> Scene<'a> {
        Scene {
            session: &open.session,
            rules: &open.rules,
            summaries: &self.summaries,
            search: self.search.as_ref(),
            width: self.areas.timeline.width,
        }
    }

    /// The next ticket.
    pub(crate) fn ticket(&mut self) -> Ticket {
        self.tickets = Ticket(self.tickets.0.wrapping_add(1));
        self.tickets
    }

    /// Says something in the last line.
    pub(crate) fn say(&mut self, role: Role, key: &str, values: &[(&str, &str)]) {
        let text = self.words().say(key, values);
        self.notice = Some(Notice { text, role });
    }
}
