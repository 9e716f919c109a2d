//! A filter while the family is shown: it is in force on all members, and what is counted is counted over all of them.

use super::family::{AUDIT, BROKEN, Log, child, focused, list, open, parent};
use super::*;
use crate::app::effect::Effect;

/// A parent with two children, one of them with a child of its own that called `bash`.
pub(super) fn generations() -> Bench {
    let grandchild = Log::new("grand-0003", Some("child-0001"), 2, 1060)
        .labelled("Count lines")
        .begins("Count.")
        .calls(&[("bash", "call_9", "count words", "x")])
        .ends("completed");
    let first = child("child-0001", &AUDIT)
        .calls(&[("subagent", "call_5", "Count lines", "Count.")])
        .result("call_5", "three needles", false)
        .ends("completed");
    let second = child("fail-0002", &BROKEN).ends("error");
    let parent = parent().result("call_1", "a needle", false).result("call_2", "Error", true).ends("completed");
    open(parent, vec![first, second, grandchild])
}

fn title(bench: &Bench) -> String {
    bench.model.timeline_title()[0].clone()
}

#[test]
fn a_block_without_anything_to_show_goes_with_its_head() {
    let mut bench = generations();
    bench.keys("SzMftool:bash<Enter>");
    // Folded, the block that holds it is there all the same.
    assert_eq!(list(&bench), ["\"Audit sources\""]);
    bench.keys("zR");
    let heads = ["\"Audit sources\"", "\"Count lines\""];
    assert_eq!(list(&bench)[..2], heads);
    assert!(!list(&bench).contains(&"\"Broken child\"".to_owned()), "{:?}", list(&bench));
    bench.keys("x");
    assert!(list(&bench).contains(&"\"Broken child\"".to_owned()), "{:?}", list(&bench));
}

#[test]
fn the_cursor_goes_to_what_is_left_when_its_block_goes() {
    let mut bench = generations();
    bench.keys("SzR");
    for row in 0..list(&bench).len() {
        bench.keys("gg").keys(&"j".repeat(row));
        bench.keys("ftool:bash<Enter>");
        let view = bench.model.family.view.as_ref().expect("the family is shown");
        assert!(view.cursor < view.entries.len(), "row {row}");
        bench.keys("fcode:NONE<Enter>");
        assert!(list(&bench).is_empty() && bench.said().contains("hides every row"), "{}", bench.said());
        bench.keys("x");
    }
}

#[test]
fn damage_of_a_child_is_shown_whatever_the_filter() {
    let lost =
        "{\"type\":\"turn/end\",\"seq\":99,\"time\":2000,\"data\":{\"turn\":1,\"reason\":{\"kind\":\"completed\"}}}\n";
    let damaged = child("child-0001", &AUDIT).text() + lost;
    let mut bench = Bench::open(&parent().text(), 140, 45);
    bench.find_kin(&[damaged, child("fail-0002", &BROKEN).text()]);
    bench.keys("SzRfcode:NONE<Enter>");
    assert_eq!(list(&bench)[0], "\"Audit sources\"");
    assert!(!list(&bench).contains(&"\"Broken child\"".to_owned()), "{:?}", list(&bench));
}

#[test]
fn what_is_counted_is_counted_over_the_family() {
    let mut bench = generations();
    let all: u64 = [10, 9, 6, 8].iter().sum();
    bench.keys("S");
    assert_eq!(title(&bench), "by depth: d filters, zm zr fold");
    bench.keys("ftype:turn/end");
    assert_eq!(title(&bench), format!("4 of {all} events, {} hidden by the filter", all - 4));
    assert_eq!(bench.model.events().shown, 4, "the filter line counts the same");
    bench.keys("<Enter>gg");
    let at_home = title(&bench);
    bench.keys("G");
    assert_eq!(title(&bench), at_home, "whoever is focused");
    // By depth too: the opened log alone.
    bench.keys("d");
    assert_eq!(title(&bench), format!("1 of {all} events, {} hidden by the filter", all - 1));
    bench.keys("x");
    assert_eq!(title(&bench), format!("10 of {all} events, {} hidden by the filter", all - 10));
    // Back in the panes the log in them is counted.
    bench.keys("dddqftype:turn/end<Enter>");
    assert!(title(&bench).starts_with("1 of "), "{}", title(&bench));
}

