//! Index, folds and filter → rows of the timeline. One pass over the lines, no text.

use std::collections::BTreeMap;

use super::place::row_of;
use super::{Counts, Folds, Item, Items, Timeline};
use crate::app::map::{Marks, Worst};
use crate::app::rules::{END, Rule, Side};
use crate::app::selection::Filter;
use crate::session::row::{Flags, Row, RowIx};
use crate::triage::session::Session;

/// Rows that unfolded members may add: beyond, packed rows stay folded. 16 bytes each.
pub(crate) const MOST_MEMBERS: usize = 8_000_000;

/// What a timeline is built from.
pub(crate) struct Plan<'a> {
    pub(crate) session: &'a Session,
    pub(crate) rules: &'a [Rule],
    pub(crate) filter: Option<&'a Filter>,
    /// What a resume would add is shown: not while the file grows.
    pub(crate) ghosts: bool,
}

impl Timeline {
    /// Builds the rows anew. Cursor and top are left as they are: the caller puts them by identity.
    pub(crate) fn build(&mut self, plan: &Plan<'_>) {
        let mut builder = Builder::new(plan, &self.folds, &self.streams, std::mem::take(&mut self.items));
        builder.all();
        self.items = builder.items;
        // A long log has a million of them: what growing left over would stay held.
        self.items.shrink_to_fit();
        self.ruled = builder.ruled;
        self.rows = builder.rows;
        self.events = builder.events;
        self.chart.clear();
        let mut rows = 0;
        self.miles.clear();
        for start in (0..self.items.len()).step_by(MILE) {
            self.miles.push(rows);
            rows += self.items.range(start..start + MILE).filter(is_row).count() as u32;
        }
    }

    /// How many rows, runs counted once, stand up to and including an item: at most [`MILE`] items are looked at.
    pub(crate) fn rows_up_to(&self, at: usize) -> u64 {
        let mile = at / MILE;
        let Some(before) = self.miles.get(mile) else { return self.rows.shown };
        u64::from(*before) + self.items.range(mile * MILE..at + 1).filter(is_row).count() as u64
    }

    /// Works out the map where that is not done for these rows and this height: one pass over rules and marks.
    pub(crate) fn draw_chart(&mut self, rules: &[Rule], marks: &Marks) {
        let height = usize::from(self.height);
        if self.chart.len() == height {
            return;
        }
        self.chart = (0..height).map(|row| self.worst(row, rules, marks)).collect();
    }

    fn worst(&self, screen_row: usize, rules: &[Rule], marks: &Marks) -> Option<Worst> {
        if self.items.len() <= usize::from(self.height) {
            return own_worst(self.items.get(screen_row)?, rules, marks);
        }
        let (from, to) = self.stretch(screen_row);
        let start = |at: usize| self.items.get(at).map_or(END, |item| row_of(item, rules));
        let first = self.ruled.partition_point(|(at, _)| (*at as usize) < from);
        let here = self.ruled[first..].iter().take_while(|(at, _)| (*at as usize) < to);
        let damaged = here.map(|(_, worst)| *worst).max();
        marks.worst(start(from), start(to)).max(damaged)
    }

    /// The items that a row of the map stands for.
    pub(crate) fn stretch(&self, screen_row: usize) -> (usize, usize) {
        let height = usize::from(self.height.max(1));
        let total = self.items.len().max(height);
        (screen_row * total / height, (screen_row + 1) * total / height)
    }
}

/// The mark of a rule line that tells of a break or damage.
fn damage(item: Item, rules: &[Rule]) -> Option<Worst> {
    match item {
        Item::Rule { rule, line: 0 } => rules.get(rule as usize).and_then(Rule::worst),
        Item::Rule { .. } | Item::Row(_) | Item::Run { .. } | Item::Inner(_) | Item::Member { .. } | Item::Ghost(_) => {
            None
        }
    }
}

/// The worst thing of one item alone: an open run leaves it to its lines, members to their row.
fn own_worst(item: Item, rules: &[Rule], marks: &Marks) -> Option<Worst> {
    let after = |row: RowIx| RowIx(row.0.saturating_add(1));
    match item {
        Item::Row(row) | Item::Inner(row) => marks.worst(row, after(row)),
        Item::Run { first, last } => marks.worst(first, after(last)),
        Item::Rule { .. } => damage(item, rules),
        Item::Member { .. } | Item::Ghost(_) => None,
    }
}

/// Items between two counts of the rows before: a count costs no more than a screen.
pub(crate) const MILE: usize = 1024;

/// Whether an item counts as a row: not rules, ghosts, and what is inside something open.
pub(crate) fn is_row(item: &Item) -> bool {
    match item {
        Item::Row(_) | Item::Run { .. } => true,
        Item::Rule { .. } | Item::Ghost(_) | Item::Inner(_) | Item::Member { .. } => false,
    }
}

