//! What the harness looks at when it takes an event back, beyond what the event means: its shape, and what it refers to.
//!
//! Facts only. Which of them a version of the harness minds is for `triage::loader`.

use crate::text::wire::WireText;

/// Shape and references of one event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Admission {
    /// What is odd about its shape.
    pub oddities: Oddities,
    /// The role of its message.
    pub role: Role,
    /// What it refers to; few types refer to anything.
    pub links: Option<Box<Links>>,
    /// What a surface replacement cites, as disjoint ranges in ascending order.
    pub cited: Option<Box<[(i64, i64)]>>,
}

impl Admission {
    /// Whether a replacement cites a seq.
    #[must_use]
    pub fn cites(&self, seq: i64) -> bool {
        self.cited.as_ref().is_some_and(|ranges| {
            let after = ranges.partition_point(|(first, _)| *first <= seq);
            after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|(_, last)| *last >= seq)
        })
    }
}

/// The `role` of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Role {
    /// No message, no role, or another one.
    #[default]
    Other,
    /// `user`.
    User,
    /// `assistant`.
    Assistant,
    /// `tool`.
    Tool,
    /// `system`.
    System,
    /// `developer`.
    Developer,
}

/// One thing odd about the shape of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Oddity {
    /// A key beside the seven of an event.
    ExtraKey,
    /// No `data`.
    NoData,
    /// `ignorable` is there and not `true`.
    OddIgnorable,
    /// `sourceEventSeqs` names a seq twice.
    RepeatedCite,
    /// A message in the shape of the oldest builds, without id and role.
    OldMessage,
    /// No message, or one without an id.
    NoMessageId,
    /// The source of the message is missing or has no kind.
    NoSource,
    /// The content of the message is no list.
    NoContent,
    /// The source of an assistant message names no provider and model.
    NoModel,
    /// The source of a result is not a tool call.
    NoToolSource,
    /// The message of a result does not hold exactly one result block.
    NotOneBlock,
    /// The result block names another call than the source.
    OtherBlockCall,
    /// The message of a result names another call than the source, or none.
    OtherMessageCall,
    /// A block of the type `tool-result` in the content.
    ResultBlock,
    /// A block that adds or removes a tool outside a developer message.
    ToolChange,
    /// `error` beside a result block that does not say `isError`.
    UnflaggedBlockError,
    /// `error` beside a message that does not say `isError`.
    UnflaggedMessageError,
    /// The source kind is `plugin`.
    PluginSource,
    /// No list of stream records where one belongs.
    NoStream,
    /// A request header without provider or model.
    NoRoute,
    /// A request header with a reason that no build writes.
    OddReason,
    /// A request header with an empty list of tools.
    EmptyTools,
    /// A `turn/start` or `turn/end` in no shape that was ever written.
    OddTurn,
    /// A developer message whose `headerSeq` and additions do not go together, or a change without a tool name.
    OddDeveloper,
}

impl Oddity {
    /// All of them, in the order of the harness.
    pub const ALL: [Self; 24] = [
        Self::ExtraKey,
        Self::NoData,
        Self::OddIgnorable,
        Self::OddTurn,
        Self::OldMessage,
        Self::NoMessageId,
        Self::NoSource,
        Self::PluginSource,
        Self::NoContent,
        Self::NoModel,
        Self::NoToolSource,
        Self::NotOneBlock,
        Self::OtherBlockCall,
        Self::OtherMessageCall,
        Self::ResultBlock,
        Self::ToolChange,
        Self::UnflaggedBlockError,
        Self::UnflaggedMessageError,
        Self::NoStream,
        Self::NoRoute,
        Self::OddReason,
        Self::EmptyTools,
        Self::OddDeveloper,
        Self::RepeatedCite,
    ];
}

/// A set of oddities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Oddities(u32);

impl Oddities {
    /// Adds one.
    pub const fn add(&mut self, oddity: Oddity) {
        self.0 |= 1 << oddity as u8;
    }

    /// Adds one if it holds.
    pub const fn add_if(&mut self, holds: bool, oddity: Oddity) {
        if holds {
            self.add(oddity);
        }
    }

    /// Whether one is there.
    #[must_use]
    pub const fn has(self, oddity: Oddity) -> bool {
        self.0 >> oddity as u8 & 1 == 1
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What an event refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Links {
    /// `llm/retry`.
    Policy {
        /// Provider.
        provider: Option<WireText>,
        /// `policyKey`.
        key: Option<WireText>,
    },
    /// `compaction/*`, and a message that replaces what a compaction shadows.
    Compaction(Compaction),
    /// `session/title`, `session/title-llm-request`: the messages it cites; `None` where they are no list of integers.
    Titled(Option<Box<[i64]>>),
    /// `command/done` with a `sourceEventSeq`; `None` where it is no integer.
    Effect(Option<i64>),
    /// `session-log-deepseek/delivery-accepted`.
    Delivery {
        /// Session id.
        session: Option<WireText>,
        /// `throughSeq`.
        through: Option<i64>,
        /// Version in which it counts.
        version: Option<i64>,
    },
}

/// The owner of a compaction, and what is shadowed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compaction {
    /// `compactionId`.
    pub id: Option<WireText>,
    /// `sourceCommandId`.
    pub command: Option<WireText>,
    /// Turn number; `None` between turns.
    pub turn: Option<i64>,
    /// It ended with an error.
    pub failed: bool,
    /// `shadowedRange`.
    pub range: Option<(i64, i64)>,
    /// `shadowedSeqs`.
    pub shadowed: Box<[i64]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_oddity_is_its_own() {
        for oddity in Oddity::ALL {
            let mut set = Oddities::default();
            assert!(set.is_empty());
            set.add(oddity);
            assert_eq!(Oddity::ALL.iter().filter(|other| set.has(**other)).count(), 1);
        }
    }
}
