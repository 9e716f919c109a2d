//! The family in one list: rows of all members, each child's inside the call that started it.
//!
//! Inside a session the order is that of its file. A child's block stands behind its call, whatever the clocks say;
//! between two children no order is claimed.

use std::collections::BTreeSet;

use super::{Grid, HOME, Head, tag_of};
use crate::app::calls::Fold;
use crate::app::model::{Model, Open};
use crate::app::selection::{Depths, Selection};
use crate::app::timeline::build::is_row;
use crate::app::timeline::place::row_of;
use crate::app::timeline::window::Scene;
use crate::app::timeline::{Counts, Item, RowKind, Timeline};
use crate::session::row::RowIx;
use crate::store::lineage::{Kinship, Lineage, Link, Member, MemberIx, Parent};
use crate::text::sanitize::one_line;

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    /// The head of a member's block.
    Head(MemberIx),
    /// A row of a member's timeline.
    Row(MemberIx, Item),
}

impl Entry {
    pub(crate) fn member(self) -> MemberIx {
        match self {
            Entry::Head(member) | Entry::Row(member, _) => member,
        }
    }
}

/// How the family is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// One list.
    #[default]
    List,
    /// Members side by side.
    Lanes,
}

/// The list, where its cursor is, and which members are open.
#[derive(Debug, Clone, Default)]
pub struct FamilyView {
    /// One list or lanes.
    pub shape: Shape,
    pub(crate) entries: Vec<Entry>,
    pub(crate) cursor: usize,
    pub(crate) top: usize,
    pub(crate) height: u16,
    pub(crate) open: BTreeSet<MemberIx>,
    pub(crate) depths: Depths,
    /// Events of all members that are let through, of their own ones.
    pub(crate) events: Counts,
    /// Where the panes were before.
    pub(crate) before: Option<super::Spot>,
    /// First of the lanes on screen, in reading order.
    pub first_lane: usize,
    /// First line of the lanes on screen.
    pub(crate) first_line: usize,
    /// The lanes.
    pub grid: Grid,
}

/// A row of the list, ready to draw.
#[derive(Debug, Clone)]
pub struct FamilyRow {
    /// Delegation depth.
    pub depth: i64,
    /// Generations below the root: the tag is indented by it.
    pub level: u32,
    /// What tells the member from the others; empty for the root.
    pub tag: String,
    /// What it shows.
    pub kind: FamilyKind,
    /// The cursor stands here.
    pub cursor: bool,
}

/// What a row of the list shows.
#[derive(Debug, Clone)]
pub enum FamilyKind {
    /// The head of a block.
    Head(Head, Fold),
    /// A row of a timeline.
    Row(RowKind),
}

impl FamilyView {
    /// The row with the cursor.
    pub(crate) fn current(&self) -> Option<Entry> {
        self.entries.get(self.cursor).copied()
    }

    /// Scrolls as little as needed to show the cursor.
    pub(crate) fn reveal(&mut self) {
        let height = usize::from(self.height.max(1));
        self.cursor = self.cursor.min(self.entries.len().saturating_sub(1));
        let last_top = self.entries.len().saturating_sub(height);
        self.top = self.top.min(last_top).min(self.cursor).max((self.cursor + 1).saturating_sub(height));
    }

    /// Scrolls so that the cursor stands on a row of the screen, as far as there are rows.
    pub(crate) fn show_at(&mut self, screen_row: usize) {
        self.top = self.cursor.saturating_sub(screen_row);
        self.reveal();
    }

    /// First line of the lanes on a screen of so many rows.
    #[must_use]
    pub fn top_line(&self, height: u16) -> usize {
        self.first_line.min(self.grid.lines.saturating_sub(usize::from(height)))
    }

    /// The rows on screen.
    pub(crate) fn on_screen(&self) -> &[Entry] {
        let end = self.top.saturating_add(usize::from(self.height)).min(self.entries.len());
        self.entries.get(self.top..end).unwrap_or_default()
    }
}

