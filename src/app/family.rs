//! The family of the log that is open: its children, their children, its forks, on request its parent.
//!
//! One member is focused: the panes show it, and its index, timeline and calls lie in the model itself. Those of the
//! others lie on their shelves and change places with it. Each reading has an [`Epoch`] of its own, so that what is
//! asked of a log and what is answered names its member.

mod head;
mod lanes;
mod list;

use std::sync::Arc;

pub use self::head::Head;
pub(crate) use self::head::head;
pub use self::lanes::{Cell, Grid, Tie};
pub(crate) use self::list::Entry;
pub use self::list::{FamilyKind, FamilyRow, FamilyView, Figures, Shape};
use super::calls::{Calls, Node};
use super::follow::Follow;
use super::jumps::Identity;
use super::message::{Epoch, SummaryKey};
use super::model::{Model, Open};
use super::selection::Selection;
use super::sieve::Sieve;
use super::summaries::Summaries;
use super::timeline::Timeline;
use super::verdict::Verdict;
use crate::store::lineage::{Lineage, Link, Member, MemberIx, Parent, Rule, Unlinked};
use crate::text::locale::Words;
use crate::text::sanitize::{display, one_line};
use crate::text::width::short_id;
use crate::triage::session::Session;

/// The log that was opened.
pub(crate) const HOME: MemberIx = MemberIx(0);

/// Characters of an id that tell a child from its siblings.
const ID_START: usize = 8;

/// Characters at the end of an id, where many start alike.
const ID_END: usize = 4;

/// Columns of a label.
const LABEL: usize = 40;

impl Epoch {
    /// Readings of relatives are counted from here, those of the opened log from 0.
    const OF_KIN: u32 = 1 << 31;

    /// The reading of a relative; `number` counts them up.
    #[must_use]
    pub fn of_kin(number: u32) -> Epoch {
        Epoch(Epoch::OF_KIN | number)
    }

    /// Whether it is a reading of a relative.
    #[must_use]
    pub(crate) fn is_of_kin(self) -> bool {
        self.0 & Epoch::OF_KIN != 0
    }
}

/// A relative as it was read.
#[derive(Debug, Clone)]
pub struct Relative {
    /// Its reading.
    pub epoch: Epoch,
    /// What was read, and what follows.
    pub open: Open,
}

impl Relative {
    /// Works out what follows from a reading. `growing`: milliseconds since its file last grew, while it is followed and
    /// counts as growing.
    #[must_use]
    pub fn of(epoch: Epoch, session: Arc<Session>, words: &Words, growing: Option<u64>) -> Relative {
        Relative { epoch, open: Open::of(session, words, growing) }
    }
}

/// The relatives of the opened log.
#[derive(Debug, Clone)]
pub struct Kin {
    /// What is true of all of them; the opened log is the first member.
    pub lineage: Lineage,
    /// The other members, in their order.
    pub relatives: Vec<Relative>,
    /// Relatives that are there and were not read: there are too many, or they cannot be read.
    pub unread: u64,
    /// The opened log lies in a store, so that relatives could be looked for.
    pub in_store: bool,
    /// Milliseconds since one of them last grew, while they are followed and one grows.
    pub quiet_ms: Option<u64>,
}

/// What is worked out for a member while another one is focused.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shelf {
    pub(crate) epoch: Epoch,
    pub(crate) shown: Epoch,
    /// `None` of the focused member: the model has it.
    pub(crate) open: Option<Open>,
    pub(crate) timeline: Timeline,
    pub(crate) calls: Calls,
    pub(crate) summaries: Summaries,
    pub(crate) follow: Follow,
    /// The selection that the timeline was built with; `None`: it was not built.
    pub(crate) built: Option<Selection>,
    /// The query of the filter at work on it.
    pub(crate) sieve: Option<Sieve>,
}

/// Where a visit to a relative began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) member: MemberIx,
    pub(crate) place: Identity,
}

/// All members, and which one the panes show.
#[derive(Debug, Clone, Default)]
pub struct Family {
    /// What is true of all of them; `None` until they were looked for.
    pub(crate) lineage: Option<Arc<Lineage>>,
    /// One for each member, the focused one without its log. Empty until they were looked for.
    pub(crate) members: Vec<Shelf>,
    pub(crate) focused: MemberIx,
    /// Where visits to relatives began, the last one on top.
    pub(crate) trail: Vec<Spot>,
    /// What is to be said first, where it is not about the opened log alone.
    pub(crate) verdict: Option<Verdict>,
    pub(crate) unread: u64,
    pub(crate) in_store: bool,
    /// Generations above the opened log that are wanted too.
    pub(crate) up: u32,
    /// Once the parent is here, its call is gone to.
    pub(crate) to_parent: bool,
    /// Calls and open calls of the opened log when its relatives were last looked for.
    pub(crate) looked_for: Option<(usize, usize)>,
    /// The family as one list or in lanes, while it is shown.
    pub view: Option<FamilyView>,
    /// Texts of the list that were asked for and not answered.
    pub(crate) asked: Vec<(MemberIx, SummaryKey)>,
    /// The focused member changed: a search starts over.
    pub(crate) moved: bool,
}

