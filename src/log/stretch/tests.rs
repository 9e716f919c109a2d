use super::*;
use proptest::prelude::*;

const SMALL: Sizes = Sizes { stretch: 12, long: 20, limit: LineLimit(40) };

fn cut(begun: &[u8], text: &[u8], piece: usize) -> (Vec<Stretch>, Rest) {
    let mut stretches = Vec::new();
    let mut cutter = StretchCutter::with_sizes(begun.to_vec(), 0, SMALL);
    let mut keep = |stretch| {
        stretches.push(stretch);
        ControlFlow::Continue(())
    };
    for piece in text.chunks(piece) {
        assert!(cutter.push(piece, &mut keep).is_continue());
    }
    let (_, rest) = cutter.finish(&mut keep);
    (stretches, rest)
}

#[test]
fn a_long_line_and_a_joined_one_come_alone() {
    use StretchKind::{Joined, Lines, LongLine};
    let (stretches, rest) = cut(b"be", b"gun\none\ntwo\nthree\n0123456789012345678901234567\nfour\nfi", 4);
    let told: Vec<(&str, u64, StretchKind)> = stretches
        .iter()
        .map(|stretch| (std::str::from_utf8(&stretch.text).expect("text"), stretch.offset, stretch.kind))
        .collect();
    assert_eq!(
        told,
        [
            ("begun\n", 0, Joined),
            ("one\ntwo\n", 4, Lines),
            ("three\n", 12, Lines),
            ("0123456789012345678901234567\n", 18, LongLine),
            ("four\n", 47, Lines),
        ]
    );
    assert_eq!((rest.bytes.as_slice(), rest.offset, rest.is_joined), (&b"fi"[..], 52, false));
}

#[test]
fn a_line_over_the_limit_is_cut_and_counted_whole() {
    let line = [b'a'; 50];
    for end in ["\n", "\r\n"] {
        let text = [&line[..], end.as_bytes(), b"b\n"].concat();
        let (stretches, rest) = cut(b"", &text, 3);
        assert_eq!(stretches[0].text, &line[..40]);
        assert_eq!(stretches[0].dropped, 10 + end.len() as u64 - 1);
        assert_eq!(stretches[0].dropped_cr, end.len() == 2);
        assert_eq!(stretches[0].taken, 50 + end.len() as u64);
        assert_eq!((&stretches[1].text[..], stretches[1].offset), (&b"b\n"[..], stretches[0].taken));
        assert!(rest.bytes.is_empty());
    }
}

#[test]
fn a_begun_line_that_does_not_end_stays_begun() {
    let (stretches, rest) = cut(b"be", b"gun", 2);
    assert!(stretches.is_empty());
    assert_eq!((rest.bytes.as_slice(), rest.is_joined), (&b"begun"[..], true));
}

#[test]
fn whoever_has_enough_hears_no_more() {
    let mut cutter = StretchCutter::with_sizes(Vec::new(), 0, SMALL);
    let mut heard = 0;
    let flow = cutter.push(b"0123456789ab\n0123456789ab\n", &mut |_| {
        heard += 1;
        ControlFlow::Break(())
    });
    assert_eq!((flow, heard), (ControlFlow::Break(()), 1));
}

proptest! {
    #[test]
    fn stretches_and_rest_are_the_text(
        begun in "[a-c]{0,3}",
        lines in prop::collection::vec("[a-c]{0,34}", 0..12),
        piece in 1usize..9,
    ) {
        let text = lines.join("\n");
        let (stretches, rest) = cut(begun.as_bytes(), text.as_bytes(), piece);
        let mut joined = Vec::new();
        for stretch in &stretches {
            prop_assert_eq!(stretch.text.last(), Some(&b'\n'));
            let before = if stretch.kind == StretchKind::Joined { 0 } else { begun.len() };
            prop_assert_eq!(stretch.offset as usize + before, joined.len());
            prop_assert!(stretch.kind == StretchKind::Lines || memchr::memchr(b'\n', &stretch.text) == Some(stretch.text.len() - 1));
            joined.extend_from_slice(&stretch.text);
        }
        joined.extend_from_slice(&rest.bytes);
        prop_assert_eq!(joined, [begun.as_bytes(), text.as_bytes()].concat());
    }
}
