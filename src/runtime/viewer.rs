//! Puts the viewer together: terminal, workers, model, loop.

use std::path::PathBuf;
use std::sync::Arc;

use super::clipboard::Between;
use super::effects::Hands;
use super::events::{Exit, Loop};
use super::fetcher::Fetcher;
use super::inbox::Inbox;
use super::input::Input;
use super::kin::KinFinder;
use super::loader::{From, Loader, Opened};
use super::searcher::Searcher;
use super::terminal::{Mouse, Screen};
use super::texts::{Sources, Texts};
use super::{panic, signals};
use crate::app::model::{Model, Settings};
use crate::log::Source;
use crate::ui::Look;

/// What is to be viewed, and how.
pub(crate) struct Viewer {
    /// The path as opened, or a name such as `standard input`.
    pub(crate) path: PathBuf,
    /// The bytes of the log.
    pub(crate) source: Arc<dyn Source>,
    /// Whether the path can be opened again.
    pub(crate) is_file: bool,
    /// Threads that read it.
    pub(crate) threads: usize,
    /// Given to the model.
    pub(crate) settings: Settings,
    /// Colours, signs, words, time zone.
    pub(crate) look: Look,
}

/// How a viewer ended; the terminal is given back.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The user left.
    Quit,
    /// A signal, with the exit status that a shell expects for it.
    Signal(u8),
    /// A worker died; its report, several lines, not yet printable.
    WorkerPanicked(String),
}

/// Shows a log until somebody ends it.
pub(crate) fn view(viewer: Viewer) -> color_eyre::Result<Ended> {
    let (inbox, outbox) = Inbox::open();
    let sources = Sources::default();
    signals::listen(outbox.clone())?;
    let mouse = if viewer.settings.mouse { Mouse::Captured } else { Mouse::Left };
    let screen = Screen::take(mouse)?;
    panic::report_to(outbox.clone());
    let opened = Opened { path: viewer.path, source: viewer.source, is_file: viewer.is_file, threads: viewer.threads };
    let hands = Hands {
        loader: Loader::start(opened, Arc::clone(&viewer.settings.words), outbox.clone(), sources.clone())?,
        kin: KinFinder::start(outbox.clone(), sources.clone(), Arc::clone(&viewer.settings.words))?,
        fetcher: Fetcher::start(outbox.clone(), sources.clone(), Arc::clone(&viewer.settings.words))?,
        searcher: Searcher::start("searcher", outbox.clone(), sources.clone())?,
        sifter: Searcher::start("sifter", outbox.clone(), sources.clone())?,
        texts: Texts::new(sources, 0),
        between: Between::from_environment(),
    };
    let model = Model::new(viewer.settings);
    hands.loader.follow(model.follow.is_on());
    hands.loader.read(model.epoch, From::Path);
    let _input = Input::start(outbox)?;
    let mut running = Loop { model, screen, inbox, hands, look: viewer.look };
    let exit = running.run();
    running.hands.loader.close();
    running.hands.kin.close();
    running.hands.fetcher.close();
    running.hands.searcher.close();
    running.hands.sifter.close();
    let late = running.inbox.alarms().take_panic();
    panic::report_to_nobody();
    drop(running);
    Ok(match (exit?, late) {
        (_, Some(report)) | (Exit::WorkerPanicked(report), None) => Ended::WorkerPanicked(report),
        (Exit::Signal(signal), None) => Ended::Signal(signals::exit_status(signal)),
        (Exit::Quit, None) => Ended::Quit,
    })
}