impl Model {
    /// The timeline of a member.
    pub(crate) fn timeline_of(&self, member: MemberIx) -> Option<&Timeline> {
        if member == self.family.focused {
            return Some(&self.timeline);
        }
        self.family.members.get(member.as_usize()).map(|shelf| &shelf.timeline)
    }

    /// The rows of the list that are on screen.
    #[must_use]
    pub fn family_rows(&self) -> Vec<FamilyRow> {
        let (Some(view), Some(lineage)) = (&self.family.view, &self.family.lineage) else { return Vec::new() };
        let rows = view.on_screen().iter().enumerate().filter_map(|(at, entry)| {
            let member = lineage.get(entry.member())?;
            let kind = match *entry {
                Entry::Head(member) => {
                    let fold = if view.open.contains(&member) { Fold::Open } else { Fold::Folded };
                    FamilyKind::Head(self.head_of(member)?, fold)
                }
                Entry::Row(member, item) => {
                    let scene = self.scene_of(member)?;
                    FamilyKind::Row(self.timeline_of(member)?.kind(item, &scene))
                }
            };
            let is_root = !matches!(member.parent, Parent::Here(_));
            let tag = if is_root { String::new() } else { tag_of(lineage, member) };
            let cursor = view.top + at == view.cursor;
            Some(FamilyRow { depth: member.shown_depth(), level: member.level, tag, kind, cursor })
        });
        rows.collect()
    }

    /// The lane and the cell with the cursor.
    #[must_use]
    pub fn lane_here(&self) -> Option<(usize, usize)> {
        let view = self.family.view.as_ref()?;
        let member = self.family.focused;
        let lane = view.grid.lanes.iter().position(|(at, _)| *at == member)?;
        let open = self.open.as_ref()?;
        let row = row_of(self.timeline.current()?, &open.rules);
        Some((lane, view.grid.cell_of(lane, row)?))
    }

    /// Depth and name of a lane: `1 b0940cab "Broken child"`.
    #[must_use]
    pub fn lane_name(&self, lane: usize) -> Option<String> {
        let (member, _) = self.family.view.as_ref()?.grid.lanes.get(lane)?;
        let lineage = self.family.lineage.as_ref()?;
        let found = lineage.get(*member)?;
        let label = found.label.as_ref().map(|label| format!(" \"{}\"", one_line(label.as_bytes(), 40)));
        Some(format!("{} {}{}", found.shown_depth(), tag_of(lineage, found), label.unwrap_or_default()))
    }

    /// What one line says of the member with the cursor.
    #[must_use]
    pub fn head_here(&self) -> Option<Head> {
        self.head_of(self.family.view.as_ref()?.current()?.member())
    }

