//! What can be said on the command line.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand};

use crate::app::theming::BuiltIn;
use crate::config::settings::ColorWhen;
use crate::text::locale::{Language, Words};
use crate::text::sanitize;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "trajview", version, disable_help_subcommand = true)]
#[command(about = "Shows a session log of the DeepSeek Harness: why it stopped, what was called, what came back")]
#[command(
    override_usage = "trajview [OPTIONS] [PATH[:SEQ]]\n       trajview [OPTIONS] report [--json] [--fail-on QUERY] PATH\n       \
    trajview [OPTIONS] events [--filter QUERY] [--json | --raw] PATH\n       \
    trajview completions SHELL | man | paths | config --print-default"
)]
#[command(
    after_help = "PATH is a log (plain or zstd), a folder with sessions, an export ZIP, the id of a session or its beginning,\n\
    or - for standard input; none: $DSH_HOME/sessions, else ~/.dsh/sessions.\n\
    Exit status: 0 fine, 1 cannot do it, 2 wrong usage, 3 read but something is wrong in the log (report)."
)]
pub(crate) struct CommandLine {
    /// The log to show, and the seq to start at
    #[arg(value_name = "PATH[:SEQ]", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) path: Option<PathBuf>,
    /// Follow the log while it grows
    #[arg(long)]
    pub(crate) follow: bool,
    /// Begin with this filter (docs/QUERY.md): type:tool/* is:error
    #[arg(long, value_name = "QUERY")]
    pub(crate) filter: Option<String>,
    /// Do not open the log as it was left
    #[arg(long)]
    pub(crate) clean: bool,
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Things to do other than showing the screen.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print what is known about a log, without a screen
    Report {
        /// For programs: one JSON object
        #[arg(long)]
        json: bool,
        /// Exit with 3 exactly when this selects an event, else with 0
        #[arg(long, value_name = "QUERY")]
        fail_on: Option<String>,
        /// The log
        #[arg(value_hint = clap::ValueHint::AnyPath)]
        path: PathBuf,
    },
    /// Print the events that a filter selects
    Events {
        /// Which events (docs/QUERY.md); all unless said
        #[arg(long, value_name = "QUERY")]
        filter: Option<String>,
        /// One JSON object an event, members of packed rows each by itself
        #[arg(long, conflicts_with = "raw")]
        json: bool,
        /// The stored lines
        #[arg(long)]
        raw: bool,
        /// The log
        #[arg(value_hint = clap::ValueHint::AnyPath)]
        path: PathBuf,
    },
    /// Print what completes this command line in a shell
    Completions {
        /// bash, zsh, fish, powershell, elvish
        #[arg(value_enum, hide_possible_values = true)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Print where settings, what is remembered, and sessions lie
    Paths,
    /// Print the settings
    Config {
        /// All settings with their defaults, as a file
        #[arg(long, required = true)]
        print_default: bool,
    },
}

/// What is printed about the program itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AboutItself {
    /// Completions for a shell.
    Completions(clap_complete::Shell),
    /// The manual page.
    Man,
    /// Where things lie.
    Paths,
    /// The settings that are built in.
    DefaultSettings,
}

impl Command {
    /// The command, where it is about the program and no log.
    pub(crate) fn about_itself(&self) -> Option<AboutItself> {
        match self {
            Command::Report { .. } | Command::Events { .. } => None,
            Command::Completions { shell } => Some(AboutItself::Completions(*shell)),
            Command::Man => Some(AboutItself::Man),
            Command::Paths => Some(AboutItself::Paths),
            Command::Config { .. } => Some(AboutItself::DefaultSettings),
        }
    }

    /// As it is written.
    fn name(&self) -> &'static str {
        match self {
            Command::Report { .. } => "report",
            Command::Events { .. } => "events",
            Command::Completions { .. } => "completions",
            Command::Man => "man",
            Command::Paths => "paths",
            Command::Config { .. } => "config",
        }
    }
}

/// Heading of the options that say how things look.
const LOOK: &str = "How it looks";

