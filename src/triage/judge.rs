//! The fold over the lines of a log: hears each once, in file order, and ends in [`Facts`].
//!
//! It only hands each event to the part that follows it; what the parts know is put together in [`Judge::into_facts`].

use super::asking::{ApprovalFold, AskedFor, StateFold};
use super::edits::EditFold;
use super::facts::{Facts, Format, FormatSource, Inherited, OpenPair, Resumed, Switched, UnknownType};
use super::loader::{End, LoaderFold};
use super::pairing::{PairingFold, ResultRecord};
use super::pairs::{PairFold, RetryRecord, SubIds};
use super::rewrites::RewriteFold;
use super::sequence::SequenceFold;
use super::spans::SpanFold;
use super::stopped::{self, Ending};
use super::tools::{HeaderRecord, ToolFold};
use super::twice;
use super::usage::{MessageRecord, UsageEnd, UsageFold};
use crate::record::event::{Body, Event, Hints, PairEnd, PairKind};
use crate::record::header::{Header, LAST_KNOWN, SEEDED_SINCE};
use crate::record::kinds::Kind;
use crate::session::builder::Listener;
use crate::session::container::Container;
use crate::session::index::Index;
use crate::session::intern::NO_TYPE;
use crate::session::piece::{Meaning, Note};
use crate::session::row::{Flags, Row, RowIx, Timestamp};
use crate::text::wire::WireText;

/// Format versions that this program reads as what they are. Of 5 only what one fork changed is known.
const KNOWN: std::ops::RangeInclusive<i64> = 0..=LAST_KNOWN;

/// Judges a log while it is read.
#[derive(Debug, Clone)]
pub struct Judge {
    sequence: SequenceFold,
    spans: SpanFold,
    pairing: PairingFold,
    pairs: PairFold,
    approvals: ApprovalFold,
    state: StateFold,
    tools: ToolFold,
    usage: UsageFold,
    rewrites: RewriteFold,
    edits: EditFold,
    loader: LoaderFold,
    hints: Hints,
    unknown_types: Vec<UnknownType>,
    resumed: Vec<Resumed>,
    cut: Cut,
    /// The last label of the session, and its row.
    label: Option<(RowIx, WireText)>,
    first_time: Option<i64>,
    last_time: Option<i64>,
    /// Row before which the last damage stands.
    damaged_before: Option<RowIx>,
    next_row: RowIx,
}

/// Where what a fork copied ends.
#[derive(Debug, Clone, Copy, Default)]
struct Cut {
    /// `seedLength` of versions 0 and 1.
    seed_length: Option<i64>,
    /// The header says that nothing is inherited.
    is_unseeded: bool,
    /// Events so far.
    events: u64,
    found: Inherited,
}

impl Judge {
    /// A judge at the start of a log.
    #[must_use]
    pub fn new() -> Judge {
        Judge::with_sequence(SequenceFold::from_start())
    }

    /// A judge of a tail: what comes before it was not read.
    #[must_use]
    pub fn of_tail() -> Judge {
        Judge::with_sequence(SequenceFold::default())
    }

    fn with_sequence(sequence: SequenceFold) -> Judge {
        Judge {
            sequence,
            spans: SpanFold::default(),
            pairing: PairingFold::default(),
            pairs: PairFold::default(),
            approvals: ApprovalFold::default(),
            state: StateFold::default(),
            tools: ToolFold::default(),
            usage: UsageFold::default(),
            rewrites: RewriteFold::default(),
            edits: EditFold::default(),
            loader: LoaderFold::new(None),
            hints: Hints::default(),
            unknown_types: Vec::new(),
            resumed: Vec::new(),
            cut: Cut::default(),
            label: None,
            first_time: None,
            last_time: None,
            damaged_before: None,
            next_row: RowIx(0),
        }
    }

    fn event(&mut self, at: RowIx, event: &Event) {
        self.hints.add(event.hints);
        if event.kind == Kind::Unknown {
            let name = event.unknown_type.as_deref().cloned();
            self.unknown_types.push(UnknownType { name, seq: event.seq, row: at, ignorable: event.ignorable });
        }
        self.first_time = self.first_time.or(event.time);
        self.last_time = event.last_time.or(self.last_time);
        self.follow_cut(at, event);
        self.follow_turns(at, event);
        self.follow_calls(at, event);
        self.follow_pairs(at, event);
        self.follow_state(at, event);
        self.rewrites.event(at, event);
    }

