//! From the command line to the exit status.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Command, CommandLine, Options, Stop};
use super::home::sessions_root;
use super::progress::ProgressLine;
use super::refusal::Refusal;
use super::target::{self, Found, Origin, Target};
use crate::app::message::Epoch;
use crate::app::model::Settings;
use crate::config::settings::{Process, is_ascii_only, palette};
use crate::log::{Encoding, sniff};
use crate::report;
use crate::runtime::say::{complain, written};
use crate::runtime::{Ended, Subject, Texts, Viewer, panic, terminal, view};
use crate::session::piece::Keep;
use crate::store::{RootKind, Store};
use crate::text::locale::Words;
use crate::text::time::Zone;
use crate::triage::open::Log;
use crate::triage::session::Session;
use crate::ui::Look;
use crate::ui::glyphs::Glyphs;
use crate::ui::theme::{BuiltIn, Palette, Theme};

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
    // Which language is asked for is not known before the arguments are read.
    let english = Words::english();
    let line = match CommandLine::read(args, &english) {
        Ok(line) => line,
        Err(Stop::Text(text)) => return print(&english, |out| out.write_all(text.as_bytes()), 0),
        Err(Stop::Usage(what)) => {
            complain(&english.say("cli.see_help", &[("what", &what)]));
            return ExitCode::from(USAGE);
        }
    };
    let asked = Asked { words: Arc::new(words(&line.options)), options: line.options, follow: line.follow };
    let root = sessions_root(&Process, std::env::home_dir().as_deref());
    let found = match (&line.command, &line.path) {
        (Some(Command::Report { path, .. }), _) => target::open(path, root.as_deref()),
        (None, Some(path)) => target::find(path, root.as_deref()),
        (None, None) => target::open_root(root),
    };
    let form = match &line.command {
        Some(Command::Report { json: true, .. }) => Form::Json,
        Some(Command::Report { json: false, .. }) | None => Form::Text,
    };
    let is_viewed = line.command.is_none() && terminal::can_draw();
    match found {
        Ok(Found::Log(target)) if is_viewed => asked.show(target),
        Ok(Found::Store(store)) if is_viewed && is_one_exported(&store) => match Target::of_export(store) {
            Ok(target) => asked.show(target),
            Err(refusal) => asked.refused(&refusal),
        },
        Ok(Found::Log(target)) => asked.print_report(target, form),
        Ok(Found::Store(store)) if is_viewed => asked.show_store(store),
        Ok(Found::Store(store)) => asked.print_store(store, form),
        Err(refusal) => asked.refused(&refusal),
    }
}

/// Whether it is an export of a session without children: the session is shown, and no list of one.
fn is_one_exported(store: &Store) -> bool {
    store.kind == RootKind::Export && store.sessions.len() == 1
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

/// What was asked for besides the path.
struct Asked {
    options: Options,
    words: Arc<Words>,
    /// The log is followed from the start.
    follow: bool,
}

impl Asked {
    fn refused(&self, refusal: &Refusal) -> ExitCode {
        complain(&refusal.say(&self.words));
        ExitCode::from(CANNOT)
    }

    fn print_report(&self, target: Target, form: Form) -> ExitCode {
        let (path, source, folder) = (target.path.clone(), Arc::clone(&target.source), target.folder.clone());
        let session = match self.read_whole(target) {
            Ok(session) => session,
            Err(error) => return self.refused(&Refusal::unreadable(&path, &error)),
        };
        let files = folder.and_then(|folder| self.files(&folder, &session));
        let zone = zone(&self.options);
        let mut texts = Texts::of(source);
        let mut line = |row| texts.line(Epoch::default(), &session, row, LINE_BYTES).ok().map(|text| text.to_vec());
        print(
            &self.words,
            |out| match form {
                Form::Json => report::json::write_with_files(&session, files.as_deref(), out),
                Form::Text => {
                    report::text::write_with(&session, &self.words, &zone, &mut line, out)?;
                    report::text::store::write_files(files.as_deref().unwrap_or_default(), &self.words, out)
                }
            },
            report::exit::status(&session.facts),
        )
    }

    fn read_whole(&self, target: Target) -> io::Result<Session> {
        let encoding = sniff(&*target.source)?.encoding().unwrap_or_else(|| Encoding::of_name(&target.path));
        let mut log = Log::new(target.source, encoding, &target.path, Keep::Nothing);
        let mut line = ProgressLine::new(&self.words);
        log.read(threads(&self.options), &mut |progress| {
            line.tell(progress.done, progress.total);
            ControlFlow::Continue(())
        })?;
        log.into_session()
    }

    fn show(&self, target: Target) -> ExitCode {
        let is_file = target.origin == Origin::File;
        let subject = Subject::Log { path: target.path, source: target.source, is_file };
        self.view(subject, target.seq, is_file)
    }

    fn show_store(&self, store: Store) -> ExitCode {
        self.view(Subject::Store(Arc::new(store)), None, true)
    }

    fn view(&self, subject: Subject, go_to: Option<String>, can_follow: bool) -> ExitCode {
        let viewer = Viewer {
            subject,
            threads: threads(&self.options),
            settings: Settings {
                words: Arc::clone(&self.words),
                zone: zone(&self.options),
                colours: palette(self.options.color, &Process) != Palette::None,
                mouse: !self.options.no_mouse,
                go_to,
                can_follow,
                follow: self.follow,
            },
            look: look(&self.options, Arc::clone(&self.words)),
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

fn look(options: &Options, words: Arc<Words>) -> Look {
    let theme = BuiltIn::named(options.theme.as_str()).unwrap_or_default();
    Look {
        theme: Theme::built_in(theme, palette(options.color, &Process)),
        glyphs: if is_ascii_only(options.ascii, &Process) { Glyphs::ascii() } else { Glyphs::unicode() },
        words,
        zone: zone(options),
    }
}

fn words(options: &Options) -> Words {
    Words::load(options.lang.as_str()).unwrap_or_else(Words::english)
}

fn zone(options: &Options) -> Zone {
    if options.utc { Zone::utc() } else { Zone::local() }
}

fn threads(options: &Options) -> usize {
    let all = std::thread::available_parallelism();
    options.threads.or(all.ok()).map_or(1, NonZeroUsize::get)
}
