use super::*;
use crate::log::sample::{self, Block};
use crate::log::source::MemorySource;
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn tail_of(bytes: &[u8], budget: u64) -> Option<Tail> {
    let source = MemorySource::new(bytes.to_vec());
    find_tail(&source, bytes.len() as u64, budget).unwrap()
}

fn all_of(bytes: &[u8]) -> Vec<Part> {
    walk_from(&MemorySource::new(bytes.to_vec()), 0, bytes.len() as u64).unwrap()
}

/// The parts of the whole log that lie within the last bytes.
fn suffix(bytes: &[u8], budget: u64) -> Vec<Part> {
    let from = (bytes.len() as u64).saturating_sub(budget);
    let all = all_of(bytes).into_iter();
    all.filter(|part| part.offset() >= from).collect()
}

#[test]
fn the_tail_is_the_end_of_the_whole_walk() {
    let frames = sample::log_of(60);
    let whole = frames.concat();
    let torn = &whole[..whole.len() - 11];
    let bit = [&whole[..], b"\x28\xB5"].concat();
    for bytes in [&whole[..], torn, &bit] {
        for budget in 1..bytes.len() as u64 + 9 {
            let parts = tail_of(bytes, budget).map(|tail| tail.parts);
            let expected = suffix(bytes, budget);
            let lone_rest = matches!(expected[..], [Part::Torn { len: ..4, .. }]);
            if expected.is_empty() || lone_rest {
                assert_eq!(parts, None, "budget {budget}");
            } else {
                assert_eq!(parts.unwrap(), expected, "budget {budget}");
            }
        }
    }
}

#[test]
fn markers_in_payloads_mislead_nobody() {
    let inner = sample::frame(b"{\"seq\":7}\n");
    let mut payload = inner.clone();
    payload.extend(MAGIC);
    payload.extend([0, 0x38, 0x08, 0, 0]);
    payload.extend(&inner);
    payload.extend(b" and more text");
    let outer = sample::by_hand(17, &[Block::Raw(&payload)]);
    let good = sample::frame(b"{\"seq\":1}\n");
    let bytes = [&good[..], &outer, &good, &outer, &good].concat();
    for budget in 1..=bytes.len() as u64 {
        let parts = tail_of(&bytes, budget).map(|tail| tail.parts);
        let expected = suffix(&bytes, budget);
        assert_eq!(parts.unwrap_or_default(), expected, "budget {budget}");
    }
}

#[test]
fn damage_in_the_tail_is_passed() {
    let good = sample::frame(b"{\"seq\":1}\n");
    let len = good.len() as u64;
    // Zeroes at the end: the last frames are found, and the zeroes told.
    let zeroes = [&good.repeat(9)[..], &[0; 500]].concat();
    let tail = tail_of(&zeroes, 500 + 3 * len).unwrap();
    assert_eq!(tail.parts, suffix(&zeroes, 500 + 3 * len));
    assert!(matches!(tail.parts.last(), Some(Part::Foreign { len: 500, .. })));
    // Garbage between frames: the tail begins behind it.
    let gap = [&good.repeat(9)[..], b"garbage", &good, &good].concat();
    let tail = tail_of(&gap, 4 * len + 7).unwrap();
    assert_eq!(tail.parts, suffix(&gap, 2 * len));
    // A damaged frame first: the tail begins behind it; in the middle it is part of it.
    let mut bad = good.clone();
    bad[len as usize - 1] ^= 1;
    let first = [&good[..], &bad, &good, &bad, &good].concat();
    let tail = tail_of(&first, 4 * len).unwrap();
    assert_eq!(tail.parts, suffix(&first, 3 * len));
    assert_eq!(tail.parts.len(), 3);
    // Nothing but garbage, nothing at all, one frame larger than the budget.
    assert_eq!(tail_of(&[7; 5000], 100), None);
    assert_eq!(tail_of(b"", 100), None);
    let noise: Vec<u8> = (0..90_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert_eq!(tail_of(&sample::frame(&noise), 100), None);
}

#[test]
fn a_file_within_the_budget_is_its_own_tail() {
    let bytes = [&b"garbage"[..], &sample::log_of(5).concat()].concat();
    let tail = tail_of(&bytes, bytes.len() as u64).unwrap();
    assert_eq!(tail.parts, all_of(&bytes));
    assert_eq!(tail.offset(), 0);
}

struct Counting(MemorySource, AtomicU64);

impl Source for Counting {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read_at(offset, buf)?;
        self.1.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[test]
fn the_cost_does_not_grow_with_the_file() {
    let one = sample::log_of(200).concat();
    for times in [10, 100] {
        let bytes = one.repeat(times);
        let size = bytes.len() as u64;
        let source = Counting(MemorySource::new(bytes), AtomicU64::new(0));
        find_tail(&source, size, 20_000).unwrap().unwrap();
        assert!(source.1.load(Ordering::Relaxed) < 100_000);
    }
}

#[test]
fn plain_tails_start_at_a_line() {
    let text = b"one\ntwo\nthree\nfour";
    let source = MemorySource::new(text.to_vec());
    let size = text.len() as u64;
    for (budget, expected) in [
        (1, None),
        (3, None),
        (4, Some(14)),
        (5, Some(14)),
        (9, Some(14)),
        (10, Some(8)),
        (14, Some(4)),
        (17, Some(4)),
        (18, Some(0)),
        (99, Some(0)),
    ] {
        assert_eq!(plain_tail(&source, size, budget).unwrap(), expected, "{budget}");
    }
    // A newline at the very end starts no line.
    let source = MemorySource::new(b"one long line\n".to_vec());
    assert_eq!(plain_tail(&source, 14, 5).unwrap(), None);
    assert_eq!(plain_tail(&source, 0, 5).unwrap(), Some(0));
}

proptest! {
    #[test]
    fn any_tail_is_contiguous_to_the_end(
        pieces in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..20),
                Just(MAGIC.to_vec()),
                proptest::collection::vec(any::<u8>(), 0..60).prop_map(|text| sample::frame(&text)),
                proptest::collection::vec(any::<u8>(), 0..9).prop_map(|b| sample::skippable(&b)),
            ],
            0..10,
        ),
        budget in 0u64..400,
    ) {
        let bytes = pieces.concat();
        if let Some(tail) = tail_of(&bytes, budget) {
            let mut at = tail.offset();
            prop_assert!(!tail.parts.is_empty());
            for part in &tail.parts {
                prop_assert_eq!(part.offset(), at);
                at = part.end();
            }
            prop_assert_eq!(at, bytes.len() as u64);
        }
    }
}
