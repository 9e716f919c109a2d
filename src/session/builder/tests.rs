use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::row::Flags;
use super::*;
use crate::log::sample;
use crate::log::source::MemorySource;
use crate::session::row::TypeId;

/// Remembers what it heard.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Heard {
    pub(super) lines: Vec<(u32, u64, bool)>,
    notes: Vec<u32>,
    pub(super) headers: u32,
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

pub(super) const HEADER: &str =
    "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1,\"delegationDepth\":0}\n";

pub(super) fn event(seq: usize) -> String {
    format!("{{\"type\":\"turn/start\",\"seq\":{seq},\"time\":{seq},\"data\":{{\"turn\":{seq}}}}}\n")
}

pub(super) fn read(bytes: Vec<u8>, encoding: Encoding, threads: usize, keep: Keep) -> Reading<Heard> {
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

/// The text of a row, as far as the block in which it begins holds it.
fn text_in_block(reading: &Reading<Heard>, bytes: &[u8], row: u32) -> Vec<u8> {
    use crate::log::reader::BlockReader;
    let row = reading.index.rows.get(RowIx(row)).expect("the row is there");
    let mut reader = BlockReader::new(Arc::new(MemorySource::new(bytes.to_vec())), 64 << 20);
    let block = reader.block(&reading.index.blocks[row.block.0 as usize]).expect("the block is there");
    let end = (row.at as usize + row.len as usize).min(block.len());
    block[row.at as usize..end].to_vec()
}

#[test]
fn the_header_is_found_behind_parts_that_hold_no_line() {
    let rest = [sample::frame(HEADER.as_bytes()), sample::frame(event(0).as_bytes())].concat();
    let (first, second) = HEADER.split_at(20);
    let split = [sample::frame(first.as_bytes()), sample::frame(second.as_bytes())].concat();
    for (name, bytes) in [
        ("nothing", rest.clone()),
        ("a skippable frame", [sample::skippable(b"x"), rest.clone()].concat()),
        ("two skippable frames", [sample::skippable(b"x"), sample::skippable(b"y"), rest.clone()].concat()),
        ("foreign bytes", [b"no frame".to_vec(), rest.clone()].concat()),
        ("an empty frame", [sample::frame(b""), rest.clone()].concat()),
        ("its own first half", [split, sample::frame(event(0).as_bytes())].concat()),
    ] {
        let reading = read(bytes, Encoding::Zstd, 1, Keep::Nothing);
        assert_eq!(reading.listener.headers, 1, "behind {name}");
        assert_eq!(reading.listener.lines, [(0, 2, true)], "behind {name}");
    }
}

/// A file that is being written.
struct Growing {
    whole: MemorySource,
    size: AtomicU64,
}

impl Source for Growing {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size.load(Ordering::Relaxed))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let room = self.size()?.saturating_sub(offset).min(out.len() as u64) as usize;
        self.whole.read_at(offset, &mut out[..room])
    }
}

