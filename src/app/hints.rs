//! Hints of the last line: the keys that help where the cursor is, most useful first.

use super::action::{Action, Stop};
use super::calls::Fold;
use super::key::{Key, KeyCode};
use super::keymap::{Context, Keymap, Keys, keys_text};
use super::list::{Hits, List};
use super::model::Model;
use super::overlay::Overlay;
use super::page::Page;
use super::rules::END;
use super::timeline::Item;
use super::timeline::place::row_of;

/// A key that helps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hint {
    /// Key of its words, which begin with its key.
    pub(crate) words: &'static str,
    /// When it would do something.
    when: When,
}

/// When a key would do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Always.
    Always,
    /// Something unpaired lies below the cursor.
    UnpairedAhead,
    /// Something unpaired lies above the cursor, and nothing below it.
    UnpairedBehind,
    /// A call has no result, or only that of a recovery; here or in a relative.
    UnpairedCall,
    /// There is any of these.
    Any(Stop),
    /// The row of the calls pane folds.
    RowFolds,
    /// The value at the cursor of the detail folds.
    ValueFolds,
    /// A line of the page leads somewhere.
    LeadsAnywhere,
    /// The session at the cursor of the list can be opened.
    Opens,
    /// It has a parent.
    HasParent,
    /// It belongs to a family.
    HasFamily,
    /// The list has sessions.
    HasSessions,
    /// The list has other files.
    HasOthers,
    /// All sessions are being searched.
    Searches,
    /// A search of them found something.
    HasHits,
}

impl Hint {
    /// A hint that is shown now and then.
    pub(crate) const fn new(words: &'static str, when: When) -> Hint {
        Hint { words, when }
    }

    /// A hint that is always shown.
    pub(crate) const fn always(words: &'static str) -> Hint {
        Hint::new(words, When::Always)
    }
}

/// Hints of everything but pages, which have theirs in their own table.
pub(crate) const HINTS: &[(Context, &[Hint])] = &[
    (Context::Header, &[Hint::always("hint.header_page")]),
    (
        Context::Timeline,
        &[
            Hint::always("hint.other_half"),
            Hint::always("hint.copy"),
            Hint::new("hint.next_unpaired", When::UnpairedAhead),
            Hint::new("hint.previous_unpaired", When::UnpairedBehind),
            Hint::new("hint.next_break", When::Any(Stop::Break)),
            Hint::always("hint.filter"),
            Hint::always("hint.search"),
            Hint::always("hint.types"),
        ],
    ),
    (
        Context::Calls,
        &[
            Hint::new("hint.fold", When::RowFolds),
            Hint::always("hint.other_result"),
            Hint::always("hint.copy"),
            Hint::new("hint.next_call", When::Any(Stop::Call)),
            Hint::new("hint.next_approval", When::Any(Stop::Approval)),
        ],
    ),
    (
        Context::Detail,
        &[
            Hint::always("hint.next_tab"),
            Hint::always("hint.next_form"),
            Hint::always("hint.stored_record"),
            Hint::new("hint.fold", When::ValueFolds),
            Hint::always("hint.copy"),
            Hint::always("hint.edit"),
            Hint::always("hint.pipe"),
        ],
    ),
    (
        Context::Family,
        &[
            Hint::always("hint.call_and_child"),
            Hint::always("hint.family_enter"),
            Hint::always("hint.lanes"),
            Hint::always("hint.depth"),
            Hint::always("hint.back"),
        ],
    ),
    (
        Context::BugAsked,
        &[Hint::always("hint.add_replaced"), Hint::always("hint.add_recorded"), Hint::always("hint.leave_out")],
    ),
    (
        Context::List,
        &[
            Hint::new("hint.open", When::Opens),
            Hint::new("hint.parent", When::HasParent),
            Hint::new("hint.search_all", When::HasSessions),
            Hint::new("hint.filter", When::HasSessions),
            Hint::new("hint.sort", When::HasSessions),
            Hint::new("hint.other_files", When::HasOthers),
            Hint::new("hint.fold", When::HasFamily),
            Hint::always("hint.refresh"),
        ],
    ),
    (
        Context::Hits,
        &[
            Hint::new("hint.stop_search", When::Searches),
            Hint::new("hint.enter_there", When::HasHits),
            Hint::new("hint.next_session", When::HasHits),
            Hint::always("hint.search_all"),
            Hint::always("hint.back"),
        ],
    ),
];

/// Keys that one hint names, at most.
const MOST_KEYS: usize = 2;

/// Hints of a context, most useful first, without those that would do nothing; help and leaving are not among them.
pub(crate) fn hints(context: Context, model: &Model) -> Vec<String> {
    let of_page = model.page.as_ref().map(|page| page.kind.traits()).filter(|traits| traits.context == context);
    let here = HINTS.iter().find(|(at, _)| *at == context).map_or(&[][..], |(_, hints)| *hints);
    let here = of_page.map_or(here, |traits| traits.hints);
    let here = here.iter().filter(|hint| helps(hint.when, model));
    here.filter_map(|hint| bound(hint.words, context, model)).collect()
}

/// The contexts that keys are looked up in, the closest first.
pub(crate) fn contexts(model: &Model) -> Vec<Context> {
    match (&model.overlay, &model.page) {
        (Some(Overlay::Help(_)), _) => vec![Context::Help, Context::Always],
        (Some(Overlay::Types(_)), _) => vec![Context::Types, Context::Always],
        (Some(Overlay::Places(_)), _) => vec![Context::Places, Context::Always],
        (Some(Overlay::Copy(_)), _) => vec![Context::CopyMenu, Context::Always],
        (None, _) if model.shown_list().is_some() => {
            let hits = model.shown_list().is_some_and(|list| list.hits.is_some());
            vec![if hits { Context::Hits } else { Context::List }, Context::Main, Context::Always]
        }
        (None, Some(page)) => {
            let own = [page.kind.context(model), page.kind.traits().context];
            let mut contexts = own.to_vec();
            contexts.extend([Context::Page, Context::Main, Context::Always]);
            contexts.dedup();
            contexts
        }
        (None, None) if model.family.view.is_some() => vec![Context::Family, Context::Main, Context::Always],
        (None, None) => vec![Context::of(model.focus), Context::Main, Context::Always],
    }
}

