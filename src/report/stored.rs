//! The machine-readable report of a store (docs/REPORT.md, "A store").

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::json::{Program, SCHEMA, call_state, loader_result, stop_cause};
use super::strict;
use crate::store::{
    Brief, Counted, Descent, Generation, Health, Kin, NoHeader, Oddity, OpenCall, OtherFile, OtherKind, Parent,
    Problem, RootKind, SessionIx, StoreLoader, StoredSession, Survey, folder_matches, said,
};
use crate::text::locale::Words;
use crate::text::sanitize;
use crate::text::wire::{WireText, report_string};

/// The role of a file of the highest generation.
const CURRENT: &str = "current";

/// Most columns of a reason.
const MOST_COLUMNS: usize = 1_000;

/// Writes the report of a store as one JSON object in one line, with a line end.
pub fn write(survey: &Survey, out: &mut dyn Write) -> io::Result<()> {
    let store = &survey.store;
    let report = StoreReport {
        schema: SCHEMA,
        program: Program,
        root: path_text(&store.root),
        kind: root_kind(store.kind),
        sessions: store.places().map(|at| SessionEntry::of(survey, at)).collect(),
        other_files: store.count_of_other_files(),
        attachments: store.other_files.iter().filter_map(Attached::of).collect(),
        mixed_encodings: store.mixes_encodings(),
        not_looked_at: store.problems.iter().map(Unseen::of).collect(),
        lineages: survey.lineages().iter().map(|lineage| LineageEntry::of(survey, lineage)).collect(),
    };
    strict::to_writer(&mut *out, &report)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct StoreReport {
    schema: u32,
    program: Program,
    root: String,
    kind: &'static str,
    sessions: Vec<SessionEntry>,
    other_files: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<Attached>,
    mixed_encodings: bool,
    not_looked_at: Vec<Unseen>,
    lineages: Vec<LineageEntry>,
}

/// One session of a store.
#[derive(Serialize)]
struct SessionEntry {
    folder: Option<String>,
    folder_matches: Option<bool>,
    id: Option<String>,
    cwd: Option<String>,
    path: String,
    version: Option<i64>,
    generations: Vec<GenerationEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ambiguous: Option<&'static str>,
    parent: Option<String>,
    parent_present: Option<bool>,
    children: Vec<String>,
    depth: Option<i64>,
    origin: Option<String>,
    events: Option<u64>,
    last_unpaired: Option<String>,
    state: Option<&'static str>,
    stopped: Option<String>,
    health: Option<&'static str>,
    loader: LoaderEntry,
    oddities: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flaw: Option<String>,
    title: Option<String>,
    label: Option<String>,
    created_at: Option<i64>,
    last_time: Option<i64>,
}

/// One file of a session: a key of the report of a store, and of one of a session folder with several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GenerationEntry {
    path: String,
    version: i64,
    role: &'static str,
    events: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize)]
struct LoaderEntry {
    result: Option<&'static str>,
    why: String,
    kept_events: u64,
}

#[derive(Serialize)]
struct Attached {
    name: String,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    bytes: Option<u64>,
}

#[derive(Serialize)]
struct Unseen {
    path: String,
    why: String,
}