#[test]
fn what_a_fork_copied_is_not_counted_again() {
    let parent = parent().ends("completed").text();
    let copied = parent.lines().count() as u64 - 1;
    let events: String = parent.lines().skip(1).fold(String::new(), |all, line| all + line + "\n");
    let fork = format!(
        "{{\"type\":\"session\",\"version\":0,\"id\":\"fork-0009\",\"createdAt\":2000,\"cwd\":\"/w\",\
         \"parentSession\":\"parent-0001\",\"delegationDepth\":0,\"seedLength\":{copied}}}\n{events}\
         {{\"type\":\"session/end-seed\",\"seq\":{copied},\"time\":2000,\"data\":{{}}}}\n"
    );
    let mut bench = Bench::open(&parent, 140, 45);
    bench.find_kin(&[fork]);
    bench.keys("SzRf(type:turn/end or type:session/end-seed)<Enter>");
    let all = copied + 1;
    assert_eq!(title(&bench), format!("2 of {all} events, {} hidden by the filter", all - 2));
}

#[test]
fn texts_of_all_members_are_looked_at() {
    let mut bench = generations();
    bench.keys("SzRftext~needle<Enter>");
    assert!(bench.model.sifting().is_none(), "it ended");
    let rows = list(&bench);
    assert!(rows.contains(&"\"Audit sources\"".to_owned()), "the child says three needles: {rows:?}");
    assert!(title(&bench).starts_with("2 of "), "{}", title(&bench));
    // Moving from one to the other changes nothing, and asks nothing again.
    bench.left.clear();
    bench.keys("ggG");
    assert_eq!((list(&bench), &*bench.left), (rows, &[][..]));
}

/// The next question about texts, not answered.
fn asked(effects: &[Effect]) -> Option<(Epoch, Ticket)> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Sift { epoch, ticket, .. } => Some((*epoch, *ticket)),
        _ => None,
    })
}

fn answer((epoch, ticket): (Epoch, Ticket), rows: &[u32], done: bool) -> Message {
    Message::Sifted { epoch, ticket, rows: rows.iter().map(|row| RowIx(*row)).collect(), looked_at: 3, done }
}

#[test]
fn members_are_looked_at_one_after_the_other_and_stale_answers_are_dropped() {
    let mut bench = generations();
    bench.keys("SzRgg");
    let model = &mut bench.model;
    let mut press = |keys: &str| {
        let keys = keys.chars().map(|char| if char == '\n' { Key::plain(KeyCode::Enter) } else { Key::char(char) });
        keys.flat_map(|key| update(model, Message::Pressed(key))).collect::<Vec<Effect>>()
    };
    let effects = press("ftext~needle\n");
    let first = asked(&effects).expect("the log in the panes is looked at first");
    assert_eq!(first.0, bench.model.epoch);
    // A child's answer that nobody asked for.
    let stray = (bench.model.family.members[1].epoch, first.1);
    update(&mut bench.model, answer(stray, &[4], true));
    assert_eq!(bench.model.events().shown, 0);
    let mut seen = vec![first.0];
    let mut next = Some(first);
    while let Some(question) = next {
        let effects = update(&mut bench.model, answer(question, &[2], true));
        next = asked(&effects);
        seen.extend(next.map(|(epoch, _)| epoch));
    }
    assert_eq!((seen.len(), bench.model.events().shown), (4, 4));
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 4, "each once");
}

#[test]
fn looking_stops_with_the_view_and_by_a_key() {
    let mut bench = generations();
    bench.keys("Sgg");
    let press = |bench: &mut Bench, key: Key| update(&mut bench.model, Message::Pressed(key));
    let mut effects = Vec::new();
    for char in "ftext~needle".chars() {
        effects.extend(press(&mut bench, Key::char(char)));
    }
    effects.extend(press(&mut bench, Key::plain(KeyCode::Enter)));
    let home = asked(&effects).expect("it is looked at");
    let effects = update(&mut bench.model, answer(home, &[6], true));
    assert!(asked(&effects).is_some_and(|(epoch, _)| epoch != home.0), "then a child");
    assert_eq!(press(&mut bench, Key::char('q')), [Effect::StopSift]);
    assert!(bench.model.sifting().is_none() && focused(&bench) == 0);
    // Shown again it goes on where it was.
    let effects = press(&mut bench, Key::char('S'));
    assert!(asked(&effects).is_some(), "{effects:?}");
    let effects = press(&mut bench, Key::ctrl('c'));
    assert_eq!((effects, bench.model.sifting()), (vec![Effect::StopSift], None));
}
