//! All that is known about one log: what the screen shows and the report prints, in one place, so that the two
//! cannot differ. The names and meanings are those of docs/REPORT.md; positions in the index stand beside the seqs.

use crate::record::header::Header;
use crate::session::row::Seq;
use crate::text::wire::WireText;

pub use crate::session::container::{BadLineAt, Container, FrameDamage, TornTail};
pub use around::{Approval, Command, OpenPair, Resumed, Retry, Switch, Switched, UsageFacts};
pub use attempts::{Attempt, Counted, Stall, ToldUsage};
pub use calls::{
    Aftermath, Basis, Call, CallState, DroppedCall, Recovery, StrayResult, SubCall, SubCallState, ToolOrigin, Twice,
    TwiceWhy,
};
pub use edits::{Edit, HeadPart, RequestHead, ToolChange};
pub use ending::{Ghost, GhostKind, Loader, LoaderResult, StopCause, Stopped};
pub use rewrites::{Fate, MOST_SHADOWED, Prompt, Rewrite, RewriteKind, Upload};
pub use sequence::{Break, BreakCause, Format, FormatSource, Inherited, Sequence, UnknownType};
pub use turns::{Step, Turn};

mod around;
mod attempts;
mod calls;
mod edits;
mod ending;
mod rewrites;
mod sequence;
mod turns;

/// Everything known about one log.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Bytes, frames, lines, damage.
    pub container: Container,
    /// Which version the log is read as.
    pub format: Format,
    /// The header, if there is one.
    pub header: Option<Header>,
    /// What is wrong with the header, one text a problem.
    pub header_problems: Vec<String>,
    /// Events by type, members of packed rows as `assistant/chunk`; most frequent first, then by name.
    pub event_types: Vec<(WireText, u64)>,
    /// The sequence.
    pub sequence: Sequence,
    /// Events of types outside the catalogue.
    pub unknown_types: Vec<UnknownType>,
    /// Turns in the order of their first record.
    pub turns: Vec<Turn>,
    /// Steps in the order of their first record.
    pub steps: Vec<Step>,
    /// Requested calls in the order of the messages.
    pub calls: Vec<Call>,
    /// Places in `calls`: those in state not started or outcome unknown that no result settles.
    pub unpaired: Vec<usize>,
    /// Place in `calls` of the last call without a result.
    pub last_unpaired: Option<usize>,
    /// Place in `calls` of the last call that a recovery record closed.
    pub last_recovered: Option<usize>,
    /// Place in `calls` of the last call whose real result carries the error flag.
    pub last_failed: Option<usize>,
    /// Results without a call, or second ones.
    pub results_without_call: Vec<StrayResult>,
    /// Calls made from inside a program.
    pub sub_calls: Vec<SubCall>,
    /// Slash commands.
    pub commands: Vec<Command>,
    /// Approvals in the order of the first record of each.
    pub approvals: Vec<Approval>,
    /// Retries of model requests.
    pub retries: Vec<Retry>,
    /// Other pairs that were opened and not closed: kind and count, kinds in a fixed order.
    pub open_pairs: Vec<(&'static str, u64)>,
    /// Their opening records but those of turns and steps, in file order.
    pub opened: Vec<OpenPair>,
    /// Every `session/end-seed`, in file order.
    pub resumed: Vec<Resumed>,
    /// Calls that may have run twice, in the order of the later record.
    pub twice: Vec<Twice>,
    /// Token counts.
    pub usage: UsageFacts,
    /// Changes of the state in force (policy, sandbox, preset, plan, model, tools, title), in file order.
    pub switches: Vec<Switch>,
    /// What the harness would do with this file alone.
    pub loader: Loader,
    /// The records a resume would append, in order; empty on refusal.
    pub resume: Vec<Ghost>,
    /// Why the log ends where it ends.
    pub stopped: Stopped,
    /// Number of leading events that a fork copied from its parent, and where own events begin.
    pub inherited: Inherited,
    /// Messages that could not be built into a call, streamed calls that no message holds.
    pub dropped_calls: Vec<DroppedCall>,
    /// Attempts of the model in the order of their ends.
    pub attempts: Vec<Attempt>,
    /// Long gaps between the pieces of an answer, in file order.
    pub stalls: Vec<Stall>,
    /// Nodes of the surface that were replaced, in the order in which that began.
    pub rewrites: Vec<Rewrite>,
    /// Messages that were put into the inbox, in file order.
    pub prompts: Vec<Prompt>,
    /// Marks that the log was uploaded, in file order.
    pub uploads: Vec<Upload>,
    /// Files that calls changed, in the order of the calls.
    pub edits: Vec<Edit>,
    /// Request headers, in file order.
    pub headers: Vec<RequestHead>,
    /// Messages that added or removed tools between headers, in file order.
    pub tool_changes: Vec<ToolChange>,
    /// Title in force at the end.
    pub title: Option<WireText>,
    /// What the call that started the session says it is for: `label` of its own `subagent/descriptor`.
    pub label: Option<WireText>,
    /// Time of the first and of the last event.
    pub first_time: Option<i64>,
    /// Time of the last event.
    pub last_time: Option<i64>,
}

impl Facts {
    /// Seq of a row's first member as a plain number, if recorded.
    #[must_use]
    pub fn seq_text(seq: Option<Seq>) -> String {
        seq.map_or_else(|| "?".to_owned(), |Seq(seq)| seq.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, Call, Step};

    #[test]
    fn what_a_large_log_has_many_of_is_small() {
        assert_eq!((size_of::<Call>(), size_of::<Attempt>(), size_of::<Step>()), (168, 176, 64));
    }
}
