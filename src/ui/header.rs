//! Rows 1 and 2: what this log is (cwd, preset, depth, format), and whether it is whole (sequence, size, harness).

use crate::app::area::Size;
use crate::app::follow::{Follow, Following};
use crate::app::message::Progress;
use crate::app::model::{Model, Pane};
use crate::app::parted::{Part, PartedLine};
use crate::log::sniff::Encoding;
use crate::record::header::{Header, HeaderField, HeaderProblem};
use crate::text::locale::Words;
use crate::text::number::{percent, range, size};
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::text::width::{columns, prefixed_id, short_id, short_path};
use crate::triage::facts::{Facts, FormatSource, LoaderResult, StopCause, Stopped, Turn};
use crate::triage::session::{Extent, Session};

use super::Look;

/// Columns that a path keeps before anything else of the row gives way.
const LEAST_PATH: usize = 18;

/// The rows, as many as the screen has room for.
pub(crate) fn lines(model: &Model, look: &Look) -> Vec<PartedLine> {
    let Some(open) = &model.open else {
        return vec![loading(model.progress, &look.words)];
    };
    if let (Size::Normal | Size::Wide, Some(lines)) = (model.areas.size, super::family::header(model, look)) {
        return lines;
    }
    let teller = Teller { session: &open.session, facts: &open.session.facts, look };
    let mut lines = match model.areas.size {
        Size::TooSmall | Size::Tiny => Vec::new(),
        Size::Small => vec![teller.small()],
        Size::Normal | Size::Wide => vec![teller.identity(model.areas.size), teller.wholeness(model)],
    };
    // The header has no title row: its name stands in it while it has the focus.
    if let Some(first) = lines.first_mut().filter(|_| model.focus == Pane::Header) {
        let name = format!("[{}]", look.words.get("pane.header"));
        first.left.insert(0, Part::fixed(name, Role::Accent));
    }
    lines
}

fn loading(progress: Option<Progress>, words: &Words) -> PartedLine {
    let mut line = PartedLine::default();
    line.left.push(Part::fixed(words.get("detail.loading"), Role::Dim));
    if let Some(progress) = progress.filter(|progress| progress.total > 0) {
        line.right.push(Part::fixed(percent(progress.done.min(progress.total), progress.total), Role::Accent));
    }
    line
}

/// Whether the sequence is whole, in two words: for the smallest screens.
pub(crate) fn whole(model: &Model, words: &Words) -> Option<Part> {
    let facts = &model.open.as_ref()?.session.facts;
    let (key, role) = if facts.sequence.is_whole() { ("small.whole", Role::Ok) } else { ("small.broken", Role::Bad) };
    Some(Part::fixed(words.get(key), role))
}

struct Teller<'a> {
    session: &'a Session,
    facts: &'a Facts,
    look: &'a Look,
}

