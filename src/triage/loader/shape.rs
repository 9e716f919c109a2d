//! What a version minds about the shape of one event by itself.

use super::replay::name;
use crate::record::admission::{Oddity, Role};
use crate::record::event::{Body, Event};
use crate::record::kinds::Kind;
use crate::text::wire::WireText;

/// The first thing that the version minds; `None` for a sound event and for types that it does not know.
pub(super) fn objection(event: &Event, version: i64) -> Option<String> {
    let seq = event.seq.unwrap_or_default();
    if event.time.is_none() {
        return Some(format!("the event at seq {seq} has no valid time"));
    }
    if is_nameless(event) && event.kind.known_in(version) {
        return Some(format!("the tool/result at seq {seq} names no call"));
    }
    let what = oddity(event, version).or_else(|| role(event, version)).or_else(|| system(event, version))?;
    Some(format!("the {} at seq {seq} {what}", name(event)))
}

/// A result that names no call, in any place that a version looks at.
fn is_nameless(event: &Event) -> bool {
    matches!(&event.body, Body::Result { id, .. } if id.as_ref().is_none_or(WireText::is_empty))
}

/// An envelope that is none, for the line scan of the later versions.
pub(super) fn is_no_envelope(event: &Event) -> bool {
    let odd = event.admission.oddities;
    event.time.is_none() || [Oddity::ExtraKey, Oddity::NoData, Oddity::OddIgnorable].into_iter().any(|one| odd.has(one))
}

/// Whether the version refuses the event wherever it stands, also in a tail that it would cut.
pub(super) fn is_refused_anywhere(event: &Event, version: i64) -> bool {
    let odd = event.admission.oddities;
    let header = system(event, version).is_some();
    let dispatch = matches!(event.kind, Kind::ToolCodeDispatchStart | Kind::ToolCodeDispatch) && !event.ignorable;
    match version {
        ..=2 => false,
        3 => header || dispatch || (event.kind == Kind::SystemMessage && oddity(event, version).is_some()),
        _ => {
            let owned = matches!(event.kind, Kind::ToolResult | Kind::SystemMessage | Kind::DeveloperMessage)
                && (oddity(event, version).is_some() || role(event, version).is_some());
            let retired =
                [Oddity::PluginSource, Oddity::ResultBlock, Oddity::ToolChange].into_iter().any(|one| odd.has(one));
            header || dispatch || owned || (retired && event.kind.known_in(version))
        }
    }
}

/// Whether the version takes the shape of the oldest builds and rewrites it.
fn is_taken_as_old(event: &Event, version: i64) -> bool {
    version == 0 && event.admission.oddities.has(Oddity::OldMessage)
}

fn oddity(event: &Event, version: i64) -> Option<&'static str> {
    let odd = event.admission.oddities;
    if odd.is_empty() {
        return None;
    }
    Oddity::ALL.into_iter().filter(|one| odd.has(*one)).find_map(|one| words(one, event, version))
}

/// What to say of an oddity, where the version minds it.
fn words(oddity: Oddity, event: &Event, version: i64) -> Option<&'static str> {
    let known = event.kind.known_in(version);
    let old = is_taken_as_old(event, version);
    let (minded, words) = match oddity {
        Oddity::ExtraKey => (true, "has a key that no event has"),
        Oddity::NoData => (true, "has no data"),
        Oddity::OddIgnorable => (true, "has an invalid ignorable mark"),
        Oddity::OddTurn => (version == 0, "has a shape that was never written"),
        Oddity::OldMessage => (known && version > 0, "has the shape of the oldest builds"),
        Oddity::NoMessageId => (known && !old, "has a message without an id"),
        Oddity::NoSource => (known && !old, "has a message without a source"),
        Oddity::PluginSource => (known && version >= 4, "has the retired source kind plugin"),
        Oddity::NoContent => (known && !old, "has a message without a content list"),
        Oddity::NoModel => (known, "has a source that names no provider and model"),
        Oddity::NoToolSource => (known, "has a source that is no tool"),
        Oddity::NotOneBlock => (known && version <= 3 && !old, "does not hold exactly one result block"),
        Oddity::OtherBlockCall => (known && version <= 3 && !old, "names two different calls"),
        Oddity::OtherMessageCall => (known && version >= 4, "names two different calls"),
        Oddity::ResultBlock => (known && version >= 4, "holds a retired tool-result block"),
        Oddity::ToolChange => (known && version >= 4, "changes tools outside a developer message"),
        Oddity::UnflaggedBlockError => (known && version == 3, "has an error without isError"),
        Oddity::UnflaggedMessageError => (known && version >= 4, "has an error without isError"),
        Oddity::NoStream => (known && version >= 2, "has no stream"),
        Oddity::NoRoute => (known, "has a header without provider and model"),
        Oddity::OddReason => (known && version >= 2, "has an unknown reason"),
        Oddity::EmptyTools => (known && version >= 3, "has an empty list of tools"),
        Oddity::OddDeveloper => (known && version >= 4, "has tool changes that do not go with its headerSeq"),
        Oddity::RepeatedCite => (event.kind.is_surface() && known, "cites an event twice"),
    };
    minded.then_some(words)
}

/// From version 3 the system prompt is a message of its own.
fn system(event: &Event, version: i64) -> Option<&'static str> {
    let has_system = matches!(event.body, Body::RequestHeader { has_system: true, .. });
    (has_system && version >= 3).then_some("has the retired header.system")
}

/// The role that a message must have.
fn role(event: &Event, version: i64) -> Option<&'static str> {
    let expected = match event.kind {
        Kind::AssistantMessage => Role::Assistant,
        Kind::ToolResult if version >= 4 => Role::Tool,
        Kind::UserMessage | Kind::ToolResult => Role::User,
        Kind::SystemMessage => Role::System,
        Kind::DeveloperMessage => Role::Developer,
        _ => return None,
    };
    let minded = event.kind.known_in(version) && !is_taken_as_old(event, version);
    (minded && event.admission.role != expected).then_some("has a message of another role")
}
