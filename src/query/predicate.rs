//! A query made ready for one log: what rows and facts decide is decided without text, one pass over the rows.

use std::ops::Range;
use std::sync::Arc;

use super::ast::{Bounds, Expr, Is, Moment, Query, Term};
use super::needle::Needle;
use super::subject::{Subject, Subjects};
use crate::session::index::Index;
use crate::session::row::{Flags, Row, RowIx};
use crate::text::time::Zone;
use crate::triage::facts::Facts;
use crate::triage::session::Session;

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

/// What is said of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is selected.
    Yes,
    /// It is not.
    No,
    /// Its text decides.
    Text,
}

/// Which text of a row a needle is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// Every text of it.
    Any,
    /// Arguments of calls: of all, or of one block of a message.
    Arguments(Option<u32>),
}

/// Answers what only the text of the row at hand decides.
pub(super) trait Ask {
    /// Whether the row holds the needle; `id` is the needle's number within the query.
    fn holds(&mut self, id: usize, needle: &Needle, scope: Scope) -> bool;
}

/// A query made ready for the rows of one log.
#[derive(Debug)]
pub struct Prepared {
    root: Option<Node>,
    /// Row and number of a thing that it belongs to, sorted.
    rows: Vec<(RowIx, u32)>,
    /// By thing: its block in a message.
    blocks: Vec<Option<u32>>,
    needles: Vec<Needle>,
    /// Seqs at which a condition changes, sorted.
    cuts: Vec<i64>,
}

/// Two are the same only where they are one: what they were made from does not show.
impl PartialEq for Prepared {
    fn eq(&self, other: &Prepared) -> bool {
        std::ptr::eq(self, other)
    }
}

#[derive(Debug)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Const(bool),
    /// By type number.
    Types(Vec<bool>),
    /// Stretches of rows, sorted.
    Spans(Vec<Range<u32>>),
    Seq(Bounds),
    /// The flag is set, or is not.
    Flag(Flags, bool),
    /// By thing.
    Things(Vec<bool>),
    /// At or after this time.
    Since(i64),
    /// Number of the needle, and whether arguments alone count.
    Text(usize, bool),
}

/// An event as it is judged.
#[derive(Clone, Copy)]
struct Event<'a> {
    ix: RowIx,
    row: &'a Row,
    seq: Option<i64>,
    thing: Option<u32>,
}

impl Prepared {
    /// Makes a query ready. `zone`: of clock times in it.
    #[must_use]
    pub fn of(query: &Query, session: &Session, zone: &Zone) -> Arc<Prepared> {
        let subjects = Subjects::of(&session.facts);
        let mut maker = Maker { session, zone, subjects: &subjects.all, needles: Vec::new(), cuts: Vec::new() };
        let root = query.root().map(|root| maker.node(root));
        let Maker { needles, mut cuts, .. } = maker;
        cuts.sort_unstable();
        cuts.dedup();
        let blocks = subjects.all.iter().map(|subject| subject.block).collect();
        Arc::new(Prepared { root, rows: subjects.rows, blocks, needles, cuts })
    }

    /// Whether some row may need its text.
    #[must_use]
    pub fn needs_text(&self) -> bool {
        !self.needles.is_empty()
    }

