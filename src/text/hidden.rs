//! Characters one does not see, or that change how a text looks: found, counted and named.
//!
//! Three sorts: what [`super::sanitize`] marks; letters that look like Latin ones inside a Latin word; and escapes
//! written as text in raw JSON (`\u001b`), since they become real where the value is used.

use super::class::{Class, class, is_unassigned};
use super::decode::{Unit, Units, unit_at, unit_before};
use super::judge::{Judge, Verdict, Why};

/// Kinds that are told apart; what comes after them is counted under one entry. A hostile text has a kind a character.
const MAX_KINDS: usize = 100;

/// Characters looked at on each side of a letter to learn whether its word is Latin.
const WORD_REACH: usize = 24;

/// How a hidden character stands in the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As itself.
    Raw,
    /// As the text of a JSON escape, such as the six characters `\u0000`.
    Escape,
}

/// One kind of hidden character in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenChar {
    /// `U+200D`, `\u001b`, `\ud83d`, `0xFF`; empty for the entry that holds all kinds past the first hundred.
    pub what: String,
    /// Locale key of its name (`hidden.zero_width_joiner`).
    pub name: &'static str,
    /// Locale key of what it does (`hidden_sense.zero_width_joiner`); its text may have the holes `{letter}` and `{what}`.
    pub sense: &'static str,
    /// Raw or as an escape.
    pub spelling: Spelling,
    /// The Latin letter it looks like, for look-alikes.
    pub looks_like: Option<char>,
    /// How often it occurs; stops at `u32::MAX`.
    pub count: u32,
    /// Byte position of the first one, from 0.
    pub first_byte: usize,
}

/// What a text hides: one entry a kind, in the order of first occurrence.
///
/// Newlines, tabs and CR before LF are no kinds. Looks at every byte: callers bound very long texts.
#[must_use]
pub fn hidden_characters(bytes: &[u8]) -> Vec<HiddenChar> {
    let mut found = Found::default();
    let mut judge = Judge::default();
    let mut escapes = Escapes::default();
    for (at, unit, length) in Units::new(bytes) {
        if let Some(code) = escapes.look(bytes, at, unit) {
            found.add(at - 1, Kind::escape(code));
        }
        if unit == Unit::Bad {
            (at..at + length).for_each(|at| found.add(at, Kind::bad_byte(bytes[at])));
        }
        if let Some(kind) = kind_of(bytes, at, judge.look(unit)) {
            // What is listed is drawn as the name of a code point, and nothing sits on that.
            judge = Judge::default();
            found.add(at, kind);
        }
    }
    found.list
}

/// A kind under which occurrences are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    code: u32,
    name: &'static str,
    sense: &'static str,
    spelling: Spelling,
    looks_like: Option<char>,
}

impl Kind {
    fn raw(code: u32, (name, sense): Names) -> Self {
        Self { code, name, sense, spelling: Spelling::Raw, looks_like: None }
    }

    fn bad_byte(byte: u8) -> Self {
        Self::raw(u32::from(byte), BAD_BYTE)
    }

    fn escape(code: u32) -> Self {
        let (name, sense) = escape_names(code);
        Self { code, name, sense, spelling: Spelling::Escape, looks_like: None }
    }

    fn what(&self) -> String {
        let code = self.code;
        if self.name == BAD_BYTE.0 {
            format!("0x{code:02X}")
        } else if self.spelling == Spelling::Escape || is_control(code) || is_surrogate(code) {
            format!("\\u{code:04x}")
        } else {
            format!("U+{code:04X}")
        }
    }
}

#[derive(Default)]
struct Found {
    list: Vec<HiddenChar>,
    kinds: Vec<Kind>,
}

impl Found {
    fn add(&mut self, at: usize, kind: Kind) {
        let known = self.kinds.iter().position(|each| *each == kind);
        let full = self.kinds.len() >= MAX_KINDS;
        if let Some(entry) = known.or(full.then_some(MAX_KINDS)).and_then(|index| self.list.get_mut(index)) {
            entry.count = entry.count.saturating_add(1);
            return;
        }
        let (name, sense) = if full { OTHERS } else { (kind.name, kind.sense) };
        self.list.push(HiddenChar {
            what: if full { String::new() } else { kind.what() },
            name,
            sense,
            spelling: kind.spelling,
            looks_like: kind.looks_like,
            count: 1,
            first_byte: at,
        });
        if !full {
            self.kinds.push(kind);
        }
    }
}

