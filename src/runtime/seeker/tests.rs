use std::cell::Cell;
use std::fs;
use std::path::Path;

use super::*;
use crate::runtime::inbox::Inbox;
use crate::store::{Disk, discover};

/// A store with a session of so many titles for each number; title `n` of a session holds `word n.`
fn store(root: &Path, titles: &[u32]) -> Arc<Store> {
    for (at, titles) in titles.iter().enumerate() {
        let mut text =
            format!(r#"{{"type":"session","version":0,"id":"session-{at}","delegationDepth":0,"cwd":"/w"}}"#);
        for seq in 0..*titles {
            let title = format!(
                "\n{{\"type\":\"session/title\",\"seq\":{seq},\"time\":1,\"data\":{{\"title\":\"word {seq}.\"}}}}"
            );
            text.push_str(&title);
        }
        write(root, at, format!("{text}\n").as_bytes());
    }
    Arc::new(discover(Arc::new(Disk), root, &mut |_| ControlFlow::Continue(())).unwrap())
}

fn write(root: &Path, at: usize, log: &[u8]) {
    let folder = root.join(format!("--w--/session-{at}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("session.jsonl.zstd"), zstd::encode_all(log, 1).unwrap()).unwrap();
}

/// What a search told in the end: places by session, further ones, sessions looked at, unreadable ones, whether it ended.
#[derive(Debug, Default, PartialEq)]
struct Told {
    places: Vec<(u32, Vec<String>)>,
    further: u64,
    looked_at: usize,
    unreadable: usize,
    done: bool,
}

fn search(store: &Arc<Store>, needle: &str, order: &[u32], is_over: &dyn Fn() -> bool) -> Told {
    let (inbox, outbox) = Inbox::open();
    let wanted = Wanted {
        ticket: Ticket(7),
        store: Arc::clone(store),
        needle: Arc::new(Needle::parse(needle).unwrap()),
        order: order.iter().map(|at| SessionIx(*at)).collect(),
    };
    Pass::new(&wanted, &outbox).run(is_over).unwrap();
    let mut told = Told::default();
    while let Some(message) = inbox.next_waiting() {
        let Message::FoundInSessions { ticket, found, looked_at, unreadable, done } = message else {
            unreachable!("{message:?}")
        };
        assert_eq!(ticket, Ticket(7));
        assert!(!told.done, "nothing comes after the end");
        for passages in found {
            let places = passages.hits.into_iter().map(|hit| hit.place);
            match told.places.last_mut().filter(|(at, _)| *at == passages.at.0) {
                Some((_, known)) => known.extend(places),
                None => told.places.push((passages.at.0, places.collect())),
            }
            told.further += passages.further;
        }
        (told.looked_at, told.unreadable, told.done) = (looked_at, unreadable, done);
    }
    told
}

#[test]
fn sessions_are_searched_in_the_order_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path(), &[3, 0, 5]);
    let told = search(&store, "word 2.", &[2, 1, 0], &|| false);
    let places = vec![(2, vec!["2".to_owned()]), (0, vec!["2".to_owned()])];
    assert_eq!(told, Told { places, looked_at: 3, done: true, ..Told::default() });
}

#[test]
fn a_log_that_cannot_be_read_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    store(folder.path(), &[1, 1, 1]);
    write(folder.path(), 0, b"");
    fs::write(folder.path().join("--w--/session-0/session.jsonl.zstd"), b"SQLite format 3\0").unwrap();
    fs::write(folder.path().join("--w--/session-1/session.jsonl.zstd"), b"").unwrap();
    let store = Arc::new(discover(Arc::new(Disk), folder.path(), &mut |_| ControlFlow::Continue(())).unwrap());
    let told = search(&store, "word", &[0, 1, 2], &|| false);
    let places = vec![(2, vec!["0".to_owned()])];
    assert_eq!(told, Told { places, looked_at: 3, unreadable: 1, done: true, ..Told::default() });
}

#[test]
fn further_matches_of_a_session_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path(), &[250, 1]);
    let told = search(&store, "word", &[0, 1], &|| false);
    let quoted: Vec<usize> = told.places.iter().map(|(_, places)| places.len()).collect();
    assert_eq!((&*quoted, told.further, told.done), (&[200, 1][..], 50, true));
}

#[test]
fn a_search_that_nobody_waits_for_ends_inside_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path(), &[2000, 1]);
    let asked = Cell::new(0);
    let told = search(&store, "word 1999.", &[0, 1], &|| {
        asked.set(asked.get() + 1);
        asked.get() > 4
    });
    assert!(!told.done && told.places.is_empty(), "{told:?}");
    assert!(asked.get() < 12, "it looked up {} times", asked.get());
}
