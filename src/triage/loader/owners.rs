//! What belongs to an owner that an earlier event opened: retries to their chain, compactions to their start.

use foldhash::{HashMap, HashSet};
use std::sync::Arc;

use super::objection::{Objections, Pass};
use super::relations::Around;
use super::replay::name;
use crate::record::admission::{Compaction, Links};
use crate::record::event::{Body, Event, Place};
use crate::record::header::Header;
use crate::record::kinds::Kind;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

type Verdict = Result<(), String>;

/// What one chain of retries is for.
type Policy = (Place, Option<WireText>, Option<WireText>);

#[derive(Debug, Clone, Default)]
struct Chains {
    /// Chain id and last number of each policy.
    last: HashMap<Policy, (WireText, i64)>,
    ids: HashSet<WireText>,
    /// Where each retry was announced.
    announced: HashMap<(WireText, i64), Place>,
    started: HashSet<(WireText, i64)>,
}

/// Retries of model requests; shared between copies.
#[derive(Debug, Clone, Default)]
pub(super) struct Retries(Arc<Chains>);

impl Retries {
    /// `llm/retry`: in the open step, for the provider of the header, each number of a chain in turn.
    pub(super) fn retry(
        &mut self,
        event: &Event,
        (turn, step): (Option<i64>, Option<i64>),
        open_provider: Option<&WireText>,
    ) -> Verdict {
        let Body::Retry { id, place, retry, .. } = &event.body else { return Ok(()) };
        let seq = event.seq.unwrap_or_default();
        if turn.is_none() || place.turn != turn || place.step != step {
            return Err(format!("the llm/retry at seq {seq} is outside its turn and step"));
        }
        let Some(Links::Policy { provider, key }) = event.admission.links.as_deref() else { return Ok(()) };
        if open_provider.is_some_and(|open| provider.as_ref() != Some(open)) {
            return Err(format!("the llm/retry at seq {seq} names another provider than the request/header"));
        }
        let chains = Arc::make_mut(&mut self.0);
        let policy = (*place, provider.clone(), key.clone());
        let before = chains.last.get(&policy);
        let expected = before.map_or(1, |(_, number)| number.saturating_add(1));
        if *retry != Some(expected) {
            return Err(format!("the llm/retry at seq {seq} is not number {expected} of its chain"));
        }
        let keeps_id = match before {
            Some((chain, _)) => chain == id,
            None => !chains.ids.contains(id),
        };
        if !keeps_id || id.is_empty() {
            return Err(format!("the llm/retry at seq {seq} does not keep one id a chain"));
        }
        chains.last.insert(policy, (id.clone(), expected));
        chains.ids.insert(id.clone());
        chains.announced.insert((id.clone(), expected), *place);
        Ok(())
    }

    /// `llm/retry-started`: once for a retry that was announced, at the same place.
    pub(super) fn started(&mut self, event: &Event) -> Verdict {
        let Body::RetryStarted { id, place, retry } = &event.body else { return Ok(()) };
        let seq = event.seq.unwrap_or_default();
        let key = (id.clone(), retry.unwrap_or_default());
        let announced = self.0.announced.get(&key).copied();
        match announced {
            None => Err(format!("the llm/retry-started at seq {seq} has no llm/retry")),
            Some(announced) if announced != *place => {
                Err(format!("the llm/retry-started at seq {seq} stands in another step than its llm/retry"))
            }
            Some(_) if Arc::make_mut(&mut self.0).started.insert(key) => Ok(()),
            Some(_) => Err(format!("the llm/retry-started at seq {seq} repeats one retry")),
        }
    }
}

/// The open compaction.
#[derive(Debug, Clone)]
struct Open {
    owner: Compaction,
    summarized: bool,
    /// A turn began or ended inside it: where, and the seq.
    crossed: Option<(RowIx, i64)>,
}

/// Compactions: one at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct Compactions {
    open: Option<Open>,
}

impl Compactions {
    /// A turn begins or ends. Inside a compaction it may not, unless the process ended with it open: an end-seed follows
    /// before anything else of a compaction.
    pub(super) fn crossed(&mut self, at: RowIx, seq: i64) {
        if let Some(open) = &mut self.open {
            open.crossed.get_or_insert((at, seq));
        }
    }

    /// An open compaction died with its process.
    pub(super) fn end_seed(&mut self) {
        self.open = None;
    }

    /// What is open at the end was crossed in earnest.
    pub(super) fn finish(&self, objections: &mut Objections) {
        if let Some((at, seq)) = self.open.as_ref().and_then(|open| open.crossed) {
            objections.note_earlier(Pass::Relations, at, || crossing(seq));
        }
    }