/// The kind of a unit, if it hides something. Bad bytes are the caller's: they are told apart byte by byte.
fn kind_of(bytes: &[u8], at: usize, verdict: Verdict) -> Option<Kind> {
    let why = match verdict {
        Verdict::Draw(' '..='~') => return None,
        Verdict::Draw(c) => {
            if let Some(letter) = looks_latin(bytes, at, c) {
                return Some(Kind { looks_like: Some(letter), ..Kind::raw(u32::from(c), LOOK_ALIKE) });
            }
            return is_unusual_blank(c).then(|| Kind::raw(u32::from(c), names(c)));
        }
        Verdict::Mark(why) => why,
    };
    match why {
        Why::Hidden('\n' | '\t') | Why::Bad => None,
        Why::Hidden('\r') if bytes.get(at + 1) == Some(&b'\n') => None,
        Why::Hidden(c) => Some(Kind::raw(u32::from(c), names(c))),
        Why::WithoutBase(c) => Some(Kind::raw(u32::from(c), MARK_WITHOUT_BASE)),
        Why::Stacked(c) => Some(Kind::raw(u32::from(c), STACKED_MARK)),
        Why::Surrogate(half) => Some(Kind::raw(u32::from(half), LONE_SURROGATE)),
    }
}

/// Finds `\uXXXX` escapes of characters that one would not see, knowing which backslashes are escaped themselves.
#[derive(Default)]
struct Escapes {
    /// Whether the byte before is a backslash that starts an escape.
    open: bool,
}

impl Escapes {
    /// The code of an escape that starts at `at - 1`, if its character is hidden.
    fn look(&mut self, bytes: &[u8], at: usize, unit: Unit) -> Option<u32> {
        let opened = std::mem::take(&mut self.open);
        match unit {
            Unit::Char('\\') => self.open = !opened,
            Unit::Char('u') if opened => {
                let code = hex4(bytes, at + 1)?;
                return hides(bytes, at, code).then_some(code);
            }
            Unit::Char(_) | Unit::Surrogate(_) | Unit::Bad => {}
        }
        None
    }
}

/// Whether an escape of this UTF-16 unit, with its `u` at `at`, stands for something one would not see.
fn hides(bytes: &[u8], at: usize, code: u32) -> bool {
    match code {
        // A pair is one ordinary character.
        0xD800..=0xDBFF => low_half(bytes, at + 5).is_none(),
        0xDC00..=0xDFFF => !at.checked_sub(7).is_some_and(|high| high_half(bytes, high)),
        0x09 | 0x0A => false,
        _ => char::from_u32(code).is_some_and(|c| matches!(class(c), Class::Control | Class::Hidden)),
    }
}

fn low_half(bytes: &[u8], at: usize) -> Option<u32> {
    if bytes.get(at..at + 2)? != b"\\u" {
        return None;
    }
    hex4(bytes, at + 2).filter(|code| (0xDC00..=0xDFFF).contains(code))
}

fn high_half(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..at + 2) == Some(b"\\u") && hex4(bytes, at + 2).is_some_and(|code| (0xD800..=0xDBFF).contains(&code))
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at.checked_add(4)?)?;
    digits.iter().try_fold(0, |code, &digit| Some(code * 16 + char::from(digit).to_digit(16)?))
}

fn is_control(code: u32) -> bool {
    char::from_u32(code).is_some_and(char::is_control)
}

fn is_surrogate(code: u32) -> bool {
    (0xD800..=0xDFFF).contains(&code)
}

/// A blank that is wider, narrower or stickier than U+0020. U+3000 is left out: Chinese and Japanese prose uses it.
pub(crate) fn is_unusual_blank(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{2800}')
}

/// The Latin letter that `c`, at byte `at`, is drawn like, if it stands in a word with Latin letters.
pub(crate) fn looks_latin(bytes: &[u8], at: usize, c: char) -> Option<char> {
    let (_, letter) = *LOOK_ALIKES.iter().find(|(own, _)| *own == c)?;
    in_latin_word(bytes, at, at + c.len_utf8()).then_some(letter)
}

fn in_latin_word(bytes: &[u8], start: usize, end: usize) -> bool {
    let mut left = start;
    for _ in 0..WORD_REACH {
        match unit_before(bytes, left) {
            // The letter of `\n` or `\t` in raw JSON belongs to no word.
            Some((at, Unit::Char(c))) if c.is_alphabetic() && !(c.is_ascii() && ends_escape(bytes, at)) => {
                if is_latin(c) {
                    return true;
                }
                left = at;
            }
            _ => break,
        }
    }
    let mut right = end;
    for _ in 0..WORD_REACH {
        match unit_at(bytes, right) {
            Some((Unit::Char(c), length)) if c.is_alphabetic() => {
                if is_latin(c) {
                    return true;
                }
                right += length;
            }
            _ => break,
        }
    }
    false
}

fn ends_escape(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\\')
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '\u{C0}'..='\u{24F}')
}

