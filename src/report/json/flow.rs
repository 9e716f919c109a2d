//! Attempts, tokens, time, rewrites, prompts, uploads, changed files and request headers (docs/REPORT.md).

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{List, Text, Tokens};
use crate::record::event::Usage;
use crate::text::wire::WireText;
use crate::triage::clock::{Part, Spent, TimeTable};
use crate::triage::edits::{Unseen, unseen};
use crate::triage::facts::{
    Attempt, DroppedCall, Edit, Facts, Fate, HeadPart, Prompt, RequestHead, Rewrite, RewriteKind, Stall, ToldUsage,
    ToolChange, Upload,
};
use crate::triage::session::Session;
use crate::triage::tokens::{self, TokenSum};

/// Writes the keys of this part.
pub(super) fn write<M: SerializeMap>(map: &mut M, session: &Session) -> Result<(), M::Error> {
    let facts = &session.facts;
    map.serialize_entry("attempts", &List(&facts.attempts, AttemptEntry))?;
    map.serialize_entry("stalls", &List(&facts.stalls, StallEntry))?;
    map.serialize_entry("stream_only_calls", &List(&facts.dropped_calls, DroppedEntry))?;
    map.serialize_entry("usage_by_turn", &TurnTokens(facts))?;
    map.serialize_entry("usage_by_step", &StepTokens(facts))?;
    map.serialize_entry("time", &TimeEntry(session, &TimeTable::of(session)))?;
    map.serialize_entry("rewrites", &List(&facts.rewrites, RewriteEntry))?;
    map.serialize_entry("prompts", &List(&facts.prompts, PromptEntry))?;
    map.serialize_entry("uploads", &List(&facts.uploads, UploadEntry))?;
    map.serialize_entry("changed_files", &ChangedFiles(facts))?;
    map.serialize_entry("changes_unseen", &unseen(facts).iter().map(UnseenEntry).collect::<Vec<_>>())?;
    map.serialize_entry("request_headers", &List(&facts.headers, HeadEntry))?;
    map.serialize_entry("tool_changes", &List(&facts.tool_changes, ToolChangeEntry))
}

/// Writes a key that has something to say: a count above 0, a mark that is set. The tables are as long as the log has
/// steps, and most of their counts are 0.
fn told<M: SerializeMap, T: Serialize + Default + PartialEq>(
    map: &mut M,
    key: &'static str,
    value: &T,
) -> Result<(), M::Error> {
    if *value == T::default() { Ok(()) } else { map.serialize_entry(key, value) }
}

/// Writes a key whose value is known.
fn known<M: SerializeMap, T: Serialize>(map: &mut M, key: &'static str, value: Option<T>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, &value))
}

entry!(AttemptEntry(&'a Attempt) => |this, map| {
    let attempt = this.0;
    map.serialize_entry("turn", &attempt.turn)?;
    map.serialize_entry("step", &attempt.step)?;
    map.serialize_entry("first_seq", &attempt.first_seq)?;
    map.serialize_entry("last_seq", &attempt.last_seq)?;
    map.serialize_entry("message_seq", &attempt.message_seq)?;
    let finish = attempt.finish.as_deref();
    map.serialize_entry("finish", &finish.and_then(|finish| finish.kind.as_ref()).map(Text))?;
    known(&mut map, "first_wait_ms", attempt.first_wait_ms.get())?;
    known(&mut map, "streamed_ms", attempt.streamed_ms())?;
    told(&mut map, "longest_gap_ms", &attempt.longest_gap_ms)?;
    told(&mut map, "pieces", &attempt.pieces)?;
    told(&mut map, "text_chars", &attempt.text_chars)?;
    told(&mut map, "reasoning_chars", &attempt.reasoning_chars)?;
    told(&mut map, "calls", &attempt.calls)?;
    if let Some(failure) = finish.and_then(|finish| finish.failure.as_deref()) {
        map.serialize_entry("error_code", &failure.code.as_ref().map(Text))?;
        map.serialize_entry("status", &failure.status)?;
    }
    known(&mut map, "usage", attempt.usage.get().as_ref().map(Tokens))?;
    if let ToldUsage::Other(usage) = &attempt.told {
        map.serialize_entry("message_usage", &Tokens(usage))?;
    }
    told(&mut map, "usage_differs", &attempt.usage_differs())?;
    told(&mut map, "interrupted", &attempt.interrupted)?;
    known(&mut map, "is_retry", attempt.is_retry)?;
    known(&mut map, "then_retry", attempt.retry)?;
    told(&mut map, "inherited", &attempt.inherited)?;
});

