//! The core with a log behind it and no terminal, thread or clock: what workers answer is answered at once.
//!
//! ```text
//! key ─▶ update ─▶ effects ─▶ answers (from the log) ─▶ update ─▶ … ─▶ draw ─▶ Buffer
//! ```

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use trajview::app::effect::{Effect, Wants};
use trajview::app::family::{Kin, Relative};
use trajview::app::key::{Key, KeyCode};
use trajview::app::list::List;
use trajview::app::list::hits::{Passages, Seen, look_through};
use trajview::app::message::{Epoch, Found, Message, OddFile, OddKind, SummaryKey, Ticket};
use trajview::app::model::{Model, Settings};
use trajview::app::update::update;
use trajview::log::{BlockReader, Content, MemorySource, Source, sniff};
use trajview::query::Needle;
use trajview::query::predicate::Verdict;
use trajview::query::selection::{Lines, Sifter, Sought};
use trajview::record::kinds::Kind;
use trajview::session::piece::Keep;
use trajview::session::row::{EventRef, Flags, Row, RowIx};
use trajview::store::lineage::{Lineage, MOST_LINE};
use trajview::store::{Brief, Counted, SessionIx, Store};
use trajview::text::locale::{Language, Words};
use trajview::triage::detail::RawLine;
use trajview::triage::open::{self, Log};
use trajview::triage::session::Session;
use trajview::triage::what::{CallRows, Run, Teller, What, run_rows};
use trajview::ui::{Look, draw};

/// Columns that one-line texts are made for, as the worker does.
const COLUMNS: usize = 400;

/// Bytes of a line that its one-line text is made of, as the worker does.
const ROW_BYTES: usize = 64 << 10;

/// Rounds of question and answer after which the core is said to ask for ever.
const MOST_ROUNDS: usize = 64;

/// The core on a screen of some size.
pub struct Stage {
    /// The core.
    pub model: Model,
    /// Theme, signs and words.
    pub look: Look,
    behind: Option<Behind>,
    /// Relatives, by their readings.
    kin: Vec<(Epoch, Behind)>,
}

/// The log behind the core.
struct Behind {
    session: Arc<Session>,
    calls: CallRows,
    reader: BlockReader,
}

impl Stage {
    /// Opens a log under the name that is shown, as the loader does: the end first, then everything.
    pub fn open(log: Vec<u8>, name: &str, columns: u16, rows: u16) -> Stage {
        Stage::open_in(Language::English, log, name, columns, rows)
    }

    /// As [`Stage::open`], in a language.
    pub fn open_in(language: Language, log: Vec<u8>, name: &str, columns: u16, rows: u16) -> Stage {
        let (settings, look) = speaking(language);
        let mut stage = Stage { model: Model::new(settings), look, behind: None, kin: Vec::new() };
        stage.play(Message::Resized { columns, rows });
        stage.load(log, name).expect("memory can be read");
        stage
    }

    /// Begins with the sessions of a store, listed at some time (milliseconds since the Unix epoch), each read whole.
    pub fn of_store(store: Store, place: &str, now: i64, columns: u16, rows: u16) -> Stage {
        Stage::of_store_in(Language::English, store, place, now, (columns, rows))
    }

    /// As [`Stage::of_store`], in a language, on a screen of some columns and rows.
    pub fn of_store_in(language: Language, store: Store, place: &str, now: i64, (columns, rows): (u16, u16)) -> Stage {
        let (settings, look) = speaking(language);
        let model = Model::of_store(settings, place.to_owned());
        let ticket = model.list.as_ref().expect("it begins with a list").ticket();
        let mut stage = Stage { model, look, behind: None, kin: Vec::new() };
        stage.play(Message::Resized { columns, rows });
        let found = Found { store: Arc::new(store), place: place.to_owned(), here: None, now, can_follow: true };
        stage.play(Message::Listed { ticket, found: Ok(found) });
        stage
    }

    fn load(&mut self, log: Vec<u8>, name: &str) -> io::Result<()> {
        self.load_as(Epoch::default(), &(Arc::new(MemorySource::new(log)) as Arc<dyn Source>), name)
    }

