//! A reader of what the program sends to a terminal that knows the few sequences it is meant to send, and no others.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// What is meant to be sent, each from its first byte on.
///
/// Cursor to a place, colours and attributes, clearing; the switches of cursor, alternate screen, pasting, mouse and
/// synchronized updates; the question for the background (OSC 11) and the copy (OSC 52).
static MEANT: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let colour = r"(5;\d{1,3}|2;\d{1,3};\d{1,3};\d{1,3})";
    let attribute = format!(r"(\d|2[1-9]|3[0-7]|39|4[0-7]|49|59|9[0-7]|10[0-7]|[345]8;{colour})");
    [
        r"\x1b\[\d{1,4};\d{1,4}H".to_owned(),
        format!(r"\x1b\[({attribute}(;{attribute})*)?m"),
        r"\x1b\[[0-3]?[JK]".to_owned(),
        r"\x1b\[\?(25|1000|1002|1003|1006|1015|1049|2004|2026)[hl]".to_owned(),
        r"\x1b\]11;\?\x1b\\".to_owned(),
        r"\x1b\]52;c;[A-Za-z0-9+/]*={0,2}\x07".to_owned(),
    ]
    .into_iter()
    .map(|pattern| Regex::new(&format!("^(?-u:{pattern})")).expect("a pattern"))
    .collect()
});

/// What may not be in text: what acts on a terminal, turns text around, hides, joins, or has no meaning.
static HIDDEN: LazyLock<regex::Regex> = LazyLock::new(|| {
    regex::Regex::new(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{1F3FB}-\x{1F3FF}]").expect("a pattern")
});

/// Fails at the first byte that is not meant to be sent to a terminal; gives the text between the sequences.
pub fn assert_meant(what: &str, sent: &[u8]) -> String {
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(byte) = sent.get(at) {
        let rest = &sent[at..];
        at += match byte {
            b'\x1b' => MEANT.iter().find_map(|meant| meant.find(rest)).map_or_else(
                || unreachable!("{what}: not meant at byte {at}: {:?}", shown(rest)),
                |found| {
                    // A sequence stands between two stretches of text, and joins nothing.
                    text.push(b'\n');
                    found.len()
                },
            ),
            b'\r' => 1,
            _ => {
                text.push(*byte);
                1
            }
        };
    }
    assert_text(what, &text)
}

/// Fails unless it is text, in lines, that nothing acts on; the text.
pub fn assert_text(what: &str, bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| {
        unreachable!("{what}: no UTF-8 after {:?}", shown(&bytes[error.valid_up_to().saturating_sub(40)..]))
    });
    for line in text.split('\n') {
        if let Some(found) = HIDDEN.find(line) {
            unreachable!("{what}: {:?} in {line:?}", found.as_str());
        }
    }
    text.to_owned()
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned()
}

#[test]
fn what_is_not_meant_is_found() {
    for good in ["\x1b[2;7Habc\x1b[38;5;12;49m\x1b[m", "\x1b[?1049h\x1b[2J\x1b]11;?\x1b\\", "\x1b]52;c;aGk=\x07é\r\n"]
    {
        assert_meant("good", good.as_bytes());
    }
    let bad: [&[u8]; 16] = [
        b"\x1b]0;title\x07",
        b"\x1b]8;;http://x\x1b\\",
        b"\x1b]52;c;?\x07",
        b"\x1b]52;p;aGk=\x07",
        b"\x1b]4;1;#f00\x07",
        b"\x1bP+q\x1b\\",
        b"\x1b_G\x1b\\",
        b"\x1b^x\x1b\\",
        b"\x1b[6n",
        b"\x1b[?1004h",
        b"\x1bc",
        b"\x9b31m",
        "\u{9b}31m".as_bytes(),
        "a\u{202e}b".as_bytes(),
        "a\u{e0041}\u{fe0f}".as_bytes(),
        b"a\0b\x07",
    ];
    for bytes in bad {
        let read = std::panic::catch_unwind(|| assert_meant("bad", bytes));
        assert!(read.is_err(), "{:?} is let through", shown(bytes));
    }
}
