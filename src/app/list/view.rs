//! Texts of the rows on screen.

use std::path::Path;

use super::stock::{Stock, foreign_id};
use super::{Line, List, Others};
use crate::store::{
    Brief, Generation, Health, NoHeader, OtherFile, OtherKind, Parent, ProjectIx, SessionIx, StoredSession, said,
};
use crate::text::locale::Words;
use crate::text::number::size;
use crate::text::role::{Role, Span};
use crate::text::time::Zone;
use crate::text::width::{columns, prefixed_id};
use crate::triage::pass::said::{shown, shown_or};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Days for which an age is told and not a date.
const RECENT: i64 = 7;

/// Kinds of other files that are counted by name in their heading.
const MOST_KINDS: usize = 4;

/// Names among which the most frequent are looked for: a folder may hold a million files of its own names.
const MOST_NAMES: usize = 64;

/// Columns from which the name of a folder is cut as an id.
const LONG_FOLDER: usize = 26;

/// A row as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowView {
    /// The cursor is on it.
    pub(crate) cursor: bool,
    /// What it says.
    pub(crate) kind: RowKind,
}

/// What a row says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// A session, in columns.
    Session(Box<Cells>),
    /// What is odd about the session above: in two or three words, and in a sentence.
    Oddity {
        /// The words, which may stand in a column of the session.
        badge: String,
        /// The sentence.
        line: String,
    },
    /// A file: its path, and what it is.
    File {
        /// Below the root.
        path: String,
        /// What it is, or why it could not be looked at.
        what: String,
    },
    /// A text, so many columns from the left.
    Text {
        /// Columns before it.
        indent: u16,
        /// The text.
        spans: Vec<Span>,
        /// What stands at the right edge, where there is room.
        right: String,
    },
}

/// The columns of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Cells {
    pub(crate) mark: Option<(char, Role)>,
    /// Last record: date and time, and its age.
    pub(crate) time: [String; 2],
    pub(crate) depth: String,
    /// Levels below a root.
    pub(crate) level: u16,
    /// Folded or open, where there is something below.
    pub(crate) fold: Option<Fold>,
    pub(crate) title: Span,
    pub(crate) state: Span,
    pub(crate) events: String,
    pub(crate) kind: String,
    pub(crate) version: String,
    pub(crate) id: String,
    /// Short name of the project, where rows need it.
    pub(crate) project: String,
    /// What is odd, in two or three words.
    pub(crate) badge: String,
}

/// Whether what is below a session is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    Open,
    Folded,
}

impl List {
    /// The rows on the screen.
    pub(crate) fn rows(&self, words: &Words, zone: &Zone) -> Vec<RowView> {
        let Some(stock) = &self.stock else { return Vec::new() };
        let view = View { list: self, stock, words, zone };
        let rows = self.on_screen().iter().enumerate();
        let cursor = self.current().is_some().then_some(self.state.cursor);
        rows.map(|(at, line)| RowView { cursor: Some(self.state.top + at) == cursor, kind: view.kind(*line) }).collect()
    }

    /// Whether each row says its project.
    pub(crate) fn has_projects(&self) -> bool {
        self.stock.as_ref().is_some_and(|stock| self.sort != super::Sort::Project && stock.projects > 1)
    }
}

struct View<'a> {
    list: &'a List,
    stock: &'a Stock,
    words: &'a Words,
    zone: &'a Zone,
}

