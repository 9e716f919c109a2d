//! What the program says about itself, and the settings as a shell sees them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::SmallLog;

/// A home of settings, and nothing else of whoever runs the tests.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Writes a file below the folder of the settings.
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join("trajview").join(name);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
        std::fs::write(&path, text).expect("a small file can be written");
        path
    }

    fn run<I: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = I>) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
        command.env("XDG_CONFIG_HOME", self.0.path()).env("XDG_STATE_HOME", self.0.path().join("state"));
        command.env_remove("TRAJVIEW_CONFIG").env("LC_ALL", "C.UTF-8");
        command.args(args).stdin(Stdio::null()).output().expect("the program starts")
    }
}

fn printed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("it is text")
}

fn complaint(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).expect("complaints are UTF-8");
    assert!(output.stdout.is_empty() && said.starts_with("trajview: ") && said.lines().count() == 1, "{output:?}");
    said
}

fn report(home: &Home, log: &SmallLog, options: &[&str]) -> Output {
    let path = log.path();
    home.run(["report".as_ref(), path.as_os_str()].into_iter().chain(options.iter().map(OsStr::new)))
}

#[test]
fn each_shell_gets_its_completions() {
    let home = Home::new();
    // What helps to mend settings needs none.
    home.write("config.toml", "nonsense");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&home.run(["completions", shell]));
        for word in ["report", "events", "fail-on", "ansi-16", "zh-TW", "completions"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
        let checked = Command::new(shell).arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let (Ok(mut child), "bash" | "zsh") = (checked, shell) else { continue };
        std::io::Write::write_all(&mut child.stdin.take().expect("it reads"), script.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{shell}: {output:?}");
    }
    assert_eq!(home.run(["completions", "tcsh"]).status.code(), Some(2));
}

#[test]
fn the_manual_names_each_option() {
    let home = Home::new();
    let manual = printed(&home.run(["man"])).replace("\\-", "-");
    assert!(manual.contains(".TH trajview 1"), "{manual}");
    let help = printed(&home.run(["--help"]));
    let options: Vec<&str> = help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2).collect();
    assert!(options.len() >= 9, "{options:?}");
    for option in options {
        let name = option.trim_end_matches([',', ']', '.', ')']);
        assert!(manual.contains(name), "{name}");
    }
}

#[test]
fn paths_tell_where_things_lie() {
    let home = Home::new();
    let said = printed(&home.run(["paths"]));
    let line = |name: &str| said.lines().find(|line| line.starts_with(name)).expect("it is told").to_owned();
    let at = |below: &str| home.0.path().join(below).display().to_string();
    assert!(line("config ").contains(&at("trajview/config.toml")) && line("config ").contains("not there"), "{said}");
    assert!(line("themes ").contains(&at("trajview/themes")), "{said}");
    assert!(line("state ").contains(&at("state/trajview/state.json")), "{said}");
    home.write("config.toml", "");
    assert!(!printed(&home.run(["paths"])).lines().next().expect("a line").contains("not there"));
    assert!(printed(&home.run(["paths", "--config", "x.toml"])).contains("x.toml   (by --config, not there)"));
}

#[test]
fn the_printed_settings_are_the_defaults() {
    let (home, log) = (Home::new(), SmallLog::write());
    let usual = report(&home, &log, &[]);
    let printed = printed(&home.run(["config", "--print-default"]));
    home.write("config.toml", &printed);
    let set = report(&home, &log, &[]);
    assert_eq!((set.status.code(), set.stdout), (usual.status.code(), usual.stdout));
}

#[test]
fn a_fault_of_the_settings_is_told_with_its_place() {
    let (home, log) = (Home::new(), SmallLog::write());
    for (text, place, what) in [
        ("them = \"dark\"\n", "1:1", "there is no setting \"them\"; did you mean theme?"),
        ("mouse = true\n  wrap = 3\n", "2:10", "expected true, false"),
        ("[keys.main]\ncopy = [\"Y\", \"b\"]\n", "2:14", "b belongs to show-bug in [keys.main]"),
        ("theme = \"dusk\"\n", "1:9", "expected \"auto\""),
        ("[keys.main\n", "1:11", "not valid TOML"),
    ] {
        let path = home.write("config.toml", text);
        let output = report(&home, &log, &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = complaint(&output);
        assert!(said.contains(&format!("{}:{place}: {what}", path.display())), "{text:?}: {said}");
    }
    let output = report(&home, &log, &["--config", "/none/at all.toml"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    // Another file, or none, does without it.
    assert_eq!(report(&home, &log, &["--config", "/dev/null"]).status.code(), Some(3));
}

#[test]
fn a_theme_file_is_chosen_by_its_name() {
    let (home, log) = (Home::new(), SmallLog::write());
    let broken = home.write("themes/broken.toml", "[roles]\nbda = {}\n");
    home.write("themes/dusk.toml", "base = \"dark\"\n");
    // A faulty one that nobody chose is in nobody's way.
    assert_eq!(report(&home, &log, &["--theme", "dusk"]).status.code(), Some(3));
    let output = report(&home, &log, &["--theme", "broken"]);
    assert_eq!(output.status.code(), Some(2));
    let place = format!("{}:2:1: there is no setting \"bda\"; did you mean bad?", broken.display());
    assert!(complaint(&output).contains(&place), "{output:?}");
    let said = complaint(&report(&home, &log, &["--theme", "dsk"]));
    assert!(said.contains("it knows auto, dark, light, ansi-16, mono, broken, dusk"), "{said}");
    home.write("config.toml", "theme = \"broken\"\n");
    assert_eq!(report(&home, &log, &[]).status.code(), Some(2));
    home.write("config.toml", "theme = \"dusk\"\n");
    assert_eq!(report(&home, &log, &[]).status.code(), Some(3));
}

#[test]
fn a_folder_in_the_place_of_the_settings_is_told() {
    let (home, log) = (Home::new(), SmallLog::write());
    std::fs::create_dir_all(home.0.path().join("trajview/config.toml")).expect("a folder can be made");
    let output = report(&home, &log, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains(&Path::new("trajview/config.toml").display().to_string()), "{output:?}");
}
