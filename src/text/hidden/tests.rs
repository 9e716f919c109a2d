use super::*;

fn found(text: &[u8]) -> Vec<(String, &'static str, u32, usize)> {
    hidden_characters(text).into_iter().map(|each| (each.what, each.name, each.count, each.first_byte)).collect()
}

fn entry(what: &str, name: &'static str, count: u32, first: usize) -> (String, &'static str, u32, usize) {
    (what.to_owned(), name, count, first)
}

#[test]
fn kinds_come_in_order_of_first_occurrence_with_counts() {
    let text = "👩\u{1F3FD}\u{200D}💻 a\u{2028}b\u{200D}".as_bytes();
    assert_eq!(
        found(text),
        [
            entry("U+1F3FD", "hidden.skin_tone", 1, 4),
            entry("U+200D", "hidden.zero_width_joiner", 2, 8),
            entry("U+2028", "hidden.line_separator", 1, 17),
        ]
    );
}

#[test]
fn escapes_written_as_text_are_listed_and_escaped_backslashes_are_not() {
    assert_eq!(
        found(br#"{"a":"\u0000 \u001b[32m\u001B[0m \\u0007 \n \u0041"}"#),
        [entry("\\u0000", "hidden.escape_nul", 1, 6), entry("\\u001b", "hidden.escape_esc", 2, 13)]
    );
}

#[test]
fn a_pair_of_escapes_is_one_character_and_half_a_pair_is_not() {
    assert_eq!(found(br"\ud83d\ude00"), []);
    assert_eq!(found(br"\ud83d x"), [entry("\\ud83d", "hidden.escape_surrogate", 1, 0)]);
    assert_eq!(found(br"x \ude00"), [entry("\\ude00", "hidden.escape_surrogate", 1, 2)]);
    assert_eq!(found(br"\u"), []);
    assert_eq!(found(br"\u12"), []);
}

#[test]
fn controls_and_bad_bytes_are_named() {
    assert_eq!(
        found(b"a\x1b\xFF\xED\xA0\xBD\r\n\t\rb"),
        [
            entry("\\u001b", "hidden.esc", 1, 1),
            entry("0xFF", "hidden.bad_byte", 1, 2),
            entry("\\ud83d", "hidden.lone_surrogate", 1, 3),
            entry("\\u000d", "hidden.carriage_return", 1, 9),
        ]
    );
}

#[test]
fn look_alikes_count_only_inside_latin_words() {
    let table: [(&str, usize); 7] = [
        ("p\u{430}yload", 1),
        ("\u{430}dmin", 1),
        ("admi\u{3BF}", 1),
        ("\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}", 0),
        ("a \u{430} b", 0),
        // The n of an escaped newline is no Latin letter of the word.
        ("\\n\u{430}\u{431}", 0),
        ("\u{3BB}x", 0),
    ];
    for (text, expected) in table {
        assert_eq!(hidden_characters(text.as_bytes()).len(), expected, "{text}");
    }
    let entry = &hidden_characters("p\u{430}yload".as_bytes())[0];
    assert_eq!((entry.what.as_str(), entry.looks_like), ("U+0430", Some('a')));
}

#[test]
fn ordinary_text_hides_nothing() {
    for text in ["plain\n\ttext\r\n", "é合计 العربية 🛒 e\u{301}", ""] {
        assert_eq!(found(text.as_bytes()), [], "{text}");
    }
}

#[test]
fn a_text_of_endless_kinds_has_a_last_entry_for_the_rest() {
    let text: String = (0xE000..0xE400).filter_map(char::from_u32).collect();
    let found = hidden_characters(text.as_bytes());
    assert_eq!(found.len(), MAX_KINDS + 1);
    let last = &found[MAX_KINDS];
    assert_eq!((last.name, last.count), ("hidden.others", 0x400 - 100));
}

#[test]
fn every_look_alike_is_plain_and_stands_once() {
    for (index, (own, letter)) in LOOK_ALIKES.iter().enumerate() {
        assert!(letter.is_ascii_alphabetic());
        assert_eq!(class(*own), Class::Plain);
        assert!(LOOK_ALIKES[index + 1..].iter().all(|(other, _)| other != own), "{own}");
    }
}
