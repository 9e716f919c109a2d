//! Reports of several sessions.

use std::process::ExitCode;

use super::{Asked, Form, print, threads, zone};
use crate::cli::progress::ProgressLine;
use crate::report::{self, exit};
use crate::store::{Store, count_generations, survey};
use crate::triage::session::Session;

impl Asked {
    /// Reads every session of a store and prints what is known.
    pub(super) fn print_store(&self, store: Store, form: Form) -> ExitCode {
        let mut line = ProgressLine::new(&self.words);
        let mut worst = exit::FINE;
        let survey = survey(
            store,
            threads(&self.options),
            &mut |_, session| worst = worst.max(exit::status(&session.facts)),
            &mut |done, total| line.tell(done, total),
        );
        drop(line);
        print(
            &self.words,
            |out| match form {
                Form::Json => report::stored::write(&survey, out),
                Form::Text => report::text::store::write(&survey, &self.words, &zone(&self.options), out),
            },
            exit::store_status(&survey, worst),
        )
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
