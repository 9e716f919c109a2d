//! Carries out what the core asks for: most of it by asking a worker, the rest at the terminal.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::clipboard::{self, Between};
use super::desktop::{self, Desktop};
use super::fetcher::{Fetcher, Question};
use super::kin::KinFinder;
use super::lister::{self, Lister};
use super::loader::{From, Loader, Stored};
use super::searcher::{Searcher, Target, Wanted};
use super::seeker::{self, Seeker};
use super::terminal::{Mouse, Screen};
use super::texts::Texts;
use super::{handover, memory, private, signals};
use crate::app::effect::Effect;
use crate::app::list::List;
use crate::app::memory::Parting;
use crate::app::message::{Epoch, Message, Ticket};
use crate::app::model::Model;
use crate::session::row::RowIx;
use crate::store::Store;
use crate::text::number;
use crate::triage::pass::citation::{self, Cited};
use crate::triage::session::{Extent, Session};

/// What follows from an effect.
#[derive(Debug)]
pub(crate) enum Done {
    /// The loop goes on.
    Fine,
    /// The loop goes on, and this has happened.
    Said(Message),
    /// It ends.
    Quit,
    /// It ends with this report of a worker that died.
    Abort(String),
}

/// The workers, and what else effects need.
pub(crate) struct Hands {
    /// Reads the log.
    pub(crate) loader: Loader,
    /// Looks for relatives.
    pub(crate) kin: KinFinder,
    /// Fetches text of rows.
    pub(crate) fetcher: Fetcher,
    /// Finds sessions, and reads what they say.
    pub(crate) lister: Lister,
    /// The path of the log that is open; empty while none is.
    pub(crate) path: PathBuf,
    /// The store that it was taken from, where it is known to lie in one.
    pub(crate) home: Option<Arc<Store>>,
    /// Searches.
    pub(crate) searcher: Searcher,
    /// Searches all sessions of the list.
    pub(crate) seeker: Seeker,
    /// Looks at texts for the filter.
    pub(crate) sifter: Searcher,
    /// Reads a record that is copied: one line, no longer than a terminal takes.
    pub(crate) texts: Texts,
    /// The file of what is remembered, where something is.
    pub(crate) memory: Option<PathBuf>,
    /// What stands between the program and the terminal.
    pub(crate) between: Between,
}

impl Hands {
    /// Carries out one effect. `Err` only where the terminal fails; everything else is said on the screen.
    pub(crate) fn carry_out(&mut self, effect: Effect, model: &Model, screen: &mut Screen) -> io::Result<Done> {
        match effect {
            Effect::Quit => return Ok(Done::Quit),
            Effect::Abort { why } => return Ok(Done::Abort(why)),
            Effect::Suspend => signals::suspend_group(),
            Effect::Remember { parting } => self.remember(parting, model.settings.unfold),
            Effect::Redraw => screen.invalidate()?,
            Effect::Mouse { taken } => screen.set_mouse(if taken { Mouse::Captured } else { Mouse::Left })?,
            Effect::Summarise { epoch, ticket, wants } => {
                if let Some(question) = question(model, epoch, ticket) {
                    self.fetcher.texts(question, wants);
                }
            }
            Effect::SummariseEach { ticket, wants } => {
                let all =
                    wants.into_iter().filter_map(|wants| Some((question(model, wants.epoch, ticket)?, wants.keys)));
                self.fetcher.texts_of(all.collect());
            }
            Effect::Fetch { epoch, ticket, to, rows, limit_bytes } => {
                if let Some(question) = question(model, epoch, ticket) {
                    self.fetcher.lines(question, to, rows, limit_bytes);
                }
            }
            Effect::Search { epoch, ticket, needle, from, filter } => {
                if let Some(question) = question(model, epoch, ticket) {
                    let target = Target::Needle(needle, filter);
                    self.searcher.search(Wanted { question, target, from });
                }
            }
            Effect::StopSearch => self.searcher.stop(),
            Effect::Sift { epoch, ticket, query, from } => {
                if let Some(question) = question(model, epoch, ticket) {
                    self.sifter.search(Wanted { question, target: Target::Query(query), from });
                }
            }
            Effect::StopSift => self.sifter.stop(),
            Effect::Copy { label, bytes } => return self.copy(label, &bytes, model, screen),
            Effect::CopyRecord { label, row } => return self.copy_record(label, row, model, screen),
            Effect::CopyCitation { label, call, event } => {
                if let Some(session) = session(model) {
                    let words = &model.settings.words;
                    let citation = citation::citation(&session, Cited::of(call, event), words);
                    return self.copy(label, citation.as_bytes(), model, screen);
                }
            }
            Effect::WriteText { bytes } => return Ok(write_text(&bytes, model)),
            Effect::HandOver { to, bytes, kind } => {
                let said = handover::hand_over(&to, &bytes, kind, &model.settings, screen)?;
                return Ok(said.map_or(Done::Fine, Done::Said));
            }
            Effect::ListSessions { ticket } => self.lister.list(ticket, self.path.clone()),
            Effect::TellSessions { ticket, quick, whole } => {
                if let Some(store) = store(model) {
                    self.lister.tell(lister::Wanted { ticket, store, quick, whole });
                }
            }
            Effect::TellOn => self.lister.tell_on(),
            Effect::StopTelling => self.lister.stop(),
            Effect::SearchSessions { ticket, needle, order } => {
                if let Some(store) = store(model) {
                    self.seeker.search(seeker::Wanted { ticket, store, needle, order });
                }
            }
            Effect::StopSearchingSessions => self.seeker.stop(),
            Effect::OpenStored { epoch, path } => {
                if let Some(store) = store(model) {
                    self.path.clone_from(&path);
                    self.home = Some(Arc::clone(&store));
                    self.loader.open(epoch, Stored { store, path });
                }
            }
            Effect::Reload { epoch } => self.loader.read(epoch, From::Path),
            Effect::OpenNewer { epoch } => self.loader.read(epoch, From::Newer),
            Effect::FindKin { epoch, up } => {
                if let Some(session) = model.session_of(epoch) {
                    self.kin.find(epoch, session, up, self.home.clone());
                }
            }
            Effect::StopReading { epoch } => self.loader.stop(epoch),
            Effect::Follow { on } => self.follow(on, model),
        }
        Ok(Done::Fine)
    }

