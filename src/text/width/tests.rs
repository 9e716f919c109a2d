use proptest::prelude::*;

use super::*;

#[test]
fn columns_follow_the_graphemes() {
    let table = [
        ("", 0),
        ("abc", 3),
        ("合计", 4),
        ("e\u{301}", 1),
        ("لا", 2),
        ("👩", 2),
        ("🇩🇪", 2),
        ("ｶ", 1),
        ("⋯↵▐", 3),
        ("각", 2),
    ];
    for (text, expected) in table {
        assert_eq!(columns(text), expected, "{text:?}");
    }
}

#[test]
fn the_end_is_cut_by_grapheme_and_column() {
    let table = [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd⋯"),
        ("abcdef", 1, "⋯"),
        ("abcdef", 0, ""),
        ("合计合计", 5, "合计⋯"),
        ("合计合计", 4, "合⋯ "),
        ("ae\u{301}bcd", 3, "ae\u{301}⋯"),
    ];
    for (text, max, expected) in table {
        assert_eq!(cut_end(text, max), expected, "{text:?} {max}");
    }
}

#[test]
fn ids_keep_their_ends() {
    assert_eq!(short_id("session-0a11c0de-0000-4000-8000-000000000012"), "0a11c0de⋯0012");
    assert_eq!(short_id("1d07f7c0-aaaa-bbbb-cccc-ddddddddacfd"), "1d07f7c0⋯acfd");
    assert_eq!(short_id("short"), "short");
    assert_eq!(prefixed_id("session-0a11c0de-0000-4000-8000-000000000012"), "session-0a11c0de⋯0012");
    assert_eq!(short_call_id("call_0321_0"), "call_0321_0");
    assert_eq!(short_call_id("call_00_ffff00112233ffff"), "call_00_ffff⋯ffff");
}

#[test]
fn paths_keep_the_first_part_and_the_name() {
    let path = "/home/dev/shop-api/src/cart.js";
    let table = [
        (40, "/home/dev/shop-api/src/cart.js"),
        (25, "/home/⋯/src/cart.js"),
        (16, "/home/⋯/cart.js"),
        (10, "⋯/cart.js"),
        (6, "cart.⋯"),
        (0, ""),
    ];
    for (max, expected) in table {
        assert_eq!(short_path(path, max), expected, "{max}");
    }
    assert_eq!(short_path("C:\\Users\\dev\\project\\a.txt", 15), "C:\\⋯\\a.txt");
    assert_eq!(short_path("src/part111/deep/file.js", 16), "src/⋯/file.js");
    assert_eq!(short_path("a-name-without-any-part", 8), "a-name-⋯");
}

#[test]
fn a_path_of_any_number_of_parts_fills_its_room() {
    let path = format!("/srv{}", "/é\u{301}x".repeat(20_000));
    for max in [12, 40, 41, 4_000] {
        let short = short_path(&path, max);
        assert!(short.starts_with("/srv/⋯/") && path.ends_with(&short[8..]), "{max}");
        assert!((max - 2..=max).contains(&columns(&short)), "{max}: {}", columns(&short));
    }
}

#[test]
fn words_wrap_and_long_words_break() {
    let lines = |text: &str, width| -> Vec<String> {
        wrap(text, width).into_iter().map(|range| text[range].to_owned()).collect()
    };
    assert_eq!(lines("", 10), [""]);
    assert_eq!(lines("one two three", 8), ["one two", "three"]);
    assert_eq!(lines("one  two", 4), ["one", "two"]);
    assert_eq!(lines("  indented text", 10), ["  indented", "text"]);
    assert_eq!(lines("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(lines("x abcdefghij", 4), ["x", "abcd", "efgh", "ij"]);
    assert_eq!(lines("合计合计", 5), ["合计", "合计"]);
    assert_eq!(lines("ends here   ", 20), ["ends here"]);
}

#[test]
fn padding_fills_by_columns() {
    assert_eq!(pad_end("合", 4), "合  ");
    assert_eq!(pad_start("12", 4), "  12");
    assert_eq!(pad_start("12345", 4), "12345");
    assert_eq!(fit("abcdef", 4), "abc⋯");
}

/// Printable text of many scripts, as `sanitize` would give it.
fn printable() -> impl Strategy<Value = String> {
    proptest::collection::vec(any::<char>(), 0..60)
        .prop_map(|chars| crate::text::sanitize::display(chars.iter().collect::<String>().as_bytes()))
}

proptest! {
    #[test]
    fn a_cut_never_exceeds(text in printable(), max in 0usize..40, tail in 0usize..10) {
        let cut = cut_end(&text, max);
        prop_assert!(columns(&cut) <= max);
        if columns(&text) > max {
            prop_assert_eq!(columns(&cut), max);
        }
        prop_assert!(columns(&cut_middle(&text, max, tail)) <= max + tail + 1);
        prop_assert!(columns(&short_path(&text, max)) <= max);
        prop_assert_eq!(columns(&fit(&text, max)), max);
    }

    #[test]
    fn a_wrapped_line_never_exceeds_and_nothing_but_blanks_is_lost(text in printable(), width in 2usize..30) {
        let lines = wrap(&text, width);
        let mut kept = String::new();
        let mut end = 0;
        for range in &lines {
            prop_assert!(range.start >= end);
            end = range.end;
            prop_assert!(columns(&text[range.clone()]) <= width, "{:?}", &text[range.clone()]);
            kept.push_str(&text[range.clone()]);
        }
        prop_assert_eq!(kept.replace(' ', ""), text.replace(' ', ""));
    }
}