    fn scene_of(&self, member: MemberIx) -> Option<Scene<'_>> {
        let open: &Open = self.open_of(member)?;
        let summaries = if member == self.family.focused {
            &self.summaries
        } else {
            &self.family.members.get(member.as_usize())?.summaries
        };
        let search = self.search.as_ref().filter(|_| member == self.family.focused);
        Some(Scene { session: &open.session, rules: &open.rules, summaries, search, width: self.areas.timeline.width })
    }

    /// The row with the cursor and how many there are: of the family while that is one list, else of the timeline.
    #[must_use]
    pub fn row_here(&self) -> (u64, u64) {
        match self.family.view.as_ref().filter(|view| view.shape == Shape::List) {
            Some(view) => ((view.cursor + 1).min(view.entries.len()) as u64, view.entries.len() as u64),
            None => (self.timeline.rows_up_to(self.timeline.cursor()), self.timeline.rows().shown),
        }
    }

    /// Rows of all members in their order; those of folded ones are left out.
    pub(crate) fn family_entries(&self, view: &FamilyView) -> Vec<Entry> {
        let Some(lineage) = &self.family.lineage else { return Vec::new() };
        let roots = lineage
            .reading
            .iter()
            .filter(|at| lineage.get(**at).is_some_and(|member| !matches!(member.parent, Parent::Here(_))));
        let peopled = self.peopled(lineage, view);
        let mut out = Vec::new();
        for (nth, root) in roots.enumerate().filter(|(_, root)| peopled.contains(root)) {
            if nth > 0 {
                out.push(Entry::Head(*root));
            }
            if nth == 0 || view.open.contains(root) {
                self.push_block(*root, view, &peopled, &mut out);
            }
        }
        out
    }

    /// Members of which the filter leaves something to show, or of one below them; damage is shown whatever the filter.
    fn peopled(&self, lineage: &Lineage, view: &FamilyView) -> BTreeSet<MemberIx> {
        let mut peopled = BTreeSet::new();
        // Each stands behind the one above it.
        for at in lineage.reading.iter().rev() {
            let Some(member) = lineage.get(*at) else { continue };
            let is_shown = || {
                view.depths.keeps(Some(member.shown_depth()))
                    && (!self.timeline_of(*at).is_none_or(|timeline| timeline.ruled.is_empty())
                        || self.own_rows(*at, member).next().is_some())
            };
            if self.selection == Selection::All || peopled.contains(at) || is_shown() {
                peopled.insert(*at);
                if let Parent::Here(parent) = member.parent {
                    peopled.insert(parent);
                }
            }
        }
        peopled
    }

    /// The rows of a member that are let through and not copied from its parent.
    fn own_rows<'a>(&'a self, at: MemberIx, member: &Member) -> impl Iterator<Item = Item> + 'a {
        let from = if is_cut_off(member) { member.first_own } else { RowIx(0) };
        let shown = self.open_of(at).zip(self.timeline_of(at));
        let items = shown.into_iter().flat_map(|(open, timeline)| timeline.items.iter().map(move |item| (open, item)));
        items.filter(move |(open, item)| is_row(item) && row_of(*item, &open.rules) >= from).map(|(_, item)| item)
    }

    /// Events of the family that are let through, in folded blocks too, of all that are not copies.
    pub(crate) fn family_events(&self, view: &FamilyView) -> Counts {
        let Some(lineage) = &self.family.lineage else { return Counts::default() };
        let mut counts = Counts::default();
        for at in &lineage.reading {
            let (Some(member), Some(open), Some(timeline)) =
                (lineage.get(*at), self.open_of(*at), self.timeline_of(*at))
            else {
                continue;
            };
            let copied = if is_cut_off(member) { member.inherited_events } else { 0 };
            counts.all += timeline.events().all.saturating_sub(copied);
            if !view.depths.keeps(Some(member.shown_depth())) {
                continue;
            }
            let rows = &open.session.index.rows;
            let events = |item: Item| match item {
                Item::Run { first, last } => {
                    let run = rows.iter_from(first).take_while(|(ix, _)| *ix <= last);
                    run.map(|(_, row)| u64::from(row.members)).sum()
                }
                item => rows.get(row_of(item, &open.rules)).map_or(0, |row| u64::from(row.members)),
            };
            counts.shown += self.own_rows(*at, member).map(events).sum::<u64>();
        }
        counts
    }

    /// Events that are let through: of the family while that is shown, else of the log in the panes.
    #[must_use]
    pub fn events(&self) -> Counts {
        self.family.view.as_ref().map_or_else(|| self.timeline.events(), |view| view.events)
    }

    /// The rows of a member with the blocks of its children. Generations are as deep as sessions are many, which is
    /// bounded by what is read.
    fn push_block(&self, at: MemberIx, view: &FamilyView, peopled: &BTreeSet<MemberIx>, out: &mut Vec<Entry>) {
        let Some(lineage) = &self.family.lineage else { return };
        let (Some(member), Some(open), Some(timeline)) = (lineage.get(at), self.open_of(at), self.timeline_of(at))
        else {
            return;
        };
        let anchor = |child: &MemberIx| {
            let link = lineage.get(*child).map_or(Link::None, |child| child.link);
            match link {
                Link::Call { call, named, .. } => {
                    let call = open.session.facts.calls.get(call);
                    call.and_then(|call| call.call_row.or(call.message_row)).or(named)
                }
                Link::Named { row, .. } => Some(row),
                Link::Fork { at } => at,
                Link::None | Link::Unlinked(_) => None,
            }
        };
        let end = RowIx(open.session.index.rows.len() as u32);
        let children = member.children.iter().filter(|child| peopled.contains(child));
        let mut children: Vec<(RowIx, MemberIx)> =
            children.map(|child| (anchor(child).unwrap_or(end), *child)).collect();
        children.sort_by_key(|(row, _)| *row);
        let mut children = children.into_iter().peekable();
        let is_shown = view.depths.keeps(Some(member.shown_depth()));
        for item in timeline.items.iter() {
            let row = row_of(item, &open.rules);
            if is_cut_off(member) && row < member.first_own {
                continue;
            }
            while let Some((_, child)) = children.next_if(|(anchor, _)| *anchor < row) {
                self.push_child(child, view, peopled, out);
            }
            if is_shown {
                out.push(Entry::Row(at, item));
            }
        }
        for (_, child) in children {
            self.push_child(child, view, peopled, out);
        }
    }

    fn push_child(&self, child: MemberIx, view: &FamilyView, peopled: &BTreeSet<MemberIx>, out: &mut Vec<Entry>) {
        let depth = self.family.lineage.as_ref().and_then(|lineage| lineage.get(child)).map(Member::shown_depth);
        let is_shown = view.depths.keeps(depth);
        if is_shown {
            out.push(Entry::Head(child));
        }
        // What is filtered out by depth does not fold what stands below it.
        if !is_shown || view.open.contains(&child) {
            self.push_block(child, view, peopled, out);
        }
    }

    /// Who and what stands in the first two rows while the family is shown: sessions, events own and inherited, lowest
    /// and highest depth, sessions that are whole, sessions that load.
    #[must_use]
    pub fn family_figures(&self) -> Option<Figures> {
        let lineage = self.family.lineage.as_ref()?;
        let opens = || (0..lineage.members.len() as u32).filter_map(|at| self.open_of(MemberIx(at)));
        let count = |test: &dyn Fn(&Open) -> bool| opens().filter(|open| test(open)).count() as u64;
        Some(Figures {
            sessions: lineage.members.len() as u64,
            own: lineage.members.iter().map(|member| member.own_events).sum(),
            inherited: lineage.members.iter().map(|member| member.inherited_events).sum(),
            depths: lineage.depths(),
            whole: count(&|open| open.session.facts.sequence.is_whole()),
            load: count(&|open| {
                !matches!(open.session.facts.loader.result, None | Some(crate::triage::facts::LoaderResult::Refuses))
            }),
            unread: self.family.unread,
            last_seq: opens().filter_map(last_seq).max().unwrap_or(0),
            home: lineage
                .get(HOME)?
                .id
                .as_ref()
                .map(|id| crate::text::sanitize::display(id.as_bytes()))
                .unwrap_or_default(),
        })
    }
}

/// Whether a member begins with a copy of its parent's events.
fn is_cut_off(member: &Member) -> bool {
    member.kinship == Kinship::Fork || member.kinship == Kinship::ForkedChild
}

fn last_seq(open: &Open) -> Option<i64> {
    let facts = &open.session.facts;
    facts.sequence.last.max(facts.resume.last().map(|ghost| ghost.seq))
}

/// What is counted over a family.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Figures {
    /// Sessions.
    pub sessions: u64,
    /// Events of their own.
    pub own: u64,
    /// Events that forks copied.
    pub inherited: u64,
    /// Lowest and highest depth.
    pub depths: (i64, i64),
    /// Sessions whose sequence is whole.
    pub whole: u64,
    /// Sessions that the harness would load.
    pub load: u64,
    /// Sessions that were found and not read.
    pub unread: u64,
    /// Highest seq of any of them, records that a resume would add included.
    pub last_seq: i64,
    /// Id of the opened log.
    pub home: String,
}
