//! From the command line to the exit status.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Command, CommandLine, Options, Stop};
use super::say::{complain, written};
use super::target::{self, Origin, Refusal, Target, Why};
use crate::app::model::Settings;
use crate::config::settings::{Process, is_ascii_only, palette};
use crate::log::{Encoding, sniff};
use crate::report;
use crate::runtime::{Ended, Viewer, panic, terminal, view};
use crate::session::piece::Keep;
use crate::text::locale::Words;
use crate::text::time::Zone;
use crate::triage::open::Log;
use crate::triage::session::Session;
use crate::ui::Look;
use crate::ui::glyphs::Glyphs;
use crate::ui::theme::{BuiltIn, Theme};

/// Cannot do it.
const CANNOT: u8 = 1;

/// Wrong usage.
const USAGE: u8 = 2;

/// Runs the program; the first argument is its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    if let Err(error) = panic::install() {
        complain(&error.to_string());
        return ExitCode::from(CANNOT);
    }
    let line = match CommandLine::read(args) {
        Ok(line) => line,
        Err(Stop::Text(text)) => return print(|out| out.write_all(text.as_bytes()), 0),
        Err(Stop::Usage(words)) => {
            complain(&format!("{words} (see trajview --help)"));
            return ExitCode::from(USAGE);
        }
    };
    match (line.command, line.path) {
        (Some(Command::Report { json, path }), _) => match target::open(&path) {
            Ok(target) => print_report(target, if json { Form::Json } else { Form::Text }, &line.options),
            Err(refusal) => refused(&refusal),
        },
        (None, Some(path)) => match target::find(&path) {
            Ok(target) if terminal::can_draw() => show(target, &line.options),
            Ok(target) => print_report(target, Form::Text, &line.options),
            Err(refusal) => refused(&refusal),
        },
        // The command line was read so that one of them is there.
        (None, None) => ExitCode::from(USAGE),
    }
}

fn refused(refusal: &Refusal) -> ExitCode {
    complain(&refusal.to_string());
    ExitCode::from(CANNOT)
}

/// Prints to standard output; the status is `status` unless that fails.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>, status: u8) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    match written(write(&mut out).and_then(|()| out.flush())) {
        Ok(()) => ExitCode::from(status),
        Err(error) => {
            complain(&format!("standard output: {error}"));
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

fn print_report(target: Target, form: Form, options: &Options) -> ExitCode {
    let path = target.path.clone();
    match read_whole(target, threads(options)) {
        Ok(session) => {
            let status = report::exit::status(&session.facts);
            let zone = zone(options);
            print(
                |out| match form {
                    Form::Json => report::json::write(&session, out),
                    Form::Text => report::text::write(&session, &zone, out),
                },
                status,
            )
        }
        Err(error) => refused(&Refusal::new(&path, Why::Unreadable(error.to_string()))),
    }
}

fn read_whole(target: Target, threads: usize) -> io::Result<Session> {
    let encoding = sniff(&*target.source)?.encoding().unwrap_or_else(|| Encoding::of_name(&target.path));
    let mut log = Log::new(target.source, encoding, &target.path, Keep::Nothing);
    log.read(threads, &mut |_| std::ops::ControlFlow::Continue(()))?;
    log.into_session()
}

fn show(target: Target, options: &Options) -> ExitCode {
    let words = words(options);
    let viewer = Viewer {
        path: target.path,
        source: target.source,
        is_file: target.origin == Origin::File,
        threads: threads(options),
        settings: Settings {
            words: Arc::new(words.clone()),
            mouse: !options.no_mouse,
            go_to: target.seq.map(|seq| seq.to_string()),
        },
        look: look(options, words),
    };
    match view(viewer) {
        Ok(Ended::Quit) => ExitCode::SUCCESS,
        Ok(Ended::Signal(status)) => ExitCode::from(status),
        Ok(Ended::WorkerPanicked(report)) => {
            complain(&report);
            ExitCode::from(panic::EXIT_STATUS)
        }
        Err(error) => {
            complain(&format!("the terminal: {error:#}"));
            ExitCode::from(CANNOT)
        }
    }
}

fn look(options: &Options, words: Words) -> Look {
    let theme = BuiltIn::named(options.theme.as_str()).unwrap_or_default();
    Look {
        theme: Theme::built_in(theme, palette(options, &Process)),
        glyphs: if is_ascii_only(options, &Process) { Glyphs::ascii() } else { Glyphs::unicode() },
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
