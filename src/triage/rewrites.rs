//! Rewrites of the surface, prompts of the inbox, uploads (docs/FORMAT.md sections 4.1, 6.4 and 6.6).

use std::collections::VecDeque;

use foldhash::HashMap;

use super::facts::{Fate, MOST_SHADOWED, Prompt, Rewrite, RewriteKind, Upload};
use crate::record::admission::{Compaction, Links};
use crate::record::event::{Body, Event, Surface};
use crate::record::kinds::Kind;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Prompts that are kept of one log.
const MOST_PROMPTS: usize = 100_000;

/// Prompts that wait in one queue at once; those that come after are not followed.
const MOST_WAITING: usize = 10_000;

/// Queues that are told apart; the harness has two.
const MOST_QUEUES: usize = 8;

/// Follows what is rewritten, queued and uploaded.
#[derive(Debug, Clone, Default)]
pub(super) struct RewriteFold {
    rewrites: Vec<Rewrite>,
    /// Compactions by id.
    open: HashMap<WireText, usize>,
    /// The rewrite that the next event carries out.
    announced: Option<usize>,
    prompts: Vec<Prompt>,
    queues: Vec<(Option<WireText>, VecDeque<u32>)>,
    uploads: Vec<Upload>,
}

impl RewriteFold {
    /// Any event: few tell anything here.
    pub(super) fn event(&mut self, row: RowIx, event: &Event) {
        let announced = self.announced.take();
        match event.admission.links.as_deref() {
            Some(Links::Compaction(compaction)) => self.compaction(row, event, compaction),
            Some(Links::Delivery { through, version, .. }) => {
                self.uploads.push(Upload { row, seq: event.seq, through: *through, version: *version });
            }
            Some(Links::Policy { .. } | Links::Titled(_) | Links::Effect(_)) | None => {}
        }
        if let Surface::Replace { start, end } = event.surface {
            self.replaced(row, event, announced, start.zip(end));
        }
        if let Body::Inbox { target, start, removed, inserted, cancelled } = &event.body {
            let splice = Splice { start: *start, removed: *removed, inserted: *inserted, cancelled: *cancelled };
            self.splice(row, event, target.as_ref(), splice);
        }
    }

    fn compaction(&mut self, row: RowIx, event: &Event, compaction: &Compaction) {
        match event.kind {
            Kind::CompactionStart => {
                let at = self.push(RewriteKind::Compaction, compaction);
                let rewrite = &mut self.rewrites[at];
                (rewrite.start_row, rewrite.start_seq) = (Some(row), event.seq);
            }
            Kind::CompactionSummary | Kind::CompactionPrune => {
                let at = if event.kind == Kind::CompactionPrune {
                    self.push(RewriteKind::Prune, compaction)
                } else {
                    self.of(compaction)
                };
                let rewrite = &mut self.rewrites[at];
                (rewrite.row, rewrite.seq) = (Some(row), event.seq);
                rewrite.range = compaction.range;
                rewrite.count = compaction.shadowed.len() as u64;
                let kept = compaction.shadowed.len().min(MOST_SHADOWED);
                rewrite.shadowed = compaction.shadowed.get(..kept).unwrap_or_default().into();
                self.announced = Some(at);
            }
            Kind::CompactionEnd => {
                let at = self.of(compaction);
                let rewrite = &mut self.rewrites[at];
                (rewrite.end_row, rewrite.end_seq) = (Some(row), event.seq);
                rewrite.failed |= compaction.failed;
            }
            // A message that names a compaction in its source: it is the replacement, and told as such.
            _ => {}
        }
    }

    /// The compaction of this id; one of its own where none began.
    fn of(&mut self, compaction: &Compaction) -> usize {
        let known = compaction.id.as_ref().and_then(|id| self.open.get(id)).copied();
        known.unwrap_or_else(|| self.push(RewriteKind::Compaction, compaction))
    }

    fn push(&mut self, kind: RewriteKind, compaction: &Compaction) -> usize {
        let at = self.rewrites.len();
        if let (RewriteKind::Compaction, Some(id)) = (kind, &compaction.id) {
            self.open.insert(id.clone(), at);
        }
        self.rewrites.push(Rewrite {
            kind,
            id: compaction.id.clone(),
            command: compaction.command.clone(),
            start_seq: None,
            start_row: None,
            seq: None,
            row: None,
            end_seq: None,
            end_row: None,
            failed: false,
            shadowed: Box::default(),
            count: 0,
            range: None,
            replacement_seq: None,
            replacement_row: None,
            inherited: false,
        });
        at
    }