#[test]
fn a_header_that_is_still_being_written_is_read_when_it_is_whole() {
    let lines = [HEADER.to_owned(), event(0)];
    let frames = lines.each_ref().map(|text| sample::frame(text.as_bytes()));
    for (encoding, bytes) in [(Encoding::Plain, lines.concat().into_bytes()), (Encoding::Zstd, frames.concat())] {
        let whole = bytes.len() as u64;
        let source = Arc::new(Growing { whole: MemorySource::new(bytes), size: AtomicU64::new(0) });
        let mut builder = Builder::new(source.clone(), encoding, Keep::Nothing, Heard::default());
        for size in 0..=whole {
            source.size.store(size, Ordering::Relaxed);
            builder.read(size, 1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
        }
        let heard = builder.into_reading().expect("memory can be read").listener;
        assert_eq!((heard.headers, &heard.lines[..]), (1, &[(0, 2, true)][..]), "{encoding:?}");
    }
}

#[test]
fn a_line_that_goes_on_in_the_next_job_is_found_in_its_block() {
    let line = event(0);
    let (first, second) = line.split_at(20);
    // The first frame is a job of its own.
    let head = HEADER.to_owned() + first;
    let bytes = [
        sample::frame(head.as_bytes()),
        sample::frame(&second.as_bytes()[..4]),
        sample::frame((second[4..].to_owned() + &event(1)).as_bytes()),
    ]
    .concat();
    let reading = read(bytes.clone(), Encoding::Zstd, 1, Keep::Nothing);
    assert_eq!(text_in_block(&reading, &bytes, 0), first.as_bytes());
    assert_eq!(text_in_block(&reading, &bytes, 1), event(1).trim_end().as_bytes());
}

#[test]
fn a_line_that_ends_with_cr_lf_in_a_huge_frame_does_not_shift_what_follows() {
    let line = event(0);
    let (first, second) = line.trim_end().split_at(20);
    let mut text = format!("{second}\r\n");
    for seq in 1..30_000 {
        text.push_str(&event(seq));
    }
    let head = HEADER.to_owned() + first;
    let bytes = [sample::frame(head.as_bytes()), sample::frame(text.as_bytes())].concat();
    for keep in [Keep::Nothing, Keep::HugeFrames] {
        let reading = read(bytes.clone(), Encoding::Zstd, 1, keep);
        for row in [1, 2, 5_000, 29_999] {
            assert_eq!(text_in_block(&reading, &bytes, row), event(row as usize).trim_end().as_bytes(), "{keep:?}");
        }
    }
}

#[test]
fn a_reading_stopped_early_does_not_show_the_unfinished_end() {
    let mut bytes = sample::frame(HEADER.as_bytes());
    for seq in 0..4_000 {
        bytes.extend(sample::frame(event(seq).as_bytes()));
    }
    bytes.truncate(bytes.len() - 1);
    let size = bytes.len() as u64;
    assert!(size > ONE_THREAD, "{size} bytes are read by several threads");
    let source = Arc::new(MemorySource::new(bytes.clone()));
    let mut builder = Builder::new(source, Encoding::Zstd, Keep::Nothing, Heard::default());
    builder.read(size, 8, &mut |_| ControlFlow::Break(())).expect("memory can be read");
    let snapshot = builder.snapshot().expect("memory can be read");
    assert_eq!(snapshot.container.torn_tail, None);
    builder.read(size, 8, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    let whole = builder.into_reading().expect("memory can be read");
    let fresh = read(bytes, Encoding::Zstd, 1, Keep::Nothing);
    assert_eq!(whole.listener, fresh.listener);
    assert!(whole.container.torn_tail.is_some());
}

/// A source that breaks in the middle of a reading.
struct Panicking(MemorySource);

impl Source for Panicking {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        assert!(offset < PANIC_FROM, "a worker meets a bug");
        self.0.read_at(offset, out)
    }
}

/// Where [`Panicking`] breaks: behind the first jobs.
const PANIC_FROM: u64 = 2 << 20;

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_panic_of_a_worker_ends_the_reading() {
    let mut text = HEADER.to_owned();
    while text.len() < 4 << 20 {
        text.push_str(&event(0));
    }
    let size = text.len() as u64;
    let source = Arc::new(Panicking(MemorySource::new(text.into_bytes())));
    let mut builder = Builder::new(source, Encoding::Plain, Keep::Nothing, Heard::default());
    // Without the word of the worker that panics, this would wait for ever.
    let _ = builder.read(size, 3, &mut |_| ControlFlow::Continue(()));
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

#[test]
fn a_line_over_frames_of_any_size_lies_in_blocks_one_after_the_other() {
    use crate::log::reader::BlockReader;
    // More than a small frame holds, and a frame without any line end in the middle.
    let text = (0..700_000).map(|at| char::from(b'a' + (at % 23) as u8)).collect::<String>();
    let line = format!("{{\"text\":\"{text}{text}{text}{text}\"}}");
    let (first, rest) = line.split_at(100);
    let (middle, last) = rest.split_at(1_400_000);
    let head = HEADER.to_owned() + first;
    let last = last.to_owned() + "\n" + &event(0);
    let bytes: Vec<u8> =
        [head.as_str(), middle, &last].iter().flat_map(|text| sample::frame(text.as_bytes())).collect();
    for keep in [Keep::Nothing, Keep::HugeFrames] {
        let reading = read(bytes.clone(), Encoding::Zstd, 1, keep);
        let row = reading.index.rows.get(RowIx(0)).expect("the row is there");
        let mut reader = BlockReader::new(Arc::new(MemorySource::new(bytes.clone())), 64 << 20);
        let blocks = &reading.index.blocks[row.block.0 as usize..];
        let text: Vec<u8> = blocks.iter().flat_map(|block| reader.block(block).expect("a block").to_vec()).collect();
        assert!(text[row.at as usize..].starts_with(line.as_bytes()), "{keep:?}");
        assert_eq!(text_in_block(&reading, &bytes, 1), event(0).trim_end().as_bytes(), "{keep:?}");
    }
}

#[test]
fn the_last_lines_of_a_huge_frame_are_read_alone() {
    use crate::log::frames::{FrameWalk, Part};
    use crate::log::reader::BlockReader;
    let text: String = (0..40_000).map(event).collect();
    let mut bytes = [sample::frame(HEADER.as_bytes()), sample::frame(text.as_bytes())].concat();
    for damaged in [false, true] {
        if damaged {
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
        }
        let source: Arc<dyn Source> = Arc::new(MemorySource::new(bytes.clone()));
        let size = bytes.len() as u64;
        let mut walk = FrameWalk::new(source.as_ref(), 0, size);
        let mut huge = None;
        while let Some(part) = walk.next_part().expect("memory can be read") {
            if let Part::Frame(frame) = part {
                huge = Some(frame);
            }
        }
        let job = Job::FrameEnd(huge.expect("there is a frame"), 64 << 10);
        let reading =
            read_tail(&source, Encoding::Zstd, size, Heard::default(), &job, None).expect("memory can be read");
        assert_eq!(reading.listener.headers, 1);
        let rows = reading.index.rows.len();
        if damaged {
            assert_eq!(rows, 0);
            continue;
        }
        assert!((500..4_000).contains(&rows), "{rows} rows");
        let mut reader = BlockReader::new(source, 16 << 20);
        for (at, row) in reading.index.rows.iter().enumerate() {
            let block = reader.block(&reading.index.blocks[row.block.0 as usize]).expect("the block is there");
            let line = &block[row.at as usize..(row.at + row.len) as usize];
            assert_eq!(line, event(40_000 - rows + at).trim_end().as_bytes());
        }
        assert_eq!(reader.decoded_blocks(), 1);
    }
}
