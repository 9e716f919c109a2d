use super::*;
use crate::log::decode::Decoder;
use crate::log::sample::{self, Block, Style};
use crate::log::source::MemorySource;
use proptest::prelude::*;

fn parts_of(bytes: &[u8]) -> Vec<Part> {
    let source = MemorySource::new(bytes.to_vec());
    let mut walk = FrameWalk::new(&source, 0, bytes.len() as u64);
    let mut parts = Vec::new();
    while let Some(part) = walk.next_part().unwrap() {
        parts.push(part);
        assert!(parts.len() <= bytes.len(), "the walk does not end");
    }
    let mut at = 0;
    for part in &parts {
        assert_eq!(part.offset(), at);
        assert!(part.size() > 0);
        at = part.end();
    }
    assert_eq!(at, bytes.len() as u64, "the parts cover the file");
    parts
}

/// `frame`, `skip`, `foreign` or `torn` with the length of each part.
fn shape(bytes: &[u8]) -> Vec<(char, u64)> {
    parts_of(bytes)
        .iter()
        .map(|part| {
            let letter = match part {
                Part::Frame(_) => 'f',
                Part::Skippable { .. } => 's',
                Part::Foreign { .. } => 'x',
                Part::Torn { .. } => 't',
            };
            (letter, part.size())
        })
        .collect()
}

fn letters(bytes: &[u8]) -> String {
    shape(bytes).iter().map(|(letter, _)| letter).collect()
}

#[test]
fn a_whole_log_is_frames_only() {
    let frames = sample::log_of(20);
    let lens: Vec<_> = frames.iter().map(|f| ('f', f.len() as u64)).collect();
    assert_eq!(shape(&frames.concat()), lens);
    assert_eq!(shape(b""), []);
}

#[test]
fn frames_tell_what_their_headers_state() {
    let text = vec![b'a'; 300_000];
    for checksum in [false, true] {
        for content_size in [false, true] {
            let style = Style { checksum, content_size, window_log: 0 };
            let bytes = sample::styled(&text, style);
            let [Part::Frame(frame)] = parts_of(&bytes)[..] else {
                panic!("one frame expected");
            };
            assert_eq!(frame.len, bytes.len() as u64);
            assert_eq!(frame.has_checksum, checksum);
            assert_eq!(frame.content_size, content_size.then_some(300_000));
            assert!(frame.max_decoded >= 300_000);
            assert!(!content_size || frame.max_decoded == 300_000);
            assert_eq!(frame.flaw, Flaw::None);
            assert!(frame.is_small());
        }
    }
}

#[test]
fn raw_and_repeating_blocks_have_an_exact_bound() {
    let bytes = sample::by_hand(20, &[Block::Raw(b"abc"), Block::Repeat(b'x', 1000)]);
    let [Part::Frame(frame)] = parts_of(&bytes)[..] else {
        panic!("one frame expected");
    };
    assert_eq!((frame.blocks, frame.max_decoded), (2, 1003));
    assert_eq!(frame.window, 1 << 20);
}

