//! The meaning of one line, as small as judging needs it.
//!
//! An [`Event`] owns what it says: a worker reads the line, drops the text, and hands the event to whoever judges.
//! A packed row (docs/FORMAT.md section 4.2) is one `Event` with several members.

mod body;
mod files;
mod marks;
mod parts;
mod streamed;

use super::admission::Admission;
use super::kinds::Kind;
use crate::text::wire::WireText;

pub use body::Body;
pub use files::{Changes, FileChange, MOST_FILES};
pub use marks::{Cites, Hints, Surface};
pub use parts::{Arguments, EndReason, Failure, HeaderPrints, PairEnd, PairKind, RecoveryId, Request, Usage};
pub use streamed::{Finish, Gaps, MOST_STALLS, STALL_MS, Streamed, StreamedCall};

/// What one line means: an event, or the run of events that a packed row stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its type; [`Kind::Unknown`] for every type that is not in the catalogue, and for none.
    pub kind: Kind,
    /// The type as the log spells it, only where `kind` is [`Kind::Unknown`]; `None` there: the line names no type.
    pub unknown_type: Option<Box<WireText>>,
    /// Recorded `seq` (of the first member); `None` where it is missing or no integer.
    pub seq: Option<i64>,
    /// Recorded `time` of the first member, milliseconds since the Unix epoch.
    pub time: Option<i64>,
    /// Time of the last member; equals `time` for anything but a packed row.
    pub last_time: Option<i64>,
    /// How many events the line stands for, at least 1.
    pub members: u32,
    /// `ignorable: true` is set.
    pub ignorable: bool,
    /// Its place on the surface that the model sees.
    pub surface: Surface,
    /// `sourceEventSeqs`, as far as pairing needs it.
    pub cites: Cites,
    /// What is particular to its type.
    pub body: Body,
    /// What it tells of the version it was written in.
    pub hints: Hints,
    /// What the harness looks at beyond its meaning.
    pub admission: Admission,
}

/// A text known by length and hash: enough to tell whether two texts are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// Bytes of the decoded text.
    pub bytes: u64,
    /// Hash of the decoded text, the same in every run of the program.
    pub hash: u64,
}

/// Turn and step of an event; `None` where missing or no integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Turn number, from 1.
    pub turn: Option<i64>,
    /// Step number inside the turn, from 1.
    pub step: Option<i64>,
}