    fn replaced(&mut self, row: RowIx, event: &Event, announced: Option<usize>, range: Option<(i64, i64)>) {
        let at = announced.unwrap_or_else(|| {
            let at = self.push(RewriteKind::Other, &Compaction::default());
            let rewrite = &mut self.rewrites[at];
            rewrite.range = range;
            if let Some((start, end)) = range.filter(|(start, end)| start == end) {
                (rewrite.shadowed, rewrite.count) = ([start].into(), u64::from(end == start));
            }
            at
        });
        let rewrite = &mut self.rewrites[at];
        (rewrite.replacement_row, rewrite.replacement_seq) = (Some(row), event.seq);
    }

    fn splice(&mut self, row: RowIx, event: &Event, queue: Option<&WireText>, splice: Splice) {
        let place = self.queues.iter().position(|(name, _)| name.as_ref() == queue).or_else(|| {
            (self.queues.len() < MOST_QUEUES).then(|| {
                self.queues.push((queue.cloned(), VecDeque::new()));
                self.queues.len() - 1
            })
        });
        let Some((_, waiting)) = place.and_then(|place| self.queues.get_mut(place)) else { return };
        // A splice beyond the end follows a lost or doubled one: it is taken as far as it goes.
        let start = usize::try_from(splice.start.unwrap_or(0)).unwrap_or(0).min(waiting.len());
        let end = start.saturating_add(usize::try_from(splice.removed).unwrap_or(0)).min(waiting.len());
        let seq = event.seq;
        let fate = match (splice.cancelled, splice.inserted) {
            (true, _) => Fate::Cancelled { row, seq },
            (false, 0) => Fate::Taken { row, seq },
            (false, _) => Fate::Replaced { row, seq },
        };
        for at in waiting.drain(start..end) {
            if let Some(prompt) = self.prompts.get_mut(at as usize) {
                prompt.fate = fate;
            }
        }
        let room = MOST_PROMPTS.saturating_sub(self.prompts.len()).min(MOST_WAITING.saturating_sub(waiting.len()));
        for nth in 0..splice.inserted.min(u32::try_from(room).unwrap_or(u32::MAX)) {
            waiting.insert(start + nth as usize, self.prompts.len() as u32);
            self.prompts.push(Prompt { row, seq, nth, queue: queue.cloned(), fate: Fate::Waiting });
        }
    }

    /// Everything so far was copied by a fork.
    pub(super) fn own_begins(&mut self) {
        self.rewrites.iter_mut().for_each(|rewrite| rewrite.inherited = true);
    }

    /// What was rewritten, queued, uploaded, each in file order.
    pub(super) fn finish(self) -> (Vec<Rewrite>, Vec<Prompt>, Vec<Upload>) {
        (self.rewrites, self.prompts, self.uploads)
    }
}

/// A change of a queue.
#[derive(Debug, Clone, Copy)]
struct Splice {
    start: Option<i64>,
    removed: i64,
    inserted: u32,
    cancelled: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::bench::Written;

