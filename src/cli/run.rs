//! From the command line to the exit status.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Command, CommandLine, Options, Stop};
use super::home::sessions_root;
use super::progress::ProgressLine;
use super::refusal::Refusal;
use super::target::{self, Found, Origin, Target};
use crate::app::memory::Memory;
use crate::app::message::Epoch;
use crate::app::model::Settings;
use crate::app::theming::{ThemeId, Themed};
use crate::config::fault::Unusable;
use crate::config::file;
use crate::config::language::{in_arguments, language};
use crate::config::places::{Named, Places, System};
use crate::config::settings::{
    self as config, Process, SignsWhen, ThemeChoice, is_ascii_only, palette, theme_of_environment,
};
use crate::config::themes::OwnThemes;
use crate::log::{Encoding, sniff};
use crate::query::{Fault, Prepared, Query};
use crate::report::{self, events};
use crate::runtime::lines::SessionLines;
use crate::runtime::memory;
use crate::runtime::say::{complain, written};
use crate::runtime::{Ended, Subject, Texts, Viewer, exhausted, panic, terminal, view};
use crate::session::piece::Keep;
use crate::store::{RootKind, Store};
use crate::text::locale::Words;
use crate::text::sanitize::display;
use crate::text::time::Zone;
use crate::triage::open::Log;
use crate::triage::session::Session;
use crate::ui::Look;
use crate::ui::glyphs::Glyphs;
use crate::ui::theme::Palette;

mod itself;
mod stored;

/// Cannot do it.
const CANNOT: u8 = 1;

/// Wrong usage.
const USAGE: u8 = 2;

/// Bytes of a stored line that the text report may quote from.
const LINE_BYTES: usize = 64 << 10;

/// Runs the program; the first argument is its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    if let Err(error) = panic::install() {
        complain(&error.to_string());
        return ExitCode::from(CANNOT);
    }
    let args: Vec<OsString> = args.into_iter().collect();
    // Arguments that cannot be read have a language all the same.
    let spoken = language(in_arguments(&args), None, &Process);
    let words = Arc::new(Words::of(spoken));
    // Without a watch the program runs all the same, and ends less well.
    let _ = exhausted::watch(&words);
    let line = match CommandLine::read(args, &words) {
        Ok(line) => line,
        Err(Stop::Text(text)) => return print(&words, |out| out.write_all(text.as_bytes()), 0),
        Err(Stop::Usage(what)) => {
            complain(&words.say("cli.see_help", &[("what", &what)]));
            return ExitCode::from(USAGE);
        }
    };
    let home = std::env::home_dir();
    let places = Places::of(line.options.config.as_deref(), &Process, home.as_deref(), System::own());
    if let Some(command) = line.command.as_ref().and_then(Command::about_itself) {
        // These help to mend settings, so they need none.
        return itself::run(command, &places, home.as_deref(), &words);
    }
    let themes = places.themes.as_deref().map(OwnThemes::in_folder).unwrap_or_default();
    let settings = match settings(&places, &themes) {
        Ok(settings) => settings,
        Err(unusable) => return refuse(&unusable, &words),
    };
    let theme = match chosen_theme(line.options.theme.as_deref(), settings.theme, &themes, &words) {
        Ok(theme) => theme,
        Err(what) => {
            complain(&words.say("cli.see_help", &[("what", &what)]));
            return ExitCode::from(USAGE);
        }
    };
    if let Some(unusable) = themes.fault(theme) {
        return refuse(unusable, &words);
    }
    let chosen = language(line.options.lang, settings.lang, &Process);
    let asked = Asked {
        words: if chosen == spoken { words } else { Arc::new(Words::of(chosen)) },
        follow: line.follow || settings.follow,
        clean: line.clean,
        options: line.options,
        filter: line.filter,
        places,
        settings,
        theme,
        themes,
    };
    match asked.run(line.command, line.path) {
        Ok(status) => status,
        Err(Refused::Query(option, fault)) => {
            let words = &asked.words;
            complain(&words.say("cli.bad_query", &[("option", option), ("why", &fault.say(words))]));
            ExitCode::from(USAGE)
        }
        Err(Refused::Several(command, path)) => {
            let path = display(path.as_os_str().as_encoded_bytes());
            complain(&asked.words.say("cli.one_log", &[("command", command), ("path", &path)]));
            ExitCode::from(USAGE)
        }
        Err(Refused::Log(refusal)) => {
            complain(&refusal.say(&asked.words));
            ExitCode::from(CANNOT)
        }
    }
}

