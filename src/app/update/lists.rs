//! Overlays and pages: opening, moving in them, narrowing, ticking.

use std::sync::Arc;

use super::{act, copying, filter, moves};
use crate::app::action::Action;
use crate::app::effect::{Asker, Effect};
use crate::app::hints::contexts;
use crate::app::input::Asked;
use crate::app::keymap::{Context, Group, names};
use crate::app::message::Ticket;
use crate::app::model::Model;
use crate::app::overlay::{Help, HelpLine, ListState, Overlay, TypeLine, TypePicker};
use crate::app::page::{LIMIT_BYTES, Motion, Order, PageKind, PageTexts, Part, foot, make};
use crate::query::Query;
use crate::session::row::Flags;
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::triage::detail::RawLine;
use crate::triage::pages::Scope;

/// How many lines the open overlay or page has, and where its cursor is.
fn list(model: &mut Model) -> Option<(usize, &mut ListState)> {
    match model.overlay.as_mut()? {
        Overlay::Help(help) => Some((help.lines.len(), &mut help.list)),
        Overlay::Types(types) => Some((types.lines.len(), &mut types.list)),
        Overlay::Copy(menu) => Some((menu.lines.len(), &mut menu.list)),
        Overlay::Places(places) => Some((places.lines.len(), &mut places.list)),
    }
}

/// Keeps cursors inside their lists and on screen.
pub(super) fn fit(model: &mut Model, height: u16) {
    if let Some((len, list)) = list(model) {
        let height = usize::from(height.max(1));
        list.cursor = list.cursor.min(len.saturating_sub(1));
        let last_top = len.saturating_sub(height);
        list.top = list.top.min(last_top).min(list.cursor).max((list.cursor + 1).saturating_sub(height));
    }
}

/// Puts the cursor of the open overlay or page on a line.
pub(super) fn go(model: &mut Model, to: usize) {
    let height = model.areas.page_body().height;
    if let Some((_, list)) = list(model) {
        list.cursor = to;
        fit(model, height);
    } else if let Some(page) = &mut model.page {
        page.go(to, height);
    }
}

fn place(model: &mut Model) -> (usize, usize) {
    if let Some((len, list)) = list(model) {
        return (list.cursor, len);
    }
    model.page.as_ref().map_or((0, 0), |page| (page.cursor, page.doc.lines.len()))
}

/// Moves in the open overlay or page.
pub(super) fn line(model: &mut Model, action: Action, count: Option<u64>) {
    let height = model.areas.page_body().height;
    let (at, len) = place(model);
    let steps =
        model.overlay.is_none() && model.page.as_ref().is_some_and(|page| page.kind.traits().motion != Motion::Lines);
    let to = match (action, &model.page) {
        // From answer to answer where there is one further on.
        (Action::Down, Some(page)) if steps => page.next_target(true).unwrap_or(at + 1),
        (Action::Up, Some(page)) if steps => page.next_target(false).unwrap_or(at.saturating_sub(1)),
        _ => moves::target(action, count, at, len, height),
    };
    go(model, to);
}

/// The wheel.
pub(super) fn wheel(model: &mut Model, down: bool, rows: usize) {
    let (at, len) = place(model);
    let to = if down { at.saturating_add(rows).min(len.saturating_sub(1)) } else { at.saturating_sub(rows) };
    go(model, to);
}

/// A click on a row of the body; `false`: there is no line.
pub(super) fn click(model: &mut Model, row: usize) -> bool {
    // The help stands in columns: a row is no line there.
    if matches!(model.overlay, Some(Overlay::Help(_))) {
        return false;
    }
    let top = match list(model) {
        Some((_, list)) => list.top,
        None => model.page.as_ref().map_or(0, |page| page.top),
    };
    let height = model.areas.page_body().height;
    if model.overlay.is_none() && model.page.as_ref().is_some_and(|page| row >= usize::from(page.room(height))) {
        return false;
    }
    let (_, len) = place(model);
    let inside = top + row < len;
    if inside {
        go(model, top + row);
    }
    inside
}

/// Closes the overlay; of the picker the selection from before comes back.
pub(super) fn close(model: &mut Model) {
    if let Some(Overlay::Types(types)) = model.overlay.take() {
        filter::select(model, types.before.to_chosen());
    }
    if model.input.as_ref().is_some_and(|input| input.asked == Asked::Narrow) {
        model.input = None;
    }
}

