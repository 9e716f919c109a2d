//! What the file is made of, piece by piece: frames of a compressed log, stretches of lines of a plain one, damage between
//! them; each with its bytes, lines, seqs and times.

use foldhash::HashSet;

use super::session::Session;
use crate::log::reader::BlockAddress;
use crate::log::sniff::Encoding;
use crate::session::row::{BlockId, Row, RowIx};

/// How a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// It holds the header and nothing else.
    Header,
    /// It decodes.
    Good,
    /// It is stepped over: a skippable frame.
    Skippable,
    /// The end of the file cuts it off.
    Torn,
    /// Bytes that are no frame.
    Foreign,
    /// A whole frame whose content cannot be had.
    Damaged,
}

impl State {
    /// Its name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            State::Header => "header",
            State::Good => "good",
            State::Skippable => "skippable",
            State::Torn => "torn",
            State::Foreign => "foreign",
            State::Damaged => "damaged",
        }
    }
}

/// A piece of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// How it stands.
    pub state: State,
    /// Number of the frame, the header frame being 0; `None` where it is none, or not counted.
    pub frame: Option<u64>,
    /// Where it starts in the file.
    pub offset: u64,
    /// Its bytes in the file.
    pub bytes: u64,
    /// First and last line that begin in it.
    pub rows: Option<(RowIx, RowIx)>,
    /// Lines that begin in it, the header not counted.
    pub lines: u64,
    /// First and last seq of them, in file order.
    pub seqs: Option<(i64, i64)>,
    /// Time of the first and of the last of them.
    pub times: Option<(i64, i64)>,
    /// The row that follows it, where none begins in it.
    pub next_row: Option<RowIx>,
    /// Seqs that are missing between the pieces around it, where its own lines cannot be had.
    pub lost: Option<(i64, i64)>,
    /// The last time before it and the first one after it, where its own lines cannot be had.
    pub between: Option<(i64, i64)>,
    /// Why it is damaged; empty where it is not.
    pub why: String,
}

/// The pieces in file order. One pass over the lines; nothing is read.
#[must_use]
pub fn pieces(session: &Session) -> Vec<Piece> {
    if session.facts.container.encoding == Encoding::Plain {
        return stretches(session);
    }
    let (mut pieces, of_block) = from_blocks(session);
    fill(session, &mut pieces, &of_block);
    add_damage(session, &mut pieces);
    // Of kept text only the number of its frame is known: it starts where the piece before it ends.
    pieces.sort_by_key(|piece| (piece.frame.unwrap_or(u64::MAX), piece.offset));
    let end = session.facts.container.file_bytes;
    for at in 0..pieces.len() {
        if pieces[at].bytes > 0 {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| pieces.get(before));
        let start = before.map_or(0, |before| before.offset.saturating_add(before.bytes));
        let known = pieces.iter().filter(|piece| piece.bytes > 0 && piece.offset > start).map(|piece| piece.offset);
        let next = known.min().unwrap_or(end);
        (pieces[at].offset, pieces[at].bytes) = (start, next.saturating_sub(start));
    }
    pieces.sort_by_key(|piece| (piece.offset, piece.frame));
    bound(&mut pieces);
    pieces
}

/// Tells of pieces without lines what the pieces around them leave room for. Several in a row have one answer together.
fn bound(pieces: &mut [Piece]) {
    let mut before: (Option<i64>, Option<i64>) = (Some(-1), None);
    let mut at = 0;
    while at < pieces.len() {
        let piece = &pieces[at];
        if piece.lines > 0 || piece.state == State::Header {
            before =
                (piece.seqs.map_or(before.0, |(_, last)| Some(last)), piece.times.map(|(_, last)| last).or(before.1));
            at += 1;
            continue;
        }
        let next = pieces[at..].iter().position(|piece| piece.lines > 0);
        let end = next.map_or(pieces.len(), |next| at + next);
        let after = next.and_then(|next| pieces.get(at + next));
        let from = before.0.and_then(|last| last.checked_add(1));
        let to = after.and_then(|piece| piece.seqs).and_then(|(first, _)| first.checked_sub(1));
        let lost = from.zip(to).filter(|(from, to)| from <= to);
        let between = before.1.zip(after.and_then(|piece| piece.times).map(|(first, _)| first));
        for piece in pieces[at..end].iter_mut().filter(|piece| matches!(piece.state, State::Damaged | State::Foreign)) {
            (piece.lost, piece.between) = (lost, between);
        }
        at = end;
    }
}

fn blank(state: State, offset: u64, bytes: u64) -> Piece {
    Piece {
        state,
        frame: None,
        offset,
        bytes,
        rows: None,
        lines: 0,
        seqs: None,
        times: None,
        next_row: None,
        lost: None,
        between: None,
        why: String::new(),
    }
}

/// A piece for each frame that has blocks; and the piece of each block, none for one of a plain log.
fn from_blocks(session: &Session) -> (Vec<Piece>, Vec<Option<usize>>) {
    let index = &session.index;
    let mut pieces: Vec<Piece> = Vec::new();
    let mut of_block = Vec::with_capacity(index.blocks.len());
    let mut last: Option<(Option<u32>, u64)> = None;
    for (at, address) in index.blocks.iter().enumerate() {
        let frame = index.frame(BlockId(at as u32));
        let (state, offset, bytes) = match address {
            BlockAddress::Frame { offset, len, .. } => (State::Good, *offset, *len),
            BlockAddress::Torn { offset, len } => (State::Torn, *offset, *len),
            BlockAddress::Kept(_) => (State::Good, 0, 0),
            BlockAddress::Plain { .. } => {
                of_block.push(None);
                continue;
            }
        };
        if last.is_none_or(|(of, start)| of != frame || (frame.is_none() && start != offset)) {
            pieces.push(Piece { frame: frame.map(u64::from), ..blank(state, offset, bytes) });
        }
        last = Some((frame, offset));
        of_block.push(Some(pieces.len() - 1));
    }
    (pieces, of_block)
}

