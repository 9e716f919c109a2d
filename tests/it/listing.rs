//! What listing a store costs: files opened and bytes read, no clock.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trajview::log::MemorySource;
use trajview::store::{Census, NoHeader, Problem, Reach, Store, discover};

use crate::support::shelf::Shelf;
use crate::support::stored::{Planned, open_call};
use crate::support::writer::{Dice, Script};

/// Bytes that a quick reading may take of a log, whatever its size.
const MOST_READ: u64 = 96 << 10;

fn find(shelf: Shelf) -> Store {
    discover(Arc::new(shelf), Path::new("/store"), &mut |_| ControlFlow::Continue(())).expect("the root can be listed")
}

/// A log of so many turns of text that does not shrink, and an open call.
fn long(id: &str, turns: usize) -> Script {
    let mut script = Planned::new(id).script(0);
    let mut dice = Dice::new(turns as u64);
    for _ in 0..turns {
        script.turn();
        script.step();
        let text: String = (0..400).map(|_| char::from(b' ' + dice.below(90) as u8)).collect();
        script.user(&text);
        script.end_step();
        script.end_turn("completed");
    }
    open_call(&mut script);
    script
}

#[test]
fn five_thousand_sessions_cost_a_listing_each_and_then_their_ends() {
    const SESSIONS: u64 = 5_000;
    let logs: Vec<Arc<MemorySource>> =
        [0, 40, 400].map(|turns| Arc::new(MemorySource::new(long("a", turns).zstd()))).into();
    let mut shelf = Shelf::default();
    for at in 0..SESSIONS {
        let log = &logs[at as usize % logs.len()];
        shelf.put(&format!("/store/--p{}--/session-{at:05}/session.jsonl.zstd", at % 40), log);
    }
    let counts = Arc::clone(&shelf.counts);
    let store = find(shelf);
    assert_eq!(counts.take(), [1 + 40 + SESSIONS, SESSIONS, 0, 0], "folders listed, sizes asked, files opened, bytes");
    assert_eq!(store.sessions.len() as u64, SESSIONS);
    // The rows on a screen: their price is theirs alone.
    for session in &store.sessions[..40] {
        let _ = store.quick(session.current());
    }
    let [listed, sizes, opened, read] = counts.take();
    assert_eq!([listed, sizes, opened], [0, 0, 40]);
    assert!(read <= 40 * MOST_READ, "{read} bytes");
    let heads: Vec<_> = store.sessions.iter().map(|session| Some(store.head(session.current()))).collect();
    let [_, _, opened, read] = counts.take();
    assert_eq!(opened, SESSIONS);
    assert!(read <= SESSIONS * (8 << 10), "{read} bytes for headers");
    assert_eq!(Census::of(&store, &heads).kin.len() as u64, SESSIONS);
}

#[test]
fn a_quick_reading_does_not_cost_more_of_a_longer_log() {
    let mut last = 0;
    let (short, long) = (long("a", 2_000), long("a", 8_000));
    for (script, name) in [(&short, "session.jsonl.zstd"), (&long, "session.jsonl.zstd"), (&long, "session.jsonl")] {
        let bytes = if name.ends_with("zstd") { script.zstd() } else { script.plain() };
        let size = bytes.len() as u64;
        let mut shelf = Shelf::default();
        shelf.put(&format!("/store/--p--/a/{name}"), &Arc::new(MemorySource::new(bytes)));
        let counts = Arc::clone(&shelf.counts);
        let store = find(shelf);
        counts.take();
        let brief = store.quick(store.sessions[0].current());
        let [_, _, opened, read] = counts.take();
        assert_eq!((brief.reach, opened), (Reach::Tail, 1), "{name}");
        let told = brief.told.as_ref().expect("the end was read");
        assert!(told.last_unpaired.is_some(), "{name}");
        assert!(read <= MOST_READ.max(200 << 10) && read < size / 4, "{name}: {read} of {size} bytes");
        if last > 0 && name.ends_with("zstd") {
            assert!(read <= last + (8 << 10), "{read} after {last}");
        }
        last = read;
    }
}