/// Cyrillic and Greek letters that most fonts draw like a Latin one.
const LOOK_ALIKES: [(char, char); 56] = [
    ('\u{430}', 'a'),
    ('\u{435}', 'e'),
    ('\u{43E}', 'o'),
    ('\u{440}', 'p'),
    ('\u{441}', 'c'),
    ('\u{443}', 'y'),
    ('\u{445}', 'x'),
    ('\u{455}', 's'),
    ('\u{456}', 'i'),
    ('\u{458}', 'j'),
    ('\u{4BB}', 'h'),
    ('\u{501}', 'd'),
    ('\u{51B}', 'q'),
    ('\u{51D}', 'w'),
    ('\u{4CF}', 'l'),
    ('\u{475}', 'v'),
    ('\u{410}', 'A'),
    ('\u{412}', 'B'),
    ('\u{415}', 'E'),
    ('\u{41A}', 'K'),
    ('\u{41C}', 'M'),
    ('\u{41D}', 'H'),
    ('\u{41E}', 'O'),
    ('\u{420}', 'P'),
    ('\u{421}', 'C'),
    ('\u{422}', 'T'),
    ('\u{423}', 'Y'),
    ('\u{425}', 'X'),
    ('\u{405}', 'S'),
    ('\u{406}', 'I'),
    ('\u{408}', 'J'),
    ('\u{4C0}', 'I'),
    ('\u{50C}', 'G'),
    ('\u{51A}', 'Q'),
    ('\u{51C}', 'W'),
    ('\u{4AE}', 'Y'),
    ('\u{391}', 'A'),
    ('\u{392}', 'B'),
    ('\u{395}', 'E'),
    ('\u{396}', 'Z'),
    ('\u{397}', 'H'),
    ('\u{399}', 'I'),
    ('\u{39A}', 'K'),
    ('\u{39C}', 'M'),
    ('\u{39D}', 'N'),
    ('\u{39F}', 'O'),
    ('\u{3A1}', 'P'),
    ('\u{3A4}', 'T'),
    ('\u{3A5}', 'Y'),
    ('\u{3A7}', 'X'),
    ('\u{3BF}', 'o'),
    ('\u{3BD}', 'v'),
    ('\u{3F2}', 'c'),
    ('\u{3F3}', 'j'),
    ('\u{3B9}', 'i'),
    ('\u{585}', 'o'),
];

/// Locale keys of a name and of a sense.
type Names = (&'static str, &'static str);

macro_rules! named {
    ($stem:literal) => {
        (concat!("hidden.", $stem), concat!("hidden_sense.", $stem))
    };
}

const OTHERS: Names = named!("others");
const BAD_BYTE: Names = named!("bad_byte");
const LONE_SURROGATE: Names = named!("lone_surrogate");
const LOOK_ALIKE: Names = named!("look_alike");
const STACKED_MARK: Names = named!("stacked_mark");
const MARK_WITHOUT_BASE: Names = named!("mark_without_base");

/// Names of what is hidden or an unusual blank.
fn names(c: char) -> Names {
    match c {
        '\0' => named!("nul"),
        '\u{07}' => named!("bel"),
        '\u{08}' => named!("backspace"),
        '\u{0D}' => named!("carriage_return"),
        '\u{1B}' => named!("esc"),
        '\u{7F}' => named!("del"),
        '\u{9B}' => named!("csi"),
        c if c.is_control() => named!("control"),
        '\u{A0}' => named!("no_break_space"),
        '\u{AD}' => named!("soft_hyphen"),
        '\u{34F}' => named!("grapheme_joiner"),
        '\u{61C}' => named!("arabic_letter_mark"),
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => named!("hangul_filler"),
        '\u{200B}' => named!("zero_width_space"),
        '\u{200C}' => named!("zero_width_non_joiner"),
        '\u{200D}' => named!("zero_width_joiner"),
        '\u{200E}' | '\u{200F}' => named!("direction_mark"),
        '\u{2028}' => named!("line_separator"),
        '\u{2029}' => named!("paragraph_separator"),
        '\u{202A}' | '\u{202B}' => named!("direction_embedding"),
        '\u{202C}' | '\u{2069}' => named!("direction_end"),
        '\u{202D}' | '\u{202E}' => named!("direction_override"),
        '\u{2060}' => named!("word_joiner"),
        '\u{2061}'..='\u{2064}' => named!("invisible_operator"),
        '\u{2066}'..='\u{2068}' => named!("direction_isolate"),
        '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => {
            named!("variation_selector")
        }
        '\u{FEFF}' => named!("byte_order_mark"),
        '\u{1F3FB}'..='\u{1F3FF}' => named!("skin_tone"),
        '\u{E0000}'..='\u{E007F}' => named!("tag"),
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}' => {
            named!("private_use")
        }
        c if is_unusual_blank(c) => named!("unusual_blank"),
        c if is_unassigned(c) => named!("unassigned"),
        _ => named!("format"),
    }
}

/// Names of an escape written as text.
fn escape_names(code: u32) -> Names {
    match code {
        0x00 => named!("escape_nul"),
        0x1B => named!("escape_esc"),
        _ if is_surrogate(code) => named!("escape_surrogate"),
        _ if is_control(code) => named!("escape_control"),
        _ => named!("escape_hidden"),
    }
}

#[cfg(test)]
mod tests;