    /// A record of a compaction; any other event is passed over.
    pub(super) fn event(
        &mut self,
        event: &Event,
        turn: Option<i64>,
        around: &Around<'_>,
        objections: &mut Objections,
    ) -> Verdict {
        let seq = event.seq.unwrap_or_default();
        let Some(Links::Compaction(claim)) = event.admission.links.as_deref() else { return Ok(()) };
        match event.kind {
            Kind::CompactionStart => {
                self.finish(objections);
                if self.open.is_some() {
                    return Err(format!("the compaction/start at seq {seq} overlaps an open compaction"));
                }
                if claim.turn != turn {
                    return Err(format!("the compaction/start at seq {seq} names another turn than the open one"));
                }
                self.open = Some(Open { owner: claim.clone(), summarized: false, crossed: None });
                Ok(())
            }
            Kind::CompactionEnd => {
                self.finish(objections);
                self.end(event, claim, turn, seq)
            }
            Kind::CompactionSummary => {
                span(event, claim, around)?;
                let open = self.owner(event, claim)?;
                if open.owner.turn != turn || open.summarized {
                    return Err(format!("the compaction/summary at seq {seq} does not fit the open compaction"));
                }
                open.summarized = true;
                Ok(())
            }
            Kind::CompactionPrune => span(event, claim, around),
            _ => Ok(()),
        }
    }

    fn end(&mut self, event: &Event, claim: &Compaction, turn: Option<i64>, seq: i64) -> Verdict {
        let open = self.owner(event, claim)?;
        if open.owner.turn != turn || claim.turn != turn {
            return Err(format!("the compaction/end at seq {seq} names another turn than its start"));
        }
        if !claim.failed && !open.summarized {
            return Err(format!("the compaction/end at seq {seq} has no summary"));
        }
        self.open = None;
        Ok(())
    }

    /// A message that stands for what a compaction shadows names the open one.
    pub(super) fn checkpoint(&mut self, event: &Event) -> Verdict {
        match event.admission.links.as_deref() {
            Some(Links::Compaction(claim)) => self.owner(event, claim).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn owner(&mut self, event: &Event, claim: &Compaction) -> Result<&mut Open, String> {
        let fits = |open: &&mut Open| open.owner.id == claim.id && open.owner.command == claim.command;
        self.open.as_mut().filter(fits).ok_or_else(|| {
            format!("the {} at seq {} has no compaction/start", name(event), event.seq.unwrap_or_default())
        })
    }
}

fn crossing(seq: i64) -> String {
    format!("a turn begins or ends at seq {seq} inside a compaction")
}

/// What is shadowed is exactly a stretch of the surface, without the system prompt at its head.
fn span(event: &Event, claim: &Compaction, around: &Around<'_>) -> Verdict {
    let found = claim.range.and_then(|(start, end)| around.surface.span(start, end).ok());
    let exact = found.is_some_and(|span| around.surface.nodes(span).eq(claim.shadowed.iter().copied()));
    let head = around.head.is_some_and(|head| claim.shadowed.contains(&head));
    if exact && !head {
        return Ok(());
    }
    Err(format!("the {} at seq {} does not name a stretch of the surface", name(event), event.seq.unwrap_or_default()))
}

/// Marks that the log was handed to its vendor: each names this session, unless it was inherited from another.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    inherited: Vec<Mark>,
    own: Vec<Mark>,
}

#[derive(Debug, Clone)]
struct Mark {
    at: RowIx,
    seq: i64,
    session: WireText,
}

/// Marks kept of each kind: with two sessions named, one of them is not this one.
const MARKS: usize = 2;

impl Marks {
    /// A mark. One that counts in the numbers of another version is not looked at.
    pub(super) fn event(&mut self, at: RowIx, event: &Event, version: i64) -> Verdict {
        let seq = event.seq.unwrap_or_default();
        let Some(Links::Delivery { session, through, version: counts_in }) = event.admission.links.as_deref() else {
            return Ok(());
        };
        if *counts_in != Some(version) {
            return Ok(());
        }
        if !through.is_some_and(|through| (0..seq).contains(&through)) {
            return Err(format!("the delivery mark at seq {seq} counts events that are not before it"));
        }
        let session = session.clone().unwrap_or_default();
        if session.is_empty() {
            return Err(format!("the delivery mark at seq {seq} names no session"));
        }
        if self.own.len() < MARKS && self.own.iter().all(|mark| mark.session != session) {
            self.own.push(Mark { at, seq, session });
        }
        Ok(())
    }

    /// All marks so far were inherited.
    pub(super) fn inherit(&mut self) {
        let own = std::mem::take(&mut self.own);
        let room = MARKS.saturating_sub(self.inherited.len());
        self.inherited.extend(own.into_iter().take(room));
    }

    /// Holds the marks against the session they stand in.
    pub(super) fn finish(&self, header: Option<&Header>, objections: &mut Objections) {
        let Some(header) = header else { return };
        let inherited = if header.parent_session.is_some() { &[][..] } else { &self.inherited };
        let foreign = inherited.iter().chain(&self.own).find(|mark| header.id.as_ref() != Some(&mark.session));
        if let Some(mark) = foreign {
            objections.note_earlier(Pass::Relations, mark.at, || {
                format!("the delivery mark at seq {} names another session", mark.seq)
            });
        }
    }
}