/// The keys that a word names where the user is: in an input line, after a prefix key, in the closest context.
pub(crate) fn keys_named(word: &str, model: &Model) -> Option<Keys> {
    let words = model.words();
    let says = |keys: &Keys| keys_text(*keys, words) == word;
    if model.input.is_some() {
        let of_lines = [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Up, KeyCode::Down];
        return of_lines.map(|code| Keys::One(Key::plain(code))).into_iter().find(says);
    }
    let keymap = &model.settings.keymap;
    if let Some(prefix) = model.pending.prefix {
        let second = |keys: &Keys| matches!(keys, Keys::Two(_, second) if word == second.to_string());
        let to_mark = keymap.after(prefix).any(|binding| binding.action == Action::GoToMark);
        let mark =
            model.jumps.lettered().map(|(letter, _)| letter).find(|letter| to_mark && word == letter.to_string());
        let mark = mark.map(|letter| Keys::Two(prefix, letter));
        return mark.or_else(|| keymap.after(prefix).map(|binding| binding.keys).find(second));
    }
    let of = |context: Context| keymap.bindings().iter().filter(move |binding| binding.context == context);
    contexts(model).into_iter().flat_map(of).map(|binding| binding.keys).find(says)
}

/// A hint with the keys that are bound in a context: its text begins with those of the table. `None` where no key is left.
pub(crate) fn bound(hint: &str, context: Context, model: &Model) -> Option<String> {
    let words = model.words();
    let (usual, own) = (Keymap::default(), &model.settings.keymap);
    let text = words.get(hint);
    if **own == usual {
        return Some(text.to_owned());
    }
    let contexts = [context, Context::Page, Context::Main, Context::Always];
    let contexts = if context == Context::Bug { &contexts[..] } else { &[context, Context::Main, Context::Always][..] };
    let keys = |text: &str| {
        let mut bindings = contexts
            .iter()
            .flat_map(|context| usual.bindings().iter().filter(move |binding| binding.context == *context));
        bindings.find(|binding| keys_text(binding.keys, words) == text).copied()
    };
    let mut shown = Vec::new();
    let mut rest = text;
    let mut is_key = false;
    while let Some((first, after)) = rest.split_once(' ') {
        let Some(binding) = keys(first).filter(|_| shown.len() < MOST_KEYS) else { break };
        is_key = true;
        let is_kept = own.find(contexts, binding.keys).is_some_and(|other| other.action == binding.action);
        let now: Option<Keys> = if is_kept { Some(binding.keys) } else { own.keys_of(contexts, binding.action) };
        shown.extend(now.map(|keys| keys_text(keys, words)));
        rest = after;
    }
    match (is_key, shown.is_empty()) {
        (false, _) => Some(text.to_owned()),
        (true, true) => None,
        (true, false) => Some(format!("{} {rest}", shown.join(" "))),
    }
}

/// Whether the key would do something.
fn helps(when: When, model: &Model) -> bool {
    let stops = |stop: Stop| model.open.as_ref().map_or(&[][..], |open| open.stops.places(stop));
    let list = |asks: fn(&List) -> bool| model.shown_list().is_some_and(asks);
    match when {
        When::Always => true,
        When::UnpairedAhead => is_ahead(model),
        When::UnpairedBehind => {
            let here =
                model.open.as_ref().zip(model.timeline.current()).map_or(END, |(open, item)| row_of(item, &open.rules));
            !is_ahead(model) && stops(Stop::Unpaired).first().is_some_and(|first| *first < here)
        }
        When::UnpairedCall => {
            let facts = model.open.as_ref().map(|open| &open.session.facts);
            let is_here = facts.is_some_and(|facts| facts.last_unpaired.or(facts.last_recovered).is_some());
            is_here || model.family.lineage.as_ref().is_some_and(|lineage| lineage.deepest_open.is_some())
        }
        When::Any(stop) => !stops(stop).is_empty(),
        When::RowFolds => {
            let row = model.calls.visible.get(model.calls.cursor);
            row.is_some_and(|row| row.fold != Fold::Leaf)
        }
        When::ValueFolds => model.detail.branch().is_some_and(|branch| branch.opens),
        When::LeadsAnywhere => model.page.as_ref().is_some_and(Page::leads_anywhere),
        When::Opens => list(|list| list.openable().is_some()),
        When::HasParent => list(List::has_parent),
        When::HasFamily => list(List::has_family),
        When::HasSessions => list(List::has_sessions),
        When::HasOthers => list(List::has_others),
        When::Searches => list(|list| list.hits.as_ref().is_some_and(Hits::is_running)),
        When::HasHits => list(|list| list.hits.as_ref().is_some_and(|hits| !hits.found.is_empty())),
    }
}

/// Whether something unpaired lies below the cursor.
fn is_ahead(model: &Model) -> bool {
    let Some(open) = &model.open else { return false };
    let item = model.timeline.current();
    let row = item.map_or(END, |item| row_of(item, &open.rules));
    let last = open.stops.places(Stop::Unpaired).last();
    match item {
        Some(Item::Rule { .. }) => last.is_some_and(|last| *last >= row),
        Some(Item::Run { last: end, .. }) => last.is_some_and(|last| *last > end),
        _ => last.is_some_and(|last| *last > row),
    }
}