    /// Whether members of one row can differ.
    #[must_use]
    pub fn parts_members(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// What rows and facts say: constant time but for the terms of the query and the things at the row.
    #[must_use]
    pub fn judge(&self, ix: RowIx, row: &Row) -> Verdict {
        self.each(ix, row, |root, event| self.eval(root, event, None))
    }

    /// The whole answer; `ask` is asked only where rows and facts leave it open.
    pub(super) fn keeps(&self, ix: RowIx, row: &Row, ask: &mut dyn Ask) -> bool {
        match self.judge(ix, row) {
            Verdict::Yes => true,
            Verdict::No => false,
            Verdict::Text => self.each(ix, row, |root, event| self.eval(root, event, Some(&mut *ask))) == Verdict::Yes,
        }
    }

    /// The same of one member of a row.
    pub(super) fn keeps_member(&self, ix: RowIx, row: &Row, member: u32, ask: &mut dyn Ask) -> bool {
        let Some(root) = &self.root else { return true };
        let seq = row.seq().map(|seq| seq.0.saturating_add(i64::from(member)));
        let things = self.things(ix);
        let none = things.is_empty().then_some(None);
        let mut things = none.into_iter().chain(things.iter().map(|(_, thing)| Some(*thing)));
        things.any(|thing| self.eval(root, Event { ix, row, seq, thing }, Some(&mut *ask)) == Verdict::Yes)
    }

    fn things(&self, ix: RowIx) -> &[(RowIx, u32)] {
        let from = self.rows.partition_point(|(row, _)| *row < ix);
        let len = self.rows[from..].iter().take_while(|(row, _)| *row == ix).count();
        &self.rows[from..from + len]
    }

    /// The best answer over the members and things of a row.
    fn each(&self, ix: RowIx, row: &Row, mut eval: impl FnMut(&Node, Event<'_>) -> Verdict) -> Verdict {
        let Some(root) = &self.root else { return Verdict::Yes };
        let first = row.seq().map(|seq| seq.0);
        let last = row.last_seq().map(|seq| seq.0);
        let inside = |cut: &&i64| first.is_some_and(|first| first < **cut) && last.is_some_and(|last| **cut <= last);
        let from = self.cuts.partition_point(|cut| first.is_some_and(|first| *cut <= first));
        let cuts = self.cuts[from..].iter().take_while(|cut| inside(cut)).copied().map(Some);
        let things = self.things(ix);
        let none = things.is_empty().then_some(None);
        let mut best = Verdict::No;
        for seq in std::iter::once(first).chain(cuts) {
            for thing in none.into_iter().chain(things.iter().map(|(_, thing)| Some(*thing))) {
                match eval(root, Event { ix, row, seq, thing }) {
                    Verdict::Yes => return Verdict::Yes,
                    Verdict::Text => best = Verdict::Text,
                    Verdict::No => {}
                }
            }
        }
        best
    }

    /// Nesting is bounded by the parser.
    fn eval(&self, node: &Node, event: Event<'_>, mut ask: Option<&mut dyn Ask>) -> Verdict {
        let told = |yes: bool| if yes { Verdict::Yes } else { Verdict::No };
        match node {
            Node::All(parts) => self.join(parts, event, ask, Verdict::No),
            Node::Any(parts) => self.join(parts, event, ask, Verdict::Yes),
            Node::Not(inner) => match self.eval(inner, event, ask) {
                Verdict::Yes => Verdict::No,
                Verdict::No => Verdict::Yes,
                Verdict::Text => Verdict::Text,
            },
            Node::Const(yes) => told(*yes),
            Node::Types(types) => told(types.get(usize::from(event.row.type_id.0)).copied().unwrap_or(false)),
            Node::Spans(spans) => {
                let at = spans.partition_point(|span| span.end <= event.ix.0);
                told(spans.get(at).is_some_and(|span| span.contains(&event.ix.0)))
            }
            Node::Seq(bounds) => told(event.seq.is_some_and(|seq| bounds.hold(seq))),
            Node::Flag(flag, set) => told(event.row.flags.has(*flag) == *set),
            Node::Things(things) => {
                told(event.thing.is_some_and(|thing| things.get(thing as usize).copied().unwrap_or(false)))
            }
            Node::Since(since) => told(event.row.time().is_some_and(|time| time.0 >= *since)),
            Node::Text(id, arguments) => match (&mut ask, self.needles.get(*id)) {
                (Some(ask), Some(needle)) => {
                    let block = event.thing.and_then(|thing| self.blocks.get(thing as usize).copied().flatten());
                    told(ask.holds(*id, needle, if *arguments { Scope::Arguments(block) } else { Scope::Any }))
                }
                (None, _) => Verdict::Text,
                (Some(_), None) => Verdict::No,
            },
        }
    }

    /// All or any: `decisive` settles it; what the rows say is asked before any text is.
    fn join(&self, parts: &[Node], event: Event<'_>, mut ask: Option<&mut dyn Ask>, decisive: Verdict) -> Verdict {
        let mut open = Vec::new();
        for part in parts {
            match self.eval(part, event, None) {
                verdict if verdict == decisive => return decisive,
                Verdict::Text => open.push(part),
                Verdict::Yes | Verdict::No => {}
            }
        }
        if open.is_empty() {
            return if decisive == Verdict::No { Verdict::Yes } else { Verdict::No };
        }
        let Some(ask) = ask.as_mut() else { return Verdict::Text };
        let settled = open.into_iter().any(|part| self.eval(part, event, Some(&mut **ask)) == decisive);
        match (settled, decisive) {
            (true, _) => decisive,
            (false, Verdict::No) => Verdict::Yes,
            (false, Verdict::Yes | Verdict::Text) => Verdict::No,
        }
    }
}

struct Maker<'a> {
    session: &'a Session,
    zone: &'a Zone,
    subjects: &'a [Subject<'a>],
    needles: Vec<Needle>,
    cuts: Vec<i64>,
}

