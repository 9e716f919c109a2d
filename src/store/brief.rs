//! What one log says in a few words: the row of a list.
//!
//! Three readings, each at its own price: [`Brief::head`] decodes the first line, [`Brief::quick`] the first line and
//! the last records, [`Brief::of`] takes a reading of the whole log. What only the whole log tells (title, events,
//! failed calls) is in [`Whole`] and missing before.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::head::{Head, NoHeader, read_head};
use super::lineage::own_open;
use super::stored::{Generation, Store};
use crate::log::{Content, Encoding, Source, sniff};
use crate::record::header::Header;
use crate::session::builder::Progress;
use crate::session::piece::Keep;
use crate::text::locale::Sentence;
use crate::text::wire::WireText;
use crate::triage::facts::{Basis, Call, CallState, Facts, LoaderResult, StopCause};
use crate::triage::open::{HugeFrame, Log, TailBudget, tail_within};
use crate::triage::session::{Extent, Session};

/// What the quick reading takes of the end: a few dozen records. A log of at most twice that is read whole.
const QUICK: TailBudget = TailBudget { zstd: 8 << 10, plain: 32 << 10, huge: HugeFrame::PassOver };

/// What it takes where the last frame, or the last line, alone is larger.
const SECOND: TailBudget = TailBudget { zstd: 192 << 10, plain: 1 << 20, huge: HugeFrame::PassOver };

/// How much of a log a brief rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// Its first line.
    Head,
    /// Its first line and its last records.
    Tail,
    /// All of it.
    Whole,
}

/// What one log says in a few words.
#[derive(Debug, Clone)]
pub struct Brief {
    /// What it rests on.
    pub reach: Reach,
    /// Bytes of the file when it was read.
    pub size: u64,
    /// What the file holds.
    pub content: Content,
    /// The header, or why there is none.
    pub head: Head,
    /// How the log ends; `None` from the first line alone, and where the end cannot be read by itself.
    pub told: Option<Told>,
    /// What only the whole log tells.
    pub whole: Option<Whole>,
    /// What is wrong with the bytes themselves, which are read all the same: an entry of an archive that fails its
    /// checksum.
    pub flaw: Option<String>,
}

/// How a log ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Time of the last event, in milliseconds since the Unix epoch.
    pub last_time: Option<i64>,
    /// Why it ends there.
    pub ended: Ended,
    /// The last call without a result. `None` from the end alone means: none in what was read.
    pub last_unpaired: Option<OpenCall>,
    /// The tail is torn or damaged.
    pub is_torn: bool,
}

/// Why a log ends where it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The cause.
    pub cause: StopCause,
    /// One sentence, as in the report of the log.
    pub text: Sentence,
    /// Seq of the record it rests on.
    pub seq: Option<i64>,
    /// The last turn.
    pub turn: Option<i64>,
    /// How that turn ended; `None` while it is open.
    pub kind: Option<WireText>,
    /// Code of the failure that ended it.
    pub code: Option<WireText>,
    /// HTTP status of that failure.
    pub status: Option<i64>,
    /// Tool of the open approval, call or sub-call, or name of the open command.
    pub name: Option<WireText>,
    /// Id of it.
    pub id: Option<WireText>,
}

/// A call without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCall {
    /// Call id.
    pub call_id: WireText,
    /// Tool name.
    pub name: WireText,
    /// Not started, or outcome unknown.
    pub state: CallState,
    /// Seq of the `tool/call`, else of the message that asked for it.
    pub seq: Option<i64>,
    /// Time of the `tool/call`.
    pub time: Option<i64>,
}

