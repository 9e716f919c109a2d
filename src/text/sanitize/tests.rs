use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::*;
use crate::text::class::{Class, class};
use crate::text::width::grapheme_columns;

#[test]
fn what_cannot_be_drawn_is_named_where_it_stood() {
    let table: [(&[u8], &str); 18] = [
        (b"plain", "plain"),
        (b"a\nb\r\nc", "a↵b↵c"),
        (b"a\tb  c", "a b  c"),
        (b"\x1b[31mred\x07", "\\u001b[31mred\\u0007"),
        (b"\xC2\x9B", "\\u009b"),
        (b"\r", "\\u000d"),
        ("👩\u{1F3FD}\u{200D}💻".as_bytes(), "👩[U+1F3FD][U+200D]💻"),
        ("a\u{202E}b\u{2066}c".as_bytes(), "a[U+202E]b[U+2066]c"),
        ("x\u{2028}y\u{FEFF}".as_bytes(), "x[U+2028]y[U+FEFF]"),
        (b"\xED\xA0\xBDx", "\\ud83dx"),
        (b"\xFF\xE2\x82", "[0xFF][0xE2][0x82]"),
        ("\u{FFFD}".as_bytes(), "\u{FFFD}"),
        ("\u{E000}\u{378}\u{FFFF}".as_bytes(), "[U+E000][U+0378][U+FFFF]"),
        ("e\u{301}".as_bytes(), "e\u{301}"),
        ("\u{301}e".as_bytes(), "[U+0301]e"),
        ("\u{1}\u{301}".as_bytes(), "\\u0001[U+0301]"),
        ("العربية שלום 合计".as_bytes(), "العربية שלום 合计"),
        ("1\u{FE0F}\u{20E3}".as_bytes(), "1[U+FE0F][U+20E3]"),
    ];
    for (bytes, expected) in table {
        assert_eq!(display(bytes), expected);
        assert_eq!(one_line(bytes, 1_000), expected);
    }
}

#[test]
fn a_tower_of_marks_is_cut_down() {
    let text = format!("e{}", "\u{301}".repeat(10));
    let shown = display(text.as_bytes());
    assert_eq!(shown, format!("e{}[U+0301][U+0301]", "\u{301}".repeat(8)));
    assert_eq!(columns(&shown), 17);
}

#[test]
fn one_line_cuts_by_column() {
    let table: [(&str, usize, &str); 6] = [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde⋯"),
        ("合计合计", 5, "合计⋯"),
        ("合计合计", 4, "合⋯ "),
        ("abc", 0, ""),
        ("\u{1b}[0m", 4, "\\u0⋯"),
    ];
    for (text, max, expected) in table {
        assert_eq!(one_line(text.as_bytes(), max), expected, "{text:?} {max}");
    }
}

#[test]
fn one_line_reads_no_more_than_the_columns_need() {
    // Marks without end on one character: the whole text has few columns, and is not read to learn that.
    let hostile = format!("a{}", "\u{17D2}\u{1780}".repeat(4_000_000));
    let start = one_line(hostile.as_bytes(), 20);
    let short = one_line(&hostile.as_bytes()[..6_001], 20);
    assert_eq!(start, short);
    assert!(columns(&start) <= 20);
}

fn texts(lines: &Lines) -> Vec<String> {
    lines.lines.iter().map(|line| line.iter().map(|piece| piece.text.as_str()).collect()).collect()
}

#[test]
fn lines_split_expand_tabs_and_mark() {
    let found = lines(b"a\tb\r\nxyz\t.\n\n\x1bend\r!", Limits::default());
    assert_eq!(texts(&found), ["a   b", "xyz .", "", "\\u001bend\\u000d!"]);
    assert!(!found.cut);
    assert_eq!(found.lines[3][0], Piece { text: "\\u001b".to_owned(), kind: PieceKind::Mark });
    assert_eq!(found.lines[3][1], Piece { text: "end".to_owned(), kind: PieceKind::Plain });
    assert_eq!(texts(&lines(b"", Limits::default())), Vec::<String>::new());
    assert_eq!(texts(&lines(b"a\n", Limits::default())), ["a"]);
    assert_eq!(texts(&lines("合\tx".as_bytes(), Limits::default())), ["合  x"]);
}

#[test]
fn lines_mark_unusual_blanks_and_look_alikes() {
    let found = lines("a\u{A0}b p\u{430}y \u{43F}\u{440}".as_bytes(), Limits::default());
    assert_eq!(texts(&found), ["a[U+00A0]b p[U+0430]y \u{43F}\u{440}"]);
}

