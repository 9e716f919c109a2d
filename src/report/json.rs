//! The machine-readable report of one log, schema 1 (docs/REPORT.md).
//!
//! Written straight from the facts, one entry after the other: a report of a hundred thousand calls needs no copy of
//! them.

use std::io::{self, BufWriter, Write};

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::lenient;
use super::stored::GenerationEntry;
use super::strict;
use crate::log::sniff::Encoding;
use crate::record::event::Usage;
use crate::record::header::Header;
use crate::record::json::Value;
use crate::session::container::{BadLineAt, FrameDamage, TornTail};
use crate::text::wire::{WireText, report_string};
use crate::triage::facts::{
    Approval, Basis, Break, BreakCause, Call, CallState, Command, Facts, FormatSource, Ghost, GhostKind, LoaderResult,
    Retry, StopCause, Stopped, StrayResult, SubCall, SubCallState, ToolOrigin, Turn, UnknownType, UsageFacts,
};
use crate::triage::ladder::closes;
use crate::triage::ledger::decided_by;
use crate::triage::session::Session;

/// Version of the shape of the report.
pub const SCHEMA: u32 = 1;

/// Bytes of a report that are written at once.
const BUFFER: usize = 64 << 10;

/// Writes the report of one log as one JSON object in one line, with a line end.
pub fn write(session: &Session, out: &mut dyn Write) -> io::Result<()> {
    write_with_files(session, None, out)
}

/// As [`write()`], with the generations of the session beside the facts of the current one.
pub fn write_with_files(session: &Session, files: Option<&[GenerationEntry]>, out: &mut dyn Write) -> io::Result<()> {
    // A number or a quote at a time is written: that is to cost no call through a pointer each.
    let mut out = BufWriter::with_capacity(BUFFER, out);
    strict::to_writer(&mut out, &Report { session, files })?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The report of one log, ready to be serialised.
#[derive(Debug, Clone, Copy)]
struct Report<'a> {
    session: &'a Session,
    files: Option<&'a [GenerationEntry]>,
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let session = self.session;
        let facts = &session.facts;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("program", &Program)?;
        map.serialize_entry("path", &report_string(session.path.as_os_str().as_encoded_bytes()))?;
        container(&mut map, facts)?;
        header(&mut map, facts)?;
        sequence(&mut map, facts)?;
        calls(&mut map, facts)?;
        pairs(&mut map, facts)?;
        proof::proof(&mut map, session)?;
        proof::made_of(&mut map, session)?;
        flow::write(&mut map, session)?;
        ending(&mut map, facts)?;
        if let Some(files) = self.files {
            map.serialize_entry("files", &files)?;
        }
        map.end()
    }
}

fn container<M: SerializeMap>(map: &mut M, facts: &Facts) -> Result<(), M::Error> {
    let container = &facts.container;
    map.serialize_entry("file_bytes", &container.file_bytes)?;
    map.serialize_entry("encoding", encoding(container.encoding))?;
    map.serialize_entry("format", &FormatEntry(facts))?;
    map.serialize_entry("known_format", &facts.format.known)?;
    map.serialize_entry("complete_frames", &container.complete_frames)?;
    map.serialize_entry("decoded_bytes", &container.decoded_bytes)?;
    map.serialize_entry("lines", &container.lines)?;
    map.serialize_entry("packed_rows", &container.packed_rows)?;
    map.serialize_entry("events", &container.events)?;
    map.serialize_entry("event_types", &EventTypes(&facts.event_types))?;
    map.serialize_entry("torn_tail", &container.torn_tail.as_ref().map(Torn))?;
    map.serialize_entry("damaged_frames", &List(&container.damaged_frames, Damaged))?;
    map.serialize_entry("foreign_bytes", &List(&container.foreign_bytes, Stretch))?;
    map.serialize_entry("skippable_frames", &List(&container.skippable_frames, Stretch))?;
    map.serialize_entry("byte_order_mark", &container.byte_order_mark)?;
    map.serialize_entry("bad_lines", &List(&container.bad_lines, BadLine))?;
    map.serialize_entry("lines_not_utf8", &container.lines_not_utf8)?;
    map.serialize_entry("crlf_lines", &container.crlf_lines)?;
    map.serialize_entry("split_lines", &container.split_lines)?;
    map.serialize_entry("long_line_bytes", &container.long_line_bytes)
}

fn header<M: SerializeMap>(map: &mut M, facts: &Facts) -> Result<(), M::Error> {
    map.serialize_entry("header", &facts.header.as_ref().map(HeaderEntry))?;
    map.serialize_entry("header_problems", &facts.header_problems)
}