/// Says why a file cannot be used.
fn refuse(unusable: &Unusable, words: &Words) -> ExitCode {
    complain(&unusable.say(words));
    ExitCode::from(if matches!(unusable, Unusable::Unreadable(..)) { CANNOT } else { USAGE })
}

/// The theme that the command line names, else the settings do. `Err`: what is wrong with the name, printable.
fn chosen_theme(
    named: Option<&str>,
    set: ThemeChoice,
    themes: &OwnThemes,
    words: &Words,
) -> Result<ThemeChoice, String> {
    let Some(named) = named else { return Ok(set) };
    let choices = themes.choices();
    choices.iter().find(|(name, _)| *name == named).map(|(_, choice)| *choice).ok_or_else(|| {
        let known = choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let value = display(named.as_bytes());
        words.say("cli.value_not_known", &[("arg", "--theme <NAME>"), ("value", &value), ("known", &known)])
    })
}

/// The settings of the file, where there is one.
fn settings(places: &Places, themes: &OwnThemes) -> Result<config::Settings, Unusable> {
    match &places.config {
        None => Ok(config::Settings::default()),
        Some((path, named)) => file::read(path, *named != Named::Usual, themes),
    }
}

/// Why nothing is done.
enum Refused {
    /// The query of this option cannot be read.
    Query(&'static str, Fault),
    /// The log cannot.
    Log(Refusal),
    /// This command reads one log, and the path holds several.
    Several(&'static str, PathBuf),
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused::Log(refusal)
    }
}

/// Reads the query of an option; without one everything is selected.
fn query(option: &'static str, text: Option<&str>) -> Result<Query, Refused> {
    Query::parse(text.unwrap_or_default()).map_err(|fault| Refused::Query(option, fault))
}

/// Whether it is an export of a session without children: the session is shown, and no list of one. What could not be
/// looked at is told by the list.
fn is_one_exported(store: &Store) -> bool {
    store.kind == RootKind::Export && store.sessions.len() == 1 && store.problems.is_empty()
}

/// Prints to standard output; the status is `status` unless that fails.
fn print(words: &Words, write: impl FnOnce(&mut dyn Write) -> io::Result<()>, status: u8) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    match written(write(&mut out).and_then(|()| out.flush())) {
        Ok(()) => ExitCode::from(status),
        Err(error) => {
            complain(&words.say("cli.no_output", &[("why", &error.to_string())]));
            ExitCode::from(CANNOT)
        }
    }
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// What follows from where a log lies.
#[derive(Debug, Clone, Copy)]
struct Lies {
    /// It is a file, which may grow.
    can_grow: bool,
    /// Other sessions may lie beside it.
    has_kin: bool,
}

/// What was asked for besides the path.
struct Asked {
    options: Options,
    settings: config::Settings,
    /// The theme that was asked for.
    theme: ThemeChoice,
    /// Theme files.
    themes: OwnThemes,
    places: Places,
    words: Arc<Words>,
    /// A log is not opened as it was left.
    clean: bool,
    /// The log is followed from the start.
    follow: bool,
    /// The filter of the screen, as typed.
    filter: Option<String>,
}

impl Asked {
    fn run(&self, command: Option<Command>, path: Option<PathBuf>) -> Result<ExitCode, Refused> {
        let root = sessions_root(&Process, std::env::home_dir().as_deref());
        match (command, path) {
            (Some(Command::Report { json, fail_on, path }), _) => {
                let form = if json { Form::Json } else { Form::Text };
                let fail_on = fail_on.map(|text| query("--fail-on", Some(&text))).transpose()?;
                match (target::open(&path, root.as_deref())?, fail_on) {
                    (Found::Log(target), fail_on) => Ok(self.print_report(target, form, fail_on.as_ref())?),
                    (Found::Store(store), fail_on) => Ok(self.print_store(store, form, fail_on.as_ref())),
                }
            }
            (Some(Command::Events { filter, json, raw, path }), _) => {
                let form = match (json, raw) {
                    (true, _) => events::Form::Json,
                    (false, true) => events::Form::Raw,
                    (false, false) => events::Form::Text,
                };
                let query = query("--filter", filter.as_deref())?;
                match target::open(&path, root.as_deref())? {
                    Found::Log(target) => Ok(self.print_events(target, &query, form)?),
                    Found::Store(_) => Err(Refused::Several("events", path)),
                }
            }
            // These were done before the settings were read.
            (Some(Command::Completions { .. } | Command::Man | Command::Paths | Command::Config { .. }), _) => {
                Ok(ExitCode::SUCCESS)
            }
            (None, path) => {
                let query = query("--filter", self.filter.as_deref())?;
                let found = match path {
                    Some(path) => target::find(&path, root.as_deref())?,
                    None => target::open_root(root)?,
                };
                let is_viewed = terminal::can_draw();
                match found {
                    Found::Log(target) if is_viewed => Ok(self.show(target)),
                    Found::Store(store) if is_viewed && is_one_exported(&store) => {
                        Ok(self.show(Target::of_export(store)?))
                    }
                    Found::Store(store) if is_viewed => Ok(self.show_store(store)),
                    Found::Log(target) if self.filter.is_some() => {
                        Ok(self.print_events(target, &query, events::Form::Text)?)
                    }
                    Found::Log(target) => Ok(self.print_report(target, Form::Text, None)?),
                    Found::Store(store) => Ok(self.print_store(store, Form::Text, None)),
                }
            }
        }
    }

