//! What must hold of any bytes, one function for each target. It panics where it does not.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use serde_json::Value;
use trajview::app::memory::Memory;
use trajview::config::printed;
use trajview::log::{
    Decoder, FrameWalk, LineEnd, LineLimit, LineSplitter, MemorySource, Part, Source, find_tail, plain_tail,
};
use trajview::query::completion::{Typed, Vocabulary, complete, typed};
use trajview::query::{Prepared, Query};
use trajview::record::event::{Body, MOST_STALLS, Streamed};
use trajview::record::extract::event;
use trajview::record::header::Header;
use trajview::record::json::Value as Read;
use trajview::record::packed::PackedRow;
use trajview::report::{exit, stored, text};
use trajview::session::row::{EventRef, RowIx};
use trajview::store::{Census, open_archive, survey};
use trajview::text::locale::Words;
use trajview::text::sanitize::{Limits, display, lines as text_lines, one_line};
use trajview::text::time::Zone;
use trajview::text::width::columns;
use trajview::triage::detail::{Detail, LIMIT, RawLine, forms, needs, subject_of, tabs};
use trajview::triage::session::Session;
use trajview::triage::what::{CallRows, Teller};
use trajview::ui::theme::{Palette, Theme};

use crate::choices;
use crate::support::agree::contract;
use crate::support::reading::{NAME, print_all, read, report};
use crate::support::writer::{Script, frame};

static WORDS: LazyLock<Words> = LazyLock::new(Words::english);

/// The parts of a file follow each other to its end; what decodes in pieces decodes in one; tails are parts too.
pub fn frames(bytes: &[u8]) {
    let source = MemorySource::new(bytes.to_vec());
    let size = bytes.len() as u64;
    let mut walk = FrameWalk::new(&source, 0, size);
    let mut parts = Vec::new();
    while let Some(part) = walk.next_part().expect("memory can be read") {
        parts.push(part);
    }
    follow(&parts, 0, size);
    let mut decoder = Decoder::new().expect("a decoder");
    let (mut whole, mut pieces) = (Vec::new(), Vec::new());
    for part in &parts {
        match part {
            Part::Frame(frame) if frame.is_small() => {
                let done = decoder.frame_into(&source, frame, &mut whole);
                assert!(done.is_err() || whole.len() as u64 <= frame.max_decoded, "{frame:?}");
                pieces.clear();
                let mut each = |piece: &[u8]| {
                    pieces.extend_from_slice(piece);
                    ControlFlow::Continue(())
                };
                let streamed = decoder.stream(&source, frame, &mut each);
                assert_eq!(streamed.is_ok(), done.is_ok(), "{frame:?}");
                assert!(done.is_err() || pieces == whole, "{frame:?}");
            }
            Part::Torn { offset, len } => {
                let mut each = |_: &[u8]| ControlFlow::Continue(());
                decoder.torn(&source, *offset, *len, &mut each).expect("memory can be read");
            }
            Part::Frame(_) | Part::Skippable { .. } | Part::Foreign { .. } => {}
        }
    }
    for budget in [1, 40, size / 2, size.saturating_sub(1), size] {
        if let Some(tail) = find_tail(&source, size, budget).expect("memory can be read") {
            assert!(!tail.parts.is_empty());
            follow(&tail.parts, tail.offset(), size);
        }
        let line = plain_tail(&source, size, budget).expect("memory can be read");
        assert!(line.is_none_or(|at| at == 0 || bytes[at as usize - 1] == b'\n'));
    }
}

fn follow(parts: &[Part], from: u64, to: u64) {
    let end = parts.iter().fold(from, |at, part| {
        assert!(part.offset() == at && part.size() > 0, "{part:?} does not follow {at}");
        part.end()
    });
    assert_eq!(end, to, "the last part ends where the file does");
}

/// Lines are the text, whatever pieces it comes in. The first two bytes choose the pieces and the limit.
pub fn lines(bytes: &[u8]) {
    let [piece, limit, text @ ..] = bytes else { return };
    let (piece, limit) = (1 + usize::from(*piece), 1 + usize::from(*limit));
    assert_eq!(split(text, piece, limit), split(text, text.len().max(1), limit), "cut at {limit}");
    let mut joined = Vec::new();
    for (line, len, end, over_long) in split(text, piece, usize::MAX) {
        assert!(!over_long && len == line.len() as u64 && !line.contains(&b'\n'));
        joined.extend(line);
        joined.extend(end.as_bytes());
    }
    assert_eq!(joined, text);
}

