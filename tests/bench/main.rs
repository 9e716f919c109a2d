//! Benchmarks, watched and not gating: `cargo bench`.
//!
//! Each works on a log made in memory, so that nothing but the program is measured.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use divan::counter::{BytesCount, ItemsCount};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use trajview::app::key::Key;
use trajview::app::message::{Epoch, Message};
use trajview::app::model::{Model, Settings};
use trajview::app::update::update;
use trajview::log::reader::BlockReader;
use trajview::log::sniff::Encoding;
use trajview::log::source::{MemorySource, Source};
use trajview::report::json;
use trajview::session::piece::Keep;
use trajview::session::row::RowIx;
use trajview::store::{Census, Disk, Store, discover};
use trajview::text::sanitize;
use trajview::triage::open::{self, Log};
use trajview::triage::session::Session;
use trajview::ui::{Look, draw};

/// Turns of the log: some 12 MB of text.
const TURNS: usize = 6_000;

/// Turns in a frame, as a writer flushes them.
const TURNS_IN_A_FRAME: usize = 8;

fn main() {
    divan::main();
}

/// The text of a turn: a streamed answer, a call, its result.
fn turn(at: usize, seq: &mut usize) -> String {
    let mut text = String::new();
    let mut line = |kind: &str, members: usize, rest: String| {
        let (key, time) = if members > 1 { ("seq0", "time0") } else { ("seq", "time") };
        let _ = writeln!(text, "{{\"type\":\"{kind}\",\"{key}\":{seq},\"{time}\":{seq},{rest}}}");
        *seq += members;
    };
    line("turn/start", 1, format!("\"data\":{{\"turn\":{at}}}"));
    line("step/start", 1, format!("\"data\":{{\"turn\":{at},\"step\":1}}"));
    let (gaps, texts) = (["3"; 39].join(","), ["\" word of an answer\""; 40].join(","));
    let streamed = format!("\"turn\":{at},\"step\":1,\"index\":0,\"dt\":[{gaps}],\"texts\":[{texts}]");
    line("text-chunks", 40, format!("\"data\":{{{streamed}}}"));
    let asks = format!(
        "\"message\":{{\"id\":\"m{at}\",\"role\":\"assistant\",\"source\":{{\"kind\":\"model\"}},\"content\":[{{\"type\":\"tool-call\",\"id\":\"c{at}\",\"name\":\"bash\",\"arguments\":\"{{}}\"}}]}}"
    );
    line("assistant/message", 1, format!("\"data\":{{\"turn\":{at},\"step\":1,{asks}}},\"surfaceOp\":\"append\""));
    let call = format!("\"turn\":{at},\"step\":1,\"callId\":\"c{at}\",\"name\":\"bash\",\"arguments\":\"{{}}\"");
    line("tool/call", 1, format!("\"data\":{{{call}}}"));
    let answer = format!(
        "\"message\":{{\"id\":\"r{at}\",\"role\":\"user\",\"source\":{{\"kind\":\"tool\",\"callId\":\"c{at}\"}},\"content\":[{{\"type\":\"tool-result\",\"toolCallId\":\"c{at}\",\"isError\":false,\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}]}}",
        "a line of output\\n".repeat(30)
    );
    line("tool/result", 1, format!("\"data\":{{\"turn\":{at},\"step\":1,{answer}}},\"surfaceOp\":\"append\""));
    line("step/end", 1, format!("\"data\":{{\"turn\":{at},\"step\":1}}"));
    line("turn/end", 1, format!("\"data\":{{\"turn\":{at},\"reason\":{{\"kind\":\"completed\"}}}}"));
    text
}

/// The log as frames, and how many bytes it decodes to.
fn log() -> (Arc<dyn Source>, usize) {
    let header = "{\"type\":\"session\",\"version\":0,\"id\":\"bench\",\"createdAt\":1,\"delegationDepth\":0}\n";
    let frame = |text: &str| zstd::encode_all(text.as_bytes(), 3).expect("memory can be written");
    let (mut bytes, mut decoded, mut seq) = (frame(header), header.len(), 0);
    for first in (1..=TURNS).step_by(TURNS_IN_A_FRAME) {
        let text: String = (first..first + TURNS_IN_A_FRAME).map(|at| turn(at, &mut seq)).collect();
        decoded += text.len();
        bytes.extend(frame(&text));
    }
    (Arc::new(MemorySource::new(bytes)), decoded)
}

