//! The settings that are built in, in print: `trajview config --print-default` and docs/CONFIG.md.

use std::fmt::Write;

use super::file::{DEFAULTS, parse};
use super::themes::OwnThemes;
use crate::app::keymap::written::{action_name, context_name};
use crate::app::keymap::{Context, Keymap, Keys, keys_text};
use crate::text::fault::Fault;
use crate::text::locale::Words;

/// What is wrong in the text of a file of settings, its first fault; `None` if it can be used.
#[must_use]
pub fn fault_of(text: &str) -> Option<Fault> {
    parse(text, &OwnThemes::default()).err()
}

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
         ```toml\n{}```\n{THEME_FILES}\n```toml\n{EXAMPLE_THEME}```\n",
        default_file(words)
    )
}

/// What docs/CONFIG.md says of theme files.
const THEME_FILES: &str = r##"
## Theme files

`themes/NAME.toml` in the folder of the settings (`trajview paths` names it) is a theme called NAME: letters, digits,
`-` and `_`, and none of the names above. It is chosen as they are: `theme = "NAME"`, `--theme NAME`, `:theme NAME`.
A fault in it is told with its line and column when it is chosen; nothing else is hindered by it.

`base` names the theme of the program that gives what the file leaves out; without it a role looks like its parent in
the list below, and `normal` like the terminal. `background` is never painted. A role has `fg` and `bg`, each `"#rrggbb"`
or one of the sixteen colours (`black red green yellow blue magenta cyan white`, and each with `bright-` before it);
`fg16` and `bg16` for terminals that have those alone; `bold`, `italic`, `underline`, `reversed`. Colours come down to
what the terminal has; with `NO_COLOR` or `--color never` every theme looks like `mono`.

| role | stands for | parent |
|---|---|---|
| `normal` | text | the terminal |
| `dim` | what matters less: rules, times, hints | `normal` |
| `strong` | titles, names | `normal` |
| `accent` | what is going on, links | `normal` |
| `ok` | completed, allowed | `normal` |
| `warn` | not started, waiting, torn | `strong` |
| `bad` | failed, rejected, damaged | `warn` |
| `unknown` | outcome unknown, never decided | `bad` |
| `surface` | events that the model saw | `normal` |
| `hidden` | events that the chat does not show | `dim` |
| `selection` | the row with the cursor | `normal` |
| `match` | what a search found | `strong` |

No colour says anything by itself: a word or a sign beside it says the same. Text should keep a contrast of 4.5 to 1 on
the background and on `selection`; a test holds the themes of the program to it, and one of yours that is harder to
read says so when it is chosen.
"##;

/// A theme file for docs/CONFIG.md.
const EXAMPLE_THEME: &str = r##"# themes/dusk.toml: dark, with a calmer red and a selection that is bold.
base = "dark"

[roles]
bad = { fg = "#f2a6a0", fg16 = "bright-red" }
selection = { bg = "#3a2f4b", bg16 = "blue", bold = true }
"##;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::ThemeFile;

    #[test]
    fn the_theme_of_the_documents_can_be_read() {
        assert!(ThemeFile::read(EXAMPLE_THEME).is_ok());
    }
}
