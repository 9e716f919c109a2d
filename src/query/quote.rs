//! The words around a match, for a list of matches.

use std::ops::Range;

use crate::text::sanitize::one_line;
use crate::text::width::CUT;

/// Bytes before a match that are quoted: what it belongs to is seen, and the match is in sight on a narrow screen.
const BEFORE: usize = 24;

/// Bytes of a quote, the match included.
const MOST_BYTES: usize = 600;

/// Columns of a quote.
const MOST_COLUMNS: usize = 300;

/// The text around a place in it, printable and on one line.
pub(super) fn quote(text: &[u8], place: &Range<usize>) -> String {
    let from = start(text, place.start.min(text.len()));
    let end = text.len().min(from.saturating_add(MOST_BYTES));
    let quoted = text.get(from..end).unwrap_or_default();
    let mut line = String::new();
    if from > 0 {
        line.push_str(CUT);
    }
    line.push_str(&one_line(quoted, MOST_COLUMNS));
    if end < text.len() && !line.ends_with(CUT) {
        line.push_str(CUT);
    }
    line
}

/// Where a quote begins: a little before the match, behind a blank where there is one, never inside a character.
fn start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(BEFORE);
    if from == 0 {
        return 0;
    }
    let blank = text[from..at].iter().position(u8::is_ascii_whitespace).map(|blank| from + blank + 1);
    let mut from = blank.unwrap_or(from);
    while from < at && text[from] & 0xc0 == 0x80 {
        from += 1;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_match_stands_near_the_start_of_the_quote() {
        let long = format!("{}before the needle after{}", "x".repeat(100), " y".repeat(1000));
        let at = long.find("needle").unwrap();
        let quoted = quote(long.as_bytes(), &(at..at + 6));
        assert!(quoted.starts_with("⋯the needle after y y"), "{quoted}");
        assert!(quoted.ends_with(CUT), "{quoted}");
        assert_eq!(quote(b"the needle", &(4..10)), "the needle");
        // No blank before it: cut where a character begins.
        let wide = format!("{}needle", "文".repeat(20));
        assert_eq!(quote(wide.as_bytes(), &(60..66)), "⋯文文文文文文文文needle");
    }

    #[test]
    fn what_a_terminal_would_act_on_is_named() {
        assert_eq!(quote(b"a\x1b[31mred\nb\tc", &(7..10)), "a\\u001b[31mred↵b c");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(text: Vec<u8>, start: u16, len: u8) {
            let start = usize::from(start);
            let quoted = quote(&text, &(start..start + usize::from(len)));
            prop_assert!(!quoted.contains('\n'));
        }
    }
}
