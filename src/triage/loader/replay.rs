//! What the harness says against single events, and against the surface, when it takes the kept events back into a session.

use super::objection::{Objections, Pass};
use super::relations::{self, Around, Relations};
use super::shape;
use super::surface::{NodeKind, Span, SpanFault, SurfaceFold};
use crate::record::event::{Body, Event, Surface};
use crate::record::header::Header;
use crate::record::kinds::Kind;
use crate::session::row::RowIx;

/// First format version that refuses chunk citations on an assistant message.
const UNCITED_SINCE: i64 = 3;

/// The rules of one version over the events so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Replay {
    surface: SurfaceFold,
    /// The system message at the head of the surface, which only another may replace.
    head: Option<i64>,
    relations: Relations,
}

impl Replay {
    /// Judges the next kept event.
    pub(super) fn event(&mut self, at: RowIx, event: &Event, version: i64, objections: &mut Objections) {
        vocabulary(at, event, version, objections);
        if let Some(why) = shape::objection(event, version) {
            objections.note(Pass::Shape, at, || why);
        }
        if !objections.has(Pass::Surface)
            && let Err(why) = self.take(event, version)
        {
            objections.note(Pass::Surface, at, || why);
        }
        if !objections.has(Pass::Surface) {
            let around = Around { version, surface: &self.surface, head: self.head };
            self.relations.event(at, event, &around, objections);
        }
    }

    /// Notes what is said against an event that is not kept, yet refused.
    pub(super) fn refuse_anywhere(at: RowIx, event: &Event, version: i64, objections: &mut Objections) {
        vocabulary(at, event, version, objections);
        if let Some(why) = shape::objection(event, version) {
            objections.note(Pass::Shape, at, || why);
        }
    }

    /// What only the end of the log decides.
    pub(super) fn finish(&self, header: Option<&Header>, objections: &mut Objections) {
        self.relations.finish(header, objections);
    }

    /// Replays one event onto the surface.
    fn take(&mut self, event: &Event, version: i64) -> Result<(), String> {
        let seq = event.seq.unwrap_or_default();
        if !stands_on_surface(event, version) {
            // From version 4 such fields of a type that the build does not know are the plugin's own.
            let opaque = version >= 4 && !event.kind.known_in(version);
            return match (event.surface, event.cites.present) {
                _ if opaque => Ok(()),
                (Surface::None, false) => Ok(()),
                (Surface::None, true) => Err(format!("the {} at seq {seq} may not have sourceEventSeqs", name(event))),
                _ => Err(format!("the {} at seq {seq} may not have a surfaceOp", name(event))),
            };
        }
        let kind = if event.kind == Kind::ToolResult { NodeKind::Result } else { NodeKind::Message };
        match event.surface {
            Surface::None => Err(format!("the {} at seq {seq} has no surfaceOp", name(event))),
            Surface::Odd | Surface::Replace { start: None, .. } | Surface::Replace { end: None, .. } => {
                Err(format!("the {} at seq {seq} has an invalid surfaceOp", name(event)))
            }
            Surface::Append => {
                cites(event, seq, version)?;
                self.append_head(event, seq, version)?;
                self.surface.append(seq, kind);
                Ok(())
            }
            Surface::Replace { start: Some(start), end: Some(end) } => {
                let span = self.surface.span(start, end).map_err(|fault| match fault {
                    SpanFault::NotThere(node) => {
                        format!("the replacement at seq {seq} names seq {node}, which is not on the surface")
                    }
                    SpanFault::Backwards => format!("the replacement at seq {seq} names a span that runs backwards"),
                })?;
                cites(event, seq, version)?;
                self.shadowed(event, seq, span)?;
                self.replace_head(event, seq, span, version)?;
                self.surface.replace(span, seq, kind);
                Ok(())
            }
        }
    }

    /// A system message is the head of an empty surface, or follows such a head.
    fn append_head(&mut self, event: &Event, seq: i64, version: i64) -> Result<(), String> {
        if event.kind != Kind::SystemMessage || version < relations::SINCE {
            return Ok(());
        }
        if self.surface.is_empty() {
            self.head = Some(seq);
        } else if self.head.is_none() {
            return Err(format!(
                "the system/message at seq {seq} follows a surface without a system message at its head"
            ));
        }
        Ok(())
    }

