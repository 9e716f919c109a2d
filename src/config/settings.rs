//! What the environment and the flags decide about the look.

use std::ffi::OsString;

use crate::cli::args::{ColorWhen, Options};
use crate::ui::theme::Palette;

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
pub(crate) fn palette(options: &Options, environment: &dyn Environment) -> Palette {
    let terminal = || colours_of_terminal(environment);
    match options.color {
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
pub(crate) fn is_ascii_only(options: &Options, environment: &dyn Environment) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| environment.filled(name));
    options.ascii
        || locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            !locale.contains("utf-8") && !locale.contains("utf8")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::CommandLine;
    use crate::text::locale::Words;

    struct Made(&'static [(&'static str, &'static str)]);

    impl Environment for Made {
        fn var(&self, name: &str) -> Option<OsString> {
            self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        }
    }

    fn options(args: &[&str]) -> Options {
        let args = ["trajview", "log"].iter().chain(args).map(OsString::from);
        CommandLine::read(args, &Words::english()).unwrap().options
    }

    #[test]
    fn colours_follow_flags_then_environment() {
        for (args, environment, expected) in [
            (&[][..], &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")][..], Palette::True),
            (&[], &[("TERM", "xterm-256color")], Palette::Indexed),
            (&[], &[("TERM", "xterm")], Palette::Sixteen),
            (&[], &[("TERM", "vt100")], Palette::None),
            (&[], &[("TERM", "xterm"), ("NO_COLOR", "1")], Palette::None),
            (&[], &[("TERM", "xterm"), ("NO_COLOR", "")], Palette::Sixteen),
            (&["--color", "always"], &[("TERM", "xterm-256color"), ("NO_COLOR", "1")], Palette::Indexed),
            (&["--color", "always"], &[("TERM", "vt100")], Palette::Sixteen),
            (&["--color", "never"], &[("TERM", "xterm-256color")], Palette::None),
        ] {
            assert_eq!(palette(&options(args), &Made(environment)), expected, "{args:?} {environment:?}");
        }
    }

    #[test]
    fn signs_follow_the_locale() {
        for (args, environment, expected) in [
            (&[][..], &[][..], false),
            (&["--ascii"], &[("LANG", "en_US.UTF-8")], true),
            (&[], &[("LANG", "en_US.UTF-8")], false),
            (&[], &[("LANG", "de_DE.utf8")], false),
            (&[], &[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")], true),
            (&[], &[("LANG", "en_US.UTF-8"), ("LC_ALL", "")], false),
            (&[], &[("LC_CTYPE", "C.UTF-8"), ("LANG", "POSIX")], false),
        ] {
            assert_eq!(is_ascii_only(&options(args), &Made(environment)), expected, "{args:?} {environment:?}");
        }
    }
}
