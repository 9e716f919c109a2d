//! Sub-calls, commands, retries, and every other pair that opens and closes (docs/FORMAT.md section 7.2).

use foldhash::HashMap;

use super::facts::{Command, OpenPair, Retry, SubCall, SubCallState};
use super::waiting::Waiting;
use crate::record::event::{Event, Failure, PairEnd, PairKind, Place};
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Ids of a sub-call as a record names them.
#[derive(Debug, Clone, Copy)]
pub(super) struct SubIds<'a> {
    pub(super) parent: &'a WireText,
    pub(super) root: &'a WireText,
    pub(super) id: &'a WireText,
    pub(super) name: &'a WireText,
}

/// Row and seq of a record that opened a pair.
type Opened = (RowIx, Option<i64>);

/// Follows the pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct PairFold {
    sub_calls: Vec<SubCall>,
    open_sub: Waiting<(WireText, WireText)>,
    commands: Vec<Command>,
    open_command: Waiting<WireText>,
    retries: Vec<Retry>,
    /// Times of the records of `retries`.
    retry_times: Vec<Option<i64>>,
    open_retry: Waiting<(WireText, Option<i64>)>,
    /// Opening records of every other pair that wait for the end, the newest last; none is left out.
    open: HashMap<(PairKind, WireText), Vec<Opened>>,
}

/// A retry as its record tells it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RetryRecord<'a> {
    pub(super) id: &'a WireText,
    pub(super) place: Place,
    pub(super) retry: Option<i64>,
    pub(super) max: Option<i64>,
    pub(super) delay_ms: Option<i64>,
    pub(super) failure: &'a Failure,
}

impl PairFold {
    /// A call from inside a program begins.
    pub(super) fn sub_call(&mut self, row: RowIx, event: &Event, ids: SubIds<'_>, call: Option<usize>) {
        let at = self.push_sub(ids, call);
        let sub = &mut self.sub_calls[at];
        sub.start_seq = event.seq;
        sub.start_row = Some(row);
        sub.start_time = event.time;
        self.open_sub.open((ids.root.clone(), ids.id.clone()), at);
    }

    /// It settles. Without a start it is an entry of its own.
    pub(super) fn sub_result(
        &mut self,
        row: RowIx,
        event: &Event,
        ids: SubIds<'_>,
        call: Option<usize>,
        is_error: bool,
    ) {
        let open = self.open_sub.close(&(ids.root.clone(), ids.id.clone()));
        let at = open.unwrap_or_else(|| self.push_sub(ids, call));
        let sub = &mut self.sub_calls[at];
        sub.settle_seq = event.seq;
        sub.settle_row = Some(row);
        sub.settle_time = event.time;
        sub.state = if is_error { SubCallState::Failed } else { SubCallState::Completed };
    }

    fn push_sub(&mut self, ids: SubIds<'_>, call: Option<usize>) -> usize {
        self.sub_calls.push(SubCall {
            id: ids.id.clone(),
            parent: ids.parent.clone(),
            root: ids.root.clone(),
            name: ids.name.clone(),
            start_seq: None,
            start_row: None,
            settle_seq: None,
            settle_row: None,
            start_time: None,
            settle_time: None,
            state: SubCallState::OutcomeUnknown,
            call,
        });
        self.sub_calls.len() - 1
    }

    /// The call that a sub-call id belongs to, if such a sub-call began.
    pub(super) fn root_of(&self, id: &WireText) -> Option<usize> {
        self.sub_calls.iter().rev().take(LOOK_BACK).find(|sub| sub.id == *id).and_then(|sub| sub.call)
    }

    /// `command/run`.
    pub(super) fn command_run(&mut self, row: RowIx, event: &Event, id: &WireText, name: Option<&WireText>) {
        let at = self.push_command(id, name);
        self.commands[at].run_seq = event.seq;
        self.commands[at].run_row = Some(row);
        self.open_command.open(id.clone(), at);
    }

    /// `command/done`.
    pub(super) fn command_done(&mut self, row: RowIx, event: &Event, id: &WireText, kind: Option<&WireText>) {
        let open = self.open_command.close(id);
        let at = open.unwrap_or_else(|| self.push_command(id, None));
        let command = &mut self.commands[at];
        command.done_seq = event.seq;
        command.done_row = Some(row);
        command.kind = kind.cloned();
    }

    fn push_command(&mut self, id: &WireText, name: Option<&WireText>) -> usize {
        self.commands.push(Command {
            id: id.clone(),
            name: name.cloned(),
            run_seq: None,
            run_row: None,
            done_seq: None,
            done_row: None,
            kind: None,
        });
        self.commands.len() - 1
    }

    /// `llm/retry`.
    pub(super) fn retry(&mut self, row: RowIx, event: &Event, record: RetryRecord<'_>) {
        let at = self.retries.len();
        self.retry_times.push(event.time);
        self.retries.push(Retry {
            id: record.id.clone(),
            retry: record.retry,
            max: record.max,
            turn: record.place.turn,
            step: record.place.step,
            seq: event.seq,
            row,
            failure: Box::new(record.failure.clone()),
            delay_ms: record.delay_ms,
            kept_ms: None,
            started_seq: None,
            started_row: None,
        });
        self.open_retry.open((record.id.clone(), record.retry), at);
    }

    /// How many retries there are so far: the place of the next.
    pub(super) fn retries(&self) -> usize {
        self.retries.len()
    }