impl Maker<'_> {
    fn node(&mut self, expr: &Expr) -> Node {
        match expr {
            Expr::All(parts) => Node::All(parts.iter().map(|part| self.node(part)).collect()),
            Expr::Any(parts) => Node::Any(parts.iter().map(|part| self.node(part)).collect()),
            Expr::Not(inner) => Node::Not(Box::new(self.node(inner))),
            Expr::Term(term) => self.term(term),
        }
    }

    fn term(&mut self, term: &Term) -> Node {
        let facts = &self.session.facts;
        match term {
            Term::Type(glob) => {
                let index = &self.session.index;
                Node::Types(index.types.iter().map(|(_, name, _, _)| glob.fits(name.as_bytes())).collect())
            }
            Term::Tool(glob) => self.things(|thing| thing.tool.is_some_and(|name| glob.fits(name.as_bytes()))),
            Term::Call(glob) => self.things(|thing| thing.id.is_some_and(|id| glob.fits(id.as_bytes()))),
            Term::Code(glob) => self.things(|thing| thing.code.is_some_and(|code| glob.fits_any_case(code.as_bytes()))),
            Term::State(state) => self.things(|thing| thing.state == Some(*state)),
            Term::Approval(glob) => self.things(|thing| thing.asked.fits(glob)),
            Term::Waited(bounds) => self.things(|thing| thing.waited_ms.is_some_and(|ms| bounds.hold(ms))),
            Term::Took(bounds) => self.things(|thing| thing.took_ms.is_some_and(|ms| bounds.hold(ms))),
            Term::Turn(bounds) => Node::Spans(turns(facts, &self.session.index, *bounds)),
            Term::Step(bounds) => Node::Spans(steps(facts, &self.session.index, *bounds)),
            Term::Seq(bounds) => {
                // The first seq that may be judged otherwise than the one before it.
                self.cuts.extend(bounds.from);
                self.cuts.extend(bounds.to.map(|to| to.saturating_add(1)));
                Node::Seq(*bounds)
            }
            Term::Depth(bounds) => {
                // Without a depth a session counts as one that nobody delegated to.
                let depth = facts.header.as_ref().and_then(|header| header.delegation_depth);
                Node::Const(bounds.hold(depth.unwrap_or(0)))
            }
            Term::Is(is) => match is {
                Is::Unpaired => self.things(|thing| thing.unpaired),
                Is::Error => Node::Flag(Flags::ERROR, true),
                Is::Hidden => Node::Flag(Flags::SURFACE, false),
                Is::Surface => Node::Flag(Flags::SURFACE, true),
                Is::Inherited => Node::Spans(facts.inherited.cut_row.map(|cut| 0..cut.0).into_iter().collect()),
            },
            Term::After(moment) => Node::Since(since(*moment, facts, self.zone)),
            Term::Arg(needle) => self.text(needle, true),
            Term::Text(needle) => self.text(needle, false),
        }
    }

    fn things(&self, test: impl Fn(&Subject<'_>) -> bool) -> Node {
        Node::Things(self.subjects.iter().map(test).collect())
    }

    fn text(&mut self, needle: &Needle, arguments: bool) -> Node {
        self.needles.push(needle.clone());
        Node::Text(self.needles.len() - 1, arguments)
    }
}

/// The time that a moment means. A time of day alone: on the day of the first event, or on the next one where it lies
/// before the first event then and is reached later.
fn since(moment: Moment, facts: &Facts, zone: &Zone) -> i64 {
    let at = |date| zone.at(date, moment.of_day);
    if let Some(date) = moment.date {
        return at(date).unwrap_or(i64::MAX);
    }
    let Some(first) = facts.first_time else { return i64::MAX };
    let Some(same_day) = zone.day(first).and_then(at) else { return i64::MAX };
    let last = facts.last_time.unwrap_or(first);
    let next_day = zone.day(first.saturating_add(DAY_MS)).and_then(at);
    match next_day {
        Some(next_day) if same_day < first && next_day <= last => next_day,
        Some(_) | None => same_day,
    }
}

/// Rows of the turns with these numbers: each up to its end, an open one up to the next turn.
fn turns(facts: &Facts, index: &Index, bounds: Bounds) -> Vec<Range<u32>> {
    let starts: Vec<u32> = facts.turns.iter().map(|turn| turn.start_row.0).collect();
    let kept = facts.turns.iter().enumerate().filter(|(_, turn)| bounds.hold(turn.turn));
    spans(kept.map(|(at, turn)| span(turn.start_row, turn.end_row, &starts, at, index)))
}

/// Rows of the steps with these numbers, of any turn.
fn steps(facts: &Facts, index: &Index, bounds: Bounds) -> Vec<Range<u32>> {
    let mut starts: Vec<u32> = facts.steps.iter().map(|step| step.start_row.0).collect();
    let turn_ends = facts.turns.iter().filter_map(|turn| turn.end_row).map(|row| row.0);
    starts.extend(facts.turns.iter().map(|turn| turn.start_row.0).chain(turn_ends));
    starts.sort_unstable();
    let kept = facts.steps.iter().filter(|step| bounds.hold(step.step));
    spans(kept.map(|step| {
        let at = starts.partition_point(|start| *start <= step.start_row.0);
        span(step.start_row, step.end_row, &starts, at.saturating_sub(1), index)
    }))
}

/// From a start to its end, else to the next start.
fn span(start: RowIx, end: Option<RowIx>, starts: &[u32], at: usize, index: &Index) -> Range<u32> {
    let open_end = || starts.get(at + 1).copied().unwrap_or(index.rows.len() as u32);
    let end = end.filter(|end| *end >= start).map_or_else(open_end, |end| end.0.saturating_add(1));
    start.0..end
}

/// Sorted and without overlaps.
fn spans(all: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut all: Vec<Range<u32>> = all.collect();
    all.sort_unstable_by_key(|span| span.start);
    let mut out: Vec<Range<u32>> = Vec::new();
    for span in all {
        match out.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            Some(_) | None => out.push(span),
        }
    }
    out
}