/// Options that hold for every command.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Colours of the screen [default: auto, by the background of the terminal]
    #[arg(long, value_name = "NAME", value_parser = ThemeNamed, hide_possible_values = true, global = true)]
    #[arg(help_heading = LOOK, help = "Colours of the screen: auto, dark, light, ansi-16, mono, or a theme file (docs/CONFIG.md)")]
    pub(crate) theme: Option<String>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, hide_possible_values = true, global = true)]
    #[arg(help_heading = LOOK, help = "Use colours: auto (as the terminal and NO_COLOR say), always, never")]
    pub(crate) color: Option<ColorWhen>,
    /// Use ASCII signs only
    #[arg(long, global = true, help_heading = LOOK)]
    pub(crate) ascii: bool,
    /// Language of the words: en, zh-CN, zh-TW, ko, es; that of the locale unless said
    #[arg(long, value_name = "CODE", value_parser = languages(), ignore_case = true, hide_possible_values = true)]
    #[arg(global = true, help_heading = LOOK)]
    pub(crate) lang: Option<Language>,
    /// Show times in UTC, not in local time
    #[arg(long, global = true, help_heading = LOOK)]
    pub(crate) utc: bool,
    /// Leave the mouse to the terminal
    #[arg(long, global = true, help_heading = LOOK)]
    pub(crate) no_mouse: bool,
    /// Read the settings from this file (docs/CONFIG.md)
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, global = true)]
    pub(crate) config: Option<PathBuf>,
    /// How many threads read the log; all cores unless said
    #[arg(long, value_name = "N", hide = true, global = true)]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Takes any name: theme files are looked for later. Shells complete the names that the program brings.
#[derive(Debug, Clone, Copy)]
struct ThemeNamed;

impl TypedValueParser for ThemeNamed {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = ["auto"].into_iter().chain(BuiltIn::ALL.map(BuiltIn::name));
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// The codes that `--lang` takes.
fn languages() -> impl TypedValueParser<Value = Language> {
    let codes = Language::ALL.map(|language| {
        let also = match language {
            Language::ChineseSimplified => "zh_CN",
            Language::ChineseTraditional => "zh_TW",
            Language::English | Language::Korean | Language::Spanish => return PossibleValue::new(language.code()),
        };
        PossibleValue::new(language.code()).alias(also)
    });
    PossibleValuesParser::new(codes).map(|code| Language::named(&code).unwrap_or_default())
}

/// Why the command line leads to nothing further.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Help or version was asked for: a text for standard output.
    Text(String),
    /// Wrong usage, in one printable line.
    Usage(String),
}

impl CommandLine {
    /// Reads the arguments, the program's own name first.
    pub(crate) fn read(args: impl IntoIterator<Item = OsString>, words: &Words) -> Result<CommandLine, Stop> {
        let read = CommandLine::try_parse_from(args).map_err(|error| stop(&error, words))?;
        match (&read.command, &read.path) {
            (Some(command), Some(path)) => {
                let path = sanitize::display(path.as_os_str().as_encoded_bytes());
                let values = [("path", &*path), ("command", command.name())];
                Err(Stop::Usage(words.say("cli.path_before_command", &values)))
            }
            (Some(command), None) if read.filter.is_some() || read.follow || read.clean => {
                Err(Stop::Usage(words.say("cli.option_before_command", &[("command", command.name())])))
            }
            (Some(_), None) | (None, _) => Ok(read),
        }
    }
}

fn stop(error: &clap::Error, words: &Words) -> Stop {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Stop::Text(error.render().to_string()),
        _ => Stop::Usage(one_line(error, words)),
    }
}

/// What is wrong, on one line: the complaint, and the suggestion if there is one.
fn one_line(error: &clap::Error, words: &Words) -> String {
    let what = complaint(error, words).unwrap_or_else(|| as_clap_says(error));
    let said = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(suggested)) => {
            words.say("cli.did_you_mean", &[("what", &what), ("suggested", suggested)])
        }
        Some(_) | None => what,
    };
    sanitize::display(said.as_bytes())
}

