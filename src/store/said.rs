//! The words for what stands in a store, the same on the screen and in the report for people.

use super::brief::{Brief, OpenCall};
use super::census::Oddity;
use super::head::NoHeader;
use super::other::{OtherKind, file_name};
use super::stored::{Problem, RootKind, SessionIx, Store, WhyEmpty};
use crate::text::locale::Words;
use crate::text::number::size;
use crate::text::sanitize::{display, one_line};
use crate::text::wire::WireText;
use crate::triage::facts::{CallState, StopCause};
use crate::triage::pass::said::{number, shown, shown_or};

/// Most columns of a path or a reason.
const MOST: usize = 1_000;

/// Places of the same id that are named.
const MOST_PLACES: usize = 3;

/// What a root is.
#[must_use]
pub fn root_kind(kind: RootKind, words: &Words) -> &str {
    words.get(match kind {
        RootKind::Sessions => "store.sessions_root",
        RootKind::Project => "store.project_root",
        RootKind::Session => "store.session_root",
        RootKind::Export => "store.export_root",
    })
}

/// What a session is called: its label or title, else why it has none.
#[must_use]
pub fn title(brief: &Brief, words: &Words) -> String {
    let key = match &brief.head {
        Err(NoHeader::Empty) => "store.empty_file",
        Err(NoHeader::NotAHeader | NoHeader::Lost) => "store.no_header",
        Err(NoHeader::NotALog(_)) => "store.not_a_log",
        Err(NoHeader::Unreadable(_)) => "store.unreadable",
        Ok(_) => "store.no_title",
    };
    brief.title_or_label().map_or_else(|| words.get(key).to_owned(), shown)
}

/// Why a session stopped, in a few words, as far as it is known: `completed; 3 calls failed`. Empty where nothing is.
#[must_use]
pub fn ending(brief: &Brief, words: &Words) -> String {
    match &brief.head {
        Err(NoHeader::Unreadable(why)) => return one_line(why.as_bytes(), MOST),
        Err(NoHeader::Empty | NoHeader::NotALog(_)) => return size(brief.size),
        Err(NoHeader::NotAHeader | NoHeader::Lost) | Ok(_) => {}
    }
    let Some(told) = &brief.told else { return String::new() };
    let ended = &told.ended;
    let (name, id) = (shown_or(ended.name.as_ref(), ""), shown_or(ended.id.as_ref(), ""));
    let turn = number(ended.turn);
    let values = [("name", &*name), ("id", &*id), ("turn", &*turn)];
    let said = match ended.cause {
        StopCause::OpenApproval => words.say("store.open_approval", &values),
        StopCause::OpenCall => return told.last_unpaired.as_ref().map_or(String::new(), |call| open(call, words)),
        StopCause::OpenSubCall => words.say("store.open_sub_call", &values),
        StopCause::OpenCommand => words.say("store.open_command", &values),
        StopCause::WaitingForRetry => words.get("store.waiting_for_retry").to_owned(),
        StopCause::NoAnswer => words.get("store.no_answer").to_owned(),
        StopCause::BetweenSteps => words.say("store.between_steps", &values),
        StopCause::NothingYet => words.get("store.nothing_yet").to_owned(),
        StopCause::TurnEnded => turn_ended(brief, words),
    };
    let older = told.last_unpaired.as_ref().filter(|_| !is_open(ended.cause)).map(|call| {
        let values = [("name", &*shown(&call.name)), ("id", &*shown(&call.call_id))];
        words.say("store.older_open", &values)
    });
    std::iter::once(said).chain(older).collect::<Vec<_>>().join("; ")
}

fn is_open(cause: StopCause) -> bool {
    match cause {
        // The call around an open sub-call is the one that is open.
        StopCause::OpenApproval | StopCause::OpenCall | StopCause::OpenSubCall => true,
        StopCause::OpenCommand
        | StopCause::WaitingForRetry
        | StopCause::NoAnswer
        | StopCause::BetweenSteps
        | StopCause::TurnEnded
        | StopCause::NothingYet => false,
    }
}

/// A call without a result: `OUTCOME UNKNOWN bash call_1`.
#[must_use]
pub fn open(call: &OpenCall, words: &Words) -> String {
    let key = match call.state {
        CallState::NotStarted => "store.open_not_started",
        CallState::OutcomeUnknown | CallState::Completed | CallState::Failed => "store.open_call",
    };
    words.say(key, &[("name", &shown(&call.name)), ("id", &shown(&call.call_id))])
}

fn turn_ended(brief: &Brief, words: &Words) -> String {
    let Some(told) = &brief.told else { return String::new() };
    let ended = &told.ended;
    let kind = shown_or(ended.kind.as_ref(), words.get("state.open"));
    let status = ended.status.map(|status| format!(" {status}")).unwrap_or_default();
    let mut parts = vec![match &ended.code {
        Some(code) => {
            let code = format!("{}{status}", shown(code));
            words.say("store.turn_error", &[("turn", &number(ended.turn)), ("code", &code)])
        }
        None => kind,
    }];
    if let Some(whole) = &brief.whole {
        if whole.failed > 0 && ended.code.is_none() {
            parts.push(words.count("store.calls_failed", whole.failed));
        }
        for (key, n) in [
            ("store.unknown_recorded", whole.recorded_unknown),
            ("store.not_started_recorded", whole.recorded_not_started),
        ] {
            if n > 0 {
                parts.push(words.say(key, &[("n", &words.number(n))]));
            }
        }
    }
    let first = parts.remove(0);
    if parts.is_empty() { first } else { format!("{first}; {}", parts.join(", ")) }
}