/// Bytes of a plain log whose lines make one piece: however it was read, the pieces are the same.
const STRETCH: u64 = 64 << 10;

/// A piece for each stretch of a plain log; a line belongs to the stretch that it begins in.
fn stretches(session: &Session) -> Vec<Piece> {
    let index = &session.index;
    let mut pieces = vec![blank(State::Good, 0, 0)];
    for (at, row) in index.rows.iter().enumerate() {
        let Some(BlockAddress::Plain { offset, .. }) = index.blocks.get(row.block.0 as usize) else { continue };
        let start = offset.saturating_add(u64::from(row.at));
        let is_next = pieces.last().is_some_and(|piece| piece.lines > 0 && start / STRETCH != piece.offset / STRETCH);
        if is_next {
            pieces.push(blank(State::Good, start, 0));
        }
        if let Some(piece) = pieces.last_mut() {
            add(piece, RowIx(at as u32), &row);
        }
    }
    let end = session.facts.container.file_bytes;
    let starts: Vec<u64> = pieces.iter().map(|piece| piece.offset).chain([end]).collect();
    for (piece, next) in pieces.iter_mut().zip(starts.into_iter().skip(1)) {
        piece.bytes = next.saturating_sub(piece.offset);
    }
    pieces.retain(|piece| piece.bytes > 0);
    // The unfinished line is the last one.
    if let Some(last) = pieces.last_mut().filter(|_| session.facts.container.torn_tail.is_some()) {
        last.state = State::Torn;
    }
    pieces
}

fn fill(session: &Session, pieces: &mut [Piece], of_block: &[Option<usize>]) {
    let index = &session.index;
    let piece_of = |block: BlockId| of_block.get(block.0 as usize).copied().flatten();
    for (at, row) in index.rows.iter().enumerate() {
        let Some(piece) = piece_of(row.block).and_then(|at| pieces.get_mut(at)) else { continue };
        add(piece, RowIx(at as u32), &row);
    }
    let header = index.header_at.and_then(|(block, ..)| piece_of(block)).and_then(|at| pieces.get_mut(at));
    if let Some(header) = header.filter(|header| header.lines == 0 && header.state == State::Good) {
        header.state = State::Header;
    }
}

fn add(piece: &mut Piece, ix: RowIx, row: &Row) {
    piece.rows = Some(piece.rows.map_or((ix, ix), |(first, _)| (first, ix)));
    piece.lines += 1;
    if let Some((first, last)) = row.seq().zip(row.last_seq()) {
        piece.seqs = Some((piece.seqs.map_or(first.0, |(first, _)| first), last.0));
    }
    if let Some(time) = row.time() {
        piece.times = Some((piece.times.map_or(time.0, |(first, _)| first), time.0));
    }
}

fn add_damage(session: &Session, pieces: &mut Vec<Piece>) {
    let container = &session.facts.container;
    let damaged: HashSet<u64> = container.damaged_frames.iter().map(|damage| damage.frame).collect();
    // A damaged frame of which nothing was had is no piece besides its damage.
    pieces.retain(|piece| piece.lines > 0 || piece.frame.is_none_or(|frame| !damaged.contains(&frame)));
    for damage in &container.damaged_frames {
        let piece = Piece {
            frame: Some(damage.frame),
            next_row: Some(damage.next_row),
            why: damage.why.clone(),
            ..blank(State::Damaged, damage.offset, damage.len)
        };
        pieces.push(piece);
    }
    let stretches = container.foreign_bytes.iter().map(|stretch| (State::Foreign, stretch));
    let stretches = stretches.chain(container.skippable_frames.iter().map(|stretch| (State::Skippable, stretch)));
    pieces.extend(stretches.map(|(state, (offset, bytes))| blank(state, *offset, *bytes)));
    if let Some(torn) = container.torn_tail
        && !pieces.iter().any(|piece| piece.state == State::Torn)
    {
        let next_row = Some(torn.first_row);
        pieces.push(Piece { next_row, ..blank(State::Torn, torn.offset, torn.bytes) });
    }
}

/// A cell of the map: one piece, or several that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Places of its first and last piece.
    pub pieces: (usize, usize),
    /// The worst state among them.
    pub worst: State,
    /// Their bytes.
    pub bytes: u64,
}

/// The map in at most that many cells: 1, 2, 4, 8, … pieces a cell, as few as fit.
#[must_use]
pub fn cells(pieces: &[Piece], most: usize) -> Vec<Cell> {
    let mut group = 1;
    while pieces.len().div_ceil(group) > most.max(1) {
        group *= 2;
    }
    let chunks = pieces.chunks(group).enumerate();
    let cell = |(at, chunk): (usize, &[Piece])| Cell {
        pieces: (at * group, at * group + chunk.len() - 1),
        worst: chunk.iter().map(|piece| piece.state).max().unwrap_or(State::Good),
        bytes: chunk.iter().fold(0, |sum, piece| sum.saturating_add(piece.bytes)),
    };
    chunks.map(cell).collect()
}

#[cfg(test)]
mod tests;