    /// The head is replaced by a system message alone, and by itself.
    fn replace_head(&mut self, event: &Event, seq: i64, span: Span, version: i64) -> Result<(), String> {
        if version < relations::SINCE {
            return Ok(());
        }
        let system = event.kind == Kind::SystemMessage;
        let Some(head) = self.head else {
            return if system {
                Err(format!("the system/message at seq {seq} has no head to replace"))
            } else {
                Ok(())
            };
        };
        if self.surface.nodes(span).all(|node| node != head) {
            return Ok(());
        }
        if !system || self.surface.nodes(span).nth(1).is_some() {
            return Err(format!("the replacement at seq {seq} shadows the system message at the head"));
        }
        self.head = Some(seq);
        Ok(())
    }

    /// A replacement cites every node it shadows; a result replaces exactly one result.
    fn shadowed(&self, event: &Event, seq: i64, span: Span) -> Result<(), String> {
        let covered = self.surface.nodes(span).all(|node| event.admission.cites(node));
        let is_one = self.surface.nodes(span).nth(1).is_none();
        if !covered {
            return Err(format!("the replacement at seq {seq} does not cite every event it shadows"));
        }
        if event.kind == Kind::ToolResult && !(is_one && self.surface.starts_with_result(span)) {
            return Err(format!("the tool/result at seq {seq} replaces something other than one result"));
        }
        Ok(())
    }
}

/// Whether the version puts events of this type on the surface.
fn stands_on_surface(event: &Event, version: i64) -> bool {
    event.kind.is_surface() && event.kind.known_in(version)
}

/// The type as the log spells it.
pub(super) fn name(event: &Event) -> String {
    match &event.unknown_type {
        Some(unknown) => unknown.to_report(),
        None => event.kind.name().to_owned(),
    }
}

fn vocabulary(at: RowIx, event: &Event, version: i64, objections: &mut Objections) {
    let seq = event.seq.unwrap_or_default();
    match event.kind {
        Kind::RequestHeaderDelta | Kind::ModeSet if version <= 1 => {
            objections.note(Pass::Retired, at, || format!("the retired event type {} at seq {seq}", event.kind.name()));
            return;
        }
        Kind::RequestHeader => {
            if let Body::RequestHeader { reason: Some(reason), .. } = &event.body
                && *reason == "fallback"
            {
                objections.note(Pass::Retired, at, || {
                    format!("the request/header at seq {seq} has the retired reason fallback")
                });
            }
        }
        _ => {}
    }
    // The names that compaction had in the oldest builds are unknown to the released ones.
    let forgotten =
        matches!(event.kind, Kind::CompactStart | Kind::CompactSummary | Kind::CompactEnd | Kind::CompactPrune);
    if !event.ignorable && (forgotten || !event.kind.known_in(version)) {
        objections.note(Pass::Vocabulary, at, || match (&event.unknown_type, event.kind) {
            (None, Kind::Unknown) => format!("the event at seq {seq} names no type"),
            _ => format!("unknown event type {} at seq {seq} is not marked ignorable", name(event)),
        });
    }
}

/// `sourceEventSeqs` of a surface event: seqs of earlier events, and empty only where a message had no chunks.
fn cites(event: &Event, seq: i64, version: i64) -> Result<(), String> {
    let cites = event.cites;
    if !cites.present {
        return Ok(());
    }
    let message = event.kind == Kind::AssistantMessage;
    if message && version >= UNCITED_SINCE {
        return Err(format!("the assistant/message at seq {seq} may not have sourceEventSeqs"));
    }
    if cites.malformed {
        return Err(format!("the {} at seq {seq} has invalid sourceEventSeqs", name(event)));
    }
    if cites.count == 0 && !message {
        return Err(format!("the {} at seq {seq} has empty sourceEventSeqs", name(event)));
    }
    if cites.highest.is_some_and(|highest| highest >= seq) {
        return Err(format!("the {} at seq {seq} cites an event that is not earlier", name(event)));
    }
    Ok(())
}
