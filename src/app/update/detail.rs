//! The detail pane: what it is about, what it needs, its tabs and forms.

use std::sync::Arc;

use crate::app::action::Action;
use crate::app::detail::Folds;
use crate::app::effect::{Asker, Effect};
use crate::app::message::Ticket;
use crate::app::model::{Model, Open};
use crate::app::search::Way;
use crate::app::timeline::Item;
use crate::session::row::EventRef;
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::triage::detail::{Detail, Form, LIMIT, RawLine, Subject, TabId, forms, needs, subject_of, tabs};
use crate::triage::doc::DocLine;
use crate::triage::what::Run;

/// Bytes fetched of a line: the value that is shown, and what stands around it.
const FETCHED: u64 = 4 * LIMIT as u64;

/// Bytes fetched of a line once all of it was asked for: a longer value goes to a file or an editor.
const FETCHED_ALL: u64 = 16 << 20;

/// What an item is about.
fn subject(item: Item, open: &Open) -> Option<Subject> {
    let event = |row, member| EventRef { row, member };
    match item {
        Item::Run { first, last } => Some(Subject::Run(Run { first, last })),
        Item::Row(row) => Some(subject_of(event(row, 0), &open.session, &open.links)),
        Item::Inner(row) => Some(Subject::Event(event(row, 0))),
        Item::Member { row, member } => Some(Subject::Event(event(row, member))),
        Item::Ghost(at) => Some(Subject::Ghost(at as usize)),
        Item::Rule { rule, .. } => {
            let rule = open.rules.get(rule as usize)?;
            if let Some(damage) = rule.about {
                return Some(Subject::Damage(damage));
            }
            let row = rule.at;
            let inside = row.as_usize() < open.session.index.rows.len();
            inside.then(|| subject_of(event(row, 0), &open.session, &open.links))
        }
    }
}

/// Whether a subject is the same thing in a log that grew: a run may have become longer.
fn is_same(one: Option<Subject>, other: Option<Subject>) -> bool {
    match (one, other) {
        (Some(Subject::Run(one)), Some(Subject::Run(other))) => one.first == other.first,
        (one, other) => one == other,
    }
}

/// Shows what the cursor is on, if it is something else than before.
pub(super) fn follow_cursor(model: &mut Model, effects: &mut Vec<Effect>) {
    let current = model.timeline.current();
    if model.about == current && model.detail.subject.is_some() == current.is_some() {
        return;
    }
    model.about = current;
    let Some(open) = &model.open else { return };
    let next = current.and_then(|item| subject(item, open));
    if std::mem::take(&mut model.detail.is_stale) && is_same(next, model.detail.subject) {
        model.detail.subject = next;
        // The last line may have been an unfinished one: it is read again, with what came after it.
        let last = model.detail.lines.iter().map(|line| line.row).max();
        model.detail.lines.retain(|line| Some(line.row) != last);
        fetch(model, true, effects);
        return;
    }
    if next == model.detail.subject && model.detail.doc.is_some() && !model.detail.lines.is_empty() {
        return;
    }
    let detail = &mut model.detail;
    let before = detail.wanted.or_else(|| detail.tab_id());
    detail.subject = next;
    detail.tabs = next.map(|subject| tabs(subject).to_vec()).unwrap_or_default();
    detail.tab = before.and_then(|tab| detail.tabs.iter().position(|other| *other == tab)).unwrap_or(0);
    detail.form = Form::default();
    detail.lines.clear();
    detail.limit = LIMIT as u64;
    detail.awaited = None;
    detail.folds = Folds::default();
    detail.head = None;
    detail.show(None, false);
    fetch(model, false, effects);
    super::ask::lay_out(model);
}

/// Asks for the lines of the tab that are not here; shows it at once where none is missing.
fn fetch(model: &mut Model, keep: bool, effects: &mut Vec<Effect>) {
    let (Some(open), Some(subject), Some(tab)) = (&model.open, model.detail.subject, model.detail.tab_id()) else {
        return;
    };
    let rows = needs(subject, tab, &open.session);
    let limit = if model.detail.limit > LIMIT as u64 { FETCHED_ALL } else { FETCHED };
    let here = |row| model.detail.lines.iter().any(|line| line.row == row && is_enough(line, limit));
    if rows.iter().all(|row| here(*row)) {
        model.detail.ticket = None;
        fill(model, keep);
        super::handing::detail_filled(model, effects);
        return;
    }
    head(model);
    let ticket = model.ticket();
    model.detail.ticket = Some(ticket);
    effects.push(Effect::Fetch { epoch: model.epoch, ticket, to: Asker::Detail, rows, limit_bytes: limit });
}

fn is_enough(line: &RawLine, limit: u64) -> bool {
    let bytes = line.bytes.len() as u64;
    bytes >= line.total || bytes >= limit
}

/// Lines came.
pub(super) fn fetched(model: &mut Model, ticket: Ticket, lines: Vec<RawLine>, effects: &mut Vec<Effect>) {
    if model.detail.ticket != Some(ticket) {
        return;
    }
    model.detail.ticket = None;
    for line in lines {
        model.detail.lines.retain(|other| other.row != line.row);
        model.detail.lines.push(line);
    }
    fill(model, model.detail.doc.is_some());
    super::handing::detail_filled(model, effects);
}

