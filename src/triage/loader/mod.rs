//! What the harness itself would do with a log, and which closing records a resume would append.
//!
//! One fold over the lines in file order: the line scan decides which events are kept; the kept ones are held against
//! the rules of the version and go into the fold of a resume. What the bytes of the file say is added at the end.
//!
//! ```text
//! line ── scan ──► kept ──► replay     single events and the surface
//!           │        └────► resume     what is open at the end
//!           ▼
//!         issue                   finish: container, header, scan, rules, in the order of the harness
//! ```

mod finish;
mod objection;
mod owners;
mod relations;
mod replay;
mod resume;
mod scan;
mod shape;
mod surface;

#[cfg(test)]
mod tests;

use crate::log::sniff::Encoding;
use crate::record::event::{Body, Event};
use crate::record::extract::BadLine;
use crate::record::header::Header;
use crate::session::container::Container;
use crate::session::row::RowIx;
use crate::triage::facts::{Format, Ghost, Loader};

use objection::Objections;
use replay::Replay;
use resume::ResumeFold;
use scan::Scan;

/// What the harness takes of a log, line by line. Copies are cheap: what is open, and a pointer for every 4,096 events.
#[derive(Debug, Clone, Default)]
pub struct LoaderFold {
    version: i64,
    scan: Scan,
    replay: Replay,
    resume: ResumeFold,
    objections: Objections,
    /// The last marker that ends inherited events, from version 2.
    inherited_mark: Option<RowIx>,
}

/// What is known of the file when its end is reached.
#[derive(Debug, Clone, Copy)]
pub struct End<'a> {
    /// The header, if there is one.
    pub header: Option<&'a Header>,
    /// Which version the log is read as.
    pub format: Format,
    /// How it is stored.
    pub encoding: Encoding,
    /// Its frames, lines and damage.
    pub container: &'a Container,
    /// Rows from here on were saved from a torn frame.
    pub torn_rows_from: Option<RowIx>,
}

impl LoaderFold {
    /// A fold that judges by the rules of the version in the header; without one the log is refused whatever follows.
    #[must_use]
    pub fn new(version: Option<i64>) -> Self {
        Self { version: version.unwrap_or(0), ..Self::default() }
    }

    /// Takes the next line, an event or a packed row. Rows count from 0; the unfinished last line of a plain log is not given.
    pub fn event(&mut self, at: RowIx, event: &Event) {
        if self.scan.event(at, event, self.version) {
            self.replay.event(at, event, self.version, &mut self.objections);
            self.resume.event(event);
            if matches!(event.body, Body::EndSeed { inherited: true }) && self.version >= 2 {
                self.inherited_mark = Some(at);
            }
        } else if shape::is_refused_anywhere(event, self.version) {
            Replay::refuse_anywhere(at, event, self.version, &mut self.objections);
        }
    }

    /// Takes the next line, one that is no event.
    pub fn bad_line(&mut self, at: RowIx, _why: &BadLine) {
        self.scan.bad_line(at);
    }

    /// What the harness would do, and the records a resume would append to what it keeps.
    #[must_use]
    pub fn finish(&self, end: &End<'_>) -> (Loader, Vec<Ghost>) {
        let loader = finish::judge(self, end);
        let ghosts = if loader.kept_events > 0 { self.resume.ghosts(self.scan.kept) } else { Vec::new() };
        (loader, ghosts)
    }
}
