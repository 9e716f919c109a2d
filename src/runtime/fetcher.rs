//! Fetches the text of rows on screen: one-line texts for the lists, raw lines for the detail and for pages.
//!
//! Of each kind the newest question replaces one that waits, and detail comes before lists: it is what the cursor is
//! on. Lists are answered in pieces, and a newer question ends the older one between two rows.

use std::sync::Arc;
use std::thread;

use super::desk::Desk;
use super::inbox::{Gone, Outbox};
use super::texts::{Sources, Texts};
use crate::app::effect::Asker;
use crate::app::message::{Epoch, Message, SummaryKey, Ticket};
use crate::record::kinds::Kind;
use crate::session::lines::Text;
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::triage::detail::RawLine;
use crate::triage::session::Session;
use crate::triage::what::{CallRows, Run, Teller, What, run_rows};

/// Text of blocks that is kept: some hundred screens of an ordinary log.
const CACHE_BYTES: usize = 32 << 20;

/// Columns of a one-line text. A wider screen than this has room for nothing more to say.
const COLUMNS: usize = 400;

/// Bytes of a line that its one-line text is made of.
const ROW_BYTES: usize = 64 << 10;

/// Bytes of a line whose members are told one by one.
const MEMBER_BYTES: usize = 8 << 20;

/// Texts in one answer: a first screen is there at once, the rest follows.
const PIECE: usize = 16;

/// What is asked of a log.
#[derive(Clone)]
pub(crate) struct Question {
    /// Which reading.
    pub(crate) epoch: Epoch,
    /// Which question.
    pub(crate) ticket: Ticket,
    /// The log.
    pub(crate) session: Arc<Session>,
}

/// Work that waits.
#[derive(Default)]
pub(crate) struct Waiting {
    lines: Option<(Question, Vec<RowIx>, u64)>,
    page: Option<(Question, Vec<RowIx>, u64)>,
    /// The line that says where a jump leads: a person waits for it.
    citation: Option<(Question, Vec<RowIx>, u64)>,
    texts: Option<Vec<(Question, Vec<SummaryKey>)>>,
}

enum Work {
    Lines(Question, Vec<RowIx>, u64),
    Texts(Vec<(Question, Vec<SummaryKey>)>),
}

/// Asks the fetcher.
#[derive(Clone)]
pub(crate) struct Fetcher {
    desk: Desk<Waiting>,
}

impl Fetcher {
    /// Starts the worker.
    pub(crate) fn start(outbox: Outbox, sources: Sources, words: Arc<Words>) -> std::io::Result<Fetcher> {
        let desk = Desk::new();
        let fetcher = Fetcher { desk: desk.clone() };
        let mut worker = Worker { desk, outbox, texts: Texts::new(sources, CACHE_BYTES), words, calls: None };
        thread::Builder::new().name("fetcher".to_owned()).spawn(move || {
            super::panic::provoke("fetcher");
            worker.run();
        })?;
        Ok(fetcher)
    }

    /// Asks for raw lines, at most `limit_bytes` of each.
    pub(crate) fn lines(&self, question: Question, to: Asker, rows: Vec<RowIx>, limit_bytes: u64) {
        let work = Some((question, rows, limit_bytes));
        self.desk.post(|waiting| match to {
            Asker::Detail => waiting.lines = work,
            Asker::Page => waiting.page = work,
            Asker::Citation => waiting.citation = work,
        });
    }

    /// Asks for one-line texts.
    pub(crate) fn texts(&self, question: Question, wants: Vec<SummaryKey>) {
        self.texts_of(vec![(question, wants)]);
    }

    /// Asks for one-line texts of several logs.
    pub(crate) fn texts_of(&self, wants: Vec<(Question, Vec<SummaryKey>)>) {
        self.desk.post(|waiting| waiting.texts = Some(wants));
    }

    /// Sends the worker home.
    pub(crate) fn close(&self) {
        self.desk.close();
    }
}

struct Worker {
    desk: Desk<Waiting>,
    outbox: Outbox,
    texts: Texts,
    words: Arc<Words>,
    /// Rows of calls of the session asked about last: made once a session.
    calls: Option<(Arc<Session>, CallRows)>,
}

impl Worker {
    fn run(&mut self) {
        while let Some((work, posted)) = self.desk.next(|waiting| {
            if let Some((question, rows, limit)) =
                waiting.citation.take().or_else(|| waiting.page.take()).or_else(|| waiting.lines.take())
            {
                Some(Work::Lines(question, rows, limit))
            } else {
                waiting.texts.take().map(Work::Texts)
            }
        }) {
            let answered = match work {
                Work::Lines(question, rows, limit) => self.answer_lines(&question, &rows, limit),
                Work::Texts(all) => {
                    all.into_iter().try_for_each(|(question, wants)| self.answer_texts(&question, wants, posted))
                }
            };
            if answered == Err(Gone) {
                return;
            }
        }
    }

    fn answer_lines(&mut self, question: &Question, rows: &[RowIx], limit_bytes: u64) -> Result<(), Gone> {
        let limit = usize::try_from(limit_bytes).unwrap_or(usize::MAX);
        let mut lines = Vec::new();
        let mut failure = None;
        for row in rows {
            match self.texts.line(question.epoch, &question.session, *row, limit) {
                Ok(text) => lines.extend(raw_line(&question.session, *row, &text)),
                Err(error) => failure = Some(error),
            }
        }
        self.outbox.send(Message::FetchedLines { epoch: question.epoch, ticket: question.ticket, lines })?;
        match failure {
            Some(error) => self.outbox.send(Message::Failed { what: error.to_string() }),
            None => Ok(()),
        }
    }