    fn user(log: Written, fields: &str) -> Written {
        log.with("user/message", r#""role":"user","content":[],"source":{"kind":"user"}"#, fields)
    }

    fn replacing(log: Written, start: i64, end: i64) -> Written {
        user(log, &format!(r#","surfaceOp":{{"op":"replace","start":{start},"end":{end}}}"#))
    }

    fn summary(log: Written, id: &str, shadowed: &str) -> Written {
        let range = r#""shadowedRange":{"start":0,"end":1}"#;
        log.event("compaction/summary", &format!(r#""compactionId":"{id}",{range},"shadowedSeqs":[{shadowed}]"#))
    }

    /// Kind, seqs of start, summary, replacement and end, number shadowed, failed.
    type Told = (RewriteKind, [Option<i64>; 4], u64, bool);

    fn told(log: &Written) -> Vec<Told> {
        let facts = log.facts();
        let each = facts.rewrites.iter().map(|rewrite| {
            let seqs = [rewrite.start_seq, rewrite.seq, rewrite.replacement_seq, rewrite.end_seq];
            (rewrite.kind, seqs, rewrite.count, rewrite.failed)
        });
        each.collect()
    }

    #[test]
    fn a_rewrite_knows_what_it_shadows_and_what_stands_for_it() {
        let two = || user(user(Written::new(), r#","surfaceOp":"append""#), r#","surfaceOp":"append""#);
        let start = |log: Written, id: &str| log.event("compaction/start", &format!(r#""compactionId":"{id}""#));
        let end = |log: Written, id: &str, rest: &str| {
            log.event("compaction/end", &format!(r#""compactionId":"{id}"{rest}"#))
        };
        let prune = two().event("compaction/prune", r#""shadowedRange":{"start":1,"end":1},"shadowedSeqs":[1]"#);
        let table = [
            (
                "a compaction",
                end(replacing(summary(start(two(), "k"), "k", "0,1"), 0, 1), "k", ""),
                vec![(RewriteKind::Compaction, [Some(2), Some(3), Some(4), Some(5)], 2, false)],
            ),
            (
                "one that failed",
                end(start(two(), "k"), "k", r#","error":"no""#),
                vec![(RewriteKind::Compaction, [Some(2), None, None, Some(3)], 0, true)],
            ),
            (
                "one that never ended",
                start(two(), "k"),
                vec![(RewriteKind::Compaction, [Some(2), None, None, None], 0, false)],
            ),
            (
                "a prune",
                replacing(prune.clone(), 1, 1),
                vec![(RewriteKind::Prune, [None, Some(2), Some(3), None], 1, false)],
            ),
            (
                "a prune that another record parts from its message",
                replacing(prune.turn(1), 1, 1),
                vec![
                    (RewriteKind::Prune, [None, Some(2), None, None], 1, false),
                    (RewriteKind::Other, [None, None, Some(4), None], 1, false),
                ],
            ),
            (
                "a replacement by itself",
                replacing(two(), 0, 1),
                vec![(RewriteKind::Other, [None, None, Some(2), None], 0, false)],
            ),
            (
                "an end out of nowhere",
                end(two(), "k", ""),
                vec![(RewriteKind::Compaction, [None, None, None, Some(2)], 0, false)],
            ),
        ];
        for (name, log, expected) in table {
            assert_eq!(told(&log), expected, "{name}");
        }
    }

    fn splice(log: Written, start: i64, removed: i64, inserted: usize, rest: &str) -> Written {
        let messages = vec![r#"{"role":"user"}"#; inserted].join(",");
        let rest = format!(r#""removedCount":{removed},"inserted":[{messages}]{rest}"#);
        log.event("agent/inbox/spliced", &format!(r#""target":"next-turn","start":{start},{rest}"#))
    }

    #[test]
    fn prompts_are_followed_through_their_queue() {
        let cancelled = r#","outcome":"canceled""#;
        let fates = |log: Written| log.facts().prompts.iter().map(|prompt| prompt.fate).collect::<Vec<_>>();
        let taken = |row| Fate::Taken { row: RowIx(row), seq: Some(i64::from(row)) };
        let two = || splice(Written::new(), 0, 0, 2, "");
        assert_eq!(fates(two()), [Fate::Waiting, Fate::Waiting]);
        assert_eq!(fates(splice(two(), 0, 1, 0, "")), [taken(1), Fate::Waiting]);
        assert_eq!(fates(splice(two(), 1, 1, 0, "")), [Fate::Waiting, taken(1)]);
        let dropped = Fate::Cancelled { row: RowIx(1), seq: Some(1) };
        assert_eq!(fates(splice(two(), 0, 2, 0, cancelled)), [dropped, dropped]);
        let edited = Fate::Replaced { row: RowIx(1), seq: Some(1) };
        assert_eq!(fates(splice(two(), 0, 1, 1, "")), [edited, Fate::Waiting, Fate::Waiting]);
        // Beyond the end, below the start, more than there are.
        assert_eq!(fates(splice(two(), 99, 5, 0, "")), [Fate::Waiting, Fate::Waiting]);
        assert_eq!(fates(splice(two(), -3, 1 << 40, 0, "")), [taken(1), taken(1)]);
        assert_eq!(fates(splice(two(), 0, -1, 0, "")), [Fate::Waiting, Fate::Waiting]);
    }

    #[test]
    fn hostile_queues_are_bounded() {
        let log = splice(Written::new(), 0, 0, 20_000, "");
        assert_eq!(log.facts().prompts.len(), MOST_WAITING);
        let mut log = Written::new();
        for at in 0..20 {
            log = log.event("agent/inbox/spliced", &format!(r#""target":"q{at}","start":0,"inserted":[1]"#));
        }
        assert_eq!(log.facts().prompts.len(), MOST_QUEUES);
    }

    #[test]
    fn uploads_name_their_version() {
        let kind = "session-log-deepseek/delivery-accepted";
        let log = Written::new().event(kind, r#""sessionId":"s","throughSeq":7"#);
        let facts = log.event(kind, r#""throughSeq":9,"sessionFormatVersion":3"#).facts();
        let told: Vec<_> = facts.uploads.iter().map(|upload| (upload.seq, upload.through, upload.version)).collect();
        assert_eq!(told, [(Some(0), Some(7), Some(0)), (Some(1), Some(9), Some(3))]);
    }
}
