//! When the pieces of an answer came, as one line: a cell for a share of the time, as high as many pieces came in it
//! (docs/SCREENS.md section 11).

use super::page::{Page, at_row, seq_text};
use super::stream::rows_of;
use super::subject::Subject;
use crate::session::row::{Flags, Row, RowIx};
use crate::text::number::{duration, rate};
use crate::text::role::Role;
use crate::triage::doc::{DocLine, Overflow};
use crate::triage::facts::{Attempt, Stall};
use crate::triage::peek::Peek;

/// Cells of the strip.
const CELLS: usize = 72;

/// Heights of a cell, from one piece on.
const HEIGHTS: [char; 8] = ['⡀', '⣀', '⣄', '⣤', '⣦', '⣶', '⣷', '⣿'];

/// Pieces that are looked at: an answer has some thousands.
const MOST_PIECES: usize = 500_000;

/// Stalls that are listed.
const MOST_STALLS: usize = 50;

/// Which block a piece belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Reasoning,
    Text,
    Call,
    Other,
}

impl Block {
    fn letter(self) -> char {
        match self {
            Block::Reasoning => 'r',
            Block::Text => 't',
            Block::Call => 'c',
            Block::Other => ' ',
        }
    }
}

/// A piece: when it came, and of which block.
type Piece = (i64, Block);

/// Adds the strip of an answer, with speed, longest gap and stalls; nothing for an answer of which too little is known.
pub(super) fn fill(page: &mut Page<'_>, subject: Subject) {
    let pieces = pieces(page, subject);
    let Some((first, took)) = span_of(&pieces) else { return };
    let attempt = attempt_of(page, subject);
    let count = page.detail.words.count("count.pieces", pieces.len() as u64);
    let speed = rate(pieces.len() as u64, took).unwrap_or_default();
    let middle = duration(middle_gap(&pieces));
    let values = [("pieces", &*count), ("took", &*duration(took)), ("rate", &*speed), ("gap", &*middle)];
    let text = page.say("strip.speed", &values);
    let target = at_row(attempt.map(|(_, attempt)| attempt.first_row));
    page.push(DocLine { target, ..DocLine::of(text, Role::Normal) });
    stalls(page, attempt);
    draw(page, &pieces, first, took);
    page.blank();
}

/// The strip without the words about it.
pub(super) fn alone(page: &mut Page<'_>, subject: Subject) {
    let pieces = pieces(page, subject);
    if let Some((first, took)) = span_of(&pieces) {
        draw(page, &pieces, first, took);
    }
}

/// When the first piece came, and how long after it the last one; `None` where that tells nothing.
fn span_of(pieces: &[Piece]) -> Option<(i64, i64)> {
    let first = pieces.first()?.0;
    let took = pieces.iter().map(|piece| piece.0).max()?.saturating_sub(first);
    (took > 0 && pieces.len() >= 3).then_some((first, took))
}

/// The attempt that the subject is about, with its place.
fn attempt_of<'a>(page: &Page<'a>, subject: Subject) -> Option<(usize, &'a Attempt)> {
    let (message, run) = rows_of(page, subject);
    let facts: &'a crate::triage::facts::Facts = &page.detail.session.facts;
    let holds = |attempt: &Attempt| match (message, run) {
        (Some(message), _) if attempt.message_row == Some(message) || attempt.first_row == message => true,
        (_, Some(run)) => attempt.first_row <= run.last && attempt.last_row >= run.first,
        (_, None) => false,
    };
    facts.attempts.iter().enumerate().find(|(_, attempt)| holds(attempt))
}

/// The pieces in order; of lines that are not at hand each row stands for its members, all at its own time.
fn pieces(page: &Page<'_>, subject: Subject) -> Vec<Piece> {
    let (message, run) = rows_of(page, subject);
    let rows = run.into_iter().flat_map(|run| (run.first.0..=run.last.0).map(RowIx)).chain(message);
    let mut pieces = Vec::new();
    for ix in rows {
        if pieces.len() >= MOST_PIECES {
            break;
        }
        let Some(row) = page.detail.index().rows.get(ix) else { continue };
        let Some(event) = page.detail.event(ix) else {
            if let (true, Some(time)) = (row.is_chunk(), row.time()) {
                let members = (row.members as usize).min(MOST_PIECES - pieces.len());
                pieces.extend(std::iter::repeat_n((time.0, block_of(&row)), members));
            }
            continue;
        };
        let Some(data) = event.get("data") else { continue };
        if let Some(stream) = data.get("stream") {
            for record in stream.items() {
                let kind = record.get("chunk").unwrap_or(record);
                let block = named(&kind.text_of("type", 100).unwrap_or_default());
                add(record, record.integer("time").or_else(|| record.integer("time0")), block, &mut pieces);
            }
        } else if row.is_chunk() {
            let time = event.integer("time").or_else(|| event.integer("time0"));
            add(data, time, block_of(&row), &mut pieces);
        }
    }
    pieces
}

