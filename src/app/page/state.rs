//! Header and state as of the selected seq (docs/SCREENS.md section 20).

use super::{Page, PageKind};
use crate::app::model::{Open, Settings};
use crate::app::parted::{Part, PartedLine};
use crate::record::header::{Header, HeaderField};
use crate::session::row::{EventRef, Row, RowIx, Seq};
use crate::text::locale::Words;
use crate::text::role::{Role, Span, columns_of, cut_spans};
use crate::text::sanitize::display;
use crate::text::width::{pad_end, prefixed_id};
use crate::text::wire::WireText;
use crate::triage::doc::{Doc, DocLine, Overflow};
use crate::triage::facts::{LoaderResult, Switch, Switched};

/// Columns of a header key.
const KEY: usize = 17;
/// Columns of a state's name.
const STATE: usize = 12;
/// Columns of a state's value.
const VALUE: usize = 26;

/// Columns of a screen from which the state stands beside the header.
const WIDE: u16 = 110;
/// Percent of the columns that the header takes there.
const LEFT: usize = 46;

/// The page as of an event.
pub(crate) fn state(open: &Open, at: Option<EventRef>, settings: &Settings, width: u16) -> Page {
    let words = &*settings.words;
    let facts = &open.session.facts;
    let row = at.map_or(RowIx(0), |event| event.row);
    let (mut doc, mut states) = (Doc::default(), Doc::default());
    header_lines(open, settings, &mut doc);
    state_lines(open, row, words, &mut states);
    if width >= WIDE {
        beside(&mut doc, states.lines, usize::from(width) * LEFT / 100);
    } else {
        doc.lines.push(DocLine::blank());
        doc.lines.append(&mut states.lines);
    }
    doc.lines.push(DocLine::blank());
    let version = facts.format.version.to_string();
    field(
        &mut doc,
        words.get("page_header.generations"),
        words.say("page_header.this_one_only", &[("version", &version)]),
    );
    field(&mut doc, words.get("page_header.harness"), harness(open, words));
    Page {
        kind: PageKind::State,
        title: title(open, row, words),
        doc,
        cursor: 0,
        top: 0,
        foot_rows: 0,
        strip: None,
        foot: Vec::new(),
        rows: (0, 0),
        needs: Vec::new(),
        elsewhere: Vec::new(),
    }
}

/// Lines at the right of others. Where Enter leads is what the right ones say: the left ones are of the first line.
fn beside(doc: &mut Doc, right: Vec<DocLine>, left: usize) {
    let rows = doc.lines.len().max(right.len());
    doc.lines.resize(rows, DocLine::default());
    for (line, other) in doc.lines.iter_mut().zip(right) {
        let mut spans = cut_spans(std::mem::take(&mut line.spans), left);
        let blanks = (left + 2).saturating_sub(columns_of(&spans));
        spans.push(Span::plain(" ".repeat(blanks)));
        spans.extend(other.spans);
        *line = DocLine { spans, target: other.target, overflow: Overflow::Cut, ..DocLine::default() };
    }
}

fn title(open: &Open, row: RowIx, words: &Words) -> PartedLine {
    let facts = &open.session.facts;
    let seq = open.session.index.rows.get(row).and_then(Row::seq).map_or("-".to_owned(), |Seq(seq)| seq.to_string());
    let turn = facts.turns.iter().rev().find(|turn| turn.start_row <= row && turn.end_row.is_none_or(|end| end >= row));
    let step = facts.steps.iter().rev().find(|step| step.start_row <= row && step.end_row.is_none_or(|end| end >= row));
    let place = match (turn, step) {
        (Some(turn), Some(step)) if step.turn == turn.turn => {
            Some(words.say("status.place_step", &[("turn", &turn.turn.to_string()), ("step", &step.step.to_string())]))
        }
        (Some(turn), _) => Some(words.say("status.place_turn", &[("turn", &turn.turn.to_string())])),
        (None, _) => None,
    };
    let as_of = match &place {
        Some(place) => words.say("page_header.as_of", &[("seq", &seq), ("place", place)]),
        None => words.say("page_header.as_of_plain", &[("seq", &seq)]),
    };
    let id = facts.header.as_ref().and_then(|header| header.id.as_ref());
    let id = id.map(|id| prefixed_id(&display(id.as_bytes()))).unwrap_or_default();
    PartedLine {
        left: vec![Part::fixed(words.get("page_header.title"), Role::Strong), Part::fixed(as_of, Role::Accent).gap(3)],
        right: vec![
            Part::droppable(id, Role::Dim, 9),
            Part::droppable(words.get("page_header.follows"), Role::Dim, 8),
            Part::fixed(words.get("page_header.back"), Role::Dim),
        ],
    }
}

