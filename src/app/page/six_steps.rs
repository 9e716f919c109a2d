//! The ten-minute pass (docs/SCREENS.md section 8): six questions, each with answer, proof and place.

use super::state::harness;
use super::{Page, PageKind, fold};
use crate::app::model::{Open, Settings};
use crate::app::parted::{Part, PartedLine};
use crate::log::sniff::Encoding;
use crate::session::row::{EventRef, RowIx};
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::{pad_end, prefixed_id, short_call_id};
use crate::triage::doc::{Doc, DocLine};
use crate::triage::facts::{Basis, Call, CallState, Facts, FormatSource, LoaderResult, Switched, ToolOrigin};

/// Columns of the questions.
const QUESTION: usize = 21;

/// Calls named before the rest is only counted.
const MOST_NAMED: usize = 4;

/// The page.
pub(crate) fn six_steps(open: &Open, settings: &Settings, width: u16) -> Page {
    let mut pass = Pass { open, facts: &open.session.facts, words: &settings.words, doc: Doc::default(), news: None };
    for step in 1..=6 {
        match step {
            1 => pass.what(),
            2 => pass.whole(),
            3 => pass.last_call(),
            4 => pass.ran(),
            5 => pass.tool(),
            _ => pass.report(),
        }
        pass.doc.lines.push(DocLine::blank());
    }
    let stopped = display(pass.facts.stopped.text.as_bytes());
    let target = pass.facts.stopped.row.map(at);
    let text = pass.words.say("pass.why_stopped", &[("text", &stopped)]);
    pass.doc.lines.push(DocLine { target, ..DocLine::of(text, Role::Normal) });
    let path = display(open.session.path.to_string_lossy().as_bytes());
    let title = PartedLine {
        left: vec![
            Part::fixed(pass.words.get("pass.title"), Role::Strong),
            Part::droppable(path, Role::Normal, 5).gap(3),
        ],
        right: vec![Part::shrinking(
            &[pass.words.get("pass.hint").to_owned(), pass.words.get("page_header.back").to_owned()],
            Role::Dim,
            9,
        )],
    };
    let (doc, cursor) = fold(&pass.doc, width, pass.news.unwrap_or(0));
    Page { kind: PageKind::SixSteps, title, doc, cursor, top: 0 }
}

fn at(row: RowIx) -> EventRef {
    EventRef { row, member: 0 }
}

/// Tool, id and seq of a call, printable.
fn named(call: &Call) -> [String; 3] {
    let seq = call.call_seq.or(call.message_seq).map_or("?".to_owned(), |seq| seq.to_string());
    [display(call.name.as_bytes()), display(call.call_id.as_bytes()), seq]
}

struct Pass<'a> {
    open: &'a Open,
    facts: &'a Facts,
    words: &'a Words,
    doc: Doc,
    /// Line of the first answer that is not fine.
    news: Option<usize>,
}