#[test]
fn what_cannot_be_listed_or_opened_is_said_and_hides_nothing() {
    let log = Arc::new(MemorySource::new(Planned::new("a").script(0).zstd()));
    let mut shelf = Shelf::default();
    for path in ["--a--/one", "--a--/two", "--a--/three", "--b--/four", "--c--/five"] {
        shelf.put(&format!("/store/{path}/session.jsonl.zstd"), &log);
    }
    for (path, kind) in [
        ("/store/--a--/two", io::ErrorKind::PermissionDenied),
        ("/store/--a--/three", io::ErrorKind::NotFound),
        ("/store/--b--", io::ErrorKind::PermissionDenied),
        ("/store/--c--/five/session.jsonl.zstd", io::ErrorKind::PermissionDenied),
    ] {
        shelf.broken.insert(PathBuf::from(path), kind);
    }
    let store = find(shelf);
    assert_eq!(store.sessions.len(), 2);
    let kinds: Vec<(&Path, bool)> = store
        .problems
        .iter()
        .map(|problem| (problem.path(), matches!(problem, Problem::Unlisted { why, .. } if !why.is_empty())))
        .collect();
    let at = |path: &'static str| Path::new(path);
    assert_eq!(kinds, [(at("/store/--a--/three"), false), (at("/store/--a--/two"), true), (at("/store/--b--"), true)]);
    assert!(matches!(store.problems[0], Problem::Broken { .. }));
    assert!(store.quick(store.sessions[0].current()).head.is_ok());
    assert!(matches!(store.quick(store.sessions[1].current()).head, Err(NoHeader::Unreadable(_))));
    let read = store.read(store.sessions[1].current(), 1, &mut |_| ControlFlow::Continue(()));
    assert!(read.is_err());
}

#[test]
fn a_search_that_is_ended_says_what_it_left_out() {
    let log = Arc::new(MemorySource::new(Planned::new("a").script(0).zstd()));
    let mut shelf = Shelf::default();
    for at in 0..50 {
        shelf.put(&format!("/store/--p--/s{at:02}/session.jsonl.zstd"), &log);
    }
    let mut each = |folders| if folders < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let store = discover(Arc::new(shelf), Path::new("/store"), &mut each).expect("the root can be listed");
    assert_eq!(store.sessions.len(), 8);
    assert_eq!(store.problems, [Problem::NotLookedAt { path: PathBuf::from("/store/--p--/s08") }]);
}

/// Parts of paths that mean something to a store, and some that do not.
const PARTS: [&str; 12] = [
    "--srv-demo-app--",
    "--p--",
    "_no-cwd",
    "subagents",
    "media",
    "session-1",
    "a",
    "~002E",
    "session.jsonl",
    "session.v3.jsonl.zstd",
    "session.lock",
    "x.jsonl",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn every_file_of_any_tree_is_shown_exactly_once(
        paths in proptest::collection::vec(proptest::collection::vec(0..PARTS.len(), 1..5), 0..12),
    ) {
        let log = Arc::new(MemorySource::new(Planned::new("session-1").script(0).zstd()));
        let mut shelf = Shelf::default();
        let mut files = std::collections::BTreeSet::new();
        for path in paths {
            let path = path.iter().map(|part| PARTS[*part]).collect::<Vec<_>>().join("/");
            shelf.put(&format!("/store/{path}"), &log);
            files.insert(PathBuf::from(format!("/store/{path}")));
        }
        shelf.put("/store/notes", &log);
        files.insert(PathBuf::from("/store/notes"));
        let store = find(shelf);
        let logs = store.sessions.iter().flat_map(|session| &session.generations).map(|log| log.path.clone());
        let mut shown: Vec<PathBuf> = logs.chain(store.other_files.iter().map(|file| file.path.clone())).collect();
        shown.sort();
        proptest::prop_assert_eq!(shown, files.into_iter().collect::<Vec<_>>());
        proptest::prop_assert!(!store.sessions.is_empty() || store.why_empty().is_some());
        let briefs: Vec<_> = store.sessions.iter().map(|session| Some(store.quick(session.current()))).collect();
        let census = Census::of(&store, &briefs);
        let tree = census.tree(&|a, b| a.cmp(&b));
        proptest::prop_assert_eq!(tree.len(), store.sessions.len(), "every session is in the tree once");
    }
}
