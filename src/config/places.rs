//! Where settings and what is remembered lie, on each system.

use std::path::{Path, PathBuf};

use super::settings::Environment;

/// The folder of this program in the folders of the system.
const OWN: &str = "trajview";

/// Where things lie; `None` where neither the environment nor a home folder tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    /// The file of settings, and whether it was named.
    pub(crate) config: Option<(PathBuf, Named)>,
    /// Theme files: always beside the usual settings, whatever file the settings are read from.
    pub(crate) themes: Option<PathBuf>,
    /// What is remembered of logs.
    pub(crate) state: Option<PathBuf>,
}

/// Whether somebody named a file, or it is the usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// By `--config`.
    ByFlag,
    /// By `TRAJVIEW_CONFIG`.
    ByEnvironment,
    /// It is the usual place.
    Usual,
}

/// The system, as far as folders go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    /// Folders by the XDG base directory specification.
    Xdg,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

impl System {
    /// The one that this program was built for.
    pub(crate) fn own() -> System {
        if cfg!(windows) {
            System::Windows
        } else if cfg!(target_os = "macos") {
            System::Mac
        } else {
            System::Xdg
        }
    }
}

impl Places {
    /// Works out where things lie. `flag`: what `--config` said.
    pub(crate) fn of(
        flag: Option<&Path>,
        environment: &dyn Environment,
        home: Option<&Path>,
        system: System,
    ) -> Places {
        let usual = folder(environment, home, system, &CONFIG).map(|folder| folder.join(OWN));
        let named = |path: PathBuf, named| Some((path, named));
        let by_environment = || environment.var("TRAJVIEW_CONFIG").filter(|value| !value.is_empty());
        let config = match (flag, by_environment()) {
            (Some(path), _) => named(path.to_owned(), Named::ByFlag),
            (None, Some(path)) => named(PathBuf::from(path), Named::ByEnvironment),
            (None, None) => usual.as_ref().map(|folder| (folder.join("config.toml"), Named::Usual)),
        };
        let state = folder(environment, home, system, &STATE).map(|folder| folder.join(OWN).join("state.json"));
        Places { config, themes: usual.map(|folder| folder.join("themes")), state }
    }
}

/// How the folder for one purpose is found.
struct Purpose {
    xdg: &'static str,
    below_home: &'static str,
    on_mac: &'static str,
    on_windows: &'static str,
}

const CONFIG: Purpose = Purpose {
    xdg: "XDG_CONFIG_HOME",
    below_home: ".config",
    on_mac: "Library/Application Support",
    on_windows: "APPDATA",
};

const STATE: Purpose = Purpose {
    xdg: "XDG_STATE_HOME",
    below_home: ".local/state",
    on_mac: "Library/Application Support",
    on_windows: "LOCALAPPDATA",
};

/// The variable of XDG counts everywhere where it is set; a relative one counts as unset, as its specification says.
fn folder(environment: &dyn Environment, home: Option<&Path>, system: System, purpose: &Purpose) -> Option<PathBuf> {
    let named = |name| environment.var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || match system {
        System::Xdg => home.map(|home| home.join(purpose.below_home)),
        System::Mac => home.map(|home| home.join(purpose.on_mac)),
        System::Windows => named(purpose.on_windows),
    };
    named(purpose.xdg).or_else(usual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    struct Made(&'static [(&'static str, &'static str)]);

    impl Environment for Made {
        fn var(&self, name: &str) -> Option<OsString> {
            self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        }
    }

    #[test]
    fn folders_are_those_of_the_system() {
        let home = Some(Path::new("/home/u"));
        for (environment, system, config, state) in [
            (&[][..], System::Xdg, "/home/u/.config", "/home/u/.local/state"),
            (&[("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "/s")], System::Xdg, "/c", "/s"),
            (
                &[("XDG_CONFIG_HOME", ""), ("XDG_STATE_HOME", "s")],
                System::Xdg,
                "/home/u/.config",
                "/home/u/.local/state",
            ),
            (&[], System::Mac, "/home/u/Library/Application Support", "/home/u/Library/Application Support"),
            (&[("XDG_CONFIG_HOME", "/c")], System::Mac, "/c", "/home/u/Library/Application Support"),
            (&[("APPDATA", "/roaming"), ("LOCALAPPDATA", "/local")], System::Windows, "/roaming", "/local"),
        ] {
            let places = Places::of(None, &Made(environment), home, system);
            assert_eq!(places.config, Some((Path::new(config).join("trajview/config.toml"), Named::Usual)));
            assert_eq!(places.themes, Some(Path::new(config).join("trajview/themes")));
            assert_eq!(places.state, Some(Path::new(state).join("trajview/state.json")));
        }
        assert_eq!(Places::of(None, &Made(&[]), None, System::Xdg), Places { config: None, themes: None, state: None });
    }

    #[test]
    fn a_flag_goes_before_the_environment() {
        let environment = Made(&[("TRAJVIEW_CONFIG", "e.toml")]);
        let config = |flag| Places::of(flag, &environment, None, System::Xdg).config;
        assert_eq!(config(Some(Path::new("f.toml"))), Some((PathBuf::from("f.toml"), Named::ByFlag)));
        assert_eq!(config(None), Some((PathBuf::from("e.toml"), Named::ByEnvironment)));
    }
}