impl Pass<'_> {
    fn answer(&mut self, step: usize, mark: char, text: String, row: Option<RowIx>) {
        if mark != '✓' && self.news.is_none() {
            self.news = Some(self.doc.lines.len());
        }
        let role = match mark {
            '✓' => Role::Ok,
            '?' => Role::Unknown,
            '✗' => Role::Bad,
            _ => Role::Warn,
        };
        let question = self.words.get(&format!("pass.step_{step}")).to_owned();
        let spans = vec![
            Span::new(format!("{step}  {}", pad_end(&question, QUESTION)), Role::Dim),
            Span::new(format!("{mark}  "), role),
            Span::new(text, Role::Strong),
        ];
        self.doc.lines.push(DocLine { spans, target: row.map(at), indent: QUESTION as u16 + 6, ..DocLine::default() });
    }

    fn proof(&mut self, text: &str, row: Option<RowIx>) {
        let line = DocLine::of(format!("{}{text}", " ".repeat(QUESTION + 6)), Role::Normal);
        self.doc.lines.push(DocLine { target: row.map(at), indent: QUESTION as u16 + 6, ..line });
    }

    /// The call that steps 3 to 6 are about: unpaired, else recovered, else failed.
    fn call(&self) -> Option<&Call> {
        let at = self.facts.last_unpaired.or(self.facts.last_recovered).or(self.facts.last_failed)?;
        self.facts.calls.get(at)
    }

    fn what(&mut self) {
        let words = self.words;
        let header = self.facts.header.as_ref();
        let missing = || words.get("missing.words").to_owned();
        let cwd = header.and_then(|header| header.cwd.as_ref()).map_or_else(missing, |cwd| display(cwd.as_bytes()));
        let preset = header.and_then(|header| header.agent_preset.as_ref());
        let preset = preset.map_or_else(
            || words.get("pass.preset_missing").to_owned(),
            |preset| words.say("header.preset", &[("preset", &display(preset.as_bytes()))]),
        );
        let depth = match header.map(|header| header.delegation_depth) {
            Some(Some(0)) => words.get("pass.depth_top").to_owned(),
            Some(Some(depth)) => words.say("pass.depth_child", &[("depth", &depth.to_string())]),
            Some(None) => words.get("header.depth_missing").to_owned(),
            None => words.get("header.no_header").to_owned(),
        };
        let mark = if header.is_none() || !self.facts.header_problems.is_empty() { '✗' } else { '✓' };
        self.answer(1, mark, format!("{cwd}   {preset}   {depth}"), None);
        let version = self.facts.format.version.to_string();
        let encoding = words.get(match self.facts.container.encoding {
            Encoding::Zstd => "header.zstd",
            Encoding::Plain => "header.plain",
        });
        let source = match self.facts.format.source {
            FormatSource::Header => words.get("header.from_header"),
            FormatSource::FileName => words.get("header.from_file_name"),
            FormatSource::Guessed => "",
        };
        let key = if source.is_empty() { "pass.format_guessed" } else { "pass.format_from" };
        let mut text = words.say(key, &[("version", &version), ("source", source), ("encoding", encoding)]);
        if let Some(id) = header.and_then(|header| header.id.as_ref()) {
            text.push_str("   ");
            text.push_str(&prefixed_id(&display(id.as_bytes())));
        }
        self.proof(&text, None);
        for problem in self.facts.header_problems.iter().take(MOST_NAMED) {
            self.proof(&display(problem.as_bytes()), None);
        }
    }

    fn whole(&mut self) {
        let words = self.words;
        let facts = self.facts;
        let container = &facts.container;
        let lines = words.count("count.lines", self.open.session.index.rows.len() as u64);
        let events = words.count("count.events", container.events);
        let size = words.say("sequence.events_in_lines", &[("events", &events), ("lines", &lines)]);
        let mut wrong: Vec<String> = Vec::new();
        let mut count = |key: &str, n: usize| {
            if n > 0 {
                wrong.push(words.count(key, n as u64));
            }
        };
        count("count.breaks", facts.sequence.breaks.len());
        count("count.damaged_frames", container.damaged_frames.len());
        count("count.foreign", container.foreign_bytes.len());
        count("count.bad_lines", container.bad_lines.len());
        if container.torn_tail.is_some() {
            wrong.push(words.get("sequence.torn_tail").to_owned());
        }
        let row = facts.sequence.breaks.first().map(|found| found.row);
        let row = row.or_else(|| container.damaged_frames.first().map(|frame| frame.next_row));
        let refused = facts.loader.result == Some(LoaderResult::Refuses);
        match (facts.sequence.first, facts.sequence.last) {
            _ if !wrong.is_empty() => {
                let text = words.say("pass.not_whole", &[("why", &wrong.join(", "))]);
                self.answer(2, '✗', text, row);
            }
            (Some(first), Some(last)) => {
                let values = [("first", &*first.to_string()), ("last", &*last.to_string()), ("size", &*size)];
                self.answer(2, if refused { '!' } else { '✓' }, words.say("pass.whole", &values), facts.loader.at);
            }
            _ => self.answer(2, '✓', words.get("pass.whole_empty").to_owned(), None),
        }
        self.proof(&harness(self.open, words), facts.loader.at);
    }

    fn last_call(&mut self) {
        let words = self.words;
        let Some(call) = self.call().cloned() else {
            let key = if self.facts.calls.is_empty() { "pass.no_calls" } else { "pass.all_answered" };
            return self.answer(3, '✓', words.get(key).to_owned(), None);
        };
        let [tool, id, seq] = named(&call);
        let values = [("tool", &*tool), ("id", &*id), ("seq", &*seq)];
        let row = call.call_row.or(call.message_row);
        if self.facts.last_unpaired.is_none() {
            let key = if self.facts.last_recovered.is_some() { "pass.recovered" } else { "pass.failed" };
            return self.answer(3, '!', words.say(key, &values), row);
        }
        let number = |n: Option<i64>| n.map_or("?".to_owned(), |n| n.to_string());
        let place = words.say("status.place_step", &[("turn", &number(call.turn)), ("step", &number(call.step))]);
        let mark = if call.state == CallState::NotStarted { '◦' } else { '?' };
        let seq = words.say("status.seq", &[("seq", &seq)]);
        self.answer(3, mark, format!("{tool}  {id}   {seq}   {place}"), row);
        let others = self.others(&call);
        if !others.is_empty() {
            let calls: Vec<String> = others
                .iter()
                .take(MOST_NAMED)
                .map(|call| {
                    format!("{} {}", display(call.name.as_bytes()), short_call_id(&display(call.call_id.as_bytes())))
                })
                .collect();
            let more = if others.len() > MOST_NAMED { ", ⋯" } else { "" };
            let row = others.first().and_then(|call| call.call_row.or(call.message_row));
            self.proof(&words.say("pass.no_answer_either", &[("calls", &format!("{}{more}", calls.join(", ")))]), row);
        }
    }

    fn others(&self, call: &Call) -> Vec<Call> {
        let unpaired = self.facts.unpaired.iter().filter_map(|at| self.facts.calls.get(*at));
        unpaired.filter(|other| other.call_row != call.call_row || other.call_id != call.call_id).cloned().collect()
    }

    fn ran(&mut self) {
        let words = self.words;
        let Some(call) = self.call().cloned() else {
            return self.answer(4, '✓', words.get("pass.nothing_to_ask").to_owned(), None);
        };
        let number = |n: Option<i64>| n.map_or("?".to_owned(), |n| n.to_string());
        let id = display(call.call_id.as_bytes());
        let row = call.result_row.or(call.call_row).or(call.message_row);
        let result = number(call.recovery_result_seq.or(call.result_seq));
        let recorded = call.basis == Basis::Recorded;
        match call.state {
            CallState::Completed => {
                let text = words.say("pass.completed", &[("seq", &result)]);
                self.answer(4, '✓', text, row);
            }
            CallState::Failed => {
                let why = call.error_code.as_ref().map_or("isError".to_owned(), |code| display(code.as_bytes()));
                let seq = number(call.result_seq);
                self.answer(4, '✗', words.say("pass.failed_ran", &[("seq", &seq), ("why", &why)]), row);
            }
            CallState::OutcomeUnknown => {
                let line = self.facts.container.lines.to_string();
                let called = number(call.call_seq);
                let text = if recorded {
                    words.say("pass.unknown_recorded", &[("seq", &result)])
                } else {
                    words.say("pass.unknown_inferred", &[("called", &called), ("line", &line)])
                };
                self.answer(4, '?', text, row);
                let reads =
                    [&b"read"[..], b"grep", b"glob", b"read_image", b"list_agents"].contains(&call.name.as_bytes());
                let key = if reads { "pass.unknown_advice_reads" } else { "pass.unknown_advice" };
                self.proof(words.get(key), None);
            }
            CallState::NotStarted => {
                let key = if recorded { "pass.not_started_recorded" } else { "pass.not_started" };
                self.answer(4, '◦', words.say(key, &[("ids", &id)]), row);
            }
        }
        let others = self.others(&call);
        let waiting: Vec<String> = others
            .iter()
            .filter(|other| other.state == CallState::NotStarted)
            .take(MOST_NAMED)
            .map(|other| short_call_id(&display(other.call_id.as_bytes())))
            .collect();
        if self.facts.last_unpaired.is_some() && !waiting.is_empty() {
            self.proof(&words.say("pass.not_started", &[("ids", &waiting.join(", "))]), None);
        }
    }

    fn tool(&mut self) {
        let words = self.words;
        let Some(call) = self.call().cloned() else {
            return self.answer(5, '✓', words.get("pass.nothing_to_ask").to_owned(), None);
        };
        let name = display(call.name.as_bytes());
        let seq = call.declared_seq.map(|seq| seq.to_string());
        let row = call.declared_seq.and_then(|seq| {
            let near = call.call_row.or(call.message_row).unwrap_or_default();
            self.open.session.index.resolve(crate::session::row::Seq(seq), near).map(|event| event.row)
        });
        let (mark, text) = match (call.tool_origin, &seq) {
            (Some(ToolOrigin::Undeclared), _) => ('✗', words.get("pass.undeclared").to_owned()),
            (Some(ToolOrigin::Added), seq) => ('!', words.say("pass.added", &[("seq", seq.as_deref().unwrap_or("?"))])),
            (Some(ToolOrigin::Stock), Some(seq)) => {
                ('✓', words.say("pass.stock", &[("seq", seq), ("tools", &self.declared(&call))]))
            }
            (Some(ToolOrigin::Stock) | None, _) => ('✓', words.get("pass.stock_undeclared").to_owned()),
        };
        let mark = if call.tool_origin.is_none() { '!' } else { mark };
        let text = if call.tool_origin.is_none() { words.get("missing.words").to_owned() } else { text };
        self.answer(5, mark, format!("{name}: {text}"), row);
        let differ = call.arguments_differ || call.stream_differs == Some(true);
        let copies = words.get(if differ { "pass.copies_differ" } else { "pass.copies_agree" });
        let approval = call.approvals.first().and_then(|at| self.facts.approvals.get(*at));
        let asked = match approval {
            None => words.get("pass.no_approval").to_owned(),
            Some(approval) => {
                let undecided = || words.get("state.never_decided").to_owned();
                let outcome = approval.outcome.as_ref().map_or_else(undecided, |outcome| display(outcome.as_bytes()));
                let seq = approval.asked_seq.map_or("?".to_owned(), |seq| seq.to_string());
                words.say("pass.approval", &[("outcome", &outcome), ("seq", &seq)])
            }
        };
        self.proof(&format!("{copies}; {asked}"), approval.and_then(|approval| approval.asked_row));
    }

    /// How many tools were declared when a call was asked for, in words.
    fn declared(&self, call: &Call) -> String {
        let near = call.call_row.or(call.message_row).unwrap_or_default();
        let tools = self.facts.switches.iter().rev().filter(|switch| switch.what == Switched::Tools);
        let found = tools.into_iter().find(|switch| switch.row <= near).map(|switch| display(switch.value.as_bytes()));
        match found.as_deref().map(str::parse) {
            Some(Ok(n)) => self.words.count("count.tools", n),
            Some(Err(_)) | None => self.words.get("missing.words").to_owned(),
        }
    }

    fn report(&mut self) {
        let words = self.words;
        let Some(call) = self.call().cloned() else {
            return self.answer(6, '✓', words.get("pass.nothing_to_ask").to_owned(), None);
        };
        let [tool, id, seq] = named(&call);
        let class = match call.state {
            CallState::NotStarted => "TOOL_NOT_STARTED".to_owned(),
            CallState::OutcomeUnknown => "TOOL_OUTCOME_UNKNOWN".to_owned(),
            CallState::Completed | CallState::Failed => {
                call.error_code.as_ref().map(|code| display(code.as_bytes())).unwrap_or_default()
            }
        };
        let version = self.facts.format.version.to_string();
        let values = [("id", &*id), ("tool", &*tool), ("version", &*version), ("seq", &*seq), ("class", &*class)];
        let text = words.say("pass.citation", &values);
        self.answer(6, '✓', text.trim_end().to_owned(), call.call_row.or(call.message_row));
    }
}