/// What only the whole log tells. Numbers of calls leave out what a fork copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// Version that it is read as.
    pub version: i64,
    /// Whether this program knows the version.
    pub is_known: bool,
    /// Title in force at the end.
    pub title: Option<WireText>,
    /// What its parent called it.
    pub label: Option<WireText>,
    /// Events, those of the parent in a fork included.
    pub events: u64,
    /// Events that a fork copied.
    pub inherited: u64,
    /// The last call without a result that no fork copied.
    pub own_open: Option<OpenCall>,
    /// Calls that failed.
    pub failed: u64,
    /// Calls of unknown outcome that recovery closed.
    pub recorded_unknown: u64,
    /// Calls that never started, closed by recovery.
    pub recorded_not_started: u64,
    /// What the harness would do with the file alone.
    pub loader: Option<LoaderResult>,
    /// Why it would not load it as it is.
    pub loader_why: String,
    /// Events it would keep.
    pub kept_events: u64,
    /// What is wrong with the header.
    pub header_problems: Vec<String>,
    /// Bytes or lines are damaged, or seqs are not dense.
    pub is_damaged: bool,
}

/// The worst thing of a log by itself, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Health {
    /// Something is open: an approval, a call of unknown outcome, a sub-call, a command.
    Unknown,
    /// It cannot be read, is damaged or refused, or ended with an error.
    Bad,
    /// To be looked at: calls that recovery closed or that never started, a turn that is open, a torn tail.
    Warn,
    /// Nothing.
    Fine,
}

impl Health {
    /// Its sign.
    #[must_use]
    pub fn glyph(self) -> char {
        match self {
            Health::Unknown => '?',
            Health::Bad => '✗',
            Health::Warn => '!',
            Health::Fine => '✓',
        }
    }
}

impl Brief {
    /// What the first line tells.
    pub fn head(source: &dyn Source) -> io::Result<Brief> {
        let (content, head) = read_head(source)?;
        Ok(Brief { reach: Reach::Head, size: source.size()?, content, head, told: None, whole: None, flaw: None })
    }

    /// What the first line and the last records tell; all of a small log. The cost does not grow with the log.
    pub fn quick(source: &Arc<dyn Source>, path: &Path) -> io::Result<Brief> {
        let brief = Brief::head(source.as_ref())?;
        let Some(encoding) = brief.content.encoding() else { return Ok(brief) };
        let small = match encoding {
            Encoding::Zstd => QUICK.zstd * 2,
            Encoding::Plain => QUICK.plain * 2,
        };
        if brief.size <= small {
            return read(source, path, 1, &mut |_| ControlFlow::Continue(())).map(|session| Brief::of(&session));
        }
        let tail = match tail_within(source, encoding, path, QUICK)? {
            Some(tail) => Some(tail),
            None => tail_within(source, encoding, path, SECOND)?,
        };
        let told = tail.map(|tail| Told::of(&tail.facts));
        let reach = if told.is_some() { Reach::Tail } else { Reach::Head };
        Ok(Brief { reach, told, ..brief })
    }

    /// What a reading tells.
    #[must_use]
    pub fn of(session: &Session) -> Brief {
        let facts = &session.facts;
        let container = &facts.container;
        let size = container.file_bytes;
        let content = match (size, container.encoding) {
            (0, _) => Content::Empty,
            (_, Encoding::Zstd) => Content::Zstd,
            (_, Encoding::Plain) => Content::Plain,
        };
        let head = facts.header.clone().ok_or(match content {
            Content::Empty => NoHeader::Empty,
            _ if container.complete_frames == 0 && container.encoding == Encoding::Zstd => NoHeader::Lost,
            _ => NoHeader::NotAHeader,
        });
        let (reach, whole) = match session.extent {
            Extent::Tail => (Reach::Tail, None),
            Extent::Whole => (Reach::Whole, Some(Whole::of(facts))),
        };
        Brief { reach, size, content, head, told: Some(Told::of(facts)), whole, flaw: None }
    }

    /// The brief of a log that cannot be read.
    #[must_use]
    pub fn unreadable(error: &io::Error) -> Brief {
        let head = Err(NoHeader::Unreadable(error.to_string()));
        Brief { reach: Reach::Whole, size: 0, content: Content::Empty, head, told: None, whole: None, flaw: None }
    }

