//! Stores: what is found, what belongs together, what is odd, and what it costs.

use std::path::Path;

use trajview::store::{Health, NoHeader, Oddity, OtherKind, Parent, Problem, RootKind, WhyEmpty};
use trajview::text::wire::WireText;
use trajview::triage::facts::{CallState, StopCause};

use crate::support::stored::{Planned, StoreFolder, briefs, find, ids, open_call, place};

fn names(kinds: &[(String, OtherKind)]) -> Vec<(&str, OtherKind)> {
    kinds.iter().map(|(name, kind)| (name.as_str(), *kind)).collect()
}

fn other_files(store: &trajview::store::Store) -> Vec<(String, OtherKind)> {
    let name = |path: &Path| path.strip_prefix(&store.root).expect("below the root").to_string_lossy().into_owned();
    store.other_files.iter().map(|file| (name(&file.path), file.kind)).collect()
}

#[test]
fn a_store_is_found_from_every_level() {
    let folder = StoreFolder::new();
    let log = folder.session(&Planned::new("a"));
    folder.session(&Planned { cwd: None, ..Planned::new("b") });
    let home = StoreFolder::new();
    home.write("sessions/--srv-demo-app--/a/session.jsonl.zstd", &Planned::new("a").script(0).zstd());
    home.write("attachments/v1/objects/00/00", b"picture");
    assert_eq!((home.discover().kind, home.discover().sessions.len()), (RootKind::Sessions, 1));
    for (root, kind, count) in [
        (folder.path().to_owned(), RootKind::Sessions, 2),
        (folder.path().join("--srv-demo-app--"), RootKind::Project, 1),
        (log.parent().expect("a folder").to_owned(), RootKind::Session, 1),
    ] {
        let store = find(&root);
        assert_eq!((store.kind, store.sessions.len()), (kind, count), "{}", root.display());
        let (_, census) = briefs(&store);
        assert!(census.kin.iter().all(|kin| kin.oddities.is_empty()), "{:?}", census.kin);
        assert_eq!(store.projects.last().map(|project| project.is_canonical), Some(true));
    }
}

#[test]
fn clutter_is_named_and_hides_nothing() {
    let folder = StoreFolder::new();
    folder.session(&Planned::new("a"));
    let session = "--srv-demo-app--/a";
    for (name, bytes) in [
        ("session.lock", &b""[..]),
        ("session.jsonl.zstd.0123456789ab.tmp", b"x"),
        ("session.migration.0123456789abcdef.jsonl.zstd.tmp", b"x"),
        ("session.jsonl.zstd.bak", b"x"),
        ("session.v02.jsonl", b"{}\n"),
        ("deep/session.jsonl", b"{}\n"),
    ] {
        folder.write(&format!("{session}/{name}"), bytes);
    }
    folder.write("--srv-demo-app--/session-1.jsonl", b"{}\n");
    folder.write("--srv-demo-app--/session.jsonl", b"{}\n");
    folder.write("session.jsonl", b"{}\n");
    folder.write("sessions.db", b"SQLite format 3\0");
    folder.write("--srv-empty--/nothing/notes.txt", b"x");
    let store = folder.discover();
    assert_eq!((store.kind, store.sessions.len()), (RootKind::Sessions, 1));
    assert_eq!(
        names(&other_files(&store)),
        [
            ("--srv-demo-app--/a/deep/session.jsonl", OtherKind::StrayLog),
            ("--srv-demo-app--/a/session.jsonl.zstd.0123456789ab.tmp", OtherKind::WriterTemporary),
            ("--srv-demo-app--/a/session.jsonl.zstd.bak", OtherKind::Backup),
            ("--srv-demo-app--/a/session.lock", OtherKind::Lock),
            ("--srv-demo-app--/a/session.migration.0123456789abcdef.jsonl.zstd.tmp", OtherKind::MigrationTemporary),
            ("--srv-demo-app--/a/session.v02.jsonl", OtherKind::OddLogName),
            ("--srv-demo-app--/session-1.jsonl", OtherKind::FlatLog),
            ("--srv-demo-app--/session.jsonl", OtherKind::FlatLog),
            ("--srv-empty--/nothing/notes.txt", OtherKind::Unknown),
            ("session.jsonl", OtherKind::StrayLog),
            ("sessions.db", OtherKind::Sqlite),
        ]
    );
    assert_eq!(store.problems, [Problem::NoLog { path: folder.path().join("--srv-empty--/nothing") }]);
    assert_eq!(store.projects.len(), 2);
}