/// Whether a page is shown that follows the cursor of the timeline: what moves that cursor moves it.
pub(super) fn follows(model: &Model) -> bool {
    model.overlay.is_none() && model.page.as_ref().is_some_and(|page| page.kind.traits().follows)
}

/// Whether a page is shown and the action would change nothing but panes behind it.
pub(super) fn is_for_panes(model: &Model, action: Action) -> bool {
    use Action as A;
    let (Some(page), None) = (&model.page, &model.overlay) else { return false };
    let traits = page.kind.traits();
    let has_scopes = page.kind == PageKind::Time;
    match action {
        A::SortNext | A::NextPart => !traits.is_ledger,
        A::Left | A::Right => !has_scopes && page.strip.is_none(),
        A::NextSibling | A::PreviousSibling => !has_scopes && !traits.follows,
        other => matches!(
            other,
            A::ToggleWrap
                | A::NextForm
                | A::ShowRecord
                | A::ToggleFold
                | A::FoldAll
                | A::UnfoldAll
                | A::FoldLevel
                | A::UnfoldLevel
                | A::ScrollMiddle
                | A::ScrollTop
                | A::ScrollBottom
                | A::Larger
                | A::Smaller
                | A::PreviousTab
                | A::NextTab
        ),
    }
}

/// The next line of the page that leads somewhere, or the one before; beyond them the last line and the first.
pub(super) fn to_target(model: &mut Model, forward: bool) {
    let Some(page) = &model.page else { return };
    let end = if forward { page.doc.lines.len().saturating_sub(1) } else { 0 };
    let to = page.next_target(forward).unwrap_or(end);
    go(model, to);
}

/// Shows a page, or what was behind it where it is shown. What was chosen on it before is forgotten.
pub(super) fn show(model: &mut Model, kind: PageKind) {
    match kind {
        PageKind::Time => model.time_scope = Scope::Session,
        PageKind::Bug => copying::begin_bug(model),
        PageKind::State
        | PageKind::SixSteps
        | PageKind::Ladder
        | PageKind::Silent
        | PageKind::Changes
        | PageKind::Originals
        | PageKind::Request
        | PageKind::Approvals
        | PageKind::Container => {}
    }
    open_page(model, kind);
}

/// Opens a page, or closes it when it is open.
pub(super) fn open_page(model: &mut Model, kind: PageKind) {
    if model.page.as_ref().is_some_and(|page| page.kind == kind) {
        model.page = None;
        return;
    }
    model.page_texts = PageTexts::default();
    (model.page_part, model.page_order, model.page_query) = (Part::default(), Order::default(), None);
    model.page = make(kind, model);
    model.page_screen = model.screen;
}

/// The page of the state follows the cursor; a page made for another size is made anew. What a page quotes is asked
/// for once it is near the screen.
pub(super) fn follow_cursor(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(page) = &model.page else { return };
    if page.kind.traits().follows || model.page_screen != model.screen || model.open.is_none() {
        remake(model);
    }
    let (foot, wanted) = foot(model);
    let Some(page) = &mut model.page else { return };
    page.foot = foot;
    let near = page.needs_near(model.areas.page_body().height).chain(wanted);
    let Some((epoch, rows)) = model.page_texts.missing(near) else { return };
    let ticket = model.ticket();
    model.page_texts.asked(ticket, epoch, rows.clone());
    effects.push(Effect::Fetch { epoch, ticket, to: Asker::Page, rows, limit_bytes: LIMIT_BYTES });
}

/// On the page of the container: the next cell of the map, or the one before.
pub(super) fn beside(model: &mut Model, forward: bool) {
    if model.overlay.is_some() {
        return;
    }
    if let Some(line) = model.page.as_ref().and_then(|page| page.beside(forward)) {
        go(model, line);
    }
}

/// The next part of the page.
pub(super) fn next_part(model: &mut Model) {
    if model.page.as_ref().is_some_and(|page| page.kind.traits().is_ledger) {
        model.page_part = model.page_part.next();
        make_anew(model);
    }
}

/// Sorts the rows of the page by the next column.
pub(super) fn sort_page(model: &mut Model) {
    if model.page.as_ref().is_some_and(|page| page.kind.traits().is_ledger) {
        model.page_order = model.page_order.next();
        make_anew(model);
    }
}

/// Narrows the rows of the page, or shows all of them again.
pub(super) fn narrow_page(model: &mut Model, query: Option<Arc<Query>>) {
    if model.page_query != query {
        model.page_query = query;
        make_anew(model);
    }
}