entry!(StallEntry(&'a Stall) => |this, map| {
    map.serialize_entry("seq", &this.0.seq)?;
    map.serialize_entry("piece", &this.0.member)?;
    map.serialize_entry("ms", &this.0.ms)?;
    map.serialize_entry("attempt", &this.0.attempt)?;
});

entry!(DroppedEntry(&'a DroppedCall) => |this, map| {
    map.serialize_entry("callId", &this.0.call_id.as_ref().map(Text))?;
    map.serialize_entry("name", &this.0.name.as_ref().map(Text))?;
    map.serialize_entry("turn", &this.0.turn)?;
    map.serialize_entry("step", &this.0.step)?;
    map.serialize_entry("seq", &this.0.seq)?;
});

struct TurnTokens<'a>(&'a Facts);

impl Serialize for TurnTokens<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(tokens::by_turn(self.0).map(|(turn, sum)| TokensOf(turn, None, sum)))
    }
}

struct StepTokens<'a>(&'a Facts);

impl Serialize for StepTokens<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(tokens::by_step(self.0).map(|((turn, step), sum)| TokensOf(turn, Some(step), sum)))
    }
}

/// Tokens of a turn, or of a step of it.
struct TokensOf(i64, Option<i64>, TokenSum);

impl Serialize for TokensOf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TokensOf(turn, step, sum) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("turn", turn)?;
        known(&mut map, "step", *step)?;
        map.serialize_entry("attempts", &sum.attempts)?;
        map.serialize_entry("requests", &sum.requests)?;
        map.serialize_entry("tokens", &Tokens(&sum.tokens))?;
        known(&mut map, "without_message", Some(&sum.failed).filter(|lost| **lost != Usage::default()).map(Tokens))?;
        map.end()
    }
}

/// What a turn or a step took.
fn spent<M: SerializeMap>(map: &mut M, spent: &Spent) -> Result<(), M::Error> {
    map.serialize_entry("sum_ms", &spent.sum())?;
    for part in Part::ALL {
        told(map, part.name(), &spent.of(part))?;
    }
    told(map, "steps_back", &spent.steps_back)?;
    told(map, "back_ms", &spent.back_ms)
}

entry!(TimeEntry(&'a Session, &'a TimeTable) => |this, map| {
    let whole = &this.1.session;
    map.serialize_entry("sum_ms", &whole.sum())?;
    for part in Part::ALL {
        map.serialize_entry(part.name(), &whole.of(part))?;
    }
    map.serialize_entry("steps_back", &whole.steps_back)?;
    map.serialize_entry("back_ms", &whole.back_ms)?;
    map.serialize_entry("turns", &SpentBy(this.0, this.1, Level::Turn))?;
    map.serialize_entry("steps", &SpentBy(this.0, this.1, Level::Step))?;
});

#[derive(Clone, Copy)]
enum Level {
    Turn,
    Step,
}

struct SpentBy<'a>(&'a Session, &'a TimeTable, Level);

impl Serialize for SpentBy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (facts, table) = (&self.0.facts, self.1);
        match self.2 {
            Level::Turn => serializer
                .collect_seq(facts.turns.iter().zip(&table.turns).map(|(turn, spent)| Place(turn.turn, None, spent))),
            Level::Step => serializer.collect_seq(
                facts.steps.iter().zip(&table.steps).map(|(step, spent)| Place(step.turn, Some(step.step), spent)),
            ),
        }
    }
}

entry!(Place(i64, Option<i64>, &'a Spent) => |this, map| {
    map.serialize_entry("turn", &this.0)?;
    if let Some(step) = this.1 {
        map.serialize_entry("step", &step)?;
    }
    spent(&mut map, this.2)?;
});

entry!(RewriteEntry(&'a Rewrite) => |this, map| {
    let rewrite = this.0;
    map.serialize_entry("kind", rewrite_kind(rewrite.kind))?;
    map.serialize_entry("compactionId", &rewrite.id.as_ref().map(Text))?;
    map.serialize_entry("commandId", &rewrite.command.as_ref().map(Text))?;
    map.serialize_entry("start_seq", &rewrite.start_seq)?;
    map.serialize_entry("seq", &rewrite.seq)?;
    map.serialize_entry("replacement_seq", &rewrite.replacement_seq)?;
    map.serialize_entry("end_seq", &rewrite.end_seq)?;
    map.serialize_entry("failed", &rewrite.failed)?;
    map.serialize_entry("shadows", &rewrite.count)?;
    map.serialize_entry("shadowed_seqs", &rewrite.shadowed)?;
    if rewrite.inherited {
        map.serialize_entry("inherited", &true)?;
    }
});

fn rewrite_kind(kind: RewriteKind) -> &'static str {
    match kind {
        RewriteKind::Compaction => "compaction",
        RewriteKind::Prune => "prune",
        RewriteKind::Other => "replacement",
    }
}