    fn print_report(&self, target: Target, form: Form, fail_on: Option<&Query>) -> Result<ExitCode, Refusal> {
        let (source, folder) = (Arc::clone(&target.source), target.folder.clone());
        // A query may look at every line: of a huge frame at what is kept of it, not from its start each time.
        let keep = if fail_on.is_some() { Keep::HugeFrames } else { Keep::Nothing };
        let session = self.read_whole(target, keep)?;
        let files = folder.and_then(|folder| self.files(&folder, &session));
        let zone = self.zone();
        let status = match fail_on {
            None => report::exit::status(&session.facts),
            Some(query) if self.selects_any(query, &session, Arc::clone(&source)) => report::exit::WRONG,
            Some(_) => report::exit::FINE,
        };
        let mut texts = Texts::of(source);
        let mut line = |row| texts.line(Epoch::default(), &session, row, LINE_BYTES).ok().map(|text| text.to_vec());
        Ok(print(
            &self.words,
            |out| match form {
                Form::Json => report::json::write_with_files(&session, files.as_deref(), out),
                Form::Text => {
                    report::text::write_with(&session, &self.words, &zone, &mut line, out)?;
                    report::text::store::write_files(files.as_deref().unwrap_or_default(), &self.words, out)
                }
            },
            status,
        ))
    }

    fn print_events(&self, target: Target, query: &Query, form: events::Form) -> Result<ExitCode, Refusal> {
        let source = Arc::clone(&target.source);
        let session = self.read_whole(target, Keep::HugeFrames)?;
        let zone = self.zone();
        let query = Prepared::of(query, &session, &zone);
        let mut texts = Texts::of(source);
        let mut lines = SessionLines::new(&mut texts, Epoch::default(), &session);
        let source = events::Source { session: &session, query: &query, words: &self.words, zone: &zone };
        let mut left_out = 0;
        let write = |out: &mut dyn Write| {
            left_out = events::write(source, form, &mut lines, out)?.left_out;
            Ok(())
        };
        let status = print(&self.words, write, 0);
        if left_out > 0 {
            complain(&self.words.count("cli.no_events", left_out));
        }
        Ok(status)
    }

    fn read_whole(&self, target: Target, keep: Keep) -> Result<Session, Refusal> {
        let path = target.path.clone();
        self.read(target, keep).map_err(|error| Refusal::unreadable(&path, &error))
    }

