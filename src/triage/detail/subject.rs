//! What is selected, and which tabs it has.

use super::damage::Damage;
use crate::record::kinds::Kind;
use crate::session::row::{EventRef, Flags, RowIx};
use crate::triage::session::Session;
use crate::triage::what::{CallRows, Link, Run};

/// What the detail pane is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A call: place in `Facts::calls`.
    Call(usize),
    /// A sub-call: place in `Facts::sub_calls`.
    SubCall(usize),
    /// A message, or an attempt that produced none.
    Message(RowIx),
    /// A folded chunk run.
    Run(Run),
    /// A `request/header`.
    Header(RowIx),
    /// Any other event, a member of a packed row, a line that is no event.
    Event(EventRef),
    /// A record that a resume would append: place in `Facts::resume`.
    Ghost(usize),
    /// A break, a damaged frame, the torn tail.
    Damage(Damage),
    /// The first line of the log.
    LogHeader,
}

/// A tab of the detail pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TabId {
    /// Arguments of a call.
    Arguments,
    /// Its result.
    Result,
    /// The files it changed.
    Changes,
    /// What was asked before it ran.
    Approvals,
    /// The line as stored.
    Record,
    /// Text of a message.
    Text,
    /// How it was streamed.
    Stream,
    /// Tokens.
    Usage,
    /// System prompt of a request.
    Prompt,
    /// Tools of a request.
    Tools,
    /// What differs from the header before.
    Change,
    /// Every field.
    Fields,
}

impl TabId {
    /// Key of its name in the language files.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            TabId::Arguments => "tab.arguments",
            TabId::Result => "tab.result",
            TabId::Changes => "tab.changes",
            TabId::Approvals => "tab.approvals",
            TabId::Record => "tab.record",
            TabId::Text => "tab.text",
            TabId::Stream => "tab.stream",
            TabId::Usage => "tab.usage",
            TabId::Prompt => "tab.prompt",
            TabId::Tools => "tab.tools",
            TabId::Change => "tab.change",
            TabId::Fields => "tab.fields",
        }
    }
}

/// The tabs of a subject, in the order they are shown; never empty.
#[must_use]
pub fn tabs(subject: Subject) -> &'static [TabId] {
    match subject {
        Subject::Call(_) => &[TabId::Arguments, TabId::Result, TabId::Changes, TabId::Approvals, TabId::Record],
        Subject::SubCall(_) => &[TabId::Arguments, TabId::Result, TabId::Changes, TabId::Record],
        Subject::Message(_) | Subject::Run(_) => &[TabId::Text, TabId::Stream, TabId::Usage, TabId::Record],
        Subject::Header(_) => &[TabId::Prompt, TabId::Tools, TabId::Change, TabId::Record],
        Subject::Event(_) | Subject::LogHeader => &[TabId::Fields, TabId::Record],
        Subject::Ghost(_) | Subject::Damage(_) => &[TabId::Fields],
    }
}

/// What an event of the timeline is about: a call for its records, the question's call for an approval.
#[must_use]
pub fn subject_of(event: EventRef, session: &Session, calls: &CallRows) -> Subject {
    let row = event.row;
    match calls.of(row) {
        Some(Link::Call(at, _)) => return Subject::Call(at as usize),
        Some(Link::SubCall(at, _)) => return Subject::SubCall(at as usize),
        Some(Link::Stray(_) | Link::Asked(_) | Link::Decided(_) | Link::Run(_) | Link::Done(_)) | None => {}
    }
    let Some(found) = session.index.rows.get(row) else { return Subject::Event(event) };
    if found.flags.has(Flags::BAD) {
        return Subject::Event(event);
    }
    match found.kind {
        Kind::AssistantMessage
        | Kind::AssistantAttempt
        | Kind::UserMessage
        | Kind::SystemMessage
        | Kind::DeveloperMessage
        | Kind::SteeringMessage => Subject::Message(row),
        Kind::RequestHeader => Subject::Header(row),
        _ => Subject::Event(event),
    }
}
