//! The copy menu, and what each of its lines puts on the clipboard.

use super::{detail, finding, jump, lists};
use crate::app::action::{Action, Copyable};
use crate::app::detail::Awaited;
use crate::app::effect::{Effect, Program, TextKind};
use crate::app::key::KeyCode;
use crate::app::keymap::{Context, Keys};
use crate::app::model::Model;
use crate::app::overlay::{CopyLine, CopyMenu, ListState, Overlay};
use crate::app::page::{Addable, Given, PageKind, Switches, called};
use crate::text::number::size;
use crate::text::role::Role;
use crate::text::sanitize::{display, one_line};
use crate::triage::pass::citation::{self, Cited};

/// Everything, in the order of the menu.
const ALL: [Copyable; 8] = [
    Copyable::Value,
    Copyable::Record,
    Copyable::CallId,
    Copyable::Citation,
    Copyable::Place,
    Copyable::Path,
    Copyable::SessionId,
    Copyable::Evidence,
];

/// Columns of a preview.
const PREVIEW: usize = 200;

/// Key of a name in the language file.
fn name(what: Copyable) -> &'static str {
    match what {
        Copyable::Value => "copy.value",
        Copyable::Record => "copy.record",
        Copyable::CallId => "copy.call_id",
        Copyable::Citation => "copy.citation",
        Copyable::Place => "copy.place",
        Copyable::Path => "copy.path",
        Copyable::SessionId => "copy.session_id",
        Copyable::Evidence => "copy.evidence",
    }
}

/// Opens the menu for what the cursor is on.
pub(super) fn open(model: &mut Model) {
    if model.open.is_none() {
        return;
    }
    let lines: Vec<CopyLine> = ALL.into_iter().filter_map(|what| line(model, what)).collect();
    if lines.is_empty() {
        return model.say(Role::Normal, "message.nothing_to_copy", &[]);
    }
    model.overlay = Some(Overlay::Copy(CopyMenu { about: about(model), lines, list: ListState::default() }));
}

/// `tool/call seq 88, call_0321_0`
fn about(model: &Model) -> String {
    let (Some(open), Some(event)) = (&model.open, jump::here(model)) else { return String::new() };
    let index = &open.session.index;
    let Some(row) = index.rows.get(event.row) else { return String::new() };
    let known = usize::from(row.type_id.0) < index.types.len();
    let mut text = if known { display(index.types.name(row.type_id).as_bytes()) } else { String::new() };
    if let Some(seq) = citation::nth_seq(index, event) {
        text.push(' ');
        text.push_str(&model.words().say("status.seq", &[("seq", &seq)]));
    }
    if let Some(id) = finding::id_here(model) {
        text.push_str(", ");
        text.push_str(&one_line(id.as_bytes(), 60));
    }
    text
}

fn line(model: &Model, what: Copyable) -> Option<CopyLine> {
    let open = model.open.as_ref()?;
    let (preview, bytes) = match what {
        Copyable::Record => {
            let event = jump::here(model)?;
            let row = open.session.index.rows.get(event.row)?;
            let at = open.session.index.line(event.row).map_or_else(|| "?".to_owned(), |line| line.to_string());
            (model.words().say("copy.stored_line", &[("line", &at)]), Some(u64::from(row.len)))
        }
        Copyable::Citation => (citation_preview(model)?, None),
        Copyable::Value if is_cut(model) => (model.words().get("copy.value_whole").to_owned(), None),
        Copyable::Evidence => {
            let lines = bytes_of(model, what)?.split_inclusive(|byte| *byte == b'\n').count();
            let lines = model.words().count("count.lines", lines as u64);
            (model.words().say("copy.evidence_lines", &[("lines", &lines)]), None)
        }
        Copyable::Value | Copyable::CallId | Copyable::Place | Copyable::Path | Copyable::SessionId => {
            let bytes = bytes_of(model, what)?;
            let len = (what == Copyable::Value).then_some(bytes.len() as u64);
            (one_line(&bytes[..bytes.len().min(4 * PREVIEW)], PREVIEW), len)
        }
    };
    Some(CopyLine { what, letter: letter(what, model), name: model.words().get(name(what)).to_owned(), preview, bytes })
}

/// The letter of the menu, from the table of keys.
fn letter(what: Copyable, model: &Model) -> char {
    match model.settings.keymap.keys_of(&[Context::CopyMenu], Action::CopyThis(what)) {
        Some(Keys::One(key)) => match key.code {
            KeyCode::Char(char) => char,
            _ => ' ',
        },
        Some(Keys::Two(..) | Keys::Letter(_)) | None => ' ',
    }
}