    /// `llm/retry-started`. Gives the place of its retry.
    pub(super) fn retry_started(
        &mut self,
        row: RowIx,
        event: &Event,
        id: &WireText,
        retry: Option<i64>,
    ) -> Option<usize> {
        let at = self.open_retry.close(&(id.clone(), retry))?;
        let waits_since = self.retry_times.get(at).copied().flatten();
        self.retries[at].kept_ms = event.time.zip(waits_since).map(|(now, then)| now.saturating_sub(then));
        self.retries[at].started_seq = event.seq;
        self.retries[at].started_row = Some(row);
        Some(at)
    }

    /// One end of another pair: an end closes the newest open record. A close without an open is no open pair.
    pub(super) fn other(&mut self, row: RowIx, event: &Event, pair: PairKind, end: PairEnd, key: &WireText) {
        let key = (pair, key.clone());
        match (end, self.open.get_mut(&key)) {
            (PairEnd::Open, Some(open)) => open.push((row, event.seq)),
            (PairEnd::Open, None) => {
                self.open.insert(key, vec![(row, event.seq)]);
            }
            (PairEnd::Close, Some(open)) if open.len() > 1 => {
                open.pop();
            }
            (PairEnd::Close, Some(_)) => {
                self.open.remove(&key);
            }
            (PairEnd::Close, None) => {}
        }
    }

    /// Everything, with the other pairs that are open, in file order.
    pub(super) fn finish(self) -> (Vec<SubCall>, Vec<Command>, Vec<Retry>, Vec<OpenPair>) {
        let all = self.open.into_iter().flat_map(|((kind, key), records)| {
            records.into_iter().map(move |(row, seq)| OpenPair { kind, key: key.clone(), seq, row })
        });
        let mut open: Vec<OpenPair> = all.collect();
        open.sort_by(|one, other| (one.row, one.kind, &one.key).cmp(&(other.row, other.kind, &other.key)));
        (self.sub_calls, self.commands, self.retries, open)
    }
}

/// How many sub-calls are looked through for an id, from the newest.
const LOOK_BACK: usize = 4096;

#[cfg(test)]
mod tests {
    use crate::triage::bench::Written;
    use crate::triage::facts::SubCallState;

    fn sub(log: Written, kind: &str, root: &str, rest: &str) -> Written {
        log.event(
            kind,
            &format!(r#""parentCallId":"{root}","rootCallId":"{root}","subCallId":"s","name":"read"{rest}"#),
        )
    }

    #[test]
    fn sub_calls_settle_under_their_root() {
        use SubCallState::{Completed, Failed, OutcomeUnknown};
        let started = |root: &str| sub(Written::new(), "tool/code-dispatch-start", root, "");
        let table = [
            ("started", started("a"), vec![OutcomeUnknown]),
            ("settled", sub(started("a"), "tool/code-dispatch", "a", ""), vec![Completed]),
            ("settled by the later name", sub(started("a"), "tool/ptc-dispatch", "a", ""), vec![Completed]),
            ("failed", sub(started("a"), "tool/code-dispatch", "a", r#","isError":true"#), vec![Failed]),
            ("under another root", sub(started("a"), "tool/code-dispatch", "b", ""), vec![OutcomeUnknown, Completed]),
            (
                "settled twice",
                sub(sub(started("a"), "tool/code-dispatch", "a", ""), "tool/code-dispatch", "a", ""),
                vec![Completed, Completed],
            ),
        ];
        for (name, log, expected) in table {
            let states: Vec<_> = log.facts().sub_calls.iter().map(|sub| sub.state).collect();
            assert_eq!(states, expected, "{name}");
        }
    }

    #[test]
    fn commands_and_retries_close_by_their_ids() {
        let run = |log: Written, id: &str| log.event("command/run", &format!(r#""commandId":"{id}","name":"compact""#));
        let done =
            |log: Written, id: &str| log.event("command/done", &format!(r#""commandId":"{id}","kind":"success""#));
        let facts = done(done(run(run(Written::new(), "k"), "k"), "k"), "x").facts();
        let found: Vec<_> = facts.commands.iter().map(|one| (one.run_seq, one.done_seq)).collect();
        assert_eq!(found, [(Some(0), Some(2)), (Some(1), None), (None, Some(3))]);

        let retry = |log: Written, kind: &str, number: i64| {
            let failure = r#""failure":{"code":"RATE_LIMIT"}"#;
            log.event(kind, &format!(r#""retryId":"r","retry":{number},"turn":1,"step":1,{failure}"#))
        };
        let facts = retry(retry(retry(Written::new(), "llm/retry", 1), "llm/retry", 2), "llm/retry-started", 2).facts();
        let found: Vec<_> = facts.retries.iter().map(|one| (one.seq, one.started_seq)).collect();
        assert_eq!(found, [(Some(0), None), (Some(1), Some(2))]);
    }

    #[test]
    fn other_pairs_are_counted_while_they_are_open() {
        let hook = |log: Written, kind: &str, id: &str| {
            log.event(kind, &format!(r#""turn":1,"point":"PreToolUse","handlerId":"{id}""#))
        };
        let one = || hook(Written::new(), "hook/invoked", "h");
        for (name, log, open) in [
            ("open", one(), vec![("hook", 1)]),
            ("closed", hook(one(), "hook/result", "h"), vec![]),
            ("opened twice", hook(hook(one(), "hook/invoked", "h"), "hook/result", "h"), vec![("hook", 1)]),
            ("another one closed", hook(one(), "hook/result", "g"), vec![("hook", 1)]),
            (
                "closed before it opened",
                hook(hook(Written::new(), "hook/result", "h"), "hook/invoked", "h"),
                vec![("hook", 1)],
            ),
            ("a turn and a step", Written::new().turn(1).step(1, 1), vec![("turn", 1), ("step", 1)]),
        ] {
            assert_eq!(log.facts().open_pairs, open, "{name}");
        }
    }
}
