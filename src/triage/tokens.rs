//! Tokens by turn and step: sums over the attempts, each counted once.

use super::facts::{Attempt, Facts};
use super::usage::add;
use crate::record::event::Usage;

/// Tokens of several attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenSum {
    /// Attempts, with and without usage.
    pub attempts: u64,
    /// Attempts that reported usage.
    pub requests: u64,
    /// Their tokens.
    pub tokens: Usage,
    /// Tokens of attempts that became no message; they are among `tokens` too.
    pub failed: Usage,
    /// Attempts whose usage chunk and message say different counts.
    pub differing: u64,
}

impl TokenSum {
    /// Adds an attempt.
    pub fn add(&mut self, attempt: &Attempt) {
        self.attempts += 1;
        self.differing += u64::from(attempt.usage_differs());
        if let Some(tokens) = attempt.tokens() {
            self.requests += 1;
            add(&mut self.tokens, tokens);
            if attempt.message_row.is_none() {
                add(&mut self.failed, tokens);
            }
        }
    }

    /// Of these attempts.
    #[must_use]
    pub fn of<'a>(attempts: impl Iterator<Item = &'a Attempt>) -> TokenSum {
        let mut sum = TokenSum::default();
        attempts.for_each(|attempt| sum.add(attempt));
        sum
    }
}

/// Sums by turn, ascending; attempts without a turn number are left out.
pub fn by_turn(facts: &Facts) -> impl Iterator<Item = (i64, TokenSum)> {
    sums(facts, |attempt| attempt.turn.get())
}

/// Sums by turn and step, ascending; attempts without either are left out.
pub fn by_step(facts: &Facts) -> impl Iterator<Item = ((i64, i64), TokenSum)> {
    sums(facts, |attempt| attempt.turn.get().zip(attempt.step.get()))
}

/// Sums by a key, ascending, one at a time: there are as many as the log has steps.
fn sums<K: Ord + Copy>(facts: &Facts, key: fn(&Attempt) -> Option<K>) -> impl Iterator<Item = (K, TokenSum)> {
    let keyed = |at: &usize| facts.attempts.get(*at).and_then(key);
    let mut order: Vec<usize> = (0..facts.attempts.len()).filter(|at| keyed(at).is_some()).collect();
    // Nearly sorted as it is: sorting costs one walk.
    order.sort_by_key(keyed);
    let mut order = order.into_iter().peekable();
    std::iter::from_fn(move || {
        let key_of = |at: usize| facts.attempts.get(at).and_then(key);
        let of = key_of(*order.peek()?)?;
        let mut sum = TokenSum::default();
        while let Some(at) = order.next_if(|at| key_of(*at) == Some(of)) {
            facts.attempts.get(at).into_iter().for_each(|attempt| sum.add(attempt));
        }
        Some((of, sum))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::bench::Written;

    #[test]
    fn attempts_add_up_by_turn_and_step_and_never_overflow() {
        let usage = |input: u64| format!(r#""message":{{"content":[]}},"usage":{{"inputTokens":{input}}}"#);
        let message = |log: Written, turn: i64, step: i64, input: u64| {
            log.event("assistant/message", &format!(r#""turn":{turn},"step":{step},{}"#, usage(input)))
        };
        let log = message(message(message(Written::new(), 1, 1, 5), 1, 2, 7), 2, 1, 11);
        let log = log.turn(3).step(3, 1).step_end(3, 1);
        let facts = log.facts();
        let turns: Vec<_> =
            by_turn(&facts).map(|(turn, sum)| (turn, sum.attempts, sum.requests, sum.tokens.input)).collect();
        assert_eq!(turns, [(1, 2, 2, 12), (2, 1, 1, 11), (3, 1, 0, 0)]);
        assert_eq!(by_step(&facts).map(|(place, _)| place).collect::<Vec<_>>(), [(1, 1), (1, 2), (2, 1), (3, 1)]);
        let most = 9_007_199_254_740_991;
        let log = (0..3_000).fold(Written::new(), |log, _| message(log, 1, 1, most));
        let sum = TokenSum::of(log.facts().attempts.iter());
        assert_eq!((sum.requests, sum.tokens.input), (3_000, u64::MAX));
        let nowhere = Written::new().event("assistant/message", &usage(3));
        assert_eq!(by_turn(&nowhere.facts()).count() + by_step(&nowhere.facts()).count(), 0);
    }
}
