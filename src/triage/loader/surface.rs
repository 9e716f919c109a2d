//! The conversation surface as the harness replays it: which nodes stand on it, in which order.
//!
//! A node appended at seq s stands at place s; a replacement takes the place of the first node it shadows. So places
//! ascend in surface order, and only replacements have a place other than their seq. One bit a place, in shared
//! pieces: a copy of a long surface costs a pointer a piece.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashMap;

/// Places in one piece.
const PLACES: i64 = 4096;

/// Words of 64 places in one piece.
const WORDS: usize = (PLACES / 64) as usize;

/// What stands on the places of one stretch.
#[derive(Debug, Clone)]
struct Piece {
    taken: [u64; WORDS],
    results: [u64; WORDS],
}

impl Piece {
    const EMPTY: Piece = Piece { taken: [0; WORDS], results: [0; WORDS] };

    fn is_empty(&self) -> bool {
        self.taken.iter().all(|word| *word == 0)
    }

    fn has(&self, at: usize) -> bool {
        self.taken.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn is_result(&self, at: usize) -> bool {
        self.results.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn set(&mut self, at: usize, taken: bool, result: bool) {
        let bit = 1_u64 << (at % 64);
        if let (Some(word), Some(mark)) = (self.taken.get_mut(at / 64), self.results.get_mut(at / 64)) {
            *word = if taken { *word | bit } else { *word & !bit };
            *mark = if taken && result { *mark | bit } else { *mark & !bit };
        }
    }
}

/// Replacements that stand on the surface, both ways.
#[derive(Debug, Clone, Default)]
struct Moved {
    place_of: HashMap<i64, i64>,
    seq_at: HashMap<i64, i64>,
}

/// What a surface event appends or replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A `tool/result`.
    Result,
    /// Any other message.
    Message,
}

/// A stretch of the surface, from one node to another; both stand on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    from: i64,
    to: i64,
}

/// Why a stretch cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanFault {
    /// A seq is no node of the surface.
    NotThere(i64),
    /// The first node stands after the last.
    Backwards,
}

/// The surface.
#[derive(Debug, Clone, Default)]
pub(super) struct SurfaceFold {
    pieces: BTreeMap<i64, Arc<Piece>>,
    moved: Arc<Moved>,
}

impl SurfaceFold {
    /// Whether no node stands on it.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Appends a node. Seqs ascend; an older one would land before its followers.
    pub(super) fn append(&mut self, seq: i64, kind: NodeKind) {
        self.put(seq, kind);
    }

    /// The stretch from one node to another.
    pub(super) fn span(&self, start: i64, end: i64) -> Result<Span, SpanFault> {
        let from = self.place(start).ok_or(SpanFault::NotThere(start))?;
        let to = self.place(end).ok_or(SpanFault::NotThere(end))?;
        if from > to { Err(SpanFault::Backwards) } else { Ok(Span { from, to }) }
    }