fn split(text: &[u8], piece: usize, limit: usize) -> Vec<(Vec<u8>, u64, LineEnd, bool)> {
    let mut splitter = LineSplitter::with_limit(LineLimit(limit));
    let mut found = Vec::new();
    let mut each = |line: trajview::log::Line<'_>| {
        assert!(line.bytes.len() <= limit);
        found.push((line.bytes.to_vec(), line.len, line.end, line.over_long));
    };
    for piece in text.chunks(piece) {
        splitter.push(piece, &mut each);
    }
    splitter.finish(&mut each);
    found
}

/// One line: what another reader of JSON accepts is accepted, a packed row stands for its members, and the line is told
/// and shown as the second of a log.
pub fn records(line: &[u8]) {
    let read_by_others = serde_json::from_slice::<Value>(line);
    let own = Read::parse(line);
    assert!(own.is_ok() || read_by_others.is_err(), "{:?}", own.err());
    let _ = Header::parse(line);
    // What is no event is shown as it is, which costs much and shows little.
    let Ok(event) = event(line) else { return };
    let value = own.expect("an event is JSON");
    assert!(event.members >= 1 && value.is_object());
    if event.kind.is_packed() {
        let row = PackedRow::parse(value).expect("it was read as one");
        assert_eq!(row.members().count(), event.members as usize);
        assert_eq!(row.members().last().map(|member| member.time), event.last_time);
        assert_eq!(row.members().next().map(|member| member.seq), event.seq);
    }
    if let Body::Chunk { streamed, .. } = &event.body {
        sums(streamed, line.len());
    }
    let mut log = Script::new(1).plain();
    log.extend_from_slice(line);
    log.push(b'\n');
    shown(&log);
}

/// The stream inside an attempt or a message: its sums are no more than its text, and it is shown.
pub fn streams(stream: &[u8]) {
    let with = |before: &str, after: &str| [before.as_bytes(), stream, after.as_bytes()].concat();
    let attempt = with(r#"{"type":"assistant/attempt","seq":0,"time":1,"data":{"turn":1,"step":1,"stream":["#, "]}}");
    let message = with(
        r#"{"type":"assistant/message","seq":1,"time":2,"data":{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"tool-call","id":"c","name":"bash","arguments":"{}"}]},"stream":["#,
        "]}}",
    );
    for line in [&attempt, &message] {
        if let Ok(Body::Attempt { stream, .. } | Body::Message { stream: Some(stream), .. }) =
            event(line).map(|event| event.body)
        {
            sums(&stream, line.len());
        }
    }
    if event(&attempt).is_err() {
        return;
    }
    let mut log = Script::new(4).plain();
    for line in [attempt, message] {
        log.extend(line);
        log.push(b'\n');
    }
    shown(&log);
}

fn sums(streamed: &Streamed, bytes: usize) {
    assert!(streamed.text_chars as usize + streamed.reasoning_chars as usize <= bytes);
    assert!(streamed.calls.len() <= bytes && streamed.stalls.len() <= MOST_STALLS);
    assert!(streamed.stalls.iter().all(|(piece, _)| *piece < streamed.pieces));
}

/// Events in any order: the report keeps its contract, and frames change nothing.
pub fn events(bytes: &[u8]) {
    let lines = choices::log(bytes);
    let plain = shown(lines.concat().as_bytes());
    let wrong = contract(&plain);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let frames: Vec<u8> = lines.iter().flat_map(|line| frame(line.as_bytes())).collect();
    let zstd = report(&read(&frames, NAME));
    for key in ["calls", "approvals", "events", "usage", "turns", "open_pairs", "stopped", "header"] {
        assert_eq!(plain[key], zstd[key], "{key}");
    }
}

/// Reads a plain log, prints all of it, tells each row and opens it.
fn shown(log: &[u8]) -> Value {
    let session = read(log, NAME);
    let printed = print_all(&session);
    let lines: Vec<&[u8]> = log.split(|byte| *byte == b'\n').skip(session.index.header_lines as usize).collect();
    let rows = session.index.rows.len().min(lines.len());
    let calls = CallRows::new(&session.facts);
    let teller = Teller::new(&session, &calls, &WORDS);
    for (at, line) in lines.iter().enumerate().take(rows) {
        let told = teller.row(line, RowIx(at as u32), 60).plain();
        assert!(columns(&told) <= 60 && is_printable(&told), "{told:?}");
        opened(&session, &lines, EventRef { row: RowIx(at as u32), member: 0 }, &calls);
    }
    printed
}

fn opened(session: &Session, lines: &[&[u8]], at: EventRef, calls: &CallRows) {
    let zone = Zone::utc();
    let subject = subject_of(at, session, calls);
    for tab in tabs(subject) {
        let raw = |row: RowIx| {
            let line = lines.get(row.as_usize())?;
            Some(RawLine { row, bytes: (*line).into(), total: line.len() as u64 })
        };
        let raw: Vec<RawLine> = needs(subject, *tab, session).into_iter().filter_map(raw).collect();
        for form in forms(*tab) {
            let detail =
                Detail { session, words: &WORDS, zone: &zone, lines: &raw, limit: LIMIT, form: *form, braces: true };
            let doc = detail.doc(subject, *tab);
            assert!(doc.lines.iter().all(|line| is_printable(&line.text())), "{subject:?} {tab:?}");
        }
    }
}

/// What parses is written so that it parses again to the same; places of faults lie in the text; any log can be asked.
pub fn query(bytes: &[u8]) {
    static TOUR: LazyLock<Session> = LazyLock::new(|| read(&Script::tour(4).plain(), NAME));
    let text = &*String::from_utf8_lossy(bytes);
    let vocabulary = Vocabulary::of(&TOUR.facts);
    for cursor in (0..=text.len()).filter(|at| text.is_char_boundary(*at)).step_by(1 + text.len() / 8) {
        let completion = complete(text, cursor, &vocabulary);
        assert!(completion.from <= cursor && text.is_char_boundary(completion.from));
    }
    if let Typed::Wrong(fault) = typed(text, &vocabulary) {
        assert!(is_printable(&fault.say(&WORDS)));
    }
    match Query::parse(text) {
        Ok(query) => {
            let again = query.to_string();
            // Long ones may grow beyond what is read when they are written out.
            if again.chars().count() <= 1000 {
                assert_eq!(Query::parse(&again).expect("it parses again").root(), query.root(), "{again}");
            }
            let prepared = Prepared::of(&query, &TOUR, &Zone::utc());
            for (at, row) in TOUR.index.rows.iter().enumerate() {
                let _ = prepared.judge(RowIx(at as u32), &row);
            }
        }
        Err(fault) => {
            assert!(fault.column <= text.chars().count() + 1, "{fault:?}");
            assert!(is_printable(&fault.say(&WORDS)));
        }
    }
}

/// Nothing that a terminal acts on, nothing invisible, and no more columns than were asked for.
pub fn sanitize(bytes: &[u8]) {
    let whole = display(bytes);
    assert!(is_printable(&whole), "{whole:?}");
    for max in [0, 1, 7, 60] {
        let line = one_line(bytes, max);
        assert!(is_printable(&line) && columns(&line) <= max, "{line:?} in {max}");
        let limits = Limits { max_columns_per_line: max.max(1), ..Limits::default() };
        for line in text_lines(bytes, limits).lines {
            let text: String = line.iter().map(|piece| piece.text.as_str()).collect();
            assert!(is_printable(&text) && columns(&text) <= max.max(1), "{text:?} in {max}");
        }
    }
}

/// No control character, nothing that turns text around or hides, nothing unassigned.
fn is_printable(text: &str) -> bool {
    static HIDDEN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]").expect("a pattern"));
    !HIDDEN.is_match(text)
}