#[derive(Serialize)]
struct LineageEntry {
    root: Option<String>,
    sessions: Vec<Option<String>>,
    deepest_open: Option<DeepestOpen>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeepestOpen {
    session: Option<String>,
    call_id: String,
    name: String,
    state: &'static str,
}

impl SessionEntry {
    fn of(survey: &Survey, at: SessionIx) -> SessionEntry {
        let session = &survey.store[at];
        let brief = survey.brief(at);
        let header = brief.and_then(Brief::header);
        let kin = survey.census.get(at);
        let told = brief.and_then(|brief| brief.told.as_ref());
        let whole = brief.and_then(|brief| brief.whole.as_ref());
        let loader = survey.loader(at);
        let (parent, parent_present) = parent(survey, kin);
        SessionEntry {
            folder: (survey.store.kind != RootKind::Export).then(|| text(&survey.store.project_of(session).name)),
            folder_matches: header.and_then(|h| folder_matches(&survey.store, session, h.cwd.as_ref())),
            id: kin.and_then(|kin| kin.id.as_ref()).map(text),
            cwd: header.and_then(|header| header.cwd.as_ref()).map(text),
            path: path_text(&session.current().path),
            version: brief.and_then(Brief::version),
            generations: generations(session, &survey.generations[at.at()]),
            ambiguous: kin.and_then(|kin| ambiguous(survey, at, kin)),
            parent,
            parent_present,
            children: kin.map(|kin| ids(survey, &kin.children).flatten().collect()).unwrap_or_default(),
            depth: header.and_then(|header| header.delegation_depth),
            origin: header.and_then(|header| header.origin.as_ref()).map(text),
            events: whole.map(|whole| whole.events),
            last_unpaired: told.and_then(|told| told.last_unpaired.as_ref()).map(|call| text(&call.call_id)),
            state: told.map(|told| stop_cause(told.ended.cause)),
            stopped: told.map(|told| told.ended.text.for_programs()),
            health: survey.health(at).map(health),
            loader: LoaderEntry::of(&loader),
            oddities: kin.map(|kin| kin.oddities.iter().map(oddity).collect()).unwrap_or_default(),
            unreadable: brief.and_then(|brief| unreadable(&brief.head)),
            flaw: brief.and_then(|brief| brief.flaw.as_ref()).map(|flaw| report_string(flaw.as_bytes())),
            title: whole.and_then(|whole| whole.title.as_ref()).map(text),
            label: whole.and_then(|whole| whole.label.as_ref()).map(text),
            created_at: header.and_then(|header| header.created_at),
            last_time: told.and_then(|told| told.last_time),
        }
    }
}

fn parent(survey: &Survey, kin: Option<&Kin>) -> (Option<String>, Option<bool>) {
    let id_of = |at: &SessionIx| survey.census.get(*at).and_then(|kin| kin.id.as_ref()).map(text);
    match kin.map(|kin| &kin.parent) {
        Some(Parent::Present(at) | Parent::Loop(at)) => (id_of(at), Some(true)),
        Some(Parent::Missing(id)) => (Some(text(id)), Some(false)),
        Some(Parent::None | Parent::Unknown) | None => (None, None),
    }
}

fn ambiguous(survey: &Survey, at: SessionIx, kin: &Kin) -> Option<&'static str> {
    let project = survey.store[at].project;
    let reasons = kin.oddities.iter().filter_map(|oddity| match oddity {
        Oddity::TwoEncodings => Some("two encodings"),
        Oddity::SameIdTwice(others) if others.iter().all(|other| survey.store[*other].project == project) => {
            Some("same id in two folders")
        }
        Oddity::SameIdTwice(_) => Some("same id in two projects"),
        Oddity::FolderDiffers { .. }
        | Oddity::NameDiffers { .. }
        | Oddity::VersionDiffers { .. }
        | Oddity::ParentMissing(_)
        | Oddity::ParentLoop
        | Oddity::Refused { .. }
        | Oddity::OlderBeside(_) => None,
    });
    // Which file of a session counts is asked before which session does.
    reasons.max_by_key(|reason| *reason == "two encodings")
}

impl GenerationEntry {
    /// One line for people.
    pub(super) fn say(&self, words: &Words) -> String {
        let events = match (self.events, &self.why) {
            (Some(events), _) => words.count("count.events", events),
            (None, why) => {
                let why = why.as_deref().unwrap_or_default();
                words.say("store.events_unread", &[("why", &sanitize::one_line(why.as_bytes(), MOST_COLUMNS))])
            }
        };
        let key = if self.role == CURRENT { "store.generation_current" } else { "store.generation_older" };
        let (version, name) = (self.version.to_string(), said::name_of(Path::new(&self.path)));
        words.say(key, &[("version", &version), ("events", &events), ("name", &name)])
    }
}

