//! What things cost, counted instead of timed: bytes read, blocks decoded, rows visited, bytes held.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use trajview::log::kept::KeptBlock;
use trajview::log::reader::{BlockAddress, BlockReader};
use trajview::log::sniff::Encoding;
use trajview::log::source::{MemorySource, Source};
use trajview::session::index::Index;
use trajview::session::piece::Keep;
use trajview::session::row::RowIx;
use trajview::triage::open::{self, Log};
use trajview::triage::session::Session;

use crate::support::writer::{Script, frame};

/// Counts the bytes that are read of it, and how often it is asked.
struct Counted {
    whole: MemorySource,
    read: AtomicU64,
    asked: AtomicU64,
}

impl Counted {
    fn new(bytes: Vec<u8>) -> Arc<Counted> {
        Arc::new(Counted { whole: MemorySource::new(bytes), read: AtomicU64::new(0), asked: AtomicU64::new(0) })
    }

    /// Bytes read since the last call.
    fn take(&self) -> u64 {
        self.read.swap(0, Ordering::Relaxed)
    }
}

impl Source for Counted {
    fn size(&self) -> io::Result<u64> {
        self.whole.size()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let count = self.whole.read_at(offset, out)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Turns of the longest log that is asked for.
const MOST_TURNS: usize = 9_000;

/// Lines of a log of so many turns; texts that do not pack away.
fn lines(turns: usize) -> &'static [String] {
    static LINES: LazyLock<Vec<String>> = LazyLock::new(all_lines);
    let each = (LINES.len() - 1) / MOST_TURNS;
    &LINES[..=turns * each]
}

fn all_lines() -> Vec<String> {
    let mut script = Script::new(0);
    let mut state = 1_u64;
    for _ in 0..MOST_TURNS {
        script.turn();
        script.step();
        let words = (0..40).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{:x} ", state >> 20)
        });
        script.user(&words.collect::<String>());
        script.say("Done.");
        script.end_step();
        script.end_turn("completed");
    }
    script.lines().to_vec()
}

/// The lines in frames of so many.
fn framed(lines: &[String], each: usize) -> Vec<u8> {
    let (head, rest) = lines.split_first().expect("a header");
    let rest = rest.chunks(each).flat_map(|lines| frame(lines.concat().as_bytes()));
    frame(head.as_bytes()).into_iter().chain(rest).collect()
}

fn read(source: &Arc<Counted>, threads: usize, keep: Keep) -> Session {
    let source: Arc<dyn Source> = Arc::<Counted>::clone(source);
    let mut log = Log::new(source, Encoding::Zstd, Path::new("log"), keep);
    log.read(threads, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    log.into_session().expect("memory can be read")
}

fn tail(source: &Arc<Counted>) -> Session {
    let source: Arc<dyn Source> = Arc::<Counted>::clone(source);
    open::tail(&source, Encoding::Zstd, Path::new("log")).expect("memory can be read").expect("there is a tail")
}

#[test]
fn the_end_of_a_log_costs_the_same_whatever_its_size() {
    let cost = |turns: usize| {
        let source = Counted::new(framed(lines(turns), 24));
        let session = tail(&source);
        (source.take(), session.index.rows.len())
    };
    let (small, large) = (cost(3_000), cost(MOST_TURNS));
    assert!(large.0 < small.0 * 5 / 4, "bytes read: {small:?} and {large:?}");
    assert!(large.0 < 2 << 20, "bytes read: {large:?}");
    assert!(large.1 < 4_000, "rows: {large:?}");
}

#[test]
fn a_log_is_read_twice_once_for_its_frames_and_once_for_their_content() {
    let bytes = framed(lines(3_000), 24);
    let size = bytes.len() as u64;
    for threads in [1, 3] {
        let source = Counted::new(bytes.clone());
        read(&source, threads, Keep::Nothing);
        let cost = source.take();
        // What stands in the buffer of the walk when a frame ends is read once more for the next.
        assert!(cost <= size * 21 / 10, "{cost} bytes read of {size} with {threads} threads");
    }
}

#[test]
fn a_header_of_any_length_takes_few_reads() {
    let header = Script::new(0).plain();
    let text = String::from_utf8(header).expect("text").replace("/srv/demo-app", &"/srv".repeat(1 << 20));
    let source = Counted::new((text + "{}\n").into_bytes());
    let dynamic: Arc<dyn Source> = Arc::<Counted>::clone(&source);
    let tail = open::tail(&dynamic, Encoding::Plain, Path::new("session.jsonl")).expect("memory can be read");
    assert!(tail.is_some(), "the end is found");
    let asked = source.asked.swap(0, Ordering::Relaxed);
    assert!(asked < 1000, "{asked} reads of 4 MiB");
}

#[test]
fn a_row_costs_its_block_and_a_page_few() {
    let lines = lines(2_000);
    for (name, bytes) in [("small frames", framed(lines, 50)), ("a huge frame", framed(lines, lines.len()))] {
        let source = Counted::new(bytes);
        let session = read(&source, 1, Keep::HugeFrames);
        source.take();
        let blocks: Arc<dyn Source> = Arc::<Counted>::clone(&source);
        let mut reader = BlockReader::new(blocks, 4 << 20);
        let middle = session.index.rows.len() as u32 / 2;
        let mut page = |from: u32| {
            for row in (from..from + 40).filter_map(|row| session.index.rows.get(RowIx(row))) {
                let block = reader.block(&session.index.blocks[row.block.0 as usize]).expect("the block is there");
                assert!(block.len() <= 1 << 20, "{name}: a block of {} bytes", block.len());
            }
            reader.decoded_blocks()
        };
        let first = page(middle);
        assert!(first <= 2, "{name}: {first} blocks for a page");
        assert_eq!(page(middle), first, "{name}: a page once more costs nothing");
        let read = source.take();
        assert!(read <= 64 << 10, "{name}: {read} bytes read for a page");
    }
}

/// Bytes of text that an index keeps.
fn kept(index: &Index) -> usize {
    let held = |block: &BlockAddress| match block {
        BlockAddress::Kept(block) => KeptBlock::held(block),
        BlockAddress::Frame { .. } | BlockAddress::Plain { .. } | BlockAddress::Torn { .. } => 0,
    };
    index.blocks.iter().map(held).sum()
}

#[test]
fn an_index_holds_few_bytes_a_line_and_of_a_huge_frame_what_its_text_packs_to() {
    let lines = lines(6_000);
    let text: usize = lines.iter().map(String::len).sum();
    assert!(text > 4 << 20, "{text} bytes are a huge frame");
    let huge = framed(lines, lines.len());
    let packed = huge.len();
    for (name, bytes, keep, most) in [
        ("small frames", framed(lines, 50), Keep::HugeFrames, 0),
        ("a huge frame, for a report", huge.clone(), Keep::Nothing, 0),
        ("a huge frame, for the viewer", huge, Keep::HugeFrames, packed * 3 / 2),
    ] {
        let session = read(&Counted::new(bytes), 2, keep);
        assert_eq!(session.index.rows.len() + 1, lines.len(), "{name}");
        let rows = session.index.rows.held() / (session.index.rows.len() / 4096 * 4096);
        assert_eq!(rows, 25, "{name}: bytes a row");
        let held = kept(&session.index);
        assert!(held <= most && (most == 0 || held > 0), "{name}: {held} bytes of text are kept, at most {most}");
        assert!(session.index.blocks.len() <= lines.len() / 40, "{name}: {} blocks", session.index.blocks.len());
    }
}
