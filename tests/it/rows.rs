//! Real logs, read in place where they are: every row is told and every tab opens.
//!
//! The logs hold text of the harness, so none of it stands here: only ids, names and counts.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use trajview::log::sniff::Encoding;
use trajview::log::source::MemorySource;
use trajview::session::piece::Keep;
use trajview::session::row::{EventRef, RowIx, Seq};
use trajview::text::locale::Words;
use trajview::text::time::Zone;
use trajview::text::width::columns;
use trajview::triage::detail::{Detail, Form, LIMIT, RawLine, Subject, TabId, forms, needs, subject_of, tabs};
use trajview::triage::doc::DocLine;
use trajview::triage::open::Log;
use trajview::triage::session::Session;
use trajview::triage::what::{CallRows, Mark, Run, Teller, run_rows};

static WORDS: LazyLock<Words> = LazyLock::new(Words::english);

/// Decoded bytes up to which a log of the corpus is read here.
const MOST: u64 = 4 << 20;

fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("TRAJVIEW_CORPUS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let found = named.unwrap_or(beside);
    if found.is_dir() {
        return Some(found);
    }
    eprintln!("skipped: no corpus at ../shared/corpus, and TRAJVIEW_CORPUS is not set");
    None
}

fn open(path: &Path) -> (Session, Vec<Vec<u8>>) {
    let bytes = std::fs::read(path).expect("a log of the corpus");
    let is_zstd = bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]);
    let mut decoded = Vec::new();
    if is_zstd {
        // A torn tail stops the decoder; what it gave until then is compared.
        let mut frames = zstd::Decoder::new(&bytes[..]).expect("a decoder");
        let _ = std::io::copy(&mut std::io::Read::take(&mut frames, MOST), &mut decoded);
    } else {
        decoded.clone_from(&bytes);
    }
    let encoding = if is_zstd { Encoding::Zstd } else { Encoding::Plain };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut log = Log::new(Arc::new(MemorySource::new(bytes)), encoding, Path::new(&name), Keep::Nothing);
    log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    let session = log.into_session().expect("memory can be read");
    let lines = decoded.split(|byte| *byte == b'\n').skip(session.index.header_lines as usize);
    let lines = lines.take(session.index.rows.len()).map(<[u8]>::to_vec).collect();
    (session, lines)
}

/// All logs below a folder.
fn logs(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            logs(&path, found);
        } else if path.extension().is_some_and(|end| end == "jsonl" || end == "zstd")
            && entry.metadata().is_ok_and(|data| data.len() < MOST)
        {
            found.push(path);
        }
    }
}

fn told(session: &Session, lines: &[Vec<u8>], row: u32) -> (Mark, String) {
    let calls = CallRows::new(&session.facts);
    let what = Teller::new(session, &calls, &WORDS).row(&lines[row as usize], RowIx(row), 200);
    (what.mark, what.plain())
}

/// The row of a seq.
fn row(session: &Session, seq: i64) -> u32 {
    session.index.find(Seq(seq)).first().expect("the seq is there").row.0
}

#[test]
fn every_row_of_every_log_is_told_and_opens() {
    let Some(corpus) = corpus() else { return };
    let mut paths = Vec::new();
    logs(&corpus, &mut paths);
    paths.sort();
    assert!(!paths.is_empty());
    let mut seen: HashMap<_, usize> = HashMap::new();
    for path in paths {
        let (session, lines) = open(&path);
        let calls = CallRows::new(&session.facts);
        let teller = Teller::new(&session, &calls, &WORDS);
        // Long logs hold many of the same: some rows of each, and a few of each kind of each format, are enough.
        let every = (lines.len() / 5).max(1);
        let version = session.facts.format.version;
        for (at, line) in lines.iter().enumerate() {
            let ix = RowIx(at as u32);
            let of_kind = session.index.rows.get(ix).map(|row| seen.entry((version, row.kind)).or_default());
            let is_early = of_kind.is_some_and(|count| {
                *count += 1;
                *count <= 3
            });
            if !is_early && at % every != 0 {
                continue;
            }
            let what = teller.row(line, ix, 60);
            assert!(columns(&what.plain()) <= 60, "{}: {}", path.display(), what.plain());
            assert!(!what.plain().chars().any(char::is_control));
            open_all(&session, &lines, subject_of(EventRef { row: ix, member: 0 }, &session, &calls));
        }
        for at in 0..session.facts.resume.len() {
            open_all(&session, &lines, Subject::Ghost(at));
        }
        open_all(&session, &lines, Subject::LogHeader);
    }
}