impl Family {
    /// Whether there is anybody beside the opened log.
    #[must_use]
    pub fn has_relatives(&self) -> bool {
        self.members.len() > 1
    }

    /// Generations above the opened log that are wanted too.
    #[must_use]
    pub fn up(&self) -> u32 {
        self.up
    }

    /// The member with a reading.
    pub(crate) fn by_epoch(&mut self, epoch: Epoch) -> Option<&mut Shelf> {
        self.members.iter_mut().find(|shelf| shelf.epoch == epoch && shelf.open.is_some())
    }

    /// The focused member, where there is a family.
    pub(crate) fn focused_member(&self) -> Option<&Member> {
        self.lineage.as_ref()?.get(self.focused)
    }
}

impl Model {
    /// The log of a member, focused or not.
    pub(crate) fn open_of(&self, member: MemberIx) -> Option<&Open> {
        if member == self.family.focused {
            return self.open.as_ref();
        }
        self.family.members.get(member.as_usize())?.open.as_ref()
    }

    /// The reading of a member that is on its shelf; `None`: of the focused one.
    pub(crate) fn epoch_of(&self, relative: Option<MemberIx>) -> Option<Epoch> {
        relative.map_or(Some(self.epoch), |member| Some(self.family.members.get(member.as_usize())?.epoch))
    }

    /// The log of a reading, focused or not.
    pub(crate) fn session_of(&self, epoch: Epoch) -> Option<Arc<Session>> {
        if epoch == self.epoch {
            return self.open.as_ref().map(|open| Arc::clone(&open.session));
        }
        let mut of_epoch = self.family.members.iter().filter(|shelf| shelf.epoch == epoch);
        of_epoch.find_map(|shelf| shelf.open.as_ref()).map(|open| Arc::clone(&open.session))
    }

    /// The reading of the opened log that is shown or awaited, whoever is focused.
    pub(crate) fn home_epoch(&self) -> Epoch {
        match self.family.members.first() {
            Some(home) if self.family.focused != HOME => home.epoch,
            Some(_) | None => self.epoch,
        }
    }

    /// What is to be said first: of the family while the opened log is shown, else of the log that is.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        let open = self.open.as_ref()?;
        let of_family = self.family.verdict.as_ref().filter(|_| {
            let is_shown = self.family.focused == HOME || self.family.view.is_some();
            is_shown && self.follow.growing().is_none()
        });
        Some(of_family.unwrap_or(&open.verdict))
    }
}

impl Model {
    /// What one line says of a member.
    pub(crate) fn head_of(&self, member: MemberIx) -> Option<Head> {
        let lineage = self.family.lineage.as_ref()?;
        let parent = match lineage.get(member)?.parent {
            Parent::Here(parent) => self.open_of(parent),
            Parent::None | Parent::Missing(_) | Parent::Cycle(_) => None,
        };
        head(lineage, member, self.open_of(member)?, parent, self.words())
    }

    /// The same of a child in the calls pane.
    pub(crate) fn head_of_node(&self, node: Node) -> Option<Head> {
        match node {
            Node::Child(member) => self.head_of(MemberIx(member)),
            _ => None,
        }
    }
}

/// How a session is known to belong where it does: key in the language file.
pub(crate) fn rule_key(link: Link) -> &'static str {
    match link {
        Link::Call { rule, .. } | Link::Named { rule, .. } => match rule {
            Rule::Catalog => "family.by_catalog",
            Rule::ResultText => "family.by_result",
            Rule::AgentStart => "family.by_agent_start",
            Rule::TeamMember => "family.by_team",
            Rule::LabelAndPrompt => "family.by_label",
            Rule::LabelPromptAndTime => "family.by_label_time",
            Rule::Time => "family.by_time",
        },
        Link::Fork { .. } => "family.by_fork",
        Link::None | Link::Unlinked(Unlinked::NothingFits) => "family.by_header",
        Link::Unlinked(Unlinked::SeveralFit) => "family.by_header_doubt",
    }
}

/// What tells a member from the others, short enough to be typed: the start of its id, else its end.
pub(crate) fn tag_of(lineage: &Lineage, member: &Member) -> String {
    let bare = |member: &Member| {
        let id = member.id.as_ref().map(|id| display(id.as_bytes())).unwrap_or_default();
        id.strip_prefix("session-").map(str::to_owned).unwrap_or(id)
    };
    let id = bare(member);
    let start: String = id.chars().take(ID_START).collect();
    if lineage.members.iter().filter(|other| bare(other).starts_with(&start)).count() <= 1 {
        return start;
    }
    let end = id.chars().count().saturating_sub(ID_END);
    id.chars().skip(end).collect()
}

/// Id and label of a member, for people: `b0940cab⋯9021 "Broken child"`.
pub(crate) fn name_of(member: &Member) -> String {
    let id = member.id.as_ref().map(|id| short_id(&display(id.as_bytes()))).unwrap_or_default();
    match &member.label {
        Some(label) => format!("{id} \"{}\"", one_line(label.as_bytes(), LABEL)),
        None => id,
    }
}
