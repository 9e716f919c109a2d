//! Reports of several sessions.

use std::process::ExitCode;
use std::sync::Arc;

use super::{Asked, Form, print, threads};
use crate::app::message::Epoch;
use crate::cli::progress::ProgressLine;
use crate::log::{MemorySource, Source};
use crate::query::{Prepared, Query};
use crate::report::{self, events, exit};
use crate::runtime::Texts;
use crate::runtime::lines::SessionLines;
use crate::store::{Store, count_generations, survey};
use crate::triage::session::Session;

impl Asked {
    /// Reads every session of a store and prints what is known. With a query the status is whether it selects an event
    /// of any session.
    pub(super) fn print_store(&self, store: Store, form: Form, fail_on: Option<&Query>) -> ExitCode {
        let mut line = ProgressLine::new(&self.words);
        let mut worst = exit::FINE;
        let directory = Arc::clone(store.directory());
        let survey = survey(
            store,
            threads(&self.options),
            &mut |_, session| match fail_on {
                None => worst = worst.max(exit::status(&session.facts)),
                Some(_) if worst == exit::WRONG => {}
                Some(query) => {
                    // A log that was read and cannot be opened again selects what needs no text.
                    let source = directory.open(&session.path).unwrap_or_else(|_| Arc::new(MemorySource::default()));
                    if self.selects_any(query, session, source) {
                        worst = exit::WRONG;
                    }
                }
            },
            &mut |done, total| line.tell(done, total),
        );
        drop(line);
        print(
            &self.words,
            |out| match form {
                Form::Json => report::stored::write(&survey, out),
                Form::Text => report::text::store::write(&survey, &self.words, &self.zone(), out),
            },
            if fail_on.is_some() { worst } else { exit::store_status(&survey, worst) },
        )
    }

    /// Whether a query selects an event of a log.
    pub(super) fn selects_any(&self, query: &Query, session: &Session, source: Arc<dyn Source>) -> bool {
        let query = Prepared::of(query, session, &self.zone());
        let mut texts = Texts::of(source);
        let mut lines = SessionLines::new(&mut texts, Epoch::default(), session);
        events::selects_any(session, &query, &mut lines)
    }

    /// The files of a session folder, where it has several.
    pub(super) fn files(&self, folder: &Store, known: &Session) -> Option<Vec<report::stored::GenerationEntry>> {
        let session = folder.sessions.iter().find(|session| session.current().path == known.path)?;
        if session.generations.len() < 2 {
            return None;
        }
        let counted = count_generations(folder, session, known, threads(&self.options));
        Some(report::stored::generations(session, &counted))
    }
}
