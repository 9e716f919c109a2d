//! The rows on screen, ready to draw.

use super::place::event_of;
use super::{EventView, Item, RowKind, RowView, RuleView, Timeline};
use crate::app::calls::Fold;
use crate::app::map::MapCell;
use crate::app::message::SummaryKey;
use crate::app::rules::{END, Rule};
use crate::app::search::Search;
use crate::app::summaries::Summaries;
use crate::session::row::{EventRef, Flags, Row, RowIx, Seq, Timestamp};
use crate::text::sanitize::display;
use crate::text::width::columns;
use crate::triage::facts::{Ghost, GhostKind};
use crate::triage::session::Session;

/// What a window is drawn from.
pub(crate) struct Scene<'a> {
    pub(crate) session: &'a Session,
    pub(crate) rules: &'a [Rule],
    pub(crate) summaries: &'a Summaries,
    pub(crate) search: Option<&'a Search>,
    /// Columns of the pane: rules take their short text where the long one does not fit.
    pub(crate) width: u16,
}

/// The text an item needs, if it is one that has to be made.
pub(crate) fn summary_key(item: Item) -> Option<SummaryKey> {
    match item {
        Item::Row(row) | Item::Inner(row) => Some(SummaryKey::Row(row)),
        Item::Run { first, last } => Some(SummaryKey::Run { first, last }),
        Item::Member { row, member } => Some(SummaryKey::Member(EventRef { row, member })),
        Item::Ghost(at) => Some(SummaryKey::Ghost(at)),
        Item::Rule { .. } => None,
    }
}

impl Timeline {
    /// The items on screen.
    pub(crate) fn on_screen(&self) -> impl DoubleEndedIterator<Item = Item> + ExactSizeIterator + '_ {
        self.items.range(self.top..self.top.saturating_add(usize::from(self.height)))
    }

    /// The rows on screen, at most as many as the pane is high.
    pub(crate) fn window(&self, scene: &Scene<'_>) -> Vec<RowView> {
        let row = |(at, item): (usize, Item)| RowView {
            item,
            cursor: self.top + at == self.cursor,
            kind: self.kind(item, scene),
            map: self.map_cell(at),
        };
        self.on_screen().enumerate().map(row).collect()
    }

    /// A cell of the map.
    pub(crate) fn map_cell(&self, screen_row: usize) -> MapCell {
        let height = usize::from(self.height.max(1));
        let (from, to) = self.stretch(screen_row);
        let in_view = self.items.len() > height && from < self.top + height && to > self.top;
        MapCell { worst: self.chart.get(screen_row).copied().flatten(), in_view }
    }

    /// What an item shows.
    pub(crate) fn kind(&self, item: Item, scene: &Scene<'_>) -> RowKind {
        let what = summary_key(item).and_then(|key| scene.summaries.get(&key)).cloned();
        match item {
            Item::Rule { rule, line } => RowKind::Rule(rule_view(scene, rule, line)),
            Item::Ghost(at) => {
                let ghost = scene.session.facts.resume.get(at as usize);
                RowKind::Event(EventView { what, ..ghost_view(ghost, at, scene.session) })
            }
            Item::Row(row) | Item::Inner(row) | Item::Run { first: row, .. } | Item::Member { row, .. } => {
                let Some(found) = scene.session.index.rows.get(row) else {
                    return RowKind::Event(EventView::default());
                };
                let mut view = self.event(item, row, &found, scene);
                let tag = what.as_ref().and_then(|what| what.tag.clone());
                if let (Item::Inner(_) | Item::Member { .. }, Some(tag)) = (item, tag) {
                    view.type_name = tag;
                }
                RowKind::Event(EventView { what, ..view })
            }
        }
    }

    fn event(&self, item: Item, at: RowIx, row: &Row, scene: &Scene<'_>) -> EventView {
        let index = &scene.session.index;
        let member = match item {
            Item::Member { member, .. } => Some(member),
            _ => None,
        };
        let last = match item {
            Item::Run { last, .. } => index.rows.get(last).unwrap_or(*row),
            _ => *row,
        };
        let inside_packed = row.members > 1;
        let nth = |member: u32| row.seq().map(|Seq(first)| Seq(first.saturating_add(i64::from(member))));
        let (first_seq, last_seq) = match member {
            Some(member) if inside_packed => (nth(member), nth(member)),
            Some(_) => (None, None),
            None => (row.seq(), last.last_seq()),
        };
        EventView {
            event: EventRef { row: at, member: member.unwrap_or(0) },
            first_seq,
            last_seq,
            occurrence: first_seq.map_or(1, |seq| occurrence(scene.session, seq, at)),
            // A record of an embedded stream, a member of a packed row: the line is that of the row it stands under.
            line: if member.is_some() { None } else { index.line(at) },
            gap_ms: if member.is_some() { None } else { gap(scene.session, at, row) },
            since_start_ms: since_start(scene.session, row.time()),
            time: row.time(),
            type_name: type_name(item, row, scene.session),
            level: super::place::level(item),
            fold: self.fold_of(item, row),
            surface: row.flags.has(Flags::SURFACE) && member.is_none(),
            ghost: false,
            torn: row.flags.has(Flags::TORN),
            inherited: scene.session.facts.inherited.cut_row.is_some_and(|cut| at < cut),
            chunk: row.is_chunk(),
            bad: row.flags.has(Flags::BAD),
            hit: is_hit(item, scene),
            what: None,
        }
    }

    /// Whether an item is folded, open or a leaf.
    pub(crate) fn fold_of(&self, item: Item, row: &Row) -> Fold {
        let (can, open) = match item {
            Item::Run { first, .. } => (true, self.folds.is_run_open(first)),
            Item::Inner(at) => (row.members > 1, self.folds.is_row_open(at)),
            Item::Row(at) => (self.streams.contains_key(&at), self.folds.is_row_open(at)),
            Item::Member { .. } | Item::Rule { .. } | Item::Ghost(_) => (false, false),
        };
        match (can, open) {
            (false, _) => Fold::Leaf,
            (true, false) => Fold::Folded,
            (true, true) => Fold::Open,
        }
    }
}