impl View<'_> {
    fn kind(&self, line: Line) -> RowKind {
        let store = &self.stock.store;
        match line {
            Line::Session { at, level } => RowKind::Session(Box::new(self.session(at, level))),
            Line::Export => text(1, vec![Span::new(said::root_kind(store.kind, self.words), Role::Warn)]),
            Line::Project(project) => text(1, self.project(project)),
            Line::Generation { at, nth } => {
                let session = store.get(at);
                let log = session.and_then(|session| session.generations.get(nth));
                session.zip(log).map_or(text(0, Vec::new()), |(session, log)| self.generation(at, session, nth, log))
            }
            Line::Oddity { at, nth } => self.oddity(at, nth),
            Line::Problems => {
                let n = self.words.number(store.problems.len() as u64);
                text(1, vec![Span::new(self.words.say("list.problems", &[("n", &n)]), Role::Warn)])
            }
            Line::Problem(nth) => store
                .problems
                .get(nth)
                .map_or(text(0, Vec::new()), |problem| self.file(problem.path(), said::problem(problem, self.words))),
            Line::Others => self.others(),
            Line::Other(nth) => store.other_files.get(nth).map_or(text(0, Vec::new()), |file| self.other(file)),
            Line::Empty(nth) => text(3, vec![self.empty(nth)]),
            Line::Blank => text(0, Vec::new()),
        }
    }

    fn session(&self, at: SessionIx, level: u16) -> Cells {
        let (stock, words) = (self.stock, self.words);
        let Some(session) = stock.store.get(at) else { return Cells::default() };
        let brief = stock.brief(at);
        let health = stock.health(at);
        let kin = stock.census.get(at);
        let has_children = kin.is_some_and(|kin| !kin.children.is_empty());
        let is_folded = self.list.filter.is_empty() && self.list.folded.contains(&at);
        let missing = words.get("missing.column").to_owned();
        let unread = words.get("missing.unread_column").to_owned();
        let depth = stock
            .depth(at)
            .map_or_else(|| if brief.is_some() { missing.clone() } else { unread.clone() }, |depth| depth.to_string());
        let events = match brief.and_then(|brief| brief.whole.as_ref()) {
            Some(whole) => words.number(whole.events),
            None if brief.is_some_and(|brief| brief.content.encoding().is_none()) => missing.clone(),
            None => unread,
        };
        let version = brief.and_then(Brief::version).unwrap_or(session.current().version);
        Cells {
            mark: health.map(|health| (health.glyph(), role(health))),
            time: self.time(stock.time(at), &missing),
            depth,
            level,
            fold: has_children.then_some(if is_folded { Fold::Folded } else { Fold::Open }),
            title: self.title(brief),
            state: self.state(brief, health),
            events,
            kind: if stock.is_fork(at) { words.get("list.fork").to_owned() } else { String::new() },
            version: if stock.is_empty(at) { missing } else { format!("v{version}") },
            id: stock.id(at).to_owned(),
            project: if self.list.has_projects() { self.project_name(session) } else { String::new() },
            badge: kin.and_then(|kin| kin.oddities.first()).map_or("", |odd| said::badge(odd, words)).to_owned(),
        }
    }

    /// Date and time, and the age or the date.
    fn time(&self, time: Option<i64>, missing: &str) -> [String; 2] {
        let Some(time) = time else { return [missing.to_owned(), missing.to_owned()] };
        let now = self.stock.now;
        let year = |ms| self.zone.day(ms).map(|(year, ..)| year);
        let same_year = year(time) == year(now);
        let (date, clock) = (self.zone.date(time), self.zone.short_date_time(time));
        let long = if same_year { clock.clone() } else { date.clone() };
        let short = match now.saturating_sub(time) {
            ..0 => clock.chars().take(5).collect(),
            ms if ms < RECENT * DAY => self.age(ms),
            _ if same_year => clock.chars().take(5).collect(),
            _ => date.chars().take(4).collect(),
        };
        [long, short]
    }

    fn age(&self, ms: i64) -> String {
        let minutes = ms / 60_000;
        let (key, n) = match minutes {
            0 => return self.words.get("list.age_now").to_owned(),
            1..60 => ("list.age_minutes", minutes),
            60..1440 => ("list.age_hours", minutes / 60),
            _ => ("list.age_days", minutes / 1440),
        };
        self.words.say(key, &[("n", &n.to_string())])
    }

    fn title(&self, brief: Option<&Brief>) -> Span {
        match brief {
            Some(brief) if brief.title_or_label().is_some() => Span::plain(said::title(brief, self.words)),
            Some(brief) if !super::stock::is_partial(brief) => Span::new(said::title(brief, self.words), Role::Dim),
            Some(_) | None => Span::new(self.words.get("list.not_read_yet"), Role::Dim),
        }
    }

    fn state(&self, brief: Option<&Brief>, health: Option<Health>) -> Span {
        let text = brief.map(|brief| said::ending(brief, self.words)).unwrap_or_default();
        let alone = brief.and_then(Brief::health).or(health);
        Span::new(
            text,
            alone.map_or(Role::Dim, |health| if health == Health::Fine { Role::Normal } else { role(health) }),
        )
    }

    fn project(&self, project: ProjectIx) -> Vec<Span> {
        let Some(project) = self.stock.store.projects.get(project.at()) else { return Vec::new() };
        let name = shown(&project.name);
        let mut spans = vec![Span::new(name, Role::Strong)];
        let inside = |session: &&StoredSession| {
            self.stock.store.projects.get(session.project.at()).is_some_and(|other| std::ptr::eq(other, project))
        };
        let places = self.stock.store.places().filter(|at| self.stock.store.get(*at).as_ref().is_some_and(inside));
        // Only headers tell the cwd, and a session may lie in a folder that is not its own.
        let mut cwds: Vec<(String, usize)> = Vec::new();
        let mut is_none = false;
        for header in places.filter_map(|at| self.stock.brief(at).and_then(Brief::header)) {
            let Some(cwd) = &header.cwd else {
                is_none = true;
                continue;
            };
            let cwd = shown(cwd);
            match cwds.iter_mut().find(|(known, _)| *known == cwd) {
                Some((_, n)) => *n += 1,
                None => cwds.push((cwd, 1)),
            }
        }
        let text = match cwds.iter().max_by_key(|(_, n)| *n) {
            Some((cwd, _)) => self.words.say("store.cwd", &[("cwd", cwd)]),
            None if is_none => self.words.get("store.no_cwd").to_owned(),
            None => return spans,
        };
        spans.push(Span::new(format!("   {text}"), Role::Dim));
        spans
    }

    /// The last part of the cwd, else of the folder's name.
    fn project_name(&self, session: &StoredSession) -> String {
        let name = shown(&self.stock.store.project_of(session).name);
        let short = name.trim_matches('-');
        if short.is_empty() { name } else { short.to_owned() }
    }

    fn generation(&self, at: SessionIx, session: &StoredSession, nth: usize, log: &Generation) -> RowKind {
        let words = self.words;
        let version = log.version.to_string();
        let counted = match nth {
            0 => self.stock.brief(at).and_then(|brief| brief.whole.as_ref()).map(|whole| Ok(whole.events)),
            _ => self.stock.older.get(&(at, nth)).map(|counted| counted.events.clone()),
        };
        let no_log = self.stock.brief(at).filter(|brief| nth == 0 && matches!(brief.head, Err(NoHeader::NotALog(_))));
        let events = match counted {
            _ if no_log.is_some() => no_log.map_or_else(String::new, |brief| said::title(brief, words)),
            Some(Ok(events)) => words.count("count.events", events),
            Some(Err(why)) => words.say("list.unreadable", &[("why", &crate::triage::pass::said::clean(&why))]),
            None => words.get("list.not_read_yet").to_owned(),
        };
        let (key, role) = match (nth, session.is_current(log)) {
            (0, _) => ("list.current", Role::Normal),
            (_, true) => ("list.other_encoding", Role::Warn),
            (_, false) => ("list.older", Role::Dim),
        };
        let left = words.say("list.generation", &[("version", &version), ("events", &events)]);
        let spans = vec![
            Span::plain(format!("{left}   ")),
            Span::new(words.get(key), role),
            Span::new(format!("   {}", said::name_of(&log.path)), Role::Dim),
        ];
        let right = if nth == 0 { String::new() } else { words.get("list.enter_opens_beside").to_owned() };
        RowKind::Text { indent: 6, spans, right }
    }

    fn oddity(&self, at: SessionIx, nth: usize) -> RowKind {
        let odd = self.stock.census.get(at).and_then(|kin| kin.oddities.get(nth));
        let Some(odd) = odd else { return text(0, Vec::new()) };
        let line = said::oddity(odd, &self.stock.store, at, self.stock.brief(at), self.words);
        RowKind::Oddity { badge: said::badge(odd, self.words).to_owned(), line }
    }

    /// `OTHER FILES 5   named, never opened by themselves`, or how many of each kind where they are not listed.
    fn others(&self) -> RowKind {
        let files = &self.stock.store.other_files;
        let n = self.words.number(files.len() as u64);
        if self.list.others == Others::Listed {
            let spans = vec![
                Span::new(self.words.say("list.others", &[("n", &n)]), Role::Strong),
                Span::new(format!("   {}", self.words.get("list.others_sense")), Role::Dim),
            ];
            return text(1, spans);
        }
        let mut names: Vec<(String, u64)> = Vec::new();
        for file in files {
            let name = match file.kind {
                OtherKind::Unknown => said::name_of(&file.path),
                kind => said::other_kind(kind, self.words).to_owned(),
            };
            let is_full = names.len() >= MOST_NAMES;
            match names.iter_mut().find(|(known, _)| *known == name) {
                Some((_, n)) => *n += 1,
                None if is_full => {}
                None => names.push((name, 1)),
            }
        }
        names.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let told: Vec<String> = names
            .iter()
            .take(MOST_KINDS)
            .map(|(name, n)| self.words.count_with("list.kind_times", *n, &[("name", name)]))
            .collect();
        let told = told.join(", ") + if names.len() > MOST_KINDS { ", ⋯" } else { "" };
        let said = self.words.count_with("list.others_counted", files.len() as u64, &[("kinds", &told)]);
        text(1, vec![Span::new(said, Role::Dim)])
    }

    fn other(&self, file: &OtherFile) -> RowKind {
        let mut what = said::other_kind(file.kind, self.words).to_owned();
        if let Some(bytes) = file.size {
            what = format!("{what}, {}", size(bytes));
        }
        if is_log_by_hand(file.kind) {
            what = self.words.say("list.by_hand", &[("what", &what)]);
        }
        self.file(&file.path, what)
    }

    /// A file by its path below the root; ids in the names of folders are cut.
    fn file(&self, path: &Path, what: String) -> RowKind {
        let path = said::below(&self.stock.store, path);
        let (folders, name) = path.rsplit_once('/').map_or((None, &*path), |(folders, name)| (Some(folders), name));
        let short = |folder: &str| if columns(folder) > LONG_FOLDER { prefixed_id(folder) } else { folder.to_owned() };
        let folders = folders.map(|folders| folders.split('/').map(short).collect::<Vec<_>>().join("/") + "/");
        RowKind::File { path: folders.unwrap_or_default() + name, what }
    }

    fn empty(&self, nth: usize) -> Span {
        let (store, words) = (&self.stock.store, self.words);
        let Some(why) = store.why_empty() else {
            let filter = crate::text::sanitize::display(self.list.filter.as_bytes());
            return Span::new(words.say("list.no_match", &[("filter", &filter)]), Role::Warn);
        };
        match nth {
            0 => Span::new(
                words.say("list.empty", &[("why", &said::why_empty(why, store.other_files.len(), words))]),
                Role::Warn,
            ),
            1 => Span::plain(words.say("list.looked_in", &[("place", &self.list.place)])),
            _ => Span::new(words.get("list.empty_sense"), Role::Dim),
        }
    }
}