    fn load_as(&mut self, epoch: Epoch, source: &Arc<dyn Source>, name: &str) -> io::Result<()> {
        let bytes = source.size()?;
        let Some(encoding) = sniff(&**source)?.encoding() else {
            let kind = if bytes == 0 { OddKind::Empty } else { OddKind::NotALog { first_line: None } };
            let odd = OddFile { path: name.to_owned(), bytes: Some(bytes), kind };
            self.play(Message::Refused { epoch, odd });
            return Ok(());
        };
        if let Some(tail) = open::tail(source, encoding, Path::new(name))? {
            self.show(epoch, source, tail);
        }
        let mut log = Log::new(Arc::clone(source), encoding, Path::new(name), Keep::HugeFrames);
        log.read(1, &mut |_| ControlFlow::Continue(()))?;
        let session = log.into_session()?;
        self.show(epoch, source, session);
        Ok(())
    }

    fn show(&mut self, epoch: Epoch, source: &Arc<dyn Source>, session: Session) {
        let session = Arc::new(session);
        self.behind = Some(Behind::of(source, Arc::clone(&session)));
        self.play(Message::Opened { epoch, session });
    }

    /// Plays a message, and what the workers answer to what follows from it.
    pub fn play(&mut self, message: Message) {
        let mut waiting = update(&mut self.model, message);
        for _ in 0..MOST_ROUNDS {
            let answers: Vec<Message> = waiting.drain(..).flat_map(|effect| self.answer(effect)).collect();
            if answers.is_empty() {
                return;
            }
            for answer in answers {
                waiting.extend(update(&mut self.model, answer));
            }
        }
        panic!("the core does not stop asking");
    }