/// The complaint in our own words; `None` for what is rare.
fn complaint(error: &clap::Error, words: &Words) -> Option<String> {
    let context = |kind| error.get(kind).map(listed);
    let arg = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue).filter(|value| !value.is_empty());
    let say = |key, second: (&str, &str)| Some(words.say(key, &[("arg", arg.as_deref()?), second]));
    match error.kind() {
        ErrorKind::UnknownArgument => say("cli.unknown_argument", ("", "")),
        ErrorKind::MissingRequiredArgument => say("cli.argument_missing", ("", "")),
        ErrorKind::ArgumentConflict => say("cli.arguments_conflict", ("other", &context(ContextKind::PriorArg)?)),
        ErrorKind::ValueValidation => say("cli.wrong_value", ("value", &value?)),
        ErrorKind::InvalidValue => {
            let known = context(ContextKind::ValidValue).filter(|known| !known.is_empty());
            match (value, known) {
                (None, _) => say("cli.value_missing", ("", "")),
                (Some(value), None) => say("cli.wrong_value", ("value", &value)),
                (Some(value), Some(known)) => {
                    let values = [("arg", arg.as_deref()?), ("value", &value), ("known", &known)];
                    Some(words.say("cli.value_not_known", &values))
                }
            }
        }
        _ => None,
    }
}

/// What clap tells of a complaint.
fn listed(value: &ContextValue) -> String {
    match value {
        ContextValue::String(one) => one.clone(),
        ContextValue::Strings(several) => several.join(", "),
        other => other.to_string(),
    }
}

/// What clap says in several paragraphs, on one line and without the usage.
fn as_clap_says(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let complaint = rendered.split("\n\n").next().unwrap_or_default();
    let what = complaint.split_whitespace().collect::<Vec<_>>().join(" ");
    what.strip_prefix("error: ").unwrap_or(&what).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<CommandLine, Stop> {
        let args = std::iter::once("trajview").chain(args.iter().copied());
        CommandLine::read(args.map(OsString::from), &Words::english())
    }

    fn usage(args: &[&str]) -> String {
        match read(args) {
            Err(Stop::Usage(said)) => said,
            other => unreachable!("expected a complaint about {args:?}, got {other:?}"),
        }
    }

    #[test]
    fn options_stand_before_and_after_the_command() {
        for args in [["--utc", "report", "x"], ["report", "--utc", "x"], ["report", "x", "--utc"]] {
            assert!(read(&args).unwrap().options.utc, "{args:?}");
        }
        assert!(read(&["x", "--ascii"]).unwrap().options.ascii);
    }

    #[test]
    fn wrong_usage_is_one_line() {
        for args in [
            &["--nonsense"][..],
            &["a", "b"],
            &["report"],
            &["a", "report", "b"],
            &["a", "events", "b"],
            &["events", "--json", "--raw", "b"],
            &["--filter", "x", "report", "b"],
            &["--lang", "xx", "x"],
            &["--threads", "0", "x"],
            &["--evil\u{1b}[31m", "x"],
        ] {
            let said = usage(args);
            assert!(!said.is_empty() && !said.contains(['\n', '\u{1b}']), "{args:?}: {said:?}");
        }
    }

    #[test]
    fn a_misspelt_option_is_suggested() {
        assert!(usage(&["--asci", "x"]).contains("--ascii"));
    }

    #[test]
    fn a_complaint_names_what_it_is_about() {
        for (args, expected) in [
            (&["--nonsense"][..], "there is no argument --nonsense"),
            (&["a", "b"], "there is no argument b"),
            (&["report"], "missing: <PATH>"),
            (&["--lang", "xx", "x"], "--lang <CODE> does not know \"xx\"; it knows en, zh-CN, zh-TW, ko, es"),
            (&["--lang"], "--lang <CODE> needs a value"),
            (&["--threads", "0", "x"], "--threads <N> cannot be \"0\""),
            (&["events", "--json", "--raw", "b"], "--json and --raw do not go together"),
        ] {
            assert_eq!(usage(args), expected, "{args:?}");
        }
    }

    #[test]
    fn a_language_is_read_as_people_write_it() {
        for (code, expected) in [
            ("zh-CN", Language::ChineseSimplified),
            ("zh_tw", Language::ChineseTraditional),
            ("KO", Language::Korean),
            ("es", Language::Spanish),
        ] {
            assert_eq!(read(&["--lang", code]).unwrap().options.lang, Some(expected), "{code}");
        }
        assert_eq!(read(&[]).unwrap().options.lang, None);
    }

    #[test]
    fn help_and_version_are_no_error() {
        for args in [["--help"], ["-h"], ["--version"], ["-V"]] {
            assert!(matches!(read(&args), Err(Stop::Text(text)) if text.contains("trajview")), "{args:?}");
        }
    }

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        CommandLine::command().debug_assert();
    }
}
