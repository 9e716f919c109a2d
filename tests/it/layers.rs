//! The rules between modules, read from the sources: who may use whom, and who may touch the outside world.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::support::source::{Source, sources};

/// Layers from left to right: a module uses what stands before it. `report` and `app` stand side by side.
const LAYERS: [&[&str]; 12] = [
    &["text"],
    &["log"],
    &["record"],
    &["session"],
    &["triage"],
    &["store"],
    &["query"],
    &["report", "app"],
    &["ui"],
    &["runtime"],
    &["config"],
    &["cli"],
];

/// Modules that may read files, the environment and the clock.
const OUTSIDE: [&str; 5] = ["log", "store", "runtime", "config", "cli"];

fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Says all that is wrong at once: a list of one is easy to repair and hides the rest.
fn assert_none(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}

#[test]
fn every_module_has_its_layer() {
    let modules: BTreeSet<String> = sources().iter().filter_map(Source::module).collect();
    let unknown: Vec<String> = modules.into_iter().filter(|module| rank(module).is_none()).collect();
    assert_none("modules without a layer", &unknown);
}

#[test]
fn modules_use_what_stands_to_their_left() {
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(own) = source.module() else { continue };
        for (line, used) in source.modules_used() {
            let (Some(own_rank), Some(used_rank)) = (rank(&own), rank(&used)) else { continue };
            if own != used && used_rank >= own_rank {
                wrong.push(format!("{}:{line}: {own} uses {used}", source.name));
            }
        }
    }
    assert_none("uses to the right", &wrong);
}

/// Finds words in the sources that `may` does not allow.
fn find(words: &[&str], may: impl Fn(&Source) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|source| !may(source)) {
        for word in words {
            let lines = source.lines_with(word);
            wrong.extend(lines.map(|line| format!("{}:{line}: {word}", source.name)));
        }
    }
    wrong
}

fn is_in(source: &Source, modules: &[&str]) -> bool {
    source.module().is_none_or(|module| modules.contains(&module.as_str()))
}

#[test]
fn the_terminal_begins_at_the_screen() {
    let may = |source: &Source| is_in(source, &["ui", "runtime", "config", "cli"]);
    assert_none("terminal left of ui", &find(&["ratatui", "crossterm"], may));
    let may = |source: &Source| is_in(source, &["ui"]) || source.name == "src/app/input.rs";
    assert_none("input lines elsewhere", &find(&["tui_textarea", "ratatui_textarea"], may));
}

#[test]
fn the_screen_reads_no_file_and_starts_nothing() {
    let outside = ["std::fs", "std::env", "std::net", "std::process", "SystemTime", "Instant", "fs::", "env::"];
    assert_none("outside world", &find(&outside, |source| is_in(source, &OUTSIDE)));
}

#[test]
fn threads_live_in_two_places() {
    let may = |source: &Source| {
        is_in(source, &["runtime"]) || source.name.starts_with("src/session/builder") || source.module().is_none()
    };
    let threads: Vec<String> = find(&["thread::spawn", "thread::scope", "thread::Builder"], may);
    assert_none("threads elsewhere", &threads);
}

#[test]
fn nothing_gives_up() {
    let words =
        [".unwrap()", "todo!", "unimplemented!", "panic!", "println!", "eprintln!", "print!", "eprint!", "dbg!"];
    assert_none("outside of tests", &find(&words, |_| false));
    let may = |source: &Source| is_in(source, &["runtime"]) || source.name == "src/main.rs";
    assert_none("color_eyre elsewhere", &find(&["color_eyre"], may));
}

#[test]
fn every_module_says_what_it_is() {
    let silent: Vec<String> = sources()
        .iter()
        .filter(|source| !source.text.trim_start().starts_with("//!"))
        .map(|source| source.name.clone())
        .collect();
    assert_none("files that do not open with //!", &silent);
}

/// All text files of the repository that people read.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            files(&path, found);
        } else if [".rs", ".md", ".toml", ".snap", ".svg"].iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}

#[test]
fn lines_end_as_on_unix_and_without_blanks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![root.join("README.md"), root.join("Cargo.toml")];
    for folder in ["src", "docs", "tests/it", "tests/sample"] {
        files(&root.join(folder), &mut found);
    }
    let mut wrong = Vec::new();
    for path in found {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for (at, line) in text.split('\n').enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                wrong.push(format!("{}:{}", path.display(), at + 1));
            }
        }
    }
    assert_none("lines with blanks at the end", &wrong);
}

/// A checker that finds nothing anywhere would pass all of the above.
#[test]
fn the_rules_can_be_broken() {
    assert!(!find(&["std::fs", "fs::"], |source| source.name != "src/log/source.rs").is_empty(), "files are read");
    assert!(!find(&["ratatui"], |source| !is_in(source, &["ui"])).is_empty(), "the screen is drawn");
    assert!(!find(&["thread::Builder"], |source| !is_in(source, &["runtime"])).is_empty(), "workers start");
    let uses: usize = sources().iter().map(|source| source.modules_used().len()).sum();
    assert!(uses > 100, "modules use each other: {uses}");
}