/// Inside a run a line is named as stored (`text-chunks`), elsewhere by its event type.
fn type_name(item: Item, row: &Row, session: &Session) -> String {
    if matches!(item, Item::Inner(_)) && row.kind.is_packed() {
        return row.kind.name().to_owned();
    }
    if matches!(item, Item::Member { .. }) {
        return String::new();
    }
    if usize::from(row.type_id.0) >= session.index.types.len() {
        return String::new();
    }
    display(session.index.types.name(row.type_id).as_bytes())
}

/// 1 for the first event with a seq, 2 for the next.
pub(crate) fn occurrence(session: &Session, seq: Seq, at: RowIx) -> u32 {
    if session.index.steps_back.is_empty() {
        return 1;
    }
    let found = session.index.find(seq);
    found.iter().position(|event| event.row == at).map_or(1, |place| place as u32 + 1)
}

fn gap(session: &Session, at: RowIx, row: &Row) -> Option<i64> {
    let before = session.index.rows.get(RowIx(at.0.checked_sub(1)?))?;
    row.time()?.0.checked_sub(before.time()?.0)
}

fn since_start(session: &Session, time: Option<Timestamp>) -> Option<i64> {
    time?.0.checked_sub(session.facts.first_time?)
}

fn is_hit(item: Item, scene: &Scene<'_>) -> bool {
    let Some(search) = scene.search else { return false };
    let hits = &search.hits;
    let any = |from: EventRef, to: EventRef| {
        let first = hits.partition_point(|hit| *hit < from);
        hits.get(first).is_some_and(|hit| *hit <= to)
    };
    match item {
        Item::Run { first, last } => any(EventRef { row: first, member: 0 }, EventRef { row: last, member: u32::MAX }),
        Item::Row(row) | Item::Inner(row) => any(EventRef { row, member: 0 }, EventRef { row, member: u32::MAX }),
        Item::Member { .. } => event_of(item).is_some_and(|event| any(event, event)),
        Item::Rule { .. } | Item::Ghost(_) => false,
    }
}

fn rule_view(scene: &Scene<'_>, rule: u32, line: u32) -> RuleView {
    let found = scene.rules.get(rule as usize).and_then(|rule| rule.lines.get(line as usize));
    let Some(view) = found else { return RuleView::default() };
    let wide: usize = view.spans.iter().map(|span| columns(&span.text)).sum();
    match &view.short {
        // Six columns: the dashes and blanks around the text, and the map.
        Some(short) if wide + 6 > usize::from(scene.width) => RuleView { spans: short.clone(), ..view.clone() },
        Some(_) | None => view.clone(),
    }
}

fn ghost_view(ghost: Option<&Ghost>, at: u32, session: &Session) -> EventView {
    let Some(ghost) = ghost else { return EventView::default() };
    let (name, surface) = match &ghost.kind {
        GhostKind::Result { .. } => ("tool/result", true),
        GhostKind::StepEnd { .. } => ("step/end", false),
        GhostKind::TurnEnd { .. } => ("turn/end", false),
    };
    let time = ghost.time.map(Timestamp);
    EventView {
        event: EventRef { row: END, member: at },
        first_seq: Some(Seq(ghost.seq)),
        last_seq: Some(Seq(ghost.seq)),
        occurrence: 1,
        gap_ms: time.map(|_| 0),
        since_start_ms: since_start(session, time),
        time,
        type_name: name.to_owned(),
        surface,
        ghost: true,
        ..EventView::default()
    }
}
