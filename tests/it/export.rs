//! Export ZIPs: in the shape that the harness writes, and made to mislead.

use std::path::{Path, PathBuf};

use serde_json::Value;
use trajview::log::Content;
use trajview::report::{exit, stored, text};
use trajview::store::{Health, NoHeader, OtherKind, Problem, RootKind, Store, WhyEmpty, survey};
use trajview::text::locale::Words;
use trajview::text::time::Zone;

use crate::support::agree::list;
use crate::support::stored::{Planned, briefs, ids, open_call, place};
use crate::support::zipped::{RawEntry, by_hand, commented, counting, exported, look_into, with_zip64};

fn plain(planned: &Planned<'_>, version: i64) -> Vec<u8> {
    planned.script(version).plain()
}

fn export() -> Vec<u8> {
    let child = Planned { log: open_call, ..Planned::child("kid:1", "session-top", 1) };
    exported(&[
        ("session.jsonl", &plain(&Planned { log: open_call, ..Planned::new("session-top") }, 0)),
        ("subagents/kid_1/session.jsonl", &plain(&child, 0)),
        ("media/sha256:00ff.png", b"\x89PNG\r\n\x1a\n"),
    ])
}

fn report(store: Store) -> (Value, String, u8) {
    let mut worst = exit::FINE;
    let survey = survey(store, 2, &mut |_, session| worst = worst.max(exit::status(&session.facts)), &mut |_, _| {});
    let (mut json, mut page) = (Vec::new(), Vec::new());
    stored::write(&survey, &mut json).expect("memory takes it");
    text::store::write(&survey, &Words::english(), &Zone::utc(), &mut page).expect("memory takes it");
    let page = String::from_utf8(page).expect("the page is text");
    (serde_json::from_slice(&json).expect("the report is JSON"), page, exit::store_status(&survey, worst))
}

#[test]
fn an_export_is_a_session_with_its_children_and_attachments() {
    let store = look_into(&export()).unwrap();
    assert_eq!((store.kind, store.sessions.len()), (RootKind::Export, 2));
    let (found, census) = briefs(&store);
    assert!(census.kin.iter().all(|kin| kin.oddities.is_empty()), "{:?}", census.kin);
    let top = place(&census, "session-top");
    assert_eq!(top.0, 0, "the session that was exported comes first");
    assert_eq!(ids(&census, &census.kin[0].children), ["kid:1"]);
    assert!(found.iter().flatten().all(|brief| brief.health() == Some(Health::Unknown)));
    let [file] = &*store.other_files else { unreachable!("{:?}", store.other_files) };
    assert_eq!((file.kind, file.size, file.media_type()), (OtherKind::Attachment, Some(8), Some("image/png")));
    assert_eq!(file.path, Path::new("dsh-session-x.zip/media/sha256:00ff.png"));
    assert!(store.problems.is_empty(), "{:?}", store.problems);

    let (json, page, status) = report(store);
    assert_eq!((&json["kind"], status), (&Value::from("export"), exit::WRONG));
    assert_eq!(json["sessions"][0]["folder"], Value::Null);
    assert_eq!(json["attachments"][0]["type"], "image/png");
    assert_eq!(json["lineages"][0]["deepest_open"]["session"], "kid:1");
    for text in ["export ZIP", "can differ from the store", "media/sha256:00ff.png   attachment   image/png   8 B"] {
        assert!(page.contains(text), "{text}\n{page}");
    }
}

#[test]
fn exports_of_later_versions_and_packed_folders_are_read() {
    let planned = Planned::new("a");
    let v3 = plain(&planned, 3);
    let zstd = planned.script(0).zstd();
    for (entries, kind, count) in [
        (vec![("session.v3.jsonl", &v3[..]), ("files/ab/abcd/notes.txt", b"x")], RootKind::Export, 1),
        (vec![("around/session.v3.jsonl", &v3), ("around/subagents/b/session.v3.jsonl", &v3)], RootKind::Export, 2),
        (vec![("--srv-demo-app--/a/session.jsonl.zstd", &zstd[..])], RootKind::Sessions, 1),
        (vec![("notes.txt", b"x")], RootKind::Export, 0),
    ] {
        let store = look_into(&exported(&entries)).unwrap();
        assert_eq!((store.kind, store.sessions.len()), (kind, count), "{entries:?}");
        let (found, _) = briefs(&store);
        assert!(found.iter().flatten().all(|brief| brief.health() == Some(Health::Fine)), "{entries:?}");
    }
    assert_eq!(look_into(&exported(&[])).unwrap().why_empty(), Some(WhyEmpty::Nothing));
}

fn problems(store: &Store) -> Vec<(PathBuf, String)> {
    let bad = |problem: &Problem| match problem {
        Problem::BadEntry { path, why } => (path.clone(), why.clone()),
        other => unreachable!("{other:?}"),
    };
    store.problems.iter().map(bad).collect()
}