    fn read(&self, target: Target, keep: Keep) -> io::Result<Session> {
        let encoding = sniff(&*target.source)?.encoding().unwrap_or_else(|| Encoding::of_name(&target.path));
        let mut log = Log::new(target.source, encoding, &target.path, keep);
        let mut line = ProgressLine::new(&self.words);
        log.read(threads(&self.options), &mut |progress| {
            line.tell(progress.done, progress.total);
            ControlFlow::Continue(())
        })?;
        log.into_session()
    }

    fn show(&self, target: Target) -> ExitCode {
        let is_file = target.origin == Origin::File;
        // Of what came through a pipe nothing else is there.
        let lies = Lies { can_grow: is_file, has_kin: target.origin != Origin::Pipe };
        let subject =
            Subject::Log { path: target.path, source: target.source, is_file, home: target.folder.map(Arc::new) };
        self.view(subject, target.seq, lies)
    }

    fn show_store(&self, store: Store) -> ExitCode {
        self.view(Subject::Store(Arc::new(store)), None, Lies { can_grow: true, has_kin: true })
    }

    fn zone(&self) -> Zone {
        if self.options.utc || self.settings.utc { Zone::utc() } else { Zone::local() }
    }

    fn palette(&self) -> Palette {
        palette(self.options.color, self.settings.color, &Process)
    }

    /// The theme to begin with. Where nothing names one, the terminal is asked, as long as there are colours to choose.
    fn themed(&self) -> Themed {
        match self.theme {
            ThemeChoice::Named(theme) => Themed::new(theme, false),
            ThemeChoice::Auto => match theme_of_environment(&Process) {
                Some(theme) => Themed::new(ThemeId::BuiltIn(theme), false),
                None => Themed::new(ThemeId::default(), self.palette() != Palette::None),
            },
        }
    }

    fn look(&self) -> Look {
        let ascii = if self.options.ascii { SignsWhen::Ascii } else { self.settings.ascii };
        Look {
            theme: self.themes.wardrobe(self.palette()).theme(self.themed().now),
            glyphs: if is_ascii_only(ascii, &Process) { Glyphs::ascii() } else { Glyphs::unicode() },
            words: Arc::clone(&self.words),
            zone: self.zone(),
        }
    }

    fn view(&self, subject: Subject, go_to: Option<String>, lies: Lies) -> ExitCode {
        let state = self.places.state.as_ref().filter(|_| self.settings.restore);
        let remembered = state.map(|path| memory::read(path)).unwrap_or_default();
        let viewer = Viewer {
            subject,
            threads: threads(&self.options),
            settings: Settings {
                words: Arc::clone(&self.words),
                keymap: Arc::clone(&self.settings.keymap),
                zone: self.zone(),
                colours: self.palette() != Palette::None,
                mouse: self.settings.mouse && !self.options.no_mouse,
                go_to,
                can_follow: lies.can_grow,
                finds_kin: lies.has_kin,
                follow: self.follow,
                filter: self.filter.clone(),
                themed: self.themed(),
                themes: self.themes.names(&self.words),
                shares: remembered.shares(self.settings.shares),
                time_form: self.settings.time,
                wrap: self.settings.wrap,
                unfold: self.settings.unfold,
                programs: self.settings.programs.clone(),
                // What was left is not looked at with --clean; it is noted all the same.
                memory: self.settings.restore.then(|| if self.clean { Memory::default() } else { remembered.clone() }),
                folder: std::env::current_dir().unwrap_or_default(),
            },
            memory: self.places.state.clone().filter(|_| self.settings.restore),
            wardrobe: self.themes.wardrobe(self.palette()),
            look: self.look(),
        };
        match view(viewer) {
            Ok(Ended::Quit) => ExitCode::SUCCESS,
            Ok(Ended::Signal(status)) => ExitCode::from(status),
            Ok(Ended::WorkerPanicked(report)) => {
                complain(&report);
                ExitCode::from(panic::EXIT_STATUS)
            }
            Err(error) => {
                complain(&self.words.say("cli.no_terminal", &[("why", &format!("{error:#}"))]));
                ExitCode::from(CANNOT)
            }
        }
    }
}

fn threads(options: &Options) -> usize {
    let all = std::thread::available_parallelism();
    options.threads.or(all.ok()).map_or(1, NonZeroUsize::get)
}