fn field(doc: &mut Doc, name: &str, value: String) {
    let spans = vec![Span::new(format!("  {} ", pad_end(name, KEY)), Role::Dim), Span::plain(value)];
    doc.lines.push(DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() });
}

fn text(value: Option<&WireText>) -> Option<String> {
    value.map(|value| display(value.as_bytes()))
}

/// The value of a field as recorded, with what it means.
fn value(header: &Header, field: HeaderField, settings: &Settings) -> Option<String> {
    let number = |number: Option<i64>| number.map(|number| number.to_string());
    match field {
        HeaderField::Type => Some("session".to_owned()),
        HeaderField::Version => number(header.version),
        HeaderField::Id => text(header.id.as_ref()),
        HeaderField::CreatedAt => header.created_at.map(|at| format!("{}   {at}", settings.zone.date_clock(at))),
        HeaderField::Cwd => text(header.cwd.as_ref()),
        HeaderField::ParentSession => text(header.parent_session.as_ref()),
        HeaderField::SeedLength => number(header.seed_length),
        HeaderField::IsSeeded => header.is_seeded.map(|seeded| seeded.to_string()),
        HeaderField::Origin => text(header.origin.as_ref()),
        HeaderField::DelegationDepth => header.delegation_depth.map(|depth| {
            let words = &settings.words;
            let parent = text(header.parent_session.as_ref());
            let sense = match (depth, parent) {
                (0, _) => words.get("header.top_level").to_owned(),
                (_, Some(parent)) => words.say("header.child_of", &[("id", &prefixed_id(&parent))]),
                (_, None) => words.get("header.child_of_unknown").to_owned(),
            };
            format!("{depth}   {sense}")
        }),
        HeaderField::AgentPreset => text(header.agent_preset.as_ref()),
    }
}

fn header_lines(open: &Open, settings: &Settings, doc: &mut Doc) {
    let words = &*settings.words;
    let facts = &open.session.facts;
    let Some(header) = &facts.header else {
        doc.lines.push(DocLine::of(words.get("header.no_header"), Role::Bad));
        return;
    };
    let shown = |kind: HeaderField| value(header, kind, settings);
    let recorded = HeaderField::ALL.iter().filter(|kind| shown(**kind).is_some()).count() + header.unknown_keys.len();
    let fields = words.count("count.fields", recorded as u64);
    let unknown = match header.unknown_keys.len() {
        0 => words.get("page_header.none_unknown").to_owned(),
        n => words.count("page_header.unknown_fields", n as u64),
    };
    let line = words.say("page_header.header_line", &[("line", "1"), ("fields", &fields)]);
    doc.lines.push(DocLine::of(format!("{line}, {unknown}"), Role::Dim));
    for kind in HeaderField::ALL {
        // Fields of versions that this one is not are left out unless they are there.
        let optional = matches!(kind, HeaderField::SeedLength | HeaderField::IsSeeded);
        match shown(kind) {
            Some(value) => field(doc, kind.name(), value),
            None if optional => {}
            None => field(doc, kind.name(), words.get("missing.words").to_owned()),
        }
        if kind == HeaderField::Version {
            file_name_line(open, header, words, doc);
        }
    }
    for key in &header.unknown_keys {
        let name = display(key.as_bytes());
        let spans = vec![
            Span::new(format!("! {} ", pad_end(&name, KEY)), Role::Warn),
            Span::plain(words.get("page_header.unknown_field")),
        ];
        doc.lines.push(DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() });
    }
    for problem in &facts.header_problems {
        doc.lines.push(DocLine::of(format!("✗ {}", display(problem.as_bytes())), Role::Bad));
    }
}

