//! What the outside must do: `update` returns these, the runtime carries them out.

use std::path::PathBuf;
use std::sync::Arc;

use super::memory::Parting;
use super::message::{Epoch, SummaryKey, Ticket};
use super::search::Needle;
use super::selection::Filter;
use crate::query::Prepared;
use crate::session::row::{EventRef, RowIx};
use crate::store::SessionIx;

/// Who wants stored lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// The detail pane.
    Detail,
    /// A page.
    Page,
    /// A jump to what a record cites.
    Citation,
}

/// Rows of one reading whose texts are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wants {
    /// Which reading.
    pub epoch: Epoch,
    /// Which rows, in screen order.
    pub keys: Vec<SummaryKey>,
}

/// A program of the user that is given a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// `$VISUAL` or `$EDITOR`, on a private file that is removed afterwards.
    Editor,
    /// `$PAGER`, with the text made printable on its standard input.
    Pager,
    /// A command line that a person typed, with the text as it is on its standard input.
    Command(String),
}

/// What a text is: an editor goes by the ending of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// JSON.
    Json,
    /// Markdown.
    Markdown,
    /// Changes of files.
    Diff,
    /// Anything else.
    Plain,
}

impl TextKind {
    /// The ending of a file that holds it.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            TextKind::Json => "json",
            TextKind::Markdown => "md",
            TextKind::Diff => "diff",
            TextKind::Plain => "txt",
        }
    }
}

/// What the outside must do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave.
    Quit,
    /// Leave after a worker died, with these words and a failure status.
    Abort {
        /// What the worker said.
        why: String,
    },
    /// Restore the terminal and stop (`SIGTSTP`); draw everything again after coming back.
    Suspend,
    /// Clear the terminal and draw everything again.
    Redraw,
    /// Remember how a log was left: another one takes its place.
    Remember {
        /// What is to be remembered.
        parting: Parting,
    },
    /// Take the mouse, or give it back to the terminal.
    Mouse {
        /// Whether to take it.
        taken: bool,
    },
    /// Make the one-line texts of rows on screen. The newest question replaces one that waits.
    Summarise {
        /// Which reading.
        epoch: Epoch,
        /// Which question.
        ticket: Ticket,
        /// Which rows, in screen order.
        wants: Vec<SummaryKey>,
    },
    /// The same of several logs at once: answered log by log.
    SummariseEach {
        /// Which question.
        ticket: Ticket,
        /// Which rows of which log.
        wants: Vec<Wants>,
    },
    /// Read lines. The newest question of who asks replaces one that waits.
    Fetch {
        /// Which reading.
        epoch: Epoch,
        /// Which question.
        ticket: Ticket,
        /// Who asks.
        to: Asker,
        /// Which lines.
        rows: Vec<RowIx>,
        /// Most bytes of each line.
        limit_bytes: u64,
    },
    /// Search the text of all lines the filter keeps, nearest to `from` first. It replaces a search that runs.
    Search {
        /// Which reading.
        epoch: Epoch,
        /// Which search.
        ticket: Ticket,
        /// What to look for.
        needle: Arc<Needle>,
        /// Where the cursor stands.
        from: RowIx,
        /// Which rows count; `None`: all.
        filter: Option<Arc<Filter>>,
    },
    /// Stop the search.
    StopSearch,
    /// Look at the texts that a filter depends on, nearest to `from` first. It replaces one that runs.
    Sift {
        /// Which reading.
        epoch: Epoch,
        /// Which question.
        ticket: Ticket,
        /// The query; rows that it decides without text are known already.
        query: Arc<Prepared>,
        /// Where the cursor stands.
        from: RowIx,
    },
    /// Stop looking.
    StopSift,
    /// Put bytes on the clipboard.
    Copy {
        /// What it is, for the answer: `value`, `callId`.
        label: String,
        /// The bytes.
        bytes: Arc<[u8]>,
    },
    /// Read one line whole and put it on the clipboard as stored.
    CopyRecord {
        /// What it is, for the answer.
        label: String,
        /// Which line.
        row: RowIx,
    },
    /// Make a citation (session, version, call id, name, seq, class) and put it on the clipboard.
    CopyCitation {
        /// What it is, for the answer.
        label: String,
        /// Place in `Facts::calls` of the call to cite; `None`: the event.
        call: Option<usize>,
        /// The event at the cursor.
        event: EventRef,
    },
    /// Write a text into a file of its own, which is not there yet, in the current folder.
    WriteText {
        /// The text.
        bytes: Arc<[u8]>,
    },
    /// Give a text to a program of the user, which has the terminal until it ends.
    HandOver {
        /// Which program.
        to: Program,
        /// The text, as the log has it.
        bytes: Arc<[u8]>,
        /// What it is.
        kind: TextKind,
    },
    /// Read the file again from the start, as this epoch.
    Reload {
        /// The reading that begins.
        epoch: Epoch,
    },
    /// Read the newer generation that [`super::message::Change::Succeeded`] told of, as this epoch; it is the file from
    /// then on.
    OpenNewer {
        /// The reading that begins.
        epoch: Epoch,
    },
    /// Look for the relatives of the opened log and read them, as [`super::message::Message::KinFound`] tells.
    FindKin {
        /// The reading of the opened log.
        epoch: Epoch,
        /// Generations above it that are wanted too.
        up: u32,
    },
    /// Find the sessions around the log that is open, or those that the program was started for. It replaces a listing
    /// that runs.
    ListSessions {
        /// Which listing.
        ticket: Ticket,
    },
    /// Read what logs of the list say, in this order, until told otherwise; it replaces what was asked before.
    TellSessions {
        /// Which listing.
        ticket: Ticket,
        /// Sessions of which the first line and the last records are wanted.
        quick: Vec<SessionIx>,
        /// Sessions of which everything is wanted, after that.
        whole: Vec<SessionIx>,
    },
    /// What was told is in the list: the next answer may come. Until then the worker gathers.
    TellOn,
    /// Read no more logs of the list.
    StopTelling,
    /// Search the text of all sessions of the list, in this order. It replaces a search that runs.
    SearchSessions {
        /// Which search.
        ticket: Ticket,
        /// What to look for.
        needle: Arc<Needle>,
        /// The sessions, those on the screen first.
        order: Vec<SessionIx>,
    },
    /// Stop that search.
    StopSearchingSessions,
    /// Read another log of the list as this epoch; it is the file from then on.
    OpenStored {
        /// The reading that begins.
        epoch: Epoch,
        /// Its path, as the store has it.
        path: PathBuf,
    },
    /// Stop reading; what was shown stays.
    StopReading {
        /// The reading that runs.
        epoch: Epoch,
    },
    /// Watch the file for growth, or stop watching.
    Follow {
        /// Whether to watch.
        on: bool,
    },
}