/// What is odd about a session, in two or three words.
#[must_use]
pub fn badge<'w>(oddity: &Oddity, words: &'w Words) -> &'w str {
    words.get(match oddity {
        Oddity::SameIdTwice(_) => "store.same_id",
        Oddity::TwoEncodings => "store.two_encodings",
        Oddity::FolderDiffers { .. } => "store.folder_differs",
        Oddity::NameDiffers { .. } => "store.name_differs",
        Oddity::VersionDiffers { .. } => "store.version_differs",
        Oddity::ParentMissing(_) => "store.parent_missing",
        Oddity::ParentLoop => "store.parent_loop",
        Oddity::OlderBeside(_) => "store.older_beside",
        Oddity::Refused { .. } => "store.refused",
    })
}

/// What is odd about a session, and what the harness does about it, in a line.
#[must_use]
pub fn oddity(oddity: &Oddity, store: &Store, at: SessionIx, brief: Option<&Brief>, words: &Words) -> String {
    let session = &store[at];
    let header = brief.and_then(Brief::header);
    let not_recorded = words.get("missing.words");
    let text = |text: Option<&WireText>| shown_or(text, not_recorded);
    match oddity {
        Oddity::SameIdTwice(others) => {
            let project = |other: &SessionIx| shown(&store.project_of(&store[*other]).name);
            let mut places: Vec<String> = others.iter().map(project).collect();
            places.dedup();
            if places.len() > MOST_PLACES {
                let more = words.count("report_text.more", (places.len() - MOST_PLACES) as u64);
                places.truncate(MOST_PLACES);
                places.push(more);
            }
            words.say("store.same_id_line", &[("places", &places.join(", "))])
        }
        Oddity::TwoEncodings => words.get("store.two_encodings_line").to_owned(),
        Oddity::FolderDiffers { expected } => {
            let (folder, cwd) = (shown(&store.project_of(session).name), text(header.and_then(|h| h.cwd.as_ref())));
            let values = [("folder", &*folder), ("cwd", &*cwd), ("expected", expected.as_str())];
            words.say("store.folder_differs_line", &values)
        }
        Oddity::NameDiffers { expected } => {
            let (folder, id) = (display(session.folder_name()), text(header.and_then(|h| h.id.as_ref())));
            // An id with escapes in its folder may look the same as a folder without.
            let id = if id == *expected { id } else { format!("{id} ({expected})") };
            words.say("store.name_differs_line", &[("folder", &folder), ("id", &id)])
        }
        Oddity::VersionDiffers { name, header } => {
            let values = [("name", &*name.to_string()), ("header", &*header.to_string())];
            words.say("store.version_differs_line", &values)
        }
        Oddity::ParentMissing(id) => words.say("store.parent_missing_line", &[("id", &shown(id))]),
        Oddity::ParentLoop => words.get("store.parent_loop_line").to_owned(),
        Oddity::Refused { why } => words.say("store.refused_line", &[("why", &one_line(why.as_bytes(), MOST))]),
        Oddity::OlderBeside(version) => words.say("store.older_beside_line", &[("version", &version.to_string())]),
    }
}

/// What a file is that is no log of the store.
#[must_use]
pub fn other_kind(kind: OtherKind, words: &Words) -> &str {
    words.get(match kind {
        OtherKind::Lock => "store.lock",
        OtherKind::WriterTemporary => "store.writer_temporary",
        OtherKind::MigrationTemporary => "store.migration_temporary",
        OtherKind::Backup => "store.backup",
        OtherKind::FlatLog => "store.flat_log",
        OtherKind::StrayLog => "store.stray_log",
        OtherKind::OddLogName => "store.odd_log_name",
        OtherKind::Sqlite => "store.sqlite",
        OtherKind::Zip => "store.zip",
        OtherKind::Attachment => "store.attachment",
        OtherKind::Special => "store.special",
        OtherKind::Unknown => "store.unknown",
    })
}

/// Why something could not be looked at.
#[must_use]
pub fn problem(problem: &Problem, words: &Words) -> String {
    let why = |why: &str| one_line(why.as_bytes(), MOST);
    match problem {
        Problem::Unlisted { why: text, .. } => words.say("store.unlisted", &[("why", &why(text))]),
        Problem::SeenAlready { to, .. } => {
            words.say("store.seen_already", &[("to", &display(to.as_os_str().as_encoded_bytes()))])
        }
        Problem::Broken { .. } => words.get("store.broken").to_owned(),
        Problem::NoLog { .. } => words.get("store.no_log").to_owned(),
        Problem::NotLookedAt { .. } => words.get("store.not_looked_at").to_owned(),
        Problem::BadEntry { why: text, .. } => words.say("store.bad_entry", &[("why", &why(text))]),
    }
}

/// Why a store shows no session; `files` are those that are no logs of sessions.
#[must_use]
pub fn why_empty(why: WhyEmpty, files: usize, words: &Words) -> String {
    match why {
        WhyEmpty::Nothing => words.get("store.empty_nothing").to_owned(),
        WhyEmpty::FoldersOnly => words.get("store.empty_folders").to_owned(),
        WhyEmpty::OtherFilesOnly => {
            let files = words.count("count.files", files as u64);
            words.say("store.empty_others", &[("files", &files)])
        }
        WhyEmpty::Unlisted => words.get("store.empty_unlisted").to_owned(),
    }
}

/// A path below the root, without the root, printable.
#[must_use]
pub fn below(store: &Store, path: &std::path::Path) -> String {
    let below = path.strip_prefix(&store.root).unwrap_or(path);
    let below = if below.as_os_str().is_empty() { path } else { below };
    one_line(below.as_os_str().as_encoded_bytes(), MOST)
}

/// The last part of a path, printable.
#[must_use]
pub fn name_of(path: &std::path::Path) -> String {
    one_line(file_name(path), MOST)
}
