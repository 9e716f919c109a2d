//! A log was read: the first time, as a whole after its tail, or again.

use std::sync::Arc;

use super::filter::rebuild;
use super::{finding, jump};
use crate::app::calls::{self, Calls};
use crate::app::detail::Detail;
use crate::app::effect::Effect;
use crate::app::follow::Following;
use crate::app::goto;
use crate::app::jumps::Identity;
use crate::app::message::{Epoch, OddFile, OddKind, SummaryKey};
use crate::app::model::{Model, Open, Wait, Zoom};
use crate::app::overlay::Overlay;
use crate::app::rules::Rule;
use crate::app::timeline::place::event_of;
use crate::app::timeline::{Folds, Item, Timeline};
use crate::session::row::RowIx;
use crate::text::role::Role;
use crate::triage::session::{Extent, Session};

/// Rows from the end among which a run may have become longer: only the last run grows, and little stands after it.
const MOST_LENT: usize = 64;

/// Shows a reading. The cursor stays on its event, and the event on its row of the screen; a view that follows goes to
/// the end.
pub(super) fn opened(model: &mut Model, epoch: Epoch, open: Open, effects: &mut Vec<Effect>) {
    if epoch < model.epoch {
        return;
    }
    let session = Arc::clone(&open.session);
    let whole = session.extent == Extent::Whole;
    let before = model.open.take().map(|open| (open.session, open.rules));
    let before = before.map(|(session, rules)| Before { held: held(model, &session, &rules), session });
    let grown = before.as_ref().is_some_and(|before| whole && before.is_shorter(epoch == model.shown));
    if epoch != model.shown {
        super::family::forget(model);
    }
    (model.epoch, model.shown) = (epoch, epoch);
    model.odd = None;
    if whole {
        (model.progress, model.reading) = (None, false);
    }
    let folds = before.as_ref().map(|before| translate(&model.timeline.folds, &before.session, &session));
    if let Some(folds) = folds {
        model.timeline.folds = folds;
    }
    let growing = model.follow.growing();
    // Following was switched while it was judged.
    let is_stale = open.is_growing != growing.is_some();
    let open = if is_stale { Open::of(session, &model.settings.words, growing) } else { open };
    model.calls.title = calls::title(&open.session, &model.settings.words, growing.is_some());
    model.calls.build(&open.tree);
    if let Some(before) = before.as_ref().filter(|_| grown) {
        model.follow.news =
            super::follow::news(model, &before.session.facts, &open.session.facts).or(model.follow.news.take());
    }
    model.open = Some(open);
    forget(model, grown);
    close_stale_lists(model);
    let shown = if grown { model.timeline.on_screen().collect() } else { Vec::new() };
    rebuild(model);
    lend(model, &shown);
    super::ask::lay_out(model);
    match before {
        Some(Before { held: Some((place, screen_row)), .. }) => stay(model, &place, screen_row),
        Some(Before { held: None, .. }) => {}
        None => start(model),
    }
    let goes = model.settings.go_to.is_some() || model.started.is_none();
    if model.follow.state == Following::AtEnd {
        model.timeline.set_cursor(usize::MAX);
    }
    started_at(model);
    jump::link_calls(model);
    finding::again(model, effects);
    if whole {
        if std::mem::take(&mut model.untouched) && model.follow.state == Following::Off {
            super::memory::restore(model, goes);
        }
        super::family::grown(model);
        super::family::look_for(model, effects);
        waited(model);
    }
}

/// The reading before.
struct Before {
    held: Option<(Held, u16)>,
    session: Arc<Session>,
}

impl Before {
    /// Whether the log that was read is the beginning of the one that is.
    fn is_shorter(&self, same_epoch: bool) -> bool {
        same_epoch && self.session.extent == Extent::Whole
    }
}

/// Drops what was made from the reading before; of a log that only grew it stays on screen until it is made again.
fn forget(model: &mut Model, grown: bool) {
    model.stale = model.tickets;
    model.asked_for.clear();
    model.citing = None;
    model.about = None;
    model.detail.is_stale = grown;
    model.detail.ticket = None;
    model.timeline.moved_off = None;
    if grown {
        model.summaries.age();
    } else {
        model.summaries.clear();
        model.detail.lines.clear();
        model.timeline.streams.clear();
    }
}

/// A run on screen that became longer keeps its text until its own is made.
fn lend(model: &mut Model, shown: &[Item]) {
    let key = |item: Item| match item {
        Item::Run { first, last } => Some((first, SummaryKey::Run { first, last })),
        _ => None,
    };
    let runs: Vec<_> = model.timeline.items.iter().rev().take(MOST_LENT).filter_map(key).collect();
    for (first, to) in runs {
        if let Some((_, from)) = shown.iter().copied().filter_map(key).find(|(before, _)| *before == first) {
            model.summaries.lend(&from, to);
        }
    }
}

/// The reading was stopped: what is shown stays, and nothing more comes.
pub(super) fn stopped(model: &mut Model, effects: &mut Vec<Effect>) {
    let was_reading = std::mem::replace(&mut model.reading, false) || model.progress.is_some();
    model.progress = None;
    if was_reading && model.follow.is_on() {
        // Only what was read to its end can be read on.
        super::follow::off(model, effects);
    }
    model.wait = None;
    if was_reading {
        model.say(Role::Warn, if model.open.is_some() { "progress.stopped" } else { "progress.stopped_at_once" }, &[]);
    }
}

