//! Breaks of the sequence, damaged frames and the torn tail: what is wrong at a place, and what the harness does.

use super::page::{Detail, Page, at_row};
use crate::log::reader::BlockAddress;
use crate::session::container::{FrameDamage, TornTail};
use crate::session::row::RowIx;
use crate::text::locale::Words;
use crate::text::number::duration;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::columns;
use crate::triage::facts::{Break, BreakCause, LoaderResult};
use crate::triage::session::Session;

/// What is wrong at a place of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The sequence breaks: place in `SequenceFacts::breaks`.
    Break(usize),
    /// A frame is damaged: place in `Container::damaged_frames`.
    Frame(usize),
    /// The end of the file is unfinished.
    TornTail,
}

/// The word of a cause.
pub(crate) fn cause_key(cause: BreakCause) -> &'static str {
    match cause {
        BreakCause::LateResultAfterRecovery => "rule.cause_late_result",
        BreakCause::TwoWriters => "rule.cause_two_writers",
        BreakCause::LostFrames => "rule.cause_lost_frames",
        BreakCause::LostLines => "rule.cause_lost_lines",
        BreakCause::UnreadableLines => "rule.cause_unreadable_lines",
        BreakCause::Unknown => "rule.cause_unknown",
    }
}

/// `BREAK at line 9: expected seq 7, got 6. Seq 6 is in the file twice.`
pub(crate) fn break_text(found: &Break, words: &Words) -> String {
    let (line, expected, got) = (found.line.to_string(), found.expected.to_string(), found.got_text());
    let text = words.say("rule.break", &[("line", &line), ("expected", &expected), ("got", &got)]);
    format!("{text} {}", missing_or_twice(found, words)).trim_end().to_owned()
}

/// `15 events are missing: 4 to 18.`, or `Seq 6 is in the file twice.`
fn missing_or_twice(found: &Break, words: &Words) -> String {
    let expected = found.expected.to_string();
    let Some(number) = found.got else { return String::new() };
    if number > found.expected {
        let missing = number.abs_diff(found.expected);
        let last = number.saturating_sub(1).to_string();
        let gap = words.say("rule.gap", &[("first", &expected), ("last", &last)]);
        let gap = if missing == 1 { expected } else { gap };
        words.count_with("rule.break_missing", missing, &[("range", &gap)])
    } else if found.cause == BreakCause::Unknown {
        String::new()
    } else {
        words.say("rule.break_repeats", &[("seq", &found.got_text())])
    }
}

/// Why the sequence breaks, with the frames that show it.
pub(crate) fn break_cause(session: &Session, found: &Break, words: &Words) -> String {
    let word = words.get(cause_key(found.cause));
    let index = &session.index;
    let here = index.rows.get(found.row);
    let frame = here.and_then(|row| index.frame(row.block));
    let got = found.got_text();
    let damaged = session.facts.container.damaged_frames.iter().rev().find(|frame| frame.next_row == found.row);
    if let (Some(lost), Some(frame)) = (damaged, frame) {
        let values = [("cause", word), ("lost", &lost.frame.to_string()), ("frame", &frame.to_string()), ("got", &got)];
        return words.say("rule.cause_damaged_frame", &values);
    }
    let before = found.row.0.checked_sub(1).and_then(|at| index.rows.get(RowIx(at)));
    let (Some(here), Some(frame), Some(before)) = (here, frame, before) else { return word.to_owned() };
    let (Some(ended), Some(last)) = (index.frame(before.block), before.last_seq()) else { return word.to_owned() };
    if ended == frame {
        return word.to_owned();
    }
    let name = display(index.types.name(before.type_id).as_bytes());
    let later = before.time().zip(here.time()).and_then(|(before, here)| here.0.checked_sub(before.0));
    let key = if Some(last.0) == found.got { "rule.cause_frames_again" } else { "rule.cause_frames" };
    let (ended, last, frame) = (ended.to_string(), last.0.to_string(), frame.to_string());
    let name = name.rsplit('/').next().unwrap_or_default();
    let places = [("ended", ended.as_str()), ("last", &last), ("type", name), ("frame", &frame), ("got", &got)];
    let places = words.say(key, &places);
    match later.filter(|later| *later >= 0) {
        Some(later) => {
            let values = [("cause", word), ("places", &places), ("time", &duration(later))];
            words.say("rule.cause_places_later", &values)
        }
        None => words.say("rule.cause_places", &[("cause", word), ("places", &places)]),
    }
}

/// What the harness does at a break; nothing where it loads the log and does not stop here.
pub(crate) fn break_harness(session: &Session, found: &Break, words: &Words) -> Option<String> {
    let loader = &session.facts.loader;
    let here = loader.at == Some(found.row);
    match loader.result {
        Some(LoaderResult::Refuses) if here => {
            Some(words.say("rule.harness_refuses", &[("why", &display(loader.why.as_bytes()))]))
        }
        Some(LoaderResult::Refuses) => Some(words.get("rule.harness_refuses_short").to_owned()),
        Some(LoaderResult::LoadsWithoutTail) if here => Some(words.get("rule.harness_drops").to_owned()),
        Some(LoaderResult::Loads | LoaderResult::LoadsTornTail | LoaderResult::LoadsWithoutTail) | None => None,
    }
}