    fn follow_cut(&mut self, at: RowIx, event: &Event) {
        let before = self.cut.events;
        self.cut.events += u64::from(event.members);
        match (&event.body, self.cut.seed_length) {
            (Body::EndSeed { inherited: true }, None) if !self.cut.is_unseeded => {
                self.cut.found = Inherited { events: before, cut_row: Some(at) };
                self.own_begins();
            }
            (_, Some(seed)) if self.cut.found.cut_row.is_none() => {
                let Some(seq) = event.seq else { return };
                if seq >= seed {
                    self.cut.found.cut_row = Some(at);
                    self.own_begins();
                } else {
                    let inside = seed.saturating_sub(seq).min(i64::from(event.members));
                    self.cut.found.events += inside.unsigned_abs();
                }
            }
            _ => {}
        }
    }

    /// Everything so far was copied by a fork.
    fn own_begins(&mut self) {
        self.usage.own_begins();
        self.rewrites.own_begins();
    }

    fn follow_turns(&mut self, at: RowIx, event: &Event) {
        match &event.body {
            Body::TurnStart { turn } => {
                self.usage.over();
                self.pairing.turn_over();
                self.spans.turn_start(at, event, *turn);
            }
            Body::TurnEnd { turn, reason } => {
                self.usage.over();
                self.pairing.turn_over();
                self.spans.turn_end(at, event, *turn, reason);
            }
            Body::StepStart(place) => {
                self.usage.over();
                self.usage.asked(at, event, *place, None);
                self.spans.step_start(at, event, *place);
            }
            Body::StepEnd(place) => {
                self.usage.over();
                self.pairing.step_ended(*place);
                self.spans.step_end(at, event, *place);
            }
            Body::EndSeed { .. } => {
                self.usage.flush();
                self.resumed.push(Resumed { seq: event.seq, row: at });
            }
            Body::RequestHeader { .. }
            | Body::Context { .. }
            | Body::UserMessage { .. }
            | Body::SystemMessage(_)
            | Body::DeveloperMessage { .. } => self.usage.request(event),
            _ => {}
        }
    }

    fn follow_calls(&mut self, at: RowIx, event: &Event) {
        match &event.body {
            Body::Chunk { place, streamed } => self.usage.chunk(at, event, *place, streamed),
            Body::Attempt { place, stream } => self.usage.failed_attempt(at, event, *place, stream),
            Body::Message { place, requests, usage, stream, interrupted, .. } => {
                self.spans.message(*place);
                let first = self.pairing.len();
                self.pairing.message(at, event, *place, requests);
                let message = MessageRecord {
                    requests,
                    usage: usage.as_deref().copied(),
                    stream: stream.as_deref(),
                    interrupted: *interrupted,
                };
                let differ = self.usage.message(at, event, *place, &message);
                for (offset, differs) in differ.into_iter().enumerate() {
                    if let Some(call) = self.pairing.call_at(first + offset) {
                        call.stream_differs = differs;
                        self.tools.judge(call);
                    }
                }
            }
            Body::Call { place, id, name, arguments, path } => {
                self.edits.call(at, path.as_deref());
                let before = self.pairing.len();
                self.pairing.call(at, event, *place, id, name, *arguments);
                if self.pairing.len() > before
                    && let Some(call) = self.pairing.call_at(before)
                {
                    self.tools.judge(call);
                }
            }
            Body::Result { place, id, is_error, failure, changes, .. } => {
                self.edits.result(at, changes.as_deref());
                let result =
                    ResultRecord { place: *place, id: id.as_ref(), is_error: *is_error, failure: failure.as_deref() };
                self.pairing.result(at, event, result);
            }
            Body::SubCall { parent, root, id, name } => {
                let ids = SubIds { parent, root, id, name };
                self.pairs.sub_call(at, event, ids, self.pairing.named(root));
            }
            Body::SubResult { parent, root, id, name, is_error, .. } => {
                let ids = SubIds { parent, root, id, name };
                self.pairs.sub_result(at, event, ids, self.pairing.named(root), *is_error);
            }
            _ => {}
        }
    }

