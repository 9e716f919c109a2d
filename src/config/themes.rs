//! Theme files of the person: `themes/NAME.toml` in the folder of the settings.

use std::fs;
use std::path::{Path, PathBuf};

use super::fault::Unusable;
use super::settings::ThemeChoice;
use crate::app::theming::{BuiltIn, MOST_THEMES, OwnName, ThemeId, ThemeNames};
use crate::runtime::files::read_bounded;
use crate::text::fault::{Fault, Place};
use crate::text::locale::Words;
use crate::ui::theme::{ENOUGH, Palette, Theme, ThemeFile, Wardrobe};

/// Most bytes of a theme file: one with every role takes a thousand.
const MOST_BYTES: u64 = 64 << 10;

/// Most entries of the folder that are looked at.
const MOST_ENTRIES: usize = 10_000;

/// Most characters of a name: it is typed, and listed beside others.
const MOST_NAME: usize = 24;

/// The theme files that were found, by name.
#[derive(Debug, Default)]
pub(crate) struct OwnThemes(Vec<OwnTheme>);

#[derive(Debug)]
struct OwnTheme {
    name: String,
    read: Result<ThemeFile, Unusable>,
}

impl OwnThemes {
    /// Looks into the folder; nothing where there is none.
    ///
    /// A file that is named like a theme of the program is not looked at, nor is one whose name could not be typed.
    pub(crate) fn in_folder(folder: &Path) -> OwnThemes {
        let Ok(entries) = fs::read_dir(folder) else { return OwnThemes::default() };
        let paths = entries.take(MOST_ENTRIES).filter_map(|entry| Some(entry.ok()?.path()));
        let mut named: Vec<(String, PathBuf)> = paths.filter_map(|path| Some((name(&path)?, path))).collect();
        named.sort();
        named.truncate(usize::from(MOST_THEMES));
        OwnThemes(named.into_iter().map(|(name, path)| OwnTheme { name, read: read(path) }).collect())
    }

    /// Their names, and why some of them cannot be used.
    pub(crate) fn names(&self, words: &Words) -> ThemeNames {
        let fault = |theme: &OwnTheme| theme.read.as_ref().err().map(|unusable| unusable.say(words));
        let warning = |theme: &OwnTheme| {
            let (role, contrast) = theme.read.as_ref().ok()?.faintest().filter(|(_, contrast)| *contrast < ENOUGH)?;
            let (contrast, enough) = (format!("{contrast:.1}"), ENOUGH.to_string());
            let about = [("theme", &*theme.name), ("role", role), ("contrast", &contrast), ("enough", &enough)];
            Some(words.say("message.faint_theme", &about))
        };
        let named = |own: &OwnTheme| OwnName { name: own.name.clone(), fault: fault(own), warning: warning(own) };
        ThemeNames::new(self.0.iter().map(named).collect())
    }

    /// All names that may be chosen, the faulty ones too: whoever chooses one is told what is wrong with it.
    pub(crate) fn choices(&self) -> Vec<(&str, ThemeChoice)> {
        let built_in = BuiltIn::ALL.map(|theme| (theme.name(), ThemeChoice::Named(ThemeId::BuiltIn(theme))));
        let own = (0..).zip(&self.0).map(|(at, own)| (own.name.as_str(), ThemeChoice::Named(ThemeId::Own(at))));
        [("auto", ThemeChoice::Auto)].into_iter().chain(built_in).chain(own).collect()
    }

    /// Why a choice cannot be used.
    pub(crate) fn fault(&self, choice: ThemeChoice) -> Option<&Unusable> {
        match choice {
            ThemeChoice::Named(ThemeId::Own(at)) => self.0.get(usize::from(at))?.read.as_ref().err(),
            ThemeChoice::Named(ThemeId::BuiltIn(_)) | ThemeChoice::Auto => None,
        }
    }