#[test]
fn lines_stop_at_their_limits() {
    let limits = Limits { max_bytes: 5, max_lines: 10, max_columns_per_line: 10 };
    let found = lines("ab\ncé and more".as_bytes(), limits);
    assert_eq!(texts(&found), ["ab", "c"]);
    assert_eq!((found.cut, found.read), (true, 4));

    let limits = Limits { max_bytes: 100, max_lines: 2, max_columns_per_line: 10 };
    let found = lines(b"a\nb\nc", limits);
    assert_eq!(texts(&found), ["a", "b"]);
    assert_eq!((found.cut, found.read), (true, 4));
    assert!(!lines(b"a\nb\n", limits).cut);

    let limits = Limits { max_bytes: 100, max_lines: 2, max_columns_per_line: 6 };
    let found = lines(b"abc\x1bdef\nshort!", limits);
    assert_eq!(texts(&found), ["abc\\u⋯", "short!"]);
    assert_eq!(found.lines[0].last().map(|piece| piece.kind), Some(PieceKind::Mark));
    assert!(!found.cut);
}

/// Bytes of all sorts: noise, text, and the characters that do harm, close together.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let sharp = prop::sample::select(vec![
        "\u{200D}",
        "\u{202E}",
        "\u{301}",
        "\u{1F3FD}",
        "👩",
        "\u{FE0F}",
        "\u{1B}",
        "\n",
        "\r\n",
        "\t",
        "合",
        "ｶ",
        "\u{FF9E}",
        "\u{1100}",
        "\u{1161}",
        "\u{11A8}",
        "각",
        "\u{17D2}",
        "\u{1780}",
        "\u{17D8}",
        "ل",
        "ا",
        "🇩",
        "\u{E33}",
        "\u{93F}",
        "\u{915}",
        "\u{94D}",
        "\u{11A3A}",
        "\u{600}",
        " ",
        "a",
        "\u{16D63}",
        "\u{16D67}",
        "\u{2D31}",
        "\u{2D7F}",
        "\u{A4F8}",
        "\u{A4FC}",
        "\u{5D0}",
        "\u{5DC}",
        "<",
        "\u{338}",
        "‘",
        "“",
    ]);
    let part = prop_oneof![
        sharp.prop_map(|text| text.as_bytes().to_vec()),
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
        prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

fn assert_printable(text: &str) -> Result<(), TestCaseError> {
    for c in text.chars() {
        prop_assert!(!matches!(class(c), Class::Control | Class::Hidden), "U+{:04X}", u32::from(c));
    }
    // ratatui leaves out a grapheme without a width, and gives one at least its columns.
    for grapheme in text.graphemes(true) {
        prop_assert!(grapheme_columns(grapheme) >= 1, "{grapheme:?}");
    }
    Ok(())
}

#[test]
fn a_name_of_any_length_is_shown_at_a_bounded_price() {
    for part in ["/x", "\u{1b}", "\u{301}", "é"] {
        let shown = display(part.repeat(MOST_DISPLAYED + 1).as_bytes());
        assert!(shown.ends_with(CUT) && shown.len() <= 16 * MOST_DISPLAYED, "{part:?}: {}", shown.len());
        assert!(!display(part.repeat(MOST_DISPLAYED / part.len()).as_bytes()).ends_with(CUT), "{part:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn only_printable_text_comes_out(bytes in hostile(), max in 0usize..60) {
        assert_printable(&display(&bytes))?;
        let line = one_line(&bytes, max);
        assert_printable(&line)?;
        prop_assert!(columns(&line) <= max);
        for line in lines(&bytes, Limits::default()).lines {
            for piece in line {
                prop_assert!(!piece.text.is_empty());
                assert_printable(&piece.text)?;
            }
        }
    }

    #[test]
    fn one_line_is_the_cut_of_the_whole(bytes in hostile(), max in 0usize..60) {
        prop_assert_eq!(one_line(&bytes, max), cut_end(&display(&bytes), max));
    }

    #[test]
    fn the_width_of_a_line_is_the_sum_of_its_pieces(bytes in hostile(), max in 1usize..60) {
        let limits = Limits { max_columns_per_line: max, ..Limits::default() };
        for line in lines(&bytes, limits).lines {
            let sum: usize = line.iter().map(|piece| columns(&piece.text)).sum();
            let whole: String = line.iter().map(|piece| piece.text.as_str()).collect();
            prop_assert_eq!(columns(&whole), sum);
            prop_assert!(sum <= max);
        }
    }

    #[test]
    fn what_is_listed_as_hidden_is_what_is_marked(bytes in hostile()) {
        let marked = lines(&bytes, Limits::default())
            .lines.iter().flatten().any(|piece| piece.kind == PieceKind::Mark);
        let listed = hidden_characters(&bytes).iter().any(|each| each.spelling == Spelling::Raw);
        prop_assert_eq!(marked, listed);
    }
}