fn sequence<M: SerializeMap>(map: &mut M, facts: &Facts) -> Result<(), M::Error> {
    map.serialize_entry("seq", &SequenceEntry(facts))?;
    map.serialize_entry("unknown_types", &List(&facts.unknown_types, Unknown))?;
    map.serialize_entry("turns", &List(&facts.turns, TurnEntry))
}

fn calls<M: SerializeMap>(map: &mut M, facts: &Facts) -> Result<(), M::Error> {
    map.serialize_entry("calls", &List(&facts.calls, CallEntry))?;
    map.serialize_entry("unpaired_calls", &UnpairedIds(facts))?;
    let short = |at: Option<usize>| at.map(|at| ShortCall(&facts.calls[at]));
    map.serialize_entry("last_unpaired_call", &short(facts.last_unpaired))?;
    map.serialize_entry("last_recovered_call", &short(facts.last_recovered))?;
    map.serialize_entry("last_failed_call", &short(facts.last_failed))?;
    map.serialize_entry("results_without_call", &List(&facts.results_without_call, Stray))?;
    map.serialize_entry("sub_calls", &List(&facts.sub_calls, SubCallEntry))
}

fn pairs<M: SerializeMap>(map: &mut M, facts: &Facts) -> Result<(), M::Error> {
    map.serialize_entry("commands", &List(&facts.commands, CommandEntry))?;
    map.serialize_entry("approvals", &List(&facts.approvals, ApprovalEntry))?;
    proof::approvals(map, facts)?;
    map.serialize_entry("retries", &List(&facts.retries, RetryEntry))?;
    map.serialize_entry("open_pairs", &OpenPairs(&facts.open_pairs))?;
    map.serialize_entry("usage", &UsageEntry(&facts.usage, facts.inherited.events))
}

fn ending<M: SerializeMap>(map: &mut M, facts: &Facts) -> Result<(), M::Error> {
    map.serialize_entry("loader", &LoaderEntry(facts))?;
    let closing: Vec<(&Ghost, Option<i64>)> =
        facts.resume.iter().map(|ghost| (ghost, closes(facts, ghost).and_then(|at| at.seq))).collect();
    map.serialize_entry("resume", &List(&closing, GhostEntry))?;
    map.serialize_entry("stopped", &StoppedEntry(&facts.stopped))?;
    map.serialize_entry("title", &facts.title.as_ref().map(Text))?;
    map.serialize_entry("first_time", &facts.first_time)?;
    map.serialize_entry("last_time", &facts.last_time)
}

/// Text of a log: valid Unicode, lone surrogates as the six characters of their escape.
struct Text<'a>(&'a WireText);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.0.as_bytes()) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.serialize_str(&self.0.to_report()),
        }
    }
}

/// A slice with the entry that each item is written as.
struct List<'a, T, E>(&'a [T], fn(&'a T) -> E);

impl<T, E: Serialize> Serialize for List<'_, T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for item in self.0 {
            seq.serialize_element(&(self.1)(item))?;
        }
        seq.end()
    }
}

/// Declares an entry: a struct around borrowed facts, and the keys it is written with.
macro_rules! entry {
    ($name:ident($($part:tt)*) => |$this:ident, $map:ident| $body:block) => {
        struct $name<'a>($($part)*);
        impl Serialize for $name<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                let mut $map = serializer.serialize_map(None)?;
                $body
                $map.end()
            }
        }
    };
}

mod flow;
mod proof;

/// Name and version of this program.
pub(super) struct Program;

impl Serialize for Program {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", env!("CARGO_PKG_NAME"))?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.end()
    }
}

entry!(FormatEntry(&'a Facts) => |this, map| {
    map.serialize_entry("version", &this.0.format.version)?;
    map.serialize_entry("source", match this.0.format.source {
        FormatSource::Header => "header",
        FormatSource::FileName => "file name",
        FormatSource::Guessed => "guessed",
    })?;
});

entry!(EventTypes(&'a [(WireText, u64)]) => |this, map| {
    for (name, count) in this.0 {
        map.serialize_entry(&Text(name), count)?;
    }
});

entry!(Torn(&'a TornTail) => |this, map| {
    map.serialize_entry("offset", &this.0.offset)?;
    map.serialize_entry("bytes", &this.0.bytes)?;
    map.serialize_entry("complete_lines_inside", &this.0.complete_lines_inside)?;
    map.serialize_entry("leftover_bytes", &this.0.leftover_bytes)?;
});