    /// Watches the log that is open, and those of its family.
    fn follow(&self, on: bool, model: &Model) {
        self.loader.follow(on);
        self.kin.follow(on);
        let epoch = model.home_epoch();
        // What was asked about a log that was not followed is not remembered.
        if let Some(session) = model.session_of(epoch).filter(|session| on && session.extent == Extent::Whole) {
            self.kin.find(epoch, session, model.family.up(), self.home.clone());
        }
    }

    /// Notes how a log was left. Where that fails nothing is said: the next start is as the first one was.
    pub(crate) fn remember(&self, parting: Parting, unfold: u8) {
        if let Some(path) = &self.memory {
            let _ = memory::note(path, parting, unfold);
        }
    }

    /// Puts bytes on the clipboard, every way there is, and says which one worked.
    fn copy(&self, label: String, bytes: &[u8], model: &Model, screen: &mut Screen) -> io::Result<Done> {
        let words = &model.settings.words;
        let sequence = clipboard::sequence(bytes, self.between);
        let desktop = Desktop::find();
        if sequence.is_none() && desktop.is_none() {
            return Ok(too_large(&label, bytes.len() as u64, model));
        }
        let mut ways =
            vec![words.get(if sequence.is_some() { "copy.osc_sent" } else { "copy.osc_too_long" }).to_owned()];
        if let Some(sequence) = &sequence {
            screen.send(sequence)?;
        }
        let copied = desktop.map(|desktop| (desktop.name(), desktop.copy(bytes)));
        if let Some((program, copied)) = &copied {
            ways.push(match copied {
                Ok(()) => words.say("copy.worked", &[("program", program)]),
                Err(error) => words.say("copy.failed", &[("program", program), ("why", &error.to_string())]),
            });
        }
        let ways = ways.join("; ");
        if sequence.is_none() && copied.is_some_and(|(_, copied)| copied.is_err()) {
            return Ok(failed(ways));
        }
        Ok(Done::Said(Message::Copied { label, bytes: bytes.len() as u64, ways }))
    }

    fn copy_record(&mut self, label: String, row: RowIx, model: &Model, screen: &mut Screen) -> io::Result<Done> {
        let Some(session) = session(model) else { return Ok(Done::Fine) };
        let len = session.index.rows.get(row).map_or(0, |row| u64::from(row.len));
        let most = if Desktop::find().is_some() { desktop::MOST_BYTES } else { clipboard::MOST_BYTES };
        if len > most as u64 {
            return Ok(too_large(&label, len, model));
        }
        match self.texts.line(model.epoch, &session, row, most) {
            Ok(text) => self.copy(label, text.as_bytes(), model, screen),
            Err(error) => Ok(failed(model.settings.words.say("message.cannot_read", &[("why", &error.to_string())]))),
        }
    }
}

/// Writes a text into a file of the current folder and says where it is.
fn write_text(bytes: &[u8], model: &Model) -> Done {
    let words = &model.settings.words;
    match private::write_new(Path::new("."), "trajview-report", bytes) {
        Ok(path) => {
            Done::Said(Message::Said { text: words.say("message.written", &[("path", &path.to_string_lossy())]) })
        }
        Err(error) => {
            failed(words.say("message.cannot_write", &[("path", "trajview-report.md"), ("why", &error.to_string())]))
        }
    }
}

fn failed(what: String) -> Done {
    Done::Said(Message::Failed { what })
}

fn too_large(label: &str, bytes: u64, model: &Model) -> Done {
    let values = [("what", label), ("bytes", &number::size(bytes))];
    failed(model.settings.words.say("message.copy_too_long", &values))
}

fn session(model: &Model) -> Option<Arc<Session>> {
    model.open.as_ref().map(|open| Arc::clone(&open.session))
}

/// The store of the list.
fn store(model: &Model) -> Option<Arc<Store>> {
    model.list.as_ref().and_then(List::store)
}

fn question(model: &Model, epoch: Epoch, ticket: Ticket) -> Option<Question> {
    model.session_of(epoch).map(|session| Question { epoch, ticket, session })
}