    fn answer_texts(&mut self, question: &Question, wants: Vec<SummaryKey>, posted: u64) -> Result<(), Gone> {
        let calls = match self.calls.take() {
            Some((session, calls)) if Arc::ptr_eq(&session, &question.session) => calls,
            Some(_) | None => CallRows::new(&question.session.facts),
        };
        let mut wants = wants.into_iter().peekable();
        let mut told = Told::default();
        let mut result = Ok(());
        while let Some(key) = wants.next() {
            let mut same_line = vec![key];
            let mut last = key;
            while let Some(more) = wants.next_if(|more| goes_on(last, *more)) {
                same_line.push(more);
                last = more;
            }
            self.tell(question, &calls, &same_line, &mut told);
            if told.items.len() >= PIECE {
                result = self.send(question, &mut told);
            }
            // Something else is wanted by now; what is missing will be asked for again.
            if result.is_err() || self.desk.posted() != posted {
                break;
            }
        }
        self.calls = Some((Arc::clone(&question.session), calls));
        result.and_then(|()| self.send(question, &mut told))
    }

    fn send(&self, question: &Question, told: &mut Told) -> Result<(), Gone> {
        let Told { items, streams } = std::mem::take(told);
        let epoch = question.epoch;
        if !streams.is_empty() {
            self.outbox.send(Message::StreamsCounted { epoch, ticket: question.ticket, streams })?;
        }
        if items.is_empty() {
            return Ok(());
        }
        self.outbox.send(Message::Summarised { epoch, ticket: question.ticket, items })
    }

    /// Tells keys that need the same line. A line that cannot be read is told by what the index knows of it.
    fn tell(&mut self, question: &Question, calls: &CallRows, keys: &[SummaryKey], told: &mut Told) {
        let session = &*question.session;
        let teller = Teller::new(session, calls, &self.words);
        let Some(first) = keys.first() else { return };
        let mut line = |row: RowIx, limit: usize| self.texts.line(question.epoch, session, row, limit).ok();
        match *first {
            SummaryKey::Row(row) => {
                let has_stream = may_hold_a_stream(session, row);
                let text = line(row, if has_stream { MEMBER_BYTES } else { ROW_BYTES });
                let text = bytes(text.as_ref());
                if has_stream {
                    let records = Teller::stream_members(text);
                    told.streams.extend((records > 0).then_some((row, records)));
                }
                told.items.push((*first, teller.row(&text[..text.len().min(ROW_BYTES)], row, COLUMNS)));
            }
            SummaryKey::Run { first: from, last } => {
                let run = Run { first: from, last };
                let texts: Vec<(RowIx, Text)> = run_rows(run, session)
                    .into_iter()
                    .filter_map(|row| line(row, ROW_BYTES).map(|text| (row, text)))
                    .collect();
                let lines: Vec<(RowIx, &[u8])> = texts.iter().map(|(row, text)| (*row, text.as_bytes())).collect();
                told.items.push((*first, teller.run(run, &lines, COLUMNS)));
            }
            SummaryKey::Member(event) => {
                let text = line(event.row, MEMBER_BYTES);
                tell_members(&teller, session, bytes(text.as_ref()), event, keys, told);
            }
            SummaryKey::Ghost(at) => {
                let ghost = session.facts.resume.get(at as usize);
                told.items.extend(ghost.map(|ghost| (*first, teller.ghost(ghost, COLUMNS))));
            }
        }
    }
}

/// Answers that wait to be sent.
#[derive(Default)]
struct Told {
    items: Vec<(SummaryKey, What)>,
    /// Messages and how many records their embedded stream has.
    streams: Vec<(RowIx, u32)>,
}

fn may_hold_a_stream(session: &Session, row: RowIx) -> bool {
    let kind = session.index.rows.get(row).map(|row| row.kind);
    kind.is_some_and(|kind| matches!(kind, Kind::AssistantMessage | Kind::AssistantAttempt))
}

/// Members of a packed row, or records of the stream inside a message; the latter are read once for all.
fn tell_members(
    teller: &Teller<'_>,
    session: &Session,
    line: &[u8],
    first: EventRef,
    keys: &[SummaryKey],
    told: &mut Told,
) {
    if session.index.rows.get(first.row).is_some_and(|row| row.kind.is_chunk()) {
        let members = keys.iter().filter_map(|key| member_of(*key).map(|member| (*key, member)));
        told.items.extend(members.map(|(key, member)| (key, teller.member(line, member, COLUMNS))));
    } else {
        let records = teller.stream(line, first.member, keys.len() as u32, COLUMNS);
        told.items.extend(keys.iter().copied().zip(records));
    }
}

fn member_of(key: SummaryKey) -> Option<u32> {
    match key {
        SummaryKey::Member(event) => Some(event.member),
        SummaryKey::Row(_) | SummaryKey::Run { .. } | SummaryKey::Ghost(_) => None,
    }
}

/// Whether both are members of one line, the second right after the first.
fn goes_on(first: SummaryKey, more: SummaryKey) -> bool {
    match (first, more) {
        (SummaryKey::Member(first), SummaryKey::Member(more)) => {
            first.row == more.row && first.member.checked_add(1) == Some(more.member)
        }
        (SummaryKey::Row(_) | SummaryKey::Run { .. } | SummaryKey::Member(_) | SummaryKey::Ghost(_), _) => false,
    }
}

fn bytes(text: Option<&Text>) -> &[u8] {
    text.map(Text::as_bytes).unwrap_or_default()
}

fn raw_line(session: &Session, row: RowIx, text: &Text) -> Option<RawLine> {
    let len = session.index.rows.get(row)?.len;
    Some(RawLine { row, bytes: text.as_bytes().into(), total: u64::from(len) })
}

#[cfg(test)]
mod tests;