#[test]
fn hostile_names_are_told_and_lead_nowhere() {
    let log = plain(&Planned::new("a"), 0);
    let names: [&[u8]; 5] = [b"../session.jsonl", b"/etc/passwd", b"a\0b", b"subagents/../session.jsonl", b"a//b"];
    let mut entries: Vec<RawEntry> = names.iter().map(|name| RawEntry::new(name, b"x")).collect();
    entries.push(RawEntry::new(b"session.jsonl", &log));
    let store = look_into(&by_hand(&entries, 0)).unwrap();
    assert_eq!((store.sessions.len(), store.other_files.len()), (1, 0));
    assert_eq!(problems(&store).len(), names.len(), "{:?}", problems(&store));
    let (json, page, status) = report(store);
    assert_eq!((list(&json, "not_looked_at").len(), status), (names.len(), exit::WRONG));
    assert!(!page.chars().any(|c| c.is_control() && c != '\n'), "{page:?}");
    assert!(page.contains("its name is an absolute path"), "{page}");
}

#[test]
fn a_name_that_comes_twice_is_told() {
    let log = plain(&Planned::new("a"), 0);
    let entry = RawEntry::new(b"session.jsonl", &log);
    let store = look_into(&by_hand(&[entry.clone(), entry], 0)).unwrap();
    assert_eq!(store.sessions.len(), 1);
    assert!(problems(&store)[0].1.contains("come twice"));
}

#[test]
fn an_entry_that_lies_about_itself_is_read_as_far_as_it_goes() {
    let log = plain(&Planned::new("a"), 0);
    let sound = RawEntry::new(b"session.jsonl", &log);
    let mut cut = sound.clone();
    cut.stored.truncate(sound.stored.len() - 20);
    for (what, entry) in [
        ("checksum", RawEntry { crc: sound.crc ^ 1, ..sound.clone() }),
        ("longer than it says", RawEntry { size: sound.size - 5, ..sound.clone() }),
        ("cut off", cut),
    ] {
        let store = look_into(&by_hand(&[entry], 0)).unwrap();
        let brief = store.quick(store.sessions[0].current());
        assert!(brief.flaw.is_some() || brief.head.is_err(), "{what}: {brief:?}");
        assert_eq!(brief.health(), Some(Health::Bad), "{what}");
        assert_eq!(report(store).2, exit::WRONG, "{what}");
    }
    let flawed = look_into(&by_hand(&[RawEntry { crc: 0, ..sound.clone() }], 0)).unwrap();
    let whole = flawed.quick(flawed.sessions[0].current()).whole;
    assert_eq!(whole.map(|whole| whole.events), Some(6), "a wrong checksum hides nothing");
    // A size that is too large promises what does not come, and is only a number.
    let store = look_into(&by_hand(&[RawEntry { size: 1 << 30, ..sound }], 0)).unwrap();
    assert!(store.quick(store.sessions[0].current()).head.is_ok());
}

#[test]
fn what_cannot_be_inflated_is_a_session_with_its_reason() {
    let log = plain(&Planned::new("a"), 0);
    let sound = RawEntry::new(b"session.jsonl", &log);
    for entry in [RawEntry { method: 99, ..sound.clone() }, RawEntry { flags: 1, ..sound.clone() }] {
        let store = look_into(&by_hand(&[entry], 0)).unwrap();
        let brief = store.quick(store.sessions[0].current());
        assert!(matches!(&brief.head, Err(NoHeader::Unreadable(why)) if !why.is_empty()), "{:?}", brief.head);
    }
    let other = RawEntry { name: b"subagents/b/session.jsonl".to_vec(), ..sound.clone() };
    let store = look_into(&by_hand(&[sound, other], 1)).unwrap();
    assert!(problems(&store)[0].1.contains("overlap"));
    let (found, _) = briefs(&store);
    assert!(found.iter().flatten().all(|brief| matches!(brief.head, Err(NoHeader::Unreadable(_)))), "{found:?}");
}

#[test]
fn a_list_that_differs_from_the_entries_is_told() {
    let sound = RawEntry::new(b"session.jsonl", &plain(&Planned::new("a"), 0));
    let other = RawEntry { name: b"subagents/b/session.jsonl".to_vec(), ..sound.clone() };
    let one = by_hand(std::slice::from_ref(&sound), 0);
    let patched = |at: usize, bytes: &[u8]| {
        let mut archive = one.clone();
        archive[at..at + bytes.len()].copy_from_slice(bytes);
        archive
    };
    for (what, archive) in [
        ("another name", patched(30, b"/etc/passwd_x")),
        ("another method", patched(8, &[0, 0])),
        ("another size", patched(22, &[1, 0, 0, 0])),
        ("an entry that is not listed", counting(by_hand(&[sound, other], 0), 1)),
    ] {
        let store = look_into(&archive).unwrap();
        assert_eq!(store.sessions.len(), 1, "{what}: the list is gone by");
        assert!(problems(&store)[0].1.contains("the list of entries and the entries differ"), "{what}");
        assert_eq!(report(store).2, exit::WRONG, "{what}");
    }
    // The end of another archive in the comment: its list is empty, and what stands before it is not nothing.
    let store = look_into(&commented(one, &exported(&[]))).unwrap();
    assert_eq!((store.sessions.len(), store.why_empty()), (0, Some(WhyEmpty::Unlisted)), "{:?}", store.problems);
}

