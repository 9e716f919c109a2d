//! A search of all sessions: which are asked for first, what is taken in, where Enter leads.

use super::*;
use crate::app::list::hits::{Hit, HitLine, MOST_QUOTED, Passages, Reached, Seen, look_through};
use crate::session::row::RowIx;

fn hits(bench: &Bench) -> &Hits {
    list(bench).hits.as_ref().expect("something is searched")
}

fn hit(place: &str) -> Hit {
    Hit { place: place.to_owned(), kind: "session/title".to_owned(), quote: "the needle".to_owned() }
}

pub(super) fn passages(at: u32, places: &[&str]) -> Passages {
    Passages { at: SessionIx(at), hits: places.iter().map(|place| hit(place)).collect(), further: 0 }
}

/// An answer of a search that is through so many sessions.
fn found(ticket: Ticket, found: Vec<Passages>, looked_at: usize, done: bool) -> Message {
    Message::FoundInSessions { ticket, found, looked_at, unreadable: 0, done }
}

/// A list that searches for `needle`, and the order in which its sessions are asked for.
fn searching(columns: u16, rows: u16) -> (Bench, Ticket, Vec<SessionIx>) {
    let mut bench = shown(&Folders::with(&SESSIONS), columns, rows);
    bench.keys("/needle<Enter>");
    let asked = bench.left.iter().find_map(|effect| match effect {
        Effect::SearchSessions { ticket, needle, order } if needle.text() == "needle" => Some((*ticket, order.clone())),
        _ => None,
    });
    let (ticket, order) = asked.expect("it is searched");
    bench.left.clear();
    (bench, ticket, order)
}

#[test]
fn all_sessions_are_searched_and_those_on_the_screen_first() {
    let mut bench = shown(&Folders::with(&SESSIONS), 80, 7);
    bench.keys("zMG");
    let on_screen: Vec<SessionIx> = list(&bench)
        .on_screen()
        .iter()
        .filter_map(|line| if let Line::Session { at, .. } = line { Some(*at) } else { None })
        .collect();
    bench.left.clear();
    bench.keys("/x<Enter>");
    let [Effect::SearchSessions { order, .. }] = &*bench.left else { unreachable!("{:?}", bench.left) };
    assert!(!on_screen.is_empty() && order.starts_with(&on_screen), "{on_screen:?} {order:?}");
    // What is folded away is searched too, and nothing twice.
    let mut all = order.clone();
    all.sort_unstable();
    assert_eq!(all, (0..6).map(SessionIx).collect::<Vec<_>>());
}

#[test]
fn what_comes_in_moves_no_row_and_stale_answers_are_dropped() {
    let (mut bench, ticket, _) = searching(100, 30);
    bench.send(found(ticket, vec![passages(3, &["4"])], 1, false));
    bench.keys("j");
    bench.send(found(ticket, vec![passages(3, &["9"]), passages(1, &["2"])], 2, false));
    let expected =
        [HitLine::Session(0), HitLine::Hit(0, 0), HitLine::Hit(0, 1), HitLine::Session(1), HitLine::Hit(1, 0)];
    assert_eq!((&*hits(&bench).lines, hits(&bench).state.cursor), (&expected[..], 1));
    bench.send(found(Ticket(ticket.0 - 1), vec![passages(0, &["1"])], 6, true));
    assert_eq!((hits(&bench).lines.len(), hits(&bench).reached), (5, Reached::Running));
    bench.send(found(ticket, Vec::new(), 6, true));
    assert_eq!((hits(&bench).matches(), hits(&bench).reached), (3, Reached::End));
}

#[test]
fn a_search_is_stopped_and_what_it_found_stays() {
    let (mut bench, ticket, _) = searching(100, 30);
    bench.send(found(ticket, vec![passages(3, &["4"])], 2, false));
    bench.keys("<C-c>");
    assert_eq!(bench.left, [Effect::StopSearchingSessions]);
    // What was on its way already comes too late.
    bench.send(found(ticket, vec![passages(1, &["2"])], 3, false));
    assert_eq!((hits(&bench).matches(), hits(&bench).reached), (1, Reached::Stopped));
    let words = bench.model.settings.words.clone();
    let (hits, stock) = list(&bench).searched().expect("something is searched");
    let title: String = hits.title(stock, &words).fit(120).iter().map(|span| span.text.clone()).collect();
    assert!(title.contains("stopped: 4 sessions not searched"), "{title}");
}

