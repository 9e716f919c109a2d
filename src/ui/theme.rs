//! Roles to styles: a theme file, cut down to the colours that the terminal has.
//!
//! A role that a file leaves out looks like its parent role (`parent`), so that a theme of three lines is whole.
//! Themes name colours; they never name panes or states.

mod colour;
mod parse;

use ratatui::style::{Color, Modifier, Style};

use crate::app::theming::ThemeId;
use crate::text::fault::Fault;
use crate::text::role::{Role, Span};

pub use crate::app::theming::BuiltIn;
pub(crate) use colour::Rgb;
pub(crate) use parse::File as ThemeFile;

/// How many colours the terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// None: weight and underline only (`NO_COLOR`).
    None,
    /// The sixteen colours that the owner of the terminal has chosen.
    Sixteen,
    /// The fixed palette of 256.
    Indexed,
    /// 24 bits.
    #[default]
    True,
}

/// The file of a theme.
fn source(theme: BuiltIn) -> &'static str {
    match theme {
        BuiltIn::Dark => include_str!("../../assets/themes/dark.toml"),
        BuiltIn::Light => include_str!("../../assets/themes/light.toml"),
        BuiltIn::Ansi16 => include_str!("../../assets/themes/ansi-16.toml"),
        BuiltIn::Mono => include_str!("../../assets/themes/mono.toml"),
    }
}

/// Every role; the order is that of [`Role`].
const ROLES: [(Role, &str); 12] = [
    (Role::Normal, "normal"),
    (Role::Dim, "dim"),
    (Role::Strong, "strong"),
    (Role::Accent, "accent"),
    (Role::Ok, "ok"),
    (Role::Warn, "warn"),
    (Role::Bad, "bad"),
    (Role::Unknown, "unknown"),
    (Role::Surface, "surface"),
    (Role::Hidden, "hidden"),
    (Role::Selection, "selection"),
    (Role::Match, "match"),
];

/// The role whose look a role takes when a theme does not name it.
fn parent(role: Role) -> Option<Role> {
    match role {
        Role::Normal => None,
        Role::Dim | Role::Strong | Role::Accent | Role::Ok | Role::Surface | Role::Selection => Some(Role::Normal),
        Role::Warn | Role::Match => Some(Role::Strong),
        Role::Bad => Some(Role::Warn),
        Role::Unknown => Some(Role::Bad),
        Role::Hidden => Some(Role::Dim),
    }
}

/// A style for each role, ready to draw with.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    styles: [Style; ROLES.len()],
    background: Rgb,
}

impl Default for Theme {
    fn default() -> Theme {
        Theme::built_in(BuiltIn::default(), Palette::default())
    }
}

impl Theme {
    /// A theme that comes with the program. With [`Palette::None`] every one of them looks like `mono`.
    #[must_use]
    pub fn built_in(theme: BuiltIn, palette: Palette) -> Theme {
        built_in_file(theme).theme(palette)
    }

    /// Reads a theme file. With [`Palette::None`] its colours are left out and the weights of `mono` hold.
    ///
    /// # Errors
    ///
    /// The first fault of the file, with its place.
    pub fn parse(text: &str, palette: Palette) -> Result<Theme, Fault> {
        ThemeFile::read(text).map(|file| file.theme(palette))
    }

    /// The style of a role.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// The style of a span: its role, reversed if it says so.
    #[must_use]
    pub fn style_of(&self, span: &Span) -> Style {
        let style = self.style(span.role);
        if span.reversed { style.add_modifier(Modifier::REVERSED) } else { style }
    }
}

/// A theme file that comes with the program.
fn built_in_file(theme: BuiltIn) -> ThemeFile {
    ThemeFile::read(source(theme)).expect("the themes of the program are read by a test")
}

impl ThemeFile {
    /// The styles of the file, with the colours that a terminal has.
    pub(crate) fn theme(&self, palette: Palette) -> Theme {
        let background = self.background.unwrap_or_default();
        if palette == Palette::None {
            return Theme { styles: resolve(&built_in_file(BuiltIn::Mono), palette), background };
        }
        Theme { styles: resolve(self, palette), background }
    }
}

impl ThemeFile {
    /// The role that is hardest to read on the background or in the selected row, with its contrast; of the colours that
    /// the file gives in 24 bits. What else there is looks as the owner of the terminal has it.
    pub(crate) fn faintest(&self) -> Option<(&'static str, f64)> {
        let styles = resolve(self, Palette::True);
        let rgb = |colour: Option<Color>| match colour? {
            Color::Rgb(r, g, b) => Some(Rgb(r, g, b)),
            _ => None,
        };
        let grounds = [self.background, rgb(styles[Role::Selection as usize].bg)];
        let inks = ROLES.iter().filter_map(|(role, name)| Some((*name, rgb(styles[*role as usize].fg)?)));
        let pairs = inks
            .flat_map(|(name, ink)| grounds.iter().flatten().map(move |ground| (name, colour::contrast(ink, *ground))));
        pairs.min_by(|(_, one), (_, other)| one.total_cmp(other))
    }
}

/// The contrast that a text needs (WCAG 2, AA).
pub(crate) const ENOUGH: f64 = 4.5;

/// The themes that can be worn: those of the program, and the person's files.
#[derive(Debug, Default)]
pub(crate) struct Wardrobe {
    palette: Palette,
    /// In the order of their names; one that cannot be used is never asked for.
    own: Vec<Theme>,
}

impl Wardrobe {
    /// Themes for a terminal with these colours. `own`: the person's.
    pub(crate) fn new(palette: Palette, own: Vec<Theme>) -> Wardrobe {
        Wardrobe { palette, own }
    }

    /// The theme with this id.
    pub(crate) fn theme(&self, id: ThemeId) -> Theme {
        match id {
            ThemeId::BuiltIn(theme) => Theme::built_in(theme, self.palette),
            ThemeId::Own(at) => self.own.get(usize::from(at)).cloned().unwrap_or_default(),
        }
    }
}

fn resolve(file: &ThemeFile, palette: Palette) -> [Style; ROLES.len()] {
    let mut styles = [Style::new(); ROLES.len()];
    for (role, _) in ROLES {
        let mut at = Some(role);
        while let Some(candidate) = at {
            if let Some(look) = &file.looks[candidate as usize] {
                styles[role as usize] = look.style(palette);
                break;
            }
            at = parent(candidate);
        }
    }
    styles
}

/// How one role looks, before the palette is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LookOf {
    fg: Option<Rgb>,
    fg16: Option<Color>,
    bg: Option<Rgb>,
    bg16: Option<Color>,
    weight: Modifier,
}

impl LookOf {
    fn style(&self, palette: Palette) -> Style {
        let mut style = Style::new().add_modifier(self.weight);
        style.fg = colour::shown(self.fg, self.fg16, palette);
        style.bg = colour::shown(self.bg, self.bg16, palette);
        style
    }
}

#[cfg(test)]
mod tests;
