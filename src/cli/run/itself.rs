//! What the program prints about itself: completions, the manual page, places, settings.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::CommandFactory;

use super::print;
use crate::cli::args::{AboutItself, CommandLine};
use crate::cli::home::sessions_root;
use crate::config::places::{Named, Places};
use crate::config::printed::default_file;
use crate::config::settings::Process;
use crate::text::locale::Words;
use crate::text::sanitize::display;

/// Prints it. `home`: the home folder, where it is known.
pub(super) fn run(what: AboutItself, places: &Places, home: Option<&Path>, words: &Words) -> ExitCode {
    print(
        words,
        |out| match what {
            AboutItself::Completions(shell) => {
                let mut text = Vec::new();
                clap_complete::generate(shell, &mut CommandLine::command(), env!("CARGO_PKG_NAME"), &mut text);
                out.write_all(&text)
            }
            AboutItself::Man => {
                let mut text = Vec::new();
                clap_mangen::Man::new(CommandLine::command()).render(&mut text)?;
                out.write_all(&text)
            }
            AboutItself::Paths => write_paths(places, home, words, out),
            // What is settled in it is in English, and so are the keys.
            AboutItself::DefaultSettings => out.write_all(default_file(&Words::english()).as_bytes()),
        },
        0,
    )
}

/// One line for each place: its name, the path, and what there is to say about it.
fn write_paths(places: &Places, home: Option<&Path>, words: &Words, out: &mut dyn Write) -> io::Result<()> {
    let mut line = |name: &str, path: Option<&PathBuf>, notes: &[&str]| {
        let shown = path.map(|path| display(path.as_os_str().as_encoded_bytes()));
        let text = shown.as_deref().unwrap_or_else(|| words.get("paths.none"));
        let there = path.is_none_or(|path| path.exists());
        let missing = (!there).then(|| words.get("paths.missing"));
        let notes: Vec<&str> = notes.iter().copied().chain(missing).collect();
        match notes.as_slice() {
            [] => writeln!(out, "{name:<8}{text}"),
            notes => writeln!(out, "{name:<8}{text}   ({})", notes.join(", ")),
        }
    };
    let unknown = words.get("paths.unknown");
    match &places.config {
        None => line("config", None, &[unknown])?,
        Some((path, Named::ByFlag)) => line("config", Some(path), &[words.get("paths.by_flag")])?,
        Some((path, Named::ByEnvironment)) => line("config", Some(path), &[words.get("paths.by_environment")])?,
        Some((path, Named::Usual)) => line("config", Some(path), &[])?,
    }
    let or_unknown = |path: &Option<PathBuf>| if path.is_some() { Vec::new() } else { vec![unknown] };
    line("themes", places.themes.as_ref(), &or_unknown(&places.themes))?;
    line("state", places.state.as_ref(), &or_unknown(&places.state))?;
    line("cache", None, &[words.get("paths.no_cache")])?;
    let store = sessions_root(&Process, home);
    line("store", store.as_ref(), &or_unknown(&store))?;
    line("log", None, &[words.get("paths.no_log")])
}