/// Whether the version in the name of the file is that of the header; nothing for a name without one.
fn file_name_line(open: &Open, header: &Header, words: &Words, doc: &mut Doc) {
    let Some(name_version) = open.session.facts.format.file_name_version else { return };
    let (text, role) = if Some(name_version) == header.version {
        (words.get("page_header.file_name_agrees").to_owned(), Role::Dim)
    } else {
        let version = name_version.to_string();
        (words.say("page_header.file_name_differs", &[("version", &version)]), Role::Warn)
    };
    match doc.lines.last_mut() {
        Some(line) => line.spans.push(Span::new(format!("   {text}"), role)),
        None => doc.lines.push(DocLine::of(text, role)),
    }
}

fn state_lines(open: &Open, row: RowIx, words: &Words, doc: &mut Doc) {
    let heads =
        [("page_header.state_here", STATE + 3 + VALUE), ("page_header.set_by", 10), ("page_header.changes_later", 0)];
    let head: String = heads.iter().map(|(key, width)| pad_end(words.get(key), *width) + " ").collect();
    doc.lines.push(DocLine::of(head.trim_end(), Role::Dim));
    let states = [
        (Switched::Sandbox, "page_header.sandbox"),
        (Switched::Policy, "page_header.approval"),
        (Switched::Preset, "page_header.preset"),
        (Switched::AgentPreset, "page_header.agent_preset"),
        (Switched::Plan, "page_header.plan"),
        (Switched::Model, "page_header.model"),
        (Switched::Window, "page_header.window"),
        (Switched::Tools, "page_header.tools"),
        (Switched::Todo, "page_header.todo"),
        (Switched::Title, "page_header.title_field"),
    ];
    let switches = &open.session.facts.switches;
    for (what, key) in states {
        let of_this = |switch: &&Switch| switch.what == what;
        let here = switches.iter().rev().filter(of_this).find(|switch| switch.row <= row);
        let later = switches.iter().filter(of_this).find(|switch| switch.row > row);
        doc.lines.push(state_line(words, words.get(key), what, here, later));
    }
}

fn state_line(words: &Words, name: &str, what: Switched, here: Option<&Switch>, later: Option<&Switch>) -> DocLine {
    let shown = |switch: &Switch| {
        let value = display(switch.value.as_bytes());
        match (what, value.parse()) {
            (Switched::Todo, _) => {
                let (done, all) = value.split_once('/').unwrap_or((&*value, "?"));
                words.say("page_header.todo_done", &[("done", done), ("all", all)])
            }
            (Switched::Tools, _) => words.say("page_header.declared", &[("n", &value)]),
            (Switched::Window, Ok(tokens)) => words.number(tokens),
            _ => value,
        }
    };
    let seq = |seq: Option<i64>| seq.map_or("-".to_owned(), |seq| seq.to_string());
    let set_by = here.map_or("-".to_owned(), |switch| words.say("status.seq", &[("seq", &seq(switch.seq))]));
    let next = later.map_or_else(
        || words.get("page_header.never_again").to_owned(),
        |switch| words.say("page_header.at_seq", &[("value", &shown(switch)), ("seq", &seq(switch.seq))]),
    );
    let value = here.map_or_else(|| words.get("missing.never_set").to_owned(), shown);
    let spans = vec![
        Span::new(format!("  {} ", pad_end(name, STATE)), Role::Dim),
        Span::plain(format!("{} ", crate::text::width::fit(&value, VALUE))),
        Span::new(pad_end(&set_by, 11), Role::Accent),
        Span::new(next, if later.is_some() { Role::Warn } else { Role::Dim }),
    ];
    let target = here.map(|switch| EventRef { row: switch.row, member: 0 });
    DocLine { spans, target, overflow: Overflow::Cut, ..DocLine::default() }
}

/// What the harness would do, in words.
pub(super) fn harness(open: &Open, words: &Words) -> String {
    let facts = &open.session.facts;
    match facts.loader.result {
        Some(LoaderResult::Loads) if facts.resume.is_empty() => words.get("pass.harness_nothing").to_owned(),
        Some(LoaderResult::Loads) => words.count("pass.harness_adds", facts.resume.len() as u64),
        Some(LoaderResult::LoadsTornTail) => words.get("pass.harness_torn").to_owned(),
        Some(LoaderResult::LoadsWithoutTail) => {
            let dropped = facts.container.events.saturating_sub(facts.loader.kept_events);
            words.count("pass.harness_drops", dropped)
        }
        Some(LoaderResult::Refuses) => {
            words.say("pass.harness_refuses", &[("why", &display(facts.loader.why.as_bytes()))])
        }
        None => words.get("pass.harness_unknown").to_owned(),
    }
}
