//! Sequence and container in words: the same for the page and the report.

use super::said::{clean, number, shown};
use crate::log::sniff::Encoding;
use crate::session::container::BadLineAt;
use crate::session::row::{Row, RowIx};
use crate::text::locale::Words;
use crate::text::number::range;
use crate::text::role::Role;
use crate::text::time::Zone;
use crate::triage::breaks::{Proof, dropped_lines};
use crate::triage::facts::LoaderResult;
use crate::triage::pieces::{Piece, State};
use crate::triage::session::Session;
use crate::triage::what::bad_line_key;

/// A fact about the whole: its name, what is said of it, how it stands, a figure for the right end.
pub(crate) struct Fact {
    /// Key of its name.
    pub(crate) key: &'static str,
    pub(crate) text: String,
    pub(crate) role: Role,
    pub(crate) figure: String,
    /// The record that shows it: the first break, the first damage, the first line that would be dropped.
    pub(crate) row: Option<RowIx>,
}

/// Sequence, container, harness and resume, each in one line.
pub(crate) fn facts(session: &Session, pieces: &[Piece], words: &Words) -> [Fact; 4] {
    [sequence(session, words), container(session, pieces, words), harness(session, words), resume(session, words)]
}

fn sequence(session: &Session, words: &Words) -> Fact {
    let sequence = &session.facts.sequence;
    let events = words.count("count.events", session.facts.container.events);
    let (first, last) = (number(sequence.first), number(sequence.last));
    let values = [("first", first.as_str()), ("last", &last), ("events", &events)];
    let missing = sequence.breaks.iter().filter_map(|found| found.got?.checked_sub(found.expected)).filter(|n| *n > 0);
    let missing = missing.fold(0_i64, i64::saturating_add).unsigned_abs();
    let (text, role) = match (sequence.first, sequence.is_whole()) {
        (None, _) => (words.get("sequence.no_events").to_owned(), Role::Normal),
        (Some(_), true) => (words.say("made_of.whole", &values), Role::Ok),
        (Some(_), false) => {
            let missing = (missing > 0).then(|| words.count("made_of.n_missing", missing));
            let said = [Some(words.say("made_of.broken", &values)), missing];
            (said.into_iter().flatten().collect::<Vec<_>>().join(", "), Role::Bad)
        }
    };
    let figure = words.count("count.breaks", sequence.breaks.len() as u64);
    let row = sequence.breaks.first().map(|found| found.row);
    Fact { key: "made_of.sequence", text, role, figure, row }
}

fn container(session: &Session, pieces: &[Piece], words: &Words) -> Fact {
    let container = &session.facts.container;
    let n = |state: State| pieces.iter().filter(|piece| piece.state == state).count() as u64;
    let bad = [(State::Damaged, "made_of.n_damaged"), (State::Foreign, "made_of.n_foreign")];
    let bad = bad.into_iter().chain([(State::Torn, "made_of.n_torn"), (State::Skippable, "made_of.n_skippable")]);
    let mut parts: Vec<String> = match container.encoding {
        Encoding::Zstd => {
            let good = n(State::Good) + n(State::Header);
            vec![
                words.get("header.zstd").to_owned(),
                words.count("count.bytes", container.file_bytes),
                words.say("made_of.n_good", &[("n", &words.number(good))]),
            ]
        }
        Encoding::Plain => vec![
            words.get("header.plain").to_owned(),
            words.count("count.bytes", container.file_bytes),
            words.count("count.lines", container.lines),
        ],
    };
    for (state, key) in bad {
        match n(state) {
            0 => {}
            n => parts.push(words.say(key, &[("n", &words.number(n))])),
        }
    }
    if container.encoding == Encoding::Plain && container.torn_tail.is_some() {
        parts.push(words.get("made_of.torn_line").to_owned());
    }
    if !container.bad_lines.is_empty() {
        parts.push(words.count("count.bad_lines", container.bad_lines.len() as u64));
    }
    let is_sound = !container.is_damaged() && container.torn_tail.is_none() && container.bad_lines.is_empty();
    if is_sound {
        parts.push(words.get("sequence.no_damage").to_owned());
    }
    let role = if is_sound { Role::Ok } else { Role::Bad };
    let damages = container.damaged_frames.len() + container.foreign_bytes.len() + container.skippable_frames.len();
    let figure = words.count("count.damages", damages as u64);
    let frame = container.damaged_frames.first().map(|damage| damage.next_row);
    let bad = container.bad_lines.first().map(|bad| bad.row);
    let row = frame.into_iter().chain(bad).chain(container.torn_tail.map(|torn| torn.first_row)).min();
    Fact { key: "made_of.container", text: parts.join(", "), role, figure, row }
}

fn harness(session: &Session, words: &Words) -> Fact {
    let (loader, events) = (&session.facts.loader, session.facts.container.events);
    let why = clean(&loader.why);
    let (text, role) = match loader.result {
        Some(LoaderResult::Loads) => (words.get("made_of.loads").to_owned(), Role::Ok),
        Some(LoaderResult::LoadsTornTail) => match dropped_lines(session) {
            Some((first, last)) => (dropped(first, last, words), Role::Warn),
            None => (words.get("made_of.loads_torn").to_owned(), Role::Warn),
        },
        Some(LoaderResult::LoadsWithoutTail) => {
            let lines = dropped_lines(session).map(|(first, last)| dropped(first, last, words));
            (format!("{}: {why}", lines.unwrap_or_default()), Role::Warn)
        }
        Some(LoaderResult::Refuses) => (words.say("made_of.refuses", &[("why", &why)]), Role::Bad),
        None => (words.get("pass.harness_unknown").to_owned(), Role::Normal),
    };
    let (kept, all) = (words.number(loader.kept_events), words.number(events));
    let figure = match loader.result {
        Some(_) => words.say("made_of.keeps", &[("n", &kept), ("all", &all)]),
        None => String::new(),
    };
    Fact { key: "made_of.harness", text, role, figure, row: loader.at }
}