struct Builder<'a> {
    plan: &'a Plan<'a>,
    folds: &'a Folds,
    streams: &'a BTreeMap<RowIx, u32>,
    items: Items,
    /// Items that tell of a break or damage.
    ruled: Vec<(u32, Worst)>,
    rows: Counts,
    events: Counts,
    rules: std::iter::Peekable<std::iter::Enumerate<std::slice::Iter<'a, Rule>>>,
    members: usize,
    /// A run under way: its first and last line, the marks of the last, and whether it is shown.
    run: Option<Run>,
}

#[derive(Clone, Copy)]
struct Run {
    first: RowIx,
    last: RowIx,
    flags: Flags,
    shown: bool,
}

impl<'a> Builder<'a> {
    fn new(plan: &'a Plan<'a>, folds: &'a Folds, streams: &'a BTreeMap<RowIx, u32>, mut items: Items) -> Builder<'a> {
        items.clear();
        Builder {
            plan,
            folds,
            streams,
            items,
            ruled: Vec::new(),
            rows: Counts::default(),
            events: Counts::default(),
            rules: plan.rules.iter().enumerate().peekable(),
            members: 0,
            run: None,
        }
    }

    fn all(&mut self) {
        let session = self.plan.session;
        for (at, row) in session.index.rows.iter().enumerate() {
            self.line(RowIx(at as u32), &row);
        }
        self.end_run();
        while let Some((at, rule)) = self.rules.next() {
            self.rule(at, rule);
        }
        if self.plan.filter.is_none() && self.plan.ghosts {
            let ghosts = session.facts.resume.len().min(u32::MAX as usize) as u32;
            self.items.extend((0..ghosts).map(Item::Ghost));
        }
    }

    fn line(&mut self, at: RowIx, row: &Row) {
        let shown = self.plan.filter.is_none_or(|filter| filter.keeps(at, row));
        let ruled =
            self.rules.peek().is_some_and(|(_, rule)| rule.at <= at && (rule.at < at || rule.side == Side::Above));
        if ruled || !self.continues(row, shown) {
            self.end_run();
        }
        self.rules_until(at, Side::Above);
        let events = u64::from(row.members);
        self.events.all += events;
        self.events.shown += if shown { events } else { 0 };
        if row.is_chunk() {
            if let Some(run) = &mut self.run {
                (run.last, run.flags) = (at, row.flags);
            } else {
                self.run = Some(Run { first: at, last: at, flags: row.flags, shown });
                self.count(shown);
            }
        } else {
            self.count(shown);
            if shown {
                self.items.push(Item::Row(at));
                if self.folds.is_row_open(at) {
                    self.push_members(at, self.streams.get(&at).copied().unwrap_or(0));
                }
            }
        }
        if self.rules.peek().is_some_and(|(_, rule)| rule.at == at) {
            self.end_run();
            self.rules_until(at, Side::Below);
        }
    }

    fn count(&mut self, shown: bool) {
        self.rows.all += 1;
        self.rows.shown += u64::from(shown);
    }

    /// Whether a line goes on the run that is under way.
    fn continues(&self, row: &Row, shown: bool) -> bool {
        let Some(run) = self.run else { return true };
        let same = |flag| run.flags.has(flag) == row.flags.has(flag);
        row.is_chunk()
            && !run.flags.has(Flags::FINISH)
            && !row.flags.has(Flags::BREAK)
            && !row.flags.has(Flags::AFTER_DAMAGE)
            && same(Flags::TORN)
            && run.shown == shown
    }

    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        if !run.shown {
            return;
        }
        self.items.push(Item::Run { first: run.first, last: run.last });
        if !self.folds.is_run_open(run.first) {
            return;
        }
        for at in run.first.0..=run.last.0 {
            let row = RowIx(at);
            self.items.push(Item::Inner(row));
            let members = self.plan.session.index.rows.get(row).map_or(0, |row| row.members);
            if members > 1 && self.folds.is_row_open(row) {
                self.push_members(row, members);
            }
        }
    }

    fn push_members(&mut self, row: RowIx, count: u32) {
        if self.members.saturating_add(count as usize) > MOST_MEMBERS {
            return;
        }
        self.members += count as usize;
        self.items.extend((0..count).map(|member| Item::Member { row, member }));
    }

    /// Rules up to and including this side of a line.
    fn rules_until(&mut self, row: RowIx, side: Side) {
        while let Some((at, rule)) = self.rules.next_if(|(_, rule)| (rule.at, rule.side) <= (row, side)) {
            self.rule(at, rule);
        }
    }

    fn rule(&mut self, at: usize, rule: &Rule) {
        if self.plan.filter.is_some() && !rule.always {
            return;
        }
        let rule_ix = at.min(u32::MAX as usize) as u32;
        let lines = rule.lines.len().min(u32::MAX as usize) as u32;
        if let Some(worst) = rule.worst().filter(|_| lines > 0) {
            self.ruled.push((self.items.len() as u32, worst));
        }
        self.items.extend((0..lines).map(|line| Item::Rule { rule: rule_ix, line }));
    }
}