#[test]
fn sessions_at_any_depth_are_found_and_a_stray_log_hides_none() {
    let folder = StoreFolder::new();
    let log = Planned::new("a").script(0).zstd();
    for path in
        ["one/session.jsonl", "deep/two/session.jsonl", "x/y/--srv-demo-app--/a/session.jsonl", "x/session.lock"]
    {
        folder.write(path, &log);
    }
    let store = folder.discover();
    assert_eq!((store.kind, store.sessions.len()), (RootKind::Sessions, 3));
    assert_eq!(other_files(&store), [("x/session.lock".to_owned(), OtherKind::Lock)]);
    assert_eq!(store.problems, []);
    // A log at the top is a session as long as no project stands below it.
    let top = StoreFolder::new();
    top.write("session.jsonl", &log);
    top.write("old/session.jsonl", &log);
    assert_eq!((top.discover().kind, top.discover().sessions.len()), (RootKind::Session, 1));
    assert_eq!(other_files(&top.discover()), [("old/session.jsonl".to_owned(), OtherKind::StrayLog)]);
    top.write("subagents/b/session.jsonl", &log);
    assert_eq!((top.discover().kind, top.discover().sessions.len()), (RootKind::Export, 2));
    top.write("--srv-demo-app--/a/session.jsonl", &log);
    let store = top.discover();
    assert_eq!(store.kind, RootKind::Sessions);
    assert_eq!(store.sessions.len(), 3);
}

#[test]
fn an_empty_list_has_a_reason() {
    let folder = StoreFolder::new();
    assert_eq!(folder.discover().why_empty(), Some(WhyEmpty::Nothing));
    std::fs::create_dir_all(folder.path().join("--a--/b")).unwrap();
    assert_eq!(folder.discover().why_empty(), Some(WhyEmpty::FoldersOnly));
    folder.write("--a--/b/notes.txt", b"x");
    assert_eq!(folder.discover().why_empty(), Some(WhyEmpty::OtherFilesOnly));
    folder.session(&Planned::new("a"));
    assert_eq!(folder.discover().why_empty(), None);
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_a_circle_or_nowhere_are_said_and_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = StoreFolder::new();
    folder.session(&Planned::new("a"));
    symlink(folder.path(), folder.path().join("--srv-demo-app--/loop")).unwrap();
    symlink(folder.path().join("--srv-demo-app--"), folder.path().join("--again--")).unwrap();
    symlink("nowhere", folder.path().join("broken")).unwrap();
    let store = folder.discover();
    assert_eq!(store.sessions.len(), 1);
    let at = |name: &str| folder.path().join(name);
    let to = |name: &str, to: &str| Problem::SeenAlready { path: at(name), to: at(to) };
    assert_eq!(
        store.problems,
        [to("--again--", "--srv-demo-app--"), to("--srv-demo-app--/loop", ""), Problem::Broken { path: at("broken") }]
    );
}

#[cfg(unix)]
#[test]
fn a_project_that_is_a_link_to_elsewhere_is_read() {
    let (folder, elsewhere) = (StoreFolder::new(), StoreFolder::new());
    elsewhere.session(&Planned::new("a"));
    let project = elsewhere.path().join("--srv-demo-app--");
    std::os::unix::fs::symlink(project, folder.path().join("--srv-demo-app--")).unwrap();
    assert_eq!(folder.discover().sessions.len(), 1);
}