impl Teller<'_> {
    fn words(&self) -> &Words {
        &self.look.words
    }

    fn header(&self) -> Option<&Header> {
        self.facts.header.as_ref()
    }

    /// `/home/dev/shop-api  preset -  depth 0  format 0 (header)      plain  session-…  2026-11-30 16:27:39`
    fn identity(&self, size: Size) -> PartedLine {
        let mut line = PartedLine { left: vec![self.cwd(10)], right: Vec::new() };
        if self.header().is_some() {
            line.left.push(self.preset());
            line.left.push(self.depth_of_parent());
        } else {
            line.left.push(Part::fixed(self.words().get("header.no_header"), Role::Bad));
        }
        line.left.push(self.format());
        if size == Size::Wide {
            line.right.push(self.encoding());
        } else {
            line.left.push(self.encoding().gap(1));
        }
        line.right.extend(self.id());
        line.right.extend(self.created());
        line
    }

    /// `/home/dev/shop-api               v0 d0`
    fn small(&self) -> PartedLine {
        let words = self.words();
        let version = self.facts.format.version.to_string();
        let format = words.say("header.format_short", &[("version", &version)]);
        let mut right = vec![if self.facts.format.known {
            Part::fixed(format, Role::Normal)
        } else {
            Part::fixed(words.say("header.format_unknown", &[("version", &version)]), Role::Warn)
        }];
        match self.header().map(|header| header.delegation_depth) {
            Some(Some(depth)) => {
                let text = words.say("header.depth_short", &[("depth", &depth.to_string())]);
                right.push(Part::fixed(text, Role::Normal).gap(1));
            }
            Some(None) => right.push(self.depth().gap(1)),
            None => right.push(Part::fixed(words.get("header.no_header"), Role::Bad).gap(1)),
        }
        PartedLine { left: vec![self.cwd(10)], right }
    }

    fn cwd(&self, weight: u8) -> Part {
        match self.header().and_then(|header| header.cwd.as_ref()) {
            Some(cwd) => path_part(&display(cwd.as_bytes()), weight),
            None => Part::droppable(self.words().get("header.no_cwd"), Role::Dim, weight),
        }
    }

    fn preset(&self) -> Part {
        let preset = self.header().and_then(|header| header.agent_preset.as_ref());
        let shown =
            preset.map_or_else(|| self.words().get("missing.column").to_owned(), |name| display(name.as_bytes()));
        let text = self.words().say("header.preset", &[("preset", &shown)]);
        // A name as long as a line says less than what stands beside it.
        Part::shrinking(&[text.clone(), crate::text::width::cut_end(&text, 24)], Role::Normal, 6)
    }

    fn depth(&self) -> Part {
        let words = self.words();
        if let Some(depth) = self.header().and_then(|header| header.delegation_depth) {
            let text = words.say("header.depth", &[("depth", &depth.to_string())]);
            return Part::fixed(text, Role::Normal);
        }
        let invalid = HeaderProblem::Invalid(HeaderField::DelegationDepth);
        let said = self.header().is_some_and(|header| header.problems.contains(&invalid));
        let key = if said { "header.depth_invalid" } else { "header.depth_missing" };
        Part::fixed(words.get(key), Role::Bad)
    }

    /// The depth; of a delegated child with its parent, in fewer words where there is less room.
    fn depth_of_parent(&self) -> Part {
        let header = self.header();
        let depth = header.and_then(|header| header.delegation_depth).filter(|depth| *depth > 0);
        let parent = header.and_then(|header| header.parent_session.as_ref());
        let (Some(depth), Some(parent)) = (depth, parent) else { return self.depth() };
        let (depth, parent) = (depth.to_string(), display(parent.as_bytes()));
        let forms = [
            ("header.depth_child", short_id(&parent)),
            ("header.depth_child_short", short_id(&parent)),
            ("header.depth", String::new()),
        ];
        let forms = forms.map(|(key, parent)| self.words().say(key, &[("depth", &depth), ("parent", &parent)]));
        Part::shrinking(&forms, Role::Normal, 5)
    }

    fn format(&self) -> Part {
        let words = self.words();
        let version = self.facts.format.version.to_string();
        if !self.facts.format.known {
            return Part::fixed(words.say("header.format_unknown", &[("version", &version)]), Role::Warn);
        }
        let source = words.get(match self.facts.format.source {
            FormatSource::Header => "header.from_header",
            FormatSource::FileName => "header.from_file_name",
            FormatSource::Guessed => "header.guessed",
        });
        let long = words.say("header.format", &[("version", &version), ("source", source)]);
        let short = words.say("header.format_short", &[("version", &version)]);
        Part::shrinking(&[long, short], Role::Normal, 8)
    }

    fn encoding(&self) -> Part {
        let key = match self.facts.container.encoding {
            Encoding::Zstd => "header.zstd",
            Encoding::Plain => "header.plain",
        };
        Part::droppable(self.words().get(key), Role::Normal, 3)
    }

    fn id(&self) -> Option<Part> {
        let id = display(self.header()?.id.as_ref()?.as_bytes());
        let forms = [id.clone(), prefixed_id(&id), short_id(&id)];
        Some(Part::shrinking(&forms, Role::Dim, 9))
    }

    fn created(&self) -> Option<Part> {
        let at = self.header()?.created_at?;
        let zone = &self.look.zone;
        let forms = [zone.date_time(at), zone.short_date_time(at), String::new()];
        Some(Part::shrinking(&forms, Role::Dim, 7))
    }

    /// `seq 0-88 whole  89 events in 44 lines  turn 1 open  stopped: open call, seq 88      harness: loads; …`
    fn wholeness(&self, model: &Model) -> PartedLine {
        let mut line = PartedLine { left: vec![self.sequence()], right: Vec::new() };
        line.left.extend(self.damage(model.follow.growing().is_some()));
        line.left.push(self.amount());
        line.left.extend(self.turns());
        if model.follow.growing().is_none() && self.facts.format.known {
            line.left.extend(self.stopped());
        }
        let reading = model.progress.filter(|progress| progress.total > 0);
        match reading {
            _ if self.session.extent == Extent::Tail && !model.reading => {
                line.right.push(Part::fixed(self.words().get("sequence.indexing_stopped"), Role::Warn));
            }
            None if self.session.extent == Extent::Tail => {
                let text = self.words().say("sequence.indexing", &[("percent", "0%")]);
                line.right.push(Part::fixed(text, Role::Accent));
            }
            None if model.follow.is_on() => line.right.extend(self.follow(&model.follow)),
            Some(progress) => {
                let done = percent(progress.done.min(progress.total), progress.total);
                line.right
                    .push(Part::fixed(self.words().say("sequence.indexing", &[("percent", &done)]), Role::Accent));
            }
            None => line.right.extend(self.harness()),
        }
        line
    }

    fn sequence(&self) -> Part {
        let words = self.words();
        let sequence = &self.facts.sequence;
        if !self.facts.format.known {
            let version = self.facts.format.version.to_string();
            return Part::fixed(words.say("sequence.raw_lines", &[("version", &version)]), Role::Warn);
        }
        let (Some(first), Some(last)) = (sequence.first, sequence.last) else {
            return Part::fixed(words.get("sequence.no_events"), Role::Normal);
        };
        if self.session.extent == Extent::Tail {
            return Part::fixed(words.say("sequence.unread", &[("last", &last.to_string())]), Role::Normal);
        }
        let range = if first < 0 { format!("{first} - {last}") } else { range(first as u64, last.max(first) as u64) };
        if sequence.is_whole() {
            let loads = matches!(self.facts.loader.result, Some(LoaderResult::Loads));
            let role = if loads { Role::Ok } else { Role::Normal };
            Part::fixed(words.say("sequence.whole", &[("range", &range)]), role)
        } else {
            Part::fixed(words.say("sequence.broken", &[("range", &range)]), Role::Bad)
        }
    }

    /// What is damaged, each sort once; nothing for a file without damage.
    fn damage(&self, growing: bool) -> Vec<Part> {
        let words = self.words();
        let found = &self.facts.container;
        let mut parts = Vec::new();
        let mut count = |key: &str, n: usize| {
            if n > 0 {
                parts.push(Part::droppable(words.count(key, n as u64), Role::Bad, 2));
            }
        };
        count("count.breaks", self.facts.sequence.breaks.len());
        count("count.damaged_frames", found.damaged_frames.len());
        count("count.foreign", found.foreign_bytes.len());
        count("count.bad_lines", found.bad_lines.len());
        if found.torn_tail.is_some() && !growing {
            parts.push(Part::droppable(words.get("sequence.torn_tail"), Role::Warn, 2));
        }
        if self.session.extent == Extent::Tail {
            parts.push(Part::droppable(words.get("sequence.tail_whole"), Role::Dim, 4));
        }
        parts
    }

    fn amount(&self) -> Part {
        let words = self.words();
        let found = &self.facts.container;
        let frames = words.count("count.frames", found.complete_frames);
        if self.session.extent == Extent::Tail {
            let bytes = size(found.file_bytes);
            let text = match found.encoding {
                // Those of the tail are not those of the file.
                Encoding::Zstd => format!("{}, {bytes}", words.get("sequence.frames_unread")),
                Encoding::Plain => bytes,
            };
            return Part::droppable(text, Role::Normal, 3);
        }
        if self.session.index.rows.is_empty() {
            return self.bare_amount(&frames);
        }
        let events = words.count("count.events", found.events);
        // Rows are the lines after the header, those saved from a torn frame included.
        let lines = words.count("count.lines", self.session.index.rows.len() as u64);
        if !self.facts.format.known {
            return Part::droppable(format!("{lines}, {frames}"), Role::Normal, 3);
        }
        let lines_events = [("events", events.as_str()), ("lines", lines.as_str()), ("frames", frames.as_str())];
        let medium = words.say("sequence.events_in_lines", &lines_events);
        let mut forms = vec![medium, events.clone()];
        if found.encoding == Encoding::Zstd {
            forms.insert(0, words.say("sequence.events_in_lines_frames", &lines_events));
        }
        Part::shrinking(&forms, Role::Normal, 8)
    }

    /// Of a log without events: `1 line, 1 frame, 122 bytes, no damage`.
    fn bare_amount(&self, frames: &str) -> Part {
        let words = self.words();
        let found = &self.facts.container;
        let mut parts = vec![words.count("count.lines", found.lines)];
        if found.encoding == Encoding::Zstd {
            parts.push(frames.to_owned());
        }
        parts.push(words.count("count.bytes", found.file_bytes));
        if self.damage(false).is_empty() {
            parts.push(words.get("sequence.no_damage").to_owned());
        }
        Part::droppable(parts.join(", "), Role::Normal, 8)
    }

    fn turns(&self) -> Option<Part> {
        let words = self.words();
        let last: &Turn = self.facts.turns.last().filter(|_| self.facts.format.known)?;
        let turn = last.turn.to_string();
        let count = self.facts.turns.len() as u64;
        let part = match &last.end {
            None => Part::droppable(words.say("sequence.turn_open", &[("turn", &turn)]), Role::Warn, 5),
            Some(end) if *end == "completed" && count > 1 && self.session.extent == Extent::Whole => {
                Part::droppable(words.count("count.turns", count), Role::Normal, 5)
            }
            Some(end) => {
                let state = crate::text::width::cut_end(&display(end.as_bytes()), 24);
                Part::droppable(
                    words.say("sequence.turn_state", &[("turn", &turn), ("state", &state)]),
                    Role::Normal,
                    5,
                )
            }
        };
        Some(part)
    }

    /// Whether the view follows the file, and how much came below it.
    fn follow(&self, follow: &Follow) -> Vec<Part> {
        let words = self.words();
        let key = if follow.state == Following::Paused { "follow.paused" } else { "follow.on" };
        let mut parts = vec![Part::fixed(words.get(key), Role::Accent)];
        parts.extend(
            follow.below.map(|below| Part::fixed(words.count("follow.events_below", below.events), Role::Accent)),
        );
        parts
    }

    /// Why it stopped, where the end of the turn does not say it.
    fn stopped(&self) -> Option<Part> {
        let words = self.words();
        let stopped: &Stopped = &self.facts.stopped;
        let key = match stopped.cause {
            StopCause::OpenApproval => "stopped.open_approval",
            StopCause::OpenCall => "stopped.open_call",
            StopCause::OpenSubCall => "stopped.open_sub_call",
            StopCause::OpenCommand => "stopped.open_command",
            StopCause::WaitingForRetry => "stopped.waiting_for_retry",
            StopCause::NoAnswer => "stopped.no_answer_from_the_model",
            StopCause::BetweenSteps => "stopped.between_steps",
            StopCause::TurnEnded | StopCause::NothingYet => return None,
        };
        let cause = words.get(key);
        let text = match stopped.seq {
            Some(seq) => words.say("stopped.label", &[("cause", cause), ("seq", &seq.to_string())]),
            None => words.say("stopped.label_without_seq", &[("cause", cause)]),
        };
        Some(Part::droppable(text, Role::Normal, 10))
    }

    /// What the harness would do; what a resume would add stands before it where the sentence does not say it.
    fn harness(&self) -> Vec<Part> {
        let words = self.words();
        let loader = &self.facts.loader;
        let adds = self.facts.resume.len() as u64;
        let ghosts = Part::droppable(words.count("count.ghost_rows", adds), Role::Dim, 9);
        let ghosts = (adds > 0).then_some(ghosts);
        let said = match loader.result {
            None => {
                return vec![Part::droppable(words.get("harness.not_judged"), Role::Dim, 1)];
            }
            Some(LoaderResult::Refuses) => {
                let kept = words.number(loader.kept_events);
                return vec![Part::fixed(words.say("harness.refuses", &[("kept", &kept)]), Role::Bad)];
            }
            Some(LoaderResult::Loads) if adds == 0 => {
                let forms = ["harness.nothing_to_add", "harness.loads"].map(|key| words.get(key).to_owned());
                return vec![Part::shrinking(&forms, Role::Ok, 7)];
            }
            Some(LoaderResult::Loads) => {
                let forms = [words.count("harness.adds", adds), words.count("harness.adds_short", adds)];
                return vec![Part::shrinking(&forms, Role::Ok, 9)];
            }
            Some(LoaderResult::LoadsTornTail) => words.get("harness.torn_tail").to_owned(),
            Some(LoaderResult::LoadsWithoutTail) => {
                let dropped = self.facts.container.events.saturating_sub(loader.kept_events);
                words.count("harness.without_tail", dropped)
            }
        };
        ghosts.into_iter().chain([Part::fixed(said, Role::Warn)]).collect()
    }
}

/// A path that gives way column by column, down to [`LEAST_PATH`].
fn path_part(path: &str, weight: u8) -> Part {
    let mut forms = vec![path.to_owned()];
    let mut room = columns(path);
    while room > LEAST_PATH {
        // Steps that grow with the length keep the list short for a path of a thousand columns.
        room = room.saturating_sub(1 + room / 16).max(LEAST_PATH);
        let form = short_path(path, room);
        if forms.last() != Some(&form) {
            forms.push(form);
        }
    }
    Part::shrinking(&forms, Role::Strong, weight)
}