#[test]
fn more_than_is_quoted_is_counted_and_said() {
    let (mut bench, ticket, _) = searching(100, 30);
    let further = |n| Passages { further: n, ..passages(3, &[]) };
    bench.send(found(ticket, vec![Passages { further: 2, ..passages(3, &["4"]) }], 0, false));
    bench.send(found(ticket, vec![further(5)], 1, false));
    assert_eq!(hits(&bench).lines, [HitLine::Session(0), HitLine::Hit(0, 0), HitLine::Further(0)]);
    assert_eq!(hits(&bench).further(0, &bench.model.settings.words), "and 7 more: search in the session itself");
    let many: Vec<String> = (0..MOST_QUOTED).map(|seq| seq.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    bench.send(found(ticket, vec![passages(1, &many)], 2, true));
    assert_eq!(hits(&bench).reached, Reached::Full);
}

#[test]
fn enter_opens_the_session_at_the_match_with_the_search_in_force() {
    let (mut bench, ticket, _) = searching(100, 30);
    bench.send(found(ticket, vec![passages(1, &["1", "2"])], 6, true));
    bench.keys("jj<Enter>");
    let path = PathBuf::from("/store/--w-app--/session-a1/session.jsonl");
    assert_eq!(bench.left, [Effect::StopTelling, Effect::OpenStored { epoch: Epoch(1), path }]);
    bench.left.clear();
    bench.read(Written::new().turn(1).step(1, 1).turn_end(1, "completed").text());
    assert_eq!(bench.seq(), Some(2));
    assert_eq!(bench.model.search.as_ref().map(|search| search.needle.text()), Some("needle"));
    // Back among what was found, on the same row: first out of the search, then out of the log.
    bench.keys("qq");
    assert_eq!(hits(&bench).state.cursor, 2);
    bench.keys("q");
    assert!(list(&bench).hits.is_none() && list(&bench).is_shown && !bench.model.leaving);
}

#[test]
fn a_heading_opens_the_first_match_and_j_k_go_from_heading_to_heading() {
    let (mut bench, ticket, _) = searching(100, 30);
    bench.send(found(ticket, vec![passages(1, &["1", "2"]), passages(4, &["L7"])], 6, true));
    let opens = |bench: &Bench| hits(bench).openable().map(|(at, hit)| (at.0, hit.place.clone()));
    assert_eq!(opens(&bench), Some((1, "1".to_owned())));
    bench.keys("J");
    assert_eq!(opens(&bench), Some((4, "L7".to_owned())));
    bench.keys("n");
    assert_eq!(opens(&bench), Some((4, "L7".to_owned())));
    // To the heading that the match stands below, then to the one before.
    bench.keys("KK");
    assert_eq!(opens(&bench), Some((1, "1".to_owned())));
}

#[test]
fn a_bad_pattern_is_told_and_nothing_is_searched() {
    let mut bench = shown(&Folders::with(&SESSIONS), 100, 30);
    bench.keys("//(/");
    assert!(bench.model.input.as_ref().is_some_and(|input| input.problem.is_some()));
    bench.keys("<Enter>");
    assert!(list(&bench).hits.is_none() && bench.left.is_empty(), "{:?}", bench.left);
    bench.keys("/<Enter>");
    assert!(list(&bench).hits.is_none());
}

#[test]
fn a_store_that_is_listed_again_is_searched_again() {
    let (mut bench, ticket, _) = searching(100, 30);
    bench.send(found(ticket, vec![passages(1, &["1"])], 6, true));
    let listing = list(&bench).ticket();
    bench.send(Message::Listed { ticket: listing, found: Ok(Folders::with(&SESSIONS[..3]).found()) });
    let asked = bench.left.iter().find_map(|effect| match effect {
        Effect::SearchSessions { ticket, order, .. } => Some((*ticket, order.len())),
        _ => None,
    });
    assert!(asked.is_some_and(|(again, sessions)| again > ticket && sessions == 3), "{asked:?}");
    assert!(hits(&bench).found.is_empty());
}

#[test]
fn the_rules_are_those_of_a_search_in_the_log() {
    let log = Written::new()
        .event("session/title", r#""title":"say \"needle\" aloud""#)
        .event("session/title", r#""title":"NEEDLE\u0021""#)
        .event("session/title", r#""title":"nothing""#);
    let bench = Bench::open(log.text(), 100, 30);
    let session = Arc::clone(&bench.model.open.as_ref().expect("it is open").session);
    for (typed, expected) in [
        ("\"needle\"", &[("0", "say \"needle\" aloud")][..]),
        ("needle", &[("0", "say \"needle\" aloud"), ("1", "NEEDLE!")]),
        ("NEEDLE!", &[("1", "NEEDLE!")]),
        ("/noth.ng/", &[("2", "nothing")]),
    ] {
        let needle = crate::query::Needle::parse(typed).expect("it is one");
        let mut found = Vec::new();
        let mut lines = Texts(log.text().lines().map(|line| line.as_bytes().to_vec()).collect());
        let end = look_through(&needle, &session, &mut lines, &mut |seen| {
            if let Seen::Hit(hit) = seen {
                found.push((hit.place, hit.quote));
            }
            ControlFlow::Continue(())
        });
        let found: Vec<(&str, &str)> = found.iter().map(|(place, quote)| (&**place, &**quote)).collect();
        assert_eq!((end, &*found), (ControlFlow::Continue(()), expected), "{typed}");
    }
}

/// The lines of a plain log, the header first.
struct Texts(Vec<Vec<u8>>);

impl crate::query::selection::Lines for Texts {
    fn line(&mut self, ix: RowIx) -> Option<std::borrow::Cow<'_, [u8]>> {
        self.0.get(ix.as_usize() + 1).map(Into::into)
    }
}
