//! The settings that are built in, in print: `trajview config --print-default` and docs/CONFIG.md.

use std::fmt::Write;

use super::file::DEFAULTS;
use crate::app::keymap::written::{action_name, context_name};
use crate::app::keymap::{Context, Keymap, Keys, keys_text};
use crate::text::locale::Words;

/// All settings with their values and what they mean, as a file that changes nothing. Keys stand in it as comments.
#[must_use]
pub fn default_file(words: &Words) -> String {
    let mut out = String::from(DEFAULTS);
    out.push_str(
        "\n# Keys: for each place the actions with all keys that they have there. A line takes the place of those keys;\n\
         # [] takes them away. Keys are written as here: one character, Space Enter Esc Tab Up Down Left Right Home End\n\
         # PgUp PgDn Backspace Delete F1 to F24, with Ctrl- Alt- Shift- before them; or two characters, the first of them\n\
         # one of g z ] [ m '. Keys of a pane go before those of [keys.main]; those of [keys.always] hold everywhere.\n",
    );
    let keymap = Keymap::default();
    for context in Context::ALL {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n[keys.{}]\n", context_name(context));
        let mut told = Vec::new();
        for binding in keymap.bindings().iter().filter(|binding| binding.context == context) {
            if told.contains(&binding.action) {
                continue;
            }
            told.push(binding.action);
            let keys: Vec<String> = keymap
                .bindings()
                .iter()
                .filter(|other| (other.context, other.action) == (context, binding.action))
                .map(|other| quoted(other.keys))
                .collect();
            let line = format!("# {} = [{}]", action_name(binding.action), keys.join(", "));
            let _ = writeln!(out, "{line:<44}  # {}", words.get(binding.help));
        }
    }
    out
}

fn quoted(keys: Keys) -> String {
    let text = keys_text(keys, &Words::english());
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// docs/CONFIG.md.
#[must_use]
pub fn config_markdown(words: &Words) -> String {
    format!(
        "# Settings\n\n<!-- Made from assets/config.toml and the table of keys; a test refuses a stale file. -->\n\n\
         `trajview config --print-default` prints this file. `trajview paths` tells where it belongs:\n\
         `$XDG_CONFIG_HOME/trajview/config.toml`, else `~/.config/trajview/config.toml`; `%APPDATA%` on Windows,\n\
         `~/Library/Application Support` on macOS. `TRAJVIEW_CONFIG` and `--config` name another one; an empty file\n\
         changes nothing, so `--config /dev/null` does without settings.\n\n\
         A fault in it, a key that is not known among them, ends the program with status 2 and one line: the file, the\n\
         line and the column, what is wrong, and what may have been meant. A file that was named and cannot be read is status 1.\n\n\
         ```toml\n{}```\n",
        default_file(words)
    )
}