    /// Presses keys: characters as they stand, and `<Enter> <Esc> <Tab> <Down> <PageDown> <End> <C-d>` by name.
    pub fn press(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let (key, after) = match named.and_then(|(name, after)| Some((key_named(name)?, after))) {
                Some((key, after)) => (key, after),
                None => (Key::char(first), &rest[first.len_utf8()..]),
            };
            self.play(Message::Pressed(key));
            rest = after;
        }
    }

    /// Relatives are found: plain logs or compressed ones.
    pub fn find_kin(&mut self, logs: Vec<Vec<u8>>) {
        for (at, log) in logs.into_iter().enumerate() {
            let source: Arc<dyn Source> = Arc::new(MemorySource::new(log));
            let encoding = sniff(&*source).ok().and_then(Content::encoding).expect("a log");
            let mut log = Log::new(Arc::clone(&source), encoding, Path::new("session.jsonl"), Keep::Nothing);
            log.read(1, &mut |_| ControlFlow::Continue(())).expect("memory can be read");
            let session = log.into_session().expect("memory can be read");
            self.kin.push((Epoch::of_kin(at as u32), Behind::of(&source, Arc::new(session))));
        }
        let home = self.behind.as_mut().expect("a log is open");
        let sessions: Vec<Arc<Session>> = std::iter::once(Arc::clone(&home.session))
            .chain(self.kin.iter().map(|(_, behind)| Arc::clone(&behind.session)))
            .collect();
        let kin = &mut self.kin;
        let lineage = Lineage::of(&sessions, &mut |member, row| {
            let behind = match member.as_usize().checked_sub(1) {
                None => &mut *home,
                Some(at) => &mut kin.get_mut(at)?.1,
            };
            Some(behind.line(row, MOST_LINE))
        });
        let relative = |(epoch, behind): &(Epoch, Behind)| {
            Relative::of(*epoch, Arc::clone(&behind.session), &self.look.words, None)
        };
        let relatives = self.kin.iter().map(relative).collect();
        let kin = Box::new(Kin { lineage, relatives, unread: 0, in_store: true, quiet_ms: None });
        self.play(Message::KinFound { epoch: Epoch::default(), kin });
    }

    fn behind(&mut self, epoch: Epoch) -> Option<&mut Behind> {
        match self.kin.iter_mut().find(|(other, _)| *other == epoch) {
            Some((_, behind)) => Some(behind),
            None => self.behind.as_mut(),
        }
    }

    fn answer(&mut self, effect: Effect) -> Vec<Message> {
        match effect {
            Effect::TellSessions { ticket, whole, .. } => self.tell(ticket, &whole).into_iter().collect(),
            Effect::SearchSessions { ticket, needle, order } => {
                self.search(ticket, &needle, &order).into_iter().collect()
            }
            Effect::OpenStored { epoch, path } => {
                let store = self.model.list.as_ref().and_then(List::store).expect("it was opened from a list");
                let source = store.open(&path).expect("the store is there");
                self.load_as(epoch, &source, &path.to_string_lossy()).expect("the store is there");
                Vec::new()
            }
            Effect::SummariseEach { ticket, wants } => {
                let one = |wants: Wants| Effect::Summarise { epoch: wants.epoch, ticket, wants: wants.keys };
                wants.into_iter().map(one).flat_map(|effect| self.answer(effect)).collect()
            }
            effect => self.answer_of_log(effect),
        }
    }

    fn answer_of_log(&mut self, effect: Effect) -> Vec<Message> {
        let look = self.look.clone();
        let epoch = match &effect {
            Effect::Summarise { epoch, .. }
            | Effect::Fetch { epoch, .. }
            | Effect::Search { epoch, .. }
            | Effect::Sift { epoch, .. } => *epoch,
            _ => Epoch::default(),
        };
        let Some(behind) = self.behind(epoch) else { return Vec::new() };
        match effect {
            Effect::Summarise { epoch, ticket, wants } => {
                let mut streams = Vec::new();
                let items = wants.into_iter().map(|key| (key, behind.what(key, &look, &mut streams))).collect();
                vec![Message::StreamsCounted { epoch, ticket, streams }, Message::Summarised { epoch, ticket, items }]
            }
            Effect::Fetch { epoch, ticket, rows, limit_bytes, .. } => {
                let lines = rows.into_iter().filter_map(|row| behind.raw(row, limit_bytes as usize)).collect();
                vec![Message::FetchedLines { epoch, ticket, lines }]
            }
            Effect::Search { epoch, ticket, needle, from: _, filter } => {
                let wants = |ix, row: &Row| filter.as_ref().is_none_or(|filter| filter.keeps(ix, row));
                let (rows, looked_at) = behind.sift(Sought::Needle(&needle), wants);
                let hits = rows.into_iter().map(|row| EventRef { row, member: 0 }).collect();
                vec![Message::Found { epoch, ticket, hits, looked_at, done: true }]
            }
            Effect::Sift { epoch, ticket, query, from: _ } => {
                let wants = |ix, row: &Row| query.judge(ix, row) == Verdict::Text;
                let (rows, looked_at) = behind.sift(Sought::Query(&query), wants);
                vec![Message::Sifted { epoch, ticket, rows, looked_at, done: true }]
            }
            Effect::Copy { label, bytes } => {
                vec![Message::Copied {
                    label,
                    bytes: bytes.len() as u64,
                    ways: look.words.get("copy.osc_sent").to_owned(),
                }]
            }
            Effect::ListSessions { .. }
            | Effect::TellSessions { .. }
            | Effect::TellOn
            | Effect::StopTelling
            | Effect::SearchSessions { .. }
            | Effect::StopSearchingSessions
            | Effect::OpenStored { .. }
            | Effect::OpenNewer { .. }
            | Effect::FindKin { .. }
            | Effect::SummariseEach { .. }
            | Effect::StopReading { .. }
            | Effect::Follow { .. }
            | Effect::Quit
            | Effect::Abort { .. }
            | Effect::Suspend
            | Effect::Redraw
            | Effect::Remember { .. }
            | Effect::Mouse { .. }
            | Effect::StopSearch
            | Effect::StopSift
            | Effect::CopyRecord { .. }
            | Effect::CopyCitation { .. }
            | Effect::WriteText { .. }
            | Effect::HandOver { .. }
            | Effect::Reload { .. } => Vec::new(),
        }
    }

    /// What logs of the list say, as the worker tells it in the end.
    fn tell(&self, ticket: Ticket, whole: &[SessionIx]) -> Option<Message> {
        let store = self.model.list.as_ref().and_then(List::store)?;
        let (mut briefs, mut older) = (Vec::new(), Vec::new());
        for at in whole {
            for (nth, log) in store[*at].generations.iter().enumerate() {
                let read = store.read(log, 1, &mut |_| ControlFlow::Continue(()));
                match (nth, read) {
                    (0, Ok(session)) => briefs.push((*at, Brief::of(&session))),
                    (0, Err(error)) => briefs.push((*at, Brief::unreadable(&error))),
                    (_, Ok(session)) => {
                        let events = Ok(session.facts.container.events);
                        older.push((*at, nth, Counted { version: session.facts.format.version, events }));
                    }
                    (_, Err(error)) => {
                        older.push((*at, nth, Counted { version: log.version, events: Err(error.to_string()) }));
                    }
                }
            }
        }
        Some(Message::Told { ticket, briefs, older })
    }

    /// What all sessions hold, as the worker tells it in the end.
    fn search(&self, ticket: Ticket, needle: &Needle, order: &[SessionIx]) -> Option<Message> {
        let store = self.model.list.as_ref().and_then(List::store)?;
        let (mut found, mut unreadable) = (Vec::new(), 0);
        for at in order {
            let log = store[*at].current();
            let Ok(session) = store.read(log, 1, &mut |_| ControlFlow::Continue(())) else {
                unreadable += 1;
                continue;
            };
            let session = Arc::new(session);
            let mut behind = Behind::of(&store.open(&log.path).ok()?, Arc::clone(&session));
            let mut passages = Passages { at: *at, hits: Vec::new(), further: 0 };
            let _ = look_through(needle, &session, &mut behind, &mut |seen| {
                match seen {
                    Seen::Hit(hit) => passages.hits.push(hit),
                    Seen::Further => passages.further += 1,
                    Seen::Nothing => {}
                }
                ControlFlow::Continue(())
            });
            found.extend(Some(passages).filter(|passages| !passages.hits.is_empty()));
        }
        Some(Message::FoundInSessions { ticket, found, looked_at: order.len(), unreadable, done: true })
    }

    /// The screen, on a buffer of its own, and where the terminal's cursor stands.
    pub fn draw(&self) -> (Buffer, Option<(u16, u16)>) {
        let (columns, rows) = self.model.screen;
        let screen = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(screen);
        let cursor = draw(&self.model, &self.look, screen, &mut buffer);
        (buffer, cursor)
    }

    /// The screen as text: one line a row, blanks at the ends cut, the terminal's cursor as `_`.
    pub fn text(&self) -> String {
        let (mut buffer, cursor) = self.draw();
        if let Some(cell) = cursor.and_then(|place| buffer.cell_mut(place)) {
            cell.set_symbol("_");
        }
        rows_of(&buffer).iter().flat_map(|row| [row.trim_end(), "\n"]).collect()
    }
}

