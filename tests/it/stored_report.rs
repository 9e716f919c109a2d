//! The report of a store: of the cases, of the real logs, of a session folder with several generations.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use trajview::report::{exit, stored, text};
use trajview::store::{Store, Survey, survey};
use trajview::text::locale::Words;
use trajview::text::time::Zone;

use crate::support::agree::{differs, list};
use crate::support::stored::{Planned, StoreFolder, find, open_call};

/// Reads a store; the worst exit status of its logs comes with it.
fn read(store: Store) -> (Survey, u8) {
    let mut worst = exit::FINE;
    let survey = survey(store, 2, &mut |_, session| worst = worst.max(exit::status(&session.facts)), &mut |_, _| {});
    (survey, worst)
}

fn report(store: Store) -> (Value, u8) {
    let (survey, worst) = read(store);
    let mut out = Vec::new();
    stored::write(&survey, &mut out).expect("memory takes it");
    let status = exit::store_status(&survey, worst);
    (serde_json::from_slice(&out).expect("the report is JSON"), status)
}

fn page(store: Store) -> String {
    let mut out = Vec::new();
    text::store::write(&read(store).0, &Words::english(), &Zone::utc(), &mut out).expect("memory takes it");
    String::from_utf8(out).expect("the page is text")
}

fn shared(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path)
}

