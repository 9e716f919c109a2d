//! What the README tells to type works, and its translations tell the same.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use trajview::app::theming::BuiltIn;

#[cfg(unix)]
use crate::support::stored::{Planned, StoreFolder, open_call};

/// Where commands begin, and why those are not run here.
#[cfg(unix)]
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

/// Runs a command as a shell at the root of the checkout would, where the program is installed, of a person with this home.
#[cfg(unix)]
fn run(command: &str, home: &Path) -> std::process::Output {
    let program = std::path::PathBuf::from(env!("CARGO_BIN_EXE_trajview"));
    let folder = program.parent().expect("it lies in a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    // What cargo builds and runs is the program that the tests have built already.
    let command = command.replace("cargo run --release -- ", "trajview ");
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(root()).env("PATH", path).env("LC_ALL", "C.UTF-8").env("HOME", home);
    for name in ["DSH_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TRAJVIEW_CONFIG"] {
        shell.env_remove(name);
    }
    shell.output().expect("there is a shell")
}

/// The exit status that the documents promise: something is wrong in the sample and in the store, and a report says so.
/// Without a terminal a log is shown as its report.
#[cfg(unix)]
fn expected(command: &str) -> i32 {
    let is_report = !["events", "paths", "config", "completions", "man"]
        .iter()
        .any(|word| command.strip_prefix("trajview ").is_some_and(|rest| rest.split(' ').next() == Some(word)));
    if is_report { 3 } else { 0 }
}

#[test]
#[cfg(unix)]
fn commands_of_the_documents_work() {
    let home = StoreFolder::new();
    let log = Planned { log: open_call, ..Planned::new("session-0a1") }.script(0).zstd();
    home.write(".dsh/sessions/--srv-demo-app--/session-0a1/session.jsonl.zstd", &log);
    let mut all: Vec<String> = ["README.md", "docs/READING.md"].iter().flat_map(|path| commands(path)).collect();
    assert!(all.len() > 10, "there are commands: {all:?}");
    for (start, why) in NOT_RUN {
        assert!(all.iter().any(|command| command == start), "no document has {start:?}, which is left out: {why}");
        all.retain(|command| command != start);
    }
    for command in all {
        let output = run(&command, home.path());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), errors.as_str()), (Some(expected(&command)), ""), "{command}");
        assert!(output.stdout.len() > 100, "{command} prints something");
    }
}

/// Options that the README need not name: those of every program; and that help need not: those of cargo.
const OF_OTHERS: [&str; 4] = ["--help", "--version", "--release", "--path"];

/// The options that a text names, sorted.
fn options(text: &str) -> BTreeSet<&str> {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '-');
    let options =
        words.filter(|word| word.starts_with("--") && word.as_bytes().get(2).is_some_and(u8::is_ascii_lowercase));
    options.filter(|option| !OF_OTHERS.contains(option)).collect()
}

#[test]
fn the_readme_names_everything_that_can_be_said_and_nothing_else() {
    let output = Command::new(env!("CARGO_BIN_EXE_trajview")).arg("--help").output().expect("the program starts");
    let help = String::from_utf8(output.stdout).expect("help is UTF-8");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands = commands.filter_map(|line| line.split_whitespace().next()).map(|name| format!("trajview {name}"));
    let said: Vec<String> = commands.chain(BuiltIn::ALL.map(|theme| theme.name().to_owned())).collect();
    assert!(said.len() > 8 && options(&help).len() > 10, "{help}");
    let translations = CODES.map(|code| format!("docs/README.{code}.md"));
    for path in translations.iter().map(String::as_str).chain(["README.md"]) {
        let text = text(path);
        assert_eq!(options(&text), options(&help), "{path}");
        let missing: Vec<&String> = said.iter().filter(|word| !text.contains(word.as_str())).collect();
        assert!(missing.is_empty(), "{path} lacks {missing:?}");
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
