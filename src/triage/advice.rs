//! What may be done about a call whose outcome is missing: fixed rules by state and tool, never a guess.

use super::facts::{Call, CallState};

/// Tools that only read: running one again changes nothing outside.
const READERS: [&str; 5] = ["read", "grep", "glob", "read_image", "list_agents"];

/// What may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Advice {
    /// It never started: it may be retried.
    MayBeRetried,
    /// Whether it ran is unknown, but it only reads: it may be retried.
    OnlyReads,
    /// It started a child session, which may have done part of the work: its log is read first.
    ReadTheChildFirst,
    /// It may have run in part: the outside state is looked at first.
    LookOutside,
}

/// The advice for a call; `None` where a result says what became of it.
#[must_use]
pub fn advice(call: &Call) -> Option<Advice> {
    match call.state {
        CallState::Completed | CallState::Failed => None,
        CallState::NotStarted => Some(Advice::MayBeRetried),
        CallState::OutcomeUnknown => Some(by_tool(call.name.as_bytes())),
    }
}

/// Whether running a tool again changes nothing outside, as far as its name tells.
#[must_use]
pub fn only_reads(name: &[u8]) -> bool {
    READERS.iter().any(|reader| reader.as_bytes() == name)
}

fn by_tool(name: &[u8]) -> Advice {
    if only_reads(name) {
        Advice::OnlyReads
    } else if name.starts_with(b"subagent") {
        Advice::ReadTheChildFirst
    } else {
        Advice::LookOutside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_names_of_readers_may_be_retried() {
        for (name, expected) in [
            ("read", Advice::OnlyReads),
            ("list_agents", Advice::OnlyReads),
            ("read_and_delete", Advice::LookOutside),
            ("Read", Advice::LookOutside),
            ("", Advice::LookOutside),
            ("bash", Advice::LookOutside),
            ("subagent", Advice::ReadTheChildFirst),
            ("subagent_fork", Advice::ReadTheChildFirst),
        ] {
            assert_eq!(by_tool(name.as_bytes()), expected, "{name}");
        }
    }
}