fn dropped(first: u64, last: u64, words: &Words) -> String {
    let n = last - first + 1;
    let values = [("first", &*first.to_string()), ("last", &*last.to_string())];
    words.count_with("made_of.drops", n, &values)
}

fn resume(session: &Session, words: &Words) -> Fact {
    let facts = &session.facts;
    let n = facts.resume.len() as u64;
    let text = match facts.loader.result {
        Some(LoaderResult::Refuses) => words.get("made_of.resume_refused").to_owned(),
        None => words.get("pass.harness_unknown").to_owned(),
        Some(_) if n == 0 => words.get("made_of.resume_none").to_owned(),
        Some(_) => words.count("made_of.resume_adds", n),
    };
    let figure = words.count("count.ghost_rows", n);
    Fact { key: "made_of.resume", text, role: Role::Normal, figure, row: None }
}

/// What proves the cause of a break beyond the words of its cause, and what follows from it; one line each.
pub(crate) fn proof_lines(session: &Session, proof: &Proof, words: &Words) -> Vec<(String, Option<RowIx>)> {
    let index = &session.index;
    let mut out = Vec::new();
    let place = |row: RowIx| {
        let line = index.line(row).map_or_else(|| "?".to_owned(), |line| line.to_string());
        let found = index.rows.get(row);
        let seq = number(found.and_then(Row::seq).map(|seq| seq.0));
        let name = found.map(|row| shown(index.types.name(row.type_id))).unwrap_or_default();
        (line, seq, name)
    };
    if let Some(earlier) = proof.earlier {
        let (line, seq, name) = place(earlier);
        let values = [("seq", seq.as_str()), ("type", &name), ("line", &line)];
        out.push((words.say("made_of.earlier", &values), Some(earlier)));
    }
    for at in &proof.damaged_frames {
        if let Some(frame) = session.facts.container.damaged_frames.get(*at) {
            let end = frame.offset.saturating_add(frame.len).saturating_sub(1);
            let values = [
                ("frame", &*frame.frame.to_string()),
                ("first", &*frame.offset.to_string()),
                ("last", &*end.to_string()),
                ("why", &*clean(&frame.why)),
            ];
            out.push((words.say("made_of.damaged_here", &values), None));
        }
    }
    if let Some((first, last)) = proof.bad_range {
        let lines = range(first, last);
        out.push((words.count_with("made_of.bad_here", proof.bad_count, &[("lines", &lines)]), None));
    }
    for at in &proof.orphans {
        if let Some(stray) = session.facts.results_without_call.get(*at) {
            let values = [("seq", &*number(stray.result_seq)), ("id", &*shown(&stray.call_id))];
            let key = if stray.second_for.is_some() { "made_of.second_result" } else { "made_of.orphan" };
            out.push((words.say(key, &values), Some(stray.row)));
        }
    }
    out
}

/// How a piece stands.
pub(crate) fn state(piece: &Piece, words: &Words) -> String {
    match piece.state {
        State::Header => words.get("made_of.header").to_owned(),
        State::Good => words.get("made_of.good").to_owned(),
        State::Skippable => words.get("made_of.skippable").to_owned(),
        State::Torn => words.get("made_of.torn").to_owned(),
        State::Foreign => words.get("made_of.foreign").to_owned(),
        State::Damaged => words.say("made_of.damaged", &[("why", &clean(&piece.why))]),
    }
}

/// The role of a state.
pub(crate) fn role(state: State) -> Role {
    match state {
        State::Header => Role::Dim,
        State::Good => Role::Normal,
        State::Skippable | State::Torn => Role::Warn,
        State::Foreign | State::Damaged => Role::Bad,
    }
}

/// A line that is no event: its number and why.
pub(crate) fn bad_line(bad: &BadLineAt, words: &Words) -> String {
    let why = words.get(bad_line_key(Some(bad.why)));
    let why = if bad.detail.is_empty() || bad.detail == bad.why {
        why.to_owned()
    } else {
        format!("{why}: {}", clean(&bad.detail))
    };
    words.say("rule.bad_line", &[("line", &bad.line.to_string()), ("why", &why)])
}

/// First and last seq, as plain digits; in brackets those that are lost; `-` for none.
pub(crate) fn seqs(piece: &Piece, words: &Words) -> String {
    if let Some((first, last)) = piece.lost {
        return format!("({})", if first == last { first.to_string() } else { format!("{first}-{last}") });
    }
    match piece.seqs {
        None => words.get("missing.column").to_owned(),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}-{last}"),
    }
}

/// First and last time; one alone where they are the same; in brackets those around lines that are lost; `-` for none.
pub(crate) fn times(piece: &Piece, zone: &Zone, words: &Words) -> String {
    if let Some((before, after)) = piece.between {
        return format!("({} - {})", zone.clock(before), zone.clock(after));
    }
    match piece.times {
        None => words.get("missing.column").to_owned(),
        Some((first, last)) if first == last => zone.clock(first),
        Some((first, last)) => format!("{} - {}", zone.clock(first), zone.clock(last)),
    }
}
