//! What the environment and the flags decide about the look.

use std::ffi::OsString;

use clap::ValueEnum;

use crate::ui::theme::Palette;

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

/// How many colours to use: `--color`, `NO_COLOR`, `COLORTERM` and `TERM`, in this order.
pub(crate) fn palette(color: ColorWhen, environment: &dyn Environment) -> Palette {
    let terminal = || colours_of_terminal(environment);
    match color {
        ColorWhen::Never => Palette::None,
        ColorWhen::Auto if environment.filled("NO_COLOR").is_some() => Palette::None,
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
pub(crate) fn is_ascii_only(asked: bool, environment: &dyn Environment) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| environment.filled(name));
    asked
        || locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            !locale.contains("utf-8") && !locale.contains("utf8")
        })
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
    fn colours_follow_flags_then_environment() {
        for (asked, environment, expected) in [
            (ColorWhen::Auto, &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")][..], Palette::True),
            (ColorWhen::Auto, &[("TERM", "xterm-256color")], Palette::Indexed),
            (ColorWhen::Auto, &[("TERM", "xterm")], Palette::Sixteen),
            (ColorWhen::Auto, &[("TERM", "vt100")], Palette::None),
            (ColorWhen::Auto, &[("TERM", "xterm"), ("NO_COLOR", "1")], Palette::None),
            (ColorWhen::Auto, &[("TERM", "xterm"), ("NO_COLOR", "")], Palette::Sixteen),
            (ColorWhen::Always, &[("TERM", "xterm-256color"), ("NO_COLOR", "1")], Palette::Indexed),
            (ColorWhen::Always, &[("TERM", "vt100")], Palette::Sixteen),
            (ColorWhen::Never, &[("TERM", "xterm-256color")], Palette::None),
        ] {
            assert_eq!(palette(asked, &Made(environment)), expected, "{asked:?} {environment:?}");
        }
    }

    #[test]
    fn signs_follow_the_locale() {
        for (asked, environment, expected) in [
            (false, &[][..], false),
            (true, &[("LANG", "en_US.UTF-8")], true),
            (false, &[("LANG", "en_US.UTF-8")], false),
            (false, &[("LANG", "de_DE.utf8")], false),
            (false, &[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")], true),
            (false, &[("LANG", "en_US.UTF-8"), ("LC_ALL", "")], false),
            (false, &[("LC_CTYPE", "C.UTF-8"), ("LANG", "POSIX")], false),
        ] {
            assert_eq!(is_ascii_only(asked, &Made(environment)), expected, "{asked:?} {environment:?}");
        }
    }
}
