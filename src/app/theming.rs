//! Which theme is in force: named here, drawn by the screen.

use std::sync::Arc;

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

/// A theme that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThemeId {
    /// One that comes with the program.
    BuiltIn(BuiltIn),
    /// One of the person's files, by its place in [`ThemeNames`].
    Own(u8),
}

impl Default for ThemeId {
    fn default() -> ThemeId {
        ThemeId::BuiltIn(BuiltIn::default())
    }
}

/// A theme file of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnName {
    /// How it is chosen.
    pub name: String,
    /// Why it cannot be, printable.
    pub fault: Option<String>,
    /// What makes it hard to read, printable.
    pub warning: Option<String>,
}

/// The themes that can be chosen: those of the program, then those of the person's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThemeNames {
    own: Arc<[OwnName]>,
}

/// Theme files that are looked at.
pub const MOST_THEMES: u8 = 100;

impl ThemeNames {
    /// Names of the person's files, at most [`MOST_THEMES`].
    #[must_use]
    pub fn new(own: Vec<OwnName>) -> ThemeNames {
        ThemeNames { own: own.into_iter().take(usize::from(MOST_THEMES)).collect() }
    }

    /// All that can be used, in the order in which they are listed.
    pub fn all(&self) -> impl Iterator<Item = (&str, ThemeId)> {
        let own = (0..).zip(self.own.iter()).filter(|(_, own)| own.fault.is_none());
        let built_in = BuiltIn::ALL.into_iter().map(|theme| (theme.name(), ThemeId::BuiltIn(theme)));
        built_in.chain(own.map(|(at, own)| (own.name.as_str(), ThemeId::Own(at))))
    }

    /// Their names with blanks between them.
    #[must_use]
    pub fn listed(&self) -> String {
        self.all().map(|(name, _)| name).collect::<Vec<_>>().join(" ")
    }

    /// Why a theme with this name cannot be used.
    #[must_use]
    pub fn fault(&self, name: &str) -> Option<&str> {
        self.own.iter().find(|own| own.name == name)?.fault.as_deref()
    }

    /// What makes a theme hard to read.
    #[must_use]
    pub fn warning(&self, theme: ThemeId) -> Option<&str> {
        match theme {
            ThemeId::Own(at) => self.own.get(usize::from(at))?.warning.as_deref(),
            ThemeId::BuiltIn(_) => None,
        }
    }

    /// The theme that a beginning of a name means: the one with that name, else the only one that begins so.
    pub(crate) fn meant(&self, name: &str) -> Option<(&str, ThemeId)> {
        let mut fit = self.all().filter(|(known, _)| !name.is_empty() && known.starts_with(name));
        let named = self.all().find(|(known, _)| *known == name);
        named.or_else(|| fit.next().filter(|_| fit.next().is_none()))
    }
}

/// The theme in force, and what it would be without the line that is being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Themed {
    /// What is drawn with.
    pub now: ThemeId,
    /// The background of the terminal may still decide.
    pub open: bool,
    /// What comes back when the line that chooses a theme is given up.
    pub(crate) before: Option<ThemeId>,
}

impl Themed {
    /// A theme; `open`: the background of the terminal may change it.
    #[must_use]
    pub fn new(now: ThemeId, open: bool) -> Themed {
        Themed { now, open, before: None }
    }

    /// The terminal has told its background.
    pub(crate) fn on(&mut self, background: Background) {
        let fits = match background {
            Background::Dark => ThemeId::BuiltIn(BuiltIn::Dark),
            Background::Light => ThemeId::BuiltIn(BuiltIn::Light),
        };
        if std::mem::take(&mut self.open) {
            match &mut self.before {
                Some(before) => *before = fits,
                None => self.now = fits,
            }
        }
    }

    /// Shows a theme while it is chosen; `None`: as it was.
    pub(crate) fn preview(&mut self, theme: Option<ThemeId>) {
        let before = *self.before.get_or_insert(self.now);
        self.now = theme.unwrap_or(before);
    }

    /// Keeps what is shown.
    pub(crate) fn keep(&mut self, theme: ThemeId) {
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

/// What Tab makes of the line: the command, the only theme meant, the next one.
pub(crate) fn completed(text: &str, forward: bool, names: &ThemeNames) -> Option<String> {
    let whole = |name: &str| format!("{COMMAND} {name}");
    match typed(text) {
        Typed::Else if !text.is_empty() && COMMAND.starts_with(text) => Some(format!("{COMMAND} ")),
        Typed::Else => None,
        Typed::Theme(name) => {
            let all: Vec<&str> = names.all().map(|(name, _)| name).collect();
            let at = all.iter().position(|known| *known == name);
            let step = if forward { 1 } else { all.len() - 1 };
            Some(match (at, names.meant(name)) {
                (Some(at), _) => whole(all[(at + step) % all.len()]),
                (None, Some((known, _))) => whole(known),
                (None, None) => whole(all[0]),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> ThemeNames {
        let own = |name: &str, fault: Option<&str>| OwnName {
            name: name.to_owned(),
            fault: fault.map(str::to_owned),
            warning: None,
        };
        ThemeNames::new(vec![own("broken", Some("x.toml:1:1: no")), own("dusk", None)])
    }

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
            ("theme mono", Some("theme dusk")),
            ("theme dusk", Some("theme dark")),
            ("theme x", Some("theme dark")),
        ] {
            assert_eq!(completed(text, true, &names()).as_deref(), next, "{text:?}");
        }
        assert_eq!(completed("theme dark", false, &names()).as_deref(), Some("theme dusk"));
    }

    #[test]
    fn a_beginning_means_the_only_theme_that_has_it() {
        let names = names();
        assert_eq!(names.meant("m"), Some(("mono", ThemeId::BuiltIn(BuiltIn::Mono))));
        assert_eq!(names.meant("du"), Some(("dusk", ThemeId::Own(1))));
        assert_eq!((names.meant(""), names.meant("x"), names.meant("d")), (None, None, None));
        assert_eq!(typed("themes"), Typed::Else);
        assert_eq!(typed(" theme  dark "), Typed::Theme("dark"));
    }

    #[test]
    fn a_theme_that_cannot_be_used_is_not_offered_and_says_why() {
        assert_eq!(names().listed(), "dark light ansi-16 mono dusk");
        assert_eq!(names().meant("broken"), None);
        assert_eq!(names().fault("broken"), Some("x.toml:1:1: no"));
    }
}