    /// Seqs of the nodes of a stretch, in surface order.
    pub(super) fn nodes(&self, span: Span) -> impl Iterator<Item = i64> + '_ {
        self.places(span).map(|place| self.moved.seq_at.get(&place).copied().unwrap_or(place))
    }

    /// Whether the first node of a stretch is a `tool/result`.
    pub(super) fn starts_with_result(&self, span: Span) -> bool {
        self.pieces.get(&(span.from / PLACES)).is_some_and(|piece| piece.is_result((span.from % PLACES) as usize))
    }

    /// Puts a node in the place of a stretch.
    pub(super) fn replace(&mut self, span: Span, seq: i64, kind: NodeKind) {
        let shadowed: Vec<i64> = self.places(span).collect();
        for place in shadowed {
            self.take(place);
        }
        self.put(span.from, kind);
        let moved = Arc::make_mut(&mut self.moved);
        moved.place_of.insert(seq, span.from);
        moved.seq_at.insert(span.from, seq);
    }

    /// Where a node stands; `None` where its seq is on the surface no longer or never was.
    fn place(&self, seq: i64) -> Option<i64> {
        if let Some(place) = self.moved.place_of.get(&seq) {
            return Some(*place);
        }
        let there = self.pieces.get(&seq.div_euclid(PLACES))?.has(seq.rem_euclid(PLACES) as usize);
        (there && !self.moved.seq_at.contains_key(&seq)).then_some(seq)
    }

    /// Taken places of a stretch, ascending; empty pieces cost nothing, since none are kept.
    fn places(&self, span: Span) -> impl Iterator<Item = i64> + '_ {
        self.pieces
            .range(span.from / PLACES..=span.to / PLACES)
            .flat_map(move |(at, piece)| {
                let base = at * PLACES;
                piece
                    .taken
                    .iter()
                    .enumerate()
                    .flat_map(move |(word, bits)| Bits(*bits).map(move |bit| base + word as i64 * 64 + bit))
            })
            .filter(move |place| (span.from..=span.to).contains(place))
    }

    fn put(&mut self, place: i64, kind: NodeKind) {
        let piece = self.pieces.entry(place.div_euclid(PLACES)).or_insert_with(|| Arc::new(Piece::EMPTY));
        Arc::make_mut(piece).set(place.rem_euclid(PLACES) as usize, true, kind == NodeKind::Result);
    }

    fn take(&mut self, place: i64) {
        let key = place.div_euclid(PLACES);
        if let Some(piece) = self.pieces.get_mut(&key) {
            Arc::make_mut(piece).set(place.rem_euclid(PLACES) as usize, false, false);
            if piece.is_empty() {
                self.pieces.remove(&key);
            }
        }
        if let Some(seq) = self.moved.seq_at.get(&place).copied() {
            let moved = Arc::make_mut(&mut self.moved);
            moved.seq_at.remove(&place);
            moved.place_of.remove(&seq);
        }
    }
}

/// The set bits of a word, ascending.
struct Bits(u64);

impl Iterator for Bits {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(i64::from(bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(seqs: &[i64]) -> SurfaceFold {
        let mut fold = SurfaceFold::default();
        for seq in seqs {
            fold.append(*seq, NodeKind::Message);
        }
        fold
    }

    fn all(fold: &SurfaceFold) -> Vec<i64> {
        fold.nodes(Span { from: 0, to: 1 << 40 }).collect()
    }

    #[test]
    fn a_replacement_takes_the_place_of_what_it_shadows() {
        let mut fold = of(&[2, 5, 9, 9000]);
        let span = fold.span(5, 9).unwrap();
        assert_eq!(fold.nodes(span).collect::<Vec<_>>(), [5, 9]);
        fold.replace(span, 9001, NodeKind::Message);
        assert_eq!(all(&fold), [2, 9001, 9000]);
        // By place, not by number: 9001 stands before 9000.
        assert_eq!(fold.span(9000, 9001), Err(SpanFault::Backwards));
        let span = fold.span(9001, 9000).unwrap();
        fold.replace(span, 9002, NodeKind::Message);
        assert_eq!(all(&fold), [2, 9002]);
        assert_eq!(fold.span(9001, 9002), Err(SpanFault::NotThere(9001)));
        assert_eq!(fold.span(5, 9002), Err(SpanFault::NotThere(5)));
    }

    #[test]
    fn seqs_that_are_no_node_are_told() {
        let fold = of(&[2]);
        for seq in [-1, 0, 3, i64::MIN, i64::MAX] {
            assert_eq!(fold.span(seq, 2), Err(SpanFault::NotThere(seq)));
        }
        assert!(SurfaceFold::default().is_empty() && !fold.is_empty());
    }

    #[test]
    fn results_are_known_by_place() {
        let mut fold = of(&[1]);
        fold.append(3, NodeKind::Result);
        let span = fold.span(3, 3).unwrap();
        assert!(fold.starts_with_result(span));
        fold.replace(span, 7, NodeKind::Result);
        assert!(fold.starts_with_result(fold.span(7, 7).unwrap()));
        assert!(!fold.starts_with_result(fold.span(1, 1).unwrap()));
    }

    #[test]
    fn copies_do_not_share_later_changes() {
        let mut fold = of(&[1, 2]);
        let copy = fold.clone();
        fold.replace(fold.span(1, 2).unwrap(), 3, NodeKind::Message);
        assert_eq!(all(&copy), [1, 2]);
        assert_eq!(all(&fold), [3]);
    }
}
