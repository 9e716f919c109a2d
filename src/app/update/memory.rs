//! A log is left and opened again: what is noted of it, and how it is put back.

use std::sync::Arc;

use super::{filter, jump};
use crate::app::effect::Effect;
use crate::app::family::{HOME, Spot};
use crate::app::jumps::Identity;
use crate::app::memory::{Left, Panes, Parting, Which};
use crate::app::model::Model;
use crate::app::selection::{Chosen, Selection, View};
use crate::app::timeline::{Folds, MOST_LEVEL};
use crate::query::Query;
use crate::session::index::Index;
use crate::session::row::RowIx;
use crate::text::role::Role;
use crate::text::sanitize::{display, one_line};
use crate::text::wire::WireText;
use crate::triage::session::{Extent, Session};

/// Columns of a filter in the sentence that tells of it.
const SHORT_FILTER: usize = 40;

/// What is to be remembered of the model as it is.
pub fn parting(model: &mut Model) -> Option<Parting> {
    model.memory.as_ref()?;
    let mut left = None;
    super::family::at_home(model, |model| left = of(model));
    let changed = model.shares != model.settings.shares;
    let panes = Panes { timeline: model.shares.timeline.number(), detail: model.shares.detail.number() };
    Some(Parting { panes: changed.then_some(panes), left })
}

/// The log is about to be replaced by another one.
pub(super) fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(parting) = parting(model) else { return };
    if let (Some(memory), Some(left)) = (&mut model.memory, parting.left.clone()) {
        memory.take(left, model.settings.unfold);
    }
    effects.push(Effect::Remember { parting });
}

/// Which log is open; `None` for what is no file.
fn which(model: &Model, session: &Session) -> Option<Which> {
    if !model.settings.can_follow {
        return None;
    }
    let id = session.facts.header.as_ref().and_then(|header| header.id.as_ref());
    let path = model.settings.folder.join(&session.path);
    Some(Which {
        session: id.map(|id| display(id.as_bytes())).unwrap_or_default(),
        path: display(path.as_os_str().as_encoded_bytes()),
    })
}

fn of(model: &Model) -> Option<Left> {
    let session = &model.open.as_ref()?.session;
    if session.extent != Extent::Whole {
        return None;
    }
    let index = &session.index;
    let kept = |row: &RowIx| Identity::of(index, jump::whole(*row)).kept();
    let at = jump::here(model).map(|event| Identity::of(index, event)).filter(|at| model.started != Some(*at));
    let folds = &model.timeline.folds;
    let chosen = model.selection.to_chosen();
    let is_given = chosen.query.as_ref().is_some_and(|query| Some(query.text()) == model.settings.filter.as_deref());
    let name = |name: &WireText| std::str::from_utf8(name.as_bytes()).ok().map(str::to_owned);
    Some(Left {
        log: which(model, session)?,
        at: at.map(|at| at.kept()),
        unfold: folds.level,
        runs: folds.runs.iter().map(kept).collect(),
        rows: folds.rows.iter().map(kept).collect(),
        view: match chosen.view {
            View::All => "",
            View::Chat => CHAT,
            View::Hidden => HIDDEN,
        }
        .to_owned(),
        hidden_types: chosen.hidden_types.iter().filter_map(name).collect(),
        // What the command line filters by was wanted once.
        query: chosen.query.filter(|_| !is_given).map(|query| query.text().to_owned()).unwrap_or_default(),
        marks: model.jumps.marks_of(HOME).map(|(letter, place)| (letter, place.kept())).collect(),
    })
}

const CHAT: &str = "chat";
const HIDDEN: &str = "hidden";

/// Puts a log that was opened for the first time back to how it was left. `goes`: the command line has said where to go.
pub(super) fn restore(model: &mut Model, goes: bool) {
    let Some(open) = &model.open else { return };
    let session = Arc::clone(&open.session);
    let Some(log) = which(model, &session) else { return };
    let Some(left) = model.memory.as_ref().and_then(|memory| memory.of(&log)).cloned() else { return };
    let index = &session.index;
    for (letter, kept) in left.marks.iter().filter(|(letter, _)| letter.is_alphanumeric()) {
        let place = Identity::of_kept(*kept);
        if place.find(index).is_some() {
            model.jumps.set_mark(*letter, Spot { member: HOME, place });
        }
    }
    let rows = |kept: &[_]| kept.iter().filter_map(|kept| row(index, *kept)).collect();
    let (runs, opened) = (rows(&left.runs), rows(&left.rows));
    model.timeline.folds = Folds { level: left.unfold.min(MOST_LEVEL), runs, rows: opened };
    // A filter of the command line stays alone.
    if model.settings.filter.is_none() {
        model.selection = Selection::of(chosen(&left));
    }
    filter::rebuild(model);
    super::ask::lay_out(model);
    let target = left.at.and_then(|at| Identity::of_kept(at).find(index)).filter(|_| !goes);
    if let (Some(event), Some(open)) = (target, &model.open)
        && let Some(found) = model.timeline.locate(event, &open.rules)
    {
        model.timeline.cursor = found.at;
        model.timeline.show_at(usize::from(model.timeline.height) / 2);
    }
    jump::link_calls(model);
    tell(model, target.is_some());
}

/// Says that the log is shown as it was left, so that nobody takes a filter for the whole log.
fn tell(model: &mut Model, is_moved: bool) {
    let place = jump::here(model)
        .zip(model.open.as_ref())
        .and_then(|(event, open)| crate::triage::pass::citation::nth_seq(&open.session.index, event));
    let place = model.words().say("status.seq", &[("seq", place.as_deref().unwrap_or("-"))]);
    let filter = crate::app::selection::filter_text(&model.selection.to_chosen());
    if !filter.is_empty() && model.settings.filter.is_none() {
        let filter = one_line(filter.as_bytes(), SHORT_FILTER);
        model.say(Role::Warn, "message.as_left_filtered", &[("place", &place), ("filter", &filter)]);
    } else if is_moved {
        model.say(Role::Normal, "message.as_left", &[("place", &place)]);
    }
}

fn row(index: &Index, kept: crate::app::memory::Kept) -> Option<RowIx> {
    Identity::of_kept(kept).find(index).map(|event| event.row)
}

fn chosen(left: &Left) -> Chosen {
    let query = Query::parse(&left.query).ok().filter(|query| query.root().is_some());
    Chosen {
        hidden_types: left.hidden_types.iter().map(|name| WireText::from_bytes(name.as_bytes())).collect(),
        view: match left.view.as_str() {
            CHAT => View::Chat,
            HIDDEN => View::Hidden,
            _ => View::All,
        },
        query: query.map(Arc::new),
        ..Chosen::default()
    }
}