/// An archive is refused, or its sessions are listed, read and printed, and nothing of it acts on a terminal.
pub fn zip(bytes: &[u8]) {
    let source: Arc<dyn Source> = Arc::new(MemorySource::new(bytes.to_vec()));
    let Ok(store) = open_archive(source, Path::new("export.zip")) else { return };
    let briefs: Vec<_> = store.sessions.iter().map(|session| Some(store.quick(session.current()))).collect();
    assert_eq!(Census::of(&store, &briefs).kin.len(), store.sessions.len());
    let mut worst = exit::FINE;
    let survey = survey(store, 1, &mut |_, session| worst = worst.max(exit::status(&session.facts)), &mut |_, _| {});
    let (mut json, mut page) = (Vec::new(), Vec::new());
    stored::write(&survey, &mut json).expect("memory takes it");
    text::store::write(&survey, &WORDS, &Zone::utc(), &mut page).expect("memory takes it");
    let page = String::from_utf8(page).expect("the page is text");
    assert!(page.lines().all(is_printable), "{page:?}");
    let json: Value = serde_json::from_slice(&json).expect("the report is JSON");
    assert!(json["sessions"].is_array());
}

/// Settings, themes and what is remembered: taken, or refused with a place inside the text.
pub fn config(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let lines = 1 + text.matches('\n').count();
    for fault in [printed::fault_of(text), Theme::parse(text, Palette::True).err()].into_iter().flatten() {
        assert!(fault.place.line <= lines && fault.place.column <= 1 + text.chars().count(), "{fault:?}");
        assert!(is_printable(&fault.say(&WORDS)), "{fault:?}");
    }
    if let Ok(memory) = serde_json::from_slice::<Memory>(bytes) {
        let memory = memory.bounded();
        let written = serde_json::to_vec(&memory).expect("memory takes it");
        assert_eq!(serde_json::from_slice::<Memory>(&written).expect("it was written").bounded(), memory);
    }
}