    fn follow_pairs(&mut self, at: RowIx, event: &Event) {
        match &event.body {
            Body::Asked { id, tool, call, reason } => {
                let named = call.as_ref().and_then(|id| self.pairing.named(id).or_else(|| self.pairs.root_of(id)));
                let by_position = named.is_none() && call.is_none();
                let call_at = if by_position { self.pairing.newest_running(tool.as_ref()) } else { named };
                let asked_for = AskedFor { call: call_at, by_position: by_position && call_at.is_some() };
                let question = self.approvals.asked(
                    at,
                    event,
                    (id, tool.as_ref(), call.as_ref(), reason.as_ref()),
                    asked_for,
                    &self.state,
                );
                if let Some(call) = call_at.and_then(|call| self.pairing.call_at(call)) {
                    call.aftermath_mut().approvals.push(question);
                }
            }
            Body::Decided { id, outcome } => self.approvals.decided(at, event, id, outcome.as_ref()),
            Body::CommandRun { id, name } => self.pairs.command_run(at, event, id, name.as_ref()),
            Body::CommandDone { id, kind } => self.pairs.command_done(at, event, id, kind.as_ref()),
            Body::Retry { id, place, retry, max, delay_ms, failure } => {
                self.usage.failed(at, event, *place, self.pairs.retries());
                let record = RetryRecord {
                    id,
                    place: *place,
                    retry: *retry,
                    max: *max,
                    delay_ms: *delay_ms,
                    failure: failure.as_ref(),
                };
                self.pairs.retry(at, event, record);
            }
            Body::RetryStarted { id, retry, place } => {
                self.usage.flush();
                let retry = self.pairs.retry_started(at, event, id, *retry);
                self.usage.asked(at, event, *place, retry);
            }
            Body::Pair { pair, end, key } => {
                self.pairs.other(at, event, *pair, *end, key);
                if (*pair, *end) == (PairKind::Compaction, PairEnd::Close) {
                    self.usage.compacted(at, event);
                }
            }
            _ => {}
        }
    }

    fn follow_state(&mut self, at: RowIx, event: &Event) {
        let mut set = |what, value: &Option<WireText>| {
            if let Some(value) = value {
                self.state.set(what, value.clone(), at, event);
            }
        };
        match &event.body {
            Body::Policy(policy) => set(Switched::Policy, policy),
            Body::Sandbox(mode) => set(Switched::Sandbox, mode),
            Body::Preset(preset) => set(Switched::Preset, preset),
            Body::AgentPreset(preset) => set(Switched::AgentPreset, preset),
            Body::Title { title, .. } => set(Switched::Title, title),
            Body::Descriptor { label: Some(label), .. } => self.label = Some((at, label.clone())),
            Body::Todo { items, done } => {
                set(Switched::Todo, &Some(WireText::from(format!("{done}/{items}").as_str())));
            }
            Body::Plan(active) => {
                let value = active.map(|active| WireText::from(if active { "on" } else { "off" }));
                set(Switched::Plan, &value);
            }
            Body::Context { model, window } => {
                set(Switched::Model, model);
                set(Switched::Window, &window.map(|window| WireText::from(window.to_string().as_str())));
            }
            Body::RequestHeader { provider, model, tools, reason, prints, .. } => {
                set(Switched::Model, model);
                set(Switched::Tools, &Some(WireText::from(tools.len().to_string().as_str())));
                let record = HeaderRecord {
                    provider: provider.as_ref(),
                    model: model.as_ref(),
                    reason: reason.as_ref(),
                    tools,
                    prints,
                };
                self.tools.header(at, event.seq, record);
            }
            Body::DeveloperMessage { added, removed, header_seq, .. } => {
                self.tools.change(at, event.seq, *header_seq, (added, removed));
            }
            _ => {}
        }
    }

    /// Everything known, once all lines were heard. `name_version` is the version in the file name, where the name
    /// has the canonical form.
    #[must_use]
    pub fn into_facts(
        self,
        index: &Index,
        container: Container,
        header: Option<Header>,
        name_version: Option<i64>,
    ) -> Facts {
        let format = self.format(header.as_ref(), name_version);
        let torn_rows_from = container.torn_tail.map(|tail| tail.first_row);
        let encoding = container.encoding;
        let end = End { header: header.as_ref(), format, encoding, container: &container, torn_rows_from };
        let (loader, resume) = self.loader.finish(&end);
        let damage_is_last = self.damaged_before.is_some_and(|row| row >= self.next_row);
        let ending = Ending {
            streaming: self.usage.streaming(),
            torn: container.torn_tail.is_some() || damage_is_last,
            last_time: self.last_time,
        };
        let (mut calls, stray) = self.pairing.finish();
        let cut = self.cut.found;
        for call in &mut calls {
            call.inherited = match cut.cut_row {
                Some(cut) => first_row(call).is_some_and(|row| row < cut),
                // The copied part was announced, and nothing came after it.
                None => cut.events > 0,
            };
        }
        let (turns, steps, open_turns, open_steps) = self.spans.finish();
        let (sub_calls, commands, retries, open) = self.pairs.finish();
        let UsageEnd { usage, dropped: dropped_calls, attempts, stalls } = self.usage.finish();
        let (rewrites, prompts, uploads) = self.rewrites.finish();
        let edits = self.edits.finish(&calls);
        let (headers, tool_changes) = self.tools.finish();
        let switches = self.state.finish();
        let mut facts = Facts {
            format,
            header_problems: header_problems(header.as_ref()),
            header,
            event_types: event_types(index),
            sequence: self.sequence.finish(encoding),
            unknown_types: self.unknown_types,
            turns,
            steps,
            unpaired: Vec::new(),
            last_unpaired: None,
            last_recovered: None,
            last_failed: None,
            calls,
            results_without_call: stray,
            sub_calls,
            commands,
            approvals: self.approvals.finish(),
            retries,
            open_pairs: open_pairs(&open, open_turns, open_steps),
            opened: open,
            resumed: self.resumed,
            twice: Vec::new(),
            usage,
            title: switches.iter().rev().find(|s| s.what == Switched::Title).map(|s| s.value.clone()),
            switches,
            // A fork copies the label of its parent too.
            label: self.label.filter(|(row, _)| cut.cut_row.is_none_or(|cut| *row >= cut)).map(|(_, label)| label),
            loader,
            resume,
            stopped: stopped::nothing(),
            inherited: Inherited { events: cut.events, cut_row: cut.cut_row.filter(|_| cut.events > 0) },
            dropped_calls,
            attempts,
            stalls,
            rewrites,
            prompts,
            uploads,
            edits,
            tool_changes,
            headers,
            first_time: self.first_time,
            last_time: self.last_time,
            container,
        };
        facts.find_last_calls();
        facts.twice = twice::twice(&facts);
        let time_of = |row| index.rows.get(row).and_then(Row::time).map(|Timestamp(time)| time);
        facts.stopped = stopped::judge(&facts, ending, &time_of);
        facts
    }

