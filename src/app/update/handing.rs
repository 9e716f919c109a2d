//! Texts for programs of the user: which text, and when all of it is there.

use std::sync::Arc;

use super::detail;
use crate::app::detail::Awaited;
use crate::app::effect::{Effect, Program, TextKind};
use crate::app::input::{Asked, Input};
use crate::app::model::Model;
use crate::app::page::PageKind;
use crate::text::number::size;
use crate::text::role::Role;
use crate::triage::detail::TabId;
use crate::triage::doc::{Doc, DocLine};

/// Gives what is shown to a program. A value that is shown in part is read whole first.
pub(super) fn hand(model: &mut Model, to: Program, effects: &mut Vec<Effect>) {
    if !has_text(model) {
        return model.say(Role::Normal, "handover.nothing", &[]);
    }
    if model.page.is_none() && !detail::is_whole(model) {
        model.detail.awaited = Some(Awaited::HandOver(to));
        return detail::more(model, effects);
    }
    let Some((bytes, kind)) = text(model) else { return model.say(Role::Normal, "handover.nothing", &[]) };
    effects.push(Effect::HandOver { to, bytes, kind });
}

/// The detail has its text: it goes where it is waited for.
pub(super) fn detail_filled(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(awaited) = model.detail.awaited.take() else { return };
    let Some((bytes, kind)) = text(model) else { return };
    let left_out = model.detail.doc.as_ref().map_or(0, |doc| doc.left_out);
    match awaited {
        // What is pasted is believed to be all of it.
        Awaited::Copy(_) if left_out > 0 => model.say(Role::Warn, "message.nothing_to_copy", &[]),
        Awaited::Copy(label) => effects.push(Effect::Copy { label, bytes }),
        Awaited::HandOver(to) => {
            if left_out > 0 {
                let size = size(bytes.len() as u64);
                model.say(Role::Warn, "handover.first_bytes", &[("size", &size)]);
            }
            effects.push(Effect::HandOver { to, bytes, kind });
        }
    }
}

/// Asks for a command.
pub(super) fn ask(model: &mut Model) {
    if !has_text(model) {
        return model.say(Role::Normal, "handover.nothing", &[]);
    }
    let history = model.typed.get(&Asked::Pipe).cloned().unwrap_or_default();
    model.input = Some(Input::new(Asked::Pipe, history));
}

/// A command was typed; nothing stands for the pager.
pub(super) fn typed(model: &mut Model, line: &str, effects: &mut Vec<Effect>) {
    let line = line.trim();
    let to = if line.is_empty() { Program::Pager } else { Program::Command(line.to_owned()) };
    hand(model, to, effects);
}

/// Whether the screen shows something that can be handed over.
fn has_text(model: &Model) -> bool {
    let has_detail = model.family.view.is_none() && model.detail.subject.is_some();
    model.open.is_some() && model.shown_list().is_none() && (model.page.is_some() || has_detail)
}

/// The value that is shown, else its lines as text; and what it is.
fn text(model: &Model) -> Option<(Arc<[u8]>, TextKind)> {
    if let Some(page) = &model.page {
        let kind = if page.kind == PageKind::Bug { TextKind::Markdown } else { TextKind::Plain };
        let bytes = page.doc.value.clone().unwrap_or_else(|| page.text().into_bytes().into());
        return Some((bytes, kind));
    }
    let doc = model.detail.doc.as_ref()?;
    let bytes = doc.value.clone().unwrap_or_else(|| lines(doc).into());
    let kind = match model.detail.tab_id()? {
        TabId::Changes | TabId::Change => TextKind::Diff,
        TabId::Text | TabId::Prompt => TextKind::Markdown,
        TabId::Arguments
        | TabId::Result
        | TabId::Approvals
        | TabId::Record
        | TabId::Stream
        | TabId::Usage
        | TabId::Tools
        | TabId::Fields => match bytes.trim_ascii_start().first() {
            Some(b'{' | b'[') => TextKind::Json,
            Some(_) | None => TextKind::Plain,
        },
    };
    Some((bytes, kind))
}

fn lines(doc: &Doc) -> Vec<u8> {
    let mut text = String::new();
    for line in doc.lines.iter().map(DocLine::text) {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.into_bytes()
}