#[test]
fn generations_are_one_session_and_the_highest_counts() {
    let folder = StoreFolder::new();
    for version in [0, 3, 2] {
        folder.generation(&Planned::new("a"), version);
    }
    folder.write("--srv-demo-app--/a/session.v2.jsonl", &Planned::new("a").script(2).plain());
    let store = folder.discover();
    let versions = |store: &trajview::store::Store| -> Vec<i64> {
        store.sessions[0].generations.iter().map(|log| log.version).collect()
    };
    assert_eq!(versions(&store), [3, 2, 2, 0]);
    assert!(!store.sessions[0].has_two_encodings());
    assert!(store.mixes_encodings());
    folder.write("--srv-demo-app--/a/session.v3.jsonl", &Planned::new("a").script(3).plain());
    let store = folder.discover();
    assert!(store.sessions[0].has_two_encodings());
    let (_, census) = briefs(&store);
    assert_eq!(census.kin[0].oddities, [Oddity::TwoEncodings]);
}

#[test]
fn parents_children_and_orphans_form_a_tree() {
    let folder = StoreFolder::new();
    folder.session(&Planned::new("top"));
    folder.session(&Planned { cwd: Some("/elsewhere"), log: open_call, ..Planned::child("kid", "top", 1) });
    folder.session(&Planned::child("grandkid", "kid", 2));
    folder.session(&Planned::child("fork", "top", 0));
    folder.session(&Planned::child("orphan", "gone", 1));
    folder.session(&Planned::child("a", "b", 0));
    folder.session(&Planned::child("b", "a", 0));
    folder.session(&Planned::child("self", "self", 0));
    let store = folder.discover();
    let (briefs, census) = briefs(&store);
    let tree = census.tree(&|a, b| census.kin[a.at()].id.cmp(&census.kin[b.at()].id));
    let rows: Vec<(String, usize)> = tree.iter().map(|(at, level)| (ids(&census, &[*at]).remove(0), *level)).collect();
    let rows: Vec<(&str, usize)> = rows.iter().map(|(id, level)| (id.as_str(), *level)).collect();
    assert_eq!(
        rows,
        [("b", 0), ("a", 1), ("orphan", 0), ("self", 0), ("top", 0), ("fork", 1), ("kid", 1), ("grandkid", 2)]
    );
    let kin = |id: &str| &census.kin[place(&census, id).at()];
    assert!(matches!(&kin("orphan").parent, Parent::Missing(id) if *id == "gone"));
    assert!(matches!(kin("b").parent, Parent::Loop(_)));
    assert_eq!(kin("self").oddities, [Oddity::ParentLoop]);
    // As old as each other: by their place in the store.
    assert_eq!(ids(&census, &kin("top").children), ["kid", "fork"]);
    let family: Vec<_> = census.family(place(&census, "top")).into_iter().map(|(at, _)| at).collect();
    assert_eq!(ids(&census, &family), ["top", "kid", "grandkid", "fork"]);
    let kid = briefs[place(&census, "kid").at()].as_ref().expect("a brief");
    let open = kid.told.as_ref().and_then(|told| told.last_unpaired.as_ref()).expect("an open call");
    assert_eq!((open.state, kid.health()), (CallState::OutcomeUnknown, Some(Health::Unknown)));
}

#[test]
fn a_child_of_an_id_that_is_stored_twice_stands_below_the_one_beside_it() {
    let folder = StoreFolder::new();
    folder.session(&Planned::new("twice"));
    folder.session(&Planned { cwd: Some("/srv/other"), ..Planned::new("twice") });
    folder.session(&Planned { cwd: Some("/srv/other"), ..Planned::child("kid", "twice", 1) });
    let store = folder.discover();
    let (_, census) = briefs(&store);
    let tree = census.tree(&|a, b| a.cmp(&b));
    let at = tree.iter().position(|(at, _)| *at == place(&census, "kid")).expect("it is in the tree");
    let above = &store[tree[at - 1].0];
    assert_eq!(store.project_of(above).name, *"--srv-other--");
    // Whichever of the two is opened, the child belongs to its family.
    for root in store.places().filter(|at| store[*at].folder.ends_with("twice")) {
        assert_eq!(census.family(root).len(), 2);
    }
}