/// What the citation will say in short; the report makes it in full.
fn citation_preview(model: &Model) -> Option<String> {
    let open = model.open.as_ref()?;
    let event = jump::here(model)?;
    let facts = &open.session.facts;
    let id = facts.header.as_ref().and_then(|header| header.id.as_ref()).map(|id| display(id.as_bytes()));
    let seq = citation::nth_seq(&open.session.index, event).map(|seq| format!("seq {seq}"));
    let call = call_here(model).and_then(|at| facts.calls.get(at));
    let call = call.map(|call| format!("{} {}", display(call.call_id.as_bytes()), display(call.name.as_bytes())));
    let version = format!("v{}", facts.format.version);
    Some([id, Some(version), call, seq].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// The call that the cursor is on: place in the facts.
fn call_here(model: &Model) -> Option<usize> {
    match model.detail.subject? {
        crate::triage::detail::Subject::Call(at) => Some(at),
        _ => None,
    }
}

/// The bytes of what is copied as it stands.
fn bytes_of(model: &Model, what: Copyable) -> Option<Vec<u8>> {
    let open = model.open.as_ref()?;
    let facts = &open.session.facts;
    match what {
        Copyable::Value => Some(model.detail.doc.as_ref()?.value.as_ref()?.to_vec()),
        Copyable::CallId => finding::id_here(model).map(String::into_bytes),
        Copyable::Path => Some(open.session.path.to_string_lossy().into_owned().into_bytes()),
        Copyable::SessionId => Some(facts.header.as_ref()?.id.as_ref()?.to_report().into_bytes()),
        Copyable::Place => {
            let place = citation::place(&open.session, jump::here(model)?, model.words())?;
            Some(place.into_bytes())
        }
        Copyable::Evidence => {
            let cited = Cited::of(call_here(model), jump::here(model)?);
            Some(citation::evidence(&open.session, cited, model.words()).into_bytes())
        }
        Copyable::Record | Copyable::Citation => None,
    }
}

/// Whether the value is shown in part, so that the rest has to be read before it is copied.
fn is_cut(model: &Model) -> bool {
    model.detail.doc.as_ref().is_some_and(|doc| doc.left_out > 0) && !detail::is_whole(model)
}

/// Copies one thing and closes the menu.
pub(super) fn copy(model: &mut Model, what: Copyable, effects: &mut Vec<Effect>) {
    model.overlay = None;
    let label = model.words().get(name(what)).to_owned();
    let Some(event) = jump::here(model) else { return };
    if what == Copyable::Value && is_cut(model) {
        model.detail.awaited = Some(Awaited::Copy(label));
        return detail::more(model, effects);
    }
    let effect = match what {
        Copyable::Record => Some(Effect::CopyRecord { label, row: event.row }),
        Copyable::Citation => Some(Effect::CopyCitation { label, call: call_here(model), event }),
        Copyable::Value
        | Copyable::CallId
        | Copyable::Place
        | Copyable::Path
        | Copyable::SessionId
        | Copyable::Evidence => bytes_of(model, what).map(|bytes| Effect::Copy { label, bytes: bytes.into() }),
    };
    match effect {
        Some(effect) => effects.push(effect),
        None => model.say(Role::Normal, "message.nothing_to_copy", &[]),
    }
}

/// Copies the page as text.
pub(super) fn page(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(page) = &model.page else { return };
    let label = model.words().get("copy.page").to_owned();
    let bytes = page.doc.value.clone().unwrap_or_else(|| page.text().into_bytes().into());
    effects.push(Effect::Copy { label, bytes });
}

/// The bug report is to be about what the cursor is on; what is added to it is off again.
pub(super) fn begin_bug(model: &mut Model) {
    let is_open = model.page.as_ref().is_some_and(|page| page.kind == PageKind::Bug);
    if !is_open {
        let about = jump::here(model).map(|event| Cited::of(call_here(model), event));
        (model.bug_about, model.bug) = (about, Switches::default());
    }
}

/// Asks how arguments or the text of the result are to be added to the bug report; takes them out where they are in it.
pub(super) fn toggle_in_bug(model: &mut Model, what: Addable) {
    let is_open = model.page.as_ref().is_some_and(|page| page.kind == PageKind::Bug);
    let (true, Some(open)) = (is_open, &model.open) else { return };
    let call = model.bug_about.and_then(|about| called(&open.session, about));
    let has_any = call.is_some_and(|call| what == Addable::Arguments || call.result_row.is_some());
    if !has_any {
        return model.say(Role::Normal, "bug.no_such_text", &[]);
    }
    let asks = model.bug.asked != Some(what) && model.bug.of(what) == Given::Out;
    model.bug.set(what, Given::Out);
    model.bug.asked = asks.then_some(what);
    lists::remake(model);
    lists::go(model, 0);
}

/// The answer to the question: what was asked about is in the report, which shows it.
pub(super) fn add_to_bug(model: &mut Model, given: Given) {
    let Some(what) = model.bug.asked.take() else { return };
    model.bug.set(what, given);
    lists::remake(model);
    let heading = model.words().get(what.heading()).to_owned();
    let added = model.page.as_ref().and_then(|page| page.doc.lines.iter().rposition(|line| line.text() == heading));
    lists::go(model, added.unwrap_or(0));
}

/// Drops the question; `false`: nothing was asked.
pub(super) fn leave_out(model: &mut Model) -> bool {
    let is_open = model.page.as_ref().is_some_and(|page| page.kind == PageKind::Bug);
    let asked = is_open && model.bug.asked.take().is_some();
    if asked {
        lists::remake(model);
    }
    asked
}

/// Hands the bug report to a file or to the editor.
pub(super) fn hand_out(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let page = model.page.as_ref().filter(|page| page.kind == PageKind::Bug);
    let Some(bytes) = page.and_then(|page| page.doc.value.clone()) else { return };
    effects.push(if action == Action::EditReport {
        Effect::HandOver { to: Program::Editor, bytes, kind: TextKind::Markdown }
    } else {
        Effect::WriteText { bytes }
    });
}

/// Copies what the cursor of the menu is on.
pub(super) fn copy_current(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Overlay::Copy(menu)) = &model.overlay else { return };
    if let Some(what) = menu.lines.get(menu.list.cursor).map(|line| line.what) {
        copy(model, what, effects);
    }
}

/// Something was put on the clipboard: what is known of it is said.
pub(super) fn copied(model: &mut Model, label: &str, bytes: u64, ways: &str) {
    let bytes = if bytes < 1000 { model.words().count("count.bytes", bytes) } else { size(bytes) };
    model.say(Role::Ok, "message.copied", &[("what", label), ("bytes", &bytes), ("ways", ways)]);
}
