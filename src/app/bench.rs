//! A model with a log behind it that answers at once: for tests of the core.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::effect::Effect;
use super::family::{Kin, Relative};
use super::key::{Key, KeyCode};
use super::message::{Epoch, Message, SummaryKey, Ticket};
use super::model::{Model, Settings};
use super::update::update;
use crate::log::{Encoding, MemorySource};
use crate::query::predicate::Verdict;
use crate::query::selection::{Lines, Sifter, Sought};
use crate::session::piece::Keep;
use crate::session::row::{EventRef, Row, RowIx};
use crate::store::lineage::Lineage;
use crate::text::locale::Words;
use crate::triage::detail::RawLine;
use crate::triage::open::Log;
use crate::triage::session::Session;
use crate::triage::what::{CallRows, Teller, What};

/// Columns of a one-line text.
const COLUMNS: usize = 200;

/// Reads a plain log from memory.
pub(crate) fn session(text: &str) -> Session {
    let source = Arc::new(MemorySource::new(text.as_bytes().to_vec()));
    let mut log = Log::new(source, Encoding::Plain, Path::new("logs/made up.jsonl"), Keep::Nothing);
    log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
    log.into_session().expect("memory can be read")
}

/// Lines in memory.
struct Held<'a>(&'a [Vec<u8>]);

impl Lines for Held<'_> {
    fn line(&mut self, ix: RowIx) -> Option<Cow<'_, [u8]>> {
        self.0.get(ix.as_usize()).map(Cow::from)
    }
}

/// A model, the lines of its log, and the effects it asked for.
pub(crate) struct Bench {
    pub(crate) model: Model,
    lines: Vec<Vec<u8>>,
    /// Lines of relatives, by their readings.
    kin: Vec<(Epoch, Vec<Vec<u8>>)>,
    /// Readings of relatives so far.
    kin_read: u32,
    /// Effects that nobody answered, oldest first.
    pub(crate) left: Vec<Effect>,
    /// How often relatives were to be looked for.
    pub(crate) asked_kin: usize,
    /// Texts asked for so far.
    pub(crate) texts: usize,
}

impl Bench {
    /// A model of this size without a log.
    pub(crate) fn empty(columns: u16, rows: u16) -> Bench {
        Bench::with(Settings::default(), columns, rows)
    }

    /// The same with settings.
    pub(crate) fn with(settings: Settings, columns: u16, rows: u16) -> Bench {
        let model = Model::new(settings);
        let mut bench =
            Bench { model, lines: Vec::new(), kin: Vec::new(), kin_read: 0, left: Vec::new(), asked_kin: 0, texts: 0 };
        bench.send(Message::Resized { columns, rows });
        bench
    }

    /// A model with this log open.
    pub(crate) fn open(text: &str, columns: u16, rows: u16) -> Bench {
        let mut bench = Bench::empty(columns, rows);
        bench.read(text);
        bench
    }

    /// The log was read again, with this text.
    pub(crate) fn read(&mut self, text: &str) {
        let session = session(text);
        let header = session.index.header_lines as usize;
        self.lines = text.lines().skip(header).map(|line| line.as_bytes().to_vec()).collect();
        self.send(Message::Opened { epoch: self.model.home_epoch(), session: Arc::new(session) });
    }

    /// Relatives with these texts were found.
    pub(crate) fn find_kin(&mut self, texts: &[String]) {
        let lines = |text: &str| text.lines().skip(1).map(|line| line.as_bytes().to_vec()).collect::<Vec<_>>();
        let home = self.model.open_of(super::family::HOME).expect("a log is open").session.clone();
        let sessions: Vec<Arc<Session>> =
            std::iter::once(home).chain(texts.iter().map(|text| Arc::new(session(text)))).collect();
        let all: Vec<Vec<Vec<u8>>> =
            std::iter::once(self.lines.clone()).chain(texts.iter().map(|text| lines(text))).collect();
        let lineage = Lineage::of(&sessions, &mut |member, row| all[member.as_usize()].get(row.as_usize()).cloned());
        let words = Words::english();
        let before = self.kin_read;
        self.kin_read += texts.len() as u32;
        let epoch = |at: usize| Epoch::of_kin(before + at as u32);
        let relative =
            |(at, session): (usize, &Arc<Session>)| Relative::of(epoch(at), Arc::clone(session), &words, None);
        let relatives: Vec<Relative> = sessions.iter().enumerate().skip(1).map(relative).collect();
        self.kin = all.into_iter().enumerate().skip(1).map(|(at, lines)| (epoch(at), lines)).collect();
        let kin = Box::new(Kin { lineage, relatives, unread: 0, in_store: true, quiet_ms: None });
        self.send(Message::KinFound { epoch: self.model.home_epoch(), kin });
    }

    fn lines_of(&self, epoch: Epoch) -> &[Vec<u8>] {
        let kin = self.kin.iter().find(|(other, _)| *other == epoch);
        kin.map_or(&self.lines, |(_, lines)| lines)
    }

    /// Something happened; questions of the core are answered until it asks no more.
    pub(crate) fn send(&mut self, message: Message) {
        let mut waiting = update(&mut self.model, message);
        while !waiting.is_empty() {
            let effect = waiting.remove(0);
            if let Effect::SummariseEach { ticket, wants } = &effect {
                for wants in wants {
                    let session = self.model.session_of(wants.epoch).expect("a log that is here");
                    let told = self.summarise(&session, wants.epoch, *ticket, &wants.keys);
                    waiting.extend(update(&mut self.model, told));
                }
                continue;
            }
            match self.answer(&effect) {
                Some(message) => waiting.extend(update(&mut self.model, message)),
                None if matches!(effect, Effect::FindKin { .. }) => self.asked_kin += 1,
                None => self.left.push(effect),
            }
        }
    }

