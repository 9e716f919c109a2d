//! Which theme is in force: named here, drawn by the screen.

/// A theme that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BuiltIn {
    /// For dark backgrounds.
    #[default]
    Dark,
    /// For light backgrounds.
    Light,
    /// The colours of the terminal.
    Ansi16,
    /// No colours.
    Mono,
}

impl BuiltIn {
    /// All of them, in the order in which they are listed.
    pub const ALL: [BuiltIn; 4] = [BuiltIn::Dark, BuiltIn::Light, BuiltIn::Ansi16, BuiltIn::Mono];

    /// The name on the command line and in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Dark => "dark",
            BuiltIn::Light => "light",
            BuiltIn::Ansi16 => "ansi-16",
            BuiltIn::Mono => "mono",
        }
    }

    /// The theme with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// The theme in force, and what it would be without the line that is being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Themed {
    /// What is drawn with.
    pub now: BuiltIn,
    /// The background of the terminal may still decide.
    pub open: bool,
    /// What comes back when the line that chooses a theme is given up.
    pub(crate) before: Option<BuiltIn>,
}

impl Themed {
    /// A theme; `open`: the background of the terminal may change it.
    #[must_use]
    pub fn new(now: BuiltIn, open: bool) -> Themed {
        Themed { now, open, before: None }
    }

    /// The terminal has told its background.
    pub(crate) fn on(&mut self, background: Background) {
        let fits = match background {
            Background::Dark => BuiltIn::Dark,
            Background::Light => BuiltIn::Light,
        };
        if std::mem::take(&mut self.open) {
            match &mut self.before {
                Some(before) => *before = fits,
                None => self.now = fits,
            }
        }
    }

    /// Shows a theme while it is chosen; `None`: as it was.
    pub(crate) fn preview(&mut self, theme: Option<BuiltIn>) {
        let before = *self.before.get_or_insert(self.now);
        self.now = theme.unwrap_or(before);
    }

    /// Keeps what is shown.
    pub(crate) fn keep(&mut self, theme: BuiltIn) {
        *self = Themed::new(theme, false);
    }

    /// Gives up what was shown.
    pub(crate) fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            self.now = before;
        }
    }
}

/// A background as a terminal tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Background {
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// The first word of the command that chooses a theme.
const COMMAND: &str = "theme";

/// What a line after `:` says about themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Typed<'a> {
    /// Another place or command.
    Else,
    /// The command, with the name so far.
    Theme(&'a str),
}

/// Reads a line after `:`. A word that is `theme` alone chooses none so far.
pub(crate) fn typed(text: &str) -> Typed<'_> {
    match text.trim_start().strip_prefix(COMMAND) {
        Some("") => Typed::Theme(""),
        Some(rest) if rest.starts_with(' ') => Typed::Theme(rest.trim()),
        Some(_) | None => Typed::Else,
    }
}

/// The theme that a beginning of a name means: the one with that name, else the only one that begins so.
pub(crate) fn meant(name: &str) -> Option<BuiltIn> {
    let mut fit = BuiltIn::ALL.into_iter().filter(|theme| !name.is_empty() && theme.name().starts_with(name));
    BuiltIn::named(name).or_else(|| fit.next().filter(|_| fit.next().is_none()))
}

/// What Tab makes of the line: the command, the only theme meant, the next one.
pub(crate) fn completed(text: &str, forward: bool) -> Option<String> {
    let whole = |theme: BuiltIn| format!("{COMMAND} {}", theme.name());
    match typed(text) {
        Typed::Else if !text.is_empty() && COMMAND.starts_with(text) => Some(format!("{COMMAND} ")),
        Typed::Else => None,
        Typed::Theme(name) => {
            let all = BuiltIn::ALL;
            let at = all.iter().position(|theme| theme.name() == name);
            let step = if forward { 1 } else { all.len() - 1 };
            Some(match (at, meant(name)) {
                (Some(at), _) => whole(all[(at + step) % all.len()]),
                (None, Some(theme)) => whole(theme),
                (None, None) => whole(all[0]),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_completes_the_command_and_goes_through_the_themes() {
        for (text, next) in [
            ("", None),
            ("8", None),
            ("th", Some("theme ")),
            ("theme", Some("theme dark")),
            ("theme ", Some("theme dark")),
            ("theme l", Some("theme light")),
            ("theme light", Some("theme ansi-16")),
            ("theme mono", Some("theme dark")),
            ("theme x", Some("theme dark")),
        ] {
            assert_eq!(completed(text, true).as_deref(), next, "{text:?}");
        }
        assert_eq!(completed("theme dark", false).as_deref(), Some("theme mono"));
    }

    #[test]
    fn a_beginning_means_the_only_theme_that_has_it() {
        assert_eq!(meant("m"), Some(BuiltIn::Mono));
        assert_eq!((meant(""), meant("x")), (None, None));
        assert_eq!(typed("themes"), Typed::Else);
        assert_eq!(typed(" theme  dark "), Typed::Theme("dark"));
    }
}