entry!(Damaged(&'a FrameDamage) => |this, map| {
    map.serialize_entry("frame", &this.0.frame)?;
    map.serialize_entry("offset", &this.0.offset)?;
    map.serialize_entry("bytes", &this.0.len)?;
    map.serialize_entry("why", &this.0.why)?;
});

entry!(Stretch(&'a (u64, u64)) => |this, map| {
    map.serialize_entry("offset", &this.0.0)?;
    map.serialize_entry("bytes", &this.0.1)?;
});

entry!(BadLine(&'a BadLineAt) => |this, map| {
    map.serialize_entry("line", &this.0.line)?;
    map.serialize_entry("why", this.0.why)?;
});

/// The header object as recorded: unknown keys kept, of repeated keys the last.
struct HeaderEntry<'a>(&'a Header);

impl Serialize for HeaderEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Value::parse(&self.0.raw) {
            Ok(value) => lenient::Json(value).serialize(serializer),
            Err(_) => serializer.serialize_none(),
        }
    }
}

entry!(SequenceEntry(&'a Facts) => |this, map| {
    let sequence = &this.0.sequence;
    map.serialize_entry("status", if sequence.is_whole() { "contiguous" } else { "broken" })?;
    map.serialize_entry("first", &sequence.first)?;
    map.serialize_entry("last", &sequence.last)?;
    map.serialize_entry("breaks", &List(&sequence.breaks, BreakEntry))?;
    map.serialize_entry("repeated", &sequence.repeated)?;
});

entry!(BreakEntry(&'a Break) => |this, map| {
    map.serialize_entry("line", &this.0.line)?;
    map.serialize_entry("event_line", &(this.0.line.saturating_sub(1)))?;
    map.serialize_entry("expected", &this.0.expected)?;
    map.serialize_entry("got", &this.0.got)?;
    map.serialize_entry("cause", break_cause(this.0.cause))?;
});

/// The words of the report for the cause of a break.
#[must_use]
pub fn break_cause(cause: BreakCause) -> &'static str {
    match cause {
        BreakCause::LateResultAfterRecovery => "late result after recovery",
        BreakCause::TwoWriters => "two writers",
        BreakCause::LostFrames => "lost frames",
        BreakCause::LostLines => "lost lines",
        BreakCause::UnreadableLines => "unreadable lines",
        BreakCause::Unknown => "unknown",
    }
}

entry!(Unknown(&'a UnknownType) => |this, map| {
    map.serialize_entry("type", &this.0.name.as_ref().map(Text))?;
    map.serialize_entry("seq", &this.0.seq)?;
    map.serialize_entry("ignorable", &this.0.ignorable)?;
});

entry!(TurnEntry(&'a Turn) => |this, map| {
    map.serialize_entry("turn", &this.0.turn)?;
    match &this.0.end {
        Some(kind) => map.serialize_entry("state", &Text(kind))?,
        None => map.serialize_entry("state", "open")?,
    }
    let code = this.0.failure.as_ref().and_then(|failure| failure.code.as_ref());
    if let Some(code) = code {
        map.serialize_entry("error_code", &Text(code))?;
    }
    if let Some(by) = &this.0.aborted_by {
        map.serialize_entry("aborted_by", &Text(by))?;
    }
    map.serialize_entry("start_seq", &this.0.start_seq)?;
    map.serialize_entry("end_seq", &this.0.end_seq)?;
});

entry!(CallEntry(&'a Call) => |this, map| {
    let call = this.0;
    map.serialize_entry("callId", &Text(&call.call_id))?;
    map.serialize_entry("name", &Text(&call.name))?;
    map.serialize_entry("turn", &call.turn)?;
    map.serialize_entry("step", &call.step)?;
    map.serialize_entry("message_seq", &call.message_seq)?;
    map.serialize_entry("call_seq", &call.call_seq)?;
    map.serialize_entry("result_seq", &call.result_seq)?;
    map.serialize_entry("state", call_state(call.state))?;
    map.serialize_entry("basis", basis(call.basis))?;
    if let Some(code) = &call.error_code {
        map.serialize_entry("error_code", &Text(code))?;
    }
    if let Some(seq) = call.recovery().and_then(|recovery| recovery.seq) {
        map.serialize_entry("recovery_result_seq", &seq)?;
    }
    if let Some(state) = call.recovery().map(|recovery| recovery.state) {
        map.serialize_entry("recovery_state", call_state(state))?;
    }
    if call.arguments_differ {
        map.serialize_entry("arguments_differ", &true)?;
    }
    if call.not_json {
        map.serialize_entry("arguments_not_json", &true)?;
    }
    if call.hidden {
        map.serialize_entry("arguments_hidden", &true)?;
    }
    if call.stream_differs == Some(true) {
        map.serialize_entry("stream_differs", &true)?;
    }
    if let Some(origin) = call.tool_origin {
        map.serialize_entry("tool_origin", tool_origin(origin))?;
    }
    if let Some(seq) = call.declared_seq.get() {
        map.serialize_entry("declared_seq", &seq)?;
    }
    map.serialize_entry("argument_bytes", &call.argument_bytes())?;
    if call.orphaned && call.result_row.is_none() {
        map.serialize_entry("orphaned", &true)?;
    }
    if let Some((asked, done)) = call.call_time.get().zip(call.result_time.get()) {
        map.serialize_entry("at_most_ms", &done.saturating_sub(asked))?;
    }
});

