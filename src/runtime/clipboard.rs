//! The clipboard of the terminal, by OSC 52: it works over SSH, where no other clipboard is in reach.
//!
//! The text is sent in base64, so that no byte of a log can end the sequence or begin another.

/// Most characters of base64 in one copy. Terminals and multiplexers cut or drop longer ones, some without a word.
const MOST_PAYLOAD: usize = 100_000;

/// Most bytes that can be copied: three for every four characters.
pub(crate) const MOST_BYTES: usize = MOST_PAYLOAD / 4 * 3;

/// Bytes of a sequence that GNU screen passes on at once.
const SCREEN_CHUNK: usize = 256;

/// What stands between the program and the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    /// Nothing that needs care.
    Nothing,
    /// tmux: passes on what is wrapped, if it is allowed to, and takes the plain form itself, if it is told to.
    Tmux,
    /// GNU screen: passes on what is wrapped, in short pieces.
    Screen,
}

impl Between {
    /// As the environment tells.
    pub(crate) fn from_environment() -> Between {
        if std::env::var_os("TMUX").is_some_and(|value| !value.is_empty()) {
            Between::Tmux
        } else if std::env::var_os("STY").is_some_and(|value| !value.is_empty()) {
            Between::Screen
        } else {
            Between::Nothing
        }
    }
}

/// The bytes that put `text` on the clipboard; `None` when it is longer than [`MOST_BYTES`].
pub(crate) fn sequence(text: &[u8], between: Between) -> Option<Vec<u8>> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let mut plain = b"\x1b]52;c;".to_vec();
    push_base64(&mut plain, text);
    plain.push(b'\x07');
    Some(match between {
        Between::Nothing => plain,
        Between::Tmux => {
            let mut both = plain.clone();
            both.extend_from_slice(b"\x1bPtmux;");
            for byte in plain {
                if byte == b'\x1b' {
                    both.push(b'\x1b');
                }
                both.push(byte);
            }
            both.extend_from_slice(b"\x1b\\");
            both
        }
        Between::Screen => {
            let pieces = plain.chunks(SCREEN_CHUNK);
            pieces.flat_map(|piece| [&b"\x1bP"[..], piece, b"\x1b\\"].concat()).collect()
        }
    })
}

fn push_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let is_there = digit <= group.len();
            let value = (bits >> (18 - 6 * digit)) & 63;
            out.push(if is_there { DIGITS[value as usize] } else { b'=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base64(text: &str) -> String {
        let mut out = Vec::new();
        push_base64(&mut out, text.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn base64_is_padded() {
        for (text, expected) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("\u{ff}\u{3f}", "w78/")]
        {
            assert_eq!(base64(text), expected, "{text:?}");
        }
    }

    #[test]
    fn no_byte_of_the_text_ends_the_sequence() {
        let text: Vec<u8> = (0..=255).collect();
        let sent = sequence(&text, Between::Nothing).unwrap();
        let inside = &sent[1..sent.len() - 1];
        assert!(inside.iter().all(|byte| (b' '..=b'~').contains(byte)));
    }

    #[test]
    fn multiplexers_get_what_they_pass_on() {
        let tmux = sequence(b"hi", Between::Tmux).unwrap();
        assert_eq!(tmux, b"\x1b]52;c;aGk=\x07\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\");
        let screen = sequence(&[b'a'; 1000], Between::Screen).unwrap();
        assert!(screen.starts_with(b"\x1bP\x1b]52;c;") && screen.ends_with(b"\x07\x1b\\"));
    }

    #[test]
    fn too_much_is_refused() {
        assert!(sequence(&vec![0; MOST_BYTES], Between::Nothing).is_some());
        assert!(sequence(&vec![0; MOST_BYTES + 1], Between::Nothing).is_none());
    }
}