impl Lines for Behind {
    fn line(&mut self, ix: RowIx) -> Option<Cow<'_, [u8]>> {
        Some(Behind::line(self, ix, usize::MAX).into())
    }
}

impl Behind {
    fn of(source: &Arc<dyn Source>, session: Arc<Session>) -> Behind {
        let reader = BlockReader::new(Arc::clone(source), 8 << 20);
        Behind { calls: CallRows::new(&session.facts), reader, session }
    }

    /// Rows that hold what is sought, of those wanted; and how many lines there are.
    fn sift(&mut self, sought: Sought<'_>, wants: impl Fn(RowIx, &Row) -> bool) -> (Vec<RowIx>, u64) {
        let session = Arc::clone(&self.session);
        let mut sifter = Sifter::default();
        let wanted = session.index.rows.iter_from(RowIx(0)).filter(|(ix, row)| wants(*ix, row)).map(|(ix, _)| ix);
        let rows = wanted.filter(|ix| sifter.keeps(sought, &session, *ix, self)).collect();
        (rows, session.index.rows.len() as u64)
    }

    /// The bytes of a line, at most `limit` of them.
    fn line(&mut self, row: RowIx, limit: usize) -> Vec<u8> {
        let Some(row) = self.session.index.rows.get(row) else { return Vec::new() };
        let len = (row.len as usize).min(limit);
        let mut bytes = Vec::new();
        let mut at = row.at as usize;
        for address in self.session.index.blocks.iter().skip(row.block.0 as usize) {
            let Ok(text) = self.reader.block(address) else { break };
            bytes.extend_from_slice(text.get(at..).unwrap_or_default());
            if bytes.len() >= len || !row.flags.has(Flags::SPLIT) {
                break;
            }
            at = 0;
        }
        bytes.truncate(len);
        bytes
    }

