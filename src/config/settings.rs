//! The settings, and what the environment decides where they leave it open.

use std::ffi::OsString;
use std::sync::Arc;

use clap::ValueEnum;

use crate::app::area::Shares;
use crate::app::keymap::Keymap;
use crate::app::model::{Programs, TimeForm};
use crate::app::theming::{BuiltIn, ThemeId};
use crate::text::locale::Language;
use crate::ui::theme::Palette;

/// What the file of settings says; by itself what is built in.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Colours of the screen.
    pub(crate) theme: ThemeChoice,
    /// When to use colours.
    pub(crate) color: ColorWhen,
    /// Which signs.
    pub(crate) ascii: SignsWhen,
    /// The language; `None`: that of the locale.
    pub(crate) lang: Option<Language>,
    /// Clock times in UTC.
    pub(crate) utc: bool,
    /// Take the mouse.
    pub(crate) mouse: bool,
    /// Follow from the start.
    pub(crate) follow: bool,
    /// Open a log as it was left.
    pub(crate) restore: bool,
    /// Wrap long lines in the detail.
    pub(crate) wrap: bool,
    /// What the time column shows; `None`: what the width suggests.
    pub(crate) time: Option<TimeForm>,
    /// Levels that the timeline is unfolded at first: 0 to 2.
    pub(crate) unfold: u8,
    /// Shares of the panes.
    pub(crate) shares: Shares,
    /// Editor and pager.
    pub(crate) programs: Programs,
    /// The keys.
    pub(crate) keymap: Arc<Keymap>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theme: ThemeChoice::Auto,
            color: ColorWhen::Auto,
            ascii: SignsWhen::Auto,
            lang: None,
            utc: false,
            mouse: true,
            follow: false,
            restore: true,
            wrap: true,
            time: None,
            unfold: 0,
            shares: Shares::default(),
            programs: Programs::default(),
            keymap: Arc::default(),
        }
    }
}

/// Which theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThemeChoice {
    /// By the background of the terminal.
    Auto,
    /// This one.
    Named(ThemeId),
}

/// Which signs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignsWhen {
    /// As the locale says.
    Auto,
    /// ASCII alone.
    Ascii,
    /// Unicode, whatever the locale says.
    Unicode,
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// As the terminal and `NO_COLOR` say
    Auto,
    /// Whatever `NO_COLOR` says
    Always,
    /// Never
    Never,
}

/// Which variables of the environment count; a seam for tests.
pub(crate) trait Environment {
    /// The value of a variable, if it is set.
    fn var(&self, name: &str) -> Option<OsString>;

    /// The value of a variable, if it is set and not empty.
    fn filled(&self, name: &str) -> Option<String> {
        self.var(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned())
    }
}

/// The environment of this process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Process;

impl Environment for Process {
    fn var(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }
}

/// How many colours to use: `--color`, `NO_COLOR`, the settings, `COLORTERM` and `TERM`, in this order.
///
/// `flag` is what the command line says, `settings` what their file does: `NO_COLOR` stands between the two.
pub(crate) fn palette(flag: Option<ColorWhen>, settings: ColorWhen, environment: &dyn Environment) -> Palette {
    let terminal = || colours_of_terminal(environment);
    let unwanted = || environment.filled("NO_COLOR").is_some();
    let asked = match flag {
        None | Some(ColorWhen::Auto) if unwanted() => ColorWhen::Never,
        None => settings,
        Some(asked) => asked,
    };
    match asked {
        ColorWhen::Never => Palette::None,
        ColorWhen::Auto => terminal(),
        // Whoever asks for colours gets some even where the terminal claims to have none.
        ColorWhen::Always => match terminal() {
            Palette::None => Palette::Sixteen,
            known => known,
        },
    }
}

fn colours_of_terminal(environment: &dyn Environment) -> Palette {
    let term = environment.filled("TERM").unwrap_or_default();
    let colorterm = environment.filled("COLORTERM").unwrap_or_default();
    if matches!(colorterm.as_str(), "truecolor" | "24bit") || term.ends_with("-direct") {
        Palette::True
    } else if term.contains("256color") {
        Palette::Indexed
    } else if matches!(term.as_str(), "dumb" | "vt100" | "vt102" | "vt220") || term.ends_with("-mono") {
        Palette::None
    } else {
        Palette::Sixteen
    }
}

