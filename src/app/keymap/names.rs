//! Keys in words: for the help and for docs/KEYS.md.

use std::fmt::Write;

use super::{Binding, Context, Group, Keymap, Keys};
use crate::app::key::{Key, KeyCode};
use crate::text::locale::Words;

/// A key sequence as a person reads it: `gg`, `Ctrl-d`, `Shift-Tab`.
#[must_use]
pub fn keys_text(keys: Keys, words: &Words) -> String {
    match keys {
        Keys::One(key) => key_text(key, words),
        Keys::Two(prefix, second) => format!("{prefix}{second}"),
        Keys::Letter(prefix) => format!("{prefix}a"),
    }
}

fn key_text(key: Key, words: &Words) -> String {
    let name = |name: &str| words.get(&format!("key_name.{name}")).to_owned();
    let plain = match key.code {
        KeyCode::Char(' ') => name("space"),
        KeyCode::Char(char) => char.to_string(),
        KeyCode::F(n) => words.say("key_name.function", &[("n", &n.to_string())]),
        KeyCode::Up => name("up"),
        KeyCode::Down => name("down"),
        KeyCode::Left => name("left"),
        KeyCode::Right => name("right"),
        KeyCode::Home => name("home"),
        KeyCode::End => name("end"),
        KeyCode::PageUp => name("page_up"),
        KeyCode::PageDown => name("page_down"),
        KeyCode::Tab => name("tab"),
        KeyCode::Enter => name("enter"),
        KeyCode::Esc => name("escape"),
        KeyCode::Backspace => name("backspace"),
        KeyCode::Delete => name("delete"),
    };
    let with = |held: bool, modifier: &str, key: String| {
        if held { words.say(&format!("key_name.{modifier}"), &[("key", &key)]) } else { key }
    };
    with(key.ctrl, "control", with(key.alt, "alt", with(key.shift, "shift", plain)))
}

/// Bindings of one context and group that do the same, together: their keys, and the first of them.
pub(crate) fn lines(keymap: &Keymap, context: Context, group: Group, words: &Words) -> Vec<(String, Binding)> {
    let mut out: Vec<(String, Binding)> = Vec::new();
    for binding in keymap.bindings().iter().filter(|binding| binding.context == context && binding.group == group) {
        let keys = keys_text(binding.keys, words);
        match out.iter_mut().find(|(_, first)| first.action == binding.action && first.help == binding.help) {
            Some((text, _)) => {
                text.push(' ');
                text.push_str(&keys);
            }
            None => out.push((keys, *binding)),
        }
    }
    out
}

/// The whole table as Markdown: docs/KEYS.md.
#[must_use]
pub fn keys_markdown(words: &Words) -> String {
    let mut out = String::from(
        "# Keys\n\n<!-- Made from the table in src/app/keymap.rs; a test refuses a stale file. -->\n\n\
         A number typed first repeats a motion (`5j`, `3]u`), goes to a seq (`88G`) or chooses a pane (`2Tab`).\n\
         First keys `g z ] [ m '` need a second one; Esc drops them.\n",
    );
    let keymap = Keymap::default();
    let mut table = |title: &str, contexts: &[Context], group: Group| {
        let rows: Vec<_> = contexts.iter().flat_map(|context| lines(&keymap, *context, group, words)).collect();
        if rows.is_empty() {
            return;
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "\n## {title}\n\n| keys | what they do |\n|---|---|\n");
        for (keys, binding) in rows {
            let keys = keys.replace('|', "\\|");
            let _ = writeln!(out, "| `{keys}` | {} |", words.get(binding.help));
        }
    };
    for group in Group::ALL {
        table(words.get(group.name()), &[Context::Main, Context::Always], group);
    }
    let own = [
        (Context::Header, "help.header_pane"),
        (Context::Timeline, "help.timeline_pane"),
        (Context::Calls, "help.calls_pane"),
        (Context::Detail, "help.detail_pane"),
        (Context::Family, "key.family"),
        (Context::Page, "help.pages"),
        (Context::Bug, "key.bug"),
        (Context::BugAsked, "key.bug_asked"),
        (Context::List, "help.session_list"),
        (Context::Hits, "key.search_sessions"),
        (Context::Help, "key.help"),
        (Context::Types, "key.types"),
        (Context::CopyMenu, "key.copy"),
        (Context::Places, "key.cites"),
    ];
    for (context, title) in own {
        let title = words.get(title);
        let title = if context == Context::Page { format!("{title}: in a page") } else { title.to_owned() };
        table(&title, &[context], Group::Here);
    }
    out
}