/// The words of the report for the state of a call.
#[must_use]
pub fn call_state(state: CallState) -> &'static str {
    crate::triage::pass::said::state(state)
}

/// The words of the report for what a state rests on.
#[must_use]
pub fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Result => "result",
        Basis::Recorded => "recorded",
        Basis::Inferred => "inferred",
        Basis::ResultAfterRecovery => "result after recovery",
    }
}

/// The words of the report for where a tool's name came from.
#[must_use]
pub fn tool_origin(origin: ToolOrigin) -> &'static str {
    match origin {
        ToolOrigin::Stock => "stock",
        ToolOrigin::Added => "added",
        ToolOrigin::Undeclared => "undeclared",
    }
}

struct UnpairedIds<'a>(&'a Facts);

impl Serialize for UnpairedIds<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.unpaired.iter().map(|at| Text(&self.0.calls[*at].call_id)))
    }
}

entry!(ShortCall(&'a Call) => |this, map| {
    map.serialize_entry("callId", &Text(&this.0.call_id))?;
    map.serialize_entry("name", &Text(&this.0.name))?;
    map.serialize_entry("state", call_state(this.0.state))?;
    map.serialize_entry("call_seq", &this.0.call_seq)?;
    map.serialize_entry("message_seq", &this.0.message_seq)?;
});

entry!(Stray(&'a StrayResult) => |this, map| {
    map.serialize_entry("callId", &Text(&this.0.call_id))?;
    map.serialize_entry("result_seq", &this.0.result_seq)?;
});

entry!(SubCallEntry(&'a SubCall) => |this, map| {
    map.serialize_entry("subCallId", &Text(&this.0.id))?;
    map.serialize_entry("parentCallId", &Text(&this.0.parent))?;
    map.serialize_entry("name", &Text(&this.0.name))?;
    map.serialize_entry("start_seq", &this.0.start_seq)?;
    map.serialize_entry("settle_seq", &this.0.settle_seq)?;
    map.serialize_entry("state", match this.0.state {
        SubCallState::Completed => "completed",
        SubCallState::Failed => "failed",
        SubCallState::OutcomeUnknown => "outcome_unknown",
    })?;
});

entry!(CommandEntry(&'a Command) => |this, map| {
    map.serialize_entry("commandId", &Text(&this.0.id))?;
    map.serialize_entry("name", &this.0.name.as_ref().map(Text))?;
    map.serialize_entry("run_seq", &this.0.run_seq)?;
    map.serialize_entry("done_seq", &this.0.done_seq)?;
    map.serialize_entry("kind", &this.0.kind.as_ref().map(Text))?;
});

entry!(ApprovalEntry(&'a Approval) => |this, map| {
    map.serialize_entry("id", &Text(&this.0.id))?;
    map.serialize_entry("toolName", &this.0.tool.as_ref().map(Text))?;
    map.serialize_entry("callId", &this.0.call_id.as_ref().map(Text))?;
    map.serialize_entry("asked_seq", &this.0.asked_seq)?;
    map.serialize_entry("decided_seq", &this.0.decided_seq)?;
    map.serialize_entry("outcome", &this.0.outcome.as_ref().map(Text))?;
    map.serialize_entry("waited_ms", &this.0.waited_ms)?;
    map.serialize_entry("policy", &this.0.policy.as_ref().map(Text))?;
    map.serialize_entry("sandbox", &this.0.sandbox.as_ref().map(Text))?;
    map.serialize_entry("decided_by", decided_by(this.0).name())?;
    map.serialize_entry("reason", &this.0.reason.as_ref().map(Text))?;
    map.serialize_entry("by_position", &this.0.by_position)?;
});