/// `DAMAGED FRAME 3 at byte 420, 555 bytes: checksum does not match. Its lines are lost.`
pub(crate) fn frame_text(frame: &FrameDamage, words: &Words) -> String {
    words.say(
        "rule.damaged_frame",
        &[
            ("frame", &frame.frame.to_string()),
            ("offset", &frame.offset.to_string()),
            ("bytes", &words.count("count.bytes", frame.len)),
            ("why", &display(frame.why.as_bytes())),
        ],
    )
}

/// `TORN TAIL at byte 570: 233 bytes of a frame that never ended. 2 whole records saved from it.`
pub(crate) fn torn_text(session: &Session, torn: &TornTail, words: &Words) -> String {
    let key = if session.facts.container.complete_frames > 0 { "rule.torn_tail" } else { "rule.torn_line" };
    words.say(
        key,
        &[
            ("offset", &torn.offset.to_string()),
            ("bytes", &words.count("count.bytes", torn.bytes)),
            ("saved", &words.count("rule.saved_records", torn.complete_lines_inside)),
        ],
    )
}

impl Detail<'_> {
    /// What is wrong, in a sentence.
    pub(super) fn damage(&self, damage: Damage) -> String {
        let facts = &self.session.facts;
        let container = &facts.container;
        let text = match damage {
            Damage::Break(at) => facts.sequence.breaks.get(at).map(|found| break_text(found, self.words)),
            Damage::Frame(at) => container.damaged_frames.get(at).map(|frame| frame_text(frame, self.words)),
            Damage::TornTail => container.torn_tail.as_ref().map(|torn| torn_text(self.session, torn, self.words)),
        };
        text.unwrap_or_default()
    }
}

/// The fields of a damage; its sentence stands on top of the tab.
pub(super) fn fill(page: &mut Page<'_>, damage: Damage) {
    let session = page.detail.session;
    let container = &session.facts.container;
    match damage {
        Damage::Break(at) => {
            if let Some(found) = session.facts.sequence.breaks.get(at) {
                of_break(page, session, found);
            }
        }
        Damage::Frame(at) => {
            if let Some(frame) = container.damaged_frames.get(at) {
                let bytes = page.detail.words.count("count.bytes", frame.len);
                let fields = [
                    ("damage.frame", frame.frame.to_string()),
                    ("damage.offset", frame.offset.to_string()),
                    ("damage.length", bytes),
                    ("damage.why", display(frame.why.as_bytes())),
                ];
                fields_of(page, &fields, Some(frame.next_row));
            }
        }
        Damage::TornTail => {
            if let Some(torn) = &container.torn_tail {
                let words = page.detail.words;
                let fields = [
                    ("damage.offset", torn.offset.to_string()),
                    ("damage.length", words.count("count.bytes", torn.bytes)),
                    ("damage.saved", words.count("rule.saved_records", torn.complete_lines_inside)),
                    ("damage.left_over", words.count("count.bytes", torn.leftover_bytes)),
                ];
                fields_of(page, &fields, (torn.complete_lines_inside > 0).then_some(torn.first_row));
            }
        }
    }
}

fn of_break(page: &mut Page<'_>, session: &Session, found: &Break) {
    let index = &session.index;
    let mut fields = vec![("damage.line", found.line.to_string())];
    if let Some(row) = index.rows.get(found.row) {
        if let Some(frame) = index.frame(row.block) {
            fields.push(("damage.frame", frame.to_string()));
        }
        let offset = match index.blocks.get(row.block.0 as usize) {
            Some(BlockAddress::Plain { offset, .. }) => Some(offset + u64::from(row.at)),
            Some(BlockAddress::Frame { offset, .. } | BlockAddress::Torn { offset, .. }) => Some(*offset),
            Some(BlockAddress::Kept(_)) | None => None,
        };
        fields.extend(offset.map(|offset| ("damage.offset", offset.to_string())));
    }
    fields.push(("damage.expected", found.expected.to_string()));
    fields.push(("damage.got", found.got_text()));
    fields.push(("damage.seqs", missing_or_twice(found, page.detail.words)));
    fields.push(("damage.cause", break_cause(session, found, page.detail.words)));
    fields_of(page, &fields, Some(found.row));
    if let Some(harness) = break_harness(session, found, page.detail.words) {
        page.blank();
        page.line(harness, Role::Dim);
    }
}

/// Names and values in columns; Enter on one goes to the row.
fn fields_of(page: &mut Page<'_>, fields: &[(&str, String)], row: Option<RowIx>) {
    let names: Vec<String> = fields.iter().map(|(key, _)| page.say(key, &[])).collect();
    let width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    for (name, (_, value)) in names.iter().zip(fields) {
        page.field(name, width, vec![Span::plain(value.clone())], at_row(row));
    }
}