    fn format(&self, header: Option<&Header>, file_name_version: Option<i64>) -> Format {
        let recorded = header.and_then(|header| header.version);
        let (version, source) = match (recorded, file_name_version) {
            (Some(version), _) => (version, FormatSource::Header),
            (None, Some(version)) => (version, FormatSource::FileName),
            (None, None) => (self.hints.guess().unwrap_or(0), FormatSource::Guessed),
        };
        Format { version, source, known: KNOWN.contains(&version), file_name_version }
    }
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new()
    }
}

impl Listener for Judge {
    fn header(&mut self, header: &Header) {
        self.loader = LoaderFold::new(header.version);
        let has_seed_length = header.version.is_none_or(|version| version < SEEDED_SINCE);
        self.cut.seed_length = header.seed_length.filter(|seed| has_seed_length && *seed > 0);
        self.cut.is_unseeded =
            header.is_seeded == Some(false) || header.version.is_some_and(|version| version < SEEDED_SINCE);
        if self.cut.seed_length.is_some() {
            self.usage.inherits();
        }
    }

    fn line(&mut self, at: RowIx, line: u64, row: &mut Row, meaning: &Meaning) {
        self.next_row = RowIx(at.0 + 1);
        match meaning {
            Meaning::Event(event) => {
                if self.sequence.event(at, line, event) {
                    row.flags.set(Flags::BREAK);
                }
                self.loader.event(at, event);
                self.event(at, event);
            }
            Meaning::Bad(bad) => {
                self.sequence.bad_line();
                self.loader.bad_line(at, bad);
            }
            Meaning::Unterminated => self.sequence.bad_line(),
        }
    }

    fn note(&mut self, next: RowIx, _: &Note) {
        self.damaged_before = Some(next);
    }
}

fn first_row(call: &super::facts::Call) -> Option<RowIx> {
    call.message_row.or(call.call_row)
}

fn header_problems(header: Option<&Header>) -> Vec<String> {
    match header {
        Some(header) => header.problems.iter().map(ToString::to_string).collect(),
        None => Vec::new(),
    }
}

/// Types with their numbers of events, most frequent first; lines that name no type are not among them.
fn event_types(index: &Index) -> Vec<(WireText, u64)> {
    let named = index.types.iter().filter(|(_, name, kind, count)| {
        *count > 0 && !(*kind == Kind::Unknown && name.as_bytes() == NO_TYPE.as_bytes())
    });
    let mut types: Vec<_> = named.map(|(_, name, _, count)| (name.clone(), count)).collect();
    types.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    types
}

/// How many of each kind are open.
fn open_pairs(open: &[OpenPair], turns: u64, steps: u64) -> Vec<(&'static str, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    for pair in open {
        *counts.entry(pair.kind).or_insert(0) += 1;
    }
    let others = counts.into_iter().map(|(pair, count)| (pair_name(pair), count));
    [("turn", turns), ("step", steps)].into_iter().chain(others).filter(|(_, count)| *count > 0).collect()
}

/// The name of a pair kind in the report.
pub(super) fn pair_name(pair: PairKind) -> &'static str {
    match pair {
        PairKind::Hook => "hook",
        PairKind::Compaction => "compaction",
        PairKind::WorkflowRun => "workflow run",
        PairKind::WorkflowAgent => "workflow agent",
        PairKind::TeamMessage => "team message",
    }
}
