//! What happened: everything that can change the model arrives as a [`Message`].

use std::sync::Arc;

use super::family::Kin;
use super::key::{Key, MouseEvent};
use super::keymap::Keys;
use super::list::hits::Passages;
use super::model::Open;
use super::theming::Background;
use crate::session::row::{EventRef, RowIx};
use crate::store::{Brief, Counted, SessionIx, Store};
use crate::triage::detail::RawLine;
use crate::triage::session::Session;
use crate::triage::what::What;

/// Which reading of which file an answer belongs to; `Reload` begins the next one of the opened file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Epoch(pub u32);

/// Which question an answer belongs to; the core counts them up, a stale answer is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Ticket(pub u32);

/// A row of the timeline that has a one-line text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SummaryKey {
    /// A line as a whole.
    Row(RowIx),
    /// A member of a packed row, or a record of the stream embedded in a message.
    Member(EventRef),
    /// A folded chunk run, both ends included.
    Run {
        /// First line.
        first: RowIx,
        /// Last line.
        last: RowIx,
    },
    /// A record that a resume would add: place in `Facts::resume`.
    Ghost(u32),
}

impl SummaryKey {
    /// The first line it stands for; `None` for a ghost.
    #[must_use]
    pub fn row(self) -> Option<RowIx> {
        match self {
            SummaryKey::Row(row) | SummaryKey::Run { first: row, .. } => Some(row),
            SummaryKey::Member(event) => Some(event.row),
            SummaryKey::Ghost(_) => None,
        }
    }
}

/// How far the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes of the file read.
    pub done: u64,
    /// Bytes of the file.
    pub total: u64,
    /// Frames read; 0 for a plain log.
    pub frames: u64,
    /// Frames in all, once they are counted.
    pub total_frames: Option<u64>,
    /// Lines found.
    pub lines: u64,
    /// Events found.
    pub events: u64,
}

/// A file that is no session log, or that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddFile {
    /// The path as given, printable.
    pub path: String,
    /// Size, where known.
    pub bytes: Option<u64>,
    /// What it is.
    pub kind: OddKind,
}

/// What an odd file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OddKind {
    /// It holds no byte.
    Empty,
    /// Text or bytes that are no log; the first line, printable and cut, where it is text.
    NotALog {
        /// The first line.
        first_line: Option<String>,
    },
    /// A thing with a name: `ZIP archive`, `SQLite database`, `gzip file`.
    Named(String),
    /// A folder.
    Folder,
    /// It cannot be opened or read: the words of the system.
    Unreadable(String),
}

/// What became of a file that is followed, other than that it grew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Another file stands under the path.
    Replaced,
    /// It is shorter than it was, or its last bytes are others: a repair cut it.
    Cut,
    /// A newer generation of the log appeared beside it: its file name, printable.
    Succeeded(String),
    /// Nothing stands under the path any more.
    Gone,
}

/// What a store holds.
#[derive(Debug, Clone)]
pub struct Found {
    /// The store.
    pub store: Arc<Store>,
    /// Where it lies, printable.
    pub place: String,
    /// The session of the log that is open, where it is one of them.
    pub here: Option<SessionIx>,
    /// When it was listed, in milliseconds since the Unix epoch.
    pub now: i64,
    /// Its logs are files of their own, which may grow.
    pub can_follow: bool,
}

/// What a click on words of the screen means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Keys that are named there.
    Keys(Keys),
    /// A tab of the detail, by its place.
    Tab(usize),
    /// A line of the help, by its place.
    HelpLine(usize),
}