    /// The header, where there is one.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.head.as_ref().ok()
    }

    /// The version of the log, as far as it is known: as read, else as the header says.
    #[must_use]
    pub fn version(&self) -> Option<i64> {
        self.whole.as_ref().map(|whole| whole.version).or_else(|| self.header().and_then(|header| header.version))
    }

    /// What the log is about: its label, where its parent gave one, else its title.
    #[must_use]
    pub fn title_or_label(&self) -> Option<&WireText> {
        let whole = self.whole.as_ref()?;
        whole.label.as_ref().or(whole.title.as_ref())
    }

    /// The worst thing of the log by itself; `None` while it is not known. Only what is open, and an end by an error,
    /// can be told from the end alone.
    #[must_use]
    pub fn health(&self) -> Option<Health> {
        if self.head.is_err() || self.flaw.is_some() {
            return Some(Health::Bad);
        }
        let told = self.told.as_ref()?;
        let by_end = told.health();
        match &self.whole {
            Some(whole) => Some(by_end.min(whole.health())),
            None => matches!(by_end, Health::Unknown | Health::Bad).then_some(by_end),
        }
    }
}

impl Told {
    fn of(facts: &Facts) -> Told {
        let last_unpaired = facts.last_unpaired.and_then(|at| facts.calls.get(at)).map(OpenCall::of);
        Told { last_time: facts.last_time, ended: Ended::of(facts), last_unpaired, is_torn: facts.stopped.torn }
    }

    fn health(&self) -> Health {
        let is_open = |call: &OpenCall| call.state == CallState::OutcomeUnknown;
        let ended_badly = self.ended.kind.as_ref().is_some_and(|kind| *kind == "error");
        match self.ended.cause {
            StopCause::OpenApproval | StopCause::OpenSubCall | StopCause::OpenCommand => Health::Unknown,
            _ if self.last_unpaired.as_ref().is_some_and(is_open) => Health::Unknown,
            StopCause::TurnEnded if ended_badly => Health::Bad,
            StopCause::OpenCall | StopCause::WaitingForRetry | StopCause::NoAnswer | StopCause::BetweenSteps => {
                Health::Warn
            }
            StopCause::TurnEnded | StopCause::NothingYet if self.is_torn || self.last_unpaired.is_some() => {
                Health::Warn
            }
            StopCause::TurnEnded | StopCause::NothingYet => Health::Fine,
        }
    }
}

impl Ended {
    fn of(facts: &Facts) -> Ended {
        let stopped = &facts.stopped;
        let turn = facts.turns.iter().max_by_key(|turn| turn.start_row);
        let failure = turn.and_then(|turn| turn.failure.as_deref());
        let (name, id) = subject(facts).unwrap_or_default();
        Ended {
            cause: stopped.cause,
            text: stopped.text.clone(),
            seq: stopped.seq,
            turn: turn.map(|turn| turn.turn),
            kind: turn.and_then(|turn| turn.end.clone()),
            code: failure.and_then(|failure| failure.code.clone()),
            status: failure.and_then(|failure| failure.status),
            name,
            id,
        }
    }
}

/// Name and id of what is open.
fn subject(facts: &Facts) -> Option<(Option<WireText>, Option<WireText>)> {
    let at = facts.stopped.subject?;
    match facts.stopped.cause {
        StopCause::OpenApproval => {
            let approval = facts.approvals.get(at)?;
            Some((approval.tool.clone(), approval.call_id.clone()))
        }
        StopCause::OpenCall => {
            let call = facts.calls.get(at)?;
            Some((Some(WireText::clone(&call.name)), Some(call.call_id.clone())))
        }
        StopCause::OpenSubCall => {
            let sub = facts.sub_calls.get(at)?;
            Some((Some(sub.name.clone()), Some(sub.id.clone())))
        }
        StopCause::OpenCommand => {
            let command = facts.commands.get(at)?;
            Some((command.name.clone(), Some(command.id.clone())))
        }
        StopCause::WaitingForRetry
        | StopCause::NoAnswer
        | StopCause::BetweenSteps
        | StopCause::TurnEnded
        | StopCause::NothingYet => None,
    }
}