/// A record, with its further times.
fn add(record: Peek<'_>, time: Option<i64>, block: Block, pieces: &mut Vec<Piece>) {
    let Some(mut time) = time else { return };
    pieces.push((time, block));
    for gap in record.get("dt").map(Peek::items).unwrap_or_default() {
        let gap = match gap {
            Peek::Whole(value) => value.as_i64().unwrap_or(0),
            Peek::Cut(_) => 0,
        };
        time = time.saturating_add(gap);
        pieces.push((time, block));
    }
}

fn block_of(row: &Row) -> Block {
    if row.flags.has(Flags::REASONING) {
        Block::Reasoning
    } else if row.flags.has(Flags::TEXT) {
        Block::Text
    } else if row.flags.has(Flags::TOOL_CALL) {
        Block::Call
    } else {
        Block::Other
    }
}

fn named(kind: &[u8]) -> Block {
    if kind.starts_with(b"reasoning") {
        Block::Reasoning
    } else if kind.starts_with(b"text") {
        Block::Text
    } else if kind.starts_with(b"tool-call") {
        Block::Call
    } else {
        Block::Other
    }
}

/// The gap that half of the gaps are not longer than; steps back of the clock are no gaps.
fn middle_gap(pieces: &[Piece]) -> i64 {
    let mut gaps: Vec<i64> = pieces.windows(2).map(|two| two[1].0.saturating_sub(two[0].0).max(0)).collect();
    gaps.sort_unstable();
    gaps.get(gaps.len() / 2).copied().unwrap_or(0)
}

fn stalls(page: &mut Page<'_>, attempt: Option<(usize, &Attempt)>) {
    let Some((at, attempt)) = attempt else { return };
    let facts = &page.detail.session.facts;
    let found: Vec<Stall> =
        facts.stalls.iter().filter(|stall| stall.attempt == at).take(MOST_STALLS).copied().collect();
    let longest = page.say("time.longest", &[("time", &duration(attempt.longest_gap_ms))]);
    let count = match found.len() as u64 {
        0 => page.say("time.no_stall", &[]),
        n => page.detail.words.count("count.stalls", n),
    };
    page.line(format!("{longest}   {count}"), Role::Dim);
    for stall in found {
        let text = page.say("time.stall", &[("time", &duration(stall.ms)), ("seq", &seq_text(stall.seq))]);
        page.push(DocLine { target: at_row(Some(stall.row)), ..DocLine::of(format!("  {text}"), Role::Warn) });
    }
}

/// Strip, blocks below it, and what the letters mean.
fn draw(page: &mut Page<'_>, pieces: &[Piece], first: i64, took: i64) {
    let cell = (u64::try_from(took).unwrap_or(0) / CELLS as u64).saturating_add(1);
    let mut counts = [0_u32; CELLS];
    let mut letters = [' '; CELLS];
    for (time, block) in pieces {
        let since = u64::try_from(time.saturating_sub(first)).unwrap_or(0);
        let at = usize::try_from(since / cell).unwrap_or(usize::MAX).min(CELLS - 1);
        counts[at] = counts[at].saturating_add(1);
        if *block != Block::Other {
            letters[at] = block.letter();
        }
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let height = |count: &u32| match count {
        0 => ' ',
        count => {
            let step = (u64::from(*count) * HEIGHTS.len() as u64).div_ceil(u64::from(most));
            HEIGHTS[usize::try_from(step).unwrap_or(1).clamp(1, HEIGHTS.len()) - 1]
        }
    };
    let strip: String = counts.iter().map(height).collect();
    let letters: String = letters.iter().collect();
    let cell = duration(i64::try_from(cell).unwrap_or(i64::MAX));
    for (text, role) in [(strip, Role::Normal), (letters, Role::Dim)] {
        let text = text.trim_end().to_owned();
        page.push(DocLine { overflow: Overflow::Cut, ..DocLine::of(text, role) });
    }
    let text = page.say("strip.legend", &[("cell", &cell)]);
    page.line(text, Role::Dim);
}
