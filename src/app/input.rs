//! Input lines: where to go (`:`), what to search (`/`), what to show (`f`), narrowing a
//! list, which command to give a text to (`|`). The one place that knows `tui_textarea`.

use tui_textarea::{CursorMove, Input as Typed, Key as TypedKey, TextArea};

use super::key::{Key, KeyCode};

/// Lines kept of each kind.
const MOST_TYPED: usize = 100;

/// Characters that a line takes: a paste of a whole file ends there.
const MOST_CHARS: usize = 1000;

/// What an input line asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asked {
    /// Where to go.
    GoTo,
    /// What to search.
    Search,
    /// What to search in all sessions.
    SearchSessions,
    /// Which rows to show.
    Filter,
    /// How to narrow the list of the open overlay.
    Narrow,
    /// Which command gets what is shown.
    Pipe,
}

/// An input line that has the keys.
#[derive(Debug, Clone)]
pub struct Input {
    /// What it asks.
    pub asked: Asked,
    /// The line, for drawing: one line, the cursor inside it.
    pub area: TextArea<'static>,
    /// What is wrong with the text so far, in words; drawn at the right in `bad`.
    pub problem: Option<String>,
    history: Vec<String>,
    /// Place in the history; `None`: what is being typed.
    at: Option<usize>,
    draft: String,
}

/// What a key did to an input line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The text may have changed.
    Edited,
    /// Enter: take it.
    Taken,
    /// Esc or Ctrl-c: leave it.
    Left,
}

impl Input {
    /// An empty line with what was typed before, oldest first.
    pub(crate) fn new(asked: Asked, history: Vec<String>) -> Input {
        Input { asked, area: TextArea::default(), problem: None, history, at: None, draft: String::new() }
    }

    /// The text typed so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.area.lines().first().map(String::as_str).unwrap_or_default()
    }

    /// The byte of the text at which the cursor stands.
    #[must_use]
    pub fn cursor(&self) -> usize {
        let text = self.text();
        text.char_indices().nth(self.area.cursor().1).map_or(text.len(), |(at, _)| at)
    }

    /// Puts the cursor before a character, counted from 0.
    pub(crate) fn go_to(&mut self, char: usize) {
        self.area.move_cursor(CursorMove::Jump(0, char.min(MOST_CHARS) as u16));
    }

    /// Whether the text comes from the history and was not changed since.
    pub(crate) fn is_recalled(&self) -> bool {
        self.at.is_some()
    }

    /// Whether something was typed before.
    pub(crate) fn has_history(&self) -> bool {
        !self.history.is_empty()
    }

    /// Puts a text into the line, the cursor behind it.
    pub(crate) fn set(&mut self, text: &str) {
        self.area = TextArea::new(vec![one_line(text)]);
        self.area.move_cursor(CursorMove::End);
    }

    /// Takes a key.
    pub(crate) fn press(&mut self, key: Key) -> Step {
        self.problem = None;
        match key.code {
            KeyCode::Enter => return Step::Taken,
            KeyCode::Esc => return Step::Left,
            KeyCode::Char('c') if key.ctrl => return Step::Left,
            KeyCode::Up => self.recall(true),
            KeyCode::Down => self.recall(false),
            KeyCode::Char('u') if key.ctrl => self.set(""),
            // These add lines to a text area, or mean nothing in one line.
            KeyCode::Char('m' | 'j') if key.ctrl => {}
            KeyCode::Tab | KeyCode::PageUp | KeyCode::PageDown => {}
            KeyCode::Char(_) if !key.ctrl && self.text().chars().count() >= MOST_CHARS => {}
            KeyCode::Char(char) if !key.ctrl && char.is_control() => {}
            KeyCode::Char(_)
            | KeyCode::F(_)
            | KeyCode::Left
            | KeyCode::Right
            | KeyCode::Home
            | KeyCode::End
            | KeyCode::Backspace
            | KeyCode::Delete => {
                self.at = None;
                self.area.input(typed(key));
            }
        }
        Step::Edited
    }

    /// Takes pasted text: its first line, printable characters only.
    pub(crate) fn paste(&mut self, text: &str) {
        let room = MOST_CHARS.saturating_sub(self.text().chars().count());
        let pasted: String = one_line(text).chars().take(room).collect();
        self.area.insert_str(pasted);
    }

    fn recall(&mut self, older: bool) {
        let next = match (self.at, older) {
            (None, true) => self.history.len().checked_sub(1),
            (Some(at), true) => Some(at.saturating_sub(1)),
            (Some(at), false) => Some(at + 1).filter(|at| *at < self.history.len()),
            (None, false) => return,
        };
        if self.at.is_none() {
            self.draft = self.text().to_owned();
        }
        self.at = next;
        let text = next.and_then(|at| self.history.get(at)).cloned().unwrap_or_else(|| self.draft.clone());
        self.set(&text);
    }
}

/// Adds a line to what was typed; the same line once.
pub(crate) fn remember(history: &mut Vec<String>, text: &str) {
    if text.is_empty() {
        return;
    }
    history.retain(|old| old != text);
    history.push(text.to_owned());
    if history.len() > MOST_TYPED {
        history.remove(0);
    }
}

fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().filter(|char| !char.is_control()).take(MOST_CHARS).collect()
}

fn typed(key: Key) -> Typed {
    let code = match key.code {
        KeyCode::Char(char) => TypedKey::Char(char),
        KeyCode::F(n) => TypedKey::F(n),
        KeyCode::Up => TypedKey::Up,
        KeyCode::Down => TypedKey::Down,
        KeyCode::Left => TypedKey::Left,
        KeyCode::Right => TypedKey::Right,
        KeyCode::Home => TypedKey::Home,
        KeyCode::End => TypedKey::End,
        KeyCode::PageUp => TypedKey::PageUp,
        KeyCode::PageDown => TypedKey::PageDown,
        KeyCode::Tab => TypedKey::Tab,
        KeyCode::Enter => TypedKey::Enter,
        KeyCode::Esc => TypedKey::Esc,
        KeyCode::Backspace => TypedKey::Backspace,
        KeyCode::Delete => TypedKey::Delete,
    };
    Typed { key: code, ctrl: key.ctrl, alt: key.alt, shift: key.shift }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(input: &mut Input, text: &str) {
        for char in text.chars() {
            input.press(Key::char(char));
        }
    }

    #[test]
    fn a_line_stays_one_line() {
        let mut input = Input::new(Asked::Search, Vec::new());
        type_in(&mut input, "ab");
        input.press(Key::ctrl('m'));
        input.press(Key::plain(KeyCode::Tab));
        input.paste("c\u{1b}d\ne");
        assert_eq!(input.text(), "abcd");
        assert_eq!(input.area.lines().len(), 1);
        input.press(Key::ctrl('w'));
        assert_eq!(input.text(), "");
        assert_eq!(input.press(Key::plain(KeyCode::Enter)), Step::Taken);
    }

    #[test]
    fn up_recalls_and_down_comes_back_to_the_draft() {
        let mut input = Input::new(Asked::GoTo, vec!["1".into(), "2".into()]);
        type_in(&mut input, "x");
        let seen: Vec<String> = [KeyCode::Up, KeyCode::Up, KeyCode::Up, KeyCode::Down, KeyCode::Down, KeyCode::Down]
            .into_iter()
            .map(|code| {
                input.press(Key::plain(code));
                input.text().to_owned()
            })
            .collect();
        assert_eq!(seen, ["2", "1", "1", "2", "x", "x"]);
    }
}
