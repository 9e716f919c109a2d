//! What the harness says against the kept events, in the order in which it looks at them.

use crate::session::row::RowIx;

/// One refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Objection {
    /// The row it is about.
    pub(super) at: RowIx,
    /// In the words of the report.
    pub(super) why: String,
}

/// The passes that the harness makes over the kept events, each over all of them before the next begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pass {
    /// Retired types and values.
    Retired,
    /// The shape of single events.
    Shape,
    /// Types that it does not know.
    Vocabulary,
    /// How events relate to each other.
    Relations,
    /// The surface, and the envelopes that are only looked at when it is replayed.
    Surface,
}

impl Pass {
    const COUNT: usize = 5;
}

/// The first objection of each pass: what is refused depends on the first pass that has one.
#[derive(Debug, Clone, Default)]
pub(super) struct Objections {
    first: [Option<Box<Objection>>; Pass::COUNT],
}

impl Objections {
    /// Notes an objection, unless the pass has one.
    pub(super) fn note(&mut self, pass: Pass, at: RowIx, why: impl FnOnce() -> String) {
        if let Some(slot) = self.first.get_mut(pass as usize)
            && slot.is_none()
        {
            *slot = Some(Box::new(Objection { at, why: why() }));
        }
    }

    /// Notes an objection to an event that lies further back, unless the pass has one that is earlier still.
    pub(super) fn note_earlier(&mut self, pass: Pass, at: RowIx, why: impl FnOnce() -> String) {
        if let Some(slot) = self.first.get_mut(pass as usize)
            && slot.as_ref().is_none_or(|noted| noted.at > at)
        {
            *slot = Some(Box::new(Objection { at, why: why() }));
        }
    }

    /// Whether a pass has one.
    pub(super) fn has(&self, pass: Pass) -> bool {
        self.first.get(pass as usize).is_some_and(Option::is_some)
    }

    /// The one that the harness comes to first.
    pub(super) fn first(&self) -> Option<&Objection> {
        self.first.iter().flatten().map(AsRef::as_ref).next()
    }
}
