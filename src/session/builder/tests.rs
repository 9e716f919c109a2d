use std::ops::ControlFlow;
use std::sync::Arc;

use super::*;
use crate::log::sample;
use crate::log::source::MemorySource;
use crate::session::row::TypeId;

/// Remembers what it heard.
#[derive(Debug, Clone, Default, PartialEq)]
struct Heard {
    lines: Vec<(u32, u64, bool)>,
    notes: Vec<u32>,
    headers: u32,
}

impl Listener for Heard {
    fn header(&mut self, _: &Header) {
        self.headers += 1;
    }

    fn line(&mut self, at: RowIx, line: u64, _: &mut Row, meaning: &Meaning) {
        self.lines.push((at.0, line, matches!(meaning, Meaning::Event(_))));
    }

    fn note(&mut self, next: RowIx, _: &Note) {
        self.notes.push(next.0);
    }
}

const HEADER: &str = "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1,\"delegationDepth\":0}\n";

fn event(seq: usize) -> String {
    format!("{{\"type\":\"turn/start\",\"seq\":{seq},\"time\":{seq},\"data\":{{\"turn\":{seq}}}}}\n")
}

fn read(bytes: Vec<u8>, encoding: Encoding, threads: usize, keep: Keep) -> Reading<Heard> {
    let size = bytes.len() as u64;
    let mut builder = Builder::new(Arc::new(MemorySource::new(bytes)), encoding, keep, Heard::default());
    builder.read(size, threads, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    builder.into_reading().expect("memory can be read")
}

#[test]
fn a_line_that_goes_on_in_the_next_frame_is_one_line() {
    let line = event(0);
    let (first, second) = line.split_at(20);
    let bytes = [sample::frame(HEADER.as_bytes()), sample::frame(first.as_bytes()), sample::frame(second.as_bytes())];
    let reading = read(bytes.concat(), Encoding::Zstd, 1, Keep::Nothing);
    assert_eq!(reading.listener.lines, [(0, 2, true)]);
    assert_eq!(reading.container.split_lines, 1);
    assert!(reading.index.rows.get(RowIx(0)).is_some_and(|row| row.flags.has(Flags::SPLIT)));
    assert_eq!(reading.container.lines, 2);
}

#[test]
fn a_damaged_frame_leaves_no_row_and_reading_goes_on() {
    let mut broken = sample::frame(event(1).as_bytes());
    let last = broken.len() - 1;
    broken[last] ^= 1;
    let bytes = [
        sample::frame(HEADER.as_bytes()),
        sample::frame(event(0).as_bytes()),
        broken,
        sample::frame(event(2).as_bytes()),
    ];
    let reading = read(bytes.concat(), Encoding::Zstd, 1, Keep::Nothing);
    assert_eq!(reading.listener.lines, [(0, 2, true), (1, 3, true)]);
    assert_eq!(reading.listener.notes, [1]);
    assert_eq!(reading.container.damaged_frames.len(), 1);
    assert_eq!(reading.container.damaged_frames[0].frame, 2);
    assert_eq!(reading.container.complete_frames, 4);
}

#[test]
fn threads_do_not_change_what_is_heard() {
    let mut bytes = sample::frame(HEADER.as_bytes());
    for seq in 0..20_000 {
        if seq % 7 == 0 {
            bytes.extend(sample::frame((event(seq) + &event(seq + 1)).as_bytes()));
        } else {
            // Every other frame ends inside a line.
            let line = event(seq);
            let (first, second) = line.split_at(seq % line.len());
            bytes.extend(sample::frame(first.as_bytes()));
            bytes.extend(sample::frame(second.as_bytes()));
        }
    }
    let one = read(bytes.clone(), Encoding::Zstd, 1, Keep::Nothing);
    let many = read(bytes, Encoding::Zstd, 4, Keep::Nothing);
    assert_eq!(one.listener, many.listener);
    assert_eq!(one.container.lines, many.container.lines);
    assert!(one.index.rows.iter().eq(many.index.rows.iter()));
}

#[test]
fn a_plain_log_is_cut_at_any_size_into_the_same_lines() {
    let mut text = HEADER.to_owned();
    for seq in 0..60_000 {
        text.push_str(&event(seq));
    }
    text.push_str("{\"type\":\"turn/end\"");
    let reading = read(text.clone().into_bytes(), Encoding::Plain, 3, Keep::Nothing);
    assert_eq!(reading.container.lines, 60_002);
    assert_eq!(reading.container.decoded_bytes, text.len() as u64);
    assert_eq!(reading.container.torn_tail.map(|tail| tail.bytes), Some(18));
    assert_eq!(reading.listener.lines.len(), 60_001);
    assert!(reading.listener.lines.iter().enumerate().all(|(at, (row, line, is_event))| {
        *row as usize == at && *line == at as u64 + 2 && *is_event == (at < 60_000)
    }));
}

#[test]
fn a_growing_log_ends_as_one_read_at_once() {
    let frames =
        [HEADER.to_owned(), event(0), event(1) + &event(2), event(3)].map(|text| sample::frame(text.as_bytes()));
    let bytes = frames.concat();
    let mut builder =
        Builder::new(Arc::new(MemorySource::new(bytes.clone())), Encoding::Zstd, Keep::Nothing, Heard::default());
    for size in 0..=bytes.len() as u64 {
        builder.read(size, 1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
        let snapshot = builder.snapshot().expect("memory can be read");
        let fresh = read(bytes[..size as usize].to_vec(), Encoding::Zstd, 1, Keep::Nothing);
        assert_eq!(snapshot.listener, fresh.listener, "{size} bytes");
        assert_eq!(snapshot.container.torn_tail, fresh.container.torn_tail, "{size} bytes");
    }
}

#[test]
fn a_huge_frame_is_cut_into_blocks_that_hold_its_lines() {
    use crate::log::reader::BlockReader;
    let mut text = String::new();
    for seq in 0..40_000 {
        text.push_str(&event(seq));
    }
    let bytes = [sample::frame(HEADER.as_bytes()), sample::frame(text.as_bytes())].concat();
    for keep in [Keep::Nothing, Keep::HugeFrames] {
        let reading = read(bytes.clone(), Encoding::Zstd, 1, keep);
        assert!(reading.index.blocks.len() > 8, "{} blocks", reading.index.blocks.len());
        let mut reader = BlockReader::new(Arc::new(MemorySource::new(bytes.clone())), 64 << 20);
        for (at, row) in reading.index.rows.iter().enumerate() {
            let block = reader.block(&reading.index.blocks[row.block.0 as usize]).expect("the block is there");
            let line = &block[row.at as usize..(row.at + row.len) as usize];
            assert_eq!(line, event(at).trim_end().as_bytes());
        }
    }
}

#[test]
fn a_line_that_is_no_event_has_no_type_of_its_own() {
    let bytes = [HEADER, "[]\n", &event(0)].concat().into_bytes();
    let reading = read(bytes, Encoding::Plain, 1, Keep::Nothing);
    let types: Vec<TypeId> = reading.index.rows.iter().map(|row| row.type_id).collect();
    assert_eq!(types, [TypeId::NONE, TypeId(0)]);
    assert_eq!(reading.index.types.name(types[0]).as_bytes(), b"(no type)");
    assert_eq!(reading.index.types.name(types[1]).as_bytes(), b"turn/start");
}

#[test]
fn a_header_that_is_still_being_written_is_the_header_when_it_is_whole() {
    let text = [HEADER, &event(0)].concat();
    for encoding in [Encoding::Plain, Encoding::Zstd] {
        let frames = [HEADER.to_owned(), event(0)].map(|text| sample::frame(text.as_bytes()));
        let bytes = if encoding == Encoding::Plain { text.clone().into_bytes() } else { frames.concat() };
        let source = Arc::new(MemorySource::new(bytes.clone()));
        let mut builder = Builder::new(source, encoding, Keep::Nothing, Heard::default());
        for size in [10, 40, 90, bytes.len()] {
            builder.read(size as u64, 1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
        }
        let reading = builder.into_reading().expect("memory can be read");
        assert_eq!(reading.listener.headers, 1, "{encoding:?}");
        assert_eq!(reading.listener.lines, [(0, 2, true)], "{encoding:?}");
    }
}

#[test]
fn a_header_in_two_frames_or_after_garbage_is_the_header() {
    let (first, second) = HEADER.split_at(30);
    let garbage = b"no frame at all".to_vec();
    let events: Vec<u8> = (0..40_000).flat_map(|seq| sample::frame(event(seq).as_bytes())).collect();
    for start in [
        [sample::frame(first.as_bytes()), sample::frame(second.as_bytes())].concat(),
        [garbage, sample::frame(HEADER.as_bytes())].concat(),
    ] {
        let bytes = [start, events.clone()].concat();
        for threads in [1, 3] {
            let reading = read(bytes.clone(), Encoding::Zstd, threads, Keep::Nothing);
            assert_eq!(reading.listener.headers, 1);
            assert_eq!(reading.listener.lines.len(), 40_000);
            assert_eq!(reading.listener.lines[0], (0, 2, true));
        }
    }
}

#[test]
fn bad_bytes_in_the_header_are_told_as_those_of_line_1() {
    let mut bytes = [HEADER, &event(0)].concat().into_bytes();
    bytes[42] = 0xff;
    let reading = read(bytes, Encoding::Plain, 1, Keep::Nothing);
    assert_eq!((reading.listener.headers, &reading.container.lines_not_utf8[..]), (1, &[1][..]));
}