#[test]
fn stores_of_the_cases_agree_with_their_recorded_truth() {
    let mut wrong = Vec::new();
    for case in ["35-child-sessions", "41-same-id-in-two-projects", "42-folder-does-not-match-cwd"] {
        let folder = shared("cases").join(case);
        let Ok(truth) = fs::read(folder.join("expected.json")) else {
            eprintln!("skipped: no cases at {}", folder.display());
            return;
        };
        let want: Value = serde_json::from_slice(&truth).expect("the truth is JSON");
        let (got, status) = report(find(&folder.join("sessions")));
        assert_eq!(status, exit::WRONG, "{case}");
        assert_eq!(list(&got, "sessions").len(), list(&want, "sessions").len(), "{case}");
        for want in list(&want, "sessions") {
            let fits =
                |got: &&Value| ["id", "folder"].iter().all(|key| want.get(key).is_none() || got[*key] == want[*key]);
            let mut want = want.clone();
            want.as_object_mut().expect("an object").remove("folder_name");
            let got = list(&got, "sessions").iter().find(fits).unwrap_or_else(|| unreachable!("{case}: {want}"));
            differs(&want, got, case, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Children by what the headers in the recorded truth say, and the last call without a result of each session.
type Truth = (BTreeMap<String, BTreeSet<String>>, BTreeMap<String, Option<String>>);

fn truth_of(root: &Path) -> Truth {
    let (mut children, mut unpaired) = (BTreeMap::<_, BTreeSet<_>>::new(), BTreeMap::new());
    let sessions = fs::read_dir(root.join("--home-dev-shop-api--")).expect("the project of the corpus");
    for folder in sessions.map(|entry| entry.expect("an entry").path()) {
        let want = fs::read(folder.join("expected.json")).expect("every session has its truth");
        let want: Value = serde_json::from_slice(&want).expect("the truth is JSON");
        let id = want["header"]["id"].as_str().expect("an id").to_owned();
        if let Some(parent) = want["header"]["parentSession"].as_str() {
            children.entry(parent.to_owned()).or_default().insert(id.clone());
        }
        let last = list(&want, "unpairedAtEndOfFile").last();
        unpaired.insert(id, last.and_then(|call| call["callId"].as_str()).map(str::to_owned));
    }
    (children, unpaired)
}

#[test]
fn the_real_sessions_form_a_store_with_its_families() {
    let root = shared("corpus/sessions");
    if !root.is_dir() {
        eprintln!("skipped: no corpus at {}", root.display());
        return;
    }
    let (children, unpaired) = truth_of(&root);
    let (got, status) = report(find(&root));
    assert_eq!((list(&got, "sessions").len(), unpaired.len(), status), (30, 30, exit::WRONG));
    assert_eq!(got["other_files"], 30);
    let mut depths = BTreeMap::new();
    for session in list(&got, "sessions") {
        let id = session["id"].as_str().expect("an id");
        let of: BTreeSet<String> =
            list(session, "children").iter().filter_map(Value::as_str).map(str::to_owned).collect();
        assert_eq!(of, children.get(id).cloned().unwrap_or_default(), "children of {id}");
        assert_eq!(session["last_unpaired"].as_str(), unpaired[id].as_deref(), "last unpaired call of {id}");
        assert_eq!((&session["folder_matches"], &session["loader"]["result"]), (&json!(true), &json!("loads")), "{id}");
        *depths.entry(session["depth"].as_i64().expect("a depth")).or_insert(0) += 1;
    }
    assert_eq!(depths, BTreeMap::from([(0, 21), (1, 8), (2, 1)]));
    let open: Vec<&Value> = list(&got, "lineages").iter().filter(|one| !one["deepest_open"].is_null()).collect();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0]["deepest_open"]["callId"], "call_0328_0");
    assert_ne!(open[0]["deepest_open"]["session"], open[0]["root"]);
}

#[test]
fn the_whole_corpus_is_a_store_without_a_panic() {
    let root = shared("corpus");
    if !root.is_dir() {
        eprintln!("skipped: no corpus at {}", root.display());
        return;
    }
    for part in ["migrated/generations", "unpacked", "crash", "raw", "live"] {
        let store = find(&root.join(part));
        let shown = store.sessions.len() + store.other_files.len();
        assert!(shown > 0 || store.why_empty().is_some(), "{part}");
        for session in &store.sessions {
            let brief = store.quick(session.current());
            assert!(brief.head.is_ok(), "{}: {:?}", session.folder.display(), brief.head);
        }
    }
    let generations = find(&root.join("migrated/generations"));
    assert!(generations.sessions.iter().all(|session| session.generations.len() == 4));
}

#[test]
fn the_page_names_what_a_person_must_see() {
    let folder = StoreFolder::new();
    folder.session(&Planned { log: open_call, ..Planned::child("kid", "top", 1) });
    folder.session(&Planned { log: open_call, ..Planned::new("top") });
    folder.generation(&Planned::new("two"), 0);
    folder.generation(&Planned::new("two"), 3);
    folder.session(&Planned::child("lost", "gone", 1));
    folder.write("--srv-demo-app--/empty/session.jsonl.zstd", b"");
    folder.write("--srv-other--/moved/session.jsonl.zstd", &Planned::new("moved").script(0).zstd());
    for name in ["one", "two"] {
        folder.write(&format!("--srv-demo-app--/{name}/session.lock"), b"");
    }
    folder.write("sessions.db", b"SQLite format 3\0");
    let page = page(folder.discover());
    for text in [
        "sessions folder   2 projects   6 sessions   3 other files",
        "2 with something open, 1 bad, 1 to look at",
        "OUTCOME UNKNOWN bash call_open",
        "generation v3   6 events   current   session.v3.jsonl.zstd",
        "generation v0   6 events   older, frozen   session.jsonl.zstd",
        "PARENT MISSING   parent gone is not in this store",
        "(empty file)",
        "FOLDER: cwd differs   the folder is --srv-other--, the header says cwd /srv/demo-app",
        "deepest: bash call_open in kid, outcome_unknown",
        "session.lock   2 times   lock of a writer",
        "sessions.db   SQLite store",
        "--srv-demo-app--/one   a folder without a log",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    let at = |text: &str| page.find(text).unwrap_or_else(|| unreachable!("{text}\n{page}"));
    assert!(at(" top\n") < at(" kid\n"), "a child stands below its parent:\n{page}");
}

#[test]
fn text_of_a_store_is_printable() {
    let folder = StoreFolder::new();
    let evil = "a\u{1b}[31mb\nc";
    let planned = Planned { cwd: Some(evil), parent: Some(evil), ..Planned::new(evil) };
    folder.session(&planned);
    folder.write(&format!("{evil}/notes"), b"x");
    let page = page(folder.discover());
    assert!(!page.chars().any(|c| c.is_control() && c != '\n'), "{page:?}");
}

#[test]
fn a_store_that_is_fine_is_status_0_and_a_refused_one_3() {
    let folder = StoreFolder::new();
    folder.session(&Planned::new("a"));
    assert_eq!(report(folder.discover()).1, exit::FINE);
    folder.write("--srv-demo-app--/notes.txt", b"x");
    assert_eq!(report(folder.discover()).1, exit::FINE);
    folder.write("--srv-other--/b/session.jsonl.zstd", &Planned::new("b").script(0).zstd());
    let (got, status) = report(folder.discover());
    assert_eq!(status, exit::WRONG);
    let moved = list(&got, "sessions").iter().find(|session| session["id"] == "b").expect("the moved one");
    assert_eq!(moved["loader"]["result"], "refuses");
    assert_eq!(moved["folder_matches"], false);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_an_entry_with_its_reason() {
    use std::os::unix::fs::PermissionsExt;
    let folder = StoreFolder::new();
    let log = folder.session(&Planned::new("a"));
    folder.session(&Planned::new("b"));
    fs::set_permissions(&log, fs::Permissions::from_mode(0o000)).expect("our own file");
    if fs::read(&log).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    let (got, status) = report(folder.discover());
    let [a, b] = list(&got, "sessions") else { unreachable!("two sessions: {got}") };
    assert_eq!((&a["id"], &b["id"], status), (&json!("a"), &json!("b"), exit::WRONG));
    assert!(a["unreadable"].as_str().is_some_and(|why| !why.is_empty()), "{a}");
    assert_eq!(b["loader"]["result"], "loads");
}

#[test]
fn every_key_of_a_store_report_is_in_its_document() {
    let folder = StoreFolder::new();
    folder.session(&Planned { log: open_call, ..Planned::child("kid", "top", 1) });
    folder.session(&Planned::new("top"));
    folder.write("--srv-demo-app--/top/session.jsonl", &Planned::new("top").script(0).plain());
    folder.write("--srv-demo-app--/none/notes", b"");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/REPORT.md");
    let document = fs::read_to_string(path).expect("the document");
    let words: BTreeSet<&str> = document.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut found = BTreeSet::new();
    keys(&report(folder.discover()).0, &mut found);
    let missing: Vec<_> = found.iter().filter(|key| !words.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        found.insert(key.clone());
        keys(value, found);
    }
    value.as_array().into_iter().flatten().for_each(|item| keys(item, found));
}