/// The files of a session, the current one first.
#[must_use]
pub fn generations(session: &StoredSession, counted: &[Counted]) -> Vec<GenerationEntry> {
    let entry = |(log, counted): (&Generation, &Counted)| GenerationEntry {
        path: path_text(&log.path),
        version: counted.version,
        role: if session.is_current(log) { CURRENT } else { "older generation" },
        events: counted.events.as_ref().ok().copied(),
        why: counted.events.as_ref().err().cloned(),
    };
    session.generations.iter().zip(counted).map(entry).collect()
}

fn ids<'a>(survey: &'a Survey, places: &'a [SessionIx]) -> impl Iterator<Item = Option<String>> + 'a {
    places.iter().map(|at| survey.census.get(*at).and_then(|kin| kin.id.as_ref()).map(text))
}

impl LoaderEntry {
    fn of(loader: &StoreLoader) -> LoaderEntry {
        LoaderEntry {
            result: loader.result.map(loader_result),
            why: loader.why.clone(),
            kept_events: loader.kept_events,
        }
    }
}

impl LineageEntry {
    fn of(survey: &Survey, lineage: &Descent) -> LineageEntry {
        let id = |at: SessionIx| survey.census.get(at).and_then(|kin| kin.id.as_ref()).map(text);
        LineageEntry {
            root: id(lineage.root),
            sessions: lineage.sessions.iter().map(|at| id(*at)).collect(),
            deepest_open: lineage.deepest_open.as_ref().map(|(at, call)| DeepestOpen::of(id(*at), call)),
        }
    }
}

impl DeepestOpen {
    fn of(session: Option<String>, call: &OpenCall) -> DeepestOpen {
        DeepestOpen { session, call_id: text(&call.call_id), name: text(&call.name), state: call_state(call.state) }
    }
}

impl Attached {
    fn of(file: &OtherFile) -> Option<Attached> {
        let attached = || Attached { name: path_text(&file.path), kind: file.media_type(), bytes: file.size };
        (file.kind == OtherKind::Attachment).then(attached)
    }
}

impl Unseen {
    fn of(problem: &Problem) -> Unseen {
        let why = match problem {
            Problem::Unlisted { why, .. } | Problem::BadEntry { why, .. } => report_string(why.as_bytes()),
            Problem::SeenAlready { .. } => "a link to a folder that is listed already".to_owned(),
            Problem::Broken { .. } => "a link that leads nowhere, or gone".to_owned(),
            Problem::NoLog { .. } => "a folder without a log".to_owned(),
            Problem::NotLookedAt { .. } => "too many folders, or too deep".to_owned(),
        };
        Unseen { path: path_text(problem.path()), why }
    }
}

fn root_kind(kind: RootKind) -> &'static str {
    match kind {
        RootKind::Sessions => "sessions root",
        RootKind::Project => "project folder",
        RootKind::Session => "session folder",
        RootKind::Export => "export",
    }
}

fn health(health: Health) -> &'static str {
    match health {
        Health::Unknown => "unknown",
        Health::Bad => "bad",
        Health::Warn => "warn",
        Health::Fine => "fine",
    }
}

fn oddity(oddity: &Oddity) -> &'static str {
    match oddity {
        Oddity::SameIdTwice(_) => "same id twice",
        Oddity::TwoEncodings => "two encodings",
        Oddity::FolderDiffers { .. } => "project folder differs",
        Oddity::NameDiffers { .. } => "session folder differs",
        Oddity::VersionDiffers { .. } => "version differs",
        Oddity::ParentMissing(_) => "parent missing",
        Oddity::ParentLoop => "parents in a circle",
        Oddity::OlderBeside(_) => "older generation beside a refused one",
        Oddity::Refused { .. } => "refused by itself",
    }
}

fn unreadable(head: &Result<crate::record::header::Header, NoHeader>) -> Option<String> {
    match head {
        Err(NoHeader::Unreadable(why)) => Some(report_string(why.as_bytes())),
        Err(NoHeader::Empty | NoHeader::NotAHeader | NoHeader::Lost | NoHeader::NotALog(_)) | Ok(_) => None,
    }
}

fn text(text: &WireText) -> String {
    text.to_report()
}

fn path_text(path: &Path) -> String {
    report_string(path.as_os_str().as_encoded_bytes())
}