#[test]
fn a_log_that_is_refused_by_itself_says_why() {
    let folder = StoreFolder::new();
    let log = Planned::new("one").script(0).plain();
    let log = String::from_utf8(log).expect("text").replace(",\"delegationDepth\":0", "");
    let log = log.replace("\"delegationDepth\":0,", "");
    folder.write("--srv-demo-app--/one/session.jsonl", log.as_bytes());
    let (_, census) = briefs(&folder.discover());
    let [Oddity::Refused { why }] = &*census.kin[0].oddities else { unreachable!("{:?}", census.kin[0].oddities) };
    assert!(why.contains("delegationDepth"), "{why}");
}

#[test]
fn what_does_not_fit_its_place_is_said() {
    let folder = StoreFolder::new();
    let one = Planned::new("one").script(0).zstd();
    folder.write("--srv-demo-app--/one/session.jsonl.zstd", &one);
    folder.write("--srv-other--/one/session.jsonl.zstd", &one);
    folder.write("--srv-demo-app--/two/session.v3.jsonl.zstd", &one);
    let empty = folder.write("--srv-demo-app--/four/session.v3.jsonl.zstd", b"");
    folder.write("--srv-demo-app--/four/session.jsonl.zstd", &Planned::new("four").script(0).zstd());
    let store = folder.discover();
    let (briefs, census) = briefs(&store);
    let odd: Vec<(usize, &Oddity)> =
        census.kin.iter().enumerate().flat_map(|(at, kin)| kin.oddities.iter().map(move |odd| (at, odd))).collect();
    let at = |name: &str| store.sessions.iter().position(|session| session.folder.ends_with(name)).expect(name);
    let [four, one, two, other] = ["four", "--srv-demo-app--/one", "two", "--srv-other--/one"].map(at);
    let place = |at: usize| trajview::store::SessionIx(at as u32);
    assert_eq!(
        odd,
        [
            (four, &Oddity::OlderBeside(0)),
            (one, &Oddity::SameIdTwice(vec![place(two), place(other)])),
            (two, &Oddity::SameIdTwice(vec![place(one), place(other)])),
            (two, &Oddity::NameDiffers { expected: "one".to_owned() }),
            (two, &Oddity::VersionDiffers { name: 3, header: 0 }),
            (other, &Oddity::SameIdTwice(vec![place(one), place(two)])),
            (other, &Oddity::FolderDiffers { expected: "--srv-demo-app--".to_owned() }),
        ]
    );
    let brief = briefs[four].as_ref().expect("a brief");
    assert_eq!((brief.head.as_ref().err(), brief.health()), (Some(&NoHeader::Empty), Some(Health::Bad)));
    std::fs::remove_file(empty).unwrap();
    let gone = store.quick(store.sessions[four].current());
    assert!(matches!(gone.head, Err(NoHeader::Unreadable(_))), "{:?}", gone.head);
}

#[test]
fn a_large_log_is_told_by_its_ends() {
    let folder = StoreFolder::new();
    let planned = Planned {
        log: |script| {
            let mut dice = crate::support::writer::Dice::new(7);
            for _ in 0..800 {
                script.turn();
                script.step();
                let text: String = (0..200).map(|_| char::from(b'a' + dice.below(26) as u8)).collect();
                script.user(&text);
                script.say(&text);
                script.end_step();
                script.end_turn("completed");
            }
            open_call(script);
        },
        ..Planned::new("long")
    };
    folder.session(&planned);
    let store = folder.discover();
    let brief = store.quick(store.sessions[0].current());
    assert_eq!(brief.reach, trajview::store::Reach::Tail);
    let told = brief.told.as_ref().expect("the end was read");
    assert_eq!((told.ended.cause, brief.health()), (StopCause::OpenCall, Some(Health::Unknown)));
    assert_eq!(told.ended.id.as_ref().map(WireText::to_report).as_deref(), Some("call_open"));
    let whole = store.read(store.sessions[0].current(), 2, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let whole = trajview::store::Brief::of(&whole);
    assert_eq!(whole.told, brief.told);
    assert_eq!(whole.whole.as_ref().map(|whole| whole.events), Some(800 * 6 + 5));
}