fn open_all(session: &Session, lines: &[Vec<u8>], subject: Subject) {
    let zone = Zone::utc();
    for tab in tabs(subject) {
        let raw: Vec<RawLine> =
            needs(subject, *tab, session).into_iter().filter_map(|row| raw_line(lines, row)).collect();
        for form in forms(*tab) {
            let detail =
                Detail { session, words: &WORDS, zone: &zone, lines: &raw, limit: LIMIT, form: *form, braces: true };
            let doc = detail.doc(subject, *tab);
            assert!(!doc.lines.is_empty(), "{subject:?} {tab:?}");
            assert!(!doc.lines.iter().any(|line| line.text().chars().any(char::is_control)));
        }
    }
}

fn raw_line(lines: &[Vec<u8>], row: RowIx) -> Option<RawLine> {
    let line = lines.get(row.as_usize())?;
    Some(RawLine { row, bytes: line.as_slice().into(), total: line.len() as u64 })
}

#[test]
fn a_killed_call_reads_as_drawn() {
    let Some(corpus) = corpus() else { return };
    let (session, lines) = open(&corpus.join("crash/tool-killed.jsonl"));
    let at = |seq| told(&session, &lines, row(&session, seq));
    assert_eq!(at(0).1, "workspace-write");
    assert_eq!(at(2).1, "ask");
    assert_eq!(at(4).1, "turn 1");
    assert_eq!(at(5).1, "-1 next-turn (taken)");
    assert_eq!(at(6).1, "step 1.1");
    assert_eq!(at(10).1, "initial: deepseek-v4-flash, 25 tools, prompt 4.0 KiB");
    assert_eq!(at(11).1, "deepseek-v4-flash, window 1,000,000");
    assert_eq!(at(12).1, "deepseek-v4-flash, 64 tokens");
    assert_eq!(at(27).1, "1 call: read");
    assert_eq!(at(28), (Mark::Completed, "read call_0319_0  package.json".to_owned()));
    assert_eq!(at(30), (Mark::Completed, "read call_0319_0  1 line, 43ms".to_owned()));
    assert!(at(87).1.starts_with("3 calls: bash, bash, write  \""));
    assert_eq!(at(88).0, Mark::Unknown);
    assert!(at(88).1.starts_with("bash call_0321_0  "));
    let calls = CallRows::new(&session.facts);
    let teller = Teller::new(&session, &calls, &WORDS);
    for (first, last, expected) in [
        (13, 26, "11 chars of reasoning, 1 call; finish tool-calls (14 events, "),
        (33, 86, "26 chars of text, 3 calls; finish tool-calls (54 events, 14 lines)"),
    ] {
        let run = Run { first: RowIx(row(&session, first)), last: RowIx(row(&session, last)) };
        let needed = run_rows(run, &session);
        let fetched: Vec<(RowIx, &[u8])> = needed.iter().map(|ix| (*ix, &lines[ix.as_usize()][..])).collect();
        let words = teller.run(run, &fetched, 200).plain();
        assert!(words.starts_with(expected), "{words}");
    }
    let ghosts: Vec<String> = session.facts.resume.iter().map(|ghost| teller.ghost(ghost, 80).plain()).collect();
    assert_eq!(ghosts[0], "bash call_0321_0  TOOL_OUTCOME_UNKNOWN");
    assert_eq!(ghosts[2], "write call_0321_2  TOOL_NOT_STARTED");
    assert_eq!(ghosts[3..], ["step 1.2", "turn 1 interrupted"]);
}

#[test]
fn a_killed_call_shows_its_arguments_as_drawn() {
    let Some(corpus) = corpus() else { return };
    let (session, lines) = open(&corpus.join("crash/tool-killed.jsonl"));
    let at = session.facts.last_unpaired.expect("an unpaired call");
    let zone = Zone::utc();
    let raw: Vec<RawLine> = needs(Subject::Call(at), TabId::Arguments, &session)
        .into_iter()
        .filter_map(|row| raw_line(&lines, row))
        .collect();
    let detail = Detail {
        session: &session,
        words: &WORDS,
        zone: &zone,
        lines: &raw,
        limit: LIMIT,
        form: Form::Raw,
        braces: true,
    };
    let doc = detail.doc(Subject::Call(at), TabId::Arguments);
    let texts: Vec<String> = doc.lines.iter().map(DocLine::text).collect();
    assert!(texts[0].starts_with("$ "), "{texts:#?}");
    assert_eq!(texts[2], "raw, seq 88, byte for byte, 111 bytes  valid JSON   stream = message = call");
    let (mark, head) = detail.head(Subject::Call(at), 140);
    assert_eq!(mark, Mark::Unknown);
    assert_eq!(
        head.text(),
        "bash  call_0321_0   turn 1 > step 2   OUTCOME UNKNOWN, inferred   asked 87   called 88   result none   no approval asked"
    );
}