/// Makes the page again with other rows: the cursor is where it would be on opening it.
fn make_anew(model: &mut Model) {
    let Some(kind) = model.page.as_ref().map(|page| page.kind) else { return };
    model.page = make(kind, model);
    let height = model.areas.page_body().height;
    if let Some(page) = &mut model.page {
        page.go(page.cursor, height);
    }
}

/// Makes the page again; the cursor stays where it leads to.
pub(super) fn remake(model: &mut Model) {
    let Some(before) = model.page.take() else { return };
    model.page = make(before.kind, model).map(|mut page| {
        page.replaces(&before);
        page
    });
    model.page_screen = model.screen;
    let height = model.areas.page_body().height;
    if let Some(page) = &mut model.page {
        page.go(page.cursor, height);
    }
}

/// The log was read again: the page is made of what it is by now.
pub(super) fn stale(model: &mut Model) {
    model.page_texts = PageTexts::default();
    model.time_scope = Scope::default();
    remake(model);
}

/// Lines came that a page quotes from; `false`: they are for somebody else.
pub(super) fn quoted(model: &mut Model, ticket: Ticket, lines: &[RawLine]) -> bool {
    let lines = lines.iter().map(|line| (line.row, line.bytes.clone()));
    let is_ours = model.page_texts.answered(ticket, lines);
    if is_ours {
        remake(model);
    }
    is_ours
}

/// Opens the help with the keys of the focused pane first.
pub(super) fn open_help(model: &mut Model) {
    let first = contexts(model).first().copied().unwrap_or(Context::Main);
    close(model);
    let lines = help_lines(model, first, "");
    model.overlay = Some(Overlay::Help(Help { narrowed: String::new(), lines, list: ListState::default() }));
    model.help_of = first;
    skip_heading(model);
}

fn help_lines(model: &Model, first: Context, narrowed: &str) -> Vec<HelpLine> {
    let words = model.words();
    let mut out = Vec::new();
    group(model, narrowed, words.get(first.name()), (&[first], Group::Here), &mut out);
    if narrowed.is_empty() {
        out.push(HelpLine::Group(words.get("help.marks").to_owned()));
        out.extend(["help.marks_rows", "help.marks_states"].map(|key| HelpLine::Marks(words.get(key).to_owned())));
    }
    for other in Group::ALL {
        group(model, narrowed, words.get(other.name()), (&[Context::Main, Context::Always], other), &mut out);
    }
    out
}

/// Adds the bindings of a group that the text lets through, below their heading.
fn group(model: &Model, narrowed: &str, title: &str, of: (&[Context], Group), out: &mut Vec<HelpLine>) {
    let words = model.words();
    let wanted = narrowed.to_lowercase();
    let (contexts, group) = of;
    let fits =
        |keys: &str, help: &str| wanted.is_empty() || keys.contains(narrowed) || help.to_lowercase().contains(&wanted);
    let all = contexts.iter().flat_map(|context| names::lines(&model.settings.keymap, *context, group, words));
    let lines: Vec<HelpLine> = all
        .filter(|(keys, binding)| fits(keys, words.get(binding.help)))
        .map(|(keys, binding)| HelpLine::Binding { keys, help: words.get(binding.help).to_owned(), binding })
        .collect();
    if !lines.is_empty() {
        out.push(HelpLine::Group(title.to_owned()));
        out.extend(lines);
    }
}

fn skip_heading(model: &mut Model) {
    if let Some(Overlay::Help(help)) = &mut model.overlay {
        help.list.cursor = usize::from(help.lines.len() > 1);
        help.list.top = 0;
    }
}

/// The cursor of the help on a line; `false`: it is no line with keys.
pub(super) fn choose_help(model: &mut Model, line: usize) -> bool {
    let Some(Overlay::Help(help)) = &model.overlay else { return false };
    let has_keys = matches!(help.lines.get(line), Some(HelpLine::Binding { .. }));
    if has_keys {
        go(model, line);
    }
    has_keys
}

/// Runs the key under the cursor of the help.
pub(super) fn run_help(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Overlay::Help(help)) = &model.overlay else { return };
    let Some(HelpLine::Binding { binding, .. }) = help.lines.get(help.list.cursor) else { return };
    let action = binding.action;
    // Keys of lists mean nothing without their list.
    let of_list = matches!(binding.context, Context::Help | Context::Types | Context::CopyMenu | Context::Places);
    model.overlay = None;
    if !of_list && action != Action::Help {
        act::act(model, action, None, effects);
    }
}

