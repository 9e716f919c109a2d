//! Many sessions: folders, generations, parents and children, exports.
//!
//! ```text
//! Directory ──discover──▶ Store: projects, sessions, other files, problems      names and sizes, no log is opened
//!     │                     │
//!     └──Source──▶ Brief::{head, quick, of} ──▶ Brief: what one log says      a bounded price for head and quick
//!                           │
//!           Store + Briefs ─▶ Census: who belongs to whom, what is odd          worked out anew when briefs come in
//!                           └▶ Survey: every log read whole                      for a report
//! ```
//!
//! It stands on `text`, `log`, `record`, `session` and `triage`. All of its reading goes through [`Directory`] and
//! [`Source`](crate::log::Source), so that an export ZIP and a test are stores like any other.
//!
//! Invariants: nothing hides anything else. A folder that cannot be listed, a link that leads in a circle, a file that
//! vanished is a [`Problem`] with its place; a file that is no log is an [`OtherFile`] with its kind; a log that cannot
//! be read is a session with the reason in its [`Brief`]. An `Err` tells only that the root itself cannot be read.
//! Nothing is written, locked or created.

mod archive;
mod brief;
mod census;
mod directory;
mod discover;
mod head;
mod layout;
pub mod lineage;
mod other;
pub mod said;
mod stored;
mod survey;

pub use brief::{Brief, Ended, Health, OpenCall, Reach, Told, Whole};
pub use census::{Census, Kin, Oddity, Parent, folder_matches};
pub use directory::{Directory, Disk, Entry, EntryKind, Stat};
pub use discover::{discover, open_archive};
pub use head::{Head, NoHeader, read_head};
pub use layout::{
    LogName, NO_CWD, decode_session_id, encode_session_id, is_project_folder_name, log_name, project_folder_name,
};
pub use other::{OtherFile, OtherKind};
pub use stored::{Generation, Problem, Project, ProjectIx, RootKind, SessionIx, Store, StoredSession, WhyEmpty};
pub use survey::{Counted, Descent, StoreLoader, Survey, count_generations, survey};