impl OpenCall {
    /// An open call of a log.
    #[must_use]
    pub fn of(call: &Call) -> OpenCall {
        OpenCall {
            call_id: call.call_id.clone(),
            name: WireText::clone(&call.name),
            state: call.state,
            seq: call.call_seq.or(call.message_seq).get(),
            time: call.call_time.get(),
        }
    }
}

impl Whole {
    fn of(facts: &Facts) -> Whole {
        let count =
            |is: &dyn Fn(&Call) -> bool| facts.calls.iter().filter(|call| !call.inherited && is(call)).count() as u64;
        let recorded = |state| count(&|call| call.basis == Basis::Recorded && call.state == state);
        let container = &facts.container;
        Whole {
            version: facts.format.version,
            is_known: facts.format.known,
            title: facts.title.clone(),
            label: facts.label.clone(),
            events: container.events,
            inherited: facts.inherited.events,
            own_open: own_open(facts).and_then(|at| facts.calls.get(at)).map(OpenCall::of),
            failed: count(&|call| call.state == CallState::Failed),
            recorded_unknown: recorded(CallState::OutcomeUnknown),
            recorded_not_started: recorded(CallState::NotStarted),
            loader: facts.loader.result,
            loader_why: facts.loader.why.clone(),
            kept_events: facts.loader.kept_events,
            header_problems: facts.header_problems.clone(),
            is_damaged: container.is_damaged() || !container.bad_lines.is_empty() || !facts.sequence.is_whole(),
        }
    }

    fn health(&self) -> Health {
        if self.is_damaged || self.loader == Some(LoaderResult::Refuses) {
            return Health::Bad;
        }
        let is_clean = self.recorded_unknown + self.recorded_not_started == 0
            && self.is_known
            && self.header_problems.is_empty()
            && self.loader == Some(LoaderResult::Loads);
        if is_clean { Health::Fine } else { Health::Warn }
    }
}

impl Store {
    /// What the first line of a log tells.
    #[must_use]
    pub fn head(&self, log: &Generation) -> Brief {
        self.brief(log, self.open(&log.path).and_then(|source| Brief::head(source.as_ref())))
    }

    /// What the first line and the last records of a log tell.
    #[must_use]
    pub fn quick(&self, log: &Generation) -> Brief {
        self.brief(log, self.open(&log.path).and_then(|source| Brief::quick(&source, &log.path)))
    }

    /// What a whole reading of a log tells.
    #[must_use]
    pub fn whole(&self, log: &Generation, read: &io::Result<Session>) -> Brief {
        match read {
            Ok(session) if session.facts.header.is_some() => self.brief(log, Ok(Brief::of(session))),
            // It may be something else than a log: that says more than that it has no header.
            Ok(session) => {
                let brief = self.brief(log, Ok(Brief::of(session)));
                let is = self.head(log);
                let is_none = matches!(is.head, Err(NoHeader::NotALog(_)));
                if is_none { Brief { head: is.head, content: is.content, ..brief } } else { brief }
            }
            Err(error) => Brief::unreadable(error),
        }
    }

    fn brief(&self, log: &Generation, brief: io::Result<Brief>) -> Brief {
        match brief {
            Ok(brief) => Brief { flaw: self.directory().flaw(&log.path), ..brief },
            Err(error) => Brief::unreadable(&error),
        }
    }

    /// Reads a log whole; the callback hears of progress and may stop the reading, whose facts then tell only of what
    /// was read.
    pub fn read(
        &self,
        log: &Generation,
        threads: usize,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> io::Result<Session> {
        read(&self.open(&log.path)?, &log.path, threads, progress)
    }
}

/// Reads a log whole, for its facts alone.
fn read(
    source: &Arc<dyn Source>,
    path: &Path,
    threads: usize,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> io::Result<Session> {
    let encoding = sniff(source.as_ref())?.encoding().unwrap_or_else(|| Encoding::of_name(path));
    let mut log = Log::new(Arc::clone(source), encoding, path, Keep::Nothing);
    log.read(threads, progress)?;
    log.into_session()
}
