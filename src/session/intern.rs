//! Event types as small numbers.

use std::sync::LazyLock;

use foldhash::HashMap;

use super::row::TypeId;
use crate::record::kinds::Kind;
use crate::text::wire::WireText;

/// Distinct types kept apart; a log with more (only a hostile one) has the rest under one name.
const MOST_TYPES: usize = 60_000;

/// The event types of a log, each with its number and how many events have it.
#[derive(Debug, Clone, Default)]
pub struct Types {
    names: Vec<WireText>,
    kinds: Vec<Kind>,
    counts: Vec<u64>,
    lookup: HashMap<Box<[u8]>, TypeId>,
    by_kind: HashMap<Kind, TypeId>,
}

impl Types {
    /// Number of a known type.
    pub fn of_kind(&mut self, kind: Kind) -> TypeId {
        if let Some(id) = self.by_kind.get(&kind) {
            return *id;
        }
        let id = self.intern(kind.event_type().as_bytes(), kind);
        self.by_kind.insert(kind, id);
        id
    }

    /// Number of a type outside the catalogue; `None` for a line that names no type.
    pub fn of_name(&mut self, name: Option<&WireText>) -> TypeId {
        self.intern(name.map_or(NO_TYPE.as_bytes(), WireText::as_bytes), Kind::Unknown)
    }

    fn intern(&mut self, name: &[u8], kind: Kind) -> TypeId {
        if let Some(id) = self.lookup.get(name) {
            return *id;
        }
        let name: &[u8] = if self.names.len() >= MOST_TYPES { b"(further types)" } else { name };
        if let Some(id) = self.lookup.get(name) {
            return *id;
        }
        let id = TypeId(self.names.len() as u16);
        self.names.push(WireText::from_bytes(name));
        self.kinds.push(kind);
        self.counts.push(0);
        self.lookup.insert(name.into(), id);
        id
    }

    /// Counts `events` more events of a type.
    pub fn count(&mut self, id: TypeId, events: u64) {
        if let Some(count) = self.counts.get_mut(usize::from(id.0)) {
            *count += events;
        }
    }

    /// The type as the log spells it; [`NO_TYPE`] for an event that names none, and for a line that is no event.
    #[must_use]
    pub fn name(&self, id: TypeId) -> &WireText {
        static NONE: LazyLock<WireText> = LazyLock::new(|| NO_TYPE.into());
        self.names.get(usize::from(id.0)).unwrap_or(&NONE)
    }

    /// All types: number, name, kind, events; in order of first occurrence.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &WireText, Kind, u64)> {
        self.names
            .iter()
            .zip(&self.kinds)
            .zip(&self.counts)
            .enumerate()
            .map(|(at, ((name, kind), count))| (TypeId(at as u16), name, *kind, *count))
    }

    /// How many types there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Stands for the type of a line that names none. No type of the catalogue has brackets.
pub const NO_TYPE: &str = "(no type)";
