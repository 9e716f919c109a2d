use std::sync::atomic::{AtomicU64, Ordering};

use super::super::tests::{HEADER, Heard, event, read};
use super::*;
use crate::log::sample;
use crate::log::sniff::Encoding;
use crate::log::source::MemorySource;
use crate::session::builder::Reading;
use crate::session::piece::Keep;
use crate::session::row::RowIx;

/// Lines of so many events from one on.
fn events(from: usize, count: usize) -> String {
    (from..from + count).map(event).collect()
}

/// Enough events for a frame that is read stretch by stretch.
const MANY: usize = 40_000;

fn damaged(mut frame: Vec<u8>) -> Vec<u8> {
    let last = frame.len() - 1;
    frame[last] ^= 1;
    frame
}

/// Reads with one thread and with several: they agree.
fn read_both(bytes: &[u8]) -> Reading<Heard> {
    let one = read(bytes.to_vec(), Encoding::Zstd, 1, Keep::Nothing);
    let many = read([bytes, &sample::skippable(&vec![0; 300 << 10])].concat(), Encoding::Zstd, 3, Keep::Nothing);
    assert_eq!(one.listener.lines, many.listener.lines);
    assert_eq!(one.container.damaged_frames, many.container.damaged_frames);
    assert_eq!(one.container.lines, many.container.lines);
    assert_eq!(one.container.decoded_bytes, many.container.decoded_bytes);
    assert_eq!(one.container.header_frame_exact, many.container.header_frame_exact);
    assert_eq!(one.index.blocks, many.index.blocks);
    assert!(one.index.rows.iter().eq(many.index.rows.iter()));
    one
}

#[test]
fn a_huge_frame_that_fails_its_checksum_leaves_no_row() {
    let bytes = [
        sample::frame(HEADER.as_bytes()),
        sample::frame(event(0).as_bytes()),
        damaged(sample::frame(events(1, MANY).as_bytes())),
        sample::frame(event(9).as_bytes()),
        sample::frame(events(10, MANY).as_bytes()),
    ];
    let reading = read_both(&bytes.concat());
    assert_eq!(reading.listener.headers, 1);
    assert_eq!(reading.listener.lines.len(), 2 + MANY);
    assert_eq!(reading.container.damaged_frames.len(), 1);
    let damage = &reading.container.damaged_frames[0];
    assert_eq!((damage.frame, damage.next_row, damage.why.as_str()), (2, RowIx(1), "checksum does not match"));
    assert_eq!(reading.container.complete_frames, 5);
}

#[test]
fn a_line_begun_before_a_huge_frame_ends_in_it_or_is_given_up() {
    let line = event(0);
    let (first, second) = line.split_at(20);
    for is_damaged in [false, true] {
        let mut huge = sample::frame((second.to_owned() + &events(1, MANY) + "{\"ty").as_bytes());
        if is_damaged {
            huge = damaged(huge);
        }
        let bytes = [
            sample::frame((HEADER.to_owned() + first).as_bytes()),
            huge,
            sample::frame("pe\":\"turn/end\"}\n".as_bytes()),
        ];
        let reading = read_both(&bytes.concat());
        if is_damaged {
            // The half of a line before the damage, and the half behind it.
            assert_eq!(reading.listener.lines, [(0, 2, false), (1, 3, false)]);
        } else {
            assert_eq!(reading.listener.lines.len(), MANY + 2);
            assert!(reading.listener.lines.iter().all(|(_, _, is_event)| *is_event));
            assert_eq!(reading.container.split_lines, 2);
        }
    }
}

#[test]
fn several_damaged_huge_frames_cost_no_reading_each() {
    let bad = damaged(sample::frame(events(0, MANY).as_bytes()));
    let good = sample::frame(events(0, MANY).as_bytes());
    let mut bytes = sample::frame(HEADER.as_bytes());
    for _ in 0..4 {
        bytes.extend(&bad);
        bytes.extend(&good);
    }
    let size = bytes.len() as u64;
    let source = Arc::new(Counting { whole: MemorySource::new(bytes), read: AtomicU64::new(0) });
    let mut builder = Builder::new(source.clone(), Encoding::Zstd, Keep::Nothing, Heard::default());
    builder.read(size, 1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    let reading = builder.into_reading().expect("memory can be read");
    assert_eq!(reading.container.damaged_frames.len(), 4);
    assert_eq!(reading.listener.lines.len(), 4 * MANY);
    // The headers of all twice; the content of the first, and then of each good frame twice and of each bad one once.
    let bytes_read = source.read.load(Ordering::Relaxed);
    assert!(bytes_read < size * 5, "{bytes_read} bytes read of {size}");
}

/// Counts the bytes that are read.
struct Counting {
    whole: MemorySource,
    read: AtomicU64,
}

impl Source for Counting {
    fn size(&self) -> io::Result<u64> {
        self.whole.size()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let count = self.whole.read_at(offset, out)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[test]
fn the_header_may_be_the_first_line_of_a_huge_frame() {
    for (text, exact) in
        [(HEADER.to_owned() + &events(0, MANY), false), (format!("{}{HEADER}", " ".repeat(3 << 20)), true)]
    {
        let reading = read_both(&sample::frame(text.as_bytes()));
        assert_eq!(reading.listener.headers, 1);
        assert_eq!(reading.container.header_frame_exact, exact);
    }
}

#[test]
fn a_reading_stopped_inside_a_huge_frame_begins_again() {
    let bytes = [sample::frame(HEADER.as_bytes()), sample::frame(events(0, MANY).as_bytes())].concat();
    for threads in [1, 3] {
        let bytes = [bytes.clone(), sample::skippable(&vec![0; 300 << 10])].concat();
        let size = bytes.len() as u64;
        let mut builder =
            Builder::new(Arc::new(MemorySource::new(bytes.clone())), Encoding::Zstd, Keep::Nothing, Heard::default());
        let mut furthest = 0;
        builder
            .read(size, threads, &mut |progress| {
                furthest = furthest.max(progress.done);
                if progress.lines > 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .expect("memory can be read");
        assert!((1..size).contains(&furthest), "{furthest} of {size}");
        assert_eq!(builder.snapshot().expect("memory can be read").container.lines, 0);
        builder.read(size, threads, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
        let whole = builder.into_reading().expect("memory can be read");
        assert_eq!(whole.listener, read(bytes, Encoding::Zstd, 1, Keep::Nothing).listener);
    }
}

#[test]
fn few_stretches_are_on_their_way() {
    let (grant, granted) = channel();
    let mut leaves = Leaves { granted, held: 2, most: 2 };
    let stretch = |kind| Stretch { text: Vec::new(), offset: 0, taken: 0, dropped: 0, dropped_cr: false, kind };
    let mut given = Vec::new();
    let mut send = |leaves: &mut Leaves, kind| {
        leaves.send(stretch(kind), &mut |stretch| {
            given.push(stretch.kind);
            true
        })
    };
    assert!(send(&mut leaves, StretchKind::Lines).is_continue());
    assert!(send(&mut leaves, StretchKind::Lines).is_continue());
    assert_eq!(leaves.held, 0);
    for _ in 0..3 {
        grant.send(()).expect("somebody listens");
    }
    // A long line waits until all before it is taken in, and is taken in before anything else.
    assert!(send(&mut leaves, StretchKind::LongLine).is_continue());
    assert_eq!(leaves.held, 2);
    drop(grant);
    assert!(send(&mut leaves, StretchKind::LongLine).is_break());
    assert_eq!(given.len(), 4);
}