/// Opens the type picker.
pub(super) fn open_types(model: &mut Model) {
    if model.open.is_none() {
        return;
    }
    let before = model.selection.clone();
    model.overlay = Some(Overlay::Types(TypePicker {
        narrowed: String::new(),
        lines: Vec::new(),
        list: ListState::default(),
        shown: 0,
        total: 0,
        before,
    }));
    refill_types(model, "");
}

/// Makes the lines of the picker anew: most frequent first.
fn refill_types(model: &mut Model, narrowed: &str) {
    let Some(open) = &model.open else { return };
    let hidden = model.selection.to_chosen().hidden_types;
    let index = &open.session.index;
    let mut surface = vec![false; index.types.len()];
    for row in index.rows.iter().filter(|row| row.flags.has(Flags::SURFACE)) {
        if let Some(seen) = surface.get_mut(usize::from(row.type_id.0)) {
            *seen = true;
        }
    }
    let wanted = narrowed.to_lowercase();
    let lines = index.types.iter().map(|(id, name, _, events)| TypeLine {
        id,
        name: display(name.as_bytes()),
        events,
        ticked: !hidden.contains(name),
        surface: surface.get(usize::from(id.0)).copied().unwrap_or(false),
    });
    let mut lines: Vec<TypeLine> = lines.collect();
    let total = lines.iter().map(|line| line.events).sum();
    let shown = lines.iter().filter(|line| line.ticked).map(|line| line.events).sum();
    lines.retain(|line| wanted.is_empty() || line.name.to_lowercase().contains(&wanted));
    lines.sort_by(|one, other| other.events.cmp(&one.events).then_with(|| one.name.cmp(&other.name)));
    let height = model.areas.page_body().height;
    if let Some(Overlay::Types(types)) = &mut model.overlay {
        narrowed.clone_into(&mut types.narrowed);
        (types.lines, types.total, types.shown) = (lines, total, shown);
    }
    fit(model, height);
}

/// Ticks in the picker: one type, all of the narrowed list, a group alone. In force at once.
pub(super) fn tick(model: &mut Model, action: Action) {
    let (Some(open), Some(Overlay::Types(types))) = (&model.open, &model.overlay) else { return };
    let mut chosen = model.selection.to_chosen();
    let index = &open.session.index;
    for (at, line) in types.lines.iter().enumerate() {
        let Some((_, name, kind, _)) = index.types.iter().find(|(id, ..)| *id == line.id) else { continue };
        let show = match action {
            Action::Tick if at == types.list.cursor => !line.ticked,
            Action::TickAll => true,
            Action::TickNone => false,
            Action::TickInvert => !line.ticked,
            Action::TickGroup(group) => filter::is_in(group, kind, line.surface),
            _ => line.ticked,
        };
        if show {
            chosen.hidden_types.remove(name);
        } else {
            chosen.hidden_types.insert(name.clone());
        }
    }
    let narrowed = types.narrowed.clone();
    filter::select(model, chosen);
    refill_types(model, &narrowed);
}

/// Keeps what is ticked and closes the picker.
pub(super) fn keep_types(model: &mut Model) {
    model.overlay = None;
    if model.timeline.events().shown == 0 && model.timeline.events().all > 0 {
        model.say(Role::Warn, "message.nothing_shown", &[]);
    }
}

/// Narrows the list of the open overlay.
pub(super) fn narrow(model: &mut Model, text: &str) {
    match &model.overlay {
        Some(Overlay::Help(_)) => {
            let lines = help_lines(model, model.help_of, text);
            if let Some(Overlay::Help(help)) = &mut model.overlay {
                help.lines = lines;
                text.clone_into(&mut help.narrowed);
            }
            skip_heading(model);
        }
        Some(Overlay::Types(_)) => refill_types(model, text),
        Some(Overlay::Copy(_) | Overlay::Places(_)) => {}
        None => super::sessions::narrow(model, text),
    }
}

/// The text that narrowed a list is given up.
pub(super) fn narrowed_in_vain(model: &mut Model) {
    match (&model.overlay, &model.list) {
        (None, Some(list)) => {
            let before = list.filter_before.clone();
            narrow(model, &before);
        }
        (Some(_), _) | (None, None) => narrow(model, ""),
    }
}
