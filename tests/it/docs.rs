//! What the documents say is so.

use std::fs;
use std::path::{Path, PathBuf};

use trajview::app::keymap::keys_markdown;
use trajview::config::printed::config_markdown;
use trajview::query::words::query_markdown;
use trajview::text::locale::Words;

use super::support::stage;

#[path = "../sample/picture.rs"]
mod picture;
#[path = "../sample/pictures.rs"]
mod pictures;
#[path = "../sample/quotes.rs"]
mod quotes;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The documents, by path from the root.
fn documents() -> Vec<String> {
    let mut documents = vec!["README.md".to_owned()];
    for entry in fs::read_dir(root().join("docs")).expect("there are documents") {
        let path = entry.expect("a folder entry").path();
        if path.extension().is_some_and(|end| end == "md") {
            documents.push(format!("docs/{}", path.file_name().unwrap_or_default().to_string_lossy()));
        }
    }
    documents
}

#[test]
fn keys_are_those_of_the_table() {
    assert_eq!(text("docs/KEYS.md"), keys_markdown(&Words::english()), "run: cargo run --example make-docs");
}

#[test]
fn settings_are_those_that_are_printed() {
    let printed =
        std::process::Command::new(env!("CARGO_BIN_EXE_trajview")).args(["config", "--print-default"]).output();
    let printed = String::from_utf8(printed.expect("the program runs").stdout).expect("settings are text");
    assert_eq!(text("docs/CONFIG.md"), config_markdown(&Words::english()), "run: cargo run --example make-docs");
    assert!(text("docs/CONFIG.md").contains(&printed), "docs/CONFIG.md holds what is printed");
}

#[test]
fn query_words_are_those_of_the_parser() {
    assert_eq!(text("docs/QUERY.md"), query_markdown(&Words::english()), "run: cargo run --example make-docs");
}

#[test]
fn pictures_show_the_program() {
    for (name, picture) in pictures::all() {
        let stored = text(&format!("docs/screenshots/{name}.svg"));
        assert!(stored == picture, "{name}.svg is stale; run: cargo run --example make-docs");
    }
}

#[test]
fn screens_in_documents_are_those_of_the_program() {
    for document in documents() {
        let name = document.trim_start_matches("docs/");
        let stored = text(&document);
        let drawn = quotes::with_screens(&stored, name, root());
        assert!(stored == drawn, "{document} shows a stale screen; run: cargo run --example make-docs");
    }
}

/// Targets of the links in a document that lead into the repository.
fn links(document: &str) -> Vec<String> {
    let text = text(document);
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let inside = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    inside.map(|target| target.split('#').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for document in documents() {
        let folder = root().join(&document).parent().map(PathBuf::from).unwrap_or_default();
        let gone = links(&document).into_iter().filter(|target| !folder.join(target).exists());
        dead.extend(gone.map(|target| format!("{document}: {target}")));
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn comments_name_documents_and_sections_that_exist() {
    let mut wrong = Vec::new();
    for source in super::support::source::sources() {
        for rest in source.text.split("docs/").skip(1) {
            let name: String = rest.chars().take_while(|char| char.is_alphanumeric() || *char == '.').collect();
            let name = name.trim_end_matches('.');
            let path = format!("docs/{name}");
            if !name.contains(".md") || !root().join(&path).exists() {
                wrong.push(format!("{}: {path}", source.name));
                continue;
            }
            let Some(number) = rest.strip_prefix(&format!("{name} section ")) else { continue };
            let number: String = number.chars().take_while(|char| char.is_ascii_digit() || *char == '.').collect();
            let number = number.trim_end_matches('.');
            let heading = |line: &&str| {
                let title = line.trim_start_matches('#').trim_start();
                let rest = title.strip_prefix(number).unwrap_or("x");
                line.starts_with('#') && !rest.starts_with(|next: char| next.is_alphanumeric())
            };
            if !text(&path).lines().any(|line| heading(&line)) {
                wrong.push(format!("{}: {path} section {number}", source.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest: toml::Table = text("Cargo.toml").parse().expect("the manifest is TOML");
    let architecture = text("docs/ARCHITECTURE.md");
    let mut tables = vec![&manifest["dependencies"], &manifest["dev-dependencies"]];
    if let Some(unix) = manifest.get("target").and_then(|targets| targets.get("cfg(unix)")) {
        tables.extend(unix.get("dependencies"));
    }
    let names = tables.iter().filter_map(|table| table.as_table()).flat_map(|table| table.keys());
    let silent: Vec<&String> = names.filter(|name| !architecture.contains(&format!("`{name}`"))).collect();
    assert!(silent.is_empty(), "docs/ARCHITECTURE.md does not say what these save: {silent:?}");
}

#[test]
fn the_readme_tells_the_two_commands() {
    let readme = text("README.md");
    assert!(readme.contains("\ncargo run --release -- assets/sample/session.v4.jsonl.zstd\n"));
    assert!(readme.contains("\ncargo test\n"));
    let manifest: toml::Table = text("Cargo.toml").parse().expect("the manifest is TOML");
    let rust = manifest["package"]["rust-version"].as_str().expect("a version");
    assert!(readme.contains(&format!("Rust {rust} or later")), "the README names the Rust version of the manifest");
    let changes = text("docs/CHANGELOG.md");
    assert!(changes.contains(env!("CARGO_PKG_VERSION")), "the changes name this version");
}