fn read(source: &Arc<dyn Source>, threads: usize) -> Session {
    let mut log = Log::new(Arc::clone(source), Encoding::Zstd, Path::new("bench"), Keep::Nothing);
    log.read(threads, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    log.into_session().expect("memory can be read")
}

/// Decoding, indexing, pairing and judging a whole log.
#[divan::bench(args = [1, 2])]
fn whole(bencher: divan::Bencher, threads: usize) {
    let (source, decoded) = log();
    bencher.counter(BytesCount::new(decoded)).bench_local(|| read(&source, threads));
}

/// The end of a log alone, as the first screen shows it.
#[divan::bench]
fn tail(bencher: divan::Bencher) {
    let (source, _) = log();
    bencher.bench_local(|| open::tail(&source, Encoding::Zstd, Path::new("bench")).expect("memory can be read"));
}

/// Printing the facts of a whole log as JSON.
#[divan::bench]
fn print(bencher: divan::Bencher) {
    let session = read(&log().0, 2);
    bencher.bench_local(|| json::write(&session, &mut std::io::sink()).expect("nothing refuses a sink"));
}

/// Sessions of the store below.
const SESSIONS: usize = 5_000;

/// A store on the disk, warm in the cache of the system: a log of 100 KB a session, and in every tenth one of the ten
/// times that.
fn store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = |turns: usize| {
        let mut seq = 0;
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 3).expect("memory can be written");
        (1..=turns).map(|at| frame(&turn(at, &mut seq))).collect::<Vec<_>>().concat()
    };
    let logs = [text(200), text(2_000)];
    for at in 0..SESSIONS {
        let session = folder.path().join(format!("--srv-p{}--/session-{at:05}", at % 40));
        std::fs::create_dir_all(&session).expect("a folder");
        let header = format!(
            "{{\"type\":\"session\",\"version\":0,\"id\":\"session-{at:05}\",\"createdAt\":1,\"cwd\":\"/srv/p{}\",\"delegationDepth\":0}}\n",
            at % 40
        );
        let mut bytes = zstd::encode_all(header.as_bytes(), 3).expect("memory can be written");
        bytes.extend(&logs[usize::from(at % 10 == 0)]);
        std::fs::write(session.join("session.jsonl.zstd"), bytes).expect("a log");
    }
    folder
}

fn found(root: &Path) -> Store {
    discover(Arc::new(Disk), root, &mut |_| ControlFlow::Continue(())).expect("the root can be listed")
}

/// The names and sizes of 5,000 sessions.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn list_names(bencher: divan::Bencher) {
    let folder = store();
    bencher.bench_local(|| found(folder.path()));
}

/// Their headers, one after the other, and what is true of them together.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn list_heads(bencher: divan::Bencher) {
    let folder = store();
    let store = found(folder.path());
    bencher.bench_local(|| {
        let briefs: Vec<_> = store.sessions.iter().map(|session| Some(store.head(session.current()))).collect();
        Census::of(&store, &briefs)
    });
}

/// Their headers and last records, one after the other.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn list_ends(bencher: divan::Bencher) {
    let folder = store();
    let store = found(folder.path());
    bencher.bench_local(|| store.sessions.iter().map(|session| store.quick(session.current())).collect::<Vec<_>>());
}

/// Making a row of a list printable, of a text far longer than the row.
#[divan::bench]
fn one_line(bencher: divan::Bencher) {
    let text = "a line of output, then another\n".repeat(10_000);
    bencher.bench_local(|| sanitize::one_line(text.as_bytes(), 120));
}

/// Decoding the rows of a page of 40 lines, none of them in the cache, from the middle of the log.
#[divan::bench]
fn page(bencher: divan::Bencher) {
    let (source, _) = log();
    let session = read(&source, 2);
    let middle = session.index.rows.len() as u32 / 2;
    bencher.with_inputs(|| BlockReader::new(Arc::clone(&source), 8 << 20)).bench_local_values(|mut reader| {
        for row in (middle..middle + 40).filter_map(|row| session.index.rows.get(RowIx(row))) {
            let block = &session.index.blocks[row.block.0 as usize];
            divan::black_box(reader.block(block).expect("memory can be read"));
        }
    });
}

/// The program's core with the whole log open, 140 columns by 45 rows.
fn opened() -> Model {
    let mut model = Model::new(Settings::default());
    let session = Arc::new(read(&log().0, 2));
    update(&mut model, Message::Resized { columns: 140, rows: 45 });
    update(&mut model, Message::Opened { epoch: Epoch::default(), session });
    model
}

fn press(model: &mut Model, keys: &str) {
    for key in keys.chars() {
        divan::black_box(update(model, Message::Pressed(Key::char(key))));
    }
}

/// Another filter: from all rows to the chat, to what is hidden, to all.
#[divan::bench]
fn filter(bencher: divan::Bencher) {
    let mut model = opened();
    let rows = model.open.as_ref().map_or(0, |open| open.session.index.rows.len());
    bencher.counter(ItemsCount::new(rows * 3)).bench_local(|| press(&mut model, "vvv"));
}

/// Unfolding everything, to the last member of a packed row, and folding it again.
#[divan::bench]
fn unfold(bencher: divan::Bencher) {
    let mut model = opened();
    let events = model.open.as_ref().map_or(0, |open| open.session.facts.container.events);
    bencher.counter(ItemsCount::new(events)).bench_local(|| press(&mut model, "zRzM"));
}

/// Drawing a whole screen.
#[divan::bench]
fn screen(bencher: divan::Bencher) {
    let model = opened();
    let look = Look::default();
    let screen = Rect::new(0, 0, 140, 45);
    let mut buffer = Buffer::empty(screen);
    bencher.bench_local(|| draw(&model, &look, screen, &mut buffer));
}
