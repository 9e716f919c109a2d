use super::*;
use proptest::prelude::*;

type Owned = (Vec<u8>, u64, u64, LineEnd, bool);

fn split(limit: usize, pieces: &[&[u8]]) -> (Vec<Owned>, Vec<u8>) {
    let mut lines = Vec::new();
    let mut splitter = LineSplitter::with_limit(LineLimit(limit));
    let mut keep = |line: Line<'_>| {
        lines.push((line.bytes.to_vec(), line.offset, line.len, line.end, line.over_long));
    };
    for piece in pieces {
        splitter.push(piece, &mut keep);
    }
    let rest = splitter.rest().to_vec();
    splitter.finish(&mut keep);
    assert_eq!(splitter.offset(), pieces.iter().map(|piece| piece.len() as u64).sum::<u64>());
    (lines, rest)
}

#[test]
fn lines_come_without_their_ends() {
    use LineEnd::{CrLf, Lf, None};
    let (lines, rest) = split(100, &[b"one\ntwo\r\n\n\r\nfour\rfive"]);
    let expected: [(&[u8], u64, LineEnd); 5] =
        [(b"one", 0, Lf), (b"two", 4, CrLf), (b"", 9, Lf), (b"", 10, CrLf), (b"four\rfive", 12, None)];
    for (got, (bytes, offset, end)) in lines.iter().zip(expected) {
        assert_eq!(got, &(bytes.to_vec(), offset, bytes.len() as u64, end, false));
    }
    assert_eq!(lines.len(), 5);
    assert_eq!(rest, b"four\rfive");
    assert_eq!(split(100, &[b"a\n"]).1, b"");
    assert_eq!(split(100, &[]).0, []);
}

#[test]
fn a_line_within_a_piece_is_not_copied() {
    let piece = b"one\ntwo\nrest";
    let range = piece.as_ptr_range();
    let mut splitter = LineSplitter::new();
    splitter.push(piece, &mut |line| {
        assert!(range.contains(&line.bytes.as_ptr()));
    });
    assert_eq!(splitter.rest(), b"rest");
}

#[test]
fn over_long_lines_are_cut_and_counted() {
    let (lines, rest) = split(4, &[b"abcd\nabc", b"defg", b"hi\r\nxy\nabcdefg"]);
    assert_eq!(
        lines,
        [
            (b"abcd".to_vec(), 0, 4, LineEnd::Lf, false),
            (b"abcd".to_vec(), 5, 9, LineEnd::CrLf, true),
            (b"xy".to_vec(), 16, 2, LineEnd::Lf, false),
            (b"abcd".to_vec(), 19, 7, LineEnd::None, true),
        ]
    );
    assert_eq!(rest, b"abcd");
}

#[test]
fn the_memory_of_a_large_line_is_given_back() {
    let mut splitter = LineSplitter::new();
    let mut seen = 0;
    let piece = vec![b'x'; 100_000];
    for _ in 0..100 {
        splitter.push(&piece, &mut |_| {});
    }
    splitter.push(b"\nnext", &mut |line| seen = line.bytes.len());
    assert_eq!(seen, 10_000_000);
    assert!(splitter.rest.capacity() <= KEPT);
    splitter.restart(7);
    assert_eq!((splitter.offset(), splitter.rest()), (7, &b""[..]));
}

proptest! {
    #[test]
    fn any_pieces_give_the_same_lines(
        text in proptest::collection::vec(
            prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a'), any::<u8>()],
            0..200,
        ),
        cuts in proptest::collection::vec(0usize..200, 0..12),
        limit in 1usize..60,
    ) {
        let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
        prop_assert_eq!(split(limit, &pieces), split(limit, &[&text]));
        let (lines, _) = split(usize::MAX, &pieces);
        let mut joined = Vec::new();
        for (bytes, offset, len, end, over_long) in lines {
            prop_assert_eq!(offset, joined.len() as u64);
            prop_assert!(!over_long && len == bytes.len() as u64);
            joined.extend(bytes);
            joined.extend(match end {
                LineEnd::Lf => &b"\n"[..],
                LineEnd::CrLf => b"\r\n",
                LineEnd::None => b"",
            });
        }
        prop_assert_eq!(joined, text);
    }
}