/// Does what waited for the whole log.
fn waited(model: &mut Model) {
    match model.wait.take() {
        None => {}
        Some(Wait::First) => {
            model.notice = None;
            model.timeline.set_cursor(0);
            jump::link_calls(model);
        }
        Some(Wait::Unpaired) => jump::last_unpaired(model),
        Some(Wait::Seq(seq)) => {
            model.notice = None;
            jump::to_seq(model, seq);
        }
        Some(Wait::Place(place)) => {
            model.notice = None;
            jump::to_place(model, &place);
        }
    }
}

/// What holds the cursor over a change of the reading.
enum Held {
    Event(Identity),
    Ghost(u32),
    /// A rule at the end of the file, or nothing that has an identity.
    End,
}

/// What the cursor is on, and its row of the screen.
fn held(model: &Model, session: &Session, rules: &[Rule]) -> Option<(Held, u16)> {
    let item = model.timeline.current()?;
    let row = model.timeline.cursor.saturating_sub(model.timeline.top);
    let screen_row = model.areas.timeline_body().y.saturating_add(row.min(usize::from(u16::MAX)) as u16);
    let place = match item {
        Item::Ghost(at) => Held::Ghost(at),
        Item::Rule { rule, .. } => {
            let row = rules.get(rule as usize).map(|rule| rule.at);
            let row = row.filter(|row| row.as_usize() < session.index.rows.len());
            row.map_or(Held::End, |row| Held::Event(Identity::of(&session.index, jump::whole(row))))
        }
        item => event_of(item).map_or(Held::End, |event| Held::Event(Identity::of(&session.index, event))),
    };
    Some((place, screen_row))
}

/// Puts the cursor where it was: on the same event, else on the last one with a seq before it.
fn stay(model: &mut Model, place: &Held, screen_row: u16) {
    let Some(open) = &model.open else { return };
    let index = &open.session.index;
    let last = model.timeline.items.len().saturating_sub(1);
    let at = match place {
        Held::Event(identity) => {
            let nearest = || index.nearest(identity.seq()?).map(jump::whole);
            let event = identity.find(index).or_else(nearest);
            event.and_then(|event| model.timeline.locate(event, &open.rules)).map_or(last, |found| found.at)
        }
        Held::Ghost(ghost) => {
            let found = model.timeline.items.iter().rposition(|item| item == Item::Ghost(*ghost));
            found.unwrap_or(last)
        }
        Held::End => last,
    };
    model.timeline.cursor = at;
    // The row of the screen, not of the pane: a line above the pane may have come or gone.
    model.timeline.show_at(usize::from(screen_row.saturating_sub(model.areas.timeline_body().y)));
}

/// Where the cursor stands at first: at what the verdict is about, else at the last row of the file.
fn start(model: &mut Model) {
    let Some(open) = &model.open else { return };
    let rows = open.session.index.rows.len() as u32;
    let last = rows.checked_sub(1).map(|last| jump::whole(RowIx(last)));
    let target = model.verdict().and_then(|verdict| verdict.target);
    let Some(event) = target.or(last) else { return };
    let Some(found) = model.timeline.locate(event, &open.rules) else { return };
    model.timeline.cursor = found.at;
    model.started =
        jump::here(model).zip(model.open.as_ref()).map(|(event, open)| Identity::of(&open.session.index, event));
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
pub(super) fn translate(folds: &Folds, before: &Session, session: &Session) -> Folds {
    let same = |row: &RowIx| Identity::of(&before.index, jump::whole(*row)).find(&session.index).map(|event| event.row);
    Folds {
        level: folds.level,
        runs: folds.runs.iter().filter_map(same).collect(),
        rows: folds.rows.iter().filter_map(same).collect(),
    }
}

/// Lists that name types or rows of the reading before.
fn close_stale_lists(model: &mut Model) {
    match &model.overlay {
        Some(Overlay::Types(_) | Overlay::Copy(_) | Overlay::Places(_)) => model.overlay = None,
        Some(Overlay::Help(_)) | None => {}
    }
    if model.overlay.is_none()
        && model.shown_list().is_none()
        && model.input.as_ref().is_some_and(|input| input.asked == crate::app::input::Asked::Narrow)
    {
        model.input = None;
    }
    // A page of the reading before names its rows.
    if model.page.as_ref().is_some_and(|page| !page.kind.traits().follows) {
        super::lists::stale(model);
    }
}

/// The file is no log: nothing else is shown. An empty one is followed: it may become one.
pub(super) fn refused(model: &mut Model, odd: OddFile, effects: &mut Vec<Effect>) {
    (model.progress, model.reading) = (None, false);
    if odd.kind == OddKind::Empty && model.settings.can_follow && !model.follow.is_on() {
        model.follow.state = Following::AtEnd;
        effects.push(Effect::Follow { on: true });
    }
    super::family::forget(model);
    model.open = None;
    model.search = None;
    model.timeline = Timeline::unfolded(model.settings.unfold);
    model.calls = Calls::default();
    model.detail = Detail { unwrapped: model.detail.unwrapped, ..Detail::default() };
    (model.page, model.overlay, model.input) = (None, None, None);
    model.zoom = Zoom::Normal;
    model.stale = model.tickets;
    model.odd = Some(odd);
}
