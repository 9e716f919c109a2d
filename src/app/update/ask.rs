//! What holds after every message: everything has its size, what is on screen is asked for.

use crate::app::area::{Areas, Wish};
use crate::app::effect::Effect;
use crate::app::input::Asked;
use crate::app::message::{Epoch, SummaryKey};
use crate::app::model::{Model, Pane};
use crate::app::timeline::window::summary_key;
use crate::session::row::RowIx;
use crate::triage::session::Extent;
use crate::triage::what::What;

/// Columns of the detail pane that hold no text: one blank at each side.
const DETAIL_MARGIN: u16 = 2;

/// Messages whose stream was counted that are remembered.
const MOST_STREAMS: usize = 100_000;

/// Brings everything in line with the model as it is, and asks for what is missing on screen.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    if std::mem::take(&mut model.family.moved) {
        super::finding::again(model, effects);
    }
    if model.input.as_ref().is_none_or(|input| input.asked != Asked::Filter) {
        model.filtering = None;
    }
    lay_out(model);
    super::follow::settle(model);
    if model.areas.news.is_empty() != model.follow.below.is_none() {
        lay_out(model);
    }
    super::detail::follow_cursor(model, effects);
    super::lists::follow_cursor(model, effects);
    super::sessions::want(model, effects);
    super::filter::ask_sieve(model, effects);
    wants(model, effects);
}

/// Works out the areas and fits the panes into them.
pub(super) fn lay_out(model: &mut Model) {
    let advice = model.verdict().is_some_and(|verdict| verdict.lines.len() > 1) || model.follow.news.is_some();
    let tail = model.open.as_ref().is_some_and(|open| open.session.extent == Extent::Tail);
    model.areas = Areas::of(&Wish {
        columns: model.screen.0,
        rows: model.screen.1,
        advice,
        progress: model.reading && (tail || model.progress.is_some()),
        news: model.follow.below.is_some(),
        open: model.open.is_some(),
        focus: model.focus,
        zoom: model.zoom,
        shares: model.shares,
        page: model.page.is_some() || model.overlay.is_some() || model.shown_list().is_some(),
        input: model.input.is_some(),
        family: model.family.view.is_some(),
        offers: model.filtering.is_some(),
    });
    let areas = model.areas;
    // A pane that is not shown keeps its size: its place on the screen is the same when it comes back.
    if let Some(view) = &mut model.family.view {
        // The last row of the body says how the row was linked.
        view.height = areas.timeline_body().height.saturating_sub(1);
        view.reveal();
    } else if !areas.timeline_body().is_empty() {
        model.timeline.height = areas.timeline_body().height;
    }
    if !areas.calls_body().is_empty() {
        model.calls.height = areas.calls_body().height;
    }
    if let Some(open) = &model.open {
        model.timeline.draw_chart(&open.rules, &open.marks);
    }
    model.timeline.reveal();
    model.calls.reveal();
    let body = areas.detail_body();
    if !body.is_empty() {
        // Its first row is the line that stands on top of every tab.
        model.detail.resize(body.width.saturating_sub(DETAIL_MARGIN), body.height.saturating_sub(1));
    }
    let page_height = areas.page_body().height;
    if let Some(page) = &mut model.page {
        page.go(page.cursor, page_height);
    }
    super::sessions::fit(model);
    super::lists::fit(model, page_height);
}

/// Asks for the texts of rows on screen that are neither here nor asked for.
fn wants(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.open.is_none() || model.areas.timeline.is_empty() {
        return;
    }
    if model.family.view.is_some() {
        return super::family_view::wants(model, effects);
    }
    let keys: Vec<SummaryKey> = model.timeline.on_screen().filter_map(summary_key).collect();
    model.summaries.touch(keys.iter());
    let missing: Vec<SummaryKey> = keys.into_iter().filter(|key| !model.summaries.is_fresh(key)).collect();
    if missing.is_empty() || missing.iter().all(|key| model.asked_for.contains(key)) {
        return;
    }
    let ticket = model.ticket();
    model.asked_for.clone_from(&missing);
    effects.push(Effect::Summarise { epoch: model.epoch, ticket, wants: missing });
}

/// Texts came.
pub(super) fn summarised(model: &mut Model, epoch: Epoch, items: Vec<(SummaryKey, What)>) {
    let summaries = if epoch == model.epoch {
        &mut model.summaries
    } else {
        let Some(shelf) = model.family.by_epoch(epoch) else { return };
        &mut shelf.summaries
    };
    for (key, what) in items {
        summaries.insert(key, what);
    }
}

/// Streams of messages were counted: these can be unfolded.
pub(super) fn streams_counted(model: &mut Model, streams: Vec<(RowIx, u32)>) {
    let Some(open) = &model.open else { return };
    let rows = open.session.index.rows.len();
    let mut open_now = false;
    for (row, count) in streams.into_iter().filter(|(row, count)| row.as_usize() < rows && *count > 0) {
        if model.timeline.streams.len() < MOST_STREAMS && model.timeline.streams.insert(row, count).is_none() {
            open_now |= model.timeline.folds.is_row_open(row);
        }
    }
    if open_now {
        super::filter::rebuild(model);
    }
}

/// Whether one pane takes all the room: what is not focused is not seen.
pub(super) fn is_alone(model: &Model, pane: Pane) -> bool {
    let areas = &model.areas;
    let shown = [(Pane::Timeline, areas.timeline), (Pane::Calls, areas.calls), (Pane::Detail, areas.detail)];
    shown.iter().all(|(other, area)| *other == pane || area.is_empty())
}