#[test]
fn absurd_counts_and_places_are_refused_without_room_for_them() {
    let sound = by_hand(&[RawEntry::new(b"session.jsonl", &plain(&Planned::new("a"), 0))], 0);
    let at = u32::from_le_bytes(sound[sound.len() - 6..sound.len() - 2].try_into().expect("four bytes"));
    let len = (sound.len() - 22 - at as usize) as u64;
    let at = u64::from(at);
    assert_eq!(look_into(&with_zip64(&sound, 1, len, at)).unwrap().sessions.len(), 1, "a sound one is read");
    for (entries, len, place) in [
        (u64::MAX, len, at),
        (1 << 60, u64::MAX, at),
        (1 << 24, len, at),
        (2, len, at),
        (1, len, u64::MAX),
        (1, u64::MAX, 1 << 62),
    ] {
        let looked = look_into(&with_zip64(&sound, entries, len, place));
        let told = looked.as_ref().map(|store| (store.sessions.len(), store.problems.len()));
        assert!(told.is_err() || told.is_ok_and(|(sessions, problems)| sessions + problems > 0), "{looked:?}");
    }
    assert!(look_into(&counting(sound, 500)).is_err());
}

#[test]
fn an_export_of_seventy_thousand_attachments_is_listed() {
    let log = plain(&Planned::new("a"), 0);
    let names: Vec<String> = (0..69_999).map(|at| format!("media/sha256:{at:064x}.png")).collect();
    let media = names.iter().map(|name| (name.as_str(), &b"x"[..]));
    let entries: Vec<(&str, &[u8])> = std::iter::once(("session.jsonl", &log[..])).chain(media).collect();
    let store = look_into(&exported(&entries)).unwrap();
    assert_eq!((store.sessions.len(), store.other_files.len(), store.problems.len()), (1, 69_999, 0));
}

#[test]
fn names_with_signs_of_other_systems_and_of_terminals_are_only_names() {
    let log = plain(&Planned::new("a"), 0);
    let names: [&[u8]; 5] =
        [b"..\\..\\session.jsonl", b"C:\\x", b"\x1b[31mred\x1b]0;t\x07", b"bad\xff", "\u{202e}gnp.exe".as_bytes()];
    let mut entries: Vec<RawEntry> = names.iter().map(|name| RawEntry::new(name, b"x")).collect();
    entries.push(RawEntry::new(b"session.jsonl", &log));
    let store = look_into(&by_hand(&entries, 0)).unwrap();
    assert_eq!((store.sessions.len(), store.other_files.len() + store.problems.len()), (1, names.len()));
    let (_, page, _) = report(store);
    let acts = |char: char| (char.is_control() && char != '\n') || char == '\u{202e}';
    assert!(!page.chars().any(acts), "{page:?}");
    assert!(page.contains("[U+202E]gnp.exe"), "{page}");
}

#[test]
fn an_archive_in_the_place_of_a_log_is_called_one() {
    let inner = export();
    let store = look_into(&exported(&[("session.jsonl", &inner), ("other.zip", &inner)])).unwrap();
    assert_eq!(store.other_files[0].kind, OtherKind::Zip);
    let log = store.sessions[0].current();
    let read = store.read(log, 1, &mut |_| std::ops::ControlFlow::Continue(()));
    for brief in [store.quick(log), store.whole(log, &read)] {
        assert_eq!(brief.head, Err(NoHeader::NotALog(Content::Zip)), "{brief:?}");
    }
    let (_, page, status) = report(store);
    assert!(page.contains("(not a session log)") && !page.contains("nothing yet"), "{page}");
    assert_eq!(status, exit::WRONG);
}

#[test]
fn a_bomb_is_read_without_its_size_in_memory() {
    let mut log = plain(&Planned::new("a"), 0);
    log.extend(vec![b' '; 8 << 20]);
    let bytes = exported(&[("session.jsonl", &log)]);
    assert!(bytes.len() < 64 << 10, "{}", bytes.len());
    let store = look_into(&bytes).unwrap();
    let brief = store.quick(store.sessions[0].current());
    assert!(brief.head.is_ok());
}

#[test]
fn no_cut_and_no_flipped_byte_of_an_archive_panics() {
    let bytes = exported(&[("session.jsonl", &plain(&Planned::new("a"), 0)), ("media/sha256:0.png", b"x")]);
    let look = |bytes: &[u8]| {
        if let Ok(store) = look_into(bytes) {
            let _ = briefs(&store);
            assert!(!store.sessions.is_empty() || store.why_empty().is_some());
        }
    };
    for end in 0..bytes.len() {
        look(&bytes[..end]);
    }
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= [0x01, 0xFF][at % 2];
        look(&bytes);
    }
}