/// Whether only ASCII signs are drawn: `--ascii`, or a locale that is set and is not UTF-8. An environment that says
/// nothing at all is common in containers, whose terminals know UTF-8.
pub(crate) fn is_ascii_only(asked: SignsWhen, environment: &dyn Environment) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| environment.filled(name));
    match asked {
        SignsWhen::Ascii => true,
        SignsWhen::Unicode => false,
        SignsWhen::Auto => locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            !locale.contains("utf-8") && !locale.contains("utf8")
        }),
    }
}

/// The theme that fits the terminal as far as the environment tells: by the background of `COLORFGBG`, the last of its
/// numbers. `None` when it tells nothing.
pub(crate) fn theme_of_environment(environment: &dyn Environment) -> Option<BuiltIn> {
    let colours = environment.filled("COLORFGBG")?;
    let background: u8 = colours.rsplit(';').next()?.trim().parse().ok()?;
    match background {
        0..=6 | 8 => Some(BuiltIn::Dark),
        7 | 9..=15 => Some(BuiltIn::Light),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Made(&'static [(&'static str, &'static str)]);

    impl Environment for Made {
        fn var(&self, name: &str) -> Option<OsString> {
            self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        }
    }

    #[test]
    fn colours_follow_flags_then_environment_then_settings() {
        let auto = ColorWhen::Auto;
        for (asked, settings, environment, expected) in [
            (None, auto, &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")][..], Palette::True),
            (None, auto, &[("TERM", "xterm-256color")], Palette::Indexed),
            (None, auto, &[("TERM", "xterm")], Palette::Sixteen),
            (None, auto, &[("TERM", "vt100")], Palette::None),
            (None, auto, &[("TERM", "xterm"), ("NO_COLOR", "1")], Palette::None),
            (Some(auto), auto, &[("TERM", "xterm"), ("NO_COLOR", "1")], Palette::None),
            (None, auto, &[("TERM", "xterm"), ("NO_COLOR", "")], Palette::Sixteen),
            (None, ColorWhen::Always, &[("TERM", "xterm"), ("NO_COLOR", "1")], Palette::None),
            (None, ColorWhen::Always, &[("TERM", "vt100")], Palette::Sixteen),
            (None, ColorWhen::Never, &[("TERM", "xterm")], Palette::None),
            (Some(auto), ColorWhen::Never, &[("TERM", "xterm")], Palette::Sixteen),
            (Some(ColorWhen::Always), auto, &[("TERM", "xterm-256color"), ("NO_COLOR", "1")], Palette::Indexed),
            (Some(ColorWhen::Always), auto, &[("TERM", "vt100")], Palette::Sixteen),
            (Some(ColorWhen::Never), auto, &[("TERM", "xterm-256color")], Palette::None),
        ] {
            assert_eq!(
                palette(asked, settings, &Made(environment)),
                expected,
                "{asked:?} {settings:?} {environment:?}"
            );
        }
    }

    #[test]
    fn the_background_tells_the_theme() {
        for (value, theme) in [
            ("15;0", Some(BuiltIn::Dark)),
            ("0;15", Some(BuiltIn::Light)),
            ("0;default;7", Some(BuiltIn::Light)),
            ("12;8", Some(BuiltIn::Dark)),
            ("0;default", None),
            ("", None),
            ("1;99", None),
        ] {
            assert_eq!(theme_of_environment(&Colfgbg(value)), theme, "{value:?}");
        }
    }

    struct Colfgbg(&'static str);

    impl Environment for Colfgbg {
        fn var(&self, name: &str) -> Option<OsString> {
            (name == "COLORFGBG").then(|| OsString::from(self.0))
        }
    }

    #[test]
    fn signs_follow_the_locale() {
        for (asked, environment, expected) in [
            (SignsWhen::Auto, &[][..], false),
            (SignsWhen::Ascii, &[("LANG", "en_US.UTF-8")], true),
            (SignsWhen::Auto, &[("LANG", "en_US.UTF-8")], false),
            (SignsWhen::Auto, &[("LANG", "de_DE.utf8")], false),
            (SignsWhen::Auto, &[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")], true),
            (SignsWhen::Auto, &[("LANG", "en_US.UTF-8"), ("LC_ALL", "")], false),
            (SignsWhen::Auto, &[("LC_CTYPE", "C.UTF-8"), ("LANG", "POSIX")], false),
            (SignsWhen::Unicode, &[("LC_ALL", "C")], false),
        ] {
            assert_eq!(is_ascii_only(asked, &Made(environment)), expected, "{asked:?} {environment:?}");
        }
    }
}
