//! A log was read: the first time, as a whole after its tail, or again.

use std::sync::Arc;

use super::filter::rebuild;
use super::{finding, jump};
use crate::app::calls::{self, Calls};
use crate::app::detail::Detail;
use crate::app::effect::Effect;
use crate::app::goto;
use crate::app::jumps::Identity;
use crate::app::message::{Epoch, OddFile};
use crate::app::model::{Model, Open, Zoom};
use crate::app::overlay::Overlay;
use crate::app::page::PageKind;
use crate::app::timeline::place::event_of;
use crate::app::timeline::{Folds, Item, Timeline};
use crate::session::row::RowIx;
use crate::triage::session::{Extent, Session};

/// Shows a reading. The cursor stays on its event, and the event on its row of the screen.
pub(super) fn opened(model: &mut Model, epoch: Epoch, session: Arc<Session>, effects: &mut Vec<Effect>) {
    if epoch < model.epoch {
        return;
    }
    model.epoch = epoch;
    let held = held(model);
    let folds = model.open.as_ref().map(|open| translate(&model.timeline.folds, open, &session)).unwrap_or_default();
    let first = model.open.is_none();
    if session.extent == Extent::Whole {
        model.progress = None;
    }
    model.odd = None;
    let open = Open::of(session, &model.settings.words);
    model.calls.title = calls::title(&open.session, &model.settings.words);
    model.calls.build(&open.tree);
    model.open = Some(open);
    model.stale = model.tickets;
    model.summaries.clear();
    model.asked_for.clear();
    model.about = None;
    model.detail.ticket = None;
    model.detail.lines.clear();
    model.timeline.streams.clear();
    model.timeline.folds = folds;
    model.timeline.moved_off = None;
    close_stale_lists(model);
    rebuild(model);
    super::ask::lay_out(model);
    match held {
        Some((place, screen_row)) => stay(model, &place, screen_row),
        None if first => start(model),
        None => {}
    }
    started_at(model);
    jump::link_calls(model);
    finding::again(model, effects);
}

/// What holds the cursor over a change of the reading.
enum Held {
    Event(Identity),
    Ghost(u32),
    /// A rule at the end of the file, or nothing that has an identity.
    End,
}

fn held(model: &Model) -> Option<(Held, usize)> {
    let open = model.open.as_ref()?;
    let item = model.timeline.current()?;
    let screen_row = model.timeline.cursor.saturating_sub(model.timeline.top);
    let place = match item {
        Item::Ghost(at) => Held::Ghost(at),
        Item::Rule { rule, .. } => {
            let row = open.rules.get(rule as usize).map(|rule| rule.at);
            let row = row.filter(|row| row.as_usize() < open.session.index.rows.len());
            row.map_or(Held::End, |row| Held::Event(Identity::of(&open.session.index, jump::whole(row))))
        }
        item => event_of(item).map_or(Held::End, |event| Held::Event(Identity::of(&open.session.index, event))),
    };
    Some((place, screen_row))
}

fn stay(model: &mut Model, place: &Held, screen_row: usize) {
    let Some(open) = &model.open else { return };
    let last = model.timeline.items.len().saturating_sub(1);
    let at = match place {
        Held::Event(identity) => {
            let event = identity.find(&open.session.index);
            event.and_then(|event| model.timeline.locate(event, &open.rules)).map_or(last, |found| found.at)
        }
        Held::Ghost(ghost) => {
            let found = model.timeline.items.iter().rposition(|item| *item == Item::Ghost(*ghost));
            found.unwrap_or(last)
        }
        Held::End => last,
    };
    model.timeline.cursor = at;
    model.timeline.show_at(screen_row);
}

/// Where the cursor stands at first: at what the verdict is about, else at the last row of the file.
fn start(model: &mut Model) {
    let Some(open) = &model.open else { return };
    let rows = open.session.index.rows.len() as u32;
    let last = rows.checked_sub(1).map(|last| jump::whole(RowIx(last)));
    let Some(event) = open.verdict.target.or(last) else { return };
    let Some(found) = model.timeline.locate(event, &open.rules) else { return };
    model.timeline.cursor = found.at;
    let height = usize::from(model.timeline.height);
    let below = model.timeline.items.len() - found.at;
    // What comes after it matters too: the rest of the file where it fits, else it stands in the lower third.
    model.timeline.show_at(if below < height / 2 { height.saturating_sub(below) } else { height * 2 / 3 });
}

/// Goes where the command line said, once that is read.
fn started_at(model: &mut Model) {
    let Some(typed) = model.settings.go_to.clone() else { return };
    let Some(open) = &model.open else { return };
    let whole = open.session.extent == Extent::Whole;
    let event = goto::parse(&typed).and_then(|place| goto::find(&place, &open.session, &model.settings.zone));
    match event {
        Some(event) => {
            model.settings.go_to = None;
            jump::show(model, event);
        }
        None if whole => {
            model.settings.go_to = None;
            jump::no_such_place(model, &typed);
        }
        None => {}
    }
}

/// Folds by the same lines of the other reading.
fn translate(folds: &Folds, open: &Open, session: &Session) -> Folds {
    let same =
        |row: &RowIx| Identity::of(&open.session.index, jump::whole(*row)).find(&session.index).map(|event| event.row);
    Folds {
        level: folds.level,
        runs: folds.runs.iter().filter_map(same).collect(),
        rows: folds.rows.iter().filter_map(same).collect(),
    }
}

/// Lists that name types or rows of the reading before.
fn close_stale_lists(model: &mut Model) {
    match &model.overlay {
        Some(Overlay::Types(_) | Overlay::Copy(_)) => model.overlay = None,
        Some(Overlay::Help(_)) | None => {}
    }
    if model.overlay.is_none()
        && model.input.as_ref().is_some_and(|input| input.asked == crate::app::input::Asked::Narrow)
    {
        model.input = None;
    }
    // A page of the reading before names its rows.
    if model.page.as_ref().is_some_and(|page| page.kind == PageKind::SixSteps) {
        model.page = None;
        super::lists::open_page(model, PageKind::SixSteps);
    }
}

/// The file is no log: nothing else is shown.
pub(super) fn refused(model: &mut Model, odd: OddFile) {
    model.progress = None;
    model.open = None;
    model.search = None;
    model.timeline = Timeline::default();
    model.calls = Calls::default();
    model.detail = Detail::default();
    (model.page, model.overlay, model.input) = (None, None, None);
    model.zoom = Zoom::Normal;
    model.stale = model.tickets;
    model.odd = Some(odd);
}