/// Something happened.
#[derive(Debug, Clone)]
pub enum Message {
    /// A key was pressed.
    Pressed(Key),
    /// Text was pasted (bracketed paste); it is never taken as keys.
    Pasted(String),
    /// The mouse did something.
    Moused(MouseEvent),
    /// The terminal has this size; the first message of all.
    Resized {
        /// Columns.
        columns: u16,
        /// Rows.
        rows: u16,
    },
    /// The terminal has told its background.
    BackgroundTold(Background),
    /// The log, or its tail, was read. Of one epoch the tail may come first and the whole after it; a later one of
    /// the same epoch replaces (the log grew). The cursor stays on its event.
    Opened {
        /// Which reading.
        epoch: Epoch,
        /// What was read.
        session: Arc<Session>,
    },
    /// The same, with what follows from it worked out already: by the thread that read it, so that keys need not wait.
    Judged {
        /// Which reading.
        epoch: Epoch,
        /// What was read, and what follows.
        open: Box<Open>,
    },
    /// The reader got on.
    Progressed {
        /// Which reading.
        epoch: Epoch,
        /// How far.
        progress: Progress,
    },
    /// The file is no log, or cannot be read.
    Refused {
        /// Which reading.
        epoch: Epoch,
        /// What it is instead.
        odd: OddFile,
    },
    /// A reading was stopped before its end, as asked.
    Stopped {
        /// Which reading.
        epoch: Epoch,
    },
    /// Relatives of the opened log were looked for.
    KinFound {
        /// The reading of the opened log that they were tied to.
        epoch: Epoch,
        /// Who they are.
        kin: Box<Kin>,
    },
    /// A file that is followed was looked at: after each growth, then every second until it counts as still.
    Watched {
        /// Which reading.
        epoch: Epoch,
        /// Milliseconds since it last grew.
        quiet_ms: u64,
    },
    /// A file that is followed became something other than a longer file.
    Changed {
        /// Which reading.
        epoch: Epoch,
        /// What became of it.
        change: Change,
    },
    /// One-line texts were made: an answer to [`super::effect::Effect::Summarise`]; may come in pieces.
    Summarised {
        /// Which reading.
        epoch: Epoch,
        /// Which question.
        ticket: Ticket,
        /// Row and text.
        items: Vec<(SummaryKey, What)>,
    },
    /// The records of streams embedded in messages were counted: sent beside [`Message::Summarised`] for messages that
    /// have one, so that they can be unfolded.
    StreamsCounted {
        /// Which reading.
        epoch: Epoch,
        /// The question that the texts answer.
        ticket: Ticket,
        /// Message and number of records in its stream.
        streams: Vec<(RowIx, u32)>,
    },
    /// Something on the screen was clicked that stands for more than its row; in the place of [`Message::Moused`].
    Chosen {
        /// What.
        choice: Choice,
        /// It is the second click of a double one.
        twice: bool,
    },
    /// Something was done that a sentence tells, printable.
    Said {
        /// The sentence.
        text: String,
    },
    /// Lines were fetched for the detail pane: an answer to [`super::effect::Effect::Fetch`].
    FetchedLines {
        /// Which reading.
        epoch: Epoch,
        /// Which question.
        ticket: Ticket,
        /// The lines, in the order asked for; a line that could not be read is missing.
        lines: Vec<RawLine>,
    },
    /// A search found more, or ended.
    Found {
        /// Which reading.
        epoch: Epoch,
        /// Which search.
        ticket: Ticket,
        /// Further hits, in any order, each event once over the whole search.
        hits: Vec<EventRef>,
        /// Lines looked at since the search began.
        looked_at: u64,
        /// Nothing more will come.
        done: bool,
    },
    /// Folders are looked at for sessions: an answer to [`super::effect::Effect::ListSessions`], before
    /// [`Message::Listed`].
    Looked {
        /// Which listing.
        ticket: Ticket,
        /// Where, printable.
        place: String,
        /// Folders listed so far.
        folders: u64,
    },
    /// What a store holds was found.
    Listed {
        /// Which listing.
        ticket: Ticket,
        /// What was found, or why the root cannot be listed, printable.
        found: Result<Found, String>,
    },
    /// What logs of the list say: an answer to [`super::effect::Effect::TellSessions`], in pieces.
    Told {
        /// Which listing.
        ticket: Ticket,
        /// Sessions with what their current log says; a later one replaces.
        briefs: Vec<(SessionIx, Brief)>,
        /// Older generations, by place among those of their session.
        older: Vec<(SessionIx, usize, Counted)>,
    },
    /// All sessions are searched: an answer to [`super::effect::Effect::SearchSessions`], in pieces.
    FoundInSessions {
        /// Which search.
        ticket: Ticket,
        /// What was found since the last answer.
        found: Vec<Passages>,
        /// Sessions looked at since the search began.
        looked_at: usize,
        /// Of these, sessions whose log cannot be read.
        unreadable: usize,
        /// Nothing more will come.
        done: bool,
    },
    /// Texts were looked at for the filter: an answer to [`super::effect::Effect::Sift`], in pieces.
    Sifted {
        /// Which reading.
        epoch: Epoch,
        /// Which question.
        ticket: Ticket,
        /// Further rows that are selected, in any order.
        rows: Vec<RowIx>,
        /// Lines looked at since it began.
        looked_at: u64,
        /// Nothing more will come.
        done: bool,
    },
    /// Something was put on the clipboard.
    Copied {
        /// What, as named in [`super::effect::Effect::Copy`].
        label: String,
        /// Bytes copied.
        bytes: u64,
        /// Which ways were taken, in words for the last line: `OSC 52 sent`.
        ways: String,
    },
    /// Something could not be done: one sentence for the last line.
    Failed {
        /// The sentence.
        what: String,
    },
    /// A worker died: the program leaves cleanly.
    WorkerPanicked {
        /// What it said.
        what: String,
    },
}
