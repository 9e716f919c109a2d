//! The verdict, in the order in which the harness looks: bytes, header, lines, events.

use super::{End, LoaderFold};
use crate::log::sniff::Encoding;
use crate::session::container::Container;
use crate::session::row::RowIx;
use crate::triage::facts::{Loader, LoaderResult};

/// Why of a bad line that the data ends in, as the container spells it.
const UNFINISHED: &str = "no newline at end of data";

/// A refusal: why, and the row it is about.
type Refusal = (String, Option<RowIx>);

pub(super) fn judge(fold: &LoaderFold, end: &End<'_>) -> Loader {
    if !end.format.known || !end.container.complete {
        return Loader { result: None, why: String::new(), kept_events: 0, at: None };
    }
    let refusal = bytes(end)
        .or_else(|| header(end))
        .or_else(|| lines(fold, end))
        .or_else(|| rules(fold, end))
        .or_else(|| repair(fold));
    match refusal {
        Some((why, at)) => Loader { result: Some(LoaderResult::Refuses), why, kept_events: 0, at },
        None => loads(fold, end),
    }
}

/// What the version says against the kept events.
fn rules(fold: &LoaderFold, end: &End<'_>) -> Option<Refusal> {
    let mut objections = fold.objections.clone();
    fold.replay.finish(end.header, &mut objections);
    let objection = objections.first().map(|objection| (objection.why.clone(), Some(objection.at)));
    objection.or_else(|| seeded(fold, end))
}

/// From version 2 the header says whether a fork copied events, and a marker says which.
fn seeded(fold: &LoaderFold, end: &End<'_>) -> Option<Refusal> {
    let says = end.header?.is_seeded?;
    match (says, fold.inherited_mark) {
        (true, None) => Some(("the header says that events were inherited, and no marker ends them".to_owned(), None)),
        (false, Some(at)) => {
            Some(("a marker ends inherited events, and the header says that there are none".to_owned(), Some(at)))
        }
        (true, Some(_)) | (false, None) => None,
    }
}

/// The log is taken: whole, or without its end.
fn loads(fold: &LoaderFold, end: &End<'_>) -> Loader {
    let kept_events = u64::try_from(fold.scan.kept).unwrap_or(0);
    let issue = fold.scan.issue.filter(|issue| !is_torn(end, issue.at));
    let (result, why, at) = match issue {
        Some(issue) => (LoaderResult::LoadsWithoutTail, issue.text(), Some(issue.at)),
        None => match end.container.torn_tail {
            Some(tail) => (LoaderResult::LoadsTornTail, "incomplete tail is cut".to_owned(), Some(tail.first_row)),
            None => (LoaderResult::Loads, String::new(), None),
        },
    };
    Loader { result: Some(result), why, kept_events, at }
}

/// Whether a row was saved from a torn frame.
fn is_torn(end: &End<'_>, at: RowIx) -> bool {
    end.torn_rows_from.is_some_and(|from| at >= from)
}

/// The frames, before anything of them is decoded, and the header frame.
fn bytes(end: &End<'_>) -> Option<Refusal> {
    let container = end.container;
    let refuse = |why: &str| Some((why.to_owned(), None));
    match end.encoding {
        Encoding::Zstd => {
            if !container.skippable_frames.is_empty() {
                return refuse("a skippable frame");
            }
            if !container.foreign_bytes.is_empty() {
                return refuse("bytes that are no frame");
            }
            if container.complete_frames == 0 {
                return refuse("no complete header frame");
            }
            if container.damaged_frames.iter().any(|damage| damage.frame == 0) {
                return refuse(DAMAGED);
            }
            // Of a first frame with other lines than the header, the missing header says more.
            if !container.header_frame_exact && end.header.is_some() {
                return refuse("first frame is not exactly the header line");
            }
        }
        Encoding::Plain => {
            if container.lines == 0 || is_unfinished(container, 1) {
                return refuse("no complete header line");
            }
        }
    }
    container.byte_order_mark.then(|| ("the header line begins with a byte order mark".to_owned(), None))
}

const DAMAGED: &str = "a complete frame fails its checksum or does not decode";

/// Whether the data ends inside a line; counted from 1.
fn is_unfinished(container: &Container, line: u64) -> bool {
    container.bad_lines.last().is_some_and(|bad| bad.line == line && bad.why == UNFINISHED)
        || (container.lines == line && container.torn_tail.is_some_and(|tail| tail.offset == 0))
}

fn header(end: &End<'_>) -> Option<Refusal> {
    let Some(header) = end.header else {
        return Some(("header fields missing or invalid".to_owned(), None));
    };
    if let Some(problem) = header.problems.first() {
        return Some((format!("header fields missing or invalid: {problem}"), None));
    }
    let named = end.format.file_name_version;
    let disagree = named.is_some() && named != header.version;
    disagree.then(|| ("file name and header disagree about the version".to_owned(), None))
}

/// The line scan, frame by frame: a frame that does not decode ends it where it lies.
fn lines(fold: &LoaderFold, end: &End<'_>) -> Option<Refusal> {
    let damaged = end.container.damaged_frames.first();
    let scanned = scan(fold, end);
    match (damaged, scanned) {
        (Some(damage), Some((why, Some(at)))) if at < damage.next_row => Some((why, Some(at))),
        (Some(damage), _) => Some((DAMAGED.to_owned(), Some(damage.next_row))),
        (None, scanned) => scanned,
    }
}

/// What the scan alone refuses.
fn scan(fold: &LoaderFold, end: &End<'_>) -> Option<Refusal> {
    let scan = &fold.scan;
    if let Some(issue) = scan.issue {
        let inside_frames = end.encoding == Encoding::Zstd && !is_torn(end, issue.at);
        if inside_frames || scan.closed.is_some() {
            return Some((issue.text(), Some(issue.at)));
        }
    }
    let last = end.container.bad_lines.last().filter(|bad| bad.why == UNFINISHED);
    match (end.encoding, last) {
        (Encoding::Zstd, Some(bad)) => Some(("the last complete frame ends inside a line".to_owned(), Some(bad.row))),
        _ => None,
    }
}

/// The closing records themselves must be ones that the harness takes.
fn repair(fold: &LoaderFold) -> Option<Refusal> {
    fold.resume
        .waits_for_nameless()
        .then(|| ("a call without an id is open: its closing record would name no call".to_owned(), None))
}