entry!(RetryEntry(&'a Retry) => |this, map| {
    map.serialize_entry("retryId", &Text(&this.0.id))?;
    map.serialize_entry("retry", &this.0.retry)?;
    map.serialize_entry("turn", &this.0.turn)?;
    map.serialize_entry("step", &this.0.step)?;
    map.serialize_entry("seq", &this.0.seq)?;
    map.serialize_entry("code", &this.0.failure.code.as_ref().map(Text))?;
    map.serialize_entry("status", &this.0.failure.status)?;
    map.serialize_entry("max", &this.0.max)?;
    map.serialize_entry("delay_ms", &this.0.delay_ms)?;
    map.serialize_entry("kept_ms", &this.0.kept_ms)?;
    map.serialize_entry("started_seq", &this.0.started_seq)?;
});

entry!(OpenPairs(&'a [(&'static str, u64)]) => |this, map| {
    for (kind, count) in this.0 {
        map.serialize_entry(kind, count)?;
    }
});

entry!(UsageEntry(&'a UsageFacts, u64) => |this, map| {
    map.serialize_entry("requests_in_file", &this.0.requests_in_file)?;
    map.serialize_entry("requests_own", &this.0.requests_own)?;
    map.serialize_entry("in_file", &Tokens(&this.0.in_file))?;
    map.serialize_entry("own", &Tokens(&this.0.own))?;
    map.serialize_entry("inherited_events", &this.1)?;
});

entry!(Tokens(&'a Usage) => |this, map| {
    map.serialize_entry("inputTokens", &this.0.input)?;
    map.serialize_entry("outputTokens", &this.0.output)?;
    map.serialize_entry("cacheReadTokens", &this.0.cache_read)?;
    map.serialize_entry("cacheWriteTokens", &this.0.cache_write)?;
});

entry!(LoaderEntry(&'a Facts) => |this, map| {
    let loader = &this.0.loader;
    map.serialize_entry("result", &loader.result.map(loader_result))?;
    map.serialize_entry("why", &loader.why)?;
    map.serialize_entry("kept_events", &loader.kept_events)?;
});

/// The words of the report for what the harness would do.
#[must_use]
pub fn loader_result(result: LoaderResult) -> &'static str {
    match result {
        LoaderResult::Loads => "loads",
        LoaderResult::LoadsTornTail => "loads_torn_tail",
        LoaderResult::LoadsWithoutTail => "loads_without_tail",
        LoaderResult::Refuses => "refuses",
    }
}

entry!(GhostEntry(&'a (&'a Ghost, Option<i64>)) => |this, map| {
    let (ghost, closes) = this.0;
    match &ghost.kind {
        GhostKind::Result { call_id, started, .. } => {
            map.serialize_entry("type", "tool/result")?;
            map.serialize_entry("callId", &Text(call_id))?;
            map.serialize_entry("code", if *started { "TOOL_OUTCOME_UNKNOWN" } else { "TOOL_NOT_STARTED" })?;
        }
        GhostKind::StepEnd { .. } => map.serialize_entry("type", "step/end")?,
        GhostKind::TurnEnd { .. } => map.serialize_entry("type", "turn/end")?,
    }
    map.serialize_entry("closes_seq", closes)?;
});

entry!(StoppedEntry(&'a Stopped) => |this, map| {
    map.serialize_entry("cause", stop_cause(this.0.cause))?;
    map.serialize_entry("torn", &this.0.torn)?;
    map.serialize_entry("seq", &this.0.seq)?;
    map.serialize_entry("since_ms", &this.0.since_ms)?;
    map.serialize_entry("text", &this.0.text.for_programs())?;
});

/// The words of the report for why a log ends.
#[must_use]
pub fn stop_cause(cause: StopCause) -> &'static str {
    match cause {
        StopCause::OpenApproval => "open approval",
        StopCause::OpenCall => "open call",
        StopCause::OpenSubCall => "open sub-call",
        StopCause::OpenCommand => "open command",
        StopCause::WaitingForRetry => "waiting for retry",
        StopCause::NoAnswer => "no answer from the model",
        StopCause::BetweenSteps => "between steps",
        StopCause::TurnEnded => "turn ended",
        StopCause::NothingYet => "nothing yet",
    }
}

fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Zstd => "zstd",
        Encoding::Plain => "plain",
    }
}
