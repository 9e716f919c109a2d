//! The programs of the user, as the environment names them: editor, pager, shell.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Characters that make a shell do more than split words: what holds one is left to the shell to judge.
const OF_THE_SHELL: &str = "\"'\\$`();&|<>*?[]{}~=#!";

/// Editors that are looked for where the environment names none.
const EDITORS: &[&str] = if cfg!(windows) { &["notepad.exe"] } else { &["vi"] };

/// Pagers that are looked for where the environment names none.
const PAGERS: &[&str] = if cfg!(windows) { &["more.com"] } else { &["less", "more"] };

/// A program with the arguments that its user gave it, as one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program(String);

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Nothing is named, and nothing usual is there.
    Unnamed,
    /// What is named is not there.
    Named(String),
}

impl Program {
    /// The one of the settings, else `$VISUAL`, else `$EDITOR`, else the usual one.
    pub(crate) fn editor(set: Option<&[String]>) -> Result<Program, Missing> {
        let set = set.map(|words| words.join(" "));
        named(&["", "VISUAL", "EDITOR"], EDITORS, |name| variable(name, set.as_deref()), is_there)
    }

    /// The one of the settings, else `$PAGER`, else the usual one.
    pub(crate) fn pager(set: Option<&[String]>) -> Result<Program, Missing> {
        let set = set.map(|words| words.join(" "));
        named(&["", "PAGER"], PAGERS, |name| variable(name, set.as_deref()), is_there)
    }

    /// Its name for people.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// The command that runs it, on a file where one is given.
    pub(crate) fn command(&self, file: Option<&Path>) -> Command {
        // As git does it: the text may hold quoted arguments, and only a shell knows what they mean. The path stands
        // apart from that text, so that nothing in it is read as a command.
        if cfg!(unix) {
            let mut command = Command::new("sh");
            command.arg("-c");
            match file {
                Some(path) => command.arg(format!("{} \"$@\"", self.0)).arg(&self.0).arg(path),
                None => command.arg(&self.0),
            };
            return command;
        }
        let mut words = self.0.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(file);
        command
    }
}

/// The command that runs what a person typed, in the shell of that person.
pub(crate) fn typed(line: &str) -> Command {
    if cfg!(unix) {
        let shell = env::var_os("SHELL").filter(|shell| !shell.is_empty()).unwrap_or_else(|| OsString::from("sh"));
        let mut command = Command::new(shell);
        command.arg("-c").arg(line);
        return command;
    }
    let mut command = Command::new("cmd");
    command.arg("/C").arg(line);
    command
}

/// What the settings name, where no name is asked for; else a variable of the environment.
fn variable(name: &str, set: Option<&str>) -> Option<String> {
    if name.is_empty() { set.map(str::to_owned) } else { env::var(name).ok() }
}

fn named(
    variables: &[&str],
    usual: &[&str],
    variable: impl Fn(&str) -> Option<String>,
    is_there: impl Fn(&str) -> bool,
) -> Result<Program, Missing> {
    let value = variables.iter().filter_map(|name| variable(name)).find(|text| !text.trim().is_empty());
    let Some(value) = value else {
        let found = usual.iter().find(|name| is_there(name));
        return found.map(|name| Program((*name).to_owned())).ok_or(Missing::Unnamed);
    };
    let value = value.trim().to_owned();
    let plain = value.split_whitespace().next().filter(|word| !word.contains(|char| OF_THE_SHELL.contains(char)));
    match plain {
        Some(word) if !is_there(word) => Err(Missing::Named(word.to_owned())),
        Some(_) | None => Ok(Program(value)),
    }
}

/// Whether a program can be run by this name.
pub(crate) fn is_there(name: &str) -> bool {
    if Path::new(name).components().count() > 1 {
        return Path::new(name).is_file();
    }
    env::var_os("PATH").is_some_and(|path| in_folders(name, &path))
}

fn in_folders(name: &str, path: &OsStr) -> bool {
    let endings: &[&str] = if cfg!(windows) { &["", ".exe", ".com", ".cmd", ".bat"] } else { &[""] };
    let places = |folder: PathBuf| endings.iter().map(move |ending| folder.join(format!("{name}{ending}")));
    env::split_paths(path).flat_map(places).any(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[(&str, &str)], there: &[&str]) -> Result<Program, Missing> {
        let variable =
            |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        named(&["VISUAL", "EDITOR"], &["vi"], variable, |name| there.contains(&name))
    }

    fn program(text: &str) -> Program {
        Program(text.to_owned())
    }

    #[test]
    fn the_environment_names_the_program_and_the_usual_one_stands_in() {
        let missing = |name: &str| Err(Missing::Named(name.to_owned()));
        assert_eq!(of(&[("EDITOR", "nano")], &["nano"]), Ok(program("nano")));
        assert_eq!(of(&[("VISUAL", "code -w"), ("EDITOR", "nano")], &["code", "nano"]), Ok(program("code -w")));
        assert_eq!(of(&[("VISUAL", "  "), ("EDITOR", "nano")], &["nano"]), Ok(program("nano")));
        assert_eq!(of(&[("EDITOR", "nope -x")], &["vi"]), missing("nope"));
        // Only a shell can tell what this is.
        assert_eq!(of(&[("EDITOR", "'/opt/my editor/bin' -w")], &[]), Ok(program("'/opt/my editor/bin' -w")));
        assert_eq!(of(&[], &["vi"]), Ok(program("vi")));
        assert_eq!(of(&[], &[]), Err(Missing::Unnamed));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_is_an_argument_and_no_command() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a b; touch c");
        std::fs::write(&file, b"text").unwrap();
        let out = program("cat --").command(Some(&file)).output().unwrap();
        assert_eq!(out.stdout, b"text");
    }
}