/// Whether a file is a log that only opens by hand.
fn is_log_by_hand(kind: OtherKind) -> bool {
    match kind {
        OtherKind::WriterTemporary
        | OtherKind::MigrationTemporary
        | OtherKind::Backup
        | OtherKind::FlatLog
        | OtherKind::StrayLog
        | OtherKind::OddLogName => true,
        OtherKind::Lock
        | OtherKind::Sqlite
        | OtherKind::Zip
        | OtherKind::Attachment
        | OtherKind::Special
        | OtherKind::Unknown => false,
    }
}

fn text(indent: u16, spans: Vec<Span>) -> RowKind {
    RowKind::Text { indent, spans, right: String::new() }
}

/// The role of a state.
pub(super) fn role(health: Health) -> Role {
    match health {
        Health::Unknown => Role::Unknown,
        Health::Bad => Role::Bad,
        Health::Warn => Role::Warn,
        Health::Fine => Role::Ok,
    }
}

/// `child 1d07f7c0⋯acfd of s-0a11c0de⋯0025`.
pub(super) fn name(stock: &Stock, at: SessionIx, words: &Words) -> String {
    let id = stock.id(at);
    let kin = stock.census.get(at);
    let depth = stock.depth(at).unwrap_or(0);
    let key = if depth > 0 { "list.child_of" } else { "list.fork_of" };
    match kin.map(|kin| &kin.parent) {
        Some(Parent::Present(parent) | Parent::Loop(parent)) => {
            words.say(key, &[("id", id), ("parent", stock.id(*parent))])
        }
        Some(Parent::Missing(parent)) => words.say(key, &[("id", id), ("parent", &foreign_id(parent))]),
        Some(Parent::Unknown | Parent::None) | None => id.to_owned(),
    }
}

/// The parent's id where it is not in the store.
pub(crate) fn missing_parent(stock: &Stock, at: SessionIx) -> Option<String> {
    match &stock.census.get(at)?.parent {
        Parent::Missing(id) => Some(shown_or(Some(id), "")),
        Parent::Present(_) | Parent::Unknown | Parent::None | Parent::Loop(_) => None,
    }
}
