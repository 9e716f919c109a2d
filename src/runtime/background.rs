//! The background of the terminal: asked for once, without waiting, and heard among the keys.
//!
//! A terminal that knows the question (OSC 11) answers with a sequence of its own, at once or, over a slow line, seconds
//! later; one that does not know it stays silent. crossterm reads the answer as if it had been typed: Alt-], digits,
//! letters, Ctrl-g. [`Ear`] takes it out of the keys before anybody sees them, whenever it comes, and however it is cut
//! into pieces. Nothing waits for it.

use std::time::{Duration, Instant};

use crate::app::key::{Key, KeyCode};
use crate::app::theming::Background;

/// The question.
pub(crate) const QUESTION: &[u8] = b"\x1b]11;?\x1b\\";

/// How long after the question an answer is listened for. A line that is slower than this is not used.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long an Esc is held back, since it may be the beginning of the answer: the rest follows at once or after the
/// next packet.
const HELD: Duration = Duration::from_millis(50);

/// Most characters of an answer: `]11;rgba:ffff/ffff/ffff/ffff` is one of the longest.
const MOST: usize = 40;

/// Whether the terminal can be asked: consoles that draw what they do not know are left alone.
pub(crate) fn can_be_asked(term: Option<&str>) -> bool {
    let silent = ["", "dumb", "linux", "vt52", "vt100", "vt102", "vt220", "cons25"];
    cfg!(unix) && term.is_some_and(|term| !silent.contains(&term))
}

/// What a key is to the ear.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Keys, those that were held back before it among them.
    Keys(Vec<Key>),
    /// A part of the answer, or what may be one.
    Part,
    /// The answer.
    Answer(Option<Background>),
}

/// Hears the answer among the keys.
#[derive(Debug)]
pub(crate) struct Ear {
    /// When it stops to listen; `None`: nothing was asked, or the answer was heard.
    until: Option<Instant>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing of the answer was heard.
    Listening,
    /// An Esc came, at this time.
    Escape(Instant),
    /// The answer so far, without its beginning.
    Answer(String),
    /// The answer is through but for the end of its end: `ESC \` came in two pieces.
    Ending(Option<Background>),
}

impl Ear {
    /// An ear for an answer to what was asked at a time; `None`: nothing was asked.
    pub(crate) fn new(asked: Option<Instant>) -> Ear {
        Ear { until: asked.map(|at| at + PATIENCE), state: State::Listening }
    }

    /// How long a key may be held back until it has to be told with [`Ear::late`].
    pub(crate) fn limit(&self, usual: Duration) -> Duration {
        match self.state {
            State::Escape(_) => HELD,
            State::Listening | State::Answer(_) | State::Ending(_) => usual,
        }
    }

    /// Nothing came for a while: an Esc that was held back was one.
    pub(crate) fn late(&mut self, now: Instant) -> Option<Key> {
        match self.state {
            State::Escape(since) if now.saturating_duration_since(since) >= HELD => {
                self.state = State::Listening;
                Some(Key::plain(KeyCode::Esc))
            }
            State::Listening | State::Escape(_) | State::Answer(_) | State::Ending(_) => None,
        }
    }

    /// A key came.
    pub(crate) fn hear(&mut self, key: Key, now: Instant) -> Heard {
        let escape = Key::plain(KeyCode::Esc);
        if matches!(self.state, State::Listening) && self.until.is_none_or(|until| now > until) {
            return Heard::Keys(vec![key]);
        }
        match std::mem::replace(&mut self.state, State::Listening) {
            State::Listening if key == alt(']') => self.begin(),
            State::Listening if key == escape => {
                self.state = State::Escape(now);
                Heard::Part
            }
            State::Ending(told) if key == Key::char('\\') => self.end(told),
            State::Listening | State::Ending(_) => Heard::Keys(vec![key]),
            State::Escape(_) if key == Key::char(']') => self.begin(),
            State::Escape(_) if key == escape => {
                self.state = State::Escape(now);
                Heard::Keys(vec![escape])
            }
            State::Escape(_) => Heard::Keys(vec![escape, key]),
            State::Answer(answer) if key == Key::ctrl('g') || key == alt('\\') => self.end(background(&answer)),
            State::Answer(answer) if key == escape => {
                self.state = State::Ending(background(&answer));
                Heard::Part
            }
            State::Answer(mut answer) => match key {
                Key { code: KeyCode::Char(char), ctrl: false, alt: false, .. }
                    if answer.len() < MOST && is_of_answer(char) =>
                {
                    answer.push(char);
                    self.state = State::Answer(answer);
                    Heard::Part
                }
                // No answer after all: what began it was no key that does anything.
                _ => Heard::Keys(vec![key]),
            },
        }
    }

    fn begin(&mut self) -> Heard {
        self.state = State::Answer(String::new());
        Heard::Part
    }