    fn raw(&mut self, row: RowIx, limit: usize) -> Option<RawLine> {
        let total = u64::from(self.session.index.rows.get(row)?.len);
        Some(RawLine { row, bytes: self.line(row, limit).into(), total })
    }

    fn what(&mut self, key: SummaryKey, look: &Look, streams: &mut Vec<(RowIx, u32)>) -> What {
        let session = Arc::clone(&self.session);
        let lines: Vec<(RowIx, Vec<u8>)> = match key {
            SummaryKey::Row(row) => vec![(row, self.line(row, usize::MAX))],
            SummaryKey::Member(event) => vec![(event.row, self.line(event.row, usize::MAX))],
            SummaryKey::Run { first, last } => {
                let rows = run_rows(Run { first, last }, &session);
                rows.into_iter().map(|row| (row, self.line(row, ROW_BYTES))).collect()
            }
            SummaryKey::Ghost(_) => Vec::new(),
        };
        let teller = Teller::new(&session, &self.calls, &look.words);
        let line = lines.first().map(|(_, line)| line.as_slice()).unwrap_or_default();
        match key {
            SummaryKey::Row(row) => {
                if holds_a_stream(&session, row) {
                    let records = Teller::stream_members(line);
                    streams.extend((records > 0).then_some((row, records)));
                }
                teller.row(&line[..line.len().min(ROW_BYTES)], row, COLUMNS)
            }
            SummaryKey::Member(event) if holds_a_stream(&session, event.row) => {
                teller.stream(line, event.member, 1, COLUMNS).pop().unwrap_or_default()
            }
            SummaryKey::Member(event) => teller.member(line, event.member, COLUMNS),
            SummaryKey::Run { first, last } => {
                let lines: Vec<(RowIx, &[u8])> = lines.iter().map(|(row, line)| (*row, line.as_slice())).collect();
                teller.run(Run { first, last }, &lines, COLUMNS)
            }
            SummaryKey::Ghost(at) => {
                let ghost = session.facts.resume.get(at as usize);
                ghost.map(|ghost| teller.ghost(ghost, COLUMNS)).unwrap_or_default()
            }
        }
    }
}

/// Settings and look that speak a language.
fn speaking(language: Language) -> (Settings, Look) {
    static WORDS: [OnceLock<Arc<Words>>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    let at = Language::ALL.iter().position(|other| *other == language).unwrap_or_default();
    let words = Arc::clone(WORDS[at].get_or_init(|| Arc::new(Words::of(language))));
    (Settings { words: Arc::clone(&words), ..Settings::default() }, Look { words, ..Look::default() })
}

fn holds_a_stream(session: &Session, row: RowIx) -> bool {
    let kind = session.index.rows.get(row).map(|row| row.kind);
    kind.is_some_and(|kind| matches!(kind, Kind::AssistantMessage | Kind::AssistantAttempt))
}

fn key_named(name: &str) -> Option<Key> {
    if let Some(char) = name.strip_prefix("C-").and_then(|rest| rest.chars().next()) {
        return Some(Key::ctrl(char));
    }
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Down" => KeyCode::Down,
        "PageDown" => KeyCode::PageDown,
        "End" => KeyCode::End,
        _ => return None,
    };
    Some(Key::plain(code))
}

/// The cells of each row as text; the second cell of a wide sign adds nothing.
pub fn rows_of(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    (area.top()..area.bottom()).map(|y| cells_of(buffer, y).map(|(_, symbol)| symbol).collect()).collect()
}

/// Column and text of each cell of a row, without the second cells of wide signs.
pub fn cells_of(buffer: &Buffer, y: u16) -> impl Iterator<Item = (u16, &str)> {
    let mut hidden = 0;
    (buffer.area.left()..buffer.area.right()).filter_map(move |x| {
        let cell = buffer.cell((x, y))?;
        if hidden > 0 {
            hidden -= 1;
            return None;
        }
        let symbol = cell.symbol();
        hidden = trajview::text::width::columns(symbol).saturating_sub(1);
        Some((x, symbol))
    })
}
