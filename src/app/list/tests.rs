use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::app::bench::Bench;
use crate::app::effect::Effect;
use crate::app::key::Key;
use crate::app::message::{Epoch, Found, Message};
use crate::app::model::{Model, Settings};
use crate::app::update::update;
use crate::log::{FileIdentity, MemorySource, Source};
use crate::store::{Counted, Directory, Entry, EntryKind, Generation, Stat, Store, discover};
use crate::triage::bench::Written;

mod hits;

/// When the store is listed: some hours after its last record.
const NOW: i64 = 1_790_020_000_000;

/// Files in memory.
#[derive(Default, Clone)]
struct Folders(BTreeMap<PathBuf, Vec<u8>>);

impl Directory for Folders {
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let mut names: BTreeMap<OsString, EntryKind> = BTreeMap::new();
        for path in self.0.keys() {
            let Ok(below) = path.strip_prefix(folder) else { continue };
            let mut parts = below.components();
            let Some(name) = parts.next() else { continue };
            let kind = if parts.next().is_some() { EntryKind::Folder } else { EntryKind::File };
            names.insert(name.as_os_str().to_owned(), kind);
        }
        Ok(names.into_iter().map(|(name, kind)| Entry { name, kind, is_link: false }).collect())
    }

    fn identity(&self, _: &Path) -> io::Result<FileIdentity> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn stat(&self, file: &Path) -> io::Result<Stat> {
        let bytes = self.0.get(file).ok_or(io::ErrorKind::NotFound)?;
        Ok(Stat { size: bytes.len() as u64, modified: Some(1_790_000_000_000) })
    }

    fn open(&self, file: &Path) -> io::Result<Arc<dyn Source>> {
        let bytes = self.0.get(file).ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(MemorySource::new(bytes.clone())))
    }
}

/// A session: id, parent, depth, title, how often that is recorded (a second each), how its turn ends.
struct Made(&'static str, Option<&'static str>, i64, &'static str, i64, &'static str);