entry!(PromptEntry(&'a Prompt) => |this, map| {
    map.serialize_entry("seq", &this.0.seq)?;
    map.serialize_entry("nth", &this.0.nth)?;
    map.serialize_entry("queue", &this.0.queue.as_ref().map(Text))?;
    let (fate, seq) = match this.0.fate {
        Fate::Waiting => ("never sent", None),
        Fate::Taken { seq, .. } => ("taken", seq),
        Fate::Replaced { seq, .. } => ("replaced", seq),
        Fate::Cancelled { seq, .. } => ("cancelled", seq),
    };
    map.serialize_entry("fate", fate)?;
    map.serialize_entry("fate_seq", &seq)?;
});

entry!(UploadEntry(&'a Upload) => |this, map| {
    map.serialize_entry("seq", &this.0.seq)?;
    map.serialize_entry("through_seq", &this.0.through)?;
    map.serialize_entry("version", &this.0.version)?;
});

struct ChangedFiles<'a>(&'a Facts);

impl Serialize for ChangedFiles<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(crate::triage::edits::by_file(self.0).iter().map(|file| FileEntry(self.0, file)))
    }
}

entry!(FileEntry(&'a Facts, &'a crate::triage::edits::ChangedFile<'a>) => |this, map| {
    map.serialize_entry("path", &Text(this.1.path))?;
    if !this.1.also.is_empty() {
        map.serialize_entry("also_written", &this.1.also.iter().map(|path| Text(path)).collect::<Vec<_>>())?;
    }
    map.serialize_entry("changes", &Changes(this.0, &this.1.edits))?;
});

entry!(UnseenEntry(&'a Unseen<'a>) => |this, map| {
    let (kind, id, tool, seq) = match this.0 {
        Unseen::Shell(call) => ("shell", &call.call_id, &*call.name, call.call_seq.get()),
        Unseen::Added(call) => ("added_tool", &call.call_id, &*call.name, call.call_seq.get()),
        Unseen::SubCall(sub) => ("sub_call", &sub.id, &sub.name, sub.start_seq.or(sub.settle_seq)),
    };
    map.serialize_entry("kind", kind)?;
    map.serialize_entry("callId", &Text(id))?;
    map.serialize_entry("tool", &Text(tool))?;
    map.serialize_entry("seq", &seq)?;
});

struct Changes<'a>(&'a Facts, &'a [&'a Edit]);

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|edit| EditEntry(self.0, edit)))
    }
}

entry!(EditEntry(&'a Facts, &'a Edit) => |this, map| {
    let edit = this.1;
    let call = this.0.calls.get(edit.call);
    map.serialize_entry("callId", &call.map(|call| Text(&call.call_id)))?;
    map.serialize_entry("call_seq", &call.and_then(|call| call.call_seq.get()))?;
    map.serialize_entry("seq", &edit.seq)?;
    map.serialize_entry("hunks", &edit.hunks)?;
    map.serialize_entry("operation", &edit.operation.as_ref().map(Text))?;
    map.serialize_entry("state", &call.map(|call| super::call_state(call.state)))?;
    let outcomes: Vec<Option<&WireText>> = crate::triage::edits::outcomes(this.0, edit);
    map.serialize_entry("approvals", &outcomes.into_iter().map(|outcome| outcome.map(Text)).collect::<Vec<_>>())?;
});

entry!(HeadEntry(&'a RequestHead) => |this, map| {
    let head = this.0;
    map.serialize_entry("seq", &head.seq)?;
    map.serialize_entry("reason", &head.reason.as_ref().map(Text))?;
    map.serialize_entry("provider", &head.provider.as_ref().map(Text))?;
    map.serialize_entry("model", &head.model.as_ref().map(Text))?;
    map.serialize_entry("tools", &head.tools)?;
    map.serialize_entry("added", &head.added.iter().map(Text).collect::<Vec<_>>())?;
    map.serialize_entry("removed", &head.removed.iter().map(Text).collect::<Vec<_>>())?;
    let part = |part: &HeadPart| match part {
        HeadPart::Config => "config",
        HeadPart::Prompt => "prompt",
        HeadPart::Tools => "tools",
    };
    map.serialize_entry("changed", &head.changed.iter().map(part).collect::<Vec<_>>())?;
});

entry!(ToolChangeEntry(&'a ToolChange) => |this, map| {
    map.serialize_entry("seq", &this.0.seq)?;
    map.serialize_entry("header_seq", &this.0.header_seq)?;
    map.serialize_entry("added", &this.0.added.iter().map(Text).collect::<Vec<_>>())?;
    map.serialize_entry("removed", &this.0.removed.iter().map(Text).collect::<Vec<_>>())?;
});