    /// Presses keys: characters, and names in angle brackets such as `<Enter>` or `<C-d>`.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Bench {
        let mut rest = keys;
        while let Some(char) = rest.chars().next() {
            let (key, used) = match rest.find('>').filter(|end| char == '<' && *end > 1) {
                Some(end) => (named(&rest[1..end]), end + 1),
                None => (Key::char(char), char.len_utf8()),
            };
            self.send(Message::Pressed(key));
            rest = &rest[used..];
        }
        self
    }

    /// Seq of the row with the cursor; `None` for rules, ghosts and rows without one.
    pub(crate) fn seq(&self) -> Option<i64> {
        let event = self.model.current_event()?;
        let open = self.model.open.as_ref()?;
        open.session.index.rows.get(event.row)?.seq().map(|seq| seq.0 + i64::from(event.member))
    }

    /// The sentence in the last line.
    pub(crate) fn said(&self) -> &str {
        self.model.notice.as_ref().map_or("", |notice| &notice.text)
    }

    fn answer(&mut self, effect: &Effect) -> Option<Message> {
        let session = match effect {
            Effect::Summarise { epoch, .. }
            | Effect::Fetch { epoch, .. }
            | Effect::Search { epoch, .. }
            | Effect::Sift { epoch, .. } => self.model.session_of(*epoch)?,
            _ => return None,
        };
        match effect {
            Effect::Summarise { epoch, ticket, wants } => {
                self.texts += wants.len();
                Some(self.summarise(&session, *epoch, *ticket, wants))
            }
            Effect::Fetch { epoch, ticket, rows, .. } => {
                let lines = rows.iter().filter_map(|row| self.raw(*epoch, *row)).collect();
                Some(Message::FetchedLines { epoch: *epoch, ticket: *ticket, lines })
            }
            Effect::Search { epoch, ticket, needle, filter, .. } => {
                let wants = |ix, row: &Row| filter.as_ref().is_none_or(|filter| filter.keeps(ix, row));
                let lines = self.lines_of(*epoch);
                let rows = Bench::sift(lines, &session, Sought::Needle(needle), wants);
                let hits = rows.into_iter().map(|row| EventRef { row, member: 0 }).collect();
                let looked_at = lines.len() as u64;
                Some(Message::Found { epoch: *epoch, ticket: *ticket, hits, looked_at, done: true })
            }
            Effect::Sift { epoch, ticket, query, .. } => {
                let lines = self.lines_of(*epoch);
                let wants = |ix, row: &Row| query.judge(ix, row) == Verdict::Text;
                let rows = Bench::sift(lines, &session, Sought::Query(query), wants);
                let looked_at = lines.len() as u64;
                Some(Message::Sifted { epoch: *epoch, ticket: *ticket, rows, looked_at, done: true })
            }
            _ => None,
        }
    }

    /// Rows that hold what is sought, of those wanted.
    fn sift(
        lines: &[Vec<u8>],
        session: &Session,
        sought: Sought<'_>,
        wants: impl Fn(RowIx, &Row) -> bool,
    ) -> Vec<RowIx> {
        let (mut sifter, mut lines) = (Sifter::default(), Held(lines));
        let rows = session.index.rows.iter_from(RowIx(0)).filter(|(ix, row)| wants(*ix, row)).map(|(ix, _)| ix);
        rows.filter(|ix| sifter.keeps(sought, session, *ix, &mut lines)).collect()
    }

    fn raw(&self, epoch: Epoch, row: RowIx) -> Option<RawLine> {
        let bytes = self.lines_of(epoch).get(row.as_usize())?;
        Some(RawLine { row, bytes: bytes.as_slice().into(), total: bytes.len() as u64 })
    }

    fn summarise(&self, session: &Session, epoch: Epoch, ticket: Ticket, wants: &[SummaryKey]) -> Message {
        let words = Words::english();
        let calls = CallRows::new(&session.facts);
        let teller = Teller::new(session, &calls, &words);
        let lines = self.lines_of(epoch);
        let line = |row: RowIx| lines.get(row.as_usize()).map_or(&b""[..], Vec::as_slice);
        let what = |key: &SummaryKey| match *key {
            SummaryKey::Row(row) => teller.row(line(row), row, COLUMNS),
            SummaryKey::Member(event) => teller.member(line(event.row), event.member, COLUMNS),
            SummaryKey::Ghost(at) => {
                session.facts.resume.get(at as usize).map_or_else(What::default, |ghost| teller.ghost(ghost, COLUMNS))
            }
            SummaryKey::Run { first, last } => {
                let lines: Vec<_> = (first.0..=last.0).map(|row| (RowIx(row), line(RowIx(row)))).collect();
                teller.run(crate::triage::what::Run { first, last }, &lines, COLUMNS)
            }
        };
        Message::Summarised { epoch, ticket, items: wants.iter().map(|key| (*key, what(key))).collect() }
    }
}

fn named(name: &str) -> Key {
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "S-Tab" => return Key::shift(KeyCode::Tab),
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgDn" => KeyCode::PageDown,
        "PgUp" => KeyCode::PageUp,
        "lt" => KeyCode::Char('<'),
        other => match other.strip_prefix("C-").and_then(|rest| rest.chars().next()) {
            Some(char) => return Key::ctrl(char),
            None => KeyCode::Char(other.chars().next().unwrap_or(' ')),
        },
    };
    Key::plain(code)
}