    fn end(&mut self, told: Option<Background>) -> Heard {
        self.until = None;
        Heard::Answer(told)
    }
}

fn alt(char: char) -> Key {
    Key { alt: true, ..Key::char(char) }
}

fn is_of_answer(char: char) -> bool {
    char.is_ascii_hexdigit() || matches!(char, ';' | ':' | '/' | 'r' | 'g' | 'b' | 'a' | '#')
}

/// The background of `11;rgb:ffff/ffff/ffff`; `None` for anything else.
fn background(answer: &str) -> Option<Background> {
    let colour = answer.strip_prefix("11;")?;
    let parts: Vec<&str> = match (colour.split_once(':'), colour.strip_prefix('#')) {
        (Some((_, parts)), _) => parts.split('/').collect(),
        (None, Some(digits)) if matches!(digits.len(), 6 | 12) => {
            let len = digits.len() / 3;
            vec![digits.get(..len)?, digits.get(len..2 * len)?, digits.get(2 * len..)?]
        }
        (None, _) => return None,
    };
    let value = |at: usize| {
        let part: &&str = parts.get(at)?;
        let most = 16_u32.checked_pow(u32::try_from(part.len()).ok().filter(|len| (1..=4).contains(len))?)? - 1;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    };
    // How bright a colour looks, near enough to tell dark from light.
    let brightness = 0.299 * value(0)? + 0.587 * value(1)? + 0.114 * value(2)?;
    Some(if brightness < 0.5 { Background::Dark } else { Background::Light })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out of an ear for these keys.
    fn heard(keys: &[Key]) -> (Vec<Key>, Option<Background>) {
        let now = Instant::now();
        let mut ear = Ear::new(Some(now));
        let (mut out, mut told) = (Vec::new(), None);
        for key in keys {
            match ear.hear(*key, now) {
                Heard::Keys(keys) => out.extend(keys),
                Heard::Part => {}
                Heard::Answer(answer) => told = answer,
            }
        }
        out.extend(ear.late(now + HELD));
        (out, told)
    }

    fn typed(text: &str) -> Vec<Key> {
        text.chars().map(Key::char).collect()
    }

    #[test]
    fn answers_tell_light_from_dark() {
        for (answer, expected) in [
            ("11;rgb:ffff/ffff/ffff", Some(Background::Light)),
            ("11;rgb:1414/1717/1c1c", Some(Background::Dark)),
            ("11;rgb:fd/f6/e3", Some(Background::Light)),
            ("11;rgba:0000/0000/0000/ffff", Some(Background::Dark)),
            ("11;#ffffff", Some(Background::Light)),
            ("11;rgb:ffff/ffff", None),
            ("11;rgb:fffff/0/0", None),
            ("10;rgb:0/0/0", None),
            ("11;#ffé", None),
            ("", None),
        ] {
            assert_eq!(background(answer), expected, "{answer}");
        }
    }

    #[test]
    fn an_answer_is_never_taken_as_keys() {
        let escape = Key::plain(KeyCode::Esc);
        let body = typed("11;rgb:ffff/ffff/ffff");
        let begin: [&[Key]; 2] = [&[alt(']')], &[escape, Key::char(']')]];
        let end: [&[Key]; 3] = [&[Key::ctrl('g')], &[alt('\\')], &[escape, Key::char('\\')]];
        for begin in begin {
            for end in end {
                let keys = [&typed("jk")[..], begin, &body, end, &typed("b")].concat();
                assert_eq!(heard(&keys), (typed("jkb"), Some(Background::Light)), "{begin:?} {end:?}");
            }
        }
    }

    #[test]
    fn keys_are_kept() {
        let escape = Key::plain(KeyCode::Esc);
        for keys in [typed("]u[b"), vec![escape], vec![escape, escape], vec![escape, Key::char('q')]] {
            assert_eq!(heard(&keys), (keys.clone(), None));
        }
        // What is no answer ends it; the key that ended it counts.
        assert_eq!(heard(&[alt(']'), Key::char('1'), Key::char('q')]), (typed("q"), None));
        let endless: Vec<Key> = [alt(']')].into_iter().chain(typed(&"1".repeat(100))).collect();
        assert_eq!(heard(&endless).0.len(), 100 - MOST);
    }

    #[test]
    fn nothing_is_heard_where_nothing_was_asked_or_the_time_is_over() {
        let now = Instant::now();
        let escape = Key::plain(KeyCode::Esc);
        for mut ear in [Ear::new(None), Ear::new(now.checked_sub(PATIENCE + HELD))] {
            assert_eq!(ear.hear(escape, now), Heard::Keys(vec![escape]));
        }
    }

    #[test]
    fn consoles_are_left_alone() {
        for (term, expected) in [(Some("xterm-256color"), cfg!(unix)), (Some("linux"), false), (None, false)] {
            assert_eq!(can_be_asked(term), expected, "{term:?}");
        }
    }
}