#[test]
fn damage_has_its_place() {
    let good = sample::frame(b"{\"seq\":1}\n");
    let long = sample::frame(&(0..4000u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
    let skip = sample::skippable(b"12345");
    let reserved = sample::by_hand(17, &[Block::Raw(b"abc"), Block::Reserved(9)]);
    let torn = &long[..long.len() - 5];
    let mut cut_magic = good.clone();
    cut_magic[2] ^= 1;
    let table: Vec<(&str, Vec<&[u8]>, &str)> = vec![
        ("skippable", vec![&good, &skip, &good], "fsf"),
        ("skippable first", vec![&skip, &good], "sf"),
        ("skippable last", vec![&good, &skip], "fs"),
        ("skippable cut", vec![&good, &skip[..9]], "fx"),
        ("one byte behind", vec![&good, b"a"], "ft"),
        ("three bytes behind", vec![&good, b"\0\0\0"], "ft"),
        ("four bytes behind", vec![&good, b"\0\0\0\0"], "fx"),
        ("zero-filled tail", vec![&good, &[0; 5000]], "fx"),
        ("garbage between", vec![&good, b"garbage", &good], "fxf"),
        ("garbage of two bytes between", vec![&good, b"ga", &good], "fxf"),
        ("garbage first", vec![b"garbage", &good], "xf"),
        ("garbage only", vec![b"garbage"], "x"),
        ("garbage before a torn frame", vec![&good, b"garbage", torn], "fxt"),
        ("garbage with a marker", vec![&good, b"ab\x28\xB5\x2F\xFDcd", &good], "fxf"),
        ("marker and nothing", vec![&good, &MAGIC], "ft"),
        ("torn", vec![&good, torn], "ft"),
        ("torn within its head", vec![&good, &good[..5]], "ft"),
        ("cut in the middle", vec![&good, torn, &good], "fxf"),
        ("cut in the middle, torn", vec![&good, torn, &good, torn], "fxft"),
        ("reserved block", vec![&good, &reserved, &good], "fxf"),
        ("damaged magic", vec![&good, &cut_magic, &good], "fxf"),
    ];
    for (name, pieces, expected) in table {
        let bytes = pieces.concat();
        assert_eq!(letters(&bytes), expected, "{name}");
        if expected == "fxf" {
            let lens: Vec<_> = pieces.iter().map(|piece| piece.len() as u64).collect();
            let got: Vec<_> = shape(&bytes).iter().map(|(_, len)| *len).collect();
            assert_eq!(got, lens, "{name}");
        }
    }
}

#[test]
fn markers_inside_payloads_cut_nothing() {
    let inner = sample::frame(b"{\"seq\":7}\n");
    let mut payload = b"before ".to_vec();
    payload.extend(&inner);
    payload.extend(MAGIC);
    payload.extend(b" after, some more of the same line");
    let outer = sample::by_hand(17, &[Block::Raw(&payload), Block::Raw(b"\n")]);
    let good = sample::frame(b"{\"seq\":1}\n");
    assert_eq!(letters(&[&good[..], &outer, &good].concat()), "fff");
    for cut in outer.len() - 4..outer.len() {
        // Only its last block is cut: what stands in the complete one is payload.
        assert_eq!(letters(&[&good[..], &outer[..cut]].concat()), "ft", "{cut}");
    }
    // A bad checksum and a marker inside: in step, so a frame all the same.
    let mut checked = outer.clone();
    checked[4] |= 4;
    checked.extend([1, 2, 3, 4]);
    assert_eq!(letters(&[&good[..], &checked, &good].concat()), "fff");
}

#[test]
fn a_damaged_block_header_does_not_swallow_the_frames_behind() {
    let frames = sample::log_of(12);
    let whole = frames.concat();
    let start: usize = frames[..4].iter().map(Vec::len).sum();
    // The first block header of frame 4 stands behind its head of 6 bytes.
    for bit in 3..24 {
        let mut bytes = whole.clone();
        bytes[start + 6 + bit / 8] ^= 1 << (bit % 8);
        let parts = parts_of(&bytes);
        let good: Vec<_> = parts.iter().filter(|part| matches!(part, Part::Frame(_))).map(Part::offset).collect();
        let mut at = 0;
        for (number, frame) in frames.iter().enumerate() {
            assert!(number == 4 || good.contains(&at), "bit {bit}, frame {number}");
            at += frame.len() as u64;
        }
    }
}

#[test]
fn a_walk_goes_on_from_any_part() {
    let good = sample::frame(b"{\"seq\":1}\n");
    let bytes = [&good[..], b"garbage", &good, &sample::skippable(b""), &good, b"x"].concat();
    let source = MemorySource::new(bytes.clone());
    let parts = parts_of(&bytes);
    for (place, part) in parts.iter().enumerate() {
        let mut walk = FrameWalk::new(&source, part.offset(), bytes.len() as u64);
        for expected in &parts[place..] {
            assert_eq!(walk.next_part().unwrap().as_ref(), Some(expected));
        }
        assert_eq!(walk.next_part().unwrap(), None);
    }
}

#[test]
fn a_shortened_file_ends_the_walk_early() {
    let good = sample::frame(b"{\"seq\":1}\n");
    let source = MemorySource::new([&good[..], &good[..7]].concat());
    let mut walk = FrameWalk::new(&source, 0, 1 << 40);
    assert!(matches!(walk.next_part().unwrap(), Some(Part::Frame(_))));
    let torn = Part::Torn { offset: good.len() as u64, len: 7 };
    assert_eq!(walk.next_part().unwrap(), Some(torn));
    assert_eq!(walk.next_part().unwrap(), None);
}

#[test]
fn frames_larger_than_the_buffer_are_walked() {
    let mut state = 1u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    })
    .take(900_000)
    .collect();
    let large = sample::frame(&noise);
    let good = sample::frame(b"{\"seq\":1}\n");
    assert_eq!(letters(&[&large[..], &good, &large].concat()), "fff");
    assert_eq!(letters(&[&good[..], &large[..800_000]].concat()), "ft");
    assert_eq!(letters(&[&good[..], &large[4..], &good].concat()), "fxf");
}