impl Made {
    fn log(&self, cwd: &str) -> Vec<u8> {
        let Made(id, parent, depth, title, at, end) = self;
        let parent = parent.map(|parent| format!(r#","parentSession":"{parent}""#)).unwrap_or_default();
        let header = format!(
            r#"{{"type":"session","version":0,"id":"{id}","createdAt":{},"cwd":"{cwd}","delegationDepth":{depth}{parent}}}"#,
            1_790_000_000_000 + at,
        );
        let titled = |log: Written| log.event("session/title", &format!(r#""title":"{title}""#));
        let log = (0..*at).fold(Written::under(&header), |log, _| titled(log)).turn(1);
        let log = match *end {
            "open" => log.step(1, 1).asks(1, 1, &["call_open"]).call(1, 1, "call_open"),
            end => log.turn_end(1, end),
        };
        log.text().as_bytes().to_vec()
    }
}

/// Two families, and a session in another project.
const SESSIONS: [Made; 6] = [
    Made("session-a", None, 0, "Alpha", 10, "completed"),
    Made("session-a1", Some("session-a"), 1, "Gamma", 20, "open"),
    Made("session-a2", Some("session-a1"), 2, "Delta", 30, "completed"),
    Made("session-b", None, 0, "Beta", 40, "completed"),
    Made("session-c", None, 0, "Alpha again", 5, "error"),
    Made("session-d", Some("session-gone"), 1, "Orphan", 1, "completed"),
];

impl Folders {
    fn with(sessions: &[Made]) -> Folders {
        let mut folders = Folders::default();
        for session in sessions {
            let (project, cwd) =
                if session.0 == "session-c" { ("--w-other--", "/w/other") } else { ("--w-app--", "/w/app") };
            folders.write(&format!("{project}/{}/session.jsonl", session.0), &session.log(cwd));
        }
        folders
    }

    fn write(&mut self, path: &str, bytes: &[u8]) {
        self.0.insert(Path::new("/store").join(path), bytes.to_vec());
    }

    fn store(&self) -> Arc<Store> {
        let never = &mut |_| ControlFlow::Continue(());
        Arc::new(discover(Arc::new(self.clone()), Path::new("/store"), never).expect("memory can be listed"))
    }

    fn found(&self) -> Found {
        Found { store: self.store(), place: "/store".to_owned(), here: None, now: NOW, can_follow: true }
    }
}

/// Everything that is asked about these sessions.
fn answer(store: &Store, ticket: Ticket, whole: &[SessionIx]) -> Message {
    let brief = |log: &Generation| store.whole(log, &store.read(log, 1, &mut |_| ControlFlow::Continue(())));
    let briefs = whole.iter().map(|at| (*at, brief(store[*at].current()))).collect();
    let older = whole.iter().flat_map(|at| {
        let logs = store[*at].generations.iter().enumerate().skip(1);
        logs.map(|(nth, log)| (*at, nth, Counted { version: log.version, events: Ok(3) })).collect::<Vec<_>>()
    });
    Message::Told { ticket, briefs, older: older.collect() }
}

/// A model that began with the store, everything read.
fn shown(folders: &Folders, columns: u16, rows: u16) -> Bench {
    let mut bench = Bench::empty(columns, rows);
    bench.model = Model::of_store(Settings::default(), "/store".to_owned());
    bench.send(Message::Resized { columns, rows });
    let ticket = list(&bench).ticket();
    bench.send(Message::Listed { ticket, found: Ok(folders.found()) });
    fill(&mut bench);
    bench
}

/// Answers the last question about sessions.
fn fill(bench: &mut Bench) {
    let asked = bench.left.iter().rev().find_map(|effect| match effect {
        Effect::TellSessions { ticket, whole, .. } => Some((*ticket, whole.clone())),
        _ => None,
    });
    let store = list(bench).store();
    if let (Some((ticket, whole)), Some(store)) = (asked, store) {
        bench.send(answer(&store, ticket, &whole));
    }
    bench.left.clear();
}

fn list(bench: &Bench) -> &List {
    bench.model.list.as_ref().expect("there is a list")
}

/// Ids of the rows of sessions, indented by their level.
fn ids(bench: &Bench) -> Vec<String> {
    let list = list(bench);
    let stock = list.stock.as_ref().expect("it was listed");
    let rows = list.lines.iter().filter_map(|line| match line {
        Line::Session { at, level } => Some(format!("{}{}", " ".repeat(usize::from(*level)), stock.id(*at))),
        _ => None,
    });
    rows.collect()
}

/// Id of the session with the cursor.
fn here(bench: &Bench) -> String {
    let list = list(bench);
    list.session().zip(list.stock.as_ref()).map(|(at, stock)| stock.id(at).to_owned()).unwrap_or_default()
}

#[test]
fn families_stay_together_however_they_are_sorted() {
    let mut bench = shown(&Folders::with(&SESSIONS), 120, 30);
    for (sort, expected) in [
        (Sort::LastRecord, ["s-b", "s-a", " s-a1", "  s-a2", "s-c", "s-d"]),
        (Sort::Project, ["s-b", "s-a", " s-a1", "  s-a2", "s-d", "s-c"]),
        (Sort::State, ["s-a", " s-a1", "  s-a2", "s-c", "s-b", "s-d"]),
        (Sort::Title, ["s-a", " s-a1", "  s-a2", "s-c", "s-b", "s-d"]),
        (Sort::Events, ["s-b", "s-a", " s-a1", "  s-a2", "s-c", "s-d"]),
    ] {
        assert_eq!(list(&bench).sort, sort);
        assert_eq!(ids(&bench), expected, "{sort:?}");
        bench.keys("c");
    }
    assert_eq!(list(&bench).sort, Sort::LastRecord);
}

#[test]
fn the_filter_keeps_what_fits_and_all_above_it() {
    let mut bench = shown(&Folders::with(&SESSIONS), 120, 30);
    for (filter, expected) in [
        ("delta", &["s-a", " s-a1", "  s-a2"][..]),
        ("OUTCOME bash", &["s-a", " s-a1"]),
        ("/w/other", &["s-c"]),
        ("alpha error", &["s-c"]),
        ("parent missing", &["s-d"]),
        ("session-b", &["s-b"]),
        ("nothing like it", &[]),
    ] {
        bench.keys("f").keys(filter);
        assert_eq!(ids(&bench), expected, "{filter}");
        bench.keys("<Enter>q");
        assert!(!bench.model.leaving && list(&bench).filter.is_empty(), "{filter}");
    }
    bench.keys("fdelta<Enter>fbeta<Esc>");
    assert_eq!(list(&bench).filter, "delta");
    bench.keys("x");
    assert_eq!(ids(&bench).len(), 6);
}

#[test]
fn a_filter_that_nothing_fits_says_so() {
    let mut bench = shown(&Folders::with(&SESSIONS), 120, 30);
    bench.keys("fnothing<Enter>");
    let list = list(&bench);
    let rows = list.rows(&bench.model.settings.words, &bench.model.settings.zone);
    let text = format!("{rows:?}");
    assert!(text.contains("No session matches nothing"), "{text}");
    assert_eq!(list.openable(), None);
}

#[test]
fn the_cursor_stays_on_its_session_while_rows_move() {
    let folders = Folders::with(&SESSIONS);
    let mut bench = shown(&folders, 120, 30);
    bench.keys("jj");
    assert_eq!(here(&bench), "s-a1");
    for key in ["c", "c", "c", "c", "c", "<C-r>"] {
        bench.keys(key);
        assert_eq!(here(&bench), "s-a1", "{key}");
    }
    let ticket = list(&bench).ticket();
    let mut more = folders.clone();
    more.write(
        "--w-app--/session-0/session.jsonl",
        &Made("session-0", None, 0, "Newest", 90, "completed").log("/w/app"),
    );
    bench.send(Message::Listed { ticket, found: Ok(more.found()) });
    assert_eq!(here(&bench), "s-a1");
    // Of what did not change nothing is asked again.
    let asked = bench.left.iter().find_map(|effect| match effect {
        Effect::TellSessions { whole, .. } => Some(whole.len()),
        _ => None,
    });
    assert_eq!(asked, Some(1));
    fill(&mut bench);
    assert_eq!(ids(&bench)[0], "s-0");
}

#[test]
fn a_family_folds_and_leads_up_and_down() {
    let mut bench = shown(&Folders::with(&SESSIONS), 120, 30);
    bench.keys("jjj");
    assert_eq!(here(&bench), "s-a2");
    bench.keys("h");
    assert_eq!(here(&bench), "s-a1");
    bench.keys("hl");
    assert_eq!(here(&bench), "s-a1");
    bench.keys("h ");
    assert_eq!(ids(&bench), ["s-b", "s-a", "s-c", "s-d"]);
    bench.keys("l");
    assert_eq!(ids(&bench).len(), 6);
    bench.keys("J");
    assert_eq!(here(&bench), "s-c");
    bench.keys("K");
    assert_eq!(here(&bench), "s-a");
    bench.keys("Gh");
    assert_eq!(bench.said(), "the parent session-gone is not in this store");
    bench.keys("zM");
    assert_eq!(ids(&bench).len(), 4);
    bench.keys("zR");
    assert_eq!(ids(&bench).len(), 6);
}

#[test]
fn ids_that_look_alike_get_more_characters() {
    let made = |id| Made(id, None, 0, "x", 1, "completed");
    let sessions = [
        made("session-11111111-aaaa-0000"),
        made("session-11111111-bbbb-0000"),
        made("session-22222222-aaaa-0000"),
        made("session-33333333-a-000000000000"),
        made("session-33333333-b-000000000000"),
    ];
    let bench = shown(&Folders::with(&sessions), 120, 30);
    let stock = list(&bench).stock.as_ref().expect("it was listed");
    let shown: Vec<&str> = stock.store.places().map(|at| stock.id(at)).collect();
    let expected = [
        "s-11111111⋯aaa-0000",
        "s-11111111⋯bbb-0000",
        "s-22222222⋯0000",
        "s-33333333-a-000000000000",
        "s-33333333-b-000000000000",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn clutter_has_rows_and_the_cursor_stands_where_something_opens() {
    let mut folders = Folders::with(&SESSIONS[..1]);
    let again = SESSIONS[0].log("/w/app");
    folders.write("--w-app--/session-a/session.v2.jsonl", &again);
    folders.write("--w-app--/session-a/session.lock", b"");
    folders.write("--w-other--/session-a/session.jsonl", &again);
    folders.write("--w-app--/session-e/session.jsonl", b"");
    folders.write("notes.txt", b"text");
    let mut bench = shown(&folders, 120, 40);
    let kinds: Vec<Line> = list(&bench).lines.clone();
    let count = |is: &dyn Fn(&Line) -> bool| kinds.iter().filter(|line| is(line)).count();
    assert_eq!(count(&|line| matches!(line, Line::Session { .. })), 3);
    assert_eq!(count(&|line| matches!(line, Line::Generation { .. })), 2);
    assert_eq!(count(&|line| matches!(line, Line::Other(_))), 2);
    assert!(count(&|line| matches!(line, Line::Oddity { .. })) >= 3, "{kinds:?}");
    let mut opens = Vec::new();
    bench.keys("gg");
    for _ in 0..20 {
        opens.extend(list(&bench).openable().map(|path| path.to_string_lossy().into_owned()));
        bench.keys("j");
    }
    opens.dedup();
    for path in ["--w-app--/session-a/session.v2.jsonl", "--w-app--/session-a/session.jsonl", "notes.txt"] {
        assert!(opens.contains(&format!("/store/{path}")), "{path} in {opens:?}");
    }
    assert!(!opens.iter().any(|path| path.contains("session.lock")), "{opens:?}");
}

#[test]
fn a_generation_that_is_no_log_is_not_waited_for() {
    let mut folders = Folders::with(&SESSIONS[..1]);
    folders.write("--w-app--/session-a/session.v2.jsonl", b"SQLite format 3\0");
    let bench = shown(&folders, 120, 20);
    assert_eq!(list(&bench).unread, 0);
    let rows = list(&bench).rows(&bench.model.settings.words, &bench.model.settings.zone);
    let text = format!("{rows:?}");
    assert!(text.contains("generation v2   (not a session log)") && !text.contains("not read yet"), "{text}");
}

#[test]
fn an_empty_list_says_why_and_where_it_looked() {
    let mut folders = Folders::default();
    for (files, why) in [(&[][..], "there is nothing in it"), (&["notes.txt"], "none of its 1 file is a log")] {
        for file in files {
            folders.write(file, b"text");
        }
        let bench = shown(&folders, 120, 20);
        let rows = list(&bench).rows(&bench.model.settings.words, &bench.model.settings.zone);
        let text = format!("{rows:?}");
        assert!(text.contains(why) && text.contains("Looked in: /store"), "{text}");
    }
    let mut bench = Bench::empty(80, 24);
    bench.keys("s");
    let ticket = list(&bench).ticket();
    bench.send(Message::Listed { ticket, found: Err("no permission".to_owned()) });
    assert_eq!(list(&bench).looking, Looking::Failed("no permission".to_owned()));
}

#[test]
fn rows_on_the_screen_are_asked_for_first_and_stale_answers_are_dropped() {
    let folders = Folders::with(&SESSIONS);
    let mut bench = Bench::empty(80, 10);
    bench.keys("s");
    let ticket = list(&bench).ticket();
    assert_eq!(bench.left, [Effect::ListSessions { ticket }]);
    bench.left.clear();
    bench.send(Message::Listed { ticket, found: Ok(folders.found()) });
    let [Effect::TellSessions { quick, whole, .. }] = &*bench.left else { unreachable!("{:?}", bench.left) };
    let first = list(&bench).on_screen().iter().find_map(|line| match line {
        Line::Session { at, .. } => Some(*at),
        _ => None,
    });
    assert_eq!((quick.len(), whole.len(), quick.first().copied()), (6, 6, first));
    let store = list(&bench).store().expect("it was listed");
    let all: Vec<SessionIx> = store.places().collect();
    bench.send(answer(&store, Ticket(ticket.0 + 1), &all));
    assert_eq!(list(&bench).unread, 6);
    bench.send(answer(&store, ticket, &all[..2]));
    assert_eq!(list(&bench).unread, 4);
    bench.left.clear();
    // Ctrl-c stops the reading, then leaves.
    bench.keys("<C-c>");
    assert_eq!(bench.left, [Effect::StopTelling]);
    bench.keys("<C-c>");
    assert!(bench.model.leaving);
}

#[test]
fn enter_opens_and_q_comes_back_to_the_same_row() {
    let mut bench = shown(&Folders::with(&SESSIONS), 100, 30);
    bench.keys("jj<Enter>");
    let path = PathBuf::from("/store/--w-app--/session-a1/session.jsonl");
    assert_eq!(bench.left, [Effect::StopTelling, Effect::OpenStored { epoch: Epoch(1), path }]);
    assert!(bench.model.shown_list().is_none() && bench.model.reading);
    bench.left.clear();
    bench.read(Written::new().turn(1).turn_end(1, "completed").text());
    bench.keys("q");
    assert!(bench.model.shown_list().is_some_and(|list| list.below == Below::Nothing));
    assert_eq!(here(&bench), "s-a1");
    bench.keys("q");
    assert!(bench.model.leaving);
}

#[test]
fn s_comes_back_to_the_log_below() {
    let mut bench = Bench::open(Written::new().turn(1).turn_end(1, "completed").text(), 100, 30);
    bench.keys("s");
    let ticket = list(&bench).ticket();
    bench.send(Message::Listed { ticket, found: Ok(Folders::with(&SESSIONS).found()) });
    bench.keys("q");
    assert!(bench.model.shown_list().is_none() && bench.model.open.is_some() && !bench.model.leaving);
    bench.keys("ss");
    assert!(bench.model.shown_list().is_none());
    bench.keys("su");
    assert_eq!(bench.said(), "that key is for a log: Enter opens one");
    bench.keys("?");
    assert!(bench.model.overlay.is_some());
    bench.keys("q");
    assert!(bench.model.shown_list().is_some() && bench.model.overlay.is_none());
}

#[test]
fn standard_input_has_no_sessions_around_it() {
    let mut bench = Bench::open(Written::new().turn(1).text(), 100, 30);
    bench.model.settings.can_follow = false;
    let open = bench.model.open.as_mut().expect("it is open");
    Arc::get_mut(&mut open.session).expect("nobody else has it").path = PathBuf::from("standard input");
    bench.keys("s");
    assert!(bench.model.list.is_none() && bench.said().contains("standard input"), "{}", bench.said());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_keys_and_no_order_of_answers_break_the_list(
        steps in proptest::collection::vec((0_usize..27, 0_u32..8), 0..60),
        columns in 0_u16..160,
        rows in 0_u16..50,
    ) {
        let mut folders = Folders::with(&SESSIONS);
        folders.write("--w-app--/session-a/session.v2.jsonl", &SESSIONS[0].log("/w/app"));
        folders.write("notes.txt", b"text");
        let store = folders.store();
        let mut model = Model::of_store(Settings::default(), "/store".to_owned());
        let mut messages = vec![Message::Resized { columns, rows }];
        let keys = ['j', 'k', 'G', 'h', 'l', ' ', 'c', 'o', 'f', 'a', '\u{1b}', 'x', 'J', 'K', 'z', 'M', 's', '5', '?', 'g'];
        for (what, n) in steps {
            let ticket = Ticket(1 + n % 3);
            messages.push(match what {
                20 => Message::Listed { ticket, found: Ok(folders.found()) },
                21 => answer(&store, ticket, &[SessionIx(n)].map(|at| SessionIx(at.0 % 6))),
                22 => Message::Listed { ticket, found: Err("no".to_owned()) },
                23 => Message::FoundInSessions {
                    ticket: Ticket(1 + n),
                    found: vec![hits::passages(n % 7, &["1", "2"])],
                    looked_at: n as usize,
                    unreadable: 0,
                    done: n == 7,
                },
                24 => Message::Pressed(Key::char('/')),
                25 => Message::Pressed(Key::plain(crate::app::key::KeyCode::Enter)),
                26 => Message::Resized { columns: (columns * 7) % 200, rows: (rows * 3) % 60 },
                key => Message::Pressed(Key::char(keys[key])),
            });
        }
        for message in messages {
            update(&mut model, message);
            if let Some(list) = &model.list {
                prop_assert!(list.lines.is_empty() || list.state.cursor < list.lines.len());
                prop_assert!(list.state.top <= list.state.cursor);
                let _ = list.rows(&model.settings.words, &model.settings.zone);
                if let Some((hits, stock)) = list.searched() {
                    prop_assert!(hits.lines.is_empty() || hits.state.cursor < hits.lines.len());
                    let _ = (hits.title(stock, &model.settings.words), hits.place(stock, &model.settings.words));
                }
            }
        }
    }
}