    /// All themes, for a terminal with these colours.
    pub(crate) fn wardrobe(&self, palette: Palette) -> Wardrobe {
        let theme = |own: &OwnTheme| own.read.as_ref().map_or_else(|_| Theme::default(), |file| file.theme(palette));
        Wardrobe::new(palette, self.0.iter().map(theme).collect())
    }
}

/// The name under which a file is chosen.
fn name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.strip_suffix(".toml")?;
    let is_typed = name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_'));
    let is_free = name != "auto" && BuiltIn::named(name).is_none();
    (is_typed && is_free && (1..=MOST_NAME).contains(&name.len())).then(|| name.to_owned())
}

fn read(path: PathBuf) -> Result<ThemeFile, Unusable> {
    let bytes = match read_bounded(&path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => return Err(Unusable::Unreadable(path, error)),
    };
    let read = std::str::from_utf8(&bytes)
        .map_err(|error| Fault::new(Place::after(&bytes[..error.valid_up_to()]), "config.not_utf8", Vec::new()))
        .and_then(ThemeFile::read);
    read.map_err(|fault| Unusable::Wrong(path, fault))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::role::Role;

    fn folder() -> (tempfile::TempDir, OwnThemes) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("dusk.toml", "base = \"light\"\n[roles]\nbad = { fg = \"#aa0000\" }\n"),
            ("faint.toml", "base = \"light\"\n[roles]\ndim = { fg = \"#cccccc\" }\nok = { fg = \"#999999\" }\n"),
            ("broken.toml", "[roles]\n\nbda = {}\n"),
            ("dark.toml", ""),
            ("auto.toml", ""),
            ("a b.toml", ""),
            ("notes.txt", ""),
            ("binary.toml", "#\u{0}"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::create_dir(folder.path().join("sub.toml")).unwrap();
        let themes = OwnThemes::in_folder(folder.path());
        (folder, themes)
    }

    #[test]
    fn files_are_themes_by_their_names() {
        let (_folder, themes) = folder();
        let names: Vec<&str> = themes.choices().iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names,
            ["auto", "dark", "light", "ansi-16", "mono", "binary", "broken", "dusk", "faint", "sub"],
            "the faulty ones too"
        );
        assert_eq!(themes.names(&Words::english()).listed(), "dark light ansi-16 mono dusk faint");
        assert!(OwnThemes::in_folder(Path::new("/dev/null/none")).choices().len() == 5);
    }

    #[test]
    fn a_faulty_one_says_where() {
        let (_folder, themes) = folder();
        let choice = |name| themes.choices().into_iter().find(|(known, _)| *known == name).unwrap().1;
        let said = themes.fault(choice("broken")).unwrap().say(&Words::english());
        assert!(said.ends_with("broken.toml:3:1: there is no setting \"bda\"; did you mean bad?"), "{said}");
        assert!(themes.fault(choice("sub")).is_some() && themes.fault(choice("binary")).is_some());
        assert!(themes.fault(choice("dusk")).is_none() && themes.fault(choice("dark")).is_none());
    }

    #[test]
    fn what_can_hardly_be_read_is_used_and_said() {
        let (_folder, themes) = folder();
        let names = themes.names(&Words::english());
        let warning = |name: &str| names.warning(names.meant(name).expect("it can be used").1).map(str::to_owned);
        let said = "theme faint; hard to read: dim has a contrast of 1.3 to 1, 4.5 is enough";
        assert_eq!(warning("faint").as_deref(), Some(said));
        assert_eq!((warning("dusk"), warning("dark")), (None, None));
    }

    #[test]
    fn what_a_file_leaves_out_is_as_in_its_base() {
        let (_folder, themes) = folder();
        let dusk = themes.wardrobe(Palette::True).theme(ThemeId::Own(2));
        let light = Theme::built_in(BuiltIn::Light, Palette::True);
        assert_eq!(dusk.style(Role::Warn), light.style(Role::Warn));
        assert_ne!(dusk.style(Role::Bad), light.style(Role::Bad));
    }
}