#[test]
fn files_made_to_mislead_end_in_bounded_time() {
    let good = sample::frame(b"{\"seq\":1}\n");
    // Each marker walks over zeroes, three bytes a block, to the end of the file.
    let leap = [&MAGIC[..], &[0, 0x38, 0, 0, 0xF0]].concat();
    let pieces: [Vec<u8>; 5] = [
        MAGIC.to_vec(),
        [&MAGIC[..], &[0, 0x38, 0x38, 0, 0]].concat(),
        leap.clone(),
        [&leap[..], &good].concat(),
        [&leap[..], &good, b"x"].concat(),
    ];
    for piece in pieces {
        let bytes = [piece.repeat(100_000 / piece.len()), vec![0; 2 << 20]].concat();
        let source = MemorySource::new(bytes.clone());
        let mut walk = FrameWalk::new(&source, 0, bytes.len() as u64);
        walk.resync.set_allowance(40 << 20);
        while walk.next_part().unwrap().is_some() {}
        assert_eq!(walk.position(), bytes.len() as u64);
        // The bound, and the one step that comes to it.
        let allowed = (40 << 20) + 8 * bytes.len() as u64;
        assert!(walk.window.work() < allowed, "{} of {allowed}", walk.window.work());
    }
}

/// Several logs of a few hundred bytes.
fn samples() -> Vec<Vec<u8>> {
    let good = sample::log_of(5);
    let mut mixed = good.clone();
    mixed.insert(2, sample::skippable(b"skip me"));
    mixed.insert(4, b"some garbage".to_vec());
    let inner = sample::frame(b"{\"seq\":7}\n");
    let by_hand = sample::by_hand(12, &[Block::Raw(&inner), Block::Repeat(b'\n', 40)]);
    let plain_styles = [
        good[0].clone(),
        by_hand,
        sample::styled(
            b"{\"seq\":1,\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}\n",
            Style { content_size: true, ..Style::default() },
        ),
        good[1].clone(),
    ];
    vec![good.concat(), mixed.concat(), plain_styles.concat()]
}

#[test]
fn every_cut_keeps_the_frames_before_it() {
    let good = sample::log_of(5).concat();
    let whole = parts_of(&good);
    for cut in 0..good.len() {
        let parts = parts_of(&good[..cut]);
        let complete = whole.iter().filter(|part| part.end() <= cut as u64).count();
        assert_eq!(parts[..complete], whole[..complete]);
        let rest = &parts[complete..];
        match rest {
            [] => assert_eq!(whole[complete].offset(), cut as u64),
            [Part::Torn { offset, .. }] => assert_eq!(*offset, whole[complete].offset()),
            _ => panic!("cut at {cut}: {rest:?}"),
        }
    }
    for bytes in samples() {
        for cut in 0..bytes.len() {
            parts_of(&bytes[..cut]);
        }
    }
}

#[test]
fn every_flipped_byte_harms_one_frame_only() {
    for bytes in samples() {
        let whole = parts_of(&bytes);
        for at in 0..bytes.len() {
            for mask in [0x01, 0x80, 0xFF] {
                let mut flipped = bytes.clone();
                flipped[at] ^= mask;
                let parts = parts_of(&flipped);
                for part in &whole {
                    let hit = part.offset() <= at as u64 && (at as u64) < part.end();
                    if matches!(part, Part::Frame(_)) && !hit {
                        assert!(parts.contains(part), "flip {mask:02x} at {at} lost {part:?}");
                    }
                }
            }
        }
    }
}

/// The text of all good frames, and the places of what is no good frame.
fn read(bytes: &[u8]) -> (Vec<u8>, Vec<(u64, u64)>) {
    let source = MemorySource::new(bytes.to_vec());
    let mut decoder = Decoder::new().unwrap();
    let mut text = Vec::new();
    let mut damage = Vec::new();
    let mut out = Vec::new();
    for part in parts_of(bytes) {
        match part {
            Part::Frame(frame) if decoder.frame_into(&source, &frame, &mut out).is_ok() => {
                text.extend_from_slice(&out);
            }
            part => damage.push((part.offset(), part.end())),
        }
    }
    (text, damage)
}

#[test]
fn every_flipped_byte_is_located_or_does_no_harm() {
    let bytes = sample::log_of(5).concat();
    let (text, damage) = read(&bytes);
    assert!(damage.is_empty());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            let (got, damage) = read(&flipped);
            let (from, to) = (at as u64, at as u64 + 1);
            // A frame that has lost its checksum flag ends before its checksum: 4 foreign bytes.
            let near = |(start, end): &(u64, u64)| *start < to + 120 && from < *end;
            assert!(got == text || damage.iter().any(near), "bit {bit} at {at}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_covered(
        pieces in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..40),
                Just(MAGIC.to_vec()),
                Just(vec![0x50, 0x2A, 0x4D, 0x18]),
                proptest::collection::vec(any::<u8>(), 0..60).prop_map(|text| sample::frame(&text)),
                proptest::collection::vec(any::<u8>(), 0..9).prop_map(|b| sample::skippable(&b)),
            ],
            0..8,
        )
    ) {
        parts_of(&pieces.concat());
    }
}