/// Makes the text of the tab from the lines that are here.
fn fill(model: &mut Model, keep: bool) {
    head(model);
    let (Some(open), Some(subject), Some(tab)) = (&model.open, model.detail.subject, model.detail.tab_id()) else {
        return;
    };
    let limit = usize::try_from(model.detail.limit).unwrap_or(usize::MAX);
    let maker = maker(model, open, limit);
    let doc = maker.doc(subject, tab);
    model.detail.show(Some(Arc::new(doc)), keep);
}

fn maker<'a>(model: &'a Model, open: &'a Open, limit: usize) -> Detail<'a> {
    Detail {
        session: &open.session,
        words: &model.settings.words,
        zone: &model.settings.zone,
        lines: &model.detail.lines,
        limit,
        form: model.detail.form,
        braces: !model.has_colours(),
    }
}

/// Makes the line on top of every tab: state sign and what the subject is.
fn head(model: &mut Model) {
    let (Some(open), Some(subject)) = (&model.open, model.detail.subject) else { return };
    let columns = usize::from(model.detail.size.0.max(20));
    let (mark, mut line) = maker(model, open, LIMIT).head(subject, columns.saturating_sub(2));
    let awaited = model.follow.growing().is_some() && await_result(&mut line, model.words());
    if let Some(sign) = if awaited { Some('?') } else { mark.glyph() } {
        let role = if awaited { Role::Accent } else { mark.role() };
        line.spans.insert(0, Span::new(format!("{sign} "), role));
    }
    let had = model.detail.head.replace(DocLine { ..line }).is_some();
    if !had {
        super::ask::lay_out(model);
    }
}

/// In a file that grows nothing can be inferred from a result that is not there: the state is told so. `false`: the line
/// tells no inferred state.
fn await_result(line: &mut DocLine, words: &Words) -> bool {
    let inferred = |key: &str| format!("{}, {}", words.get(key), words.get("detail.inferred"));
    let states = [inferred("state.outcome_unknown"), inferred("state.not_started")];
    let Some(span) = line.spans.iter_mut().find(|span| states.contains(&span.text)) else { return false };
    *span = Span::new(words.get("state.no_result_yet"), Role::Accent);
    true
}

/// The detail: which tab, in which form. `false`: it is something else.
pub(super) fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) -> bool {
    match action {
        Action::PreviousTab => tab(model, Way::Backward, effects),
        Action::NextTab => tab(model, Way::Forward, effects),
        Action::ToggleWrap => toggle_wrap(model),
        Action::NextForm => next_form(model),
        Action::ShowRecord => record(model, effects),
        _ => return false,
    }
    true
}

/// The tab beside the one that is shown; the last goes on to the first.
fn tab(model: &mut Model, way: Way, effects: &mut Vec<Effect>) {
    let count = model.detail.tabs.len();
    if count == 0 || model.page.is_some() {
        return;
    }
    let step = if way == Way::Forward { 1 } else { count - 1 };
    show_tab(model, (model.detail.tab + step) % count, effects);
}

/// A tab by its place.
pub(super) fn choose_tab(model: &mut Model, tab: usize, effects: &mut Vec<Effect>) {
    if tab < model.detail.tabs.len() && tab != model.detail.tab && model.page.is_none() {
        show_tab(model, tab, effects);
    }
}

fn show_tab(model: &mut Model, tab: usize, effects: &mut Vec<Effect>) {
    model.detail.tab = tab;
    model.detail.wanted = model.detail.tab_id();
    model.detail.form = Form::default();
    model.detail.folds = Folds::default();
    model.detail.show(None, false);
    fetch(model, false, effects);
}

/// The stored record; from there back to the first tab.
fn record(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.page.is_some() {
        return;
    }
    let Some(record) = model.detail.tabs.iter().position(|tab| *tab == TabId::Record) else { return };
    let to = if model.detail.tab == record { 0 } else { record };
    show_tab(model, to, effects);
}

/// Wraps long lines, or lets them run on.
fn toggle_wrap(model: &mut Model) {
    model.detail.unwrapped = !model.detail.unwrapped;
    model.detail.lay_out();
}

/// The next form of the tab.
fn next_form(model: &mut Model) {
    let Some(tab) = model.detail.tab_id() else { return };
    let forms = forms(tab);
    let at = forms.iter().position(|form| *form == model.detail.form).unwrap_or(0);
    let next = forms.get((at + 1) % forms.len().max(1)).copied().unwrap_or_default();
    if model.detail.doc.is_some() {
        model.detail.form = next;
        fill(model, false);
    }
}

/// Whether all of the value is here, or as much of it as ever will be.
pub(super) fn is_whole(model: &Model) -> bool {
    let cut = model.detail.doc.as_ref().is_none_or(|doc| doc.left_out > 0);
    !cut || model.detail.limit >= FETCHED_ALL
}

/// All of a value that is shown in part.
pub(super) fn more(model: &mut Model, effects: &mut Vec<Effect>) {
    let cut = model.detail.doc.as_ref().is_some_and(|doc| doc.left_out > 0);
    if cut && model.detail.limit < FETCHED_ALL {
        model.detail.limit = FETCHED_ALL;
        fetch(model, true, effects);
    }
}
