use super::log::open_call;
use crate::app::bench::Bench;
use crate::app::memory::Left;
use crate::app::memory::{Kept, Memory};
use crate::app::model::Settings;
use crate::app::selection::Selection;
use crate::app::update::parting;

/// A model that remembers.
fn with(memory: Memory) -> Bench {
    let settings = Settings { memory: Some(memory), folder: "/home/u".into(), ..Settings::default() };
    let mut bench = Bench::with(settings, 140, 45);
    bench.read(&open_call());
    bench
}

fn left(bench: &mut Bench) -> Left {
    parting(&mut bench.model).and_then(|parting| parting.left).expect("a log is open")
}

fn again(bench: &mut Bench) -> Bench {
    let mut memory = Memory::default();
    memory.take(left(bench), 0);
    with(memory)
}

#[test]
fn a_log_is_opened_as_it_was_left() {
    let mut bench = with(Memory::default());
    bench.keys("ggjjjma").keys("zR");
    let seq = bench.seq();
    let mut next = again(&mut bench);
    assert_eq!(next.seq(), seq);
    assert_eq!(next.model.timeline.folds, bench.model.timeline.folds);
    assert!(next.said().starts_with("as it was left, at seq"), "{}", next.said());
    next.keys("G'a");
    assert_eq!(next.seq(), seq);
}

#[test]
fn a_filter_comes_back_and_is_told() {
    let mut bench = with(Memory::default());
    bench.keys("v");
    let mut next = again(&mut bench);
    assert_eq!(next.model.selection, bench.model.selection);
    assert!(next.said().contains("with filter is:surface"), "{}", next.said());
    // Cleared, it does not come back.
    next.keys("x");
    assert_eq!(again(&mut next).model.selection, Selection::All);
}

#[test]
fn what_was_not_touched_is_not_remembered() {
    let mut bench = with(Memory::default());
    assert!(left(&mut bench).is_plain(0));
    bench.keys("ggG");
    let start = with(Memory::default()).seq();
    bench.keys("u");
    assert_eq!(bench.seq(), start);
    assert!(left(&mut bench).is_plain(0));
}

#[test]
fn a_key_that_was_pressed_before_goes_before_what_is_remembered() {
    let mut bench = with(Memory::default());
    bench.keys("gg");
    let mut memory = Memory::default();
    memory.take(left(&mut bench), 0);
    let settings = Settings { memory: Some(memory), folder: "/home/u".into(), ..Settings::default() };
    let mut late = Bench::with(settings, 140, 45);
    late.keys("j");
    late.read(&open_call());
    assert_ne!(late.seq(), bench.seq());
}

#[test]
fn a_place_of_the_command_line_goes_before_what_is_remembered() {
    let mut bench = with(Memory::default());
    bench.keys("gg");
    let mut memory = Memory::default();
    memory.take(left(&mut bench), 0);
    let go_to = Some("3".to_owned());
    let settings = Settings { memory: Some(memory), folder: "/home/u".into(), go_to, ..Settings::default() };
    let mut next = Bench::with(settings, 140, 45);
    next.read(&open_call());
    assert_eq!(next.seq(), Some(3));
}

#[test]
fn hostile_memory_does_no_harm() {
    let mut bench = with(Memory::default());
    let log = left(&mut bench).log;
    let wild = [
        Kept { seq: Some(i64::MAX), later: u32::MAX, line: Some(u64::MAX), from_end: u32::MAX },
        Kept { seq: Some(i64::MIN), ..Kept::default() },
        Kept { seq: None, line: Some(0), ..Kept::default() },
        Kept::default(),
    ];
    for query in ["", "((((", "type:x or", "text~/(a*)*b/", "\u{1b}[31m", "seq:99999999999999999999.."] {
        for at in wild {
            let left = Left {
                log: log.clone(),
                at: Some(at),
                unfold: 255,
                runs: wild.to_vec(),
                rows: wild.to_vec(),
                view: "\u{0}".into(),
                hidden_types: vec!["\u{1b}".into(), String::new()],
                query: query.into(),
                marks: vec![('\u{1b}', at), ('a', at)],
            };
            let mut next = with(Memory { logs: vec![left], ..Memory::default() });
            next.keys("'ajkGgg");
            assert!(!next.said().contains('\u{1b}'));
        }
    }
}

#[test]
fn another_log_under_the_same_path_is_another_log() {
    let mut bench = with(Memory::default());
    bench.keys("gg");
    let mut memory = Memory::default();
    let mut other = left(&mut bench);
    other.log.session.push('x');
    memory.take(other, 0);
    assert_ne!(with(memory).seq(), bench.seq());
}
