//! What the README tells to type works, and its translations tell the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where commands begin, and why those are not run here.
const NOT_RUN: [(&str, &str); 2] = [
    ("cargo test", "it is what runs this test"),
    ("cargo install --path .", "it builds the release, which .ci/run does"),
];

/// The languages of the translations, by their files `docs/README.CODE.md` and `docs/READING.CODE.md`.
const CODES: [&str; 4] = ["zh-CN", "zh-TW", "ko", "es"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines inside the fences of a language.
fn fenced(text: &str, language: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text.lines();
    while rest.any(|line| line == format!("```{language}")) {
        lines.extend(rest.by_ref().take_while(|line| *line != "```").map(str::to_owned));
    }
    lines
}

/// The commands of a document, without what is said about them.
fn commands(path: &str) -> Vec<String> {
    let lines = fenced(&text(path), "sh").into_iter();
    let commands = lines.map(|line| line.split(" # ").next().unwrap_or_default().trim().to_owned());
    commands.filter(|command| !command.is_empty()).collect()
}

/// Runs a command as a shell at the root of the checkout would, where the program is installed.
fn run(command: &str) -> Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_trajview"));
    let folder = program.parent().expect("it lies in a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    // What cargo builds and runs is the program that the tests have built already.
    let command = command.replace("cargo run --release -- ", "trajview ");
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(root()).env("PATH", path).env("LC_ALL", "C.UTF-8");
    shell.output().expect("there is a shell")
}

/// The exit status that the documents promise for the sample: something is wrong in it, and a report says so. Without a
/// terminal a log is shown as its report.
fn expected(command: &str) -> i32 {
    if command.starts_with("trajview events") { 0 } else { 3 }
}

#[test]
#[cfg(unix)]
fn commands_of_the_documents_work() {
    let mut all: Vec<String> = ["README.md", "docs/READING.md"].iter().flat_map(|path| commands(path)).collect();
    assert!(all.len() > 6, "there are commands: {all:?}");
    for (start, why) in NOT_RUN {
        assert!(all.iter().any(|command| command == start), "no document has {start:?}, which is left out: {why}");
        all.retain(|command| command != start);
    }
    for command in all {
        let output = run(&command);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), errors.as_str()), (Some(expected(&command)), ""), "{command}");
        assert!(output.stdout.len() > 100, "{command} prints something");
    }
}

#[test]
fn translations_tell_the_same_commands_and_keys() {
    /// Words in code style at the beginning of rows of tables: keys, codes.
    fn keys(text: &str) -> Vec<String> {
        let cells = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        cells.filter(|cell| cell.starts_with('`')).map(str::to_owned).collect()
    }
    for (original, name) in [("README.md", "README"), ("docs/READING.md", "READING")] {
        for code in CODES {
            let path = format!("docs/{name}.{code}.md");
            assert_eq!(commands(&path), commands(original), "{path}");
            assert_eq!(keys(&text(&path)), keys(&text(original)), "{path}");
            assert_eq!(text(&path).matches("\n## ").count(), text(original).matches("\n## ").count(), "{path}");
            assert_eq!(
                text(&path).matches("<!-- screen").count(),
                text(original).matches("<!-- screen").count(),
                "{path}"
            );
        }
    }
}
