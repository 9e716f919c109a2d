//! Puts the viewer together: terminal, workers, model, loop.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::clipboard::Between;
use super::effects::Hands;
use super::events::{Exit, Loop};
use super::fetcher::Fetcher;
use super::inbox::Inbox;
use super::input::Input;
use super::kin::KinFinder;
use super::lister::{self, Lister};
use super::loader::{From, Loader, Opened};
use super::searcher::Searcher;
use super::seeker::Seeker;
use super::terminal::{Mouse, Screen};
use super::texts::{Sources, Texts};
use super::{background, panic, signals};
use crate::app::model::{Model, Settings};
use crate::app::update::parting;
use crate::log::Source;
use crate::store::{RootKind, Store};
use crate::text::role::Role;
use crate::ui::Look;
use crate::ui::theme::Wardrobe;

/// What is viewed at first.
pub(crate) enum Subject {
    /// A log.
    Log {
        /// The path as opened, or a name such as `standard input`.
        path: PathBuf,
        /// The bytes of the log.
        source: Arc<dyn Source>,
        /// Whether the path can be opened again.
        is_file: bool,
        /// The session folder or the export that was named, where one was.
        home: Option<Arc<Store>>,
    },
    /// The sessions of a store.
    Store(Arc<Store>),
}

/// What is to be viewed, and how.
pub(crate) struct Viewer {
    /// A log or a store.
    pub(crate) subject: Subject,
    /// Threads that read it.
    pub(crate) threads: usize,
    /// Given to the model.
    pub(crate) settings: Settings,
    /// The file of what is remembered, where something is.
    pub(crate) memory: Option<PathBuf>,
    /// The themes that may be chosen.
    pub(crate) wardrobe: Wardrobe,
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

/// Asks the terminal for its background, where that decides anything. Tells when it was asked.
fn ask_background(screen: &mut Screen, model: &Model) -> std::io::Result<Option<Instant>> {
    let term = std::env::var("TERM").ok();
    if !model.themed.open || !background::can_be_asked(term.as_deref()) {
        return Ok(None);
    }
    screen.send(background::QUESTION)?;
    Ok(Some(Instant::now()))
}

/// Shows a log until somebody ends it.
pub(crate) fn view(viewer: Viewer) -> color_eyre::Result<Ended> {
    let (inbox, outbox) = Inbox::open();
    let sources = Sources::default();
    signals::listen(outbox.clone())?;
    let mouse = if viewer.settings.mouse { Mouse::Captured } else { Mouse::Left };
    let mut screen = Screen::take(mouse)?;
    panic::report_to(outbox.clone());
    let (opened, store, home) = match viewer.subject {
        Subject::Log { path, source, is_file, home } => {
            (Opened { path, source, is_file, threads: viewer.threads }, None, home)
        }
        Subject::Store(store) => (Opened::nothing(viewer.threads), Some(store), None),
    };
    let hands = Hands {
        path: opened.path.clone(),
        loader: Loader::start(opened, Arc::clone(&viewer.settings.words), outbox.clone(), sources.clone())?,
        kin: KinFinder::start(outbox.clone(), sources.clone(), Arc::clone(&viewer.settings.words))?,
        fetcher: Fetcher::start(outbox.clone(), sources.clone(), Arc::clone(&viewer.settings.words))?,
        searcher: Searcher::start("searcher", outbox.clone(), sources.clone())?,
        seeker: Seeker::start(outbox.clone())?,
        sifter: Searcher::start("sifter", outbox.clone(), sources.clone())?,
        lister: Lister::start(outbox.clone(), store.clone())?,
        home,
        texts: Texts::new(sources, 0),
        memory: viewer.memory,
        between: Between::from_environment(),
    };
    let model = match store {
        None => {
            let mut model = Model::new(viewer.settings);
            if hands.home.as_ref().is_some_and(|home| home.kind == RootKind::Export) {
                model.say(Role::Warn, "store.export_root", &[]);
            }
            hands.loader.follow(model.follow.is_on());
            hands.kin.follow(model.follow.is_on());
            hands.loader.read(model.epoch, From::Path);
            model
        }
        Some(store) => {
            let model = Model::of_store(viewer.settings, lister::place(&store.root));
            if let Some(list) = &model.list {
                hands.lister.found(list.ticket(), store);
            }
            model
        }
    };
    let asked = ask_background(&mut screen, &model)?;
    let _input = Input::start(outbox, asked)?;
    let mut running =
        Loop { worn: model.themed.now, wardrobe: viewer.wardrobe, model, screen, inbox, hands, look: viewer.look };
    let exit = running.run();
    // After a signal too: what a closed window would lose.
    if let Some(parting) = parting(&mut running.model) {
        running.hands.remember(parting, running.model.settings.unfold);
    }
    running.hands.loader.close();
    running.hands.kin.close();
    running.hands.fetcher.close();
    running.hands.searcher.close();
    running.hands.lister.close();
    running.hands.sifter.close();
    running.hands.seeker.close();
    let late = running.inbox.alarms().take_panic();
    panic::report_to_nobody();
    drop(running);
    Ok(match (exit?, late) {
        (_, Some(report)) | (Exit::WorkerPanicked(report), None) => Ended::WorkerPanicked(report),
        (Exit::Signal(signal), None) => Ended::Signal(signals::exit_status(signal)),
        (Exit::Quit, None) => Ended::Quit,
    })
}
