//! How keys, actions and places of the table are written in the settings.

use std::fmt::Write;

use super::bound::usual;
use super::{BINDINGS, Context, Keys, PREFIXES};
use crate::app::action::Action;
use crate::app::key::{Key, KeyCode};

/// Keys with a name, as the settings write them; the first name of a key is the one that is printed.
const NAMES: [(&str, KeyCode); 19] = [
    ("Space", KeyCode::Char(' ')),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PageUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("PageDown", KeyCode::PageDown),
    ("Tab", KeyCode::Tab),
    ("Enter", KeyCode::Enter),
    ("Return", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Escape", KeyCode::Esc),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Del", KeyCode::Delete),
];

/// Reads keys as the settings and the help write them: `j`, `Ctrl-d`, `Shift-Tab`, `F5`, `gg`, `]u`.
///
/// `None` for what names no keys. A prefix with any letter is written with the letter `a`, and read as the two keys.
#[must_use]
pub fn read_keys(text: &str) -> Option<Keys> {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(key), None, None) if !key.is_control() => Some(Keys::One(Key::char(key))),
        (Some(prefix), Some(second), None) if PREFIXES.contains(&prefix) && !second.is_control() => {
            Some(Keys::Two(prefix, second))
        }
        _ => read_key(text).map(Keys::One),
    }
}

/// Reads one key with what is held beside it.
fn read_key(text: &str) -> Option<Key> {
    let mut key = Key::plain(KeyCode::Esc);
    let mut rest = text;
    while let Some((held, after)) = rest.split_once('-').filter(|(held, after)| !held.is_empty() && !after.is_empty()) {
        let flag = match held.to_ascii_lowercase().as_str() {
            "ctrl" => &mut key.ctrl,
            "alt" => &mut key.alt,
            "shift" => &mut key.shift,
            _ => return None,
        };
        if std::mem::replace(flag, true) {
            return None;
        }
        rest = after;
    }
    let mut chars = rest.chars();
    key.code = match (chars.next(), chars.next()) {
        // Shift is in the letter, and with Ctrl a terminal does not tell large letters from small ones.
        (Some(char), None) if !key.shift && !char.is_control() => {
            KeyCode::Char(if key.ctrl { char.to_ascii_lowercase() } else { char })
        }
        (Some('F' | 'f'), Some('0'..='9')) => KeyCode::F(rest[1..].parse().ok().filter(|n| (1..=24).contains(n))?),
        _ => NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(rest)).map(|(_, code)| *code)?,
    };
    Some(key)
}

/// The name of an action in the settings: that of its variant, in small letters. `next-stop-unpaired`, `copy-this-value`.
///
/// No list of names has to be kept, and none can lack an action; docs/CONFIG.md names them all and is compared.
#[must_use]
pub fn action_name(action: Action) -> String {
    let mut name = String::new();
    // Writing to a String cannot fail.
    let _ = write!(name, "{action:?}");
    let mut out = String::with_capacity(name.len() + 4);
    for char in name.chars() {
        match char {
            'A'..='Z' => {
                if !out.is_empty() && !out.ends_with('-') {
                    out.push('-');
                }
                out.push(char.to_ascii_lowercase());
            }
            'a'..='z' | '0'..='9' => out.push(char),
            // Around what an action is about.
            _ => {}
        }
    }
    out
}

/// Actions that may be given keys in a context, each once, in the order of the table.
#[must_use]
pub fn actions_of(context: Context) -> Vec<Action> {
    let mut out: Vec<Action> = Vec::new();
    let own = BINDINGS.iter().filter(|binding| binding.context == context);
    for binding in own.chain(BINDINGS).filter(|binding| usual(context, binding.action).is_some()) {
        if !out.contains(&binding.action) {
            out.push(binding.action);
        }
    }
    out
}

/// The name of a context in the settings.
#[must_use]
pub fn context_name(context: Context) -> &'static str {
    match context {
        Context::Always => "always",
        Context::Main => "main",
        Context::Header => "header",
        Context::Timeline => "timeline",
        Context::Calls => "calls",
        Context::Detail => "detail",
        Context::Family => "family",
        Context::Page => "page",
        Context::Bug => "bug",
        Context::BugAsked => "bug-asked",
        Context::List => "list",
        Context::Hits => "hits",
        Context::Help => "help",
        Context::Types => "types",
        Context::CopyMenu => "copy-menu",
        Context::Places => "places",
    }
}
